"""Reasons why a battle, or its hits, cannot stand as they do: fighters, dice, hits (ROOT-BATTLE-1 to -20)."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.frames import FINISHED, WAITING
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.root.v1.battle import FACES, can_attack, cap
from service.games.root.v1.components import first_answer, player
from service.games.root.v1.figures import PRINTED, figures, matches, suit_of_clearing
from service.games.root.v1.hits import Hits, chooser
from service.games.root.v1.state import Battle, Turn
from service.games.root.v1.woodland import is_present

ROLLED = (
    "rolled-hits",
    "attacker-effects",
    "defender-effects",
    "extra-hits",
    "deal-hits",
    "after-the-battle",
    "end",
)


def battle_problems(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """Two fighters, an ambush that can have been played, dice and hits as they must be."""
    if f.attacker == f.defender:
        yield Problem(f"{at}/defender", say("nobody battles himself"), "ROOT-BATTLE-1")
        return
    yield from _begun(t, f, at)
    if untouched(t, f) and not _both_there(t, f):
        message = say("no such battle can be fought in {clearing}", clearing=f.clearing)
        yield Problem(f"{at}/clearing", message, "ROOT-BATTLE-1")
    suit = suit_of_clearing(f.clearing)
    if f.ambush is not None and (PRINTED.cards[f.ambush].kind != "ambush" or not matches(f.ambush, suit)):
        message = say("{card} is no ambush in {clearing}", card=f.ambush, clearing=f.clearing)
        yield Problem(f"{at}/ambush", message, "ROOT-BATTLE-4")
    elif f.ambush is not None and f.step == "foil" and not _is_spent(t, f.ambush):
        message = say("{card} has not been played", card=f.ambush)
        yield Problem(f"{at}/ambush", message, "ROOT-BATTLE-4")
    yield from _dice(t, f, at)
    yield from _tallies(f, at)
    if f.toppled:
        yield from _toppled(t, f, at)


def _is_spent(t: Table, card: str) -> bool:
    """Whether a card lies where cards go that are spent."""
    return card in t.at(*first_answer(t, "discard-to", card))


def _begun(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """Who attacks is on turn, unless another rule makes the two fight (ROOT-GEN-9)."""
    turn: Turn | None = t.frame(Turn)
    if f.instigator is None and turn is not None and f.attacker != turn.seat:
        yield Problem(f"{at}/attacker", say("it is the turn of {seat}", seat=turn.seat), "ROOT-GEN-9")


def _dice(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """As many as have fallen by now, and what they come to."""
    if any(value not in FACES for value in f.dice):
        yield Problem(f"{at}/dice", say("the dice show 0 to 3"), "ROOT-BATTLE-10")
    elif len(f.dice) not in _dice_at(f.step):
        yield Problem(f"{at}/dice", say("{n} dice cannot lie here", n=len(f.dice)), "ROOT-BATTLE-10")
    elif f.step in ("attacker-effects", "defender-effects") or _is_dealing(t):
        yield from _rolled(t, f, at)
    elif f.step in ROLLED:
        yield from _within_the_dice(t, f, at)
    if f.step in ROLLED:
        yield from _extra(t, f, at)
    elif f.rolled or f.extra:
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
    found: dict[str, int] = {}
    for side in (f.attacker, f.defender):
        remover = first_answer(t, "removes-for", f, side)
        found[remover] = found.get(remover, 0) + hits_taken(t, f, side)
    return {seat: n for seat, n in found.items() if n}


def choosing(t: Table) -> str | None:
    """The clause of the hits for which the sides still choose what goes."""
    hits: Hits | None = t.frame(Hits)
    return hits.because if hits is not None and hits.step in ("pick", "assign") else None


def hits_taken(t: Table, f: Battle, side: str) -> int:
    """How many hits a side has taken by now: those of an ambush, and those that the other has dealt."""
    n, now = 0, choosing(t)
    if side == f.attacker and f.ambush is not None and f.step not in UNHARMED and now != "ROOT-BATTLE-7":
        n += hits_for(t, f, side, "ROOT-BATTLE-7")
    if f.step in DEALT and now != "ROOT-BATTLE-17":
        n += hits_for(t, f, side, "ROOT-BATTLE-17")
    return n


def untouched(t: Table, f: Battle) -> bool:
    """Whether no hit has been taken, so that both sides are there as when the battle began."""
    if f.step in UNHARMED:
        return f.step in ("ambush", "foil")
    now = choosing(t)
    if f.ambush is not None:
        return now == "ROOT-BATTLE-7"
    return f.step in ("roll", "attacker-effects", "defender-effects") or now == "ROOT-BATTLE-17"


UNHARMED = (WAITING, "before-the-ambush", "ambush", "foil", "ambush-hits")  # an ambush has not hit yet
DEALT = ("after-the-battle", FINISHED)
MOST_HITS = 60


def _both_there(t: Table, f: Battle) -> bool:
    return can_attack(t, f.attacker, f.clearing, f.defender) and is_present(t, f.defender, f.clearing)


def _dice_at(step: str) -> tuple[int, ...]:
    """How many dice may lie while a battle stands at this step."""
    return (2,) if step in ROLLED else (0, 1) if step == "roll" else (0,)


def _values(t: Table, f: Battle) -> dict[str, int]:
    """What the dice show for each side."""
    low, high = sorted(f.dice)
    turned = first_answer(t, "higher-for-defender", f)
    return {f.attacker: low if turned else high, f.defender: high if turned else low}


def _within_the_dice(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """Each side has rolled, and nobody deals more than the dice show."""
    for seat, value in _values(t, f).items():
        if not 0 <= f.rolled.get(seat, -1) <= value:
            message = say("{seat} deals {n} rolled hits at most", seat=seat, n=value)
            yield Problem(f"{at}/rolled", message, "ROOT-BATTLE-12")


def _rolled(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """Rolled hits follow from the dice; Armorers of the other side may have made them nothing."""
    for seat, value in _values(t, f).items():
        due = min(value, cap(t, f, seat))
        nothing = f.rolled.get(seat) == 0 and _may_be_ignored(t, f, seat)
        if f.rolled.get(seat) != due and not nothing:
            message = say("{seat} deals {n} rolled hits", seat=seat, n=due)
            yield Problem(f"{at}/rolled", message, "ROOT-BATTLE-12")


def _may_be_ignored(t: Table, f: Battle, seat: str) -> bool:
    """Whether the other side may have given up its Armorers by now (ROOT-FX-1)."""
    other = f.defender if seat == f.attacker else f.attacker
    return _has_declared(f, other) and "armorers" not in player(t, other).crafted


def _has_declared(f: Battle, seat: str) -> bool:
    """Whether a side is past declaring cards, once the hits are rolled; the attacker comes first (ROOT-BATTLE-16)."""
    return f.step != "attacker-effects" and (seat == f.attacker or f.step != "defender-effects")


def _is_dealing(t: Table) -> bool:
    """Whether all hits are known and none has removed anything yet."""
    return choosing(t) == "ROOT-BATTLE-17"


def _extra(t: Table, f: Battle, at: str) -> Iterator[Problem]:
    """Extra hits are those that declared cards and rules have added by now (ROOT-BATTLE-14, -16)."""
    for seat in (f.attacker, f.defender):
        n, (least, most) = f.extra.get(seat, 0), _extra_by_rules(t, f, seat)
        most += _extra_by_cards(t, f, seat)
        if n > most:
            message = say("{seat} deals {n} extra hits at most", seat=seat, n=most)
            yield Problem(f"{at}/extra/{seat}", message, "ROOT-BATTLE-14")
        elif n < least:
            message = say("{seat} deals {n} extra hits at least", seat=seat, n=least)
            yield Problem(f"{at}/extra/{seat}", message, "ROOT-BATTLE-14")


def _extra_by_cards(t: Table, f: Battle, seat: str) -> int:
    """At most one: of Brutal Tactics, which stay where they are, or of Sappers, which go (ROOT-FX-2, -3)."""
    crafted = player(t, seat).crafted
    usable = "brutal-tactics" in crafted if seat == f.attacker else "sappers" not in crafted
    return int(usable and _has_declared(f, seat))


def _extra_by_rules(t: Table, f: Battle, seat: str) -> tuple[int, int]:
    """The least and the most, by a rule of the battle and by a leader: exact till the hits remove what they count."""
    rules = t.rules.hooks["extra-hits"]
    if f.step in ("attacker-effects", "defender-effects"):
        return 0, 0
    if not _is_dealing(t):
        return 0, len(rules) if seat == f.attacker else 0
    due = sum(found[1] for fn in rules if (found := fn(t, f, seat)) is not None)
    return due, due


def hits_problems(t: Table, f: Hits, at: str) -> Iterator[Problem]:
    """Hits are those of the ambush, for the attacker, or those that both sides deal (ROOT-BATTLE-7, -17)."""
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
