"""Looking ahead at the Scouts' Quarter and at new tiles is right and quick, with or without a way out."""

import random
import time

import pytest

from service.engine import lookahead
from service.engine import options as listing
from service.engine.action import No
from service.engine.lookahead import can_finish, tried
from service.engine.options import choices, takers
from service.engine.problems import problems
from service.games.simurgh.v1 import search
from service.games.simurgh.v1.placing import PlaceVassal
from service.games.simurgh.v1.prudent import decide
from service.sessions import referee
from tests.games.simurgh.table import RULES, game, space, tile

rule, refusal = pytest.mark.rule, pytest.mark.refusal
EIGHT = [
    "49-2",
    "51-1",
    "53-2",
    "55-1",
    "55-2",
    "57-1",
    "69-1",
    "71-1",
]  # exchanges and gains, none of wisdom
DRAGONS = (49, 51, 53, 55, 57, 69, 71)
AT_HOME = {"available": {"spearman": 1, "dragonrider": 0}}
PATHS = [n for n in range(37, 49) if n != 39]  # at the end of #39 dragons are drawn
PRICED = ("vegetable", "meat", "wood", "stone", "wisdom", "weapon")


def full(dragons, **ann):
    """A game in which the first player has these dragons, all their markers and one Spearman."""
    ann = {"dragons": dragons, "markers": [f"{d}-{n}" for d in dragons for n in (1, 2, 3)], **AT_HOME, **ann}
    return game({"ann": ann, "bob": {}})


def tempted(resources, **more):
    """A game in which only wisdom buys a tile, and eight abilities could be used first."""
    ann = {"dragons": DRAGONS, "markers": EIGHT, "resources": resources, "pp": 9, **more}
    bob = {"available": {"dragonrider": 1}, "assigned": {space(1): {"spearman": 1}}}
    return game(
        {"ann": ann, "bob": bob, "cyd": {}}, wilds=(1, 44), display=(13, None, None, None), empty=["tiles"]
    )


def quickest(work):
    """The best of five, in seconds of the processor."""
    found = []
    for _ in range(5):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return min(found)


def scouted(g, vassal="spearman", actor="ann"):
    """A vassal of his to the Scouts, as it is judged."""
    return g.judged(actor, "place-vassal", vassal=vassal, space="scouts-quarter", cost={})


def on_the_path(**more):
    rider = {**AT_HOME, "assigned": {space(44, 2): {"dragonrider": 1}}}
    return tempted({"meat": 4, "vegetable": 2}, **rider, **more)


@refusal("SIM-SCOUT-6")
def test_eight_tempting_exchanges_and_no_way_out_are_seen_through_quickly():
    g = on_the_path()
    assert set(g.not_placed("spearman", "scouts-quarter")) == {"SIM-SCOUT-6"}
    assert quickest(lambda: scouted(g)) < 0.020


@refusal("SIM-SCOUT-6")
@pytest.mark.parametrize("dragons", [(49, 50, 51, 55, 69), (49, 51, 69), (49, 69)])
def test_where_neither_weapon_nor_wisdom_can_come_no_number_of_exchanges_is_a_way_out(dragons):
    """None of these dragons gives either; what answers taken wisdom (#69) needs some that is taken."""
    g = full(dragons, resources={"vegetable": 3, "meat": 3})
    assert set(g.not_placed("spearman", "scouts-quarter")) == {"SIM-SCOUT-6"}
    assert quickest(lambda: scouted(g)) < 0.020


@rule("SIM-SCOUT-6")
def test_among_eight_dragons_the_one_way_out_is_found_quickly():
    """2 meat for 3 weapons (#53): all that pays for a tile is a weapon."""
    g = full((49, 50, 51, 52, 53, 55, 56, 69), resources={"vegetable": 3, "meat": 3})
    assert scouted(g).legal
    assert quickest(lambda: scouted(g)) < 0.020


@rule("SIM-SCOUT-6", "SIM-EXPL-9")
def test_a_step_down_a_path_may_be_the_way_out():
    """Down #44 for wisdom, stone and wood comes 2 wisdom; wood is what the Scouts give."""
    ann = {**AT_HOME, "assigned": {space(44, 2): {"dragonrider": 1}}}
    rich = tempted({"wisdom": 1, "stone": 1, "meat": 4}, **ann)
    assert scouted(rich).legal
    assert not scouted(on_the_path()).legal


