"""Which clauses a refused payment breaks: where nothing can be paid, they are the same whatever is offered.

One principle for every price of the game: the clause of the price itself, and with it whatever bars every way to pay it
(points, markers and vassals that are not there, the last vassal, that on the space). Where something can be paid, the
clauses of the offer.
"""

from itertools import combinations

import pytest

from service.games.simurgh.v1 import main_action
from service.games.simurgh.v1.dragons import UseAbility
from tests.games.simurgh.table import game, space, tile
from tests.games.simurgh.test_data import DATA, ITEMS, POOL, VASSALS, costs, offered, summed

rule, refusal = pytest.mark.rule, pytest.mark.refusal
ALL = ("vegetable", "meat", "wood", "stone", "wisdom", "weapon", "pp")
WRONG = {
    "SIM-EFF-2",
    "SIM-EFF-4",
    "SIM-EFF-5",
    "SIM-COMP-6",
    "SIM-PAY-2",
    "SIM-PAY-3",
    "SIM-PAY-4",
    "SIM-PAY-6",
}


def priced(kind):
    """The spaces or abilities with a price, and the ways to pay it."""
    return [(x["id"], costs(x["effect"]["pay"])) for x in DATA[kind] if "pay" in x["effect"]]


def offers(ways):
    """Nothing, every way, less and more of it, what nobody asked for, and vassals and markers from anywhere."""
    bags = [{}, *({what: 1} for what in ALL), {"spearman": 1}, {"dragonrider": 1}, {"marker": 1}]
    for way in ways:
        bags.append(way)
        bags += [summed([way, {what: n}]) for what in way for n in (-1, 1)]
        bags += [summed([way, {what: 1}]) for what in ("wisdom", "pp", "spearman", "marker")]
    yield from map(offered, bags)
    yield {"vassals": {"spearman": {"armory": 1}}}
    yield {"tokens": {"pp": 1}, "vassals": {"dragonrider": {"great-market": 1}}}


def barred(ways, has_markers=0):
    """What is broken by who has neither tokens nor markers, and enough vassals: by every way to pay."""
    rules = ({"pp": "SIM-COMP-6"} | ({} if has_markers else {"marker": "SIM-EFF-5"})).items()
    return {clause for what, clause in rules if all(what in way for way in ways)}


def clauses(g, kind, given, wire):
    """The clauses of every offer; none where one is accepted."""
    return {frozenset(v.rule for v in g.judged("ann", kind, cost=cost, **wire).violations) for cost in given}


def at(where, ann):
    """A table at which the first player may use a space."""
    printed, bob, laid = ITEMS["spaces"][where], {}, {}
    if printed["tile"] is not None:
        other = f"{printed['tile']}-{1 if printed['number'] != 1 else 2}"
        who = "dragonrider" if ITEMS["spaces"][other]["who"] == "dragonrider" else "spearman"
        bob = {"available": {"spearman": 1}, "assigned": {other: {who: 1}}}
        laid = {"wilds-1": int(where.split("-")[1])}
    return game({"ann": {"dragons": (57,), **ann}, "bob": bob}, wilds=laid)


def vassal_for(where):
    return "dragonrider" if ITEMS["spaces"][where]["who"] == "dragonrider" else "spearman"


# -- nothing can be paid ----------------------------------------------------------------------------------------


@rule("SIM-PLACE-5", "SIM-COMP-6", "SIM-EFF-5", "SIM-DEC-20")
@pytest.mark.parametrize(("where", "ways"), [x for x in priced("spaces") if not set(VASSALS) & set(x[1][0])])
def test_who_has_nothing_breaks_the_same_clauses_at_a_space_whatever_he_offers(where, ways):
    g = at(where, {"available": {"spearman": 1, "dragonrider": 1}})
    wire = {"vassal": vassal_for(where), "space": where}
    assert clauses(g, "place-vassal", offers(ways), wire) == {frozenset({"SIM-PLACE-5"} | barred(ways))}


