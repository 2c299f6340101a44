"""Every space, level, ability, Wilds space, display space and objective, tried once for every choice that it has.

What must happen is read from `components.json` by this module alone, which shares nothing with the interpreter.
"""

import json
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

from service.games.simurgh.v1 import RULES
from tests.games.simurgh.table import PLENTY, SEATS, game, space, tile

rule = pytest.mark.rule
FILE = Path(__file__).parents[3] / "service" / "games" / "simurgh" / "v1" / "components.json"
DATA = json.loads(FILE.read_text(encoding="utf-8"))
ITEMS = {kind: {item["id"]: item for item in items} for kind, items in DATA.items()}
VASSALS = ("spearman", "dragonrider")
POOL = {"vegetable", "meat", "wood", "stone", "wisdom", "weapon"}


# -- reading ----------------------------------------------------------------------------------------------------


def summed(bags):
    total = {}
    for bag in bags:
        for what, n in bag.items():
            total[what] = total.get(what, 0) + n
    return {what: n for what, n in total.items() if n}


def costs(written):
    """All ways to pay."""
    if "fixed" in written:
        return [written["fixed"]]
    if "choose_total" in written:
        return [
            summed({k: 1} for k in c)
            for c in combinations_with_replacement(written["of"], written["choose_total"])
        ]
    if "choose_one" in written:
        return [way for branch in written["choose_one"] for way in costs(branch)]
    return [summed(parts) for parts in product(*(costs(part) for part in written["all"]))]


def gains(written):
    """All outcomes: the choices on the way, and what comes; dragons as (how many are seen, with how many markers)."""
    if "take" in written:
        return [((), written["take"], ())]
    if "choose_total" in written:
        n, of = written["choose_total"], written["of"]
        bags = [summed({k: 1} for k in c) for c in combinations_with_replacement(of, n)]
        return [((("choose-total", {"tokens": bag}),), bag, ()) for bag in bags]
    if "choose_one" in written:
        return [
            ((("choose-one", {"branch": i}), *choices), bag, drawn)
            for i, branch in enumerate(written["choose_one"])
            for choices, bag, drawn in gains(branch)
        ]
    if "draw_dragons" in written:
        return [((), {}, ((written["draw_dragons"], written["markers"]),))]
    if "all" in written:
        return [
            (
                sum((c for c, _, _ in parts), ()),
                summed(b for _, b, _ in parts),
                sum((d for _, _, d in parts), ()),
            )
            for parts in product(*(gains(part) for part in written["all"]))
        ]
    return []


def effects(written):
    """All pairs of a way to pay and an outcome."""
    pay, gain = (written["pay"], written["gain"]) if "pay" in written else ({"fixed": {}}, written)
    return list(product(costs(pay), gains(gain)))


def cases(kind):
    return [
        pytest.param(item["id"], way, outcome, id=f"{item['id']}-{i}")
        for item in DATA[kind]
        for i, (way, outcome) in enumerate(effects(item["effect"]))
    ]


# -- a player with exactly what it takes ------------------------------------------------------------------------


def purse(way, **more):
    """Exactly the tokens of a cost; a Spearman and a rider beside the one that acts; one marker where it is paid."""
    held = {"resources": {what: n for what, n in way.items() if what in POOL}, "pp": way.get("pp", 0)}
    return {**held, "dragons": (57,), "markers": ["57-1"] if "marker" in way else [], **more}


def offered(way, marker="dragon-57-1"):
    """The cost on the wire."""
    cost = {
        "tokens": {what: n for what, n in way.items() if what in POOL | {"pp"}},
        "vassals": {kind: {"available": way[kind]} for kind in VASSALS if kind in way},
        "markers": {marker: way["marker"]} if "marker" in way else {},
    }
    return {part: bag for part, bag in cost.items() if bag}


def wealth(p):
    """All that a player has, as one bag."""
    vassals = {k: p.available.get(k, 0) + sum(a.get(k, 0) for a in p.assigned.values()) for k in VASSALS}
    return summed(
        [p.resources, {"pp": p.pp, "marker": sum(p.markers.values())}, vassals, {"dragon": len(p.dragons)}]
    )


