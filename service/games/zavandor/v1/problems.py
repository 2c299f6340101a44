"""What types and conservation cannot see: reasons why a table of Zavandor cannot exist."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.artifacts import FreeAdvance, FreeSteps, FreeToken, GemLoss, GemLosses
from service.games.zavandor.v1.auctions import CARDS, Auction, on_offer
from service.games.zavandor.v1.components import DrawEnergy, living
from service.games.zavandor.v1.figures import TOKENS, figures
from service.games.zavandor.v1.gems import active_gems, capacity, early_right, owned
from service.games.zavandor.v1.hand_limit import NO_SUCH_DUST
from service.games.zavandor.v1.knowledge import SagesReward
from service.games.zavandor.v1.rounds import TurnOrder
from service.games.zavandor.v1.setup import Game
from service.games.zavandor.v1.state import Player, Round, Turn


def problems(t: Table) -> Iterator[Problem]:
    """Every reason, with its clause."""
    yield from _characters(t)
    dealt = all(p.character is not None for p in t.board.seats.values())
    if dealt and not (
        type(t.frames[0]) is Game and t.frames[0].step in ("deal", "equip") if t.frames else False
    ):
        for seat, p in t.board.seats.items():
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


def _frame(t: Table, frame: object, at: str) -> Iterator[Problem]:
    """The frames' own fields: seats in the game, cards that are there."""
    seat = getattr(frame, "seat", None)
    if seat is not None and t.board.seats[seat].out:
        yield Problem(f"{at}/seat", f"{seat} is out of the game", "ZAV-CURSE-4")
    dealing = any(isinstance(f, TurnOrder) for f in t.frames)
    if isinstance(frame, Turn | Round | Auction) and not t.board.order and not dealing:
        yield Problem("/table/order", "no position cards have been dealt", "ZAV-ORDER-2")
    if isinstance(frame, Auction):
        yield from _auction(t, frame, at)
    if (
        isinstance(frame, FreeAdvance | FreeSteps | FreeToken | GemLosses | GemLoss)
        and frame.card not in CARDS
    ):
        yield Problem(f"{at}/card", f"there is no card {frame.card}")
    if isinstance(frame, DrawEnergy) and (frame.left < 0 or frame.place not in ("energy", "waiting")):
        yield Problem(at, "no such draw")
    if isinstance(frame, SagesReward) and frame.cards < 0:
        yield Problem(f"{at}/cards", "no such draw")


def _auction(t: Table, f: Auction, at: str) -> Iterator[Problem]:
    if f.card not in CARDS or (f.step in ("bid", "pay") and f.card not in on_offer(t)):
        yield Problem(f"{at}/card", f"{f.card} is not on offer", "ZAV-AUC-1")
    if f.leader in f.passed:
        yield Problem(f"{at}/leader", "the highest bidder cannot have passed", "ZAV-AUC-5")


def declare(rules: Ruleset) -> None:
    """Register the checks."""
    rules.check(problems)
