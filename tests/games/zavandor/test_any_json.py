"""Whatever JSON an action holds, it is judged, never a crash; and every refusal has its text in both languages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.judge import judge
from service.engine.rule import LANGUAGES
from tests.games.zavandor.table import (
    ARTIFACTS,
    BLUE,
    COLOURS,
    GEMS,
    RULES,
    SENTINELS,
    TOKENS,
    TRACKS,
    at_hand_limit,
    game,
    lowest,
)

WORDS = (
    "active", "inactive", "cards", "concentrated", "gems", "dust", "kind", "buy-gem", "buy-token", "advance", "pay",
    "a:b", "gem:active:opal", "", "~/",
)  # fmt: skip
words = st.sampled_from([*GEMS, *COLOURS, *TRACKS, *ARTIFACTS, *SENTINELS, *BLUE, *WORDS])
numbers = st.one_of(st.integers(-2, 6), st.sampled_from([*TOKENS, 10**30, 120]))
leaves = st.one_of(st.none(), st.booleans(), numbers, st.floats(allow_nan=False), words)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
bags = st.dictionaries(words, numbers, max_size=3)
payments = st.fixed_dictionaries(
    {}, optional={"cards": bags, "concentrated": bags, "gems": st.dictionaries(words, bags, max_size=2)}
)
parts = st.lists(
    st.fixed_dictionaries(
        {"kind": words}, optional={"gem": words, "place": words, "token": numbers, "track": words}
    ),
    max_size=4,
)
values = st.one_of(anything, payments, parts)

RICH = {
    "character": "kobold",
    "dust": 300,
    "bought": 2,
    "active": {"opal": 2, "ruby": 1},
    "energy": {"blue-3": 2},
}


def windows():
    """One game at every window that asks a seat."""
    shown = {"display": ("talisman", "runestone")}
    turn = game({"ann": RICH, "bob": {}}, **shown)
    yield "act", turn
    bidding = turn.fork().play("ann", "start-auction", card="owl", bid=120)
    yield "bid", bidding
    yield "pay", bidding.fork().play("bob", "pass")
    yield "steps", turn.fork().auction("ann", "talisman", 100)
    yield "advance", turn.fork().auction("ann", "runestone", 20)
    mirror = game(
        {"ann": RICH, "bob": {"active": {"opal": 1, "ruby": 1}}}, display=("magic-mirror", "elixir")
    )
    token = mirror.fork().auction("ann", "magic-mirror", 40)
    yield "token", token
    yield "lose", token.fork().play("ann", "decline")
    yield "place", mirror.fork().auction("ann", "elixir", 60)
    yield "discard", at_hand_limit({"ann": {**RICH, "concentrated": {"red": 1}}, "bob": {}})
    yield "draw", game({"ann": {"active": {"ruby": 1}}, "bob": {}}, order=(), mode="given")
    yield "tie", game({"ann": {}, "bob": {}}, order=(), mode="given")


WINDOWS = dict(windows())


@pytest.mark.parametrize("name", WINDOWS)
@given(data=st.data())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_any_json_is_judged(name, data):
    g = WINDOWS[name]
    kind = data.draw(st.sampled_from([*g.kinds, *RULES.kinds]))
    cls = RULES.kinds[kind][0]
    wire = {p: data.draw(values) for p in cls.params if data.draw(st.booleans()) or len(cls.params) == 1}
    action = {"kind": kind, "actor": data.draw(st.sampled_from([*g.asked, "bob", "chance", "zoe"])), **wire}
    judgement = judge(RULES, g.state, action, lowest, explain=True)
    assert judgement.legal or judgement.violations
    for violation in judgement.violations:
        assert all(a.startswith("/") for a in violation.about)
        for language in LANGUAGES:
            assert RULES.words.message(violation, RULES.book, language)
