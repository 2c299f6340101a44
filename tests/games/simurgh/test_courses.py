"""Looking ahead along courses says what looking anywhere says, and leaves nobody stuck on a way that it has found."""

import random

import pytest

from service.engine.action import No
from service.engine.lookahead import can_finish, tried
from service.games.simurgh.v1 import search
from service.games.simurgh.v1.courses import Courses
from service.games.simurgh.v1.placing import PlaceVassal
from service.games.simurgh.v1.prospects import prospect
from service.games.simurgh.v1.state import Turn
from service.games.simurgh.v1.wayout import is_found
from tests.games.simurgh.test_lookahead import any_position, endangered, quickest, scouted, waiting

rule, refusal = pytest.mark.rule, pytest.mark.refusal

ELEVEN = {
    72: "2", 57: "3", 55: "2", 64: "1", 50: "2", 66: "3", 65: "12", 60: "3", 53: "13", 68: "12", 67: "23",
}  # fmt: skip
THIRTEEN = {
    61: "12", 58: "13", 69: "2", 62: "", 59: "123", 63: "1", 57: "1", 66: "2", 52: "", 70: "3", 68: "2", 67: "2",
    49: "123",
}  # fmt: skip
TWO_MARKERS = {
    72: "2", 57: "1", 54: "13", 49: "23", 50: "1", 56: "23", 65: "123", 70: "123", 66: "123", 51: "13", 68: "13",
}  # fmt: skip
SEVEN = {51: "", 71: "3", 64: "", 54: "23", 67: "12", 69: "", 49: "123"}
SCARCE = {"meat": 1, "stone": 4, "wisdom": 1, "wood": 1}

# Dragons, tiles on display, riders, resources, PP, and whether there is a way out; a search anywhere is long.
HARD = [
    (ELEVEN, (14, 15), {38: 1, 45: 1}, SCARCE, 4, True),
    (ELEVEN, (14,), {38: 1, 45: 1}, SCARCE, 1, False),
    (THIRTEEN, (14, 15, 16), {38: 2}, {"vegetable": 4, "meat": 2, "wisdom": 2}, 3, False),
    (TWO_MARKERS, (15,), {37: 1, 38: 2}, {"vegetable": 4, "wood": 3, "wisdom": 2, "stone": 3}, 0, True),
    (SEVEN, (16,), {43: 2, 44: 2}, {"vegetable": 1, "wisdom": 1}, 4, False),
]


def position(held_on, shelves, riders, resources, pp):
    """A game in which a Spearman may go to the Scouts."""
    display = [n if n in shelves else None for n in (13, 14, 15, 16)]
    return waiting(held_on, display, spearmen=2, wilds=riders, resources=resources, pp=pp)


def at_work(t):
    """The table once the Spearman is at the Scouts."""
    cost = {"vassal": "spearman", "space": "scouts-quarter", "cost": {}}
    act = PlaceVassal(t, t.frames[-1], "ann", cost)
    return tried(t, act, t.index(act.business(t)) + 1)


def along(t):
    """The answer of all courses, without the steps straight on."""
    return Courses(t, prospect(t)).along_courses()


def anywhere(t, monkeypatch):
    """That of a search which leaves no order of actions out, as far as 25 times the cap leads."""
    with monkeypatch.context() as patch:
        patch.setattr(search, "CAP", 25 * search.CAP)
        return search.Search(t, prospect(t)).anywhere()


@rule("SIM-SCOUT-6", "SIM-DRAGON-2")
@pytest.mark.parametrize(("held_on", "shelves", "riders", "resources", "pp", "legal"), HARD)
def test_where_a_search_anywhere_is_long_courses_are_short(
    held_on, shelves, riders, resources, pp, legal, monkeypatch
):
    g = position(held_on, shelves, riders, resources, pp)
    judged = scouted(g)
    assert judged.legal == legal
    assert all("looked_at" not in v.facts for v in judged.violations)
    assert along(at_work(g.table)) is legal
    assert anywhere(at_work(g.table), monkeypatch) is legal
    assert quickest(lambda: scouted(g)) < 0.020


