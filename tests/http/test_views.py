"""Views over HTTP."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from schemas.view import ViewSchema
from service.games import REGISTRY
from tests.conformance.hidden import variants
from tests.conformance.subjects import given, spots_of, walk
from tests.http.conftest import TOY, encoded, faults, post, problem


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


@pytest.mark.parametrize("rules", list(REGISTRY), ids=lambda rules: rules.game)
def test_no_view_tells_a_seat_what_it_cannot_see(real: FlaskClient, rules: Any) -> None:
    """Of every kind of window of every game: a state that the seat cannot tell from this one looks the same."""
    rng, compared = random.Random(5), 0
    for spot in spots_of([walk(rules, seed, "random") for seed in (4, 5)], 20, rng):
        state = given(spot.state)
        for seat in [*(s.id for s in state.seats), None]:
            for twin in variants(rules, state, seat, rng, 1):
                asked = [encoded({"state": each, "seat": seat}) for each in (state, twin)]
                one, two = (post(real, f"/v1/games/{rules.game}/views", body) for body in asked)
                assert one.status_code == 200, one.text
                assert one.data == two.data, (spot.where, seat)
                compared += asked[0] != asked[1]
    assert compared > 20
