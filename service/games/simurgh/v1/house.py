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
    ONE_MORE,
    RESOURCES,
    TOKENS,
    Draw,
    Effect,
    Special,
    Take,
    every_part,
    most_gained,
)
from service.games.simurgh.v1.figures import EXPLORATION, POWER, PRINTED, Ability, Figures, Trigger

MOST_SEATS = 5
MOST_WAYS = 50  # ways to pay one price
MOST_WAYS_IN_ALL = 1_500  # all of them are listed once a house
MOST_PAID = 4  # vassals of a kind, or markers, in one price: each may come from anywhere
MOST_PARTS = 16
BEFORE = "before-place-objective"
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
    prices = [*_prices(f), *_paths(f)]
    yield from prices
    yield from _start(f)
    yield from _deals(f)
    yield from _drafts(f)
    if not prices:  # else there may be more ways to pay than can be listed, or none
        yield from _effects(f)
        yield from _vassals(f)
        yield from _abilities(f)
        yield from _room_for_all(f)


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
            message = say(
                "{n} of {vassal} at the start; there are {count}", n=v.start, vassal=v.id, count=v.count
            )
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


# -- effects ----------------------------------------------------------------------------------------------------


def _paths(f: Figures) -> Iterator[Unsound]:
    """Exploration Tiles, and no others, have a price of a step."""
    for tile in f.tiles.values():
        if (tile.move_cost is not None) != (tile.type == EXPLORATION):
            message = say("Exploration Tiles have a price of a step, and no others")
            yield Unsound(("tiles", tile.id, "move_cost"), message, "SIM-EXPL-9")


def _effects(f: Figures) -> Iterator[Unsound]:
    """What has clauses of its own stays where it is printed, and no effect is endless."""
    for source, effect in f.effects.items():
        path, parts = _place(f, source), list(every_part(effect.gain))
        printed = [p.name for p in every_part(PRINTED.effects[source].gain) if isinstance(p, Special)]
        named = [p.name for p in parts if isinstance(p, Special)]
        if named != printed:
            message = say("what has clauses of its own stays where it is printed")
            yield Unsound(path, message, "SIM-EFF-1")
        elif len(parts) > MOST_PARTS:
            yield Unsound(path, say("{n} parts; at most {most}", n=len(parts), most=MOST_PARTS), "SIM-EFF-8")


def _vassals(f: Figures) -> Iterator[Unsound]:
    """Vassals come where it is looked whether there are any: not for a tile, not in answer, each kind once."""
    for source, effect in f.effects.items():
        bags = [part.bag for part in every_part(effect.gain) if isinstance(part, Take)]
        often = max(sum(kind in bag for bag in bags) for kind in KINDS)
        answers = source in f.abilities and f.abilities[source].trigger is not None
        if often > 1 or (often and (answers or source in f.wilds)):
            message = say(
                "vassals of a kind come at most once, and neither for a tile nor in answer to an event"
            )
            also = (("abilities", source, "trigger"),) if answers else ()
            yield Unsound(_place(f, source), message, "SIM-PLACE-5", also)


def _place(f: Figures, source: str) -> tuple[str, str, str]:
    kinds: dict[str, Mapping[str, Any]] = {"spaces": f.spaces, "levels": f.levels, "abilities": f.abilities}
    kind = next((k for k, known in kinds.items() if source in known), "wilds")
    return kind, source, "income" if kind == "wilds" else "effect"


def _abilities(f: Figures) -> Iterator[Unsound]:
    """What answers an event costs nothing; procedures stand alone, at the moment for which they are made."""
    for a in f.abilities.values():
        path, also = ("abilities", a.id, "effect"), (("abilities", a.id, "trigger"),)
        if a.trigger is not None and not f.effects[a.id].free:
            yield Unsound(path, say("what answers an event costs nothing"), "SIM-DRAGON-10", also)
        elif not _fits(a, f.effects[a.id], PRINTED.abilities[a.id].trigger):
            yield Unsound(path, say("the ability does not fit its moment"), "SIM-DRAGON-10", also)


def _fits(a: Ability, effect: Effect, printed: Trigger | None) -> bool:
    """Whether an effect fits its moment.

    No dragons come in answer to an event: whether business can come to its end is looked at as far as chance.
    """
    on, special = a.trigger and a.trigger.on, next((p for p in effect.gain if isinstance(p, Special)), None)
    if special is None:
        draws = any(isinstance(part, Draw) for part in every_part(effect.gain))
        return on != BEFORE and not (on is not None and draws)
    alone = len(effect.gain) == 1 and on == (printed and printed.on)
    if special.name == ONE_MORE and a.trigger is not None:
        return alone and bool(a.trigger.of) and set(a.trigger.of) <= set(special.of)
    return alone


def _room_for_all(f: Figures) -> Iterator[Unsound]:
    """Any vassal can always be placed somewhere: on a space of the City for any number, which asks for nothing."""
    for place in f.city:
        space, effect = f.spaces[place], f.effects[place]
        asks = not effect.free or f.specials[place] or any(k in most_gained(effect.gain) for k in KINDS)
        if space.slots == "multi" and space.who == "vassal" and not asks:
            return
    message = say("no space of the City is open to everybody for nothing")
    yield Unsound(("spaces",), message, "SIM-TURN-12")
