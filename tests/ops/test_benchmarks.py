"""`make bench` measures what it says it measures. What it finds is no matter of a test: the machine is not alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks import __main__ as bench
from benchmarks import batch, profile, sessions, trust
from benchmarks.games import play
from benchmarks.hard import hard
from benchmarks.inprocess import PROMISES, looks_ahead
from benchmarks.server import WORKERS, running
from service.engine.judge import judge
from service.engine.problems import problems
from service.engine.table import Table


@pytest.fixture(scope="module")
def game():
    return play(1, 4)


@pytest.fixture(scope="module")
def server():
    """One for all: nobody stops it or looks at what others did to it."""
    with running() as server:
        yield server


def test_echo_and_adjudication_are_measured_over_http(game, server):
    bodies = [ply.body() for ply in game.middle(8)]
    assert len(server.workers()) == WORKERS
    rounds = bench.measure(server, bodies, rounds=1, seconds=0.5)
    resident = server.resident()
    assert len(resident) == WORKERS
    lines = {line.what: line for line in bench.http_lines(rounds, resident)}
    assert all(line.value >= 0 for line in lines.values())
    ratio = lines["adjudication / raw Flask echo of the same bytes, requests a second"]
    by_cpu = lines["  the same by CPU time of the workers"]  # whatever else the machine does
    assert (ratio.least, ratio.value > 0, 0 < by_cpu.value < 1) == (0.3, True, True)
    assert rounds[0].judged.count > 0


@pytest.mark.parametrize(("name", "least"), [("simurgh", 0.3), ("root", 0.25)])
def test_the_other_games_are_measured_over_http(name, least, server):
    rounds = bench.measure_game(server, play(1, 3, name), rounds=1, seconds=0.3)
    ratio, by_cpu = bench.other_lines(name, rounds)
    assert (ratio.least, ratio.value > 0, 0 < by_cpu.value < 1) == (least, True, True)
    assert rounds[0].judged.count > 0


@pytest.mark.parametrize(("name", "least"), [("zavandor", 0.55), ("simurgh", 0.55), ("root", 0.45)])
def test_seals_and_tokens_are_measured_beside_what_they_are_compared_with(name, least, server):
    game = play(1, 3, name)
    rounds = trust.measure(server, game, game.middle(8), connections=8, rounds=1, seconds=0.3)
    lines = {line.what.partition(",")[0]: line for line in bench.trust_lines(name, rounds)}
    targets = {what: line.least for what, line in lines.items() if line.least is not None}
    assert targets == {
        "sealed adjudication / echo of the same bytes": least,
        "sealed / unsealed adjudication": 1,
        "adjudication by token / sealed": 0.75,
        "CPU time of the quieter worker / of the busier one": 0.5,
    }
    assert lines["sealed adjudication"].most == 4, "p99 / p50"
    assert all(line.value > 0 for line in lines.values())
    for measured in (rounds[0].echo, rounds[0].sealed, rounds[0].plain, rounds[0].token):
        assert measured.count > 0


def test_batches_are_measured_beside_single_calls(game, server):
    rounds = batch.measure(server, game, game.middle(8), connections=8, rounds=1, seconds=0.5)
    lines = {line.what.partition(",")[0].strip(): line for line in bench.batch_lines("zavandor", rounds)}
    assert lines["judgements in batches of 100 / in single calls"].least == 1.5
    assert all(line.value > 0 for line in lines.values())
    assert rounds[0].rate("own") == rounds[0].own.rate * 100


def test_one_request_is_taken_apart(monkeypatch, capsys):
    from service.http import logs

    monkeypatch.setattr(logs.STDOUT, "number", logs.STDOUT.number)
    for name in ("ARBITR_KEYS", "ARBITR_RATE"):
        monkeypatch.setenv(name, "")  # and back to what they were
    monkeypatch.setattr(profile, "MOST", 2)
    monkeypatch.setattr(profile, "TIMES", 1)
    profile.main(["simurgh"])
    told = capsys.readouterr().out
    for part in (profile.AROUND, *profile.PARTS.values()):
        line = next(line for line in told.splitlines() if line.strip().startswith(part))
        assert int(line.split()[-1]) > 0, line


def test_sessions_are_measured_beside_what_they_are_compared_with(game, server):
    plies = game.middle(4)
    rounds = sessions.measure(server, plies, rounds=1, seconds=0.3, each=40)
    weight = sessions.weight(server, plies[0])
    lines = {line.what: line for line in bench.session_lines(rounds, weight)}
    assert all(line.value > 0 for line in lines.values())
    assert lines["an idle session in the store"].held
    assert lines["GET with 304 / Flask hello"].least == 0.45
    assert next(line for line in lines.values() if line.what.startswith("session action / adj")).least == 0.5
    assert rounds[0].acted.count == rounds[0].judged.count == 40
    for measured in (rounds[0].hello, rounds[0].unchanged):
        assert 0.2 < measured.seconds < 0.3 * sessions.SLICES / 2, "the slices together take that, not each"
        assert measured.count >= sessions.SLICES
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
    assert lines["option list / judgement, medians of all of the game"].most == 10
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


@pytest.mark.parametrize("x", hard(), ids=lambda x: x.what)
def test_the_hard_positions_can_exist_and_are_answered_as_they_say(x):
    assert problems(x.rules, x.state) == []
    assert looks_ahead(Table(x.rules, x.state), x.action)
    told = judge(x.rules, x.state, x.action)
    assert told.legal == x.legal
    refused = {v.rule: "looked_at" in v.facts for v in told.violations}
    assert refused == ({} if x.legal else {"SIM-SCOUT-6": "to the end of the search" in x.what})


def test_hard_positions_are_measured_beside_a_placed_vassal():
    lines = bench.hard_lines(play(1, 4, "simurgh", {"variant": "dragonlord"}))
    assert len(lines) == 2 * len(hard())
    assert {line.most for line in lines} == {20_000, 200}
    assert all(line.value > 0 for line in lines)
    by_itself, beside = lines[:2]
    assert by_itself.value / beside.value == pytest.approx(lines[2].value / lines[3].value), "one yardstick"
