"""What the Mechanical Marquise is to the others: no hand, no surprises, pieces that count like anybody's."""

import pytest

from service.engine.given import answerers, asked_of_chance
from service.engine.options import options
from service.engine.rule import LANGUAGES
from service.engine.view import view
from service.games.root.v1 import RULES
from service.games.root.v1.components import deck_cards
from service.games.root.v1.figures import PRINTED
from tests.games.root.robot import BOT, ELK, FOLK, FOX, OWL, OWLS, W, against, orders, robot, row
from tests.games.root.table import game, less, says

rule = pytest.mark.rule
refusal = pytest.mark.refusal

KEEP = {"keep": 1}
SELLS = {"bag": 1, "boots": 1, "sword": 1, "tea": 1}


def beside(map, *others, turn=OWL, at="daylight", **more):
    """A game in the turn of somebody who plays beside it, the first of these factions if nobody is named."""
    board = {
        k: more.pop(k) for k in ("discard", "available", "ruins", "house", "check", "options") if k in more
    }
    roost = {"3": {"roost": 1}} if "eyrie" in others else {}
    return game(against(*others, **more), {**roost, **map}, turn=turn, at=at, **board)


def moved(g, because):
    """What moved by this clause in the last events: what, and where to."""
    return [
        (e.facts["what"], e.facts["target"]) for e in g.events if e.kind == "moved" and e.because == because
    ]


# -- a card is taken from it (ROOT-BOT-2) -------------------------------------------------------------------------


@rule("ROOT-BOT-2", "ROOT-VAG-40")
def test_a_thief_steals_from_the_deck_instead():
    g = beside({"1": {**KEEP, W: 2}}, "vagabond", owl={"pawn": "1"})
    assert [o["player"] for o in g.options(OWL, "steal")] == [BOT]
    g.play(OWL, "steal", player=BOT)
    assert g.kinds == ("draw-card",)
    assert g[OWL].vagabond.items["satchel-down"] == {"torch": 1}
    g.draw("anvil")
    assert moved(g, "ROOT-BOT-2") == [({"anvil": 1}, ["seats", OWL, "hand"])]
    assert (g[OWL].hand, row(g), g.score(BOT)) == ({"anvil": 1}, 5, 0)


@rule("ROOT-VAG-40")
@refusal("ROOT-VAG-40")
def test_a_thief_steals_from_it_only_where_it_has_a_piece():
    g = beside({"1": KEEP}, "vagabond", owl={"pawn": "5"})
    assert g.options(OWL, "steal") == []
    says(g.refused(OWL, "steal", player=BOT), "ROOT-VAG-40", "/player", player=BOT, clearing="5")


@refusal("ROOT-BOT-2")
def test_no_card_of_its_row_can_be_the_one_that_is_stolen():
    g = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1"}).play(OWL, "steal", player=BOT)
    says(g.refused(OWL, "random-card", card="anvil"), "ROOT-BOT-2", "/kind", takes=["draw-card"])
    assert set(g.refused("chance", "random-card", card="anvil")) == {"ROOT-CARD-6"}


@rule("ROOT-BOT-2", "ROOT-CARD-7")
def test_with_no_card_left_to_draw_the_thief_gets_none():
    held = less(deck_cards(PRINTED, 2, automatic=True))
    seats = {"cat": {"orders": 0}, "owl": {"pawn": "1", "hand": held}}
    g = beside({"1": {W: 2}}, "vagabond", **seats).play(OWL, "steal", player=BOT)
    assert g.because("nothing-to-draw") == ["ROOT-CARD-7"]
    assert "end-phase" in g.kinds


