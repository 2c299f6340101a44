"""The laws. Each counts what it looked at and tells every breach."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from service.battery.corruption import STRANGER, corruptions
from service.battery.games import CHANCE, Games, Played, Spot, closed, filled, spots_of
from service.battery.retold import records
from service.battery.wire import Json

UNHEARD = "no-such-thing"
LANGUAGES = ("en", "cs")
LISTED = 25  # options of one spot that are tried
NEIGHBOURS = 40  # actions beside them, and as many from elsewhere


@dataclass
class Report:
    """What a law has looked at, and where it does not hold."""

    law: str
    checks: int = 0
    breaches: list[str] = field(default_factory=list)

    def check(self, held: bool, where: str, why: str) -> bool:
        """Count a check; a breach is remembered."""
        self.checks += 1
        if not held:
            self.breaches.append(f"{where}: {why}")
        return held

    def __str__(self) -> str:
        verdict = "holds" if not self.breaches else f"BROKEN {len(self.breaches)} times"
        return f"{self.law:<13} {self.checks:>7,} checks  {verdict}"


@dataclass
class Subject:
    """A game of a service, games that were played of it, and the spots of them that are looked at."""

    games: Games
    played: Sequence[Played]
    spots: Sequence[Spot]
    rng: random.Random

    def judged(self, state: Json, action: Json) -> Json:
        """A judgement; `{"verdict": "refused"}` where the body itself is refused."""
        found = self.games.call("adjudications", {"state": state, "action": action})
        return found if found is not None else {"verdict": "refused"}


Law = Callable[[Subject, Report], None]


# -- twin: what is listed and what is judged legal are the same --------------------------------------------------


def twin(s: Subject, report: Report) -> None:
    """Every option is legal with its examples; every legal neighbour of an option is listed."""
    seen = _values(s.spots)
    for spot in s.spots:
        listed = {_key(closed(option)) for option in spot.listed}
        report.check(len(listed) == len(spot.listed), spot.where, "an option is listed twice")
        for option in s.rng.sample(spot.listed, min(LISTED, len(spot.listed))):
            verdict = s.judged(spot.state, filled(option))["verdict"]
            report.check(verdict == "legal", spot.where, f"listed, yet {verdict}: {filled(option)}")
            for name, value, legal in _edges(option):
                verdict = s.judged(spot.state, {**filled(option), name: value})["verdict"]
                report.check(
                    (verdict == "legal") == legal, spot.where, f"{option['open']} and {value}, yet {verdict}"
                )
        neighbours, others = list(_neighbours(spot, seen)), list(_elsewhere(spot, s.spots))
        tried = s.rng.sample(neighbours, min(NEIGHBOURS, len(neighbours)))
        tried += s.rng.sample(others, min(NEIGHBOURS, len(others)))
        for base, action in tried:
            if s.judged(spot.state, action)["verdict"] == "legal":
                report.check(_key(base) in listed, spot.where, f"legal, yet not listed: {action}")
            else:
                report.checks += 1


def _key(base: Json) -> str:
    return json.dumps(base, sort_keys=True)


def _values(spots: Sequence[Spot]) -> dict[tuple[str, str], list[Json]]:
    """Every value that an option of a kind ever had for a closed parameter, and one that nobody ever heard of."""
    found: dict[tuple[str, str], dict[str, Json]] = {}
    for option in (option for spot in spots for option in spot.listed):
        for name, value in closed(option).items():
            if name not in ("kind", "actor"):
                found.setdefault((option["kind"], name), {})[_key(value)] = value
    return {where: [*values.values(), UNHEARD] for where, values in found.items()}


def _neighbours(spot: Spot, seen: Mapping[tuple[str, str], Sequence[Json]]) -> Iterator[tuple[Json, Json]]:
    """What is listed with one thing changed: its closed part, and the whole action."""
    actors = [*(seat["id"] for seat in spot.state["seats"]), CHANCE, STRANGER]
    for option in spot.listed:
        base, action = closed(option), filled(option)
        for actor in actors:
            yield {**base, "actor": actor}, {**action, "actor": actor}
        for name in base.keys() - {"kind", "actor"}:
            for value in seen[option["kind"], name]:
                yield {**base, name: value}, {**action, name: value}


def _elsewhere(spot: Spot, spots: Sequence[Spot]) -> Iterator[tuple[Json, Json]]:
    """What is listed at other spots, proposed here by whoever is asked."""
    found: dict[str, tuple[Json, Json]] = {}
    for option in (option for other in spots for option in other.listed):
        for actor in {entry["actor"]: None for entry in spot.decisions}:
            base = {**closed(option), "actor": actor}
            found.setdefault(_key(base), (base, {**filled(option), "actor": actor}))
    yield from found.values()


def _edges(option: Json) -> Iterator[tuple[str, Json, bool]]:
    """Values of an option's only open amount at and beyond its edges, and whether they are legal."""
    opens = option.get("open", {})
    for name, shown in opens.items():
        if len(opens) == 1 and {"least", "most"} <= shown.keys() and isinstance(shown["example"], int):
            yield name, shown["least"], True
            yield name, shown["most"], True
            yield name, shown["least"] - 1, False
            yield name, shown["most"] + 1, False
            yield name, str(shown["least"]), False