@rule("SIM-DRAGON-2", "SIM-SCOUT-6")
@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_a_marker_that_comes_on_the_way_must_go_where_it_helps():
    """Only 2 meat for 3 weapons (#53, second) helps, and it has no marker: that of #48 must go there."""
    rider = {"available": {"spearman": 1, "dragonrider": 0}, "assigned": {space(48, 1): {"dragonrider": 1}}}
    held = {
        "resources": {"wisdom": 1, "stone": 2, "meat": 2},
        "dragons": (49, 53),
        "markers": ["53-1"],
        **rider,
    }
    g = game(
        {"ann": held, "bob": {}, "cyd": {}}, wilds=(48,), display=(None, 13, None, None), empty=["tiles"]
    )
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=1)
    g.play("ann", "move-rider", tile=tile(48), cost={"tokens": {"wisdom": 1, "stone": 2}})
    assert set(g.refused("ann", "place-marker", ability="dragon-49-1")) == {"SIM-PLACE-5", "SIM-SCOUT-6"}
    g.play("ann", "place-marker", ability="dragon-53-2")
    g.play("ann", "use-ability", ability="dragon-53-2", cost={"tokens": {"meat": 2}})
    assert g.play("ann", "acquire-tile", place="display-2", cost={"tokens": {"weapon": 1}})["ann"].pp == 2 + 1


@rule("SIM-DRAGON-2", "SIM-SCOUT-6")
def test_two_markers_that_come_on_the_way_help_together():
    """Two wisdom move the rider of #37 to 2 markers: for 2 meat (#53, first), and for 3 weapons for them (second)."""
    rider = {"available": {"spearman": 1, "dragonrider": 0}, "assigned": {space(37, 1): {"dragonrider": 1}}}
    held = {"resources": {"wisdom": 2}, "dragons": (53,), "markers": ["53-3"], **rider}
    g = game(
        {"ann": held, "bob": {}, "cyd": {}}, wilds=(37,), display=(None, 13, None, None), empty=["tiles"]
    )
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=1)
    g.play("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})
    g.play("ann", "use-ability", ability="dragon-53-1", cost={})
    g.play("ann", "use-ability", ability="dragon-53-2", cost={"tokens": {"meat": 2}})
    assert g.play("ann", "acquire-tile", place="display-2", cost={"tokens": {"weapon": 1}})["ann"].pp == 1


@rule("SIM-SCOUT-6", "SIM-DRAGON-24")
@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_a_tile_drawn_on_the_way_does_not_take_the_last_one_to_acquire():
    """A wisdom draws the last tile of the deck (#67), and then the weapon buys none."""
    held = {"resources": {"wisdom": 1, "weapon": 1}, "dragons": (67,), "markers": ["67-2"]}
    g = game({"ann": held, "bob": {}, "cyd": {}}, display=(None,) * 4, deck=(5,), empty=["tiles"])
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    cost = {"tokens": {"wisdom": 1}}
    assert set(g.refused("ann", "use-ability", ability="dragon-67-2", cost=cost)) == {
        "SIM-PLACE-5",
        "SIM-SCOUT-6",
    }


@rule("SIM-SCOUT-2", "SIM-SCOUT-6")
@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_what_the_scouts_give_first_is_looked_ahead_at():
    """Only stone leads on: with wisdom and 2 stone down #48, whose marker pays for 3 weapons (#53, second)."""
    rider = {"available": {"spearman": 1, "dragonrider": 0}, "assigned": {space(48, 1): {"dragonrider": 1}}}
    held = {
        "resources": {"wisdom": 1, "stone": 1, "meat": 2},
        "dragons": (49, 53),
        "markers": ["53-1"],
        **rider,
    }
    g = game(
        {"ann": held, "bob": {}, "cyd": {}}, wilds=(48,), display=(None, 13, None, None), empty=["tiles"]
    )
    g.place("spearman", "scouts-quarter")
    assert set(g.refused("ann", "choose-one", branch=1)) == {"SIM-PLACE-5", "SIM-SCOUT-6"}  # wood
    assert [o["branch"] for o in g.options("ann", "choose-one")] == [0]
    assert g.play("ann", "choose-one", branch=0).options("ann", "move-rider")


@rule("SIM-SCOUT-2", "SIM-SCOUT-6")
@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_what_the_scouts_give_first_is_looked_ahead_at_with_the_prices_of_a_house():
    house = {"display": {"display-1": {"price": {"fixed": {"stone": 1}}}}}
    g = game({"ann": {"dragons": (49,), **AT_HOME}, "bob": {}}, house=house)
    g.place("spearman", "scouts-quarter")
    assert set(g.refused("ann", "choose-one", branch=1)) == {"SIM-PLACE-5", "SIM-SCOUT-6"}  # wood
    assert g.play("ann", "choose-one", branch=0).options("ann", "acquire-tile")


# -- options whose first example leads nowhere --------------------------------------------------------------------


def at_the_scouts(markers, **more):
    """A Spearman at the Scouts' Quarter, who has taken stone; wisdom buys nothing, and there is little else."""
    dragons = tuple(dict.fromkeys(int(x[:2]) for x in markers))
    held = {"dragons": dragons, "markers": list(markers), **AT_HOME, **more}
    g = game({"ann": held, "bob": {}})
    return g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)


