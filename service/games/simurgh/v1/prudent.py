"""The prudent player: weighs every option by what it brings and costs, and looks at nothing its seat may not see.

Its taste follows from the game and the seat, so that games differ and yet are repeated exactly; for spaces it changes
now and then, so that nobody does the same for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from zlib import crc32

from service.engine.action import Action
from service.engine.options import options
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import placeable, player, tokens_of
from service.games.simurgh.v1.effects import KINDS, PURCHASE, STATUE, Draw, Part, Special, covers, most_gained
from service.games.simurgh.v1.exploration import level_below
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.gains import Gain, parts_at
from service.games.simurgh.v1.payment import Paid, bag_of
from service.games.simurgh.v1.tiles import incomes
from service.games.simurgh.v1.turns import Retrieve

WORTH_OF = {
    "vegetable": 0.5, "meat": 0.5, "wood": 0.6, "stone": 0.6, "wisdom": 0.9, "weapon": 0.8, "pp": 1.0,
    "marker": 0.8, "spearman": 2.0, "dragonrider": 3.5,
}  # fmt: skip
NEEDED = ("wisdom", "weapon")  # what buys tiles and objectives, which lead to the end
ENOUGH = 8  # tokens of one kind beyond which more are worth little


def taste(t: Table, seat: str, what: str) -> float:
    """A fancy between 0 and 1 that stays the same for a whole game."""
    return crc32(f"{t.state.game_id}/{seat}/{what}".encode()) % 1000 / 1000


def mood(t: Table, seat: str, what: str) -> float:
    """A fancy that lasts for a few turns."""
    return taste(t, seat, f"{what}/{t.state.turn // 12}")


def value(t: Table, seat: str, bag: Mapping[str, int]) -> float:
    """What a bag is worth: of what is plentiful already, little; of what is needed and lacking, more."""
    held = player(t, seat).resources
    worth = sum(n * WORTH_OF[what] * (0.2 if held.get(what, 0) > ENOUGH else 1) for what, n in bag.items())
    return worth + sum(0.7 for what in NEEDED if bag.get(what) and held.get(what, 0) < 2)


def worth_of_parts(t: Table, seat: str, parts: tuple[Part, ...]) -> float:
    """What a gain is worth; of choices, roughly the half."""
    total = value(t, seat, most_gained(parts))
    for part in parts:
        if isinstance(part, Draw):
            total += 2 + part.markers
        if isinstance(part, Special):
            total += {PURCHASE: 1.5, STATUE: worth_of_statue(t, seat)}.get(part.name, 1)
    return total


def worth_of_statue(t: Table, seat: str) -> float:
    """The best objective space that could be paid for now."""
    f, held = figures(t), player(t, seat).resources
    free = [f.statue[s] for s in f.statue if t.board.statue[s] is None]
    payable = [
        s.pp - value(t, seat, way)
        for s in free
        for way in f.prices[s.id]
        if all(held.get(what, 0) >= n for what, n in way.items())
    ]
    return max(payable, default=0.0) + 1


def paid(t: Table, act: Any) -> float:
    """What the cost of an action is worth."""
    cost = act.__dict__.get("cost") or {}
    return value(t, act.actor, bag_of(Paid(**cost)))


# -- the worth of each kind of action ---------------------------------------------------------------------------


def worth_of_placing(t: Table, act: Any) -> float:
    """What the space gives, less its cost; a Spearman rather than a rider where both may go."""
    effect = figures(t).effects[act.space]
    rider = 0.3 if act.vassal == "dragonrider" else 0
    return worth_of_parts(t, act.actor, effect.gain) - paid(t, act) - rider + mood(t, act.actor, act.space)


def worth_of_tile(t: Table, act: Any) -> float:
    """Its income, its best space, and a step towards the end."""
    f = figures(t)
    income = value(t, act.actor, incomes(t, act.wilds)[act.income])
    best = max(worth_of_parts(t, act.actor, f.effects[s].gain) for s in f.entries_of[act.tile])
    return income + best + 1 - paid(t, act) + taste(t, act.actor, act.tile)


def worth_of_retrieving(t: Table, act: Any) -> float:
    """The fewer are at home, the better."""
    left = sum(max(0, placeable(t, act.actor, kind)) for kind in KINDS)
    return 2.5 if not left else -1


def worth_of_moving(t: Table, act: Any) -> float:
    """The reward below, less the cost."""
    tile = act.__dict__.get("tile") or act.frame.tile
    below = level_below(t, act.actor, tile)
    return worth_of_parts(t, act.actor, figures(t).effects[str(below)].gain) - paid(t, act) + 0.5


def worth_of_ability(t: Table, act: Any) -> float:
    """What it gives, less its cost and its marker."""
    gain = figures(t).effects[act.ability].gain
    return worth_of_parts(t, act.actor, gain) - paid(t, act) - 0.4


def worth_of_branch(t: Table, act: Any) -> float:
    """What the branch gives."""
    f: Gain = act.frame
    gain = parts_at(t, f.source, [*f.branch, f.part, act.branch])
    return worth_of_parts(t, act.actor, gain) + taste(t, act.actor, f"{f.source}/{act.branch}") / 2


def worth_of_objective(t: Table, act: Any) -> float:
    """The points of the space, less its cost, and a fancy for the objective."""
    return figures(t).statue[act.space].pp - paid(t, act) + taste(t, act.actor, act.objective)


def worth_of_shelf(t: Table, act: Any) -> float:
    """Points less the price."""
    return figures(t).display[act.place].pp - paid(t, act) + taste(t, act.actor, act.place)


def fancy(name: str) -> Callable[[Table, Any], float]:
    """A liking for what the parameter names."""
    return lambda t, act: 1 + taste(t, act.actor, str(act.__dict__[name]))


WORTH: Mapping[str, Callable[[Table, Any], float]] = {
    "place-vassal": worth_of_placing,
    "place-tile": worth_of_tile,
    "replace-tile": worth_of_tile,
    "retrieve-vassals": worth_of_retrieving,
    "use-ability": worth_of_ability,
    "fetch-tile": lambda t, act: 0.3 - paid(t, act) + taste(t, act.actor, act.place),
    "move-rider": worth_of_moving,
    "move-again": worth_of_moving,
    "answer": lambda t, act: 1.0,
    "choose-one": worth_of_branch,
    "place-objective": worth_of_objective,
    "replace-objective": lambda t, act: worth_of_objective(t, act) - 1,
    "acquire-tile": worth_of_shelf,
    "keep-dragon": fancy("dragon"),
    "choose-dragon": fancy("dragon"),
    "keep-tile": fancy("tile"),
    "take-tile": fancy("tile"),
    "place-marker": fancy("ability"),
}


def decide(t: Table, seat: str) -> Action | None:
    """The option of the greatest worth; what must be done and what is declined are worth nothing."""
    best: tuple[float, Action] | None = None
    for option in options(t, seat):
        worth = WORTH.get(option.act.kind, lambda t, act: 0.0)(t, option.act)
        if best is None or worth > best[0]:
            best = (worth, option.act)
    if best is not None and isinstance(best[1], Retrieve):
        return everybody_home(t, best[1])
    return best[1] if best else None


def stays(t: Table, seat: str, place: str) -> bool:
    """Whether a rider is on his way down a path, and the next step can be paid for."""
    f, have = figures(t), tokens_of(player(t, seat))
    return place in f.levels and any(covers(have, way) for way in f.move_costs[f.tile_at[place]])


def everybody_home(t: Table, act: Retrieve) -> Action:
    """Retrieve all vassals but riders on their way down a path."""
    assigned = player(t, act.actor).assigned
    found: dict[str, dict[str, int]] = {"spearman": {}, "dragonrider": {}}
    for space, there in assigned.items():
        for kind, n in there.items():
            if not stays(t, act.actor, space) or len(assigned) == 1:
                found[kind][space] = n
    if not any(found.values()):
        return act
    values = {"spearmen": found["spearman"], "dragonriders": found["dragonrider"]}
    return Retrieve(t, act.frame, act.actor, values)


def declare(rules: Ruleset) -> None:
    """Register the player."""
    rules.automate(decide)
