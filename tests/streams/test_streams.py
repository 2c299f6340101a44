"""A stream tells its bearer every version once, in order, and ends where nothing comes any more."""

from __future__ import annotations

import asyncio
import json
import random
import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from service.games import REGISTRY
from service.sessions.attending import due
from service.sessions.ledger import OPEN, Entry, encoded
from service.sessions.store import Change, StoreAway
from service.sessions.tokens import digest
from service.sessions.visit import About
from service.streams import hub, messages, stream
from service.streams.follower import Follower
from tests.conformance.toy import RULES as HARBOUR
from tests.http.kept import AT, Kept, filled, opened
from tests.ops.players import QUIET
from tests.streams.readers import House, Reader, until

END = {"kind": "end-turn", "actor": "ann"}
ROLES = ("host", "dealer", "spectator")


def turns(kept: Kept, n: int) -> None:
    """So many versions more of the toy game."""
    for _ in range(n):
        kept.done({**END, "actor": kept.actor})


def played(kept: Kept, rng: random.Random) -> bool:
    """One random thing, now and then an undo or a rewind; whether the game goes on."""
    if not kept.get("spectator").json["decisions"]:
        return False
    actor = kept.actor
    if rng.random() < 0.15 and kept.version > 1:
        return kept.post("role:host", "/rewind", {"to": rng.randint(1, kept.version - 1)}).status_code == 201
    found = kept.options(actor if actor != "chance" else "role:host")
    quiet = [option for option in found if option["kind"] in QUIET]  # else the game would soon be over
    kept.done(filled(rng.choice(quiet or found)), actor if actor != "chance" else "role:host")
    if rng.random() < 0.2 and actor != "chance":
        kept.post(actor, "/undo", {})
    return True


def bearers(kept: Kept) -> list[str]:
    return [*kept.opened["tokens"]["seats"], *ROLES]


# -- what is told ---------------------------------------------------------------------------------------------------


def test_the_first_message_is_the_table_as_the_bearer_sees_it() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        for who in bearers(kept):
            reader = await house.read(kept, who).come(1)
            assert (reader.status, reader.headers["content-type"]) == (
                200,
                "text/event-stream; charset=utf-8",
            )
            seen = kept.get(who, Host="table.example").json
            assert reader.messages[0] == {"id": 1, "data": {"version": 1, "events": [], **seen}}

    House.open().run(test)


@pytest.mark.parametrize("rules", [HARBOUR, *REGISTRY], ids=lambda rules: rules.game)
def test_secrets_a_stream_tells_what_the_events_and_the_view_tell(rules: Any) -> None:
    """Law 2: every bearer, through a game with undos and rewinds; after each version the table is as `GET` tells it."""

    async def test(house: House) -> None:
        rng, client = random.Random(rules.game), house.main.test_client()
        kept = opened(client, rules.game, "ann bob cyd" if rules.game != "simurgh" else "ann bob")
        readers = {who: await house.read(kept, who).come(1) for who in bearers(kept)}
        for _ in range(12):
            if not played(kept, rng):
                break
            version = kept.version
            for who, reader in readers.items():
                assert await until(lambda r=reader: r.ids[-1] == version)  # type: ignore[misc] # noqa: B023
                seen = kept.get(who, Host="table.example").json
                assert {k: reader.last[k] for k in seen} == seen
        for who, reader in readers.items():
            assert reader.ids == list(range(1, version + 1))
            told = kept.get(who, "/events?after=1").json
            assert told["complete"]
            assert reader.events == told["events"]
        assert version > 10

    House.open().run(test)


def test_nothing_is_told_that_another_seat_alone_may_know() -> None:
    """The toy game deals a card in secret: its name reaches its seat and nobody else."""

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        readers = {who: await house.read(kept, who, "after=0").come(1) for who in bearers(kept)}
        assert b'"plum"' in readers["ann"].text
        for who in ("bob", *ROLES):
            assert b'"what":{"plum"' not in readers[who].text

    House.open().run(test)


