"""What a table set for a test holds of Vagabonds: boards, quests, ruins, and the items that are nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from service.engine.deck import Deck, pool_of
from service.games.root.v1.figures import PRINTED, SPOTS, on_track
from service.games.root.v1.vagabond import ruin_items

QUESTS = ("fundraising-fox", "guard-duty-rabbit", "escort-mouse")  # face up, where a test names no others
Bag = Mapping[str, int]


def counted(things: Iterable[str] | Bag) -> dict[str, int]:
    if isinstance(things, Mapping):
        return dict(things)
    found: dict[str, int] = {}
    for what in things:
        found[what] = found.get(what, 0) + 1
    return found


def hold_vagabond(player: Any, held: Mapping[str, Any]) -> None:
    """`character` (the Thief), `pawn` (clearing 1), `own` items `{spot: items}`, `completed` quests, `coalition`,
    `second` (of two he set up second)."""
    v = player.vagabond
    v.character, v.pawn = held.get("character", "thief"), held.get("pawn", "1")
    v.second = held.get("second", False)
    v.quests, v.coalition = list(held.get("completed", ())), held.get("coalition")
    own = PRINTED.characters[v.character].items
    starting = {
        "track": {i: n for i, n in own.items() if on_track(i)},
        "satchel-up": {i: n for i, n in own.items() if not on_track(i)},
    }
    given = held.get("own", starting)
    v.items = {spot: counted(given.get(spot, {})) for spot in SPOTS}


def furnish(
    board: Any,
    seats: Mapping[str, Mapping[str, Any]],
    *,
    quests: Iterable[str] | None = None,
    buried: Iterable[str] | Bag | None = None,
    unearthed: Mapping[str, Deck] | None = None,
    scorched: Iterable[str] = (),
) -> None:
    """Quests, ruins, relationships, and all items that nobody has: under ruins, in the supply, or out of the game."""
    boards = [p.vagabond for p in board.seats.values() if p.vagabond is not None]
    if not boards:
        return
    met = [p.faction for p in board.seats.values() if p.faction != "vagabond"]
    for seat, held in seats.items():
        if (v := board.seats[seat].vagabond) is not None:
            v.relationships = {**dict.fromkeys(met, "indifferent"), **held.get("relationships", {})}
    board.scorched = {c: {"torch": 1} for c in scorched}
    board.unearthed = dict(unearthed or {})
    done = [q for v in boards for q in v.quests]
    board.quests = list(quests) if quests is not None else [q for q in QUESTS if q not in done]
    board.quest_deck = pool_of({q: 1 for q in PRINTED.quests if q not in [*board.quests, *done]})
    while quests is None and len(board.quests) < 3:
        (first, *_) = board.quest_deck.cards()
        board.quest_deck = board.quest_deck.take(first)
        board.quests.append(first)
    _share_out(board, boards, buried)


def _share_out(board: Any, boards: list[Any], buried: Iterable[str] | Bag | None) -> None:
    rest = {i.id: i.supply for i in PRINTED.items.values()}
    hidden = ruin_items(len(boards))
    for more in (hidden, *(PRINTED.characters[v.character].items for v in boards)):
        for item, n in more.items():
            rest[item] = rest.get(item, 0) + n
    held = [bag for v in boards for bag in v.items.values()]
    held += [p.items for p in board.seats.values()] + list(board.scorched.values())
    held += [deck.cards() for deck in board.unearthed.values()]
    for bag in held:
        for item, n in bag.items():
            assert rest.get(item, 0) >= n, f"there are not {n} of {item} left"
            rest[item] -= n
    due = len(boards) * len([c for c in board.ruins if c not in board.unearthed])
    under = counted(buried) if buried is not None else _first(due, hidden, rest)
    board.buried = pool_of(under)
    rest = {i: n - under.get(i, 0) for i, n in rest.items()}
    board.items = {i: min(n, PRINTED.items[i].supply) for i, n in rest.items() if i in PRINTED.items}
    board.items = {i: n for i, n in board.items.items() if n}
    board.item_box = {i: n - board.items.get(i, 0) for i, n in rest.items() if n > board.items.get(i, 0)}


def _first(due: int, hidden: Bag, rest: Bag) -> dict[str, int]:
    """So many items of ruins, as far as nobody has them."""
    free = [i for i, n in hidden.items() for _ in range(min(n, rest.get(i, 0)))]
    assert len(free) >= due, "there are too few items to bury"
    return counted(free[:due])
