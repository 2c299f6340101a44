"""How often sessions may be opened and changed, by address and by token, and who may open them at all."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import fakeredis
import pytest
from flask import Flask
from flask.testing import FlaskClient

from schemas.record import MOST_CHANGES, MOST_PLIES
from service.app import create_app
from service.engine.registry import Registry
from service.http import logs
from service.http.context import _store as kept_store
from service.sessions import acting
from service.sessions.redis_store import RedisStore
from service.sessions.store import StoreAway
from tests.http import toy
from tests.http.conftest import problem, settings
from tests.http.kept import AT, NOW, Kept, kept_app, opened
from tests.http.test_record_claims import said, told_by_the_program
from tests.http.test_session_seats import change, claim
from tests.sessions.stores import imitation
from tools import verify_draws

END = {"kind": "end-turn", "actor": "ann"}
SETUP = {"game": "toy", "seats": [{"id": "ann"}, {"id": "bob"}]}
KEY, OTHER = "k" * 20, "A-very.long_key~of-somebody-else"
PLENTY = "1000"  # requests a second, so that this limit is in nobody's way


class Clock:
    """Milliseconds."""

    def __init__(self) -> None:
        self.now = 1_900_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def app_of(store: RedisStore, **more: str) -> FlaskClient:
    """A client of an app that has this store."""
    registry = Registry()
    registry.add(toy.make("1.0"))
    return create_app(settings(**more), registry, store).test_client()


def limited(clock: Clock, rate: int = 0, **more: str) -> FlaskClient:
    """A client of an app whose store lets a bearer act so many times a second."""
    server = fakeredis.FakeServer()
    return app_of(
        RedisStore(lambda: fakeredis.FakeRedis(server=server, protocol=2), clock, rate=rate), **more
    )


def played(client: FlaskClient) -> Kept:
    """A session at version 2."""
    kept = opened(client)
    kept.done(END)
    return kept


def rewound(kept: Kept, **more: Any) -> Any:
    """The host goes back to the beginning, which he may do as often as he likes."""
    return kept.post("host", "/rewind", {"to": 1}, **more)


def statuses(n: int, call: Any) -> list[int]:
    return [call().status_code for _ in range(n)]


# -- by token -----------------------------------------------------------------------------------------------------


def test_a_token_acts_for_ten_seconds_at_once_and_then_at_its_rate(clock: Clock) -> None:
    kept = played(limited(clock, rate=2))
    assert statuses(20, lambda: rewound(kept)) == [201] * 20
    before = kept.get("ann").json
    refused = rewound(kept)
    problem(refused, 429, "too-many-requests")
    assert refused.headers["Retry-After"] == "1"
    assert kept.get("ann").json == before, "nothing was done, and looking is free"
    clock.now += 500
    assert statuses(2, lambda: rewound(kept)) == [201, 429]
    clock.now += 3_600_000
    assert statuses(21, lambda: rewound(kept)) == [201] * 20 + [429], "more than that is not saved up"


def test_a_clock_that_goes_back_takes_nothing_away(clock: Clock) -> None:
    """Several machines have several clocks."""
    kept = played(limited(clock, rate=1))
    assert statuses(5, lambda: rewound(kept)) == [201] * 5
    clock.now -= 60_000
    assert statuses(6, lambda: rewound(kept)) == [201] * 5 + [429]


def test_each_bearer_has_a_measure_of_his_own(clock: Clock) -> None:
    kept = played(limited(clock, rate=1))
    assert statuses(11, lambda: rewound(kept))[-1] == 429
    assert kept.act(END).status_code == 201, "ann, who has acted once"
    other = played(kept.client)
    assert rewound(other).status_code == 201, "and the host of another table"


def test_changes_of_seats_are_among_what_a_token_may_do(clock: Clock) -> None:
    for who, what, body in (
        ("ann", "rename", {"name": "{n}"}),
        ("host", "rename", {"name": "{n}"}),
        ("host", "invite", {}),
        ("ann", "hand-over", {}),
    ):
        kept = opened(limited(clock, rate=1))

        def once(n: int, kept: Kept = kept, who: str = who, what: str = what, body: Any = body) -> int:
            given = {name: text.format(n=n) for name, text in body.items()}
            return change(kept, who, "ann", what, given).status_code

        assert [once(n) for n in range(12)] == [200] * 10 + [429] * 2, (who, what)
        before = kept.get("spectator").json
        refused = change(kept, who, "ann", what, dict.fromkeys(body, "more"))
        problem(refused, 429, "too-many-requests")
        assert refused.headers["Retry-After"] == "1"
        assert kept.get("spectator").json == before


@pytest.mark.parametrize(("who", "what"), [("host", "automate"), ("ann", "take-back"), ("ann", "leave")])
def test_a_token_with_nothing_left_lets_nobody_play_takes_nothing_back_and_does_not_leave(
    clock: Clock, who: str, what: str
) -> None:
    kept = opened(limited(clock, rate=1))
    if what == "take-back":
        assert change(kept, "host", "bob", "automate").status_code == 200
        assert change(kept, "host", "ann", "automate").status_code == 200
    names = iter(range(100))
    while change(kept, who, "ann", "rename", {"name": str(next(names))}).status_code == 200:
        assert next(names) < 50
    assert change(kept, who, "ann", what).status_code == 429
    clock.now += 1000
    assert change(kept, who, "ann", what).status_code == 200


def test_a_claim_is_counted_by_its_address_alone(clock: Clock) -> None:
    kept = opened(limited(clock, rate=1))
    for n in range(10):
        assert change(kept, "ann", "ann", "rename", {"name": str(n)}).status_code == 200
    invitation = change(kept, "host", "ann", "invite").json["invitation"]
    assert claim(kept, "ann", invitation).status_code == 200, "nobody who sits there can be in its way"


def test_what_is_refused_for_another_reason_or_repeated_costs_nothing(clock: Clock) -> None:
    kept = opened(limited(clock, rate=1))
    assert set(statuses(12, lambda: kept.act(END, version=7))) == {412}
    assert set(statuses(12, lambda: kept.act({"kind": "end-turn", "actor": "bob"}, "ann"))) == {403}
    kept.done(END)
    first = rewound(kept, version=2, Idempotency_Key="k")
    assert first.status_code == 201
    for _ in range(12):
        again = rewound(kept, version=2, Idempotency_Key="k")
        assert (again.status_code, again.data) == (201, first.data)
    assert statuses(10, lambda: rewound(kept)) == [201] * 9 + [429]


def test_a_refused_action_is_accepted_later_under_the_same_key(clock: Clock) -> None:
    kept = played(limited(clock, rate=1))
    statuses(10, lambda: rewound(kept))
    version = kept.version
    assert rewound(kept, version=version, Idempotency_Key="k").status_code == 429
    clock.now += 1000
    assert rewound(kept, version=version, Idempotency_Key="k").status_code == 201


def test_a_bucket_is_part_of_its_session_and_ends_with_it(clock: Clock) -> None:
    client = limited(clock, rate=1)
    kept = opened(client)
    kept.done(END)
    redis = client.application.extensions["arbitr"].store._connected()
    assert b"rate:seat:ann" in redis.hkeys(f"arbitr:{{{kept.id}}}:session")
    assert len(redis.keys("*")) == 2, "there is no other key"


# -- by address ---------------------------------------------------------------------------------------------------


def test_an_address_opens_and_changes_so_many_in_all(clock: Clock) -> None:
    client = limited(clock, ARBITR_RATE=PLENTY, ARBITR_ADDRESS_RATE="1")
    kept = played(client)
    assert statuses(5, lambda: rewound(kept)) == [201] * 5
    told = rewound(kept).headers
    assert told["RateLimit-Policy"] == '"address";q=10000;w=10, "address-actions";q=10;w=10'
    assert told["RateLimit"].endswith(', "address-actions";r=2;t=8')
    assert statuses(2, lambda: client.post(AT, json=SETUP)) == [201] * 2
    refused = client.post(AT, json=SETUP)
    problem(refused, 429, "too-many-requests")
    assert refused.headers["Retry-After"] == "1"
    assert refused.headers["RateLimit"].endswith(', "address-actions";r=0;t=10')
    assert rewound(kept).status_code == 429
    assert kept.get("ann").status_code == 200, "looking is free"
    assert client.post(AT, json=SETUP, environ_overrides={"REMOTE_ADDR": "10.0.0.9"}).status_code == 201
    clock.now += 1000
    assert rewound(kept).status_code == 201


@pytest.mark.parametrize("change", ["seats/ann/rename", "seats/ann/automate", "seats/ann/claim", "webhook"])
def test_changes_of_seats_and_webhooks_are_counted_with_the_rest(clock: Clock, change: str) -> None:
    client = limited(clock, ARBITR_RATE=PLENTY, ARBITR_ADDRESS_RATE="1")
    kept = played(client)
    send = client.put if change == "webhook" else client.post

    def ask() -> Any:
        return send(f"{AT}/{kept.id}/{change}", json={}, headers=kept.headers("ann"))

    assert 429 not in statuses(8, ask), "whatever comes of it"
    problem(ask(), 429, "too-many-requests")


def test_all_workers_count_together(clock: Clock) -> None:
    first = limited(clock, ARBITR_RATE=PLENTY, ARBITR_ADDRESS_RATE="1")
    store = first.application.extensions["arbitr"].store
    second = app_of(store, ARBITR_RATE=PLENTY, ARBITR_ADDRESS_RATE="1")
    answers = [client.post(AT, json=SETUP).status_code for _ in range(6) for client in (first, second)]
    assert answers == [201] * 10 + [429] * 2


def test_a_bucket_of_an_address_goes_when_it_is_full_again() -> None:
    client = app_of(imitation(), ARBITR_RATE=PLENTY, ARBITR_ADDRESS_RATE="30")
    opened(client)
    redis = client.application.extensions["arbitr"].store._connected()
    key = "arbitr:rate:127.0.0.1"
    assert 0 < redis.pttl(key) <= 10_000


def test_many_tries_cost_too_though_they_are_refused(clock: Clock) -> None:
    client = limited(clock, ARBITR_RATE=PLENTY, ARBITR_ADDRESS_RATE="1")
    kept = opened(client)
    assert statuses(11, lambda: kept.act(END, version=9)) == [412] * 9 + [429] * 2


@pytest.mark.parametrize("off", [{"ARBITR_RATE": "0"}, {"ARBITR_ADDRESS_RATE": "0"}])
def test_no_rate_no_limit(clock: Clock, off: dict[str, str]) -> None:
    client = limited(clock, **{"ARBITR_RATE": PLENTY, "ARBITR_ADDRESS_RATE": "1", **off})
    assert set(statuses(15, lambda: client.post(AT, json=SETUP))) == {201}
    assert client.application.extensions["arbitr"].store._connected().keys("arbitr:rate:*") == []


def test_a_bucket_that_cannot_be_had_refuses_nothing(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a cluster it may be on another node than the session."""
    client = limited(clock, ARBITR_RATE=PLENTY, ARBITR_ADDRESS_RATE="1")

    def away(*given: Any) -> None:
        raise StoreAway

    monkeypatch.setattr(client.application.extensions["arbitr"].store, "spend", away)
    kept = played(client)
    assert set(statuses(12, lambda: rewound(kept))) == {201}


