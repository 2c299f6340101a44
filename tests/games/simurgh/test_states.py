"""States that no game comes to, one by one: each is told, and by its clause."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from service.engine.problems import problems
from service.engine.refusal import SetupRefused
from service.engine.state import encode
from tests.games.simurgh.table import RULES, Game, game, space, tile

rule = pytest.mark.rule


def told(g: Game, change: Callable[[Any], None]) -> set[tuple[str | None, str]]:
    """Clause and pointer of every problem, once the state has been changed."""
    data = json.loads(encode(g.state))
    change(data)
    return {(p.rule, p.pointer) for p in problems(RULES, RULES.decode(json.dumps(data)))}


def at_the_scouts(**ann: Any) -> Game:
    held = {"resources": {"wisdom": 1}, **ann}
    return (
        game({"ann": held, "bob": {}}).place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    )


@rule("SIM-TURN-2", "SIM-REMOVE-3")
@pytest.mark.parametrize("place", ["research-14-4", "power-34-3"])
def test_whose_space_is_resolved_stands_there_and_its_tile_is_not_gone_yet(place: str):
    held = {"dragons": (62,), "markers": ["62-3"], "available": {"dragonrider": 1, "spearman": 1}}
    there = {"assigned": {"research-19-4": {"spearman": 1}}}
    g = game({"ann": held, "bob": there}, wilds=(19,))
    g.place("dragonrider", "research-19-1", vassals={"spearman": {"available": 1}})
    assert told(g, lambda data: None) == set()
    found = told(g, lambda data: data["stack"][2].update(space=place))
    assert found == {("SIM-TURN-2", "/stack/2/space")}, "as much is paid there, but nobody stands there"


@rule("SIM-SCOUT-6")
def test_a_tile_is_due_that_nobody_could_pay_for():
    def spend(data: Any) -> None:
        data["table"]["seats"]["ann"]["resources"] = {"stone": 1}

    assert told(at_the_scouts(), spend) == {("SIM-SCOUT-6", "/stack/2")}
    helped = {"dragons": (57,), "markers": ["57-2"]}  # 2 stone for 3 weapons
    assert told(at_the_scouts(**helped), spend) == {("SIM-SCOUT-6", "/stack/2")}

    def pay(data: Any) -> None:
        data["table"]["seats"]["ann"]["resources"] = {"stone": 2}

    assert told(at_the_scouts(**helped), pay) == set()


@rule("SIM-TILE-8")
def test_a_tile_has_been_laid_that_nobody_could_use():
    ann = {"hand": (31,), "available": {"spearman": 1}, "resources": {"wisdom": 1}}
    g = game({"ann": ann, "bob": {}}).play("ann", "place-tile", tile=tile(31), wilds="wilds-1", income=0)

    def rest(data: Any) -> None:
        data["table"]["seats"]["ann"] |= {"available": {}, "assigned": {"armory": {"spearman": 1}}}

    assert told(g, rest) == {("SIM-TILE-8", "/stack/2")}


@rule("SIM-SCOUT-2", "SIM-EFF-8")
def test_the_scouts_are_at_work_at_the_part_of_the_gain_that_sends_them():
    def part(n: int) -> Callable[[Any], None]:
        return lambda data: data["stack"][3].update(part=n)

    assert told(at_the_scouts(), part(2)) == set()
    assert told(at_the_scouts(), part(1)) == {("SIM-SCOUT-2", "/stack/4/frame")}


@rule("SIM-REMOVE-4", "SIM-EXPL-10", "SIM-PLACE-10")
def test_before_the_main_action_nobody_is_home_for_the_turn_but_a_rider_from_his_path():
    ann = {
        "assigned": {space(43, 3): {"dragonrider": 1}},
        "resources": {"weapon": 1},
        "available": {"spearman": 2},
    }
    g = game({"ann": ann, "bob": {}}, wilds=(43,)).play(
        "ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}}
    )
    assert g.state.stack[-1].resting == {"dragonrider": 1}

    def rest(**resting: int) -> Callable[[Any], None]:
        return lambda data: data["stack"][1].update(resting=resting)

    assert told(g, rest(spearman=1)) == {("SIM-REMOVE-4", "/stack/1/resting/spearman")}

    def stay(data: Any) -> None:
        data["stack"][1]["moved"] = False

    assert told(g, stay) == {("SIM-REMOVE-4", "/stack/1/resting/dragonrider")}
    idle = game(chronicle=(2, 3))
    assert told(idle, rest(spearman=1)) == {("SIM-REMOVE-4", "/stack/1/resting/spearman")}
    assert told(idle.place("spearman", "armory"), rest(dragonrider=1)) == set(), "a tile may have gone"


@rule("SIM-EXPL-4", "SIM-TURN-8")
def test_a_rider_has_moved_on_an_exploration_tile_or_not_at_all():
    def move(data: Any) -> None:
        data["stack"][1]["moved"] = True

    wrong = {("SIM-EXPL-4", "/stack/1/moved")}
    assert told(game(), move) == wrong
    ann = {"assigned": {space(43, 1): {"dragonrider": 1}}, "available": {"spearman": 1}}
    assert told(game({"ann": ann, "bob": {}}, wilds=(43,)), move) == wrong, "he stands where he was placed"
    ann["assigned"] = {space(43, 2): {"dragonrider": 1}}
    assert told(game({"ann": ann, "bob": {}}, wilds=(43,)), move) == set()
    assert told(game(chronicle=(43,)), move) == set()


def taken_twice(where: int) -> Callable[[Any], None]:
    """The event on top comes twice."""

    def change(data: Any) -> None:
        data["stack"].insert(where, {**data["stack"][where], "step": ""})

    return change


@rule("SIM-DRAGON-10", "SIM-DRAGON-11")
def test_an_event_happens_once():
    held = {"dragons": (61,), "markers": ["61-1"]}
    g = game({"ann": held, "bob": {}}).place("spearman", "library")
    assert [type(f).__name__ for f in g.state.stack[2:]] == ["Placement", "Gain", "Occasion"]
    assert ("SIM-DRAGON-10", "/stack/4/event") in told(g, taken_twice(4))

    def other(data: Any) -> None:
        data["stack"][4]["of"] = ["stone", "wisdom"]

    assert told(g, other) == {("SIM-DRAGON-10", "/stack/4/event")}, "the Library gives wisdom alone"


@rule("SIM-DRAGON-27", "SIM-PAY-1")
def test_each_vassal_paid_is_one_event():
    """By the house a Spearman and a Dragonrider; #61 answers the first, #63 the second."""
    price = {"pay": {"fixed": {"spearman": 2, "dragonrider": 1}}, "gain": {"take": {"pp": 1}}}
    house = {"spaces": {"armory": {"effect": price}}}
    held = {"dragons": (61, 62, 63), "markers": ["61-3", "62-3", "63-2"]}
    ann = {**held, "available": {"spearman": 3, "dragonrider": 1}}
    g = game({"ann": ann, "bob": {}}, house=house)
    g.place("spearman", "armory", vassals={"spearman": {"available": 2}, "dragonrider": {"available": 1}})
    assert [f.of for f in g.state.stack[3:]] == [["dragonrider"], ["spearman"], ["spearman"]]
    assert told(g, taken_twice(5)), "three Spearmen were not paid"
    assert told(g, lambda data: data["stack"].pop(3)), "the Dragonrider was"
    g.play("ann", "answer", ability="dragon-61-3").play("ann", "choose-total", tokens={"wood": 2})