# -- purity: same input, same bytes; what is refused changes nothing --------------------------------------------


def purity(s: Subject, report: Report) -> None:
    """The same question has the same bytes for an answer, over any connection, whatever was asked before."""
    for spot in s.spots:
        for name, asked in _questions(spot):
            path, body = f"{s.games.root}/{name}", json.dumps(asked, ensure_ascii=False).encode()
            first = s.games.client.send(path, body)
            s.games.client.afresh()
            again = s.games.client.send(path, body)
            report.check(first == again, spot.where, f"{name} answers the same question otherwise")
            turned = s.games.client.send(path, json.dumps(_reversed(asked)).encode())
            report.check(
                first == turned, spot.where, f"{name} answers otherwise when the keys stand in another order"
            )


def _questions(spot: Spot) -> Iterator[tuple[str, Json]]:
    yield "options", {"state": spot.state}
    yield "problems", {"state": spot.state}
    yield "adjudications", {"state": spot.state, "action": spot.action}
    yield "adjudications", {"state": spot.state, "action": {**spot.action, "actor": STRANGER}}
    for seat in [None, spot.state["seats"][0]["id"]]:
        yield "views", {"state": spot.state, "seat": seat}


def _reversed(value: Json) -> Json:
    """The same JSON, the keys of every object in reverse order, and escaped where they need not be."""
    if isinstance(value, dict):
        return {k: _reversed(value[k]) for k in sorted(value, reverse=True)}
    return [_reversed(v) for v in value] if isinstance(value, list) else value


def refusals(s: Subject, report: Report) -> None:
    """A refused action says why, gives no state, and leaves what was legal before as it was."""
    for spot in s.spots:
        before = s.games.client.post(f"{s.games.root}/options", {"state": spot.state})
        wrong = {**spot.action, "actor": STRANGER}
        single = s.judged(spot.state, wrong)
        report.check(
            single["verdict"] == "illegal", spot.where, f"a stranger's action is {single['verdict']}"
        )
        line = s.games.call("adjudications", {"state": spot.state, "actions": [spot.action, wrong]}) or {}
        refused = line.get("verdict") == "illegal" and line.get("at") == 1
        report.check(refused, spot.where, "a line of play is not refused at its illegal action")
        for answer in (single, line):
            report.check("state" not in answer, spot.where, "a refusal gives a state")
            report.check(bool(answer.get("violations")), spot.where, "a refusal names no clause")
        after = s.games.client.post(f"{s.games.root}/options", {"state": spot.state})
        report.check(before == after, spot.where, "after a refusal other options are listed")


# -- round trip: a state survives the wire ----------------------------------------------------------------------


def round_trip(s: Subject, report: Report) -> None:
    """Two actions one by one, the state posted back in between, come to where they come in one line of play."""
    for game in s.played:
        for one, two in islice(zip(game.spots, game.spots[1:], strict=False), len(s.spots)):
            asked = {"state": one.state, "actions": [one.action, two.action]}
            line = s.games.call("adjudications", asked) or {}
            report.check(
                two.judgement is not None and line.get("state") == two.judgement.get("state"),
                one.where,
                f"{one.action} and {two.action} come elsewhere one by one",
            )


# -- conservation: what is reached can exist, what is corrupted cannot ------------------------------------------


def conservation(s: Subject, report: Report) -> None:
    """No state that was reached has problems."""
    for game in s.played:
        states = [spot.state for spot in game.spots] + ([game.last] if game.last is not None else [])
        for n, state in enumerate(states):
            found = s.games.call("problems", {"state": state})
            said = found.get("problems") if isinstance(found, Mapping) else "an error"
            report.check(
                said == [], f"{game.where}, ply {n}", f"problems of a state that was reached: {said}"
            )


def corruption(s: Subject, report: Report) -> None:
    """Every planted corruption is found, told with its place, and nothing is judged on it."""
    for spot in s.spots[
        : 2 + len(s.spots) // 10
    ]:  # each has some fifty, and who fails that often is slowed down
        for what, state in corruptions(spot.state):
            answer = s.games.client.post(f"{s.games.root}/problems", {"state": state})
            report.check(_found(answer.status, answer.json), spot.where, f"not found: {what}")
            judged = s.games.client.post(
                f"{s.games.root}/adjudications", {"state": state, "action": spot.action}
            )
            report.check(judged.status in (400, 422), spot.where, f"judged all the same: {what}")


