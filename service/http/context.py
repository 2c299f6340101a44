"""What every request needs of the app: the games, their contracts, and the source of chance."""

from collections.abc import Mapping
from contextlib import suppress
from time import time
from typing import Any

import marshmallow as ma
import msgspec
from flask import Flask, g, request

from schemas import Contract, at_most, contract_of, located
from schemas.base import Choice, Schema
from service.config import Settings, server_keys
from service.engine.registry import Registry, UnknownGame
from service.engine.ruleset import Ruleset
from service.engine.state import SCHEMA, AnyState, encode
from service.http.aside import aside
from service.http.body import Document, decoded, demand_unique, not_json, outer, parse
from service.http.lean import extensions, noted
from service.http.locale import language
from service.http.problems import MOST_LISTED, ForeignRules, Problem
from service.sessions.admission import Gate
from service.sessions.fairness import Fairness
from service.sessions.keys import Keyring
from service.sessions.redis_store import RedisStore
from service.sessions.seals import BrokenSeal, Seals, read
from service.sessions.store import NoStore, Store
from service.sessions.visit import Desk
from service.sessions.waiting import Waiting
from service.sessions.wrapping import BrokenToken, Wrapping
from service.webhooks.targets import Targets

# Calls about a state that may be in a token, and how they are called then.
HELD = {call: f"held-{call}" for call in ("adjudication", "batch", "options", "view")}
# In the environ of requests that the service makes to itself, for them alone: a desk, and where webhooks may go.
DESK, TARGETS = "arbitr.desk", "arbitr.targets"


class Form(msgspec.Struct):
    """In which form a state is written."""

    schema: int = SCHEMA


class Head(msgspec.Struct):
    """Which rules a state or a set-up wants to be judged by."""

    game: str | None = None
    ruleset: str | None = None


