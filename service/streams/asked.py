"""A request as the stream process needs it, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from secrets import token_hex
from typing import Any
from urllib.parse import parse_qs, urlsplit

from service.config import Settings
from service.http import bearer, manners, queries, streaming
from service.http.limits import address_of
from service.http.locale import chosen_from
from service.http.outside import Outside
from service.http.problems import Problem
from service.http.session_events import BOUNDS

STREAM = re.compile(r"/v1/sessions/([^/]+)/stream")
ROUTE = "/v1/sessions/<session>/stream"
PLAIN = ("/livez", "/readyz", "/metrics")
MOST_PARAMETERS = 20
LISTS = ("accept", "accept-language", "x-forwarded-for")  # headers that may come in several lines


@dataclass(frozen=True)
class Asked:
    """A request: `headers` with names in lower case, of each the last, but of LISTS all lines as one."""

    settings: Settings
    method: str
    path: str
    query: bytes
    headers: Mapping[str, str]
    peer: str
    scheme: str
    limits: dict[str, str] = field(default_factory=dict)  # what the answer tells of what is left

    @classmethod
    def of(cls, settings: Settings, scope: Mapping[str, Any]) -> Asked:
        """The request of an ASGI scope."""
        headers: dict[str, str] = {}
        for name, value in ((n.decode("latin-1"), v.decode("latin-1")) for n, v in scope["headers"]):
            headers[name] = f"{headers[name]}, {value}" if name in LISTS and name in headers else value
        peer = (scope.get("client") or ("",))[0]
        path = _inside(settings, scope["path"])
        return cls(settings, scope["method"], path, scope["query_string"], headers, peer, scope["scheme"])

    @cached_property
    def name(self) -> str:
        """The id of the request: its own, or one made."""
        given = self.headers.get("x-request-id", "")
        return given if manners.SANE.fullmatch(given) else token_hex(16)

    @property
    def session(self) -> str | None:
        """The session whose stream is asked for."""
        found = STREAM.fullmatch(self.path)
        return found[1] if found else None

    @property
    def route(self) -> str:
        """The address as it was declared: it holds nothing of what the client wrote."""
        return ROUTE if self.session is not None else self.path if self.path in PLAIN else "none"

    @cached_property
    def outside(self) -> Outside:
        """How it is to be told."""
        base = streaming.base_for(self.settings, self.scheme, self.headers.get("host", ""))
        return Outside(chosen_from(self.headers.get("accept-language", "")), base or "", self.name)

    @cached_property
    def client(self) -> str | None:
        """Who asks, as far as that is limited; behind proxies what the last one that is believed was told."""
        if not self.settings.rate:
            return None
        told = self.headers.get("x-forwarded-for", "").split(",")
        proxies = self.settings.trusted_proxies
        behind = bool(proxies) and len(told) >= proxies
        return address_of(told[-proxies].strip() if behind else self.peer)

    @cached_property
    def parameters(self) -> Mapping[str, list[str]]:
        """The query, taken apart. Raises Problem."""
        try:
            text = self.query.decode("ascii")
            return parse_qs(text, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
        except ValueError:
            raise Problem("bad-request") from None

    def demand_stream(self) -> None:
        """Refuse what cannot be a request for a stream. Raises Problem."""
        accept = self.headers.get("accept", "*/*")
        if not accepts_streams(accept):
            raise Problem("not-acceptable", offered=streaming.MIMETYPE)
        queries.demand_known(self.parameters.items(), ("after", "ticket"))

    @property
    def after(self) -> int | None:
        """The version that the client has seen; a header, which browsers send when they come back, goes first."""
        least, most = BOUNDS["after"]
        if seen := self.headers.get("last-event-id", ""):
            return queries.whole("Last-Event-ID", seen, least, most, "header")
        given = self.parameters.get("after")
        return None if given is None else queries.whole("after", given[0], least, most)

    @property
    def ticket(self) -> str | None:
        """The ticket, if it comes with one. Raises Problem where it can be none."""
        given = self.parameters.get("ticket")
        return None if given is None else bearer.shaped(given[0])

    @property
    def token(self) -> str:
        """The token. Raises Problem where there is none."""
        return bearer.token_in(self.headers.get("authorization", ""))


def _inside(settings: Settings, path: str) -> str:
    """A stream's path without that of `ARBITR_STREAM_URL`, where a proxy has left it on; any other as it is."""
    before = urlsplit(settings.stream_url).path
    inside = path.removeprefix(before)
    return inside if STREAM.fullmatch(inside) else path


def accepts_streams(accept: str) -> bool:
    """Whether the header `Accept` allows for a stream."""
    for part in accept.split(","):
        kind, *rest = (piece.strip().lower() for piece in part.split(";"))
        refused = any(re.fullmatch(r"q=0(\.0*)?", piece) for piece in rest)
        if kind in ("*/*", "text/*", streaming.MIMETYPE) and not refused:
            return True
    return False