def _found(status: int, answer: Json) -> bool:
    if not isinstance(answer, Mapping) or status not in (200, 400, 422):
        return False
    told = answer.get("errors" if status == 400 else "problems") or []
    return status == 422 or (bool(told) and all(entry["message"] for entry in told))


# -- ends: play ends, and nobody is stuck -----------------------------------------------------------------------


def ends(s: Subject, report: Report) -> None:
    """Every game comes to its end, whoever is asked has an answer, and after the end nothing is legal."""
    for game in s.played:
        report.check(game.stuck is None, game.where, str(game.stuck))
        for spot in game.spots:
            asked = {entry["actor"] for entry in spot.decisions}
            able = {option["actor"] for option in spot.listed}
            report.check(able <= asked, spot.where, f"{able} may act, {asked} are asked")
        if game.stuck is None:
            over = report.check(game.outcome is not None, game.where, f"no end after {len(game.spots)} plies")
            if over:
                _check_end(s, report, game)


def _check_end(s: Subject, report: Report, game: Played) -> None:
    named = sorted(standing["seat"] for standing in game.outcome["standings"])
    report.check(named == sorted(game.seats), game.where, f"the standings name {named}")
    winners = set(game.outcome["winners"])
    report.check(bool(winners) and winners <= set(game.seats), game.where, f"strange winners: {winners}")
    listed = s.games.call("options", {"state": game.last}) or {}
    nothing = listed.get("options") == listed.get("decisions") == []
    report.check(nothing, game.where, "something is legal after the end")
    for spot in game.spots[-5:]:
        verdict = s.judged(game.last, spot.action)["verdict"]
        report.check(verdict == "illegal", game.where, f"after the end {spot.action} is {verdict}")


# -- texts: every clause that is named can be read --------------------------------------------------------------


def texts(s: Subject, report: Report) -> None:
    """Every clause that an answer names is in the rulebook, and every text is there, in both languages."""
    named: dict[str, str] = {}
    for spot in s.spots:
        for language in LANGUAGES:
            for answer in _answers(s, spot, language):
                for clause in _clauses(answer):
                    named.setdefault(clause, spot.where)
                for text in _texts(answer):
                    fine = isinstance(text, str) and bool(text.strip()) and "{" not in text
                    report.check(fine, spot.where, f"a text in {language} is {text!r}")
    for clause, where in named.items():
        for language in LANGUAGES:
            answer = s.games.client.get(f"{s.games.root}/rules/{clause}", language)
            fine = answer.status == 200 and answer.json["id"] == clause and bool(answer.json["text"])
            report.check(fine, where, f"the rulebook has no {clause} in {language}")


def _answers(s: Subject, spot: Spot, language: str) -> Iterator[Json]:
    yield s.games.call("options", {"state": spot.state}, language)
    others = [seat["id"] for seat in spot.state["seats"] if seat["id"] != spot.action["actor"]]
    for action in (spot.action, *({**spot.action, "actor": actor} for actor in others[:1])):
        yield s.games.call("adjudications", {"state": spot.state, "action": action}, language)
    bare = {"kind": spot.action["kind"], "actor": spot.action["actor"]}
    yield s.games.call("adjudications", {"state": spot.state, "action": bare}, language)


def _clauses(answer: Json) -> Iterator[str]:
    for part in ("events", "decisions", "violations"):
        for entry in (answer or {}).get(part) or ():
            yield from (entry[name] for name in ("because", "rule") if name in entry)


def _texts(answer: Json) -> Iterator[Any]:
    for part, name in (("events", "text"), ("options", "text"), ("violations", "message")):
        for entry in (answer or {}).get(part) or ():
            yield entry.get(name)


LAWS: Mapping[str, Law] = {
    "twin": twin,
    "purity": purity,
    "refusals": refusals,
    "round trip": round_trip,
    "conservation": conservation,
    "corruption": corruption,
    "ends": ends,
    "records": records,
    "texts": texts,
}


def hold(s: Subject) -> list[Report]:
    """Every law over one subject. An answer that cannot even be read is a breach."""
    reports = []
    for name, law in LAWS.items():
        report = Report(name)
        try:
            law(s, report)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as fault:
            report.check(False, s.games.game, f"an answer of another shape: {type(fault).__name__} {fault}")
        reports.append(report)
    return reports


def subject_of(games: Games, number: int, seed: int, spots: int) -> Subject:
    """A game with so many games played of it, and so many spots of them to look at."""
    rng = random.Random(f"{seed} {games.game}")
    played = [games.play(n, seed) for n in range(number)]
    return Subject(games, played, spots_of(played, spots, rng), rng)
