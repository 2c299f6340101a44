"""Same input, same bytes: in another process, with another hash seed, and whatever the order of keys in the input."""

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from service.engine.judge import judge
from service.engine.options import options
from service.engine.problems import problems
from service.engine.state import encode
from service.engine.table import Table
from service.engine.view import view
from tests.engine.toys import TOYS, states

ROOT = Path(__file__).parents[2]


def everything(game):
    """All that the engine answers about the states of one game, as bytes."""
    rules, said = TOYS[game], []
    for state in states(game):
        listed = [o.to_wire() for o in options(Table(rules, state))] if game != "maze" else []
        judgements = [judge(rules, state, o) for o in listed if "open" not in o]
        said.append(encode(state))
        said.append(encode([listed, [view(state, seat) for seat in ("ann", "bob", None)]]))
        for j in judgements:
            events = [[e.to_wire(), e.seen_by(None)] for e in j.events]
            said.append(encode([j.state, events, [p.action for p in j.played]]))
    return b"\n".join(said)


def digests():
    return {game: hashlib.sha256(everything(game)).hexdigest() for game in sorted(TOYS)}


@pytest.mark.parametrize("seed", ["1", "77"])
def test_another_process_with_another_hash_seed_says_the_same(seed):
    code = "import json; from tests.engine.test_same import digests; print(json.dumps(digests()))"
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == digests()


def shuffled(value, rng):
    """The same JSON with the keys of its objects in another order."""
    if isinstance(value, list):
        return [shuffled(v, rng) for v in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    rng.shuffle(keys)
    return {k: shuffled(value[k], rng) for k in keys}


@pytest.mark.parametrize("game", sorted(TOYS))
def test_a_state_with_its_keys_in_another_order_is_the_same_state(game):
    rules, rng = TOYS[game], random.Random(1)
    for state in states(game)[::3]:
        other = rules.decode(json.dumps(shuffled(json.loads(encode(state)), rng)))
        assert problems(rules, other) == []
        assert encode(other) == encode(state)
        assert encode([view(other, s) for s in ("ann", None)]) == encode(
            [view(state, s) for s in ("ann", None)]
        )
        if game != "maze":
            ours, theirs = ([o.to_wire() for o in options(Table(rules, s))] for s in (state, other))
            assert encode(ours) == encode(theirs)
            for option in ours:
                if "open" not in option:
                    assert encode(judge(rules, other, option).state) == encode(
                        judge(rules, state, option).state
                    )
