"""Changes of sessions are told to everybody who follows; what gets lost is found again. So it is with duties."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any

import pytest

from service.sessions.redis_store import CHANNEL, RedisStore
from service.sessions.store import Change, Changed, StoreAway
from service.sessions.visit import Desk
from service.streams import duties
from service.streams.duties import on_duty
from service.streams.follower import Follower
from service.streams.office import Office
from tests.http.conftest import settings
from tests.sessions.stores import imitation
from tests.streams.readers import PATIENCE, until

ONE, TWO = "1" * 32, "2" * 32
BEGUN = Change(0, b"state", 0, b"entry", expires=2_000_000_000, ttl=3600, about=b"{}")
NEXT = replace(BEGUN, before=1, about=b"")


class Deaf(RedisStore):
    """A store whose messages nobody hears as long as it is `deaf`."""

    deaf, lost = False, 0

    def changes(self) -> Iterator[Any]:
        for change in super().changes():
            if self.deaf:
                self.lost += change is not None
                change = None
            yield change


def with_office(test: Callable[[Office, Deaf], Coroutine[Any, Any, None]]) -> None:
    """Run a test inside a loop, with an office over a store in memory."""
    store = Deaf(imitation()._make)

    async def run() -> None:
        office = Office.opened(settings(), Desk(store, Any, Any, lambda: 0))  # type: ignore[arg-type]
        try:
            await asyncio.wait_for(test(office, store), 5 * PATIENCE)
        finally:
            office.close()

    asyncio.run(run())


async def heard(follower: Follower) -> None:
    """Return when the follower listens: what is published before that is lost."""
    while not (follower._ears and follower.listening):
        await asyncio.sleep(0.01)


async def told(found: AsyncIterator[tuple[str, int]], n: int) -> list[tuple[str, int]]:
    return [await asyncio.wait_for(anext(found), PATIENCE) for _ in range(n)]


def test_everybody_who_follows_is_told_of_every_session() -> None:
    async def test(office: Office, store: Deaf) -> None:
        found: list[list[tuple[str, int]]] = [[], []]

        async def note(what: list[tuple[str, int]]) -> None:
            async for told in office.follower.follow():
                what.append(told)

        following = [asyncio.create_task(note(what)) for what in found]
        await heard(office.follower)
        for n, (do, *given) in enumerate(
            ((store.commit, ONE, BEGUN), (store.commit, TWO, BEGUN), (store.close, ONE)), 1
        ):
            await office.call(do, *given)
            assert await until(lambda: all(len(what) == n for what in found))  # noqa: B023
        assert found == [[(ONE, 1), (TWO, 1), (ONE, 0)]] * 2
        for task in following:
            task.cancel()

    with_office(test)


def test_who_was_busy_is_told_the_last_version_once() -> None:
    async def test(office: Office, store: Deaf) -> None:
        found = office.follower.follow()
        first = asyncio.create_task(told(found, 1))
        await heard(office.follower)
        await office.call(store.commit, ONE, BEGUN)
        assert await first == [(ONE, 1)]
        for before in range(1, 5):
            await office.call(store.commit, ONE, replace(NEXT, before=before))
        await office.call(store.commit, TWO, BEGUN)
        assert await until(lambda: any(TWO in ear._news for ear in office.follower._ears))
        assert await told(found, 2) == [(ONE, 5), (TWO, 1)]

    with_office(test)


def test_what_nobody_wants_does_not_come_into_the_loop() -> None:
    """Every process hears every change of the store, so a change that concerns nobody here must cost little."""

    async def test(office: Office, store: Deaf) -> None:
        came, hear = list[Changed | None](), office.follower._heard

        def counted(change: Changed | None) -> None:
            came.append(change)
            hear(change)

        office.follower._heard = counted  # type: ignore[method-assign]
        wanted = {TWO}
        found = [
            office.follower.follow(only=lambda change: change.session in wanted),
            office.follower.follow(only=lambda _: False),
        ]
        following = [asyncio.create_task(told(each, 1)) for each in found]
        await heard(office.follower)
        await office.call(store.commit, ONE, BEGUN)
        await office.call(store.commit, TWO, BEGUN)
        assert await following[0] == [(TWO, 1)]
        assert [change for change in came if change] == [(TWO, 1, False)]
        wanted.add(ONE)
        await office.call(store.commit, ONE, NEXT)
        assert await told(found[0], 1) == [(ONE, 2)], "who is wanted may change"
        assert not following[1].done()
        following[1].cancel()

    with_office(test)


def test_what_was_published_in_vain_is_found_again() -> None:
    async def test(office: Office, store: Deaf) -> None:
        store.deaf = True
        await office.call(store.commit, ONE, BEGUN)
        found = office.follower.follow(lambda: [ONE], every=0.2)
        assert await told(found, 1) == [(ONE, 1)]
        await office.call(store.commit, ONE, NEXT)
        assert await told(found, 1) == [(ONE, 2)]
        store._connected().delete(f"arbitr:{{{ONE}}}:session")  # its time is over, which nobody publishes
        assert await told(found, 1) == [(ONE, 0)]

    with_office(test)


def test_a_message_without_a_version_is_looked_up() -> None:
    """As a server of an earlier release publishes it."""

    async def test(office: Office, store: Deaf) -> None:
        following = asyncio.create_task(told(office.follower.follow(), 1))
        await heard(office.follower)
        store.deaf = True
        await office.call(store.commit, ONE, BEGUN)
        assert await until(lambda: store.lost == 1)
        store.deaf = False
        store._connected().publish(CHANNEL, ONE)
        assert await following == [(ONE, 1)]

    with_office(test)


def test_while_the_store_is_away_nothing_is_told_and_then_all_is() -> None:
    class Leaving(Deaf):
        away = False

        def changes(self) -> Iterator[Any]:
            for change in super().changes():
                if self.away:
                    raise StoreAway("away")
                yield change

        def read(self, session: str, **more: Any) -> Any:
            if self.away:
                raise StoreAway("away")
            return super().read(session, **more)

    async def test() -> None:
        store = Leaving(imitation()._make)
        office = Office.opened(settings(), Desk(store, Any, Any, lambda: 0))  # type: ignore[arg-type]
        found = office.follower.follow(lambda: [ONE], every=60)
        store.commit(ONE, BEGUN)
        assert await told(found, 1) == [(ONE, 1)]
        store.away = True
        store.commit(ONE, NEXT)
        waiting = asyncio.create_task(told(found, 1))
        await asyncio.sleep(1.5)
        assert not waiting.done()
        store.away = False
        assert await waiting == [(ONE, 2)], "as soon as it is back, long before it is looked at by itself"
        office.close()

    asyncio.run(test())


def test_a_session_whose_node_is_lost_is_in_no_others_way() -> None:
    class Half(Deaf):
        def read(self, session: str, **more: Any) -> Any:
            if session == ONE:
                raise StoreAway("its node is lost")
            return super().read(session, **more)

    async def test() -> None:
        store = Half(imitation()._make)
        store.deaf = True
        office = Office.opened(settings(), Desk(store, Any, Any, lambda: 0))  # type: ignore[arg-type]
        store.commit(TWO, BEGUN)
        found = office.follower.follow(lambda: [ONE, TWO], every=0.2)
        assert await told(found, 1) == [(TWO, 1)]
        store.commit(TWO, NEXT)
        assert await told(found, 1) == [(TWO, 2)], "what was published in vain is found beside the lost one"
        office.close()

    asyncio.run(asyncio.wait_for(test(), PATIENCE))


def test_a_duty_that_fails_is_begun_anew_and_one_that_returns_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(duties, "FIRST_PAUSE", 0.01)
    begun: list[str] = []

    async def failing(office: Office) -> None:
        begun.append("failing")
        if begun.count("failing") < 3:
            raise ValueError("a fault")

    async def short(office: Office) -> None:
        begun.append("short")

    async def test(office: Office, store: Deaf) -> None:
        await on_duty(office, (failing, short))
        assert sorted(begun) == ["failing"] * 3 + ["short"]

    with_office(test)
