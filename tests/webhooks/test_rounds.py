"""A hook's turn, against the store: what is sent when, who sends, and what is left of whoever was killed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pytest

from service.engine.options import options
from service.engine.state import CHANCE
from service.engine.table import Table
from service.sessions import opening
from service.sessions.acting import Proposal
from service.sessions.keys import Keyring
from service.sessions.undoing import rewind
from service.sessions.visit import NotAllowed
from service.webhooks.hooks import Hook, kept, read
from service.webhooks.registering import NoWebhook, register, registered, remove
from service.webhooks.retrying import GIVE_UP, LONGEST_PAUSE, REFUSALS, pause
from service.webhooks.rounds import LATEST_LOOK, LEASE, PUT_BACK, SOONEST_LOOK, Job, Rounds
from tests.http import toy
from tests.sessions.games import KEY, Kept, begin, desk_of

URL = "https://player.example.org/arbitr"
RING = Keyring(lambda: (KEY,))
DAY = 24 * 3600 * 1000


@dataclass
class Clock:
    ms: int = 1_900_000_000_000

    def __call__(self) -> int:
        return self.ms


@dataclass
class Round:
    """A session of the toy game with its hooks, and one who takes them up at a time that the test sets."""

    clock: Clock = field(default_factory=Clock)
    ring: Keyring = RING

    def __post_init__(self) -> None:
        rules = toy.make("1.0")
        self.kept: Kept = begin(desk_of(rules), rules, seats=("ann", "bob"))
        self.store: Any = self.kept.desk.store
        self.rounds = self.another()

    def another(self) -> Rounds:
        """Another process over the same store."""
        return Rounds(self.store, self.ring, self.clock, lambda: 1.0)

    def hook(self, who: str, url: str = URL) -> Hook:
        return register(self.kept.visit(who), url, self.ring).hook

    def now(self, hook: Hook) -> Hook:
        return next(h for h in read(self.store.hooks(self.kept.id)) if h.id == hook.id)

    def take(self, hook: Hook, by: Rounds | None = None) -> Job | None:
        return (by or self.rounds).take(self.kept.id, hook.id)

    def job(self, hook: Hook) -> Job:
        job = self.take(hook)
        assert job is not None
        return job

    def sent(self, hook: Hook) -> list[tuple[str, int, str | None]]:
        """All that is due now, which arrives."""
        found = []
        while (job := self.take(hook)) is not None:
            found.append((job.message.kind, job.message.version, job.message.seat))
            self.rounds.answered(job, 204)
        return found

    @property
    def actor(self) -> str:
        return self.kept.visit("spectator").window.actors[0]  # type: ignore[union-attr]

    @property
    def other(self) -> str:
        return "bob" if self.actor == "ann" else "ann"

    @property
    def version(self) -> int:
        return self.kept.visit("spectator").version

    def pass_on(self) -> None:
        """Whoever must decide ends the turn."""
        self.kept.act({"kind": "end-turn", "actor": self.actor})

    def plan(self) -> dict[str, int]:
        client = self.store._connected()
        return {name.decode(): int(at) for name, at in client.zrange("arbitr:hooks", 0, -1, withscores=True)}

    def at(self, hook: Hook) -> int:
        """When the hook is to be looked at, in ms from now."""
        return self.plan()[f"{self.kept.id}/{hook.id}"] - self.clock.ms


@pytest.fixture
def table() -> Round:
    return Round()


def test_a_new_hook_is_looked_at_at_once_and_tells_what_is_due(table: Round) -> None:
    mine, others = table.hook(table.actor), table.hook(table.other)
    assert table.at(mine) <= 0
    assert set(table.rounds.planned(10)) == {(table.kept.id, h.id) for h in (mine, others)}
    assert table.sent(mine) == [("your-decision", 1, table.actor)]
    assert table.sent(mine) == []
    assert table.sent(others) == []
    assert table.rounds.planned(10) == []


def test_a_message_is_signed_and_says_no_more_than_what_all_know(table: Round) -> None:
    made = register(table.kept.visit(table.actor), URL, RING)
    job = table.job(made.hook)
    headers, seconds = job.headers, str(table.clock.ms // 1000)
    signed = f"{headers['webhook-id']}.{seconds}.".encode() + job.body
    mac = base64.b64encode(hmac.new(made.secret, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{mac}"
    assert headers["webhook-timestamp"] == seconds
    told = json.loads(job.body)
    assert {k: v for k, v in told.items() if k != "links"} == {
        "type": "your-decision",
        "session": table.kept.id,
        "game": "toy",
        "version": 1,
        "seat": table.actor,
    }
    for secret in (*table.kept.opened.tokens.seats.values(), table.kept.opened.tokens.host, KEY.hex()):
        assert secret not in job.body.decode() + str(headers)


def test_of_what_the_store_keeps_nobody_can_sign(table: Round) -> None:
    made = register(table.kept.visit(table.actor), URL, RING)
    held = str(table.store._connected().hgetall(f"arbitr:{{{table.kept.id}}}:session"))
    assert made.hook.id in held
    assert made.secret.hex() not in held
    assert base64.b64encode(made.secret).decode() not in held


def test_turn_by_turn_each_is_told_once(table: Round) -> None:
    hooks = {seat: table.hook(seat) for seat in ("ann", "bob")}
    found = []
    for _ in range(5):
        found += [(v, seat) for h in hooks.values() for _, v, seat in table.sent(h)]
        table.pass_on()
    actors = [seat for _, seat in found]
    assert [v for v, _ in found] == [1, 2, 3, 4, 5]
    assert actors[0] != actors[1]
    assert actors == [actors[0], actors[1]] * 2 + [actors[0]]


def test_whoever_looks_late_tells_what_is_still_so(table: Round) -> None:
    mine = table.hook(table.other)
    for _ in range(3):
        table.pass_on()
    assert table.sent(mine) == [("your-decision", 4, table.actor)], "what was due at version 2 has been done"
    table.pass_on()
    table.pass_on()
    table.pass_on()
    assert table.sent(mine) == []


def test_the_host_is_told_of_every_seat_and_the_spectator_has_no_hook(table: Round) -> None:
    host = table.hook("host")
    assert table.sent(host) == [("your-decision", 1, table.actor)]
    table.pass_on()
    assert table.sent(host) == [("your-decision", 2, table.actor)]
    for call in (lambda v: register(v, URL, RING), registered, remove):
        with pytest.raises(NotAllowed):
            call(table.kept.visit("spectator"))  # type: ignore[operator]


def test_the_end_of_a_whole_game_is_told_once(table: Round) -> None:
    hooks = [table.hook(who) for who in ("ann", "bob", "host", "dealer")]
    found: dict[str, list[Any]] = {h.bearer: [] for h in hooks}
    for _ in range(200):
        for each in hooks:
            found[each.bearer] += table.sent(each)
        state = table.kept.visit("spectator").state
        if state.outcome is not None:
            break
        at = Table(table.kept.rules, state)
        moves = [o.act.to_wire() for o in options(at) if o.act.actor != CHANCE and not o.open]
        table.kept.act(next((m for m in moves if m["kind"] == "draw"), moves[0]))
    assert table.kept.visit("spectator").state.outcome is not None
    for bearer, sent in found.items():
        assert [v for kind, v, _ in sent if kind == "game-over"] == [table.version], bearer
        assert sent[-1][0] == "game-over"
        assert len(set(sent)) == len(sent)
    both = [m for m in found["seat:ann"] + found["seat:bob"] if m[0] == "your-decision"]
    assert sorted(both) == sorted(m for m in found["host"] if m[0] == "your-decision")
    assert [kind for kind, _, _ in found["dealer"]] == ["game-over"]


def test_what_fails_is_tried_again_ever_later_and_the_pauses_are_told(table: Round) -> None:
    mine = table.hook(table.actor)
    pauses = []
    for _ in range(12):
        table.rounds.answered(table.job(mine), 500)
        assert table.take(mine) is None, "not before it is time"
        pauses.append(table.at(mine))
        assert table.now(mine).state == "retrying"
        table.clock.ms += pauses[-1]
    assert pauses == [10_000 * 2**n for n in range(9)] + [LONGEST_PAUSE] * 3
    assert table.sent(mine) == [("your-decision", 1, table.actor)]
    assert (table.now(mine).state, table.now(mine).tries, table.now(mine).result) == ("ok", 0, "204")


def test_a_pause_is_between_half_and_all_of_it() -> None:
    assert [pause(1, chance) for chance in (0.0, 0.5, 1.0)] == [5_000, 7_500, 10_000]
    assert [pause(40, chance) for chance in (0.0, 1.0)] == [LONGEST_PAUSE // 2, LONGEST_PAUSE]


def test_each_try_has_the_same_id_and_a_time_of_its_own(table: Round) -> None:
    mine = table.hook(table.actor)
    tries = []
    for _ in range(3):
        job = table.job(mine)
        tries.append((job.headers["webhook-id"], job.headers["webhook-timestamp"], job.body))
        table.rounds.unanswered(job, "time-out")
        table.clock.ms += table.at(mine)
    assert len({id_ for id_, _, _ in tries}) == len({body for _, _, body in tries}) == 1
    assert len({seconds for _, seconds, _ in tries}) == 3


def test_after_a_day_it_is_given_up_and_then_each_message_is_tried_once(table: Round) -> None:
    mine, began = table.hook(table.actor), table.clock.ms
    seat, tries = table.actor, 0
    while table.now(mine).state != "failing":
        table.rounds.unanswered(table.job(mine), "unreachable")
        tries, gave_up = tries + 1, table.clock.ms
        table.clock.ms += max(0, table.at(mine))
    assert GIVE_UP <= gave_up - began <= GIVE_UP + 3600_000
    assert 25 < tries < 40
    assert table.take(mine) is None
    for _ in range(2):
        table.pass_on()
        table.pass_on()
        table.rounds.answered(table.job(mine), 503)
        assert table.take(mine) is None
        table.clock.ms += DAY
        assert table.take(mine) is None
        assert (table.now(mine).state, table.now(mine).result) == ("failing", "503")
    table.pass_on()
    table.pass_on()
    assert table.sent(mine) == [("your-decision", table.version, seat)]
    assert (table.now(mine).state, table.now(mine).tries) == ("ok", 0)


def test_who_fails_is_left_alone_however_much_happens_at_the_table(table: Round) -> None:
    """No action makes a POST to somebody who does not want them: only time does."""
    mine, began, times = table.hook("host"), table.clock.ms, []
    while table.clock.ms < began + 2 * DAY:
        if (job := table.take(mine)) is not None:
            times.append(table.clock.ms)
            table.rounds.answered(job, 500)
        table.pass_on()
        assert table.take(mine) is None
        rewind(table.kept.visit("host"), 1, Proposal((table.version,), b""), lambda made: b"")
        table.clock.ms += 1_200_000
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert pauses == sorted(pauses)
    assert pauses[-1] >= LONGEST_PAUSE
    assert len(times) <= 60


def test_who_says_no_is_soon_believed(table: Round) -> None:
    mine, seat = table.hook(table.actor), table.actor
    for n in range(REFUSALS):
        assert table.now(mine).state == ("retrying" if n else "new")
        table.rounds.answered(table.job(mine), 404)
        table.clock.ms += max(0, table.at(mine))
    assert table.now(mine).state == "failing"
    table.clock.ms += DAY
    assert table.take(mine) is None, "that message goes no more"
    table.pass_on()
    table.pass_on()
    assert table.sent(mine) == [("your-decision", 3, seat)]
    assert table.now(mine).state == "ok"


@pytest.mark.parametrize("status", [301, 408, 425, 429, 500, 503])
def test_who_asks_for_patience_gets_it(table: Round, status: int) -> None:
    mine = table.hook(table.actor)
    for _ in range(REFUSALS + 1):
        table.rounds.answered(table.job(mine), status)
        assert table.now(mine).state == "retrying"
        table.clock.ms += max(0, table.at(mine))


def test_refusals_count_in_a_row(table: Round) -> None:
    mine = table.hook(table.actor)
    for status in [404] * (REFUSALS - 1) + [503] + [404] * (REFUSALS - 1):
        table.rounds.answered(table.job(mine), status)
        assert table.now(mine).state == "retrying"
        table.clock.ms += max(0, table.at(mine))


def test_it_is_well_only_after_a_message_has_arrived(table: Round) -> None:
    """Also where what could not be told has been decided meanwhile."""
    mine = table.hook(table.actor)
    table.rounds.unanswered(table.job(mine), "time-out")
    table.pass_on()
    assert table.take(mine) is None
    found = table.now(mine)
    assert (found.due, found.state, found.result) == ({}, "retrying", "time-out")
    table.pass_on()
    table.clock.ms += LONGEST_PAUSE
    assert len(table.sent(mine)) == 1
    assert table.now(mine).state == "ok"


def test_the_day_is_that_of_one_message(table: Round) -> None:
    mine = table.hook(table.actor)
    table.rounds.unanswered(table.job(mine), "time-out")
    table.pass_on()
    assert table.take(mine) is None
    table.clock.ms += 2 * DAY
    table.pass_on()
    table.rounds.unanswered(table.job(mine), "time-out")
    assert (table.now(mine).state, table.now(mine).tries) == ("retrying", 2)


def test_a_message_without_a_place_waits_and_has_not_failed(table: Round) -> None:
    mine = table.hook(table.actor)
    assert table.rounds.take(table.kept.id, mine.id, lambda session, hook: 700) is None
    assert table.at(mine) == 700
    job = table.rounds.take(table.kept.id, mine.id, lambda session, hook: 0)
    assert job is not None
    table.rounds.put_back(job)
    assert table.at(mine) == 2 * PUT_BACK
    assert table.take(mine) is None
    assert (table.now(mine).state, table.now(mine).tries) == ("new", 0)
    table.clock.ms += table.at(mine)
    assert table.sent(mine) == [("your-decision", 1, table.actor)]


@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 401, 404, 429, 500, 503])
def test_every_other_answer_is_a_failure_a_redirect_too(table: Round, status: int) -> None:
    mine = table.hook(table.actor)
    table.rounds.answered(table.job(mine), status)
    assert (table.now(mine).state, table.now(mine).result, table.now(mine).url) == (
        "retrying",
        str(status),
        URL,
    )


def test_410_takes_the_hook_away(table: Round) -> None:
    mine, others = table.hook(table.actor), table.hook(table.other)
    table.rounds.answered(table.job(mine), 410)
    assert [h.id for h in read(table.store.hooks(table.kept.id))] == [others.id]
    assert list(table.plan()) == [f"{table.kept.id}/{others.id}"]
    with pytest.raises(NoWebhook):
        registered(table.kept.visit(table.actor))


def test_of_two_processes_one_sends(table: Round) -> None:
    mine, rival = table.hook(table.actor), table.another()
    job = table.job(mine)
    assert table.take(mine, rival) is None
    assert table.at(mine) == LEASE
    table.rounds.answered(job, 204)
    assert table.take(mine, rival) is None
    assert table.take(mine) is None


def test_what_a_killed_process_has_left_is_taken_up_with_the_same_id(table: Round) -> None:
    mine, rival = table.hook(table.actor), table.another()
    first = table.job(mine)  # and then it is killed, whether or not the message went
    assert table.rounds.planned(10) == []
    table.clock.ms += LEASE
    assert rival.planned(10) == [(table.kept.id, mine.id)]
    again = table.take(mine, rival)
    assert again is not None
    assert again.headers["webhook-id"] == first.headers["webhook-id"]
    assert again.body == first.body
    rival.answered(again, 200)
    assert table.take(mine) is None


def test_one_that_was_slower_than_its_lease_does_no_harm(table: Round) -> None:
    mine, rival = table.hook(table.actor), table.another()
    first = table.job(mine)
    table.clock.ms += LEASE
    second = table.take(mine, rival)
    assert second is not None
    rival.answered(second, 200)
    table.rounds.unanswered(first, "time-out")
    assert table.take(mine) is None
    table.clock.ms += max(0, table.at(mine))
    assert table.sent(mine) == [], "it has arrived, whatever the first one says"


class Killed(BaseException):
    """Raised in the place of a write: the process is no more."""


@dataclass
class Dying:
    """The store of a process that makes so many writes."""

    store: Any
    left: int

    def __getattr__(self, name: str) -> Any:
        call = getattr(self.store, name)
        if name not in ("swap_hooks", "plan_hook", "drop_hooks"):
            return call

        def counted(*given: Any) -> Any:
            if not self.left:
                raise Killed
            self.left -= 1
            return call(*given)

        return counted


@pytest.mark.parametrize("writes", range(7))
def test_killed_at_any_write_it_is_sent_all_the_same_and_under_one_id(table: Round, writes: int) -> None:
    mine, arrived = table.hook(table.actor), []
    dying = Dying(table.store, writes)
    process = Rounds(dying, RING, table.clock, lambda: 1.0)  # type: ignore[arg-type]
    try:
        while (job := table.take(mine, process)) is not None:
            arrived.append(job)
            process.answered(job, 200)
        killed = False
    except Killed:
        killed = True
    assert killed == (writes < 5), "plan, lease, result, plan, plan"
    table.clock.ms += max(LATEST_LOOK, LEASE)
    assert table.rounds.planned(10) == [(table.kept.id, mine.id)], "it stands in the plan, whenever that was"
    while (job := table.take(mine)) is not None:
        arrived.append(job)
        table.rounds.answered(job, 200)
    assert [job.message.version for job in arrived] == [1] * (2 if writes == 2 else 1)
    assert len({job.headers["webhook-id"] for job in arrived}) == 1


def test_what_was_not_heard_is_found_by_looking(table: Round) -> None:
    mine = table.hook(table.other)
    assert table.sent(mine) == []
    assert table.at(mine) == SOONEST_LOOK
    table.pass_on()  # and nobody hears it
    table.clock.ms += SOONEST_LOOK
    assert table.rounds.planned(10) == [(table.kept.id, mine.id)]
    assert table.sent(mine) == [("your-decision", 2, table.actor)]


def test_the_longer_nothing_happens_the_rarer_it_is_looked_at(table: Round) -> None:
    mine = table.hook(table.other)
    looks = []
    for _ in range(8):
        table.take(mine)
        looks.append(table.at(mine))
        table.clock.ms += looks[-1]
    assert looks == [60_000, 60_000, 120_000, 240_000, 480_000, LATEST_LOOK, LATEST_LOOK, LATEST_LOOK]


def test_who_has_lost_count_looks_at_all(table: Round) -> None:
    hooks = [table.hook(who) for who in ("ann", "bob", "host", "dealer")]
    for each in hooks:
        table.sent(each)
    assert set(table.rounds.every()) == {(table.kept.id, h.id) for h in hooks}
    assert set(table.rounds.of(table.kept.id)) == {h.id for h in hooks}
    assert table.rounds.of("0" * 32) == []


def test_a_second_registration_takes_the_place_of_the_first(table: Round) -> None:
    first, others = table.hook(table.actor), table.hook(table.other)
    job = table.job(first)
    second = table.hook(table.actor, "https://player.example.org/other")
    assert registered(table.kept.visit(table.actor)) == second
    assert {h.id for h in read(table.store.hooks(table.kept.id))} == {others.id, second.id}
    assert set(table.plan()) == {f"{table.kept.id}/{h.id}" for h in (others, second)}
    table.rounds.unanswered(job, "time-out")
    assert registered(table.kept.visit(table.actor)) == second, "what the first one did is nothing to it"
    assert table.take(first) is None
    assert table.job(second).hook.url == "https://player.example.org/other"


def test_one_that_is_looked_at_while_it_is_being_written_is_not_forgotten(
    table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    swap, looked = table.store.swap_hooks, []

    def slow(session: str, before: bytes, after: bytes) -> bool:
        for session_, id_ in table.rounds.planned(10):
            looked.append(table.rounds.take(session_, id_))
        return bool(swap(session, before, after))

    monkeypatch.setattr(table.store, "swap_hooks", slow)
    mine = table.hook(table.actor)
    assert looked == []
    assert table.rounds.planned(10) == [(table.kept.id, mine.id)]


def test_a_server_that_is_killed_while_it_writes_a_hook_leaves_one_that_works(table: Round) -> None:
    desk = table.kept.desk
    for writes in range(5):
        store = Dying(table.store, writes)
        visit = replace(table.kept.visit(table.actor), desk=replace(desk, store=store))
        with pytest.raises(Killed) if writes < 4 else nullcontext():
            register(visit, URL, RING)
        table.clock.ms += LEASE
        found = read(table.store.hooks(table.kept.id))
        assert len(found) == (writes > 1)
        assert [p for p in table.rounds.planned(10) if p[1] in [h.id for h in found]] == [
            (table.kept.id, h.id) for h in found
        ]
        remove(table.kept.visit(table.actor))


def test_one_that_is_taken_away_is_sent_nothing(table: Round) -> None:
    mine = table.hook(table.actor)
    remove(table.kept.visit(table.actor))
    remove(table.kept.visit(table.actor))
    assert table.plan() == {}
    assert table.store.hooks(table.kept.id) == b""
    assert table.take(mine) is None


def test_a_session_that_ends_takes_its_hooks_along(table: Round) -> None:
    mine = table.hook(table.actor)
    opening.close(table.kept.visit("host"))
    assert table.plan(), "the plan may be behind"
    assert table.take(mine) is None
    assert table.plan() == {}


def test_who_has_lost_the_seat_has_lost_the_hook(table: Round) -> None:
    """The token of a seat may be another's now: he neither sees the old hook, nor is it told anything."""
    mine = table.hook(table.actor)
    blob = table.store.hooks(table.kept.id)
    old = kept([Hook(**{**{f: getattr(mine, f) for f in mine.__struct_fields__}, "holder": "another's"})])
    assert table.store.swap_hooks(table.kept.id, blob, old)
    with pytest.raises(NoWebhook):
        registered(table.kept.visit(table.actor))
    assert table.take(mine) is None
    assert table.store.hooks(table.kept.id) == b""


