"""A table set for a test: states with chosen holdings, and a game that is played and refused on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from schemas.action import action_schema
from service.engine.deck import Deck, Pool, Run, Stratum, pool_of
from service.engine.flow import window
from service.engine.judge import Judgement, judge
from service.engine.options import options
from service.engine.problems import problems
from service.engine.rule import Violation
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, State, encode
from service.engine.table import Table
from service.games.simurgh.v1 import RULES
from service.games.simurgh.v1.effects import KINDS, RESOURCES
from service.games.simurgh.v1.figures import DISPLAY, PRINTED
from service.games.simurgh.v1.state import Player

SEATS = ("ann", "bob", "cyd", "dan", "eve")
PLENTY = dict.fromkeys(RESOURCES, 2)
ACTIONS = action_schema(RULES, "Simurgh")()


def tile(number: int) -> str:
    """The id of the tile with this number."""
    return next(t.id for t in PRINTED.tiles.values() if t.number == number)


def space(number: int, n: int = 1) -> str:
    """A space (or level) of the tile with this number."""
    return f"{tile(number)}-{n}"


def holdings(held: Mapping[str, Any]) -> Player:
    """A player's board; vassals that are neither available nor assigned are inactive; markers by ability: `59-1`."""
    held = dict(held)
    assigned = {s: dict(v) for s, v in held.pop("assigned", {}).items()}
    available = dict(held.pop("available", {"spearman": 1, "dragonrider": 1}))
    inactive = {}
    for kind in sorted(KINDS):
        used = available.get(kind, 0) + sum(v.get(kind, 0) for v in assigned.values())
        if left := PRINTED.vassals[kind].count - used:
            inactive[kind] = left
    dragons = [f"dragon-{n}" for n in held.pop("dragons")]
    markers = [f"dragon-{a}" for a in held.pop("markers", ())]
    return Player(
        hand=[tile(n) for n in held.pop("hand", ())],
        available={k: n for k, n in sorted(available.items()) if n},
        assigned=dict(sorted(assigned.items())),
        inactive=inactive,
        dragons=dragons,
        markers=dict(sorted(dict.fromkeys(markers, 1).items())),
        **held,
    )


def table_of(
    seats: Mapping[str, Mapping[str, Any]] | int = 2,
    *,
    wilds: Mapping[str, int] | Sequence[int] = (),
    display: Sequence[int | None] | None = None,
    chronicle: Iterable[int] = (),
    statue: Mapping[str, int] | None = None,
    deck: Sequence[int] = (),
    dragon_deck: Sequence[int] = (),
    objective_deck: Sequence[int] = (),
    empty: Iterable[str] = (),
    ending: str | None = None,
) -> Any:
    """A board.

    `wilds`, `display`, `chronicle`, `statue`: by number; `deck`, `dragon_deck`, `objective_deck`: what everybody knows
    to lie on top; `empty`: decks ("tiles", "dragons") that have nothing in them.
    """
    if isinstance(seats, int):
        seats = {s: {} for s in SEATS[:seats]}
    board = RULES.board_for([SetupSeat(s) for s in seats], {})
    named = {n for held in seats.values() for n in held.get("dragons", ())}
    free = [d.number for d in PRINTED.dragons.values() if d.number not in named]
    for seat, held in seats.items():
        board.seats[seat] = holdings(held if "dragons" in held else {**held, "dragons": (free.pop(0),)})
    laid = wilds if isinstance(wilds, Mapping) else dict(zip(board.wilds, wilds, strict=False))
    board.wilds = {**board.wilds, **{w: tile(n) for w, n in laid.items()}}
    board.chronicle = [tile(n) for n in chronicle]
    board.statue = {**board.statue, **{s: f"objective-{n}" for s, n in (statue or {}).items()}}
    board.ending = ending
    _lay_tiles(board, display, [tile(n) for n in deck], "tiles" in empty)
    if "dragons" in empty:
        owner = list(board.seats.values())[-1]
        owner.dragons += [d for d in PRINTED.dragons if all(d not in p.dragons for p in board.seats.values())]
    owned = {d for p in board.seats.values() for d in p.dragons}
    board.dragons = _deck(PRINTED.dragons, owned, [f"dragon-{n}" for n in dragon_deck])
    shown = {o for o in board.statue.values() if o}
    board.objectives = _deck(PRINTED.objectives, shown, [f"objective-{n}" for n in objective_deck])
    return board


