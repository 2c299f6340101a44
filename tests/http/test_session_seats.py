"""Seats that come and go: invitations, names, who leaves, and what stays secret meanwhile."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.http.conftest import faults, problem
from tests.http.kept import AT, Kept, filled, kept_app, opened

END = {"kind": "end-turn", "actor": "ann"}
HELD = {"name": "", "held": True, "invited": False, "automated": False}


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def seats(kept: Kept) -> Any:
    return kept.get("spectator", "/seats").json["session"]["seats"]


def change(kept: Kept, who: str, seat: str, what: str, body: Any = None) -> Any:
    """A change of a seat, which names no version."""
    at = f"{AT}/{kept.id}/seats/{seat}/{what}"
    return kept.client.post(at, json=body or {}, headers=kept.headers(who))


def changed(kept: Kept, who: str, seat: str, what: str, body: Any = None) -> Any:
    answer = change(kept, who, seat, what, body)
    assert answer.status_code == 200, answer.text
    return answer.json


def claim(kept: Kept, seat: str, invitation: str, body: Any = None) -> Any:
    at = f"{AT}/{kept.id}/seats/{seat}/claim"
    return kept.client.post(at, json=body or {}, headers={"Authorization": f"Bearer {invitation}"})


def seated(kept: Kept, seat: str, token: str) -> Kept:
    """The same session for whoever has this token of a seat."""
    tokens = kept.opened["tokens"]
    mine = {**tokens, "seats": {**tokens["seats"], seat: token}}
    return Kept(kept.client, {**kept.opened, "tokens": mine})


def told(kept: Kept, after: int = 1) -> Any:
    return kept.get("spectator", f"/events?after={after}").json["events"]


# -- opening ------------------------------------------------------------------------------------------------------


def test_who_opens_a_session_has_the_tokens_of_all_seats(kept: Kept) -> None:
    assert set(kept.opened["tokens"]["seats"]) == {"ann", "bob"}
    assert "invitations" not in kept.opened
    assert kept.opened["session"]["seats"] == seats(kept) == {"ann": HELD, "bob": HELD}


def test_a_session_may_be_opened_with_invitations_alone(client: FlaskClient) -> None:
    kept = opened(client, invitations=True)
    assert kept.opened["tokens"]["seats"] == {}
    assert set(kept.opened["invitations"]) == {"ann", "bob"}
    assert seats(kept)["ann"] == {"name": "", "held": False, "invited": True, "automated": False}
    ann = claim(kept, "ann", kept.opened["invitations"]["ann"], {"name": "Anna"}).json
    assert ann["session"]["seats"]["ann"] == {**HELD, "name": "Anna"}
    assert seated(kept, "ann", ann["token"]).done(END)["decisions"][0]["actor"] == "bob"


def test_a_game_that_stands_is_opened_with_invitations_too(client: FlaskClient) -> None:
    state = client.post(
        "/v1/games/toy/states", json={"seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"seed": "7"}}
    )
    body = {"game": "toy", "state": state.json["state"], "seal": state.json["seal"], "invitations": True}
    answer = client.post(AT, json=body)
    assert answer.status_code == 201
    assert set(answer.json["invitations"]) == {"ann", "bob"}


def test_what_is_automated_since_the_set_up_needs_no_invitation(client: FlaskClient) -> None:
    given = [{"id": "ann"}, {"id": "bob", "automated": True}]
    answer = client.post(AT, json={"game": "toy", "seats": given, "invitations": True})
    assert set(answer.json["invitations"]) == {"ann"}
    assert answer.json["session"]["seats"]["bob"] == {**HELD, "automated": True}


# -- invitations --------------------------------------------------------------------------------------------------


def test_an_invitation_turns_into_the_token_of_the_seat(kept: Kept) -> None:
    invited = changed(kept, "host", "ann", "invite")
    assert invited["session"]["version"] == 2
    assert seats(kept)["ann"] == {**HELD, "invited": True}
    assert kept.get("ann").status_code == 200, "until somebody comes, who sits there stays"
    claimed = claim(kept, "ann", invited["invitation"]).json
    assert (claimed["seat"], claimed["session"]["version"]) == ("ann", 3)
    assert seats(kept)["ann"] == HELD
    problem(kept.get("ann"), 404, "unknown-session")
    problem(kept.act(END), 404, "unknown-session")
    new = seated(kept, "ann", claimed["token"])
    assert new.get("ann").json["view"]["table"]["seats"]["ann"]["hand"] == {"plum": 1}
    assert [e["kind"] for e in told(kept)] == ["seat-invited", "seat-claimed"]
    assert [e["by"] for e in told(kept)] == [{"role": "host"}, {"seat": "ann"}]
    assert all(e["seat"] == "ann" and e["text"] for e in told(kept))


def test_an_invitation_is_good_once_and_for_its_seat_alone(kept: Kept) -> None:
    invitation = changed(kept, "host", "ann", "invite")["invitation"]
    problem(claim(kept, "bob", invitation), 404, "unknown-session")
    problem(claim(kept, "nobody", invitation), 404, "unknown-session")
    assert claim(kept, "ann", invitation).status_code == 200
    problem(claim(kept, "ann", invitation), 404, "unknown-session")
    other = opened(kept.client)
    problem(claim(other, "ann", changed(kept, "host", "ann", "invite")["invitation"]), 404, "unknown-session")


def test_a_later_invitation_replaces_the_one_before(kept: Kept) -> None:
    first, second = (changed(kept, "host", "ann", "invite")["invitation"] for _ in range(2))
    problem(claim(kept, "ann", first), 404, "unknown-session")
    assert claim(kept, "ann", second).status_code == 200


def test_a_host_who_takes_a_held_seat_sees_its_hand_and_everybody_sees_that(client: FlaskClient) -> None:
    kept = opened(client, invitations=True)
    tokens = {s: claim(kept, s, i).json["token"] for s, i in kept.opened["invitations"].items()}
    ann, bob = (seated(kept, seat, tokens[seat]) for seat in ("ann", "bob"))

    def hand(who: str, of: Kept) -> Any:
        return of.get(who).json["view"]["table"]["seats"]["ann"]["hand"]

    assert isinstance(hand("role:host", kept), int), "how many cards, and no more"
    before = kept.version
    invitation = changed(kept, "role:host", "ann", "invite")["invitation"]
    taken = seated(kept, "ann", claim(kept, "ann", invitation).json["token"])
    assert isinstance(hand("ann", taken), dict)
    problem(ann.get("ann"), 404, "unknown-session")
    seen = bob.get("bob", f"/events?after={before}").json["events"]
    assert [(e["kind"], e["by"], e["seat"]) for e in seen] == [
        ("seat-invited", {"role": "host"}, "ann"),
        ("seat-claimed", {"seat": "ann"}, "ann"),
    ]


def test_a_holder_does_not_replace_what_the_host_has_given(kept: Kept) -> None:
    given = changed(kept, "host", "ann", "invite")["invitation"]
    own = changed(kept, "ann", "ann", "hand-over")["invitation"]
    other = changed(kept, "ann", "ann", "hand-over")["invitation"]
    problem(claim(kept, "ann", own), 404, "unknown-session")
    assert claim(kept, "ann", given).status_code == 200
    problem(claim(kept, "ann", other), 404, "unknown-session")
    assert not seats(kept)["ann"]["invited"], "with the seat all invitations to it are used up"


def test_the_host_replaces_what_a_holder_has_given(kept: Kept) -> None:
    own = changed(kept, "ann", "ann", "hand-over")["invitation"]
    given = changed(kept, "host", "ann", "invite")["invitation"]
    problem(claim(kept, "ann", own), 404, "unknown-session")
    assert claim(kept, "ann", given).status_code == 200


def test_an_invitation_lets_nobody_look_and_a_token_claims_nothing(kept: Kept) -> None:
    invitation = changed(kept, "host", "ann", "invite")["invitation"]
    for path in ("", "/options", "/events", "/record", "/seats"):
        answer = kept.client.get(f"{AT}/{kept.id}{path}", headers={"Authorization": f"Bearer {invitation}"})
        problem(answer, 404, "unknown-session")
    for who in ("ann", "host", "dealer", "spectator"):
        problem(claim(kept, "ann", kept.token(who)), 404, "unknown-session")


def test_of_two_that_claim_a_seat_at_once_one_gets_it(kept: Kept) -> None:
    invitation = changed(kept, "host", "ann", "invite")["invitation"]
    start, answers = threading.Barrier(6), []

    def take() -> None:
        mine = Kept(kept.client.application.test_client(), kept.opened)
        start.wait()
        answers.append(claim(mine, "ann", invitation))

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(a.status_code for a in answers) == [200, 404, 404, 404, 404, 404]
    (won,) = (a.json["token"] for a in answers if a.status_code == 200)
    assert seated(kept, "ann", won).get("ann").status_code == 200
    assert [e["kind"] for e in told(kept)] == ["seat-invited", "seat-claimed"]


def test_who_read_before_the_claim_and_commits_after_it_is_nobody(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that is under way when its token dies does not come after all."""
    invitation = changed(kept, "host", "ann", "invite")["invitation"]
    store = kept.client.application.extensions["arbitr"].store
    sound = store.commit

    def commit(*given: Any) -> Any:
        monkeypatch.setattr(store, "commit", sound)
        assert claim(kept, "ann", invitation).status_code == 200
        return sound(*given)

    monkeypatch.setattr(store, "commit", commit)
    problem(kept.act(END, version=2), 404, "unknown-session")
    assert kept.version == 3
    assert kept.actor == "ann"


