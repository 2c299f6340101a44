"""A snapshot of the embedded store as one file, and that file as the beginning of another store."""

from __future__ import annotations

import os
import shutil
import time
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import redis

from service.config import UserError

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


def snapshot(url: str, data: Path) -> Path:
    """Have the server with this data folder write down all that it holds at one moment; it goes on answering.

    Return the file, which is the caller's to remove. Raises SnapshotFailed.
    """
    with redis.Redis.from_url(url, protocol=2, socket_timeout=PATIENCE) as client:
        try:
            begun = client.info("persistence")["rdb_saves"]  # counts those that have begun
            client.execute_command("BGSAVE", "SCHEDULE")  # after what it may be writing already
            while (now := client.info("persistence"))["rdb_saves"] == begun or now["rdb_bgsave_in_progress"]:
                time.sleep(LOOK_EVERY)
        except (redis.RedisError, OSError) as error:
            raise SnapshotFailed(f"the store makes no snapshot ({type(error).__name__})") from None
    if now["rdb_last_bgsave_status"] != "ok":
        raise SnapshotFailed(f"the store could not write {data / SNAPSHOT} (see {data / 'store.log'})")
    return data / SNAPSHOT


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


def sessions(url: str) -> int:
    """How many sessions a server holds. Raises SnapshotFailed."""
    with redis.Redis.from_url(url, protocol=2, socket_timeout=PATIENCE) as client:
        try:
            return sum(1 for _ in client.scan_iter("arbitr:{*}:session", count=ROUND))
        except (redis.RedisError, OSError) as error:
            raise SnapshotFailed(f"the store does not answer ({type(error).__name__})") from None
