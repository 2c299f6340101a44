"""Energy and payment: what counts, change, dust, nothing superfluous, and the example payment."""

import random
from collections.abc import Iterator
from itertools import product
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.games.zavandor.v1.energy import as_bag, as_payment
from service.games.zavandor.v1.hand_limit import dust_weight
from service.games.zavandor.v1.handful import Item
from service.games.zavandor.v1.purse import Purse
from tests.games.zavandor.plain_purse import lost
from tests.games.zavandor.table import PRINTED, game, schema_faults

rule, refusal = pytest.mark.rule, pytest.mark.refusal

GEMS_1, GEMS_3 = {"tracks": {"gems": 1}}, {"tracks": {"gems": 3}}


def buy(g, gem, place="active", **payment):
    return g.play("ann", "buy-gem", gem=gem, place=place, payment=payment)


def hand(*cards, **held):
    bag = {}
    for card in cards:
        bag[card] = bag.get(card, 0) + 1
    return game({"ann": {"energy": bag, **held}, "bob": {}})


# -- worked examples


@rule("ZAV-PAY-3", "ZAV-COMP-6")
def test_example_9_an_overpayment_of_1_is_lost():
    g = buy(hand("white-10", "green-9", dust=8, **GEMS_1), "sapphire", cards={"white-10": 1, "green-9": 1})
    assert g["ann"].dust == 8


@rule("ZAV-PAY-3")
def test_example_10_of_an_overpayment_of_3_two_come_back():
    g = buy(hand("red-13", "white-10", dust=5), "sapphire", cards={"red-13": 1, "white-10": 1})
    assert g["ann"].dust == 7


@rule("ZAV-PAY-3")
@pytest.mark.parametrize(("second", "change"), [("green-7", 2), ("white-10", 5)])
def test_example_11_change_in_full(second, change):
    g = buy(hand("red-15", second), "sapphire", cards={"red-15": 1, second: 1})
    assert g["ann"].dust == change


@rule("ZAV-PAY-3", "ZAV-COMP-5")
def test_example_12_change_for_a_concentrated_card():
    g = hand(concentrated={"green": 1}, artifacts={"spellbook": 1}, **GEMS_1)
    assert g.price("ann", "emerald") == 27
    assert buy(g, "emerald", concentrated={"green": 1})["ann"].dust == 2


@rule("ZAV-PAY-4", "ZAV-R-6")
@refusal("ZAV-PAY-4")
def test_example_13_a_superfluous_card():
    g = hand("white-10", "blue-3", "green-8")
    found = g.refused(
        "ann", "buy-gem", gem="opal", place="active", payment={"cards": {"white-10": 1, "blue-3": 1}}
    )
    assert list(found) == ["ZAV-PAY-4"]
    assert found["ZAV-PAY-4"].about == ("/payment",)
    assert found["ZAV-PAY-4"].facts == {"price": 10, "value": 13, "superfluous": ["blue-3"]}
    assert buy(g, "opal", cards={"green-8": 1, "blue-3": 1})["ann"].dust == 0


@rule("ZAV-PAY-3", "ZAV-R-5")
@pytest.mark.parametrize(("track", "stage", "dust", "left"), [("gems", 3, 20, 13), ("gems", 3, 10, 2)])
def test_example_14_a_price_of_7_from_dust(track, stage, dust, left):
    g = hand(dust=dust, tracks={track: stage})
    assert g.price("ann", "opal") == 7
    assert buy(g, "opal")["ann"].dust == left


@rule("ZAV-PAY-3", "ZAV-COMP-6")
def test_example_14_of_10_dust_a_price_of_9_leaves_nothing():
    assert buy(hand(dust=10, **GEMS_1), "opal")["ann"].dust == 0


@rule("ZAV-PAY-6")
@refusal("ZAV-PAY-3")
def test_example_15_two_opals_together_or_one_by_one():
    g = hand("green-8", "white-10", **GEMS_1)
    opal = {"kind": "buy-gem", "gem": "opal", "place": "active"}
    both = g.fork().play(
        "ann", "combine", parts=[opal, opal], payment={"cards": {"green-8": 1, "white-10": 1}}
    )
    assert (both["ann"].dust, both["ann"].active) == (0, {"opal": 2})
    buy(g, "opal", cards={"white-10": 1})
    assert g["ann"].dust == 0
    found = g.refused("ann", "buy-gem", gem="opal", place="active", payment={"cards": {"green-8": 1}})
    assert found["ZAV-PAY-3"].reason == "broken-rule"
    assert found["ZAV-PAY-3"].about == ("/payment",)
    assert found["ZAV-PAY-3"].facts == {"price": 9, "offered": 8, "dust": 0}


