"""States of Vagabonds that cannot exist: boards, quests, ruins, closed clearings, and their unfinished business."""

from copy import deepcopy

import pytest

from service.engine.deck import Deck, Pool, Run, Stratum
from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.games.root.v1 import RULES
from service.games.root.v1.vagabond import Hostility
from tests.games.root.rogue import CATS, ELK, FOX, OWLS, no_cards, rogue, up
from tests.games.root.table import CAT, OWL, Game, lowest
from tests.games.root.test_vagabond_moves import before_set_up
from tests.games.root.test_vagabond_pairs import COALITION, digging, half, two

rule = pytest.mark.rule

SEAT = f"/table/seats/{FOX}/vagabond"


def planted(g, change):
    """The problems after this change to a game that has none."""
    state = deepcopy(g.state)
    assert problems(RULES, state) == []
    change(state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


def own(**values):
    """The Vagabond's board with other values."""

    def change(state):
        for name, value in values.items():
            setattr(state.table.seats[FOX].vagabond, name, value)

    return change


def board(**values):
    def change(state):
        for name, value in values.items():
            setattr(state.table, name, value)

    return change


def top(**values):
    """The frame that waits with other values."""

    def change(state):
        for name, value in values.items():
            setattr(state.stack[-1], name, value)

    return change


def shift(item, source, target, n=1):
    """Items of the Vagabond's put elsewhere."""

    def change(state):
        held = state.table.seats[FOX].vagabond.items
        held[source] = {i: k - n * (i == item) for i, k in held[source].items() if k - n * (i == item)}
        held[target] = {**held[target], item: held[target].get(item, 0) + n}

    return change


# -- boards -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (own(pawn=None), ("ROOT-VAG-6", f"{SEAT}/pawn")),
        (own(relationships={"marquise": "allied"}), ("ROOT-VAG-50", f"{SEAT}/relationships")),
        (
            own(relationships={"marquise": "allied", "eyrie": "hostile", "alliance": "hostile"}),
            ("ROOT-VAG-50", f"{SEAT}/relationships/alliance"),
        ),
        (
            own(relationships={"marquise": "allied", "eyrie": "hostile", "vagabond": "hostile"}),
            ("ROOT-VAG-50", f"{SEAT}/relationships/vagabond"),
        ),
        (own(coalition=CAT), ("ROOT-VAG-60", f"{SEAT}/coalition")),
        (own(character=None), ("ROOT-SETUP-12", SEAT)),
        (own(looking={"bag": 1}), ("ROOT-VAG2-3", f"{SEAT}/looking")),
        (shift("sword", "satchel-up", "track"), ("ROOT-VAG-2", f"{SEAT}/items/track/sword")),
    ],
)
def test_planted_faults_of_a_board(change, expected):
    assert expected in planted(rogue({"1": {CATS: 1}}), change)


@rule("ROOT-VAG-1")
def test_every_place_for_items_is_there():
    found = planted(rogue(), own(items={"track": {}}))
    assert ("ROOT-VAG-1", f"{SEAT}/items") in found


@rule("ROOT-VAG-2")
def test_a_track_holds_three_at_most():
    g = rogue(items={"track": {"bag": 3}, "satchel-up": ["bag"]}, character="tinker", ruins=["6", "10", "11"])
    assert planted(g, shift("bag", "satchel-up", "track")) == {("ROOT-VAG-2", f"{SEAT}/items/track")}


@rule("ROOT-VAG2-4")
def test_no_two_marked_items_of_a_kind():
    left = {"10": Deck([Run(["bag-r"], [FOX])]), "11": Deck([Run(["bag-r"], [FOX])])}
    g = two(items=up("sword-r", "hammer-r"), unearthed=left)

    def change(state):
        held = state.table.seats[FOX].vagabond.items["satchel-up"]
        del held["hammer-r"]
        held["sword-r"] = 2
        state.table.buried = Deck([Pool([Stratum({"boots-r": 2, "hammer-r": 2}, 4)])])

    assert ("ROOT-VAG2-4", f"{SEAT}/items") in planted(g, change)


@rule("ROOT-VAG2-1")
def test_no_two_of_a_character():
    g = two({"1": {CATS: 1}})

    def change(state):
        state.table.seats[ELK].vagabond.character = "thief"

    assert ("ROOT-VAG2-1", "/table/seats") in planted(g, change)


@rule("ROOT-SETUP-12")
def test_before_set_up_there_is_nothing():
    g = before_set_up("marquise", "vagabond")

    def change(state):
        state.table.seats[OWL].vagabond.pawn = "A"

    assert planted(g, change) == {("ROOT-SETUP-12", f"/table/seats/{OWL}/vagabond")}


