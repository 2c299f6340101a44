"""Automated seats in sessions: the prudent player acts for them, by the host's word, as far as it is asked."""

from __future__ import annotations

import logging
import random
import threading
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.engine.budget import OutOfTime
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games import REGISTRY
from service.sessions import automata
from service.sessions.acting import commit
from service.sessions.visit import enter
from tests.conformance.hidden import variants
from tests.conformance.subjects import given, spots_of, walk
from tests.conformance.toy import RULES as HARBOUR
from tests.http.conftest import problem
from tests.http.kept import Kept, filled, opened
from tests.http.test_session_seats import changed, claim, seated, seats, told

END = {"kind": "end-turn", "actor": "ann"}


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def visit(kept: Kept, who: str = "spectator") -> Any:
    desk = kept.client.application.extensions["arbitr"].desk
    return enter(desk, kept.id, kept.token(who))


def log(kept: Kept) -> Any:
    from service.sessions import ledger

    return ledger.log_of(visit(kept).desk.store.log(kept.id))


# -- who acts -----------------------------------------------------------------------------------------------------


def test_an_automated_seat_acts_as_soon_as_it_is_asked(kept: Kept) -> None:
    changed(kept, "host", "bob", "automate")
    assert seats(kept)["bob"]["automated"]
    assert kept.version == 2, "it is not asked"
    answer = kept.act(END)
    assert answer.json["session"]["version"] == 3, "the answer is that to the action"
    assert kept.version > 3
    assert kept.actor == "ann"
    assert log(kept)[4].by == {"seat": "bob", "role": "automated"}


def test_it_acts_at_once_where_it_is_asked_already(kept: Kept) -> None:
    changed(kept, "host", "ann", "automate")
    assert log(kept)[3].seat == "ann"
    assert kept.actor == "bob"


def test_what_it_does_is_told_like_everything_else(kept: Kept) -> None:
    changed(kept, "host", "ann", "automate")
    kinds = [e["kind"] for e in told(kept)]
    assert kinds[0] == "seat-automated"
    assert "moved" in kinds


