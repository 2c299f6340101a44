"""What a ruleset says of itself: options, action kinds, clauses, components."""

import re
from collections.abc import Mapping
from typing import Any

from service.engine.action import Action
from service.engine.domain import Domain
from service.engine.registry import Registry
from service.engine.rule import Rule
from service.engine.ruleset import Option, Ruleset
from service.engine.wishes import Scenario

Json = dict[str, Any]


def game(rules: Ruleset, registry: Registry, language: str) -> Json:
    """A game in short."""
    return {
        "game": rules.game,
        "name": rules.words.name(rules.game, language),
        "rulesets": registry.versions(rules.game),
        "seats": {"least": rules.least_seats, "most": rules.most_seats},
        "options": [_option(rules, o, language) for o in rules.options.values()],
    }


def details(rules: Ruleset, registry: Registry, language: str) -> Json:
    """A game with its seats' choices and every action kind."""
    return {
        **game(rules, registry, language),
        "ruleset": rules.version,
        "choices": {name: list(values) for name, values in rules.choices.items()},
        "lists": {name: list(values) for name, values in rules.lists.items()},
        "scenarios": [_scenario(rules, s, language) for s in rules.scenarios],
        "actions": [_kind(rules, kind, language) for kind in rules.kinds],
    }


def _option(rules: Ruleset, option: Option, language: str) -> Json:
    return {
        "name": option.name,
        "default": option.default,
        "values": list(option.values),
        "rule": option.rule,
        "text": rules.book[option.rule].text[language],
    }


def _scenario(rules: Ruleset, scenario: Scenario, language: str) -> Json:
    cited: Json = {"document": scenario.document}
    told: Json = {
        "id": scenario.id,
        "name": rules.words.name(scenario.id, language),
        "rule": scenario.rule,
        "text": rules.book[scenario.rule].text[language],
        "source": cited if scenario.page is None else {**cited, "page": scenario.page},
        "certainty": scenario.certainty,
        "players": {"least": scenario.players[0], "most": scenario.players[1]},
        "options": dict(scenario.options),
        "mixes": [[dict(seat) for seat in mix] for mix in scenario.mixes],
    }
    told |= {"of": list(scenario.of)} if scenario.of else {}
    told |= {"replaces": dict(scenario.replaces)} if scenario.replaces else {}
    if scenario.adds is not None:
        told["adds"] = {"least": scenario.adds[0], "most": scenario.adds[1]}
    return told


def _kind(rules: Ruleset, kind: str, language: str) -> Json:
    classes = rules.kinds[kind]
    forms = [_form(c) for c in classes]
    return {
        "kind": kind,
        "text": rules.words.action(kind, language),
        "chance": any(c.chance for c in classes),
        "forms": [f for i, f in enumerate(forms) if f not in forms[:i]],
    }


def _form(cls: type[Action]) -> Json:
    parameters = [parameter(d) for d in cls.params.values()]
    return {"parameters": parameters, "rules": list(dict.fromkeys(cls.rules()))}


def parameter(domain: Domain) -> Json:
    """A parameter: the kind of its domain, its clause, and what bounds its values without a table."""
    shown: Json = {"name": domain.name, "domain": _domain_kind(domain), "rule": domain.rule}
    vocabulary = getattr(domain, "vocabulary", None)
    if vocabulary:
        shown["vocabulary"] = list(vocabulary)
    for bound in ("least", "most"):
        value = getattr(domain, bound, None)
        if isinstance(value, int):
            shown[bound] = value
    parts = getattr(domain, "of", None)
    if isinstance(parts, tuple):
        shown["kinds"] = [c.kind for c in parts]
    return shown


def _domain_kind(domain: Domain) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(domain).__name__.strip("_")).lower()


def rule(clause: Rule, language: str) -> Json:
    """A clause in the language."""
    return {
        "id": clause.id,
        "chapter": clause.chapter,
        "citation": clause.citation,
        "text": clause.text[language],
    }


def components(rules: Ruleset, language: str, house: Json | None = None) -> Json:
    """The components with their names in the language; with the figures of a house, if one is given."""
    shown = rules.houses.shown(house or {})
    return {kind: [_component(c, language) for c in found] for kind, found in shown.items()}


def _component(component: Mapping[str, Any], language: str) -> Json:
    name = component.get("name")
    return {**component, "name": name[language]} if isinstance(name, Mapping) else dict(component)
