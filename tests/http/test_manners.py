"""Manners: answers are packed and kept where that helps, pages of others are let in where they may, headers protect."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import re
from typing import Any

import msgspec
import pytest
from flask import Response
from flask.testing import FlaskClient
from werkzeug.test import run_wsgi_app

from service.http import manners
from service.http.idempotency import KeptAnswer, answered
from tests.http.conftest import TOY, encoded, post, problem, toy_app

GAME = "/v1/games/zavandor"
CATALOGUE = ["/v1/games", GAME, f"{GAME}/rules", f"{GAME}/rules/ZAV-GEM-1", f"{GAME}/components"]
DOCUMENTS = [
    "/openapi.yaml",
    "/docs/",
    "/docs/swagger-ui.css",
    "/docs/problems/",
    "/docs/problems/off-schema",
]
GZIP = {"Accept-Encoding": "gzip"}
END = {"kind": "end-turn", "actor": "ann"}
PAGE = "https://play.example"


# -- packing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", [f"{GAME}/rules", f"{GAME}/components", "/openapi.yaml", "/docs/swagger-ui.css"]
)
@pytest.mark.parametrize("accept", ["gzip", "gzip, deflate, br", "*", "br;q=1, gzip;q=0.1"])
def test_a_large_answer_is_packed_for_whom_takes_it(real: FlaskClient, path: str, accept: str) -> None:
    plain, packed = real.get(path), real.get(path, headers={"Accept-Encoding": accept})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert gzip.decompress(packed.data) == plain.data
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]


@pytest.mark.parametrize("accept", ["", "br", "gzip;q=0", "identity", "*;q=0"])
def test_it_is_not_packed_for_whom_does_not(real: FlaskClient, accept: str) -> None:
    answer = real.get(f"{GAME}/rules", headers={"Accept-Encoding": accept})
    assert "Content-Encoding" not in answer.headers


def test_a_small_answer_is_never_packed(client: FlaskClient) -> None:
    for path in ("/livez", "/nope", f"{TOY}/rules/TOY-1"):
        assert "Content-Encoding" not in client.get(path, headers=GZIP).headers


def test_judgements_and_large_problems_are_packed_too(client: FlaskClient, state: Any) -> None:
    for body, status in (({"state": state, "action": END}, 200), ({"state": {}, "x" * 2000: 1}, 400)):
        plain = client.post(f"{TOY}/adjudications", json=body)
        packed = client.post(f"{TOY}/adjudications", json=body, headers=GZIP)
        assert plain.status_code == packed.status_code == status
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data


# -- keeping ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CATALOGUE + DOCUMENTS)
@pytest.mark.parametrize("packed", [False, True])
def test_what_changes_only_with_a_release_may_be_kept(real: FlaskClient, path: str, packed: bool) -> None:
    headers = GZIP if packed else {}
    first = real.get(path, headers=headers)
    tag = first.headers["ETag"]
    assert re.fullmatch(r'"[0-9a-f]{32}"', tag), "a strong one"
    assert {"public", "max-age=300"} == set(first.headers["Cache-Control"].split(", "))
    for matching in (tag, f'"x", {tag}', "*", f"W/{tag}"):
        with real.get(path, headers={**headers, "If-None-Match": matching}) as again:
            assert (again.status_code, again.data) == (304, b"")
            assert again.headers["ETag"] == tag or matching == "*"
    assert real.get(path, headers={**headers, "If-None-Match": '"x"'}).status_code == 200
    head = real.head(path, headers=headers)
    assert (head.status_code, head.headers["ETag"], head.data) == (200, tag, b"")


def test_every_language_and_packing_has_its_own_tag(real: FlaskClient) -> None:
    given = [
        {"Accept-Language": lang, "Accept-Encoding": e} for lang in ("en", "cs") for e in ("gzip", "identity")
    ]
    assert len({real.get(f"{GAME}/rules", headers=h).headers["ETag"] for h in given}) == 4
    for name in ("Accept-Language", "Accept-Encoding"):
        assert name in real.get(f"{GAME}/rules").headers["Vary"]


def test_nothing_else_is_kept(client: FlaskClient, state: Any) -> None:
    for answer in (
        client.get("/livez"),
        client.get("/nope"),
        client.get("/docs/problems/nope"),
        client.get(f"{TOY}/rules?x=1"),
        client.post(f"{TOY}/adjudications", json={"state": state, "action": END}),
    ):
        assert "ETag" not in answer.headers
        assert "public" not in answer.headers.get("Cache-Control", "")


# -- other origins ------------------------------------------------------------------------------------------------


def preflight(client: FlaskClient, origin: str) -> Any:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    return client.options(f"{TOY}/adjudications", headers=asked)


def test_pages_of_other_origins_are_let_in_by_setting_only(client: FlaskClient) -> None:
    for answer in (preflight(client, PAGE), client.get("/v1/games", headers={"Origin": PAGE})):
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
        assert "Origin" not in answer.headers.get("Vary", "")


def test_pages_of_named_origins_are_let_in() -> None:
    client = toy_app(ARBITR_CORS_ORIGINS=f"{PAGE}, http://localhost:3000").test_client()
    for origin, fine in (
        (PAGE, True),
        ("http://localhost:3000", True),
        ("https://evil.example", False),
        ("null", False),
    ):
        for answer in (
            preflight(client, origin),
            client.get("/v1/games", headers={"Origin": origin}),
            client.get("/nope", headers={"Origin": origin}),
        ):
            assert answer.headers.get("Access-Control-Allow-Origin") == (origin if fine else None)
            assert "Origin" in answer.headers["Vary"]
            assert "Access-Control-Allow-Credentials" not in answer.headers
    asked = preflight(client, PAGE)
    assert (asked.status_code, asked.data) == (204, b"")
    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in asked.headers["Access-Control-Allow-Headers"]
    shown = client.get("/v1/games", headers={"Origin": PAGE}).headers["Access-Control-Expose-Headers"]
    assert {"ETag", "Retry-After", "X-Request-Id"} <= set(shown.split(", "))


def test_all_origins_may_be_let_in() -> None:
    client = toy_app(ARBITR_CORS_ORIGINS="*").test_client()
    answer = client.get("/v1/games", headers={"Origin": PAGE})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert preflight(client, "null").headers["Access-Control-Allow-Origin"] == "*"
    assert "Origin" not in answer.headers["Vary"], "the answer is the same for all"


# -- protection ---------------------------------------------------------------------------------------------------


def test_answers_tell_browsers_that_they_are_data(client: FlaskClient, state: Any) -> None:
    for answer in (
        client.get("/v1/games"),
        client.get("/nope"),
        client.get("/openapi.yaml"),
        client.post(f"{TOY}/adjudications", json={"state": state, "action": END}),
    ):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


def test_pages_run_their_own_scripts_and_no_others(client: FlaskClient) -> None:
    page = client.get("/docs/")
    policy = page.headers["Content-Security-Policy"]
    (script,) = re.findall(r"<script>(.*?)</script>", page.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self';" in client.get("/docs/problems/").headers["Content-Security-Policy"]
    for name in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert name.startswith(("/docs/", "./", "#")), name


# -- methods, addresses, what is accepted ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/games", TOY, f"{TOY}/rules", "/livez", "/openapi.yaml"])
def test_head_is_get_without_a_body(client: FlaskClient, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert (head.status_code, head.data) == (200, b"")
    for name in ("Content-Type", "Content-Length"):
        assert head.headers[name] == get.headers[name]


@pytest.mark.parametrize(
    "path", [f"{TOY}/{c}" for c in ("states", "adjudications", "adjudications/batch", "problems")]
)
def test_options_tell_the_methods(client: FlaskClient, path: str) -> None:
    answer = client.options(path)
    assert (answer.status_code, answer.headers["Allow"]) == (200, "OPTIONS, POST") or set(
        answer.headers["Allow"].split(", ")
    ) == {"OPTIONS", "POST"}


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "BREW", "get"])
def test_wrong_methods_are_405(client: FlaskClient, method: str) -> None:
    answer = client.open(f"{TOY}/adjudications", method=method)
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
    if method != "HEAD":
        problem(answer, 405, "method-not-allowed")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/chess",
        "/v1/games/toy/rules/TOY-99",
        "/v1/games/toy/rules/%00",
        "/v1/games/toy/rules/" + "x" * 3000,
        "/v1/games/..%2F..%2Fetc/rules",
        "/v1//games",
        "//v1/games",
        "/V1/games",
        "/v1/games/TOY",
        "/v1/games/toy/adjudications/",
        "/v1/games/toy/adjudications/batch/x",
        "/%ff%fe",
        "/v1/games/toy/rules/\u0000'\";--",
    ],
)
def test_unknown_addresses_are_404(client: FlaskClient, path: str) -> None:
    for method in ("GET", "POST"):
        answer = client.open(path, method=method, json={} if method == "POST" else None)
        assert answer.status_code in (404, 405), answer.status_code
        assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize(
    "accept", ["text/html", "image/*", "application/xml;q=0.9", "application/problem+json"]
)
def test_an_error_is_a_problem_document_whatever_is_accepted(client: FlaskClient, accept: str) -> None:
    problem(client.get("/nope", headers={"Accept": accept}), 404, "not-found")
    problem(client.get("/v1/games", headers={"Accept": accept}), 406, "not-acceptable")


@pytest.mark.parametrize(
    "accept", ["nonsense", "a/b/c", ";;;q=x", "application/json;q=nan", "*/*;q=2", "\u017e/x"]
)
def test_an_accept_that_nobody_understands_is_no_fault_of_ours(client: FlaskClient, accept: str) -> None:
    answer = client.get("/v1/games", headers={"Accept": accept.encode("utf-8").decode("latin-1")})
    assert answer.status_code in (200, 406)


@pytest.mark.parametrize(
    "query",
    ["?x", "?explain", "?explain=1", "?explain=true&explain=true", "?=", "?%ff=1", "?explain=true&x=1"],
)
def test_a_wrong_query_is_a_problem(client: FlaskClient, state: Any, query: str) -> None:
    sent = encoded({"state": state, "action": END})
    problem(post(client, f"{TOY}/adjudications{query}", sent), 400, "bad-query")


def test_no_two_requests_have_the_same_id() -> None:
    made = [manners.fresh_id() for _ in range(1000)]
    assert len(set(made)) == 1000
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in made)


def test_another_process_has_other_ids() -> None:
    """What was drawn before a fork is not gone on with by both."""
    manners.fresh_id()
    assert manners._DRAWN
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.write(write, manners.fresh_id().encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(read, 100).decode()
    os.close(read)
    os.close(write)
    assert re.fullmatch("[0-9a-f]{32}", theirs)
    assert theirs not in manners._DRAWN
    assert theirs not in [manners.fresh_id() for _ in range(2 * manners.AT_A_TIME)]


FIRST_ANSWER = KeptAnswer('"2-abc"', "cs", b'{"session":' + b"1" * 2000 + b"}")


def plainly_answered(first: KeptAnswer) -> Response:
    made = Response(first.body, 201, mimetype="application/json")
    made.headers["ETag"] = first.tag
    made.headers["Content-Language"] = first.language
    return made


@pytest.mark.parametrize("accepted", ["", "gzip", "identity;q=0.5, gzip;q=0"])
@pytest.mark.parametrize("origins", ["", PAGE])
@pytest.mark.parametrize("place", ["", "/v1/sessions/new"])
def test_an_answer_that_made_a_version_goes_out_as_flask_would_send_it(
    accepted: str, origins: str, place: str
) -> None:
    """Fields in their order, and bytes: as if it had been made and sent without shortcuts."""
    app = toy_app(ARBITR_CORS_ORIGINS=origins)
    headers = {"Accept-Encoding": accepted, "Origin": PAGE, "X-Request-Id": "one"}
    sent = []
    for make in (answered, plainly_answered):
        with app.test_request_context("/v1/sessions/x/actions", method="POST", headers=headers) as at:
            app.preprocess_request()
            made = make(msgspec.msgpack.encode(FIRST_ANSWER) if make is answered else FIRST_ANSWER)
            if place:
                made.headers["Location"] = place
            made = app.process_response(made)
            parts, status, fields = run_wsgi_app(made, at.request.environ)
            sent.append((status, list(fields), b"".join(parts)))
    assert sent[0] == sent[1]
    assert ("Content-Encoding", "gzip") in sent[0][1] or accepted != "gzip"
