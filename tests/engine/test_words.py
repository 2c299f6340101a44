"""The engine's own texts, and how templates are chosen and filled in."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from service.engine.message import catalogue, say
from service.engine.rule import Rule, Rulebook, Violation
from service.engine.words import REMEMBERED, Words, fields, people, variants

SERVICE = Path(__file__).parents[2] / "service"
REFUSED = ("Problem",)


# -- every message has its Czech -----------------------------------------------------------------------------------


def told_in(module: Path) -> Iterator[tuple[str, str | None]]:
    """Every template that a module says, and every message that it gives as it is (None: no constant), and where."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            at = f"{module.relative_to(SERVICE)}:{node.lineno}"
            if node.func.id == "say" and "http" not in module.parts:
                yield at, constant(node.args[0])
            elif node.func.id in REFUSED and "http" not in module.parts:
                yield from [
                    (at, constant(a)) for a in node.args[1:2] if isinstance(a, ast.Constant | ast.JoinedStr)
                ]


def constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


# Those of games that are not registered yet count as well.
GAMES = [
    tomllib.loads(path.read_text(encoding="utf-8"))["problems"]
    for path in sorted(SERVICE.rglob("words.toml"))
]
SAID = [(at, said) for module in sorted(SERVICE.rglob("*.py")) for at, said in told_in(module)]


def translation(template: str) -> Any:
    """The translation of a template: the engine's, or that of a game."""
    return next((t[template] for t in (catalogue()["problems"], *GAMES) if template in t), None)


@pytest.mark.parametrize(("at", "template"), SAID)
def test_every_message_about_states_and_set_ups_has_its_czech(at: str, template: str | None) -> None:
    assert template is not None, f"{at}: say() a constant template, so that it can be translated"
    found = translation(template)
    assert found is not None, f"{at}: {template!r} is in no [problems]"
    assert found["cs"].strip()
    assert found["cs"] != template
    assert fields(found["cs"]) <= fields(template)
    assert fields(found.get("en", template)) == fields(template)


def test_no_translation_is_left_over() -> None:
    said = {template for _, template in SAID}
    assert [t for t in catalogue()["problems"] if t not in said] == []
    assert [t for table in GAMES for t in table if t not in said] == []


def test_every_reason_has_a_sentence_that_needs_the_clause_alone() -> None:
    reasons = {"broken-rule", "card-elsewhere", "not-your-decision", "unknown-value"}
    assert set(catalogue()["refusals"]) == reasons
    for entry in catalogue()["refusals"].values():
        assert all(fields(text["en"]) == fields(text["cs"]) for text in variants(entry))
        last = list(variants(entry))[-1]
        assert (last.get("when"), fields(last["en"])) == (None, {"clause"})


# -- choosing and filling in ----------------------------------------------------------------------------------------

WORDS = Words(
    {
        "events": {
            "moved": [
                {
                    "when": {"source": "supply", "target": "seats/*/hand", "because": ["A-1", "A-2"]},
                    "en": "{target.seat} buys {what}.",
                    "cs": "{target.seat} kupuje {what:acc}.",
                },
                {
                    "when": {"target": "none"},
                    "en": "{source.seat} pays {what}.",
                    "cs": "{source.seat} platí {what}.",
                },
                {
                    "when": {"source": "deck/*"},
                    "prefix": "back-",
                    "en": "{what} ({source.last})",
                    "cs": "{what}",
                },
                {"en": "{what}: {source} → {target}", "cs": "{what}: {source} → {target}"},
            ],
            "scored": {"en": "{n} {n:point|points}", "cs": "{n} {n:bod|body|bodů}"},
            "won": {"en": "Won by {winners}.", "cs": "Vítězí {winners}."},
        },
        "actions": {
            "bid": {
                "en": "bid",
                "cs": "přihodit",
                "option": [
                    {
                        "when": {"open": "amount"},
                        "en": "Bid {amount} or more.",
                        "cs": "Přihodit {amount} nebo více.",
                    },
                    {"en": "Bid {amount} for {card}.", "cs": "Přihodit {amount} na {card:acc}."},
                    {"en": "Bid {amount}.", "cs": "Přihodit {amount}."},
                ],
            },
            "both": {
                "en": "both",
                "cs": "obojí",
                "option": {"en": "Do both: {parts}.", "cs": "Obojí: {parts}."},
            },
        },
        "notes": {"beware": {"en": "It costs {price}.", "cs": "Stojí to {price}."}},
        "problems": {"{card} lies here twice": {"cs": "dvakrát tu leží {card}"}},
        "places": {"hand": {"en": "hand", "cs": "ruka"}, "bank": {"en": "bank", "cs": "bank"}},
        "terms": {"yes": {"en": "yes", "cs": "ano"}},
        "nouns": {
            "book": {
                "en": {"nom": "book|books", "a": "a book"},
                "cs": {"nom": "kniha|knihy|knih", "acc": "knihu|knihy|knih"},
            },
            "owl": {"cs": {"acc": "sovu"}},
        },
        "scores": {"hand": {"en": "cards", "cs": "karty"}},
    },
    {
        "book": {"en": "book", "cs": "kniha"},
        "owl": {"en": "Owl", "cs": "Sova"},
        "back-owl": {"en": "owl's back", "cs": "rub sovy"},
    },
)
ENGLISH, CZECH = (WORDS.voice(language, {"ann": "Anna"}) for language in ("en", "cs"))


