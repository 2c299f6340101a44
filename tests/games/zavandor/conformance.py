"""What only Zavandor knows and the battery asks: what should be exercised, and what rules disclose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

from service.engine.judge import judge
from service.engine.options import options
from service.engine.places import changed
from service.engine.table import Table
from service.games.zavandor.v1.artifacts import FreeToken
from service.games.zavandor.v1.figures import ARTIFACTS, CHARACTERS, SENTINELS, TRACKS
from service.games.zavandor.v1.free_advances import FreeSteps
from tests.conformance.subjects import walk

DISCLOSES = {
    "ZAV-CURSE-1",  # a bid beyond one's means comes out when it wins
}


def positions(rules: Any) -> Iterator[Any]:
    """Turns just after somebody has bought what play seldom comes to: the Talisman, the Shadow Cloak."""
    wanted = {"talisman", "shadow-cloak"}
    for seed in range(1, 6):
        for ply in walk(rules, seed, "prudent").plies:
            for card in sorted(wanted & set(ply.state.table.display)):
                if ply.action["kind"] == "end-turn" and (state := bought(rules, enriched(ply.state), card)):
                    wanted.remove(card)
                    yield state


def bought(rules: Any, state: Any, card: str) -> Any:
    """The state in which the active player, against whom nobody bids, has something to choose for his new card.

    None if he may not put it up, or has nothing to choose.
    """
    t = Table(rules, state)
    starts = [o.filled() for o in options(t, kinds=["start-auction"]) if o.act.__dict__["card"] == card]
    if not starts:
        return None
    state = judge(rules, state, starts[0]).state
    for kind in (*["pass"] * (len(state.seats) - 1), "pay"):
        action = next((o.filled() for o in options(Table(rules, state), kinds=[kind])), None)
        state = state if action is None else judge(rules, state, action).state
    return state if isinstance(state.stack[-1], FreeSteps | FreeToken) else None


def enriched(state: Any) -> Any:
    """The same state with 200 dust more for everybody; dust has no limit (ZAV-R-15)."""
    twin = copy(state)
    for seat, player in state.table.seats.items():
        dust = player.dust + 200
        twin.table = changed(twin.table, ("seats", seat, "dust"), lambda _, dust=dust: dust)
    return twin


def items(rules: Any) -> set[str]:
    """Every card owned, every stage of every track reached, every character and number of players played."""
    found = {f"artifact {a}" for a in ARTIFACTS} | {f"sentinel {s}" for s in SENTINELS}
    found |= {f"character {c}" for c in CHARACTERS}
    found |= {f"track {track} at {stage}" for track in TRACKS for stage in range(1, 5)}
    return found | {f"{n} seats" for n in range(rules.least_seats, rules.most_seats + 1)}


def seen(ply: Any) -> set[str]:
    """What the table shows after this ply."""
    state = ply.judgement.state or ply.state
    found = {f"{len(state.seats)} seats"}
    for player in state.table.seats.values():
        found |= {f"artifact {a}" for a in player.artifacts} | {f"sentinel {s}" for s in player.sentinels}
        found |= {f"track {track} at {stage}" for track, stage in player.tracks.items()}
        found |= {f"character {player.character}"} if player.character else set()
    return found


def admits(shown: Mapping[str, Any], value: Any) -> bool | None:
    """How a client reads the descriptor of a payment: what it has, enough of it, nothing superfluous, what must go."""
    if "purse" not in shown or "price" not in shown:
        return None
    bag = _bag(value)
    if bag is None or any(type(n) is not int or n < 1 for n in bag.values()):
        return False
    held = {what: (h["count"], h["value"]) for what, h in _items(shown["purse"]).items()}
    if any(n > held.get(what, (0, 0))[0] for what, n in bag.items()):
        return False
    worth = sum(n * held[what][1] for what, n in bag.items())
    enough = worth + shown["purse"]["dust"] >= shown["price"]
    spare = any(worth - held[what][1] >= shown["price"] for what in bag)
    sold = [
        sum(bag.get(f"gem:{place}:{g}", 0) for place, gems in must["of"].items() for g in gems)
        >= must["least"]
        for must in shown.get("must_sell", ())
    ]
    return enough and not spare and all(sold)


def _bag(value: Any) -> dict[str, Any] | None:
    """A payment as item ids, by a reading of our own."""
    if not isinstance(value, dict) or not set(value) <= {"cards", "concentrated", "gems"}:
        return None
    bag: dict[str, Any] = {}
    gems = value.get("gems", {})
    if not isinstance(gems, dict) or not set(gems) <= {"active", "inactive"}:
        return None
    parts = {"card": value.get("cards", {}), "concentrated": value.get("concentrated", {})}
    for name, part in {**parts, **{f"gem:{place}": held for place, held in gems.items()}}.items():
        if not isinstance(part, dict):
            return None
        bag |= {f"{name}:{what}": n for what, n in part.items()}
    return bag


def _items(purse: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    found = {f"card:{card}": held for card, held in purse["cards"].items()}
    found |= {f"concentrated:{colour}": held for colour, held in purse["concentrated"].items()}
    for place, gems in purse["gems"].items():
        found |= {f"gem:{place}:{gem}": held for gem, held in gems.items()}
    return found
