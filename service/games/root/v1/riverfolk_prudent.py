"""How the prudent player plays the Riverfolk, and what services are worth to him when others sell them.

Trade posts first, then cards that give points or can be exported, then warriors where posts could follow. Prices go up
with what the hand is worth. As a buyer he takes cards that fit his purse, and mercenaries where they rule or strike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.engine.action import Action
from service.engine.table import Table
from service.games.root.v1.cards import hand_size
from service.games.root.v1.components import own_warrior, player
from service.games.root.v1.figures import BIRD, CLEARINGS, figures, suit_of, suit_of_clearing
from service.games.root.v1.prudent import taste, worth_of_battle, worth_of_card
from service.games.root.v1.riverfolk import (
    HAND_CARD,
    MERCENARIES,
    RIVERBOATS,
    WARRIOR,
    SetupRiverfolk,
    company,
    funds,
)
from service.games.root.v1.riverfolk_evening import SetPrices
from service.games.root.v1.riverfolk_posts import POSTS, Establish, LoseFunds, has_post, placed
from service.games.root.v1.riverfolk_services import (
    BuyCard,
    BuyCardWithItems,
    BuyRiverboats,
    BuyRiverboatsWithItems,
    HireMercenaries,
    items_of,
    price,
    purse,
)
from service.games.root.v1.riverfolk_turn import (
    DrawForFund,
    Export,
    RiverBattle,
    RiverCraft,
    RiverMove,
    RiverRecruit,
)
from service.games.root.v1.rule import ruler, strength
from service.games.root.v1.woodland import closed_by, count_in, warriors, where

NEVER = -1.0
RESERVE = 4  # funds that are left for dividends


# -- funds: which are wanted for posts ----------------------------------------------------------------------------


def could_stand(t: Table, seat: str, clearing: str) -> bool:
    """Whether a trade post could come to a clearing, if only its ruler's funds were there."""
    suit = suit_of_clearing(clearing)
    left = placed(t, suit) < figures(t).pieces[POSTS[suit]].count
    return left and not has_post(t, clearing) and closed_by(t, seat, clearing) is None


def wanted(t: Table, seat: str) -> dict[str, int]:
    """How many funds of each owner trade posts would take now, where he rules a clearing that lacks one."""
    found: dict[str, int] = {}
    for clearing in CLEARINGS:
        who = ruler(t, clearing) if could_stand(t, seat, clearing) else None
        if who is not None:
            fund = own_warrior(t, who)
            found[fund] = found.get(fund, 0) + int(figures(t).table["trade-post-funds"])
    return found


def is_spare(t: Table, seat: str, fund: str) -> bool:
    """Whether a fund is not one of a pair for a post."""
    n = figures(t).table["trade-post-funds"]
    held = funds(t, seat).get(fund, 0)
    return fund not in wanted(t, seat) or (held % n if n else 1) > 0


def is_rich(t: Table, seat: str) -> bool:
    """Whether there are more funds than should be left for dividends."""
    return sum(funds(t, seat).values()) > RESERVE


def is_stretched(t: Table, seat: str) -> bool:
    """Whether so many own warriors stand on the map, or will with posts to come, that too few are left as funds."""
    on_map = sum(where(t, WARRIOR).values())
    to_come = sum(player(t, seat).supply.get(post, 0) for post in POSTS.values())
    return figures(t).pieces[WARRIOR].count - on_map - to_come <= RESERVE


def spare_first(t: Table, act: Any) -> float:
    """Those funds are used that are worth least for posts; foreign ones before one's own, which recruits need."""
    return 0.3 * is_spare(t, act.actor, act.fund) - 0.1 * (act.fund == WARRIOR)


# -- Daylight -----------------------------------------------------------------------------------------------------


def worth_of_post(t: Table, act: Any) -> float:
    """Two points each time: before all else, safest where fewest enemies stand."""
    others = sum(n for s, n in strength(t, act.clearing).items() if s != act.actor)
    return 30 - others / 2


def worth_of_exporting(t: Table, act: Any) -> float:
    """What gives no points, where funds are few."""
    card = figures(t).cards[act.card]
    few = sum(funds(t, act.actor).values()) < 5
    return 2.0 if few and card.kind != "favor" and not card.points and len(card.cost) == 1 else NEVER


def worth_of_drawing(t: Table, act: Any) -> float:
    """Cards are goods: one at least, some with funds that are spare."""
    goods = hand_size(t, act.actor)
    return 3.5 - goods + spare_first(t, act) if not goods or (goods < 4 and is_rich(t, act.actor)) else NEVER


def worth_of_recruiting(t: Table, act: Any) -> float:
    """To where a warrior would bring rule for a post, or where fewest stand."""
    if not is_spare(t, act.actor, act.fund) or is_stretched(t, act.actor):
        return NEVER
    there = strength(t, act.clearing)
    others = max((n for s, n in there.items() if s != act.actor), default=0)
    gains = there[act.actor] + 1 > others and ruler(t, act.clearing) != act.actor
    few = warriors(t, act.actor, act.clearing) < 3
    return 2 * gains + few + spare_first(t, act) if gains or few else NEVER


