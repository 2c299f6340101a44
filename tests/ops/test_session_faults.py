"""Sessions under faults, against real servers: two workers of gunicorn and a store that writes before it answers."""

from __future__ import annotations

import os
import random
import signal
import socket
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.sessions.embedded import EmbeddedStore, find_server
from service.sessions.redis_store import CHANNEL, RedisStore
from tests.ops.conftest import ARBITR, Running
from tests.ops.players import Game, Player, kept_actions, opened, played, sound
from tests.patience import PATIENCE, Pace, until

QUIET = {"ARBITR_RATE": 0, "ARBITR_LOG_LEVEL": "error"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: Any) -> Any:
    """The store's server, which tests may kill if they revive it."""
    store = EmbeddedStore(str(find_server()), tmp_path_factory.mktemp("store") / "store", "always")
    store.start()
    yield store
    store.stop()


@pytest.fixture(scope="module")
def service(server: Any, tmp_path_factory: Any) -> Any:
    """One for all that leave it as it was."""
    env = {**QUIET, "ARBITR_REDIS_URL": server.url}
    running = Running((*ARBITR, "serve"), tmp_path_factory.mktemp("service"), **env)
    yield running.wait_up()
    running.end()


@pytest.fixture(scope="module")
def store(server: Any) -> RedisStore:
    return RedisStore.at(server.url)


def revive(server: Any) -> None:
    assert until(lambda: not server.running())
    server.start()


def in_threads(n: int, work: Any) -> list[Any]:
    """What each of `n` threads answers; all begin at once. Raises what one of them raises."""
    barrier = threading.Barrier(n)

    def run(i: int) -> Any:
        barrier.wait()
        return work(i)

    with ThreadPoolExecutor(n) as pool:
        return [answer.result() for answer in [pool.submit(run, i) for i in range(n)]]


def test_of_fifty_that_act_at_once_one_is_accepted(service: Any, store: RedisStore) -> None:
    game = opened(service.port)
    players = [Player(service.port) for _ in range(50)]
    for _ in range(20):
        version, every = game.choices()
        choices = [c for c in every if c["kind"] != "start-auction"]  # which may end a game at once

        def act(i: int, version: int = version, choices: Any = choices) -> int:
            action = choices[i % len(choices)]
            token = game.token(action["actor"])
            body = {"action": action}
            path = f"{game.path}/actions"
            return players[i].ask("POST", path, body, Authorization=token, If_Match=f'"{version}"')[0]

        answers = in_threads(50, act)
        assert sorted(set(answers)) == [201, 412]
        assert answers.count(201) == 1
    assert len(kept_actions(store, game.id)) == 20
    sound(store, game.id)


def killed_workers(service: Any, store: RedisStore, times: int) -> int:
    """Play while workers are killed; every action has been done once. How many there were."""
    games = [opened(service.port, str(n)) for n in range(3)]
    rng = random.Random(times)
    with played(games):
        for _ in range(times):
            workers = [pid for pid in service.named("gunicorn") if pid != min(service.named("gunicorn"))]
            before = sum(len(game.done) for game in games)
            os.kill(rng.choice(workers), signal.SIGKILL)
            assert until(lambda: sum(len(game.done) for game in games) > before + 3)  # noqa: B023
            assert until(lambda: len(service.named("gunicorn")) == 3)
    for game in games:
        assert kept_actions(store, game.id) == game.done, "each once, in its order"
        sound(store, game.id)
    return sum(len(game.done) for game in games)


def test_every_action_is_done_once_though_workers_are_killed(service: Any, store: RedisStore) -> None:
    assert killed_workers(service, store, 10) > 30


@pytest.mark.long
def test_every_action_is_done_once_though_many_workers_are_killed(
    service: Any, store: RedisStore, record_property: Any
) -> None:
    record_property("counted", f"{killed_workers(service, store, 100)} actions while 100 workers were killed")


def test_what_was_accepted_survives_the_kill_of_the_store(
    service: Any, server: Any, store: RedisStore
) -> None:
    games = [opened(service.port, str(n)) for n in range(3)]
    with played(games):
        for _ in range(3):
            before = sum(len(game.done) for game in games)
            assert until(lambda: sum(len(game.done) for game in games) > before + 5)  # noqa: B023
            os.kill(server.pid, signal.SIGKILL)
            revive(server)
    for game in games:
        assert kept_actions(store, game.id) == game.done
        sound(store, game.id)


