"""A session of 5,000 actions asks no more of the store than one that has just begun, and its log comes in pages."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from service.sessions import ledger, reading, undoing
from service.sessions.acting import Proposal
from service.sessions.ledger import PAGE, Entry
from service.sessions.redis_store import RedisStore
from service.sessions.store import Change
from service.streams import hub
from tests.conformance.toy import RULES as HARBOUR
from tests.sessions.games import Kept, begin, desk_of, plays

EARLY = 2 * PAGE + 1
LATE = EARLY + 77 * PAGE
assert LATE > 5_000
COUNTING = {"info", "command"}  # what it takes to ask how much was asked


@dataclass(frozen=True)
class Asked:
    """What was asked of the store: how often each command, those of scripts too, and bytes in and out."""

    calls: Mapping[str, int]
    carried: int


@dataclass
class Long:
    """A session in which one action has been done and taken back all the time."""

    kept: Kept
    store: RedisStore
    action: dict[str, Any]
    version: int

    def asked(self, call: Callable[[Long], object]) -> Asked:
        """What a call asks of the store, over connections that are open already."""
        call(self)
        before, idle = self._counts(), self._counts()
        call(self)
        after = self._counts()
        quiet = idle.carried - before.carried
        names = {*after.calls} - COUNTING
        calls = {name: after.calls[name] - idle.calls.get(name, 0) for name in names}
        return Asked({name: n for name, n in calls.items() if n}, after.carried - idle.carried - quiet)

    def _counts(self) -> Asked:
        client = self.store._connected()
        stats, commands = client.info("stats"), client.info("commandstats")
        carried = stats["total_net_input_bytes"] + stats["total_net_output_bytes"]
        return Asked(
            {name.removeprefix("cmdstat_"): told["calls"] for name, told in commands.items()}, carried
        )


def long(store: RedisStore, version: int) -> Long:
    """A session that has come to a version, by what two commits of it wrote."""
    kept = begin(replace(desk_of(HARBOUR), store=store), HARBOUR)
    written: list[Change] = []
    commit = store.commit

    def spied(session: str, change: Change) -> Any:
        written.append(change)
        return commit(session, change)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "commit", spied)
        action = next(plays(kept, random.Random(1)))
        rewound(Long(kept, store, action, 2))
    there, back = written
    states = [msgspec.json.decode(ledger.unpacked(change.state)) for change in written]
    for before in range(3, version):
        change, state = (there, states[0]) if before % 2 else (back, states[1])
        entry = ledger.decoded(change.entry)
        if entry.to:
            entry.to = before - 1
        entry = ledger.marked(entry, before + 1, state, entry.waits or [])
        assert commit(kept.id, replace(change, before=before, entry=ledger.encoded(entry))) is None
    return Long(kept, store, action, version)


def acted(at: Long) -> None:
    """The action, and all that is asked to take it back, so that the next call finds the session as this one did."""
    at.kept.act(at.action)
    at.version += 1
    rewound(at)


def rewound(at: Long) -> None:
    visit = at.kept.visit("host")
    undoing.rewind(visit, visit.version - 1, Proposal((visit.version,), b"asked"), lambda made: b"{}")
    at.version += 1


def refused(at: Long) -> None:
    """The action, and its seat asks to take it back, which it may not, since a card came out."""
    at.kept.act(at.action)
    visit = at.kept.visit(at.action["actor"])
    with pytest.raises(undoing.UndoRefused, match=undoing.HIDDEN):
        undoing.undo(visit, Proposal((visit.version,), b"asked"), lambda made: b"{}")
    at.version += 1
    rewound(at)


def looked(at: Long) -> None:
    assert at.kept.visit("spectator").state.outcome is None


def paged(at: Long) -> None:
    visit = at.kept.visit("spectator")
    assert len(reading.page(visit, visit.version - 100, None).entries) == 100


def first_page(at: Long) -> None:
    found = reading.page(at.kept.visit("spectator"), 0, None)
    assert (len(found.entries), found.complete) == (100, False)


def streamed(at: Long) -> None:
    """What a stream reads when a version has been made, and when a reader comes that knows nothing."""
    visit = at.kept.visit("spectator")
    assert len(hub._entries(visit, visit.version - 1)) == 1
    assert len(hub._entries(visit, 0)) == hub.PAGE <= 100


CALLS = (acted, refused, looked, paged, first_page, streamed)


@pytest.fixture(scope="module")
def sessions(servers: Any) -> tuple[Long, Long]:
    store = RedisStore.at(servers("embedded"))
    return long(store, EARLY), long(store, LATE)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_a_call_asks_the_same_of_the_store_at_version_5000(
    sessions: tuple[Long, Long], call: Callable[[Long], object]
) -> None:
    early, late = sessions
    assert (late.kept.visit("host").version, early.kept.visit("host").version) >= (5_000, EARLY)
    asked, still = early.asked(call), late.asked(call)
    assert asked.calls, "something was counted"
    assert still.calls == asked.calls
    # Numbers of versions have more digits, and what is packed is a few bytes longer for that.
    assert still.carried == pytest.approx(asked.carried, rel=0.03), "bytes in and out"


@pytest.mark.parametrize("seed", range(5))
def test_no_way_back_leaves_its_page(seed: int) -> None:
    """Whatever is done and taken back: one move all the time, too, which passes over every other version."""
    rng, log, states = random.Random(seed), {1: Entry(ledger.OPEN, state=[])}, {1: list[int]()}
    for version in range(2, 1_500):
        kind = rng.choices((ledger.ACT, ledger.SEATS, ledger.REWIND), ((1, 0, 1), (6, 1, 1))[seed % 2])[0]
        far = rng.random() < 0.1
        to = 0 if kind != ledger.REWIND else rng.randrange(1, version) if far else max(1, version - 2)
        states[version] = states[to or version - 1] + ([version] if kind == ledger.ACT else [])
        log[version] = ledger.marked(Entry(kind, to=to), version, states[version], [])
    for version in range(1, 1_500):
        read = _Read(log)
        state, standing = ledger.way(read, version)
        assert state + standing == states[version]
        assert len(read.versions) <= PAGE
        assert {v // PAGE for v in read.versions} == {version // PAGE}, "so one part of the log is read"


class _Read(dict[int, Entry]):
    """A log that notes what is read of it."""

    def __init__(self, log: Mapping[int, Entry]) -> None:
        super().__init__(log)
        self.versions: list[int] = []

    def __getitem__(self, version: int) -> Entry:
        self.versions.append(version)
        return super().__getitem__(version)


def test_the_whole_log_is_what_grows(sessions: tuple[Long, Long]) -> None:
    """Or else the counts above would see nothing."""
    early, late = sessions
    whole = [at.asked(lambda at: at.store.log(at.kept.id)) for at in (early, late)]
    assert whole[1].carried > 20 * whole[0].carried