def test_texts_are_in_the_language_of_the_request() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        readers = [house.read(kept, "ann", Accept_Language=spoken) for spoken in ("en", "cs")]
        for reader in readers:
            await reader.come(1)
        turns(kept, 1)
        texts = [(await reader.come(2)).events[0]["text"] for reader in readers]
        assert texts == [
            kept.get("ann", "/events?after=1", Accept_Language=spoken).json["events"][0]["text"]
            for spoken in ("en", "cs")
        ]
        assert texts[0] != texts[1]

    House.open().run(test)


# -- coming back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["header", "query", "both"])
def test_who_comes_back_gets_what_he_has_missed_and_nothing_twice(how: str) -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        turns(kept, 5)
        query = {"header": "", "query": "after=3", "both": "after=1"}[how]
        headers = {} if how == "query" else {"Last_Event_ID": "3"}
        reader = await house.read(kept, "ann", query, **headers).come(3)
        assert reader.ids == [4, 5, 6]
        assert ["view" in m["data"] for m in reader.messages] == [False, False, True]
        turns(kept, 1)
        assert (await reader.come(4)).ids == [4, 5, 6, 7]
        assert reader.events == kept.get("ann", "/events?after=3").json["events"]

    House.open().run(test)


def test_who_has_missed_nothing_gets_what_is_new() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = house.read(kept, "ann", "after=1")
        assert await until(lambda: reader.text == b"retry: 1000\n\n")
        turns(kept, 1)
        assert (await reader.come(1)).ids == [2]

    House.open().run(test)


def test_a_long_way_back_comes_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PAGE", 3)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        turns(kept, 7)
        assert (await house.read(kept, "bob", "after=0").come(8)).ids == list(range(1, 9))

    House.open().run(test)


def test_who_knows_more_than_there_is_begins_anew() -> None:
    """The store has lost what it held: the table is told, whatever version it has."""

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        turns(kept, 2)
        ahead = await house.read(kept, "ann", "after=9").come(1)
        assert (ahead.ids, "view" in ahead.last) == ([3], True)
        reader = await house.read(kept, "ann").come(1)
        client = house.store._connected()
        client.hset(f"arbitr:{{{kept.id}}}:session", "version", 2)
        client.xdel(f"arbitr:{{{kept.id}}}:log", "3-0")
        client.publish("arbitr:changes", f"{kept.id} 2")
        assert (await reader.come(2)).ids == [3, 2]
        assert "view" in reader.last

    House.open().run(test)


async def cut_at(house: House, times: int) -> int:
    """Read a game while it is played, and hang up after a random number of messages, again and again."""
    rng, kept = random.Random(times), opened(house.main.test_client(), "zavandor")
    over, seen = asyncio.Event(), []

    async def play() -> None:
        while not over.is_set():
            played(kept, rng)
            await asyncio.sleep(rng.random() / 50)

    playing = asyncio.create_task(play())
    for _ in range(times):
        headers = {"Last_Event_ID": str(seen[-1])} if seen else {}
        reader, wanted = house.read(kept, "ann", **headers), rng.randint(0, 4)
        assert await until(lambda: reader.status == 200 and len(reader.ids) >= wanted)  # noqa: B023
        await asyncio.sleep(rng.random() / 100)
        await reader.hang_up()
        seen += reader.ids
    over.set()
    await playing
    last = await house.read(kept, "ann", Last_Event_ID=str(seen[-1])).come(kept.version - seen[-1])
    seen += last.ids
    assert seen == list(range(seen[0], kept.version + 1)), "none is missing, none comes twice"
    return len(seen)


def test_cut_at_random_points_nothing_is_lost_or_told_twice() -> None:
    async def test(house: House) -> None:
        assert await cut_at(house, 20) > 20

    House.open().run(test)


@pytest.mark.long
def test_cut_at_many_random_points_nothing_is_lost_or_told_twice(record_property: Any) -> None:
    async def test(house: House) -> None:
        record_property("counted", f"{await cut_at(house, 200)} versions over 200 cuts")

    House.open().run(test, 600)


# -- ends -----------------------------------------------------------------------------------------------------------


async def test_end(house: House, reader: Reader, why: str) -> None:
    await reader.ended()
    last = reader.messages[-1]
    assert (last["event"], last["data"]["why"], reader.done) == ("end", why, True)
    assert last["id"] == last["data"]["version"] == (reader.ids[-1] if reader.ids else last["id"])


