"""Chapter 14, the Eyrie Dynasties: the Decree card by card, turmoil, leaders, roosts."""

import pytest

from service.games.root.v1.turmoil import Turmoil
from tests.games.root.table import CAT, OWL, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
HOME = {"1": {"roost": 1, OWLS: 6}}


def owls(map=None, decree=None, leader="builder", at="daylight", **owl):
    """The Eyrie's turn; under the Builder viziers lie in Recruit and Move."""
    held = {"leader": leader, "decree": decree or {}, **owl}
    return game({OWL: held}, HOME if map is None else map, turn=OWL, at=at)


def at_column(column, map=None, decree=None, leader="builder", **owl):
    """The Eyrie resolve their Decree, viziers before the column done at the roost."""
    g = owls(map, decree, leader, **owl).play(OWL, "resolve-decree")
    while g.top.column != column:
        if g.top.column == "recruit":
            option = g.options(OWL, "decree-recruit")[0]
        else:
            option = g.options(OWL, f"decree-{g.top.column}")[0]
        g.play(option.pop("actor"), option.pop("kind"), **option)
    return g


# -- Birdsong -----------------------------------------------------------------------------------------------------


@rule("ROOT-EYRIE-3", "ROOT-CARD-6")
def test_emergency_orders_draw_a_card_for_an_empty_hand():
    g = owls(at="turn")
    assert g.asked == ("chance",)
    g.draw("anvil")
    assert g.because("moved") == ["ROOT-EYRIE-3"]
    assert g.kinds == ("add-to-decree", "pass")
    assert owls(at="turn", hand=["anvil"]).kinds == ("add-to-decree", "pass")


@rule("ROOT-EYRIE-4", "ROOT-CARD-9")
def test_one_or_two_cards_are_added():
    g = owls(at="turn", hand=["anvil", "bake-sale", "sappers"])
    g.play(OWL, "add-to-decree", card="anvil", column="build")
    one = g.fork().play(OWL, "pass")
    assert one.kinds[0] == "craft"
    two = g.play(OWL, "add-to-decree", card="sappers", column="build")
    assert two.kinds[0] == "craft"
    assert two[OWL].eyrie.decree["build"] == {"anvil": 1, "sappers": 1}
    assert two[OWL].hand == {"bake-sale": 1}


@refusal("ROOT-EYRIE-4")
def test_no_card_at_all_is_refused():
    says(owls(at="turn", hand=["anvil"]).refused(OWL, "pass"), "ROOT-EYRIE-4", "/kind", added=0)


@refusal("ROOT-EYRIE-4")
def test_a_second_bird_is_refused():
    g = owls(at="turn", hand=["sappers", "armorers", "anvil"])
    g.play(OWL, "add-to-decree", card="sappers", column="move")
    found = g.refused(OWL, "add-to-decree", card="armorers", column="build")
    says(found, "ROOT-EYRIE-4", "/card", card="armorers")
    g.play(OWL, "add-to-decree", card="anvil", column="build")


@refusal("ROOT-EYRIE-4")
def test_a_third_card_is_refused():
    g = owls(at="turn", hand=["anvil", "bake-sale", "cobbler"])
    for card in ("anvil", "bake-sale"):
        g.play(OWL, "add-to-decree", card=card, column="move")
    assert "ROOT-EYRIE-4" in g.refused(OWL, "add-to-decree", card="cobbler", column="move")


@rule("ROOT-EYRIE-4", "ROOT-CARD-7")
def test_with_nothing_to_draw_nothing_is_added():
    everything = dict(owls().board.deck.cards())
    g = game({OWL: {"decree": {}}, CAT: {"hand": everything}}, HOME, turn=OWL, at="turn")
    assert g.kinds[0] == "craft"
    assert "ROOT-CARD-7" in g.because("nothing-to-draw")


@rule("ROOT-EYRIE-5", "ROOT-R-EYRIE-2")
def test_a_new_roost_goes_where_the_fewest_warriors_are():
    everywhere = {c: {CATS: 1} for c in map_but("7")} | {"7": {}}
    g = owls(everywhere, at="turn", hand=["anvil", "bake-sale"])
    g.play(OWL, "add-to-decree", card="anvil", column="build").play(OWL, "pass")
    assert g.here("7") == {"roost": 1, OWLS: 3}


