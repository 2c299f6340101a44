"""Problems: every state that play makes has none, planted corruption is found, and nothing that decodes is too much."""

import copy
import json
import random
import time
from typing import Annotated

import msgspec
import pytest
from msgspec import Struct

from service.engine.audience import Distinct, SeatRef, fields_distinct
from service.engine.envelope import doubtful, repeated
from service.engine.frames import ANYWHERE, Again, Ask, Each, Frame, Free, Procedure, Step
from service.engine.problems import problems
from service.engine.ruleset import Problem
from service.engine.state import Outcome, Standing, encode
from tests.engine.games import barrow, camp, clock, ferry, whisper
from tests.engine.kit import Play
from tests.engine.toys import TOYS, states


def corrupted(g, **changes):
    """The problems of a state in which these dotted fields are something else."""
    plain = json.loads(encode(g.state))
    for path, value in changes.items():
        *names, last = path.split("__")
        at = plain
        for name in names:
            at = at[int(name) if isinstance(at, list) else name]
        at[int(last) if isinstance(at, list) else last] = value
    return problems(g.rules, g.rules.decode(json.dumps(plain)))


def pointers(g, **changes):
    return [p.pointer for p in corrupted(g, **changes)]


@pytest.mark.parametrize("game", sorted(TOYS))
def test_no_state_that_play_makes_has_a_problem(game):
    for state in states(game):
        assert problems(TOYS[game], state) == []


PLANTED = [
    ({"game": "chess"}, ["/game"]),
    ({"ruleset": "2.0"}, ["/ruleset"]),
    ({"schema": 7}, ["/schema"]),
    ({"game": "chess", "schema": 7}, ["/game", "/schema"]),
    ({"options__size": 3}, ["/options/size"]),
    ({"options__goal": 7}, ["/options/goal"]),
    ({"options__strict": 0}, ["/options/strict"]),
    ({"options": {"goal": 6}}, ["/options"]),
    ({"seats__0__id": "chance"}, ["/seats/0/id", "/table/seats", "/table/seats/ann", "/stack/1/seat"]),
    ({"seats__1__id": "ann"}, ["/seats/1/id", "/table/seats/bob"]),
    ({"seats": []}, ["/seats", "/table/seats/ann", "/table/seats/bob", "/stack/1/seat"]),
    ({"stack__1__seat": "zoe"}, ["/stack/1/seat"]),
    ({"table__box__pin": 31}, ["/table/box/pin"]),
    ({"table__box": {}}, ["/table/pile"]),
    ({"table__box__pin": 0, "table__pile__pin": 30}, ["/table/box/pin", "/table/pile"]),
    ({"table__box__pin": 31, "table__pile__pin": -1}, ["/table/pile/pin", "/table/pile"]),
    ({"table__box__needle": 1}, ["/table/box/needle"]),
    ({"table__box__pin": 29, "table__pile__pin": 1}, ["/table/pile"]),
    ({"stack": []}, ["/stack"]),
    ({"stack__0__step": "lunch"}, ["/stack/0/step"]),
    ({"stack__0__step": ""}, ["/stack/0/step", "/stack/1/frame"]),
    ({"stack__1__step": ""}, ["/stack/1/step"]),
    ({"stack__1__step": "end"}, ["/stack/1/step"]),
    ({"stack__0__step": "end"}, ["/stack/0/step"]),
    ({"stack__1": {"frame": "game", "step": "dusk"}}, ["/stack/1/frame"]),
    ({"stack": [{"frame": "turn", "step": "lay", "seat": "ann"}]}, ["/stack/0/frame"]),
    ({"stack": [{"frame": "game", "step": "tick"}]}, ["/stack/0/step"]),
]


@pytest.mark.parametrize(("changes", "expected"), PLANTED, ids=lambda v: str(v)[:60])
def test_planted_corruption_is_found_where_it_is(changes, expected):
    assert pointers(Play(clock.rules), **changes) == expected


def test_a_problem_says_what_is_wrong_and_cites_the_clause_where_there_is_one():
    g = Play(clock.rules)
    assert corrupted(g, options__goal=7) == [
        Problem("/options/goal", "the option takes 6, 12, 24", "TOY-CLOCK-4")
    ]
    assert corrupted(g, game="chess") == [Problem("/game", "the game is clock, not chess")]


def test_an_outcome_leaves_no_business_and_names_seats_and_clauses_that_exist():
    g = Play(clock.rules)
    state = copy.copy(g.state)
    state.outcome = Outcome(["zoe"], [Standing("eve", 1)], "TOY-NONE-1")
    found = [p.pointer for p in problems(g.rules, state)]
    assert found == [
        "/outcome/because",
        "/outcome/winners/0",
        "/outcome/standings/0/seat",
        "/outcome/standings",
        "/outcome/standings",
        "/stack",
    ]
    state.outcome = Outcome(["ann"], [], "TOY-CLOCK-1")
    assert [p.pointer for p in problems(g.rules, state)] == ["/stack"]
    state.stack = []
    assert problems(g.rules, state) == []


