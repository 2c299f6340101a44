"""Bodies that are not what we read: each a clear problem, never a fault of ours."""

from __future__ import annotations

import gzip
import json
import random
import re
from io import BytesIO
from time import process_time
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from service.engine.state import MOST_FRAMES, MOST_SEATS, encode
from service.http.body import _as_written, decoded, demand_unique, parse
from service.http.problems import LARGEST_BODY, Problem
from tests.http.conftest import TOY, begin, encoded, every_game_in_turn, faults, post, problem
from tests.http.kept import filled

JUDGE = f"{TOY}/adjudications"
END = {"kind": "end-turn", "actor": "ann"}
ONE_MEGABYTE = [f"{TOY}/{call}" for call in ("states", "adjudications", "options", "views", "problems")]
CALLS = [*ONE_MEGABYTE, f"{TOY}/adjudications/batch"]


@pytest.fixture
def body(state: Any) -> bytes:
    return encoded({"state": state, "action": END})


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"", "breaks off"),
        (b"{", "breaks off"),
        (b"nope", "at byte"),
        (b'{"state": NaN}', "at byte 10"),
        (b'{"seats": [Infinity]}', "at byte 11"),
        (b'{"state": -Infinity}', "at byte 11"),
        (b'{"action": 01}', "number"),
        (b'{"action": 1} x', "after the end"),
        (b"{'action': 1}", "byte 1"),
        (b'{"action": "\\ud800"}', "surrogate"),
        (b'{"action": "\xff"}', "utf-8"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ("{}".encode("utf-16"), "utf-8"),
        ("{}".encode("utf-32"), "utf-8"),
        (b'{"action": "\x00"}', "byte"),
        (b'{"action": 1e999}', "range"),
        (b'{"action": ' + b"1" * 5000 + b"}", "range"),
    ],
)
def test_what_is_not_json_is_refused(client: FlaskClient, path: str, sent: bytes, said: str) -> None:
    assert said in problem(post(client, path, sent), 400, "not-json")["detail"].lower()


NUMBERS = (b"1e400", b"-1e999", b"9" * 400, b"9" * 5000, b"-", b"01", b"1.", b"1e", b".5", b"NaN", b"1e-400")
TEXTS = (
    b'"\\ud800"',
    b'"\\ud800\\u0041"',
    b'"\\u12"',
    b'"\\x"',
    b'"\n"',
    b'"',
    b"'a'",
    b'"\xff"',
    b"tru",
    b"\x00",
)
DEEP = (
    b'{"action": %s}',
    b'{"action": {"a": {"b": %s}}}',
    b'{"action": {"a": [1, [%s]]}}',
    b'{"state": {"a": [%s]}}',
)


def broken(sound: bytes, rng: random.Random) -> bytes:
    """A body with a few bytes changed, left out, doubled or put in."""
    body = bytearray(sound)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(body))
        body[at : at + rng.choice((0, 1, 1, 4))] = rng.choice(
            (b"", b"{", b"}", b",", b"\\", b"1e400", b'"', b"]")
        )
    return bytes(body[: rng.choice((len(body), len(body), rng.randrange(len(body))))])


def test_no_broken_body_is_told_in_a_sentence_with_a_gap(client: FlaskClient, state: Any) -> None:
    rng, sound = random.Random(7), encoded({"state": state, "action": {**END, "cards": {"blue-4": 1}}})
    bodies = [deep % value for deep in DEEP for value in (*NUMBERS, *TEXTS)]
    bodies += [broken(sound, rng) for _ in range(300)]
    told = set()
    for body in bodies:
        for spoken in ("en", "cs"):
            answer = post(client, JUDGE, body, Accept_Language=spoken).json
            every = [answer.get("detail", ""), *(e["message"] for e in answer.get("errors", ()))]
            assert not any(re.search(r"\{[a-z_]+\}", text) for text in every), (body, every)
            if answer.get("type", "").endswith("not-json"):
                told.add(re.sub("[0-9]+", "N", answer["detail"]))
    assert len(told) >= 24, "the sentences of the decoder have come up"


