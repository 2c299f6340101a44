"""Clocks of sessions: when time is up, who finds it out, and what comes of it."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.cli import main
from service.engine.registry import Registry
from service.sessions import attending, automata, sweeping
from service.sessions.redis_store import RedisStore
from service.sessions.store import StoreAway
from service.sessions.sweeping import Tables
from service.sessions.visit import watching as visiting
from tests.http.conftest import begin, faults, problem
from tests.http.kept import AT, NOW, Kept, filled, opened
from tests.http.test_session_seats import change, changed, claim, seated, told
from tests.sessions.stores import imitation
from tools import verify_draws

END = {"kind": "end-turn", "actor": "ann"}
TURN = {"per": "turn", "seconds": 60}
NOTHING = {"kind": "show", "good": "nothing"}


class Hour:
    """The time of an app: so many milliseconds after NOW."""

    def __init__(self) -> None:
        self.ms = 0

    def millis(self) -> int:
        return NOW * 1000 + self.ms


@pytest.fixture
def hour() -> Hour:
    return Hour()


@pytest.fixture
def client(app: Flask, hour: Hour) -> FlaskClient:
    """Its sessions are those of one test, as is its time."""
    held = app.extensions["arbitr"]
    held.desk = replace(held.desk, store=imitation(), millis=hour.millis)
    return app.test_client()


def desk(kept: Kept) -> Any:
    return kept.client.application.extensions["arbitr"].desk


def clock(kept: Kept, who: str = "spectator") -> Any:
    return kept.get(who).json["session"]["clock"]["seats"]


def times(kept: Kept) -> list[Any]:
    return [e for e in told(kept) if e["kind"] == "timed-out"]


def ticking(client: FlaskClient, game: str = "toy", **more: Any) -> Kept:
    return opened(client, game, clock={**TURN, **more})


def at(seconds: int) -> str:
    from service.sessions.clocks import written

    return written((NOW + seconds) * 1000)


# -- what is told -------------------------------------------------------------------------------------------------


def test_a_session_tells_until_when_a_seat_may_think(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, clock={"per": "bank", "seconds": 60, "increment": 5})
    assert kept.opened["session"]["clock"] == {
        "per": "bank",
        "seconds": 60,
        "increment": 5,
        "on_timeout": "nothing",
        "seats": {
            "ann": {"deadline": "2030-03-17T17:47:40.000Z", "timed_out": False},
            "bob": {"left_ms": 60_000, "timed_out": False},
        },
    }
    hour.ms = 20_000
    kept.done(END)
    assert clock(kept) == {
        "ann": {"left_ms": 45_000, "timed_out": False},
        "bob": {"deadline": "2030-03-17T17:48:00.000Z", "timed_out": False},
    }


def test_without_one_nothing_is_told_of_clocks(client: FlaskClient) -> None:
    kept = opened(client)
    assert not {"clock", "ended"} & kept.opened["session"].keys()
    assert desk(kept).store.next_planned() is None


def test_what_has_a_tag_does_not_change_while_time_runs(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client)
    first = kept.get("ann")
    hour.ms = 59_999
    assert kept.get("ann", If_None_Match=first.headers["ETag"]).status_code == 304
    assert kept.get("ann").data == first.data
    hour.ms = 60_000
    news = kept.get("ann", If_None_Match=first.headers["ETag"])
    assert (news.status_code, news.json["session"]["version"]) == (200, 2)
    hour.ms = 600_000
    assert kept.get("ann", If_None_Match=news.headers["ETag"]).status_code == 304


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({"per": "hour", "seconds": 1}, "/clock/per"),
        ({"per": "turn"}, "/clock/seconds"),
        ({"per": "turn", "seconds": 0}, "/clock/seconds"),
        ({"per": "turn", "seconds": 10**9}, "/clock/seconds"),
        ({"per": "turn", "seconds": "60"}, "/clock/seconds"),
        ({"per": "turn", "seconds": 60, "increment": 1}, "/clock/increment"),
        ({"per": "bank", "seconds": 60, "increment": -1}, "/clock/increment"),
        ({"per": "bank", "seconds": 60, "on_timeout": "shout"}, "/clock/on_timeout"),
        ({"per": "bank", "seconds": 60, "hat": 1}, "/clock/hat"),
        (60, "/clock"),
        (None, "/clock"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(client: FlaskClient, given: Any, pointer: str) -> None:
    body = {"game": "toy", "seats": [{"id": "ann"}, {"id": "bob"}], "clock": given}
    answer = client.post(AT, json=body)
    problem(answer, 400, "off-schema")
    assert list(faults(answer)) == [pointer]


def test_a_game_that_stands_goes_on_by_the_clock(client: FlaskClient) -> None:
    state = begin(client, chance={"seed": "7"})["state"]
    kept = Kept(client, client.post(AT, json={"game": "toy", "state": state, "clock": TURN}).json)
    assert clock(kept)["ann"] == {"deadline": at(60), "timed_out": False}


def test_where_nobody_can_act_for_a_seat_the_clock_lets_nobody(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = opened(client)
    monkeypatch.setattr(desk(kept).registry.get("toy"), "prudent", None)
    body = {
        "game": "toy",
        "seats": [{"id": "ann"}, {"id": "bob"}],
        "clock": {**TURN, "on_timeout": "automate"},
    }
    assert problem(client.post(AT, json=body), 422, "seat-refused")["why"] == "no-player"


# -- nothing ------------------------------------------------------------------------------------------------------


def test_that_time_is_up_is_told_once_with_the_time_at_which_it_was(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client)
    hour.ms = 75_000
    assert clock(kept)["ann"]["timed_out"] is True
    hour.ms = 200_000
    (event,) = times(kept)
    assert event == {
        "version": 2,
        "kind": "timed-out",
        "seat": "ann",
        "at": at(60),
        "then": "nothing",
        "by": {"role": "clock"},
        "text": "Time is up for ann.",
    }
    assert kept.act(END, version=1).status_code == 201, "it changes nothing at the table"
    assert clock(kept)["ann"] == {"left_ms": 60_000, "timed_out": False}


@pytest.mark.parametrize("path", ["", "/options", "/events", "/record", "/seats"])
def test_whoever_reads_finds_it_out(client: FlaskClient, hour: Hour, path: str) -> None:
    kept = ticking(client)
    hour.ms = 60_000
    assert kept.get("bob", path).status_code == 200
    assert desk(kept).store.read(kept.id).version == 2


def test_whoever_does_something_finds_it_out_first(client: FlaskClient, hour: Hour) -> None:
    for do in (
        lambda kept: kept.act({**END, "actor": "bob"}, version=1),
        lambda kept: kept.post("ann", "/undo", {}, version=1),
        lambda kept: change(kept, "bob", "bob", "rename", {"name": ""}),
    ):
        kept = ticking(client)
        hour.ms += 60_000
        do(kept)
        assert desk(kept).store.read(kept.id).version == 2
        assert [e["kind"] for e in told(kept)] == ["timed-out"]


def test_of_many_who_find_it_out_at_once_one_tells_it(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client)
    hour.ms = 60_000
    start, answers = threading.Barrier(8), []

    def look() -> None:
        mine = Kept(kept.client.application.test_client(), kept.opened)
        start.wait()
        answers.append(mine.get("bob").json["session"]["version"])

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [2] * 8
    assert len(times(kept)) == 1


def test_who_waits_for_events_is_told(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client)
    hour.ms = 60_000
    heard = kept.get("bob", "/events?after=1&wait=5").json
    assert [e["kind"] for e in heard["events"]] == ["timed-out"]


# -- automate -----------------------------------------------------------------------------------------------------


def test_the_prudent_player_acts_for_who_has_no_time_left(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="automate")
    hour.ms = 60_000
    assert kept.get("bob").json["decisions"][0]["actor"] == "bob"
    assert times(kept)[0]["then"] == "automate"
    assert kept.get("bob").json["session"]["seats"]["ann"]["automated"]
    kept.done({**END, "actor": "bob"})
    assert kept.actor == "bob", "and goes on to do so"


def test_what_was_sent_too_late_is_too_late(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="automate")
    hour.ms = 59_999
    assert kept.act(END, version=1).status_code == 201
    kept = ticking(client, on_timeout="automate")
    hour.ms += 60_000
    problem(kept.act(END, version=1), 412, "stale-version")
    assert kept.actor == "bob"


def test_until_the_holder_takes_his_seat_back(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="automate")
    hour.ms = 60_000
    kept.get("bob")
    changed(kept, "ann", "ann", "take-back")
    kept.done({**END, "actor": "bob"})
    assert kept.actor == "ann"
    assert clock(kept)["ann"] == {"deadline": at(120), "timed_out": False}
    kept.done(END)


@pytest.mark.parametrize(("then", "status"), [("nothing", 201), ("automate", 412), ("end", 422)])
def test_an_action_that_races_with_the_time_is_judged_once(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch, then: str, status: int
) -> None:
    """Ann's action is read in time; before it is written somebody else finds that her time is up."""
    kept = ticking(client, on_timeout=then)
    store = desk(kept).store
    sound = store.commit

    def commit(*given: Any) -> Any:
        monkeypatch.setattr(store, "commit", sound)
        hour.ms += 60_000
        attending.due(desk(kept), kept.id)
        return sound(*given)

    monkeypatch.setattr(store, "commit", commit)
    assert kept.act(END, version=1).status_code == status
    assert len(times(kept)) == 1


