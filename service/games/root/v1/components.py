"""Who plays what, and what each has: the questions that every chapter asks (ROOT-COMP-1 to ROOT-COMP-8)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from service.engine.action import Action
from service.engine.control import Control, calls
from service.engine.frames import Ask, Frame, Free
from service.engine.ruleset import Problem, Ruleset, SetupSeat
from service.engine.state import State
from service.engine.table import Table
from service.games.root.v1.figures import (
    DOMINANCES,
    FAVORS,
    PRINTED,
    SOLO,
    SPIES,
    VIZIER,
    Figures,
    pieces_of,
    played_by,
)
from service.games.root.v1.state import Player, Turn


def no_crafting(t: Table, seat: str) -> Mapping[str, int]:
    """What a faction has that crafts without pieces on the map."""
    return {}


@dataclass(frozen=True)
class Faction:
    """How a faction plugs in: the frames of its set-up and of the three phases of its turn (all with a `seat`).

    `crafting(t, seat)`: its crafting pieces on the map by suit, those already activated included;
    `more`: other frames that stand on the stack in its own turn alone.
    """

    id: str
    setup: type[Frame]
    birdsong: type[Frame]
    daylight: type[Frame]
    evening: type[Frame]
    crafting: Callable[[Table, str], Mapping[str, int]] = no_crafting
    more: tuple[type[Frame], ...] = ()

    def of(self, t: Table, seat: str) -> Faction | None:
        """This faction, if the seat plays it: what the hook `faction` asks."""
        return self if player(t, seat).faction == self.id else None


Bags = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Totals:
    """What there is in all of some pieces: the facts of a state that decide it, and what there is where they hold.

    Facts are hashable, and few states of a game differ in them.
    """

    facts: Callable[[State[Any, Any]], Hashable]
    of: Callable[[Figures, Any], Bags]


Wishes = Callable[[Sequence[SetupSeat], Any], Iterable[Problem]]


@dataclass(frozen=True)
class Plugs:
    """What factions plug in besides functions: themselves, and frames and actions that others' procedures call."""

    factions: tuple[Faction, ...]
    takes_hits: tuple[type[Action], ...]  # how sides take hits
    after_hits: tuple[type[Frame], ...] = ()  # what taking hits can bring about besides a removal
    after_move: tuple[type[Frame], ...] = ()
    after_removal: tuple[type[Frame], ...] = ()
    before_roll: tuple[type[Frame], ...] = ()
    after_battle: tuple[type[Frame], ...] = ()
    before_ambush: tuple[type[Frame], ...] = ()
    in_turn: Free | None = None  # what is free at any time of a turn
    in_daylight: tuple[type[Action], ...] = ()  # further free actions of Daylight
    from_daylight: tuple[type[Frame], ...] = ()  # and what they call
    birdsong_windows: tuple[Ask, ...] = ()  # windows at the start of Birdsong
    evening_windows: tuple[Ask, ...] = ()  # further windows at the start of Evening
    dealt: tuple[type[Frame], ...] = ()  # what is dealt at set-up besides hands
    wishes: tuple[Wishes, ...] = ()  # what is said to further wishes of seats at set-up
    totals: tuple[Totals, ...] = ()  # what there is in all besides what every game has
    one_a_clearing: Mapping[str, str] = field(
        default_factory=dict
    )  # such pieces, with the clause that says so


def player(t: Table, seat: str) -> Player:
    """What a seat has."""
    found: Player = t.board.seats[seat]
    return found


def faction_of(t: Table, seat: str) -> Faction:
    """The faction that a seat plays."""
    found: Faction = t.rules.run_hook("faction", t, seat)
    return found


def who_plays(t: Table, faction: str) -> str | None:
    """The (first) seat that plays a faction; None where it is not in the game."""
    for seat, p in t.board.seats.items():
        if p.faction == faction:
            return str(seat)
    return None


def owner(t: Table, piece: str) -> str | None:
    """The seat whose piece this is: that of its faction, or of who borrows it."""
    factions = played_by(piece)
    for seat, p in t.board.seats.items():
        if p.faction in factions:
            return str(seat)
    return None


def own_warrior(t: Table, seat: str) -> str:
    """The id of a player's warriors."""
    (warrior,) = pieces_of(str(player(t, seat).faction), "warrior")
    return warrior


