"""Phase 2, income: what gems, artifacts and Energy Flow yield (ZAV-INCOME-1 to ZAV-INCOME-10)."""

from __future__ import annotations

from service.engine.table import Table
from service.games.zavandor.v1.components import gain_dust, player
from service.games.zavandor.v1.figures import figures
from service.games.zavandor.v1.state import Player


def opal_dust(t: Table, opals: int) -> int:
    """Dust from active opals (ZAV-INCOME-2)."""
    dust = figures(t).dust
    return dust.three_opals * (opals // 3) + dust.opals[opals % 3]


def cards_due(t: Table, p: Player) -> dict[str, int]:
    """Cards of each colour from active gems and artifacts, before the exchange (ZAV-INCOME-3)."""
    f = figures(t)
    due = dict.fromkeys(f.concentrated, 0)
    for gem, n in p.active.items():
        if (colour := f.gems[gem].colour) is not None:
            due[colour] += n
    for artifact, n in p.artifacts.items():
        if (colour := f.artifacts[artifact].produces) is not None:
            due[colour] += n
    return due


def flow_dust(t: Table, p: Player) -> int:
    """Dust from the Energy Flow track (ZAV-KNOW-FLOW-1)."""
    stage = p.tracks.get("flow", 0)
    return figures(t).tracks["flow"].dust[stage - 1] if stage else 0


def income_of(t: Table, seat: str) -> dict[str, int]:
    """Give dust and concentrated energy; answers the cards left to draw, by colour (ZAV-INCOME-4, -5)."""
    f, p = figures(t), player(t, seat)
    gain_dust(t, "ZAV-INCOME-2", seat, opal_dust(t, p.active.get("opal", 0)))
    gain_dust(t, "ZAV-INCOME-7", seat, flow_dust(t, p))
    left: dict[str, int] = {}
    for colour, due in cards_due(t, p).items():
        full, left[colour] = divmod(due, f.table["cards-per-concentrated"])
        t.moved("ZAV-INCOME-4", {colour: full}, None, ("seats", seat, "concentrated"))
        gain_dust(t, "ZAV-INCOME-4", seat, f.table["dust-per-concentrated"] * full)
    return {colour: n for colour, n in left.items() if n}
