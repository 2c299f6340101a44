"""Whole games: prudent ones go to their end, random ones break nothing, and together they show everything there is."""

from collections import Counter

import pytest

from service.engine.problems import problems
from service.engine.state import encode
from service.engine.table import Table
from service.games.zavandor.v1.curse import living
from tests.conformance.ends import items
from tests.conformance.subjects import walk
from tests.games.zavandor.conformance import items as cards
from tests.games.zavandor.conformance import seen
from tests.games.zavandor.table import CHARACTERS, PRINTED, RULES, TRACKS

rule = pytest.mark.rule

# From where to where things move, and by which clauses: one that is not here names the wrong rule.
MOVES = {
    ("active", "inactive"): {"ZAV-GEM-4"},
    ("inactive", "active"): {"ZAV-GEM-4"},
    ("active", "supply"): {"ZAV-GEM-5", "ZAV-GEM-6", "ZAV-CURSE-3", "ZAV-ART-MIRROR-2", "ZAV-ART-CLOAK-1"},
    ("inactive", "supply"): {"ZAV-GEM-5", "ZAV-GEM-6", "ZAV-CURSE-3"},
    ("supply", "active"): {"ZAV-SETUP-2", "ZAV-GEM-2", "ZAV-ART-ELIXIR-2"},
    ("supply", "inactive"): {"ZAV-GEM-2", "ZAV-ART-ELIXIR-2"},
    ("bank", "concentrated"): {"ZAV-INCOME-4"},
    ("bank", "dust"): {
        "ZAV-SETUP-3", "ZAV-INCOME-2", "ZAV-INCOME-4", "ZAV-INCOME-7", "ZAV-GEM-5", "ZAV-PAY-3", "ZAV-COMP-10"
    },
    ("bank", "waiting_dust"): {"ZAV-KNOW-SAGES-2", "ZAV-COMP-10"},
    ("concentrated", "bank"): {"ZAV-PAY-3", "ZAV-LIMIT-3", "ZAV-CURSE-3"},
    ("energy", "discards"): {"ZAV-PAY-3", "ZAV-LIMIT-3", "ZAV-CURSE-3"},
    ("dust", "bank"): {"ZAV-PAY-3", "ZAV-LIMIT-3", "ZAV-CURSE-3"},
    ("waiting", "energy"): {"ZAV-ORDER-1"},
    ("waiting_dust", "dust"): {"ZAV-ORDER-1"},
    ("waiting", "discards"): {"ZAV-KNOW-SAGES-2", "ZAV-CURSE-6"},
    ("waiting_dust", "bank"): {"ZAV-CURSE-6"},
    ("decks", "energy"): {"ZAV-INCOME-3", "ZAV-SETUP-4"},
    ("decks", "waiting"): {"ZAV-KNOW-SAGES-1"},
    ("deck", "display"): {"ZAV-SETUP-8", "ZAV-REFILL-1"},
    ("display", "artifacts"): {"ZAV-AUC-13"},
    ("sentinels", "sentinels"): {"ZAV-AUC-13"},
    ("artifacts", "gone_artifacts"): {"ZAV-CURSE-3"},
    ("sentinels", "gone_sentinels"): {"ZAV-CURSE-3"},
}  # fmt: skip
SETS = {
    "character": {"ZAV-SETUP-1"},
    "vp": {"ZAV-SETUP-6", "ZAV-SCORE-1"},
    "tracks": {
        "ZAV-SETUP-3", "ZAV-KNOW-2", "ZAV-ART-RUNESTONE-1", "ZAV-ART-MASK-1", "ZAV-ART-TALISMAN-1"
    },
    "tokens": {"ZAV-KNOW-3", "ZAV-ART-MIRROR-1", "ZAV-ART-CLOAK-1"},
    "bought": {"ZAV-KNOW-3", "ZAV-KNOW-4", "ZAV-ART-MIRROR-1", "ZAV-ART-CLOAK-1"},
    "early_rubies": {"ZAV-KNOW-FIRE-3"},
    "order": {"ZAV-ORDER-2"},
    "round": {"ZAV-ROUND-1"},
    "out": {"ZAV-CURSE-1"},
}  # fmt: skip
TOLD = {
    "round-begins": {"ZAV-ROUND-1"},
    "turn-begins": {"ZAV-ACT-1"},
    "bid": {"ZAV-AUC-1", "ZAV-AUC-3"},
    "passed": {"ZAV-AUC-5", "ZAV-AUC-7"},
    "auction-won": {"ZAV-AUC-6"},
    "curse-strikes": {"ZAV-CURSE-1"},
    "auction-void": {"ZAV-CURSE-2"},
    "tie-broken": {"ZAV-ORDER-3"},
    "wins-alone": {"ZAV-CURSE-4"},
    "unwound": {"ZAV-CURSE-4"},
    "declined": {"ZAV-KNOW-10", "ZAV-ART-MIRROR-1", "ZAV-ART-CLOAK-1"},
    "skipped": {"ZAV-KNOW-10", "ZAV-R-22", "ZAV-ART-ELIXIR-2", "ZAV-PAY-8"},
    "shuffled": {"ZAV-COMP-9"},
    "game-over": {"ZAV-END-2", "ZAV-CURSE-4"},
}


