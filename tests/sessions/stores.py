"""Stores for tests."""

from __future__ import annotations

import fakeredis

from service.sessions.redis_store import RedisStore


def imitation() -> RedisStore:
    """A store in memory, empty."""
    server = fakeredis.FakeServer()
    return RedisStore(lambda: fakeredis.FakeRedis(server=server, protocol=2))
