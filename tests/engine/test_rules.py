"""Rulebooks, texts, and what fails at import: a ruleset that does not fit together never judges anything."""

from pathlib import Path

import pytest
from msgspec import Struct

from service.engine.action import Action, ChanceAction, derived, requires, waives
from service.engine.audience import Public
from service.engine.domain import Amount, Pick
from service.engine.frames import Ask, Each, Frame, Free, Procedure, SealedFrame, asked
from service.engine.registry import Registry, UnknownGame
from service.engine.rule import RulebookError, Violation, load_rulebook, pointer
from service.engine.ruleset import Ruleset
from service.engine.words import Words, load_words, plural_form
from tests.engine.games import clock
from tests.engine.kit import book, ruleset

HERE = Path(__file__).parent / "games"
BOOK = """
[documents]
toy = {en = "Toy", cs = "Hračka"}
[chapters]
all = {en = "All", cs = "Vše"}
[[rule]]
id = "TOY-1"
chapter = "all"
nature = "limit"
document = "toy"
page = 3
en = "One."
cs = "Jedna."
message = {en = "{n:card|cards}", cs = "{n:karta|karty|karet}"}
"""


# -- the rulebook ---------------------------------------------------------------------------------------------------


def loaded(tmp_path, text):
    path = tmp_path / "rulebook.toml"
    path.write_text(text, encoding="utf-8")
    return load_rulebook(path)


def test_a_clause_has_its_text_in_every_language_and_a_citation(tmp_path):
    rule = loaded(tmp_path, BOOK)["TOY-1"]
    assert rule.text == {"en": "One.", "cs": "Jedna."}
    assert rule.citation == {"document": "toy", "page": 3}


def test_a_citation_names_the_section_of_a_law_that_is_numbered(tmp_path):
    more = BOOK.replace("page = 3", 'section = "4.3.1"')
    assert loaded(tmp_path, more)["TOY-1"].citation == {"document": "toy", "section": "4.3.1"}


def test_a_citation_names_the_rulings_that_explain_the_clause(tmp_path):
    more = BOOK.replace("page = 3", 'rulings = ["TOY-1"]')
    assert loaded(tmp_path, more)["TOY-1"].citation == {"document": "toy", "rulings": ["TOY-1"]}


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (BOOK + BOOK[BOOK.index("[[rule]]") :], "twice"),
        (BOOK.replace('cs = "Jedna."', ""), "lacks 'cs'"),
        (BOOK.replace('id = "TOY-1"', ""), r"rule \? lacks 'id'"),
        (BOOK.replace('chapter = "all"', 'chapter = "none"'), "unknown"),
        (BOOK.replace('document = "toy"', 'document = "none"'), "unknown"),
        (BOOK.replace("page = 3", 'rulings = ["TOY-R-9"]'), "TOY-R-9"),
        (BOOK.replace("[[rule]]", "[[rule"), "rulebook.toml"),
    ],
)
def test_a_broken_entry_is_named(tmp_path, broken, says):
    with pytest.raises(RulebookError, match=says):
        loaded(tmp_path, broken)


def test_a_clause_that_is_not_in_the_book_is_an_error():
    with pytest.raises(RulebookError, match="TOY-9"):
        book({"TOY-1": "One."})["TOY-9"]


def test_pointers_escape_what_json_pointers_escape():
    assert pointer("a/b", "c~d", 0) == "/a~1b/c~0d/0"


def test_a_violation_of_a_part_points_into_the_whole():
    part = Violation("broken-rule", "TOY-1", ("/gem",))
    assert part.under("/parts/2").about == ("/parts/2/gem",)
    assert Violation("broken-rule", "TOY-1").under("/parts/2").about == ("/parts/2",)


# -- what fails at import -------------------------------------------------------------------------------------------


class Board(Struct):
    n: Public[int] = 0


class Root(Frame):
    left: Public[list[str]] = []


class Other(SealedFrame):
    pass


class Go(Action, kind="go"):
    pass


class GoToo(Action, kind="go"):
    pass


class Flip(ChanceAction, kind="flip", rule="TOY-CLOCK-6"):
    side = Pick("TOY-CLOCK-6", ("heads", "tails"))


def step(t, frame):
    return None


def eat(t, frame, entry):
    return None


def nobody(t, frame):
    return None


def made(*steps, frame=Root, **more) -> Ruleset:
    rules = ruleset("toy", Board, clock.CLAUSES, over="TOY-CLOCK-1")
    rules.procedure(frame, *steps, **more)
    rules.begin(frame)(lambda seats, options, figures: Board())
    return rules


def ask(*takes, rule="TOY-CLOCK-2", **more):
    return Ask("ask", nobody, takes, rule, **more)


