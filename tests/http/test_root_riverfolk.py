"""The Riverfolk at a real table: cards for the open hand are answered in the open, and everyone sees what is bought."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.engine.state import encode
from tests.games.root.river import OTTER, OTTERS, river
from tests.games.root.table import CAT, OWL
from tests.http.conftest import problem
from tests.http.kept import AT, Kept, kept_app
from tests.http.test_root_given import FORBIDDEN, PUBLIC, answered_by, chance

SEATS = {"cat": "marquise", "otter": "riverfolk"}


@pytest.fixture
def kept() -> Kept:
    """A session of two, cards and dice on the table; the Marquise begins."""
    seats = [{"id": s, "faction": faction} for s, faction in SEATS.items()]
    setup = {"game": "root", "seats": seats, "options": {"seating": "listed"}, "chance": {"mode": "given"}}
    client = kept_app().test_client()
    found = Kept(client, client.post(AT, json=setup).json)
    found.done(chance("draw-seat", seat="cat"), "dealer")
    return found


@pytest.mark.rule("ROOT-RIVER-2", "ROOT-INFO-3", "ROOT-RIVER-15", "ROOT-GEN-13")
def test_the_open_hand_is_dealt_by_the_dealer_and_sold_in_the_open(kept: Kept) -> None:
    for card in ("anvil", "sappers", "cobbler"):
        kept.done(chance("draw-card", card=card), "cat")
    assert answered_by(kept) == PUBLIC
    problem(kept.act(chance("draw-card", card="armorers"), "otter"), *FORBIDDEN)
    for card in ("armorers", "bake-sale", "codebreakers"):
        kept.done(chance("draw-card", card=card), "dealer")
    for who in ("cat", "otter", "spectator"):
        seen = kept.get(who).json["view"]["table"]["seats"]["otter"]["riverfolk"]
        assert seen["hand"] == {"armorers": 1, "bake-sale": 1, "codebreakers": 1}
    corner = {"keep": "1", "sawmill": "1", "workshop": "5", "recruiter": "9"}
    kept.done({"kind": "setup-marquise", "actor": "cat", **corner})
    prices = {"hand-card": 1, "riverboats": 1, "mercenaries": 1}
    kept.done({"kind": "setup-riverfolk", "actor": "otter", "warriors": {"5": 4}, "prices": prices})
    told = kept.done({"kind": "buy-card", "actor": "cat", "card": "bake-sale"})
    assert "cat buys Bake Sale from otter." in [e["text"] for e in told["events"]]
    seats = kept.get("spectator").json["view"]["table"]["seats"]
    assert (seats["cat"]["hand"], seats["otter"]["riverfolk"]["hand"]) == (
        4,
        {"armorers": 1, "codebreakers": 1},
    )
    assert seats["otter"]["riverfolk"]["payments"] == {"marquise-warrior": 1, "riverfolk-warrior": 3}


def robbery(source: str, **held: Any) -> Kept:
    """A session with real cards in which `stand-and-deliver` has just been played against `source`."""
    seat = CAT if source == OTTER else OTTER
    robber = {"crafted": ["stand-and-deliver"]}
    more = (
        {"cat": robber, "hand": held["hand"]}
        if source == OTTER
        else {"cat": {"hand": held["hand"]}, **robber}
    )
    g = river({"5": {OTTERS: 1}}, turn=seat, at="turn", **more)
    while "pass" in g.kinds:
        g.play(seat, "pass")
    g.play(seat, "stand-and-deliver", player=source)
    state = json.loads(encode(g.state))
    state["chance"] = {**state["chance"], "mode": "given", "fair": False}
    client = kept_app().test_client()
    return Kept(client, client.post(AT, json={"game": "root", "state": state}).json)


@pytest.mark.rule("ROOT-FX-6", "ROOT-GEN-13", "ROOT-INFO-2", "ROOT-INFO-3")
def test_a_card_of_a_hidden_hand_is_named_by_whose_it_is_though_it_comes_into_the_open() -> None:
    kept = robbery(CAT, hand=["anvil", "cobbler"])
    (decision,) = kept.get("spectator").json["decisions"]
    assert decision["answered_by"] == {"seats": [CAT]}
    act = {"kind": "random-card", "actor": "chance", "card": "sappers"}
    for who in (OTTER, OWL, "host", "dealer", "spectator"):
        problem(kept.act(act, who), 403, "not-yours")
        assert [o for o in kept.options(who) if o["kind"] == "random-card"] == []
    assert [o["card"] for o in kept.options(CAT)] == ["anvil", "cobbler"]
    told = kept.done({**act, "card": "anvil"}, CAT)
    assert told["view"]["table"]["seats"][OTTER]["riverfolk"]["hand"] == {"anvil": 1}


@pytest.mark.rule("ROOT-FX-6", "ROOT-INFO-3")
def test_a_card_of_the_open_hand_is_named_by_the_dealer_among_those_that_all_see() -> None:
    kept = robbery(OTTER, hand=["anvil"])
    assert kept.get("spectator").json["decisions"][0]["answered_by"] == {"roles": ["host", "dealer"]}
    assert [o["card"] for o in kept.options("dealer")] == ["anvil"]
