"""States of Root that cannot exist, and how they are told."""

from __future__ import annotations

from copy import deepcopy

import pytest

from service.engine.deck import Deck, Run
from service.engine.problems import problems
from service.engine.state import Outcome, Standing
from service.games.root.v1 import RULES
from service.games.root.v1.figures import LEADERS
from service.games.root.v1.state import Eyrie
from tests.games.root.table import CAT, OWL, fresh, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
MAP = {"1": {"keep": 1, CATS: 2}, "5": {"workshop": 1, CATS: 3, OWLS: 2}, "3": {"roost": 1, OWLS: 3}}
HELD = {CAT: {"hand": ["anvil", "bake-sale"], "crafted": ["tax-collector"]}, OWL: {"hand": ["sappers"]}}


def planted(change, **more):
    """The problems of a sound game after this change to its state."""
    g = game(HELD, MAP, **more)
    state = deepcopy(g.state)
    change(state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


def of(seat, **values):
    def change(state):
        for name, value in values.items():
            setattr(state.table.seats[seat], name, value)

    return change


def table(**values):
    def change(state):
        for name, value in values.items():
            setattr(state.table, name, value)

    return change


def moved(what, source, target, n=1):
    """Pieces put elsewhere; each place is a bag of the table."""

    def change(state):
        here, there = source(state.table), target(state.table)
        here[what] -= n
        if not here[what]:
            del here[what]
        there[what] = there.get(what, 0) + n

    return change


SEAT = "/table/seats/cat"
CASES = [
    (of(CAT, faction=None), ("ROOT-SETUP-1", f"{SEAT}/faction")),
    (of(CAT, faction="eyrie"), ("ROOT-SETUP-1", "/table/seats/owl/faction")),
    (of(CAT, eyrie=Eyrie()), ("ROOT-SETUP-1", f"{SEAT}/eyrie")),
    (of(OWL, eyrie=None), ("ROOT-SETUP-1", "/table/seats/owl/eyrie")),
    (of(CAT, score=None), ("ROOT-DOM-1", f"{SEAT}/score")),
    (of(CAT, score=30), ("ROOT-WIN-1", f"{SEAT}/score")),
    (of(CAT, crafted=["anvil"], hand={"bake-sale": 1, "tax-collector": 1}), ("ROOT-CRAFT-6", f"{SEAT}/crafted/0")),
    (table(order=[CAT]), ("ROOT-SETUP-2", "/table/order")),
    (table(ruins=["5"]), ("ROOT-SETUP-5", "/table/ruins/0")),
    (table(ruins=["6", "6"]), ("ROOT-MAP-8", "/table/ruins/1")),
    (lambda s: s.table.map.pop("7"), ("ROOT-MAP-1", "/table/map")),
    (moved("sawmill", lambda t: t.seats[CAT].supply, lambda t: t.map["3"]), ("ROOT-MAP-7", "/table/map/3")),
    (moved("recruiter", lambda t: t.seats[CAT].supply, lambda t: t.map["6"], 2), ("ROOT-MAP-7", "/table/map/6")),
    (moved("keep", lambda t: t.map["1"], lambda t: t.map["8"]), ("ROOT-SETUP-9", "/table/map/8/keep")),
    (moved("roost", lambda t: t.seats[OWL].supply, lambda t: t.map["9"], 2), ("ROOT-EYRIE-11", "/table/map/9/roost")),
    (moved("roost", lambda t: t.seats[OWL].supply, lambda t: t.box), ("ROOT-COMP-3", "/table/box/roost")),
    (
        moved(OWLS, lambda t: t.seats[OWL].supply, lambda t: t.seats[CAT].supply),
        ("ROOT-COMP-1", f"{SEAT}/supply/{OWLS}"),
    ),
    (moved("anvil", lambda t: t.seats[CAT].hand, lambda t: t.available), ("ROOT-CARD-5", "/table/available/anvil")),
    (lambda s: setattr(s.table, "deck", _known(s.table.deck)), ("ROOT-SETUP-4", "/table/deck/segments/0")),
    (lambda s: setattr(s.stack[0], "last", OWL), ("ROOT-GEN-9", "/stack/0/last")),
    (lambda s: setattr(s.stack[2], "seat", OWL), ("ROOT-GEN-9", "/stack/2/seat")),
    (lambda s: setattr(s.stack[3], "seat", OWL), ("ROOT-SETUP-1", "/stack/3/seat")),
    (lambda s: setattr(s.stack[1], "used", ["codebreakers"]), ("ROOT-FX-13", "/stack/1/used/0")),
    (lambda s: setattr(s.stack[1], "activated", {"fox": 99}), ("ROOT-CRAFT-2", "/stack/1/activated/fox")),
    (lambda s: setattr(s.stack[3], "left", 2), ("ROOT-MARQ-12", "/stack/3/left")),
    (lambda s: setattr(s.stack[3], "left", -1), ("ROOT-MARQ-12", "/stack/3/left")),
    (lambda s: setattr(s.stack[3], "recruited", True), ("ROOT-MARQ-15", "/stack/3/recruited")),
]  # fmt: skip


def _known(deck: Deck) -> Deck:
    return Deck([Run([c for c, n in sorted(deck.cards().items()) for _ in range(n)])])


@pytest.mark.parametrize(("change", "expected"), CASES)
def test_planted_faults(change, expected):
    assert expected in planted(change)


def test_nothing_is_wrong_without_them():
    assert planted(lambda state: None) == set()


# -- the Eyrie ----------------------------------------------------------------------------------------------------

DECREE = {"recruit": ["anvil"], "move": [], "battle": ["cobbler"], "build": []}


def of_the_eyrie(change, at="craft"):
    g = game({OWL: {"decree": DECREE, "leader": "charismatic"}}, MAP, turn=OWL)
    if at == "resolve":
        g.play(OWL, "resolve-decree")
    state = deepcopy(g.state)
    change(state.table.seats[OWL].eyrie, state.stack[-1])
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


BOARD = "/table/seats/owl/eyrie"


@pytest.mark.parametrize(
    ("change", "at", "expected"),
    [
        (lambda b, f: setattr(b, "leader", None), "craft", ("ROOT-SETUP-10", f"{BOARD}/leader")),
        (lambda b, f: setattr(b, "deposed", ["charismatic"]), "craft", ("ROOT-EYRIE-18", f"{BOARD}/leader")),
        (lambda b, f: setattr(b, "deposed", list(LEADERS)), "craft", ("ROOT-EYRIE-18", f"{BOARD}/deposed")),
        (lambda b, f: setattr(b, "leader", "despot"), "craft", ("ROOT-EYRIE-2", f"{BOARD}/decree/move")),
        (lambda b, f: b.decree.pop("build"), "craft", ("ROOT-EYRIE-7", f"{BOARD}/decree")),
        (lambda b, f: setattr(f, "column", "move"), "craft", ("ROOT-EYRIE-7", "/stack/3/column")),
        (lambda b, f: setattr(f, "column", None), "resolve", ("ROOT-EYRIE-7", "/stack/3/column")),
        (
            lambda b, f: setattr(f, "left", {"sappers": 1}),
            "resolve",
            ("ROOT-EYRIE-7", "/stack/3/left/sappers"),
        ),
        (lambda b, f: setattr(f, "left", {"anvil": 2}), "resolve", ("ROOT-EYRIE-7", "/stack/3/left/anvil")),
    ],
)
def test_planted_faults_of_the_eyrie(change, at, expected):
    assert expected in of_the_eyrie(change, at)


@pytest.mark.parametrize("added", [["bird", "bird"], ["fox", "fox", "fox"], ["cat"]])
def test_cards_that_cannot_have_been_added(added):
    state = deepcopy(game({OWL: {"hand": ["anvil"]}}, MAP, turn=OWL, at="turn").state)
    state.stack[-1].added = added
    assert ("ROOT-EYRIE-4", "/stack/3/added") in {(p.rule, p.pointer) for p in problems(RULES, state)}


@rule("ROOT-EYRIE-7", "ROOT-EYRIE-10")
@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"left": {"vizier": 1, "bake-sale": 1}}, "left"),
        ({"column": "move", "left": {}}, "column"),
        ({"column": "build", "left": {}}, "column"),
        ({"left": {"bake-sale": 1}}, None),
        ({"left": {}}, None),
    ],
)
def test_a_battle_of_the_decree_comes_of_a_card_of_its_column(values, field):
    held = {
        OWL: {"leader": "commander", "decree": {"battle": ["bake-sale"]}},
        CAT: {"hand": ["anvil"]},
    }
    g = game(held, {"5": {OWLS: 2, CATS: 1}, "2": {OWLS: 1}}, turn=OWL).play(OWL, "resolve-decree")
    g.play(OWL, "decree-move", card="vizier", from_="2", to="5", warriors=1)
    g.play(OWL, "decree-battle", card="vizier", clearing="5", defender=CAT)
    assert over_the_decree(g, values) == (set() if field is None else {("ROOT-EYRIE-7", f"/stack/3/{field}")})


