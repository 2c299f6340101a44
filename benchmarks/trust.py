"""The same plies posted plainly, under seals, and in tokens, over the same connections one right after the other; and
the lists of options of their states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from benchmarks.app import ECHO
from benchmarks.games import WIRE, Game, Ply
from benchmarks.load import Load, Measured, once, request_of
from benchmarks.server import KEY, Server
from service.engine.state import encode
from service.sessions import seatkeys
from service.sessions.keys import Keyring
from service.sessions.seals import Seals
from service.sessions.wrapping import Origin, Wrapping

RING = Keyring(lambda: [KEY])
SALT = bytes(16)


@dataclass(frozen=True)
class Round:
    """Echo and judgement of the same sealed bytes; the same plies without a seal, and in tokens; all options of these
    states."""

    echo: Measured
    sealed: Measured
    plain: Measured
    token: Measured
    listed: Measured


def sealed(ply: Ply) -> bytes:
    """What a client posts that sends back state and seal as it got them."""
    seal = Seals(RING).seal(ply.state, encode(ply.state), "the seal before")
    return ply.body(seal=seal)


def in_token(game: Game, ply: Ply) -> bytes:
    """The same with a token and the key of the seat."""
    origin = Origin(game.rules.game, ply.state.game_id, SALT)
    keys = seatkeys.keys_of(RING, origin, [s.id for s in ply.state.seats], dealt=False)
    token = Wrapping(RING).wrap(origin, encode(ply.state))
    return WIRE.encode({"token": token, "key": keys.seats[ply.action["actor"]], "action": ply.action})


def listing(ply: Ply) -> bytes:
    """What a client posts that wants all options of that state, under its seal."""
    asked = msgspec.json.decode(sealed(ply), type=dict[str, msgspec.Raw])
    del asked["action"]
    return WIRE.encode(asked)


def measure(
    server: Server, game: Game, plies: Sequence[Ply], connections: int, rounds: int, seconds: float
) -> list[Round]:
    """So many rounds, after one that does not count."""
    route = f"/v1/games/{game.rules.game}/adjudications"
    under_seal = [sealed(ply) for ply in plies]
    tokens, plain = [in_token(game, ply) for ply in plies], [ply.body() for ply in plies]
    asked = [
        [request_of(ECHO, body) for body in under_seal],
        *([request_of(route, body) for body in bodies] for bodies in (under_seal, plain, tokens)),
    ]
    for requests in asked[1:]:
        for request in requests:
            answer = once(server.port, request)
            assert answer.startswith(b'{"verdict":"legal"'), answer[:300]
    asked.append([request_of(f"/v1/games/{game.rules.game}/options", listing(ply)) for ply in plies])
    for request in asked[-1]:
        assert msgspec.json.decode(once(server.port, request))["options"]
    found = []
    for n in range(rounds + 1):
        load = Load(server.port).open(connections)
        try:
            found.append(Round(*(_measured(server, load, r, seconds if n else 0.3) for r in asked)))
        finally:
            load.close()
    refused = sum(m.refused for r in found for m in (r.sealed, r.plain, r.token, r.listed))
    if refused:
        raise RuntimeError(f"{refused} requests were refused")
    return found[1:]


def _measured(server: Server, load: Load, requests: Sequence[bytes], seconds: float) -> Measured:
    before = server.each_cpu()
    made = load.run(requests, seconds)
    spent = [after - at for after, at in zip(server.each_cpu(), before, strict=True)]
    made.server_cpu, made.quieter = sum(spent), min(spent) / max(*spent, 1e-9)
    return made


def cpu_ratio(rounds: Sequence[Round], one: str, other: str) -> float:
    """The same by the CPU time of the workers, which is the steadier figure on a machine that is not alone."""
    return median(_cpu(getattr(r, other)) / _cpu(getattr(r, one)) for r in rounds)


def _cpu(measured: Measured) -> float:
    return measured.server_cpu / measured.count


def ratio(rounds: Sequence[Round], one: str, other: str) -> float:
    """The median over the rounds of how many times as many requests a second."""
    return median(getattr(r, one).rate / getattr(r, other).rate for r in rounds)
