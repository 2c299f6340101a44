"""The page of clauses and their tests is current, and says the same each time."""

from __future__ import annotations

from tests.conformance.coverage import PAGE, page


def test_the_page_is_current() -> None:
    assert PAGE.exists(), "run python -m tests.conformance.coverage"
    assert PAGE.read_text(encoding="utf-8") == page()
