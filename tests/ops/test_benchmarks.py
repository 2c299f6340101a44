"""`make bench` measures what it says it measures. What it finds is no matter of a test: the machine is not alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks import __main__ as bench
from benchmarks import sessions
from benchmarks.games import play
from benchmarks.inprocess import PROMISES, looks_ahead
from benchmarks.server import WORKERS, running
from service.engine.table import Table


@pytest.fixture(scope="module")
def game():
    return play(1, 4)


def test_echo_and_adjudication_are_measured_over_http(game):
    bodies = [ply.body() for ply in game.middle(8)]
    with running() as server:
        assert len(server.workers()) == WORKERS
        rounds = bench.measure(server, bodies, rounds=1, seconds=0.5)
        resident = server.resident()
    assert len(resident) == WORKERS
    lines = {line.what: line for line in bench.http_lines(rounds, resident)}
    assert all(line.value >= 0 for line in lines.values())
    ratio = lines["adjudication / raw Flask echo of the same bytes, requests a second"]
    assert (ratio.least, 0 < ratio.value < 1) == (0.3, True)
    assert rounds[0].judged.count > 50


@pytest.mark.parametrize(("name", "least"), [("simurgh", 0.3), ("root", 0.25)])
def test_the_other_games_are_measured_over_http(name, least):
    with running() as server:
        rounds = bench.measure_game(server, play(1, 3, name), rounds=1, seconds=0.3)
    ratio, by_cpu = bench.other_lines(name, rounds)
    assert (ratio.least, 0 < ratio.value < 1) == (least, True)
    assert by_cpu.value > 0
    assert rounds[0].judged.count > 20


def test_sessions_are_measured_beside_what_they_are_compared_with(game):
    plies = game.middle(4)
    with running() as server:
        rounds = sessions.measure(server, plies, rounds=1, seconds=0.3, each=40)
        weight = sessions.weight(server, plies[0])
    lines = {line.what: line for line in bench.session_lines(rounds, weight)}
    assert all(line.value > 0 for line in lines.values())
    assert lines["an idle session in the store"].held
    assert lines["GET with 304 / Flask hello"].least == 0.45
    assert rounds[0].acted.count == rounds[0].judged.count == 40
    for measured in (rounds[0].hello, rounds[0].unchanged):
        assert 0.2 < measured.seconds < 0.6, "the slices together take the time that was given"
        assert measured.count > sessions.SLICES
        assert measured.latencies == sorted(measured.latencies)


@pytest.mark.parametrize("name", PROMISES)
def test_the_engine_is_measured_with_every_game_that_promises_something(name):
    game = play(1, 4, name)
    short = replace(game, plies=game.plies[:120])
    lines = {line.what: line for line in bench.engine_lines([short])}
    played = {ply.kind for ply in short.plies} & {*PROMISES[name].frequent}
    assert len(played) > 2
    for kind in played:
        assert lines[f"judgement of {kind}"].most == PROMISES[name].judgement
    assert lines["largest state of all games played here"].held
    assert all(line.value > 0 for line in lines.values())


def test_judgements_that_look_ahead_are_told_apart():
    game = play(1, 4, "simurgh")
    ahead = [p for p in game.plies if looks_ahead(Table(game.rules, p.state, game.draws), p.action)]
    assert {p.kind for p in ahead} <= {
        "place-vassal",
        "place-tile",
        "replace-tile",
        "use-ability",
        "fetch-tile",
        "choose-one",  # what the Scouts give before the tile
    }
    assert any(p.action.get("space") == "scouts-quarter" for p in ahead)
    assert len(ahead) < len(game.plies) / 2


def test_every_step_of_a_request_is_met(game, monkeypatch):
    from service.http import logs

    monkeypatch.setattr(logs.STDOUT, "number", logs.STDOUT.number)
    lines = bench.step_lines([game.middle(1)[0].body()])
    assert all(line.value > 0 for line in lines), [line.what for line in lines if not line.value]


@pytest.mark.parametrize(
    ("least", "most", "held"), [(None, None, None), (1, None, True), (3, None, False), (None, 3, True)]
)
def test_a_line_says_whether_its_target_holds(least, most, held):
    line = bench.Line("something", 2.0, "us", least, most)
    assert line.held is held
    assert ("holds" in str(line), "MISSED" in str(line)) == (held is True, held is False)


def test_turns_that_are_played_by_themselves_are_measured():
    game = play(1, len(bench.MECHANICAL), "root", choices=bench.MECHANICAL)
    turns, longest = bench.itself_lines([game])
    assert (turns.most, 0 < turns.value <= longest.value) == (3_000, True)
    assert {ply.action["actor"] for ply in game.plies} == {"bob", "cyd", "dan"}, (
        "nobody acts for the first seat"
    )
