"""Stretches of thinking: what is left of a seat's time in each of them, so that going back gives none of it back.

The stretches of a seat are numbered along the line of play, from 0. Whoever goes back comes to one with a lower number
again, and later to those with the higher ones; each goes on with what was left in it. So whatever was done and taken
back, a seat thinks no longer than it could have along the line with the most stretches that was ever come to.

Per turn each stretch has its own time. Out of a bank all live, so what is used in one is gone in all: what is left in
it is no more than in any later one, and an increment, which comes with the next stretch, goes with it.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

MOST = 64  # stretches of a seat that are told apart; what lies before them is one, with the least that was left in any


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """The stretches of a seat: `at` which it is, and what was `lefts` when it came there, from number `first` on.

    `again`: the last one in which it got time anew because somebody was there again.
    """

    at: int = 0
    lefts: tuple[int, ...] = ()
    first: int = 0
    again: int = -1


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a version has to tell whoever goes back to it: who was `asked` last, and `at` which of its stretches each
    seat was (0 where it is not named)."""

    asked: tuple[str, ...] = ()
    at: dict[str, int] = {}


def moved(row: Row, left: int, to: int, fresh: int, bank: bool) -> tuple[Row, int]:
    """The row when a seat that has so much left comes to another stretch, and what is left to it there.

    `fresh`: what a stretch has that was never come to (per turn), or what comes on top in it (of a bank).
    """
    lefts = _counted(row, left, bank)
    index = max(0, to - row.first)
    while len(lefts) <= index:
        lefts.append(lefts[-1] + fresh if bank else fresh)
    over = max(0, len(lefts) - MOST)
    lefts = [min(lefts[: over + 1]), *lefts[over + 1 :]]
    first = row.first + over
    at = max(to, first)
    return replace(row, at=at, lefts=tuple(lefts), first=first), lefts[at - first]


def _counted(row: Row, left: int, bank: bool) -> list[int]:
    """What is left in each stretch, now that so much is in the one that goes on."""
    lefts, here = list(row.lefts) or [left], row.at - row.first
    if not bank:
        lefts[here] = left
        return lefts
    gone = lefts[here] - left
    return [min(n, left) for n in lefts[:here]] + [n - gone for n in lefts[here:]]
