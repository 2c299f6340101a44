"""The Riverfolk at a real table: cards for the open hand are answered in the open, and everyone sees what is bought."""

from __future__ import annotations

import pytest

from tests.http.conftest import problem
from tests.http.kept import AT, Kept, kept_app
from tests.http.test_root_given import FORBIDDEN, PUBLIC, answered_by, chance

SEATS = {"cat": "marquise", "otter": "riverfolk"}


@pytest.fixture
def kept() -> Kept:
    """A session of two, cards and dice on the table; the Marquise begins."""
    seats = [{"id": s, "faction": faction} for s, faction in SEATS.items()]
    setup = {"game": "root", "seats": seats, "options": {"seating": "listed"}, "chance": {"mode": "given"}}
    client = kept_app().test_client()
    found = Kept(client, client.post(AT, json=setup).json)
    found.done(chance("draw-seat", seat="cat"), "dealer")
    return found


@pytest.mark.rule("ROOT-RIVER-2", "ROOT-INFO-3", "ROOT-RIVER-15", "ROOT-GEN-13")
def test_the_open_hand_is_dealt_by_the_dealer_and_sold_in_the_open(kept: Kept) -> None:
    for card in ("anvil", "sappers", "cobbler"):
        kept.done(chance("draw-card", card=card), "cat")
    assert answered_by(kept) == PUBLIC
    problem(kept.act(chance("draw-card", card="armorers"), "otter"), *FORBIDDEN)
    for card in ("armorers", "bake-sale", "codebreakers"):
        kept.done(chance("draw-card", card=card), "dealer")
    for who in ("cat", "otter", "spectator"):
        seen = kept.get(who).json["view"]["table"]["seats"]["otter"]["riverfolk"]
        assert seen["hand"] == {"armorers": 1, "bake-sale": 1, "codebreakers": 1}
    corner = {"keep": "1", "sawmill": "1", "workshop": "5", "recruiter": "9"}
    kept.done({"kind": "setup-marquise", "actor": "cat", **corner})
    prices = {"hand-card": 1, "riverboats": 1, "mercenaries": 1}
    kept.done({"kind": "setup-riverfolk", "actor": "otter", "warriors": {"5": 4}, "prices": prices})
    told = kept.done({"kind": "buy-card", "actor": "cat", "card": "bake-sale"})
    assert "cat buys Bake Sale from otter." in [e["text"] for e in told["events"]]
    seats = kept.get("spectator").json["view"]["table"]["seats"]
    assert (seats["cat"]["hand"], seats["otter"]["riverfolk"]["hand"]) == (
        4,
        {"armorers": 1, "codebreakers": 1},
    )
    assert seats["otter"]["riverfolk"]["payments"] == {"marquise-warrior": 1, "riverfolk-warrior": 3}
