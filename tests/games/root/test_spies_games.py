"""Spies in whole games, how the prudent player uses them, and whoever asks for whatever at their windows."""

import random
from collections import Counter

import pytest

from service.engine.judge import judge
from service.engine.options import options
from service.engine.rule import LANGUAGES
from service.engine.state import CHANCE
from service.games.root.v1 import RULES
from service.games.root.v1.figures import suit_of
from tests.conformance.purity import probes_of
from tests.games.root.robot import BOT, FOX, OWL
from tests.games.root.spying import look, spying, turn_of
from tests.games.root.table import lowest
from tests.games.root.test_games import whole_game
from tests.games.root.test_spies_secrets import WINDOWS, unseen
from tests.games.root.test_words import slips

rule = pytest.mark.rule

LINES = [("mechanical-marquise", "alliance", "cult"), ("eyrie", "mechanical-marquise", "riverfolk")]
SEEDS = range(12)
OWN = {"play-spy", "use-spy", "look-at-order", "swap"}
W, OWLS = "marquise-warrior", "eyrie-warrior"


# -- whole games --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def courses():
    return [whole_game(seed, *line) for line in LINES for seed in SEEDS]


def test_spies_are_played_used_and_discarded_in_random_games(courses):
    played = Counter(k for c in courses for k in c.kinds)
    assert set(played) >= OWN
    because = Counter(e.because for c in courses for e in c.events)
    assert {"ROOT-SPY-2", "ROOT-SPY-3", "ROOT-SPY-5", "ROOT-SPY-6", "ROOT-SPY-8"} <= set(because)


@rule("ROOT-SPY-6", "ROOT-SPY-7")
def test_a_spy_is_discarded_after_every_look_at_its_suit_and_after_no_other(courses):
    looks = 0
    for course in courses:
        for i, e in enumerate(course.events):
            if e.kind == "order-seen":
                looks += 1
                spy = next(x for x in reversed(course.events[:i]) if x.kind == "spy-looks").facts["spy"]
                lost = i + 1 < len(course.events) and course.events[i + 1].because == "ROOT-SPY-6"
                assert lost == (suit_of(spy) == suit_of(e.facts["card"])), (spy, e.facts)
    assert looks > 5


@rule("ROOT-SPY-9")
def test_in_no_game_is_an_order_told_to_more_than_who_looks(courses):
    for e in (e for course in courses for e in course.events if e.kind == "order-seen"):
        assert e.whole == frozenset([e.facts["seat"]])
        assert e.rest is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_theirs_is_told(language, courses):
    told = {(e.kind, e.because): e for c in courses for e in c.events if e.because.startswith("ROOT-SPY")}
    assert len(told) > 5
    for (kind, _), e in told.items():
        text = RULES.words.event(e.to_wire(), language)
        assert text not in ("", kind)
        assert slips(text) == []
        assert "→" not in text
        assert text.endswith("."), text


# -- the prudent player -------------------------------------------------------------------------------------------


def prudent(g, seat=OWL):
    return RULES.prudent(g.table, seat).to_wire()


AMONG_FOXES = {"1": {"keep": 1, W: 4, OWLS: 3}, "5": {W: 1}, "3": {"roost": 1}}


def waiting(card, *known, map=AMONG_FOXES):
    """The Eyrie have seen these orders, and then the first one."""
    g = spying(spies=["spy-bird", "spy-mouse"], map=map)
    for position, other in known:
        look(g, "spy-bird", position, other).play(OWL, "pass")
    return look(g, "spy-mouse", 1, card)


def test_he_plays_a_spy_that_he_holds_and_looks_at_what_comes_next():
    g = spying(hand=["spy-fox", "cobbler"])
    assert prudent(g) == {"kind": "play-spy", "actor": OWL, "card": "spy-fox"}
    g.play(OWL, "play-spy", card="spy-fox")
    assert prudent(g) == {"kind": "use-spy", "actor": OWL, "spy": "spy-fox", "position": 1}


def test_he_looks_at_nothing_twice():
    g = look(spying(spies=["spy-mouse", "spy-bird"]), "spy-mouse", 1, "anvil").play(OWL, "pass")
    assert prudent(g)["position"] == 2
    later = turn_of(g, OWL)
    assert prudent(later)["position"] == 2


def test_he_puts_off_an_order_that_would_hurt_him():
    put_off = prudent(waiting("anvil"))
    assert put_off["kind"] == "swap"
    assert 1 in (put_off["i"], put_off["j"])
    assert prudent(waiting("bake-sale"))["kind"] == "pass"


def test_he_prefers_one_that_he_knows_to_do_no_harm():
    known = prudent(waiting("anvil", (4, "bake-sale")))
    assert (known["kind"], {known["i"], known["j"]}) == ("swap", {1, 4})
    worse = prudent(waiting("bake-sale", (2, "anvil")))
    assert worse["kind"] == "pass"


@rule("ROOT-INFO-7")
def test_what_he_does_not_know_changes_nothing_of_what_he_does():
    g = look(spying(spies=["spy-mouse"], more={FOX: {"spies": ["spy-bird"]}}), "spy-mouse", 1, "anvil")
    others = turn_of(g.play(OWL, "pass"), FOX)
    (twin,) = unseen(others.state, FOX, None)
    before = prudent(others, FOX)
    others.state = twin
    assert (
        prudent(others, FOX) == before == {"kind": "use-spy", "actor": FOX, "spy": "spy-bird", "position": 1}
    )


# -- whoever asks for whatever -------------------------------------------------------------------------------------

VALUES = [{}, {"spy-fox": 1}, [], 0, 1, 3, -1, 1.5, True, None, "1", "spy-fox", "bake-sale", OWL]


@rule("ROOT-TURN-8")
@pytest.mark.parametrize("name", WINDOWS)
def test_no_action_of_any_seat_is_more_than_refused(name):
    g = WINDOWS[name]()
    for kind in sorted(RULES.kinds):
        for cls in RULES.kinds[kind]:
            for seat in (BOT, OWL, FOX, CHANCE, "nobody"):
                for value in VALUES:
                    wire = {"kind": kind, "actor": seat, **dict.fromkeys(cls.params, value)}
                    judgement = judge(RULES, g.state, wire, lowest)
                    assert judgement.legal or judgement.violations


@pytest.mark.parametrize("language", LANGUAGES)
def test_their_options_and_refusals_are_sentences(language):
    rng = random.Random(3)
    for make in WINDOWS.values():
        g = make()
        for option in options(g.table):
            text = RULES.words.option(option.filled(), option.act.facts(g.table), language)
            assert slips(text) == []
            assert text.endswith((".", "!")), text
        for action in probes_of(RULES, g.state, rng, 60):
            for violation in judge(RULES, g.state, action, lowest).violations:
                text = RULES.words.message(violation, RULES.book, language)
                assert text.endswith((".", "!")), text
                assert "{" not in text, text
