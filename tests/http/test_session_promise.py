"""The promise of the draws: told from the beginning, of no use before the end, checked then as a client does."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.engine.flow import window
from service.engine.judge import judge
from service.engine.state import CHANCE
from service.engine.table import Table
from service.sessions.replay import begun
from tests.conformance.toy import RULES as HARBOUR
from tests.http.conftest import problem
from tests.http.kept import AT, Kept, filled, opened
from tests.test_sessions_page import PAGE

READS = ("", "/options", "/events", "/record")


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def page() -> Any:
    """The functions of the page about sessions."""
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def fair(client: FlaskClient) -> Kept:
    return opened(client, "harbour", seats="ann bob cyd", chance={"client_seed": "ours"})


def played_out(kept: Kept) -> Any:
    """The host's record of a whole game, with a step back and an answer that was taken back."""
    for n in range(2000):
        decisions = kept.get("spectator").json["decisions"]
        if not decisions:
            return kept.get("host", "/record").json
        actor = decisions[n % len(decisions)]["actor"]
        options = kept.options(actor)
        kept.done(filled(options[n % len(options)]))
        if n in (2, 5, 9):  # what becomes of seats stands in the log and leads nowhere
            seat = f"{AT}/{kept.id}/seats/{actor}/rename"
            assert (
                kept.client.post(seat, json={"name": f"N{n}"}, headers=kept.headers("host")).status_code
                == 200
            )
        if n == 7:
            kept.post("host", "/rewind", {"to": 4})
        if n % 5 == 0:
            kept.post(actor, "/undo", {})
    raise AssertionError("the game does not end")


def test_the_promise_is_told_from_the_beginning_and_kept_at_the_end(client: FlaskClient, page: Any) -> None:
    kept = fair(client)
    noted = kept.opened["session"]["chance"]
    assert (noted["mode"], noted["fair"], noted["client_seed"]) == ("seeded", True, "ours")
    for who in ("ann", "spectator", "host"):
        assert kept.get(who).json["session"]["chance"] == noted
        assert kept.get(who, "/options").json["session"]["chance"] == noted
    record = played_out(kept)
    assert page["kept"](noted, record["chance"])
    for wrong in ({"seed": "00" * 32}, {"client_seed": "theirs"}, {"commitment": "00" * 32}):
        assert not page["kept"](noted, {**record["chance"], **wrong})
    assert not page["kept"]({**noted, "promise": "00" * 32}, record["chance"])


def test_every_draw_is_what_the_seed_says(client: FlaskClient, page: Any) -> None:
    record = played_out(fair(client))
    every = list(draws(record))

    def worked_out(chance: Any) -> list[Any]:
        return [page["drawn"](chance, n, odds) for n, (odds, _) in enumerate(every)]

    came = [value for _, value in every]
    assert worked_out(record["chance"]) == came
    assert len(came) == record["chance"]["next_draw"] > 30
    assert worked_out({**record["chance"], "client_seed": "theirs"}) != came
    assert {entry["kind"] for entry in record["log"]} == {"open", "act", "undo", "rewind", "seats"}


def draws(record: Any) -> Iterator[tuple[dict[str, int], Any]]:
    """The odds that there were and what came up, at every answer of chance in the log, in the order of the draws."""
    states: dict[int, Any] = {0: begun(HARBOUR, record["setup"])}
    for entry in record["log"]:
        state = states[entry.get("to", entry["version"] - 1)]
        for numbered in entry.get("actions", ()):
            action = {name: value for name, value in numbered.items() if name != "draw"}
            if action["actor"] == CHANCE:
                t = Table(HARBOUR, state)
                w = window(t)
                assert w is not None
                cls: Any = w.ask.takes[0]
                yield {k: v for k, v in cls.odds(t, w.frame).items() if v}, action[cls.parameter()]
            state = judge(HARBOUR, state, action).state
        states[entry["version"]] = state


def commitment_of(app: Flask, kept: Kept) -> str:
    from service.sessions.visit import enter

    return enter(app.extensions["arbitr"].desk, kept.id, kept.token("host")).state.chance.commitment


