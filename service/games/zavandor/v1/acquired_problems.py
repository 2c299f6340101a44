"""Reasons why a player cannot have come by what he holds: no right to it, no source of it, no time for it.

Artifacts stay with their owner and markers never go down, so the right that a gem took when it was bought, and the
means by which a card came, are there for as long as its owner is in the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.zavandor.v1.figures import Figures, Restricted, figures
from service.games.zavandor.v1.gems import early_right, fire_right, owned
from service.games.zavandor.v1.hand_limit import hand_limit, hand_weight
from service.games.zavandor.v1.income import cards_due
from service.games.zavandor.v1.knowledge import SagesReward, has_means
from service.games.zavandor.v1.moment import Moment
from service.games.zavandor.v1.state import Player, by_colour


def acquired_problems(t: Table, m: Moment, seat: str, p: Player) -> Iterator[Problem]:
    """What a player in the game has got without a way to it."""
    f = figures(t)
    for kind in f.restricted:
        if not kind.keys.isdisjoint(p.artifacts) or (kind.early and fire_right(t, p)):
            continue
        gems = kind.gem in p.active or kind.gem in p.inactive
        if gems or kind.colour in p.concentrated or p.waiting or not kind.cards.isdisjoint(p.energy):
            yield from _without_right(t, seat, p, kind)
    if sum(p.tracks.values()) > t.board.round:
        yield from _advances(t, m, seat, p)
    if t.board.round == 1 and not m.before_turns:
        yield from _first_income(t, f"/table/seats/{seat}", p)
    if m.phase != "turns" and m.hand_is_checked(t, seat):
        yield from _hand(t, m, seat, p)


# -- no right, no source ----------------------------------------------------------------------------------


def _without_right(t: Table, seat: str, p: Player, kind: Restricted) -> Iterator[Problem]:
    """Gems, concentrated energy and cards of one colour, of somebody who has no right to buy such gems."""
    at, early = f"/table/seats/{seat}", p.early_rubies if kind.early else 0
    if (kind.gem in p.active or kind.gem in p.inactive) and owned(p, kind.gem) > early:
        yield from _gems(t, at, p, kind, early)
    if kind.colour in p.concentrated and not _four_at_once(t, p, kind, early):
        message = say("{seat} has never had four sources of {colour} energy", seat=seat, colour=kind.colour)
        yield Problem(f"{at}/concentrated/{kind.colour}", message, "ZAV-INCOME-4")
    for place, rule in (("energy", "ZAV-INCOME-3"), ("waiting", "ZAV-KNOW-SAGES-2")):
        cards = getattr(p, place)
        if not kind.cards.isdisjoint(cards) and not has_means(t, p, kind.colour):
            if place == "waiting" and _being_drawn(t, seat, kind.colour):
                continue
            for card in sorted(kind.cards & cards.keys()):
                message = say(
                    "{seat} has never had a means of getting {colour} cards", seat=seat, colour=kind.colour
                )
                yield Problem(f"{at}/{place}/{card}", message, rule)


def _gems(t: Table, at: str, p: Player, kind: Restricted, early: int) -> Iterator[Problem]:
    """A right once had is never lost (ZAV-GEM-1, ZAV-KNOW-FIRE-1); the Druid's reaches as far as he has used it."""
    if kind.early:
        facts = {"n": owned(p, kind.gem), "gem": kind.gem, "early": early}
        message = say("{n} of {gem} without Fire at stage 4; bought early: {early}", **facts)
        rule = "ZAV-KNOW-FIRE-3" if early_right(t, p) else "ZAV-KNOW-FIRE-1"
    else:
        message = say("{gem} can only have been bought with {needs}", gem=kind.gem, needs=kind.needs)
        rule = "ZAV-GEM-1"
    for place in ("active", "inactive"):
        if kind.gem in getattr(p, place):
            yield Problem(f"{at}/{place}/{kind.gem}", message, rule)


def _four_at_once(t: Table, p: Player, kind: Restricted, early: int) -> bool:
    """Whether one income can have given a full set of this colour: artifacts that produce it, and early rubies."""
    sources = early + sum(p.artifacts.get(a, 0) for a in kind.producers)
    return sources >= int(figures(t).table["cards-per-concentrated"])


def _being_drawn(t: Table, seat: str, colour: str) -> bool:
    """Whether the Nine Sages give such cards just now; they are discarded once both are drawn."""
    return any(isinstance(g, SagesReward) and g.seat == seat and g.colour == colour for g in t.frames)


# -- no room ----------------------------------------------------------------------------------------------


def _hand(t: Table, m: Moment, seat: str, p: Player) -> Iterator[Problem]:
    """Between the end of a round and the next income a hand is within its limit (ZAV-LIMIT-5).

    Except for what the Nine Sages gave: that has come on top of it when the round began (ZAV-ORDER-1).
    """
    start = figures(t).characters[str(p.character)]
    rewarded = p.tracks.get("sages", 0) > (start.stage if start.track == "sages" else 0)
    if m.before_turns and rewarded:
        return
    weight, limit = hand_weight(t, p), hand_limit(t, p)
    if weight > limit:
        message = say(
            "{seat} holds what counts as {weight} cards; the hand limit is {limit}",
            seat=seat,
            weight=weight,
            limit=limit,
        )
        yield Problem(f"/table/seats/{seat}", message, "ZAV-LIMIT-3")


# -- no time ----------------------------------------------------------------------------------------------


def free_advances(f: Figures, p: Player) -> int:
    """How often a player's artifacts have let a marker go up for free (ZAV-KNOW-10)."""
    return sum(f.artifacts[a].free_advances * n for a, n in p.artifacts.items())


def _advances(t: Table, m: Moment, seat: str, p: Player) -> Iterator[Problem]:
    """A start track, one paid advancement a round, and what artifacts gave for free (ZAV-KNOW-2).

    One more is let pass: a position begins with the turns of its round, and may show what was done in some of them.
    """
    f = figures(t)
    stages = sum(p.tracks.values()) - f.characters[str(p.character)].stage
    paid = t.board.round + 1 - m.may_still_advance(seat)
    most = f.table["paid-advances"] * paid + free_advances(f, p)
    if stages > most:
        message = say(
            "{n} advancements by round {round}; at most {most}", n=stages, round=t.board.round, most=most
        )
        yield Problem(f"/table/seats/{seat}/tracks", message, "ZAV-KNOW-2")


def _first_income(t: Table, at: str, p: Player) -> Iterator[Problem]:
    """In round 1 there are no other cards than those of set-up and first income (ZAV-INCOME-8)."""
    f = figures(t)
    character = f.characters[str(p.character)]
    due = cards_due(t, Player(active=f.table["start-gems"]))
    for colour, n in by_colour(p.energy).items():
        if n > (most := due[colour] + character.cards.get(colour, 0)):
            message = say(
                "{n} {colour} cards; set-up and first income give {most}", n=n, colour=colour, most=most
            )
            yield Problem(f"{at}/energy", message, "ZAV-INCOME-8")
    for colour, n in p.concentrated.items():
        if n > due[colour] // f.table["cards-per-concentrated"]:
            message = say("nobody has had four sources of energy of one colour yet")
            yield Problem(f"{at}/concentrated/{colour}", message, "ZAV-INCOME-8")
