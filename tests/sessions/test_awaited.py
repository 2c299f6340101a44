"""For whom the game waits, as the log notes it: what everybody is told, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest

from service.engine.state import CHANCE
from service.games import REGISTRY
from service.sessions import ledger, sitting
from service.sessions.acting import Proposal
from service.sessions.sitting import awaited, deciding
from service.sessions.undoing import rewind
from service.sessions.visit import Visit
from tests.conformance.toy import RULES as HARBOUR
from tests.http import toy
from tests.sessions.games import Kept, begin, desk_of, plays


def noted(kept: Kept, version: int) -> list[str] | None:
    ((_, entry),) = kept.desk.store.log(kept.id, version - 1, 1)
    return ledger.waits_of(entry)


def told(visit: Visit) -> set[str]:
    """Everybody who is named in the decisions, as a spectator is told them."""
    found = set()
    for decision, answered in deciding(visit):
        if decision.actor != CHANCE:
            found.add(f"seat:{decision.actor}")
        else:
            assert answered is not None
            found |= {f"seat:{seat}" for seat in answered.get("seats", ())} | set(answered.get("roles", ()))
    return found


@pytest.mark.parametrize("rules", [HARBOUR, *REGISTRY], ids=lambda rules: rules.game)
def test_the_log_notes_what_everybody_is_told(rules: Any) -> None:
    seats = ("ann", "bob", "cyd")[: max(2, rules.least_seats)]
    kept = begin(desk_of(rules), rules, seats=seats)
    assert noted(kept, 1) is None, "a hook begins with the table that its holder sees"
    versions = 0
    for _ in plays(kept, random.Random(3), 40):
        visit = kept.visit("spectator")
        found = noted(kept, visit.version)
        assert found == awaited(visit)
        assert bool(found) == (visit.state.outcome is None)
        assert set(found or ()) <= told(visit)
        versions += 1
    assert versions


def test_a_rewind_is_noted_like_everything_else() -> None:
    rules = toy.make("1.0")
    kept = begin(desk_of(rules), rules, seats=("ann", "bob"))
    first = awaited(kept.visit("spectator"))
    kept.act({"kind": "end-turn", "actor": first[0].removeprefix("seat:")})
    assert noted(kept, 2) != first
    rewind(kept.visit("host"), 1, Proposal((2,), b""), lambda made: b"")
    assert noted(kept, 3) == first


def test_where_chance_is_given_the_game_waits_for_who_may_answer() -> None:
    rules = toy.make("1.0")
    kept = begin(desk_of(rules), rules, mode="given", seats=("ann", "bob"))
    visit = kept.visit("spectator")
    assert [d.actor for d, _ in deciding(visit)] == [CHANCE]
    (seat,) = awaited(visit)
    who = seat.removeprefix("seat:")
    assert who in ("ann", "bob")
    card = next(o.act for o in sitting.options(kept.visit(who), sitting.listing.Tries()))
    kept.act(card.to_wire(), who=who)
    assert noted(kept, 2) == awaited(kept.visit("spectator")) == [seat], "whoever drew the card acts"


def test_in_a_window_for_all_those_are_noted_who_have_not_answered() -> None:
    kept = begin(desk_of(HARBOUR), HARBOUR, seats=("ann", "bob", "cyd"))
    rng = random.Random(1)
    together = 0
    for _ in plays(kept, rng, 60):
        visit = kept.visit("spectator")
        if visit.window is not None and visit.window.ask.together:
            together += 1
            assert noted(kept, visit.version) == [f"seat:{s}" for s in visit.window.actors]
            assert awaited(kept.visit("ann")) == awaited(visit) == awaited(kept.visit("host"))
    assert together
