"""The state on the wire: bytes straight into the typed state, and a derived schema that words every fault."""

from __future__ import annotations

from typing import Any

import msgspec

from schemas.base import Within
from schemas.derive import Deriver
from service.engine.ruleset import Ruleset
from service.engine.shapes import settled
from service.engine.state import AnyState, State


class StateField(Within):
    """A state inside a request. It takes the bytes of the state (`msgspec.Raw`), or what the decoder made of them, or
    parsed JSON.

    What the decoder accepts is taken; what it refuses, the schema decides and words. With `plain` the schema
    decides always.
    """

    def __init__(self, rules: Ruleset, deriver: Deriver, plain: bool = False, **more: Any) -> None:
        schema = deriver.schema(rules.state_type, f"{deriver.prefix}StateSchema")
        # For the document alone: the state of another game is no fault of the body, it is refused as what it is.
        schema._declared_fields["game"].metadata = {"enum": [rules.game]}
        super().__init__(schema, **more)
        self.rules, self.plain = rules, plain

    def _deserialize(self, value: Any, attr: Any, data: Any, partial: Any = None, **kwargs: Any) -> Any:
        if isinstance(value, State):
            return _in_whole_numbers(value)
        if isinstance(value, msgspec.Raw):
            if not self.plain:
                try:
                    return _in_whole_numbers(self.rules.decoder.decode(value))
                except msgspec.ValidationError:
                    pass
            value = msgspec.json.decode(value)
        return _in_whole_numbers(super()._deserialize(value, attr, data, **kwargs))


def _in_whole_numbers(state: AnyState) -> AnyState:
    """The state with 7.0 as 7 also where it holds plain JSON: in its house, and in the set-up of the next game."""
    if state.house:
        state.house = settled(state.house)
    if state.outcome is not None and state.outcome.next is not None:
        state.outcome.next = settled(state.outcome.next)
    return state
