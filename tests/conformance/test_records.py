"""Law 6, records: the finished games that are kept by ruleset version are judged again to the same end."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from schemas.record import MOST_DRAWS, MOST_PLIES
from service import recording
from service.games import REGISTRY
from tests import records
from tools import verify_draws

ROOT = Path(__file__).parents[2]
GAMES = [rules.game for rules in REGISTRY]
KEPT = [path for game in GAMES for path in records.kept(game)]
each = pytest.mark.parametrize("path", KEPT, ids=lambda p: f"{p.parts[-4]}-{p.parts[-2]}-{p.stem}")


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@each
def test_a_kept_game_is_judged_again_to_the_same_end(path: Path) -> None:
    record = recording.read(str(path))
    assert (record["game"], record["ruleset"]) == (path.parts[-4], path.parts[-2])
    found = recording.verification(recording.rules_of(record), record)
    assert (found.reason, found.digest) == (None, record["digest"]), found.violations
    assert found.outcome is not None
    drawn = record["setup"]["chance"]["mode"] == "seeded"
    assert found.draws.verdict == ("match" if drawn else "unknown"), found.draws


@each
def test_a_stranger_checks_its_draws(path: Path) -> None:
    """Without anything of ours: another process, isolated, in which nothing but the standard library can be found."""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", ROOT / "tools" / "verify_draws.py", path],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    record = read(path)
    answers = sum(action["actor"] == "chance" for action in record["actions"])
    due = (0, f"match: {answers} draws are what the seed says\n") if "odds" in record else (2, "unknown: ")
    assert (ran.returncode, ran.stderr) == (due[0], "")
    assert ran.stdout.startswith(due[1])


@each
def test_a_kept_game_is_small(path: Path) -> None:
    assert path.stat().st_size < records.LARGEST


@pytest.mark.parametrize("game", GAMES)
def test_every_version_keeps_games_enough(game: str) -> None:
    for version in REGISTRY.versions(game):
        assert len([p for p in records.kept(game) if p.parts[-2] == version]) >= records.LEAST


def test_the_kept_games_show_what_they_are_to_show() -> None:
    setups = {path.stem: read(path)["setup"] for path in KEPT}
    of = {game: {p.stem: setups[p.stem] for p in records.kept(game)} for game in GAMES}
    assert {len(s["seats"]) for s in of["zavandor"].values()} == {2, 3, 4, 5, 6}
    variants = {s.get("options", {}).get("variant", "spearman") for s in of["simurgh"].values()}
    assert variants == {"spearman", "dragonlord"}
    expansion = {"cult", "riverfolk"}
    factions = [{seat["faction"] for seat in s["seats"]} for s in of["root"].values()]
    assert any(f & expansion for f in factions)
    assert any(not f & expansion for f in factions)
    assert set.union(*factions) >= {"marquise", "eyrie", "alliance", "vagabond", *expansion}
    with_the_bot = [
        s for s, f in zip(of["root"].values(), factions, strict=True) if "mechanical-marquise" in f
    ]
    modes = {s.get("options", {}).get("mode", "competitive") for s in with_the_bot}
    assert modes == {"competitive", "cooperative", "solo"}
    assert {"three-clearings", "opposite-corners", "coalition-by-points"} <= of["root"].keys()


@pytest.mark.parametrize("game", GAMES)
def test_what_the_command_plays_is_kept(game: str) -> None:
    at = records.folder(game) / REGISTRY.get(game).version
    assert {path.stem for path in at.glob("*.json")} >= records.PLAYED[game].keys()


@each
def test_a_record_has_room_for_the_draws_of_a_session_that_always_goes_back(path: Path) -> None:
    """Whatever is taken back and done again: of the draws that follow on one action there is room for all."""
    actions = read(path)["actions"]
    first = next(n for n, action in enumerate(actions) if action["actor"] != "chance")
    drawn = [
        len(list(run)) for chance, run in groupby(actions[first:], lambda a: a["actor"] == "chance") if chance
    ]
    assert max(drawn, default=0) <= MOST_DRAWS // MOST_PLIES
    assert (verify_draws.MOST_DRAWS, verify_draws.MOST_PLIES) == (MOST_DRAWS, MOST_PLIES)
