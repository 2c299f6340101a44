"""What a turn and a battle cannot have come to: effects used, pieces activated, actions left, what has been removed."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from service.engine.problems import problems
from service.games.root.v1 import RULES
from tests.games.root.ally import ALLY, woodland
from tests.games.root.rogue import FOX, no_cards, rogue, up
from tests.games.root.table import CAT, OWL, game

rule = pytest.mark.rule

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
MAP = {
    "1": {"keep": 1, CATS: 2},
    "3": {"roost": 1, OWLS: 3},
    "5": {"workshop": 1, CATS: 3, OWLS: 2},
    "8": {"recruiter": 1, CATS: 1},
}
ALL = [
    "better-burrow-bank",
    "stand-and-deliver",
    "tax-collector",
    "codebreakers",
    "cobbler",
    "command-warren",
]


def planted(g: Any, change: Any) -> set[tuple[str | None, str]]:
    """The problems after this change to a game that has none."""
    state = deepcopy(g.state)
    assert problems(RULES, state) == []
    change(state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


def frame(i: int, **values: Any) -> Any:
    def change(state: Any) -> None:
        for name, value in values.items():
            setattr(state.stack[i], name, value)

    return change


# -- effects that work once a turn --------------------------------------------------------------------------------


def at_birdsong() -> Any:
    """Stand and Deliver! may be used; the bank has been."""
    g = game({CAT: {"crafted": ALL}, OWL: {"hand": ["anvil"]}}, MAP, at="turn")
    return g.play(CAT, "better-burrow-bank", player=OWL).draw("sappers", "armorers")


def at_the_warren() -> Any:
    return game({CAT: {"crafted": ["command-warren", "cobbler", "tax-collector"]}}, MAP)


def at_daylight() -> Any:
    return game({CAT: {"crafted": ["cobbler", "tax-collector", "stand-and-deliver"]}}, MAP)


def at_the_cobbler() -> Any:
    return game({CAT: {"crafted": ["cobbler", "tax-collector"]}}, MAP, at="evening")


@rule("ROOT-FX-13", "ROOT-TURN-1", "ROOT-TURN-2", "ROOT-TURN-3", "ROOT-TURN-4")
@pytest.mark.parametrize(
    ("made", "used", "clause", "wrong"),
    [
        (at_birdsong, ["better-burrow-bank", "tax-collector"], "ROOT-TURN-3", "/stack/1/used/1"),
        (at_birdsong, ["better-burrow-bank", "codebreakers"], "ROOT-TURN-3", "/stack/1/used/1"),
        (at_birdsong, ["better-burrow-bank", "command-warren"], "ROOT-TURN-3", "/stack/1/used/1"),
        (at_birdsong, ["better-burrow-bank", "cobbler"], "ROOT-TURN-4", "/stack/1/used/1"),
        (at_birdsong, [], "ROOT-FX-8", "/stack/1/used"),
        (at_the_warren, ["tax-collector"], "ROOT-TURN-3", "/stack/1/used/0"),
        (at_the_warren, ["cobbler"], "ROOT-TURN-4", "/stack/1/used/0"),
        (at_daylight, ["cobbler"], "ROOT-TURN-4", "/stack/1/used/0"),
        (at_the_cobbler, ["codebreakers"], "ROOT-FX-13", "/stack/1/used/0"),
    ],
)
def test_effects_are_used_at_their_time(made, used, clause, wrong):
    assert (clause, wrong) in planted(made(), frame(1, used=used))


@rule("ROOT-FX-13")
def test_what_was_used_in_time_is_no_problem():
    assert planted(at_daylight(), frame(1, used=["stand-and-deliver", "tax-collector"])) == set()
    assert planted(at_the_cobbler(), frame(1, used=["tax-collector"])) == set()


# -- crafting pieces ----------------------------------------------------------------------------------------------


def rogue_crafts() -> Any:
    return rogue({}, items=up("hammer", "sword"))


def alliance_day() -> Any:
    return woodland({"5": {"sympathy": 1}}, at="daylight")


def eyrie_day() -> Any:
    return game({}, MAP, turn=OWL)


@rule("ROOT-CRAFT-2")
@pytest.mark.parametrize(
    ("made", "activated", "wrong"),
    [
        (at_birdsong, {"rabbit": 1}, "/stack/1/activated"),
        (at_the_warren, {"rabbit": 1}, "/stack/1/activated"),
        (at_daylight, {"rabbit": 2}, "/stack/1/activated/rabbit"),
        (at_daylight, {"fox": 1}, "/stack/1/activated/fox"),
        (at_daylight, {"rabbit": 1, "mouse": 1}, "/stack/1/activated/mouse"),
        (rogue_crafts, {"fox": 1}, "/stack/1/activated/fox"),
        (alliance_day, {"rabbit": 2}, "/stack/1/activated/rabbit"),
        (alliance_day, {"mouse": 1}, "/stack/1/activated/mouse"),
        (eyrie_day, {"fox": 1}, "/stack/1/activated/fox"),
    ],
)
def test_only_pieces_that_are_there_have_been_activated(made, activated, wrong):
    assert ("ROOT-CRAFT-2", wrong) in planted(made(), frame(1, activated=activated))


def battered() -> Any:
    """The Marquise has acted: a workshop may have been lost."""
    return game({}, MAP).fight(CAT, OWL, "5", 0, 0)


@rule("ROOT-CRAFT-2")
def test_pieces_that_are_gone_may_have_been_activated_no_more_than_there_are():
    assert planted(battered(), frame(1, activated={"rabbit": 1, "fox": 1})) == set()
    assert ("ROOT-CRAFT-2", "/stack/1/activated") in planted(battered(), frame(1, activated={"rabbit": 7}))
    assert planted(at_daylight(), frame(1, activated={"rabbit": 1})) == set()


# -- the Marquise's actions ---------------------------------------------------------------------------------------


def acted() -> Any:
    """She has recruited: two actions are left."""
    return game({CAT: {"hand": ["anvil"]}}, MAP).play(CAT, "recruit")


def bird() -> Any:
    """She has spent a bird and recruited."""
    return (
        game({CAT: {"hand": ["armorers"]}}, MAP).play(CAT, "spend-bird", card="armorers").play(CAT, "recruit")
    )


def marching() -> Any:
    return game({}, MAP).play(CAT, "march")


def fighting() -> Any:
    return game({OWL: {"hand": ["anvil"]}}, MAP).play(CAT, "battle", clearing="5", defender=OWL)


def birds_elsewhere(state: Any) -> None:
    """Every bird but one lies in the other's hand, and she has four actions left."""
    t = state.table
    birds = {card["id"] for card in RULES.components["cards"] if card["suit"] == "bird"}
    cards = dict(t.deck.cards())
    held = {c: n for c, n in cards.items() if c in birds}
    t.seats[OWL].hand = {**t.seats[OWL].hand, **held}
    t.deck = type(t.deck)([_pool({c: n for c, n in cards.items() if c not in held})])
    state.stack[3].left = 4


