"""A running service keeps time by itself: nobody has to come by."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.ops.conftest import until
from tests.ops.listeners import Listener
from tests.ops.players import Game, Player

QUIET = {"ARBITR_RATE": 0, "ARBITR_LOG_LEVEL": "error", "ARBITR_STREAM_PORT": 0}


def opened(port: int, clock: Any) -> Game:
    player = Player(port)
    body = {"game": "zavandor", "seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"seed": "7"}}
    status, answer, _ = player.ask("POST", "/v1/sessions", {**body, "clock": clock})
    assert status == 201, answer
    return Game(player, answer)


def test_whose_time_is_up_is_told_and_played_for_though_nobody_asks(start: Any) -> None:
    service = start(**QUIET)
    game = opened(service.port, {"per": "turn", "seconds": 1, "on_timeout": "automate"})
    deadline = game.opened["session"]["clock"]["seats"]["bob"]["deadline"]
    listener = Listener(service.streams, game, "spectator")
    try:
        assert until(lambda: len([e for e in listener.events if e["kind"] == "timed-out"]) == 2, 60)
    finally:
        listener.stop()
    first, second = (e for e in listener.events if e["kind"] == "timed-out")
    assert (first["seat"], first["at"], first["then"]) == ("bob", deadline, "automate")
    assert second["seat"] == "ann"
    waited = datetime.fromisoformat(second["at"]) - datetime.fromisoformat(first["at"])
    assert waited.total_seconds() >= 1, "her time began when it was her turn"
    assert listener.ids == list(range(1, listener.ids[-1] + 1))
