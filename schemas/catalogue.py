"""What there is: games, rules, components."""

from __future__ import annotations

from schemas.adjudication import CitationSchema
from schemas.base import Anything, Bool, Choice, Int, Items, Keyed, Open, Schema, Text, Within


class SeatCountSchema(Schema):
    """How many seats a game takes."""

    least = Int(required=True)
    most = Int(required=True)


class SetupOptionSchema(Schema):
    """A set-up option, and the clause behind it."""

    name = Text(required=True)
    default = Anything(required=True)
    values = Items(Anything(), required=True)
    rule = Text(required=True)
    text = Text(required=True)


class GameSchema(Schema):
    """A game in short."""

    game = Text(required=True)
    name = Text(required=True)
    rulesets = Items(Text(), required=True)
    seats = Within(SeatCountSchema, required=True)
    options = Items(Within(SetupOptionSchema), required=True)


class GamesSchema(Schema):
    """All games."""

    games = Items(Within(GameSchema), required=True)


class ParameterSchema(Open):
    """A parameter of an action: the kind of its domain, the clause behind it, and what bounds its values."""

    name = Text(required=True)
    domain = Text(required=True)
    rule = Text(required=True)
    vocabulary = Items(Anything())
    least = Int()
    most = Int()
    kinds = Items(Text())


class FormSchema(Schema):
    """One form of an action kind: its parameters in order, and the clauses that bear on it."""

    parameters = Items(Within(ParameterSchema), required=True)
    rules = Items(Text(), required=True)


class ActionKindSchema(Schema):
    """An action kind. Several windows may have their own form of it."""

    kind = Text(required=True)
    text = Text(required=True)
    chance = Bool(required=True)
    forms = Items(Within(FormSchema), required=True)


class AddedSeatsSchema(Schema):
    """How many seats more, with whatever they wish for, may join a recommended set-up."""

    least = Int(required=True)
    most = Int(required=True)


class ScenarioSchema(Schema):
    """Recommended set-ups of one kind, which bind nobody.

    `source`: where they stand, and how sure they are; `players`: the seats of people; `options`: those that go with
    them; `mixes`: what the seats wish for, a list a set-up, empty where no data holds them. What is derived from the
    scenarios `of`: `adds`, how many seats more may join a mix of theirs; `replaces`, what takes the place of what.
    """

    id = Text(required=True)
    name = Text(required=True)
    rule = Text(required=True)
    text = Text(required=True)
    source = Within(CitationSchema, required=True)
    certainty = Choice(["rulebook", "described", "derived", "assumed"], required=True)
    players = Within(SeatCountSchema, required=True)
    options = Keyed(values=Anything(), required=True)
    mixes = Items(Items(Keyed(values=Anything())), required=True)
    of = Items(Text())
    adds = Within(AddedSeatsSchema)
    replaces = Keyed(values=Text())


class GameDetailsSchema(GameSchema):
    """One game: how it is set up, and every action kind.

    `choices`: what a seat may wish for, one value a field; `lists`: fields for which it may name several values.
    """

    ruleset = Text(required=True)
    choices = Keyed(values=Items(Text()), required=True)
    lists = Keyed(values=Items(Text()), required=True)
    scenarios = Items(Within(ScenarioSchema), required=True)
    actions = Items(Within(ActionKindSchema), required=True)


class RuleSchema(Schema):
    """One clause of a rulebook."""

    id = Text(required=True)
    chapter = Text(required=True)
    citation = Within(CitationSchema, required=True)
    text = Text(required=True)


class RulesSchema(Schema):
    """All clauses, in the order of the rulebook."""

    rules = Items(Within(RuleSchema), required=True)


class ComponentSchema(Open):
    """A component: its id, its name, its figures, and how sure each figure is."""

    id = Text(required=True)
    name = Text()
    certainty = Anything()


class ComponentsSchema(Schema):
    """The components by kind."""

    components = Keyed(values=Items(Within(ComponentSchema)), required=True)
