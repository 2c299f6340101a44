"""The referee's use cases, between the wire and the engine."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import msgspec

from service.engine import options as listing
from service.engine import problems as searching
from service.engine import view as showing
from service.engine.budget import OutOfTime
from service.engine.flow import Decision, decisions
from service.engine.judge import Judgement, judge, judge_line
from service.engine.options import Option
from service.engine.ruleset import Problem, Ruleset, SetupRefused, SetupSeat
from service.engine.setup import PositionRefused, Setup, of_position, start
from service.engine.state import CHANCE, AnyState, encode
from service.engine.table import NoDraws, Table
from service.sessions.fairness import ChanceRefused, Fairness
from service.sessions.keys import feed

LOG = logging.getLogger(__name__)

Wire = Mapping[str, Any]


class ImpossibleState(Exception):
    """A posted state that cannot exist, with the reasons."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(p.message for p in problems))
        self.problems = problems


class UnplayableState(Exception):
    """A posted state on which the rules broke down: it cannot exist, though no problem was found in it."""


class UnknownSeat(Exception):
    """A call that names a seat which nobody has at this table."""

    def __init__(self, pointer: str, seat: str, known: Sequence[str]) -> None:
        super().__init__(seat)
        self.pointer, self.seat, self.known = pointer, seat, known


@dataclass(frozen=True)
class Wish:
    """A set-up as the client wishes it; `position` is a board of the ruleset's type, `house` figures of its own."""

    seats: Sequence[SetupSeat]
    options: Wire = field(default_factory=dict)
    mode: str = "seeded"
    seed: str | None = None
    client_seed: str = ""
    position: Any = None
    house: Wire = field(default_factory=dict)


@dataclass(frozen=True)
class Listing:
    """Options; `complete` unless a limit cut them, or a family had too many values for look-ahead to try."""

    options: Sequence[Option]
    complete: bool


def set_up(rules: Ruleset, wish: Wish, fairness: Fairness) -> Judgement:
    """The state before the first decision. Raises SetupRefused; ImpossibleState for a bad position."""
    game_id, chance = chance_of(rules, wish, fairness)
    setup = Setup(wish.seats, game_id, chance, wish.options, wish.position, wish.house)
    if wish.position is None:
        return start(rules, setup, fairness.draws(game_id))
    return _from_position(rules, setup, fairness)


def _from_position(rules: Ruleset, setup: Setup, fairness: Fairness) -> Judgement:
    """A game from its middle: nobody vouches for it."""
    try:
        with sound():
            begun = start(rules, setup, fairness.draws(setup.game_id))
    except PositionRefused as refused:
        raise ImpossibleState(refused.problems) from None
    assert begun.state is not None
    begun.state.provenance = "foreign"
    _demand_position(rules, begun.state)
    return begun


def chance_of(rules: Ruleset, wish: Wish, fairness: Fairness) -> tuple[str, Any]:
    """The id and the chance of a new game; of an open one always the same."""
    if wish.mode == "given":
        return fairness.given()
    if wish.seed is None:
        return fairness.fair(wish.client_seed)
    wished = msgspec.to_builtins(wish)
    if not wish.house:
        del wished["house"]  # a game without a house draws what it drew before there were houses
    return fairness.open({"ruleset": rules.name, "wish": wished}, wish.client_seed)


def admit(rules: Ruleset, state: AnyState, fairness: Fairness) -> AnyState:
    """A posted state that nobody vouches for, once it is known to be possible. Raises ImpossibleState."""
    _demand(problems(rules, state, fairness))
    state.provenance = "foreign"
    return state


def demand_possible(rules: Ruleset, state: AnyState) -> None:
    """Raises ImpossibleState with every reason why no game can go on from the position that this state began with."""
    with sound():
        _demand_position(rules, state)


def _demand_position(rules: Ruleset, state: AnyState) -> None:
    _demand([of_position(problem) for problem in searching.problems(rules, state)])


def _demand(found: Sequence[Problem]) -> None:
    if found:
        raise ImpossibleState(found)


def problems(rules: Ruleset, state: AnyState, fairness: Fairness) -> list[Problem]:
    """Every reason why this state cannot exist."""
    with sound():
        return searching.problems(rules, state) + list(fairness.problems(state.game_id, state.chance))


def adjudicate(
    rules: Ruleset, state: AnyState, actions: Sequence[Wire], fairness: Fairness, explain: bool = False
) -> Judgement:
    """The judgement of one action, or of a line of play, on an admitted state. Raises ChanceRefused."""
    draws = fairness.draws_of(state)
    with sound():
        if len(actions) == 1:
            return judge(rules, state, actions[0], draws, explain)
        return judge_line(rules, state, actions, draws, explain)


class Questions:
    """Ids of questions about one state, as it was posted: the same question has the same id.

    `posted`: the canonical JSON of the state, or the token that holds it, so that no id tells what is in there.
    """

    def __init__(self, posted: bytes) -> None:
        self._begun = hashlib.sha256(b"arbitr adjudication\n")
        feed(self._begun, posted)

    def id(self, actions: Sequence[Wire]) -> str:
        """A digest of state and actions."""
        question = self._begun.copy()
        question.update(b"\n" + encode(actions))
        return question.hexdigest()[:32]


def options(
    rules: Ruleset, state: AnyState, actor: str | None, kinds: Sequence[str] | None, limit: int | None
) -> tuple[Listing, Sequence[Decision]]:
    """The legal options on an admitted state, of one actor and of some kinds, where they are named; and who must
    decide."""
    if actor is not None and actor != CHANCE:
        _check_seat("/actor", state, actor)
    table, tries = Table(rules, state), listing.Tries()
    with sound():
        return listed(listing.options(table, actor, kinds, tries), limit, tries), decisions(table)


def listed(every: Iterator[Option], limit: int | None, tries: listing.Tries) -> Listing:
    """As many of these options as the limit lets through; `tries` is what look-ahead had for them."""
    with sound():
        found = list(every if limit is None else islice(every, limit + 1))
    return Listing(found[:limit], not tries.cut and (limit is None or len(found) <= limit))


def view(rules: Ruleset, state: AnyState, seat: str | None) -> tuple[dict[str, Any], Sequence[Decision]]:
    """What a seat (None: a spectator) may know of an admitted state, and who must decide."""
    if seat is not None:
        _check_seat("/seat", state, seat)
    with sound():
        return seen(state, seat), decisions(Table(rules, state))


def seen(state: AnyState, seat: str | None) -> dict[str, Any]:
    """What a seat (None: a spectator) may know of a state."""
    with sound():
        return showing.view(state, seat)


def _check_seat(pointer: str, state: AnyState, seat: str) -> None:
    known = [s.id for s in state.seats]
    if seat not in known:
        raise UnknownSeat(pointer, seat, known)


TELLING = (ChanceRefused, ImpossibleState, NoDraws, OutOfTime, RecursionError, SetupRefused, UnplayableState)


class sound:
    """Rules that break down on a state from outside mean a state that cannot exist; the log tells us."""

    def __enter__(self) -> None:
        """Nothing."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: object) -> None:
        if not isinstance(error, Exception) or isinstance(error, TELLING):
            return
        # It is answered as such, and counted there: whoever posts states may bring it about.
        LOG.exception("the rules broke down on a posted state", exc_info=error, extra={"counted": True})
        raise UnplayableState(repr(error)) from error
