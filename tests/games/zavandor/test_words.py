"""What players read: complete in both languages, whole sentences, names and not ids, plurals right."""

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
from service.games.zavandor.v1.state import Board, Player
from service.http.wire import Teller
from tests.conformance.purity import probes_of
from tests.conformance.subjects import draws_of, walk
from tests.games.zavandor.table import RULES
from tests.games.zavandor.test_games import MOVES, SETS

HOME = Path(__file__).parents[3] / "service" / "games" / "zavandor" / "v1"
FILE = tomllib.loads((HOME / "words.toml").read_text(encoding="utf-8"))
WORDS = RULES.words
ALIKE = {"Elf", "Druid", "Talisman", "bank", "diamant", "diamond"}  # names that both languages share
# Kinds and what is known of every action of the kind; a text may need no more, or there is one that does without.
EVENTS = {
    "moved", "returned", "shuffled", "set", "round-begins", "turn-begins", "auction-won", "curse-strikes", "wins-alone",
    "game-over", "bid", "passed", "declined", "skipped", "unwound", "auction-void", "tie-broken",
}  # fmt: skip


def texts(entry: Any) -> list[tuple[str, str]]:
    """Every text of an entry, in both languages."""
    return [(text["en"], text["cs"]) for text in variants(entry)]


def every_text() -> list[tuple[str, str, str]]:
    """All texts of the game: where it stands, English, Czech."""
    found = [(f"{kind}: label", entry["en"], entry["cs"]) for kind, entry in FILE["actions"].items()]
    entries = [(f"{kind}: option", entry["option"]) for kind, entry in FILE["actions"].items()]
    for section in ("notes", "events", "places", "terms", "scores"):
        entries += [(f"{section}.{name}", entry) for name, entry in FILE[section].items()]
    entries += [(rule.id, rule.message) for rule in RULES.book.rules.values() if rule.message is not None]
    entries += [(rule.id, rule.text) for rule in RULES.book.rules.values()]
    entries += [(f"chapter {name}", entry) for name, entry in RULES.book.chapters.items()]
    entries += [(f"document {name}", entry) for name, entry in RULES.book.documents.items()]
    entries += [(f"component {id}", name) for id, name in WORDS.names.items()]
    return found + [(where, en, cs) for where, entry in entries for en, cs in texts(entry)]


# -- complete ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("where", "en", "cs"), every_text())
def test_every_text_is_there_in_both_languages(where: str, en: str, cs: str) -> None:
    assert en.strip()
    assert cs.strip()
    assert fields(en) == fields(cs) or {"place"} >= fields(en) ^ fields(cs)
    if en == cs and not fields(en):
        assert en in ALIKE or re.fullmatch(r"[\w ]* ?[IVX\d]+", en), where


def test_every_action_kind_has_a_label_and_an_option_text() -> None:
    assert set(FILE["actions"]) == set(RULES.kinds)
    for kind, classes in RULES.kinds.items():
        for cls in classes:
            known = {"kind", "actor", *cls.params}
            plain = [t for t in variants(FILE["actions"][kind]["option"]) if fields(t["en"]) <= known]
            assert plain or kind == "pay", f"{kind} has no text that goes without further facts"


def test_every_event_kind_has_a_text() -> None:
    assert set(FILE["events"]) == EVENTS


def test_every_place_of_the_board_has_a_name() -> None:
    places = {f.name for kind in (Board, Player) for f in msgspec.structs.fields(kind)}
    assert places <= set(FILE["places"])


