"""Whether a process has all that it needs, and what is missing: what `/readyz` says, here and in the stream process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from time import time
from typing import Any, NamedTuple

from schemas.faults import Fault
from schemas.operation import PARTS
from service.addresses import is_up
from service.config import Settings, UserError
from service.http.locale import language
from service.http.problems import Problem, table
from service.http.queries import bad_query, demand_known
from service.sessions.keys import Keyring
from service.sessions.store import Store

RETRY_AFTER = "5"
MOST_SKEW = 2.0  # seconds that the clock of this machine may differ from that of the store
QUICK = 1.0  # seconds that the stream process may take to answer
PROCESS, STORE, TIME, STREAMS, GAMES, KEYS = PARTS
Check = Callable[[], str | None]


class Stopping:
    """Whether this process has been asked to end; it may go on for a while (ARBITR_DRAIN), and nobody is to send more.

    Set in a handler of signals, so it has no lock.
    """

    asked = False


STOPPING = Stopping()


class Missing(NamedTuple):
    """Something that is missing, and why, for the operator."""

    what: str
    why: str


def excluded(query: Iterable[tuple[str, list[str]]]) -> frozenset[str]:
    """What a query says is not to be looked at: names with commas between them. Raises Problem.

    Without the store nobody asks it the time.
    """
    given = list(query)
    demand_known(given, ("exclude",))
    named = {name for _, (names,) in given for name in names.split(",")}
    if not named <= set(PARTS):
        raise bad_query("exclude", Fault("one-of", values=", ".join(PARTS)))
    return frozenset(named | {TIME} if STORE in named else named)


def missing(checks: dict[str, Check], without: Collection[str] = ()) -> list[Missing]:
    """What is missing, of all but some of the checks; of a store that is away nobody asks the time."""

    def found() -> Iterator[Missing]:
        away = False
        for what, check in checks.items():
            if what in without or (what == TIME and away):
                continue
            why = check()
            if why is not None:
                away = away or what == STORE
                yield Missing(what, why)

    return list(found())


def demand_ready(found: Collection[Missing]) -> None:
    """Raises Problem where anything is missing; it lists all of it, in the language of the request."""
    if found:
        told, spoken = table()["not-ready"]["missing"], language()
        listed = [{"what": each.what, "why": each.why, "message": told[each.what][spoken]} for each in found]
        raise Problem(
            "not-ready",
            extra={"missing": listed},
            headers={"Retry-After": RETRY_AFTER},
            reason=" ".join(each["message"] for each in listed),
        )


# -- the checks -------------------------------------------------------------------------------------------------------


def stopping() -> str | None:
    """None as long as the process is not asked to end."""
    return "stopping" if STOPPING.asked else None


def skew(store: Store, now: Callable[[], float] = time) -> str | None:
    """None where the clock here goes with that of the store: deadlines of sessions are counted by clocks like this."""
    before = now()
    there = store.clock()
    if there is None:
        return None
    off = max(before - there, there - now())  # how far it is outside of the time in which it was asked
    return f"{off:.1f} s off the store's clock" if off > MOST_SKEW else None


def stream_process(settings: Settings) -> str | None:
    """None where the stream process beside this service answers, or there is to be none beside it."""
    port = settings.stream_port
    if port is None or port <= 0 or is_up(settings.bind, port, QUICK):
        return None
    return f"no answer on port {port}"


def games(contracts: Collection[Any]) -> str | None:
    """None where there is something to play."""
    return None if contracts else "none is loaded"


def keys(settings: Settings, keyring: Keyring) -> str | None:
    """None where the server keys can be had; those of the data folder are made on need."""
    if not (settings.keys or settings.key or (settings.data / "server.key").exists()):
        return None
    try:
        return None if keyring.first else "none"
    except UserError:
        return "server.key cannot be read"
