"""Chapter 2, set-up (ZAV-SETUP-1 to ZAV-SETUP-9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.engine.action import ChanceAction
from service.engine.control import Control, calls
from service.engine.deck import Deck, pool_of
from service.engine.domain import Pick
from service.engine.frames import Again, Ask, Frame
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset, SetupSeat
from service.engine.state import CHANCE
from service.engine.table import Table
from service.engine.wishes import Wished
from service.games.zavandor.v1.components import DrawEnergy, gain_dust, player
from service.games.zavandor.v1.figures import CHARACTERS, Figures, figures
from service.games.zavandor.v1.rounds import Refill
from service.games.zavandor.v1.state import Board, Player, Round


class Game(Frame, kw_only=True):
    """The whole game: set-up, then round after round."""


class DealCharacter(ChanceAction, kind="deal-character", rule="ZAV-SETUP-1"):
    """Which of the characters left the next seat without one is dealt."""

    character = Pick("ZAV-SETUP-1", CHARACTERS)

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[str, int]:
        """All characters that nobody has, alike."""
        taken = {p.character for p in t.board.seats.values()}
        return {c: 1 for c in CHARACTERS if c not in taken}

    def resolve(self, t: Table) -> Control:
        """The seat gets it."""
        t.set("ZAV-SETUP-1", self.character, "seats", without_character(t)[0], "character")
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: who gets it."""
        return {"seat": without_character(t)[0]}


def without_character(t: Table) -> list[str]:
    """The seats that have no character yet."""
    return [s for s in t.seats if t.board.seats[s].character is None]


def equip(t: Table, f: Game) -> Control:
    """Gems, dust, the marker on the start track, the victory point marker (ZAV-SETUP-2, -3, -6)."""
    gems = figures(t).table["start-gems"]
    for seat in t.seats:
        t.moved("ZAV-SETUP-2", gems, ("supply",), ("seats", seat, "active"))
        character = figures(t).characters[str(player(t, seat).character)]
        gain_dust(t, "ZAV-SETUP-3", seat, character.dust)
        t.set("ZAV-SETUP-3", character.stage, "seats", seat, "tracks", character.track)
        t.set("ZAV-SETUP-6", sum(figures(t).gems[g].vp * n for g, n in gems.items()), "seats", seat, "vp")
    return None


def deal_start_cards(t: Table, f: Game) -> Control:
    """The Fairy's two blue cards (ZAV-SETUP-4)."""
    draws = []
    for seat in t.seats:
        cards = figures(t).characters[str(player(t, seat).character)].cards
        draws += [DrawEnergy(seat=seat, colour=c, left=n, because="ZAV-SETUP-4") for c, n in cards.items()]
    return calls(*draws)


def first_display(t: Table, f: Game) -> Control:
    """As many artifacts face up as there are players (ZAV-SETUP-8)."""
    return Refill(because="ZAV-SETUP-8")


def play_rounds(t: Table, f: Game) -> Control:
    """Round after round, until the game ends (ZAV-ROUND-1)."""
    return calls(Round(), again=True)


def begin(seats: Sequence[SetupSeat], options: Mapping[str, Any], f: Figures) -> Board:
    """The table before anything is dealt."""
    return Board(
        seats={s.id: _player(f, s.choice.get("character")) for s in seats},
        supply={g.id: g.supply for g in f.gems.values()},
        decks={
            colour: pool_of({c.id: c.count for c in f.energy.values() if c.colour == colour})
            for colour in f.concentrated
        },
        discards={colour: {} for colour in f.concentrated},
        deck=artifact_deck(f, len(seats)),
        sentinels=list(f.sentinels),
    )


def refused_characters(wished: Wished) -> Iterator[Problem]:
    """Six characters, all different (ZAV-COMP-1); who comes into a position plays the one who sits there."""
    position: Board | None = wished.position
    taken: set[str] = set()
    for i, seat in enumerate(wished.seats):
        character = seat.choice.get("character")
        if character is None:
            continue
        at = f"/seats/{i}/character"
        if character in taken:
            yield Problem(at, say("{character} is taken by another seat", character=character), "ZAV-COMP-1")
        taken.add(character)
        there = position.seats.get(seat.id) if position is not None else None
        if there is not None and there.character != character:
            yield Problem(at, say("in the position this seat is not the {character}", character=character))


def _player(f: Figures, character: str | None) -> Player:
    return Player(character=character, tokens=list(f.tokens))


def artifact_deck(f: Figures, seats: int) -> Deck:
    """A, B, C and D shuffled separately, A on top (ZAV-SETUP-7, -8)."""
    copies = f.table["copies-by-seats"][str(seats)]
    letters = [
        {a.id: min(copies, a.copies) for a in f.artifacts.values() if a.letter == letter}
        for letter in f.table["deck-order"]
    ]
    return Deck([segment for letter in letters for segment in pool_of(letter).segments])


def resume(board: Board, seats: Sequence[str]) -> list[Frame]:
    """A position goes on in phase 3 of its round with the first of its order, or with a new round if it has none."""
    game = Game(step="play-rounds")
    if not board.order:
        return [game]
    living = [s for s in board.order if s in board.seats and not board.seats[s].out]
    return [game, Round(step="take-turn", waiting=living)]


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.begin(Game)(begin)
    rules.wishes(refused_characters)
    rules.resume(resume)
    rules.procedure(
        Game,
        Ask(
            "deal",
            lambda t, f: CHANCE if without_character(t) else None,
            takes=(DealCharacter,),
            rule="ZAV-SETUP-1",
            again=True,
        ),
        equip,
        deal_start_cards,
        first_display,
        play_rounds,
        may_call={
            "deal-start-cards": (DrawEnergy,),
            "first-display": (Refill,),
            "play-rounds": Again((Round,)),
        },
    )
