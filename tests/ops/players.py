"""Clients of a running service that play in sessions, and go on asking when a server is killed under their hands."""

from __future__ import annotations

import http.client
import json
import random
import secrets
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec

from service.battery.games import NOT_PARAMETERS
from service.games.zavandor.v1 import RULES
from service.sessions import ledger
from service.sessions.redis_store import RedisStore
from service.sessions.replay import digest, replayed
from tests.patience import PATIENCE


class Player:
    """One keep-alive connection that is opened anew whenever it breaks."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.link: http.client.HTTPConnection | None = None

    def once(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any, Any]:
        """One request: status, body, headers. Raises OSError or HTTPException."""
        self.link = self.link or http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        given = {k.replace("_", "-"): v for k, v in headers.items()}
        if body is not None:
            given["Content-Type"] = "application/json"
        try:
            self.link.request(method, path, None if body is None else json.dumps(body), given)
            answer = self.link.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        return answer.status, json.loads(text) if text else None, answer.headers

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any, Any]:
        """The same, again and again until there is an answer that is none of a server in trouble."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                answer = self.once(method, path, body, **headers)
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)
                continue
            if answer[0] != 503:
                return answer
            time.sleep(0.05)
        raise AssertionError(f"no answer to {method} {path} for {PATIENCE} s")

    def close(self) -> None:
        if self.link is not None:
            self.link.close()
        self.link = None

    def __del__(self) -> None:
        self.close()


@dataclass
class Game:
    """A session of Zavandor, all of whose seats one client plays; `done`: the actions that were answered by 201."""

    player: Player
    opened: Any
    done: list[Any] = field(default_factory=list)
    fails_over: bool = False  # what was read may be of a master that is none any more: look again

    @property
    def path(self) -> str:
        return self.opened["session"]["links"]["self"]

    @property
    def id(self) -> str:
        return self.opened["session"]["id"]

    def token(self, who: str) -> str:
        tokens = self.opened["tokens"]
        return f"Bearer {tokens['seats'].get(who) or tokens.get(who)}"

    def choices(self) -> tuple[int, list[Any]]:
        """The version and all that may be done now, one action an option."""
        actor = self.player.ask("GET", self.path, Authorization=self.token("spectator"))[1]["decisions"]
        if not actor:
            return 0, []
        found = self.player.ask("GET", f"{self.path}/options", Authorization=self.token(actor[0]["actor"]))[1]
        return found["session"]["version"], [_filled(o) for o in found["options"]]

    def step(self, rng: random.Random) -> bool:
        """Do one thing under a key, as often as it takes; whether the game goes on."""
        version, choices = self.choices()
        if not choices:
            return False
        action = rng.choice([c for c in choices if c["kind"] in QUIET] or choices)
        status, answer, _ = self.player.ask(
            "POST",
            f"{self.path}/actions",
            {"action": action},
            Authorization=self.token(action["actor"]),
            If_Match=f'"{version}"',
            Idempotency_Key=secrets.token_hex(8),
        )
        if status == 412 and self.fails_over:
            return True
        assert status == 201, answer
        assert answer["session"]["version"] == version + 1
        self.done.append(action)
        return True


QUIET = ("end-turn", "move-gem", "sell-gems", "pass")  # with these a game goes on for long


def _filled(option: Any) -> Any:
    values = {name: shown["example"] for name, shown in option.get("open", {}).items()}
    return {k: v for k, v in option.items() if k not in NOT_PARAMETERS} | values


def opened(port: int, seed: str = "7") -> Game:
    player = Player(port)
    body = {"game": "zavandor", "seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"seed": seed}}
    status, answer, _ = player.ask("POST", "/v1/sessions", body)
    assert status == 201, answer
    return Game(player, answer)


def kept_actions(store: RedisStore, session: str) -> list[Any]:
    """What players did, by the log, which has no gap."""
    log = ledger.log_of(store.log(session))
    assert sorted(log) == list(range(1, len(log) + 1))
    return [log[v].proposed[0] for v in range(2, len(log) + 1)]


def sound(store: RedisStore, session: str) -> None:
    """The state that is kept is the one that the log leads to."""

    stored = store.read(session)
    assert stored is not None
    log = ledger.log_of(store.log(session))
    assert max(log) == stored.version
    start = msgspec.convert(log[1].state, RULES.state_type)
    actions = [a for v in ledger.line(log, stored.version) for a in log[v].proposed]
    assert digest(replayed(RULES, start, actions)) == digest(
        RULES.decode(ledger.unpacked(stored.state or b""))
    )


@contextmanager
def played(games: list[Game]) -> Iterator[None]:
    """Inside, each of the games goes on; what goes wrong in one is raised at the end."""
    over = threading.Event()

    def play(game: Game) -> None:
        rng = random.Random(game.id)
        while not over.is_set() and game.step(rng):
            pass

    with ThreadPoolExecutor(len(games)) as pool:
        playing = [pool.submit(play, game) for game in games]
        try:
            yield
        finally:
            over.set()
    for each in playing:
        each.result()
