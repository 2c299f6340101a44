"""The table: what rules read and write while an action is judged. Events alone change the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from service.engine.aside import laid_aside, settled, swapped
from service.engine.audience import EVERYONE, Sight, place_at, sight_of
from service.engine.deck import Deck
from service.engine.event import Event, Played
from service.engine.explained import Reasoned
from service.engine.frames import WAITING, Frame
from service.engine.places import Bag, MoveError, Path, at, changed, contents, put, take, with_heap
from service.engine.state import ChanceState, Outcome, Standing, State

if TYPE_CHECKING:
    from service.engine.ruleset import Ruleset

Draws = Callable[[ChanceState, int], int]


class NoDraws(Exception):
    """The service was asked to draw without a source of chance."""


class Table:
    """A board, a stack of frames and what happened to them. Made from a state, which it never changes.

    HouseRefused where the figures of the state cannot be (`problems` looks first).
    """

    __slots__ = (
        "board", "calm", "chance", "draws", "events", "explained", "figures", "frames", "known", "outcome", "played",
        "rules", "seats", "state", "tried",
    )  # fmt: skip

    def __init__(self, rules: Ruleset, state: State[Any, Any], draws: Draws | None = None) -> None:
        self.rules = rules
        self.state = state
        self.seats: tuple[str, ...] = tuple([s.id for s in state.seats])  # in table order
        self.board: Any = state.table
        self.frames: list[Any] = state.stack
        self.chance = state.chance
        self.outcome = state.outcome
        self.draws = draws
        self.events: list[Event] = []
        self.played: list[Played] = []
        self.explained: list[Reasoned] | None = (
            None  # what the rules chose; a list where somebody asks for it
        )
        self.calm: Any = None  # the board that gives the watches nothing to say (`flow.watch`)
        self.tried = False  # only looking ahead: nobody answers by itself
        self.figures: Any = rules.figures_of(state.house)  # those printed, or those of the house
        self.known: dict[Any, tuple[Any, Any]] = {}  # what was worked out of parts of the board (`once`)

    # -- reading ------------------------------------------------------------------------------------------------

    @property
    def options(self) -> Mapping[str, Any]:
        """The set-up options of this game."""
        return self.state.options

    def at(self, *path: str) -> Any:
        """What lies at a place of the board."""
        return at(self.board, path)

    def below(self, frame: Frame) -> Any:
        """The frame that called this one; None for the first. Frames that wait for their turn are passed over."""
        i = self.index(frame)
        return next((f for f in reversed(self.frames[:i]) if f.step != WAITING), None)

    def index(self, frame: Frame) -> int:
        """Where this very frame (not one like it) stands in the stack, from the bottom."""
        for i, f in enumerate(self.frames):
            if f is frame:
                return i
        raise ValueError(f"{type(frame).__name__} is not on the stack")

    def frame(self, kind: type[Frame]) -> Any:
        """The nearest frame of this type; None if there is none."""
        for f in reversed(self.frames):
            if kind in type(f).__mro__:  # as `isinstance` says, in half the time
                return f
        return None

    def once(self, make: Callable[..., Any], of: Any, seat: str | None = None) -> Any:
        """What `make` works out of a part of the board, worked out once: parts are values, a change makes others.

        `make` may read that part, the figures and the set-up options alone, and nobody changes what it answers.
        With a seat it is what that seat has to do with the part.
        """
        key = (make, id(of), seat)
        kept = self.known.get(key)
        if kept is None:  # as long as the part is kept, its id is its own
            kept = self.known[key] = (of, make(self, of) if seat is None else make(self, of, seat))
        return kept[1]

    # -- copies -------------------------------------------------------------------------------------------------

    def fork(self) -> Table:
        """An independent copy: the board is shared as a value, the frames are copied, no event is carried over."""
        twin = Table.__new__(Table)
        twin.rules, twin.state, twin.seats, twin.board = self.rules, self.state, self.seats, self.board
        twin.outcome, twin.draws, twin.tried = self.outcome, self.draws, self.tried
        twin.figures, twin.calm, twin.known = self.figures, self.calm, self.known
        twin.frames = [f.__copy__() for f in self.frames]
        twin.chance = self.chance  # a draw replaces it
        twin.events, twin.played = [], []
        twin.explained = None if self.explained is None else []
        return twin

    def trial(self) -> Table:
        """A fork to look ahead on: it has no source of chance, and nobody answers by itself."""
        twin = self.fork()
        twin.draws, twin.tried, twin.explained = None, True, None
        return twin

    def twin(self, frame: Any, fork: Table) -> Any:
        """The copy of a frame of this table on a fork of it (a frame that is not on the stack is its own)."""
        for own, twin in zip(self.frames, fork.frames, strict=True):
            if own is frame:
                return twin
        return frame

    def to_state(self, turn: int) -> State[Any, Any]:
        """The state that this table is in now."""
        fresh = copy(self.state)
        fresh.table, fresh.stack, fresh.chance = self.board, self.frames, self.chance
        fresh.outcome, fresh.turn = self.outcome, turn
        return fresh

    # -- events: the only mutation of the board ------------------------------------------------------------------

    def moved(self, because: str, bag: Bag, source: Path | None, target: Path | None) -> None:
        """Move a bag `{what: n}` from a place to a place; None is the bank, which is never empty.

        MoveError if the places do not allow it. An empty bag is no event.
        """
        bag = dict(bag) if all(bag.values()) else {what: n for what, n in bag.items() if n}
        if not bag:
            return
        seen = []
        facts: dict[str, Any] = {"what": bag, "source": None, "target": None}
        if source is not None:
            seen.append(self._fold(source, take, bag))
            facts["source"] = list(source)
        if target is not None:
            seen.append(self._fold(target, put, bag))
            facts["target"] = list(target)
        rest = _rest(seen)
        self._tell("moved", because, facts, seen, None if rest is None else {**facts, "what": rest(bag)})

    def _fold(self, path: Path, fold: Callable[[Any, Bag], Any], bag: Bag) -> Sight:
        """Put a bag to what lies at a place, or take it; a heap that is not there yet begins, one that is empty goes.

        Answers who sees the place.
        """
        sight, is_heap = place_at(self.rules.board, path)
        if is_heap:
            heap = path[-1]
            self.board = changed(
                self.board, path[:-1], lambda held: with_heap(held, heap, lambda h: fold(h, bag))
            )
        else:
            self.board = changed(self.board, path, lambda held: fold(held, bag))
        return sight

    def returned(
        self,
        because: str,
        cards: Sequence[str],
        source: Path,
        deck: Path,
        *,
        bottom: bool = False,
        known_to: Sequence[str] | None = None,
    ) -> None:
        """Lay cards (top first) on or under a deck, in an order that `known_to` (None: everyone) remember."""
        if not cards:
            return
        bag: dict[str, int] = {}
        for card in cards:
            bag[card] = bag.get(card, 0) + 1
        seen = [self._sight(source)]
        rest = _rest([self._sight(deck), *seen])
        self.board = changed(self.board, source, lambda held: take(held, bag))
        self.board = changed(self.board, deck, lambda d: d.put(cards, known_to, bottom))
        ends = {"source": _place(source), "target": _place(deck), "end": "bottom" if bottom else "top"}
        if known_to is None:
            seen = [Sight(EVERYONE)]
        elif seen[0].whole is not None:
            seen.append(Sight(frozenset(known_to)))
        shown = {"cards": rest(bag), **ends} if rest is not None else None
        self._tell("returned", because, {"cards": list(cards), **ends}, seen, shown)

    def laid_aside(self, because: str, deck: Path, row: Path) -> None:
        """Lay the top card of a deck face down at the end of a row; what it is stays undecided (`aside.py`)."""
        try:
            less, more = laid_aside(self.at(*deck), self.at(*row))
        except ValueError as impossible:
            raise MoveError(str(impossible)) from None
        self._row(deck, less, row, more)
        self.tell("laid-aside", because, {"source": _place(deck), "target": _place(row)})

    def settled(self, card: str, row: Path, place: int, deck: Path, known_to: Sequence[str] | None) -> None:
        """It is decided that this card lies at a place of a row (counted from 0), which `known_to` (None: all) see.

        No event: the rule that looks tells whom it is for.
        """
        try:
            less, fresh = settled(self.at(*deck), self.at(*row), place, card, known_to)
        except ValueError as impossible:
            raise MoveError(str(impossible)) from None
        self._row(deck, less, row, fresh)

    def swapped(self, row: Path, i: int, j: int) -> None:
        """Exchange the cards at two places of a row (counted from 0); who knew one of them knows where it lies now.

        No event: the rule that swaps tells it.
        """
        try:
            fresh = swapped(self.at(*row), i, j)
        except IndexError:
            raise MoveError(f"no cards lie at both {i} and {j}") from None
        self.board = changed(self.board, row, lambda _: fresh)

    def _row(self, deck: Path, less: Deck, row: Path, fresh: Deck) -> None:
        self.board = changed(self.board, deck, lambda _: less)
        self.board = changed(self.board, row, lambda _: fresh)

    def shuffled(self, because: str, source: Path | None, deck: Path) -> None:
        """Shuffle a deck, together with everything that lies at `source` (a discard pile) if one is named."""
        more: Bag = {}
        if source is not None:
            more = contents(self.at(*source))
            self.board = changed(self.board, source, lambda held: take(held, more))
        self.board = changed(self.board, deck, lambda d: d.shuffled(more))
        self.tell("shuffled", because, {"deck": _place(deck), "cards": self.at(*deck).size})

    def set(self, because: str, value: Any, *path: str) -> None:
        """Set a value of the board (a track, a flag) and say so to those who see the place.

        No event if it stands so already. The last name may be a new key of a mapping.
        """
        if self._has(path) and self.at(*path) == value:
            return
        seen = [self._sight(path)]
        self.board = changed(self.board, path, lambda _: value)
        self._tell("set", because, {"place": _place(path), "value": value}, seen, None)

    def tell(
        self, kind: str, because: str, facts: Mapping[str, Any], to: Iterable[str] | None = None
    ) -> None:
        """Tell a fact that changes nothing by itself; `to` some seats, else to everyone."""
        self.events.append(Event(kind, because, facts, None if to is None else frozenset(to)))

    def explain(
        self, about: str, because: str, of: Callable[[], Iterable[Mapping[str, Any]]], **facts: Any
    ) -> None:
        """Say what a clause chose among what (`of`: every candidate, see `Reasoned`), if anybody asks for that."""
        if self.explained is not None:
            self.explained.append(Reasoned(about, because, facts, list(of())))

    def finish(
        self,
        because: str,
        winners: Sequence[str],
        standings: Iterable[tuple[str, int, Mapping[str, int]]],
        following: dict[str, Any] | None = None,
    ) -> None:
        """The game is over: who won, and every seat's score with its parts. Return END after it.

        `following`: the set-up with what the next game of a series takes over.
        """
        table = [Standing(seat, score, dict(parts)) for seat, score, parts in standings]
        self.outcome = Outcome(list(winners), table, because, following)
        self.tell("game-over", because, {"winners": list(winners)})

    def _has(self, path: Path) -> bool:
        holder = self.at(*path[:-1])
        return not isinstance(holder, dict) or path[-1] in holder

    # -- chance -------------------------------------------------------------------------------------------------

    def draw(self, total: int) -> int:
        """A number in `range(total)` from the service's source of chance; counts the draw. NoDraws without one."""
        if self.draws is None:
            raise NoDraws
        drawn = self.draws(self.chance, total)
        self.chance = copy(self.chance)
        self.chance.next_draw += 1
        return drawn

    # -- sight --------------------------------------------------------------------------------------------------

    def _sight(self, path: Path) -> Sight:
        return sight_of(self.rules.board, path)

    def _tell(
        self,
        kind: str,
        because: str,
        facts: dict[str, Any],
        seen: list[Sight],
        rest: dict[str, Any] | None,
    ) -> None:
        whole: frozenset[str] | None = frozenset()
        for sight in seen:
            if sight.whole is None:
                whole = None
                break
            whole = whole | sight.whole if whole else sight.whole
        self.events.append(Event(kind, because, facts, whole, None if whole is None else rest))


def _place(path: Path | None) -> list[str] | None:
    return None if path is None else list(path)


def _rest(seen: list[Sight]) -> Callable[[Any], Any] | None:
    """What the others see of what moved: as the target shows it, else the source, else nothing."""
    for sight in reversed(seen):
        if sight.rest is not None:
            return sight.rest
    return None


def is_deck(value: Any) -> bool:
    """Whether a container is a deck."""
    return isinstance(value, Deck)