@pytest.mark.parametrize(
    ("rules", "missing"),
    [
        (lambda: made(ask(Go, rule="TOY-NO-1")), "TOY-NO-1"),
        (lambda: made(ask(Go, wrong="TOY-NO-2")), "TOY-NO-2"),
        (lambda: made(ask(Go, skipped="TOY-NO-3")), "TOY-NO-3"),
        (lambda: made(ask(type("A", (Action,), {"p": Pick("TOY-NO-4", "ab")}, kind="a"))), "TOY-NO-4"),
        (lambda: made(ask(type("B", (Action,), {"p": Amount("TOY-CLOCK-2", limit_rules=("TOY-NO-5",))}, kind="b"))),
         "TOY-NO-5"),
        (lambda: made(ask(type("C", (Action,), {"r": requires("TOY-NO-6")(lambda t, a: True)}, kind="c"))),
         "TOY-NO-6"),
        (lambda: made(ask(type("D", (Action,), {}, kind="d", must_finish="TOY-NO-7"))), "TOY-NO-7"),
        (lambda: made(ask(Go), free=Free((Go,), nobody, "TOY-NO-8")), "TOY-NO-8"),
    ],
)  # fmt: skip
def test_an_id_that_the_code_names_and_the_rulebook_lacks_fails_at_import(rules, missing):
    with pytest.raises(RulebookError, match=missing):
        rules().close(HERE, "TOY-NONE")


def test_ids_that_stand_only_in_the_text_of_a_module_are_looked_up_too(tmp_path):
    (tmp_path / "chapter.py").write_text('t.moved("TOY-NO-9", {}, None, None)', encoding="utf-8")
    with pytest.raises(RulebookError, match="TOY-NO-9"):
        made(ask(Go)).close(tmp_path, "TOY")


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (lambda: made(ask(Go, Flip)), "chance takes one kind"),
        (lambda: made(ask()), "chance takes one kind"),
        (lambda: made(ask(Go, GoToo)), "one kind twice"),
        (lambda: made(ask(Go, together=True)), "sealed frame"),
        (lambda: made(ask(Go, again=True, skipped="TOY-CLOCK-2")), "was skipped"),
        (lambda: made(ask(Flip, together=True), frame=Other), "sealed frame"),
        (lambda: made(Each("right", eat)), "eats right"),
        (lambda: made(step, may_call=(Other,)), "Other, which has no procedure"),
        (lambda: made(ask(Go), free=Free((Flip,), nobody, "TOY-CLOCK-2")), "chance does nothing freely"),
    ],
)
def test_a_procedure_that_does_not_fit_together_fails_at_import(rules, says):
    with pytest.raises(TypeError, match=says):
        rules().close(HERE, "TOY-NONE")


def test_a_game_that_begins_with_nothing_fails_at_import():
    rules = ruleset("toy", Board, clock.CLAUSES, over="TOY-CLOCK-1")
    with pytest.raises(TypeError, match="begins"):
        rules.close(HERE, "TOY-NONE")


def test_two_steps_of_one_name_fail_at_once():
    with pytest.raises(ValueError, match="two steps named step"):
        made(step, step)


@pytest.mark.parametrize("name", ["end", ""])
def test_a_step_that_is_called_like_the_end_fails_at_once(name):
    with pytest.raises(ValueError, match="no step can be called"):
        Procedure(Frame, (Ask(name, lambda t, f: None, takes=(), rule="R"),))


def test_needs_that_do_not_exist_fail_where_the_action_is_declared():
    with pytest.raises(TypeError, match="needs gem"):
        type("A", (Action,), {"r": requires("TOY-1", "gem")(lambda t, a: True)}, kind="a")


def test_a_requirement_cannot_need_an_open_parameter():
    own = {"n": Amount("TOY-1"), "r": requires("TOY-1", "n")(lambda t, a: True)}
    with pytest.raises(TypeError, match="narrow it by its limits"):
        type("A", (Action,), own, kind="a")


def test_a_waiver_of_what_is_not_required_fails_where_the_action_is_declared():
    with pytest.raises(TypeError, match="waives price"):
        type("A", (Action,), {"w": waives("price", "TOY-1")(lambda t, a: True)}, kind="a")


@pytest.mark.parametrize("name", ["kind", "frame", "table", "actor", "resolve", "gain"])
def test_a_parameter_cannot_take_a_name_that_every_action_has(name):
    with pytest.raises(TypeError, match=name):
        type("A", (Action,), {name: Pick("TOY-1", ("a",))}, kind="a")


def test_chance_answers_exactly_one_parameter():
    with pytest.raises(TypeError, match="exactly one"):
        type("F", (ChanceAction,), {}, kind="f", rule="TOY-1")