def test_a_number_that_is_too_large_is_told_wherever_it_stands(client: FlaskClient) -> None:
    for deep in DEEP:
        for number in (b"1e400", b"9" * 5000):
            detail = problem(post(client, JUDGE, deep % number), 400, "not-json")["detail"]
            assert detail.endswith("number in it is out of range.")


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize("sent", [b"[]", b"7", b"null", b'"{}"', b"true", b"1.5"])
def test_a_body_is_an_object(client: FlaskClient, path: str, sent: bytes) -> None:
    found = problem(post(client, path, sent), 400, "off-schema")
    assert found["errors"] == [{"pointer": "", "message": "It must be an object."}]


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("member", [b"state", b"action", b"items", b"seats", b"x"])
def test_what_is_nested_too_deep_is_refused(
    client: FlaskClient, path: str, opening: bytes, member: bytes
) -> None:
    closing = b"]" if opening == b"[" else b"}"
    sent = b'{"' + member + b'": ' + opening * 5000 + b"1" + closing * 5000 + b"}"
    problem(post(client, path, sent), 422, "too-deep")


def test_depth_inside_a_free_part_of_the_state_is_refused(client: FlaskClient, state: Any) -> None:
    for depth in (30, 300, 900, 5000):
        house = b'{"a":' * depth + b"1" + b"}" * depth
        sent = encoded({"state": state, "action": END}).replace(b'"house":{}', b'"house":' + house)
        assert post(client, JUDGE, sent).status_code == 422


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        (b'"actor":"ann"', b'"actor":"bob","actor":"ann"', '"actor"'),
        (b'"turn":0', b'"turn":1,"turn":0', '"turn"'),
        (b'"turn":0', b'"turn":0,"turn":0', '"turn"'),
        (b'"turn":0', b'"turn":0,"tur\\u006e":0', '"turn"'),
        (b'"discard":{', b'"discard":{"plum":1,"plum":1', '"plum"'),
        (b'{"state"', b'{"action":{"kind":"end-turn","actor":"bob"},"state"', '"action"'),
        (b'"action":{', b'"state":{},"action":{', '"state"'),
        (b'"short":false', b'"short":true,"short":false', '"short"'),
    ],
)
@pytest.mark.parametrize("spaced", [False, True])
def test_an_object_with_a_key_twice_is_refused(
    client: FlaskClient, body: bytes, old: bytes, new: bytes, key: str, spaced: bool
) -> None:
    assert old in body
    sent = body.replace(old, new, 1)
    if spaced:
        sent = sent.replace(b",", b" ,\n ").replace(b'":', b'" : ')
    assert key in problem(post(client, JUDGE, sent), 400, "duplicate-keys")["detail"]


def test_the_whole_state_twice_is_refused(client: FlaskClient, state: Any) -> None:
    text = encoded(state)
    sent = b'{"state":' + text + b',"state":' + text + b',"action":' + encoded(END) + b"}"
    problem(post(client, JUDGE, sent), 400, "duplicate-keys")


@pytest.mark.parametrize("writing", ["compact", "spaced", "indented", "sorted", "ascii"])
def test_json_may_be_written_in_every_way(client: FlaskClient, state: Any, writing: str) -> None:
    state["seats"][0]["name"] = 'Jiří {"turn":0} \\ "Ann"'
    styles: dict[str, dict[str, Any]] = {
        "compact": {"separators": (",", ":"), "ensure_ascii": False},
        "spaced": {"ensure_ascii": False},
        "indented": {"indent": 4},
        "sorted": {"sort_keys": True},
        "ascii": {"ensure_ascii": True},
    }
    sent = json.dumps({"state": state, "action": END}, **styles[writing])
    answer = post(client, JUDGE, sent.encode())
    assert answer.json["verdict"] == "legal"
    assert answer.json["state"]["seats"][0]["name"] == state["seats"][0]["name"]


