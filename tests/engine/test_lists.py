"""No shortcut changes a byte of a list of options: whole games, beside the plain way."""

import json

import pytest

from benchmarks.games import play
from service.engine import options as listing
from service.engine.options import options
from service.engine.table import Table
from service.games import REGISTRY
from tests.engine.plain_lists import plain_acts, plain_description, plain_wire

EVERY = {"zavandor": 2, "simurgh": 5, "root": 9}  # of so many states of a game, one is looked at


@pytest.mark.parametrize("game", [rules.game for rules in REGISTRY])
def test_a_list_is_what_it_is_the_plain_way(game, monkeypatch):
    played = play(5, 4, game)
    states = [ply.state for ply in played.plies[:: EVERY[game]]]
    quick = [json.dumps([o.to_wire() for o in options(Table(played.rules, s))]) for s in states]
    monkeypatch.setattr(listing, "legal_acts", plain_acts)
    monkeypatch.setattr(listing, "described", plain_description)
    monkeypatch.setattr(Table, "once", lambda t, make, of: make(t, of))
    plain = [json.dumps([plain_wire(o) for o in options(Table(played.rules, s))]) for s in states]
    assert quick == plain
    assert sum(len(json.loads(told)) for told in quick) > 2 * len(states)


def test_actions_of_a_list_are_their_own():
    """One action is tried with many values; those that are listed have none of it in common."""
    played = play(5, 4)
    for ply in played.plies[:60]:
        found = list(options(Table(played.rules, ply.state)))
        assert len({id(o.act) for o in found}) == len({id(o.act.__dict__) for o in found}) == len(found)
        afresh = [plain_wire(o) for o in options(Table(played.rules, ply.state))]
        assert [o.to_wire() for o in found] == afresh
