"""What a table with spies cannot show: planted faults, and every field of theirs corrupted in every way."""

import json
import random

import pytest

from service.engine.aside import settled
from service.engine.deck import Deck, Run
from service.engine.state import encode
from service.games.root.v1 import RULES
from tests.conformance.corruptions import Corruptor
from tests.games.root.corrupted import can_be_gone_on_from, passed
from tests.games.root.robot import BOT, FOX, OWL
from tests.games.root.spying import HOME, lying, spying, turn_of
from tests.games.root.table import CAT, game
from tests.games.root.test_corruptions import WORDS
from tests.games.root.test_spies_secrets import WINDOWS, begun, looked, looking
from tests.games.root.test_turn_problems import frame, planted

rule = pytest.mark.rule


def of(seat, **values):
    """Something else of a player's."""

    def change(state):
        for name, value in values.items():
            setattr(state.table.seats[seat], name, value)

    return change


def both(*changes):
    def change(state):
        for one in changes:
            one(state)

    return change


def row(deck):
    """Other orders in the row."""
    return lambda state: setattr(state.table.seats[BOT].mechanical_marquise, "row", deck)


def seen_by(at, card, *seats):
    """An order is this card, and these seats know it."""

    def change(state):
        board = state.table.seats[BOT].mechanical_marquise
        state.table.deck, board.row = settled(state.table.deck, board.row, at, card, seats)

    return change


# -- what lies with the spies -------------------------------------------------------------------------------------


@rule("ROOT-SPY-2", "ROOT-BOT-1", "ROOT-SPY-4")
def test_spies_alone_are_played_and_by_people():
    g = begun()
    anvil = both(of(OWL, spies=["spy-fox", "anvil"]), of(OWL, hand={"spy-bird": 1, "spy-mouse": 1}))
    assert ("ROOT-SPY-2", "/table/seats/owl/spies/1") in planted(g, anvil)
    assert ("ROOT-BOT-1", "/table/seats/cat/spies/0") in planted(
        g, both(of(OWL, spies=["spy-fox"]), of(BOT, spies=["spy-mouse"]))
    )
    twice = planted(g, of(OWL, spies=["spy-fox", "spy-mouse", "spy-fox"]))
    assert ("ROOT-SPY-4", "/table/seats/owl/spies/2") in twice


@rule("ROOT-SPY-1")
def test_where_nobody_plays_by_itself_there_are_none():
    g = game(None, HOME)
    assert planted(g, of(CAT, spies=["spy-fox"])) == {(None, "/table/seats/cat/spies")}


@rule("ROOT-SETUP-4")
def test_before_play_none_is_in_play():
    from tests.games.root.table import fresh

    g = fresh("mechanical-marquise", "eyrie")
    found = planted(g, of("owl", spies=["spy-fox"]))
    assert ("ROOT-SETUP-4", "/table/seats/owl/spies") in found


# -- what has been used -------------------------------------------------------------------------------------------


@rule("ROOT-SPY-5", "ROOT-FX-13")
def test_a_spy_is_used_in_daylight_and_came_out_of_a_hand():
    g = spying(spies=["spy-fox"], more={FOX: {"spies": ["spy-rabbit"]}})
    assert planted(g, frame(1, used=["spy-fox"])) == set(), "it may have looked"
    assert planted(g, frame(1, used=["spy-rabbit"])) == set(), "he may have lost it, and another taken it"
    assert planted(g, frame(1, used=["spy-mouse"])) == {("ROOT-SPY-5", "/stack/1/used/0")}
    early = spying(at="turn", hand=["anvil"], spies=["spy-fox"])
    assert ("ROOT-SPY-5", "/stack/1/used/0") in planted(early, frame(1, used=["spy-fox"]))


@rule("ROOT-SPY-5")
def test_no_spy_that_is_an_order_has_been_used():
    g = spying(spies=["spy-fox"])
    seen = seen_by(0, "spy-mouse", OWL)
    assert planted(g, seen) == set()
    assert planted(g, both(seen, frame(1, used=["spy-mouse"]))) == {("ROOT-SPY-5", "/stack/1/used/0")}


