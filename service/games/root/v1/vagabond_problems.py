"""What types and conservation cannot see of Vagabonds: reasons why a table cannot exist."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from service.engine.deck import Deck, Pool, Run
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs
from service.games.root.v1.figures import ITEMS, MARKED, PRINTED, SPOTS, figures, kind_of, on_track
from service.games.root.v1.setup_problems import RUINS, before_play, has_just_set_up, is_to_set_up
from service.games.root.v1.state import Player, Vagabond
from service.games.root.v1.vagabond import INDIFFERENT, factions_met, plays
from service.games.root.v1.vagabond_coalition import partners
from service.games.root.v1.vagabond_items import READY, VAGABOND, count_kind, items_in, vagabond, vagabonds
from service.games.root.v1.vagabond_ruins import Exploring
from service.games.root.v1.vagabond_setup import NewQuest, VagabondSetup
from service.games.root.v1.woodland import count_in


def of_vagabonds(t: Table) -> Iterator[Problem]:
    """Each Vagabond's board."""
    for seat, p in t.board.seats.items():
        at = f"/table/seats/{seat}/vagabond"
        if p.faction == VAGABOND and p.vagabond is not None:
            yield from _of_one(t, seat, p, p.vagabond, at)
    both = vagabonds(t)
    yield from _second(t, both)
    if len(both) < 2:
        return
    for seat in both:
        yield from _marked(t, seat, f"/table/seats/{seat}/vagabond")
    taken = [str(vagabond(t, s).character) for s in both if vagabond(t, s).character]
    for character in sorted({c for c in taken if taken.count(c) > 1}):
        message = say("two Vagabonds are the {character}", character=character)
        yield Problem("/table/seats", message, "ROOT-VAG2-1")


def _second(t: Table, both: Sequence[str]) -> Iterator[Problem]:
    """Of two one has set up second, or nobody is named; of one, and before chance says it, nobody is."""
    named = [s for s in both if vagabond(t, s).second]
    if not named:
        return
    drawn = (
        len(both) > 1
        and sum(is_to_set_up(t, s) for s in both) < 2
        and not any(map(_first_is_drawn, t.frames))
    )
    for seat in named if len(named) > 1 or not drawn else ():
        message = say("one of two Vagabonds sets up second")
        yield Problem(f"/table/seats/{seat}/vagabond/second", message, "ROOT-VAG2-6")


def _first_is_drawn(frame: Any) -> bool:
    return isinstance(frame, VagabondSetup) and frame.step == "first"


def _of_one(t: Table, seat: str, p: Player, v: Vagabond, at: str) -> Iterator[Problem]:
    lost = [spot for spot in SPOTS if spot not in v.items]
    if lost:
        yield Problem(
            f"{at}/items", say("this place for items is missing: {spot}", spot=lost[0]), "ROOT-VAG-1"
        )
        return
    if v.character is None:
        yield from _before_set_up(t, seat, v, at)
        return
    if p.items:
        message = say("what a Vagabond crafts is his to use: he has no Crafted Items box")
        yield Problem(f"/table/seats/{seat}/items", message, "ROOT-VAG-2")
    if v.pawn is None:
        yield Problem(f"{at}/pawn", say("the pawn is nowhere"), "ROOT-VAG-6")
    yield from _tracks(t, seat, at)
    yield from _relationships(t, v, at)
    if v.coalition is not None or p.dominance is not None:
        yield from _coalition(t, seat, p, v, at)
    if is_to_set_up(t, seat):
        yield Problem(f"{at}/character", say("{seat} is still to set up", seat=seat), "ROOT-SETUP-12")
    if has_just_set_up(t, seat):
        yield from _just_set_up(t, seat, v, at)
    if v.looking and t.outcome is None:
        exploring = t.frame(Exploring)
        if exploring is None or exploring.seat != seat:
            yield Problem(f"{at}/looking", say("no ruin is being explored"), "ROOT-VAG2-3")


def _before_set_up(t: Table, seat: str, v: Vagabond, at: str) -> Iterator[Problem]:
    if any((v.pawn, v.looking, v.quests, v.relationships, v.coalition, *v.items.values())):
        yield Problem(at, say("{seat} has no character yet, and so nothing else", seat=seat), "ROOT-SETUP-12")
    setting_up: VagabondSetup | None = t.frame(VagabondSetup)
    skipped = setting_up is not None and setting_up.seat != seat and not is_to_set_up(t, seat)
    if skipped or not before_play(t):
        message = say("{seat} has chosen no character", seat=seat)
        yield Problem(f"{at}/character", message, "ROOT-SETUP-12")


