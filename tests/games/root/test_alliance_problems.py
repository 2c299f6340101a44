"""States of the Alliance that cannot exist: its board, the map, and its unfinished business."""

from copy import deepcopy

import pytest

from service.engine.deck import Deck, Pool, Stratum
from service.engine.problems import problems
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.alliance_evening import Organizing
from service.games.root.v1.alliance_problems import alliance_problems
from service.games.root.v1.alliance_reactions import BaseLoss, Outrage
from service.games.root.v1.state import Alliance
from tests.games.root.ally import ALLIES, ALLY, CATS, FOXES, MICE, woodland
from tests.games.root.table import CAT, OWL, fresh

rule, refusal = pytest.mark.rule, pytest.mark.refusal

S = "sympathy"
SEAT = "/table/seats/ally"
FIVE = ["anvil", "investments", "sword-mouse", "bake-sale", "root-tea-rabbit"]
MANY = [
    "root-tea-mouse",
    "mouse-in-a-sack",
    "sword-mouse",
    "crossbow-mouse",
    "investments",
    "smugglers-trail",
]
SEVEN = [*FIVE, "smugglers-trail", "a-visit-to-friends"]


def planted(g, change):
    """The problems after this change to a game that has none."""
    state = deepcopy(g.state)
    assert problems(RULES, state) == []
    change(state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


def put(bag, what, n=1):
    """That many more of a thing in a bag; a negative number takes away."""
    bag[what] = bag.get(what, 0) + n
    if not bag[what]:
        del bag[what]


def shifted(what, source, target, n=1):
    """Pieces put elsewhere; each place is a bag of the table."""

    def change(state):
        put(source(state.table), what, -n)
        put(target(state.table), what, n)

    return change


def supply(t):
    return t.seats[ALLY].supply


def own(t):
    return t.seats[ALLY].alliance


# -- the board and the map ----------------------------------------------------------------------------------------


def standing():
    there = {"1": {"keep": 1}, "8": {FOXES: 1, S: 1, ALLIES: 2}, "2": {S: 1, CATS: 1}}
    return woodland(there, supporters=SEVEN, officers=2, hand=["sappers"])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (shifted(S, supply, lambda t: t.map["8"]), ("ROOT-WA-3", f"/table/map/8/{S}")),
        (shifted(S, supply, lambda t: t.map["1"]), ("ROOT-MARQ-2", f"/table/map/1/{S}")),
        (shifted(MICE, supply, lambda t: t.map["4"]), ("ROOT-WA-14", f"/table/map/4/{MICE}")),
        (shifted(FOXES, lambda t: t.map["8"], supply), ("ROOT-WA-2", f"{SEAT}/alliance/supporters")),
        (shifted(FOXES, lambda t: t.map["8"], lambda t: t.box), ("ROOT-COMP-3", f"/table/box/{FOXES}")),
        (shifted(S, supply, lambda t: own(t).officers), ("ROOT-WA-14", f"{SEAT}/alliance/officers/{S}")),
        (lambda s: setattr(s.table.seats[ALLY], "alliance", None), ("ROOT-SETUP-1", f"{SEAT}/alliance")),
        (
            lambda s: setattr(s.table.seats[CAT], "alliance", Alliance()),
            ("ROOT-SETUP-1", "/table/seats/cat/alliance"),
        ),
        (lambda s: setattr(s.table.seats[ALLY], "faction", "marquise"), ("ROOT-SETUP-1", f"{SEAT}/faction")),
    ],
)
def test_planted_faults_of_board_and_map(change, expected):
    assert expected in planted(standing(), change)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: put(own(s.table).supporters, "armorers"),
        lambda s: put(own(s.table).supporters, "anvil", -1),
        lambda s: put(own(s.table).officers, ALLIES),
        lambda s: put(s.table.map["2"], S),
        lambda s: put(supply(s.table), ALLIES, -1),
    ],
)
def test_supporters_officers_and_tokens_are_counted(change):
    assert planted(standing(), change)


# -- set-up -------------------------------------------------------------------------------------------------------


def before_set_up():
    g = fresh("marquise", "alliance").play("chance", "draw-seat", seat="cat").draw_any()
    assert g.asked == ("cat",)
    return g


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda s: put(s.table.seats["owl"].alliance.supporters, next(iter(s.table.deck.odds()))),
            ("ROOT-SETUP-11", "/table/seats/owl/alliance"),
        ),
        (
            shifted(S, lambda t: t.seats["owl"].supply, lambda t: t.map["5"]),
            ("ROOT-SETUP-11", "/table/map"),
        ),
    ],
)
def test_before_its_set_up_the_alliance_has_nothing(change, expected):
    assert expected in planted(before_set_up(), change)


