"""Rules, citations and violations: what a refusal rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "cs")


class RulebookError(Exception):
    """A rulebook that cannot be used: a broken entry, or an id that the code names and the book lacks."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One clause of a rulebook: a stable id, where it stands, and its text in every language."""

    id: str
    chapter: str
    nature: str
    document: str
    page: int | None
    text: Mapping[str, str]
    message: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    rulings: tuple[str, ...] = ()
    section: str | None = None

    @property
    def citation(self) -> dict[str, Any]:
        """`{"document", "page"?, "section"?, "rulings"?}`, as it stands in every answer."""
        cited: dict[str, Any] = {"document": self.document}
        if self.page is not None:
            cited["page"] = self.page
        if self.section is not None:
            cited["section"] = self.section
        if self.rulings:
            cited["rulings"] = list(self.rulings)
        return cited


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All clauses of one ruleset in the order of the book, with its chapters and documents."""

    rules: Mapping[str, Rule]
    chapters: Mapping[str, Mapping[str, str]]
    documents: Mapping[str, Mapping[str, str]]

    def __getitem__(self, rule: str) -> Rule:
        """The clause with this id; RulebookError if there is none."""
        try:
            return self.rules[rule]
        except KeyError:
            raise RulebookError(f"the rulebook has no clause {rule}") from None

    def require(self, ids: Iterable[str], where: str) -> None:
        """Fail if an id that the code names is not in the book."""
        missing = sorted({i for i in ids if i not in self.rules})
        if missing:
            raise RulebookError(f"{where} names clauses that the rulebook lacks: {', '.join(missing)}")


def load_rulebook(path: Path) -> Rulebook:
    """Read a `rulebook.toml`; RulebookError names the entry that is broken."""
    try:
        book = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as broken:
        raise RulebookError(f"{path.name}: {broken}") from None
    chapters, documents = book.get("chapters", {}), book.get("documents", {})
    rules: dict[str, Rule] = {}
    for entry in book.get("rule", ()):
        rule = _rule(entry)
        if rule.id in rules:
            raise RulebookError(f"{path.name}: {rule.id} stands twice")
        if rule.chapter not in chapters or rule.document not in documents:
            raise RulebookError(
                f"{path.name}: {rule.id} stands in {rule.chapter} of {rule.document}: unknown"
            )
        rules[rule.id] = rule
    made = Rulebook(rules, chapters, documents)
    made.require((other for rule in rules.values() for other in rule.rulings), path.name)
    return made


def _rule(entry: Mapping[str, Any]) -> Rule:
    try:
        text = {language: entry[language] for language in LANGUAGES}
        return Rule(
            id=entry["id"],
            chapter=entry["chapter"],
            nature=entry["nature"],
            document=entry["document"],
            page=entry.get("page"),
            text=text,
            message=entry.get("message"),
            rulings=tuple(entry.get("rulings", ())),
            section=entry.get("section"),
        )
    except KeyError as lacking:
        raise RulebookError(f"rule {entry.get('id', '?')} lacks {lacking}") from None


def pointer(*names: object) -> str:
    """A JSON Pointer to these names, one below the other."""
    return "".join([f"/{_escaped(str(name))}" for name in names])


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1") if "~" in name or "/" in name else name


BROKEN_RULE = "broken-rule"
NOT_YOUR_DECISION = "not-your-decision"
UNKNOWN_VALUE = "unknown-value"
CARD_ELSEWHERE = "card-elsewhere"  # in a session: what came up lies where its bearer does not see it


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason for a refusal: the clause, what it is about (JSON Pointers into the action), and the facts."""

    reason: str
    rule: str
    about: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def under(self, pointer: str) -> Violation:
        """The same violation seen from an action that holds this one at `pointer`."""
        about = tuple(pointer + a for a in self.about) or (pointer,)
        return Violation(self.reason, self.rule, about, self.facts)
