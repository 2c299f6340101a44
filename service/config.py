"""The settings, read from the environment; docs/operations.md has the same table."""

import difflib
import hashlib
import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from service.addresses import address_of

KEY_BYTES = 32
KEY_FILE = "server.key"  # in the data folder
LOG_LEVELS = ("debug", "info", "warning", "error")
ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?")
PUBLIC_URL = re.compile(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*/?")
OFF = -1  # no port, for no process
API_KEY = re.compile(r"([A-Za-z0-9._-]{1,40}):([A-Za-z0-9._~-]{20,200})")
DIGEST = re.compile(r"[0-9a-fA-F]{64}")


class UserError(Exception):
    """What the person at the keyboard can mend: told in one line on stderr, exit code 2."""


class SettingError(UserError):
    """A setting has a value that cannot be."""


def _whole(least: int, most: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `least` to `most`, both included."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)

    return parse


def _one_of(*words: str) -> Callable[[str], str]:
    """Return a parser that takes just these words."""

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be {', '.join(words[:-1])} or {words[-1]}")
        return text

    return parse


def _origins(text: str) -> tuple[str, ...]:
    """Take origins of web pages, separated by commas, or `*`."""
    origins = tuple(filter(None, (part.strip() for part in text.split(","))))
    if not all(o == "*" or ORIGIN.fullmatch(o) for o in origins):
        raise ValueError("must be * or origins such as https://play.example.org, separated by commas")
    return origins


def _redis_url(text: str) -> str:
    """Take the address of a store."""
    address_of(text)
    return text


def _key(text: str) -> bytes:
    """Take hexadecimal digits of 32 bytes or more."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) < KEY_BYTES:
        raise ValueError(f"must be {2 * KEY_BYTES} hexadecimal digits or more")
    return key


def _keys(text: str) -> tuple[bytes, ...]:
    """Take keys, separated by commas, each once."""
    keys = tuple(_key(part.strip()) for part in text.split(","))
    if len(set(keys)) < len(keys):
        raise ValueError("must not name a key twice")
    return keys


def _api_keys(text: str) -> tuple[tuple[str, bytes], ...]:
    """Take names with keys, or with the SHA-256 of keys; kept are the digests alone."""
    found = [API_KEY.fullmatch(part.strip()) for part in text.split(",")]
    if not all(found):
        raise ValueError(
            "must be name:key pairs, separated by commas, each key at least 20 of the signs A-Z a-z 0-9 . _ ~ -, or "
            "the 64 hexadecimal digits of its SHA-256"
        )
    keys = tuple((each[1], _digest(each[2])) for each in found if each)
    if len({name for name, _ in keys}) < len(keys) or len({key for _, key in keys}) < len(keys):
        raise ValueError("must not name a name or a key twice")
    return keys


def _digest(key: str) -> bytes:
    """The SHA-256 of a key, which may be written as that already."""
    return bytes.fromhex(key) if DIGEST.fullmatch(key) else hashlib.sha256(key.encode()).digest()


def _stream_port(text: str) -> int:
    """Take a port, 0 for any free one, or `off`."""
    if text == "off":
        return OFF
    try:
        return _whole(0, 65535)(text)
    except ValueError as error:
        raise ValueError(f"{error}, or off") from None


def _public_url(text: str) -> str:
    """Take an address that others reach us at; the paths of the calls are put behind it."""
    if not PUBLIC_URL.fullmatch(text):
        raise ValueError("must be an address such as https://play.example.org")
    return text.rstrip("/")


def _traces(text: str) -> str:
    """Take 0, or 1 where the packages are there."""
    _one_of("0", "1")(text)
    if text == "1" and not _installed("opentelemetry.exporter.otlp.proto.http"):
        raise ValueError("must be 0 unless the extra otel is installed (pip install 'arbitr[otel]')")
    return text


def _installed(module: str) -> bool:
    """Whether a module can be imported; it is not."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _folder(text: str) -> Path:
    """Take a path; a relative one starts at the working directory."""
    return Path(text).expanduser().absolute()


def _setting(name: str, default: str, parse: Callable[[str], Any], help: str, secret: bool = False) -> Any:
    """Declare one setting; `secret` values are never shown in a message."""
    about = {"name": name, "default": default, "parse": parse, "help": help, "secret": secret}
    return field(metadata=about)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a deployment may choose."""

    port: int = _setting("PORT", "8000", _whole(0, 65535), "port to listen on; 0 takes any free one")
    bind: str = _setting("ARBITR_BIND", "127.0.0.1", str, "address to listen on; 0.0.0.0 or :: for all")
    workers: int = _setting("ARBITR_WORKERS", "2", _whole(1, 64), "worker processes")
    threads: int = _setting("ARBITR_THREADS", "4", _whole(1, 64), "threads of each worker")
    redis_url: str = _setting(
        "ARBITR_REDIS_URL",
        "",
        _redis_url,
        "Redis or Valkey that keeps the sessions: a server, the sentinels of one, or a cluster (see The store's "
        "address); empty starts the embedded one",
        secret=True,
    )
    data: Path = _setting(
        "ARBITR_DATA",
        ".arbitr",
        _folder,
        "folder of the embedded store and of the server key; made if absent",
    )
    keys: tuple[bytes, ...] = _setting(
        "ARBITR_KEYS",
        "",
        _keys,
        "server keys, 64 hexadecimal digits or more each, separated by commas: the first signs, all verify; empty "
        "makes one once and keeps it in `server.key` in the data folder",
        secret=True,
    )
    key: bytes | None = _setting(
        "ARBITR_KEY",
        "",
        _key,
        "the same as `ARBITR_KEYS` where there is one key; only one of the two may be set",
        secret=True,
    )
    require_seal: str = _setting(
        "ARBITR_REQUIRE_SEAL",
        "0",
        _one_of("0", "1"),
        "1 refuses states that no server with these keys has issued, and positions to start from",
    )
    log_level: str = _setting("ARBITR_LOG_LEVEL", "info", _one_of(*LOG_LEVELS), ", ".join(LOG_LEVELS))
    traces: str = _setting(
        "ARBITR_TRACES",
        "0",
        _traces,
        "1 sends a span of each request by OpenTelemetry, where the `OTEL_*` variables say; needs the extra `otel`",
    )
    validate: str = _setting(
        "ARBITR_VALIDATE",
        "fast",
        _one_of("fast", "plain"),
        "`fast` decodes states straight into their types, `plain` sends every body through the schemas; "
        "both accept the same",
    )
    rate: int = _setting(
        "ARBITR_RATE",
        "200",
        _whole(0, 1_000_000),
        "requests a second that one address may make to one worker, ten times as many at once; 0 sets no limit, nor "
        "do the two rates of actions then",
    )
    address_rate: int = _setting(
        "ARBITR_ADDRESS_RATE",
        "50",
        _whole(0, 1_000_000),
        "sessions and actions a second that one address may open and try, in all workers together, ten times as many "
        "at once; 0 sets no limit",
    )
    token_rate: int = _setting(
        "ARBITR_TOKEN_RATE",
        "10",
        _whole(0, 1_000_000),
        "actions a second that are accepted under one token, ten times as many at once; 0 sets no limit",
    )
    api_keys: tuple[tuple[str, bytes], ...] = _setting(
        "ARBITR_API_KEYS",
        "",
        _api_keys,
        "keys that sessions are opened with, `name:key` or `name:SHA-256 of the key`, separated by commas; empty lets "
        "everybody open them",
        secret=True,
    )
    trusted_proxies: int = _setting(
        "ARBITR_TRUSTED_PROXIES",
        "0",
        _whole(0, 10),
        "proxies in front whose `X-Forwarded-For` is believed",
    )
    cors_origins: tuple[str, ...] = _setting(
        "ARBITR_CORS_ORIGINS",
        "",
        _origins,
        "origins whose web pages may call the service, separated by commas; `*` for all; empty for none",
    )
    budget: int = _setting(
        "ARBITR_BUDGET", "5", _whole(0, 600), "seconds that a request may be worked on; 0 sets no limit"
    )
    waiting: int = _setting(
        "ARBITR_WAITING",
        "16",
        _whole(0, 1000),
        "requests of each worker that may wait for a session to change; each of them has a thread beside the others",
    )
    read_time: int = _setting(
        "ARBITR_READ_TIME", "10", _whole(1, 600), "seconds that a request may take to arrive"
    )
    drain: int = _setting(
        "ARBITR_DRAIN",
        "0",
        _whole(0, 300),
        "seconds that the service goes on when it is asked to end, while `/readyz` says 503 and each answer closes its "
        "connection, so that a balancer sends its clients elsewhere",
    )
    webhook_private: str = _setting(
        "ARBITR_WEBHOOK_PRIVATE",
        "0",
        _one_of("0", "1"),
        "1 lets webhooks go to private and loopback addresses, to any port and by http too",
    )
    fsync: str = _setting(
        "ARBITR_FSYNC",
        "everysec",
        _one_of("everysec", "always"),
        "when the embedded store writes to disk: once a second, or before each answer",
    )
    wait_replicas: int = _setting(
        "ARBITR_WAIT_REPLICAS",
        "0",
        _whole(0, 9),
        "replicas of the store that must have an action before it is answered 201 (`WAIT`); 0 waits for none",
    )
    wait_time: int = _setting(
        "ARBITR_WAIT_TIME",
        "500",
        _whole(1, 700),
        "milliseconds that those replicas have for it",
    )
    stream_port: int | None = _setting(
        "ARBITR_STREAM_PORT",
        "",
        _stream_port,
        "port of the stream process; empty takes the one after `PORT`, or any free one where that is taken, 0 takes "
        "any free one, `off` starts none",
    )
    stream_url: str = _setting(
        "ARBITR_STREAM_URL",
        "",
        _public_url,
        "address at which clients reach the streams; empty names the port on the host that they ask",
    )
    streams: int = _setting(
        "ARBITR_STREAMS",
        "2000",
        _whole(1, 100_000),
        "streams that may be open at once; half of them for one session, and half from one address",
    )

    @property
    def streaming(self) -> bool:
        """Whether there are streams, as far as this process knows."""
        return bool(self.stream_url or (self.stream_port or OFF) > 0)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Self:
        """Read the settings; an empty variable counts as absent.

        Raises SettingError, one line that names every wrong setting.
        """
        environ = os.environ if environ is None else environ
        values, wrong = {}, []
        for setting in fields(cls):
            try:
                values[setting.name] = _read(setting.metadata, environ)
            except ValueError as error:
                wrong.append(str(error))
        if values.get("keys") and values.get("key"):
            wrong.append("only one of ARBITR_KEYS and ARBITR_KEY may be set")
        if wrong:
            raise SettingError("; ".join(wrong))
        return cls(**values)


def _read(about: Mapping[str, Any], environ: Mapping[str, str]) -> Any:
    """Return the value of one setting. Raises ValueError with its name and what it must be."""
    text = environ.get(about["name"], "").strip()
    if not text and not about["default"]:
        return EMPTY.get(about["parse"], "")
    try:
        return about["parse"](text or about["default"])
    except ValueError as error:
        shown = "" if about["secret"] else f", not {text!r}"
        raise ValueError(f"{about['name']} {error}{shown}") from None


EMPTY: Mapping[Any, Any] = {_key: None, _keys: (), _origins: (), _api_keys: (), _stream_port: None}


def setting_table() -> list[tuple[str, str, str]]:
    """Return (variable, default, meaning) of every setting, in order."""
    return [(s.metadata["name"], s.metadata["default"], s.metadata["help"]) for s in fields(Settings)]


def unknown_settings(environ: Mapping[str, str] | None = None) -> list[str]:
    """Return a line for every ARBITR_* variable that is no setting, with the nearest one that is."""
    environ = os.environ if environ is None else environ
    known = [name for name, _, _ in setting_table()]
    lines = []
    for name in sorted(environ):
        if name.startswith("ARBITR_") and name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0)[0]
            lines.append(f"{name} is no setting; did you mean {near}?")
    return lines


def make_data_folder(data: Path) -> Path:
    """Make the data folder, for its owner only. Raises UserError where that cannot be."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise UserError(
            f"the data folder {data} cannot be used ({error.strerror}); name another with ARBITR_DATA"
        ) from None
    return data


def server_keys(settings: Settings) -> tuple[bytes, ...]:
    """Return the keys of this server: the setting, else those kept in the data folder, of which one is made on need.

    The first signs, all verify. Any number of processes may ask at once: all get the same. Raises UserError.
    """
    if not _set_keys(settings) and not (path := make_data_folder(settings.data) / KEY_FILE).exists():
        _make_key(path)
    return known_keys(settings)


def known_keys(settings: Settings) -> tuple[bytes, ...]:
    """Return the same, but make none: there may be none. Raises UserError."""
    path = settings.data / KEY_FILE
    return _set_keys(settings) or (keys_in(path) if path.exists() else ())


def keys_in(path: Path) -> tuple[bytes, ...]:
    """Return the keys that a file holds, a line each. Raises UserError."""
    try:
        return _keys(",".join(path.read_text("ascii").split()))
    except (OSError, ValueError):
        raise UserError(
            f"{path} holds no key of {2 * KEY_BYTES} hexadecimal digits or more, or something else besides"
        ) from None


def _set_keys(settings: Settings) -> tuple[bytes, ...]:
    return settings.keys or (() if settings.key is None else (settings.key,))


def _make_key(path: Path) -> None:
    """Write a new key to `path`, whole or not at all; one that is there already stays."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # A link fails where the name exists, so the first process wins and nobody sees half a key.
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror})") from None
    finally:
        draft.unlink(missing_ok=True)