@rule("SIM-EFF-2", "SIM-SCOUT-6")
@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_a_total_is_listed_with_a_division_that_leads_out():
    g = at_the_scouts(("49-2", "69-1", "57-2"), pp=2)
    g.play("ann", "use-ability", ability="dragon-49-2", cost={"tokens": {"pp": 2}})
    assert set(g.refused("ann", "choose-total", tokens={"meat": 3})) == {"SIM-PLACE-5", "SIM-SCOUT-6"}
    [listed] = g.options("ann", "choose-total")
    assert g.judged("ann", "choose-total", tokens=listed["tokens"]).legal
    assert g.fork().play("ann", "choose-total", tokens={"vegetable": 3})
    assert decide(g.table, "ann") is not None


@rule("SIM-EFF-5", "SIM-SCOUT-6")
@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_an_ability_is_listed_with_a_marker_to_pay_that_leads_out():
    g = at_the_scouts(("49-2", "51-3", "53-2", "53-3"))
    use = {"ability": "dragon-51-3"}
    assert set(g.refused("ann", "use-ability", **use, cost={"markers": {"dragon-53-2": 1}})) == {
        "SIM-PLACE-5",
        "SIM-SCOUT-6",
    }
    costs = [o["cost"] for o in g.options("ann", "use-ability") if o["ability"] == "dragon-51-3"]
    assert len(costs) == 1
    assert g.judged("ann", "use-ability", **use, cost=costs[0]).legal
    assert g.judged("ann", "use-ability", **use, cost={"markers": {"dragon-53-3": 1}}).legal


@rule("SIM-EFF-2", "SIM-SCOUT-6")
def test_a_list_that_leaves_out_what_was_not_tried_says_so(monkeypatch):
    """The first division of 3 vegetables and meat leads nowhere, and no other one may be tried."""
    g = at_the_scouts(("49-2", "69-1", "57-2"), pp=2)
    g.play("ann", "use-ability", ability="dragon-49-2", cost={"tokens": {"pp": 2}})
    found, _ = referee.options(RULES, g.state, "ann", ["choose-total"], None)
    assert (len(found.options), found.complete) == (1, True)
    assert found.options[0].to_wire()["others_refused_by"] == "SIM-PLACE-5"
    monkeypatch.setattr(listing, "TRIES", 0)
    found, _ = referee.options(RULES, g.state, "ann", ["choose-total"], None)
    assert (found.options, found.complete) == ([], False)


@rule("SIM-SCOUT-6")
def test_only_what_must_be_finished_is_refused_for_it():
    """A vassal on the Scouts' Quarter pays nothing, and anywhere else nothing need be finished."""
    g = full((49, 53), resources={"weapon": 1, "wood": 3})
    assert [o for o in g.options("ann", "place-vassal") if "others_refused_by" in o] == []


# -- where the search ends before it is done -----------------------------------------------------------------------


@refusal("SIM-SCOUT-6")
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "No way to acquire a tile was found among the {} positions that were looked at;"),
        ("cs", "Mezi prohlédnutými pozicemi ({}) se nenašla cesta, jak získat kartu;"),
    ],
)
def test_a_refusal_of_what_was_not_found_says_that_and_not_that_there_is_none(monkeypatch, language, said):
    g = six_dragons()
    assert scouted(g).legal
    monkeypatch.setattr(search, "STRAIGHT", 0)
    monkeypatch.setattr(search, "CAP", 60)
    refused = g.not_placed("spearman", "scouts-quarter")["SIM-SCOUT-6"]
    assert refused.facts["looked_at"] > 0
    told = RULES.words.message(refused, RULES.book, language)
    assert told.startswith(said.format(refused.facts["looked_at"]))


# -- held to the rules themselves ---------------------------------------------------------------------------------


