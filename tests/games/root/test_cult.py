"""The Lizard Cult: set-up, Pilgrims, Lost Souls, the Outcast, Revenge, Fear of the Faithful."""

import pytest

from service.engine.options import options
from service.engine.view import view
from service.games.root.v1.components import deck_cards
from service.games.root.v1.crafting import crafting_pieces
from service.games.root.v1.figures import PRINTED
from tests.games.root.ally import FOXES
from tests.games.root.lizards import (
    ALLY,
    CATS,
    FG,
    FOX,
    LIZARDS,
    MG,
    NEWT,
    OWLS,
    RG,
    acolytes,
    cult_table,
    outcast,
    own,
    souls,
)  # fmt: skip
from tests.games.root.table import CAT, OWL, fresh, less, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

S = "sympathy"


# -- set-up (ROOT-SETUP-13, ROOT-DEC-4) ---------------------------------------------------------------------------


def to_the_cult(*factions, keep="1", corner="2"):
    """Everybody before the Cult has set up; the Cult is the last of these seats."""
    g = fresh(*factions, "cult", options={"seating": "listed"})
    g.play("chance", "draw-seat", seat=CAT).draw_any()
    while "setup-cult" not in g.kinds:
        if "setup-marquise" in g.kinds:
            g.play(g.asked[0], "setup-marquise", keep=keep, sawmill=keep, workshop="9", recruiter="9")
        elif "setup-eyrie" in g.kinds:
            where = {} if "marquise" in factions else {"corner": corner}
            g.play(g.asked[0], "setup-eyrie", leader="despot", **where)
        else:
            g.play("chance", "draw-card", card=next(iter(g.board.deck.odds())))
    return g


def last(g):
    return g.asked[0]


@rule("ROOT-SETUP-13", "ROOT-DEC-4", "ROOT-COMP-6")
def test_the_cult_begins_opposite_the_keep():
    """Four warriors and a rabbit garden in clearing 3, a warrior in each of 6, 7 and 11; the Outcast is not hated."""
    g = to_the_cult("marquise")
    g.play(last(g), "setup-cult", outcast="mouse")
    assert {c: n for c, here in g.board.map.items() if (n := here.get(LIZARDS))} == {
        "3": 4, "6": 1, "7": 1, "11": 1,
    }  # fmt: skip
    assert {c for c, here in g.board.map.items() if set(here) & {FG, RG, MG}} == {"3"}
    assert g.here("3")[RG] == 1
    cult = g["owl"].cult
    assert (cult.outcast, cult.hated, cult.acolytes, cult.lost_souls) == ("mouse", False, {}, {})
    assert g["owl"].supply == {LIZARDS: 25 - 7, FG: 5, RG: 4, MG: 5}


@rule("ROOT-SETUP-13")
def test_the_cult_begins_opposite_the_first_roost():
    g = to_the_cult("eyrie", corner="2")
    g.play(last(g), "setup-cult", outcast="fox")
    assert g.here("4") == {LIZARDS: 4, RG: 1}


@rule("ROOT-SETUP-13", "ROOT-DEC-4")
@refusal("ROOT-SETUP-13")
@pytest.mark.parametrize("corner", ["1", "3", "5", "12"])
def test_with_keep_and_roost_it_takes_one_of_the_two_other_corners(corner):
    g = to_the_cult("marquise", "eyrie")
    says(g.refused(last(g), "setup-cult", corner=corner, outcast="fox"), "ROOT-SETUP-13", "/corner")
    assert {o["corner"] for o in g.options(last(g), "setup-cult")} == {"2", "4"}
    g.play(last(g), "setup-cult", corner="2", outcast="fox")
    assert (g.here("2")[LIZARDS], g.here("2")[MG]) == (4, 1)


@rule("ROOT-SETUP-13")
def test_without_both_it_takes_any_corner():
    g = to_the_cult("alliance")
    assert {o["corner"] for o in g.options(last(g), "setup-cult")} == {"1", "2", "3", "4"}
    g.play(last(g), "setup-cult", corner="1", outcast="fox")
    assert g.here("1") == {LIZARDS: 4, FG: 1}
    assert [g.here(c) for c in ("5", "9", "10")] == [{LIZARDS: 1}] * 3


@refusal("ROOT-SETUP-13")
def test_a_bird_is_no_outcast():
    g = to_the_cult("marquise")
    assert "ROOT-SETUP-13" in g.refused(last(g), "setup-cult", outcast="bird")


# -- Pilgrims (ROOT-RULE-4, ROOT-CULT-2) --------------------------------------------------------------------------


