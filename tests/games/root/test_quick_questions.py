"""Searches and rules ask quick questions first: they answer as the plain ways do, in sound states and spoiled ones."""

import json
import random
from functools import cache

import msgspec
import pytest

from service.engine.aside_problems import askew, fits
from service.engine.conservation import _located, balanced
from service.engine.envelope import _names_in, doubtful
from service.engine.frames import Frame
from service.engine.judge import judge
from service.engine.options import options
from service.engine.places import MoveError, changed, put, take
from service.engine.state import encode
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.alliance import bases_on_map, stack_size
from service.games.root.v1.alliance_reactions import too_many
from service.games.root.v1.components import owner
from service.games.root.v1.figures import CLEARINGS, PIECES, PRINTED, figures
from service.games.root.v1.marquise import KEEP, keep_clearing, only_she_places_at_the_keep
from service.games.root.v1.riverfolk_posts import has_post
from service.games.root.v1.riverfolk_services import most_services
from service.games.root.v1.woodland import is_present, on_map, open_slots
from tests.games.root.corrupted import along_games

LINE_UPS = (
    ("marquise", "eyrie", "alliance", "vagabond"),
    ("cult", "riverfolk", "vagabond", "vagabond"),
    ("mechanical-marquise", "eyrie", "alliance"),
    ("mechanical-marquise", "riverfolk", "cult"),
)


@cache
def games():
    return along_games("quick", LINE_UPS, 40, ())


def holders(plain, path=()):
    """Every mapping and list of a document that holds something, with its path."""
    if isinstance(plain, dict | list) and plain:
        yield path, plain
        for key, entry in plain.items() if isinstance(plain, dict) else enumerate(plain):
            yield from holders(entry, (*path, key))


def crossed(rng, counts=(-1, 1, 2)):
    """A state in which a few things are as in another, or gone, doubled or counted otherwise; it decodes."""
    while True:
        state, other = rng.choice(games()), json.loads(encode(rng.choice(games())))
        plain = json.loads(encode(state))
        for _ in range(rng.choice((1, 1, 2, 3))):
            path, held = rng.choice([h for h in holders(plain) if h[0][:1] in (("table",), ("stack",))])
            key = rng.choice(list(held) if isinstance(held, dict) else range(len(held)))
            there = other
            for name in (*path, key):
                fine = isinstance(there, dict) and name in there
                fine |= isinstance(there, list) and isinstance(name, int) and name < len(there)
                there = there[name] if fine else None
            if type(held[key]) is int:
                held[key] += rng.choice(counts)
            elif there is not None:
                held[key] = there
            elif isinstance(held, list):
                held.insert(key, held[rng.randrange(len(held))])
            else:
                del held[key]
        try:
            return RULES.decode(json.dumps(plain))
        except msgspec.ValidationError:
            continue


def test_the_quick_count_finds_what_the_thorough_one_finds():
    rng, sound = random.Random("count"), 0
    states = [*games(), *(crossed(rng) for _ in range(700))]
    for state in states:
        totals = RULES.pieces_of(state)
        assert balanced(state.table, totals) == (not list(_located(state, totals)))
        sound += balanced(state.table, totals)
    assert len(games()) < sound < len(states) - 200


def test_what_lies_face_down_is_doubted_where_something_is_wrong_and_only_there():
    rng, wrong = random.Random("aside"), 0
    for state in [*games(), *(crossed(rng, counts=(-1, 1)) for _ in range(1_500))]:
        found = list(askew(state.table))
        assert fits(state.table) == (not found)
        wrong += bool(found)
    assert wrong > 20


def test_names_are_doubted_where_something_is_wrong_and_only_there():
    rng, wrong = random.Random("names"), 0
    for state in [*games(), *(crossed(rng) for _ in range(700))]:
        ids = {s.id for s in state.seats[: rng.choice((99, 99, 2))]}
        for thing in (state.table, *state.stack):
            found = list(_names_in(thing, ids, ""))
            assert doubtful(thing, ids) == bool(found)
            wrong += bool(found)
    assert wrong > 100