def test_a_hook_whose_key_has_been_taken_away_waits_for_its_key() -> None:
    ring = [KEY]
    table = Round(ring=Keyring(lambda: tuple(ring)))
    mine = table.hook(table.actor)
    without = Rounds(table.store, Keyring(lambda: (b"\x11" * 32,)), table.clock, lambda: 1.0)
    assert table.take(mine, without) is None
    assert table.at(mine) == SOONEST_LOOK
    both = Rounds(table.store, Keyring(lambda: (b"\x11" * 32, KEY)), table.clock, lambda: 1.0)
    assert table.take(mine, both) is not None


def test_many_that_register_at_once_all_have_their_hook(
    table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else is always quicker, thrice."""
    others = iter(["bob", "host", "dealer"])
    swap = table.store.swap_hooks

    def late(session: str, before: bytes, after: bytes) -> bool:
        who = next(others, None)
        if who is not None:
            table.hook(who)
        return bool(swap(session, before, after))

    monkeypatch.setattr(table.store, "swap_hooks", late)
    table.hook("ann")
    assert {h.bearer for h in read(table.store.hooks(table.kept.id))} == {
        "seat:ann",
        "seat:bob",
        "host",
        "dealer",
    }


def test_a_rewind_calls_anew(table: Round) -> None:
    seat, mine = table.actor, table.hook(table.actor)
    assert table.sent(mine) == [("your-decision", 1, seat)]
    table.pass_on()
    assert table.sent(mine) == []
    rewind(table.kept.visit("host"), 1, Proposal((2,), b""), lambda made: b"")
    assert table.sent(mine) == [("your-decision", 3, seat)]