def test_a_piece_in_two_places_is_found_wherever_pieces_lie():
    g = Play(barrow.rules, "ann", "bob")
    assert pointers(g, table__seats__ann__shoe={"gold": 1}) == [
        "/table/barrow/segments/0/strata/0/members/gold"
    ]
    assert pointers(g, table__seats__ann__shoe={"crown": 1}) == ["/table/seats/ann/shoe/crown"]


def test_decks_are_made_of_segments_that_hold_something_and_no_more_than_their_members():
    g = Play(barrow.rules, "ann")
    plain = json.loads(encode(g.state))
    run = {"segment": "run", "cards": [], "known_to": None}
    pool = {"segment": "pool", "strata": []}
    segments = plain["table"]["barrow"]["segments"]
    assert pointers(g, table__barrow__segments=[run, *segments, pool]) == [
        "/table/barrow/segments/0",
        "/table/barrow/segments/3",
    ]
    hollow = {"segment": "pool", "strata": [*segments[0]["strata"], {"members": {}, "size": 0}]}
    assert pointers(g, table__barrow__segments__0=hollow) == ["/table/barrow/segments/0/strata/1"]
    segments[0]["strata"][0]["size"] = 5
    assert pointers(g, table__barrow__segments=segments) == ["/table/barrow/segments/0/strata/0/size"]


def test_cards_lie_face_down_only_where_a_field_says_so():
    g = Play(barrow.rules, "ann")
    segments = json.loads(encode(g.state))["table"]["barrow"]["segments"]
    blank, nothing = {"segment": "blank", "marks": [0]}, {"segment": "blank", "marks": []}
    assert pointers(g, table__barrow__segments=[blank, *segments]) == ["/table/barrow/segments/0"]
    assert set(pointers(g, table__barrow__segments=[nothing, *segments])) == {"/table/barrow/segments/0"}
    segments[0]["strata"][0]["mark"] = 0
    assert pointers(g, table__barrow__segments=segments) == ["/table/barrow/segments"]


def test_a_run_is_known_to_seats_of_this_table():
    g = Play(barrow.rules, "ann")
    run = {"segment": "run", "cards": ["gold"], "known_to": ["ann", "zoe"]}
    assert "/table/barrow/segments/0/known_to/1" in pointers(g, table__barrow__segments__0=run)


def test_frames_that_were_called_together_stand_on_their_caller():
    g = Play(ferry.rules, "ann", "bob", "cyd")
    g.do("ann", "call-vote")
    assert problems(g.rules, g.state) == []
    assert pointers(g, stack__2__step="vote") == ["/stack/3/frame"]


def test_a_frame_called_by_a_free_action_in_a_gap_stands_on_the_window_with_the_gap():
    g = Play(camp.rules)
    g.do("ann", "scout")
    g.do("ann", "whistle")
    assert problems(g.rules, g.state) == []
    echo = {"frame": "echo", "seat": "ann", "step": "listen"}
    assert pointers(g, stack__2={"frame": "quarrel", "seat": "ann", "step": "say"}) == ["/stack/3/frame"]
    assert pointers(g, stack=[{"frame": "holiday", "step": "take-turn"}, echo]) == ["/stack/1/frame"]


def test_rules_that_cannot_read_a_state_have_found_a_problem_of_it(monkeypatch):
    def broken(t):
        raise KeyError("nothing")

    g = Play(clock.rules)
    monkeypatch.setattr(clock.rules, "checks", [broken])
    assert [p.pointer for p in problems(g.rules, g.state)] == ["/table"]
    monkeypatch.setattr(clock.rules, "checks", [])
    monkeypatch.setattr(clock.rules, "_pieces", broken)
    assert [p.pointer for p in problems(g.rules, g.state)] == ["/table"]


def test_a_stack_that_the_rules_cannot_read_is_a_problem(monkeypatch):
    def broken(t, act):
        raise IndexError("no such number")

    g = Play(whisper.rules)
    g.do("ann", "whisper", number="1")
    monkeypatch.setattr(whisper.Whisper.requirements["not_spent"], "predicate", broken)
    (problem,) = problems(g.rules, g.state)
    assert problem.pointer == "/stack"
    assert "no such number" in problem.message


WORDS = ["ann", "bob", "zoe", "chance", "", "lay", "end", "x/y~", "gold", "coin"]


