"""What there is: the games, their rules and their components."""

from typing import Any

from flask import request

from schemas.catalogue import ComponentsSchema, GameDetailsSchema, GamesSchema, RuleSchema, RulesSchema
from service.engine.rule import RulebookError
from service.engine.ruleset import Ruleset
from service.http import catalogue
from service.http.api import BODY_ERRORS, Blueprint
from service.http.context import context
from service.http.locale import language
from service.http.problems import Problem
from service.http.queries import demand_query

OF_VERSION = (400, 404, 406, 422, 429)

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="What there is to play.")


@blueprint.route("")
@blueprint.answers(GamesSchema, kept=True, errors=(400, 406, 429))
def list_games() -> dict[str, Any]:
    """The games with their ruleset versions, player counts and options."""
    demand_query()
    return {"games": [catalogue.game(r, context().registry, language()) for r in context().registry]}


@blueprint.route("/<game>")
@blueprint.answers(GameDetailsSchema, kept=True, errors=OF_VERSION, query=("ruleset",))
def get_game(game: str) -> dict[str, Any]:
    """One game: set-up options, seats, every action kind with its parameters and the rules that bear on it."""
    return catalogue.details(_named(game), context().registry, language())


@blueprint.route("/<game>/rules")
@blueprint.answers(RulesSchema, kept=True, errors=OF_VERSION, query=("ruleset",))
def list_rules(game: str) -> dict[str, Any]:
    """Every clause of the rulebook, in its order."""
    rules = _named(game)
    return {"rules": [catalogue.rule(r, language()) for r in rules.book.rules.values()]}


@blueprint.route("/<game>/rules/<rule>")
@blueprint.answers(RuleSchema, kept=True, errors=OF_VERSION, query=("ruleset",))
def get_rule(game: str, rule: str) -> dict[str, Any]:
    """One clause."""
    rules = _named(game)
    try:
        return catalogue.rule(rules.book[rule], language())
    except RulebookError:
        raise Problem("unknown-rule", game=game, rule=rule) from None


@blueprint.route("/<game>/components")
@blueprint.answers(ComponentsSchema, kept=True, errors=OF_VERSION, query=("ruleset",))
def list_components(game: str) -> dict[str, Any]:
    """Cards, tiles, tracks: ids, names, figures, and how sure each figure is."""
    return {"components": catalogue.components(_named(game), language())}


@blueprint.route("/<game>/components", methods=["POST"])
@blueprint.answers(ComponentsSchema, errors=BODY_ERRORS)
@blueprint.takes("components")
def show_house(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """The components with the figures of a house in the place of printed ones, which have the certainty `house`."""
    demand_query()
    return {"components": catalogue.components(rules, language(), asked["house"])}


def _named(game: str) -> Ruleset:
    """The version of a game's rules that the query names, else the current one. Raises Problem."""
    demand_query("ruleset")
    return context().version(context().rules(game), request.args.get("ruleset"))