def test_a_seat_is_handed_over_by_its_holder(kept: Kept) -> None:
    given = changed(kept, "bob", "bob", "hand-over")
    assert kept.get("bob").status_code == 200
    claimed = claim(kept, "bob", given["invitation"], {"name": "Bára"}).json
    problem(kept.get("bob"), 404, "unknown-session")
    assert seated(kept, "bob", claimed["token"]).get("bob").json["view"]["seat"] == "bob"
    assert [(e["kind"], e.get("name")) for e in told(kept)] == [
        ("seat-offered", None),
        ("seat-claimed", "Bára"),
    ]


# -- names and leaving --------------------------------------------------------------------------------------------


def test_a_seat_gets_another_name(kept: Kept) -> None:
    answer = changed(kept, "ann", "ann", "rename", {"name": "Žofie"})
    assert answer["session"]["seats"]["ann"]["name"] == "Žofie"
    assert kept.get("bob").json["view"]["seats"][0]["name"] == "Žofie"
    assert kept.done(END)["view"]["seats"][0]["name"] == "Žofie"
    assert "Žofie" in told(kept)[0]["text"]
    assert changed(kept, "host", "ann", "rename", {"name": ""})["session"]["seats"]["ann"]["name"] == ""


def test_a_name_that_the_seat_has_makes_no_version(kept: Kept) -> None:
    assert changed(kept, "ann", "ann", "rename", {"name": "A"})["session"]["version"] == 2
    assert changed(kept, "ann", "ann", "rename", {"name": "A"})["session"]["version"] == 2


