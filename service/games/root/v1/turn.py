"""Chapter 12.1, the turn: Birdsong, Daylight, Evening, and what may be done at any time (ROOT-TURN-1 to -10)."""

from __future__ import annotations

from typing import Any

from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.frames import Ask, Frame, Free
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import EndPhase, Pass
from service.games.root.v1.battle import can_battle
from service.games.root.v1.cards import Draw, TakeRandomCard
from service.games.root.v1.components import Plugs, faction_of
from service.games.root.v1.decisions import OCCASIONS
from service.games.root.v1.dominance import ActivateDominance, TakeAvailable, check_dominance
from service.games.root.v1.effects import (
    BetterBurrowBank,
    Cobbler,
    Codebreakers,
    CommandWarren,
    RoyalClaim,
    StandAndDeliver,
    TaxCollector,
    has,
)
from service.games.root.v1.movement import can_move
from service.games.root.v1.state import Battle, Removal, Turn


class Birdsong(Frame, kw_only=True):
    """The first phase, with what may be done at any time between its steps (ROOT-TURN-2)."""

    seat: Public[SeatRef]


class Daylight(Frame, kw_only=True):
    """The second phase, with what may be done at any time between its actions (ROOT-TURN-3)."""

    seat: Public[SeatRef]


def begin_turn(t: Table, f: Turn) -> Control:
    """Everybody knows whose turn it is (ROOT-GEN-9)."""
    t.tell("turn-begins", "ROOT-GEN-9", {"seat": f.seat})
    return None


def owns(card: str) -> Any:
    """The turn player, if he has crafted this card and not used it this turn."""
    return lambda t, f: f.seat if has(t, f.seat, card) else None


def birdsong(t: Table, f: Turn) -> Control:
    """The phase begins, its start is over (ROOT-TURN-10)."""
    return Birdsong(seat=f.seat)


def may_command(t: Table, f: Turn) -> str | None:
    """The owner of an unused Command Warren, where any battle can be begun (ROOT-TURN-3)."""
    return f.seat if has(t, f.seat, "command-warren") and can_battle(t, CommandWarren, f, f.seat) else None


def daylight(t: Table, f: Turn) -> Control:
    """The phase begins, its start is over (ROOT-TURN-10)."""
    return Daylight(seat=f.seat)


def may_cobble(t: Table, f: Turn) -> str | None:
    """The owner of an unused Cobbler, where any move can be made (ROOT-TURN-4)."""
    return f.seat if has(t, f.seat, "cobbler") and can_move(t, Cobbler, f, f.seat) else None


def evening(t: Table, f: Turn) -> Control:
    """The last phase is the faction's own."""
    return faction_of(t, f.seat).evening(seat=f.seat)  # type: ignore[call-arg]


def birdsong_steps(t: Table, f: Birdsong) -> Control:
    """What the faction does in Birdsong."""
    return faction_of(t, f.seat).birdsong(seat=f.seat)  # type: ignore[call-arg]


def daylight_actions(t: Table, f: Daylight) -> Control:
    """What the faction does in Daylight; it says itself when that is over."""
    return faction_of(t, f.seat).daylight(seat=f.seat)  # type: ignore[call-arg]


def has_claims(t: Table, f: Birdsong) -> str | None:
    """The turn player, if something in his play area can be used in Birdsong, which everyone sees."""
    return f.seat if any(has(t, f.seat, c) for c in ("royal-claim", "stand-and-deliver")) else None


def its_seat(t: Table, f: Any) -> str:
    """The seat of the frame."""
    return str(f.seat)


def prompt(name: str, who: Any, takes: tuple[type[Any], ...], because: str, **more: Any) -> Ask:
    """A window that only its seat may answer, and only so (ROOT-TURN-6, ROOT-TURN-8)."""
    also = {**OCCASIONS, **more.pop("also", {})}
    return Ask(name, who, takes, "ROOT-TURN-6", "ROOT-TURN-8", because=because, also=also, **more)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Turn,
        begin_turn,
        check_dominance,
        *plugs.birdsong_windows,
        prompt("bank", owns("better-burrow-bank"), (BetterBurrowBank,), "ROOT-FX-8"),
        birdsong,
        prompt("warren", may_command, (CommandWarren, Pass), "ROOT-FX-10"),
        daylight,
        prompt("cobbler", may_cobble, (Cobbler, Pass), "ROOT-FX-9"),
        *plugs.evening_windows,
        evening,
        free=plugs.in_turn,
        may_call={
            **{window.name: (Draw,) for window in plugs.birdsong_windows},
            "bank": (Draw,),
            "birdsong": (Birdsong,),
            "warren": (Battle,),
            "daylight": (Daylight,),
            "cobbler": plugs.after_move,
            "evening": tuple(f.evening for f in plugs.factions),
        },
    )
    rules.procedure(
        Birdsong,
        prompt("begin-birdsong", has_claims, (EndPhase,), "ROOT-TURN-2", again=True, gap=True),
        birdsong_steps,
        prompt("end-birdsong", has_claims, (EndPhase,), "ROOT-TURN-2", again=True, gap=True),
        free=Free((RoyalClaim, StandAndDeliver), its_seat, "ROOT-TURN-2"),
        may_call={
            "birdsong-steps": tuple(f.birdsong for f in plugs.factions),
            "": (TakeRandomCard, Draw),
        },
    )
    rules.procedure(
        Daylight,
        daylight_actions,
        free=Free(
            (TaxCollector, Codebreakers, ActivateDominance, TakeAvailable, *plugs.in_daylight),
            its_seat,
            "ROOT-TURN-3",
        ),
        may_call={
            "daylight-actions": tuple(f.daylight for f in plugs.factions),
            "": (Removal, Draw, *plugs.from_daylight),
        },
    )