def choose(g, choices, drawn):
    """Go through the choices of an outcome; of dragons the first is kept, the others go to the bottom."""
    for kind, wire in choices:
        if kind in g.kinds:
            g.play("ann", kind, **wire)
        else:  # a total of one kind leaves no choice
            assert kind == "choose-total"
            assert len(wire["tokens"]) == 1
    for n, _ in drawn:
        seen = sorted(g["ann"].looked_at)
        assert len(seen) == n
        g.play("ann", "keep-dragon", dragon=seen[0])
        g.play("ann", "return-tiles", end="bottom", order=seen[1:])
    return g


def checked(g, before, others, way, outcome):
    """Exactly this has changed."""
    choices, bag, drawn = outcome
    choose(g, choices, drawn)
    more = [{"dragon": 1, "marker": markers} for _, markers in drawn]
    minus = {what: -n for what, n in way.items()}
    assert wealth(g["ann"]) == summed([before, bag, minus, *more])
    assert {s: wealth(g[s]) for s in others} == others
    assert g.kinds == ("end-turn",)


def standing(g, seat, where):
    return sum(g[seat].assigned.get(where, {}).values())


# -- spaces -----------------------------------------------------------------------------------------------------


@rule(
    "SIM-COMP-1", "SIM-EFF-1", "SIM-EFF-2", "SIM-EFF-3", "SIM-EFF-4", "SIM-EFF-6", "SIM-EFF-8", "SIM-TILE-10"
)
@rule(*(f"SIM-CITY-{n}" for n in range(1, 11)))
@pytest.mark.parametrize(("where", "way", "outcome"), cases("spaces"))
def test_every_space_gives_exactly_what_it_says(where, way, outcome):
    printed = ITEMS["spaces"][where]
    kind = "dragonrider" if printed["who"] == "dragonrider" else "spearman"
    available = summed([{kind: 1}, {k: n for k, n in way.items() if k in VASSALS}])
    seats = {"ann": purse(way, available=available), "bob": {}}
    laid = {}
    if printed["tile"] is not None:
        number = int(where.split("-")[1])
        other = f"{printed['tile']}-{1 if printed['number'] != 1 else 2}"
        who = "dragonrider" if ITEMS["spaces"][other]["who"] == "dragonrider" else "spearman"
        seats["bob"] = {"available": {"spearman": 1}, "assigned": {other: {who: 1}}}
        laid = {"wilds-1": number}
    g = game(seats, wilds=laid)
    before, others = wealth(g["ann"]), {"bob": wealth(g["bob"])}
    g.place(kind, where, **offered(way))
    checked(g, before, others, way, outcome)
    assert standing(g, "ann", where) == 1
    assert list(g.board.wilds.values()).count(printed["tile"]) >= (printed["tile"] is not None)
    alone = game({**seats, "ann": {**seats["ann"], "resources": {}, "pp": 0, "markers": []}}, wilds=laid)
    if set(way) - set(VASSALS):
        assert alone.not_placed(kind, where, **offered(way))


@rule("SIM-EXPL-1", "SIM-EXPL-2", "SIM-EXPL-3", "SIM-EXPL-4", "SIM-EXPL-9", "SIM-EXPL-10")
@pytest.mark.parametrize(
    ("where", "way", "outcome"),
    [
        pytest.param(level["id"], way, outcome, id=f"{level['id']}-{i}-{j}")
        for level in DATA["levels"]
        for i, way in enumerate(costs(ITEMS["tiles"][level["tile"]]["move_cost"]))
        for j, outcome in enumerate(gains(level["effect"]))
    ],
)
def test_every_level_gives_exactly_what_it_says(where, way, outcome):
    level = ITEMS["levels"][where]
    number = ITEMS["tiles"][level["tile"]]["number"]
    bob = {"available": {"spearman": 1}, "assigned": {space(number): {"dragonrider": 1}}}
    if level["level"] == 1:
        ann = purse(way, available={"dragonrider": 1})
        g = game({"ann": ann, "bob": bob}, wilds=(number,))
        before = wealth(g["ann"])
        g.place("dragonrider", where, **offered(way))
    else:
        at = {space(number, level["level"] - 1): {"dragonrider": 1}}
        ann = purse(way, available={"spearman": 1}, assigned={**at, "armory": {"dragonrider": 1}})
        g = game({"ann": ann, "bob": bob}, wilds=(number,))
        before = wealth(g["ann"])
        g.play("ann", "retrieve-vassals", spearmen={}, dragonriders={"armory": 1})
        g.play("ann", "move-rider", tile=level["tile"], cost=offered(way))
    checked(g, before, {"bob": wealth(g["bob"])}, way, outcome)
    gone = level["level"] == 4
    assert standing(g, "ann", where) == (not gone)
    assert (level["tile"] in g.board.chronicle) == gone
    assert (level["tile"] in g.board.wilds.values()) != gone
    if gone:
        assert g["bob"].available == {"dragonrider": 1, "spearman": 1}