@rule("SIM-SCOUT-2", "SIM-SCOUT-6", "SIM-PLACE-5")
@pytest.mark.parametrize("hard", [x for x in HARD if x[-1]])
def test_who_does_whatever_is_accepted_comes_to_where_he_can_pay_for_a_tile(hard):
    """However he goes on, each step leaves one that is accepted."""
    for seed in range(4):
        rng = random.Random(seed)
        t = at_work(position(*hard[:-1]).table)
        steps = 0
        while not search.Search(t, prospect(t)).is_out(prospect(t)):
            acts = endangered(t)
            rng.shuffle(acts)
            act = next((x for x in acts if can_finish(t, x) is True), None)
            assert act is not None, (seed, prospect(t))
            t, steps = tried(t, act), steps + 1
        assert steps > 5


def compared(seeds, monkeypatch):
    """Positions and what follows from them, asked both ways; how often both said yes, and no."""
    told = {True: 0, False: 0}
    for seed in seeds:
        rng = random.Random(seed)
        t = any_position(rng).table
        act = PlaceVassal(
            t, t.frames[-1], "ann", {"vassal": "spearman", "space": "scouts-quarter", "cost": {}}
        )
        todo = [act]
        for _ in range(8):
            if not todo:
                break
            t = tried(t, rng.choice(todo))
            if t.frame(Turn) is None or not prospect(t).todo:
                break
            here, there = along(t), anywhere(t, monkeypatch)
            if not isinstance(here, No) and not isinstance(there, No):
                assert here == there == is_found(t), (seed, prospect(t))
                told[there] += 1
            todo = endangered(t)
    return told


@rule("SIM-SCOUT-6", "SIM-PLACE-5")
def test_courses_say_what_a_search_anywhere_says(monkeypatch):
    told = compared(range(60), monkeypatch)
    assert min(told.values()) > 50, told


@pytest.mark.long
@rule("SIM-SCOUT-6", "SIM-PLACE-5")
def test_courses_say_what_a_search_anywhere_says_of_many_positions(monkeypatch):
    told = compared(range(1_000, 5_000), monkeypatch)
    assert min(told.values()) > 6_000, told


TWELVE = {
    57: "13", 56: "123", 49: "2", 68: "123", 65: "123", 70: "123", 64: "1", 55: "1", 60: "123", 66: "13", 67: "2",
    50: "2",
}  # fmt: skip


@refusal("SIM-SCOUT-6")
def test_a_search_that_comes_to_its_end_takes_no_longer_and_tells_of_a_way_out_further_on(monkeypatch):
    """Twelve dragons, of which many courses could pay for steps down #38, and for none of them the one down #47."""
    held = {"resources": {"wood": 1, "wisdom": 4}, "pp": 1}
    g = waiting(TWELVE, (None, None, 15, 16), spearmen=1, wilds={38: 2, 47: 2}, **held)
    assert g.not_placed("spearman", "scouts-quarter")["SIM-SCOUT-6"].facts["looked_at"] > 10
    listed = {o["space"] for o in g.options("ann", "place-vassal")}
    assert "scouts-quarter" not in listed, "what is refused is not offered; all else is"
    assert {"great-market", "library"} <= listed
    assert quickest(lambda: scouted(g)) < 0.020
    monkeypatch.setattr(search, "CAP", 100 * search.CAP)
    assert scouted(g).legal


ELEVEN_MORE = {
    67: "13", 65: "2", 72: "12", 59: "12", 56: "12", 62: "23", 66: "123", 55: "13", 70: "13", 54: "", 69: "2",
}  # fmt: skip


@refusal("SIM-SCOUT-6")
def test_a_search_that_comes_to_its_end_may_have_missed_nothing(monkeypatch):
    """Among eleven dragons just so much can come that no bound tells; there is no way out."""
    held = {"resources": {"stone": 2, "wisdom": 3, "vegetable": 1, "meat": 1}}
    g = waiting(ELEVEN_MORE, (None, None, 15, 16), spearmen=2, wilds={38: 1, 45: 1}, **held)
    assert "looked_at" in g.not_placed("spearman", "scouts-quarter")["SIM-SCOUT-6"].facts
    assert quickest(lambda: scouted(g)) < 0.020
    monkeypatch.setattr(search, "CAP", 100 * search.CAP)
    assert g.not_placed("spearman", "scouts-quarter")["SIM-SCOUT-6"].facts == {}