def map_but(*clearings):
    return [str(n) for n in range(1, 13) if str(n) not in clearings]


def homeless(map, **owl):
    g = owls(map, at="turn", hand=["anvil"], **owl)
    return g.play(OWL, "add-to-decree", card="anvil", column="build")


@rule("ROOT-EYRIE-5", "ROOT-DEC-15")
def test_they_choose_among_the_tied():
    g = homeless({c: {CATS: 1} for c in map_but("7", "8")})
    assert (g.asked, g.kinds) == ((OWL,), ("new-roost",))
    assert [o["clearing"] for o in g.options(OWL, "new-roost")] == ["7", "8"]
    g.play(OWL, "new-roost", clearing="8")
    assert g.here("8") == {"roost": 1, OWLS: 3}


@refusal("ROOT-EYRIE-5")
@pytest.mark.parametrize("clearing", ["5", "2"])
def test_not_where_more_warriors_are(clearing):
    found = homeless({c: {CATS: 1} for c in map_but("7", "8")}).refused(OWL, "new-roost", clearing=clearing)
    says(found, "ROOT-EYRIE-5", "/clearing", clearing=clearing)


@rule("ROOT-EYRIE-5", "ROOT-MARQ-3", "ROOT-X-15", "ROOT-MAP-7")
def test_not_at_the_keep_nor_without_an_open_slot():
    """8 and 12 have no warriors either, but no room; 1 has the keep."""
    map = {c: {CATS: 1} for c in map_but("1", "7", "8", "12")}
    map |= {"1": {"keep": 1}, "8": {"sawmill": 2}, "12": {"sawmill": 1}}
    assert homeless(map).here("7") == {"roost": 1, OWLS: 3}


@rule("ROOT-EYRIE-5", "ROOT-GEN-4")
def test_with_too_few_warriors_all_of_them_come():
    map = {c: {CATS: 1} for c in map_but("7")} | {"2": {OWLS: 18}, "7": {}}
    assert homeless(map).here("7") == {"roost": 1, OWLS: 2}


# -- crafting and the columns -------------------------------------------------------------------------------------


@rule("ROOT-EYRIE-1", "ROOT-EYRIE-6", "ROOT-CRAFT-8")
def test_they_craft_with_roosts_before_the_decree():
    g = owls(hand=["anvil"]).play(OWL, "craft", card="anvil", pieces={"fox": 1})
    assert g[OWL].items == {"hammer": 1}
    assert g.kinds == ("craft", "resolve-decree")


@refusal("ROOT-EYRIE-6")
def test_not_after_the_decree_has_begun():
    g = owls(hand=["anvil"]).play(OWL, "resolve-decree")
    assert "ROOT-EYRIE-6" in g.refused(OWL, "craft", card="anvil", pieces={"fox": 1})


@rule("ROOT-CRAFT-9", "ROOT-EYRIE-22")
@pytest.mark.parametrize(
    ("leader", "points"), [("builder", [("ROOT-CRAFT-4", 2)]), ("despot", [("ROOT-CRAFT-9", 1)])]
)
def test_disdain_for_trade(leader, points):
    g = owls(leader=leader, hand=["anvil"]).play(OWL, "craft", card="anvil", pieces={"fox": 1})
    assert g.points(OWL) == points


@rule("ROOT-EYRIE-7")
def test_the_columns_come_in_their_order():
    decree = {
        "recruit": ["anvil"],
        "move": ["foxfolk-steel"],
        "battle": ["tax-collector"],
        "build": ["sappers"],
    }
    g = owls({"1": {"roost": 1, OWLS: 6, CATS: 1}}, decree).play(OWL, "resolve-decree")
    seen = []
    while g.top.step == "resolve":
        seen.append(g.top.column)
        option = g.options(OWL, f"decree-{g.top.column}")[-1]
        g.play(option.pop("actor"), option.pop("kind"), **option)
        if g.asked == ("chance",):
            g.roll(0, 0)
    assert seen == ["recruit", "recruit", "move", "move", "battle", "build"]


