"""Root at a real table: cards are answered by the seat that sees them, dice by host or dealer, and nothing leaks."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.http.conftest import problem
from tests.http.kept import AT, Kept

SEATS = {"cat": "marquise", "owl": "eyrie", "ally": "alliance"}
PUBLIC, FORBIDDEN = {"roles": ["host", "dealer"]}, (403, "not-yours")
HANDS = {
    "cat": ["anvil", "ambush-fox", "sappers"],
    "owl": ["armorers", "ambush-rabbit", "bake-sale"],
    "ally": ["cobbler", "codebreakers", "root-tea-fox"],
}
SUPPORTERS = ["ambush-bird", "investments", "sword-mouse"]


@pytest.fixture
def kept(app: Flask) -> Kept:
    """A session of three, cards and dice on the table."""
    seats = [{"id": s, "faction": faction} for s, faction in SEATS.items()]
    setup = {"game": "root", "seats": seats, "options": {"seating": "listed"}, "chance": {"mode": "given"}}
    client = app.test_client()
    return Kept(client, client.post(AT, json=setup).json)


def answered_by(kept: Kept) -> Any:
    (decision,) = kept.get("spectator").json["decisions"]
    return decision["answered_by"]


def chance(kind: str, **value: Any) -> dict[str, Any]:
    return {"kind": kind, "actor": "chance", **value}


def dealt(kept: Kept) -> Kept:
    """Seats, hands, and what the Marquise and the Eyrie decide, up to the Alliance's supporters."""
    kept.done(chance("draw-seat", seat="cat"), "dealer")
    for seat, hand in HANDS.items():
        for card in hand:
            kept.done(chance("draw-card", card=card), seat)
    kept.done(
        {
            "kind": "setup-marquise",
            "actor": "cat",
            "keep": "1",
            "sawmill": "1",
            "workshop": "5",
            "recruiter": "9",
        }
    )
    kept.done({"kind": "setup-eyrie", "actor": "owl", "leader": "despot"})
    return kept


def begun(kept: Kept) -> Kept:
    """The first turn begins."""
    dealt(kept)
    for card in SUPPORTERS:
        kept.done(chance("draw-card", card=card), "ally")
    return kept


@pytest.mark.rule("ROOT-GEN-13", "ROOT-SETUP-2", "ROOT-INFO-2", "ROOT-SETUP-4")
def test_a_card_of_a_hand_is_answered_by_its_seat_and_seen_by_nobody_else(kept: Kept) -> None:
    assert answered_by(kept) == PUBLIC
    problem(kept.act(chance("draw-seat", seat="cat"), "cat"), *FORBIDDEN)
    kept.done(chance("draw-seat", seat="cat"), "dealer")
    assert answered_by(kept) == {"seats": ["cat"]}
    for who in ("owl", "host", "dealer", "spectator"):
        problem(kept.act(chance("draw-card", card="anvil"), who), *FORBIDDEN)
    told = kept.done(chance("draw-card", card="anvil"), "cat")
    assert told["view"]["table"]["seats"]["cat"]["hand"] == {"anvil": 1}
    assert kept.get("owl").json["view"]["table"]["seats"]["cat"]["hand"] == 1
    assert "anvil" not in str(kept.get("owl", "/record").json["actions"])


@pytest.mark.rule("ROOT-SETUP-11", "ROOT-INFO-4")
def test_supporters_are_answered_by_the_alliance(kept: Kept) -> None:
    dealt(kept)
    assert answered_by(kept) == {"seats": ["ally"]}
    problem(kept.act(chance("draw-card", card="investments"), "cat"), *FORBIDDEN)
    kept.done(chance("draw-card", card="investments"), "ally")
    for who, stack in {"ally": {"investments": 1}, "cat": 1, "spectator": 1}.items():
        assert kept.get(who).json["view"]["table"]["seats"]["ally"]["alliance"]["supporters"] == stack


@pytest.mark.rule("ROOT-GEN-13", "ROOT-BATTLE-10", "ROOT-BATTLE-4")
def test_dice_are_answered_by_the_dealer_and_ambush_is_asked_of_the_defender(kept: Kept) -> None:
    begun(kept)
    kept.done({"kind": "march", "actor": "cat"})
    for origin in ("11", "7"):
        kept.done({"kind": "move", "actor": "cat", "from": origin, "to": "3", "warriors": 1})
    kept.done({"kind": "battle", "actor": "cat", "clearing": "3", "defender": "owl"})
    assert [d["actor"] for d in kept.get("spectator").json["decisions"]] == ["owl"]
    problem(kept.act({"kind": "play-ambush", "actor": "owl", "card": "ambush-rabbit"}, "cat"), *FORBIDDEN)
    kept.done({"kind": "pass", "actor": "owl"})
    assert answered_by(kept) == PUBLIC
    for who in SEATS:
        problem(kept.act(chance("roll-die", value=3), who), *FORBIDDEN)
    assert [o["value"] for o in kept.options("dealer")] == [0, 1, 2, 3]
    broken = kept.act(chance("roll-die", value=4), "dealer")
    assert broken.status_code in (400, 422), broken.text
    kept.done(chance("roll-die", value=3), "dealer")
    told = kept.done(chance("roll-die", value=1), "host")
    assert "ROOT-BATTLE-10" in [e["because"] for e in told["events"]]
    assert kept.get("cat").json["view"]["table"]["map"]["3"] == {
        "eyrie-warrior": 4,
        "marquise-warrior": 1,
        "roost": 1,
    }


@pytest.mark.rule("ROOT-CARD-6", "ROOT-INFO-8", "ROOT-MARQ-20")
def test_a_card_that_lies_openly_cannot_come_off_the_deck(kept: Kept) -> None:
    begun(kept)
    kept.done({"kind": "overwork", "actor": "cat", "card": "anvil", "clearing": "1"})
    kept.done({"kind": "end-phase", "actor": "cat"})
    assert answered_by(kept) == {"seats": ["cat"]}
    found = {o["card"] for o in kept.options("cat")}
    assert "anvil" not in found, "it lies in the discard pile"
    assert "ambush-rabbit" in found, "that the Eyrie hold it she cannot know"
    refused = problem(kept.act(chance("draw-card", card="ambush-rabbit"), "cat"), 422, "illegal-action")
    assert [v["reason"] for v in refused["violations"]] == ["card-elsewhere"]
    assert "owl" not in str(refused["violations"])
    kept.done(chance("draw-card", card="foxfolk-steel"), "cat")
    assert kept.get("cat").json["view"]["table"]["seats"]["cat"]["hand"] == {
        "ambush-fox": 1, "foxfolk-steel": 1, "sappers": 1,
    }  # fmt: skip
