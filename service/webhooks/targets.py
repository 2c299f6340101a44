"""Where messages may go: to addresses of the public internet, so that nobody reaches through us what he cannot.

An URL is read by its form when it is registered; its name is looked up then and before each message, every address
that comes back must be public, and what is connected to is the very address that was looked at.
"""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Condition, Thread
from urllib.parse import SplitResult, urlsplit

from service.webhooks.addresses import Address, literal, public

LONGEST = 2000  # characters of an URL
FORM = re.compile(r"[!-\[\]-~]+")  # what is printed of ASCII, without blank and backslash
NETLOC = re.compile(r"(\[[^\[\]]*\]|[^\[\]:]*)(:[0-9]*)?")  # after a closing bracket nothing but a port
LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
NAME = re.compile(rf"({LABEL}\.)*{LABEL}")
NUMERIC = re.compile(r"([0-9]+|0x[0-9a-f]*)")  # of a name that ends so, some make an address
LONGEST_NAME = 253
# Names of machines and networks at home; what they lead to is looked at besides.
OWN = (
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "arpa",
    "onion",
    "test",
    "invalid",
)
PORTS = {"https": 443, "http": 80}
LOOKUPS = 16  # at once; one that hangs holds a thread for as long as the system lets it
SHARE, DOMAIN_SHARE = 4, 8  # of them for one who asks, and for the names of one domain
LOOKUP_WAIT = 2.0  # seconds for an answer, and before for a thread
MOST_ADDRESSES = 8  # of one name


class TargetRefused(Exception):
    """An URL that no message goes to, and `why`: form, scheme, credentials, port or address.

    A name that leads nowhere and one that leads inside are both `address`: nobody learns here which names there are.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class LookupsBusy(Exception):
    """All threads that look names up are taken, or all that may be for this one: nothing was found out of the name."""


@dataclass(frozen=True)
class Target:
    """An URL taken apart. `path` with the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """What stands in `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def resolved(host: str) -> Sequence[str]:
    """The addresses that the system knows of a name. Raises OSError, UnicodeError."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Targets:
    """Reads URLs and looks their names up. `private`: inside is allowed too, and so are http and every port."""

    def __init__(self, private: bool = False, resolve: Callable[[str], Sequence[str]] = resolved) -> None:
        self.private, self._resolve = private, resolve
        self._taken: Counter[str] = Counter()  # threads, in all (under no name) and by whose they are
        self._freed = Condition()

    def read(self, url: str) -> Target:
        """The target that an URL names, by its form alone. Raises TargetRefused."""
        if not 0 < len(url) <= LONGEST or not FORM.fullmatch(url):
            raise TargetRefused("form")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise TargetRefused("form") from None
        if parts.scheme not in (("https", "http") if self.private else ("https",)):
            raise TargetRefused("scheme")
        if "@" in parts.netloc:
            raise TargetRefused("credentials")
        if "#" in url or "%" in parts.netloc or not parts.netloc or parts.netloc.endswith(":"):
            raise TargetRefused("form")
        if not NETLOC.fullmatch(parts.netloc):
            raise TargetRefused("form")
        return Target(parts.scheme, self._host(parts), self._port(parts.scheme, port), _path(parts))

    def _host(self, parts: SplitResult) -> str:
        host = (parts.hostname or "").lower()
        address = literal(host)
        if (":" in host) != parts.netloc.startswith("[") or (address is None and ":" in host):
            raise TargetRefused("form")
        if address is not None:
            self._demand(address)
        elif not NAME.fullmatch(host) or len(host) > LONGEST_NAME or NUMERIC.fullmatch(_last(host)):
            raise TargetRefused("form")
        elif not self.private and ("." not in host or _last(host) in OWN):
            raise TargetRefused("address")
        return host

    def _port(self, scheme: str, port: int | None) -> int:
        usual = PORTS[scheme]
        if port == 0 or not (self.private or port in (None, usual)):
            raise TargetRefused("port")
        return port or usual

    def _demand(self, address: Address) -> None:
        if not (self.private or public(address)):
            raise TargetRefused("address")

    # -- names ----------------------------------------------------------------------------------------------------

    def demand(self, url: str, *whose: str) -> None:
        """Raises TargetRefused where no message may go to this URL, as its name is known now; LookupsBusy."""
        try:
            self.looked_up(self.read(url).host, *whose, wait=LOOKUP_WAIT).result(LOOKUP_WAIT)
        except TimeoutError:
            raise TargetRefused("address") from None

    def looked_up(self, host: str, *whose: str, wait: float = 0.0) -> Future[list[str]]:
        """The addresses of a host, all of which a message may go to, or TargetRefused, when they are known.

        `whose`: for whom that is, each of whom has a share of the threads; `wait`: seconds for one to become free, but
        not for those whose share is taken: they would hold up others. Raises LookupsBusy.
        """
        found: Future[list[str]] = Future()
        if literal(host) is not None:
            self._settle(found, host, lambda host: [host])
            return found
        mine = {"": LOOKUPS, f"domain:{_domain(host)}": DOMAIN_SHARE, **dict.fromkeys(whose, SHARE)}
        with self._freed:
            if any(self._taken[name] >= SHARE for name in whose) or not self._freed.wait_for(
                lambda: all(self._taken[n] < most for n, most in mine.items()), wait
            ):
                raise LookupsBusy
            self._taken.update(mine.keys())
        Thread(target=self._look_up, args=(found, host, mine), name="lookup", daemon=True).start()
        return found

    def _look_up(self, found: Future[list[str]], host: str, mine: Iterable[str]) -> None:
        try:
            self._settle(found, host, self._resolve)
        finally:
            with self._freed:
                self._taken.subtract(mine)
                self._taken = +self._taken  # those who have none are forgotten
                self._freed.notify_all()

    def _settle(self, found: Future[list[str]], host: str, resolve: Callable[[str], Sequence[str]]) -> None:
        if not found.set_running_or_notify_cancel():
            return
        try:
            found.set_result(self._allowed(resolve(host)))
        except (TargetRefused, OSError, UnicodeError):
            found.set_exception(TargetRefused("address"))

    def _allowed(self, every: Sequence[str]) -> list[str]:
        """These addresses, if there are any and a message may go to each."""
        for text in every:
            address = literal(text)
            if address is None:
                raise TargetRefused("address")
            self._demand(address)
        if not every:
            raise TargetRefused("address")
        return list(every)[:MOST_ADDRESSES]


def _last(host: str) -> str:
    return host.rpartition(".")[2]


def _domain(host: str) -> str:
    """What the names of one owner end with, more or less."""
    return ".".join(host.split(".")[-2:])


def _path(parts: SplitResult) -> str:
    query = f"?{parts.query}" if parts.query else ""
    return (parts.path or "/") + query
