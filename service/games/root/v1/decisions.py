"""Chapter 12.2, decisions that have a moment of their own: the clause that names it, for whoever comes at another."""

from __future__ import annotations

from collections.abc import Mapping

OCCASIONS: Mapping[str, str] = {
    "better-burrow-bank": "ROOT-TURN-1",
    "royal-claim": "ROOT-TURN-2",
    "stand-and-deliver": "ROOT-TURN-2",
    "command-warren": "ROOT-TURN-3",
    "tax-collector": "ROOT-TURN-3",
    "codebreakers": "ROOT-TURN-3",
    "activate-dominance": "ROOT-DOM-1",
    "take-available": "ROOT-DOM-6",
    "cobbler": "ROOT-TURN-4",
    "discard": "ROOT-TURN-9",
    "play-ambush": "ROOT-BATTLE-4",
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
}
