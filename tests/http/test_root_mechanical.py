"""The Mechanical Marquise over HTTP: why it chose what, and its orders at a table with real cards."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from service.engine.state import encode
from tests.games.root.robot import BOT, OWL, OWLS, W, robot
from tests.http.conftest import post
from tests.http.kept import AT, Kept

rule = pytest.mark.rule


def turned_up(app: Flask, query: str = "", language: str = "en") -> Any:
    """An order turned up, with a battle and a move by hand to follow."""
    g = robot({"1": {"keep": 1, W: 5, OWLS: 1}, "9": {OWLS: 2}})
    wire = json.loads(encode(g.state))
    wire["chance"]["fair"] = False
    line = [{"kind": "turn-up-order", "actor": "chance", "card": "anvil"}]
    line += [{"kind": "roll-die", "actor": "chance", "value": 1}] * 2
    body = json.dumps({"state": wire, "actions": line})
    answer = post(
        app.test_client(), f"/v1/games/root/adjudications{query}", body, **{"Accept-Language": language}
    )
    assert answer.status_code == 200, answer.json
    return answer.json


@rule("ROOT-BOT-16", "ROOT-BOT-19")
@pytest.mark.parametrize(
    ("language", "there"),
    [("en", "From clearing 1 they go to clearing 9."), ("cs", "Cíl pohybu: mýtina 9 (odkud: mýtina 1).")],
)
def test_what_it_chose_is_explained_with_a_sentence(every_game: Flask, language: str, there: str) -> None:
    assert "explained" not in turned_up(every_game)
    found = turned_up(every_game, "?explain=true", language)["explained"]
    assert [r["about"] for r in found[:3]] == ["battle", "defender", "battle"]
    assert found[1]["of"] == [{"value": OWL, "pieces": 1, "points": 0, "set_up": 2, "chosen": True}]
    (destination,) = [r for r in found if r["about"] == "destination"]
    assert (destination["because"], destination["text"]) == ("ROOT-BOT-19", there)
    assert [c["value"] for c in destination["of"] if c["chosen"]] == ["9"]


@pytest.fixture
def kept(app: Flask) -> Kept:
    """A session with the Mechanical Marquise, up to the first order."""
    seats = [{"id": BOT, "faction": "mechanical-marquise", "keep": "1"}, {"id": OWL, "faction": "eyrie"}]
    setup = {"game": "root", "seats": seats, "options": {"seating": "listed"}, "chance": {"mode": "given"}}
    client = app.test_client()
    kept = Kept(client, client.post(AT, json=setup).json)
    kept.done({"kind": "draw-seat", "actor": "chance", "seat": BOT}, "dealer")
    for card in ("anvil", "sappers", "cobbler"):
        kept.done({"kind": "draw-card", "actor": "chance", "card": card}, OWL)
    kept.done({"kind": "setup-eyrie", "actor": OWL, "leader": "builder"}, OWL)
    return kept


def order(card: str) -> dict[str, str]:
    return {"kind": "turn-up-order", "actor": "chance", "card": card}


@rule("ROOT-BOT-13", "ROOT-INFO-7")
def test_an_order_is_told_by_who_turns_it_over_and_by_nobody_before(kept: Kept) -> None:
    (decision,) = kept.get("spectator").json["decisions"]
    assert (decision["actor"], decision["kinds"]) == ("chance", ["turn-up-order"])
    for role in (BOT, OWL, "spectator"):
        row = kept.get(role).json["view"]["table"]["seats"][BOT]["mechanical_marquise"]["row"]
        assert row == {"size": 5, "top": []}
    elsewhere = kept.act(order("anvil"), "dealer").json  # the owl holds it
    assert [v["reason"] for v in elsewhere["violations"]] == ["card-elsewhere"]
    kept.done(order("bake-sale"), "dealer")
    view = kept.get("spectator").json["view"]["table"]["seats"][BOT]
    assert view["mechanical_marquise"]["row"]["size"] == 5
    assert kept.get("spectator").json["view"]["table"]["discard"] == {"bake-sale": 1}


@rule("ROOT-BOT-8")
def test_its_seat_is_never_asked_and_what_it_posts_is_refused(kept: Kept) -> None:
    kept.done(order("bake-sale"), "dealer")
    decisions = kept.get("spectator").json["decisions"]
    assert {d["actor"] for d in decisions} == {OWL}
    refused = kept.act({"kind": "add-to-decree", "actor": BOT, "card": "anvil", "column": "move"}, BOT).json
    assert "ROOT-BOT-8" in {v["rule"] for v in refused["violations"]}