def _pool(cards: Any) -> Any:
    from service.engine.deck import pool_of

    return pool_of(cards).segments[0]


@rule("ROOT-MARQ-12", "ROOT-MARQ-15", "ROOT-MARQ-11")
@pytest.mark.parametrize(
    ("made", "change", "clause", "field"),
    [
        (acted, frame(3, left=99), "ROOT-MARQ-12", "left"),
        (acted, frame(3, acting=False), "ROOT-MARQ-12", "left"),
        (bird, birds_elsewhere, "ROOT-MARQ-12", "left"),
        (marching, frame(3, acting=False, left=3), "ROOT-MARQ-11", "acting"),
        (fighting, frame(3, acting=False, left=3), "ROOT-MARQ-11", "acting"),
        (at_daylight, frame(3, acting=False, recruited=True), "ROOT-MARQ-15", "recruited"),
        (at_daylight, frame(3, step="count-actions", left=3), "ROOT-MARQ-12", "left"),
        (at_daylight, frame(3, step="count-actions", left=0, acting=True), "ROOT-MARQ-12", "acting"),
    ],
)
def test_planted_faults_of_her_actions(made, change, clause, field):
    assert (clause, f"/stack/3/{field}") in planted(made(), change)


@rule("ROOT-MARQ-15")
def test_who_places_recruits_has_recruited():
    short = {"1": {"keep": 1, CATS: 8}, "5": {CATS: 8}, "8": {"recruiter": 1, CATS: 8}, "9": {"recruiter": 1},
             "3": {"roost": 1}}  # fmt: skip
    g = game({}, short).play(CAT, "recruit")
    assert g.kinds == ("place-recruits",)
    assert ("ROOT-MARQ-15", "/stack/3/recruited") in planted(g, frame(3, recruited=False))


# -- what has been removed in a battle ----------------------------------------------------------------------------


def rolled() -> Any:
    """Before the defender's crafted cards are declared: nothing has been removed."""
    held = {CAT: {"crafted": ["brutal-tactics"]}}
    return no_cards(game(held, MAP).play(CAT, "battle", clearing="5", defender=OWL)).roll(2, 1)


def ambushed() -> Any:
    """An ambush has hit the attacker, who is asked for his hospitals."""
    held = {CAT: {"hand": ["bake-sale"]}, OWL: {"hand": ["ambush-rabbit"]}}
    g = game(held, MAP).play(CAT, "battle", clearing="5", defender=OWL)
    return g.play(OWL, "play-ambush", card="ambush-rabbit").play(CAT, "pass")