@rule("SIM-EFF-2", "SIM-EXPL-15")
def test_what_is_divided_or_moved_stands_at_the_step_that_it_has_come_to():
    held = {"dragons": (55, 61), "markers": ["55-3", "61-2"]}
    ann = {**held, "assigned": {space(43, 2): {"dragonrider": 1}}, "resources": {"weapon": 1}}
    g = game({"ann": {**ann, "available": {"spearman": 1}}, "bob": {}}, wilds=(43,))
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})

    def step(at: int, name: str) -> Callable[[Any], None]:
        return lambda data: data["stack"][at].update(step=name)

    assert [(type(f).__name__, f.step) for f in g.state.stack[2:]] == [
        ("Stride", "answer-move"),
        ("Gain", "next-part"),
        ("Share", "choose"),
    ]
    for wrong in ("reward", "arrive", "end", "answer-price"):
        assert told(g, step(2, wrong)), wrong
    for wrong in ("choose-later", "end", "no-choice", ""):
        assert told(g, step(4, wrong)), wrong
    g.play("ann", "choose-total", tokens={"stone": 2})
    assert [(type(f).__name__, f.step) for f in g.state.stack[2:]] == [
        ("Stride", "arrive"),
        ("Occasion", "answer"),
    ]
    for wrong in ("reward", "answer-move", "end"):
        assert told(g, step(2, wrong)), wrong