def test_it_goes_on_when_somebody_comes_by(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many actions in one go at most; whoever looks next lets it play on."""
    monkeypatch.setattr(automata.play_on, "__defaults__", (1,))
    changed(kept, "host", "ann", "automate")
    changed(kept, "host", "bob", "automate")
    before = len(log(kept))
    for path in ("", "/options", "/events", "/record", "/seats"):
        assert kept.get("bob", path).status_code == 200
        assert len(log(kept)) == before + 1, path
        before += 1


def test_who_has_the_tag_of_an_older_version_is_told_that_it_went_on(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automata.play_on, "__defaults__", (0,))
    changed(kept, "host", "ann", "automate")
    tag = kept.get("bob").headers["ETag"]
    assert kept.get("bob", If_None_Match=tag).status_code == 304
    monkeypatch.setattr(automata.play_on, "__defaults__", (1,))
    assert kept.get("bob", If_None_Match=tag).status_code == 200
    tag = kept.get("bob").headers["ETag"]
    assert kept.get("bob", If_None_Match=tag).status_code == 304


def test_what_was_done_before_the_time_was_over_is_in_the_answer(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automata.play_on, "__defaults__", (0,))
    changed(kept, "host", "ann", "automate")
    changed(kept, "host", "bob", "automate")
    tag, before, steps = kept.get("host").headers["ETag"], kept.version, []

    def step(*given: Any) -> Any:
        steps.append(given)
        if len(steps) > 2:
            raise OutOfTime
        return commit(*given)

    monkeypatch.setattr(automata.play_on, "__defaults__", (20,))
    monkeypatch.setattr(automata, "commit", step)
    answer = kept.get("host", If_None_Match=tag)
    assert (answer.status_code, answer.json["session"]["version"]) == (200, before + 2)


def test_many_who_come_by_at_once_let_it_act_once(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automata.play_on, "__defaults__", (0,))
    changed(kept, "host", "ann", "automate")
    monkeypatch.setattr(automata.play_on, "__defaults__", (20,))
    start, answers = threading.Barrier(6), []

    def look() -> None:
        mine = Kept(kept.client.application.test_client(), kept.opened)
        start.wait()
        answers.append(mine.get("bob").status_code)

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 6
    assert [e.seat for e in log(kept).values() if e.kind == "act"] == ["ann"] * (kept.version - 2)
    assert kept.actor == "bob"


# -- taking back --------------------------------------------------------------------------------------------------


def test_host_and_holder_take_a_seat_back(kept: Kept) -> None:
    for who in ("host", "bob"):
        changed(kept, "host", "bob", "automate")
        assert not changed(kept, who, "bob", "take-back")["session"]["seats"]["bob"]["automated"]
    kept.done(END)
    assert kept.actor == "bob"


def test_to_do_what_is_so_already_makes_no_version(kept: Kept) -> None:
    assert changed(kept, "host", "bob", "take-back")["session"]["version"] == 1
    assert changed(kept, "host", "bob", "automate")["session"]["version"] == 2
    assert changed(kept, "host", "bob", "automate")["session"]["version"] == 2


def test_who_acts_for_his_seat_has_taken_it_back(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automata.play_on, "__defaults__", (0,))
    changed(kept, "host", "ann", "automate")
    kept.done(END)
    assert not seats(kept)["ann"]["automated"]
    assert told(kept, 2)[-1]["kind"] == "seat-taken-back"
    assert told(kept, 2)[-1]["by"] == {"seat": "ann"}


def test_who_takes_back_what_was_done_for_his_seat_has_taken_it_back_too(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = opened(client, "zavandor")
    actor = kept.actor
    before = kept.get(actor).json["view"]["table"]
    monkeypatch.setattr(automata.play_on, "__defaults__", (1,))
    changed(kept, "host", actor, "automate")
    monkeypatch.setattr(automata.play_on, "__defaults__", (0,))
    assert log(kept)[3].proposed[0]["kind"] == "buy-gem"
    back = kept.post(actor, "/undo", {})
    assert back.status_code == 201, "it is the seat's own"
    assert back.json["view"]["table"] == before
    assert not seats(kept)[actor]["automated"]
    assert [e["kind"] for e in told(kept, 3)] == ["undo", "seat-taken-back"]
    assert kept.actor == actor


def test_who_claims_a_seat_plays_for_himself(kept: Kept) -> None:
    changed(kept, "bob", "bob", "leave")
    changed(kept, "host", "bob", "automate")
    kept.done(END)
    assert kept.actor == "ann"
    token = claim(kept, "bob", changed(kept, "host", "bob", "invite")["invitation"]).json["token"]
    assert not seats(kept)["bob"]["automated"]
    kept.done(END)
    assert kept.actor == "bob"
    seated(kept, "bob", token).done({**END, "actor": "bob"})


def test_what_the_set_up_has_automated_stays_so(client: FlaskClient) -> None:
    given = [{"id": "ann"}, {"id": "bob", "automated": True}]
    answer = client.post("/v1/sessions", json={"game": "toy", "seats": given, "chance": {"seed": "7"}})
    kept = Kept(client, answer.json)
    from tests.http.test_session_seats import change

    found = problem(change(kept, "host", "bob", "take-back"), 422, "seat-refused")
    assert found["why"] == "always-automated"
    assert changed(kept, "host", "bob", "automate")["session"]["version"] == 1


def test_a_game_that_nobody_can_play_for_a_seat(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.http.test_session_seats import change

    monkeypatch.setattr(visit(kept).rules, "prudent", None)
    found = problem(change(kept, "host", "bob", "automate"), 422, "seat-refused")
    assert found["why"] == "no-player"
    assert kept.version == 1


# -- what goes wrong ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["raises", "illegal", "nothing"])
def test_a_player_that_fails_is_in_nobodys_way(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    rules = visit(kept).rules

    class Wrong:
        def to_wire(self) -> Any:
            return {"kind": "end-turn", "actor": "ann", "hat": 1}

    def broken(t: Any, seat: str) -> Any:
        if fault == "raises":
            raise ValueError("a fault")
        return Wrong() if fault == "illegal" else None

    changed(kept, "host", "bob", "automate")
    monkeypatch.setattr(rules, "prudent", broken)
    with caplog.at_level(logging.ERROR):
        assert kept.act(END).status_code == 201
    assert kept.get("ann").status_code == 200
    if fault == "raises":
        assert kept.actor == "bob", "its people have to act"
        assert kept.done({**END, "actor": "bob"})["decisions"][0]["actor"] == "ann"
    else:
        assert kept.actor == "ann" or log(kept)[4].seat == "bob", "the first legal answer does"
    assert bool(caplog.records) == (fault != "nothing")


def test_a_store_that_goes_away_meanwhile_is_in_nobodys_way(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.sessions.store import StoreFull

    changed(kept, "host", "bob", "automate")
    store = visit(kept).desk.store
    sound, calls = store.commit, []

    def commit(*given: Any) -> Any:
        calls.append(given)
        if len(calls) > 1:
            raise StoreFull("no room")
        return sound(*given)

    monkeypatch.setattr(store, "commit", commit)
    assert kept.act(END).status_code == 201
    assert kept.actor == "bob"
    assert len(calls) > 1
    monkeypatch.setattr(store, "commit", sound)
    assert kept.actor == "ann"


# -- simultaneous windows -----------------------------------------------------------------------------------------


def test_it_answers_in_a_simultaneous_window_and_the_others_are_still_in_time(client: FlaskClient) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd")
    while (decisions := kept.get("spectator").json["decisions"])[0]["kinds"] != ["show"]:
        kept.done({"kind": "end-turn", "actor": decisions[0]["actor"]})
    at = kept.version
    changed(kept, "host", "bob", "automate")
    assert list(kept.get("ann").json["view"]["stack"][0]["sealed"].items()) == [("bob", None)]
    for who in ("cyd", "ann"):
        assert kept.act({"kind": "show", "actor": who, "good": "nothing"}, version=at).status_code == 201
    assert kept.get("spectator").json["decisions"][0]["kinds"] != ["show"]


# -- whole games --------------------------------------------------------------------------------------------------

LINES = {
    "zavandor": [{"id": "ann"}, {"id": "bob"}],
    "simurgh": [{"id": "ann"}, {"id": "bob"}],
    "root": [{"id": "ann", "faction": "marquise"}, {"id": "bob", "faction": "eyrie"}],
    "harbour": [{"id": "ann"}, {"id": "bob"}],
}


@pytest.mark.parametrize("game", LINES)
def test_a_game_of_automated_seats_alone_comes_to_its_end_and_its_record_holds(
    client: FlaskClient, game: str
) -> None:
    options = {"options": {"length": "short"}} if game == "simurgh" else {}
    body = {"game": game, "seats": LINES[game], "chance": {"seed": "7"}, "invitations": True, **options}
    answer = client.post("/v1/sessions", json=body)
    assert answer.status_code == 201, answer.text
    kept = Kept(client, answer.json)
    for seat in ("ann", "bob"):
        changed(kept, "host", seat, "automate")
    looked = 0
    while not kept.get("spectator").json["outcome"]:
        looked += 1
        assert looked < 500
    record = kept.get("host", "/record").json
    assert record["complete"]
    assert {e["kind"] for e in record["log"]} == {"open", "act", "seats"}
    found = client.post(f"/v1/games/{game}/verifications", json={"record": record}).json
    assert (found["verdict"], found["draws"], found["digest"]) == ("valid", "match", record["digest"])


def test_where_chance_is_given_it_goes_on_as_far_as_none_is_needed(client: FlaskClient) -> None:
    kept = opened(client, "zavandor", chance={"mode": "given"})
    for seat in ("ann", "bob"):
        changed(kept, "host", seat, "automate")
    acted = 0
    for _ in range(400):
        seen = kept.get("dealer").json
        (decision,) = seen["decisions"]
        assert decision["actor"] == CHANCE, "nobody else is waited for"
        before = kept.version
        assert any(kept.act(filled(option), "dealer").status_code == 201 for option in kept.options("dealer"))
        acted += kept.version > before + 1
        if acted > 8:
            return
    raise AssertionError("the automated seats do nothing")


# -- secrets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [HARBOUR, *REGISTRY], ids=lambda rules: rules.game)
def test_what_a_seat_cannot_see_does_not_change_what_is_done_for_it(rules: Any) -> None:
    """Law 2: in every state that looks the same to the seat, the prudent player does the same."""
    rng, compared = random.Random(11), 0
    plies = [walk(rules, seed, manner) for seed in (4, 5) for manner in ("random", "prudent")]
    for spot in spots_of(plies, 60, rng):
        state = given(spot.state)
        at = _Watched(rules, state)
        for seat in at.window.actors if at.window is not None else ():
            if seat == CHANCE:
                continue
            chosen = list(automata.choices(at, seat))
            assert chosen
            for twin in variants(rules, state, seat, rng, 2):
                assert list(automata.choices(_Watched(rules, twin), seat)) == chosen, (spot, seat)
                compared += 1
    assert compared > 30


class _Watched:
    """What the choice is made of: rules and table."""

    def __init__(self, rules: Any, state: Any) -> None:
        from service.engine.flow import window

        self.rules, self.table = rules, Table(rules, state)
        self.window = window(self.table)
