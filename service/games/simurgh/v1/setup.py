"""Chapter 3, set-up (SIM-SETUP-1 to SIM-SETUP-14), and turn after turn until the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.engine.audience import Public, SeatRef
from service.engine.control import END, Control, calls
from service.engine.deck import Deck, Pool, Stratum, pool_of
from service.engine.frames import Again, Frame
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawDragons, DrawTiles, TurnUp, move_tokens, player, variant
from service.games.simurgh.v1.drafts import ActionDraft, DragonDraft, PowerDraft
from service.games.simurgh.v1.figures import DISPLAY, POWER, TYPES, Figures, figures
from service.games.simurgh.v1.hatchery import put_first_markers
from service.games.simurgh.v1.scoring import score_all
from service.games.simurgh.v1.state import Board, Player, Turn


class Game(Frame, kw_only=True):
    """The whole game: set-up, then turn after turn; `seat`: whose turn it was last."""

    seat: Public[SeatRef | None] = None


def action_deck(f: Figures) -> Deck:
    """All types shuffled together, some tiles of each put back unseen (SIM-SETUP-3, SIM-SETUP-9).

    A type is a stratum, smaller than its members; tiles that are dealt by type come off their own stratum, which is
    the same as dealing them before the types are shuffled together.
    """
    away = f.table["set-aside"]
    strata = [
        Stratum(dict(sorted(dict.fromkeys(f.of_type(x), 1).items())), len(f.of_type(x)) - away[x])
        for x in TYPES
        if x != POWER
    ]
    return Deck([Pool(strata)])


def begin(seats: Sequence[SetupSeat], options: Mapping[str, Any], f: Figures) -> Board:
    """The table before anything is dealt; spaces for larger tables are closed (SIM-SETUP-14)."""
    inactive = {v.id: v.count for v in sorted(f.vassals.values(), key=lambda v: v.id)}
    return Board(
        seats={s.id: Player(inactive=inactive) for s in seats},
        tiles=action_deck(f),
        power=pool_of(dict.fromkeys(f.of_type(POWER), 1)),
        dragons=pool_of(dict.fromkeys(f.dragons, 1)),
        objectives=pool_of(dict.fromkeys(f.objectives, 1)),
        wilds={w.id: None for w in f.wilds.values() if w.min_players <= len(seats)},
        statue=dict.fromkeys(f.statue),
        display=dict.fromkeys(DISPLAY),
    )


def equip(t: Table, f: Game) -> Control:
    """Vassals, resources, points (SIM-SETUP-4, SIM-SETUP-5)."""
    fig = figures(t)
    vassals = {v.id: v.start for v in fig.vassals.values()}
    start = {**{r.id: r.start for r in fig.resources.values()}, "pp": fig.table["start-pp"]}
    for seat in t.seats:
        t.moved("SIM-SETUP-4", vassals, ("seats", seat, "inactive"), ("seats", seat, "available"))
        move_tokens(t, "SIM-SETUP-5", seat, start, paid=False)
    return None


def deal_power(t: Table, f: Game) -> Control:
    """One Power Tile each, by chance or by draft (SIM-SETUP-7, SIM-DL-2)."""
    if variant(t) == "dragonlord":
        return PowerDraft()
    n = figures(t).table["power-deal"]
    return calls(*(DrawTiles(seat=s, left=n, pile="power", because="SIM-SETUP-7") for s in t.seats))


def deal_tiles(t: Table, f: Game) -> Control:
    """The first Action Tiles, by chance or by draft (SIM-SETUP-8, SIM-DL-4)."""
    if variant(t) == "dragonlord":
        return ActionDraft()
    hand = figures(t).table["hand-deal"]
    deal = [(s, x, n) for s in t.seats for x, n in hand.items()]
    return calls(*(DrawTiles(seat=s, left=n, of=x, because="SIM-SETUP-8") for s, x, n in deal))


def lay_display(t: Table, f: Game) -> Control:
    """Face-up tiles on the display spaces (SIM-SETUP-10)."""
    return TurnUp(to="display", because="SIM-SETUP-10")


def deal_dragons(t: Table, f: Game) -> Control:
    """The first dragon, by chance or in secret (SIM-SETUP-12, SIM-DL-6)."""
    if variant(t) == "dragonlord":
        return DragonDraft()
    return calls(*(DrawDragons(seat=s, left=1, to="dragons", because="SIM-SETUP-12") for s in t.seats))


def mark_dragons(t: Table, f: Game) -> Control:
    """Markers on every ability of the dragons dealt; those of a draft have theirs (SIM-SETUP-12)."""
    for seat in t.seats if variant(t) == "spearman" else ():
        put_first_markers(t, seat, player(t, seat).dragons[0], figures(t).table["start-markers"])
    return None


def play_turns(t: Table, f: Game) -> Control:
    """Clockwise from the first player, until it is again who triggered the end (SIM-SETUP-6, SIM-END-5)."""
    f.seat = next_seat(t, f.seat)
    if t.board.ending == f.seat:
        score_all(t)
        return END
    t.tell("turn-begins", "SIM-TURN-1", {"seat": f.seat})
    return calls(Turn(seat=f.seat), again=True)


def next_seat(t: Table, seat: str | None) -> str:
    """Who comes after a seat; the first player before all."""
    return t.seats[0] if seat is None else t.seats[(t.seats.index(seat) + 1) % len(t.seats)]


def resume(board: Board, seats: Sequence[str]) -> list[Frame]:
    """A position goes on with a turn of the first seat; one that is ending has just seen its trigger's turn."""
    return [Game(step="play-turns", seat=board.ending)]


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.begin(Game)(begin)
    rules.resume(resume)
    rules.procedure(
        Game,
        equip,
        deal_power,
        deal_tiles,
        lay_display,
        deal_dragons,
        mark_dragons,
        play_turns,
        may_call={
            "deal-power": (PowerDraft, DrawTiles),
            "deal-tiles": (ActionDraft, DrawTiles),
            "lay-display": (TurnUp,),
            "deal-dragons": (DragonDraft, DrawDragons),
            "play-turns": Again((Turn,)),
        },
    )
