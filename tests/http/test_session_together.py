"""Simultaneous windows: the version that opened one stays good for those who have still to answer."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from flask import Flask

from tests.http.conftest import problem
from tests.http.kept import Kept, filled, opened


@pytest.fixture
def showing(app: Flask) -> Kept:
    """A game in which all three have to show something."""
    kept = opened(app.test_client(), "harbour", seats="ann bob cyd")
    while (decisions := kept.get("spectator").json["decisions"])[0]["kinds"] != ["show"]:
        kept.done({"kind": "end-turn", "actor": decisions[0]["actor"]})
    return kept


def show(kept: Kept, who: str, version: int | None = None, what: str = "nothing", **more: str) -> Any:
    return kept.act({"kind": "show", "actor": who, "good": what}, version=version, **more)


def test_the_opening_version_is_good_for_all_who_wait(showing: Kept) -> None:
    opened_at = showing.version
    for n, who in enumerate(("cyd", "ann", "bob"), 1):
        answer = show(showing, who, opened_at)
        assert answer.status_code == 201, answer.text
        assert answer.json["session"]["version"] == opened_at + n
    assert showing.get("spectator").json["decisions"][0]["kinds"] != ["show"]


def test_an_answer_lies_sealed_until_the_last(showing: Kept) -> None:
    mine = next(iter(showing.get("ann").json["view"]["table"]["seats"]["ann"]["hand"]))
    assert show(showing, "ann", what=mine).json["events"] == []
    assert showing.get("ann").json["view"]["stack"][0]["sealed"] == {"ann": {"kind": "show", "good": mine}}
    for who in ("bob", "spectator", "host"):
        assert showing.get(who).json["view"]["stack"][0]["sealed"] == {"ann": None}
        assert "show" not in [a["kind"] for a in showing.get(who, "/record").json["actions"]]
    assert showing.get("ann", "/record").json["actions"][-1]["good"] == mine


def test_who_has_answered_needs_the_version_that_is(showing: Kept) -> None:
    at = showing.version
    show(showing, "ann", at)
    problem(show(showing, "ann", at), 412, "stale-version")
    twice = problem(show(showing, "ann", at + 1), 422, "illegal-action")
    assert twice["violations"][0]["reason"] == "not-your-decision"


def test_a_version_before_the_window_is_stale(showing: Kept) -> None:
    at = showing.version
    show(showing, "ann", at)
    problem(show(showing, "bob", at - 1), 412, "stale-version")
    problem(show(showing, "bob", at + 5), 412, "stale-version")
    assert show(showing, "bob", at + 1).status_code == 201


def test_the_window_before_is_stale_when_the_next_one_has_opened(showing: Kept) -> None:
    before = showing.version
    for who in ("ann", "bob", "cyd"):
        show(showing, who, before)
    while (decisions := showing.get("spectator").json["decisions"])[0]["kinds"] != ["show"]:
        showing.done({"kind": "end-turn", "actor": decisions[0]["actor"]})
    problem(show(showing, "ann", before), 412, "stale-version")


def test_all_answer_at_the_same_moment(showing: Kept) -> None:
    at, answers = showing.version, []
    start = threading.Barrier(3)

    def answer(who: str) -> None:
        mine = Kept(showing.client.application.test_client(), showing.opened)
        start.wait()
        answers.append(show(mine, who, at).status_code)

    threads = [threading.Thread(target=answer, args=(who,)) for who in ("ann", "bob", "cyd")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [201, 201, 201]
    assert showing.version == at + 3


def test_when_an_answer_is_taken_back_the_window_opens_anew(showing: Kept) -> None:
    """What was sent for the window as it was must not come after all: not the answer that was taken back, either."""
    at = showing.version
    first = show(showing, "ann", at, Idempotency_Key="k")
    again_at = showing.post("ann", "/undo", {}).json["session"]["version"]
    problem(show(showing, "ann", at), 412, "stale-version")
    assert show(showing, "ann", at, Idempotency_Key="k").data == first.data, "what it was answered, no more"
    assert showing.get("ann").json["view"]["stack"][0]["sealed"] == {}
    problem(show(showing, "bob", at), 412, "stale-version")
    for who in ("bob", "ann", "cyd"):
        assert show(showing, who, again_at).status_code == 201


def test_a_sealed_answer_is_taken_back_while_nobody_else_has_answered(showing: Kept) -> None:
    show(showing, "ann")
    back = showing.post("ann", "/undo", {})
    assert back.json["view"]["stack"][0]["sealed"] == {}
    show(showing, "ann")
    show(showing, "bob")
    refused = problem(showing.post("ann", "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"]["actor"] == "bob"


# -- dragons chosen in secret -----------------------------------------------------------------------------------


def choice(kept: Kept, who: str) -> Any:
    """The last of the dragons that a seat may choose."""
    return kept.options(who)[-1]


@pytest.fixture
def choosing(app: Flask) -> Kept:
    """Three have drafted their tiles and have each three dragons to choose from."""
    options = {"variant": "dragonlord", "length": "short"}
    kept = opened(app.test_client(), "simurgh", seats="ann bob cyd", options=options)
    while (decisions := kept.get("spectator").json["decisions"])[0]["kinds"] != ["choose-dragon"]:
        kept.done(filled(kept.options(decisions[0]["actor"])[0]))
    return kept


@pytest.mark.rule("SIM-DL-6", "SIM-INFO-4")
def test_dragons_are_chosen_in_secret_and_come_out_together(choosing: Kept) -> None:
    at, chosen = choosing.version, {}
    for n, who in enumerate(("cyd", "ann", "bob"), 1):
        for other in ("ann", "bob", "cyd", "spectator", "host"):
            players = choosing.get(other).json["view"]["table"]["seats"]
            assert all(p["dragons"] == [] for p in players.values())
            assert [s for s, p in players.items() if isinstance(p["looked_at"], list)] == (
                [other] if other in players else []
            )
        action = filled(choice(choosing, who))
        chosen[who] = action["dragon"]
        answer = choosing.act(action, version=at)
        assert answer.status_code == 201, answer.text
        assert answer.json["session"]["version"] == at + n
        told = choosing.get("ann" if who != "ann" else "bob", f"/events?after={at + n - 1}").json
        assert n == 3 or chosen[who] not in str(told), "what lies sealed is told to nobody else"
    players = choosing.get("spectator").json["view"]["table"]["seats"]
    assert {s: p["dragons"] for s, p in players.items()} == {s: [d] for s, d in chosen.items()}
    assert {s: sorted(p["markers"]) for s, p in players.items()} == {
        s: [f"{d}-{n}" for n in (1, 2, 3)] for s, d in chosen.items()
    }


@pytest.mark.rule("SIM-DL-6")
def test_nobody_chooses_twice_or_what_another_was_dealt(choosing: Kept) -> None:
    mine, foreign = filled(choice(choosing, "ann")), filled(choice(choosing, "bob"))
    refused = problem(choosing.act({**foreign, "actor": "ann"}), 422, "illegal-action")
    assert [(v["reason"], v["rule"]) for v in refused["violations"]] == [("unknown-value", "SIM-DL-6")]
    choosing.done(mine)
    again = problem(choosing.act(mine), 422, "illegal-action")
    assert again["violations"][0]["reason"] == "not-your-decision"
