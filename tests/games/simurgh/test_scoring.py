"""The end of the game and the final score."""

import pytest

from tests.games.simurgh.table import game, space

rule = pytest.mark.rule
EIGHT = (1, 2, 3, 4, 13, 14, 21, 37)
ELEVEN = (*EIGHT, 22, 38, 39)
FOURTEEN = (*ELEVEN, 15, 23, 5)


def finished(seats, variant="spearman", **board):
    """The standings of a game whose last turn is taken: ann has triggered the end, the others retrieve or place."""
    g = game(seats, variant=variant, length="short", chronicle=EIGHT, ending="ann", **board)
    for seat in list(seats)[1:]:
        g.play(seat, "retrieve-vassals", spearmen={"forge": 1}, dragonriders={}).end(seat)
    return g


def waiting(**held):
    return {"available": {"dragonrider": 1}, "assigned": {"forge": {"spearman": 1}}, **held}


def scores(g):
    return {s.seat: s.score for s in g.state.outcome.standings}


@rule("SIM-END-2", "SIM-END-3", "SIM-END-4", "SIM-END-5", "SIM-END-6")
@pytest.mark.parametrize(("length", "chronicle"), [("short", EIGHT), ("medium", ELEVEN), ("long", FOURTEEN)])
def test_enough_tiles_in_the_chronicle_trigger_the_end(length, chronicle):
    out = [n for n in chronicle if n != 37]
    ann = {"available": {"spearman": 1}, "assigned": {space(37): {"dragonrider": 1}}}
    g = game({"ann": {}, "bob": ann, "cyd": {}}, length=length, chronicle=out, wilds=(37,))
    g.place("spearman", "armory").end()
    assert g.board.ending is None
    g.play("bob", "retrieve-vassals", spearmen={}, dragonriders={space(37): 1})
    assert g.board.ending is None
    g.end("bob")
    assert g.board.ending == "bob"
    assert "SIM-END-2" in g.because("set")
    g.place("spearman", "library", actor="cyd").end("cyd")
    assert g.state.outcome is None
    g.place("dragonrider", "dragon-towers").end()
    assert g.state.outcome is not None
    assert g.board.ending == "bob"


@rule("SIM-END-1", "SIM-END-3")
@pytest.mark.parametrize(("length", "n"), [("short", 4), ("medium", 4), ("long", 5)])
def test_enough_objectives_trigger_the_end(length, n):
    statue = {f"statue-{i}": 72 + i for i in range(1, n)}
    ann = {"resources": {"wisdom": 3, "weapon": 2}}
    g = game({"ann": ann, "bob": {}}, length=length, statue=statue).place("dragonrider", "statue")
    where = f"statue-{n}"
    cost = {"tokens": {"wisdom": 3 if n == 5 else 2, "weapon": 2}}
    g.play("ann", "place-objective", objective=min(g["ann"].considered), space=where, cost=cost)
    g.play("ann", "return-tiles", end="top", order=sorted(g["ann"].considered))
    g.end()
    assert g.board.ending == "ann"
    assert "SIM-END-1" in g.because("set")


@rule("SIM-END-7")
def test_limits_apply_in_the_last_turns():
    seats = {"ann": {}, "bob": waiting(resources={"wood": 15})}
    g = game(seats, length="short", chronicle=EIGHT, ending="ann")
    g.place("dragonrider", "library", actor="bob").end("bob")
    assert g.kinds == ("return-tokens",)
    g.play("bob", "return-tokens", tokens={"wood": 2})
    assert g.state.outcome is not None


@rule("SIM-SCORE-1", "SIM-SCORE-3", "SIM-SCORE-5")
@pytest.mark.parametrize(("resources", "points"), [(0, 0), (2, 0), (3, 1), (11, 3), (15, 5)])
def test_a_spearman_gets_a_point_for_three_resources(resources, points):
    g = finished({"ann": {"resources": {"wood": resources} if resources else {}, "pp": 31}, "bob": waiting()})
    assert scores(g) == {"ann": 31 + points, "bob": 0}
    assert g.state.outcome.winners == ["ann"]


@rule("SIM-SCORE-4", "SIM-DL-7")
@pytest.mark.parametrize(("resources", "points"), [(0, 5), (1, 3), (3, 3), (4, 1), (6, 1), (7, 0), (12, 0)])
def test_a_dragonlord_gets_points_for_few_resources(resources, points):
    ann = {"resources": {"wood": resources} if resources else {}, "pp": 31}
    g = finished({"ann": ann, "bob": waiting(resources={"wood": 7})}, "dragonlord")
    assert scores(g) == {"ann": 31 + points, "bob": 0}


@rule("SIM-OBJ-8", "SIM-SCORE-2")
def test_vegetables_and_meat_score_twice():
    g = finished(
        {"ann": {"resources": {"vegetable": 2, "meat": 1}}, "bob": waiting()}, statue={"statue-1": 84}
    )
    (ann,) = [s for s in g.state.outcome.standings if s.seat == "ann"]
    assert ann.parts == {"track": 0, "objectives": 6, "resources": 1}


@rule("SIM-SCORE-6")
def test_tied_players_share_the_win_and_markers_rank_them():
    seats = {
        "ann": {"pp": 9, "dragons": (49,), "markers": []},
        "bob": waiting(pp=9, dragons=(50,), markers=["50-1"]),
        "cyd": waiting(pp=8, dragons=(51,), markers=["51-1", "51-2"]),
    }
    g = finished(seats)
    assert g.state.outcome.winners == ["ann", "bob"]
    assert [s.seat for s in g.state.outcome.standings] == ["bob", "ann", "cyd"]
    told = [e.to_wire() for e in g.events if e.because == "SIM-SCORE-6"]
    assert told == [
        {"kind": "markers-compared", "because": "SIM-SCORE-6", "seat": "ann", "n": 0},
        {"kind": "markers-compared", "because": "SIM-SCORE-6", "seat": "bob", "n": 1},
        {"kind": "victory-shared", "because": "SIM-SCORE-6", "seats": ["ann", "bob"]},
    ]
    alone = finished({"ann": {"pp": 9}, "bob": waiting(pp=8)})
    assert "SIM-SCORE-6" not in alone.because()


@rule("SIM-SCORE-7", "SIM-SCORE-8")
def test_tiles_vassals_dragons_and_markers_are_worth_nothing_and_nothing_answers_scoring():
    rich = {
        "hand": (29, 5, 15),
        "available": {"spearman": 3, "dragonrider": 2},
        "dragons": (69, 70),
        "markers": ["69-3", "70-3"],
    }
    g = finished({"ann": rich, "bob": waiting(pp=1)}, statue={"statue-1": 83})
    (ann,) = [s for s in g.state.outcome.standings if s.seat == "ann"]
    assert ann.parts == {"track": 0, "objectives": 14, "resources": 0}
    assert g["ann"].markers == {"dragon-69-3": 1, "dragon-70-3": 1}
