"""Whole games with the Cult, what they show, and what no action may bring about or tell."""

import random
from collections import Counter

import pytest

from service.engine.judge import judge
from service.engine.options import options
from service.engine.state import CHANCE
from service.games.root.v1 import RULES
from service.games.root.v1.cult_birdsong import CONSPIRACIES
from service.games.root.v1.cult_daylight import RITUALS
from tests.conformance.purity import probes_of
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Spot
from tests.games.root.lizards import CATS, FG, LIZARDS, NEWT, RABBITS_LEAD, cult_table
from tests.games.root.table import CAT, OWL, lowest
from tests.games.root.test_games import whole_game
from tests.games.root.test_words import slips

rule = pytest.mark.rule

LINES = [
    ("cult", "marquise"), ("eyrie", "cult"), ("alliance", "cult"), ("cult", "vagabond"),
    ("marquise", "cult", "alliance"), ("marquise", "eyrie", "alliance", "cult"),
]  # fmt: skip
SEEDS = range(3)
OWN = {a.kind for a in (*CONSPIRACIES, *RITUALS)} | {
    "setup-cult",
    "crusade-follow-up",
    "craft",
    "random-card",
}


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_random_games_with_the_cult_end(line):
    for seed in SEEDS:
        assert whole_game(seed, *line).state.outcome is not None


def test_everything_that_the_cult_does_is_played():
    played = Counter(k for line in LINES for seed in SEEDS for k in whole_game(seed, *line).kinds)
    assert OWN - set(played) == set()


SHOWN = {
    "ROOT-SETUP-13", "ROOT-CULT-6", "ROOT-CULT-7", "ROOT-CULT-8", "ROOT-CULT-9", "ROOT-CULT-11", "ROOT-CULT-12",
    "ROOT-CULT-13", "ROOT-CULT-14", "ROOT-CULT-16", "ROOT-CULT-17", "ROOT-CULT-18", "ROOT-CULT-19", "ROOT-CULT-20",
    "ROOT-CULT-21", "ROOT-CULT-23",
}  # fmt: skip


def test_events_of_its_clauses_come_up():
    seen = {e.because for line in LINES for seed in SEEDS for e in whole_game(seed, *line).events}
    assert SHOWN - seen == set()


@rule("ROOT-CARD-5", "ROOT-CULT-5", "ROOT-CULT-9")
def test_in_no_game_with_the_cult_does_a_card_come_to_the_discard_pile_but_from_the_lost_souls():
    for line in LINES:
        for seed in SEEDS:
            for e in whole_game(seed, *line).events:
                if e.kind == "moved" and e.facts["target"] in (["discard"], ["available"]):
                    assert e.facts["source"][2:] == ["cult", "lost_souls"], e


@pytest.mark.parametrize("language", ["en", "cs"])
def test_every_event_is_told(language):
    told = {}
    for line in LINES:
        for e in (e for seed in SEEDS for e in whole_game(seed, *line).events):
            for wire in (e.to_wire(), e.seen_by(None)):
                if wire is not None:
                    ends = (
                        str(wire.get("source"))[:34],
                        str(wire.get("target"))[:34],
                        str(wire.get("place")),
                    )
                    told.setdefault((e.kind, e.because, isinstance(wire.get("what"), int), *ends), wire)
    for (kind, *_), wire in told.items():
        text = RULES.words.event(wire, language)
        assert text not in ("", kind), wire
        assert "{" not in text, text
        assert "→" not in text or wire["source"][0] == "map", text
        assert text.endswith((".", "!")), text


# -- whoever asks for whatever -------------------------------------------------------------------------------------


def windows():
    """A state at each of the Cult's windows, and at those that it brings about."""
    there = {"5": {LIZARDS: 3, CATS: 1, "workshop": 1}, "1": {CATS: 1}, "8": {FG: 2, CATS: 4, LIZARDS: 1}}
    held = {"hand": ["anvil", "sappers", "dominance-rabbit"], "acolytes": 4}
    cat = {"hand": ["cobbler"]}
    yield from (cult_table(there, at, **held, cat=cat) for at in ("turn", "daylight", "evening"))
    crusade = cult_table(there, **RABBITS_LEAD, **held)
    yield crusade.play(NEWT, "crusade-move", from_="5", to="1", warriors=1)
    healed = cult_table({**there, "12": {CATS: 1}, "1": {"keep": 1}}, **RABBITS_LEAD, **held, cat=cat)
    yield healed.play(NEWT, "convert", clearing="5", player=CAT)
    yield cult_table(there, turn=CAT, at="daylight", **held).fight(CAT, NEWT, "8", 3, 0)
    revealing = cult_table(there, "daylight", **held)
    yield revealing.play(NEWT, "ritual-recruit", card="anvil", clearing="1")


WINDOWS = range(7)
VALUES = [{}, {"anvil": 1}, {"nothing": 1}, [], 1, None, "anvil", "5", CAT, CATS, "rabbit"]


def test_these_are_all_its_windows():
    kinds = [g.kinds for g in windows()]
    assert len(kinds) == len(WINDOWS)
    assert {k for own in kinds for k in own} >= OWN - {"setup-cult"}


@rule("ROOT-INFO-2", "ROOT-INFO-6", "ROOT-CULT-6", "ROOT-CULT-16")
@pytest.mark.parametrize("n", WINDOWS)
def test_nothing_that_is_answered_tells_what_hands_hold(n):
    spot = Spot(str(n), list(windows())[n].state)
    assert law_secrets(RULES, [spot], random.Random(n), 6, 30, frozenset({"hand-shown"})) == []


@rule("ROOT-TURN-8")
@pytest.mark.parametrize("n", WINDOWS)
def test_no_action_of_any_seat_is_more_than_refused(n):
    g = list(windows())[n]
    for kind, classes in RULES.kinds.items():
        for cls in (c for c in classes if not c.chance):
            for seat in (CAT, OWL, NEWT, CHANCE, "nobody"):
                for value in VALUES:
                    wire = {"kind": kind, "actor": seat, **dict.fromkeys(cls.params, value)}
                    judgement = judge(RULES, g.state, wire, lowest)
                    assert judgement.legal or judgement.violations


@pytest.mark.parametrize("language", ["en", "cs"])
def test_its_options_and_refusals_are_sentences(language):
    rng = random.Random(3)
    for g in windows():
        for option in options(g.table):
            text = RULES.words.option(option.filled(), option.act.facts(g.table), language)
            assert slips(text) == []
            assert text.endswith("."), text
        for action in probes_of(RULES, g.state, rng, 60):
            for violation in judge(RULES, g.state, action, lowest).violations:
                text = RULES.words.message(violation, RULES.book, language)
                assert text.endswith((".", "!")), text
                assert "{" not in text, text
