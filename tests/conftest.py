"""What all tests share: marks that say which clauses a test shows at work, and which refusal it provokes.

`@pytest.mark.rule("ZAV-GEM-1")` and `@pytest.mark.refusal("ZAV-GEM-2")`, on a test, a class, a module
(`pytestmark`) or a parameter set; or the id in the test's name (`test_zav_gem_1_...`), which shows the
refusal too where the name says `refused` or `refuses`. Ids of parameter sets do not count: many a test runs over
the whole book. A marked refusal must come up while the test runs; where the wire has no such action or value at
all, `refusal("ZAV-GEM-2", by="schema")` says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.engine.rule import Violation
from service.engine.ruleset import Problem

MARKS = ("rule", "refusal")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clauses-to", help="write which clauses each collected test carries to this file")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): shows these clauses at work")
    config.addinivalue_line("markers", "refusal(*ids, by=None): shows the refusal that these clauses make")


def pytest_collection_finish(session: pytest.Session) -> None:
    target = session.config.getoption("--clauses-to")
    if target is not None:
        found = [clauses_of(item) for item in session.items]
        Path(target).write_text(json.dumps(found), encoding="utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What long searches counted (`record_property("counted", ...)`), whichever process ran them."""
    reports = [
        r for reports in terminalreporter.stats.values() for r in reports if hasattr(r, "user_properties")
    ]
    lines = [
        str(what)
        for r in reports
        for name, what in r.user_properties
        if name == "counted" and r.when == "call"
    ]
    if lines:
        terminalreporter.section("counted")
        for line in sorted(lines):
            terminalreporter.write_line(line)


def clauses_of(item: pytest.Item) -> dict[str, object]:
    """`{"test", "name", "rule": ids, "refusal": ids, "schema": ids}` of one collected test."""
    marks = {name: [i for m in item.iter_markers(name) for i in m.args] for name in MARKS}
    by_schema = [i for m in item.iter_markers("refusal") if m.kwargs.get("by") == "schema" for i in m.args]
    return {
        "test": item.nodeid.partition("[")[0],
        "name": getattr(item, "originalname", item.name),
        **marks,
        "schema": by_schema,
    }


@pytest.fixture(autouse=True)
def marked_refusals_come_up(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A test that claims to show a refusal must have provoked it."""
    marks = [m for m in request.node.iter_markers("refusal") if m.kwargs.get("by") != "schema"]
    claimed = {rule for m in marks for rule in m.args}
    seen: set[str | None] = set()
    for cls in (Violation, Problem) if claimed else ():
        monkeypatch.setattr(cls, "__init__", _watched(cls, seen))
    yield
    assert claimed <= seen, f"claims refusals that never came up: {sorted(claimed - seen)}"


def _watched(cls: type, seen: set[str | None]) -> object:
    sound = cls.__init__  # type: ignore[misc]

    def init(self: object, *args: object, **more: object) -> None:
        sound(self, *args, **more)
        seen.add(self.rule)  # type: ignore[attr-defined]

    return init
