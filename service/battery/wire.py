"""Asking a service over HTTP: answers as the bytes they are, patience with limits, one line for what is in the way."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from service.config import UserError

Json = Any
TIMEOUT = 30.0  # seconds that an answer may take
TRIES = 20  # of a request that a limit refuses
LONGEST_PAUSE = 15.0  # seconds that a limit may ask for


@dataclass(frozen=True)
class Answer:
    """The status and the bytes of an answer."""

    status: int
    body: bytes

    @cached_property
    def json(self) -> Json:
        """The answer as JSON; None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


class Client:
    """A keep-alive connection to one service. Raises UserError where it does not answer."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise UserError(
                f"--url takes the address of a service, such as http://127.0.0.1:8000, not {url!r}"
            )
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        try:
            self._link = kinds[parts.scheme](parts.hostname, parts.port, timeout=TIMEOUT)
        except ValueError:
            raise UserError(f"--url {url!r} has no port that there is") from None
        self._prefix = parts.path
        self.asked = 0

    def get(self, path: str, language: str = "en") -> Answer:
        """What is there."""
        return self._patient("GET", path, None, {"Accept-Language": language})

    def post(self, path: str, value: Json, language: str = "en") -> Answer:
        """The answer to a value."""
        return self.send(path, json.dumps(value, ensure_ascii=False).encode(), language)

    def send(self, path: str, body: bytes, language: str = "en") -> Answer:
        """The answer to these very bytes."""
        headers = {"Content-Type": "application/json", "Accept-Language": language}
        return self._patient("POST", path, body, headers)

    def afresh(self) -> None:
        """Ask over a new connection from now on, which may well lead to another process."""
        self._link.close()

    def _patient(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        """The answer; a limit is waited for."""
        for _ in range(TRIES):
            answer, pause = self._once(method, path, body, headers)
            if answer.status != 429:
                return answer
            time.sleep(min(LONGEST_PAUSE, pause))
        raise UserError(f"{self.url} goes on refusing requests by its limit (ARBITR_RATE)")

    def _once(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[Answer, float]:
        self.asked += 1
        for last in (False, True):  # a connection that was kept too long is opened once more
            try:
                self._link.request(method, self._prefix + path, body, dict(headers))
                reply = self._link.getresponse()
                return Answer(reply.status, reply.read()), float(reply.headers.get("Retry-After") or 1)
            except (OSError, http.client.HTTPException) as fault:
                self._link.close()
                if last:
                    raise UserError(f"{self.url} does not answer: {fault or type(fault).__name__}") from None
        raise AssertionError
