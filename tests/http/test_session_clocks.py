"""Clocks of sessions: when time is up, who finds it out, and what comes of it."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.sessions import attending, automata
from service.sessions.redis_store import RedisStore
from service.sessions.store import StoreAway
from tests.http.conftest import begin, faults, problem
from tests.http.kept import AT, NOW, Kept, filled, opened
from tests.http.test_session_seats import change, changed, claim, seated, told
from tests.sessions.stores import imitation

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


# -- together, and chance -----------------------------------------------------------------------------------------


def test_of_those_who_answer_together_everybody_has_his_own_time(client: FlaskClient, hour: Hour) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd", clock={**TURN, "on_timeout": "automate"})
    while (decisions := kept.get("spectator").json["decisions"])[0]["kinds"] != ["show"]:
        kept.done({"kind": "end-turn", "actor": decisions[0]["actor"]})
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


def test_a_sweep_does_what_is_due_and_tells_when_to_come_again(client: FlaskClient, hour: Hour) -> None:
    one, two = ticking(client, on_timeout="automate"), ticking(client, seconds=90)
    where = desk(one)
    assert attending.sweep(where) == NOW * 1000 + 60_000
    assert where.store.read(one.id).version == 1
    hour.ms = 60_000
    assert attending.sweep(where) == NOW * 1000 + 90_000
    assert where.store.read(one.id).version > 2, "told, and played on"
    hour.ms = 90_000
    assert attending.sweep(where) == NOW * 1000 + 120_000, "bob's time"
    assert where.store.read(two.id).version == 2
    for kept in (one, two):
        kept.client.delete(f"{AT}/{kept.id}", headers=kept.headers("host"))
    hour.ms = 999_000
    assert attending.sweep(where) is None, "who is not there is forgotten"


def test_a_sweep_lets_automated_seats_go_on(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = opened(client)
    monkeypatch.setattr(automata.play_on, "__defaults__", (1,))
    for seat in ("ann", "bob"):
        changed(kept, "host", seat, "automate")
    where, rounds = desk(kept), 0
    while attending.sweep(where) is not None:
        rounds += 1
        assert rounds < 100
    assert rounds > 3
    assert kept.get("spectator").json["outcome"]


def test_a_sweep_does_not_hang_on_a_session_that_fails(
    client: FlaskClient, hour: Hour, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = ticking(client), ticking(client)
    sound = attending.attend

    def attend(visit: Any) -> Any:
        if visit.session == bad.id:
            raise ValueError("a fault")
        return sound(visit)

    monkeypatch.setattr(attending, "attend", attend)
    hour.ms = 60_000
    assert attending.sweep(desk(bad)) == NOW * 1000 + 60_000 + attending.LATER
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
        assert attending.sweep(where) == where.moment() + attending.SOON
    assert where.store.read(well.id).version == 2
    hour.ms += attending.SOON
    attending.sweep(where)
    assert where.store.read(lost.id).version == 2, "as soon as it is back"


def test_a_seat_that_knows_nothing_to_do_is_not_asked_again_and_again(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = opened(client)
    monkeypatch.setattr(automata, "choices", lambda visit, seat: iter(()))
    changed(kept, "host", "ann", "automate")
    where = desk(kept)
    where.store.plan(kept.id, 1)
    assert attending.sweep(where) == where.moment() + attending.LATER


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
    where, sound = desk(kept), attending._swept

    def swept(*given: Any) -> Any:
        found = sound(*given)
        hour.ms += 5_000
        kept.done(END)
        return found

    monkeypatch.setattr(attending, "_swept", swept)
    hour.ms = 60_000
    assert attending.sweep(where) == NOW * 1000 + 125_000


# -- secrets ------------------------------------------------------------------------------------------------------


def test_everybody_is_told_the_same_of_clocks_and_seats(client: FlaskClient, hour: Hour) -> None:
    kept = ticking(client, on_timeout="automate")
    hour.ms = 61_000
    facts = [kept.get(who).json["session"] for who in ("ann", "bob", "host", "dealer", "spectator")]
    assert all(each == facts[0] for each in facts)