@rule("SIM-TILE-6", "SIM-REMOVE-5")
@pytest.mark.parametrize(
    ("where", "income", "bag"),
    [
        pytest.param(wild["id"], i, bag, id=f"{wild['id']}-{i}")
        for wild in DATA["wilds"]
        for i, (_, bag, _) in enumerate(gains(wild["income"]))
    ],
)
def test_every_wilds_space_brings_exactly_what_it_shows(where, income, bag):
    g = game({s: {} for s in SEATS} | {"ann": {"hand": (1,)}})
    g.play("ann", "place-tile", tile=tile(1), wilds=where, income=income)
    assert g["ann"].resources == bag
    assert g.board.wilds[where] == tile(1)
    g.place("spearman", space(1, 2))


# -- display, Statue --------------------------------------------------------------------------------------------


@rule("SIM-SCOUT-2", "SIM-SCOUT-3", "SIM-SCOUT-4", "SIM-SCOUT-5", "SIM-SCOUT-9", "SIM-CITY-11", "SIM-SCOUT-1")
@pytest.mark.parametrize("shelf", [pytest.param(s, id=s["id"]) for s in DATA["display"]])
@pytest.mark.parametrize("branch", [0, 1])
def test_every_display_space_costs_and_gives_exactly_what_it_says(shelf, branch):
    (way,) = costs(shelf["price"])
    g = game({"ann": purse(way), "bob": {}}, deck=(5,))
    on_display = dict(g.board.display)
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=branch)
    assert g["ann"].resources == summed([way, {("stone", "wood")[branch]: 1}])
    n = len(g["ann"].hand)
    g.play("ann", "acquire-tile", place=shelf["id"], cost=offered(way))
    assert g["ann"].resources == {("stone", "wood")[branch]: 1}
    assert g["ann"].pp == shelf["pp"]
    assert g["ann"].hand[n:] == [tile(5) if shelf["id"] == "deck" else on_display[shelf["id"]]]
    assert g.board.display == on_display | ({} if shelf["id"] == "deck" else {shelf["id"]: None})


@rule("SIM-STATUE-1", "SIM-STATUE-2", "SIM-CITY-12")
@pytest.mark.parametrize("pedestal", [pytest.param(s, id=s["id"]) for s in DATA["statue"]])
def test_every_objective_space_costs_and_gives_exactly_what_it_says(pedestal):
    (way,) = costs(pedestal["price"])
    g = game({"ann": purse(way), "bob": {}}, objective_deck=(77, 74, 80)).place("dragonrider", "statue")
    assert g["ann"].considered == ["objective-77", "objective-74", "objective-80"]
    g.play("ann", "place-objective", objective="objective-74", space=pedestal["id"], cost=offered(way))
    assert (g["ann"].resources, g["ann"].pp) == ({}, pedestal["pp"])
    assert g.board.statue[pedestal["id"]] == "objective-74"
    g.play("ann", "return-tiles", end="bottom", order=["objective-80", "objective-77"])
    assert g["ann"].considered == []


# -- abilities --------------------------------------------------------------------------------------------------


def acting(way):
    """A player whose two spare vassals can pay, beside one that stays."""
    return {
        "available": {"spearman": 2, "dragonrider": 1},
        **{k: v for k, v in purse(way).items() if k in ("resources", "pp")},
    }


ACTIONS = [a for a in DATA["abilities"] if a["trigger"] is None]


