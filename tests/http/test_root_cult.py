"""The Lizard Cult in a session with real cards: who names the card of Fear, and who sees what came of it."""

from __future__ import annotations

import json

import pytest

from service.engine.state import encode
from tests.games.root.lizards import CATS, FG, NEWT, cult_table
from tests.games.root.table import CAT
from tests.http.conftest import problem
from tests.http.kept import AT, Kept, kept_app


@pytest.mark.rule("ROOT-CULT-6", "ROOT-GEN-13", "ROOT-INFO-2", "ROOT-INFO-6")
def test_the_cult_names_the_card_that_it_loses_for_fear() -> None:
    g = cult_table({"8": {CATS: 3, FG: 1}}, "daylight", turn=CAT, hand=["anvil", "sappers"])
    g.fight(CAT, NEWT, "8", 0, 0)
    client = kept_app().test_client()
    state = json.loads(encode(g.state))
    state["chance"]["fair"] = False
    opened = client.post(AT, json={"game": "root", "state": state})
    assert opened.status_code == 201, opened.json
    kept = Kept(client, opened.json)
    (decision,) = kept.get("spectator").json["decisions"]
    assert decision["answered_by"] == {"seats": [NEWT]}
    act = {"kind": "random-card", "actor": "chance", "card": "anvil"}
    for who in (CAT, "owl", "host", "dealer", "spectator"):
        problem(kept.act(act, who), 403, "not-yours")
    assert "anvil" not in str(kept.get(CAT, "/options").json)
    kept.done(act, NEWT)
    for who in (CAT, "spectator"):
        seat = kept.get(who).json["view"]["table"]["seats"][NEWT]
        assert (seat["hand"], seat["cult"]["lost_souls"]) == (1, {"anvil": 1})
