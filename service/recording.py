"""What the command line does with records: it plays one, completes one, and verifies one."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from schemas import OffSchema, contract_of, loaded
from schemas.record import SCHEMAS
from service.config import UserError
from service.engine.judge import judge
from service.engine.registry import UnknownGame
from service.engine.ruleset import Ruleset, SetupRefused
from service.engine.table import Table
from service.games import REGISTRY
from service.http.states import wish
from service.http.verifications import said, told, verified
from service.play import chosen, ruleset
from service.sessions import odds, referee
from service.sessions.fairness import Fairness
from service.sessions.referee import ImpossibleState
from service.sessions.replay import digest
from service.sessions.verifying import Verified

Json = dict[str, Any]
MOST_ERRORS = 5


# -- playing one --------------------------------------------------------------------------------------------------


def setup_of(rules: Ruleset, seed: str, names: Sequence[str], wishes: Sequence[str]) -> Json:
    """A set-up as a client posts it. `wishes`: `option=value` or `seat.choice=value`. Raises UserError."""
    seats: dict[str, Json] = {name: {"id": name} for name in names}
    if len(seats) < len(names):
        raise UserError(f"--seats {','.join(names)}: a name stands twice")
    options: Json = {}
    for text in wishes:
        name, given, value = text.partition("=")
        seat, dotted, choice = name.partition(".")
        if not given or (dotted and seat not in seats) or (not dotted and name not in rules.options):
            raise UserError(f"--set {text}: takes OPTION=VALUE or SEAT.CHOICE=VALUE")
        if dotted:
            seats[seat][choice] = value
        else:
            options[name] = next((v for v in rules.options[name].values if _as_text(v) == value), value)
    setup = {"seats": list(seats.values()), "chance": {"mode": "seeded", "seed": seed}}
    return {**setup, "options": options} if options else setup


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def played_record(rules: Ruleset, setup: Json, players: str) -> Json:
    """The record of a whole game that plays itself; the same set-up and players play the same game.

    Raises UserError for a set-up that the game does not have.
    """
    fairness = Fairness(lambda: b"")
    try:
        wished = wish(rules, _loaded(contract_of(rules).loaders["setup"], setup, "the set-up"))
        last = referee.set_up(rules, wished, fairness)
    except SetupRefused as refused:
        raise UserError(f"the set-up: {refused}") from None
    assert last.state is not None
    rng, draws = random.Random(last.state.game_id), fairness.draws(last.state.game_id)
    actions = [play.to_wire() for play in last.played]
    while last.outcome is None:
        assert last.state is not None
        act = chosen(Table(rules, last.state, draws), last.decisions[0].actor, players, rng)
        last = judge(rules, last.state, act.to_wire(), draws)
        actions += [play.to_wire() for play in last.played]
    state = last.state
    assert state is not None
    record = {"schema": SCHEMAS[-1], "game": rules.game, "ruleset": rules.version, "setup": setup}
    ended = {"digest": digest(state), "complete": True, "chance": fairness.revealed(state)}
    return completed(rules, {**record, "actions": actions, **ended})


# -- completing one -----------------------------------------------------------------------------------------------


def completed(rules: Ruleset, record: Json) -> Json:
    """The record with the odds of its draws, what those brought that nobody had seen, and the digest of its end.

    Raises UserError for one that is not legal.
    """
    found = verification(rules, record)
    if found.at is not None:
        raise UserError(said("illegal-action", "en", at=found.at))
    drawn = {"odds": odds.listed(found.odds)} if found.odds and "seed" in record.get("chance", {}) else {}
    return {**record, "actions": [dict(action) for action in found.actions], "digest": found.digest, **drawn}


def written(record: Json) -> str:
    """A record as a file has it: an action a line, so that two records can be compared."""
    long = {name: record[name] for name in ("actions", "odds", "log") if name in record}
    head = [f"{json.dumps(name)}: {_json(value)}" for name, value in record.items() if name not in long]
    lists = [f"{json.dumps(name)}: [\n{_lines(entries)}\n]" for name, entries in long.items()]
    return "{" + ",\n".join(head + lists) + "}\n"


def _lines(entries: Sequence[Any]) -> str:
    return ",\n".join(_json(entry) for entry in entries)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# -- verifying one ------------------------------------------------------------------------------------------------


def read(path: str) -> Json:
    """The record in a file (`-`: from the standard input), alone or in a member `record`. Raises UserError."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        found = json.loads(text, object_pairs_hook=_unique, parse_constant=_none)
        json.dumps(found, ensure_ascii=False).encode()  # half a character is none
    except (OSError, ValueError, RecursionError) as fault:
        raise UserError(f"{path}: {fault or type(fault).__name__}") from None
    record = found.get("record", found) if isinstance(found, dict) else None
    if not isinstance(record, dict):
        raise UserError(f"{path}: this is no record, which is a JSON object")
    return record


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object names a key twice")
    return found


def _none(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def rules_of(record: Json) -> Ruleset:
    """The rules that a record names. Raises UserError, which lists those there are."""
    game, version = record.get("game"), record.get("ruleset")
    if not isinstance(game, str) or not isinstance(version, str):
        raise UserError("a record names its game and its ruleset")
    current = ruleset(game)
    try:
        return REGISTRY.get(game, version)
    except UnknownGame:
        known = ", ".join(REGISTRY.versions(current.game))
        raise UserError(f"there is no {game} {version}; there is: {known}") from None


def verification(rules: Ruleset, record: Json) -> Verified:
    """What comes of judging a record. Raises UserError for what is none by its form, or begins as no game does."""
    loaded = _loaded(contract_of(rules).loaders["verification"], {"record": record}, "the record")["record"]
    try:
        return verified(rules, loaded, Fairness(lambda: b""))
    except SetupRefused as refused:
        raise UserError(f"the set-up: {refused}") from None
    except ImpossibleState as impossible:
        raise UserError(f"the state cannot exist: {impossible}") from None


def _loaded(schema: Any, value: Json, what: str) -> Json:
    try:
        return loaded(schema, value)
    except OffSchema as off:
        faults = [f"{f.pointer}: {f.message}" for f in off.faults[:MOST_ERRORS]]
        raise UserError(f"{what}: {'; '.join(faults)}") from None


def printed_verification(rules: Ruleset, found: Verified, language: str) -> Iterator[str]:
    """The verdict, a line each: the record, its end, its draws."""
    answer = told(rules, found, language)
    at = f" {answer['message']}" if "message" in answer else ""
    yield f"{answer['verdict']}:{at} {rules.name}, digest {answer['digest']}"
    for violation in answer.get("violations", ()):
        yield f"      {violation['message']}  [{violation['rule']}]"
    if found.outcome is not None:
        yield f"winners: {', '.join(found.outcome.winners)}  [{found.outcome.because}]"
    difference: Mapping[str, Any] = answer.get("difference", {})
    where = next((f" ({difference[name]})" for name in ("at", "pointer") if name in difference), "")
    yield f"draws: {answer['draws']}" + (f": {difference['message']}{where}" if difference else "")
