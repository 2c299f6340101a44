"""The table: what rules read and write while an action is judged. Events are the only mutation of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from service.engine.audience import EVERYONE, Sight, count, sight_of
from service.engine.deck import Deck
from service.engine.event import Event, Played
from service.engine.frames import Frame
from service.engine.places import Bag, Path, at, changed, contents, put, take
from service.engine.state import ChanceState, Outcome, Standing, State

if TYPE_CHECKING:
    from service.engine.ruleset import Ruleset

Draws = Callable[[ChanceState, int], int]


class NoDraws(Exception):
    """The service was asked to draw without a source of chance."""


class Table:
    """A board, a stack of frames and what happened to them. Made from a state, which it never changes."""

    __slots__ = ("board", "chance", "draws", "events", "frames", "outcome", "played", "rules", "state")

    def __init__(self, rules: Ruleset, state: State[Any, Any], draws: Draws | None = None) -> None:
        self.rules = rules
        self.state = state
        self.board: Any = state.table
        self.frames: list[Any] = state.stack
        self.chance = state.chance
        self.outcome = state.outcome
        self.draws = draws
        self.events: list[Event] = []
        self.played: list[Played] = []

    # -- reading ------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of all seats in table order."""
        return tuple(s.id for s in self.state.seats)

    @property
    def options(self) -> Mapping[str, Any]:
        """The set-up options of this game."""
        return self.state.options

    def at(self, *path: str) -> Any:
        """What lies at a place of the board."""
        return at(self.board, path)

    def below(self, frame: Frame) -> Any:
        """The frame that called this one."""
        i = next(i for i, f in enumerate(self.frames) if f is frame)
        return self.frames[i - 1]

    def frame(self, kind: type[Frame]) -> Any:
        """The nearest frame of this type; None if there is none."""
        return next((f for f in reversed(self.frames) if isinstance(f, kind)), None)

    # -- copies -------------------------------------------------------------------------------------------------

    def fork(self) -> Table:
        """An independent copy: the board is shared as a value, the frames are copied, no event is carried over."""
        twin = copy(self)
        twin.frames = [copy(f) for f in self.frames]
        twin.chance = copy(self.chance)
        twin.events, twin.played = [], []
        return twin

    def to_state(self, turn: int) -> State[Any, Any]:
        """The state that this table is in now."""
        fresh = copy(self.state)
        fresh.table, fresh.stack, fresh.chance = self.board, self.frames, self.chance
        fresh.outcome, fresh.turn = self.outcome, turn
        return fresh

    # -- events: the only mutation of the board ------------------------------------------------------------------

    def moved(self, because: str, bag: Bag, source: Path | None, target: Path | None) -> None:
        """Move a bag `{what: n}` from a place to a place; None is the bank, which is never empty."""
        bag = {what: n for what, n in bag.items() if n}
        if not bag:
            return
        seen = [self._sight(p) for p in (source, target) if p is not None]
        if source is not None:
            self.board = changed(self.board, source, lambda held: take(held, bag))
        if target is not None:
            self.board = changed(self.board, target, lambda held: put(held, bag))
        ends = {"source": _place(source), "target": _place(target)}
        self._tell("moved", because, {"what": bag, **ends}, seen, {"what": _rest(seen, bag), **ends})

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
        """Lay cards (top first) on top of or under a deck, in an order that `known_to` (None: everyone) remember."""
        bag: dict[str, int] = {}
        for card in cards:
            bag[card] = bag.get(card, 0) + 1
        seen = [self._sight(source)]
        self.board = changed(self.board, source, lambda held: take(held, bag))
        self.board = changed(self.board, deck, lambda d: d.put(cards, known_to, bottom))
        ends = {"source": _place(source), "target": _place(deck), "end": "bottom" if bottom else "top"}
        if known_to is None:
            seen = [Sight(EVERYONE)]
        elif seen[0].whole is not None:
            seen.append(Sight(frozenset(known_to)))
        self._tell("returned", because, {"cards": list(cards), **ends}, seen, {"cards": len(cards), **ends})

    def shuffled(self, because: str, source: Path | None, deck: Path) -> None:
        """Shuffle a deck, together with everything that lies at `source` (a discard pile) if one is named."""
        more: Bag = {}
        if source is not None:
            more = contents(self.at(*source))
            self.board = changed(self.board, source, lambda held: take(held, more))
        self.board = changed(self.board, deck, lambda d: d.shuffled(more))
        self.tell("shuffled", because, {"deck": _place(deck), "cards": self.at(*deck).size})

    def set(self, because: str, value: Any, *path: str) -> None:
        """Set a value of the board (a track, a flag) and say so to those who see the place; no event if it stands so."""
        if self.at(*path) == value:
            return
        seen = [self._sight(path)]
        self.board = changed(self.board, path, lambda _: value)
        self._tell("set", because, {"place": _place(path), "value": value}, seen, None)

    def tell(
        self, kind: str, because: str, facts: Mapping[str, Any], to: Iterable[str] | None = None
    ) -> None:
        """Tell a fact that changes nothing by itself; `to` some seats, else to everyone."""
        self.events.append(Event(kind, because, facts, None if to is None else frozenset(to)))

    def finish(
        self, because: str, winners: Sequence[str], standings: Iterable[tuple[str, int, Mapping[str, int]]]
    ) -> None:
        """The game is over: who won, and every seat's score with its parts. Return END after it."""
        table = [Standing(seat, score, dict(parts)) for seat, score, parts in standings]
        self.outcome = Outcome(list(winners), table, because)
        self.tell("game-over", because, {"winners": list(winners)})

    # -- chance -------------------------------------------------------------------------------------------------

    def draw(self, total: int) -> int:
        """A number in `range(total)` from the service's source of chance; counts the draw."""
        if self.draws is None:
            raise NoDraws
        drawn = self.draws(self.chance, total)
        self.chance = copy(self.chance)
        self.chance.next_draw += 1
        return drawn

    # -- sight --------------------------------------------------------------------------------------------------

    def _sight(self, path: Path) -> Sight:
        return sight_of(type(self.board), path)

    def _tell(
        self, kind: str, because: str, facts: dict[str, Any], seen: list[Sight], rest: dict[str, Any] | None
    ) -> None:
        whole: frozenset[str] | None = frozenset()
        for sight in seen:
            whole = None if sight.whole is None or whole is None else whole | sight.whole
        self.events.append(Event(kind, because, facts, whole, None if whole is None else rest))


def _place(path: Path | None) -> list[str] | None:
    return None if path is None else list(path)


def _rest(seen: list[Sight], bag: Bag) -> Any:
    rest = next((s.rest for s in reversed(seen) if s.rest is not None), count)
    return rest(bag)


def is_deck(value: Any) -> bool:
    """Whether a container is a deck."""
    return isinstance(value, Deck)
