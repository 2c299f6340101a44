"""Chapter 16, items: what a Vagabond has, where it lies and with which face (ROOT-VAG-1 to ROOT-VAG-5, ROOT-DEC-31).

Alike items in one place are one value with a count. A *reference* (`satchel-up-tea`) names place, face and item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control
from service.engine.domain import AtMost, Pick, Statement, Subset
from service.engine.frames import Free
from service.engine.table import Table
from service.games.root.v1.components import player
from service.games.root.v1.figures import (
    ITEMS,
    MARKED,
    OWN_ITEMS,
    PRINTED,
    REFERENCES,
    figures,
    kind_of,
    on_track,
)
from service.games.root.v1.state import Vagabond

VAGABOND = "vagabond"
READY = ("satchel-up", "track")  # face up and undamaged; what lies on a track is spent last
UNDAMAGED = ("satchel-up", "satchel-down", "track")
EXHAUSTED = ("satchel-down", "damaged-down")
DAMAGED = ("damaged-up", "damaged-down")
REPAIRED = {"damaged-up": "satchel-up", "damaged-down": "satchel-down"}
REFRESHED = {"satchel-down": "satchel-up", "damaged-down": "damaged-up"}
BROKEN = {"track": "damaged-up", "satchel-up": "damaged-up", "satchel-down": "damaged-down"}
# Where there are marked items and others, the others are exhausted first.
IN_ORDER = (*ITEMS, *MARKED)


def vagabond(t: Table, seat: str) -> Vagabond:
    """The board of a Vagabond; an empty one for a seat that plays none, whose attempts are examined as well."""
    return player(t, seat).vagabond or Vagabond()


def is_vagabond(t: Table, seat: str | None) -> bool:
    """Whether a seat plays a Vagabond."""
    return seat is not None and player(t, seat).faction == VAGABOND


def vagabonds(t: Table) -> tuple[str, ...]:
    """The seats that play Vagabonds."""
    players = t.board.seats
    return tuple([s for s in t.seats if players[s].faction == VAGABOND])


# -- counting -----------------------------------------------------------------------------------------------------


def items_in(t: Table, seat: str, *spots: str) -> dict[str, int]:
    """The items that lie in any of these spots, by id."""
    found: dict[str, int] = {}
    for spot in spots:
        for item, n in vagabond(t, seat).items[spot].items():
            found[item] = found.get(item, 0) + n
    return found


def references_in(t: Table, seat: str, *spots: str) -> dict[str, int]:
    """The same with their places: `{"satchel-up-tea": 1}`."""
    held = vagabond(t, seat).items
    return {f"{spot}-{item}": n for spot in spots for item, n in held[spot].items()}


def count_kind(t: Table, seat: str, kind: str, *spots: str) -> int:
    """How many items of a kind lie in these spots, marked ones included."""
    return sum(n for item, n in items_in(t, seat, *spots).items() if kind_of(item) == kind)


def undamaged_swords(t: Table, seat: str) -> int:
    """Undamaged swords, face up or down (ROOT-BATTLE-12)."""
    return count_kind(t, seat, "sword", *UNDAMAGED)


# -- moving them about --------------------------------------------------------------------------------------------


def at_spot(seat: str, spot: str) -> tuple[str, ...]:
    """The place of a spot."""
    return ("seats", seat, VAGABOND, "items", spot)


def shift(t: Table, because: str, seat: str, item: str, source: str, target: str) -> None:
    """One item from spot to spot."""
    t.moved(because, {item: 1}, at_spot(seat, source), at_spot(seat, target))


def room_on_track(t: Table, seat: str, item: str) -> int:
    """How many more items of this kind his tracks take; none if there is no track for them (ROOT-VAG-2)."""
    if not on_track(item):
        return 0
    return max(0, figures(t).table["track-capacity"] - count_kind(t, seat, kind_of(item), "track"))


def place_for(t: Table, seat: str, item: str) -> str:
    """Where an item goes that comes face up: its track as long as that has room, else the satchel (ROOT-VAG-2)."""
    return "track" if room_on_track(t, seat, item) else "satchel-up"


def places_for(t: Table, seat: str, item: str, n: int) -> dict[str, int]:
    """The same for several alike: how many go where."""
    on = min(n, room_on_track(t, seat, item))
    return {spot: m for spot, m in (("track", on), ("satchel-up", n - on)) if m}


def item_to(t: Table, seat: str, item: str) -> tuple[str, ...] | None:
    """A Vagabond has no Crafted Items box: what he makes is his to use (ROOT-CRAFT-4, ROOT-VAG-2)."""
    return at_spot(seat, place_for(t, seat, item)) if is_vagabond(t, seat) else None


def exhaust(t: Table, because: str, seat: str, kind: str, n: int = 1) -> None:
    """Turn items of a kind face down, those in the satchel first; from a track they go to the satchel (ROOT-VAG-3)."""
    for _ in range(n):
        item = next(i for i in IN_ORDER if kind_of(i) == kind and i in items_in(t, seat, *READY))
        exhaust_item(t, because, seat, item)


def exhaust_item(t: Table, because: str, seat: str, item: str) -> None:
    """Turn this item face down."""
    spot = next(s for s in READY if item in vagabond(t, seat).items[s])
    shift(t, because, seat, item, spot, "satchel-down")


def ready_items(t: Table, seat: str) -> dict[str, int] | None:
    """What a Vagabond could exhaust, where others pay with warriors."""
    return items_in(t, seat, *READY) if is_vagabond(t, seat) else None


def exhausts(t: Table, because: str, seat: str, item: str) -> bool | None:
    """He exhausts this item for it."""
    if not is_vagabond(t, seat):
        return None
    exhaust_item(t, because, seat, item)
    return True


def exhausted(t: Table, seat: str) -> int | None:
    """How many of a Vagabond's undamaged items lie face down."""
    return sum(vagabond(t, seat).items.get("satchel-down", {}).values()) if is_vagabond(t, seat) else None


