"""Chapter 7, battle: one procedure whose steps are those of the Law (ROOT-BATTLE-1 to ROOT-BATTLE-25)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, ChanceAction, no, requires
from service.engine.control import DONE, Control
from service.engine.domain import Pick
from service.engine.frames import Ask
from service.engine.options import legal_acts
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.battle_cards import BattleEffects, add_a_hit, asked_for_effects
from service.games.root.v1.cards import hand_pick, hand_size, may_hold, spend
from service.games.root.v1.components import Plugs, called, everything, first_answer
from service.games.root.v1.decisions import OCCASIONS, barred_ambush
from service.games.root.v1.figures import PRINTED, figures, matches, suit_of_clearing
from service.games.root.v1.hits import Hits, other_side
from service.games.root.v1.state import Battle
from service.games.root.v1.woodland import clearing_pick, fighters, is_present

FACES = tuple(PRINTED.table["dice"])


class StartBattle(Action):
    """Begin a battle in a clearing against one player there; each way to begin one is a subclass."""

    clearing = clearing_pick("ROOT-BATTLE-1")
    defender = Pick("ROOT-BATTLE-2", lambda t, actor: t.seats)

    @requires("ROOT-BATTLE-1", "clearing")
    def has_somebody_to_fight(t: Table, act: Any) -> Any:
        """The attacker has a warrior there."""
        return can_attack(t, act.actor, act.clearing) or no(clearing=act.clearing)

    @requires("ROOT-BATTLE-1", "clearing", "defender")
    def defender_is_there(t: Table, act: Any) -> Any:
        """Another player with a piece there."""
        there = act.defender != act.actor and is_present(t, act.defender, act.clearing)
        return there or no(defender=act.defender, clearing=act.clearing)

    @requires("ROOT-RIVER-17", "clearing", "defender")
    def not_against_their_own(t: Table, act: Any) -> Any:
        """Those who fight as the attacker's own do not fight against their own side."""
        alone = can_attack(t, act.actor, act.clearing) and not can_attack(
            t, act.actor, act.clearing, act.defender
        )
        return not alone or no(defender=act.defender, clearing=act.clearing)

    def resolve(self, t: Table) -> Control:
        """The battle begins."""
        return begin_battle(t, self.actor, self.defender, self.clearing)


def can_attack(t: Table, seat: str, clearing: str, against: str | None = None) -> bool:
    """Whether a player has somebody in a clearing who can fight (ROOT-BATTLE-1), against that player if named."""
    return fighters(t, seat, clearing, against) > 0 or any(everything(t, "can-attack", seat, clearing))


def can_battle(t: Table, cls: type[StartBattle], frame: Any, seat: str) -> bool:
    """Whether any such battle is possible."""
    return next(legal_acts(t, cls, frame, seat), None) is not None


def begin_battle(t: Table, attacker: str, defender: str, clearing: str) -> Battle:
    """The frame of a battle, told to everyone."""
    t.tell(
        "battle-begins", "ROOT-BATTLE-1", {"attacker": attacker, "defender": defender, "clearing": clearing}
    )
    return Battle(attacker=attacker, defender=defender, clearing=clearing)


def before_the_ambush(t: Table, f: Battle) -> Control:
    """What is settled as the battle begins: who fights along."""
    return called(list(everything(t, "battle-begins", f)))


# -- step 1: ambush -----------------------------------------------------------------------------------------------


def may_ambush(t: Table, f: Battle) -> str | None:
    """The defender is asked if he holds any card at all, which everyone sees (ROOT-BATTLE-4).

    A hand that lies open must hold an ambush that matches.
    """
    if first_answer(t, "no-ambush", f) is not None:
        return None
    return f.defender if may_hold(t, f.defender, lambda card: is_ambush_in(card, f.clearing)) else None


def without_an_ambush(t: Table, f: Battle) -> Control:
    """Says that the defender is not asked: he holds no card (`held` 0), or, of an open hand, none that matches.

    Where a rule keeps ambushes out of the battle (hook `no-ambush`), it says so.
    """
    barred = first_answer(t, "no-ambush", f)
    if barred is not None:
        t.tell("skipped", barred, {"window": "ambush", "clearing": f.clearing})
    elif may_ambush(t, f) is None:
        where = {"clearing": f.clearing, "suit": suit_of_clearing(f.clearing)}
        held = hand_size(t, f.defender)
        t.tell("skipped", "ROOT-BATTLE-4", {"window": "ambush", "held": held, **where})
    return None


