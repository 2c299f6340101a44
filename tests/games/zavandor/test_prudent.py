"""The prudent player: what it does is legal, within its means, repeatable, and looks at nothing hidden."""

import random
from copy import copy
from functools import cache

from service.engine.places import changed
from service.engine.problems import problems
from service.engine.table import Table
from service.games.zavandor.v1.auctions import net_price
from service.games.zavandor.v1.energy import means
from service.games.zavandor.v1.prudent import decide
from tests.conformance.subjects import walk
from tests.games.zavandor.table import PRINTED, RULES, game


@cache
def plies():
    """One game of four."""
    return walk(RULES, 3, "prudent", seats=4, mode="seeded").plies


def test_it_bids_what_it_can_pay_and_is_never_struck_by_the_curse():
    bids = 0
    for ply in plies():
        assert "curse-strikes" not in {e.kind for e in ply.judgement.events}
        act, t = ply.action, Table(RULES, ply.judgement.state)
        if act["kind"] in ("bid", "start-auction"):
            auction, bids = t.frames[-1], bids + 1
            assert net_price(t, act["actor"], auction.card, auction.bid) <= means(t, act["actor"])
    assert bids > 10


def redrawn(state, viewer, rng):
    """The same state with other hands of the same backs for everybody but the viewer."""
    twin = copy(state)
    for seat in state.table.seats:
        for card in list(twin.table.seats[seat].energy) if seat != viewer else ():
            colour = PRINTED.energy[card].colour
            pool = twin.table.decks[colour].cards()
            others = [c for c in pool if c != card]
            segments = twin.table.decks[colour].segments
            if not others or len(segments) != 1 or len(segments[0].strata) != 1:
                continue
            other = rng.choice(others)

            def swap(bag, out, into):
                fresh = {**bag, out: bag[out] - 1, into: bag.get(into, 0) + 1}
                return {c: n for c, n in sorted(fresh.items()) if n}

            hand = swap(twin.table.seats[seat].energy, card, other)
            deck = copy(twin.table.decks[colour])
            pile = copy(segments[0])
            stratum = copy(pile.strata[0])
            stratum.members = swap(stratum.members, other, card)
            pile.strata, deck.segments = [stratum], [pile]
            twin.table = changed(twin.table, ("seats", seat, "energy"), lambda _, hand=hand: hand)
            twin.table = changed(twin.table, ("decks", colour), lambda _, deck=deck: deck)
    return twin


def test_it_looks_at_nothing_that_its_seat_may_not_see():
    rng = random.Random(3)
    looked = 0
    for ply in rng.sample(plies(), 80):
        seat = ply.action["actor"]
        other = redrawn(ply.state, seat, rng)
        assert problems(RULES, other) == []
        looked += other.table != ply.state.table
        act = decide(Table(RULES, other), seat)
        assert act is not None
        assert act.to_wire() == ply.action
    assert looked > 20


def test_it_is_repeatable():
    for ply in plies()[::9]:
        act = decide(Table(RULES, ply.state), ply.action["actor"])
        assert act is not None
        assert act.to_wire() == ply.action


def test_it_pays_what_it_has_won():
    g = game({"ann": {"dust": 100}, "bob": {}}, display=("spellbook", "runestone"))
    g.play("ann", "start-auction", card="spellbook", bid=20).play("bob", "pass")
    assert decide(g.table, "ann").to_wire() == {"kind": "pay", "actor": "ann", "payment": {}}


def test_it_has_nothing_to_say_where_it_is_not_asked():
    assert decide(game(2).table, "bob") is None