@pytest.mark.parametrize("path", ONE_MEGABYTE)
def test_a_body_over_a_megabyte_is_refused(client: FlaskClient, path: str) -> None:
    sent = b'{"x": "' + b"x" * LARGEST_BODY + b'"}'
    problem(post(client, path, sent), 413, "too-large")
    problem(post(client, path, gzip.compress(sent), Content_Encoding="gzip"), 413, "too-large")


def chunked(client: FlaskClient, sent: bytes) -> Any:
    """Send a body that does not tell its length."""
    stream = {"input_stream": BytesIO(sent), "environ_overrides": {"wsgi.input_terminated": True}}
    return client.post(JUDGE, content_type="application/json", **stream)


def test_a_body_of_unknown_length_is_read_up_to_a_megabyte(client: FlaskClient, body: bytes) -> None:
    assert chunked(client, body).json["verdict"] == "legal"
    problem(chunked(client, b'{"x": "' + b"x" * LARGEST_BODY + b'"}'), 413, "too-large")


def test_a_gzip_bomb_is_not_unpacked(client: FlaskClient) -> None:
    problem(post(client, JUDGE, gzip.compress(b"0" * (200 << 20)), Content_Encoding="gzip"), 413, "too-large")


def test_a_packed_body_is_read(client: FlaskClient, body: bytes) -> None:
    assert post(client, JUDGE, gzip.compress(body), Content_Encoding="gzip").json["verdict"] == "legal"
    assert post(client, JUDGE, body, Content_Encoding="identity").json["verdict"] == "legal"


@pytest.mark.parametrize("damage", ["not", "cut", "tail", "twice", "flipped"])
def test_a_damaged_gzip_body_is_refused(client: FlaskClient, body: bytes, damage: str) -> None:
    packed = gzip.compress(body)
    flipped = packed[:40] + bytes([packed[40] ^ 255]) + packed[41:]
    sent = {"not": body, "cut": packed[:-5], "tail": packed + b"x", "twice": packed * 2, "flipped": flipped}[
        damage
    ]
    answer = post(client, JUDGE, sent, Content_Encoding="gzip")
    assert answer.status_code == 400


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "zstd"])
def test_another_packing_is_refused(client: FlaskClient, body: bytes, encoding: str) -> None:
    answer = post(client, JUDGE, body, Content_Encoding=encoding)
    problem(answer, 415, "unsupported-encoding")
    assert answer.headers["Accept-Encoding"] == "gzip"


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "application/json; charset=utf-16",
        "x",
    ],
)
def test_another_content_type_is_refused(client: FlaskClient, body: bytes, kind: str) -> None:
    problem(post(client, JUDGE, body, Content_Type=kind), 415, "unsupported-media-type")


def test_a_missing_content_type_is_refused(client: FlaskClient, body: bytes) -> None:
    found = problem(client.post(JUDGE, data=body), 415, "unsupported-media-type")
    assert "nothing" in found["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"']
)
def test_json_in_utf_8_may_say_so(client: FlaskClient, body: bytes, kind: str) -> None:
    assert post(client, JUDGE, body, Content_Type=kind).status_code == 200


@pytest.mark.parametrize(
    "accept", ["text/html", "application/xml", "application/json;q=0", "text/*, image/png"]
)
def test_a_client_that_accepts_no_json_is_told(client: FlaskClient, body: bytes, accept: str) -> None:
    problem(post(client, JUDGE, body, Accept=accept), 406, "not-acceptable")
    problem(client.get("/v1/games", headers={"Accept": accept}), 406, "not-acceptable")


@pytest.mark.parametrize("accept", ["*/*", "application/*", "text/html, */*;q=0.1", "application/json", ""])
def test_a_client_that_accepts_json_gets_it(client: FlaskClient, body: bytes, accept: str) -> None:
    assert post(client, JUDGE, body, Accept=accept).status_code == 200


