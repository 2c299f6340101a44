"""`python -m service.http.openapi` writes openapi.yaml and the schema of records; with `--check` it fails where one is
behind."""

import difflib
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml
from flask import Flask
from flask.cli import ScriptInfo
from flask.testing import FlaskClient

from service.http import record_schema, session_examples
from service.http.metrics import INSIDE
from service.http.session_examples import AT as KEPT

LONG = "/components"  # the data of a whole game
SEAL = f"1.{'0' * 16}.0.{'0' * 64}"
FILE = Path(__file__).parents[2] / "openapi.yaml"


def document_of(app: Flask) -> dict[str, Any]:
    """The OpenAPI document of an app."""
    spec: dict[str, Any] = app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()
    document = {"openapi": spec.pop("openapi"), **deepcopy(spec)}
    _add_answers(app, document)
    return document


def _add_answers(app: Flask, document: dict[str, Any]) -> None:
    """Send every example, and show what is answered to it."""
    client = app.test_client()
    client.environ_base[INSIDE] = "yes"
    for path, methods in document["paths"].items():
        if "post" in methods and not path.startswith(KEPT):
            _answer(client, path, methods["post"])
    for made in session_examples.answers(app):
        answer = document["paths"][made.path][made.method]["responses"][str(made.status)]
        if "content" in answer:
            shown = next(iter(answer["content"].values()))
            shown.setdefault("examples", {})[made.name] = {"value": made.value}


def _answer(client: FlaskClient, path: str, operation: dict[str, Any]) -> None:
    for name, example in operation["requestBody"]["content"]["application/json"]["examples"].items():
        answer = client.post(path.replace("{game}", name.partition(":")[0]), json=example["value"])
        shown = operation["responses"][str(answer.status_code)]["content"]["application/json"]
        if "fair" not in name and not path.endswith(LONG):  # such a game is another one every time
            shown.setdefault("examples", {})[name] = {"value": unsealed(answer.json)}


def unsealed(answer: Any) -> Any:
    """An answer with a placeholder for every seal, which is another one with every server key."""
    if isinstance(answer, dict):
        return {k: SEAL if k == "seal" else unsealed(v) for k, v in answer.items()}
    return [unsealed(entry) for entry in answer] if isinstance(answer, list) else answer


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:
        return True


def text_of(app: Flask) -> str:
    """The OpenAPI document of an app, as YAML."""
    return _yaml(document_of(app))


def _yaml(document: dict[str, Any]) -> str:
    style: dict[str, Any] = {
        "sort_keys": False,
        "allow_unicode": True,
        "width": 110,
        "default_flow_style": None,
    }
    text: str = yaml.dump(document, Dumper=_Dumper, **style)
    return text


def main(arguments: list[str]) -> int:
    """Write the files or check them."""
    document = document_of(ScriptInfo(app_import_path="service.app:create_app").load_app())
    texts = {FILE: _yaml(document), record_schema.FILE: record_schema.text_of(document)}
    if arguments != ["--check"]:
        for file, text in texts.items():
            file.write_text(text, encoding="utf-8")
        return 0
    behind = {file.name: lines for file, text in texts.items() if (lines := _behind(file, text))}
    for name, lines in behind.items():
        print("\n".join(lines[:200]), f"{name} is behind: run `make openapi`", sep="\n", file=sys.stderr)
    return 1 if behind else 0


def _behind(file: Path, text: str) -> list[str]:
    """In what a file differs from what should stand in it."""
    written = file.read_text(encoding="utf-8") if file.exists() else ""
    compared = difflib.unified_diff(written.splitlines(), text.splitlines(), file.name, "routes", lineterm="")
    return list(compared)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
