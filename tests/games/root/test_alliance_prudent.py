"""The prudent player at the Alliance's board: sensible, and it looks at nothing that its seat may not see."""

import random

import pytest

from service.engine.flow import window
from service.engine.judge import judge
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.prudent import decide
from tests.conformance.hidden import variants
from tests.conformance.subjects import draws_of, prudent_action
from tests.games.root.ally import ALLIES, ALLY, CATS, FOXES, MICE, woodland
from tests.games.root.table import CAT, SEATS

S = "sympathy"


def decided(g, seat=ALLY):
    return decide(g.table, seat).to_wire()


def test_it_revolts_where_most_falls_and_keeps_its_birds():
    g = woodland(
        {"8": {S: 1, CATS: 3, "sawmill": 2}, "2": {S: 1}},
        supporters=["anvil", "foxfolk-steel", "sappers", "investments", "sword-mouse"],
    )
    assert decided(g) == {
        "kind": "revolt", "actor": ALLY, "clearing": "8", "supporters": {"anvil": 1, "foxfolk-steel": 1},
    }  # fmt: skip


def test_it_spreads_without_martial_law_where_it_can():
    g = woodland(
        {"8": {S: 1}, "4": {CATS: 3}, "7": {}}, supporters=["bake-sale", "smugglers-trail", "investments"]
    )
    assert decided(g) == {"kind": "spread", "actor": ALLY, "clearing": "7", "supporters": {"investments": 1}}


def test_it_mobilizes_what_is_worth_least_and_not_into_a_full_stack():
    held = ["bake-sale", "travel-gear-fox"]
    assert decided(woodland(at="daylight", hand=held)) == {
        "kind": "mobilize", "actor": ALLY, "card": "travel-gear-fox",
    }  # fmt: skip
    full = ["anvil", "foxfolk-steel", "investments", "sword-mouse", "root-tea-rabbit"]
    assert decided(woodland(at="daylight", hand=held, supporters=full))["kind"] == "end-phase"


def test_it_organizes_with_a_warrior_that_can_be_spared():
    there = {"8": {FOXES: 1, S: 1, ALLIES: 1}, "7": {ALLIES: 1}, "1": {S: 1}}
    assert decided(woodland(there, at="evening", officers=1))["clearing"] == "7"


def test_it_recruits_before_it_leaves_a_base_alone():
    alone = woodland({"2": {MICE: 1, ALLIES: 1}, "8": {S: 1}, "1": {S: 1}}, at="evening", officers=1)
    assert decided(alone) == {"kind": "recruit", "actor": ALLY, "clearing": "2"}


def test_it_moves_a_warrior_to_where_it_can_organize():
    there = {"8": {FOXES: 1, S: 1, ALLIES: 4}, "7": {S: 1}, "1": {S: 1}}
    first = decided(g := woodland(there, at="evening", officers=2))
    assert first == {"kind": "move", "actor": ALLY, "from": "8", "to": "4", "warriors": 1}
    g.play(ALLY, "move", from_="8", to="4", warriors=1)
    assert decided(g) == {"kind": "organize", "actor": ALLY, "clearing": "4"}


def test_whoever_owes_outrage_gives_what_is_worth_least():
    g = woodland(
        {"1": {CATS: 1}, "5": {S: 1}},
        turn=CAT,
        at="daylight",
        cat={"hand": ["bake-sale", "sappers", "smugglers-trail"]},
    )
    g.play(CAT, "march").play(CAT, "move", from_="1", to="5", warriors=1)
    assert decided(g, CAT)["card"] == "smugglers-trail"


def test_it_discards_as_many_supporters_as_it_must():
    seven = [
        "bake-sale", "smugglers-trail", "investments", "sword-mouse", "root-tea-rabbit", "root-tea-mouse",
        "mouse-in-a-sack",
    ]  # fmt: skip
    g = woodland({"8": {CATS: 3, FOXES: 1}}, turn=CAT, at="daylight", supporters=seven)
    chosen = decided(g.fight(CAT, ALLY, "8", 0, 0))
    assert chosen["kind"] == "discard-supporters"
    assert judge(RULES, g.state, chosen).legal


# -- whole games --------------------------------------------------------------------------------------------------

LINES = [("alliance", "marquise"), ("eyrie", "alliance"), ("marquise", "eyrie", "alliance")]


def prudent_game(line, seed, watch=lambda t: None):
    """A game in which everybody is prudent, to its end."""
    seats = [SetupSeat(s, choice={"faction": f}) for s, f in zip(SEATS, line, strict=False)]
    state = start(RULES, Setup(seats, f"prudent-{seed}", ChanceState(mode="given")), draws_of(seed)).state
    rng = random.Random(seed)
    for _ in range(2_000):
        if state.outcome is not None:
            return state
        t = Table(RULES, state, draws_of(seed))
        watch(t)
        judged = judge(RULES, state, prudent_action(t, rng), draws_of(seed))
        assert judged.legal, judged.violations
        state = judged.state
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_prudent_games_end(line):
    games = [prudent_game(line, seed) for seed in range(4)]
    scores = [p.score for g in games for p in g.table.seats.values() if p.faction == "alliance"]
    assert max(scores) >= 30


def test_it_decides_by_what_its_seat_sees():
    rng = random.Random(1)
    looked = []

    def watch(t):
        asked = window(t)
        seat = next((s for s, p in t.board.seats.items() if p.faction == "alliance"), None)
        if asked is not None and seat in asked.actors:
            for twin in variants(RULES, t.state, seat, rng, 1):
                assert decide(Table(RULES, twin), seat).to_wire() == decide(t, seat).to_wire()
                looked.append(seat)

    prudent_game(LINES[2], 1, watch)
    assert len(looked) > 20