@rule("ROOT-VAG-60", "ROOT-VAG-62")
@pytest.mark.parametrize(
    ("partner", "partner_of_elk", "clause"),
    [
        (FOX, OWL, "ROOT-VAG-60"),
        (None, OWL, "ROOT-VAG-60"),
        (OWL, OWL, "ROOT-VAG-62"),
        (ELK, FOX, "ROOT-VAG-62"),
    ],
)
def test_planted_faults_of_a_coalition(partner, partner_of_elk, clause):
    twin = {"dominance": "dominance-fox", "score": None, "coalition": partner_of_elk}
    g = two({"5": {CATS: 1}}, elk=twin, **COALITION)
    assert (clause, f"{SEAT}/coalition") in planted(g, own(coalition=partner))


@rule("ROOT-VAG-61", "ROOT-DOM-1")
def test_a_partner_has_no_score():
    def change(state):
        state.table.seats[FOX].score = 3

    assert ("ROOT-DOM-1", f"/table/seats/{FOX}/score") in planted(two({"5": {CATS: 1}}, **COALITION), change)


# -- quests and ruins ---------------------------------------------------------------------------------------------


@rule("ROOT-VAG-29")
def test_three_quests_lie_face_up():
    g = rogue()
    cards = g.board.quest_deck.cards()
    first, *rest = cards
    more = board(
        quests=[*g.board.quests, first], quest_deck=Deck([Pool([Stratum(dict.fromkeys(rest, 1), len(rest))])])
    )
    assert planted(g, more) == {("ROOT-VAG-29", "/table/quests")}
    members = {**cards, g.board.quests[0]: 1}
    less = board(quests=g.board.quests[1:], quest_deck=Deck([Pool([Stratum(members, len(members))])]))
    assert planted(g, less) == {("ROOT-VAG-29", "/table/quests")}


@rule("ROOT-SETUP-12", "ROOT-INFO-8")
@pytest.mark.parametrize("name", ["quest_deck", "buried"])
def test_nobody_knows_how_they_lie(name):
    g = rogue()
    cards = getattr(g.board, name).cards()
    known = board(**{name: Deck([Run(sorted(cards), [FOX])])})
    assert ("ROOT-SETUP-12", f"/table/{name}") in planted(g, known)
    aside = board(**{name: Deck([Pool([Stratum(dict(cards), len(cards) - 1)])])})
    assert ("ROOT-SETUP-12", f"/table/{name}") in planted(g, aside)


@rule("ROOT-VAG-26", "ROOT-VAG2-2")
def test_under_each_ruin_lies_its_share():
    assert ("ROOT-SETUP-12", "/table/buried") in planted(rogue(), board(ruins=["6", "10", "11"]))
    assert ("ROOT-SETUP-12", "/table/buried") in planted(two(), board(ruins=["6", "10", "11"]))


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        (Deck([Run(["bag-r"], [CAT])]), ("ROOT-INFO-11", "/table/unearthed/6/segments/0")),
        (Deck([Run(["bag-r"])]), ("ROOT-INFO-11", "/table/unearthed/6/segments/0")),
        (Deck([Run(["bag-r"], [])]), ("ROOT-INFO-11", "/table/unearthed/6/segments/0")),
        (Deck([Run(["bag-r"], [FOX, FOX])]), ("ROOT-INFO-11", "/table/unearthed/6/segments/0")),
        (Deck([Pool([Stratum({"bag-r": 1}, 1)])]), ("ROOT-INFO-11", "/table/unearthed/6/segments/0")),
        (Deck([]), ("ROOT-VAG2-2", "/table/unearthed/6")),
    ],
)
def test_planted_faults_of_a_ruin(deck, expected):
    assert expected in planted(half([FOX], "bag-r"), board(unearthed={"6": deck}))


@rule("ROOT-VAG2-3")
def test_nothing_is_left_where_there_is_no_ruin_or_one_vagabond():
    g = half([FOX], "bag-r")
    moved = board(unearthed={"5": Deck([Run(["bag-r"], [FOX])])})
    assert ("ROOT-VAG2-3", "/table/unearthed/5") in planted(g, moved)
    alone = board(unearthed={"6": Deck([Run(["bag"], [FOX])])}, buried=Deck([Pool([Stratum(
        {"boots": 1, "hammer": 1, "sword": 1}, 3)])]))  # fmt: skip
    assert ("ROOT-VAG2-3", "/table/unearthed/6") in planted(rogue(), alone)


