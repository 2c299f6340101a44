"""What faulty bodies cost: not many times a valid one of the same size, and little for what they pay of the rate."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.http.limits import WORK
from tests.http.conftest import every_game_in_turn
from tests.http.costly import costliest, show

SEED = 11
DEAR = 5  # times what a valid body of the same size costs, for each request that is paid for it
DEAREST = 40  # times, whatever is paid: on any machine
LONGEST = 250  # milliseconds


@every_game_in_turn
def test_a_faulty_body_does_not_cost_many_times_a_valid_one(of_game: FlaskClient, game: str) -> None:
    usual, blown_up = costliest(of_game, game, 60, SEED, every=12)
    for cost in (*usual, *blown_up):
        assert cost.ratio <= DEAREST, cost
        assert cost.spent < LONGEST, cost


@pytest.mark.long
@every_game_in_turn
def test_the_costliest_faulty_bodies_are_cheap_or_pay(of_game: FlaskClient, game: str) -> None:
    found = costliest(of_game, game, 4_000, SEED)
    print(f"seed {SEED}; a request pays one more for every {WORK * 1000:g} ms of work")
    print(show(game, found))
    for cost in (*found[0], *found[1]):
        assert cost.bought <= DEAR, cost
        assert cost.spent < LONGEST, cost
