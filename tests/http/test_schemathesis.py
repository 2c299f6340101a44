"""schemathesis over the whole document, in process, with a pinned seed: what the document says is what is answered.

Where JSON Schema cannot say what the contract says, the exceptions stand here by name, each as narrow as can be.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import schemathesis
import yaml
from flask import Flask
from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schemathesis.checks import load_all_checks
from schemathesis.core.errors import InvalidSchema
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)

from service.app import create_app
from service.http import openapi, readiness
from service.sessions.waiting import MOST_WAIT
from service.webhooks.targets import Targets
from tests.http import conftest
from tests.sessions.stores import imitation

SEED = 20_261
EXAMPLES = 15
KEPT = "/v1/sessions/"
RUN = {
    "database": None,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": [Phase.generate],
}

# What fits the document and is refused all the same: it is about how values go together.
NOT_IN_JSON_SCHEMA = {
    "Give either action or actions.",
    "A seal comes with the state that it seals.",
    "Give either of, or like and but.",
    "Give either setup or state.",
    "What a seat is told of a record cannot be judged: the host gets it whole when the game is over.",
    "Given chance takes no seed: who answers it is the client.",
    "Only a bank has an increment.",
    "The name chance is reserved.",
}
# What does not fit the document and is answered all the same: each item of a batch by itself.
BATCH = "/v1/games/{game}/adjudications/batch"
# Nor is a state of another game looked at further by what finds problems: that it is one, is the problem.
PROBLEMS = "/v1/games/{game}/problems"
FOREIGN = {"/game", "/ruleset"}
TAKES_NOTHING = {"/v1/games", "/livez"}  # so no request can break its schema

HOSTS = {"rewind", "invite"}
ENDS = {
    "delete",
    "leave",
    "claim",
    "automate",
}  # nobody who may does what would end it for all other requests


@pytest.fixture(scope="module")
def every_game() -> Flask:
    """With streams, or there would be no tickets."""
    app = create_app(conftest.settings(ARBITR_STREAM_PORT="8001"), store=imitation())
    app.extensions["arbitr"].targets = Targets(resolve=lambda _: ["8.8.8.8"])  # nobody is asked for names
    return app


@pytest.fixture(scope="module")
def schema(every_game: Flask) -> Any:
    load_all_checks()
    return schemathesis.openapi.from_wsgi("/openapi.yaml", every_game)


# The loader in C, where there is one, takes a tenth of the time.
DOCUMENT = yaml.load(
    openapi.FILE.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
)


def labels() -> list[str]:
    paths = DOCUMENT["paths"]
    methods = ("get", "post", "put", "delete")
    return [f"{m.upper()} {p}" for p, ops in paths.items() for m in ops if m in methods]


def cases() -> list[Any]:
    """Every operation in both modes; what takes nothing cannot be asked wrongly."""
    return [
        pytest.param(label, mode, id=f"{label} {mode.name.lower()}")
        for label in labels()
        for mode in GenerationMode
        if not (label.split(" ")[1] in TAKES_NOTHING and mode is GenerationMode.NEGATIVE)
    ]


def refused_for_what_the_schema_cannot_say(answer: Any) -> bool:
    """A 422 (declared), or a 400 for how values go together."""
    problem = answer.json()
    kind = problem["type"].rpartition("/")[2]
    told = {e["message"] for e in problem.get("errors", ())}
    return (
        answer.status_code in (403, 404, 412, 422)
        or kind == "setup-refused"
        or (kind == "off-schema" and told <= NOT_IN_JSON_SCHEMA)
    )


def fits_another_game_alone(operation: Any, case: Any) -> bool:
    """Whether the body is for another game than the address names (or the session plays): the document shows all."""
    content = operation.definition.raw.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    game = (case.path_parameters or {}).get("game", "zavandor")
    own = [o for o in schema.get("anyOf", ()) if o["$ref"].rpartition("/")[2].lower().startswith(game)]
    parts = {"components": DOCUMENT["components"]}
    return bool(own) and not any(Draft202012Validator({**parts, **o}).is_valid(case.body) for o in own)


def answers_whatever_is_wrong(path: str, case: Any, answer: Any) -> bool:
    """A batch, an answer an item; or the problem of a foreign state."""
    if answer.status_code != 200:
        return False
    if path == BATCH:
        return len(answer.json()["judgements"]) == len(case.body["items"])
    return path == PROBLEMS and [p["pointer"] in FOREIGN for p in answer.json()["problems"]] == [True]


@pytest.fixture(autouse=True)
def streaming(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no stream process beside what is asked here, but it is ready all the same."""
    monkeypatch.setattr(readiness, "is_up", lambda *place: True)