def moved(source: Any, target: Any, because: str = "A-1", **what: int) -> dict[str, Any]:
    return {"kind": "moved", "because": because, "what": what, "source": source, "target": target}


@pytest.mark.parametrize(
    ("n", "english", "czech"),
    [
        (1, "a book", "knihu"),
        (2, "2 books", "2 knihy"),
        (4, "4 books", "4 knihy"),
        (5, "5 books", "5 knih"),
        (11, "11 books", "11 knih"),
        (22, "22 books", "22 knih"),
    ],
)
def test_counted_things_take_their_plural(n: int, english: str, czech: str) -> None:
    event = moved(["supply"], ["seats", "ann", "hand"], book=n)
    assert (ENGLISH.event(event), CZECH.event(event)) == (f"Anna buys {english}.", f"Anna kupuje {czech}.")


@pytest.mark.parametrize(
    ("n", "english", "czech"), [(1, "point", "bod"), (3, "points", "body"), (0, "points", "bodů")]
)
def test_a_number_chooses_the_form_of_what_it_counts(n: int, english: str, czech: str) -> None:
    event = {"kind": "scored", "n": n}
    assert (ENGLISH.event(event), CZECH.event(event)) == (f"{n} {english}", f"{n} {czech}")


def test_the_first_template_whose_conditions_hold_is_taken() -> None:
    to_ann, ann = ["seats", "ann", "hand"], ["seats", "ann", "purse"]
    assert ENGLISH.event(moved(["supply"], to_ann, "A-2", owl=1)) == "Anna buys Owl."
    assert ENGLISH.event(moved(["supply"], to_ann, "A-3", owl=1)) == "Owl: supply → Anna: hand"
    assert ENGLISH.event(moved(ann, None, owl=2, book=1)) == "Anna pays a book and 2 × Owl."
    assert ENGLISH.event(moved(["deck", "owl"], ["hand"], owl=1)) == "Owl's back (Owl)"
    assert CZECH.event(moved(["hand"], ["box", "owl"], owl=1, book=2)) == "2 knihy a Sova: ruka → box (Sova)"


def test_a_template_whose_facts_are_not_all_there_is_passed_over() -> None:
    bid = {"kind": "bid", "amount": 7}
    assert CZECH.option(bid, {"card": "owl"}) == "Přihodit 7 na sovu."
    assert CZECH.option(bid, {}) == "Přihodit 7."
    assert ENGLISH.option(bid, {"open": ["amount"]}) == "Bid 7 or more."
    assert ENGLISH.option({"kind": "bid"}, {}) == "bid"


def test_parts_are_told_inside_a_sentence() -> None:
    parts = [{"kind": "bid", "amount": 1}, {"kind": "bid", "amount": 2}]
    assert ENGLISH.option({"kind": "both", "parts": parts}, {}) == "Do both: bid 1; bid 2."


def test_seats_go_by_their_names_and_chance_by_its_word() -> None:
    assert ENGLISH.event({"kind": "won", "winners": ["ann", "bob"]}) == "Won by Anna and bob."
    assert (ENGLISH.seats(["chance"]), CZECH.seats("chance")) == ("chance", "náhoda")