@rule("ROOT-EYRIE-7", "ROOT-EYRIE-9", "ROOT-WA-10")
@pytest.mark.parametrize(
    ("values", "field"),
    [({"left": {"vizier": 1}}, "left"), ({"column": "battle", "left": {}}, "column"), ({"left": {}}, None)],
)
def test_outrage_in_the_decree_comes_of_a_move(values, field):
    held = {
        OWL: {"faction": "eyrie", "leader": "commander", "decree": {}, "hand": ["anvil"]},
        CAT: {"faction": "marquise"},
        "ally": {"faction": "alliance"},
    }
    g = game(held, {"5": {"sympathy": 1}, "2": {OWLS: 1}}, turn=OWL).play(OWL, "resolve-decree")
    g.play(OWL, "decree-move", card="vizier", from_="2", to="5", warriors=1)
    assert over_the_decree(g, values) == (set() if field is None else {("ROOT-EYRIE-7", f"/stack/3/{field}")})


def over_the_decree(g, values):
    """The problems once the Eyrie's Daylight has these values, while what a card brings about is played."""
    assert type(g.state.stack[3]).__name__ == "EyrieDaylight"
    assert len(g.state.stack) > 4
    assert problems(RULES, g.state) == []
    state = deepcopy(g.state)
    for name, value in values.items():
        setattr(state.stack[3], name, value)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