def damage(t: Table, because: str, seat: str, reference: str) -> None:
    """To the damaged box, with its face as it is (ROOT-VAG-5)."""
    spot, item = REFERENCES[reference]
    shift(t, because, seat, item, spot, BROKEN[spot])


def repair(t: Table, because: str, seat: str, reference: str) -> None:
    """Out of the damaged box, with its face as it is; what is face up may lie on its track (ROOT-VAG-31)."""
    spot, item = REFERENCES[reference]
    shift(t, because, seat, item, spot, place_for(t, seat, item) if spot == "damaged-up" else REPAIRED[spot])


def refresh(t: Table, because: str, seat: str, reference: str) -> None:
    """Face up again, damaged or not (ROOT-VAG-10, ROOT-R-VAG-1)."""
    spot, item = REFERENCES[reference]
    shift(t, because, seat, item, spot, REFRESHED[spot])


def each(bag: Mapping[str, int]) -> Iterable[str]:
    """The references of a bag, one by one, in a fixed order."""
    return [ref for ref in REFERENCES for _ in range(bag.get(ref, 0))]


# -- requirements that several actions share ----------------------------------------------------------------------


def has_ready(kind: str, n: int = 1) -> Any:
    """The requirement that items of this kind are face up and undamaged."""

    @requires("ROOT-VAG-1", about=("kind",))
    def has_the_item(t: Table, act: Any) -> Any:
        """Only such can be exhausted."""
        ready = count_kind(t, act.actor, kind, *READY)
        return ready >= n or no(item=kind, ready=ready, n=n)

    return has_the_item


def in_a_clearing() -> Any:
    """The requirement that the pawn stands in a clearing (ROOT-VAG-20)."""

    @requires("ROOT-VAG-20", about=("kind",))
    def is_in_a_clearing(t: Table, act: Any) -> Any:
        """In a forest there is nothing of the kind."""
        pawn = vagabond(t, act.actor).pawn
        return pawn in PRINTED.clearings or no(forest=pawn)

    return is_in_a_clearing


def reference_pick(rule: str, *spots: str) -> Pick:
    """A parameter that names one of one's own items in these spots."""
    return Pick(rule, lambda t, actor: sorted(references_in(t, actor, *spots)), vocabulary=tuple(REFERENCES))


def ready_item(rule: str) -> Pick:
    """A parameter that names an item that can be exhausted."""
    return Pick(rule, lambda t, actor: sorted(items_in(t, actor, *READY)), vocabulary=OWN_ITEMS)


def up_to_all(n: Callable[[Table, Any], int], *spots: str) -> Callable[[Table, Any], int]:
    """A total of `n`, or of as many items as lie in these spots."""
    return lambda t, act: min(n(t, act), sum(references_in(t, act.actor, *spots).values()))


# -- arranging them, at any time in his turn (ROOT-VAG-3, ROOT-DEC-19) ------------------------------------------------


def arrangeable(t: Table, act: Any) -> dict[str, int]:
    """Undamaged tea, coins and bags that are face up."""
    bag = references_in(t, act.actor, *READY)
    return {ref: n for ref, n in bag.items() if on_track(REFERENCES[ref][1])}


def fits_there(t: Table, act: Any) -> Iterable[Statement]:
    """Each from the other side, and no more than three of a kind on a track (ROOT-VAG-2)."""
    bag = arrangeable(t, act)
    there = frozenset(ref for ref in bag if REFERENCES[ref][0] == act.to)
    if there:
        yield AtMost("ROOT-VAG-3", 0, there, facts={"to": act.to}, about=("to",))
    for kind in ITEMS if act.to == "track" else ():
        of = frozenset(ref for ref in bag if kind_of(REFERENCES[ref][1]) == kind) - there
        room = figures(t).table["track-capacity"] - count_kind(t, act.actor, kind, "track")
        if of and room < sum(bag[ref] for ref in of):
            yield AtMost("ROOT-VAG-2", room, of, facts={"item": kind, "room": room}, about=("to",))


class ArrangeItems(Action, kind="arrange-items"):
    """Move tea, coins and bags between their tracks and the satchel; it interrupts nothing (ROOT-GEN-6)."""

    to = Pick("ROOT-VAG-3", ("track", "satchel-up"))
    items = Subset(
        "ROOT-VAG-3", arrangeable, least=1, limits=fits_there, limit_rules=("ROOT-VAG-2", "ROOT-VAG-3")
    )

    def resolve(self, t: Table) -> Control:
        """To and fro, as he likes."""
        for ref in each(self.items):
            spot, item = REFERENCES[ref]
            shift(t, "ROOT-VAG-3", self.actor, item, spot, self.to)
        for fn in t.rules.hooks["after-arranging"]:
            fn(t, self.actor)
        return None


def its_vagabond(t: Table, f: Any) -> str | None:
    """The seat of the frame, if it plays a Vagabond."""
    return str(f.seat) if is_vagabond(t, f.seat) else None


IN_TURN = Free((ArrangeItems,), its_vagabond, "ROOT-DEC-19")