def test_alternatives_are_told_apart_from_what_belongs_together() -> None:
    either = {"price": [{"opal": 2}, {"opal": 1, "ruby": 1}]}
    voices = [Words({}, {}).voice(language) for language in ("en", "cs")]
    assert [v.fill("{price:or}", either) for v in voices] == [
        "2 × opal, or opal and ruby",
        "2 × opal, nebo opal a ruby",
    ]
    assert [v.fill("{price:or}", {"price": {"opal": 2}}) for v in voices] == ["2 × opal"] * 2
    free = {"price": [{}, {"opal": 1}]}
    assert [v.fill("= {price:or}", free) for v in voices] == ["= nothing, or opal", "= nic, nebo opal"]


@pytest.mark.parametrize(
    ("template", "fact", "english", "czech"),
    [
        ("{card} lies here.", "book", "Book lies here.", "Kniha lies here."),
        ("{card} lies here.", "owl", "Owl lies here.", "Sova lies here."),
        ("{card} lies here.", "dice", "dice lies here.", "dice lies here."),  # the game has no name for it
        ("{card:acc} it is.", "book", "Book it is.", "Knihu it is."),
        ("There lies {card}.", "book", "There lies book.", "There lies kniha."),
        ("{what} lies here.", {"book": 1}, "A book lies here.", "Kniha lies here."),
        ("{what} lies here.", {"book": 2}, "2 books lies here.", "2 knihy lies here."),
        (
            "{what} lies here.",
            {"dice": 1, "book": 1},
            "A book and dice lies here.",
            "Kniha a dice lies here.",
        ),
        ("{what:or}.", [{"book": 1}, {"book": 2}], "A book, or 2 books.", "Kniha, nebo 2 knihy."),
        ("{what:or}.", [{"dice": 1}, {"book": 2}], "dice, or 2 books.", "dice, nebo 2 knihy."),
        ("{what:or}.", [{}, {"book": 1}], "Nothing, or a book.", "Nic, nebo kniha."),
        ("{open}.", True, "Yes.", "Ano."),
        ("{n} left.", 3, "3 left.", "3 left."),
        ("{target}: 1.", ["hand"], "Hand: 1.", "Ruka: 1."),
        ("{target}: 1.", None, "Bank: 1.", "Bank: 1."),
        ("{target}: 1.", ["seats", "bob", "hand"], "bob: hand: 1.", "bob: ruka: 1."),
        ("{target.seat}: 1.", ["seats", "bob", "hand"], "bob: 1.", "bob: 1."),
        ("{target.last}: 1.", ["seats", "bob", "book"], "Book: 1.", "Kniha: 1."),
        ("{target.last}: 1.", ["seats", "bob", "dice"], "dice: 1.", "dice: 1."),
        ("{seat} passes.", "bob", "bob passes.", "bob passes."),
        ("{rival:seats} passes.", "bob", "bob passes.", "bob passes."),
        ("{field} is wrong.", "hand", "hand is wrong.", "hand is wrong."),
        ("{kind} is over.", "bid", "Bid is over.", "Přihodit is over."),
        ("{kind} is over.", "dare", "dare is over.", "dare is over."),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_an_id_stands_there(
    template: str, fact: Any, english: str, czech: str
) -> None:
    name = next(iter(fields(template)))
    assert [voice.fill(template, {name: fact}) for voice in (ENGLISH, CZECH)] == [english, czech]


SENTENCES = "events", "notes", "explained"
FILES = sorted(SERVICE.glob("games/*/*/words.toml")), sorted(SERVICE.glob("games/*/*/rulebook.toml"))


def sentences() -> Iterator[str]:
    """Every template of the games and of the engine that is told as a sentence of its own, in each language."""
    told = list(catalogue()["refusals"].values())
    for words in [tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES[0]]:
        told += [entry for section in SENTENCES for entry in words.get(section, {}).values()]
        told += [action["option"] for action in words["actions"].values() if "option" in action]
    for book in [tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES[1]]:
        told += [rule["message"] for rule in book["rule"] if "message" in rule]
        told += [{language: rule[language] for language in ("en", "cs")} for rule in book["rule"]]
    yield from [text[language] for entry in told for text in variants(entry) for language in ("en", "cs")]


def test_no_template_of_a_sentence_begins_in_lower_case() -> None:
    found = list(sentences())
    assert len(found) > 2000
    assert [text for text in found if text[:1].islower()] == []


def test_names_that_could_be_mistaken_are_not_used() -> None:
    seats = [("ann", "Anna"), ("bob", "Anna"), ("cyd", " "), ("dan", "eve"), ("eve", "eve"), ("fay", "Fay")]
    found = people([SimpleNamespace(id=id, name=name) for id, name in seats])
    assert found == {"fay": "Fay"}


def test_notes_and_scores() -> None:
    assert CZECH.note({"note": "beware", "price": 3}) == "Stojí to 3."
    assert CZECH.note({"note": "beware"}) == "beware"
    assert (CZECH.score("hand"), CZECH.score("owl"), CZECH.score("?")) == ("karty", "Sova", "?")


def test_problems_are_sentences_in_the_language_with_names() -> None:
    twice = say("{card} lies here twice", card="owl")
    assert twice == "owl lies here twice"
    assert (ENGLISH.problem(twice), CZECH.problem(twice)) == ("Owl lies here twice.", "Dvakrát tu leží Sova.")
    assert CZECH.problem("the game has no such option") == "Hra takovou volbu nemá."
    assert CZECH.problem("nobody has said this before") == "nobody has said this before"
    assert ENGLISH.problem(
        say("{n} seats; the game takes {least} to {most}", n=1, least=2, most=6)
    ).startswith("1 seat;")


BOOK = Rulebook({"A-1": Rule("A-1", "all", "limit", "book", 1, {"en": "One.", "cs": "Jedna."})}, {}, {})


@pytest.mark.parametrize(
    ("reason", "facts", "english"),
    [
        ("not-your-decision", {"asked": ["bob", "ann"]}, "Now bob and Anna must decide. One."),
        ("not-your-decision", {"actor": "ann"}, "Nobody can do this now. One."),
        (
            "broken-rule",
            {"kind": "bid", "takes": ["both", "bid"]},
            "Not possible now: bid. Possible: both or bid. One.",
        ),
        ("broken-rule", {}, "One."),
        ("unknown-value", {"value": "owl", "owned": 1, "offered": 2}, "Named: 2 × Owl; at hand: 1. One."),
        ("unknown-value", {"value": "owl", "owned": 1}, "Not that much is there: Owl; at hand: 1. One."),
        ("broken-rule", {"due": 2, "given": 1}, "Exactly 2 must be named, not 1. One."),
        ("broken-rule", {"chosen": 0, "least": 1}, "At least 1 must be chosen, not 0. One."),
        ("broken-rule", {"chosen": 4, "most": 3}, "At most 3 may be chosen, not 4. One."),
        ("unknown-value", {"value": "owl", "offered": 2, "most": 1}, "Owl: 2 named, at most 1. One."),
        ("unknown-value", {"value": "cat"}, "Not possible here: cat. One."),
        ("unknown-value", {"value": None}, "Something must be chosen here. One."),
        ("unknown-value", {"value": 7.5}, "Not possible here: 7.5. One."),
        ("unknown-value", {"value": True}, "What was chosen does not exist on this table. One."),
        ("unknown-value", {"value": {"a": [1]}}, "What was chosen does not exist on this table. One."),
        ("unknown-value", {"value": "x" * 41}, "What was chosen does not exist on this table. One."),
        ("another", {}, "One."),
    ],
)
def test_a_refusal_without_a_message_of_its_own(reason: str, facts: Any, english: str) -> None:
    violation = Violation(reason, "A-1", facts=facts)
    assert ENGLISH.message(violation, BOOK) == english
    assert CZECH.message(violation, BOOK).endswith("Jedna.")


def test_what_was_chosen_is_remembered_for_a_while_only() -> None:
    voice = WORDS.voice("en")
    for n in range(REMEMBERED + 10):
        voice.event(moved(["supply"], ["seats", f"s{n}", "hand"], owl=1))
    assert len(WORDS.choice(WORDS.templates["events"]["moved"]).found) <= REMEMBERED
