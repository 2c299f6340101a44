"""Where factions and cards meet, the chapter of conflicts: tables of what each clause is about, with four factions."""

from __future__ import annotations

import pytest

from tests.games.root.rogue import ELK, FOX, fought, no_cards, rogue, up
from tests.games.root.table import CAT, OWL, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

ALLY = "ally"
CATS, OWLS, GREENS = "marquise-warrior", "eyrie-warrior", "alliance-warrior"
S, KEEP = "sympathy", {"keep": 1}
FULL = ["anvil", "investments", "sword-mouse", "bake-sale", "root-tea-rabbit"]


def forest(map, turn, at="daylight", *, ally=None, **held):
    """The four factions; the Vagabond's pawn stands in clearing 8 unless it is placed elsewhere."""
    seats = {ALLY: {"faction": "alliance", **(ally or {})}}
    return rogue(map, at, turn=turn, others=seats, **{"pawn": "8", **held})


# -- Field Hospitals at every removal (ROOT-X-4) --------------------------------------------------------------------

WARD = {"cat": {"hand": ["anvil"]}}
THERE = {"8": {CATS: 2}, "4": KEEP, "3": {"roost": 1}}


def by_favor():
    map = {"8": {CATS: 2, "roost": 1}, "6": {"roost": 1}, "12": {"roost": 1}, "4": KEEP}
    g = forest(map, OWL, owl={"hand": ["favor-of-the-foxes"]}, **WARD)
    return g.play(OWL, "craft", card="favor-of-the-foxes", pieces={"fox": 3})


def by_revolt():
    g = forest({**THERE, "8": {CATS: 2, S: 1}}, ALLY, "turn", ally={"supporters": {"sappers": 2}}, **WARD)
    return g.play(ALLY, "revolt", clearing="8", supporters={"sappers": 2})


def by_strike():
    return forest(THERE, FOX, items=up("crossbow"), **WARD).play(FOX, "strike", player=CAT, piece=CATS)


def by_scorched_earth():
    return forest(THERE, FOX, character="scoundrel", items=up("torch"), **WARD).play(FOX, "scorched-earth")


def by_a_battle_of_the_vagabond():
    return fought(forest(THERE, FOX, items=up("sword", "sword"), **WARD), 2, 0, defender=CAT)


def by_instigation():
    g = forest({**THERE, "8": {CATS: 2, OWLS: 3}}, FOX, character="vagrant", items=up("torch"), **WARD)
    return no_cards(g.play(FOX, "instigate", attacker=OWL, defender=CAT)).roll(2, 0)


def by_an_ambush():
    g = forest({**THERE, "8": {CATS: 2, OWLS: 1}}, CAT, owl={"hand": ["ambush-fox"]}, **WARD)
    g.play(CAT, "battle", clearing="8", defender=OWL).play(OWL, "play-ambush", card="ambush-fox")
    return g.play(CAT, "pass")


def by_guerrillas():
    g = forest({**THERE, "8": {CATS: 2, GREENS: 3}}, CAT, **WARD)
    return no_cards(g.play(CAT, "battle", clearing="8", defender=ALLY)).roll(2, 0)


def by_its_own_tax_collector():
    held = {"cat": {"hand": ["anvil"], "crafted": ["tax-collector"]}}
    return forest(THERE, CAT, **held).play(CAT, "tax-collector", clearing="8")


REMOVALS = {
    by_favor: 2, by_revolt: 2, by_strike: 1, by_scorched_earth: 2, by_a_battle_of_the_vagabond: 2, by_instigation: 2,
    by_an_ambush: 2, by_guerrillas: 2, by_its_own_tax_collector: 1,
}  # fmt: skip


@rule("ROOT-X-4", "ROOT-MARQ-5")
@pytest.mark.parametrize("removal", REMOVALS, ids=lambda fn: fn.__name__)
def test_hospitals_are_open_whatever_removed_the_warriors(removal):
    g = removal()
    assert (g.asked, g.kinds) == ((CAT,), ("field-hospitals", "pass"))
    g.play(CAT, "field-hospitals", card="anvil")
    assert g.here("4") == {**KEEP, CATS: REMOVALS[removal]}


