"""Chapter 1 and the variants: what is a resource, what is on the board, where vassals are, what the variants share."""

import random

import pytest

from service.engine.options import options
from service.engine.refusal import SetupRefused
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from tests.games.simurgh.table import RULES, SEATS, fresh, game, lowest, space

rule, refusal = pytest.mark.rule, pytest.mark.refusal
RESOURCES = ("vegetable", "meat", "wood", "stone", "wisdom", "weapon")
CITY = {  # what each of the twelve costs
    "armory": {},
    "library": {},
    "forge": {"wood": 1, "stone": 1},
    "dragon-towers": {},
    "great-market": {},
    "barracks": {"vegetable": 3, "meat": 1},
    "hunting-grounds": {"vegetable": 2, "meat": 3},
    "training-grounds": {"wood": 3},
    "builders-square": {"stone": 2},
    "hatchery": {"vegetable": 1, "meat": 1, "wood": 1, "stone": 1, "weapon": 1},
    "scouts-quarter": {},
    "statue": {},
}


# -- resources --------------------------------------------------------------------------------------------------


@rule("SIM-COMP-4", "SIM-LIMIT-3", "SIM-LIMIT-6")
@refusal("SIM-LIMIT-4")
def test_six_things_are_resources_and_points_and_markers_are_none_at_the_limit():
    """15 resources of all six kinds, 40 points and 3 markers: nothing is too much. One weapon more is."""
    held = {"vegetable": 3, "meat": 3, "wood": 3, "stone": 2, "wisdom": 2, "weapon": 2}
    ann = {"resources": held, "pp": 40, "dragons": (57,), "markers": ["57-1", "57-2", "57-3"]}
    g = (
        game({"ann": ann, "bob": {}})
        .place("dragonrider", "great-market")
        .play("ann", "choose-one", branch=1)
        .end()
    )
    assert (g.asked, g["ann"].resources, g["ann"].pp) == ("bob", held, 41)
    g = game({"ann": ann, "bob": {}}).place("spearman", "armory").end()
    assert (g.asked, g.kinds) == ("ann", ("return-tokens",))
    assert set(g.refused("ann", "return-tokens", tokens={"pp": 1})) == {"SIM-LIMIT-4"}
    for what in RESOURCES:
        assert g.judged("ann", "return-tokens", tokens={what: 1}).legal
    found = g.refused("ann", "return-tokens", tokens={"wood": 2})["SIM-LIMIT-4"]
    assert (found.reason, found.facts) == ("broken-rule", {"due": 1, "given": 2})
    found = g.refused("ann", "return-tokens", tokens={"wood": 4})["SIM-LIMIT-4"]
    assert (found.reason, found.facts) == ("unknown-value", {"value": "wood", "offered": 4, "most": 3})


@rule("SIM-COMP-4", "SIM-SCORE-3", "SIM-SCORE-7")
def test_points_and_markers_are_no_resources_when_leftovers_are_counted():
    """Two of each of six kinds are four points; without them, 30 points and 3 markers are none."""
    marked = {"pp": 30, "dragons": (57,), "markers": ["57-1", "57-2", "57-3"]}
    seats = {"ann": {**marked, "resources": dict.fromkeys(RESOURCES, 2)}, "bob": {**marked, "dragons": (58,)}}
    seats["bob"] |= {"markers": ["58-1", "58-2", "58-3"]}
    g = game(seats, length="short", chronicle=(1, 2, 3, 4, 13, 14, 21, 37), ending="ann")
    g.place("dragonrider", "great-market", "bob").play("bob", "choose-one", branch=1).end("bob")
    parts = {s.seat: s.parts for s in g.state.outcome.standings}
    assert parts == {
        "ann": {"track": 30, "objectives": 0, "resources": 4},
        "bob": {"track": 31, "objectives": 0, "resources": 0},
    }


# -- the board --------------------------------------------------------------------------------------------------


@rule("SIM-COMP-7", "SIM-CITY-13")
def test_the_city_has_its_twelve_spaces_in_every_game_and_no_other():
    for seats in (2, 5):
        table = {s: {} for s in SEATS[:seats]} | {"ann": {"resources": dict.fromkeys(RESOURCES, 2)}}
        for where, cost in CITY.items():
            more = {what: n for what, n in cost.items() if n > 2}
            table["ann"] = {"resources": {**dict.fromkeys(RESOURCES, 2), **more}}
            g = game(table)
            offer = {"tokens": cost} if cost else {}
            assert g.judged("ann", "place-vassal", vassal="dragonrider", space=where, cost=offer).legal, where
        g = game(table)
        offered = {o["space"] for o in g.options("ann", "place-vassal")}
        assert offered <= set(CITY), "nothing lies in the Wilds"


@rule("SIM-COMP-7", "SIM-SCOUT-8")
def test_the_display_has_four_numbered_spaces_and_the_wilds_and_the_statue_have_theirs():
    g = fresh(5)
    assert list(g.board.display) == ["display-1", "display-2", "display-3", "display-4"]
    assert [x["number"] for x in RULES.components["display"]] == [1, 2, 3, 4, 0], "the last is the deck"
    assert list(g.board.wilds) == [f"wilds-{n}" for n in range(1, 7)]
    assert list(g.board.statue) == [f"statue-{n}" for n in range(1, 6)]
    assert not any([*g.board.wilds.values(), *g.board.statue.values(), g.board.chronicle])


# -- vassals ----------------------------------------------------------------------------------------------------


def whereabouts(g, kind):
    """How many of the first player's vassals of a kind are available, assigned and inactive."""
    p = g["ann"]
    assigned = sum(there.get(kind, 0) for there in p.assigned.values())
    return p.available.get(kind, 0), assigned, p.inactive.get(kind, 0)


