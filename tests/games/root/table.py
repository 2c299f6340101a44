"""A table set for a test: a board with chosen pieces and cards, and a game that is played and refused on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from service.engine.deck import pool_of
from service.engine.flow import advance, window
from service.engine.judge import Judgement, judge
from service.engine.options import options
from service.engine.problems import board_problems, problems
from service.engine.rule import Violation
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import SCHEMA, ChanceState, Seat, State, encode
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.components import deck_cards, plays_by_itself
from service.games.root.v1.figures import COLUMNS, PRINTED, SERVICES, VIZIER, pieces_of
from service.games.root.v1.rule import ruler
from service.games.root.v1.setup import Game as Root
from service.games.root.v1.state import Turn
from tests.games.root.robot import hold_mechanical, lay_orders
from tests.games.root.vagabonds import furnish, hold_vagabond

CAT, OWL = "cat", "owl"
SEATS = ("cat", "owl", "fox", "elk", "hen", "otter")
DUEL = {CAT: {"faction": "marquise"}, OWL: {"faction": "eyrie"}}

Bag = Mapping[str, int]
Cards = Iterable[str] | Bag


def bag(things: Cards) -> dict[str, int]:
    """`["armorers", "armorers"]` or a bag, as a bag."""
    if isinstance(things, Mapping):
        return dict(things)
    found: dict[str, int] = {}
    for what in things:
        found[what] = found.get(what, 0) + 1
    return found


def chosen_of(options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All options: these, and the others at their default."""
    return {name: option.default for name, option in RULES.options.items()} | dict(options or {})


def less(held: Bag, *bags: Bag) -> dict[str, int]:
    """A bag without others; it must hold them."""
    rest = dict(held)
    for taken in bags:
        for what, n in taken.items():
            assert rest.get(what, 0) >= n, f"there are not {n} of {what} left"
            rest[what] -= n
    return {what: n for what, n in sorted(rest.items()) if n}


# -- boards -------------------------------------------------------------------------------------------------------


def board_of(
    seats: Mapping[str, Mapping[str, Any]],
    map: Mapping[str, Bag] | None = None,
    *,
    order: Sequence[str] | None = None,
    ruins: Sequence[str] = ("6", "10", "11", "12"),
    discard: Cards = (),
    available: Cards = (),
    items: Bag | None = None,
    box: Bag | None = None,
    options: Mapping[str, Any] | None = None,
    **of_vagabonds: Any,
) -> Any:
    """A board. A seat: faction, and what it has (`hand`, `crafted`, `score`, ...); what is not named is in the supply,
    but a keep that stands nowhere has left the game.

    The Alliance also takes `supporters` and `officers` (a number); the Cult `outcast` (rabbit), `hated`, `acolytes` (a
    number), `revealed` and `lost_souls`; the Riverfolk `payments`, `funds`, `committed`, `spaces` and `prices`, and
    their hand lies open.
    The Mechanical Marquise also takes `keep` (its corner; default: where the keep stands, or 1) and `orders` (how many
    lie face down; default five).
    `kept` names some of `crafted`. `options`: those that are not at their default.
    The Eyrie also take `leader` (default: the Builder), `deposed` and `decree` `{column: cards}` without viziers.
    The deck holds the cards that are nowhere else.
    """
    chosen = chosen_of(options)
    begun = [SetupSeat(s, choice={"faction": h["faction"]}) for s, h in seats.items()]
    board = RULES.board_for(begun, chosen)
    board.map = {c: dict(bag((map or {}).get(c, {}))) for c in board.map}
    board.order, board.ruins = list(order or seats), list(ruins)
    board.discard, board.available, board.box = bag(discard), bag(available), dict(box or {})
    for seat, held in seats.items():
        _hold(board, board.seats[seat], held, boxes_of(seats))
    given = [p.items for p in board.seats.values()]
    board.items = (
        less({i.id: i.supply for i in PRINTED.items.values()}, *given) if items is None else dict(items)
    )
    automatic = plays_by_itself(h["faction"] for h in seats.values())
    cards = deck_cards(PRINTED, len(seats), automatic, chosen["mode"] == "solo")
    board.deck = pool_of(less(cards, *cards_of(board)))
    lay_orders(board, seats)
    furnish(board, seats, **of_vagabonds)
    return board


