"""What is lost with the server keys, and what with the store: the procedures of docs/operations.md, carried out."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.engine.registry import Registry
from service.sessions import automata, sweeping
from service.sessions.redis_store import RedisStore
from tests.conformance.toy import RULES
from tests.http.conftest import problem, settings
from tests.http.kept import AT, Kept, filled
from tests.sessions.stores import imitation

OLD, NEW = "ab" * 32, "cd" * 32
GAME = "/v1/games/harbour"
SEATS = [{"id": "ann"}, {"id": "bob"}]
SEED = {"mode": "seeded", "seed": "seven"}


def server(keys: str, store: RedisStore | None = None) -> FlaskClient:
    """A server with these keys; several may have one store."""
    registry = Registry()
    registry.add(RULES)
    given = settings(ARBITR_KEY="", ARBITR_KEYS=keys)
    return create_app(given, registry, store or imitation()).test_client()


def opened(client: FlaskClient, **more: Any) -> Kept:
    answer = client.post(AT, json={"game": "harbour", "seats": SEATS, **more})
    assert answer.status_code == 201, answer.text
    return Kept(client, answer.json)


def at(client: FlaskClient, kept: Kept) -> Kept:
    """The same session and tokens at another server."""
    return Kept(client, kept.opened)


def played(kept: Kept, n: int, rng: random.Random) -> Any:
    """The answer to the last of so many actions, or to the first that is refused."""
    answer: Any = None
    for _ in range(n):
        options = kept.options(kept.actor)
        quiet = [o for o in options if o["kind"] in ("end-turn", "pass")] or options
        answer = kept.act(filled(rng.choice(quiet)))
        if answer.status_code != 201:
            return answer
    return answer


DRAWING = 12  # actions after which cards have been drawn for sure


# -- the keys -----------------------------------------------------------------------------------------------------


def test_without_its_key_a_fair_session_is_seen_and_goes_on_up_to_the_next_draw() -> None:
    store, rng = imitation(), random.Random(1)
    kept = opened(server(OLD, store))
    played(kept, 3, rng)
    lost = at(server(NEW, store), kept)
    for who in ("ann", "host"):
        for call in ("", "/options", "/events", "/record"):
            assert lost.get(who, call).status_code == kept.get(who, call).status_code == 200
    assert lost.get("ann").json == kept.get("ann").json
    before = lost.version
    refused = played(lost, DRAWING, rng)
    problem(refused, 422, "unknown-key")
    assert lost.version >= before
    assert lost.post("host", "/rewind", {"to": 1}).status_code == 201
    assert played(at(server(f"{NEW},{OLD}", store), kept), DRAWING, rng).status_code == 201, "the key is back"


def missing(client: FlaskClient) -> float:
    """How often operators were told that a key of theirs is missing."""
    (found,) = re.findall(r"^arbitr_keys_missing_total (\S+)$", client.get("/metrics").text, re.M)
    return float(found)


def test_that_a_key_of_ours_is_missing_is_counted() -> None:
    """In a session, and under a seal of a key that we have."""
    store, rng, here = imitation(), random.Random(1), server(NEW)
    kept, before = opened(server(OLD, store)), missing(here)
    problem(played(at(server(NEW, store), kept), DRAWING, rng), 422, "unknown-key")
    assert missing(here) == before + 1
    begun = server(OLD).post(f"{GAME}/states", json={"seats": SEATS}).json
    line(server(f"{NEW},{OLD}"), here, {"state": begun["state"], "seal": begun["seal"]}, rng)
    assert missing(here) == before + 2


def test_a_key_that_a_stranger_has_made_up_is_no_key_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    """Anybody may post a state that names any key, and open a session with it: nobody is woken for that."""
    rng, here = random.Random(1), server(NEW)
    state, before = here.post(f"{GAME}/states", json={"seats": SEATS}).json["state"], missing(here)
    state["chance"]["key_id"] = "0123456789abcdef"
    kept = Kept(here, here.post(AT, json={"game": "harbour", "state": state}).json)
    problem(played(kept, DRAWING, rng), 422, "unknown-key")
    line(here, here, {"state": state}, rng)
    assert kept.post("host", f"/seats/{kept.actor}/automate", {}).status_code == 200
    assert [kept.get("host").status_code for _ in range(3)] == [200] * 3
    assert "what is due at a session cannot be done" in caplog.text, "it was tried"
    assert missing(here) == before


def test_that_an_automated_seat_lacks_a_key_of_ours_is_counted_though_nobody_is_refused() -> None:
    """Whoever looks is not in its way; nor is whoever sweeps, and each time that it is tried is counted."""
    store, here = imitation(), server(NEW)
    there = server(OLD, store)
    desk, tables = server(NEW, store).application.extensions["arbitr"].desk, sweeping.Tables()
    kept, before = opened(there), missing(here)
    for seat in ("ann", "bob"):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(automata.play_on, "__defaults__", (0,))
            assert kept.post("host", f"/seats/{seat}/automate", {}).status_code == 200
    stuck = at(server(NEW, store), kept)
    looks = [stuck.get("host").status_code for _ in range(3)]
    assert looks == [200] * 3
    since = missing(here)
    assert since >= before + 2, "it plays on up to the draw, and is stuck there"
    tables.add(kept.id, 0)
    assert sweeping.play(desk, tables)
    assert missing(here) == since + 1
    version = stuck.version
    assert at(there, kept).get("host").json["session"]["version"] > version, "with the key it goes on"


def line(there: FlaskClient, here: FlaskClient, held: dict[str, Any], rng: random.Random) -> None:
    """Play at one server until another cannot draw any more; under the seals that the first one gives, if under any."""
    for n in range(DRAWING):
        options = there.post(f"{GAME}/options", json=held).json["options"]
        quiet = [o for o in options if o["kind"] in ("end-turn", "pass")] or options
        asked = {**held, "action": filled(rng.choice(quiet))}
        refused = here.post(f"{GAME}/adjudications", json=asked)
        if n and refused.status_code != 200:  # the first seal is of the key that is missing
            problem(refused, 422, "unknown-key")
            return
        told = there.post(f"{GAME}/adjudications", json=asked).json
        held = {"state": told["state"], **({"seal": told["seal"]} if "seal" in held else {})}
    raise AssertionError("nothing was drawn")


def test_without_any_key_a_session_with_an_open_seed_goes_on() -> None:
    store, rng = imitation(), random.Random(1)
    kept = opened(server(OLD, store), chance=SEED)
    assert played(at(server(NEW, store), kept), DRAWING, rng).status_code == 201


def test_without_their_key_seals_and_tokens_are_worth_nothing() -> None:
    there, here = server(OLD), server(NEW)
    begun = there.post(f"{GAME}/states", json={"seats": SEATS}).json
    sealed = {"state": begun["state"], "seal": begun["seal"]}
    assert problem(here.post(f"{GAME}/options", json=sealed), 422, "broken-seal")["why"] == "unknown-key"
    assert (
        problem(here.post(AT, json={"game": "harbour", **sealed}), 422, "broken-seal")["why"] == "unknown-key"
    )
    del sealed["seal"]
    assert here.post(f"{GAME}/options", json=sealed).status_code == 200, "as a foreign one"
    held = there.post(f"{GAME}/states", json={"seats": SEATS, "hold": "token"}).json
    asked = {"token": held["token"], "key": held["keys"]["seats"]["ann"]}
    assert problem(here.post(f"{GAME}/options", json=asked), 422, "broken-token")["why"] == "unknown-key"


def test_keys_are_changed_while_games_go_on() -> None:
    """First all servers take the new one, then it signs; the old one goes when its games are over."""
    store, rng = imitation(), random.Random(1)
    kept = opened(server(OLD, store))
    for keys in (OLD, f"{OLD},{NEW}", f"{NEW},{OLD}"):
        assert played(at(server(keys, store), kept), 4, rng).status_code == 201
    later = opened(server(f"{NEW},{OLD}", store))
    assert played(at(server(NEW, store), later), DRAWING, rng).status_code == 201
    problem(played(at(server(NEW, store), kept), DRAWING, rng), 422, "unknown-key")


# -- the store ----------------------------------------------------------------------------------------------------


def test_a_session_that_is_gone_is_as_one_that_never_was() -> None:
    kept = opened(server(OLD))
    gone = at(server(OLD), kept)
    problem(gone.get("ann"), 404, "unknown-session")
    problem(gone.act({"kind": "end-turn", "actor": "ann"}, version=1), 404, "unknown-session")


def test_a_game_with_an_open_seed_is_played_again_from_its_record() -> None:
    """Whoever kept set-up, seed and what was done opens a session that stands where the first one stood."""
    kept, rng = opened(server(OLD), chance=SEED), random.Random(1)
    assert played(kept, DRAWING, rng).status_code == 201
    record = kept.get("host", "/record").json
    another = server(NEW)
    begun = another.post(f"{GAME}/states", json={**record["setup"], "chance": SEED}).json
    actions = [a for a in record["actions"] if a["actor"] != "chance"]
    body = {"state": begun["state"], "seal": begun["seal"], "actions": actions}
    judged = another.post(f"{GAME}/adjudications", json=body).json
    assert judged["verdict"] == "legal"
    resumed = {"game": "harbour", "state": judged["state"], "seal": judged["seal"]}
    answer = another.post(AT, json=resumed)
    assert answer.status_code == 201
    again = Kept(another, answer.json)
    for who in ("ann", "bob", "spectator"):
        assert again.get(who).json["view"] == kept.get(who).json["view"]
    assert played(again, DRAWING, random.Random(5)).status_code == 201
    assert played(kept, DRAWING, random.Random(5)).status_code == 201
    assert again.get("ann").json["view"] == kept.get("ann").json["view"], "the same cards come up"


@pytest.mark.parametrize("keys", [OLD, f"{NEW},{OLD}"])
def test_a_state_that_was_kept_with_its_seal_opens_a_session(keys: str) -> None:
    begun = server(OLD).post(f"{GAME}/states", json={"seats": SEATS}).json
    client = server(keys)
    answer = client.post(AT, json={"game": "harbour", "state": begun["state"], "seal": begun["seal"]})
    assert answer.status_code == 201
    assert played(Kept(client, answer.json), DRAWING, random.Random(1)).status_code == 201


def test_a_record_needs_neither_store_nor_key() -> None:
    kept, rng = opened(server(OLD), chance=SEED), random.Random(3)
    while kept.get("spectator").json["decisions"]:
        options = kept.options(kept.actor)
        assert kept.act(filled(rng.choice(options))).status_code == 201
    record = kept.get("host", "/record").json
    found = server(NEW).post(f"{GAME}/verifications", json={"record": record}).json
    assert (found["verdict"], found["draws"], found["digest"]) == ("valid", "match", record["digest"])
