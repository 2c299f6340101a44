"""Chance that the service draws: fair, from a secret seed, or open, from a seed of the client's.

No state holds a seed. The seed of a fair game is an HMAC of its id under the server key; that of an open game
is a digest of its id, so that every server draws the same. A draw is an HMAC under seed and client seed, with
rejection, so that every number is equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import msgspec

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.state import OPEN, AnyState, ChanceState, encode
from service.engine.table import Draws
from service.sessions.keys import Key, Keyring

WIDTH = 256  # bits of one digest


class ChanceRefused(Exception):
    """A draw is needed that this server cannot make for this state; `pointer` into the state.

    `issued`: whether a server with our keys vouches for the state. Of any other its poster may have made the key up.
    """

    def __init__(self, pointer: str, reason: str, key_id: str) -> None:
        super().__init__(reason)
        self.pointer, self.reason, self.key_id = pointer, reason, key_id
        self.issued = False

    @property
    def key_missing(self) -> bool:
        """Whether a game of our own lacks its server key, which operators have to know."""
        return self.issued and self.reason == "unknown-key"


class Fairness:
    """The source of chance. `key` is asked for the server key when it is first needed, not before."""

    def __init__(self, key: Callable[[], bytes] | Keyring) -> None:
        self._ring = key if isinstance(key, Keyring) else Keyring(lambda: (key(),))

    @property
    def key_id(self) -> str:
        """The name of the server key of new games, which gives nothing away."""
        return self._ring.first.id

    def fair(self, client_seed: str = "") -> tuple[str, ChanceState]:
        """The id and the chance of a new fair game."""
        game_id = secrets.token_hex(16)
        promised = commitment(_fair_seed(self._ring.first, game_id))
        return game_id, ChanceState("seeded", True, self.key_id, promised, client_seed)

    def open(self, setup: object, client_seed: str = "") -> tuple[str, ChanceState]:
        """The id and the chance of a game whose draws anyone can work out: a digest of the whole set-up."""
        game_id = hashlib.sha256(b"arbitr set-up\n" + encode(setup)).hexdigest()[:32]
        return game_id, ChanceState("seeded", False, OPEN, commitment(open_seed(game_id)), client_seed)

    def given(self) -> tuple[str, ChanceState]:
        """The id and the chance of a game in which the client answers for chance."""
        return secrets.token_hex(16), ChanceState("given", False)

    def draws_of(self, state: AnyState) -> Draws:
        """What the engine draws with for the game of this state; it raises ChanceRefused."""
        drawn = self.draws(state.game_id)

        def told(chance: ChanceState, total: int) -> int:
            try:
                return drawn(chance, total)
            except ChanceRefused as refused:
                refused.issued = state.provenance == "issued"
                raise

        return told

    def draws(self, game_id: str) -> Draws:
        """The same for a game of which only the id is known yet."""
        seeds: dict[tuple[str, str], bytes] = {}

        def drawn(chance: ChanceState, total: int) -> int:
            promised = (chance.key_id, chance.commitment)
            if promised not in seeds:
                seeds[promised] = self.seed(game_id, chance)
            return draw(seeds[promised], chance, total)

        return drawn

    def seed(self, game_id: str, chance: ChanceState) -> bytes:
        """The seed of a game. Raises ChanceRefused where we have not got it or it is not the promised one."""
        if chance.key_id == OPEN:
            seed = open_seed(game_id)
        elif (key := self._ring.get(chance.key_id)) is not None:
            seed = _fair_seed(key, game_id)
        else:
            raise ChanceRefused("/chance/key_id", "unknown-key", chance.key_id)
        if not hmac.compare_digest(commitment(seed).encode(), chance.commitment.encode()):
            raise ChanceRefused("/chance/commitment", "broken-commitment", chance.key_id)
        return seed

    def revealed(self, state: AnyState) -> dict[str, Any]:
        """What can be checked of the draws once the game is over: its id, its promise, and the seed that keeps it.

        Without `seed` where nothing was drawn by the service, or where another server has the key.
        """
        told: dict[str, Any] = {"game_id": state.game_id, **msgspec.to_builtins(state.chance)}
        if state.chance.mode == "seeded":
            with suppress(ChanceRefused):
                told["seed"] = self.seed(state.game_id, state.chance).hex()
        return told

    def knows(self, chance: ChanceState) -> bool:
        """Whether a seed can be told true from false: it is an open one, or one of any key of ours."""
        return chance.key_id == OPEN or self._ring.get(chance.key_id) is not None

    def problems(self, game_id: str, chance: ChanceState) -> Iterator[Problem]:
        """What a state claims of its chance that is not so: fair is what a server key has promised, for this game."""
        if chance.mode == "given":
            if chance.fair:
                yield Problem(
                    "/chance/fair", say("where the client answers for chance, nobody vouches that it is fair")
                )
        elif not chance.key_id:
            yield Problem("/chance/key_id", say("a seeded game names the key of its seed"))
        elif chance.fair == (chance.key_id == OPEN):
            message = say("fair is what is drawn with a server key, not with the key {open}", open=OPEN)
            yield Problem("/chance/fair", message)
        else:
            yield from self._promise(game_id, chance)

    def _promise(self, game_id: str, chance: ChanceState) -> Iterator[Problem]:
        """Whether the commitment is that of this game; of another server's we cannot tell."""
        try:
            self.seed(game_id, chance)
        except ChanceRefused as refused:
            if refused.reason == "broken-commitment":
                yield Problem("/chance/commitment", say("the promise of the draws is not that of this game"))


def draw(seed: bytes, chance: ChanceState, total: int) -> int:
    """The next number in `range(total)`; a digest above the last whole multiple of `total` is drawn again."""
    if not 0 < total <= 1 << WIDTH:
        raise ValueError(f"nothing can be drawn from {total}")
    limit = (1 << WIDTH) - (1 << WIDTH) % total
    key = seed + chance.client_seed.encode()
    for attempt in range(WIDTH):
        digest = hmac.digest(key, f"{chance.next_draw}:{attempt}".encode(), "sha256")
        number = int.from_bytes(digest, "big")
        if number < limit:
            return number % total
    raise AssertionError("256 digests in a row were above the limit")


def promise(chance: ChanceState) -> str:
    """A digest of the commitment: what everybody may be told while the game goes on.

    Who knew the commitment could write a state of the same game around it, and have the stateless calls draw.
    """
    return hashlib.sha256(chance.commitment.encode()).hexdigest()


def _fair_seed(key: Key, game_id: str) -> bytes:
    return hmac.digest(key.secret, b"arbitr game\n" + game_id.encode(), "sha256")


def open_seed(game_id: str) -> bytes:
    """The seed of an openly unfair game."""
    return hashlib.sha256(b"arbitr open game\n" + game_id.encode()).digest()


def commitment(seed: bytes) -> str:
    """What a state tells of its seed while the game goes on."""
    return hashlib.sha256(seed).hexdigest()
