"""What is kept of a session beside its table: its rules, its tokens, and what has become of its seats."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Sequence
from copy import copy
from typing import Any

import msgspec
from msgspec.structs import replace

from service.engine.state import AnyState
from service.sessions import clocks
from service.sessions.clocks import Clock, Hands
from service.sessions.tokens import Tokens, digest

INVITED, OFFERED, CLAIMED = "seat-invited", "seat-offered", "seat-claimed"
RENAMED, LEFT, TURNED_ON, RETAKEN = "seat-renamed", "seat-left", "seat-automated", "seat-taken-back"
TIMED_OUT = "timed-out"
KINDS = (INVITED, OFFERED, CLAIMED, RENAMED, LEFT, TURNED_ON, RETAKEN, TIMED_OUT)
TIME, LENGTH = "time", "length"


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """What has become of a seat since the opening. `name`: another one; `invitation` and `offer`: the digests of open
    invitations, of the host's and of the holder's, who is not to take back what the host has given; `automated`: by
    whose word the prudent player acts for it (a role), empty where it does not."""

    name: str | None = None
    invitation: str = ""
    offer: str = ""
    automated: str = ""


class Ended(msgspec.Struct, frozen=True):
    """Why the session is over though its game is not, since a moment (ms since 1970): the time of these seats was up,
    or, where none is named, it has become as long as a record may be."""

    because: str
    seats: list[str]
    at: int


class About(msgspec.Struct, frozen=True, omit_defaults=True):
    """A session beside its table. `ttl` in seconds; `tokens` are digests, empty for a seat that nobody holds.

    `clock`: what was agreed on, and where its `hands` are. `still`: from the first of these versions to the last
    nothing but this has changed, so the table stood still.
    """

    game: str
    ruleset: str
    ttl: int
    tokens: Tokens
    places: dict[str, Place] = {}
    still: tuple[int, int] = (0, 0)
    clock: Clock | None = None
    hands: Hands | None = None
    ended: Ended | None = None

    def place(self, seat: str) -> Place:
        """What has become of a seat."""
        return self.places.get(seat, Place())

    def held(self, seat: str) -> bool:
        """Whether somebody has the seat's token."""
        return bool(self.tokens.seats[seat])

    def invited(self, seat: str) -> bool:
        """Whether an invitation to a seat is open."""
        return bool(self.place(seat).invitation or self.place(seat).offer)

    def invites(self, seat: str, invitation: str) -> bool:
        """Whether this is an open invitation of a seat; all are compared, each in constant time."""
        place, given = self.place(seat), digest(invitation)
        return sum(hmac.compare_digest(kept, given) for kept in (place.invitation, place.offer)) > 0

    def automated(self) -> Sequence[str]:
        """The seats for which the prudent player acts by somebody's word."""
        return [seat for seat, place in self.places.items() if place.automated]

    def absent(self, seats: Collection[str]) -> bool:
        """Whether nobody sits at any of these seats: each is vacant, or the prudent player acts for it."""
        return all(not self.held(seat) or self.place(seat).automated for seat in seats)

    # -- changes ------------------------------------------------------------------------------------------------

    def placed(self, seat: str, **changes: Any) -> About:
        """The same with another place for a seat."""
        places = {**self.places, seat: replace(self.place(seat), **changes)}
        return replace(self, places={s: place for s, place in places.items() if place != Place()})

    def seated(self, seat: str, token: str) -> About:
        """The same with another digest of a seat's token; empty: nobody has it."""
        return replace(self, tokens=replace(self.tokens, seats={**self.tokens.seats, seat: token}))

    def taken_back(self, seat: str, fresh: bool = True) -> About:
        """The same where the prudent player acts for a seat no longer; its clock goes on, maybe with `fresh` time."""
        if not self.place(seat).automated:
            return self
        about = self.placed(seat, automated="")
        if self.clock is None or self.hands is None:
            return about
        return replace(about, hands=clocks.resumed(self.clock, self.hands, seat, fresh))

    def beside(self, version: int) -> About:
        """The same, as it is changed beside the table after this version."""
        first, last = self.still
        return replace(self, still=(first if last == version else version, version + 1))

    def alike(self, version: int) -> range:
        """The versions before this one at which the table was the same."""
        first, last = self.still
        return range(first, version) if last == version else range(0)

    def named(self, state: AnyState) -> AnyState:
        """A state with the names that its seats have now; the state itself where none has another."""
        if all(place.name is None for place in self.places.values()):
            return state
        state = copy(state)
        state.seats = [copy(seat) for seat in state.seats]
        for seat in state.seats:
            name = self.place(seat.id).name
            seat.name = seat.name if name is None else name
        return state


_ABOUT = msgspec.json.Decoder(About)


def decoded(kept: bytes) -> About:
    """As the store has it."""
    return _ABOUT.decode(kept)


def standing(about: About) -> bytes:
    """What of it says whose each token is."""
    return msgspec.json.encode(about.tokens)


def encoded(about: About) -> bytes:
    """For the store."""
    return msgspec.json.encode(about)
