"""The log of a record is one that a session writes: the service says where it is none.

The stranger's program agrees as far as no rules are needed.
"""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.http.kept import AT, NOW, Kept, filled, kept_app, opened
from tests.http.test_verifications import _of_a_session, checked, without


@cache
def the_app() -> Flask:
    return kept_app()


@pytest.fixture
def client() -> FlaskClient:
    return the_app().test_client()


@pytest.fixture
def session() -> Any:
    """The record of a session, with steps back in it."""
    return json.loads(_of_a_session())


def found(client: FlaskClient, record: Any) -> Any:
    answer = client.post(f"/v1/games/{record['game']}/verifications", json={"record": record})
    assert answer.status_code == 200, answer.text
    return answer.json


def kinds(record: Any, kind: str) -> list[int]:
    return [n for n, entry in enumerate(record["log"]) if entry["kind"] == kind]


def refused(client: FlaskClient, record: Any, pointer: str, tool: int = 1) -> None:
    """The service says where; what the program says, where it can see it."""
    told = found(client, record)
    assert (told["draws"], told["difference"]["why"]) == ("differ", "log")
    assert told["difference"]["pointer"] == pointer
    assert checked(record)[0] == tool


# -- by whom ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "by",
    [
        {"seat": "bob"},
        {"role": "king"},
        {"role": "host"},
        {"role": "dealer"},
        {"role": "spectator"},
        {},
        None,
        {"seat": "ann", "role": "host"},
        {"seat": "ann", "role": "seat"},
        {"seat": "ann", "role": "automated"},
        {"role": "automated"},
    ],
)
def test_an_action_was_done_by_the_seat_that_acted(client: FlaskClient, session: Any, by: Any) -> None:
    at = next(n for n in kinds(session, "act") if session["log"][n]["by"] == {"seat": "ann"})
    session["log"][at]["by"] = by
    if by is None:
        del session["log"][at]["by"]
    own = by in ({"seat": "bob"}, {"role": "host"}, {"role": "dealer"})  # they may act, and somebody else has
    refused(client, session, f"/log/{at}" + ("/actions/0" if own else "/by"))


@pytest.mark.parametrize(
    ("kind", "by"),
    [
        ("open", {"seat": "ann"}),
        ("open", {"role": "dealer"}),
        ("undo", {"role": "host"}),
        ("undo", {"seat": "ann", "role": "automated"}),
        ("rewind", {"seat": "ann"}),
        ("rewind", {"role": "dealer"}),
        ("seats", {"role": "clock"}),
        ("seats", {"role": "dealer"}),
        ("seats", {"seat": "bob"}),
    ],
)
def test_each_kind_of_version_is_made_by_who_may(
    client: FlaskClient, session: Any, kind: str, by: Any
) -> None:
    at = kinds(session, kind)[0]
    session["log"][at]["by"] = by
    misplaced = by in ({"role": "clock"}, {"seat": "bob"})  # who may change seats, though not so
    refused(client, session, f"/log/{at}/" + ("changes" if misplaced else "by"))


def test_only_one_acts_in_a_version(client: FlaskClient, session: Any) -> None:
    """Versions of several seats that were made one."""
    at = next(
        n
        for n in kinds(session, "act")
        if session["log"][n + 1]["kind"] == "act" and session["log"][n]["by"] != session["log"][n + 1]["by"]
    )
    log = session["log"]
    both = len(log[at]["actions"])
    log[at]["actions"] += log.pop(at + 1)["actions"]
    for n, entry in enumerate(log):
        entry["version"] = n + 1
        if entry.get("to", 0) > at + 1:
            entry["to"] -= 1
    refused(client, session, f"/log/{at}/actions/{both}")


def test_what_is_drawn_begins_no_version(client: FlaskClient, session: Any) -> None:
    log = session["log"]
    at = next(
        n for n in kinds(session, "act") if n > max(kinds(session, "rewind")) and len(log[n]["actions"]) > 1
    )
    drawn = log[at]["actions"][1:]
    log[at]["actions"] = log[at]["actions"][:1]
    log.insert(at + 1, {"version": 0, "kind": "act", "by": log[at]["by"], "actions": drawn})
    for n, entry in enumerate(log):
        entry["version"] = n + 1
        if entry.get("to", 0) > at + 1:
            entry["to"] += 1
    refused(client, session, f"/log/{at + 1}/actions/0")