# -- Outrage at every entry and removal, and a full stack (ROOT-X-10) -----------------------------------------------

STACK = {"supporters": FULL}
HELD = {"hand": ["armorers", "ambush-bird"]}


def who_marches_in():
    g = forest({"1": {CATS: 2}, "5": {S: 1}, "3": {"roost": 1}}, CAT, cat=HELD, ally=STACK).play(CAT, "march")
    return CAT, g.play(CAT, "move", from_="1", to="5", warriors=2)


def who_moves_by_decree():
    map = {"2": {OWLS: 2}, "5": {S: 1}, "3": {"roost": 1}}
    owl = {"leader": "commander", "decree": {"move": ["sword-mouse"]}, **HELD}
    supporters = {"supporters": [*FULL[:2], *FULL[3:], "smugglers-trail"]}
    g = forest(map, OWL, owl=owl, ally=supporters).play(OWL, "resolve-decree")
    return OWL, g.play(OWL, "decree-move", card="vizier", from_="2", to="5", warriors=1)


def who_brings_allies():
    held = {"pawn": "1", "items": up("boots"), "relationships": {"marquise": "allied"}, **HELD}
    g = forest({"1": {CATS: 2}, "5": {S: 1}}, FOX, ally=STACK, **held)
    return FOX, g.play(FOX, "move-with-ally", to="5", ally=CAT, warriors=1)


def who_brings_the_alliance_itself():
    held = {"pawn": "1", "items": up("boots"), "relationships": {"alliance": "allied"}, **HELD}
    g = forest({"1": {GREENS: 2}, "5": {S: 1}}, FOX, ally=STACK, **held)
    return FOX, g.play(FOX, "move-with-ally", to="5", ally=ALLY, warriors=1)


def who_fights():
    g = forest({"5": {CATS: 2, S: 1}, "3": {"roost": 1}}, CAT, cat=HELD, ally=STACK)
    return CAT, no_cards(g.play(CAT, "battle", clearing="5", defender=ALLY)).roll(1, 0)


def who_casts_a_favor():
    map = {c: {"roost": 1} for c in ("3", "4", "10")} | {"5": {S: 1}}
    g = forest(map, OWL, owl={"hand": ["favor-of-the-rabbits", "ambush-bird"]}, ally=STACK)
    return OWL, g.play(OWL, "craft", card="favor-of-the-rabbits", pieces={"rabbit": 3})


def who_strikes():
    g = forest({"5": {S: 1}}, FOX, pawn="5", items=up("crossbow"), ally=STACK, **HELD)
    return FOX, g.play(FOX, "strike", player=ALLY, piece=S)


def who_burns():
    g = forest({"5": {S: 1}}, FOX, pawn="5", character="scoundrel", items=up("torch"), ally=STACK, **HELD)
    return FOX, g.play(FOX, "scorched-earth")


OUTRAGES = (
    who_marches_in, who_moves_by_decree, who_brings_allies, who_brings_the_alliance_itself, who_fights,
    who_casts_a_favor, who_strikes, who_burns,
)  # fmt: skip


@rule("ROOT-X-10", "ROOT-WA-10", "ROOT-WA-11", "ROOT-VAG-24", "ROOT-MOVE-6")
@pytest.mark.parametrize("offence", OUTRAGES, ids=lambda fn: fn.__name__)
def test_a_card_given_to_a_full_stack_is_discarded_whatever_the_offence(offence):
    seat, g = offence()
    assert (g.asked, g.kinds) == ((seat,), ("pay-outrage", "show-hand"))
    full = dict(g[ALLY].alliance.supporters)
    g.play(seat, "pay-outrage", card="ambush-bird")
    assert "ROOT-X-10" in g.because("moved")
    assert g[ALLY].alliance.supporters == full
    assert g.board.discard["ambush-bird"] == 1


