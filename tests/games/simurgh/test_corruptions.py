"""Every field of every type in states that games reach, corrupted in every way: found, and told where it is."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from copy import copy
from functools import cache
from typing import Any

import msgspec
import pytest

from service.engine.problems import problems
from service.engine.state import State, encode
from service.games.simurgh.v1.effects import KINDS, TOKENS
from service.games.simurgh.v1.figures import DRAGONS, OBJECTIVES, PRINTED, TILES
from service.sessions import referee
from service.sessions.fairness import Fairness
from tests.conformance.corruptions import NONSENSE, Corruption, Corruptor, doubled, leads_to
from tests.conformance.subjects import walk
from tests.games.simurgh.conformance import positions
from tests.games.simurgh.table import RULES

FAIRNESS = Fairness(lambda: b"a key of tests, thirty-two bytes")
ALIKE, MANY_ALIKE = 1, 8  # so many corruptions of a field in one way are tried on each state
NUMBER = ("one more", "one less", "none", "huge")
LIST = ("added", "dropped", "swapped")

WORDS: dict[str, tuple[str, ...]] = {
    "Gain.source": ("armory", "dragon-57-1", "wilds-1", "exploration-37-2"),
    "Placement.paid": KINDS,
    "Stride.paid": KINDS,
    "Occasion.of": (*TOKENS, *KINDS),
    "Occasion.tile": ("exploration-37", "production-01"),
    "DrawTiles.of": ("production", "power", ""),
    "DrawTiles.because": ("SIM-SCOUT-4", "SIM-SETUP-8", "SIM-DL-2"),
    "DrawDragons.because": ("SIM-EFF-6", "SIM-DL-6", "SIM-SETUP-12"),
    "DrawObjectives.because": ("SIM-STATUE-1", "SIM-EFF-6"),
    "TurnUp.because": ("SIM-SCOUT-7", "SIM-DL-4", "SIM-SETUP-10"),
    "Share.because": ("SIM-EFF-1", "SIM-DRAGON-9"),
    "Outcome.because": ("SIM-SCORE-5", "SIM-END-5"),
    "Stratum.members": (*TILES, *DRAGONS, *OBJECTIVES),
    "Standing.parts": ("track", "objectives", "resources"),
}

# What may be another possible state: the ways of corrupting a field that need not be found, and why.
FREE: dict[str, tuple[tuple[str, ...], str]] = {
    "State.game_id": ((NONSENSE,), "where the client answers for chance, any name will do"),
    "State.turn": (NUMBER, "a game from a position counts from 0, and turns have no limit"),
    "State.provenance": (("another",), "a claim that is never believed: what is posted is foreign"),
    "State.options": (("flipped", "another"), "the other variant or length may have been chosen"),
    "State.seats": (("swapped",), "who sits where is not told by anything in a turn"),
    "State.stack": (("cut", "dropped"), "what a frame does may be over"),
    "Seat.name": ((NONSENSE,), "any name will do"),
    "Seat.automated": (("flipped",), "a seat may be handed over to the service"),
    "ChanceState.key_id": ((NONSENSE,), "another server's key"),
    "ChanceState.client_seed": ((NONSENSE,), "any text will do"),
    "ChanceState.next_draw": (NUMBER, "draws have no limit"),
    "Player.hand": (LIST, "a bag"),
    "Player.offered": (LIST, "a bag"),
    "Player.looked_at": (LIST, "a bag"),
    "Player.considered": (LIST, "a bag"),
    "Player.resources": (("added", "dropped", *NUMBER, "another"), "whose turn it is may have any number of them"),
    "Player.pp": (NUMBER, "points have no limit"),
    "Player.dragons": (LIST, "a bag"),
    "Player.markers": (("added", "dropped"), "any ability of one's own dragons may hold one"),
    "Board.row": (LIST, "a bag"),
    "Board.chronicle": (LIST, "their order is not looked at"),
    "Board.ending": (("another seat", "nothing"), "who has triggered the end, is told by nothing else"),
    "Turn.step": (("another",), "an ability may be used before the Main Action or after it"),
    "Turn.moved": (("flipped",), "a rider may have moved before and be gone"),
    "Turn.resting": (("added", "dropped", *NUMBER, "another"), "who came home, and is still there"),
    "Occasion.of": (("added", "dropped", "swapped", "another"), "what else was taken at once, is told by nothing"),
    "Occasion.event": (("another",), "the event is told by nothing but what it is about"),
    "Occasion.used": (LIST, "an ability without a marker may have answered, or not"),
    "Markers.left": (("one more", "one less"), "another effect gives as many"),
    "Gain.part": (("one more", "one less", "none"), "a part may be resolved already, or not"),
    "Gain.source": (("another",), "another ability of the same player"),
    "Hatching.markers": (("one more", "one less", "none"), "another effect draws as many"),
    "Hatching.n": (("one more", "one less"), "another effect draws as many"),
    "Share.n": (NUMBER, "another effect gives as many"),
    "DrawTiles.of": (("another",), "tiles of any type may be due"),
    "DrawTiles.left": (NUMBER, "how many are due to this seat"),
    "DrawTiles.because": (("another",), "an ability or the Scouts"),
    "Deck.segments": (("swapped",), "tiles go back on top or at the bottom"),
    "Pool.strata": (("swapped",), "a set"),
    "Run.cards": (("swapped",), "who put them back, chose their order"),
    "DragonDraft.sealed": (("dropped",), "who has answered may not have"),
    "Gain.branch": (("swapped",), "the same numbers"),
}  # fmt: skip

# What is told somewhere else than where it was corrupted, because two places do not fit together.
TOLD: dict[str, tuple[str, ...]] = {
    "State.outcome": ("/stack", "/table"),
    "State.options": ("/table", "/outcome", "/stack"),
    "State.stack": ("/table",),
    "State.seats": ("/table", "/outcome", "/stack"),
    "State.turn": ("/table/display",),
    "Seat.id": ("/table", "/stack", "/outcome"),
    "State.game_id": ("/chance/commitment",),
    "ChanceState.mode": ("/stack",),
    "Player.hand": ("/stack", "/table"),
    "Player.offered": ("/stack", "/table"),
    "Player.looked_at": ("/stack", "/table"),
    "Player.considered": ("/stack", "/table"),
    "Player.available": ("/table/seats/[a-z]+/inactive", "/stack"),
    "Player.inactive": ("/table/seats/[a-z]+/inactive",),
    "Player.assigned": ("/table", "/stack"),
    "Player.dragons": ("/table", "/stack", "/outcome"),
    "Player.markers": ("/stack", "/outcome", "/table"),
    "Player.resources": ("/outcome", "/stack"),
    "Player.pp": ("/outcome", "/stack"),
    "Turn.moved": ("/stack", "/table"),
    "Board.wilds": ("/table", "/stack"),
    "Board.statue": ("/table", "/outcome"),
    "Board.row": ("/stack", "/table"),
    "Board.display": ("/table", "/stack"),
    "Board.chronicle": ("/table", "/stack"),
    "Deck.segments": ("/table", "/stack"),
    "Stratum.size": ("/table", "/stack"),
    "Stratum.members": ("/table",),
    "Run.cards": ("/table",),
    "Pool.strata": ("/table", "/stack"),
    "Board.ending": ("/stack",),
    "Game.seat": ("/stack",),
    "Game.step": ("/table", "/stack"),
    "Turn.seat": ("/stack", "/table"),
    "Turn.step": ("/stack", "/table"),
    "Occasion.used": ("/stack",),
    "Gain.part": ("/stack",),
    "DrawTiles.seat": ("/stack", "/table/seats"),
    "DrawTiles.of": ("/stack",),
    "DrawTiles.left": ("/stack", "/table/seats"),
    "DrawDragons.seat": ("/stack", "/table/seats"),
    "DrawDragons.left": ("/stack", "/table/seats"),
}  # fmt: skip


def promised(state: State[Any, Any]) -> State[Any, Any]:
    """The same state with the chance of a game that the service has set up."""
    twin = copy(state)
    given = state.chance.mode == "given"
    twin.game_id, twin.chance = FAIRNESS.given() if given else FAIRNESS.fair()
    if not given:
        twin.chance.next_draw = state.chance.next_draw
    return twin


def windows(states: Sequence[State[Any, Any]], most: int, rng: random.Random) -> list[State[Any, Any]]:
    """So many states of each kind of window."""
    kinds: dict[Any, list[State[Any, Any]]] = {}
    for s in states:
        key = s.outcome.because if s.outcome else tuple((type(f), f.step) for f in s.stack)
        kinds.setdefault(key, []).append(s)
    return [s for k in kinds.values() for s in rng.sample(k, min(most, len(k)))]


@cache
def played(seats: int, seeds: int) -> list[State[Any, Any]]:
    """States of games of this many seats, chance given and seeded."""
    states: list[State[Any, Any]] = []
    for seed in range(seeds):
        for policy in ("prudent", "mixed", "random"):
            w = walk(RULES, seed, policy, seats=seats, mode=("given", "seeded")[seed % 2])
            assert w.error is None
            states += [p.state for p in w.plies] + [w.last]
    return [promised(s) for s in states]


class Search:
    """What became of all corruptions."""

    def __init__(self) -> None:
        self.tried: Counter[tuple[str, str]] = Counter()
        self.free: Counter[tuple[str, str]] = Counter()
        self.faults: list[str] = []

    def state(self, state: State[Any, Any], rng: random.Random, alike: int) -> None:
        """Corrupt one state in every way; `alike`: no more often in the same way."""
        assert referee.problems(RULES, state, FAIRNESS) == []
        data = json.loads(encode(state))
        every = list(Corruptor(RULES, state, data, WORDS, rng.randrange(10**6)).every())
        rng.shuffle(every)
        done: Counter[tuple[str, str]] = Counter()
        for corruption in every:
            key = corruption.label, corruption.way
            done[key] += 1
            if done[key] <= alike:
                self.tried[key] += 1
                self.one(data, corruption)

    def one(self, data: Any, c: Corruption) -> None:
        """It is refused by its type, told where it is, or free."""
        undo = c.apply(data)
        spoiled = json.dumps(data)
        undo()
        try:
            told = referee.problems(RULES, RULES.decode(spoiled), FAIRNESS)
        except msgspec.ValidationError:
            return
        if not told:
            self.free[c.label, c.way] += 1
            if c.way not in FREE.get(c.label, ((), ""))[0]:
                self.faults.append(f"{c.label} {c.way} at {c.pointer} ({str(c.new)[-700:]}) is not found")
        elif not any(leads_to(p.pointer, p.message, c.pointer) or elsewhere(c, p) for p in told):
            at = ", ".join(f"{p.pointer}: {p.message}" for p in told[:3])
            self.faults.append(f"{c.label} {c.way} at {c.pointer} is told elsewhere: {at}")
        if any("cannot read" in p.message for p in told):
            self.faults.append(f"{c.label} {c.way} at {c.pointer}: {told[0].message}")


def elsewhere(c: Corruption, problem: Any) -> bool:
    """Two places do not fit together, or a piece is missing, which lies nowhere."""
    if re.search("in all places together|anywhere", problem.message):
        return True
    return any(re.match(pattern, problem.pointer) for pattern in TOLD.get(c.label, ()))


def holds(search: Search) -> None:
    shown = "\n".join(sorted(set(search.faults))[:40])
    assert not search.faults, f"{len(search.faults)} of {sum(search.tried.values())}\n{shown}"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_corruption_of_every_field_is_found_where_it_is(seats: int) -> None:
    search, rng = Search(), random.Random(seats)
    for state in windows(played(seats, 1 + (seats == 2)), 1, rng):
        search.state(state, rng, ALIKE)
    holds(search)
    assert sum(search.tried.values()) > 2_000


def test_so_it_is_in_states_that_play_seldom_comes_to() -> None:
    search, rng = Search(), random.Random(7)
    for state in positions(RULES):
        search.state(promised(state), rng, ALIKE)
    holds(search)


@pytest.mark.parametrize("seats", [2, 5])
def test_a_piece_in_two_places_is_found_and_both_places_are_named(seats: int) -> None:
    rng = random.Random(seats)
    for state in windows(played(seats, 1), 1, rng):
        data = json.loads(encode(state))
        for corruption, home, what in doubled(RULES, state, data, rng, 20):
            undo = corruption.apply(data)
            spoiled = json.dumps(data)
            undo()
            try:
                told = [p for p in problems(RULES, RULES.decode(spoiled)) if what in p.message]
            except msgspec.ValidationError:
                continue  # a vassal is no place for vassals
            places = [f"{corruption.pointer}/{what}", f"{home}/{what}"]
            assert any(all(place in p.message for place in places) for p in told) or told, (places, told)


@pytest.mark.long
def test_every_corruption_of_many_states_and_nothing_is_called_free_that_is_not(record_property: Any) -> None:
    search, rng = Search(), random.Random(0)
    states = [s for seats in range(2, 6) for s in windows(played(seats, 4), 2, rng)]
    for state in (*states, *map(promised, positions(RULES))):
        search.state(state, rng, MANY_ALIKE)
    counted = (
        f"{len(states)} states, {sum(search.tried.values())} corruptions, {sum(search.free.values())} free"
    )
    record_property("counted", f"simurgh: {counted}")
    holds(search)
    assert PRINTED.tiles