class TooMany(Exception):
    """The slow search went on for too long."""


def slowly(t, act, most=1_500):
    """What the search over whole tables says, which plays every action of the rules; TooMany beyond so many."""
    seen = []

    def counted(table, before, is_new=lookahead._is_new):
        seen.append(1)
        if len(seen) > most:
            raise TooMany
        return is_new(table, before)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RULES.hooks, "foretold", ())
        patch.setattr(lookahead, "NODES", most + 1)
        patch.setattr(lookahead, "_is_new", counted)
        return can_finish(t, act)


HOUSES = [
    {},
    {  # vassals are paid for tiles, steps and abilities; abilities give markers, and more at once
        "display": {"display-1": {"price": {"fixed": {"spearman": 1}}}},
        "tiles": {
            tile(37): {"move_cost": {"fixed": {"dragonrider": 1}}},
            tile(43): {"move_cost": {"choose_one": [{"fixed": {"spearman": 1}}, {"fixed": {"weapon": 1}}]}},
        },
        "abilities": {
            "dragon-49-3": {"effect": {"pay": {"fixed": {"stone": 1}}, "gain": {"take": {"marker": 2}}}},
            "dragon-53-1": {
                "effect": {"all": [{"take": {"meat": 1}}, {"choose_total": 2, "of": ["wood", "wisdom"]}]}
            },
            "dragon-57-3": {
                "effect": {
                    "pay": {"fixed": {"spearman": 1}},
                    "gain": {"special": "take-display-tile-no-price-no-points"},
                }
            },
            "dragon-61-3": {
                "trigger": {"on": "pay-vassal", "of": ["dragonrider"]},
                "effect": {"take": {"wisdom": 1}},
            },
        },
    },
    {  # markers are paid for tiles, and come by answers and branches
        "display": {
            "display-2": {"price": {"fixed": {"marker": 2}}},
            "display-4": {"price": {"choose_one": [{"fixed": {"dragonrider": 1}}, {"fixed": {"pp": 5}}]}},
        },
        "abilities": {
            "dragon-55-3": {"trigger": {"on": "take", "of": ["wood"]}, "effect": {"take": {"marker": 1}}},
            "dragon-65-2": {
                "effect": {
                    "choose_one": [
                        {"take": {"vegetable": 1}},
                        {
                            "all": [
                                {"take": {"marker": 1}},
                                {"choose_one": [{"take": {"wood": 1}}, {"take": {"stone": 1}}]},
                            ]
                        },
                    ]
                }
            },
            "dragon-71-2": {
                "trigger": {"on": "pay-vassal", "of": []},
                "effect": {"choose_total": 2, "of": ["wisdom", "wood"]},
            },
        },
        "levels": {
            space(43, 2): {
                "effect": {"all": [{"take": {"pp": 1}}, {"choose_total": 2, "of": ["wisdom", "stone"]}]}
            }
        },
    },
]


def small(rng, house):
    """A position of few resources and markers, often with riders on paths, in which little is on offer."""
    pairs = [d for d in range(49, 73) if d not in (67, 68)]  # what they draw is chance
    dragons = dict.fromkeys([*rng.sample(pairs, rng.randint(1, 3)), *rng.choice(((), (59,), (65,), (61,)))])
    every = [f"{d}-{n}" for d in dragons for n in (1, 2, 3)]
    held = {"dragons": tuple(dragons), "markers": rng.sample(every, min(len(every), rng.randint(1, 5)))}
    scarce = {what: 0.1 if what == "weapon" else 0.35 for what in PRICED}
    held["resources"] = {x: rng.choice((1, 1, 2)) for x, often in scarce.items() if rng.random() < often}
    walked = rng.sample(PATHS, rng.choice((0, 1, 1, 2)))
    held |= {"pp": rng.choice((0, 0, 1, 2, 4)), "hand": (rng.choice((9, 14, 22, 27)),)}
    held["assigned"] = {space(n, rng.randint(1, 3)): {"dragonrider": 1} for n in walked}
    held["available"] = {
        "spearman": rng.choice((1, 1, 2)),
        "dragonrider": 0 if walked else rng.choice((0, 1)),
    }
    bob = {"available": {"dragonrider": 1}, "assigned": {space(1): {"spearman": 1}}}
    display = [rng.choice((None, None, n)) for n in (13, 15, 16, 17)]
    empty = ["tiles"] if rng.random() < 0.6 else []
    seats = {"ann": held, "bob": bob, "cyd": {}}
    return game(seats, wilds=(1, *walked), display=display, empty=empty, house=house)