@refusal("ROOT-EYRIE-7")
def test_build_before_battle_is_refused():
    g = owls(decree={"build": ["sappers"]}).play(OWL, "resolve-decree")
    found = g.refused(OWL, "decree-build", card="sappers", clearing="9")
    says(found, "ROOT-EYRIE-7", "/kind", column="recruit")


@rule("ROOT-EYRIE-7")
@refusal("ROOT-EYRIE-7")
def test_each_card_is_resolved_once_in_any_order():
    g = at_column(
        "recruit", {"1": {"roost": 1, OWLS: 1}, "5": {"roost": 1}}, {"recruit": ["anvil", "bake-sale"]}
    )
    g.play(OWL, "decree-recruit", card="bake-sale", clearing="5")
    found = g.refused(OWL, "decree-recruit", card="bake-sale", clearing="5")
    says(found, "ROOT-EYRIE-7", "/card", card="bake-sale")
    g.play(OWL, "decree-recruit", card="anvil", clearing="1")
    assert g.top.left == {"vizier": 1}


@rule("ROOT-EYRIE-7", "ROOT-CARD-2", "ROOT-EYRIE-2")
def test_birds_and_viziers_match_every_clearing():
    g = at_column("recruit", {"1": {"roost": 1}, "5": {"roost": 1}}, {"recruit": ["sappers", "sappers"]})
    for card in ("sappers", "vizier"):
        assert {o["clearing"] for o in g.options(OWL, "decree-recruit") if o["card"] == card} == {"1", "5"}


@refusal("ROOT-EYRIE-7")
@pytest.mark.parametrize(
    ("column", "kind", "wire"),
    [
        ("recruit", "decree-recruit", {"clearing": "1"}),
        ("move", "decree-move", {"from_": "1", "to": "5", "warriors": 1}),
        ("battle", "decree-battle", {"clearing": "1", "defender": CAT}),
        ("build", "decree-build", {"clearing": "9"}),
    ],
)
def test_a_card_of_another_suit_is_refused(column, kind, wire):
    """Clearing 1 is of foxes, 9 of mice."""
    map = {
        "1": {"roost": 1, OWLS: 6, CATS: 1},
        "9": {OWLS: 1},
        "5": {"roost": 1, OWLS: 1, CATS: 1},
        "10": {OWLS: 1},
    }
    g = at_column(column, map, {column: ["bake-sale"]})
    assert "ROOT-EYRIE-7" in g.refused(OWL, kind, card="bake-sale", **wire)


# -- recruit ------------------------------------------------------------------------------------------------------


@rule("ROOT-EYRIE-8")
@pytest.mark.parametrize(("leader", "n"), [("builder", 1), ("charismatic", 2)])
def test_a_warrior_or_two_at_a_roost(leader, n):
    g = at_column("recruit", leader=leader).play(OWL, "decree-recruit", card="vizier", clearing="1")
    assert g.here("1")[OWLS] == 6 + n


@refusal("ROOT-EYRIE-8")
def test_no_recruits_without_a_roost():
    found = at_column("recruit").refused(OWL, "decree-recruit", card="vizier", clearing="9")
    says(found, "ROOT-EYRIE-8", "/clearing", clearing="9")


@refusal("ROOT-MARQ-2")
@rule("ROOT-MARQ-2", "ROOT-X-15")
def test_no_recruits_at_the_keep():
    g = at_column("recruit", {"1": {"roost": 1}, "2": {"keep": 1}})  # where no roost can stand, either
    says(
        g.refused(OWL, "decree-recruit", card="vizier", clearing="2"),
        "ROOT-MARQ-2",
        "/clearing",
        clearing="2",
    )


@rule("ROOT-EYRIE-13", "ROOT-EYRIE-12")
def test_the_charismatic_with_one_warrior_left_places_it_and_falls():
    g = at_column("recruit", {"1": {"roost": 1, OWLS: 19}}, leader="charismatic")
    g.play(OWL, "decree-recruit", card="vizier", clearing="1")
    assert g.here("1")[OWLS] == 20
    assert "ROOT-EYRIE-13" in g.because("cannot-complete")
    assert g.frame(Turmoil) is not None