def worth_of_moving(t: Table, act: Any) -> float:
    """To rule one more clearing in which a post could stand, out of one that needs nobody."""
    if not is_spare(t, act.actor, act.fund):
        return NEVER
    there = strength(t, act.to)
    others = max((n for s, n in there.items() if s != act.actor), default=0)
    gains = ruler(t, act.to) != act.actor and there[act.actor] + act.warriors > others
    loses = ruler(t, act.from_) == act.actor and count_in(t, act.actor, act.from_, "token") > 0
    good = gains and could_stand(t, act.actor, act.to) and not loses
    return 2 + spare_first(t, act) + taste(t, act.actor, act.to) / 2 if good else NEVER


def worth_of_fighting(t: Table, act: Any) -> float:
    """As for anyone, with a fund that is spare."""
    fine = is_rich(t, act.actor) and is_spare(t, act.actor, act.fund)
    return worth_of_battle(t, act) - 2 + spare_first(t, act) if fine else NEVER


# -- services -----------------------------------------------------------------------------------------------------


def worth_of_card_for_sale(t: Table, act: Any) -> float:
    """Points and birds, against the price, for who can spare it."""
    printed = figures(t).cards[act.card]
    good = 1 + 1.5 * printed.points + (suit_of(act.card) == BIRD) + 0.5 * (printed.kind == "persistent")
    cost = price(t, HAND_CARD)
    rich = purse(t, act.actor) >= 2 * cost + 2
    return good + taste(t, act.actor, act.card) - cost if rich else NEVER


def worth_of_boats(t: Table, act: Any) -> float:
    """Seldom: where they are cheap, and by fancy."""
    rich = purse(t, act.actor) >= price(t, RIVERBOATS) + 3
    return 2.5 * taste(t, act.actor, f"boats{t.state.turn // 40}") - price(t, RIVERBOATS) if rich else NEVER


def worth_of_mercenaries(t: Table, act: Any) -> float:
    """By the clearings that they would come to rule, and those in which there is something to topple."""
    seat, owner = act.actor, str(company(t))
    gains = 0
    for clearing in CLEARINGS:
        n = warriors(t, owner, clearing)
        there = strength(t, clearing)
        others = max((k for s, k in there.items() if s not in (seat, owner)), default=0)
        gains += bool(n) and ruler(t, clearing) != seat and there[seat] + n > others
    rich = purse(t, seat) >= price(t, MERCENARIES) + 3
    return gains - price(t, MERCENARIES) + taste(t, seat, "mercenaries") if rich else NEVER


WORTH: Mapping[type[Action], Callable[[Table, Any], float]] = {
    Establish: worth_of_post,
    RiverCraft: worth_of_card,
    Export: worth_of_exporting,
    DrawForFund: worth_of_drawing,
    RiverRecruit: worth_of_recruiting,
    RiverMove: worth_of_moving,
    RiverBattle: worth_of_fighting,
    SetPrices: lambda t, act: 0.5,
    BuyCard: worth_of_card_for_sale,
    BuyCardWithItems: lambda t, act: worth_of_card_for_sale(t, act) - 0.5,
    BuyRiverboats: worth_of_boats,
    BuyRiverboatsWithItems: worth_of_boats,
    HireMercenaries: worth_of_mercenaries,
}


def worth(t: Table, act: Action) -> float | None:
    """The worth of an action of the Riverfolk, or of a service bought from them."""
    fn = WORTH.get(type(act))
    return None if fn is None else fn(t, act)


# -- open parameters ----------------------------------------------------------------------------------------------


def prudent_prices(t: Table, seat: str) -> dict[str, int]:
    """Cards dear while there are many in the hand, the rest as fancy has it."""
    highest = figures(t).table["highest-price"]
    goods = hand_size(t, seat)
    wish = {
        HAND_CARD: 1 + (goods > 3),
        RIVERBOATS: 1,
        MERCENARIES: 1 + int(2 * taste(t, seat, "mercenaries")),
    }
    return {service: min(highest, n) for service, n in wish.items()}


def cheapest(t: Table, seat: str, held: Mapping[str, int], n: int) -> dict[str, int]:
    """So many funds, those first that no post wants, one's own last."""
    posts = wanted(t, seat)
    one_by_one = [fund for fund in sorted(held) for _ in range(held[fund])]
    found: dict[str, int] = {}
    for fund in sorted(one_by_one, key=lambda f: (f in posts, f == WARRIOR))[:n]:
        found[fund] = found.get(fund, 0) + 1
    return found


def filled_in(t: Table, act: Any) -> Action | None:
    """Funds that are wanted least, prices, all warriors but one, and items by how many there are of them."""
    if isinstance(act, SetupRiverfolk | SetPrices):
        return act.extended("prices", prudent_prices(t, act.actor))
    if isinstance(act, RiverCraft | Export | LoseFunds):
        held, n = funds(t, act.actor), sum(act.funds.values())
        return act.extended("funds", cheapest(t, act.actor, held, n))
    if isinstance(act, RiverMove):
        there = warriors(t, act.actor, act.from_)
        return act.extended("warriors", there - 1 if there > 1 else 1)
    if isinstance(act, BuyCardWithItems | BuyRiverboatsWithItems):
        held, chosen = items_of(t, act.actor), dict[str, int]()
        for item in sorted((i for i in held for _ in range(held[i])), key=lambda i: (-held[i], i)):
            if sum(chosen.values()) < sum(act.items.values()):
                chosen[item] = chosen.get(item, 0) + 1
        return act.extended("items", chosen)
    return None