def endangered(t):
    """Every action of the moment that must be finished."""
    offers = [x for x in takers(t) if x[1].must_finish is not None] if t.outcome is None else []
    acts = (act for actor, cls, frame in offers for act in choices(t, actor, cls, frame))
    return [act for act in acts if act is not None and act.business(t) is not None]


def compared(seeds, most, house):
    """Small positions and what follows from them; how often both said yes, and no."""
    told = {True: 0, False: 0}
    for seed in seeds:
        rng = random.Random(seed)
        t = small(rng, house).table
        scouts = [
            act for act in endangered(t) if not isinstance(act, PlaceVassal) or act.space == "scouts-quarter"
        ]
        todo = [(t, act) for act in scouts]
        for _ in range(most):
            if not todo:
                break
            t, act = todo.pop()
            answer = can_finish(t, act)
            try:
                assert slowly(t, act) == answer, (seed, act.to_wire())
            except TooMany:
                continue
            told[answer] += 1
            if answer:
                after = tried(t, act)
                acts = endangered(after)
                todo += [(after, a) for a in rng.sample(acts, min(3, len(acts)))]
    return told


@pytest.mark.parametrize("house", range(3))
@rule("SIM-SCOUT-6", "SIM-TILE-8", "SIM-PLACE-5")
def test_the_short_search_says_what_playing_everything_says(house):
    told = compared(range(40), 6, HOUSES[house])
    assert min(told.values()) > 20, told


@pytest.mark.parametrize("house", range(3))
@rule("SIM-SCOUT-6", "SIM-TILE-8", "SIM-PLACE-5")
def test_courses_say_what_playing_everything_says(house, monkeypatch):
    """The same, where no step is taken straight on."""
    monkeypatch.setattr(search, "STRAIGHT", 0)
    told = compared(range(200, 230), 6, HOUSES[house])
    assert min(told.values()) > 15, told


@pytest.mark.long
@pytest.mark.parametrize("house", range(3))
@rule("SIM-SCOUT-6", "SIM-TILE-8", "SIM-PLACE-5")
def test_the_short_search_says_what_playing_everything_says_of_many_positions(house):
    told = compared(range(1_000, 3_000), 12, HOUSES[house])
    assert min(told.values()) > 2_000, told


def any_position(rng):
    """A position with any number of dragons and markers, often with riders on paths, little of it to be had."""
    dragons = tuple(rng.sample(range(49, 73), rng.randint(1, 16)))
    every = [f"{d}-{n}" for d in dragons for n in (1, 2, 3)]
    walked = rng.sample(range(37, 49), rng.choice((0, 1, 2)))
    held = {
        "dragons": dragons,
        "markers": rng.sample(every, rng.choice((len(every), rng.randint(0, len(every))))),
        "resources": {
            x: rng.choice((1, 1, 2, 3)) for x in PRICED if rng.random() < (0.1 if x == "weapon" else 0.4)
        },
        "pp": rng.choice((0, 0, 1, 2, 4, 30)),
        "assigned": {space(n, rng.randint(1, 3)): {"dragonrider": 1} for n in walked},
        "available": {"spearman": rng.choice((1, 1, 2)), "dragonrider": 0 if walked else rng.choice((0, 1))},
    }
    bob = {"available": {"dragonrider": 1}, "assigned": {space(1): {"spearman": 1}}}
    display = [n if rng.random() < 0.3 else None for n in (13, 14, 15, 16)]
    empty = ["tiles"] if rng.random() < 0.8 else []
    return game({"ann": held, "bob": bob, "cyd": {}}, wilds=(1, *walked), display=display, empty=empty)


def looked_at(t, act, monkeypatch):
    """What the search says, its effort, and how many prospects it looked at."""
    made = []
    init = search.Search.__init__

    def counted(self, *given):
        init(self, *given)
        made.append(self)

    with monkeypatch.context() as patch:
        patch.setattr(search.Search, "__init__", counted)
        told = can_finish(t, act)
    return told, sum(x.spent for x in made), sum(x.looked_at + len(x.plans) for x in made)


# What a search may take in all: both its ways have an end, and each goes beyond it by one prospect at the most.
MOST = search.LED + search.CAP + 2 * 500


