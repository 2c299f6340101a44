"""`arbitr battery`: it holds for what we serve, and it finds every kind of lie."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from flask import Flask, Response
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request

from service.app import create_app
from service.cli import main
from service.engine.registry import Registry
from tests.http import toy
from tests.http.conftest import settings

Lie = Callable[[str, Any, Any], Any]
LAWS = ("twin", "purity", "refusals", "round trip", "conservation", "corruption", "ends", "records", "texts")


def honest(call: str, asked: Any, answer: Any) -> Any:
    """Answers pass as they are."""
    return answer


def lying(app: Any, lie: Lie) -> Any:
    """The application, with a hand on what it answers to whom."""

    @Request.application
    def between(request: Request) -> Response:
        body = request.get_data()
        client = app.test_client()
        answer = client.open(request.path, method=request.method, data=body, headers=list(request.headers))
        call = request.path.rpartition("/")[2]
        try:
            told = lie(call, json.loads(body) if body else None, answer.json)
        except (AttributeError, IndexError, KeyError, TypeError):
            told = answer.json
        if told is None:
            return Response(answer.data, answer.status_code, mimetype=answer.mimetype)
        status = told.pop("_status", answer.status_code) if isinstance(told, dict) else answer.status_code
        return Response(json.dumps(told), status, mimetype=answer.mimetype)

    return between


class Quiet(WSGIRequestHandler):
    """Logs nothing, and keeps connections."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        pass


@contextmanager
def served(app: Any) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@cache
def toys() -> Flask:
    registry = Registry()
    registry.add(toy.make())
    return create_app(settings(ARBITR_RATE="0"), registry)


def broken(said: str) -> set[str]:
    """The laws that the printed report calls broken."""
    return {
        law for law in LAWS for line in said.splitlines() if line.strip().startswith(law) and "BROKEN" in line
    }


def test_every_law_holds_for_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    with served(create_app(settings(ARBITR_RATE="0"))) as url:
        code = main(["battery", "--url", url, "--games", "2"])
    said = capsys.readouterr().out
    assert code == 0, said
    for law in LAWS:
        line = next(line for line in said.splitlines() if line.strip().startswith(law))
        assert "holds" in line
        assert int(line.split("checks")[0].split()[-1].replace(",", "")) >= (
            10 if law == "records" else 20
        ), line
    assert said.splitlines()[-1].startswith("every law holds")


