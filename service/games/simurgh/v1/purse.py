"""Chapter 5, what a player could pay with, and why nothing pays (SIM-EFF-5, SIM-COMP-6, SIM-PAY-2, SIM-PAY-4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from service.engine.table import Table
from service.games.simurgh.v1.components import active, on_space, tokens_of
from service.games.simurgh.v1.effects import KINDS, MARKER
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.state import Placement, Player, Stride

HOME = "available"
PRICE = "price"  # in the place of the clause of a price, which whoever asks it knows


@dataclass(frozen=True)
class Busy:
    """What cannot pay: a vassal that is being placed, those on these spaces, the marker of the ability in use."""

    vassal: str | None = None
    spaces: frozenset[str] = frozenset()
    ability: str | None = None


def busy_spaces(t: Table) -> frozenset[str]:
    """The spaces that are being resolved: whoever stands there pays for nothing meanwhile (SIM-PAY-4)."""
    return frozenset(f.space for f in t.frames if isinstance(f, Placement))


def busy_places(t: Table) -> frozenset[str]:
    """Those spaces, and the levels of tiles on which a step is being resolved, whose rider pays for nothing either."""
    found: set[str] = set()
    for f in t.frames:
        if isinstance(f, Placement):
            found.add(f.space)
        elif isinstance(f, Stride):
            found.update(figures(t).spaces_of.get(f.tile, ()))
    return frozenset(found)


@dataclass(slots=True)
class Purse:
    """What a player could pay with, once what is busy is set aside."""

    owner: Player
    busy: Busy

    @property
    def tokens(self) -> dict[str, int]:
        """Resources and Power Points."""
        return tokens_of(self.owner)

    @property
    def markers(self) -> dict[str, int]:
        """Ability markers, by ability."""
        used = self.busy.ability
        return {a: n - (a == used) for a, n in self.owner.markers.items() if n > (a == used)}

    def takes(self, ability: str) -> bool:
        """Whether a marker lies there that the use of the ability takes away, so that it pays for nothing else."""
        return ability == self.busy.ability and self.owner.markers.get(ability, 0) > 0

    @property
    def active(self) -> int:
        """All vassals, those that are busy among them."""
        return active(self.owner)

    def held(self, kind: str, place: str) -> int:
        """The vassals of this kind at home or on a space."""
        if place == HOME:
            return max(0, self.owner.available.get(kind, 0) - (kind == self.busy.vassal))
        return on_space(self.owner, place, kind)

    def waiting(self, kind: str, place: str) -> int:
        """The vassal that is being placed, where it comes from."""
        return int(place == HOME and kind == self.busy.vassal and self.owner.available.get(kind, 0) > 0)

    @property
    def here(self) -> str:
        """A space that is being resolved."""
        return min(self.busy.spaces, default=HOME)

    def free(self, kind: str) -> int:
        """The vassals of this kind that can pay: neither the one being placed nor those on a space being resolved."""
        places = (place for place in self.places(kind) if place not in self.busy.spaces)
        return sum(self.held(kind, place) for place in places)

    def owned(self, kind: str) -> int:
        """The vassals of this kind, those that are busy among them."""
        return self.owner.available.get(kind, 0) + sum(
            on_space(self.owner, x, kind) for x in self.owner.assigned
        )

    def places(self, kind: str) -> list[str]:
        """Where vassals of this kind are."""
        return [HOME, *(space for space, there in sorted(self.owner.assigned.items()) if there.get(kind))]


Facts = Mapping[str, Any]


def obstacles(purse: Purse, way: Mapping[str, int]) -> dict[str, Facts]:
    """The clauses for which one way to pay is closed, with their facts, whatever is offered; none where it is open.

    A resource that is not there has no clause but that of the price. Who lacks a vassal does not pay his last one; that
    those at home come first (SIM-PAY-3) closes no way.
    """
    found: dict[str, Facts] = {}
    for what, n in way.items():
        if (refused := _lacking(purse, what, n)) is not None:
            found[refused[0]] = refused[1]
    kinds = [kind for kind in KINDS if kind in way]
    vassals = sum(way[kind] for kind in kinds)
    if vassals and purse.active - vassals < 1 and all(purse.owned(kind) >= way[kind] for kind in kinds):
        found["SIM-PAY-2"] = {"paid": vassals, "active": purse.active}
    return found


def _lacking(purse: Purse, what: str, n: int) -> tuple[str, Facts] | None:
    if what in KINDS:
        has = purse.free(what)
        if has < n <= purse.owned(what):
            return "SIM-PAY-4", {"vassal": what, "space": purse.here}
        rule = "SIM-EFF-5"
    elif what == MARKER:
        rule, has = "SIM-EFF-5", sum(purse.markers.values())
    else:
        rule, has = "SIM-COMP-6" if what == "pp" else PRICE, purse.tokens.get(what, 0)
    if has >= n:
        return None
    count = "owned" if rule == "SIM-EFF-5" else "has"  # and not just in one place
    used = purse.busy.ability if what == MARKER and purse.takes(purse.busy.ability or "") else None
    return rule, {"what": what, "needs": n, count: has, **({"used": used} if used else {})}


def vassals_for(purse: Purse, way: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """From where the vassals of a way may come, each kind with its bag."""
    kinds = [k for k in KINDS if k in way]
    held = [{place: purse.held(k, place) for place in purse.places(k)} for k in kinds]
    for chosen in product(*(list(bags(there, way[k])) for there, k in zip(held, kinds, strict=True))):
        yield dict(zip(kinds, chosen, strict=True))


def bags(have: Mapping[str, int], n: int) -> Iterator[dict[str, int]]:
    """Every bag of `n` of what is there; one empty bag for none."""
    if not n:
        yield {}
    left = dict(have)
    for what, most in have.items():
        del left[what]
        for taken in range(min(most, n), 0, -1):
            for rest in bags(left, n - taken):
                yield dict(sorted({what: taken, **rest}.items()))