@rule("ROOT-RULE-4", "ROOT-CULT-2")
@pytest.mark.parametrize(
    ("here", "ruler"),
    [
        ({RG: 1}, NEWT),
        ({RG: 1, CATS: 9}, NEWT),
        ({RG: 1, CATS: 3, OWLS: 3, "roost": 1}, NEWT),
        ({LIZARDS: 2, CATS: 2}, None),
        ({LIZARDS: 2, CATS: 3}, CAT),
        ({LIZARDS: 3, CATS: 2}, NEWT),
    ],
)
def test_who_rules_where_the_cult_stands(here, ruler):
    assert cult_table({"5": here}).ruler("5") == ruler


@rule("ROOT-X-1", "ROOT-RULE-3", "ROOT-RULE-4")
def test_pilgrims_beat_the_lords_of_the_forest():
    tie = {LIZARDS: 1, RG: 1, OWLS: 2}
    assert cult_table({"5": tie}).ruler("5") == NEWT
    assert cult_table({"5": {LIZARDS: 2, OWLS: 2}}).ruler("5") == OWL


# -- Lost Souls (ROOT-CULT-5, ROOT-CARD-5) ------------------------------------------------------------------------


def spent_by_the_marquise():
    g = cult_table({"1": {"sawmill": 1}}, "daylight", turn=CAT, cat={"hand": ["anvil", "sappers"]})
    return g.play(CAT, "overwork", card="anvil", clearing="1"), {"anvil": 1}


def crafted_by_the_marquise():
    g = cult_table({"8": {"workshop": 1}}, "daylight", turn=CAT, cat={"hand": ["anvil"]})
    return g.play(CAT, "craft", card="anvil", pieces={"fox": 1}), {"anvil": 1}


def a_favor():
    map = {"5": {"workshop": 2}, "4": {"workshop": 1}}
    g = cult_table(map, "daylight", turn=CAT, cat={"hand": ["favor-of-the-rabbits"]})
    g.play(CAT, "craft", card="favor-of-the-rabbits", pieces={"rabbit": 3})
    return g, {"favor-of-the-rabbits": 1}


def an_ambush_and_a_foil():
    map = {"1": {CATS: 3, OWLS: 3}}
    g = cult_table(map, "daylight", turn=CAT, cat={"hand": ["ambush-fox"]}, owl={"hand": ["ambush-bird"]})
    g.play(CAT, "battle", clearing="1", defender=OWL).play(OWL, "play-ambush", card="ambush-bird")
    return g.play(CAT, "foil-ambush", card="ambush-fox"), {"ambush-bird": 1, "ambush-fox": 1}


def hospitals():
    map = {"1": {CATS: 3, OWLS: 3}, "2": {"keep": 1}}
    g = cult_table(map, "daylight", turn=CAT, cat={"hand": ["anvil"]})
    g.fight(CAT, OWL, "1", 1, 1).play(CAT, "field-hospitals", card="anvil")
    return g, {"anvil": 1}


def discarded_in_the_evening():
    hand = ["anvil", "investments", "sword-mouse", "bake-sale", "sappers"]
    g = cult_table({}, "evening", turn=CAT, cat={"hand": hand}).draw("armorers")
    return g.play(CAT, "discard", cards={"anvil": 1}), {"anvil": 1}


def a_royal_claim():
    g = cult_table({}, "turn", turn=CAT, cat={"crafted": ["royal-claim"]})
    return g.play(CAT, "royal-claim"), {"royal-claim": 1}


def a_purge():
    owl = {"leader": "despot", "decree": {"recruit": ["anvil"]}, "hand": ["bake-sale"]}
    g = cult_table({}, "daylight", turn=OWL, owl=owl)
    return g.play(OWL, "resolve-decree"), {"anvil": 1}


def supporters_spent():
    ally = {ALLY: {"faction": "alliance", "supporters": ["anvil", "foxfolk-steel"]}}
    g = cult_table({"8": {S: 1}}, turn=ALLY, others=ally)
    g.play(ALLY, "revolt", clearing="8", supporters={"anvil": 1, "foxfolk-steel": 1})
    return g, {"anvil": 1, "foxfolk-steel": 1}


def supporters_lost():
    ally = {ALLY: {"faction": "alliance", "supporters": ["anvil", "bake-sale"]}}
    g = cult_table({"8": {CATS: 3, FOXES: 1}}, "daylight", turn=CAT, others=ally)
    return g.fight(CAT, ALLY, "8", 0, 0), {"anvil": 1}


