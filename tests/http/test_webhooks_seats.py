"""Webhooks at a table whose seats come and go, and whose clocks run out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from service.webhooks.rounds import Rounds
from service.webhooks.targets import Targets
from tests.http.conftest import problem
from tests.http.kept import NOW, Kept, kept_app, opened
from tests.http.test_session_seats import change, changed, claim, seated
from tests.http.test_webhooks import URL, put, resolve
from tests.sessions.stores import imitation

END = {"kind": "end-turn", "actor": "ann"}


@pytest.fixture
def clock() -> list[int]:
    """The time, in ms after NOW."""
    return [0]


@pytest.fixture
def app(clock: list[int]) -> Flask:
    app = kept_app()
    held = app.extensions["arbitr"]
    held.targets = Targets(resolve=resolve)
    held.desk = replace(held.desk, store=imitation(), millis=lambda: NOW * 1000 + clock[0])
    return app


def sent(app: Flask, session: Kept) -> list[tuple[str, int, str | None]]:
    """What goes out now; all of it arrives."""
    held, found = app.extensions["arbitr"], []
    rounds = Rounds(held.desk.store, held.keys, lambda: NOW * 1000)
    for id_ in rounds.of(session.id):
        while (job := rounds.take(session.id, id_)) is not None:
            found.append((job.message.kind, job.message.version, job.message.seat))
            rounds.answered(job, 204)
    return found


def hooked(app: Flask, who: str, **more: Any) -> Kept:
    session = opened(app.test_client(), **more)
    assert put(session, who, {"url": URL}).status_code == 201
    return session


def test_a_seat_that_is_handed_over_takes_no_webhook_along(app: Flask) -> None:
    session = hooked(app, "ann")
    assert sent(app, session) == [("your-decision", 1, "ann")]
    invitation = changed(session, "ann", "ann", "hand-over")["invitation"]
    token = claim(session, "ann", invitation).json["token"]
    after = seated(session, "ann", token)
    problem(after.get("ann", "/webhook"), 404, "no-webhook")
    after.done(END)
    after.done({**END, "actor": "bob"})
    assert sent(app, session) == []
    assert put(after, "ann", {"url": f"{URL}/new"}).status_code == 201
    assert [seat for _, _, seat in sent(app, session)] == ["ann"]


def test_who_leaves_is_told_nothing_more_and_the_host_is_still(app: Flask) -> None:
    session = hooked(app, "ann")
    put(session, "host", {"url": f"{URL}/host"})
    assert len(sent(app, session)) == 2
    assert change(session, "ann", "ann", "leave").status_code == 200
    changed(session, "host", "ann", "automate")
    found = sent(app, session)
    assert {seat for _, _, seat in found} == {"bob"}, "the prudent player has acted, and bob is the next"
    assert len(found) == 1


def test_a_change_of_seats_calls_nobody_anew(app: Flask) -> None:
    session = hooked(app, "ann")
    sent(app, session)
    changed(session, "ann", "ann", "rename", {"name": "Anna"})
    changed(session, "host", "bob", "invite")
    assert sent(app, session) == []


def test_a_seat_for_which_the_prudent_player_acts_is_not_called(app: Flask) -> None:
    session = hooked(app, "bob")
    put(session, "host", {"url": f"{URL}/host"})
    sent(app, session)
    changed(session, "host", "bob", "automate")
    session.done(END)
    assert [seat for _, _, seat in sent(app, session)] == ["ann"], "it is her turn again within the request"
    session.done(END)
    assert [seat for _, _, seat in sent(app, session)] == ["ann"]


def test_time_that_is_up_ends_the_session_and_all_are_told(app: Flask, clock: list[int]) -> None:
    session = hooked(app, "bob", clock={"per": "turn", "seconds": 60, "on_timeout": "end"})
    put(session, "host", {"url": f"{URL}/host"})
    assert sent(app, session) == [("your-decision", 1, "ann")]
    clock[0] = 60_001
    assert session.get("spectator").json["session"]["ended"]["seats"] == ["ann"]
    assert sorted(sent(app, session), key=str) == sorted(
        [("game-over", session.version, "bob"), ("game-over", session.version, None)], key=str
    )
    assert sent(app, session) == []


@pytest.mark.parametrize("successor", [True, False])
def test_who_loses_the_seat_while_the_name_is_looked_up_takes_nothing_from_the_next(
    app: Flask, successor: bool
) -> None:
    session = opened(app.test_client())
    after: list[Kept] = []

    def slow(host: str) -> Sequence[str]:
        """Meanwhile the seat passes to another, who sets a webhook of his own."""
        if host == "slow.example.org":
            invitation = changed(session, "ann", "ann", "hand-over")["invitation"]
            after.append(seated(session, "ann", claim(session, "ann", invitation).json["token"]))
            if successor:
                assert put(after[0], "ann", {"url": f"{URL}/next"}).status_code == 201
        return ["8.8.8.8"]

    app.extensions["arbitr"].targets = Targets(resolve=slow)
    assert put(session, "ann", {"url": f"{URL}/old"}).status_code == 201
    problem(put(session, "ann", {"url": "https://slow.example.org/"}), 404, "unknown-session")
    (seat,) = after
    if successor:
        assert seat.get("ann", "/webhook").json["url"] == f"{URL}/next"
        assert sent(app, seat) == [("your-decision", seat.version, "ann")]
    else:
        problem(seat.get("ann", "/webhook"), 404, "no-webhook")
        assert put(seat, "ann", {"url": URL}).status_code == 201
        assert seat.get("ann", "/webhook").json["url"] == URL


@pytest.mark.parametrize("taking_away", [True, False])
def test_who_loses_the_seat_before_the_hooks_are_swapped_takes_nothing_either(
    app: Flask, monkeypatch: pytest.MonkeyPatch, taking_away: bool
) -> None:
    session, after = opened(app.test_client()), []
    store = app.extensions["arbitr"].desk.store
    swap = store.swap_hooks

    def late(name: str, before: bytes, blob: bytes) -> bool:
        monkeypatch.setattr(store, "swap_hooks", swap)
        invitation = changed(session, "ann", "ann", "hand-over")["invitation"]
        after.append(seated(session, "ann", claim(session, "ann", invitation).json["token"]))
        assert put(after[0], "ann", {"url": f"{URL}/next"}).status_code == 201
        return bool(swap(name, before, blob))

    assert put(session, "ann", {"url": f"{URL}/old"}).status_code == 201
    monkeypatch.setattr(store, "swap_hooks", late)
    at = f"/v1/sessions/{session.id}/webhook"
    method = "delete" if taking_away else "put"
    body = None if taking_away else {"url": URL}
    answer = session.client.open(at, method=method, json=body, headers=session.headers("ann"))
    problem(answer, 404, "unknown-session")
    assert after[0].get("ann", "/webhook").json["url"] == f"{URL}/next"