# -- what a version has -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["act", "seats", "undo"])
def test_nothing_is_a_version_in_which_nothing_is_done(client: FlaskClient, session: Any, kind: str) -> None:
    last = len(session["log"])
    more = {"version": last + 1, "kind": kind, "by": {"seat": "ann"}, "actions": [], "changes": []}
    del more["changes" if kind == "act" else "actions"]
    if kind == "undo":
        more |= {"actions": [], "to": 1}
    session["log"].append(more)
    refused(client, session, f"/log/{last}")


def test_an_act_without_actions_stands_nowhere(client: FlaskClient, session: Any) -> None:
    last = len(session["log"])
    session["log"].append({"version": last + 1, "kind": "act", "by": {"seat": "ann"}})
    refused(client, session, f"/log/{last}")


def test_seats_change_alone(client: FlaskClient, session: Any) -> None:
    at, change = kinds(session, "act")[1], {"kind": "seat-renamed", "seat": "ann", "name": "N"}
    for changes in ([change], [], [{"kind": "seat-taken-back", "seat": "ann"}]):
        session["log"][at]["changes"] = changes
        refused(client, session, f"/log/{at}/changes")


# -- back ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["undo", "rewind"])
def test_nobody_goes_back_to_where_the_table_stands(client: FlaskClient, session: Any, kind: str) -> None:
    """The version before is the last one: such a step would change nothing, and no session makes it."""
    at = kinds(session, "act")[-1]
    by = {"seat": session["log"][at]["by"]["seat"]} if kind == "undo" else {"role": "host"}
    session["log"].insert(at, {"version": at + 1, "kind": kind, "by": by, "to": at})
    session["log"][at + 1]["version"] += 1
    refused(client, session, f"/log/{at}/to")


def test_an_undo_takes_back_the_last_action_of_its_seat(client: FlaskClient, session: Any) -> None:
    """What the host can take back, a seat cannot: others have acted, or something came out. That takes the rules."""
    at = kinds(session, "rewind")[0]
    for seat in ("ann", "bob", "cyd"):
        twin = deepcopy(session)
        twin["log"][at] |= {"kind": "undo", "by": {"seat": seat}}
        refused(client, twin, f"/log/{at}", tool=0)


def test_an_undo_goes_back_no_further_than_one_action(client: FlaskClient, session: Any) -> None:
    """Two quiet actions of one seat, of which it takes back the later one."""
    log = session["log"]
    at = next(
        n
        for n in kinds(session, "undo")
        if n > 20
        and all(e["kind"] == "act" and len(e["actions"]) == 1 for e in log[n - 2 : n])
        and log[n - 2]["by"] == log[n - 1]["by"] == log[n]["by"]
    )
    log[at]["to"] -= 1
    again = {**deepcopy(log[at - 2]), "version": at + 2}
    log.insert(at + 1, again)
    for n, entry in enumerate(log):
        entry["version"] = n + 1
        if n > at + 1 and entry.get("to", 0) > at + 1:
            entry["to"] += 1
    refused(client, session, f"/log/{at}/to", tool=0)


def test_a_rewind_for_an_undo_is_what_a_host_may_do(client: FlaskClient, session: Any) -> None:
    """That it was the seat's own wish, no record shows."""
    at = kinds(session, "undo")[0]
    session["log"][at] |= {"kind": "rewind", "by": {"role": "host"}}
    assert found(client, session)["draws"] == "match"
    assert checked(session)[0] == 0