def an_officer():
    ally = {ALLY: {"faction": "alliance", "hand": ["anvil"]}}
    g = cult_table({"8": {FOXES: 1}}, "daylight", turn=ALLY, others=ally)
    return g.play(ALLY, "train", card="anvil"), {"anvil": 1}


def a_bird_for_an_action():
    g = cult_table({}, "daylight", turn=CAT, cat={"hand": ["sappers"]})
    return g.play(CAT, "spend-bird", card="sappers"), {"sappers": 1}


def taken_for_a_dominance_card():
    held = {"board": {"available": ["dominance-fox"]}, "cat": {"hand": ["anvil"]}}
    g = cult_table({}, "daylight", turn=CAT, **held)
    return g.play(CAT, "take-available", card="dominance-fox", spend="anvil"), {"anvil": 1}


def its_own_score():
    g = cult_table({"5": {RG: 1}}, "daylight", hand=["bake-sale"])
    return g.play(NEWT, "ritual-score", card="bake-sale"), {"bake-sale": 1}


SPENT = [
    spent_by_the_marquise, crafted_by_the_marquise, a_favor, an_ambush_and_a_foil, hospitals,
    discarded_in_the_evening, a_royal_claim, a_purge, supporters_spent, supporters_lost, an_officer,
    a_bird_for_an_action, taken_for_a_dominance_card, its_own_score,
]  # fmt: skip


@rule("ROOT-CULT-5", "ROOT-CARD-5")
@pytest.mark.parametrize("spent", SPENT, ids=lambda fn: fn.__name__)
def test_whatever_anybody_spends_or_discards_is_a_lost_soul(spent):
    g, cards = spent()
    assert (souls(g), g.board.discard) == (cards, {})


@rule("ROOT-CULT-5", "ROOT-X-16", "ROOT-CARD-5", "ROOT-DOM-5")
def test_a_spent_dominance_card_is_not_available_before_the_cults_next_birdsong():
    g = cult_table({"1": {"sawmill": 1}}, "daylight", turn=CAT, cat={"hand": ["dominance-fox"]})
    g.play(CAT, "overwork", card="dominance-fox", clearing="1")
    assert (souls(g), g.board.available) == ({"dominance-fox": 1}, {})
    g = cult_table(outcast="mouse", lost_souls=["dominance-fox", "anvil"])
    assert (souls(g), g.board.available, g.board.discard) == ({}, {"dominance-fox": 1}, {"anvil": 1})


@rule("ROOT-X-22", "ROOT-CARD-7")
def test_lost_souls_are_no_part_of_a_new_deck():
    """All cards lie among the Lost Souls: nothing is left to draw, and play goes on."""
    g = cult_table({}, "evening", turn=CAT, lost_souls=deck_cards(PRINTED, 3))
    assert set(g.because("nothing-to-draw")) == {"ROOT-CARD-7"}
    assert (g[CAT].hand, g.board.deck.size) == ({}, 0)


@rule("ROOT-X-22", "ROOT-CARD-6")
def test_a_new_deck_is_made_of_the_discard_pile_alone():
    rest = less(deck_cards(PRINTED, 3), {"anvil": 1})
    g = cult_table({}, "evening", turn=CAT, lost_souls=rest, board={"discard": ["anvil"]})
    assert g.board.deck.odds() == {"anvil": 1}


# -- the Outcast (ROOT-CULT-7 to ROOT-CULT-9) ---------------------------------------------------------------------

FOX_CARDS, RABBITS, MICE = (
    ["anvil", "foxfolk-steel"],
    ["bake-sale", "cobbler"],
    ["investments", "codebreakers"],
)
BIRDS = ["sappers", "armorers", "arms-trader"]


@rule("ROOT-CULT-7")
@pytest.mark.parametrize(
    ("before", "pile", "after"),
    [
        ("rabbit", ["anvil"], "fox"),
        ("rabbit", [*FOX_CARDS, *RABBITS[:1]], "fox"),
        ("fox", [*MICE, *FOX_CARDS[:1], *BIRDS], "mouse"),
    ],
)
def test_another_suit_that_leads_is_the_outcast(before, pile, after):
    for hated in (False, True):
        g = cult_table(outcast=before, hated=hated, lost_souls=pile, acolytes=9)
        assert outcast(g) == (after, False)


@rule("ROOT-CULT-8", "ROOT-R-CULT-2")
@pytest.mark.parametrize(
    "pile",
    [RABBITS, [*RABBITS, *FOX_CARDS[:1]], [*FOX_CARDS, *MICE], [*FOX_CARDS[:1], *RABBITS[:1]], BIRDS, []],
    ids=["the same", "the same leads", "two others tied", "tied with it", "birds alone", "nothing"],
)
def test_an_outcast_that_would_not_change_is_hated(pile):
    for hated in (False, True):
        g = cult_table(outcast="rabbit", hated=hated, lost_souls=pile, acolytes=9)
        assert outcast(g) == ("rabbit", True)