def kind_of_place(path):
    return "bank" if path is None else path[2] if path[0] == "seats" else path[0]


def strange(event):
    """Whether the event names a clause that does not make such things happen."""
    if event.kind == "moved":
        ends = kind_of_place(event.facts["source"]), kind_of_place(event.facts["target"])
        return event.because not in MOVES.get(ends, ())
    if event.kind == "set":
        return event.because not in SETS.get(kind_of_place(event.facts["place"]), ())
    return event.because not in TOLD.get(event.kind, ())


def sound(w):
    """No error on the way; every state can exist and survives JSON; every event names a clause that makes such."""
    assert w.error is None
    assert [e for e in w.first.events if strange(e)] == []
    for ply in w.plies:
        state = ply.judgement.state
        assert problems(RULES, state) == [], ply.where
        data = encode(state)
        again = RULES.decode(data)
        assert again == state, ply.where
        assert encode(again) == data, ply.where
        assert [e for e in ply.judgement.events if strange(e)] == [], ply.where
    assert w.over


def exercised(walks):
    """How often each kind, window, card, stage, character came up."""
    found = Counter()
    for w in walks:
        for ply in w.plies:
            found.update({f"kind {ply.action['kind']}"})
            top = ply.state.stack[-1]
            found.update({f"window {top.__struct_config__.tag}/{top.step}"})
            found.update(seen(ply))
            found.update(f"option {name}={value}" for name, value in ply.state.options.items())
    return found


SHOWN = ("kind", "window", "artifact", "sentinel", "track", "character", "option")


def wanted():
    return {i for i in items(RULES, cards(RULES)) if i.split()[0] in SHOWN}


@rule("ZAV-END-1", "ZAV-END-2", "ZAV-ROUND-1")
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_prudent_game_ends_by_the_fifth_sentinel(seats, seed):
    w = walk(RULES, seed, "prudent", seats=seats, mode="seeded")
    sound(w)
    outcome = w.last.outcome
    assert outcome.because == "ZAV-END-2"
    assert 9 - len(w.last.table.sentinels) >= 5
    best = max(s.score for s in outcome.standings)
    assert outcome.winners == [s.seat for s in outcome.standings if s.score == best]
    for standing in outcome.standings:
        assert standing.score == sum(standing.parts.values()) == w.last.table.seats[standing.seat].vp


@pytest.mark.parametrize("first", range(0, 200, 25))
def test_random_games_break_nothing(first):
    for seed in range(first, first + 25):
        w = walk(RULES, seed, "random")
        sound(w)
        if w.last.outcome.because == "ZAV-CURSE-4":
            assert w.last.outcome.winners == living(Table(RULES, w.last))


def test_random_and_prudent_games_together_show_nearly_everything():
    walks = [walk(RULES, seed, "mixed") for seed in range(8)]
    for w in walks:
        assert w.error is None
    found = exercised(walks)
    must = {
        f"kind {k}"
        for k in ("buy-gem", "sell-gems", "move-gem", "buy-token", "advance", "combine", "start-auction")
    }
    must |= {
        f"kind {k}"
        for k in ("end-turn", "bid", "pass", "pay", "advance-free", "draw-energy", "draw-artifact")
    }
    must |= {f"character {c}" for c in CHARACTERS} | {f"track {t} at 2" for t in TRACKS}
    must |= {f"artifact {a.id}" for a in PRINTED.artifacts.values() if a.letter == "A"}
    must |= {f"{n} seats" for n in range(2, 7)}
    assert must - set(found) == set()


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_fifty_prudent_games_end_by_the_fifth_sentinel(seats):
    plies = rounds = 0
    for seed in range(100, 150):
        w = walk(RULES, seed, "prudent", seats=seats, mode="seeded")
        sound(w)
        assert w.last.outcome.because == "ZAV-END-2"
        plies, rounds = plies + len(w.plies), rounds + w.last.table.round
    print(f"\n{seats} seats, seeds 100 to 149: {plies / 50:.0f} plies and {rounds / 50:.1f} rounds a game")


@pytest.mark.long
def test_five_thousand_random_games_and_what_they_have_shown():
    found: Counter[str] = Counter()
    plies = 0
    for seed in range(5_000):
        w = walk(RULES, seed, "random")
        sound(w)
        plies += len(w.plies)
        found.update(exercised([w]))
    for seed in range(400):
        w = walk(RULES, seed, "mixed")
        sound(w)
        found.update(exercised([w]))
    print(f"\n5,000 random games (seeds 0 to 4999), {plies} plies, and 400 mixed ones (seeds 0 to 399)")
    for item in sorted(wanted()):
        print(f"{found[item]:8d} {item}")
    assert wanted() - set(found) == set()
