"""Given chance: who answers, and that what he may name depends on what he sees alone."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest

from service.engine import given
from service.engine.deck import Deck, Pool, Run, Stratum
from service.engine.disclosure import discloses
from service.engine.event import Event
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.table import Table
from service.games.zavandor.v1 import RULES as ZAVANDOR
from tests.conformance.toy import RULES as HARBOUR

GIVEN = ChanceState("given", False)


def table(rules: Any, *seats: str, **board: Any) -> Table:
    begun = start(rules, Setup([SetupSeat(s) for s in seats], "id", GIVEN))
    state = copy(begun.state)
    assert state is not None
    state.table = copy(state.table)
    for name, value in board.items():
        setattr(state.table, name, value)
    return Table(rules, state)


def named(t: Table, seat: str | None) -> list[Any]:
    w = given.asked_of_chance(t)
    assert w is not None
    return [act.to_wire()["good"] for act in given.answers(t, w, seat)]


def harbour(
    deck: dict[str, int], discard: dict[str, int], bob: dict[str, int], top: Run | None = None
) -> Table:
    pool = Pool([Stratum(deck, sum(deck.values()))])
    t = table(HARBOUR, "ann", "bob", deck=Deck([*([top] if top else []), pool]), discard=discard)
    t.board.seats = {s: copy(p) for s, p in t.board.seats.items()}
    t.board.seats["bob"].hand = bob
    return t


def test_who_sees_it_answers() -> None:
    t = table(HARBOUR, "ann", "bob")
    w = given.asked_of_chance(t)
    assert w is not None
    assert given.answerers(t, w) == {"ann"}
    public = table(ZAVANDOR, "ann", "bob")
    w = given.asked_of_chance(public)
    assert w is not None
    assert given.answerers(public, w) is None


def test_what_all_see_elsewhere_cannot_come_up() -> None:
    t = harbour({"bread": 6, "cloth": 6, "dye": 6}, {"ale": 6}, {})
    assert named(t, "ann") == named(t, "bob") == named(t, None) == ["bread", "cloth", "dye"]


def test_what_lies_in_another_hand_may_come_up_for_all_he_knows() -> None:
    t = harbour({"bread": 6, "cloth": 6, "dye": 6}, {"ale": 2}, {"ale": 4})
    assert named(t, "ann") == ["ale", "bread", "cloth", "dye"]
    assert named(t, "bob") == ["bread", "cloth", "dye"], "bob holds them himself"


@pytest.mark.parametrize("knows", ["ann", "bob"])
def test_a_card_that_he_knows_to_lie_on_top_is_seen(knows: str) -> None:
    """Of the breads all but one lie open; it lies on top, and who knows that sees all six."""
    run = Run(["bread"], [knows])
    t = harbour({"ale": 6}, {"bread": 5, "cloth": 6, "dye": 6}, {}, run)
    assert list(given.seen_pieces(t.board, "ann")).count("bread") == (6 if knows == "ann" else 5)
    assert named(t, "ann") == ["ale", "bread"]


def test_pools_that_all_can_work_out_are_seen() -> None:
    t = table(ZAVANDOR, "ann", "bob")
    seen = list(given.seen_pieces(t.board, None))
    assert seen.count("talisman") == 1
    assert not any(str(piece).startswith("blue-") for piece in seen)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Event("moved", "TOY-1", {"what": {"crate": 1}, "source": ["shore"], "target": None}), False),
        (Event("moved", "TOY-1", {"what": {"ale": 1}, "source": None, "target": ["discard"]}), False),
        (Event("moved", "TOY-1", {"what": {"ale": 1}, "source": ["deck"], "target": ["discard"]}), True),
        (
            Event(
                "moved",
                "TOY-1",
                {"what": {"ale": 1}, "source": ["deck"], "target": ["seats", "ann", "hand"]},
                frozenset({"ann"}),
                {"what": 1},
            ),
            True,
        ),
        (
            Event(
                "moved",
                "TOY-1",
                {
                    "what": {"ale": 1},
                    "source": ["seats", "ann", "hand"],
                    "target": ["seats", "ann", "looked"],
                },
                frozenset({"ann"}),
                {"what": 1},
            ),
            False,
        ),
        (Event("set", "TOY-1", {"place": ["round"], "value": 1}), False),
        (Event("bid", "TOY-1", {"amount": 1}), False),
        (Event("whispered", "TOY-1", {"what": "x"}, frozenset({"ann"})), True),
    ],
)
def test_what_an_event_gives_away(event: Event, told: bool) -> None:
    assert discloses(HARBOUR, event) is told


def test_a_clause_may_say_that_it_brings_things_to_light() -> None:
    assert discloses(ZAVANDOR, Event("curse-strikes", "ZAV-CURSE-1", {"seat": "ann"}))
    assert not discloses(ZAVANDOR, Event("turn-begins", "ZAV-ACT-1", {"seat": "ann"}))
