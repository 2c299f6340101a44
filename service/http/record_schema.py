"""The JSON Schema of records, taken out of the OpenAPI document: one for every game, and alone."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from schemas.record import SCHEMAS

FILE = Path(__file__).parents[2] / "docs" / "record.schema.json"
NAME = "Record"
PLACE, ALONE = "#/components/schemas/", "#/$defs/"
STARTS = ("setup", "state", "start")
NEEDED = ("game", "ruleset", "actions")
TITLE = "A record of a game"

Json = dict[str, Any]


def schema_of(document: Mapping[str, Any]) -> Json:
    """The schema of a record, whole or as a seat sees it, with all that it refers to."""
    schemas = document["components"]["schemas"]
    record, defs = schemas[NAME], {}
    left = list(_references(record))
    while left:
        name = left.pop()
        if name not in defs:
            defs[name] = _alone(schemas[name])
            left += _references(schemas[name])
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:arbitr:record:{SCHEMAS[-1]}",
        "title": TITLE,
    }
    starts = [{"required": [name]} for name in STARTS]
    needed = {"required": list(NEEDED), "anyOf": starts}
    return {**head, **_alone(record), **needed, "$defs": {name: defs[name] for name in sorted(defs)}}


def text_of(document: Mapping[str, Any]) -> str:
    """The schema as its file has it."""
    return json.dumps(schema_of(document), indent=1, ensure_ascii=False) + "\n"


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix(PLACE)
        for below in value.values():
            yield from _references(below)
    elif isinstance(value, list):
        for below in value:
            yield from _references(below)


def _alone(value: Any) -> Any:
    """The same schema where what it refers to stands beside it."""
    if isinstance(value, Mapping):
        return {
            k: v.replace(PLACE, ALONE) if k == "$ref" and isinstance(v, str) else _alone(v)
            for k, v in value.items()
        }
    return [_alone(v) for v in value] if isinstance(value, list) else value
