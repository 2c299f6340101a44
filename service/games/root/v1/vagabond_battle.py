"""Chapter 16, a Vagabond in battle: swords, hits on items, allies, the Arbiter (ROOT-VAG-25, -45, -53, -54)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.battle import begin_battle
from service.games.root.v1.components import Plugs, first_answer, own_warrior, player
from service.games.root.v1.figures import REFERENCES, figures
from service.games.root.v1.hits import battle_of
from service.games.root.v1.state import Battle
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.vagabond import ALLIED, HOSTILE, pawn_is_there, pawn_of, plays, relate, relation
from service.games.root.v1.vagabond_items import (
    UNDAMAGED,
    damage,
    each,
    exhaust,
    has_ready,
    in_a_clearing,
    is_vagabond,
    references_in,
    undamaged_swords,
    vagabonds,
)
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import is_present, warriors


class VagabondBattle(Action, kind="battle"):
    """A sword for a battle where the pawn stands (ROOT-VAG-25)."""

    defender = Pick("ROOT-BATTLE-2", lambda t, actor: t.seats)
    is_in_a_clearing = in_a_clearing()
    has_a_sword = has_ready("sword")

    @requires("ROOT-BATTLE-1", "defender", "is_in_a_clearing")
    def defender_is_there(t: Table, act: Any) -> Any:
        """Another player with a piece there."""
        here = pawn_of(t, act.actor)
        there = act.defender != act.actor and is_present(t, act.defender, here)
        return there or no(defender=act.defender, clearing=here)

    def resolve(self, t: Table) -> Control:
        """The battle begins."""
        exhaust(t, "ROOT-VAG-25", self.actor, "sword")
        return begin_battle(t, self.actor, self.defender, pawn_of(t, self.actor))


# -- allies (ROOT-VAG-53, ROOT-VAG-54) ----------------------------------------------------------------------------


class Allies(Frame, kw_only=True):
    """A Vagabond attacks where warriors of Allied factions stand."""

    seat: Public[SeatRef]


def possible_allies(t: Table, f: Battle) -> list[str]:
    """Whose warriors he may treat as his own: those of an Allied faction there, not against itself."""
    if not is_vagabond(t, f.attacker):
        return []
    return [
        s
        for s in t.seats
        if s not in (f.attacker, f.defender)
        and relation(t, f.attacker, s) == ALLIED
        and warriors(t, s, f.clearing)
    ]


def allies(t: Table, f: Battle) -> list[Frame]:
    """He is asked as the battle begins, where there are any; everyone sees that."""
    return [Allies(seat=f.attacker)] if possible_allies(t, f) else []


class FightWithAlly(Action, kind="fight-with-ally"):
    """Treat the warriors of one Allied faction as his own in this battle."""

    player = Pick("ROOT-VAG-53", lambda t, actor: t.seats)

    @requires("ROOT-VAG-53", "player")
    def is_an_ally_there(t: Table, act: Any) -> Any:
        """Allied, there with warriors, and not the defender."""
        return act.player in possible_allies(t, battle_of(t)) or no(player=act.player)

    def resolve(self, t: Table) -> Control:
        """They fight along."""
        battle_of(t).ally = self.player
        t.tell("fights-along", "ROOT-VAG-53", {"seat": self.actor, "player": self.player})
        return None


def betrayed(t: Table, f: Battle) -> Control:
    """More hits taken on allied warriors than on items make the faction Hostile after the battle (ROOT-VAG-54)."""
    if f.ally is not None and f.ally_hits > f.own_hits:
        relate(t, "ROOT-VAG-54", f.attacker, str(player(t, f.ally).faction), HOSTILE)
    return None


# -- dealing hits (ROOT-BATTLE-12, ROOT-BATTLE-14) ----------------------------------------------------------------


def swords(t: Table, f: Battle, seat: str) -> int | None:
    """A Vagabond deals no more rolled hits than he has undamaged swords."""
    return undamaged_swords(t, seat) if is_vagabond(t, seat) else None


def swords_of_others(t: Table, f: Battle, seat: str) -> int:
    """Allied warriors used by the attacker, and the swords of an Arbiter whom the defender enlisted."""
    if seat == f.attacker:
        return 0 if f.ally is None else warriors(t, f.ally, f.clearing)
    return 0 if f.enlisted is None else undamaged_swords(t, f.enlisted)


def without_a_sword(t: Table, f: Battle) -> bool | None:
    """A Vagabond is defenseless without an undamaged sword (ROOT-BATTLE-14)."""
    return not undamaged_swords(t, f.defender) if is_vagabond(t, f.defender) else None


# -- taking hits (ROOT-BATTLE-19, ROOT-VAG-5) ---------------------------------------------------------------------


def items_and_allies(t: Table, f: Battle, seat: str) -> dict[str, int] | None:
    """A Vagabond takes hits on undamaged items, and as attacker on the warriors of an ally."""
    if not is_vagabond(t, seat):
        return None
    found = references_in(t, seat, *UNDAMAGED)
    if seat == f.attacker and f.ally is not None and (n := warriors(t, f.ally, f.clearing)):
        found[own_warrior(t, f.ally)] = n
    return found


def in_any_order(t: Table, f: Battle, seat: str) -> frozenset[str] | None:
    """He mixes them as he likes."""
    return frozenset() if is_vagabond(t, seat) else None


def take_damage(t: Table, f: Battle, seat: str, bag: Mapping[str, int]) -> dict[str, int] | None:
    """Items are damaged and stay; allied warriors leave the map."""
    if not is_vagabond(t, seat):
        return None
    hit = {ref: n for ref, n in bag.items() if ref in REFERENCES}
    for ref in each(hit):
        damage(t, "ROOT-BATTLE-19", seat, ref)
    rest = {piece: n for piece, n in bag.items() if piece not in REFERENCES}
    if seat == f.attacker:
        f.own_hits, f.ally_hits = f.own_hits + sum(hit.values()), f.ally_hits + sum(rest.values())
    return rest


# -- the Arbiter (ROOT-VAG-45) ------------------------------------------------------------------------------------


class Protector(Frame, kw_only=True):
    """A defender may enlist the Arbiter, whose pawn stands there. `seat`: the defender."""

    seat: Public[SeatRef]
    arbiter: Public[SeatRef]


def protector(t: Table, f: Battle) -> list[Frame]:
    """The Arbiter neither enlists himself nor fights against himself; who acts by itself enlists nobody."""
    if first_answer(t, "acts-by-itself", f.defender) is not None:
        return []
    found = [
        s
        for s in vagabonds(t)
        if plays(t, s, "arbiter") and pawn_is_there(t, s, f.clearing) and s not in (f.attacker, f.defender)
    ]
    return [Protector(seat=f.defender, arbiter=s) for s in found]


class EnlistArbiter(Action, kind="enlist-arbiter"):
    """The Arbiter scores a point, and lends his undamaged swords."""

    def resolve(self, t: Table) -> Control:
        """Before the dice fall."""
        f: Protector = self.frame
        battle_of(t).enlisted = f.arbiter
        t.tell("enlisted", "ROOT-VAG-45", {"seat": f.arbiter, "player": self.actor})
        score(t, "ROOT-VAG-45", f.arbiter, figures(t).table["protector-points"])
        return None


# -- Instigate, in the battle (ROOT-VAG-43) -----------------------------------------------------------------------


def instigator_picks(t: Table, f: Battle, seat: str) -> str | None:
    """The Vagrant picks which buildings and tokens go; what a Vagabond loses are items, which he picks himself."""
    return f.instigator if f.instigator is not None and not is_vagabond(t, seat) else None


def instigator_removes(t: Table, f: Battle, seat: str) -> str | None:
    """He is the remover of all that goes, save warriors of an ally that he treats as his own (ROOT-VAG-54)."""
    return f.instigator if seat != f.instigator else None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(Allies, prompt("ally", its_seat, (FightWithAlly, Pass), "ROOT-VAG-53"))
    rules.procedure(Protector, prompt("enlist", its_seat, (EnlistArbiter, Pass), "ROOT-VAG-45"))
