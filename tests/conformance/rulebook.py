"""Law 7, rules: every clause has a test that shows it at work, every limit one that shows the refusal."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from service.engine.judge import judge
from service.engine.rule import LANGUAGES, Violation
from service.engine.ruleset import Ruleset
from service.engine.words import fields, variants
from tests.conformance.purity import probes_of
from tests.conformance.subjects import Breach, Spot, Walk, draws_of

ROOT = Path(__file__).parents[2]
UNTESTED = ("component", "ruling")
KNOWN: tuple[Mapping[str, Any], ...] | None = None  # what this run collected, where it is the default run


@dataclass
class Covered:
    """One clause: where the code names it, the tests that show it, and those that show its refusal."""

    nature: str
    places: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    by_schema: bool = False


def collected() -> tuple[Mapping[str, Any], ...]:
    """The clauses that every test of the default run carries: of this run, if it is one, or asked of pytest itself."""
    return asked_of_pytest() if KNOWN is None else KNOWN


@cache
def asked_of_pytest(*paths: str) -> tuple[Mapping[str, Any], ...]:
    """The clauses that these tests carry (the default run's), collected by another process."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "clauses.json"
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--continue-on-collection-errors"]
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider", f"--clauses-to={target}", *(paths or ("tests",))],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        if not target.exists():
            raise RuntimeError(f"pytest collected nothing: {done.stdout.decode()[-1000:]}")
        return tuple(json.loads(target.read_text(encoding="utf-8")))


def coverage_of(rules: Ruleset, tests: Sequence[Mapping[str, Any]]) -> dict[str, Covered]:
    """`{clause: Covered}` in the order of the book."""
    found = {rule.id: Covered(rule.nature) for rule in rules.book.rules.values()}
    named = _named_in_code(rules)
    in_names = _finder(found)
    for rule, covered in found.items():
        covered.places = sorted(set(named.get(rule, ())))
    for test in tests:
        by_name = in_names(test["name"])
        refuses = by_name if re.search("refuse[ds]?", test["name"]) else set()
        for rule in {*test["rule"], *test["refusal"], *by_name} & found.keys():
            found[rule].tests.append(test["test"])
        for rule in {*test["refusal"], *refuses} & found.keys():
            found[rule].refusals.append(test["test"])
            found[rule].by_schema |= rule in test["schema"]
    for covered in found.values():
        covered.tests = sorted(set(covered.tests))
        covered.refusals = sorted(set(covered.refusals))
    return found


def _finder(ids: Iterable[str]) -> Callable[[str], set[str]]:
    """Which ids a test's name holds: `test_zav_gem_1_...`; the longer of two that fit."""
    by_name = {_plain(i): i for i in ids}
    longest = sorted(by_name, key=len, reverse=True)
    pattern = re.compile(rf"(?<![a-z0-9])({'|'.join(map(re.escape, longest))})(?![a-z0-9])")
    return lambda name: {by_name[m] for m in pattern.findall(_plain(name))}


def _plain(text: str) -> str:
    return text.lower().replace("-", "_")


def code_of(rules: Ruleset) -> list[Path]:
    """The modules of a ruleset: its package, or its one file beside these tests."""
    file = Path(sys.modules[rules.board.__module__].__file__ or "")
    return [file] if file.parent == Path(__file__).parent else sorted(file.parent.rglob("*.py"))


def _named_in_code(rules: Ruleset) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for module in code_of(rules):
        for rule, where in _constants_of(module):
            if rule in rules.book.rules:
                found.setdefault(rule, []).append(where)
    return found


@cache
def _constants_of(module: Path) -> tuple[tuple[str, str], ...]:
    return tuple(_constants(ast.parse(module.read_text(encoding="utf-8")), module.stem))


def _constants(node: ast.AST, where: str) -> Iterator[tuple[str, str]]:
    """Every string in the code with the class or function it stands in (or decorates)."""
    for child in ast.iter_child_nodes(node):
        inner = where
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            inner = f"{where}.{child.name}"
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.value, where
        yield from _constants(child, inner)


def law_rules(rules: Ruleset, coverage: Mapping[str, Covered]) -> list[Breach]:
    """Every clause has a test, every limit a refusal; components and rulings need none."""
    found = []
    for rule, covered in coverage.items():
        if covered.nature in UNTESTED:
            continue
        if not covered.tests:
            found.append(Breach("rules", rule, "no test shows it at work"))
        if covered.nature == "limit" and not covered.refusals:
            found.append(Breach("rules", rule, "no test shows its refusal"))
    return found


def law_marks(books: Iterable[Ruleset], tests: Sequence[Mapping[str, Any]]) -> list[Breach]:
    """A mark names a clause that some rulebook has."""
    known = {rule for rules in books for rule in rules.book.rules}
    return [
        Breach("rules", test["test"], f"is marked with {rule}, which no rulebook has")
        for test in tests
        for rule in sorted({*test["rule"], *test["refusal"]} - known)
    ]


# -- texts


def law_texts(
    rules: Ruleset, walks: Sequence[Walk], spots: Sequence[Spot], rng: Any, probes: int = 6
) -> list[Breach]:
    """Every clause, and every refusal and event that came up, has its text in every language."""
    found = {b.where: b for b in _book(rules)}
    for w in walks:
        for ply in w.plies:
            for event in ply.judgement.events:
                if event.because not in rules.book.rules:
                    found.setdefault(
                        event.because, Breach("rules", ply.where, f"{event.because} is no clause")
                    )
                    continue
                found.update((b.where, b) for b in _event(rules, event.to_wire()))
    for spot in spots:
        for action in probes_of(rules, spot.state, rng, probes):
            j = judge(rules, spot.state, action, draws_of(0), explain=True)
            for violation in j.violations:
                found.update((b.where, b) for b in _violation(rules, spot, action, violation))
            for check in j.checks:
                if check.rule not in rules.book.rules:
                    found[check.rule] = Breach("rules", spot.where, f"{check.rule} is no clause", action)
    return list(found.values())


def _book(rules: Ruleset) -> Iterator[Breach]:
    for rule in rules.book.rules.values():
        for language in LANGUAGES:
            if not rule.text.get(language, "").strip():
                yield Breach("rules", rule.id, f"has no text in {language}")
            if any(not text.get(language, "").strip() for text in variants(rule.message or ())):
                yield Breach("rules", rule.id, f"has no message in {language}")
            if any(text[language] == rule.text[language] for text in variants(rule.message or ())):
                yield Breach("rules", rule.id, f"its message repeats its text in {language}")
        if rule.chapter not in rules.book.chapters:
            yield Breach("rules", rule.id, f"stands in an unknown chapter {rule.chapter}")
        if rule.document not in rules.book.documents:
            yield Breach("rules", rule.id, f"cites an unknown document {rule.document}")


def _violation(rules: Ruleset, spot: Spot, action: Any, violation: Violation) -> Iterator[Breach]:
    if violation.rule not in rules.book.rules:
        yield Breach("rules", violation.rule or "?", "a refusal names no clause of the book", action)
        return
    rule = rules.book[violation.rule]
    for language in LANGUAGES:
        if not rules.words.message(violation, rules.book, language).strip():
            yield Breach("rules", rule.id, f"no message in {language}", action)
        if rule.message is not None and violation.reason == "broken-rule" and "takes" not in violation.facts:
            told = rules.words.message(violation, rules.book, language)
            if told == rule.text[language]:
                yield Breach("rules", rule.id, f"no message ({language}) has all its facts", violation.facts)
    if "/" in violation.rule or not all(a.startswith("/") for a in violation.about):
        yield Breach("rules", rule.id, f"{violation.about} are no JSON Pointers", action)


def _event(rules: Ruleset, event: Mapping[str, Any]) -> Iterator[Breach]:
    entry = rules.words.templates.get("events", {}).get(event["kind"])
    if entry is None:
        return
    for language in LANGUAGES:
        if any(not text.get(language, "").strip() for text in variants(entry)):
            yield Breach("rules", f"event {event['kind']}", f"has no text in {language}")
        if rules.words.event(event, language) == event["kind"]:
            yield Breach("rules", f"event {event['kind']}", f"no text ({language}) has all its facts", event)


def _lacking(template: str, facts: Mapping[str, Any]) -> list[str]:
    return sorted(fields(template) - facts.keys())
