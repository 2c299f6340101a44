"""A ruleset: one game's rules in one version, put together from its chapters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Union

import msgspec

from service.engine.action import Action, ChanceAction
from service.engine.control import Control
from service.engine.frames import Again, Ask, Called, Each, Frame, Free, Procedure, SealedFrame, Step
from service.engine.house import House, Overridable
from service.engine.houses import Houses, Unsound
from service.engine.refusal import Problem as Problem
from service.engine.refusal import SetupRefused as SetupRefused
from service.engine.rule import Rulebook
from service.engine.state import State
from service.engine.table import Table
from service.engine.wishes import Option as Option
from service.engine.wishes import Scenario, Wished
from service.engine.wishes import SetupSeat as SetupSeat
from service.engine.words import Words

NO_HOUSE: House = {}
Watch = Callable[[Table], Control]
Concerned = Callable[[Table], Any]
Refuser = Callable[[Wished], Iterable[Problem]]
StepLike = Ask | Each | Callable[[Any, Any], Control]


class Ruleset:
    """Registers what the chapters declare; `close()` checks that it all fits together.

    `board`: the Struct type of the table. `over`: the clause that an action after the end breaks; `ends`: another one
    for games that ended by a certain clause.
    `seats`: least and most players. `choices`: what a seat may wish for at set-up, `{field: values}`; `lists`: fields
    for which it may name several values, each once. `scenarios`: recommended set-ups, which bind nobody.
    `figures`: makes of the components, as printed or as a house has them, what the rules read (`Table.figures`); a
    game without it offers no house. `house`: what may not be overridden; `sound`: which figures do not go together.
    """

    def __init__(
        self,
        game: str,
        version: str,
        *,
        board: type[msgspec.Struct],
        book: Rulebook,
        words: Words,
        components: Mapping[str, Any],
        seats: tuple[int, int],
        over: str,
        ends: Mapping[str, str] | None = None,
        options: Sequence[Option] = (),
        choices: Mapping[str, tuple[str, ...]] | None = None,
        lists: Mapping[str, tuple[str, ...]] | None = None,
        scenarios: Sequence[Scenario] = (),
        figures: Callable[[Mapping[str, Sequence[Mapping[str, Any]]]], Any] | None = None,
        house: Overridable | None = None,
        sound: Callable[[Any], Iterable[Unsound]] = lambda figures: (),
    ) -> None:
        self.game, self.version, self.board = game, version, board
        self.book, self.words, self.components = book, words, components
        self.least_seats, self.most_seats = seats
        self.over, self.ends = over, dict(ends or {})
        self.options = {o.name: o for o in options}
        self.choices, self.lists = dict(choices or {}), dict(lists or {})
        self.scenarios = tuple(scenarios)
        self.houses = Houses(components, figures, house or Overridable(), sound)
        self.procedures: dict[type[Frame], Procedure] = {}
        self.watches: list[tuple[Watch, Concerned | None]] = []
        self.hooks: dict[str, tuple[Callable[..., Any], ...]] = {}
        self.checks: list[Callable[[Table], Iterable[Problem]]] = []
        self.root: type[Frame] | None = None
        self._begin: Callable[..., Any] | None = None
        self._wishes: list[Refuser] = []
        self._resume: Callable[..., list[Frame]] | None = None
        self._pieces: Callable[..., Mapping[str, Mapping[str, int]]] = lambda state, figures: {}
        self.prudent: Callable[[Table, str], Action | None] | None = None
        self.disclosing: frozenset[str] = frozenset()
        self.idle: Callable[[Table, str], str | None] = lambda table, seat: None

    @property
    def name(self) -> str:
        """`zavandor 1.0`."""
        return f"{self.game} {self.version}"

    # -- registration -------------------------------------------------------------------------------------------

    def procedure(
        self,
        frame: type[Frame],
        *steps: StepLike,
        free: Free | None = None,
        may_call: tuple[type[Frame], ...] | Called = (),
    ) -> None:
        """The steps of a frame type, in the order of the rulebook.

        `may_call`: the frame types that the steps call, in all or (so that more impossible stacks are found) by step.
        """
        made = tuple(s if isinstance(s, Ask | Each) else Step(s) for s in steps)
        by_step = may_call if isinstance(may_call, Mapping) else None
        self.procedures[frame] = Procedure(frame, made, free, _every_kind(may_call), by_step)

    def watch(self, fn: Watch, concerned: Concerned | None = None) -> Watch:
        """Run after each whole step: what ends things early at any moment.

        `concerned`: a question about board and figures alone; where the answer is no, `fn` has nothing to say.
        """
        self.watches.append((fn, concerned))
        return fn

    def hook(self, name: str, *fns: Callable[..., Any]) -> None:
        """A named point where modules plug in, with its functions in their order."""
        self.hooks[name] = fns

    def run_hook(self, name: str, *args: Any) -> Any:
        """The first answer of the hook's functions that is not None."""
        for fn in self.hooks[name]:
            answer = fn(*args)
            if answer is not None:
                return answer
        return None

    def begin(self, root: type[Frame]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register `fn(seats, options, figures) -> board`; play starts with a frame `root`, the bottom of every stack.

        That frame never comes to its own end: a watch or a step ends the game (END), or it loops.
        """

        def register(fn: Callable[..., Any]) -> Callable[..., Any]:
            self.root, self._begin = root, fn
            return fn

        return register

    def wishes(self, fn: Refuser) -> Refuser:
        """Register a search for what the game refuses of a set-up, with pointers into it; several may be registered."""
        self._wishes.append(fn)
        return fn

    def resume(self, fn: Callable[..., list[Frame]]) -> Callable[..., list[Frame]]:
        """Register `fn(board, seats) -> stack`: where a game goes on that starts from a position."""
        self._resume = fn
        return fn

    def pieces(
        self, fn: Callable[..., Mapping[str, Mapping[str, int]]]
    ) -> Callable[..., Mapping[str, Mapping[str, int]]]:
        """Register `fn(state, figures) -> {class: {piece: count}}`: what every state must hold in all."""
        self._pieces = fn
        return fn

    def check(self, fn: Callable[[Table], Iterable[Problem]]) -> Callable[[Table], Iterable[Problem]]:
        """Register a search for problems that types and conservation cannot see."""
        self.checks.append(fn)
        return fn

    def automate(self, fn: Callable[[Table, str], Action | None]) -> Callable[[Table, str], Action | None]:
        """Register the prudent player: `fn(table, seat)` -> a legal action for a seat that must decide."""
        self.prudent = fn
        return fn

    def never_decides(self, fn: Callable[[Table, str], str | None]) -> Callable[[Table, str], str | None]:
        """Register `fn(table, seat) -> clause`: why a seat never decides anything (None for those who do).

        No window may ask such a seat; an action that is posted for it breaks this clause.
        """
        self.idle = fn
        return fn

    def disclose(self, *rules: str) -> None:
        """Clauses whose events bring to light what was hidden, though no piece leaves its place."""
        self.disclosing |= frozenset(rules)

    # -- use ----------------------------------------------------------------------------------------------------

    def refused_wishes(self, wished: Wished) -> Iterable[Problem]:
        """Why the game refuses what a set-up wishes for, with pointers into it."""
        for refused in self._wishes:
            yield from refused(wished)

    def board_for(
        self, seats: Sequence[SetupSeat], options: Mapping[str, Any], house: House = NO_HOUSE
    ) -> Any:
        """The board before the first step."""
        assert self._begin is not None
        return self._begin(seats, options, self.figures_of(house))

    @property
    def resumes(self) -> bool:
        """Whether a game can start from a position."""
        return self._resume is not None

    def stack_for(self, board: Any, seats: Sequence[str]) -> list[Frame]:
        """The stack with which a position goes on."""
        assert self._resume is not None
        return self._resume(board, seats)

    def pieces_of(self, state: State[Any, Any]) -> Mapping[str, Mapping[str, int]]:
        """What a state of this game must hold in all, by class of piece."""
        return self._pieces(state, self.figures_of(state.house))

    def figures_of(self, house: House) -> Any:
        """The figures that hold with a house (the printed ones without), made once. Raises HouseRefused."""
        return self.houses.figures(house) if house else self.houses.printed

    def house_problems(self, house: House) -> Sequence[Problem]:
        """Why these figures cannot be those of a house, with pointers to `/house`; none where they can."""
        return self.houses.problems(house)

    @cached_property
    def windows(self) -> tuple[tuple[type[Frame], Ask], ...]:
        """Every window with its frame type."""
        return tuple((f, s) for f, p in self.procedures.items() for s in p.steps if isinstance(s, Ask))

    @cached_property
    def kinds(self) -> dict[str, tuple[type[Action], ...]]:
        """The action classes by kind; two windows may have their own class of one kind."""
        found: dict[str, dict[type[Action], None]] = {}
        frees = [c for p in self.procedures.values() if p.free for c in p.free.takes]
        for cls in [c for _, ask in self.windows for c in ask.takes] + frees:
            found.setdefault(cls.kind, {})[cls] = None
        return {kind: tuple(found[kind]) for kind in sorted(found)}

    @cached_property
    def frame_union(self) -> Any:
        """The union of all frame types."""
        kinds = tuple(sorted(self.procedures, key=lambda f: f.__name__))
        return Union[kinds] if len(kinds) > 1 else kinds[0]  # noqa: UP007

    @cached_property
    def state_type(self) -> Any:
        """The typed state of this game."""
        return State[self.board, self.frame_union]  # type: ignore[name-defined]

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[Any]:
        """Decodes the bytes of a state into its type."""
        return msgspec.json.Decoder(self.state_type)

    def decode(self, data: bytes | str) -> State[Any, Any]:
        """The typed state of these bytes; msgspec.ValidationError or DecodeError if they are not one."""
        state: State[Any, Any] = self.decoder.decode(data)
        return state

    def close(self, package: Path, prefix: str) -> None:
        """Check what can be checked at import: every clause that the package's code names is in the book.

        RulebookError names the clauses that are not; TypeError says what else does not fit together.
        """
        named = [r for classes in self.kinds.values() for c in classes for r in c.rules()]
        named += [r for _, ask in self.windows for r in ask.rules()]
        named += [p.free.rule for p in self.procedures.values() if p.free] + [self.over, *self.ends.values()]
        named += [o.rule for o in self.options.values()] + sorted(self.disclosing)
        named += [s.rule for s in self.scenarios]
        pattern = re.compile(rf"\"({prefix}-[A-Z0-9-]*\d)\"")
        for module in sorted(package.glob("*.py")):
            named += pattern.findall(module.read_text(encoding="utf-8"))
        self.book.require(named, self.name)
        for procedure in self.procedures.values():
            self._check_procedure(procedure)
        if self.root not in self.procedures:
            raise TypeError(f"{self.name}: the game begins with no frame that has a procedure")

    def _check_procedure(self, p: Procedure) -> None:
        name = p.frame.__name__
        lost = [f.__name__ for f in p.may_call if f not in self.procedures]
        if lost:
            raise TypeError(f"{name} may call {', '.join(lost)}, which has no procedure")
        if p.free is not None and any(issubclass(c, ChanceAction) for c in p.free.takes):
            raise TypeError(f"{name}: chance does nothing freely")
        for step in p.steps:
            if isinstance(step, Each) and step.field not in p.frame.__struct_fields__:
                raise TypeError(f"{name}.{step.name} eats {step.field}, which the frame does not have")
            if isinstance(step, Ask):
                _check_window(f"{name}.{step.name}", p.frame, step)


def _every_kind(may_call: tuple[type[Frame], ...] | Called) -> tuple[type[Frame], ...]:
    if not isinstance(may_call, Mapping):
        return may_call
    kinds = [c.frames if isinstance(c, Again) else c for c in may_call.values()]
    return tuple(dict.fromkeys(kind for frames in kinds for kind in frames))


def _check_window(name: str, frame: type[Frame], ask: Ask) -> None:
    chance = {issubclass(c, ChanceAction) for c in ask.takes}
    if len(chance) != 1 or (chance == {True} and len(ask.takes) != 1):
        raise TypeError(f"{name}: a window of chance takes one kind, and seats do not take it")
    if len({c.kind for c in ask.takes}) != len(ask.takes):
        raise TypeError(f"{name} takes one kind twice")
    if ask.again and ask.skipped is not None:
        raise TypeError(
            f"{name} asks until nobody is left, so nobody being left does not say that it was skipped"
        )
    if ask.together and (not issubclass(frame, SealedFrame) or chance == {True}):
        raise TypeError(f"{name}: simultaneous answers of seats need a sealed frame")
