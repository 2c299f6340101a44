"""Actions: parameters in order, requirements, `resolve`. One list of requirements judges, explains, enumerates."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from service.engine.domain import Domain, Open

if TYPE_CHECKING:
    from service.engine.control import Control
    from service.engine.frames import Frame
    from service.engine.table import Table


_Values: TypeAlias = "Callable[[Table, Any], Container[Any]]"


class No:
    """A requirement's refusal that carries the facts a client would show; it is false."""

    __slots__ = ("facts",)

    def __init__(self, **facts: Any) -> None:
        self.facts: Mapping[str, Any] = facts

    def __bool__(self) -> bool:
        return False


no = No  # `return offered >= price or no(price=price, offered=offered)`


class Requirement:
    """One condition: its rule, what it needs (parameters, or requirements that hold first), and a predicate."""

    def __init__(
        self,
        rule: str,
        needs: tuple[str, ...],
        about: tuple[str, ...] | None,
        predicate: Callable[[Table, Any], Any],
    ) -> None:
        self.rule, self.needs, self.predicate = rule, needs, predicate
        self.needed = frozenset(needs)
        self.name = predicate.__name__
        self._about = about
        self.among: _Values | None = None
        self.only: Mapping[str, _Values] = {}
        self.params: frozenset[str] = frozenset()
        self.after: tuple[str, ...] = ()
        self.about: tuple[str, ...] = ()

    def settle(self, params: Mapping[str, Domain], earlier: Mapping[str, Requirement]) -> None:
        """Work out which parameters must be bound, and refuse needs that do not exist."""
        found: set[str] = set()
        after: list[str] = []
        for need in self.needs:
            if need in params:
                if isinstance(params[need], Open):
                    raise TypeError(f"{self.name} needs the open parameter {need}: narrow it by its limits")
                found.add(need)
            elif need in earlier:
                found |= earlier[need].params
                after.append(need)
            else:
                raise TypeError(
                    f"{self.name} needs {need}, which is neither a parameter nor an earlier requirement"
                )
        self.params, self.after = frozenset(found), tuple(after)
        shown = self._about if self._about is not None else tuple(n for n in self.needs if n in params)
        self.about = tuple(f"/{n}" for n in shown)

    def tested(self, t: Table, act: Action) -> tuple[Any, str | None]:
        """The predicate's answer, and, if it is a refusal that is lifted, the rule that lifts it."""
        answer = self.predicate(t, act)
        return answer, None if answer else self.lifted_by(t, act)

    def lifted_by(self, t: Table, act: Action) -> str | None:
        """The rule that lifts this requirement here, if one does."""
        for waiver in act.waivers.get(self.name, ()):
            if waiver.predicate(t, act):
                return waiver.rule
        return None


def requires(
    rule: str, *needs: str, about: tuple[str, ...] | None = None, only: Mapping[str, _Values] | None = None
) -> Callable[[Callable[[Any, Any], Any]], Requirement]:
    """Declare a requirement of an action class; the predicate gets the table and the (partly bound) action.

    It may read the parameters that it needs, and no others; it answers a truth, or `no(...)` with facts. `only`: of a
    closed parameter, the values without which it cannot hold, whatever comes after; a list of options tries no others.
    """

    def declare(predicate: Callable[[Any, Any], Any]) -> Requirement:
        found = Requirement(rule, needs, about, predicate)
        found.only = only or {}
        return found

    return declare


def one_of(
    rule: str, name: str, about: tuple[str, ...] | None = None
) -> Callable[[Callable[[Any, Any], Container[Any]]], Requirement]:
    """Declare a requirement that a closed parameter is one of certain values; the function says which, without it.

    A list of options tries no others then. The refusal shows the value.
    """

    def declare(values: Callable[[Table, Any], Container[Any]]) -> Requirement:
        def is_one(t: Table, act: Any) -> Any:
            value = act.__dict__[name]
            return value in values(t, act) or no(**{name: value})

        is_one.__name__, is_one.__doc__ = values.__name__, values.__doc__
        found = Requirement(rule, (name,), about, is_one)
        found.among = values
        return found

    return declare


