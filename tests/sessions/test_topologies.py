"""A store of several servers: what a failover costs, and whom it is in the way of. The store is asked, no service."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import redis

from service.sessions.embedded import find_server
from service.sessions.redis_store import RedisStore
from service.sessions.store import Change, Changed, Stale, StoreAway, Unconfirmed
from service.sessions.visit import Desk
from service.streams.office import Office
from tests.http.conftest import settings
from tests.sessions.topologies import HOST, KINDS, Server, until

pytestmark = pytest.mark.long  # servers that die and come back take their time

BEGUN = Change(0, b"state 1", 0, b"entry 1", 2_000_000_000, 3600, about=b"about")
NEXT = Change(1, b"state 2", 2, b"entry 2", 2_000_000_001, 3600)
SURE = (1, 400)
NUMBERS = itertools.count(1)


def started(kind: str, folder: Any) -> Iterator[Any]:
    binary = find_server()
    if binary is None:
        pytest.skip("no server is installed")
    found = KINDS[kind](binary, folder)
    try:
        found.start()
        yield found
    finally:
        found.stop()


@pytest.fixture(params=KINDS)
def topology(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[Any]:
    """Servers of each kind, of which a test may end any."""
    yield from started(request.param, tmp_path)


@pytest.fixture
def cluster(tmp_path: Any) -> Iterator[Any]:
    yield from started("cluster", tmp_path)


def session_at(topology: Any, master: Server) -> str:
    """The id of a session that this master has."""
    return next(s for s in (f"{n:032x}" for n in NUMBERS) if topology.master_of(s) is master)


def patiently(call: Callable[[], Any], what: str) -> Any:
    """What a call answers once the store is back; every answer until then comes soon: in a second or so, on a machine
    that has nothing else to do."""

    def answered() -> Any:
        begun = time.monotonic()
        try:
            return [call()]
        except StoreAway:
            took.append(time.monotonic() - begun)
            return None

    took: list[float] = []
    found = until(answered, what)
    assert max(took, default=0) < 3.0, took
    return found[0]


def test_what_no_replica_has_goes_with_the_master_and_nothing_else(topology: Any) -> None:
    """That is what asynchronous replication documents. Who waits for a replica is not told that it was written."""
    one, other = topology.master_of("0" * 32), f"{0:032x}"
    mine, yours = session_at(topology, one), session_at(topology, one)
    store, sure = RedisStore.at(topology.url), RedisStore.at(topology.url, sure=SURE)
    assert store.commit(mine, BEGUN) is sure.commit(yours, BEGUN) is None
    assert store.commit(other, BEGUN) is None
    assert sure.confirm(mine, 2_000_000_000, 3600) is None
    store.read(mine), sure.read(mine)  # whoever is connected stays so
    one.cut_off_replicas()
    assert store.commit(mine, NEXT) is None, "it was answered that it is written"
    with pytest.raises(Unconfirmed):
        sure.commit(yours, NEXT)
    with pytest.raises(Unconfirmed):
        sure.confirm(yours, 2_000_000_000, 3600)
    for session in (mine, yours):
        assert store.read(session).version == 2  # type: ignore[union-attr]
    one.kill()
    for session, asked in ((mine, store), (yours, sure)):
        found = patiently(lambda: asked.read(session), "another master")  # noqa: B023
        assert (found.version, found.state) == (1, b"state 1"), "what no replica had is gone, all of it"
        assert asked.log(session) == [(1, b"entry 1")]
        assert asked.commit(session, replace(NEXT, before=2)) == Stale(1)
    assert store.commit(mine, NEXT) is None, "and the session goes on"
    assert store.read(mine).version == 2  # type: ignore[union-attr]


def test_what_a_replica_has_outlives_its_master(topology: Any) -> None:
    """Players go on while the master dies: with `sure`, everything that was accepted is there afterwards."""
    master = topology.master_of("0" * 32)
    sessions = [session_at(topology, master) for _ in range(3)]
    store, over = RedisStore.at(topology.url, sure=SURE), threading.Event()
    accepted = dict.fromkeys(sessions, 0)

    def play(session: str) -> None:
        version = 0
        while not over.is_set():
            change = replace(BEGUN if version == 0 else NEXT, before=version, entry=b"%d" % (version + 1))
            try:
                found = store.commit(session, change)
            except Unconfirmed:
                version += 1  # written, and not accepted; if it is lost we are told so
                continue
            except StoreAway:
                continue
            if isinstance(found, Stale):
                version = found.version
            else:
                accepted[session] = version = version + 1

    threads = [threading.Thread(target=play, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    until(lambda: min(accepted.values()) > 20, "play")
    master.kill()
    time.sleep(0.3)
    before = dict(accepted)
    patiently(lambda: store.read(sessions[0]), "another master")
    over.set()
    for thread in threads:
        thread.join()
    for session in sessions:
        log = store.log(session)
        assert len(log) >= before[session] > 20, "nothing that was accepted is lost"
        assert log == [(n, b"%d" % n) for n in range(1, len(log) + 1)], "no gap, nothing twice"


def test_a_master_that_hangs_is_left(topology: Any) -> None:
    session = session_at(topology, topology.master_of("0" * 32))
    master, store = topology.master_of(session), RedisStore.at(topology.url)
    store.commit(session, BEGUN)
    until(lambda: store.commit(session, NEXT) is None or store.read(session).version == 2, "a replica has it")  # type: ignore[union-attr]
    time.sleep(0.3)
    changes = store.changes()
    assert next(changes) is None
    listens_there = master.listeners() == 1
    master.hang()
    try:
        with pytest.raises(StoreAway):
            store.commit(session, replace(NEXT, before=2))
        patiently(lambda: store.read(session), "another master")
        version = store.read(session).version  # type: ignore[union-attr]
        assert patiently(lambda: store.commit(session, replace(NEXT, before=version)), "writing") is None
        if listens_there:
            with pytest.raises(StoreAway):
                [next(changes) for _ in range(8)]  # it is not deaf for ever
        changes.close()
        changes = store.changes()
        assert next(changes) is None
        store.commit(session, replace(NEXT, before=version + 1))
        heard = [next(changes) for _ in range(3)]
        assert Changed(session, version + 2, False) in heard
        changes.close()
    finally:
        master.go_on()  # it takes itself for the master for a while
    assert store.read(session).version == version + 2  # type: ignore[union-attr]
    assert store.commit(session, replace(NEXT, before=version + 2)) is None


def test_sentinels_that_are_away_are_in_nobodys_way(tmp_path: Any) -> None:
    for topology in started("sentinels", tmp_path):
        topology.watchers[0].kill()
        topology.watchers[1].hang()
        store = RedisStore.at(topology.url)
        begun = time.monotonic()
        assert store.commit("x", BEGUN) is None, "the third one knows"
        assert store.read("x") is not None
        assert time.monotonic() - begun < 3.0
        topology.watchers[1].kill()
        topology.watchers[2].kill()
        assert store.read("x") is not None, "who knows the master need not ask"
        with pytest.raises(StoreAway):
            RedisStore.at(topology.url).read("x")
        assert RedisStore.at(topology.url).unreachable() == "MasterNotFoundError"


# -- a cluster ----------------------------------------------------------------------------------------------------


def test_a_node_that_is_lost_is_in_the_way_of_its_own_sessions_alone(cluster: Any) -> None:
    store = RedisStore.at(cluster.url)
    first, second = cluster.servers[:2]
    lost, kept = session_at(cluster, first), session_at(cluster, second)
    for session in (lost, kept):
        store.commit(session, BEGUN)
    first.hang()
    cluster.servers[3].kill()  # nobody takes its place
    try:
        took = []
        for n in range(1, 8):
            with pytest.raises(StoreAway):
                store.read(lost)
            begun = time.monotonic()
            assert store.commit(kept, replace(NEXT, before=n)) is None
            took.append(time.monotonic() - begun)
        assert statistics.median(took) < 0.3, took
        assert store.unreachable() is None
    finally:
        first.go_on()
    assert patiently(lambda: store.read(lost), "it is back").version == 1


def test_changes_are_found_when_the_node_of_the_subscription_is_lost(cluster: Any) -> None:
    """Its sessions are watched, too, and stand in nobody's way."""
    store = RedisStore.at(cluster.url)

    async def test() -> None:
        office = Office.opened(settings(), Desk(RedisStore.at(cluster.url), Any, Any, lambda: 0))  # type: ignore[arg-type]
        while not any(server.listeners() for server in cluster.servers):
            await asyncio.sleep(0.05)
        (ours,) = [server for server in cluster.servers if server.listeners()]
        other = next(server for server in cluster.servers[:3] if server is not ours)
        lost, well = [session_at(cluster, ours) for _ in range(60)], session_at(cluster, other)
        for session in (*lost, well):
            store.commit(session, BEGUN)
        found = office.follower.follow(lambda: [*lost, well], every=1.0)
        async with asyncio.timeout(60):
            while (await anext(found))[0] != well:
                pass
            cluster.servers[cluster.servers.index(ours) + 3].kill()  # nobody takes its place
            ours.kill()
            await asyncio.to_thread(store.commit, well, NEXT)
            assert await anext(found) == (well, 2), "found, though nobody was there to hear it"
            await asyncio.to_thread(store.commit, well, replace(NEXT, before=2))
            assert await anext(found) == (well, 3)
        office.close()

    asyncio.run(test())


