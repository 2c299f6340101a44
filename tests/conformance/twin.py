"""Law 1, twin: what is listed and what is judged legal are the same, both ways."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from typing import Any

from service.engine.action import Action
from service.engine.domain import MOST, Amount, Open, Pick, Split, Subset
from service.engine.judge import judge, proposal
from service.engine.options import Option, options, takers
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, encode
from service.engine.table import Table
from tests.conformance.subjects import Breach, Spot, filled, given, key, posted, same

STRANGER = "nobody-here"
UNHEARD = "no-such-thing"
OTHERS = 16  # combinations of a kind by those who are not asked for it
MANY = 100  # combinations with which only some open values are tried


def law_twin(
    rules: Ruleset,
    spots: Sequence[Spot],
    rng: random.Random,
    exhaustive: int = 20_000,
    tries: int = 2_000,
    admits: Any = None,
    brute: int = 300,
) -> list[Breach]:
    """Listed == judged legal over the structural grid of these states; what is open against brute force."""
    found: list[Breach] = []
    for spot in spots:
        try:
            found += _Twin(rules, spot, rng, exhaustive, tries, admits, brute).breaches()
        except Exception as fault:
            found.append(Breach("twin", spot.where, f"{type(fault).__name__}: {fault}"))
    return found


class _Twin:
    def __init__(
        self,
        rules: Ruleset,
        spot: Spot,
        rng: random.Random,
        exhaustive: int,
        tries: int,
        admits: Any,
        brute: int,
    ) -> None:
        self.rules, self.spot, self.rng = rules, spot, rng
        self.exhaustive, self.tries, self.admits, self.most = exhaustive, tries, admits, brute
        self.state = given(spot.state)
        self.t = Table(rules, self.state)
        self.listed = list(options(self.t))
        self.keys = {(o.act.actor, key(o.act)): o for o in self.listed}

    def breach(self, why: str, action: Any = None) -> Breach:
        return Breach("twin", self.spot.where, why, action)

    def refused(self, action: Mapping[str, Any]) -> Sequence[Any]:
        return proposal(self.t, action)[1]

    def breaches(self) -> Iterator[Breach]:
        if len(self.keys) != len(self.listed):
            yield self.breach("an option is listed twice")
        for option in self.listed:
            yield from self.option(option)
        for action in self.grid():
            yield from self.action(action)

    # -- listed -> legal ----------------------------------------------------------------------------------

    def option(self, option: Option) -> Iterator[Breach]:
        example = posted(option)
        if refused := self.refused(example):
            yield self.breach(f"listed, yet refused: {refused}", example)
            return
        if not judge(self.rules, self.state, example).legal:
            yield self.breach("proposed, yet judged illegal", example)
        for _ in range(3 if option.open else 0):
            sample = filled(self.t, option.act, self.rng)
            if refused := self.refused(sample):
                yield self.breach(f"sampled, yet refused: {refused}", sample)
        for name in option.open:
            yield from self.brute(option.act, name, option.open[name])

    def brute(self, act: Action, name: str, shown: Mapping[str, Any]) -> Iterator[Breach]:
        """One open parameter, others at their examples: descriptor, `check` and judge agree on all values."""
        domain = act.params[name]
        assert isinstance(domain, Open)
        every = domain.every(self.t, act)
        values = [] if every is None else list(islice(every, 3_000))
        example = act.__dict__[name]
        if 0 < len(values) < 3_000 and not any(same(example, value) for value in values):
            yield self.breach(f"{name}: the example is none of the structural values", act.to_wire())
        if len(values) > self.most:
            values = self.rng.sample(values, self.most)
        dependants = any(isinstance(d, Open) and name in d.depends_on for d in act.params.values())
        for value in [example, *values, *outside(domain, shown, example)]:
            held = not domain.check(self.t, act, value)
            posted = {**act.to_wire(), name: value}
            if not dependants and held == bool(self.refused(posted)):
                yield self.breach(f"{name}: check and judge differ", posted)
            read = reads(domain, shown, value) if isinstance(domain, Amount | Subset | Split) else None
            if read is None and self.admits is not None:
                read = self.admits(shown, value)
            if read is not None and read != held:
                yield self.breach(f"{name}: the descriptor {shown} and the check differ", posted)

    # -- legal -> listed ----------------------------------------------------------------------------------

    def action(self, action: Mapping[str, Any]) -> Iterator[Breach]:
        if self.refused(action):
            return
        act, _ = proposal(self.t, action)
        assert act is not None
        if (act.actor, key(act)) not in self.keys:
            yield self.breach("judged legal, yet not listed", action)

    def grid(self) -> Iterator[dict[str, Any]]:
        """Every actor x kind x combination of closed values, with values for what is open.

        Of those whom the window does not ask for this kind, some: they are refused whatever they name.
        """
        asked = {(actor, cls) for actor, cls, _ in takers(self.t)}
        for kind, classes in self.rules.kinds.items():
            for cls in classes:
                names = [n for n, d in cls.params.items() if isinstance(d, Pick)]
                values = [self.closed(cls, cls.params[n]) for n in names]
                donors = self.donors(kind, cls)
                actors = [*self.t.seats, CHANCE, STRANGER]
                takes = [actor for actor in actors if (actor, cls) in asked]
                others = [actor for actor in actors if actor not in takes]
                for who, exhaustive, tries, few in (
                    (takes, self.exhaustive, self.tries, False),
                    (others, OTHERS, OTHERS, True),
                ):
                    combinations = list(self.combinations([who, *values], exhaustive, tries))
                    most = 1 if few else 24 if len(combinations) < MANY else 4
                    for actor, *chosen in combinations:
                        bare = {"kind": kind, "actor": actor, **dict(zip(names, chosen, strict=True))}
                        yield from self.opened(bare, cls, donors, most)
        yield from self.neighbours()

    def closed(self, cls: type[Action], domain: Any) -> list[Any]:
        """What any seat could name here, something the game knows, and what nobody ever heard of."""
        found: dict[bytes, Any] = {}
        for actor in (CHANCE,) if cls.chance else self.t.seats:
            for value in domain.values(self.t, actor):
                found[encode(value)] = value
        known = [v for v in domain.vocabulary or () if encode(v) not in found]
        return [*found.values(), *self.rng.sample(known, min(2, len(known))), UNHEARD]

    def combinations(
        self, axes: Sequence[Sequence[Any]], exhaustive: int, tries: int
    ) -> Iterator[tuple[Any, ...]]:
        """All combinations, if they are no more than `exhaustive`; else so many of them at random."""
        if prod(map(len, axes)) <= exhaustive:
            yield from product(*axes)
            return
        for _ in range(tries):
            yield tuple(self.rng.choice(axis) for axis in axes)

    def donors(self, kind: str, cls: type[Action]) -> dict[str, list[Any]]:
        """Values for open parameters: other options' examples, and some of everything that exists."""
        found: dict[str, dict[bytes, Any]] = {n: {} for n, d in cls.params.items() if isinstance(d, Open)}
        for option in self.listed:
            if option.act.kind == kind:
                for name in option.open:
                    value = option.act.__dict__[name]
                    found.setdefault(name, {})[encode(value)] = value
        for actor, taken, frame in takers(self.t):
            if taken is cls:
                for name in found:
                    for value in self.some(cls(self.t, frame, actor), cls.params[name]):
                        found[name][encode(value)] = value
        return {name: list(values.values())[:12] for name, values in found.items()}

    def some(self, act: Action, domain: Any) -> list[Any]:
        """Some structural values, where the domain lists them without what is not bound here."""
        try:
            every = domain.every(self.t, act)
            return [] if every is None else list(islice(every, 8))
        except AttributeError:
            return []

    def opened(
        self, bare: dict[str, Any], cls: type[Action], donors: Mapping[str, Sequence[Any]], most: int
    ) -> Iterator[dict[str, Any]]:
        names = [n for n, d in cls.params.items() if isinstance(d, Open)]
        every = list(islice(product(*(donors[n] or [UNHEARD] for n in names)), 24))
        for chosen in every if len(every) <= most else self.rng.sample(every, most):
            yield {**bare, **dict(zip(names, chosen, strict=True))}

    def neighbours(self) -> Iterator[dict[str, Any]]:
        """A legal action with one thing changed."""
        for option in self.listed:
            action = option.filled()
            for actor in self.t.seats:
                yield {**action, "actor": actor}
            for name, domain in option.act.params.items():
                if isinstance(domain, Pick):
                    for value in self.closed(type(option.act), domain):
                        yield {**action, name: value}