def _deck(every: Iterable[str], gone: set[str], top: list[str]) -> Deck:
    left = dict.fromkeys([x for x in every if x not in gone and x not in top], 1)
    return Deck([*Deck().put(top, None).segments, *pool_of(left).segments])


def _lay_tiles(board: Any, display: Sequence[int | None] | None, top: list[str], empty: bool) -> None:
    """Every seat has one Power Tile out of eight, 14 tiles are set aside, the others lie where the test says."""
    players = list(board.seats.values())
    held = (
        {x for p in players for x in p.hand} | set(board.chronicle) | {x for x in board.wilds.values() if x}
    )
    power = [x for x in PRINTED.of_type("power") if x not in held]
    for p in players:
        if not _powers(p.hand) and len(power) > 8 - len(players):
            p.hand.append(power.pop(0))
    board.power = pool_of(dict.fromkeys(power, 1))
    held |= {x for p in players for x in p.hand} | set(top)
    spare = [x for x in PRINTED.tiles if x not in held and not _powers([x])]
    if display is None:
        shown: list[str | None] = []
        for _ in DISPLAY:
            shown.append(_of_the_most(x for x in spare if x not in shown))
    else:
        shown = [None if n is None else tile(n) for n in display]
    board.display = dict(zip(DISPLAY, shown, strict=True))
    spare = [x for x in spare if x not in shown]
    strata = []
    for kind, away in PRINTED.table["set-aside"].items():
        left = sorted(x for x in spare if PRINTED.tiles[x].type == kind)
        while empty and len(left) > away:
            _somewhere(board, players).append(left.pop())
        assert len(left) >= away, f"too many {kind} tiles are used"
        strata.append(Stratum(dict.fromkeys(left, 1), len(left) - away))
    board.tiles = Deck([*([Run(top)] if top else []), Pool(strata)])


def _powers(tiles: Iterable[str]) -> list[str]:
    return [x for x in tiles if PRINTED.tiles[x].type == "power"]


def _somewhere(board: Any, players: Sequence[Player]) -> list[str]:
    """Where a tile can lie that nothing looks at: in the hands of the others, the Chronicle, the first hand."""
    others = [p.hand for p in players[1:] if len(p.hand) < 5]
    if others:
        return others[0]
    chronicle: list[str] = board.chronicle
    assert len(chronicle) < 13 or len(players[0].hand) < 5, "there are more tiles than places for them"
    return chronicle if len(chronicle) < 13 else players[0].hand


def _of_the_most(spare: Iterable[str]) -> str:
    """A tile of the type of which most can still lie somewhere."""
    left = list(spare)
    count = {
        k: sum(PRINTED.tiles[x].type == k for x in left) - n for k, n in PRINTED.table["set-aside"].items()
    }
    return next(x for x in left if count[PRINTED.tiles[x].type] == max(count.values()))