# -- battle, draws, the end ---------------------------------------------------------------------------------------


def in_battle(change, *dice):
    """The Marquise attack the Eyrie in clearing 5; both have crafted cards to use."""
    held = {CAT: {"crafted": ["brutal-tactics"]}, OWL: {"hand": ["anvil"], "crafted": ["sappers"]}}
    g = game(held, MAP).play(CAT, "battle", clearing="5", defender=OWL)
    if dice:
        g.play(OWL, "pass").roll(*dice)
    state = deepcopy(g.state)
    change(state.stack[-1])
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


@pytest.mark.parametrize(
    ("change", "dice", "expected"),
    [
        (lambda f: setattr(f, "defender", CAT), (), ("ROOT-BATTLE-1", "/stack/4/defender")),
        (lambda f: setattr(f, "ambush", "anvil"), (), ("ROOT-BATTLE-4", "/stack/4/ambush")),
        (lambda f: setattr(f, "ambush", "ambush-fox"), (), ("ROOT-BATTLE-4", "/stack/4/ambush")),
        (lambda f: setattr(f, "dice", [1]), (), ("ROOT-BATTLE-10", "/stack/4/dice")),
        (lambda f: setattr(f, "rolled", {CAT: 1}), (), ("ROOT-BATTLE-10", "/stack/4/rolled")),
        (lambda f: setattr(f, "dice", [4, 0]), (2, 1), ("ROOT-BATTLE-10", "/stack/4/dice")),
        (lambda f: setattr(f, "dice", [1]), (2, 1), ("ROOT-BATTLE-10", "/stack/4/dice")),
        (lambda f: setattr(f, "rolled", {CAT: 1, OWL: 1}), (2, 1), ("ROOT-BATTLE-12", "/stack/4/rolled")),
        (lambda f: setattr(f, "extra", {CAT: -1}), (2, 1), ("ROOT-BATTLE-12", "/stack/4/extra/cat")),
    ],
)
def test_planted_faults_of_a_battle(change, dice, expected):
    assert in_battle(lambda f: None, *dice) == set()
    assert expected in in_battle(change, *dice)


