"""The battery must be able to fail: for each law, planted faults that it catches."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from service.engine.problems import problems
from tests.conformance import faults, toy
from tests.conformance.conservation import law_conservation, law_corruption, law_declared
from tests.conformance.ends import exercised, items, law_ends, law_no_dead_end
from tests.conformance.purity import law_purity, law_untouched
from tests.conformance.roundtrip import law_round_trip, law_schemas
from tests.conformance.rulebook import ROOT, coverage_of, law_marks, law_rules, law_texts
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Breach, Spot, Walk, spots_of, walk
from tests.conformance.twin import law_twin

Law = Callable[[Any, Sequence[Walk], Sequence[Spot]], list[Breach]]

LAWS: dict[str, Law] = {
    "twin": lambda rules, walks, spots: law_twin(rules, spots, random.Random(1)),
    "secrets": lambda rules, walks, spots: law_secrets(rules, spots, random.Random(1), 3),
    "conservation": lambda rules, walks, spots: law_conservation(rules, walks),
    "corruption": lambda rules, walks, spots: law_corruption(rules, spots[:20], random.Random(1)),
    "declared": lambda rules, walks, spots: law_declared(rules, spots),
    "purity": lambda rules, walks, spots: [
        *law_untouched(walks),
        *law_purity(rules, spots, random.Random(1)),
    ],
    "round trip": lambda rules, walks, spots: law_round_trip(rules, walks),
    "schemas": lambda rules, walks, spots: law_schemas(rules, spots),
    "texts": lambda rules, walks, spots: law_texts(rules, walks, spots, random.Random(1)),
    "ends": lambda rules, walks, spots: law_ends(rules, walks),
    "dead ends": lambda rules, walks, spots: law_no_dead_end(rules, spots),
}

BY_SPOT = ("twin", "secrets", "purity")

PLANTED: list[tuple[str, str, dict[str, Any], str]] = [
    ("twin", "a descriptor that promises too much", {"Bid": faults.BoastfulBid}, "descriptor"),
    ("twin", "a value that is taken, yet not listed", {"Show": faults.ShyShow}, "yet not listed"),
    ("twin", "a requirement that options skip", {"Stow": faults.SlyStow}, "listed, yet refused"),
    ("twin", "a sample that is refused", {"Pay": faults.RashPay}, "sampled, yet refused"),
    ("twin", "an example that is refused", {"Trade": faults.WrongTrade}, "listed, yet refused"),
    ("secrets", "a requirement that looks into other hands", {"Trade": faults.PryingTrade}, "options"),
    ("secrets", "a refusal that tells what others hold", {"Object": faults.TellingObject}, "refusals"),
    (
        "secrets",
        "a window that opens on what a hand holds",
        {"name_objectors": faults.name_those_who_can_object},
        "afterwards",
    ),
    ("secrets", "an event that tells the card drawn", {"DrawCard": faults.LoudDraw}, "another's secret"),
    ("secrets", "a view that shows too much", {"Board": faults.GlassBoard}, "its view"),
    ("conservation", "a crate out of nowhere", {"Pay": faults.CopyingPay}, "crate"),
    ("conservation", "a crate lost at sea", {"land": faults.lose_a_crate}, "crate"),
    ("declared", "pieces that nobody counts", {"pieces": {"crate": {"crate": 9}}}, "nobody counts the good"),
    ("declared", "a seat that the type does not declare", {"Board": faults.LooseBoard}, "starter"),
    (
        "purity",
        "a step that writes into the state",
        {"Accept": faults.WritingAccept},
        "judging .* changes the state",
    ),
    ("purity", "a refusal that writes", {"Object": faults.WritingObject}, "looking .* changes the state"),
    ("purity", "the order of keys reaches a result", {"Stow": faults.UnsortedStow}, "with keys"),
    ("round trip", "a value of another type", {"Stow": faults.TupleStow}, "yet another state"),
    ("round trip", "a value that its type forbids", {"Bid": faults.DebtBid}, "ValidationError"),
    ("schemas", "a state that the schemas refuse", {"Bid": faults.DebtBid}, "refused"),
    ("texts", "a clause without Czech", {"book": faults.book_with("TOY-R-1", text={"en": "x"})}, "in cs"),
    (
        "texts",
        "a message over a fact that is not there",
        {"book": faults.book_with("TOY-PAY-1", message={"en": "{most}", "cs": "{price}"})},
        "has all its facts",
    ),
    ("texts", "an event without a clause", {"Pay": faults.UncitedPay}, "TOY-PAY-99 is no clause"),
    ("ends", "nobody has a legal action", {"PutBack": faults.StuckPutBack}, "dead end"),
    ("dead ends", "one of several has none", {"Show": faults.ThirstyShow}, "has no answer"),
    ("ends", "procedures that do not come to rest", {"next_round": faults.round_and_round}, "Runaway"),
    (
        "ends",
        "play without an end",
        {"new_round": faults.for_ever, "shore_empty": faults.no_end, "Sail": faults.Never},
        "no end",
    ),
]


def found_by(law: str, rules: Any, why: str) -> list[Breach]:
    """What the law finds, looking no further than to the breach that is sought."""
    walks = [walk(rules, seed, policy, 400) for seed in range(12) for policy in ("random", "mixed")]
    spots = spots_of(walks, 200, random.Random(1))
    if law in BY_SPOT:
        for n in range(0, len(spots), 10):
            found = LAWS[law](rules, walks, spots[n : n + 10])
            if any(re.search(why, str(breach)) for breach in found):
                return found
        return []
    return LAWS[law](rules, walks, spots)


@pytest.mark.parametrize(
    ("law", "parts", "why"), [(a, c, d) for a, _, c, d in PLANTED], ids=[p[1] for p in PLANTED]
)
def test_a_planted_fault_is_caught(law: str, parts: dict[str, Any], why: str) -> None:
    found = found_by(law, toy.harbour(**parts), why)
    assert any(re.search(why, str(breach)) for breach in found), [str(b) for b in found[:5]]


@pytest.mark.parametrize("law", LAWS)
def test_the_sound_game_breaks_no_law(law: str) -> None:
    assert [str(b) for b in found_by(law, toy.RULES, "")] == []


@pytest.mark.parametrize(("blind_to", "what"), [("/table", "one too many"), ("/stack", "no such step")])
def test_a_search_for_problems_that_is_blind_is_caught(
    monkeypatch: pytest.MonkeyPatch, blind_to: str, what: str
) -> None:
    def blind(rules: Any, state: Any) -> list[Any]:
        return [p for p in problems(rules, state) if not p.pointer.startswith(blind_to)]

    monkeypatch.setattr("tests.conformance.conservation.problems", blind)
    spots = spots_of([walk(toy.RULES, 1)], 5, random.Random(1))
    found = law_corruption(toy.RULES, spots, random.Random(1))
    assert any(what in str(b) for b in found)


def test_a_view_that_ignores_the_audiences_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.conformance.secrets.view", lambda state, seat: state.table)
    found = law_secrets(toy.RULES, spots_of([walk(toy.RULES, 1)], 20, random.Random(1)), random.Random(1))
    assert any("its view" in str(b) for b in found)


def test_an_order_that_hangs_on_the_hash_seed_is_caught() -> None:
    walks = [walk(faults.HASHED, seed, "random") for seed in (1, 2, 4, 5, 7)]
    spots = [s for s in spots_of(walks, 400, random.Random(1)) if s.action and s.action["kind"] == "pass"]
    found = law_purity(faults.HASHED, spots, random.Random(1), 5, "tests.conformance.faults:HASHED")
    assert any("PYTHONHASHSEED" in str(b) for b in found)


def test_another_process_that_fails_is_a_breach() -> None:
    walks = [walk(toy.RULES, 1)]
    found = law_purity(toy.RULES, spots_of(walks, 2, random.Random(1)), random.Random(1), 1, "no.such:RULES")
    assert "another process failed" in str(found[0])


def test_a_clause_without_a_test_or_a_refusal_is_caught() -> None:
    none: dict[str, list[str]] = {"rule": [], "refusal": [], "schema": []}
    tests = [
        {"test": "t.py::test_a", "name": "test_a", **none, "rule": ["TOY-AUC-1"]},
        {"test": "t.py::test_b", "name": "test_toy_auc_2_is_refused", **none},
    ]
    found = {(b.where, b.why) for b in law_rules(toy.RULES, coverage_of(toy.RULES, tests))}
    assert ("TOY-AUC-1", "no test shows its refusal") in found
    assert ("TOY-AUC-3", "no test shows it at work") in found
    assert not [where for where, _ in found if where in ("TOY-AUC-2", "TOY-DECK-3", "TOY-R-1")]


def test_a_mark_that_names_no_clause_is_caught() -> None:
    tests = [{"test": "t.py::test_a", "name": "test_a", "rule": ["TOY-AUC-99"], "refusal": [], "schema": []}]
    assert "TOY-AUC-99" in str(law_marks([toy.RULES], tests)[0])


def test_a_refusal_that_a_test_claims_and_does_not_provoke_is_caught(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_claim.py").write_text(
        "import pytest\n\n@pytest.mark.refusal('TOY-AUC-1')\ndef test_claim():\n    pass\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [*command, str(tmp_path)], capture_output=True, env={"PYTHONPATH": str(ROOT)}, check=False
    )
    assert done.returncode == 1
    assert "claims refusals that never came up" in done.stdout.decode()


def test_what_play_never_reaches_is_named() -> None:
    rules = toy.harbour(Sail=faults.Never)
    walks = [walk(rules, seed) for seed in range(4)]
    assert "kind never" in items(rules) - exercised(rules, [p for w in walks for p in w.plies])