@rule("SIM-PLACE-5", "SIM-PAY-2", "SIM-PAY-4", "SIM-EFF-5", "SIM-PAY-6")
@pytest.mark.parametrize(("where", "ways"), [x for x in priced("spaces") if set(VASSALS) & set(x[1][0])])
def test_who_has_no_vassal_to_pay_with_breaks_the_same_clauses_whatever_he_offers(where, ways):
    """He may have none of the kind (SIM-EFF-5), just the one that is being placed (SIM-PAY-4), or no other at all."""
    (way,), kind = ways, vassal_for(where)
    tokens = {"resources": {what: n for what, n in way.items() if what in POOL}}
    wire = {"vassal": kind, "space": where}
    for available in ({kind: 1}, {"spearman": 1, "dragonrider": 1}, {kind: 2}):
        short = [k for k in VASSALS if way.get(k, 0) > available.get(k, 0) - (k == kind)]
        owned = all(way.get(k, 0) <= available.get(k, 0) for k in VASSALS)
        if not short and sum(available.values()) > sum(way.get(k, 0) for k in VASSALS):
            continue  # he can pay
        wanted = {"SIM-PLACE-5"} | {
            "SIM-PAY-4" if way[k] <= available.get(k, 0) else "SIM-EFF-5" for k in short
        }
        if owned and sum(available.values()) == sum(way.get(k, 0) for k in VASSALS):
            wanted.add("SIM-PAY-2")
        g = at(where, {**tokens, "available": available})
        assert clauses(g, "place-vassal", offers(ways), wire) == {frozenset(wanted)}, available


EXPLORED = [(x["id"], x["number"], costs(x["move_cost"])) for x in DATA["tiles"] if x["move_cost"]]


@rule("SIM-EXPL-2", "SIM-EXPL-3", "SIM-EXPL-4")
@pytest.mark.parametrize(("path", "number", "ways"), EXPLORED)
def test_who_cannot_pay_a_step_breaks_the_clause_of_the_step_whatever_he_offers(path, number, ways):
    on, wire = {space(number): {"dragonrider": 1}}, {"vassal": "dragonrider", "space": f"{path}-1"}
    g = game({"ann": {}, "bob": {"assigned": on}}, wilds=(number,))
    assert clauses(g, "place-vassal", offers(ways), wire) == {frozenset({"SIM-EXPL-3"})}
    ann = {"available": {"spearman": 1}, "assigned": on}
    g = game({"ann": ann, "bob": {}}, wilds=(number,))
    assert clauses(g, "move-rider", offers(ways), {"tile": path}) == {frozenset({"SIM-EXPL-4"})}


@rule("SIM-EXPL-2", "SIM-EFF-2", "SIM-EFF-4", "SIM-COMP-6", "SIM-EFF-5", "SIM-PAY-2")
@pytest.mark.parametrize(("path", "number", "ways"), EXPLORED)
def test_who_can_pay_for_the_new_tile_breaks_its_clause_only_by_offering_less(path, number, ways):
    """A tile is laid only where a vassal can follow (SIM-TILE-8), so here there is always something to be paid."""
    way = ways[0]
    ann = {"hand": (number,), "resources": {what: n for what, n in way.items() if what in POOL}}
    g = game({"ann": ann, "bob": {}}).play("ann", "place-tile", tile=path, wilds="wilds-1", income=0)
    wire = {"vassal": "dragonrider", "space": f"{path}-1"}
    assert clauses(g, "place-vassal", [{}], wire) == {frozenset({"SIM-EXPL-2"})}
    for cost in offers(ways):
        (broken,) = clauses(g, "place-vassal", [cost], wire)
        assert broken <= WRONG | {"SIM-EXPL-2"}, cost
        assert broken or cost == offered(way)


FREE = [(x["id"], x["dragon"]) for x in DATA["abilities"] if x["trigger"] is None]


def kind_of(ability):
    fetches = "take-display-tile" in str(ITEMS["abilities"][ability]["effect"])
    return ("fetch-tile", {"place": "display-1"}) if fetches else ("use-ability", {})


