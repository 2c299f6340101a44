"""Planted corruptions: states that no game can come to, made without any knowledge of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy

from service.battery.wire import Json

STRANGER = "nobody-here"


def corruptions(state: Json) -> Iterator[tuple[str, Json]]:
    """What was done to the state, and the state after it."""
    yield from _envelope(state)
    yield from _seats(state)
    if state.get("outcome") is None:
        yield from _stack(state)
    for path, deck in _decks(state["table"], ("table",)):
        yield from _deck(state, path, deck)


def _with(state: Json, path: Sequence[str | int], value: Json) -> Json:
    """The state with another value at a place."""
    spoiled = deepcopy(state)
    holder = spoiled
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return spoiled


def _envelope(state: Json) -> Iterator[tuple[str, Json]]:
    yield "another game", {**state, "game": "no-such-game"}
    yield "another ruleset", {**state, "ruleset": "0.0"}
    yield "another schema", {**state, "schema": state["schema"] + 1}
    yield "turns below none", {**state, "turn": -1}
    yield "a field that does not exist", {**state, "no_such_field": 1}
    yield "a field of the table that does not exist", _with(state, ("table", "no_such_field"), 1)
    yield "an option that does not exist", _with(state, ("options", "no_such_option"), True)
    for name in state["options"]:
        yield f"option {name} has no such value", _with(state, ("options", name), "no-such-value")
    for name in state["table"]:
        table = {k: v for k, v in state["table"].items() if k != name}
        if isinstance(state["table"][name], dict) and _holds_something(state["table"][name]):
            yield f"the table has no {name}", {**state, "table": table}


def _holds_something(value: Json) -> bool:
    """Whether a part of the table is more than empty containers, which may be left out."""
    if isinstance(value, dict | list):
        return any(map(_holds_something, value.values() if isinstance(value, dict) else value))
    return value is not None


def _seats(state: Json) -> Iterator[tuple[str, Json]]:
    ids = [seat["id"] for seat in state["seats"]]
    yield "no seats", {**state, "seats": []}
    yield "one seat less", {**state, "seats": state["seats"][1:]}
    yield "a seat twice", {**state, "seats": [*state["seats"][:-1], state["seats"][0]]}
    yield "a seat named chance", _with(state, ("seats", 0, "id"), "chance")
    for name, held in state["table"].items():
        if isinstance(held, dict) and set(held) == set(ids):
            gone = {seat: value for seat, value in held.items() if seat != ids[0]}
            yield f"no entry of {ids[0]} in {name}", _with(state, ("table", name), gone)
            yield f"an entry of a stranger in {name}", _with(state, ("table", name, STRANGER), held[ids[0]])


def _stack(state: Json) -> Iterator[tuple[str, Json]]:
    top = len(state["stack"]) - 1
    yield "nothing left to do", {**state, "stack": []}
    yield "an outcome in mid-game", {**state, "outcome": {"winners": [], "standings": [], "because": "NO-1"}}
    yield "an unknown frame on top", _with(state, ("stack", top, "frame"), "no-such-frame")
    yield "the top is at no step", _with(state, ("stack", top, "step"), "no-such-step")
    if top:
        yield "the bottom is gone", {**state, "stack": state["stack"][1:]}


def _decks(value: Json, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Every deck of the table."""
    if isinstance(value, dict):
        if isinstance(value.get("segments"), list):
            yield path, value
        for name, below in value.items():
            yield from _decks(below, (*path, name))


def _deck(state: Json, path: tuple[str, ...], deck: Json) -> Iterator[tuple[str, Json]]:
    at, place = (*path, "segments"), "/".join(path)
    strange = {"segment": "run", "cards": ["no-such-card"], "known_to": None}
    yield f"a card that does not exist on {place}", _with(state, at, [strange, *deck["segments"]])
    yield f"a run without cards on {place}", _with(state, at, [{**strange, "cards": []}, *deck["segments"]])
    for segment in deck["segments"][:1]:
        one = _one(segment)
        if one is not None:
            more = {"segment": "run", "cards": [one], "known_to": None}
            yield f"one {one} too many on {place}", _with(state, at, [more, *deck["segments"]])
        yield f"cards gone from {place}", _with(state, at, deck["segments"][1:])


def _one(segment: Json) -> str | None:
    """A card of a segment of a deck."""
    if segment.get("cards"):
        return str(segment["cards"][0])
    members = [name for stratum in segment.get("strata", ()) for name in stratum["members"]]
    return members[0] if members else None
