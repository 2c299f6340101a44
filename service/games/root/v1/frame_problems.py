"""Reasons why the unfinished business of Root cannot stand as it does; factions add their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from service.engine.frames import FINISHED, WAITING, Frame
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.root.v1.battle import FACES, can_attack, cap
from service.games.root.v1.cards import Draw, HandLimit, TakeRandomCard
from service.games.root.v1.components import (
    Plugs,
    faction_of,
    first_answer,
    in_turn_order,
    owner,
    player,
)
from service.games.root.v1.draw_problems import draw_problems, random_card_problems
from service.games.root.v1.figures import PRINTED, figures, matches, suit_of_clearing
from service.games.root.v1.hits import Hits, chooser
from service.games.root.v1.setup import Game
from service.games.root.v1.state import Battle, Removal, Turn
from service.games.root.v1.turn import Birdsong, Daylight
from service.games.root.v1.turn_problems import turn_problems
from service.games.root.v1.woodland import is_present, on_map

Check = Callable[[Table, Any, str], Iterator[Problem]]


def beyond(t: Table, *steps: str) -> bool:
    """Whether set-up is past these first steps of the game."""
    game = t.frames[0] if t.frames else None
    return not isinstance(game, Game) or game.step not in steps


def frame_problems(plugs: Plugs) -> Callable[[Table], Iterator[Problem]]:
    """The search through the frames' own fields, with those of these factions."""
    own = {
        frame: f.id for f in plugs.factions for frame in (f.setup, f.birdsong, f.daylight, f.evening, *f.more)
    }

    def search(t: Table) -> Iterator[Problem]:
        for i, frame in enumerate(t.frames):
            at = f"/stack/{i}"
            yield from _clauses(t, frame, at)
            if type(frame) in own:
                yield from _its_faction(t, frame, at, own[type(frame)])
            if (check := CHECKS.get(type(frame))) is not None:
                yield from check(t, frame, at)

    return search


def _clauses(t: Table, frame: Any, at: str) -> Iterator[Problem]:
    """What a frame cites is in the book."""
    for field in ("because", "scoring"):
        clause = getattr(frame, field, None)
        if clause is not None and clause not in t.rules.book.rules:
            yield Problem(f"{at}/{field}", say("the rulebook has no clause {clause}", clause=clause))


def _its_faction(t: Table, frame: Any, at: str, faction: str) -> Iterator[Problem]:
    """A faction's frames belong to who plays it, and, after set-up, to the turn player."""
    if player(t, frame.seat).faction != faction:
        message = say("{seat} does not play {faction}", seat=frame.seat, faction=faction)
        yield Problem(f"{at}/seat", message, "ROOT-SETUP-1")
    elif (turn := t.frame(Turn)) is not None and turn.seat != frame.seat:
        message = say("it is the turn of {seat}", seat=turn.seat)
        yield Problem(f"{at}/seat", message, "ROOT-GEN-9")


def _game(t: Table, f: Game, at: str) -> Iterator[Problem]:
    turn = t.frame(Turn)
    if turn is not None and f.last != turn.seat:
        yield Problem(f"{at}/last", say("it is the turn of {seat}", seat=turn.seat), "ROOT-GEN-9")
    if turn is None and f.last is not None and t.outcome is None:
        yield Problem(f"{at}/last", say("nobody has had a turn yet"), "ROOT-GEN-9")
    yield from _waiting(t, f, at)


def _waiting(t: Table, f: Game, at: str) -> Iterator[Problem]:
    """Who is still to set up: all in their order while hands are dealt, then those after the one who does.

    Of two of one kind (Vagabonds) either may come first.
    """
    now: Any = t.frames[1] if len(t.frames) > 1 else None
    due: list[str] = []
    twins: list[str] = []
    if f.step == "set-up" and now is not None:
        letters = {s: PRINTED.factions[str(player(t, s).faction)].setup for s in t.seats}
        first = "" if isinstance(now, Draw) else letters[now.seat]
        due = sorted((s for s in in_turn_order(t) if letters[s] > first), key=lambda s: letters[s])
        twins = [s for s in t.seats if letters[s] == first and s != now.seat]
    if [s for s in f.waiting if s not in twins] != due:
        message = say("still to set up: {seats}", seats=", ".join(due) or "nobody")
        yield Problem(f"{at}/waiting", message, "ROOT-SETUP-7")


