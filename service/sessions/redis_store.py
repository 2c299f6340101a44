"""The store on Redis or Valkey: the one module that speaks to it.

A session is a hash (`arbitr:{id}:session`), a stream (`arbitr:{id}:log`, an entry a version) and, for a day, the
answers kept under idempotency keys: a hash (`arbitr:{id}:kept`) and a list of what is in it by age
(`arbitr:{id}:ages`); beside them tickets (`arbitr:{id}:ticket:…`), for a minute each. The braces put all of them into
one slot of a cluster. (`redis_hooks` is about webhooks.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock, local
from time import monotonic, time
from typing import Any, ClassVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.sessions.redis_hooks import SWAP, RedisHooks
from service.sessions.redis_plan import REPLAN, RedisPlan
from service.sessions.store import Change, Changed, Kept, Stale, StoreAway, Stored, StoreFull

CONNECT_WAIT = 0.4  # seconds
PROMPT = 0.05  # seconds; who waits longer for an answer stands aside
ANSWER_WAIT = 0.8  # seconds; who waits for a store that hangs is told within one
AWAY = 0.5  # seconds for which a store that was away is not asked again
LISTEN_WAIT = 1.0  # seconds
KEEP = 24 * 3600 * 1000  # milliseconds
CHANNEL = "arbitr:changes"
Aside = Callable[[], AbstractContextManager[None]]
COMMIT, RENEW = "commit.lua", "renew.lua"
DIGITS = 13  # of a time in ms, so that texts of times are in their order
NO_ROOM = ("OOM", "MISCONF")  # in memory; on its disk, since it writes no more until it can write that down
FIELDS = ("version", "window", "expires", "about")


def connect(url: str, aside: Aside = nullcontext) -> redis.Redis:
    """A client that never waits long and never tries twice. It connects with its first command.

    Inside `aside` it waits for an answer that does not come at once, so that others can work meanwhile.
    """
    kind = next((kind for scheme, kind in KINDS.items() if url.startswith(scheme)), redis.Connection)
    return redis.Redis.from_url(
        url,
        connection_class=type("Patient", (_Patient, kind), {"aside": staticmethod(aside)}),
        protocol=2,
        socket_connect_timeout=CONNECT_WAIT,
        socket_timeout=ANSWER_WAIT,
        retry=Retry(NoBackoff(), 0),
    )


class _Patient:
    """What a connection does while the server is silent: it lets somebody else be worked on."""

    aside: ClassVar[Any]  # an Aside

    def _connect(self) -> Any:
        with self.aside():
            return super()._connect()  # type: ignore[misc]

    def read_response(self: Any, *given: Any, **more: Any) -> Any:
        """The answer, or TimeoutError, as ever; who listens for messages says himself how long."""
        if "timeout" not in more and not self.can_read(PROMPT):
            with self.aside():
                came = self.can_read(ANSWER_WAIT - PROMPT)
            if not came:
                self.disconnect()
                raise redis.TimeoutError("no answer")
        return super().read_response(*given, **more)  # type: ignore[misc]


KINDS = {"unix": redis.UnixDomainSocketConnection, "rediss": redis.SSLConnection}  # by the address's scheme


class RedisStore(RedisHooks, RedisPlan):
    """Sessions on a server. `make` makes the client, at the first call: after the fork. `now`: ms since 1970."""

    def __init__(self, make: Callable[[], Any], now: Callable[[], int] = lambda: int(time() * 1000)) -> None:
        self._make, self._now = make, now
        self._lock = Lock()
        self._own = local()
        self._client: Any = None
        self._scripts: dict[str, Any] = {}
        self._trial = Lock()
        self._away_until = 0.0  # 0: as far as we know it is there

    @classmethod
    def at(cls, url: str, aside: Aside = nullcontext) -> RedisStore:
        """The store at this address; inside `aside` whoever asks it waits for a slow answer."""
        return cls(lambda: connect(url, aside))

    # -- reading ------------------------------------------------------------------------------------------------

    def read(self, session: str, *, state: bool = True, key: str | None = None) -> Stored | None:
        """See `Store`; on the wire two commands in one round trip where a key is asked for, else one."""
        names = (*FIELDS, "state") if state else FIELDS
        with self._asked() as client:
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
        connection = self._own.__dict__.get("connection")
        if connection is None:
            connection = self._own.connection = client.connection_pool.make_connection()
        for tries_left in (1, 0):
            try:
                connection.send_command(*command)
                return connection.read_response()
            except BaseException as error:
                connection.disconnect()  # an answer that was not read must not be taken for the next one's
                if not (tries_left and isinstance(error, redis.ConnectionError)):
                    raise
        raise AssertionError("the second try answers or raises")

    def log(self, session: str, after: int = 0, limit: int | None = None) -> list[tuple[int, bytes]]:
        """See `Store`."""
        with self._asked() as client:
            found = client.xrange(_log(session), min=f"{after + 1}-0", count=limit)
        return [(int(at.partition(b"-")[0]), entry[b"entry"]) for at, entry in found]

    # -- writing ------------------------------------------------------------------------------------------------

    def commit(self, session: str, change: Change) -> Kept | Stale | None:
        """See `Store`; one run of `commit.lua`."""
        keys = [_session(session), _log(session)]
        kept: tuple[Any, ...] = ()
        if change.key is not None and change.kept is not None:
            keys += [_kept(session), _ages(session)]
            now = self._now()
            kept = (change.key, _at(now), _at(now + KEEP), _folded(change.kept), KEEP)
        given = (
            change.before,
            change.version,
            change.state,
            change.window,
            change.expires,
            change.ttl * 1000,
        )
        with self._asked() as client:
            answer = self._scripts[COMMIT](
                keys, (*given, change.entry, CHANNEL, session, change.about, *kept), client
            )
        if answer[0] == b"kept":
            return _unfolded(answer[1])
        return Stale(int(answer[1])) if answer[0] == b"stale" else None

    def renew(self, session: str, expires: int, ttl: int) -> None:
        """See `Store`; one run of `renew.lua`."""
        with self._asked() as client:
            self._scripts[RENEW]([_session(session), _log(session)], (expires, ttl * 1000), client)

    def close(self, session: str) -> bool:
        """See `Store`."""
        with self._asked() as client:
            gone = client.unlink(_session(session), _log(session), _kept(session), _ages(session))
            client.publish(CHANNEL, f"{session} 0")
        return bool(gone)

    # -- tickets ------------------------------------------------------------------------------------------------

    def keep_ticket(self, session: str, name: str, ticket: bytes, ttl: int) -> None:
        """See `Store`."""
        with self._asked() as client:
            client.set(_ticket(session, name), ticket, ex=ttl)

    def take_ticket(self, session: str, name: str) -> bytes | None:
        """See `Store`."""
        with self._asked() as client:
            found: bytes | None = client.getdel(_ticket(session, name))
        return found

    def _key(self, session: str) -> str:
        return _session(session)

    # -- changes ------------------------------------------------------------------------------------------------

    def changes(self) -> Iterator[Changed | None]:
        """See `Store`; a connection of its own: neither its silence nor its end says anything of the others."""
        with _told():
            heard = self._connected().pubsub(ignore_subscribe_messages=True)
            heard.subscribe(CHANNEL)
        try:
            while True:
                with _told():
                    message = heard.get_message(timeout=LISTEN_WAIT)
                yield _changed(message["data"]) if message else None
        finally:
            with suppress(redis.RedisError, OSError):
                heard.close()

    # -- reaching it --------------------------------------------------------------------------------------------

    def unreachable(self) -> str | None:
        """See `Store`; asks the server, whatever happened before."""
        try:
            self._connected().ping()
        except redis.ResponseError:
            pass  # a server that can write nothing down refuses even this; what it holds can be read
        except (redis.RedisError, OSError) as error:
            return type(error).__name__
        self._away_until = 0.0
        return None

    def _connected(self) -> Any:
        with self._lock:
            if self._client is None:
                client = self._make()
                scripts = (COMMIT, RENEW, SWAP, REPLAN)
                self._scripts = {name: client.register_script(_text(name)) for name in scripts}
                self._client = client
        return self._client

    @contextmanager
    def _asked(self) -> Iterator[Any]:
        """The client, for one answer. Raises StoreAway, at once where it was away just now, and StoreFull."""
        trying = self._may_try()
        try:
            with _told(), self._watched():
                yield self._connected()
        finally:
            if trying:
                self._trial.release()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Whether the store is there shows inside: a refusal is an answer too."""
        try:
            yield
        except redis.ResponseError:
            self._away_until = 0.0
            raise
        except (redis.RedisError, OSError):
            self._away_until = monotonic() + AWAY
            raise
        self._away_until = 0.0

    def _may_try(self) -> bool:
        """Whether this call is the one that tries if the store is back, while all others are told that it is away: a
        store that hangs keeps one thread, not all. Raises StoreAway."""
        if not self._away_until:
            return False
        if monotonic() < self._away_until or not self._trial.acquire(blocking=False):
            raise StoreAway("it was away just now")
        return True


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong inside is told as StoreAway or StoreFull."""
    try:
        yield
    except redis.ResponseError as error:
        raise (StoreFull if _no_room(error) else StoreAway)(str(error)) from error
    except (redis.RedisError, OSError) as error:
        raise StoreAway(type(error).__name__) from error


def _no_room(error: redis.ResponseError) -> bool:
    # A script tells it with the error of its first command that writes.
    return isinstance(error, redis.OutOfMemoryError) or any(word in str(error)[:80] for word in NO_ROOM)


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
    """What was published: `id version`; 0: it has ended. A server of an earlier release tells the id alone."""
    session, _, version = told.decode("ascii", "replace").partition(" ")
    return Changed(session, int(version) if version.isdecimal() else None)


def _stored(found: list[Any], kept: Kept | None = None) -> Stored | None:
    version, window, expires, about = found[:4]
    if version is None or about is None:
        return None
    return Stored(int(version), int(window), int(expires), about, found[4] if len(found) > 4 else None, kept)