def every_kind(kind=Frame):
    for below in kind.__subclasses__():
        yield below
        yield from every_kind(below)


def test_the_nearest_frame_is_found_by_its_type():
    kinds = [Frame, *every_kind()]
    for state in games()[::5]:
        t = Table(RULES, state)
        for kind in kinds:
            assert t.frame(kind) is next((f for f in reversed(t.frames) if isinstance(f, kind)), None)


def test_a_clearing_without_buildings_is_never_too_full():
    assert all(c.slots >= 1 for c in PRINTED.clearings.values())  # so that a ruin fits in anywhere


def test_the_map_is_read_in_the_quick_way_as_in_the_plain_one():
    rng = random.Random("map")
    for state in [*games(), *(crossed(rng) for _ in range(300))]:
        t = Table(RULES, state)
        if set(t.board.map) != set(CLEARINGS) or set(t.seats) != set(t.board.seats):
            continue
        for clearing, here in t.board.map.items():
            built = sum(n for p, n in here.items() if PRINTED.pieces[p].kind == "building")
            room = PRINTED.clearings[clearing].slots - built - (clearing in t.board.ruins)
            assert open_slots(t, clearing) == room
            for seat in t.seats:
                closed = clearing == keep_clearing(t) and seat != owner(t, KEEP)
                rule = only_she_places_at_the_keep(t, seat, clearing)
                assert rule == ("ROOT-MARQ-2" if closed else None)
        for piece in PIECES:
            assert on_map(t, piece) == sum(here.get(piece, 0) for here in t.board.map.values())
        for seat in t.seats:
            at_posts = sum(has_post(t, c) and is_present(t, seat, c) for c in CLEARINGS)
            assert most_services(t, seat) == 1 + at_posts
            above = stack_size(t, seat) - figures(t).table["supporters-without-base"]
            assert too_many(t, seat) == (0 if bases_on_map(t) else max(0, above))


def test_who_watches_the_points_may_wait_until_the_board_changes(monkeypatch):
    rng, over = random.Random("watch"), 0
    tried = []
    for state in games():
        if state.outcome is None:
            acts = [o.filled() for o in options(Table(RULES, state))]
            tried += [(near_the_end(state), act) for act in rng.sample(acts, min(3, len(acts)))]
    waiting = [judge(RULES, state, act, lambda chance, total: 0) for state, act in tried]
    monkeypatch.setattr(RULES, "watches", [(look, None) for look, _ in RULES.watches])
    for (state, act), found in zip(tried, waiting, strict=True):
        plain = judge(RULES, state, act, lambda chance, total: 0)
        assert (found.state, found.events, found.decisions) == (plain.state, plain.events, plain.decisions)
        over += found.outcome is not None
    assert over > 3


def near_the_end(state):
    """The same with everybody just below the points that win."""
    near = RULES.decode(encode(state))
    for player in near.table.seats.values():
        player.score = None if player.score is None else 29
    return near


@pytest.mark.parametrize("act", [put, take])
def test_a_move_changes_one_place_and_leaves_the_board_before_it_as_it_was(act):
    board = next(s.table for s in games() if s.table.map["1"])
    before, piece = encode(board), next(iter(board.map["1"]))
    after = changed(board, ("map", "1"), lambda held: act(held, {piece: 1}))
    n = board.map["1"][piece] + (1 if act is put else -1)
    assert after.map["1"].get(piece, 0) == n
    assert encode(board) == before
    assert list(after.map) == list(board.map)
    assert all(after.map[c] is board.map[c] for c in board.map if c != "1")
    assert after.seats is board.seats
    with pytest.raises(MoveError):
        changed(board, ("seats", "nobody", "supply"), lambda held: act(held, {piece: 1}))
