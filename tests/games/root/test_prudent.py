"""The prudent player: plays whole games by the rules, for automated seats as well, and looks at nobody's hand."""

import pytest

from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.games.root.v1 import RULES
from service.games.root.v1.prudent import decide
from tests.conformance.subjects import draws_of, walk
from tests.games.root.table import CAT, OWL, game

CATS, OWLS = "marquise-warrior", "eyrie-warrior"


@pytest.mark.parametrize("seed", range(6))
def test_prudent_games_end(seed):
    played = walk(RULES, seed, "prudent", 2_000)
    assert (played.error, played.over) == (None, True)


def test_automated_seats_play_a_game_by_themselves():
    seats = [SetupSeat(s, automated=True) for s in (CAT, OWL)]
    judged = start(RULES, Setup(seats, "robots", ChanceState()), draws_of(4))
    assert judged.outcome is not None
    assert judged.state.stack == []


def decided(seat, **hands):
    held = {CAT: {"hand": hands.get("cat", ())}, OWL: {"hand": hands.get("owl", ())}}
    map = {
        "1": {"keep": 1, CATS: 2},
        "5": {"workshop": 1, "sawmill": 1, "wood": 1, CATS: 3, OWLS: 2},
        "3": {"roost": 1},
    }
    return decide(game(held, map, turn=seat).table, seat).to_wire()


def test_it_does_not_matter_what_others_hold():
    assert decided(CAT, owl=["ambush-rabbit"]) == decided(CAT, owl=["anvil"])
    assert decided(OWL, cat=["ambush-rabbit", "sappers"]) == decided(OWL, cat=["anvil", "cobbler"])


def test_it_crafts_and_builds_before_it_ends_its_turn():
    assert decided(CAT, cat=["a-visit-to-friends"])["kind"] == "craft"
    assert decided(CAT)["kind"] == "build"


def test_it_saves_warriors_and_ambushes_where_that_helps():
    g = game({OWL: {"hand": ["ambush-bird"]}}, {"5": {CATS: 3, OWLS: 1}, "3": {"roost": 1}})
    g.play(CAT, "battle", clearing="5", defender=OWL)
    assert decide(g.table, OWL).to_wire()["kind"] == "play-ambush"
    scouts = game(
        {OWL: {"hand": ["ambush-bird"]}, CAT: {"crafted": ["scouting-party"]}},
        {"5": {CATS: 3, OWLS: 1}, "3": {"roost": 1}},
    )
    scouts.play(CAT, "battle", clearing="5", defender=OWL)
    assert decide(scouts.table, OWL).to_wire()["kind"] == "pass"


def test_the_eyrie_ask_for_no_recruits_that_they_do_not_have():
    """With all warriors on the map another recruit would bring turmoil, turn after turn."""
    for left, columns in ((0, {"move", "battle", "build"}), (8, {"recruit", "move", "battle", "build"})):
        found = set()
        for n in range(30):
            map = {str(c): {OWLS: 1, "roost": 1} for c in (3, 5, 9)} | {
                "7": {OWLS: 17 - left},
                "1": {"keep": 1},
            }
            g = game({OWL: {"hand": ["ambush-bird"]}}, map, turn=OWL, at="turn")
            g.state.game_id = f"taste {n}"
            found.add(decide(g.table, OWL).to_wire()["column"])
        assert ("recruit" in found) == (left > 0)
        assert found <= columns