@rule("ROOT-X-17", "ROOT-FX-6", "ROOT-BOT-2")
def test_stand_and_deliver_takes_a_card_of_the_deck_and_it_scores():
    g = beside({"1": {**KEEP, W: 2}}, "alliance", at="turn", owl={"crafted": ["stand-and-deliver"]})
    g.play(OWL, "stand-and-deliver", player=BOT)
    assert g.points(BOT) == [("ROOT-FX-6", 1)]
    g.draw("anvil")
    assert moved(g, "ROOT-X-17") == [({"anvil": 1}, ["seats", OWL, "hand"])]
    assert (g[OWL].hand, row(g), g[BOT].hand) == ({"anvil": 1}, 5, {})
    assert g.options(OWL, "stand-and-deliver") == []


@rule("ROOT-X-17", "ROOT-WIN-3")
def test_that_point_may_be_its_thirtieth():
    g = beside(
        {"1": {W: 2}}, "alliance", at="turn", owl={"crafted": ["stand-and-deliver"]}, cat={"score": 29}
    )
    g.play(OWL, "stand-and-deliver", player=BOT)
    assert (g.state.outcome.because, g.state.outcome.winners) == ("ROOT-WIN-3", [BOT])


@rule("ROOT-FX-6")
@refusal("ROOT-FX-6")
def test_of_two_without_a_card_only_who_has_no_hand_can_be_named():
    seats = {"owl": {"crafted": ["stand-and-deliver"]}, "fox": {"hand": []}}
    g = beside({"1": {W: 2}}, "alliance", "eyrie", at="turn", **seats)
    assert [o["player"] for o in g.options(OWL, "stand-and-deliver")] == [BOT]
    says(g.refused(OWL, "stand-and-deliver", player=FOX), "ROOT-FX-6", "/player", player=FOX)


# -- a card is given to it (ROOT-BOT-3) ---------------------------------------------------------------------------


@rule("ROOT-VAG-28", "ROOT-BOT-3", "ROOT-VAG-34", "ROOT-R-VAG-5", "ROOT-VAG-51")
def test_aid_is_discarded_for_a_point_and_improves_the_relationship():
    g = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1", "hand": ["anvil"]}, cat={"items": SELLS})
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    assert moved(g, "ROOT-VAG-28") == [({"anvil": 1}, ["discard"])]
    assert (g.points(BOT), g[BOT].hand, g.board.discard) == ([("ROOT-BOT-3", 1)], {}, {"anvil": 1})
    assert g[OWL].vagabond.relationships["mechanical-marquise"] == "friendly-1"
    assert g.points(OWL) == [("ROOT-VAG-51", 1)]
    assert (g.asked, g.kinds) == ((OWL,), ("take-item", "pass"))


@rule("ROOT-BOT-7", "ROOT-VAG-27", "ROOT-VAG-34")
def test_its_items_for_sale_are_what_an_aid_may_take_face_up():
    g = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1", "hand": ["anvil"]}, cat={"items": SELLS})
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    assert [o["item"] for o in g.options(OWL, "take-item")] == ["boots", "bag", "sword", "tea"]
    says(g.refused(OWL, "take-item", item="hammer"), "ROOT-VAG-27", "/item", item="hammer", owner=BOT)
    g.play(OWL, "take-item", item="bag")
    assert g[BOT].items == {"boots": 1, "sword": 1, "tea": 1}
    assert g[OWL].vagabond.items["track"] == {"bag": 1, "tea": 1}


@rule("ROOT-BOT-7", "ROOT-VAG-27")
def test_with_nothing_left_for_sale_an_aid_takes_nothing():
    g = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1", "hand": ["anvil"]})
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    assert "end-phase" in g.kinds


@rule("ROOT-VAG-52", "ROOT-VAG-34")
def test_each_aid_to_it_as_an_ally_gives_two_points():
    ally = {"relationships": {"mechanical-marquise": "allied"}}
    g = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1", "hand": ["anvil"], **ally})
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    assert (g.points(OWL), g.points(BOT)) == ([("ROOT-VAG-52", 2)], [("ROOT-BOT-3", 1)])