def test_a_seat_where_nobody_sits_blocks_nobody(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="automate")
    changed(kept, "ann", "ann", "leave")
    hour.ms = 60_000
    assert kept.get("bob").json["decisions"][0]["actor"] == "bob"


def test_no_time_runs_before_all_have_come(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, clock={**TURN, "on_timeout": "end"}, invitations=True)
    hour.ms = 500_000
    assert clock(kept)["ann"] == {"left_ms": 60_000, "timed_out": False}
    claim(kept, "ann", kept.opened["invitations"]["ann"])
    hour.ms = 900_000
    assert clock(kept)["ann"] == {"left_ms": 60_000, "timed_out": False}
    claim(kept, "bob", kept.opened["invitations"]["bob"])
    assert clock(kept)["ann"] == {"deadline": at(960), "timed_out": False}


def test_whoever_claims_a_seat_finds_out_first_that_time_was_up(client: FlaskClient, hour: Hour) -> None:
    for then in ("nothing", "automate", "end"):
        kept = ticking(client, on_timeout=then)
        invitation = changed(kept, "host", "ann", "invite")["invitation"]
        due, hour.ms = (hour.ms + 60_000) // 1000, hour.ms + 75_000
        assert claim(kept, "ann", invitation).status_code == 200
        events = told(kept)
        kinds = [e["kind"] for e in events if "seat" in e]
        assert kinds.index("timed-out") < kinds.index("seat-claimed")
        assert times(kept)[0]["at"] == at(due)


