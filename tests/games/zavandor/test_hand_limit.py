"""Phase 4, the hand limit: weights, what may be kept, nothing more than the excess goes."""

import random

import pytest

from service.games.zavandor.v1.hand_limit import Discard, dust_weight
from tests.games.zavandor.table import PRINTED, at_hand_limit, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal


def full(character="druid", others=None, **held):
    return at_hand_limit({"ann": {"character": character, **held}, "bob": others or {}})


def keep(g, seat="ann", **kept):
    return g.play(seat, "discard", keep=kept)


def no_keep(g, seat="ann", **kept):
    return g.refused(seat, "discard", keep=kept)


WEIGHTS = {
    2: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 3, 11: 5, 12: 4, 13: 6, 14: 5, 15: 5, 16: 6, 17: 6, 18: 7, 19: 7,
    20: 6,
}  # fmt: skip


@rule("ZAV-LIMIT-2", "ZAV-PAY-2")
@pytest.mark.parametrize(("dust", "weight"), WEIGHTS.items())
def test_weight_of_dust(dust, weight):
    assert dust_weight(PRINTED, dust) == weight


@rule("ZAV-LIMIT-3", "ZAV-LIMIT-4")
@refusal("ZAV-LIMIT-4", "ZAV-LIMIT-3")
def test_example_24_limit_5_dust_17():
    g = full(dust=17)
    assert (g.hand_limit("ann"), g.weight("ann")) == (5, 6)
    found = no_keep(g, dust=14)["ZAV-LIMIT-4"]
    assert (found.reason, found.about) == ("broken-rule", ("/keep",))
    assert found.facts == {"limit": 5, "weight": 5, "fits": 15}
    found = no_keep(g, dust=17)["ZAV-LIMIT-3"]
    assert (found.about, found.facts) == (("/keep",), {"limit": 5, "weight": 6})
    keep(g, dust=15)
    assert g["ann"].dust == 15


@rule("ZAV-LIMIT-3")
def test_example_25_limit_4_with_a_concentrated_card():
    hand = {"concentrated": {"blue": 1}, "energy": {"green-7": 1, "blue-6": 1}, "dust": 2}
    g = full("elf", **hand)
    assert (g.hand_limit("ann"), g.weight("ann")) == (4, 6)
    keep(g.fork(), concentrated={"blue": 1}, cards={"green-7": 1})
    keep(g, cards={"green-7": 1, "blue-6": 1}, dust=2)
    assert (g["ann"].concentrated, g["ann"].dust) == ({}, 2)


@rule("ZAV-LIMIT-4")
@refusal("ZAV-LIMIT-4")
def test_example_26_limit_6_dust_20_and_18():
    g = at_hand_limit({"ann": {"character": "kobold", "dust": 20}, "bob": {"character": "mage", "dust": 18}})
    assert g.asked == ("bob",)
    assert (g.weight("ann"), g.weight("bob")) == (6, 7)
    assert no_keep(g, "bob", dust=16)["ZAV-LIMIT-4"].facts["fits"] == 17
    keep(g, "bob", dust=17)
    assert g["bob"].dust == 17


@rule("ZAV-LIMIT-1", "ZAV-KNOW-8")
def test_the_hand_limit_has_no_upper_bound():
    seats = {
        "ann": {
            "character": "mage",
            "tracks": {"accumulation": 1},
            "artifacts": {"crystal-ball": 3, "magic-wand": 1},
        },
        **{s: {} for s in ("bob", "cyd", "dan", "eve")},
    }
    assert game(seats).hand_limit("ann") == 5 + 1 + 1 + 9 + 3
    low = game({"ann": {"character": "witch", "tracks": {"flow": 1}}, "bob": {}})
    assert low.hand_limit("ann") == 3


@rule("ZAV-LIMIT-3", "ZAV-DEC-9", "ZAV-COMP-9")
@refusal("ZAV-LIMIT-3")
def test_only_what_one_has_is_kept_and_the_rest_goes_back():
    g = full(energy={"red-17": 3, "blue-3": 3}, concentrated={"green": 1}, dust=4)
    for kept, about in (
        ({"cards": {"red-17": 4}}, "/keep/cards/red-17"),
        ({"concentrated": {"red": 1}}, "/keep/concentrated/red"),
        ({"dust": 5}, "/keep/dust"),
    ):
        found = no_keep(g, **kept)["ZAV-LIMIT-3"]
        assert (found.reason, found.about) == ("unknown-value", (about,))
    keep(g, cards={"red-17": 3}, dust=4)
    assert (g.board.discards["blue"], g["ann"].concentrated) == ({"blue-3": 3}, {})
    assert set(g.because("moved")) & {"ZAV-LIMIT-3"}


