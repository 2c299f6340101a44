"""Reasons why the board and the unfinished business of the Lizard Cult cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from service.engine.frames import Frame
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.cards import Draw
from service.games.root.v1.components import Plugs, owner, player, who_plays
from service.games.root.v1.cult import (
    CULT,
    GARDENS,
    WARRIOR,
    Fear,
    cult,
    garden_of,
    gardens_that_craft,
    is_outcast,
)
from service.games.root.v1.cult_birdsong import Converting, Crusade, CultBirdsong, Sanctifying
from service.games.root.v1.cult_daylight import CultDaylight
from service.games.root.v1.cult_evening import CultEvening, draws
from service.games.root.v1.cult_setup import CultSetup, has_no_choice
from service.games.root.v1.draw_problems import Due, Dues
from service.games.root.v1.figures import CLEARING_SUITS, PRINTED, figures, suit_of, suit_of_clearing
from service.games.root.v1.removal import lost
from service.games.root.v1.setup import Game
from service.games.root.v1.state import Battle, Cult, Removal, Turn
from service.games.root.v1.woodland import (
    bag_in,
    closed_by,
    may_build,
    may_place,
    neighbours,
    on_map,
    warriors,
)

Check = Callable[[Table, Any, str, str], Iterator[Problem]]
ALL_GARDENS = frozenset(GARDENS.values())
NOTHING_REVEALED = ("begin-turn", "check-dominance", "bank", "birdsong", "warren")  # steps before Daylight


def cult_problems(t: Table) -> Iterator[Problem]:
    """The Outcast, acolytes, revealed cards, gardens on the map, and the frames of the Cult."""
    seat = who_plays(t, CULT)
    for i, frame in enumerate(t.frames):
        if (check := CHECKS.get(type(frame))) is None:
            continue
        if seat is not None:
            yield from check(t, frame, f"/stack/{i}", seat)
        elif isinstance(frame, Fear):
            yield Problem(f"/stack/{i}", say("nobody plays the Cult"), "ROOT-SETUP-1")
    board = None if seat is None else player(t, seat).cult
    if seat is not None and board is not None:
        yield from _board(t, f"/table/seats/{seat}/cult", board, seat)
        yield from _map(t, seat)


# -- the board and the map ----------------------------------------------------------------------------------------


def _board(t: Table, at: str, board: Cult, seat: str) -> Iterator[Problem]:
    for piece in board.acolytes:
        if piece != WARRIOR:
            message = say("acolytes are warriors of the Cult")
            yield Problem(f"{at}/acolytes/{piece}", message, "ROOT-CULT-4")
    if board.revealed and not _may_lie_open(t, seat):
        yield Problem(f"{at}/revealed", say("no card lies revealed now"), "ROOT-CULT-16")
    yield from _beginning(t, at, board, seat)


def _may_lie_open(t: Table, seat: str) -> bool:
    """From its Daylight to the beginning of its Evening proper cards may be revealed; a game may end in between."""
    turn: Turn | None = t.frame(Turn)
    if turn is None:
        return t.outcome is not None
    return turn.seat == seat and turn.step not in NOTHING_REVEALED and t.frame(CultEvening) is None


def _beginning(t: Table, at: str, board: Cult, seat: str) -> Iterator[Problem]:
    """There is an Outcast once the Cult has set up, and all else comes with the turns."""
    if _to_be_set_up(t, seat):
        if board.outcast is not None or any(bag_in(t, seat, c) for c in t.board.map):
            yield Problem(f"{at}/outcast", say("the Cult is still to set up"), "ROOT-SETUP-13")
    elif board.outcast is None:
        yield Problem(f"{at}/outcast", say("the Cult has no Outcast"), "ROOT-SETUP-13")
    game = t.frames[0] if t.frames else None
    before_play = isinstance(game, Game) and game.step != "play-turns"
    if before_play and (board.hated or board.acolytes or board.lost_souls):
        yield Problem(at, say("nobody has had a turn yet"), "ROOT-SETUP-13")


def _to_be_set_up(t: Table, seat: str) -> bool:
    """Whether its set-up is still to come, or going on."""
    game = t.frames[0] if t.frames else None
    if not isinstance(game, Game):
        return False
    return (
        game.step in ("deal", "seat", "deal-hands") or seat in game.waiting or t.frame(CultSetup) is not None
    )


def _map(t: Table, seat: str) -> Iterator[Problem]:
    """Gardens stand in clearings of their suit; none was ever placed at the keep."""
    for clearing, here in t.board.map.items():
        if ALL_GARDENS.isdisjoint(here):
            continue
        for suit, garden in GARDENS.items():
            if garden not in here:
                continue
            if suit_of_clearing(clearing) != suit:
                message = say("{what} stands in a clearing of its suit", what=garden)
                yield Problem(f"/table/map/{clearing}/{garden}", message, "ROOT-CULT-17")
            if closed_by(t, seat, clearing) == "ROOT-MARQ-2":
                message = say("{what} was never placed at the keep", what=garden)
                yield Problem(f"/table/map/{clearing}/{garden}", message, "ROOT-MARQ-2")


# -- frames -------------------------------------------------------------------------------------------------------


def _set_up(t: Table, f: CultSetup, at: str, seat: str) -> Iterator[Problem]:
    """It is asked for a corner where it has a choice."""
    if (f.step == "corner") == has_no_choice(t):
        message = say("the Cult is asked for a corner where it has a choice, and only there")
        yield Problem(f"{at}/step", message, "ROOT-SETUP-13")


def _battle(t: Table, f: Battle, at: str, seat: str) -> Iterator[Problem]:
    """A conspiracy's battle is fought in a clearing of the Outcast, a Crusade's where that has gone."""
    cause = t.below(f)
    if isinstance(cause, CultBirdsong) and not is_outcast(t, seat, f.clearing):
        message = say("a conspiracy's battle is fought in a clearing of the Outcast suit")
        yield Problem(f"{at}/clearing", message, "ROOT-CULT-10")
    if isinstance(cause, Crusade) and f.clearing != cause.clearing:
        message = say("the battle is fought in {clearing}", clearing=cause.clearing)
        yield Problem(f"{at}/clearing", message, "ROOT-CULT-12")


def _crusade(t: Table, f: Crusade, at: str, seat: str) -> Iterator[Problem]:
    """Its warriors came to the clearing from one of the Outcast suit next to it, and stand there until they fight."""
    came = any(is_outcast(t, seat, c) for c in neighbours(t, seat, f.clearing))
    stand = t.frame(Battle) is not None or warriors(t, seat, f.clearing) > 0
    if not (came and stand):
        yield Problem(f"{at}/clearing", say("no Crusade can have come here"), "ROOT-CULT-12")


def _converting(t: Table, f: Converting, at: str, seat: str) -> Iterator[Problem]:
    """An enemy warrior was removed from a clearing of the Outcast, where one of the Cult's can come."""
    can = is_outcast(t, seat, f.clearing) and may_place(t, seat, f.clearing)
    if not can or WARRIOR not in player(t, seat).supply or not _cleared(t, f, seat, "warrior"):
        yield Problem(f"{at}/clearing", say("nothing can have been converted here"), "ROOT-CULT-13")


