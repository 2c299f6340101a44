import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from service.config import SettingError, Settings, UserError, server_keys, setting_table, unknown_settings
from tests.ops.conftest import ROOT, clean_env

KEY = "ab" * 32


def test_the_defaults_are_those_of_the_table():
    settings = Settings.from_env({})
    assert (settings.port, settings.bind, settings.workers, settings.threads) == (8000, "127.0.0.1", 2, 4)
    assert (settings.redis_url, settings.key, settings.log_level, settings.validate) == (
        "",
        None,
        "info",
        "fast",
    )
    assert (settings.rate, settings.trusted_proxies, settings.cors_origins) == (200, 0, ())
    assert (settings.budget, settings.read_time) == (5, 10)
    assert (settings.stream_port, settings.stream_url, settings.streams) == (None, "", 2000)
    assert settings.data.is_absolute()
    assert settings.data.name == ".arbitr"


@pytest.mark.parametrize(
    ("env", "streaming"),
    [
        ({}, False),  # only `arbitr serve` knows whether it starts some
        ({"ARBITR_STREAM_PORT": "0"}, False),
        ({"ARBITR_STREAM_PORT": "8001"}, True),
        ({"ARBITR_STREAM_PORT": "off"}, False),
        ({"ARBITR_STREAM_PORT": "off", "ARBITR_STREAM_URL": "https://play.example"}, True),
    ],
)
def test_whether_there_are_streams(env, streaming):
    assert Settings.from_env(env).streaming == streaming


def test_every_setting_is_read(tmp_path):
    env = {
        "PORT": "9",
        "ARBITR_BIND": "::1",
        "ARBITR_WORKERS": "3",
        "ARBITR_THREADS": "1",
        "ARBITR_REDIS_URL": "rediss://:secret@host:1/2",
        "ARBITR_DATA": str(tmp_path),
        "ARBITR_KEYS": f"{KEY}, {KEY[::-1]}",
        "ARBITR_KEY": "",
        "ARBITR_REQUIRE_SEAL": "1",
        "ARBITR_LOG_LEVEL": "debug",
        "ARBITR_TRACES": "1",
        "ARBITR_VALIDATE": "plain",
        "ARBITR_RATE": "0",
        "ARBITR_ADDRESS_RATE": "6",
        "ARBITR_TOKEN_RATE": "4",
        "ARBITR_API_KEYS": f"club:{'k' * 20}, shop:{KEY.upper()}",
        "ARBITR_TRUSTED_PROXIES": "2",
        "ARBITR_CORS_ORIGINS": "https://a.example, http://[::1]:8080,",
        "ARBITR_BUDGET": "7",
        "ARBITR_WAITING": "9",
        "ARBITR_READ_TIME": "8",
        "ARBITR_DRAIN": "5",
        "ARBITR_WEBHOOK_PRIVATE": "1",
        "ARBITR_FSYNC": "always",
        "ARBITR_WAIT_REPLICAS": "2",
        "ARBITR_WAIT_TIME": "300",
        "ARBITR_STREAM_PORT": "7",
        "ARBITR_STREAM_URL": "https://play.example/arbitr/",
        "ARBITR_STREAMS": "6",
    }
    assert set(env) == {name for name, _, _ in setting_table()}
    read = Settings.from_env(env)
    keys = (bytes.fromhex(KEY), bytes.fromhex(KEY[::-1]))
    first = (9, "::1", 3, 1, env["ARBITR_REDIS_URL"], tmp_path, keys, None, "1", "debug", "1", "plain")
    clients = (("club", sha256(b"k" * 20).digest()), ("shop", bytes.fromhex(KEY)))
    streams = (7, "https://play.example/arbitr", 6)
    origins = ("https://a.example", "http://[::1]:8080")
    assert read == Settings(*first, 0, 6, 4, clients, 2, origins, 7, 9, 8, 5, "1", "always", 2, 300, *streams)