def asked(service: Any, game: Game) -> tuple[int, float, Any]:
    """A call of a session: status, seconds, headers."""
    begun = time.monotonic()
    status, _, headers = Player(service.port).once("GET", game.path, Authorization=game.token("ann"))
    return status, time.monotonic() - begun, headers


@pytest.mark.parametrize("how", ["killed", "hangs"])
def test_a_store_that_is_away_is_told_within_a_second(service: Any, server: Any, how: str) -> None:
    game, player = opened(service.port), Player(service.port)
    end = signal.SIGKILL if how == "killed" else signal.SIGSTOP
    os.kill(server.pid, end)
    try:
        with Pace() as pace:
            told = [asked(service, game) for _ in range(6)]
        for status, seconds, headers in told:
            assert (status, headers["Retry-After"]) == (503, "1")
            assert headers["Content-Type"] == "application/problem+json"
            assert seconds < 1.0 * pace.slower
        new = {"game": "zavandor", "seats": [{"id": "ann"}, {"id": "bob"}]}
        status, answer, _ = player.once("POST", "/v1/sessions", new)
        assert (status, answer["type"]) == (503, "/docs/problems/store-unavailable")
        setup = {"seats": [{"id": "ann"}, {"id": "bob"}]}
        assert player.once("POST", "/v1/games/zavandor/states", setup)[0] == 200
        assert player.once("GET", "/readyz")[0] == 503
    finally:
        if how == "hangs":
            os.kill(server.pid, signal.SIGCONT)
    if how == "killed":
        revive(server)
    assert until(lambda: asked(service, game)[0] == 200), "without a restart of the service"
    assert game.step(random.Random(1))


def test_a_burst_on_a_store_that_hangs_is_in_nobodys_way(service: Any, server: Any) -> None:
    """Before anybody knows that it hangs, more ask for sessions at once than work at once: others are answered."""
    game = opened(service.port)

    def ask(i: int) -> float:
        if i % 4:
            status, seconds, _ = asked(service, game)
            assert status == 503
            return seconds
        begun = time.monotonic()
        assert Player(service.port).once("GET", "/v1/games")[0] == 200
        return time.monotonic() - begun

    os.kill(server.pid, signal.SIGSTOP)
    try:
        with Pace() as pace:
            took = in_threads(24, ask)
    finally:
        os.kill(server.pid, signal.SIGCONT)
    stateless = took[::4]
    assert statistics.median(stateless) < 0.4 * pace.slower, took
    assert max(stateless) < 0.7 * pace.slower, took


def listeners(store: RedisStore) -> int:
    """How many workers listen for changes: those in which somebody has waited."""
    ((_, found),) = store._connected().pubsub_numsub(CHANNEL)
    return int(found)


def test_a_store_that_hangs_while_some_wait_holds_up_nobody_else(
    service: Any, server: Any, store: RedisStore
) -> None:
    """Whoever listens for changes hears nothing, and that is not taken for an answer of the store."""
    game, over = opened(service.port), threading.Event()
    waits = f"{game.path}/events?after=1&wait=10"

    def wait(i: int) -> None:
        Player(service.port).once("GET", waits, Authorization=game.token("ann"))

    def hammer(i: int) -> float:
        slowest = 0.0
        while not over.is_set():
            status, seconds, _ = asked(service, game)
            assert status == 503
            slowest = max(slowest, seconds)
        return slowest

    with ThreadPoolExecutor(2) as pool:
        before = listeners(store)
        waiting = pool.submit(in_threads, 4, wait)
        assert until(lambda: listeners(store) > before)
        os.kill(server.pid, signal.SIGSTOP)
        try:
            asked(service, game), asked(service, game)  # in each worker somebody finds out
            with Pace() as pace:
                asking = pool.submit(in_threads, 8, hammer)
                times = []
                for _ in range(60):
                    begun = time.monotonic()
                    assert Player(service.port).once("GET", "/v1/games")[0] == 200
                    times.append(time.monotonic() - begun)
                    time.sleep(0.05)
                over.set()
                slowest = asking.result()
        finally:
            over.set()
            os.kill(server.pid, signal.SIGCONT)
        waiting.result()
    assert max(slowest) < 1.5 * pace.slower, "each was told 503 every time"
    assert statistics.quantiles(times, n=20)[-1] < 0.4 * pace.slower, times


