"""House figures: which figures of the components a set-up may not override, and which do not go together."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.house import Overridable
from service.engine.houses import Unsound
from service.engine.message import say
from service.games.zavandor.v1.figures import Figures

MOST_SEATS = 6
NO_SUCH_DUST = (1, 3)
START = ("table", "start-gems", "value")

# Pieces and clauses rest on these: colours, letters, keys and effects, and what a state names a piece by.
OVERRIDABLE = Overridable(
    fixed={
        "characters": ("track", "stage"),
        "gems": ("colour", "needs"),
        "energy-cards": ("colour", "gem"),
        "concentrated": ("colour", "gem"),
        "tokens": ("price",),
        "artifacts": (
            "letter", "unlocks", "produces", "free_gem", "free_token", "free_advances", "others_lose_gem",
            "needs_active_gem",
        ),
        "sentinels": ("counts",),
        "positions": ("position", "condition"),
        "dust": ("tokens", "weights"),
        "table": ("deck-order", "paid-advances"),
    },
    apart=("table",),
    bounds={
        "characters.cards.*": (1, 100),
        "characters.early_ruby_stage": (1, 4),
        "gems.most_owned": (1, 100),
        "gems.supply": (1, 280),
        "energy-cards.value": (1, 200),
        "energy-cards.count": (1, 200),
        "concentrated.value": (1, 600),
        "tracks.percent[]": (0, 100),
        "artifacts.copies": (1, 100),
        "artifacts.most_owned": (1, 100),
        "table.copies-by-seats.*": (1, 100),
        "table.cards-per-concentrated": (1, 100),
        "table.bid-step": (1, 100),
        "table.sentinels-to-end": (1, 9),
    },
)  # fmt: skip


def unsound(f: Figures) -> Iterator[Unsound]:
    """What cannot be played together."""
    yield from _start(f)
    yield from _dust(f)
    yield from _tracks(f)
    yield from _hands(f)


def _start(f: Figures) -> Iterator[Unsound]:
    """The gems at the start are there for everybody, have their places and their limit, and count what is said."""
    start = f.table["start-gems"]
    for gem, n in start.items():
        if n * MOST_SEATS > f.gems[gem].supply:
            message = say(
                "{n} of {gem} for each of {seats} players are more than there are", n=n, gem=gem, seats=6
            )
            yield Unsound(("gems", gem, "supply"), message, "ZAV-SETUP-2", (START,))
        most = f.gems[gem].most_owned
        if most is not None and n > most:
            message = say("{n} of {gem} at the start; at most {most} may be owned", n=n, gem=gem, most=most)
            yield Unsound(("gems", gem, "most_owned"), message, "ZAV-GEM-7", (START,))
    yield from _first_cards(f)
    n, places = sum(start.values()), f.table["active-places"]
    if n > places:
        message = say("{n} active gems at the start on {places} places", n=n, places=places)
        yield Unsound(("table", "active-places", "value"), message, "ZAV-GEM-3", (START,))
    vp, total = f.table["start-vp"], sum(f.gems[g].vp * n for g, n in start.items())
    if vp != total:
        message = say("{vp} victory points at the start; the gems count {total}", vp=vp, total=total)
        also = (START, *(("gems", gem, "vp") for gem in start))
        yield Unsound(("table", "start-vp", "value"), message, "ZAV-SETUP-6", also)


def _first_cards(f: Figures) -> Iterator[Unsound]:
    """No deck runs out before the first turn (ZAV-INCOME-8)."""
    start = f.table["start-gems"]
    for colour in f.concentrated:
        each = sum(n for gem, n in start.items() if f.gems[gem].colour == colour)
        dealt = {c.id: c.cards.get(colour, 0) for c in f.characters.values()}
        n, cards = (
            sum(dealt.values()) + each * MOST_SEATS,
            [c for c in f.energy.values() if c.colour == colour],
        )
        if n > (held := sum(c.count for c in cards)):
            message = say(
                "{n} {colour} cards come before the first turn; there are {held}",
                n=n,
                colour=colour,
                held=held,
            )
            path = ("characters", max(dealt, key=lambda c: dealt[c]), "cards")
            also = (START, *(("energy-cards", c.id, "count") for c in cards))
            yield Unsound(path, message, "ZAV-COMP-4", also)


def _dust(f: Figures) -> Iterator[Unsound]:
    """There is no unit of 1, so nothing gives 1 or 3 dust (ZAV-COMP-6)."""
    given: list[tuple[tuple[str, ...], int]] = [
        (("characters", c.id, "dust"), c.dust) for c in f.characters.values()
    ]
    given += [(("tracks", "flow", "dust"), n) for n in f.tracks["flow"].dust]
    given += [(("dust", "dust", "opals"), n) for n in f.dust.opals]
    given += [(("dust", "dust", "three_opals"), f.dust.three_opals)]
    given += [(("table", "dust-per-concentrated", "value"), f.table["dust-per-concentrated"])]
    given += [
        (("table", "dust-per-missing-card", "value"), n) for n in f.table["dust-per-missing-card"].values()
    ]
    for path, n in given:
        if n in NO_SUCH_DUST:
            message = say("{dust} dust: the amounts 1 and 3 do not exist", dust=n)
            yield Unsound(path, message, "ZAV-COMP-6")


def _tracks(f: Figures) -> Iterator[Unsound]:
    """Markers never go down, and what a stage gives is never lost again; each colour has its stage."""
    for track, figure, given in (
        ("fire", "rubies", f.tracks["fire"].rubies),
        ("accumulation", "places", f.tracks["accumulation"].places),
    ):
        if list(given) != sorted(given):
            yield Unsound(("tracks", track, figure), say("a later stage gives no less"), "ZAV-KNOW-6")
    colours = [reward["colour"] for reward in f.tracks["sages"].reward]
    if len(set(colours)) < len(colours):
        message = say("each colour has one stage of the Nine Sages")
        yield Unsound(("tracks", "sages", "reward"), message, "ZAV-KNOW-SAGES-1")


def _hands(f: Figures) -> Iterator[Unsound]:
    """Nobody's hand limit can fall below 0."""
    for c in f.characters.values():
        less = sum(min(0, track.hand_limit) for track in f.tracks.values() if track.id != c.track)
        if c.hand_limit + less < 0:
            message = say("the hand limit could fall to {limit}", limit=c.hand_limit + less)
            also = tuple(
                ("tracks", track.id, "hand_limit") for track in f.tracks.values() if track.hand_limit < 0
            )
            yield Unsound(("characters", c.id, "hand_limit"), message, "ZAV-LIMIT-1", also)
