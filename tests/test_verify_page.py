"""The page about verifying and its test vectors, worked out without anything of ours, hold for what we do."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from schemas import Contract, loaded
from service.engine.flow import hit, possible
from service.engine.state import OPEN, ChanceState, Outcome, told_id
from service.games import REGISTRY
from service.http.states import wish
from service.http.verifications import said
from service.sessions import ledger, odds, referee
from service.sessions.fairness import Fairness, commitment, draw, promise
from service.sessions.replay import digest
from service.sessions.verifying import ASTRAY, ILLEGAL, LOG, NUMBER, ODDS, PROMISE, UNFINISHED, VALUE
from tests.pages import DOCS, page
from tools import verify_draws

PAGE = page("verify.md")
ROOT = DOCS.parent


def vectors(name: str) -> list[Any]:
    found: list[Any] = json.loads((DOCS / "vectors" / f"{name}.json").read_text(encoding="utf-8"))
    assert found
    return found


def pairs(listed: list[list[Any]]) -> dict[Any, int]:
    return dict(map(tuple, listed))


@pytest.mark.parametrize("vector", vectors("promises"), ids=lambda v: v["name"])
def test_promises(vector: Any) -> None:
    fairness = Fairness(lambda: bytes.fromhex(vector.get("server_key", "00" * 32)))
    chance = ChanceState(key_id=vector["key_id"], commitment=vector["commitment"])
    assert fairness.seed(vector["game_id"], chance).hex() == vector["seed"]
    assert commitment(bytes.fromhex(vector["seed"])) == vector["commitment"]
    assert promise(chance) == vector["promise"]
    assert vector["key_id"] in (OPEN, fairness.key_id)
    told = {**vector, "client_seed": ""}
    assert verify_draws.kept_seed(told, vector["promise"]).hex() == vector["seed"]


@pytest.mark.parametrize("vector", vectors("draws"))
def test_draws(vector: Any) -> None:
    seed, total, number = bytes.fromhex(vector["seed"]), int(vector["total"]), int(vector["number"])
    chance = ChanceState(client_seed=vector["client_seed"], next_draw=vector["draw"])
    assert draw(seed, chance, total) == number
    key = seed + vector["client_seed"].encode()
    assert verify_draws.number_below(key, vector["draw"], total) == number


def test_among_the_draws_are_some_that_were_drawn_again() -> None:
    assert {1, 2, 3} <= {vector["attempts"] for vector in vectors("draws")}


@pytest.mark.parametrize("vector", vectors("values"))
def test_values(vector: Any) -> None:
    found = pairs(vector["odds"])
    assert list(possible(dict(reversed(found.items()))).items()) == [tuple(p) for p in vector["odds"]]
    came = hit(possible(found), vector["number"])
    assert (came, type(came)) == (vector["value"], type(vector["value"]))


@pytest.mark.parametrize("vector", vectors("odds"))
def test_odds(vector: Any) -> None:
    expected = [pairs(listed) for listed in vector["odds"]]
    assert odds.told(vector["entries"]) == expected
    assert verify_draws.told_odds(vector["entries"]) == expected


@pytest.mark.parametrize("vector", vectors("logs"))
def test_logs(vector: Any) -> None:
    log = {e["version"]: ledger.Entry(e["kind"], to=e.get("to", 0)) for e in vector["log"]}
    played = [a for v in (1, *ledger.line(log, len(log))) for a in vector["log"][v - 1]["actions"]]
    assert played == vector["actions"]
    assert verify_draws.standing(vector["log"]) == vector["actions"]


@pytest.mark.parametrize("vector", vectors("digests"))
def test_digests(vector: Any) -> None:
    class Reached(msgspec.Struct):
        table: Any
        stack: list[Any]
        outcome: Outcome | None
        game: str = ""
        turn: int = 0

    reached: Any = msgspec.convert(vector["state"], Reached)
    assert digest(reached) == vector["digest"]
    decided = {name: vector["state"][name] for name in ("table", "stack", "outcome")}
    canonical = json.dumps(decided, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical == vector["canonical"]


def test_what_the_page_has_run_says_what_it_says() -> None:
    (command,) = [line for line in PAGE.splitlines() if line.startswith("python3 ")]
    ran = subprocess.run(
        [sys.executable, *command.split()[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert ran.stdout.startswith("match: ")


def test_the_page_names_every_reason_in_both_languages() -> None:
    for reason in (PROMISE, NUMBER, VALUE, ODDS, LOG, ILLEGAL, ASTRAY, UNFINISHED):
        assert f"`{reason}`" in PAGE
        texts = {said(reason, spoken, at=3) for spoken in ("en", "cs")}
        assert len(texts) == 2
        assert not any("{" in text for text in texts)


def test_what_it_links_to_is_there() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (DOCS / link).exists() or link == "seals.md", link


def test_the_program_needs_nothing_but_the_standard_library() -> None:
    text = (ROOT / "tools" / "verify_draws.py").read_text(encoding="utf-8")
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", text, re.MULTILINE))
    assert imported <= sys.stdlib_module_names
    assert len(text.splitlines()) < 680


def write(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["", "[", "[]", "1", "{}", '{"actions": 1}', '{"chance": 7}', "[" * 100_000])
def test_what_is_no_record_is_told_so(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify_draws.main([str(write(tmp_path / "record.json", text))]) == verify_draws.UNKNOWN
    assert capsys.readouterr().out.startswith("unknown: ")


def test_a_file_that_is_not_there_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify_draws.main([str(tmp_path / "none.json")]) == verify_draws.UNKNOWN
    assert "No such file" in capsys.readouterr().out


@pytest.mark.parametrize("vector", vectors("setups"), ids=lambda v: v["name"])
def test_the_id_and_the_seed_of_an_open_game_come_from_its_set_up(vector: Any) -> None:
    game, _, version = vector["ruleset"].partition(" ")
    rules = REGISTRY.get(game, version)
    asked = loaded(Contract(rules).loaders["setup"], vector["setup"])
    state = referee.set_up(rules, wish(rules, asked), Fairness(lambda: b"")).state
    assert state is not None
    canonical = b"arbitr set-up\n" + vector["canonical"].encode()
    assert state.game_id == vector["game_id"] == hashlib.sha256(canonical).hexdigest()[:32]
    told = hashlib.sha256(b"arbitr told id\n" + vector["game_id"].encode()).hexdigest()[:32]
    assert told_id(state) == vector["told_game_id"] == told
    seed = hashlib.sha256(b"arbitr open game\n" + vector["game_id"].encode())
    assert seed.hexdigest() == vector["seed"]
    assert state.chance.commitment == hashlib.sha256(seed.digest()).hexdigest()
    assert verify_draws.open_id(vector["ruleset"], vector["setup"]) == vector["game_id"]


def test_the_program_knows_what_a_set_up_leaves_out_of_every_game() -> None:
    defaults = {r.name: {name: o.default for name, o in r.options.items()} for r in REGISTRY}
    assert defaults == verify_draws.OPTIONS
