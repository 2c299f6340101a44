"""Reasons why the unfinished business of Zavandor cannot stand as it does; auctions have a module of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from service.engine.frames import Frame
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.zavandor.v1.artifacts import FreeGem, FreeToken, GemLoss, GemLosses
from service.games.zavandor.v1.auction_problems import auction_problems, effect_problems
from service.games.zavandor.v1.auctions import Auction
from service.games.zavandor.v1.components import DrawEnergy, living
from service.games.zavandor.v1.figures import figures
from service.games.zavandor.v1.free_advances import FreeAdvance, FreeSteps
from service.games.zavandor.v1.income import cards_due
from service.games.zavandor.v1.knowledge import SagesReward, has_means
from service.games.zavandor.v1.moment import Moment, moment
from service.games.zavandor.v1.rounds import Refill, TurnOrder, first_group
from service.games.zavandor.v1.state import Round, Turn, by_colour

Check = Callable[[Table, Moment, Any, str], Iterator[Problem]]


def frame_problems(t: Table) -> Iterator[Problem]:
    """The frames' own fields: seats in the game, cards that are there and do what the frame says."""
    m = moment(t)
    for i, frame in enumerate(t.frames):
        seat = getattr(frame, "seat", None)
        if seat is not None and t.board.seats[seat].out:
            yield Problem(f"/stack/{i}/seat", say("{seat} is out of the game", seat=seat), "ZAV-CURSE-4")
        elif (check := CHECKS.get(type(frame))) is not None:
            yield from check(t, m, frame, f"/stack/{i}")
    yield from _draws(t, m)


def wrong(at: str, field: str, given: Any, wanted: Any, rule: str | None) -> Problem:
    """A field of a frame that follows from the rest and is something else."""
    message = say("{field} is {given}; here it is {wanted}", field=field, given=given, wanted=wanted)
    return Problem(f"{at}/{field}", message, rule)


# -- the round ------------------------------------------------------------------------------------------


def _round(t: Table, m: Moment, f: Round, at: str) -> Iterator[Problem]:
    """Whose turn or income is still to come, in position order (ZAV-ROUND-2)."""
    if m.phase not in ("income", "turns"):
        if f.waiting:
            yield Problem(f"{at}/waiting", say("nobody's income or turn is due now"), "ZAV-ROUND-2")
        return
    kind = Turn if m.phase == "turns" else DrawEnergy
    now = next((g.seat for g in t.frames if isinstance(g, kind)), None)
    if now not in t.board.order:
        if now is not None:
            yield Problem("/table/order", say("{seat} has no position card", seat=now), "ZAV-ORDER-2")
        return
    after = t.board.order[t.board.order.index(now) + 1 :]
    in_play = [s for s in after if not t.board.seats[s].out]
    still = [s for s in f.waiting if not t.board.seats[s].out]
    if still != in_play or f.waiting != [s for s in after if s in f.waiting]:
        facts = {"seat": now, "due": ", ".join(in_play) or "nobody"}
        yield Problem(f"{at}/waiting", say("after {seat}, still to come: {due}", **facts), "ZAV-ROUND-2")


def _turn(t: Table, m: Moment, f: Turn, at: str) -> Iterator[Problem]:
    """A paid advancement has moved a marker (ZAV-KNOW-2)."""
    p = t.board.seats[f.seat]
    start = figures(t).characters.get(str(p.character))
    if f.advanced and start is not None and p.tracks == {start.track: start.stage}:
        message = say("{seat} has advanced no marker yet", seat=f.seat)
        yield Problem(f"{at}/advanced", message, "ZAV-KNOW-2")


def _turn_order(t: Table, m: Moment, f: TurnOrder, at: str) -> Iterator[Problem]:
    """Those with most victory points have the first position cards, and several are tied for the next."""
    trial = TurnOrder()
    for i, seat in enumerate(f.order):
        if seat not in first_group(t, trial):
            message = say("{seat} does not come next", seat=seat)
            yield Problem(f"{at}/order/{i}", message, "ZAV-ORDER-2")
            return
        trial.order = f.order[: i + 1]
    if len(first_group(t, trial)) < 2:
        yield Problem(f"{at}/order", say("nobody is tied for the next position card"), "ZAV-ORDER-3")


def _refill(t: Table, m: Moment, f: Refill, at: str) -> Iterator[Problem]:
    wanted = "ZAV-SETUP-8" if m.round is None else "ZAV-REFILL-1"
    if f.because != wanted:
        yield wrong(at, "because", f.because, wanted, wanted)
    if (shown := sum(t.board.display.values())) >= len(living(t)):
        message = say("{shown} artifacts lie face up, which are enough", shown=shown)
        yield Problem("/table/display", message, wanted)


