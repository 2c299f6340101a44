"""Chapter 16, a Vagabond's set-up: quests, ruins, character, forest (ROOT-SETUP-12, ROOT-VAG2-1, -2, -6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.action import Action, ChanceAction, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.deck import pool_of
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.places import changed
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.root.v1.components import Plugs
from service.games.root.v1.figures import CHARACTERS, FORESTS, QUESTS, figures
from service.games.root.v1.setup import Game
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.vagabond import INDIFFERENT, factions_met, relate, ruin_items
from service.games.root.v1.vagabond_items import VAGABOND, at_spot, places_for, vagabond, vagabonds


class VagabondSetup(Frame, kw_only=True):
    """A Vagabond sets up."""

    seat: Public[SeatRef]


def lay_out(t: Table, f: VagabondSetup) -> Control:
    """The quest deck, and an item under each ruin, or two (ROOT-VAG2-2); the second Vagabond finds them there."""
    if t.board.quest_deck.size or t.board.quests:
        return None
    players = len(vagabonds(t))
    t.board = changed(t.board, ("quest_deck",), lambda _: pool_of(dict.fromkeys(QUESTS, 1)))
    t.board = changed(t.board, ("buried",), lambda _: pool_of(ruin_items(players)))
    t.tell("ruins-filled", "ROOT-SETUP-12" if players == 1 else "ROOT-VAG2-2", {"n": t.board.buried.size})
    return None


# -- who of two is first (ROOT-VAG2-6) ----------------------------------------------------------------------------


def without_character(t: Table) -> list[str]:
    """The Vagabonds that have still to set up."""
    return [s for s in vagabonds(t) if vagabond(t, s).character is None]


class DrawVagabond(ChanceAction, kind="draw-vagabond", rule="ROOT-VAG2-6"):
    """Which of two Vagabonds sets up first."""

    seat = Pick("ROOT-VAG2-6", lambda t, actor: t.seats)

    @classmethod
    def odds(cls, t: Table, frame: VagabondSetup) -> Mapping[str, int]:
        """Both alike."""
        return dict.fromkeys(without_character(t), 1)

    def resolve(self, t: Table) -> Control:
        """The other one waits."""
        (other,) = [s for s in without_character(t) if s != self.seat]
        game: Game = t.frame(Game)
        game.waiting = [other if s == self.seat else s for s in game.waiting]
        self.frame.seat = self.seat
        t.tell("sets-up-first", "ROOT-VAG2-6", {"seat": self.seat})
        t.set("ROOT-VAG2-6", True, "seats", other, VAGABOND, "second")
        return None


def sets_up_later(t: Table, seat: str) -> int:
    """1 for who is the second of two Vagabonds in the order of set-up (ROOT-SETUP-7)."""
    return int(vagabond(t, seat).second)


# -- quests -------------------------------------------------------------------------------------------------------


def quests_are_due(t: Table, f: Any) -> str | None:
    """Chance, as long as fewer than three quests lie face up and the deck has one (ROOT-VAG-29, ROOT-VAG2-5)."""
    due = len(t.board.quests) < figures(t).table["quests-face-up"] and t.board.quest_deck.size
    return CHANCE if due else None


class DrawQuest(ChanceAction, kind="draw-quest", rule="ROOT-VAG-29"):
    """Which quest is turned up."""

    quest = Pick("ROOT-VAG-29", QUESTS)

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[str, int]:
        """Those left in the deck."""
        odds: Mapping[str, int] = t.board.quest_deck.odds()
        return odds

    def resolve(self, t: Table) -> Control:
        """It lies face up."""
        t.moved("ROOT-VAG-29", {self.quest: 1}, ("quest_deck",), ("quests",))
        return None


def turn_up(name: str) -> Ask:
    """The window of chance that turns quests up."""
    return Ask(name, quests_are_due, takes=(DrawQuest,), rule="ROOT-VAG-29", again=True)


class NewQuest(Frame, kw_only=True):
    """A completed quest is replaced, as long as there are any."""


# -- character and forest -----------------------------------------------------------------------------------------


class SetupVagabond(Action, kind="setup-vagabond"):
    """Choose a character, and the forest where the pawn begins."""

    character = Pick("ROOT-SETUP-12", CHARACTERS)
    forest = Pick("ROOT-SETUP-12", FORESTS)

    @requires("ROOT-VAG2-1", "character")
    def nobody_else_has_it(t: Table, act: Any) -> Any:
        """Two Vagabonds are two characters."""
        taken = [vagabond(t, s).character for s in vagabonds(t)]
        return act.character not in taken or no(character=act.character)

    def resolve(self, t: Table) -> Control:
        """Starting items face up, and everybody Indifferent."""
        because, seat = "ROOT-SETUP-12", self.actor
        t.set(because, self.character, "seats", seat, VAGABOND, "character")
        t.set(because, self.forest, "seats", seat, VAGABOND, "pawn")
        for item, n in figures(t).characters[self.character].items.items():
            for spot, m in places_for(t, seat, item, n).items():
                t.moved(because, {item: m}, None, at_spot(seat, spot))
        for faction in factions_met(t):
            relate(t, because, seat, faction, INDIFFERENT)
        return None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        VagabondSetup,
        lay_out,
        Ask(
            "first",
            lambda t, f: CHANCE if len(without_character(t)) > 1 else None,
            takes=(DrawVagabond,),
            rule="ROOT-VAG2-6",
        ),
        turn_up("quests"),
        prompt("set-up", its_seat, (SetupVagabond,), "ROOT-SETUP-12"),
    )
    rules.procedure(NewQuest, turn_up("quest"))