def _just_set_up(t: Table, seat: str, v: Vagabond, at: str) -> Iterator[Problem]:
    """The pawn in a forest, the starting items face up, everybody Indifferent, and no quest completed."""
    if v.pawn not in PRINTED.forests:
        yield Problem(f"{at}/pawn", say("the pawn begins in a forest"), "ROOT-SETUP-12")
    for faction, now in v.relationships.items():
        if now != INDIFFERENT:
            message = say("all are Indifferent at first: {faction}", faction=faction)
            yield Problem(f"{at}/relationships/{faction}", message, "ROOT-SETUP-12")
    if items_in(t, seat, *READY) != dict(figures(t).characters[str(v.character)].items) or any(
        v.items[spot] for spot in SPOTS if spot not in READY
    ):
        yield Problem(f"{at}/items", say("the starting items lie face up"), "ROOT-SETUP-12")
    if v.quests:
        yield Problem(f"{at}/quests", say("no quest is completed before play begins"), "ROOT-SETUP-12")


def _tracks(t: Table, seat: str, at: str) -> Iterator[Problem]:
    for item in vagabond(t, seat).items["track"]:
        if not on_track(item):
            yield Problem(
                f"{at}/items/track/{item}", say("there is no track for {item}", item=item), "ROOT-VAG-2"
            )
    most = figures(t).table["track-capacity"]
    if sum(vagabond(t, seat).items["track"].values()) <= most:
        return  # not too many of any kind, then
    for kind in (i for i in ITEMS if on_track(i)):
        n = count_kind(t, seat, kind, "track")
        if n > most:
            message = say("{n} × {item} on a track of {most}", n=n, item=kind, most=most)
            yield Problem(f"{at}/items/track", message, "ROOT-VAG-2")


def _relationships(t: Table, v: Vagabond, at: str) -> Iterator[Problem]:
    met = factions_met(t)
    for faction in sorted(v.relationships.keys() ^ met):
        missing = faction in met
        message = (
            say("no relationship with the {faction} is marked", faction=faction)
            if missing
            else say("there is no relationship with the {faction} in this game", faction=faction)
        )
        yield Problem(f"{at}/relationships" + ("" if missing else f"/{faction}"), message, "ROOT-VAG-50")


def _marked(t: Table, seat: str, at: str) -> Iterator[Problem]:
    """Of the items of ruins, which two Vagabonds share, nobody takes a second one of a kind."""
    spots = [spot for spot in SPOTS if spot in vagabond(t, seat).items]
    for item, n in items_in(t, seat, *spots).items():
        if item in MARKED and n > 1:
            message = say("{n} × {item}: a second one cannot be taken", n=n, item=item)
            yield Problem(f"{at}/items", message, "ROOT-VAG2-4")


def _coalition(t: Table, seat: str, p: Player, v: Vagabond, at: str) -> Iterator[Problem]:
    if (v.coalition is None) != (p.dominance is None):
        message = say("a Vagabond's dominance card stands for a coalition")
        yield Problem(f"{at}/coalition", message, "ROOT-VAG-60")
    if v.coalition is None:
        return
    if len(t.seats) < figures(t).table["coalition-players"]:
        yield Problem(f"{at}/coalition", say("too few players for a coalition"), "ROOT-VAG-60")
    if v.coalition == seat:
        yield Problem(f"{at}/coalition", say("nobody is his own partner"), "ROOT-VAG-60")
    others = [s for s in vagabonds(t) if s != seat]
    if any(v.coalition == vagabond(t, s).coalition for s in others):
        message = say("{partner} has two partners", partner=v.coalition)
        yield Problem(f"{at}/coalition", message, "ROOT-VAG-62")
    if any(v.coalition == s and vagabond(t, s).coalition == seat for s in others):
        message = say("each would have joined the other")
        yield Problem(f"{at}/coalition", message, "ROOT-VAG-62")


# -- the table ----------------------------------------------------------------------------------------------------


def of_the_table(t: Table) -> Iterator[Problem]:
    """Quests, ruins, scorched clearings."""
    yield from _quests(t)
    yield from _piles(t)
    yield from _ruins(t)
    if t.board.scorched:
        yield from _scorched(t)


def _quests(t: Table) -> Iterator[Problem]:
    up, most = len(t.board.quests), figures(t).table["quests-face-up"]
    if up > most:
        yield Problem("/table/quests", say("{n} quests lie face up", n=up), "ROOT-VAG-29")
    drawing = bool(t.frames) and isinstance(t.frames[-1], (NewQuest, VagabondSetup))
    if up < most and t.board.quest_deck.size and not drawing and t.outcome is None:
        yield Problem("/table/quests", say("a quest has still to be turned up"), "ROOT-VAG-29")
    for i, frame in enumerate(t.frames if up else ()):
        if isinstance(frame, VagabondSetup) and frame.step == "first":
            message = say("who sets up first is drawn before the quests")
            yield Problem(f"/stack/{i}/step", message, "ROOT-VAG2-6")


