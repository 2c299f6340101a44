"""Pools, known runs, hidden hands, given and seeded chance, shown by the game of barrow."""

from fractions import Fraction

import pytest

from service.engine.action import Action
from service.engine.deck import Deck, Pool, Run, Stratum
from service.engine.domain import Pick
from service.engine.flow import RulesFault
from service.engine.judge import judge
from service.engine.problems import problems
from service.engine.state import encode
from service.engine.table import NoDraws
from tests.engine.games import barrow
from tests.engine.kit import Play, drawn


def play(**more):
    return Play(barrow.rules, "ann", "bob", **more)


def dug(*tiles):
    g = play()
    for tile in tiles:
        g.do("ann", "dig")
        g.do("chance", "tile", tile=tile)
    return g


# -- who answers ------------------------------------------------------------------------------------------------------


def test_given_chance_is_a_decision_of_its_own_with_an_option_for_all_that_can_come_up():
    g = play()
    g.do("ann", "dig")
    assert g.asked() == [("chance", ("tile",))]
    assert [o["tile"] for o in g.listed("chance")] == ["bone", "gold"]
    assert g.refused("chance", "tile", tile="idol") == ["TOY-BARROW-3"]
    assert g.refused("ann", "tile", tile="gold") == ["TOY-BARROW-3"]


def test_seeded_chance_answers_by_itself_and_counts_its_draws():
    g = play(mode="seeded", draws=drawn(7))
    answer = g.do("ann", "dig")
    assert [p.action["kind"] for p in answer.played] == ["dig", "tile"]
    assert g.state.chance.next_draw == 1
    assert g.asked()[0][0] == "ann"


def test_what_was_drawn_carries_the_number_of_its_draw_and_nothing_else_does():
    g = play(mode="seeded", draws=drawn(7))
    for number in range(3):
        dig, tile = g.do("ann", "dig").played
        assert (dig.draw, tile.draw) == (None, number)
        assert tile.to_wire() == {**tile.action, "draw": number}
        assert tile.seen_by("bob") == {"kind": "tile", "actor": "chance", "draw": number}
        assert dig.to_wire() == dig.action
    given = play()
    given.do("ann", "dig")
    assert given.do("chance", "tile", tile="gold").played[0].draw is None


def test_no_parameter_is_called_as_the_number_of_a_draw_is():
    with pytest.raises(TypeError, match="draw"):
        type("Dig", (Action,), {"draw": Pick("TOY-BARROW-1", (1, 2))}, kind="dig-on")


def test_the_same_draws_make_the_same_state_and_other_draws_another():
    def end(seed):
        g = play(mode="seeded", draws=drawn(seed))
        for _ in range(5):
            g.do("ann", "dig")
        return encode(g.state)

    assert end(3) == end(3)
    assert len({end(seed) for seed in range(8)}) > 1


def test_what_seeded_chance_drew_can_be_given_and_leads_to_the_same_board():
    seeded, given = play(mode="seeded", draws=drawn(5)), play()
    for _ in range(4):
        answer = seeded.do("ann", "dig")
        for action in answer.played:
            given.do(**action.action)
    assert encode(seeded.board) == encode(given.board)


def test_a_seeded_draw_without_a_source_is_an_error_and_changes_nothing():
    g = play(mode="seeded")
    before = encode(g.state)
    with pytest.raises(NoDraws):
        judge(g.rules, g.state, {"kind": "dig", "actor": "ann"})
    assert encode(g.state) == before


def test_a_seeded_state_that_waits_for_chance_cannot_exist():
    g = play()
    g.do("ann", "dig")
    g.state.chance.mode = "seeded"
    assert [p.pointer for p in problems(g.rules, g.state)] == ["/stack/2"]


def test_chance_that_is_asked_where_nothing_can_come_up_cannot_exist_and_is_a_fault_of_rules(monkeypatch):
    g = play()
    g.do("ann", "dig")
    monkeypatch.setattr(barrow.Tile, "odds", classmethod(lambda cls, t, frame: {"gold": 0}))
    assert [p.message for p in problems(g.rules, g.state)] == ["chance is asked, and nothing can come up"]
    assert g.refused("chance", "tile", tile="gold") == ["TOY-BARROW-3"]
    with pytest.raises(RulesFault, match="nothing can come up"):
        Play(barrow.rules, "ann", mode="seeded", draws=drawn(1)).do("ann", "dig")


# -- the odds ---------------------------------------------------------------------------------------------------------


def outcomes(deck, n):
    """The exact chance of every series of n tiles."""
    if n == 0:
        return {(): Fraction(1)}
    odds = deck.odds()
    found = {}
    for tile, weight in odds.items():
        for rest, p in outcomes(deck.take(tile), n - 1).items():
            found[tile, *rest] = found.get((tile, *rest), 0) + p * Fraction(weight, sum(odds.values()))
    return found


