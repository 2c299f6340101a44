"""A table set for a test: states with chosen holdings, and a game that is played and refused on."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from types import SimpleNamespace
from typing import Any, cast

from schemas.action import action_schema
from service.engine.deck import Deck, pool_of
from service.engine.flow import window
from service.engine.judge import Judgement, judge
from service.engine.options import options
from service.engine.problems import problems
from service.engine.rule import Violation
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, State, encode
from service.engine.table import Table
from service.games.zavandor.v1 import RULES
from service.games.zavandor.v1.energy import own_price
from service.games.zavandor.v1.figures import (
    ARTIFACTS,
    CHARACTERS,
    COLOURS,
    GEMS,
    PRINTED,
    SENTINELS,
    TOKENS,
    TRACKS,
)
from service.games.zavandor.v1.hand_limit import HandLimit, hand_limit, hand_weight
from service.games.zavandor.v1.scoring import parts_of
from service.games.zavandor.v1.setup import Game as Root
from service.games.zavandor.v1.state import Player, Round

SEATS = ("ann", "bob", "cyd", "dan", "eve", "fay")
BLUE, GREEN, WHITE, RED = (
    {c: card.count for c, card in PRINTED.energy.items() if card.colour == colour} for colour in COLOURS
)
SAGES = {r["colour"]: stage for stage, r in enumerate(PRINTED.tracks["sages"].reward, 1)}
ACTIONS = action_schema(RULES, "Zavandor")()

# Mage, Kobold, ... by seat, so that nobody starts with cheaper gems or rubies unless a test says so.
DEALT = ("mage", "kobold", "elf", "fairy", "druid", "witch")


def entitled(character: str, **held: Any) -> dict[str, Any]:
    """What a seat holds, and with it what it took to come by it: the artifact or marker that gives the right.

    Whoever has emeralds or green energy has a Spellbook (a Crystal of Protection will do for cards), with diamonds or
    white energy an Elixir, with rubies or red energy Fire 4 (a Chalice will do for cards, a Druid's early ruby for it).
    """
    gems = {*held.get("active", {}), *held.get("inactive", {})}
    cards = {c.partition("-")[0] for c in (*held.get("energy", {}), *held.get("waiting", {}))}
    artifacts, tracks = dict(held.get("artifacts", {})), dict(held.get("tracks", {}))
    for kind in PRINTED.restricted:
        bought = kind.gem in gems or kind.colour in held.get("concentrated", {})
        drawn = kind.colour in cards and not any(a in artifacts for a in kind.producers)
        if not (bought or drawn) or (kind.early and held.get("early_rubies")):
            continue
        if kind.early:
            tracks["fire"] = 4
        else:
            artifacts.setdefault(kind.needs, 1)
    return {**held, "artifacts": artifacts, "tracks": tracks}


def holdings(character: str, **held: Any) -> dict[str, Any]:
    """What a seat holds; of its tokens, those that are not on a track or the pentagon are unbought, the dearest."""
    start_track = PRINTED.characters[character].track
    held = entitled(character, **held)
    rewarded = max((SAGES[card.partition("-")[0]] for card in held.get("waiting", {})), default=0)
    sages = {"sages": rewarded} if rewarded else {}
    held["tracks"] = {start_track: 1, **sages, **held.get("tracks", {})}
    gone = len(held["tracks"]) - 1 + held.get("bought", 0)
    held.setdefault("tokens", list(TOKENS[gone:]))
    return held


def less(held: Mapping[str, int], bag: Mapping[str, int]) -> dict[str, int]:
    """A bag without another."""
    rest = {what: n - bag.get(what, 0) for what, n in held.items()}
    assert all(n >= 0 for n in rest.values()), (held, bag)
    assert not set(bag) - set(held), bag
    return {what: n for what, n in rest.items() if n}


def added(bags: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for bag in bags:
        for what, n in bag.items():
            total[what] = total.get(what, 0) + n
    return total


def table_of(
    seats: Mapping[str, Mapping[str, Any]] | int = 2,
    *,
    order: Sequence[str] | None = None,
    display: Sequence[str] | None = None,
    discards: Iterable[str] = (),
    sold: int = 0,
    round: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """A board; `discards`: colours whose whole rest lies on the discard pile; `sold`: sentinels lost to a Curse.

    What the position takes to have come about is added: rights (`entitled`), points where a new round begins, rounds
    enough (from 3 on), and a player who is out of the game with the artifacts that lay above those in play.
    """
    if isinstance(seats, int):
        seats = {s: {} for s in SEATS[:seats]}
    free = [c for c in DEALT if c not in {h.get("character") for h in seats.values()}]
    dealt = {s: h.get("character") or free.pop(0) for s, h in seats.items()}
    held = {
        s: holdings(dealt[s], **{k: v for k, v in h.items() if k != "character"}) for s, h in seats.items()
    }
    living = [s for s, h in seats.items() if not h.get("out")]
    owned = added(h["artifacts"] for h in held.values())
    shown = added({a: 1} for a in (topmost(owned, len(seats), len(living)) if display is None else display))
    gone = {a: n for a, n in lying_above(owned, shown, len(seats)).items() if n}
    if gone and len(living) == len(seats):
        other = next(s for s in SEATS if s not in seats)
        dealt[other], held[other] = free[0], holdings(free[0], out=True)
        gone = lying_above(owned, shown, len(held))
    board = RULES.board_for([SetupSeat(s, choice={"character": c}) for s, c in dealt.items()], options or {})
    for seat, h in held.items():
        board.seats[seat] = Player(**{"vp": 3, **h, "character": dealt[seat]})
    board.display, board.gone_artifacts = shown, gone
    board.deck = deck_of(less(all_artifacts(len(held)), added([owned, shown, gone])))
    _lay_the_rest(board, discards, sold)
    board.order = list(living if order is None else order)
    board.round = rounds_enough(board) if round is None else round
    if not board.order and board.round:
        for seat, p in board.seats.items():
            p.vp = seats.get(seat, {}).get("vp", score(p))
    return board


def _lay_the_rest(board: Any, discards: Iterable[str], sold: int) -> None:
    """Gems, energy cards and sentinels that nobody has."""
    players = board.seats.values()
    board.supply = less(board.supply, added(b for p in players for b in (p.active, p.inactive)))
    held = added(b for p in players for b in (p.energy, p.waiting))
    for colour in COLOURS:
        rest = less(board.decks[colour].cards(), {c: n for c, n in held.items() if c.startswith(colour)})
        board.decks[colour] = Deck() if colour in discards else pool_of(rest)
        board.discards[colour] = rest if colour in discards else {}
    taken = [s for p in players for s in p.sentinels]
    left = [s for s in SENTINELS if s not in taken]
    board.sentinels, board.gone_sentinels = left[: len(left) - sold], left[len(left) - sold :][::-1]


def score(p: Player) -> int:
    """What a player counts; the figures are the printed ones at every table."""
    return sum(parts_of(cast("Table", SimpleNamespace(figures=PRINTED)), p).values())


def rounds_enough(board: Any) -> int:
    """A round by which so many markers can have moved and so many artifacts can have come up."""
    moved = [sum(p.tracks.values()) - 1 for p in board.seats.values()]
    drawn = sum(all_artifacts(len(board.seats)).values()) - board.deck.size
    return max(3, *moved, -(-drawn // len(board.seats)))


# -- artifacts


def all_artifacts(seats: int) -> dict[str, int]:
    return dict.fromkeys(ARTIFACTS, PRINTED.table["copies-by-seats"][str(seats)])


def topmost(owned: Mapping[str, int], seats: int, n: int) -> list[str]:
    """The cards that lie on top of what is left: of each letter one of each kind, then the second ones."""
    left = less(all_artifacts(seats), owned)
    found = [(PRINTED.artifacts[a].letter, i, a) for a, count in left.items() for i in range(count)]
    return [a for _, _, a in sorted(found, key=lambda card: (*card[:2], ARTIFACTS.index(card[2])))][:n]


def lying_above(owned: Mapping[str, int], shown: Mapping[str, int], seats: int) -> dict[str, int]:
    """The cards nobody has of the letters that came up before the last one in play."""
    last = max((PRINTED.artifacts[a].letter for a in (*owned, *shown)), default="A")
    left = less(all_artifacts(seats), added([owned, shown]))
    return {a: n for a, n in left.items() if PRINTED.artifacts[a].letter < last}


def deck_of(cards: Mapping[str, int]) -> Deck:
    letters = [
        {a: n for a, n in cards.items() if PRINTED.artifacts[a].letter == letter}
        for letter in PRINTED.table["deck-order"]
    ]
    return Deck([segment for bag in letters for segment in pool_of(bag).segments])


# -- games


class Game:
    """A game in progress: `play` what is legal, `refused` what is not; chance asks, or `lowest` always comes up."""

    def __init__(self, first: Judgement | State[Any, Any]) -> None:
        self.state: Any = first if isinstance(first, State) else first.state
        self.events: list[Any] = [] if isinstance(first, State) else list(first.events)
        self.sound()

    # -- reading

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
    def asked(self) -> tuple[str, ...]:
        """Who must decide."""
        w = window(self.table)
        return () if w is None else w.actors

    @property
    def kinds(self) -> tuple[str, ...]:
        w = window(self.table)
        return () if w is None else tuple(c.kind for c in w.ask.takes)

    def hand_limit(self, seat: str) -> int:
        return hand_limit(self.table, self[seat])

    def weight(self, seat: str) -> int:
        return hand_weight(self.table, self[seat])

    def price(self, seat: str, gem: str) -> int:
        return own_price(PRINTED, self[seat], gem)

    def options(self, actor: str, kind: str) -> list[dict[str, Any]]:
        """Every legal option of a kind, open parameters filled with their examples."""
        return [o.filled() for o in options(self.table, actor, kinds=(kind,))]

    def notes(self, actor: str, kind: str, **closed: Any) -> list[dict[str, Any]]:
        found = [o for o in options(self.table, actor, kinds=(kind,)) if closed.items() <= o.filled().items()]
        return [note for o in found for note in o.notes]

    def because(self, kind: str | None = None) -> list[str]:
        """The clauses of the events of the last action."""
        return [e.because for e in self.events if kind in (None, e.kind)]

    def event(self, kind: str) -> dict[str, Any]:
        """The only event of this kind in the last action."""
        (found,) = [e.to_wire() for e in self.events if e.kind == kind]
        return found

    def moved(self, because: str) -> list[dict[str, Any]]:
        return [e.to_wire() for e in self.events if e.kind == "moved" and e.because == because]

    def sound(self) -> None:
        """The state can exist, and is the same after a trip through JSON."""
        assert problems(RULES, self.state) == []
        data = encode(self.state)
        again = RULES.decode(data)
        assert again == self.state
        assert encode(again) == data

    # -- acting

    def judged(self, actor: str, kind: str, **wire: Any) -> Judgement:
        return judge(RULES, self.state, {"kind": kind, "actor": actor, **wire}, lowest)

    def play(self, actor: str, kind: str, **wire: Any) -> Game:
        """Play what must be legal."""
        judgement = self.judged(actor, kind, **wire)
        assert judgement.legal, judgement.violations
        self.state, self.events = judgement.state, list(judgement.events)
        self.sound()
        return self

    def refused(self, actor: str, kind: str, **wire: Any) -> dict[str, Violation]:
        """Every violation of what must be refused, by clause; nothing has changed."""
        before = encode(self.state)
        judgement = self.judged(actor, kind, **wire)
        assert not judgement.legal, f"{kind} is legal"
        assert judgement.state is None
        assert encode(self.state) == before
        return {v.rule: v for v in judgement.violations}

    def fork(self) -> Game:
        """The same game once more."""
        twin = copy(self)
        twin.events = []
        return twin

    def end_turns(self, until: str | None = None) -> Game:
        """Every seat ends its turn, to the end of the round or until it is the named one's turn."""
        events: list[Any] = []
        this_round = self.board.round
        while "end-turn" in self.kinds and self.asked != (until,) and self.board.round == this_round:
            self.play(self.asked[0], "end-turn")
            events += self.events
        self.events = events
        return self

    def auction(self, winner: str, card: str, bid: int, **payment: Any) -> Game:
        """The active player puts a card up and the winner gets it for `bid`; he pays unless `pay=False`."""
        (active,) = self.asked
        first = bid if winner == active else least_bid(card)
        self.play(active, "start-auction", card=card, bid=first)
        while "bid" in self.kinds:
            (seat,) = self.asked
            if seat == winner and self.state.stack[-1].bid < bid:
                self.play(seat, "bid", amount=bid)
            else:
                self.play(seat, "pass")
        if payment.pop("pay", True) and "pay" in self.kinds:
            self.play(winner, "pay", payment=payment)
        return self


def least_bid(card: str) -> int:
    found = PRINTED.artifacts.get(card) or PRINTED.sentinels[card]
    return found.least_bid


def lowest(chance: ChanceState, total: int) -> int:
    """A source of chance by which the lowest id always comes up."""
    return 0


def seeded_by(seed: int) -> Any:
    """A source of chance that depends on the seed and the number of the draw."""
    return lambda chance, total: random.Random(f"{seed}/{chance.next_draw}").randrange(total)


def game(
    seats: Mapping[str, Mapping[str, Any]] | int = 2,
    *,
    mode: str = "seeded",
    options: Mapping[str, Any] | None = None,
    house: Mapping[str, Any] | None = None,
    **board: Any,
) -> Game:
    """A game that goes on from a chosen position: with `order` (default: as named) in phase 3, with () in phase 1.

    `house`: figures of its own; those that say how many pieces there are do not fit the position.
    """
    position = table_of(seats, options=options, **board)
    setup = Setup(
        [SetupSeat(s) for s in position.seats],
        "test",
        ChanceState(mode=mode),  # type: ignore[arg-type]
        options or {},
        position,
        house or {},
    )
    return Game(start(RULES, setup, lowest))


def fresh(*characters: str, mode: str = "seeded", draws: Any = lowest, seats: int | None = None) -> Game:
    """A new game from its set-up, with these characters or as many seats without."""
    wishes = [{"character": c} for c in characters] or [{} for _ in range(seats or 2)]
    setup = Setup(
        [SetupSeat(s, choice=w) for s, w in zip(SEATS, wishes, strict=False)],
        "test",
        ChanceState(mode=mode),  # type: ignore[arg-type]
    )
    return Game(start(RULES, setup, draws))


def at_hand_limit(seats: Mapping[str, Mapping[str, Any]] | int, **board: Any) -> Game:
    """A game that stands in phase 4, where the first player over the limit is asked."""
    g = game(seats, **board)
    state = copy(g.state)
    state.stack = [Root(step="play-rounds"), Round(step="score"), HandLimit(step="discard")]
    return Game(state)


def after_income(hand: Mapping[str, Any], others: int = 1, **board: Any) -> Game:
    """A new round up to the first turn: ann and the others get their income."""
    seats = {"ann": hand, **{s: {} for s in SEATS[1 : 1 + others]}}
    return game(seats, order=(), **board)


def gained(g: Game, seat: str) -> dict[str, Any]:
    """What the events of the last action gave to a seat: cards, concentrated cards and dust."""
    found: dict[str, Any] = {"cards": {}, "concentrated": {}, "dust": 0}
    for e in g.events:
        target = e.facts.get("target") if e.kind == "moved" else None
        if not target or target[:2] != ["seats", seat]:
            continue
        if target[2] == "dust":
            found["dust"] += e.facts["what"]["dust"]
        elif target[2] in ("energy", "concentrated"):
            kind = "cards" if target[2] == "energy" else "concentrated"
            for what, n in e.facts["what"].items():
                colour = what.partition("-")[0]
                found[kind][colour] = found[kind].get(colour, 0) + n
    return found


def schema_faults(wire: Mapping[str, Any]) -> dict[str, Any]:
    """What the wire contract says of an action that it cannot express; empty if it can."""
    found: dict[str, Any] = ACTIONS.validate(dict(wire))
    return found


__all__ = [
    "ARTIFACTS", "BLUE", "CHARACTERS", "COLOURS", "GEMS", "GREEN", "PRINTED", "RED", "RULES", "SEATS",
    "SENTINELS", "TOKENS", "TRACKS", "WHITE", "Game", "after_income", "at_hand_limit", "fresh", "gained",
    "game", "lowest", "schema_faults", "seeded_by", "table_of",
]  # fmt: skip
