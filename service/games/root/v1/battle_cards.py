"""Chapter 7, crafted cards in battle: who may declare which, what they do (ROOT-BATTLE-15, -16, ROOT-FX-1 to -4)."""

from __future__ import annotations

from collections.abc import Callable

from service.engine.action import Action
from service.engine.control import Control
from service.engine.domain import Subset
from service.engine.table import Table
from service.games.root.v1.cards import spend
from service.games.root.v1.components import first_answer, player
from service.games.root.v1.hits import other_side
from service.games.root.v1.state import Battle
from service.games.root.v1.victory import score


def usable(t: Table, f: Battle, seat: str) -> list[str]:
    """The crafted cards that a side can use in this battle, which lie open (ROOT-BATTLE-16)."""
    found: list[str] = [c for c in player(t, seat).crafted if first_answer(t, "battle-card", f, seat, c)]
    return found


def asked_for_effects(who: Callable[[Battle], str]) -> Callable[[Table, Battle], str | None]:
    """A side, if it has anything to use."""
    return lambda t, f: who(f) if usable(t, f, who(f)) else None


class BattleEffects(Action, kind="battle-effects"):
    """Declare which crafted cards are used in this battle; none may be."""

    cards = Subset("ROOT-BATTLE-16", lambda t, act: dict.fromkeys(usable(t, act.frame, act.actor), 1))

    def resolve(self, t: Table) -> Control:
        """Each takes effect."""
        for card in sorted(self.cards):
            use: Callable[..., None] = first_answer(t, "battle-card", self.frame, self.actor, card)
            use(t, self.frame, self.actor, card)
        return None


def ignore_rolled_hits(t: Table, f: Battle, seat: str, card: str) -> None:
    """Armorers: all rolled hits taken are ignored; extra ones remain (ROOT-FX-1, ROOT-BATTLE-15)."""
    spend(t, "ROOT-FX-1", seat, card, "crafted")
    enemy = other_side(t, f, seat)
    f.rolled = {**f.rolled, enemy: 0}
    t.tell("hits-ignored", "ROOT-BATTLE-15", {"seat": seat})


def add_a_hit(t: Table, f: Battle, seat: str, rule: str, n: int = 1) -> None:
    """An extra hit, which no cap limits (ROOT-BATTLE-14)."""
    f.extra = {**f.extra, seat: f.extra.get(seat, 0) + n}
    t.tell("extra-hits", rule, {"seat": seat, "n": n})


def sap(t: Table, f: Battle, seat: str, card: str) -> None:
    """Sappers: the defender discards the card and deals an extra hit (ROOT-FX-2)."""
    spend(t, "ROOT-FX-2", seat, card, "crafted")
    add_a_hit(t, f, seat, "ROOT-FX-2")


def be_brutal(t: Table, f: Battle, seat: str, card: str) -> None:
    """Brutal Tactics: the attacker deals an extra hit, and the defender scores a point (ROOT-FX-3)."""
    add_a_hit(t, f, seat, "ROOT-FX-3")
    score(t, "ROOT-FX-3", f.defender, 1)


BATTLE_CARDS: dict[tuple[str, str], Callable[[Table, Battle, str, str], None]] = {
    ("armorers", "attacker"): ignore_rolled_hits,
    ("armorers", "defender"): ignore_rolled_hits,
    ("sappers", "defender"): sap,
    ("brutal-tactics", "attacker"): be_brutal,
}


def battle_card(t: Table, f: Battle, seat: str, card: str) -> Callable[..., None] | None:
    """What a crafted card does in a battle for this side, if anything."""
    return BATTLE_CARDS.get((card, "attacker" if seat == f.attacker else "defender"))


def scouting_party(t: Table, f: Battle) -> str | None:
    """Ambushes do not touch an attacker with a Scouting Party (ROOT-BATTLE-6, ROOT-FX-4)."""
    return "ROOT-BATTLE-6" if "scouting-party" in player(t, f.attacker).crafted else None