@pytest.mark.parametrize(
    ("more", "rate"),
    [({}, 0), ({"ARBITR_RATE": "5"}, 10), ({"ARBITR_RATE": "5", "ARBITR_TOKEN_RATE": "3"}, 3)],
)
def test_the_settings_reach_the_store(more: dict[str, str], rate: int) -> None:
    store: Any = kept_store(settings(ARBITR_REDIS_URL="unix:///nowhere.sock", **more))
    assert store._rate.a_second == rate


# -- API keys -----------------------------------------------------------------------------------------------------


@pytest.fixture
def keyed() -> FlaskClient:
    digest = sha256(OTHER.encode()).hexdigest()
    return app_of(imitation(), ARBITR_API_KEYS=f"club:{KEY},shop:{digest}")


def test_without_a_key_that_is_known_nothing_is_opened(keyed: FlaskClient) -> None:
    digest = sha256(OTHER.encode()).hexdigest()
    wrong = [
        None,
        "Bearer",
        "Bearer ",
        f"Basic {KEY}",
        f"Bearer {KEY[1:]}",
        f"Bearer {KEY} x",
        f"Bearer {digest}",
    ]
    for given in [*wrong, "Bearer \xe9\xff", f"Bearer club:{KEY}"]:
        answer = keyed.post(AT, json=SETUP, headers={"Authorization": given} if given else {})
        found = problem(answer, 401, "no-api-key")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert KEY[1:] not in json.dumps(found)
    czech = keyed.post(AT, json=SETUP, headers={"Accept-Language": "cs"}).json
    assert czech["title"] == "K otevření sezení je třeba klíč"