@rule("SIM-COMP-8", "SIM-COMP-3", "SIM-CITY-6", "SIM-PAY-1")
def test_a_vassal_is_available_assigned_or_inactive_and_goes_from_one_to_the_other():
    """Received and placed, taken back and paid: of three Spearmen none is anywhere else."""
    ann = {"resources": {"vegetable": 3, "meat": 1}, "pp": 1, "dragons": (59,), "markers": ["59-3"]}
    g = game({"ann": ann, "bob": {}})
    assert (whereabouts(g, "spearman"), whereabouts(g, "dragonrider")) == ((1, 0, 2), (1, 0, 1))
    g.place("spearman", "barracks", tokens={"vegetable": 3, "meat": 1})
    assert whereabouts(g, "spearman") == (1, 1, 1), "one stands on the board, a new one is available at once"
    paid = {"tokens": {"pp": 1}, "vassals": {"spearman": {"available": 1}}}
    g.play("ann", "use-ability", ability="dragon-59-3", cost=paid)
    assert (whereabouts(g, "spearman"), whereabouts(g, "dragonrider")) == ((0, 1, 2), (2, 0, 0))
    g.end().place("spearman", "library", "bob").end("bob")
    g.play("ann", "retrieve-vassals", spearmen={"barracks": 1}, dragonriders={})
    assert whereabouts(g, "spearman") == (1, 0, 2)


@rule("SIM-COMP-8")
@refusal("SIM-TURN-2", "SIM-TURN-4", "SIM-EFF-5")
def test_inactive_vassals_are_neither_placed_nor_retrieved_nor_paid():
    """Two Spearmen lie inactive beside the board; none is active."""
    ann = {"available": {"dragonrider": 1}, "assigned": {"armory": {"dragonrider": 1}}}
    g = game({"ann": ann, "bob": {"assigned": {space(19, 4): {"spearman": 1}}}}, wilds=(19,))
    assert whereabouts(g, "spearman") == (0, 0, 3)
    assert set(g.not_placed("spearman", "library")) == {"SIM-TURN-2"}
    back = {"spearmen": {"inactive": 1}, "dragonriders": {}}
    assert set(g.refused("ann", "retrieve-vassals", **back)) == {"SIM-TURN-4"}
    assert "SIM-EFF-5" in g.not_placed("dragonrider", space(19), vassals={"spearman": {"available": 1}})


# -- the variants -----------------------------------------------------------------------------------------------


def begun(**chosen):
    return start(RULES, Setup([SetupSeat("ann"), SetupSeat("bob")], "t", ChanceState(), chosen), lowest).state


@rule("SIM-SETUP-1")
@pytest.mark.parametrize("variant", ["spearman", "dragonlord"])
@pytest.mark.parametrize("length", ["short", "medium", "long"])
def test_variant_and_length_are_chosen_before_play_and_stay(variant, length):
    """The one decides what is dealt and what may be kept, the other how many tiles end the game."""
    state = begun(variant=variant, length=length)
    assert state.options == {"variant": variant, "length": length}
    assert (state.stack[-1].step == "act") == (variant == "spearman"), "the Dragonlord begins with a draft"
    most, last = {"spearman": 15, "dragonlord": 12}[variant], {"short": 8, "medium": 11, "long": 14}[length]
    tiles = (1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 25, 26)[: last - 1]
    ann = {
        "available": {"spearman": 1},
        "resources": {"wood": most},
        "assigned": {space(22): {"dragonrider": 1}},
    }
    g = game({"ann": ann, "bob": {}}, variant=variant, length=length, chronicle=tiles, wilds=(22,))
    g.play("ann", "retrieve-vassals", spearmen={}, dragonriders={space(22): 1}).end()
    assert (g.asked, g.board.ending) == ("bob", "ann"), (
        "so many tiles are in the Chronicle now, and nothing is returned"
    )
    assert g.state.options == {"variant": variant, "length": length}


@rule("SIM-SETUP-1")
@pytest.mark.parametrize(
    "chosen", [{"variant": "rider"}, {"length": "endless"}, {"length": None}, {"pace": "fast"}]
)
def test_another_variant_or_length_is_not_set_up(chosen):
    with pytest.raises(SetupRefused):
        begun(**{"variant": "spearman", "length": "short", **chosen})


@rule("SIM-DL-8", "SIM-DL-1", "SIM-DL-7")
@pytest.mark.parametrize("seed", range(4))
def test_from_the_same_position_the_variants_are_the_same_game_but_for_the_limit_and_leftovers(seed):
    """Whatever is possible in one is in the other, and does the same, until somebody ends a turn with 13 resources."""
    rng, hand = random.Random(seed), {"ann": (29, 1, 13, 37), "bob": (30, 2, 14, 43)}
    seats = {s: {"hand": hand[s], "dragons": (d,), "markers": [f"{d}-1", f"{d}-2", f"{d}-3"],
                 "resources": {"weapon": 1}} for s, d in (("ann", 57), ("bob", 67))}  # fmt: skip
    here, there = (game(seats, length="short", variant=v) for v in ("spearman", "dragonlord"))
    steps = 0
    while here.state.outcome is None and there.kinds != ("return-tokens",):
        mine, theirs = ([o.filled() for o in options(g.table)] for g in (here, there))
        assert mine == theirs
        before, action = (here.events, here.board), rng.choice(mine)
        here, there = here.play(**action), there.play(**action)
        if there.kinds != ("return-tokens",):
            assert before != (here.events, here.board), "something has happened"
            assert [(e.kind, e.because) for e in here.events] == [(e.kind, e.because) for e in there.events]
            assert here.board == there.board
        steps += 1
    assert steps >= 10
    assert here.state.outcome is not None or sum(there[there.asked].resources.values()) > 12
