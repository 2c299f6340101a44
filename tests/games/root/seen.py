"""What there is to be seen in whole games of Root, and what a ply shows of it: the coverage report counts these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.games.root.v1.alliance import BASES
from service.games.root.v1.cult import GARDENS
from service.games.root.v1.cult_birdsong import CONSPIRACIES
from service.games.root.v1.cult_daylight import RITUALS
from service.games.root.v1.figures import (
    CHARACTERS,
    LEADERS,
    PERSISTENT,
    PRINTED,
    QUESTS,
    RELATIONSHIPS,
    SERVICES,
    of_kind,
)

# Each card's effect shows in events of these clauses; what a Scouting Party does shows in its own.
EFFECTS = {
    "ROOT-FX-1": "armorers", "ROOT-FX-2": "sappers", "ROOT-FX-3": "brutal-tactics", "ROOT-BATTLE-6": "scouting-party",
    "ROOT-FX-5": "royal-claim", "ROOT-FX-6": "stand-and-deliver", "ROOT-FX-7": "tax-collector",
    "ROOT-FX-8": "better-burrow-bank", "ROOT-FX-9": "cobbler", "ROOT-FX-11": "codebreakers",
}  # fmt: skip
# What the Cult does, and what befalls it.
RITES = {a.kind: f"rite {a.kind}" for a in (*CONSPIRACIES, *RITUALS)} | {
    "crusade-follow-up": "rite crusade-follow-up"
}
FAITH = {
    "ROOT-CULT-6": "fear", "ROOT-CULT-7": "new outcast", "ROOT-CULT-8": "hated outcast", "ROOT-CULT-21": "taken back",
}  # fmt: skip
KINDS = {"command-warren": "command-warren", "cobbler": "cobbler"}
TRACKS = ("sawmill", "workshop", "recruiter", "roost", "sympathy", *GARDENS.values())
POSTS = ("fox-post", "rabbit-post", "mouse-post")
BUYERS = ("marquise", "eyrie", "alliance", "cult", "vagabond")
PURCHASES = dict(zip(("buy-card", "buy-riverboats", "hire-mercenaries"), SERVICES, strict=True))
TRADE = {
    "ROOT-RIVER-6": "trade disruption", "ROOT-RIVER-13": "items for services", "ROOT-RIVER-30": "protectionism",
    "ROOT-RIVER-31": "dividends", "ROOT-RIVER-34": "river recruit", "ROOT-RIVER-35": "river craft",
    "ROOT-RIVER-36": "export", "ROOT-RIVER-40": "prices",
}  # fmt: skip
WON = (
    "points",
    "two at once",
    "suit dominance",
    "bird dominance",
    "coalition by points",
    "coalition by dominance",
    "the machine",
    "the machine against all",
    "all together",
    "the turn player's side",
)
# What the Mechanical Marquise does, and what the others do to it.
MACHINERY = {
    "ROOT-BOT-11": "strong clearings", "ROOT-BOT-12": "points against all", "ROOT-BOT-16": "machine fights",
    "ROOT-BOT-18": "machine moves", "ROOT-BOT-22": "machine recruits", "ROOT-BOT-27": "orders laid",
    "ROOT-BOT-4": "no ambush", "ROOT-BOT-2": "stolen from the deck", "ROOT-X-17": "delivered by the deck",
    "ROOT-VAG-28": "aid for the machine", "ROOT-X-18": "bank for the machine", "ROOT-WA-12": "outrage of the machine",
}  # fmt: skip
JOINT = {
    "ROOT-WIN-3": "the machine", "ROOT-COOP-4": "the machine against all", "ROOT-COOP-2": "all together",
    "ROOT-COOP-5": "the turn player's side",
}  # fmt: skip
ENDS = {
    "ROOT-WIN-1": "points", "ROOT-WIN-2": "two at once", "ROOT-DOM-2": "suit dominance", "ROOT-DOM-3": "bird dominance",
}  # fmt: skip


def everything() -> set[str]:
    """Every card effect, building space, base, leader, character, quest, relationship, rite and win path."""
    made = [*of_kind("item"), *of_kind("favor"), *PERSISTENT]
    found = {f"crafted {card}" for card in made} | {f"effect {card}" for card in PERSISTENT}
    found |= {"effect ambush", "effect foil"}
    found |= {f"{piece} {n}" for piece in TRACKS for n in range(1, PRINTED.pieces[piece].count + 1)}
    found |= {f"{post} {n}" for post in POSTS for n in range(1, PRINTED.pieces[post].count + 1)} | set(
        TRADE.values()
    )
    found |= {f"{service} for the {buyer}" for service in SERVICES for buyer in BUYERS}
    found -= {"mercenaries for the vagabond"}  # ROOT-RIVER-17
    found |= {"mercenaries battle", "mercenaries rule"}
    found |= set(BASES.values()) | {f"leader {leader}" for leader in LEADERS}
    found |= {f"character {c}" for c in CHARACTERS} | {f"special {c}" for c in CHARACTERS}
    found |= {f"quest {q}" for q in QUESTS} | {f"relationship {r}" for r in RELATIONSHIPS}
    found |= set(RITES.values()) | set(FAITH.values()) | {"revenge"} | set(MACHINERY.values())
    return found | {f"won by {how}" for how in WON}


SPECIALS = {
    "steal": "thief", "day-labor": "tinker", "hideout": "ranger", "instigate": "vagrant", "enlist-arbiter": "arbiter",
    "scorched-earth": "scoundrel",
}  # fmt: skip


def seen(ply: Any) -> Iterator[str]:
    """What this ply shows."""
    state = ply.judgement.state
    yield from _acted(ply)
    yield from _happened(ply.judgement.events)
    for piece in TRACKS:
        n = sum(here.get(piece, 0) for here in state.table.map.values())
        yield from (f"{piece} {i}" for i in range(1, n + 1))
    yield from (base for base in BASES.values() if any(base in here for here in state.table.map.values()))
    for post in POSTS:
        n = sum(here.get(post, 0) for here in state.table.map.values()) + state.table.box.get(post, 0)
        yield from (f"{post} {i}" for i in range(1, n + 1))
    for player in state.table.seats.values():
        yield from _of_a_player(player)
    if state.outcome is not None:
        yield _won(state)


def _acted(ply: Any) -> Iterator[str]:
    kind = ply.action["kind"]
    if kind in PURCHASES:
        yield f"{PURCHASES[kind]} for the {ply.state.table.seats[ply.action['actor']].faction}"
    yield from _hired(ply)
    if kind in SPECIALS:
        yield f"special {SPECIALS[kind]}"
    if kind in RITES:
        yield RITES[kind]
    if kind in KINDS:
        yield f"effect {KINDS[kind]}"


def _hired(ply: Any) -> Iterator[str]:
    """A buyer battles with mercenaries alone, or builds where he rules by them."""
    bought = next((f.services for f in ply.state.stack if hasattr(f, "services")), [])
    where = ply.action.get("clearing")
    here = ply.state.table.map.get(where, {}) if isinstance(where, str) else {}
    seat = ply.state.table.seats.get(ply.action["actor"])
    if "mercenaries" not in bought or "riverfolk-warrior" not in here or seat is None:
        return
    own = here.get(f"{seat.faction}-warrior", 0)
    if ply.action["kind"] in ("battle", "decree-battle", "command-warren") and not own:
        yield "mercenaries battle"
    others = max((n for p, n in here.items() if PRINTED.pieces[p].faction != seat.faction), default=0)
    if ply.action["kind"] in ("build", "decree-build") and own < others:
        yield "mercenaries rule"


def _happened(events: Any) -> Iterator[str]:
    for e in events:
        if e.because in EFFECTS:
            yield f"effect {EFFECTS[e.because]}"
        if e.because in FAITH:
            yield FAITH[e.because]
        if e.kind == "moved" and _from_the_map_to_the_acolytes(e.facts):
            yield "revenge"
        if e.because in TRADE:
            yield TRADE[e.because]
        if e.because in MACHINERY:
            yield MACHINERY[e.because]
        if e.kind == "crafted":
            yield f"crafted {e.facts['card']}"
        if e.kind in ("ambush", "foiled"):
            yield "effect ambush" if e.kind == "ambush" else "effect foil"


def _from_the_map_to_the_acolytes(moved: Any) -> bool:
    source, target = moved["source"] or [], moved["target"] or []
    return source[:1] == ["map"] and target[-1:] == ["acolytes"]


def _of_a_player(player: Any) -> Iterator[str]:
    if player.eyrie is not None and player.eyrie.leader:
        yield f"leader {player.eyrie.leader}"
    if player.vagabond is not None and player.vagabond.character:
        yield f"character {player.vagabond.character}"
        yield from (f"quest {q}" for q in player.vagabond.quests)
        yield from (f"relationship {r}" for r in player.vagabond.relationships.values())


def _won(state: Any) -> str:
    if state.outcome.because in JOINT:
        return f"won by {JOINT[state.outcome.because]}"
    how = ENDS[state.outcome.because]
    if len(state.outcome.winners) > 1:
        return f"won by coalition by {'points' if 'dominance' not in how else 'dominance'}"
    return f"won by {how}"
