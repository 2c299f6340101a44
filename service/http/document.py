"""How routes and schemas become the OpenAPI document."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from apispec_oneofschema import MarshmallowPlugin
from apispec_oneofschema.plugin import OneofOpenAPIConverter

from schemas.base import JSON_NAMES, Choice, Either, Keyed, OneOf, Scalar
from schemas.checks import Distinct
from schemas.operation import PARTS
from schemas.options import MOST as MOST_OPTIONS
from schemas.problem import ProblemDetailsSchema
from schemas.record import Weighted
from schemas.session import RefusedActionSchema, StreamMessageSchema
from service.http.context import HELD, Context
from service.http.examples import examples
from service.http.problems import MIMETYPE, detail_of, problem_type, table
from service.sessions.reading import MOST_VERSIONS
from service.sessions.waiting import MOST_WAIT

JSON = "application/json"
SUMMARY = "A referee for board games"
ABOUT = (
    "Post a state and an action: the answer says whether it is legal, which clauses of the rulebook it breaks if it "
    "is not, and what happens if it is. An illegal action is an answer (200), not an error. Errors are problem "
    "details (RFC 9457); their `type` leads to a page under /docs. A call that posts a plain state shows its poster "
    "everything in it: `views` shows what a seat may know."
)
STREAM = "text/event-stream"
ELSEWHERE = (
    "The client accepts `text/event-stream`: the stream is at `Location`, with a ticket that is good once."
)
STATUSES = {
    400: "Not JSON, or not of the schema: every fault with its pointer.",
    401: "No token, or what is none of ours by its form; where API keys open sessions, no such key.",
    403: "The token is not one that may do this.",
    404: "No such game, clause, session, seat or webhook; a session whose token this is not is no such session.",
    406: "We have it in no form that the client accepts.",
    408: "The request did not arrive in time.",
    412: "The session is at another version: `version` says at which.",
    413: "The body is too large.",
    415: "The body is of a type, or packed in a way, that we do not read.",
    422: "Well-formed but wrong: a state that cannot exist, of another game, or of rules that we do not know; in a "
    "session an action that the rules refuse (`violations`), what cannot be taken back, or where no webhook may go.",
    428: "`If-Match` is missing or names no version: name the one that you act on.",
    429: "The address asks too often, or the token acts too often: `Retry-After` says when to go on.",
    503: "The work took too long, or the store of the sessions cannot be reached.",
}
SHOWN = (
    "off-schema",
    "no-token",
    "not-yours",
    "stale-version",
    "version-missing",
    "not-found",
    "not-acceptable",
    "too-slow",
    "too-large",
    "unsupported-media-type",
    "impossible-state",
    "too-many-requests",
    "out-of-time",
)
_VERSION = '"[0-9]{1,15}(-[0-9a-f]+)?(-gzip)?"'
PARAMETERS: Mapping[str, Any] = {
    "Accept-Language": {
        "in": "header",
        "description": "The language of texts: en or cs.",
        "schema": {"type": "string"},
    },
    "X-Request-Id": {
        "in": "header",
        "description": "Comes back in the answer.",
        "schema": {"type": "string"},
    },
    "If-Match": {
        "in": "header",
        "description": "The version that the request is made for: the `ETag` of a GET, or the number in quotes; of "
        "several one must be right.",
        "required": True,
        "schema": {"type": "string", "pattern": f"^{_VERSION}( *, *{_VERSION})*$", "examples": ['"1"']},
    },
    "If-None-Match": {
        "in": "header",
        "description": "The `ETag` of an earlier answer: 304 where it is still so; `*`: 304 where there is anything.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "in": "header",
        "description": "A name for this request: sent again under it within a day, it gets the first answer again.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
    "after": {
        "in": "query",
        "description": "Tell what happened after this version.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 10**9, "default": 0},
    },
    "most-options": {
        "name": "limit",
        "in": "query",
        "description": "How many options at most.",
        "schema": {"type": "integer", "minimum": 1, "maximum": MOST_OPTIONS},
    },
    "most-versions": {
        "name": "limit",
        "in": "query",
        "description": "Of how many versions at most.",
        "schema": {"type": "integer", "minimum": 1, "maximum": MOST_VERSIONS},
    },
    "wait": {
        "in": "query",
        "description": "Seconds that an answer without events may wait for one.",
        "schema": {"type": "integer", "minimum": 0, "maximum": MOST_WAIT, "default": 0},
    },
    "explain": {
        "in": "query",
        "description": "Tell the clauses that were checked, those that held too, and what the rules chose themselves.",
        "schema": {"type": "boolean", "default": False},
    },
    "ruleset": {
        "in": "query",
        "description": "A version of the rules; without it the current one.",
    },
    "exclude": {
        "in": "query",
        "description": "What not to look at; several with commas between them: "
        + ", ".join(f"`{part}`" for part in PARTS)
        + ". Without `store` the `time`, which is compared with its clock, is not looked at either.",
        "schema": {"type": "string", "pattern": f"^({'|'.join(PARTS)})(,({'|'.join(PARTS)}))*$"},
    },
    "odds": {
        "in": "query",
        "description": "Tell what could come up at every draw, as a record has it.",
        "schema": {"type": "boolean", "default": False},
    },
}
HEADERS: Mapping[str, Any] = {
    "X-Request-Id": {
        "description": "The id of the request: its own, or one made.",
        "schema": {"type": "string"},
    },
    "ETag": {
        "description": "The version as this bearer sees it, in this language.",
        "schema": {"type": "string"},
    },
    "Sunset": {
        "description": "When the session ends if nobody uses it (an HTTP date).",
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
    "Content-Language": {"description": "The language of texts.", "schema": {"enum": ["en", "cs"]}},
}


class Converter(OneofOpenAPIConverter):
    """Schemas with their docstrings, and fields with all that they check."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """A schema with what its docstring says."""
        one_of = OneOf in type(schema).__mro__  # isinstance would ask each schema that was ever derived
        plain = OneofOpenAPIConverter if one_of else OpenAPIConverter
        found: dict[str, Any] = plain.schema2jsonschema(self, schema)
        doc = " ".join((type(schema).__doc__ or "").split())
        return {"description": doc, **found} if doc else found

    def init_attribute_functions(self) -> None:
        """Add what apispec does not know of our fields."""
        super().init_attribute_functions()
        self.attribute_functions += [_types, _distinct, _pair, self._keys, self._either]

    def field2length(self, field: Any, **kwargs: Any) -> dict[str, Any]:
        """Bounds of a length; those of an object are of its properties, not of a text."""
        found: dict[str, Any] = super().field2length(field, **kwargs)
        if isinstance(field, Keyed):
            return {k.replace("Length", "Properties"): v for k, v in found.items()}
        return found

    def _either(self, field: Any, **kwargs: Any) -> dict[str, Any]:
        """What any of several fields takes."""
        if not isinstance(field, Either):
            return {}
        null = [{"type": "null"}] if field.allow_none else []
        return {"anyOf": [self.field2property(f) for f in field.options] + null}

    def _keys(self, field: Any, **kwargs: Any) -> dict[str, Any]:
        """What the keys of an object may be."""
        if not isinstance(field, Keyed) or field.key_field is None or not field.key_field.validators:
            return {}
        return {"propertyNames": self.field2property(field.key_field)}


def _distinct(field: Any, **kwargs: Any) -> dict[str, Any]:
    """Whether nothing may stand in a list twice."""
    return {"uniqueItems": True} if any(isinstance(check, Distinct) for check in field.validators) else {}


def _pair(field: Any, **kwargs: Any) -> dict[str, Any]:
    """A value with its weight."""
    return dict(field.json) if isinstance(field, Weighted) else {}


def _types(field: Any, **kwargs: Any) -> dict[str, Any]:
    """The JSON types of a field that has several."""
    if isinstance(field, Scalar):
        types = [JSON_NAMES[t] for t in field.types]
    elif isinstance(field, Choice):
        types = list(dict.fromkeys(JSON_NAMES[type(v)] for v in field.choices))
    else:
        return {}
    types += ["null"] if field.allow_none else []
    return {"type": types[0] if len(types) == 1 else types}


class Plugin(MarshmallowPlugin):
    """apispec's plugin with our converter."""

    Converter = Converter


