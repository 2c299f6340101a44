"""The figures of a game: those that are printed, and those of the houses that set-ups and states bring along."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from service.engine.house import Components, House, Overridable, Shapes, faults_of, merged, nearest, shapes_of
from service.engine.message import say
from service.engine.refusal import Problem, SetupRefused
from service.engine.state import encode

KEPT = 64  # so many houses are kept, with their figures


class HouseRefused(SetupRefused):
    """Figures that cannot be those of a house, with pointers to `/house`."""


@dataclass(frozen=True)
class Unsound:
    """Figures that do not go together: one of them (kind, id, figure), why, the clause if there is one, the others."""

    path: tuple[str, ...]
    message: str
    rule: str | None = None
    also: tuple[tuple[str, ...], ...] = ()


class Houses:
    """Makes figures of components; those of a house once for its canonical bytes.

    `make`: what the game makes of components, printed or merged (None: it offers no house); `told`: what it says of
    them; `sound`: which figures do not go together.
    """

    def __init__(
        self,
        components: Components,
        make: Callable[[Components], Any] | None,
        told: Overridable,
        sound: Callable[[Any], Iterable[Unsound]],
    ) -> None:
        self.components, self._make, self._sound = components, make, sound
        self.shapes: Shapes = {} if make is None else shapes_of(components, told)
        self._made = lru_cache(KEPT)(self._figures)

    @cached_property
    def printed(self) -> Any:
        """The figures as they are printed; None where the game has none of its own."""
        return None if self._make is None else self._make(self.components)

    def figures(self, house: House) -> Any:
        """The figures with a house. Raises HouseRefused."""
        return self._made(encode(house))

    def problems(self, house: House) -> Sequence[Problem]:
        """Why this cannot be a house, with pointers to `/house`; none where it can."""
        try:
            if house:
                self.figures(house)
        except HouseRefused as refused:
            return refused.problems
        return ()

    def shown(self, house: House) -> Mapping[str, Any]:
        """The components with the figures of a house. Raises HouseRefused."""
        if not house:
            return self.components
        self.figures(house)
        return merged(self.components, house)

    def _figures(self, written: bytes) -> Any:
        """The figures of a house; what is refused is not kept."""
        house: House = msgspec.json.decode(written)
        faults = [Problem(f.pointer, f.message) for f in faults_of(self.shapes, house)]
        if faults or self._make is None:
            raise HouseRefused(
                faults or [Problem("/house", say("the figures of this game cannot be changed"))]
            )
        figures = self._make(merged(self.components, house))
        unsound = [
            Problem(nearest(house, (u.path, *u.also)), u.message, u.rule) for u in self._sound(figures)
        ]
        if unsound:
            raise HouseRefused(unsound)
        return figures