def is_ambush_in(card: str, clearing: str) -> bool:
    """Whether a card is an ambush that matches a clearing."""
    return PRINTED.cards[card].kind == "ambush" and matches(card, suit_of_clearing(clearing))


class AmbushCard(Action):
    """A card that is played in a battle as an ambush, or against one."""

    card = hand_pick("ROOT-BATTLE-4")

    @requires("ROOT-BATTLE-4", "card")
    def is_an_ambush(t: Table, act: Any) -> Any:
        """It is an ambush card."""
        return PRINTED.cards[act.card].kind == "ambush" or no(card=act.card)

    @requires("ROOT-BATTLE-4", "card")
    def matches_the_clearing(t: Table, act: Any) -> Any:
        """Its suit is that of the clearing, or bird."""
        suit = suit_of_clearing(act.frame.clearing)
        return matches(act.card, suit) or no(card=act.card, clearing=act.frame.clearing, suit=suit)


class PlayAmbush(AmbushCard, kind="play-ambush"):
    """The defender ambushes."""

    def resolve(self, t: Table) -> Control:
        """The card is played; the attacker may foil it, unless it does not touch him at all (ROOT-BATTLE-6)."""
        f: Battle = self.frame
        t.tell("ambush", "ROOT-BATTLE-4", {"seat": self.actor, "card": self.card, "clearing": f.clearing})
        spend(t, "ROOT-BATTLE-4", self.actor, self.card)
        immune = first_answer(t, "unmoved-by-ambush", f)
        if immune is None:
            f.ambush = self.card
        else:
            t.tell("ambush-without-effect", immune, {"seat": f.attacker, "card": self.card})
        return None

    def notes(self, t: Table) -> list[dict[str, Any]]:
        """A warning: it would be without effect."""
        immune = first_answer(t, "unmoved-by-ambush", self.frame)
        return [] if immune is None else [{"note": "ambush-without-effect", "rule": immune}]


class FoilAmbush(AmbushCard, kind="foil-ambush"):
    """The attacker foils it (ROOT-BATTLE-5)."""

    def resolve(self, t: Table) -> Control:
        """The ambush is cancelled; both cards are gone."""
        f: Battle = self.frame
        t.tell("foiled", "ROOT-BATTLE-5", {"seat": self.actor, "card": self.card})
        spend(t, "ROOT-BATTLE-5", self.actor, self.card)
        f.ambush = None
        return None


def may_foil(t: Table, f: Battle) -> str | None:
    """The attacker, if an ambush is in force and he holds any card; of an open hand, one that foils it."""
    may = f.ambush is not None and may_hold(t, f.attacker, lambda card: is_ambush_in(card, f.clearing))
    return f.attacker if may else None


def ambush_hits(t: Table, f: Battle) -> Control:
    """Two hits at once, whatever the number of warriors (ROOT-BATTLE-7)."""
    if f.ambush is None:
        return None
    n = figures(t).table["ambush-hits"]
    t.tell("hits", "ROOT-BATTLE-7", {"seat": f.attacker, "n": n})
    return Hits(hits={f.attacker: n}, because="ROOT-BATTLE-7")


def attacker_left(t: Table, f: Battle) -> Control:
    """Without anybody left to fight after an ambush the battle is over (ROOT-BATTLE-8)."""
    if f.ambush is None or can_attack(t, f.attacker, f.clearing, f.defender):
        return None
    t.tell("battle-ends", "ROOT-BATTLE-8", {"seat": f.attacker, "clearing": f.clearing})
    return DONE


# -- step 2: roll -------------------------------------------------------------------------------------------------


def before_the_roll(t: Table, f: Battle) -> Control:
    """What is decided before the dice fall (ROOT-BATTLE-9)."""
    return called(list(everything(t, "before-roll", f)))


class RollDie(ChanceAction, kind="roll-die", rule="ROOT-BATTLE-10"):
    """How one of the two dice falls."""

    value = Pick("ROOT-BATTLE-10", FACES)

    @classmethod
    def odds(cls, t: Table, frame: Battle) -> dict[int, int]:
        """All faces alike."""
        return dict.fromkeys(FACES, 1)

    def resolve(self, t: Table) -> Control:
        """It lies."""
        self.frame.dice = [*self.frame.dice, self.value]
        return None


