"""The contract of the store, held by every server that is there."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from service.sessions import redis_store
from service.sessions.cluster import Cluster
from service.sessions.embedded import EmbeddedStore, find_server
from service.sessions.memory import MemoryStore
from service.sessions.rates import Rate, Spent, TooOften
from service.sessions.redis_store import RedisStore
from service.sessions.store import Change, Changed, Kept, NoStore, Stale, StoreAway, Stored, StoreFull
from tests.conformance.toy import RULES as HARBOUR
from tests.patience import Pace, until
from tests.sessions.games import begin, desk_of

BEGUN = Change(0, b"state 1", 0, b"entry 1", 2_000_000_000, 3600, about=b"about")
NEXT = Change(1, b"state 2", 2, b"entry 2", 2_000_000_001, 3600)
FIRST = Kept(b"a digest", b"the answer \x00\xff")


def test_a_session_is_read_as_it_was_written(store: RedisStore, session: str) -> None:
    assert store.read(session) is None
    assert store.commit(session, BEGUN) is None
    assert store.read(session) == Stored(1, 0, 2_000_000_000, b"about", b"state 1")
    assert store.read(session, state=False) == Stored(1, 0, 2_000_000_000, b"about")
    assert store.commit(session, NEXT) is None
    assert store.read(session) == Stored(2, 2, 2_000_000_001, b"about", b"state 2")
    assert store.log(session) == [(1, b"entry 1"), (2, b"entry 2")]


def test_a_version_is_made_once(store: RedisStore, session: str) -> None:
    store.commit(session, BEGUN)
    assert store.commit(session, replace(BEGUN, state=b"other")) == Stale(1)
    assert store.commit(session, NEXT) is None
    assert store.commit(session, replace(NEXT, state=b"other")) == Stale(2)
    assert store.commit(session, replace(NEXT, before=7)) == Stale(2)
    assert store.read(session) == Stored(2, 2, 2_000_000_001, b"about", b"state 2")
    assert len(store.log(session)) == 2


def test_what_is_not_there_is_no_version(store: RedisStore, session: str) -> None:
    assert store.commit(session, NEXT) == Stale(0)
    assert store.read(session) is None
    assert store.log(session) == []


def test_the_log_is_told_from_a_version_on(store: RedisStore, session: str) -> None:
    store.commit(session, BEGUN)
    for n in range(1, 12):
        store.commit(session, Change(n, b"", 0, b"%d" % (n + 1), 2_000_000_000, 60))
    assert [version for version, _ in store.log(session)] == list(range(1, 13))
    assert store.log(session, after=9) == [(10, b"10"), (11, b"11"), (12, b"12")]
    assert store.log(session, after=2, limit=2) == [(3, b"3"), (4, b"4")]
    assert store.log(session, after=12) == []


def test_a_key_gives_the_first_answer_and_writes_nothing_more(store: RedisStore, session: str) -> None:
    store.commit(session, BEGUN)
    keyed = replace(NEXT, key="k", kept=FIRST)
    assert store.commit(session, keyed) is None
    again = replace(keyed, before=2, kept=Kept(b"a digest", b"another answer"))
    assert store.commit(session, again) == FIRST
    assert store.commit(session, keyed) == FIRST, "also where the version is stale"
    read = store.read(session, key="k")
    assert read is not None
    assert (read.version, read.kept) == (2, FIRST)
    other = store.read(session, state=False, key="another")
    assert other is not None
    assert other.kept is None


def test_who_commits_too_often_is_told_when_to_go_on_and_nothing_is_written(
    store: RedisStore, session: str
) -> None:
    now = [1_900_000_000_000]
    store._now, store._rate = lambda: now[0], Rate("token-actions", 2)
    store.commit(session, BEGUN)
    changes = [replace(NEXT, before=n, by="seat:ann", key=f"k{n}", kept=FIRST) for n in range(1, 24)]
    assert [store.commit(session, change) for change in changes[:20]] == [None] * 20
    with pytest.raises(TooOften) as caught:
        store.commit(session, changes[20])
    assert (caught.value.spent.left, caught.value.spent.wait, caught.value.spent.full_in) == (0, 1, 10)
    read = store.read(session, key="k21")
    assert read is not None
    assert (read.version, read.kept, len(store.log(session))) == (21, None, 21)
    assert store.commit(session, changes[3]) == FIRST, "what was answered is answered again"
    assert store.commit(session, replace(changes[20], before=7, key="new")) == Stale(21)
    assert store.commit(session, replace(changes[20], by="seat:bob")) is None
    now[0] += 750
    assert store.commit(session, changes[21]) is None
    with pytest.raises(TooOften) as caught:
        store.commit(session, changes[22])
    assert (caught.value.spent.left, caught.value.spent.wait) == (0.5, 1)


def test_a_bucket_is_shared_and_fills_by_itself(store: RedisStore, session: str) -> None:
    now, rate = [1_900_000_000_000], Rate("address-actions", 1)
    store._now = lambda: now[0]
    spent = [store.spend(session, rate) for _ in range(12)]
    assert [s.left for s in spent] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]
    assert [s.enough for s in spent] == [True] * 10 + [False] * 2
    assert store.spend(f"{session}:other", rate).left == 9
    now[0] += 1250
    assert store.spend(session, rate) == Spent(rate, 0.25)
    assert store.spend(session, rate) == Spent(rate, 0.25, enough=False)
    now[0] += 60_000
    assert store.spend(session, rate).left == 9


def test_one_of_many_that_commit_at_once_wins(store: RedisStore, session: str) -> None:
    store.commit(session, BEGUN)
    start, answers = threading.Barrier(8), []

    def commit(n: int) -> None:
        start.wait()
        answers.append(store.commit(session, replace(NEXT, state=b"%d" % n)))

    threads = [threading.Thread(target=commit, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, answers)) == sorted(map(str, [None] + [Stale(2)] * 7))


def keys_of(store: RedisStore, session: str) -> list[Any]:
    """What there is of a session. A node of a cluster tells of its own keys alone: there they are asked for by name."""
    client = store._connected()
    if not isinstance(client, Cluster):
        return client.keys(f"*{session}*")
    names = [f"arbitr:{{{session}}}:{part}".encode() for part in ("session", "log", "kept", "ages")]
    return [name for name in names if client.exists(name)]


def times_left(store: RedisStore, session: str) -> list[float]:
    """Seconds after which the server forgets each key of a session."""
    client = store._connected()
    keys = keys_of(store, session)
    assert len(keys) == 2
    return [client.pttl(key) / 1000 for key in keys]


def test_a_session_ends_by_itself_with_all_that_is_its_own(store: RedisStore, session: str) -> None:
    store.commit(session, replace(BEGUN, ttl=60))
    assert all(0 < left <= 60 for left in times_left(store, session))
    store.renew(session, 2_000_000_123, 120)
    assert all(60 < left <= 120 for left in times_left(store, session))
    found = store.read(session)
    assert found is not None
    assert found.expires == 2_000_000_123
    assert store.log(session)
    store.renew(session, 2_000_000_123, 1)
    assert until(lambda: store.read(session) is None)
    assert store.log(session) == []
    store.renew(session, 2_000_000_123, 60)
    assert store.read(session) is None


def test_an_action_lets_a_session_live_on(store: RedisStore, session: str) -> None:
    store.commit(session, replace(BEGUN, ttl=60))
    store.commit(session, NEXT)
    assert all(3500 < left <= 3600 for left in times_left(store, session))
    assert store.read(session) is not None
    assert len(store.log(session)) == 2


def test_a_closed_session_has_gone(store: RedisStore, session: str) -> None:
    store.commit(session, BEGUN)
    store.commit(session, replace(NEXT, key="k", kept=FIRST))
    assert store.close(session) is True
    assert store.close(session) is False
    assert store.read(session) is None
    assert store.log(session) == []
    assert keys_of(store, session) == [], "nor do the answers stay that were kept under keys"


def test_an_answer_is_kept_for_a_day(store: RedisStore, session: str) -> None:
    day, now = 24 * 3600 * 1000, [1_900_000_000_000]
    store._now = lambda: now[0]
    store.commit(session, BEGUN)
    for n in range(1, 6):
        store.commit(session, Change(n, b"", 0, b"x", 2_000_000_000, 3600, key=f"k{n}", kept=FIRST))
        now[0] += 1000
    again = Change(6, b"", 0, b"x", 2_000_000_000, 3600, key="k2", kept=Kept(b"another", b"new"))
    now[0] += day - 4001
    assert store.read(session, key="k2").kept == store.commit(session, again) == FIRST  # type: ignore[union-attr]
    now[0] += 1
    assert store.read(session, key="k2").kept is None  # type: ignore[union-attr]
    assert store.commit(session, again) is None
    assert store.commit(session, replace(again, before=7)) == Kept(b"another", b"new")
    client = store._connected()
    assert sorted(client.hkeys(f"arbitr:{{{session}}}:kept")) == [b"k2", b"k3", b"k4", b"k5"]
    now[0] += 5000
    assert store.commit(session, replace(again, before=7, key="k9")) is None
    assert sorted(client.hkeys(f"arbitr:{{{session}}}:kept")) == [b"k2", b"k9"], "what is too old has gone"
    assert client.llen(f"arbitr:{{{session}}}:ages") == 2


def test_sessions_are_planned_to_be_looked_at(store: RedisStore, session: str) -> None:
    def planned(until: int) -> list[tuple[str, int]]:
        return [(name, at) for name, at in store.planned(until, 1000) if name.startswith(session)]

    one, two = f"{session}a", f"{session}b"
    store.plan(one, 1_900_000_000_002)
    store.plan(two, 1_900_000_000_001)
    assert planned(1_900_000_000_000) == []
    assert planned(1_900_000_000_002) == [(two, 1_900_000_000_001), (one, 1_900_000_000_002)]
    assert store.planned(1_900_000_000_002, 1)[0][1] == store.next_planned()
    store.replan(one, 1_900_000_000_002, 1_900_000_000_003)
    store.replan(two, 1_900_000_000_002, 1_900_000_000_009)
    assert planned(1_900_000_000_005) == [(two, 1_900_000_000_001), (one, 1_900_000_000_003)]
    store.replan(two, 1_900_000_000_001, None)
    store.replan(two, 1_900_000_000_001, 1_900_000_000_001)
    assert planned(1_900_000_000_005) == [(one, 1_900_000_000_003)], "what is not planned is not planned anew"
    store.plan(one, None)
    store.plan(one, None)
    assert planned(1_900_000_000_005) == []


def test_changes_are_told(store: RedisStore, session: str) -> None:
    changes = store.changes()
    assert next(changes) is None
    store.commit(session, BEGUN)
    store.swap_hooks(session, b"", b"one")
    store.commit(session, NEXT)
    store.swap_hooks(session, b"one", b"")
    store.commit(session, replace(NEXT, before=2))
    store.swap_hooks(session, b"", b"two")
    store.close(session)
    heard: list[Any] = []
    while len([h for h in heard if h and h.session == session]) < 4 and len(heard) < 12:
        heard.append(next(changes))  # in a cluster what others were told may come late
    assert [h for h in heard if h and h.session == session] == [
        Changed(session, 1, False),
        Changed(session, 2, True),
        Changed(session, 3, False),
        Changed(session, 0, False),
    ]
    changes.close()


@pytest.mark.parametrize(
    ("published", "read"),
    [
        (f"{'a' * 32} 5 1", Changed("a" * 32, 5, True)),
        (f"{'a' * 32} 5 0", Changed("a" * 32, 5, False)),
        (f"{'a' * 32} 0", Changed("a" * 32, 0, False)),
        (f"{'a' * 32} 5", Changed("a" * 32, 5, None)),
        ("a" * 32, Changed("a" * 32, None, None)),
        (f"{'a' * 32} 5 2 and more", Changed("a" * 32, 5, None)),
        (f"{'a' * 32} x 1", Changed("a" * 32, None, True)),
        ("", Changed("", None, None)),
    ],
)
def test_what_servers_of_every_release_publish_is_read(published: str, read: Changed) -> None:
    """While servers are replaced one by one, those of two releases hear each other."""
    assert redis_store._changed(published.encode()) == read


@pytest.mark.parametrize(("published", "version"), [("x 5 1", None), ("x 5 0", None), ("x 0", 0)])
def test_servers_of_earlier_releases_read_what_is_published_now(published: str, version: int | None) -> None:
    """They took it apart so, and look for a version that they cannot read."""
    session, _, told_version = published.partition(" ")
    assert session == "x"
    assert (int(told_version) if told_version.isdecimal() else None) == version


def told(changes: Iterator[Changed | None]) -> Changed:
    """What is told next, however long it takes."""
    found: list[Changed] = []
    assert until(lambda: (heard := next(changes)) is not None and not found.append(heard), every=0)
    return found[0]


def test_all_keys_of_a_session_lie_in_one_slot(store: RedisStore, session: str) -> None:
    store.commit(session, BEGUN)
    store.commit(session, replace(NEXT, key="k", kept=FIRST))
    keys = keys_of(store, session)
    assert len(keys) == 4
    assert all(key.startswith(b"arbitr:{%s}:" % session.encode()) for key in keys)
    for name in ("kept", "ages"):
        assert 0 < store._connected().pttl(f"arbitr:{{{session}}}:{name}") <= 24 * 3600 * 1000


def test_a_server_that_is_not_there_is_away_at_once(tmp_path: object) -> None:
    store = RedisStore.at(f"unix://{tmp_path}/none.sock")
    with Pace() as pace:
        begun = time.monotonic()
        for _ in range(20):
            with pytest.raises(StoreAway):
                store.read("x")
        took = time.monotonic() - begun
    assert took < 0.5 * pace.slower
    assert store.unreachable() == "ConnectionError"


def test_a_store_that_comes_back_is_used_again(store: RedisStore, session: str) -> None:
    store.commit(session, BEGUN)
    store._presence(session).away_until = time.monotonic() + 100
    with pytest.raises(StoreAway):
        store.read(session)
    store._presence(session).away_until = time.monotonic() - 0.001
    assert store.read(session) is not None


def test_one_call_alone_tries_whether_it_is_back(store: RedisStore, session: str) -> None:
    store.commit(session, BEGUN)
    store._presence(session).away_until = time.monotonic() - 1
    with store._asked(session), pytest.raises(StoreAway):
        store.read(session)
    assert store.read(session) is not None
    store._presence(session).away_until = time.monotonic() - 1
    with pytest.raises(StoreAway), store._asked(session) as client:
        client.hget(f"arbitr:{{{session}}}:log", "a stream is no hash")
    assert store.read(session) is not None, "a refusal is an answer too"
    store._presence(session).away_until = time.monotonic() - 1
    assert store.read(session) is not None
    presence = store._presence(session)
    assert (presence.away_until, presence.trial.locked()) == (0.0, False)


@pytest.mark.parametrize("kind", ["embedded", "redis-server"])
def test_a_full_store_says_so_and_changes_nothing(servers: object, kind: str, session: str) -> None:
    store = RedisStore.at(servers(kind))  # type: ignore[operator]
    store.commit(session, BEGUN)
    store.commit(session, replace(NEXT, key="k", kept=FIRST))
    client = store._connected()
    client.config_set("maxmemory", "1")
    try:
        with pytest.raises(StoreFull):
            store.commit(session, replace(NEXT, before=2))
        with pytest.raises(StoreFull):
            store.commit(f"{session}x", BEGUN)
        assert store.commit(session, replace(NEXT, key="k", kept=FIRST)) == FIRST, "reading still works"
        assert store.read(session) == Stored(2, 2, 2_000_000_001, b"about", b"state 2")
        assert len(store.log(session)) == 2
    finally:
        client.config_set("maxmemory", "0")
    assert store.commit(session, replace(NEXT, before=2)) is None


@pytest.mark.parametrize("setting", ["maxmemory", "min-replicas-to-write"])
@pytest.mark.parametrize("kind", ["embedded", "redis-server"])
def test_a_session_is_read_where_the_store_does_not_let_it_be_renewed(
    servers: object, kind: str, setting: str
) -> None:
    store, now = RedisStore.at(servers(kind)), [1_900_000_000]  # type: ignore[operator]
    desk = replace(desk_of(HARBOUR), store=store, now=lambda: now[0])
    kept = begin(desk, HARBOUR)
    expires = kept.visit("ann").expires
    now[0] += 1800
    client = store._connected()
    client.config_set(setting, "1")
    try:
        assert kept.visit("ann").expires == expires, "it ends when it would have"
    finally:
        client.config_set(setting, "0")
    assert kept.visit("ann").expires == expires + 1800


@pytest.mark.parametrize("kind", ["embedded", "redis-server"])
def test_a_store_that_cannot_write_to_its_disk_is_full(servers: object, kind: str, tmp_path: Any) -> None:
    servers(kind)  # type: ignore[operator]  # skips where there is none
    found = find_server() if kind == "embedded" else shutil.which(kind)
    server = EmbeddedStore(str(found), tmp_path / "data")
    server.start()
    try:
        store = RedisStore.at(server.url)
        store.commit("x", BEGUN)
        begun, client = store.read("x"), store._connected()
        client.config_set("save", "3600 1")
        shutil.rmtree(tmp_path / "data")  # where it would write; the connections stay
        client.bgsave()
        assert until(lambda: client.info("persistence")["rdb_last_bgsave_status"] != "ok")
        store._presence().away_until = time.monotonic() - 1
        with pytest.raises(StoreFull):
            store.commit("x", NEXT)
        assert store._presence().away_until == 0, "it has answered"
        assert store.unreachable() is None, "what it holds can be read"
        assert store.read("x") == begun
    finally:
        os.kill(server.pid, signal.SIGKILL)  # it would not end without having written
        server.stop()


@pytest.mark.parametrize("kind", ["embedded", "redis-server"])
def test_a_listener_that_is_cut_off_is_in_nobodys_way(servers: object, kind: str, session: str) -> None:
    store = RedisStore.at(servers(kind))  # type: ignore[operator]
    store.commit(session, BEGUN)
    changes = store.changes()
    assert next(changes) is None
    assert store._connected().client_kill_filter(_type="pubsub") == 1
    with pytest.raises(StoreAway):
        next(changes)
    assert store.read(session) is not None


@pytest.mark.parametrize("kind", ["embedded", "redis-server"])
def test_silence_is_no_sign_of_life(
    servers: object, kind: str, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that hangs while somebody listens: one call at a time asks it, all others are told at once."""
    monkeypatch.setattr(redis_store, "LISTEN_WAIT", 0.2)
    store = RedisStore.at(servers(kind))  # type: ignore[operator]
    store.commit(session, BEGUN)
    changes = store.changes()
    assert next(changes) is None
    pid = store._connected().info("server")["process_id"]
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(StoreAway):
            store.read(session)
        away = store._presence().away_until
        assert away
        assert next(changes) is None, "nothing was heard"
        assert store._presence().away_until == away
        another = store.changes()
        assert next(another) is None, "one that begins only now hears nothing either"
        assert store._presence().away_until == away
        another.close()
    finally:
        os.kill(pid, signal.SIGCONT)
    assert until(lambda: answers(store, session)), "when it has been left alone for a while"
    store.close(session)
    assert told(changes) == Changed(session, 0, False)
    changes.close()


