"""States that a process remembers are what decoding would give, whoever did what to the session meanwhile."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from service.engine.ruleset import Ruleset
from service.engine.state import AnyState, encode
from service.games import REGISTRY
from service.sessions import ledger, undoing
from service.sessions.acting import Proposal, StaleVersion
from service.sessions.recent import Recent
from service.sessions.undoing import UndoRefused
from service.sessions.visit import Desk, UnknownSession, enter
from tests.sessions.games import Kept, begin, desk_of, plays

SEATS = ("ann", "bob", "cyd")


class Watched(Recent):
    """Holds every answer to what decoding gives, and counts those that took no decoding."""

    def __init__(self) -> None:
        super().__init__()
        self.spared = 0

    def state(self, session: str, rules: Ruleset, packed: bytes) -> AnyState:
        known = self._states.get(session)
        found = super().state(session, rules, packed)
        plain = rules.decode(ledger.unpacked(packed))
        assert type(found) is type(plain)
        assert found == plain
        assert encode(found) == encode(plain) == ledger.unpacked(packed)
        assert msgspec.json.encode(found) == msgspec.json.encode(plain), "the keys in the same order, too"
        self.spared += known is not None and known[2] is found
        return found


@pytest.fixture(params=[r.game for r in REGISTRY])
def rules(request: pytest.FixtureRequest) -> Ruleset:
    return REGISTRY.get(request.param)


def processes(desk: Desk, n: int = 2) -> list[Desk]:
    """So many processes that serve the same sessions."""
    return [replace(desk, recent=Watched()) for _ in range(n)]


def test_of_two_processes_each_knows_what_the_other_did(rules: Ruleset) -> None:
    kept, dice = begin(desk_of(rules), rules), random.Random(11)
    both = processes(kept.desk)
    line = plays(kept, dice)
    for n in range(100):
        kept.desk = dice.choice(both)
        if n % 10 == 9:
            back(kept, dice)
        elif next(line, None) is None:
            break
        for desk in both:
            kept.desk = desk
            assert kept.visit("host").state == decoded(kept)
    assert all(desk.recent.spared > 20 for desk in both)  # type: ignore[attr-defined]


def back(kept: Kept, dice: random.Random) -> None:
    """An undo where it may be, or a rewind."""
    at = kept.visit("host").version
    told = Proposal((at,), b"")
    try:
        undoing.undo(kept.visit(dice.choice(SEATS)), told, lambda made: b"")
    except UndoRefused:
        undoing.rewind(kept.visit("host"), dice.randrange(1, at), told, lambda made: b"")


def decoded(kept: Kept) -> AnyState:
    """The state as the store has it."""
    stored = kept.desk.store.read(kept.id)
    assert stored is not None
    assert stored.state is not None
    return kept.rules.decode(ledger.unpacked(stored.state))


def test_what_is_answered_of_a_new_version_has_its_keys_in_the_order_of_what_is_read(rules: Ruleset) -> None:
    """Also before anybody has read it: the answer to an action, and what automated seats go by."""
    kept, dice = begin(desk_of(rules), rules), random.Random(5)
    for _, _ in zip(range(60), plays(kept, dice), strict=False):
        assert msgspec.json.encode(kept.made[-1].visit.state) == msgspec.json.encode(decoded(kept))


def test_what_another_committed_in_between_is_seen(rules: Ruleset) -> None:
    kept = begin(desk_of(rules), rules)
    one, other = processes(kept.desk)
    kept.desk = one
    late = kept.visit("host")
    assert late.state is not None
    kept.desk = other
    action = next(plays(kept, random.Random(3)))
    kept.desk = one
    with pytest.raises(StaleVersion):
        kept.act(action, version=late.version)
    assert kept.visit("host").version == late.version + 1
    assert kept.visit("host").state == decoded(kept)


def test_a_session_that_has_ended_is_not_remembered_into_being(rules: Ruleset) -> None:
    kept = begin(desk_of(rules), rules)
    kept.desk, _ = processes(kept.desk)
    next(plays(kept, random.Random(3)))
    assert kept.visit("host").state is not None
    kept.desk.store.close(kept.id)
    with pytest.raises(UnknownSession):
        enter(kept.desk, kept.id, kept.opened.tokens.host)


def test_the_longest_unused_is_forgotten(rules: Ruleset) -> None:
    kept = begin(desk_of(rules), rules)
    packed = kept.desk.store.read(kept.id)
    assert packed is not None
    assert packed.state is not None
    recent = Recent(most=2)
    first = recent.state("a", rules, packed.state)
    assert recent.state("a", rules, packed.state) is first
    recent.state("b", rules, packed.state)
    recent.state("c", rules, packed.state)
    assert recent.state("a", rules, packed.state) is not first


def test_other_bytes_or_other_rules_are_decoded(rules: Ruleset) -> None:
    kept = begin(desk_of(rules), rules)
    stored = kept.desk.store.read(kept.id)
    assert stored is not None
    assert stored.state is not None
    recent = Recent()
    first = recent.state("a", rules, stored.state)
    changed: Any = rules.decode(ledger.unpacked(stored.state))
    changed.turn += 1
    assert recent.state("a", rules, ledger.packed(encode(changed))).turn == first.turn + 1
    assert recent.state("a", rules, stored.state) is not first