def begin(spec: APISpec, context: Context) -> None:
    """What stands in the document once."""
    every = {version: None for rules in context.registry for version in context.registry.versions(rules.game)}
    versions = {"schema": {"type": "string", "enum": list(every)}}
    for name, parameter in {**PARAMETERS, "ruleset": {**PARAMETERS["ruleset"], **versions}}.items():
        spec.components.parameter(name, parameter["in"], {"name": name, **parameter})
    for name, header in HEADERS.items():
        spec.components.header(name, header)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    about_keys = {"description": "A key that the operator gave out, where keys are needed to open sessions."}
    spec.components.security_scheme("api-key", {"type": "http", "scheme": "bearer", **about_keys})
    for status, about in STATUSES.items():
        content = {MIMETYPE: {"schema": ProblemDetailsSchema, "example": _problem(status)}}
        waits = {"Retry-After": "Retry-After"} if status in (429, 503) else {}
        answer = {"description": about, "content": content, "headers": {**_headers(), **waits}}
        spec.components.response(f"Problem{status}", answer)


def _problem(status: int) -> dict[str, Any]:
    """An error as an example."""
    name = next(name for name, entry in table().items() if entry["status"] == status and name in SHOWN)
    entry, path = table()[name], "/v1/games/zavandor/adjudications"
    detail = detail_of(entry, "en", defaultdict(lambda: "…", n=1))
    shown = {"type": problem_type(name), "title": entry["title"]["en"], "status": status, "detail": detail}
    fault = {"pointer": "/action/kind", "message": "This field is required."}
    return {**shown, "instance": path, **({"errors": [fault]} if name == "off-schema" else {})}