def answers(store: RedisStore, session: str) -> bool:
    """Whether the store finds the session, and is not away."""
    try:
        return store.read(session) is not None
    except StoreAway:
        return False


def test_the_store_in_memory_answers_as_a_server_does(store: RedisStore, session: str) -> None:
    calls: list[tuple[Any, ...]] = [
        ("read", session),
        ("commit", session, NEXT),
        ("commit", session, BEGUN),
        ("commit", session, BEGUN),
        ("read", session),
        ("commit", session, replace(NEXT, key="k", kept=FIRST)),
        ("commit", session, replace(NEXT, before=2, key="k", kept=Kept(b"x", b"y"))),
        ("commit", session, replace(NEXT, before=2)),
        ("renew", session, 2_000_000_123, 60),
        ("read", session),
        ("log", session),
        ("log", session, 1),
        ("log", session, 1, 1),
        ("keep_ticket", session, "name", b"ticket", 60),
        ("take_ticket", session, "another"),
        ("take_ticket", session, "name"),
        ("take_ticket", session, "name"),
        ("swap_hooks", session, b"", b"one"),
        ("swap_hooks", session, b"", b"two"),
        ("hooks", session),
        ("plan", session, 5),
        ("planned", 4, 10),
        ("planned", 5, 10),
        ("replan", session, 4, 3),
        ("replan", session, 5, 3),
        ("next_planned",),
        ("plan", session, None),
        ("close", session),
        ("close", session),
        ("renew", session, 2_000_000_123, 60),
        ("read", session),
        ("log", session),
        ("swap_hooks", session, b"", b"one"),
        ("hooks", session),
        ("unreachable",),
    ]
    memory = MemoryStore()
    for name, *given in calls:
        assert getattr(memory, name)(*given) == getattr(store, name)(*given), name
    store.commit(session, BEGUN)
    memory.commit(session, BEGUN)
    for kept in (store, memory):
        kept.commit(session, replace(NEXT, key="k", kept=FIRST))
    for asked in ({"state": False}, {"key": "k"}, {"key": "other"}):
        assert memory.read(session, **asked) == store.read(session, **asked)  # type: ignore[arg-type]


