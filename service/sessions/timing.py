"""The clock of a session: it is moved on by every version, and whose time is up is found out by whoever comes by.

That somebody's time is up is a version like others, so of many who find it out one tells it, with the time at which it
was. When to look next is noted in the store beside the session, in one place for all of them, so that somebody can come
by on purpose; where that note gets lost, whoever comes by the session itself finds it out all the same.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace as changed

from service.engine.flow import Window
from service.engine.state import CHANCE
from service.sessions import clocks
from service.sessions.about import TIME, TIMED_OUT, About, Ended
from service.sessions.clocks import Asked, Clock
from service.sessions.ledger import Entry
from service.sessions.store import StoreAway, StoreFull
from service.sessions.tokens import CLOCK, Bearer
from service.sessions.visit import Desk, Visit


def begun(about: About, clock: Clock | None, w: Window | None, now: int) -> About:
    """What is kept of a session that is opened with this clock."""
    if clock is None:
        return about
    hands = clocks.wound(clock, list(about.tokens.seats), now)
    return changed(about, clock=clock, hands=clocks.turned(clock, hands, _asked(about, w), now))


def moved(visit: Visit) -> About:
    """What is kept beside the table of a version that is about to be, with the clock as it is then."""
    about = visit.about
    if about.clock is None or about.hands is None:
        return about
    asked = _asked(about, visit.window)
    return changed(about, hands=clocks.turned(about.clock, about.hands, asked, visit.desk.moment()))


def _asked(about: About, w: Window | None) -> Asked:
    actors, automated = () if w is None else w.actors, about.automated()
    absent = [seat for seat in about.tokens.seats if not about.held(seat) and seat not in automated]
    return Asked([s for s in actors if s != CHANCE], automated, absent)


def marked(entry: Entry, about: About) -> Entry:
    """An entry of the log as it is kept, with what whoever goes back to its version has to know of the clock."""
    return entry if about.hands is None else changed(entry, clock=clocks.mark(about.hands))


def went_back(about: About, to: Entry, now: int) -> About:
    """What is kept of a session when somebody goes back to the version of an entry: no time is given back."""
    if about.clock is None or about.hands is None or to.clock is None:
        return about
    return changed(about, hands=clocks.went_back(about.clock, about.hands, to.clock, now))


def overdue(visit: Visit) -> dict[str, int]:
    """Whose time is up, since when, of whom that is not told yet."""
    hands = visit.about.hands
    return {} if hands is None or visit.about.ended else clocks.up(hands, visit.desk.moment())


def next_due(about: About) -> int | None:
    """When somebody's time is up next; None where nobody's runs."""
    return None if about.hands is None or about.ended else clocks.next_up(about.hands)


def as_clock(visit: Visit) -> Visit:
    """The same session as the clock visits it."""
    return visit.as_other(Bearer(CLOCK))


def ran_out(visit: Visit, late: dict[str, int]) -> tuple[About, list[dict[str, str]]]:
    """What changes beside the table when the time of these seats is up, and how it is told.

    Where that ends the session, the first whose time was up does, whenever somebody comes by and finds it out.
    """
    about, clock, hands = visit.about, visit.about.clock, visit.about.hands
    assert clock is not None
    assert hands is not None
    then = clock.on_timeout
    if then == clocks.END:
        first = min(late.values())
        late = {seat: at for seat, at in late.items() if at == first}
        hands = clocks.stopped(hands, first)
        about = changed(about, ended=Ended(TIME, list(late), first))
    about = changed(about, hands=clocks.known(hands, late))
    for seat in late if then == clocks.AUTOMATE else ():
        about = about.placed(seat, automated=CLOCK)
    told = [{"kind": TIMED_OUT, "seat": s, "at": clocks.written(at), "then": then} for s, at in late.items()]
    return about, told


def noted(before: Visit, after: Visit) -> None:
    """Note when to look at a session next, where that is another time now."""
    if before.about.hands is not None and (at := next_due(after.about)) != next_due(before.about):
        note(after.desk, after.session, at)


def note(desk: Desk, session: str, at: int | None) -> None:
    """Note when to look at a session again (ms since 1970), if the store lets us: it is no more than a reminder."""
    with suppress(StoreAway, StoreFull):
        desk.store.plan(session, at)
