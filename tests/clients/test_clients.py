"""openapi.yaml as others read it: two linters, and two generated clients that each play a whole game."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from service.games import REGISTRY
from tests.clients.conftest import HERE, ROOT, Run, run

DOCUMENT = ROOT / "openapi.yaml"
SCRIPTS = ("client.ts", "play.ts", "tsconfig.json")


def whole_game(said: str) -> None:
    """What a client prints of a game that it has played."""
    told: dict[str, Any] = json.loads(said)
    assert {standing["seat"] for standing in told["outcome"]["standings"]} == {"ann", "bob", "cyd"}
    assert set(told["outcome"]["winners"]) <= {"ann", "bob", "cyd"}
    assert told["plies"] > 10
    assert told["texts"] > told["plies"]
    assert told["kinds"] > 10
    assert told["rule"]
    assert told["refused"] == "/state/turn"


def test_spectral_finds_nothing(node: Run) -> None:
    said = node("spectral", "lint", DOCUMENT, "--ruleset", HERE / "spectral.yaml", "--fail-severity=hint")
    assert "No results with a severity of 'hint' or higher found!" in said


def test_redocly_finds_nothing(node: Run) -> None:
    said = node("redocly", "lint", DOCUMENT, "--config", HERE / "redocly.yaml")
    assert "Your API description is valid" in said
    assert "warning" not in said


def test_the_linters_can_find_something(node: Run, tmp_path: Path) -> None:
    """Both would say so if the document were wrong."""
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(
        re.sub(r"operationId: get_game\b", "operationId: list_games", DOCUMENT.read_text("utf-8"))
    )
    for tool in (
        ("spectral", "lint", wrong, "--ruleset", HERE / "spectral.yaml"),
        ("redocly", "lint", wrong, "--config", HERE / "redocly.yaml"),
    ):
        with pytest.raises(AssertionError, match="operation"):
            node(*tool)


def copied(name: str, folder: Path, game: str) -> Path:
    """A script in a folder, about this game in place of Zavandor."""
    text = (HERE / name).read_text("utf-8")
    script = folder / name
    script.write_text(text.replace("zavandor", game).replace("Zavandor", game.title()), "utf-8")
    return script


every_game = pytest.mark.parametrize("game", [rules.game for rules in REGISTRY])


@every_game
def test_a_typescript_client_plays_a_whole_game(node: Run, tmp_path: Path, service: str, game: str) -> None:
    for name in SCRIPTS:
        copied(name, tmp_path, game)
    node("openapi-typescript", DOCUMENT, "-o", tmp_path / "api.d.ts")
    node("tsc", "--project", tmp_path / "tsconfig.json")
    whole_game(node(None, "--disable-warning=ExperimentalWarning", tmp_path / "play.ts", service))


def test_the_typescript_types_refuse_what_is_wrong(node: Run, tmp_path: Path) -> None:
    """The types are worth something: an action without its parameter, and a misspelt kind, do not compile."""
    for name in SCRIPTS:
        shutil.copy(HERE / name, tmp_path)
    node("openapi-typescript", DOCUMENT, "-o", tmp_path / "api.d.ts")
    play = (tmp_path / "play.ts").read_text("utf-8")
    right = '{ kind: "end-turn", actor: "ann" } as Action'
    for wrong in ('{ kind: "end-torn", actor: "ann" }', '{ kind: "bid", actor: "ann" }'):
        (tmp_path / "play.ts").write_text(
            play.replace(right, wrong).replace("const wrong =", "const wrong: Action =")
        )
        with pytest.raises(AssertionError, match=r"play\.ts"):
            node("tsc", "--project", tmp_path / "tsconfig.json")


def test_a_python_client_plays_a_whole_game_of_each(tmp_path: Path, service: str) -> None:
    generator = Path(sys.executable).with_name("openapi-python-client")
    made = tmp_path / "arbitr_client"
    said = run(
        generator, "generate", "--path", DOCUMENT, "--output-path", made, "--meta", "none", cwd=tmp_path
    )
    assert "warning" not in said.lower()
    for rules in REGISTRY:
        script = copied("play.py", tmp_path, rules.game)
        whole_game(run(sys.executable, script, service, cwd=tmp_path, PYTHONPATH=str(tmp_path)))


def test_the_npm_lock_has_digests_and_no_addresses() -> None:
    text = (HERE / "package-lock.json").read_text("utf-8")
    assert "://" not in text
    lock = json.loads(text)
    for name, package in lock["packages"].items():
        assert "resolved" not in package, name
        assert not name or package["integrity"].startswith("sha512-"), name
    wanted = json.loads((HERE / "package.json").read_text("utf-8"))["devDependencies"]
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted
