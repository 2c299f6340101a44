"""What is told of Root: options, refusals and clauses, in both languages."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from service.engine.judge import judge
from service.engine.options import options
from service.engine.rule import LANGUAGES
from service.engine.table import Table
from service.games.root.v1 import RULES
from tests.conformance.purity import probes_of
from tests.conformance.subjects import draws_of, spots_of, walk

WORDS, BOOK = RULES.words, RULES.book


@cache
def spots():
    walks = [walk(RULES, seed, policy) for seed in range(3) for policy in ("random", "mixed")]
    return spots_of(walks, 120, random.Random(1))


def slips(text: str) -> list[str]:
    """What no sentence has: holes, doubled spaces, ids with hyphens that were left as they are."""
    faults = [f for f in ("{", "}", "  ", " .", "None") if f in text]
    faults += re.findall(r"\b(?:marquise|eyrie|alliance|riverfolk|hand)-\w+|\b\w+-post\b", text)
    return faults + ([] if text[:1].isupper() or text[:1].isdigit() or text.split()[0].islower() else [text])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_a_sentence(language):
    told = {WORDS.option(o.filled(), o.act.facts(Table(RULES, s.state)), language)
            for s in spots() for o in list(options(Table(RULES, s.state)))[:40]}  # fmt: skip
    assert len(told) > 100
    assert [(text, slips(text)) for text in told if slips(text) or not text.endswith((".", "!"))] == []


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
