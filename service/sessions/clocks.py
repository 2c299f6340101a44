"""Clocks: how long seats may think. Times are given, in milliseconds since 1970, and nothing is asked of anybody.

The time of a seat runs while it must answer: of several who are asked together, that of each until he has. While a
card or a die is waited for, nobody's runs. A *stretch* is the time from when a seat is asked until others are asked and
it is not; its own actions do not end it. Per turn each stretch has the whole time; out of a bank all of them live, and
when one ends there is the increment on top.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

TURN, BANK = "turn", "bank"
NOTHING, AUTOMATE, END = "nothing", "automate", "end"
SECOND = 1000  # milliseconds


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was agreed on when the session was opened, in seconds: how much time there is `per` turn or in a bank, what
    comes on top, and what happens when it is up."""

    per: str
    seconds: int
    increment: int = 0
    on_timeout: str = NOTHING


class Hands(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the hands of the clock are since a moment: what is `left` to each seat then, whose time is `running`, who
    was `asked` last, and for whom it is known that his time is `up`.

    They stand until all seats have been taken once (`begun`).
    """

    since: int
    left: dict[str, int]
    running: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    begun: bool = False


class Asked(msgspec.Struct, frozen=True):
    """What a version asks: the `seats` that must answer, none while chance is waited for or when all is over, of which
    some play by themselves; and whether the table is complete, so that the clock may begin."""

    seats: Sequence[str] = ()
    automated: Collection[str] = ()
    complete: bool = True


def wound(clock: Clock, seats: Sequence[str], now: int) -> Hands:
    """The clock before the game."""
    return Hands(now, dict.fromkeys(seats, clock.seconds * SECOND))


def turned(clock: Clock, hands: Hands, asked: Asked, now: int) -> Hands:
    """The clock at the version that comes about now."""
    now = max(now, hands.since)  # another machine's time may be behind
    left = spent(hands, now)
    for seat in set(hands.asked) - set(asked.seats) if asked.seats else ():
        left[seat] = _between(clock, left[seat], seat in asked.automated)
    begun = hands.begun or asked.complete
    return Hands(
        now,
        left,
        running=tuple(s for s in asked.seats if s not in asked.automated) if begun else (),
        asked=tuple(asked.seats) or hands.asked,
        up=tuple(seat for seat in hands.up if not left[seat]),
        begun=begun,
    )


def _between(clock: Clock, left: int, automated: bool) -> int:
    """What is left to a seat when its stretch has come to its end; who plays by himself earns nothing."""
    if clock.per == TURN:
        return clock.seconds * SECOND
    return left if automated else left + clock.increment * SECOND


def spent(hands: Hands, now: int) -> dict[str, int]:
    """What is left to each seat now."""
    gone = now - hands.since
    return {seat: max(0, n - gone) if seat in hands.running else n for seat, n in hands.left.items()}


def resumed(clock: Clock, hands: Hands, seat: str) -> Hands:
    """The clock when somebody is there again for a seat that played by itself: per turn he has the whole time, out of a
    bank the increment, if less is left."""
    fresh = clock.seconds if clock.per == TURN else clock.increment
    left = {**hands.left, seat: max(hands.left[seat], fresh * SECOND)}
    return replace(hands, left=left, up=tuple(s for s in hands.up if s != seat))


def deadlines(hands: Hands) -> Mapping[str, int]:
    """When the time of each seat is up whose time runs."""
    return {seat: hands.since + hands.left[seat] for seat in hands.running}


def up(hands: Hands, now: int) -> dict[str, int]:
    """Whose time is up now, since when, of whom it was not known."""
    return {seat: at for seat, at in deadlines(hands).items() if at <= now and seat not in hands.up}


def known(hands: Hands, seats: Collection[str]) -> Hands:
    """The clock when it is known that their time is up."""
    left = {seat: 0 if seat in seats else n for seat, n in hands.left.items()}
    return replace(hands, left=left, up=(*hands.up, *seats))


def next_up(hands: Hands) -> int | None:
    """When the time of a seat is up next of which it is not known yet."""
    return min((at for seat, at in deadlines(hands).items() if seat not in hands.up), default=None)


def written(at: int) -> str:
    """A moment as everybody is told it: UTC, to the millisecond."""
    return datetime.fromtimestamp(at // SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%S") + f".{at % SECOND:03}Z"