# -- seats --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "seat-renamed", "seat": "zed", "name": "N"},
        {"kind": "seat-renamed", "seat": "ann"},
        {"kind": "seat-renamed", "seat": "ann", "name": 7},
        {"kind": "seat-renamed", "seat": ["ann"], "name": "N"},
        {"kind": "seat-renamed", "seat": {}, "name": "N"},
        {"kind": "seat-crowned", "seat": "ann"},
        {"kind": ["seat-left"], "seat": "ann"},
        {"kind": "act", "seat": "ann"},
        {"kind": "seat-taken-back", "seat": "ann"},
        {"kind": "seat-left", "seat": "ann"},
        {"kind": "timed-out", "seat": "ann", "at": "2030-01-01T00:00:00.000Z", "then": "end"},
        {"kind": "seat-invited", "seat": "ann", "token": "x"},
        {},
    ],
)
def test_the_host_changes_seats_as_he_can(client: FlaskClient, session: Any, change: Any) -> None:
    at = kinds(session, "seats")[0]
    session["log"][at]["changes"] = [change]
    refused(client, session, f"/log/{at}/changes")


def after_an_opening(record: Any, *entries: Any) -> Any:
    """The record with these versions after its opening."""
    twin = deepcopy(record)
    twin["log"][1:1] = [deepcopy(entry) for entry in entries]
    for n, entry in enumerate(twin["log"]):
        entry["version"] = n + 1
        if "to" in entry:
            entry["to"] += len(entries)
    return twin


def changes(kind: str, **by: str) -> Any:
    return {"kind": "seats", "by": by, "changes": [{"kind": kind, "seat": "ann"}]}


def test_who_has_left_does_nothing_until_the_seat_is_claimed(client: FlaskClient, session: Any) -> None:
    left, claimed = changes("seat-left", seat="ann"), changes("seat-claimed", seat="ann")
    invited = changes("seat-invited", role="host")
    refused(client, after_an_opening(session, left), "/log/2/by")
    refused(client, after_an_opening(session, left, invited), "/log/3/by")
    for entries in ((left, invited, claimed), (invited, left, claimed), (invited, claimed)):
        whole = after_an_opening(session, *entries)
        assert found(client, whole)["draws"] == "match"
        assert checked(whole)[0] == 0


def test_a_seat_is_claimed_by_an_invitation_once(client: FlaskClient, session: Any) -> None:
    claimed, invited = changes("seat-claimed", seat="ann"), changes("seat-invited", role="host")
    refused(client, after_an_opening(session, invited, claimed, claimed), "/log/3/changes")
    renamed = {**changes("", seat="ann"), "changes": [{"kind": "seat-renamed", "seat": "ann", "name": "A"}]}
    refused(client, after_an_opening(session, renamed, claimed), "/log/2/changes")
    alone = after_an_opening(
        session, claimed
    )  # by an invitation of the opening: then nobody held the others either
    bob = next(n for n, entry in enumerate(alone["log"]) if entry["by"] == {"seat": "bob"})
    refused(client, alone, f"/log/{bob}/by")


def test_when_the_clock_has_ended_the_session_nobody_acts(client: FlaskClient, session: Any) -> None:
    at = kinds(session, "seats")[0]
    late = {"kind": "timed-out", "seat": "ann", "at": "2030-01-01T00:00:00.000Z", "then": "end"}
    session["log"][at] |= {"by": {"role": "clock"}, "changes": [late]}
    refused(client, session, f"/log/{at + 1}/by")
    session["log"][at]["changes"] = [{**late, "then": "nothing"}]
    assert found(client, session)["draws"] == "match"
    assert checked(session)[0] == 0


# -- the clock -----------------------------------------------------------------------------------------------------


def inserted(record: Any, at: int, *entries: Any) -> Any:
    """The record with these versions after version `at`."""
    twin = deepcopy(record)
    twin["log"][at:at] = [deepcopy(entry) for entry in entries]
    for n, entry in enumerate(twin["log"]):
        entry["version"] = n + 1
        if entry.get("to", 0) >= at:
            entry["to"] += len(entries)
    return twin


def late(*seats: str, then: str = "nothing", at: Any = "2030-01-01T00:00:00.000Z") -> Any:
    told = [{"kind": "timed-out", "seat": seat, "at": at, "then": then} for seat in seats]
    return {"kind": "seats", "by": {"role": "clock"}, "changes": told}


def holds(client: FlaskClient, record: Any) -> None:
    assert found(client, record)["draws"] == "match", found(client, record)
    assert checked(record)[0] == 0


