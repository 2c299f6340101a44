"""Cards that are laid aside face down: where they lie is known, what they are is decided when somebody sees them.

A card comes off a deck unseen and lies as a `Blank` in a row. Its stratum keeps it among its members, with a size that
is smaller by one: so every card that nobody has seen, on the deck or in the row, is each of the members alike, and
nothing is drawn before there is something to see. A blank names its stratum by a mark, so that a deck that is shuffled
anew meanwhile, or cards that change places, leave the odds as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from service.engine.deck import Blank, Deck, Pool, Run, Stratum, joined

Segment = Run | Pool | Blank


def laid_aside(deck: Deck, row: Deck) -> tuple[Deck, Deck]:
    """The deck without its top card and the row with it at its end (the bottom), face down.

    ValueError for an empty deck, and where several shuffles lie mixed on top: then it is not decided from which of
    them the card came.
    """
    segments = list(deck.segments)
    for i, segment in enumerate(segments):
        if isinstance(segment, Run) and segment.cards:
            rest = segment.cards[1:]
            segments[i : i + 1] = [Run(rest, segment.known_to)] if rest else []
            top: Segment = Run(segment.cards[:1], segment.known_to)
            return Deck(segments), Deck(joined([*row.segments, top]))
        if isinstance(segment, Pool) and segment.size:
            pool, mark = _without_one(segment, _free_mark(deck))
            segments[i] = pool
            return Deck(segments), Deck(joined([*row.segments, Blank([mark])]))
    raise ValueError("the deck is empty")


def _without_one(pool: Pool, fresh: int) -> tuple[Pool, int]:
    """The pool with a card less in its live stratum, which has a mark now."""
    live = [i for i, s in enumerate(pool.strata) if s.size]
    if len(live) != 1:
        raise ValueError("cards of several shuffles lie mixed here")
    stratum = pool.strata[live[0]]
    mark = fresh if stratum.mark is None else stratum.mark
    strata = list(pool.strata)
    strata[live[0]] = Stratum(stratum.members, stratum.size - 1, mark)
    return Pool(strata), mark


def _free_mark(deck: Deck) -> int:
    """The lowest number that no stratum has."""
    taken = {s.mark for s in strata_of(deck)}
    return next(n for n in range(len(taken) + 1) if n not in taken)


def strata_of(deck: Deck) -> list[Stratum]:
    """All strata of a deck."""
    return [s for segment in deck.segments if isinstance(segment, Pool) for s in segment.strata]


def places(row: Deck) -> list[tuple[str | None, int | None, Sequence[str] | None]]:
    """A row card by card from the top: the card, or None with its mark while it is not decided; and who knows it."""
    found: list[tuple[str | None, int | None, Sequence[str] | None]] = []
    for segment in row.segments:
        if isinstance(segment, Run):
            found += [(card, None, segment.known_to) for card in segment.cards]
        elif isinstance(segment, Blank):
            found += [(None, mark, ()) for mark in segment.marks]
    return found


def _row(entries: Sequence[tuple[str | None, int | None, Sequence[str] | None]]) -> Deck:
    segments: list[Segment] = []
    for card, mark, known_to in entries:
        if card is not None:
            segments.append(Run([card], None if known_to is None else sorted(set(known_to))))
        else:
            assert mark is not None
            segments.append(Blank([mark]))
    return Deck(joined(segments))


def card_at(row: Deck, at: int) -> str | None:
    """The card at a place of a row, counted from 0 at the top; None while it is not decided. IndexError beyond."""
    return places(row)[at][0]


def odds_of(deck: Deck, row: Deck, at: int) -> dict[str, int]:
    """Integer weights of what the card at a place of the row may be: what it is, or any member of its stratum alike."""
    card, mark, _ = places(row)[at]
    if card is not None:
        return {card: 1}
    stratum = next((s for s in strata_of(deck) if s.mark == mark), None)
    return {} if stratum is None else dict(sorted(stratum.members.items()))


def settled(deck: Deck, row: Deck, at: int, card: str, known_to: Sequence[str] | None) -> tuple[Deck, Deck]:
    """Deck and row once it is decided that this card lies there; `known_to` (None: everyone) have seen it.

    Who knew it before knows it still. ValueError if it cannot be that card.
    """
    entries = places(row)
    held, mark, knew = entries[at]
    if card not in odds_of(deck, row, at):
        raise ValueError(f"{card} cannot lie there")
    seen = None if known_to is None or knew is None else (*knew, *known_to)
    entries[at] = (card, None, seen)
    if held is None:
        needed = any(m == mark for _, m, _ in entries)
        deck = _without_member(deck, mark, card, needed)
    return deck, _row(entries)


def _without_member(deck: Deck, mark: int | None, card: str, needed: bool) -> Deck:
    """The deck without a card that has lain elsewhere; a stratum that no blank names any more has no mark."""
    segments: list[Segment] = []
    for segment in deck.segments:
        if isinstance(segment, Pool):
            strata = [_less(s, card, needed) if s.mark == mark else s for s in segment.strata]
            segment = Pool([s for s in strata if s.members])
            if not segment.strata:
                continue
        segments.append(segment)
    return Deck(segments)


def _less(stratum: Stratum, card: str, needed: bool) -> Stratum:
    members = dict(stratum.members)
    members[card] -= 1
    if not members[card]:
        del members[card]
    return Stratum(members, stratum.size, stratum.mark if needed else None)


def swapped(row: Deck, i: int, j: int) -> Deck:
    """The row with the cards at two places exchanged; whoever knows one of them knows where it lies now."""
    entries = places(row)
    entries[i], entries[j] = entries[j], entries[i]
    return _row(entries)


def astray(deck: Deck, row: Deck) -> list[tuple[int, int, int]]:
    """Where row and deck do not fit: `(mark, cards that are set aside of it, blanks that name it)`.

    One mark for a stratum, which has as many cards aside as blanks name it, and some. What was set aside without a mark
    is out of everybody's reach, and lies in no row.
    """
    named = Counter(mark for card, mark, _ in places(row) if card is None and mark is not None)
    marked = [s for s in strata_of(deck) if s.mark is not None]
    if not named and not marked:
        return []
    aside: Counter[int] = Counter()
    wrong: set[int] = set()
    for stratum in marked:
        assert stratum.mark is not None
        if stratum.mark in aside:
            wrong.add(stratum.mark)
        aside[stratum.mark] += sum(stratum.members.values()) - stratum.size
    wrong |= {m for m in {*named, *aside} if named[m] != aside[m] or not named[m]}
    return [(m, aside[m], named[m]) for m in sorted(wrong)]
