"""Webhooks of a running service: workers that take actions, the process that sends, and receivers on this machine."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import random
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.ops.conftest import until
from tests.ops.players import Game, opened

QUIET = {"ARBITR_RATE": 0, "ARBITR_LOG_LEVEL": "info", "ARBITR_STREAM_PORT": 0, "ARBITR_WEBHOOK_PRIVATE": 1}


class Inbox:
    """A receiver; `answer` says with which status, and how long it takes for that."""

    def __init__(self, answer: Callable[[int], int]) -> None:
        self.came: list[tuple[Any, bytes]] = []
        inbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                inbox.came.append((self.headers, body))
                self.send_response(answer(len(inbox.came)))
                self.end_headers()

            def log_message(self, *given: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/secret-path"

    def told(self) -> list[tuple[str, int, str | None]]:
        bodies = [json.loads(body) for _, body in self.came]
        return [(b["type"], b["version"], b["seat"]) for b in bodies]

    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.came]


@pytest.fixture
def inbox() -> Iterator[Callable[[Callable[[int], int]], Inbox]]:
    made: list[Inbox] = []

    def make(answer: Callable[[int], int]) -> Inbox:
        made.append(Inbox(answer))
        return made[-1]

    yield make
    for each in made:
        each.server.shutdown()
        each.server.server_close()


def set_webhook(game: Game, who: str, url: str) -> Any:
    headers = {"Authorization": game.token(who)}
    status, made, _ = game.player.once("PUT", f"{game.path}/webhook", {"url": url}, **headers)
    assert status == 201, made
    return made


@pytest.mark.long
def test_from_an_action_to_a_signed_message_and_past_a_killed_process(start: Any, inbox: Any) -> None:
    service = start(**QUIET)
    game = opened(service.port)
    box = inbox(lambda n: 500 if n == 1 else 204)
    made = set_webhook(game, "host", box.url)
    assert until(lambda: len(box.came) == 1), "it is told at once for whom the game waits"
    assert until(lambda: hook(game)["state"] == "retrying")
    for pid in service.named("service.streams.run"):
        os.kill(pid, signal.SIGKILL)
    assert until(lambda: len(box.came) == 2, 40), "whoever is started in its place tries again"
    assert len(set(box.ids())) == 1
    assert game.step(random.Random(1))
    headers, body = box.came[-1]
    key = base64.b64decode(made["secret"].removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{mac}"
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    assert until(lambda: hook(game)["state"] == "ok")
    service.leader.send_signal(signal.SIGTERM)
    assert service.leader.wait(30) == 0
    said = "\n".join(service.all_logged()) + service.errors.read_text()
    assert "PUT" in said
    assert "fault" not in said
    for secret in ("secret-path", made["secret"], *game.opened["tokens"]["seats"].values()):
        assert secret not in said


def hook(game: Game) -> Any:
    return game.player.ask("GET", f"{game.path}/webhook", Authorization=game.token("host"))[1]


def test_no_action_is_slower_while_receivers_hang(start: Any, inbox: Any) -> None:
    service = start(**QUIET)
    free, told = opened(service.port), opened(service.port)
    hang, rng = threading.Event(), random.Random(1)

    def slowly(n: int) -> int:
        hang.wait(60)
        return 204

    box = inbox(slowly)
    for who in (*told.opened["tokens"]["seats"], "host"):
        set_webhook(told, who, box.url)
    assert until(lambda: len(box.came) >= 1)

    def taken(game: Game) -> float:
        begun = time.monotonic()
        assert game.step(rng)
        return time.monotonic() - begun

    times = {name: [taken(game) for _ in range(15)] for name, game in (("free", free), ("told", told))}
    hang.set()
    slower = statistics.median(times["told"]) - statistics.median(times["free"])
    assert slower < 0.5, times  # a receiver gets 5 seconds