class Context:
    """The games of an app, compiled; the keys are read when they are first needed."""

    def __init__(self, settings: Settings, registry: Registry, store: Store | None = None) -> None:
        self.settings, self.registry = settings, registry
        self.keys = Keyring(lambda: server_keys(settings))
        self.fairness, self.seals, self.wrapping = Fairness(self.keys), Seals(self.keys), Wrapping(self.keys)
        self.gate = Gate(self.seals, self.fairness, settings.require_seal == "1")
        every = [registry.get(r.game, v) for r in registry for v in registry.versions(r.game)]
        self.store = store if store is not None else _store(settings)
        self.desk = Desk(self.store, registry, self.fairness, lambda: int(time()), lambda: int(time() * 1000))
        self.waiting = Waiting(self.store, settings.waiting)
        self.targets = Targets(settings.webhook_private == "1")
        self.contracts = {r.name: contract_of(r, settings.validate == "plain") for r in every}

    def rules(self, game: str) -> Ruleset:
        """The current ruleset of a game."""
        try:
            return self.registry.get(game)
        except UnknownGame:
            known = ", ".join(r.game for r in self.registry)
            raise Problem("unknown-game", game=game, known=known) from None

    def contract(self, rules: Ruleset) -> Contract:
        """The compiled contract of a ruleset."""
        return self.contracts[rules.name]

    def receive(self, game: str, call: str, body: bytes) -> tuple[Ruleset, dict[str, Any]]:
        """The ruleset that a body asks for and the body, loaded by the schema of the call.

        With a state comes its `canonical` JSON; a token is opened, and gives its `state` and `origin`.
        Raises Problem, BrokenToken, and ForeignRules where the state is not one of this game's.
        """
        rules, document = self.rules(game), parse(body)
        if "token" in document and call in HELD:
            return self._receive_held(rules, HELD[call], body, document)
        state = self._at_once(rules, document)
        noted()["rules"] = rules = self._wanted(rules, document) if state is None else rules
        return rules, self._loaded(self.contract(rules), call, outer(body, document), document, state)

    def _at_once(self, rules: Ruleset, document: Document) -> AnyState | None:
        """The state of a body, where it is one of just these rules; else None: what is wrong is found in its order."""
        if "state" not in document or self.contract(rules).plain:
            return None
        return self._current(rules, document["state"])

    def _current(self, rules: Ruleset, text: bytes | msgspec.Raw) -> AnyState | None:
        """The state of this text, where it is one of just these rules."""
        with suppress(msgspec.DecodeError):
            state: AnyState = rules.decoder.decode(text)
            if state.game == rules.game and state.ruleset == rules.version:
                return state
        return None

    def _receive_held(
        self, rules: Ruleset, call: str, body: bytes, document: Document
    ) -> tuple[Ruleset, dict[str, Any]]:
        """The same where the state is in a token."""
        opened = None
        with suppress(msgspec.ValidationError):  # no text: the schema says so
            opened = self.wrapping.unwrap(rules.game, msgspec.json.decode(document["token"], type=str))
        if opened is not None:
            rules, state = self._taken_out(rules, opened[1])
        g.rules = rules
        asked = self._loaded(self.contract(rules), call, outer(body, document), document)
        assert opened is not None
        return rules, {**asked, "state": state, "origin": opened[0]}

    def _taken_out(self, rules: Ruleset, text: bytes) -> tuple[Ruleset, AnyState]:
        """The state that was in a token, and its version of the rules."""
        try:
            state = self._current(rules, text)
            if state is None:
                rules = self.version(rules, _head(msgspec.Raw(text)).ruleset)
                state = rules.decode(text)
        except msgspec.DecodeError:
            raise BrokenToken("unknown-version", "schema", (SCHEMA,)) from None
        if state.schema != SCHEMA:  # a later release has made it, with the same keys
            raise BrokenToken("unknown-version", "schema", (SCHEMA,))
        return rules, state

    def receive_opening(self, body: bytes) -> tuple[Ruleset, dict[str, Any]]:
        """The ruleset and the body of a request to open a session, which names its game. Raises Problem."""
        document = parse(body)
        rules = self._named(body, document)
        g.rules = rules = self._wanted(rules, document)
        call = "resumed" if "state" in document else "opening"
        return rules, self._loaded(self.contract(rules), call, body, document)

    def _named(self, body: bytes, document: Document) -> Ruleset:
        """The game that a body names."""
        known = [r.game for r in self.registry]
        given = {"game": msgspec.json.decode(document["game"])} if "game" in document else {}
        field = Choice(known, required=True)
        try:
            return self.registry.get(Schema.from_dict({"game": field})().load(given)["game"])
        except ma.ValidationError as error:
            demand_unique(body)
            raise off_schema(error) from None

    def read(self, rules: Ruleset, call: str, body: bytes) -> dict[str, Any]:
        """A body that names no rules, loaded by the schema of the call. Raises Problem."""
        return self._loaded(self.contract(rules), call, body, parse(body))

    def _loaded(
        self, contract: Contract, call: str, body: bytes, document: Document, at_once: AnyState | None = None
    ) -> dict[str, Any]:
        """The body by the schema; its items are not in `body`, only in the document. `at_once`: its state, decoded."""
        members = decoded(body, document)
        if at_once is not None:
            members["state"] = at_once
        try:
            with at_most(MOST_LISTED) as tally:
                asked: dict[str, Any] = contract.loaders[call].load(members)
        except ma.ValidationError as error:
            demand_unique(body)
            _demand_form_of_ours(document, error)
            raise off_schema(error, tally.cut) from None
        except msgspec.DecodeError as error:
            raise not_json(error, body.find(bytes(document.get("state", b"")))) from None
        state = asked.get("state")
        if state is None:
            demand_unique(body, document, members)
            return asked
        canonical = encode(state)
        demand_unique(body, document, members, canonical)
        return {**asked, "canonical": canonical}

    def _wanted(self, rules: Ruleset, document: Document) -> Ruleset:
        """The version that the state (or the record, or the set-up) names."""
        named = "state" if "state" in document else "record" if "record" in document else None
        head = _head(document[named]) if named is not None else _set_up_head(document)
        if named is not None and head.game is not None and head.game != rules.game:
            raise ForeignRules("/game", Problem("wrong-game", given=head.game, game=rules.game))
        try:
            return self.version(rules, head.ruleset)
        except Problem as problem:
            raise ForeignRules("/ruleset", problem) from None

    def version(self, rules: Ruleset, version: str | None) -> Ruleset:
        """Another version of the same game's rules; None: these. Raises Problem, which lists those that are known."""
        if version is None:
            return rules
        if version == rules.version:
            return rules
        known = self.registry.versions(rules.game)
        if version not in known:
            facts: dict[str, Any] = {"game": rules.game, "given": version, "known": ", ".join(known)}
            raise Problem("unknown-ruleset", extra={"known": known}, **facts)
        return self.registry.get(rules.game, version)