@rule("SIM-COMP-2", "SIM-DRAGON-4", "SIM-DRAGON-9", "SIM-DRAGON-21", "SIM-DRAGON-25", "SIM-TURN-9")
@pytest.mark.parametrize(
    ("ability", "way", "outcome"),
    [
        pytest.param(a["id"], way, outcome, id=f"{a['id']}-{i}")
        for a in ACTIONS
        for i, (way, outcome) in enumerate(effects(a["effect"]))
    ],
)
def test_every_ability_of_gain_or_exchange_does_exactly_what_it_says(ability, way, outcome):
    own = ability.removeprefix("dragon-")
    other = next(n for n in (57, 58) if str(n) not in own)
    ann = {**acting(way), "dragons": (int(own[:2]), other), "markers": [own, f"{other}-1"]}
    g = game({"ann": ann, "bob": {}})
    before = wealth(g["ann"])
    g.play("ann", "use-ability", ability=ability, cost=offered(way, f"dragon-{other}-1"))
    choices, bag, _ = outcome
    choose(g, choices, ())
    minus = {what: -n for what, n in way.items()}
    assert wealth(g["ann"]) == summed([before, bag, minus, {"marker": -1}])
    assert ability not in g["ann"].markers
    assert "place-vassal" in g.kinds


@rule("SIM-DRAGON-23")
@pytest.mark.parametrize("ability", ["57-3", "58-3", "67-3", "68-3"])
@pytest.mark.parametrize("place", ["display-1", "display-2", "display-3", "display-4"])
def test_a_display_tile_by_an_ability_costs_no_price_and_gives_no_points(ability, place):
    g = game(
        {"ann": {"dragons": (int(ability[:2]),), "markers": [ability], "resources": {"weapon": 1}}, "bob": {}}
    )
    wanted = g.board.display[place]
    g.play("ann", "fetch-tile", ability=f"dragon-{ability}", place=place, cost={"tokens": {"weapon": 1}})
    assert g["ann"].hand[-1] == wanted
    assert (g["ann"].resources, g["ann"].pp, g["ann"].markers) == ({}, 0, {})


@rule("SIM-DRAGON-24", "SIM-SCOUT-4")
@pytest.mark.parametrize("ability", ["67-2", "68-2"])
def test_the_top_tile_by_an_ability(ability):
    ann = {"dragons": (int(ability[:2]),), "markers": [ability], "resources": {"wisdom": 1}}
    g = game({"ann": ann, "bob": {}}, deck=(5,))
    g.play("ann", "use-ability", ability=f"dragon-{ability}", cost={"tokens": {"wisdom": 1}})
    assert g["ann"].hand[-1] == tile(5)
    assert (g["ann"].resources, g["ann"].markers) == ({}, {})


def brought_about(trigger, what, dragon, ability):
    """A game in which this event has just happened to ann, and what she had before and has taken."""
    ann = {"dragons": (dragon,), "markers": [ability], "available": {"spearman": 2, "dragonrider": 1}}
    if trigger == "take":
        number, n, bag = {
            "vegetable": (8, 1, {"vegetable": 2}),
            "meat": (12, 1, {"meat": 1}),
            "wisdom": (13, 1, {"wisdom": 1}),
            "weapon": (2, 1, {"weapon": 1}),
            "pp": (30, 1, {"pp": 2}),
        }[what]
        bob = {"available": {"dragonrider": 1}, "assigned": {space(number, 4): {"spearman": 1}}}
        return game({"ann": ann, "bob": bob}, wilds=(number,)).place("spearman", space(number, n)), bag
    if trigger == "pay-vassal":
        number, bag = {"spearman": (19, {"wisdom": 6}), "dragonrider": (21, {"meat": 6})}[what]
        bob = {"available": {"dragonrider": 1}, "assigned": {space(number, 4): {"spearman": 1}}}
        both = {**ann, "available": {"spearman": 2, "dragonrider": 2}}
        g = game({"ann": both, "bob": bob}, wilds=(number,))
        return g.place("dragonrider", space(number), vassals={what: {"available": 1}}), bag
    ann |= {
        "available": {"spearman": 1},
        "assigned": {space(43): {"dragonrider": 1}},
        "resources": {"weapon": 1},
    }
    g = game({"ann": ann, "bob": {}}, wilds=(43,))
    return g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}}), {"pp": 3}


