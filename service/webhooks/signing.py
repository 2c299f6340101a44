"""Signatures of messages, by the convention of Standard Webhooks: an HMAC-SHA256 over id, time and body.

Of a hook's secret nothing is kept: it is derived from a server key, and told once.
"""

from __future__ import annotations

import base64
import hmac

from service.sessions.keys import HOOK, Key

PREFIX = "whsec_"
VERSION = "v1"


def secret(key: Key, session: str, hook: str) -> bytes:
    """The secret of a hook: 32 bytes."""
    return key.mac(HOOK, f"{session} {hook}".encode())


def told(secret: bytes) -> str:
    """A secret as its receiver is told it."""
    return PREFIX + base64.b64encode(secret).decode("ascii")


def signature(secret: bytes, message: str, seconds: int, body: bytes) -> str:
    """What stands in `webhook-signature` for the message of this id, sent at this time (since 1970)."""
    mac = hmac.digest(secret, f"{message}.{seconds}.".encode() + body, "sha256")
    return f"{VERSION},{base64.b64encode(mac).decode('ascii')}"


def headers(secret: bytes, message: str, seconds: int, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows a message and that it is ours."""
    return {
        "webhook-id": message,
        "webhook-timestamp": str(seconds),
        "webhook-signature": signature(secret, message, seconds, body),
    }