def longest(seeds, monkeypatch):
    """How many searches ended at the cap, how many prospects each one looked at, the most first."""
    found, capped = [], 0
    for seed in seeds:
        t = any_position(random.Random(seed)).table
        act = PlaceVassal(
            t, t.frames[-1], "ann", {"vassal": "spearman", "space": "scouts-quarter", "cost": {}}
        )
        told, effort, n = looked_at(t, act, monkeypatch)
        assert effort <= MOST, seed
        capped += isinstance(told, No)
        found.append((n, seed))
    return capped, sorted(found, reverse=True)


def test_no_position_makes_the_search_long(monkeypatch):
    """Its length, not its time: the cap is what is looked at within 20 ms."""
    capped, found = longest(range(300), monkeypatch)
    assert capped == 0, found[0]
    assert sum(n > 1 for n, _ in found) > 50, "nothing was searched"


@pytest.mark.long
def test_none_of_many_positions_comes_to_the_cap(monkeypatch):
    capped, found = longest(range(1_000, 6_000), monkeypatch)
    assert capped == 0, found[0]


# Of twenty dragons, the abilities that have a marker.
MANY_MARKERS = {
    52: "123", 51: "123", 70: "123", 50: "123", 62: "23", 63: "12", 55: "2", 54: "12",
    66: "123", 68: "1", 53: "23", 49: "123", 71: "12", 69: "123", 59: "123", 65: "123",
    61: "123", 60: "123", 67: "123", 56: "123",
}  # fmt: skip


def marked(held_on):
    """Dragons with these of their abilities marked."""
    return {"dragons": tuple(held_on), "markers": [f"{d}-{n}" for d, ns in held_on.items() for n in ns]}


def six_dragons():
    """Six dragons, a rider on a path, and a way out of many steps."""
    held_on = {49: "12", 63: "12", 66: "12", 56: "13", 52: "13", 69: "123"}
    rider = {"available": {"spearman": 1, "dragonrider": 0}, "assigned": {space(38, 1): {"dragonrider": 1}}}
    held = {**marked(held_on), "resources": {"wood": 2, "wisdom": 1}, **rider}
    bob = {"available": {"dragonrider": 1}, "assigned": {space(1): {"spearman": 1}}}
    display = (None, None, 15, None)
    return game({"ann": held, "bob": bob, "cyd": {}}, wilds=(1, 38), display=display, empty=["tiles"])


@rule("SIM-SCOUT-6")
def test_among_six_dragons_a_long_way_out_is_found_quickly():
    g = six_dragons()
    assert scouted(g).legal
    assert quickest(lambda: scouted(g)) < 0.020


@rule("SIM-SCOUT-6")
def test_where_markers_come_again_and_again_the_search_ends_as_soon(monkeypatch):
    """By the house the deck costs 11 points, and 64-1 gives a weapon and a marker for a vegetable.

    Each bound is begun with few markers and goes on with more, time after time: that is counted too, and so is what
    is looked at straight on, or the search would have taken half as long again.
    """
    ability = {"pay": {"fixed": {"vegetable": 1}}, "gain": {"take": {"marker": 1, "weapon": 1}}}
    house = {
        "display": {"deck": {"price": {"fixed": {"pp": 11}}}},
        "abilities": {"dragon-64-1": {"trigger": None, "effect": ability}},
    }
    held_on = {64: "1", 50: "123", 72: "1", 56: "123", 68: "23", 63: "3", 54: "123"}
    ann = {**marked(held_on), "resources": {"wood": 1, "weapon": 1}, "available": {"spearman": 1}}
    g = game({"ann": ann, "bob": {}}, display=(None, None, None, 22), house=house)
    t = g.table
    act = PlaceVassal(t, t.frames[-1], "ann", {"vassal": "spearman", "space": "scouts-quarter", "cost": {}})
    told, effort, _ = looked_at(t, act, monkeypatch)
    assert isinstance(told, No)
    assert effort <= MOST
    assert quickest(lambda: scouted(g)) < 0.020


def waiting(held_on, display, *, spearmen=3, wilds, **held):
    """A Spearman of several who may go to the Scouts', riders on paths, and an empty deck."""
    walking = {space(number, level): {"dragonrider": 1} for number, level in wilds.items()}
    ann = {
        "available": {"spearman": spearmen, "dragonrider": 0},
        "assigned": walking,
        **marked(held_on),
        **held,
    }
    bob = {"available": {"dragonrider": 1}, "assigned": {space(1): {"spearman": 1}}}
    return game({"ann": ann, "bob": bob, "cyd": {}}, wilds=(1, *wilds), display=display, empty=["tiles"])


