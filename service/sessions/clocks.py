"""Clocks: how long seats may think. Times are given, in milliseconds since 1970, and nothing is asked of anybody.

The time of a seat runs while it must answer: of several who are asked together, that of each until he has. While a
card or a die is waited for, nobody's runs. A *stretch* is the time from when a seat is asked until others are asked and
it is not; its own actions do not end it. Per turn each stretch has the whole time; out of a bank all of them live, and
when one ends there is the increment on top. Who goes back comes to a stretch again, and finds what he left of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

from service.sessions import stretches
from service.sessions.stretches import Mark, Row

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

    They stand until all seats have been taken once (`begun`; `seated`: those that have). `late`: since when nothing is
    left to a seat; `rows`: the stretches of a seat that has had more than one.
    """

    since: int
    left: dict[str, int]
    running: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    begun: bool = False
    seated: tuple[str, ...] = ()
    late: dict[str, int] = {}
    rows: dict[str, Row] = {}

    def row(self, seat: str) -> Row:
        """The stretches of a seat."""
        return self.rows.get(seat, Row())


class Asked(msgspec.Struct, frozen=True):
    """What a version asks: the `seats` that must answer, none while chance is waited for or when all is over, of which
    some play by themselves; and at which seats nobody is, so that the clock may not begin before they are taken."""

    seats: Sequence[str] = ()
    automated: Collection[str] = ()
    absent: Collection[str] = ()


def wound(clock: Clock, seats: Sequence[str], now: int) -> Hands:
    """The clock before the game."""
    return Hands(now, dict.fromkeys(seats, clock.seconds * SECOND))


def turned(clock: Clock, hands: Hands, asked: Asked, now: int) -> Hands:
    """The clock at the version that comes about now."""
    now = max(now, hands.since)  # another machine's time may be behind
    left, rows = spent(hands, now), dict(hands.rows)
    ended = set(hands.asked) - set(asked.seats) if asked.seats else set()
    for seat in ended:
        row = hands.row(seat)
        rows[seat], left[seat] = _moved(clock, row, left[seat], row.at + 1, seat not in asked.automated)
    seated = tuple(seat for seat in left if seat in hands.seated or seat not in asked.absent)
    begun = hands.begun or len(seated) == len(left)
    running = tuple(s for s in asked.seats if s not in asked.automated) if begun else ()
    since = {seat: at for seat, at in _empty_since(hands).items() if seat in hands.up or seat not in ended}
    since = dict.fromkeys(running, now) | since
    return Hands(
        now,
        left,
        running=running,
        asked=tuple(asked.seats) or hands.asked,
        up=tuple(seat for seat in hands.up if not left[seat]),
        begun=begun,
        seated=() if begun else seated,
        late={seat: since[seat] for seat, n in left.items() if not n and seat in since},
        rows=rows,
    )


def mark(hands: Hands) -> Mark:
    """What is to be known of the clock of a version to go back to it."""
    return Mark(hands.asked, {seat: row.at for seat, row in hands.rows.items() if row.at})


def went_back(clock: Clock, hands: Hands, to: Mark, now: int) -> Hands:
    """The clock when somebody goes back now: every seat is at the stretch again at which it was, with what is left of
    it. Who has none left is told anew, for whoever acts for him then."""
    now = max(now, hands.since)
    left, rows = spent(hands, now), dict(hands.rows)
    moved = [seat for seat in left if to.at.get(seat, 0) != hands.row(seat).at]
    for seat in moved:
        rows[seat], left[seat] = _moved(clock, hands.row(seat), left[seat], to.at.get(seat, 0))
    return replace(
        hands,
        since=now,
        left=left,
        running=(),
        asked=to.asked,
        up=tuple(seat for seat in hands.up if seat not in moved),
        late={seat: at for seat, at in _empty_since(hands).items() if not left[seat] and seat not in moved},
        rows=rows,
    )


def _moved(clock: Clock, row: Row, left: int, to: int, earns: bool = True) -> tuple[Row, int]:
    """A seat at another of its stretches; who plays by himself earns nothing by it."""
    bank = clock.per == BANK
    fresh = clock.seconds if not bank else clock.increment if earns else 0
    return stretches.moved(row, left, to, fresh * SECOND, bank)


def _empty_since(hands: Hands) -> dict[str, int]:
    """Since when nothing is left to a seat, or will be if it goes on thinking."""
    return {**deadlines(hands), **hands.late}


def spent(hands: Hands, now: int) -> dict[str, int]:
    """What is left to each seat now."""
    gone = now - hands.since
    return {seat: max(0, n - gone) if seat in hands.running else n for seat, n in hands.left.items()}


def resumed(clock: Clock, hands: Hands, seat: str, fresh: bool = True) -> Hands:
    """The clock when somebody is there again for a seat that played by itself. Where it has `fresh` time, that is per
    turn the whole, out of a bank the increment, if less is left; once a stretch. Who has none is told so anew."""
    more = SECOND * (clock.seconds if clock.per == TURN else clock.increment)
    left, row = hands.left[seat], hands.row(seat)
    hands = replace(
        hands,
        up=tuple(s for s in hands.up if s != seat),
        late={s: at for s, at in hands.late.items() if s != seat},
    )
    if not fresh or more <= left or row.at <= row.again:
        return hands
    lefts = row.lefts or (left,)
    row = replace(row, again=row.at, lefts=lefts)
    return replace(hands, left={**hands.left, seat: more}, rows={**hands.rows, seat: row})


def deadlines(hands: Hands) -> Mapping[str, int]:
    """When the time of each seat is up, or was, whose time runs."""
    return {seat: hands.late.get(seat, hands.since + hands.left[seat]) for seat in hands.running}


def up(hands: Hands, now: int) -> dict[str, int]:
    """Whose time is up now, since when, of whom it was not known."""
    return {seat: at for seat, at in deadlines(hands).items() if at <= now and seat not in hands.up}


def known(hands: Hands, late: Mapping[str, int]) -> Hands:
    """The clock when it is known since when their time is up."""
    left = {seat: 0 if seat in late else n for seat, n in hands.left.items()}
    return replace(hands, left=left, up=(*hands.up, *late), late={**hands.late, **late})


def stopped(hands: Hands, at: int) -> Hands:
    """The clock when it stops for good, at a moment."""
    at = max(at, hands.since)
    return replace(hands, since=at, left=spent(hands, at), running=())


def next_up(hands: Hands) -> int | None:
    """When the time of a seat is up next of which it is not known yet."""
    return min((at for seat, at in deadlines(hands).items() if seat not in hands.up), default=None)


def written(at: int) -> str:
    """A moment as everybody is told it: UTC, to the millisecond."""
    return datetime.fromtimestamp(at // SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%S") + f".{at % SECOND:03}Z"