def declared(*declarations, **changed):
    """Faults of a battle 5 against 5 in which each side has cards to use, after so many declarations."""
    mine, his = ["brutal-tactics", "armorers"], ["sappers", "armorers"]
    held = {CAT: {"hand": ["bake-sale"], "crafted": mine}, OWL: {"crafted": his}}
    g = game(held, {"1": {CATS: 5, OWLS: 5}, "2": {"keep": 1}}).play(
        CAT, "battle", clearing="1", defender=OWL
    )
    g.roll(2, 1)
    for seat, cards in zip((CAT, OWL), declarations, strict=False):
        g.play(seat, "battle-effects", cards=dict.fromkeys(cards, 1))
    state = deepcopy(g.state)
    at = next(i for i, f in enumerate(state.stack) if type(f).__name__ == "Battle")
    for name, value in changed.items():
        setattr(state.stack[at], name, value)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


@rule("ROOT-BATTLE-14", "ROOT-BATTLE-16", "ROOT-FX-2", "ROOT-FX-3")
@pytest.mark.parametrize(
    ("declarations", "extra", "wrong"),
    [
        ((), {CAT: 1}, CAT),
        ((), {OWL: 1}, OWL),
        ((["brutal-tactics"],), {CAT: 2}, CAT),
        ((["brutal-tactics"],), {CAT: 1, OWL: 1}, OWL),
        ((["brutal-tactics"], ["armorers"]), {CAT: 60, OWL: 0}, CAT),
        ((["brutal-tactics"], ["armorers"]), {CAT: 1, OWL: 1}, OWL),
    ],
)
def test_extra_hits_are_those_that_somebody_declared(declarations, extra, wrong):
    assert declared(*declarations) == set()
    assert any(
        r == "ROOT-BATTLE-14" and p.endswith(f"/extra/{wrong}")
        for r, p in declared(*declarations, extra=extra)
    )


@rule("ROOT-BATTLE-4", "ROOT-BATTLE-5")
@pytest.mark.parametrize(("ambush", "wrong"), [("ambush-fox", True), ("ambush-bird", False)])
def test_an_ambush_that_may_be_foiled_has_been_played(ambush, wrong):
    """Clearing 1 is of foxes; both cards match, one of them was played."""
    held = {CAT: {"hand": ["anvil"]}, OWL: {"hand": ["ambush-bird"]}}
    g = game(held, {"1": {CATS: 3, OWLS: 3}}).play(CAT, "battle", clearing="1", defender=OWL)
    g.play(OWL, "play-ambush", card="ambush-bird")
    state = deepcopy(g.state)
    state.stack[-1].ambush = ambush
    found = {(p.rule, p.pointer) for p in problems(RULES, state)}
    assert found == ({("ROOT-BATTLE-4", "/stack/4/ambush")} if wrong else set())


@rule("ROOT-FX-1")
def test_who_still_has_his_armorers_has_not_ignored_the_rolled_hits():
    assert declared(["armorers"]) == set()
    assert {rule_ for rule_, _ in declared(["brutal-tactics"], rolled={CAT: 2, OWL: 0})} == {"ROOT-BATTLE-12"}


