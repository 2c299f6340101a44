"""Chapter 12.2, decisions that have a moment of their own: the clause that names it, for whoever comes at another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.engine.table import Table
from service.games.root.v1.state import Battle


def of_a_service(t: Table, frame: Any, seat: str) -> str | Sequence[str]:
    """The start of Birdsong, and what keeps this player from buying more (hook `no-more-services`)."""
    found: Sequence[str] | None = t.rules.run_hook("no-more-services", t, seat)
    return found or "ROOT-RIVER-10"


def of_a_swap(t: Table, frame: Any, seat: str) -> Sequence[str]:
    """Orders are swapped right after a spy has looked; without a spy they lie as they lie."""
    return ("ROOT-SPY-8",) if t.board.seats[seat].spies else ("ROOT-SPY-8", "ROOT-INFO-7")


def of_an_ambush(t: Table, frame: Any, seat: str) -> str:
    """Step 1 of a battle, and, in a battle that no ambush is played in, what keeps it out (hook `no-ambush`)."""
    return barred_ambush(t, frame, seat) or "ROOT-BATTLE-4"


def barred_ambush(t: Table, frame: Any, seat: str) -> str | None:
    """The clause that keeps ambushes out of the battle that is fought; None where none does."""
    battle = t.frame(Battle)
    found: str | None = None if battle is None else t.rules.run_hook("no-ambush", t, battle)
    return found


OCCASIONS: Mapping[str, str | Callable[[Table, Any, str], str | Sequence[str] | None]] = {
    "better-burrow-bank": "ROOT-TURN-1",
    "royal-claim": "ROOT-TURN-2",
    "stand-and-deliver": "ROOT-TURN-2",
    "command-warren": "ROOT-TURN-3",
    "tax-collector": "ROOT-TURN-3",
    "codebreakers": "ROOT-TURN-3",
    "activate-dominance": "ROOT-DOM-1",
    "take-available": "ROOT-DOM-6",
    "play-spy": "ROOT-SPY-2",
    "use-spy": "ROOT-SPY-5",
    "swap": of_a_swap,
    "cobbler": "ROOT-TURN-4",
    "discard": "ROOT-TURN-9",
    "play-ambush": of_an_ambush,
    "foil-ambush": "ROOT-BATTLE-5",
    "battle-effects": "ROOT-BATTLE-16",
    "assign-hits": "ROOT-BATTLE-18",
    "field-hospitals": "ROOT-MARQ-5",
    "place-wood": "ROOT-MARQ-10",
    "place-recruits": "ROOT-MARQ-15",
    "setup-marquise": "ROOT-SETUP-9",
    "add-to-decree": "ROOT-EYRIE-4",
    "new-roost": "ROOT-EYRIE-5",
    "choose-leader": "ROOT-EYRIE-18",
    "setup-eyrie": "ROOT-SETUP-10",
    "setup-vagabond": "ROOT-SETUP-12",
    "refresh": "ROOT-VAG-10",
    "slip": "ROOT-VAG-11",
    "discard-items": "ROOT-VAG-72",
    "take-item": "ROOT-VAG-27",
    "take-ruin-item": "ROOT-VAG2-3",
    "fight-with-ally": "ROOT-VAG-53",
    "enlist-arbiter": "ROOT-VAG-45",
    "pick-losses": "ROOT-VAG-43",
    "pay-outrage": "ROOT-WA-10",
    "show-hand": "ROOT-WA-10",
    "discard-supporters": "ROOT-WA-4",
    "revolt": "ROOT-WA-13",
    "spread": "ROOT-WA-17",
    "mobilize": "ROOT-WA-21",
    "train": "ROOT-WA-21",
    "organize": "ROOT-WA-22",
    "setup-cult": "ROOT-SETUP-13",
    "crusade-battle": "ROOT-CULT-11",
    "crusade-move": "ROOT-CULT-12",
    "crusade-follow-up": "ROOT-CULT-12",
    "convert": "ROOT-CULT-13",
    "sanctify": "ROOT-CULT-14",
    "ritual-build": "ROOT-CULT-17",
    "ritual-recruit": "ROOT-CULT-18",
    "ritual-sacrifice": "ROOT-CULT-19",
    "ritual-score": "ROOT-CULT-20",
    "setup-riverfolk": "ROOT-SETUP-14",
    "buy-card": of_a_service,
    "buy-riverboats": of_a_service,
    "hire-mercenaries": of_a_service,
    "export": "ROOT-RIVER-36",
    "draw": "ROOT-RIVER-33",
    "establish": "ROOT-RIVER-37",
    "trade-disruption": "ROOT-RIVER-6",
    "set-prices": "ROOT-RIVER-40",
    "keep-card": "ROOT-CAMP-3",
}
