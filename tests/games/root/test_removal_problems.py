"""What cannot have left the map: by hits, by an effect; a list of changes to removals, and where each is told."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from service.engine.problems import problems
from service.games.root.v1 import RULES
from service.games.root.v1.hits import Hits
from service.games.root.v1.state import Battle, Removal
from tests.games.root.ally import ALLY, woodland
from tests.games.root.rogue import no_cards
from tests.games.root.table import CAT, OWL, fresh, game

rule = pytest.mark.rule

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
MAP = {"1": {"keep": 1, CATS: 2}, "3": {"roost": 1, OWLS: 3}, "5": {"workshop": 1, CATS: 3, OWLS: 2}}
HAND = {CAT: {"hand": ["bake-sale"]}}


@cache
def by_hits() -> Any:
    """Two hits for the Eyrie, one for the Marquise, who may save a warrior."""
    return game(HAND, MAP).fight(CAT, OWL, "5", 2, 1).state


@cache
def by_too_many_hits() -> Any:
    """Three hits of which the last finds nothing: the Eyrie have two warriors and nothing else there."""
    return game(HAND, MAP).fight(CAT, OWL, "5", 3, 1).state


@cache
def by_tax() -> Any:
    cat = {"crafted": ["tax-collector"], "hand": ["bake-sale"]}
    return game({CAT: cat}, MAP).play(CAT, "tax-collector", clearing="5").state


@cache
def by_revolt() -> Any:
    here = {**MAP, "5": {CATS: 2, "sympathy": 1, "workshop": 1}}
    g = woodland(here, supporters=["a-visit-to-friends", "root-tea-rabbit"], cat=HAND[CAT])
    return g.play(
        ALLY, "revolt", clearing="5", supporters={"a-visit-to-friends": 1, "root-tea-rabbit": 1}
    ).state


@cache
def by_favor() -> Any:
    here = {"4": {"keep": 1}, "6": {"roost": 1}, "8": {"roost": 1, CATS: 1}, "12": {"roost": 1, CATS: 2}}
    g = game({OWL: {"hand": ["favor-of-the-foxes"]}, CAT: {"hand": ["foxfolk-steel"]}}, here, turn=OWL)
    return g.play(OWL, "craft", card="favor-of-the-foxes", pieces={"fox": 3}).state


def removal(**values: Any) -> Any:
    def change(f: Removal) -> None:
        for name, value in values.items():
            setattr(f, name, value)

    return change


CASES = {
    "a tax in a battle": (by_hits, removal(because="ROOT-FX-12"), "ROOT-BATTLE-17", "/because"),
    "scored by another clause": (by_hits, removal(scoring="ROOT-FX-12"), "ROOT-BATTLE-20", "/scoring"),
    "hits, but in no battle": (by_hits, removal(in_battle=False), "ROOT-BATTLE-22", "/in_battle"),
    "an effect, but in a battle": (by_tax, removal(in_battle=True), "ROOT-BATTLE-22", "/in_battle"),
    "nothing": (by_hits, removal(losses={}), "ROOT-BATTLE-17", "/losses"),
    "nothing by somebody": (by_hits, removal(losses={CAT: {}, OWL: {"5": {CATS: 1}}}), "ROOT-BATTLE-17", "/losses"),
    "nothing in a clearing": (by_tax, removal(losses={CAT: {"5": {}}}), "ROOT-FX-7", "/losses"),
    "in another clearing": (
        by_hits, removal(losses={CAT: {"9": {OWLS: 2}}, OWL: {"5": {CATS: 1}}}), "ROOT-BATTLE-17", "/losses/cat/9"
    ),
    "more than hits": (
        by_hits, removal(losses={CAT: {"5": {OWLS: 3}}, OWL: {"5": {CATS: 1}}}), "ROOT-BATTLE-17", "/losses"
    ),
    "by who is not on turn": (by_tax, removal(losses={OWL: {"5": {CATS: 1}}}), "ROOT-GEN-9", "/losses/owl"),
    "a revolt in two clearings": (
        by_revolt, removal(losses={ALLY: {"5": {CATS: 2, "workshop": 1}, "7": {CATS: 1}}}), "ROOT-WA-14",
        "/losses/ally",
    ),
    "a favor of two suits": (
        by_favor, removal(losses={OWL: {"8": {CATS: 1}, "12": {CATS: 2}, "7": {CATS: 1}}}), "ROOT-FX-12",
        "/losses/owl",
    ),
    "an effect scored by another": (by_revolt, removal(scoring="ROOT-BATTLE-20"), "ROOT-WA-14", "/scoring"),
}  # fmt: skip


@rule("ROOT-BATTLE-17", "ROOT-BATTLE-20", "ROOT-GEN-5")
@pytest.mark.parametrize("name", CASES)
def test_what_cannot_have_been_removed(name):
    made, change, clause, pointer = CASES[name]
    state = deepcopy(made())
    assert problems(RULES, state) == []
    (i,) = [i for i, f in enumerate(state.stack) if isinstance(f, Removal)]
    change(state.stack[i])
    assert (clause, f"/stack/{i}{pointer}") in {(p.rule, p.pointer) for p in problems(RULES, state)}


def dealing(leader, dice, crafted=(), used=(), cats=1, **changed):
    """Faults of a battle whose hits are known and have removed nothing; the Eyrie attack, with Brutal Tactics."""
    owl = {"leader": leader, "decree": {"battle": ["bake-sale"]}, "crafted": ["brutal-tactics"]}
    here = {
        "5": {OWLS: 4, **({CATS: cats} if cats else {}), "workshop": 1, "wood": 3},
        "8": {"roost": 1},
        "9": {OWLS: 1},
    }
    g = game({OWL: owl, CAT: {"crafted": list(crafted)}}, here, turn=OWL).play(OWL, "resolve-decree")
    g.play(OWL, "decree-move", card="vizier", from_="9", to="12", warriors=1)
    g.play(OWL, "decree-battle", card="bake-sale", clearing="5", defender=CAT).roll(*dice)
    g.play(OWL, "battle-effects", cards={})
    if crafted:
        g.play(CAT, "battle-effects", cards=dict.fromkeys(used, 1))
    state = deepcopy(g.state)
    assert problems(RULES, state) == []
    (battle,) = (f for f in state.stack if isinstance(f, Battle))
    (hits,) = (f for f in state.stack if isinstance(f, Hits))
    for name, value in changed.items():
        setattr(battle, name, getattr(battle, name) | value)
    dealt = {seat: battle.rolled[seat] + battle.extra.get(seat, 0) for seat in (OWL, CAT)}
    hits.hits = {OWL: dealt[CAT], CAT: dealt[OWL]}
    return {(p.rule, p.pointer.split("/", 3)[-1]) for p in problems(RULES, state)}


COMMANDED, RULED = ("commander", (1, 1)), ("despot", (2, 1))
BOTH = ("armorers", "sappers")


@rule("ROOT-BATTLE-14", "ROOT-BATTLE-16", "ROOT-EYRIE-22", "ROOT-FX-2", "ROOT-FX-3")
@pytest.mark.parametrize(
    ("battle", "made", "extra", "wrong"),
    [
        (COMMANDED, {}, {OWL: 1}, None),
        (COMMANDED, {}, {OWL: 2}, None),  # Brutal Tactics stay where they are
        (("commander", (2, 1)), {}, {OWL: 0}, OWL),
        (COMMANDED, {}, {OWL: 3}, OWL),
        (RULED, {}, {OWL: 1}, None),
        (RULED, {}, {OWL: 2}, OWL),
        (("despot", (2, 0)), {"cats": 0}, {OWL: 0}, OWL),  # the defenseless
        (("despot", (1, 0)), {"cats": 0}, {OWL: 2}, None),
        (("despot", (0, 0)), {"cats": 0}, {OWL: 3}, OWL),
        (COMMANDED, {}, {CAT: 1}, None),  # who has no Sappers may have used them
        (COMMANDED, {}, {CAT: 2}, CAT),
        (COMMANDED, {"crafted": BOTH}, {CAT: 1}, CAT),
        (COMMANDED, {"crafted": BOTH, "used": ["sappers"]}, {CAT: 1}, None),
    ],
)
def test_extra_hits_are_those_of_cards_of_a_leader_and_against_the_defenseless(battle, made, extra, wrong):
    found = dealing(*battle, **made, extra=extra)
    assert found == (set() if wrong is None else {("ROOT-BATTLE-14", f"extra/{wrong}")})


@rule("ROOT-BATTLE-12", "ROOT-BATTLE-15", "ROOT-FX-1")
@pytest.mark.parametrize(
    ("crafted", "used", "rolled", "wrong"),
    [
        ((), (), {CAT: 0}, False),  # who has no Armorers may have used them
        (BOTH, (), {CAT: 0}, False),
        (BOTH, (), {OWL: 1}, True),
        (BOTH, ("sappers",), {OWL: 0}, True),
        (("sappers",), (), {OWL: 1}, True),
    ],
)
def test_rolled_hits_are_those_of_the_dice_till_they_remove_anything(crafted, used, rolled, wrong):
    found = dealing("commander", (2, 1), crafted, used, rolled=rolled)
    assert (("ROOT-BATTLE-12", "rolled") in found) == wrong


@rule("ROOT-BATTLE-17")
def test_hits_that_find_nothing_are_lost():
    assert problems(RULES, deepcopy(by_too_many_hits())) == []


@rule("ROOT-BATTLE-17")
def test_what_stands_there_would_have_gone_too():
    """Two hits, of which one took a warrior: the Marquise would have lost the workshop as well."""
    state = deepcopy(by_hits())
    (hits,) = [f for f in state.stack if isinstance(f, Hits)]
    (battle,) = [f for f in state.stack if isinstance(f, Battle)]
    (i,) = [i for i, f in enumerate(state.stack) if isinstance(f, Removal)]
    hits.hits, battle.rolled, battle.dice = {CAT: 2, OWL: 2}, {CAT: 2, OWL: 2}, [2, 2]
    assert ("ROOT-BATTLE-17", f"/stack/{i}/losses") in {(p.rule, p.pointer) for p in problems(RULES, state)}


# -- the battle itself --------------------------------------------------------------------------------------------


def of_the_battle(state: Any, change: Any) -> set[tuple[str | None, str]]:
    state = deepcopy(state)
    assert problems(RULES, state) == []
    (battle,) = [f for f in state.stack if isinstance(f, Battle)]
    change(battle)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


@rule("ROOT-BATTLE-12", "ROOT-BATTLE-10")
@pytest.mark.parametrize("rolled", [{CAT: 2}, {CAT: 3, OWL: 1}, {CAT: 2, OWL: 2}, {}])
def test_nobody_deals_more_than_the_dice_show(rolled):
    def change(battle):
        battle.rolled = rolled

    assert ("ROOT-BATTLE-12", "/stack/4/rolled") in of_the_battle(by_hits(), change)


@rule("ROOT-GEN-9")
def test_who_attacks_is_on_turn():
    g = no_cards(game(HAND, MAP).play(CAT, "battle", clearing="5", defender=OWL))

    def change(battle):
        battle.attacker, battle.defender = OWL, CAT

    assert ("ROOT-GEN-9", "/stack/4/attacker") in of_the_battle(g.state, change)


# -- two Vagabonds: who has still to set up -----------------------------------------------------------------------


@rule("ROOT-SETUP-7", "ROOT-VAG2-6")
def test_of_two_vagabonds_the_other_waits():
    g = fresh("marquise", "vagabond", "vagabond").play("chance", "draw-seat", seat=CAT)
    while "draw-seat" in g.kinds:
        g.play("chance", "draw-seat", seat=OWL)
    g.draw_any().play(CAT, "setup-marquise", keep="1", sawmill="1", workshop="5", recruiter="9")
    g.play("chance", "draw-vagabond", seat=OWL)
    state = deepcopy(g.state)
    assert problems(RULES, state) == []
    state.stack[0].waiting = []
    at = "/table/seats/fox/vagabond/character"
    assert ("ROOT-SETUP-12", at) in {(p.rule, p.pointer) for p in problems(RULES, state)}