def test_only_who_is_asked_is_late(client: FlaskClient, session: Any) -> None:
    """After the opening ann is asked. That takes the rules."""
    assert session["log"][1]["by"] == {"seat": "ann"}
    holds(client, inserted(session, 1, late("ann")))
    for seats in (("bob",), ("cyd",), ("ann", "bob", "cyd")):
        refused(client, inserted(session, 1, late(*seats)), "/log/1/changes", tool=0)
    last = len(session["log"])
    for then in ("nothing", "end"):
        refused(client, inserted(session, last, late("ann", then=then)), f"/log/{last}/changes", tool=0)


def test_who_is_late_is_told_so_once(client: FlaskClient, session: Any) -> None:
    """Until others are asked or somebody goes back."""
    assert [entry["kind"] for entry in session["log"][:3]] == ["open", "act", "undo"]
    refused(client, inserted(session, 1, late("ann"), late("ann")), "/log/2/changes", tool=0)
    once = inserted(session, 1, late("ann"))
    refused(client, inserted(once, 3, late("ann")), "/log/3/changes", tool=0)  # it was her own action
    holds(client, inserted(once, 4, late("ann")))
    bys = [entry["by"].get("seat") for entry in once["log"]]
    bob = bys.index("bob")
    again = next(n for n in range(bob, len(bys)) if bys[n] == "ann" and once["log"][n]["kind"] == "act")
    holds(client, inserted(once, again, late("ann")))


def test_who_plays_by_himself_is_not_late(client: FlaskClient, session: Any) -> None:
    on, off = changes("seat-automated", role="host"), changes("seat-taken-back", role="host")
    refused(client, inserted(session, 1, on, late("ann"), off), "/log/2/changes")
    holds(client, inserted(session, 1, late("ann"), on, off, late("ann")))


def test_nobody_is_late_where_a_draw_is_due(client: FlaskClient, session: Any) -> None:
    at = next(n for n in kinds(session, "act") if len(session["log"][n]["actions"]) > 1)
    cut = without(session, "digest", "odds", "complete", "chance")
    cut["log"] = [*session["log"][:at], {**session["log"][at], "actions": session["log"][at]["actions"][:1]}]
    went_back = max(n for n in range(at) if session["log"][n]["kind"] != "act")
    assert session["log"][went_back]["to"] == 1
    cut["log"] = inserted({"log": cut["log"]}, at + 1, late("ann", then="end"))["log"]
    standing = [cut["log"][0], *cut["log"][went_back + 1 : at + 1]]
    cut["actions"] = [action for entry in standing for action in entry["actions"]]
    refused(client, cut, f"/log/{at + 1}/changes", tool=2)


@pytest.mark.parametrize(
    "at",
    [
        "banana",
        "",
        "2030-01-01",
        "2030-13-01T00:00:00.000Z",
        "2030-01-01T00:00:00Z",
        7,
        "٢030-01-01T00:00:00.000Z",
    ],
)
def test_a_moment_is_told_as_sessions_tell_it(client: FlaskClient, session: Any, at: Any) -> None:
    refused(client, inserted(session, 1, late("ann", at=at)), "/log/1/changes")


@pytest.mark.parametrize("name", ["x" * 201, "a\u0000b", "a\n", "ann's", 7])
def test_a_seat_gets_another_name_that_is_one(client: FlaskClient, session: Any, name: Any) -> None:
    by = {"kind": "seats", "by": {"role": "host"}}
    first = {**by, "changes": [{"kind": "seat-renamed", "seat": "ann", "name": "ann's"}]}
    then = {**by, "changes": [{"kind": "seat-renamed", "seat": "ann", "name": name}]}
    holds(client, inserted(session, 1, first))
    refused(client, inserted(session, 1, first, then), "/log/2/changes")
    claimed = {"kind": "seats", "by": {"seat": "ann"}, "changes": [{"kind": "seat-claimed", "seat": "ann"}]}
    claimed["changes"][0]["name"] = name
    invited = inserted(session, 1, first, changes("seat-invited", role="host"), claimed)
    if name == "ann's":  # whoever claims a seat may like the name that it has
        holds(client, invited)
    else:
        refused(client, invited, "/log/3/changes")


