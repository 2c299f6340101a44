"""Texts over HTTP: names of seats, warnings, and what is wrong with a state or a body, in both languages."""

from __future__ import annotations

from string import Formatter
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from schemas.faults import messages
from service.http.problems import table
from tests.http.conftest import post

GAME = "/v1/games/zavandor"
CZECH = {"Accept_Language": "cs"}
OPEN = {"mode": "seeded", "seed": "7"}
NAMED = [{"id": "ann", "name": "Anička"}, {"id": "bob", "name": "{Bob}"}, {"id": "cleo"}]


def ask(client: FlaskClient, call: str, language: str = "en", **body: Any) -> Any:
    return client.post(f"{GAME}/{call}", json=body, headers={"Accept-Language": language}).json


@pytest.fixture
def begun(real: FlaskClient) -> Any:
    return ask(real, "states", "cs", seats=NAMED, chance=OPEN)


def test_events_options_and_refusals_call_seats_by_their_names(real: FlaskClient, begun: Any) -> None:
    told = [event["text"] for event in begun["events"]]
    assert "Anička dostává na začátku 2 opály a safír, vše aktivní." in told
    assert any(text.startswith("{Bob} líže modrou") for text in told)
    assert any("cleo" in text for text in told)
    seat = begun["decisions"][0]["actor"]
    others = {"ann": "Anička", "bob": "{Bob}", "cleo": "cleo"}
    other = next(s for s in others if s != seat)
    refused = ask(
        real, "adjudications", "cs", state=begun["state"], action={"kind": "end-turn", "actor": other}
    )
    assert [v["message"] for v in refused["violations"]] == [f"Na tahu je {others[seat]}."]


def test_options_and_their_warnings_are_told(real: FlaskClient, begun: Any) -> None:
    for language, option, warning in (
        ("en", "Buy an opal for 10 and make it active.", "A warning: the price would be 120"),
        ("cs", "Koupit opál za 10 a aktivovat ho.", "Varování: cena by byla 120"),
    ):
        found = ask(real, "options", language, state=begun["state"])["options"]
        assert option in [o["text"] for o in found]
        notes = [note for o in found for note in o.get("notes", ())]
        assert any(note["text"].startswith(warning) for note in notes)
        assert all(note["note"] == "beyond-means" for note in notes)


@pytest.mark.parametrize(
    ("language", "message"),
    [("en", "There is no opal anywhere; the game has 28."), ("cs", "Opál nikde není; hra má 28.")],
)
def test_problems_of_a_state_are_told(real: FlaskClient, begun: Any, language: str, message: str) -> None:
    state = begun["state"]
    state["table"]["supply"].pop("opal")
    for seat in state["table"]["seats"].values():
        seat["active"].pop("opal")
    found = [p["message"] for p in ask(real, "problems", language, state=state)["problems"]]
    assert message.lower() in [told.lower() for told in found]
    refused = ask(real, "options", language, state=state)
    assert message.lower() in [p["message"].lower() for p in refused["problems"]]


@pytest.mark.parametrize(
    ("body", "english", "czech"),
    [
        ({"seats": [{"id": "ann"}, {"id": "ann"}]}, "ann sits here twice.", "ann tu sedí dvakrát."),
        (
            {"seats": [{"id": "ann", "character": "elf"}, {"id": "bob", "character": "elf"}]},
            "Elf is taken by another seat.",
            "Tuto postavu už má jiné místo: Elf.",
        ),
    ],
)
def test_a_set_up_that_is_refused_is_told(real: FlaskClient, body: Any, english: str, czech: str) -> None:
    for language, message in (("en", english), ("cs", czech)):
        refused = ask(real, "states", language, **body)
        assert (refused["detail"], refused["errors"][0]["message"]) == (message, message)


def test_bodies_that_are_no_json_are_told(real: FlaskClient) -> None:
    for body, message in (
        (b"\xef\xbb\xbf{}", "Začíná značkou pořadí bajtů."),
        (b'{"\xff": 1}', "Není to UTF-8: viz bajt 2."),
        (b"{", "Končí uprostřed, nebo je v něm jen půlka náhradního páru."),
        (b'{"state": {"a": 1,}}', "Na bajtu 18 stojí čárka za poslední položkou objektu."),
        (b'{"seat": nul, "state": {}}', "Od bajtu 10 to nelze číst dál."),
        (b'{"seat": "\\ud800\\u0041", "state": {}}', "Od bajtu 22 to nelze číst dál."),
        (b'{"seat": "ann", "state": {"a": "\\ud800\\u0041"}}', "Od bajtu 44 to nelze číst dál."),
    ):
        assert post(real, f"{GAME}/views", body, **CZECH).json["detail"] == message