# -- what nobody can have done before the Main Action -----------------------------------------------------------


def at_bobs_turn(bob: Any = None, **board: Any) -> Game:
    """Bob's turn has just begun; dragon 50 gives neither tiles nor ways to lose vassals."""
    ann = {"dragons": (69,)}
    g = game({"ann": ann, "bob": bob or {"dragons": (50,), "markers": ["50-2"]}}, length="short", **board)
    return g.place("spearman", "armory").end()


def shown(n: int) -> Callable[[Any], None]:
    """So many objectives lie at the Statue."""

    def change(data: Any) -> None:
        stratum = data["table"]["objectives"]["segments"][0]["strata"][0]
        for place in list(data["table"]["statue"])[:n]:
            data["table"]["statue"][place] = min(stratum["members"])
            del stratum["members"][min(stratum["members"])]
            stratum["size"] -= 1

    return change


def taken(data: Any, n: int, to: list[str], type_: str = "") -> None:
    """So many tiles off the deck lie elsewhere."""
    for stratum in data["table"]["tiles"]["segments"][0]["strata"]:
        while n and stratum["size"] and min(stratum["members"]).startswith(type_):
            to.append(min(stratum["members"]))
            del stratum["members"][to[-1]]
            stratum["size"] -= 1
            n -= 1
    assert not n


def removed(n: int, type_: str = "") -> Callable[[Any], None]:
    """So many tiles lie in the Chronicle."""
    return lambda data: taken(data, n, data["table"]["chronicle"], type_)


END = {("SIM-END-4", "/table/ending")}


@rule("SIM-END-1", "SIM-END-2", "SIM-END-4")
def test_an_end_that_was_met_when_the_turn_began_is_triggered():
    """A short game ends with 4 objectives or 8 tiles; none of them can come before Bob's Main Action."""
    g = at_bobs_turn()
    for change in (shown(3), removed(7)):
        assert told(g, change) == set()
    for change in (shown(4), shown(5), removed(8), removed(12)):
        assert told(g, change) == END


@rule("SIM-END-1", "SIM-STATUE-2")
def test_a_main_action_at_the_statue_brings_one_objective_at_the_most():
    g = at_bobs_turn().place("spearman", "great-market", "bob").play("bob", "choose-one", branch=1)
    assert told(g, shown(3)) == set()
    assert told(g, shown(4)) == END, "he is not at the Statue"
    g = at_bobs_turn().place("dragonrider", "statue", "bob")
    assert told(g, shown(3)) == set()
    assert told(g, shown(4)) == END, "and places none before he chooses"
    g.play("bob", "place-none")
    g.play("bob", "return-tiles", end="bottom", order=sorted(g["bob"].considered))
    assert g.state.stack[-1].step == "finish"
    assert told(g, shown(4)) == set()
    assert told(g, shown(5)) == END


