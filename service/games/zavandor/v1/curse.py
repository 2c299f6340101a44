"""The Curse of the Nine Sages: a winner who cannot pay is out of the game (ZAV-CURSE-1 to ZAV-CURSE-7)."""

from __future__ import annotations

from service.engine.control import DONE, END, Control, unwind
from service.engine.table import Table
from service.games.zavandor.v1.components import discard_energy, living, player
from service.games.zavandor.v1.scoring import parts_of, standings
from service.games.zavandor.v1.state import Round, Turn


def strike(t: Table, seat: str, card: str, price: int) -> Control:
    """Out at once; the auction is void (ZAV-CURSE-2), and play goes on without him (ZAV-CURSE-4, -7)."""
    t.tell("curse-strikes", "ZAV-CURSE-1", {"seat": seat, "card": card, "price": price})
    t.tell("auction-void", "ZAV-CURSE-2", {"card": card})
    give_back(t, seat)
    t.set("ZAV-CURSE-1", True, "seats", seat, "out")
    left = living(t)
    if len(left) == 1:
        t.tell("wins-alone", "ZAV-CURSE-4", {"seat": left[0]})
        t.finish("ZAV-CURSE-4", left, standings(t, {left[0]: parts_of(t, player(t, left[0]))}))
        return END
    if t.frame(Turn).seat == seat:
        return unwind(Round, "ZAV-CURSE-4")
    return DONE


def give_back(t: Table, seat: str) -> None:
    """Gems, energy and cards go back or leave the game (ZAV-CURSE-3, -6)."""
    p = player(t, seat)
    for place in ("active", "inactive"):
        t.moved("ZAV-CURSE-3", getattr(p, place), ("seats", seat, place), ("supply",))
    discard_energy(t, "ZAV-CURSE-3", seat, p.energy)
    discard_energy(t, "ZAV-CURSE-6", seat, p.waiting, "waiting")
    t.moved("ZAV-CURSE-3", p.concentrated, ("seats", seat, "concentrated"), None)
    t.moved("ZAV-CURSE-3", {"dust": p.dust}, ("seats", seat, "dust"), None)
    t.moved("ZAV-CURSE-6", {"dust": p.waiting_dust}, ("seats", seat, "waiting_dust"), None)
    t.moved("ZAV-CURSE-3", p.artifacts, ("seats", seat, "artifacts"), ("gone_artifacts",))
    t.moved("ZAV-CURSE-3", dict.fromkeys(p.sentinels, 1), ("seats", seat, "sentinels"), ("gone_sentinels",))