@rule("SIM-SCOUT-6")
def test_among_twenty_dragons_a_way_out_is_found_quickly():
    """Twenty dragons, 51 markers, and two riders on paths; it took the search to its end once."""
    held = {"resources": {"wood": 2, "stone": 3, "wisdom": 2}, "pp": 1}
    g = waiting(MANY_MARKERS, (None, None, 15, 16), wilds={37: 1, 46: 1}, **held)
    assert scouted(g).legal
    assert quickest(lambda: scouted(g)) < 0.020


def riders_for_markers(dragons, markers, resources, shelves, **held):
    """Riders on tiles that give markers (#48, #42), dragons whose markers are missing, and little on offer."""
    display = [n if n in shelves else None for n in (13, 14, 15, 16)]
    held_on = {d: "".join(m[-1] for m in markers if m.startswith(f"{d}-")) for d in dragons}
    return waiting(held_on, display, wilds={48: 1, 42: 2}, resources=resources, **held)


FOUR = ((71, 49, 70, 66), ("71-1", "71-2", "49-2", "49-3", "70-1", "70-2", "70-3", "66-2", "66-3"))
SOME = {"wisdom": 3, "wood": 1, "meat": 3}
OTHERS = {"wisdom": 2, "wood": 1, "vegetable": 4, "meat": 2}


@rule("SIM-SCOUT-6", "SIM-DRAGON-2")
@pytest.mark.parametrize(
    ("dragons", "markers", "resources", "pp", "shelves"),
    [
        (*FOUR, SOME, 3, {14}),
        ((*FOUR[0], 64), (*FOUR[1], "49-1"), SOME, 3, {14}),
        (
            (71, 49, 69, 66, 50),
            ("71-1", "71-2", "69-1", "49-1", "69-2", "66-2", "49-3", "49-2", "69-3", "50-2", "50-3", "66-1"),
            OTHERS,
            4,
            {14, 15},
        ),
        (
            (71, 49, 70, 65, 50),
            ("71-1", "71-2", *(f"{d}-{n}" for d in (49, 70, 65, 50) for n in (1, 2, 3))),
            OTHERS,
            4,
            {14, 16},
        ),
    ],
)
def test_a_marker_that_a_rider_fetches_for_a_missing_ability_is_found_quickly(
    dragons, markers, resources, pp, shelves
):
    """Down #48 comes the marker of #71, third: wisdom and stone must come first, and a weapon comes of it."""
    g = riders_for_markers(dragons, markers, resources, shelves, pp=pp)
    assert scouted(g).legal
    assert quickest(lambda: scouted(g)) < 0.020


def after_a_fetched_tile():
    """Five dragons; the tile that was on the first place of a full display has just been fetched (#67, third)."""
    ann = {
        **marked({71: "12", 49: "23", 70: "123", 66: "23", 67: "3"}),
        "resources": {"wisdom": 3, "wood": 1, "meat": 3, "weapon": 1},
        "pp": 3,
        "available": {"spearman": 1, "dragonrider": 0},
        "assigned": {space(48, 1): {"dragonrider": 1}, space(42, 2): {"dragonrider": 1}},
    }
    seats = {"ann": ann, "bob": {"available": {"spearman": 1}}, "cyd": {}}
    g = game(seats, wilds=(48, 42), display=(13, 14, 15, 16))
    cost = {"tokens": {"weapon": 1}}
    return g.play("ann", "fetch-tile", ability="dragon-67-3", place="display-1", cost=cost)


@rule("SIM-SCOUT-6", "SIM-SCOUT-2")
def test_a_way_out_of_twelve_decisions_is_found_quickly_and_played_to_its_end():
    g = after_a_fetched_tile()
    assert quickest(lambda: scouted(g)) < 0.020
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    g.play("ann", "use-ability", ability="dragon-66-2", cost={}).play("ann", "choose-one", branch=0)
    g.play("ann", "decline")
    g.play("ann", "use-ability", ability="dragon-49-2", cost={"tokens": {"pp": 2}})
    g.play("ann", "choose-total", tokens={"meat": 3})
    g.play("ann", "use-ability", ability="dragon-70-1", cost={"tokens": {"vegetable": 1}})
    g.play("ann", "move-rider", tile=tile(48), cost={"tokens": {"stone": 2, "wisdom": 1}})
    g.play("ann", "place-marker", ability="dragon-71-3").play("ann", "answer", ability="dragon-70-3")
    g.play("ann", "use-ability", ability="dragon-71-3", cost={"tokens": {"meat": 2}})
    g.play("ann", "acquire-tile", place="display-2", cost={"tokens": {"weapon": 1}})
    assert len(g["ann"].hand) == 3
    assert "end-turn" in g.kinds


