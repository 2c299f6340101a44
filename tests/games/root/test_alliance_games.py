"""Whole games with the Alliance: random ones to their ends, what they show, and what no action may bring about."""

import random
from collections import Counter

import pytest

from service.engine.judge import judge
from service.engine.state import CHANCE
from service.games.root.v1 import RULES
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Spot
from tests.games.root.ally import ALLIES, ALLY, CATS, FOXES, woodland
from tests.games.root.table import CAT, OWL, lowest
from tests.games.root.test_games import whole_game

rule = pytest.mark.rule

LINES = [
    ("alliance", "marquise"), ("eyrie", "alliance"), ("marquise", "eyrie", "alliance"),
    ("alliance", "eyrie", "marquise"), ("eyrie", "alliance", "marquise"),
]  # fmt: skip
SEEDS = range(3)
OWN = {
    "revolt", "spread", "mobilize", "train", "organize", "recruit", "move", "battle", "pay-outrage", "show-hand",
}  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_random_games_with_the_alliance_end(line):
    for seed in SEEDS:
        assert whole_game(seed, *line).state.outcome is not None


def test_everything_that_the_alliance_does_is_played():
    played = Counter(k for line in LINES for seed in SEEDS for k in whole_game(seed, *line).kinds)
    assert set(played) >= OWN


SHOWN = {
    "ROOT-SETUP-11", "ROOT-WA-2", "ROOT-WA-4", "ROOT-WA-10", "ROOT-WA-11", "ROOT-WA-13", "ROOT-WA-14", "ROOT-WA-17",
    "ROOT-WA-19", "ROOT-WA-21", "ROOT-WA-22", "ROOT-WA-24", "ROOT-BATTLE-11", "ROOT-X-10",
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
                    told.setdefault(
                        (e.kind, e.because, isinstance(what, int), str(wire.get("source"))[:14]), wire
                    )
    for (kind, *_), wire in told.items():
        text = RULES.words.event(wire, language)
        assert text not in ("", kind), wire
        assert "{" not in text, text
        assert "→" not in text or wire["source"][0] == "map", text
        assert text.endswith((".", "!")), text


# -- whoever asks for whatever -------------------------------------------------------------------------------------


def windows():
    """A state at each of the Alliance's windows, and at those that it brings about."""
    at_war = {"1": {CATS: 3}, "5": {"sympathy": 1}, "8": {CATS: 3, FOXES: 1}}
    held = {"supporters": ["bake-sale", "anvil", "sappers"], "hand": ["armorers"], "officers": 1}
    yield from (woodland(at_war, at=at, **held) for at in ("turn", "daylight", "evening"))
    marching = woodland(at_war, turn=CAT, at="daylight", cat={"hand": ["anvil"]})
    yield marching.play(CAT, "march").play(CAT, "move", from_="1", to="5", warriors=1)
    many = ["bake-sale", "root-tea-rabbit", "smugglers-trail", "investments", "sword-mouse", "root-tea-mouse"]
    yield woodland(at_war, turn=CAT, at="daylight", supporters=many).fight(CAT, ALLY, "8", 0, 0)


VALUES = [{}, {"anvil": 1}, {"nothing": 1}, [], 1, None, "anvil", "5", CAT, ALLIES]


@rule("ROOT-INFO-2", "ROOT-INFO-4", "ROOT-WA-10")
@pytest.mark.parametrize("n", range(5))
def test_nothing_that_is_answered_tells_what_supporters_and_hands_hold(n):
    spot = Spot(str(n), list(windows())[n].state)
    assert law_secrets(RULES, [spot], random.Random(n), 6, 30, frozenset({"hand-shown"})) == []


@pytest.mark.parametrize("n", range(5))
def test_no_action_of_any_seat_is_more_than_refused(n):
    g = list(windows())[n]
    for kind, classes in RULES.kinds.items():
        for cls in (c for c in classes if not c.chance):
            for seat in (CAT, OWL, ALLY, CHANCE, "nobody"):
                for value in VALUES:
                    wire = {"kind": kind, "actor": seat, **dict.fromkeys(cls.params, value)}
                    judgement = judge(RULES, g.state, wire, lowest)
                    assert judgement.legal or judgement.violations
