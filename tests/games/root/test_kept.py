"""Whole games that are kept, won in ways to which play seldom comes: judged again action by action."""

import json
from pathlib import Path

import pytest

from service.games.root.v1 import RULES
from service.sessions.replay import begun, replayed

KEPT = {
    "three-clearings": (["elk"], "ROOT-DOM-2"),
    "opposite-corners": (["owl"], "ROOT-DOM-3"),
    "coalition-by-points": (["owl", "elk"], "ROOT-WIN-1"),
    "coalition-by-dominance": (["fox", "owl"], "ROOT-DOM-3"),
}


@pytest.mark.rule("ROOT-DOM-1", "ROOT-DOM-2", "ROOT-DOM-3", "ROOT-DOM-8", "ROOT-VAG-60", "ROOT-VAG-61")
@pytest.mark.parametrize("name", KEPT)
def test_kept_games_are_judged_as_they_were_played(name):
    """Games of four, chance's answers included: by three clearings, by opposite corners, and by two coalitions."""
    path = Path(__file__).parent / "records" / RULES.version / f"{name}.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    state = replayed(RULES, begun(RULES, record["setup"]), record["actions"])
    assert (state.outcome.winners, state.outcome.because) == KEPT[name]
