"""A cluster: each call goes to the node that has its key, so a node that is lost is in the way of its own keys alone.

redis-py has a client for clusters, too. It asks again and again, with pauses in between, where a node does not answer;
here whoever waits is told within a second, and the next one looks where the keys are now.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha1
from threading import Lock
from time import monotonic
from typing import Any

import redis
from redis.commands.core import CoreCommands, Script
from redis.crc import key_slot
from redis.exceptions import AskError, ClusterDownError, MovedError, NoScriptError

Commands: Any = (
    CoreCommands  # made of `execute_command`; its types are of clients that may be asynchronous, too
)
Place = tuple[str, int]  # host and port
Run = Callable[[Any, bool], Any]  # something to ask a node, and whether it must be told that we know (ASKING)
SCOUTS = 3  # nodes that are asked at most where the keys are, before the call is told that nobody knows
SHUNNED = 5.0  # seconds for which a node that was away is asked last
WITHOUT_KEY = frozenset({"PUBLISH", "PING", "INFO", "TIME", "CONFIG GET", "CONFIG SET", "WAIT"})


class Cluster(Commands):
    """The commands of `redis.Redis`, for the nodes of a cluster. All keys of one call must lie in one slot.

    `node` and `scout` make clients of one server; those of scouts wait only briefly.
    """

    def __init__(
        self, seeds: Sequence[Place], node: Callable[[str, int], Any], scout: Callable[[str, int], Any]
    ) -> None:
        self._seeds, self._make, self._make_scout = list(seeds), node, scout
        self._lock = Lock()
        self._nodes: dict[Place, Any] = {}
        self._scouts: dict[Place, Any] = {}
        self._firsts: list[int] = []  # of each range of slots the first, the last and where it is
        self._ranges: list[tuple[int, Place]] = []
        self._moved: dict[int, Place] = {}  # what nodes said since then
        self._stale = True
        self._failed: dict[Place, float] = {}
        self._texts: dict[str, bytes] = {}

    # -- commands ---------------------------------------------------------------------------------------------------

    def execute_command(self, *command: Any, **options: Any) -> Any:
        """Have a command done where its key is. A script that a node does not know yet is sent whole."""
        if command[0] == "SCRIPT LOAD":
            return self._learned(command[1])

        def run(node: Any, asking: bool) -> Any:
            try:
                return _sent(node, [(command, options)], asking)[0]
            except NoScriptError:
                text = self._texts.get(command[1]) if command[0] == "EVALSHA" else None
                if text is None:
                    raise
                return _sent(node, [(("EVAL", text, *command[2:]), options)], asking)[0]

        return self.routed(key_of(command), run)

    def pipeline(self, transaction: bool = False) -> Line:
        """Commands about keys of one slot that are sent together."""
        return Line(self)

    def register_script(self, script: str | bytes) -> Script:
        """A script to be run, as `redis.Redis` has it."""
        return Script(self, script.encode() if isinstance(script, str) else script)

    def _learned(self, text: bytes) -> str:
        name = sha1(text, usedforsecurity=False).hexdigest()
        self._texts[name] = text
        return name

    def pubsub(self, **options: Any) -> Any:
        """A listener at any node: messages are told to all of them."""
        return self._node(self._any()).pubsub(**options)

    def ping(self, **options: Any) -> bool:
        """Whether any node answers. Raises ConnectionError."""
        self._look()
        return True

    # -- who has what -----------------------------------------------------------------------------------------------

    def place(self, key: str) -> str:
        """The name of the node that has a key, as far as it is known without asking."""
        found = self._found(key_slot(key.encode()))
        return "" if found is None else f"{found[0]}:{found[1]}"

    def routed(self, key: Any, run: Run) -> Any:
        """What `run` answers at the node that has the key; where it has moved, once more at its new one."""
        if key is None:
            return self._run(self._any(), run)
        place = self._owner(key_slot(key if isinstance(key, bytes) else str(key).encode()))
        try:
            return self._run(place, run)
        except MovedError as moved:
            place = self._moved[moved.slot_id] = _told_place(moved, place)
            self._stale = True  # others may have moved as well
            return self._run(place, run)
        except AskError as asked:  # the slot is moving, and the key has moved already
            return self._run(_told_place(asked, place), run, True)

    def _run(self, place: Place, run: Run, asking: bool = False) -> Any:
        """What `run` answers at a node; where that fails, the next call looks where the keys are."""
        try:
            return run(self._node(place), asking)
        except ClusterDownError:
            self._stale = True
            raise
        except (redis.ConnectionError, redis.TimeoutError, OSError):
            self._stale, self._failed[place] = True, monotonic()
            raise

    def _owner(self, slot: int) -> Place:
        """Where a slot is. Raises ConnectionError where nobody knows, ClusterDownError where nobody has it."""
        if self._stale:
            self._look()
        found = self._found(slot)
        if found is None:
            self._stale = True
            raise ClusterDownError("no node has the slot")
        return found

    def _found(self, slot: int) -> Place | None:
        if slot in self._moved:
            return self._moved[slot]
        at = bisect_right(self._firsts, slot) - 1
        if at < 0 or self._ranges[at][0] < slot:
            return None
        return self._ranges[at][1]

    def _any(self) -> Place:
        """Some node, rather one that was not away just now."""
        if self._stale:
            self._look()
        return random.choice(self._willing({place for _, place in self._ranges} or set(self._seeds)))

    def _willing(self, places: Iterable[Place]) -> list[Place]:
        every = list(places)
        good = [place for place in every if monotonic() - self._failed.get(place, -SHUNNED) >= SHUNNED]
        return good or every

    def _look(self) -> None:
        """Ask a few nodes, one after the other, where the slots are. Raises ConnectionError."""
        known = {place for _, place in self._ranges} | set(self._nodes)
        good = self._willing(known | set(self._seeds))
        random.shuffle(good)
        others = [place for place in (*known, *self._seeds) if place not in good]
        last: Exception = redis.ConnectionError("no node of the cluster is known")
        for place in [*good, *others][:SCOUTS]:
            try:
                return self._learn(self._scout(place).execute_command("CLUSTER", "SLOTS"), place)
            except (redis.ConnectionError, redis.TimeoutError, OSError) as error:
                self._failed[place], last = monotonic(), error
        raise last

    def _learn(self, told: Any, by: Place) -> None:
        found = sorted((first, last, _place(master, by)) for first, last, master, *_ in told)
        with self._lock:
            self._firsts = [first for first, _, _ in found]
            self._ranges = [(last, place) for _, last, place in found]
            self._moved, self._stale = {}, False

    def _node(self, place: Place) -> Any:
        with self._lock:
            if place not in self._nodes:
                self._nodes[place] = self._make(*place)
            return self._nodes[place]

    def _scout(self, place: Place) -> Any:
        with self._lock:
            if place not in self._scouts:
                self._scouts[place] = self._make_scout(*place)
            return self._scouts[place]


class Line(Commands):
    """Commands for one node that are sent together; nothing is sent before `execute`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._commands: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def execute_command(self, *command: Any, **options: Any) -> Line:
        """Send it later."""
        self._commands.append((command, options))
        return self

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """All answers; an error is raised, or is one of the answers."""
        commands, self._commands = self._commands, []
        key = next((key for key in (key_of(c) for c, _ in commands) if key is not None), None)
        return self._cluster.routed(key, lambda node, asking: _sent(node, commands, asking, raise_on_error))


