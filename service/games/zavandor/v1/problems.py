"""What types and conservation cannot see: reasons why a table of Zavandor cannot exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from service.engine.frames import Frame
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.artifacts import FreeAdvance, FreeGem, FreeSteps, FreeToken, GemLoss, GemLosses
from service.games.zavandor.v1.auctions import (
    CARDS,
    Auction,
    least_bid,
    net_price,
    next_bidder,
    on_offer,
    owns_the_only_one,
)
from service.games.zavandor.v1.components import DrawEnergy, living
from service.games.zavandor.v1.energy import means
from service.games.zavandor.v1.figures import TOKENS, Artifact, figures
from service.games.zavandor.v1.gems import active_gems, capacity, early_right, owned
from service.games.zavandor.v1.hand_limit import NO_SUCH_DUST
from service.games.zavandor.v1.knowledge import SagesReward
from service.games.zavandor.v1.rounds import Refill, TurnOrder
from service.games.zavandor.v1.setup import Game
from service.games.zavandor.v1.state import Player, Round, Turn


def problems(t: Table) -> Iterator[Problem]:
    """Every reason, with its clause."""
    yield from _characters(t)
    dealing = bool(t.frames) and isinstance(t.frames[0], Game) and t.frames[0].step == "deal"
    for seat, p in t.board.seats.items():
        if dealing:
            yield from _undealt(t, f"/table/seats/{seat}", p)
        elif p.character is not None:
            yield from _player(t, seat, p)
    yield from _order(t)
    yield from _piles(t)
    for i, frame in enumerate(t.frames):
        yield from _frame(t, frame, f"/stack/{i}")


def _characters(t: Table) -> Iterator[Problem]:
    named = [p.character for p in t.board.seats.values() if p.character is not None]
    for seat, p in t.board.seats.items():
        if p.character is not None and named.count(p.character) > 1:
            yield Problem(f"/table/seats/{seat}/character", f"{p.character} is dealt twice", "ZAV-COMP-1")
        if p.character is None and not (t.frames and t.frames[0].step == "deal"):
            yield Problem(f"/table/seats/{seat}/character", "every player has a character", "ZAV-COMP-1")


def _undealt(t: Table, at: str, p: Player) -> Iterator[Problem]:
    """Nothing is handed out before everybody has a character."""
    if p != Player(character=p.character, tokens=list(figures(t).tokens)):
        yield Problem(at, "nothing is handed out before the characters are dealt", "ZAV-SETUP-1")


def _player(t: Table, seat: str, p: Player) -> Iterator[Problem]:
    at = f"/table/seats/{seat}"
    if p.out:
        yield from _gone(at, p)
        return
    for field in ("dust", "waiting_dust"):
        if getattr(p, field) in NO_SUCH_DUST:
            yield Problem(f"{at}/{field}", "the amounts 1 and 3 do not exist", "ZAV-PAY-2")
    if active_gems(p) > capacity(t, p):
        yield Problem(f"{at}/active", f"{active_gems(p)} active gems on {capacity(t, p)} places", "ZAV-GEM-3")
    yield from _limits(t, at, p)
    yield from _tokens(t, at, p)
    yield from _early(t, at, p)


def _gone(at: str, p: Player) -> Iterator[Problem]:
    """Who is out of the game holds nothing (ZAV-CURSE-3)."""
    for field in (
        "energy",
        "concentrated",
        "dust",
        "active",
        "inactive",
        "waiting",
        "waiting_dust",
        "artifacts",
        "sentinels",
    ):
        if getattr(p, field):
            yield Problem(f"{at}/{field}", "who is out of the game holds nothing", "ZAV-CURSE-3")


def _limits(t: Table, at: str, p: Player) -> Iterator[Problem]:
    f = figures(t)
    for gem in f.gems.values():
        if gem.most_owned is not None and owned(p, gem.id) > gem.most_owned:
            yield Problem(at, f"{owned(p, gem.id)} of {gem.id}; at most {gem.most_owned}", "ZAV-GEM-7")
    for artifact, n in p.artifacts.items():
        most = f.artifacts[artifact].most_owned
        if most is not None and n > most:
            yield Problem(f"{at}/artifacts/{artifact}", f"{n} of {artifact}; at most {most}", "ZAV-AUC-7")


def _tokens(t: Table, at: str, p: Player) -> Iterator[Problem]:
    """Five purchasable tokens: unbought, on the pentagon, or on a track besides the start track (ZAV-COMP-8)."""
    start = figures(t).characters[str(p.character)].track
    if start not in p.tracks:
        yield Problem(f"{at}/tracks", f"the marker on the start track {start} is missing", "ZAV-SETUP-3")
        return
    if len(set(p.tokens)) != len(p.tokens):
        yield Problem(f"{at}/tokens", "a token lies here twice", "ZAV-SETUP-5")
    elif (total := len(p.tokens) + p.bought + len(p.tracks) - 1) != len(TOKENS):
        yield Problem(at, f"{total} purchasable tokens in all; there are {len(TOKENS)}", "ZAV-COMP-8")


def _early(t: Table, at: str, p: Player) -> Iterator[Problem]:
    most = figures(t).characters[str(p.character)].early_rubies
    if p.early_rubies > most or (p.early_rubies and not early_right(t, p)):
        yield Problem(f"{at}/early_rubies", "no such ruby can have been bought", "ZAV-KNOW-FIRE-3")


def _order(t: Table) -> Iterator[Problem]:
    order = t.board.order
    if len(set(order)) != len(order):
        yield Problem("/table/order", "a seat has two position cards", "ZAV-ORDER-2")
    missing = [s for s in living(t) if s not in order]
    if missing and order:
        yield Problem("/table/order", f"without a position card: {', '.join(missing)}", "ZAV-ORDER-2")
    if not living(t):
        yield Problem("/table/seats", "nobody is in the game", "ZAV-CURSE-4")
    if len(living(t)) == 1 and t.outcome is None:
        yield Problem("/table/seats", "with one player left the game is over", "ZAV-CURSE-4")


def _piles(t: Table) -> Iterator[Problem]:
    f = figures(t)
    for colour in f.concentrated:
        for name in ("decks", "discards"):
            if colour not in getattr(t.board, name):
                yield Problem(f"/table/{name}", f"there is no {colour} pile", "ZAV-COMP-4")


def _frame(t: Table, frame: Any, at: str) -> Iterator[Problem]:
    """The frames' own fields: seats in the game, cards that are there and do what the frame says."""
    seat = getattr(frame, "seat", None)
    if seat is not None and t.board.seats[seat].out:
        yield Problem(f"{at}/seat", f"{seat} is out of the game", "ZAV-CURSE-4")
    dealing = any(isinstance(f, TurnOrder) for f in t.frames)
    if isinstance(frame, Turn | Round | Auction) and not t.board.order and not dealing:
        yield Problem("/table/order", "no position cards have been dealt", "ZAV-ORDER-2")
    elif (check := CHECKS.get(type(frame))) is not None:
        yield from check(t, frame, at)


