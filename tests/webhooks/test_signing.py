"""Signatures: those of Standard Webhooks, by vectors that were not made by this code."""

from __future__ import annotations

import base64

from service.sessions.keys import Key
from service.webhooks import signing

# The vector that the libraries of Standard Webhooks are tested with.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID, SECONDS = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330
BODY = b'{"test": 2432232314}'
SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_signature_is_the_one_that_every_library_expects() -> None:
    secret = base64.b64decode(SECRET.removeprefix("whsec_"))
    assert signing.signature(secret, ID, SECONDS, BODY) == SIGNED
    assert signing.told(secret) == SECRET
    assert signing.headers(secret, ID, SECONDS, BODY) == {
        "webhook-id": ID,
        "webhook-timestamp": str(SECONDS),
        "webhook-signature": SIGNED,
    }


def test_another_id_time_body_or_secret_is_another_signature() -> None:
    secret = bytes(32)
    every = {
        signing.signature(secret, "a", 1, b"{}"),
        signing.signature(secret, "b", 1, b"{}"),
        signing.signature(secret, "a", 2, b"{}"),
        signing.signature(secret, "a", 1, b"[]"),
        signing.signature(b"\x01" * 32, "a", 1, b"{}"),
    }
    assert len(every) == 5


def test_each_hook_of_each_session_has_a_secret_of_its_own_for_each_key() -> None:
    one, other = Key(b"\x5a" * 32), Key(b"\x5b" * 32)
    every = {
        signing.secret(one, "session", "hook"),
        signing.secret(one, "session", "another"),
        signing.secret(one, "another", "hook"),
        signing.secret(other, "session", "hook"),
    }
    assert len(every) == 4
    assert {len(secret) for secret in every} == {32}
    assert signing.secret(Key(b"\x5a" * 32), "session", "hook") in every, "and it is the same tomorrow"
