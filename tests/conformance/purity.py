"""Law 4, purity: same input, same bytes, in every process; what is refused changes nothing.

`python -m tests.conformance.purity` reads jobs from standard input and prints the digest of each answer: the
other process that the law asks.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from service.engine.domain import Open
from service.engine.flow import decisions
from service.engine.judge import judge
from service.engine.options import Option, options
from service.engine.problems import problems
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, State, encode
from service.engine.table import Table
from service.engine.view import view
from tests.conformance.subjects import TOUCHED, Breach, Spot, Walk, draws_of, located
from tests.conformance.twin import outside

ROOT = Path(__file__).parents[2]
Json = Any


def answers(rules: Ruleset, state: State[Any, Any], actions: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Everything the engine says about a state and these actions, as plain JSON, with texts."""
    t = Table(rules, state)
    seats = [*t.seats, None]
    listed = [o.to_wire() for o in options(t)]
    said: list[Json] = [
        {"views": [view(state, s) for s in seats]},
        {"decisions": [d.to_wire() for d in decisions(t)]},
        {"options": listed, "texts": [rules.words.option(o, {}, "cs") for o in listed]},
        {"problems": [p.message for p in problems(rules, state)]},
    ]
    return said + [judged(rules, state, action) for action in actions]


def judged(rules: Ruleset, state: State[Any, Any], action: Mapping[str, Any]) -> Json:
    """One judgement, as plain JSON."""
    j = judge(rules, state, action, draws_of(1), explain=True)
    return {
        "action": action,
        "violations": [[v.reason, v.rule, list(v.about), dict(v.facts)] for v in j.violations],
        "messages": [rules.words.message(v, rules.book, "en") for v in j.violations],
        "checks": [c.to_wire() for c in j.checks],
        "state": None if j.state is None else json.loads(encode(j.state)),
        "events": [[e.to_wire(), *(e.seen_by(s.id) for s in state.seats), e.seen_by(None)] for e in j.events],
        "played": [[p.action, p.seen_by(None)] for p in j.played],
        "decisions": [d.to_wire() for d in j.decisions],
    }


def probes_of(rules: Ruleset, state: State[Any, Any], rng: random.Random, n: int) -> list[dict[str, Any]]:
    """Legal actions, and others that are refused."""
    found = list(options(Table(rules, state)))
    legal = [o.filled() for o in found]
    seats = [s.id for s in state.seats]
    bent = [{**a, "actor": rng.choice([*seats, CHANCE])} for a in legal]
    bent += [bad for o in rng.sample(found, min(n, len(found))) for bad in _spoiled(o, rng)]
    odd = [{"kind": k, "actor": rng.choice(seats)} for k in rng.sample(sorted(rules.kinds), 3)]
    return [*rng.sample(legal, min(n, len(legal))), *rng.sample(bent, min(n, len(bent))), *odd]


def _spoiled(option: Option, rng: random.Random) -> Iterator[dict[str, Any]]:
    """The option with one parameter that may well be refused."""
    for name, domain in option.act.params.items():
        if isinstance(domain, Open):
            values = outside(domain, option.open[name], option.act.__dict__[name])
        else:
            values = list(getattr(domain, "vocabulary", None) or [None])
        for value in rng.sample(values, min(3, len(values))):
            yield {**option.filled(), name: value}


def law_untouched(walks: Sequence[Walk]) -> list[Breach]:
    """Along these games no question and no judgement changed the state it was about."""
    return [Breach("purity", w.where, w.error) for w in walks if w.error is not None and TOUCHED in w.error]


def law_purity(
    rules: Ruleset, spots: Sequence[Spot], rng: random.Random, probes: int = 3, other: str | None = None
) -> list[Breach]:
    """Asking changes nothing, order of keys means nothing; `other`: where another process finds the rules."""
    found: list[Breach] = []
    jobs: list[dict[str, Json]] = []
    said: list[list[Json]] = []
    for spot in spots:
        try:
            before = encode(spot.state)
            actions = probes_of(rules, spot.state, rng, probes)
            mine = answers(rules, spot.state, actions)
            if encode(spot.state) != before:
                found += _culprits(rules, spot, before, actions)
                continue
            found += _reordered(rules, spot, before, actions, mine)
        except Exception as fault:
            found.append(Breach("purity", spot.where, f"{type(fault).__name__}: {fault}"))
            continue
        jobs.append({"where": spot.where, "state": before.decode(), "actions": actions})
        said.append(mine)
    if other is not None:
        for salt in ("1", "4711"):
            found += _elsewhere(other, jobs, said, salt)
    return found


def _culprits(
    rules: Ruleset, spot: Spot, before: bytes, actions: Sequence[Mapping[str, Any]]
) -> list[Breach]:
    for action in actions:
        state = rules.decode(before)
        j = judge(rules, state, action, draws_of(1))
        if encode(state) != before:
            verdict = "a legal" if j.legal else "a refused"
            return [Breach("purity", spot.where, f"judging {verdict} action changes the state given", action)]
    return [Breach("purity", spot.where, "looking at the state changes it")]


def _reordered(
    rules: Ruleset, spot: Spot, before: bytes, actions: Sequence[Mapping[str, Any]], mine: list[Json]
) -> list[Breach]:
    """The same document with its keys in another order is the same state."""
    for how, data in {"sorted": before, "reversed": reversed_keys(before)}.items():
        twin = rules.decode(data)
        for a, b in zip(mine, answers(rules, twin, actions), strict=True):
            if encode(a) != encode(b):
                why = f"with keys {how} the answer differs: {_first_difference(a, b)}"
                return [Breach("purity", spot.where, why, a.get("action"))]
    return []


def reversed_keys(data: bytes) -> bytes:
    """The same JSON with the keys of every object in reverse order, those that tag a type first."""

    def turned(value: Json) -> Json:
        if isinstance(value, dict):
            return {k: turned(value[k]) for k in sorted(value, reverse=True)}
        return [turned(v) for v in value] if isinstance(value, list) else value

    return json.dumps(turned(json.loads(data)), ensure_ascii=False).encode()


def _elsewhere(other: str, jobs: list[dict[str, Json]], said: list[list[Json]], salt: str) -> list[Breach]:
    lines = "\n".join(json.dumps(job) for job in jobs)
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.purity", other],
        input=lines.encode(),
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    digests = done.stdout.decode().splitlines()
    if done.returncode or len(digests) != len(jobs):
        return [Breach("purity", other, f"another process failed: {done.stderr.decode()[-400:]}")]
    found = []
    for job, mine, theirs in zip(jobs, said, digests, strict=True):
        for answer, digest in zip(mine, json.loads(theirs), strict=True):
            if digest_of(answer) != digest:
                why = f"with PYTHONHASHSEED={salt} another process answers otherwise: {str(answer)[:400]}"
                found.append(Breach("purity", job["where"], why, answer.get("action")))
    return found


def digest_of(answer: Json) -> str:
    """A digest of an answer."""
    return hashlib.sha256(encode(answer)).hexdigest()


def _first_difference(a: Json, b: Json) -> str:
    from tests.conformance.secrets import _difference

    return _difference(json.loads(encode(a)), json.loads(encode(b)))


def main() -> None:
    """Answer jobs, one JSON a line."""
    rules = located(sys.argv[1])
    for line in sys.stdin:
        job = json.loads(line)
        said = answers(rules, rules.decode(job["state"]), job["actions"])
        print(json.dumps([digest_of(answer) for answer in said]))


if __name__ == "__main__":
    main()
