"""Law 6 over HTTP: every game that was played is judged again, as a record, to the same end, and a wrong one is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from service.battery.games import CHANCE, Played
from service.battery.wire import Json

if TYPE_CHECKING:
    from service.battery.laws import Report, Subject


def records(s: Subject, report: Report) -> None:
    """The record of a game leads to its end; with an action less, or one twice, it does not, or the draws tell."""
    for game in s.played:
        if game.outcome is None or game.ended is None:
            continue
        whole = record_of(s.games.game, game)
        found = s.games.call("verifications", {"record": whole}) or {}
        fine = found.get("verdict") == "valid" and found.get("digest") == game.ended["digest"]
        report.check(
            fine and found.get("outcome") == game.outcome, game.where, f"its record leads to {found}"
        )
        due = "unknown" if game.setup["chance"]["mode"] == "given" else "match"
        report.check(found.get("draws") == due, game.where, f"its draws {found.get('draws')}")
        for what, actions in _spoiled(whole["actions"]):
            again = s.games.call("verifications", {"record": {**whole, "actions": actions}}) or {}
            told = again.get("verdict") == "invalid" or again.get("draws") == "differ"
            report.check(told, game.where, f"a record with {what} is as good as the right one")


def record_of(name: str, game: Played) -> Json:
    """What a client keeps of a game: the set-up, what was played at every call, and what the last answer told."""
    answers = [game.start, *(spot.judgement for spot in game.spots)]
    return {
        "game": name,
        "ruleset": game.start["state"]["ruleset"],
        "setup": game.setup,
        "actions": [action for answer in answers for action in answer["played"]],
        "digest": game.ended["digest"],
        "chance": game.ended["chance"],
    }


def _spoiled(actions: Json) -> Iterator[tuple[str, Json]]:
    yield "the last action twice", [*actions, actions[-1]]
    yield "the last action missing", actions[:-1]
    other = next((i for i, action in enumerate(actions) if action["actor"] != CHANCE), None)
    if other is not None:
        yield "an action of a stranger", [*actions[:other], {**actions[other], "actor": "stranger"}]