def reads(domain: Open, shown: Mapping[str, Any], value: Any) -> bool:
    """Whether a client that has only the descriptor would take the value for legal."""
    if isinstance(domain, Amount):
        return type(value) is int and shown["least"] <= value <= shown.get("most", MOST)
    bag = _bag(value, isinstance(domain, Subset) and domain.ordered)
    if bag is None or any(type(n) is not int or n < 1 for n in bag.values()):
        return False
    if isinstance(domain, Split):
        inside = all(n <= shown["caps"].get(k, 0) for k, n in bag.items())
        fine = inside and sum(bag.values()) == shown["total"]
    else:
        inside = all(n <= shown["of"].get(k, 0) for k, n in bag.items())
        fine = inside and shown["least"] <= sum(bag.values()) <= shown["most"]
    return fine and all(_within(bag, limit) for limit in shown.get("limits", ()))


def _bag(value: Any, ordered: bool) -> dict[str, int] | None:
    if ordered:
        fits = isinstance(value, list) and all(isinstance(v, str) for v in value)
        return {v: value.count(v) for v in value} if fits else None
    return value if isinstance(value, dict) else None


def _within(bag: Mapping[str, int], limit: Mapping[str, Any]) -> bool:
    n = sum(n for what, n in bag.items() if "of" not in limit or what in limit["of"])
    return limit.get("least", 0) <= n <= limit.get("most", MOST)


def _bent(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The object with one of its numbers changed, or of another type, however deep it lies."""
    for k, n in value.items():
        if isinstance(n, Mapping):
            yield from ({**value, k: bent} for bent in _bent(n))
            yield from ({**value, k: {**n, UNHEARD: 1}}, {**value, k: [UNHEARD]})
        elif isinstance(n, int):
            yield from ({**value, k: other} for other in (n + 1, n + 100, 0, -1, True, str(n)))
        yield {what: m for what, m in value.items() if what != k}


def outside(domain: Open, shown: Mapping[str, Any], example: Any) -> list[Any]:
    """Values at and beyond the edges, and of other JSON types."""
    odd: list[Any] = [None, True, 1.5, UNHEARD, [], {}, [None], {UNHEARD: 1}]
    if isinstance(domain, Amount):
        most = shown.get("most", MOST)
        edges = [shown["least"] - 1, shown["least"], (shown["least"] + most) // 2, most, most + 1]
        return [*odd, *edges, float(shown["least"])]
    if isinstance(example, dict):
        return [*odd, *_bent(example), {**example, UNHEARD: 1}]
    if isinstance(example, list):
        return [*odd, example + example[:1], example[:-1], example[::-1], [*example, UNHEARD]]
    return odd
