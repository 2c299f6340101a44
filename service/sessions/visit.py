"""A visit: somebody with a token at a session, as it was read from the store."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from service.engine.flow import Window, window
from service.engine.registry import Registry, UnknownGame
from service.engine.ruleset import Ruleset
from service.engine.state import AnyState
from service.engine.table import Table
from service.sessions import about as beside
from service.sessions.about import About
from service.sessions.fairness import Fairness
from service.sessions.recent import Recent
from service.sessions.store import Kept, Store, StoreAway, Stored, StoreFull
from service.sessions.tokens import SEAT, SPECTATOR, Bearer, digest

FORM = re.compile(r"[0-9a-f]{32}")
RENEWED = 30  # a session that is read lives on anew as soon as a thirtieth of its time has gone


class UnknownSession(Exception):
    """There is no such session, or the token is not one of its own: nobody is told which."""


class NotAllowed(Exception):
    """A call that is not for this bearer; `who` may."""

    def __init__(self, who: str) -> None:
        super().__init__(who)
        self.who = who


class NotYours(Exception):
    """An action in the name of another."""

    def __init__(self, actor: str) -> None:
        super().__init__(actor)
        self.actor = actor


class StaleVersion(Exception):
    """The session is at another version than the one that was acted on."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit.version)
        self.visit = visit


class GameOver(Exception):
    """The game is over: nothing is taken back any more."""


class SessionFull(Exception):
    """So much has been done at the session that its record could not be judged again if there were more."""


class RulesGone(Exception):
    """The session is one of rules that this server does not have."""

    def __init__(self, about: About, known: Sequence[str]) -> None:
        super().__init__(f"{about.game} {about.ruleset}")
        self.about, self.known = about, known


@dataclass(frozen=True)
class Desk:
    """Where sessions are kept and judged. `now`: seconds since 1970; `millis`: the same in milliseconds, for clocks."""

    store: Store
    registry: Registry
    fairness: Fairness
    now: Callable[[], int]
    millis: Callable[[], int] | None = None
    recent: Recent = field(default_factory=Recent, compare=False, repr=False)

    def moment(self) -> int:
        """Milliseconds since 1970."""
        return self.now() * 1000 if self.millis is None else self.millis()


@dataclass(frozen=True)
class Visit:
    """A bearer at a session. `key`: the name under which an answer to his request is kept, if he wants that.

    `made`: the state of a version that is about to be, which nobody has read yet. `held`: the digest of his token;
    empty where it is not by a token that he is here.
    """

    desk: Desk
    session: str
    bearer: Bearer
    about: About
    rules: Ruleset
    stored: Stored
    key: str | None = None
    made: AnyState | None = None
    held: str = ""

    @property
    def version(self) -> int:
        """The version that was read."""
        return self.stored.version

    @property
    def expires(self) -> int:
        """When the session ends, if nobody comes back; seconds since 1970."""
        return self.stored.expires

    @property
    def kept(self) -> Kept | None:
        """What was answered under the key before."""
        return self.stored.kept

    @cached_property
    def state(self) -> AnyState:
        """The state of the table, which must have been read; seats have the names that they have now."""
        if self.made is not None:
            return self.about.named(self.made)
        kept = self.stored.state
        assert kept is not None
        return self.about.named(self.desk.recent.state(self.session, self.rules, kept))

    @property
    def whole(self) -> Visit:
        """This visit, or, where the state was not read, the session anew with it."""
        return self if self.stored.state is not None else self.again()

    @cached_property
    def table(self) -> Table:
        """The table."""
        return Table(self.rules, self.state)

    @cached_property
    def window(self) -> Window | None:
        """The window that waits; None when the game or the session is over."""
        return None if self.stopped else window(self.table)

    @property
    def stopped(self) -> bool:
        """Whether the session is over though its game is not."""
        return self.about.ended is not None

    @property
    def over(self) -> bool:
        """Whether nothing happens at the table any more: the game is over, or the session is."""
        return self.stopped or self.state.outcome is not None

    @property
    def ages(self) -> bool:
        """Whether it is time to put off the end of a session that is used."""
        return _ages(self.desk, self.about.ttl, self.stored)

    def again(self) -> Visit:
        """The same visit at the version that the session has now. Raises UnknownSession also where the token has been
        taken away meanwhile."""
        stored = _found(self.desk, self.session, True, self.key)
        about = self.about if stored.about == self.stored.about else beside.decoded(stored.about)
        if self.held and about.tokens.whose(self.held) != self.bearer:
            raise UnknownSession
        return replace(self, stored=stored, about=about, made=None)

    def as_other(self, bearer: Bearer) -> Visit:
        """The same session as somebody of the service's own visits it: by nobody's token, and under no key, whatever
        was answered under one."""
        return replace(self, bearer=bearer, key=None, held="", stored=replace(self.stored, kept=None))

    def made_for(self, versions: Collection[int]) -> bool:
        """Whether what is made for one of these versions is made for this table."""
        alike = self.about.alike(self.version)
        return self.version in versions or any(version in alike for version in versions)

    def absent(self, seats: Collection[str]) -> bool:
        """Whether nobody sits at any of these seats; where the prudent player does since the set-up, nobody does."""
        automated = {seat.id for seat in self.state.seats if seat.automated}
        return self.about.absent([seat for seat in seats if seat not in automated])

    def demand(self, *roles: str) -> None:
        """Raises NotAllowed unless the bearer has one of these roles."""
        if self.bearer.role not in roles:
            raise NotAllowed(" / ".join(roles))

    def expiring(self) -> int:
        """When the session ends if it is used now."""
        return self.desk.now() + self.about.ttl