def _hold(board: Any, player: Any, held: Mapping[str, Any], boxes: Sequence[Bag]) -> None:
    for name in ("score", "dominance", "reached", "kept"):
        if name in held:
            setattr(player, name, held[name])
    player.hand = bag(held.get("hand", ()))
    player.crafted, player.spies = list(held.get("crafted", ())), list(held.get("spies", ()))
    player.items = bag(held.get("items", ()))
    HOLDS.get(held["faction"], lambda player, held: None)(player, held)
    on_map = [
        {p: n for p, n in here.items() if p in pieces_of(held["faction"])} for here in board.map.values()
    ]
    once = [p for p in pieces_of(held["faction"]) if (q := PRINTED.pieces[p]).leaves_game and q.count == 1]
    board.box.update({p: 1 for p in once if not any(p in here for here in on_map)})
    gone = {p: n for p, n in board.box.items() if p in pieces_of(held["faction"])}
    off = [player.alliance.officers] if player.alliance else []
    off += [player.cult.acolytes] if player.cult else []
    off += [{p: n for p, n in b.items() if p in pieces_of(held["faction"])} for b in boxes]
    player.supply = less(
        {p: PRINTED.pieces[p].count for p in pieces_of(held["faction"])}, gone, *on_map, *off
    )


def _hold_eyrie(player: Any, held: Mapping[str, Any]) -> None:
    player.eyrie.leader = held.get("leader", "builder")
    player.eyrie.deposed = list(held.get("deposed", ()))
    decree = {column: bag(held.get("decree", {}).get(column, ())) for column in COLUMNS}
    for column in PRINTED.leaders[player.eyrie.leader].viziers:
        decree[column][VIZIER] = 1
    player.eyrie.decree = decree


def _hold_alliance(player: Any, held: Mapping[str, Any]) -> None:
    player.alliance.supporters = bag(held.get("supporters", ()))
    if held.get("officers"):
        player.alliance.officers = {"alliance-warrior": held["officers"]}


def _hold_cult(player: Any, held: Mapping[str, Any]) -> None:
    player.cult.outcast, player.cult.hated = held.get("outcast", "rabbit"), held.get("hated", False)
    player.cult.revealed, player.cult.lost_souls = (bag(held.get(n, ())) for n in ("revealed", "lost_souls"))
    if held.get("acolytes"):
        player.cult.acolytes = {"cult-warrior": held["acolytes"]}


BOXES = ("payments", "funds", "committed")


def boxes_of(seats: Mapping[str, Mapping[str, Any]]) -> list[Bag]:
    """The warriors, of whatever owner, that lie on the board of the Riverfolk."""
    found: list[Bag] = []
    for held in seats.values():
        if held["faction"] == "riverfolk":
            found += [held.get(name, {}) for name in BOXES] + list(held.get("spaces", {}).values())
    return found


def _hold_riverfolk(player: Any, held: Mapping[str, Any]) -> None:
    player.hand, player.riverfolk.hand = {}, bag(held.get("hand", ()))
    for name in BOXES:
        setattr(player.riverfolk, name, dict(held.get(name, {})))
    player.riverfolk.spaces = {**player.riverfolk.spaces, **held.get("spaces", {})}
    player.riverfolk.prices = dict(zip(SERVICES, held.get("prices", (2, 2, 2)), strict=True))


HOLDS = {
    "riverfolk": _hold_riverfolk,
    "eyrie": _hold_eyrie,
    "alliance": _hold_alliance,
    "cult": _hold_cult,
    "vagabond": hold_vagabond,
    "mechanical-marquise": hold_mechanical,
}  # what each faction's own board takes


