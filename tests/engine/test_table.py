"""The table: events are the only mutation, and who sees them follows from the places."""

import pytest

from service.engine.control import calls
from service.engine.flow import follow, window
from service.engine.places import MoveError
from service.engine.state import encode
from service.engine.table import NoDraws, Table
from tests.engine.games import barrow, camp, clock
from tests.engine.kit import Play, drawn


def table(**more):
    g = Play(barrow.rules, "ann", "bob", **more)
    return Table(g.rules, g.state, g.draws).fork()


def dug(t):
    t.moved("TOY-BARROW-3", {"gold": 1}, ("barrow",), ("seats", "ann", "hand"))
    return t


def test_a_move_is_one_event_with_its_rule_its_bag_and_its_places():
    t = dug(table())
    (event,) = t.events
    assert event.to_wire() == {
        "kind": "moved",
        "because": "TOY-BARROW-3",
        "what": {"gold": 1},
        "source": ["barrow"],
        "target": ["seats", "ann", "hand"],
    }


def test_an_empty_bag_is_no_event():
    t = table()
    t.moved("TOY-BARROW-3", {"gold": 0}, ("spoil",), None)
    t.returned("TOY-BARROW-6", [], ("spoil",), ("barrow",))
    assert t.events == []
    assert t.board is t.state.table


def test_the_bank_gives_and_takes_without_end():
    t = table()
    t.moved("TOY-BARROW-2", {"gold": 5}, None, ("spoil",))
    t.moved("TOY-BARROW-2", {"gold": 5}, ("spoil",), None)
    assert [e.facts["source"] for e in t.events] == [None, ["spoil"]]
    assert t.board.spoil == {}


def test_a_move_of_what_is_not_there_is_a_fault_and_tells_nothing():
    t = table()
    with pytest.raises(MoveError):
        t.moved("TOY-BARROW-2", {"gold": 1}, ("spoil",), None)
    assert t.events == []


def test_whoever_sees_either_place_sees_what_moves():
    t = dug(table())
    t.moved("TOY-BARROW-2", {"gold": 1}, ("seats", "ann", "hand"), ("seats", "bob", "hand"))
    t.moved("TOY-BARROW-2", {"gold": 1}, ("seats", "bob", "hand"), ("spoil",))
    assert [e.whole for e in t.events] == [frozenset({"ann"}), frozenset({"ann", "bob"}), None]


def test_others_see_the_rest_or_nothing_where_no_place_has_one():
    t = dug(table())
    t.moved("TOY-BARROW-2", {"gold": 1}, ("seats", "ann", "hand"), ("seats", "ann", "shoe"))
    t.moved("TOY-BARROW-2", {"gold": 1}, ("seats", "ann", "shoe"), ("seats", "ann", "pocket"))
    assert t.events[1].seen_by("bob")["what"] == 1
    assert t.events[2].seen_by("bob")["what"] == {"bright": 1, "dull": 0}
    t.moved("TOY-BARROW-2", {"gold": 1}, ("seats", "ann", "pocket"), None)
    t.moved("TOY-BARROW-2", {"bone": 1}, None, ("seats", "ann", "shoe"))
    assert t.events[4].seen_by("bob") is None
    assert t.events[4].seen_by("ann")["what"] == {"bone": 1}


def test_what_is_returned_is_seen_in_full_by_those_who_remember_it():
    t = dug(table())
    t.returned("TOY-BARROW-6", ["gold"], ("seats", "ann", "hand"), ("barrow",), known_to=["bob"])
    event = t.events[-1]
    assert event.whole == frozenset({"ann", "bob"})
    assert event.to_wire()["cards"] == ["gold"]
    assert event.to_wire()["end"] == "top"
    assert event.seen_by(None)["cards"] == 1


def test_what_is_returned_openly_is_seen_by_all():
    t = dug(table())
    t.returned("TOY-BARROW-6", ["gold"], ("seats", "ann", "hand"), ("barrow",), bottom=True)
    assert t.events[-1].whole is None
    assert t.events[-1].seen_by(None)["end"] == "bottom"


