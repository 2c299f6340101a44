"""Errors: one shape, in two languages, each with a page; and the id of every request."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from schemas.problem import ProblemDetailsSchema
from service.http import games
from service.http.problems import table
from tests.http.conftest import TOY, begin, encoded, post, problem


def test_an_unknown_path_is_404(client: FlaskClient) -> None:
    for path in (
        "/",
        "/v1",
        "/v1/games/",
        "/v2/games",
        f"{TOY}/rules/",
        f"{TOY}/records",
        "/v1/session",
    ):
        problem(client.get(path), 404, "not-found")


def test_the_instance_is_a_uri(client: FlaskClient) -> None:
    assert client.get("/v1/games/%0Až%3F").json["instance"] == "/v1/games/%0A%C5%BE%3F"


def test_what_is_no_call_is_404(client: FlaskClient) -> None:
    problem(post(client, f"{TOY}/records", b"{}"), 404, "not-found")


def test_a_wrong_method_is_405_and_says_what_is_possible(client: FlaskClient) -> None:
    answer = client.delete(TOY)
    problem(answer, 405, "method-not-allowed")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert client.get(f"{TOY}/adjudications").headers["Allow"] == "OPTIONS, POST"


def test_head_and_options_are_answered(client: FlaskClient) -> None:
    assert client.head("/v1/games").status_code == 200
    assert client.options(f"{TOY}/adjudications").status_code == 200


def test_a_fault_of_ours_tells_nothing_and_has_an_id(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*given: Any) -> Any:
        raise ValueError("a secret")

    monkeypatch.setattr(games.catalogue, "game", broken)
    answer = client.get("/v1/games", headers={"X-Request-Id": "r-1"})
    problem(answer, 500, "internal-error")
    assert "secret" not in answer.text
    assert answer.headers["X-Request-Id"] == "r-1"
    assert "a secret" in caplog.text


def test_rules_that_break_down_on_a_foreign_state_blame_the_state(
    client: FlaskClient,
    state: Any,
    toys: Flask,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    rules = toys.extensions["arbitr"].registry.get("toy")
    monkeypatch.setattr(rules, "watches", [(lambda t: 1 / 0, None)])
    action = {"kind": "end-turn", "actor": "ann"}
    answer = client.post(f"{TOY}/adjudications", json={"state": state, "action": action})
    problem(answer, 422, "unplayable-state")
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("name", sorted(table()))
def test_every_error_has_a_page_in_both_languages(client: FlaskClient, name: str) -> None:
    entry = table()[name]
    for language in ("en", "cs"):
        page = client.get(f"/docs/problems/{name}", headers={"Accept-Language": language})
        assert (page.status_code, page.mimetype) == (200, "text/html")
        assert f'lang="{language}"' in page.text
        assert entry["title"][language].replace("'", "&#39;") in page.text
        assert all(set(entry[part]) == {"en", "cs"} for part in ("title", "detail", "about"))


def test_the_pages_are_listed(client: FlaskClient) -> None:
    page = client.get("/docs/problems/")
    assert all(f"/docs/problems/{name}" in page.text for name in table())


def test_an_unknown_error_has_no_page(client: FlaskClient) -> None:
    problem(client.get("/docs/problems/nope"), 404, "unknown-problem")


def test_problem_documents_fit_their_schema(client: FlaskClient) -> None:
    for answer in (
        client.get("/nope"),
        post(client, f"{TOY}/views", b"{}"),
        post(client, f"{TOY}/views", b""),
    ):
        assert ProblemDetailsSchema().validate(answer.json) == {}


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        ("cs", "cs"),
        ("cs-CZ", "cs"),
        ("cs-CZ,cs;q=0.9,en;q=0.8", "cs"),
        ("en;q=0.5, cs;q=0.9", "cs"),
        ("en, cs", "en"),
        ("de, cs;q=0.1", "cs"),
        ("de", "en"),
        ("*", "en"),
        ("cs;q=0", "en"),
        ("en-GB", "en"),
        ("en-GB, cs;q=0.9", "en"),
        ("cs-CZ;q=0.2, en-GB;q=0.1", "cs"),
        ("CS", "cs"),
        ("cs, en-GB", "cs"),
        ("cs;q=0.5, en;q=0.8, de", "en"),
        ("de, *;q=0.1, en;q=0", "cs"),
        ("cs;q=0, *", "en"),
        ("cs;q=2", "en"),
        ("cs;q=x, ,;;q", "en"),
        ("a" * 5000, "en"),
        ("nonsense;;q", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_the_one_that_is_wanted_most(client: FlaskClient, accepted: str, spoken: str) -> None:
    for path in ("/v1/games", "/nope"):
        answer = client.get(path, headers={"Accept-Language": accepted})
        assert answer.headers["Content-Language"] == spoken
        assert "Accept-Language" in answer.headers["Vary"]


def test_errors_are_told_in_czech(client: FlaskClient) -> None:
    answer = post(client, f"{TOY}/views", b'{"hat": 1}', Accept_Language="cs")
    assert problem(answer, 400, "off-schema")["title"] == "Tělo neodpovídá schématu"
    assert {e["message"] for e in answer.json["errors"]} == {"Takové pole tu není.", "Toto pole je povinné."}


@pytest.mark.parametrize(
    ("n", "english", "czech"),
    [
        (1, "There is 1 fault; see errors.", "Je v něm 1 chyba; viz errors."),
        (2, "There are 2 faults; see errors.", "Jsou v něm 2 chyby; viz errors."),
        (4, "There are 4 faults; see errors.", "Jsou v něm 4 chyby; viz errors."),
        (5, "There are 5 faults; see errors.", "Je v něm 5 chyb; viz errors."),
        (22, "There are 22 faults; see errors.", "Je v něm 22 chyb; viz errors."),
    ],
)
def test_a_number_of_faults_is_told_in_its_plural_form(
    client: FlaskClient, n: int, english: str, czech: str
) -> None:
    sent = encoded({"state": {}, "seat": None} | {f"k{i}": 1 for i in range(n)})
    sent = sent.replace(b'"state":{}', b'"state":' + encoded(begin(client)["state"]))
    for language, told in (("en", english), ("cs", czech)):
        answer = post(client, f"{TOY}/views", sent, Accept_Language=language)
        assert problem(answer, 400, "off-schema")["detail"] == told


@pytest.mark.parametrize("name", ["abc", "A-1_2.3:4", "x" * 100])
def test_a_sane_request_id_comes_back(client: FlaskClient, name: str) -> None:
    assert client.get("/v1/games", headers={"X-Request-Id": name}).headers["X-Request-Id"] == name


@pytest.mark.parametrize("name", ["", "x" * 101, "a b", "<script>", "ž"])
def test_another_request_id_is_made_anew(client: FlaskClient, name: str) -> None:
    made = client.get("/v1/games", headers={"X-Request-Id": name}).headers["X-Request-Id"]
    assert made != name
    assert len(made) == 32
