"""Who may have a stream, how it is asked for, and how it is refused."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest

from service.config import Settings
from service.http import streaming
from service.sessions import tickets
from service.streams.asked import Asked
from service.streams.places import Places, TooManyStreams
from tests.http.conftest import problem, settings
from tests.http.kept import AT, Kept, kept_app, opened
from tests.streams.readers import HOST, PORT, House, Reader, until

STREAM = "text/event-stream"
OTHER = "0" * 32


def refused(reader: Reader, status: int, name: str) -> Any:
    """An error as the main service gives it; the problem document."""
    assert (reader.status, reader.headers["content-type"]) == (status, "application/problem+json")
    told = reader.json
    assert (told["status"], told["type"]) == (status, f"/docs/problems/{name}")
    assert told["instance"].startswith("/")
    return told


def asked(house: House, kept: Kept, who: str | None = "ann", query: str = "", **headers: str) -> Any:
    return house.read(kept, who, query, **headers).ended()


def ticket(kept: Kept, who: str = "ann") -> str:
    answer = kept.client.post(f"{AT}/{kept.id}/stream-tickets", headers=kept.headers(who))
    assert answer.status_code == 201, answer.text
    assert answer.json["expires_in"] == 60
    assert answer.json["stream"].endswith(f"/stream?ticket={answer.json['ticket']}")
    return answer.json["ticket"]


# -- where it is ----------------------------------------------------------------------------------------------------


def test_the_session_names_its_stream() -> None:
    """On the host that the client asked, whatever that is called; where the operator names an address, there."""
    client = kept_app(ARBITR_STREAM_PORT=PORT).test_client()
    kept = opened(client)
    for host, at in (
        ("table.example:8000", "http://table.example:8001"),
        ("[::1]:8000", "http://[::1]:8001"),
        ("evil/../<b>", "http://127.0.0.1:8001"),
    ):
        links = kept.get("ann", Host=host).json["session"]["links"]
        assert links["stream"] == f"{at}/v1/sessions/{kept.id}/stream"
        assert links["stream-tickets"] == f"/v1/sessions/{kept.id}/stream-tickets"
    set_url = kept_app(
        ARBITR_STREAM_PORT=PORT, ARBITR_STREAM_URL="https://play.example/arbitr/"
    ).test_client()
    kept = opened(set_url)
    assert kept.opened["session"]["links"]["stream"] == (
        f"https://play.example/arbitr/v1/sessions/{kept.id}/stream"
    )


def test_where_there_are_no_streams_nobody_is_sent_to_one() -> None:
    kept = opened(kept_app(ARBITR_STREAM_PORT="off").test_client())
    assert "stream" not in kept.opened["session"]["links"]
    problem(kept.get("ann", "/events", Accept=STREAM), 406, "not-acceptable")
    path = f"{AT}/{kept.id}/stream-tickets"
    problem(kept.client.post(path, headers=kept.headers("ann")), 503, "no-streams")


def test_who_asks_the_service_for_a_stream_is_sent_there_with_a_ticket() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        answer = kept.get("ann", "/events?after=1", Accept=STREAM, Host="table.example")
        assert (answer.status_code, answer.data) == (307, b"")
        assert answer.headers["Cache-Control"] == "private, no-store"
        at, _, query = answer.headers["Location"].partition("?")
        assert at == f"http://table.example:8001/v1/sessions/{kept.id}/stream"
        assert query.startswith("after=1&ticket=")
        assert kept.token("ann") not in answer.headers["Location"]
        reader = house.read(kept, None, query)
        kept.done({"kind": "end-turn", "actor": "ann"})
        assert (await reader.come(1)).ids == [2]
        assert reader.events == kept.get("ann", "/events?after=1").json["events"]

    House.open().run(test)


def test_who_comes_back_by_way_of_the_service_goes_on_where_he_was() -> None:
    """The header may not be taken along to another address, so it stands in the address."""
    kept = opened(kept_app(ARBITR_STREAM_PORT=PORT).test_client())
    answer = kept.get("ann", "/events?after=3", Accept=STREAM, **{"Last-Event-ID": "7"})
    assert "/stream?after=7&ticket=" in answer.headers["Location"]
    problem(kept.get("ann", "/events", Accept=STREAM, **{"Last-Event-ID": "seven"}), 400, "bad-query")


def test_a_ticket_is_passed_on_and_a_token_must_be_of_the_session() -> None:
    kept = opened(kept_app(ARBITR_STREAM_PORT=PORT).test_client())
    answer = kept.get(None, f"/events?ticket={'t' * 22}", Accept=STREAM)
    assert answer.headers["Location"].endswith(f"/stream?ticket={'t' * 22}")
    problem(kept.get(None, "/events", Accept=STREAM), 401, "no-token")
    stranger = {"Authorization": f"Bearer {'x' * 22}", "Accept": STREAM}
    problem(kept.client.get(f"{AT}/{kept.id}/events", headers=stranger), 404, "unknown-session")
    problem(kept.get("ann", "/events?wait=5", Accept=STREAM), 400, "bad-query")


@pytest.mark.parametrize(
    "accept", ["*/*", "application/json", f"{STREAM};q=0.5, */*", f"{STREAM}, application/json"]
)
def test_who_takes_json_as_well_gets_json(accept: str) -> None:
    kept = opened(kept_app(ARBITR_STREAM_PORT=PORT).test_client())
    answer = kept.get("ann", "/events", Accept=accept)
    assert (answer.status_code, answer.mimetype) == (200, "application/json")


# -- tokens and tickets ---------------------------------------------------------------------------------------------


def test_a_ticket_is_good_once_and_for_its_bearer() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        given = ticket(kept, "bob")
        reader = await house.read(kept, None, f"ticket={given}").come(1)
        assert reader.last["view"] == kept.get("bob").json["view"]
        refused(await asked(house, kept, None, f"ticket={given}"), 404, "unknown-session")

    House.open().run(test)


def test_a_ticket_used_by_many_at_once_is_good_for_one() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        given = ticket(kept)
        readers = [house.read(kept, None, f"ticket={given}") for _ in range(5)]
        assert await until(lambda: all(reader.status for reader in readers))
        assert sorted(reader.status for reader in readers) == [200, 404, 404, 404, 404]

    House.open().run(test)


def test_a_ticket_is_of_its_session_and_lives_a_minute() -> None:
    async def test(house: House) -> None:
        one, two = [opened(house.main.test_client()) for _ in range(2)]
        given = ticket(one)
        refused(await asked(house, two, None, f"ticket={given}"), 404, "unknown-session")
        client = house.store._connected()
        (key,) = client.keys(f"arbitr:{{{one.id}}}:ticket:*")
        assert 58 <= client.ttl(key) <= tickets.LIFE == 60
        assert given.encode() not in key
        assert given.encode() not in client.get(key)
        assert one.token("ann").encode() not in client.get(key)
        client.delete(key)  # its time is over
        refused(await asked(house, one, None, f"ticket={given}"), 404, "unknown-session")

    House.open().run(test)


def test_a_ticket_of_a_session_that_was_closed_is_no_good() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        given = ticket(kept)
        kept.client.delete(f"{AT}/{kept.id}", headers=kept.headers("host"))
        refused(await asked(house, kept, None, f"ticket={given}"), 404, "unknown-session")

    House.open().run(test)


def test_who_is_nobody_gets_nothing() -> None:
    async def test(house: House) -> None:
        kept, other = [opened(house.main.test_client()) for _ in range(2)]
        told = refused(await asked(house, kept, None), 401, "no-token")
        assert told["title"] == "Who are you?"
        assert (await asked(house, kept, None)).headers["www-authenticate"] == "Bearer"
        refused(await asked(house, kept, None, "ticket=short"), 401, "no-token")
        refused(await asked(house, kept, None, Authorization="Basic x"), 401, "no-token")
        foreign = {"Authorization": other.headers("ann")["Authorization"]}
        one = refused(await asked(house, kept, None, **foreign), 404, "unknown-session")
        kept.opened["session"]["id"] = OTHER
        two = refused(await asked(house, kept, "ann"), 404, "unknown-session")
        assert {**one, "instance": ""} == {**two, "instance": ""}, "a foreign session and none look the same"
        for odd in ("x", "{y}", "%00", "é"):
            kept.opened["session"]["id"] = odd
            refused(await asked(house, kept, "ann"), 404, "unknown-session")
            refused(await asked(house, kept, None, f"ticket={'t' * 22}"), 404, "unknown-session")

    House.open().run(test)


def test_a_token_is_taken_from_no_query() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        for name in ("token", "access_token", "authorization"):
            told = await asked(house, kept, None, f"{name}={kept.token('ann')}")
            refused(told, 400, "bad-query")
            assert kept.token("ann") not in told.text.decode()
        refused(await asked(house, kept, None, f"ticket={kept.token('ann')}"), 404, "unknown-session")

    House.open().run(test)


# -- what is wrong with a request -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    ["after=-1", "after=x", "after=", "after=1&after=2", "wait=1", "ticket=a&ticket=b", "after=1000000001"],
)
def test_a_wrong_query_is_refused(query: str) -> None:
    async def test(house: House) -> None:
        told = refused(await asked(house, opened(house.main.test_client()), "ann", query), 400, "bad-query")
        assert told["errors"][0]["in"] == "query"

    House.open().run(test)


@pytest.mark.parametrize("query", ["%ff=1&\xff", "&".join(f"a{n}=1" for n in range(50))])
def test_a_query_that_cannot_be_read_is_refused(query: str) -> None:
    async def test(house: House) -> None:
        reader = await asked(house, opened(house.main.test_client()), "ann", query)
        assert reader.status == 400

    House.open().run(test)


def test_a_wrong_header_is_refused() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        for seen in ("x", "-1", "1.5", "²", "9" * 400):
            told = refused(await asked(house, kept, "ann", Last_Event_ID=seen), 400, "bad-query")
            assert (told["errors"][0]["in"], told["errors"][0]["pointer"]) == ("header", "/Last-Event-ID")
        told = refused(await asked(house, kept, "ann", Accept="application/json"), 406, "not-acceptable")
        assert STREAM in told["detail"]
        refused(await asked(house, kept, "ann", Accept=f"{STREAM};q=0"), 406, "not-acceptable")

    House.open().run(test)


def test_errors_are_in_the_language_of_the_request() -> None:
    async def test(house: House) -> None:
        reader = await asked(house, opened(house.main.test_client()), None, Accept_Language="cs")
        assert (reader.json["title"], reader.headers["content-language"]) == ("Kdo jste?", "cs")

    House.open().run(test)


def test_other_addresses_and_methods() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        for path in (
            "/",
            "/v1/games",
            f"/v1/sessions/{kept.id}",
            f"/v1/sessions/{kept.id}/events",
            "/x/stream",
        ):
            refused(await house.ask("GET", path).ended(), 404, "not-found")
        for method in ("POST", "HEAD", "PUT", "OPTIONS"):
            told = await house.ask(method, f"/v1/sessions/{kept.id}/stream").ended()
            assert (told.status, told.headers["allow"]) == (405, "GET, OPTIONS")
        assert (await house.ask("GET", "/livez").ended()).json == {"status": "ok"}
        assert (await house.ask("GET", "/readyz").ended()).json == {"status": "ok"}
        for path in ("/livez", "/readyz", "/metrics"):
            told = await house.ask("HEAD", path).ended()
            assert (told.status, told.text) == (200, b"")
            for method in ("POST", "OPTIONS"):
                told = await house.ask(method, path).ended()
                assert (told.status, told.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        house.streams.hub.office.follower.listening = False
        told = await house.ask("GET", "/readyz").ended()
        (gone,) = refused(told, 503, "not-ready")["missing"]
        assert (gone["what"], gone["why"]) == ("store", "not listening")
        assert (await house.ask("GET", "/readyz", "exclude=store").ended()).json == {"status": "ok"}
        refused(await house.ask("GET", "/readyz", "exclude=time").ended(), 503, "not-ready")
        for query in ("exclude=nope", "exclude=", "exclude=store&exclude=time", "include=store"):
            told = refused(await house.ask("GET", "/readyz", query).ended(), 400, "bad-query")
            main = problem(house.main.test_client().get(f"/readyz?{query}"), 400, "bad-query")
            assert told["errors"] == main["errors"], "as the service says it"

    House.open().run(test)


def test_a_proxy_may_tell_streams_by_how_their_address_begins() -> None:
    """Then it need not take that off: not every proxy can. Nothing else is found there."""

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        at, given = f"/v1/sessions/{kept.id}/stream", {"authorization": f"Bearer {kept.token('ann')}"}
        for before in ("/table/streams", ""):
            reader = await house.ask("GET", before + at, headers=given).come(1)
            assert reader.status == 200
        for path in ("/streams" + at, "/table/streams/metrics", "/table/streams/livez", "/table/streams"):
            refused(await house.ask("GET", path, headers=given).ended(), 404, "not-found")

    House.open(ARBITR_STREAM_URL="https://play.example/table/streams").run(test)


def test_every_answer_has_manners() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = await house.read(kept, "ann", X_Request_Id="r-1").come(1)
        for answer in (reader, await asked(house, kept, None, X_Request_Id="r-1")):
            assert answer.headers["x-request-id"] == "r-1"
            assert answer.headers["cache-control"] == "private, no-store"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "server" not in answer.headers
        assert reader.headers["x-accel-buffering"] == "no"
        odd = await asked(house, kept, None, X_Request_Id="a b")
        assert len(odd.headers["x-request-id"]) == 32

    House.open().run(test)


def test_pages_of_named_origins_may_read_streams() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        reader = await house.read(kept, "ann", Origin="https://play.example").come(1)
        assert reader.headers["access-control-allow-origin"] == "https://play.example"
        assert "Origin" in reader.headers["vary"]
        other = await house.read(kept, "ann", Origin="https://other.example").come(1)
        assert "access-control-allow-origin" not in other.headers
        path = f"/v1/sessions/{kept.id}/stream"
        asks = {"origin": "https://play.example", "access-control-request-method": "GET"}
        preflight = await house.ask("OPTIONS", path, headers=asks).ended()
        assert preflight.status == 204
        assert "Last-Event-ID" in preflight.headers["access-control-allow-headers"]
        assert "Authorization" in preflight.headers["access-control-allow-headers"]

    House.open(ARBITR_CORS_ORIGINS="https://play.example").run(test)


# -- how many -------------------------------------------------------------------------------------------------------


def test_no_more_streams_are_open_than_may_be() -> None:
    async def test(house: House) -> None:
        tables = [opened(house.main.test_client()) for _ in range(3)]
        held = [await house.read(tables[n // 2], "ann").come(1) for n in range(4)]
        told = await asked(house, tables[2])
        assert (refused(told, 503, "too-many-streams")["title"], told.headers["retry-after"]) == (
            "Too many streams are open already",
            "1",
        )
        await held[3].hang_up()
        assert (await house.read(tables[2], "ann").come(1)).status == 200, "who leaves makes room"

    House.open(ARBITR_STREAMS="4").run(test)


def test_one_session_takes_half_of_the_places() -> None:
    async def test(house: House) -> None:
        kept, other = [opened(house.main.test_client()) for _ in range(2)]
        for _ in range(2):
            await house.read(kept, "ann").come(1)
        refused(await asked(house, kept, "bob"), 503, "too-many-streams")
        await house.read(other, "ann").come(1)

    House.open(ARBITR_STREAMS="4").run(test)


@pytest.mark.parametrize(
    ("proxies", "headers"),
    [("0", [{"peer": "10.0.0.7"}]), ("1", [{"x-forwarded-for": "6.6.6.6, 10.0.0.7"}])],
)
def test_one_address_takes_half_of_the_places(proxies: str, headers: Any) -> None:
    async def test(house: House) -> None:
        tables = [opened(house.main.test_client()) for _ in range(3)]
        mine = {"x-forwarded-for": "10.0.0.1"} if proxies == "1" else {}

        def read(n: int, **more: str) -> Reader:
            path, given = f"/v1/sessions/{tables[n].id}/stream", tables[n].headers("ann")
            return house.ask("GET", path, "", {**{k.lower(): v for k, v in given.items()}, **mine, **more})

        for n in range(2):
            await read(n).come(1)
        told = await read(2).ended()
        refused(told, 429, "too-many-streams")
        assert told.headers["retry-after"] == "1"
        assert left(told) > 0
        await read(2, **headers[0]).come(1)

    House.open(ARBITR_STREAMS="4", ARBITR_RATE="200", ARBITR_TRUSTED_PROXIES=proxies).run(test)


def test_an_address_may_ask_only_so_often() -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        for _ in range(10):
            await asked(house, kept, None, "after=1", Authorization=f"Bearer {'x' * 22}")
        told = await asked(house, kept, "ann")
        refused(told, 429, "too-many-requests")
        assert int(told.headers["retry-after"]) >= 1
        assert left(told) < 3, "less than what it would have cost"

    House.open(ARBITR_RATE="1").run(test)


def left(reader: Reader) -> int:
    """What the answer says that the address has left."""
    assert re.fullmatch(r'"address";q=[0-9]+;w=10', reader.headers["ratelimit-policy"])
    found = re.fullmatch(r'"address";r=([0-9]+);t=[0-9]+', reader.headers["ratelimit"])
    assert found
    return int(found[1])


def test_who_fails_no_more_pays_less_again() -> None:
    """As in the service: each answer that is none of a fault halves what has been held against the address."""

    async def test(house: House) -> None:
        assert house.streams.limits
        house.streams.limits.now = lambda: 0.0  # nothing comes back meanwhile
        kept, seen = opened(house.main.test_client()), []
        for _ in range(50):
            await asked(house, kept, None)
        for _ in range(8):
            reader = await house.read(kept, "ann").come(1)
            seen.append(left(reader))
            await reader.hang_up()
        prices = [before - after for before, after in itertools.pairwise(seen)]
        assert prices == [6, 3, 2, 1, 1, 1, 1]

    House.open(ARBITR_RATE="100").run(test)


def test_who_keeps_failing_pays_more() -> None:
    """As in the service: of a hundred requests that fail far fewer are let through than of such as do not."""

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        found = [(await asked(house, kept, None)).status for _ in range(60)]
        through = found.index(429) if 429 in found else len(found)
        assert set(found[:through]) == {401}
        assert 10 < through < 60

    House.open(ARBITR_RATE="10").run(test)


def test_places_are_given_back() -> None:
    places = Places(3)
    with (
        places.place("a", "me"),
        places.place("b", "me"),
        pytest.raises(TooManyStreams),
        places.place("c", "me"),
    ):
        pass
    assert places.taken == 0
    assert places._held == {}
    with (
        places.place("a", None),
        places.place("a", None),
        pytest.raises(TooManyStreams),
        places.place("a", None),
    ):
        pass


# -- the log --------------------------------------------------------------------------------------------------------


def test_no_token_ticket_or_card_is_in_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        given = ticket(kept)
        first = await house.read(kept, None, f"ticket={given}").come(1)
        second = await house.read(kept, "ann").come(1)
        for reader in (first, second):
            await reader.hang_up()
        await asked(house, kept, None, f"ticket={given}")
        secret.extend([given, kept.token("ann"), kept.id, "plum"])

    secret: list[str] = []
    House.open(ARBITR_LOG_LEVEL="info").run(test)
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    mine = [line for line in lines if line["route"] == "/v1/sessions/<session>/stream"]
    assert [(line["status"], line.get("messages"), line.get("reason")) for line in mine] == [
        (200, 2, None),
        (200, 2, None),
        (404, None, "unknown-session"),
    ]
    for word in secret:
        assert word not in json.dumps(lines)


def test_the_address_for_another_host() -> None:
    settings = Settings.from_env({"ARBITR_STREAM_PORT": "9"})
    assert streaming.base_for(settings, "http", HOST.decode()) == "http://table.example:9"
    assert streaming.base_for(Settings.from_env({}), "http", HOST.decode()) is None


@pytest.mark.parametrize(
    ("lines", "client"),
    [
        (["9.9.9.9, 1.2.3.4", "5.6.7.8"], "1.2.3.4"),
        (["9.9.9.9", "1.2.3.4", "5.6.7.8"], "1.2.3.4"),
        (["9.9.9.9, ::ffff:1.2.3.4, 5.6.7.8"], "1.2.3.4"),
        (["5.6.7.8"], "10.0.0.1"),
    ],
)
def test_what_proxies_wrote_in_several_lines_is_one_list(lines: list[str], client: str) -> None:
    scope = {
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "scheme": "http",
        "client": ("::ffff:10.0.0.1", 1),
        "headers": [(b"x-forwarded-for", line.encode()) for line in lines],
    }
    found = Asked.of(settings(ARBITR_RATE="200", ARBITR_TRUSTED_PROXIES="2"), scope)
    assert found.client == client