def about() -> dict[str, Any]:
    """The head of the document."""
    licence = {"name": "MIT", "identifier": "MIT"}
    contact = {"name": "The Arbitr authors"}
    info = {"summary": SUMMARY, "description": ABOUT, "contact": contact, "license": licence}
    return {"info": info, "servers": [{"url": "/", "description": "This server."}], "security": [{}]}


def operation(view: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """The operation of a view from what its decorators noted."""
    made: dict[str, Any] = {"operationId": view["name"], "parameters": _parameters(view, context)}
    contracts = [context.contract(r) for r in context.registry]  # the current version of each game
    if "takes" in view:
        made["requestBody"] = {"required": True, "content": {JSON: _body(view, context, contracts)}}
    if view.get("secured"):
        made["security"] = [{"token": []}]
    if view.get("keyed"):
        made["security"] = [{}, {"api-key": []}]
    if "answers" not in view:
        return made
    return {**made, "responses": {**_good(view, contracts), **_bad(view)}}


def _body(view: Mapping[str, Any], context: Context, contracts: list[Any]) -> dict[str, Any]:
    """What a call takes: the same in every game, or one or several schemas of each game's contract."""
    takes = view["takes"]
    if isinstance(takes, type):
        return {"schema": takes, "examples": {k: {"value": v} for k, v in view["examples"].items()}}
    calls = (takes,) if isinstance(takes, str) else takes
    held = [HELD[call] for call in calls if call in HELD]
    schemas = [type(c.loaders[call]) for call in (*calls, *held) for c in contracts]
    shown = {
        f"{c.rules.game}: {k}": v
        for call in calls
        for c in contracts
        for k, v in examples(context, c, call).items()
    }
    return {"schema": _any_of(schemas), "examples": shown}


def _good(view: Mapping[str, Any], contracts: list[Any]) -> dict[str, Any]:
    named = view["answers"]
    headers = _headers(*(("ETag", "Sunset") if view.get("secured") else ()))
    good: dict[str, Any] = {"description": "The answer.", "headers": headers}
    if named is not None:
        each = named if isinstance(named, tuple) else (named,)
        answers = [
            a for n in each for a in ([getattr(c, n) for c in contracts] if isinstance(n, str) else [n])
        ]
        good["content"] = {JSON: {"schema": _any_of(answers)}}
    found = {str(view.get("status", 200)): good}
    if view.get("streamed"):
        good["content"][STREAM] = {"schema": StreamMessageSchema}
        at = {"Location": {"description": "Where the stream is.", "schema": {"type": "string"}}}
        found["307"] = {"description": ELSEWHERE, "headers": {**_headers(), **at}}
    if view.get("not_modified"):
        found["304"] = {"description": "Nothing has changed.", "headers": headers}
    return found


def _bad(view: Mapping[str, Any]) -> dict[str, Any]:
    errors: dict[str, Any] = {str(status): f"Problem{status}" for status in view.get("errors", ())}
    if view.get("refused"):
        content = {MIMETYPE: {"schema": RefusedActionSchema}}
        errors["422"] = {"description": STATUSES[422], "content": content, "headers": _headers()}
    return errors


def _parameters(view: Mapping[str, Any], context: Context) -> list[Any]:
    return [*view.get("query", ()), *view.get("headers", ()), "Accept-Language", "X-Request-Id"]


def words(view: Any) -> dict[str, str]:
    """The docstring of a view: its first sentence, and all of it."""
    doc = " ".join((view.__doc__ or "").split())
    return {"summary": doc.partition(". ")[0].rstrip("."), "description": doc}


def path_parameters(rule: str, context: Context) -> list[dict[str, Any]]:
    """The parameters of an address."""
    games = [r.game for r in context.registry]
    clauses = [next(iter(r.book.rules)) for r in context.registry]
    known = {
        "game": {"description": "The game.", "schema": {"type": "string", "enum": games}},
        "session": {"description": "The id of a session.", "schema": {"type": "string"}},
        "seat": {"description": "The id of a seat.", "schema": {"type": "string"}},
        "rule": {"description": "The id of a clause.", "schema": {"type": "string"}, "example": clauses[0]},
    }
    return [
        {"in": "path", "name": name, "required": True, **shown}
        for name, shown in known.items()
        if f"<{name}>" in rule
    ]


def _headers(*more: str) -> dict[str, str]:
    return {name: name for name in HEADERS if name not in ("ETag", "Sunset", "Retry-After") or name in more}


def _any_of(schemas: list[Any]) -> Any:
    """The schema of the game that the address names; a set-up without wishes fits several games."""
    unique = list(dict.fromkeys(schemas))
    return unique[0] if len(unique) == 1 else {"anyOf": unique}
