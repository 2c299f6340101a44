"""A snapshot of the embedded store as one file, and that file as the beginning of another store."""

from __future__ import annotations

import os
import shutil
import time
import zlib
from collections import Counter
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import redis

from service.config import UserError
from service.engine.state import OPEN, ChanceState
from service.sessions import ledger

SNAPSHOT = "dump.rdb"  # what the server calls it, in the data folder
LOG = "appendonlydir"  # the folder of a store's log
BASE, INDEX = (
    "appendonly.aof.1.base.rdb",
    "appendonly.aof.manifest",
)  # in it: what it begins with, and what there is
MANIFEST = f"file {BASE} seq 1 type b\n"
LOOK_EVERY = 0.05  # seconds
PATIENCE = 10.0  # seconds that a server may take to answer
ROUND = 1000  # keys that are looked at in one go


class SnapshotFailed(UserError):
    """The server could not write a snapshot, or has gone."""


class Census(NamedTuple):
    """How many sessions there are; and how many draw fairly, by the names of the server keys that they need."""

    sessions: int
    fair: Counter[str]


class _Drawn(msgspec.Struct):
    """What of a state is looked at here."""

    chance: ChanceState


def snapshot(url: str, data: Path) -> tuple[Path, datetime]:
    """Have the server with this data folder write down all that it holds at one moment; it goes on answering.

    Return the file, which is the caller's to remove, and that moment: what was accepted before it is in the file, what
    was 0.1 seconds after it is not. Raises SnapshotFailed.
    """
    with redis.Redis.from_url(url, protocol=2, socket_timeout=PATIENCE) as client:
        try:
            begun = client.info("persistence")["rdb_saves"]  # counts those that have begun
            moment = datetime.now(UTC)
            client.execute_command("BGSAVE", "SCHEDULE")  # after what it may be writing already
            asked = moment
            while (now := client.info("persistence"))["rdb_saves"] == begun or now["rdb_bgsave_in_progress"]:
                moment = asked if now["rdb_saves"] == begun else moment
                time.sleep(LOOK_EVERY)
                asked = datetime.now(UTC)
        except (redis.RedisError, OSError) as error:
            raise SnapshotFailed(f"the store makes no snapshot ({type(error).__name__})") from None
    if now["rdb_last_bgsave_status"] != "ok":
        raise SnapshotFailed(f"the store could not write {data / SNAPSHOT} (see {data / 'store.log'})")
    return data / SNAPSHOT, moment


def lay_down(copy: Path, data: Path) -> None:
    """Make a snapshot the beginning of the log of a store that has none; whole, or not at all. Raises OSError."""
    draft = data / f"{LOG}.draft"
    draft.mkdir(mode=0o700)
    try:
        with copy.open("rb") as content:
            _put(draft / BASE, content)
        _put(draft / INDEX, BytesIO(MANIFEST.encode()))
        draft.rename(data / LOG)
    finally:
        for left in draft.glob("*"):
            left.unlink()
        if draft.exists():
            draft.rmdir()


def _put(path: Path, content: BinaryIO) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        shutil.copyfileobj(content, file)
        file.flush()
        os.fsync(file.fileno())


def census(url: str) -> Census:
    """What a server holds. Raises SnapshotFailed."""
    found, fair = 0, Counter[str]()
    with redis.Redis.from_url(url, protocol=2, socket_timeout=PATIENCE) as client:
        try:
            for key in client.scan_iter("arbitr:{*}:session", count=ROUND):
                found += 1
                fair.update(_keys_of(client.hget(key, "state")))
        except (redis.RedisError, OSError) as error:
            raise SnapshotFailed(f"the store does not answer ({type(error).__name__})") from None
    return Census(found, fair)


def _keys_of(state: Any) -> list[str]:
    """The name of the server key that a session draws with, if it does."""
    try:
        chance = msgspec.json.decode(ledger.unpacked(state or b""), type=_Drawn).chance
    except (zlib.error, msgspec.DecodeError):
        return []
    return [chance.key_id] if chance.fair and chance.key_id not in ("", OPEN) else []