def _sanctifying(t: Table, f: Sanctifying, at: str, seat: str) -> Iterator[Problem]:
    """An enemy building was removed from a clearing of the Outcast, where a garden can come."""
    can = is_outcast(t, seat, f.clearing) and may_build(t, seat, f.clearing)
    left = garden_of(f.clearing) in player(t, seat).supply
    if not (can and left and _cleared(t, f, seat, "building")):
        yield Problem(f"{at}/clearing", say("nothing can have been sanctified here"), "ROOT-CULT-14")


def _cleared(t: Table, f: Any, seat: str, kind: str) -> bool:
    """Whether the removal of this conspiracy took one such piece of another player from the clearing."""
    above = t.frames[t.index(f) + 1 :]
    cause = next((frame for frame in above if isinstance(frame, Removal)), None)
    if cause is None:
        return False
    taken = [(c, p, n) for c, bag in cause.losses.get(seat, {}).items() for p, n in bag.items()]
    if len(cause.losses) != 1 or len(taken) != 1:
        return False
    ((clearing, piece, n),) = taken
    fits = PRINTED.pieces[piece].kind == kind and owner(t, piece) not in (None, seat)
    return fits and (clearing, n) == (f.clearing, 1)


def _removal(t: Table, f: Removal, at: str, seat: str) -> Iterator[Problem]:
    """A conspiracy removes for the Cult, with its frame waiting below; in a battle there may be Revenge."""
    due = CONSPIRED.get(f.because)
    if due is not None and not any(isinstance(frame, due) for frame in t.frames[: t.index(f)]):
        yield Problem(f"{at}/because", say("no such conspiracy is on"), f.because)
    battle: Battle | None = t.frame(Battle) if f.in_battle else None
    avenged = sum(lost(t, f, WARRIOR).values()) if battle is not None and battle.defender == seat else 0
    if sum(cult(t, seat).acolytes.values()) < avenged:
        message = say("{n} warriors have just become acolytes", n=avenged)
        yield Problem(f"/table/seats/{seat}/cult/acolytes", message, "ROOT-CULT-4")


