"""Chance that is given: who answers, what may come up as far as he knows, and the one thing that it gives away."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.http.conftest import problem
from tests.http.kept import Kept, filled, opened

GIVEN = {"mode": "given"}


@pytest.fixture
def harbour(app: Flask) -> Kept:
    """Ann draws the first of three cards."""
    return opened(app.test_client(), "harbour", seats="ann bob", chance=GIVEN)


def draw(good: str) -> dict[str, Any]:
    return {"kind": "draw", "actor": "chance", "good": good}


def answer_of(kept: Kept) -> Any:
    (decision,) = kept.get("spectator").json["decisions"]
    return decision["answered_by"]


def test_a_hidden_card_is_answered_by_the_seat_that_sees_it(harbour: Kept) -> None:
    assert answer_of(harbour) == {"seats": ["ann"]}
    for who in ("bob", "host", "dealer", "spectator"):
        problem(harbour.act(draw("ale"), who), 403, "not-yours")
        assert harbour.options(who) == []
    assert [o["good"] for o in harbour.options("ann")] == ["ale", "bread", "cloth", "dye"]
    told = harbour.done(draw("ale"), "ann")
    assert told["view"]["table"]["seats"]["ann"]["hand"] == {"ale": 1}
    assert harbour.get("bob").json["view"]["table"]["seats"]["ann"]["hand"] == 1
    assert "good" not in str(harbour.get("bob", "/record").json["actions"])


def test_public_chance_is_answered_by_host_or_dealer(app: Flask) -> None:
    kept = opened(app.test_client(), "zavandor", chance=GIVEN)
    assert answer_of(kept) == {"roles": ["host", "dealer"]}
    for who in ("ann", "bob", "spectator"):
        problem(
            kept.act({"kind": "deal-character", "actor": "chance", "character": "elf"}, who), 403, "not-yours"
        )
    kept.done({"kind": "deal-character", "actor": "chance", "character": "elf"}, "dealer")
    characters = [o["character"] for o in kept.options("host")]
    assert len(characters) == 5
    assert "elf" not in characters
    broken = problem(
        kept.act({"kind": "deal-character", "actor": "chance", "character": "elf"}, "host"),
        422,
        "illegal-action",
    )
    assert broken["violations"][0]["reason"] == "broken-rule", "everybody sees that it is dealt"


def test_what_may_come_up_is_every_card_that_the_seat_does_not_see(harbour: Kept) -> None:
    """Of six of each good ann has three ales and bob three: she cannot know that none is left."""
    for who in ("ann", "bob"):
        for _ in range(3):
            harbour.done(draw("ale"), who)
    actor = harbour.actor
    trade = {"kind": "trade", "actor": actor, "goods": {"ale": 1}}
    harbour.done(trade)
    mine = [o["good"] for o in harbour.options(actor)]
    assert "ale" in mine
    refused = problem(harbour.act(draw("ale"), actor), 422, "illegal-action")
    (violation,) = refused["violations"]
    assert (violation["reason"], violation["about"]) == ("card-elsewhere", ["/good"])
    assert violation["rule"].endswith("DECK-1")
    assert violation["facts"] == {}, "not where"
    assert violation["message"].startswith("It cannot have come up")
    czech = harbour.act(draw("ale"), actor, Accept_Language="cs").json["violations"][0]["message"]
    assert czech.startswith("To přijít nemohlo")
    harbour.done(draw("dye"), actor)


def test_zavandors_cards_are_of_the_colour_that_is_drawn(app: Flask) -> None:
    kept = opened(app.test_client(), "zavandor", chance=GIVEN)
    while answer_of(kept) == {"roles": ["host", "dealer"]}:
        kept.done(filled(kept.options("dealer")[0]), "dealer")
    (seat,) = answer_of(kept)["seats"]
    cards = [o["card"] for o in kept.options(seat)]
    assert cards
    assert all(card.startswith("blue-") for card in cards)


def test_seeded_chance_asks_nobody(app: Flask) -> None:
    kept = opened(app.test_client(), "harbour")
    assert "chance" not in [d["actor"] for d in kept.get("spectator").json["decisions"]]
    assert kept.get("host", "/record").json["setup"]["chance"] == {"mode": "seeded"}, "the seed is not told"


def test_an_answer_of_chance_is_not_taken_back(harbour: Kept) -> None:
    harbour.done(draw("ale"), "ann")
    refused = problem(harbour.post("ann", "/undo", {}), 422, "undo-refused")
    assert refused["in_the_way"]["why"] == "hidden-came-out"
