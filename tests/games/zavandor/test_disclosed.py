"""A bid that is just about one's means: the one thing that an opponent's pass may bring to light is the Curse."""

from __future__ import annotations

import random
from copy import copy
from functools import cache

import pytest

from service.engine.table import Table
from service.games.zavandor.v1 import RULES
from service.games.zavandor.v1.auctions import net_price
from service.games.zavandor.v1.energy import means
from tests.conformance.secrets import law_secrets
from tests.conformance.subjects import Ply, Spot, walk
from tests.games.zavandor.conformance import DISCLOSES


def on_the_edge(ply: Ply) -> Spot:
    """The same auction, its highest bid raised to all that the leader could pay."""
    state, auction = copy(ply.state), copy(ply.state.stack[-1])
    state.stack = [*state.stack[:-1], auction]
    t = Table(RULES, state)
    auction.bid += means(t, auction.leader) - net_price(t, auction.leader, auction.card, auction.bid)
    return Spot(ply.where, state, ply.action)


@cache
def last_passes() -> tuple[Spot, ...]:
    plies = [p for seed in (20, 21) for p in walk(RULES, seed, "prudent").plies]
    won = [p for p in plies if any(e.kind == "auction-won" for e in p.judgement.events)]
    return tuple(on_the_edge(p) for p in won if p.action["kind"] == "pass")[:40]


@pytest.mark.rule("ZAV-CURSE-1", "ZAV-INFO-2")
def test_the_hand_comes_out_by_the_curse() -> None:
    found = law_secrets(RULES, last_passes(), random.Random(1), 4, 10)
    assert found
    assert all("ZAV-CURSE-1" in str(breach) for breach in found)


@pytest.mark.rule("ZAV-INFO-2", "ZAV-INFO-3")
def test_nothing_else_of_it_does() -> None:
    assert law_secrets(RULES, last_passes(), random.Random(1), 4, 10, frozenset(DISCLOSES)) == []
