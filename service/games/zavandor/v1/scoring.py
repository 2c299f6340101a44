"""Chapters 10 and 11: sentinels, victory points, the end (ZAV-SENT-1 to ZAV-SENT-2, ZAV-SCORE, ZAV-END)."""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.table import Table
from service.games.zavandor.v1.components import in_order, player
from service.games.zavandor.v1.figures import TOP, figures
from service.games.zavandor.v1.state import Player


def sentinel_bonus(t: Table, p: Player, sentinel: str) -> int:
    """What a sentinel counts, times its value, up to its cap (ZAV-SENT-2)."""
    card = figures(t).sentinels[sentinel]
    what, of = card.counts["what"], card.counts["of"]
    if what == "active-gem-kinds":
        n = sum(g in p.active for g in of)
    elif what == "tracks-at-top":
        n = sum(p.tracks.get(track) == TOP for track in of)
    elif what == "active-gems":
        n = sum(p.active.get(g, 0) for g in of)
    else:
        n = sum(p.artifacts.get(a, 0) for a in of)
    bonus = card.bonus_each * n
    return bonus if card.bonus_cap is None else min(bonus, card.bonus_cap)


def parts_of(t: Table, p: Player) -> dict[str, int]:
    """A player's victory points by source (ZAV-SCORE-1)."""
    f = figures(t)
    return {
        "gems": sum(f.gems[g].vp * n for g, n in p.active.items()),
        "tracks": f.table["top-stage-vp"] * sum(stage == TOP for stage in p.tracks.values()),
        "artifacts": sum(f.artifacts[a].vp * n for a, n in p.artifacts.items()),
        "sentinels": sum(f.sentinels[s].vp + sentinel_bonus(t, p, s) for s in p.sentinels),
    }


def score_all(t: Table) -> None:
    """The new totals replace the old ones (ZAV-SCORE-2)."""
    for seat in in_order(t):
        t.set("ZAV-SCORE-1", sum(parts_of(t, player(t, seat)).values()), "seats", seat, "vp")


def sold(t: Table) -> int:
    """Sentinels sold since the start, those lost to a Curse included (ZAV-END-1, ZAV-CURSE-3)."""
    return len(figures(t).sentinels) - len(t.board.sentinels)


def standings(t: Table, parts: Mapping[str, Mapping[str, int]]) -> list[tuple[str, int, Mapping[str, int]]]:
    """Every seat's score; who is out of the game has none."""
    return [(s, sum(parts.get(s, {}).values()), parts.get(s, {})) for s in t.seats]


def end_of_game(t: Table) -> bool:
    """Five sentinels sold: most victory points win, all who are tied together (ZAV-END-1, -2)."""
    if sold(t) < figures(t).table["sentinels-to-end"]:
        return False
    parts = {s: parts_of(t, player(t, s)) for s in in_order(t)}
    totals = {s: sum(p.values()) for s, p in parts.items()}
    winners = [s for s in t.seats if s in totals and totals[s] == max(totals.values())]
    t.finish("ZAV-END-2", winners, standings(t, parts))
    return True
