"""Who is told what, from for whom the game waited at each version."""

from __future__ import annotations

import json

from msgspec.structs import replace

from service.webhooks.hooks import GAME_OVER, YOUR_DECISION, Hook, Message, message_id
from service.webhooks.telling import begun, body, caught_up, messages, without

ANN, BOB = "seat:ann", "seat:bob"


def hook(bearer: str = ANN, **more: object) -> Hook:
    made = Hook("id", bearer, "digest", "https://player.example.org/", "key", told=1, seen=1000)
    return replace(made, **more)


def told(found: Hook) -> list[tuple[str, int, str]]:
    return [(message.kind, message.version, message.name) for message in messages(found)]


def calls(*expected: tuple[int, str]) -> list[tuple[str, int, str]]:
    return [(YOUR_DECISION, version, name) for version, name in expected]


def test_whoever_must_decide_when_the_hook_begins_is_told() -> None:
    assert told(begun(hook(), [ANN])) == calls((1, ANN))
    assert told(begun(hook(), [BOB])) == []
    assert told(begun(hook(), [ANN, BOB])) == calls((1, ANN))


def test_he_is_told_once_and_not_again_while_he_has_still_to_decide() -> None:
    first = without(begun(hook(), [ANN, BOB]), messages(begun(hook(), [ANN, BOB]))[0])
    assert told(first) == []
    assert told(caught_up(first, [(2, [ANN])], 0)) == [], "bob has answered in the same window"
    assert told(caught_up(first, [(2, [ANN]), (3, [ANN])], 0)) == []


def test_he_is_told_anew_when_it_is_his_turn_anew() -> None:
    turns = [(2, [BOB]), (3, [ANN]), (4, [ANN]), (5, [BOB]), (6, [ANN])]
    start = begun(hook(), [BOB])
    assert told(caught_up(start, turns[:2], 0)) == calls((3, ANN))
    assert told(caught_up(start, turns[:3], 0)) == calls((3, ANN))
    assert told(caught_up(start, turns[:4], 0)) == [], "he has decided: there is nothing to tell any more"
    assert told(caught_up(start, turns, 0)) == calls((6, ANN))


def test_it_does_not_matter_in_how_many_pieces_the_log_is_read() -> None:
    turns = [(2, [BOB]), (3, [ANN]), (4, [ANN, BOB]), (5, [BOB]), (6, [ANN]), (7, [])]
    start = begun(hook("host"), [BOB])
    whole = caught_up(start, turns, 7)
    for cut in range(len(turns) + 1):
        part = caught_up(caught_up(start, turns[:cut], 7), turns[max(0, cut - 2) :], 7)
        assert part == whole, "what has been read already changes nothing"


def test_the_host_is_told_of_every_seat_and_of_itself_but_not_of_the_dealer() -> None:
    start = begun(hook("host"), [ANN])
    assert told(start) == calls((1, ANN))
    assert told(caught_up(start, [(2, [ANN, BOB])], 0)) == calls((1, ANN), (2, BOB))
    assert told(caught_up(start, [(2, ["host", "dealer"])], 0)) == calls((2, "host"))
    assert told(caught_up(begun(hook("dealer"), [ANN]), [(2, ["host", "dealer"])], 0)) == calls((2, "dealer"))
    assert told(caught_up(begun(hook(), [BOB]), [(2, ["host", "dealer"])], 0)) == []


def test_a_seat_that_is_called_as_a_role_is_no_role() -> None:
    assert told(begun(hook("seat:host"), ["host"])) == []
    assert told(begun(hook("host"), ["seat:dealer"])) == calls((1, "seat:dealer"))


def test_the_end_is_told_once_to_everybody_and_nothing_else_is_then() -> None:
    for bearer in (ANN, BOB, "host", "dealer"):
        ended = caught_up(begun(hook(bearer), [ANN]), [(2, [BOB]), (3, [])], 0)
        assert told(ended) == [(GAME_OVER, 3, bearer)]
        known = without(ended, messages(ended)[0])
        assert told(known) == []
        assert told(caught_up(known, [(4, [])], 0)) == []
    assert told(begun(hook(), [])) == [(GAME_OVER, 1, ANN)], "also where it was over before"


def test_a_version_of_which_it_was_not_noted_changes_nothing() -> None:
    start = begun(hook(), [BOB])
    after = caught_up(start, [(2, None), (3, [ANN])], 0)
    assert (after.told, told(after)) == (3, calls((3, ANN)))
    assert told(caught_up(start, [(2, None)], 0)) == []


def test_with_the_last_message_goes_its_day_and_not_the_pause_of_the_receiver() -> None:
    failing = replace(begun(hook(), [ANN]), tries=3, since=5, next_at=99)
    assert caught_up(failing, [(2, [ANN])], 0).since == 5
    decided = caught_up(failing, [(2, [BOB])], 0)
    assert (decided.tries, decided.since, decided.next_at) == (3, 0, 99)


def test_when_something_last_changed_is_noted() -> None:
    start = begun(hook(), [BOB])
    assert caught_up(start, [(2, [BOB])], 7000).seen == 1000
    assert caught_up(start, [(2, [ANN])], 7000).seen == 7000


def test_the_body_has_nothing_in_it_but_where_to_look() -> None:
    session = "0123456789abcdef" * 2
    at = f"/v1/sessions/{session}"
    links = {"self": at, "options": f"{at}/options", "actions": f"{at}/actions", "events": f"{at}/events"}
    common = {"session": session, "game": "zavandor", "links": links}
    assert json.loads(body(session, "zavandor", Message(YOUR_DECISION, 7, ANN))) == {
        "type": "your-decision",
        "version": 7,
        "seat": "ann",
        **common,
    }
    assert json.loads(body(session, "zavandor", Message(GAME_OVER, 9, "host"))) == {
        "type": "game-over",
        "version": 9,
        "seat": None,
        **common,
    }


def test_a_message_has_one_id_and_every_message_its_own() -> None:
    one = hook()
    every = {
        message_id(each, message)
        for each in (one, replace(one, id="another"))
        for message in (
            Message(YOUR_DECISION, 1, ANN),
            Message(YOUR_DECISION, 2, ANN),
            Message(YOUR_DECISION, 1, BOB),
            Message(GAME_OVER, 1, ANN),
        )
    }
    assert len(every) == 8
    assert message_id(replace(one, tries=5, told=9), Message(YOUR_DECISION, 1, ANN)) in every