def cards_of(board: Any) -> list[dict[str, int]]:
    """All cards that lie anywhere but in the deck (viziers are no cards of it)."""
    found = [board.discard, board.available]
    for p in board.seats.values():
        found += [p.hand, bag(p.crafted), bag(p.spies), bag([p.dominance] if p.dominance else [])]
        if p.riverfolk is not None:
            found.append(p.riverfolk.hand)
        if p.alliance is not None:
            found.append(p.alliance.supporters)
        if p.cult is not None:
            found += [p.cult.revealed, p.cult.lost_souls]
        if p.eyrie is not None:
            found += [{c: n for c, n in column.items() if c != VIZIER} for column in p.eyrie.decree.values()]
    return found


# -- games --------------------------------------------------------------------------------------------------------


class Game:
    """A game in progress: `play` what is legal, `refused` what is not; chance is answered by the test."""

    def __init__(self, first: Judgement | State[Any, Any]) -> None:
        self.state: Any = first if isinstance(first, State) else first.state
        self.events: list[Any] = [] if isinstance(first, State) else list(first.events)
        self.sound()

    def __getitem__(self, seat: str) -> Any:
        return self.state.table.seats[seat]

    @property
    def board(self) -> Any:
        return self.state.table

    @property
    def table(self) -> Table:
        return Table(RULES, self.state, lowest)

    @property
    def asked(self) -> tuple[str, ...]:
        """Who must decide."""
        w = window(self.table)
        return () if w is None else w.actors

    @property
    def kinds(self) -> tuple[str, ...]:
        """What the window takes."""
        w = window(self.table)
        return () if w is None else tuple(c.kind for c in w.ask.takes)

    @property
    def top(self) -> Any:
        """The frame that waits."""
        return self.state.stack[-1]

    def frame(self, kind: type[Any]) -> Any:
        return self.table.frame(kind)

    def here(self, clearing: str) -> dict[str, int]:
        """The pieces in a clearing."""
        return dict(self.board.map[clearing])

    def ruler(self, clearing: str) -> str | None:
        return ruler(self.table, clearing)

    def score(self, seat: str) -> int | None:
        return self[seat].score

    def options(self, actor: str, kind: str) -> list[dict[str, Any]]:
        """Every legal option of a kind, open parameters filled with their examples."""
        return [o.filled() for o in options(self.table, actor, kinds=(kind,))]

    def because(self, kind: str | None = None) -> list[str]:
        """The clauses of the events of the last action."""
        return [e.because for e in self.events if kind in (None, e.kind)]

    def event(self, kind: str) -> dict[str, Any]:
        """The only event of this kind in the last action."""
        (found,) = [e.to_wire() for e in self.events if e.kind == kind]
        return found

    def points(self, seat: str) -> list[tuple[str, int]]:
        """The points that the last action gave to a seat, `(clause, n)` one by one."""
        return [
            (e.because, e.facts["what"]["points"])
            for e in self.events
            if e.kind == "moved" and e.facts["target"] == ["seats", seat, "score"]
        ]

    def sound(self) -> None:
        """The state can exist, and is the same after a trip through JSON."""
        found = problems(RULES, self.state)
        assert not found, found
        data = encode(self.state)
        assert encode(RULES.decode(data)) == data

    # -- acting

    def judged(self, actor: str, kind: str, **wire: Any) -> Judgement:
        action = {"kind": kind, "actor": actor, **{k.rstrip("_"): v for k, v in wire.items()}}
        return judge(RULES, self.state, action, lowest)

    def play(self, actor: str, kind: str, **wire: Any) -> Game:
        """Play what must be legal."""
        judgement = self.judged(actor, kind, **wire)
        assert judgement.legal, judgement.violations
        self.state, self.events = judgement.state, list(judgement.events)
        self.sound()
        return self

    def refused(self, actor: str, kind: str, **wire: Any) -> dict[str, Violation]:
        """What must be refused: by clause, the first violation of each; nothing has changed."""
        before = encode(self.state)
        judgement = self.judged(actor, kind, **wire)
        assert not judgement.legal, f"{kind} is legal"
        assert encode(self.state) == before
        return {v.rule: v for v in reversed(judgement.violations)}

    def roll(self, *values: int) -> Game:
        """The dice fall like this; the events are those of all of them."""
        events: list[Any] = []
        for value in values:
            self.play("chance", "roll-die", value=value)
            events += self.events
        self.events = events
        return self

    def draw(self, *cards: str) -> Game:
        """These cards come off the deck."""
        events: list[Any] = []
        for card in cards:
            self.play("chance", "draw-card", card=card)
            events += self.events
        self.events = events
        return self

    def draw_any(self) -> Game:
        """Draw what comes first, as long as cards are drawn."""
        events: list[Any] = list(self.events)
        while "draw-card" in self.kinds:
            self.play("chance", "draw-card", card=next(iter(self.board.deck.odds())))
            events += self.events
        self.events = events
        return self

    def fight(
        self, attacker: str, defender: str, clearing: str, *dice: int, kind: str = "battle", **wire: Any
    ) -> Game:
        """A battle in which nobody plays a card, up to the first choice after the roll; all its events."""
        self.play(attacker, kind, clearing=clearing, defender=defender, **wire)
        events = list(self.events)
        while self.kinds[:1] in (("play-ambush",), ("foil-ambush",)):
            self.play(self.asked[0], "pass")
            events += self.events
        self.roll(*dice)
        self.events = events + self.events
        return self

    def fork(self) -> Game:
        """The same game once more."""
        twin = copy(self)
        twin.events = []
        return twin


