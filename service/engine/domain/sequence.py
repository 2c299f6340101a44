"""`Sequence`: a list of sub-actions, each judged as if those before it had been done."""

from __future__ import annotations

import random
from collections import abc
from itertools import islice
from typing import TYPE_CHECKING, Any

from service.engine.domain.bags import broken_in
from service.engine.domain.base import MANY, AtMost, Limits, Open, Statement, limit_shown, no_limits
from service.engine.rule import UNKNOWN_VALUE, Violation

if TYPE_CHECKING:
    from service.engine.action import Action
    from service.engine.table import Table

Walk = list[dict[str, Any]]


class Sequence(Open):
    """A list of sub-actions of these classes, each judged as if those before it had been done.

    A sub-action works by events (and on its frame) alone: it calls nothing and draws nothing. Statements count kinds.
    """

    def __init__(
        self,
        rule: str,
        of: abc.Sequence[type[Action]],
        least: int = 1,
        most: int = 10,
        limits: Limits = no_limits,
        limit_rules: abc.Sequence[str] = (),
    ) -> None:
        super().__init__(rule, limits, limit_rules)
        self.of, self.least, self.most = tuple(of), least, most
        self.shape = list[Any]

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"items": the kinds, "least", "most", "limits"?}`."""
        shown = {"items": [c.kind for c in self.of], "least": self.least, "most": self.most}
        limits = [limit_shown(s) for s in self.limits(t, act)]
        return {**shown, "limits": limits} if limits else shown

    def play(self, t: Table, act: Any, value: abc.Sequence[abc.Mapping[str, Any]]) -> None:
        """Do all the sub-actions, which have been checked, on the table itself: what `resolve` calls."""
        for item in value:
            cls = next(c for c in self.of if c.kind == item["kind"])
            _done(t, cls.bind(t, act.frame, act.actor, item))

    def after(self, t: Table, act: Any, value: abc.Sequence[abc.Mapping[str, Any]]) -> Table:
        """A fork of the table on which all the sub-actions (legal ones) have been done."""
        fork, twin = _trial(t, act)
        self.play(fork, twin, value)
        return fork

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """As many as asked, of the kinds allowed, each legal after those before it; the first refused one ends it."""
        from service.engine.judge import examine

        if not isinstance(value, list):
            return self.unknown(value)
        wrong = self.wrong_size(len(value), self.least, self.most)
        if wrong:
            return wrong
        fork, twin = _trial(t, act)
        kinds: dict[str, int] = {}
        for i, item in enumerate(value):
            at = f"/{self.name}/{i}"
            cls = self._class(item)
            if cls is None:
                return [Violation(UNKNOWN_VALUE, self.rule, (at,), {"value": item})]
            part, violations = examine(fork, cls, twin.frame, act.actor, item, rule=self.rule)
            if violations:
                return [v.under(at) for v in violations]
            _done(fork, part)
            kinds[cls.kind] = kinds.get(cls.kind, 0) + 1
        return [self.broken(s, chosen=n) for s, n in broken_in(self.limits(t, act), kinds)]

    def _class(self, item: Any) -> type[Action] | None:
        if not isinstance(item, dict) or "actor" in item:
            return None
        return next((c for c in self.of if c.kind == item.get("kind")), None)

    def example(self, t: Table, act: Any) -> Any:
        """The first shortest list that is legal."""
        for length in range(self.least, self.most + 1):
            found = next(self._walks(t, act, length, list), None)
            if found is not None:
                return found
        return None

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A random legal list, a little longer than it must be."""

        def shuffled(parts: list[Action]) -> list[Action]:
            rng.shuffle(parts)
            return parts

        length = rng.randint(self.least, min(self.most, self.least + 2))
        found = next(self._walks(t, act, length, shuffled), None)
        return found if found is not None else self.example(t, act)

    def every(self, t: Table, act: Any) -> abc.Iterator[Any] | None:
        """Every legal list (there is no finite structure to list); None beyond 20,000."""
        lengths = range(self.least, self.most + 1)
        found = list(islice((w for n in lengths for w in self._walks(t, act, n, list)), MANY + 1))
        return iter(found) if len(found) <= MANY else None

    def _walks(
        self, t: Table, act: Any, length: int, order: abc.Callable[[list[Action]], abc.Iterable[Action]]
    ) -> abc.Iterator[Walk]:
        """The legal lists of this length, depth first, next parts tried as `order` puts them."""
        fork, twin = _trial(t, act)
        statements = list(self.limits(t, act))
        yield from self._walk(fork, twin, [], length, order, statements)

    def _walk(
        self,
        t: Table,
        act: Any,
        done: Walk,
        left: int,
        order: abc.Callable[[list[Action]], abc.Iterable[Action]],
        statements: list[Statement],
    ) -> abc.Iterator[Walk]:
        from service.engine.options import legal_acts

        kinds: dict[str, int] = {}
        for item in done:
            kinds[item["kind"]] = kinds.get(item["kind"], 0) + 1
        broken = [s for s, _ in broken_in(statements, kinds)]
        if any(isinstance(s, AtMost) for s in broken):
            return
        if not left:
            if not broken:
                yield done
            return
        for part in order([a for cls in self.of for a in legal_acts(t, cls, act.frame, act.actor)]):
            fork, twin = _trial(t, act)
            _done(fork, part.on(fork, twin.frame))
            yield from self._walk(fork, twin, [*done, part.part_wire()], left - 1, order, statements)

    def rules(self) -> list[str]:
        """The domain's clause, its limits' and those of the sub-actions."""
        return [self.rule, *self.limit_rules, *(r for c in self.of for r in c.rules())]


def _trial(t: Table, act: Any) -> tuple[Table, Any]:
    """A fork without a source of chance, and the action on it."""
    fork = t.trial()
    return fork, act.on(fork, t.twin(act.frame, fork))


def _done(t: Table, part: Action) -> None:
    if part.resolve(t) is not None:
        raise TypeError(f"{type(part).__name__} is a part of a sequence, and those answer nothing")