def test_odds_with_tiles_set_aside_unseen_are_those_of_shuffling_and_setting_aside():
    every = outcomes(play().board.barrow, 3)
    assert every["gold", "gold", "bone"] == Fraction(1, 6)
    assert sum(p for tiles, p in every.items() if tiles.count("gold") == 2) == Fraction(1, 2)
    assert sum(every.values()) == 1


def test_the_lower_tiles_come_only_after_the_upper_ones_and_the_unseen_one_stays_unseen():
    g = dug("gold", "bone", "gold")
    odds = g.board.barrow.odds()
    assert 3 * odds["idol"] == odds["rat"]
    assert set(odds) == {"idol", "rat"}
    assert g.board.barrow.segments[0] == Pool([Stratum({"bone": 1}, 0)])
    assert problems(g.rules, g.state) == []


# -- known runs -------------------------------------------------------------------------------------------------------


def looked():
    g = play()
    g.do("ann", "look")
    g.do("chance", "tile", tile="gold")
    g.do("chance", "tile", tile="bone")
    g.do("ann", "put-back", tiles=["bone", "gold"])
    return g


def test_what_was_put_back_on_top_comes_up_again_in_that_order():
    g = looked()
    assert g.board.barrow.segments[0] == Run(["bone", "gold"], ["ann"])
    g.do("ann", "dig")
    assert [o["tile"] for o in g.listed("chance")] == ["bone"]


def test_a_run_is_in_the_view_of_those_who_know_it_alone():
    g = looked()
    assert g.view("ann")["table"]["barrow"] == {"size": 7, "top": ["bone", "gold"]}
    assert g.view("bob")["table"]["barrow"] == {"size": 7, "top": []}
    assert g.view(None)["table"]["barrow"] == {"size": 7, "top": []}


def test_what_was_buried_is_known_at_its_depth_to_its_seat_alone():
    g = dug("gold")
    g.do("ann", "bury", tile="gold")
    known = {"above": 6, "cards": ["gold"]}
    assert g.view("ann")["table"]["barrow"] == {"size": 7, "top": [], "known": [known]}
    assert "known" not in g.view("bob")["table"]["barrow"]


def test_pouring_back_merges_runs_and_pools_and_nobody_knows_anything_any_more():
    g = dug("gold", "bone")
    g.do("ann", "spill")
    g.do("ann", "look")
    g.do("chance", "tile", tile="gold")
    g.do("chance", "tile", tile="rat")
    g.do("ann", "put-back", tiles=["rat", "gold"])
    g.do("ann", "pour")
    assert g.view("ann")["table"]["barrow"] == {"size": 7, "top": []}
    (pool,) = g.board.barrow.segments
    assert pool.strata == [Stratum({"bone": 1}, 0), Stratum({"bone": 1, "gold": 2, "idol": 1, "rat": 3}, 7)]


def test_a_stratum_of_which_nothing_is_left_is_gone():
    deck = Deck([Pool([Stratum({"gold": 1}, 1), Stratum({"rat": 2}, 1)])])
    assert deck.take("gold") == Deck([Pool([Stratum({"rat": 2}, 1)])])


# -- who sees what ----------------------------------------------------------------------------------------------------


def test_a_hidden_draw_is_seen_in_full_by_its_seat_and_as_a_number_by_others():
    g = dug("gold")
    (mine,), (theirs,) = g.seen("ann"), g.seen("bob")
    assert mine["what"] == {"gold": 1}
    assert theirs["what"] == 1
    assert g.last.played[0].seen_by("ann") == {"kind": "tile", "actor": "chance", "tile": "gold"}
    assert g.last.played[0].seen_by("bob") == {"kind": "tile", "actor": "chance"}


def test_the_rest_of_a_target_is_what_others_see_move_there():
    g = dug("gold")
    g.do("ann", "hide", tile="gold", where="pocket")
    assert g.seen("bob")[0]["what"] == {"bright": 1, "dull": 0}
    assert g.view("bob")["table"]["seats"]["ann"] == {
        "hand": 0,
        "pocket": {"bright": 1, "dull": 0},
        "looking": 0,
    }


def test_a_place_without_a_rest_is_not_in_others_views():
    g = dug("gold")
    g.do("ann", "hide", tile="gold", where="shoe")
    assert "shoe" not in g.view("bob")["table"]["seats"]["ann"]
    assert g.view("ann")["table"]["seats"]["ann"]["shoe"] == {"gold": 1}


def test_what_declares_no_audience_is_in_nobodys_view_and_its_events_are_nobodys():
    g = play()
    g.do("ann", "curse")
    assert g.board.curse == "slow"
    for seat in ("ann", "bob", None):
        assert "curse" not in g.view(seat)["table"]
        assert g.seen(seat) == []


def test_spilling_into_the_open_shows_everybody_what_it_was():
    g = dug("gold", "bone")
    g.do("ann", "spill")
    assert g.seen(None)[0]["what"] == {"bone": 1, "gold": 1}


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_at_random_keep_every_law_of_the_table(seed):
    for _ in play().random(seed, plies=60):
        pass
