"""Market: open parameters of every kind, statements, waivers, derived values, and undefined requirements.

On a turn a trader buys at a stall (the price is derived; a licence waives the guild), gives alms (a split), packs
(a subset, or a row in order), bakes (a sequence of sub-actions, each after those before it), bids (an amount).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from service.engine.action import Action, derived, no, requires, waives
from service.engine.audience import Public, SeatRef, Seats
from service.engine.control import END, calls
from service.engine.domain import MOST, Amount, AtLeast, AtMost, Pick, Sequence, Split, Subset
from service.engine.frames import Ask, Frame
from tests.engine.kit import ruleset

PRICES = {"bread": 3, "cloth": 7}  # nobody has a price for relics
GUILD = ("cloth",)
CLAUSES = {
    "TOY-MARKET-1": "The market closes when a trader leaves.",
    "TOY-MARKET-2": "Trade or leave.",
    "TOY-MARKET-3": "There are three stalls.",
    "TOY-MARKET-4": "Nobody sells relics.",
    "TOY-MARKET-5": "Cloth is for members of the guild.",
    "TOY-MARKET-6": "You pay the price at least.",
    "TOY-MARKET-7": "You pay with what you have.",
    "TOY-MARKET-8": "A licence beats the guild.",
    "TOY-MARKET-9": "Alms go to the poor, each as much as he can carry.",
    "TOY-MARKET-10": "The lame is given something.",
    "TOY-MARKET-11": "Two or three things are packed.",
    "TOY-MARKET-12": "Something soft is packed, and at most one thing that breaks.",
    "TOY-MARKET-13": "Flour becomes dough, dough becomes bread.",
    "TOY-MARKET-14": "Not without flour.",
    "TOY-MARKET-15": "Not without dough.",
    "TOY-MARKET-16": "A batch has one loaf at least.",
    "TOY-MARKET-17": "The change comes out of the payment.",
    "TOY-MARKET-18": "A token of the mayor beats the guild, too.",
}
GOODS = {"cup": 2, "fleece": 1, "jug": 1, "rug": 2}
SOFT, FRAGILE = frozenset({"fleece", "rug"}), frozenset({"cup", "jug"})
POOR = {"blind": 2, "lame": 3, "widow": 1}


class Trader(Struct, forbid_unknown_fields=True):
    coins: Public[int] = 20
    flour: Public[int] = 2
    dough: Public[int] = 0
    loaves: Public[int] = 0
    licence: Public[bool] = False
    token: Public[bool] = False


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Trader]]


class Market(Frame):
    seat: Public[SeatRef]


def me(t: Any, act: Any) -> Trader:
    return t.board.seats[act.actor]


def spend(t: Any, act: Any, n: int) -> None:
    t.set("TOY-MARKET-7", me(t, act).coins - n, "seats", act.actor, "coins")


def price_limit(t: Any, act: Any) -> Any:
    return (
        AtLeast("TOY-MARKET-6", act.price, facts={"price": act.price}),
        AtMost("TOY-MARKET-7", me(t, act).coins),
    )


def change_limit(t: Any, act: Any) -> Any:
    """It depends on an earlier open parameter: at most what was overpaid, and an even number of coins is left."""
    over = act.coins - act.price
    return (AtMost("TOY-MARKET-17", over), AtLeast("TOY-MARKET-17", 1))


class Buy(Action, kind="buy"):
    stall = Pick("TOY-MARKET-3", ("bread", "cloth", "relic"))
    coins = Amount("TOY-MARKET-7", price_limit, ("TOY-MARKET-6", "TOY-MARKET-7"), least=1, most=50).given(
        "sold"
    )

    @requires("TOY-MARKET-4", "stall")
    def sold(t, act):
        return act.stall in PRICES or no(stall=act.stall)

    @requires("TOY-MARKET-5", "stall")
    def member(t, act):
        return act.stall not in GUILD or no(guild=True)

    @waives("member", "TOY-MARKET-8")
    def licensed(t, act):
        return me(t, act).licence

    @waives("member", "TOY-MARKET-18")
    def known_to_the_mayor(t, act):
        return me(t, act).token

    @derived
    def price(t, act):
        WORKED_OUT.append(act.stall)
        return PRICES[act.stall]

    def resolve(self, t):
        assert self.price <= self.coins
        spend(t, self, self.coins)


WORKED_OUT: list[str] = []


class BuyWithChange(Action, kind="buy-with-change"):
    coins = Amount("TOY-MARKET-7", lambda t, act: (AtLeast("TOY-MARKET-6", 3),), ("TOY-MARKET-6",), most=9)
    change = Amount("TOY-MARKET-17", change_limit, ("TOY-MARKET-17",), most=9).given(
        "coins", depends_on=("coins",)
    )

    @derived
    def price(t, act):
        return 3

    def resolve(self, t):
        spend(t, self, self.coins - self.change)


class Alms(Action, kind="alms"):
    to = Split(
        "TOY-MARKET-9",
        lambda t, act: 4,
        lambda t, act: POOR,
        lambda t, act: (AtLeast("TOY-MARKET-10", 1, frozenset({"lame"})),),
        ("TOY-MARKET-10",),
    )

    def resolve(self, t):
        spend(t, self, 4)


def well_packed(t: Any, act: Any) -> Any:
    return (AtLeast("TOY-MARKET-12", 1, SOFT), AtMost("TOY-MARKET-12", 1, FRAGILE))


class Pack(Action, kind="pack"):
    things = Subset(
        "TOY-MARKET-11", lambda t, act: GOODS, 2, 3, limits=well_packed, limit_rules=("TOY-MARKET-12",)
    )

    def resolve(self, t):
        return None


class Row(Action, kind="row"):
    things = Subset("TOY-MARKET-11", lambda t, act: GOODS, 2, 3, ordered=True)

    def resolve(self, t):
        return None


class Knead(Action, kind="knead"):
    @requires("TOY-MARKET-14")
    def flour(t, act):
        return me(t, act).flour > 0

    def resolve(self, t):
        t.set("TOY-MARKET-13", me(t, self).flour - 1, "seats", self.actor, "flour")
        t.set("TOY-MARKET-13", me(t, self).dough + 1, "seats", self.actor, "dough")


class Oven(Action, kind="oven"):
    @requires("TOY-MARKET-15")
    def dough(t, act):
        return me(t, act).dough > 0

    def resolve(self, t):
        t.set("TOY-MARKET-13", me(t, self).dough - 1, "seats", self.actor, "dough")
        t.set("TOY-MARKET-13", me(t, self).loaves + 1, "seats", self.actor, "loaves")


class Bake(Action, kind="bake"):
    batch = Sequence(
        "TOY-MARKET-13",
        (Knead, Oven),
        least=2,
        most=4,
        limits=lambda t, act: (AtLeast("TOY-MARKET-16", 1, frozenset({"oven"})),),
        limit_rules=("TOY-MARKET-16",),
    )

    def resolve(self, t):
        type(self).batch.play(t, self, self.batch)


class Bid(Action, kind="bid"):
    coins = Amount("TOY-MARKET-2", least=1, most=MOST)

    def resolve(self, t):
        return None


class Leave(Action, kind="leave"):
    def resolve(self, t):
        t.finish("TOY-MARKET-1", [], [])
        return END


TRADES = (Buy, BuyWithChange, Alms, Pack, Row, Bake, Bid, Leave)


def opening(t: Any, frame: Any) -> Any:
    return calls(Market(seat=t.seats[0]), again=True)


class Town(Frame):
    pass


rules = ruleset("market", Board, CLAUSES, over="TOY-MARKET-1", seats=(1, 2))
rules.procedure(Town, opening, may_call=(Market,))
rules.procedure(Market, Ask("trade", lambda t, f: f.seat, TRADES, "TOY-MARKET-2", again=True))


@rules.begin(Town)
def begin(seats: Any, options: Any, figures: Any) -> Board:
    return Board({s.id: Trader() for s in seats})


@rules.check
def solvent(t: Any) -> list[Any]:
    return []


rules.close(Path(__file__).parent, "TOY-MARKET")
