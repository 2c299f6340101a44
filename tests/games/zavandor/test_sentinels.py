"""Sentinels and their bonuses."""

import pytest

from service.games.zavandor.v1.scoring import parts_of, sentinel_bonus
from tests.games.zavandor.table import SENTINELS, TRACKS, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal

PLACES = {"artifacts": {"magic-belt": 1, "magic-wand": 1}, "tracks": {"accumulation": 4}}  # 11 active places


def bonus(sentinel, others=1, **held):
    seats = {"ann": {"character": "kobold", "sentinels": [sentinel], **held}, "bob": {}}
    seats |= {s: {} for s in ("cyd", "dan", "eve", "fay")[: others - 1]}
    g = game(seats)
    return sentinel_bonus(g.table, g["ann"], sentinel)


@rule("ZAV-SENT-1", "ZAV-SCORE-1")
@pytest.mark.parametrize("sentinel", SENTINELS)
def test_a_sentinel_alone_is_worth_five(sentinel):
    g = game({"ann": {"sentinels": [sentinel]}, "bob": {}}).end_turns()
    assert g["ann"].vp == 5


@rule("ZAV-SENT-2", "ZAV-SCORE-2")
def test_the_bonus_is_counted_afresh_every_round():
    g = game({"ann": {"sentinels": ["tomcat"], "active": {"opal": 3}}, "bob": {}}).end_turns()
    assert g["ann"].vp == 3 + 5 + 6
    g.play("ann", "sell-gems", gems={"active": {"opal": 2}}).end_turns()
    assert g["ann"].vp == 1 + 5 + 2


@rule("ZAV-SENT-PHOENIX-1", "ZAV-R-19", "ZAV-ART-CHALICE-2")
def test_example_28_phoenix_counts_kinds_of_active_gems():
    gems = {"opal": 1, "sapphire": 1, "emerald": 1}
    assert bonus("phoenix", active=gems, artifacts={"chalice-of-fire": 1}) == 6


@rule("ZAV-SENT-TOMCAT-1")
def test_example_29_seven_opals_and_the_tomcat():
    g = game(
        {
            "ann": {
                "character": "kobold",
                "sentinels": ["tomcat"],
                "active": {"opal": 7},
                "tracks": {"accumulation": 4},
            },
            "bob": {},
        }
    )
    parts = parts_of(g.table, g["ann"])
    assert (parts["sentinels"], parts["gems"], parts["sentinels"] + parts["gems"]) == (5 + 12, 7, 24)


@rule("ZAV-SENT-TOAD-1", "ZAV-SENT-RAVEN-1")
def test_example_30_toad_and_raven_with_the_same_cards():
    held = {"runestone": 2, "elixir": 1, "crystal-ball": 1}
    assert bonus("toad", others=2, artifacts=held) == 6
    assert bonus("raven", others=2, artifacts=held) == 2


@rule("ZAV-SENT-PHOENIX-1")
@pytest.mark.parametrize("kinds", range(6))
def test_phoenix(kinds):
    gems = ["opal", "sapphire", "emerald", "diamond", "ruby"][:kinds]
    assert bonus("phoenix", active=dict.fromkeys(gems, 1), inactive={"ruby": 2}) == 2 * kinds


@rule("ZAV-SENT-OWL-1", "ZAV-KNOW-7")
@pytest.mark.parametrize("tops", range(1, 7))
def test_owl(tops):
    tracks = dict.fromkeys(("accumulation", *[t for t in TRACKS if t != "accumulation"][: tops - 1]), 4)
    others = {t: 3 for t in TRACKS if t not in tracks}
    assert bonus("owl", tracks={**others, **tracks}) == 2 * tops
    g = game({"ann": {"character": "kobold", "sentinels": ["owl"], "tracks": tracks}, "bob": {}}).end_turns()
    assert g["ann"].vp == 5 + 2 * tops + 2 * tops


@rule(
    "ZAV-SENT-FOX-1", "ZAV-SENT-TOMCAT-1", "ZAV-SENT-UNICORN-1", "ZAV-SENT-SCARAB-1", "ZAV-SENT-SALAMANDER-1"
)
@pytest.mark.parametrize(
    ("sentinel", "gem", "each", "cap"),
    [
        ("fox", "sapphire", 2, 12),
        ("tomcat", "opal", 2, 12),
        ("unicorn", "diamond", 1, 11),
        ("scarab", "emerald", 1, 11),
        ("salamander", "ruby", 2, 10),
    ],
)
def test_sentinels_that_count_active_gems(sentinel, gem, each, cap):
    most = 5 if gem == "ruby" else 11
    for n in range(1, most + 1):
        spare = {} if gem == "ruby" else {gem: 3}
        assert bonus(sentinel, active={gem: n}, inactive=spare, **PLACES) == min(each * n, cap)
    other = "opal" if gem != "opal" else "sapphire"
    assert bonus(sentinel, active={other: 5}) == 0


@rule("ZAV-SENT-SCARAB-1", "ZAV-ART-CRYSTAL-2", "ZAV-SENT-SALAMANDER-1", "ZAV-ART-CHALICE-2")
def test_crystal_and_chalice_do_not_count_as_gems():
    both = {"crystal-of-protection": 1, "chalice-of-fire": 1}
    for sentinel in ("scarab", "salamander", "phoenix"):
        assert bonus(sentinel, artifacts=both) == 0


@rule("ZAV-SENT-TOAD-1")
@pytest.mark.parametrize("card", ["runestone", "crystal-of-protection", "spellbook", "elixir"])
def test_toad(card):
    for n in (1, 2, 3):
        assert bonus("toad", others=4, artifacts={card: n}) == 2 * n
    assert (
        bonus(
            "toad",
            others=4,
            artifacts=dict.fromkeys(("runestone", "crystal-of-protection", "spellbook", "elixir"), 3),
        )
        == 24
    )


@rule("ZAV-SENT-RAVEN-1")
def test_raven():
    for card, n in (("crystal-ball", 3), ("mask-of-charisma", 3), ("magic-belt", 1), ("magic-wand", 1)):
        assert bonus("raven", others=4, artifacts={card: n}) == 2 * n
    everything = {"crystal-ball": 3, "mask-of-charisma": 3, "magic-belt": 1, "magic-wand": 1, "talisman": 1}
    assert bonus("raven", others=4, artifacts=everything) == 16
