"""Streams of a table whose seats come and go, and whose time runs."""

from __future__ import annotations

from dataclasses import replace

from tests.http.kept import NOW, opened
from tests.http.test_session_seats import changed, claim, seated
from tests.streams.readers import House


def test_who_has_handed_his_seat_over_is_told_nothing_more() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        ann, bob = [await house.read(kept, who).come(1) for who in ("ann", "bob")]
        invitation = changed(kept, "ann", "ann", "hand-over")["invitation"]
        token = claim(kept, "ann", invitation, {"name": "Anna"}).json["token"]
        await ann.ended()
        assert (ann.messages[-1]["event"], ann.messages[-1]["data"]["why"]) == ("end", "token-void")
        assert 3 not in ann.ids
        await bob.come(3)
        assert [e["kind"] for e in bob.events] == ["seat-offered", "seat-claimed"]
        assert bob.last["session"]["seats"]["ann"]["name"] == "Anna"
        new = await house.read(seated(kept, "ann", token), "ann").come(1)
        assert new.last["view"]["seat"] == "ann"
        for reader in (ann, bob, new):
            assert invitation.encode() not in reader.text
            assert token.encode() not in reader.text

    House.open().run(test)


def test_a_session_that_a_clock_ends_ends_its_streams() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client(), clock={"per": "turn", "seconds": 60, "on_timeout": "end"})
        reader = await house.read(kept, "ann").come(1)
        held = house.main.extensions["arbitr"]
        before = held.desk
        held.desk = replace(before, millis=lambda: NOW * 1000 + 60_000)
        try:
            kept.get("bob")
        finally:
            held.desk = before
        await reader.ended()
        assert reader.events[0]["kind"] == "timed-out"
        assert (reader.messages[-1]["event"], reader.messages[-1]["data"]["why"]) == ("end", "game-over")

    House.open().run(test)
