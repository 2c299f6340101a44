"""The JSON Schema of records: a file, an address, and true of every record there is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from service.games import REGISTRY
from service.http import record_schema
from tests import records
from tests.http.kept import kept_app, opened
from tests.http.test_session_promise import played_out

TEXT = record_schema.FILE.read_text(encoding="utf-8")
GAMES = [rules.game for rules in REGISTRY]


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    found = json.loads(TEXT)
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def test_the_service_tells_the_schema_that_is_kept(real: FlaskClient) -> None:
    answer = real.get("/docs/record.schema.json")
    assert answer.text == TEXT
    assert answer.mimetype == "application/schema+json"


@pytest.mark.parametrize("game", GAMES)
def test_every_kept_record_fits(schema: Draft202012Validator, game: str) -> None:
    for path in records.kept(game):
        assert list(schema.iter_errors(json.loads(path.read_text(encoding="utf-8")))) == [], path


def test_records_of_sessions_fit_whole_and_in_part(schema: Draft202012Validator) -> None:
    kept = opened(kept_app().test_client(), "harbour", seats="ann bob cyd")
    for who in ("ann", "spectator", "host"):
        assert list(schema.iter_errors(kept.get(who, "/record").json)) == []
    whole = played_out(kept)
    assert list(schema.iter_errors(whole)) == []
    assert list(schema.iter_errors(kept.get("bob", "/record").json)) == []


def test_what_is_no_record_does_not_fit(schema: Draft202012Validator) -> None:
    record = json.loads(records.kept(GAMES[0])[0].read_text(encoding="utf-8"))
    wrong: list[Any] = [
        [],
        {name: value for name, value in record.items() if name != "setup"},
        {name: value for name, value in record.items() if name != "actions"},
        {**record, "schema": 2},
        {**record, "more": 1},
        {**record, "actions": [{"kind": "end-turn"}]},
        {**record, "odds": [{"of": [["a"]]}]},
        {**record, "odds": [{"of": [["a", -1]]}]},
        {**record, "chance": {**record["chance"], "seed": 1}},
    ]
    for each in wrong:
        assert list(schema.iter_errors(each)), each
