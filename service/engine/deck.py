"""Decks never hold a secret order: known runs, and pools of what is not decided yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Annotated

from msgspec import Meta, Struct

from service.engine.seatref import SeatRef

MOST_COUNT = 1_000_000_000  # every whole number of a state has bounds, so that none can grow out of all use
Count = Annotated[int, Meta(ge=0, le=MOST_COUNT)]
Positive = Annotated[int, Meta(ge=1, le=MOST_COUNT)]


class Stratum(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """`size` cards of `members`; where size is smaller, the rest was set aside unseen.

    `mark`: the number by which the cards name it that lie face down elsewhere (`Blank`), where there are any.
    """

    members: dict[str, Positive]
    size: Count
    mark: Count | None = None


class Run(Struct, forbid_unknown_fields=True, tag_field="segment", tag="run"):
    """Known cards, top first, and the seats that know them (none named: everyone)."""

    cards: list[str]
    known_to: list[SeatRef] | None = None


class Pool(Struct, forbid_unknown_fields=True, tag_field="segment", tag="pool"):
    """Cards shuffled together from one or more strata."""

    strata: list[Stratum]

    @property
    def size(self) -> int:
        """How many cards lie here."""
        return sum(s.size for s in self.strata)


class Blank(Struct, forbid_unknown_fields=True, tag_field="segment", tag="blank"):
    """Cards that were laid here face down, top first: each is one of the members of the stratum with this mark.

    That stratum stays in the deck from which they came, and the cards count there (`aside.py`).
    """

    marks: list[Count]

    @property
    def size(self) -> int:
        """How many cards lie here."""
        return len(self.marks)


class Deck(Struct, forbid_unknown_fields=True):
    """Segments from top to bottom."""

    segments: list[Run | Pool | Blank] = []

    @property
    def size(self) -> int:
        """How many cards the deck has."""
        return sum(len(s.cards) if isinstance(s, Run) else s.size for s in self.segments)

    @property
    def top(self) -> str | None:
        """The top card where it is known to somebody, else None."""
        first = self._first()
        return first.cards[0] if isinstance(first, Run) else None

    def _first(self) -> Run | Pool | Blank | None:
        return next((s for s in self.segments if (len(s.cards) if isinstance(s, Run) else s.size)), None)

    def odds(self) -> dict[str, int]:
        """Integer weights of what the top card may be, in lowest terms; empty for an empty deck.

        What lies face down is for the deck to say that it came from (`aside.odds_of`).
        """
        first = self._first()
        if first is None or isinstance(first, Blank):
            return {}
        if isinstance(first, Run):
            return {first.cards[0]: 1}
        return _pool_odds(first)

    def take(self, card: str) -> Deck:
        """The deck without its top card, which turned out to be `card`; ValueError if it cannot be."""
        segments = list(self.segments)
        for i, segment in enumerate(segments):
            if isinstance(segment, Run) and segment.cards:
                if segment.cards[0] != card:
                    raise ValueError(f"the top card is not {card}")
                rest = segment.cards[1:]
                segments[i : i + 1] = [Run(rest, segment.known_to)] if rest else []
                return Deck(segments)
            if isinstance(segment, Pool) and segment.size:
                pool = _without(segment, card)
                segments[i : i + 1] = [pool] if pool.strata else []
                return Deck(segments)
            if isinstance(segment, Blank) and segment.size:
                raise ValueError(f"what lies face down on top is not known to be {card}")
        raise ValueError("the deck is empty")

    def put(self, cards: Sequence[str], known_to: Sequence[str] | None, bottom: bool = False) -> Deck:
        """The deck with a known run added at its top or bottom; `cards` are given from the top down."""
        if not cards:
            return self
        run = Run(list(cards), None if known_to is None else sorted(set(known_to)))
        return Deck(joined([*self.segments, run] if bottom else [run, *self.segments]))

    def shuffled(self, more: Mapping[str, int]) -> Deck:
        """The whole deck and `more` cards shuffled into one pool."""
        strata = [s for segment in self.segments for s in _strata(segment)]
        if more:
            strata.append(Stratum(dict(more), sum(more.values())))
        merged = _merged(strata)
        return Deck([Pool(merged)] if merged else [])

    def known_by(self, seat: str | None) -> list[str]:
        """The cards from the top that the seat knows (None: what everyone knows)."""
        runs = self.runs_known_by(seat)
        return runs[0][1] if runs and runs[0][0] == 0 else []

    def runs_known_by(self, seat: str | None) -> list[tuple[int, list[str]]]:
        """Every stretch that the seat knows: how many cards lie above it, and its cards, top first."""
        runs: list[tuple[int, list[str]]] = []
        above = 0
        for segment in self.segments:
            if isinstance(segment, Run) and _knows(segment, seat):
                if runs and runs[-1][0] + len(runs[-1][1]) == above:
                    runs[-1][1].extend(segment.cards)
                else:
                    runs.append((above, list(segment.cards)))
            above += len(segment.cards) if isinstance(segment, Run) else segment.size
        return runs

    def cards(self) -> dict[str, int]:
        """Every card that belongs here, by id: what was set aside unseen counts too."""
        bag: dict[str, int] = {}
        for stratum in (s for segment in self.segments for s in _strata(segment)):
            for card, n in stratum.members.items():
                bag[card] = bag.get(card, 0) + n
        return bag


def joined(segments: Sequence[Run | Pool | Blank]) -> list[Run | Pool | Blank]:
    """Runs that touch and that the same seats know are one run, so are blanks: equal decks are equal data."""
    found: list[Run | Pool | Blank] = []
    for segment in segments:
        last = found[-1] if found else None
        if isinstance(segment, Run) and isinstance(last, Run) and last.known_to == segment.known_to:
            found[-1] = Run([*last.cards, *segment.cards], last.known_to)
        elif isinstance(segment, Blank) and isinstance(last, Blank):
            found[-1] = Blank([*last.marks, *segment.marks])
        else:
            found.append(segment)
    return found


def _knows(run: Run, seat: str | None) -> bool:
    return run.known_to is None or seat in run.known_to


def _strata(segment: Run | Pool | Blank) -> list[Stratum]:
    if isinstance(segment, Blank):
        return []  # they count where they came from
    if isinstance(segment, Pool):
        return [s for s in segment.strata if s.members]
    members: dict[str, int] = {}
    for card in segment.cards:
        members[card] = members.get(card, 0) + 1
    return [Stratum(members, len(segment.cards))] if members else []


def _merged(strata: Sequence[Stratum]) -> list[Stratum]:
    """Strata with nothing set aside are one stratum: the odds are the same, and every card has one place."""
    whole: dict[str, int] = {}
    rest: list[Stratum] = []
    for stratum in strata:
        if stratum.size != sum(stratum.members.values()):
            rest.append(stratum)
            continue
        for card, copies in stratum.members.items():
            whole[card] = whole.get(card, 0) + copies
    return rest + ([Stratum(dict(sorted(whole.items())), sum(whole.values()))] if whole else [])


def _pool_odds(pool: Pool) -> dict[str, int]:
    if len(pool.strata) == 1 and pool.strata[0].size and pool.strata[0].members:  # as most are
        members = pool.strata[0].members
        least = gcd(*members.values())
        return {card: copies // least for card, copies in sorted(members.items())}
    live = [(s, sum(s.members.values())) for s in pool.strata if s.size]
    common = lcm(*(held for _, held in live))
    odds: dict[str, int] = {}
    for stratum, held in live:
        weight = stratum.size * (common // held)
        for card, copies in stratum.members.items():
            odds[card] = odds.get(card, 0) + copies * weight
    least = gcd(*odds.values())
    return {card: weight // least for card, weight in sorted(odds.items())}


def _without(pool: Pool, card: str) -> Pool:
    """The pool after `card` was drawn; of several strata that hold it, the likelier one gives it.

    Exact wherever no card is in two strata: which of two gave it would be one more thing to draw.
    """
    places = [i for i, s in enumerate(pool.strata) if s.size and card in s.members]
    if not places:
        raise ValueError(f"{card} is not among the cards that can be on top")
    at = places[0] if len(places) == 1 else _likeliest(pool, card, places)
    strata = list(pool.strata)
    members = dict(strata[at].members)
    members[card] -= 1
    if not members[card]:
        del members[card]
    strata[at] = Stratum(members, strata[at].size - 1, strata[at].mark)
    return Pool([s for s in strata if s.members])


def _likeliest(pool: Pool, card: str, places: Sequence[int]) -> int:
    """Of the strata that hold a card the one that gives it oftenest; of several alike the first."""
    strata = pool.strata

    def chance(i: int) -> Fraction:
        return Fraction(strata[i].size * strata[i].members[card], sum(strata[i].members.values()))

    return max(places, key=lambda i: (chance(i), -i))


def pool_of(cards: Mapping[str, int]) -> Deck:
    """A deck of these cards in unknown order."""
    return Deck().shuffled(cards)
