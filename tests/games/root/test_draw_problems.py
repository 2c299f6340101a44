"""Who draws what, how many and why: a list of changes to draws of every kind, and where each is told."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from service.engine.problems import problems
from service.games.root.v1 import RULES
from service.games.root.v1.cards import Draw, TakeRandomCard
from tests.games.root.ally import woodland
from tests.games.root.robot import against
from tests.games.root.rogue import FOX, rogue, up
from tests.games.root.table import CAT, OWL, fresh, game

rule = pytest.mark.rule

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
KEEP = {"1": {"keep": 1, CATS: 2}, "3": {"roost": 1, OWLS: 3}, "5": {"recruiter": 1, CATS: 1}}


def deal() -> Any:
    return fresh("marquise", "eyrie").play("chance", "draw-seat", seat=CAT)


def bank() -> Any:
    g = game({CAT: {"crafted": ["better-burrow-bank"]}}, KEEP, at="turn")
    return g.play(CAT, "better-burrow-bank", player=OWL)


def second_of_the_bank() -> Any:
    return bank().draw("anvil")


def tax() -> Any:
    return game({CAT: {"crafted": ["tax-collector"]}}, KEEP).play(CAT, "tax-collector", clearing="5")


def taxed_with_hospitals() -> Any:
    """The draw waits until it is known whether the warrior is saved."""
    cat = {"crafted": ["tax-collector"], "hand": ["bake-sale"]}
    return game({CAT: cat}, KEEP).play(CAT, "tax-collector", clearing="5")


def evening(seat: str = CAT) -> Any:
    return game({}, KEEP, turn=seat, at="evening")


def emergency() -> Any:
    return game({}, KEEP, turn=OWL, at="turn")


def quest() -> Any:
    g = rogue(
        {}, items=up("tea", "coin"), quests=["fundraising-fox", "guard-duty-rabbit", "escort-mouse"], pawn="1"
    )
    g.play(FOX, "quest", quest="fundraising-fox", reward="cards")
    assert g.kinds == ("draw-quest",)
    return g


def resting() -> Any:
    return rogue({}, "evening")


def outrage() -> Any:
    g = woodland({"1": {CATS: 2}, "5": {"sympathy": 1}}, turn=CAT, at="daylight")
    return g.play(CAT, "march").play(CAT, "move", from_="1", to="5", warriors=1)


def supporters() -> Any:
    g = fresh("marquise", "alliance").play("chance", "draw-seat", seat=CAT).draw_any()
    return g.play(CAT, "setup-marquise", keep="1", sawmill="5", workshop="5", recruiter="9")


def drawing(change: Any) -> Any:
    """Change the draw, which may wait below another frame."""

    def planted(state: Any) -> None:
        (*_, draw) = [f for f in state.stack if isinstance(f, Draw)]
        change(draw)

    return planted


def to(**values: Any) -> Any:
    def change(draw: Any) -> None:
        for name, value in values.items():
            setattr(draw, name, value)

    return drawing(change)


def used(*cards: str) -> Any:
    return lambda state: setattr(state.stack[1], "used", list(cards))


def twice(state: Any) -> None:
    """One more draw like it waits below."""
    i = next(i for i, f in enumerate(state.stack) if isinstance(f, Draw))
    twin = deepcopy(state.stack[i])
    twin.step = ""
    state.stack.insert(i, twin)


def paid_for_nothing(state: Any) -> None:
    """The draw that the warrior was removed for is not there."""
    state.stack[:] = [f for f in state.stack if not isinstance(f, Draw)]


def score(seat: str, n: int) -> Any:
    return lambda state: setattr(state.table.seats[seat], "score", n)


CASES: dict[str, tuple[Any, Any, str, str]] = {
    "dealt by another clause": (deal, to(because="ROOT-MARQ-20"), "ROOT-SETUP-4", "/stack/2/because"),
    "four cards dealt": (deal, to(left=4), "ROOT-SETUP-4", "/stack/2/left"),
    "dealt as supporters": (supporters, to(to="hand"), "ROOT-SETUP-11", "/stack/2/to"),
    "four supporters": (supporters, to(left=4), "ROOT-SETUP-11", "/stack/2/left"),
    "first supporters of another clause": (supporters, to(because="ROOT-WA-10"), "ROOT-SETUP-11", "/stack/2/because"),
    "first supporters of another seat": (supporters, to(seat=CAT), "ROOT-SETUP-11", "/stack/2/seat"),
    "the bank gives two": (bank, to(left=2), "ROOT-FX-8", "/stack/3/left"),
    "the bank, but another clause": (bank, to(because="ROOT-FX-7"), "ROOT-FX-8", "/stack/3/because"),
    "the bank gives to another first": (bank, to(seat=OWL), "ROOT-FX-8", "/stack/3/seat"),
    "the bank gives twice to its owner": (second_of_the_bank, to(seat=CAT), "ROOT-FX-8", "/stack/2/seat"),
    "the bank gives to three": (bank, twice, "ROOT-FX-8", "/stack/2"),
    "the bank was not used": (bank, used(), "ROOT-FX-8", "/stack/1/used"),
    "a tax for another seat": (tax, to(seat=OWL), "ROOT-FX-7", "/stack/4/seat"),
    "a tax of two cards": (tax, to(left=2), "ROOT-FX-7", "/stack/4/left"),
    "a tax of no cards": (tax, to(left=0), "ROOT-CARD-6", "/stack/4/left"),
    "a tax of a hundred cards": (tax, to(left=100), "ROOT-FX-7", "/stack/4/left"),
    "a tax that nobody collected": (tax, used(), "ROOT-FX-7", "/stack/1/used"),
    "a tax by another clause": (tax, to(because="ROOT-MARQ-20"), "ROOT-FX-7", "/stack/4/because"),
    "a tax twice": (tax, twice, "ROOT-FX-7", "/stack/4"),
    "a tax that waits, of two cards": (taxed_with_hospitals, to(left=2), "ROOT-FX-7", "/stack/4/left"),
    "a tax that waits, for another": (taxed_with_hospitals, to(seat=OWL), "ROOT-FX-7", "/stack/4/seat"),
    "a warrior for no card": (taxed_with_hospitals, paid_for_nothing, "ROOT-FX-7", "/stack/4"),
    "the Marquise draws too much": (evening, to(left=3), "ROOT-MARQ-20", "/stack/3/left"),
    "the Marquise draws for another": (evening, to(seat=OWL), "ROOT-MARQ-20", "/stack/3/seat"),
    "the Marquise draws by another clause": (evening, to(because="ROOT-EYRIE-21"), "ROOT-MARQ-20", "/stack/3/because"),
    "one of two cards drawn, and no card in hand": (
        lambda: game({}, {**KEEP, "5": {"recruiter": 1}, "9": {"recruiter": 1}, "12": {"recruiter": 1}}, at="evening"),
        to(left=1), "ROOT-MARQ-20", "/stack/3/left",
    ),
    "the Eyrie draw too much": (lambda: evening(OWL), to(left=2), "ROOT-EYRIE-21", "/stack/3/left"),
    "emergency orders of two cards": (emergency, to(left=2), "ROOT-EYRIE-3", "/stack/4/left"),
    "emergency orders with a card in hand": (
        emergency, lambda s: _hand(s, OWL), "ROOT-EYRIE-3", "/stack/4",
    ),
    "the reward of a quest is three cards": (quest, to(left=3), "ROOT-VAG-29", "/stack/4/left"),
    "the reward of a quest is one card": (quest, to(left=1), "ROOT-VAG-29", "/stack/4/left"),
    "the reward of a quest is another's": (quest, to(seat=OWL), "ROOT-VAG-29", "/stack/4/seat"),
    "a quest by another clause": (quest, to(because="ROOT-VAG-71"), "ROOT-VAG-29", "/stack/4/because"),
    "a Vagabond draws too much": (resting, to(left=2), "ROOT-VAG-71", "/stack/3/left"),
    "two supporters for Outrage": (outrage, to(left=2), "ROOT-WA-10", "/stack/6/left"),
    "Outrage to the hand": (outrage, to(to="hand"), "ROOT-WA-10", "/stack/6/to"),
    "Outrage for another": (outrage, to(seat=CAT), "ROOT-WA-10", "/stack/6/seat"),
}  # fmt: skip


def _hand(state: Any, seat: str) -> None:
    t = state.table
    cards = dict(t.deck.cards())
    cards["anvil"] -= 1
    t.deck = _pool({c: n for c, n in cards.items() if n})
    t.seats[seat].hand = {"anvil": 1}


def _pool(cards: Any) -> Any:
    from service.engine.deck import pool_of

    return pool_of(cards)


@rule("ROOT-CARD-6")
@pytest.mark.parametrize("name", CASES)
def test_a_draw_is_what_is_due(name):
    made, change, clause, pointer = CASES[name]
    state = deepcopy(made().state)
    assert problems(RULES, state) == []
    change(state)
    assert (clause, pointer) in {(p.rule, p.pointer) for p in problems(RULES, state)}


def test_the_last_draw_of_an_evening_has_put_the_others_in_the_hand():
    g = game({}, {"5": {"recruiter": 1}, "9": {"recruiter": 1}, "12": {"recruiter": 1}}, at="evening")
    assert g.top.left == 2
    assert g.draw("anvil").top.left == 1


# -- a random card of a hand --------------------------------------------------------------------------------------


def robbed() -> Any:
    held = {CAT: {"crafted": ["stand-and-deliver"]}, OWL: {"hand": ["anvil"]}}
    return game(held, KEEP, at="turn").play(CAT, "stand-and-deliver", player=OWL)


def stolen() -> Any:
    g = rogue({"1": {CATS: 1}}, cat={"hand": ["anvil"]}, owl={"hand": ["sappers"]}, pawn="1")
    return g.play(FOX, "steal", player=CAT)


def taking(**values: Any) -> Any:
    def change(state: Any) -> None:
        (f,) = [f for f in state.stack if isinstance(f, TakeRandomCard)]
        for name, value in values.items():
            setattr(f, name, value)

    return change


def character(name: str) -> Any:
    return lambda s: setattr(s.table.seats[FOX].vagabond, "character", name)


def torch_ready(s: Any) -> None:
    items = s.table.seats[FOX].vagabond.items
    items["satchel-down"] = {}
    items["satchel-up"] = {**items["satchel-up"], "torch": 1}


@rule("ROOT-FX-6", "ROOT-VAG-40")
@pytest.mark.parametrize(
    ("made", "change", "clause", "field"),
    [
        (robbed, taking(seat=OWL, source=CAT), "ROOT-FX-6", "seat"),
        (robbed, taking(source=CAT), "ROOT-GEN-13", "source"),
        (robbed, taking(because="ROOT-VAG-40"), "ROOT-FX-6", "because"),
        (robbed, score(OWL, 0), "ROOT-FX-6", "source"),
        (stolen, taking(seat=OWL), "ROOT-VAG-40", "seat"),
        (stolen, taking(source=OWL), "ROOT-VAG-40", "source"),
        (stolen, taking(because="ROOT-FX-6"), "ROOT-VAG-40", "because"),
        (stolen, torch_ready, "ROOT-VAG-40", "seat"),
    ],
    ids=["other seat", "own card", "other clause", "no point", "not he", "not there", "clause", "no torch spent"],
)  # fmt: skip
def test_a_random_card_is_taken_by_who_may(made, change, clause, field):
    state = deepcopy(made().state)
    assert problems(RULES, state) == []
    change(state)
    at = f"/stack/{len(state.stack) - 1}/{field}"
    assert (clause, at) in {(p.rule, p.pointer) for p in problems(RULES, state)}


@rule("ROOT-FX-6", "ROOT-FX-13")
def test_who_takes_a_card_has_used_his_card():
    state = deepcopy(robbed().state)
    state.stack[1].used = []
    assert ("ROOT-FX-6", "/stack/1/used") in {(p.rule, p.pointer) for p in problems(RULES, state)}


def test_every_frame_that_draws_says_what_is_due():
    """A faction whose frames call draws and that says nothing of them would be searched less closely.

    Where a random card may be taken, one may be drawn in its place (ROOT-BOT-2).
    """
    told = {
        point: {f for fn in RULES.hooks[point] for f in getattr(fn, "by_cause", ())}
        for point in ("draw-due", "random-card-due")
    }
    told["draw-due"] |= told["random-card-due"]
    for drawn, point in ((Draw, "draw-due"), (TakeRandomCard, "random-card-due")):
        callers = {f for f, p in RULES.procedures.items() if drawn in p.may_call}
        assert callers == told[point], point


# -- what is drawn in place of a card of the Mechanical Marquise (ROOT-BOT-2, ROOT-X-17) --------------------------


def changing(**values: Any) -> Any:
    def change(state: Any) -> None:
        for name, value in values.items():
            setattr(state.stack[-1], name, value)

    return change


def delivered() -> Any:
    """The Alliance stands and delivers against the Mechanical Marquise, and is about to draw."""
    held = {"owl": {"crafted": ["stand-and-deliver"]}}
    g = game(against("alliance", **held), {"1": {"keep": 1, CATS: 2}}, turn=OWL, at="turn")
    return g.play(OWL, "stand-and-deliver", player=CAT)


def thieved() -> Any:
    """A thief steals from the Mechanical Marquise, and is about to draw."""
    g = game(against("vagabond", owl={"pawn": "1"}), {"1": {"keep": 1, CATS: 2}}, turn=OWL)
    return g.play(OWL, "steal", player=CAT)


def its_score(state: Any) -> None:
    state.table.seats[CAT].score = 0


def unspent(state: Any) -> None:
    items = state.table.seats[OWL].vagabond.items
    items["satchel-up"], items["satchel-down"] = {**items["satchel-up"], "torch": 1}, {}


def elsewhere(state: Any) -> None:
    state.table.seats[OWL].vagabond.pawn = "5"


def unused(state: Any) -> None:
    state.stack[1].used = []


@rule("ROOT-BOT-2", "ROOT-X-17")
@pytest.mark.parametrize(
    ("made", "change", "clause", "at"),
    [
        (delivered, changing(seat=CAT), "ROOT-X-17", "/stack/3/seat"),
        (delivered, changing(because="ROOT-BOT-2"), "ROOT-X-17", "/stack/3/because"),
        (delivered, changing(because="ROOT-FX-6"), "ROOT-X-17", "/stack/3/because"),
        (delivered, changing(left=2), "ROOT-X-17", "/stack/3/left"),
        (delivered, its_score, "ROOT-X-17", "/stack/3/because"),
        (delivered, unused, "ROOT-X-17", "/stack/1/used"),
        (thieved, changing(because="ROOT-X-17"), "ROOT-VAG-29", "/stack/4/because"),
        (thieved, changing(seat=CAT), "ROOT-BOT-2", "/stack/4/seat"),
        (thieved, unspent, "ROOT-VAG-40", "/stack/4/seat"),
        (thieved, elsewhere, "ROOT-VAG-40", "/stack/4/seat"),
    ],
    ids=["seat", "clause", "its own clause", "two", "no point", "unused", "card", "seat", "torch", "not there"],
)  # fmt: skip
def test_what_is_drawn_in_place_of_a_card_of_it_is_due(made, change, clause, at):
    state = deepcopy(made().state)
    assert problems(RULES, state) == []
    change(state)
    assert (clause, at) in {(p.rule, p.pointer) for p in problems(RULES, state)}


@rule("ROOT-X-17")
def test_without_it_nobody_draws_in_place_of_a_card():
    state = deepcopy(robbed().state)
    seat = state.stack[-1].seat
    state.stack[-1] = Draw(seat=seat, left=1, because="ROOT-X-17", step="draw")
    at = f"/stack/{len(state.stack) - 1}/seat"
    assert ("ROOT-X-17", at) in {(p.rule, p.pointer) for p in problems(RULES, state)}
