"""Set-up: seats, options, chance, a position to start from, and figures of the house."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma

from schemas.base import Bool, Choice, Items, Schema, SeatName, Text, Within
from schemas.checks import Distinct, Length, Pattern
from schemas.derive import Deriver
from schemas.faults import Fault
from service.engine.ruleset import Ruleset
from service.engine.state import NAME


class ChanceWishSchema(Schema):
    """Who answers chance: the service (`seeded`; with the client's `seed` reproducible), or the client."""

    mode = Choice(["seeded", "given"], load_default="seeded")
    seed = Text(validate=Length(max=200))
    client_seed = Text(validate=Length(max=200))

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def no_seed_for_given(self, data: Mapping[str, Any], original: Any, **kwargs: Any) -> None:
        """A seed is for the service's draws."""
        if isinstance(original, Mapping) and original.get("mode") == "given":
            seeds = [name for name in ("seed", "client_seed") if name in original]
            if seeds:
                raise ma.ValidationError({name: [Fault("given-chance")] for name in seeds})


class SetupSchema(Schema):
    """Set up a game. `hold`: what the client carries, the `state`, or a `token` with it that nobody can read."""

    hold = Choice(["state", "token"])


def setup_schema(prefix: str, wish: Mapping[str, Any]) -> type[Schema]:
    """The set-up request of one ruleset."""
    return type(f"{prefix}SetupSchema", (SetupSchema,), {**wish, "__doc__": SetupSchema.__doc__})


def wish_fields(prefix: str, rules: Ruleset, deriver: Deriver, house: type[Schema]) -> dict[str, Any]:
    """What a set-up of one ruleset may wish for: its seats' choices, its options, its table as a position, its
    figures."""
    seats = Items(
        Within(_seat(prefix, rules)), required=True, validate=Length(rules.least_seats, rules.most_seats)
    )
    return {
        "ruleset": Choice([rules.version]),
        "seats": seats,
        "options": Within(_options(prefix, rules)),
        "chance": Within(ChanceWishSchema),
        "position": deriver.field(rules.board),
        "house": Within(house),
    }


def _seat(prefix: str, rules: Ruleset) -> type[Schema]:
    declared = {
        "id": SeatName(chance=False, required=True),
        "name": Text(validate=[Length(max=200), Pattern(NAME, "name")]),
        "automated": Bool(),
        **{name: Choice(values) for name, values in rules.choices.items()},
        **{name: _several(values) for name, values in rules.lists.items()},
        "__doc__": "A place at the table and what its player wishes for.",
    }
    return type(f"{prefix}SeatWishSchema", (Schema,), declared)


def _several(values: tuple[str, ...]) -> Items:
    """Several of these, each once."""
    return Items(Choice(values), validate=[Length(0, len(values)), Distinct()])


def _options(prefix: str, rules: Ruleset) -> type[Schema]:
    declared = {o.name: Choice(o.values, metadata={"default": o.default}) for o in rules.options.values()}
    return type(f"{prefix}OptionsSchema", (Schema,), {**declared, "__doc__": "The options of a set-up."})