@rule("ROOT-EYRIE-12", "ROOT-EYRIE-8")
def test_without_a_warrior_left_recruiting_fails():
    g = owls({"1": {"roost": 1, OWLS: 20}}).play(OWL, "resolve-decree")
    assert g.frame(Turmoil) is not None


# -- move, battle, build ------------------------------------------------------------------------------------------


@rule("ROOT-EYRIE-9", "ROOT-EYRIE-15")
def test_a_move_starts_in_a_matching_clearing():
    g = at_column("move", decree={"move": ["anvil"]})
    g.play(OWL, "decree-move", card="anvil", from_="1", to="9", warriors=2)
    g.play(OWL, "decree-move", card="vizier", from_="9", to="1", warriors=2)
    assert g.here("1")[OWLS] == 7


@refusal("ROOT-MOVE-1")
def test_zero_warriors_are_refused():
    assert "ROOT-MOVE-1" in at_column("move").refused(
        OWL, "decree-move", card="vizier", from_="1", to="9", warriors=0
    )


@rule("ROOT-EYRIE-10")
def test_a_battle_in_a_matching_clearing():
    g = at_column("battle", {"1": {"roost": 1, OWLS: 6}, "5": {OWLS: 2, CATS: 1}}, {"battle": ["bake-sale"]})
    g.fight(OWL, CAT, "5", 1, 0, kind="decree-battle", card="bake-sale")
    assert CATS not in g.here("5")


@rule("ROOT-EYRIE-11", "ROOT-COMP-3")
def test_a_roost_where_they_rule_and_have_none():
    g = at_column("build", {"1": {"roost": 1, OWLS: 6}, "9": {OWLS: 1}}, {"build": ["codebreakers"]})
    g.play(OWL, "decree-build", card="codebreakers", clearing="9")
    assert g.here("9")["roost"] == 1
    assert g[OWL].supply["roost"] == 5


@refusal("ROOT-EYRIE-11", "ROOT-MAP-7", "ROOT-MARQ-2")
def test_what_forbids_a_roost():
    map = {
        "1": {"roost": 1, OWLS: 6}, "5": {OWLS: 3}, "2": {CATS: 2, OWLS: 1}, "7": {OWLS: 4, "sawmill": 2},
        "3": {OWLS: 3, "keep": 1},
    }  # fmt: skip
    g = at_column("build", map, {"build": ["sappers"]})
    for clearing, clause in {
        "1": "ROOT-EYRIE-11",
        "2": "ROOT-EYRIE-11",
        "7": "ROOT-MAP-7",
        "3": "ROOT-MARQ-2",
    }.items():
        found = g.refused(OWL, "decree-build", card="sappers", clearing=clearing)
        says(found, clause, "/clearing", clearing=clearing)


@rule("ROOT-EYRIE-11", "ROOT-EYRIE-12")
def test_with_all_roosts_on_the_map_building_fails():
    map = {c: {"roost": 1, OWLS: 1} for c in ("1", "2", "5", "7", "8", "9", "11")} | {"12": {OWLS: 2}}
    g = owls(map, {"build": ["sappers"]})
    g.play(OWL, "resolve-decree").play(OWL, "decree-recruit", card="vizier", clearing="1")
    g.play(OWL, "decree-move", card="vizier", from_="1", to="9", warriors=1)
    assert g.frame(Turmoil) is not None


# -- turmoil ------------------------------------------------------------------------------------------------------


@refusal("ROOT-EYRIE-12")
@pytest.mark.parametrize("kind", ["end-phase", "pass"])
def test_what_can_be_resolved_must_be(kind):
    says(at_column("recruit").refused(OWL, kind), "ROOT-EYRIE-12", "/kind", asked=[OWL])


@rule("ROOT-EYRIE-12")
def test_turmoil_comes_only_when_nothing_left_can_be_resolved():
    """The mouse card cannot be resolved; the vizier can, and comes first; then the government falls."""
    g = owls(decree={"recruit": ["codebreakers"]}).play(OWL, "resolve-decree")
    assert {o["card"] for o in g.options(OWL, "decree-recruit")} == {"vizier"}
    assert g.frame(Turmoil) is None
    g.play(OWL, "decree-recruit", card="vizier", clearing="1")
    assert g.event("turmoil")["cards"] == {"codebreakers": 1}
    assert g.frame(Turmoil) is not None


