"""A webhook as it is kept: where messages go, what its holder has been told, and how it went."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from service.sessions.tokens import HOST, SEAT, Tokens

YOUR_DECISION, GAME_OVER = "your-decision", "game-over"
SEATS = f"{SEAT}:"  # what the name of a seat's bearer begins with


class Hook(msgspec.Struct, frozen=True, omit_defaults=True):
    """A webhook; times in ms since 1970.

    `bearer`: whose it is (his name), by the token with the digest `holder`; `key_id`: the server key of its secret.
    `told`: the version up to which the log has been looked at, `waiting`: for whom of those that concern him the game
    waited then, `due`: of whom he is still to be told, and since which version; `over`: the version at which the game
    ended, `over_told`: whether he knows, or never will. `seen`: when anything of this changed.
    The last `tries` have failed, `refused` of them by an answer that says no; the next message failed first at `since`;
    none goes before `next_at`, none while somebody who sends one holds the hook until `lease`. `result` of the
    last one, sent `at`; `gave_up`: none has arrived since one was given up.
    """

    id: str
    bearer: str
    holder: str
    url: str
    key_id: str
    told: int
    seen: int
    waiting: list[str] = []
    due: dict[str, int] = {}
    over: int = 0
    over_told: bool = False
    tries: int = 0
    refused: int = 0
    since: int = 0
    next_at: int = 0
    lease: int = 0
    result: str = ""
    at: int = 0
    gave_up: bool = False

    def concerns(self, name: str) -> bool:
        """Whether its holder wants to know that the game waits for the bearer of this name: the host of every seat."""
        return name == self.bearer or (self.bearer == HOST and name.startswith(SEATS))

    @property
    def state(self) -> str:
        """How it goes: `new`, where nothing was sent yet, `ok`, where the last message arrived, `failing`, where one
        was given up, or `retrying`. Whether there is anything to tell now does not matter."""
        if self.gave_up:
            return "failing"
        if not self.result:
            return "new"
        return "ok" if self.result.startswith("2") else "retrying"


class Message(msgspec.Struct, frozen=True):
    """Something to tell: what, at which version, and for whom (a bearer's name) the game waits."""

    kind: str
    version: int
    name: str

    @property
    def seat(self) -> str | None:
        """The seat that it is about, if it is one."""
        return seat_of(self.name)


class About(msgspec.Struct, frozen=True):
    """Of what is kept of a session, what concerns webhooks."""

    game: str
    tokens: Tokens


_HOOKS = msgspec.json.Decoder(list[Hook])
_ABOUT = msgspec.json.Decoder(About)


def kept(hooks: Sequence[Hook]) -> bytes:
    """Hooks for the store; nothing where there are none."""
    return msgspec.json.encode(hooks) if hooks else b""


def read(blob: bytes) -> list[Hook]:
    """And back."""
    return _HOOKS.decode(blob) if blob else []


def about(blob: bytes) -> About:
    """What is kept of a session."""
    return _ABOUT.decode(blob)


def holder(tokens: Tokens, name: str) -> str | None:
    """The digest of the token that the bearer of this name has now."""
    seat = seat_of(name)
    return getattr(tokens, name, None) if seat is None else tokens.seats.get(seat)


def seat_of(name: str) -> str | None:
    """The seat in a bearer's name; None for a role."""
    return name.removeprefix(SEATS) if name.startswith(SEATS) else None


def message_id(hook: Hook, message: Message) -> str:
    """The id of a message: the same however often, and by whom, it is sent."""
    text = f"{hook.id} {message.kind} {message.version} {message.name}"
    return f"msg_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