@pytest.mark.parametrize(
    ("field", "value", "rule_"),
    [
        ("to", "supporters", "ROOT-CARD-6"),
        ("left", 0, "ROOT-CARD-6"),
        ("left", -1, "ROOT-CARD-6"),
        ("because", "ROOT-NONE-1", None),
    ],
)
def test_planted_faults_of_a_draw(field, value, rule_):
    state = deepcopy(game(HELD, MAP, at="evening").state)
    setattr(state.stack[-1], field, value)
    assert (rule_, f"/stack/3/{field}") in {(p.rule, p.pointer) for p in problems(RULES, state)}


def ended(**outcome):
    state = deepcopy(game({CAT: {"score": 29, "hand": ["root-tea-fox"]}}, {"7": {"workshop": 1}}).play(
        CAT, "craft", card="root-tea-fox", pieces={"mouse": 1}).state)  # fmt: skip
    for name, value in outcome.items():
        setattr(state.outcome, name, value)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


@rule("ROOT-WIN-1", "ROOT-WIN-2")
def test_an_outcome_is_worked_out_again():
    assert ended() == set()
    assert ("ROOT-WIN-1", "/outcome/winners") in ended(winners=[OWL])
    assert ("ROOT-WIN-1", "/outcome/winners") in ended(winners=[CAT, OWL])
    assert ("ROOT-WIN-1", "/outcome/because") in ended(because="ROOT-GEN-1")
    assert ("ROOT-WIN-2", "/outcome/because") in ended(because="ROOT-WIN-2")
    assert ("ROOT-DOM-2", "/outcome/winners") in ended(because="ROOT-DOM-2")
    wrong = [Standing(CAT, 30, {"points": 30}), Standing(OWL, 0, {"points": 0})]
    assert ("ROOT-WIN-1", "/outcome/standings/0") in ended(standings=wrong)
    assert isinstance(fresh("marquise", "eyrie").state.outcome, Outcome | None)


def at_set_up(change):
    g = fresh("marquise", "eyrie")
    g.play("chance", "draw-seat", seat=CAT).draw_any()
    state = deepcopy(g.state)
    change(state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


@rule("ROOT-SETUP-7")
@pytest.mark.parametrize("waiting", [[], [OWL, CAT], [CAT]])
def test_who_is_still_to_set_up(waiting):
    assert at_set_up(lambda s: None) == set()
    assert ("ROOT-SETUP-7", "/stack/0/waiting") in at_set_up(
        lambda s: setattr(s.stack[0], "waiting", waiting)
    )


def test_a_roost_is_chosen_a_place_only_where_there_is_none():
    g = game({OWL: {"hand": ["anvil"]}}, {c: {CATS: 1} for c in ("1", "2", "3", "4", "5", "6", "9", "10", "11", "12")},
             turn=OWL, at="turn")  # fmt: skip
    g.play(OWL, "add-to-decree", card="anvil", column="move")
    assert g.kinds == ("new-roost",)
    state = deepcopy(g.state)
    moved("roost", lambda t: t.seats[OWL].supply, lambda t: t.map["8"])(state)
    assert ("ROOT-EYRIE-5", "/stack/3/step") in {(p.rule, p.pointer) for p in problems(RULES, state)}


def test_hospitals_are_for_what_was_removed():
    cat = {"hand": ["bake-sale"], "crafted": ["tax-collector"]}
    g = game({CAT: cat}, MAP).play(CAT, "tax-collector", clearing="5")
    for change in ({"warriors": 2}, {"clearing": "1"}, {"seat": OWL}):
        state = deepcopy(g.state)
        for name, value in change.items():
            setattr(state.stack[-1], name, value)
        assert "ROOT-MARQ-5" in {p.rule for p in problems(RULES, state)}