@rule("ROOT-VAG-46")
def test_who_burns_and_what_stays_there():
    burnt = {"character": "scoundrel", "scorched": ["5"], "items": up("boots", "crossbow")}
    g = rogue({"1": {CATS: 1}}, **burnt)

    def settle(state):
        state.table.map["5"] = {CATS: 1}
        del state.table.map["1"][CATS]

    assert planted(g, settle) == {("ROOT-VAG-46", "/table/map/5")}

    def no_torch(state):
        state.table.scorched = {"5": {"boots": 1}}
        state.table.seats[FOX].vagabond.items["satchel-up"] = {"torch": 1, "crossbow": 1}

    assert planted(g, no_torch) == {("ROOT-VAG-46", "/table/scorched/5")}

    def other(state):
        state.table.scorched = {"5": {"torch": 1}}
        state.table.seats[FOX].vagabond.items["satchel-up"] = {"boots": 1, "sword": 1}

    assert planted(rogue(items=up("boots", "torch", "sword")), other) == {
        ("ROOT-VAG-46", "/table/scorched/5")
    }


# -- frames -------------------------------------------------------------------------------------------------------

DOWN = {"satchel-down": ["boots", "torch", "sword", "bag"]}


@rule("ROOT-VAG-10")
@pytest.mark.parametrize("n", [1, 2, 4, 5])
def test_planted_faults_of_birdsong(n):
    choosing, slipping = rogue(at="turn", items=DOWN), rogue(at="turn")
    for g in (choosing, slipping):
        field = f"/stack/{len(g.state.stack) - 1}/refreshes"
        assert planted(g, top(refreshes=n)) == {("ROOT-VAG-10", field)}


def test_a_phase_does_not_stand_on_itself():
    """What is free in a turn calls no phase: a gap carries what its free actions call, and nothing else."""
    g = rogue(at="turn", items=DOWN)
    n = len(g.state.stack)
    twice = planted(g, lambda state: state.stack.append(deepcopy(state.stack[-1])))
    assert f"/stack/{n}/frame" in {pointer for _, pointer in twice}
    below = planted(g, lambda state: state.stack.append(deepcopy(state.stack[-2])))
    assert f"/stack/{n}/frame" in {pointer for _, pointer in below}


@pytest.mark.parametrize(
    ("relation", "n"), [("indifferent", 1), ("friendly-1", 2), ("friendly-2", 3), ("allied", 1)]
)
def test_aids_that_would_have_been_a_step(relation, n):
    g = rogue({"1": {CATS: 1}}, relationships={"marquise": relation}, items=DOWN)
    field = f"/stack/{len(g.state.stack) - 1}/aids/marquise"
    assert planted(g, top(aids={"marquise": n})) == {("ROOT-VAG-51", field)}
    assert planted(g, top(aids={"marquise": n - 1})) == set()
    unknown = planted(g, top(aids={"alliance": 0}))
    assert unknown == {("ROOT-VAG-51", field.replace("marquise", "alliance"))}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"clearing": "5"}, ("ROOT-VAG-26", "clearing")),
        ({"left": 1}, ("ROOT-VAG-26", "left")),
        ({"found": True}, ("ROOT-VAG-26", "left")),
        ({"knew": [ELK]}, ("ROOT-INFO-11", "knew")),
        ({"seat": CAT}, ("ROOT-SETUP-1", "seat")),
    ],
)
def test_planted_faults_of_exploring(values, expected):
    g = digging()
    i = len(g.state.stack) - 1
    assert (expected[0], f"/stack/{i}/{expected[1]}") in planted(g, top(**values))


def test_who_has_been_aided_is_there():
    g = rogue({"1": {CATS: 1}}, hand=["anvil"], cat={"items": ["hammer"]}, owl={"items": ["coin"]})
    g.play(FOX, "aid", player=CAT, card="anvil", item="torch")
    i = len(g.state.stack) - 1
    for wrong in (OWL, FOX):
        assert ("ROOT-VAG-27", f"/stack/{i}/giver") in planted(g, top(giver=wrong))


def test_allies_are_asked_for_where_there_are_any():
    g = rogue({"1": {CATS: 1, OWLS: 1}}, relationships={"marquise": "allied"}).play(
        FOX, "battle", defender=OWL
    )
    i = len(g.state.stack) - 1
    assert ("ROOT-VAG-53", f"/stack/{i}/seat") in planted(g, top(seat=OWL))
    assert ("ROOT-VAG-53", f"/stack/{i}/seat") in planted(
        g, own(relationships={"marquise": "hostile", "eyrie": "hostile"})
    )


