"""Who knows what: windows open on what everyone sees, and nothing that is answered tells what a hand holds."""

import random

import pytest

from service.engine.flow import decisions
from service.engine.view import view
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Spot
from tests.games.root.table import CAT, OWL, RULES, game

rule = pytest.mark.rule

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
MAP = {
    "1": {"keep": 1, CATS: 1},
    "5": {CATS: 3, OWLS: 3, "sawmill": 1, "wood": 1},
    "3": {"roost": 1, OWLS: 2},
}
HANDS = {CAT: {"hand": ["bake-sale", "anvil"]}, OWL: {"hand": ["ambush-rabbit", "sappers", "cobbler"]}}


def ambush(**owl):
    return game({**HANDS, OWL: {**HANDS[OWL], **owl}}, MAP).play(CAT, "battle", clearing="5", defender=OWL)


def foil():
    return ambush().play(OWL, "play-ambush", card="ambush-rabbit")


def hospitals():
    return foil().play(CAT, "pass")


def added():
    g = game(HANDS, MAP, turn=OWL, at="turn")
    return g.play(OWL, "add-to-decree", card="cobbler", column="move")


def discard():
    hand = ["anvil", "bake-sale", "cobbler", "sappers", "armorers", "investments"]
    g = game({CAT: {"hand": hand}, OWL: HANDS[OWL]}, MAP)
    return g.play(CAT, "end-phase").draw("foxfolk-steel")


WINDOWS = {f.__name__: f for f in (ambush, foil, hospitals, added, discard)}


@rule("ROOT-INFO-2", "ROOT-BATTLE-4", "ROOT-INFO-8")
@pytest.mark.parametrize("name", WINDOWS)
def test_nothing_that_is_answered_tells_what_a_hand_holds(name):
    g = WINDOWS[name]()
    assert law_secrets(RULES, [Spot(name, g.state)], random.Random(1), 6, 30) == []


@rule("ROOT-BATTLE-4", "ROOT-INFO-2")
def test_the_same_window_opens_whatever_the_defender_holds():
    """Three ambushes, or none: the attacker sees the same, and so do those who only watch."""
    armed, bare = (
        ambush(hand=["ambush-rabbit", "ambush-bird", "ambush-bird"]),
        ambush(hand=["cobbler", "sappers", "armorers"]),
    )
    for viewer in (CAT, None):
        assert view(armed.state, viewer) == view(bare.state, viewer)
    assert [d.to_wire() for d in decisions(armed.table)] == [d.to_wire() for d in decisions(bare.table)]


@rule("ROOT-INFO-2")
def test_a_drawn_card_is_seen_by_who_draws_it():
    g = game(HANDS, MAP, at="evening").draw("codebreakers")
    (drawn,) = [e for e in g.events if e.kind == "moved" and e.facts["source"] == ["deck"]]
    assert drawn.seen_by(CAT)["what"] == {"codebreakers": 1}
    assert (drawn.seen_by(OWL)["what"], drawn.seen_by(None)["what"]) == (1, 1)


@rule("ROOT-INFO-1")
def test_what_lies_open_is_seen_by_all():
    g = added()
    seen = view(g.state, None)["table"]
    assert seen["seats"][OWL]["eyrie"]["decree"]["move"] == {"cobbler": 1, "vizier": 1}
    assert seen["seats"][CAT]["supply"][CATS] == 25 - 4
    assert seen["items"]["coin"] == 2