def test_a_shuffle_takes_a_discard_pile_with_it_and_tells_how_many_cards_there_are():
    t = dug(table())
    t.moved("TOY-BARROW-7", {"gold": 1}, ("seats", "ann", "hand"), ("spoil",))
    t.shuffled("TOY-BARROW-7", ("spoil",), ("barrow",))
    assert t.board.spoil == {}
    assert t.events[-1].facts == {"deck": ["barrow"], "cards": 7}
    t.shuffled("TOY-BARROW-7", None, ("barrow",))


def test_a_value_that_stands_already_is_no_event():
    t = Play(clock.rules).table.fork()
    t.set("TOY-CLOCK-2", 0, "clockwork")
    assert t.events == []
    t.set("TOY-CLOCK-2", 1, "clockwork")
    assert t.events[0].facts == {"place": ["clockwork"], "value": 1}
    t.set("TOY-CLOCK-2", 4, "pile", "new")
    assert t.board.pile == {"new": 4}


def test_facts_are_told_to_all_or_to_some():
    t = table()
    t.tell("heard", "TOY-BARROW-2", {"what": "steps"}, to=["ann"])
    assert t.events[0].seen_by("bob") is None
    assert t.events[0].seen_by("ann") == {"kind": "heard", "because": "TOY-BARROW-2", "what": "steps"}


def test_a_fork_shares_the_board_and_nothing_that_can_change():
    t = dug(table())
    twin = t.fork()
    assert twin.board is t.board
    assert twin.events == []
    twin.frames[1].step = "elsewhere"
    twin.moved("TOY-BARROW-2", {"gold": 1}, ("seats", "ann", "hand"), ("spoil",))
    assert t.frames[1].step == "act"
    assert t.board.spoil == {}


def test_a_draw_counts_on_its_own_fork_alone():
    t = table(mode="seeded", draws=drawn(1))
    twin = t.fork()
    twin.draw(6)
    assert (t.chance.next_draw, twin.chance.next_draw, t.state.chance.next_draw) == (0, 1, 0)


def test_a_trial_has_no_source_of_chance():
    with pytest.raises(NoDraws):
        table(mode="seeded", draws=drawn(1)).trial().draw(6)


def test_frames_are_found_by_type_by_who_they_are_and_on_a_fork():
    t = table()
    dig, turn = t.frames
    assert t.frame(barrow.Turn) is turn
    assert t.frame(barrow.Sort) is None
    assert (t.index(turn), t.below(turn), t.below(dig)) == (1, dig, None)
    fork = t.fork()
    assert t.twin(turn, fork) is fork.frames[1]
    stranger = barrow.Turn(seat="ann")
    assert t.twin(stranger, fork) is stranger
    with pytest.raises(ValueError, match="not on the stack"):
        t.index(stranger)


def test_a_step_may_stay_where_it_is_while_the_frames_it_called_run():
    t = table()
    turn = t.frames[1]
    follow(t, turn, calls(barrow.Sort(seat="ann"), again=True), stay=False)
    assert [f.step for f in t.frames] == ["next-digger", "act", "sort"]


def test_a_free_action_of_a_buried_frame_cannot_move_it_on():
    from service.engine.control import NEXT
    from service.engine.flow import RulesFault

    g = Play(camp.rules)
    g.do("ann", "scout")
    t = g.table.fork()
    with pytest.raises(RulesFault, match="gap"):
        follow(t, t.frames[1], NEXT, stay=True)


def test_a_free_action_that_goes_to_a_step_of_its_frame_drops_what_stands_above():
    from service.engine.control import goto

    g = Play(camp.rules)
    g.do("ann", "scout")
    t = g.table.fork()
    follow(t, t.frames[0], goto("dusk"), stay=True)
    assert [f.step for f in t.frames] == ["dusk"]


def test_windows_are_read_from_the_state_and_nothing_else():
    g = Play(camp.rules)
    before = encode(g.state)
    w = window(g.table)
    assert (w.ask.name, w.actors) == ("act", ("ann",))
    assert encode(g.state) == before
