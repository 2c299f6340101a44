"""Chapter 21, the campaign: the start of the bot, and what is kept (ROOT-CAMP-1 to ROOT-CAMP-6, ROOT-DEC-29)."""

import pytest

from service.engine.flow import advance, follow
from service.engine.judge import judge
from service.engine.options import options
from service.engine.problems import problems
from service.engine.ruleset import SetupRefused, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.view import view
from service.games.root.v1 import RULES
from service.games.root.v1.victory import watch_points
from tests.games.root.table import OWL, says
from tests.games.root.together import BOT, CAMPAIGN, CLAIM, ELK, MECHANICAL, alone, begun, joint

rule, refusal = pytest.mark.rule, pytest.mark.refusal
SETTINGS = {"mode": "cooperative", "campaign": "on"}


def refused(*factions, **options):
    """Where a set-up is wrong, and by which clause."""
    with pytest.raises(SetupRefused) as said:
        begun(*factions, **options)
    return [(p.pointer, p.rule) for p in said.value.problems]


# -- the next game begins (ROOT-CAMP-1, ROOT-CAMP-2) --------------------------------------------------------------


@rule("ROOT-CAMP-1", "ROOT-CAMP-2", "ROOT-CAMP-3", "ROOT-SETUP-3")
def test_the_example_of_the_playbook():
    """After two wins David begins with the two cards that he kept, and the bot with six points."""
    david = ["brutal-tactics", "command-warren"]
    g = begun(MECHANICAL, "eyrie", "cult", kept={"eyrie": david}, **SETTINGS, wins=2)
    assert (g["eyrie"].crafted, g["eyrie"].kept) == (david, david)
    assert (g["cult"].crafted, g["cult"].kept) == ([], [])
    assert [g.score(s) for s in (BOT, "eyrie", "cult")] == [6, 0, 0]
    deck = g.board.deck.segments[0].strata[0].members
    assert (deck["brutal-tactics"], deck["command-warren"], sum(deck.values())) == (1, 1, 52)


@rule("ROOT-CAMP-1", "ROOT-CAMP-3")
def test_what_the_games_before_have_left_is_told():
    david = ["brutal-tactics", "command-warren"]
    g = begun(MECHANICAL, "eyrie", kept={"eyrie": david}, **SETTINGS, wins=2)
    g.play("chance", "draw-seat", seat=BOT)
    told = {e.kind: (e.because, dict(e.facts)) for e in g.events if e.kind in ("head-start", "kept-cards")}
    assert told == {
        "head-start": ("ROOT-CAMP-1", {"seat": BOT, "n": 6, "wins": 2}),
        "kept-cards": ("ROOT-CAMP-3", {"seat": "eyrie", "what": {"brutal-tactics": 1, "command-warren": 1}}),
    }
    first = begun(MECHANICAL, "eyrie", **SETTINGS).play("chance", "draw-seat", seat=BOT)
    assert not [e for e in first.events if e.kind in ("head-start", "kept-cards")]


@rule("ROOT-CAMP-3")
def test_a_card_of_which_all_are_kept_is_no_card_of_the_deck():
    g = begun(MECHANICAL, "eyrie", kept={"eyrie": ["royal-claim"]}, **SETTINGS, wins=1)
    assert "royal-claim" not in g.board.deck.segments[0].strata[0].members


@rule("ROOT-CAMP-1")
@pytest.mark.parametrize(("wins", "points"), [(0, 0), (1, 3), (9, 27)])
def test_three_points_for_each_win(wins, points):
    assert begun(MECHANICAL, "eyrie", **SETTINGS, wins=wins).score(BOT) == points


@rule("ROOT-CAMP-1", "ROOT-SOLO-1")
def test_alone_one_may_play_a_campaign_too():
    assert begun(MECHANICAL, "eyrie", mode="solo", campaign="on", wins=1).score(BOT) == 3


