"""Which rulesets the battery holds to its laws, and the random reachable states that it looks at.

A game may add what only it knows in `tests/games/<game>/conformance.py`, any of these:

- `items(rules) -> set[str]` and `seen(ply) -> set[str]`: things of its own to be exercised (cards, factions);
- `DISCLOSES: set[str]`: clauses whose events tell by rule what was hidden (a bid beyond one's means);
- `variants(state, viewer, rng) -> Iterator[state]`: states that `viewer` cannot tell from `state`;
- `positions(rules) -> Iterable[state]`: states without problems that play hardly ever comes to, to go on from;
- `admits(descriptor, value) -> bool | None`: how a client reads descriptors of the game's own;
- `settled(setup) -> setup`: a random set-up, made into one in which nothing is wished for that does not go together;
- `UNCOUNTED: set[str]`: pieces of which the bank has any number;
- `UNREACHED: dict[str, str]`: items that play cannot reach, and why.
"""

from __future__ import annotations

import hashlib
import importlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from service.battery.games import NOT_PARAMETERS
from service.engine.domain import Open
from service.engine.flow import window
from service.engine.judge import Judgement, judge
from service.engine.lookahead import can_finish
from service.engine.options import Option, legal_acts, takers
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import CHANCE, ChanceState, State, encode
from service.engine.table import Draws, Table

SEATS = ("ann", "bob", "cyd", "dan", "eve", "fay", "gus", "hal")
PLIES = 20_000
TOUCHED = "changes the state that it is given"
TOY = "tests.conformance.toy:RULES"


@dataclass(frozen=True)
class Subject:
    """A ruleset under test, where another process finds it, and what its game adds."""

    rules: Ruleset
    locator: str
    extras: Any = None

    def extra(self, name: str, default: Any = None) -> Any:
        return getattr(self.extras, name, default)

    @property
    def game(self) -> str:
        return self.rules.game


def located(locator: str) -> Ruleset:
    """The ruleset at `module:attribute` or `module:REGISTRY/game`."""
    module, _, rest = locator.partition(":")
    attribute, _, game = rest.partition("/")
    found = getattr(importlib.import_module(module), attribute)
    return found.get(game) if game else found


def _extras(game: str) -> Any:
    name = f"tests.games.{game}.conformance"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as lacking:
        if lacking.name is None or not name.startswith(lacking.name):
            raise
        return None


@cache
def subjects() -> dict[str, Subject]:
    """Every registered ruleset and the toy."""
    found = {"harbour": Subject(located(TOY), TOY)}
    try:
        registry = importlib.import_module("service.games").REGISTRY
    except AttributeError:
        return found
    for rules in registry:
        found[rules.game] = Subject(rules, f"service.games:REGISTRY/{rules.game}", _extras(rules.game))
    return found


def draws_of(seed: int) -> Draws:
    """A source of chance that depends on the seed and the number of the draw alone."""

    def draw(chance: ChanceState, total: int) -> int:
        digest = hashlib.sha256(f"{seed}:{chance.next_draw}".encode()).digest()
        return int.from_bytes(digest[:8]) % total

    return draw


