"""Chapter 5, handing over what is paid: tokens, markers, and vassals, which leave their spaces (SIM-PAY-1, -5, -7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.table import Table
from service.games.simurgh.v1.components import move_tokens
from service.games.simurgh.v1.effects import KINDS
from service.games.simurgh.v1.payment import Paid
from service.games.simurgh.v1.purse import HOME
from service.games.simurgh.v1.removal import remove_empty
from service.games.simurgh.v1.state import Turn


def pay(t: Table, because: str, seat: str, value: Mapping[str, Any]) -> list[str]:
    """Hand over what is paid, which has been checked; the kinds of the vassals paid, each as often as it was paid.

    Tiles that are left without vassals are removed at once (SIM-PAY-5).
    """
    if not value:
        return []
    paid = Paid(**value)
    move_tokens(t, because, seat, paid.tokens, paid=True)
    if paid.markers:
        t.moved("SIM-EFF-5", paid.markers, ("seats", seat, "markers"), None)
    for kind, places in sorted(paid.vassals.items()):
        for place, n in sorted(places.items()):
            _spend(t, seat, kind, place, n)
    if not paid.vassals:
        return []
    remove_empty(t)
    return [kind for kind in KINDS for _ in range(sum(paid.vassals.get(kind, {}).values()))]


def _spend(t: Table, seat: str, kind: str, place: str, n: int) -> None:
    """To the inactive vassals of the colour (SIM-PAY-1); who must stay at home this turn goes first (SIM-PAY-7)."""
    source = ("seats", seat, HOME) if place == HOME else ("seats", seat, "assigned", place)
    t.moved("SIM-PAY-1", {kind: n}, source, ("seats", seat, "inactive"))
    turn = t.frame(Turn)
    if place == HOME and turn is not None and turn.resting.get(kind):
        left = turn.resting[kind] - n
        rest = {k: m for k, m in turn.resting.items() if k != kind}
        turn.resting = {**rest, kind: left} if left > 0 else rest