@rule("ROOT-VAG-24", "ROOT-WA-11")
def test_a_pawn_alone_causes_no_outrage():
    g = forest({"5": {S: 1}}, FOX, pawn="1", items=up("boots"), ally=STACK, **HELD).play(FOX, "move", to="5")
    assert g.asked == (FOX,)
    assert "pay-outrage" not in g.kinds


# -- the keep wins (ROOT-X-15) --------------------------------------------------------------------------------------


def at_the_keep(faction):
    """Somebody who would place a piece where the keep stands: the game, and what is tried."""
    keep = {"1": {"keep": 1, GREENS: 1, OWLS: 3}, "5": {S: 1}, "6": {"roost": 1}}
    if faction == "spread":
        return forest(keep, ALLY, "turn", ally={"supporters": ["anvil"]}), ALLY, {"supporters": {"anvil": 1}}
    if faction == "organize":
        return forest(keep, ALLY, "evening", ally={"officers": 1}), ALLY, {}
    g = forest({**keep, "7": {OWLS: 1}}, OWL, owl={"leader": "despot", "decree": {"build": ["anvil"]}})
    g.play(OWL, "resolve-decree").play(OWL, "decree-move", card="vizier", from_="7", to="3", warriors=1)
    return g, OWL, {"card": "anvil"}


@rule("ROOT-X-15", "ROOT-MARQ-3", "ROOT-WA-23")
@refusal("ROOT-MARQ-2")
@pytest.mark.parametrize("kind", ["spread", "organize", "decree-build"])
def test_nobody_else_places_anything_at_the_keep(kind):
    g, seat, wire = at_the_keep(kind)
    says(g.refused(seat, kind, clearing="1", **wire), "ROOT-MARQ-2", "/clearing", clearing="1")


# -- scorched earth stays closed (ROOT-X-19) ------------------------------------------------------------------------

BURNT = {"character": "scoundrel", "scorched": ["5"], "items": up("boots"), "pawn": "1"}


def enters(how):
    """Somebody at the edge of the burnt clearing 5: the game, who moves, and how."""
    map = {"1": {CATS: 2, OWLS: 2, GREENS: 5}, "3": {"roost": 1}}
    if how == "move":
        return forest(map, FOX, **BURNT), FOX, {}
    if how == "slip":
        return forest(map, FOX, "turn", **BURNT), FOX, {}
    if how == "march":
        g = forest({**map, "1": {CATS: 9}}, CAT, **BURNT).play(CAT, "march")
        return g, CAT, {"from_": "1", "warriors": 1}
    if how == "cobbler":
        g = forest({**map, "1": {CATS: 9}}, CAT, "evening", cat={"crafted": ["cobbler"]}, **BURNT)
        return g, CAT, {"from_": "1", "warriors": 1}
    if how == "operation":
        g = forest({"1": {GREENS: 5}}, ALLY, "evening", ally={"officers": 1}, **BURNT)
        return g, ALLY, {"from_": "1", "warriors": 1}
    owl = {"leader": "commander", "decree": {"move": ["anvil"]}}
    g = forest({"1": {OWLS: 5}, "3": {"roost": 1}}, OWL, owl=owl, **BURNT).play(OWL, "resolve-decree")
    return g, OWL, {"from_": "1", "warriors": 1, "card": "anvil"}


KINDS = {"march": "move", "operation": "move"}


@rule("ROOT-X-19", "ROOT-VAG-46")
@refusal("ROOT-MOVE-7")
@pytest.mark.parametrize("how", ["move", "slip", "march", "cobbler", "operation", "decree-move"])
def test_neither_pawns_nor_warriors_enter_a_burnt_clearing(how):
    g, seat, wire = enters(how)
    says(g.refused(seat, KINDS.get(how, how), to="5", **wire), "ROOT-MOVE-7", "/to", to="5")


@rule("ROOT-X-19", "ROOT-VAG2-1")
@refusal("ROOT-MOVE-7")
def test_nor_does_the_other_vagabond():
    other = {ELK: {"faction": "vagabond", "character": "tinker", "pawn": "1", "own": up("boots")}}
    g = rogue({}, turn=ELK, others=other, **BURNT)
    says(g.refused(ELK, "move", to="5"), "ROOT-MOVE-7", "/to", to="5")


