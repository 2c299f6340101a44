"""Chapter 15, the Woodland Alliance: supporters, Guerrilla War, set-up (ROOT-WA-1 to ROOT-WA-3, ROOT-SETUP-11).

What others bring about in their turns (Outrage, the loss of a base) and its own turn have modules of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.cards import Draw, spend
from service.games.root.v1.components import Plugs, first_answer, limited, player, who_plays
from service.games.root.v1.figures import CLEARINGS, PRINTED, figures, matches, pieces_of, suit_of_clearing
from service.games.root.v1.state import Alliance, Battle
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import on_map, place

ALLIANCE = "alliance"
WARRIOR = "alliance-warrior"
SYMPATHY = "sympathy"
BASES: Mapping[str, str] = {str(PRINTED.pieces[b].suit): b for b in pieces_of(ALLIANCE, "building")}


def alliance(t: Table, seat: str) -> Alliance:
    """The Alliance's board; for a player of another faction, who may ask, an empty one."""
    return player(t, seat).alliance or Alliance()


def officers(t: Table, seat: str) -> int:
    """How many officers it has."""
    return sum(alliance(t, seat).officers.values())


# -- bases and sympathy -------------------------------------------------------------------------------------------


def bases_on_map(t: Table) -> list[str]:
    """The suits of its bases on the map."""
    return [suit for suit, base in BASES.items() if on_map(t, base)]


def is_sympathetic(t: Table, clearing: str) -> bool:
    """Whether a sympathy token lies there (ROOT-WA-3)."""
    return SYMPATHY in t.board.map[clearing]


def sympathetic(t: Table, suit: str | None = None) -> list[str]:
    """All sympathetic clearings, or those of a suit."""
    return [c for c in CLEARINGS if is_sympathetic(t, c) and suit in (None, suit_of_clearing(c))]


def next_token(t: Table) -> int:
    """Which sympathy token the next one is, counting those on the map with it (ROOT-WA-17, ROOT-WA-19)."""
    return on_map(t, SYMPATHY) + 1


def spread_to(t: Table, because: str, seat: str, clearing: str) -> None:
    """The next sympathy token goes to a clearing, and the space that it uncovers gives points (ROOT-WA-19)."""
    points = figures(t).pieces[SYMPATHY].points[next_token(t) - 1]
    place(t, because, seat, {SYMPATHY: 1}, clearing)
    score(t, "ROOT-WA-19", seat, points)


def commission(t: Table, because: str, seat: str) -> None:
    """A warrior of the supply becomes an officer, if there is one (ROOT-GEN-4)."""
    bag = limited({WARRIOR: 1}, player(t, seat).supply)
    t.moved(because, bag, ("seats", seat, "supply"), ("seats", seat, "alliance", "officers"))


# -- supporters (ROOT-WA-2) ---------------------------------------------------------------------------------------


def supporters(t: Table, seat: str) -> Mapping[str, int]:
    """The cards of the stack, which only the Alliance knows (ROOT-INFO-4)."""
    return alliance(t, seat).supporters


def stack_size(t: Table, seat: str) -> int:
    """How many supporters there are, which everyone sees."""
    return sum(supporters(t, seat).values())


def is_full(t: Table, seat: str) -> bool:
    """Without a base on the map the stack holds five (ROOT-WA-2)."""
    return not bases_on_map(t) and stack_size(t, seat) >= figures(t).table["supporters-without-base"]


def stack(seat: str) -> tuple[str, ...]:
    """Where the supporters lie."""
    return ("seats", seat, "alliance", "supporters")


def gain(t: Table, because: str, overflow: str, card: str, *source: str) -> None:
    """A card becomes a supporter; what a full stack cannot hold is discarded instead, by the clause `overflow`."""
    seat = str(who_plays(t, ALLIANCE))
    if is_full(t, seat):
        t.moved(overflow, {card: 1}, source, first_answer(t, "discard-to", card))
    else:
        t.moved(because, {card: 1}, source, stack(seat))


def drawn_as_supporter(t: Table, f: Draw, card: str) -> tuple[str, ...] | None:
    """A drawn supporter goes to the stack, or, if that is full, where discarded cards go (ROOT-WA-2)."""
    if f.to != "supporters" or f.seat != who_plays(t, ALLIANCE):
        return None
    found: tuple[str, ...] = first_answer(t, "discard-to", card) if is_full(t, f.seat) else stack(f.seat)
    return found


def spend_supporters(t: Table, because: str, seat: str, cards: Mapping[str, int]) -> None:
    """Supporters are spent one by one, each to where discarded cards go."""
    for card in sorted(cards):
        for _ in range(cards[card]):
            spend(t, because, seat, card, "alliance", "supporters")


def not_matching(cards: Mapping[str, int], suit: str) -> frozenset[str]:
    """The cards that do not count as one of the suit; birds do (ROOT-CARD-2)."""
    return frozenset(c for c in cards if not matches(c, suit))


def good_for_suits_only(t: Table, seat: str, card: str) -> str | None:
    """A supporter is no card of the hand: it is not crafted, played or discarded for anything else (ROOT-WA-2)."""
    if seat != who_plays(t, ALLIANCE) or card not in supporters(t, seat):
        return None
    return "ROOT-WA-2"


def into_the_stack(t: Table, seat: str) -> list[str]:
    """The Alliance draws supporters, too."""
    return ["supporters"] if seat == who_plays(t, ALLIANCE) else []


ONE_A_CLEARING = {SYMPATHY: "ROOT-WA-3"}  # no clearing holds two sympathy tokens


# -- Guerrilla War ------------------------------------------------------------------------------------------------


def guerrilla_war(t: Table, f: Battle) -> str | None:
    """As defender the Alliance has the higher roll (ROOT-BATTLE-11)."""
    return "ROOT-BATTLE-11" if f.defender == who_plays(t, ALLIANCE) else None


# -- set-up (ROOT-SETUP-11) ---------------------------------------------------------------------------------------


class AllianceSetup(Frame, kw_only=True):
    """The Alliance sets up: supporters, and nothing on the map."""

    seat: Public[SeatRef]


def first_supporters(t: Table, f: AllianceSetup) -> Control:
    """Three cards of the deck."""
    n = figures(t).table["supporters-at-setup"]
    return Draw(seat=f.seat, left=n, because="ROOT-SETUP-11", to="supporters")


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(AllianceSetup, first_supporters, may_call={"first-supporters": (Draw,)})