def far_off():
    """The marker of #38 goes to #58, second, for weapons, if #58, first, keeps its own; #49 and #65 give vegetables."""
    held_on = {62: "123", 49: "1", 68: "23", 58: "13", 52: "12", 59: "123", 55: "123", 65: "123", 64: "1"}
    held = {"resources": {"meat": 2, "wood": 2, "stone": 4, "wisdom": 2}}
    return waiting(held_on, (None, None, 15, 16), wilds={38: 2, 39: 1}, **held)


@rule("SIM-SCOUT-6", "SIM-DRAGON-2")
@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_an_ability_keeps_its_marker_so_that_the_one_that_comes_goes_right_of_it():
    g = far_off()
    assert scouted(g).legal
    assert quickest(lambda: scouted(g)) < 0.020
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=1)
    assert set(g.refused("ann", "use-ability", ability="dragon-58-1", cost={})) == {
        "SIM-PLACE-5",
        "SIM-SCOUT-6",
    }
    for ability in ("dragon-49-1", "dragon-65-2"):
        g.play("ann", "use-ability", ability=ability, cost={}).play("ann", "choose-one", branch=0)
    cost = {"tokens": {"vegetable": 2, "meat": 1, "wood": 1}}
    g.play("ann", "move-rider", tile=tile(38), cost=cost).play("ann", "place-marker", ability="dragon-58-2")


@refusal("SIM-SCOUT-6")
def test_a_marker_that_comes_too_late_for_two_steps_is_no_way_out():
    """#71, third, needs the marker of two steps down #38: 4 vegetables, and without #71, second, there are 3."""
    held_on = {67: "123", 49: "13", 63: "2", 71: "12", 55: "12", 59: "123", 66: "12"}
    held = {"resources": {"wood": 2, "wisdom": 1}}
    g = waiting(held_on, (None, None, 15, 16), wilds={38: 1, 39: 1}, **held)
    assert g.not_placed("spearman", "scouts-quarter")["SIM-SCOUT-6"].facts == {}
    assert quickest(lambda: scouted(g)) < 0.020


@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_what_was_begun_and_not_found_to_end_is_told_as_that(monkeypatch):
    """A state in which the search ends too early is refused by what it knows, and so is an action there."""
    g = six_dragons()
    g.place("spearman", "scouts-quarter")
    monkeypatch.setattr(search, "STRAIGHT", 0)
    monkeypatch.setattr(search, "CAP", 0)
    [told] = problems(RULES, g.state)
    assert (told.rule, told.message) == (
        "SIM-SCOUT-6",
        "no way to bring this to its end was found among 0 positions",
    )
    refused = g.refused("ann", "choose-one", branch=0)
    assert set(refused) == {"SIM-PLACE-5", "SIM-SCOUT-6"}
    violation = refused["SIM-PLACE-5"]
    assert violation.facts == {"looked_at": 0}
    assert RULES.words.message(violation, RULES.book, "en").startswith(
        "No way to bring this to its end was found"
    )


@rule("SIM-DRAGON-10", "SIM-SCOUT-6")
def test_dragons_that_do_the_same_answer_a_step_one_after_the_other():
    """Both dragons of a pair (#59, #60) give 2 meat for the step; 2 of them buy weapons (#53, second)."""
    rider = {"available": {"spearman": 1, "dragonrider": 0}, "assigned": {space(37, 1): {"dragonrider": 1}}}
    markers = ["59-2", "60-2", "53-2"]
    held = {"resources": {"wisdom": 2}, "dragons": (59, 60, 53), "markers": markers, **rider}
    seats = {"ann": held, "bob": {}, "cyd": {}}
    g = game(seats, wilds=(37,), display=(None, 13, None, None), empty=["tiles"])
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    g.play("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})
    for ability in ("dragon-60-1", "dragon-53-1"):
        g.play("ann", "place-marker", ability=ability)
    g.play("ann", "answer", ability="dragon-60-2")
    assert [o["ability"] for o in g.options("ann", "answer")] == ["dragon-59-2"]
    g.play("ann", "answer", ability="dragon-59-2")
    assert g["ann"].resources["meat"] == 2 + 2
    g.play("ann", "use-ability", ability="dragon-53-2", cost={"tokens": {"meat": 2}})
    assert g.play("ann", "acquire-tile", place="display-2", cost={"tokens": {"weapon": 1}})["ann"].pp == 1
