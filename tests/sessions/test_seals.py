"""Seals: one holds for the state that it was made for, and for nothing else. Worked out again from docs/seals.md."""

from __future__ import annotations

import hashlib
import hmac
import json
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from service.engine.state import encode
from service.games import REGISTRY
from service.sessions.keys import Keyring
from service.sessions.seals import BrokenSeal, Seals
from service.sessions.seatkeys import keys_of
from service.sessions.wrapping import Origin, Wrapping
from tests.conformance.subjects import walk
from tests.conformance.toy import RULES as HARBOUR
from tests.schemas.mutations import at, paths

VECTORS = json.loads((Path(__file__).parents[2] / "docs/vectors/seals.json").read_text(encoding="utf-8"))
KEY, OTHER = b"k" * 32, b"o" * 32
SEALS = Seals(Keyring(lambda: [KEY]))
DOCUMENT: dict[str, Any] = VECTORS["seals"][0]["state"]


def typed(document: Any) -> Any:
    """What of a state a seal reads beside its canonical JSON."""
    return SimpleNamespace(**{name: document[name] for name in ("game", "ruleset", "schema", "game_id")})


def sealed(document: Any, parent: str | None = None, by: Seals = SEALS) -> str:
    return by.seal(typed(document), encode(document), parent)


def broken(document: Any, seal: str, by: Seals = SEALS) -> str:
    with pytest.raises(BrokenSeal) as refused:
        by.demand(typed(document), encode(document), seal)
    return refused.value.why


def holds(document: Any, seal: str, by: Seals = SEALS) -> bool:
    by.demand(typed(document), encode(document), seal)
    return True


# -- by the book, with nothing of ours ---------------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def by_the_book(key: bytes, state: Any, parent: str | None) -> str:
    key_id = hashlib.sha256(b"arbitr server key\n" + key).hexdigest()[:16]
    above = "0" if parent is None else hashlib.sha256(parent.encode()).hexdigest()
    ruleset = f"{state['game']} {state['ruleset']}"
    head = ["arbitr seal", 1, key_id, ruleset, state["schema"], state["game_id"], above]
    sealing = hmac.digest(key, b"arbitr seal key", "sha256")
    mac = hmac.digest(sealing, canonical(head) + b"\n" + canonical(state), "sha256")
    return f"1.{key_id}.{above}.{mac.hex()}"


@pytest.mark.parametrize("vector", VECTORS["seals"])
def test_the_vectors_of_seals_are_what_the_docs_say_and_what_we_do(vector: Any) -> None:
    key = bytes.fromhex(vector["key"])
    assert canonical(vector["state"]) == vector["canonical"].encode() == encode(vector["state"])
    assert vector["seal"] == by_the_book(key, vector["state"], vector["parent"])
    ours = Seals(Keyring(lambda: [key]))
    assert vector["seal"] == sealed(vector["state"], vector["parent"], ours)
    assert holds(vector["state"], vector["seal"], ours)


@pytest.mark.parametrize("vector", VECTORS["tokens"])
def test_the_vectors_of_tokens_are_what_the_docs_say_and_what_we_do(vector: Any) -> None:
    import base64
    import zlib

    key, game_id, salt = (bytes.fromhex(vector[name]) for name in ("key", "game_id", "salt"))
    whole = base64.urlsafe_b64decode(vector["token"] + "=" * (-len(vector["token"]) % 4))
    head, nonce, closed = whole[:41], whole[41:53], whole[53:]
    assert head == b"\x01" + hashlib.sha256(b"arbitr server key\n" + key).digest()[:8] + game_id + salt
    of_game = hmac.digest(hmac.digest(key, b"arbitr token key", "sha256"), game_id + salt, "sha256")
    padded = AESGCM(of_game).decrypt(nonce, closed, b"arbitr token\n" + head + vector["game"].encode())
    length = int.from_bytes(padded[:4], "big")
    assert zlib.decompress(padded[4 : 4 + length]) == vector["canonical"].encode()
    assert set(padded[4 + length :]) == {0}
    assert len(padded) % 1024 == 0

    def seat_key(role: str, seat: str | None) -> str:
        told = canonical([vector["game"], vector["game_id"], vector["salt"], role, seat])
        mac = hmac.digest(hmac.digest(key, b"arbitr seats key", "sha256"), told, "sha256")[:16]
        return base64.urlsafe_b64encode(mac).decode().rstrip("=")

    seats = {seat: seat_key("seat", seat) for seat in ("ann", "bob")}
    every = {"seats": seats, "spectator": seat_key("spectator", None), "dealer": seat_key("dealer", None)}
    assert vector["seat_keys"] == every
    ring, origin = Keyring(lambda: [key]), Origin(vector["game"], vector["game_id"], salt)
    assert Wrapping(ring).unwrap(vector["game"], vector["token"]) == (origin, vector["canonical"].encode())
    found = keys_of(ring, origin, ["ann", "bob"], dealt=True)
    assert {"seats": found.seats, "spectator": found.spectator, "dealer": found.dealer} == every


# -- what breaks one ---------------------------------------------------------------------------------------------


def test_every_character_of_a_seal_counts() -> None:
    seal = sealed(DOCUMENT, "a parent")
    for at_ in range(len(seal)):
        for other in "0123456789abcdefABCDEF.- \n":
            if other != seal[at_]:
                broken(DOCUMENT, seal[:at_] + other + seal[at_ + 1 :])


def test_a_seal_that_is_cut_off_or_goes_on_is_none() -> None:
    seal = sealed(DOCUMENT)
    for end in range(len(seal)):
        assert broken(DOCUMENT, seal[:end]) == "malformed"
    for more in ("0", "\n", " ", ".", seal):
        assert broken(DOCUMENT, seal + more) == "malformed"