def _phase(t: Table, f: Any, at: str) -> Iterator[Problem]:
    turn = t.frame(Turn)
    if turn is not None and turn.seat != f.seat:
        yield Problem(f"{at}/seat", say("it is the turn of {seat}", seat=turn.seat), "ROOT-GEN-9")


def _its_evening(t: Table, f: HandLimit, at: str) -> Iterator[Problem]:
    """In an Evening its player discards."""
    below = t.below(f)
    in_evening = hasattr(below, "seat") and type(below) is faction_of(t, below.seat).evening
    if in_evening and below.seat != f.seat:
        yield Problem(f"{at}/seat", say("it is the turn of {seat}", seat=below.seat), "ROOT-GEN-9")


# -- battle -------------------------------------------------------------------------------------------------------


ROLLED = (
    "rolled-hits",
    "attacker-effects",
    "defender-effects",
    "extra-hits",
    "deal-hits",
    "after-the-battle",
    "end",
)


def _battle(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """Two fighters, an ambush that can have been played, dice and hits as they must be."""
    if f.attacker == f.defender:
        yield Problem(f"{at}/defender", say("nobody battles himself"), "ROOT-BATTLE-1")
        return
    if f.ambush is None and f.step in UNTOUCHED and not _both_there(t, f):
        message = say("no such battle can be fought in {clearing}", clearing=f.clearing)
        yield Problem(f"{at}/clearing", message, "ROOT-BATTLE-1")
    suit = suit_of_clearing(f.clearing)
    if f.ambush is not None and (PRINTED.cards[f.ambush].kind != "ambush" or not matches(f.ambush, suit)):
        message = say("{card} is no ambush in {clearing}", card=f.ambush, clearing=f.clearing)
        yield Problem(f"{at}/ambush", message, "ROOT-BATTLE-4")
    yield from _dice(t, f, at)
    yield from _tallies(f, at)
    if f.toppled:
        yield from _toppled(t, f, at)


def _dice(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """As many as have fallen by now, and what they come to."""
    if any(value not in FACES for value in f.dice):
        yield Problem(f"{at}/dice", say("the dice show 0 to 3"), "ROOT-BATTLE-10")
    elif len(f.dice) not in _dice_at(f.step):
        yield Problem(f"{at}/dice", say("{n} dice cannot lie here", n=len(f.dice)), "ROOT-BATTLE-10")
    elif f.step in ("attacker-effects", "defender-effects"):
        yield from _rolled(t, f, at)
    if f.step not in ROLLED and (f.rolled or f.extra):
        yield Problem(f"{at}/rolled", say("nothing has been rolled yet"), "ROOT-BATTLE-10")


def _tallies(f: Battle, at: str) -> Iterator[Problem]:
    """Hits are dealt by those who fight."""
    for field in ("rolled", "extra"):
        for seat, n in getattr(f, field).items():
            where = f"{at}/{field}/{seat}"
            if seat not in (f.attacker, f.defender):
                yield Problem(where, say("{seat} does not fight here", seat=seat), "ROOT-BATTLE-2")
            if not 0 <= n <= MOST_HITS:
                yield Problem(where, say("{n} cannot be", n=n), "ROOT-BATTLE-12")


def _toppled(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """Buildings and tokens go by hits that have been taken, and no more of them than hits (ROOT-BATTLE-17, -20)."""
    most = _taken(t, f)
    if not most:
        yield Problem(f"{at}/toppled", say("no hits have been taken yet"), "ROOT-BATTLE-20")
    for seat, n in f.toppled.items():
        if not 0 < n <= most.get(seat, 0):
            message = say("{seat} has removed {most} pieces at most", seat=seat, most=most.get(seat, 0))
            yield Problem(f"{at}/toppled/{seat}", message, "ROOT-BATTLE-20")


def _taken(t: Table, f: Battle) -> dict[str, int]:
    """The hits that have been taken so far, by who removes for them."""
    hits: Hits | None = t.frame(Hits)
    choosing = hits.because if hits is not None and hits.step in ("pick", "assign") else None
    found: dict[str, int] = {}
    for side, other in ((f.attacker, f.defender), (f.defender, f.attacker)):
        n = 0
        if side == f.attacker and f.ambush is not None and f.step not in UNHARMED:
            n += 0 if choosing == "ROOT-BATTLE-7" else figures(t).table["ambush-hits"]
        if f.step in DEALT and choosing != "ROOT-BATTLE-17":
            n += f.rolled.get(other, 0) + f.extra.get(other, 0)
        remover = first_answer(t, "removes-for", f, side)
        found[remover] = found.get(remover, 0) + n
    return {seat: n for seat, n in found.items() if n}


UNHARMED = (WAITING, "before-the-ambush", "ambush", "foil", "ambush-hits")  # an ambush has not hit yet
DEALT = ("after-the-battle", FINISHED)
MOST_HITS = 60
UNTOUCHED = (
    "ambush",
    "foil",
    "roll",
    "attacker-effects",
    "defender-effects",
)  # nothing has left without an ambush


def _both_there(t: Table, f: Battle) -> bool:
    return can_attack(t, f.attacker, f.clearing, f.defender) and is_present(t, f.defender, f.clearing)


def _dice_at(step: str) -> tuple[int, ...]:
    """How many dice may lie while a battle stands at this step."""
    return (2,) if step in ROLLED else (0, 1) if step == "roll" else (0,)


def _rolled(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """Rolled hits follow from the dice; the attacker's Armorers may have made the defender's nothing."""
    low, high = sorted(f.dice)
    turned = first_answer(t, "higher-for-defender", f)
    values = {f.attacker: low if turned else high, f.defender: high if turned else low}
    for seat, value in values.items():
        due = min(value, cap(t, f, seat))
        nothing = f.step == "defender-effects" and seat == f.defender and f.rolled.get(seat) == 0
        if f.rolled.get(seat) != due and not nothing:
            message = say("{seat} deals {n} rolled hits", seat=seat, n=due)
            yield Problem(f"{at}/rolled", message, "ROOT-BATTLE-12")


def _hits(t: Table, f: Hits, at: str) -> Iterator[Problem]:
    battle: Battle | None = t.frame(Battle)
    if battle is None:
        return
    sides = [battle.attacker] if f.because == "ROOT-BATTLE-7" else [battle.attacker, battle.defender]
    if f.because not in ("ROOT-BATTLE-7", "ROOT-BATTLE-17"):
        yield Problem(f"{at}/because", say("no hits come by {clause}", clause=f.because), "ROOT-BATTLE-17")
    if sorted(f.hits) != sorted(sides):
        yield Problem(f"{at}/hits", say("hits are for: {seats}", seats=", ".join(sides)), "ROOT-BATTLE-17")
    for seat, n in f.hits.items():
        if seat in sides and n != (due := hits_for(t, battle, seat, f.because)):
            yield Problem(
                f"{at}/hits/{seat}", say("{seat} takes {n} hits", seat=seat, n=due), "ROOT-BATTLE-17"
            )
    if f.step in ("pick", "assign") and any(chooser(t, seat) == seat for seat in f.taken):
        yield Problem(f"{at}/taken", say("nobody's losses are settled before all are"), "ROOT-BATTLE-17")


def hits_for(t: Table, battle: Battle, seat: str, because: str) -> int:
    """What a side takes: two from an ambush, else what the other deals."""
    if because == "ROOT-BATTLE-7":
        return int(figures(t).table["ambush-hits"])
    other = battle.defender if seat == battle.attacker else battle.attacker
    return battle.rolled.get(other, 0) + battle.extra.get(other, 0)


def _removal(t: Table, f: Removal, at: str) -> Iterator[Problem]:
    """What has been removed lies in supplies, on boards, or out of the game; warriors may have been saved since."""
    for remover, clearings in f.losses.items():
        for clearing, bag in clearings.items():
            for piece, n in bag.items():
                printed = figures(t).pieces[piece]
                there = 0 if printed.kind == "warrior" else on_map(t, piece)
                if owner(t, piece) is None or n > printed.count - there:
                    where = f"{at}/losses/{remover}/{clearing}/{piece}"
                    yield Problem(
                        where, say("{n} of {what} have not been removed", n=n, what=piece), f.because
                    )
    below = t.frames[t.index(f) - 1]
    if f.because == "ROOT-FX-7" and not (isinstance(below, Draw) and below.because == f.because):
        yield Problem(at, say("a warrior is removed for a card that is drawn"), "ROOT-FX-7")
    if f.in_battle and t.frame(Battle) is None:
        yield Problem(f"{at}/in_battle", say("there is no battle"), "ROOT-BATTLE-22")


CHECKS: dict[type[Frame], Check] = {
    Game: _game,
    Turn: turn_problems,
    Birdsong: _phase,
    Daylight: _phase,
    Draw: draw_problems,
    HandLimit: _its_evening,
    TakeRandomCard: random_card_problems,
    Battle: _battle,
    Hits: _hits,
    Removal: _removal,
}