def test_three_supporters_are_drawn():
    g = before_set_up().play("cat", "setup-marquise", keep="1", sawmill="5", workshop="5", recruiter="9")
    assert g.asked == ("chance",)
    found = planted(g, lambda s: setattr(s.stack[-1], "left", 2))
    assert ("ROOT-SETUP-11", "/stack/1") in found
    assert ("ROOT-CARD-6", "/stack/2/to") in planted(g, lambda s: setattr(s.stack[-1], "seat", "cat"))


def drawing(at):
    """A draw at set-up, for Outrage, or in the Evening."""
    if at == "set-up":
        return before_set_up().play(
            "cat", "setup-marquise", keep="1", sawmill="5", workshop="5", recruiter="9"
        )
    if at == "evening":
        return woodland({"8": {FOXES: 1}}, at="evening")
    g = woodland({"1": {CATS: 3}, "5": {S: 1}}, turn=CAT, at="daylight")
    return g.play(CAT, "march").play(CAT, "move", from_="1", to="5", warriors=1)


@pytest.mark.parametrize(
    ("at", "field", "value", "clause"),
    [
        ("set-up", "to", "hand", "ROOT-SETUP-11"),
        ("set-up", "because", "ROOT-WA-10", "ROOT-SETUP-11"),
        ("outrage", "to", "hand", "ROOT-WA-10"),
        ("outrage", "seat", CAT, "ROOT-WA-10"),
        ("outrage", "left", 2, "ROOT-WA-10"),
        ("evening", "to", "supporters", "ROOT-WA-24"),
        ("evening", "left", 3, "ROOT-WA-24"),
    ],
)
def test_the_alliance_draws_what_is_due(at, field, value, clause):
    assert drawing(at).asked == ("chance",)
    found = planted(drawing(at), lambda s: setattr(s.stack[-1], field, value))
    assert clause in {rule for rule, _ in found}


# -- its own turn -------------------------------------------------------------------------------------------------


def in_turn(at, change, map=None, **ally):
    return planted(woodland(map, at=at, **ally), lambda s: change(s.stack[-1]))


@rule("ROOT-WA-20")
def test_planted_faults_of_birdsong():
    assert ("ROOT-WA-20", "/stack/3/spreading") in in_turn("turn", lambda f: setattr(f, "spreading", True))
    assert ("ROOT-SETUP-1", "/stack/3/seat") in in_turn("turn", lambda f: setattr(f, "seat", CAT))
    fine = in_turn("turn", lambda f: setattr(f, "spreading", True), {"5": {S: 1}})
    assert fine == set()


@pytest.mark.parametrize(("field", "value"), [("most", 11), ("most", -1), ("left", 3), ("left", -1)])
def test_planted_faults_of_the_evening(field, value):
    found = in_turn("evening", lambda f: setattr(f, field, value), officers=2)
    assert ("ROOT-WA-22", f"/stack/2/{field}") in found


def rebelling():
    """A revolt that waits for the Field Hospitals."""
    g = woodland(
        {"1": {"keep": 1}, "8": {S: 1, CATS: 2}},
        supporters=["anvil", "sappers"],
        cat={"hand": ["foxfolk-steel"]},
    )
    g.play(ALLY, "revolt", clearing="8", supporters={"anvil": 1, "sappers": 1})
    assert g.kinds == ("field-hospitals", "pass")
    return g


def uprising(state):
    return next(f for f in state.stack if type(f).__name__ == "Uprising")


@pytest.mark.parametrize("clearing", ["12", "7", "1"])
def test_a_revolt_began_where_it_can(clearing):
    g = rebelling()
    (at,) = [i for i, f in enumerate(g.state.stack) if f is uprising(g.state)]
    found = planted(g, lambda s: setattr(uprising(s), "clearing", clearing))
    assert ("ROOT-WA-13", f"/stack/{at}/clearing") in found


def test_a_revolt_comes_before_spreading():
    found = planted(rebelling(), lambda s: setattr(s.stack[3], "spreading", True))
    assert ("ROOT-WA-20", "/stack/3/spreading") in found