test_end.__test__ = False  # type: ignore[attr-defined]


def test_the_end_of_the_game_is_the_end_of_its_streams() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client(), "harbour", "ann bob")
        reader, rng = await house.read(kept, "ann").come(1), random.Random(2)
        while kept.get("spectator").json["outcome"] is None:
            actor = kept.actor
            kept.done(filled(rng.choice(kept.options(actor))), actor)
        await test_end(house, reader, "game-over")
        version = kept.version
        assert reader.ids == list(range(1, version + 1))
        assert reader.last["outcome"] == kept.get("ann").json["outcome"]
        late = house.read(kept, "bob")
        await test_end(house, late, "game-over")
        assert late.ids == [version]
        seen_all = house.read(kept, "bob", Last_Event_ID=str(version))
        await test_end(house, seen_all, "game-over")
        assert seen_all.ids == []

    House.open().run(test)


def test_a_clock_that_ends_the_game_ends_its_streams() -> None:
    """As the game's own end does: there is a record, and nobody need think that the session has gone."""

    async def test(house: House) -> None:
        clock = {"per": "turn", "seconds": 60, "on_timeout": "end"}
        kept = opened(house.main.test_client(), clock=clock)
        reader = await house.read(kept, "ann").come(1)
        late = replace(house.streams.desk, millis=lambda: (house.streams.desk.now() + 61) * 1000)
        await house.streams.hub.office.call(due, late, kept.id)
        await test_end(house, reader, "game-over")
        assert reader.last["session"]["ended"]["because"] == "time"

    House.open().run(test)


def test_a_session_that_is_closed_ends_its_streams() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        readers = [await house.read(kept, who).come(1) for who in ("ann", "spectator")]
        kept.client.delete(f"{AT}/{kept.id}", headers=kept.headers("host"))
        for reader in readers:
            await test_end(house, reader, "session-over")
        assert house.streams.hub.channels == {}

    House.open().run(test)


def test_a_session_whose_time_is_over_ends_its_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK_EVERY", 0.1)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = await house.read(kept, "ann").come(1)
        house.store._connected().delete(f"arbitr:{{{kept.id}}}:session", f"arbitr:{{{kept.id}}}:log")
        await test_end(house, reader, "session-over")

    House.open().run(test)


def handed_over(house: House, kept: Kept) -> None:
    """A version at which ann's token becomes void."""
    stored = house.store.read(kept.id)
    assert stored is not None
    assert stored.state is not None
    about = msgspec.json.decode(stored.about, type=About)
    seats = {**about.tokens.seats, "ann": digest("a new token")}
    changed = msgspec.structs.replace(about, tokens=msgspec.structs.replace(about.tokens, seats=seats))
    entry = encoded(Entry(OPEN, role="host"))
    change = Change(
        stored.version, stored.state, 0, entry, stored.expires, 3600, msgspec.json.encode(changed)
    )
    assert house.store.commit(kept.id, change) is None


def test_whose_token_is_void_hears_nothing_more_however_slowly_he_reads() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        ann, bob = [await house.read(kept, who).come(1) for who in ("ann", "bob")]
        ann.open.clear()
        turns(kept, 1)
        await bob.come(2)
        handed_over(house, kept)
        await bob.come(3)
        house.store.commit(kept.id, change_of(house, kept))
        await bob.come(4)
        ann.open.set()
        await test_end(house, ann, "token-void")
        assert ann.ids == [1, 2]

    House.open().run(test)


def test_a_token_that_is_void_ends_its_stream_before_it_tells_more() -> None:
    """As when a seat is handed over: whoever sat there hears nothing of the version that says so, others do."""

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        ann, bob = [await house.read(kept, who).come(1) for who in ("ann", "bob")]
        handed_over(house, kept)
        await test_end(house, ann, "token-void")
        assert ann.ids == [1]
        assert (await bob.come(2)).ids == [1, 2]
        again = await house.read(kept, "ann").ended()
        assert again.status == 404

    House.open().run(test)


