"""The folder in which the workers of one service count together what /metrics tells."""

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PREFIX = "arbitr-metrics-"
FRESH = 60.0  # seconds in which a folder may not be locked yet
_LOCKS: list[int] = []  # held until the service and its workers have ended, however they end


def make_folder(base: str | None) -> Path:
    """Make an empty folder for this service, and remove those of services that were killed."""
    for left in Path(base or tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            _remove_left(left)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=base))
    _LOCKS.append(_lock(folder))
    return folder


def _lock(folder: Path) -> int:
    """Lock a folder. Raises OSError where a living service has it."""
    held = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise
    return held


def _remove_left(folder: Path) -> None:
    """Remove a folder that no living service has. Raises OSError."""
    if folder.stat().st_mtime > time.time() - FRESH or folder.stat().st_uid != os.getuid():
        return
    held = _lock(folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.close(held)