def _round(t: Table, f: Round, at: str) -> Iterator[Problem]:
    """Whose turn or income is still to come, each once, in position order (ZAV-ROUND-2)."""
    turn = next((g.seat for g in t.frames if isinstance(g, Turn)), None)
    still = [*([] if turn is None else [turn]), *f.waiting]
    if still != [s for s in t.board.order if s in still]:
        yield Problem(f"{at}/waiting", "these are not in position order, each once", "ZAV-ROUND-2")


def _turn_order(t: Table, f: TurnOrder, at: str) -> Iterator[Problem]:
    if len(set(f.order)) != len(f.order) or any(t.board.seats[s].out for s in f.order):
        yield Problem(f"{at}/order", "a seat has two position cards, or is out of the game", "ZAV-ORDER-2")


def _refill(t: Table, f: Refill, at: str) -> Iterator[Problem]:
    if f.because not in ("ZAV-REFILL-1", "ZAV-SETUP-8"):
        yield Problem(f"{at}/because", f"{f.because} turns up no artifacts")


def _draw(t: Table, f: DrawEnergy, at: str) -> Iterator[Problem]:
    place = DRAWS.get(f.because)
    if place != f.place:
        yield Problem(at, f"{f.because} draws no cards to {f.place}")
    if not 1 <= f.left < figures(t).table["cards-per-concentrated"]:
        yield Problem(f"{at}/left", "one to three cards are drawn at once", "ZAV-INCOME-4")