def in_turn_order(t: Table, first: str | None = None) -> list[str]:
    """All seats clockwise, from `first` (default: the first player) on."""
    order = list(t.board.order or t.seats)
    at = order.index(first) if first in order else 0
    return order[at:] + order[:at]


def turn_player(t: Table) -> str:
    """Whose turn it is; before the first turn, the first player."""
    turn = t.frame(Turn)
    return in_turn_order(t)[0] if turn is None else turn.seat


def everything(t: Table, point: str, *args: Any) -> list[Any]:
    """All answers of the functions hooked in at a point, in their order; a list of answers counts one by one."""
    answers: list[Any] = []
    for fn in t.rules.hooks.get(point, ()):
        found = fn(t, *args)
        if type(found) is list or type(found) is tuple:
            answers += found
        elif found is not None:
            answers.append(found)
    return answers


def first_answer(t: Table, point: str, *args: Any, default: Any = None) -> Any:
    """The first answer at a point that is not None, else the default."""
    for fn in t.rules.hooks[point]:
        found = fn(t, *args)
        if found is not None:
            return found
    return default


def called(frames: Sequence[Frame]) -> Control:
    """Call these frames, if there are any."""
    return calls(*frames) if frames else None


def limited(bag: Mapping[str, int], supply: Mapping[str, int]) -> dict[str, int]:
    """As much of the bag as the supply has (ROOT-GEN-4)."""
    return {what: min(n, supply.get(what, 0)) for what, n in bag.items() if min(n, supply.get(what, 0)) > 0}


# -- what there is in all -----------------------------------------------------------------------------------------


def plays_by_itself(factions: Iterable[str | None]) -> bool:
    """Whether one of these factions is played by the rules alone."""
    return any(f is not None and PRINTED.factions[f].automatic for f in factions)


def deck_cards(f: Figures, seats: int, automatic: bool = False, alone: bool = False) -> dict[str, int]:
    """The cards of the game: with two players no dominance cards (ROOT-DOM-9).

    Where a faction plays by itself (`automatic`) spies take their place (ROOT-SPY-1), which no other game has. Who
    plays `alone` does without Favors (ROOT-SOLO-1).
    """
    left_out = {*(DOMINANCES if automatic or seats == 2 else ()), *(() if automatic else SPIES)}
    left_out.update(FAVORS if alone else ())
    return {c.id: c.count for c in f.cards.values() if c.id not in left_out}


def what_plays(state: State[Any, Any]) -> Hashable:
    """What decides how many pieces there are: seats, factions, whether viziers are out, whether somebody is alone."""
    players = state.table.seats.values()
    viziers = sum([PRINTED.table["viziers"] for p in players if p.eyrie is not None and p.eyrie.leader])
    alone = state.options.get("mode") == SOLO
    return len(state.seats), tuple([p.faction for p in players]), viziers, alone


def piece_totals(figures: Figures, facts: tuple[int, Sequence[str | None], int, bool]) -> Bags:
    """What every state holds in all (ROOT-COMP-1): cards, the pieces of the factions that play, items."""
    seats, factions, viziers, alone = facts
    cards = deck_cards(figures, seats, plays_by_itself(factions), alone)
    return {
        "card": {**cards, VIZIER: viziers} if viziers else cards,
        "piece": {p: figures.pieces[p].count for f in factions if f is not None for p in pieces_of(f)},
        "item": {i.id: i.supply for i in figures.items.values() if i.supply},
    }


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    counted = (Totals(what_plays, piece_totals), *plugs.totals)

    @lru_cache(maxsize=256)
    def together(figures: Figures, facts: Sequence[Hashable]) -> Bags:
        found: dict[str, dict[str, int]] = {}
        for totals, known in zip(counted, facts, strict=True):
            for kind, more in totals.of(figures, known).items():
                add_up(found.setdefault(kind, {}), more)
        return found

    def in_all(state: State[Any, Any], figures: Figures) -> Bags:
        return together(figures, tuple([totals.facts(state) for totals in counted]))

    rules.pieces(in_all)


def add_up(bag: dict[str, int], more: Mapping[str, int]) -> None:
    """Another bag on top of this one."""
    for what, n in more.items():
        bag[what] = bag.get(what, 0) + n
