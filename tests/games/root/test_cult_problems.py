"""States of the Cult that cannot exist: its board, the map, and its unfinished business."""

import pytest

from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.cult import Fear
from service.games.root.v1.cult_birdsong import Converting, Sanctifying
from service.games.root.v1.cult_problems import cult_problems
from service.games.root.v1.state import Cult
from tests.games.root.conformance import positions_of_the_cult
from tests.games.root.lizards import ALLY, CATS, FG, LIZARDS, MG, NEWT, RABBITS_LEAD, RG, cult_table
from tests.games.root.table import CAT, OWL, Game
from tests.games.root.test_alliance_problems import planted, put
from tests.games.root.test_cult import last, to_the_cult

rule = pytest.mark.rule
AT = f"/table/seats/{NEWT}/cult"


def shifted(what, source, target, n=1):
    """Things put elsewhere; each place is a bag of the table."""

    def change(state):
        put(source(state.table), what, -n)
        put(target(state.table), what, n)

    return change


def supply(t):
    return t.seats[NEWT].supply


def own(t):
    return t.seats[NEWT].cult


def hand(t):
    return t.seats[NEWT].hand


def setting(name, value):
    return lambda state: setattr(own(state.table), name, value)


# -- the board and the map ----------------------------------------------------------------------------------------


def standing(at="turn"):
    there = {"1": {"keep": 1}, "8": {FG: 1, LIZARDS: 2}, "5": {RG: 1, CATS: 1}}
    return cult_table(
        there, at, acolytes=3, hand=["anvil", "sappers"], lost_souls=["bake-sale"], outcast="fox"
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (shifted(FG, supply, lambda t: t.map["5"]), ("ROOT-CULT-17", f"/table/map/5/{FG}")),
        (shifted(MG, supply, lambda t: t.map["8"]), ("ROOT-CULT-17", f"/table/map/8/{MG}")),
        (shifted(FG, supply, lambda t: t.map["1"]), ("ROOT-MARQ-2", f"/table/map/1/{FG}")),
        (shifted(FG, supply, lambda t: own(t).acolytes), ("ROOT-CULT-4", f"{AT}/acolytes/{FG}")),
        (shifted("anvil", hand, lambda t: own(t).revealed), ("ROOT-CULT-16", f"{AT}/revealed")),
        (setting("outcast", None), ("ROOT-SETUP-13", f"{AT}/outcast")),
        (lambda s: setattr(s.table.seats[NEWT], "cult", None), ("ROOT-SETUP-1", AT)),
        (lambda s: setattr(s.table.seats[CAT], "cult", Cult()), ("ROOT-SETUP-1", "/table/seats/cat/cult")),
        (shifted(LIZARDS, supply, lambda t: t.box), ("ROOT-COMP-3", f"/table/box/{LIZARDS}")),
    ],
)
def test_planted_faults_of_the_board_and_the_map(change, expected):
    assert expected in planted(standing(), change)


@rule("ROOT-COMP-1")
def test_pieces_and_cards_are_counted_where_the_cult_has_them():
    for change in (
        lambda s: put(own(s.table).acolytes, LIZARDS),
        lambda s: put(own(s.table).lost_souls, "cobbler", 2),
        lambda s: put(own(s.table).revealed, "armorers", 2),
    ):
        assert planted(standing("daylight"), change)


@rule("ROOT-CULT-16", "ROOT-CULT-21")
@pytest.mark.parametrize(
    ("turn", "at", "fine"), [(NEWT, "daylight", True), (NEWT, "evening", False), (CAT, "daylight", False)]
)
def test_cards_lie_revealed_in_its_own_daylight_alone(turn, at, fine):
    g = cult_table({}, at, turn=turn, hand=["anvil", "sappers"])
    found = planted(g, shifted("anvil", hand, lambda t: own(t).revealed))
    assert (("ROOT-CULT-16", f"{AT}/revealed") in found) != fine


@rule("ROOT-TURN-4", "ROOT-CULT-21")
def test_cards_are_still_revealed_while_the_cobbler_is_asked():
    g = cult_table({"5": {LIZARDS: 2}}, "daylight", hand=["anvil"], crafted=["cobbler"])
    g.play(NEWT, "ritual-recruit", card="anvil", clearing="1").play(NEWT, "end-phase")
    assert "cobbler" in g.kinds
    assert g[NEWT].cult.revealed == {"anvil": 1}


# -- set-up -------------------------------------------------------------------------------------------------------


