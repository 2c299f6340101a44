"""The Scepter of Zavandor 1.0, put together from its chapters."""

from __future__ import annotations

from service.engine.rule import load_rulebook
from service.engine.ruleset import Option, Ruleset
from service.engine.words import load_words
from service.games.zavandor.v1 import (
    actions,
    artifacts,
    auctions,
    components,
    free_advances,
    hand_limit,
    knowledge,
    problems,
    prudent,
    rounds,
    setup,
)
from service.games.zavandor.v1.figures import CHARACTERS, COMPONENTS, HERE, Figures
from service.games.zavandor.v1.house import OVERRIDABLE, unsound
from service.games.zavandor.v1.state import Board

CHAPTERS = (
    components, setup, rounds, actions, knowledge, auctions, free_advances, artifacts, hand_limit, problems, prudent,
)  # fmt: skip

RULES = Ruleset(
    "zavandor",
    "1.0",
    board=Board,
    book=load_rulebook(HERE / "rulebook.toml"),
    words=load_words(HERE / "words.toml", COMPONENTS),
    components=COMPONENTS,
    figures=Figures,
    house=OVERRIDABLE,
    sound=unsound,
    seats=(2, 6),
    over="ZAV-END-1",
    ends={"ZAV-CURSE-4": "ZAV-CURSE-4"},
    options=(
        Option("mirror_cloak_hits_owner", False, (False, True), "ZAV-R-18"),
        Option("gem_sold_in_payment_frees_its_place", True, (True, False), "ZAV-PAY-10"),
    ),
    choices={"character": CHARACTERS},
)

for chapter in CHAPTERS:
    chapter.declare(RULES)
RULES.close(HERE, "ZAV")
