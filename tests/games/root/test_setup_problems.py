"""What cannot be while the factions set up: a list of changes to states of one set-up, and where each is told."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from service.engine.deck import pool_of
from service.engine.problems import problems
from service.games.root.v1 import RULES
from tests.games.root.table import CAT, OWL, fresh

rule = pytest.mark.rule

ALLY, ROGUE = "fox", "elk"  # the third and the fourth seat: the Alliance and the Vagabond
CATS, OWLS = "marquise-warrior", "eyrie-warrior"
CORNERS = {"keep": "1", "sawmill": "1", "workshop": "5", "recruiter": "9"}


@cache
def at(moment: str) -> Any:
    """The state at a moment of the set-up of four: who is about to do what."""
    g = fresh("marquise", "eyrie", "alliance", "vagabond")
    if moment == "seats":
        return g.state
    g.play("chance", "draw-seat", seat=CAT)
    while g.asked == ("chance",) and "draw-seat" in g.kinds:
        g.play("chance", "draw-seat", seat=next(s for s in (OWL, ALLY, ROGUE) if s not in g.board.order))
    if moment == "dealing":  # the first seat has two of its three cards
        return g.draw("anvil", "sappers").state
    while len(g.state.stack) > 1 and g.top.__class__.__name__ == "Draw":
        g.play("chance", "draw-card", card=sorted(g.board.deck.odds())[0])
    if moment == "marquise":
        return g.state
    g.play(CAT, "setup-marquise", **CORNERS)
    if moment == "eyrie":
        return g.state
    g.play(OWL, "setup-eyrie", leader="despot")
    if moment == "supporters":  # one of them is drawn
        return g.draw("cobbler").state
    while "draw-card" in g.kinds:
        g.play("chance", "draw-card", card=sorted(g.board.deck.odds())[0])
    while "draw-quest" in g.kinds:
        g.play("chance", "draw-quest", quest=sorted(g.board.quest_deck.odds())[0])
    if moment == "vagabond":
        return g.state
    raise AssertionError(moment)


def planted(moment: str, change: Any) -> set[tuple[str | None, str]]:
    """The problems of the set-up at this moment after a change."""
    state = deepcopy(at(moment))
    assert problems(RULES, state) == []
    change(state.table, state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


def shift(bag: dict[str, int], what: str, n: int = 1) -> None:
    bag[what] = bag.get(what, 0) + n
    if not bag[what]:
        del bag[what]


def off_the_deck(t: Any, card: str) -> None:
    cards = t.deck.cards()
    shift(cards, card, -1)
    t.deck = pool_of(cards)


def score(seat: str) -> Any:
    return lambda t, s: setattr(t.seats[seat], "score", 1)


def crafted(t: Any, s: Any) -> None:
    off_the_deck(t, "tax-collector")
    t.seats[CAT].crafted = ["tax-collector"]


def activated(t: Any, s: Any) -> None:
    off_the_deck(t, "dominance-fox")
    t.seats[CAT].dominance, t.seats[CAT].score = "dominance-fox", None


def box(t: Any, s: Any) -> None:
    shift(t.items, "tea", -1)
    t.seats[CAT].items = {"tea": 1}


def gone_item(t: Any, s: Any) -> None:
    shift(t.items, "tea", -1)
    t.item_box = {"tea": 1}


def discarded(t: Any, s: Any) -> None:
    off_the_deck(t, "anvil")
    t.discard = {"anvil": 1}


def available(t: Any, s: Any) -> None:
    off_the_deck(t, "dominance-fox")
    t.available = {"dominance-fox": 1}


def one_more_in_hand(seat: str) -> Any:
    def change(t: Any, s: Any) -> None:
        off_the_deck(t, "cobbler")
        shift(t.seats[seat].hand, "cobbler")

    return change


def one_less_in_hand(seat: str) -> Any:
    def change(t: Any, s: Any) -> None:
        card = sorted(t.seats[seat].hand)[0]
        shift(t.seats[seat].hand, card, -1)
        t.deck = pool_of({**t.deck.cards(), card: t.deck.cards().get(card, 0) + 1})

    return change


def placed(what: str, seat: str, clearing: str) -> Any:
    def change(t: Any, s: Any) -> None:
        shift(t.seats[seat].supply, what, -1)
        shift(t.map[clearing], what)

    return change


def taken_off(what: str, seat: str, clearing: str, n: int = 1) -> Any:
    def change(t: Any, s: Any) -> None:
        shift(t.map[clearing], what, -n)
        shift(t.seats[seat].supply, what, n)

    return change


def carried(what: str, clearing: str, to: str) -> Any:
    def change(t: Any, s: Any) -> None:
        shift(t.map[clearing], what, -1)
        shift(t.map[to], what)

    return change


def boxed_keep(t: Any, s: Any) -> None:
    shift(t.map["1"], "keep", -1)
    t.box = {"keep": 1}


def decreed(t: Any, s: Any) -> None:
    off_the_deck(t, "cobbler")
    t.seats[OWL].eyrie.decree["battle"] = {"cobbler": 1}


def one_supporter_less(t: Any, s: Any) -> None:
    held = t.seats[ALLY].alliance.supporters
    card = sorted(held)[0]
    shift(held, card, -1)
    t.deck = pool_of({**t.deck.cards(), card: 1})


def an_officer(t: Any, s: Any) -> None:
    shift(t.seats[ALLY].supply, "alliance-warrior", -1)
    t.seats[ALLY].alliance.officers = {"alliance-warrior": 1}


def pending(field: str, value: Any) -> Any:
    """The draw of the second seat, which waits for the first."""
    return lambda t, s: setattr(s.stack[-2], field, value)


SEAT = "/table/seats"
CASES = {
    "points before play": ("marquise", score(OWL), "ROOT-SETUP-3", f"{SEAT}/owl/score"),
    "points while seats are drawn": ("seats", score(CAT), "ROOT-SETUP-3", f"{SEAT}/cat/score"),
    "a crafted card": ("eyrie", crafted, "ROOT-SETUP-4", f"{SEAT}/cat/crafted"),
    "an activated dominance card": ("eyrie", activated, "ROOT-SETUP-4", f"{SEAT}/cat/dominance"),
    "a crafted item": ("vagabond", box, "ROOT-SETUP-6", f"{SEAT}/cat/items"),
    "an item that has left the game": ("vagabond", gone_item, "ROOT-SETUP-6", "/table/item_box"),
    "a discarded card": ("eyrie", discarded, "ROOT-SETUP-4", "/table/discard"),
    "an available card": ("eyrie", available, "ROOT-SETUP-4", "/table/available"),
    "no ruins": ("marquise", lambda t, s: setattr(t, "ruins", []), "ROOT-SETUP-5", "/table/ruins"),
    "a ruin less": ("eyrie", lambda t, s: t.ruins.remove("6"), "ROOT-SETUP-5", "/table/ruins"),
    "a ruin less when items lie there": (
        "vagabond", lambda t, s: t.ruins.remove("6"), "ROOT-SETUP-5", "/table/ruins"
    ),
    "a hand before the deal": ("seats", one_more_in_hand(CAT), "ROOT-SETUP-4", f"{SEAT}/cat/hand"),
    "a card too many while hands are dealt": (
        "dealing", one_more_in_hand(CAT), "ROOT-SETUP-4", f"{SEAT}/cat/hand"
    ),
    "a hand before its turn": ("dealing", one_more_in_hand(OWL), "ROOT-SETUP-4", f"{SEAT}/owl/hand"),
    "a card too few while hands are dealt": (
        "dealing", one_less_in_hand(CAT), "ROOT-SETUP-4", f"{SEAT}/cat/hand"
    ),
    "a card too many after the deal": ("eyrie", one_more_in_hand(ROGUE), "ROOT-SETUP-4", f"{SEAT}/elk/hand"),
    "a card too few after the deal": ("eyrie", one_less_in_hand(ALLY), "ROOT-SETUP-4", f"{SEAT}/fox/hand"),
    "the deal skips a seat": ("dealing", pending("seat", ROGUE), "ROOT-SETUP-4", "/stack/3/seat"),
    "the deal is of fewer cards": ("dealing", pending("left", 2), "ROOT-SETUP-4", f"{SEAT}/owl/hand"),
    "pieces while seats are drawn": ("seats", placed(CATS, CAT, "1"), "ROOT-SETUP-7", "/table/map/1/" + CATS),
    "a roost before the Eyrie set up": (
        "marquise", placed("roost", OWL, "3"), "ROOT-SETUP-7", "/table/map/3/roost"
    ),
    "a roost as the Eyrie set up": ("eyrie", placed("roost", OWL, "3"), "ROOT-SETUP-10", "/table/map/3/roost"),
    "a warrior as the Marquise sets up": ("marquise", placed(CATS, CAT, "4"), "ROOT-SETUP-9", "/table/map"),
    "sympathy before the Alliance sets up": (
        "eyrie", placed("sympathy", ALLY, "4"), "ROOT-SETUP-7", "/table/map/4/sympathy"
    ),
    "sympathy after the Alliance has set up": (
        "vagabond", placed("sympathy", ALLY, "4"), "ROOT-SETUP-11", "/table/map"
    ),
    "a keep that is gone": ("eyrie", boxed_keep, "ROOT-SETUP-9", "/table/map"),
    "a keep that is in the supply": ("supporters", taken_off("keep", CAT, "1"), "ROOT-SETUP-9", "/table/map"),
    "a warrior of the Marquise missing": (
        "vagabond", taken_off(CATS, CAT, "7"), "ROOT-SETUP-9", "/table/map/7"
    ),
    "a warrior of the Marquise too many": ("eyrie", placed(CATS, CAT, "8"), "ROOT-SETUP-9", "/table/map/8"),
    "warriors of the Marquise opposite the keep": (
        "eyrie", placed(CATS, CAT, "3"), "ROOT-SETUP-9", "/table/map/3"
    ),
    "a workshop missing": ("eyrie", taken_off("workshop", CAT, "5"), "ROOT-SETUP-9", "/table/map"),
    "a workshop too many": ("eyrie", placed("workshop", CAT, "9"), "ROOT-SETUP-9", "/table/map"),
    "a workshop far from the keep": (
        "eyrie", carried("workshop", "5", "7"), "ROOT-SETUP-9", "/table/map/7/workshop"
    ),
    "wood before the first Birdsong": ("vagabond", placed("wood", CAT, "1"), "ROOT-SETUP-9", "/table/map"),
    "a roost missing": ("vagabond", taken_off("roost", OWL, "3"), "ROOT-SETUP-10", "/table/map"),
    "warriors of the Eyrie missing": (
        "vagabond", taken_off(OWLS, OWL, "3", 2), "ROOT-SETUP-10", "/table/map"
    ),
    "a roost in another corner": ("supporters", carried("roost", "3", "4"), "ROOT-SETUP-10", "/table/map"),
    "a warrior of the Eyrie elsewhere": ("vagabond", carried(OWLS, "3", "7"), "ROOT-SETUP-10", "/table/map"),
    "a card in the Decree": (
        "supporters", decreed, "ROOT-SETUP-10", f"{SEAT}/owl/eyrie/decree/battle"
    ),
    "a deposed leader": (
        "vagabond",
        lambda t, s: setattr(t.seats[OWL].eyrie, "deposed", ["builder"]),
        "ROOT-SETUP-10",
        f"{SEAT}/owl/eyrie/deposed",
    ),
    "a leader deposed before there is one": (
        "marquise",
        lambda t, s: setattr(t.seats[OWL].eyrie, "deposed", ["builder"]),
        "ROOT-SETUP-10",
        f"{SEAT}/owl/eyrie/deposed",
    ),
    "a supporter missing": (
        "vagabond", one_supporter_less, "ROOT-SETUP-11", f"{SEAT}/fox/alliance/supporters"
    ),
    "an officer": ("vagabond", an_officer, "ROOT-SETUP-11", f"{SEAT}/fox/alliance/officers"),
}  # fmt: skip


@rule("ROOT-SETUP-7", "ROOT-SETUP-17")
@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_while_the_factions_set_up(name):
    moment, change, clause, pointer = CASES[name]
    assert (clause, pointer) in planted(moment, change)


# -- two Vagabonds: the first has set up, the second has not ------------------------------------------------------


@cache
def half() -> Any:
    g = fresh("marquise", "vagabond", "vagabond")
    for seat in (CAT, OWL):
        if "draw-seat" in g.kinds:
            g.play("chance", "draw-seat", seat=seat)
    while "draw-card" in g.kinds:
        g.play("chance", "draw-card", card=sorted(g.board.deck.odds())[0])
    g.play(CAT, "setup-marquise", **CORNERS)
    g.play("chance", "draw-vagabond", seat=OWL)
    while "draw-quest" in g.kinds:
        g.play("chance", "draw-quest", quest=sorted(g.board.quest_deck.odds())[0])
    return g.play(OWL, "setup-vagabond", character="ranger", forest=FOREST).state


FOREST = next(iter(RULES.components["forests"]))["id"]
MINE = f"{SEAT}/owl/vagabond"


def of_his(name: str, value: Any) -> Any:
    return lambda t: setattr(t.seats[OWL].vagabond, name, value)


def spent_torch(t: Any) -> None:
    held = t.seats[OWL].vagabond.items
    held["satchel-up"] = {i: n for i, n in held["satchel-up"].items() if i != "torch"}
    held["satchel-down"] = {"torch": 1}


def swapped_item(t: Any) -> None:
    """A starting item in exchange for one of the supply."""
    held = t.seats[OWL].vagabond.items
    shift(held["satchel-up"], "sword", -1)
    shift(t.items, "sword")
    shift(held["satchel-up"], "hammer")
    shift(t.items, "hammer", -1)


def done(t: Any) -> None:
    quest = t.quests[0]
    t.quests.remove(quest)
    t.seats[OWL].vagabond.quests = [quest]
    (new,) = sorted(t.quest_deck.odds())[:1]
    t.quest_deck = t.quest_deck.take(new)
    t.quests.append(new)


@rule("ROOT-SETUP-12")
@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (of_his("pawn", "1"), f"{MINE}/pawn"),
        (of_his("relationships", {"marquise": "hostile"}), f"{MINE}/relationships/marquise"),
        (spent_torch, f"{MINE}/items"),
        (swapped_item, f"{MINE}/items"),
        (done, f"{MINE}/quests"),
    ],
    ids=["in a clearing", "hostile", "spent", "another item", "a quest"],
)
def test_what_a_vagabond_cannot_have_before_play(change, pointer):
    state = deepcopy(half())
    assert problems(RULES, state) == []
    change(state.table)
    assert ("ROOT-SETUP-12", pointer) in {(p.rule, p.pointer) for p in problems(RULES, state)}