@rule("ROOT-SETUP-13")
def test_planted_faults_before_and_during_set_up():
    g = to_the_cult("marquise", "eyrie")
    seat = last(g)
    at = f"/table/seats/{seat}/cult"

    def board(s):
        return s.table.seats[seat].cult

    def placed(s):
        put(s.table.seats[seat].supply, LIZARDS, -1)
        put(s.table.map["5"], LIZARDS)

    def killed(s):
        put(s.table.seats[seat].supply, LIZARDS, -1)
        put(board(s).acolytes, LIZARDS)

    step = len(g.state.stack) - 1
    assert ("ROOT-SETUP-13", f"/stack/{step}/step") in planted(
        g, lambda s: setattr(s.stack[-1], "step", "outcast")
    )
    assert ("ROOT-SETUP-13", f"{at}/outcast") in planted(g, lambda s: setattr(board(s), "outcast", "fox"))
    assert ("ROOT-SETUP-13", f"{at}/outcast") in planted(g, placed)
    assert ("ROOT-SETUP-13", at) in planted(g, killed)
    assert ("ROOT-SETUP-13", at) in planted(g, lambda s: setattr(board(s), "hated", True))
    given = to_the_cult("marquise")
    step = len(given.state.stack) - 1
    assert ("ROOT-SETUP-13", f"/stack/{step}/step") in planted(
        given, lambda s: setattr(s.stack[-1], "step", "corner")
    )


# -- its turn -----------------------------------------------------------------------------------------------------


@rule("ROOT-CULT-1", "ROOT-CRAFT-2")
@pytest.mark.parametrize(
    ("at", "activated", "fine"),
    [
        ("evening", {"rabbit": 2}, True),
        ("evening", {"rabbit": 3}, False),
        ("evening", {"fox": 1}, False),
        ("daylight", {"rabbit": 1}, False),
    ],
)
def test_gardens_of_the_outcast_are_activated_in_the_evening(at, activated, fine):
    g = cult_table({"5": {RG: 2}, "8": {FG: 1}}, at, outcast="rabbit", hand=["anvil"])
    found = planted(g, lambda s: setattr(s.stack[1], "activated", activated))
    assert (("ROOT-CULT-1", f"/stack/1/activated/{next(iter(activated))}") in found) != fine


@rule("ROOT-CULT-20")
@pytest.mark.parametrize(
    ("scored", "fine"),
    [(["rabbit"], True), (["fox"], False), (["mouse"], False), (["rabbit", "rabbit"], False)],
)
def test_what_was_scored_lies_among_the_lost_souls(scored, fine):
    """Two rabbits and a mouse are there, rabbit and fox gardens stand."""
    held = {"lost_souls": ["bake-sale", "cobbler", "investments"], "outcast": "fox"}
    g = cult_table({"5": {RG: 2}, "8": {FG: 1}}, "daylight", hand=["anvil"], **held)
    at = len(g.state.stack) - 1
    found = planted(g, lambda s: setattr(s.stack[-1], "scored", scored))
    assert (("ROOT-CULT-20", f"/stack/{at}/scored") in found) != fine


@rule("ROOT-CULT-23")
@pytest.mark.parametrize(
    ("field", "value", "pointer"),
    [("left", 3, "/left"), ("because", "ROOT-CARD-6", "/because"), ("seat", CAT, "/seat")],
)
def test_it_draws_what_its_gardens_give(field, value, pointer):
    g = cult_table({"5": {RG: 2}}, "evening")
    at = len(g.state.stack) - 1
    found = planted(g, lambda s: setattr(s.stack[-1], field, value))
    assert ("ROOT-CULT-23", f"/stack/{at}{pointer}") in found


# -- conspiracies -------------------------------------------------------------------------------------------------


def crusading():
    g = cult_table({"5": {LIZARDS: 2}, "1": {CATS: 1}}, **RABBITS_LEAD, acolytes=2)
    return g.play(NEWT, "crusade-move", from_="5", to="1", warriors=2)


@rule("ROOT-CULT-12")
@pytest.mark.parametrize("clearing", ["5", "8", "9", "2"])
def test_a_crusade_went_where_it_can(clearing):
    at = len(crusading().state.stack) - 1
    found = planted(crusading(), lambda s: setattr(s.stack[-1], "clearing", clearing))
    assert ("ROOT-CULT-12", f"/stack/{at}/clearing") in found