def _reward(t: Table, f: SagesReward, at: str) -> Iterator[Problem]:
    if {"colour": f.colour, "cards": f.cards} not in figures(t).tracks["sages"].reward:
        yield Problem(f"{at}/cards", "no stage gives these cards", "ZAV-KNOW-SAGES-1")


def _effect(t: Table, f: Any, at: str) -> Iterator[Problem]:
    """The card that has the effect, in the hands of the one who has just acquired it."""
    does, rule = EFFECTS[type(f)]
    artifact = figures(t).artifacts.get(f.card)
    if artifact is None or not does(artifact):
        yield Problem(f"{at}/card", f"{f.card} has no such effect", rule)
    elif isinstance(f, FreeAdvance | FreeSteps | FreeToken) and f.card not in t.board.seats[f.seat].artifacts:
        yield Problem(f"{at}/card", f"{f.seat} does not own {f.card}", rule)


def _gem(t: Table, f: FreeGem, at: str) -> Iterator[Problem]:
    held = t.board.seats[f.seat].artifacts
    if not any(figures(t).artifacts[a].free_gem == f.gem for a in held):
        yield Problem(f"{at}/gem", f"{f.seat} owns nothing that gives {f.gem}", "ZAV-ART-ELIXIR-2")


def _auction(t: Table, f: Auction, at: str) -> Iterator[Problem]:
    if f.card not in CARDS or (f.step in ("bid", "pay") and f.card not in on_offer(t)):
        yield Problem(f"{at}/card", f"{f.card} is not on offer", "ZAV-AUC-1")
        return
    if f.bid < least_bid(t, f.card):
        yield Problem(f"{at}/bid", "no bid is below the printed minimum", "ZAV-AUC-2")
    if f.leader in f.passed:
        yield Problem(f"{at}/leader", "the highest bidder cannot have passed", "ZAV-AUC-5")
    if len(set(f.passed)) != len(f.passed):
        yield Problem(f"{at}/passed", "nobody passes twice", "ZAV-AUC-5")
    if f.step not in ("bid", "pay"):
        return
    if t.board.seats[f.leader].out:
        yield Problem(f"{at}/leader", f"{f.leader} is out of the game", "ZAV-CURSE-4")
    elif owns_the_only_one(t, f.leader, f.card):
        yield Problem(f"{at}/leader", f"{f.leader} owns {f.card} already", "ZAV-AUC-7")
    elif f.step == "pay":
        yield from _price(t, f, at)


def _price(t: Table, f: Auction, at: str) -> Iterator[Problem]:
    price = net_price(t, f.leader, f.card, f.bid)
    if f.price != price:
        yield Problem(f"{at}/price", f"the net price is {price}", "ZAV-AUC-9")
    elif means(t, f.leader) < price:
        yield Problem(f"{at}/price", f"{f.leader} cannot pay {price}", "ZAV-CURSE-1")
    if next_bidder(t, f) is not None:
        yield Problem(f"{at}/step", "the auction is not over", "ZAV-AUC-6")


DRAWS: Mapping[str, str] = {"ZAV-INCOME-3": "energy", "ZAV-SETUP-4": "energy", "ZAV-KNOW-SAGES-1": "waiting"}

EFFECTS: Mapping[type[Frame], tuple[Callable[[Artifact], bool], str]] = {
    FreeAdvance: (lambda a: a.free_advances == 1, "ZAV-KNOW-10"),
    FreeSteps: (lambda a: a.free_advances > 1, "ZAV-ART-TALISMAN-1"),
    FreeToken: (lambda a: a.free_token, "ZAV-ART-MIRROR-1"),
    GemLosses: (lambda a: a.others_lose_gem, "ZAV-ART-MIRROR-2"),
    GemLoss: (lambda a: a.others_lose_gem, "ZAV-ART-MIRROR-2"),
}

CHECKS: Mapping[type[Frame], Callable[[Table, Any, str], Iterator[Problem]]] = {
    Round: _round,
    TurnOrder: _turn_order,
    Refill: _refill,
    DrawEnergy: _draw,
    SagesReward: _reward,
    Auction: _auction,
    FreeGem: _gem,
    **dict.fromkeys(EFFECTS, _effect),
}


def declare(rules: Ruleset) -> None:
    """Register the checks."""
    rules.check(problems)