@rule("ROOT-CULT-9")
def test_the_lost_souls_are_discarded_once_the_outcast_is_settled():
    g = cult_table(outcast="fox", lost_souls=[*RABBITS, *BIRDS, "dominance-bird"], acolytes=9)
    assert souls(g) == {}
    assert g.board.discard == dict.fromkeys(sorted([*RABBITS, *BIRDS]), 1)
    assert g.board.available == {"dominance-bird": 1}
    assert g.because("set") + g.because("moved") == [
        "ROOT-CULT-7", "ROOT-CULT-9", "ROOT-CULT-9",
    ]  # fmt: skip


@rule("ROOT-INFO-6")
@pytest.mark.parametrize("seat", [CAT, OWL, NEWT, None])
def test_lost_souls_acolytes_and_revealed_cards_are_known_to_all(seat):
    g = cult_table({}, "daylight", hand=["anvil", "sappers"], acolytes=2, lost_souls=["bake-sale"])
    g.play(NEWT, "ritual-recruit", card="anvil", clearing="1")
    seen = view(g.state, seat)["table"]["seats"][NEWT]
    assert seen["cult"]["lost_souls"] == {"bake-sale": 1}
    assert seen["cult"]["revealed"] == {"anvil": 1}
    assert seen["cult"]["acolytes"] == {LIZARDS: 2}
    assert seen["hand"] == ({"sappers": 1} if seat == NEWT else 1)


# -- Revenge (ROOT-CULT-4, ROOT-COMP-5, ROOT-COMP-7) --------------------------------------------------------------


@rule("ROOT-CULT-4", "ROOT-COMP-5", "ROOT-COMP-7")
def test_warriors_lost_as_the_defender_become_acolytes():
    g = cult_table({"8": {CATS: 3, LIZARDS: 3}}, "daylight", turn=CAT)
    g.fight(CAT, NEWT, "8", 2, 1)
    assert (acolytes(g), g.here("8")[LIZARDS], g[NEWT].supply[LIZARDS]) == (2, 1, 25 - 3)


@rule("ROOT-CULT-4")
def test_warriors_lost_as_the_attacker_do_not():
    map = {"8": {OWLS: 3, LIZARDS: 3}, "3": {"roost": 1}}
    g = cult_table(map, "daylight", crafted=["command-warren"])
    g.fight(NEWT, OWL, "8", 2, 1, kind="command-warren")
    assert (acolytes(g), g.here("8")[LIZARDS], g[NEWT].supply[LIZARDS]) == (0, 2, 25 - 2)


@rule("ROOT-CULT-4")
def test_warriors_lost_to_an_ambush_are_those_of_an_attacker():
    g = cult_table(
        {"8": {OWLS: 3, LIZARDS: 3}}, "daylight", crafted=["command-warren"], owl={"hand": ["ambush-fox"]}
    )
    g.play(NEWT, "command-warren", clearing="8", defender=OWL).play(OWL, "play-ambush", card="ambush-fox")
    assert (acolytes(g), g.here("8")[LIZARDS]) == (0, 1)


def swept_by_a_favor():
    map = {"8": {LIZARDS: 2}, "6": {"workshop": 1}, "12": {"workshop": 1}, "1": {"workshop": 1}}
    g = cult_table(map, "daylight", turn=CAT, cat={"hand": ["favor-of-the-foxes"]})
    return g.play(CAT, "craft", card="favor-of-the-foxes", pieces={"fox": 3})


def swept_by_a_revolt():
    ally = {ALLY: {"faction": "alliance", "supporters": ["anvil", "foxfolk-steel"]}}
    g = cult_table({"8": {S: 1, LIZARDS: 2}}, turn=ALLY, others=ally)
    return g.play(ALLY, "revolt", clearing="8", supporters={"anvil": 1, "foxfolk-steel": 1})


def struck():
    rogue = {FOX: {"faction": "vagabond", "pawn": "8", "own": {"satchel-up": ["crossbow"]}}}
    g = cult_table({"8": {LIZARDS: 1}}, "daylight", turn=FOX, others=rogue)
    return g.play(FOX, "strike", player=NEWT, piece=LIZARDS)


def taxed():
    g = cult_table({"8": {LIZARDS: 1}}, "daylight", crafted=["tax-collector"])
    return g.play(NEWT, "tax-collector", clearing="8")


