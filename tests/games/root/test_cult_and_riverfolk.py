"""Section 22, where the Lizard Cult and the Riverfolk Company meet: a table with both."""

from typing import Any

import pytest

from tests.games.root.river import CATS, OTTER, OTTERS, OWLS, river
from tests.games.root.table import CAT, OWL, Game

rule = pytest.mark.rule
NEWT, LIZARDS, RG = "newt", "cult-warrior", "rabbit-garden"


def both(map: dict[str, Any], buyer: str) -> Game:
    """A table with Cult and Riverfolk, in the Daylight of somebody who has hired mercenaries."""
    others = {NEWT: {"faction": "cult"}}
    g = river(map, turn=buyer, at="turn", others=others, prices=(4, 4, 1)).play(buyer, "hire-mercenaries")
    while "better-burrow-bank" in g.kinds:
        g.play(buyer, "pass")
    return g


@rule("ROOT-X-2", "ROOT-RULE-4", "ROOT-RULE-7")
def test_mercenaries_win_no_clearing_with_a_garden():
    g = both({"5": {RG: 1, OTTERS: 3, CATS: 1}, "8": {LIZARDS: 1, OTTERS: 3, CATS: 1}}, CAT)
    assert [g.ruler(c) for c in ("5", "8")] == [NEWT, CAT]


@rule("ROOT-X-2", "ROOT-RULE-4", "ROOT-RULE-7")
def test_the_cult_rules_with_a_garden_or_with_mercenaries():
    g = both({"5": {RG: 1, OWLS: 3}, "8": {LIZARDS: 1, OTTERS: 3, OWLS: 2}, "6": {LIZARDS: 1, OWLS: 1}}, NEWT)
    assert [g.ruler(c) for c in ("5", "8", "6")] == [NEWT, NEWT, OWL]


@rule("ROOT-X-6", "ROOT-CULT-4", "ROOT-RIVER-19")
def test_fallen_mercenaries_are_no_acolytes():
    g = both({"8": {LIZARDS: 3, OTTERS: 2, CATS: 1}}, CAT)
    spare = g[OTTER].supply[OTTERS]
    g.fight(CAT, NEWT, "8", 3, 2)
    assert g.here("8") == {OTTERS: 1}
    assert g[NEWT].cult.acolytes == {LIZARDS: 3}
    assert g[OTTER].supply[OTTERS] == spare + 1
