"""Faults and their pointers."""

from __future__ import annotations

from string import Formatter

from schemas.base import Keyed, Schema, Text, Within
from schemas.closed import Open
from schemas.faults import Fault, listed, located, messages, pointer_of


def test_a_fault_is_told_in_both_languages() -> None:
    fault = Fault("between", least=1, most=9)
    assert fault == fault.told("en") == "It must be from 1 to 9."
    assert fault.told("cs") == "Musí to být od 1 do 9."
    assert fault.told("de") == fault


def test_every_message_names_the_same_facts_in_both_languages() -> None:
    for entry in messages().values():
        named = [
            sorted(f for _, f, _, _ in Formatter().parse(entry[language]) if f) for language in ("en", "cs")
        ]
        assert named[0] == named[1]


def test_pointers_are_escaped() -> None:
    assert pointer_of(()) == ""
    assert pointer_of(("a/b", "c~d", 0, "")) == "/a~1b/c~0d/0/"


def test_faults_stand_in_the_order_of_their_pointers() -> None:
    errors = {"b": {10: ["x"], 2: ["y"]}, "a": ["z"], "_schema": ["w"]}
    assert [f.pointer for f in located(errors)] == ["", "/a", "/b/2", "/b/10"]


def test_a_field_called_schema_is_a_field() -> None:
    class Inner(Schema):
        bag = Keyed(values=Text())

    class Outer(Schema):
        inner = Within(Inner)

    errors = Outer().validate({"_schema": 1, "inner": {"_schema": 1, "bag": {"_schema": 1, "a": 2}}})
    assert [f.pointer for f in located(errors)] == [
        "/_schema",
        "/inner/_schema",
        "/inner/bag/_schema",
        "/inner/bag/a",
    ]


def test_where_more_may_be_than_is_declared_a_field_called_schema_is_no_fault() -> None:
    class Wide(Open):
        bag = Keyed(values=Text(), required=True)

    assert [f.pointer for f in located(Wide().validate({"_schema": 1, "bag": 5}))] == ["/bag"]
    assert [f.pointer for f in located(Wide().validate({"_schema": 1}))] == ["/bag"]
    assert Wide().validate({"_schema": 1, "bag": {}}) == {}


def test_a_message_lists_a_few_values_only() -> None:
    assert listed([True, 1, "a"]) == "true, 1, a"
    assert listed(range(50)).endswith(", 39, …")
