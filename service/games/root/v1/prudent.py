"""The prudent player: builds, keeps its clearings, fights where it is stronger, and peeks at nothing.

It weighs every option by a rough worth and takes the best; what is worth less than nothing is not done. Its taste
follows from the game and the seat, so that games differ and yet are repeated exactly. Factions add the worth of their
own actions at the hook `worth`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from zlib import crc32

from service.engine.action import Action
from service.engine.options import options
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.battle_cards import usable
from service.games.root.v1.components import Plugs, first_answer, owner, player
from service.games.root.v1.figures import PRINTED, figures, matches, suit_of_clearing
from service.games.root.v1.rule import ruled_by, ruler, strength
from service.games.root.v1.woodland import count_in, fighters, open_slots, warriors, where

Worth = Callable[[Table, Any], float]


def taste(t: Table, seat: str, what: str) -> float:
    """A fancy between 0 and 1 that stays the same for a whole game."""
    return crc32(f"{t.state.game_id}/{seat}/{what}".encode()) % 1000 / 1000


# -- fighting and moving ------------------------------------------------------------------------------------------


def prey(t: Table, seat: str, clearing: str) -> int:
    """Buildings and tokens of one player in a clearing: what gives points when it is removed."""
    return count_in(t, seat, clearing, "building", "token")


def worth_of_battle(t: Table, act: Any) -> float:
    """Where more of one's own stand, and best where there is something to topple."""
    mine = fighters(t, act.actor, act.clearing, act.defender)
    theirs = fighters(t, act.defender, act.clearing, act.actor)
    gain = prey(t, act.defender, act.clearing) * (2 if mine > theirs else 1)
    return 1 + gain + (mine - theirs) if mine >= theirs else -1


def worth_of_move(t: Table, act: Any) -> float:
    """To where one more clearing comes to be ruled, with slots to build on, and not out of one that is lost by it."""
    there = strength(t, act.to)
    others = max((n for s, n in there.items() if s != act.actor), default=0)
    gains = ruler(t, act.to) != act.actor and there.get(act.actor, 0) + act.warriors > others
    left = warriors(t, act.actor, act.from_) - act.warriors
    loses = ruler(t, act.from_) == act.actor and left + prey(t, act.actor, act.from_) == 0
    return 3 * gains + 0.5 * open_slots(t, act.to) - 2 * loses - 0.5 + taste(t, act.actor, act.to) / 2


def worth_of_card(t: Table, act: Any) -> float:
    """Before all else: points, lasting effects, and Favors by what they sweep away."""
    card = figures(t).cards[act.card]
    if card.kind != "favor":
        return 20 + 3 * card.points
    here = [c for c in PRINTED.clearings if suit_of_clearing(c) == card.favors]
    swept = [(p, n) for c in here for p, n in t.board.map[c].items() if owner(t, p) != act.actor]
    gain = sum(n * (3 if PRINTED.pieces[p].kind != "warrior" else 1) for p, n in swept)
    return 20.0 + gain if gain > 3 else -1


# -- the factions of the first box --------------------------------------------------------------------------------


def worth_of_building(t: Table, act: Any) -> float:
    """The dearer the space, the better; sawmills before they are needed."""
    return 8 + 2 * figures(t).pieces[act.type].points[act.number - 1] + taste(t, act.actor, act.type)


def worth_of_decree(t: Table, act: Any) -> float:
    """Cards that will match: Recruit and Build need clearings of their suit, a move any of one's own.

    Recruits need warriors too: without them turmoil would follow turmoil.
    """
    if act.column == "recruit" and is_short_of_recruits(t, act.actor):
        return -5.0
    mine = where(t, "roost") if act.column == "recruit" else ruled_by(t, act.actor)
    fitting = sum(matches(act.card, suit_of_clearing(c)) for c in mine)
    least = {"recruit": 1, "move": 2, "battle": 3, "build": 3}[act.column]
    return fitting - least + taste(t, act.actor, act.column) - (act.card in ("sappers", "armorers")) * 0.1


def is_short_of_recruits(t: Table, seat: str) -> bool:
    """Whether the Recruit column would take more warriors with another card than the supply has."""
    board, supply = player(t, seat).eyrie, player(t, seat).supply
    return board is not None and sum(board.decree["recruit"].values()) >= supply.get("eyrie-warrior", 0)


def in_a_battle(t: Table, act: Any) -> float:
    """Ambushes are played where they do anything."""
    return -1 if act.notes(t) else 5


WORTH: Mapping[str, Worth] = {
    "battle": worth_of_battle,
    "command-warren": worth_of_battle,
    "decree-battle": worth_of_battle,
    "move": worth_of_move,
    "cobbler": worth_of_move,
    "decree-move": lambda t, act: worth_of_move(t, act) + 3,
    "craft": worth_of_card,
    "build": worth_of_building,
    "decree-build": lambda t, act: 5.0,
    "decree-recruit": lambda t, act: 1 + taste(t, act.actor, act.clearing),
    "recruit": lambda t, act: 4.0,
    "march": lambda t, act: 2.5,
    "overwork": lambda t, act: 2.0 if sum(where(t, "wood").values()) < 3 else -1,
    "spend-bird": lambda t, act: 1.0 if act.frame.left == 0 else -1,
    "add-to-decree": worth_of_decree,
    "play-ambush": in_a_battle,
    "foil-ambush": in_a_battle,
    "field-hospitals": lambda t, act: 2.0 if act.frame.warriors > 1 else -1,
    "royal-claim": lambda t, act: len(ruled_by(t, act.actor)) - 3.5,
    "stand-and-deliver": lambda t, act: 1.0,
    "tax-collector": lambda t, act: 0.5 if warriors(t, act.actor, act.clearing) > 4 else -1,
    "codebreakers": lambda t, act: 0.1,
    "activate-dominance": lambda t, act: -1,
    "take-available": lambda t, act: -1,
    "keep-card": lambda t, act: 1.0,
    "setup-marquise": lambda t, act: sum(taste(t, act.actor, f"{n}{act.__dict__[n]}") for n in act.params),
}


def worth(t: Table, act: Any) -> float | None:
    """The worth of an action of these kinds; None for all others."""
    found = WORTH.get(act.kind)
    return None if found is None else found(t, act)


def in_full(t: Table, act: Any) -> Any:
    """Open parameters filled in as a player would: all warriors but one, every card that helps; None: as it is."""
    if "warriors" in act.params and "from" in act.params:
        there = warriors(t, act.actor, act.from_)
        return act.extended("warriors", there - 1 if there > 2 else there)
    if act.kind == "battle-effects":
        return act.extended("cards", dict.fromkeys(usable(t, act.frame, act.actor), 1))
    return None


def decide(t: Table, seat: str) -> Action | None:
    """The option with the best worth; what nobody weighs is worth nothing, and the last of equals is taken."""
    best: tuple[float, Action] | None = None
    for option in options(t, seat):
        act = first_answer(t, "filled-in", option.act, default=option.act)
        value = first_answer(t, "worth", act, default=0.0)
        if best is None or value >= best[0]:
            best = (value, act)
    return best[1] if best else None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the player."""
    rules.automate(decide)
