"""Law 5, round trip: state -> JSON -> state -> JSON is the identity; schemas take what the engine makes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from service.engine.ruleset import Ruleset
from service.engine.state import State, encode
from tests.conformance.subjects import Breach, Walk

Accepts = Callable[[Any], Any]


def law_round_trip(rules: Ruleset, walks: Sequence[Walk], accepts: Accepts | None = None) -> list[Breach]:
    """Every state of these games goes to JSON and back unchanged; `accepts` says what it dislikes."""
    found: list[Breach] = []
    for w in walks:
        states = [p.state for p in w.plies] + ([w.last] if w.last is not None else [])
        for n, state in enumerate(states):
            why = _fault(rules, state, accepts)
            if why is not None:
                found.append(Breach("round trip", f"{w.where}, ply {n}", why))
                break
    return found


def _fault(rules: Ruleset, state: State[Any, Any], accepts: Accepts | None) -> str | None:
    try:
        data = encode(state)
        twin = rules.decode(data)
        if encode(twin) != data:
            return f"another document comes back: {encode(twin).decode()[:200]}"
        if twin != state:
            return "equal documents, yet another state"
        said = accepts(json.loads(data)) if accepts is not None else None
        return f"the schema refuses it: {said}" if said else None
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"
