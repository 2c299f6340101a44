"""Problem details (RFC 9457): one shape for every error, from one table."""

import logging
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from service.engine.budget import OutOfTime
from service.engine.ruleset import SetupRefused
from service.engine.words import Words, plural_form
from service.http import metrics
from service.http.headers import vary
from service.http.locale import language
from service.sessions.admission import ForeignState
from service.sessions.fairness import ChanceRefused
from service.sessions.referee import ImpossibleState, UnknownSeat, UnplayableState
from service.sessions.seals import BrokenSeal
from service.sessions.seatkeys import WrongKey
from service.sessions.visit import NotYours
from service.sessions.wrapping import BrokenToken

LOG = logging.getLogger(__name__)
NO_WORDS = Words({}, {})
MIMETYPE = "application/problem+json"
LARGEST_BODY = 1 << 20
LARGEST_BATCH = 8 << 20
MOST_VALUES = 5_000  # in one body, or one item of a batch
MOST_IN_BATCH = 200_000  # values in all items together: two hundred of the largest states
MOST_LISTED = 100  # faults or problems in one answer; nobody reads more, and each costs

BY_STATUS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    408: "too-slow",
    413: "too-large",
    415: "unsupported-media-type",
    500: "internal-error",
}


class Problem(Exception):
    """An error to answer with: its name in `problems.toml`, members to add, and facts for the sentence."""

    def __init__(
        self,
        name: str,
        /,
        *,
        status: int | None = None,
        extra: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(name)
        self.name, self.status, self.facts = name, status, facts
        self.extra, self.headers = extra or {}, headers or {}


class ForeignRules(Exception):
    """A state of another game, or of a version that we do not know; `pointer` into the state."""

    def __init__(self, pointer: str, problem: Problem) -> None:
        super().__init__(problem.name)
        self.pointer, self.problem = pointer, problem


@cache
def table() -> Mapping[str, Any]:
    """All errors by name."""
    return tomllib.loads((Path(__file__).parent / "problems.toml").read_text(encoding="utf-8"))


def problem_type(name: str) -> str:
    """The address of the page that explains an error."""
    return f"/docs/problems/{name}"


def details(problem: Problem, path: str | None = None) -> dict[str, Any]:
    """The document of an error in the language of the request; `path`: what was asked for, outside of one."""
    entry, spoken = table()[problem.name], language()
    return {
        "type": problem_type(problem.name),
        "title": entry["title"][spoken],
        "status": problem.status or entry["status"],
        "detail": detail_of(entry, spoken, problem.facts),
        "instance": quote(request.path if path is None else path),
        **problem.extra,
    }


def sentence(message: str) -> str:
    """What is wrong with a state or a set-up, in the language of the request, with the names of its game."""
    words = g.rules.words if "rules" in g else NO_WORDS
    return words.voice(language()).problem(message)


def detail_of(entry: Mapping[str, Any], spoken: str, facts: Mapping[str, Any]) -> str:
    """The detail of an error with its facts, in the right plural form."""
    forms = entry["detail"][spoken]
    template: str = forms if isinstance(forms, str) else forms[plural_form(facts["n"], spoken)]
    return template.format_map(facts)


def respond(problem: Problem) -> Response:
    """The answer to an error."""
    document = details(problem)
    metrics.refusal(problem.name)
    body = msgspec.json.encode(document, order="deterministic")
    response = Response(body, document["status"], mimetype=MIMETYPE, headers=dict(problem.headers))
    response.headers["Content-Language"] = language()
    vary(response, "Accept-Language")
    return response


def from_http(error: HTTPException) -> Problem:
    """What Flask or Werkzeug found wrong."""
    status = error.code or 500
    allowed = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    facts: dict[str, Any] = {
        "path": request.path,
        "method": request.method,
        "allowed": allowed,
        "most": LARGEST_BODY,
        "reason": error.description or error.name,
        "offered": "application/json",
        "given": "this",
    }
    headers = {"Allow": allowed} if allowed else {}
    return Problem(BY_STATUS.get(status, "http-error"), status=status, headers=headers, **facts)


def from_state(error: ImpossibleState) -> Problem:
    """A posted state that cannot exist."""
    return Problem("impossible-state", extra=problem_list(error.problems), n=len(error.problems))


def problem_list(found: Sequence[Any]) -> dict[str, Any]:
    """`{"problems": […]}`; not `complete` where there are too many to list."""
    listed = {"problems": [problem_wire(p) for p in found[:MOST_LISTED]]}
    return {**listed, "complete": False} if len(found) > MOST_LISTED else listed


def problem_wire(problem: Any) -> dict[str, str]:
    """`{"pointer", "rule"?, "message"}`."""
    wire = {"pointer": problem.pointer, "message": sentence(problem.message)}
    return wire if problem.rule is None else {**wire, "rule": problem.rule}


def from_setup(error: SetupRefused) -> Problem:
    """A set-up that the rules do not allow."""
    told = [problem_wire(p) for p in error.problems]
    return Problem("setup-refused", extra={"errors": told}, reason=told[0]["message"])


def from_chance(error: ChanceRefused) -> Problem:
    """A draw that this server cannot make; of a state that somebody has made up nobody need know."""
    if error.key_missing:
        metrics.key_missing()
    problem = Problem(error.reason, key_id=error.key_id)
    problem.extra = {"problems": [{"pointer": error.pointer, "message": details(problem)["detail"]}]}
    return problem


def from_seat(error: UnknownSeat) -> Problem:
    """A seat that nobody has."""
    return Problem(
        "unknown-seat", extra={"pointer": error.pointer}, seat=error.seat, known=", ".join(error.known)
    )


def from_broken(error: BrokenSeal | BrokenToken) -> Problem:
    """A seal that does not hold, or a token that cannot be opened; `why` says which way."""
    name = "broken-seal" if isinstance(error, BrokenSeal) else "broken-token"
    facts = {"of": error.of, "known": ", ".join(map(str, error.known))}
    reason = table()[name]["why"][error.why][language()].format(**facts)
    more = {"of": error.of, "known": list(error.known)} if error.known else {}
    return Problem(name, extra={"why": error.why, **more}, reason=reason)


def from_fault(error: Exception) -> Problem:
    """A fault of ours."""
    LOG.exception("a fault of ours", exc_info=error, extra=metrics.COUNTED)
    return Problem("internal-error")


MAKERS: Mapping[type[Exception], Any] = {
    Problem: lambda error: error,
    ForeignRules: lambda error: error.problem,
    HTTPException: from_http,
    ImpossibleState: from_state,
    OutOfTime: lambda error: Problem("out-of-time", headers={"Retry-After": "1"}),
    UnplayableState: lambda error: Problem("unplayable-state"),
    SetupRefused: from_setup,
    BrokenSeal: from_broken,
    BrokenToken: from_broken,
    ForeignState: lambda error: Problem("foreign-state"),
    WrongKey: lambda error: Problem("wrong-key"),
    NotYours: lambda error: Problem("not-yours", actor=error.actor[:40]),
    ChanceRefused: from_chance,
    UnknownSeat: from_seat,
    RecursionError: lambda error: Problem("too-deep"),
    Exception: from_fault,
}


def problem_of(error: Exception) -> Problem:
    """The problem that an error is answered with."""
    make = next(MAKERS[kind] for kind in type(error).__mro__ if kind in MAKERS)
    made: Problem = make(error)
    return made


def init_app(app: Flask) -> None:
    """Answer every error of the app with a problem document."""
    metrics.know(table())
    for kind in MAKERS:
        app.register_error_handler(kind, lambda error: respond(problem_of(error)))
