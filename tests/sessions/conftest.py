"""Stores to hold to the same contract: an imitation, the embedded server, and Debian's Redis where it is installed."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.sessions.embedded import EmbeddedStore, find_server
from service.sessions.redis_store import RedisStore
from tests.sessions.stores import imitation

SERVERS = ("imitation", "embedded", "redis-server")
NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Starts each kind of server when it is first asked for."""
    running: dict[str, EmbeddedStore] = {}

    def address(kind: str) -> str:
        if kind not in running:
            found = find_server() if kind == "embedded" else shutil.which(kind)
            if found is None:
                pytest.skip(f"{kind} is not installed")
            running[kind] = EmbeddedStore(found, Path(tmp_path_factory.mktemp(kind)))
            running[kind].start()
        return running[kind].url

    yield address
    for store in running.values():
        store.stop()


@pytest.fixture(params=SERVERS)
def store(request: pytest.FixtureRequest, servers: Any) -> RedisStore:
    """A store of each kind; tests name their sessions themselves, each anew."""
    if request.param == "imitation":
        return imitation()
    return RedisStore.at(servers(request.param))


@pytest.fixture
def session() -> str:
    """An id that no other test uses."""
    return f"{next(NUMBERS):032x}"
