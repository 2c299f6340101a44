"""What cannot be of frames that Vagabonds bring: unfinished business that no game can have come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.battle_problems import hits_taken
from service.games.root.v1.cards import Draw, TakeRandomCard, hand_size, has_no_hand
from service.games.root.v1.components import Plugs, turn_player
from service.games.root.v1.draw_problems import Due, Dues
from service.games.root.v1.figures import PRINTED, figures
from service.games.root.v1.state import Battle
from service.games.root.v1.vagabond import (
    ALLIED,
    HOSTILE,
    INDIFFERENT,
    Hostility,
    pawn_is_there,
    plays,
    relation,
)
from service.games.root.v1.vagabond_aid import Gift
from service.games.root.v1.vagabond_battle import Allies, Protector, possible_allies, protector
from service.games.root.v1.vagabond_items import (
    EXHAUSTED,
    VAGABOND,
    count_kind,
    is_vagabond,
    references_in,
    vagabond,
    vagabonds,
)
from service.games.root.v1.vagabond_ruins import Exploring
from service.games.root.v1.vagabond_turn import VagabondBirdsong, VagabondDaylight, VagabondEvening
from service.games.root.v1.woodland import is_present

Found = Iterator[tuple[str, str, str | None]]  # (field, what is wrong, clause)


def birdsong(t: Table, f: VagabondBirdsong) -> Found:
    """A choice of items to refresh is due only where there is one, and by the tea on its track."""
    tea = count_kind(t, f.seat, "tea", "track")
    n = figures(t).table["refresh"] + figures(t).table["refresh-per-tea"] * tea if f.step == "refresh" else 0
    if f.refreshes != n or (n and sum(references_in(t, f.seat, *EXHAUSTED).values()) <= n):
        yield "refreshes", say("{n} items cannot be due for refreshing", n=f.refreshes), "ROOT-VAG-10"


def daylight(t: Table, f: VagabondDaylight) -> Found:
    """Aids that count towards a step are fewer than the step takes."""
    for faction, n in f.aids.items():
        now = vagabond(t, f.seat).relationships.get(faction)
        needed = figures(t).relationships[now].aids_to_next if now is not None else None
        loose = now == HOSTILE or vagabond(t, f.seat).coalition is not None
        if now is None or (n >= (needed or 1) and not loose):
            message = say("{n} aids to the {faction} cannot be open", n=n, faction=faction)
            yield f"aids/{faction}", message, "ROOT-VAG-51"


def exploring(t: Table, f: Exploring) -> Found:
    """He stands at a ruin; what is to be found is what lies there."""
    if f.clearing not in t.board.ruins or vagabond(t, f.seat).pawn != f.clearing:
        yield "clearing", say("{seat} stands at no ruin there", seat=f.seat), "ROOT-VAG-26"
    looking, players = sum(vagabond(t, f.seat).looking.values()), len(vagabonds(t))
    fresh = f.clearing not in t.board.unearthed
    if f.found or (f.step == "find") != (f.left > 0) or looking + f.left > players or f.left < 0:
        yield "left", say("{n} items cannot be left to find", n=f.left), "ROOT-VAG-26"
    elif fresh and looking + f.left != players:
        yield "left", say("{n} items cannot be left to find", n=f.left), "ROOT-VAG2-2"
    if bool(f.knew) == fresh or set(f.knew) - set(vagabonds(t)):
        yield "knew", say("who has looked there knows it, and nobody else"), "ROOT-INFO-11"


def gift(t: Table, f: Gift) -> Found:
    """Somebody else was aided, where the pawn stands; he has the card, and thinks better of the Vagabond."""
    pawn = vagabond(t, f.seat).pawn
    if f.giver == f.seat or pawn not in PRINTED.clearings or not is_present(t, f.giver, str(pawn)):
        yield "giver", say("{seat} cannot have been aided", seat=f.giver), "ROOT-VAG-27"
    elif not hand_size(t, f.giver) and not has_no_hand(t, f.giver):
        yield "giver", say("{seat} holds no card that was given", seat=f.giver), "ROOT-VAG-27"
    elif f.step == "gift" and _is_one_aid_away(t, f):
        yield "giver", say("this aid would have improved the relationship"), "ROOT-VAG-51"


def _is_one_aid_away(t: Table, f: Gift) -> bool:
    """Whether a single aid improves the relationship, from which nobody has come to it: so there has been none."""
    lowest = relation(t, f.seat, f.giver) == INDIFFERENT
    return lowest and figures(t).relationships[INDIFFERENT].aids_to_next == 1


def allies(t: Table, f: Allies) -> Found:
    """The attacker, a Vagabond, is asked where he has an ally."""
    battle = t.frame(Battle)
    if battle is None or battle.attacker != f.seat or not possible_allies(t, battle):
        yield "seat", say("{seat} has no ally in this battle", seat=f.seat), "ROOT-VAG-53"


def enlisting(t: Table, f: Protector) -> Found:
    """The defender is asked, where an Arbiter stands who does not fight."""
    battle = t.frame(Battle)
    due = (
        []
        if battle is None
        else [(g.seat, g.arbiter) for g in protector(t, battle) if isinstance(g, Protector)]
    )
    if (f.seat, f.arbiter) not in due:
        yield "arbiter", say("{seat} cannot enlist {arbiter}", seat=f.seat, arbiter=f.arbiter), "ROOT-VAG-45"


def hostility(t: Table, f: Hostility) -> Found:
    """A Vagabond, and factions that were not Hostile to him."""
    if not is_vagabond(t, f.seat):
        yield "seat", say("{seat} does not play {faction}", seat=f.seat, faction=VAGABOND), "ROOT-VAG-55"
    known = vagabond(t, f.seat).relationships
    if (
        not f.factions
        or any(known.get(x) in (None, HOSTILE) for x in f.factions)
        or (len(set(f.factions)) != len(f.factions))
    ):
        yield "factions", say("these cannot be turning Hostile"), "ROOT-VAG-55"


def battle(t: Table, f: Battle) -> Found:
    """Who fights along, protects or instigates must be able to."""
    if f.ally is not None and not _is_ally(t, f):
        yield "ally", say("{seat} cannot fight along", seat=f.ally), "ROOT-VAG-53"
    if f.enlisted is not None and not _is_protector(t, f):
        yield "enlisted", say("{seat} cannot be enlisted", seat=f.enlisted), "ROOT-VAG-45"
    if f.instigator is not None and not _is_instigator(t, f):
        yield "instigator", say("{seat} cannot have instigated it", seat=f.instigator), "ROOT-VAG-43"
    counted = f.ally_hits + f.own_hits
    if f.ally_hits < 0 or f.own_hits < 0 or (counted and not is_vagabond(t, f.attacker)):
        yield "own_hits", say("a Vagabond's hits are counted, and only his"), "ROOT-VAG-54"
    elif f.ally_hits and f.ally is None:
        yield "ally_hits", say("nobody fights along"), "ROOT-VAG-54"
    elif counted > hits_taken(t, f, f.attacker):
        yield "own_hits", say("so many hits have not been taken yet"), "ROOT-VAG-54"


def _is_ally(t: Table, f: Battle) -> bool:
    allied = is_vagabond(t, f.attacker) and relation(t, f.attacker, str(f.ally)) == ALLIED
    return allied and f.ally not in (f.attacker, f.defender)


def _is_protector(t: Table, f: Battle) -> bool:
    seat = str(f.enlisted)
    fights = seat in (f.attacker, f.defender) or f.step in (
        "before-the-ambush",
        "ambush",
        "foil",
        "ambush-hits",
    )
    return plays(t, seat, "arbiter") and pawn_is_there(t, seat, f.clearing) and not fights


def _is_instigator(t: Table, f: Battle) -> bool:
    seat = str(f.instigator)
    return plays(t, seat, "vagrant") and pawn_is_there(t, seat, f.clearing) and turn_player(t) == seat


LOOKS: dict[type[Any], Callable[[Table, Any], Found]] = {
    VagabondBirdsong: birdsong,
    VagabondDaylight: daylight,
    Exploring: exploring,
    Gift: gift,
    Allies: allies,
    Protector: enlisting,
    Hostility: hostility,
    Battle: battle,
}


# -- draws --------------------------------------------------------------------------------------------------------


def _reward(t: Table, f: VagabondDaylight, draw: Draw) -> Due:
    return Due("ROOT-VAG-29", (f.seat,), figures(t).table["quest-cards"])


def _evening(t: Table, f: VagabondEvening, draw: Draw) -> Due:
    return Due("ROOT-VAG-71", (f.seat,), 1 + count_kind(t, f.seat, "coin", "track"))


def _stolen(t: Table, f: VagabondDaylight, take: TakeRandomCard) -> Due:
    return Due("ROOT-VAG-40", (f.seat,))


draws_due = Dues({VagabondDaylight: _reward, VagabondEvening: _evening})
random_cards_due = Dues({VagabondDaylight: _stolen})


def stolen(t: Table, f: TakeRandomCard) -> Found:
    """The Thief has spent a torch, and stands where the other has a piece."""
    if f.because != "ROOT-VAG-40":
        return
    pawn = vagabond(t, f.seat).pawn
    if not plays(t, f.seat, "thief") or not count_kind(t, f.seat, "torch", "satchel-down"):
        yield "seat", say("{seat} cannot have stolen", seat=f.seat), "ROOT-VAG-40"
    elif pawn not in PRINTED.clearings or not is_present(t, f.source, str(pawn)):
        yield "source", say("{seat} has nothing where the thief stands", seat=f.source), "ROOT-VAG-40"


def stolen_from_the_deck(t: Table, f: Draw) -> Found:
    """So has who draws because the other has no hand (ROOT-BOT-2)."""
    if f.because != "ROOT-BOT-2" or not is_vagabond(t, f.seat):
        return
    pawn = vagabond(t, f.seat).pawn
    if not plays(t, f.seat, "thief") or not count_kind(t, f.seat, "torch", "satchel-down"):
        yield "seat", say("{seat} cannot have stolen", seat=f.seat), "ROOT-VAG-40"
    elif not any(
        has_no_hand(t, s) and is_present(t, s, str(pawn)) for s in t.seats if pawn in PRINTED.clearings
    ):
        yield "seat", say("nobody without a hand has anything where the thief stands"), "ROOT-VAG-40"


LOOKS[TakeRandomCard] = stolen
LOOKS[Draw] = stolen_from_the_deck


def of_frames(t: Table) -> Iterator[Problem]:
    """Each frame by its kind."""
    for i, f in enumerate(t.frames):
        look = LOOKS.get(type(f))
        for name, message, rule in look(t, f) if look is not None else ():
            yield Problem(f"/stack/{i}/{name}", message, rule)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the search."""
    rules.check(of_frames)
