"""Words: texts for people. Ids, kinds and facts never change with the language; these do.

A text is a template over facts. `{gem}` names a fact, `{gem:acc}` in another form of the noun, `{n:card|cards}` chooses
the form that goes with the number n, `{target.seat}` and `{place.last}` name the seat and the last part of a path.
Where one template does not do for all cases there is a list of them; the first whose `when` holds, and whose facts are
all there, is taken. `docs/architecture.md` says more.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from service.engine.message import CHANCE, FALLBACK, Message, catalogue
from service.engine.rule import Rulebook, Violation

PLACES = frozenset(("source", "target", "place", "deck"))
SEATS = frozenset(("seat", "actor", "winners", "next", "asked", "seats"))
KINDS = frozenset(("kind", "takes"))
IDS = frozenset(("frame", "below", "step", "name", "clause", "listed", "given", "wanted", "values", "field"))
AND = {"en": " and ", "cs": " a "}
OR = {"en": " or ", "cs": " nebo "}
NOTHING = {"en": "nothing", "cs": "nic"}
Facts = Mapping[str, Any]
Entry = Mapping[str, Any] | Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Words:
    """Templates and names of one game, from its `words.toml` and its components.

    `[actions]` and `[notes]` by kind, `[events]` by kind, `[explained]` by what it is about,
    `[problems]` by English template, `[places]`, `[terms]`,
    `[scores]`, and `[nouns]`: forms of names, `{language: {form: "one|other"}}` with any forms that templates name.
    """

    templates: Mapping[str, Any]
    names: Mapping[str, Mapping[str, str]]
    choices: dict[int, Choice] = field(default_factory=dict, repr=False, compare=False)
    told: dict[tuple[str, str, str], str] = field(default_factory=dict, repr=False, compare=False)

    def voice(self, language: str, people: Mapping[str, str] | None = None) -> Voice:
        """One who tells things in a language and calls seats by what they are called (by their ids, if by nothing)."""
        return Voice(self, language, people or {})

    def name(self, value: str, language: str) -> str:
        """What people call a component, place or term; the id itself where it has no name."""
        return self.voice(language).name(value)

    def action(self, kind: str, language: str) -> str:
        """The label of an action kind."""
        return self.voice(language).action(kind)

    def option(self, act: Facts, facts: Facts, language: str) -> str:
        """A sentence for one option."""
        return self.voice(language).option(act, facts)

    def event(self, event: Facts, language: str) -> str:
        """A sentence for one event, as its reader sees it."""
        return self.voice(language).event(event)

    def message(self, violation: Violation, book: Rulebook, language: str) -> str:
        """A sentence for one violation."""
        return self.voice(language).message(violation, book)

    def show(self, value: Any, language: str) -> str:
        """A fact as people write it."""
        return self.voice(language).show(value)

    def choice(self, entry: Entry) -> Choice:
        """The templates of an entry, which stays the same object."""
        found = self.choices.get(id(entry))
        if found is None:
            found = self.choices[id(entry)] = Choice(entry)
        return found

    @cached_property
    def named(self) -> tuple[Mapping[str, Any], ...]:
        """What has a name: components, terms, places."""
        return self.names, self.section("terms"), self.section("places")

    @cached_property
    def nouns(self) -> Mapping[str, Any]:
        """The forms of names."""
        return self.section("nouns")

    def section(self, name: str) -> Mapping[str, Any]:
        """A table of the game's words; empty where it has none."""
        found: Mapping[str, Any] = self.templates.get(name, {})
        return found


