"""The examples of the rulebook and worked ones, in their numbers."""

import pytest

from tests.games.simurgh.table import game, space, tile

rule = pytest.mark.rule


@rule("SIM-LIMIT-1", "SIM-LIMIT-3", "SIM-LIMIT-4", "SIM-LIMIT-5")
def test_example_1_the_end_of_annas_turn():
    """After her Power Tile she holds 2 Research and 4 Exploration Tiles and 18 resources: 1 tile and 3 resources go."""
    ann = {"hand": (29, 13, 14, 37, 38), "dragons": (57, 67, 55, 56), "available": {"spearman": 1}}
    ann["markers"] = ["57-1", "57-3", "67-3", "55-2", "56-2"]
    ann["resources"] = {"wisdom": 2, "weapon": 6, "vegetable": 3, "stone": 1, "wood": 3}
    g = game({"ann": ann, "bob": {}}, display=(39, 40, 21, 22))
    for n, place in ((57, "display-1"), (67, "display-2")):
        g.play("ann", "fetch-tile", ability=f"dragon-{n}-3", place=place, cost={"tokens": {"weapon": 1}})
    g.play("ann", "use-ability", ability="dragon-57-1", cost={})
    for n, tokens in ((55, {"wood": 2}), (56, {"stone": 2})):
        g.play("ann", "use-ability", ability=f"dragon-{n}-2", cost={}).play(
            "ann", "choose-total", tokens=tokens
        )
    g.play("ann", "place-tile", tile=tile(29), wilds="wilds-2", income=0)
    g.place("spearman", space(29), tokens={"wisdom": 2})
    assert g["ann"].hand == [tile(n) for n in (13, 14, 37, 38, 39, 40)]
    assert g["ann"].resources == {"vegetable": 6, "stone": 3, "wood": 5, "weapon": 4}
    g.end().play("ann", "put-back", end="top", tiles=[tile(38)])
    g.play("ann", "return-tokens", tokens={"weapon": 1, "vegetable": 2})
    assert len(g["ann"].hand) == 5
    assert g["ann"].resources == {"vegetable": 4, "stone": 3, "wood": 5, "weapon": 3}


@rule("SIM-CITY-6")
def test_example_2_the_barracks():
    g = game({"ann": {"resources": {"vegetable": 3, "meat": 1}}, "bob": {}})
    g.place("spearman", "barracks", tokens={"vegetable": 3, "meat": 1})
    assert g["ann"].resources == {}
    assert g["ann"].available == {"dragonrider": 1, "spearman": 1}
    assert g["ann"].inactive == {"dragonrider": 1, "spearman": 1}


@rule("SIM-SCOUT-1", "SIM-SCOUT-3", "SIM-SCOUT-7")
def test_example_3_the_scouts_quarter():
    g = game(
        {"ann": {"resources": {"wisdom": 1, "weapon": 1}}, "bob": {}}, display=(13, 14, 21, 22), deck=(5,)
    )
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=1)
    g.play("ann", "acquire-tile", place="display-3", cost={"tokens": {"wisdom": 1, "weapon": 1}})
    assert (g["ann"].resources, g["ann"].pp) == ({"wood": 1}, 2)
    assert tile(21) in g["ann"].hand
    assert list(g.board.display.values()) == [tile(13), tile(14), None, tile(22)]
    g.end()
    assert list(g.board.display.values()) == [tile(13), tile(14), tile(22), tile(5)]


@rule("SIM-TILE-5", "SIM-TILE-6", "SIM-TILE-7")
def test_example_4_placing_a_tile():
    g = game({"ann": {"hand": (7,)}, "bob": {}})
    g.play("ann", "place-tile", tile=tile(7), wilds="wilds-1", income=0).place("spearman", space(7, 2))
    assert g["ann"].resources == {"meat": 1, "vegetable": 3, "wood": 1}


@rule("SIM-DRAGON-10", "SIM-DRAGON-11")
def test_example_5_two_dragons_answer_one_event_and_what_they_give_is_none():
    ann = {"dragons": (61, 69), "markers": ["61-1", "61-2", "61-3", "69-2"]}
    g = game({"ann": ann, "bob": {}}).place("spearman", "library")
    g.play("ann", "answer", ability="dragon-61-1")
    assert g["ann"].resources == {"wisdom": 4}
    g.play("ann", "answer", ability="dragon-69-2")
    assert g["ann"].resources == {"wisdom": 6}
    assert g.kinds == ("end-turn",)
    assert set(g["ann"].markers) == {"dragon-61-2", "dragon-61-3"}


