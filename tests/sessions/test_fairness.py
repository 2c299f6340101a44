"""Chance that the service draws."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from typing import Any

import msgspec
import pytest

from service.engine.state import ChanceState
from service.sessions.fairness import ChanceRefused, Fairness, draw
from service.sessions.keys import Keyring

KEY = bytes(range(32))


@pytest.fixture
def fairness() -> Fairness:
    return Fairness(lambda: KEY)


def test_the_key_is_not_asked_for_before_it_is_needed() -> None:
    asked: list[int] = []
    fairness = Fairness(lambda: asked.append(1) or KEY)  # type: ignore[func-returns-value]
    fairness.given()
    fairness.draws("g")
    fairness.open({"a": 1})
    assert not asked
    fairness.fair()
    fairness.fair()
    assert asked == [1]


def test_a_fair_seed_is_an_hmac_of_the_game_under_the_server_key(fairness: Fairness) -> None:
    game_id, chance = fairness.fair("mine")
    seed = hmac.digest(KEY, b"arbitr game\n" + game_id.encode(), "sha256")
    assert len(game_id) == 32
    assert chance == ChanceState("seeded", True, fairness.key_id, hashlib.sha256(seed).hexdigest(), "mine")
    assert fairness.seed(game_id, chance) == seed


def test_no_state_holds_a_seed_or_the_key(fairness: Fairness) -> None:
    game_id, chance = fairness.fair()
    text = msgspec.json.encode(chance) + game_id.encode()
    assert fairness.seed(game_id, chance).hex().encode() not in text
    assert KEY.hex().encode() not in text


def test_an_open_game_is_the_same_on_every_server(fairness: Fairness) -> None:
    other = Fairness(lambda: b"x" * 32)
    assert fairness.open({"seats": ["ann"]}, "c") == other.open({"seats": ["ann"]}, "c")
    assert fairness.open({"seats": ["bob"]}, "c") != other.open({"seats": ["ann"]}, "c")
    game_id, chance = fairness.open({})
    assert not chance.fair
    assert other.draws(game_id)(chance, 1000) == fairness.draws(game_id)(chance, 1000)


def test_a_game_is_drawn_and_its_seed_told_with_the_key_that_it_began_with(fairness: Fairness) -> None:
    game_id, chance = fairness.fair()
    ring = Fairness(Keyring(lambda: [b"x" * 32, KEY]))
    assert ring.key_id != chance.key_id
    assert ring.knows(chance)
    assert not Fairness(lambda: b"x" * 32).knows(chance)
    assert ring.seed(game_id, chance) == fairness.seed(game_id, chance)
    assert ring.draws(game_id)(chance, 1000) == fairness.draws(game_id)(chance, 1000)


def test_a_draw_depends_on_seed_client_seed_and_number() -> None:
    base = ChanceState(client_seed="c", next_draw=4)
    numbers = {
        draw(b"s" * 32, base, 10**9),
        draw(b"t" * 32, base, 10**9),
        draw(b"s" * 32, ChanceState(client_seed="d", next_draw=4), 10**9),
        draw(b"s" * 32, ChanceState(client_seed="c", next_draw=5), 10**9),
    }
    assert len(numbers) == 4
    assert draw(b"s" * 32, base, 10**9) in numbers


def test_a_draw_can_be_worked_out_by_anyone_who_has_the_seed() -> None:
    chance = ChanceState(client_seed="c", next_draw=7)
    digest = hmac.digest(b"s" * 32 + b"c", b"7:0", "sha256")
    assert draw(b"s" * 32, chance, 6) == int.from_bytes(digest, "big") % 6


@pytest.mark.parametrize("total", [1, 2, 3, 6, 7, 12, 100])
def test_every_number_is_about_equally_likely(total: int) -> None:
    drawn = Counter(draw(b"s" * 32, ChanceState(next_draw=n), total) for n in range(6000))
    assert set(drawn) == set(range(total))
    expected = 6000 / total
    # chi squared, far beyond the 99.99 % quantile
    assert sum((n - expected) ** 2 / expected for n in drawn.values()) < total + 6 * (2 * total) ** 0.5 + 15


def chi_squared(drawn: Counter[int], total: int, draws: int) -> float:
    expected = draws / total
    return sum((drawn[n] - expected) ** 2 / expected for n in range(total))


# The quantiles of chi squared at 0.1 % and 99.9 %, for one degree of freedom less than there are numbers.
QUANTILES = {2: (0.0000016, 10.828), 3: (0.0020, 13.816), 6: (0.2102, 20.515), 54: (27.06, 90.573)}


@pytest.mark.long
@pytest.mark.parametrize("total", QUANTILES)
def test_a_million_draws_are_neither_too_uneven_nor_too_even(total: int, record_property: Any) -> None:
    """Coins, thirds, dice and a deck of 54, from a seed that is always the same: this fails always or never."""
    seed, draws = hashlib.sha256(b"a million draws").digest(), 1_000_000
    chance = ChanceState(client_seed="of a client")
    drawn: Counter[int] = Counter()
    for n in range(draws):
        chance.next_draw = n
        drawn[draw(seed, chance, total)] += 1
    assert sum(drawn.values()) == draws
    assert set(drawn) == set(range(total))
    found = chi_squared(drawn, total, draws)
    least, most = QUANTILES[total]
    record_property("counted", f"{draws} draws of {total}: chi squared {found:.3f}")
    assert least < found < most


def test_no_number_is_likelier_for_being_small() -> None:
    """Of three quarters of all digests, the first third would come up half of the time if no digest was refused."""
    total, draws = 3 << 254, 3_000
    numbers = [draw(b"s" * 32, ChanceState(next_draw=n), total) for n in range(draws)]
    thirds = Counter(number // (1 << 254) for number in numbers)
    assert chi_squared(thirds, 3, draws) < QUANTILES[3][1]
    digests = [hmac.digest(b"s" * 32, f"{n}:0".encode(), "sha256") for n in range(draws)]
    biased = Counter(int.from_bytes(d, "big") % total // (1 << 254) for d in digests)
    assert chi_squared(biased, 3, draws) > 100, "the test would not tell"


def test_a_digest_above_the_last_whole_multiple_is_drawn_again() -> None:
    total = (1 << 255) + 1  # nearly half of all digests are above it
    chance = ChanceState()
    digests = [
        int.from_bytes(hmac.digest(b"s" * 32, f"{n}:{a}".encode(), "sha256"), "big")
        for n in range(40)
        for a in (0,)
    ]
    assert any(d >= total for d in digests)
    for n in range(40):
        chance.next_draw = n
        assert 0 <= draw(b"s" * 32, chance, total) < total


@pytest.mark.parametrize("total", [0, -1, (1 << 256) + 1])
def test_nothing_is_drawn_from_nothing(total: int) -> None:
    with pytest.raises(ValueError, match="nothing can be drawn"):
        draw(b"s" * 32, ChanceState(), total)


def test_another_servers_game_is_not_drawn_for(fairness: Fairness) -> None:
    game_id, chance = Fairness(lambda: b"x" * 32).fair()
    with pytest.raises(ChanceRefused) as refused:
        fairness.draws(game_id)(chance, 6)
    assert (refused.value.pointer, refused.value.reason) == ("/chance/key_id", "unknown-key")


@pytest.mark.parametrize("change", ["game_id", "commitment", "key_id"])
def test_a_changed_promise_is_not_drawn_for(fairness: Fairness, change: str) -> None:
    game_id, chance = fairness.fair()
    if change == "game_id":
        game_id = "0" * 32
    else:
        setattr(chance, change, "open" if change == "key_id" else "ž" * 64)
    with pytest.raises(ChanceRefused) as refused:
        fairness.draws(game_id)(chance, 6)
    assert refused.value.reason == "broken-commitment"
