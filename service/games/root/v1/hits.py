"""Chapter 7, step 3: hits are taken by the sides that take them (ROOT-BATTLE-17, -18, ROOT-DEC-10).

Both sides choose before any piece leaves. A side is asked only where it has a choice, which everyone can see.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.engine.action import Action
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import AtLeast, Split
from service.engine.frames import Ask, SealedFrame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs, first_answer
from service.games.root.v1.decisions import OCCASIONS
from service.games.root.v1.figures import PRINTED
from service.games.root.v1.state import Amount, Battle, LossId, Positive, Removal
from service.games.root.v1.woodland import bag_in, lent_to


class Hits(SealedFrame, kw_only=True):
    """Hits to be taken in a battle, by side; `taken`: what is to be lost, once that is settled."""

    hits: Public[dict[SeatRef, Amount]]
    because: Public[str]
    taken: Public[dict[SeatRef, dict[LossId, Positive]]] = {}


def battle_of(t: Table) -> Battle:
    """The battle that is fought."""
    found: Battle = t.frame(Battle)
    return found


def sides(t: Table, f: Hits) -> list[str]:
    """Who takes hits, the attacker first, however a client has ordered them."""
    battle = battle_of(t)
    return [seat for seat in (battle.attacker, battle.defender) if seat in f.hits]


def side(t: Table, seat: str) -> dict[str, int]:
    """The pieces (of a Vagabond: the items) on which a side can take hits in this battle."""
    found: dict[str, int] = first_answer(t, "takes-hits-on", battle_of(t), seat)
    return found


def own_pieces(t: Table, battle: Battle, seat: str) -> dict[str, int]:
    """One's own pieces in the clearing of battle (ROOT-BATTLE-24), and the warriors that fight as one's own."""
    lent = lent_to(t, seat, battle.clearing, other_side(t, battle, seat))
    return {**bag_in(t, seat, battle.clearing), **lent}


def soldiers(t: Table, seat: str) -> frozenset[str]:
    """What a side has to lose before anything else: its warriors, unless it may mix as it likes."""
    bag = side(t, seat)
    fighting = frozenset(p for p in bag if p in PRINTED.pieces and PRINTED.pieces[p].kind == "warrior")
    found: frozenset[str] = first_answer(t, "goes-first", battle_of(t), seat, default=fighting)
    return found


def due(t: Table, f: Hits, seat: str) -> int:
    """How many pieces a side has to lose; surplus hits are lost (ROOT-BATTLE-17)."""
    return min(f.hits.get(seat, 0), sum(side(t, seat).values()))


def first_the_warriors(t: Table, f: Hits, seat: str) -> int:
    """How many of them are warriors, who all go before any building or token (ROOT-BATTLE-18)."""
    bag = side(t, seat)
    return min(due(t, f, seat), sum(bag[p] for p in soldiers(t, seat)))


def has_a_choice(t: Table, f: Hits, seat: str) -> bool:
    """Whether there is more than one way to take the hits."""
    found = first_answer(t, "chooses-hits", f, seat)
    if found is not None:
        return bool(found)
    bag = side(t, seat)
    fighting = soldiers(t, seat)
    rest = {p: n for p, n in bag.items() if p not in fighting}
    left = due(t, f, seat) - first_the_warriors(t, f, seat)
    return 0 < left < sum(rest.values()) and len(rest) > 1


def who_chooses(t: Table, f: Hits) -> list[str]:
    """The sides that have a choice and make it themselves, the attacker first."""
    return [seat for seat in sides(t, f) if has_a_choice(t, f, seat) and chooser(t, seat) == seat]


def chooser(t: Table, seat: str) -> str:
    """Who says what a side loses: mostly the side itself."""
    return str(first_answer(t, "picks-for", battle_of(t), seat, default=seat))


def next_picked(t: Table, f: Hits) -> str | None:
    """The side whose losses somebody else has still to pick."""
    left = [s for s in sides(t, f) if s not in f.taken and chooser(t, s) != s and has_a_choice(t, f, s)]
    return left[0] if left else None


def who_picks(t: Table, f: Hits) -> str | None:
    """Who picks them."""
    seat = next_picked(t, f)
    return None if seat is None else chooser(t, seat)


def losing(t: Table, act: Any) -> str:
    """Whose losses an action names."""
    return str(next_picked(t, act.frame)) if isinstance(act, PickLosses) else str(act.actor)


def warriors_first(t: Table, act: Any) -> Iterable[AtLeast]:
    """Every own warrior goes before any building or token (ROOT-BATTLE-18)."""
    seat = losing(t, act)
    n = first_the_warriors(t, act.frame, seat)
    return [AtLeast("ROOT-BATTLE-18", n, soldiers(t, seat), facts={"n": n})] if n else []


class AssignHits(Action, kind="assign-hits"):
    """Choose which of one's own pieces are removed."""

    pieces = Split(
        "ROOT-DEC-10",
        lambda t, act: due(t, act.frame, act.actor),
        lambda t, act: side(t, act.actor),
        warriors_first,
        ("ROOT-BATTLE-18",),
    )

    def resolve(self, t: Table) -> Control:
        """Settled; they leave when the other side has settled too."""
        self.frame.taken = {**self.frame.taken, self.actor: self.pieces}
        return None


