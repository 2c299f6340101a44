"""Mutations of JSON documents: one piece dropped, retyped, added, doubled, swapped."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

ODD = (
    None, True, False, 0, 1, -1, 7, 7.0, 0.0, -0.0, 1.5, 1e30, 10**30, -(10**30), 10**400, 2**53, "", "0", "7", "true",
    "ann", "chance", "Ann", "ann\n", "nobody", "_schema", "a/b~c", "x" * 300, [], {}, [1], {"a": 1}, {"_schema": 1},
    [None], [[]], "run", "pool", "turn", "game", "plum", "opal", "issued",
)  # fmt: skip

Path = tuple[Any, ...]


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in a document."""
    yield path
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, below in entries:
        yield from paths(below, (*path, key))


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def mutate(data: st.DataObject, document: Any, times: int = 3) -> Any:
    """The document after a few mutations (it is changed in place)."""
    for _ in range(data.draw(st.integers(1, times), label="mutations")):
        document = _mutated(data, document)
    return document


def _mutated(data: st.DataObject, document: Any) -> Any:
    places = [p for p in paths(document) if p]
    if not places:
        return document
    path = data.draw(st.sampled_from(places), label="place")
    parent, key = at(document, path[:-1]), path[-1]
    what = data.draw(st.sampled_from(("drop", "odd", "float", "copy", "add", "swap")), label="mutation")
    if what == "drop":
        del parent[key]
    elif what == "odd":
        parent[key] = deepcopy(data.draw(st.sampled_from(ODD), label="value"))
    elif what == "float" and isinstance(parent[key], int):
        parent[key] = float(min(parent[key], 2**53))
    elif what == "copy":
        parent[key] = deepcopy(at(document, data.draw(st.sampled_from(places), label="from")))
    elif what == "add" and isinstance(parent, dict):
        parent[data.draw(st.sampled_from(("extra", "_schema", "fig", "ann", ""))) or "e"] = deepcopy(
            parent[key]
        )
    elif what == "swap" and isinstance(parent, list):
        parent.append(deepcopy(parent[key]))
    return document
