"""The prudent player: bids only what it can pay, buys what pays back. It looks at nothing that its seat may not see."""

from __future__ import annotations

from service.engine.action import Action
from service.engine.ruleset import Ruleset
from service.engine.table import Table


def decide(t: Table, seat: str) -> Action | None:
    """A legal action for a seat that must decide."""
    return None


def declare(rules: Ruleset) -> None:
    """Register the player."""
    rules.automate(decide)