@pytest.mark.parametrize(("clearing", "wrong"), [("5", False), ("8", True), ("1", True)])
def test_sympathy_is_organized_where_it_can_be(clearing, wrong):
    g = woodland({"1": {"keep": 1}, "8": {S: 1}}, at="evening", officers=1)
    t = Table(RULES, g.state).fork()
    t.frames[-1].left = 0
    t.frames.append(Organizing(seat=ALLY, clearing=clearing, step="organize"))
    assert bool([p for p in alliance_problems(t) if p.rule == "ROOT-WA-22"]) is wrong


@rule("ROOT-WA-22", "ROOT-WA-4")
@pytest.mark.parametrize(
    ("most", "left", "wrong"),
    [
        (5, 5, None),
        (5, 0, None),
        (10, 10, "most"),  # nothing has been done, so nobody has gone
        (10, 9, None),  # an operation, in which a base may have been lost
        (11, 8, "most"),
        (6, 5, "most"),  # of six three would have gone
    ],
)
def test_operations_were_as_many_as_officers_who_went_by_halves(most, left, wrong):
    at_evening = woodland({"5": {S: 1}}, at="evening", officers=5)
    found = planted(
        at_evening, lambda s: [setattr(s.stack[-1], k, v) for k, v in (("most", most), ("left", left))]
    )
    assert found == (set() if wrong is None else {("ROOT-WA-22", f"/stack/2/{wrong}")})


@rule("ROOT-WA-22")
def test_what_is_played_in_the_evening_was_an_operation():
    g = woodland({"8": {S: 1, ALLIES: 2, CATS: 1}}, at="evening", officers=2, cat={"hand": ["anvil"]})
    g.play(ALLY, "battle", clearing="8", defender=CAT)
    assert planted(g, lambda s: setattr(s.stack[2], "left", 0)) == set()
    assert planted(g, lambda s: setattr(s.stack[2], "left", 2)) == {("ROOT-WA-22", "/stack/2/left")}


@rule("ROOT-WA-4", "ROOT-WIN-1")
def test_a_game_that_is_won_by_the_removal_of_the_last_base_leaves_the_supporters():
    """Seven supporters, of whom nobody has discarded any: the point for the base was the thirtieth."""
    there = {"8": {CATS: 3, FOXES: 1}}
    g = woodland(there, turn=CAT, at="daylight", supporters=SEVEN, cat={"score": 29}).fight(
        CAT, ALLY, "8", 0, 0
    )
    assert g.state.outcome.winners == [CAT]
    assert sum(g[ALLY].alliance.supporters.values()) == 7
    assert problems(RULES, g.state) == []


# -- in others' turns ---------------------------------------------------------------------------------------------


def owing():
    """The Marquise has entered clearing 5 and owes a card."""
    g = woodland({"1": {CATS: 3}, "5": {S: 1}}, turn=CAT, at="daylight", cat={"hand": ["bake-sale"]})
    return g.play(CAT, "march").play(CAT, "move", from_="1", to="5", warriors=1)


@rule("ROOT-WA-11")
def test_planted_faults_of_outrage():
    at = len(owing().state.stack) - 1
    by_itself = planted(owing(), lambda s: setattr(s.stack[-1], "seat", ALLY))
    assert ("ROOT-WA-11", f"/stack/{at}/seat") in by_itself
    assert ("ROOT-WA-11", f"/stack/{at}/clearing") in planted(
        owing(), lambda s: setattr(s.stack[-1], "clearing", "1")
    )
    token_gone = planted(owing(), shifted(S, lambda t: t.map["5"], supply))
    assert ("ROOT-WA-11", f"/stack/{at}/clearing") in token_gone


@rule("ROOT-WA-11")
def test_outrage_for_a_token_that_was_not_removed():
    g = woodland({"5": {CATS: 2, S: 1}}, turn=CAT, at="daylight", cat={"hand": ["bake-sale"]})
    g.fight(CAT, ALLY, "5", 0, 0)
    at = len(g.state.stack) - 1
    assert isinstance(g.top, Outrage)
    assert ("ROOT-WA-11", f"/stack/{at}/clearing") in planted(
        g, lambda s: setattr(s.stack[-1], "clearing", "9")
    )
    assert ("ROOT-WA-11", f"/stack/{at}/clearing") in planted(g, lambda s: setattr(s.stack[-1], "seat", OWL))


