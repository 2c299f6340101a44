"""Phase 3 in general: turns, order of actions, what is closed while an auction is open."""

import pytest

from service.engine.windows import decisions
from tests.games.zavandor.table import game

rule, refusal = pytest.mark.rule, pytest.mark.refusal


@rule("ZAV-ACT-1", "ZAV-ROUND-2")
@refusal("ZAV-ACT-1")
def test_whole_turns_in_position_order():
    g = game(3, order=("bob", "cyd", "ann"))
    asked = []
    for _ in range(3):
        asked += g.asked
        g.play(g.asked[0], "end-turn")
    assert asked == ["bob", "cyd", "ann"]
    g = game(2)
    found = g.refused("bob", "buy-gem", gem="opal", place="active", payment={})
    assert (found["ZAV-ACT-1"].reason, found["ZAV-ACT-1"].about) == ("not-your-decision", ("/actor",))
    assert found["ZAV-ACT-1"].facts["asked"] == ["ann"]
    assert found.keys() == {"ZAV-ACT-1", "ZAV-PAY-3"}


@rule("ZAV-ACT-2", "ZAV-R-11", "ZAV-DEC-1")
def test_any_number_of_actions_of_any_kind_in_any_order():
    g = game(
        {"ann": {"dust": 400, "tracks": {"gems": 1}, "active": {"opal": 2}}, "bob": {}},
        display=("spellbook", "elixir"),
    )
    g.play("ann", "sell-gems", gems={"active": {"opal": 1}})
    g.play("ann", "advance", track="gems", payment={})
    g.play("ann", "buy-gem", gem="opal", place="active", payment={})
    g.auction("ann", "spellbook", 20)
    g.play("ann", "buy-gem", gem="emerald", place="active", payment={})
    g.play("ann", "buy-token", token=25, payment={})
    g.auction("ann", "elixir", 60).play("ann", "place-gem", place="active")
    g.play("ann", "sell-gems", gems={"active": {"diamond": 1}})
    g.play("ann", "move-gem", gem="opal", to="inactive")
    assert (g["ann"].active, g["ann"].inactive) == ({"emerald": 1, "opal": 1}, {"opal": 1})


@rule("ZAV-ACT-2")
def test_a_turn_may_be_empty():
    assert game(2).play("ann", "end-turn").asked == ("bob",)


@rule("ZAV-ACT-3")
@refusal("ZAV-ACT-3", "ZAV-AUC-1", "ZAV-GEM-4", "ZAV-GEM-6")
@pytest.mark.parametrize("paying", [False, True])
def test_nothing_else_while_an_auction_is_open(paying):
    g = game({"ann": {"dust": 200, "active": {"opal": 1}}, "bob": {}}).play(
        "ann", "start-auction", card="owl", bid=120
    )
    if paying:
        g.play("bob", "pass")
    payment = {"payment": {}}
    attempts = {
        "end-turn": {},
        "buy-gem": {"gem": "opal", "place": "active", **payment},
        "buy-token": {"token": 20, **payment},
        "advance": {"track": "artifacts", **payment},
    }
    for kind, wire in attempts.items():
        found = g.refused("ann", kind, **wire)
        assert (found["ZAV-ACT-3"].reason, found["ZAV-ACT-3"].about) == ("broken-rule", ("/kind",))
    assert "ZAV-AUC-1" in g.refused("ann", "start-auction", card="fox", bid=120)
    assert {d.because for d in decisions(g.table)} == {"ZAV-AUC-13" if paying else "ZAV-AUC-4"}
    moving, selling = {"gem": "opal", "to": "inactive"}, {"gems": {"active": {"opal": 1}}}
    for seat, inside in (("ann", False), ("bob", True)):
        moved, sold = g.refused(seat, "move-gem", **moving), g.refused(seat, "sell-gems", **selling)
        assert ("ZAV-GEM-4" in moved, "ZAV-GEM-6" in sold) == (inside, inside)
        assert inside or ("ZAV-ACT-3" in moved and "ZAV-ACT-3" in sold)
    assert ("ZAV-CURSE-5" in g.refused("ann", "end-turn")) is paying
    if paying:
        assert "ZAV-AUC-6" in g.refused("bob", "bid", amount=130)


@rule("ZAV-ACT-4")
@refusal("ZAV-ACT-1")
def test_there_is_no_way_back_into_a_finished_turn():
    g = game({"ann": {"dust": 50}, "bob": {}}).play("ann", "end-turn")
    found = g.refused("ann", "buy-gem", gem="opal", place="active", payment={})
    assert found.keys() == {"ZAV-ACT-1"}


@rule("ZAV-DEC-1")
@refusal("ZAV-DEC-1")
def test_what_a_turn_does_not_take():
    g = game(2)
    for kind in ("pay", "decline", "lose-gem", "discard"):
        found = g.refused("ann", kind)["ZAV-DEC-1"]
        assert (found.reason, found.about) == ("broken-rule", ("/kind",))
    for kind in ("bid", "pass"):
        assert g.refused("ann", kind).keys() == {"ZAV-DEC-1", "ZAV-AUC-1"}
