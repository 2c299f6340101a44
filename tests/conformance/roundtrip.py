"""Law 5, round trip: state -> JSON -> state -> JSON is the identity; schemas take what the engine makes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import marshmallow as ma

from schemas import Contract, located
from service.engine.ruleset import Ruleset
from service.engine.state import State, encode
from tests.conformance.subjects import Breach, Spot, Walk, same


def law_round_trip(rules: Ruleset, walks: Sequence[Walk]) -> list[Breach]:
    """Every state of these games goes to JSON and back unchanged."""
    found: list[Breach] = []
    for w in walks:
        states = [p.state for p in w.plies] + ([w.last] if w.last is not None else [])
        for n, state in enumerate(states):
            why = _fault(rules, state)
            if why is not None:
                found.append(Breach("round trip", f"{w.where}, ply {n}", why))
                break
    return found


def _fault(rules: Ruleset, state: State[Any, Any]) -> str | None:
    try:
        data = encode(state)
        twin = rules.decode(data)
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"
    if encode(twin) != data:
        return f"another document comes back: {encode(twin).decode()[:200]}"
    return None if twin == state else "equal documents, yet another state"


def law_schemas(rules: Ruleset, spots: Sequence[Spot]) -> list[Breach]:
    """The schemas, field by field, take every state that the engine makes and every action played, unchanged."""
    loaders = Contract(rules, plain=True).loaders
    found: list[Breach] = []
    for spot in spots:
        posted = {"state": json.loads(encode(spot.state))}
        if spot.action is not None:
            posted["action"] = spot.action
        loader = loaders["adjudication" if spot.action is not None else "problems"]
        try:
            loaded = loader.load(posted)
        except ma.ValidationError as refused:
            why = "; ".join(f"{f.pointer}: {f.message}" for f in located(refused.messages))
            found.append(Breach("schemas", spot.where, f"refused: {why}", spot.action))
            continue
        for part in posted:
            if not same(loaded[part], posted[part]):
                found.append(Breach("schemas", spot.where, f"the {part} comes out changed", spot.action))
    return found
