"""The page of clauses and their tests: every clause is on it, and it says the same each time."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance import coverage, rulebook


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


def test_pytest_itself_is_asked_where_this_run_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebook, "KNOWN", None)
    monkeypatch.setattr(rulebook, "asked_of_pytest", lambda: ("asked",))
    assert rulebook.collected() == ("asked",)
    monkeypatch.undo()
    found = rulebook.asked_of_pytest("tests/games/zavandor/test_scoring.py")
    assert all(t["test"].startswith("tests/games/zavandor/test_scoring.py::") for t in found)
    assert any(t["rule"] or t["refusal"] for t in found)


TESTS = """
import pytest
from tests.conformance import rulebook

@pytest.mark.rule("ZAV-GEM-1")
def test_one():
    print("known:", [t["rule"] for t in rulebook.KNOWN or ()])

@pytest.mark.long
def test_long():
    pass
"""


@pytest.mark.parametrize(
    ("arguments", "known"), [([], "[['ZAV-GEM-1']]"), (["-k", "one"], "[]"), (["all/test_it.py"], "[]")]
)
def test_a_run_of_all_but_the_long_tests_tells_their_clauses(
    tmp_path: Path, arguments: list[str], known: str
) -> None:
    (tmp_path / "all").mkdir()
    shutil.copy(rulebook.ROOT / "tests" / "conftest.py", tmp_path / "all")
    (tmp_path / "all" / "test_it.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(
        '[pytest]\ntestpaths = all\naddopts = --import-mode=importlib -m "not long"\nmarkers = long: x\n'
    )
    command = [sys.executable, "-m", "pytest", "-sq", "-p", "no:cacheprovider", "-p", "no:schemathesis"]
    done = subprocess.run(
        [*command, *arguments],
        cwd=tmp_path,
        capture_output=True,
        env={"PYTHONPATH": str(rulebook.ROOT)},
        check=False,
    )
    assert f"known: {known}" in done.stdout.decode(), done.stdout.decode()