class Game:
    """A game in progress: `play` what is legal, `refused` what is not; chance asks, or `lowest` always comes up."""

    def __init__(self, first: Judgement | State[Any, Any]) -> None:
        self.state: Any = first if isinstance(first, State) else first.state
        self.events: list[Any] = [] if isinstance(first, State) else list(first.events)
        self.sound()

    def __getitem__(self, seat: str) -> Player:
        found: Player = self.state.table.seats[seat]
        return found

    @property
    def board(self) -> Any:
        return self.state.table

    @property
    def table(self) -> Table:
        return Table(RULES, self.state, lowest)

    @property
    def asked(self) -> str | None:
        """Who must decide; None when the game is over."""
        w = window(self.table)
        return None if w is None or not w.actors else w.actors[0]

    @property
    def kinds(self) -> tuple[str, ...]:
        w = window(self.table)
        return () if w is None else tuple(c.kind for c in w.ask.takes)

    def options(self, actor: str, kind: str) -> list[dict[str, Any]]:
        """Every legal option of a kind, open parameters filled with their examples."""
        return [o.filled() for o in options(self.table, actor, kinds=(kind,))]

    def because(self, kind: str | None = None) -> list[str]:
        """The clauses of the events of the last action."""
        return [e.because for e in self.events if kind in (None, e.kind)]

    def sound(self) -> None:
        """The state can exist, and is the same after a trip through JSON."""
        assert problems(RULES, self.state) == []
        data = encode(self.state)
        again = RULES.decode(data)
        assert again == self.state
        assert encode(again) == data

    def judged(self, actor: str, kind: str, **wire: Any) -> Judgement:
        return judge(RULES, self.state, {"kind": kind, "actor": actor, **wire}, lowest)

    def play(self, actor: str, kind: str, **wire: Any) -> Game:
        """Play what must be legal."""
        judgement = self.judged(actor, kind, **wire)
        assert judgement.legal, judgement.violations
        self.state, self.events = judgement.state, list(judgement.events)
        self.sound()
        return self

    def place(self, vassal: str, where: str, actor: str = "ann", **cost: Any) -> Game:
        """Place a vassal; what is paid by its parts (`tokens`, `vassals`, `markers`)."""
        return self.play(actor, "place-vassal", vassal=vassal, space=where, cost=cost)

    def refused(self, actor: str, kind: str, **wire: Any) -> dict[str, Violation]:
        """Every violation of what must be refused, by clause; nothing has changed."""
        before = encode(self.state)
        judgement = self.judged(actor, kind, **wire)
        assert not judgement.legal, f"{kind} is legal"
        assert judgement.state is None
        assert encode(self.state) == before
        return {v.rule: v for v in judgement.violations}

    def not_placed(self, vassal: str, where: str, actor: str = "ann", **cost: Any) -> dict[str, Violation]:
        """Every violation of placing a vassal there."""
        return self.refused(actor, "place-vassal", vassal=vassal, space=where, cost=cost)

    def end(self, actor: str = "ann") -> Game:
        """The turn ends."""
        return self.play(actor, "end-turn")

    def fork(self) -> Game:
        """The same game once more."""
        return copy(self)


def lowest(chance: ChanceState, total: int) -> int:
    """A source of chance by which the lowest id always comes up."""
    return 0


def game(
    seats: Mapping[str, Mapping[str, Any]] | int = 2,
    *,
    mode: str = "seeded",
    variant: str = "spearman",
    length: str = "long",
    house: Mapping[str, Any] | None = None,
    **board: Any,
) -> Game:
    """A game that goes on from a chosen position, with a turn of the first seat; `house`: figures of its own."""
    position = table_of(seats, **board)
    chosen = {"variant": variant, "length": length}
    chance = ChanceState(mode=mode)  # type: ignore[arg-type]
    setup = Setup([SetupSeat(s) for s in position.seats], "test", chance, chosen, position, house or {})
    return Game(start(RULES, setup, lowest))


def fresh(seats: int = 2, *, mode: str = "seeded", variant: str = "spearman", length: str = "medium") -> Game:
    """A new game from its set-up."""
    chance = ChanceState(mode=mode)  # type: ignore[arg-type]
    setup = Setup(
        [SetupSeat(s) for s in SEATS[:seats]], "test", chance, {"variant": variant, "length": length}
    )
    return Game(start(RULES, setup, lowest))


def schema_faults(wire: Mapping[str, Any]) -> dict[str, Any]:
    """What the wire contract says of an action that it cannot express; empty if it can."""
    found: dict[str, Any] = ACTIONS.validate(dict(wire))
    return found


__all__ = [
    "DISPLAY", "KINDS", "PLENTY", "PRINTED", "RESOURCES", "RULES", "SEATS", "Game", "fresh", "game", "holdings",
    "lowest", "schema_faults", "space", "table_of", "tile",
]  # fmt: skip
