"""Chapter 14, the Eyrie's Daylight: crafting, then the Decree card by card (ROOT-EYRIE-6 to ROOT-EYRIE-15)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, NEXT, Control, goto
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.options import legal_acts
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import EndPhase
from service.games.root.v1.battle import StartBattle
from service.games.root.v1.components import Faction, Plugs, limited, player, who_plays
from service.games.root.v1.crafting import Craft, crafters
from service.games.root.v1.eyrie import (
    EYRIE,
    WARRIOR,
    EyrieBirdsong,
    EyrieEvening,
    EyrieSetup,
    eyrie,
    leads,
)
from service.games.root.v1.figures import COLUMNS, DECREE_CARDS, matches, suit_of, suit_of_clearing
from service.games.root.v1.movement import Move
from service.games.root.v1.rule import is_ruled
from service.games.root.v1.state import Battle, Column, DecreeCard, Positive, Removal
from service.games.root.v1.turmoil import Turmoil
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.woodland import clearing_pick, open_slot, open_to_place, place


class EyrieDaylight(Frame, kw_only=True):
    """The Eyrie's Daylight. `column`: the one being resolved, with the cards `left` in it; `failed`: turmoil is due."""

    seat: Public[SeatRef]
    column: Public[Column | None] = None
    left: Public[dict[DecreeCard, Positive]] = {}
    failed: Public[bool] = False


class ResolveDecree(Action, kind="resolve-decree"):
    """Craft no more; resolve the Decree (ROOT-EYRIE-6)."""

    def resolve(self, t: Table) -> Control:
        """On to the first column."""
        return NEXT


def next_column(t: Table, f: EyrieDaylight) -> Control:
    """Recruit, Move, Battle, Build; an empty column is passed over (ROOT-EYRIE-7, ROOT-EYRIE-14)."""
    after = 0 if f.column is None else COLUMNS.index(f.column) + 1
    decree = eyrie(t, f.seat).decree
    column = next((c for c in COLUMNS[after:] if decree.get(c)), None)
    if column is None:
        f.column, f.left = None, {}
        return goto("end-daylight")
    f.column, f.left = column, dict(decree[column])
    t.tell("column", "ROOT-EYRIE-7", {"seat": f.seat, "column": column})
    return None


def can_resolve(t: Table, f: EyrieDaylight) -> bool:
    """Whether any card left in the column can be resolved in any way."""
    cls = RESOLVES[str(f.column)]
    return not f.failed and next(legal_acts(t, cls, f, f.seat), None) is not None


def must_resolve(t: Table, f: EyrieDaylight) -> str | None:
    """The Eyrie, as long as any remaining card of the column can be resolved (ROOT-EYRIE-12)."""
    return f.seat if f.left and can_resolve(t, f) else None


def column_resolved(t: Table, f: EyrieDaylight) -> Control:
    """On to the next column; a card that cannot be resolved brings turmoil at once (ROOT-EYRIE-12)."""
    if not f.left and not f.failed:
        return goto("next-column")
    t.tell("turmoil", "ROOT-EYRIE-12", {"seat": f.seat, "column": f.column, "cards": f.left})
    return Turmoil(seat=f.seat)


def rest(t: Table, f: EyrieDaylight) -> Control:
    """Daylight ends (ROOT-EYRIE-19)."""
    t.tell("daylight-ends", "ROOT-EYRIE-19", {"seat": f.seat})
    return DONE


# -- the four columns ---------------------------------------------------------------------------------------------


def decree_card() -> Pick:
    """A parameter that names a card of the Decree."""
    return Pick("ROOT-EYRIE-7", lambda t, actor: cards_of_the_decree(t), vocabulary=DECREE_CARDS)


def cards_of_the_decree(t: Table) -> list[str]:
    """The cards that lie in the Decree, which everyone sees."""
    seat = who_plays(t, EYRIE)
    columns = {} if seat is None else eyrie(t, seat).decree
    return sorted({card for column in columns.values() for card in column})


def in_column(column: str) -> Any:
    """The requirement that this column is being resolved."""

    @requires("ROOT-EYRIE-7", about=("kind",))
    def is_its_turn(t: Table, act: Any) -> Any:
        """The columns come in their order."""
        return act.frame.column == column or no(column=act.frame.column)

    return is_its_turn


def is_left() -> Any:
    """The requirement that the card has still to be resolved."""

    @requires("ROOT-EYRIE-7", "card")
    def is_still_left(t: Table, act: Any) -> Any:
        """Each card is resolved once."""
        return act.card in act.frame.left or no(card=act.card)

    return is_still_left


def in_its_suit(parameter: str) -> Any:
    """The requirement that the card matches the clearing; birds and viziers match every one (ROOT-EYRIE-7)."""

    @requires("ROOT-EYRIE-7", "card", parameter)
    def matches_the_clearing(t: Table, act: Any) -> Any:
        """The suits are the same, or the card is a bird."""
        clearing = getattr(act, parameter if parameter != "from" else "from_")
        suit = suit_of_clearing(clearing)
        return matches(act.card, suit) or no(card=act.card, clearing=clearing, suit=suit_of(act.card))

    return matches_the_clearing