@pytest.mark.parametrize("key", [KEY, OTHER])
def test_with_a_key_a_session_is_opened_and_played_by_its_tokens(keyed: FlaskClient, key: str) -> None:
    answer = keyed.post(AT, json=SETUP, headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 201
    kept = Kept(keyed, answer.json)
    assert kept.done(END)["session"]["version"] == 2
    for look in (AT, f"{AT}/{kept.id}"):
        assert keyed.get(look, headers={"Authorization": f"Bearer {key}"}).status_code in (401, 405)
    assert keyed.post("/v1/games/toy/states", json={"seats": SETUP["seats"]}).status_code == 200


def test_a_key_is_compared_before_the_body_is_read(keyed: FlaskClient) -> None:
    problem(keyed.post(AT, data=b"nonsense"), 401, "no-api-key")


def test_the_log_tells_the_name_of_a_key_and_never_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines: list[bytes] = []
    monkeypatch.setattr(logs.STDOUT, "write", lines.append)
    client = app_of(imitation(), ARBITR_API_KEYS=f"club:{KEY}", ARBITR_LOG_LEVEL="info")
    client.post(AT, json=SETUP, headers={"Authorization": f"Bearer {KEY}"})
    client.post(AT, json=SETUP, headers={"Authorization": f"Bearer {OTHER}"})
    told = [json.loads(line) for line in lines]
    assert [(line.get("api_key"), line["status"]) for line in told] == [("club", 201), (None, 401)]
    assert KEY.encode() not in b"".join(lines)
    assert OTHER.encode() not in b"".join(lines)


# -- how long a session may get ------------------------------------------------------------------------------------


def test_a_session_goes_forward_only_before_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = opened(kept_app().test_client(), "toy")
    monkeypatch.setattr(acting, "MOST_ELSE", 3)
    monkeypatch.setattr(acting, "MOST_ACTED", 5)
    assert change(kept, "ann", "ann", "rename", {"name": "A"}).status_code == 200
    kept.done(END)
    for who in ("ann", "role:host"):
        problem(change(kept, who, "ann", "rename", {"name": "B"}), 422, "session-full")
    problem(change(kept, "ann", "ann", "hand-over"), 422, "session-full")
    problem(change(kept, "role:host", "bob", "leave"), 403, "not-allowed")
    problem(kept.post("role:host", "/rewind", {"to": 1}), 422, "session-full")
    kept.done({**END, "actor": kept.actor})
    assert kept.version == 4
    told = problem(change(kept, "ann", "ann", "rename", {"name": "B"}), 422, "session-full")
    assert "9900" in told["detail"]


def shortened(monkeypatch: pytest.MonkeyPatch, acted: int, other: int) -> None:
    """Let sessions, and what looks at their logs, have so many versions."""
    for module in (acting, verify_draws):
        monkeypatch.setattr(module, "MOST_ACTED", acted)
        monkeypatch.setattr(module, "MOST_ELSE", other)


def test_one_who_gives_himself_name_after_name_is_not_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = opened(kept_app().test_client(), "harbour")
    shortened(monkeypatch, 60, 5)
    names = [change(kept, "bob", "bob", "rename", {"name": f"B{n}"}).status_code for n in range(5)]
    assert names == [200, 200, 200, 200, 422]
    actor = kept.actor
    kept.done({**END, "actor": actor})
    problem(kept.post(actor, "/undo", {}), 422, "session-full")
    assert change(kept, "role:host", "bob", "automate").status_code == 200
    assert change(kept, "bob", "bob", "take-back").status_code == 200
    assert change(kept, "bob", "bob", "leave").status_code == 200
    invited = change(kept, "role:host", "bob", "invite")
    claimed = claim(kept, "bob", invited.json["invitation"], {"name": "Cyril"})
    assert claimed.json["session"]["seats"]["bob"]["held"]
    for seat in ("ann", "bob"):
        assert change(kept, "role:host", seat, "automate").status_code == 200
    told = kept.get("spectator").json
    while told["outcome"] is None:
        assert told["decisions"], "nobody is waited for, and the game goes on"
        told = kept.get("spectator").json
    assert told["session"]["version"] < 60
    record = kept.get("role:host", "/record").json
    judged = verified(kept, record)
    assert (judged["verdict"], judged["draws"], said(json.dumps(record))) == ("valid", "match", 0)
    one_less = len(record["log"]) - 1  # what was written then, no session writes where logs end before
    shortened(monkeypatch, one_less, 5)
    demand_no_log(kept, record, one_less)


def demand_no_log(kept: Kept, record: Any, at: int) -> None:
    """Neither the service nor the stranger's program takes this log; the service says where."""
    told = verified(kept, record)
    difference = told["difference"]
    assert (told["draws"], difference["why"]) == ("differ", "log")
    assert difference["pointer"] == f"/log/{at}/version"
    assert said(json.dumps(record)) == verify_draws.DIFFER


@pytest.mark.parametrize("last", ["undo", "rewind", "rename", "hand-over"])
def test_a_log_that_is_long_goes_on_as_sessions_do(monkeypatch: pytest.MonkeyPatch, last: str) -> None:
    kept = opened(kept_app().test_client(), "harbour")
    actor = kept.actor
    other = next(seat for seat in ("ann", "bob") if seat != actor)
    kept.done({**END, "actor": actor})
    made = {
        "undo": lambda: kept.post(actor, "/undo", {}),
        "rewind": lambda: kept.post("role:host", "/rewind", {"to": 1}),
        "rename": lambda: change(kept, other, other, "rename", {"name": "B"}),
        "hand-over": lambda: change(kept, other, other, "hand-over"),
    }[last]()
    assert made.status_code in (200, 201), made.text
    for seat in ("ann", "bob"):
        assert change(kept, "role:host", seat, "automate").status_code == 200
    while kept.get("spectator").json["outcome"] is None:
        pass
    record = kept.get("role:host", "/record").json
    assert said(json.dumps(record)) == verify_draws.MATCH
    shortened(monkeypatch, 60, 3)
    assert verified(kept, record)["draws"] == "match"
    assert said(json.dumps(record)) == verify_draws.MATCH, "that was the last one of its kind"
    shortened(monkeypatch, 60, 2)
    demand_no_log(kept, record, 2)


def filled_up(monkeypatch: pytest.MonkeyPatch, **more: Any) -> tuple[Flask, Kept]:
    """A session with as many versions as there may be, whose game goes on."""
    app = kept_app()
    kept = opened(app.test_client(), "toy", **more)
    monkeypatch.setattr(acting, "MOST_ELSE", 3)
    monkeypatch.setattr(acting, "MOST_ACTED", 4)
    for _ in range(2):
        assert "ended" not in kept.done({**END, "actor": kept.actor})["session"]
    return app, kept


def test_a_session_is_over_with_the_last_version_that_there_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    _, kept = filled_up(monkeypatch)
    actor = kept.actor
    told = kept.done({**END, "actor": actor})
    ended = {"because": "length", "seats": [], "at": "2030-03-17T17:46:40.000Z"}
    assert (told["session"]["version"], told["session"]["ended"]) == (4, ended)
    assert (told["decisions"], told["outcome"]) == ([], None)
    for who in ("ann", "bob", "spectator", "role:host"):
        seen = kept.get(who).json
        assert (seen["session"]["ended"], seen["decisions"], seen["outcome"]) == (ended, [], None)
        assert kept.get(who, "/options").json["options"] == []
        assert kept.get(who, "/events").json["version"] == 4
    for seat in ("ann", "bob"):
        problem(kept.act({**END, "actor": seat}), 422, "game-over")
    problem(kept.post("role:host", "/rewind", {"to": 1}), 422, "game-over")
    problem(kept.post(actor, "/undo", {}), 422, "game-over")
    problem(change(kept, "role:host", "bob", "automate"), 422, "game-over")
    assert kept.version == 4


def verified(kept: Kept, record: Any) -> Any:
    """What the service says of a record."""
    return kept.client.post(f"/v1/games/{record['game']}/verifications", json={"record": record}).json


def test_the_record_of_a_session_that_is_too_long_is_whole_and_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    _, kept = filled_up(monkeypatch)
    assert not kept.get("role:host", "/record").json["complete"]
    kept.done({**END, "actor": kept.actor})
    record = kept.get("role:host", "/record").json
    assert (record["complete"], len(record["log"])) == (True, 4)
    assert record["chance"]["seed"] == kept.get("ann").json["session"]["chance"]["seed"]
    told = verified(kept, record)
    assert (told["verdict"], told["draws"], told["outcome"]) == ("valid", "match", None)
    monkeypatch.setattr(acting, "MOST_ACTED", 5)
    assert verified(kept, record)["reason"] == "not-over", "a shorter one has not ended it"
    monkeypatch.setattr(acting, "MOST_ACTED", 3)
    told = verified(kept, record)
    assert (told["draws"], told["difference"]["why"]) == ("differ", "log"), "no session makes more"


def test_with_a_session_that_is_too_long_its_clock_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"per": "turn", "seconds": 50, "on_timeout": "end"}
    app, kept = filled_up(monkeypatch, clock=clock)
    kept.done({**END, "actor": kept.actor})
    held = app.extensions["arbitr"]
    held.desk = replace(held.desk, now=lambda: NOW + 600)
    told = kept.get("spectator").json["session"]
    assert (told["version"], told["ended"]["because"]) == (4, "length")
    assert not any("deadline" in seat or seat["timed_out"] for seat in told["clock"]["seats"].values())