@rule("ROOT-VAG-56", "ROOT-VAG-34", "ROOT-BOT-3")
def test_aid_to_it_as_an_enemy_improves_nothing_and_may_take_an_item():
    foe = {"relationships": {"mechanical-marquise": "hostile"}}
    g = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1", "hand": ["anvil"], **foe}, cat={"items": SELLS})
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots").play(OWL, "take-item", item="sword")
    assert g[OWL].vagabond.relationships["mechanical-marquise"] == "hostile"
    assert (g.score(OWL), g.score(BOT)) == (0, 1)


@rule("ROOT-BOT-3", "ROOT-WIN-3")
def test_a_gift_may_win_it_the_game_before_anything_comes_of_it():
    g = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1", "hand": ["anvil"]}, cat={"score": 29})
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    assert g.state.outcome.winners == [BOT]


@rule("ROOT-BOT-3", "ROOT-WIN-1", "ROOT-COOP-4", "ROOT-VAG-28")
@pytest.mark.parametrize(
    ("mode", "because"),
    [("competitive", "ROOT-WIN-3"), ("cooperative", "ROOT-COOP-4")],
    ids=["alone", "together"],
)
def test_the_gift_comes_before_the_points_that_it_would_bring(mode: str, because: str):
    giver = {"pawn": "1", "hand": ["anvil"], "score": 29}
    g = beside({"1": {W: 2}}, "vagabond", owl=giver, cat={"score": 29}, options={"mode": mode})
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    assert (g.state.outcome.because, g.state.outcome.winners) == (because, [BOT])
    assert g.score(OWL) == 29


@rule("ROOT-VAG-28", "ROOT-INFO-5")
def test_everyone_sees_the_card_that_is_given_to_it():
    g = beside({"1": {W: 2}}, "vagabond", "eyrie", owl={"pawn": "1", "hand": ["anvil", "root-tea-fox"]})
    judgement = g.judged(OWL, "aid", player=BOT, card="anvil", item="boots")
    assert judgement.played[0].seen_by(FOX)["card"] == "anvil"
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    (gift,) = [e for e in g.events if e.because == "ROOT-VAG-28"]
    assert gift.seen_by(FOX) == gift.to_wire()


@rule("ROOT-X-18", "ROOT-FX-8", "ROOT-BOT-3", "ROOT-R-FX-2")
def test_the_bank_discards_its_card_for_a_point():
    g = beside({"1": {W: 2}}, "alliance", at="turn", owl={"crafted": ["better-burrow-bank"]})
    assert [o["player"] for o in g.options(OWL, "better-burrow-bank")] == [BOT]
    g.play(OWL, "better-burrow-bank", player=BOT).draw("anvil")
    assert (g[OWL].hand, g.points(BOT), g.kinds) == ({"anvil": 1}, [], ("draw-card",))
    g.draw("sappers")
    assert moved(g, "ROOT-X-18") == [({"sappers": 1}, ["discard"])]
    assert (g.points(BOT), g[BOT].hand) == ([("ROOT-BOT-3", 1)], {})


@rule("ROOT-X-18", "ROOT-CARD-7")
def test_the_bank_gives_no_point_for_a_card_that_is_not_there():
    """Its owner draws the last card of all."""
    held = less(deck_cards(PRINTED, 2, automatic=True), {"better-burrow-bank": 1, "anvil": 1})
    seats = {"cat": {"orders": 0}, "owl": {"crafted": ["better-burrow-bank"], "hand": held}}
    g = beside({"1": {W: 2}}, "alliance", at="turn", **seats).play(OWL, "better-burrow-bank", player=BOT)
    g.draw("anvil")
    assert g.because("nothing-to-draw") == ["ROOT-CARD-7"]
    assert g.score(BOT) == 0


@rule("ROOT-X-18", "ROOT-CARD-5", "ROOT-SPY-3")
@pytest.mark.parametrize(
    ("others", "where"), [(("alliance",), "available"), (("alliance", "cult"), "lost souls")]
)
def test_a_spy_that_is_drawn_for_it_goes_where_discarded_spies_go(others, where):
    g = beside({"1": {W: 2}}, *others, at="turn", owl={"crafted": ["better-burrow-bank"]})
    g.play(OWL, "better-burrow-bank", player=BOT).draw("anvil", "spy-fox")
    souls = g[FOX].cult.lost_souls if where == "lost souls" else {}
    assert (g.board.available, souls) == (({"spy-fox": 1}, {}) if not souls else ({}, {"spy-fox": 1}))
    assert g.score(BOT) == 1