def mangled(plain, rng):
    """One value of a JSON document is replaced, dropped, doubled or renamed."""
    at = plain
    while isinstance(at, dict | list) and at:
        key = rng.choice(list(at)) if isinstance(at, dict) else rng.randrange(len(at))
        if rng.random() < 0.35 or not isinstance(at[key], dict | list) or not at[key]:
            break
        at = at[key]
    else:
        return
    how = rng.randrange(5)
    if how == 0:
        at[key] = rng.choice([*WORDS, -1, 0, 1, 2, 99, 10**12, True, None, [], {}])
    elif how == 1:
        del at[key]
    elif how == 2 and isinstance(at, list):
        at.insert(key, copy.deepcopy(at[key]))
    elif how == 3 and isinstance(at, dict):
        at[rng.choice(WORDS)] = copy.deepcopy(at[key])
    elif isinstance(at, list):
        at.reverse()


@pytest.mark.parametrize("game", sorted(TOYS))
def test_whatever_decodes_is_answered(game):
    """Random damage to random states: never an exception, and what has no problem can be judged."""
    from service.engine.judge import judge

    rules, rng, decoded = TOYS[game], random.Random(game), 0
    for _ in range(1_500):
        plain = json.loads(encode(rng.choice(states(game))))
        for _ in range(rng.randint(1, 3)):
            mangled(plain, rng)
        try:
            state = rules.decode(json.dumps(plain))
        except msgspec.ValidationError:
            continue
        decoded += 1
        if not problems(rules, state):
            for kind in rules.kinds:
                judge(rules, state, {"kind": kind, "actor": "ann"}, lambda chance, total: 0)
    assert decoded > 200


@pytest.mark.parametrize("game", ["barrow", "camp", "clock", "ferry", "whisper"])
def test_the_quick_count_finds_fault_wherever_the_thorough_one_does(game):
    from service.engine.conservation import _located, balanced

    rules, rng, sound = TOYS[game], random.Random(game), 0
    for _ in range(600):
        plain = json.loads(encode(rng.choice(states(game))))
        mangled(plain["table"], rng)
        try:
            state = rules.decode(json.dumps(plain))
            totals = rules.pieces_of(state)
        except msgspec.ValidationError:
            continue
        assert balanced(state.table, totals) == (not list(_located(state, totals)))
        sound += balanced(state.table, totals)
    assert sound > 10


def test_pieces_lie_in_counters_lists_slots_and_mappings_of_them():
    from typing import Annotated

    from msgspec import Struct

    from service.engine.audience import Holds
    from service.engine.conservation import holdings

    class Shelf(Struct):
        bags: Annotated[dict[str, dict[str, int]], Holds("x")] = {}
        slots: Annotated[dict[str, str | None], Holds("x")] = {}
        slot: Annotated[str | None, Holds("x")] = None
        row: Annotated[list[str], Holds("x")] = []
        rows: Annotated[list[list[str]], Holds("x")] = []
        number: Annotated[int, Holds("x")] = 0

    shelf = Shelf({"a/b": {"p": 2}}, {"l": "p", "r": None}, "q", ["p", "p"], [["q"], []], 7)
    assert list(holdings(shelf, "")) == [
        ("/bags/a~1b", "x", {"p": 2}),
        ("/slots/l", "x", "p"),
        ("/slot", "x", "q"),
        ("/row", "x", ["p", "p"]),
        ("/rows/0", "x", ["q"]),
        ("/rows/1", "x", []),
    ]


def test_pieces_too_many_and_too_few_are_told_with_the_places_where_they_lie():
    g = Play(clock.rules)
    found = corrupted(g, table__box__pin=31)
    assert found == [
        Problem("/table/box/pin", "31 of pin in all places together (/table/box/pin: 31); the game has 30")
    ]
    found = corrupted(g, table__box={})
    assert found == [Problem("/table/pile", "there is no pin anywhere; the game has 30")]


def test_chance_that_the_client_answers_promises_nothing_and_a_promise_is_whole():
    g = Play(clock.rules)
    for changes, expected in (
        ({"next_draw": 1}, ["/chance/next_draw"]),
        ({"key_id": "k", "commitment": "c"}, ["/chance/key_id", "/chance/commitment"]),
        ({"client_seed": "s"}, ["/chance/client_seed"]),
        ({"mode": "seeded", "key_id": "k"}, ["/chance/commitment"]),
        ({"mode": "seeded", "commitment": "c"}, ["/chance/key_id"]),
        ({"mode": "seeded", "key_id": "k", "commitment": "c", "next_draw": 7}, []),
    ):
        assert pointers(g, **{f"chance__{name}": value for name, value in changes.items()}) == expected


