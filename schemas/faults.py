"""Faults: what is wrong with a body, each with a JSON Pointer and a sentence in the asked language."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

ROOT = "_schema"  # where marshmallow keeps what concerns an object as a whole
SHOWN = 40  # values that a message lists before it stops


class Tally:
    """How many more faults a search is to find before it ends; `cut`: it ended before it had seen everything."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.cut = False


_TALLY: ContextVar[Tally | None] = ContextVar("tally", default=None)


class at_most:
    """Inside, a search for faults in long lists and large objects ends soon after it has found so many."""

    def __init__(self, faults: int) -> None:
        self._tally = Tally(faults)

    def __enter__(self) -> Tally:
        self._token = _TALLY.set(self._tally)
        return self._tally

    def __exit__(self, *gone: object) -> None:
        _TALLY.reset(self._token)


def enough(messages: Any) -> bool:
    """Count an entry's faults; true where no further entry is to be looked at."""
    tally = _TALLY.get()
    if tally is None:
        return False
    tally.left -= max(1, len(messages))
    tally.cut = tally.cut or tally.left <= 0
    return tally.left <= 0


class Fault(str):
    """A sentence (English, as a string) that can be told in other languages too."""

    key: str
    facts: Mapping[str, Any]

    def __new__(cls, key: str, **facts: Any) -> Self:
        """The fault with this key of `messages.toml`."""
        if not facts and key in _PLAIN:
            return cast(Self, _PLAIN[key])
        fault = super().__new__(cls, _told(key, facts, "en"))
        fault.key, fault.facts = key, facts
        if not facts:
            _PLAIN[key] = fault
        return fault

    def told(self, language: str) -> str:
        """The sentence in a language."""
        return _told(self.key, self.facts, language)


_PLAIN: dict[str, Fault] = {}


class Located(NamedTuple):
    """A fault and where it is."""

    pointer: str
    message: str

    def to_wire(self, language: str) -> dict[str, str]:
        """`{"pointer", "message"}`."""
        message = self.message
        return {
            "pointer": self.pointer,
            "message": message.told(language) if isinstance(message, Fault) else message,
        }


def located(errors: Any) -> list[Located]:
    """Every fault in marshmallow's messages, in the order of their pointers."""
    found = dict.fromkeys(_walk(errors, ()))
    return [Located(pointer_of(path), message) for path, message in sorted(found, key=_order)]


def _walk(errors: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(errors, Mapping):
        for key, below in errors.items():
            part = key if isinstance(key, tuple) else () if key == ROOT else (key,)
            yield from _walk(below, path + part)
    elif isinstance(errors, str):
        yield path, errors
    else:
        for error in errors:
            yield from _walk(error, path)


def _order(fault: tuple[tuple[Any, ...], str]) -> Any:
    path, message = fault
    return [(0, part, "") if isinstance(part, int) else (1, 0, str(part)) for part in path], message


def pointer_of(path: tuple[Any, ...]) -> str:
    """A path as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def listed(values: Any) -> str:
    """Values for a message: a few of them, as JSON writes them."""
    shown = [_json(v) for v in list(values)[:SHOWN]]
    return ", ".join(shown) + (", …" if len(values) > SHOWN else "")


def _json(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _told(key: str, facts: Mapping[str, Any], language: str) -> str:
    entry = messages()[key]
    text = entry.get(language, entry["en"])
    return text.format(**facts) if facts else text


@cache
def messages() -> Mapping[str, Mapping[str, str]]:
    """The sentences of `messages.toml`."""
    return tomllib.loads((Path(__file__).parent / "messages.toml").read_text(encoding="utf-8"))
