"""A webhook's turn: what is to be sent now, and what is kept of how it went. Whoever holds its lease sends.

All of it rests on what the store keeps, and each change is one comparison and swap: of several processes one sends, and
whatever one that was killed has left is taken up by the next when its lease has run out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import random
from time import time

from msgspec.structs import replace

from service.sessions import ledger
from service.sessions.keys import Key, Keyring
from service.sessions.store import Store
from service.webhooks import hooks, retrying, signing
from service.webhooks.hooks import About, Hook, Message, message_id
from service.webhooks.telling import Waits, body, caught_up, messages

LEASE = 30_000  # ms; longer than a message takes
SOONEST_LOOK, LATEST_LOOK = 60_000, 600_000  # ms between two looks at a hook of which nothing is heard
SAVE_EVERY = 64  # versions that are read again at most because nothing in them was worth keeping
PUT_BACK = 2000  # ms until a message is sent for which there was no room, and up to as much again
PART = 256  # versions read from the log in one go
TRIES = 50  # changes of others that may come before ours


Place = Callable[[str, Hook], int]


@dataclass(frozen=True)
class Job:
    """A message to send, whose hook is ours until the lease has run out."""

    session: str
    hook: Hook
    message: Message
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class _Found:
    """A hook as it was read, with its session's others."""

    session: str
    blob: bytes
    hook: Hook
    about: About
    version: int

    def swapped(self, after: Hook | None) -> bytes:
        """What is kept when this hook has become another one, or nothing."""
        every = [after if hook.id == self.hook.id else hook for hook in hooks.read(self.blob)]
        return hooks.kept([hook for hook in every if hook is not None])


class Rounds:
    """Takes up hooks and puts them back. `now`: ms since 1970; `chance`: from 0 to 1. What asks the store raises what
    that raises."""

    def __init__(
        self,
        store: Store,
        keys: Keyring,
        now: Callable[[], int] = lambda: int(time() * 1000),
        chance: Callable[[], float] = random,
    ) -> None:
        self._store, self._keys, self._now, self._chance = store, keys, now, chance

    def planned(self, most: int) -> list[tuple[str, str]]:
        """Sessions and hooks whose time has come, the longest due first."""
        return [_parted(name) for name in self._store.planned_hooks(self._now(), most)]

    def every(self) -> list[tuple[str, str]]:
        """All hooks that are planned at any time."""
        every: list[tuple[str, str]] = []
        past, found = 0, [""]
        while found:
            found = self._store.planned_hooks(None, PART, past)
            every += map(_parted, found)
            past += len(found)
        return every

    def of(self, session: str) -> list[str]:
        """The ids of a session's hooks."""
        return [hook.id for hook in hooks.read(self._store.hooks(session))]

    def put_off(self, session: str, id_: str) -> None:
        """Look at a hook later, with which something is wrong."""
        self._plan(session, id_, self._now() + LATEST_LOOK)

    # -- taking one up --------------------------------------------------------------------------------------------

    def take(self, session: str, id_: str, place: Place = lambda session, hook: 0) -> Job | None:
        """The next message of a hook, with its lease; None where there is nothing to send now, or another sends.

        `place` is asked before, once and again, whether it may be sent now: 0, or ms to wait."""
        for _ in range(TRIES):
            found = self._read(session, id_)
            if found is None:
                return None
            after = caught_up(found.hook, self._log(found), now := self._now())
            due, key = messages(after), self._keys.get(after.key_id)
            if not due or key is None:
                again = self._next_look(after)
            elif (again := max(after.lease, after.next_at)) <= now and not (wait := place(session, after)):
                leased = replace(after, lease=now + LEASE)
                self._plan(session, id_, leased.lease)
                if self._store.swap_hooks(session, found.blob, found.swapped(leased)):
                    return self._job(found, leased, due[0], key)
                continue
            elif again <= now:
                again = now + wait
            if self._saved(found, after):
                self._plan(session, id_, max(again, now + 1))
                return None
        return None

    def _read(self, session: str, id_: str) -> _Found | None:
        """A hook with its session. One that is not there, or whose holder has no token any more, is forgotten."""
        blob = self._store.hooks(session)
        hook = next((hook for hook in hooks.read(blob) if hook.id == id_), None)
        stored = None if hook is None else self._store.read(session, state=False)
        if hook is None or stored is None:
            self._store.drop_hooks([f"{session}/{id_}"])
            return None
        found = _Found(session, blob, hook, hooks.about(stored.about), stored.version)
        if hooks.holder(found.about.tokens, hook.bearer) == hook.holder:
            return found
        self._forget(found)
        return None

    def _forget(self, found: _Found) -> None:
        if self._store.swap_hooks(found.session, found.blob, found.swapped(None)):
            self._store.drop_hooks([f"{found.session}/{found.hook.id}"])

    def _log(self, found: _Found) -> Iterator[tuple[int, Waits]]:
        """For whom the game waited at each version since the hook was brought up to date."""
        told = found.hook.told
        while told < found.version and (part := self._store.log(found.session, told, PART)):
            for told, entry in part:
                yield told, ledger.waits_of(entry)

    def _saved(self, found: _Found, after: Hook) -> bool:
        """Keep what is worth it; false where somebody else was quicker."""
        if replace(after, told=found.hook.told) == found.hook and after.told < found.hook.told + SAVE_EVERY:
            return True
        return self._store.swap_hooks(found.session, found.blob, found.swapped(after))

    def _next_look(self, hook: Hook) -> int:
        """When to look at a hook of which nothing is heard: the longer that is so, the later."""
        now = self._now()
        return now + min(max(now - hook.seen, SOONEST_LOOK), LATEST_LOOK)

    def _plan(self, session: str, id_: str, at: int) -> None:
        self._store.plan_hook(f"{session}/{id_}", at)

    def _job(self, found: _Found, hook: Hook, message: Message, key: Key) -> Job:
        text = body(found.session, found.about.game, message)
        secret = signing.secret(key, found.session, hook.id)
        headers = signing.headers(secret, message_id(hook, message), self._now() // 1000, text)
        return Job(found.session, hook, message, text, headers)

    # -- putting it back ------------------------------------------------------------------------------------------

    def answered(self, job: Job, status: int) -> None:
        """The receiver has answered: 2xx is well, 410 takes the hook away, all else is tried again."""
        if status == retrying.GONE:
            self._put_back(job, lambda hook: None)
        elif 200 <= status < 300:
            self._put_back(job, lambda hook: retrying.succeeded(hook, job.message, status, self._now()))
        else:
            self.unanswered(job, str(status))

    def unanswered(self, job: Job, why: str) -> None:
        """The message has not arrived."""
        self._put_back(job, lambda hook: retrying.failed(hook, job.message, why, self._now(), self._chance()))

    def put_back(self, job: Job) -> None:
        """The message was not sent, for want of what is none of the receiver's: it goes a little later."""
        until = self._now() + int(PUT_BACK * (1 + self._chance()))
        self._put_back(job, lambda hook: replace(hook, lease=until))

    def _put_back(self, job: Job, change: Callable[[Hook], Hook | None]) -> None:
        for _ in range(TRIES):
            found = self._read(job.session, job.hook.id)
            if found is None:
                return
            after = change(found.hook)
            if self._store.swap_hooks(job.session, found.blob, found.swapped(after)):
                if after is None:
                    self._store.drop_hooks([f"{job.session}/{job.hook.id}"])
                else:
                    self._plan(job.session, job.hook.id, max(after.next_at, after.lease, self._now()))
                return


def _parted(name: str) -> tuple[str, str]:
    session, _, id_ = name.partition("/")
    return session, id_
