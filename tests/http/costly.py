"""Searches for the bodies that cost most, beside valid ones of the same size.

`python -m tests.http.costly` prints the twenty costliest that were found for every game.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import islice
from time import thread_time
from typing import Any, NamedTuple

from flask.testing import FlaskClient

from service.http.limits import WORK
from service.http.problems import LARGEST_BODY, MOST_VALUES
from tests.http.test_fuzz import mutated, seeds

ROUNDS, PATIENT = 3, 12
SEEMS_DEAR = 4  # times a valid one
MANY = MOST_VALUES - 1_200


class Cost(NamedTuple):
    """What a body cost: CPU milliseconds, those of a valid body of its size, and what was answered."""

    ratio: float
    spent: float
    valid: float
    size: int
    call: str
    name: str
    answer: str

    @property
    def paid(self) -> int:
        """What the request pays of what its address may ask, where it is the first to fail."""
        return 1 + int(self.spent / 1000 / WORK)

    @property
    def bought(self) -> float:
        """How many times the work of a valid request it gets for one."""
        return self.ratio / self.paid

    def __str__(self) -> str:
        took = f"{self.spent:8.2f} ms {self.ratio:6.2f} x valid ({self.valid:.2f} ms)"
        return f"{took}, pays {self.paid:2d} {self.size:8d} bytes {self.call:13} {self.answer:17} {self.name}"


def spent(
    client: FlaskClient, path: str, body: bytes, enough: float = 0, rounds: int = ROUNDS
) -> tuple[float, Any]:
    """The least CPU time of a few tries, in milliseconds, and the answer; no more tries once it is `enough`."""
    least, answer = 1e9, None
    for _ in range(rounds):
        began = thread_time()
        answer = client.post(path, data=body, content_type="application/json")
        least = min(least, (thread_time() - began) * 1000)
        if least <= enough:
            break
    return least, answer


class Meter:
    """Measures bodies of one game beside valid ones of the same size."""

    def __init__(self, client: FlaskClient, game: str) -> None:
        self.client, self.game = client, game
        self.requests = seeds(client, game, random.Random(3))
        self._valid: dict[tuple[str, int], float] = {}

    def path(self, call: str) -> str:
        return f"/v1/games/{self.game}/{call}"

    def valid(self, call: str, size: int) -> float:
        """What the costliest real request of this call costs, filled up with blanks to (about) this size."""
        step = 1 << (size - 1).bit_length() >> 1
        if (call, step) not in self._valid:
            real = [json.dumps(r).encode() for c, r in self.requests if c == call]
            padded = [body[:-1] + b" " * max(0, step - len(body)) + b"}" for body in real]
            self._valid[call, step] = max(spent(self.client, self.path(call), body)[0] for body in padded)
        return self._valid[call, step]

    def cost(self, call: str, name: str, body: bytes) -> Cost | None:
        """What this body costs; None where it is valid. One that costs less than a valid one is tried once, and one
        that seems dear again and again: a busy machine has its share in what a few tries take."""
        valid = self.valid(call, len(body))
        took, answer = spent(self.client, self.path(call), body, valid)
        if took > SEEMS_DEAR * valid:
            took = min(took, spent(self.client, self.path(call), body, rounds=PATIENT)[0])
        if answer.status_code == 200 and (call != "problems" or not answer.json["problems"]):
            return None
        kind = "problems" if answer.status_code == 200 else answer.json["type"].rpartition("/")[2]
        return Cost(took / valid, took, valid, len(body), call, name, kind)


def costliest(
    client: FlaskClient, game: str, mutations: int, seed: int, every: int = 1
) -> tuple[list[Cost], list[Cost]]:
    """What bodies of a usual size cost, and (`every` so many of the) blown up ones; the worst first."""
    meter, rng = Meter(client, game), random.Random(seed)
    usual = measured(meter, random_ones(meter.requests, mutations, rng))
    return usual, measured(meter, islice(bloated(meter.requests), 0, None, every))


def measured(meter: Meter, bodies: Iterable[tuple[str, str, bytes]]) -> list[Cost]:
    """The costs of those that are not valid."""
    found = [cost for call, name, body in bodies if (cost := meter.cost(call, name, body)) is not None]
    return sorted(found, reverse=True)


def random_ones(
    requests: list[tuple[str, Any]], times: int, rng: random.Random
) -> Iterator[tuple[str, str, bytes]]:
    """Mutations of real requests."""
    for n in range(times):
        call, request = rng.choice(requests)
        yield call, f"mutation {n}", mutated(rng, request)


def bloated(requests: list[tuple[str, Any]]) -> Iterator[tuple[str, str, bytes]]:
    """Real requests of which one part after the other is blown up to what a body may hold."""
    last = dict(requests)
    for call, request in last.items():
        for name, change in BLOWN.items():
            for path in containers(request):
                document = deepcopy(request)
                parent = document
                for key in path[:-1]:
                    parent = parent[key]
                swollen = change(parent[path[-1]])
                if swollen is not None:
                    parent[path[-1]] = swollen
                    place = "/" + "/".join(map(str, path))
                    yield call, f"{name} {place}", json.dumps(document, separators=(",", ":")).encode()
        yield from odd_texts(call, json.dumps(request).encode())


def odd_texts(call: str, body: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Bodies that are odd as texts."""
    yield call, "surplus fields", body[:-1] + b"".join(b',"k%d":1' % i for i in range(MANY)) + b"}"
    yield (
        call,
        "a key twice at the end",
        body[:-1] + b" " * (LARGEST_BODY - len(body) - 20) + b',"z":1,"z":1}',
    )
    yield call, "a long string", body[:-1] + b',"z":"' + b"x" * (LARGEST_BODY - len(body) - 20) + b'"}'
    yield call, "a long number", body[:-1] + b',"z":' + b"1" * (LARGEST_BODY - len(body) - 20) + b"}"
    yield call, "escapes", body[:-1] + b',"z":"' + b"\\u0041" * ((LARGEST_BODY - len(body)) // 6 - 9) + b'"}'
    yield call, "broken at the end", body[:-1] + b" " * (LARGEST_BODY - len(body) - 20) + b"x"
    yield call, "deep", body[:-1] + b',"z":' + b"[" * 900 + b"]" * 900 + b"}"
    yield call, "commas", b"[" + b"1," * (LARGEST_BODY // 2 - 20) + b"1]"


def containers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a list or an object below the top."""
    if path and isinstance(value, dict | list):
        yield path
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, below in entries:
        yield from containers(below, (*path, key))


def _weight(value: Any) -> int:
    return json.dumps(value).count(",") + 1


def _repeated(value: Any) -> Any:
    """A list with its entries again and again, an object with its first value under many keys."""
    if not value:
        return None
    if isinstance(value, list):
        return value * (MANY // (_weight(value) + len(value)))
    first = next(iter(value.values()))
    return {**value, **{f"k{i}": first for i in range(MANY // _weight(first))}}


def _wrong(value: Any) -> Any:
    """Many entries of a type that is wrong nearly everywhere."""
    return [None] * MANY if isinstance(value, list) else {**value, **{f"k{i}": None for i in range(MANY)}}


def _strange(value: Any) -> Any:
    """Many entries that name nobody."""
    return ["zed"] * MANY if isinstance(value, list) else {f"zed{i}": 1 for i in range(MANY)}


def _filled(value: Any) -> Any:
    """One entry of the right kind, large."""
    if isinstance(value, dict) and value and all(isinstance(v, int) for v in value.values()):
        return dict.fromkeys(value, 9_999)
    return None


BLOWN: dict[str, Callable[[Any], Any]] = {
    "repeated": _repeated,
    "wrong": _wrong,
    "strange": _strange,
    "filled": _filled,
}


def show(game: str, found: tuple[list[Cost], list[Cost]]) -> str:
    """The twenty worst of each sort."""
    parts = [f"{game}: {len(found[0])} faulty bodies of a usual size, {len(found[1])} blown up ones"]
    for title, costs in zip(("usual", "blown up"), found, strict=True):
        parts += [f"the costliest, {title}:", *map(str, costs[:20])]
    return "\n".join(parts)


if __name__ == "__main__":
    from service.app import create_app
    from tests.http.conftest import GAMES, settings, toy_app

    every_game = create_app(settings())
    for game in GAMES:
        app = toy_app() if game == "toy" else every_game
        print(show(game, costliest(app.test_client(), game, 600, 11)))