@rule("ZAV-GEM-5", "ZAV-GEM-6", "ZAV-R-4")
def test_example_16_opals_sold_at_gems_3():
    for opals, dust in ((1, 2), (2, 6)):
        g = hand(active={"opal": 2}, **GEMS_3)
        assert g.play("ann", "sell-gems", gems={"active": {"opal": opals}})["ann"].dust == dust
    g = hand("blue-4", active={"opal": 2}, dust=5, **GEMS_3)
    buy(g, "opal", cards={"blue-4": 1}, gems={"active": {"opal": 1}})
    assert (g["ann"].dust, g["ann"].active) == (5, {"opal": 2})


@rule("ZAV-PAY-6", "ZAV-R-9")
@pytest.mark.parametrize(("advance_first", "price"), [(True, 20), (False, 22)])
def test_example_17_the_order_of_the_parts_sets_the_price(advance_first, price):
    g = game({"ann": {"character": "witch", "dust": 50}, "bob": {}})
    parts = [
        {"kind": "advance", "track": "gems"},
        {"kind": "buy-gem", "gem": "sapphire", "place": "active"},
    ]
    g.play("ann", "combine", parts=parts if advance_first else parts[::-1], payment={})
    assert 50 - g["ann"].dust == price
    assert (g["ann"].tracks, g["ann"].active) == ({"gems": 2}, {"sapphire": 1})


# -- clauses


@rule("ZAV-PAY-1", "ZAV-INCOME-9")
def test_one_payment_mixes_cards_concentrated_gems_and_dust():
    gems = {"active": {"opal": 1}, "inactive": {"sapphire": 1}}
    g = hand("blue-3", concentrated={"blue": 1}, dust=4, **gems)
    g.play(
        "ann",
        "buy-token",
        token=40,
        payment={
            "cards": {"blue-3": 1},
            "concentrated": {"blue": 1},
            "gems": {"active": {"opal": 1}, "inactive": {"sapphire": 1}},
        },
    )
    assert (g["ann"].dust, g["ann"].active, g["ann"].inactive, g["ann"].bought) == (2, {}, {}, 1)


@rule("ZAV-PAY-1")
@refusal("ZAV-PAY-1", "ZAV-GEM-6")
def test_nobody_pays_with_what_he_has_not():
    g = hand("blue-3", dust=50)
    for payment, about, clause in (
        ({"cards": {"blue-3": 2}}, "/payment/cards/blue-3", "ZAV-PAY-1"),
        ({"concentrated": {"red": 1}}, "/payment/concentrated/red", "ZAV-PAY-1"),
        ({"gems": {"inactive": {"opal": 1}}}, "/payment/gems/inactive/opal", "ZAV-GEM-6"),
    ):
        found = g.refused("ann", "buy-gem", gem="opal", place="active", payment=payment)
        assert {r: (v.reason, v.about) for r, v in found.items()} == {clause: ("unknown-value", (about,))}


