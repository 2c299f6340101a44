"""Figures of the house: what is written in the set-up holds in the game, and what cannot be played is refused."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.ruleset import SetupRefused, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from tests.games.zavandor.table import RULES, Game, game, lowest

rule, refusal = pytest.mark.rule, pytest.mark.refusal


GREEN = [card["id"] for card in RULES.components["energy-cards"] if card["colour"] == "green"]


def begun(house: dict[str, Any], seats: int = 2) -> Game:
    """A new game with this house; a Witch and a Fairy are among the players."""
    dealt = ("witch", "fairy", "elf", "druid", "mage", "kobold")[:seats]
    names = ("ann", "bob", "cyd", "dan", "eve", "fay")
    places = [SetupSeat(n, choice={"character": c}) for n, c in zip(names, dealt, strict=False)]
    return Game(start(RULES, Setup(places, "test", ChanceState(), house=house), lowest))


@rule("ZAV-GEM-1", "ZAV-GEM-5")
def test_a_gem_has_the_price_of_the_house():
    g = game({"ann": {"dust": 100}, "bob": {}}, house={"gems": {"opal": {"price": 14}}})
    refused = g.refused("ann", "buy-gem", gem="opal", place="active", payment={"cards": {"blue-3": 40}})
    assert refused
    g.play("ann", "buy-gem", gem="opal", place="active", payment={})
    assert g["ann"].dust == 86
    g.play("ann", "sell-gems", gems={"active": {"opal": 1}})
    assert g["ann"].dust == 93
    g.play("ann", "buy-gem", gem="sapphire", place="active", payment={})
    assert g["ann"].dust == 73
    g.end_turns()
    assert g.state.house == {"gems": {"opal": {"price": 14}}}


@rule("ZAV-GEM-1")
@refusal("ZAV-PAY-3")
def test_a_refusal_tells_the_price_of_the_house():
    g = game({"ann": {"dust": 12}, "bob": {}}, house={"gems": {"opal": {"price": 14}}})
    refused = g.refused("ann", "buy-gem", gem="opal", place="active", payment={})
    assert refused["ZAV-PAY-3"].facts == {"price": 14, "offered": 0, "dust": 12}


@rule("ZAV-SETUP-2", "ZAV-SETUP-3", "ZAV-SETUP-6", "ZAV-COMP-2")
def test_a_game_begins_with_the_figures_of_the_house():
    g = begun(
        {
            "gems": {"opal": {"supply": 12}, "ruby": {"supply": 3}},
            "characters": {"witch": {"dust": 8}},
            "table": {"start-gems": {"value": {"opal": 0, "sapphire": 2}}, "start-vp": {"value": 2}},
        }
    )
    witch = g["ann"]
    assert (witch.active, witch.dust, witch.vp) == ({"sapphire": 2}, 8, 2)
    assert (g.board.supply["opal"], g.board.supply["sapphire"], g.board.supply["ruby"]) == (12, 24, 3)


@rule("ZAV-COMP-4", "ZAV-SETUP-7")
def test_decks_have_the_cards_of_the_house():
    house = {
        "energy-cards": {"red-17": {"count": 9}},
        "artifacts": {"elixir": {"copies": 1}},
        "table": {"copies-by-seats": {"value": {"2": 2, "3": 2, "4": 2, "5": 3, "6": 3}}},
    }
    g = begun(house)
    assert g.board.decks["red"].cards()["red-17"] == 9
    cards = g.board.deck.cards()
    assert (cards["elixir"], cards["talisman"]) == (1, 2)


@rule("ZAV-INCOME-4", "ZAV-INCOME-8")
def test_the_first_income_follows_the_house():
    """With as many sapphires at the start as cards make a concentrated one, that comes at once, with its dust."""
    house = {
        "table": {
            "start-gems": {"value": {"opal": 2, "sapphire": 2}},
            "start-vp": {"value": 4},
            "cards-per-concentrated": {"value": 2},
            "dust-per-concentrated": {"value": 5},
        }
    }
    g = begun(house)
    assert g["ann"].concentrated == {"blue": 1}
    assert g["ann"].dust == 10 + 5 + 5
    assert g["ann"].energy == {}


@rule("ZAV-KNOW-SAGES-2", "ZAV-COMP-6")
def test_a_single_card_of_three_is_worth_two_dust():
    rewards = [{"colour": c, "cards": 1} for c in ("blue", "green", "white", "red")]
    house = {
        "tracks": {"sages": {"reward": rewards}},
        "energy-cards": {card: {"value": 3} for card in GREEN},
    }
    g = game({"ann": {"dust": 50, "tracks": {"sages": 1}, "bought": 0}, "bob": {}}, house=house)
    g.play("ann", "advance", track="sages", payment={})
    assert g["ann"].waiting == {}
    assert g["ann"].waiting_dust == 2


@rule("ZAV-END-1", "ZAV-AUC-2", "ZAV-AUC-3")
def test_auctions_and_the_end_follow_the_house():
    house = {
        "sentinels": {"owl": {"least_bid": 20}},
        "table": {"bid-step": {"value": 5}, "sentinels-to-end": {"value": 1}},
    }
    g = game({"ann": {"dust": 200}, "bob": {"dust": 200}}, house=house)
    assert "ZAV-AUC-2" in g.refused("ann", "start-auction", card="owl", bid=19)
    g.play("ann", "start-auction", card="owl", bid=20)
    assert "ZAV-AUC-3" in g.refused("bob", "bid", amount=24)
    g.play("bob", "bid", amount=25).play("ann", "pass")
    g.play("bob", "pay", payment={})
    g.end_turns()
    while g.kinds == ("discard",):
        (seat,) = g.asked
        g.play(seat, "discard", keep=g.options(seat, "discard")[0]["keep"])
    assert g.state.outcome is not None
    assert g.state.outcome.because == "ZAV-END-2"


@pytest.mark.parametrize(
    ("house", "pointers"),
    [
        ({"gems": {"opal": {"supply": 11}}}, {"/house/gems/opal/supply"}),
        ({"gems": {"sapphire": {"most_owned": 1}}, "table": {"start-gems": {"value": {"opal": 0, "sapphire": 3}}}},
         {"/house/gems/sapphire/most_owned"}),
        ({"table": {"active-places": {"value": 2}}}, {"/house/table/active-places/value"}),
        ({"gems": {"opal": {"vp": 2}}}, {"/house/gems/opal/vp"}),
        ({"table": {"start-vp": {"value": 4}}}, {"/house/table/start-vp/value"}),
        ({"characters": {"elf": {"dust": 3}}}, {"/house/characters/elf/dust"}),
        ({"tracks": {"flow": {"dust": [0, 1, 5, 10]}}}, {"/house/tracks/flow/dust"}),
        ({"dust": {"dust": {"opals": [0, 3, 5]}}}, {"/house/dust/dust/opals"}),
        ({"table": {"dust-per-concentrated": {"value": 1}}}, {"/house/table/dust-per-concentrated/value"}),
        ({"tracks": {"fire": {"rubies": [True, False, False, True]}}}, {"/house/tracks/fire/rubies"}),
        ({"tracks": {"accumulation": {"places": [1, 0, 0, 2]}}}, {"/house/tracks/accumulation/places"}),
        ({"tracks": {"sages": {"reward": [{"colour": "blue", "cards": 2}] * 4}}}, {"/house/tracks/sages/reward"}),
        ({"characters": {"witch": {"hand_limit": 0}}, "tracks": {"flow": {"hand_limit": -9}}},
         {"/house/characters/witch/hand_limit", "/house/tracks/flow/hand_limit"}),
        ({"characters": {"fairy": {"cards": {"blue": 60}}}}, {"/house/characters/fairy/cards"}),
    ],
)  # fmt: skip
def test_figures_that_cannot_be_played_together_are_refused(house: dict[str, Any], pointers: set[str]):
    assert not list(RULES.house_problems({}))
    with pytest.raises(SetupRefused) as refused:
        begun(house)
    found = {p.pointer for p in refused.value.problems}
    assert found == pointers


@pytest.mark.parametrize(
    ("kind", "id_", "figure"),
    [
        ("tokens", "token-20", "price"),
        ("gems", "emerald", "needs"),
        ("gems", "emerald", "colour"),
        ("artifacts", "talisman", "letter"),
        ("artifacts", "talisman", "free_advances"),
        ("artifacts", "elixir", "free_gem"),
        ("sentinels", "owl", "counts"),
        ("positions", "position-1", "position"),
        ("dust", "dust", "weights"),
        ("characters", "elf", "track"),
        ("table", "deck-order", "value"),
        ("table", "paid-advances", "value"),
    ],
)
def test_what_pieces_and_clauses_rest_on_is_not_changed(kind: str, id_: str, figure: str):
    printed = next(e for e in RULES.components[kind] if e["id"] == id_)[figure]
    (found,) = RULES.house_problems({kind: {id_: {figure: printed}}})
    assert found.pointer in (f"/house/{kind}/{id_}/{figure}", f"/house/{kind}/{id_}", f"/house/{kind}")


def test_nothing_is_wrong_with_any_figure_as_it_is_printed():
    printed = {kind: {e["id"]: e for e in entries} for kind, entries in RULES.components.items()}
    whole = {
        kind: {id_: {f: printed[kind][id_][f] for f in shapes} for id_, shapes in entries.items()}
        for kind, entries in RULES.houses.shapes.items()
    }
    assert not RULES.house_problems(whole)
    assert RULES.houses.shown(whole)["gems"][0]["price"] == 10
