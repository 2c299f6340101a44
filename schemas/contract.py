"""The contract of one ruleset: the schemas of every request and answer about it, compiled once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from schemas.action import action_schema, pascal
from schemas.adjudication import IllegalSchema, LegalSchema, StartedSchema, adjudication_schema
from schemas.base import OneOf, Schema, Within
from schemas.batch import alternative_schema, batch_schema, judgements_schema
from schemas.derive import Deriver
from schemas.held import HeldContract, HeldJudgementSchema
from schemas.house import house_query_schema, house_schema
from schemas.options import options_query_schema
from schemas.problem import problems_query_schema
from schemas.record import verification_schema
from schemas.session import move_schema, opening_schema, resumed_schema
from schemas.setup import setup_schema, wish_fields
from schemas.state import StateField
from schemas.view import view_query_schema
from service.engine.ruleset import Ruleset


class Contract:
    """All schemas of one ruleset. `plain`: every body goes field by field through them."""

    def __init__(self, rules: Ruleset, plain: bool = False) -> None:
        prefix = pascal(rules.game)
        deriver = Deriver(prefix, quick=not plain)
        state, shared, own = (StateField(rules, deriver, plain, required=r) for r in (True, False, False))
        self.rules, self.plain = rules, plain
        self.state = type(state.schema)
        self.action = action_schema(rules, prefix)
        house = house_schema(prefix, rules)
        wish = wish_fields(prefix, rules, deriver, house)
        self.setup = setup_schema(prefix, wish)
        self.components = house_query_schema(prefix, house)
        self.adjudication = adjudication_schema(prefix, state, self.action)
        self.batch = batch_schema(prefix, shared, own, self.action)
        self.alternative = alternative_schema(prefix, self.action)
        self.options = options_query_schema(prefix, state, list(rules.kinds))
        self.view = view_query_schema(prefix, state)
        self.problems = problems_query_schema(prefix, state)
        self.verification = verification_schema(prefix, rules, self.setup, own, self.action)
        self.opening = opening_schema(prefix, rules, wish)
        self.resumed = resumed_schema(prefix, rules, state)
        self.move = move_schema(prefix, self.action)
        self.held = HeldContract(prefix, self.action, list(rules.kinds))
        self.started = _with_state(f"{prefix}StartedSchema", StartedSchema, self.state)
        self.judgement = self._judgement(prefix)
        self.judgements = judgements_schema(prefix, self.judgement, HeldJudgementSchema)
        self.loaders: dict[str, Schema] = {
            "setup": self.setup(),
            "components": self.components(),
            "adjudication": self.adjudication(),
            "batch": self.batch(),
            "alternative": self.alternative(),
            "options": self.options(),
            "view": self.view(),
            "problems": self.problems(),
            "verification": self.verification(),
            "opening": self.opening(),
            "resumed": self.resumed(),
            "move": self.move(),
            **self.held.loaders,
        }

    def _judgement(self, prefix: str) -> type[Schema]:
        legal = _with_state(f"{prefix}LegalSchema", LegalSchema, self.state)
        kinds = {"legal": legal(), "illegal": IllegalSchema()}
        return type(f"{prefix}JudgementSchema", (OneOf,), {"type_field": "verdict", "type_schemas": kinds})


@lru_cache(maxsize=64)
def contract_of(rules: Ruleset, plain: bool = False) -> Contract:
    """The contract of a ruleset, which is closed and changes no more: made once for all apps of a process."""
    return Contract(rules, plain)


def _with_state(name: str, base: type[Schema], state: type[Any]) -> type[Schema]:
    return type(name, (base,), {"state": Within(state, required=True), "__doc__": base.__doc__})
