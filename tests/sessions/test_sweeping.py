"""What is due by itself and cannot be done: whose fault that is."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from service.games import REGISTRY
from service.sessions.fairness import ChanceRefused
from service.sessions.referee import UnplayableState
from service.sessions.sweeping import LATER, _guarded
from tests.sessions.games import desk_of

REFUSED = (ChanceRefused("/chance/key_id", "unknown-key", "0123456789abcdef"), UnplayableState("a state"))


@pytest.mark.parametrize(
    ("error", "level"),
    [*((refused, logging.WARNING) for refused in REFUSED), (ValueError("a fault"), logging.ERROR)],
)
def test_what_a_player_would_be_refused_for_is_no_fault_of_ours(
    error: Exception, level: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever opens a session may name a key that there is not: no operator is woken for that."""

    def look() -> Any:
        raise error

    desk = desk_of(REGISTRY.get("zavandor"))
    assert _guarded(desk, look) == desk.moment() + LATER
    assert [record.levelno for record in caplog.records] == [level]