@rule("ZAV-PAY-2")
@refusal("ZAV-PAY-2")
@pytest.mark.parametrize("dust", [1, 3])
def test_amounts_of_1_and_3_cannot_be_kept(dust):
    g = full(dust=40)
    found = no_keep(g, dust=dust)["ZAV-PAY-2"]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/keep/dust",), {"dust": dust})


@rule("ZAV-LIMIT-3", "ZAV-ROUND-2")
@refusal("ZAV-LIMIT-3")
def test_players_choose_in_position_order():
    g = at_hand_limit(
        {"ann": {"dust": 40}, "bob": {"dust": 40}, "cyd": {"dust": 40}}, order=("cyd", "ann", "bob")
    )
    assert g.asked == ("cyd",)
    assert no_keep(g, "ann", dust=20)["ZAV-LIMIT-3"].reason == "not-your-decision"


@rule("ZAV-LIMIT-4")
@refusal("ZAV-LIMIT-4")
def test_a_single_card_that_would_fit_must_stay():
    g = full(energy={"blue-5": 5, "red-17": 1}, concentrated={"red": 1})
    assert no_keep(g, cards={"red-17": 1, "blue-5": 3})["ZAV-LIMIT-4"].facts["fits"] == "blue-5"
    assert no_keep(g, cards={"blue-5": 2})["ZAV-LIMIT-4"].facts["fits"] in ("blue-5", "concentrated-red")
    keep(g.fork(), cards={"blue-5": 5})
    keep(g, concentrated={"red": 1}, cards={"blue-5": 1, "red-17": 1})


@rule("ZAV-LIMIT-4", "ZAV-LIMIT-5")
@refusal("ZAV-LIMIT-4", "ZAV-ACT-1")
def test_within_the_limit_nobody_discards_and_nobody_is_asked_earlier():
    g = game({"ann": {"character": "kobold", "dust": 500}, "bob": {"character": "mage", "dust": 20}})
    assert "ZAV-DEC-1" in g.refused("ann", "discard", keep={})
    assert "ZAV-ACT-1" in g.refused("bob", "discard", keep={})
    g.end_turns()
    assert g.asked == ("ann",)
    assert no_keep(g, dust=10)["ZAV-LIMIT-4"].facts == {"limit": 6, "weight": 3, "fits": 20}
    keep(g, dust=20)
    assert g["bob"].dust == 20


def brute_force(g):
    """Every part of the hand that weighs no more than the limit and to which nothing can be added."""
    p, limit = g["ann"], g.hand_limit("ann")
    each = [("cards", c, n) for c, n in p.energy.items()] + [
        ("concentrated", c, n) for c, n in p.concentrated.items()
    ]

    def weight(bag, dust):
        return sum(n * (3 if kind == "concentrated" else 1) for (kind, _), n in bag.items()) + dust_weight(
            PRINTED, dust
        )

    bags = [{}]
    for kind, what, n in each:
        bags = [{**bag, **({(kind, what): k} if k else {})} for bag in bags for k in range(n + 1)]
    held = {(kind, what): n for kind, what, n in each}
    for bag in bags:
        for dust in range(p.dust + 1):
            if dust in (1, 3) or weight(bag, dust) > limit:
                continue
            more_things = any(
                weight({**bag, key: bag.get(key, 0) + 1}, dust) <= limit
                for key, n in held.items()
                if bag.get(key, 0) < n
            )
            more_dust = any(weight(bag, d) <= limit for d in range(dust + 1, p.dust + 1) if d not in (1, 3))
            if not more_things and not more_dust:
                yield bag, dust


@rule("ZAV-LIMIT-3", "ZAV-LIMIT-4")
@pytest.mark.parametrize("seed", range(12))
def test_what_may_be_kept_agrees_with_every_part_of_the_hand(seed):
    rng = random.Random(f"limit {seed}")
    cards = {c: rng.choice((1, 2)) for c in rng.sample(list(PRINTED.energy), 3)}
    hand = {
        "energy": cards,
        "concentrated": {"red": rng.choice((1, 2))},
        "dust": rng.choice((9, 11, 13, 16, 22)),
    }
    g = full(rng.choice(("elf", "druid", "kobold")), **hand)
    expected = {(tuple(sorted((k, w, n) for (k, w), n in bag.items())), dust) for bag, dust in brute_force(g)}
    act = Discard(g.table, g.table.frames[-1], "ann")
    found = set()
    for value in Discard.keep.every(g.table, act):
        if not Discard.keep.check(g.table, act, value):
            bags = [(k, w, n) for k in ("cards", "concentrated") for w, n in value.get(k, {}).items()]
            found.add((tuple(sorted(bags)), value.get("dust", 0)))
    assert found == expected
    for value in [
        Discard.keep.example(g.table, act),
        *(Discard.keep.sample(g.table, act, rng) for _ in range(60)),
    ]:
        assert Discard.keep.check(g.table, act, value) == []