def test_when_the_process_ends_its_streams_end_so_that_readers_come_back() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = await house.read(kept, "ann").come(1)
        house.streams.end_streams()
        await reader.ended()
        assert (reader.ids, reader.done) == ([1], True)
        told = re.fullmatch(rb".*\n\nretry: (\d+)\n\n", reader.text, re.DOTALL)
        assert told, "when to come back"
        assert messages.SOONEST <= int(told[1]) <= messages.LATEST, "not all at the same time"

    House.open().run(test)


# -- readers and the store ------------------------------------------------------------------------------------------


def test_a_slow_reader_is_dropped_and_can_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "QUEUE", 4)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        slow, quick = [await house.read(kept, "ann").come(1) for _ in range(2)]
        slow.open.clear()
        for n in range(7):
            turns(kept, 1)
            await quick.come(n + 2)
        assert slow.was_cut
        assert not quick.was_cut
        await slow.ended()
        assert len(house.streams.hub.channels[kept.id].streams) == 1
        back = await house.read(kept, "ann", Last_Event_ID=str(slow.ids[-1])).come(8 - slow.ids[-1])
        assert [*slow.ids, *back.ids] == list(range(1, 9))

    House.open().run(test)


def test_who_takes_too_long_over_one_message_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "STALLED", 0.2)
    monkeypatch.setattr(hub, "TICK", 0.05)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        slow = await house.read(kept, "ann").come(1)
        slow.open.clear()
        turns(kept, 1)
        assert await until(lambda: slow.was_cut)

    House.open().run(test)


def test_a_silence_is_filled_with_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "QUIET", 0.1)
    monkeypatch.setattr(hub, "TICK", 0.02)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = await house.read(kept, "ann").come(1)
        assert await until(lambda: reader.text.count(b"\n\n:\n\n") >= 1)
        turns(kept, 1)
        assert (await reader.come(2)).ids == [1, 2]

    assert stream.QUEUE == 256
    House.open().run(test)


def test_a_comment_comes_every_fifteen_seconds() -> None:
    assert stream.QUIET == 15.0


def test_what_was_published_in_vain_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LOOK_EVERY", 0.2)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = await house.read(kept, "ann").come(1)
        lost: list[Any] = []
        monkeypatch.setattr(Follower, "_tell", lambda self, change: lost.append(change))
        turns(kept, 3)
        assert await until(lambda: reader.ids == [1, 2, 3, 4])
        assert (kept.id, 4, False) in lost

    House.open().run(test)


# -- a store that has lost what it held -----------------------------------------------------------------------------


def held(house: House, kept: Kept) -> Any:
    """What a store holds of a session; called, the store holds that again, and nothing that came after it."""
    client = house.store._connected()
    session, log = [f"arbitr:{{{kept.id}}}:{name}" for name in ("session", "log")]
    whole, entries = client.hgetall(session), client.xrange(log)

    def again() -> None:
        client.delete(session, log)
        client.hset(session, mapping=whole)
        for at, entry in entries:
            client.xadd(log, entry, id=at)

    return again


def idle(house: House, kept: Kept, n: int) -> None:
    """So many versions more, in which nothing changes."""
    for _ in range(n):
        house.store.commit(kept.id, change_of(house, kept))