def test_entries_for_more_seats_than_the_game_takes_are_not_looked_through():
    g = Play(barrow.rules, "ann")
    plain = json.loads(encode(g.state))
    shoe = plain["table"]["seats"]["ann"]
    plain["table"]["seats"] = {f"a{i}": shoe for i in range(50_000)}
    state = g.rules.decode(json.dumps(plain))
    begun = time.perf_counter()
    assert [p.pointer for p in problems(g.rules, state)] == ["/table/seats"]
    assert time.perf_counter() - begun < 0.05


def test_all_problems_are_told_at_once():
    g = Play(clock.rules)
    assert pointers(g, options__goal=7, table__box__pin=31, stack__1__step="nap") == [
        "/options/goal",
        "/table/box/pin",
        "/stack/1/step",
    ]


class Trip(Frame):
    left: list[str] = []


class Stop(Frame):
    pass


class Meal(Frame):
    pass


def called_by(*steps, **by_step):
    kinds = tuple(k for kinds in by_step.values() for k in getattr(kinds, "frames", kinds))
    return Procedure(Trip, steps, None, kinds, {name.replace("_", "-"): k for name, k in by_step.items()})


def pack(t, f):
    return Stop()


def drive(t, f, entry):
    return Meal()


def rest(t, f):
    return None


def test_what_a_step_calls_stands_on_its_frame_where_the_frame_has_moved_on_to():
    ask = Ask("ask", lambda t, f: "ann", (), rule="TOY-CLOCK-1")
    trip = called_by(
        Step(pack), Each("left", drive), Step(rest), ask, pack=(Stop,), drive=(Meal,), ask=(Stop,)
    )
    steps = ("pack", "drive", "rest", "ask", "end", "")
    assert [s for s in steps if trip.carries(s, {Stop})] == ["drive", "end"]
    assert [s for s in steps if trip.carries(s, {Meal})] == ["drive"]
    assert not trip.carries("drive", {Stop, Meal})  # no step calls both
    loop = called_by(Step(pack), Step(rest), pack=Again((Stop, Meal)))
    assert [s for s in ("pack", "rest", "end") if loop.carries(s, {Stop, Meal})] == ["pack"]
    assert not any(p.carries_freely({Stop}) for p in (trip, loop)), "nothing is free there"
    simple = Procedure(Trip, (Step(pack), Step(rest)), None, (Stop,))
    assert not simple.carries_freely({Stop})
    assert simple.carries("pack", {Stop})
    assert not simple.carries("pack", {Meal})
    with pytest.raises(ValueError, match="no step nap to call from"):
        called_by(Step(pack), nap=(Stop,))


def test_in_a_gap_only_what_free_actions_call_stands_on_the_window():
    free = Free((), lambda t, f: "ann", "TOY-CLOCK-1")
    trip = Procedure(Trip, (Step(pack),), free, (Stop, Meal), {"pack": (Stop,), ANYWHERE: (Meal,)})
    assert (trip.carries("end", {Stop}), trip.carries_freely({Stop})) == (True, False)
    assert (trip.carries("end", {Meal}), trip.carries_freely({Meal})) == (True, True)
    again = Procedure(Trip, (Step(pack),), free, (Meal,), {ANYWHERE: Again((Meal,))})
    assert (again.carries_freely({Meal}), again.carries_freely({Stop})) == (True, False)
    every = Procedure(Trip, (Step(pack),), free, (Stop,))
    assert (every.carries_freely({Stop}), every.carries_freely({Meal})) == (True, False)
    none = Procedure(Trip, (Step(pack),), free, (Stop,), {"pack": (Stop,)})
    assert not none.carries_freely({Stop})


class Inner(Struct):
    names: Annotated[list[str], Distinct("TOY-CLOCK-4")] = []


class Outer(Struct):
    inner: dict[str, Inner] = {}
    seats: Annotated[list[SeatRef], Distinct()] = []


def test_lists_that_name_nothing_twice_are_found_wherever_they_lie():
    assert [f.name for f in fields_distinct(Outer)] == ["inner", "seats"]
    sound = Outer({"a": Inner(["x", "y"])}, ["ann", "bob"])
    assert not doubtful(sound, {"ann", "bob"})
    spoiled = Outer({"a": Inner(["x", "y", "x"])}, ["ann", "ann"])
    assert doubtful(spoiled, {"ann", "bob"})
    assert doubtful(Outer({"a": Inner(["x", "y", "x"])}), {"ann"})
    assert doubtful(Outer({}, ["ann", "bob"]), {"ann"})
    assert [(p.pointer, p.message, p.rule) for p in repeated(spoiled, "/table")] == [
        ("/table/inner/a/names/2", "x stands here twice", "TOY-CLOCK-4"),
        ("/table/seats/1", "ann stands here twice", None),
    ]
