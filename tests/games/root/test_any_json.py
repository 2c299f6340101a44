"""Whatever JSON an action holds, whoever proposes it at whatever window, it is judged, never a crash."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.judge import judge
from service.engine.rule import LANGUAGES
from service.games.root.v1.figures import CARDS, CLEARINGS, COLUMNS, LEADERS, PIECES
from tests.games.root.table import CAT, OWL, RULES, fresh, game, lowest

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
MAP = {"1": {"keep": 1, CATS: 2}, "5": {CATS: 1, "sawmill": 1, "wood": 1, OWLS: 4}, "3": {"roost": 1, OWLS: 2},
       "8": {"workshop": 1, "recruiter": 1}}  # fmt: skip
HELD = {
    CAT: {"hand": ["bake-sale", "anvil", "sappers"], "crafted": ["tax-collector", "codebreakers"]},
    OWL: {
        "hand": ["ambush-rabbit", "cobbler"],
        "crafted": ["stand-and-deliver"],
        "decree": {"battle": ["cobbler"]},
    },
}
WORDS = ("sawmill", "rabbit", "fox", "from", "to", "cat", "owl", "chance", "nobody", "", "~/", "13")
words = st.sampled_from([*CARDS[:12], *CARDS[-6:], *CLEARINGS, *COLUMNS, *LEADERS, *PIECES[:7], *WORDS])
numbers = st.one_of(st.integers(-2, 6), st.sampled_from([10**30, 120]))
leaves = st.one_of(st.none(), st.booleans(), numbers, st.floats(allow_nan=False), words)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
values = st.one_of(words, words, numbers, st.dictionaries(words, numbers, max_size=3), anything)
NAMES = sorted({name for classes in RULES.kinds.values() for c in classes for name in c.params})
wires = st.dictionaries(st.sampled_from(NAMES), values, max_size=5)


def battle():
    return game(HELD, MAP).play(CAT, "battle", clearing="5", defender=OWL)


def hits():
    owl = {"hand": [], "leader": "charismatic"}
    g = game({**HELD, OWL: owl}, {**MAP, "5": {CATS: 1, "sawmill": 1, "wood": 2, OWLS: 4}}, turn=OWL)
    g.play(OWL, "resolve-decree").play(OWL, "decree-recruit", card="vizier", clearing="3")
    return g.fight(OWL, CAT, "5", 2, 0, kind="decree-battle", card="vizier")


def decree():
    return game(HELD, MAP, turn=OWL).play(OWL, "resolve-decree")


def setting_up():
    return fresh("marquise", "eyrie").play("chance", "draw-seat", seat=CAT).draw_any()


WINDOWS = {
    "act": lambda: game(HELD, MAP),
    "march": lambda: game(HELD, MAP).play(CAT, "march"),
    "birdsong": lambda: game(HELD, MAP, turn=OWL, at="turn"),
    "decree": decree,
    "battle": battle,
    "dice": lambda: battle().play(OWL, "pass"),
    "hits": hits,
    "draw": lambda: game(HELD, MAP, at="evening"),
    "set-up": setting_up,
    "seat": lambda: fresh("marquise", "eyrie"),
}


@pytest.mark.parametrize("window", WINDOWS)
def test_any_json_is_judged(window):
    g = WINDOWS[window]()

    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(st.sampled_from([CAT, OWL, "chance", "nobody"]), st.sampled_from(sorted(RULES.kinds)), wires)
    def judged(actor, kind, wire):
        judgement = judge(RULES, g.state, {"kind": kind, "actor": actor, **wire}, lowest)
        for violation in judgement.violations:
            for language in LANGUAGES:
                assert RULES.words.message(violation, RULES.book, language)

    judged()