def test_the_same_seed_plays_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for _ in range(2):
        with served(toys()) as url:
            assert main(["battery", "--url", url, "--games", "2", "--seed", "7"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "toy: 2 games" in said[0]


# -- lies ---------------------------------------------------------------------------------------------------------


def hides_an_option(call: str, asked: Any, answer: Any) -> Any:
    if call == "options" and len(answer["options"]) > 1:
        answer["options"].pop()
    return answer


def lists_what_is_none(call: str, asked: Any, answer: Any) -> Any:
    if call == "options" and answer["options"]:
        answer["options"].append(
            {"kind": "play", "actor": "ann", "card": "plum", "points": 1, "text": "Play."}
        )
    return answer


def describes_too_much(call: str, asked: Any, answer: Any) -> Any:
    if call == "options":
        for option in answer["options"]:
            for shown in option.get("open", {}).values():
                shown["most"] = shown["most"] + 1
    return answer


def counts_its_answers() -> Lie:
    counted = [0]

    def lie(call: str, asked: Any, answer: Any) -> Any:
        if call == "views":
            counted[0] += 1
            answer["view"]["answers"] = counted[0]
        return answer

    return lie


def changes_what_it_refuses(call: str, asked: Any, answer: Any) -> Any:
    if answer.get("verdict") == "illegal":
        answer["state"] = asked["state"]
    return answer


def loses_on_the_wire(call: str, asked: Any, answer: Any) -> Any:
    if call == "adjudications" and "actions" not in asked and "state" in answer:
        answer["state"]["turn"] += 1
    return answer


def sees_problems(call: str, asked: Any, answer: Any) -> Any:
    if call == "problems" and asked["state"]["turn"] > 2:
        answer["problems"] = [{"pointer": "/turn", "message": "Too late."}]
    return answer


def sees_no_problems(call: str, asked: Any, answer: Any) -> Any:
    return {"problems": [], "_status": 200} if call == "problems" else answer


def judges_what_cannot_be(call: str, asked: Any, answer: Any) -> Any:
    if call == "adjudications" and answer.get("status") == 422:
        return {"verdict": "illegal", "violations": [], "_status": 200}
    return answer


def forgets_a_seat(call: str, asked: Any, answer: Any) -> Any:
    if answer.get("outcome"):
        answer["outcome"]["standings"].pop()
    return answer


def gets_stuck(call: str, asked: Any, answer: Any) -> Any:
    if call == "options" and asked["state"]["turn"] == 4:
        answer["options"] = []
    return answer


def loses_a_draw(call: str, asked: Any, answer: Any) -> Any:
    if call == "adjudications":
        answer["played"] = [a for a in answer["played"] if a["actor"] != "chance"]
    return answer


def believes_every_record(call: str, asked: Any, answer: Any) -> Any:
    if call == "verifications":
        return {"verdict": "valid", "draws": "match", "digest": asked["record"]["digest"], "outcome": None}
    return answer


def tells_another_seed(call: str, asked: Any, answer: Any) -> Any:
    if "seed" in answer.get("chance", {}):
        answer["chance"]["seed"] = "00" * 32
    return answer


def cites_nothing(call: str, asked: Any, answer: Any) -> Any:
    for violation in answer.get("violations", ()):
        violation["rule"] = "TOY-99"
    return answer


def says_nothing(call: str, asked: Any, answer: Any) -> Any:
    for event in answer.get("events", ()):
        event["text"] = "{what} moved."
    return answer


def speaks_another_language(call: str, asked: Any, answer: Any) -> Any:
    return {"answer": answer} if call == "adjudications" and answer.get("verdict") == "illegal" else answer


@pytest.mark.parametrize(
    ("lie", "law"),
    [
        (hides_an_option, "twin"),
        (lists_what_is_none, "twin"),
        (describes_too_much, "twin"),
        (counts_its_answers(), "purity"),
        (changes_what_it_refuses, "refusals"),
        (loses_on_the_wire, "round trip"),
        (sees_problems, "conservation"),
        (sees_no_problems, "corruption"),
        (judges_what_cannot_be, "corruption"),
        (forgets_a_seat, "ends"),
        (gets_stuck, "ends"),
        (loses_a_draw, "records"),
        (believes_every_record, "records"),
        (tells_another_seed, "records"),
        (cites_nothing, "texts"),
        (says_nothing, "texts"),
        (speaks_another_language, "refusals"),
    ],
)
def test_a_service_that_lies_is_found_out(lie: Lie, law: str, capsys: pytest.CaptureFixture[str]) -> None:
    with served(lying(toys(), lie)) as url:
        code = main(["battery", "--url", url, "--games", "2"])
    said = capsys.readouterr().out
    assert code == 1, said
    assert law in broken(said), said
    assert said.splitlines()[-1].startswith("broken:")


def test_the_hand_in_between_is_not_what_breaks_them(capsys: pytest.CaptureFixture[str]) -> None:
    with served(lying(toys(), honest)) as url:
        assert main(["battery", "--url", url, "--games", "2"]) == 0, capsys.readouterr().out


# -- wrong usage --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--url", "somewhere"], "--url takes the address of a service"),
        (["--url", "ftp://127.0.0.1"], "--url takes the address of a service"),
        (["--url", "http://127.0.0.1:70000"], "has no port that there is"),
        (["--url", "http://127.0.0.1:9"], "does not answer"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battery", *arguments]) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert len(said.err.splitlines()) == 1
    assert said.out == ""


@pytest.mark.parametrize("arguments", [[], ["--url", "http://127.0.0.1:9", "--games", "0"]])
def test_wrong_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["battery", *arguments])
    assert ended.value.code == 2
    capsys.readouterr()


def test_what_is_no_arbitr_and_a_game_that_is_not_there_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with served(Flask("another")) as url:
        assert main(["battery", "--url", url]) == 2
        assert "is no Arbitr" in capsys.readouterr().err
    with served(toys()) as url:
        assert main(["battery", "--url", url, "--game", "chess"]) == 2
        assert "there is: toy" in capsys.readouterr().err
