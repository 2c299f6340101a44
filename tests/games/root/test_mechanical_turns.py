"""Turns of the Mechanical Marquise, worked by hand from the playbook: small boards, every tie-break."""

import pytest

from tests.games.root.robot import BOT, FOLK, FOX, OWL, OWLS, W, orders, robot, row

rule = pytest.mark.rule
KEEP = {"keep": 1}


def moves(g):
    """The moves of the last events: from, to, how many."""
    return [
        (e.facts["source"][1], e.facts["target"][1], e.facts["what"][W])
        for e in g.events
        if e.because == "ROOT-BOT-18"
    ]


def recruits(g):
    """Where how many warriors came, in order."""
    return [(e.facts["target"][1], e.facts["what"][W]) for e in g.events if e.because == "ROOT-BOT-22"]


def battles(g):
    """The battles of the last events: where, against whom."""
    return [(e.facts["clearing"], e.facts["defender"]) for e in g.events if e.kind == "battle-begins"]


@rule("ROOT-BOT-11", "ROOT-BOT-22", "ROOT-BOT-25", "ROOT-BOT-27")
def test_turn_1_it_scores_strong_clearings_recruits_by_the_cost_and_refills_the_row():
    g = robot(
        {
            "1": {**KEEP, W: 3},  # ruled with three: 2 points
            "2": {W: 3, OWLS: 3},  # a tie, which the Eyrie rule
            "5": {W: 2},  # ruled with two
            "9": {W: 3, OWLS: 1},  # ruled with three: 2 points
            "11": {W: 4, OWLS: 4, "roost": 1},  # ruled by the Eyrie
        }
    )
    assert g.points(BOT) == [("ROOT-BOT-11", 4)]
    assert (g.asked, g.kinds, row(g)) == (("chance",), ("turn-up-order",), 5)
    orders(g, "anvil")  # a fox card that costs a fox
    assert (battles(g), moves(g), recruits(g)) == ([], [], [("1", 1)])
    assert g.here("1") == {**KEEP, W: 4}
    assert g.board.discard == {"anvil": 1}
    assert (g[BOT].score, row(g), g.asked) == (4, 5, (OWL,))
    assert g.because("laid-aside") == ["ROOT-BOT-27"]


@rule("ROOT-BOT-14", "ROOT-BOT-15", "ROOT-BOT-22")
def test_turn_2_one_battle_in_each_clearing_of_the_suit_by_rank_then_recruits():
    g = robot(
        {
            "1": {**KEEP, W: 1, OWLS: 1},  # a fox clearing: no battle by a rabbit order
            "3": {W: 3, OWLS: 2},
            "4": {OWLS: 2},  # no warrior of its own
            "5": {W: 1, OWLS: 1},
            "10": {W: 1},  # nobody to fight
        }
    )
    orders(g, "bake-sale")  # a rabbit card that costs two rabbits
    assert battles(g) == [("3", OWL)]
    g.roll(1, 3)  # 3 hits and 1: both owls go, one warrior goes
    assert g.here("3") == {W: 2}
    assert battles(g) == [("5", OWL)]
    g.roll(0, 1)  # 1 hit and 0
    assert g.here("3") == {W: 2 + 2}
    assert g.here("5") == {W: 1 + 2}
    assert g.here("10") == {W: 1 + 2}
    assert g.here("4") == {OWLS: 2}
    assert recruits(g) == [("3", 2), ("5", 2), ("10", 2)]
    assert g.here("1") == {**KEEP, W: 1, OWLS: 1}


@rule("ROOT-BOT-10", "ROOT-BOT-16")
def test_turn_3_the_defender_has_most_pieces_whatever_the_points():
    g = robot(
        {"7": {W: 2, OWLS: 2, FOLK: 1, "sympathy": 1, "mouse-base": 1}},
        "eyrie",
        "alliance",
        owl={"score": 20},
        fox={"score": 0},
    )
    orders(g, "scouting-party")  # a mouse card
    assert battles(g) == [("7", FOX)]
    targets = g.event("targets")
    assert (targets["because"], targets["player"], targets["clearing"]) == ("ROOT-BOT-16", FOX, "7")