@pytest.mark.parametrize(
    "name", ["a\nb", "\u202eevil", "x" * 201, 7, None, "\u2028", "\x7f"], ids=lambda name: repr(name)[:12]
)
def test_a_name_that_could_be_mistaken_for_something_else_is_refused(kept: Kept, name: Any) -> None:
    answer = change(kept, "ann", "ann", "rename", {"name": name})
    problem(answer, 400, "off-schema")
    assert list(faults(answer)) == ["/name"]
    invitation = changed(kept, "host", "bob", "invite")["invitation"]
    problem(claim(kept, "bob", invitation, {"name": name}), 400, "off-schema")
    assert claim(kept, "bob", invitation).status_code == 200, "a refused claim uses nothing up"


def test_names_are_never_read_as_templates(kept: Kept) -> None:
    changed(kept, "ann", "ann", "rename", {"name": "{seat.__class__} {0} {"})
    assert "{seat.__class__} {0} {" in told(kept)[0]["text"]


def test_who_leaves_is_nobody_and_the_host_finds_another(kept: Kept) -> None:
    changed(kept, "ann", "ann", "leave")
    assert seats(kept)["ann"] == {"name": "", "held": False, "invited": False, "automated": False}
    problem(kept.get("ann"), 404, "unknown-session")
    invitation = changed(kept, "host", "ann", "invite")["invitation"]
    claimed = claim(kept, "ann", invitation).json
    assert seated(kept, "ann", claimed["token"]).done(END)["session"]["version"] == 5
    assert [e["kind"] for e in told(kept)][:3] == ["seat-left", "seat-invited", "seat-claimed"]


