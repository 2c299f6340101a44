"""States of joint games and of campaigns that cannot exist: what has been reached, kept, and how it ended."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from service.engine.problems import problems
from service.engine.state import Outcome
from service.games.root.v1 import RULES
from service.games.root.v1.campaign import Keeping
from tests.games.root import test_corruptions as base
from tests.games.root import test_riverfolk_corruptions as river
from tests.games.root.corrupted import can_be_gone_on_from, strange
from tests.games.root.table import OWL, Game
from tests.games.root.test_campaign import SETTINGS, won
from tests.games.root.together import BOT, CAMPAIGN, CLAIM, COOP, ELK, MECHANICAL, alone, begun, joint

rule = pytest.mark.rule
OWLS_PLACE = f"/table/seats/{OWL}"


def planted(g: Game, change: Any) -> set[tuple[str | None, str]]:
    """The problems after this change to a game that has none."""
    state = deepcopy(g.state)
    assert problems(RULES, state) == []
    change(state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


def setting(seat: str, **fields: Any) -> Any:
    """These fields of a player."""

    def change(state: Any) -> None:
        for name, value in fields.items():
            setattr(state.table.seats[seat], name, value)

    return change


def optional(**options: Any) -> Any:
    """These options."""
    return lambda state: state.options.update(options)


def both(*changes: Any) -> Any:
    def change(state: Any) -> None:
        for one in changes:
            one(state)

    return change


# -- options ------------------------------------------------------------------------------------------------------


@rule("ROOT-COOP-1", "ROOT-SOLO-1", "ROOT-CAMP-1")
@pytest.mark.parametrize(
    ("game", "change", "found"),
    [
        (
            lambda: begun("eyrie", "alliance"),
            optional(mode="cooperative"),
            {("ROOT-COOP-1", "/options/mode")},
        ),
        (lambda: joint(options={}), optional(mode="solo"), {("ROOT-SOLO-1", "/options/mode")}),
        (lambda: joint(options={}), optional(campaign="on"), {("ROOT-CAMP-1", "/options/campaign")}),
        (lambda: joint(), optional(wins=1), {("ROOT-CAMP-1", "/options/wins")}),
    ],
)
def test_modes_and_campaigns_that_are_not_played_like_this(game: Any, change: Any, found: Any) -> None:
    assert found <= planted(game(), change)


@rule("ROOT-COOP-1")
def test_five_humans_do_not_play_together():
    five = begun(MECHANICAL, "eyrie", "alliance", "cult", "vagabond", "riverfolk")
    assert planted(five, optional(mode="cooperative")) == {("ROOT-COOP-1", "/seats")}


@rule("ROOT-CAMP-1")
def test_wins_that_leave_the_bot_with_the_points_that_win():
    g = joint(options=CAMPAIGN)
    house = {"table": {"points-to-win": {"value": 6}}}

    def change(state: Any) -> None:
        state.house = house

    assert ("ROOT-CAMP-1", "/options/wins") in planted(g, change)


# -- reached (ROOT-COOP-3) ----------------------------------------------------------------------------------------


@rule("ROOT-COOP-3", "ROOT-COOP-2")
@pytest.mark.parametrize(
    ("options", "seat", "fields", "found"),
    [
        (COOP, OWL, {"score": 30}, {("ROOT-COOP-3", f"{OWLS_PLACE}/reached")}),
        (COOP, BOT, {"reached": True}, {("ROOT-COOP-3", f"/table/seats/{BOT}/reached")}),
        (COOP, BOT, {"score": 30}, {("ROOT-WIN-1", f"/table/seats/{BOT}/score")}),
        ({}, OWL, {"reached": True}, {("ROOT-COOP-3", f"{OWLS_PLACE}/reached")}),
        ({}, OWL, {"score": 30}, {("ROOT-WIN-1", f"{OWLS_PLACE}/score")}),
    ],
)
def test_who_has_reached_30_and_who_has_not(options: Any, seat: str, fields: Any, found: Any) -> None:
    assert planted(joint(options=options), setting(seat, **fields)) == found


@rule("ROOT-COOP-2")
def test_once_all_have_reached_30_the_game_is_over():
    all_of_them = both(setting(OWL, reached=True), setting(ELK, reached=True))
    assert planted(joint(), all_of_them) == {("ROOT-COOP-2", "/table/seats")}
    assert planted(alone(), setting(OWL, reached=True)) == {("ROOT-COOP-2", "/table/seats")}


def test_before_play_nobody_has_reached_anything():
    found = planted(begun(MECHANICAL, "eyrie", "cult", **COOP), setting("eyrie", reached=True))
    assert found == {("ROOT-COOP-3", "/table/seats/eyrie/reached")}


# -- kept (ROOT-CAMP-1 to ROOT-CAMP-4) ----------------------------------------------------------------------------


@rule("ROOT-CAMP-2", "ROOT-CAMP-3", "ROOT-CAMP-4")
@pytest.mark.parametrize(
    ("options", "kept", "found"),
    [
        (CAMPAIGN, ["cobbler"], {("ROOT-CAMP-4", f"{OWLS_PLACE}/kept/0")}),
        (CAMPAIGN, ["armorers", "sappers", "tax-collector"], {("ROOT-CAMP-2", f"{OWLS_PLACE}/kept")}),
        (CAMPAIGN, ["armorers", "armorers"], {("ROOT-CAMP-3", f"{OWLS_PLACE}/kept/1")}),
        (COOP, ["armorers"], {("ROOT-CAMP-2", f"{OWLS_PLACE}/kept")}),
        ({}, ["armorers"], {("ROOT-CAMP-2", f"{OWLS_PLACE}/kept")}),
    ],
)
def test_cards_that_nobody_can_have_kept(options: Any, kept: Any, found: Any) -> None:
    g = joint(owl={"crafted": ["armorers", "sappers", "tax-collector"]}, options=options)
    assert planted(g, setting(OWL, kept=kept)) == found


@rule("ROOT-CAMP-1")
def test_the_bot_has_its_start_at_least():
    g = joint(options=CAMPAIGN)
    assert planted(g, setting(BOT, score=5)) == {("ROOT-CAMP-1", f"/table/seats/{BOT}/score")}
    assert planted(g, setting(BOT, score=29)) == set()


@rule("ROOT-CAMP-1", "ROOT-CAMP-3", "ROOT-SETUP-3")
def test_a_campaign_begins_with_what_was_kept_and_nothing_else():
    g = begun(MECHANICAL, "eyrie", "cult", kept={"eyrie": ["armorers"]}, **SETTINGS, wins=2)
    seat = "/table/seats/eyrie"
    assert planted(g, setting("eyrie", kept=[])) == {("ROOT-SETUP-4", f"{seat}/crafted")}
    assert ("ROOT-SETUP-3", f"{seat}/score") in planted(g, setting("eyrie", score=6))
    assert ("ROOT-SETUP-3", f"/table/seats/{BOT}/score") in planted(g, setting(BOT, score=7))


# -- the end ------------------------------------------------------------------------------------------------------


def closing() -> Game:
    """Both are asked for a card; the Eyrie have kept one before."""
    return won(owl=["armorers", "cobbler"], elk=["sappers"], kept=["armorers"])


def waiting(*seats: str) -> Any:
    def change(state: Any) -> None:
        state.stack[-1].waiting = list(seats)

    return change


@rule("ROOT-CAMP-2", "ROOT-CAMP-3")
@pytest.mark.parametrize(
    ("change", "found"),
    [
        (setting(OWL, reached=False, score=12), {("ROOT-CAMP-2", "/stack/1")}),
        (optional(wins=9), {("ROOT-CAMP-2", "/stack/1"), ("ROOT-CAMP-1", f"/table/seats/{BOT}/score")}),
        (waiting(BOT, ELK), {("ROOT-CAMP-3", "/stack/1/waiting/0")}),
        (waiting(ELK, ELK), {("ROOT-CAMP-2", "/stack/1/waiting/1")}),
        (setting(OWL, kept=["armorers", "cobbler"]), {("ROOT-CAMP-3", "/stack/1/waiting/0")}),
        (waiting(), {(None, "/stack/1")}),
        (waiting(ELK), set()),
    ],
)
def test_closings_that_cannot_be(change: Any, found: Any) -> None:
    assert planted(closing(), change) == found


def test_nothing_is_kept_in_mid_game():
    g = joint(owl={"crafted": ["armorers"]}, options=CAMPAIGN)

    def change(state: Any) -> None:
        state.stack = [state.stack[0], Keeping(step="keep", waiting=[OWL])]
        state.stack[0].step = "end-together"

    assert ("ROOT-CAMP-2", "/stack/1") in planted(g, change)


def test_who_has_answered_may_have_kept_a_card_more_and_no_two():
    g = won(owl=["armorers", "cobbler", "tax-collector"], elk=["sappers"], options={**CAMPAIGN, "wins": 1})
    g.play(OWL, "keep-card", card="armorers")
    assert planted(g, setting(OWL, kept=["cobbler", "armorers"])) == set()
    three = ["cobbler", "armorers", "tax-collector"]
    assert planted(g, setting(OWL, kept=three)) == {("ROOT-CAMP-2", f"{OWLS_PLACE}/kept")}


def over() -> Game:
    return closing().play(OWL, "keep-card", card="cobbler").play(ELK, "pass")


def ended(**fields: Any) -> Any:
    def change(state: Any) -> None:
        for name, value in fields.items():
            setattr(state.outcome, name, value)

    return change


def set_of_next(change: Any) -> Any:
    return lambda state: change(state.outcome.next)


@rule("ROOT-COOP-2", "ROOT-COOP-4", "ROOT-COOP-5", "ROOT-CAMP-2")
@pytest.mark.parametrize(
    ("change", "found"),
    [
        (ended(winners=[OWL]), {("ROOT-COOP-2", "/outcome/winners"), ("ROOT-CAMP-2", "/outcome/next")}),
        (ended(winners=[BOT]), {("ROOT-COOP-2", "/outcome/winners")}),
        (ended(because="ROOT-COOP-5"), {("ROOT-COOP-2", "/outcome/because")}),
        (ended(because="ROOT-WIN-1"), {("ROOT-WIN-1", "/outcome/because")}),
        (ended(next=None), {("ROOT-CAMP-2", "/outcome/next")}),
        (set_of_next(lambda n: n["options"].update(wins=4)), {("ROOT-CAMP-2", "/outcome/next")}),
        (set_of_next(lambda n: n["seats"][1].update(kept=[])), {("ROOT-CAMP-2", "/outcome/next")}),
        (
            setting(BOT, score=30),
            {("ROOT-WIN-1", "/outcome/standings/0"), ("ROOT-COOP-5", "/outcome/because")},
        ),
    ],
)
def test_outcomes_that_cannot_be(change: Any, found: Any) -> None:
    assert found <= planted(over(), change)


@rule("ROOT-CAMP-6")
def test_a_loss_has_no_next_game_and_is_no_win():
    lost = joint(
        {"1": {"marquise-warrior": 3, "keep": 1}, "5": {"marquise-warrior": 3}},
        bot={"score": 27}, elk={"score": 30, "reached": True}, turn=BOT, options=CAMPAIGN,
    )  # fmt: skip
    assert planted(lost, ended(winners=[OWL, ELK])) >= {("ROOT-COOP-4", "/outcome/winners")}
    assert planted(lost, ended(next={})) == {("ROOT-CAMP-2", "/outcome/next")}
    assert planted(lost, ended(because="ROOT-COOP-2")) == {("ROOT-COOP-4", "/outcome/because")}


@rule("ROOT-WIN-3")
def test_in_a_competitive_game_it_is_told_whether_the_bot_has_won():
    g = joint(owl={"score": 28, "crafted": CLAIM}, options={}).play(OWL, "royal-claim")
    assert planted(g, ended(because="ROOT-WIN-3")) == {("ROOT-WIN-3", "/outcome/because")}
    assert isinstance(g.state.outcome, Outcome)


# -- every field, corrupted in every way --------------------------------------------------------------------------


@cache
def states() -> tuple[Any, ...]:
    """Positions of joint games: begun, under way, closing, won and lost."""
    begin = begun(MECHANICAL, "eyrie", "cult", kept={"eyrie": ["armorers"]}, **SETTINGS, wins=2)
    half = joint(
        owl={"score": 33, "reached": True, "crafted": ["armorers"], "kept": ["armorers"]}, options=CAMPAIGN
    )
    first = closing().play(OWL, "keep-card", card="cobbler")
    games = (begin, half, joint(elk={"reached": True}), alone(), closing(), first, over())
    return tuple(g.state for g in games)


@cache
def all_undetected() -> tuple[Any, ...]:
    return tuple(
        found
        for n, state in enumerate(states())
        for m in range(3)
        for found in base.undetected(state, 10 * n + m)
    )


FREE = {
    **river.FREE,
    "Player.reached": "a human may have reached 30 and lost points since",
    "Player.kept": "cards of the play area may have been kept or not, as far as there were wins",
    "Keeping.waiting": "another has answered",
    "Blank.marks": "orders of one shuffle are alike",
    "MechanicalMarquise.keep": "before set-up a corner may have been wished for",
}


def test_what_is_not_found_is_another_possible_state():
    assert strange(all_undetected(), FREE) == []


def test_what_is_not_found_can_be_gone_on_from():
    can_be_gone_on_from(all_undetected())