def cap(t: Table, f: Battle, seat: str) -> int:
    """The most rolled hits that a side can deal: its warriors in the clearing, counted now (ROOT-BATTLE-12).

    Who fights along adds to it.
    """
    there = fighters(t, seat, f.clearing, other_side(t, f, seat))
    own: int = first_answer(t, "most-rolled-hits", f, seat, default=there)
    return own + sum(everything(t, "more-rolled-hits", f, seat))


def rolled_hits(t: Table, f: Battle) -> Control:
    """The higher value for the attacker (ROOT-BATTLE-10), unless a rule turns that round; both within their caps."""
    turned = first_answer(t, "higher-for-defender", f)
    low, high = sorted(f.dice)
    values = {f.attacker: low if turned else high, f.defender: high if turned else low}
    t.tell("rolled", turned or "ROOT-BATTLE-10", {"dice": f.dice, **_of_sides(f, values)})
    f.rolled = {seat: min(value, cap(t, f, seat)) for seat, value in values.items()}
    for seat, value in values.items():
        if f.rolled[seat] < value:
            t.tell("hits-capped", "ROOT-BATTLE-12", {"seat": seat, "n": f.rolled[seat]})
    return None


def _of_sides(f: Battle, values: dict[str, int]) -> dict[str, Any]:
    return {
        "attacker": f.attacker,
        "higher": values[f.attacker],
        "defender": f.defender,
        "lower": values[f.defender],
    }


# -- extra hits ---------------------------------------------------------------------------------------------------


def extra_hits(t: Table, f: Battle) -> Control:
    """Extra hits that need no declaration, all added together (ROOT-BATTLE-14)."""
    for seat in (f.attacker, f.defender):
        for fn in t.rules.hooks["extra-hits"]:
            if (found := fn(t, f, seat)) is not None:
                add_a_hit(t, f, seat, *found)
    return None


def defenseless(t: Table, f: Battle, seat: str) -> tuple[str, int] | None:
    """The attacker deals one more to a defender who has no warriors there (ROOT-BATTLE-14)."""
    there = fighters(t, f.defender, f.clearing, f.attacker)
    helpless = first_answer(t, "is-defenseless", f, default=not there)
    return ("ROOT-BATTLE-14", 1) if seat == f.attacker and helpless else None


# -- step 3: deal -------------------------------------------------------------------------------------------------


def deal_hits(t: Table, f: Battle) -> Control:
    """Both totals at the same time (ROOT-BATTLE-17)."""
    dealt = {seat: f.rolled[seat] + f.extra.get(seat, 0) for seat in (f.attacker, f.defender)}
    hits = {f.attacker: dealt[f.defender], f.defender: dealt[f.attacker]}
    for seat, n in hits.items():
        t.tell("hits", "ROOT-BATTLE-17", {"seat": seat, "n": n})
    return Hits(hits=hits, because="ROOT-BATTLE-17")


def after_the_battle(t: Table, f: Battle) -> Control:
    """What follows a battle as a whole."""
    return called(list(everything(t, "after-battle", f)))


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the procedure."""

    def prompt(name: str, who: Any, takes: tuple[type[Action], ...], because: str) -> Ask:
        return Ask(name, who, takes, "ROOT-TURN-6", "ROOT-TURN-6", because=because, also=OCCASIONS)

    rules.procedure(
        Battle,
        before_the_ambush,
        without_an_ambush,
        prompt("ambush", may_ambush, (PlayAmbush, Pass), "ROOT-BATTLE-4"),
        prompt("foil", may_foil, (FoilAmbush, Pass), "ROOT-BATTLE-5"),
        ambush_hits,
        attacker_left,
        before_the_roll,
        Ask(
            "roll",
            lambda t, f: CHANCE if len(f.dice) < figures(t).table["number-of-dice"] else None,
            takes=(RollDie,),
            rule="ROOT-BATTLE-10",
            again=True,
            also={"play-ambush": barred_ambush},
        ),
        rolled_hits,
        prompt(
            "attacker-effects",
            asked_for_effects(lambda f: f.attacker),
            (BattleEffects,),
            "ROOT-BATTLE-16",
        ),
        prompt(
            "defender-effects",
            asked_for_effects(lambda f: f.defender),
            (BattleEffects,),
            "ROOT-BATTLE-16",
        ),
        extra_hits,
        deal_hits,
        after_the_battle,
        may_call={
            "before-the-ambush": plugs.before_ambush,
            "ambush-hits": (Hits,),
            "before-the-roll": plugs.before_roll,
            "deal-hits": (Hits,),
            "after-the-battle": plugs.after_battle,
        },
    )