def test_a_ticket_is_taken_once_and_lives_as_long_as_is_said(store: RedisStore, session: str) -> None:
    store.keep_ticket(session, "name", b"ticket", 60)
    assert store.take_ticket(session, "another") is None
    assert store.take_ticket("f" * 32, "name") is None
    assert 58 <= store._connected().ttl(f"arbitr:{{{session}}}:ticket:name") <= 60
    assert [store.take_ticket(session, "name") for _ in range(2)] == [b"ticket", None]


def test_without_a_store_everything_is_away() -> None:
    store = NoStore()
    with pytest.raises(StoreAway):
        store.read("x")
    assert store.unreachable() == "no store is set (ARBITR_REDIS_URL)"


def test_what_is_kept_of_webhooks_changes_for_one_and_ends_with_the_session(
    store: RedisStore, session: str
) -> None:
    assert store.hooks(session) == b""
    assert store.swap_hooks(session, b"", b"one") is False, "there is no such session"
    assert store.read(session) is None, "and it does not come to be"
    store.commit(session, replace(BEGUN, ttl=1))
    assert store.swap_hooks(session, b"", b"one") is True
    assert store.swap_hooks(session, b"", b"two") is False
    assert store.swap_hooks(session, b"one", b"two \x00\xff") is True
    store.commit(session, replace(NEXT, ttl=1))
    assert store.hooks(session) == b"two \x00\xff", "a new version leaves it"
    assert store.read(session) == Stored(2, 2, 2_000_000_001, b"about", b"state 2")
    assert store.swap_hooks(session, b"two \x00\xff", b"") is True
    assert store.hooks(session) == b""
    assert store.swap_hooks(session, b"", b"three") is True
    time.sleep(1.2)
    assert store.hooks(session) == b""
    store.commit(session, BEGUN)
    store.swap_hooks(session, b"", b"four")
    store.close(session)
    assert store.hooks(session) == b""


@pytest.mark.parametrize("kind", ["memory", "store"])
def test_webhooks_are_planned_in_the_order_of_time(store: RedisStore, kind: str) -> None:
    kept: Any = MemoryStore() if kind == "memory" else store
    kept.drop_hooks(kept.planned_hooks(None, 1000))
    for name, at in (("b", 2_000), ("a", 1_000), ("d", 4_000), ("c", 3_000)):
        kept.plan_hook(name, at)
    assert kept.planned_hooks(2_999, 10) == ["a", "b"]
    assert kept.planned_hooks(3_000, 2) == ["a", "b"]
    assert kept.planned_hooks(None, 2, 1) == ["b", "c"]
    kept.plan_hook("a", 9_000)
    kept.drop_hooks(["b", "no such"])
    kept.drop_hooks([])
    assert kept.planned_hooks(None, 10) == ["c", "d", "a"]
    assert kept.planned_hooks(2_999, 10) == []
    kept.drop_hooks(["a", "c", "d"])