def _demand_form_of_ours(document: Document, error: ma.ValidationError) -> None:
    """Raises BrokenSeal for a sealed state that is off the schema because another release has made it.

    A seal that is none by its form says nothing of that: then the state is off the schema, and no more.
    """
    if "seal" not in document or "state" not in document or "state" not in error.normalized_messages():
        return
    with suppress(msgspec.ValidationError):  # it is no text, or no state: the schema says so
        seal = msgspec.json.decode(document["seal"], type=str)
        schema = msgspec.json.decode(document["state"], type=Form).schema
        try:
            read(seal, schema)
        except BrokenSeal as broken:
            if broken.why == "unknown-version":
                raise


def _head(named: msgspec.Raw) -> Head:
    try:
        return msgspec.json.decode(named, type=Head)
    except msgspec.ValidationError:
        return Head()


def _set_up_head(document: Mapping[str, msgspec.Raw]) -> Head:
    try:
        return Head(ruleset=msgspec.json.decode(document["ruleset"], type=str))
    except (KeyError, msgspec.ValidationError):
        return Head()


def off_schema(error: ma.ValidationError, cut: bool = False) -> Problem:
    """Every fault of a body; `cut`: there are more."""
    faults = [f.to_wire(language()) for f in located(error.messages)]
    more = {"complete": False} if cut else {}
    return Problem("off-schema", extra={"errors": faults, **more}, n=len(faults))


def loaded(schema: type[Schema], body: bytes) -> dict[str, Any]:
    """A body that is the same in every game, loaded. Raises Problem."""
    document = parse(body)
    try:
        asked: dict[str, Any] = schema().load(decoded(body, document))
    except ma.ValidationError as error:
        demand_unique(body)
        raise off_schema(error) from None
    demand_unique(body)
    return asked


def _store(settings: Settings) -> Store:
    """The store that the settings name, which is asked with the first need."""
    if not settings.redis_url:
        return NoStore()  # type: ignore[return-value]
    sure = (settings.wait_replicas, settings.wait_time)
    rate = settings.token_rate if settings.rate else 0
    return RedisStore.at(settings.redis_url, aside, sure=sure, rate=rate)


def context() -> Context:
    """The context of the current app."""
    found: Context = extensions()["arbitr"]
    return found


def desk() -> Desk:
    """Where this request finds its session."""
    found: Desk = request.environ.get(DESK) or context().desk
    return found


def targets() -> Targets:
    """Where webhooks may go."""
    found: Targets = request.environ.get(TARGETS) or context().targets
    return found


def of(app: Flask) -> Context:
    """The context of an app."""
    found: Context = app.extensions["arbitr"]
    return found


def init_app(app: Flask, settings: Settings, registry: Registry, store: Store | None = None) -> None:
    """Compile the games for an app; `store`: another than the settings name."""
    app.extensions["arbitr"] = Context(settings, registry, store)
