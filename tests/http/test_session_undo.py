"""Undo and rewind: what may be taken back, what stands in the way, and that nothing is lost by it."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.http.conftest import problem
from tests.http.kept import AT, Kept, filled, opened

END = {"kind": "end-turn", "actor": "ann"}


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def zavandor(client: FlaskClient) -> Kept:
    return opened(client, "zavandor", seats="ann bob cyd", chance={"seed": "7"})


def turn(kept: Kept, kind: str, **wanted: Any) -> dict[str, Any]:
    """The first option of this kind that fits."""
    found = [filled(o) for o in kept.options(kept.actor) if o["kind"] == kind]
    return next(o for o in found if all(o[k] == v for k, v in wanted.items()))


def test_what_only_concerns_oneself_is_taken_back(zavandor: Kept) -> None:
    actor = zavandor.actor
    before = zavandor.get(actor).json["view"]
    action = turn(zavandor, "sell-gems")
    zavandor.done(action)
    answer = zavandor.post(actor, "/undo", {})
    assert answer.status_code == 201
    assert answer.json["session"]["version"] == 3
    assert answer.json["view"] == before
    assert answer.json["events"] == []
    assert zavandor.done(action)["session"]["version"] == 4


def test_no_body_is_needed(zavandor: Kept) -> None:
    actor = zavandor.actor
    zavandor.done(turn(zavandor, "sell-gems"))
    headers = zavandor.headers(actor, If_Match='"2"')
    assert zavandor.client.post(f"/v1/sessions/{zavandor.id}/undo", headers=headers).status_code == 201


def test_one_after_another_is_taken_back(zavandor: Kept) -> None:
    actor = zavandor.actor
    zavandor.done(turn(zavandor, "sell-gems"))
    zavandor.done(turn(zavandor, "move-gem"))
    for n in (2, 1):
        assert zavandor.post(actor, "/undo", {}).json["view"]["turn"] == n - 1
    refused = problem(zavandor.post(actor, "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"] == {"why": "nothing-to-undo"}


def test_the_log_remembers_it_and_the_record_does_not(zavandor: Kept) -> None:
    actor = zavandor.actor
    zavandor.done(turn(zavandor, "sell-gems"))
    zavandor.post(actor, "/undo", {})
    zavandor.done({"kind": "end-turn", "actor": actor})
    told = zavandor.get("spectator", "/events?after=1", Accept_Language="cs").json["events"]
    assert {e["version"] for e in told} == {2, 3, 4}
    (undone,) = [e for e in told if e["kind"] == "undo"]
    assert (undone["by"], undone["to"]) == ({"seat": actor}, 1)
    assert undone["text"] == f"{actor} bere poslední akci zpět: vše je jako ve verzi 1."
    record = zavandor.get("spectator", "/record").json["actions"]
    assert [a["kind"] for a in record if a["actor"] != "chance"] == ["end-turn"]


def test_a_card_that_was_shown_stands_in_the_way(client: FlaskClient) -> None:
    kept = opened(client)
    kept.done({"kind": "throw", "actor": "ann", "cards": {"plum": 1}})
    refused = problem(kept.post("ann", "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"]["why"] == "hidden-came-out"
    assert refused["in_the_way"]["version"] == 2
    assert refused["in_the_way"]["event"]["what"] == {"plum": 1}
    assert "version 2" in refused["detail"]
    assert kept.version == 2


def test_a_draw_stands_in_the_way_as_far_as_it_may_be_seen(client: FlaskClient) -> None:
    kept = opened(client)
    kept.done(END)
    refused = problem(kept.post("ann", "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"]["event"]["what"] == 1, "what bob drew is not told"


def test_another_who_acted_stands_in_the_way(zavandor: Kept) -> None:
    first = zavandor.actor
    zavandor.done({"kind": "end-turn", "actor": first})
    second = zavandor.actor
    zavandor.done(turn(zavandor, "sell-gems"))
    refused = problem(zavandor.post(first, "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"] == {"why": "another-acted", "version": 3, "actor": second}
    zavandor.post(second, "/undo", {})
    assert zavandor.post(first, "/undo", {}).status_code == 201, "he has taken it back himself"


def test_what_is_refused_calls_seats_by_their_names(client: FlaskClient) -> None:
    seats = [{"id": "s1", "name": "Ann"}, {"id": "s2", "name": "Bob"}]
    answer = client.post(AT, json={"game": "zavandor", "seats": seats, "chance": {"seed": "7"}})
    kept = Kept(client, answer.json)
    first = kept.actor
    kept.done({"kind": "end-turn", "actor": first})
    second = kept.actor
    kept.done(turn(kept, "sell-gems"))
    refused = problem(kept.post(first, "/undo", {}), 422, "undo-refused")
    name = {s["id"]: s["name"] for s in seats}[second]
    assert refused["detail"] == f"Since then another has acted (version 3): {name}."
    assert refused["in_the_way"]["actor"] == second


@pytest.fixture
def roles(client: FlaskClient) -> Kept:
    """A table whose seats are called as roles are."""
    return opened(client, "zavandor", seats="host dealer spectator")


def test_a_seat_called_host_is_not_the_host(roles: Kept) -> None:
    actor = roles.actor
    roles.done(turn(roles, "sell-gems"))
    roles.post("role:host", "/rewind", {"to": 1})
    refused = problem(roles.post("host", "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"] == {"why": "nothing-to-undo"}, "it was the host who went back"
    roles.done(turn(roles, "sell-gems"))
    others = [seat for seat in ("host", "dealer", "spectator") if seat != actor]
    for who in others:
        problem(roles.post(who, "/undo", {}), 422, "undo-refused")
    assert roles.post(actor, "/undo", {}).status_code == 201
    told = roles.get("role:spectator", "/events?after=2").json["events"]
    assert [e["by"] for e in told if e["kind"] in ("undo", "rewind")] == [{"role": "host"}, {"seat": actor}]


def test_a_dealer_who_answers_is_no_seat_called_dealer(client: FlaskClient) -> None:
    kept = opened(client, "zavandor", seats="host dealer", chance={"mode": "given"})
    kept.done({"kind": "deal-character", "actor": "chance", "character": "elf"}, "role:dealer")
    refused = problem(kept.post("dealer", "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"] == {"why": "nothing-to-undo"}


def test_the_log_of_a_record_tells_roles_and_seats_apart(client: FlaskClient) -> None:
    kept = opened(client, seats="host bob")
    kept.done({**END, "actor": "host"})
    kept.post("role:host", "/rewind", {"to": 1})
    while not kept.get("role:spectator").json["outcome"]:
        kept.done({**END, "actor": kept.actor})
    log = kept.get("role:host", "/record").json["log"]
    told = [(entry["kind"], entry["by"]) for entry in log[:4]]
    assert told == [
        ("open", {"role": "host"}),
        ("act", {"seat": "host"}),
        ("rewind", {"role": "host"}),
        ("act", {"seat": "host"}),
    ]


def test_who_wins_an_auction_could_pay_and_that_has_come_out(zavandor: Kept) -> None:
    zavandor.done(turn(zavandor, "start-auction"))
    last = ""
    while any("pass" in d["kinds"] for d in zavandor.get("spectator").json["decisions"]):
        last = zavandor.actor
        zavandor.done({"kind": "pass", "actor": last})
    refused = problem(zavandor.post(last, "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"]["event"]["kind"] in ("auction-won", "curse-strikes")


def test_undo_is_for_seats_and_names_its_version(zavandor: Kept) -> None:
    actor = zavandor.actor
    zavandor.done(turn(zavandor, "sell-gems"))
    for who in ("host", "dealer", "spectator"):
        problem(zavandor.post(who, "/undo", {}), 403, "not-allowed")
    problem(zavandor.post(actor, "/undo", {}, version=1), 412, "stale-version")
    problem(zavandor.post(actor, "/undo", {}, If_Match=""), 428, "version-missing")
    problem(zavandor.post(actor, "/undo", {"x": 1}), 400, "off-schema")
    first = zavandor.post(actor, "/undo", {}, version=2, Idempotency_Key="u")
    assert zavandor.post(actor, "/undo", {}, version=2, Idempotency_Key="u").data == first.data


# -- rewind -----------------------------------------------------------------------------------------------------


def test_the_host_goes_back_and_the_log_says_so(client: FlaskClient) -> None:
    kept = opened(client)
    first = kept.get("ann").json["view"]
    kept.done(END)
    kept.done({**END, "actor": "bob"})
    answer = kept.post("host", "/rewind", {"to": 1})
    assert answer.status_code == 201
    assert answer.json["session"]["version"] == 4
    assert kept.get("ann").json["view"] == first
    told = kept.get("bob", "/events").json["events"]
    assert {e["version"] for e in told} == {1, 2, 3, 4}, "nothing is deleted"
    assert told[-1] == {
        "version": 4,
        "kind": "rewind",
        "by": {"role": "host"},
        "to": 1,
        "text": "The host goes back to version 1.",
    }
    again = kept.post("host", "/rewind", {"to": 3})
    assert [d["actor"] for d in again.json["decisions"]] == ["ann"], (
        "also forward again, to what was taken back"
    )


def test_no_draw_comes_again(app: Flask, client: FlaskClient) -> None:
    """The state's counter goes on, so that what comes up next is not what is known already."""
    drawn = []
    for n in range(8):
        kept = opened(client, chance={"seed": f"seed {n}"})
        held = app.extensions["arbitr"]
        counts, hands = [], []
        for _ in range(6):
            kept.done(END)
            hands.append(str(kept.get("bob").json["view"]["table"]["seats"]["bob"]["hand"]))
            stored = held.store.read(kept.id)
            import zlib

            import msgspec

            counts.append(msgspec.json.decode(zlib.decompress(stored.state))["chance"]["next_draw"])
            kept.post("host", "/rewind", {"to": 1})
        assert counts == sorted(set(counts)), "it never goes back"
        drawn.append(len(set(hands)))
    assert max(drawn) > 1