@rule("ROOT-CULT-12")
def test_a_crusade_is_the_cults():
    found = planted(crusading(), lambda s: setattr(s.stack[-1], "seat", CAT))
    assert "ROOT-SETUP-1" in {r for r, _ in found}


def converting():
    """A conversion that waits for the Field Hospitals."""
    map = {"5": {CATS: 2}, "1": {"keep": 1}, "10": {CATS: 1}}
    g = cult_table(map, **RABBITS_LEAD, acolytes=2, cat={"hand": ["cobbler"]})
    return g.play(NEWT, "convert", clearing="5", player=CAT)


def at_of(g, name):
    return next(i for i, f in enumerate(g.state.stack) if type(f).__name__ == name)


@rule("ROOT-CULT-13")
@pytest.mark.parametrize("clearing", ["10", "8", "1"])
def test_a_convert_comes_where_a_warrior_left(clearing):
    g = converting()
    at = at_of(g, "Converting")
    found = planted(g, lambda s: setattr(s.stack[at], "clearing", clearing))
    assert ("ROOT-CULT-13", f"/stack/{at}/clearing") in found


@rule("ROOT-CULT-13")
@pytest.mark.parametrize(
    "losses",
    [
        {NEWT: {"5": {CATS: 2}}},
        {NEWT: {"5": {LIZARDS: 1}}},
        {NEWT: {"5": {"workshop": 1}}},
        {NEWT: {"5": {CATS: 1}, "8": {CATS: 1}}},
        {OWL: {"5": {CATS: 1}}},
    ],
)
def test_a_convert_follows_the_removal_of_one_enemy_warrior(losses):
    g = converting()
    at, removal = at_of(g, "Converting"), at_of(g, "Removal")
    found = planted(g, lambda s: setattr(s.stack[removal], "losses", losses))
    assert ("ROOT-CULT-13", f"/stack/{at}/clearing") in found


@rule("ROOT-CULT-13", "ROOT-CULT-14")
def test_a_removal_by_a_conspiracy_has_one_below():
    g = converting()
    at = at_of(g, "Removal")
    found = planted(g, lambda s: setattr(s.stack[at], "because", "ROOT-CULT-14"))
    assert ("ROOT-CULT-14", f"/stack/{at}/because") in found
    g = cult_table({"8": {CATS: 3, FG: 1}}, "daylight", turn=CAT, hand=["anvil"]).fight(CAT, NEWT, "8", 0, 0)
    at = at_of(g, "Removal")
    found = planted(g, lambda s: setattr(s.stack[at], "because", "ROOT-CULT-13"))
    assert ("ROOT-CULT-13", f"/stack/{at}/because") in found


@rule("ROOT-CULT-13", "ROOT-CULT-14")
@pytest.mark.parametrize("frame", [Converting, Sanctifying])
def test_without_a_removal_nothing_comes(frame):
    g = cult_table({"5": {CATS: 1}}, **RABBITS_LEAD, acolytes=4)
    t = Table(RULES, g.state).fork()
    t.frames.append(frame(seat=NEWT, clearing="5"))
    assert [p.pointer for p in cult_problems(t)] == [f"/stack/{len(t.frames) - 1}/clearing"]


# -- Fear of the Faithful -----------------------------------------------------------------------------------------


def afraid():
    g = cult_table({"8": {CATS: 3, FG: 1}}, "daylight", turn=CAT, hand=["anvil"])
    return g.fight(CAT, NEWT, "8", 0, 0)


@rule("ROOT-CULT-6")
def test_planted_faults_of_fear():
    at = len(afraid().state.stack) - 1
    assert isinstance(afraid().top, Fear)
    assert ("ROOT-CULT-6", f"/stack/{at}/seat") in planted(
        afraid(), lambda s: setattr(s.stack[-1], "seat", CAT)
    )
    removal = at_of(afraid(), "Removal")
    kept = planted(afraid(), lambda s: setattr(s.stack[removal], "losses", {CAT: {"8": {LIZARDS: 1}}}))
    assert ("ROOT-CULT-6", f"/stack/{at}") in kept
    nobody = planted(afraid(), lambda s: setattr(s.table.seats[NEWT], "faction", None))
    assert ("ROOT-SETUP-1", f"/stack/{at}") in nobody


@rule("ROOT-CULT-6")
def test_there_is_no_more_fear_than_gardens_removed():
    g = afraid()
    t = Table(RULES, g.state).fork()
    t.frames.insert(len(t.frames) - 1, Fear(seat=NEWT))
    assert {p.rule for p in cult_problems(t)} == {"ROOT-CULT-6"}


