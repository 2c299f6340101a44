"""Chapter 10, limits at the end of the turn (SIM-LIMIT-1 to SIM-LIMIT-8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.engine.action import Action
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import AtLeast, AtMost, Pick, Split, Statement, Subset
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import player, variant
from service.games.simurgh.v1.figures import POWER, figures
from service.games.simurgh.v1.removal import ENDS


class Limits(Frame, kw_only=True):
    """The player whose turn ends gives back what is too much (SIM-LIMIT-7)."""

    seat: Public[SeatRef]


def tiles_over(t: Table, seat: str) -> int:
    """How many tiles are too many (SIM-LIMIT-1)."""
    return max(0, len(player(t, seat).hand) - figures(t).table["hand-limit"])


def tokens_over(t: Table, seat: str) -> int:
    """How many resources are too many (SIM-LIMIT-3, SIM-DL-1)."""
    most = figures(t).table["resource-limit"][variant(t)]
    return max(0, sum(player(t, seat).resources.values()) - most)


def exactly_the_surplus(t: Table, act: Any) -> Iterable[Statement]:
    """No fewer, no more, and no Power Tile (SIM-LIMIT-1, SIM-LIMIT-2, SIM-LIMIT-4)."""
    over = tiles_over(t, act.actor)
    power = frozenset(x for x in player(t, act.actor).hand if figures(t).tiles[x].type == POWER)
    facts = {"over": over}
    rest: list[Statement] = [
        AtLeast("SIM-LIMIT-1", over, facts=facts),
        AtMost("SIM-LIMIT-4", over, facts=facts),
    ]
    return [*rest, AtMost("SIM-LIMIT-2", 0, power)] if power else rest


class PutBack(Action, kind="put-back"):
    """Surplus tiles to one end of the action deck, top first (SIM-LIMIT-1, SIM-RETURN-2)."""

    end = Pick("SIM-LIMIT-1", ENDS)
    tiles = Subset(
        "SIM-LIMIT-1",
        lambda t, act: dict.fromkeys(player(t, act.actor).hand, 1),
        ordered=True,
        limits=exactly_the_surplus,
        limit_rules=("SIM-LIMIT-1", "SIM-LIMIT-2", "SIM-LIMIT-4"),
    ).given()

    def sight(self, t: Table) -> frozenset[str] | None:
        """Which tiles, only he knows (SIM-INFO-5)."""
        return frozenset([self.actor])

    def open_part(self) -> dict[str, Any]:
        """What the others see."""
        return {"kind": self.kind, "actor": self.actor, "end": self.end}

    def resolve(self, t: Table) -> Control:
        """A run that he alone remembers; it lies there before the display is filled (SIM-LIMIT-8)."""
        source, bottom = ("seats", self.actor, "hand"), self.end == "bottom"
        t.returned("SIM-LIMIT-1", self.tiles, source, ("tiles",), bottom=bottom, known_to=[self.actor])
        return None


class ReturnTokens(Action, kind="return-tokens"):
    """Exactly the surplus resources to the supply (SIM-LIMIT-3, SIM-LIMIT-4)."""

    tokens = Split(
        "SIM-LIMIT-4",
        lambda t, act: tokens_over(t, act.actor),
        lambda t, act: player(t, act.actor).resources,
    ).given()

    def resolve(self, t: Table) -> Control:
        """They are gone."""
        t.moved("SIM-LIMIT-3", self.tokens, ("seats", self.actor, "resources"), None)
        return None


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Limits,
        Ask(
            "tiles",
            lambda t, f: f.seat if tiles_over(t, f.seat) else None,
            takes=(PutBack,),
            rule="SIM-LIMIT-1",
            wrong="SIM-LIMIT-7",
        ),
        Ask(
            "tokens",
            lambda t, f: f.seat if tokens_over(t, f.seat) else None,
            takes=(ReturnTokens,),
            rule="SIM-LIMIT-3",
            wrong="SIM-LIMIT-7",
        ),
    )