TRIGGERS = [
    (a, what)
    for a in DATA["abilities"]
    if a["trigger"] is not None and gains(a["effect"])
    for what in a["trigger"]["of"] or [""]
]


@rule("SIM-DRAGON-10", "SIM-DRAGON-11", "SIM-DRAGON-12", "SIM-DRAGON-27", "SIM-DEC-13")
@pytest.mark.parametrize(
    ("ability", "what", "outcome"),
    [
        pytest.param(a["id"], what, outcome, id=f"{a['id']}-{what}-{i}")
        for a, what in TRIGGERS
        for i, outcome in enumerate(gains(a["effect"]))
    ],
)
def test_every_ability_that_answers_an_event_does_exactly_what_it_says(ability, what, outcome):
    printed = ITEMS["abilities"][ability]
    own = ability.removeprefix("dragon-")
    on = printed["trigger"]["on"]
    g, taken = brought_about(on, what, int(own[:2]), own)
    assert set(g.kinds) == {"answer", "move-again", "decline"}
    declined = g.fork().play("ann", "decline")
    choices, bag, _ = outcome
    g.play("ann", "answer", ability=ability)
    choose(g, choices, ())
    assert ability not in g["ann"].markers
    assert wealth(g["ann"]) == summed([wealth(declined["ann"]), bag, {"marker": -1}])
    assert summed([declined["ann"].resources, {"pp": declined["ann"].pp}]) == taken


@rule("SIM-DRAGON-26")
@pytest.mark.parametrize("ability", ["67-1", "68-1"])
def test_one_more_of_a_kind_just_taken(ability):
    ann = {"dragons": (int(ability[:2]),), "markers": [ability]}
    bob = {"available": {"dragonrider": 1}, "assigned": {space(12): {"spearman": 1}}}
    g = game({"ann": ann, "bob": bob}, wilds=(12,)).place("spearman", space(12, 4))
    g.play("ann", "answer", ability=f"dragon-{ability}")
    assert g["ann"].resources == {"vegetable": 3, "wood": 1}
    both = game({"ann": ann, "bob": bob}, wilds=(12,)).place("spearman", space(12, 2))
    both.play("ann", "answer", ability=f"dragon-{ability}").play("ann", "choose-total", tokens={"meat": 1})
    assert both["ann"].resources == {"vegetable": 3, "meat": 2}


@rule("SIM-DRAGON-20")
@pytest.mark.parametrize("ability", ["59-1", "60-1", "65-1", "66-1"])
def test_one_more_step_at_full_cost(ability):
    ann = {"dragons": (int(ability[:2]),), "markers": [ability], "available": {"spearman": 1}}
    ann |= {"assigned": {space(43): {"dragonrider": 1}}, "resources": {"weapon": 2}}
    g = game({"ann": ann, "bob": {}}, wilds=(43,))
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})
    g.play("ann", "move-again", ability=f"dragon-{ability}", cost={"tokens": {"weapon": 1}})
    g.play("ann", "choose-total", tokens={"wood": 1, "stone": 1})
    assert (g["ann"].resources, g["ann"].pp, g["ann"].markers) == ({"stone": 1, "wood": 1}, 3, {})
    assert g["ann"].assigned == {space(43, 3): {"dragonrider": 1}}


@rule("SIM-DRAGON-22", "SIM-STATUE-5")
@pytest.mark.parametrize("ability", ["65-3", "66-3"])
def test_an_objective_in_place_of_another(ability):
    ann = {"dragons": (int(ability[:2]),), "markers": [ability], "resources": {"wisdom": 1, "weapon": 1}}
    g = game({"ann": ann, "bob": {}}, statue={"statue-2": 84}, objective_deck=(77, 74, 80)).place(
        "dragonrider", "statue"
    )
    cost = {"tokens": {"wisdom": 1, "weapon": 1}}
    g.play(
        "ann",
        "replace-objective",
        ability=f"dragon-{ability}",
        objective="objective-80",
        space="statue-2",
        cost=cost,
    )
    assert g.board.statue["statue-2"] == "objective-80"
    assert (g["ann"].pp, g["ann"].markers, g["ann"].resources) == (4, {}, {})
    g.play("ann", "return-tiles", end="top", order=["objective-84", "objective-77", "objective-74"])
    assert g.board.objectives.known_by("ann")[:3] == ["objective-84", "objective-77", "objective-74"]


