"""What the small games of these tests are made of, and a table to play them at that watches the referee itself."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from service.engine.judge import Judgement, judge
from service.engine.options import options
from service.engine.problems import problems
from service.engine.rule import Rule, Rulebook
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, State, encode
from service.engine.table import Draws, Table
from service.engine.view import view
from service.engine.words import Words


def book(clauses: Mapping[str, str]) -> Rulebook:
    """A rulebook of these clauses, `{id: text}`."""
    rules = {
        id: Rule(id, "all", "limit", "toy", 1, {"en": text, "cs": f"{text} (cs)"})
        for id, text in clauses.items()
    }
    return Rulebook(rules, {"all": {"en": "All", "cs": "Vše"}}, {"toy": {"en": "Toy", "cs": "Hračka"}})


def ruleset(
    game: str,
    board: Any,
    clauses: Mapping[str, str],
    over: str,
    seats: tuple[int, int] = (1, 4),
    version: str = "1.0",
    **more: Any,
) -> Ruleset:
    """An empty ruleset over these clauses."""
    return Ruleset(
        game,
        version,
        board=board,
        book=book(clauses),
        words=Words({}, {}),
        components={},
        seats=seats,
        over=over,
        **more,
    )


def drawn(seed: int) -> Draws:
    """A source of chance that answers the same draw of the same game alike."""
    return lambda chance, total: random.Random(f"{seed} {chance.next_draw}").randrange(total)


class Play:
    """A game under way. Every judgement is checked: inputs unchanged, no problems, and the state survives JSON."""

    def __init__(
        self,
        rules: Ruleset,
        *seats: str,
        mode: str = "given",
        automated: tuple[str, ...] = (),
        draws: Draws | None = None,
        given: Mapping[str, Any] | None = None,
        position: Any = None,
    ) -> None:
        self.rules, self.draws = rules, draws
        sitting = [SetupSeat(s, automated=s in automated) for s in seats or ("ann", "bob")]
        setup = Setup(sitting, "toy-game", ChanceState(mode=mode), given or {}, position)  # type: ignore[arg-type]
        self.last: Judgement = start(rules, setup, draws)
        self._keep(self.last)

    @property
    def state(self) -> State[Any, Any]:
        assert self.last.state is not None
        return self.last.state

    @property
    def board(self) -> Any:
        return self.state.table

    @property
    def table(self) -> Table:
        return Table(self.rules, self.state, self.draws)

    @property
    def frames(self) -> list[str]:
        """The stack from the bottom, by the frames' names on the wire."""
        return [f.__struct_config__.tag for f in self.state.stack]

    def judged(self, actor: Any, kind: Any, explain: bool = False, **values: Any) -> Judgement:
        """The judgement of an action, which does not change the game."""
        before = encode(self.state)
        action = {"kind": kind, "actor": actor, **values}
        said = encode(action)
        judgement = judge(self.rules, self.state, action, self.draws, explain)
        assert encode(self.state) == before, "judging has changed the state"
        assert encode(action) == said, "judging has changed the action"
        return judgement

    def do(self, actor: str, kind: str, **values: Any) -> Judgement:
        """Play a legal action."""
        judgement = self.judged(actor, kind, **values)
        assert judgement.legal, judgement.violations
        self._keep(judgement)
        return judgement

    def refused(self, actor: Any, kind: Any, **values: Any) -> list[str]:
        """The clauses that an illegal action breaks."""
        judgement = self.judged(actor, kind, **values)
        assert not judgement.legal
        assert judgement.state is None
        assert not judgement.events
        return [v.rule for v in judgement.violations]

    def listed(self, actor: str | None = None, *kinds: str) -> list[dict[str, Any]]:
        """The options as they go on the wire."""
        return [o.to_wire() for o in options(self.table, actor, kinds or None)]

    def kinds(self, actor: str) -> list[str]:
        """The kinds of which this actor has a legal option, in order."""
        return list(dict.fromkeys(o["kind"] for o in self.listed(actor)))

    def asked(self) -> list[tuple[str, tuple[str, ...]]]:
        """Who must or may decide, and what the windows take."""
        return [(d.actor, d.kinds) for d in self.last.decisions]

    def view(self, seat: str | None) -> dict[str, Any]:
        return view(self.state, seat)

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        """The events of the last judgement, of these kinds if any are named."""
        return [e.to_wire() for e in self.last.events if not kinds or e.kind in kinds]

    def seen(self, seat: str | None) -> list[dict[str, Any]]:
        """The events of the last judgement as this seat saw them."""
        return [shown for e in self.last.events if (shown := e.seen_by(seat)) is not None]

    def random(self, seed: int, plies: int = 200) -> Iterator[dict[str, Any]]:
        """Play on at random until the game is over; every listed option must be legal."""
        rng = random.Random(seed)
        for _ in range(plies):
            if self.state.outcome is not None:
                return
            found = list(options(self.table))
            assert found, "a dead end"
            for option in found:
                assert judge(self.rules, self.state, option.filled(), self.draws).legal, option.to_wire()
            action = rng.choice(found).filled()
            self.do(**action)
            yield action

    def _keep(self, judgement: Judgement) -> None:
        self.last = judgement
        data = encode(self.state)
        assert problems(self.rules, self.state) == []
        again = self.rules.decode(data)
        assert encode(again) == data
        assert again == self.state