@dataclass(frozen=True)
class Voice:
    """Tells what happens in one game, in one language; `people`: what seats are called."""

    words: Words
    language: str
    people: Mapping[str, str] = field(default_factory=dict)

    # -- whole texts ----------------------------------------------------------------------------------------------

    def action(self, kind: str) -> str:
        """The label of an action kind."""
        entry = self.words.section("actions").get(kind)
        return self._in(entry) if entry else kind

    def option(self, act: Facts, facts: Facts) -> str:
        """A sentence for one option: the action (or an example of the family) with what else is known of it."""
        entry = self.words.section("actions").get(act["kind"], {}).get("option")
        told = self._told(entry, {**act, **facts}) if entry else None
        return self.action(act["kind"]) if told is None else told

    def note(self, note: Facts) -> str:
        """A sentence for a private warning."""
        entry = self.words.section("notes").get(note["note"])
        told = self._told(entry, note) if entry else None
        return str(note["note"]) if told is None else told

    def event(self, event: Facts) -> str:
        """A sentence for one event, as its reader sees it."""
        entry = self.words.section("events").get(event["kind"])
        told = self._told(entry, event) if entry else None
        return str(event["kind"]) if told is None else told

    def explained(self, facts: Facts) -> str:
        """A sentence for what the rules chose by themselves."""
        entry = self.words.section("explained").get(facts["about"])
        told = self._told(entry, facts) if entry else None
        return str(facts["about"]) if told is None else told

    def message(self, violation: Violation, book: Rulebook) -> str:
        """A sentence for one violation: its clause's message, where all its facts are there, else reason and clause."""
        rule = book[violation.rule]
        if rule.message is not None and (told := self._told(rule.message, violation.facts)) is not None:
            return told
        clause = self._in(rule.text)
        entry = catalogue()["refusals"].get(violation.reason)
        told = self._told(entry, {**_short(violation.facts), "clause": clause}) if entry else None
        return clause if told is None else told

    def problem(self, message: str) -> str:
        """A sentence for what is wrong with a state or a set-up; a string that is in no catalogue stays as it is."""
        template, facts = (
            (message.template, message.facts) if isinstance(message, Message) else (str(message), {})
        )
        entry = self.words.section("problems").get(template) or catalogue()["problems"].get(template)
        if entry is None:
            return str(message)
        text = self._in({FALLBACK: template, **entry})
        told = self.fill(text, facts)
        sentence = told if text[:1] == "{" else _capital(told)
        return sentence if sentence.endswith("!") else sentence + "."

    def score(self, part: str) -> str:
        """What a part of the final score is called."""
        entry = self.words.section("scores").get(part)
        return self._in(entry) if entry else self.name(part)

    # -- templates ------------------------------------------------------------------------------------------------

    def _told(self, entry: Entry, facts: Facts) -> str | None:
        """The first template that applies, filled in; None if none does."""
        one = self.words.choice(entry).first(facts, self.language)
        if one is None:
            return None
        return self.fill(self._in(one), _renamed(facts, one["prefix"]) if "prefix" in one else facts)

    def fill(self, template: str, facts: Facts) -> str:
        """The template with its facts as people write them; a fact that is missing is left out.

        A name that ends a sentence by itself (`Stand and Deliver!`) needs no full stop.
        """
        pieces = []
        for text, name, part, spec, how in _pieces(template):
            pieces.append(text)
            if how == SHOWN:
                pieces.append(self.show(facts.get(name), spec))
            elif how == SEATED:
                pieces.append(self.seats(facts.get(name)))
            elif how == OPENING:
                pieces.append(self._opening(facts, name, part, spec))
            elif name:
                pieces.append(self._field(facts, name, part, spec))
        told = "".join(pieces)
        return told.replace("!.", "!") if "!." in told else told

    def _field(self, facts: Facts, name: str, part: str, spec: str) -> str:
        """One fact of a template: by what its field is called, what follows it, or what kind of value it is."""
        value = facts.get(name)
        if "|" in spec:
            forms = spec.split("|")
            n = value if isinstance(value, int) else 0
            return forms[min(plural_form(n, self.language), len(forms) - 1)]
        if part:
            return self._part(value, part, spec)
        if name in PLACES and not isinstance(value, str):
            return self.place(value)
        if spec == "or":
            return self.alternatives(value)
        if name in SEATS or spec == "seats":
            return self.seats(value)
        if name in IDS:
            return str(value)
        if name in KINDS:
            kinds = (value,) if isinstance(value, str) else value or ()
            return self._all([self.action(str(kind)) for kind in kinds], OR)
        if name == "parts" and isinstance(value, Sequence):
            return "; ".join(self._lower(self.option(part, {})) for part in value)
        return self.show(value, spec)

    def _opening(self, facts: Facts, name: str, part: str, spec: str) -> str:
        """A fact that a sentence begins with: a name of ours gets a capital there.

        Ids stay as they are, for clients send them and look for them: seats (and what people are called), fields,
        steps, and whatever the game has no name for, such as what somebody made up.
        """
        told, value = self._field(facts, name, part, spec), facts.get(name)
        return _capital(told) if self._ours(value[-1] if part and value else value, spec) else told

    def _ours(self, value: Any, form: str) -> bool:
        """Whether the text of a fact begins with a word of ours: a name, a label, `yes`, `nothing`, the bank."""
        if isinstance(value, str):
            known = self._sought(value, form or "nom") is not None
            return known or value in self.words.section("actions")
        if isinstance(value, Mapping):
            return not value or self._ours(min(value), form)
        if not isinstance(value, Sequence) or not value:
            return True
        return not _own(value) and self._ours(value[0], form)

    def _part(self, path: Any, part: str, spec: str) -> str:
        if not path or not (type(path) is list or isinstance(path, Sequence)):
            return ""
        if part == "seat":
            return self.seats(path[1]) if path[0] == "seats" and len(path) > 1 else ""
        return self.name(str(path[-1]), spec)

    def _lower(self, sentence: str) -> str:
        """A sentence as a part of another."""
        return sentence[:1].lower() + sentence[1:].rstrip(".")

    # -- values ---------------------------------------------------------------------------------------------------

    def name(self, value: str, form: str = "") -> str:
        """What people call a component, term or place, in a form where it has that; the id where it has no name."""
        told = self.words.told
        found = told.get((value, form, self.language))
        if found is None:
            found = self._sought(value, form)
            if found is None:
                return value  # whatever a client wrote: not to be remembered
            told[value, form, self.language] = found
        return found

    def _sought(self, value: str, form: str) -> str | None:
        """The name of what has one."""
        forms = self._forms(value)
        if form in forms:
            return forms[form].partition("|")[0]
        for known in self.words.named:
            if value in known:
                return self._in(known[value])
        return None

    def counted(self, what: str, n: Any, form: str = "") -> str:
        """`an opal`, `2 opals`, `2 × Spellbook`; `opál`, `5 opálů`."""
        forms = self._forms(what)
        if n == 1:
            return forms["a"] if not form and "a" in forms else self.name(what, form or "nom")
        ways = forms.get(form, forms.get("nom", "")).split("|")
        if len(ways) > 1 and isinstance(n, int):
            return f"{n} {ways[min(plural_form(n, self.language), len(ways) - 1)]}"
        return f"{self.show(n)} × {self.name(what, form)}"

    def _forms(self, what: str) -> Mapping[str, str]:
        found: Mapping[str, str] = self.words.nouns.get(what, {}).get(self.language, {})
        return found

    def seats(self, value: Any) -> str:
        """Seats by what they are called."""
        if isinstance(value, str):
            return self._in(catalogue()["chance"]) if value == CHANCE else self.people.get(value, value)
        return self._all([self.seats(seat) for seat in value]) if isinstance(value, Sequence) else ""

    def place(self, path: Sequence[str] | None) -> str:
        """What people call a place: `ann: magic spiral`, `energy decks (blue)`; None is the bank."""
        places = self.words.section("places")
        if not path:
            return self._in(places["bank"]) if "bank" in places else ""
        own = _own(path)
        first, *rest = path[2:] if own else path
        named = self._in(places[first]) if first in places else self.name(first)
        more = ", ".join(self.name(p) for p in rest)
        return (f"{self.seats(path[1])}: " if own else "") + (f"{named} ({more})" if more else named)

    def show(self, value: Any, form: str = "") -> str:
        """A fact as people write it."""
        if isinstance(value, str):
            return self.name(value, form)
        if type(value) is dict and len(value) == 1:
            ((what, n),) = value.items()
            return self.counted(str(what), n, form)
        if value is None:
            return ""
        if isinstance(value, bool):
            return self.name("yes" if value else "no")
        if isinstance(value, int):
            return str(value)
        if isinstance(value, Mapping):
            things = sorted(value.items())  # however the client had ordered them
            return self._all([self.counted(str(what), n, form) for what, n in things])
        if isinstance(value, Sequence):
            return self._all([self.show(v, form) for v in value])
        return str(value)

    def alternatives(self, value: Any) -> str:
        """Several things of which one is meant, each of which may be several, or nothing: `2 wood, or 1 stone and 1
        wood`."""
        one = isinstance(value, str | Mapping) or not isinstance(value, Sequence)
        word = "," + OR.get(self.language, OR[FALLBACK])
        nothing = NOTHING.get(self.language, NOTHING[FALLBACK])
        return word.join(self.show(v) or nothing for v in ([value] if one else value))

    def _all(self, shown: Sequence[str], word: Mapping[str, str] = AND) -> str:
        """`a, b and c`."""
        if len(shown) < 2:
            return "".join(shown)
        return ", ".join(shown[:-1]) + word.get(self.language, word[FALLBACK]) + shown[-1]

    def _in(self, entry: Mapping[str, Any]) -> str:
        return str(entry.get(self.language, entry[FALLBACK]))


