"""What types and conservation cannot see: reasons why a table of Simurgh cannot exist."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.deck import Deck, Pool, Run
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import laid_tiles
from service.games.simurgh.v1.drafts import ActionDraft
from service.games.simurgh.v1.figures import EXPLORATION, POWER, figures
from service.games.simurgh.v1.frame_problems import frame_problems
from service.games.simurgh.v1.moment import Moment, moment
from service.games.simurgh.v1.outcome_problems import outcome_problems
from service.games.simurgh.v1.player_problems import player_problems
from service.games.simurgh.v1.removal import vassals_on
from service.games.simurgh.v1.scoring import is_met
from service.games.simurgh.v1.state import Placement, Stride, TilePlacement
from service.games.simurgh.v1.surplus_problems import gap_problems, must_have_ended


def of_players(t: Table) -> Iterator[Problem]:
    """What each player holds."""
    m = moment(t)
    for seat, p in t.board.seats.items():
        yield from player_problems(t, m, seat, p)


def of_the_table(t: Table) -> Iterator[Problem]:
    """The Wilds, the Statue, decks, display and Chronicle, and whether the end is near."""
    m = moment(t)
    yield from _wilds(t, m)
    yield from _statue(t, m)
    yield from _tiles(t, m)
    yield from _whole(t.board.power, "/table/power", "SIM-SETUP-7")
    yield from _whole(t.board.dragons, "/table/dragons", "SIM-SETUP-13")
    yield from _whole(t.board.objectives, "/table/objectives", "SIM-SETUP-2")
    for pile in ("tiles", "dragons", "objectives"):
        yield from _runs(getattr(t.board, pile), f"/table/{pile}")
    yield from _power(t, m)
    yield from _laid_out(t, m)
    yield from gap_problems(t, m)
    yield from _ending(t, m)


# -- the board --------------------------------------------------------------------------------------------------


def _wilds(t: Table, m: Moment) -> Iterator[Problem]:
    """The open spaces, and on each tile at least one vassal and fewer than fill it."""
    f = figures(t)
    wanted = [w.id for w in f.wilds.values() if w.min_players <= len(t.seats)]
    if sorted(t.board.wilds) != sorted(wanted):
        message = say("the open Wilds spaces are {spaces}", spaces=", ".join(wanted))
        yield Problem("/table/wilds", message, "SIM-SETUP-14")
    for where, tile in laid_tiles(t).items():
        yield from _tile(t, m, f"/table/wilds/{where}", tile)


def _tile(t: Table, m: Moment, at: str, tile: str) -> Iterator[Problem]:
    f = figures(t)
    there = vassals_on(t, tile)
    new = any(isinstance(x, TilePlacement) and x.tile == tile for x in t.frames)
    if not there and not new:
        yield Problem(at, say("nobody is on {tile}, so it would be gone", tile=tile), "SIM-REMOVE-1")
    if f.tiles[tile].type == EXPLORATION:
        yield from _path(t, at, tile)
        return
    full = f.table["full-at"][str(len(t.seats))]
    filling = any(isinstance(x, Placement) and f.tile_at.get(x.space) == tile for x in t.frames)
    if there > full or (there == full and not filling):
        yield Problem(
            at, say("{n} vassals fill {tile}, so it would be gone", n=there, tile=tile), "SIM-REMOVE-2"
        )


def _path(t: Table, at: str, tile: str) -> Iterator[Problem]:
    """Nobody stays at the end of a path."""
    last = figures(t).spaces_of[tile][-1]
    arriving = any(isinstance(x, Stride) and x.tile == tile for x in t.frames)
    if not arriving and any(last in p.assigned for p in t.board.seats.values()):
        message = say("a rider has come to the end of {tile}, so it would be gone", tile=tile)
        yield Problem(at, message, "SIM-EXPL-10")


def _statue(t: Table, m: Moment) -> Iterator[Problem]:
    f = figures(t)
    if sorted(t.board.statue) != sorted(f.statue):
        spaces = ", ".join(f.statue)
        yield Problem("/table/statue", say("the objective spaces are {spaces}", spaces=spaces), "SIM-COMP-7")
    if not m.playing and any(t.board.statue.values()):
        yield Problem("/table/statue", say("no objective lies face up before the first turn"), "SIM-SETUP-2")


# -- decks ------------------------------------------------------------------------------------------------------


def _tiles(t: Table, m: Moment) -> Iterator[Problem]:
    """So many tiles of each type were put back unseen, and those alone are missing from the pools (SIM-SETUP-3)."""
    f = figures(t)
    away: dict[str, int] = {}
    for i, segment in enumerate(t.board.tiles.segments):
        for j, stratum in enumerate(segment.strata if isinstance(segment, Pool) else ()):
            gap = sum(stratum.members.values()) - stratum.size
            types = sorted({f.tiles[x].type for x in stratum.members if x in f.tiles})
            if gap and len(types) > 1:
                at = f"/table/tiles/segments/{i}/strata/{j}"
                yield Problem(at, say("tiles put back unseen are of one type"), "SIM-SETUP-3")
            elif gap:
                away[types[0]] = away.get(types[0], 0) + gap
        if any(f.tiles[x].type == POWER for x in Deck([segment]).cards() if x in f.tiles):
            yield Problem(
                f"/table/tiles/segments/{i}", say("Power Tiles are never in the deck"), "SIM-SCOUT-10"
            )
    for type_, n in f.table["set-aside"].items():
        if away.get(type_, 0) != n:
            facts = {"n": away.get(type_, 0), "type": type_, "wanted": n}
            message = say("{n} tiles of the type {type} are set aside; it is {wanted}", **facts)
            yield Problem("/table/tiles", message, "SIM-SETUP-3")


def _runs(deck: Deck, at: str) -> Iterator[Problem]:
    """Whoever put tiles back remembers them, alone; what nobody put back is known to all or none."""
    for i, segment in enumerate(deck.segments):
        known = segment.known_to if isinstance(segment, Run) else None
        if known is not None and len(known) != 1:
            message = say("what was put back is known to the one who did it")
            yield Problem(f"{at}/segments/{i}/known_to", message, "SIM-INFO-4")


def _whole(deck: Deck, at: str, rule: str) -> Iterator[Problem]:
    """Of this deck nothing was set aside unseen."""
    for i, segment in enumerate(deck.segments):
        for j, stratum in enumerate(segment.strata if isinstance(segment, Pool) else ()):
            if stratum.size != (held := sum(stratum.members.values())):
                message = say("{size} tiles of {held}; none is set aside here", size=stratum.size, held=held)
                yield Problem(f"{at}/segments/{i}/strata/{j}/size", message, rule)


def _power(t: Table, m: Moment) -> Iterator[Problem]:
    """Everybody got one Power Tile; the others have left the game (SIM-SETUP-7, SIM-DL-2)."""
    f = figures(t)
    for segment in t.board.power.segments:
        if not isinstance(segment, Pool):
            yield Problem("/table/power", say("nobody knows the order of the tiles here"), "SIM-SETUP-7")
    if m.stage != "deal-power":
        wanted = len(f.of_type(POWER)) - len(t.seats) * f.table["power-deal"]
        if t.board.power.size != wanted:
            message = say(
                "{n} Power Tiles are out of the game; it is {wanted}", n=t.board.power.size, wanted=wanted
            )
            yield Problem("/table/power", message, "SIM-SETUP-7")


def _laid_out(t: Table, m: Moment) -> Iterator[Problem]:
    """The row of the draft, the display and the Chronicle, each in its time."""
    f = figures(t)
    if sorted(t.board.display) != sorted(s for s in f.display if f.display[s].number):
        yield Problem("/table/display", say("the display has four numbered spaces"), "SIM-COMP-7")
    if t.board.row and not any(isinstance(x, ActionDraft) for x in t.frames):
        yield Problem("/table/row", say("no draft of tiles is going on"), "SIM-DL-4")
    if m.before("deal-tiles") and any(t.board.display.values()):
        yield Problem("/table/display", say("the display is still to be laid out"), "SIM-SETUP-10")
    if not m.playing and t.board.chronicle:
        yield Problem("/table/chronicle", say("nothing is removed before the first turn"), "SIM-CHRON-1")
    for at, tile in [*((f"/table/display/{s}", x) for s, x in t.board.display.items()), *_row(t)]:
        if tile is not None and f.tiles[tile].type == POWER:
            yield Problem(at, say("Power Tiles are never on the display"), "SIM-SCOUT-10")


def _row(t: Table) -> Iterator[tuple[str, str]]:
    yield from ((f"/table/row/{i}", tile) for i, tile in enumerate(t.board.row))


def _ending(t: Table, m: Moment) -> Iterator[Problem]:
    """The end is triggered when a turn ends in which a condition is met, and what is met stays so (SIM-END-4)."""
    ending, met = t.board.ending, is_met(t)
    if ending is not None and not met:
        yield Problem("/table/ending", say("nothing has triggered the end yet"), "SIM-END-1")
    if ending is None and met and must_have_ended(t, m):
        yield Problem("/table/ending", say("the end is triggered, and nobody has done so"), "SIM-END-4")
    if m.turn is not None and ending == m.turn.seat:
        message = say("{seat} has triggered the end and has no further turn", seat=ending)
        yield Problem("/table/ending", message, "SIM-END-5")


def declare(rules: Ruleset) -> None:
    """Register the checks."""
    for search in (of_players, of_the_table, frame_problems, outcome_problems):
        rules.check(search)
