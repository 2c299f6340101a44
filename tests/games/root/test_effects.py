"""Chapter 9, effects of crafted cards outside battle, and when in a turn they may be used."""

import pytest

from service.engine.view import view
from service.games.root.v1.state import Turn
from tests.games.root.table import CAT, OWL, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
HOME = {"3": {"roost": 1}}


def cat(*crafted, map=None, at="daylight", owl=None, **held):
    return game({CAT: {"crafted": crafted, **held}, OWL: owl or {}}, {**HOME, **(map or {})}, at=at)


# -- Birdsong -----------------------------------------------------------------------------------------------------


@rule("ROOT-FX-8", "ROOT-TURN-1", "ROOT-R-FX-2", "ROOT-DEC-26")
def test_better_burrow_bank_gives_a_card_to_two():
    g = cat("better-burrow-bank", at="turn")
    assert (g.asked, g.kinds) == ((CAT,), ("better-burrow-bank",))
    g.play(CAT, "better-burrow-bank", player=OWL).draw("anvil", "cobbler")
    assert (g[CAT].hand, g[OWL].hand) == ({"anvil": 1}, {"cobbler": 1})
    assert g.kinds[0] == "craft"


@refusal("ROOT-FX-8")
def test_with_somebody_else():
    says(
        cat("better-burrow-bank", at="turn").refused(CAT, "better-burrow-bank", player=CAT),
        "ROOT-FX-8",
        "/player",
    )


@refusal("ROOT-TURN-6")
def test_it_cannot_be_declined():
    assert "ROOT-TURN-6" in cat("better-burrow-bank", at="turn").refused(CAT, "pass")


@rule("ROOT-FX-5", "ROOT-TURN-2", "ROOT-DEC-26")
def test_royal_claim_scores_for_every_clearing_ruled():
    g = cat("royal-claim", map={"5": {CATS: 1}, "8": {"sawmill": 1}, "9": {CATS: 1, OWLS: 1}}, at="turn")
    assert (g.asked, g.kinds) == ((CAT,), ("end-phase",))
    g.play(CAT, "royal-claim")
    assert g.points(CAT) == [("ROOT-FX-5", 2)]
    assert (g[CAT].crafted, g.board.discard) == ([], {"royal-claim": 1})
    assert g.kinds[0] == "craft"


@rule("ROOT-TURN-2", "ROOT-FX-13", "ROOT-TURN-5")
def test_it_may_wait_until_the_steps_of_birdsong_are_done():
    g = cat("royal-claim", map={"8": {"sawmill": 1}}, at="turn").play(CAT, "end-phase")
    assert (g.here("8"), g.kinds) == ({"sawmill": 1, "wood": 1}, ("end-phase",))
    g.play(CAT, "end-phase")
    assert g.kinds[0] == "craft"
    assert g[CAT].crafted == ["royal-claim"]


@rule("ROOT-TURN-2")
def test_and_comes_between_the_steps_of_the_eyrie():
    g = game(
        {OWL: {"crafted": ["royal-claim"], "hand": ["anvil", "bake-sale"]}},
        {"1": {"roost": 1}},
        turn=OWL,
        at="turn",
    )
    g.play(OWL, "end-phase").play(OWL, "add-to-decree", card="anvil", column="move")
    assert g.kinds == ("add-to-decree", "pass")
    g.play(OWL, "royal-claim")
    assert g.points(OWL) == [("ROOT-FX-5", 1)]
    assert g.kinds == ("add-to-decree", "pass")


@refusal("ROOT-TURN-2", "ROOT-FX-5")
def test_claims_belong_to_birdsong_and_take_the_card():
    assert "ROOT-TURN-2" in cat("royal-claim").refused(CAT, "royal-claim")
    assert "ROOT-TURN-2" in cat("stand-and-deliver").refused(CAT, "stand-and-deliver", player=OWL)
    g = cat("stand-and-deliver", at="turn", owl={"hand": ["anvil"]})
    says(g.refused(CAT, "royal-claim"), "ROOT-FX-5", "/kind", card="royal-claim")


def robbed(**owl):
    return cat("stand-and-deliver", at="turn", owl={"hand": ["anvil", "cobbler"], **owl})