@pytest.mark.parametrize(
    ("seal", "why"),
    [
        ("", "malformed"),
        ("x", "malformed"),
        ("1", "malformed"),
        ("1.", "malformed"),
        ("0.66687aadf862bd77.0." + "0" * 64, "malformed"),
        ("-1.66687aadf862bd77.0." + "0" * 64, "malformed"),
        ("١.66687aadf862bd77.0." + "0" * 64, "malformed"),
        ("1" * 5000, "malformed"),
        ("2.a later form", "unknown-version"),
        ("9999.\n", "unknown-version"),
        ("1.66687aadf862bd77.0." + "0" * 64, "unknown-key"),
        ("1.66687AADF862BD77.0." + "0" * 64, "malformed"),
    ],
)
def test_what_is_no_seal_of_ours_is_told_apart(seal: str, why: str) -> None:
    assert broken(DOCUMENT, seal) == why


def test_a_seal_is_that_of_its_parent_too() -> None:
    one, other = sealed(DOCUMENT, "one"), sealed(DOCUMENT, "other")
    parts, others = one.split("."), other.split(".")
    assert broken(DOCUMENT, ".".join([*parts[:2], others[2], parts[3]])) == "does-not-hold"
    assert broken(DOCUMENT, ".".join([*parts[:2], "0", parts[3]])) == "does-not-hold"


LEAVES = [path for path in paths(DOCUMENT) if path and not isinstance(at(DOCUMENT, path), dict | list)]


@given(st.sampled_from(LEAVES), st.one_of(st.none(), st.booleans(), st.integers(), st.text()), st.booleans())
def test_any_change_of_a_state_breaks_its_seal(path: Any, value: Any, drop: bool) -> None:
    changed = deepcopy(DOCUMENT)
    parent, key = at(changed, path[:-1]), path[-1]
    before = parent[key]
    if drop and path[0] not in ("game", "ruleset", "schema", "game_id"):
        del parent[key]
    else:
        parent[key] = value
        if type(before) is type(value) and before == value:
            return
    why = "unknown-version" if path == ("schema",) and value != 1 else "does-not-hold"
    assert broken(changed, sealed(DOCUMENT)) == why


def test_keys_come_and_go() -> None:
    """The first signs, all verify; what a lost one has sealed does not hold any more."""
    old, both, new = (Seals(Keyring(lambda k=keys: k)) for keys in ([OTHER], [KEY, OTHER], [KEY]))
    before = sealed(DOCUMENT, by=old)
    assert holds(DOCUMENT, before, both)
    assert broken(DOCUMENT, before, new) == "unknown-key"
    after = sealed(DOCUMENT, before, both)
    assert holds(DOCUMENT, after, new)
    assert broken(DOCUMENT, after, old) == "unknown-key"


def test_a_seal_under_one_key_does_not_hold_under_the_name_of_another() -> None:
    both = Seals(Keyring(lambda: [KEY, OTHER]))
    one, other = sealed(DOCUMENT), sealed(DOCUMENT, by=Seals(Keyring(lambda: [OTHER])))
    parts = one.split(".")
    parts[1] = other.split(".")[1]
    assert broken(DOCUMENT, ".".join(parts), both) == "does-not-hold"


def test_a_form_of_states_from_the_future_is_refused_though_its_seal_holds() -> None:
    """A later release with the same keys may have made it: nothing here knows how to read it."""
    later = {**DOCUMENT, "schema": 2}
    assert broken(later, sealed(later)) == "unknown-version"


@pytest.mark.parametrize("schema", [2, 0, -1, 9999])
def test_versions_are_looked_at_before_key_and_digest_and_after_the_form(schema: int) -> None:
    """A state whose `schema` was written over is one of a version that nobody knows, whatever seal lies on it."""
    other = {**DOCUMENT, "schema": schema}
    ours, theirs = sealed(DOCUMENT), sealed(DOCUMENT, by=Seals(Keyring(lambda: [OTHER])))
    for seal in (ours, theirs):
        with pytest.raises(BrokenSeal) as refused:
            SEALS.demand(typed(other), encode(other), seal)
        assert (refused.value.why, refused.value.of, refused.value.known) == (
            "unknown-version",
            "schema",
            (1,),
        )
    assert broken(other, ours[:-1]) == "malformed"
    assert broken(DOCUMENT, theirs) == "unknown-key"
    with pytest.raises(BrokenSeal) as refused:
        SEALS.demand(typed(other), encode(other), "2" + ours[1:])
    assert (refused.value.why, refused.value.of, refused.value.known) == ("unknown-version", "seal", (1,))


# -- what is sealed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [HARBOUR, *REGISTRY], ids=lambda rules: rules.game)
def test_a_state_is_made_of_ascii_keys_and_whole_numbers(rules: Any) -> None:
    """So that canonical JSON is the same wherever it is written."""
    plies = walk(rules, 3, "random").plies
    for ply in plies[:: max(1, len(plies) // 40)]:
        written = encode(ply.state)
        read = json.loads(written)
        assert canonical(read) == written
        _demand_plain(read)


def _demand_plain(value: Any) -> None:
    if isinstance(value, dict):
        assert all(key.isascii() for key in value)
        for entry in value.values():
            _demand_plain(entry)
    elif isinstance(value, list):
        for entry in value:
            _demand_plain(entry)
    elif not isinstance(value, str | bool | None):
        assert isinstance(value, int)
        assert abs(value) < 2**53
