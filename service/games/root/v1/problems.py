"""What types and conservation cannot see: reasons why a table of Root cannot exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from service.engine.deck import Pool, Stratum
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs
from service.games.root.v1.figures import CLEARINGS, KEPT_BY, PRINTED, excluded_by, figures, pieces_of
from service.games.root.v1.frame_problems import beyond, frame_problems
from service.games.root.v1.mode_problems import plays_on
from service.games.root.v1.outcome_problems import outcome_problems
from service.games.root.v1.setup_problems import setup_problems
from service.games.root.v1.state import BOARDS, Player, field_of
from service.games.root.v1.woodland import BUILDINGS, open_slots

OWN_BOARDS = tuple((faction, field_of(faction)) for faction in BOARDS)


def of_players(t: Table) -> Iterator[Problem]:
    """Factions, and what lies in each player's places."""
    taken: list[str] = []
    most = figures(t).table["points-to-win"]
    for seat, p in t.board.seats.items():
        at = f"/table/seats/{seat}"
        yield from _faction(t, at, p, taken)
        for faction, own in OWN_BOARDS:  # a faction has its own board and no other's
            if (getattr(p, own) is not None) != (p.faction == faction):
                message = say("this board belongs to one who plays {faction}", faction=faction)
                yield Problem(f"{at}/{own}", message, "ROOT-SETUP-1")
        if p.crafted or p.dominance is not None:
            yield from _cards(at, p)
        if p.score is None or p.dominance is not None or p.score >= most:
            yield from _score(t, seat, at, p, most)
        own_pieces = pieces_of(str(p.faction))
        for piece in p.supply:
            if piece not in own_pieces:
                message = say("{what} is no piece of this faction", what=piece)
                yield Problem(f"{at}/supply/{piece}", message, "ROOT-COMP-1")


def _faction(t: Table, at: str, p: Player, taken: list[str]) -> Iterator[Problem]:
    if p.faction is None:
        if beyond(t, "deal"):
            yield Problem(f"{at}/faction", say("play has begun without a faction here"), "ROOT-SETUP-1")
        return
    if p.faction not in t.rules.choices["faction"]:
        message = say("nobody can play this faction yet: {faction}", faction=p.faction)
        yield Problem(f"{at}/faction", message, "ROOT-SETUP-1")
    elif taken.count(p.faction) >= PRINTED.factions[p.faction].copies:
        message = say("{faction} is taken by another seat", faction=p.faction)
        yield Problem(f"{at}/faction", message, "ROOT-SETUP-1")
    elif other := _excluded(p.faction, taken):
        message = say("{faction} plays with the pieces of {other}", faction=p.faction, other=other)
        yield Problem(f"{at}/faction", message, "ROOT-COMP-6")
    taken.append(p.faction)


def _excluded(faction: str, taken: list[str]) -> str | None:
    """One of these factions that plays with pieces of this one."""
    for other in excluded_by(faction):
        if other in taken:
            return other
    return None


def _cards(at: str, p: Player) -> Iterator[Problem]:
    for i, card in enumerate(p.crafted):
        if PRINTED.cards[card].kind != "persistent":
            message = say("{card} has no lasting effect", card=card)
            yield Problem(f"{at}/crafted/{i}", message, "ROOT-CRAFT-6")
    if p.dominance is not None and PRINTED.cards[p.dominance].kind != "dominance":
        yield Problem(f"{at}/dominance", say("{card} is no dominance card", card=p.dominance), "ROOT-DOM-1")


def _score(t: Table, seat: str, at: str, p: Player, most: int) -> Iterator[Problem]:
    """On the track below the points that win, or, with a dominance card activated, off it."""
    if (p.score is None) != (p.dominance is not None):
        message = say("the score marker is off the track if, and only if, a dominance card is activated")
        yield Problem(f"{at}/score", message, "ROOT-DOM-1")
    if p.score is not None and p.score >= most and t.outcome is None and not plays_on(t, seat):
        message = say("with {n} points the game is over", n=p.score)
        yield Problem(f"{at}/score", message, "ROOT-WIN-1")


def of_the_map(plugs: Plugs) -> Callable[[Table], Iterator[Problem]]:
    """Slots, ruins, and what a clearing holds at most once: a search with these factions' pieces."""
    single = plugs.one_a_clearing

    def search(t: Table) -> Iterator[Problem]:
        yield from _slots_and_ruins(t)
        for clearing, here in t.board.map.items():
            for piece, n in here.items():
                if n > 1 and piece in single:
                    message = say("a clearing holds one of {what} at most", what=piece)
                    yield Problem(f"/table/map/{clearing}/{piece}", message, single[piece])

    return search


def _slots_and_ruins(t: Table) -> Iterator[Problem]:
    for clearing in CLEARINGS:
        if (here := t.board.map.get(clearing)) is None:
            message = say("{clearing} has no entry", clearing=clearing)
            yield Problem("/table/map", message, "ROOT-MAP-1")
        elif not BUILDINGS.isdisjoint(here) and (room := open_slots(t, clearing)) < 0:
            message = say("{n} buildings too many for the slots", n=-room)
            yield Problem(f"/table/map/{clearing}", message, "ROOT-MAP-7")
    for i, clearing in enumerate(t.board.ruins):
        if not PRINTED.clearings[clearing].ruin:
            message = say("{clearing} never had a ruin", clearing=clearing)
            yield Problem(f"/table/ruins/{i}", message, "ROOT-SETUP-5")


def of_the_piles(t: Table) -> Iterator[Problem]:
    """Deck, discard pile, available cards, what has left the game, order of play."""
    yield from _deck(t)
    for card in t.board.discard:
        if card in KEPT_BY:
            message = say("{card} would be available instead", card=card)
            yield Problem(f"/table/discard/{card}", message, "ROOT-CARD-5")
    for card in t.board.available:
        if card not in KEPT_BY:
            message = say("{card} would lie in the discard pile", card=card)
            yield Problem(f"/table/available/{card}", message, "ROOT-CARD-5")
    for piece in t.board.box:
        if not PRINTED.pieces[piece].leaves_game:
            message = say("{what} never leaves the game", what=piece)
            yield Problem(f"/table/box/{piece}", message, "ROOT-COMP-3")
    if beyond(t, "deal", "seat") and sorted(t.board.order) != sorted(t.seats):
        yield Problem("/table/order", say("everybody has one place in the order of play"), "ROOT-SETUP-2")
    if not beyond(t, "deal") and t.board.order:
        yield Problem("/table/order", say("seats are drawn after the factions"), "ROOT-SETUP-2")


def _deck(t: Table) -> Iterator[Problem]:
    """Shuffled as one; nobody knows a card of it (ROOT-INFO-8). What was laid face down elsewhere counts here."""
    for i, segment in enumerate(t.board.deck.segments):
        at = f"/table/deck/segments/{i}"
        if i or not isinstance(segment, Pool):
            yield Problem(at, say("the deck is shuffled as one"), "ROOT-SETUP-4")
        elif any(s.size or s.mark is None for s in segment.strata[:-1]) or not all(
            map(_whole, segment.strata)
        ):
            yield Problem(f"{at}/strata", say("the deck is shuffled as one"), "ROOT-SETUP-4")


def _whole(stratum: Stratum) -> bool:
    """Whether all its cards are on the deck, but for those that were laid face down."""
    return stratum.mark is not None or stratum.size == sum(stratum.members.values())


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the checks."""
    for search in (of_players, of_the_map(plugs), of_the_piles):
        rules.check(search)
    rules.check(frame_problems(plugs))
    rules.check(outcome_problems)
    rules.check(setup_problems)
