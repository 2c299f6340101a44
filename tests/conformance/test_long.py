"""The long search: 10,000 states of every ruleset under the laws, in parts; the summary says seeds and counts."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import count

import pytest

from tests.conformance.conservation import law_conservation, law_corruption
from tests.conformance.ends import exercised, items, law_ends, law_no_dead_end
from tests.conformance.purity import law_purity, law_untouched
from tests.conformance.roundtrip import law_round_trip, law_schemas
from tests.conformance.rulebook import law_texts
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Spot, Walk, spots_of, subjects, walk
from tests.conformance.test_laws import GAMES, holds
from tests.conformance.twin import law_twin

PARTS, STATES = 4, 2_500
POLICIES = ("mixed", "prudent", "random")
pytestmark = [
    pytest.mark.long,
    pytest.mark.parametrize("part", range(PARTS)),
    pytest.mark.parametrize("game", GAMES),
]


@cache
def games(game: str, part: int) -> tuple[Walk, ...]:
    """Whole games with seeds of this part's own, until there are three times as many states as are looked at."""
    rules = subjects()[game].rules
    found: list[Walk] = []
    for seed in count(1_000 * (part + 1)):
        found += [walk(rules, seed, policy) for policy in POLICIES]
        if sum(len(w.plies) for w in found) >= 3 * STATES:
            break
    return tuple(found)


@cache
def spots(game: str, part: int) -> tuple[Spot, ...]:
    return tuple(spots_of(games(game, part), STATES, random.Random(f"{game} {part}")))


Said = Callable[..., None]


@pytest.fixture
def said(game: str, part: int, record_property: Callable[[str, object], None]) -> Said:
    """Seeds and counts of one law, for the summary at the end."""
    return lambda law, what="": record_property("counted", summary(game, part, law, what))


def summary(game: str, part: int, law: str, what: str) -> str:
    walks = games(game, part)
    plies = sum(len(w.plies) for w in walks)
    where = f"seeds {1_000 * (part + 1)} to {1_000 * (part + 1) + len(walks) // len(POLICIES) - 1}"
    return f"{game} {law}: {len(spots(game, part))} of {plies} states, {len(walks)} games, {where} {what}".strip()


def test_law_1(game: str, part: int, said: Said) -> None:
    its = subjects()[game]
    rng = random.Random(part)
    holds(law_twin(its.rules, spots(game, part), rng, admits=its.extra("admits"), brute=150))
    said("twin")


def test_law_2(game: str, part: int, said: Said) -> None:
    its = subjects()[game]
    counted: dict[str, int] = {}
    discloses = frozenset(its.extra("DISCLOSES", ()))
    more = {"discloses": discloses, "of_its_own": its.extra("variants"), "counted": counted}
    holds(law_secrets(its.rules, spots(game, part), random.Random(part), **more))
    said("secrets", f"{counted}")


def test_law_3(game: str, part: int, said: Said) -> None:
    rules = subjects()[game].rules
    holds(law_conservation(rules, games(game, part)))
    holds(law_corruption(rules, spots(game, part), random.Random(part), 12))
    said("conservation")


def test_law_4(game: str, part: int, said: Said) -> None:
    its = subjects()[game]
    holds(law_untouched(games(game, part)))
    holds(law_purity(its.rules, spots(game, part), random.Random(part), 3, its.locator))
    said("purity")


def test_law_5(game: str, part: int, said: Said) -> None:
    rules = subjects()[game].rules
    holds(law_round_trip(rules, games(game, part)))
    holds(law_schemas(rules, spots(game, part)))
    said("round trip")


def test_law_7(game: str, part: int, said: Said) -> None:
    holds(law_texts(subjects()[game].rules, games(game, part), spots(game, part), random.Random(part)))
    said("texts")


def test_law_8(game: str, part: int, said: Said) -> None:
    its = subjects()[game]
    holds(law_ends(its.rules, games(game, part)))
    holds(law_no_dead_end(its.rules, spots(game, part)))
    more = its.extra("items", lambda rules: set())(its.rules)
    found = exercised(its.rules, (p for w in games(game, part) for p in w.plies), its.extra("seen"))
    said("ends", f"not exercised: {sorted(items(its.rules, more) - found)}")