def test_an_empty_variable_counts_as_absent():
    assert Settings.from_env({name: "" for name, _, _ in setting_table()}) == Settings.from_env({})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "http", "PORT must be a whole number from 0 to 65535, not 'http'"),
        ("PORT", "65536", "PORT must be a whole number from 0 to 65535, not '65536'"),
        ("PORT", "-1", "PORT must be"),
        ("PORT", "8_0", "PORT must be"),
        ("PORT", "٨", "PORT must be"),
        ("PORT", "9" * 5000, "PORT must be"),
        ("ARBITR_WORKERS", "0", "ARBITR_WORKERS must be a whole number from 1 to 64, not '0'"),
        ("ARBITR_THREADS", "4.0", "ARBITR_THREADS must be"),
        (
            "ARBITR_REDIS_URL",
            "localhost:6379",
            "ARBITR_REDIS_URL must begin with redis://, rediss://, unix://, redis+sentinel://, redis+cluster://, ",
        ),
        ("ARBITR_LOG_LEVEL", "loud", "ARBITR_LOG_LEVEL must be debug, info, warning or error, not 'loud'"),
        ("ARBITR_VALIDATE", "slow", "ARBITR_VALIDATE must be fast or plain, not 'slow'"),
        ("ARBITR_CORS_ORIGINS", "example.org", "ARBITR_CORS_ORIGINS must be * or origins such as https://"),
        ("ARBITR_CORS_ORIGINS", "https://a.example/", "ARBITR_CORS_ORIGINS must be"),
        ("ARBITR_CORS_ORIGINS", "https://*.example", "ARBITR_CORS_ORIGINS must be"),
        ("ARBITR_FSYNC", "no", "ARBITR_FSYNC must be everysec or always, not 'no'"),
        ("ARBITR_READ_TIME", "0", "ARBITR_READ_TIME must be a whole number from 1 to 600"),
        ("ARBITR_WAIT_REPLICAS", "10", "ARBITR_WAIT_REPLICAS must be a whole number from 0 to 9, not '10'"),
        ("ARBITR_WAIT_TIME", "0", "ARBITR_WAIT_TIME must be a whole number from 1 to 700"),
        ("ARBITR_API_KEYS", "k" * 40, "ARBITR_API_KEYS must be name:key pairs"),
        ("ARBITR_API_KEYS", f"club:{'k' * 19}", "ARBITR_API_KEYS must be name:key pairs"),
        ("ARBITR_API_KEYS", f"club:{'k' * 20},", "ARBITR_API_KEYS must be name:key pairs"),
        ("ARBITR_API_KEYS", f"my club:{'k' * 20}", "ARBITR_API_KEYS must be name:key pairs"),
        (
            "ARBITR_API_KEYS",
            f"club:{KEY},club:{KEY[::-1]}",
            "ARBITR_API_KEYS must not name a name or a key twice",
        ),
        (
            "ARBITR_API_KEYS",
            f"club:{KEY},shop:{KEY.upper()}",
            "ARBITR_API_KEYS must not name a name or a key twice",
        ),
        ("ARBITR_ADDRESS_RATE", "x", "ARBITR_ADDRESS_RATE must be"),
        ("ARBITR_TOKEN_RATE", "-1", "ARBITR_TOKEN_RATE must be"),
        ("ARBITR_RATE", "-1", "ARBITR_RATE must be"),
        ("ARBITR_KEY", KEY[:-2], "ARBITR_KEY must be 64 hexadecimal digits or more"),
        ("ARBITR_KEY", "secret", "ARBITR_KEY must be 64 hexadecimal digits or more"),
        ("ARBITR_KEYS", f"{KEY},", "ARBITR_KEYS must be 64 hexadecimal digits or more"),
        ("ARBITR_KEYS", f"{KEY},secret", "ARBITR_KEYS must be 64 hexadecimal digits or more"),
        ("ARBITR_KEYS", f"{KEY},{KEY.upper()}", "ARBITR_KEYS must not name a key twice"),
        (
            "ARBITR_STREAM_PORT",
            "none",
            "ARBITR_STREAM_PORT must be a whole number from 0 to 65535, or off, not 'none'",
        ),
        ("ARBITR_STREAM_URL", "play.example", "ARBITR_STREAM_URL must be an address such as https://"),
        (
            "ARBITR_STREAM_URL",
            "https://a.example/x?y",
            "ARBITR_STREAM_URL must be an address such as https://",
        ),
        ("ARBITR_STREAMS", "0", "ARBITR_STREAMS must be a whole number from 1 to 100000"),
        ("ARBITR_REQUIRE_SEAL", "yes", "ARBITR_REQUIRE_SEAL must be 0 or 1, not 'yes'"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line(name, value, said):
    with pytest.raises(SettingError) as caught:
        Settings.from_env({name: value})
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["ARBITR_KEY", "ARBITR_KEYS", "ARBITR_REDIS_URL", "ARBITR_API_KEYS"])
def test_secrets_are_not_repeated(name):
    with pytest.raises(SettingError) as caught:
        Settings.from_env({name: "hunter2"})
    assert "hunter2" not in str(caught.value)