@refusal("ROOT-CAMP-1")
def test_no_campaign_is_played_against_each_other_and_no_wins_are_counted_outside_of_one():
    assert refused("eyrie", "alliance", campaign="on") == [("/options/campaign", "ROOT-CAMP-1")]
    assert refused(MECHANICAL, "eyrie", mode="cooperative", wins=1) == [("/options/wins", "ROOT-CAMP-1")]


@refusal("ROOT-CAMP-1")
def test_a_game_that_would_be_lost_before_it_begins_is_not_begun():
    house = {"table": {"points-to-win": {"value": 6}}}
    assert begun(MECHANICAL, "eyrie", **SETTINGS, wins=1, house=house).score(BOT) == 3
    assert refused(MECHANICAL, "eyrie", **SETTINGS, wins=2, house=house) == [("/options/wins", "ROOT-CAMP-1")]


@refusal("ROOT-CAMP-2")
def test_no_more_cards_than_wins_and_none_outside_of_a_campaign_or_for_the_bot():
    seat = "/seats/1/kept"
    two = {"eyrie": ["armorers", "cobbler"]}
    assert refused(MECHANICAL, "eyrie", kept=two, **SETTINGS, wins=1) == [(seat, "ROOT-CAMP-2")]
    assert refused(MECHANICAL, "eyrie", kept=two, mode="cooperative") == [(seat, "ROOT-CAMP-2")]
    bots = {MECHANICAL: ["armorers"]}
    assert refused(MECHANICAL, "eyrie", kept=bots, **SETTINGS, wins=1) == [("/seats/0/kept", "ROOT-CAMP-2")]


@refusal("ROOT-CAMP-3")
def test_nobody_keeps_more_than_there_is():
    one = {"eyrie": ["royal-claim"], "cult": ["royal-claim"]}
    assert refused(MECHANICAL, "eyrie", "cult", kept=one, **SETTINGS, wins=1) == [
        ("/seats/2/kept/0", "ROOT-CAMP-3")
    ]
    two = {"eyrie": ["armorers"], "cult": ["armorers"]}
    g = begun(MECHANICAL, "eyrie", "cult", kept=two, **SETTINGS, wins=1)
    assert "armorers" not in g.board.deck.segments[0].strata[0].members


@rule("ROOT-CAMP-5")
@pytest.mark.parametrize("card", ["spy-fox", "dominance-fox", "anvil", "ambush-fox", "favor-of-the-mice"])
def test_only_lasting_cards_are_kept(card):
    assert refused(MECHANICAL, "eyrie", kept={"eyrie": [card]}, **SETTINGS, wins=1) == [
        ("/seats/1/kept/0", None)
    ]


def test_who_comes_into_a_position_has_kept_what_is_kept_there():
    board = joint(owl={"crafted": ["armorers"], "kept": ["armorers"]}, options=CAMPAIGN).board
    wished = {"faction": "eyrie", "kept": ["cobbler"]}
    for kept, wrong in ((["cobbler"], ["/seats/1/kept"]), (["armorers"], []), ([], [])):
        seats = [SetupSeat(BOT), SetupSeat(OWL, choice={**wished, "kept": kept}), SetupSeat(ELK)]
        setup = Setup(
            [SetupSeat(BOT, choice={"faction": MECHANICAL}), *seats[1:]],
            "test", ChanceState("given"), CAMPAIGN, board,
        )  # fmt: skip
        if not wrong:
            assert start(RULES, setup).state.table.seats[OWL].kept == ["armorers"]
            continue
        with pytest.raises(SetupRefused) as said:
            start(RULES, setup)
        assert [p.pointer for p in said.value.problems] == wrong


# -- a game of a campaign is won (ROOT-CAMP-3, ROOT-DEC-29) -------------------------------------------------------