def test_numbers_of_400_digits_are_out_of_bounds(client: FlaskClient, state: Any) -> None:
    state["turn"] = 7**470
    state["seats"][0]["name"] = 7**470
    found = problem(post(client, JUDGE, encoded_big({"state": state, "action": END})), 400, "off-schema")
    assert [e["pointer"] for e in found["errors"]] == ["/state/seats/0/name", "/state/turn"]


def test_no_number_of_a_state_grows_out_of_all_use(client: FlaskClient, state: Any) -> None:
    state["chance"]["next_draw"] = 10**6
    state["turn"] = 10**6
    found = problem(post(client, JUDGE, encoded({"state": state, "action": END})), 422, "impossible-state")
    assert [p["pointer"] for p in found["problems"]] == ["/turn", "/chance/next_draw"]


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("digits", [17, 20, 25, 308, 400, 4000])
@pytest.mark.parametrize("ending", ["", ".0", "e0"])
def test_numbers_of_many_digits_are_faults_of_the_action_wherever_they_stand(
    client: FlaskClient, state: Any, sign: str, digits: int, ending: str
) -> None:
    number = f"{sign}{'7' * digits}{ending}".encode()
    play = {"kind": "play", "actor": "ann", "card": "plum", "points": 7}
    sent = encoded({"state": state, "action": play}).replace(b'"points":7', b'"points":' + number)
    answer = post(client, JUDGE, sent)
    assert answer.status_code == 400
    assert answer.json["type"].rpartition("/")[2] in ("off-schema", "not-json")
    sent = encoded({"state": state, "action": END}).replace(b'"schema":1', b'"schema":' + number)
    assert post(client, JUDGE, sent).status_code in (400, 422)


@pytest.mark.parametrize(
    "text", [b'"\\udfff"', b'"\\ud800\\u0041"', b'"\\u12"', b'"\\x41"', b'"\xed\xa0\x80"']
)
@pytest.mark.parametrize("place", [b'"kind"', b'"end-turn"', b'"game_id"', b'"toy"', b'"turn"'])
def test_broken_texts_are_refused_wherever_they_stand(
    client: FlaskClient, body: bytes, text: bytes, place: bytes
) -> None:
    assert place in body
    problem(post(client, JUDGE, body.replace(place, text, 1)), 400, "not-json")


@pytest.mark.parametrize(
    ("pointer", "many"),
    [
        ("seats", [{}] * 50_000),
        ("options", {f"k{i}": None for i in range(40_000)}),
        ("house", [[]] * 5_100),
        ("game_id", "," * 20_000),
    ],
)
def test_more_values_than_any_game_has_are_refused_unseen(
    client: FlaskClient, state: Any, pointer: str, many: Any
) -> None:
    began = process_time()
    for call in ("adjudications", "problems", "options", "views"):
        answer = post(client, f"{TOY}/{call}", encoded({"state": {**state, pointer: many}}))
        problem(answer, 413, "too-many-values")
    assert process_time() - began < 1


@pytest.mark.parametrize(
    ("pointer", "many"),
    [("options", {f"k{i}": None for i in range(4_900)}), ("surplus", None)],
)
def test_a_search_for_faults_ends_after_a_hundred_and_says_so(
    client: FlaskClient, state: Any, pointer: str, many: Any
) -> None:
    asked = {**state, pointer: many} if many else {**state, **{f"k{i}": 1 for i in range(4_900)}}
    began = process_time()
    found = problem(post(client, JUDGE, encoded({"state": asked, "action": END})), 400, "off-schema")
    assert process_time() - began < 1
    assert found["complete"] is False
    assert 100 <= len(found["errors"]) <= 200


