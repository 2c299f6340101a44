"""How the prudent player plays a Vagabond: items first, then friends and quests; he fights where it pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from service.engine.action import Action
from service.engine.table import Table
from service.games.root.v1.components import player
from service.games.root.v1.figures import (
    CLEARINGS,
    FORESTS,
    PRINTED,
    REFERENCES,
    figures,
    kind_of,
    suit_of,
    suit_of_clearing,
)
from service.games.root.v1.hits import AssignHits, battle_of
from service.games.root.v1.prudent import taste
from service.games.root.v1.vagabond import ALLIED, HOSTILE, pawn_of, relation
from service.games.root.v1.vagabond_aid import Aid, TakeItem
from service.games.root.v1.vagabond_battle import EnlistArbiter, FightWithAlly, VagabondBattle
from service.games.root.v1.vagabond_coalition import FormCoalition
from service.games.root.v1.vagabond_deeds import DoQuest, Repair, Strike, VagabondCraft, completed
from service.games.root.v1.vagabond_items import (
    DAMAGED,
    READY,
    UNDAMAGED,
    ArrangeItems,
    count_kind,
    is_vagabond,
    items_in,
    references_in,
    undamaged_swords,
    vagabond,
)
from service.games.root.v1.vagabond_move import MoveWithAlly, PawnCobbler, Slip, VagabondMove, is_ally
from service.games.root.v1.vagabond_ruins import Explore, TakeRuinItem, known_there, may_keep, who_knows
from service.games.root.v1.vagabond_setup import SetupVagabond
from service.games.root.v1.vagabond_specials import DayLabor, Hideout, Instigate, ScorchedEarth, Steal
from service.games.root.v1.vagabond_turn import DiscardItems, Refresh
from service.games.root.v1.woodland import count_in, is_present, warriors

NEVER = -1.0
DEAR = ("sword", "torch", "boots", "hammer", "tea", "coin", "crossbow", "bag")  # the dearest first
BEHIND = 20
FARTHER = 0.8


def dear(item: str) -> float:
    """How dear an item is, between 0 and 1."""
    return 1 - DEAR.index(kind_of(item)) / len(DEAR)


def need_for(t: Table, seat: str, item: str) -> float:
    """How much another of its kind helps: the less, the more there are."""
    return dear(item) + 1.5 / (1 + count_kind(t, seat, kind_of(item), *UNDAMAGED))


# -- where to go --------------------------------------------------------------------------------------------------


def charm(t: Table, seat: str, place: str) -> float:
    """What a clearing has to offer: a ruin, a quest that he can do, somebody to help or to rob of points."""
    if place in FORESTS:
        hurt = sum(items_in(t, seat, *DAMAGED).values())
        return 3.0 * hurt if hurt > sum(items_in(t, seat, *UNDAMAGED).values()) else NEVER
    torch = count_kind(t, seat, "torch", *READY) > 0
    ruin = 6.0 * (torch and is_promising(t, seat, place))
    quests = [q for q in t.board.quests if PRINTED.quests[q].suit == suit_of_clearing(place)]
    done = [4.0 + completed(t, seat, PRINTED.quests[q].suit) for q in quests if can_do(t, seat, q)]
    friends = sum(
        1.0 for s in t.seats if s != seat and is_present(t, s, place) and relation(t, seat, s) != HOSTILE
    )
    return ruin + max(done, default=0.0) + friends + quarry(t, seat, place)


def is_promising(t: Table, seat: str, place: str) -> bool:
    """Whether a ruin stands there in which he does not know that nothing is for him (ROOT-VAG2-4)."""
    known = known_there(t, place)
    knows = seat in who_knows(known)
    return place in t.board.ruins and (not knows or any(may_keep(t, seat, item) for item in known.cards()))


def can_do(t: Table, seat: str, quest: str) -> bool:
    """Whether he has the items for a quest."""
    return all(count_kind(t, seat, i, *READY) >= n for i, n in figures(t).quests[quest].items.items())


def quarry(t: Table, seat: str, place: str) -> float:
    """Points that a battle could bring there: buildings and tokens that nobody guards, and the Hostile."""
    swords = undamaged_swords(t, seat) if count_kind(t, seat, "sword", *READY) else 0
    return (
        max((spoils(t, seat, s, place, swords) for s in t.seats if s != seat), default=0.0) if swords else 0.0
    )


def spoils(t: Table, seat: str, other: str, place: str, swords: int) -> float:
    """What fighting another player there is worth, against what it may cost."""
    guards, rest = warriors(t, other, place), count_in(t, other, place, "building", "token")
    if is_vagabond(t, other) or not guards + rest or is_ally(t, seat, other):
        return NEVER
    hostile = relation(t, seat, other) == HOSTILE
    taken = min(swords, guards)
    gained = min(swords + (not guards) - taken, rest) * (2 if hostile else 1) + taken * hostile
    return gained - 0.7 * min(guards, 3) - (1.0 if guards and not hostile else 0.0)


@cache
def distances(place: str) -> Mapping[str, int]:
    """How many moves every clearing is from a place, by paths; nobody moves into a forest (ROOT-VAG-21)."""
    found, edge = {place: 0}, [place]
    while edge:
        at = edge.pop(0)
        borders = PRINTED.forests[at].clearings if at in FORESTS else PRINTED.clearings[at].paths
        for c in (c for c in borders if c not in found):
            found[c] = found[at] + 1
            edge.append(c)
    return found


def prospects(charms: Mapping[str, float], place: str) -> float:
    """The charm of a place, or of the best that can be reached from it: a fifth less for every move."""
    return max(charms[c] * FARTHER**n for c, n in distances(place).items())


def worth_of_going(t: Table, act: Any) -> float:
    """Where the prospects are better than here; boots are cheap."""
    here = pawn_of(t, act.actor)
    charms = {c: charm(t, act.actor, c) for c in dict.fromkeys((*CLEARINGS, here, act.to))}
    return prospects(charms, act.to) - prospects(charms, here) - 0.5


def worth_of_company(t: Table, act: Any) -> float:
    """Whether allies come along is a matter of taste."""
    return worth_of_going(t, act) + taste(t, act.actor, act.ally) - 0.5


# -- what to do there ---------------------------------------------------------------------------------------------


def worth_of_battle(t: Table, act: Any) -> float:
    """Where it brings points."""
    gain = spoils(t, act.actor, act.defender, pawn_of(t, act.actor), undamaged_swords(t, act.actor))
    return 4 + gain if gain > 0 else NEVER


def worth_of_aid(t: Table, act: Any) -> float:
    """Friends on the way to be allies, and whoever has an item to give; by items and cards that are worth little."""
    if is_vagabond(t, act.player):
        return NEVER
    now = str(relation(t, act.actor, act.player))
    needed = figures(t).relationships[now].aids_to_next
    given = act.frame.aids.get(str(player(t, act.player).faction), 0) + 1
    close = now == ALLIED or (needed is not None and given >= needed)
    gain = 3.0 * close + 4.0 * bool(player(t, act.player).items) + 0.5 * (needed is not None)
    return gain + 3 - dear(act.item) - 0.3 * (suit_of(act.card) == "bird") if gain > 2 else NEVER


def worth_of_quest(t: Table, act: Any) -> float:
    """Points, unless they are few."""
    points = completed(t, act.actor, PRINTED.quests[act.quest].suit) + 1
    return 12.0 + points if (act.reward == "points") == (points > 1) else 11.0


def worth_of_strike(t: Table, act: Any) -> float:
    """Whatever gives a point; no warrior, which would only make an enemy."""
    return 6.0 if PRINTED.pieces[act.piece].kind != "warrior" else NEVER


def worth_of_instigating(t: Table, act: Any) -> float:
    """Others against each other, where something falls."""
    here = pawn_of(t, act.actor)
    if act.actor in (act.attacker, act.defender):
        return NEVER
    return (
        3.0
        if count_in(t, act.defender, here, "building", "token") > warriors(t, act.defender, here)
        else NEVER
    )


def worth_of_burning(t: Table, act: Any) -> float:
    """Once, where much burns."""
    here = pawn_of(t, act.actor)
    rest = sum(count_in(t, s, here, "building", "token") for s in t.seats if s != act.actor)
    return 5.0 if rest > 2 else NEVER


def worth_of_hiding(t: Table, act: Any) -> float:
    """When nothing else is left, and enough is damaged."""
    hurt = sum(items_in(t, act.actor, *DAMAGED).values())
    return 1.0 if hurt > 1 else NEVER


def worth_of_arranging(t: Table, act: Any) -> float:
    """What has a track lies on it."""
    return 15.0 if act.to == "track" else NEVER


def worth_of_joining(t: Table, act: Any) -> float:
    """Only when one is far behind somebody, and the partner is not."""
    best = max((p.score or 0 for p in t.board.seats.values()), default=0)
    return 2.0 if best > BEHIND and (player(t, act.actor).score or 0) < best / 2 else NEVER


WORTH: Mapping[type[Action], Callable[[Table, Any], float]] = {
    SetupVagabond: lambda t, act: taste(t, act.actor, act.character) + taste(t, act.actor, act.forest),
    Slip: worth_of_going,
    VagabondMove: worth_of_going,
    MoveWithAlly: worth_of_company,
    PawnCobbler: worth_of_going,
    VagabondBattle: worth_of_battle,
    FightWithAlly: lambda t, act: 1.0,
    EnlistArbiter: lambda t, act: 1.0 if is_helped(t, act) else NEVER,
    Explore: lambda t, act: 14.0 if is_promising(t, act.actor, pawn_of(t, act.actor)) else NEVER,
    TakeRuinItem: lambda t, act: 1 + need_for(t, act.actor, act.item),
    TakeItem: lambda t, act: 1 + need_for(t, act.actor, act.item),
    Aid: worth_of_aid,
    DoQuest: worth_of_quest,
    Strike: worth_of_strike,
    Repair: lambda t, act: 2 + dear(REFERENCES[act.item][1]),
    VagabondCraft: lambda t, act: 13.0 + figures(t).cards[act.card].points,
    Steal: lambda t, act: 2.0,
    DayLabor: lambda t, act: 2.0 + figures(t).cards[act.card].points,
    Hideout: worth_of_hiding,
    Instigate: worth_of_instigating,
    ScorchedEarth: worth_of_burning,
    FormCoalition: worth_of_joining,
    ArrangeItems: worth_of_arranging,
}


def is_helped(t: Table, act: Any) -> bool:
    """Whether the Arbiter's swords could raise what the defender deals."""
    f = battle_of(t)
    return undamaged_swords(t, act.frame.arbiter) > 0 and warriors(t, act.actor, f.clearing) < 3


