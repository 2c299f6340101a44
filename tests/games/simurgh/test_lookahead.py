"""Looking ahead at the Scouts' Quarter is right and quick, with or without a way out."""

import time

import pytest

from service.engine.lookahead import can_finish
from service.engine.table import Table
from service.games.simurgh.v1.placing import PlaceVassal
from service.games.simurgh.v1.unfinished import plenty
from tests.conformance.subjects import walk
from tests.games.simurgh.table import RULES, game, space

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


def tempted(resources, **more):
    """A game in which only wisdom buys a tile, and eight abilities could be used first."""
    ann = {"dragons": DRAGONS, "markers": EIGHT, "resources": resources, "pp": 9, **more}
    bob = {"available": {"dragonrider": 1}, "assigned": {space(1): {"spearman": 1}}}
    return game(
        {"ann": ann, "bob": bob, "cyd": {}}, wilds=(1, 44), display=(13, None, None, None), empty=["tiles"]
    )


def quickest(work):
    """The best of five, in seconds."""
    found = []
    for _ in range(5):
        begun = time.perf_counter()
        work()
        found.append(time.perf_counter() - begun)
    return min(found)


def on_the_path(**more):
    rider = {"available": {"spearman": 1, "dragonrider": 0}, "assigned": {space(44, 2): {"dragonrider": 1}}}
    return tempted({"meat": 4, "vegetable": 2}, **rider, **more)


@pytest.mark.rule("SIM-SCOUT-6")
@pytest.mark.refusal("SIM-PLACE-5")
def test_eight_tempting_exchanges_and_no_way_out_are_seen_through_quickly():
    g = on_the_path()
    assert set(g.not_placed("spearman", "scouts-quarter")) == {"SIM-PLACE-5"}
    wire = {"vassal": "spearman", "space": "scouts-quarter", "cost": {}}
    assert quickest(lambda: g.judged("ann", "place-vassal", **wire)) < 0.020


def test_a_step_down_a_path_may_be_the_way_out():
    g = on_the_path()
    ann = {"available": {"spearman": 1, "dragonrider": 0}, "assigned": {space(44, 2): {"dragonrider": 1}}}
    rich = tempted({"wisdom": 1, "stone": 1, "meat": 4}, **ann)
    assert rich.judged("ann", "place-vassal", vassal="spearman", space="scouts-quarter", cost={}).legal
    assert not g.judged("ann", "place-vassal", vassal="spearman", space="scouts-quarter", cost={}).legal


def test_the_bound_never_hides_a_way():
    """Without it the search finds nothing that it does not find with it."""
    bound = RULES.hooks["may-finish"]
    tried = 0
    for seed in range(12):
        for ply in walk(RULES, seed, "random").plies[::9]:
            if ply.state.stack[-1].step != "act":
                continue
            t = Table(RULES, ply.state)
            seat = ply.state.stack[-1].seat
            acts = [
                PlaceVassal(t, t.frames[-1], seat, {"vassal": k, "space": "scouts-quarter", "cost": {}})
                for k in ply.state.table.seats[seat].available
            ]
            for act in acts:
                with_bound = can_finish(t, act)
                RULES.hooks["may-finish"] = ()
                try:
                    assert can_finish(t, act) == with_bound
                finally:
                    RULES.hooks["may-finish"] = bound
                tried += 1
    assert tried > 50


def test_what_could_be_had_is_never_less_than_what_is_there():
    g = on_the_path()
    have = plenty(g.table, g["ann"], moved=False)
    assert have["meat"] >= 4
    assert have["pp"] >= 9
    assert have.get("wisdom", 0) == 0
