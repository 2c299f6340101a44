"""Lists of wishes, refusals of whole set-ups, recommended set-ups, and series of games, shown by a small lottery."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import marshmallow as ma
import pytest
from msgspec import Struct

from schemas.contract import Contract
from schemas.faults import located
from service.engine.action import Action
from service.engine.audience import Public, Seats
from service.engine.control import END
from service.engine.frames import Ask, Frame
from service.engine.judge import judge
from service.engine.problems import problems
from service.engine.rule import RulebookError
from service.engine.ruleset import Option, Problem, SetupRefused, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, encode
from service.engine.view import view
from service.engine.wishes import Scenario
from service.http.catalogue import details
from tests.engine.kit import ruleset

CLAUSES = {
    "TOY-WISH-1": "Who ends the game wins.",
    "TOY-WISH-2": "Charms are for games of two.",
    "TOY-WISH-3": "Two are recommended.",
}
CHARMS = ("clover", "horseshoe", "penny")


class Player(Struct, forbid_unknown_fields=True):
    charms: Public[list[str]] = []


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Player]]


class Game(Frame):
    pass


class Finish(Action, kind="finish"):
    def resolve(self, t: Any) -> Any:
        charms = t.board.seats[self.actor].charms
        following = (
            {"seats": [{"id": self.actor, "charms": charms}], "options": {"round": 2}} if charms else None
        )
        t.finish("TOY-WISH-1", [self.actor], [(s, 0, {}) for s in t.seats], following)
        return END


def lottery(**more: Any) -> Any:
    rules = ruleset(
        "lottery",
        Board,
        CLAUSES,
        over="TOY-WISH-1",
        seats=(1, 3),
        options=(Option("round", 1, (1, 2), "TOY-WISH-1"),),
        lists={"charms": CHARMS},
        **more,
    )
    rules.procedure(Game, Ask("go", lambda t, f: t.seats, (Finish,), "TOY-WISH-1"))

    @rules.begin(Game)
    def begin(seats: Any, options: Any, figures: Any) -> Board:
        return Board({s.id: Player(list(s.choice.get("charms", ()))) for s in seats})

    @rules.wishes
    def refused(wished: Any) -> Any:
        for i, seat in enumerate(wished.seats):
            if seat.choice.get("charms") and len(wished.seats) != 2:
                yield Problem(f"/seats/{i}/charms", "only for two", "TOY-WISH-2")

    @rules.wishes
    def too_late(wished: Any) -> Any:
        if wished.options["round"] == 2 and len(wished.seats) == 3:
            yield Problem("/options/round", "three play one round", "TOY-WISH-2")

    return rules


def setup(*charms: Any, **options: Any) -> Setup:
    seats = [SetupSeat(s, choice={"charms": c} if c else {}) for s, c in zip("abc", charms, strict=False)]
    return Setup(seats, "toy", ChanceState("given"), options)


def refused(rules: Any, wished: Setup) -> list[tuple[str, str | None]]:
    with pytest.raises(SetupRefused) as said:
        start(rules, wished)
    return [(p.pointer, p.rule) for p in said.value.problems]


def test_several_wishes_of_a_seat_reach_the_board_in_their_order():
    state: Any = start(lottery(), setup(["penny", "clover"], None)).state
    assert (state.table.seats["a"].charms, state.table.seats["b"].charms) == (["penny", "clover"], [])


def test_each_of_several_wishes_is_one_that_the_game_knows_and_is_named_once():
    assert refused(lottery(), setup(["penny", "ring", "penny"], None)) == [
        ("/seats/0/charms/1", None), ("/seats/0/charms/2", None)
    ]  # fmt: skip


def test_a_game_refuses_what_does_not_go_together_with_every_search_it_has():
    wished = setup(["penny"], None, None, round=2)
    assert refused(lottery(), wished) == [("/seats/0/charms", "TOY-WISH-2"), ("/options/round", "TOY-WISH-2")]


def test_a_value_that_an_option_does_not_take_is_refused_once_and_looked_at_as_the_default():
    assert refused(lottery(), setup(None, None, None, round=3)) == [("/options/round", "TOY-WISH-1")]


def test_the_wire_takes_a_list_of_these_each_once():
    loader = Contract(lottery()).loaders["setup"]
    asked = {"seats": [{"id": "a", "charms": ["penny"]}, {"id": "b", "charms": []}]}
    assert loader.load(asked)["seats"][0]["charms"] == ["penny"]
    for wrong, where in ((["ring"], 0), (["penny", "penny"], 1)):
        with pytest.raises(ma.ValidationError) as told:
            loader.load({"seats": [{"id": "a", "charms": wrong}]})
        assert [f.pointer for f in located(told.value.messages)] == [f"/seats/0/charms/{where}"]
    with pytest.raises(ma.ValidationError):
        loader.load({"seats": [{"id": "a", "charms": "penny"}]})


def test_an_outcome_tells_what_the_next_game_of_a_series_begins_with():
    rules = lottery()
    over: Any = judge(rules, start(rules, setup(["penny"], None)).state, {"kind": "finish", "actor": "a"})
    due = {"seats": [{"id": "a", "charms": ["penny"]}], "options": {"round": 2}}
    assert over.outcome.next == due
    assert view(over.state, None)["outcome"]["next"] == due
    again = rules.decode(encode(over.state))
    assert again == over.state
    assert problems(rules, again) == []


def test_without_a_next_game_an_outcome_says_nothing_of_it():
    rules = lottery()
    over: Any = judge(rules, start(rules, setup(["penny"], None)).state, {"kind": "finish", "actor": "b"})
    assert json.loads(encode(over.outcome)) == {
        "winners": ["b"], "because": "TOY-WISH-1",
        "standings": [{"seat": s, "score": 0, "parts": {}} for s in "ab"],
    }  # fmt: skip


PAIR = Scenario(
    "pair", "TOY-WISH-3", "toy", "rulebook", (2, 2), ((({"charms": ["penny"]}), {}),), 1, {"round": 1}
)
MORE = Scenario(
    "more", "TOY-WISH-3", "toy", "derived", (3, 3), of=("pair",), adds=(1, 1), replaces={"x": "y"}
)


def test_recommended_set_ups_are_listed_with_their_source():
    rules = lottery(scenarios=(PAIR, MORE))
    shown = details(rules, SimpleNamespace(versions=lambda game: ["1.0"]), "cs")  # type: ignore[arg-type]
    assert shown["lists"] == {"charms": list(CHARMS)}
    told = {
        "name": "pair", "id": "pair", "rule": "TOY-WISH-3", "text": "Two are recommended. (cs)",
        "source": {"document": "toy", "page": 1}, "certainty": "rulebook", "players": {"least": 2, "most": 2},
        "options": {"round": 1}, "mixes": [[{"charms": ["penny"]}, {}]],
    }  # fmt: skip
    derived = {
        **told, "name": "more", "id": "more", "source": {"document": "toy"}, "certainty": "derived",
        "players": {"least": 3, "most": 3}, "options": {}, "mixes": [], "of": ["pair"],
        "adds": {"least": 1, "most": 1}, "replaces": {"x": "y"},
    }  # fmt: skip
    assert shown["scenarios"] == [told, derived]


def test_a_scenario_names_a_clause_of_the_book():
    with pytest.raises(RulebookError, match="TOY-WISH-9"):
        lottery(scenarios=(Scenario("lost", "TOY-WISH-9", "toy", "rulebook", (2, 2)),)).close(
            Path(__file__).parent / "games", "NOTHING"
        )