@rule("ROOT-BOT-16")
def test_turn_4_among_equals_the_defender_has_most_points():
    g = robot(
        {"7": {W: 2, OWLS: 1, FOLK: 1}},
        "eyrie",
        "alliance",
        owl={"score": 5},
        fox={"score": 6},
    )
    assert battles(orders(g, "scouting-party")) == [("7", FOX)]


@rule("ROOT-BOT-16")
@pytest.mark.parametrize("score", [0, 7])
def test_turn_5_with_as_many_points_the_earlier_in_the_order_of_set_up(score):
    g = robot(
        {"7": {W: 2, FOLK: 1, OWLS: 1}},
        "alliance",  # sits first, and sets up after the Eyrie
        "eyrie",
        owl={"score": score},
        fox={"score": score},
        order=(BOT, OWL, FOX),
    )
    assert g[OWL].faction == "alliance"
    assert battles(orders(g, "scouting-party")) == [("7", FOX)]


@rule("ROOT-BOT-18", "ROOT-BOT-19")
def test_turn_6_all_but_three_go_where_most_pieces_of_opponents_are_then_to_the_lower_rank():
    g = robot(
        {
            "1": {**KEEP, W: 6},  # next to 5, 9 and 10
            "5": {OWLS: 1},
            "9": {OWLS: 1, "roost": 1},
            "10": {OWLS: 2},
            "8": {W: 4},  # next to 4 and 7, both without opponents
            "12": {W: 3},  # three stay
            "6": {W: 4, OWLS: 4},  # a tie is ruled by the Eyrie
        }
    )
    orders(g, "root-tea-fox")  # a fox card that costs a mouse
    assert battles(g) == [("6", OWL)]
    g.roll(0, 0)
    assert moves(g) == [("1", "9", 3), ("8", "4", 1)]
    assert g.here("1") == {**KEEP, W: 3}
    assert recruits(g) == [("9", 1)]  # three to two there now: the only mouse clearing that it rules
    assert g.here("9") == {W: 4, OWLS: 1, "roost": 1}
    assert g.here("6") == {W: 4, OWLS: 4}
    assert g.here("12") == {W: 3}


@rule("ROOT-BOT-9", "ROOT-BOT-20", "ROOT-R-BOT-1")
def test_turn_7_warriors_that_arrived_move_on_when_the_turn_of_their_clearing_comes():
    g = robot({"1": {W: 5}, "5": {W: 2}, "3": {OWLS: 6, "roost": 1}})
    orders(g, "armorers")  # a bird, which names all clearings; it costs a fox
    # From 1 two go to 5 (5, 9 and 10 are empty); there are four then, and one goes on to 1 (1 and 2 are alike: 1).
    assert moves(g) == [("1", "5", 2), ("5", "1", 1)]
    assert recruits(g) == [("1", 1)]
    assert (g.here("1"), g.here("5")) == ({W: 5}, {W: 3})


@rule("ROOT-BOT-25", "ROOT-BOT-28", "ROOT-BOT-30")
def test_turn_8_an_order_without_a_cost_is_carried_out_in_full_and_the_next_is_turned_up():
    g = robot({"2": {W: 5}, "6": {W: 4}, "1": {**KEEP, W: 1}, "3": {OWLS: 3}})
    orders(g, "spy-mouse")  # moves from 2 to 5 (5, 6 and 10 are without opponents)
    assert moves(g) == [("2", "5", 2)]
    assert g.board.available == {"spy-mouse": 1}
    assert (g.kinds, row(g)) == (("turn-up-order",), 4)
    orders(g, "ambush-fox")  # moves from 6 to 3, where opponents are
    assert moves(g) == [("6", "3", 1)]
    assert recruits(g) == []
    assert g.board.discard == {"ambush-fox": 1}
    orders(g, "anvil")  # has a cost, and ends Daylight
    assert recruits(g) == [("1", 1), ("6", 1)]
    assert g.asked == (OWL,)
    assert g.because("laid-aside") == ["ROOT-BOT-27"] * 3
    assert row(g) == 5


