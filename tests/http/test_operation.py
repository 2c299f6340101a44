"""Operation and documentation: live, ready, the document, the pages."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.http.conftest import problem, toy_app


def test_a_worker_is_live(client: FlaskClient) -> None:
    assert client.get("/livez").json == {"status": "ok"}


def test_without_a_store_it_is_not_ready_and_says_what_is_missing(client: FlaskClient) -> None:
    answer = client.get("/readyz")
    assert problem(answer, 503, "store-unavailable")["missing"][0]["what"] == "store"
    assert answer.headers["Retry-After"] == "5"


def test_a_store_that_cannot_be_reached_is_missing() -> None:
    client = toy_app(ARBITR_REDIS_URL="unix:///nonexistent/store.sock").test_client()
    assert problem(client.get("/readyz"), 503, "store-unavailable")["missing"][0]["why"] == "ConnectionError"
    assert client.get("/v1/games").status_code == 200


def test_the_pages_need_no_internet(client: FlaskClient) -> None:
    assert client.get("/docs").status_code == 308
    page = client.get("/docs/")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert "http://" not in page.text
    assert "https://" not in page.text
    for part in ("swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "swagger-ui.css", "index.css"):
        with client.get(f"/docs/{part}") as answer:
            assert answer.status_code == 200
            assert part in page.text


def test_a_page_that_is_not_there_is_404(client: FlaskClient) -> None:
    problem(client.get("/docs/nope.js"), 404, "not-found")
    problem(client.get("/docs/../../etc/passwd"), 404, "not-found")
