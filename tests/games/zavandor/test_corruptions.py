"""Every field of every type in states that games reach, corrupted in every way: found, and told where it is."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from typing import Any

import msgspec
import pytest

from service.engine.problems import problems
from service.engine.state import State, encode
from service.engine.table import Table
from service.games.zavandor.v1.figures import ARTIFACTS, ENERGY, SENTINELS
from service.games.zavandor.v1.moment import moment
from service.sessions import referee
from service.sessions.fairness import Fairness
from tests.conformance.corruptions import NONSENSE, Corruption, Corruptor, doubled, found, leads_to, moved
from tests.conformance.subjects import walk
from tests.games.zavandor.table import RULES, at_hand_limit, fresh, game

FAIRNESS = Fairness(lambda: b"a key of tests, thirty-two bytes")
ALIKE, MANY_ALIKE = 1, 8  # so many corruptions of a field in one way are tried on each state
RICH = {"dust": 300, "active": {"opal": 2, "sapphire": 1}}
NUMBER = ("one more", "one less", "none", "huge")
CARDS = (*ARTIFACTS, *SENTINELS)

WORDS: dict[str, tuple[str, ...]] = {
    "Auction.card": CARDS,
    **dict.fromkeys(("FreeAdvance.card", "FreeSteps.card", "FreeToken.card"), ARTIFACTS),
    **dict.fromkeys(("GemLoss.card", "GemLosses.card"), ARTIFACTS),
    "DrawEnergy.place": ("energy", "waiting"),
    "DrawEnergy.because": ("ZAV-INCOME-3", "ZAV-SETUP-4", "ZAV-KNOW-SAGES-1"),
    "Refill.because": ("ZAV-SETUP-8", "ZAV-REFILL-1"),
    "Outcome.because": ("ZAV-END-2", "ZAV-CURSE-4", "ZAV-END-1"),
    "Stratum.members": (*ENERGY, *ARTIFACTS),
    "Standing.parts": ("gems", "tracks", "artifacts", "sentinels"),
}

# What may be another possible state: the ways of corrupting a field that need not be found, and why.
FREE: dict[str, tuple[tuple[str, ...], str]] = {
    "State.game_id": ((NONSENSE,), "where the client answers for chance, any name will do"),
    "State.turn": (NUMBER, "a game from a position counts from 0, and actions of a round have no limit"),
    "State.provenance": (("another",), "a claim that is never believed: what is posted is foreign"),
    "State.options": (("flipped",), "both values may be chosen at set-up"),
    "State.seats": (("swapped",), "who sits where is not told by anything before the end"),
    "State.stack": (("cut", "dropped"), "a turn may be in progress without the auction that was open in it"),
    "Seat.name": ((NONSENSE,), "any name will do"),
    "Seat.automated": (("flipped",), "a seat may be handed over to the service"),
    "ChanceState.key_id": ((NONSENSE,), "another server's key"),
    "ChanceState.client_seed": ((NONSENSE,), "any text will do"),
    "ChanceState.next_draw": (NUMBER, "draws have no limit: the hands of a long game"),
    "Board.round": (("one more", "one less", "huge"), "a round in which nothing was bought changes nothing"),
    "Board.order": (("added", "dropped", "swapped"), "ties, and those who went out in this round, may lie anywhere"),
    "Board.sentinels": (("swapped",), "a set"),
    "Player.character": (("another", "nothing"), "in the deal; later one whose start track has been entered, too"),
    "Player.dust": (NUMBER, "dust has no limit; 1 and 3 are found"),
    "Player.concentrated": (("added", "dropped", "one more", "one less"), "concentrated energy has no limit"),
    "Player.waiting_dust": (("one more", "one less", "none"), "what two cards were worth"),
    "Player.tracks": (("one more", "one less"), "markers that have moved another number of stages"),
    "Player.tokens": (("swapped",), "a set"),
    "Player.sentinels": (("swapped",), "a set"),
    "Player.vp": (("one more", "one less", "none"), "the last scoring; possessions have changed since"),
    "Player.early_rubies": (("one more", "one less", "none"), "whether the Druid has used his right"),
    "Player.out": (("flipped",), "whoever holds nothing may have been struck in this round"),
    "Round.waiting": (("dropped",), "who has gone out meanwhile is passed over"),
    "Turn.advanced": (("flipped",), "whether a marker was moved in this turn or before"),
    "TurnOrder.order": (("added", "dropped", "swapped"), "ties are broken by chance"),
    "DrawEnergy.left": (("one more", "one less"), "the card before may have been drawn in this draw or earlier"),
    "Auction.card": (("another",), "any card on offer whose printed minimum is no higher may be up"),
    "Auction.bid": (("one more", "one less", "huge"), "bids have no limit"),
    "Auction.last": (("another seat",), "the highest bidder himself, or the last who has passed"),
    "Auction.passed": (("added", "dropped", "swapped"), "others may have passed, and in another order"),
}  # fmt: skip

# What is told somewhere else than where it was corrupted, because two places do not fit together.
TOLD: dict[str, tuple[str, ...]] = {
    "State.outcome": ("/stack",),
    "State.seats": ("/table/seats", "/outcome/standings"),
    "State.options": ("/stack/[0-9]+/victims",),
    "Seat.id": ("/table/seats", "/stack", "/table/order"),
    "State.game_id": ("/chance/commitment",),
    "ChanceState.mode": ("/stack",),
    "Board.order": ("/stack",),
    "Board.round": ("/table/seats/[a-z]+/vp", "/table/order"),
    "Player.character": ("/table/seats", "/stack"),
    "Player.concentrated": ("/stack",),
    "Player.dust": ("/stack",),
    "Player.out": ("/table/order", "/table/gone_", "/stack", "/outcome"),
    "Player.tracks": ("/table/seats/[a-z]+/(active|waiting|early_rubies)", "/stack", "/outcome"),
    "Player.vp": ("/table/order", "/stack", "/outcome"),
    "DrawEnergy.left": ("/table/seats/[a-z]+/energy",),
    "DrawEnergy.seat": ("/stack",),
    "DrawEnergy.colour": ("/stack/1/waiting",),
    "Round.step": ("/table", "/stack"),
    "Game.step": ("/table", "/stack"),
    "State.stack": ("/table",),
    "SagesReward.seat": ("/stack",),
}  # fmt: skip

PIECES = {
    "Player.energy", "Player.active", "Player.inactive", "Player.waiting", "Player.artifacts", "Player.sentinels",
    "Board.supply", "Board.display", "Board.discards", "Board.decks", "Board.sentinels", "Board.gone_artifacts",
    "Board.gone_sentinels", "Deck.segments", "Pool.strata", "Stratum.members", "Run.cards",
}  # fmt: skip


# -- states -------------------------------------------------------------------------------------------------------


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


@cache
def made() -> tuple[State[Any, Any], ...]:
    """States that play seldom comes to."""
    states = [fresh(mode="given", seats=3).state, fresh("fairy", "witch", "druid", mode="given").state]
    for card, price in (
        ("talisman", 100),
        ("magic-mirror", 40),
        ("shadow-cloak", 80),
        ("elixir", 60),
        ("runestone", 20),
    ):
        seats = {"ann": {**RICH, "tracks": {"artifacts": 1, "sages": 1}}, "bob": RICH, "cyd": RICH}
        g = game(seats, mode="given", display=(card, "spellbook", "crystal-ball"))
        states.append(g.state)
        g.play("ann", "start-auction", card=card, bid=price)
        states.append(g.state)
        g.play("bob", "bid", amount=price + 1).play("cyd", "pass").play("ann", "pass")
        states.append(g.state)
        g.play("bob", "pay", payment={})
        states.append(g.state)
        if card == "talisman":
            states.append(g.fork().play("bob", "take-steps", tracks=[]).state)
        if card in ("magic-mirror", "shadow-cloak"):
            states.append(g.play("bob", "take-token", token=20).state)
    steps = game(
        {"ann": {**RICH, "tracks": {"artifacts": 2, "sages": 1}}, "bob": {}},
        mode="given",
        display=("talisman", "spellbook"),
    )
    steps.play("ann", "start-auction", card="talisman", bid=100).play("bob", "pass").play(
        "ann", "pay", payment={}
    )
    steps.play("ann", "take-steps", tracks=["artifacts", "sages"])
    over = at_hand_limit({"ann": {"dust": 60}, "bob": {"dust": 70}, "cyd": {}})
    cursed = game(
        {
            "ann": {"dust": 50},
            "bob": {"artifacts": {"magic-mirror": 1}, "sentinels": ["owl"]},
            "cyd": {"dust": 50},
        },
        display=("spellbook", "runestone", "elixir"),
    )
    druid = game(
        {
            "ann": {"character": "druid", "tracks": {"fire": 3}, "active": {"ruby": 1}, "early_rubies": 1},
            "bob": {},
        }
    )
    states += [steps.state, over.state, druid.state]
    cursed.play("ann", "start-auction", card="elixir", bid=60).play("bob", "bid", amount=400).play(
        "cyd", "pass"
    ).play("ann", "pass")
    states.append(cursed.state)
    return tuple(promised(s) for s in states)


# -- the search -----------------------------------------------------------------------------------------------------


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
                self.faults.append(f"{c.label} {c.way} at {c.pointer} ({str(c.new)[:80]}) is not found")
        elif not any(leads_to(p.pointer, p.message, c.pointer) or self.elsewhere(c, p) for p in told):
            at = ", ".join(f"{p.pointer}: {p.message}" for p in told[:3])
            self.faults.append(f"{c.label} {c.way} at {c.pointer} is told elsewhere: {at}")
        if any("cannot read" in p.message for p in told):
            self.faults.append(f"{c.label} {c.way} at {c.pointer}: {told[0].message}")

    @staticmethod
    def elsewhere(c: Corruption, problem: Any) -> bool:
        """Two places do not fit together, or a piece is missing, which lies nowhere."""
        if c.label in PIECES and re.search("in all places together|anywhere", problem.message):
            return True
        return any(re.match(pattern, problem.pointer) for pattern in TOLD.get(c.label, ()))


def holds(search: Search) -> None:
    shown = "\n".join(sorted(set(search.faults))[:20])
    assert not search.faults, f"{len(search.faults)} of {sum(search.tried.values())}\n{shown}"


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_corruption_of_every_field_is_found_where_it_is(seats: int) -> None:
    search, rng = Search(), random.Random(seats)
    for state in windows(played(seats, 2), 1, rng):
        search.state(state, rng, ALIKE)
    holds(search)
    assert sum(search.tried.values()) > 2_000


def test_so_it_is_in_states_that_play_seldom_comes_to() -> None:
    search, rng = Search(), random.Random(7)
    for state in windows(made(), 1, rng):
        search.state(state, rng, ALIKE)
    holds(search)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_piece_in_two_places_is_found_and_both_places_are_named(seats: int) -> None:
    rng = random.Random(seats)
    for state in windows(played(seats, 1), 2, rng):
        data = json.loads(encode(state))
        for corruption, home, what in doubled(RULES, state, data, rng, 40):
            undo = corruption.apply(data)
            told = [p for p in problems(RULES, RULES.decode(json.dumps(data))) if what in p.message]
            undo()
            places = [f"{corruption.pointer}/{what}", f"{home}/{what}"]
            assert any(all(place in p.message for place in places) for p in told), (places, told)


def closed(state: State[Any, Any]) -> Callable[[str], bool]:
    """Whether nothing at all, or no piece of this kind, can get to a place."""
    m = moment(Table(RULES, state))
    early = m.before_play or (m.before_turns and state.table.round == 1)
    anybody_out = any(p.out for p in state.table.seats.values())

    def is_closed(at: str) -> bool:
        names = at.split("/")[1:]
        if names[1] == "seats":
            return early or state.table.seats[names[2]].out or (m.before_turns and names[3] == "waiting")
        return names[1].startswith("gone") and not anybody_out

    return is_closed


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_piece_in_a_wrong_place_is_found_there(seats: int) -> None:
    """With who is out, before the first turns, out of the game while nobody is, or in another colour's pile."""
    rng, n = random.Random(seats), 0
    for state in windows(played(seats, 2), 2, rng):
        data = json.loads(encode(state))
        for home, at, spoiled in moved(state, data, rng, 40, closed(state)):
            told = [p.pointer for p in problems(RULES, RULES.decode(json.dumps(spoiled)))]
            assert any(leads_to(pointer, "", at) for pointer in told), (home, at, told)
            n += 1
        for _, at, spoiled in moved(state, data, rng, 40, lambda at: "/discards/" in at):
            piece = next(w for w, k in found(spoiled, at).items() if k != found(data, at).get(w, 0))
            if not at.endswith(piece.partition("-")[0]):
                assert f"{at}/{piece}" in [
                    p.pointer for p in problems(RULES, RULES.decode(json.dumps(spoiled)))
                ]
                n += 1
    assert n > 100


@pytest.mark.long
def test_every_corruption_of_many_states_and_nothing_is_called_free_that_is_not() -> None:
    search, rng = Search(), random.Random(0)
    states = [s for seats in range(2, 7) for s in windows(played(seats, 4), 4, rng)]
    for state in (*states, *made()):
        search.state(state, rng, MANY_ALIKE)
    print(f"{len(states)} states, {sum(search.tried.values())} corruptions, {sum(search.free.values())} free")
    holds(search)
    listed = {(label, way) for label, (ways, _) in FREE.items() for way in ways}
    never = sorted(listed - set(search.free))
    assert not never, f"always found: {never}"