@rule("SIM-END-2", "SIM-TURN-3", "SIM-REMOVE-1", "SIM-REMOVE-2")
def test_as_many_tiles_are_left_empty_as_vassals_can_have_been_retrieved():
    g = at_bobs_turn().place("spearman", "library", "bob")
    assert g["bob"].available == {"dragonrider": 1}
    assert told(g, removed(8)) == set(), "he may have retrieved the Dragonrider"
    assert told(g, removed(9)) == END
    alone = at_bobs_turn({"dragons": (50,), "markers": ["50-2"], "available": {"spearman": 1}})
    alone.place("spearman", "library", "bob")
    assert told(alone, removed(7)) == set()
    assert told(alone, removed(8)) == END, "nobody is at home who was retrieved"
    bob = {"dragons": (50,), "markers": ["50-2"], "hand": (1,), "available": {"spearman": 1}}
    laid = at_bobs_turn(bob).play("bob", "place-tile", tile=tile(1), wilds="wilds-1", income=0)
    laid.place("spearman", space(1, 2), "bob")
    assert told(laid, removed(8)) == set(), "another tile may have made room"
    assert told(laid, removed(9)) == END


@rule("SIM-END-2", "SIM-PAY-5", "SIM-EXPL-10")
def test_an_end_may_have_been_met_by_a_vassal_that_paid_or_a_rider_at_the_end_of_his_path():
    payer = {"dragons": (64,), "markers": ["64-1"], "available": {"spearman": 1}}  # 64-3 pays a Dragonrider
    assert told(at_bobs_turn(payer), removed(8)) == set()
    assert told(at_bobs_turn(payer), removed(9)) == END, "he leaves one tile"
    assert told(at_bobs_turn({**payer, "available": {"dragonrider": 1}}), removed(8)) == END, "SIM-PAY-3"
    away = {"forge": {"dragonrider": 1}, "library": {"dragonrider": 1}}
    assert told(at_bobs_turn({**payer, "assigned": away}), removed(8)) == END, "both Dragonriders are there"
    one_use = {"dragons": (59,), "markers": ["59-1", "59-2"], "assigned": {"library": {"dragonrider": 1}}}
    assert told(at_bobs_turn({**one_use, "available": {"dragonrider": 1}}), removed(8)) == set()
    assert told(at_bobs_turn({**one_use, "available": {"dragonrider": 1}}), removed(9)) == END
    assert told(at_bobs_turn({**payer, "markers": ["64-1", "64-3"]}), removed(8)) == END, "64-3 was not used"
    assert told(at_bobs_turn(payer), shown(4)) == END, "objectives come in a Main Action"

    def moved(n: int, type_: str) -> Callable[[Any], None]:
        def change(data: Any) -> None:
            data["table"]["chronicle"].append(data["table"]["display"]["display-1"])
            data["table"]["display"]["display-1"] = None
            taken(data, n - 1, data["table"]["chronicle"], type_)
            data["stack"][-1]["moved"] = True

        return change

    g = at_bobs_turn(
        {"dragons": (58,), "markers": []}, display=(37, 14, 21, 22)
    )  # 58-3 fetches what was on 1
    assert told(g, moved(8, "")) == set()
    assert told(g, moved(9, "")) == END, "one tile at the end of a path"


@rule("SIM-SCOUT-7")
def test_with_tiles_in_the_deck_the_display_is_full_when_a_turn_begins():
    def fetched(*places: int) -> Callable[[Any], None]:
        def change(data: Any) -> None:
            for n in places:
                data["table"]["seats"]["ann"]["hand"].append(data["table"]["display"][f"display-{n}"])
                data["table"]["display"][f"display-{n}"] = None

        return change

    g = at_bobs_turn()
    assert told(g, fetched(2)) == {("SIM-SCOUT-7", "/table/display/display-2")}
    one = at_bobs_turn({"dragons": (58,), "markers": ["58-1"]})  # 58-3 takes a face-up tile
    assert told(one, fetched(2)) == set()
    assert told(one, fetched(2, 3)) == {("SIM-SCOUT-7", "/table/display/display-3")}
    assert told(at_bobs_turn({"dragons": (58,), "markers": ["58-3"]}), fetched(2)), (
        "its marker is still there"
    )
    at_market = g.fork().place("spearman", "great-market", "bob").play("bob", "choose-one", branch=1)
    assert told(at_market, fetched(2)) == {("SIM-SCOUT-7", "/table/display/display-2")}
    g["bob"].resources |= {"weapon": 1}
    g.place("spearman", "scouts-quarter", "bob").play("bob", "choose-one", branch=1)
    assert told(g, fetched(2)) == {("SIM-SCOUT-7", "/table/display/display-2")}, "he has not chosen yet"
    g.play("bob", "acquire-tile", place="deck", cost={"tokens": {"weapon": 1}})
    assert told(g, fetched(2)) == set(), "from the Scouts"
    assert told(g, fetched(2, 4)) == {("SIM-SCOUT-7", "/table/display/display-4")}
    bare = game({"ann": {}, "bob": {}, "cyd": {}}, display=(13, None, None, None), empty=["tiles"])
    assert told(bare.place("spearman", "armory").end(), lambda data: None) == set(), "SIM-SCOUT-8"


