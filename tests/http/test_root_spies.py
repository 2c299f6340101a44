"""Spies in a session with real cards: who names the order, who sees it, and what can be taken back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.engine.state import encode
from tests.games.root.robot import BOT, FOX, OWL
from tests.games.root.spying import spying
from tests.http.conftest import problem
from tests.http.kept import AT, Kept, kept_app

OTHERS = (FOX, BOT, "host", "dealer", "spectator")


@pytest.fixture
def kept() -> Kept:
    """The Eyrie have played two spies, and the Alliance one."""
    hands = {FOX: {"spies": ["spy-rabbit"], "hand": ["anvil"]}}
    g = spying(spies=["spy-fox", "spy-mouse"], hand=["spy-bird"], more=hands)
    client = kept_app().test_client()
    state = json.loads(encode(g.state))
    state["chance"]["fair"] = False
    opened = client.post(AT, json={"game": "root", "state": state})
    assert opened.status_code == 201, opened.json
    return Kept(client, opened.json)


def row(kept: Kept, who: str) -> Any:
    return kept.get(who).json["view"]["table"]["seats"][BOT]["mechanical_marquise"]["row"]


USE = {"kind": "use-spy", "actor": OWL, "spy": "spy-fox", "position": 2}
LOOK = {"kind": "look-at-order", "actor": "chance", "card": "bake-sale"}
UNSEEN = {"size": 5, "top": []}


@pytest.mark.rule("ROOT-SPY-5", "ROOT-SPY-9", "ROOT-INFO-7", "ROOT-GEN-13")
def test_who_uses_the_spy_names_the_order_and_nobody_else_learns_it(kept: Kept) -> None:
    kept.done(USE)
    (decision,) = kept.get("spectator").json["decisions"]
    assert decision["answered_by"] == {"seats": [OWL]}
    for who in OTHERS:
        problem(kept.act(LOOK, who), 403, "not-yours")
        assert kept.options(who) == []
    found = {o["card"] for o in kept.options(OWL)}
    assert {"bake-sale", "anvil"} <= found, "what the others hold he cannot know"
    assert not found & {"spy-bird", "spy-fox", "spy-rabbit"}
    told = kept.done(LOOK, OWL)
    assert [e["kind"] for e in told["events"]] == ["order-seen"]
    assert row(kept, OWL) == {"size": 5, "top": [], "known": [{"above": 1, "cards": ["bake-sale"]}]}
    for who in OTHERS:
        assert row(kept, who) == UNSEEN
        for path in ("", "/record", "/events"):
            answer = kept.get(who, path)
            assert answer.status_code == 200, path
            assert "bake-sale" not in answer.text, (who, path)


@pytest.mark.rule("ROOT-SPY-5", "ROOT-INFO-2")
def test_what_another_holds_lies_elsewhere(kept: Kept) -> None:
    kept.done(USE)
    refused = problem(kept.act({**LOOK, "card": "anvil"}, OWL), 422, "illegal-action")
    assert [v["reason"] for v in refused["violations"]] == ["card-elsewhere"]
    assert FOX not in str(refused["violations"])


@pytest.mark.rule("ROOT-SPY-8", "ROOT-SPY-9")
def test_the_swap_is_public_and_the_order_that_moved_is_not(kept: Kept) -> None:
    kept.done(USE)
    kept.done(LOOK, OWL)
    told = kept.done({"kind": "swap", "actor": OWL, "i": 2, "j": 1})
    assert told["events"][0]["text"] == f"{OWL} swaps orders 2 and 1."
    assert row(kept, OWL) == {"size": 5, "top": ["bake-sale"]}
    assert {str(row(kept, who)) for who in OTHERS} == {str(UNSEEN)}
    swapped = [e for e in kept.get("spectator", "/events").json["events"] if e["kind"] == "swapped"]
    assert [(e["i"], e["j"]) for e in swapped] == [(2, 1)]


@pytest.mark.rule("ROOT-SPY-6", "ROOT-SPY-9")
def test_the_spy_that_is_discarded_is_seen_by_all_and_the_order_by_one(kept: Kept) -> None:
    kept.done({**USE, "spy": "spy-mouse"})
    kept.done({**LOOK, "card": "investments"}, OWL)
    for who in OTHERS:
        table = kept.get(who).json["view"]["table"]
        assert (table["seats"][OWL]["spies"], table["available"]) == (["spy-fox"], {"spy-mouse": 1})
        assert row(kept, who) == UNSEEN
        assert "investments" not in kept.get(who, "/events").text


@pytest.mark.rule("ROOT-SPY-9")
def test_a_look_is_not_taken_back_and_a_swap_is(kept: Kept) -> None:
    kept.done(USE)
    assert kept.post(OWL, "/undo", {}).status_code == 201, "nothing has been seen yet"
    kept.done(USE)
    kept.done(LOOK, OWL)
    refused = problem(kept.post(OWL, "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"]["why"] == "hidden-came-out"
    kept.done({"kind": "swap", "actor": OWL, "i": 2, "j": 1})
    undone = kept.post(OWL, "/undo", {})
    assert undone.status_code == 201, undone.text
    assert row(kept, OWL) == {"size": 5, "top": [], "known": [{"above": 1, "cards": ["bake-sale"]}]}