@rule("SIM-DRAGON-9", "SIM-COMP-6", "SIM-EFF-5", "SIM-PAY-2")
@pytest.mark.parametrize(("ability", "ways"), priced("abilities"))
def test_who_has_nothing_breaks_the_same_clauses_by_an_ability_whatever_he_offers(ability, ways):
    """A Spearman at home pays nothing as long as he is the last vassal; there is no rider."""
    (_, number, slot), (kind, more) = ability.split("-"), kind_of(ability)
    ann = {"dragons": (int(number),), "markers": [f"{number}-{slot}"], "available": {"spearman": 1}}
    wanted = {"SIM-DRAGON-9"} | barred(ways)
    wanted |= {"SIM-PAY-2"} if "spearman" in ways[0] else {"SIM-EFF-5"} if "dragonrider" in ways[0] else set()
    g = game({"ann": ann, "bob": {}})
    assert clauses(g, kind, offers(ways), {"ability": ability, **more}) == {frozenset(wanted)}


@rule("SIM-SCOUT-3", "SIM-SCOUT-4")
def test_who_cannot_pay_a_tile_breaks_the_clause_of_its_price_whatever_he_offers():
    """He has a wisdom and a wood: the first space can be paid, the others cannot."""
    g = game({"ann": {"resources": {"wisdom": 1}}, "bob": {}})
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    for shelf in DATA["display"]:
        ways, wire = costs(shelf["price"]), {"place": shelf["id"]}
        if all(way == {"wisdom": 1} for way in ways):
            continue
        wanted = "SIM-SCOUT-3" if shelf["number"] else "SIM-SCOUT-4"
        assert clauses(g, "acquire-tile", offers(ways), wire) == {frozenset({wanted})}, shelf["id"]


@rule("SIM-STATUE-2")
def test_who_cannot_pay_an_objective_space_breaks_its_clause_whatever_he_offers():
    g = game({"ann": {}, "bob": {}}, objective_deck=(73, 74, 75)).place("dragonrider", "statue")
    for pedestal in DATA["statue"]:
        wire, ways = {"objective": "objective-73", "space": pedestal["id"]}, costs(pedestal["price"])
        if {} in ways:
            continue
        assert clauses(g, "place-objective", offers(ways), wire) == {
            frozenset({"SIM-STATUE-2"} | barred(ways))
        }


@rule("SIM-TILE-2")
def test_who_has_no_weapon_breaks_the_clause_of_the_removal_whatever_he_offers():
    there = {space(2): {"spearman": 1}, space(8): {"spearman": 1}, space(12): {"dragonrider": 1}}
    bob = {"available": {"spearman": 1}, "assigned": there}
    g = game({"ann": {"hand": (1,)}, "bob": bob}, wilds=(2, 8, 12))
    wire = {"tile": tile(1), "wilds": "wilds-1", "income": 0}
    assert clauses(g, "replace-tile", offers([{"weapon": 1}]), wire) == {frozenset({"SIM-TILE-2"})}


# -- something can be paid --------------------------------------------------------------------------------------


@rule("SIM-EFF-2", "SIM-EFF-4", "SIM-PAY-6")
@pytest.mark.parametrize(("where", "ways"), priced("spaces"))
def test_who_can_pay_for_a_space_breaks_the_clauses_of_his_offer_and_never_that_of_the_space(where, ways):
    """He has exactly one way to pay, and one vassal of each kind besides."""
    kind = vassal_for(where)
    for way in ways:
        vassals = summed([{kind: 1, "spearman": 1}, {k: n for k, n in way.items() if k in VASSALS}])
        available = {k: min(n, ITEMS["vassals"][k]["count"]) for k, n in vassals.items()}
        tokens = {what: n for what, n in way.items() if what in POOL}
        marks = ["57-1"] if "marker" in way else []
        g = at(where, {"resources": tokens, "pp": way.get("pp", 0), "markers": marks, "available": available})
        wire = {"vassal": kind, "space": where}
        for cost in offers(ways):
            (broken,) = clauses(g, "place-vassal", [cost], wire)
            assert broken <= WRONG, cost
            assert broken or cost == offered(way)
        less = "SIM-EFF-2" if len(ways) > 1 else "SIM-EFF-4"
        assert set(g.refused("ann", "place-vassal", cost={}, **wire)) == {less}
        g.place(kind, where, **offered(way))


