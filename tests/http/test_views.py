"""Views over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from schemas.view import ViewSchema
from tests.http.conftest import TOY, faults, problem


def seen(client: FlaskClient, state: Any, seat: str | None) -> Any:
    answer = client.post(f"{TOY}/views", json={"state": state, "seat": seat})
    assert answer.status_code == 200, answer.text
    assert ViewSchema().validate(answer.json) == {}
    return answer.json


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_have(client: FlaskClient, state: Any) -> None:
    hand = state["table"]["seats"]["ann"]["hand"]
    assert seen(client, state, "ann")["view"]["table"]["seats"]["ann"]["hand"] == hand
    assert seen(client, state, "bob")["view"]["table"]["seats"]["ann"]["hand"] == 1
    assert seen(client, state, None)["view"]["table"]["seats"]["ann"]["hand"] == 1


def test_a_view_tells_who_must_decide(client: FlaskClient, state: Any) -> None:
    assert seen(client, state, None)["decisions"][0]["actor"] == "ann"


def test_a_stranger_sees_nothing(client: FlaskClient, state: Any) -> None:
    answer = client.post(f"{TOY}/views", json={"state": state, "seat": "zoe"})
    assert problem(answer, 422, "unknown-seat")["detail"].endswith("the seats are: ann, bob.")


@pytest.mark.parametrize(
    ("more", "pointer"), [({}, "/seat"), ({"seat": 1}, "/seat"), ({"seat": "chance"}, "/seat")]
)
def test_a_request_off_the_schema_is_refused(
    client: FlaskClient, state: Any, more: dict[str, Any], pointer: str
) -> None:
    answer = client.post(f"{TOY}/views", json={"state": state, **more})
    problem(answer, 400, "off-schema")
    assert list(faults(answer)) == [pointer]
