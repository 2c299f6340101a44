"""What all tests share: marks that say which clauses a test shows at work, and which refusal it provokes.

`@pytest.mark.rule("ZAV-GEM-1")` and `@pytest.mark.refusal("ZAV-GEM-2")`, on a test, a class, a module
(`pytestmark`) or a parameter set; or the id in the test's name (`test_zav_gem_1_...`), which shows the
refusal too where the name says `refused` or `refuses`. Ids of parameter sets do not count: many a test runs over
the whole book. A marked refusal must come up while the test runs; where the wire has no such action or value at
all, `refusal("ZAV-GEM-2", by="schema")` says so.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from service.engine.rule import Violation
from service.engine.ruleset import Problem

MARKS = ("rule", "refusal")
PARTIAL = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clauses-to", help="write which clauses each collected test carries to this file")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): shows these clauses at work")
    config.addinivalue_line("markers", "refusal(*ids, by=None): shows the refusal that these clauses make")


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Note what is left out of this run for another reason than that it is long."""
    for item in items:
        if item.get_closest_marker("long") is None:
            item.config.stash[PARTIAL] = True


def pytest_collection_finish(session: pytest.Session) -> None:
    # As the service does: what is there now stays, and games make hardly any cycles. Looking for them among all that
    # the tests keep took up to a third of the time of tests over HTTP, and a twentieth of that of games.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    target = session.config.getoption("--clauses-to")
    if target is None and not is_whole(session):
        return
    found = [clauses_of(item) for item in session.items]
    if target is not None:
        Path(target).write_text(json.dumps(found), encoding="utf-8")
    if is_whole(session):
        from tests.conformance import rulebook

        rulebook.KNOWN = tuple(found)  # no need to collect all of it again in another process


def is_whole(session: pytest.Session) -> bool:
    """Whether this is the default run: every test of every file but the long ones."""
    config = session.config
    some = ("keyword", "lf", "stepwise", "ignore", "ignore_glob", "deselect")
    return (
        config.args == config.getini("testpaths")
        and config.option.markexpr == "not long"
        and not any(getattr(config.option, name, None) for name in some)
        and not config.stash.get(PARTIAL, False)
        and not session.testsfailed
    )


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
