"""`Each`, unwinds, watches and skipped windows, shown by the game of siege."""

from service.engine import flow
from tests.engine.games import siege
from tests.engine.kit import Play


def play():
    return Play(siege.rules)


def points(g):
    return g.board.seats["ann"].points


def test_an_each_runs_its_entries_one_by_one_and_then_the_next_step():
    g = play()
    g.do("ann", "attack", first="push", second="push")
    assert points(g) == 3 + 3 + 1
    assert g.frames == ["war"]


def test_an_entry_that_is_done_leaves_the_frame_and_what_was_left_of_the_list():
    g = play()
    g.do("ann", "attack", first="breach", second="push")
    assert points(g) == 0
    assert g.asked() == [("bob", ("repair",))]


def test_an_entry_that_unwinds_drops_the_frames_above_and_says_why():
    g = play()
    g.do("ann", "attack", first="rout", second="push")
    assert points(g) == 0
    assert g.events("unwound") == [{"kind": "unwound", "because": "TOY-SIEGE-3", "to": "war"}]
    assert g.state.stack[0].orders == 1


def test_an_entry_that_ends_the_game_leaves_nothing_on_the_stack():
    g = play()
    g.do("ann", "attack", first="crown", second="push")
    assert g.state.outcome.because == "TOY-SIEGE-6"
    assert g.state.stack == []
    assert points(g) == 0


def test_an_entry_may_call_a_frame_and_the_list_goes_on_after_its_return():
    g = play()
    g.do("ann", "attack", first="duel", second="push")
    assert g.frames == ["war", "assault", "duel"]
    assert g.state.stack[1].waves == ["push"]
    g.do("bob", "linger")
    assert g.frames[-1] == "duel"
    g.do("bob", "win")
    assert points(g) == 4 + 3 + 1


def test_an_action_may_unwind_through_several_frames_and_the_target_goes_on_where_it_stands():
    g = play()
    g.do("ann", "attack", first="duel", second="push")
    g.do("bob", "flee")
    assert points(g) == 0
    assert g.frames == ["war"]
    assert g.state.stack[0].orders == 1


def test_a_watch_ends_the_game_in_mid_battle_before_the_next_entry():
    g = play()
    g.do("ann", "attack", first="push", second="push")
    g.do("ann", "attack", first="push", second="duel")
    assert points(g) == 10
    assert g.state.outcome.winners == ["ann"]
    assert g.state.outcome.because == "TOY-SIEGE-1"
    assert g.frames == []
    assert g.last.decisions == []


def test_a_watch_may_unwind_and_is_silent_where_nothing_is_left_to_drop():
    g = play()
    g.do("ann", "attack", first="panic", second="push")
    assert points(g) == 0
    assert [e["because"] for e in g.events("unwound")] == ["TOY-SIEGE-8"]


def test_a_window_that_asks_nobody_leaves_an_event_with_the_rule_that_skips_it():
    g = play()
    g.do("ann", "rest")
    assert g.events("skipped") == [{"kind": "skipped", "because": "TOY-SIEGE-4", "window": "repair"}]


def test_a_window_that_asked_somebody_leaves_no_such_event():
    g = play()
    g.do("ann", "attack", first="breach", second="push")
    g.do("bob", "repair")
    assert g.events("skipped") == []
    assert g.board.walls == 0


def test_whole_games_at_random_keep_every_law_of_the_table():
    for seed in range(8):
        for _ in play().random(seed, plies=60):
            pass


def test_a_watch_that_concerns_the_board_is_asked_again_only_once_that_has_changed(monkeypatch):
    asked, spoken = [], []

    def concerned(t):
        asked.append(t.board)
        return t.board.seats[t.seats[0]].points >= 10

    def look(t):
        spoken.append(t.board)

    plain = siege.rules.watches
    g = play()
    monkeypatch.setattr(siege.rules, "watches", [*plain, (look, concerned)])
    t = g.table.fork()
    for _ in range(3):
        flow.watch(t)
    monkeypatch.setattr(siege.rules, "watches", [(look, concerned)])
    for _ in range(3):
        flow.watch(t)
    assert len(asked) == 4  # three times with watches that are always asked, and once with itself alone
    t.set("TOY-SIEGE-1", 10, "seats", "ann", "points")
    flow.watch(t)
    flow.watch(t)
    assert len(asked) == 6
    assert spoken == [t.board, t.board]
