"""Simurgh 1.0, put together from its chapters."""

from __future__ import annotations

from service.engine.rule import load_rulebook
from service.engine.ruleset import Option, Ruleset
from service.engine.words import load_words
from service.games.simurgh.v1 import (
    components,
    drafts,
    dragons,
    exploration,
    gains,
    hatchery,
    limits,
    markers,
    placing,
    problems,
    prudent,
    removal,
    scouts,
    setup,
    statue,
    tiles,
    turns,
    wayout,
)
from service.games.simurgh.v1.figures import COMPONENTS, HERE, LENGTHS, VARIANTS, Figures
from service.games.simurgh.v1.house import OVERRIDABLE, unsound
from service.games.simurgh.v1.state import Board

CHAPTERS = (
    components, setup, drafts, turns, placing, gains, markers, hatchery, scouts, statue, tiles, exploration, removal,
    limits, dragons, wayout, problems, prudent,
)  # fmt: skip

RULES = Ruleset(
    "simurgh",
    "1.0",
    board=Board,
    book=load_rulebook(HERE / "rulebook.toml"),
    words=load_words(HERE / "words.toml", COMPONENTS),
    components=COMPONENTS,
    figures=Figures,
    house=OVERRIDABLE,
    sound=unsound,
    seats=(2, 5),
    over="SIM-END-5",
    options=(
        Option("variant", "spearman", VARIANTS, "SIM-SETUP-1"),
        Option("length", "medium", LENGTHS, "SIM-SETUP-1"),
    ),
)

for chapter in CHAPTERS:
    chapter.declare(RULES)
RULES.close(HERE, "SIM")
