"""Chapter 1, components and limits: players, pieces, and what is drawn by chance (SIM-COMP-1 to SIM-COMP-8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from service.engine.action import ChanceAction
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control, goto
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, State
from service.engine.table import Table
from service.games.simurgh.v1.effects import RESOURCES
from service.games.simurgh.v1.figures import (
    DISPLAY,
    DRAGONS,
    OBJECTIVES,
    POWER,
    TILES,
    WILDS,
    Figures,
    figures,
)
from service.games.simurgh.v1.state import MOST_POINTS, MOST_TOKENS, Amount, Player, Turn


def player(t: Table, seat: str) -> Player:
    """A seat's board and hand."""
    found: Player = t.board.seats[seat]
    return found


def variant(t: Table) -> str:
    """Spearman or Dragonlord (SIM-SETUP-1)."""
    return str(t.options["variant"])


def on_space(p: Player, space: str, kind: str | None = None) -> int:
    """How many vassals (of a kind) a player has on a space or level."""
    there = p.assigned.get(space, {})
    return sum(there.values()) if kind is None else there.get(kind, 0)


def active(p: Player) -> int:
    """All vassals that a player has received, available and assigned (SIM-COMP-8)."""
    return sum(p.available.values()) + sum(on_space(p, space) for space in p.assigned)


def placeable(t: Table, seat: str, kind: str) -> int:
    """Available vassals of a kind that may be placed in this turn (SIM-PLACE-10)."""
    turn = t.frame(Turn)
    resting = turn.resting.get(kind, 0) if turn is not None and turn.seat == seat else 0
    return player(t, seat).available.get(kind, 0) - resting


def laid_tiles(t: Table) -> dict[str, str]:
    """The tiles in the Wilds by their spaces, in the order of the board."""
    wilds = t.board.wilds
    return {w: wilds[w] for w in WILDS if wilds.get(w) is not None}


def tokens_of(p: Player) -> dict[str, int]:
    """Resources and Power Points as one bag."""
    return {**p.resources, "pp": p.pp} if p.pp else dict(p.resources)


def move_tokens(t: Table, because: str, seat: str, bag: Mapping[str, int], paid: bool) -> None:
    """Tokens and Power Points to or from the supply, which never runs out (SIM-COMP-5, SIM-COMP-6)."""
    bag = bag if paid else _within_bounds(player(t, seat), bag)
    for what, field in (({r: bag[r] for r in RESOURCES if r in bag}, "resources"), (_points(bag), "pp")):
        place = ("seats", seat, field)
        t.moved(because, what, place if paid else None, None if paid else place)


def _within_bounds(p: Player, bag: Mapping[str, int]) -> dict[str, int]:
    """What is received, as far as states can hold it."""
    have = p.resources
    room = {
        what: min(n, MOST_POINTS - p.pp if what == "pp" else MOST_TOKENS - have.get(what, 0))
        for what, n in bag.items()
    }
    return {what: n for what, n in room.items() if n > 0}


def _points(bag: Mapping[str, int]) -> dict[str, int]:
    return {"pp": bag["pp"]} if "pp" in bag else {}


def piece_totals(state: State[Any, Any], f: Figures) -> Mapping[str, Mapping[str, int]]:
    """What every state holds in all: tiles, dragons, objectives and vassals (SIM-COMP-1 to SIM-COMP-3)."""
    return {
        "tile": dict.fromkeys(f.tiles, 1),
        "dragon": dict.fromkeys(f.dragons, 1),
        "objective": dict.fromkeys(f.objectives, 1),
        "vassal": {v.id: v.count * len(state.seats) for v in f.vassals.values()},
    }


# -- drawing ----------------------------------------------------------------------------------------------------


class DrawTiles(Frame, kw_only=True):
    """A seat draws `left` tiles from the action deck or the Power Tiles; `of`: of one type alone, at set-up."""

    seat: Public[SeatRef]
    left: Public[Amount]
    pile: Public[Literal["tiles", "power"]] = "tiles"
    of: Public[str] = ""
    to: Public[Literal["hand", "offered"]] = "hand"
    because: Public[str]


class DrawDragons(Frame, kw_only=True):
    """A seat draws `left` dragons to look at, or its first one, which lies face up at once."""

    seat: Public[SeatRef]
    left: Public[Amount]
    to: Public[Literal["looked_at", "dragons"]] = "looked_at"
    because: Public[str]


class DrawObjectives(Frame, kw_only=True):
    """A seat draws `left` objectives to look at."""

    seat: Public[SeatRef]
    left: Public[Amount]
    because: Public[str]


