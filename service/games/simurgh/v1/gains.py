"""Chapter 5, gains: what comes back, part by part, and the markers among it (SIM-EFF-1 to SIM-EFF-8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from service.engine.action import Action, derived, requires
from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import DONE, Control, calls
from service.engine.domain import Pick, Split
from service.engine.frames import WAITING, Again, Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawTiles, move_tokens, player
from service.games.simurgh.v1.effects import (
    DRAW_TILE,
    KINDS,
    MARKER,
    PURCHASE,
    STATUE,
    TOKENS,
    Draw,
    One,
    Part,
    Special,
    Take,
    Total,
)
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.markers import Markers
from service.games.simurgh.v1.receiving import dragons_are_there, missing, vassals_are_there
from service.games.simurgh.v1.state import AbilityId, Acquisition, Amount, Positive, TilePlacement, Token
from service.games.simurgh.v1.unfinished import Endangered, to_come


class Gain(Frame, kw_only=True):
    """The gain of a space, level, ability or Wilds space, at its next part.

    `branch`: the branch that was chosen of the part before; `quiet`: what a trigger gives is no new event.
    """

    seat: Public[SeatRef]
    source: Public[str]
    branch: Public[list[Amount]] = []
    part: Public[Amount] = 0
    quiet: Public[bool] = False


class Share(Frame, kw_only=True):
    """`n` tokens in all of these kinds, to be divided by the player (SIM-EFF-2)."""

    seat: Public[SeatRef]
    n: Public[Positive]
    of: Annotated[Public[list[Token]], Distinct()]
    quiet: Public[bool] = False
    later: Public[bool] = False
    because: Public[str]


class Occasion(Frame, kw_only=True):
    """An event that abilities may answer (SIM-DRAGON-10).

    `of`: what was taken or paid; `tile`: where the rider moved; `used`: the abilities that have answered.
    """

    seat: Public[SeatRef]
    event: Public[Literal["take", "pay-vassal", "move-rider"]]
    of: Public[list[str]] = []
    tile: Public[str] = ""
    used: Annotated[Public[list[AbilityId]], Distinct("SIM-DRAGON-10")] = []


class Hatching(Frame, kw_only=True):
    """Dragons are drawn, one is kept with `markers` markers (SIM-EFF-6)."""

    seat: Public[SeatRef]
    n: Public[Amount]
    markers: Public[Annotated[int, Meta(ge=0, le=9)]]


class Viewing(Frame, kw_only=True):
    """The Statue: `n` objectives are drawn, and one of them may be placed (SIM-STATUE-1)."""

    seat: Public[SeatRef]
    n: Public[Amount]


def clause_of(t: Table, source: str) -> str:
    """The clause by which a source gives."""
    f = figures(t)
    if source in f.city:
        return f"SIM-CITY-{f.spaces[source].number}"
    if source in f.abilities:
        return "SIM-DRAGON-9" if f.abilities[source].trigger is None else "SIM-DRAGON-10"
    if source in f.levels:
        return "SIM-EXPL-2" if f.levels[source].level == 1 else "SIM-EXPL-4"
    if source in f.wilds:
        return "SIM-TILE-6"
    return "SIM-EFF-1" if f.effects[source].free else "SIM-EFF-4"


def parts_at(t: Table, source: str, branch: Sequence[int]) -> tuple[Part, ...]:
    """The parts of a gain, or of a branch of it: `branch` alternates part and branch numbers."""
    parts = figures(t).effects[source].gain
    if not branch:
        return parts
    for part, chosen in zip(branch[::2], branch[1::2], strict=True):
        one = parts[part]
        assert isinstance(one, One)
        parts = one.branches[chosen]
    return parts


def receive(t: Table, because: str, seat: str, bag: Mapping[str, int], quiet: bool = False) -> list[Frame]:
    """Tokens, points and vassals come; what is still to do for it: markers to place, an event to answer.

    Markers are placed before the event can free a place (SIM-EXPL-15).
    """
    tokens = {what: n for what, n in bag.items() if what in TOKENS}
    if tokens:
        move_tokens(t, because, seat, tokens, paid=False)
    if vassals := {kind: bag[kind] for kind in KINDS if kind in bag}:
        t.moved(because, vassals, ("seats", seat, "inactive"), ("seats", seat, "available"))
    then: list[Frame] = [Markers(seat=seat, left=bag[MARKER])] if bag.get(MARKER) else []
    if tokens and not quiet:
        then.append(Occasion(seat=seat, event="take", of=sorted(tokens)))
    return then


def answers(t: Table, f: Occasion, ability: str) -> bool:
    """Whether an ability answers this event: its trigger fits, and it has not answered yet (SIM-DRAGON-10)."""
    trigger = figures(t).abilities[ability].trigger
    if trigger is None or trigger.on != f.event or ability in f.used:
        return False
    return not trigger.of or bool(set(trigger.of) & set(f.of))


def asked_for(t: Table, frames: Sequence[Frame]) -> Sequence[Frame]:
    """What is still to do, without an event that would come next and that no marker answers: it asks nobody."""
    first = frames[0] if frames else None
    if isinstance(first, Occasion) and not any(answers(t, first, a) for a in player(t, first.seat).markers):
        return frames[1:]
    return frames


def is_gap(t: Table, f: Gain | Share) -> bool:
    """Whether free actions are possible before a choice of this gain: between its parts (SIM-TURN-11).

    Never between a cost and its gain, nor between the income of a tile and its vassal, where the gain is an answer.
    """
    later = f.part > 0 if isinstance(f, Gain) else f.later
    return later and not any(map(_lies_between, t.frames[: t.index(f)]))


def _lies_between(x: Frame) -> bool:
    if isinstance(x, Occasion):
        return x.event == "pay-vassal"
    return isinstance(x, TilePlacement) and x.step == WAITING


# -- part by part -----------------------------------------------------------------------------------------------


def next_part(t: Table, f: Gain) -> Control:
    """The parts from left to right (SIM-EFF-8); what leaves no choice happens by itself."""
    parts = parts_at(t, f.source, f.branch)
    if f.part >= len(parts):
        return DONE
    part = parts[f.part]
    if isinstance(part, One):
        return None
    f.part += 1
    return calls(*asked_for(t, _begun(t, f, part)), again=True)


def _begun(t: Table, f: Gain, part: Part) -> Sequence[Frame]:
    because = clause_of(t, f.source)
    if isinstance(part, Take):
        return receive(t, because, f.seat, part.bag, f.quiet)
    if isinstance(part, Total):
        later = f.part > 1
        return [Share(seat=f.seat, n=part.n, of=list(part.of), quiet=f.quiet, later=later, because=because)]
    if isinstance(part, Draw):
        return [Hatching(seat=f.seat, n=part.n, markers=part.markers)]
    assert isinstance(part, Special)
    if part.name == PURCHASE:
        return [Acquisition(seat=f.seat)]
    if part.name == STATUE:
        return [Viewing(seat=f.seat, n=part.n)]
    assert part.name == DRAW_TILE
    return [DrawTiles(seat=f.seat, left=1, because="SIM-DRAGON-24")]


def open_branches(t: Table, actor: str) -> list[int]:
    """The numbers of the branches of the part that waits."""
    f = t.frame(Gain)
    if f is None:
        return []
    parts = parts_at(t, f.source, f.branch)
    part = parts[f.part] if f.part < len(parts) else None
    return list(range(len(part.branches))) if isinstance(part, One) else []


class ChooseOne(Endangered, kind="choose-one"):
    """Which branch of "X or Y" (SIM-EFF-3)."""

    branch = Pick("SIM-EFF-3", open_branches, vocabulary=tuple(range(6)))

    @derived
    def missing(t: Table, act: Any) -> tuple[str, ...]:
        """All that is not there of the branch, which leaves enough for what comes after."""
        f: Gain = act.frame
        if f.source not in figures(t).doubtful:
            return ()
        parts = parts_at(t, f.source, [*f.branch, f.part, act.branch])
        return missing(t, f.seat, (*parts, *to_come(t, chosen=f)), {})

    @requires("SIM-PLACE-5", "branch")
    def can_be_received(t: Table, act: Any) -> Any:
        """A branch is taken in full."""
        return vassals_are_there(act.missing)

    @requires("SIM-COMP-3", "branch")
    def keeps_to_the_pieces(t: Table, act: Any) -> Any:
        """Nobody has more of a kind in play than there are."""
        return vassals_are_there(act.missing)

    @requires("SIM-EFF-7", "branch")
    def has_dragons_to_draw(t: Table, act: Any) -> Any:
        """Without dragons in the deck none can be drawn."""
        return dragons_are_there(act.missing)

    def resolve(self, t: Table) -> Control:
        """The parts of the branch, then those that come after."""
        f: Gain = self.frame
        branch = [*f.branch, f.part, self.branch]
        f.part += 1
        f.step = "next-part"
        return calls(Gain(seat=f.seat, source=f.source, branch=branch, quiet=f.quiet), again=True)

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: what the branch gives."""
        f: Gain = self.frame
        return {"what": _shown(parts_at(t, f.source, [*f.branch, f.part, self.branch]))}