# -- templates, and which one applies ---------------------------------------------------------------------------------


def fields(template: str) -> frozenset[str]:
    """The facts that a template needs."""
    return _fields(template)


@lru_cache(maxsize=4096)
def _fields(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in _parsed(template) if name)


SHOWN, SEATED, OPENING, OTHER = "shown", "seated", "opening", "other"


@lru_cache(maxsize=4096)
def _pieces(template: str) -> tuple[tuple[str, str, str, str, str], ...]:
    """The same, with what kind of fact a field is wherever that does not depend on its value."""
    return tuple(
        (*piece, OPENING if not n and _opens(*piece) else _how(*piece[1:]))
        for n, piece in enumerate(_parsed(template))
    )


def _opens(text: str, name: str, part: str, spec: str) -> bool:
    """Whether the first piece of a template begins with a fact that may be a name of ours: no seat and no id."""
    return bool(name) and not text and part != "seat" and name not in IDS and _how(name, part, spec) != SEATED


def _how(name: str, part: str, spec: str) -> str:
    if not name or part or "|" in spec or spec == "or" or name in PLACES:
        return OTHER
    if name in SEATS or spec == "seats":
        return SEATED
    return OTHER if name in IDS or name in KINDS or name == "parts" else SHOWN


@lru_cache(maxsize=4096)
def _parsed(template: str) -> tuple[tuple[str, str, str, str], ...]:
    """Text, field, what follows the field's dot and what follows its colon, piece by piece."""
    found = []
    for text, fact, spec, _ in Formatter().parse(template):
        name, _, part = (fact or "").partition(".")
        found.append((text, name, part, spec or ""))
    return tuple(found)