@rule("ROOT-FX-6", "ROOT-INFO-10", "ROOT-GEN-13", "ROOT-DEC-26")
def test_stand_and_deliver_takes_a_random_card():
    g = robbed().play(CAT, "stand-and-deliver", player=OWL)
    assert g.points(OWL) == [("ROOT-FX-6", 1)]
    assert g.asked == ("chance",)
    g.play("chance", "random-card", card="cobbler")
    assert (g[CAT].hand, g[OWL].hand) == ({"cobbler": 1}, {"anvil": 1})
    moved = next(e for e in g.events if e.kind == "moved" and e.because == "ROOT-FX-6")
    assert moved.whole == {CAT, OWL}
    assert moved.seen_by(None)["what"] == 1


@refusal("ROOT-GEN-13")
def test_chance_takes_no_card_that_is_not_there():
    g = robbed().play(CAT, "stand-and-deliver", player=OWL)
    assert "ROOT-GEN-13" in g.refused("chance", "random-card", card="bake-sale")


@refusal("ROOT-FX-6")
@rule("ROOT-R-FX-4", "ROOT-FX-13")
def test_once_a_turn_and_from_another_who_has_a_card():
    says(robbed(hand=[]).refused(CAT, "stand-and-deliver", player=OWL), "ROOT-FX-6", "/player", player=OWL)
    says(robbed().refused(CAT, "stand-and-deliver", player=CAT), "ROOT-FX-6", "/player", player=CAT)
    g = cat("stand-and-deliver", "royal-claim", at="turn", owl={"hand": ["anvil", "cobbler"]})
    g.play(CAT, "stand-and-deliver", player=OWL).play("chance", "random-card", card="cobbler")
    says(g.refused(CAT, "stand-and-deliver", player=OWL), "ROOT-FX-6", "/kind", card="stand-and-deliver")


# -- Daylight -----------------------------------------------------------------------------------------------------


@rule("ROOT-FX-7", "ROOT-TURN-3", "ROOT-DEC-27")
def test_tax_collector_turns_a_warrior_into_a_card():
    g = cat("tax-collector", map={"5": {CATS: 2}}).play(CAT, "tax-collector", clearing="5").draw("anvil")
    assert (g.here("5"), g[CAT].hand) == ({CATS: 1}, {"anvil": 1})
    assert g.frame(Turn).used == ["tax-collector"]
    assert g.kinds[0] == "craft"


@refusal("ROOT-FX-7")
def test_once_a_turn_with_the_card_and_a_warrior():
    g = cat("tax-collector", map={"5": {CATS: 2}})
    says(g.refused(CAT, "tax-collector", clearing="8"), "ROOT-FX-7", "/clearing", clearing="8")
    g.play(CAT, "tax-collector", clearing="5").draw("anvil")
    says(g.refused(CAT, "tax-collector", clearing="5"), "ROOT-FX-7", "/kind", card="tax-collector")
    assert "ROOT-FX-7" in cat(map={"5": {CATS: 2}}).refused(CAT, "tax-collector", clearing="5")


@rule("ROOT-TURN-3", "ROOT-EYRIE-12")
def test_between_decree_cards_too_and_what_follows_from_it():
    """Without the warrior the last move cannot be made: turmoil at once."""
    owl = {"crafted": ["tax-collector"], "leader": "commander", "decree": {}}
    g = game({OWL: owl}, {"1": {"roost": 1, OWLS: 1}}, turn=OWL).play(OWL, "resolve-decree")
    g.play(OWL, "tax-collector", clearing="1").draw("anvil")
    assert g.kinds == ("choose-leader",)


@rule("ROOT-FX-11", "ROOT-INFO-9", "ROOT-INFO-2", "ROOT-DEC-27")
def test_codebreakers_show_a_hand_to_one_player():
    g = cat("codebreakers", owl={"hand": ["anvil", "cobbler"]}).play(CAT, "codebreakers", player=OWL)
    shown = next(e for e in g.events if e.kind == "hand-shown")
    assert (shown.facts["cards"], shown.whole) == ({"anvil": 1, "cobbler": 1}, {CAT, OWL})
    assert shown.seen_by(None) is None
    assert g.event("looks-at-hand")["player"] == OWL
    assert view(g.state, CAT)["table"]["seats"][OWL]["hand"] == 2


@refusal("ROOT-FX-11")
def test_codebreakers_once_a_turn_and_not_ones_own():
    g = cat("codebreakers")
    says(g.refused(CAT, "codebreakers", player=CAT), "ROOT-FX-11", "/player", player=CAT)
    g.play(CAT, "codebreakers", player=OWL)
    says(g.refused(CAT, "codebreakers", player=OWL), "ROOT-FX-11", "/kind", card="codebreakers")