def key_of(command: Sequence[Any]) -> Any:
    """The key that says where a command is to be done; None: anywhere."""
    name = command[0]
    if name in WITHOUT_KEY:
        return None
    if name in ("EVALSHA", "EVAL"):
        return command[3] if int(command[2]) else None
    if name in ("XREAD", "XREADGROUP"):
        words = [word if isinstance(word, str) else b"" for word in command]
        return command[words.index("STREAMS") + 1]
    return command[1]


def _sent(node: Any, commands: Sequence[Any], asking: bool, raise_on_error: bool = True) -> list[Any]:
    """The answers of a node. That a key has moved is always raised."""
    if len(commands) == 1 and not asking and raise_on_error:
        (command, options), *_ = commands
        return [node.execute_command(*command, **options)]
    pipe = node.pipeline(transaction=False)
    for command, options in commands:
        if asking:
            pipe.execute_command("ASKING")
        pipe.execute_command(*command, **options)
    answers: list[Any] = pipe.execute(raise_on_error=False)
    answers = answers[1::2] if asking else answers
    for answer in answers:
        if isinstance(answer, AskError) or (raise_on_error and isinstance(answer, Exception)):
            raise answer
    return answers


def _place(told: Sequence[Any], by: Place) -> Place:
    """Where a node says that another is; it may leave out its own host."""
    host = told[0].decode() if told[0] else ""
    return host or by[0], int(told[1])


def _told_place(error: AskError, by: Place) -> Place:
    return error.host or by[0], int(error.port)
