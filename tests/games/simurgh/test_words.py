"""What players read: complete in both languages, whole sentences, names and not ids."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.engine.judge import judge
from service.engine.options import options
from service.engine.rule import LANGUAGES
from service.engine.table import Table
from service.engine.words import fields, variants
from service.games.simurgh.v1.state import Board, Player
from service.http.wire import Teller
from tests.conformance.purity import probes_of
from tests.conformance.subjects import draws_of, walk
from tests.games.simurgh.table import RULES

HOME = Path(__file__).parents[3] / "service" / "games" / "simurgh" / "v1"
FILE = tomllib.loads((HOME / "words.toml").read_text(encoding="utf-8"))
WORDS = RULES.words
ALIKE = {"Simurgh"}  # what both languages share


def texts(entry: Any) -> list[tuple[str, str]]:
    return [(text["en"], text["cs"]) for text in variants(entry)]


def every_text() -> list[tuple[str, str, str]]:
    """All texts of the game: where it stands, English, Czech."""
    found = [(f"{kind}: label", entry["en"], entry["cs"]) for kind, entry in FILE["actions"].items()]
    entries = [(f"{kind}: option", entry["option"]) for kind, entry in FILE["actions"].items()]
    for section in ("events", "places", "terms", "scores"):
        entries += [(f"{section}.{name}", entry) for name, entry in FILE[section].items()]
    entries += [(rule.id, rule.message) for rule in RULES.book.rules.values() if rule.message is not None]
    entries += [(rule.id, rule.text) for rule in RULES.book.rules.values()]
    entries += [(f"chapter {name}", entry) for name, entry in RULES.book.chapters.items()]
    entries += [(f"component {id}", name) for id, name in WORDS.names.items()]
    return found + [(where, en, cs) for where, entry in entries for en, cs in texts(entry)]


def test_every_text_is_there_in_both_languages() -> None:
    for where, en, cs in every_text():
        assert en.strip(), where
        assert cs.strip(), where
        assert fields(en) == fields(cs), where
        assert en != cs or fields(en) or en in ALIKE, where


def test_every_action_kind_has_a_label_and_a_text_that_goes_without_further_facts() -> None:
    assert set(FILE["actions"]) == set(RULES.kinds)
    for kind, classes in RULES.kinds.items():
        for cls in classes:
            known = {"kind", "actor", *cls.params}
            entry = FILE["actions"][kind]["option"]
            assert [t for t in variants(entry) if fields(t["en"]) <= known], kind


def test_every_place_of_the_board_and_every_part_of_a_score_has_a_name() -> None:
    places = {f.name for kind in (Board, Player) for f in msgspec.structs.fields(kind)}
    assert places <= set(FILE["places"])
    assert set(FILE["scores"]) == {"track", "objectives", "resources"}


IDS = {*WORDS.names, *RULES.kinds}
HYPHENED = [i for i in IDS if "-" in i]


def slips(text: str, language: str) -> list[str]:
    """What no player would say: ids that have a name, braces, missing facts."""
    found = [i for i in HYPHENED if re.search(rf"(?<![\w-]){re.escape(i)}(?![\w-])", text)]
    if language == "cs":
        english = (
            "vegetable",
            "meat",
            "wood",
            "stone",
            "wisdom",
            "weapon",
            "spearman",
            "dragonrider",
            "pp",
            "marker",
        )
        found += [i for i in english if re.search(rf"\b{i}\b", text)]
    signs = ("{", "}", "None", "True", "False", "|", "→", "  ", " .", " ,", ": .", "()")
    found += [sign for sign in signs if sign in text]
    return found + ([] if text[-1:] in ".!" else ["no end"])


GAMES = [(players, seed) for players, seed in (("prudent", 2), ("random", 1), ("mixed", 5))]


def told(players: str, seed: int, language: str) -> Iterator[str]:
    """Everything that is said in a game: events as everyone and as spectators see them, options, refusals."""
    game = walk(RULES, seed, players)
    for i, ply in enumerate(game.plies):
        teller = Teller(RULES, language, ply.state.seats)
        yield from [teller.event(e)["text"] for e in ply.judgement.events]
        hidden = [e.seen_by(None) for e in ply.judgement.events]
        yield from [teller.voice.event(e) for e in hidden if e is not None]
        if i % 20 == 0:
            yield from options_and_refusals(teller, ply.state, game.plies[i - 1].action)


def options_and_refusals(teller: Teller, state: Any, before: Any) -> Iterator[str]:
    acts = [before, *probes_of(RULES, state, random.Random(1), 20)]
    for option in options(Table(RULES, state)):
        yield teller.option(option)["text"]
        yield teller.voice.option(option.filled(), option.act.facts(option.act.table))
        yield teller.voice.option(option.filled(), {})
    for act in acts:
        yield from [teller.violation(v)["message"] for v in judge(RULES, state, act, draws_of(1)).violations]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("players", "seed"), GAMES)
def test_whole_games_are_told_in_sentences(players: str, seed: int, language: str) -> None:
    texts = set(told(players, seed, language))
    assert not {(slip, text) for text in texts for slip in slips(text, language)}
    seats = {seat.id for seat in walk(RULES, seed, players).plies[0].state.seats}
    assert [text for text in texts if text[:1].islower() and text.split()[0] not in seats] == []
