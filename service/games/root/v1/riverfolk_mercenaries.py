"""Chapter 18, mercenaries: the Riverfolk's warriors rule and fight as the buyer's (ROOT-RIVER-17 to -22, ROOT-RULE-7).

Only in his own Daylight and Evening, so he is the attacker in every battle in which they fight.
"""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.frames import FINISHED
from service.engine.table import Table
from service.games.root.v1.components import own_warrior, player
from service.games.root.v1.hits import other_side
from service.games.root.v1.riverfolk import MERCENARIES, WARRIOR, company
from service.games.root.v1.state import Battle, Removal, Turn
from service.games.root.v1.turn import Birdsong
from service.games.root.v1.woodland import lent_to, warriors


def hirer(t: Table) -> str | None:
    """The player for whom mercenaries rule and fight at this moment."""
    turn: Turn | None = t.frame(Turn)
    if turn is None or MERCENARIES not in turn.services:
        return None
    steps = t.rules.procedures[Turn].index
    begun = turn.step == FINISHED or steps.get(turn.step, -1) >= steps["warren"]
    return turn.seat if begun and t.frame(Birdsong) is None else None


def counted_as_the_buyers(t: Table, clearing: str, counted: Mapping[str, int]) -> Mapping[str, int]:
    """For rule they count for the buyer and not for the Riverfolk (ROOT-RULE-7, ROOT-R-RIVER-2)."""
    n, seat = t.board.map[clearing].get(WARRIOR, 0), hirer(t)
    owner = company(t)
    if not n or seat is None or owner is None:
        return counted
    return {**counted, seat: counted[seat] + n, owner: counted[owner] - n}


def fight_for_the_buyer(t: Table, seat: str, clearing: str, against: str | None) -> dict[str, int] | None:
    """They fight as his own, against anyone but the Riverfolk (ROOT-RIVER-17, ROOT-RIVER-18)."""
    n = t.board.map[clearing].get(WARRIOR, 0)
    return {WARRIOR: n} if n and seat == hirer(t) and against != company(t) else None


def share_hits(t: Table, f: Battle, seat: str, n: int) -> dict[str, int] | None:
    """Hits on warriors are split evenly, the odd one goes to the buyer's own; then the others take the rest."""
    hired = lent_to(t, seat, f.clearing, other_side(t, f, seat)).get(WARRIOR, 0)
    if not hired:
        return None
    own = warriors(t, seat, f.clearing)
    mine = max(min(own, n - n // 2), n - hired)
    bag = {own_warrior(t, seat): mine, WARRIOR: n - mine}
    return {piece: k for piece, k in bag.items() if k > 0}


def lost_by_the_buyer(t: Table, f: Removal, piece: str) -> str | None:
    """A mercenary that falls is the buyer's loss: who removes it makes an enemy of him (ROOT-RIVER-22)."""
    battle: Battle | None = t.frame(Battle) if f.in_battle and piece == WARRIOR else None
    if battle is None or battle.attacker != hirer(t) or battle.defender == company(t):
        return None
    return str(player(t, battle.attacker).faction)