def won(owl=(), elk=(), kept=(), elk_kept=(), options=CAMPAIGN, **more):
    """The Eyrie reach 30 as the last, with these cards; theirs is Royal Claim besides, which they discard for it."""
    return joint(
        owl={"score": 28, "crafted": [*CLAIM, *owl], "kept": list(kept)},
        elk={"score": 30, "reached": True, "crafted": list(elk), "kept": list(elk_kept)},
        options=options,
        **more,
    ).play(OWL, "royal-claim")


@rule("ROOT-DEC-29", "ROOT-CAMP-2", "ROOT-CAMP-3", "ROOT-COOP-2")
def test_after_a_win_each_human_is_asked_for_a_card_more():
    g = won(owl=["armorers", "cobbler"], elk=["sappers"], kept=["armorers"])
    assert g.state.outcome is None
    assert (g.asked, g.kinds) == ((OWL, ELK), ("keep-card", "pass"))
    assert [o["card"] for o in g.options(OWL, "keep-card")] == ["cobbler"]
    g.play(ELK, "keep-card", card="sappers")
    assert (g.asked, g[ELK].kept, g.state.outcome) == ((OWL,), ["sappers"], None)
    g.play(OWL, "keep-card", card="cobbler")
    outcome = g.state.outcome
    assert (outcome.winners, outcome.because) == ([OWL, ELK], "ROOT-COOP-2")
    assert g.state.stack == []


@rule("ROOT-CAMP-1", "ROOT-CAMP-2", "ROOT-CAMP-4")
def test_the_final_answer_is_the_next_set_up():
    g = won(owl=["armorers", "cobbler"], elk=["sappers"], kept=["armorers"])
    g.play(OWL, "keep-card", card="cobbler").play(ELK, "pass")
    assert g.state.outcome.next == {
        "seats": [
            {"id": BOT, "faction": MECHANICAL},
            {"id": OWL, "faction": "eyrie", "kept": ["armorers", "cobbler"]},
            {"id": ELK, "faction": "alliance"},
        ],
        "options": {"seating": "random", "mode": "cooperative", "campaign": "on", "wins": 3},
    }


def test_the_next_set_up_has_the_names_and_the_house_of_this_one():
    house = {"table": {"points-to-win": {"value": 20}}}
    g = alone(score=18, crafted=CLAIM, options={"mode": "solo", "campaign": "on", "wins": 0})
    g.state.house, g.state.seats[1].name = house, "Iva"
    g.play(OWL, "royal-claim")
    assert g.state.outcome.next["house"] == house
    assert g.state.outcome.next["seats"][1] == {"id": OWL, "faction": "eyrie", "name": "Iva"}


@rule("ROOT-CAMP-4")
def test_who_has_no_new_card_is_not_asked_and_keeps_the_earlier_ones():
    g = won(owl=["armorers"], kept=["armorers"], elk=["sappers"])
    assert g.asked == (ELK,)
    g.play(ELK, "pass")
    assert [s.get("kept") for s in g.state.outcome.next["seats"]] == [None, ["armorers"], None]


@rule("ROOT-CAMP-4")
def test_where_nobody_has_a_new_card_the_game_is_over_at_once():
    assert won().state.outcome.next["options"]["wins"] == 3


@rule("ROOT-CAMP-4")
def test_a_kept_card_that_is_discarded_is_lost():
    g = won(kept=CLAIM)
    assert g[OWL].kept == []
    assert [e.facts["place"] for e in g.events if e.because == "ROOT-CAMP-4"] == [["seats", OWL, "kept"]]
    assert "kept" not in g.state.outcome.next["seats"][1]


@rule("ROOT-CAMP-3")
def test_what_was_lost_and_crafted_anew_is_a_new_card():
    g = won(owl=["armorers"])  # kept no more, but there
    assert [o["card"] for o in g.options(OWL, "keep-card")] == ["armorers"]


@refusal("ROOT-CAMP-3")
def test_a_card_that_was_kept_already_cannot_be_kept_again_nor_one_that_is_not_there():
    g = won(owl=["armorers", "cobbler"], kept=["armorers"])
    says(g.refused(OWL, "keep-card", card="armorers"), "ROOT-CAMP-3", "/card", card="armorers")
    assert g.refused(OWL, "keep-card", card="sappers")["ROOT-CAMP-3"].reason == "unknown-value"