class Waiver:
    """Lifts a requirement by a rule that beats it."""

    def __init__(self, requirement: str, rule: str, predicate: Callable[[Table, Any], bool]) -> None:
        self.requirement, self.rule, self.predicate = requirement, rule, predicate


def waives(requirement: str, rule: str) -> Callable[[Callable[[Any, Any], bool]], Waiver]:
    """Declare that `rule` lifts the named requirement where the predicate holds."""

    def declare(predicate: Callable[[Any, Any], bool]) -> Waiver:
        return Waiver(requirement, rule, predicate)

    return declare


class derived:
    """A value worked out once from the parameters bound so far (a price); it stays off the wire."""

    def __init__(self, fn: Callable[[Any, Any], Any]) -> None:
        self.fn = fn
        self.name = fn.__name__

    def __get__(self, act: Any, owner: type | None = None) -> Any:
        if act is None:
            return self
        value = self.fn(act.table, act)
        act.__dict__[self.name] = value
        return value


class Action:
    """What an actor proposes. Subclass with `kind=`; attributes are domains, requirements, waivers and deriveds.

    `must_finish`: the rule by which all that the action begins must be resolvable to its end. `gain`: it can only
    help, so that look-ahead takes it without trying anything else.
    """

    kind: ClassVar[str] = ""
    must_finish: ClassVar[str | None] = None
    gain: ClassVar[bool] = False
    chance: ClassVar[bool] = False
    params: ClassVar[dict[str, Domain]] = {}
    closed_params: ClassVar[tuple[Domain, ...]] = ()
    open_params: ClassVar[tuple[Open, ...]] = ()
    fields: ClassVar[frozenset[str]] = frozenset({"kind", "actor"})
    requirements: ClassVar[dict[str, Requirement]] = {}
    waivers: ClassVar[dict[str, tuple[Waiver, ...]]] = {}

    actor: str
    frame: Any
    table: Any

    def __init_subclass__(
        cls, kind: str | None = None, must_finish: str | None = None, gain: bool = False, **more: Any
    ) -> None:
        super().__init_subclass__(**more)
        own = vars(cls)
        taken = sorted(n for n, v in own.items() if isinstance(v, Domain) and n in _RESERVED)
        if taken:
            raise TypeError(f"{cls.__name__}: no parameter can be called {', '.join(taken)}")
        cls.kind = kind or cls.kind
        cls.must_finish = must_finish or cls.must_finish
        cls.gain = gain or cls.gain
        cls.params = {**cls.params, **{v.name: v for v in own.values() if isinstance(v, Domain)}}
        cls.closed_params = tuple(d for d in cls.params.values() if not isinstance(d, Open))
        cls.open_params = tuple(d for d in cls.params.values() if isinstance(d, Open))
        cls.fields = frozenset({"kind", "actor", *cls.params})
        cls.requirements = dict(cls.requirements)
        for name, value in own.items():
            if isinstance(value, Requirement):
                value.settle(cls.params, cls.requirements)
                cls.requirements[name] = value
        for w in [v for v in own.values() if isinstance(v, Waiver)]:
            if w.requirement not in cls.requirements:
                raise TypeError(f"{cls.__name__} waives {w.requirement}, which it does not require")
            cls.waivers = {**cls.waivers, w.requirement: (*cls.waivers.get(w.requirement, ()), w)}

    def __init__(
        self, table: Table, frame: Frame | None, actor: str, values: Mapping[str, Any] | None = None
    ) -> None:
        self.table, self.frame, self.actor = table, frame, actor
        if values:
            self.__dict__.update(values)

    @classmethod
    def bind(cls, table: Table, frame: Frame | None, actor: str, wire: Mapping[str, Any]) -> Action:
        """An action from its wire form, which has been checked."""
        return cls(table, frame, actor, {p: wire[p] for p in cls.params})

    def with_one_more(self, name: str, value: Any) -> Action:
        """A copy with a parameter bound that was not bound yet: what is derived cannot have depended on it."""
        twin, bound = object.__new__(type(self)), self.__dict__.copy()
        bound[name] = value
        twin.__dict__ = bound
        return twin

    def extended(self, name: str, value: Any) -> Action:
        """A copy with one parameter bound (anew); derived values are worked out afresh."""
        values = {p: v for p, v in self.__dict__.items() if p in self.params}
        values[name] = value
        return type(self)(self.table, self.frame, self.actor, values)

    def on(self, table: Table, frame: Frame | None) -> Action:
        """The same action on a fork of its table; what was derived is not worked out again."""
        twin = object.__new__(type(self))
        twin.__dict__ = {**self.__dict__, "table": table, "frame": frame}
        return twin

    def part_wire(self) -> dict[str, Any]:
        """The action as a part of another: no actor."""
        return {"kind": self.kind, **{p: self.__dict__[p] for p in self.params if p in self.__dict__}}

    def to_wire(self) -> dict[str, Any]:
        """`{"kind", "actor", …parameters}`."""
        wire, bound = {"kind": self.kind, "actor": self.actor}, self.__dict__
        for name in self.params:
            if name in bound:
                wire[name] = bound[name]
        return wire

    def resolve(self, t: Table) -> Control:
        """Do it: events on the table, and control flow as the answer."""
        raise NotImplementedError

    def business(self, t: Table) -> Any:
        """With `must_finish`: the frame above which everything has to come to its end; None if it surely does."""
        return self.frame

    def unfinished(self, t: Table) -> dict[str, dict[str, Any]]:
        """With `must_finish`: the clauses, each with facts, of what has begun before and would not be finished."""
        return {}

    def sight(self, t: Table) -> frozenset[str] | None:
        """Who sees the action whole once it is played (None: everyone)."""
        return None

    def open_part(self) -> dict[str, Any]:
        """What the others see of it."""
        return {"kind": self.kind, "actor": self.actor}

    def notes(self, t: Table) -> list[dict[str, Any]]:
        """Private warnings to the actor, shown on options: prudence, never legality."""
        return []

    def facts(self, t: Table) -> dict[str, Any]:
        """What the texts of an option show besides its parameters (a price)."""
        return {}

    @classmethod
    def rules(cls) -> list[str]:
        """Every clause that this action names without a table."""
        named = [r for d in cls.params.values() for r in d.rules()]
        named += [r.rule for r in cls.requirements.values()]
        named += [w.rule for waivers in cls.waivers.values() for w in waivers]
        return named + ([cls.must_finish] if cls.must_finish else [])