def test_sessions_are_found_while_they_move_and_afterwards(cluster: Any) -> None:
    old, new = cluster.servers[:2]
    session, gone = session_at(cluster, old), session_at(cluster, old)
    store, sure = RedisStore.at(cluster.url), RedisStore.at(cluster.url, sure=SURE)
    store.commit(session, BEGUN)
    slot = redis.crc.key_slot(f"{{{session}}}".encode())
    ids = [server.client.execute_command("CLUSTER MYID") for server in (old, new)]
    new.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", ids[0])
    old.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", ids[1])
    keys = old.client.execute_command("CLUSTER GETKEYSINSLOT", slot, 10)
    assert len(keys) == 2
    old.client.execute_command("MIGRATE", HOST, new.port, keys[0], 0, 1000)
    with pytest.raises(StoreAway):
        store.commit(session, NEXT)  # half here, half there: not now
    old.client.execute_command("MIGRATE", HOST, new.port, keys[1], 0, 1000)
    assert store.read(session).version == 1  # type: ignore[union-attr]
    assert store.read(session, key="k").version == 1  # type: ignore[union-attr]
    assert store.log(session) == [(1, b"entry 1")]
    assert store.commit(session, NEXT) is None
    assert sure.commit(session, replace(NEXT, before=2)) is None
    for server in (new, old):
        server.client.execute_command("CLUSTER SETSLOT", slot, "NODE", ids[1])
    assert store.commit(session, replace(NEXT, before=3)) is None
    assert sure.commit(session, replace(NEXT, before=4)) is None
    for asked in (store, sure):
        assert asked.read(session, key="k").version == 5  # type: ignore[union-attr]
        assert len(asked.log(session)) == 5
    assert store.close(session) is True
    assert store.commit(gone, BEGUN) is None, "what has not moved is where it was"


def test_any_node_of_a_cluster_will_do_to_begin_with(cluster: Any) -> None:
    cluster.servers[3].kill()
    cluster.servers[4].hang()
    ports = [server.port for server in (cluster.servers[3], cluster.servers[4], cluster.servers[5])]
    store = RedisStore.at("redis+cluster://" + ",".join(f"{HOST}:{port}" for port in ports))
    assert store.commit("x", BEGUN) is None
    assert store.read("x") is not None
    nobody = RedisStore.at(f"redis+cluster://{HOST}:{ports[0]}")
    with pytest.raises(StoreAway):
        nobody.read("x")
    assert nobody.unreachable() == "ConnectionError"