def worth(t: Table, act: Action) -> float | None:
    """The worth of an action of a Vagabond, or of one that he makes others take."""
    fn = WORTH.get(type(act))
    return None if fn is None else fn(t, act)


# -- which items --------------------------------------------------------------------------------------------------


def chosen(held: Mapping[str, int], n: int, worth_of: Callable[[str], float]) -> dict[str, int]:
    """So many references, those with the least worth."""
    one_by_one = [ref for ref in sorted(held) for _ in range(held[ref])]
    found: dict[str, int] = {}
    for ref in sorted(one_by_one, key=worth_of)[:n]:
        found[ref] = found.get(ref, 0) + 1
    return found


def loss(ref: str) -> float:
    """How sad it is to lose an item: exhausted ones are missed least, those on a track and swords most."""
    spot, item = REFERENCES[ref]
    return (
        dear(item) + 0.6 * (spot == "track") - 0.4 * spot.endswith("down") - 1.5 * spot.startswith("damaged")
    )


def filled_in(t: Table, act: Any) -> Action | None:
    """Items to refresh, to repair, to lose and to throw away; everything that has a track goes there."""
    seat = act.actor
    if isinstance(act, Refresh | Hideout):
        due = [spot for spot in vagabond(t, seat).items if is_due(act, spot)]
        held, n = references_in(t, seat, *due), sum(act.items.values())
        return act.extended("items", chosen(held, n, lambda ref: -need_for(t, seat, REFERENCES[ref][1])))
    if isinstance(act, DiscardItems):
        spots = ("satchel-up", "satchel-down", *DAMAGED)
        return act.extended("items", chosen(references_in(t, seat, *spots), sum(act.items.values()), loss))
    if isinstance(act, AssignHits) and is_vagabond(t, seat):
        held, n = references_in(t, seat, *UNDAMAGED), sum(act.pieces.values())
        return act.extended("pieces", chosen(held, n, loss)) if sum(held.values()) >= n else None
    return None


def is_due(act: Any, spot: str) -> bool:
    """Whether what lies there can be refreshed, or repaired."""
    return spot.endswith("down") if isinstance(act, Refresh) else spot in DAMAGED
