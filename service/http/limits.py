"""How much one address may ask: a token bucket in each worker; who keeps failing pays more."""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from threading import Lock
from time import monotonic, thread_time

from flask import Flask, Request, Response, g

from service.http.lean import asked as asked_now
from service.http.lean import extensions, noted
from service.http.metrics import observed
from service.http.problems import Problem
from service.sessions.rates import WINDOW, Rate, Spent

MOST_ADDRESSES = 10_000
DEAREST = 10  # a request of a client that keeps failing costs so many at most
WORK = 0.001  # seconds; a request costs one more for each that it is worked on
FAULTS = frozenset({400, 401, 403, 404, 405, 406, 408, 413, 415, 422})
LIMITED = "/v1/"
KEY = "arbitr-limits"


@dataclass(slots=True)
class Bucket:
    """What an address has left, when that was so, and how often it has failed lately."""

    left: float
    at: float
    failed: int = 0

    @property
    def price(self) -> int:
        """What the next request costs."""
        return min(DEAREST, 1 + self.failed // 5)


class Limits:
    """The buckets of all addresses that asked lately; the longest silent are forgotten first."""

    def __init__(self, rate: int, now: Callable[[], float] = monotonic) -> None:
        self.rate, self.most, self.now = rate, rate * WINDOW, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._lock = Lock()

    def take(self, address: str) -> tuple[int, float]:
        """What is left after one request, and how long to wait where there was not enough (else 0)."""
        with self._lock:
            bucket = self._bucket(address)
            wait = (bucket.price - bucket.left) / self.rate
            if wait <= 0:
                bucket.left -= bucket.price
            return max(0, int(bucket.left)), max(0.0, wait)

    def spent(self, left: float) -> Spent:
        """What is told of a bucket that has so much left."""
        return Spent(Rate("address", self.rate), left)

    def note(self, address: str, failed: int, more: int = 0) -> None:
        """Remember how a request went; `more`: what it cost beside its price."""
        with self._lock:
            bucket = self._bucket(address)
            bucket.left = max(bucket.left - more, -float(self.most))
            bucket.failed = min(bucket.failed + failed, 5 * DEAREST) if failed else bucket.failed // 2

    def _bucket(self, address: str) -> Bucket:
        """The bucket of an address as it is now."""
        now = self.now()
        bucket = self._buckets.setdefault(address, Bucket(self.most, now))
        self._buckets.move_to_end(address)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        bucket.left = min(self.most, bucket.left + (now - bucket.at) * self.rate)
        bucket.at = now
        return bucket


def init_app(app: Flask, rate: int) -> None:
    """Limit the calls of an app, where there is a limit."""
    if rate:
        app.extensions[KEY] = Limits(rate)
        app.before_request(_demand)


def _demand() -> None:
    asked, here = asked_now(), noted()
    if not (asked.path.startswith(LIMITED) and asked.method != "OPTIONS" and observed()):
        return
    limits: Limits = extensions()[KEY]
    here["worked"] = thread_time()
    here["address"] = address = address_of(asked.remote_addr or "")
    here["left"], wait = limits.take(address)
    if wait:
        seconds = ceil(wait)
        raise Problem("too-many-requests", headers={"Retry-After": str(seconds)}, seconds=seconds)


def address_of(remote: str) -> str:
    """Who asks: an IPv4 address, or the network of an IPv6 one, of which every client has a whole one. A socket for
    both writes IPv4 addresses as IPv6 ones (`::ffff:192.0.2.1`)."""
    if ":" not in remote:
        return remote
    try:
        address = ipaddress.IPv6Address(remote.partition("%")[0])
    except ValueError:
        return remote
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def settle(response: Response, asked: Request) -> Response:
    """Charge a request for how it went, and tell what is left."""
    here = noted()
    if "address" in here:
        limits: Limits = extensions()[KEY]
        if response.status_code != 429:
            failed = max(here.get("refusals", 0), int(response.status_code in FAULTS))
            work = int((thread_time() - here["worked"]) / WORK)
            limits.note(here["address"], failed, max(work, here.get("items", 1) - 1))
        _tell(response, [limits.spent(here["left"]), *here.get("spent", [])])
    return response


def note_spent(spent: Spent) -> None:
    """Remember what another limiter has left, so that the answer tells it, too."""
    g.setdefault("spent", []).append(spent)


def _tell(response: Response, spent: list[Spent]) -> None:
    response.headers.update(told(spent))


def told(spent: Sequence[Spent]) -> dict[str, str]:
    """The fields of the IETF's draft, one entry a policy."""
    policies = [f'"{s.rate.policy}";q={s.rate.most};w={WINDOW}' for s in spent]
    lefts = [f'"{s.rate.policy}";r={max(0, int(s.left))};t={s.full_in}' for s in spent]
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(lefts)}