# `draw` is what records call the number of a draw, beside the parameters of an answer of chance.
_RESERVED = frozenset(dir(Action)) | {"actor", "draw", "frame", "table"}


class ChanceAction(Action):
    """What chance answers: one closed parameter with integer `odds`; what has no weight cannot come up (`rule`)."""

    chance = True
    rule: ClassVar[str] = ""

    def __init_subclass__(cls, rule: str | None = None, **more: Any) -> None:
        cls.rule = rule or cls.rule
        super().__init_subclass__(**more)
        if cls.kind and len(cls.params) != 1:
            raise TypeError(f"{cls.__name__}: chance answers exactly one parameter")
        if cls.kind:
            (name,) = cls.params

            def can_come(t: Table, act: Any) -> bool | No:
                answer = act.__dict__[name]
                return cls.odds(t, act.frame).get(answer, 0) > 0 or no(impossible=answer)

            possible = Requirement(cls.rule, (name,), None, can_come)
            possible.name = "possible"
            possible.settle(cls.params, {})
            cls.requirements = {**cls.requirements, "possible": possible}

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[Any, int]:
        """Integer weights of every value that can come up now."""
        raise NotImplementedError

    @classmethod
    def could(cls, t: Table, frame: Any) -> Sequence[Any]:
        """Every value that could come up for all that everybody sees: of a deck, all the cards that belong to it."""
        return cls.params[cls.parameter()].values(t, "chance")  # type: ignore[attr-defined, no-any-return]

    def answered_by(self, t: Table) -> frozenset[str] | None:
        """Who answers where people do (None: it is public): those who see it; of a hand, who knows what it holds."""
        return self.sight(t)

    @classmethod
    def parameter(cls) -> str:
        """The name of the one parameter."""
        (name,) = cls.params
        return name