@pytest.fixture(scope="module")
def opened(every_game: Flask) -> Any:
    """A session whose actor is known, and has a webhook."""
    setup = {"game": "zavandor", "seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"seed": "an example"}}
    client = every_game.test_client()
    opened: Any = client.post("/v1/sessions", json=setup).json
    token = opened["tokens"]["seats"][opened["decisions"][0]["actor"]]
    headers = {"Authorization": f"Bearer {token}"}
    at = f"{KEPT}{opened['session']['id']}/webhook"
    assert client.put(at, json={"url": "https://player.example.org/"}, headers=headers).status_code == 201
    return opened


def seated(case: Any, path: str, opened: Any) -> None:
    """Let a case about a session be about one that there is, with the token of one who may ask."""
    if not path.startswith(KEPT):
        return
    actor = opened["decisions"][0]["actor"]
    ids = {"session": opened["session"]["id"], "seat": actor}
    case.path_parameters = {name: value for name, value in ids.items() if f"{{{name}}}" in path}
    tokens = {**opened["tokens"], "actor": opened["tokens"]["seats"][actor]}
    taken_away = path.endswith("/webhook") and case.method == "DELETE"
    call = path.rpartition("/")[2] if case.method != "DELETE" else "delete"
    who = "host" if call in HOSTS or taken_away else "spectator" if call in ENDS else "actor"
    if isinstance(waits := (case.query or {}).get("wait"), int) and 0 < waits <= MOST_WAIT:
        case.query["wait"] = 0  # there is nobody to wait for
    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {tokens[who]}"}


@st.composite
def drawable(draw: Any, generated: Any) -> Any:
    """What is generated, but for schemas changed so that the generator itself can draw nothing for them."""
    try:
        return draw(generated)
    except InvalidSchema:
        reject()


def attacked(operation: Any, mode: GenerationMode, opened: Any) -> Counter[int]:
    """Send what is generated; every declared check holds, but for the named exceptions."""
    found: Counter[int] = Counter()

    @seed(SEED)
    @settings(max_examples=EXAMPLES, **RUN)
    @given(case=drawable(operation.as_strategy(generation_mode=mode)))
    def run(case: Any) -> None:
        seated(case, operation.path, opened)
        if "{rule}" in operation.path and mode is GenerationMode.POSITIVE and sum(found.values()) % 2:
            case.path_parameters = {
                "game": "zavandor",
                "rule": "ZAV-GEM-1",
            }  # hardly any text is a clause's id
        answer = case.call(headers={"Accept-Encoding": "identity"})
        excluded = [positive_data_acceptance]
        if operation.path.startswith(KEPT):
            excluded.append(ignored_auth)  # it takes the token for one that was generated
        if answer.status_code == 412 or answers_whatever_is_wrong(operation.path, case, answer):
            excluded.append(negative_data_rejection)
        case.validate_response(answer, excluded_checks=excluded)
        if mode is GenerationMode.POSITIVE and answer.status_code >= 400:
            if fits_another_game_alone(operation, case):
                return
            assert refused_for_what_the_schema_cannot_say(answer), (case.body, answer.json())
        found[answer.status_code] += 1

    run()
    return found


@pytest.mark.parametrize(("label", "mode"), cases())
def test_the_service_does_what_its_document_says(
    schema: Any, opened: Any, label: str, mode: GenerationMode
) -> None:
    method, path = label.split(" ")
    operation = schema[path][method]
    found = attacked(operation, mode, opened)
    kept = {201, 204, 304, 401, 403, 412, 428} if path.startswith("/v1/sessions") else set()
    assert set(found) <= {200, 400, 404, 405, 406, 408, 413, 415, 422} | kept, found
    assert mode is GenerationMode.NEGATIVE or {200, 201} & set(found) or method in ("DELETE", "POST")
