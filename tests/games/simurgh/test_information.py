"""What is known to whom."""

import json

import pytest

from service.engine import given
from service.engine.table import Table
from service.engine.view import view
from service.games.simurgh.v1 import RULES
from tests.games.simurgh.table import fresh, game, space, tile

rule = pytest.mark.rule


def seen(g, seat):
    return view(g.state, seat)["table"]


def told(g, seat):
    """The last action's events as this seat (None: a spectator) sees them."""
    return [e for e in (event.seen_by(seat) for event in g.events) if e is not None]


@rule("SIM-INFO-1")
def test_the_board_is_public():
    g = game(
        {"ann": {"hand": (1, 2), "pp": 3}, "bob": {}}, wilds=(), chronicle=(13,), statue={"statue-2": 74}
    )
    table = seen(g, None)
    assert table["chronicle"] == [tile(13)]
    assert table["statue"]["statue-2"] == "objective-74"
    assert table["display"] == g.board.display
    ann = table["seats"]["ann"]
    assert ann["hand"] == 3
    assert ann["pp"] == 3
    assert ann["dragons"] == g["ann"].dragons
    assert ann["available"] == {"dragonrider": 1, "spearman": 1}
    assert table["tiles"]["size"] == g.board.tiles.size


@rule("SIM-INFO-2")
def test_a_hand_is_its_owners_alone():
    g = game({"ann": {"hand": (29, 1)}, "bob": {}})
    assert seen(g, "ann")["seats"]["ann"]["hand"] == [tile(29), tile(1)]
    assert seen(g, "bob")["seats"]["ann"]["hand"] == 2


@rule("SIM-INFO-3")
@pytest.mark.parametrize("variant", ["spearman", "dragonlord"])
def test_decks_tell_their_size_alone(variant):
    g = fresh(3, variant=variant)
    for deck in ("tiles", "power", "dragons", "objectives"):
        for seat in ("ann", "bob", "cyd", None):
            assert seen(g, seat)[deck] == {"size": getattr(g.board, deck).size, "top": []}


@rule("SIM-INFO-4", "SIM-RETURN-2")
def test_what_is_looked_at_is_seen_by_one_and_so_is_the_order_in_which_it_goes_back():
    bob = {"available": {"dragonrider": 1}, "assigned": {space(15): {"spearman": 1}}}
    g = game({"ann": {}, "bob": bob}, wilds=(15,)).place("spearman", space(15, 2))
    looked = g["ann"].looked_at
    assert seen(g, "bob")["seats"]["ann"]["looked_at"] == 2
    assert not any(d in json.dumps([told(g, "bob"), seen(g, "bob")]) for d in looked)
    kept, other = looked
    g.play("ann", "keep-dragon", dragon=kept)
    assert kept in json.dumps(told(g, "bob"))
    g.play("ann", "return-tiles", end="top", order=[other])
    assert [(e["end"], e["cards"]) for e in told(g, "bob")] == [("top", 1)]
    assert seen(g, "ann")["dragons"]["top"] == [other]
    assert seen(g, "bob")["dragons"]["top"] == []


@rule("SIM-INFO-5")
def test_a_tile_put_back_is_known_to_its_owner():
    ann = {"hand": (29, 1, 2, 3, 4), "dragons": (57,), "markers": ["57-3"], "resources": {"weapon": 1}}
    g = game({"ann": ann, "bob": {}}, display=(13, 14, 21, 22))
    g.play("ann", "fetch-tile", ability="dragon-57-3", place="display-4", cost={"tokens": {"weapon": 1}})
    g.place("spearman", "armory").end().play("ann", "put-back", end="bottom", tiles=[tile(2)])
    (bottom,) = seen(g, "ann")["tiles"]["known"]
    assert bottom["cards"] == [tile(2)]
    assert "known" not in seen(g, "bob")["tiles"]
    assert tile(2) not in json.dumps([e for e in told(g, "bob") if e["kind"] == "returned"])


@rule("SIM-SCOUT-5")
def test_a_tile_from_the_deck_is_seen_by_its_owner_alone():
    g = game({"ann": {"resources": {"weapon": 1}}, "bob": {}}).place("spearman", "scouts-quarter")
    g.play("ann", "choose-one", branch=0).play(
        "ann", "acquire-tile", place="deck", cost={"tokens": {"weapon": 1}}
    )
    drawn = g["ann"].hand[-1]
    assert drawn in json.dumps(told(g, "ann"))
    assert drawn not in json.dumps(told(g, "bob"))


@rule("SIM-SETUP-7", "SIM-SETUP-8")
def test_who_draws_a_tile_at_set_up_is_asked_for_one_of_the_pile_alone():
    """Everybody sees the piles apart: 8 Power Tiles, then decks of each type, of which nobody has drawn before."""
    g = fresh(2, mode="given")
    asked = {}
    while "draw-tile" in g.kinds:
        t = Table(RULES, g.state)
        frame, seat = t.frames[-1], t.frames[-1].seat
        could = [a.tile for a in given.answers(t, given.asked_of_chance(t), seat)]
        kinds = asked.setdefault(seat, {}).setdefault(frame.of or frame.pile, set())
        kinds.update(x.partition("-")[0] for x in could)
        drawn = g.options("chance", "draw-tile")[-1]["tile"]
        assert drawn in could
        g.play("chance", "draw-tile", tile=drawn)
    assert len(asked) == 2
    for by_pile in asked.values():
        assert by_pile.pop("power") == {"power"}
        assert len(by_pile) > 2
        assert all(kinds == {pile} for pile, kinds in by_pile.items())