def test_the_prudent_player_acts_where_there_is_one_and_anything_to_do(
    client: FlaskClient, session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    on, off = changes("seat-automated", role="host"), changes("seat-taken-back", role="host")
    last, by_clock = len(session["log"]), late("ann", then="automate")
    refused(client, inserted(session, last, on), f"/log/{last}/changes", tool=0)
    for first in (on, by_clock):
        holds(client, inserted(session, 1, first, off))
    monkeypatch.setattr(the_app().extensions["arbitr"].registry.get("harbour"), "prudent", None)
    for first in (on, by_clock):
        refused(client, inserted(session, 1, first, off), "/log/1/changes", tool=0)


def test_the_clock_begins_when_all_seats_are_taken(client: FlaskClient) -> None:
    toy = _toy(client, invitations=True)
    assert [entry["kind"] for entry in toy["log"][:4]] == ["open", "seats", "seats", "act"]
    asked = toy["log"][3]["by"]["seat"]
    holds(client, inserted(toy, 3, late(asked)))
    refused(client, inserted(toy, 2, late(asked)), "/log/2/changes")
    refused(client, inserted(toy, 1, late(asked)), "/log/2/changes")


def _toy(client: FlaskClient, **more: Any) -> Any:
    """The record of a game of the toy, which no prudent player knows."""
    setup = {"game": "toy", "seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"seed": "7"}, **more}
    kept = Kept(client, client.post(AT, json=setup).json)
    for seat, invitation in kept.opened.get("invitations", {}).items():
        claim = {"Authorization": f"Bearer {invitation}"}
        answer = client.post(f"{AT}/{kept.id}/seats/{seat}/claim", json={}, headers=claim)
        kept.opened["tokens"]["seats"][seat] = answer.json["token"]
    return _finished(kept)


def _finished(kept: Kept) -> Any:
    for n in range(200):
        told = kept.get("spectator").json
        if not told["decisions"]:
            break
        options = kept.options(told["decisions"][0]["actor"])
        kept.done(filled(options[n % len(options)]))
    return kept.get("role:host", "/record").json


@pytest.mark.parametrize("per", ["turn", "bank"])
def test_what_the_clock_of_a_session_writes_verifies(per: str) -> None:
    app, now = kept_app(), [NOW]
    held = app.extensions["arbitr"]
    held.desk = replace(held.desk, now=lambda: now[0])
    clock = {"per": per, "seconds": 50, "on_timeout": "nothing"}
    kept = opened(app.test_client(), "toy", clock=clock)
    for n in range(60):
        actor = kept.actor if kept.get("spectator").json["decisions"] else None
        if actor is None:
            break
        if n % 3 == 0:
            now[0] += 60
            kept.get("spectator")
        options = kept.options(actor)
        kept.done(filled(options[n % len(options)]))
        if n % 4 == 1:
            kept.post(actor, "/undo", {})
        if n % 9 == 5:
            kept.post("role:host", "/rewind", {"to": kept.version - 3})
    record = _finished(kept)
    assert sum(c["kind"] == "timed-out" for e in record["log"] for c in e.get("changes", ())) >= 2
    holds(kept.client, record)


# -- how it begins -------------------------------------------------------------------------------------------------


def test_a_game_that_begins_with_a_state_is_opened_as_it_stands(client: FlaskClient) -> None:
    setup = {"seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"seed": "7"}}
    begun = client.post("/v1/games/toy/states", json=setup).json
    kept = Kept(client, client.post(AT, json={"game": "toy", "state": begun["state"]}).json)
    record = _finished(kept)
    assert record["log"][0]["actions"] == []
    holds(client, record)
    log = record["log"]
    drawn = next(n for n, e in enumerate(log) if e["kind"] == "act" and len(e["actions"]) > 1)
    assert drawn
    log[0]["actions"] = [action for entry in log[1:] for action in entry["actions"]]
    del log[1:]
    refused(client, record, "/log/0/actions/0")


def test_true_is_not_one_to_the_program(session: Any) -> None:
    log = session["log"][-1]["actions"]
    log[0]["n"] = session["actions"][-len(log)]["n"] = 1
    assert log[0]["actor"] != "chance"
    assert checked(session)[0] == 0
    log[0]["n"] = True
    assert checked(session) == (1, "differ: the log does not lead to the actions\n")


# -- people draw, and prudent players ------------------------------------------------------------------------------


@cache
def _played(mode: str) -> str:
    """A whole game with seats that play by themselves from the beginning and by the host's word, and steps back."""
    client = the_app().test_client()
    setup = {
        "game": "harbour",
        "seats": [{"id": "ann"}, {"id": "bob"}, {"id": "cyd", "automated": True}],
        "chance": {"mode": "given"} if mode == "given" else {},
    }
    kept = Kept(client, client.post(AT, json=setup).json)
    for n in range(500):
        told = kept.get("spectator").json
        if not told["decisions"]:
            return json.dumps(kept.get("role:host", "/record").json)
        decision = told["decisions"][0]
        who = decision["actor"]
        if who == "chance":
            by = decision["answered_by"]
            who = by["seats"][0] if "seats" in by else f"role:{by['roles'][n % len(by['roles'])]}"
        options = [o for o in kept.options(who) if o["actor"] == decision["actor"]]
        kept.act(filled(options[n % len(options)]), who)  # what lies elsewhere is refused where it is given
        if n % 12 == 5:
            at = f"{AT}/{kept.id}/seats/bob/"
            kept.client.post(at + "automate", json={}, headers=kept.headers("role:host"))
            kept.client.post(at + "take-back", json={}, headers=kept.headers("bob"))
        if n % 4 == 3:
            kept.post("ann", "/undo", {})
        if n in (10, 30):
            kept.post("role:host", "/rewind", {"to": kept.version - 3})
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("mode", "draws", "code"), [("seeded", "match", 0), ("given", "unknown", 2)])
def test_what_a_session_writes_verifies(client: FlaskClient, mode: str, draws: str, code: int) -> None:
    record = json.loads(_played(mode))
    told = found(client, record)
    assert (told["verdict"], told["draws"]) == ("valid", draws), told
    assert checked(record)[0] == code
    bys = {tuple(sorted(entry["by"])) for entry in record["log"]}
    assert bys == {("role",), ("seat",), ("role", "seat")}
    assert {"undo", "rewind", "seats"} <= {entry["kind"] for entry in record["log"]}


def test_where_people_draw_the_log_is_looked_at_as_well(client: FlaskClient) -> None:
    record = json.loads(_played("given"))
    at = next(n for n in kinds(record, "act") if record["log"][n]["by"] == {"seat": "ann"})
    record["log"][at]["by"] = {"role": "king"}
    refused(client, record, f"/log/{at}/by")


def test_what_is_hidden_is_answered_by_who_sees_it(client: FlaskClient) -> None:
    record = json.loads(_played("given"))
    dealt = [n for n in kinds(record, "act") if record["log"][n]["actions"][0]["actor"] == "chance"]
    own = next(n for n in dealt if "seat" in record["log"][n]["by"])
    others = {"ann", "bob", "cyd"} - {record["log"][own]["by"]["seat"]}
    wrong = 0
    for seat in sorted(others):
        twin = deepcopy(record)
        twin["log"][own]["by"] = {"seat": seat}
        told = found(client, twin)
        wrong += told["draws"] == "differ" and told["difference"]["pointer"] == f"/log/{own}/by"
    assert wrong == len(others)
    twin = deepcopy(record)
    twin["log"][own]["by"] = {"role": "host"}
    refused(client, twin, f"/log/{own}/by", tool=2)


def test_the_dealer_answers_what_is_hidden_where_nobody_sits(client: FlaskClient) -> None:
    record = json.loads(_played("given"))
    log, playing = record["log"], {"cyd"}
    own = next(
        n
        for n in kinds(record, "act")
        if log[n]["actions"][0]["actor"] == "chance" and log[n]["by"].get("seat") in ("ann", "bob")
    )
    seat = log[own]["by"]["seat"]
    assert seat not in playing
    assert log[own].get("changes") is None
    twin = deepcopy(record)
    twin["log"][own]["by"] = {"role": "dealer"}
    refused(client, twin, f"/log/{own}/by", tool=2)
    on, off = (
        {"kind": "seats", "by": {"role": "host"}, "changes": [{"kind": k, "seat": seat}]}
        for k in ("seat-automated", "seat-taken-back")
    )
    twin = inserted(inserted(twin, own + 1, off), own, on)
    assert found(client, twin)["draws"] == "unknown"
    assert "difference" not in found(client, twin)


def test_the_prudent_player_acts_where_it_was_let(client: FlaskClient) -> None:
    record = json.loads(_played("seeded"))
    log = record["log"]
    acts = [n for n in kinds(record, "act") if log[n]["by"].get("role") == "automated"]
    assert acts
    twin = deepcopy(record)
    twin["log"][acts[0]]["by"] = {"seat": "bob"}  # then bob would have taken his seat back with it
    refused(client, twin, f"/log/{acts[0]}/changes")
    on = next(n for n in kinds(record, "seats") if log[n]["changes"][0]["kind"] == "seat-automated")
    twin = deepcopy(record)
    twin["log"][on]["changes"][0] = {"kind": "seat-invited", "seat": "bob"}
    later = next(n for n in range(on, len(log)) if log[n]["by"].get("role") == "automated")
    off = next(n for n in kinds(record, "seats") if n > on)
    told = found(client, twin)
    assert told["difference"]["pointer"] in (f"/log/{later}/by", f"/log/{off}/changes")


def test_it_is_said_which_way_in_both_languages(client: FlaskClient, session: Any) -> None:
    at = kinds(session, "rewind")[0]
    session["log"][at]["by"] = {"seat": "ann"}
    said = {
        client.post(
            "/v1/games/harbour/verifications", json={"record": session}, headers={"Accept-Language": spoken}
        ).json["difference"]["message"]
        for spoken in ("en", "cs")
    }
    assert len(said) == 2


def test_the_toy_of_two_seats_verifies_with_undo_and_rewind(client: FlaskClient) -> None:
    kept = opened(client, "toy")
    for n in range(200):
        told = kept.get("spectator").json
        if not told["decisions"]:
            break
        actor = told["decisions"][0]["actor"]
        options = kept.options(actor)
        kept.done(filled(options[n % len(options)]))
        if n % 3 == 0:
            kept.post(actor, "/undo", {})
    record = kept.get("role:host", "/record").json
    assert found(client, record)["draws"] == "match"
    assert checked(record)[0] == 0


def test_a_session_of_invited_people_verifies(client: FlaskClient) -> None:
    setup = {
        "game": "toy",
        "seats": [{"id": "ann"}, {"id": "bob"}],
        "chance": {"seed": "7"},
        "invitations": True,
    }
    kept = Kept(client, client.post(AT, json=setup).json)
    for seat, invitation in kept.opened["invitations"].items():
        claim = {"Authorization": f"Bearer {invitation}"}
        answer = client.post(f"{AT}/{kept.id}/seats/{seat}/claim", json={"name": "N"}, headers=claim)
        kept.opened["tokens"]["seats"][seat] = answer.json["token"]
    client.post(f"{AT}/{kept.id}/seats/bob/leave", json={}, headers=kept.headers("bob"))
    client.post(f"{AT}/{kept.id}/seats/bob/automate", json={}, headers=kept.headers("role:host"))
    asked = client.post(f"{AT}/{kept.id}/seats/bob/invite", json={}, headers=kept.headers("role:host"))
    claim = {"Authorization": f"Bearer {asked.json['invitation']}"}
    answer = client.post(f"{AT}/{kept.id}/seats/bob/claim", json={}, headers=claim)
    kept.opened["tokens"]["seats"]["bob"] = answer.json["token"]
    for n in range(200):
        told = kept.get("spectator").json
        if not told["decisions"]:
            break
        options = kept.options(told["decisions"][0]["actor"])
        kept.done(filled(options[n % len(options)]))
    record = kept.get("role:host", "/record").json
    assert [e["changes"][0]["kind"] for e in record["log"] if e["kind"] == "seats"].count("seat-claimed") == 3
    assert found(client, record)["draws"] == "match"
    assert checked(record)[0] == 0
