"""Whole games that are kept, won in ways to which play seldom comes: judged again action by action."""

import json
from pathlib import Path

import pytest

from service.engine.judge import judge
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.games.root.v1 import RULES

KEPT = sorted((Path(__file__).parent / "kept").glob("*.json"))


@pytest.mark.rule("ROOT-DOM-1", "ROOT-DOM-2", "ROOT-DOM-3", "ROOT-DOM-8", "ROOT-VAG-60", "ROOT-VAG-61")
@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_kept_games_are_judged_as_they_were_played(path):
    """Games of four, chance's answers included: by three clearings, by opposite corners, and by two coalitions."""
    game = json.loads(path.read_text(encoding="utf-8"))
    seats = [SetupSeat(s, choice={"faction": f}) for s, f in game["seats"].items()]
    state = start(RULES, Setup(seats, path.stem, ChanceState("given"))).state
    for action in game["actions"]:
        judgement = judge(RULES, state, action)
        assert judgement.legal, (action, judgement.violations)
        state = judgement.state
    assert (state.outcome.winners, state.outcome.because) == (game["winners"], game["because"])
    assert len(state.outcome.winners) == (2 if path.stem.startswith("coalition") else 1)


def test_every_way_to_win_by_dominance_or_with_a_partner_is_kept():
    ends = {(json.loads(p.read_text())["because"], p.stem.startswith("coalition")) for p in KEPT}
    assert {("ROOT-DOM-2", False), ("ROOT-DOM-3", False), ("ROOT-WIN-1", True)} <= ends
    assert any(because != "ROOT-WIN-1" for because, together in ends if together)
