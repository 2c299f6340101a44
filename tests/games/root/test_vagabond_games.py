"""Whole games of Vagabonds beside the Marquise and the Eyrie, at random and prudently, with every character."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, encode
from service.games.root.v1 import RULES
from service.games.root.v1.figures import CHARACTERS, FORESTS, RELATIONSHIPS
from service.games.root.v1.prudent import decide
from tests.conformance.subjects import draws_of
from tests.games.root.rogue import CATS, FOX, OWLS, no_cards, rogue, up
from tests.games.root.table import CAT, OWL, SEATS
from tests.games.root.test_games import whole_game

rule = pytest.mark.rule

LINE_UPS = (
    ("marquise", "vagabond"),
    ("vagabond", "eyrie"),
    ("eyrie", "vagabond", "marquise"),
    ("vagabond", "marquise", "vagabond"),
    ("marquise", "vagabond", "eyrie", "vagabond"),
)
SEEDS = range(4)


@cache
def prudent_game(seed, *factions):
    """A game that prudent players play by themselves."""
    seats = [SetupSeat(s, "", True, {"faction": f}) for s, f in zip(SEATS, factions, strict=False)]
    return start(RULES, Setup(seats, f"prudent-{seed}", ChanceState(mode="seeded")), draws_of(seed))


def boards(state):
    return [p.vagabond for p in state.table.seats.values() if p.vagabond is not None]


# -- whole games --------------------------------------------------------------------------------------------------


@rule("ROOT-WIN-1", "ROOT-SETUP-12")
@pytest.mark.parametrize("factions", LINE_UPS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_games_come_to_an_end(seed, factions):
    outcome = whole_game(seed, *factions).state.outcome
    assert outcome.because in ("ROOT-WIN-1", "ROOT-WIN-2", "ROOT-DOM-2", "ROOT-DOM-3")


@rule("ROOT-WIN-1")
@pytest.mark.parametrize("factions", LINE_UPS)
@pytest.mark.parametrize("seed", SEEDS)
def test_prudent_games_come_to_an_end_and_are_sound(seed, factions):
    judged = prudent_game(seed, *factions)
    assert judged.outcome is not None
    assert problems(RULES, judged.state) == []
    assert encode(RULES.decode(encode(judged.state))) == encode(judged.state)


def test_together_they_show_what_there_is():
    played, seen = Counter(), Counter()
    for seed in SEEDS:
        for factions in LINE_UPS:
            course, judged = whole_game(seed, *factions), prudent_game(seed, *factions)
            played += course.kinds + Counter(p.action["kind"] for p in judged.played)
            for event in (*course.events, *judged.events):
                if event.kind == "set" and event.facts["place"][2:3] == ["vagabond"]:
                    seen[event.facts["value"]] += 1
    assert set(CHARACTERS) <= set(seen)
    assert set(FORESTS) <= set(seen)
    assert set(RELATIONSHIPS) - {"allied"} <= set(seen)
    deeds = {
        "move", "slip", "battle", "explore", "find-item", "take-ruin-item", "aid", "take-item", "quest", "draw-quest",
        "strike", "repair", "craft", "steal", "day-labor", "hideout", "instigate", "scorched-earth", "enlist-arbiter",
        "arrange-items", "discard-items", "refresh", "draw-vagabond", "setup-vagabond",
    }  # fmt: skip
    assert deeds <= set(played)


def test_states_stay_small():
    """Ten kilobytes: two Vagabonds with their boards and quests included."""
    assert max(len(encode(whole_game(s, *LINE_UPS[-1]).state)) for s in SEEDS) <= 10_000


def test_vagabonds_win_now_and_then():
    won = [f for f in LINE_UPS for s in SEEDS if _wins(prudent_game(s, *f))]
    assert len(won) >= 3


def _wins(judged):
    return any(judged.state.table.seats[s].vagabond is not None for s in judged.outcome.winners)


# -- the prudent player -------------------------------------------------------------------------------------------


def decided(g, seat=FOX):
    return decide(g.table, seat).to_wire()


def test_he_explores_where_he_can():
    assert decided(rogue(pawn="6"))["kind"] == "explore"


def test_he_goes_where_a_ruin_is():
    g = rogue(
        pawn="2",
        items=up("torch", "boots"),
        quests=["fundraising-fox", "escort-mouse", "expel-bandits-rabbit"],
    )
    wire = decided(g)
    assert (wire["kind"], wire["to"] in g.board.ruins) == ("move", True)


def test_he_puts_what_has_a_track_on_it():
    g = rogue(items=up("tea", "coin"))
    assert decided(g)["to"] == "track"


@pytest.mark.parametrize(
    ("at", "held"),
    [
        (
            "turn",
            {"satchel-down": ["boots", "torch", "sword", "bag", "hammer", "crossbow"], "satchel-up": ["tea"]},
        ),
        ("turn", {"satchel-up": ["coin"]}),
        ("evening", {"satchel-up": ["coin"]}),
    ],
)
def test_he_does_so_once_at_any_window_and_goes_on(at, held):
    g, kinds = rogue({"1": {CATS: 1}}, at, items=held, crafted=["cobbler", "royal-claim"]), []
    while FOX in g.asked and len(kinds) < 30:
        wire = decided(g)
        kinds.append(wire["kind"])
        g.play(FOX, wire.pop("kind"), **{k: v for k, v in wire.items() if k != "actor"})
    assert (kinds[0], kinds.count("arrange-items")) == ("arrange-items", 1)
    assert len(kinds) < 30, "the turn comes to its end"


@pytest.mark.parametrize(("completed", "reward"), [([], "cards"), (["repair-a-shed-fox"], "points")])
def test_he_takes_cards_for_a_first_quest_and_points_for_later_ones(completed, reward):
    quests = ["errand-fox", "escort-mouse", "errand-rabbit"]
    g = rogue(items=up("tea", "boots"), quests=quests, completed=completed)
    g.play(FOX, "arrange-items", items={"satchel-up-tea": 1}, to="track")
    assert decided(g) == {"kind": "quest", "actor": FOX, "quest": "errand-fox", "reward": reward}


def test_he_does_not_strike_warriors():
    g = rogue({"1": {CATS: 1}}, items=up("crossbow"))
    assert decided(g)["kind"] == "end-phase"
    g = rogue({"1": {"sawmill": 1}}, items=up("crossbow"))
    assert decided(g)["kind"] == "strike"


def test_he_picks_fights_that_pay():
    assert decided(rogue({"1": {"sawmill": 1, "wood": 1}}, items=up("sword")))["kind"] == "battle"
    assert decided(rogue({"1": {CATS: 4}}, items=up("sword")))["kind"] != "battle"


def test_he_loses_what_he_misses_least():
    held = {"satchel-up": ["sword", "sword", "boots"], "satchel-down": ["crossbow"]}
    g = rogue({"1": {CATS: 3}}, items=held)
    no_cards(g.play(FOX, "battle", defender=CAT)).roll(1, 1)
    assert decided(g)["pieces"] == {"satchel-down-crossbow": 1}


def test_he_throws_damaged_things_away_first():
    held = {
        "satchel-up": ["sword", "boots", "torch", "hammer", "boots"],
        "damaged-down": ["bag"],
        "satchel-down": ["sword"],
    }
    g = rogue(at="evening", items=held).draw("anvil")
    assert decided(g)["items"] == {"damaged-down-bag": 1}


def test_he_refreshes_what_he_needs_most():
    held = {"satchel-down": ["sword", "boots", "torch", "crossbow"]}
    g = rogue(at="turn", items=held)
    assert decided(g)["items"] == {"satchel-down-boots": 1, "satchel-down-sword": 1, "satchel-down-torch": 1}


def test_he_helps_those_who_have_items():
    g = rogue(
        {"1": {CATS: 1, OWLS: 1}}, hand=["anvil"], owl={"items": ["hammer"]}, items=up("bag", "crossbow")
    )
    g.play(FOX, "arrange-items", items={"satchel-up-bag": 1}, to="track")
    wire = decided(g)
    assert (wire["kind"], wire["player"], wire["item"]) == ("aid", OWL, "bag")


def test_what_others_hold_does_not_change_his_mind():
    held = {"map": {"1": {CATS: 3, OWLS: 1}}, "hand": ["anvil", "sappers"]}
    one = rogue(**held, cat={"hand": ["ambush-fox", "ambush-bird"]}, owl={"hand": ["armorers"]})
    two = rogue(**held, cat={"hand": ["cobbler", "codebreakers"]}, owl={"hand": ["bake-sale"]})
    while FOX in one.asked and one.kinds[0] == "move":
        assert decided(one) == decided(two)
        wire = decided(one)
        if wire["kind"] in ("end-phase", "battle"):
            return
        for g in (one, two):
            g.play(FOX, wire["kind"], **{k: v for k, v in wire.items() if k not in ("kind", "actor")})
