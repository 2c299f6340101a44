"""What a set-up may wish for: options, what seats ask for, and the set-ups that a game recommends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Option:
    """A set-up option: its default, the values it may take, and the clause (a ruling, mostly) behind it."""

    name: str
    default: bool | int | str
    values: tuple[bool | int | str, ...]
    rule: str

    def takes(self, value: Any) -> bool:
        """Whether this is one of the values; a flag is no number."""
        for v in self.values:  # noqa: SIM110  (asked of every state; a generator takes twice as long)
            if type(value) is type(v) and value == v:
                return True
        return False


@dataclass(frozen=True)
class SetupSeat:
    """One seat as a set-up names it.

    `choice` holds the game's own wishes: a value (a character, a faction), or a list where the game takes several.
    """

    id: str
    name: str = ""
    automated: bool = False
    choice: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Wished:
    """A set-up as the game looks at it: every option has a value that it takes, and figures are those that hold.

    `position`: the board to start from, or None.
    """

    seats: Sequence[SetupSeat]
    options: Mapping[str, Any]
    figures: Any = None
    position: Any = None


@dataclass(frozen=True)
class Scenario:
    """Recommended set-ups of one kind; nobody is bound by them.

    `rule`: the clause that speaks of them. `document`: where the recommendation stands, with a page if there is one;
    `certainty`: how sure it is (`rulebook`, `described`, `derived`, `assumed`). `players`: least and most seats that
    people take. `options`: those that go with it. `mixes`: what the seats wish for, a list a set-up; none where the
    source shows some that no data holds. What is derived from the scenarios `of`: `adds`, least and most further seats,
    with whatever they wish for, that may join a mix of theirs; `replaces`, what takes the place of what in a mix.
    """

    id: str
    rule: str
    document: str
    certainty: str
    players: tuple[int, int]
    mixes: tuple[tuple[Mapping[str, Any], ...], ...] = ()
    page: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    of: tuple[str, ...] = ()
    adds: tuple[int, int] | None = None
    replaces: Mapping[str, str] = field(default_factory=dict)