def lowest(chance: ChanceState, total: int) -> int:
    """A source of chance by which the lowest id always comes up."""
    return 0


# At which step of a turn a test begins: what comes before has happened.
AT = {"turn": "begin-turn", "daylight": "warren", "evening": "cobbler"}


def game(
    seats: Mapping[str, Mapping[str, Any]] | None = None,
    map: Mapping[str, Bag] | None = None,
    *,
    turn: str | None = None,
    at: str = "daylight",
    mode: str = "given",
    check: bool = True,
    house: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    **board: Any,
) -> Game:
    """A game that stands in somebody's turn (default: the first seat's), at its beginning, its Daylight or Evening.

    Seats default to the Marquise (`cat`) and the Eyrie (`owl`); what is given for a seat is added to that.
    """
    held = (
        {s: {**DUEL.get(s, {}), **h} for s, h in {**DUEL, **(seats or {})}.items()} if _duel(seats) else seats
    )
    assert held is not None
    seat = turn or next(iter(held))
    state: Any = State(
        game="root", ruleset="1.0", schema=SCHEMA, game_id="test", seats=[Seat(s) for s in held],
        chance=ChanceState(mode=mode), table=board_of(held, map, options=options, **board), stack=[],
        house=dict(house or {}), options=chosen_of(options),
    )  # fmt: skip
    if check:
        assert board_problems(RULES, state) == []
    t = Table(RULES, state, lowest).fork()
    t.frames = [Root(step="play-turns", last=seat), Turn(seat=seat, step=AT[at])]
    advance(t)
    g = Game(t.to_state(1))
    g.events = list(t.events)
    return g


def _duel(seats: Mapping[str, Any] | None) -> bool:
    return seats is None or set(seats) <= set(DUEL)


def fresh(*factions: str | None, mode: str = "given", options: Mapping[str, Any] | None = None) -> Game:
    """A new game from its set-up; None: a faction that chance deals."""
    chosen = [SetupSeat(s, choice={"faction": f} if f else {}) for s, f in zip(SEATS, factions, strict=False)]
    return Game(start(RULES, Setup(chosen, "test", ChanceState(mode=mode), options or {}), lowest))  # type: ignore[arg-type]


def says(found: Mapping[str, Violation], clause: str, *about: str, **facts: Any) -> None:
    """The refusal breaks the clause, points there, and has (at least) these facts."""
    violation = found[clause]
    assert violation.about == about
    assert facts.items() <= violation.facts.items()