@rule("SIM-DRAGON-6", "SIM-DRAGON-20")
def test_example_6_a_chain_of_steps():
    ann = {
        "available": {"spearman": 1},
        "assigned": {space(37): {"dragonrider": 1}},
        "resources": {"wisdom": 6},
    }
    g = game({"ann": {**ann, "dragons": (59,), "markers": ["59-1", "59-2"]}, "bob": {}}, wilds=(37,))
    g.play("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})
    assert set(g["ann"].markers) == {"dragon-59-1", "dragon-59-2"}
    g.play("ann", "answer", ability="dragon-59-2")
    assert g["ann"].resources == {"meat": 2, "wisdom": 4}
    g.play("ann", "move-again", ability="dragon-59-1", cost={"tokens": {"wisdom": 2}})
    assert (g["ann"].pp, g["ann"].resources["wisdom"]) == (6, 2)
    assert g["ann"].assigned == {space(37, 3): {"dragonrider": 1}}
    assert g.options("ann", "move-rider") == []


@rule("SIM-PAY-3", "SIM-PAY-4", "SIM-PAY-5")
def test_example_7_spending_a_spearman():
    bob = {"available": {"dragonrider": 1}, "assigned": {space(14, 2): {"spearman": 1}}}
    ann = {"available": {"spearman": 1, "dragonrider": 1}, "assigned": {space(8): {"spearman": 1}}}
    at_home = game({"ann": ann, "bob": bob}, wilds=(8, 14))
    at_home.place("dragonrider", space(14, 4), vassals={"spearman": {"available": 1}})
    assert at_home.board.chronicle == []
    ann = {
        "available": {"dragonrider": 1},
        "assigned": {space(8): {"spearman": 1}, "armory": {"spearman": 1}},
    }
    for where, gone in (("armory", []), (space(8), [tile(8)])):
        g = game({"ann": ann, "bob": bob}, wilds=(8, 14))
        g.place("dragonrider", space(14, 4), vassals={"spearman": {where: 1}})
        assert g.board.chronicle == gone
        assert g["ann"].resources == {"wisdom": 6}


@rule("SIM-REMOVE-2", "SIM-REMOVE-3", "SIM-PLACE-10")
@pytest.mark.parametrize("seats", [3, 4])
def test_example_8_a_full_tile(seats):
    others = {"bob": {"available": {"dragonrider": 1}, "assigned": {space(12): {"spearman": 1}}}}
    others["cyd"] = {"available": {"dragonrider": 1}, "assigned": {space(12, 3): {"spearman": 1}}}
    others |= {"dan": {}} if seats == 4 else {}
    g = game({"ann": {}, **others}, wilds=(12,)).place("spearman", space(12, 2))
    assert g["ann"].resources == {"meat": 1, "vegetable": 3}
    assert g.board.chronicle == ([tile(12)] if seats == 3 else [])
    assert g["bob"].available == ({"dragonrider": 1, "spearman": 1} if seats == 3 else {"dragonrider": 1})


@rule("SIM-SCORE-1", "SIM-SCORE-2", "SIM-SCORE-3", "SIM-SCORE-4")
@pytest.mark.parametrize(
    ("variant", "resources", "total"),
    [
        ("spearman", 11, 48),
        ("dragonlord", 7, 45),
        ("dragonlord", 6, 46),
        ("dragonlord", 3, 48),
        ("dragonlord", 0, 50),
    ],
)
def test_examples_9_and_10_a_final_score(variant, resources, total):
    """31 on the track, objectives of 10 and 4, and what the resources bring."""
    chronicle = (1, 2, 3, 4, 13, 14, 21, 40)
    ann = {"pp": 31, "resources": {"wood": resources} if resources else {}, "dragons": (49, 55)}
    bob = {"available": {"dragonrider": 1}, "assigned": {"forge": {"spearman": 1}}, "dragons": (67, 68, 57)}
    statue = {
        "statue-1": 77,
        "statue-2": 76,
    }  # red or green: 10 for two; green, blue or gold: 4 for the second
    g = game(
        {"ann": ann, "bob": bob},
        variant=variant,
        length="short",
        chronicle=chronicle,
        ending="ann",
        statue=statue,
    )
    g.play("bob", "retrieve-vassals", spearmen={"forge": 1}, dragonriders={}).end("bob")
    (standing,) = [s for s in g.state.outcome.standings if s.seat == "ann"]
    assert standing.parts["objectives"] == 14
    assert standing.score == total


@rule("SIM-OBJ-3", "SIM-OBJ-4")
@pytest.mark.parametrize(
    ("markers", "points"),
    [((7, 5, 5, 2), (14, 7, 7, 0)), ((6, 6, 3), (14, 14, 3)), ((4, 0), (14, 0))],
)
def test_example_11_ties_in_an_objective(markers, points):
    dragons = iter(range(49, 73))
    seats = {}
    for seat, n in zip(("ann", "bob", "cyd", "dan"), markers, strict=False):
        own = tuple(next(dragons) for _ in range(3))
        here = (
            {} if seat == "ann" else {"available": {"dragonrider": 1}, "assigned": {"forge": {"spearman": 1}}}
        )
        seats[seat] = {**here, "dragons": own, "markers": [f"{d}-{k}" for d in own for k in (1, 2, 3)][:n]}
    chronicle = (1, 2, 3, 4, 13, 14, 21, 37)
    g = game(seats, length="short", chronicle=chronicle, ending="ann", statue={"statue-1": 83})
    for seat in list(seats)[1:]:
        g.play(seat, "retrieve-vassals", spearmen={"forge": 1}, dragonriders={}).end(seat)
    found = {s.seat: s.parts["objectives"] for s in g.state.outcome.standings}
    assert found == dict(zip(seats, points, strict=True))