@rule("ZAV-PAY-2")
@pytest.mark.parametrize("dust", [n for n in range(120) if n not in (1, 3)])
def test_the_normal_form_of_dust_is_the_lightest(dust):
    weights = [
        3 * tens + 2 * fives + (dust - 10 * tens - 5 * fives) // 2
        for tens in range(dust // 10 + 1)
        for fives in range((dust - 10 * tens) // 5 + 1)
        if (dust - 10 * tens - 5 * fives) % 2 == 0
    ]
    assert dust_weight(PRINTED, dust) == min(weights)


@rule("ZAV-PAY-3")
def test_change_does_not_depend_on_the_dust_already_held():
    for held in (0, 2, 4, 9):
        g = buy(hand("blue-5", "blue-6", dust=held), "opal", cards={"blue-5": 1, "blue-6": 1})
        assert g["ann"].dust == held


@rule("ZAV-PAY-5")
def test_no_action_turns_cards_into_dust():
    g = hand("red-17", "red-16")
    assert set(g.kinds) == {
        "buy-gem", "sell-gems", "move-gem", "buy-token", "advance", "combine", "start-auction", "end-turn"
    }  # fmt: skip
    assert schema_faults({"kind": "exchange", "actor": "ann"}).keys() == {"kind"}
    assert schema_faults({"kind": "sell-gems", "actor": "ann", "cards": {"red-17": 1}}).keys() >= {"cards"}


@rule("ZAV-PAY-8", "ZAV-AUC-9")
def test_a_price_of_0_needs_no_payment():
    names = ("ann", "bob", "cyd", "dan", "eve", "fay")
    seats = {s: {"character": c} for s, c in zip(names, PRINTED.characters, strict=True)}
    seats["ann"] |= {"vp": 10, "sentinels": ["fox"]}
    seats["fay"] |= {"tracks": {"artifacts": 4}, "energy": {"blue-5": 1}}
    g = game(seats).end_turns(until="fay")
    g.play("fay", "start-auction", card="spellbook", bid=20)
    while g.kinds == ("bid", "pass"):
        g.play(g.asked[0], "pass")
    assert g.event("auction-won")["price"] == 20 - 10 - 10 == 0
    assert g.event("skipped") == {"kind": "skipped", "because": "ZAV-PAY-8", "window": "pay"}
    assert (g["fay"].artifacts, g["fay"].energy, g.asked) == ({"spellbook": 1}, {"blue-5": 1}, ("fay",))


@rule("ZAV-PAY-9", "ZAV-KNOW-SAGES-4")
@refusal("ZAV-KNOW-SAGES-4")
def test_energy_under_the_position_card_cannot_be_spent():
    g = hand("blue-3", waiting={"blue-3": 1, "green-9": 1}, waiting_dust=20)
    for cards in ({"blue-3": 2}, {"green-9": 1, "blue-3": 1}):
        found = g.refused("ann", "buy-gem", gem="opal", place="active", payment={"cards": cards})
        assert found.keys() == {"ZAV-KNOW-SAGES-4"}
        about = "/payment/cards/blue-3" if cards.get("blue-3") == 2 else "/payment/cards/green-9"
        assert (found["ZAV-KNOW-SAGES-4"].reason, found["ZAV-KNOW-SAGES-4"].about) == (
            "broken-rule",
            (about,),
        )
    assert "ZAV-PAY-3" in g.refused("ann", "buy-gem", gem="opal", place="active", payment={})


@rule("ZAV-PAY-10", "ZAV-R-9")
@refusal("ZAV-GEM-3", "ZAV-PAY-4")
def test_a_gem_sold_in_the_payment_makes_room_also_for_one_of_its_kind():
    g = hand("blue-5", "white-10", active={"opal": 5})
    full = g.refused("ann", "buy-gem", gem="opal", place="active", payment={"cards": {"white-10": 1}})
    assert full["ZAV-GEM-3"].facts == {"capacity": 5, "active": 5}
    too_much = g.refused(
        "ann",
        "buy-gem",
        gem="opal",
        place="active",
        payment={"cards": {"white-10": 1}, "gems": {"active": {"opal": 1}}},
    )
    assert too_much.keys() == {"ZAV-PAY-4"}
    buy(g, "opal", cards={"blue-5": 1}, gems={"active": {"opal": 1}})
    assert (g["ann"].active, g["ann"].dust) == ({"opal": 5}, 0)
    assert g.because("moved") == ["ZAV-GEM-6", "ZAV-PAY-3", "ZAV-GEM-2"]


@rule("ZAV-PAY-10")
def test_an_inactive_gem_sold_makes_no_room():
    g = hand("blue-5", active={"opal": 5}, inactive={"opal": 1})
    payment = {"cards": {"blue-5": 1}, "gems": {"inactive": {"opal": 1}}}
    assert g.refused("ann", "buy-gem", gem="opal", place="active", payment=payment).keys() == {"ZAV-GEM-3"}


@rule("ZAV-PAY-10", "ZAV-COMP-3", "ZAV-GEM-7")
def test_a_sale_in_the_payment_also_frees_supply_and_the_ruby_limit():
    g = game({"ann": {"inactive": {"opal": 28}, "energy": {"blue-5": 1}}, "bob": {}})
    buy(g, "opal", cards={"blue-5": 1}, gems={"inactive": {"opal": 1}})
    assert (g["ann"].active, g["ann"].inactive) == ({"opal": 1}, {"opal": 27})
    g = hand(concentrated={"blue": 1}, dust=10, inactive={"ruby": 5}, tracks={"fire": 4})
    buy(g, "ruby", concentrated={"blue": 1}, gems={"inactive": {"ruby": 1}})
    assert (g["ann"].active, g["ann"].inactive, g["ann"].dust) == ({"ruby": 1}, {"ruby": 4}, 0)


@rule("ZAV-PAY-10")
@refusal("ZAV-GEM-3", "ZAV-COMP-3", "ZAV-GEM-7")
def test_the_set_up_may_say_that_a_sale_in_the_payment_frees_nothing():
    option = {"gem_sold_in_payment_frees_its_place": False}
    ann = {"energy": {"blue-5": 1}, "active": {"opal": 5}, "inactive": {"ruby": 5, "opal": 23}}
    g = game({"ann": {**ann, "concentrated": {"blue": 2}, "tracks": {"fire": 4}}, "bob": {}}, options=option)
    payment = {"cards": {"blue-5": 1}, "gems": {"active": {"opal": 1}}}
    found = g.refused("ann", "buy-gem", gem="opal", place="active", payment=payment)
    assert found.keys() == {"ZAV-GEM-3", "ZAV-COMP-3"}
    payment = {"concentrated": {"blue": 2}, "gems": {"inactive": {"ruby": 1}}}
    found = g.refused("ann", "buy-gem", gem="ruby", place="inactive", payment=payment)
    assert found.keys() == {"ZAV-GEM-7"}
    assert {(o["gem"], o["place"]) for o in g.options("ann", "buy-gem")} == {("sapphire", "inactive")}


@rule("ZAV-PAY-10")
def test_a_descriptor_says_which_gems_must_be_sold():
    from service.engine.options import options

    g = hand("blue-5", active={"opal": 5})
    (option,) = [
        o for o in options(g.table, "ann", kinds=("buy-gem",))
        if o.filled()["gem"] == "opal" and o.filled()["place"] == "active"
    ]  # fmt: skip
    shown = option.open["payment"]
    assert (shown["price"], shown["example"]) == (
        10,
        {"cards": {"blue-5": 1}, "gems": {"active": {"opal": 1}}},
    )
    (must,) = shown["must_sell"]
    assert (must["least"], must["rule"]) == (1, "ZAV-GEM-3")
    assert must["of"] == {"active": ["diamond", "emerald", "opal", "ruby", "sapphire"]}
    assert shown["purse"]["cards"] == {"blue-5": {"count": 1, "value": 5}}


# -- the example payment, against brute force


def every_bag(items: list[Item]) -> Iterator[dict[str, int]]:
    for counts in product(*(range(i.count + 1) for i in items)):
        yield {i.id: n for i, n in zip(items, counts, strict=True) if n}


def best_by_force(price: int, items: list[Item], dust: int, forced: dict[str, int]):
    worth = {i.id: i.value for i in items}
    ranked = []
    for bag in every_bag(items):
        value = sum(worth[i] * n for i, n in bag.items())
        if any(bag.get(i, 0) < n for i, n in forced.items()) or value + dust < price:
            continue
        if any(value - worth[i] >= price for i in bag):
            continue
        rank = (
            {i: n for i, n in bag.items() if i.startswith("gem:")} != forced,
            lost(price, value, dust),
            sum(bag.values()),
            tuple((i, -bag[i]) for i in sorted(bag)),
        )
        ranked.append((rank, bag))
    return min(ranked, key=lambda r: r[0], default=None)


IDS = [f"card:{c}" for c in PRINTED.energy] + [f"concentrated:{c}" for c in PRINTED.concentrated]
GEM_IDS = [f"gem:{place}:{g}" for place in ("active", "inactive") for g in PRINTED.gems]


def value_of(item: str, stage: int) -> int:
    kind, _, what = item.partition(":")
    if kind == "card":
        return PRINTED.energy[what].value
    if kind == "concentrated":
        return PRINTED.concentrated[what].value
    return PRINTED.gems[what.partition(":")[2]].price * (10 - stage) // 10 // 2


def random_purse(rng: random.Random) -> tuple[int, list[Item], int, dict[str, int]]:
    stage = rng.randrange(5)
    ids = rng.sample(IDS, rng.randrange(5)) + rng.sample(GEM_IDS, rng.randrange(4))
    items = sorted((Item(i, value_of(i, stage), rng.choice((1, 1, 2, 3))) for i in ids), key=lambda i: i.id)
    gems = [i for i in items if i.id.startswith("gem:")]
    forced = {rng.choice(gems).id: 1} if gems and rng.random() < 0.4 else {}
    return rng.randrange(70), items, rng.choice((0, 2, 4, 5, 7, 20, 60)), forced


@rule("ZAV-PAY-4", "ZAV-PAY-3")
@pytest.mark.parametrize("seed", range(20))
def test_the_example_payment_is_the_best_there_is(seed):
    rng = random.Random(seed)
    for _ in range(40):
        price, items, dust, forced = random_purse(rng)
        if not forced:  # whoever is not struck by the Curse can pay without anything superfluous
            means = dust + sum(i.value * i.count for i in items)
            assert (Purse(items, dust).cheapest(price, {}) is None) == (means < price)
        assert Purse(items, dust).cheapest(price, forced) == best_by_force(price, items, dust, forced), (
            price, items, dust, forced,
        )  # fmt: skip


def test_the_example_for_thirty_cards_is_found_at_once():
    """Well under 1 ms; the bound only keeps it from growing with the number of ways to pay."""
    rng = random.Random(30)
    slowest = 0.0
    for _ in range(40):
        bag: dict[str, int] = {}
        for item in [rng.choice(IDS) for _ in range(30)] + [rng.choice(GEM_IDS) for _ in range(8)]:
            bag[item] = bag.get(item, 0) + 1
        items = [Item(i, value_of(i, 1), n) for i, n in sorted(bag.items())]
        price = rng.choice((10, 64, 120, 150, 200, 300))
        begun = perf_counter()
        assert Purse(items, rng.choice((0, 5, 60))).cheapest(price, {}) is not None
        slowest = max(slowest, perf_counter() - begun)
    assert slowest < 0.1


@given(st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_payment_and_its_bag_are_the_same_thing(data):
    bag = data.draw(st.dictionaries(st.sampled_from(IDS + GEM_IDS), st.integers(1, 9), max_size=6))
    assert as_bag(as_payment(bag)) == bag


@pytest.mark.parametrize("seed", range(8))
@rule("ZAV-PAY-10")
def test_on_the_table_the_example_agrees_with_every_payment_there_is(seed):
    """What is judged legal among all payments, and the best of it, is what the option shows."""
    rng = random.Random(f"table {seed}")
    cards = rng.sample(list(PRINTED.energy), 3)
    g = game(
        {
            "ann": {
                "energy": {c: rng.choice((1, 2)) for c in cards},
                "concentrated": {rng.choice(("blue", "green")): 1},
                "active": {"opal": rng.choice((2, 5)), "sapphire": 1} if seed % 2 else {"opal": 5},
                "inactive": {"sapphire": 1},
                "dust": rng.choice((0, 2, 9)),
                "tracks": {"gems": rng.choice((1, 3)), "accumulation": 2},
            },
            "bob": {},
        }
    )
    from service.engine.options import options
    from service.games.zavandor.v1.gems import BuyGem

    for option in options(g.table, "ann", kinds=("buy-gem",)):
        act = option.act
        legal = [v for v in BuyGem.payment.every(g.table, act) if not BuyGem.payment.check(g.table, act, v)]
        assert act.payment in legal
        p = g["ann"]
        stage = p.tracks["gems"]
        full = act.place == "active" and sum(p.active.values()) == 6
        must = [{f"gem:active:{gem}": 1} for gem in p.active] if full else [{}]

        def rank(value, stage=stage, price=act.price, dust=p.dust, must=must):
            bag = as_bag(value)
            worth = sum(value_of(i, stage) * n for i, n in bag.items())
            return (
                {i: n for i, n in bag.items() if i.startswith("gem:")} not in must,
                lost(price, worth, dust),
                sum(bag.values()),
                tuple((i, -bag[i]) for i in sorted(bag)),
            )

        assert rank(act.payment) == min(map(rank, legal))
        for value in legal[::7]:
            g.fork().play("ann", "buy-gem", gem=act.gem, place=act.place, payment=value)