def test_an_arbiter_is_enlisted_where_he_stands():
    g = rogue({"1": {CATS: 3, OWLS: 1}}, turn=CAT, character="arbiter")
    no_cards(g.play(CAT, "battle", clearing="1", defender=OWL))
    i = len(g.state.stack) - 1
    for change in (own(pawn="5"), own(character="thief"), top(seat=CAT), top(arbiter=CAT)):
        assert ("ROOT-VAG-45", f"/stack/{i}/arbiter") in planted(g, change)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"ally": CAT}, ("ROOT-VAG-53", "ally")),
        ({"ally": OWL}, ("ROOT-VAG-53", "ally")),
        ({"enlisted": FOX}, ("ROOT-VAG-45", "enlisted")),
        ({"instigator": FOX}, ("ROOT-VAG-43", "instigator")),
        ({"instigator": CAT}, ("ROOT-VAG-43", "instigator")),
        ({"own_hits": 1}, ("ROOT-VAG-54", "own_hits")),  # no ambush has hit him
        ({"ally_hits": 1}, ("ROOT-VAG-54", "ally_hits")),
    ],
)
def test_planted_faults_of_a_battle(values, expected):
    g = rogue({"1": {CATS: 3, OWLS: 1}}).play(FOX, "battle", defender=CAT)
    i = len(g.state.stack) - 1
    found = planted(g, top(**values))
    assert found == {(expected[0], f"/stack/{i}/{expected[1]}")}


@rule("ROOT-VAG-54")
def test_hits_are_counted_for_a_vagabond_who_attacks_and_not_before_they_fall():
    g = rogue({"1": {CATS: 3, OWLS: 1}}, turn=CAT).play(CAT, "battle", clearing="1", defender=OWL)
    i = len(g.state.stack) - 1
    assert planted(g, top(own_hits=1)) == {("ROOT-VAG-54", f"/stack/{i}/own_hits")}
    g = rogue({"1": {CATS: 3}}, cat={"hand": ["anvil"]}).play(FOX, "battle", defender=CAT)
    assert planted(g, top(own_hits=1)) == {("ROOT-VAG-54", f"/stack/{len(g.state.stack) - 1}/own_hits")}


@rule("ROOT-VAG-55")
@pytest.mark.parametrize(
    ("values", "field"),
    [({"seat": CAT}, "seat"), ({"factions": []}, "factions"), ({"factions": ["alliance"]}, "factions"),
     ({"factions": ["marquise", "marquise"]}, "factions")],
)  # fmt: skip
def test_planted_faults_of_hostility(values, field):
    g = rogue({"1": {CATS: 2}, "2": {"keep": 1}}, items=up("sword"), cat={"hand": ["anvil"]}, turn=CAT)
    no_cards(g.play(CAT, "battle", clearing="1", defender=FOX)).roll(1, 1)
    (i,) = [i for i, f in enumerate(g.state.stack) if isinstance(f, Hostility)]

    def change(state):
        for name, value in values.items():
            setattr(state.stack[i], name, value)

    assert ("ROOT-VAG-55", f"/stack/{i}/{field}") in planted(g, change)


def test_losses_are_settled_together():
    g = rogue({"1": {CATS: 3}}, items=up("sword", "torch", "boots"))
    no_cards(g.play(FOX, "battle", defender=CAT)).roll(1, 1)
    i = len(g.state.stack) - 1
    found = planted(g, top(taken={FOX: {"satchel-up-torch": 1}}))
    assert ("ROOT-BATTLE-17", f"/stack/{i}/taken") in found


@rule("ROOT-VAG2-6")
def test_who_sets_up_first_is_drawn_before_the_quests():
    """While quests are turned up one by one by real cards, nobody is drawn any more."""
    seats = [
        SetupSeat(s, choice={"faction": f}) for s, f in ((FOX, "vagabond"), (ELK, "vagabond"), (OWL, "eyrie"))
    ]
    setup = Setup(seats, "pair", ChanceState(mode="given"), {"seating": "listed"})
    g = Game(start(RULES, setup, lowest))
    while not g.board.quests:
        kind = g.kinds[0]
        action = g.options("chance" if "chance" in g.asked else g.asked[0], kind)[0]
        g.play(action.pop("actor"), action.pop("kind"), **action)
    assert g.top.step == "quests"
    second = next(s for s in (FOX, ELK) if g[s].vagabond.second)
    assert planted(g, top(step="first")) == {
        ("ROOT-VAG2-6", "/stack/1/step"),
        ("ROOT-VAG2-6", f"/table/seats/{second}/vagabond/second"),
    }


@pytest.mark.rule("ROOT-CARD-8", "ROOT-VAG-72")
def test_items_are_discarded_when_the_hand_limit_has_been_applied():
    seven = up("sword", "boots", "hammer", "crossbow", "torch", "tea", "sword")
    hand = ["armorers", "cobbler", "sappers", "codebreakers"]
    g = rogue(at="evening", items=seven, hand=hand, discard=["bake-sale"]).draw("anvil")
    assert g.kinds == ("discard-items",)

    def six(state):
        del state.table.discard["bake-sale"]
        state.table.seats[FOX].hand["bake-sale"] = 1

    assert planted(g, six) == {("ROOT-CARD-8", f"/stack/{len(g.state.stack) - 1}/step")}