def test_what_is_told_before_the_end_forges_no_state(app: Flask, client: FlaskClient) -> None:
    """A seat writes a state of the session's game around all that it was told: the stateless calls do not take it."""
    kept = fair(client)
    seats = [{"id": s} for s in ("ann", "bob", "cyd")]
    state = client.post("/v1/games/harbour/states", json={"seats": seats}).json["state"]
    seen = kept.get("ann").json
    own = {"game_id": seen["view"]["game_id"], "client_seed": "ours"}
    end = {"kind": "end-turn", "actor": state["table"]["order"][0] if "order" in state["table"] else "ann"}
    for promise in (seen["session"]["chance"]["promise"], state["chance"]["commitment"], ""):
        chance = {**state["chance"], "commitment": promise, "client_seed": own["client_seed"]}
        forged = {**state, "game_id": own["game_id"], "chance": chance}
        answer = client.post("/v1/games/harbour/adjudications", json={"state": forged, "action": end})
        problem(answer, 422, "impossible-state")
        problem(client.post(AT, json={"game": "harbour", "state": forged}), 422, "impossible-state")
    chance = {**state["chance"], "commitment": commitment_of(app, kept), "client_seed": own["client_seed"]}
    known = {**state, "game_id": own["game_id"], "chance": chance}
    answer = client.post("/v1/games/harbour/problems", json={"state": known})
    assert answer.json["problems"] == [], "with the commitment it would have been one of ours"


def test_no_answer_tells_the_commitment_before_the_end(app: Flask, client: FlaskClient) -> None:
    first = fair(client)
    seats = [{"id": s} for s in ("ann", "bob", "cyd")]
    state = client.post("/v1/games/harbour/states", json={"seats": seats}).json["state"]
    second = Kept(client, client.post(AT, json={"game": "harbour", "state": state}).json)
    for kept in (first, second):
        secret, answers = commitment_of(app, kept), [str(kept.opened)]
        answers += [
            kept.get(who, path).text for who in ("ann", "host", "dealer", "spectator") for path in READS
        ]
        assert kept.opened["session"]["chance"]["fair"]
        assert not any(secret in answer for answer in answers)


def test_given_chance_promises_nothing(client: FlaskClient) -> None:
    kept = opened(client, "harbour", chance={"mode": "given"})
    assert kept.get("ann").json["session"]["chance"] == {"mode": "given", "fair": False}


# -- a seed of the host's -----------------------------------------------------------------------------------------

SEED = "3f1d7c0e9b5a48d2a6c4e8f00b7d9135"
GAMES = (("toy", "ann bob"), ("harbour", "ann bob cyd"), ("zavandor", "ann bob"))


def texts(told: Any) -> Iterator[str]:
    """Every text in an answer, and every id that lies in a token or another long text."""
    if isinstance(told, dict):
        for key, value in told.items():
            yield from (key, *texts(value))
    elif isinstance(told, list):
        for value in told:
            yield from texts(value)
    elif isinstance(told, str):
        yield told
        yield from re.findall(r"(?=([0-9a-f]{32}))", told)


def opens(told: Any, promise: str) -> list[str]:
    """The texts in an answer from which the seed of an open game comes, as verify.md says: it keeps the promise."""

    def promised(text: str) -> str:
        seed = hashlib.sha256(b"arbitr open game\n" + text.encode()).digest()
        return hashlib.sha256(hashlib.sha256(seed).hexdigest().encode()).hexdigest()

    return [text for text in texts(told) if promised(text) == promise]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_nothing_that_is_told_at_a_session_gives_the_seed_of_its_host(
    client: FlaskClient, game: str, seats: str
) -> None:
    kept = opened(client, game, seats, chance={"seed": SEED})
    promise = kept.opened["session"]["chance"]["promise"]
    for who in ("host", "spectator", *seats.split()):
        for path in READS:
            assert not opens(kept.get(who, path).json, promise), (who, path)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_nothing_that_is_told_with_a_token_gives_the_seed(client: FlaskClient, game: str, seats: str) -> None:
    setup = {"seats": [{"id": s} for s in seats.split()], "chance": {"seed": SEED}}
    begun = client.post(f"/v1/games/{game}/states", json={**setup, "hold": "token"}).json
    promise = begun["chance"]["promise"]
    head = base64.urlsafe_b64decode(begun["token"][:64])[9:25].hex()
    assert head == begun["view"]["game_id"]
    assert not opens([begun, head], promise)
    for key in (*begun["keys"]["seats"].values(), begun["keys"]["spectator"]):
        for call in ("views", "options"):
            answer = client.post(f"/v1/games/{game}/{call}", json={"token": begun["token"], "key": key})
            assert not opens(answer.json, promise)
    state = client.post(f"/v1/games/{game}/states", json=setup).json["state"]
    assert set(opens(state, promise)) == {state["game_id"]}, "whoever holds the state can work it out"


def test_when_the_game_is_over_the_seed_can_be_worked_out_from_what_is_told(client: FlaskClient) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd", chance={"seed": SEED})
    played_out(kept)
    chance = kept.get("ann").json["session"]["chance"]
    assert set(opens(chance, chance["promise"])) == {chance["game_id"]}
    assert chance["seed"] == hashlib.sha256(b"arbitr open game\n" + chance["game_id"].encode()).hexdigest()