@refusal("ROOT-CAMP-2")
def test_one_card_and_no_second_one():
    g = won(owl=["armorers", "cobbler"], elk=["sappers"]).play(OWL, "keep-card", card="armorers")
    found = g.refused(OWL, "keep-card", card="cobbler")
    assert found["ROOT-CAMP-2"].reason == "not-your-decision"


@refusal("ROOT-CAMP-3")
def test_no_card_is_kept_before_the_game_is_won():
    g = joint(owl={"crafted": ["armorers", "royal-claim"]}, options=CAMPAIGN)
    assert "ROOT-CAMP-3" in g.refused(OWL, "keep-card", card="armorers")


@rule("ROOT-CAMP-6", "ROOT-R-CAMP-1")
def test_after_a_loss_there_is_no_next_game():
    strong = {"1": {"marquise-warrior": 3, "keep": 1}, "5": {"marquise-warrior": 3}}
    g = joint(strong, bot={"score": 27}, owl={"crafted": ["armorers"]}, turn=BOT, options=CAMPAIGN)
    assert (g.state.outcome.winners, g.state.outcome.next) == ([BOT], None)


def test_outside_of_a_campaign_nothing_is_kept():
    g = won(owl=["armorers"], options={"mode": "cooperative"})
    assert (g.state.outcome.winners, g.state.outcome.next) == ([OWL, ELK], None)


@rule("ROOT-CAMP-1")
def test_after_ten_wins_there_is_no_next_game():
    g = won(owl=["armorers"], options={**CAMPAIGN, "wins": 9}, bot={"score": 27})
    assert (g.state.outcome.winners, g.state.outcome.next) == ([OWL, ELK], None)


@rule("ROOT-COOP-5", "ROOT-CAMP-2")
def test_won_at_the_same_moment_as_the_bot_it_goes_on_as_well():
    t = joint(
        bot={"score": 29}, owl={"score": 29, "crafted": ["armorers"]}, elk={"reached": True}, options=CAMPAIGN
    ).table.fork()
    for seat in (BOT, OWL):
        t.moved("ROOT-BATTLE-20", {"points": 1}, None, ("seats", seat, "score"))
    follow(t, t.frames[-1], watch_points(t), stay=True)
    advance(t)
    state = t.to_state(2)
    assert problems(RULES, state) == []
    over = judge(RULES, state, {"kind": "keep-card", "actor": OWL, "card": "armorers"})
    assert (over.outcome.winners, over.outcome.because) == ([OWL, ELK], "ROOT-COOP-5")
    assert over.outcome.next["options"]["wins"] == 3


def test_what_is_kept_and_reached_everybody_sees():
    g = won(owl=["armorers"], elk=["sappers"]).play(OWL, "keep-card", card="armorers")
    for seat in (None, BOT, OWL, ELK):
        seen = view(g.state, seat)["table"]["seats"]
        assert [seen[s]["kept"] for s in (OWL, ELK)] == [["armorers"], []]
        assert [seen[s]["reached"] for s in (BOT, OWL, ELK)] == [False, True, True]


def test_a_seat_that_plays_by_itself_keeps_a_card():
    g = won(owl=["armorers", "cobbler"], elk=["sappers"])
    g.state.seats[2].automated = True
    g.play(OWL, "pass")
    assert g[ELK].kept == ["sappers"]
    assert g.state.outcome is not None


def test_all_that_is_listed_is_legal_and_nothing_else_is_asked():
    g = won(owl=["armorers", "cobbler"], elk=["sappers"], kept=["armorers"])
    listed = [o.filled() for o in options(g.table)]
    assert len(listed) == 4
    assert all(judge(RULES, g.state, action).legal for action in listed)
