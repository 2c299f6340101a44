"""Stores to hold to the same contract: an imitation, the embedded server, Debian's Redis where it is installed, a
master that sentinels watch, and a cluster."""

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
from tests.sessions.topologies import KINDS

SERVERS = ("imitation", "embedded", "redis-server", *KINDS)
NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Starts each kind of server when it is first asked for."""
    running: dict[str, Any] = {}

    def address(kind: str) -> str:
        if kind not in running:
            found = shutil.which(kind) if kind == "redis-server" else find_server()
            if found is None:
                pytest.skip(f"{kind} is not installed")
            folder = Path(tmp_path_factory.mktemp(kind))
            running[kind] = KINDS[kind](found, folder) if kind in KINDS else EmbeddedStore(found, folder)
            running[kind].start()
        return str(running[kind].url)

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
