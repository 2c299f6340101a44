"""Law 8, ends: play ends, nobody is stuck, nothing runs for ever, and everything is exercised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from service.engine.domain import Open
from service.engine.flow import window
from service.engine.lookahead import can_finish
from service.engine.options import legal_acts, takers
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from tests.conformance.subjects import Breach, Ply, Spot, Walk


def law_ends(rules: Ruleset, walks: Sequence[Walk]) -> list[Breach]:
    """Every one of these games came to its end."""
    found = []
    for w in walks:
        if w.error is not None:
            found.append(Breach("ends", w.where, w.error))
        elif not w.over:
            found.append(Breach("ends", w.where, f"no end after {len(w.plies)} plies"))
        else:
            assert w.last is not None
            found += _outcome(rules, w, [s.id for s in w.last.seats])
    return found


def _outcome(rules: Ruleset, w: Walk, seats: Sequence[str]) -> Iterator[Breach]:
    assert w.last is not None
    assert w.last.outcome is not None
    outcome = w.last.outcome
    if sorted(s.seat for s in outcome.standings) != sorted(seats):
        yield Breach("ends", w.where, "the standings do not name every seat once")
    if not set(outcome.winners) <= set(seats) or not outcome.winners:
        yield Breach("ends", w.where, f"strange winners: {outcome.winners}")
    if outcome.because not in rules.book.rules:
        yield Breach("ends", w.where, f"{outcome.because} is no clause")


def _leads_on(t: Table, actor: str) -> bool:
    """Whether a free action is open that can be proved to come to an end."""
    free = [
        (c, f)
        for who, c, f in takers(t)
        if who == actor and c.must_finish is not None and f is not t.frames[-1]
    ]
    return any(can_finish(t, act) for c, f in free for act in legal_acts(t, c, f, actor))


def law_no_dead_end(rules: Ruleset, spots: Sequence[Spot]) -> list[Breach]:
    """Whoever is asked has a legal answer to the window itself.

    In a gap, a free action that must be finished will do: look-ahead has shown that it leads to an answer.
    """
    found: list[Breach] = []
    for spot in spots:
        t = Table(rules, spot.state)
        w = window(t)
        if w is None:
            if spot.state.outcome is None:
                found.append(Breach("ends", spot.where, "nobody is asked, yet the game is not over"))
            continue
        for actor in w.actors if w.ask.together else w.actors[:1]:
            try:
                stuck = not any(any(True for _ in legal_acts(t, c, w.frame, actor)) for c in w.ask.takes)
                stuck = stuck and not (w.ask.gap and _leads_on(t, actor))
            except Exception as fault:
                found.append(Breach("ends", spot.where, f"{type(fault).__name__}: {fault}"))
                continue
            if stuck and actor != CHANCE:
                found.append(Breach("ends", spot.where, f"{actor} is asked ({w.ask.name}) and has no answer"))
    return found


# -- coverage: what there is, and what these games have exercised


def items(rules: Ruleset, more: Iterable[str] = ()) -> set[str]:
    """The names of everything that play should exercise."""
    found = {f"kind {kind}" for kind in rules.kinds} | set(more)
    for frame, procedure in rules.procedures.items():
        found.add(f"frame {_tag(frame)}")
        found |= {f"window {_tag(frame)}/{ask.name}" for f, ask in rules.windows if f is frame}
        if procedure.free is not None:
            found |= {f"free {_tag(frame)}/{cls.kind}" for cls in procedure.free.takes}
    for kind, classes in rules.kinds.items():
        for cls in classes:
            found |= {f"open {kind}/{name}" for name, d in cls.params.items() if isinstance(d, Open)}
    return found | {f"option {name}={value}" for name, o in rules.options.items() for value in o.values}


def exercised(rules: Ruleset, plies: Iterable[Ply], seen: Any = None) -> set[str]:
    """The names of everything that these plies have exercised."""
    found: set[str] = set()
    for ply in plies:
        found |= set(_in_ply(rules, ply))
        if seen is not None:
            found |= seen(ply)
    return found


def _in_ply(rules: Ruleset, ply: Ply) -> Iterator[str]:
    state = ply.state
    yield from (f"option {name}={value}" for name, value in state.options.items())
    yield from (f"frame {_tag(type(frame))}" for frame in state.stack)
    if not ply.judgement.legal:
        return
    top = state.stack[-1]
    asked = rules.procedures[type(top)].at(top)
    for played in ply.judgement.played:
        kind = played.action["kind"]
        yield f"kind {kind}"
        for cls in rules.kinds[kind]:
            yield from (f"open {kind}/{n}" for n, d in cls.params.items() if isinstance(d, Open))
    kind = ply.action["kind"]
    if any(cls.kind == kind for cls in getattr(asked, "takes", ())):
        yield f"window {_tag(type(top))}/{asked.name}"
    for frame in state.stack:
        free = rules.procedures[type(frame)].free
        if free is not None and any(cls.kind == kind for cls in free.takes):
            yield f"free {_tag(type(frame))}/{kind}"


def _tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)
