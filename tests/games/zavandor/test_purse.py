"""The best payment from one purse for many prices, beside the plain way, which looks for each price by itself."""

import json
import random
from itertools import product

import pytest

from benchmarks.games import play
from service.engine.domain import AtLeast
from service.engine.options import options
from service.engine.table import Table
from service.games.zavandor.v1 import gems, handful, sums
from service.games.zavandor.v1.auctions import CARDS as CARDS_TO_BID_FOR
from service.games.zavandor.v1.auctions import net_price
from service.games.zavandor.v1.combined import Combine, Parts, Together
from service.games.zavandor.v1.components import player
from service.games.zavandor.v1.energy import Payment, smallest_bags
from service.games.zavandor.v1.gems import nothing_to_sell as quick_answer
from service.games.zavandor.v1.handful import Handful, Item
from service.games.zavandor.v1.purse import Purse
from service.games.zavandor.v1.sums import Sums
from tests.games.zavandor.plain_lists import plain_pair, plain_payment, plain_plan, plain_price
from tests.games.zavandor.plain_purse import cheapest
from tests.games.zavandor.table import PRINTED

rule = pytest.mark.rule

CARDS = [f"card:{c}" for c in PRINTED.energy] + [f"concentrated:{c}" for c in PRINTED.concentrated]
GEMS = [f"gem:{place}:{g}" for place in ("active", "inactive") for g in PRINTED.gems]
WORTH = (
    (0, 1, 2, 3, 5, 7, 11, 30),
    range(1, 8),
    range(1, 30),
    (1, 4, 200),
)  # printed ones and those of houses


def random_items(rng: random.Random) -> list[Item]:
    ids = rng.sample(CARDS, rng.randrange(8)) + rng.sample(GEMS, rng.randrange(6))
    worth = rng.choice(WORTH)
    return [Item(i, rng.choice(worth), rng.choice((1, 1, 1, 2, 3, 4))) for i in sorted(ids)]


def some_price(rng: random.Random) -> int:
    return rng.choice((rng.randrange(12), rng.randrange(70), rng.randrange(250)))


@rule("ZAV-PAY-3", "ZAV-PAY-4")
@pytest.mark.parametrize(
    ("roomy", "many"), [(1, 0), (40, 0), (sums.ROOMY, 0), (sums.ROOMY, handful.MANY), (40, 5_000)]
)
@pytest.mark.parametrize("seed", range(4))
def test_one_purse_pays_every_price_as_if_it_were_asked_once(seed, roomy, many, monkeypatch):
    monkeypatch.setattr(sums, "ROOMY", roomy)
    monkeypatch.setattr(handful, "MANY", many)
    rng, paid, refused = random.Random(seed), 0, 0
    for _ in range(150):
        items, dust = random_items(rng), rng.choice((0, 1, 2, 3, 4, 5, 7, 9, 20, 60))
        purse = Purse(items, dust)
        own = [i for i in items if i.id.startswith("gem:")]
        for _ in range(6):
            price = some_price(rng)
            plain = cheapest(price, items, dust, {})
            assert purse.paid(price, dict) == (None if plain is None else plain[1]), (price, items, dust)
            some = rng.sample(own, min(len(own), rng.choice((0, 0, 1, 2))))
            forced = {i.id: rng.randint(1, i.count) for i in some}
            best = cheapest(price, items, dust, forced)
            assert purse.cheapest(price, forced) == best, (price, items, dust, forced)
            paid, refused = paid + (best is not None), refused + (best is None)
    assert paid > 200 < refused


@rule("ZAV-PAY-3", "ZAV-PAY-4")
@pytest.mark.parametrize("seed", range(3))
def test_the_purse_of_a_rich_house_pays_as_well(seed):
    """With hundreds of cards of a kind, too, and without taking a minute over it."""
    rng = random.Random(seed)
    some = sorted(rng.sample(CARDS, 5) + rng.sample(GEMS, 3))
    items = [Item(i, rng.choice((1, 3, 7, 9, 30, 500, 997)), rng.choice((3, 40, 100, 300))) for i in some]
    dust = rng.choice((0, 5, 100))
    purse = Purse(items, dust)
    for price in (50, 1001, 5003):
        assert purse.cheapest(price, {}) == cheapest(price, items, dust, {})


@rule("ZAV-AUC-9", "ZAV-AUC-10", "ZAV-AUC-11", "ZAV-AUC-12", "ZAV-KNOW-ART-1")
@pytest.mark.parametrize(("seed", "seats"), [(1, 4), (2, 2), (3, 6)])
def test_net_prices_of_a_list_are_those_of_the_clauses(seed, seats):
    """What is added for whatever artifact or sentinel is worked out once; each price is that of its card by itself."""
    changed, game = set(), play(seed, seats)
    for ply in game.plies[::5]:
        t = Table(game.rules, ply.state)
        for seat, card in product(t.board.order, CARDS_TO_BID_FOR):
            for bid in (0, 60):
                price = net_price(t, seat, card, bid)
                assert price == plain_price(t, seat, card, bid), (seat, card, bid)
                changed.add(price - bid)
    assert min(changed) < 0 < max(changed)


