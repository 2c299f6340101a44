"""Chapter 17, the Cult's Birdsong: the Outcast is adjusted, then come conspiracies (ROOT-CULT-7 to ROOT-CULT-15)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, Requirement, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import EndPhase, Pass
from service.games.root.v1.battle import StartBattle, begin_battle, can_attack
from service.games.root.v1.cards import put_by
from service.games.root.v1.components import Plugs, own_warrior, owner, player
from service.games.root.v1.crafting import is_enemy
from service.games.root.v1.cult import CULT, WARRIOR, acolytes, box, cult, garden_of, is_outcast
from service.games.root.v1.effects import other_player
from service.games.root.v1.figures import CLEARING_SUITS, PIECES, PRINTED, figures, suit_of
from service.games.root.v1.movement import Move, relocate
from service.games.root.v1.state import Battle, ClearingId, Removal
from service.games.root.v1.turn import prompt
from service.games.root.v1.woodland import clearing_pick, is_present, open_to_place, place, warriors

PRICES = ("crusade-acolytes", "convert-acolytes", "sanctify-acolytes")


class CultBirdsong(Frame, kw_only=True):
    """The Cult's Birdsong."""

    seat: Public[SeatRef]


# -- the Outcast (ROOT-CULT-7 to ROOT-CULT-9) ---------------------------------------------------------------------


def leading_suit(t: Table, seat: str) -> str | None:
    """The suit with the most cards among the Lost Souls, birds left aside; None for a tie or if there are none."""
    counted = dict.fromkeys(CLEARING_SUITS, 0)
    for card, n in cult(t, seat).lost_souls.items():
        if suit_of(card) in counted:
            counted[suit_of(card)] += n
    most = max(counted.values())
    leading = [suit for suit, n in counted.items() if n == most]
    return leading[0] if most and len(leading) == 1 else None


def adjust_outcast(t: Table, f: CultBirdsong) -> Control:
    """Another suit that leads becomes the Outcast; otherwise the Outcast stays and is Hated."""
    leading = leading_suit(t, f.seat)
    at = ("seats", f.seat, CULT)
    if leading in (None, cult(t, f.seat).outcast):
        t.set("ROOT-CULT-8", True, *at, "hated")
    else:
        t.set("ROOT-CULT-7", leading, *at, "outcast")
        t.set("ROOT-CULT-7", False, *at, "hated")
    return None


def empty_lost_souls(t: Table, f: CultBirdsong) -> Control:
    """The Lost Souls go to where cards would lie without the Cult (ROOT-CULT-9, ROOT-X-16)."""
    piles: dict[tuple[str, ...], dict[str, int]] = {}
    for card, n in sorted(cult(t, f.seat).lost_souls.items()):
        piles.setdefault(put_by(t, card), {})[card] = n
    for pile, cards in piles.items():
        t.moved("ROOT-CULT-9", cards, box(f.seat, "lost_souls"), pile)
    return None


# -- what a conspiracy asks for (ROOT-CULT-10) --------------------------------------------------------------------


def price(t: Table, seat: str, figure: str) -> int:
    """The acolytes that a conspiracy costs; against a Hated Outcast one less."""
    printed = figures(t).table
    saved: int = printed["hated-discount"] if cult(t, seat).hated else 0
    return int(printed[figure]) - saved


def may_conspire(t: Table, f: CultBirdsong) -> str | None:
    """The Cult, as long as its acolytes pay for any conspiracy, which everyone sees."""
    return f.seat if acolytes(t, f.seat) >= min(price(t, f.seat, figure) for figure in PRICES) else None


def costs(figure: str, rule: str) -> Requirement:
    """The requirement that there are acolytes enough."""

    @requires(rule, about=("kind",))
    def has_the_acolytes(t: Table, act: Any) -> Any:
        """As many as the conspiracy costs now."""
        due, held = price(t, act.actor, figure), acolytes(t, act.actor)
        return held >= due or no(cost=due, held=held)

    return has_the_acolytes


def of_the_outcast(param: str = "clearing") -> Requirement:
    """The requirement that the clearing named by this parameter is of the Outcast suit."""

    @requires("ROOT-CULT-10", param)
    def is_an_outcast_clearing(t: Table, act: Any) -> Any:
        """Conspiracies begin there and nowhere else."""
        clearing = act.__dict__[param]
        return is_outcast(t, act.actor, clearing) or no(clearing=clearing, suit=cult(t, act.actor).outcast)

    return is_an_outcast_clearing


def pay(t: Table, because: str, seat: str, figure: str) -> None:
    """The acolytes return to the supply, before anything else comes of it (ROOT-R-CULT-3)."""
    paid = {WARRIOR: price(t, seat, figure)}
    t.moved(because, paid, box(seat, "acolytes"), ("seats", seat, "supply"))


# -- Crusade (ROOT-CULT-11, ROOT-CULT-12) -------------------------------------------------------------------------


class CrusadeBattle(StartBattle, kind="crusade-battle"):
    """A battle in an Outcast clearing."""

    is_an_outcast_clearing = of_the_outcast()
    has_the_acolytes = costs("crusade-acolytes", "ROOT-CULT-11")

    def resolve(self, t: Table) -> Control:
        """Acolytes, then the battle."""
        pay(t, "ROOT-CULT-11", self.actor, "crusade-acolytes")
        return super().resolve(t)


