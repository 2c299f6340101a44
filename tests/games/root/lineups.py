"""The line-ups of Root, and whole games that cover them, the characters and the manners of play pairwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from heapq import heapify, heapreplace
from itertools import combinations, product
from typing import Any, NamedTuple

from service.engine.judge import judge
from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, State, encode
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.figures import CHARACTERS
from service.games.root.v1.modes import MOST_HUMANS
from tests.conformance.subjects import POLICIES, Dice, Ply, draws_of
from tests.games.root.table import SEATS

ROGUE = "vagabond"
MACHINE = "mechanical-marquise"  # which plays with the pieces of the Marquise, so in her place
POOL = ("marquise", "eyrie", "alliance", "cult", ROGUE, ROGUE, "riverfolk")
MOST = RULES.most_seats
MANNERS = ("random", "prudent", "mixed")
PLIES = 8_000
PLIES_ALONE = (
    400  # two Vagabonds alone can run out of items, quests and ruins, and with them of points for anyone
)


class Row(NamedTuple):
    """One game: factions by seat, the characters in the order of set-up, how it is played, and who with whom."""

    factions: tuple[str, ...]
    characters: tuple[str, ...]
    manner: str
    mode: str = "competitive"

    def __str__(self) -> str:
        return " ".join((*self.factions, *self.characters, self.manner, *self.joint()))

    def joint(self) -> tuple[str, ...]:
        """The mode, where they play together."""
        return () if self.mode == "competitive" else (self.mode,)

    def pairs(self) -> set[frozenset[str]]:
        """What it shows together: line-up with character, manner and mode, and all of these with each other."""
        line_up = " ".join(sorted(self.factions))
        things = (line_up, self.manner, *self.characters, *self.joint())
        return {frozenset(pair) for pair in combinations(things, 2)}


def line_ups() -> list[tuple[str, ...]]:
    """Every choice of factions for 2 to 6 seats, each once, a Vagabond up to twice; with and without the machine."""
    pools = (POOL, (MACHINE, *POOL[1:]))
    found = {c for pool in pools for n in range(2, MOST + 1) for c in combinations(pool, n)}
    return sorted(found, key=lambda c: (len(c), c))


def candidates() -> Iterator[Row]:
    """Every game that a row of the covering may be; who sits where turns with it."""
    for n, factions in enumerate(line_ups()):
        for characters in combinations(CHARACTERS, factions.count(ROGUE)):
            turned = factions[n % len(factions) :] + factions[: n % len(factions)]
            for manner, mode in product(MANNERS, modes(factions)):
                yield Row(turned, characters, manner, mode)


def modes(factions: tuple[str, ...]) -> tuple[str, ...]:
    """How a line-up may be played: against the machine also together, by four at most, or alone (ROOT-COOP-1)."""
    humans = len(factions) - 1
    if MACHINE not in factions or humans > MOST_HUMANS:
        return ("competitive",)
    return ("competitive", "cooperative", "solo") if humans == 1 else ("competitive", "cooperative")


@cache
def covering() -> tuple[Row, ...]:
    """Rows that together show every pair which any game shows, each the one that shows most of what is left.

    What a row shows of what is left only gets less, so only the row that showed most when last looked at is looked at.
    """
    rows = [(row, row.pairs()) for row in candidates()]
    left = set().union(*(pairs for _, pairs in rows))
    most = [(-len(pairs), n) for n, (_, pairs) in enumerate(rows)]
    heapify(most)
    chosen = []
    while left:
        known, n = most[0]
        row, pairs = rows[n]
        if known != -len(pairs & left):
            heapreplace(most, (-len(pairs & left), n))
            continue
        left -= pairs
        chosen.append(row)
    return tuple(chosen)


def played(row: Row, seed: int, every: int = 1) -> Iterator[Ply]:
    """The game, ply by ply, to its end; every so many states can exist and survive JSON.

    Of two Vagabonds alone only so much as shows that they can play: no rule ends a game in which nobody can score.
    """
    alone = set(row.factions) == {ROGUE}
    rng, draws = Dice(f"{seed} {row}"), draws_of(seed)
    seats = [SetupSeat(s, choice={"faction": f}) for s, f in zip(SEATS, row.factions, strict=False)]
    mode: Any = ("given", "seeded")[seed % 2]
    setup = Setup(seats, f"{seed} {row}", ChanceState(mode), {"mode": row.mode})
    state: State[Any, Any] = start(RULES, setup, draws).state
    characters = list(row.characters)
    for n in range(PLIES_ALONE if alone else PLIES):
        if state.outcome is not None:
            return
        action = POLICIES[row.manner](Table(RULES, state, draws), rng)
        assert action is not None, "nobody has an answer"
        if action["kind"] == "setup-vagabond":
            action["character"] = characters.pop(0)
        judgement = judge(RULES, state, action, draws)
        assert judgement.legal, (action, judgement.violations)
        yield Ply(f"{row}, seed {seed}, ply {n}", state, action, judgement)
        assert judgement.state is not None
        state = judgement.state
        if n % every == 0 or state.outcome is not None:
            sound(state, action)
    assert alone or may_go_on(row, state), "the game does not end"


def may_go_on(row: Row, state: Any) -> bool:
    """Whether a game may rightly take longer than that: where dominance alone, or one seat, could end it.

    So may one in which the Riverfolk have every warrior on the map, and a Vagabond no items, so that nobody can score.
    """
    scoring = [seat for seat, player in state.table.seats.items() if player.score is not None]
    return len(scoring) < 2 or set(row.factions) <= {ROGUE, "riverfolk"}


def sound(state: Any, action: Any) -> None:
    """The state can exist, and is the same after a trip through JSON."""
    assert problems(RULES, state) == [], action
    data = encode(state)
    assert encode(RULES.decode(data)) == data
    assert len(data) <= 10_240, "a state is no longer than ten kilobytes"


def last(plies: Iterable[Ply]) -> Ply:
    """The ply that ended the game."""
    *_, final = plies
    return final
