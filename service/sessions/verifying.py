"""Verifying a record: is every action legal, does it lead where it says, and are the draws those of the seed?

Nothing is asked of a store, and no seed is worked out but that of an open game: whoever posts the record of a game that
still goes on learns nothing of its draws.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.engine.flow import hit
from service.engine.rule import Violation
from service.engine.ruleset import Ruleset
from service.engine.setup import PositionRefused
from service.engine.state import OPEN, AnyState, ChanceState, Outcome
from service.sessions import acting, clocks, odds, referee
from service.sessions.about import TIMED_OUT
from service.sessions.auditing import NoLog, audited
from service.sessions.fairness import ChanceRefused, Fairness, commitment, draw, open_seed
from service.sessions.referee import ImpossibleState, Wish, sound
from service.sessions.replay import Broken, Drawing, Drawn, Line, begun, by_hand, digest

MATCH, DIFFER, UNKNOWN = "match", "differ", "unknown"
PROMISE, NUMBER, VALUE, ODDS, LOG = "promise", "number", "value", "odds", "log"
ILLEGAL, ASTRAY, UNFINISHED = "illegal-action", "wrong-digest", "not-over"
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Draws:
    """Whether the draws are those of the seed; where they differ, why, and at which action, where it is one.

    Of a log that no session writes: which `fault` it has, and where (`pointer`, a JSON Pointer into the record).
    """

    verdict: str
    why: str | None = None
    at: int | None = None
    fault: str | None = None
    pointer: str | None = None


@dataclass(frozen=True)
class Verified:
    """What came of judging a whole record. `at`: the first bad action; `state`: the last one that was reached.

    `reason`: None where the record is valid. `odds`: what could come up at each draw (of a valid record with a log, at
    those that were taken back too). `actions`: all that were judged, with what came up at draws that nobody had seen.
    """

    reason: str | None
    state: AnyState
    digest: str
    draws: Draws
    odds: Sequence[Mapping[Any, int]]
    at: int | None = None
    violations: Sequence[Violation] = ()
    actions: Sequence[Mapping[str, Any]] = ()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, where it did."""
        found: Outcome | None = self.state.outcome
        return found


def verified(rules: Ruleset, record: Record, wish: Wish | None, fairness: Fairness) -> Verified:
    """Judge a record, action by action. `wish`: its set-up as it was asked for, where it begins with one.

    Raises SetupRefused for a set-up that no game has, ImpossibleState for a state that none comes to.
    """
    first, chance = _first(rules, record, wish, fairness)
    checks = _Checks(rules, record, first, chance, fairness)
    line = Line(rules, by_hand(first), checks.drawing())
    at: int | None = None
    violations: Sequence[Violation] = ()
    with sound():
        try:
            for action in record["actions"]:
                line.play(action)
        except Broken as broken:
            at, violations = broken.at, broken.violations
        found = digest(line.state)
        draws, every = checks.draws(line.drawn, at is None)
    reason = ILLEGAL if at is not None else _reason(record, chance, line.state, found)
    return Verified(reason, line.state, found, draws, [d.odds for d in every], at, violations, line.actions)


def _reason(record: Record, chance: ChanceState, end: AnyState, found: str) -> str | None:
    """What is wrong with a record all of whose actions are legal.

    One that is `complete`, or that has the seed of a fair game, claims that the game is over.
    """
    if record.get("digest", found) != found:
        return ASTRAY
    over = record.get("complete", False) or (chance.fair and "seed" in record.get("chance", {}))
    return UNFINISHED if over and end.outcome is None and not _stopped(record) else None


def _stopped(record: Record) -> bool:
    """Whether its log says that the session is over by its clock or its length, of which the rules of the game know
    nothing.

    Seats may still change after the clock has ended it: somebody leaves, or is renamed.
    """
    if len(record.get("log", ())) >= acting.MOST_ACTED:
        return True
    changes = [c for entry in record.get("log", ()) for c in entry.get("changes", ())]
    return any((c.get("kind"), c.get("then")) == (TIMED_OUT, clocks.END) for c in changes)


def _first(
    rules: Ruleset, record: Record, wish: Wish | None, fairness: Fairness
) -> tuple[AnyState, ChanceState]:
    """The state that the record starts from, and what is known of its chance without the record's own word."""
    if wish is None:
        state = record["state"]
        chance = state.chance
        return referee.admit(rules, state, fairness), chance
    try:
        with sound():
            state = begun(rules, record["setup"])
    except PositionRefused as refused:
        raise ImpossibleState(refused.problems) from None
    if wish.position is not None:
        referee.demand_possible(rules, state)
    if wish.mode == "seeded" and wish.seed is not None:
        state.game_id, state.chance = referee.chance_of(rules, wish, fairness)
    else:
        state.chance = ChanceState(wish.mode, wish.mode == "seeded", client_seed=wish.client_seed)  # type: ignore[arg-type]
    return state, state.chance


class _Refuted(Exception):
    """The draws are not what they should be."""

    def __init__(
        self, why: str, at: int | None = None, fault: str | None = None, pointer: str | None = None
    ) -> None:
        super().__init__(why)
        self.why, self.at, self.fault, self.pointer = why, at, fault, pointer


