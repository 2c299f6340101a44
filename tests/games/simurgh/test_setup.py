"""Set-up: both variants, two to five players, and the drafts."""

from collections import Counter

import pytest

from service.engine.judge import judge
from service.engine.options import options
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.table import Table
from tests.games.simurgh.table import PRINTED, RULES, SEATS, fresh, game, lowest, tile

rule = pytest.mark.rule
START = {"vegetable": 2, "wisdom": 2, "meat": 1, "wood": 1, "stone": 1, "weapon": 1}


def types(tiles):
    return Counter(PRINTED.tiles[x].type for x in tiles)


def drafted(seats, mode="seeded"):
    """A Dragonlord game after its drafts; everybody takes the first of what there is."""
    g = fresh(seats, variant="dragonlord", mode=mode)
    while g.kinds and g.kinds[0] in ("keep-tile", "take-tile", "choose-dragon"):
        g.play(**g.options(g.asked, g.kinds[0])[0])
    return g


@rule("SIM-SETUP-3", "SIM-SETUP-4", "SIM-SETUP-5", "SIM-SETUP-6", "SIM-SETUP-7", "SIM-SETUP-8", "SIM-SETUP-9")
@rule(
    "SIM-SETUP-10",
    "SIM-SETUP-11",
    "SIM-SETUP-12",
    "SIM-SETUP-13",
    "SIM-SCOUT-10",
    "SIM-RETURN-3",
    "SIM-INFO-3",
)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_spearman_game_begins(seats):
    g = fresh(seats)
    assert g.asked == "ann"
    for seat in SEATS[:seats]:
        p = g[seat]
        assert types(p.hand) == {"power": 1, "production": 1, "research": 1, "exploration": 1}
        assert (p.resources, p.pp) == (START, 0)
        assert p.available == {"dragonrider": 1, "spearman": 1}
        assert p.inactive == {"dragonrider": 1, "spearman": 2}
        (dragon,) = p.dragons
        assert p.markers == {f"{dragon}-{n}": 1 for n in (1, 2, 3)}
    assert g.board.tiles.size == 26 - 3 * seats - 4
    assert all(g.board.display.values())
    assert g.board.power.size == 8 - seats
    assert g.board.dragons.size == 24 - seats
    assert g.board.objectives.size == 12
    assert "power" not in types([*g.board.display.values(), *g.board.tiles.cards()])
    (pool,) = g.board.tiles.segments
    away = [sum(s.members.values()) - s.size for s in pool.strata]
    assert sorted(away) == [3, 3, 4, 4]
    assert len(g.board.wilds) == {2: 3, 3: 4, 4: 5, 5: 6}[seats]


@rule("SIM-SETUP-2")
def test_every_kind_of_tile_comes_from_a_deck_of_its_own():
    chance = ChanceState(mode="given")
    setup = Setup(
        [SetupSeat("ann"), SetupSeat("bob")], "t", chance, {"variant": "spearman", "length": "short"}
    )
    state, kinds = start(RULES, setup, lowest).state, []
    while (option := next(options(Table(RULES, state)))).act.actor == "chance":
        frame = state.stack[-1]
        drawn = {v for o in options(Table(RULES, state)) for k, v in o.to_wire().items() if k == "tile"}
        if drawn and getattr(frame, "of", ""):
            assert set(types(drawn)) == {frame.of}
            assert len(drawn) >= 11 - (frame.of == "research") * 4
        kinds.append(option.act.kind)
        state = judge(RULES, state, option.filled()).state
    assert kinds == ["draw-tile"] * 8 + ["turn-up-tile"] * 4 + ["draw-dragon"] * 2


@rule("SIM-DL-2", "SIM-DL-3", "SIM-DEC-1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_draft_of_power_tiles_runs_from_the_last_player_to_the_first(seats):
    g = fresh(seats, variant="dragonlord")
    for n, seat in enumerate(reversed(SEATS[:seats])):
        assert g.asked == seat
        offered = sorted(g[seat].offered)
        assert len(offered) == 3
        assert g.board.power.size == 8 - 3 - n
        g.play(seat, "keep-tile", tile=offered[0])
        assert g[seat].hand == [offered[0]]
        assert g[seat].offered == []
        if n + 1 < seats:
            assert set(offered[1:]) < set(g[SEATS[seats - n - 2]].offered)
    assert g.board.power.size == 8 - seats
    assert g.board.tiles.size == 22


@rule("SIM-DL-4", "SIM-DL-5", "SIM-DEC-2", "SIM-SETUP-9", "SIM-SETUP-11")
@pytest.mark.parametrize("seats", [2, 5])
def test_the_draft_of_action_tiles_goes_round_twice(seats):
    g = fresh(seats, variant="dragonlord")
    while g.kinds == ("keep-tile",):
        g.play(**g.options(g.asked, "keep-tile")[0])
    for seat in SEATS[:seats] * 2:
        assert g.asked == seat
        assert len(g.board.row) == 4
        first = g.board.row[0]
        g.play(seat, "take-tile", tile=first)
        assert g[seat].hand[-1] == first
    assert g.board.row == []
    assert g.board.tiles.size == 26 - 2 * seats - 4
    assert "SIM-DL-5" in g.because("shuffled")
    assert all(g.board.display.values())


@rule("SIM-DL-6", "SIM-DEC-3", "SIM-SETUP-13", "SIM-INFO-4")
def test_dragons_are_chosen_in_secret_and_revealed_together():
    g = fresh(3, variant="dragonlord")
    while g.kinds[0] in ("keep-tile", "take-tile"):
        g.play(**g.options(g.asked, g.kinds[0])[0])
    wanted = {}
    for seat in ("cyd", "ann"):
        assert len(g[seat].looked_at) == 3
        wanted[seat] = max(g[seat].looked_at)
        g.play(seat, "choose-dragon", dragon=wanted[seat])
        assert g[seat].dragons == []
        assert g.events == []
    assert g.asked == "bob"
    wanted["bob"] = min(g["bob"].looked_at)
    g.play("bob", "choose-dragon", dragon=wanted["bob"])
    for seat, dragon in wanted.items():
        assert g[seat].dragons == [dragon]
        assert g[seat].markers == {f"{dragon}-{n}": 1 for n in (1, 2, 3)}
        assert g[seat].looked_at == []
    assert g.board.dragons.size == 21
    (pool,) = g.board.dragons.segments
    assert len(pool.strata) == 1
    assert g.asked == "ann"


@rule("SIM-DL-6")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_dragonlord_game_begins_and_can_be_answered_by_a_client(seats):
    g = drafted(seats)
    assert g.asked == "ann"
    assert all(types(g[s].hand)["power"] == 1 and len(g[s].hand) == 3 for s in SEATS[:seats])
    given = fresh(seats, variant="dragonlord", mode="given")
    assert given.asked == "chance"
    assert given.kinds == ("draw-tile",)
    given.play("chance", "draw-tile", tile=tile(29))
    assert given[SEATS[seats - 1]].offered == [tile(29)]


@rule("SIM-SETUP-6")
def test_turns_go_round_in_the_order_of_the_seats():
    g = game(3)
    for seat in ("ann", "bob", "cyd", "ann"):
        assert g.asked == seat
        g.place(
            "spearman" if g[seat].available.get("spearman") else "dragonrider", "great-market", actor=seat
        )
        g.play(seat, "choose-one", branch=1).end(seat)