def setup_of(rules: Ruleset, seed: int, seats: int | None = None, mode: str | None = None) -> Setup:
    """A set-up that varies with the seed: number of seats, options, and who answers for chance."""
    rng = random.Random(f"setup {seed}")
    n = seats or rules.least_seats + seed % (rules.most_seats - rules.least_seats + 1)
    chosen = {name: o.values[(seed + i) % len(o.values)] for i, (name, o) in enumerate(rules.options.items())}
    choices: list[dict[str, str]] = [{} for _ in range(n)]
    if seed % 2:
        for name, values in rules.choices.items():
            for choice, value in zip(choices, rng.sample(values, min(n, len(values))), strict=False):
                choice[name] = value
    return settled(
        rules,
        Setup(
            [SetupSeat(id=s, name=s.title(), choice=c) for s, c in zip(SEATS[:n], choices, strict=True)],
            f"conformance-{seed}",
            ChanceState(mode=mode or ("given", "seeded")[seed // 2 % 2]),  # type: ignore[arg-type]
            chosen if seed % 3 else {},
        ),
    )


def settled(rules: Ruleset, setup: Setup) -> Setup:
    """A random set-up without what its game says does not go together."""
    found: Setup = getattr(_extras(rules.game), "settled", lambda wished: wished)(setup)
    return found


@dataclass(frozen=True)
class Ply:
    """One step of a random game."""

    where: str
    state: State[Any, Any]
    action: dict[str, Any]
    judgement: Judgement


@dataclass
class Walk:
    """A random game; `error` says what stopped it before its end."""

    where: str
    first: Judgement | None = None
    plies: list[Ply] = field(default_factory=list)
    last: State[Any, Any] | None = None
    error: str | None = None

    @property
    def over(self) -> bool:
        return self.last is not None and self.last.outcome is not None


def filled(t: Table, act: Any, rng: random.Random) -> dict[str, Any]:
    """A legal action of the option `act`: each open parameter sampled, given those before it."""
    for name, domain in act.params.items():
        if isinstance(domain, Open):
            value = domain.sample(t, act, rng)
            again = act.extended(name, act.__dict__[name] if value is None else value)
            later = list(act.params)[list(act.params).index(name) + 1 :]
            for n in later:
                follower = act.params[n]
                if isinstance(follower, Open) and name in follower.depends_on:
                    example = follower.example(t, again)
                    if example is None:
                        return act.to_wire()
                    again = again.extended(n, example)
            act = again
    return act.to_wire()


def _weighted(t: Table, cls: Any, frame: Any, rng: random.Random) -> dict[str, Any]:
    odds = cls.odds(t, frame)
    value = rng.choices(list(odds), list(odds.values()))[0]
    return cls(t, frame, CHANCE, {cls.parameter(): value}).to_wire()


def random_action(t: Table, rng: random.Random) -> dict[str, Any] | None:
    """A legal action: a kind at random, then one of its options; None at a dead end."""
    offers = takers(t)
    rng.shuffle(offers)
    for actor, cls, frame in offers:
        if actor == CHANCE:
            return _weighted(t, cls, frame, rng)
        acts = list(legal_acts(t, cls, frame, actor))
        rng.shuffle(acts)
        for act in acts:
            if cls.must_finish is None or can_finish(t, act):
                return filled(t, act, rng)
    return None


class Dice(random.Random):
    """The dice of one walk, which remember what was done in it (and in those before it, if they are told)."""

    def __init__(self, seed: str, done: Counter[bytes] | None = None) -> None:
        super().__init__(seed)
        self.done: Counter[bytes] = Counter() if done is None else done


def curious_action(t: Table, rng: Dice) -> dict[str, Any] | None:
    """What was done least so far, of what comes without a warning; open parameters at their examples."""
    acts = [
        act
        for actor, cls, frame in takers(t)
        if actor != CHANCE
        for act in legal_acts(t, cls, frame, actor)
        if not act.notes(t)
    ]
    rng.shuffle(acts)
    for act in sorted(acts, key=lambda act: rng.done[key(act)]):
        if act.must_finish is None or can_finish(t, act):
            rng.done[key(act)] += 1
            return act.to_wire()
    return random_action(t, rng)


def key(act: Any) -> bytes:
    """Which option an action belongs to, whoever plays it: its kind and closed parameters."""
    closed = {n: act.__dict__.get(n) for n, d in act.params.items() if not isinstance(d, Open)}
    return encode([act.kind, closed])


def prudent_action(t: Table, rng: random.Random) -> dict[str, Any] | None:
    """What the ruleset's own prudent player does."""
    w = window(t)
    if w is None or t.rules.prudent is None or w.actors[0] == CHANCE:
        return random_action(t, rng)
    act = t.rules.prudent(t, w.actors[0])
    return None if act is None else act.to_wire()


def mixed_action(t: Table, rng: Dice) -> dict[str, Any] | None:
    """Prudent by halves, so that games last, yet come to places where the prudent player never goes."""
    roll = rng.random()
    policy = prudent_action if roll < 0.6 else curious_action if roll < 0.98 else random_action
    return policy(t, rng)


POLICIES: dict[str, Callable[[Table, Dice], dict[str, Any] | None]] = {
    "random": random_action,
    "prudent": prudent_action,
    "mixed": mixed_action,
}


def walk(
    rules: Ruleset,
    seed: int,
    policy: str = "random",
    plies: int = PLIES,
    since: State[Any, Any] | None = None,
    done: Counter[bytes] | None = None,
    **setup: Any,
) -> Walk:
    """Play one random game from its set-up (or on from `since`); never raises: a fault is the walk's `error`.

    `done`: what the curious did in games before this one.
    """
    where = f"{rules.name}, seed {seed}, {policy}"
    played = Walk(where)
    rng, draws = Dice(f"{seed} {policy}", done), draws_of(seed)
    try:
        if since is None:
            played.first = start(rules, setup_of(rules, seed, **setup), draws)
        played.last = since if played.first is None else played.first.state
        for n in range(plies):
            state = played.last
            if state is None or state.outcome is not None:
                return played
            before = encode(state)
            action = POLICIES[policy](Table(rules, state, draws), rng)
            if encode(state) != before:
                played.error = f"{where}, ply {n}: looking for an action {TOUCHED}"
                return played
            if action is None:
                played.error = f"{where}, ply {n}: a dead end, nobody has a legal action"
                return played
            judgement = judge(rules, state, action, draws)
            played.plies.append(Ply(f"{where}, ply {n}", state, action, judgement))
            if encode(state) != before:
                played.error = f"{where}, ply {n}: judging {action} {TOUCHED}"
                return played
            if not judgement.legal:
                played.error = (
                    f"{where}, ply {n}: {action} was offered and is refused: {judgement.violations}"
                )
                return played
            played.last = judgement.state
    except Exception as fault:
        at = len(played.plies)
        last = f" after {played.plies[-1].action}" if played.plies else ""
        played.error = f"{where}, ply {at}{last}: {type(fault).__name__}: {fault}"
    return played


@lru_cache(maxsize=64)
def _walked(game: str, seed: int, policy: str, plies: int) -> Walk:
    return walk(subjects()[game].rules, seed, policy, plies)


def walked(game: str, seed: int, policy: str = "random", plies: int = PLIES) -> Walk:
    """A walk of a discovered game, kept for the other laws in this process."""
    return _walked(game, seed, policy, plies)


@cache
def positioned(game: str) -> tuple[Walk, ...]:
    """Walks that start from the positions which the game's own hook offers."""
    subject = subjects()[game]
    offered = subject.extra("positions", lambda rules: ())(subject.rules)
    return tuple(walk(subject.rules, n, "mixed", since=state) for n, state in enumerate(offered))


@dataclass(frozen=True)
class Spot:
    """A reachable state with its story: where it was reached and what was played there."""

    where: str
    state: State[Any, Any]
    action: dict[str, Any] | None = None


@dataclass(frozen=True)
class Breach:
    """A law does not hold: which, where, for which action, and why."""

    law: str
    where: str
    why: str
    action: Any = None

    def __str__(self) -> str:
        about = f" for {self.action}" if self.action is not None else ""
        return f"[{self.law}] {self.where}{about}: {self.why}"


def spots_of(walks: Iterable[Walk], n: int, rng: random.Random) -> list[Spot]:
    """`n` states of these games, each kind of window in its turn, so that the rare ones are among them.

    Where a game broke off comes first.
    """
    by_window: dict[tuple[str, ...], list[Spot]] = {}
    broken: list[Spot] = []
    for w in walks:
        if w.error is not None and w.last is not None:
            broken.append(Spot(f"{w.where}, where it broke off", w.last))
        for ply in w.plies:
            top = ply.state.stack[-1]
            key = (*(type(f).__name__ for f in ply.state.stack[-2:]), top.step, ply.action["kind"])
            by_window.setdefault(key, []).append(Spot(ply.where, ply.state, ply.action))
        if w.over and w.last is not None:
            by_window.setdefault(("over",), []).append(Spot(f"{w.where}, at the end", w.last))
    return broken[:n] + list(_in_turn(list(by_window.values()), max(0, n - len(broken)), rng))


def _in_turn(piles: Sequence[list[Spot]], n: int, rng: random.Random) -> Iterator[Spot]:
    for pile in piles:
        rng.shuffle(pile)
    piles = [list(p) for p in piles]
    while n and piles:
        for pile in piles:
            if n:
                yield pile.pop()
                n -= 1
        piles = [p for p in piles if p]


def given(state: State[Any, Any]) -> State[Any, Any]:
    """The same state, where chance stops and asks."""
    twin = copy(state)
    twin.chance = ChanceState("given", fair=False)
    return twin


def posted(option: Option) -> dict[str, Any]:
    """What a client posts that drops what is no parameter and fills the examples in."""
    wire = option.to_wire()
    opens = wire.get("open", {})
    wire = {name: value for name, value in wire.items() if name not in NOT_PARAMETERS}
    return {**wire, **{name: shown["example"] for name, shown in opens.items()}}


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same bytes."""
    return encode(a) == encode(b)
