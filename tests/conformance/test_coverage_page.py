"""The page of clauses and their tests: every clause is on it, and it says the same each time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance import coverage


def test_the_page_names_every_clause_of_every_game() -> None:
    text = coverage.page()
    for rules in coverage.games().values():
        assert [rule for rule in rules.book.rules if f"| {rule} |" not in text] == []
    assert coverage.page() == text


def test_check_says_whether_the_page_is_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(coverage, "PAGE", tmp_path / "docs" / "rules-coverage.md")
    assert coverage.main(["--check"]) == 1
    assert "not current" in capsys.readouterr().err
    assert coverage.main([]) == 0
    assert coverage.main(["--check"]) == 0


def test_the_coverage_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage.main(["--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said) == list(coverage.games())
    first = next(iter(said["zavandor"].values()))
    assert set(first) == {"nature", "places", "tests", "refusals", "by_schema"}