@rule("SIM-EFF-4", "SIM-COMP-6", "SIM-EFF-5")
@refusal("SIM-EFF-4", "SIM-COMP-6")
def test_where_nothing_is_to_be_paid_an_offer_breaks_that_alone_and_what_is_not_owned():
    g = game({"ann": {"dragons": (53,), "markers": ["53-1"], "resources": {"wood": 1}}, "bob": {}})
    for kind, wire in (
        ("place-vassal", {"vassal": "spearman", "space": "great-market"}),
        ("use-ability", {"ability": "dragon-53-1"}),
    ):
        for tokens in ({"wood": 1}, {"stone": 1}, {"wood": 2, "stone": 1}):
            assert set(g.refused("ann", kind, cost={"tokens": tokens}, **wire)) == {"SIM-EFF-4"}
        points = g.refused("ann", kind, cost={"tokens": {"pp": 1}}, **wire)
        assert set(points) == {"SIM-EFF-4", "SIM-COMP-6"}


@rule("SIM-TURN-12", "SIM-EFF-5")
@refusal("SIM-TURN-12")
def test_whether_a_main_action_is_left_is_looked_at_once_for_all_choices_of_markers(monkeypatch):
    """By the house an ability costs the last Spearman at home and four of 41 markers, which come from anywhere."""
    price = {"pay": {"fixed": {"spearman": 1, "marker": 4}}, "gain": {"take": {"pp": 1}}}
    dragons = [53, *range(54, 67)]
    markers = [f"{d}-{k}" for d in dragons for k in (1, 2, 3)]
    ann = {"dragons": dragons, "markers": markers, "available": {"spearman": 1}, "resources": {"weapon": 1}}
    seats = {
        "ann": {**ann, "assigned": {space(43, 3): {"dragonrider": 1}}},
        "bob": {"assigned": {space(43, 1): {"dragonrider": 1}}},
    }
    g = game(seats, wilds=(43,), house={"abilities": {"dragon-53-1": {"effect": price}}})
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})
    while "place-vassal" not in g.kinds:
        g.play("ann", "decline")
    four = {f"dragon-54-{k}": 1 for k in (1, 2, 3)} | {"dragon-55-1": 1}
    asked = []
    stays = main_action.stays
    monkeypatch.setattr(main_action, "stays", lambda *args: asked.append(args) or stays(*args))
    cost = {"vassals": {"spearman": {"available": 1}}, "markers": four}
    assert set(g.refused("ann", "use-ability", ability="dragon-53-1", cost=cost)) == {"SIM-TURN-12"}
    assert 1 <= len(asked) <= 4, "the vassal is the same whichever markers go"
    assert "dragon-53-1" not in {o["ability"] for o in g.options("ann", "use-ability")}


@rule("SIM-EFF-5", "SIM-PAY-3")
def test_every_choice_of_markers_and_vassals_that_can_pay_is_offered():
    """Two of four markers, and a Spearman from either space: six pairs, two places."""
    price = {"pay": {"fixed": {"spearman": 1, "marker": 2}}, "gain": {"take": {"pp": 1}}}
    ann = {"dragons": (53, 54), "markers": ["53-1", "53-2", "53-3", "54-1", "54-2"]}
    ann |= {"available": {"dragonrider": 1}, "assigned": {s: {"spearman": 1} for s in ("armory", "library")}}
    g = game({"ann": ann, "bob": {}}, house={"abilities": {"dragon-53-1": {"effect": price}}})
    act = UseAbility(g.table, g.state.stack[-1], "ann", {"ability": "dragon-53-1"})
    (cost,) = UseAbility.open_params
    found = [v for v in cost.every(g.table, act) if not cost.check(g.table, act, v)]
    assert [(*v["vassals"]["spearman"], *v["markers"]) for v in found] == [
        (place, *pair)
        for place in ("armory", "library")
        for pair in combinations([f"dragon-{a}" for a in ("53-2", "53-3", "54-1", "54-2")], 2)
    ]
    assert cost.example(g.table, act) == found[0]
