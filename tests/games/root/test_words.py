"""What is told of Root: options, refusals and clauses, in both languages."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from service.engine.judge import judge
from service.engine.message import say
from service.engine.options import options
from service.engine.rule import LANGUAGES
from service.engine.table import Table
from service.games.root.v1 import RULES
from tests.conformance.purity import probes_of
from tests.conformance.subjects import draws_of, spots_of, walk
from tests.games.root.lizards import FG, LIZARDS, NEWT, RABBITS_LEAD, cult_table
from tests.games.root.river import OTTER, OTTERS, river
from tests.games.root.rogue import CATS, FOX, OWLS, no_cards, rogue, up
from tests.games.root.table import CAT, OWL, game
from tests.games.root.test_riverfolk import PRICES, to_set_up

WORDS, BOOK = RULES.words, RULES.book


@cache
def spots():
    walks = [walk(RULES, seed, policy) for seed in range(3) for policy in ("random", "mixed")]
    return spots_of(walks, 120, random.Random(1))


def slips(text: str) -> list[str]:
    """What no sentence has: holes, doubled spaces, ids with hyphens that were left as they are."""
    faults = [f for f in ("{", "}", "  ", " .", "!.", "None") if f in text]
    faults += re.findall(
        r"\b(?:marquise|eyrie|alliance|cult|riverfolk|hand)-\w+|\b\w+-(?:garden|base|post)\b", text
    )
    return faults + ([] if text[:1].isupper() or text[:1].isdigit() or text.split()[0].islower() else [text])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_a_sentence(language):
    told = {WORDS.option(o.filled(), o.act.facts(Table(RULES, s.state)), language)
            for s in spots() for o in list(options(Table(RULES, s.state)))[:40]}  # fmt: skip
    assert len(told) > 100
    assert [(text, slips(text)) for text in told if slips(text) or not text.endswith((".", "!"))] == []


@pytest.mark.parametrize(
    ("wood", "english", "czech"),
    [
        ({}, "Exactly 1 must be named, not 0. Build: ", "Jmenovat je třeba právě 1, ne 0. Stavba: "),
        ({"5": 3}, "Exactly 1 must be named, not 3. ", "Jmenovat je třeba právě 1, ne 3. "),
        ({"5": 4}, "Clearing 5: 4 named, at most 3. ", "Mýtina 5: jmenováno 4, nejvýše 3. "),
        ({"6": 1}, "Not possible here: clearing 6. ", "Zde není možné: mýtina 6. "),
    ],
)
def test_who_builds_with_the_wrong_wood_is_told_what_is_wrong(wood, english, czech):
    g = game(
        {"cat": {"faction": "marquise"}, "owl": {"faction": "eyrie"}},
        {"5": {CATS: 1, "sawmill": 1, "wood": 3}},
    )
    found = g.refused(CAT, "build", type="sawmill", clearing="5", wood=wood)["ROOT-MARQ-16"]
    assert WORDS.message(found, BOOK, "en").startswith(english)
    assert WORDS.message(found, BOOK, "cs").startswith(czech)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_is_a_sentence(language):
    rng = random.Random(2)
    told = set()
    for spot in spots():
        for action in probes_of(RULES, spot.state, rng, 8):
            for violation in judge(RULES, spot.state, action, draws_of(0)).violations:
                told.add(WORDS.message(violation, BOOK, language))
    assert len(told) > 100
    assert [text for text in told if not text.endswith((".", "!")) or "{" in text] == []
    seats = {seat.id for spot in spots() for seat in spot.state.seats}
    assert [text for text in told if text[:1].islower() and text.split()[0] not in seats] == []


# -- single texts -------------------------------------------------------------------------------------------------


def told(g, actor, kind, language):
    """The texts of every option of a kind."""
    return {WORDS.option(o.filled(), {"open": sorted(o.open), **o.act.facts(g.table)}, language)
            for o in options(g.table, actor, kinds=(kind,))}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"), [("en", "End Daylight in the hideout."), ("cs", "Ukončit Bílý den v úkrytu.")]
)
def test_a_hideout_with_nothing_to_repair_says_so(language, text):
    g = rogue({}, character="ranger", items=up("torch", "boots"))
    assert told(g, FOX, "hideout", language) == {text}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_vagabond_loses_no_pieces(language):
    g = no_cards(
        rogue({"1": {CATS: 3}}, items=up("sword", "torch", "boots")).play(FOX, "battle", defender=CAT)
    )
    g.roll(3, 2)
    (text,) = told(g, FOX, "assign-hits", language)
    assert ("item" if language == "en" else "předměty") in text
    assert ("pieces" if language == "en" else "komponenty") not in text


@pytest.mark.parametrize(
    ("language", "texts"),
    [("en", ("Stand and Deliver!",)), ("cs", ("Peníze, nebo život!",))],
)
def test_a_name_that_ends_a_sentence_needs_no_full_stop(language, texts):
    g = game({CAT: {"hand": ["stand-and-deliver"]}}, {"5": {"workshop": 1}})
    refused = g.refused(CAT, "spend-bird", card="stand-and-deliver")["ROOT-MARQ-12"]
    text = WORDS.message(refused, BOOK, language)
    spent = {"kind": "moved", "because": "ROOT-DOM-6", "what": {"stand-and-deliver": 1},
             "source": ["seats", CAT, "hand"], "target": ["discard"]}  # fmt: skip
    assert WORDS.event(spent, language).endswith(texts[0])
    assert "!." not in text
    assert texts[0] in text
    assert all("!." not in rule.text[language] for rule in BOOK.rules.values())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The defender holds no card, so there is no ambush."),
        ("cs", "Obránce nemá v ruce žádnou kartu, k přepadení tedy nedojde."),
    ],
)
def test_why_nobody_is_asked_for_an_ambush(language, text):
    g = game({}, {"5": {CATS: 2, OWLS: 1}}).play(CAT, "battle", clearing="5", defender=OWL)
    (event,) = [e for e in g.events if e.kind == "skipped"]
    assert WORDS.event(event.to_wire(), language) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The defender's open hand holds no ambush that matches clearing 5 (rabbit)."),
        (
            "cs",
            "Mezi vyloženými kartami obránce není přepadení, které by odpovídalo symbolu: mýtina 5 (zajíc).",
        ),
    ],
)
def test_why_nobody_is_asked_for_an_ambush_of_an_open_hand(language, text):
    g = river({"5": {CATS: 3, OTTERS: 1}}, turn=CAT, hand=["ambush-fox", "anvil"])
    g.play(CAT, "battle", clearing="5", defender=OTTER)
    assert g.asked == ("chance",)
    (event,) = [e for e in g.events if e.kind == "skipped"]
    assert WORDS.event(event.to_wire(), language) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Saved at the keep (clearing 1): a Marquise warrior."),
        ("cs", "Zachráněno u pevnosti (mýtina 1): bojovník Markýzy."),
    ],
)
def test_one_warrior_is_saved_in_the_singular(language, text):
    event = {"kind": "moved", "because": "ROOT-MARQ-5", "what": {CATS: 1}, "source": ["seats", CAT, "supply"],
             "target": ["map", "1"]}  # fmt: skip
    assert WORDS.event(event, language) == text


@pytest.mark.parametrize("rule", BOOK.rules.values(), ids=lambda rule: rule.id)
def test_a_clause_is_complete(rule):
    assert all(
        rule.text[language].strip().endswith(".") or rule.text[language].endswith("!")
        for language in LANGUAGES
    )
    assert rule.text["en"] != rule.text["cs"]
    assert rule.nature in ("limit", "procedure", "component", "ruling")


def test_kinds_events_and_components_have_names():
    assert set(RULES.kinds) <= set(WORDS.section("actions"))
    for kind in RULES.kinds:
        assert all(WORDS.action(kind, language) for language in LANGUAGES)
    assert all(set(item["name"]) == {"en", "cs"} for items in RULES.components.values() for item in items)


def test_every_figure_says_how_certain_it_is():
    levels = {"rulebook", "cross-checked", "inferred", "assumed"}
    for items in RULES.components.values():
        for item in items:
            marks = item["certainty"] if isinstance(item["certainty"], dict) else {"*": item["certainty"]}
            assert set(marks.values()) <= levels


# -- the Cult and the Riverfolk -----------------------------------------------------------------------------------


def refusal_told(found, clause, language):
    """The text of the refusal by this clause."""
    return WORDS.message(found[clause], BOOK, language)


def moves_told(g, clause, language):
    """The texts of what moved by this clause in the last action."""
    return [WORDS.event(e.to_wire(), language) for e in g.events if (e.kind, e.because) == ("moved", clause)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The Outcast is rabbit; clearing 8 is of another suit."),
        ("cs", "Odpadlík je zajíc; mýtina 8 má jiný symbol."),
    ],
)
def test_the_suit_that_a_refused_conspiracy_names_is_the_outcasts(language, text):
    g = cult_table({"8": {LIZARDS: 1, CATS: 1}}, **RABBITS_LEAD, acolytes=2)
    found = g.refused(NEWT, "convert", clearing="8", player=CAT)
    assert refusal_told(found, "ROOT-CULT-10", language) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "newt discards Anvil, a random card."), ("cs", "newt odhazuje náhodnou kartu: Kovadlina.")],
)
def test_nobody_takes_the_card_that_fear_discards(language, text):
    g = cult_table({"8": {CATS: 3, FG: 1}}, "daylight", turn=CAT, hand=["anvil"]).fight(CAT, NEWT, "8", 0, 0)
    assert told(g, "chance", "random-card", language) == {text}


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        (
            "en",
            "Revenge: removed from clearing 8 and now among the acolytes: a Cult warrior.",
            "Revenge: removed from clearing 8 and now among the acolytes: 2 Cult warriors.",
        ),
        (
            "cs",
            "Pomsta: odstraněno (mýtina 8) a nyní mezi kultisty: bojovník Kultu.",
            "Pomsta: odstraněno (mýtina 8) a nyní mezi kultisty: 2 bojovníci Kultu.",
        ),
    ],
)
def test_revenge_is_told_of_one_and_of_several(language, one, two):
    for n, text in ((1, one), (2, two)):
        g = cult_table({"8": {CATS: 3, LIZARDS: n}}, "daylight", turn=CAT).fight(CAT, NEWT, "8", 2, 0)
        assert moves_told(g, "ROOT-BATTLE-17", language) == [text]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "newt returns to the supply, from the acolytes: a Cult warrior."),
        ("cs", "newt vrací z kultistů do zásoby: bojovník Kultu."),
    ],
)
def test_a_single_acolyte_returns_to_the_supply(language, text):
    g = cult_table({"5": {LIZARDS: 1, CATS: 1}}, outcast="rabbit", acolytes=1)
    g.play(NEWT, "convert", clearing="5", player=CAT)
    assert text in moves_told(g, "ROOT-CULT-13", language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "It takes 2 funds of cat, who rules clearing 8; there is 1."),
        ("cs", "Mýtinu ovládá cat (mýtina 8), jeho zdrojů je třeba 2; k dispozici: 1."),
    ],
)
def test_whose_funds_a_trade_post_takes(language, text):
    found = river({"8": {CATS: 2}}, funds={CATS: 1}).refused(OTTER, "establish", clearing="8")
    assert refusal_told(found, "ROOT-RIVER-37", language) == text


@pytest.mark.parametrize("price", [0, 5])
@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Each service costs from 1 to 4."), ("cs", "Každá služba stojí od 1 do 4.")],
)
def test_a_price_out_of_range_is_told_the_range(language, text, price):
    prices = {"hand-card": 1, "riverboats": 2, "mercenaries": price}
    found = river({}, at="evening").refused(OTTER, "set-prices", prices=prices)
    assert refusal_told(found, "ROOT-RIVER-40", language) == text
    found = to_set_up().refused("cat", "setup-riverfolk", warriors={"5": 4}, prices=prices)
    assert refusal_told(found, "ROOT-SETUP-14", language) == text


@pytest.mark.parametrize("warriors", [{"5": 3}, {"5": 5}, {"3": 4}])
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "4 warriors are placed in clearings on the river."),
        ("cs", "Na mýtiny s řekou se umisťují bojovníci, jejich počet je 4."),
    ],
)
def test_how_many_warriors_begin_on_the_river(language, text, warriors):
    found = to_set_up().refused("cat", "setup-riverfolk", warriors=warriors, prices=PRICES)
    assert refusal_told(found, "ROOT-SETUP-14", language) == text


def test_one_is_told_as_one():
    g = game({CAT: {"hand": ["sword-mouse"]}}, {"1": {"workshop": 1}, "5": {"workshop": 1}})
    found = g.refused(CAT, "craft", card="sword-mouse", pieces={"fox": 1, "rabbit": 1})
    assert refusal_told(found, "ROOT-CRAFT-1", "en") == "Sword (card) takes 2 fox; 1 is given."
    assert RULES.words.voice("en").problem(say("{n} warriors on {most} spaces", n=1, most=0)) == (
        "1 warrior on 0 spaces."
    )
