"""Reasons why a player of Simurgh cannot hold what he holds."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.components import active, laid_tiles, on_space, variant
from service.games.simurgh.v1.drafts import DragonDraft, PowerDraft
from service.games.simurgh.v1.effects import KINDS
from service.games.simurgh.v1.figures import POWER, figures
from service.games.simurgh.v1.gains import Hatching, Viewing
from service.games.simurgh.v1.moment import Moment
from service.games.simurgh.v1.placing import may_enter, occupants
from service.games.simurgh.v1.state import Player
from service.games.simurgh.v1.surplus_problems import most_resources, most_tiles

BEFORE = {"offered": (PowerDraft,), "looked_at": (DragonDraft, Hatching), "considered": (Viewing,)}


def player_problems(t: Table, m: Moment, seat: str, p: Player) -> Iterator[Problem]:
    """All of one player."""
    at = f"/table/seats/{seat}"
    yield from _vassals(t, at, p)
    yield from _assigned(t, at, seat, p)
    yield from _hand(t, m, at, seat, p)
    yield from _chosen_from(t, at, seat, p)
    yield from _dragons(t, m, at, p)
    yield from _at_the_start(t, m, at, p)
    over = sum(p.resources.values()) - figures(t).table["resource-limit"][variant(t)]
    if over > 0 and over > most_resources(t, m, seat):
        yield Problem(f"{at}/resources", say("{n} resources over the limit", n=over), "SIM-LIMIT-3")


# -- vassals ----------------------------------------------------------------------------------------------------


def _vassals(t: Table, at: str, p: Player) -> Iterator[Problem]:
    """Each colour has its number of each kind, and the last active one stays."""
    for kind in KINDS:
        away = sum(there.get(kind, 0) for there in p.assigned.values())
        n = p.available.get(kind, 0) + p.inactive.get(kind, 0) + away
        if n != (wanted := figures(t).vassals[kind].count):
            message = say("{n} of {kind}; each colour has {wanted}", n=n, kind=kind, wanted=wanted)
            yield Problem(f"{at}/inactive", message, "SIM-COMP-3")
    if not active(p):
        if t.frames and getattr(t.frames[0], "step", "") == "equip":
            return
        yield Problem(f"{at}/available", say("no vassal is left, and the last one never goes"), "SIM-PAY-2")


def _assigned(t: Table, at: str, seat: str, p: Player) -> Iterator[Problem]:
    """Every vassal stands where it may stand."""
    f = figures(t)
    laid = set(laid_tiles(t).values())
    for place, there in p.assigned.items():
        where = f"{at}/assigned/{place}"
        tile = f.tile_at.get(place)
        if tile is not None and tile not in laid:
            yield Problem(where, say("{tile} does not lie in the Wilds", tile=tile), "SIM-TILE-10")
        if there.get("spearman") and not may_enter(t, place, "spearman"):
            rule = "SIM-EXPL-13" if place in f.levels else "SIM-PLACE-4"
            yield Problem(where, say("no Spearman can be there"), rule)
        yield from _crowded(t, where, place)
    for tile in sorted(laid & set(f.move_costs)):
        if sum(on_space(p, place) for place in f.spaces_of[tile]) > 1:
            yield Problem(f"{at}/assigned", say("two riders on {tile}", tile=tile), "SIM-EXPL-6")


def _crowded(t: Table, where: str, place: str) -> Iterator[Problem]:
    f = figures(t)
    if place in f.levels:
        most = f.table["exploration-capacity"][str(f.levels[place].level)]
        rule = "SIM-EXPL-5"
    else:
        most, rule = (1 if f.spaces[place].slots == "single" else 0), "SIM-PLACE-1"
    if most and (n := occupants(t, place)) > most:
        yield Problem(where, say("{n} vassals there; it has room for {most}", n=n, most=most), rule)


# -- tiles ------------------------------------------------------------------------------------------------------


def _hand(t: Table, m: Moment, at: str, seat: str, p: Player) -> Iterator[Problem]:
    f = figures(t)
    power = [i for i, tile in enumerate(p.hand) if f.tiles[tile].type == POWER]
    if len(power) > f.table["power-deal"]:
        yield Problem(f"{at}/hand/{power[-1]}", say("nobody ever gets a second Power Tile"), "SIM-SETUP-7")
    over = len(p.hand) - f.table["hand-limit"]
    if over > 0 and over > most_tiles(t, m, seat):
        yield Problem(f"{at}/hand", say("{n} tiles over the limit", n=over), "SIM-LIMIT-1")
    for i, tile in enumerate(p.offered):
        if f.tiles[tile].type != POWER:
            yield Problem(f"{at}/offered/{i}", say("only Power Tiles are chosen from here"), "SIM-DL-2")


def _chosen_from(t: Table, at: str, seat: str, p: Player) -> Iterator[Problem]:
    """What is drawn to choose from is with him who chooses, while he does."""
    for field, kinds in BEFORE.items():
        if not getattr(p, field):
            continue
        due = [f for f in t.frames if isinstance(f, kinds)]
        if not any(getattr(f, "seat", seat) == seat for f in due):
            yield Problem(f"{at}/{field}", say("nothing is to be chosen here now"), "SIM-DEC-22")


# -- dragons ----------------------------------------------------------------------------------------------------


def _dragons(t: Table, m: Moment, at: str, p: Player) -> Iterator[Problem]:
    """Markers lie on own dragons, one on an ability; nobody is ever without a dragon."""
    f = figures(t)
    for ability, n in p.markers.items():
        if f.abilities[ability].dragon not in p.dragons:
            message = say("{dragon} is not with this player", dragon=f.abilities[ability].dragon)
            yield Problem(f"{at}/markers/{ability}", message, "SIM-DRAGON-5")
        elif n > 1:
            yield Problem(
                f"{at}/markers/{ability}", say("at most one marker lies on an ability"), "SIM-DRAGON-1"
            )
    if m.playing and not p.dragons and m.stage != "position":
        yield Problem(f"{at}/dragons", say("everybody has a dragon from the start"), "SIM-SETUP-12")


def _at_the_start(t: Table, m: Moment, at: str, p: Player) -> Iterator[Problem]:
    """Before the first turn everybody has what he started with (SIM-SETUP-4, SIM-SETUP-5)."""
    if m.playing:
        return
    f = figures(t)
    start = {r.id: r.start for r in f.resources.values() if r.start}
    vassals = {v.id: v.start for v in f.vassals.values() if v.start}
    for field, wanted, rule in (
        ("resources", start, "SIM-SETUP-5"),
        ("pp", f.table["start-pp"], "SIM-SETUP-5"),
        ("available", vassals, "SIM-SETUP-4"),
        ("assigned", {}, "SIM-SETUP-4"),
    ):
        if getattr(p, field) != wanted:
            yield Problem(
                f"{at}/{field}", say("before the first turn everybody has what he started with"), rule
            )
    if m.before("lay-display") and (p.dragons or p.looked_at):
        yield Problem(f"{at}/dragons", say("the dragons are still to be dealt"), "SIM-SETUP-12")
