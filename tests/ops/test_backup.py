"""The procedures of docs/operations.md for backup and restore, each carried out."""

from __future__ import annotations

import json
import random
import shutil
import stat
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.backup import backup, restore
from service.config import Settings, UserError
from service.sessions import ledger
from service.sessions.embedded import EmbeddedStore, find_server
from service.sessions.fairness import Fairness
from service.sessions.redis_store import RedisStore
from service.sessions.snapshot import LOG
from service.sessions.store import Change, Stored
from tests.ops.conftest import arbitr
from tests.ops.players import Game, Player, kept_actions, opened, sound

QUIET = {"ARBITR_RATE": 0, "ARBITR_LOG_LEVEL": "error", "ARBITR_WORKERS": 1}
BEGUN = Change(0, b"state", 0, b"entry", 2_000_000_000, 3600, about=b"about")
KEY, OTHER = "ab" * 32, "cd" * 32


def fair(port: int) -> Game:
    """A game whose draws hang on the server key."""
    player = Player(port)
    body = {"game": "zavandor", "seats": [{"id": "ann"}, {"id": "bob"}]}
    status, answer, _ = player.ask("POST", "/v1/sessions", body)
    assert status == 201, answer
    return Game(player, answer)


def played(game: Game, n: int, rng: random.Random) -> None:
    for _ in range(n):
        assert game.step(rng)


def goes_on(game: Game, port: int, data: Path) -> None:
    """The session is whole, its tokens are good, and its draws go on."""
    game.player = Player(port)
    played(game, 12, random.Random(3))
    store = RedisStore.at(f"unix://{data}/store.sock")
    sound(store, game.id)
    assert kept_actions(store, game.id)[-12:] == game.done[-12:]


