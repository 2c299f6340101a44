"""The prudent player: bids only what it can pay, buys what pays back, and looks at nothing that its seat may not see.

It weighs every option by a rough worth in energy and takes the best. Its taste (what it fancies, how far it bids)
follows from the game and the seat, so that games differ and yet are repeated exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from zlib import crc32

from service.engine.action import Action
from service.engine.options import options
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.auctions import net_price
from service.games.zavandor.v1.components import player
from service.games.zavandor.v1.energy import means, sale_value
from service.games.zavandor.v1.figures import figures
from service.games.zavandor.v1.gems import active_gems, capacity
from service.games.zavandor.v1.income import opal_dust
from service.games.zavandor.v1.scoring import sentinel_bonus, sold
from service.games.zavandor.v1.state import Player

CONSIDERED = (
    "buy-gem", "move-gem", "buy-token", "advance", "start-auction", "end-turn", "bid", "pass", "pay",
    "advance-free", "take-steps", "decline", "take-token", "lose-gem", "place-gem", "discard",
)  # fmt: skip
LATE = 14


def taste(t: Table, seat: str, what: str) -> float:
    """A fancy between 0 and 1 that stays the same for a whole game."""
    return crc32(f"{t.state.game_id}/{seat}/{what}".encode()) % 1000 / 1000


def liquid(t: Table, seat: str) -> int:
    """What can be paid without selling a gem."""
    p, f = player(t, seat), figures(t)
    gems = [(g, n) for place in (p.active, p.inactive) for g, n in place.items()]
    return means(t, seat) - sum(sale_value(f, p, g) * n for g, n in gems)


def yield_of(t: Table, p: Player, gem: str) -> float:
    """Energy a round from one more active gem of this kind."""
    f = figures(t)
    colour = f.gems[gem].colour
    if colour is None:
        opals = p.active.get("opal", 0)
        return opal_dust(t, opals + 1) - opal_dust(t, opals)
    return f.concentrated[colour].value / f.table["cards-per-concentrated"]


def rounds_left(t: Table) -> int:
    """A guess at the rounds that an investment still has."""
    return max(2, 9 - 2 * sold(t) - t.board.round // 4)


# -- the worth of each kind of action ------------------------------------------------------------------------------


def worth_of_gem(t: Table, act: Any) -> float:
    """A gem that pays back, on a free active place, and paid without selling another."""
    if act.place != "active" or "gems" in act.payment:
        return -1
    p = player(t, act.actor)
    return 40 + yield_of(t, p, act.gem) * rounds_left(t) - act.price


def worth_of_move(t: Table, act: Any) -> float:
    """Up to a free place; down only to make room for a better gem that can be bought at once."""
    p = player(t, act.actor)
    if act.to == "active":
        return 20
    if active_gems(p) < capacity(t, p) or act.gem != "opal":
        return -1
    buys: Iterator[Any] = (o.act for o in options(t, act.actor, kinds=("buy-gem",)))
    richer = any(buy.gem in ("diamond", "ruby", "emerald") and "gems" not in buy.payment for buy in buys)
    return 25 if richer else -1


def fancy(t: Table, seat: str, card: str) -> float:
    """What a card is worth to a seat, in energy."""
    f, p = figures(t), player(t, seat)
    if card in f.sentinels:
        return 120 + 6 * sentinel_bonus(t, p, card) + 40 * taste(t, seat, card) + 4 * t.board.round
    worth = f.artifacts[card].least_bid * (1.0 + 0.6 * taste(t, seat, card))
    return worth if p.artifacts.get(card, 0) < 2 else worth / 2


def affordable(t: Table, seat: str, card: str, bid: int) -> bool:
    """Whether the net price can be paid; late in the game also by selling gems for a sentinel."""
    price = net_price(t, seat, card, bid)
    purse = means(t, seat) if card in figures(t).sentinels and t.board.round > LATE else liquid(t, seat)
    return price <= purse


def worth_of_auction(t: Table, act: Any) -> float:
    """Cards that are worth more than they cost, sentinels first."""
    if not affordable(t, act.actor, act.card, act.bid):
        return -1
    more = fancy(t, act.actor, act.card) - net_price(t, act.actor, act.card, act.bid)
    return 60 + more if act.card in figures(t).sentinels else 30 + more


def worth_of_bid(t: Table, act: Any) -> float:
    """As long as the card is worth it and can be paid."""
    card = act.frame.card
    wanted = act.amount <= fancy(t, act.actor, card) and affordable(t, act.actor, card, act.amount)
    return 1 if wanted else -1


def worth_of_advance(t: Table, act: Any) -> float:
    """Cheap stages, and the favourite tracks."""
    if "gems" in act.payment or act.price * 2 > liquid(t, act.actor):
        return -1
    return 15 * taste(t, act.actor, act.track) + 12 - act.price / 2


def worth_of_token(t: Table, act: Any) -> float:
    """One at a time, when there is energy to spare."""
    p = player(t, act.actor)
    spare = liquid(t, act.actor) - act.price
    return (
        6 * taste(t, act.actor, "tokens") if not p.bought and spare > 10 and "gems" not in act.payment else -1
    )


WORTH: Mapping[str, Callable[[Table, Any], float]] = {
    "buy-gem": worth_of_gem,
    "move-gem": worth_of_move,
    "start-auction": worth_of_auction,
    "bid": worth_of_bid,
    "advance": worth_of_advance,
    "buy-token": worth_of_token,
    "advance-free": lambda t, act: 1 + taste(t, act.actor, act.track),
    "take-steps": lambda t, act: 1,
    "take-token": lambda t, act: 1 + act.token,
    "lose-gem": lambda t, act: 1 - figures(t).gems[act.gem].price / 100,
    "place-gem": lambda t, act: 2 if act.place == "active" else 1,
}


def decide(t: Table, seat: str) -> Action | None:
    """The option with the best worth; ending the turn, passing, declining and what must be done are worth nothing."""
    best: tuple[float, Action] | None = None
    for option in options(t, seat, kinds=CONSIDERED):
        worth = WORTH.get(option.act.kind, lambda t, act: 0.0)(t, option.act)
        if best is None or worth > best[0]:
            best = (worth, option.act)
    return best[1] if best else None


def declare(rules: Ruleset) -> None:
    """Register the player."""
    rules.automate(decide)