@rule("ROOT-FX-10", "ROOT-TURN-3", "ROOT-FX-16", "ROOT-DEC-27")
def test_command_warren_battles_before_all_else():
    g = cat("command-warren", map={"5": {CATS: 2, OWLS: 1}})
    assert (g.asked, g.kinds) == ((CAT,), ("command-warren", "pass"))
    g.fight(CAT, OWL, "5", 1, 0, kind="command-warren")
    assert g.here("5") == {CATS: 2}
    assert (g.kinds[0], g.top.left) == ("craft", 3)


@rule("ROOT-TURN-10", "ROOT-FX-13")
@refusal("ROOT-TURN-3")
def test_what_is_not_used_at_the_start_is_lost():
    g = cat("command-warren", map={"5": {CATS: 2, OWLS: 1}}).play(CAT, "pass")
    assert "ROOT-TURN-3" in g.refused(CAT, "command-warren", clearing="5", defender=OWL)


@refusal("ROOT-BATTLE-1")
def test_command_warren_follows_the_rules_of_battle():
    g = cat("command-warren", map={"5": {CATS: 2, OWLS: 1}})
    assert "ROOT-BATTLE-1" in g.refused(CAT, "command-warren", clearing="8", defender=OWL)


@rule("ROOT-TURN-7")
@pytest.mark.parametrize("map", [{}, {"5": {CATS: 2}}, {"5": {OWLS: 1}}])
def test_where_no_battle_can_be_begun_nobody_is_asked(map):
    assert cat("command-warren", map=map).kinds[0] == "craft"


@refusal("ROOT-FX-8", "ROOT-FX-9", "ROOT-FX-10", "ROOT-TURN-8")
def test_who_has_not_crafted_the_card_cannot_use_it():
    map = {"5": {CATS: 2, OWLS: 1}, "1": {OWLS: 1}}
    warren = cat("command-warren", map=map).refused(OWL, "command-warren", clearing="5", defender=CAT)
    says(warren, "ROOT-FX-10", "/kind", card="command-warren")
    bank = cat("better-burrow-bank", at="turn").refused(OWL, "better-burrow-bank", player=CAT)
    says(bank, "ROOT-FX-8", "/kind", card="better-burrow-bank")
    cobbler = cat("cobbler", map=map, at="evening").refused(OWL, "cobbler", from_="1", to="9", warriors=1)
    says(cobbler, "ROOT-FX-9", "/kind", card="cobbler")


# -- Evening ------------------------------------------------------------------------------------------------------


@rule("ROOT-FX-9", "ROOT-TURN-4", "ROOT-FX-16", "ROOT-DEC-28")
def test_cobbler_moves_at_the_start_of_evening():
    g = cat("cobbler", map={"5": {CATS: 2}}).play(CAT, "end-phase")
    assert (g.asked, g.kinds) == ((CAT,), ("cobbler", "pass"))
    g.play(CAT, "cobbler", from_="5", to="1", warriors=2)
    assert g.here("1") == {CATS: 2}
    assert g.asked == ("chance",)


@rule("ROOT-TURN-4", "ROOT-EYRIE-19")
def test_after_turmoil_too():
    owl = {"crafted": ["cobbler"], "leader": "commander", "decree": {"move": ["codebreakers"]}}
    g = game({OWL: owl}, {"1": {"roost": 1, OWLS: 1}}, turn=OWL).play(OWL, "resolve-decree")
    g.play(OWL, "decree-move", card="vizier", from_="1", to="5", warriors=1)
    g.play(OWL, "choose-leader", leader="despot")
    assert g.kinds == ("cobbler", "pass")


@refusal("ROOT-TURN-4", "ROOT-MOVE-2")
def test_cobbler_follows_the_rules_of_movement():
    g = cat("cobbler", map={"5": {CATS: 2}, "9": {CATS: 1, OWLS: 1}, "1": {OWLS: 1}})
    assert "ROOT-TURN-4" in g.refused(CAT, "cobbler", from_="5", to="1", warriors=1)
    g.play(CAT, "end-phase")
    assert "ROOT-MOVE-2" in g.refused(CAT, "cobbler", from_="9", to="1", warriors=1)


# -- out of turn --------------------------------------------------------------------------------------------------


@refusal("ROOT-TURN-8")
@pytest.mark.parametrize("kind", ["end-phase", "march", "recruit"])
def test_nobody_acts_out_of_turn(kind):
    says(cat().refused(OWL, kind), "ROOT-TURN-8", "/actor", actor=OWL, asked=[CAT])