def test_a_backup_is_made_while_people_play_and_the_games_go_on_from_it(start: Any, tmp_path: Path) -> None:
    service = start(**QUIET)
    games = [opened(service.port), fair(service.port)]
    for game in games:
        played(game, 8, random.Random(1))
    before, over = [len(game.done) for game in games], threading.Event()

    def play(game: Game) -> None:
        rng = random.Random(2)
        while not over.is_set() and game.step(rng):
            pass

    threads = [threading.Thread(target=play, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
    made = arbitr("backup", "kept/monday", cwd=tmp_path)
    over.set()
    for thread in threads:
        thread.join()
    assert made.returncode == 0, made.stderr
    assert "The sessions are in" in made.stdout
    assert not (tmp_path / ".arbitr/dump.rdb").exists()
    kept = tmp_path / "kept/monday"
    assert {p.name: stat.S_IMODE(p.stat().st_mode) for p in (kept, *kept.iterdir())} == {
        "monday": 0o700,
        "store.rdb": 0o600,
        "server.key": 0o600,
        "backup.json": 0o600,
    }
    assert (kept / "server.key").read_text().strip() not in (kept / "backup.json").read_text()
    service.end()
    shutil.rmtree(tmp_path / ".arbitr")

    done = arbitr("restore", kept, cwd=tmp_path, ARBITR_DATA="other")
    assert (done.returncode, done.stdout.startswith("2 sessions are in")) == (0, True), done.stderr
    again = start(**QUIET, ARBITR_DATA="other")
    for game, least in zip(games, before, strict=True):
        game.player = Player(again.port)
        status, seen, _ = game.player.ask("GET", game.path, Authorization=game.token("ann"))
        assert status == 200
        there = seen["session"]["version"] - 1
        assert least <= there <= len(game.done), "what was accepted before the backup is there"
        store = RedisStore.at(f"unix://{tmp_path}/other/store.sock")
        assert kept_actions(store, game.id) == game.done[:there]
        goes_on(game, again.port, tmp_path / "other")


# -- what cannot be -----------------------------------------------------------------------------------------------


def settings(data: Path, **more: str) -> Settings:
    return Settings.from_env({"ARBITR_DATA": str(data), **more})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of a stopped service, with a session."""
    store = EmbeddedStore(str(find_server()), tmp_path / "data")
    store.start()
    RedisStore.at(store.url).commit("x", BEGUN)
    store.stop()
    (tmp_path / "data/server.key").write_text(f"{KEY}\n")
    return tmp_path / "data"


@pytest.fixture
def kept(data: Path, tmp_path: Path) -> Path:
    """A backup."""
    told = list(backup(settings(data), tmp_path / "kept"))
    assert told[1] == "So are the server keys: keep it secret."
    return tmp_path / "kept"


def found(data: Path) -> Stored | None:
    """What a restored folder holds."""
    store = EmbeddedStore(str(find_server()), data)
    store.start()
    try:
        return RedisStore.at(store.url).read("x")
    finally:
        store.stop()


def test_what_was_kept_comes_back(kept: Path, tmp_path: Path) -> None:
    told = list(restore(settings(tmp_path / "new"), kept))
    assert len(told) == 1
    assert told[0].startswith("1 sessions are in")
    assert (tmp_path / "new/server.key").read_text() == f"{KEY}\n"
    assert found(tmp_path / "new") == Stored(1, 0, 2_000_000_000, b"about", b"state")


def test_the_folder_of_a_stopped_service_can_be_copied(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data, tmp_path / "copied")
    assert found(tmp_path / "copied") == Stored(1, 0, 2_000_000_000, b"about", b"state")


def refused(call: Any, said: str) -> None:
    with pytest.raises(UserError, match=said):
        list(call)


def test_a_backup_goes_into_a_new_folder(kept: Path, data: Path) -> None:
    before = (kept / "backup.json").read_bytes()
    refused(backup(settings(data), kept), "is there already")
    assert (kept / "backup.json").read_bytes() == before


def test_what_is_not_ours_is_not_backed_up(data: Path, tmp_path: Path) -> None:
    elsewhere = settings(data, ARBITR_REDIS_URL="redis://localhost/0")
    refused(backup(elsewhere, tmp_path / "kept"), "not ours")
    refused(restore(elsewhere, tmp_path / "kept"), "not ours")
    refused(backup(settings(tmp_path / "none"), tmp_path / "kept"), "holds no sessions")
    assert not (tmp_path / "kept").exists()
    assert not (tmp_path / "none").exists()


def test_a_snapshot_that_cannot_be_written_leaves_nothing(data: Path, tmp_path: Path) -> None:
    (data / "dump.rdb").mkdir()  # in its way
    refused(backup(settings(data), tmp_path / "kept"), "could not write")
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize("name", ["store.rdb", "server.key"])
def test_a_spoilt_backup_restores_nothing(kept: Path, tmp_path: Path, name: str) -> None:
    content = (kept / name).read_bytes()
    (kept / name).write_bytes(content[:-1] + b"x")
    refused(restore(settings(tmp_path / "new"), kept), f"{name} is not as it was written")
    (kept / name).unlink()
    refused(restore(settings(tmp_path / "new"), kept), "not all of one")
    refused(restore(settings(tmp_path / "new"), tmp_path), "is no backup of ours")
    assert not (tmp_path / "new").exists()


def test_a_backup_of_a_later_release_is_not_guessed_at(kept: Path, tmp_path: Path) -> None:
    label = json.loads((kept / "backup.json").read_text())
    (kept / "backup.json").write_text(json.dumps({**label, "schema": 2}))
    refused(restore(settings(tmp_path / "new"), kept), "later release")


def test_sessions_that_are_there_are_not_overwritten(kept: Path, data: Path) -> None:
    refused(restore(settings(data), kept), "holds sessions already")
    assert found(data) is not None


def test_keys_that_are_there_are_not_overwritten(kept: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir(mode=0o700)
    (new / "server.key").write_text(f"{OTHER}\n")
    refused(restore(settings(new), kept), "put the lines of .*kept/server.key below its own")
    assert (new / "server.key").read_text() == f"{OTHER}\n"
    assert not (new / LOG).exists()
    with (new / "server.key").open("a") as mine:
        mine.write((kept / "server.key").read_text())  # as it was told
    assert len(list(restore(settings(new), kept))) == 1
    assert (new / "server.key").read_text() == f"{OTHER}\n{KEY}\n"
    assert found(new) is not None


def test_a_folder_in_use_is_left_alone(kept: Path, data: Path, tmp_path: Path) -> None:
    store = EmbeddedStore(str(find_server()), tmp_path / "new")
    store.start()
    shutil.rmtree(tmp_path / "new" / LOG)
    try:
        refused(restore(settings(tmp_path / "new"), kept), "in use by another arbitr serve")
    finally:
        store.stop()


def test_keys_of_the_environment_are_named_and_not_copied(data: Path, tmp_path: Path) -> None:
    (data / "server.key").unlink()
    told = list(backup(settings(data, ARBITR_KEYS=KEY), tmp_path / "kept"))
    assert told[1] == "The server keys are not: they are those of ARBITR_KEYS. Keep them, too."
    assert sorted(p.name for p in (tmp_path / "kept").iterdir()) == ["backup.json", "store.rdb"]
    label = json.loads((tmp_path / "kept/backup.json").read_text())
    told = list(restore(settings(tmp_path / "new", ARBITR_KEYS=OTHER), tmp_path / "kept"))
    assert f"missing ({label['keys'][0]})" in told[1]
    again = settings(tmp_path / "again", ARBITR_KEYS=f"{OTHER},{KEY}")
    assert len(list(restore(again, tmp_path / "kept"))) == 1


def fair_session(data: Path, key: str, session: str = "fair") -> str:
    """A session in the store of a stopped service, that draws with a server key; the name of the key."""
    fairness = Fairness(lambda: bytes.fromhex(key))
    _, chance = fairness.fair()
    state = ledger.packed(json.dumps({"chance": msgspec.to_builtins(chance), "table": {}}).encode())
    store = EmbeddedStore(str(find_server()), data)
    store.start()
    RedisStore.at(store.url).commit(session, replace(BEGUN, state=state))
    store.stop()
    return fairness.key_id


def test_no_key_is_made_up_where_those_of_the_service_are_not_known(data: Path, tmp_path: Path) -> None:
    """A service with ARBITR_KEYS, backed up in a shell that does not have them."""
    (data / "server.key").unlink()
    needed = fair_session(data, KEY)
    told = list(backup(settings(data), tmp_path / "kept"))
    assert told[1].startswith("Server keys are not: there is no server.key in the data folder")
    assert told[2].startswith(f"1 sessions draw by server keys that are not known here ({needed})")
    assert not (data / "server.key").exists()
    assert sorted(p.name for p in (tmp_path / "kept").iterdir()) == ["backup.json", "store.rdb"]
    assert json.loads((tmp_path / "kept/backup.json").read_text())["keys"] == []
    told = list(restore(settings(tmp_path / "new"), tmp_path / "kept"))
    assert told[1].startswith("No server keys belong to this backup")
    assert told[2].startswith(f"1 sessions draw by server keys that are not known here ({needed})")
    assert not (tmp_path / "new/server.key").exists(), "nor is one made up here"
    told = list(restore(settings(tmp_path / "whole", ARBITR_KEYS=KEY), tmp_path / "kept"))
    assert len(told) == 2


def test_keys_that_are_known_are_not_asked_for(data: Path, tmp_path: Path) -> None:
    fair_session(data, KEY)
    assert len(list(backup(settings(data), tmp_path / "kept"))) == 2
    assert len(list(restore(settings(tmp_path / "new"), tmp_path / "kept"))) == 1


def test_a_file_of_keys_that_is_not_in_use_is_not_taken_for_those_that_are(
    data: Path, tmp_path: Path
) -> None:
    fair_session(data, OTHER)
    told = list(backup(settings(data, ARBITR_KEYS=OTHER), tmp_path / "kept"))
    assert told[1] == "The server keys are not: they are those of ARBITR_KEYS. Keep them, too."
    assert "not in use" in told[2]
    assert len(told) == 3
    told = list(restore(settings(tmp_path / "new"), tmp_path / "kept"))
    assert "Server keys are missing" in told[1]


def test_of_all_keys_that_are_missing_it_is_told_how_many_sessions_need_them(
    data: Path, tmp_path: Path
) -> None:
    """Of those that the backup names, and of one that a session needs though the service knew it no more."""
    known, unknown = fair_session(data, KEY), fair_session(data, OTHER, "older")
    (data / "server.key").unlink()
    list(backup(settings(data, ARBITR_KEYS=KEY), tmp_path / "kept"))
    both = ", ".join(sorted((known, unknown)))
    for name, keys, n, named in (
        ("none", "f" * 64, 2, both),
        ("one", KEY, 1, unknown),
        ("other", OTHER, 1, known),
    ):
        told = list(restore(settings(tmp_path / name, ARBITR_KEYS=keys), tmp_path / "kept"))
        assert told[-1] == (
            f"{n} sessions draw by server keys that are not known here ({named}): they cannot go on without them. "
            "Set ARBITR_KEYS."
        )
        assert any(f"missing ({known})" in line for line in told) == (keys != KEY)


def test_a_backup_says_when_it_was_made(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when it was asked for: a store that has to be started takes its time."""
    begun: list[datetime] = []
    start = EmbeddedStore.start

    def slow(store: EmbeddedStore) -> None:
        start(store)
        time.sleep(1.1)
        begun.append(datetime.now(UTC).replace(microsecond=0))

    monkeypatch.setattr(EmbeddedStore, "start", slow)
    list(backup(settings(data), tmp_path / "kept"))
    made = json.loads((tmp_path / "kept/backup.json").read_text())["made"]
    assert datetime.strptime(made, "%Y-%m-%dT%H:%M:%S%z") >= begun[0]


def test_the_root_is_no_new_folder(data: Path) -> None:
    refused(backup(settings(data), Path("/")), "/ is there already")
