"""Positions of Simurgh in which looking ahead is hard: the slowest that are known, kept in `hard.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.inprocess import quickest
from service.engine.judge import judge
from service.engine.ruleset import Ruleset
from service.engine.state import State
from service.games import REGISTRY

KEPT = Path(__file__).with_name("hard.json")


@dataclass(frozen=True)
class Hard:
    """A vassal that goes to the Scouts' Quarter, and whether it is legal."""

    what: str
    rules: Ruleset
    state: State[Any, Any]
    action: Mapping[str, Any]
    legal: bool

    def spent(self) -> float:
        """Microseconds of its judgement."""
        return quickest(lambda: judge(self.rules, self.state, self.action))


def hard() -> list[Hard]:
    """All of them, the first with a short search."""
    rules = REGISTRY.get("simurgh")
    return [
        Hard(x["what"], rules, rules.decode(msgspec.json.encode(x["state"])), x["action"], x["legal"])
        for x in json.loads(KEPT.read_text(encoding="utf-8"))
    ]