def test_a_subclass_of_an_action_keeps_what_it_has_and_may_add_to_it():
    base = type("Base", (Action,), {"p": Pick("TOY-1", "ab"), "d": derived(lambda t, a: 1)}, kind="base")
    more = type(
        "More", (base,), {"q": Pick("TOY-1", "cd"), "r": requires("TOY-1", "p", "q")(lambda t, a: True)}
    )
    assert list(more.params) == ["p", "q"]
    assert more.kind == "base"
    assert base.requirements == {}


def test_who_must_decide_is_told_in_an_order():
    assert (asked(None), asked("ann"), asked(["ann", "bob"])) == ((), ("ann",), ("ann", "bob"))
    with pytest.raises(TypeError, match="order"):
        asked({"ann", "bob"})


# -- the registry ---------------------------------------------------------------------------------------------------


def test_the_last_version_added_is_the_current_one():
    registry = Registry()
    first, second = made(ask(Go)), made(ask(Go))
    second.version = "1.1"
    registry.add(first)
    registry.add(second)
    assert registry.get("toy") is second
    assert registry.get("toy", "1.0") is first
    assert registry.versions("toy") == ["1.0", "1.1"]
    assert list(registry) == [second]
    for unknown in (("chess", None), ("toy", "2.0")):
        with pytest.raises(UnknownGame):
            registry.get(*unknown)


# -- texts ----------------------------------------------------------------------------------------------------------

WORDS = Words(
    {
        "actions": {"go": {"en": "go", "cs": "jdi", "option": {"en": "go to {to}", "cs": "jdi na {to}"}}},
        "events": {"set": {"en": "{place} is {value}", "cs": "{place} je {value}"}},
        "terms": {"yes": {"en": "yes", "cs": "ano"}},
    },
    {"ruby": {"en": "ruby", "cs": "rubín"}},
)


def test_things_are_called_by_their_names_in_the_language_and_else_by_their_ids():
    assert (WORDS.name("ruby", "cs"), WORDS.name("ruby", "en"), WORDS.name("opal", "cs")) == (
        "rubín",
        "ruby",
        "opal",
    )
    assert WORDS.action("go", "cs") == "jdi"
    assert WORDS.action("stay", "cs") == "stay"
    assert WORDS.name("ruby", "de") == "ruby"


def test_options_and_events_are_sentences():
    assert WORDS.option({"kind": "go", "to": "ruby"}, {}, "cs") == "jdi na rubín"
    assert WORDS.option({"kind": "stay"}, {}, "cs") == "stay"
    assert WORDS.event({"kind": "hush"}, "en") == "hush"


@pytest.mark.parametrize(
    ("n", "en", "cs"), [(0, 1, 2), (1, 0, 0), (2, 1, 1), (4, 1, 1), (5, 1, 2), (22, 1, 2), (-1, 1, 2)]
)
def test_numbers_take_their_plural_form(n, en, cs):
    assert (plural_form(n, "en"), plural_form(n, "cs")) == (en, cs)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (True, "ano"),
        (3, "3"),
        ("ruby", "rubín"),
        (["ruby", 2], "rubín a 2"),
        ({"ruby": 2}, "2 × rubín"),
    ],
)
def test_facts_are_written_as_people_write_them(value, shown):
    assert WORDS.show(value, "cs") == shown


def test_a_refusal_speaks_with_its_own_message_where_all_facts_are_there(tmp_path):
    rulebook = loaded(tmp_path, BOOK)
    broken = Violation("broken-rule", "TOY-1", facts={"n": 3})
    assert WORDS.message(broken, rulebook, "cs") == "Karty"
    assert WORDS.message(broken, rulebook, "en") == "Cards"
    assert WORDS.message(Violation("broken-rule", "TOY-1"), rulebook, "cs") == "Jedna."
    assert WORDS.message(Violation("unknown-value", "TOY-1", facts={"n": 3}), rulebook, "en") == "Cards"
    unknown = Violation("unknown-value", "TOY-1", facts={"value": 7})
    assert WORDS.message(unknown, rulebook, "en") == "Not possible here: 7. One."


def test_words_come_from_their_file_and_from_the_components(tmp_path):
    path = tmp_path / "words.toml"
    path.write_text('[terms]\nno = {en = "no", cs = "ne"}\n', encoding="utf-8")
    words = load_words(
        path, {"gems": [{"id": "ruby", "name": {"en": "ruby", "cs": "rubín"}}, {"id": "bare"}]}
    )
    assert (words.name("ruby", "cs"), words.name("no", "cs"), words.name("bare", "cs")) == (
        "rubín",
        "ne",
        "bare",
    )