def _shown(parts: Sequence[Part]) -> dict[str, int]:
    """A branch as a bag, where it is one; a total shows its kinds."""
    bag: dict[str, int] = {}
    for part in parts:
        if isinstance(part, Take):
            bag |= part.bag
        elif isinstance(part, Total):
            bag |= dict.fromkeys(part.of, part.n)
    return bag


class ChooseTotal(Endangered, kind="choose-total"):
    """How many of each kind (SIM-EFF-2)."""

    tokens = Split(
        "SIM-EFF-2", lambda t, act: act.frame.n, lambda t, act: dict.fromkeys(act.frame.of, act.frame.n)
    ).given()

    def resolve(self, t: Table) -> Control:
        """They are taken; it is one event (SIM-DRAGON-11)."""
        f: Share = self.frame
        return calls(*receive(t, f.because, f.seat, self.tokens, f.quiet))


def no_choice(t: Table, f: Share) -> Control:
    """One kind alone leaves nothing to choose."""
    if len(f.of) > 1:
        return None
    f.step = "end"
    return calls(*receive(t, f.because, f.seat, {f.of[0]: f.n}, f.quiet), again=True)


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    every = (Gain, Share, Markers, Occasion, Hatching, Viewing, Acquisition, DrawTiles)

    def choosing(name: str, cls: type[Action], rule: str, gap: bool) -> Ask:
        def who(t: Table, f: Any) -> str | None:
            return f.seat if is_gap(t, f) == gap else None

        return Ask(name, who, takes=(cls,), rule="SIM-TURN-11", wrong="SIM-TURN-14", because=rule, gap=gap)

    rules.procedure(
        Gain,
        next_part,
        choosing("choose", ChooseOne, "SIM-EFF-3", gap=False),
        choosing("choose-later", ChooseOne, "SIM-EFF-3", gap=True),
        may_call={"next-part": Again(every)},
    )
    rules.procedure(
        Share,
        no_choice,
        choosing("choose", ChooseTotal, "SIM-EFF-2", gap=False),
        choosing("choose-later", ChooseTotal, "SIM-EFF-2", gap=True),
        may_call={"choose": (Markers, Occasion), "choose-later": (Markers, Occasion)},
    )