def test_a_full_store_says_so_and_the_session_is_as_it_was(service: Any, store: RedisStore) -> None:
    game = opened(service.port)
    game.step(random.Random(1))
    version, choices = game.choices()
    before = store.read(game.id)
    client = store._connected()
    client.config_set("maxmemory", "1")
    given = {
        "Authorization": game.token(choices[0]["actor"]),
        "If_Match": f'"{version}"',
        "Idempotency_Key": "k",
    }
    path, body = f"{game.path}/actions", {"action": choices[0]}
    for _ in range(3):
        status, answer, headers = game.player.once("POST", path, body, **given)
        assert (status, answer["type"]) == (503, "/docs/problems/store-full")
        assert headers["Retry-After"] == "30"
    assert game.player.once("GET", game.path, Authorization=game.token("ann"))[0] == 200
    assert store.read(game.id) == before
    client.config_set("maxmemory", "0")
    assert game.player.once("POST", path, body, **given)[0] == 201
    sound(store, game.id)


def test_those_who_wait_are_in_nobodys_way(start: Any, server: Any) -> None:
    """As many wait as may; what others ask takes about as long as before."""
    service = start(**QUIET, ARBITR_REDIS_URL=server.url, ARBITR_WAITING=12)
    games = [opened(service.port, str(n)) for n in range(8)]  # for one game alone half as many may wait

    def median() -> float:
        players, times = [Player(service.port) for _ in range(8)], []
        for n in range(240):
            begun = time.perf_counter()
            assert players[n % 8].once("GET", "/v1/games")[0] == 200
            times.append(time.perf_counter() - begun)
        return statistics.median(times)

    def wait(game: Game) -> int:
        path = f"{game.path}/events?after=1&wait=25"
        return Player(service.port).once("GET", path, Authorization=game.token("ann"))[0]

    alone = median()
    with ThreadPoolExecutor(40) as pool:
        waiting = [pool.submit(wait, game) for game in games * 5]
        assert until(lambda: sum(each.done() for each in waiting) == 40 - 24, 20), (
            f"12 in each of two workers wait, not {sum(not each.done() for each in waiting)}"
        )
        assert {each.result() for each in waiting if each.done()} == {503}
        with Pace() as pace:
            beside = median()
            begun = time.monotonic()
            for game in games:
                assert game.step(random.Random(1))
            answers = [each.result() for each in waiting]
            took = time.monotonic() - begun
    assert took < 4 * pace.slower, "all are woken at once"
    assert answers.count(200) == 24
    assert beside < (3 * alone + 0.005) * pace.slower, (alone, beside)


def test_those_who_wait_are_answered_when_the_service_ends(
    start: Any, server: Any, store: RedisStore
) -> None:
    service = start(**QUIET, ARBITR_REDIS_URL=server.url)
    game, answers = opened(service.port), []

    def wait() -> None:
        path = f"{game.path}/events?after=1&wait=25"
        answers.append(Player(service.port).once("GET", path, Authorization=game.token("ann")))

    thread, before = threading.Thread(target=wait), listeners(store)
    thread.start()
    assert until(lambda: listeners(store) > before)
    with Pace() as pace:
        begun = time.monotonic()
        service.leader.send_signal(signal.SIGTERM)
        thread.join()
        took = time.monotonic() - begun
    assert took < 3 * pace.slower
    assert answers[0][:2] == (200, {"events": [], "version": 1, "complete": True})
    assert service.leader.wait(PATIENCE) == 0


def test_who_hangs_up_gives_his_place_back(start: Any, server: Any, store: RedisStore) -> None:
    service = start(**QUIET, ARBITR_REDIS_URL=server.url, ARBITR_WORKERS=1, ARBITR_WAITING=2)
    game = opened(service.port)
    path, token = f"{game.path}/events?after=1&wait=20", game.token("ann")
    link, before = socket.create_connection(("127.0.0.1", service.port)), listeners(store)
    link.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n\r\n".encode())
    short = f"{game.path}/events?after=1&wait=1"

    def admitted() -> bool:
        return Player(service.port).once("GET", short, Authorization=token)[0] == 200

    assert until(lambda: listeners(store) > before)
    link.settimeout(0.5)
    with pytest.raises(TimeoutError):
        link.recv(1)
    assert not admitted(), "the one place of the session is taken as long as somebody is there"
    link.close()
    assert until(admitted, 15), "well before his time was up"
