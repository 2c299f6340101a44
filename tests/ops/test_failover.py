"""A service whose store is several servers, and players who go on while its master dies."""

from __future__ import annotations

import http.client
import random
import threading
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from service.sessions.embedded import find_server
from service.sessions.redis_store import RedisStore
from tests.ops.players import Game, Player, kept_actions, opened, sound
from tests.sessions.topologies import KINDS, until

pytestmark = pytest.mark.long  # servers that die and come back take their time

QUIET = {"ARBITR_RATE": 0, "ARBITR_LOG_LEVEL": "error", "ARBITR_WORKERS": 1}


@pytest.fixture(params=KINDS)
def topology(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[Any]:
    found = KINDS[request.param](str(find_server()), tmp_path / "servers")
    try:
        found.start()
        yield found
    finally:
        found.stop()


class Tables:
    """Three tables that are played at all the time; where a game ends another begins."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.games: list[Game] = []
        self.now: list[Game] = [self._opened() for _ in range(3)]
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self._play, args=(n,)) for n in range(3)]

    def _opened(self) -> Game:
        game = opened(self.port, str(len(self.games)))
        game.fails_over = True
        self.games.append(game)
        return game

    def _play(self, n: int) -> None:
        rng = random.Random(n)
        while not self.over.is_set():
            if not self.now[n].step(rng):
                self.now[n] = self._opened()

    def go_on(self) -> None:
        """Return when something has been done at each."""
        before = [(game, len(game.done)) for game in self.now]

        def moved() -> bool:
            pairs = zip(self.now, before, strict=True)
            return all(now is not was or len(now.done) > n + 3 for now, (was, n) in pairs)

        until(moved, "play")

    def __enter__(self) -> Tables:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *ended: object) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()


def killed_masters(service: Any, topology: Any, times: int) -> list[Game]:
    """Games that were played while masters died, each replaced, and back as a replica of the next."""
    with Tables(service.port) as tables:
        for n in range(times):
            tables.go_on()
            victim = tables.now[n % 3].id
            master = topology.master_of(victim)
            master.kill()
            until(lambda: topology.replaced(master), "another master")  # noqa: B023
            master.start()  # empty, and only now: it must not come back as what it was
            until(lambda: topology.settled(victim), "all replicas follow the new one")  # noqa: B023
        tables.go_on()
    return tables.games


def test_players_go_on_while_a_master_dies(start: Any, topology: Any) -> None:
    """Where all replicas had it (ARBITR_WAIT_REPLICAS is their number), everything that was answered 201 is there
    afterwards, each once, in its order. With fewer, sentinels in a hurry may leave a master that has a replica and is
    none any more for others."""
    service = start(**QUIET, ARBITR_REDIS_URL=topology.url, ARBITR_WAIT_REPLICAS=topology.replicas)
    store = RedisStore.at(topology.url)
    for game in killed_masters(service, topology, 1):
        assert kept_actions(store, game.id) == game.done
        sound(store, game.id)


@pytest.mark.long
def test_players_go_on_while_masters_die(start: Any, topology: Any, record_property: Any) -> None:
    service = start(**QUIET, ARBITR_REDIS_URL=topology.url, ARBITR_WAIT_REPLICAS=topology.replicas)
    store, times = RedisStore.at(topology.url), 6
    games = killed_masters(service, topology, times)
    for game in games:
        assert kept_actions(store, game.id) == game.done
        sound(store, game.id)
    done = sum(len(game.done) for game in games)
    record_property("counted", f"{done} actions while {times} masters died, none lost")


@pytest.mark.long
def test_what_players_lose_without_waiting_for_a_replica(
    start: Any, topology: Any, record_property: Any
) -> None:
    """Of what was accepted just before, the last may be gone: what stands is whole, and the game goes on from there.

    Sentinels that are in such a hurry as these may make two masters, of which one is told after ten seconds that it is
    none. With one replica for each master of a cluster there is nobody left to ask after the first failover.
    """
    if topology.replicas > 1:
        topology.refuse_alone()
    service = start(**QUIET, ARBITR_REDIS_URL=topology.url)
    store, times = RedisStore.at(topology.url), 6
    games = killed_masters(service, topology, times)
    lost = 0
    for game in games:
        sound(store, game.id)
        kept, done = kept_actions(store, game.id), iter(game.done)
        assert all(action in done for action in kept), "what is there was accepted, in this order"
        lost += len(game.done) - len(kept)
    record_property(
        "counted", f"{lost} of {sum(len(g.done) for g in games)} actions lost with {times} masters"
    )


def test_what_is_not_confirmed_says_so_and_is_answered_when_it_is(start: Any, topology: Any) -> None:
    """A repetition under the key is answered 201 as soon as the replica is there again, and not before."""
    service = start(**QUIET, ARBITR_REDIS_URL=topology.url, ARBITR_WAIT_REPLICAS=1, ARBITR_WAIT_TIME=100)
    game = opened(service.port)
    version, choices = game.choices()
    master = topology.master_of(game.id)
    given = {
        "Authorization": game.token(choices[0]["actor"]),
        "If_Match": f'"{version}"',
        "Idempotency_Key": "k",
    }
    path, body = f"{game.path}/actions", {"action": choices[0]}
    secret = master.client.config_get("masterauth")["masterauth"]
    master.cut_off_replicas()
    for _ in range(3):
        status, answer, headers = game.player.once("POST", path, body, **given)
        assert (status, answer["type"], headers["Retry-After"]) == (503, "/docs/problems/not-confirmed", "1")
    status, answer, _ = game.player.once("POST", path, body, **{**given, "Idempotency_Key": "other"})
    assert (status, answer["version"]) == (412, version + 1), "it has been written, and others see it"
    master.client.config_set("requirepass", secret)
    status, answer, _ = game.player.ask("POST", path, body, **given)
    assert (status, answer["session"]["version"]) == (201, version + 1)
    assert kept_actions(RedisStore.at(topology.url), game.id) == [choices[0]]
    assert Player(service.port).once("DELETE", game.path, Authorization=game.token("host"))[0] == 204


def test_a_stream_goes_on_when_the_master_dies(start: Any, topology: Any) -> None:
    service = start(**QUIET, ARBITR_REDIS_URL=topology.url, ARBITR_STREAM_PORT=0)
    game, rng, heard = opened(service.port), random.Random(1), []
    given = {"Authorization": game.token("ann"), "Accept": "text/event-stream"}
    told = game.player.ask("GET", game.path, Authorization=game.token("ann"))[1]
    where = urlsplit(told["session"]["links"]["stream"])
    link = http.client.HTTPConnection(where.netloc, timeout=60)
    link.request("GET", where.path, headers=given)
    answer = link.getresponse()
    assert answer.status == 200

    def read() -> None:
        for line in answer:
            if line.startswith(b"id:"):
                heard.append(int(line[3:]))
            if heard and heard[-1] == 11:
                return

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(5):
        game.step(rng)
    until(lambda: heard and heard[-1] == 6, "the stream tells them")
    topology.master_of(game.id).kill()
    for _ in range(5):
        game.step(rng)
    reader.join(60)
    link.close()
    assert heard == list(range(1, 12)), "every version once, in order"
    for port in (service.port, service.streams):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as told:
            assert b'arbitr_refusals_total{reason="internal-error"} 0.0' in told.read(), "no fault of ours"
