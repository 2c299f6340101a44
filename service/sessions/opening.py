"""Opening a session from a set-up or a state, and closing it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.engine.event import Event, Played
from service.engine.flow import window
from service.engine.ruleset import Ruleset
from service.engine.state import AnyState, encode
from service.engine.table import Table
from service.sessions import about as beside
from service.sessions import ledger, timing, tokens
from service.sessions.about import About
from service.sessions.acting import sealed, window_since
from service.sessions.clocks import AUTOMATE, Clock
from service.sessions.seating import NO_PLAYER, SeatRefused
from service.sessions.store import Change
from service.sessions.tokens import HOST, Tokens
from service.sessions.visit import Desk, Visit, enter

TTL = 30 * 24 * 3600  # seconds
FIRST = 1  # the version of the opening


@dataclass(frozen=True)
class Wishes:
    """What a session is to have beside its game. `ttl`: seconds that it lives on unused; `invitations`: nobody holds
    a seat yet, and to each that is not automated there is an invitation; `clock`: how long seats may think."""

    ttl: int = TTL
    invitations: bool = False
    clock: Clock | None = None


DEFAULTS = Wishes()


@dataclass(frozen=True)
class Opened:
    """A new session as a spectator sees it, and what is told this once: the tokens, and invitations to seats that
    nobody holds yet."""

    visit: Visit
    tokens: Tokens
    invitations: Mapping[str, str]


def open_session(
    desk: Desk,
    rules: Ruleset,
    state: AnyState,
    wishes: Wishes = DEFAULTS,
    setup: Any = None,
    events: Sequence[Event] = (),
    played: Sequence[Played] = (),
) -> Opened:
    """Keep a game from here on. `setup`: the set-up that it comes from, as the record tells it.

    Raises SeatRefused where nobody can play for a seat whose time is up, StoreFull.
    """
    if wishes.clock is not None and wishes.clock.on_timeout == AUTOMATE and rules.prudent is None:
        raise SeatRefused(NO_PLAYER, "")
    session, given = secrets.token_hex(16), tokens.fresh([s.id for s in state.seats])
    about = About(rules.game, rules.version, wishes.ttl, given.digested())
    invitations = {s.id: tokens.secret() for s in state.seats if wishes.invitations and not s.automated}
    for seat, invitation in invitations.items():
        about = about.seated(seat, "").placed(seat, invitation=tokens.digest(invitation))
        del given.seats[seat]
    entry = ledger.Entry(
        ledger.OPEN,
        role=HOST,
        events=ledger.logged_events(events),
        played=ledger.logged_plays(played),
        acts=None if setup is None else _proposed(state, played),
        state=state,
        setup=setup,
    )
    about = timing.begun(about, wishes.clock, window(Table(rules, state)), desk.moment())
    change = Change(
        before=0,
        state=ledger.packed(encode(state)),
        window=window_since(rules, None, state, FIRST),
        entry=ledger.encoded(timing.marked(entry, about)),
        expires=desk.now() + wishes.ttl,
        ttl=wishes.ttl,
        about=beside.encoded(about),
    )
    desk.store.commit(session, change)
    if (at := timing.next_due(about)) is not None:
        timing.note(desk, session, at)
    return Opened(enter(desk, session, given.spectator), given, invitations)


def _proposed(state: AnyState, played: Sequence[Played]) -> list[dict[str, Any]] | None:
    """What has to be proposed to come here again, where it is not what was played: automated seats may have answered a
    simultaneous window already."""
    waiting = [{"actor": seat, **part} for seat, part in sealed(state).items()]
    return [*(p.to_wire() for p in played), *waiting] if waiting else None


def close(visit: Visit) -> None:
    """End a session and forget it. Raises NotAllowed."""
    visit.demand(HOST)
    visit.desk.store.close(visit.session)
