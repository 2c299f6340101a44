"""Problems: why a posted state cannot exist. Fields declare what they hold; conservation follows from that.

The search is total: whatever decodes is answered, and what the rules themselves cannot read is a problem, too. It goes
on as far as the structure allows, so that all problems are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from service.engine.aside_problems import aside_problems
from service.engine.budget import OutOfTime
from service.engine.conservation import conservation_problems, holdings
from service.engine.envelope import crowded, envelope_problems, seat_problems
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.stack import shape_problems, stack_problems
from service.engine.state import State
from service.engine.table import Table

__all__ = ["MOST", "board_problems", "holdings", "problems"]

MOST = 1_000  # problems of one state; nobody reads more


def problems(rules: Ruleset, state: State[Any, Any]) -> list[Problem]:
    """Every reason why this state cannot exist; empty when it can."""
    return _search(rules, state, stack=True)


def board_problems(rules: Ruleset, state: State[Any, Any]) -> list[Problem]:
    """The problems of all but the stack, so that a position can be looked at before the game goes on from it."""
    return _search(rules, state, stack=False)


def _search(rules: Ruleset, state: State[Any, Any], stack: bool) -> list[Problem]:
    found = list(islice(crowded(rules, state), MOST))
    if found:
        return found  # too much of it to be looked through
    found += islice(envelope_problems(rules, state), MOST)
    strangers = list(islice(seat_problems(rules, state), MOST))
    found += strangers
    unknown = rules.house_problems(state.house)
    if unknown:  # what is to be here is counted by the figures
        return (found + list(unknown))[:MOST]
    table = Table(rules, state)
    look("/table", found, conservation_problems, rules, state)
    look("/table", found, aside_problems, state.table)
    if strangers:  # the rules read boards and frames by seat
        found += shape_problems(rules, table) if stack else ()
        return found[:MOST]
    for check in rules.checks:
        look("/table", found, check, table)
    if stack:
        look("/stack", found, stack_problems, rules, table)
    return found[:MOST]


def look(at: str, found: list[Problem], search: Callable[..., Iterable[Problem]], *args: Any) -> None:
    """Add what a search finds; rules that cannot even read a state have found a problem of it, unless one is known."""
    try:
        found.extend(islice(search(*args), MOST))
    except OutOfTime:
        raise
    except Exception as fault:
        if not found:
            why = f"{type(fault).__name__} {fault}"
            found.append(Problem(at, say("the rules cannot read this: {fault}", fault=why)))
