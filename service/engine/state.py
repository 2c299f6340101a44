"""The state: everything that decides what may happen next, as one JSON document."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from service.engine.deck import MOST_COUNT, Count
from service.engine.frames import Frame

B = TypeVar("B")
F = TypeVar("F", bound=Frame)

# `$` alone would let a line feed at the end through.
SeatId = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}(?!\n)$")]
Text = Annotated[str, Meta(max_length=200)]
# Names stand in sentences: no control characters, and nothing that turns the direction of writing.
NAME = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*(?!\n)$"
Name = Annotated[str, Meta(max_length=200, pattern=NAME)]
Score = Annotated[int, Meta(ge=-MOST_COUNT, le=MOST_COUNT)]
CHANCE = "chance"
OPEN = "open"  # the key id of a game whose seed anybody can work out from its `game_id`
MOST_SEATS = 16  # no game takes so many; what is longer is refused before it is looked through
MOST_FRAMES = 64
MOST_TURNS = 1_000_000  # no game takes so many actions or draws
SCHEMA = 1


class Seat(Struct, forbid_unknown_fields=True):
    """A place at the table; the id is the client's."""

    id: SeatId
    name: Name = ""
    automated: bool = False


class ChanceState(Struct, forbid_unknown_fields=True):
    """Who answers for chance; in seeded mode everything but the seed, which no state ever holds."""

    mode: Literal["seeded", "given"] = "seeded"
    fair: bool = True
    key_id: Text = ""
    commitment: Text = ""
    client_seed: Text = ""
    next_draw: Count = 0


class Standing(Struct, forbid_unknown_fields=True):
    """One seat's final score and where it came from."""

    seat: SeatId
    score: Score
    parts: dict[str, Score] = {}


class Outcome(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How a game ended, and the clause that ended it.

    `next`: a set-up with what the next game takes over from this one, where games make a series; to be posted as it is,
    or with other wishes beside what is taken over.
    """

    winners: list[SeatId]
    standings: list[Standing]
    because: str
    next: dict[str, Any] | None = None


class State(Struct, Generic[B, F], forbid_unknown_fields=True):
    """One game. `table` and `stack` are the ruleset's own types; `turn` counts the actions taken so far."""

    game: str
    ruleset: str
    schema: Count
    game_id: Text
    seats: Annotated[list[Seat], Meta(max_length=MOST_SEATS)]
    chance: ChanceState
    table: B
    stack: Annotated[list[F], Meta(max_length=MOST_FRAMES)]
    options: dict[str, bool | int | str] = {}
    house: dict[str, Any] = {}
    turn: Count = 0
    provenance: Literal["issued", "foreign"] = "issued"
    outcome: Outcome | None = None


AnyState = State[Any, Any]  # of whichever game


def told_id(state: AnyState) -> str:
    """The id of the game as everybody may be told it.

    Of an openly unfair game (`OPEN`) it is a digest of `game_id`: who knew that one could work the draws out.
    """
    if state.chance.key_id != OPEN:
        return state.game_id
    return hashlib.sha256(b"arbitr told id\n" + state.game_id.encode()).hexdigest()[:32]


def encode(value: Any) -> bytes:
    """Canonical JSON: sorted keys, so that equal states are equal bytes."""
    return msgspec.json.encode(value, order="sorted")