def test_few_things_are_looked_through_and_many_are_reckoned_with():
    """Which of the two finds a payment follows from how many bags there are: 5 cards of each of three kinds are 216."""
    some = [Item(card, 5, 5) for card in CARDS[:3]]
    assert type(Purse(some[:2], 0)._cards) is Handful
    assert type(Purse(some, 0)._cards) is Sums


@rule("ZAV-PAY-10", "ZAV-GEM-3")
@pytest.mark.parametrize("many", [0, handful.MANY, 5_000])
@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_the_payments_that_sell_what_they_must(seed, many, monkeypatch):
    """Where one gem of several kinds must go, most payments need not be looked for; the best one is the same."""
    monkeypatch.setattr(handful, "MANY", many)
    rng, several = random.Random(seed), 0
    for _ in range(200):
        items, dust = random_items(rng), rng.choice((0, 2, 4, 5, 20))
        own = {i.id: i.count for i in items if i.id.startswith("gem:")}
        purse = Purse(items, dust)
        for _ in range(4):
            of = rng.choice((None, frozenset(g for g in own if ":active" in g), frozenset(list(own)[:2])))
            bags = smallest_bags(own, [AtLeast("ZAV-GEM-3", rng.choice((1, 1, 1, 2, 3)), of)])
            price = some_price(rng)
            found = [cheapest(price, items, dust, bag) for bag in bags]
            best = min((b for b in found if b is not None), key=lambda b: b[0], default=None)
            assert purse.best(price, bags) == (None if best is None else best[1]), (price, items, dust, bags)
            several += len(bags) > 1 and best is not None
    assert several > 100


def test_the_smallest_bags_of_one_gem():
    """Those of a statement about one gem are written down at once; said twice, they are searched for."""
    own = {"gem:active:opal": 2, "gem:active:ruby": 1, "gem:inactive:opal": 3}
    for of in (None, frozenset(["gem:active:opal", "gem:active:ruby"]), frozenset(["gem:active:diamond"])):
        one = AtLeast("ZAV-GEM-3", 1, of)
        assert smallest_bags(own, [one]) == smallest_bags(own, [one, one])


@rule("ZAV-PAY-10", "ZAV-GEM-3", "ZAV-GEM-7", "ZAV-COMP-3")
def test_what_plainly_needs_no_sale_needs_none(monkeypatch):
    """One gem or several, in all the places there can be: the quick question leaves nothing out, and finds most."""
    game, rng, plain, several = play(2, 3), random.Random(1), 0, 0
    monkeypatch.setattr(gems, "nothing_to_sell", lambda t, p, bought, places: False)
    for ply in game.plies[::3]:
        t = Table(game.rules, ply.state)
        seat = rng.choice(t.seats)
        for n in (0, 1, 1, 2, 3):
            bought = [(rng.choice(tuple(PRINTED.gems)), rng.choice(gems.PLACES)) for _ in range(n)]
            places = [rng.randint(4, 9) for _ in bought]
            if quick_answer(t, player(t, seat), bought, places):
                assert gems.needed_sales(t, seat, bought, places) == []
                plain, several = plain + 1, several + (n > 1)
            elif n == 1:
                assert gems.needed_sales(t, seat, bought, places)
    assert plain > 200
    assert several > 50


@rule("ZAV-PAY-3", "ZAV-PAY-6", "ZAV-PAY-10")
@pytest.mark.parametrize(("seed", "seats"), [(1, 4), (2, 2), (3, 6), (4, 3)])
def test_whole_games_list_what_they_list_the_plain_way(seed, seats, monkeypatch):
    game = play(seed, seats)
    states = [ply.state for ply in game.plies]
    told = [json.dumps([o.to_wire() for o in options(Table(game.rules, s))]) for s in states]
    monkeypatch.setattr(Table, "once", lambda t, make, *of: make(t, *of))
    monkeypatch.setattr(Payment, "example", plain_payment)
    monkeypatch.setattr(Together, "example", plain_payment)
    monkeypatch.setattr(Parts, "example", plain_pair)
    monkeypatch.setattr(Combine.plan, "fn", plain_plan)
    plain = [json.dumps([o.to_wire() for o in options(Table(game.rules, s))]) for s in states]
    assert told == plain
    assert sum(line.count('"payment"') for line in told) > 500
