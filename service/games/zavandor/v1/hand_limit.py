"""Chapter 11, phase 4: the hand limit (ZAV-LIMIT-1 to ZAV-LIMIT-5)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Annotated, Any

from msgspec import Meta, Struct

from service.engine.action import Action
from service.engine.control import Control
from service.engine.domain import MANY, Open, is_int
from service.engine.frames import Ask, Frame
from service.engine.rule import BROKEN_RULE, UNKNOWN_VALUE, Violation
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.components import discard_energy, in_order, player
from service.games.zavandor.v1.figures import Figures, figures
from service.games.zavandor.v1.state import Card, Colour, Player


class HandLimit(Frame, kw_only=True):
    """Phase 4: who is over his hand limit discards."""


def hand_limit(t: Table, p: Player) -> int:
    """5 with the changes of tracks entered, and 3 for each Crystal Ball and the Wand (ZAV-LIMIT-1, ZAV-KNOW-8)."""
    f = figures(t)
    character = f.characters[str(p.character)]
    entered = sum(f.tracks[track].hand_limit for track in p.tracks if track != character.track)
    return character.hand_limit + entered + sum(f.artifacts[a].hand_limit * n for a, n in p.artifacts.items())


def dust_weight(f: Figures, dust: int) -> int:
    """The weight of dust in normal form: as many 10s as leave 0, or a 5 and up to four 2s (ZAV-PAY-2, ZAV-LIMIT-2)."""
    five = dust % 2
    twos = (dust - 5 * five) // 2 % 5
    tens = (dust - 5 * five - 2 * twos) // 10
    weights = f.dust.weights
    return tens * weights["10"] + five * weights["5"] + twos * weights["2"]


def weight(f: Figures, cards: int, concentrated: int, dust: int) -> int:
    """What a hand weighs (ZAV-LIMIT-2)."""
    each = f.table["hand-limit-weights"]
    return int(cards * each["card"] + concentrated * each["concentrated"]) + dust_weight(f, dust)


def hand_weight(t: Table, p: Player) -> int:
    """What a player's hand weighs; what lies under the position card does not count (ZAV-KNOW-SAGES-4)."""
    return weight(figures(t), sum(p.energy.values()), sum(p.concentrated.values()), p.dust)


def over_the_limit(t: Table, f: HandLimit) -> str | None:
    """The next in position order who must discard (ZAV-LIMIT-3)."""
    return next((s for s in in_order(t) if hand_weight(t, player(t, s)) > hand_limit(t, player(t, s))), None)


class Kept(Struct, forbid_unknown_fields=True):
    """What stays: energy cards, concentrated cards, and an amount of dust."""

    cards: dict[Card, Annotated[int, Meta(ge=1, le=1000)]] = {}
    concentrated: dict[Colour, Annotated[int, Meta(ge=1, le=1000)]] = {}
    dust: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


NO_SUCH_DUST = (1, 3)