# -- a look -------------------------------------------------------------------------------------------------------

TOP = 4


@rule("ROOT-SPY-5", "ROOT-GEN-9")
def test_a_look_is_that_of_a_spy_in_play_at_an_order_that_is_there():
    g = looking()
    assert planted(g, frame(TOP, position=5)) == set()
    assert planted(g, frame(TOP, position=6)) == {("ROOT-SPY-5", "/stack/4/position")}
    assert planted(g, frame(TOP, spy="spy-rabbit")) == {("ROOT-SPY-5", "/stack/4/spy")}
    assert planted(g, frame(TOP, spy="spy-mouse")) == {("ROOT-SPY-5", "/stack/4/spy")}, "it has not been used"
    assert ("ROOT-GEN-9", "/stack/4/seat") in planted(g, frame(TOP, seat=FOX))
    assert planted(g, frame(1, used=[])) == {("ROOT-SPY-5", "/stack/4/spy")}


@rule("ROOT-SPY-5", "ROOT-SPY-6")
def test_who_may_swap_has_seen_an_order_of_another_suit():
    g = looked()
    assert planted(g, frame(TOP, position=3)) == {("ROOT-SPY-5", "/stack/4/position")}
    fox = both(frame(TOP, position=3), seen_by(2, "foxfolk-steel", OWL))
    assert planted(g, fox) == {("ROOT-SPY-6", "/stack/4/spy")}
    bird = both(frame(TOP, position=3), seen_by(2, "sappers", OWL))
    assert planted(g, bird) == set()
    others = both(frame(TOP, position=3), seen_by(2, "sappers", FOX))
    assert planted(g, others) == {("ROOT-SPY-5", "/stack/4/position")}


@rule("ROOT-SPY-8")
def test_with_one_order_nobody_is_asked_to_swap():
    g = spying(spies=["spy-fox"], more={BOT: {"orders": 1}}).play(OWL, "use-spy", spy="spy-fox", position=1)
    stands = both(frame(TOP, step="swap"), seen_by(0, "bake-sale", OWL))
    assert planted(g, stands) != set()


@rule("ROOT-INFO-7")
def test_an_order_that_nobody_knows_is_not_decided():
    g = begun()
    assert planted(g, seen_by(2, "bake-sale", FOX, OWL)) == set()
    at = "/table/seats/cat/mechanical_marquise/row"
    assert planted(g, seen_by(2, "bake-sale")) == {("ROOT-INFO-7", at)}
    found = planted(g, row(Deck([Run(["bake-sale"], [OWL])])))
    assert found != set(), "four orders are gone from the row, which the deck has set aside"


# -- every field --------------------------------------------------------------------------------------------------

OWN = ("Player.spies", "Spying.", "Turn.used", "Run.", "Blank.", "MechanicalMarquise.row")
FREE = {
    "Player.spies": "a set",
    "Turn.used": "another spy has looked, or none so far",
    "Spying.position": "he looks elsewhere",
    "Spying.step": "he has known the order from an earlier look, and this one is still to come",
    "Blank.marks": "all of one shuffle",
    "Spying.spy": "another that has been used this turn",
    "Run.known_to": "another has looked as well, or instead",
    "Run.cards": "the order may be another card that nobody else has",
}


def undetected():
    """Corruptions of their fields that decode and have no problem."""
    for n, make in enumerate(WINDOWS.values()):
        state = make().state
        every = Corruptor(RULES, state, json.loads(encode(state)), WORDS, n).every()
        yield from passed(state, [c for c in every if c.label.startswith(OWN)])


def test_what_is_not_found_is_another_possible_state_and_can_be_gone_on_from():
    found = list(undetected())
    assert sorted({(c.label, c.way, c.pointer) for c, _ in found if c.label not in FREE}) == []
    can_be_gone_on_from(random.Random(3).sample(found, min(40, len(found))))


def test_the_windows_show_orders_that_are_known_and_others():
    rows = [lying(make()) for make in WINDOWS.values()]
    assert any(set(r) == {None} for r in rows)
    assert any(len([c for c in r if c is not None]) > 1 for r in rows)
    assert turn_of(begun(), FOX).asked == (FOX,)