def enter(
    desk: Desk, session: str, token: str, *, state: bool = True, key: str | None = None, renew: bool = True
) -> Visit:
    """The visit of whoever holds this token; `key`: the idempotency key. Raises UnknownSession, RulesGone."""
    # The name has the token in it, so nobody is answered what another was; and it is known before the token is.
    name = None if key is None else digest(f"{token} {key}")
    stored = _found(desk, session, state, name)
    return _entered(desk, session, digest(token), stored, renew, name)


def known(desk: Desk, session: str, told: str, *, renew: bool = True) -> Visit:
    """The visit of whoever holds the token of this digest. Raises UnknownSession, RulesGone."""
    return _entered(desk, session, told, _found(desk, session, True), renew)


def watching(desk: Desk, session: str) -> Visit:
    """The session as a spectator sees it, whoever asks: for the service itself. Raises UnknownSession, RulesGone."""
    stored = _found(desk, session, True)
    about = beside.decoded(stored.about)
    return Visit(desk, session, Bearer(SPECTATOR), about, _rules(desk, about), stored)


def standing(stored: Stored) -> bytes:
    """What `bearer_of` looks at: as long as it is the same, so is who is whose bearer."""
    return beside.standing(beside.decoded(stored.about))


def bearer_of(stored: Stored, told: str) -> Bearer | None:
    """Whose token it is that has this digest, in a session as it was read; None: nobody's, or nobody's any more."""
    return beside.decoded(stored.about).tokens.whose(told)


def _entered(
    desk: Desk, session: str, told: str, stored: Stored, renew: bool, name: str | None = None
) -> Visit:
    about = beside.decoded(stored.about)
    bearer = about.tokens.whose(told)
    if bearer is None:
        raise UnknownSession
    if renew:
        stored = renewed(desk, session, about.ttl, stored)
    return Visit(desk, session, bearer, about, _rules(desk, about), stored, name, held=told)


def invited(desk: Desk, session: str, seat: str, invitation: str) -> Visit:
    """The visit of whoever is about to take a seat. Raises UnknownSession, also for a seat that is not; RulesGone."""
    stored = _found(desk, session, True)
    about = beside.decoded(stored.about)
    if not about.invites(seat, invitation):
        raise UnknownSession
    return Visit(desk, session, Bearer(SEAT, seat), about, _rules(desk, about), stored)


def _rules(desk: Desk, about: About) -> Ruleset:
    try:
        return desk.registry.get(about.game, about.ruleset)
    except UnknownGame:
        raise RulesGone(about, desk.registry.versions(about.game)) from None


def _found(desk: Desk, session: str, state: bool, key: str | None = None) -> Stored:
    if not FORM.fullmatch(session):
        raise UnknownSession
    stored = desk.store.read(session, state=state, key=key)
    if stored is None:
        raise UnknownSession
    return stored


def _ages(desk: Desk, ttl: int, stored: Stored) -> bool:
    return stored.expires - desk.now() <= ttl - max(1, ttl // RENEWED)


def renewed(desk: Desk, session: str, ttl: int, stored: Stored) -> Stored:
    """What was read; the session lives on where it is time for that, if the store lets it: reading needs no writing."""
    if not _ages(desk, ttl, stored):
        return stored
    now = desk.now()
    try:
        desk.store.renew(session, now + ttl, ttl)
    except (StoreAway, StoreFull):
        return stored
    return replace(stored, expires=now + ttl)