# -- a sanctified base --------------------------------------------------------------------------------------------


def sanctifying():
    """A base was sanctified, and the Alliance has still to discard supporters."""
    g = Game(next(positions_of_the_cult()))
    assert g.kinds == ("discard-supporters",)
    return g


@rule("ROOT-CULT-14", "ROOT-X-11", "ROOT-WA-4")
def test_the_garden_comes_when_the_supporters_are_gone():
    g = sanctifying()
    g.play(ALLY, "discard-supporters", cards={"bake-sale": 1})
    assert g.here("8") == {FG: 1}


@rule("ROOT-CULT-14")
@pytest.mark.parametrize("clearing", ["1", "6", "5"])
def test_a_garden_comes_where_a_building_left(clearing):
    g = sanctifying()
    at = at_of(g, "Sanctifying")
    found = planted(g, lambda s: setattr(s.stack[at], "clearing", clearing))
    assert ("ROOT-CULT-14", f"/stack/{at}/clearing") in found


# -- battles of conspiracies --------------------------------------------------------------------------------------


@rule("ROOT-CULT-10", "ROOT-CULT-11")
def test_a_conspiracys_battle_is_fought_in_a_clearing_of_the_outcast():
    """Rabbits are the Outcast; in clearing 8, a fox clearing, both stand as well."""
    g = cult_table({"5": {LIZARDS: 2, CATS: 1}, "8": {LIZARDS: 2, CATS: 1}}, **RABBITS_LEAD, acolytes=2)
    g.play(NEWT, "crusade-battle", clearing="5", defender=CAT)
    at = at_of(g, "Battle")
    found = planted(g, lambda s: setattr(s.stack[at], "clearing", "8"))
    assert ("ROOT-CULT-10", f"/stack/{at}/clearing") in found


@rule("ROOT-CULT-12")
def test_a_crusades_battle_follows_where_it_went():
    g = cult_table({"5": {LIZARDS: 2, CATS: 1}, "1": {CATS: 1}}, **RABBITS_LEAD, acolytes=2)
    g.play(NEWT, "crusade-move", from_="5", to="1", warriors=1)
    g.play(NEWT, "crusade-follow-up", defender=CAT)
    at = at_of(g, "Battle")
    found = planted(g, lambda s: setattr(s.stack[at], "clearing", "5"))
    assert ("ROOT-CULT-12", f"/stack/{at}/clearing") in found


# -- what fell in a battle ----------------------------------------------------------------------------------------


def avenged():
    """A warrior and the garden fell; the warrior is an acolyte."""
    g = cult_table({"8": {CATS: 3, FG: 1, LIZARDS: 1}}, "daylight", turn=CAT, hand=["anvil"])
    g.fight(CAT, NEWT, "8", 2, 0)
    assert (isinstance(g.top, Fear), g[NEWT].cult.acolytes) == (True, {LIZARDS: 1})
    return g


@rule("ROOT-CULT-4")
def test_revenge_has_made_acolytes():
    found = planted(avenged(), shifted(LIZARDS, lambda t: own(t).acolytes, supply))
    assert found == {("ROOT-CULT-4", f"{AT}/acolytes")}


@rule("ROOT-CULT-17", "ROOT-CULT-6")
def test_a_garden_that_fell_stood_in_a_clearing_of_its_suit():
    at = at_of(avenged(), "Removal")
    losses = {CAT: {"8": {LIZARDS: 1, RG: 1}}}
    found = planted(avenged(), lambda s: setattr(s.stack[at], "losses", losses))
    assert ("ROOT-BATTLE-17", f"/stack/{at}/losses/{CAT}/8/{RG}") in found


@rule("ROOT-BATTLE-18")
def test_no_garden_falls_while_a_warrior_stands():
    at = at_of(avenged(), "Removal")
    found = planted(avenged(), shifted(LIZARDS, supply, lambda t: t.map["8"]))
    assert found == {("ROOT-BATTLE-18", f"/stack/{at}/losses")}


@rule("ROOT-BATTLE-17")
def test_the_other_side_removes_what_falls():
    at = at_of(avenged(), "Removal")
    losses = {NEWT: {"8": {LIZARDS: 1, FG: 1}}}
    found = planted(avenged(), lambda s: setattr(s.stack[at], "losses", losses))
    assert ("ROOT-BATTLE-17", f"/stack/{at}/losses/{NEWT}/8/{FG}") in found
