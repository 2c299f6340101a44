"""Chapter 19, how the Mechanical Marquise carries out an order: battle, move, recruit (ROOT-BOT-14 to ROOT-BOT-26).

What it does is worked out here, with every tie-break; what was looked at is told to who asks for it (`Table.explain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from service.engine.control import Control
from service.engine.table import Table
from service.games.root.v1.battle import begin_battle
from service.games.root.v1.components import everything, first_answer, in_turn_order, player
from service.games.root.v1.figures import BIRD, PRINTED, figures, suit_of, suit_of_clearing
from service.games.root.v1.marquise import WARRIOR, keep_clearing
from service.games.root.v1.mechanical import RANKED, mechanical
from service.games.root.v1.modes import is_joint
from service.games.root.v1.movement import move
from service.games.root.v1.rule import ruler, rules
from service.games.root.v1.woodland import count_in, may_place, neighbours, place, warriors

ANY = "any"  # a symbol of a cost that every suit pays


def rank(clearing: str) -> int:
    """Its place in the diagram (ROOT-BOT-9)."""
    return PRINTED.clearings[clearing].rank


def selected(t: Table, seat: str) -> list[str]:
    """The clearings of the order's suit, or all for a bird, the lowest rank first (ROOT-BOT-14, ROOT-R-BOT-1)."""
    suit = suit_of(str(mechanical(t, seat).order))
    return [c for c in RANKED if suit in (BIRD, suit_of_clearing(c))]


# -- opponents (ROOT-BOT-10) --------------------------------------------------------------------------------------


def pieces_of_a_player(t: Table, seat: str, clearing: str) -> int:
    """His warriors, buildings and tokens in a clearing, and his pawn."""
    return count_in(t, seat, clearing) + sum(everything(t, "presence", seat, clearing))


def opponents_in(t: Table, seat: str, clearing: str) -> dict[str, int]:
    """How many pieces each other player has in a clearing, of those who have any."""
    found = {s: pieces_of_a_player(t, s, clearing) for s in t.seats if s != seat}
    return {s: n for s, n in found.items() if n}


# -- step 1: battle (ROOT-BOT-15 to ROOT-BOT-17) ------------------------------------------------------------------


def fight(t: Table, seat: str, clearing: str) -> Control:
    """One battle, if it has a warrior there and an opponent has a piece when the turn of the clearing comes."""
    mine, others = warriors(t, seat, clearing), opponents_in(t, seat, clearing)
    fights = mine > 0 and bool(others)
    t.explain(
        "battle",
        "ROOT-BOT-15",
        lambda: [{"value": clearing, "warriors": mine, "pieces": sum(others.values()), "chosen": fights}],
    )
    if not fights:
        return None
    defender = target(t, others)
    t.explain("defender", "ROOT-BOT-16", lambda: _defenders(t, others, defender), clearing=clearing)
    t.tell("targets", "ROOT-BOT-16", {"seat": seat, "player": defender, "clearing": clearing})
    return begin_battle(t, seat, defender, clearing)


def target(t: Table, others: Mapping[str, int]) -> str:
    """Whom it battles, of those who have so many pieces there (ROOT-BOT-16)."""
    return max(others, key=lambda s: precedence(t, s, others[s]))


def precedence(t: Table, seat: str, pieces: int) -> tuple[int, int, int]:
    """Most pieces, then most points, then the earlier place in the order of set-up (ROOT-BOT-16)."""
    points = player(t, seat).score
    return (pieces, -1 if points is None else points, -set_up_order(t).index(seat))


def set_up_order(t: Table) -> list[str]:
    """The players in the order in which their factions are set up (ROOT-SETUP-7)."""

    def place(seat: str) -> tuple[str, int]:
        letter = PRINTED.factions[str(player(t, seat).faction)].setup
        return letter, first_answer(t, "sets-up-later", seat, default=0)

    return sorted(in_turn_order(t), key=place)