def _piles(t: Table) -> Iterator[Problem]:
    """Nothing is known of the order of quests and buried items, and nothing is set aside."""
    for name, deck in (("quest_deck", t.board.quest_deck), ("buried", t.board.buried)):
        if not _is_one_pool(deck):
            yield Problem(
                f"/table/{name}", say("it must be one pool, with nothing set aside"), "ROOT-SETUP-12"
            )


def _is_one_pool(deck: Deck) -> bool:
    """Whether there is nothing, or one pool of one stratum that is all there."""
    if len(deck.segments) != 1:
        return not deck.segments
    pool = deck.segments[0]
    if not isinstance(pool, Pool) or len(pool.strata) != 1:
        return False
    return pool.strata[0].size == sum(pool.strata[0].members.values())


def _ruins(t: Table) -> Iterator[Problem]:
    """Under each ruin lies an item for each Vagabond, seen or not, until somebody takes it."""
    players = len(vagabonds(t))
    if not players:
        yield from _undisturbed(t)
    if not players or not _laid_out(t):
        return
    exploring: Exploring | None = t.frame(Exploring)
    here = None if exploring is None else exploring.clearing
    fresh = [c for c in t.board.ruins if c not in t.board.unearthed and c != here]
    due = players * len(fresh)
    if exploring is not None and here not in t.board.unearthed:
        due += exploring.left
    won = t.outcome is not None and 0 <= due - t.board.buried.size <= players  # by the very item that he took
    if t.board.buried.size != due and not won:
        message = say("{n} items are buried; it must be {due}", n=t.board.buried.size, due=due)
        yield Problem("/table/buried", message, "ROOT-SETUP-12")
    for clearing, deck in t.board.unearthed.items():
        yield from _unearthed(t, clearing, deck, players, clearing == here)


def _undisturbed(t: Table) -> Iterator[Problem]:
    """Without a Vagabond no ruin goes away, and no item leaves the game."""
    if not RUINS.issubset(t.board.ruins):
        yield Problem("/table/ruins", say("only a Vagabond explores ruins"), "ROOT-MAP-8")
    if t.board.item_box:
        yield Problem("/table/item_box", say("only a Vagabond's items leave the game"), "ROOT-VAG-72")
    if t.board.unearthed:
        yield Problem("/table/unearthed", say("only a Vagabond explores ruins"), "ROOT-MAP-8")


def _laid_out(t: Table) -> bool:
    """Whether quests and the items of ruins have come to the table."""
    if t.board.quests or t.board.quest_deck.size:
        return True
    return any(vagabond(t, seat).quests for seat in vagabonds(t))


def _unearthed(t: Table, clearing: str, deck: Deck, players: int, exploring: bool) -> Iterator[Problem]:
    at = f"/table/unearthed/{clearing}"
    if players < 2 or clearing not in t.board.ruins:
        yield Problem(at, say("nothing can have been left there"), "ROOT-VAG2-3")
    emptied = exploring or t.outcome is not None  # the game may end by the item that was taken last
    if not (0 if emptied else 1) <= deck.size <= players:
        yield Problem(at, say("{n} items under one ruin", n=deck.size), "ROOT-VAG2-2")
    for i, segment in enumerate(deck.segments):
        knows = segment.known_to if isinstance(segment, Run) else None
        if not knows or set(knows) - set(vagabonds(t)) or len(set(knows)) < len(knows):
            yield Problem(
                f"{at}/segments/{i}", say("Vagabonds have looked there, and know it"), "ROOT-INFO-11"
            )


def _scorched(t: Table) -> Iterator[Problem]:
    burners = [s for s in vagabonds(t) if plays(t, s, "scoundrel")]
    for clearing, lying in t.board.scorched.items():
        at = f"/table/scorched/{clearing}"
        if not burners:
            yield Problem(at, say("there is no Scoundrel in this game"), "ROOT-VAG-46")
            continue
        if not lying or any(kind_of(item) != "torch" for item in lying):
            yield Problem(at, say("a torch closes a clearing, and nothing else"), "ROOT-VAG-46")
        left = [s for s in t.seats if count_in(t, s, clearing) and not partners(t, burners[0], s)]
        for s in left if all(p.faction for p in t.board.seats.values()) else ():
            message = say("{seat} has pieces in a closed clearing", seat=s)
            yield Problem(f"/table/map/{clearing}", message, "ROOT-VAG-46")


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the searches."""
    rules.check(of_vagabonds)
    rules.check(of_the_table)
