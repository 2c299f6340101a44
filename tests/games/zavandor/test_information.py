"""What is known to whom: views, events and private warnings."""

import pytest

from service.engine.view import view
from tests.games.zavandor.table import fresh, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal

ANN = {
    "character": "kobold",
    "energy": {"blue-3": 2, "blue-7": 1, "white-12": 1},
    "waiting": {"green-5": 1, "green-9": 1},
    "waiting_dust": 4,
    "concentrated": {"white": 2},
    "dust": 14,
    "active": {"opal": 2, "diamond": 1},
    "inactive": {"sapphire": 1},
    "tracks": {"gems": 2},
    "bought": 1,
    "artifacts": {"crystal-ball": 1, "crystal-of-protection": 1, "elixir": 1},
    "sentinels": ["owl"],
    "vp": 12,
}


def seen(g, seat, whose="ann"):
    return view(g.state, seat)["table"]["seats"][whose]


@rule("ZAV-INFO-1")
@pytest.mark.parametrize("seat", ["ann", "bob", None])
def test_boards_are_open_to_all(seat):
    g = game({"ann": ANN, "bob": {}}, display=("spellbook", "runestone"))
    shown = seen(g, seat)
    for field in (
        "dust",
        "active",
        "inactive",
        "bought",
        "artifacts",
        "sentinels",
        "vp",
        "waiting_dust",
        "concentrated",
    ):
        assert shown[field] == ANN[field]
    assert shown["tracks"] == {"accumulation": 1, "gems": 2, "sages": 2}
    assert shown["tokens"] == [35, 40]
    table = view(g.state, seat)["table"]
    assert table["display"] == {"runestone": 1, "spellbook": 1}
    assert (table["order"], table["round"]) == (["ann", "bob"], 4)
    assert table["discards"] == {"blue": {}, "green": {}, "red": {}, "white": {}}
    assert {c: d["size"] for c, d in table["decks"].items()} == {
        "blue": 27,
        "green": 34,
        "red": 30,
        "white": 29,
    }
    assert table["deck"]["size"] == 7


@rule("ZAV-INFO-1")
def test_the_letter_of_the_top_artifact_follows_from_what_everybody_sees():
    g = fresh("witch", "elf")
    first = view(g.state, None)["table"]["deck"]["pools"][0]
    assert first["strata"][0]["size"] == 1
    (card,) = first["strata"][0]["members"]
    assert card == "spellbook"


@rule("ZAV-INFO-1", "ZAV-AUC-17")
def test_bids_and_passes_are_open_to_all():
    g = (
        game({s: {} for s in ("ann", "bob", "cyd")})
        .play("ann", "start-auction", card="owl", bid=130)
        .play("bob", "pass")
    )
    frame = view(g.state, None)["stack"][-1]
    assert (frame["card"], frame["bid"], frame["leader"], frame["passed"]) == ("owl", 130, "ann", ["bob"])


@rule("ZAV-INFO-2")
def test_others_see_the_backs_of_a_hand_alone():
    g = game({"ann": ANN, "bob": {}})
    assert seen(g, "ann")["energy"] == ANN["energy"]
    for seat in ("bob", None):
        assert seen(g, seat)["energy"] == {"blue": 3, "white": 1}


@rule("ZAV-INFO-3")
def test_the_order_of_decks_is_nobodys_and_waiting_cards_are_their_owners():
    g = game({"ann": ANN, "bob": {}})
    assert seen(g, "ann")["waiting"] == ANN["waiting"]
    assert seen(g, "bob")["waiting"] == seen(g, None)["waiting"] == {"green": 2}
    for seat in ("ann", "bob", None):
        assert view(g.state, seat)["table"]["decks"]["blue"] == {"size": 27, "top": []}


@rule("ZAV-INFO-2", "ZAV-INFO-3")
@pytest.mark.parametrize(("waiting", "place"), [(False, "energy"), (True, "waiting")])
def test_a_card_drawn_is_seen_by_its_owner_alone(waiting, place):
    if waiting:
        g = game({"ann": {"character": "kobold", "dust": 5, "bought": 1}, "bob": {}})
        g.play("ann", "advance", track="sages", payment={})
    else:
        g = game({"ann": {"active": {"sapphire": 1}}, "bob": {}}, order=())
    drawn = [e for e in g.events if e.kind == "moved" and (e.facts["source"] or [""])[0] == "decks"]
    assert drawn
    for e in drawn:
        assert e.seen_by("ann")["what"] == {"blue-3": 1}
        assert e.seen_by("bob")["what"] == e.seen_by(None)["what"] == {"blue": 1}
        assert e.facts["target"] == ["seats", "ann", place]


@rule("ZAV-INFO-3")
def test_an_artifact_turned_up_is_seen_by_all():
    g = fresh("witch", "elf")
    turned = [e for e in g.events if e.kind == "moved" and e.facts["source"] == ["deck"]]
    assert all(e.whole is None for e in turned)
    assert len(turned) == 2


@rule("ZAV-INFO-4")
def test_whether_a_bidder_can_pay_is_told_to_him_alone():
    poor, rich = ({"energy": {card: 3}, "character": "kobold"} for card in ("red-13", "red-17"))
    shown = []
    for bob in (poor, rich):
        g = game({"ann": {}, "bob": bob, "cyd": {}}).play("ann", "start-auction", card="owl", bid=120)
        before = view(g.state, "ann")
        g.play("bob", "bid", amount=121)
        shown.append((before, view(g.state, "ann"), [e.seen_by("ann") for e in g.events], g.asked, g.kinds))
    assert shown[0] == shown[1]


@rule("ZAV-INFO-4")
def test_no_bid_is_blocked_for_want_of_means():
    g = game({"ann": {}, "bob": {}, "cyd": {}}).play("ann", "start-auction", card="owl", bid=500)
    for seat, amount in (("bob", 5_000), ("cyd", 50_000)):
        g.play(seat, "bid", amount=amount)
    assert g.state.stack[-1].leader == "cyd"