@pytest.mark.parametrize(
    ("pointer", "many", "most"),
    [("seats", [{"id": "ann"}] * 4_500, MOST_SEATS), ("stack", [{"frame": "turn"}] * 4_500, MOST_FRAMES)],
)
def test_a_list_that_is_too_long_is_one_fault(
    client: FlaskClient, state: Any, pointer: str, many: Any, most: int
) -> None:
    sent = encoded({"state": {**state, pointer: many}, "action": END})
    answer = post(client, JUDGE, sent)
    problem(answer, 400, "off-schema")
    assert faults(answer) == {f"/state/{pointer}": f"Its length must be at most {most}."}


@pytest.mark.parametrize("call", ["adjudications", "problems", "options", "views"])
@every_game_in_turn
def test_a_table_with_thousands_of_players_costs_less_than_a_second(
    of_game: FlaskClient, game: str, call: str
) -> None:
    state = begin(of_game, game)["state"]
    player = state["table"]["seats"]["ann"]
    legal = of_game.post(f"/v1/games/{game}/options", json={"state": state}).json["options"][0]
    more = {"adjudications": {"action": filled(legal)}, "views": {"seat": "ann"}}.get(call, {})
    for many, value in ((50_000, {}), (4_500, {}), (100, player)):
        state["table"]["seats"] = {f"k{i}": value for i in range(many)}
        began = process_time()
        answer = post(of_game, f"/v1/games/{game}/{call}", encoded({"state": state, **more}))
        assert answer.status_code == (413 if many == 50_000 else 200 if call == "problems" else 422)
        assert process_time() - began < 1


def test_a_list_of_problems_ends_after_a_hundred_and_says_so(client: FlaskClient, state: Any) -> None:
    state["options"] |= {f"k{i}": True for i in range(200)}
    for call, more in (("problems", {}), ("adjudications", {"action": END})):
        answer = client.post(f"{TOY}/{call}", json={"state": state, **more})
        assert (len(answer.json["problems"]), answer.json["complete"]) == (100, False)


def encoded_big(value: Any) -> bytes:
    return json.dumps(value).encode()


NAMES = ("a", "b", "é", 'q"', "state", "seal")


def _written(rng: random.Random, depth: int) -> str:
    """A JSON text at random; one object in three has a key twice, one in four is spaced."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(["1", "-0", "1.0", "1e2", '"x"', '"\\u00e9"', '"é"', "null", "true", "[]", "{}"])
    if rng.random() < 0.3:
        return "[" + ",".join(_written(rng, depth - 1) for _ in range(rng.randrange(3))) + "]"
    names = rng.sample(NAMES, rng.randrange(1, 4))
    if rng.random() < 0.1:
        names.append(names[0])
    keys = [json.dumps(name, ensure_ascii=rng.random() < 0.1) for name in names]
    comma = rng.choice([",", ",", ",", " , "])
    return "{" + comma.join(f"{key}:{_written(rng, depth - 1)}" for key in keys) + "}"


def test_the_short_search_for_doubled_keys_finds_what_the_long_one_does() -> None:
    """Bodies written at random: the short way may ask the long one, and never lets through what that refuses."""
    rng, short, refused = random.Random(20), 0, 0
    for _ in range(4_000):
        state = f'{{"turn":{_written(rng, 2)}}}'
        members = [("state", state), ("seal", '"s"'), ("action", _written(rng, 3)), ("b", _written(rng, 1))]
        rng.shuffle(members)
        if rng.random() < 0.1:
            members.append(rng.choice(members))
        comma = rng.choice([",", ",", ",", ", "])
        body = ("{" + comma.join(f'"{name}":{text}' for name, text in members) + "}").encode()
        document = parse(body)
        canonical = encode(msgspec.json.decode(document["state"]))
        read = decoded(body, document)
        try:
            demand_unique(body)
            fine = True
        except Problem:
            fine = False
        if fine:
            demand_unique(body, document, read, canonical)
        else:
            with pytest.raises(Problem):
                demand_unique(body, document, read, canonical)
        quick = _as_written(body, document, read, canonical)
        assert fine or not quick
        short, refused = short + quick, refused + (not fine)
    assert short > 200
    assert refused > 200
