"""Disclosure: whether an event told somebody what he did not know before. What was told cannot be taken back."""

from __future__ import annotations

from typing import Any

from service.engine.audience import sight_of
from service.engine.event import Event
from service.engine.ruleset import Ruleset

MOVES = ("moved", "returned")


def discloses(rules: Ruleset, event: Event) -> bool:
    """Whether somebody learned of hidden things by the event: a piece that left a place which he does not see, a fact
    told to some alone, or what a clause brings to light (`Ruleset.disclose`)."""
    if event.because in rules.disclosing:
        return True
    if event.kind in MOVES:
        return _uncovers(rules, event)
    return event.kind != "set" and event.whole is not None


def _uncovers(rules: Ruleset, event: Event) -> bool:
    source = event.facts.get("source")
    if source is None:
        return False
    sight = sight_of(rules.board, tuple(source))
    if sight.whole is None:
        return False
    if event.whole is None or event.whole - sight.whole:
        return True
    # Others see the rest of what moved: no news where it is a number, or where the place showed as much before.
    return _telling(event.rest) and sight.rest is None


def _telling(rest: Any) -> bool:
    shown = (rest or {}).get("what", (rest or {}).get("cards", 0))
    return not isinstance(shown, int)
