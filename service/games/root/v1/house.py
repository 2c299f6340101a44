"""House figures: which figures of the components a set-up may not override, and which do not go together."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.house import Overridable
from service.engine.houses import Unsound
from service.engine.message import say
from service.games.root.v1.figures import CLEARINGS, CORNERS, PRINTED, Figures

ONE_EACH = ("keep", "fox-base", "rabbit-base", "mouse-base")
MOST_NEXT_TO_A_CORNER = max(len(PRINTED.clearings[c].paths) for c in CORNERS)

# The map, the suits and kinds of cards, what ruins hold, the dice and the columns are what the clauses rest on.
OVERRIDABLE = Overridable(
    fixed={
        "suits": ("clearings",),
        "cards": ("suit", "kind", "item", "favors"),
        "decree-cards": ("suit", "count"),
        "items": ("ruins", "track", "for_sale"),
        "spots": ("lies",),
        "marked-items": ("item", "count"),
        "clearings": ("suit", "slots", "ruin", "paths", "rivers", "rank", "opposite", "forests"),
        "forests": ("clearings", "forests"),
        "factions": ("setup", "copies", "automatic", "borrows", "reach"),
        "pieces": ("faction", "kind", "suit", "leaves_game"),
        "characters": ("special",),
        "quests": ("suit", "count"),
        "table": ("dice", "number-of-dice", "decree-columns", "viziers", "reach-by-players", "least-reach"),
    },
    apart=("table",),
    bounds={
        "cards.count": (1, 10),
        "cards.cost": (0, 6),
        "cards.points": (0, 30),
        "items.supply": (0, 10),
        "pieces.count": (1, 30),
        "pieces.cost": (0, 30),
        "pieces.points": (0, 30),
        "pieces.draw": (0, 30),
        "pieces.cost[]": (0, 30),
        "pieces.points[]": (0, 30),
        "pieces.draw[]": (0, 3),
        "characters.items.*": (1, 4),
        "quests.items.*": (1, 4),
        "relationships.aids_to_next": (1, 10),
        "relationships.points": (0, 30),
        "table.points-to-win": (1, 200),
        "table.points-per-win": (0, 30),
        "table.hand-limit": (0, 54),
        "table.starting-hand": (0, 8),
        "table.ambush-hits": (0, 20),
        "table.dominance-points": (0, 200),
        "table.dominance-clearings": (1, 4),
        "table.marquise-actions": (0, 20),
        "table.eyrie-warriors": (0, 30),
        "table.new-roost-warriors": (0, 30),
        "table.decree-cards-a-turn": (1, 10),
        "table.supporters-at-setup": (0, 10),
        "table.supporters-without-base": (0, 54),
        "table.revolt-supporters": (1, 10),
        "table.martial-law": (1, 100),
        "table.crusade-acolytes": (1, 30),
        "table.convert-acolytes": (1, 30),
        "table.sanctify-acolytes": (1, 30),
        "table.hated-discount": (0, 29),
        "table.cult-warriors": (0, 30),
        "table.cult-warriors-nearby": (0, 10),
        "table.scores-a-suit": (0, 10),
        "table.quests-face-up": (0, 15),
        "table.quest-cards": (0, 10),
        "table.track-capacity": (0, 10),
        "table.item-limit": (0, 60),
        "table.item-limit-per-bag": (0, 60),
        "table.refresh": (0, 60),
        "table.refresh-per-tea": (0, 60),
        "table.hideout-repairs": (1, 60),
        "table.coalition-players": (2, 6),
        "table.highest-price": (1, 30),
        "table.river-warriors": (0, 30),
        "table.river-payments": (0, 30),
        "table.protectionism": (0, 30),
        "table.funds-per-dividend": (1, 30),
        "table.trade-post-funds": (0, 30),
        "table.orders": (1, 20),
        "table.strong-clearing-warriors": (1, 30),
        "table.strong-clearing-points": (0, 30),
        "table.warriors-left-behind": (0, 30),
        "table.gift-points": (0, 30),
    },
)


def unsound(f: Figures) -> Iterator[Unsound]:
    """What cannot be played together."""
    yield from _tracks(f)
    yield from _garrison(f)
    yield from _chart(f)
    yield from _conspiracies(f)
    n, least = f.table["supporters-at-setup"], f.table["supporters-without-base"]
    if n > least:
        message = say("{n} supporters at the start; without a base there are {most} at most", n=n, most=least)
        also = (("table", "supporters-without-base", "value"),)
        yield Unsound(("table", "supporters-at-setup", "value"), message, "ROOT-WA-2", also)


def _tracks(f: Figures) -> Iterator[Unsound]:
    """A track has a space for each piece that lies on it, and nothing else has a track (ROOT-COMP-1)."""
    for piece, printed in PRINTED.pieces.items():
        mine = f.pieces[piece]
        if piece in ONE_EACH and mine.count != 1:
            message = say("{n} of {what}; there is one", n=mine.count, what=piece)
            yield Unsound(("pieces", piece, "count"), message, "ROOT-COMP-1")
        for figure in ("cost", "points", "draw"):
            spaces, due = len(getattr(mine, figure)), mine.count if getattr(printed, figure) else 0
            if spaces != due:
                message = say("{spaces} spaces for {n} of {what}", spaces=spaces, n=due, what=piece)
                yield Unsound(
                    ("pieces", piece, figure), message, "ROOT-COMP-1", (("pieces", piece, "count"),)
                )


def _garrison(f: Figures) -> Iterator[Unsound]:
    """There are warriors for what set-up places (ROOT-SETUP-9, ROOT-SETUP-10, ROOT-SETUP-13, ROOT-SETUP-14)."""
    river = ("river-warriors", "river-payments")
    for piece, due, also in (
        ("marquise-warrior", len(CLEARINGS) - 1, ()),
        ("eyrie-warrior", f.table["eyrie-warriors"], (("table", "eyrie-warriors", "value"),)),
        (
            "cult-warrior",
            f.table["cult-warriors"] + MOST_NEXT_TO_A_CORNER * f.table["cult-warriors-nearby"],
            tuple(("table", figure, "value") for figure in ("cult-warriors", "cult-warriors-nearby")),
        ),
        ("riverfolk-warrior", sum(f.table[n] for n in river), tuple(("table", n, "value") for n in river)),
    ):
        if (n := f.pieces[piece].count) < due:
            message = say("{n} of {what}; set-up places {due}", n=n, what=piece, due=due)
            yield Unsound(("pieces", piece, "count"), message, "ROOT-SETUP-7", also)


def _conspiracies(f: Figures) -> Iterator[Unsound]:
    """A Hated Outcast makes no conspiracy free: it would be repeated for ever (ROOT-CULT-10)."""
    saved = f.table["hated-discount"]
    for price in ("crusade-acolytes", "convert-acolytes", "sanctify-acolytes"):
        if (n := f.table[price]) <= saved:
            message = say("{n} acolytes, of which a Hated Outcast saves {saved}", n=n, saved=saved)
            also = (("table", "hated-discount", "value"),)
            yield Unsound(("table", price, "value"), message, "ROOT-CULT-10", also)


def _chart(f: Figures) -> Iterator[Unsound]:
    """A relationship that leads to no next one leads to none, and the others are reached by aid (ROOT-VAG-50)."""
    for space, printed in PRINTED.relationships.items():
        if (f.relationships[space].aids_to_next is None) != (printed.aids_to_next is None):
            message = say("this space of the chart leads on only where the printed one does")
            yield Unsound(("relationships", space, "aids_to_next"), message, "ROOT-VAG-50")