@dataclass(frozen=True)
class _Checks:
    """What is looked at to say whether the draws of a record are those of its seed."""

    rules: Ruleset
    record: Record
    first: AnyState
    chance: ChanceState
    fairness: Fairness

    def draws(self, drawn: Sequence[Drawn], whole: bool) -> tuple[Draws, Sequence[Drawn]]:
        """The verdict on these answers of chance, and all there were; `whole`: these are of the whole record."""
        every = drawn
        try:
            if self.chance.mode == "given":
                self._numbered(drawn, whole)
                return Draws(UNKNOWN), every
            seed = self._seed()
            every = self._numbered(drawn, whole)
            if whole:
                self._odds(every)
            if seed is not None:
                self._values(seed, drawn)
                self._values(seed, every if every is not drawn else (), taken_back=True)
            if whole:
                self._demand_all(len(every))
        except _Refuted as refuted:
            return Draws(DIFFER, refuted.why, refuted.at, refuted.fault, refuted.pointer), every
        return Draws(UNKNOWN if seed is None else MATCH), every

    def drawing(self) -> Drawing | None:
        """What brings a draw that nobody saw, where a seed is known that keeps the promise."""
        try:
            seed = None if self.chance.mode == "given" else self._seed()
        except _Refuted:
            seed = None
        if seed is None:
            return None
        return lambda number, odds: self._brought(seed, number, odds)

    def _brought(self, seed: bytes, number: int, odds: Mapping[Any, int]) -> Any:
        """What the seed says that a draw brings."""
        numbered = ChanceState(client_seed=self.chance.client_seed, next_draw=number)
        return hit(odds, draw(seed, numbered, sum(odds.values())))

    def _seed(self) -> bytes | None:
        """The seed that the record reveals, or that anybody can work out; None where there is none.

        It must keep the promise, and be that of the game, where this can be known.
        """
        told = self.record.get("chance")
        if told is None:
            return self.fairness.seed(self.first.game_id, self.chance) if self.chance.key_id == OPEN else None
        own: dict[str, Any] = {
            "mode": self.chance.mode,
            "fair": self.chance.fair,
            "client_seed": self.chance.client_seed,
        }
        if self.chance.commitment:
            own |= {
                "game_id": self.first.game_id,
                "key_id": self.chance.key_id,
                "commitment": self.chance.commitment,
            }
        if self.chance.fair and told.get("key_id") == OPEN:
            raise _Refuted(PROMISE)
        if any(told.get(name, value) != value for name, value in own.items()):
            raise _Refuted(PROMISE)
        if not all(told.get(name) for name in ("seed", "key_id", "commitment")) or "next_draw" not in told:
            return None  # whoever leaves the promise out shows no seed that keeps it
        seed, promised = bytes.fromhex(told["seed"]), told["commitment"]
        if not hmac.compare_digest(promised.encode(), commitment(seed).encode()):
            raise _Refuted(PROMISE)
        self._demand_own(seed, told)
        return seed

    def _demand_own(self, seed: bytes, told: Mapping[str, Any]) -> None:
        """Of an open game, and of one that our key has drawn, the seed is known; of no other game is it an open one."""
        claimed = ChanceState(key_id=told["key_id"], commitment=commitment(seed))
        game_id = told["game_id"]
        if claimed.key_id != OPEN and seed == open_seed(game_id):
            raise _Refuted(PROMISE)
        if self.fairness.knows(claimed):
            try:
                self.fairness.seed(game_id, claimed)
            except ChanceRefused:
                raise _Refuted(PROMISE) from None

    def _numbered(self, drawn: Sequence[Drawn], whole: bool) -> Sequence[Drawn]:
        """Every draw in the order of its number, those that were taken back too, where the record has its log.

        Numbers go up one by one; only where something was taken back do some stand in the log alone.
        """
        due = None if self.chance.mode == "given" else self.chance.next_draw
        if whole and "log" in self.record:
            try:
                return audited(self.rules, self.first, self.record, due, self.drawing())
            except NoLog as fault:
                raise _Refuted(LOG, fault=fault.fault, pointer=fault.pointer) from None
        if due is not None:
            _demand_numbers(drawn, due, gaps="log" in self.record)
        return drawn

    def _demand_all(self, drawn: int) -> None:
        """As many numbers were drawn as the record accounts for."""
        due = self.chance.next_draw + drawn
        if self.record.get("chance", {}).get("next_draw", due) != due:
            raise _Refuted(NUMBER)

    def _odds(self, every: Sequence[Drawn]) -> None:
        """The odds that the record tells are those of the rules."""
        if "odds" not in self.record:
            return
        try:
            other = odds.first_other(self.record["odds"], [d.odds for d in every])
        except odds.NoOdds:
            raise _Refuted(ODDS) from None
        if other is not None:
            known = other < len(every) and other < len(self.record["odds"]) and "log" not in self.record
            raise _Refuted(ODDS, every[other].at if known else None)

    def _values(self, seed: bytes, drawn: Sequence[Drawn], taken_back: bool = False) -> None:
        """What came up is what the seed says; `taken_back`: these count within the versions of the log."""
        for d in drawn:
            assert d.number is not None
            if self._brought(seed, d.number, d.odds) != d.value:
                raise _Refuted(VALUE, None if taken_back else d.at)


def _demand_numbers(drawn: Sequence[Drawn], first: int, gaps: bool) -> None:
    """Numbers go up one by one; with `gaps` they go up."""
    due = first
    for d in drawn:
        if d.number is None or d.number < due or (d.number > due and not gaps):
            raise _Refuted(NUMBER, d.at)
        due = d.number + 1
