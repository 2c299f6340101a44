"""Seats that come and go: invitations, names, who leaves, and seats for which the prudent player acts.

Every change is a version with an entry of the log that everybody reads. None touches the table, so none is taken back,
and what was made for the version before is still made for this one. What is secret is told once, to whoever asked for
it, and kept as a digest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.sessions import ledger, tokens
from service.sessions.about import CLAIMED, INVITED, LEFT, OFFERED, RENAMED, RETAKEN, TURNED_ON, About
from service.sessions.acting import Made, Next, Proposal, Tell, commit
from service.sessions.tokens import HOST, SEAT, digest
from service.sessions.visit import Desk, GameOver, NotAllowed, UnknownSession, Visit, invited

NO_PLAYER, ALWAYS = "no-player", "always-automated"
Change = dict[str, Any]


class NoSuchSeat(Exception):
    """A seat that the table does not have."""

    def __init__(self, seat: str, known: list[str]) -> None:
        super().__init__(seat)
        self.seat, self.known = seat, known


class SeatRefused(Exception):
    """A change of a seat that cannot be, and why."""

    def __init__(self, why: str, seat: str) -> None:
        super().__init__(why)
        self.why, self.seat = why, seat


class _AsItWas(Exception):
    """Nothing would change, so no version is made."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit.version)
        self.visit = visit


# -- what may be done --------------------------------------------------------------------------------------------


def invite(visit: Visit, seat: str, tell: Callable[[Made, str], bytes]) -> bytes:
    """Invite somebody to a seat, as the host, or hand the own one over. `tell` gets the invitation, which is told this
    once. The host's replaces all before it, the holder's his own. Raises NotAllowed, NoSuchSeat."""
    _demand(visit, seat)
    invitation, hosting = tokens.secret(), visit.bearer.role == HOST
    told = {"kind": INVITED if hosting else OFFERED, "seat": seat}
    kept = {"invitation": digest(invitation), "offer": ""} if hosting else {"offer": digest(invitation)}
    return _changed(
        visit, lambda at: (at.about.placed(seat, **kept), told), lambda made: tell(made, invitation)
    )


def claim(
    desk: Desk,
    session: str,
    seat: str,
    invitation: str,
    name: str | None,
    tell: Callable[[Made, str], bytes],
) -> bytes:
    """Take a seat by its invitation, which is used up. `tell` gets the seat's token; the one before is worth nothing
    any more, and the prudent player acts for the seat no longer. Raises UnknownSession."""
    token = tokens.secret()

    def seated(at: Visit) -> tuple[About, Change]:
        if not at.about.invites(seat, invitation):  # somebody was quicker
            raise UnknownSession
        about = at.about.seated(seat, digest(token)).taken_back(seat).placed(seat, invitation="", offer="")
        named = {} if name is None else {"name": name}
        return about.placed(seat, **named), {"kind": CLAIMED, "seat": seat, **named}

    return _changed(invited(desk, session, seat, invitation), seated, lambda made: tell(made, token))


def rename(visit: Visit, seat: str, name: str, tell: Tell) -> bytes:
    """Give a seat another name to be called by. Raises NotAllowed, NoSuchSeat."""
    _demand(visit, seat)

    def renamed(at: Visit) -> tuple[About, Change]:
        if name == next(s.name for s in at.state.seats if s.id == seat):
            raise _AsItWas(at)
        return at.about.placed(seat, name=name), {"kind": RENAMED, "seat": seat, "name": name}

    return _changed(visit, renamed, tell)


def leave(visit: Visit, seat: str, tell: Tell) -> bytes:
    """Leave the own seat: nobody has its token any more. An invitation that is open stays so.

    Raises NotAllowed, NoSuchSeat.
    """
    _demand(visit, seat, host=False)
    return _changed(visit, lambda at: (at.about.seated(seat, ""), {"kind": LEFT, "seat": seat}), tell)


def automate(visit: Visit, seat: str, tell: Tell) -> bytes:
    """Let the prudent player act for a seat, by the host's word, as long as there is anything to do.

    Raises NotAllowed, NoSuchSeat, SeatRefused, GameOver.
    """
    visit.demand(HOST)
    _demand(visit, seat)
    if visit.rules.prudent is None:
        raise SeatRefused(NO_PLAYER, seat)

    def automated(at: Visit) -> tuple[About, Change]:
        if at.about.place(seat).automated or _from_the_start(at, seat):
            raise _AsItWas(at)
        if at.over:
            raise GameOver
        return at.about.placed(seat, automated=HOST), {"kind": TURNED_ON, "seat": seat}

    return _changed(visit, automated, tell)


def take_back(visit: Visit, seat: str, tell: Tell) -> bytes:
    """Let the prudent player act for a seat no longer. Raises NotAllowed, NoSuchSeat, SeatRefused."""
    _demand(visit, seat)
    if _from_the_start(visit, seat):
        raise SeatRefused(ALWAYS, seat)

    def retaken(at: Visit) -> tuple[About, Change]:
        if not at.about.place(seat).automated:
            raise _AsItWas(at)
        return at.about.taken_back(seat), {"kind": RETAKEN, "seat": seat}

    return _changed(visit, retaken, tell)


def plays_itself(visit: Visit, seat: str) -> bool:
    """Whether the prudent player acts for a seat: by somebody's word, or since its set-up."""
    return bool(visit.about.place(seat).automated) or _from_the_start(visit, seat)


# -- how it is done ----------------------------------------------------------------------------------------------


def _demand(visit: Visit, seat: str, host: bool = True) -> None:
    """The seat's holder, or the host, of a seat that there is."""
    if seat not in visit.about.tokens.seats:
        raise NoSuchSeat(seat, list(visit.about.tokens.seats))
    own = visit.bearer.role == SEAT and visit.bearer.seat == seat
    if not own and not (host and visit.bearer.role == HOST):
        raise NotAllowed(f"{HOST} / {seat}" if host else seat)


def _from_the_start(visit: Visit, seat: str) -> bool:
    return any(s.automated for s in visit.state.seats if s.id == seat)


def _changed(visit: Visit, change: Callable[[Visit], tuple[About, Change]], tell: Tell) -> bytes:
    """Make the version after a change beside the table, or, where nothing would change, tell what is so already.

    It counts as one of those that its bearer may make so often; a claim, which uses its invitation up, as nobody's.
    """
    by = visit.bearer.name if visit.held else ""
    try:
        return commit(visit, Proposal((), b"", by), tell, lambda at: beside(at, *change(at)))
    except _AsItWas as same:
        return tell(Made(same.visit, ()))


def beside(visit: Visit, about: About, told: Change) -> Next:
    """The next version, where the table stands as it stood."""
    entry = ledger.Entry(ledger.SEATS, role=visit.bearer.role, seat=visit.bearer.seat or "", changes=[told])
    return Next(visit.state, entry, (), visit.stored.window, about.beside(visit.version))