def test_who_was_there_once_has_taken_his_seat(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, clock=TURN, invitations=True)
    token = claim(kept, "ann", kept.opened["invitations"]["ann"]).json["token"]
    changed(seated(kept, "ann", token), "ann", "ann", "leave")
    hour.ms = 100_000
    claim(kept, "bob", kept.opened["invitations"]["bob"])
    assert clock(kept)["ann"] == {"deadline": at(160), "timed_out": False}


def test_the_deadline_of_who_is_late_stays_what_it_was(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client)
    for _ in range(3):
        hour.ms += 70_000
        changed(kept, "bob", "bob", "rename", {"name": f"Bob {hour.ms}"})
        assert clock(kept)["ann"] == {"deadline": at(60), "timed_out": True}


def test_a_repetition_under_a_key_finds_out_too(
    client: FlaskClient, hour: Hour, caplog: pytest.LogCaptureFixture
) -> None:
    for then in ("nothing", "automate", "end"):
        kept = ticking(client, on_timeout=then)
        first = kept.act(END, version=1, Idempotency_Key="k")
        hour.ms += 60_000
        again = kept.act(END, version=1, Idempotency_Key="k")
        assert (again.status_code, again.data) == (201, first.data)
        assert [e["seat"] for e in times(kept)] == ["bob"]
        assert desk(kept).store.read(kept.id).version == (4 if then == "automate" else 3)
    assert "could not be done" not in caplog.text