def test_all_wrong_settings_are_told_at_once():
    with pytest.raises(SettingError, match=r"PORT .*; ARBITR_WORKERS .*"):
        Settings.from_env({"PORT": "x", "ARBITR_WORKERS": "y"})


def test_an_unknown_variable_names_the_nearest_one():
    known = dict.fromkeys(name for name, _, _ in setting_table())
    assert unknown_settings(known | {"ARBITR_WORKER": "1", "HOME": "/"}) == [
        "ARBITR_WORKER is no setting; did you mean ARBITR_WORKERS?"
    ]


def test_the_table_in_the_docs_is_true():
    text = (ROOT / "docs/operations.md").read_text()
    section = text.partition("## Settings")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (?:`(.*?)`)? ?\| (.*) \|$", section, re.M)
    assert rows == setting_table()


def test_the_key_is_made_once_for_its_owner_only(tmp_path):
    settings = Settings.from_env({"ARBITR_DATA": str(tmp_path / "deep" / "data")})
    (key,) = server_keys(settings)
    path = settings.data / "server.key"
    assert len(key) == 32
    assert path.read_text() == key.hex() + "\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(settings.data.stat().st_mode) == 0o700
    assert server_keys(settings) == (key,)


def test_the_setting_wins_over_the_file_and_makes_none(tmp_path):
    settings = Settings.from_env({"ARBITR_DATA": str(tmp_path), "ARBITR_KEY": KEY})
    assert server_keys(settings) == (bytes.fromhex(KEY),)
    several = Settings.from_env({"ARBITR_DATA": str(tmp_path), "ARBITR_KEYS": f"{KEY},{'7' * 64}"})
    assert server_keys(several) == (bytes.fromhex(KEY), bytes.fromhex("7" * 64))
    assert list(tmp_path.iterdir()) == []


def test_one_name_for_the_keys_or_the_other():
    with pytest.raises(SettingError, match="only one of ARBITR_KEYS and ARBITR_KEY may be set"):
        Settings.from_env({"ARBITR_KEY": KEY, "ARBITR_KEYS": KEY})


def test_the_file_may_hold_several_keys_a_line_each(tmp_path):
    """The first signs: a new one is written above the old."""
    (tmp_path / "server.key").write_text(f"{'7' * 64}\n{KEY}\n")
    settings = Settings.from_env({"ARBITR_DATA": str(tmp_path)})
    assert server_keys(settings) == (bytes.fromhex("7" * 64), bytes.fromhex(KEY))


def test_processes_that_race_for_the_key_get_the_same(tmp_path):
    code = "from service.config import *; print(server_keys(Settings.from_env())[0].hex())"

    def run(_):
        env = clean_env(ARBITR_DATA=tmp_path)
        return subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )

    with ThreadPoolExecutor(6) as pool:
        keys = {done.stdout for done in pool.map(run, range(6))}
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["server.key"]


@pytest.mark.parametrize(
    "content",
    [b"", b"ab" * 31, b"\xff" * 64, b"zz" * 32, b"ab" * 32 + b"\nab", b"ab" * 32 + b"\n" + b"ab" * 32],
)
def test_a_spoilt_key_file_is_told_and_kept(tmp_path, content):
    (tmp_path / "server.key").write_bytes(content)
    with pytest.raises(UserError, match="holds no key"):
        server_keys(Settings.from_env({"ARBITR_DATA": str(tmp_path)}))
    assert (tmp_path / "server.key").read_bytes() == content


def test_a_data_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"data folder .* cannot be used .*ARBITR_DATA"):
        server_keys(Settings.from_env({"ARBITR_DATA": str(tmp_path / "file" / "data")}))


def test_a_relative_data_folder_starts_at_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(Settings.from_env({"ARBITR_DATA": "here"}).data) == os.path.join(tmp_path, "here")
