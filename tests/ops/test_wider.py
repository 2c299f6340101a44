"""Two services behind one address, over one store: one is killed, and both are replaced, while games are played."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from service.sessions.embedded import EmbeddedStore, find_server
from service.sessions.redis_store import RedisStore
from tests.ops.balancer import Balancer, is_ready
from tests.ops.conftest import Running
from tests.ops.listeners import Listener
from tests.ops.players import Game, Player, kept_actions, opened, played, sound
from tests.ops.test_streams import whole
from tests.patience import PATIENCE, Pace, until

DRAIN = 4  # seconds; many times what the balancer takes to notice
COMMON = {"ARBITR_RATE": 0, "ARBITR_LOG_LEVEL": "error", "ARBITR_STREAM_PORT": 0, "ARBITR_WORKERS": 1}
KEYS = "5a" * 32


class Strict(Player):
    """A client that notes every request that was not answered, and then goes on as any would."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.lost: list[str] = []

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any, Any]:
        try:
            answer = self.once(method, path, body, **headers)
        except (OSError, http.client.HTTPException) as error:
            self.lost.append(f"{method} {path}: {error!r}")
        else:
            if answer[0] != 503:
                return answer
            self.lost.append(f"{method} {path}: {answer[:2]}")
        return super().ask(method, path, body, **headers)


@dataclass
class House:
    """Services over one store, and the two addresses that clients know: that of the service, that of the streams."""

    start: Any
    store: EmbeddedStore
    services: list[Running] = field(default_factory=list)
    main: Any = None
    streams: Any = None

    def one_more(self) -> Running:
        """Start a service, and let it be one of those behind the addresses as soon as it is ready."""
        given = {**COMMON, "ARBITR_REDIS_URL": self.store.url, "ARBITR_KEYS": KEYS, "ARBITR_DRAIN": DRAIN}
        service: Running = self.start(**given)
        assert until(lambda: is_ready(service.port) and is_ready(service.streams))
        self.services.append(service)
        if self.main is not None:
            self.main.ports.append(service.port)
            self.streams.ports.append(service.streams)
        return service

    def leave_out(self, service: Running) -> None:
        """It is gone."""
        self.services.remove(service)
        self.main.ports.remove(service.port)
        self.streams.ports.remove(service.streams)

    def opened(self, games: int) -> list[Game]:
        """Games whose players let no request go unanswered."""
        found = [opened(self.main.port, str(n)) for n in range(games)]
        for game in found:
            game.player = Strict(self.main.port)
        return found


@pytest.fixture
def house(start: Any, tmp_path: Any) -> Iterator[House]:
    store = EmbeddedStore(str(find_server()), tmp_path / "store", "everysec")
    store.start()
    made = House(start, store)
    try:
        first, second = made.one_more(), made.one_more()
        made.main = Balancer([first.port, second.port])
        made.streams = Balancer([first.streams, second.streams])
        for balancer in (made.main, made.streams):
            assert until(lambda: len(balancer.ready) == 2)  # noqa: B023
        yield made
    finally:
        for balancer in filter(None, (made.main, made.streams)):
            balancer.close()
        store.stop()


@contextmanager
def watched(house: House, games: list[Game]) -> Iterator[None]:
    """Inside, the games are played and followed; afterwards nothing is missing in log and streams, nothing twice."""
    listeners = [Listener(house.streams.port, game, "spectator") for game in games]
    assert until(lambda: all(listener.ids == [1] for listener in listeners))
    with played(games):
        yield
    store = RedisStore.at(house.store.url)
    for game, listener in zip(games, listeners, strict=True):
        assert kept_actions(store, game.id) == game.done, "each action that was answered, once"
        sound(store, game.id)
        whole(listener, len(game.done) + 1)
        listener.stop()


def go_on(games: list[Game], moves: int) -> None:
    """Every game gets so many moves further; those that are played here are far from their ends."""
    before = [len(game.done) for game in games]
    assert until(lambda: all(len(g.done) >= was + moves for g, was in zip(games, before, strict=True)))


