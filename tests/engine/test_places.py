"""Places and containers: what goes into and out of each kind, and that nothing is written in place."""

import pytest
from msgspec import Struct

from service.engine.deck import Deck, Run, pool_of
from service.engine.places import MISSING, MoveError, at, changed, contents, put, take, with_heap


class Inner(Struct):
    bag: dict[str, int] = {}


class Outer(Struct):
    seats: dict[str, Inner] = {}
    slots: dict[str, str | None] = {}
    track: int = 0


def outer():
    return Outer({"ann": Inner({"x": 1}), "bob": Inner()}, {"top": None})


def test_a_place_is_found_through_structs_and_mappings():
    assert at(outer(), ("seats", "ann", "bag")) == {"x": 1}
    assert at(outer(), ()) == outer()


@pytest.mark.parametrize("path", [("seats", "zoe"), ("nowhere",), ("seats", "ann", "hat")])
def test_a_place_that_does_not_exist_is_not_found(path):
    with pytest.raises((KeyError, AttributeError)):
        at(outer(), path)


def test_a_change_copies_along_its_path_and_shares_everything_else():
    board = outer()
    after = changed(board, ("seats", "ann", "bag"), lambda bag: {**bag, "y": 1})
    assert board == outer()
    assert after.seats["ann"].bag == {"x": 1, "y": 1}
    assert after.seats["bob"] is board.seats["bob"]
    assert after.slots is board.slots


def test_a_change_below_a_key_that_is_missing_is_a_fault_and_makes_no_place():
    with pytest.raises(MoveError, match="zoe"):
        changed(outer(), ("seats", "zoe", "bag"), lambda bag: bag)
    assert changed(outer(), ("slots", "new"), lambda held: held is MISSING).slots["new"] is True


CONTAINERS = [
    ({"x": 1}, {"x": 2, "y": 1}, {"x": 3, "y": 1}),
    ({}, {"b": 1, "a": 1}, {"a": 1, "b": 1}),
    (3, {"x": 2}, 5),
    (["x"], {"y": 2}, ["x", "y", "y"]),
    (None, {"x": 1}, "x"),
]


@pytest.mark.parametrize(("before", "bag", "after"), CONTAINERS)
def test_what_is_put_in_can_be_taken_out_again(before, bag, after):
    kept = dict(before) if isinstance(before, dict) else before
    assert put(before, bag) == after
    assert take(after, bag) == before
    assert before == kept


def test_a_counter_keeps_its_keys_in_order_and_leaves_out_what_is_gone():
    assert list(put({"b": 1}, {"a": 1})) == ["a", "b"]
    assert take({"a": 1, "b": 1}, {"a": 1}) == {"b": 1}


@pytest.mark.parametrize(
    ("container", "bag"), [("x", {"y": 1}), (None, {"x": 2}), (None, {"x": 1, "y": 1}), (MISSING, {"x": 1})]
)
def test_what_a_container_has_no_room_for_is_a_fault(container, bag):
    with pytest.raises(MoveError):
        put(container, bag)


@pytest.mark.parametrize(
    ("container", "bag"),
    [({"x": 1}, {"x": 2}), ({}, {"x": 1}), (1, {"x": 2}), (["x"], {"x": 2}), ("x", {"y": 1}), ("x", {"x": 2}),
     (None, {"x": 1}), (MISSING, {"x": 1}), (pool_of({"x": 1}), {"y": 1}), (Deck(), {"x": 1})],
)  # fmt: skip
def test_what_is_not_there_cannot_be_taken(container, bag):
    with pytest.raises(MoveError):
        take(container, bag)


def test_a_deck_takes_cards_on_top_where_all_know_them_and_gives_its_top():
    deck = put(pool_of({"x": 2}), {"y": 1})
    assert deck.segments[0] == Run(["y"], None)
    assert take(deck, {"y": 1}) == pool_of({"x": 2})


@pytest.mark.parametrize(
    ("container", "bag"),
    [({"x": 2}, {"x": 2}), (["x", "y", "x"], {"x": 2, "y": 1}), ("x", {"x": 1}), (None, {}), (4, {}),
     (pool_of({"x": 2}).put(["y"], None), {"x": 2, "y": 1})],
)  # fmt: skip
def test_contents_are_a_bag(container, bag):
    assert contents(container) == bag


# -- heaps ----------------------------------------------------------------------------------------------------------


def test_a_heap_begins_with_its_first_piece_and_goes_with_its_last():
    heaps = {"b": {"x": 1}}
    more = with_heap(heaps, "a", lambda held: put(held, {"y": 2}))
    assert list(more.items()) == [("a", {"y": 2}), ("b", {"x": 1})]
    assert with_heap(more, "b", lambda held: take(held, {"x": 1})) == {"a": {"y": 2}}
    assert with_heap(more, "a", lambda held: take(held, {"y": 1}))["a"] == {"y": 1}
    assert heaps == {"b": {"x": 1}}


def test_nothing_is_taken_from_a_heap_that_is_not_there():
    with pytest.raises(MoveError):
        with_heap({}, "a", lambda held: take(held, {"x": 1}))