def test_every_reason_and_every_part_of_a_score_has_a_name() -> None:
    assert {"broken-rule", "not-your-decision", "unknown-value", "yes", "no"} <= set(FILE["terms"])
    assert set(FILE["scores"]) == {"gems", "tracks", "artifacts", "sentinels"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_moves_has_its_own_sentence(language: str) -> None:
    """Every way in which things move in any game (see test_games) is told without arrows."""
    for (source, target), clauses in MOVES.items():
        for because in clauses:
            event = {"kind": "moved", "because": because, "what": {"blue": 1}}
            ends = {"source": path(source, target), "target": path(target, "")}
            ends["target"] = own(target) if source == target else ends["target"]
            assert "→" not in WORDS.event({**event, **ends}, language), (source, target, because)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_set_has_its_own_sentence(language: str) -> None:
    generic = FILE["events"]["set"][-1][language]
    assert fields(generic) == {"place", "value"}
    for name, clauses in SETS.items():
        for because in clauses:
            place = {"order": ["order"], "round": ["round"], "tracks": [*own("tracks"), "fire"]}.get(
                name, own(name)
            )
            told = WORDS.event({"kind": "set", "because": because, "place": place, "value": 2}, language)
            assert told != WORDS.voice(language).fill(generic, {"place": place, "value": 2}), name


def path(name: str, other: str) -> list[str] | None:
    """Where this place is on the board."""
    if name == "bank":
        return None
    if name in ("decks", "discards"):
        return [name, "blue"]
    return [name] if name in ("supply", "deck", "display", other) or name.startswith("gone_") else own(name)


def own(name: str) -> list[str]:
    """A place of a seat."""
    return ["seats", "ann", name]


# -- as players say it -----------------------------------------------------------------------------------------------

IDS = {*WORDS.names, *FILE["terms"], *(kind for kind in RULES.kinds)}
# An id that is a word of its language as well is no slip.
HYPHENED = [i for i in IDS if "-" in i]


def slips(text: str, language: str) -> list[str]:
    """What no player would say: ids that have a name, braces, missing facts."""
    found = [i for i in HYPHENED if re.search(rf"(?<![\w-]){re.escape(i)}(?![\w-])", text)]
    if language == "cs":
        found += [
            i
            for i in (*WORDS.names, "active", "inactive")
            if i not in ("opal", "talisman") and re.search(rf"\b{i}\b", text)
        ]
    found += [
        sign
        for sign in ("{", "}", "None", "True", "False", "|", "→", "  ", " .", " ,", ": .", "()")
        if sign in text
    ]
    return found + ([] if text[-1:] in ".!" else ["no end"])


GAMES = [(players, seed) for players in ("prudent", "random") for seed in range(3)]


def told(players: str, seed: int, language: str) -> Iterator[str]:
    """Everything that is said in a game: events as everyone and as spectators see them, options, notes, refusals."""
    game = walk(RULES, seed, players)
    for i, ply in enumerate(game.plies):
        teller = Teller(RULES, language, ply.state.seats)
        yield from [teller.event(e)["text"] for e in ply.judgement.events]
        yield from [teller.voice.event(e) for e in map(seen, ply.judgement.events) if e is not None]
        if i % 10 == 0:
            yield from options_and_refusals(teller, ply.state, game.plies[i - 1].action)


def seen(event: Any) -> Any:
    """What a spectator sees of an event."""
    return event.seen_by(None)


def options_and_refusals(teller: Teller, state: Any, before: Any) -> Iterator[str]:
    """Every option here, open and filled in; and what is wrong with them for others, and with an earlier action."""
    acts = [before, *probes_of(RULES, state, random.Random(1), 40)]
    for option in options(Table(RULES, state)):
        wire = teller.option(option)
        yield wire["text"]
        yield from [note["text"] for note in wire.get("notes", ())]
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


@pytest.mark.parametrize(
    ("event", "english", "czech"),
    [
        (
            {
                "because": "ZAV-PAY-3",
                "what": {"blue-5": 2},
                "source": own("energy"),
                "target": ["discards", "blue"],
            },
            "ann pays with 2 blue 5s.",
            "ann platí: 2 modré pětky.",
        ),
        (
            {
                "because": "ZAV-LIMIT-3",
                "what": {"blue-5": 1},
                "source": own("energy"),
                "target": ["discards", "blue"],
            },
            "ann discards blue 5.",
            "ann odhazuje modrou pětku.",
        ),
        (
            {"because": "ZAV-PAY-3", "what": {"dust": 15}, "source": own("dust"), "target": None},
            "ann pays 15 dust.",
            "ann platí 15 prachu.",
        ),
        (
            {"because": "ZAV-PAY-3", "what": {"red": 1}, "source": own("concentrated"), "target": None},
            "ann pays with a red concentrated energy card.",
            "ann platí: červená karta koncentrované energie.",
        ),
        (
            {
                "because": "ZAV-INCOME-3",
                "what": {"green": 1},
                "source": ["decks", "green"],
                "target": own("energy"),
            },
            "ann draws a green card.",
            "ann líže zelenou kartu.",
        ),
        (
            {
                "because": "ZAV-ART-MIRROR-2",
                "what": {"opal": 1},
                "source": own("active"),
                "target": ["supply"],
            },
            "ann loses an opal.",
            "ann přichází o opál.",
        ),
    ],
)
def test_what_moves_is_told_by_the_clause_that_moved_it(event: Any, english: str, czech: str) -> None:
    told = [WORDS.event({"kind": "moved", **event}, language) for language in LANGUAGES]
    assert told == [english, czech]