def settled() -> Any:
    """The hits are taken: the hospitals are asked for while the battle ends."""
    held = {CAT: {"hand": ["bake-sale"]}}
    return game(held, MAP).fight(CAT, OWL, "5", 2, 1)


@rule("ROOT-BATTLE-20")
@pytest.mark.parametrize(
    ("made", "toppled", "wrong"),
    [
        (fighting, {CAT: 1}, ""),
        (fighting, {OWL: 1}, ""),
        (rolled, {OWL: 1}, ""),
        (rolled, {CAT: 1}, ""),
        (ambushed, {CAT: 1}, "/cat"),
        (ambushed, {OWL: 3}, "/owl"),
        (settled, {CAT: 3}, "/cat"),
        (settled, {OWL: 9}, "/owl"),
        (settled, {OWL: 0}, "/owl"),
    ],
)
def test_nothing_is_removed_before_hits_are_taken(made, toppled, wrong):
    at = next(i for i, f in enumerate(made().state.stack) if type(f).__name__ == "Battle")
    found = planted(made(), frame(at, toppled=toppled))
    assert ("ROOT-BATTLE-20", f"/stack/{at}/toppled{wrong}") in found


@rule("ROOT-BATTLE-20")
def test_who_does_not_fight_removes_nothing():
    g = woodland({**MAP, "5": {CATS: 3, OWLS: 2}}, turn=CAT, at="daylight", cat={"hand": ["bake-sale"]})
    g.fight(CAT, OWL, "5", 2, 1)
    at = next(i for i, f in enumerate(g.state.stack) if type(f).__name__ == "Battle")
    assert ("ROOT-BATTLE-20", f"/stack/{at}/toppled/{ALLY}") in planted(g, frame(at, toppled={ALLY: 1}))
    assert FOX not in g.state.table.seats


# -- the Decree and the officers ----------------------------------------------------------------------------------


def adding() -> Any:
    """The Eyrie have added a mouse card, and may add another."""
    owl = {"hand": ["sword-mouse", "anvil"], "leader": "commander", "decree": {"move": ["bake-sale"]}}
    return game({OWL: owl}, MAP, turn=OWL, at="turn").play(
        OWL, "add-to-decree", card="sword-mouse", column="move"
    )


@rule("ROOT-EYRIE-4")
@pytest.mark.parametrize("added", [["fox"], ["bird"], ["mouse", "mouse"]])
def test_what_was_added_to_the_decree_lies_there(added):
    """The viziers are birds that nobody has added."""
    assert ("ROOT-EYRIE-4", "/stack/3/added") in planted(adding(), frame(3, added=added))
    assert planted(adding(), frame(3, added=["rabbit"])) == set()


def fallen() -> Any:
    """A rabbit card could not be resolved: the government has fallen, and a leader is chosen."""
    held = {OWL: {"leader": "commander", "decree": {"build": ["bake-sale"]}}}
    g = game(held, {"3": {"roost": 1, OWLS: 3}, "5": {CATS: 3}}, turn=OWL)
    g.play(OWL, "resolve-decree")
    while g.kinds[0] != "choose-leader":
        (first, *_) = [o for kind in g.kinds for o in g.options(OWL, kind)]
        g.play(**{("from_" if name == "from" else name): value for name, value in first.items()})
        if g.kinds[0] == "play-ambush":
            no_cards(g)
        while g.kinds[0] == "roll-die":
            g.roll(0)
    return g


@rule("ROOT-EYRIE-16", "ROOT-EYRIE-17")
@pytest.mark.parametrize("left", [{"anvil": 1}, {"bake-sale": 2}, {"vizier": 2}])
def test_what_turmoil_has_discarded_lies_with_the_discarded_cards(left):
    (card,) = left
    found = planted(fallen(), frame(3, left=left))
    assert ("ROOT-EYRIE-17", f"/stack/3/left/{card}") in found


@rule("ROOT-WA-22")
def test_officers_do_not_come_in_the_evening():
    g = woodland({"5": {"sympathy": 1, "rabbit-base": 1}}, at="evening", officers=3)
    assert ("ROOT-WA-22", "/stack/2/most") in planted(g, frame(2, most=2, left=2))
    assert planted(g, frame(2, most=6, left=2)) == set()


@rule("ROOT-FX-10", "ROOT-FX-13")
def test_a_battle_before_daylight_is_that_of_a_command_warren():
    held = {CAT: {"crafted": ["command-warren"]}, OWL: {"hand": ["anvil"]}}
    g = game(held, MAP).play(CAT, "command-warren", clearing="5", defender=OWL)
    assert planted(g, frame(1, used=[])) == {("ROOT-FX-10", "/stack/1/used")}
    assert (
        planted(
            game({CAT: {}, OWL: {"hand": ["anvil"]}}, MAP).play(CAT, "battle", clearing="5", defender=OWL),
            frame(1, used=[]),
        )
        == set()
    )
