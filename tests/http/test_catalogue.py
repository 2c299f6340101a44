"""What there is: games, rules, components."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from schemas.catalogue import ComponentsSchema, GameDetailsSchema, GamesSchema, RuleSchema, RulesSchema
from tests.http.conftest import TOY, problem

CZECH = {"Accept-Language": "cs"}


def test_games_are_listed_with_versions_seats_and_options(client: FlaskClient) -> None:
    (game,) = GamesSchema().load(client.get("/v1/games").json)["games"]
    assert (game["game"], game["name"], game["rulesets"]) == ("toy", "The Toy", ["0.9", "1.0"])
    assert game["seats"] == {"least": 2, "most": 3}
    assert game["options"][1] == {
        "name": "hand",
        "default": 2,
        "values": [1, 2, 3],
        "rule": "TOY-1",
        "text": "A turn begins with a card drawn.",
    }


def test_a_game_tells_its_current_version_and_what_seats_may_choose(client: FlaskClient) -> None:
    game = GameDetailsSchema().load(client.get(TOY).json)
    assert (game["ruleset"], game["choices"]) == ("1.0", {"colour": ["red", "green"]})


def test_a_game_tells_every_action_kind_with_its_parameters_and_rules(client: FlaskClient) -> None:
    kinds = {k["kind"]: k for k in client.get(TOY).json["actions"]}
    assert list(kinds) == ["deal", "end-turn", "play", "throw"]
    assert kinds["deal"]["chance"]
    assert kinds["play"]["forms"] == [
        {
            "parameters": [
                {
                    "name": "card",
                    "domain": "pick",
                    "rule": "TOY-2",
                    "vocabulary": ["apple", "cherry", "plum"],
                },
                {"name": "points", "domain": "amount", "rule": "TOY-3", "least": 0, "most": 50},
            ],
            "rules": ["TOY-2", "TOY-3", "TOY-4"],
        }
    ]


def test_rules_are_listed_in_order_with_citations(client: FlaskClient) -> None:
    rules = RulesSchema().load(client.get(f"{TOY}/rules").json)["rules"]
    assert [r["id"] for r in rules] == [f"TOY-{n}" for n in range(1, 6)]
    assert rules[0]["citation"] == {"document": "toy-rules", "page": 1}


def test_one_rule_is_told_in_the_asked_language(client: FlaskClient) -> None:
    rule = client.get(f"{TOY}/rules/TOY-4", headers=CZECH)
    assert RuleSchema().load(rule.json)["text"] == "Česky: Plums are not played."
    assert rule.headers["Content-Language"] == "cs"


def test_components_are_named_in_the_asked_language(client: FlaskClient) -> None:
    cards = ComponentsSchema().load(client.get(f"{TOY}/components").json)["components"]["cards"]
    assert cards[0] == {"id": "apple", "name": "Apple", "certainty": "rulebook"}
    assert client.get(f"{TOY}/components", headers=CZECH).json["components"]["cards"][0]["name"] == "apple"


@pytest.mark.parametrize("path", ["", "/rules", "/rules/TOY-1", "/components"])
def test_an_unknown_game_is_404(client: FlaskClient, path: str) -> None:
    assert problem(client.get(f"/v1/games/chess{path}"), 404, "unknown-game")["detail"].endswith(
        "we know: toy."
    )


def test_an_unknown_rule_is_404(client: FlaskClient) -> None:
    problem(client.get(f"{TOY}/rules/TOY-99"), 404, "unknown-rule")


@pytest.mark.parametrize(
    "path", ["/v1/games", TOY, f"{TOY}/rules", f"{TOY}/rules/TOY-1", f"{TOY}/components"]
)
def test_a_query_that_the_call_does_not_have_is_refused(client: FlaskClient, path: str) -> None:
    answer = problem(client.get(f"{path}?colour=red"), 400, "bad-query")
    assert answer["errors"] == [
        {"in": "query", "pointer": "/colour", "message": "There is no such parameter."}
    ]


@pytest.mark.parametrize("path", ["", "/rules", "/components"])
@pytest.mark.parametrize("language", ["en", "cs"])
def test_the_real_games_are_told_in_both_languages(real: FlaskClient, path: str, language: str) -> None:
    for game in real.get("/v1/games").json["games"]:
        answer = real.get(f"/v1/games/{game['game']}{path}", headers={"Accept-Language": language})
        schema = {"": GameDetailsSchema, "/rules": RulesSchema, "/components": ComponentsSchema}[path]
        assert schema().validate(answer.json) == {}
