"""Words: texts for people. Ids, kinds and facts never change with the language; these do."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

from service.engine.rule import Rulebook, Violation

FALLBACK = "en"
PLACES = ("source", "target", "place", "deck")
SEATS = ("seat", "actor", "winners", "next", "active", "asked")


@dataclass(frozen=True)
class Words:
    """Templates and names of one game: `[actions]`, `[events]`, `[places]`, `[terms]`, and the names of components."""

    templates: Mapping[str, Any]
    names: Mapping[str, Mapping[str, str]]

    def name(self, value: str, language: str) -> str:
        """What people call a component, place or term; the id itself where it has no name."""
        for known in (self.names, self.templates.get("terms", {}), self.templates.get("places", {})):
            if value in known:
                return _in(known[value], language)
        return value

    def action(self, kind: str, language: str) -> str:
        """The label of an action kind."""
        entry = self.templates.get("actions", {}).get(kind)
        return _in(entry, language) if entry else kind

    def option(self, act: Mapping[str, Any], facts: Mapping[str, Any], language: str) -> str:
        """A sentence for one option."""
        entry = self.templates.get("actions", {}).get(act["kind"], {}).get("option")
        shown = {**act, **facts}
        return (
            self.fill(_in(entry, language), shown, language) if entry else self.action(act["kind"], language)
        )

    def event(self, event: Mapping[str, Any], language: str) -> str:
        """A sentence for one event, as its reader sees it."""
        entry = self.templates.get("events", {}).get(event["kind"])
        return self.fill(_in(entry, language), event, language) if entry else str(event["kind"])

    def message(self, violation: Violation, book: Rulebook, language: str) -> str:
        """A sentence for one violation: its clause's message, where all facts for it are there, else the clause."""
        rule = book[violation.rule]
        if rule.message is not None:
            template = _in(rule.message, language)
            if fields(template) <= violation.facts.keys():
                return self.fill(template, violation.facts, language)
        return _in(rule.text, language)

    def fill(self, template: str, facts: Mapping[str, Any], language: str) -> str:
        """The template with its facts named in the language; a fact that is missing is left out."""
        parts = []
        for text, field, spec, _ in Formatter().parse(template):
            parts.append(text)
            if field is not None:
                parts.append(self._field(facts, field, spec, language))
        return "".join(parts)

    def _field(self, facts: Mapping[str, Any], field: str, spec: str | None, language: str) -> str:
        """One fact of a template, by what its field names: a place, seats (ids stay), parts of an action, a number."""
        value = facts.get(field)
        if spec:
            return self._plural(facts, field, spec, language)
        if field in PLACES and not isinstance(value, str):
            return self.place(value, language)
        if field in SEATS:
            return (
                ", ".join(value)
                if isinstance(value, Sequence) and not isinstance(value, str)
                else str(value or "")
            )
        if field == "parts" and isinstance(value, Sequence):
            return "; ".join(self.option(part, {}, language).rstrip(".") for part in value)
        return self.show(value, language)

    def place(self, path: Sequence[str] | None, language: str) -> str:
        """What people call a place: `ann: magic spiral`, `energy decks (blue)`; None is the bank."""
        places = self.templates.get("places", {})
        if not path:
            return _in(places["bank"], language) if "bank" in places else ""
        names = [_in(places[p], language) if p in places else self.name(p, language) for p in path]
        if path[0] == "seats" and len(path) > 1:
            return ": ".join([path[1], *names[2:]])
        return names[0] if len(names) == 1 else f"{names[0]} ({', '.join(names[1:])})"

    def _plural(self, facts: Mapping[str, Any], field: str, spec: str, language: str) -> str:
        """`{n:card|cards}` or `{n:karta|karty|karet}`: the form that goes with the number."""
        forms = spec.split("|")
        n = facts.get(field)
        return forms[min(plural_form(n if isinstance(n, int) else 0, language), len(forms) - 1)]

    def show(self, value: Any, language: str) -> str:
        """A fact as people write it."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return self.name("yes" if value else "no", language)
        if isinstance(value, str):
            return self.name(value, language)
        if isinstance(value, Mapping):
            return ", ".join(f"{n} × {self.name(str(what), language)}" for what, n in value.items())
        if isinstance(value, Sequence):
            return ", ".join(self.show(v, language) for v in value)
        return str(value)


def fields(template: str) -> set[str]:
    """The facts that a template needs."""
    return {field for _, field, _, _ in Formatter().parse(template) if field}


def plural_form(n: int, language: str) -> int:
    """Which plural form a number takes: English one/other, Czech 1 / 2-4 / 5 and more."""
    if language == "cs":
        return 0 if n == 1 else 1 if 2 <= n <= 4 else 2
    return 0 if n == 1 else 1


def _in(entry: Mapping[str, Any], language: str) -> str:
    return str(entry.get(language, entry[FALLBACK]))


def load_words(path: Path, components: Mapping[str, Sequence[Mapping[str, Any]]]) -> Words:
    """Read a `words.toml` and take the names of all components."""
    names = {item["id"]: item["name"] for items in components.values() for item in items if "name" in item}
    return Words(tomllib.loads(path.read_text(encoding="utf-8")), names)