class Crusade(Frame, kw_only=True):
    """A Crusade has moved into a clearing; a battle may follow there."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]


class CrusadeMove(Move, kind="crusade-move"):
    """A move out of an Outcast clearing, to wherever a move may lead."""

    is_an_outcast_clearing = of_the_outcast("from")
    has_the_acolytes = costs("crusade-acolytes", "ROOT-CULT-12")

    def resolve(self, t: Table) -> Control:
        """Acolytes, the move and what it brings about, then the question of a battle."""
        pay(t, "ROOT-CULT-12", self.actor, "crusade-acolytes")
        brought = relocate(t, "ROOT-CULT-12", self.actor, self.from_, self.to, self.warriors)
        return calls(*brought, Crusade(seat=self.actor, clearing=self.to))


def may_follow_up(t: Table, f: Crusade) -> str | None:
    """The Cult, where its warriors meet anybody."""
    met = any(is_present(t, s, f.clearing) for s in t.seats if s != f.seat)
    return f.seat if met and can_attack(t, f.seat, f.clearing) else None


class CrusadeFollowUp(Action, kind="crusade-follow-up"):
    """A battle where the Crusade went, at no further cost (ROOT-DEC-22)."""

    defender = Pick("ROOT-BATTLE-2", lambda t, actor: t.seats)

    @requires("ROOT-BATTLE-1", "defender")
    def defender_is_there(t: Table, act: Any) -> Any:
        """Another player with a piece there."""
        here = act.frame.clearing
        there = act.defender != act.actor and is_present(t, act.defender, here)
        return there or no(defender=act.defender, clearing=here)

    def resolve(self, t: Table) -> Control:
        """The battle begins."""
        return begin_battle(t, self.actor, self.defender, self.frame.clearing)


# -- Convert (ROOT-CULT-13) ---------------------------------------------------------------------------------------


class Converting(Frame, kw_only=True):
    """An enemy warrior has left a clearing; one of the Cult's comes."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]


class Convert(Action, kind="convert"):
    """An enemy warrior makes way for one of the Cult's; the acolytes paid see to it that there is one."""

    clearing = clearing_pick("ROOT-CULT-13")
    player = other_player("ROOT-CULT-13")
    is_an_outcast_clearing = of_the_outcast()
    has_the_acolytes = costs("convert-acolytes", "ROOT-CULT-13")
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-CULT-13", "clearing", "player")
    def enemy_warrior_is_there(t: Table, act: Any) -> Any:
        """An enemy has a warrior there; a pawn is none (ROOT-COMP-2)."""
        enemy = act.player != act.actor and is_enemy(t, act.actor, act.player)
        return (enemy and warriors(t, act.player, act.clearing) > 0) or no(
            clearing=act.clearing, player=act.player
        )

    def resolve(self, t: Table) -> Control:
        """It is a removal like any other, and no battle (ROOT-CULT-15)."""
        pay(t, "ROOT-CULT-13", self.actor, "convert-acolytes")
        losses = {self.actor: {self.clearing: {own_warrior(t, self.player): 1}}}
        gone = Removal(losses=losses, because="ROOT-CULT-13", scoring="ROOT-CULT-13")
        return calls(gone, Converting(seat=self.actor, clearing=self.clearing))


def convert(t: Table, f: Converting) -> Control:
    """The warrior comes."""
    place(t, "ROOT-CULT-13", f.seat, {WARRIOR: 1}, f.clearing)
    return None


# -- Sanctify (ROOT-CULT-14) --------------------------------------------------------------------------------------


class Sanctifying(Frame, kw_only=True):
    """An enemy building has left a clearing; a garden comes."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]


class Sanctify(Action, kind="sanctify"):
    """An enemy building makes way for a garden."""

    clearing = clearing_pick("ROOT-CULT-14")
    building = Pick("ROOT-CULT-14", PIECES)
    is_an_outcast_clearing = of_the_outcast()
    has_the_acolytes = costs("sanctify-acolytes", "ROOT-CULT-14")
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-CULT-14", "clearing")
    def garden_is_left(t: Table, act: Any) -> Any:
        """The garden of the clearing's suit is to be placed."""
        garden = garden_of(act.clearing)
        return garden in player(t, act.actor).supply or no(garden=garden)

    @requires("ROOT-CULT-14", "clearing", "building")
    def enemy_building_is_there(t: Table, act: Any) -> Any:
        """An enemy has this building there; tokens are none."""
        whose = owner(t, act.building) if act.building in t.board.map[act.clearing] else None
        enemy = whose not in (None, act.actor) and is_enemy(t, act.actor, str(whose))
        is_one = PRINTED.pieces[act.building].kind == "building"
        return (enemy and is_one) or no(clearing=act.clearing, building=act.building)

    def resolve(self, t: Table) -> Control:
        """It is a removal like any other, and gives a point."""
        pay(t, "ROOT-CULT-14", self.actor, "sanctify-acolytes")
        losses = {self.actor: {self.clearing: {self.building: 1}}}
        gone = Removal(losses=losses, because="ROOT-CULT-14", scoring="ROOT-CULT-14")
        return calls(gone, Sanctifying(seat=self.actor, clearing=self.clearing))


def sanctify(t: Table, f: Sanctifying) -> Control:
    """The garden comes."""
    place(t, "ROOT-CULT-14", f.seat, {garden_of(f.clearing): 1}, f.clearing)
    return None


CONSPIRACIES = (CrusadeBattle, CrusadeMove, Convert, Sanctify)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        CultBirdsong,
        adjust_outcast,
        empty_lost_souls,
        prompt("conspire", may_conspire, (*CONSPIRACIES, EndPhase), "ROOT-CULT-10", again=True, gap=True),
        may_call={"conspire": (Battle, Removal, Crusade, Converting, Sanctifying, *plugs.after_move)},
    )
    rules.procedure(
        Crusade,
        prompt("follow-up", may_follow_up, (CrusadeFollowUp, Pass), "ROOT-CULT-12"),
        may_call={"follow-up": (Battle,)},
    )
    rules.procedure(Converting, convert)
    rules.procedure(Sanctifying, sanctify)