class TurnUp(Frame, kw_only=True):
    """Tiles being turned up: on the empty display spaces, or `left` of them in the row of a draft."""

    to: Public[Literal["display", "row"]]
    left: Public[Amount] = 0
    because: Public[str]


def pile_of(frame: Any) -> str:
    """The deck from which a frame draws."""
    if isinstance(frame, DrawTiles):
        return frame.pile
    return "dragons" if isinstance(frame, DrawDragons) else "objectives"


def is_there(t: Table, f: Any) -> Control:
    """Until all are drawn, or nothing is left to draw (SIM-EFF-7, SIM-R-11)."""
    return None if f.left and getattr(t.board, pile_of(f)).size else DONE


class _Drawn(ChanceAction, rule="SIM-SETUP-2"):
    """What comes off a deck; only the seat that draws it sees it."""

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[str, int]:
        """What may lie on top."""
        odds: Mapping[str, int] = getattr(t.board, pile_of(frame)).odds()
        return odds

    def sight(self, t: Table) -> frozenset[str] | None:
        """The drawing seat alone."""
        return frozenset([self.frame.seat])

    def resolve(self, t: Table) -> Control:
        """To where the frame says."""
        f = self.frame
        to = "considered" if isinstance(f, DrawObjectives) else f.to
        t.moved(f.because, {self.__dict__[self.parameter()]: 1}, (pile_of(f),), ("seats", f.seat, to))
        f.left -= 1
        return goto("is-there")

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: who draws."""
        return {"seat": self.frame.seat}


class DrawTile(_Drawn, kind="draw-tile"):
    """Which Action Tile is drawn."""

    tile = Pick("SIM-SETUP-2", TILES)

    @classmethod
    def odds(cls, t: Table, frame: DrawTiles) -> Mapping[str, int]:
        """What may lie on top; at set-up the types are still decks of their own."""
        tiles = figures(t).tiles
        return {x: n for x, n in super().odds(t, frame).items() if frame.of in ("", tiles[x].type)}

    @classmethod
    def could(cls, t: Table, frame: DrawTiles) -> list[str]:
        """Tiles of the type that is drawn; of any from the action deck, once it holds them all."""
        tiles, of = figures(t).tiles, POWER if frame.pile == "power" else frame.of
        return [x for x in super().could(t, frame) if of in ("", tiles[x].type)]


class DrawDragon(_Drawn, kind="draw-dragon"):
    """Which dragon is drawn."""

    dragon = Pick("SIM-SETUP-2", DRAGONS)

    def sight(self, t: Table) -> frozenset[str] | None:
        """The drawing seat alone, unless the dragon lies face up at once."""
        return None if self.frame.to == "dragons" else super().sight(t)


class DrawObjective(_Drawn, kind="draw-objective"):
    """Which objective is drawn."""

    objective = Pick("SIM-SETUP-2", OBJECTIVES)


class TurnUpTile(ChanceAction, kind="turn-up-tile", rule="SIM-SETUP-10"):
    """Which Action Tile is turned up."""

    tile = Pick("SIM-SETUP-10", TILES)

    @classmethod
    def odds(cls, t: Table, frame: TurnUp) -> Mapping[str, int]:
        """What may lie on top."""
        odds: Mapping[str, int] = t.board.tiles.odds()
        return odds

    def resolve(self, t: Table) -> Control:
        """To the row, or to the lowest empty display space."""
        f: TurnUp = self.frame
        row = f.to == "row"
        t.moved(f.because, {self.tile: 1}, ("tiles",), ("row",) if row else ("display", gaps(t)[0]))
        f.left -= row
        return goto("room-for-more")


def gaps(t: Table) -> list[str]:
    """The empty display spaces, lowest first."""
    return [s for s in DISPLAY if t.board.display[s] is None]


def room_for_more(t: Table, f: TurnUp) -> Control:
    """Until the display or the row is full, or the deck empty (SIM-SCOUT-7, SIM-SCOUT-8)."""
    wanted = gaps(t) if f.to == "display" else f.left
    return None if wanted and t.board.tiles.size else DONE


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.pieces(piece_totals)
    for frame, cls in ((DrawTiles, DrawTile), (DrawDragons, DrawDragon), (DrawObjectives, DrawObjective)):
        rules.procedure(frame, is_there, Ask("draw", lambda t, f: CHANCE, takes=(cls,), rule="SIM-SETUP-2"))
    rules.procedure(
        TurnUp, room_for_more, Ask("draw", lambda t, f: CHANCE, takes=(TurnUpTile,), rule="SIM-SETUP-10")
    )
