"""Writes `docs/rules-coverage.md`: clause -> where the code states it -> the tests that show it.

`python -m tests.conformance.coverage` writes the page; `--check` only says whether it is current; `--json`
prints the coverage for machines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from service.engine.ruleset import Ruleset
from tests.conformance.rulebook import UNTESTED, Covered, collected, coverage_of
from tests.conformance.subjects import subjects

PAGE = Path(__file__).parents[2] / "docs" / "rules-coverage.md"
HEAD = """# Clauses and their tests

Written by `python -m tests.conformance.coverage`; with `--check` it says whether the page is current. *Code*: where
the ruleset states the clause. *Shown*: tests that show it at work. *Refused*: tests that show the refusal, for
clauses that an action can break. Clauses that describe components, and our rulings, are listed as such.
"""


def games() -> dict[str, Ruleset]:
    """The registered games; the battery's own is not documented."""
    return {name: s.rules for name, s in sorted(subjects().items()) if s.locator.startswith("service.games")}


def coverage() -> dict[str, dict[str, Covered]]:
    """`{game: {clause: Covered}}`."""
    return {game: coverage_of(rules, collected()) for game, rules in games().items()}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for game, rules in games().items():
        parts += _game(rules, coverage_of(rules, collected()))
        assert game == rules.game
    return "\n".join(parts)


def _game(rules: Ruleset, found: Mapping[str, Covered]) -> Iterator[str]:
    shown = sum(bool(c.tests) for c in found.values())
    limits = [c for c in found.values() if c.nature == "limit"]
    refused = sum(bool(c.refusals) for c in limits)
    yield f"## {rules.name}\n"
    yield f"{len(found)} clauses, {shown} with tests; {refused} of {len(limits)} limits with their refusal.\n"
    for chapter, name in rules.book.chapters.items():
        clauses = [r.id for r in rules.book.rules.values() if r.chapter == chapter]
        if clauses:
            yield f"### {name['en']}\n"
            yield "| clause | nature | code | shown | refused |\n| --- | --- | --- | --- | --- |"
            yield from (_row(rule, found[rule]) for rule in clauses)
            yield ""


def _row(rule: str, covered: Covered) -> str:
    refused = _cell(covered.refusals) + (" (the schema refuses it)" if covered.by_schema else "")
    if covered.nature != "limit" and not covered.refusals:
        refused = ""
    shown = _cell(covered.tests) if covered.tests or covered.nature not in UNTESTED else ""
    return f"| {rule} | {covered.nature} | {_cell(covered.places, '')} | {shown} | {refused} |"


def _cell(names: list[str], none: str = "**none**") -> str:
    return "<br>".join(f"`{n.removeprefix('tests/')}`" for n in names) if names else none


def main(arguments: list[str]) -> int:
    """Write, check or print."""
    if "--json" in arguments:
        shown = {
            game: {rule: asdict(c) for rule, c in clauses.items()} for game, clauses in coverage().items()
        }
        print(json.dumps(shown, indent=1))
        return 0
    text = page()
    if "--check" in arguments:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        if not current:
            print(f"{PAGE.name} is not current: run python -m tests.conformance.coverage", file=sys.stderr)
        return 0 if current else 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
