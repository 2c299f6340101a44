"""Chapter 16, the Vagabond: pawn, character, relationships, and what is always on (ROOT-VAG-6, ROOT-VAG-50 to -58)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.state import State
from service.engine.table import Table
from service.games.root.v1.components import Plugs, Totals, add_up, player, turn_player
from service.games.root.v1.figures import FACTIONS, PRINTED, Figures, pieces_of
from service.games.root.v1.removal import lost_by
from service.games.root.v1.state import FactionId, Removal
from service.games.root.v1.vagabond_items import VAGABOND, is_vagabond, vagabond, vagabonds
from service.games.root.v1.woodland import neighbours, warriors

HOSTILE, ALLIED, INDIFFERENT = "hostile", "allied", "indifferent"


# -- the pawn -----------------------------------------------------------------------------------------------------


def pawn_is_there(t: Table, seat: str, clearing: str) -> bool:
    """A pawn is a piece of its player's; it is presence, and it can fight (ROOT-BATTLE-1)."""
    return is_vagabond(t, seat) and vagabond(t, seat).pawn == clearing


def nimble(t: Table, seat: str, origin: str, to: str) -> bool:
    """A pawn moves whoever rules (ROOT-MOVE-3, ROOT-VAG-6)."""
    return is_vagabond(t, seat)


def pawn_of(t: Table, seat: str) -> str:
    """Where a Vagabond's pawn stands: a clearing or a forest."""
    return str(vagabond(t, seat).pawn)


def reach(t: Table, seat: str) -> tuple[str, ...]:
    """The clearings and forests adjacent to the pawn (ROOT-MAP-5)."""
    here = pawn_of(t, seat)
    if here in PRINTED.forests:
        return (*PRINTED.forests[here].clearings, *PRINTED.forests[here].forests)
    return (*neighbours(t, seat, here), *PRINTED.clearings[here].forests) if here in PRINTED.clearings else ()


def plays(t: Table, seat: str, character: str) -> bool:
    """Whether a seat plays a Vagabond of this character."""
    return is_vagabond(t, seat) and vagabond(t, seat).character == character


# -- relationships ------------------------------------------------------------------------------------------------


def relation(t: Table, seat: str, other: str) -> str | None:
    """What another player's faction is to a Vagabond; None for another Vagabond (ROOT-VAG-50, ROOT-VAG2-1)."""
    return vagabond(t, seat).relationships.get(str(player(t, other).faction))


def relate(t: Table, because: str, seat: str, faction: str, to: str) -> None:
    """A marker moves."""
    t.set(because, to, "seats", seat, VAGABOND, "relationships", faction)


def factions_met(t: Table) -> tuple[str, ...]:
    """The factions in the game that are no Vagabonds."""
    playing = [p.faction for p in t.board.seats.values()]
    return tuple(f for f in FACTIONS if f in playing and f != VAGABOND)


def is_hostile_ground(t: Table, seat: str, clearing: str) -> bool:
    """Whether a warrior of a Hostile faction stands there (ROOT-VAG-22)."""
    return any(relation(t, seat, s) == HOSTILE and warriors(t, s, clearing) for s in t.seats if s != seat)


# -- hostility (ROOT-VAG-55) and infamy (ROOT-VAG-57) -------------------------------------------------------------


def taken_by(f: Removal, remover: str) -> dict[str, int]:
    """All pieces that a player removes."""
    found: dict[str, int] = {}
    for bag in f.losses.get(remover, {}).values():
        add_up(found, bag)
    return found


def turns_hostile(t: Table, f: Removal, seat: str) -> list[str]:
    """The factions that lose a warrior to a Vagabond and were not Hostile to him yet."""
    gone, known = taken_by(f, seat), vagabond(t, seat).relationships
    bereft = {lost_by(t, f, p) for p, n in gone.items() if n and PRINTED.pieces[p].kind == "warrior"}
    return [faction for faction in factions_met(t) if known.get(faction) != HOSTILE and faction in bereft]


def infamy(t: Table, f: Removal, remover: str, n: int) -> tuple[str, int] | None:
    """In battle in his own turn, a point for each piece of a Hostile faction; the warrior that made it so is none."""
    if not f.in_battle or not is_vagabond(t, remover) or turn_player(t) != remover:
        return None
    gone, fresh = taken_by(f, remover), turns_hostile(t, f, remover)
    hated = [faction for faction, r in vagabond(t, remover).relationships.items() if r == HOSTILE]
    points = sum(gone.get(p, 0) for faction in (*hated, *fresh) for p in pieces_of(faction)) - len(fresh)
    return ("ROOT-VAG-57", points) if points else None


class Hostility(Frame, kw_only=True):
    """Factions have lost a warrior to a Vagabond."""

    seat: Public[SeatRef]
    factions: Public[list[FactionId]]


def hostility(t: Table, f: Removal) -> list[Frame]:
    """Who loses a warrior to a Vagabond becomes Hostile to him, whoever's turn it is (ROOT-VAG-55, ROOT-R-VAG-3)."""
    found = {seat: turns_hostile(t, f, seat) for seat in vagabonds(t)}
    return [Hostility(seat=seat, factions=factions) for seat, factions in found.items() if factions]


def become_hostile(t: Table, f: Hostility) -> Control:
    """The markers move."""
    for faction in f.factions:
        relate(t, "ROOT-VAG-55", f.seat, faction, HOSTILE)
    return None


# -- closed clearings (ROOT-VAG-46, ROOT-MOVE-7, ROOT-X-19) -------------------------------------------------------


def scorched(t: Table, seat: str, clearing: str) -> str | None:
    """Nothing is placed in, or moved into, a clearing that Scorched Earth has closed."""
    return "ROOT-MOVE-7" if clearing in t.board.scorched else None


# -- what there is in all -----------------------------------------------------------------------------------------


def ruin_items(vagabonds: int) -> dict[str, int]:
    """The items under ruins: one set, or, with two Vagabonds, both sets, which are marked (ROOT-VAG2-2)."""
    if vagabonds > 1:
        return {m.id: m.count for m in PRINTED.marked.values()}
    return {i.id: i.ruins for i in PRINTED.items.values() if i.ruins and vagabonds}


def characters(state: State[Any, Any]) -> Sequence[str | None] | None:
    """The characters of all Vagabonds, as far as they have one; None before the first set-up, and without Vagabonds."""
    table = state.table
    boards = [p.vagabond for p in table.seats.values() if p.vagabond is not None]
    if not boards:
        return None
    begun = table.quests or table.quest_deck.size or any(b.character or b.quests for b in boards)
    return tuple([b.character for b in boards]) if begun else None


def vagabond_totals(figures: Figures, chosen: Sequence[str | None] | None) -> Mapping[str, Mapping[str, int]]:
    """Quests, the items of ruins, and those that each character begins with; all come with the first set-up."""
    if chosen is None:
        return {"quest": {}}
    items: dict[str, int] = ruin_items(len(chosen))
    for character in chosen:
        add_up(items, figures.characters[character].items if character else {})
    return {"quest": dict.fromkeys(PRINTED.quests, 1), "item": items}


TOTALS = Totals(characters, vagabond_totals)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(Hostility, become_hostile)
