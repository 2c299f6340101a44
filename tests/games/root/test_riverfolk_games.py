"""Whole games with the Riverfolk: random ones to their ends, what they show, and what no action may bring about."""

import random
from collections import Counter

import pytest

from service.engine.judge import judge
from service.engine.state import CHANCE
from service.games.root.v1 import RULES
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Spot
from tests.games.root.conformance import positions_of_the_riverfolk
from tests.games.root.river import CATS, OTTER, OTTERS, TOD
from tests.games.root.table import CAT, OWL, lowest
from tests.games.root.test_games import whole_game

rule = pytest.mark.rule

LINES = [
    ("riverfolk", "marquise"), ("alliance", "riverfolk"), ("eyrie", "riverfolk", "vagabond"),
    ("marquise", "riverfolk", "eyrie", "alliance"),
]  # fmt: skip
SEEDS = range(2)
OWN = {
    "setup-riverfolk", "buy-card", "buy-riverboats", "hire-mercenaries", "move", "battle", "draw", "recruit",
    "craft", "export", "establish", "trade-disruption", "set-prices",
}  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_random_games_with_the_riverfolk_end(line):
    for seed in SEEDS:
        assert whole_game(seed, *line).state.outcome is not None


def test_everything_that_the_riverfolk_do_and_sell_is_played():
    played = Counter(k for line in LINES for seed in SEEDS for k in whole_game(seed, *line).kinds)
    assert OWN - set(played) == set()


SHOWN = {
    "ROOT-SETUP-14", "ROOT-RIVER-6", "ROOT-RIVER-10", "ROOT-RIVER-12", "ROOT-RIVER-13", "ROOT-RIVER-15",
    "ROOT-RIVER-30", "ROOT-RIVER-31", "ROOT-RIVER-32", "ROOT-RIVER-33", "ROOT-RIVER-34", "ROOT-RIVER-35",
    "ROOT-RIVER-36", "ROOT-RIVER-37", "ROOT-RIVER-40",
}  # fmt: skip


def test_events_of_its_clauses_come_up():
    seen = {e.because for line in LINES for seed in SEEDS for e in whole_game(seed, *line).events}
    assert SHOWN - seen == set()


@pytest.mark.parametrize("language", ["en", "cs"])
def test_every_event_is_told(language):
    told = {}
    for line in LINES:
        for e in (e for seed in SEEDS for e in whole_game(seed, *line).events):
            for wire in (e.to_wire(), e.seen_by(None)):
                if wire is not None:
                    what = wire.get("what")
                    place = str(wire.get("source"))[-24:] + str(wire.get("target"))[-24:]
                    told.setdefault((e.kind, e.because, isinstance(what, int), place), wire)
    for (kind, *_), wire in told.items():
        text = RULES.words.event(wire, language)
        assert text not in ("", kind), wire
        assert "{" not in text, text
        assert "→" not in text or wire["source"][0] == "map", text
        assert text.endswith((".", "!")), text


@pytest.mark.parametrize(
    ("wire", "en", "cs"),
    [
        (
            {"source": ["seats", OTTER, "riverfolk", "hand"], "target": ["seats", CAT, "hand"], "what": {"anvil": 1},
             "because": "ROOT-RIVER-15"},
            "cat buys Anvil from otter.", "cat kupuje kartu: Kovadlina (prodává otter).",
        ),
        (
            {"source": ["seats", CAT, "supply"], "target": ["seats", OTTER, "riverfolk", "payments"],
             "what": {CATS: 3}, "because": "ROOT-RIVER-12"},
            "cat pays 3 Marquise warriors.", "cat platí: 3 bojovníci Markýzy.",
        ),
        (
            {"source": ["seats", OTTER, "riverfolk", "funds"], "target": ["seats", CAT, "supply"], "what": {CATS: 1},
             "because": "ROOT-RIVER-34"},
            "otter spends a Marquise warrior.", "otter používá zdroj: bojovník Markýzy.",
        ),
        (
            {"source": ["map", "8"], "target": ["box"], "what": {"fox-post": 1}, "because": "ROOT-BATTLE-17"},
            "Removed from clearing 8, and out of the game: a fox trade post.",
            "Odstraněno a mimo hru (mýtina 8): liščí obchodní stanoviště.",
        ),
    ],
)  # fmt: skip
def test_what_is_told(wire, en, cs):
    told = {"kind": "moved", **wire}
    assert (RULES.words.event(told, "en"), RULES.words.event(told, "cs")) == (en, cs)


# -- whoever asks for whatever -------------------------------------------------------------------------------------

WINDOWS = range(8)


def windows():
    return list(positions_of_the_riverfolk())


def test_there_are_so_many_windows():
    assert len(windows()) == len(WINDOWS)


@rule("ROOT-INFO-2", "ROOT-INFO-3", "ROOT-RIVER-10", "ROOT-BATTLE-4")
@pytest.mark.parametrize("n", WINDOWS)
def test_nothing_that_is_answered_tells_what_a_hidden_hand_holds(n):
    assert law_secrets(RULES, [Spot(str(n), windows()[n])], random.Random(n), 6, 30, frozenset()) == []


VALUES = [
    {},
    {"anvil": 1},
    {"nothing": 1},
    {OTTERS: 1},
    {"5": 4},
    {"hand-card": 1},
    [],
    1,
    None,
    "anvil",
    "5",
    CAT,
    CATS,
]


@pytest.mark.parametrize("n", WINDOWS)
def test_no_action_of_any_seat_is_more_than_refused(n):
    state = windows()[n]
    for kind, classes in RULES.kinds.items():
        for cls in (c for c in classes if not c.chance):
            for seat in (CAT, OWL, OTTER, TOD, CHANCE, "nobody"):
                for value in VALUES:
                    wire = {"kind": kind, "actor": seat, **dict.fromkeys(cls.params, value)}
                    judgement = judge(RULES, state, wire, lowest)
                    assert judgement.legal or judgement.violations