def variants(entry: Entry) -> Iterator[Mapping[str, Any]]:
    """The templates of an entry: the entry itself, or those in its list."""
    yield from (entry,) if isinstance(entry, Mapping) else entry


class Choice:
    """The templates of one entry. Which one applies depends on few facts, so that it is looked for once."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry  # kept, for it is known by its identity
        self.texts = tuple(variants(entry))
        self.asked = tuple(sorted({name for text in self.texts for name in text.get("when", {})}))
        told = [text[language] for text in self.texts for language in AND if language in text]
        self.needed = tuple(sorted(frozenset().union(*map(fields, told))))
        self.found: dict[Any, Mapping[str, Any] | None] = {}

    def first(self, facts: Facts, language: str) -> Mapping[str, Any] | None:
        """The first template whose conditions hold and whose facts are all there; None if there is none."""
        seen = tuple([_text(facts[name]) if name in facts else None for name in self.asked])
        key = language, seen, tuple([name in facts for name in self.needed])
        found: Mapping[str, Any] | None = self.found.get(key, UNKNOWN)
        if found is UNKNOWN:
            if len(self.found) >= REMEMBERED:
                self.found.clear()
            found = self.found[key] = self._sought(dict(zip(self.asked, seen, strict=True)), facts, language)
        return found

    def _sought(
        self, seen: Mapping[str, str | None], facts: Facts, language: str
    ) -> Mapping[str, Any] | None:
        for text in self.texts:
            if (
                _holds(text.get("when", {}), seen)
                and fields(text.get(language, text[FALLBACK])) <= facts.keys()
            ):
                return text
        return None


REMEMBERED = 512
UNKNOWN: Any = object()


def _holds(when: Mapping[str, Any], seen: Mapping[str, str | None]) -> bool:
    """Whether facts are as a template wants them: `{fact: pattern, or several}`, `*` standing for anything."""
    for name, wanted in when.items():
        text = seen[name]
        if text is None or not any(fnmatchcase(text, w) for w in _several(wanted)):
            return False
    return True


def _several(wanted: str | Sequence[str]) -> Sequence[str]:
    return (wanted,) if isinstance(wanted, str) else wanted


def _capital(text: str) -> str:
    """A text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _own(path: Sequence[str]) -> bool:
    """Whether a place is told as that of a seat, which then stands first."""
    return path[0] == "seats" and len(path) > 2