def test_who_is_catching_up_when_the_store_loses_versions_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The session lives: nobody is told that it is over."""
    monkeypatch.setattr(hub, "PAGE", 2)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        idle(house, kept, 4)
        again = held(house, kept)
        idle(house, kept, 6)
        reader = house.read(kept, "ann", "after=1")
        reader.open.clear()
        assert await until(lambda: reader.status == 200)
        assert await until(lambda: house.streams.hub.channels[kept.id].looking is None)
        again()
        reader.open.set()
        await reader.ended()
        assert reader.ids == list(range(2, 6))
        assert [message for message in reader.messages if "event" in message] == []
        back = house.read(kept, "ann", "after=5")
        turns(kept, 1)
        assert (await back.come(1)).ids == [6]

    House.open().run(test)


def test_who_is_catching_up_when_the_loss_is_noticed_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PAGE", 2)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        idle(house, kept, 4)
        again = held(house, kept)
        idle(house, kept, 6)
        reader = house.read(kept, "ann", "after=1")
        reader.open.clear()
        assert await until(lambda: reader.status == 200)
        again()
        house.store._connected().publish("arbitr:changes", f"{kept.id} 5")
        assert await until(lambda: house.streams.hub.channels[kept.id].version == 5)
        reader.open.set()
        assert await until(lambda: bool(reader.ids))
        assert (await reader.come(1)).ids == [5]
        assert reader.last["view"] == kept.get("ann").json["view"]
        turns(kept, 1)
        assert (await reader.come(2)).ids == [5, 6]

    House.open().run(test)


@pytest.mark.parametrize("query", ["", "after=1"])
def test_a_session_whose_log_alone_is_lost_is_told_as_it_is(query: str) -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = await house.read(kept, "ann").come(1)
        house.store._connected().delete(f"arbitr:{{{kept.id}}}:log")
        house.store.commit(kept.id, change_of(house, kept))
        house.store._connected().delete(f"arbitr:{{{kept.id}}}:log")
        back = await house.read(kept, "ann", query).come(1)
        assert (back.ids, "view" in back.last) == ([2], True)
        assert await until(lambda: reader.ids == [1, 2])
        assert [m for r in (reader, back) for m in r.messages if "event" in m] == []

    House.open().run(test)


def test_a_version_is_told_once_to_each_audience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many read: one message for ann, one for bob, one for all who see what a spectator sees."""
    made: list[Any] = []
    told = hub.messages.told

    def counting(visit: Any, entries: Any, to: Any) -> Any:
        made.append(to.seat)
        return told(visit, entries, to)

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        readers = [await house.read(kept, who).come(1) for who in bearers(kept) * 3]
        monkeypatch.setattr(hub.messages, "told", counting)
        turns(kept, 1)
        for reader in readers:
            await reader.come(2)
        assert sorted(made, key=str) == [None, "ann", "bob"]

    House.open().run(test)


def test_a_store_that_goes_away_ends_no_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = await house.read(kept, "ann").come(1)
        read, away = house.store.read, [True]

        def reading(*given: Any, **more: Any) -> Any:
            if away[0] and not house.main.extensions.get("asking"):
                raise StoreAway("away")
            return read(*given, **more)

        house.store.commit(kept.id, change_of(house, kept))
        monkeypatch.setattr(house.store, "read", reading)
        refused = await house.read(kept, "bob").ended()
        assert (refused.status, refused.headers["retry-after"]) == (503, "1")
        assert refused.json["type"] == "/docs/problems/store-unavailable"
        away[0] = False
        assert await until(lambda: reader.ids[-1] == 2)

    House.open().run(test)


def change_of(house: House, kept: Kept) -> Change:
    """A version more that changes nothing."""
    stored = house.store.read(kept.id)
    assert stored is not None
    assert stored.state is not None
    entry = encoded(replace_entry(stored.version))
    return Change(stored.version, stored.state, 0, entry, stored.expires, 3600)


def replace_entry(version: int) -> Entry:
    return Entry("rewind", role="host", to=version)


def test_a_fault_of_ours_ends_the_streams_of_its_session_alone(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def test(house: House) -> None:
        one, two = [opened(house.main.test_client()) for _ in range(2)]
        first, second = [await house.read(kept, "ann").come(1) for kept in (one, two)]
        told = hub.messages.told

        def failing(visit: Any, *given: Any) -> Any:
            if visit.session == one.id:
                raise ValueError("plum")
            return told(visit, *given)

        monkeypatch.setattr(hub.messages, "told", failing)
        turns(one, 1)
        turns(two, 1)
        await first.ended()
        assert first.ids == [1]
        await second.come(2)

    House.open().run(test)
    line = json.loads(capfd.readouterr().err)
    assert line["error"] == "ValueError"
    assert "plum" not in json.dumps(line)


def test_an_open_stream_keeps_its_session_alive() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client(), ttl=60)
        await house.read(kept, "ann").come(1)
        house.streams.hub.channels[kept.id].visit = replace(
            house.streams.hub.channels[kept.id].visit,
            desk=replace(house.streams.desk, now=lambda: house.streams.desk.now() + 30),
        )
        before = house.store.read(kept.id)
        assert before is not None
        assert await until(lambda: house.store.read(kept.id).expires == before.expires + 30)  # type: ignore[union-attr]

    House.open().run(test)
