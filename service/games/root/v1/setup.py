"""Chapter 12, set-up: factions, seating, hands, then every faction in its order (ROOT-SETUP-1 to ROOT-SETUP-17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.engine.action import ChanceAction
from service.engine.control import Control, calls
from service.engine.deck import Deck, pool_of
from service.engine.domain import Pick
from service.engine.frames import Again, Ask, Each, Frame
from service.engine.message import say
from service.engine.places import changed
from service.engine.ruleset import Problem, Ruleset, SetupSeat
from service.engine.state import CHANCE
from service.engine.table import Table
from service.engine.wishes import Wished
from service.games.root.v1.campaign import Keeping, keepers, tell_start
from service.games.root.v1.cards import Draw
from service.games.root.v1.components import (
    Plugs,
    deck_cards,
    faction_of,
    first_answer,
    in_turn_order,
    player,
    plays_by_itself,
)
from service.games.root.v1.figures import (
    CLEARINGS,
    FACTIONS,
    PRINTED,
    SOLO,
    Figures,
    excluded_by,
    figures,
    pieces_of,
)
from service.games.root.v1.modes import head_start
from service.games.root.v1.scenarios import advise
from service.games.root.v1.state import BOARDS, Board, Player, Turn, field_of
from service.games.root.v1.state import Game as Game
from service.games.root.v1.victory import have_won, win_together

# -- factions (ROOT-SETUP-1) --------------------------------------------------------------------------------------


class DealFaction(ChanceAction, kind="deal-faction", rule="ROOT-SETUP-1"):
    """Which faction the next seat without one plays."""

    faction = Pick("ROOT-SETUP-1", FACTIONS)

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[str, int]:
        """Those that nobody plays, alike; a second copy only where nothing else is left.

        Chance deals none that plays by itself, and none beside another that plays with its pieces (ROOT-COMP-6).
        """
        taken = [p.faction for p in t.board.seats.values()]
        playable = [f for f in t.rules.choices["faction"] if not plays_by_itself([f])]
        playable = [f for f in playable if not any(g in taken for g in excluded_by(f))]
        fresh = [f for f in playable if f not in taken]
        again = [f for f in playable if taken.count(f) < PRINTED.factions[f].copies]
        return dict.fromkeys(fresh or again, 1)

    def resolve(self, t: Table) -> Control:
        """The seat gets its board and its pieces."""
        seat = without_faction(t)[0]
        t.set("ROOT-SETUP-1", self.faction, "seats", seat, "faction")
        take_board(t, seat)
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: who plays it."""
        return {"seat": without_faction(t)[0]}


def without_faction(t: Table) -> list[str]:
    """The seats that have no faction yet."""
    return [s for s in t.seats if t.board.seats[s].faction is None]


def take_board(t: Table, seat: str) -> None:
    """A faction's empty board and all its pieces; that it is there is no secret, and no news."""
    equipped = _player(figures(t), {"faction": player(t, seat).faction})
    t.board = changed(t.board, ("seats", seat), lambda _: equipped)


# -- seating (ROOT-SETUP-2) ---------------------------------------------------------------------------------------


class DrawSeat(ChanceAction, kind="draw-seat", rule="ROOT-SETUP-2"):
    """Who sits next, clockwise; the first who is drawn is the first player."""

    seat = Pick("ROOT-SETUP-2", lambda t, actor: t.seats)

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[str, int]:
        """Everybody who has no place yet, alike."""
        return {s: 1 for s in t.seats if s not in t.board.order}

    def resolve(self, t: Table) -> Control:
        """There he sits; where the places are taken as listed, the others follow from the first."""
        left = [s for s in t.seats if s not in t.board.order and s != self.seat]
        known = t.options["seating"] == "listed" or len(left) == 1
        at = t.seats.index(self.seat)
        after = [s for s in (*t.seats[at:], *t.seats[:at]) if s in left] if known else []
        t.set("ROOT-SETUP-2", [*t.board.order, self.seat, *after], "order")
        return None


def unseated(t: Table) -> bool:
    """Whether somebody has no place yet."""
    return len(t.board.order) < len(t.seats)


# -- hands and factions -------------------------------------------------------------------------------------------


def deal_hands(t: Table, f: Game) -> Control:
    """Three cards each, before the factions are set up (ROOT-SETUP-4, ROOT-SETUP-8)."""
    advise(t)
    tell_start(t)
    f.waiting = sorted(in_turn_order(t), key=lambda s: PRINTED.factions[str(player(t, s).faction)].setup)
    return calls(*(dealt(t, s) for s in in_turn_order(t)))


def dealt(t: Table, seat: str) -> Frame:
    """What a seat is dealt: a hand, unless its faction says otherwise (hook `dealt`)."""
    own: Frame | None = first_answer(t, "dealt", seat)
    return own or Draw(seat=seat, left=figures(t).table["starting-hand"], because="ROOT-SETUP-4")