def _text(value: Any) -> str:
    """A fact as conditions see it: a path by its parts, `none`, `true`, `20`; nothing for what is empty."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if kind is int:
        return str(value)
    if isinstance(value, str):
        return value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "/".join([str(v) for v in value])
    if not isinstance(value, int) and isinstance(value, Mapping):
        return "/".join([str(key) for key in sorted(value)])
    return str(value)


def _renamed(facts: Facts, prefix: str) -> Facts:
    """The same facts, the things that move called by longer ids: what is `blue` there is `concentrated-blue`."""
    return {**facts, "what": {prefix + what: n for what, n in facts["what"].items()}}


SHORT = 40


def _short(facts: Facts) -> Facts:
    """Facts without a value that no sentence should quote: it is of no simple type, or too long."""
    value = facts.get("value")
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or number or (isinstance(value, str) and 0 < len(value) <= SHORT):
        return facts
    return {k: v for k, v in facts.items() if k != "value"}


def plural_form(n: int, language: str) -> int:
    """Which plural form a number takes: English one/other, Czech 1 / 2-4 / 5 and more."""
    if language == "cs":
        return 0 if n == 1 else 1 if 2 <= n <= 4 else 2
    return 0 if n == 1 else 1


def people(seats: Sequence[Any]) -> dict[str, str]:
    """What the seats are called, by id: their names, where they have one that belongs to nobody else."""
    taken = [seat.name for seat in seats]
    ids = {seat.id for seat in seats}
    return {
        seat.id: seat.name
        for seat in seats
        if seat.name
        and seat.name.strip()
        and taken.count(seat.name) == 1
        and seat.name not in ids - {seat.id}
    }


def load_words(path: Path, components: Mapping[str, Sequence[Mapping[str, Any]]]) -> Words:
    """Read a `words.toml` and take the names of all components."""
    names = {item["id"]: item["name"] for items in components.values() for item in items if "name" in item}
    return Words(tomllib.loads(path.read_text(encoding="utf-8")), names)