@rule("ROOT-X-18", "ROOT-INFO-5")
def test_everyone_sees_what_is_drawn_for_it_and_nobody_else_what_the_owner_draws():
    g = beside({"1": {W: 2}}, "alliance", "eyrie", at="turn", owl={"crafted": ["better-burrow-bank"]})
    g.play(OWL, "better-burrow-bank", player=BOT).draw("anvil")
    assert "anvil" not in str([e.seen_by(FOX) for e in g.events])
    g.draw("sappers")
    assert "sappers" in str([e.seen_by(FOX) for e in g.events])


def who_answers(g):
    return answerers(g.table, asked_of_chance(g.table))


@rule("ROOT-X-18", "ROOT-BOT-2", "ROOT-GEN-13")
def test_at_a_table_of_their_own_everyone_may_say_what_is_drawn_for_it_and_the_thief_what_he_draws():
    bank = beside({"1": {W: 2}}, "alliance", at="turn", owl={"crafted": ["better-burrow-bank"]})
    bank.play(OWL, "better-burrow-bank", player=BOT)
    theft = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1"}).play(OWL, "steal", player=BOT)
    assert who_answers(bank) == who_answers(theft) == {OWL}
    assert who_answers(bank.draw("anvil")) is None


@rule("ROOT-BOT-3")
def test_what_a_gift_gives_is_a_figure_of_the_house():
    house = {"table": {"gift-points": {"value": 4}}}
    g = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1", "hand": ["anvil"]}, house=house)
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    assert g.points(BOT) == [("ROOT-BOT-3", 4)]


# -- nobody looks at what it has not (ROOT-R-BOT-5, ROOT-INFO-7) --------------------------------------------------


@refusal("ROOT-R-BOT-5")
@rule("ROOT-FX-11")
def test_codebreakers_find_no_hand_to_look_at():
    g = beside({"1": {W: 2}}, "alliance", "eyrie", owl={"crafted": ["codebreakers"]})
    assert [o["player"] for o in g.options(OWL, "codebreakers")] == [FOX]
    says(g.refused(OWL, "codebreakers", player=BOT), "ROOT-R-BOT-5", "/player", player=BOT)


@rule("ROOT-INFO-7", "ROOT-BOT-29")
@pytest.mark.parametrize("seat", [None, BOT, OWL, FOX])
def test_nobody_sees_its_orders(seat):
    g = beside({"1": {W: 2}}, "alliance", "eyrie")
    seen = view(g.state, seat)["table"]["seats"][BOT]["mechanical_marquise"]["row"]
    assert not any(card in str(seen) for card in PRINTED.cards)


# -- no surprises (ROOT-BOT-4, ROOT-BOT-5) ------------------------------------------------------------------------


@rule("ROOT-BOT-4", "ROOT-BATTLE-4")
@refusal("ROOT-BOT-4")
def test_no_ambush_is_played_against_it_when_it_attacks():
    g = robot({"1": {**KEEP, W: 3, OWLS: 2}}, owl={"hand": ["ambush-fox", "ambush-bird"]})
    orders(g, "anvil")
    assert g.kinds == ("roll-die",)
    assert g.because("skipped") == ["ROOT-BOT-4"]
    says(g.refused(OWL, "play-ambush", card="ambush-fox"), "ROOT-BOT-4", "/kind")
    g.roll(3, 0)
    assert g.here("1") == {**KEEP, W: 3 + 1}  # recruits by the anvil's cost