@rule("ROOT-WA-10", "ROOT-MOVE-6")
def test_who_owes_for_entering_has_warriors_there():
    g = owing()
    at = len(g.state.stack) - 1
    back = shifted(CATS, lambda t: t.map["5"], lambda t: t.map["1"])
    assert planted(g, back) == {("ROOT-WA-11", f"/stack/{at}/clearing")}
    another = planted(g, lambda s: setattr(s.stack[-1], "seat", OWL))
    assert ("ROOT-WA-11", f"/stack/{at}/clearing") in another


@rule("ROOT-WA-10", "ROOT-FX-9")
def test_a_cobbler_that_led_there_has_been_used():
    held = {"hand": ["anvil"], "crafted": ["cobbler"]}
    g = woodland({"1": {CATS: 1}, "5": {S: 1}}, turn=CAT, at="evening", cat=held)
    g.play(CAT, "cobbler", from_="1", to="5", warriors=1)
    assert planted(g, lambda s: setattr(s.stack[1], "used", [])) == {("ROOT-FX-9", "/stack/1/used")}


def losing():
    """The fox base is lost, and the supporters are too many."""
    g = woodland({"8": {CATS: 3, FOXES: 1}}, turn=CAT, at="daylight", supporters=SEVEN)
    g.fight(CAT, ALLY, "8", 0, 0)
    assert isinstance(g.top, BaseLoss)
    return g


@rule("ROOT-WA-4")
def test_planted_faults_of_a_lost_base():
    at = len(losing().state.stack) - 1
    assert ("ROOT-WA-4", f"/stack/{at}/seat") in planted(
        losing(), lambda s: setattr(s.stack[-1], "seat", CAT)
    )
    assert ("ROOT-WA-4", f"/stack/{at}/suit") in planted(
        losing(), lambda s: setattr(s.stack[-1], "suit", "mouse")
    )
    stands = planted(losing(), shifted(FOXES, supply, lambda t: t.map["8"]))
    assert ("ROOT-WA-4", f"/stack/{at}/suit") in stands


@rule("ROOT-WA-4")
@pytest.mark.parametrize(
    ("supporter", "fine"), [("foxfolk-steel", False), ("sappers", False), ("bake-sale", True)]
)
def test_who_discards_down_to_five_has_no_supporter_left_that_goes_with_the_base(supporter, fine):
    g = woodland(
        {"8": {CATS: 3, FOXES: 1}},
        turn=CAT,
        at="daylight",
        supporters=[c for c in MANY if c != supporter],
    ).fight(CAT, ALLY, "8", 0, 0)

    def change(state):
        stratum = state.table.deck.segments[0].strata[0]
        lying = {**stratum.members}
        state.table.seats[ALLY].alliance.supporters[supporter] = 1
        put(lying, supporter, -1)
        state.table.deck = Deck([Pool([Stratum(lying, stratum.size - 1)])])

    found = planted(g, change)
    assert found == (set() if fine else {("ROOT-WA-4", f"{SEAT}/alliance/supporters")})


def test_without_the_alliance_nobody_owes_it_anything():
    at = len(owing().state.stack) - 1
    found = planted(owing(), lambda s: setattr(s.table.seats[ALLY], "faction", None))
    assert ("ROOT-SETUP-1", f"/stack/{at}") in found


@rule("ROOT-WIN-1", "ROOT-WA-4")
def test_the_end_of_the_game_cuts_the_loss_of_a_base_short():
    """The last point falls with the base: the game is over, and the supporters stay as they are."""
    g = woodland({"8": {CATS: 3, FOXES: 1}}, turn=CAT, at="daylight", cat={"score": 29}, supporters=SEVEN)
    g.fight(CAT, ALLY, "8", 0, 0)
    assert g.state.outcome.winners == [CAT]
    assert sum(g[ALLY].alliance.supporters.values()) == 7
    assert problems(RULES, g.state) == []


@rule("ROOT-WA-4", "ROOT-WA-11")
@pytest.mark.parametrize(
    ("made", "twin", "clause", "field"),
    [
        (losing, lambda: BaseLoss(seat=ALLY, suit="fox"), "ROOT-WA-4", "suit"),
        (owing, lambda: Outrage(seat=CAT, clearing="5"), "ROOT-WA-11", "clearing"),
    ],
)
def test_one_piece_removed_brings_it_about_once(made, twin, clause, field):
    g = made()
    found = planted(g, lambda s: s.stack.insert(len(s.stack) - 1, twin()))
    assert (clause, f"/stack/{len(g.state.stack)}/{field}") in found