# -- against sympathy alone (ROOT-X-20) -----------------------------------------------------------------------------


def attacks(seat):
    """Two warriors or swords against a token; the dice show 3 and 1."""
    here = {CAT: {CATS: 2, S: 1}, OWL: {OWLS: 2, S: 1}, FOX: {S: 1}}[seat]
    if seat == OWL:
        owl = {"leader": "despot", "decree": {"battle": ["anvil"]}}
        map = {"8": here, "3": {"roost": 1}, "7": {OWLS: 1}}
        g = forest(map, OWL, owl=owl).play(OWL, "resolve-decree")
        g.play(OWL, "decree-move", card="vizier", from_="7", to="3", warriors=1)
        return g.play(OWL, "decree-battle", card="anvil", clearing="8", defender=ALLY)
    g = forest({"8": here}, seat, items=up("sword", "sword"))
    return g.play(seat, "battle", defender=ALLY, **({"clearing": "8"} if seat == CAT else {}))


@rule("ROOT-X-20", "ROOT-BATTLE-11", "ROOT-BATTLE-14")
@pytest.mark.parametrize("seat", [CAT, OWL, FOX])
def test_sympathy_alone_deals_nothing_and_takes_the_lower_roll_and_one_more(seat):
    g = no_cards(attacks(seat)).roll(3, 1)
    assert [(e.facts["seat"], e.facts["n"]) for e in g.events if e.kind == "hits"] == [(seat, 0), (ALLY, 2)]
    assert S not in g.here("8")


# -- the order of what follows a battle (ROOT-BATTLE-25) ------------------------------------------------------------


@rule("ROOT-BATTLE-25", "ROOT-BATTLE-22", "ROOT-WA-4")
def test_the_turn_player_first_each_in_the_order_of_the_clause():
    """Hospitals, then Outrage of the Marquise, who attacks; then the Alliance discards for its base."""
    many = ["bake-sale", "root-tea-rabbit", "smugglers-trail", "investments", "sword-mouse", "root-tea-mouse"]
    map = {"8": {CATS: 4, GREENS: 1, S: 1, "fox-base": 1}, "4": KEEP, "3": {"roost": 1}}
    g = forest(map, CAT, cat={"hand": ["anvil", "foxfolk-steel"]}, ally={"supporters": many, "officers": 2})
    no_cards(g.play(CAT, "battle", clearing="8", defender=ALLY)).roll(3, 3)
    asked = []
    answers = {
        "field-hospitals": {"card": "anvil"},
        "pay-outrage": {"card": "foxfolk-steel"},
        "discard-supporters": {"cards": {"bake-sale": 1}},
    }
    while g.kinds[0] in answers:
        kind = g.kinds[0]
        asked.append((g.asked[0], kind))
        g.play(g.asked[0], kind, **answers[kind])
    assert asked == [(CAT, "field-hospitals"), (CAT, "pay-outrage"), (ALLY, "discard-supporters")]


@rule("ROOT-BATTLE-25", "ROOT-VAG-55", "ROOT-WA-10")
def test_a_vagabond_pays_outrage_before_he_is_hated_and_before_the_base_is_mourned():
    map = {"8": {GREENS: 1, S: 1, "fox-base": 1}}
    held = {"items": up("sword", "sword", "sword"), "hand": ["anvil"]}
    g = forest(map, FOX, ally={"officers": 2}, **held)
    g = fought(g, 3, 3, defender=ALLY)
    if g.kinds[0] == "assign-hits":
        g.play(FOX, "assign-hits", pieces={"satchel-up-sword": 1})
    assert g.kinds[0] == "pay-outrage"
    assert g[FOX].vagabond.relationships["alliance"] == "indifferent"
    g.play(FOX, "pay-outrage", card="anvil")
    follows = [e.because for e in g.events if e.because in ("ROOT-WA-10", "ROOT-VAG-55", "ROOT-WA-4")]
    assert follows[0] == "ROOT-WA-10"
    assert follows.index("ROOT-VAG-55") < follows.index("ROOT-WA-4")