# -- who may ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "may"),
    [
        ("invite", {"host"}),
        ("hand-over", {"ann"}),
        ("rename", {"ann", "host"}),
        ("leave", {"ann"}),
        ("automate", {"host"}),
        ("take-back", {"ann", "host"}),
    ],
)
def test_each_change_is_for_those_who_may(client: FlaskClient, what: str, may: set[str]) -> None:
    for who in ("ann", "bob", "host", "dealer", "spectator"):
        kept = opened(client)
        answer = change(kept, who, "ann", what, {"name": "A"} if what == "rename" else {})
        assert (answer.status_code == 200) == (who in may), (who, answer.text)
        if who not in may:
            problem(answer, 403, "not-allowed")


def test_a_seat_that_is_not_there(kept: Kept) -> None:
    for what in ("invite", "automate", "take-back"):
        found = problem(change(kept, "host", "zoe", what), 404, "no-such-seat")
        assert "ann, bob" in found["detail"]
    problem(change(kept, "ann", "zoe", "leave"), 404, "no-such-seat")


def test_a_change_asks_for_no_version_and_takes_no_body_too(kept: Kept) -> None:
    answer = kept.client.post(f"{AT}/{kept.id}/seats/ann/leave", headers=kept.headers("ann"))
    assert answer.status_code == 200
    problem(change(kept, "host", "ann", "invite", {"hat": 1}), 400, "off-schema")
    problem(kept.client.post(f"{AT}/{kept.id}/seats/ann/invite", json={}), 401, "no-token")


# -- the table stands still ---------------------------------------------------------------------------------------


def test_a_change_of_seats_makes_no_action_stale(kept: Kept) -> None:
    changed(kept, "bob", "bob", "rename", {"name": "Bob"})
    changed(kept, "host", "bob", "invite")
    assert kept.version == 3
    answer = kept.act(END, version=1)
    assert answer.status_code == 201
    assert answer.json["session"]["version"] == 4
    again = kept.act({**END, "actor": "bob"}, version=3)
    problem(again, 412, "stale-version")
    changed(kept, "bob", "bob", "rename", {"name": "B"})
    problem(kept.act({**END, "actor": "bob"}, version=3), 412, "stale-version")
    assert kept.act({**END, "actor": "bob"}, version=4).status_code == 201


def test_an_undo_takes_back_the_action_and_no_change_of_seats(client: FlaskClient) -> None:
    kept = opened(client, "zavandor")
    actor, other = kept.actor, "bob" if kept.actor == "ann" else "ann"
    before = kept.get(actor).json["view"]["table"]
    changed(kept, "host", other, "rename", {"name": "Before"})
    kept.done(filled(kept.options(actor)[0]))
    changed(kept, "host", actor, "rename", {"name": "After"})
    back = kept.post(actor, "/undo", {}, version=3)
    assert back.status_code == 201, "what was made for the version before is made for this one"
    assert back.json["view"]["table"] == before
    assert {s["id"]: s["name"] for s in back.json["view"]["seats"]} == {actor: "After", other: "Before"}


def test_a_rewind_past_changes_of_seats_leaves_them(kept: Kept) -> None:
    kept.done(END)
    changed(kept, "host", "ann", "rename", {"name": "Anna"})
    claimed = claim(kept, "bob", changed(kept, "host", "bob", "invite")["invitation"]).json
    back = kept.post("host", "/rewind", {"to": 1}).json
    assert back["session"]["seats"]["ann"]["name"] == "Anna"
    problem(kept.get("bob"), 404, "unknown-session")
    assert seated(kept, "bob", claimed["token"]).get("bob").status_code == 200
    assert kept.get("spectator").json["decisions"][0]["actor"] == "ann"
    there = kept.post("host", "/rewind", {"to": 4})
    assert there.status_code == 201, "a version of a change of seats can be gone back to"
    assert there.json["decisions"][0]["actor"] == "bob"


def test_pages_of_the_log_that_begin_with_a_change_of_seats(kept: Kept) -> None:
    """Every 64 versions an entry holds its state, whatever it tells."""
    for n in range(140):
        changed(kept, "host", "ann", "rename", {"name": f"A{n}"})
    kept.done(END)
    back = kept.post("host", "/rewind", {"to": 100}).json
    assert back["decisions"][0]["actor"] == "ann"
    assert back["session"]["seats"]["ann"]["name"] == "A139"


# -- secrets ------------------------------------------------------------------------------------------------------


