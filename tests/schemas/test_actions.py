"""Action schemas derived from action classes."""

from __future__ import annotations

from typing import Any

import pytest
from marshmallow import ValidationError

from schemas import located
from schemas.action import action_schema
from service.engine.action import Action
from service.engine.domain import Amount, Pick, Sequence_
from service.engine.ruleset import Ruleset
from tests.schemas.conftest import rulesets


class Rules:
    """Just enough of a ruleset."""

    def __init__(self, *classes: type[Action]) -> None:
        self.kinds = {c.kind: tuple(x for x in classes if x.kind == c.kind) for c in classes}


class Short(Action, kind="move"):
    to = Pick("R-1", ("a", "b"))


class Long(Action, kind="move"):
    to = Pick("R-1", ("b", "c"))
    by = Amount("R-2", most=3)


class March(Action, kind="march"):
    steps = Sequence_("R-3", (Short,), most=2)


def load(value: Any, *classes: type[Action]) -> Any:
    return action_schema(Rules(*classes), "Test")().load({"actor": "ann", **value})  # type: ignore[arg-type]


def faults(value: Any, *classes: type[Action]) -> list[str]:
    with pytest.raises(ValidationError) as refused:
        load(value, *classes)
    return [f.pointer for f in located(refused.value.messages)]


def test_classes_that_share_a_kind_share_a_schema() -> None:
    for value in ({"to": "a"}, {"to": "c", "by": 3}, {"to": "b"}):
        assert load({"kind": "move", **value}, Short, Long) == {"kind": "move", "actor": "ann", **value}
    assert faults({"kind": "move", "to": "d", "by": 4}, Short, Long) == ["/by", "/to"]


def test_a_parameter_of_every_class_is_required() -> None:
    assert faults({"kind": "move", "by": 1}, Short, Long) == ["/to"]


class Far(Action, kind="move"):
    to = Amount("R-1", least=5, most=9)


def test_a_parameter_may_have_a_form_in_each_class() -> None:
    for to in ("a", 5, 9.0):
        assert load({"kind": "move", "to": to}, Short, Far)["to"] == to
    for to in ("b9", 4, True, None, [], {}):
        assert faults({"kind": "move", "to": to}, Short, Far) == ["/to"]


def test_sub_actions_have_no_actor() -> None:
    step = {"kind": "move", "to": "a"}
    assert load({"kind": "march", "steps": [step]}, March)["steps"] == [step]
    assert faults({"kind": "march", "steps": [{**step, "actor": "ann"}, {"kind": "x"}]}, March) == [
        "/steps/0/actor",
        "/steps/1/kind",
    ]
    assert faults({"kind": "march", "steps": []}, March) == ["/steps"]
    assert faults({"kind": "march", "steps": [step] * 3}, March) == ["/steps"]


@pytest.mark.parametrize("rules", rulesets(), ids=lambda r: r.game)
def test_every_kind_of_every_game_has_a_schema(rules: Ruleset) -> None:
    schema = action_schema(rules, "Test")
    assert set(schema.type_schemas) == set(rules.kinds)
