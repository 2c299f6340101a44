"""House figures: which figures of the components a set-up may not override, and which do not go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb, prod
from typing import Any

from service.engine.house import Overridable
from service.engine.houses import Unsound
from service.engine.message import say
from service.games.simurgh.v1.effects import (
    KINDS,
    MARKER,
    RESOURCES,
    TOKENS,
)
from service.games.simurgh.v1.figures import POWER, Figures
from service.games.simurgh.v1.house_effects import abilities, effects, paths, room_for_all, vassals

MOST_SEATS = 5
MOST_WAYS = 50  # ways to pay one price
MOST_WAYS_IN_ALL = 1_500  # all of them are listed once a house
MOST_PAID = 4  # vassals of a kind, or markers, in one price: each may come from anywhere
HAND_DEAL, ACTION_DRAFT = ("table", "hand-deal", "value"), ("table", "action-draft", "value")

# A gain is written in one language wherever it stands, and so is a price; names at the right are those of the left.
GAINS = (
    "take",
    "choose_total",
    "of",
    "choose_one",
    "all",
    "special",
    "draw",
    "place_max",
    "n",
    "keep",
    "markers",
)
SAME = {
    **{f"{kind}.effect": "effect" for kind in ("spaces", "abilities")},
    **{f"effect.{word}": f"gain.{word}" for word in (*GAINS, "draw_dragons")},
    "levels.effect": "gain",
    "effect.gain": "gain",
    "gain.all[]": "gain",
    "gain.choose_one[]": "gain",
    "wilds.income.take": "gain.take",
    "wilds.income.choose_one[].take": "gain.take",
    "effect.pay": "cost",
    "cost.all[]": "cost",
    "cost.choose_one[]": "cost",
    "display.price": "cost",
    "statue.price": "cost",
    "tiles.move_cost": "cost",
    "table.removal-price": "cost.fixed",
}

# Numbers, types and homes of pieces are what they are known by; one Power Tile each is what both variants deal.
OVERRIDABLE = Overridable(
    fixed={
        "tiles": ("number", "type"),
        "spaces": ("tile", "number"),
        "levels": ("tile", "level"),
        "dragons": ("number", "pair"),
        "abilities": ("dragon", "slot"),
        "objectives": ("number",),
        "display": ("number",),
        "table": ("power-deal",),
    },
    apart=("table",),
    same=SAME,
    bounds={
        "vassals.count": (1, 10),
        "gain.take.*": (1, 30),
        "gain.choose_total": (1, 12),
        "gain.of": (2, 6),
        "gain.draw_dragons": (1, 24),
        "gain.keep": (1, 1),
        "gain.markers": (0, 3),
        "gain.draw": (1, 12),
        "gain.place_max": (1, 1),
        "gain.n": (1, 12),
        "cost.fixed": (0, len((*TOKENS, *KINDS, MARKER))),  # what costs nothing is bought without paying
        "cost.fixed.*": (1, 30),
        "cost.choose_total": (1, 6),
        "cost.of": (2, 6),
        "wilds.min_players": (2, 5),
        "lengths.objectives": (1, 5),
        "lengths.chronicle": (1, 30),
        "table.start-markers": (0, 3),
        "table.action-draft.*": (1, 10),
        "table.power-draft.*": (1, 8),
        "table.dragon-draft": (1, 4),
        "table.full-at.*": (1, 100),
        "table.leftovers.spearman[].every": (1, 100),
    },
    words={
        "gain.of[]": RESOURCES,
        "cost.of[]": RESOURCES,
        "abilities.trigger.of[]": (*TOKENS, *KINDS),
        "objectives.counts.of[]": RESOURCES,
    },
)


def unsound(f: Figures) -> Iterator[Unsound]:
    """What cannot be played together."""
    prices = [*_prices(f), *paths(f)]
    yield from prices
    yield from _start(f)
    yield from _deals(f)
    yield from _drafts(f)
    if not prices:  # else there may be more ways to pay than can be listed, or none
        yield from effects(f)
        yield from vassals(f)
        yield from abilities(f)
        yield from room_for_all(f)


# -- prices -----------------------------------------------------------------------------------------------------


def _prices(f: Figures) -> Iterator[Unsound]:
    """Few enough ways to pay each price that all can be looked at."""
    in_all = 0
    for path, cost in _costs(f):
        in_all += (n := _ways(cost))
        if n > MOST_WAYS:
            yield Unsound(path, say("there are more than {most} ways to pay", most=MOST_WAYS), "SIM-EFF-2")
        elif any(_most(cost, what) > MOST_PAID for what in (*KINDS, MARKER)):
            message = say("vassals of one kind and markers are paid up to {most} at once", most=MOST_PAID)
            yield Unsound(path, message, "SIM-EFF-5")
    if in_all > MOST_WAYS_IN_ALL:
        message = say("all prices together can be paid in more than {most} ways", most=MOST_WAYS_IN_ALL)
        yield Unsound((), message, "SIM-EFF-2")


def _costs(f: Figures) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    written: dict[str, Mapping[str, Any]] = {"spaces": f.spaces, "abilities": f.abilities}
    for kind, sources in written.items():
        for x in sources.values():
            if "pay" in x.effect:
                yield (kind, x.id, "effect"), x.effect["pay"]
    for tile in f.tiles.values():
        if tile.move_cost is not None:
            yield ("tiles", tile.id, "move_cost"), tile.move_cost
    written = {"display": f.display, "statue": f.statue}
    for kind, sources in written.items():
        for x in sources.values():
            yield (kind, x.id, "price"), x.price
    yield ("table", "removal-price", "value"), {"fixed": f.table["removal-price"]}


def _ways(cost: Mapping[str, Any]) -> int:
    """No fewer than there are ways to pay; one more than too many for any that are."""
    if "all" in cost:
        n = prod(map(_ways, cost["all"]))
    elif "choose_one" in cost:
        n = sum(map(_ways, cost["choose_one"]))
    elif "choose_total" in cost:
        n = comb(cost["choose_total"] + len(cost["of"]) - 1, cost["choose_total"])
    else:
        n = 1
    return min(n, MOST_WAYS + 1)


def _most(cost: Mapping[str, Any], what: str) -> int:
    """No less of something than any way takes."""
    if "all" in cost:
        return sum(_most(part, what) for part in cost["all"])
    if "choose_one" in cost:
        return max(_most(part, what) for part in cost["choose_one"])
    if "choose_total" in cost:
        return int(cost["choose_total"]) if what in cost["of"] else 0
    return int(cost["fixed"].get(what, 0))


# -- set-up -----------------------------------------------------------------------------------------------------


def _start(f: Figures) -> Iterator[Unsound]:
    """Everybody begins with a vassal of those that there are, and within his limits."""
    for v in f.vassals.values():
        if v.start > v.count:
            message = say("{vassal}: {n} at the start, {count} in all", n=v.start, vassal=v.id, count=v.count)
            yield Unsound(("vassals", v.id, "start"), message, "SIM-SETUP-4", (("vassals", v.id, "count"),))
    if not sum(v.start for v in f.vassals.values()):
        yield Unsound(("vassals",), say("everybody begins with a vassal"), "SIM-SETUP-4")
    n, most = sum(r.start for r in f.resources.values()), min(f.table["resource-limit"].values())
    if n > most:
        message = say("{n} resources at the start; the limit is {most}", n=n, most=most)
        yield Unsound(("table", "resource-limit", "value"), message, "SIM-LIMIT-3", (("resources",),))


def _deck(f: Figures) -> dict[str, int]:
    """How many tiles of each type are in the action deck (SIM-SETUP-3)."""
    return {x: len(f.of_type(x)) - n for x, n in f.table["set-aside"].items()}


def _deals(f: Figures) -> Iterator[Unsound]:
    """There are tiles enough for what is dealt, and hands hold them."""
    deck, hand = _deck(f), f.table["hand-deal"]
    for type_, left in deck.items():
        if left < 1 or hand.get(type_, 0) * MOST_SEATS > left:
            facts = {"n": hand.get(type_, 0), "type": type_, "left": left}
            message = say("{left} tiles of the type {type}, of which everybody is dealt {n}", **facts)
            yield Unsound(("table", "set-aside", "value"), message, "SIM-SETUP-3", (HAND_DEAL,))
    power, picks = f.table["power-deal"], f.table["action-draft"]["picks"]
    n, most = power + max(sum(hand.values()), picks), f.table["hand-limit"]
    if n > most:
        message = say("{n} tiles in a hand at the start; the limit is {most}", n=n, most=most)
        yield Unsound(("table", "hand-limit", "value"), message, "SIM-LIMIT-1", (HAND_DEAL, ACTION_DRAFT))


def _drafts(f: Figures) -> Iterator[Unsound]:
    """There are tiles enough for the drafts."""
    draft, tiles = f.table["action-draft"], sum(_deck(f).values())
    if draft["picks"] * MOST_SEATS + draft["face-up"] > tiles:
        message = say("the draft takes more tiles than the {n} of the deck", n=tiles)
        yield Unsound(ACTION_DRAFT, message, "SIM-DL-4", (("table", "set-aside", "value"),))
    draft, tiles = f.table["power-draft"], len(f.of_type(POWER))
    if draft["first"] + (MOST_SEATS - 1) * draft["next"] > tiles:
        message = say("the draft takes more tiles than the {n} of the deck", n=tiles)
        yield Unsound(("table", "power-draft", "value"), message, "SIM-DL-2")
