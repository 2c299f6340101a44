"""The store on Redis or Valkey: the one module that speaks to it.

A session is a hash (`arbitr:{id}:session`), a stream (`arbitr:{id}:log`, an entry a version) and, for a day, the
answers kept under idempotency keys: a hash (`arbitr:{id}:kept`) and a list of what is in it by age
(`arbitr:{id}:ages`); beside them tickets (`arbitr:{id}:ticket:…`), for a minute each. The braces put all of them into
one slot of a cluster. (`redis_hooks` is about webhooks.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock, local
from time import time
from typing import Any

import redis

from service.sessions.clients import Aside, connect
from service.sessions.cluster import Cluster
from service.sessions.presence import Presence, note
from service.sessions.rates import Rate, Spent, TooOften
from service.sessions.redis_hooks import SWAP, RedisHooks
from service.sessions.redis_plan import REPLAN, RedisPlan
from service.sessions.store import Change, Changed, Kept, Stale, StoreAway, Stored, StoreFull, Unconfirmed

LISTEN_WAIT = 1.0  # seconds
MOST_SILENT = 4  # times that a listener waits so long without an answer
KEEP = 24 * 3600 * 1000  # milliseconds
CHANNEL = "arbitr:changes"
COMMIT, RENEW, SPEND = "commit.lua", "renew.lua", "spend.lua"
DIGITS = 13  # of a time in ms, so that texts of times are in their order
NO_ROOM = ("OOM", "MISCONF")  # in memory; on its disk, since it writes no more until it can write that down
FIELDS = ("version", "window", "expires", "about")
HOOKS = {"0": False, "1": True}


class RedisStore(RedisHooks, RedisPlan):
    """Sessions on a server. `make` makes the client, at the first call: after the fork. `now`: ms since 1970.

    `sure`: how many replicas must have what was written before it counts, and the milliseconds that they have for it.
    `rate`: how many actions a second one bearer of a session may do; 0 sets no limit.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        now: Callable[[], int] = lambda: int(time() * 1000),
        sure: tuple[int, int] = (0, 0),
        rate: int = 0,
    ) -> None:
        self._make, self._now, self._sure = make, now, sure
        self._rate = Rate("token-actions", rate)
        self._lock = Lock()
        self._own = local()
        self._client: Any = None
        self._scripts: dict[str, Any] = {}
        self._presences: defaultdict[str, Presence] = defaultdict(
            Presence
        )  # by the server's name in a cluster

    @classmethod
    def at(cls, url: str, aside: Aside = nullcontext, **more: Any) -> RedisStore:
        """The store at this address; inside `aside` whoever asks it waits for a slow answer."""
        return cls(lambda: connect(url, aside), **more)

    # -- reading ------------------------------------------------------------------------------------------------

    def read(self, session: str, *, state: bool = True, key: str | None = None) -> Stored | None:
        """See `Store`; on the wire two commands in one round trip where a key is asked for, else one."""
        names = (*FIELDS, "state") if state else FIELDS
        with self._asked(session) as client:
            if key is None:
                return _stored(self._quickly(client, "HMGET", _session(session), *names))
            pipe = client.pipeline(transaction=False)
            pipe.hmget(_session(session), names)
            pipe.hget(_kept(session), key)
            # In this order: a commit in between shows as an old session with the answer that made a new one.
            found, kept = pipe.execute()
        return _stored(found, None if kept is None or int(kept[:DIGITS]) <= self._now() else _unfolded(kept))

    def _quickly(self, client: Any, *command: Any) -> Any:
        """A command that reads, over the thread's own connection: without the pool, and what else is wrapped around.

        The connection may have been closed while nothing was asked, so it is tried twice.
        """
        if isinstance(client, Cluster):
            return client.execute_command(*command)
        connection = self._connection(client)
        for tries_left in (1, 0):
            try:
                connection.send_command(*command)
                return connection.read_response()
            except BaseException as error:
                connection.disconnect()  # an answer that was not read must not be taken for the next one's
                if not (tries_left and isinstance(error, redis.ConnectionError)):
                    raise
        raise AssertionError("the second try answers or raises")

    def _connection(self, client: Any) -> Any:
        """The thread's own connection to the server, or to what is the master now."""
        connection = self._own.__dict__.get("connection")
        if connection is None:
            connection = self._own.connection = client.connection_pool.make_connection()
        master = getattr(client.connection_pool, "master_address", None)
        if master is not None and master != (connection.host, connection.port):
            connection.disconnect()  # it may go to what was the master once
        return connection

    def _once(self, client: Any, script: Any, keys: list[str], given: tuple[Any, ...]) -> Any:
        """The answer of a script over the same connection. It is sent once: what was lost may have been done."""
        if isinstance(client, Cluster):
            return script(keys, given, client)
        connection = self._connection(client)
        try:
            gone = (
                connection.can_read()
            )  # nothing was asked, so there is nothing to read but that it was closed
        except (redis.RedisError, OSError):
            gone = True
        if gone:
            connection.disconnect()
        try:
            connection.send_command("EVALSHA", script.sha, len(keys), *keys, *given)
            return connection.read_response()
        except redis.exceptions.NoScriptError:
            return script(keys, given, client)
        except redis.ResponseError:
            raise  # it has been read
        except BaseException:
            connection.disconnect()
            raise

    def log(self, session: str, after: int = 0, limit: int | None = None) -> list[tuple[int, bytes]]:
        """See `Store`."""
        with self._asked(session) as client:
            found = client.xrange(_log(session), min=f"{after + 1}-0", count=limit)
        return [(int(at.partition(b"-")[0]), entry[b"entry"]) for at, entry in found]

    # -- writing ------------------------------------------------------------------------------------------------

    def commit(self, session: str, change: Change) -> Kept | Stale | None:
        """See `Store`; one run of `commit.lua`."""
        keys = [_session(session), _log(session)]
        now = self._now()
        limited = (change.by if self._rate.a_second else "", _at(now), self._rate.a_second, self._rate.most)
        kept: tuple[Any, ...] = ()
        if change.key is not None and change.kept is not None:
            keys += [_kept(session), _ages(session)]
            kept = (change.key, _at(now + KEEP), _folded(change.kept), KEEP)
        given = (
            change.before,
            change.version,
            change.state,
            change.window,
            change.expires,
            change.ttl * 1000,
        )
        with self._asked(session) as client:
            answer, sure = self._run(
                client, COMMIT, keys, (*given, change.entry, CHANNEL, session, change.about, *limited, *kept)
            )
        if answer[0] == b"kept":
            return _unfolded(answer[1])
        if answer[0] == b"stale":
            return Stale(int(answer[1]))
        if answer[0] == b"limited":
            raise TooOften(Spent(self._rate, float(answer[1]), enough=False))
        _confirmed(sure)
        return None

    def renew(self, session: str, expires: int, ttl: int) -> None:
        """See `Store`; one run of `renew.lua`."""
        with self._asked(session) as client:
            self._scripts[RENEW]([_session(session), _log(session)], (expires, ttl * 1000), client)

    def spend(self, name: str, rate: Rate) -> Spent:
        """See `Store`; one run of `spend.lua`, over a key of its own."""
        key = f"arbitr:rate:{name}"
        with self._asked(key=key) as client:
            left, enough = self._scripts[SPEND]([key], (self._now(), rate.a_second, rate.most), client)
        return Spent(rate, float(left), bool(enough))

    def confirm(self, session: str, expires: int, ttl: int) -> None:
        """See `Store`; what it writes comes after all that was written before, so who has it has that, too."""
        if not self._sure[0]:
            return
        with self._asked(session) as client:
            keys = [_session(session), _log(session)]
            _, sure = self._run(client, RENEW, keys, (expires, ttl * 1000))
        _confirmed(sure)

    def close(self, session: str) -> bool:
        """See `Store`."""
        keys = (_session(session), _log(session), _kept(session), _ages(session))
        with self._asked(session) as client:
            gone, sure = self._written(client, ("UNLINK", *keys), ("PUBLISH", CHANNEL, f"{session} 0"))
        _confirmed(sure)
        return bool(gone)

    def _run(self, client: Any, name: str, keys: list[str], given: tuple[Any, ...]) -> tuple[Any, bool]:
        """The answer of a script that writes, and whether enough replicas have that."""
        script = self._scripts[name]
        if not self._sure[0]:
            return self._once(client, script, keys, given), True
        try:
            return self._written(client, ("EVALSHA", script.sha, len(keys), *keys, *given))
        except redis.exceptions.NoScriptError:
            return self._written(client, ("EVAL", script.script, len(keys), *keys, *given))

    def _written(self, client: Any, *commands: tuple[Any, ...]) -> tuple[Any, bool]:
        """The answer to the first command, and whether enough replicas have what was written, in one round trip."""
        pipe = client.pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        if self._sure[0]:
            pipe.wait(*self._sure)  # on the same connection: it waits for what was written over that
        answers = pipe.execute(raise_on_error=False)
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers[0], not self._sure[0] or answers[-1] >= self._sure[0]

    # -- tickets ------------------------------------------------------------------------------------------------

    def keep_ticket(self, session: str, name: str, ticket: bytes, ttl: int) -> None:
        """See `Store`."""
        with self._asked(session) as client:
            client.set(_ticket(session, name), ticket, ex=ttl)

    def take_ticket(self, session: str, name: str) -> bytes | None:
        """See `Store`."""
        with self._asked(session) as client:
            found: bytes | None = client.getdel(_ticket(session, name))
        return found

    def _key(self, session: str) -> str:
        return _session(session)

    # -- changes ------------------------------------------------------------------------------------------------

    def changes(self) -> Iterator[Changed | None]:
        """See `Store`; a connection of its own: neither its silence nor its end says anything of the others.

        In silence it asks whether there is still somebody. Raises StoreAway where nobody answers to that: there may
        be another master by now.
        """
        with _told():
            heard = self._connected().pubsub(ignore_subscribe_messages=True)
            heard.subscribe(CHANNEL)
        silent = 0
        try:
            while True:
                with _told():
                    message = heard.get_message(timeout=LISTEN_WAIT)
                    if message is None:
                        heard.ping()
                silent = silent + 1 if message is None else 0
                if silent > MOST_SILENT:
                    raise StoreAway("it does not answer")
                if message is None or message["type"] == "message":
                    yield _changed(message["data"]) if message else None
        finally:
            with suppress(redis.RedisError, OSError):
                heard.close()

    # -- reaching it --------------------------------------------------------------------------------------------

    def unreachable(self) -> str | None:
        """See `Store`; asks the server, whatever happened before."""
        try:
            self._connected().ping()
        except (redis.RedisError, OSError) as error:
            # A server that can write nothing down refuses even this; what it holds can be read.
            if not (isinstance(error, redis.ResponseError) and _no_room(error)):
                note(error)
                return type(error).__name__
        self._presence().away_until = 0.0
        return None

    def clock(self) -> float | None:
        """See `Store`. A cluster has none: each of its nodes has one."""
        client = self._connected()
        if isinstance(client, Cluster):
            return None
        try:
            seconds, micros = client.time()
        except (redis.RedisError, OSError):
            return None
        return float(seconds + micros / 1e6)

    def _connected(self) -> Any:
        with self._lock:
            if self._client is None:
                client = self._make()
                scripts = (COMMIT, RENEW, SPEND, SWAP, REPLAN)
                self._scripts = {name: client.register_script(_text(name)) for name in scripts}
                self._client = client
        return self._client

    @contextmanager
    def _asked(self, session: str = "", key: str | None = None) -> Iterator[Any]:
        """The client, for one answer about a session, or another key. Raises StoreAway, at once where the server was
        away just now, and StoreFull."""
        with _told(), self._presence(session, key).asked():
            yield self._connected()

    def _presence(self, session: str = "", key: str | None = None) -> Presence:
        """What we know of the server that has a session, or another key."""
        client, key = self._connected(), key or (session and _session(session))
        return self._presences[client.place(key) if key and isinstance(client, Cluster) else ""]


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong inside is told as StoreAway or StoreFull."""
    try:
        yield
    except redis.ResponseError as error:
        raise (StoreFull if _no_room(error) else StoreAway)(str(error)) from error
    except (redis.RedisError, OSError) as error:
        note(error)
        raise StoreAway(type(error).__name__) from error


def _no_room(error: redis.ResponseError) -> bool:
    # A script tells it with the error of its first command that writes.
    return isinstance(error, redis.OutOfMemoryError) or any(word in str(error)[:80] for word in NO_ROOM)


def _confirmed(sure: bool) -> None:
    """Raises Unconfirmed where it is not sure."""
    if not sure:
        raise Unconfirmed


def _text(script: str) -> str:
    return Path(__file__).with_name(script).read_text(encoding="utf-8")


def _session(session: str) -> str:
    return f"arbitr:{{{session}}}:session"


def _log(session: str) -> str:
    return f"arbitr:{{{session}}}:log"


def _kept(session: str) -> str:
    return f"arbitr:{{{session}}}:kept"


def _ages(session: str) -> str:
    return f"arbitr:{{{session}}}:ages"


def _ticket(session: str, name: str) -> str:
    return f"arbitr:{{{session}}}:ticket:{name}"


def _at(time: int) -> str:
    return f"{time:0{DIGITS}}"


def _folded(kept: Kept) -> bytes:
    """Digest and answer in one, the length of the digest before them."""
    return b"%03d" % len(kept.asked) + kept.asked + kept.answer


def _unfolded(found: bytes) -> Kept:
    """And back, past the time until which it is kept."""
    begins = DIGITS + 3
    ends = begins + int(found[DIGITS:begins])
    return Kept(found[begins:ends], found[ends:])


def _changed(told: bytes) -> Changed:
    """What was published: `id version hooks`, where hooks is 0 or 1, or `id 0`: it has ended, and they with it.

    A server of an earlier release tells `id version`, or the id alone. It in turn reads of our `id version hooks` that
    the session has changed, and looks for the version itself.
    """
    session, version, hooks = [*told.decode("ascii", "replace").split(" ", 2), "", ""][:3]
    if version == "0":
        return Changed(session, 0, False)
    return Changed(session, int(version) if version.isdecimal() else None, HOOKS.get(hooks))


def _stored(found: list[Any], kept: Kept | None = None) -> Stored | None:
    version, window, expires, about = found[:4]
    if version is None or about is None:
        return None
    return Stored(int(version), int(window), int(expires), about, found[4] if len(found) > 4 else None, kept)