@rule("ROOT-BOT-13")
def test_turn_9_when_no_order_is_left_it_is_evening():
    g = robot({"1": {**KEEP, W: 1}, "3": {OWLS: 3}})
    orders(g, "ambush-bird", "ambush-bird", "spy-bird", "ambush-mouse")
    assert (row(g), g.kinds) == (1, ("turn-up-order",))
    orders(g, "ambush-rabbit")
    assert g.event("no-orders")["because"] == "ROOT-BOT-13"
    assert (row(g), g.asked) == (5, (OWL,))
    assert g.board.discard == {"ambush-bird": 2, "ambush-mouse": 1, "ambush-rabbit": 1}
    assert g.board.available == {"spy-bird": 1}


@rule("ROOT-BOT-22", "ROOT-R-BOT-4")
@pytest.mark.parametrize("stands", [True, False])
def test_turn_10_four_of_any_suit_come_to_the_keep_ruled_or_not_and_nowhere_without_it(
    stands,
):
    g = robot({"2": {**(KEEP if stands else {}), OWLS: 3}, "7": {W: 1}})
    orders(g, "royal-claim")
    assert battles(g) == []
    assert recruits(g) == ([("2", 4)] if stands else [])
    assert g.here("2") == ({**KEEP, W: 4, OWLS: 3} if stands else {OWLS: 3})
    assert g.here("7") == {W: 1}


@rule("ROOT-BOT-24")
def test_turn_11_where_warriors_run_short_the_lower_rank_has_all_of_its_own_first():
    spread = {"1": 3, "6": 3, "8": 3, "2": 3, "3": 3, "7": 3, "9": 3}  # 21 of 25 on the map
    g = robot({**{c: {W: n} for c, n in spread.items()}, "12": {W: 1, OWLS: 2}, "1": {**KEEP, W: 3}})
    assert g[BOT].supply == {W: 3}
    orders(g, "favor-of-the-rabbits")  # three rabbits: rabbit clearings that it rules: 3 alone
    assert recruits(g) == [("3", 3)]
    g = robot({**{c: {W: n} for c, n in spread.items()}, "12": {W: 2}, "1": {**KEEP, W: 3}})
    assert g[BOT].supply == {W: 2}
    orders(g, "favor-of-the-foxes")  # three foxes each for 1, 6, 8 and 12
    assert recruits(g) == [("1", 2)]


@rule("ROOT-BOT-22", "ROOT-BOT-24")
def test_turn_12_one_of_each_suit_brings_one_to_each_clearing_ruled_when_step_3_begins():
    g = robot({"1": {**KEEP, W: 1}, "2": {W: 1, OWLS: 1}, "5": {W: 2, OWLS: 1}, "8": {W: 1}})
    orders(g, "tax-collector")  # a fox card; 2 is ruled by the Eyrie, as they win ties
    assert recruits(g) == [("1", 1), ("5", 1), ("8", 1)]


@rule("ROOT-BOT-26")
def test_turn_13_the_suit_of_the_order_is_not_that_of_its_cost():
    g = robot({"1": {**KEEP, W: 4}, "2": {W: 4}, "7": {W: 1, OWLS: 2}, "9": {W: 1}, "12": {W: 1, OWLS: 1}})
    orders(g, "root-tea-fox")  # fights and moves in fox clearings, recruits in those of mice
    assert battles(g) == [("12", OWL)]
    g.roll(0, 0)
    assert moves(g) == [("1", "5", 1)]  # 5, 9 and 10 are without opponents; 2 is of another suit
    assert recruits(g) == [("2", 1), ("9", 1)]


