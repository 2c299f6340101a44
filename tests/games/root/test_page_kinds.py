"""The page for clients of Root names every kind of action, where it belongs: worked out from the windows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from service.engine.action import ChanceAction
from service.engine.frames import Ask, Frame
from service.games.root.v1 import RULES
from service.games.root.v1.ruleset import PLUGS
from service.games.root.v1.setup import Game
from service.games.root.v1.turn import Birdsong, Daylight, Turn
from tests.pages import page

PHASES = ("setup", "birdsong", "daylight", "evening")
OWN = {f: {*(getattr(f, phase) for phase in PHASES), *f.more} for f in PLUGS.factions}
ALL_OWN = {frame for frames in OWN.values() for frame in frames}
PHASES_OF_ALL = {Game, Turn, Birdsong, Daylight}


def asked(frame: type[Frame]) -> list[str]:
    """The kinds that seats may answer in a frame's windows, and those that are free there."""
    procedure = RULES.procedures[frame]
    takes = [c for step in procedure.steps if isinstance(step, Ask) for c in step.takes]
    takes += procedure.free.takes if procedure.free is not None else ()
    return [c.kind for c in takes if not issubclass(c, ChanceAction)]


def drawn(frame: type[Frame]) -> list[str]:
    """The kinds that chance answers in a frame's windows."""
    steps = [step for step in RULES.procedures[frame].steps if isinstance(step, Ask)]
    return [c.kind for step in steps for c in step.takes if issubclass(c, ChanceAction)]


def within(frame: type[Frame], own: set[type[Frame]]) -> Iterator[type[Frame]]:
    """A frame of a faction and those of its own that it calls."""
    yield frame
    for called in RULES.procedures[frame].may_call:
        if called in own and called is not frame:
            yield called


def cell(kinds: list[str]) -> str:
    return ", ".join(f"`{kind}`" for kind in dict.fromkeys(kinds)) or "–"


def row(faction: str) -> str:
    """The line of the table for one faction: what it answers at set-up and in each phase."""
    (f,) = [f for f in PLUGS.factions if f.id == faction]
    cells = [
        cell([kind for frame in within(getattr(f, phase), OWN[f]) for kind in asked(frame)])
        for phase in PHASES
    ]
    return "| " + " | ".join([f"`{f.id}`", *cells]) + " |"


def others() -> list[str]:
    """What belongs to no faction's own phases: what anybody may do in a turn, and what is answered at any time."""
    frames = [f for f in RULES.procedures if f not in ALL_OWN]
    anybody = [kind for f in frames if f in PHASES_OF_ALL for kind in asked(f)]
    answers = [kind for f in frames if f not in PHASES_OF_ALL for kind in asked(f)]
    chance = [kind for f in RULES.procedures for kind in drawn(f)]
    return [cell(sorted(set(anybody) - {"pass", "end-phase"})), cell(sorted(set(answers) - {"pass"})),
            cell(sorted(chance))]  # fmt: skip


SECTION = re.search(r"^## Kinds of actions\n(.*?)(?=^## )", page("root.md"), re.M | re.S)


@pytest.mark.parametrize("faction", [f.id for f in PLUGS.factions])
def test_the_page_lists_what_a_faction_answers(faction: str) -> None:
    assert SECTION is not None
    assert row(faction) in SECTION[1].splitlines()


@pytest.mark.parametrize("kinds", others(), ids=["anybody", "answers", "chance"])
def test_the_page_lists_what_belongs_to_everybody(kinds: str) -> None:
    assert SECTION is not None
    assert kinds in re.sub(r"\s+", " ", SECTION[1])


def test_no_kind_is_left_out_and_none_invented() -> None:
    assert SECTION is not None
    named = set(re.findall(r"`([a-z-]+)`", SECTION[1])) - {f.id for f in PLUGS.factions}
    assert named == set(RULES.kinds)