@rule("ROOT-CULT-4")
@pytest.mark.parametrize(
    "removal", [swept_by_a_favor, swept_by_a_revolt, struck, taxed], ids=lambda f: f.__name__
)
def test_warriors_lost_in_any_other_way_go_to_the_supply(removal):
    g = removal()
    assert (acolytes(g), g[NEWT].supply[LIZARDS], LIZARDS in g.here("8")) == (0, 25, False)


# -- Fear of the Faithful (ROOT-CULT-6, ROOT-CULT-24) -------------------------------------------------------------


@rule("ROOT-CULT-6", "ROOT-CULT-24", "ROOT-BATTLE-20")
def test_for_a_garden_removed_the_cult_discards_a_random_card():
    g = cult_table({"8": {CATS: 3, FG: 1}}, "daylight", turn=CAT, hand=["anvil", "sappers"])
    g.fight(CAT, NEWT, "8", 0, 0)
    assert (g.asked, g.kinds) == (("chance",), ("random-card",))
    assert (g.score(CAT), g[NEWT].supply[FG]) == (1, 5)
    g.play("chance", "random-card", card="anvil")
    assert (g[NEWT].hand, souls(g)) == ({"sappers": 1}, {"anvil": 1})
    assert g.because("moved") == ["ROOT-CULT-6"]


@rule("ROOT-CULT-6")
@refusal("ROOT-CULT-6")
def test_the_card_is_one_of_the_hand():
    held = {"hand": ["anvil"], "lost_souls": ["bake-sale"]}
    g = cult_table({"8": {CATS: 3, FG: 1}}, "daylight", turn=CAT, **held).fight(CAT, NEWT, "8", 0, 0)
    for card in ("sappers", "bake-sale"):
        assert "ROOT-CULT-6" in g.refused("chance", "random-card", card=card)


@rule("ROOT-CULT-6")
def test_without_a_card_nothing_is_discarded():
    g = cult_table({"8": {CATS: 3, FG: 1}}, "daylight", turn=CAT).fight(CAT, NEWT, "8", 0, 0)
    assert (g.asked, souls(g)) == ((CAT,), {})


@rule("ROOT-CULT-6", "ROOT-GEN-4")
def test_one_card_for_each_garden_as_far_as_there_are_cards():
    map = {"6": {FG: 1}, "8": {FG: 1, "workshop": 1}, "1": {"workshop": 1}, "12": {"workshop": 1}}
    held = {"hand": ["anvil", "sappers"], "cat": {"hand": ["favor-of-the-foxes"]}}
    g = cult_table(map, "daylight", turn=CAT, **held)
    g.play(CAT, "craft", card="favor-of-the-foxes", pieces={"fox": 3})
    assert g.score(CAT) == 2
    g.play("chance", "random-card", card="sappers").play("chance", "random-card", card="anvil")
    assert (g[NEWT].hand, g.asked) == ({}, (CAT,))


@rule("ROOT-CULT-6", "ROOT-GEN-13", "ROOT-INFO-2")
def test_nobody_else_sees_what_the_card_may_be():
    g = cult_table({"8": {CATS: 3, FG: 1}}, "daylight", turn=CAT, hand=["anvil", "sappers"])
    g.fight(CAT, NEWT, "8", 0, 0)
    acts = [o.act for o in options(g.table, "chance")]
    assert {a.card for a in acts} == {"anvil", "sappers"}
    assert all(a.sight(g.table) == frozenset([NEWT]) for a in acts)


# -- the Cult as a faction among others ---------------------------------------------------------------------------


@rule("ROOT-VAG-50", "ROOT-VAG-27")
def test_a_vagabond_has_a_relationship_with_the_cult():
    rogue = {FOX: {"faction": "vagabond", "pawn": "8", "hand": ["anvil"]}}
    g = cult_table({"8": {LIZARDS: 1}}, "daylight", turn=FOX, others=rogue)
    assert g[FOX].vagabond.relationships["cult"] == "indifferent"
    g.play(FOX, "aid", player=NEWT, card="anvil", item="torch")
    assert (g[NEWT].hand, g[FOX].vagabond.relationships["cult"]) == ({"anvil": 1}, "friendly-1")


@rule("ROOT-CULT-1", "ROOT-CRAFT-8")
def test_gardens_of_the_outcast_alone_are_its_crafting_pieces():
    g = cult_table({"5": {RG: 2}, "8": {FG: 2}}, "evening", outcast="fox", hand=["anvil"])
    assert crafting_pieces(g.table, NEWT) == {"fox": 2}
    assert own(g).outcast == "fox"