def test_a_game_that_its_last_version_ends_is_over_by_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = opened(kept_app().test_client(), "toy")
    monkeypatch.setattr(acting, "MOST_ACTED", 9)
    for _ in range(8):
        told = kept.done({**END, "actor": kept.actor})
    assert told["outcome"]["because"] == "TOY-5"
    assert "ended" not in told["session"]
    assert verified(kept, kept.get("role:host", "/record").json)["verdict"] == "valid"


def test_who_plays_by_himself_does_not_overfill_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = opened(kept_app().test_client(), "harbour")
    actor = next(d["actor"] for d in kept.get("spectator").json["decisions"])
    monkeypatch.setattr(acting, "MOST_ACTED", 2)
    assert change(kept, "role:host", actor, "automate").status_code == 200
    told = kept.get("spectator")
    assert (told.status_code, told.json["session"]["version"]) == (200, 2)
    assert told.json["session"]["ended"]["because"] == "length"


@pytest.mark.parametrize(("then", "because"), [("end", "time"), ("automate", "length")])
def test_in_a_session_that_was_full_before_it_could_end_so_the_clock_goes_on(
    monkeypatch: pytest.MonkeyPatch, then: str, because: str
) -> None:
    clock = {"per": "turn", "seconds": 50, "on_timeout": then}
    app = kept_app()
    kept, hour = opened(app.test_client(), "toy", clock=clock), NOW
    for module in (acting, verify_draws):
        monkeypatch.setattr(module, "MOST_ACTED", 1)
        monkeypatch.setattr(module, "MOST_ELSE", 1)
    problem(kept.act({**END, "actor": kept.actor}), 422, "session-full")
    held = app.extensions["arbitr"]
    held.desk = replace(held.desk, now=lambda: hour + 60)
    assert kept.get("spectator").json["session"]["ended"]["because"] == because
    assert kept.version == 2
    record = kept.get("role:host", "/record").json
    told = verified(kept, record)
    assert (record["complete"], told["verdict"], told["draws"]) == (True, "valid", "match")
    assert told_by_the_program(json.dumps(record))[0] == 0


def test_whatever_a_session_writes_fits_into_a_record() -> None:
    assert acting.MOST_ELSE < acting.MOST_ACTED
    assert acting.MOST_ACTED + MOST_CHANGES <= MOST_PLIES, "each seat may have been late once more"
    assert verify_draws.MOST_PLIES == MOST_PLIES
    assert (verify_draws.MOST_ACTED, verify_draws.MOST_ELSE) == (acting.MOST_ACTED, acting.MOST_ELSE)
    assert set(verify_draws.KEEPING) == acting.KEEPING
