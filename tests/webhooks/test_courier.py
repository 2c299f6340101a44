"""The duty as it runs in the stream process: from an action at a table to a message at its receiver."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import pytest

from service.sessions.keys import Keyring
from service.sessions.redis_store import CHANNEL
from service.sessions.store import StoreAway
from service.streams import webhooks as duty
from service.streams.duties import DUTIES
from service.streams.office import Office
from service.webhooks import courier, retrying, rounds, shares
from service.webhooks.courier import Courier
from service.webhooks.registering import register, registered
from service.webhooks.rounds import Rounds
from service.webhooks.shares import FOR_RECEIVER
from service.webhooks.targets import LOOKUPS, Targets
from tests.http import toy
from tests.http.conftest import KEY, settings
from tests.sessions.games import Kept, begin, desk_of
from tests.webhooks.receivers import Received, Receiver, hanging, in_turn, saying, status

RING = Keyring(lambda: (bytes.fromhex(KEY),))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds takes hundredths."""
    monkeypatch.setattr(courier, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(retrying, "FIRST_PAUSE", 20)
    monkeypatch.setattr(shares, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(shares, "AGAIN", 0.05)
    monkeypatch.setattr(rounds, "PUT_BACK", 50)


def table() -> Kept:
    """A session of the toy game, at the time that it is."""
    rules = toy.make("1.0")
    desk = replace(desk_of(rules), now=lambda: int(time.time()))
    return begin(desk, rules, seats=("ann", "bob"))


def actor(kept: Kept) -> str:
    window = kept.visit("spectator").window
    assert window is not None
    return window.actors[0]


def pass_on(kept: Kept) -> None:
    kept.act({"kind": "end-turn", "actor": actor(kept)})


@asynccontextmanager
async def on_duty(
    kept: Kept, work: Callable[[Office], Awaitable[None]] | None = None
) -> AsyncIterator[Office]:
    """The stream process with this duty alone."""
    office = Office.opened(settings(ARBITR_WEBHOOK_PRIVATE="1"), kept.desk)
    task = asyncio.ensure_future((work or duty.send_webhooks)(office))
    try:
        yield office
    finally:
        office.close()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def seen(came: list[Received]) -> list[tuple[str, int, str | None]]:
    return [(each.json["type"], each.json["version"], each.json["seat"]) for each in came]


def test_it_is_a_duty_of_the_stream_process() -> None:
    assert duty.send_webhooks in DUTIES


def test_whoever_must_decide_is_told_and_everybody_of_the_end() -> None:
    async def run() -> None:
        kept = table()
        first = actor(kept)
        second = "bob" if first == "ann" else "ann"
        async with Receiver(status(204)) as mine, Receiver(status(200)) as host, on_duty(kept):
            register(kept.visit(second), mine.url, RING)
            register(kept.visit("host"), host.url, RING)
            await host.until(1)
            for n in range(2, 9):
                await asyncio.to_thread(pass_on, kept)
                await host.until(n)
                await mine.until(n // 2)  # or it would be decided before it is told
            await asyncio.to_thread(pass_on, kept)  # the last turn
            await host.until(9)
            await mine.until(5)
            await asyncio.sleep(0.3)
            turns = [("your-decision", v, first if v % 2 else second) for v in range(1, 9)]
            assert seen(host.came) == [*turns, ("game-over", 9, None)]
            assert seen(mine.came) == [*(t for t in turns if t[2] == second), ("game-over", 9, second)]
            assert len({each.id for each in host.came + mine.came}) == 14

    asyncio.run(run())


def test_what_fails_comes_again_under_its_id() -> None:
    answers = in_turn(status(500), status(302, "Location: http://127.0.0.1:1/"), saying(b""), status(204))

    async def run() -> None:
        kept = table()
        async with Receiver(answers) as receiver, on_duty(kept):
            register(kept.visit(actor(kept)), receiver.url, RING)
            came = await receiver.until(4)
            await until(lambda: registered(kept.visit(actor(kept))).state == "ok")
            await asyncio.sleep(0.2)
            assert len(receiver.came) == 4
            assert len({each.id for each in came}) == 1
            assert len({each.body for each in came}) == 1

    asyncio.run(run())


def test_what_comes_of_messages_is_counted() -> None:
    counted: list[str] = []

    async def work(office: Office) -> None:
        rounds = Rounds(office.desk.store, RING)
        await Courier(rounds, Targets(private=True), counted.append).run(office.follower.follow())

    async def run() -> None:
        kept = table()
        answers = in_turn(status(503), status(308), saying(b""), status(404), status(200))
        async with Receiver(answers) as receiver, on_duty(kept, work):
            register(kept.visit("host"), receiver.url, RING)
            await receiver.until(5)
            await until(lambda: len(counted) == 5)

    asyncio.run(run())
    assert counted == ["5xx", "3xx", "no-answer", "4xx", "2xx"]


def test_a_receiver_that_wants_no_more_gets_no_more() -> None:
    async def run() -> None:
        kept = table()
        async with Receiver(status(410)) as receiver, on_duty(kept):
            register(kept.visit("host"), receiver.url, RING)
            await receiver.until(1)
            await until(lambda: kept.desk.store.hooks(kept.id) == b"")
            await asyncio.to_thread(pass_on, kept)
            await asyncio.sleep(0.3)
            assert len(receiver.came) == 1

    asyncio.run(run())


def test_what_happened_while_nobody_was_on_duty_is_told_afterwards() -> None:
    async def run() -> None:
        kept = table()
        second = "bob" if actor(kept) == "ann" else "ann"
        async with Receiver(status(204)) as receiver:
            async with on_duty(kept):
                register(kept.visit(second), receiver.url, RING)
                await until(lambda: kept.desk.store.planned_hooks(int(time.time() * 1000), 9) == [])
            await asyncio.to_thread(pass_on, kept)
            assert receiver.came == []
            async with on_duty(kept):
                await receiver.until(1)
            assert seen(receiver.came) == [("your-decision", 2, second)]

    asyncio.run(run())


def test_what_nobody_published_is_found_by_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.webhooks.rounds.SOONEST_LOOK", 200)

    async def deaf(office: Office) -> None:
        async def nothing() -> AsyncIterator[tuple[str, int]]:
            await asyncio.sleep(3600)
            yield "", 0

        await Courier(Rounds(office.desk.store, RING), Targets(private=True)).run(nothing())

    async def run() -> None:
        kept = table()
        async with Receiver(status(204)) as receiver, on_duty(kept, deaf):
            register(kept.visit("host"), receiver.url, RING)
            await receiver.until(1)
            await asyncio.to_thread(pass_on, kept)
            await receiver.until(2)
            assert [v for _, v, _ in seen(receiver.came)] == [1, 2]

    asyncio.run(run())


def test_a_session_without_webhooks_is_not_asked_for_them_though_others_have_some() -> None:
    """Whoever sets one would make every change of every table dearer for every process of streams."""

    async def run() -> None:
        kept = table()
        other = begin(kept.desk, toy.make("1.0"), seats=("ann", "bob"))
        asked, hooks = list[str](), kept.desk.store.hooks

        def counted(session: str) -> bytes:
            asked.append(session)
            return hooks(session)

        async with Receiver(status(204)) as receiver, on_duty(kept):
            register(kept.visit("host"), receiver.url, RING)
            await receiver.until(1)
            kept.desk.store.hooks = counted  # type: ignore[method-assign]
            for _ in range(4):
                await asyncio.to_thread(pass_on, other)
            await asyncio.to_thread(pass_on, kept)
            await receiver.until(2)
            assert set(asked) == {kept.id}
            kept.desk.store._connected().publish(CHANNEL, f"{other.id} 9")
            await until(
                lambda: other.id in asked
            )  # a server of an earlier release does not say whether it has

    asyncio.run(run())


def test_a_webhook_that_is_set_between_a_change_and_its_telling_is_not_missed() -> None:
    """The commit said that there is none, and the courier lets it pass; the webhook was read at the version before."""

    async def run() -> None:
        kept = table()
        first = actor(kept)
        second = "bob" if first == "ann" else "ann"
        seated = kept.visit(second)  # read before the change, written after it
        async with Receiver(status(204)) as receiver, on_duty(kept) as office:
            await until(lambda: office.follower.listening)
            await asyncio.to_thread(pass_on, kept)
            register(seated, receiver.url, RING)
            await receiver.until(1)
            assert seen(receiver.came) == [("your-decision", 2, second)]

    asyncio.run(run())


def test_the_first_webhook_of_all_hears_of_the_next_change_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The change says that there is one: nobody need have met any before."""
    monkeypatch.setattr(courier, "LOOK_EVERY", 3600)

    async def run() -> None:
        kept = table()
        first = actor(kept)
        second = "bob" if first == "ann" else "ann"
        async with Receiver(status(204)) as receiver, on_duty(kept) as office:
            await until(lambda: office.follower.listening)
            await asyncio.sleep(0.2)  # the plan has been looked at
            register(kept.visit(second), receiver.url, RING)
            await asyncio.to_thread(pass_on, kept)
            await receiver.until(1)
            assert seen(receiver.came) == [("your-decision", 2, second)]

    asyncio.run(run())


def test_a_store_that_is_away_for_a_while_loses_no_message() -> None:
    class Away:
        """A store that can be away for whoever asks here, while others reach it."""

        def __init__(self, store: Any) -> None:
            self.store, self.gone = store, False

        def __getattr__(self, name: str) -> Any:
            def asked(*given: Any, **more: Any) -> Any:
                if self.gone:
                    raise StoreAway("away")
                return getattr(self.store, name)(*given, **more)

            return asked

    async def run() -> None:
        kept = table()
        away = Away(kept.desk.store)

        async def work(office: Office) -> None:
            await Courier(Rounds(away, RING), Targets(private=True)).run(office.follower.follow())  # type: ignore[arg-type]

        async def leave(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
            """The store goes away before it is kept that the first message has arrived."""
            away.gone = len(receiver.came) == 1
            await status(204)(receiver, writer)

        async with Receiver(leave) as receiver, on_duty(kept, work):
            register(kept.visit("host"), receiver.url, RING)
            await receiver.until(1)
            await asyncio.to_thread(pass_on, kept)
            await asyncio.sleep(0.4)
            assert len(receiver.came) == 1
            away.gone = False
            await receiver.until(2)
            assert [v for _, v, _ in seen(receiver.came)] == [1, 2]

    asyncio.run(run())


def test_of_three_processes_one_sends_each_message() -> None:
    async def run() -> None:
        kept = table()
        async with Receiver(status(204)) as receiver, on_duty(kept), on_duty(kept), on_duty(kept):
            register(kept.visit("host"), receiver.url, RING)
            for n in range(1, 9):
                await receiver.until(n)
                await asyncio.to_thread(pass_on, kept)
            await receiver.until(9)
            await asyncio.sleep(0.3)
            assert [v for _, v, _ in seen(receiver.came)] == list(range(1, 10))

    asyncio.run(run())


def test_a_process_that_is_killed_between_two_tries_is_followed_by_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.webhooks.rounds.LEASE", 500)  # it may be killed while it sends, too
    ready = False

    async def answer(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
        await status(204 if ready else 500)(receiver, writer)

    async def run() -> None:
        nonlocal ready
        kept = table()
        async with Receiver(answer) as receiver:
            tries = 0
            for _ in range(2):
                async with on_duty(kept):
                    if not tries:
                        register(kept.visit("host"), receiver.url, RING)
                    await until(lambda tries=tries: registered(kept.visit("host")).tries > tries)
                tries = registered(kept.visit("host")).tries
            ready = True
            async with on_duty(kept):
                await until(lambda: registered(kept.visit("host")).state == "ok")
            assert len(receiver.came) >= 3
            assert len({each.id for each in receiver.came}) == 1

    asyncio.run(run())


def test_one_that_hangs_holds_up_neither_others_nor_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        kept = table()
        second = "bob" if actor(kept) == "ann" else "ann"
        async with Receiver(hanging) as stuck, Receiver(status(204)) as other, on_duty(kept):
            register(kept.visit("host"), stuck.url, RING)
            await stuck.until(1)
            register(kept.visit(second), other.url, RING)
            begun = time.monotonic()
            await asyncio.to_thread(pass_on, kept)
            acted = time.monotonic() - begun
            await other.until(1)
            told = time.monotonic() - begun
            assert len(stuck.came) == 1, "it still hangs"
            assert acted < 2, "an action waits for nobody (5 s is what the receiver gets)"
            assert told < 4
            assert seen(other.came) == [("your-decision", 2, second)]

    asyncio.run(run())


def tables(n: int) -> list[Kept]:
    first = table()
    return [first, *(begin(first.desk, first.rules, seats=("ann", "bob")) for _ in range(n - 1))]


def test_many_that_hang_at_one_receiver_take_no_place_from_others() -> None:
    """Not even for as long as one of them hangs."""

    async def run() -> None:
        every = tables(30)
        async with Receiver(hanging) as stuck, Receiver(status(204)) as other, on_duty(every[0]):
            for kept in every[1:]:
                register(kept.visit("host"), stuck.url, RING)
                register(kept.visit("ann"), stuck.url, RING)
            await stuck.until(FOR_RECEIVER)
            begun = time.monotonic()
            register(every[0].visit("host"), other.url, RING)
            await other.until(1)
            assert time.monotonic() - begun < 3
            assert len(stuck.came) == stuck.connections == FOR_RECEIVER, "5 s is what each gets"

    asyncio.run(run())


def test_one_address_gets_few_at_once_under_whatever_names() -> None:
    def resolve(host: str) -> list[str]:
        return ["127.0.0.1"]

    async def work(office: Office) -> None:
        every = Rounds(office.desk.store, RING)
        await Courier(every, Targets(True, resolve)).run(office.follower.follow())

    async def run() -> None:
        every = tables(3 * FOR_RECEIVER)
        async with Receiver(hanging) as stuck, Receiver(status(204)) as other, on_duty(every[0], work):
            for n, kept in enumerate(every[1:]):
                url = stuck.url.replace("127.0.0.1", f"player.example{n}.org")
                register(kept.visit("host"), url, RING)
            await stuck.until(FOR_RECEIVER)
            register(every[0].visit("host"), other.url, RING)
            await other.until(1)
            await asyncio.sleep(0.3)
            assert stuck.connections == FOR_RECEIVER
            hooks = [registered(kept.visit("host")) for kept in every[1:]]
            assert {hook.state for hook in hooks} == {"new"}, "who waits has not failed"

    asyncio.run(run())


def test_one_session_takes_few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """At however many receivers."""
    monkeypatch.setattr(shares, "FOR_SESSION", 1)

    async def run() -> None:
        evil, good = tables(2)
        second = "bob" if actor(evil) == "ann" else "ann"
        async with (
            Receiver(hanging) as a,
            Receiver(hanging) as b,
            Receiver(status(204)) as other,
            on_duty(good),
        ):
            register(evil.visit("host"), a.url, RING)
            await a.until(1)
            register(evil.visit(second), b.url, RING)
            await asyncio.to_thread(pass_on, evil)
            register(good.visit("host"), other.url, RING)
            await other.until(1)
            await asyncio.sleep(0.2)
            assert (a.connections, b.connections) == (1, 0), "5 s is what the first one gets"

    asyncio.run(run())


def test_what_waits_for_a_receiver_goes_as_soon_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "AGAIN", 3600)

    async def slowly(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        await status(204)(receiver, writer)

    async def run() -> None:
        every = tables(3 * FOR_RECEIVER)
        async with Receiver(slowly) as receiver, on_duty(every[0]):
            for kept in every:
                register(kept.visit("host"), receiver.url, RING)
            await receiver.until(len(every))

    asyncio.run(run())


def test_a_host_that_fails_is_left_alone_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "FIRST_PAUSE", 0.5)

    async def run() -> None:
        every = tables(FOR_RECEIVER + 3)
        async with Receiver(in_turn(status(500), status(204))) as receiver, on_duty(every[0]):
            register(every[0].visit("host"), receiver.url, RING)
            await receiver.until(1)
            await until(lambda: registered(every[0].visit("host")).tries == 1)
            for kept in every[1:]:
                register(kept.visit("host"), receiver.url, RING)
            await asyncio.sleep(0.25)
            assert len(receiver.came) == 1
            await receiver.until(len(every) + 1)

    asyncio.run(run())


@pytest.mark.parametrize("answer", [301, 302, 304, 308, 400, 404, 429, 500, 503])
def test_a_host_that_refuses_one_is_there_for_others(answer: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sets an URL that is wrong, or broken, is not in the way of those whose is right."""
    monkeypatch.setattr(shares, "FIRST_PAUSE", 1000.0)

    async def run() -> None:
        strange, kept = tables(2)
        async with Receiver(in_turn(status(answer), status(204))) as receiver, on_duty(strange):
            register(strange.visit("host"), f"{receiver.url}-of-another", RING)
            await receiver.until(1)
            await until(lambda: registered(strange.visit("host")).result == str(answer))
            register(kept.visit("host"), receiver.url, RING)
            await receiver.until(2)

    asyncio.run(run())


def test_for_want_of_a_thread_no_receiver_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.webhooks.posting.PATIENCE", 0.1)
    hang = threading.Event()

    def resolve(host: str) -> list[str]:
        if host.startswith("slow"):
            hang.wait(30)
        return ["127.0.0.1"]

    targets = Targets(True, resolve)
    for n in range(LOOKUPS):
        targets.looked_up(f"slow.example{n}.org")
    counted: list[str] = []

    async def work(office: Office) -> None:
        every = Rounds(office.desk.store, RING)
        await Courier(every, targets, counted.append).run(office.follower.follow())

    async def run() -> None:
        kept = table()
        async with Receiver(status(204)) as receiver, on_duty(kept, work):
            url = receiver.url.replace("127.0.0.1", "player.example.org")
            register(kept.visit("host"), url, RING)
            await asyncio.sleep(0.5)
            assert registered(kept.visit("host")).state == "new"
            hang.set()
            await receiver.until(1)
            await until(lambda: registered(kept.visit("host")).state == "ok")
        assert counted == ["2xx"]

    asyncio.run(run())


def test_a_fault_with_one_hook_is_told_without_its_secrets_and_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def faults() -> int:
        return caplog.text.count("a fault of ours")

    async def run() -> None:
        kept = table()
        async with Receiver(status(204)) as receiver:
            store = kept.desk.store
            bad = begin(kept.desk, kept.rules, seats=("ann", "bob"))
            register(bad.visit("host"), f"{receiver.url}&secret", RING)
            store.swap_hooks(bad.id, store.hooks(bad.id), b'{"no": "list"}')
            async with on_duty(kept):
                register(kept.visit("host"), receiver.url, RING)
                await receiver.until(1)
                await until(lambda: faults() > 0)
                await asyncio.to_thread(pass_on, bad)
                await until(lambda: faults() > 1)
                before = faults()
                await asyncio.sleep(0.5)
                assert faults() <= before + 2, "it is not looked at again and again"
                await asyncio.to_thread(pass_on, kept)
                await receiver.until(2)

    asyncio.run(run())
    assert "secret" not in caplog.text