def resolve_card(f: EyrieDaylight, card: str) -> None:
    """One copy of the card is resolved."""
    f.left = {c: n - (c == card) for c, n in f.left.items() if n > (c == card)}


class DecreeRecruit(Action, kind="decree-recruit"):
    """A warrior, or under the Charismatic two, in a matching clearing with a roost (ROOT-EYRIE-8)."""

    card = decree_card()
    clearing = clearing_pick("ROOT-EYRIE-8")
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")
    is_its_turn = in_column("recruit")
    is_left = is_left()
    in_its_suit = in_its_suit("clearing")

    @requires("ROOT-EYRIE-8", "clearing")
    def has_a_roost(t: Table, act: Any) -> Any:
        """A roost stands there."""
        return "roost" in t.board.map[act.clearing] or no(clearing=act.clearing)

    @requires("ROOT-EYRIE-8", about=("kind",))
    def has_a_warrior(t: Table, act: Any) -> Any:
        """A warrior is left to place."""
        return WARRIOR in player(t, act.actor).supply or no(warriors=0)

    def resolve(self, t: Table) -> Control:
        """Too few for the Charismatic: turmoil (ROOT-EYRIE-13)."""
        f: EyrieDaylight = self.frame
        bag = {WARRIOR: 2 if leads(t, self.actor, "charismatic") else 1}
        placed = limited(bag, player(t, self.actor).supply)
        place(t, "ROOT-EYRIE-8", self.actor, placed, self.clearing)
        resolve_card(f, self.card)
        if placed != bag:
            t.tell("cannot-complete", "ROOT-EYRIE-13", {"seat": self.actor})
            f.failed = True
        return None


class DecreeMove(Move, kind="decree-move"):
    """A move from a matching clearing to any adjacent one (ROOT-EYRIE-9)."""

    card = decree_card()
    because = "ROOT-EYRIE-9"
    is_its_turn = in_column("move")
    is_left = is_left()
    in_its_suit = in_its_suit("from")

    def resolve(self, t: Table) -> Control:
        """The card is resolved; what the move brings about follows."""
        resolve_card(self.frame, self.card)
        return super().resolve(t)


class DecreeBattle(StartBattle, kind="decree-battle"):
    """A battle in a matching clearing (ROOT-EYRIE-10)."""

    card = decree_card()
    is_its_turn = in_column("battle")
    is_left = is_left()
    in_its_suit = in_its_suit("clearing")

    def resolve(self, t: Table) -> Control:
        """The card is resolved; the battle follows."""
        resolve_card(self.frame, self.card)
        return super().resolve(t)


class DecreeBuild(Action, kind="decree-build"):
    """A roost in a matching clearing that they rule, without one (ROOT-EYRIE-11)."""

    card = decree_card()
    clearing = clearing_pick("ROOT-EYRIE-11")
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")
    has_room = open_slot()
    is_its_turn = in_column("build")
    is_left = is_left()
    in_its_suit = in_its_suit("clearing")

    @requires("ROOT-EYRIE-11", "clearing")
    def rules_it(t: Table, act: Any) -> Any:
        """They rule the clearing."""
        return is_ruled(t, act)

    @requires("ROOT-EYRIE-11", "clearing")
    def has_no_roost(t: Table, act: Any) -> Any:
        """There is none yet."""
        return "roost" not in t.board.map[act.clearing] or no(clearing=act.clearing)

    @requires("ROOT-EYRIE-11", about=("kind",))
    def has_one_left(t: Table, act: Any) -> Any:
        """A roost is left."""
        return "roost" in player(t, act.actor).supply or no(roosts=0)

    def resolve(self, t: Table) -> Control:
        """There it stands."""
        place(t, "ROOT-EYRIE-11", self.actor, {"roost": 1}, self.clearing)
        resolve_card(self.frame, self.card)
        return None


RESOLVES: dict[str, type[Action]] = {
    "recruit": DecreeRecruit,
    "move": DecreeMove,
    "battle": DecreeBattle,
    "build": DecreeBuild,
}

FACTION = Faction(
    EYRIE,
    setup=EyrieSetup,
    birdsong=EyrieBirdsong,
    daylight=EyrieDaylight,
    evening=EyrieEvening,
    crafting=crafters("roost"),
    more=(Turmoil,),
)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    crafting = {"craft": "ROOT-EYRIE-6"}
    rules.procedure(
        EyrieDaylight,
        prompt("craft", its_seat, (Craft, ResolveDecree), "ROOT-EYRIE-6", again=True, gap=True),
        next_column,
        prompt(
            "resolve",
            must_resolve,
            (DecreeRecruit, DecreeMove, DecreeBattle, DecreeBuild),
            "ROOT-EYRIE-12",
            again=True,
            gap=True,
            also={**crafting, "end-phase": "ROOT-EYRIE-12", "pass": "ROOT-EYRIE-12"},
        ),
        column_resolved,
        rest,
        prompt("end-daylight", its_seat, (EndPhase,), "ROOT-TURN-3", gap=True, also=crafting),
        may_call={
            "craft": (Removal,),
            "resolve": (Battle, *plugs.after_move),
            "column-resolved": (Turmoil,),
        },
    )