def test_a_claim_ends_what_the_clock_began(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="automate")
    hour.ms = 60_000
    kept.get("bob")
    token = claim(kept, "ann", changed(kept, "host", "ann", "invite")["invitation"]).json["token"]
    kept.done({**END, "actor": "bob"})
    new = seated(kept, "ann", token)
    assert clock(kept)["ann"] == {"deadline": at(120), "timed_out": False}
    new.done(END)


# -- end ----------------------------------------------------------------------------------------------------------


def test_the_session_is_over_when_time_is_up(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="end")
    kept.done(END)
    hour.ms = 60_000
    seen = kept.get("ann").json
    assert seen["session"]["ended"] == {"because": "time", "seats": ["bob"], "at": at(60)}
    assert clock(kept)["bob"] == {"left_ms": 0, "timed_out": True}
    assert seen["outcome"] is None, "by the rules nobody has won"
    assert seen["decisions"] == []
    assert times(kept)[0]["text"] == "Time is up for bob, and the session is over."
    for who in ("ann", "bob", "host"):
        assert kept.options(who) == []
    problem(kept.act({**END, "actor": "bob"}), 422, "game-over")
    problem(kept.post("ann", "/undo", {}), 422, "game-over")
    problem(kept.post("host", "/rewind", {"to": 1}), 422, "game-over")
    hour.ms = 600_000
    assert kept.version == seen["session"]["version"]
    assert desk(kept).store.next_planned() is None


def together(kept: Kept) -> None:
    """Go on until all answer together."""
    while (decisions := kept.get("spectator").json["decisions"])[0]["kinds"] != ["show"]:
        kept.done({"kind": "end-turn", "actor": decisions[0]["actor"]})


def test_the_first_whose_time_is_up_ends_the_session_whenever_somebody_comes_by(
    client: FlaskClient, hour: Hour
) -> None:
    found = []
    for late in (0, 500_000):
        start = hour.ms
        kept = opened(client, "harbour", seats="ann bob cyd", clock={**BANK, "on_timeout": "end"})
        hour.ms += 10_000
        together(kept)
        deadlines = {s: c["deadline"] for s, c in clock(kept).items()}
        assert len(set(deadlines.values())) > 1, deadlines
        hour.ms = start + 60_000 + 30_000 + late
        seen = kept.get("ann").json["session"]
        found.append((seen["ended"]["seats"], {s: c["left_ms"] for s, c in seen["clock"]["seats"].items()}))
        assert seen["ended"]["at"] == min(deadlines.values())
        assert [e["seat"] for e in times(kept)] == seen["ended"]["seats"]
    assert found[0] == found[1]


