"""python-chess as a stateless referee: FEN in, is the move legal, FEN out."""

from __future__ import annotations

import random

import chess
from clock import rate, seconds, tell

PLIES, MIDDLE = 80, 32


def judged(fen: str, move: str) -> str | None:
    """The position after a move, as it is written; None: the move is illegal."""
    board = chess.Board(fen)
    wanted = chess.Move.from_uci(move)
    if not board.is_legal(wanted):
        return None
    board.push(wanted)
    return board.fen()


def played() -> list[tuple[str, str]]:
    """Positions and moves from the middle of a game at random, the same in every run."""
    rng, board, found = random.Random(1), chess.Board(), []
    while len(found) < PLIES and not board.is_game_over():
        move = rng.choice(list(board.legal_moves))
        found.append((board.fen(), move.uci()))
        board.push(move)
    first = (len(found) - MIDDLE) // 2
    return found[first : first + MIDDLE]


def main() -> None:
    """Measure it."""
    plies = played()
    assert all(judged(*ply) for ply in plies)
    assert judged(chess.STARTING_FEN, "e2e5") is None, "an illegal move is refused"
    size = sum(len(fen) for fen, _ in plies) / len(plies)
    tell({"python-chess, chess": {"rate": rate(lambda ply: judged(*ply), plies, seconds()), "bytes": size}})


if __name__ == "__main__":
    main()