# -- draws ----------------------------------------------------------------------------------------------


def _draws(t: Table, m: Moment) -> Iterator[Problem]:
    """The draws that are due, the next on top: what is due follows from the set-up, the income, or the reward."""
    queue = [(f"/stack/{i}", f) for i, f in enumerate(t.frames) if isinstance(f, DrawEnergy)][::-1]
    if not queue:
        return
    due, place, because = _due(t, m, queue[0][1])
    if len(queue) > len(due):
        yield Problem(queue[-1][0], say("more draws than are due"), because)
        return
    for n, ((at, f), (seat, colour, cards)) in enumerate(zip(queue, due[-len(queue) :], strict=True)):
        wanted = {"seat": seat, "colour": colour, "place": place, "because": because}
        for field, value in wanted.items():
            if getattr(f, field) != value:
                yield wrong(at, field, getattr(f, field), value, because)
        if not 1 <= f.left <= cards or (n and f.left != cards):
            yield wrong(at, "left", f.left, cards, because)
        elif by_colour(getattr(t.board.seats[seat], place)).get(colour, 0) < cards - f.left:
            message = say("{n} {colour} cards should have been drawn", n=cards - f.left, colour=colour)
            yield Problem(f"{at}/left", message, because)


def _due(t: Table, m: Moment, top: DrawEnergy) -> tuple[list[tuple[str, str, int]], str, str]:
    f = figures(t)
    if m.round is None:
        dealt = [(s, f.characters[str(p.character)].cards) for s, p in t.board.seats.items()]
        return [(s, c, n) for s, cards in dealt for c, n in cards.items()], "energy", "ZAV-SETUP-4"
    if m.phase == "income":
        cards = cards_due(t, t.board.seats[top.seat])
        left = {c: n % f.table["cards-per-concentrated"] for c, n in cards.items()}
        return [(top.seat, c, n) for c, n in left.items() if n], "energy", "ZAV-INCOME-3"
    reward = next((g for g in reversed(t.frames) if isinstance(g, SagesReward)), None)
    due = [] if reward is None else [(reward.seat, reward.colour, reward.cards)]
    return due, "waiting", "ZAV-KNOW-SAGES-1"


def _reward(t: Table, m: Moment, f: SagesReward, at: str) -> Iterator[Problem]:
    """Two cards of the colour of a stage just reached, kept by whoever has means (ZAV-KNOW-SAGES-1, -2)."""
    rewards = figures(t).tracks["sages"].reward
    stage = next((i for i, r in enumerate(rewards, 1) if r["colour"] == f.colour), 0)
    if not stage or rewards[stage - 1]["cards"] != f.cards:
        yield Problem(
            f"{at}/cards",
            say("no stage gives {n} {colour} cards", n=f.cards, colour=f.colour),
            "ZAV-KNOW-SAGES-1",
        )
    p = t.board.seats[f.seat]
    steps = t.frame(FreeSteps)
    reached = p.tracks.get("sages", 0)
    if not reached - (steps is not None) <= stage <= reached:
        message = say(
            "{colour} cards are for stage {stage}; the marker is on {reached}",
            colour=f.colour,
            stage=stage,
            reached=reached,
        )
        yield Problem(f"{at}/colour", message, "ZAV-KNOW-SAGES-1")
    means = has_means(t, p, f.colour)
    if f.keep != means and not (steps is not None and means):
        yield wrong(at, "keep", f.keep, means, "ZAV-KNOW-SAGES-2")
    caller = steps or t.frame(FreeAdvance) or m.turn
    if caller is not None and caller.seat != f.seat:
        yield wrong(at, "seat", f.seat, caller.seat, "ZAV-KNOW-SAGES-1")
    if caller is m.turn and caller is not None and not caller.advanced:
        i = t.index(caller)
        yield wrong(f"/stack/{i}", "advanced", False, True, "ZAV-KNOW-2")


CHECKS: Mapping[type[Frame], Check] = {
    Round: _round,
    Turn: _turn,
    TurnOrder: _turn_order,
    Refill: _refill,
    SagesReward: _reward,
    Auction: auction_problems,
    **dict.fromkeys((FreeAdvance, FreeSteps, FreeToken, GemLosses, GemLoss, FreeGem), effect_problems),
}