@rule("SIM-LIMIT-1", "SIM-LIMIT-3", "SIM-LIMIT-7")
def test_when_a_turn_begins_nothing_is_over_a_limit():
    def tiles(n: int) -> Callable[[Any], None]:
        return lambda data: taken(data, n - 1, data["table"]["seats"]["bob"]["hand"])

    def wood(n: int) -> Callable[[Any], None]:
        return lambda data: data["table"]["seats"]["bob"].update(resources={"wood": n})

    hand, heap = ("SIM-LIMIT-1", "/table/seats/bob/hand"), ("SIM-LIMIT-3", "/table/seats/bob/resources")
    g = at_bobs_turn({"dragons": (50,), "markers": ["50-1", "50-2"]})
    assert len(g["bob"].hand) == 1
    assert told(g, tiles(5)) == told(g, wood(15)) == set()
    assert told(g, tiles(6)) == {hand}
    assert told(g, wood(16)) == {heap}, "50-3 has no marker, and gives points alone"
    g = at_bobs_turn({"dragons": (68, 72), "markers": ["68-1", "72-2", "72-3"]})
    assert told(g, tiles(7)) == set(), "the abilities 68-2 and 68-3 have brought one each"
    assert told(g, tiles(8)) == {hand}
    assert told(g, wood(16)) == set(), "72-1 has brought 2 wood for a vegetable"
    assert told(g, wood(17)) == {heap}
    g.place("spearman", "great-market", "bob").play("bob", "choose-one", branch=1)
    assert told(g, tiles(7)) == told(g, wood(17)) == set(), "the Market may have brought a vegetable"
    assert told(g, tiles(8)) == {hand}
    assert told(g, wood(18)) == {heap}


@rule("SIM-LIMIT-3", "SIM-DRAGON-10", "SIM-DRAGON-11")
def test_an_ability_has_answered_only_an_event_that_can_have_been():
    heap = {("SIM-LIMIT-3", "/table/seats/bob/resources")}

    def wood(n: int) -> Callable[[Any], None]:
        return lambda data: data["table"]["seats"]["bob"].update(resources={"wood": n})

    g = at_bobs_turn({"dragons": (61,), "markers": []})
    assert told(g, wood(15)) == set()
    assert told(g, wood(16)) == heap, "he took no wisdom and paid no Spearman"
    g = at_bobs_turn({"dragons": (61,), "markers": []}).place("spearman", "library", "bob")
    assert told(g, wood(19)) == set(), "2 wisdom and 2 more"
    assert told(g, wood(20)) == heap
    g = at_bobs_turn({"dragons": (53, 55), "markers": ["53-2", "53-3", "55-1", "55-2"]})
    assert told(g, wood(19)) == set(), "2 meat by 53-1, and 2 more by 55-3"
    assert told(g, wood(20)) == heap
    g = at_bobs_turn({"dragons": (53, 55), "markers": ["53-1", "53-2", "53-3", "55-1", "55-2"]})
    assert told(g, wood(16)) == heap


BOTH_RIDERS_PAID = [((), 28), (("63-1",), 27), (("63-2",), 26), (("63-1", "63-2"), 25)]