@rule("ROOT-BOT-4", "ROOT-BOT-5")
@refusal("ROOT-BOT-4")
def test_no_ambush_is_played_when_it_defends():
    g = beside(
        {"5": {W: 2, OWLS: 2}}, "eyrie", owl={"hand": ["ambush-rabbit"], "crafted": ["command-warren"]}
    )
    g.play(OWL, "command-warren", clearing="5", defender=BOT)
    assert g.kinds == ("roll-die",)
    assert "ROOT-BOT-4" in g.refused(OWL, "play-ambush", card="ambush-rabbit")


@rule("ROOT-BOT-4", "ROOT-RIVER-2")
def test_an_ambush_that_lies_open_is_not_asked_for_either():
    g = robot({"5": {W: 3, "riverfolk-warrior": 1}}, "riverfolk", owl={"hand": ["ambush-rabbit"]})
    orders(g, "bake-sale")
    assert g.kinds == ("roll-die",)


@rule("ROOT-BATTLE-4", "ROOT-BOT-4")
def test_between_others_ambushes_are_played_as_ever():
    g = beside(
        {"5": {W: 2, OWLS: 2, FOLK: 2}},
        "eyrie",
        "alliance",
        owl={"crafted": ["command-warren"]},
        fox={"hand": ["ambush-rabbit"]},
    )
    g.play(OWL, "command-warren", clearing="5", defender=FOX)
    assert (g.asked, g.kinds) == ((FOX,), ("play-ambush", "pass"))


@rule("ROOT-BOT-5", "ROOT-FX-3")
def test_brutal_tactics_give_it_a_point():
    cards = {"crafted": ["command-warren", "brutal-tactics"]}
    g = beside({"5": {W: 3, OWLS: 2}}, "eyrie", owl=cards)
    g.fight(OWL, BOT, "5", 1, 0, kind="command-warren")
    g.play(OWL, "battle-effects", cards={"brutal-tactics": 1})
    assert g.points(BOT) == [("ROOT-FX-3", 1)]
    assert g.here("5") == {W: 1, OWLS: 2}


@rule("ROOT-BOT-5", "ROOT-FX-1", "ROOT-FX-2")
@pytest.mark.parametrize(("card", "left"), [("armorers", {W: 2, OWLS: 3}), ("sappers", {W: 1, OWLS: 1})])
def test_armorers_and_sappers_work_against_it(card, left):
    """It attacks three owls with three, and the dice show 2 and 1; it rules there no more, so no warrior comes."""
    g = orders(robot({"1": {**KEEP, W: 3, OWLS: 3}}, owl={"crafted": [card]}), "anvil").roll(2, 1)
    assert (g.asked, g.kinds) == ((OWL,), ("battle-effects",))
    g.play(OWL, "battle-effects", cards={card: 1})
    assert g.here("1") == {**KEEP, **left}


# -- its hits, its keep and its points (ROOT-BOT-6, ROOT-R-BOT-3, ROOT-R-BOT-6) -----------------------------------


@rule("ROOT-R-BOT-6", "ROOT-BATTLE-18", "ROOT-BOT-8")
def test_it_loses_warriors_first_and_is_asked_nothing():
    g = beside({"1": {**KEEP, W: 3, OWLS: 3}}, "eyrie", owl={"crafted": ["command-warren"]})
    g.fight(OWL, BOT, "1", 2, 0, kind="command-warren")
    assert g.here("1") == {**KEEP, W: 1, OWLS: 3}
    assert BOT not in g.asked


@rule("ROOT-BOT-6", "ROOT-R-BOT-6", "ROOT-MARQ-4", "ROOT-COMP-4", "ROOT-BATTLE-20")
def test_its_keep_goes_after_its_warriors_for_a_point_and_leaves_the_game():
    g = beside({"1": {**KEEP, W: 1, OWLS: 3}}, "eyrie", owl={"crafted": ["command-warren"]})
    g.fight(OWL, BOT, "1", 2, 0, kind="command-warren")
    assert (g.here("1"), g.board.box, g.points(OWL)) == ({OWLS: 3}, KEEP, [("ROOT-BATTLE-20", 1)])


