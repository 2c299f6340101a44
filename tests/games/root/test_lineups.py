"""Whole games of every line-up, by a pairwise covering of line-ups, characters and manners of play."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from service.games.root.v1.figures import CHARACTERS
from tests.games.root.lineups import MACHINE, MANNERS, ROGUE, covering, line_ups, modes, played
from tests.games.root.seen import everything, seen

SAMPLE = covering()[::21]
SEEDS = range(2)
# What play comes to too seldom, and the tests that show it.
DIRECTED = {
    "won by coalition by dominance": "records/1.0/coalition-by-dominance.json",
    "won by coalition by points": "records/1.0/coalition-by-points.json",
    "won by all together": "test_modes.py::test_the_last_human_who_reaches_30_wins_for_all",
    "won by the turn player's side": "test_modes.py::test_of_both_sides_at_the_same_moment_the_turn_players_wins",
    "won by two at once": "test_battle.py::test_if_both_reach_thirty_in_one_battle_the_turn_player_wins",
}


def test_every_choice_of_factions_is_a_line_up():
    by_people = [u for u in line_ups() if MACHINE not in u]
    assert [len([u for u in by_people if len(u) == n]) for n in (2, 3, 4, 5, 6)] == [16, 25, 25, 16, 6]


@pytest.mark.rule("ROOT-COMP-6", "ROOT-SETUP-1", "ROOT-COOP-1", "ROOT-SOLO-1")
def test_the_mechanical_marquise_plays_with_one_to_five_others_but_the_marquise():
    beside = [u for u in line_ups() if MACHINE in u]
    assert [len([u for u in beside if len(u) == n]) for n in (2, 3, 4, 5, 6)] == [5, 11, 14, 11, 5]
    assert not any("marquise" in u for u in beside)
    assert {len(u): modes(u) for u in beside} == {
        2: ("competitive", "cooperative", "solo"),
        **dict.fromkeys((3, 4, 5), ("competitive", "cooperative")),
        6: ("competitive",),
    }


def test_the_covering_shows_every_pair():
    """Each line-up in each manner and mode and with each of its characters, and each character beside each other."""
    shown = set().union(*(row.pairs() for row in covering()))
    for factions in line_ups():
        line_up = " ".join(sorted(factions))
        together = set(modes(factions)) - {"competitive"}
        assert {frozenset((line_up, how)) for how in (*MANNERS, *together)} <= shown
        if ROGUE in line_up:
            assert {frozenset((line_up, character)) for character in CHARACTERS} <= shown
    assert {frozenset(pair) for pair in combinations(CHARACTERS, 2)} <= shown


@pytest.mark.rule("ROOT-SETUP-1", "ROOT-SETUP-7", "ROOT-WIN-1")
@pytest.mark.parametrize("row", SAMPLE, ids=str)
def test_whole_games_of_some_line_ups(row):
    *_, last = played(row, 0, every=10)
    state = last.judgement.state
    assert {p.faction for p in state.table.seats.values()} == set(row.factions)
    assert state.outcome is None or state.outcome.winners


def test_what_is_rare_in_play_has_a_test_of_its_own():
    folder = Path(__file__).parent
    for where in DIRECTED.values():
        file, _, test = where.partition("::")
        assert f"def {test}(" in (folder / file).read_text() if test else (folder / file).exists()


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_the_whole_covering_and_what_it_shows(seed, record_property):
    """Every card effect, building space, base, leader, character, quest, relationship, rite, service and win path."""
    found, plies = Counter(), 0
    for row in covering():
        for ply in played(row, seed, every=4):
            found.update(set(seen(ply)))
            plies += 1
    rarest = ", ".join(f"{what} {n}" for what, n in found.most_common()[-6:])
    record_property("counted", f"root, seed {seed}: {len(covering())} games, {plies} plies; rarest: {rarest}")
    assert everything() - set(found) - set(DIRECTED) == set()
