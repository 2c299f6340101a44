"""The finished games that are kept, by game and ruleset version: `python -m tests.records [GAME]` writes them anew.

Those of the table below play themselves. The others were played by hand or found by searching: of them only what the
rules decide (the digest, the odds) is worked out anew. A released version keeps the games that it has: what they lead
to may not change any more, so this is for versions that are still in the making.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from service import recording
from service.engine.registry import Registry
from service.games import REGISTRY

GAMES = Path(__file__).parent / "games"
LEAST = 6  # finished games that each game keeps
LARGEST = 100_000  # bytes


class Played(NamedTuple):
    """A game that plays itself: its seats, its seed, how it is played, and the wishes of its set-up."""

    seats: str
    seed: str = "1"
    players: str = "prudent"
    wishes: str = ""


PLAYED: dict[str, dict[str, Played]] = {
    "zavandor": {
        "two": Played("ann bob"),
        "three": Played("ann bob cyd", "2"),
        "four": Played("ann bob cyd dan", "3"),
        "five": Played("ann bob cyd dan eve", "4"),
        "six": Played("ann bob cyd dan eve fay", "5"),
        "two-at-random": Played("ann bob", "6", "random"),
        "three-by-the-other-rulings": Played(
            "ann bob cyd",
            "7",
            wishes="mirror_cloak_hits_owner=true gem_sold_in_payment_frees_its_place=false ann.character=elf",
        ),
    },
    "simurgh": {
        "spearman-two": Played("ann bob"),
        "spearman-three": Played("ann bob cyd", "2"),
        "spearman-four-short": Played("ann bob cyd dan", "3", wishes="length=short"),
        "spearman-two-at-random": Played("ann bob", "4", "random"),
        "dragonlord-two": Played("ann bob", "5", wishes="variant=dragonlord"),
        "dragonlord-three-at-random": Played("ann bob cyd", "6", "random", "variant=dragonlord length=short"),
        "dragonlord-five-long": Played("ann bob cyd dan eve", "7", wishes="variant=dragonlord length=long"),
    },
    "root": {
        "base-two": Played("ann bob", wishes="ann.faction=marquise bob.faction=eyrie"),
        "base-four": Played(
            "ann bob cyd dan",
            "2",
            wishes="ann.faction=marquise bob.faction=eyrie cyd.faction=alliance dan.faction=vagabond",
        ),
        "base-three-at-random": Played(
            "ann bob cyd", "3", "random", "ann.faction=eyrie bob.faction=alliance cyd.faction=vagabond"
        ),
        "expansion-two": Played("ann bob", "4", wishes="ann.faction=cult bob.faction=riverfolk"),
        "expansion-four-listed": Played(
            "ann bob cyd dan",
            "5",
            wishes="seating=listed ann.faction=riverfolk bob.faction=cult cyd.faction=marquise dan.faction=vagabond",
        ),
        "expansion-six": Played(
            "ann bob cyd dan eve fay",
            "6",
            wishes="ann.faction=marquise bob.faction=eyrie cyd.faction=alliance dan.faction=vagabond "
            "eve.faction=cult fay.faction=riverfolk",
        ),
        "mechanical-competitive": Played(
            "ann bob cyd",
            "7",
            wishes="ann.faction=mechanical-marquise bob.faction=eyrie cyd.faction=alliance",
        ),
        "mechanical-cooperative": Played(
            "ann bob cyd",
            "8",
            wishes="mode=cooperative ann.faction=mechanical-marquise bob.faction=vagabond cyd.faction=riverfolk",
        ),
        "mechanical-solo": Played(
            "ann bob", "9", wishes="mode=solo campaign=on ann.faction=mechanical-marquise bob.faction=eyrie"
        ),
    },
}


def folder(game: str) -> Path:
    """Where the games of a game are, a folder a version."""
    return GAMES / game / "records"


def kept(game: str) -> list[Path]:
    """The files of all versions."""
    return sorted(folder(game).glob("*/*.json"))


def played(game: str, name: str) -> dict[str, Any]:
    """A game of the table, played now."""
    plan, rules = PLAYED[game][name], REGISTRY.get(game)
    setup = recording.setup_of(rules, plan.seed, plan.seats.split(), plan.wishes.split())
    return recording.played_record(rules, setup, plan.players)


def written(game: str, registry: Registry = REGISTRY) -> Iterator[tuple[Path, str]]:
    """The files of the current version of a game, and what is to stand in them."""
    at = folder(game) / registry.get(game).version
    for name in PLAYED[game]:
        yield at / f"{name}.json", recording.written(played(game, name))
    for path in sorted(at.glob("*.json")):
        if path.stem not in PLAYED[game]:
            record = recording.read(str(path))
            yield path, recording.written(recording.completed(recording.rules_of(record), record))


def main(arguments: list[str]) -> None:
    """Write the games, of one game or of all."""
    for game in arguments or PLAYED:
        for path, text in written(game):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(GAMES)}: {len(text):,} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
