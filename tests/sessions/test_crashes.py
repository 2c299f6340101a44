"""What a client gets that asks again after the worker or the store went down in the middle of its request."""

from __future__ import annotations

import random
from typing import Any

import pytest

from service.engine.options import options
from service.engine.state import CHANCE
from service.engine.table import Table
from service.sessions import acting, ledger
from service.sessions.acting import Made, Proposal
from service.sessions.store import StoreAway
from tests.conformance.subjects import filled
from tests.conformance.toy import RULES as HARBOUR
from tests.sessions.games import Kept, begin, desk_of


class Killed(Exception):
    """Somebody pulled the plug."""


def next_action(kept: Kept) -> dict[str, Any]:
    table = Table(HARBOUR, kept.visit("spectator").state)
    return filled(table, next(o for o in options(table) if o.act.actor != CHANCE).act, random.Random(1))


def ask(kept: Kept, action: dict[str, Any], version: int, key: str = "k", told: str = "first") -> bytes:
    visit = kept.visit(action["actor"], key)
    return acting.act(
        visit, action, Proposal((version,), b"asked"), lambda made: f"{told} {made.visit.version}".encode()
    )


@pytest.mark.parametrize("error", [Killed, StoreAway])
def test_between_commit_and_answer(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    kept = begin(desk_of(HARBOUR), HARBOUR)
    store: Any = kept.desk.store
    sound = store.commit

    def commit(*given: Any) -> None:
        sound(*given)
        raise error

    monkeypatch.setattr(store, "commit", commit)
    action = next_action(kept)
    with pytest.raises(error):
        ask(kept, action, 1)
    monkeypatch.setattr(store, "commit", sound)
    assert ask(kept, action, 1, told="second") == b"first 2"
    assert ask(kept, action, 1, told="third") == b"first 2"
    assert kept.visit("host").version == 2
    assert len(store.log(kept.id)) == 2


def test_before_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = begin(desk_of(HARBOUR), HARBOUR)
    store: Any = kept.desk.store
    with monkeypatch.context() as broken:
        broken.setattr(store, "commit", lambda *given: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            ask(kept, next_action(kept), 1)
    assert ask(kept, next_action(kept), 1, told="second") == b"second 2"


def test_two_that_are_the_same_at_the_same_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both read before either commits: the script itself gives the second the answer of the first."""
    kept = begin(desk_of(HARBOUR), HARBOUR)
    store: Any = kept.desk.store
    sound, action = store.commit, next_action(kept)

    def commit(*given: Any) -> Any:
        monkeypatch.setattr(store, "commit", sound)
        assert ask(kept, action, 1, told="quicker") == b"quicker 2"
        return sound(*given)

    monkeypatch.setattr(store, "commit", commit)
    assert ask(kept, action, 1, told="slower") == b"quicker 2"
    assert len(store.log(kept.id)) == 2


def test_another_request_under_a_key_that_was_just_used(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = begin(desk_of(HARBOUR), HARBOUR)
    store: Any = kept.desk.store
    sound, action = store.commit, next_action(kept)
    other = Proposal((1,), b"something else")

    def commit(*given: Any) -> Any:
        monkeypatch.setattr(store, "commit", sound)
        ask(kept, action, 1)
        return sound(*given)

    monkeypatch.setattr(store, "commit", commit)
    with pytest.raises(acting.KeyReused):
        acting.act(kept.visit(action["actor"], "k"), action, other, lambda made: b"")


def test_an_action_takes_two_round_trips(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = begin(desk_of(HARBOUR), HARBOUR)
    store: Any = kept.desk.store
    action, trips = next_action(kept), []
    for name in ("read", "commit", "log", "renew", "close"):
        sound = getattr(store, name)
        monkeypatch.setattr(
            store, name, lambda *a, name=name, sound=sound, **m: trips.append(name) or sound(*a, **m)
        )
    from service.sessions.visit import enter

    visit = enter(kept.desk, kept.id, kept.opened.tokens.seats[action["actor"]], key="k", renew=False)
    acting.act(visit, action, Proposal((1,), b"asked"), lambda made: b"told")
    assert trips == ["read", "commit"]


def test_a_session_that_is_idle_is_small() -> None:
    """Six KB without its log; the state, which is most of it, is kept packed."""
    kept = begin(desk_of(HARBOUR), HARBOUR, seats=("ann", "bob", "cyd", "dan"))
    stored = kept.desk.store.read(kept.id)
    assert stored is not None
    assert stored.state is not None
    assert len(stored.state) + len(stored.about) < 3000
    assert len(ledger.unpacked(stored.state)) > len(stored.state)


def test_made_is_what_the_next_visit_sees() -> None:
    kept = begin(desk_of(HARBOUR), HARBOUR)
    kept.act(next_action(kept))
    made: Made = kept.made[0]
    again = kept.visit(made.visit.bearer.seat or "")
    assert (made.visit.version, made.visit.state) == (again.version, again.state)
