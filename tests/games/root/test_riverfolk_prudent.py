"""The prudent player at the Riverfolk's board and as their customer: sensible, and it looks at nothing hidden."""

import random

import pytest

from service.engine.flow import window
from service.engine.judge import judge
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.prudent import decide
from tests.conformance.hidden import variants
from tests.games.root.river import CATS, FOX_POST, MOUSE_POST, OTTER, OTTERS, OWLS, RABBIT_POST, TOD, river
from tests.games.root.table import CAT
from tests.games.root.test_alliance_prudent import prudent_game


def decided(g, seat=OTTER):
    chosen = decide(g.table, seat).to_wire()
    assert judge(RULES, g.state, chosen).legal
    return chosen


def test_it_establishes_a_post_before_all_else():
    g = river({"8": {CATS: 1}, "12": {CATS: 4}}, funds={CATS: 3, OWLS: 1}, hand=["anvil"])
    assert decided(g) == {"kind": "establish", "actor": OTTER, "clearing": "8"}


def test_it_crafts_for_points_with_funds_that_no_post_wants():
    here = {"8": {FOX_POST: 1, CATS: 2}, "9": {CATS: 1}}
    g = river(here, funds={CATS: 1, OWLS: 1}, hand=["anvil"])
    assert decided(g) == {
        "kind": "craft", "actor": OTTER, "card": "anvil", "spaces": {"fox": 1}, "funds": {OWLS: 1},
    }  # fmt: skip


def test_it_leaves_funds_for_dividends():
    here = {
        "7": {MOUSE_POST: 1, OTTERS: 3},
        "5": {RABBIT_POST: 1, OTTERS: 3},
        "11": {MOUSE_POST: 1, OTTERS: 4},
    }
    g = river(here, funds={OTTERS: 2}, hand=["ambush-fox"])
    assert decided(g)["kind"] == "end-phase"


def test_it_loses_the_funds_that_it_wants_least():
    here = {"8": {CATS: 2, FOX_POST: 1}, "9": {CATS: 1}, "3": {"roost": 1, RABBIT_POST: 1}}
    g = river(here, turn=CAT, funds={CATS: 2, OTTERS: 2, OWLS: 2})
    g.fight(CAT, OTTER, "8", 1, 0)
    assert decided(g) == {"kind": "trade-disruption", "actor": OTTER, "funds": {OWLS: 2, OTTERS: 1}}


def test_its_prices_are_prices():
    few, many = ["anvil"], ["anvil", "sappers", "armorers", "cobbler"]
    cheap, dear = (decided(river({}, at="evening", hand=hand))["prices"] for hand in (few, many))
    assert dear["hand-card"] > cheap["hand-card"]


# -- as a customer ------------------------------------------------------------------------------------------------


def test_it_buys_the_card_with_the_most_points():
    g = river({}, turn=CAT, at="turn", hand=["ambush-fox", "crossbow-mouse", "bake-sale"], prices=(1, 4, 4))
    assert decided(g, CAT)["card"] == "bake-sale"


def test_it_does_not_spend_its_last_warriors():
    g = river({"8": {CATS: 22}}, turn=CAT, at="turn", hand=["bake-sale"], prices=(1, 1, 1))
    assert decided(g, CAT)["kind"] == "pass"


def test_it_hires_mercenaries_where_they_would_rule_much():
    here = {c: {OTTERS: 2, OWLS: 1} for c in ("4", "5", "7", "10", "11")}
    g = river(here, turn=CAT, at="turn", prices=(4, 4, 1))
    assert decided(g, CAT)["kind"] == "hire-mercenaries"
    assert (
        decided(river({}, turn=CAT, at="turn", prices=(4, 4, 1), hand=["ambush-fox"]), CAT)["kind"] == "pass"
    )


def test_a_vagabond_pays_with_what_he_has_most_of():
    own = {"track": ["tea"], "satchel-up": ["torch", "boots", "boots", "boots", "sword"]}
    tod = {TOD: {"faction": "vagabond", "pawn": "1", "own": own}}
    g = river({}, turn=TOD, at="turn", others=tod, hand=["bake-sale"], prices=(1, 4, 4))
    assert decided(g, TOD)["items"] == {"boots": 1}


# -- whole games --------------------------------------------------------------------------------------------------

LINES = [("riverfolk", "marquise"), ("riverfolk", "vagabond"), ("marquise", "eyrie", "riverfolk")]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_prudent_games_end(line):
    games = [prudent_game(line, seed) for seed in range(4)]
    scores = [p.score or 0 for g in games for p in g.table.seats.values() if p.faction == "riverfolk"]
    assert max(scores) >= 20


def test_it_decides_by_what_its_seat_sees():
    rng = random.Random(1)
    looked = []

    def watch(t):
        asked = window(t)
        seat = next((s for s, p in t.board.seats.items() if p.faction == "riverfolk"), None)
        if asked is not None and seat in asked.actors:
            for twin in variants(RULES, t.state, seat, rng, 1):
                assert decide(Table(RULES, twin), seat).to_wire() == decide(t, seat).to_wire()
                looked.append(seat)

    prudent_game(LINES[2], 1, watch)
    assert len(looked) > 20
