"""OpenSpiel as a stateless referee: a state as text in, is the action legal, the next state as text out.

Its text of a state is the line of play so far, which is played again to restore it; chess can be restored from a FEN
as well.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel
from clock import rate, seconds, tell

PLIES, MIDDLE = 80, 32
GAMES = ("chess", "backgammon", "hearts")


def judged(game: Any, text: str, action: int) -> str | None:
    """The state after an action, as text; None: the action is illegal, which the library leaves to its caller."""
    state = game.deserialize_state(text)
    if action not in state.legal_actions():
        return None
    state.apply_action(action)
    return str(state.serialize())


def judged_fen(game: Any, fen: str, action: int) -> str | None:
    """The same of chess, from a FEN to a FEN."""
    state = game.new_initial_state(fen)
    if action not in state.legal_actions():
        return None
    state.apply_action(action)
    return str(state)


def played(game: Any) -> list[tuple[Any, int]]:
    """States and actions from the middle of a game at random, the same in every run."""
    rng, state, found = random.Random(1), game.new_initial_state(), []
    while len(found) < PLIES and not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
            continue
        action = rng.choice(state.legal_actions())
        found.append((state.clone(), action))
        state.apply_action(action)
    first = (len(found) - MIDDLE) // 2
    return found[first : first + MIDDLE]


def main() -> None:
    """Measure each game."""
    found = {}
    for name in GAMES:
        game = pyspiel.load_game(name)
        plies = played(game)
        ways = {f"OpenSpiel, {name}": (judged, [(s.serialize(), action) for s, action in plies])}
        if name == "chess":
            ways[f"OpenSpiel, {name} by FEN"] = (judged_fen, [(str(s), action) for s, action in plies])
        for told, (way, asked) in ways.items():
            assert all(way(game, *ply) for ply in asked)
            assert way(game, asked[0][0], -5) is None, "an illegal action is refused"
            size = sum(len(text) for text, _ in asked) / len(asked)
            found[told] = {
                "rate": rate(lambda ply, way=way, game=game: way(game, *ply), asked, seconds()),
                "bytes": size,
            }
    tell(found)


if __name__ == "__main__":
    main()