@rule("SIM-LIMIT-3", "SIM-DRAGON-4", "SIM-PAY-1")
@pytest.mark.parametrize(("left", "most"), BOTH_RIDERS_PAID)
def test_an_ability_was_used_once_more_only_by_a_marker_that_came_and_as_often_as_vassals_were_paid(
    left, most
):
    """Both riders are paid for 3 weapons and 2 meat each (63-3), the second one where he brought 2 markers.

    Each time 63-2 may answer with 2 stone, and 63-1 once with a weapon: two markers fill two of the three.
    """
    resources = {"wood": 13, "stone": 2}
    ann = {"dragons": (63,), "markers": ["63-1", "63-2", "63-3"], "resources": resources}
    g = game({"ann": {**ann, "available": {"spearman": 1, "dragonrider": 2}}, "bob": {}})

    def pay_from(place: str, *answers: str) -> None:
        cost = {"vassals": {"dragonrider": {place: 1}}}
        g.play("ann", "use-ability", ability="dragon-63-3", cost=cost)
        for ability in ("63-2", "63-1"):
            if g.kinds[-1] == "decline" and ability in answers:
                g.play("ann", "answer", ability=f"dragon-{ability}")
            elif g.kinds[-1] == "decline":
                g.play("ann", "decline")

    pay_from("available", "63-2")
    g.place("dragonrider", "builders-square", tokens={"stone": 2})
    pay_from("builders-square", *({"63-1", "63-2"} - {*left}))
    assert sorted(g["ann"].markers) == [f"dragon-{a}" for a in left]
    assert sum(g["ann"].resources.values()) == most

    def wood(n: int) -> Callable[[Any], None]:
        return lambda data: data["table"]["seats"]["ann"].update(resources={"wood": n})

    assert told(g, wood(most)) == set()
    assert told(g, wood(most + 1)) == {("SIM-LIMIT-3", "/table/seats/ann/resources")}


@rule("SIM-LIMIT-3", "SIM-DRAGON-8")
def test_the_markers_of_a_new_dragon_lie_on_him_and_refill_no_other():
    """All three lie on the new dragon still, so neither he nor any other has been used for them."""
    bob = {"dragons": (61,), "available": {"spearman": 1, "dragonrider": 1}, "resources": {"wood": 11}}
    food = dict.fromkeys(["vegetable", "meat", "stone", "weapon"], 1)
    bob["resources"] |= food
    bob["markers"] = ["61-2", "61-3"]
    g = at_bobs_turn(bob).place("dragonrider", "hatchery", "bob", tokens={"wood": 1, **food})
    g.play("bob", "keep-dragon", dragon=min(g["bob"].looked_at))
    while g.kinds[0] == "return-tiles":
        g.play("bob", "return-tiles", end="bottom", order=sorted(g["bob"].looked_at))

    def wood(n: int) -> Callable[[Any], None]:
        return lambda data: data["table"]["seats"]["bob"].update(resources={"wood": n})

    assert told(g, wood(15)) == set()
    assert told(g, wood(16)) == {("SIM-LIMIT-3", "/table/seats/bob/resources")}, "the Hatchery took 5"


@rule("SIM-LIMIT-1", "SIM-LIMIT-3", "SIM-EFF-3", "SIM-EFF-8")
def test_a_gain_brings_nothing_before_it_is_chosen():
    full = {"dragons": (50,), "markers": ["50-1", "50-2", "50-3"]}
    g = at_bobs_turn(full).place("spearman", "great-market", "bob")
    assert g.kinds == ("choose-one",)

    def wood(n: int) -> Callable[[Any], None]:
        return lambda data: data["table"]["seats"]["bob"].update(resources={"wood": n})

    def tiles(n: int) -> Callable[[Any], None]:
        return lambda data: taken(data, n - 1, data["table"]["seats"]["bob"]["hand"])

    assert told(g, wood(15)) == told(g, tiles(5)) == told(g, shown(3)) == told(g, removed(7)) == set()
    assert told(g, wood(16)) == {("SIM-LIMIT-3", "/table/seats/bob/resources")}
    assert told(g, tiles(6)) == {("SIM-LIMIT-1", "/table/seats/bob/hand")}
    assert told(g, shown(4)) == told(g, removed(8)) == END