@rule("ROOT-BOT-6", "ROOT-R-BOT-3")
def test_it_scores_for_what_it_removes():
    g = robot({"1": KEEP, "6": {W: 3, "roost": 1}, "11": {"roost": 1}})
    orders(g, "anvil").roll(0, 0)  # none rolled, one because nobody defends the roost
    assert g.here("6") == {W: 3 + 1}
    assert g.points(BOT) == [("ROOT-BATTLE-20", 1)]


@rule("ROOT-BOT-1", "ROOT-MARQ-5")
def test_without_a_hand_there_are_no_field_hospitals():
    g = beside({"1": KEEP, "5": {W: 2, OWLS: 2}}, "eyrie", owl={"crafted": ["command-warren"]})
    g.fight(OWL, BOT, "5", 2, 0, kind="command-warren")
    assert (g[BOT].supply[W], g.here("5"), g.here("1")) == (25, {OWLS: 2}, KEEP)


@rule("ROOT-FX-12", "ROOT-BOT-6")
def test_a_favor_sweeps_it_off_with_its_keep_for_a_point():
    map = {
        "1": {**KEEP, W: 3},
        "6": {"sympathy": 1},
        "8": {"sympathy": 1, W: 1},
        "12": {"sympathy": 1},
        "5": {W: 1},
    }
    g = beside(map, "alliance", owl={"hand": ["favor-of-the-foxes"]})
    g.play(OWL, "craft", card="favor-of-the-foxes", pieces={"fox": 3})
    assert [g.here(c) for c in ("1", "8", "5")] == [{}, {"sympathy": 1}, {W: 1}]
    assert (g.points(OWL), g.board.box, g[BOT].supply) == ([("ROOT-FX-12", 1)], KEEP, {W: 24})


@rule("ROOT-FX-5", "ROOT-RULE-1")
def test_what_it_rules_a_royal_claim_does_not_count():
    g = beside(
        {"5": {W: 2, OWLS: 1}, "2": {W: 1, OWLS: 2}}, "eyrie", at="turn", owl={"crafted": ["royal-claim"]}
    )
    g.play(OWL, "royal-claim")
    assert g.points(OWL) == [("ROOT-FX-5", 2)]  # clearing 2, and the roost in clearing 3


@rule("ROOT-CRAFT-4", "ROOT-SETUP-6")
@refusal("ROOT-CRAFT-4")
def test_what_it_sells_is_not_in_the_supply():
    """One sword is for sale, the other is crafted; there is no third."""
    g = beside(
        {"1": {"sympathy": 1}, "6": {"sympathy": 1}, "8": {"sympathy": 1}, "12": {"sympathy": 1}},
        "alliance",
        owl={"hand": ["arms-trader", "sword-mouse", "foxfolk-steel"], "items": {"sword": 1}},
        cat={"items": SELLS},
    )
    assert "sword" not in g.board.items
    assert "ROOT-CRAFT-4" in g.refused(OWL, "craft", card="foxfolk-steel", pieces={"fox": 2})


# -- texts --------------------------------------------------------------------------------------------------------


@rule("ROOT-BOT-3", "ROOT-BOT-2")
def test_what_becomes_of_its_cards_is_told_in_both_languages():
    gift = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1", "hand": ["anvil"]})
    gift.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    theft = beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1"}).play(OWL, "steal", player=BOT).draw("anvil")
    bank = beside({"1": {W: 2}}, "alliance", at="turn", owl={"crafted": ["better-burrow-bank"]})
    bank.play(OWL, "better-burrow-bank", player=BOT).draw("anvil", "sappers")
    told = {
        language: [
            RULES.words.event(e.to_wire(), language)
            for g, clause in ((gift, "ROOT-VAG-28"), (theft, "ROOT-BOT-2"), (bank, "ROOT-X-18"))
            for e in g.events
            if e.because == clause
        ]
        for language in LANGUAGES
    }
    assert told == {
        "en": [
            "owl gives Anvil to the Mechanical Marquise, where it is discarded.",
            "The Mechanical Marquise has no hand: owl draws Anvil from the deck.",
            "For the Mechanical Marquise Sappers is drawn and discarded.",
        ],
        "cs": [
            "owl dává Mechanické Markýze kartu: Kovadlina; karta se odhazuje.",
            "Mechanická Markýza nemá karty v ruce: owl táhne z balíčku kartu: Kovadlina.",
            "Pro Mechanickou Markýzu se táhne a odhazuje karta: Sapéři.",
        ],
    }


