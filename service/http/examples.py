"""Examples for the document, made by the referee itself: a test sends every one."""

from collections.abc import Mapping
from typing import Any

import msgspec

from schemas import Contract
from schemas.record import SCHEMAS
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.shapes import Whole
from service.http.context import Context
from service.sessions import referee

SEATS = ("ann", "bob", "cyd", "dan", "eve", "fay")
SEED = "an example"


def examples(context: Context, contract: Contract, call: str) -> dict[str, Any]:
    """The examples of a call for one ruleset, by name."""
    return {name: {"value": value} for name, value in _MAKERS[call](context, contract).items()}


def _setup(context: Context, contract: Contract) -> Mapping[str, Any]:
    seats = [{"id": s, "name": s.title()} for s in SEATS[: contract.rules.least_seats]]
    open_game = {"seats": seats, "chance": {"mode": "seeded", "seed": SEED}}
    fixed = {"a fair game": {"seats": seats}, "a reproducible game": open_game}
    house = _house(contract.rules)
    return {**fixed, "a house figure": {**open_game, "house": house}} if house else fixed


def _held_setup(context: Context, contract: Contract) -> Mapping[str, Any]:
    wishes = _setup(context, contract)
    return {**wishes, "a fair game in a token": {**wishes["a fair game"], "hold": "token"}}


def _house(rules: Ruleset) -> Any:
    """A number that is one more than is printed; empty where the game offers no house."""
    for kind, entries in rules.houses.shapes.items():
        printed = {entry["id"]: entry for entry in rules.components[kind]}
        for id_, figures in entries.items():
            for name, shape in figures.items():
                if isinstance(shape, Whole):
                    return {kind: {id_: {name: printed[id_][name] + 1}}}
    return {}


def _components(context: Context, contract: Contract) -> Mapping[str, Any]:
    return {"a house": {"house": _house(contract.rules)}}


def _begun(context: Context, contract: Contract) -> Any:
    rules = contract.rules
    seats = [SetupSeat(s, s.title()) for s in SEATS[: rules.least_seats]]
    options = {o.name: o.default for o in rules.options.values()}  # as a body that names none is understood
    return referee.set_up(rules, referee.Wish(seats, options, seed=SEED), context.fairness)


def _state(context: Context, contract: Contract) -> Any:
    return _begun(context, contract).state


def _adjudication(context: Context, contract: Contract) -> Mapping[str, Any]:
    state = _state(context, contract)
    listed = referee.options(contract.rules, state, None, None, None)[0].options
    legal = listed[-1].filled()
    others = [s.id for s in state.seats if s.id != legal["actor"]]
    plain = msgspec.to_builtins(state)
    return {
        "a legal action": {"state": plain, "action": legal},
        "an illegal action": {"state": plain, "action": {**legal, "actor": others[0]}},
        "a line of play": {"state": plain, "actions": [legal]},
    }


def _batch(context: Context, contract: Contract) -> Mapping[str, Any]:
    asked = _adjudication(context, contract)
    legal, illegal = asked["a legal action"], asked["an illegal action"]
    return {
        "alternatives": {
            "state": legal["state"],
            "items": [{"action": legal["action"]}, {"action": illegal["action"]}],
        },
        "independent items": {"items": [legal, {**legal, "state": _impossible(legal["state"])}]},
    }


def _impossible(plain: dict[str, Any]) -> dict[str, Any]:
    return {**plain, "seats": plain["seats"][1:]}


def _options(context: Context, contract: Contract) -> Mapping[str, Any]:
    return {"the first three": {"state": msgspec.to_builtins(_state(context, contract)), "limit": 3}}


def _view(context: Context, contract: Contract) -> Mapping[str, Any]:
    plain = msgspec.to_builtins(_state(context, contract))
    return {"a seat": {"state": plain, "seat": SEATS[0]}, "a spectator": {"state": plain, "seat": None}}


def _problems(context: Context, contract: Contract) -> Mapping[str, Any]:
    plain = msgspec.to_builtins(_state(context, contract))
    return {
        "a possible state": {"state": plain},
        "an impossible one": {"state": _impossible(plain)},
    }


def _verification(context: Context, contract: Contract) -> Mapping[str, Any]:
    """The beginning of a game, and one that goes on with an action that is not its actor's."""
    asked = _adjudication(context, contract)
    head = {"schema": SCHEMAS[-1], "game": contract.rules.game, "ruleset": contract.rules.version}
    setup = _setup(context, contract)["a reproducible game"]
    drawn = [play.to_wire() for play in _begun(context, contract).played]
    return {
        name: {"record": {**head, "setup": setup, "actions": [*drawn, asked[last]["action"]]}}
        for name, last in (("a record", "a legal action"), ("a bad record", "an illegal action"))
    }


def _opening(context: Context, contract: Contract) -> Mapping[str, Any]:
    game = {"game": contract.rules.game}
    return {name: {**game, **setup} for name, setup in _setup(context, contract).items()}


def _resumed(context: Context, contract: Contract) -> Mapping[str, Any]:
    plain = msgspec.to_builtins(_state(context, contract))
    return {"a game that stands": {"game": contract.rules.game, "state": plain, "ttl": 3600}}


def _move(context: Context, contract: Contract) -> Mapping[str, Any]:
    """The first action in the session that the other examples open."""
    return {"an action": {"action": _adjudication(context, contract)["a legal action"]["action"]}}


_MAKERS: Mapping[str, Any] = {
    "setup": _held_setup,
    "components": _components,
    "adjudication": _adjudication,
    "batch": _batch,
    "options": _options,
    "view": _view,
    "problems": _problems,
    "verification": _verification,
    "opening": _opening,
    "resumed": _resumed,
    "move": _move,
}
