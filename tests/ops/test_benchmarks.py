"""`make bench` measures what it says it measures. What it finds is no matter of a test: the machine is not alone."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from benchmarks import __main__ as bench
from benchmarks import batch, charts, growth, long, memory, profile, sessions, trust
from benchmarks.games import play
from benchmarks.hard import hard
from benchmarks.inprocess import PROMISES, looks_ahead
from benchmarks.peers import __main__ as peers
from benchmarks.server import WORKERS, Server, running
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
    assert lines[bench.LISTED].most == 10
    quieter = lines.pop("CPU time of the quieter worker / of the busier one")
    assert quieter.value >= 0, "in so short a time one of them may have had nothing to do"
    assert all(line.value > 0 for line in lines.values())
    for measured in (rounds[0].echo, rounds[0].sealed, rounds[0].plain, rounds[0].token):
        assert measured.count > 0


def test_batches_are_measured_beside_single_calls(game, server, monkeypatch):
    monkeypatch.setattr(
        batch, "CONNECTIONS", 1
    )  # so that one comes to its end in time, on a slow machine too
    rounds = batch.measure(server, game, game.middle(8), connections=8, rounds=1, seconds=2)
    lines = {line.what.partition(",")[0].strip(): line for line in bench.batch_lines("zavandor", rounds)}
    assert lines["judgements in batches of 100 / in single calls"].least == 1.5
    assert all(line.value > 0 for line in lines.values())
    assert rounds[0].rate("own") == rounds[0].own.rate * 100


def test_one_request_is_taken_apart(monkeypatch, capsys):
    from service.http import logs

    monkeypatch.setattr(logs.STDOUT, "number", logs.STDOUT.number)
    for name in ("ARBITR_KEYS", "ARBITR_RATE", "ARBITR_REDIS_URL"):
        monkeypatch.setenv(name, "")  # and back to what they were
    monkeypatch.setattr(profile, "MOST", 2)
    monkeypatch.setattr(profile, "TIMES", 1)
    monkeypatch.setattr(profile, "SESSION_TIMES", 1)
    profile.main(["simurgh"])
    sealed, acted = capsys.readouterr().out.split("  action in a session")
    for told, parts in ((sealed, profile.PARTS), (acted, profile.ACTING)):
        for part in (profile.AROUND, *parts.values()):
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


@pytest.fixture(scope="module")
def desk():
    with growth.desk() as desk:
        yield desk


@pytest.fixture(scope="module")
def points(desk, game):
    return growth.points(desk, replace(game, plies=game.plies[:60]), every=5)


def test_growth_is_measured_by_length_seats_and_size(points, game):
    assert [p.progress for p in points] == [n / 59 for n in range(0, 60, 5)]
    for p in points:
        assert (p.seats, p.listed > 0, p.size > 1_000) == (4, True, True)
        assert min(p.judgement, p.options, p.encode, p.commit) > 0
        assert p.commit > p.judgement, "an action of a session is judged, and kept"
    made = growth.curves(points)
    assert made.keys() == {"length", "seats", "size"}
    assert [x for x, _ in made["seats"]["judgement"]] == [4]
    sizes = [x for x, _ in made["size"]["encode"]]
    assert (len(sizes), sizes) == (growth.PARTS, sorted(sizes))


def test_a_curve_has_medians_and_lists_are_taken_by_their_length():
    def point(seats, judgement, listed, options):
        return growth.Point(seats, 0.0, 1_024, listed, judgement, options, 1.0, 1.0)

    found = [point(3, 9.0, 1, 10.0), point(2, 1.0, 1, 10.0), point(2, 2.0, 4, 20.0), point(2, 60.0, 5, 70.0)]
    assert growth.curve(found, lambda p: p.seats, "judgement") == [(2, 2.0), (3, 9.0)]
    assert growth.curve(found, lambda p: p.seats, "options") == [(2, 10.0), (3, 10.0)]


@pytest.fixture(scope="module")
def versions(desk, game):
    table = long.Table(desk, game)
    assert table.reverse is not None, "a gem is put away and back"
    return [table.measured(version) for version in (1, 100)]


def test_a_session_that_grows_is_measured_beside_fresh_ones(versions):
    assert [v.version for v in versions] == [1, 193], "from where a page begins"
    for v in versions:
        assert min(v.action, v.action_beside, v.back, v.back_beside, v.page) > 0
        assert v.commands > 5, "those of scripts are counted"
        assert v.carried > 1_000


def test_what_grows_too_fast_is_told(points, versions):
    found = {line.what: line for line in growth.lines("zavandor", growth.curves(points), versions)}
    assert found["Zavandor, commands of an action at version 193 / at 1"].value == 1
    slow = replace(versions[1], action_beside=2.0)
    told = growth.lines("zavandor", growth.curves(points), [versions[0], slow])
    line = next(line for line in told if "action at version 193 / in a fresh" in line.what)
    assert (line.value, line.held) == (2, False)


def test_what_was_measured_is_drawn(points, versions, tmp_path):
    pytest.importorskip("leather")
    curves = growth.curves(points)
    charts.draw({"zavandor": {**curves, "versions": [vars(v) for v in versions]}}, tmp_path / "growth.svg")
    drawn = (tmp_path / "growth.svg").read_text()
    assert drawn.count("<path") == 12, "three things that grow, four costs"


def test_the_kept_chart_is_of_the_kept_figures(tmp_path):
    pytest.importorskip("leather")
    charts.draw(json.loads(growth.JSON.read_text()), tmp_path / "growth.svg")
    assert (tmp_path / "growth.svg").read_text() == growth.SVG.read_text()


def test_memory_is_what_the_kernel_says():
    found = memory.held(os.getpid(), "this")
    assert 0 < found.own <= found.share <= found.resident
    assert found.resident > 20


def test_idle_sessions_are_weighed(desk, game):
    kept = memory.idle(desk, [game], 20)
    assert kept.sessions == 20
    assert 1_000 < kept.session < 6_000
    assert kept.log < 3_000, "a log of one version sets little aside"
    assert kept.session + kept.log < kept.each * 1.2


def test_the_processes_of_the_service_are_found_by_what_they_are():
    with memory.served() as (serve, port):
        memory.used(Server(port, serve, ""), play(1, 2))
        found = [what for _, what in memory.processes(serve)]
    assert sorted(found) == [
        "arbitr serve",
        "service: master",
        *["service: worker"] * 2,
        "store",
        "streams: master",
        "streams: worker",
    ]


def test_peers_are_not_needed_and_arbitr_is_measured_three_ways_beside_them(
    server, game, monkeypatch, tmp_path
):
    monkeypatch.setattr(peers, "PYTHON", tmp_path / "none")
    monkeypatch.setattr(peers.shutil, "which", lambda name: None)
    monkeypatch.setattr(peers, "ITEMS", 5)
    monkeypatch.setattr(peers, "BATCHES", 1)
    assert peers.peers() == {}
    found = dict(peers.arbitr(server, [game], 1))
    assert [*found] == [
        f"Arbitr, Zavandor, {way}" for way in ("in process", "stateless HTTP", "batches of 5")
    ]
    assert all(told["rate"] > 0 and told["bytes"] > 1_000 for told in found.values())