def test_rewinding_is_for_the_host_and_goes_back(client: FlaskClient) -> None:
    kept = opened(client)
    kept.done(END)
    for who in ("ann", "dealer", "spectator"):
        problem(kept.post(who, "/rewind", {"to": 1}), 403, "not-allowed")
    for to in (2, 3):
        problem(kept.post("host", "/rewind", {"to": to}), 422, "no-such-version")
    for body in ({"to": 0}, {"to": "1"}, {}, {"to": 1, "x": 1}):
        problem(kept.post("host", "/rewind", body), 400, "off-schema")
    assert kept.version == 2


def test_the_record_of_a_game_with_rewinds_holds_what_stands(client: FlaskClient) -> None:
    kept = opened(client)
    kept.done(END)
    kept.post("host", "/rewind", {"to": 1})
    while not kept.get("spectator").json["outcome"]:
        kept.done({**END, "actor": kept.actor})
    record = kept.get("host", "/record").json
    assert len([a for a in record["actions"] if a["kind"] == "end-turn"]) == 8
    assert [e["kind"] for e in record["log"]][:3] == ["open", "act", "rewind"]
    assert record["log"][2] == {"version": 3, "kind": "rewind", "by": {"role": "host"}, "to": 1}


def test_every_sentence_is_there_in_both_languages() -> None:
    from string import Formatter

    from service.http.session_wire import words
    from service.sessions import about, clocks, ledger, seating, undoing

    back = {ledger.UNDO, ledger.REWIND, undoing.HIDDEN, undoing.DRAWN, undoing.OTHER, undoing.NOTHING}
    seats = {kind for kind in about.KINDS if kind != about.TIMED_OUT}
    time = {f"{about.TIMED_OUT}-{then}" for then in (clocks.NOTHING, clocks.AUTOMATE, clocks.END)}
    assert set(words()) == back | seats | time | {seating.NO_PLAYER, seating.ALWAYS}
    for texts in words().values():
        fields = [
            {name for _, name, _, _ in Formatter().parse(texts[spoken]) if name} for spoken in ("en", "cs")
        ]
        assert texts.keys() == {"en", "cs"}
        assert fields[0] == fields[1]
