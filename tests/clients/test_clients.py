"""openapi.yaml as others read it: two linters, and two generated clients that each play a whole game."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.games import REGISTRY
from tests.clients.conftest import HERE, ROOT, Run, run

DOCUMENT = ROOT / "openapi.yaml"
ENDS = {"root": "end-phase"}  # how a turn, or part of one, is ended where it is called otherwise


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


def small(document: Any, paths: tuple[str, ...]) -> Any:
    """The document with these paths alone, and the components that they need."""
    kept = {**document, "paths": {path: document["paths"][path] for path in paths}, "components": {}}
    needed = [kept["paths"]]
    while needed:
        for kind, name in re.findall(r'"#/components/(\w+)/([^"]+)"', json.dumps(needed.pop())):
            known = kept["components"].setdefault(kind, {})
            if name not in known:
                known[name] = document["components"][kind][name]
                needed.append(known[name])
    return kept


def test_the_linters_can_find_something(node: Run, tmp_path: Path) -> None:
    """Both would say so if the document were wrong: a part of it that is small, and of which they take long enough."""
    document = yaml.load(DOCUMENT.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    part = small(document, ("/v1/games", "/v1/games/{game}"))
    operations = [path["get"] for path in part["paths"].values()]
    assert [operation["operationId"] for operation in operations] == ["list_games", "get_game"]
    operations[1]["operationId"] = "list_games"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(part), "utf-8")
    for tool in (
        ("spectral", "lint", wrong, "--ruleset", HERE / "spectral.yaml"),
        ("redocly", "lint", wrong, "--config", HERE / "redocly.yaml"),
    ):
        with pytest.raises(AssertionError, match="operation-operationId-unique"):
            node(*tool)


def copied(name: str, folder: Path, game: str) -> Path:
    """A script in a folder, about this game in place of Zavandor."""
    source = HERE / name
    text = source.read_text("utf-8").replace("end-turn", ENDS.get(game, "end-turn"))
    script = folder / f"{source.stem}-{game}{source.suffix}"
    script.write_text(text.replace("zavandor", game).replace("Zavandor", game.title()), "utf-8")
    return script


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory, in_folder: Callable[[Path], Run]) -> tuple[Path, Run]:
    """A folder with the types of the document and a script a game, which compile; and how to run something there."""
    folder = tmp_path_factory.mktemp("typed")
    node = in_folder(folder)
    shutil.copy(HERE / "client.ts", folder)
    options = json.loads((HERE / "tsconfig.json").read_text("utf-8"))["compilerOptions"]
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.ts"]}))
    for rules in REGISTRY:
        copied("play.ts", folder, rules.game)
    node("openapi-typescript", DOCUMENT, "-o", folder / "api.d.ts")
    node("tsc", "--project", folder / "tsconfig.json")
    return folder, node


@pytest.mark.parametrize("game", [rules.game for rules in REGISTRY])
def test_a_typescript_client_plays_a_whole_game(typed: tuple[Path, Run], service: str, game: str) -> None:
    folder, node = typed
    whole_game(node(None, "--disable-warning=ExperimentalWarning", folder / f"play-{game}.ts", service))


def test_the_typescript_types_refuse_what_is_wrong(
    typed: tuple[Path, Run], node: Run, tmp_path: Path
) -> None:
    """The types are worth something: an action without its parameter, and a misspelt kind, do not compile."""
    for name in ("client.ts", "tsconfig.json", "api.d.ts"):
        shutil.copy(typed[0] / name, tmp_path)
    play = (HERE / "play.ts").read_text("utf-8")
    right = '{ kind: "end-turn", actor: "ann" } as Action'
    assert right in play
    for name, wrong in {
        "torn": '{ kind: "end-torn", actor: "ann" }',
        "bid": '{ kind: "bid", actor: "ann" }',
    }.items():
        (tmp_path / f"{name}.ts").write_text(
            play.replace(right, wrong).replace("const wrong =", "const wrong: Action ="), "utf-8"
        )
    with pytest.raises(AssertionError) as refused:
        node("tsc", "--project", tmp_path / "tsconfig.json")
    told = str(refused.value).replace("\\n", "\n")  # a long message may be shown escaped
    assert set(re.findall(r"(\w+)\.ts\(\d+,\d+\): error", told)) == {"torn", "bid"}


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
