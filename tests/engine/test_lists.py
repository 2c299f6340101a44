"""No shortcut changes a byte of a list of options: whole games, beside the plain way."""

import json
from typing import ClassVar

import pytest

from benchmarks.games import play
from service.engine import options as listing
from service.engine.action import Action, no, one_of, requires, waives
from service.engine.domain import Pick
from service.engine.judge import examine
from service.engine.options import legal_acts, options
from service.engine.table import Table
from service.games import REGISTRY
from tests.engine.plain_lists import plain_acts, plain_description, plain_wire

EVERY = {"zavandor": 2, "simurgh": 5, "root": 9}  # of so many states of a game, one is looked at


@pytest.mark.parametrize("game", [rules.game for rules in REGISTRY])
def test_a_list_is_what_it_is_the_plain_way(game, monkeypatch):
    played = play(5, 4, game)
    states = [ply.state for ply in played.plies[:: EVERY[game]]]
    quick = [json.dumps([o.to_wire() for o in options(Table(played.rules, s))]) for s in states]
    monkeypatch.setattr(listing, "legal_acts", plain_acts)
    monkeypatch.setattr(listing, "described", plain_description)
    monkeypatch.setattr(Table, "once", lambda t, make, *of: make(t, *of))
    plain = [json.dumps([plain_wire(o) for o in options(Table(played.rules, s))]) for s in states]
    assert quick == plain
    assert sum(len(json.loads(told)) for told in quick) > 2 * len(states)


def test_actions_of_a_list_are_their_own():
    """One action is tried with many values; those that are listed have none of it in common."""
    played = play(5, 4)
    for ply in played.plies[:60]:
        found = list(options(Table(played.rules, ply.state)))
        assert len({id(o.act) for o in found}) == len({id(o.act.__dict__) for o in found}) == len(found)
        afresh = [plain_wire(o) for o in options(Table(played.rules, ply.state))]
        assert [o.to_wire() for o in found] == afresh


# -- requirements that say which values will do ----------------------------------------------------------------------


class Walk(Action, kind="walk-among"):
    """Walk to a stall that is open; with a lamp also to one that is not."""

    at = Pick("TOY-1", ("a", "b", "c"))
    seen: ClassVar[list[str]] = []

    @one_of("TOY-2", "at")
    def is_open(t, act):
        return {"b", "c"}

    @requires("TOY-3", "at")
    def is_near(t, act):
        act.seen.append(act.at)
        return act.at != "c" or no(at=act.at)


class WalkByLamp(Walk, kind="walk-by-lamp"):
    by_lamp = waives("is_open", "TOY-4")(lambda t, act: True)


class Carry(Action, kind="carry"):
    """Carry something from a stall to another place; nothing lies at stall a."""

    at = Pick("TOY-1", ("a", "b", "c"))
    to = Pick("TOY-1", ("b", "c"))
    seen: ClassVar[list[str]] = []

    @requires("TOY-5", "at", "to", only={"at": lambda t, act: {"b", "c"}})
    def is_elsewhere(t, act):
        act.seen.append(act.at)
        return act.at not in ("a", act.to) or no(at=act.at)


class CarryAnyhow(Carry, kind="carry-anyhow"):
    by_cart = waives("is_elsewhere", "TOY-6")(lambda t, act: act.at == "a")


def listed(cls):
    cls.seen.clear()
    return [act.at for act in legal_acts(None, cls, None, "ann")]


def test_a_list_tries_no_value_but_those_that_will_do():
    assert (listed(Walk), Walk.seen) == (["b"], ["b", "c"])


def test_what_may_be_waived_is_tried_all_the_same():
    assert (listed(WalkByLamp), Walk.seen) == (["a", "b"], ["a", "b", "c"])


def test_a_list_tries_no_value_that_leads_nowhere():
    assert (listed(Carry), set(Carry.seen)) == (["b", "c"], {"b", "c"})
    assert listed(CarryAnyhow) == ["a", "a", "b", "c"]


def test_what_a_list_need_not_try_is_refused_all_the_same():
    wire = {"kind": "carry", "actor": "ann", "at": "a", "to": "b"}
    _, (refused,) = examine(None, Carry, None, "ann", wire)
    assert (refused.rule, refused.about, dict(refused.facts)) == ("TOY-5", ("/at", "/to"), {"at": "a"})


def test_a_value_that_will_not_do_is_refused_by_the_clause_and_shown():
    _, (refused,) = examine(None, Walk, None, "ann", {"kind": "walk-among", "actor": "ann", "at": "a"})
    assert (refused.rule, refused.about, dict(refused.facts)) == ("TOY-2", ("/at",), {"at": "a"})
    assert examine(None, Walk, None, "ann", {"kind": "walk-among", "actor": "ann", "at": "b"})[1] == []


# -- what is worked out once -----------------------------------------------------------------------------------------


def length(t, part):
    return len(part)


def test_what_was_worked_out_for_a_seat_is_of_that_seat():
    t = Table(REGISTRY.get("zavandor"), play(5, 4).plies[20].state)
    part = {"ann": 2}
    assert [t.once(share, part, seat) for seat in ("ann", "bob", "ann")] == [2, 0, 2]


def share(t, part, seat):
    return part.get(seat, 0)


def test_what_was_worked_out_of_a_part_of_the_board_holds_for_that_part_alone():
    """A part that has changed is another part, also where it is equal to the old one or lies at the same place."""
    asked = []

    def size(t, part):
        asked.append(part)
        return len(part)

    t = Table(REGISTRY.get("zavandor"), play(5, 4).plies[20].state)
    first, twin = {"opal": 1}, {"opal": 1}
    assert [t.once(size, first), t.once(size, first), t.once(size, twin)] == [1, 1, 1]
    assert t.fork().once(size, first) == 1
    assert [id(part) for part in asked] == [id(first), id(twin)]
    # parts that nobody else keeps are kept, so that no new one is taken for them
    assert [t.once(length, {n: n for n in range(many)}) for many in range(50)] == list(range(50))