@rule("ROOT-BOT-2")
def test_who_does_not_see_the_stolen_card_is_told_of_one():
    g = (
        beside({"1": {W: 2}}, "vagabond", "eyrie", owl={"pawn": "1"})
        .play(OWL, "steal", player=BOT)
        .draw("anvil")
    )
    (theft,) = [e for e in g.events if e.because == "ROOT-BOT-2"]
    assert (
        RULES.words.event(theft.seen_by(FOX), "en")
        == "The Mechanical Marquise has no hand: owl draws 1 card from the deck."
    )
    assert ELK not in g.state.table.seats


# -- what must not be tried (chapter 19) --------------------------------------------------------------------------


def at_war():
    """It has attacked the owl, who holds an ambush; the dice are about to fall."""
    return orders(robot({"1": {**KEEP, W: 4, OWLS: 2}, "5": {W: 4}}, owl={"hand": ["ambush-fox"]}), "anvil")


def in_an_order():
    """Its next order is about to be turned up."""
    return robot({"1": {**KEEP, W: 4, OWLS: 2}, "5": {W: 4}}, "eyrie", "riverfolk", fox={"hand": ["anvil"]})


def in_daylight():
    """The Alliance's Daylight."""
    return beside({"1": {**KEEP, W: 4}}, "alliance", "eyrie", owl={"crafted": ["codebreakers"]})


def stolen():
    """A thief is about to draw in place of a card of its hand."""
    return beside({"1": {W: 2}}, "vagabond", owl={"pawn": "1"}).play(OWL, "steal", player=BOT)


@refusal("ROOT-BOT-4", "ROOT-BOT-8", "ROOT-BOT-2", "ROOT-INFO-7", "ROOT-R-BOT-5", "ROOT-RIVER-21")
def test_whatever_must_not_be_tried_is_refused_by_its_clause():
    attempts = [
        (at_war, OWL, "play-ambush", {"card": "ambush-fox"}, "ROOT-BOT-4"),
        (in_daylight, OWL, "use-spy", {"spy": "spy-fox", "position": 1}, "ROOT-INFO-7"),
        (in_daylight, OWL, "swap", {"i": 1, "j": 2}, "ROOT-INFO-7"),
        (in_an_order, BOT, "battle", {"clearing": "1", "defender": OWL}, "ROOT-BOT-8"),
        (in_an_order, BOT, "move", {"from": "5", "to": "2", "warriors": 1}, "ROOT-BOT-8"),
        (at_war, BOT, "assign-hits", {"pieces": {W: 1}}, "ROOT-BOT-8"),
        (stolen, OWL, "random-card", {"card": "anvil"}, "ROOT-BOT-2"),
        (in_daylight, OWL, "codebreakers", {"player": BOT}, "ROOT-R-BOT-5"),
        (in_an_order, BOT, "buy-card", {"card": "anvil"}, "ROOT-RIVER-21"),
        (in_an_order, BOT, "hire-mercenaries", {}, "ROOT-RIVER-21"),
    ]
    for made, actor, kind, wire, clause in attempts:
        assert clause in made().refused(actor, kind, **wire), (kind, clause)


@rule("ROOT-BOT-8")
@pytest.mark.parametrize("made", [at_war, in_an_order, in_daylight, stolen])
def test_its_seat_has_no_options(made):
    g = made()
    assert list(options(g.table, BOT)) == []
    assert BOT not in g.asked