@rule("SIM-LIMIT-1", "SIM-LIMIT-3", "SIM-LIMIT-8", "SIM-SCOUT-7")
def test_at_the_limits_there_is_no_more_than_the_turn_has_brought():
    bob = {"dragons": (50,), "markers": ["50-1", "50-2", "50-3"], "hand": (1, 2, 3, 4, 29)}
    g = at_bobs_turn({**bob, "resources": {"wood": 14, "weapon": 1}})
    g.place("spearman", "scouts-quarter", "bob").play("bob", "choose-one", branch=1)
    g.play("bob", "acquire-tile", place="deck", cost={"tokens": {"weapon": 1}}).end("bob")
    assert (g.kinds, len(g["bob"].hand)) == (("put-back",), 6)

    def tiles(n: int) -> Callable[[Any], None]:
        return lambda data: taken(data, n, data["table"]["seats"]["bob"]["hand"])

    def wood(n: int) -> Callable[[Any], None]:
        return lambda data: data["table"]["seats"]["bob"].update(resources={"wood": n})

    hand, heap = {("SIM-LIMIT-1", "/table/seats/bob/hand")}, {("SIM-LIMIT-3", "/table/seats/bob/resources")}
    assert told(g, tiles(1)) == hand, "the Scouts bring one tile"
    assert told(g, wood(16)) == set()
    assert told(g, wood(17)) == heap
    assert told(g, shown(4)) == told(g, removed(9)) == END
    g = at_bobs_turn({**bob, "resources": {"wood": 15}}).place("spearman", "library", "bob").end("bob")
    assert g.kinds == ("return-tokens",)
    assert told(g, tiles(1)) == hand, "the hand has been looked at"
    assert told(g, wood(17)) == set(), "2 wisdom"
    assert told(g, wood(18)) == heap


@rule("SIM-SCOUT-7", "SIM-SCOUT-8")
def test_only_the_turn_with_which_a_position_begins_may_show_a_gap():
    """50-1 and the Great Market take nothing from the display."""
    ann = {"dragons": (50,), "markers": ["50-1", "50-2", "50-3"]}
    g = game({"ann": ann, "bob": {}}, display=(13, None, 21, 22))
    g.play("ann", "use-ability", ability="dragon-50-1", cost={}).play("ann", "choose-one", branch=0)
    g.place("spearman", "great-market").play("ann", "choose-one", branch=0)
    assert g.board.display["display-2"] is None
    g.end().place("spearman", "armory", "bob").end("bob")

    def fetched(data: Any) -> None:
        data["table"]["seats"]["bob"]["hand"].append(data["table"]["display"]["display-2"])
        data["table"]["display"]["display-2"] = None

    assert g.asked == "ann"
    assert told(g, fetched) == {("SIM-SCOUT-7", "/table/display/display-2")}
    g.play("ann", "retrieve-vassals", spearmen={"great-market": 1}, dragonriders={})
    assert told(g, fetched) == {("SIM-SCOUT-7", "/table/display/display-2")}
    seats: dict[str, Any] = {"ann": ann, "bob": {"dragons": (49,)}, "cyd": {}}
    bare = game(seats, display=(13, 14, None, None), empty=["tiles"]).place("spearman", "armory").end()

    def slid(data: Any) -> None:
        data["table"]["display"] |= {"display-1": None, "display-3": data["table"]["display"]["display-1"]}

    assert told(bare, slid) == {("SIM-SCOUT-7", "/table/display/display-1")}, (
        "tiles slide without a deck, too"
    )


