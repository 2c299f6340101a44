"""Bodies: from the bytes of a request to JSON whose every key stands once. Nothing is repaired."""

import codecs
import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from flask.wrappers import Request

from schemas import Fault, Located, messages
from service.http.lean import asked as asked_now
from service.http.locale import language
from service.http.problems import LARGEST_BODY, MOST_IN_BATCH, MOST_VALUES, Problem
from service.http.slow import TooSlow

Document = Mapping[str, msgspec.Raw]
_DOCUMENT = msgspec.json.Decoder(dict[str, msgspec.Raw])
LONG = ("items", "record")  # members of a body that have many values by right
UNREAD = ("state", "items")  # members that the schema decodes itself


def read_body(most: int = LARGEST_BODY) -> bytes:
    """The body of the request, unpacked. Raises Problem for a type, packing or size that we do not take."""
    asked = asked_now()
    _demand_json_type(asked)
    encoding = asked.environ.get("HTTP_CONTENT_ENCODING")
    if encoding is None:
        return _received(asked, most)
    encoding = encoding.strip().lower()
    if encoding not in ("gzip", "x-gzip", "identity", ""):
        raise Problem("unsupported-encoding", headers={"Accept-Encoding": "gzip"}, given=encoding)
    body = _received(asked, most)
    return _unpacked(body, most) if encoding.endswith("gzip") else body


def _demand_json_type(asked: Request) -> None:
    if asked.environ.get("CONTENT_TYPE") == "application/json":
        return
    charset = asked.mimetype_params.get("charset", "utf-8").lower()
    if asked.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise Problem("unsupported-media-type", given=asked.content_type or "nothing")


def _received(asked: Request, most: int) -> bytes:
    """The body as it came; of one that does not tell its length no more is read than a body may have."""
    told = _length(asked)
    if told > most:
        raise Problem("too-large", most=most)
    try:
        body: bytes = asked.environ["wsgi.input"].read(told) if told else asked.stream.read(most + 1)
    except TooSlow as slow:
        raise Problem("too-slow", seconds=slow.seconds) from None
    except Exception:  # pieces that are none, or a client that has gone
        raise Problem("bad-request") from None
    if len(body) < told:
        raise Problem("bad-request")  # it broke off; what came may still be sound JSON
    return demand_small(body, most)


def _length(asked: Request) -> int:
    """How many bytes the body is said to have; 0 where that is not said."""
    given = asked.environ.get("CONTENT_LENGTH")
    if (
        given
        and len(given) < 16
        and given.isdecimal()
        and given.isascii()
        and "HTTP_TRANSFER_ENCODING" not in asked.environ
    ):
        return int(given)
    return asked.content_length or 0


def demand_small(body: bytes, most: int = LARGEST_BODY) -> bytes:
    """The body, unless it has more bytes than it may have."""
    if len(body) > most:
        raise Problem("too-large", most=most)
    return body


def _unpacked(packed: bytes, most: int) -> bytes:
    """The contents of one gzip stream, never more than a body may have."""
    stream = zlib.decompressobj(wbits=31)
    try:
        body = demand_small(stream.decompress(packed, most + 1), most)
    except zlib.error:
        raise Problem("broken-gzip") from None
    if not stream.eof or stream.unused_data:
        raise Problem("broken-gzip")
    return body


def parse(body: bytes) -> Document:
    """The members of the object that the body is, undecoded. Raises Problem where it is not one JSON object."""
    try:
        body.decode("utf-8")
        document = _DOCUMENT.decode(body)
    except UnicodeDecodeError as error:
        raise Problem("not-json", reason=Fault("not-utf-8", at=error.start).told(language())) from None
    except msgspec.ValidationError:
        fault = Located("", Fault("object")).to_wire(language())
        raise Problem("off-schema", extra={"errors": [fault]}, n=1) from None
    except msgspec.DecodeError as error:
        if body.startswith(codecs.BOM_UTF8):
            raise Problem("not-json", reason=Fault("byte-order-mark").told(language())) from None
        raise not_json(error) from None
    if document.keys().isdisjoint(LONG):
        _demand_few(body, MOST_VALUES)
        return document
    long = [bytes(document[name]) for name in LONG if name in document]
    _demand_few(_without(body, long), MOST_VALUES)
    for member in long:
        _demand_few(member, MOST_IN_BATCH)
    return document


def _demand_few(body: bytes, most: int) -> None:
    """Refuse what no game needs before it is looked at value by value; commas tell how many there are at most."""
    if body.count(b",") > most:
        raise Problem("too-many-values", most=most)


def decoded(body: bytes, document: Document, raw: Collection[str] = UNREAD) -> dict[str, Any]:
    """The members of the body decoded, but for those that the schema decodes itself."""
    return {k: v if k in raw else _member(body, v) for k, v in document.items()}


def _member(body: bytes, raw: msgspec.Raw) -> Any:
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise not_json(error, body.find(bytes(raw))) from None


def not_json(error: msgspec.DecodeError, begins: int = 0) -> Problem:
    """What the decoder says of a text that is no JSON, in words of our own; `begins`: where in the body it began."""
    said, _, _ = str(error).removeprefix("JSON is malformed: ").partition(" - at `")  # a path, of no use here
    what, _, at = said.partition(" (byte ")
    where = {"at": int(at.rstrip(")")) + max(begins, 0)} if at else {}
    fault = Fault(what if what in messages() else "malformed" if where else "unreadable", **where)
    return Problem("not-json", reason=fault.told(language()))


def outer(body: bytes, document: Document) -> bytes:
    """The body without its items, which are looked through one by one."""
    return _without(body, [bytes(document["items"])]) if "items" in document else body


def _without(body: bytes, members: Sequence[bytes]) -> bytes:
    for member in members:
        body = body.replace(member, b"0", 1)
    return body


def demand_unique(
    body: bytes,
    document: Document | None = None,
    members: Mapping[str, Any] | None = None,
    canonical: bytes | None = None,
) -> None:
    """Refuse a body in which an object has a key twice.

    What writes JSON takes each key once. So a body, or a state in it, that is to the byte what is written of what was
    read from it (`members`; of the state `canonical`) has none twice; only what is written otherwise is looked
    through key by key.
    """
    if members is not None and canonical is None and members.keys().isdisjoint(UNREAD):
        if msgspec.json.encode(members) == body:
            return
    elif document is not None and members is not None and canonical is not None:
        if _as_written(body, document, members, canonical):
            return
        state_text = bytes(document["state"])
        if state_text == canonical or msgspec.json.format(state_text, indent=-1) == canonical:
            body = body.replace(state_text, b"0", 1)
    json.loads(body.decode(), object_pairs_hook=_unique, parse_int=str, parse_float=str)


def _as_written(body: bytes, document: Document, members: Mapping[str, Any], canonical: bytes) -> bool:
    """Whether the body is without white space, its state canonical, and all else written as we would write it."""
    if bytes(document["state"]) != canonical or msgspec.json.encode(document) != body:
        return False
    for name, text in document.items():
        if name != "state" and bytes(text) != msgspec.json.encode(members[name]):
            return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> None:
    keys = {key for key, _ in pairs}
    if len(keys) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Problem("duplicate-keys", key=json.dumps(twice, ensure_ascii=False)[:100])