class PickLosses(Action, kind="pick-losses"):
    """Choose what another side loses, where a rule gives that choice away."""

    pieces = Split(
        "ROOT-DEC-10",
        lambda t, act: due(t, act.frame, str(next_picked(t, act.frame))),
        lambda t, act: side(t, str(next_picked(t, act.frame))),
        warriors_first,
        ("ROOT-BATTLE-18",),
    )

    def resolve(self, t: Table) -> Control:
        """Settled for that side."""
        f: Hits = self.frame
        f.taken = {**f.taken, str(next_picked(t, f)): self.pieces}
        return None


def without_a_choice(t: Table, f: Hits, seat: str) -> dict[str, int]:
    """The only way to take the hits: warriors first, shared as a rule says, then whatever else there is."""
    bag, n = side(t, seat), due(t, f, seat)
    fighting = soldiers(t, seat)
    shared = first_answer(t, "shares-hits", battle_of(t), seat, first_the_warriors(t, f, seat), default={})
    taken: dict[str, int] = dict(shared)
    for piece in sorted(bag.keys() - taken.keys(), key=lambda p: (p not in fighting, p)):
        if k := min(n - sum(taken.values()), bag[piece]):
            taken[piece] = k
    return taken


def other_side(t: Table, battle: Battle, seat: str) -> str:
    """Who removes a side's pieces: the other side."""
    return battle.defender if seat == battle.attacker else battle.attacker


def remove(t: Table, f: Hits) -> Control:
    """Both sides' losses leave at once (ROOT-BATTLE-17)."""
    battle = battle_of(t)
    losses: dict[str, dict[str, dict[str, int]]] = {}
    for seat in sides(t, f):
        bag = f.taken.get(seat) or without_a_choice(t, f, seat)
        bag = first_answer(t, "takes-damage", battle, seat, bag, default=bag)
        if bag:
            remover = first_answer(t, "removes-for", battle, seat)
            here = losses.get(remover, {}).get(battle.clearing, {})
            losses[remover] = {battle.clearing: {**here, **bag}}
    if not losses:
        return None
    return Removal(losses=losses, because=f.because, scoring="ROOT-BATTLE-20", in_battle=True)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the procedure."""
    rules.procedure(
        Hits,
        Ask(
            "pick",
            who_picks,
            takes=(PickLosses,),
            rule="ROOT-TURN-6",
            wrong="ROOT-TURN-6",
            because="ROOT-BATTLE-18",
            again=True,
            also=OCCASIONS,
        ),
        Ask(
            "assign",
            who_chooses,
            takes=plugs.takes_hits,
            rule="ROOT-TURN-6",
            wrong="ROOT-TURN-6",
            because="ROOT-BATTLE-18",
            together=True,
            also=OCCASIONS,
        ),
        remove,
        may_call={"remove": (Removal, *plugs.after_hits)},
    )