@rule("ROOT-EYRIE-14")
def test_an_empty_column_is_passed_over():
    g = at_column("move")
    g.play(OWL, "decree-move", card="vizier", from_="1", to="9", warriors=1)
    assert (g.top.step, g.kinds) == ("end-daylight", ("end-phase",))


def fallen(leader="builder", deposed=(), decree=None, score=9):
    """Turmoil: no roost is in a mouse clearing."""
    decree = {"recruit": ["codebreakers"], "build": ["sappers", "anvil"], **(decree or {})}
    g = owls(decree=decree, leader=leader, deposed=deposed, score=score).play(OWL, "resolve-decree")
    return g.play(OWL, "decree-recruit", card="vizier", clearing="1") if g.top.step == "resolve" else g


@rule("ROOT-EYRIE-16", "ROOT-EYRIE-2")
def test_humiliate():
    g = fallen()
    assert g.score(OWL) == 9 - 3  # two viziers and a bird
    assert "ROOT-EYRIE-16" in g.because("moved")


@rule("ROOT-GEN-11", "ROOT-EYRIE-16")
def test_no_score_falls_below_0():
    assert fallen(score=1).score(OWL) == 0


@rule("ROOT-EYRIE-17")
def test_purge():
    g = fallen()
    assert g.board.discard == {"anvil": 1, "codebreakers": 1, "sappers": 1}
    assert g[OWL].eyrie.decree == {"recruit": {"vizier": 1}, "move": {"vizier": 1}, "battle": {}, "build": {}}


@rule("ROOT-EYRIE-18", "ROOT-DEC-16", "ROOT-EYRIE-2")
def test_depose():
    g = fallen()
    assert (g.asked, g.kinds) == ((OWL,), ("choose-leader",))
    assert g[OWL].eyrie.deposed == ["builder"]
    g.play(OWL, "choose-leader", leader="despot")
    assert g[OWL].eyrie.leader == "despot"
    assert g[OWL].eyrie.decree == {"recruit": {}, "move": {"vizier": 1}, "battle": {}, "build": {"vizier": 1}}


@refusal("ROOT-EYRIE-18")
@pytest.mark.parametrize("leader", ["builder", "despot"])
def test_a_leader_face_down_is_not_chosen(leader):
    g = fallen(deposed=["despot"])
    says(g.refused(OWL, "choose-leader", leader=leader), "ROOT-EYRIE-18", "/leader", leader=leader)


@rule("ROOT-EYRIE-18")
def test_after_the_fourth_all_are_face_up_again():
    g = fallen(deposed=["despot", "commander", "charismatic"])
    assert g[OWL].eyrie.deposed == []
    g.play(OWL, "choose-leader", leader="builder")  # the one just deposed included


@rule("ROOT-EYRIE-19", "ROOT-TURN-4")
def test_rest():
    g = fallen().play(OWL, "choose-leader", leader="despot")
    assert "ROOT-EYRIE-19" in g.because("daylight-ends")
    assert (g.asked, g.top.because) == (("chance",), "ROOT-EYRIE-21")


# -- Evening ------------------------------------------------------------------------------------------------------


@rule("ROOT-EYRIE-20", "ROOT-EYRIE-21")
@pytest.mark.parametrize(
    ("roosts", "points", "cards"),
    [(0, 0, 1), (1, 0, 1), (2, 1, 1), (3, 2, 2), (4, 3, 2), (5, 4, 2), (6, 4, 3), (7, 5, 3)],
)
def test_they_score_and_draw_by_their_roosts(roosts, points, cards):
    map = {c: {"roost": 1} for c in ("1", "2", "5", "7", "8", "9", "11")[:roosts]}
    g = owls(map, at="evening")
    assert g.points(OWL) == ([("ROOT-EYRIE-20", points)] if points else [])
    assert g.top.left == cards


@refusal("ROOT-TURN-8")
def test_somebody_else_who_chooses_a_leader_is_told_so():
    """The Marquise has no leaders; that must not matter."""
    assert "ROOT-TURN-8" in fallen().refused(CAT, "choose-leader", leader="despot")