@rule("SIM-LIMIT-1", "SIM-LIMIT-3", "SIM-LIMIT-5", "SIM-TURN-6")
def test_a_position_may_show_what_the_first_player_has_used_in_the_turn_with_which_it_begins():
    """57-3 has brought a sixth tile and 71-1 two wood for a vegetable, as long as their markers are gone."""
    wood, used = {"resources": {"wood": 16}}, ["57-1", "57-2", "71-2", "71-3"]
    held: dict[str, Any] = {"dragons": (57, 71), "hand": (29, 1, 2, 3, 4, 5)}

    def refused(ann: dict[str, Any], **bob: Any) -> set[str | None]:
        try:
            game({"ann": ann, "bob": bob}, display=(13, None, 21, 22))
        except SetupRefused as error:
            return {p.rule for p in error.problems}
        return set()

    assert refused({**held, **wood, "markers": used}) == set()
    assert refused({**held, "markers": [*used, "57-3"]}) == {"SIM-LIMIT-1"}
    assert refused({**held, "hand": (29,), **wood, "markers": [*used, "71-1"]}) == {"SIM-LIMIT-3"}
    assert refused({**held, "markers": used, "resources": {"wood": 17}}) == {"SIM-LIMIT-3"}
    assert refused({"dragons": (50,)}, **held, **wood, markers=used) == {"SIM-LIMIT-1", "SIM-LIMIT-3"}
    g = game({"ann": {**held, **wood, "markers": used}, "bob": {}}, display=(13, None, 21, 22))
    g.place("spearman", "great-market").play("ann", "choose-one", branch=1).end()
    assert g.kinds == ("put-back",)


@rule("SIM-TURN-1", "SIM-TURN-2", "SIM-TURN-3", "SIM-EXPL-4")
def test_at_the_end_of_a_turn_a_vassal_has_been_placed_or_retrieved():
    ann = {"assigned": {space(43, 2): {"dragonrider": 1}}, "available": {"spearman": 1}, "dragons": (50,)}
    g = game({"ann": ann, "bob": {}}, wilds=(43,)).place("spearman", "armory")
    assert g.state.stack[-1].step == "finish"

    def lost(moved: bool, *, home: bool = False) -> Callable[[Any], None]:
        def change(data: Any) -> None:
            ann = data["table"]["seats"]["ann"]
            ann |= {"available": {"spearman": 1} if home else {}, "inactive": {"dragonrider": 1}}
            ann["inactive"]["spearman"] = 3 - home
            ann["assigned"] = {space(43, 2): {"dragonrider": 1}}
            data["stack"][1]["moved"] = moved

        return change

    assert told(g, lost(moved=False)) == {("SIM-TURN-1", "/stack/1/step")}, "nobody is placed on level 2"
    assert told(g, lost(moved=True)) == set(), "he may have moved on"
    assert told(g, lost(moved=False, home=True)) == set(), "the Spearman may have been retrieved"


@rule("SIM-STATUE-1", "SIM-STATUE-2", "SIM-EFF-6", "SIM-EFF-7")
def test_whoever_chooses_has_what_was_drawn_and_no_more():
    g = at_bobs_turn().place("dragonrider", "statue", "bob")
    assert len(g["bob"].considered) == 3

    def more(pile: str, held: str, n: int) -> Callable[[Any], None]:
        def change(data: Any) -> None:
            stratum, mine = (
                data["table"][pile]["segments"][0]["strata"][0],
                data["table"]["seats"]["bob"][held],
            )
            for _ in range(n):
                mine.append(min(stratum["members"]))
                del stratum["members"][mine[-1]]
                stratum["size"] -= 1
            for _ in range(-n):
                stratum["members"][mine.pop()] = 1
                stratum["size"] += 1

        return change

    wrong = {("SIM-STATUE-1", "/table/seats/bob/considered")}
    for n in (-1, 1, 2):
        assert told(g, more("objectives", "considered", n)) == wrong
    g.play("bob", "place-none")
    assert told(g, more("objectives", "considered", 1)) == wrong
    assert told(g, more("objectives", "considered", -1)) == set(), "one of them may lie at the Statue"
    assert told(g, more("objectives", "considered", -2)) == wrong
    bob = {"dragons": (50,), "resources": dict.fromkeys(["vegetable", "meat", "wood", "stone", "weapon"], 1)}
    g = at_bobs_turn(bob).place("dragonrider", "hatchery", "bob", tokens=bob["resources"])
    wrong = {("SIM-EFF-6", "/table/seats/bob/looked_at")}
    for n in (-1, 1):
        assert told(g, more("dragons", "looked_at", n)) == wrong
    g.play("bob", "keep-dragon", dragon=g["bob"].looked_at[0])
    for n in (-1, 1):
        assert told(g, more("dragons", "looked_at", n)) == wrong
