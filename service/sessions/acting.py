"""Acting: one accepted action is one version, whoever else acts at the same moment and however often it is sent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from msgspec.structs import replace as changed

from service.engine.event import Event
from service.engine.flow import window
from service.engine.frames import SealedFrame
from service.engine.judge import Judgement, judge
from service.engine.rule import Violation
from service.engine.ruleset import Ruleset
from service.engine.state import AnyState, encode
from service.engine.table import Table
from service.sessions import about as beside
from service.sessions import ledger, timing
from service.sessions.about import CLAIMED, INVITED, LEFT, LENGTH, RETAKEN, TIMED_OUT, TURNED_ON, About, Ended
from service.sessions.referee import sound
from service.sessions.sitting import awaited, demand_own, told
from service.sessions.store import Change, Kept, Stale
from service.sessions.tokens import CLOCK, SEAT
from service.sessions.visit import GameOver, SessionFull, StaleVersion, UnknownSession, Visit

Wire = Mapping[str, Any]
# So many versions there are when the session is over, and when only what keeps the table going makes another: actions,
# and changes of seats that see to it that somebody acts. So a game goes on to its end though people take things back
# all the time, or one gives himself name after name. A record has room for all of them.
MOST_ACTED, MOST_ELSE = 9_900, 8_000
KEEPING = frozenset({INVITED, CLAIMED, LEFT, TURNED_ON, RETAKEN, TIMED_OUT})
TRIES = 50  # commits that others of a simultaneous window may come before


class IllegalAction(Exception):
    """The rules refuse the action; the session is as it was."""

    def __init__(self, visit: Visit, violations: Sequence[Violation]) -> None:
        super().__init__(violations)
        self.visit, self.violations = visit, violations


class KeyReused(Exception):
    """The idempotency key came before, with another request."""


@dataclass(frozen=True)
class Proposal:
    """A request to make a new version: the versions that it may be made for, and a digest of all of it.

    `by`: whose it is, where he may make only so many.
    """

    versions: Collection[int]
    asked: bytes
    by: str = ""


@dataclass(frozen=True)
class Made:
    """A new version: who made it sees it as `visit`, and what happened as `events`."""

    visit: Visit
    events: Sequence[Event]


Tell = Callable[[Made], bytes]  # the answer, made before the commit, so that both are kept or neither


def act(visit: Visit, action: Wire, proposal: Proposal, tell: Tell) -> bytes:
    """Judge an action and keep what comes of it; the answer, or the one that the same request was given before.

    Raises KeyReused, StaleVersion, GameOver, NotYours, IllegalAction.
    """
    return commit(visit, proposal, tell, lambda at: _acted(at, action, proposal))


class Next(NamedTuple):
    """What the next version is: state, entry, what happened, the version at which the simultaneous window opened that
    is open then, and, where that is another now, what is kept of the session beside its table."""

    state: AnyState
    entry: ledger.Entry
    events: Sequence[Event]
    since: int
    about: About | None = None


Step = Callable[[Visit], Next]


def commit(visit: Visit, proposal: Proposal, tell: Tell, step: Step) -> bytes:
    """Make the next version by `step`, which raises what stands against it, and keep it with its answer.

    Raises SessionFull.
    """
    for _ in range(TRIES):
        if visit.kept is not None:
            return _first_answer(visit, visit.kept, proposal)
        made, encoded = _as_kept(visit, step(visit))
        _demand_room(visit, made.entry)
        after = _after(visit, made)
        answer = tell(Made(after, made.events))
        change = _change(visit, after, made, encoded, proposal, answer)
        found = visit.desk.store.commit(visit.session, change)
        if found is None:
            visit.desk.recent.note(visit.session, visit.rules, change.state, made.state)
            timing.noted(visit, after)
            return answer
        if isinstance(found, Kept):
            return _first_answer(visit, found, proposal)
        if found == Stale(0):
            raise UnknownSession
        visit = visit.again()
    raise StaleVersion(visit)


def _as_kept(visit: Visit, made: Next) -> tuple[Next, bytes]:
    """The next version with its state as the bytes of it are read, and these bytes.

    What is made keeps the order in which its keys came up; what is read has them sorted. Whoever went through them
    would find them in one order in the process that made the state, and in another in all others.
    """
    encoded = encode(made.state)
    return made._replace(state=visit.rules.decode(encoded)), encoded


def _demand_room(visit: Visit, entry: ledger.Entry) -> None:
    """The log has room for one more version of this kind. Raises SessionFull."""
    most = last_version(entry.kind, [change["kind"] for change in entry.changes])
    if visit.version >= most and entry.role != CLOCK:
        raise SessionFull


def last_version(kind: str, changes: Collection[str]) -> int:
    """The highest number that a version of this kind has, with changes of seats of these kinds."""
    keeping = kind in (ledger.OPEN, ledger.ACT) or (kind == ledger.SEATS and KEEPING.issuperset(changes))
    return MOST_ACTED if keeping else MOST_ELSE


def _first_answer(visit: Visit, kept: Kept, proposal: Proposal) -> bytes:
    if kept.asked != proposal.asked:
        raise KeyReused
    visit.desk.store.confirm(
        visit.session, visit.expiring(), visit.about.ttl
    )  # it may have been kept, and not sure
    return ledger.unpacked(kept.answer)


def _change(
    visit: Visit, after: Visit, made: Next, encoded: bytes, proposal: Proposal, answer: bytes
) -> Change:
    entry = ledger.marked(timing.marked(made.entry, after.about), after.version, made.state, awaited(after))
    return Change(
        before=visit.version,
        state=ledger.packed(encoded),
        window=made.since,
        entry=ledger.encoded(entry),
        expires=after.expires,
        ttl=visit.about.ttl,
        about=b"" if after.about == visit.about else after.stored.about,
        key=visit.key,
        kept=None if visit.key is None else Kept(proposal.asked, ledger.packed(answer)),
        by=proposal.by,
    )


def _after(visit: Visit, made: Next) -> Visit:
    """The visit at the version that is about to be."""
    stored = replace(
        visit.stored,
        version=visit.version + 1,
        window=made.since,
        expires=visit.expiring(),
        state=None,
        kept=None,
    )
    about = visit.about if made.about is None else made.about
    after = _at_most(replace(visit, stored=stored, about=about, made=made.state))
    about = timing.moved(after)
    if about == visit.about:
        return after
    return replace(after, about=about, stored=replace(stored, about=beside.encoded(about)))


def _at_most(after: Visit) -> Visit:
    """The visit at a version that is about to be; the session is over with the last that there can be.

    Else nobody could go on, and all would wait: who decides, and who wants the seed and the whole record.
    """
    if after.version < MOST_ACTED or after.over:
        return after
    return replace(after, about=changed(after.about, ended=Ended(LENGTH, [], after.desk.moment())))


# -- an action --------------------------------------------------------------------------------------------------


def _acted(visit: Visit, action: Wire, proposal: Proposal) -> Next:
    _demand_current(visit, proposal.versions)
    if visit.stopped:
        raise GameOver
    demand_own(visit, action.get("actor"))
    return played(visit, action)


def played(visit: Visit, action: Wire) -> Next:
    """The version that an action makes; who acts for the own seat takes it back from the prudent player.

    Raises IllegalAction.
    """
    with sound():
        judged = judge(visit.rules, visit.state, action, visit.desk.fairness.draws_of(visit.state))
    if not judged.legal or judged.state is None:
        raise IllegalAction(visit, told(visit, action, judged.violations))
    about, changes = retaken(visit)
    entry = ledger.Entry(
        ledger.ACT,
        role=visit.bearer.role,
        seat=visit.bearer.seat or "",
        events=ledger.logged_events(judged.events),
        played=ledger.logged_plays(judged.played),
        acts=_proposed(visit.state, action, judged),
        changes=changes,
    )
    since = window_since(visit.rules, visit, judged.state, visit.version + 1, action)
    return Next(judged.state, entry, judged.events, since, about)


def retaken(visit: Visit, fresh: bool = True) -> tuple[About | None, list[dict[str, Any]]]:
    """What changes of seats where the bearer does something at the table: the prudent player acts for him no longer.

    `fresh`: whether he has time anew for it.
    """
    seat = visit.bearer.seat
    if visit.bearer.role != SEAT or seat is None or not visit.about.place(seat).automated:
        return None, []
    return visit.about.taken_back(seat, fresh), [{"kind": RETAKEN, "seat": seat}]


def _demand_current(visit: Visit, versions: Collection[int]) -> None:
    """The action was made for the last version, or since the simultaneous window opened that it answers."""
    if visit.made_for(versions):
        return
    w, since = visit.window, visit.stored.window
    waits = w is not None and w.ask.together and visit.bearer.seat in w.actors
    if not (waits and any(0 < since <= version < visit.version for version in versions)):
        raise StaleVersion(visit)


def _proposed(before: AnyState, action: Wire, judged: Judgement) -> list[dict[str, Any]] | None:
    """What has to be proposed to come here again, where it is not what was played.

    An answer of a simultaneous window is played when the last one is in: those that were given before were proposed
    before, and those of automated seats that still wait have been proposed already.
    """
    assert judged.state is not None
    earlier, waiting = sealed(before), sealed(judged.state)
    played = [p.to_wire() for p in judged.played]
    answered = [{"actor": seat, **part} for seat, part in earlier.items()]
    for known in (dict(action), *answered):
        if known in played:
            played.remove(known)
    fresh = [{"actor": s, **part} for s, part in waiting.items() if s not in earlier and s != action["actor"]]
    proposed = [dict(action), *played, *fresh]
    return None if proposed == [p.to_wire() for p in judged.played] else proposed


def sealed(state: AnyState) -> dict[str, Any]:
    """The answers that lie sealed on the table."""
    frame = state.stack[-1] if state.stack else None
    return dict(frame.sealed) if isinstance(frame, SealedFrame) else {}


def window_since(
    rules: Ruleset, before: Visit | None, state: AnyState, version: int, action: Wire | None = None
) -> int:
    """The version at which the simultaneous window opened that is open now; 0 where none is."""
    w = window(Table(rules, state))
    if w is None or not w.ask.together:
        return 0
    if before is None or action is None or before.window is None or before.window.ask is not w.ask:
        return version
    earlier, now = sealed(before.state).keys(), sealed(state).keys()
    answer = action["kind"] in [cls.kind for cls in w.ask.takes]
    goes_on = earlier < now if answer else earlier == now
    return before.stored.window if goes_on and before.stored.window else version