def _defenders(t: Table, others: dict[str, int], chosen: str) -> list[dict[str, Any]]:
    order = set_up_order(t)
    return [
        {
            "value": s,
            "pieces": n,
            "points": player(t, s).score,
            "set_up": order.index(s) + 1,
            "chosen": s == chosen,
        }
        for s, n in others.items()
    ]


# -- step 2: move (ROOT-BOT-18 to ROOT-BOT-21) --------------------------------------------------------------------


def march(t: Table, seat: str, clearing: str) -> Control:
    """All but three of at least four warriors leave a clearing that it rules when its turn comes."""
    stay = figures(t).table["warriors-left-behind"]
    n, ruled = warriors(t, seat, clearing) - stay, rules(t, seat, clearing)
    open_ways = [
        c for c in neighbours(t, seat, clearing) if first_answer(t, "may-not-enter", seat, c) is None
    ]
    due = n > 0 and ruled
    t.explain(
        "move",
        "ROOT-BOT-18",
        lambda: [
            {
                "value": clearing,
                "warriors": n + stay,
                "ruler": ruler(t, clearing),
                "open": len(open_ways),
                "chosen": due and bool(open_ways),
            }
        ],
    )
    if not due:
        return None
    to = destination(t, seat, clearing)
    return None if to is None else move(t, "ROOT-BOT-18", seat, clearing, to, n)


def destination(t: Table, seat: str, origin: str) -> str | None:
    """The adjacent clearing with most pieces of opponents, then the lower rank; closed ones do not count."""
    near = sorted(neighbours(t, seat, origin), key=rank)
    barred = {c: first_answer(t, "may-not-enter", seat, c) for c in near}
    pieces = {c: sum(opponents_in(t, seat, c).values()) for c in near}
    to = max((c for c in near if barred[c] is None), key=lambda c: (pieces[c], -rank(c)), default=None)
    t.explain(
        "destination",
        "ROOT-BOT-19",
        lambda: [
            {"value": c, "pieces": pieces[c], "rank": rank(c), "barred_by": barred[c], "chosen": c == to}
            for c in near
        ],
        origin=origin,
    )
    return to


# -- step 3: recruit (ROOT-BOT-22 to ROOT-BOT-24) -----------------------------------------------------------------


def place_recruits(t: Table, seat: str) -> None:
    """Warriors come by the order's crafting cost, to the lower ranks first where they run short."""
    due = recruits(t, seat, figures(t).cards[str(mechanical(t, seat).order)].cost)
    left = player(t, seat).supply.get(WARRIOR, 0)
    placed = {}
    for clearing, n in due.items():
        placed[clearing] = min(n, left)
        left -= placed[clearing]
    t.explain("recruit", "ROOT-BOT-22", lambda: _recruits(t, seat, due, placed))
    for clearing, n in placed.items():
        place(t, "ROOT-BOT-22", seat, {WARRIOR: n}, clearing)


def recruits(t: Table, seat: str, cost: Sequence[str]) -> dict[str, int]:
    """How many warriors are due in which clearing, as the map stands (ROOT-BOT-24), by rank.

    As many as the cost has symbols of its suit, in clearings that it rules, or in all where it is played against
    together (ROOT-BOT-23); and at the keep, ruled or not, as many as it has symbols of any suit (ROOT-R-BOT-4).
    """
    found = {}
    for clearing in RANKED:
        n = cost.count(suit_of_clearing(clearing))
        if n and not is_joint(t) and not rules(t, seat, clearing):
            n = 0
        if clearing == keep_clearing(t):
            n += cost.count(ANY)
        if n and may_place(t, seat, clearing):
            found[clearing] = n
    return found


def _recruits(t: Table, seat: str, due: dict[str, int], placed: dict[str, int]) -> Iterable[dict[str, Any]]:
    return [
        {
            "value": c,
            "ruler": ruler(t, c),
            "due": due.get(c, 0),
            "placed": placed.get(c, 0),
            "barred_by": first_answer(t, "may-not-place", seat, c),
            "chosen": placed.get(c, 0) > 0,
        }
        for c in RANKED
    ]
