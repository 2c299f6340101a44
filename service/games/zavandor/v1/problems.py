"""What types and conservation cannot see: reasons why a table of Zavandor cannot exist."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import lru_cache

from service.engine.deck import Blank, Deck, Pool, Run
from service.engine.message import say
from service.engine.rule import pointer
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.components import living
from service.games.zavandor.v1.figures import Figures, figures
from service.games.zavandor.v1.frame_problems import frame_problems
from service.games.zavandor.v1.moment import Moment, moment
from service.games.zavandor.v1.outcome_problems import outcome_problems
from service.games.zavandor.v1.player_problems import character_problems, player_problems
from service.games.zavandor.v1.rounds import gem_vp
from service.games.zavandor.v1.scoring import sold
from service.games.zavandor.v1.setup import artifact_deck


def of_players(t: Table) -> Iterator[Problem]:
    """Characters, and what each player holds."""
    m = moment(t)
    yield from character_problems(t, m)
    for seat, p in t.board.seats.items():
        yield from player_problems(t, m, seat, p)
    left = [s for s, p in t.board.seats.items() if not p.out]
    if not left:
        yield Problem("/table/seats", say("nobody is in the game"), "ZAV-CURSE-4")
    if len(left) == 1 and t.outcome is None:
        message = say("{seat} is alone in the game, so it is over", seat=left[0])
        yield Problem("/table/seats", message, "ZAV-CURSE-4")


def of_the_table(t: Table) -> Iterator[Problem]:
    """Round, position cards, sentinels, and the piles in the middle."""
    m = moment(t)
    yield from _round(t, m)
    yield from _order(t, m)
    yield from _sentinels(t, m)
    yield from _display(t, m)
    yield from _gone(t, m)
    yield from _energy_piles(t, m)
    yield from _artifact_deck(t, m)


def _round(t: Table, m: Moment) -> Iterator[Problem]:
    n = t.board.round
    if m.before_play and n:
        yield Problem(
            "/table/round", say("it is round {n}, yet the game is being set up", n=n), "ZAV-ROUND-1"
        )
    if m.phase != "between" and not m.before_play and not n:
        yield Problem("/table/round", say("it is round {n}, yet play has begun", n=n), "ZAV-ROUND-1")


def _order(t: Table, m: Moment) -> Iterator[Problem]:
    order = t.board.order
    if not order:
        if m.phase not in ("deal", "set-up", "order", "between"):
            yield Problem("/table/order", say("no position cards have been dealt"), "ZAV-ORDER-2")
        return
    if m.before_play or (m.phase == "order" and t.board.round == 1):
        yield Problem("/table/order", say("the first position cards are still to be dealt"), "ZAV-ORDER-2")
    missing = [s for s in living(t) if s not in order]
    if missing:
        message = say("without a position card: {missing}", missing=", ".join(missing))
        yield Problem("/table/order", message, "ZAV-ORDER-2")
    if m.phase in ("refill", "income"):
        for i, seat in enumerate(order):
            if t.board.seats[seat].out:
                message = say("{seat} is out of the game since an earlier round", seat=seat)
                yield Problem(f"/table/order/{i}", message, "ZAV-CURSE-4")
    if m.phase not in ("order", "over"):
        yield from _ranks(t, order, gems=m.phase in ("refill", "income"))


def _ranks(t: Table, order: list[str], gems: bool) -> Iterator[Problem]:
    """Most victory points first; the track has not changed since. Ties go by gems, which change in turns."""
    seats = t.board.seats
    rank = [(seats[s].vp, gem_vp(t, seats[s]) if gems else 0) for s in order]
    for i, (one, other) in enumerate(itertools.pairwise(rank), 1):
        if other > one:
            message = say("{seat} has more victory points than {before}", seat=order[i], before=order[i - 1])
            yield Problem(f"/table/order/{i}", message, "ZAV-ORDER-2" if other[0] > one[0] else "ZAV-ORDER-3")


def _sentinels(t: Table, m: Moment) -> Iterator[Problem]:
    most = figures(t).table["sentinels-to-end"]
    n = sold(t)
    if n >= most and m.just_scored:
        message = say("{n} sentinels are sold, so the game ended with the last round", n=n)
        yield Problem("/table/sentinels", message, "ZAV-END-1")


def _display(t: Table, m: Moment) -> Iterator[Problem]:
    shown = sum(t.board.display.values())
    if shown > len(t.seats):
        message = say("{shown} artifacts lie face up; there are never more than players", shown=shown)
        yield Problem("/table/display", message, "ZAV-REFILL-1")
    if m.phase == "deal" and shown:
        yield Problem("/table/display", say("nothing lies face up before the deal"), "ZAV-SETUP-8")
    if m.phase == "income" and shown < len(living(t)) and t.board.deck.size:
        message = say("{shown} artifacts lie face up, fewer than players", shown=shown)
        yield Problem("/table/display", message, "ZAV-REFILL-1")


def _gone(t: Table, m: Moment) -> Iterator[Problem]:
    """Only what belonged to somebody who is out of the game has left it."""
    if any(p.out for p in t.board.seats.values()):
        return
    for name in ("gone_artifacts", "gone_sentinels"):
        if getattr(t.board, name):
            message = say("nothing has left the game, for nobody is out of it")
            yield Problem(f"/table/{name}", message, "ZAV-CURSE-3")


def _energy_piles(t: Table, m: Moment) -> Iterator[Problem]:
    f = figures(t)
    for colour in f.concentrated:
        for name in ("decks", "discards"):
            if colour not in getattr(t.board, name):
                message = say("there is no {colour} pile", colour=colour)
                yield Problem(f"/table/{name}", message, "ZAV-COMP-4")
    for colour, deck in t.board.decks.items():
        yield from _energy_deck(t, f"/table/decks/{colour}", colour, deck)
    for colour, pile in t.board.discards.items():
        if pile and m.before_play:
            message = say("nothing is discarded before the first round")
            yield Problem(f"/table/discards/{colour}", message, "ZAV-SETUP-9")
        for card in pile:
            if f.energy[card].colour != colour:
                yield _misplaced(f"/table/discards/{colour}/{card}", card, colour, "ZAV-COMP-9")


def _energy_deck(t: Table, at: str, colour: str, deck: Deck) -> Iterator[Problem]:
    """One pile of one colour, shuffled whole."""
    energy = figures(t).energy
    if len(deck.segments) > 1:
        yield Problem(f"{at}/segments", say("an energy deck is shuffled as one"), "ZAV-SETUP-9")
    yield from _shuffled_whole(at, deck, "ZAV-SETUP-9")
    for segment in deck.segments:
        for card in _kinds(segment):
            if card in energy and energy[card].colour != colour:
                yield _misplaced(at, card, colour, "ZAV-COMP-4")


def _kinds(segment: Run | Pool | Blank) -> Iterable[str]:
    """The kinds of cards that lie in a part of a deck."""
    if isinstance(segment, Blank):
        return []
    return segment.cards if isinstance(segment, Run) else [c for s in segment.strata for c in s.members]


def _misplaced(at: str, card: str, colour: str, rule: str) -> Problem:
    return Problem(at, say("{card} does not belong to the {colour} pile", card=card, colour=colour), rule)


def _shuffled_whole(at: str, deck: Deck, rule: str) -> Iterator[Problem]:
    """Nobody knows a card of this deck, and none was set aside."""
    for i, segment in enumerate(deck.segments):
        where = f"{at}/segments/{i}"
        if not isinstance(segment, Pool):
            yield Problem(where, say("nobody knows the order of the cards here"), rule)
        elif len(segment.strata) > 1:
            yield Problem(f"{where}/strata", say("these cards are shuffled as one"), rule)
        else:
            for stratum in segment.strata:
                if stratum.size != (held := sum(stratum.members.values())):
                    message = say(
                        "{size} cards of {held}; none is ever set aside", size=stratum.size, held=held
                    )
                    yield Problem(f"{where}/strata/0/size", message, rule)


def _artifact_deck(t: Table, m: Moment) -> Iterator[Problem]:
    """The letters from top to bottom, each shuffled by itself (ZAV-SETUP-8)."""
    f, rule = figures(t), "ZAV-SETUP-8"
    rank = {letter: i for i, letter in enumerate(f.table["deck-order"])}
    yield from _shuffled_whole("/table/deck", t.board.deck, rule)
    before, top = -1, None
    for i, segment in enumerate(t.board.deck.segments):
        letters_in = {f.artifacts[c].letter for c in _kinds(segment) if c in f.artifacts}
        found = sorted(letters_in, key=lambda letter: rank[letter])
        at = f"/table/deck/segments/{i}"
        if len(found) > 1:
            letters = ", ".join(found)
            yield Problem(
                at, say("cards of the letters {letters} are never shuffled together", letters=letters), rule
            )
        elif found and rank[found[0]] <= before:
            yield Problem(at, say("the letter {letter} lies too deep", letter=found[0]), rule)
        before = max([before, *(rank[x] for x in found)])
        top = top or (found[-1] if found else None)
    if top is not None:
        yield from _came_up(t, top)
    yield from _drawn(t, m)


def _came_up(t: Table, top: str) -> Iterator[Problem]:
    """As long as there are cards of a letter in the deck, none of those below has been turned up."""
    deeper, board = figures(t).deeper[top], t.board
    places: list[tuple[tuple[str, ...], dict[str, int]]] = [
        (("display",), board.display),
        (("gone_artifacts",), board.gone_artifacts),
        *((("seats", seat, "artifacts"), p.artifacts) for seat, p in board.seats.items()),
    ]
    for at, bag in places:
        if not deeper.isdisjoint(bag):
            for card in sorted(deeper & bag.keys()):
                message = say("{card} has come up before cards of the letter {letter}", card=card, letter=top)
                yield Problem("/table" + pointer(*at, card), message, "ZAV-SETUP-8")


def _drawn(t: Table, m: Moment) -> Iterator[Problem]:
    """Set-up and every later round turn up one artifact a player at most (ZAV-SETUP-8, ZAV-REFILL-1)."""
    whole, most = (
        whole_deck(figures(t), len(t.seats)),
        len(t.seats) * max(1, t.board.round - (m.phase == "order")),
    )
    if whole > most and (n := whole - t.board.deck.size) > most:
        message = say(
            "{n} artifacts turned up by round {round}; at most {most}", n=n, round=t.board.round, most=most
        )
        yield Problem("/table/deck", message, "ZAV-REFILL-1")


@lru_cache(maxsize=16)
def whole_deck(f: Figures, seats: int) -> int:
    """How many artifacts a game of so many players has."""
    return artifact_deck(f, seats).size


def declare(rules: Ruleset) -> None:
    """Register the checks."""
    for search in (of_players, of_the_table, frame_problems, outcome_problems):
        rules.check(search)