@rule("ROOT-BOT-17")
def test_turn_14_a_clearing_is_looked_at_when_its_turn_comes_and_fought_in_once():
    g = robot({"1": {**KEEP, W: 1, OWLS: 1}, "6": {W: 1, OWLS: 3}})
    orders(g, "anvil")
    assert battles(g) == [("1", OWL)]
    g.roll(1, 1)  # both are gone
    assert battles(g) == [("6", OWL)]
    g.roll(2, 3)  # both sides within their warriors: one hit, and two
    assert g.here("1") == KEEP
    assert g.here("6") == {OWLS: 2}
    assert recruits(g) == []
    assert g.asked == (OWL,)


@rule("ROOT-BOT-21", "ROOT-WA-12")
def test_turn_15_moving_into_sympathy_makes_the_alliance_draw():
    g = robot({"1": {**KEEP, W: 5}, "9": {"sympathy": 1}}, "alliance")
    orders(g, "anvil")
    assert moves(g) == [("1", "9", 2)]
    assert g.event("outrage")["seat"] == BOT
    assert (g.asked, g.kinds) == (("chance",), ("draw-card",))
    g.draw("bake-sale")
    assert g.because("moved")[0] == "ROOT-WA-12"
    assert g[OWL].alliance.supporters == {"bake-sale": 1}
    assert recruits(g) == [("1", 1)]
    assert g.asked == (OWL,)


# -- played against together ----------------------------------------------------------------------------------------

TOGETHER = {"options": {"mode": "cooperative"}}


@rule("ROOT-BOT-12")
@pytest.mark.parametrize(
    ("others", "more"), [(("eyrie",), 1), (("eyrie", "cult"), 2), (("eyrie", "cult", "alliance"), 3)]
)
def test_turn_16_together_it_scores_a_point_more_for_each_human(others, more):
    g = robot({"1": {**KEEP, W: 3}, "2": {W: 2}}, *others, **TOGETHER)
    assert g.points(BOT) == [("ROOT-BOT-11", 2), ("ROOT-BOT-12", more)]


@rule("ROOT-BOT-12")
def test_turn_17_alone_against_one_it_scores_a_point_more():
    g = robot({"2": {W: 2}}, options={"mode": "solo"})
    assert g.points(BOT) == [("ROOT-BOT-12", 1)]


@rule("ROOT-BOT-23")
def test_turn_18_together_it_recruits_in_all_clearings_of_the_suit_ruled_or_not():
    g = robot({"1": {**KEEP, W: 1}, "6": {OWLS: 1}}, **TOGETHER)
    orders(g, "anvil")
    assert recruits(g) == [("1", 1), ("6", 1), ("8", 1), ("12", 1)]
    g = robot({"1": {**KEEP, W: 1}, "6": {OWLS: 1}}, **TOGETHER)
    orders(g, "tax-collector")
    assert recruits(g) == [(str(c), 1) for c in range(1, 13)]
    g = robot({"1": {**KEEP, W: 14}}, **TOGETHER)  # eleven are left
    orders(g, "crossbow-mouse")  # a mouse card that costs a fox: nobody moves
    assert recruits(g) == [("1", 1), ("6", 1), ("8", 1), ("12", 1)]
    g = robot({"1": {**KEEP, W: 17}}, **TOGETHER)  # eight are left
    orders(g, "favor-of-the-mice")  # three each for 2, 7, 9 and 11
    assert recruits(g) == [("2", 3), ("7", 3), ("9", 2)]


@rule("ROOT-BOT-16", "ROOT-VAG2-6")
@pytest.mark.parametrize("second", [OWL, FOX])
def test_turn_19_of_two_vagabonds_the_one_who_set_up_first(second):
    pawns = {s: {"pawn": "7", "second": s == second} for s in (OWL, FOX)}
    pawns[FOX]["character"] = "ranger"
    g = robot({"7": {W: 2}}, "vagabond", "vagabond", **pawns)
    assert battles(orders(g, "scouting-party")) == [("7", FOX if second == OWL else OWL)]
