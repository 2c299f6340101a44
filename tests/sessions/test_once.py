"""A commit goes over the thread's own connection, and once: whatever happens to it, nothing is written twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import redis

from service.sessions.redis_store import RedisStore
from service.sessions.store import Stale, StoreAway, Stored
from tests.sessions.test_store import BEGUN, FIRST, NEXT

HAVING = replace(NEXT, key="a key", kept=FIRST)


@pytest.fixture
def embedded(servers: Any) -> RedisStore:
    return RedisStore.at(servers("embedded"))


def plainly(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the client has it: out of its pool, with all that it wraps around a script."""
    monkeypatch.setattr(store, "_once", lambda client, script, keys, given: script(keys, given, client))


def test_every_answer_is_that_of_the_plain_way(
    servers: Any, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick, plain = (RedisStore.at(servers("embedded")) for _ in range(2))
    plainly(plain, monkeypatch)
    other = session[:-4] + "face"
    for change in (NEXT, BEGUN, BEGUN, HAVING, HAVING, replace(HAVING, before=2), replace(NEXT, before=9)):
        assert quick.commit(session, change) == plain.commit(other, change)
        assert quick.read(session) == plain.read(other)
        assert quick.log(session) == plain.log(other)


def test_a_server_that_has_forgotten_the_script_is_told_it(embedded: RedisStore, session: str) -> None:
    assert embedded.commit(session, BEGUN) is None
    embedded._connected().script_flush()
    assert embedded.commit(session, NEXT) is None
    assert embedded.commit(session, NEXT) == Stale(2)


def test_a_connection_that_was_closed_meanwhile_is_made_anew(embedded: RedisStore, session: str) -> None:
    assert embedded.commit(session, BEGUN) is None
    for how in ("server", "here"):
        if how == "server":
            embedded._connected().client_kill_filter(_type="normal", skipme=False)
        else:
            embedded._own.connection.disconnect()
        before = embedded.read(session)
        embedded._connected().client_kill_filter(_type="normal", skipme=False)
        assert before is not None
        assert embedded.commit(session, replace(NEXT, before=before.version)) is None


@pytest.mark.parametrize("fault", [redis.ConnectionError, redis.TimeoutError, OSError])
def test_an_answer_that_is_lost_is_told_and_nothing_is_sent_again(
    embedded: RedisStore, session: str, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    embedded.commit(session, BEGUN)
    sent: list[str] = []
    connection = embedded._own.connection
    send = connection.send_command

    def noted(*command: Any) -> None:
        sent.append(command[0])
        send(*command)

    def lost(*given: Any, **more: Any) -> Any:
        raise fault

    with monkeypatch.context() as patched:
        patched.setattr(connection, "send_command", noted)
        patched.setattr(connection, "read_response", lost)
        with pytest.raises(StoreAway):
            embedded.commit(session, NEXT)
    assert sent == ["EVALSHA"]
    embedded._presence(session).away_until = 0.0
    assert embedded.read(session) == Stored(2, 2, 2_000_000_001, b"about", b"state 2"), (
        "it was done, and once"
    )
    assert len(embedded.log(session)) == 2


def test_an_answer_of_one_is_never_read_as_that_of_the_next(
    embedded: RedisStore, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is interrupted leaves a connection behind that nobody reads on."""
    embedded.commit(session, BEGUN)
    connection = embedded._own.connection

    def interrupted(*given: Any, **more: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(connection, "read_response", interrupted)
        with pytest.raises(KeyboardInterrupt):
            embedded.commit(session, NEXT)
    assert embedded.commit(session, NEXT) == Stale(2)
    assert embedded.read(session) is not None


def test_a_refusal_leaves_the_connection_as_it_is(embedded: RedisStore, session: str) -> None:
    embedded.commit(session, BEGUN)
    connection = embedded._own.connection
    log, more = f"arbitr:{{{session}}}:log", ("0", "1", *[""] * 9, "0000000000000", "0", "0")
    with embedded._asked(session) as client, pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        embedded._once(client, embedded._scripts["commit.lua"], [log, log], more)
    assert embedded._own.connection is connection
    assert embedded.commit(session, NEXT) is None