CONSPIRED: Mapping[str, type[Frame]] = {"ROOT-CULT-13": Converting, "ROOT-CULT-14": Sanctifying}


def _daylight(t: Table, f: CultDaylight, at: str, seat: str) -> Iterator[Problem]:
    """A suit has been scored no oftener than it may be, with a card among the Lost Souls and a garden on the map."""
    souls = cult(t, seat).lost_souls
    for suit in CLEARING_SUITS if f.scored else ():
        n = f.scored.count(suit)
        spent = sum(m for card, m in souls.items() if suit_of(card) == suit)
        most = min(spent, figures(t).table["scores-a-suit"]) if on_map(t, GARDENS[suit]) else 0
        if n > most:
            message = say("{suit} cannot have been scored {n} times", suit=suit, n=n)
            yield Problem(f"{at}/scored", message, "ROOT-CULT-20")


def _turn(t: Table, f: Turn, at: str, seat: str) -> Iterator[Problem]:
    """It crafts in the Evening, with no more gardens of the Outcast suit than there are."""
    if f.seat != seat or not f.activated:
        return
    able = gardens_that_craft(t, seat) if t.frame(CultEvening) is not None or t.outcome is not None else {}
    for suit, n in f.activated.items():
        if n > able.get(suit, 0):
            message = say("the Cult cannot have crafted with {n} gardens of this suit", n=n)
            yield Problem(f"{at}/activated/{suit}", message, "ROOT-CULT-1")


def _evening(t: Table, f: CultEvening, draw: Draw) -> Due:
    """As many cards as its gardens give."""
    return Due("ROOT-CULT-23", (f.seat,), draws(t))


draws_due = Dues({CultEvening: _evening})


def _fear(t: Table, f: Fear, at: str, seat: str) -> Iterator[Problem]:
    """It befalls the Cult, at most once for each garden that was removed."""
    cause = t.below(f)
    gone = sum(sum(lost(t, cause, g).values()) for g in GARDENS.values()) if isinstance(cause, Removal) else 0
    if f.seat != seat:
        message = say("{seat} does not play {faction}", seat=f.seat, faction=CULT)
        yield Problem(f"{at}/seat", message, "ROOT-CULT-6")
    elif sum(isinstance(frame, Fear) for frame in t.frames) > gone:
        yield Problem(at, say("no such garden was removed"), "ROOT-CULT-6")


CHECKS: Mapping[type[Frame], Check] = {
    Turn: _turn,
    Battle: _battle,
    CultSetup: _set_up,
    Crusade: _crusade,
    Converting: _converting,
    Sanctifying: _sanctifying,
    Removal: _removal,
    CultDaylight: _daylight,
    Fear: _fear,
}


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the checks."""
    rules.check(cult_problems)