def killed(house: House, games: int) -> int:
    """A machine dies while games are played; how many actions there were."""
    playing = house.opened(games)
    with watched(house, playing):
        go_on(playing, 2)
        dead = house.services[0]
        assert {dead.port, house.services[1].port} == set(house.main.carried), "both have been playing"
        for pid in dead.members:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        go_on(playing, 5)
        house.leave_out(dead)
    return sum(len(game.done) for game in playing)


def replaced(house: House, games: int, times: int = 1) -> tuple[int, list[float]]:
    """Each service is replaced by a new one while games are played: how many actions, and how long the ends took."""
    playing, took = house.opened(games), []
    with watched(house, playing):
        for _ in range(times):
            for old in list(house.services):
                go_on(playing, 1)
                house.one_more()
                begun = time.monotonic()
                old.leader.send_signal(signal.SIGTERM)
                assert old.leader.wait(PATIENCE) == 0
                took.append(time.monotonic() - begun)
                assert until(lambda: not old.left())  # noqa: B023
                house.leave_out(old)
        go_on(playing, 1)
    lost = [each for game in playing for each in game.player.lost]  # type: ignore[attr-defined]
    assert lost == [], "every request was answered"
    return sum(len(game.done) for game in playing), took


def test_one_of_two_services_dies_and_no_action_is_lost_or_done_twice(house: House) -> None:
    assert killed(house, 3) > 15


def test_both_services_are_replaced_and_no_request_is_lost(house: House) -> None:
    actions, took = replaced(house, 3)
    assert actions > 6
    assert min(took) > DRAIN


@pytest.mark.long
def test_services_die_under_load(house: House, record_property: Any) -> None:
    counted = []
    for _ in range(3):
        counted.append(killed(house, 12))
        house.one_more()
        assert until(lambda: len(house.main.ready) == 2 == len(house.streams.ready))
        house.main.carried.clear()
    record_property("counted", f"{counted} actions while a service died")


@pytest.mark.long
def test_services_are_replaced_under_load(house: House, record_property: Any) -> None:
    actions, took = replaced(house, 16, times=4)
    slowest = max(took)
    told = (
        f"{actions} actions while 8 services were replaced, none lost; the slowest end took {slowest:.1f} s"
    )
    record_property("counted", told)


@pytest.fixture
def service(start: Any) -> Running:
    """One alone, which is ready."""
    made: Running = start(**COMMON, ARBITR_DRAIN=DRAIN)
    assert until(lambda: is_ready(made.port) and is_ready(made.streams))
    return made


def test_a_service_that_is_to_end_says_so_and_goes_on_for_a_while(service: Running) -> None:
    """Not ready from the first moment on; connections are closed one by one, with their next answer."""
    kept, idle = Player(service.port), socket.create_connection(("127.0.0.1", service.port))
    assert kept.once("GET", "/v1/games")[2].get("Connection", "keep-alive") == "keep-alive"
    with Pace() as pace:
        begun = time.monotonic()
        service.leader.send_signal(signal.SIGTERM)
        assert until(lambda: not is_ready(service.port) and not is_ready(service.streams))
        assert time.monotonic() - begun < 2 * pace.slower
    told = Player(service.port).once("GET", "/readyz")
    assert told[0] == 503
    assert [each["what"] for each in told[1]["missing"]] == ["process"]
    for player in (kept, Player(service.port)):
        status, _, headers = player.once("GET", "/v1/games")
        assert (status, headers["Connection"]) == (200, "close")
    idle.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
    assert idle.recv(65536).startswith(b"HTTP/1.1 200")
    idle.close()
    assert service.leader.wait(PATIENCE) == 0
    assert time.monotonic() - begun > DRAIN
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", service.port))
    assert service.errors.read_text() == ""


def test_a_second_signal_does_not_wait_for_that(service: Running) -> None:
    with Pace() as pace:
        begun = time.monotonic()
        service.leader.send_signal(signal.SIGTERM)
        assert until(lambda: not is_ready(service.port))
        service.leader.send_signal(signal.SIGTERM)
        assert service.leader.wait(PATIENCE) == 0
        assert time.monotonic() - begun < DRAIN * pace.slower
    assert until(lambda: not service.left())