def set_up(t: Table, f: Game, seat: str) -> Control:
    """One faction after another, each seeing what was placed before (ROOT-SETUP-7, ROOT-SETUP-17)."""
    return faction_of(t, seat).setup(seat=seat)  # type: ignore[call-arg]


def play_turns(t: Table, f: Game) -> Control:
    """Turn after turn, clockwise, until somebody wins (ROOT-GEN-9)."""
    if have_won(t):
        return None
    order = in_turn_order(t, f.last)
    f.last = order[0] if f.last is None else order[1]
    return calls(Turn(seat=f.last), again=True)


def keep_cards(t: Table, f: Game) -> Control:
    """After a win in a campaign everybody may keep a card (ROOT-CAMP-2)."""
    return Keeping(waiting=keepers(t))


def end_together(t: Table, f: Game) -> Control:
    """Then the game is over (ROOT-COOP-2)."""
    return win_together(t)


# -- the table before anything is done ----------------------------------------------------------------------------


def begin(seats: Sequence[SetupSeat], options: Mapping[str, Any], printed: Figures) -> Board:
    """Scores on 0, the deck of the game, ruins, the item supply (ROOT-SETUP-3 to ROOT-SETUP-6).

    In a campaign the opponent has a start, and kept cards lie in play areas (ROOT-CAMP-1, ROOT-CAMP-3).
    """
    players = {s.id: _player(printed, s.choice) for s in seats}
    automatic = plays_by_itself(p.faction for p in players.values())
    cards = deck_cards(printed, len(seats), automatic, options["mode"] == SOLO)
    for s in seats:
        p = players[s.id]
        p.score = head_start(printed, options, p.faction)
        p.kept = list(s.choice.get("kept", ()))
        p.crafted = list(p.kept)
        for card in p.kept:
            cards[card] -= 1
    return Board(
        seats=players,
        map={c: {} for c in CLEARINGS},
        deck=pool_of({card: n for card, n in cards.items() if n}),
        quest_deck=Deck(),
        buried=Deck(),
        items={i.id: i.supply for i in printed.items.values() if i.supply},
        ruins=[c.id for c in PRINTED.clearings.values() if c.ruin],
    )


def refused_factions(wished: Wished) -> Iterator[Problem]:
    """Every faction once, the Vagabond twice (ROOT-SETUP-1); who comes into a position plays what is played there."""
    position: Board | None = wished.position
    taken: list[str] = []
    for i, seat in enumerate(wished.seats):
        faction = seat.choice.get("faction")
        if faction is None:
            continue
        at = f"/seats/{i}/faction"
        if faction in PRINTED.factions and taken.count(faction) >= PRINTED.factions[faction].copies:
            yield Problem(at, say("{faction} is taken by another seat", faction=faction), "ROOT-SETUP-1")
        elif faction in PRINTED.factions and (
            other := next((f for f in excluded_by(faction) if f in taken), "")
        ):
            message = say("{faction} plays with the pieces of {other}", faction=faction, other=other)
            yield Problem(at, message, "ROOT-COMP-6")
        taken.append(faction)
        there = position.seats.get(seat.id) if position is not None else None
        if there is not None and there.faction != faction:
            yield Problem(at, say("in the position this seat does not play {faction}", faction=faction))


def _player(printed: Figures, choice: Mapping[str, Any]) -> Player:
    """A player at the start, with his faction's board and pieces if he has one; other wishes stand on that board."""
    faction = choice.get("faction")
    if faction is None:
        return Player()
    supply = {p: printed.pieces[p].count for p in sorted(pieces_of(faction))}
    fresh = Player(faction=faction, supply=supply)
    if faction in BOARDS:
        board = BOARDS[faction]
        wished = {name: value for name, value in choice.items() if name in board.__struct_fields__}
        setattr(fresh, field_of(faction), board(**wished))
    return fresh


def resume(board: Board, seats: Sequence[str]) -> list[Frame]:
    """A position goes on with the Birdsong of the first seat of its order."""
    return [Game(step="play-turns")]


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.begin(Game)(begin)
    rules.wishes(refused_factions)
    for fn in plugs.wishes:
        rules.wishes(lambda wished, fn=fn: fn(wished.seats, wished.position))  # type: ignore[misc]
    rules.resume(resume)
    rules.procedure(
        Game,
        Ask(
            "deal",
            lambda t, f: CHANCE if without_faction(t) else None,
            takes=(DealFaction,),
            rule="ROOT-SETUP-1",
            again=True,
        ),
        Ask(
            "seat",
            lambda t, f: CHANCE if unseated(t) else None,
            takes=(DrawSeat,),
            rule="ROOT-SETUP-2",
            again=True,
        ),
        deal_hands,
        Each("waiting", set_up),
        play_turns,
        keep_cards,
        end_together,
        may_call={
            "deal-hands": (Draw, *plugs.dealt),
            "set-up": tuple(f.setup for f in plugs.factions),
            "play-turns": Again((Turn,)),
            "keep-cards": (Keeping,),
        },
    )
