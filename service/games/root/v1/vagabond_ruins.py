"""Chapter 16, ruins: exploring, and what two Vagabonds find there (ROOT-VAG-26, ROOT-VAG2-2 to -4, ROOT-INFO-11).

What lies under a ruin is not decided before somebody looks. With two Vagabonds two items lie there; who looks and
leaves one knows what he left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from service.engine.action import Action, ChanceAction, no, requires
from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import Control
from service.engine.deck import Deck, Run
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.places import changed
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.components import Plugs
from service.games.root.v1.figures import MARKED, OWN_ITEMS, SPOTS, figures
from service.games.root.v1.state import Amount, ClearingId
from service.games.root.v1.turn import prompt
from service.games.root.v1.vagabond import pawn_of
from service.games.root.v1.vagabond_items import (
    at_spot,
    exhaust,
    has_ready,
    in_a_clearing,
    items_in,
    place_for,
    vagabond,
    vagabonds,
)
from service.games.root.v1.victory import score


class Exploring(Frame, kw_only=True):
    """A Vagabond explores a ruin. `left`: items to be found; `knew`: who had looked there; `found`: he has his item."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]
    left: Public[Amount]
    knew: Annotated[Public[list[SeatRef]], Distinct("ROOT-VAG2-3")] = []
    found: Public[bool] = False


class Explore(Action, kind="explore"):
    """A torch for what lies under the ruin (ROOT-VAG-26)."""

    is_in_a_clearing = in_a_clearing()
    has_a_torch = has_ready("torch")

    @requires("ROOT-VAG-26", "is_in_a_clearing", about=("kind",))
    def has_a_ruin(t: Table, act: Any) -> Any:
        """A ruin stands where the pawn does."""
        here = pawn_of(t, act.actor)
        return here in t.board.ruins or no(clearing=here)

    def resolve(self, t: Table) -> Control:
        """He looks."""
        here = pawn_of(t, self.actor)
        exhaust(t, "ROOT-VAG-26", self.actor, "torch")
        known = known_there(t, here)
        left = 0 if known.size else len(vagabonds(t))
        return Exploring(seat=self.actor, clearing=here, left=left, knew=who_knows(known))


def known_there(t: Table, clearing: str) -> Deck:
    """The items of a ruin that somebody has looked at."""
    found: Deck = t.board.unearthed.get(clearing, Deck())
    return found


def who_knows(deck: Deck) -> list[str]:
    """Who has looked at them."""
    return [s for segment in deck.segments if isinstance(segment, Run) for s in segment.known_to or ()]


def shared(t: Table) -> bool:
    """Whether two Vagabonds play, so that two items lie under a ruin."""
    return len(vagabonds(t)) > 1


class FindItem(ChanceAction, kind="find-item", rule="ROOT-VAG-26"):
    """Which item lies under the ruin; of two only he who looks knows (ROOT-INFO-11)."""

    item = Pick("ROOT-VAG-26", OWN_ITEMS)

    @classmethod
    def odds(cls, t: Table, frame: Exploring) -> Mapping[str, int]:
        """Those that nobody has seen."""
        odds: Mapping[str, int] = t.board.buried.odds()
        return odds

    def sight(self, t: Table) -> frozenset[str] | None:
        """Everyone, or with two Vagabonds the one who looks."""
        return frozenset([self.frame.seat]) if shared(t) else None

    def resolve(self, t: Table) -> Control:
        """It is in his hands."""
        f: Exploring = self.frame
        f.left -= 1
        t.moved("ROOT-VAG-26", {self.item: 1}, ("buried",), hands(f.seat))
        return None


def hands(seat: str) -> tuple[str, ...]:
    """Where the items are that a Vagabond looks at."""
    return ("seats", seat, "vagabond", "looking")


def look(t: Table, f: Exploring) -> Control:
    """What is left of an earlier look he sees as well."""
    left = known_there(t, f.clearing).cards()
    if left:
        t.moved("ROOT-VAG2-3", left, ("unearthed", f.clearing), hands(f.seat))
    return None


def seen_by(t: Table, f: Exploring) -> dict[str, int]:
    """The items that he looks at."""
    return vagabond(t, f.seat).looking


def who_takes(t: Table, f: Exploring) -> str | None:
    """Of two items he takes one or none (ROOT-DEC-20)."""
    return f.seat if sum(seen_by(t, f).values()) > 1 else None


def may_keep(t: Table, seat: str, item: str) -> bool:
    """Not a marked item of a kind that he holds as a marked one already (ROOT-VAG2-4)."""
    return item not in MARKED or item not in items_in(t, seat, *SPOTS)


class TakeRuinItem(Action, kind="take-ruin-item"):
    """Take one of the two items."""

    item = Pick("ROOT-VAG2-3", lambda t, actor: sorted(vagabond(t, actor).looking), vocabulary=OWN_ITEMS)

    @requires("ROOT-VAG2-4", "item")
    def is_new_to_him(t: Table, act: Any) -> Any:
        """He has no other like it from a ruin."""
        return may_keep(t, act.actor, act.item) or no(item=act.item)

    def resolve(self, t: Table) -> Control:
        """It is taken openly."""
        keep(t, self.frame, self.item)
        return None


def keep(t: Table, f: Exploring, item: str) -> None:
    """The item is his, face up, and he scores (ROOT-VAG-26)."""
    f.found = True
    t.moved("ROOT-VAG-26", {item: 1}, hands(f.seat), at_spot(f.seat, place_for(t, f.seat, item)))
    score(t, "ROOT-VAG-26", f.seat, figures(t).table["explore-points"])


def take_the_only_one(t: Table, f: Exploring) -> Control:
    """Where there is but one item, there is no choice."""
    seen = seen_by(t, f)
    if not f.found and sum(seen.values()) == 1:
        (item,) = seen
        if may_keep(t, f.seat, item):
            keep(t, f, item)
    return None


def leave_the_rest(t: Table, f: Exploring) -> Control:
    """What is left goes back under the ruin, and he knows it; an empty ruin goes away."""
    if not f.found:
        t.tell("takes-nothing", "ROOT-VAG2-4", {"seat": f.seat, "clearing": f.clearing})
    rest = [item for item, n in sorted(seen_by(t, f).items()) for _ in range(n)]
    if rest:
        t.board = changed(t.board, ("unearthed", f.clearing), lambda _: Deck())
        knows = [*f.knew, *(s for s in (f.seat,) if s not in f.knew)]
        t.returned("ROOT-VAG2-3", rest, hands(f.seat), ("unearthed", f.clearing), known_to=knows)
        return None
    if f.clearing in t.board.unearthed:
        left = {c: deck for c, deck in t.board.unearthed.items() if c != f.clearing}
        t.board = changed(t.board, ("unearthed",), lambda _: left)
    t.set("ROOT-VAG-26", [c for c in t.board.ruins if c != f.clearing], "ruins")
    return None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Exploring,
        Ask(
            "find",
            lambda t, f: CHANCE if f.left else None,
            takes=(FindItem,),
            rule="ROOT-VAG-26",
            again=True,
        ),
        look,
        prompt("take", who_takes, (TakeRuinItem, Pass), "ROOT-VAG2-3"),
        take_the_only_one,
        leave_the_rest,
    )