@pytest.mark.parametrize(
    "broken",
    [
        '{"a" 1}', '{"a":1 "b":2}', "[1 2]", "{a:1}", '{"a":tru}', "[1,]", '{"a":1,}', '"\\x"', '"\\u12zz"', "01", "1.",
        '{"a":1} x', '"\\ud800\\u0041"', '{"a"', "", "nan",
    ],
)  # fmt: skip
def test_whatever_the_decoder_says_is_told_in_our_words(broken: str) -> None:
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(broken)
    said = str(caught.value).removeprefix("JSON is malformed: ").partition(" (")[0]
    if said in messages():
        assert messages()[said].keys() == {"en", "cs"}
    else:
        assert said.startswith(("invalid character", "invalid escape", "invalid utf-16"))


# -- the tables ------------------------------------------------------------------------------------------------------


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("name", sorted(table()))
def test_every_error_is_complete_in_both_languages(name: str) -> None:
    entry = table()[name]
    for part in ("title", "detail", "about"):
        english, czech = (forms(entry[part][language]) for language in ("en", "cs"))
        assert (len(english), len(czech)) in ((1, 1), (2, 3))
        assert all(text.strip() for text in (*english, *czech))
        assert len({frozenset(fields(text)) for text in (*english, *czech)}) == 1
        assert not set(english) & set(czech) or english == ["{reason}"]


def forms(text: str | list[str]) -> list[str]:
    """One text, or one for each plural form."""
    return [text] if isinstance(text, str) else text


@pytest.mark.parametrize("key", sorted(messages()))
def test_every_fault_is_complete_in_both_languages(key: str) -> None:
    english, czech = messages()[key]["en"], messages()[key]["cs"]
    assert english.strip()
    assert czech.strip()
    assert english != czech
    assert fields(english) == fields(czech)


@pytest.mark.parametrize("name", ["a\x00b", "a\nb", "ab\n", "a\u202eb", "a\u2066b", "\x7f", "\x85"])
def test_names_that_would_spoil_sentences_are_refused(real: FlaskClient, name: str) -> None:
    refused = ask(real, "states", seats=[{"id": "ann", "name": name}, {"id": "bob"}])
    assert [e["pointer"] for e in refused["errors"]] == ["/seats/0/name"]
    assert "control characters" in refused["errors"][0]["message"]
    state = ask(real, "states", seats=NAMED, chance=OPEN)["state"]
    state["seats"][0]["name"] = name
    assert [e["pointer"] for e in ask(real, "problems", state=state)["errors"]] == ["/state/seats/0/name"]


@pytest.mark.parametrize(
    ("actor", "message"),
    [("zoe", "Nobody called zoe sits at this table."), ("chance", "Nothing is left to chance now.")],
)
def test_who_is_not_there_is_told(real: FlaskClient, actor: str, message: str) -> None:
    state = ask(real, "states", seats=NAMED, chance=OPEN)["state"]
    found = ask(real, "adjudications", state=state, action={"kind": "end-turn", "actor": actor})
    (violation,) = found["violations"]
    assert (violation["reason"], violation["message"]) == ("unknown-value", message)


def test_nothing_chosen_and_energy_that_is_not_there_are_told(real: FlaskClient) -> None:
    state = ask(real, "states", seats=NAMED, chance=OPEN)["state"]
    actor = ask(real, "options", state=state)["decisions"][0]["actor"]
    sell = {"kind": "sell-gems", "actor": actor, "gems": {}}
    (violation,) = ask(real, "adjudications", state=state, action=sell)["violations"]
    assert violation["message"].startswith("Something must be chosen here.")
    buy = {"kind": "buy-gem", "actor": actor, "gem": "opal", "place": "active"}
    paid = {**buy, "payment": {"concentrated": {"red": 1}}}
    found = ask(real, "adjudications", state=state, action=paid)["violations"]
    assert [v["facts"]["value"] for v in found] == ["concentrated-red"]
