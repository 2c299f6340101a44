"""Both ways of decoding accept the same documents with the same values, and word the same faults."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from marshmallow import ValidationError

from schemas import Contract, located
from service.engine.ruleset import Ruleset
from tests.schemas.conftest import plain, played, rulesets
from tests.schemas.mutations import mutate

MANY = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@cache
def contract(rules: Ruleset, slow: bool) -> Contract:
    return Contract(rules, plain=slow)


def loaded(rules: Ruleset, slow: bool, call: str, body: dict[str, Any]) -> tuple[Any, Any]:
    """What a contract makes of a body: (value, None), or (None, faults)."""
    try:
        asked = contract(rules, slow).loaders[call].load(body)
    except ValidationError as error:
        return None, located(error.messages)
    return asked, None


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(json.dumps(value).encode())


def exact(value: Any) -> str:
    """A text that differs where values or their types differ."""
    return repr(value)


@pytest.mark.parametrize("rules", rulesets(), ids=lambda r: r.game)
def test_every_state_of_a_game_is_accepted_both_ways(rules: Ruleset) -> None:
    for state in played(rules):
        quick, slow = (loaded(rules, s, "problems", {"state": msgspec.Raw(state)}) for s in (False, True))
        assert quick[1] is None
        assert exact(quick) == exact(slow)
        assert quick[0]["state"] == rules.decode(state)


@pytest.mark.parametrize("rules", rulesets(), ids=lambda r: r.game)
@MANY
@given(data=st.data())
def test_mutated_states_are_accepted_alike_or_refused_alike(rules: Ruleset, data: st.DataObject) -> None:
    document = mutate(data, plain(data.draw(st.sampled_from(played(rules)))))
    quick, slow = (loaded(rules, s, "problems", {"state": raw(document)}) for s in (False, True))
    assert exact(quick) == exact(slow)


@pytest.mark.parametrize("rules", rulesets(), ids=lambda r: r.game)
@MANY
@given(data=st.data())
def test_what_the_decoder_accepts_the_schema_accepts_with_the_same_value(
    rules: Ruleset, data: st.DataObject
) -> None:
    document = mutate(data, plain(data.draw(st.sampled_from(played(rules)))), times=1)
    slow = loaded(rules, True, "problems", {"state": raw(document)})
    try:
        decoded = rules.decode(json.dumps(document))
    except msgspec.ValidationError:
        return
    assert exact(slow) == exact(({"state": decoded}, None))


@pytest.mark.parametrize("rules", rulesets(), ids=lambda r: r.game)
@MANY
@given(data=st.data())
def test_mutated_positions_are_accepted_alike_or_refused_alike(rules: Ruleset, data: st.DataObject) -> None:
    table = mutate(data, plain(data.draw(st.sampled_from(played(rules))))["table"])
    setup = {"seats": [{"id": "ann"}, {"id": "bob"}], "position": json.loads(json.dumps(table))}
    quick, slow = (loaded(rules, s, "setup", setup) for s in (False, True))
    assert exact(quick) == exact(slow)
