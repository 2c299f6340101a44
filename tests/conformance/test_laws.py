"""Every ruleset, and the battery's own game, under every law: the sample that runs in `make test`."""

from __future__ import annotations

import random
import sys
from functools import cache
from typing import Any

import pytest

from tests.conformance.conservation import law_bounded, law_conservation, law_corruption, law_declared
from tests.conformance.ends import exercised, items, law_ends, law_no_dead_end
from tests.conformance.purity import law_purity, law_untouched
from tests.conformance.roundtrip import law_round_trip, law_schemas
from tests.conformance.rulebook import collected, coverage_of, law_marks, law_rules, law_texts
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Breach, Spot, Subject, Walk, positioned, spots_of, subjects, walked
from tests.conformance.twin import law_twin

GAMES = sorted(subjects())
SEEDS = {"harbour": (range(6), range(6), range(4))}
SAMPLE = (range(5), range(9), range(8))
pytestmark = pytest.mark.parametrize("game", GAMES)


def subject(game: str) -> Subject:
    return subjects()[game]


@cache
def games(game: str) -> tuple[Walk, ...]:
    """Random, mixed and prudent games; the prudent ones go to their ends."""
    random_, mixed, prudent = SEEDS.get(game, SAMPLE)
    return (
        *(walked(game, seed, "random") for seed in random_),
        *(walked(game, seed, "mixed") for seed in mixed),
        *(walked(game, seed, "prudent") for seed in prudent),
        *positioned(game),
    )


def spots(game: str, n: int, salt: str) -> list[Spot]:
    return spots_of(games(game), n, random.Random(f"{game} {salt}"))


def holds(breaches: list[Breach]) -> None:
    """No breach; else the first few, worded."""
    shown = "\n".join(str(b)[:1_000] for b in breaches[:5])
    assert not breaches, f"{len(breaches)} breaches\n{shown}"


def test_law_1_listed_and_judged_legal_are_the_same(game: str) -> None:
    its = subject(game)
    admits = its.extra("admits")
    holds(law_twin(its.rules, spots(game, 40, "twin"), random.Random(1), 2_000, 400, admits, 80))


def test_law_2_nothing_depends_on_what_a_seat_cannot_see(game: str) -> None:
    its = subject(game)
    counted: dict[str, int] = {}
    more: dict[str, Any] = {
        "discloses": frozenset(its.extra("DISCLOSES", ())),
        "of_its_own": its.extra("variants"),
        "counted": counted,
    }
    holds(law_secrets(its.rules, spots(game, 40, "secrets"), random.Random(1), 1, 12, **more))
    assert counted.get("twins", 0) >= 40, "too few states had anything to hide"


def test_law_3_nothing_appears_vanishes_or_is_in_two_places(game: str) -> None:
    holds(law_conservation(subject(game).rules, games(game)))


def test_law_3_every_planted_corruption_is_found(game: str) -> None:
    its = subject(game)
    holds(law_corruption(its.rules, spots(game, 40, "corruption"), random.Random(1), 40))
    holds(law_declared(its.rules, spots(game, 200, "declared"), its.extra("UNCOUNTED", ())))
    holds(law_bounded(its.rules))


def test_law_4_same_input_same_bytes_and_asking_changes_nothing(game: str) -> None:
    its = subject(game)
    holds(law_untouched(games(game)))
    holds(law_purity(its.rules, spots(game, 50, "purity"), random.Random(1), 2, its.locator))


def test_law_5_states_go_to_json_and_back_unchanged(game: str) -> None:
    holds(law_round_trip(subject(game).rules, games(game)))


def test_law_5_the_schemas_take_what_the_engine_makes(game: str) -> None:
    holds(law_schemas(subject(game).rules, spots(game, 200, "schemas")))


def test_law_7_every_clause_has_its_tests(game: str) -> None:
    rules = subject(game).rules
    holds(law_rules(rules, coverage_of(rules, collected())))


def test_law_7_every_mark_names_a_clause(game: str) -> None:
    holds(law_marks([s.rules for s in subjects().values()], collected()))


def test_law_7_every_refusal_and_event_has_its_texts(game: str) -> None:
    holds(law_texts(subject(game).rules, games(game), spots(game, 100, "texts"), random.Random(1)))


def test_law_8_play_ends(game: str) -> None:
    holds(law_ends(subject(game).rules, games(game)))


def test_law_8_whoever_is_asked_has_an_answer(game: str) -> None:
    holds(law_no_dead_end(subject(game).rules, spots(game, 400, "dead ends")))


def test_law_8_everything_is_exercised(game: str) -> None:
    its = subject(game)
    more = its.extra("items", lambda rules: set())(its.rules)
    found = exercised(its.rules, (p for w in games(game) for p in w.plies), its.extra("seen"))
    missing = items(its.rules, more) - found - set(its.extra("UNREACHED", {}))
    print(f"{game}: {len(found)} things exercised, not: {sorted(missing)}", file=sys.stderr)
    assert not missing