class Keep(Open):
    """What a player over his limit keeps (ZAV-LIMIT-3); nothing goes that could have stayed (ZAV-LIMIT-4)."""

    shape = Kept

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"of": the hand, "limit", "weights"}`."""
        p, f = player(t, act.actor), figures(t)
        weights = {**f.table["hand-limit-weights"], "dust": f.dust.weights}
        hand = {"cards": p.energy, "concentrated": p.concentrated, "dust": p.dust}
        return {"of": hand, "limit": hand_limit(t, p), "weights": weights}

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """Part of the hand, within the limit, and nothing more would fit."""
        p, f = player(t, act.actor), figures(t)
        parts = _parts(value)
        if parts is None:
            return self.unknown(value)
        cards, concentrated, dust = parts
        refused = _not_held(self, cards, p.energy, "cards") + _not_held(
            self, concentrated, p.concentrated, "concentrated"
        )
        if dust > p.dust:
            refused.append(
                Violation(UNKNOWN_VALUE, self.rule, (f"/{self.name}/dust",), {"value": dust, "owned": p.dust})
            )
        if dust in NO_SUCH_DUST:
            refused.append(Violation(BROKEN_RULE, "ZAV-PAY-2", (f"/{self.name}/dust",), {"dust": dust}))
        if refused:
            return refused
        limit = hand_limit(t, p)
        weighs = weight(f, sum(cards.values()), sum(concentrated.values()), dust)
        facts = {"limit": limit, "weight": weighs}
        about = (f"/{self.name}",)
        if weighs > limit:
            return [Violation(BROKEN_RULE, self.rule, about, facts)]
        fits = _fits(f, p, limit, cards, concentrated, dust)
        return (
            [Violation(BROKEN_RULE, "ZAV-LIMIT-4", about, {**facts, "fits": fits})]
            if fits is not None
            else []
        )

    def example(self, t: Table, act: Any) -> Any:
        """Concentrated cards first, then the dearest cards, then as much dust as fits."""
        p, f = player(t, act.actor), figures(t)
        order = sorted(p.energy, key=lambda c: (-f.energy[c].value, c))
        return self._fill(t, act, sorted(p.concentrated, key=lambda c: -f.concentrated[c].value), order)

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """Cards in a random order, dust before or after them."""
        p = player(t, act.actor)
        colours, cards = sorted(p.concentrated), sorted(p.energy)
        rng.shuffle(colours)
        rng.shuffle(cards)
        dust = rng.randint(0, p.dust) if rng.random() < 0.5 else 0
        return self._fill(t, act, colours if rng.random() < 0.7 else [], cards, colours, dust)

    def _fill(
        self,
        t: Table,
        act: Any,
        first: Sequence[str],
        cards: Sequence[str],
        last: Sequence[str] = (),
        dust: int = 0,
    ) -> Any:
        """Take in this order whatever fits, after that much dust (or more of it, if it weighs no more)."""
        p, f = player(t, act.actor), figures(t)
        limit = hand_limit(t, p)
        kept: dict[str, dict[str, int]] = {"concentrated": {}, "cards": {}}
        dust = _most_dust(f, p.dust, dust_weight(f, _most_dust(f, dust, limit)))
        for kind, held, order in (
            ("concentrated", p.concentrated, first),
            ("cards", p.energy, cards),
            ("concentrated", p.concentrated, last),
        ):
            for what in order:
                while kept[kind].get(what, 0) < held[what]:
                    kept[kind][what] = kept[kind].get(what, 0) + 1
                    if (
                        weight(f, sum(kept["cards"].values()), sum(kept["concentrated"].values()), dust)
                        > limit
                    ):
                        kept[kind][what] -= 1
                        break
        bags = {kind: {w: n for w, n in sorted(bag.items()) if n} for kind, bag in kept.items()}
        rest = limit - weight(f, sum(bags["cards"].values()), sum(bags["concentrated"].values()), 0)
        value: dict[str, Any] = {kind: bag for kind, bag in bags.items() if bag}
        most = _most_dust(f, p.dust, rest)
        return {**value, "dust": most} if most else value

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every part of the hand."""
        p = player(t, act.actor)
        held = [("cards", c, n) for c, n in sorted(p.energy.items())]
        held += [("concentrated", c, n) for c, n in sorted(p.concentrated.items())]
        total = p.dust + 1
        for _, _, n in held:
            total *= n + 1
            if total > MANY:
                return None
        counts = product(range(p.dust + 1), *(range(n + 1) for _, _, n in held))
        return (_kept(held, c[0], c[1:]) for c in counts)


def _kept(held: list[tuple[str, str, int]], dust: int, counts: tuple[int, ...]) -> dict[str, Any]:
    value: dict[str, Any] = {"dust": dust} if dust else {}
    for (kind, what, _), n in zip(held, counts, strict=True):
        if n:
            value.setdefault(kind, {})[what] = n
    return value


def _parts(value: Any) -> tuple[dict[str, int], dict[str, int], int] | None:
    """Cards, concentrated and dust of a well-formed value."""
    if not isinstance(value, dict) or set(value) - {"cards", "concentrated", "dust"}:
        return None
    cards, concentrated, dust = value.get("cards", {}), value.get("concentrated", {}), value.get("dust", 0)
    bags = isinstance(cards, dict) and isinstance(concentrated, dict) and is_int(dust) and dust >= 0
    if not bags or not all(is_int(n) and n >= 1 for n in [*cards.values(), *concentrated.values()]):
        return None
    return cards, concentrated, dust


def _not_held(domain: Keep, bag: Mapping[str, int], held: Mapping[str, int], kind: str) -> list[Violation]:
    return [
        Violation(
            UNKNOWN_VALUE,
            domain.rule,
            (f"/{domain.name}/{kind}/{what}",),
            {"value": what, "owned": held.get(what, 0)},
        )
        for what, n in bag.items()
        if n > held.get(what, 0)
    ]


def _most_dust(f: Figures, dust: int, limit: int) -> int:
    """The largest possible amount up to `dust` that weighs no more than `limit`."""
    return next(
        (
            m
            for m in range(min(dust, _heaviest(f, limit)), -1, -1)
            if m not in NO_SUCH_DUST and dust_weight(f, m) <= limit
        ),
        0,
    )


def _heaviest(f: Figures, limit: int) -> int:
    """No amount above this weighs `limit` or less: 10 dust is the lightest form."""
    return 10 * (max(limit, 0) // f.dust.weights["10"]) + 10


def _fits(
    f: Figures, p: Player, limit: int, cards: Mapping[str, int], concentrated: Mapping[str, int], dust: int
) -> Any:
    """A single discarded thing (or more dust) that could have been kept as well; None if nothing fits."""
    rest = limit - weight(f, sum(cards.values()), sum(concentrated.values()), dust)
    each = f.table["hand-limit-weights"]
    if rest >= each["card"] and (
        more := next((c for c in sorted(p.energy) if p.energy[c] > cards.get(c, 0)), None)
    ):
        return more
    if rest >= each["concentrated"]:
        more = next((c for c in sorted(p.concentrated) if p.concentrated[c] > concentrated.get(c, 0)), None)
        if more is not None:
            return f"concentrated-{more}"
    most = _most_dust(f, p.dust, rest + dust_weight(f, dust))
    return most if most > dust else None


class Discard(Action, kind="discard"):
    """Choose what to keep; the rest is discarded (ZAV-LIMIT-3)."""

    keep = Keep("ZAV-LIMIT-3", limit_rules=("ZAV-LIMIT-4", "ZAV-PAY-2"))

    def resolve(self, t: Table) -> Control:
        """Cards to the discard piles, the rest to the bank."""
        p = player(t, self.actor)
        cards, concentrated, dust = _parts(self.keep) or ({}, {}, 0)
        discard_energy(t, "ZAV-LIMIT-3", self.actor, _without(p.energy, cards))
        t.moved(
            "ZAV-LIMIT-3", _without(p.concentrated, concentrated), ("seats", self.actor, "concentrated"), None
        )
        t.moved("ZAV-LIMIT-3", {"dust": p.dust - dust}, ("seats", self.actor, "dust"), None)
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: all that is kept as one bag."""
        cards, concentrated, dust = _parts(self.keep) or ({}, {}, 0)
        bag = {**cards, **{f"concentrated-{colour}": n for colour, n in concentrated.items()}}
        return {"keep": {**bag, "dust": dust} if dust else bag}


def _without(held: Mapping[str, int], kept: Mapping[str, int]) -> dict[str, int]:
    return {what: n - kept.get(what, 0) for what, n in held.items() if n > kept.get(what, 0)}


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        HandLimit,
        Ask("discard", over_the_limit, takes=(Discard,), rule="ZAV-LIMIT-3", wrong="ZAV-LIMIT-3", again=True),
    )
