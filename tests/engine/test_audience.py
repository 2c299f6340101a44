"""Audiences, sights and views: default is to show nothing."""

from typing import Annotated, Any

import pytest
from msgspec import Struct, field

from service.engine.audience import (
    EVERYONE,
    Heaps,
    Holds,
    Own,
    Pile,
    Public,
    SeatRef,
    Seats,
    count,
    fields_of,
    heaped,
    sight_of,
)
from service.engine.deck import Deck, pool_of
from service.engine.frames import SealedFrame
from service.engine.view import seen


class Card(Struct, tag="card"):
    face: Public[str] = "king"
    back: str = "secret"


class Coin(Struct, tag="coin"):
    worth: Public[int] = 1


class Player(Struct):
    hand: Annotated[dict[str, int], Own(count), Holds("card")] = {}
    shoe: Annotated[list[Card], Own()] = []
    hat: Public[list[Card]] = []
    mind: dict[str, int] = {}


class Board(Struct):
    seats: Seats[dict[str, Player]] = {}
    bids: Seats[dict[str, dict[str, int]]] = {}
    maybe: Public[dict[str, Card | None]] = {}
    things: Public[list[Card | Coin]] = []
    deck: Annotated[Deck, Pile()] = field(default_factory=Deck)
    stacks: Annotated[dict[str, Deck], Pile()] = {}
    open_deck: Annotated[Deck, Pile(members=True)] = field(default_factory=Deck)
    none: Annotated[Deck | None, Pile()] = None
    shelf: Public[Deck] = field(default_factory=Deck)
    secret: Annotated[dict[str, int], Holds("card")] = {}
    vault: Player = field(default_factory=Player)


def board():
    ann = Player({"x": 2}, [Card()], [Card()], {"plan": 1})
    return Board({"ann": ann, "bob": Player()}, {"ann": {"coin": 3}, "bob": {}})


def test_a_field_that_declares_nothing_is_seen_by_nobody():
    for seat in ("ann", "bob", None):
        shown = seen(board(), seat, None)
        assert "secret" not in shown
        assert "vault" not in shown
        assert "mind" not in shown["seats"]["ann"]


def test_the_owner_sees_its_own_and_the_others_the_rest_or_nothing():
    assert seen(board(), "ann", None)["seats"]["ann"]["hand"] == {"x": 2}
    assert seen(board(), "bob", None)["seats"]["ann"]["hand"] == 2
    assert "shoe" not in seen(board(), "bob", None)["seats"]["ann"]


def test_structs_inside_what_one_may_see_still_decide_for_themselves():
    mine = seen(board(), "ann", None)["seats"]["ann"]
    assert mine["shoe"] == [{"type": "card", "face": "king"}]
    assert mine["hat"] == [{"type": "card", "face": "king"}]


def test_plain_entries_by_seat_are_their_seats_alone_and_the_others_see_that_they_exist():
    assert seen(board(), "ann", None)["bids"] == {"ann": {"coin": 3}, "bob": None}
    assert seen(board(), None, None)["bids"] == {"ann": None, "bob": None}


def test_values_may_be_missing_and_of_several_types():
    b = board()
    b.maybe, b.things = {"a": None, "b": Card()}, [Coin(), Card()]
    shown = seen(b, None, None)
    assert shown["maybe"] == {"a": None, "b": {"type": "card", "face": "king"}}
    assert shown["things"] == [{"type": "coin", "worth": 1}, {"type": "card", "face": "king"}]


def test_a_deck_shows_its_size_and_pools_only_where_all_could_work_them_out():
    b = board()
    b.deck = b.open_deck = b.shelf = pool_of({"x": 2})
    b.stacks = {"red": pool_of({"x": 1})}
    shown = seen(b, "ann", None)
    assert shown["deck"] == shown["shelf"] == {"size": 2, "top": []}
    assert shown["stacks"] == {"red": {"size": 1, "top": []}}
    assert shown["open_deck"]["pools"] == [{"segment": "pool", "strata": [{"members": {"x": 2}, "size": 2}]}]
    assert shown["none"] is None


SIGHTS = [
    (("seats", "ann", "hat"), EVERYONE, None),
    (("seats", "ann", "hand"), frozenset({"ann"}), count),
    (("seats", "ann", "shoe"), frozenset({"ann"}), None),
    (("seats", "ann", "mind"), frozenset(), None),
    (("bids", "ann"), frozenset({"ann"}), None),
    (("deck",), frozenset(), count),
    (("stacks", "red"), frozenset(), count),
    (("secret",), frozenset(), None),
    (("vault", "hat"), frozenset(), None),
    (("vault", "hand"), frozenset(), None),
]


@pytest.mark.parametrize(("path", "whole", "rest"), SIGHTS)
def test_who_sees_a_place_is_what_the_view_says(path, whole, rest):
    sight = sight_of(Board, path)
    assert (sight.whole, sight.rest) == (whole, rest)


class References(Struct):
    one: SeatRef = ""
    some: Public[list[SeatRef]] = []
    perhaps: Public[SeatRef | None] = None
    keyed: Public[dict[SeatRef, int]] = {}
    valued: dict[str, SeatRef | None] = {}
    deep: dict[SeatRef, list[list[SeatRef]]] = {}
    pairs: list[tuple[str, SeatRef]] = []
    plain: dict[str, Any] = {}


def names(name, value):
    found = {f.name: f.references for f in fields_of(References)}[name]
    return None if found is None else list(found("", value))


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("one", "ann", [("", "ann")]),
        ("some", ["ann", "bob"], [("/0", "ann"), ("/1", "bob")]),
        ("perhaps", None, []),
        ("perhaps", "ann", [("", "ann")]),
        ("keyed", {"ann": 1}, [("/ann", "ann")]),
        ("valued", {"x/y": "ann", "z": None}, [("/x~1y", "ann")]),
        ("deep", {"ann": [["bob"]]}, [("/ann", "ann"), ("/ann/0/0", "bob")]),
        ("pairs", [("x", "ann")], [("/0/1", "ann")]),
        ("plain", {"ann": 1}, None),
    ],
)
def test_every_string_that_is_declared_to_name_a_seat_is_found(name, value, expected):
    assert names(name, value) == expected


def test_sealed_answers_are_declared_by_seat():
    sealed = next(f for f in fields_of(SealedFrame) if f.name == "sealed")
    assert sealed.below is None
    assert seen(SealedFrame(sealed={"ann": {"kind": "x"}}), "bob", None)["sealed"] == {"ann": None}


# -- heaps ----------------------------------------------------------------------------------------------------------


class Camp(Struct):
    tents: Annotated[Public[dict[str, dict[str, int]]], Heaps()] = {}
    bag: Public[dict[str, int]] = {}


class Field(Struct):
    seats: Seats[dict[str, Camp]] = {}
    tents: Annotated[Public[dict[str, dict[str, int]]], Heaps()] = {}
    piles: Public[dict[str, dict[str, int]]] = {}


@pytest.mark.parametrize(
    ("path", "is_heap"),
    [
        (("tents", "north"), True),
        (("seats", "ann", "tents", "north"), True),
        (("tents",), False),
        (("tents", "north", "flag"), False),
        (("seats", "ann", "bag"), False),
        (("seats", "ann"), False),
        (("piles", "north"), False),
    ],
)
def test_a_heap_is_what_lies_under_a_key_of_a_field_that_says_so(path, is_heap):
    assert heaped(Field, path) is is_heap