@pytest.mark.parametrize("what", ["rename", "leave", "invite", "claim"])
def test_its_record_holds_whatever_becomes_of_seats_after_that(
    client: FlaskClient, hour: Hour, what: str
) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd", clock={**TURN, "on_timeout": "end"})
    kept.done(filled(kept.options(kept.actor)[0]))
    hour.ms = 90_000
    kept.get("bob")
    if what == "claim":
        assert claim(kept, "ann", changed(kept, "host", "ann", "invite")["invitation"]).status_code == 200
    else:
        who = "host" if what == "invite" else "ann"
        changed(kept, who, "ann", what, {"name": "Anna"} if what == "rename" else {})
    record = kept.get("host", "/record").json
    assert record["log"][-1]["changes"][0]["kind"] != "timed-out"
    found = client.post("/v1/games/harbour/verifications", json={"record": record}).json
    assert (found["verdict"], found["draws"]) == ("valid", "match")


@pytest.mark.parametrize("what", ["rename", "leave"])
def test_a_record_of_a_game_of_ours_holds_for_every_program(
    client: FlaskClient, hour: Hour, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = opened(client, "zavandor", clock={**TURN, "on_timeout": "end"})
    hour.ms = 90_000
    changed(kept, "ann", "ann", what, {"name": "Anna"} if what == "rename" else {})
    file = tmp_path / "record.json"
    file.write_bytes(kept.get("host", "/record").data)
    assert main(["verify", str(file)]) == 0
    assert verify_draws.main([str(file)]) == 0


def test_when_all_is_over_nobody_is_let_play_for_a_seat(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="end")
    hour.ms = 60_000
    problem(change(kept, "host", "ann", "automate"), 422, "game-over")
    changed(kept, "ann", "ann", "rename", {"name": "Anna"})


def test_its_record_is_whole_and_holds(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd", clock={**TURN, "on_timeout": "end"})
    for _ in range(4):
        kept.done(filled(kept.options(kept.actor)[0]))
    hour.ms = 90_000
    assert not kept.get("ann", "/record").json["complete"]
    record = kept.get("host", "/record").json
    assert record["complete"]
    assert record["log"][-1]["kind"] == "seats"
    assert record["log"][-1]["changes"][0]["at"] == at(60)
    found = client.post("/v1/games/harbour/verifications", json={"record": record}).json
    assert (found["verdict"], found["draws"], found["outcome"]) == ("valid", "match", None)
    assert kept.get("spectator").json["session"]["chance"]["seed"] == record["chance"]["seed"]


def test_its_record_holds_when_a_seat_has_changed_since(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd", clock={**TURN, "on_timeout": "end"})
    kept.done(filled(kept.options(kept.actor)[0]))
    hour.ms = 90_000
    renaming = f"{AT}/{kept.id}/seats/ann/rename"
    assert client.post(renaming, json={"name": "Ann"}, headers=kept.headers("host")).status_code == 200
    record = kept.get("host", "/record").json
    assert [e["changes"][0]["kind"] for e in record["log"][-2:]] == ["timed-out", "seat-renamed"]
    found = client.post("/v1/games/harbour/verifications", json={"record": record}).json
    assert (found["verdict"], found["draws"]) == ("valid", "match")


# -- undo and rewind ----------------------------------------------------------------------------------------------


def test_time_that_was_taken_is_not_given_back(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, "zavandor", clock={"per": "bank", "seconds": 60})
    actor = kept.actor
    hour.ms = 20_000
    kept.done(filled(kept.options(actor)[0]))
    hour.ms = 30_000
    assert kept.post(actor, "/undo", {}).status_code == 201
    assert clock(kept)[actor] == {"deadline": at(60), "timed_out": False}
    assert kept.post("host", "/rewind", {"to": 2}).status_code == 201
    assert clock(kept)[actor] == {"deadline": at(60), "timed_out": False}


BANK = {"per": "bank", "seconds": 60, "increment": 30}


def plain(client: FlaskClient, **clock: Any) -> tuple[Kept, str, str]:
    """A game in which nothing comes out when a turn ends; who begins, and the other."""
    kept = opened(client, "zavandor", clock=clock)
    first = kept.actor
    return kept, first, "bob" if first == "ann" else "ann"


def prudent(kept: Kept) -> Any:
    """What the prudent player would do for who must act."""
    visit = visiting(desk(kept), kept.id)
    return next(iter(automata.choices(visit, kept.actor)))


def undone(kept: Kept, seat: str) -> Any:
    answer = kept.post(seat, "/undo", {})
    assert answer.status_code == 201, answer.text
    return answer.json


@pytest.mark.parametrize("rewinds", [False, True])
@pytest.mark.parametrize("given", [TURN, BANK])
def test_a_turn_that_is_taken_back_goes_on_with_what_was_left_of_it(
    client: FlaskClient, hour: Hour, given: Any, rewinds: bool
) -> None:
    kept, first, second = plain(client, **given)
    for _ in range(3):
        hour.ms += 15_000
        kept.done(END | {"actor": first})
        if rewinds:
            assert kept.post("host", "/rewind", {"to": 1}).status_code == 201
        else:
            undone(kept, first)
    assert clock(kept)[first] == {"deadline": at(60), "timed_out": False}
    assert clock(kept)[second] == {"left_ms": 60_000, "timed_out": False}, "nobody has earned anything"


def test_time_that_is_used_is_used_when_that_turn_comes_again(client: FlaskClient, hour: Hour) -> None:
    kept, first, second = plain(client, **TURN)
    kept.done({**END, "actor": first})
    hour.ms = 40_000
    undone(kept, first)
    kept.done({**END, "actor": first})
    assert clock(kept)[second] == {"deadline": at(60), "timed_out": False}
    while kept.actor == second:
        kept.done(prudent(kept))
    while kept.actor == first:
        kept.done(prudent(kept))
    assert clock(kept)[second] == {"deadline": at(100), "timed_out": False}, "another turn, the whole time"


def test_a_rewind_to_what_was_taken_back_gives_nothing_either(client: FlaskClient, hour: Hour) -> None:
    kept, first, _ = plain(client, **TURN)
    hour.ms = 50_000
    kept.done({**END, "actor": first})
    undone(kept, first)
    hour.ms = 58_000
    for version in (2, 1, 2, 3):
        assert kept.post("host", "/rewind", {"to": version}).status_code == 201
    assert clock(kept)[first] == {"deadline": at(60), "timed_out": False}


def test_an_answer_that_is_taken_back_has_earned_nothing(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd", clock=BANK)
    together(kept)
    before = clock(kept)
    kept.done({**NOTHING, "actor": "bob"})
    undone(kept, "bob")
    assert clock(kept) == before


@pytest.mark.parametrize("given", [TURN, BANK])
def test_to_take_back_what_was_done_for_who_was_late_gives_no_time(
    client: FlaskClient, hour: Hour, given: Any
) -> None:
    kept, first, second = plain(client, **given, on_timeout="automate")
    hour.ms = 60_000
    assert kept.actor == second
    for n in range(3):
        undone(kept, first)
        assert kept.actor == second, "there was nothing left, so the prudent player acts at once"
        assert kept.get("spectator").json["session"]["seats"][first]["automated"]
        assert len(times(kept)) == n + 2
    changed(kept, first, first, "take-back")
    while kept.actor == second:
        kept.done(prudent(kept))
    assert clock(kept)[first]["deadline"] == at(60 + given["seconds" if given == TURN else "increment"])


def test_an_older_session_that_knows_nothing_of_stretches_goes_back(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.sessions import timing

    with monkeypatch.context() as older:
        older.setattr(timing, "marked", lambda entry, about: entry)
        kept, first, _ = plain(client, **TURN)
        kept.done({**END, "actor": first})
    hour.ms = 20_000
    undone(kept, first)
    assert clock(kept)[first] == {"deadline": at(80), "timed_out": False}


# -- together, and chance -----------------------------------------------------------------------------------------


def test_of_those_who_answer_together_everybody_has_his_own_time(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd", clock={**TURN, "on_timeout": "automate"})
    together(kept)
    assert {s for s, c in clock(kept).items() if "deadline" in c} == {"ann", "bob", "cyd"}
    hour.ms = 30_000
    kept.done({**NOTHING, "actor": "bob"})
    assert {s: c.get("deadline") for s, c in clock(kept).items()} == {
        "ann": at(60),
        "bob": None,
        "cyd": at(60),
    }
    hour.ms = 60_000
    kept.get("bob")
    assert [e["seat"] for e in times(kept)] == ["ann", "cyd"]
    assert len({e["version"] for e in times(kept)}) == 1
    assert kept.get("spectator").json["decisions"][0]["kinds"] != ["show"]


def test_while_a_card_is_waited_for_nobodys_time_runs(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, "harbour", chance={"mode": "given"}, clock=TURN)
    hour.ms = 500_000
    assert not [s for s, c in clock(kept).items() if "deadline" in c]
    while kept.actor == "chance":
        who = kept.get("spectator").json["decisions"][0]["answered_by"]["seats"][0]
        assert any(kept.act(filled(option), who).status_code == 201 for option in kept.options(who))
    assert clock(kept)[kept.actor] == {"deadline": at(560), "timed_out": False}


# -- coming by on purpose -----------------------------------------------------------------------------------------


def swept(where: Any) -> int | None:
    """Sweep once, and let automated seats act until none has to."""
    tables = Tables()
    found = sweeping.sweep(where, tables)
    while sweeping.play(where, tables):
        found = where.store.next_planned()
    return found


def test_a_sweep_does_what_is_due_and_tells_when_to_come_again(client: FlaskClient, hour: Hour) -> None:
    one, two = ticking(client, on_timeout="automate"), ticking(client, seconds=90)
    where = desk(one)
    assert swept(where) == NOW * 1000 + 60_000
    assert where.store.read(one.id).version == 1
    hour.ms = 60_000
    assert swept(where) == NOW * 1000 + 90_000
    assert where.store.read(one.id).version > 2, "told, and played on"
    hour.ms = 90_000
    assert swept(where) == NOW * 1000 + 120_000, "bob's time"
    assert where.store.read(two.id).version == 2
    for kept in (one, two):
        kept.client.delete(f"{AT}/{kept.id}", headers=kept.headers("host"))
    hour.ms = 999_000
    assert swept(where) is None, "who is not there is forgotten"


def test_automated_seats_go_on_one_action_at_one_table_after_the_other(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as no_more:
        no_more.setattr(automata.play_on, "__defaults__", (0,))
        tables, own = Tables(), [opened(client) for _ in range(3)]
        for kept in own:
            for seat in ("ann", "bob"):
                changed(kept, "host", seat, "automate")
            desk(kept).store.plan(kept.id, NOW * 1000)
    where, start = desk(own[0]), NOW * 1000

    def versions() -> list[int]:
        return [where.store.read(kept.id).version for kept in own]

    assert sweeping.sweep(where, tables) == start + sweeping.LATER, "should this process go, another goes on"
    assert versions() == [3] * 3
    spread = []
    while sweeping.play(where, tables):
        spread.append(max(versions()) - min(versions()))
    assert spread[:6] == [1, 1, 0] * 2
    assert all(kept.get("spectator").json["outcome"] for kept in own)
    assert where.store.next_planned() is None


def test_clocks_are_looked_at_though_many_tables_play_by_themselves(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automata.play_on, "__defaults__", (0,))
    tables, own = Tables(), [opened(client) for _ in range(5)]
    for kept in own:
        for seat in ("ann", "bob"):
            changed(kept, "host", seat, "automate")
        desk(kept).store.plan(kept.id, NOW * 1000)
    other = ticking(client)
    hour.ms = 60_000
    for _ in range(3):
        sweeping.sweep(desk(other), tables, most=2)
    assert desk(other).store.read(other.id).version == 2
    assert len(tables) == 5


def test_a_process_takes_care_of_so_many_tables_at_a_time(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "TABLES", 1)
    monkeypatch.setattr(automata.play_on, "__defaults__", (0,))
    tables, own = Tables(), [opened(client) for _ in range(2)]
    for kept in own:
        for seat in ("ann", "bob"):
            changed(kept, "host", seat, "automate")
        desk(kept).store.plan(kept.id, NOW * 1000)
    where = desk(own[0])
    assert sweeping.sweep(where, tables) == NOW * 1000 + sweeping.FULL
    while sweeping.play(where, tables):
        pass
    hour.ms = sweeping.FULL
    assert sweeping.sweep(where, tables) == hour.millis() + sweeping.LATER


def test_a_sweep_does_not_hang_on_a_session_that_fails(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = ticking(client), ticking(client)
    sound = sweeping.settled

    def settled(visit: Any) -> Any:
        if visit.session == bad.id:
            raise ValueError("a fault")
        return sound(visit)

    monkeypatch.setattr(sweeping, "settled", settled)
    hour.ms = 60_000
    assert swept(desk(bad)) == NOW * 1000 + 60_000 + sweeping.LATER
    assert desk(good).store.read(good.id).version == 2
    assert "could not be done" in caplog.text


def test_a_sweep_does_not_hang_on_a_session_whose_node_is_lost(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, well = ticking(client), ticking(client)
    where, read = desk(lost), RedisStore.read

    def half(store: RedisStore, session: str, **more: Any) -> Any:
        if session == lost.id:
            raise StoreAway("its node is lost")
        return read(store, session, **more)

    hour.ms = 60_000
    with monkeypatch.context() as patch:
        patch.setattr(RedisStore, "read", half)
        assert swept(where) == where.moment() + sweeping.SOON
    assert where.store.read(well.id).version == 2
    hour.ms += sweeping.SOON
    swept(where)
    assert where.store.read(lost.id).version == 2, "as soon as it is back"


def test_a_session_whose_rules_are_not_here_is_looked_at_rarely_and_without_ado(
    client: FlaskClient, hour: Hour, caplog: pytest.LogCaptureFixture
) -> None:
    kept = ticking(client)
    where = replace(desk(kept), registry=Registry())
    hour.ms = 60_000
    with caplog.at_level("ERROR"):
        assert swept(where) == where.moment() + sweeping.RARELY
    assert not caplog.records


def test_a_seat_that_knows_nothing_to_do_is_not_asked_again_and_again(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = opened(client)
    monkeypatch.setattr(automata, "choices", lambda visit, seat: iter(()))
    changed(kept, "host", "ann", "automate")
    where = desk(kept)
    where.store.plan(kept.id, 1)
    assert swept(where) == where.moment() + sweeping.LATER


def test_a_note_that_gets_lost_loses_no_time_out(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = ticking(client)

    def away(*given: Any) -> None:
        raise StoreAway("away")

    monkeypatch.setattr(desk(kept).store, "plan", away)
    kept.done(END)
    hour.ms = 60_000
    assert kept.get("ann").json["session"]["version"] == 3
    assert [e["seat"] for e in times(kept)] == ["bob"]


def test_a_time_that_is_planned_anew_meanwhile_is_not_lost(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = ticking(client)
    where, sound = desk(kept), sweeping._looked_at

    def looked_at(*given: Any) -> Any:
        found = sound(*given)
        hour.ms += 5_000
        kept.done(END)
        return found

    monkeypatch.setattr(sweeping, "_looked_at", looked_at)
    hour.ms = 60_000
    assert swept(where) == NOW * 1000 + 125_000


# -- secrets ------------------------------------------------------------------------------------------------------


def test_everybody_is_told_the_same_of_clocks_and_seats(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="automate")
    hour.ms = 61_000
    facts = [kept.get(who).json["session"] for who in ("ann", "bob", "host", "dealer", "spectator")]
    assert all(each == facts[0] for each in facts)
