"""Every window that Vagabonds bring: any JSON is judged there, and nothing tells what is hidden."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.judge import judge
from service.engine.rule import LANGUAGES
from service.engine.view import view
from service.games.root.v1.figures import CHARACTERS, FORESTS, QUESTS, REFERENCES
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Spot
from tests.games.root.rogue import CATS, ELK, FOX, OWLS, no_cards, rogue, up
from tests.games.root.table import CAT, OWL, RULES, lowest
from tests.games.root.test_any_json import NAMES, values, words
from tests.games.root.test_vagabond_moves import before_set_up, quests_up
from tests.games.root.test_vagabond_pairs import digging, half, two

rule = pytest.mark.rule

MAP = {"1": {CATS: 2, OWLS: 2, "wood": 1}, "5": {"sawmill": 1}}
HANDS = {
    "hand": ["anvil", "sappers"],
    "cat": {"hand": ["ambush-fox", "cobbler"]},
    "owl": {"hand": ["bake-sale"]},
}
ALLIED = {"relationships": {"marquise": "allied"}}


def acting():
    held = {"track": ["tea"], "satchel-up": ["sword", "boots", "torch", "crossbow"], "damaged-up": ["bag"]}
    return rogue(MAP, items=held, discard=["armorers"], **HANDS)


def birdsong():
    return rogue(MAP, "turn", items={"satchel-down": ["sword", "boots", "torch", "bag"]}, **HANDS)


def slipping():
    return rogue(MAP, "turn", **HANDS)


def hits():
    g = rogue(MAP, items=up("sword", "boots", "torch"), **ALLIED, hand=["anvil"])
    return no_cards(g.play(FOX, "battle", defender=OWL).play(FOX, "fight-with-ally", player=CAT)).roll(1, 1)


def allies():
    return rogue(MAP, **ALLIED, **HANDS).play(FOX, "battle", defender=OWL)


def enlisting():
    g = rogue(MAP, turn=CAT, character="arbiter", hand=["anvil"], cat={"hand": ["cobbler"]})
    return no_cards(g.play(CAT, "battle", clearing="1", defender=OWL))


def picking():
    g = rogue({"1": {CATS: 1, "sawmill": 1, "wood": 2, OWLS: 3}}, character="vagrant", **HANDS)
    return no_cards(g.play(FOX, "instigate", attacker=OWL, defender=CAT)).roll(2, 0)


def gift():
    g = rogue(MAP, hand=["anvil", "sappers"], cat={"items": ["coin"]}, owl={"hand": ["bake-sale"]})
    return g.play(FOX, "aid", player=CAT, card="anvil", item="torch")


def stealing():
    return rogue(MAP, **HANDS).play(FOX, "steal", player=CAT)


def finding():
    return two(MAP, pawn="6", **HANDS).play(FOX, "explore")


def taking():
    return digging(**HANDS)


def known():
    return half([ELK], "boots-r", "bag-r", **HANDS)


def throwing():
    held = ["sword", "boots", "hammer", "crossbow", "torch", "tea", "sword"]
    return rogue(at="evening", items=up(*held), **HANDS).draw("armorers")


def setting_up():
    return quests_up(before_set_up("marquise", "vagabond"), "escort-mouse", "errand-fox", "errand-rabbit")


WINDOWS = {
    f.__name__: f
    for f in (
        acting, birdsong, slipping, hits, allies, enlisting, picking, gift, stealing, finding, taking, known, throwing,
        setting_up,
    )
}  # fmt: skip

more = st.sampled_from(
    [*REFERENCES, *FORESTS, *QUESTS[:3], *CHARACTERS, "track", "satchel-up", "points", FOX, ELK]
)
bags = st.dictionaries(st.one_of(more, words), st.integers(-1, 3), max_size=3)
wires = st.dictionaries(st.sampled_from(NAMES), st.one_of(more, bags, values), max_size=5)


@pytest.mark.parametrize("window", WINDOWS)
def test_any_json_is_judged(window):
    g = WINDOWS[window]()

    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(st.sampled_from([CAT, OWL, FOX, "chance", "nobody"]), st.sampled_from(sorted(RULES.kinds)), wires)
    def judged(actor, kind, wire):
        judgement = judge(RULES, g.state, {"kind": kind, "actor": actor, **wire}, lowest)
        for violation in judgement.violations:
            for language in LANGUAGES:
                assert RULES.words.message(violation, RULES.book, language)

    judged()


@rule("ROOT-INFO-2", "ROOT-INFO-8", "ROOT-INFO-10", "ROOT-INFO-11")
@pytest.mark.parametrize("window", WINDOWS)
def test_nothing_that_is_answered_tells_what_is_hidden(window):
    g = WINDOWS[window]()
    assert (
        law_secrets(
            RULES, [Spot(window, g.state)], random.Random(1), 4, 30, discloses=frozenset(["ROOT-FX-11"])
        )
        == []
    )


@rule("ROOT-INFO-1")
def test_everybody_sees_a_vagabonds_board():
    seen = view(acting().state, None)["table"]
    board = seen["seats"][FOX]["vagabond"]
    assert board["items"]["damaged-up"] == {"bag": 1}
    assert board["relationships"] == {"marquise": "indifferent", "eyrie": "indifferent"}
    assert (board["pawn"], board["character"], board["looking"]) == ("1", "thief", 0)
    assert len(seen["quests"]) == 3
    assert seen["quest_deck"]["size"] == 12
    assert seen["buried"] == {"size": 4, "top": []}


@rule("ROOT-INFO-8", "ROOT-INFO-11")
def test_what_the_other_left_is_hidden_from_who_has_not_looked():
    g = known()
    assert view(g.state, FOX)["table"]["unearthed"]["6"] == {"size": 2, "top": []}
    assert view(g.state, ELK)["table"]["unearthed"]["6"]["top"] == ["boots-r", "bag-r"]
