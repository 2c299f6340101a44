"""Who knows an order: nothing that is answered to anybody else tells it, nor whether somebody knows it at all."""

import random
from copy import copy

import pytest

from service.engine.aside import places
from service.engine.deck import Blank, Deck, Pool, Run, Stratum
from service.engine.disclosure import discloses
from service.engine.given import answerers, answers
from service.engine.problems import problems
from service.engine.view import view
from service.engine.windows import window
from service.games.root.v1 import RULES
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Spot
from tests.games.root.conformance import DISCLOSES
from tests.games.root.robot import BOT, FOX, OWL
from tests.games.root.spying import known, look, spying, turn_of

rule = pytest.mark.rule

SPIED = {"hand": ["spy-bird", "anvil"], "spies": ["spy-fox", "spy-mouse"]}
OTHER = {FOX: {"hand": ["cobbler", "sappers"], "spies": ["spy-rabbit"]}}


def begun():
    return spying(**SPIED, more=OTHER)


def looking():
    return begun().play(OWL, "use-spy", spy="spy-fox", position=2)


def looked():
    return looking().play("chance", "look-at-order", card="bake-sale")


def swapped():
    return look(looked().play(OWL, "swap", i=2, j=1), "spy-mouse", 4, "armorers").play(OWL, "pass")


def discarded():
    return look(looked().play(OWL, "swap", i=2, j=1), "spy-mouse", 4, "investments")


def anothers_turn():
    return turn_of(swapped(), FOX)


def another_looks():
    return anothers_turn().play(FOX, "use-spy", spy="spy-rabbit", position=1)


def another_has_looked():
    return look(anothers_turn(), "spy-rabbit", 4, "armorers", FOX)


def turned_up():
    return turn_of(swapped(), BOT, at="turn")


WINDOWS = {
    f.__name__: f
    for f in (
        begun, looking, looked, swapped, discarded, anothers_turn, another_looks, another_has_looked, turned_up,
    )
}  # fmt: skip


def unseen(state, seat, rng):
    """The same table where nobody has looked at the orders that this seat does not know."""
    bot = state.table.seats[BOT]
    row, deck = bot.mechanical_marquise.row, state.table.deck
    (pool,) = deck.segments
    (stratum,) = pool.strata
    mark = 0 if stratum.mark is None else stratum.mark
    members, segments = dict(stratum.members), []
    for card, _, known_to in places(row):
        if card is not None and seat in known_to:
            segments.append(Run([card], known_to))
            continue
        if card is not None:
            members[card] = members.get(card, 0) + 1
        segments.append(Blank([mark]))
    twin = copy(state)
    twin.table = copy(state.table)
    twin.table.deck = Deck([Pool([Stratum(members, stratum.size, mark)])])
    twin.table.seats = {**state.table.seats, BOT: copy(bot)}
    twin.table.seats[BOT].mechanical_marquise = copy(bot.mechanical_marquise)
    twin.table.seats[BOT].mechanical_marquise.row = Deck(segments)
    if not problems(RULES, twin):
        yield twin


@rule("ROOT-INFO-7", "ROOT-SPY-9")
@pytest.mark.parametrize("name", WINDOWS)
def test_nothing_that_is_answered_tells_an_order_or_who_knows_it(name):
    spot = Spot(name, WINDOWS[name]().state)
    counted = {}
    found = law_secrets(RULES, [spot], random.Random(1), 4, 30, frozenset(DISCLOSES), unseen, counted)
    assert found == []
    assert counted["twins"] > 8


@rule("ROOT-INFO-7")
def test_a_table_where_nobody_has_looked_shows_the_others_the_same():
    g = swapped()
    assert known(g, OWL) == {1: "bake-sale", 4: "armorers"}
    for seat in (FOX, None):
        (twin,) = unseen(g.state, seat, None)
        assert view(twin, seat) == view(g.state, seat)
        assert view(twin, OWL) != view(g.state, OWL)


@rule("ROOT-SPY-5", "ROOT-GEN-13")
def test_who_uses_the_spy_answers_for_chance_and_may_name_what_he_has_not_seen():
    t = looking().table
    w = window(t)
    assert answerers(t, w) == {OWL}
    could = {act.card for act in answers(t, w, OWL)}
    assert {"cobbler", "sappers", "bake-sale", "armorers"} <= could, "what others hold he cannot know"
    assert not could & {"anvil", "spy-bird", "spy-fox", "spy-mouse", "spy-rabbit"}


@rule("ROOT-SPY-9")
def test_a_look_cannot_be_taken_back_and_a_swap_can():
    g = looking()
    assert not any(discloses(RULES, e) for e in g.events)
    g.play("chance", "look-at-order", card="bake-sale")
    assert any(discloses(RULES, e) for e in g.events)
    g.play(OWL, "swap", i=1, j=2)
    assert not any(discloses(RULES, e) for e in g.events)
