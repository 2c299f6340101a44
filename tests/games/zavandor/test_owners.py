"""Whose is it: what a seat cannot have come by is a problem, whatever else fits together.

`why_not` works the same out once more, from the printed figures alone and in other words than the rules do.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from service.engine.problems import problems
from service.engine.setup import PositionRefused
from service.engine.state import State, encode
from service.games.zavandor.v1.figures import COMPONENTS
from tests.conformance.corruptions import handed
from tests.games.zavandor.table import RULES, SEATS, fresh, game
from tests.games.zavandor.test_corruptions import goes_on, just_scored, made, played, windows

rule, refusal = pytest.mark.rule, pytest.mark.refusal

Found = list[tuple[str | None, str]]
SEAT = "/table/seats/ann"
RICH = {"dust": 300, "active": {"opal": 2, "sapphire": 1}}


def found_in(state: State[Any, Any]) -> Found:
    return [(p.rule, p.pointer) for p in problems(RULES, state)]


def planted(change: Callable[[Any], None], seats: dict[str, Any] | None = None, **board: Any) -> Found:
    """The problems of a sound game of three after this change to its table."""
    state = deepcopy(game(seats or {"ann": {"character": "kobold"}, "bob": {}, "cyd": {}}, **board).state)
    change(state.table)
    return found_in(state)


def gets(what: str, n: int = 1, place: str = "active") -> Callable[[Any], None]:
    """Ann has so many more of a gem, an energy card or an artifact, where they lay before them all."""

    def change(table: Any) -> None:
        bag = getattr(table.seats["ann"], place)
        bag[what] = bag.get(what, 0) + n
        if place in ("active", "inactive"):
            table.supply[what] -= n
        elif place in ("energy", "waiting"):
            stratum = table.decks[what.partition("-")[0]].segments[0].strata[0]
            stratum.members[what] -= n
            stratum.size -= n

    return change


def ann(**held: Any) -> dict[str, Any]:
    return {"ann": {"character": "kobold", **held}, **{s: {} for s in SEATS[1:5]}}


# -- gems


@rule("ZAV-GEM-1", "ZAV-ART-SPELLBOOK-1", "ZAV-ART-ELIXIR-1")
@refusal("ZAV-GEM-1")
@pytest.mark.parametrize(("gem", "right"), [("emerald", "spellbook"), ("diamond", "elixir")])
@pytest.mark.parametrize("place", ["active", "inactive"])
def test_a_gem_without_the_artifact_that_it_takes(gem: str, right: str, place: str) -> None:
    assert planted(gets(gem, place=place)) == [("ZAV-GEM-1", f"{SEAT}/{place}/{gem}")]
    assert planted(gets(gem, place=place), ann(artifacts={right: 1})) == []
    other = {"spellbook": "elixir", "elixir": "spellbook"}[right]
    assert planted(gets(gem, place=place), ann(artifacts={other: 1, "crystal-of-protection": 1})) == [
        ("ZAV-GEM-1", f"{SEAT}/{place}/{gem}")
    ]


@rule("ZAV-KNOW-FIRE-1", "ZAV-ART-CHALICE-2")
@refusal("ZAV-KNOW-FIRE-1")
def test_a_ruby_below_fire_4() -> None:
    at = ("ZAV-KNOW-FIRE-1", f"{SEAT}/active/ruby")
    assert planted(gets("ruby")) == [at]
    assert planted(gets("ruby"), ann(tracks={"fire": 3})) == [at]
    assert planted(gets("ruby"), ann(artifacts={"chalice-of-fire": 1})) == [at]
    assert planted(gets("ruby"), ann(tracks={"fire": 4})) == []


@rule("ZAV-KNOW-FIRE-3")
@refusal("ZAV-KNOW-FIRE-3")
def test_the_druids_rubies_are_those_that_he_has_bought_early() -> None:
    druid = {"character": "druid", "tracks": {"fire": 3}}
    at = ("ZAV-KNOW-FIRE-3", f"{SEAT}/active/ruby")
    assert planted(gets("ruby"), ann(**druid)) == [at]
    assert planted(gets("ruby"), ann(**druid, early_rubies=1)) == []
    assert planted(gets("ruby", 2), ann(**druid, early_rubies=1)) == [at]
    assert planted(gets("ruby", 2), ann(**{**druid, "tracks": {"fire": 4}}, early_rubies=1)) == []


# -- energy


@rule("ZAV-INCOME-3", "ZAV-KNOW-SAGES-2")
@refusal("ZAV-INCOME-3")
@pytest.mark.parametrize(
    ("card", "means"),
    [
        ("green-5", {"artifacts": {"spellbook": 1}}),
        ("green-5", {"artifacts": {"crystal-of-protection": 1}}),
        ("white-8", {"artifacts": {"elixir": 1}}),
        ("red-13", {"tracks": {"fire": 4}}),
        ("red-13", {"artifacts": {"chalice-of-fire": 1}}),
        ("red-13", {"character": "druid", "tracks": {"fire": 3}}),
    ],
)
def test_a_card_without_a_means_of_getting_it(card: str, means: dict[str, Any]) -> None:
    none = {"tracks": {"fire": 3}, "artifacts": {"runestone": 1}}
    assert planted(gets(card, place="energy"), ann(**none)) == [("ZAV-INCOME-3", f"{SEAT}/energy/{card}")]
    assert planted(gets(card, place="energy"), ann(**means)) == []
    assert planted(gets("blue-3", place="energy"), ann(**none)) == []


@rule("ZAV-KNOW-SAGES-2")
@refusal("ZAV-KNOW-SAGES-2")
def test_a_card_under_the_position_card_without_a_means() -> None:
    sages = {"tracks": {"sages": 2}}
    at = ("ZAV-KNOW-SAGES-2", f"{SEAT}/waiting/green-5")
    assert planted(gets("green-5", place="waiting"), ann(**sages)) == [at]
    assert (
        planted(gets("green-5", place="waiting"), ann(**sages, artifacts={"crystal-of-protection": 1})) == []
    )


@rule("ZAV-KNOW-SAGES-2")
@refusal("ZAV-KNOW-SAGES-2")
def test_while_the_nine_sages_give_them_such_cards_lie_there() -> None:
    g = game(ann(dust=6, tracks={"sages": 1}), mode="given").play("ann", "advance", track="sages", payment={})
    g.play("chance", "draw-energy", card="green-5")
    assert (g["ann"].waiting, g["ann"].artifacts, found_in(g.state)) == ({"green-5": 1}, {}, [])
    state = deepcopy(g.state)
    state.table.seats["bob"].tracks["sages"] = 2
    state.table.seats["bob"].tokens = state.table.seats["bob"].tokens[1:]
    state.table.seats["bob"].waiting, state.table.seats["ann"].waiting = {"green-5": 1}, {}
    assert found_in(state)[0] == ("ZAV-KNOW-SAGES-2", "/table/seats/bob/waiting/green-5")


DRUID = {"character": "druid", "tracks": {"fire": 3}, "early_rubies": 1}
FOUR_SOURCES: list[tuple[str, dict[str, Any]]] = [
    ("blue", {}),
    ("green", {"artifacts": {"spellbook": 1}}),
    ("white", {"artifacts": {"elixir": 1}}),
    ("red", {"tracks": {"fire": 4}}),
    ("red", {**DRUID, "artifacts": {"chalice-of-fire": 3}}),
]
FEWER: list[tuple[str, dict[str, Any]]] = [
    ("green", {"artifacts": {"crystal-of-protection": 3}}),
    ("white", {"artifacts": {"spellbook": 1}}),
    ("red", {"artifacts": {"chalice-of-fire": 3}}),
    ("red", {**DRUID, "artifacts": {"chalice-of-fire": 2}}),
]


@rule("ZAV-INCOME-4", "ZAV-INCOME-6")
@refusal("ZAV-INCOME-4")
def test_concentrated_energy_takes_four_sources_at_once() -> None:
    for colour, held in FOUR_SOURCES:
        assert planted(gets(colour, place="concentrated"), ann(**held)) == []
    for colour, held in FEWER:
        found = planted(gets(colour, place="concentrated"), ann(**held))
        assert found == [("ZAV-INCOME-4", f"{SEAT}/concentrated/{colour}")]


@rule("ZAV-INCOME-8")
@refusal("ZAV-INCOME-8")
def test_round_1_has_no_more_cards_than_set_up_and_first_income_give() -> None:
    for character, most in (("kobold", 1), ("fairy", 3)):
        g = fresh(character, "mage")
        while g.asked != ("ann",):
            g.play(g.asked[0], "end-turn")
        assert (g.board.round, sum(g["ann"].energy.values())) == (1, most)
        state = deepcopy(g.state)
        gets("blue-7", place="energy")(state.table)
        assert found_in(state) == [("ZAV-INCOME-8", f"{SEAT}/energy")]
        state = deepcopy(g.state)
        state.table.seats["ann"].concentrated = {"blue": 1}
        assert found_in(state) == [("ZAV-INCOME-8", f"{SEAT}/concentrated/blue")]


# -- artifacts


@rule("ZAV-SETUP-8")
@refusal("ZAV-SETUP-8")
def test_no_artifact_comes_up_before_those_above_it() -> None:
    def up(table: Any, place: dict[str, int], card: str) -> None:
        place[card] = 1
        letters = {c: s for s in table.deck.segments for c in s.strata[0].members}
        stratum = letters[card].strata[0]
        stratum.members = {c: n - (c == card) for c, n in stratum.members.items() if n > (c == card)}
        stratum.size -= 1

    letters = {"magic-belt": "A", "chalice-of-fire": "A", "talisman": "A"}
    for card in letters:
        assert planted(lambda t, card=card: up(t, t.seats["ann"].artifacts, card)) == [
            ("ZAV-SETUP-8", f"{SEAT}/artifacts/{card}")
        ]
    found = planted(lambda t: up(t, t.display, "talisman"), display=("spellbook", "runestone"))
    assert found == [("ZAV-SETUP-8", "/table/display/talisman")]
    gone = planted(lambda t: up(t, t.gone_artifacts, "elixir"), {"ann": {}, "bob": {}, "cyd": {"out": True}})
    assert gone == [("ZAV-SETUP-8", "/table/gone_artifacts/elixir")]
    assert planted(lambda t: up(t, t.seats["ann"].artifacts, "runestone")) == []


@rule("ZAV-REFILL-1")
@refusal("ZAV-REFILL-1")
def test_no_more_artifacts_come_up_than_players_a_round() -> None:
    six = {"spellbook": 2, "runestone": 2, "crystal-ball": 2}
    assert planted(lambda t: None, ann(artifacts={"spellbook": 1}), round=2) == []
    held = {"ann": {"artifacts": six}, "bob": {}, "cyd": {}}
    assert planted(lambda t: None, held, round=3) == []
    assert planted(lambda t: setattr(t, "round", 2), held, round=3) == [("ZAV-REFILL-1", "/table/deck")]


# -- points and stages


@rule("ZAV-SCORE-1")
@refusal("ZAV-SCORE-1")
@pytest.mark.parametrize(
    ("held", "most"),
    [
        ({}, 5),
        ({"artifacts": {"spellbook": 1}}, 5 * 2 + 1),
        ({"artifacts": {"elixir": 1, "magic-belt": 1}}, 7 * 2 + 2 + 2),
        ({"tracks": {"fire": 4, "gems": 4}}, 5 * 3 + 2 + 2),
        ({"tracks": {"fire": 4}, "artifacts": {"magic-belt": 1}}, 5 * 3 + 2 + 2 + 2),
        ({"character": "druid", "tracks": {"fire": 3}, "early_rubies": 1}, 3 + 4),
        ({"sentinels": ["fox"]}, 5 + 5 + 10),
        ({"sentinels": ["phoenix"]}, 5 + 5 + 4),
        ({"sentinels": ["phoenix", "scarab"], "artifacts": {"spellbook": 1}}, 10 + 1 + 5 + 6 + 5 + 5),
        ({"sentinels": ["owl", "toad"], "artifacts": {"runestone": 2}}, 5 + 2 + 5 + 5 + 4),
        ({"sentinels": ["owl"], "tracks": {"gems": 4}}, 5 + 2 + 5 + 2),
    ],
)
def test_no_more_points_than_a_player_can_have_counted(held: dict[str, Any], most: int) -> None:
    def scored(vp: int) -> Found:
        return planted(lambda t: setattr(t.seats["ann"], "vp", vp), ann(**held))

    assert scored(most) == []
    assert scored(most + 1) == [("ZAV-SCORE-1", f"{SEAT}/vp")]


@rule("ZAV-SCORE-2", "ZAV-SCORE-3", "ZAV-ORDER-5")
@refusal("ZAV-SCORE-2")
def test_until_somebody_acts_the_track_shows_what_the_table_counts() -> None:
    held = {"active": {"opal": 3}, "artifacts": {"spellbook": 1}, "sentinels": ["tomcat"]}
    g = game({"ann": held, "bob": {}, "cyd": {}}, order=(), mode="given")
    assert (g.kinds, g["ann"].vp) == (("first-of-tied",), 3 + 1 + 5 + 6)
    for vp in (14, 16, 0):
        state = deepcopy(g.state)
        state.table.seats["ann"].vp = vp
        assert ("ZAV-SCORE-2", f"{SEAT}/vp") in found_in(state)


@rule("ZAV-SCORE-2", "ZAV-SETUP-6")
def test_a_position_between_the_first_two_rounds_has_been_scored() -> None:
    g = game({"ann": {"active": {"opal": 4}}, "bob": {"active": {"opal": 2}}}, order=(), round=1)
    assert (g.board.round, g["ann"].vp, g["bob"].vp) == (2, 4, 2)


@rule("ZAV-KNOW-2", "ZAV-KNOW-10")
@refusal("ZAV-KNOW-2")
def test_no_more_advancements_than_rounds_and_artifacts_allow() -> None:
    def moved(stages: dict[str, int], **held: Any) -> Found:
        def change(table: Any) -> None:
            p = table.seats["ann"]
            p.tracks, p.tokens = {"accumulation": 1, **stages}, p.tokens[len(stages) :]

        return planted(change, ann(**held), round=5)

    at = [("ZAV-KNOW-2", f"{SEAT}/tracks")]
    assert moved({"gems": 4, "flow": 1}) == []
    assert moved({"gems": 4, "flow": 2}) == at
    assert moved({"gems": 4, "flow": 2}, artifacts={"runestone": 1}) == []
    assert moved({"gems": 4, "flow": 4}, artifacts={"runestone": 2}) == at


@rule("ZAV-KNOW-2")
def test_who_has_advanced_in_this_round_may_have_one_more() -> None:
    g = game(ann(dust=100, tracks={"gems": 3}, bought=1), round=3)
    g.play("ann", "advance", track="flow", payment={})
    assert found_in(g.state) == []
    state = deepcopy(g.state)
    state.stack[-1].advanced = False
    assert found_in(state) == [("ZAV-KNOW-2", f"{SEAT}/tracks")]


@rule("ZAV-LIMIT-3", "ZAV-LIMIT-5", "ZAV-ORDER-1")
@refusal("ZAV-LIMIT-3")
def test_a_round_begins_with_hands_within_their_limits() -> None:
    def begun(dust: int, **held: Any) -> Found:
        state = deepcopy(game(ann(active={"opal": 5}, **held), order=(), mode="given").state)
        state.table.seats["ann"].dust = dust
        return found_in(state)

    assert begun(20) == []
    assert begun(18) == [("ZAV-LIMIT-3", SEAT)]
    assert begun(30, artifacts={"crystal-ball": 1}) == []
    assert begun(20, waiting={"blue-3": 2}) == []
    with pytest.raises(PositionRefused, match="ann holds what counts as 8 cards; the hand limit is 6"):
        game(ann(dust=20, energy={"blue-3": 2}), order=())


# -- pieces in other hands


RIGHTS = {"emerald": "spellbook", "diamond": "elixir"}
MAKERS = {"green": "crystal-of-protection", "red": "chalice-of-fire"}
GEM_OF = {"green": "emerald", "white": "diamond", "red": "ruby"}
ARTIFACTS = {a["id"]: a for a in COMPONENTS["artifacts"]}


# Where a piece may as well be another seat's, and why.
POSSIBLE = {
    "energy": "cards of a colour that the other can get, too",
    "waiting": "both have reached that stage of the Nine Sages",
    "active": "a kind that the other may own and has a place for, once turns have begun",
    "inactive": "a kind that the other may own",
    "artifacts": "nothing that is held hangs on it, once turns have begun",
    "sentinels": "they give nothing but points, once turns have begun",
}


def why_not(p: dict[str, Any]) -> set[str]:
    """Why a seat cannot hold what it holds, whatever the moment."""
    found = set()
    fire = p["tracks"].get("fire", 0)
    druid = p["character"] == "druid" and fire >= 3
    for colour, gem in GEM_OF.items():
        right = fire == 4 if gem == "ruby" else RIGHTS[gem] in p["artifacts"]
        held = p["active"].get(gem, 0) + p["inactive"].get(gem, 0)
        if not right and held > (p["early_rubies"] if gem == "ruby" else 0):
            found.add("gem")
        if any(c.startswith(colour) for c in p["energy"]) and not (
            right or MAKERS.get(colour) in p["artifacts"] or (gem == "ruby" and druid)
        ):
            found.add("card")
    places = 5 + 2 * ("magic-belt" in p["artifacts"]) + 2 * ("magic-wand" in p["artifacts"])
    places += (0, 0, 1, 1, 2)[p["tracks"].get("accumulation", 0)]
    if sum(p["active"].values()) > places:
        found.add("place")
    if p["active"].get("ruby", 0) + p["inactive"].get("ruby", 0) > 5:
        found.add("rubies")
    if max(p["artifacts"].get("magic-belt", 0), p["artifacts"].get("magic-wand", 0)) > 1:
        found.add("second")
    return found


def points(p: dict[str, Any]) -> int:
    """What gems, stages and printed numbers count; sentinels are told apart by their bonuses elsewhere."""
    gems = sum({"opal": 1, "sapphire": 1, "ruby": 3}.get(g, 2) * n for g, n in p["active"].items())
    stages = 2 * list(p["tracks"].values()).count(4)
    return gems + stages + sum(ARTIFACTS[a]["vp"] * n for a, n in p["artifacts"].items())


def hand_around(
    states: list[State[Any, Any]], rng: random.Random, n: int
) -> tuple[Counter[str], list[State[Any, Any]]]:
    """Hand pieces around: what `why_not` refuses must be found at one of the two seats.

    Answers how often each reason was met, and the states that are possible.
    """
    seen: Counter[str] = Counter()
    possible = []
    for state in states:
        data = json.loads(encode(state))
        for at, there, spoiled in handed(state, data, rng, n):
            other = RULES.decode(json.dumps(spoiled))
            told = problems(RULES, other)
            two = [spoiled["table"]["seats"][place.split("/")[3]] for place in (at, there)]
            reasons = why_not(two[0]) | why_not(two[1])
            plain = not any(p["sentinels"] for p in two)
            if plain and just_scored(spoiled) and any(p["vp"] != points(p) for p in two):
                reasons |= {"points"}
            seen.update(reasons or {"another reason" if told else "possible"})
            if reasons:
                seats = tuple(place.rpartition("/")[0] for place in (at, there))
                assert any(p.pointer.startswith(seats) for p in told), (at, there, reasons, told)
            if not told:
                assert at.rpartition("/")[2] in POSSIBLE, at
                possible.append(other)
    return seen, possible


@rule("ZAV-GEM-1", "ZAV-INCOME-3", "ZAV-GEM-3", "ZAV-AUC-7", "ZAV-SCORE-2")
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_piece_in_the_hands_of_a_seat_that_cannot_have_it(seats: int) -> None:
    rng = random.Random(seats)
    seen, possible = hand_around(windows(played(seats, 2), 3, rng), rng, 40)
    assert all(seen[why] > 5 for why in ("gem", "card", "place", "points")), seen
    for n, state in enumerate(rng.sample(possible, 6)):
        goes_on(state, n, 60)


@pytest.mark.long
def test_many_pieces_in_other_hands_and_the_possible_played_on() -> None:
    rng, total = random.Random(3), Counter[str]()
    states = [s for seats in range(2, 7) for s in windows(played(seats, 4), 5, rng)]
    seen, possible = hand_around([*states, *made()], rng, 60)
    total.update(seen)
    for n, state in enumerate(rng.sample(possible, min(400, len(possible)))):
        goes_on(state, n, 200)
    print(f"{len(states)} states; {sum(total.values())} times: {dict(total)}; 400 played on")
    assert all(total[why] for why in ("gem", "card", "place", "second", "points")), total
