"""Chapter 1, components and supply: gems, energy decks, dust (ZAV-COMP-1 to ZAV-COMP-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.engine.action import ChanceAction
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control, goto
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, State
from service.engine.table import Table
from service.games.zavandor.v1.figures import ENERGY, Figures, figures
from service.games.zavandor.v1.state import Amount, Colour, Player


def player(t: Table, seat: str) -> Player:
    """A seat's board and hand."""
    found: Player = t.board.seats[seat]
    return found


def living(t: Table) -> list[str]:
    """The seats still in the game, in table order."""
    return [s for s in t.seats if not t.board.seats[s].out]


def in_order(t: Table) -> list[str]:
    """The seats still in the game, by position card."""
    return [s for s in t.board.order if not t.board.seats[s].out]


def possible(dust: int) -> int:
    """The dust that is really handed over: there is no unit of 1, so 1 becomes 0 and 3 becomes 2 (ZAV-COMP-6)."""
    return dust - 1 if dust in (1, 3) else dust


def gain_dust(t: Table, because: str, seat: str, dust: int, place: str = "dust") -> None:
    """Dust from the bank."""
    t.moved(because, {"dust": dust}, None, ("seats", seat, place))


def piece_totals(state: State[Any, Any], f: Figures) -> Mapping[str, Mapping[str, int]]:
    """What every state holds in all: gems, energy cards, artifacts and sentinels (ZAV-COMP-2, -4, -7, ZAV-SETUP-7)."""
    copies = f.table["copies-by-seats"].get(str(len(state.seats)), 0)
    return {
        "gem": {g.id: g.supply for g in f.gems.values()},
        "energy": {c.id: c.count for c in f.energy.values()},
        "artifact": {a.id: min(copies, a.copies) for a in f.artifacts.values()},
        "sentinel": dict.fromkeys(f.sentinels, 1),
    }


class DrawEnergy(Frame, kw_only=True):
    """A seat draws `left` cards of a colour into `place` (its hand, or under its position card)."""

    seat: Public[SeatRef]
    colour: Public[Colour]
    left: Public[Amount]
    place: Public[str] = "energy"
    because: Public[str]


class DrawEnergyCard(ChanceAction, kind="draw-energy", rule="ZAV-COMP-4"):
    """Which card comes off an energy deck; only the seat that draws it sees it."""

    card = Pick("ZAV-COMP-4", ENERGY)

    @classmethod
    def odds(cls, t: Table, frame: DrawEnergy) -> Mapping[str, int]:
        """The cards that may lie on top."""
        odds: Mapping[str, int] = t.board.decks[frame.colour].odds()
        return odds

    @classmethod
    def could(cls, t: Table, frame: DrawEnergy) -> Sequence[str]:
        """Every card of the colour."""
        energy = figures(t).energy
        return [card for card in ENERGY if energy[card].colour == frame.colour]

    def sight(self, t: Table) -> frozenset[str] | None:
        """The drawing seat alone."""
        return frozenset([self.frame.seat])

    def resolve(self, t: Table) -> Control:
        """Into the hand or under the position card."""
        f: DrawEnergy = self.frame
        t.moved(f.because, {self.card: 1}, ("decks", f.colour), ("seats", f.seat, f.place))
        f.left -= 1
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: who draws."""
        return {"seat": self.frame.seat}


def ready_the_deck(t: Table, f: DrawEnergy) -> Control:
    """An empty deck is made anew from its discard pile (ZAV-COMP-9); without one, dust replaces cards (ZAV-COMP-10)."""
    if not f.left:
        return DONE
    if t.board.decks[f.colour].size:
        return None
    if t.board.discards[f.colour]:
        t.shuffled("ZAV-COMP-9", ("discards", f.colour), ("decks", f.colour))
        return None
    each = figures(t).table["dust-per-missing-card"][f.colour]
    gain_dust(t, "ZAV-COMP-10", f.seat, each * f.left, "dust" if f.place == "energy" else "waiting_dust")
    return DONE


def next_card(t: Table, f: DrawEnergy) -> Control:
    """Until all are drawn."""
    return goto("ready-the-deck")


def discard_energy(
    t: Table, because: str, seat: str, cards: Mapping[str, int], place: str = "energy"
) -> None:
    """Cards face up to the discard piles of their colours (ZAV-COMP-9)."""
    for card in sorted(cards):
        pile = ("discards", figures(t).energy[card].colour)
        t.moved(because, {card: cards[card]}, ("seats", seat, place), pile)


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.pieces(piece_totals)
    rules.procedure(
        DrawEnergy,
        ready_the_deck,
        Ask("draw", lambda t, f: CHANCE, takes=(DrawEnergyCard,), rule="ZAV-COMP-4"),
        next_card,
    )