def test_invitations_and_new_tokens_are_kept_as_digests_alone_and_told_to_nobody() -> None:
    app = kept_app()
    kept = opened(app.test_client(), invitations=True)
    secret = [*kept.opened["invitations"].values()]
    ann = claim(kept, "ann", secret[0]).json["token"]
    bob = claim(kept, "bob", secret[1]).json["token"]
    new = seated(seated(kept, "ann", ann), "bob", bob)
    secret += [ann, bob, changed(new, "ann", "ann", "hand-over")["invitation"]]
    secret += [changed(new, "host", "bob", "invite")["invitation"]]
    new.done(END)
    client = app.extensions["arbitr"].store._connected()
    everything = b"".join(client.dump(key) for key in client.keys("*"))
    for who in ("ann", "bob", "host", "dealer", "spectator"):
        for path in ("", "/options", "/events", "/record", "/seats"):
            everything += new.get(who, path).data
    everything += b"".join(entry for _, entry in app.extensions["arbitr"].store.log(kept.id))
    for each in secret:
        assert each.encode() not in everything


def test_changes_are_told_in_both_languages(kept: Kept) -> None:
    changed(kept, "host", "ann", "rename", {"name": "Anna"})
    for what in ("automate", "take-back", "invite"):
        changed(kept, "host", "ann", what)
    changed(kept, "ann", "ann", "hand-over")
    changed(kept, "ann", "ann", "leave")
    for spoken in ("en", "cs"):
        answer = kept.get("spectator", "/events?after=1", Accept_Language=spoken)
        texts = [e["text"] for e in answer.json["events"] if e["kind"].startswith("seat-")]
        assert len(texts) == 6
        assert all("Anna" in text for text in texts), texts


def test_whoever_waits_hears_of_a_change_of_seats(kept: Kept) -> None:
    before = kept.version
    timer = threading.Timer(0.2, lambda: change(kept, "host", "ann", "rename", {"name": "Anna"}))
    timer.start()
    heard = kept.client.application.test_client().get(
        f"{AT}/{kept.id}/events?after={before}&wait=10", headers=kept.headers("bob")
    )
    timer.join()
    assert [e["kind"] for e in heard.json["events"]] == ["seat-renamed"]


# -- given chance -------------------------------------------------------------------------------------------------


def test_the_dealer_answers_for_a_seat_that_plays_by_itself_since_the_set_up(client: FlaskClient) -> None:
    """Whoever opened the session has its token; he need not keep it for the game to go on."""
    setup = {"game": "harbour", "chance": {"mode": "given"}, "invitations": True}
    bots = [{"id": seat, "automated": True} for seat in ("ann", "bob")]
    answer = client.post(AT, json={**setup, "seats": bots})
    kept = Kept(client, answer.json)
    for _ in range(400):
        seen = kept.get("dealer").json
        if seen["outcome"] is not None:
            break
        (decision,) = seen["decisions"]
        assert decision["actor"] == "chance"
        assert "dealer" in decision["answered_by"]["roles"]
        kept.done(filled(kept.options("dealer")[0]), "dealer")
    assert seen["outcome"] is not None, "played to its end by the dealer alone"
    record = kept.get("role:host", "/record").json
    assert {entry["by"].get("role") for entry in record["log"][1:]} == {"dealer"}
    told = client.post("/v1/games/harbour/verifications", json={"record": record}).json
    assert (told["verdict"], told["draws"]) == ("valid", "unknown")
    assert "difference" not in told


def test_the_dealer_answers_for_a_seat_where_nobody_sits(client: FlaskClient) -> None:
    kept = opened(client, "harbour", chance={"mode": "given"})
    assert kept.get("spectator").json["decisions"][0]["answered_by"] == {"seats": ["ann"]}
    problem(kept.act({"kind": "draw", "actor": "chance", "good": "ale"}, "dealer"), 403, "not-yours")
    changed(kept, "ann", "ann", "leave")
    assert kept.get("spectator").json["decisions"][0]["answered_by"] == {
        "seats": ["ann"],
        "roles": ["dealer"],
    }
    assert [o["good"] for o in kept.options("dealer")] == ["ale", "bread", "cloth", "dye"]
    problem(kept.act({"kind": "draw", "actor": "chance", "good": "ale"}, "host"), 403, "not-yours")
    kept.done({"kind": "draw", "actor": "chance", "good": "ale"}, "dealer")
