"""Chapter 4, rule of a clearing: worked out whenever it is asked for (ROOT-RULE-1 to ROOT-RULE-8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.action import no
from service.engine.table import Table
from service.games.root.v1.components import first_answer, owner
from service.games.root.v1.figures import CLEARINGS, PRINTED


def strength(t: Table, clearing: str) -> Mapping[str, int]:
    """Warriors and buildings of every player in a clearing; nothing else counts (ROOT-RULE-1, ROOT-RULE-6).

    What others lend (`counted-as`) is counted for the borrower.
    """
    counted = dict.fromkeys(t.seats, 0)
    for piece, n in t.board.map[clearing].items():
        if PRINTED.pieces[piece].kind != "token" and (seat := owner(t, piece)) is not None:
            counted[seat] += n
    for fn in t.rules.hooks["counted-as"]:
        counted = fn(t, clearing, counted)
    return counted


def ruler(t: Table, clearing: str) -> str | None:
    """Who rules: by right (ROOT-RULE-4), by having the most (ROOT-RULE-1), by winning ties (ROOT-RULE-3), or nobody."""
    by_right = first_answer(t, "rules-by-right", clearing)
    if by_right is not None:
        return str(by_right)
    counted = strength(t, clearing)
    most = max(counted.values())
    leading = [s for s, n in counted.items() if n == most]
    if most == 0:
        return None
    return leading[0] if len(leading) == 1 else first_answer(t, "wins-ties", clearing, leading)


def rules(t: Table, seat: str, clearing: str) -> bool:
    """Whether a player rules a clearing."""
    return ruler(t, clearing) == seat


def ruled_by(t: Table, seat: str) -> tuple[str, ...]:
    """All clearings that a player rules."""
    return tuple(c for c in CLEARINGS if rules(t, seat, c))


def is_ruled(t: Table, act: Any) -> Any:
    """The actor rules the clearing: a requirement that several actions share."""
    return rules(t, act.actor, act.clearing) or no(
        clearing=act.clearing, ruler=ruler(t, act.clearing) or "nobody"
    )
