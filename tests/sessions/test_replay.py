"""Every version of a session can be worked out again from its log, and a record from its set-up."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import copy
from typing import Any

import pytest

from service.engine.options import options
from service.engine.state import State, encode
from service.engine.table import Table
from service.games import REGISTRY
from service.games.zavandor.v1 import RULES as ZAVANDOR
from service.sessions import acting, ledger, reading, undoing
from service.sessions.acting import Proposal
from service.sessions.logbook import Logbook
from service.sessions.replay import begun, digest, replayed
from service.sessions.undoing import state_at
from tests.conformance.subjects import filled
from tests.conformance.toy import RULES as HARBOUR
from tests.engine.games import whisper
from tests.sessions.games import Kept, begin, desk_of, plays


def without_chance(state: State[Any, Any]) -> bytes:
    plain = copy(state)
    plain.chance = None  # type: ignore[assignment]
    return encode(plain)


@pytest.mark.parametrize("automated", [(), ("bob",), ("ann", "cyd")])
@pytest.mark.parametrize("rules", [HARBOUR, *REGISTRY], ids=lambda rules: rules.game)
def test_every_version_is_worked_out_again(rules: Any, automated: tuple[str, ...]) -> None:
    kept = begin(desk_of(rules), rules, automated=automated)
    states = {1: kept.visit("spectator").state}
    for _ in plays(kept, random.Random(5), 120):
        visit = kept.visit("spectator")
        states[visit.version] = visit.state
    assert len(states) > 9 or visit.state.outcome is not None
    visit = kept.visit("spectator")
    log = ledger.log_of(kept.desk.store.log(kept.id))
    assert sorted(log) == sorted(states)
    for version, state in states.items():
        assert without_chance(state_at(visit, log, version)) == without_chance(state), version


def test_every_version_is_worked_out_again_though_the_host_goes_back_and_forth() -> None:
    """Over several pages of the log; of which no more is judged again than what a page holds."""
    kept, rng = begin(desk_of(ZAVANDOR), ZAVANDOR), random.Random(8)
    states = {1: kept.visit("spectator").state}
    while len(states) < 3 * ledger.PAGE:
        for _ in quietly(kept, rng, rng.randrange(1, 30)):
            states[len(states) + 1] = kept.visit("spectator").state
        to = rng.randrange(max(1, len(states) - 100), len(states))
        undoing.rewind(kept.visit("host"), to, Proposal((len(states),), b""), lambda made: b"")
        states[len(states) + 1] = kept.visit("spectator").state
    visit = kept.visit("spectator")
    assert visit.version == len(states)
    log = ledger.log_of(kept.desk.store.log(kept.id))
    for version, state in states.items():
        assert without_chance(state_at(visit, log, version)) == without_chance(state), version
        assert len(ledger.way(log, version)[1]) < ledger.PAGE
        assert ledger.way(log, version)[1] == ledger.way(Logbook(visit), version)[1]


def quietly(kept: Kept, rng: random.Random, most: int) -> Iterator[None]:
    """So many actions with which a game goes on for long."""
    for _ in range(most):
        table = Table(ZAVANDOR, kept.visit("spectator").state)
        every = list(options(table))
        calm = [o for o in every if o.act.kind in ("end-turn", "move-gem", "sell-gems", "pass")]
        kept.act(filled(table, rng.choice(calm or every).act, rng))
        yield


def test_an_undo_late_in_a_game_reads_and_judges_little(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, rng = begin(desk_of(ZAVANDOR), ZAVANDOR), random.Random(8)
    for _ in quietly(kept, rng, 5 * ledger.PAGE):
        pass
    store: Any = kept.desk.store
    read: list[int] = []
    sound = store.log
    monkeypatch.setattr(store, "log", lambda *a: read.append(len(found := sound(*a))) or found)
    visit = kept.visit("host")
    at = visit.version
    undoing.rewind(visit, at - 1, Proposal((at,), b""), lambda made: b"")
    assert sum(read) <= 2 * ledger.PAGE
    assert kept.visit("host").version == at + 1


def finished(rules: Any, seed: int, **more: Any) -> Kept:
    kept = begin(desk_of(rules), rules, seed=str(seed), **more)
    for _ in plays(kept, random.Random(seed), 3000):
        pass
    assert kept.visit("host").state.outcome is not None
    return kept


@pytest.mark.parametrize("automated", [(), ("bob",)])
def test_the_record_of_a_game_that_is_over_is_judged_again(automated: tuple[str, ...]) -> None:
    kept = finished(HARBOUR, 3, automated=automated)
    record = reading.record(kept.visit("host"))
    assert record["complete"]
    again = replayed(HARBOUR, begun(HARBOUR, record["setup"]), record["actions"])
    assert digest(again) == record["digest"]
    assert again.outcome == kept.visit("host").state.outcome
    assert [entry["version"] for entry in record["log"]] == list(range(1, kept.visit("host").version + 1))


def test_a_record_of_a_game_that_was_opened_from_a_state_begins_with_it() -> None:
    from service.sessions import opening

    first = begin(desk_of(HARBOUR), HARBOUR)
    for _ in plays(first, random.Random(2), 9):
        pass
    made = opening.open_session(first.desk, HARBOUR, first.visit("host").state)
    kept = Kept(first.desk, HARBOUR, made)
    for _ in plays(kept, random.Random(3), 3000):
        pass
    record = reading.record(kept.visit("host"))
    assert "setup" not in record
    again = replayed(HARBOUR, HARBOUR.decode(encode(record["state"])), record["actions"])
    assert digest(again) == record["digest"]


def test_only_the_host_of_a_game_that_is_over_gets_everything() -> None:
    kept = begin(desk_of(HARBOUR), HARBOUR)
    for _ in plays(kept, random.Random(3), 5):
        pass
    for who in ("host", "dealer", "spectator", "ann"):
        record = reading.record(kept.visit(who))
        assert not record["complete"]
        assert record.keys() == {"schema", "game", "ruleset", "setup", "actions", "complete"}
        assert record["setup"]["chance"] == {"mode": "seeded"}
    kept = finished(HARBOUR, 3)
    assert not reading.record(kept.visit("ann"))["complete"]
    whole = reading.record(kept.visit("host"))
    assert whole["setup"]["chance"] == {"mode": "seeded", "seed": "3"}
    seed = bytes.fromhex(whole["chance"]["seed"])
    import hashlib

    assert hashlib.sha256(seed).hexdigest() == whole["chance"]["commitment"]


def test_a_seat_finds_its_own_draws_in_the_record_and_no_others() -> None:
    kept = begin(desk_of(HARBOUR), HARBOUR)
    mine = reading.record(kept.visit("ann"))["actions"]
    assert [a.get("good") is not None for a in mine] == [True] * 3 + [False] * 6
    assert [a["draw"] for a in mine] == list(range(9))
    assert all("good" not in a for a in reading.record(kept.visit("spectator"))["actions"])


def test_what_an_automated_seat_has_answered_in_secret_at_the_opening_is_in_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It lies sealed and was not played yet; who judges the record again has to come to the same table."""
    rules = whisper.rules
    monkeypatch.setattr(rules, "prudent", lambda t, seat: whisper.SitOut(t, t.frames[-1], seat))
    kept = begin(desk_of(rules), rules, mode="given", automated=("bob",))
    visit = kept.visit("host")
    log = ledger.log_of(kept.desk.store.log(kept.id))
    assert acting.sealed(visit.state).keys() == {"bob"}
    assert [action["actor"] for action in log[1].proposed] == ["bob"]
    again = replayed(rules, begun(rules, log[1].setup), log[1].proposed)
    assert encode(again.stack) == encode(visit.state.stack)
