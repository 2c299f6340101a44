"""Chapter 5, phase 3 in general: a player's turn (ZAV-ACT-1 to ZAV-ACT-4)."""

from __future__ import annotations

from service.engine.action import Action
from service.engine.control import DONE, Control
from service.engine.frames import Ask
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.auctions import Auction, StartAuction
from service.games.zavandor.v1.combined import Combine
from service.games.zavandor.v1.components import player
from service.games.zavandor.v1.gems import BuyGem, MoveGem, SellGems
from service.games.zavandor.v1.knowledge import Advance, BuyToken, SagesReward
from service.games.zavandor.v1.state import Turn


class EndTurn(Action, kind="end-turn"):
    """The active player says that his turn is over (ZAV-ACT-4)."""

    def resolve(self, t: Table) -> Control:
        """There is no way back."""
        return DONE


def not_the_active_player(t: Table, f: Turn, seat: str) -> str:
    """The clause that somebody else's action breaks: who is out of the game is skipped everywhere."""
    return "ZAV-CURSE-4" if player(t, seat).out else "ZAV-ACT-1"


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Turn,
        Ask(
            "act",
            lambda t, f: f.seat,
            takes=(BuyGem, SellGems, MoveGem, BuyToken, Advance, Combine, StartAuction, EndTurn),
            rule="ZAV-DEC-1",
            wrong=not_the_active_player,
            again=True,
            also={"bid": "ZAV-AUC-1", "pass": "ZAV-AUC-1"},
        ),
        may_call={"act": (Auction, SagesReward)},
    )