def test_every_ability_is_tried():
    special = {f"dragon-{a}" for a in ("57-3", "58-3", "67-3", "68-3", "67-2", "68-2", "67-1", "68-1")}
    special |= {f"dragon-{a}" for a in ("59-1", "60-1", "65-1", "66-1", "65-3", "66-3")}
    acted = {a["id"] for a in ACTIONS if effects(a["effect"])}
    answered = {a["id"] for a, _ in TRIGGERS}
    assert acted | answered | special == set(ITEMS["abilities"])
    assert len(acted) + len(answered) + len(special) == 72


# -- objectives -------------------------------------------------------------------------------------------------


def having(objective, n):
    """A player who has `n` of what the objective counts; dragons are told apart by `who` afterwards."""
    counts = objective["counts"]
    if counts["what"] == "resources":
        return {"resources": {counts["of"][n % 2]: n} if n else {}}
    if counts["what"] == "ability-markers-on-all-dragons":
        return {"markers": n}
    return {"dragons": n}


def scored(objective, numbers):
    """The points of players with these numbers, by a game that ends."""
    seats = {}
    colour = {d["number"]: d["colour"] for d in DATA["dragons"]}
    of = objective["counts"]["of"]
    good = [n for n, c in colour.items() if c in of]
    bad = [n for n, c in colour.items() if c not in of]
    quiet = [49, 50, 51, 52]  # dragons that answer nothing
    for seat, n in zip(SEATS, numbers, strict=False):
        held = having(objective, n)
        if "dragons" in held:
            held["dragons"] = tuple([good.pop() for _ in range(n)] or [bad.pop()])
        elif "markers" in held:
            held["dragons"] = (quiet.pop(),)
            held["markers"] = [f"{d}-{k}" for d in held["dragons"] for k in (1, 2, 3)][:n]
        seats[seat] = held
    chronicle = (1, 2, 3, 4, 13, 14, 21, 37)
    g = game(
        seats, length="short", chronicle=chronicle, ending="ann", statue={"statue-1": objective["number"]}
    )
    for seat in list(seats)[1:]:
        assert g.asked == seat
        g.place("dragonrider", "dragon-towers", actor=seat).end(seat)
    return {s.seat: s.parts["objectives"] for s in g.state.outcome.standings}


@rule(
    "SIM-OBJ-1", "SIM-OBJ-2", "SIM-OBJ-3", "SIM-OBJ-4", "SIM-OBJ-5", "SIM-OBJ-6", "SIM-OBJ-7", "SIM-DRAGON-28"
)
@pytest.mark.parametrize("objective", [pytest.param(o, id=o["id"]) for o in DATA["objectives"]])
def test_every_objective_scores_by_what_it_counts(objective):
    first, second, third = objective["points"]
    assert scored(objective, (3, 2, 1, 0)) == {"ann": first, "bob": second, "cyd": third, "dan": 0}
    assert scored(objective, (2, 2, 1)) == {"ann": first, "bob": first, "cyd": third}
    assert scored(objective, (1, 3, 1, 1)) == {"ann": second, "bob": first, "cyd": second, "dan": second}
    assert scored(objective, (1, 0)) == {"ann": first, "bob": 0}


def test_the_figures_are_whole():
    assert len(DATA["tiles"]) == 48
    assert sorted(t["number"] for t in DATA["tiles"]) == list(range(1, 49))
    assert len(DATA["spaces"]) == 12 + 36 * 4
    assert len(DATA["levels"]) == 48
    assert len(DATA["abilities"]) == 72
    pairs = {}
    for d in DATA["dragons"]:
        abilities = [a for a in DATA["abilities"] if a["dragon"] == d["id"]]
        pairs.setdefault(d["pair"], []).append(
            [(a["slot"], a["one_use"], a["trigger"], a["effect"]) for a in abilities]
        )
    assert len(pairs) == 12
    assert all(len(two) == 2 and two[0] == two[1] for two in pairs.values())
    assert RULES.components == DATA
    assert set(PLENTY) == POOL
