"""Who may send now: nobody takes all places, and a receiver that fails is left alone for a while.

All of it is known in one process alone, and bounded: of several each keeps to it by itself.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from time import monotonic

from service.webhooks.addresses import literal, network

AT_ONCE = 64  # messages on their way
FAILING = 32  # of them of hooks whose last message has failed
FOR_SESSION = 4
FOR_RECEIVER = 4  # to one host, and to one address of a host
FAILING_FOR_RECEIVER = 2  # of them
FIRST_PAUSE, LONGEST_PAUSE = (
    1.0,
    300.0,
)  # seconds that a host which fails is left alone, twice as long each time
AGAIN, APART, LATEST = (
    1.0,
    0.02,
    60.0,
)  # seconds until a hook without a place is looked at, later than the last one
KNOWN = 10_000  # hosts and URLs that are remembered
MOST_WAITING = (
    64  # hooks that are looked at as soon as there is room, for each thing of which there is too little
)

Key = tuple[str, str]  # a session and one of its hooks


@dataclass
class _Host:
    """How a host, or one URL, has failed lately: how often in a row, until when it is left alone; `next`: when those
    may come that were sent away; `broken`: of a host the URL of its own that failed last."""

    failed: int = 0
    until: float = 0.0
    next: float = 0.0
    broken: str = ""


@dataclass
class _Held:
    """What a hook has taken: names, of each of which there are so many."""

    host: str
    failing: bool
    names: list[str]
    address: list[str] = field(default_factory=list)


class Shares:
    """Places of hooks. `now`: seconds. Any thread may ask."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now, self._lock = now, Lock()
        self._taken: Counter[str] = Counter()
        self._held: dict[Key, _Held] = {}
        self._waiting: dict[str, OrderedDict[Key, None]] = {}
        self._hosts: OrderedDict[str, _Host] = OrderedDict()

    def take(self, key: Key, host: str, failing: bool, url: str | None = None) -> float:
        """Take a place for a hook, if it has none; 0, or the seconds after which to ask again. `failing`: its last
        message has not arrived."""
        with self._lock:
            if key in self._held:
                return 0.0
            names = ["", f"session {key[0]}", f"host {host}"]
            names += ["failing", f"failing host {host}"] if failing else []
            known = self._host(host)
            until = max(known.until, self._until(url))
            full = next((name for name in names if self._taken[name] >= _most(name)), None)
            if full is None and until <= self._now():
                self._taken.update(names)
                self._held[key] = _Held(host, failing, names)
                return 0.0
            if full is not None and not failing:
                waiting = self._waiting.setdefault(full, OrderedDict())
                if len(waiting) < MOST_WAITING:
                    waiting[key] = None
            return self._later(known, until)

    def connect(self, key: Key, address: str, port: int) -> bool:
        """Whether the hook may connect to this address, in the place of any other; until it gives its place back."""
        with self._lock:
            held = self._held[key]
            self._taken.subtract(held.address)
            found = literal(address)
            where = f"{network(found) if found else address} {port}"
            names = [f"address {where}"] + ([f"failing address {where}"] if held.failing else [])
            free = all(self._taken[name] < _most(name) for name in names)
            held.address = names if free else []
            self._taken.update(held.address)
            return free

    def give_back(self, key: Key) -> list[Key]:
        """Give the hook's place back, if it has one; the hooks that may have one now."""
        with self._lock:
            held = self._held.pop(key, None)
            if held is None:
                return []
            names = held.names + held.address
            self._taken.subtract(names)
            self._taken = +self._taken
            return [key for name in names for key in self._next(name)]

    def went(self, host: str, well: bool, url: str | None = None) -> None:
        """Remember how a message to a host went. Those that fail together count once.

        `url`: the one that failed, where the host was there: then it is left alone itself, and the host with all that
        is there only if another of its URLs was the last to fail.
        """
        with self._lock:
            if well:
                self._hosts.pop(host, None)
                self._hosts.pop(_named(url), None)
                return
            name = _named(url)
            if name:
                self._failed(name)
                known = self._host(host)
                known.broken, before = name, known.broken
                if before in ("", name):
                    return
            self._failed(host)

    def _failed(self, name: str) -> None:
        known, now = self._host(name), self._now()
        if known.until <= now:
            known.failed += 1
            known.until = now + min(FIRST_PAUSE * 2 ** min(known.failed - 1, 30), LONGEST_PAUSE)

    def _until(self, url: str | None) -> float:
        """Until when an URL is left alone."""
        found = self._hosts.get(_named(url))
        return 0.0 if found is None else found.until

    def _host(self, host: str) -> _Host:
        """What is known of a host; of those that nobody asked for the longest it is forgotten."""
        known = self._hosts.setdefault(host, _Host())
        self._hosts.move_to_end(host)
        if len(self._hosts) > KNOWN:
            self._hosts.popitem(last=False)
        return known

    def _later(self, known: _Host, until: float) -> float:
        """When to ask again: one after the other, so that many who wait for one receiver are not all looked at
        together again and again."""
        now = self._now()
        first = max(until, now + AGAIN)
        known.next = min(max(first, known.next + APART), first + LATEST)
        return known.next - now

    def _next(self, name: str) -> list[Key]:
        """Who has waited longest for this name, as many as there is room for; the plan knows of all."""
        waiting, left = self._waiting.get(name), self._taken[name]
        if waiting is None:
            return []
        found = [waiting.popitem(last=False)[0] for _ in range(min(len(waiting), _most(name) - left))]
        if not (waiting and left):
            del self._waiting[name]
        return found


def _named(url: str | None) -> str:
    """A short name of an URL, which is that of no host."""
    return "" if url is None else f"url {blake2b(url.encode(), digest_size=16).hexdigest()}"


def _most(name: str) -> int:
    """How many there are of a name."""
    kind, _, more = name.partition(" ")
    if kind == "failing":
        return FAILING_FOR_RECEIVER if more else FAILING
    return {"": AT_ONCE, "session": FOR_SESSION}.get(kind, FOR_RECEIVER)
