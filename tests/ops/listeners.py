"""Clients that follow the streams of a running service, and come back when they are cut off."""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.ops.players import Game

TRIES_EVERY = 0.05  # seconds
PATIENCE = 60.0


@dataclass
class Listener:
    """Follows a game as somebody sees it; `ids`: every version that came, in the order of coming."""

    port: int
    game: Game
    who: str = "ann"
    messages: list[Any] = field(default_factory=list)
    end: Any = None
    connections: int = 0

    def __post_init__(self) -> None:
        self.over = threading.Event()
        self._sock: Any = None
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    @property
    def ids(self) -> list[int]:
        return [message["version"] for message in self.messages]

    @property
    def events(self) -> list[Any]:
        return [event for message in self.messages for event in message["events"]]

    def cut(self) -> None:
        """Hang up, wherever we are."""
        if self._sock is not None:
            with suppress(OSError):
                self._sock.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        self.over.set()
        self.cut()
        self.thread.join(PATIENCE)

    def _follow(self) -> None:
        while not (self.over.is_set() or self.end):
            try:
                self._read()
            except (OSError, ValueError, AttributeError, http.client.HTTPException):
                time.sleep(TRIES_EVERY)

    def _read(self) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as link:
            headers = {"Accept": "text/event-stream", "Authorization": self.game.token(self.who)}
            if self.messages:
                headers["Last-Event-ID"] = str(self.ids[-1])
            link.connect()
            self._sock = link.sock
            link.request("GET", f"{self.game.path}/stream", headers=headers)
            with link.getresponse() as answer:
                self._take(answer)

    def _take(self, answer: http.client.HTTPResponse) -> None:
        if answer.status != 200:
            answer.read()
            raise OSError(answer.status)
        self.connections += 1
        block: dict[str, str] = {}
        while line := answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                block[name] = value
            elif "data" in block:
                told = json.loads(block["data"])
                if block.get("event") == "end":
                    self.end = told["why"]
                else:
                    self.messages.append(told)
                block = {}


class Pace:
    """Plays a game in a thread, so many actions a second."""

    def __init__(self, game: Game, seconds: float, seed: int = 1) -> None:
        self.game, self.over = game, threading.Event()
        self.rng, self.seconds = random.Random(seed), seconds
        self.thread = threading.Thread(target=self._play, daemon=True)
        self.thread.start()

    def _play(self) -> None:
        while not self.over.is_set() and self.game.step(self.rng):
            self.over.wait(self.seconds)

    def stop(self) -> int:
        """Stop playing; the version that the game has come to."""
        self.over.set()
        self.thread.join(PATIENCE)
        return len(self.game.done) + 1
