#!/usr/bin/env python3
"""Check the draws of a game's record, knowing nothing of the game: `python verify_draws.py RECORD.json`.

It needs Python 3.9 and nothing else. docs/verify.md says what is checked and why that is enough; what each draw could
bring (`odds`) it takes from the record, and a referee of the game says whether that is so.

Exit code 0: every draw is what the seed says; 1: one is not, or some are missing, or no session writes such a
log; 2: it cannot be said (no seed is revealed, people drew, or the file is no record).
"""

import argparse
import datetime
import hashlib
import hmac
import json
import re
import sys

MATCH, DIFFER, UNKNOWN = 0, 1, 2
BITS = 256
MOST_PAIRS = 1_000_000  # in all odds together; no game comes near
MOST_PLIES = 10_000  # actions of a record or of a version, and versions of a log
MOST_CHANGES = 20  # of one version
MOST_ACTED, MOST_ELSE = 9_900, 8_000  # versions of a session; after MOST_ELSE it acts, or seats change so:
KEEPING = ("seat-invited", "seat-claimed", "seat-left", "seat-automated", "seat-taken-back", "timed-out")
MOST_DRAWS = 50 * MOST_PLIES  # those that were taken back too; a version has no more on the average
MOST_COUNT = 1_000_000_000
LONGEST_LINE = 300
UNSEEN = object()  # what came up was told to nobody who wrote the record
# What a set-up that names no options asks for; of other rulesets it cannot be said which game id a set-up has.
OPTIONS = {
    "root 1.0": {"campaign": "off", "mode": "competitive", "seating": "random", "wins": 0},
    "simurgh 1.0": {"length": "medium", "variant": "spearman"},
    "zavandor 1.0": {"gem_sold_in_payment_frees_its_place": True, "mirror_cloak_hits_owner": False},
}


class Differ(Exception):
    """The draws are not what they should be."""


class Unknown(Exception):
    """It cannot be said whether they are."""


def main(arguments=None):
    """Check one record and say in one line what came of it."""
    parser = argparse.ArgumentParser(description="Check the draws of a game's record.")
    parser.add_argument("record", help="a file with the record; - reads it from the standard input")
    parser.add_argument(
        "--odds", help="a file with `odds`, where the record has none: an answer of .../verifications"
    )
    parser.add_argument("--promise", help="the `promise` that was noted down when the game began")
    args = parser.parse_args(arguments)
    try:
        record = read(args.record)
        odds = read(args.odds)["odds"] if args.odds else record.get("odds")
        count, unseen = check(record, odds, args.promise)
    except Differ as differ:
        print(line(f"differ: {differ}"))
        return DIFFER
    except Unknown as unknown:
        print(line(f"unknown: {unknown}"))
        return UNKNOWN
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as fault:
        print(line(f"unknown: this is no record ({type(fault).__name__}: {fault})"))
        return UNKNOWN
    more = f"; what {unseen} of them brought the record does not tell" if unseen else ""
    print(f"match: {count} draws are what the seed says{more}")
    return MATCH


def line(text):
    """A stranger's text as one line that every terminal can show."""
    shown = "".join(c if c.isprintable() else " " for c in text).encode("ascii", "backslashreplace").decode()
    return shown if len(shown) <= LONGEST_LINE else shown[:LONGEST_LINE] + "..."


def read(name):
    """The JSON object in a file; a record may lie in a member `record`. Raises ValueError."""
    if name == "-":
        text = sys.stdin.read()
    else:
        with open(name, encoding="utf-8") as file:
            text = file.read()
    found = json.loads(text, object_pairs_hook=unique, parse_float=real, parse_constant=none)
    json.dumps(found, ensure_ascii=False).encode()  # half a character is none
    return found.get("record", found)


def unique(pairs):
    """An object, whose every key stands once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object names a key twice")
    return found


def real(text):
    """A number with a point or an exponent; 7.0 is the whole number 7."""
    return settled(float(text))


def none(text):
    """What is no JSON, though some write it."""
    raise ValueError(f"{text} is no number")


def check(record, odds, promise=None):
    """How many draws this record has, all of which are what its seed says, and of how many it does not tell what came
    up. Raises Differ, Unknown."""
    demand_form(record, odds)
    chance, begun = record.get("chance", {}), beginning(record)
    if "log" in record:
        demand_log(record)
    if begun["mode"] == "given":
        raise Unknown("people drew")
    demand_same_start(record, chance, begun)
    answers, first = numbered(record, begun["next_draw"]), begun["next_draw"]
    if chance.get("next_draw", first + len(answers)) != first + len(answers):
        raise Differ(
            f"{chance['next_draw']} numbers were drawn, and the record accounts for {first + len(answers)}"
        )
    if "seed" not in chance:
        raise Unknown("the record reveals no seed")
    for name in ("game_id", "key_id", "commitment", "next_draw"):
        if chance.get(name, "") == "":
            raise Unknown(f"the record does not tell the {name} of its chance")
    seed = kept_seed(chance, promise)
    demand_brought(answers, first, odds, seed, begun["client_seed"])
    return len(answers), sum(answer is UNSEEN for answer in answers)


def demand_brought(answers, first, odds, seed, client_seed):
    """Every answer is what its draw brings. Raises Differ, Unknown."""
    if not answers and not odds:
        return
    if odds is None:
        raise Unknown(
            "the record tells no odds; `arbitr record --of FILE` adds them, or ask .../verifications?odds=true"
        )
    if len(odds) != len(answers):
        raise Differ(f"{len(answers)} draws, and odds for {len(odds)}")
    told = told_odds(odds)
    for at, answer in enumerate(answers):
        due = drawn(seed, client_seed, first + at, told[at])
        if answer is not UNSEEN and (type(answer), answer) != (type(due), due):
            raise Differ(f"draw {first + at} brought {answer}, and the seed says {due}")


# -- what is a record by its form ---------------------------------------------------------------------------------
# A form is a function of a value that says whether it has it. Those of members that are not read here are left out.


def text(most=None, pattern=None):
    """A text."""

    def fits(value):
        short = type(value) is str and (most is None or len(value) <= most)
        return short and (pattern is None or re.fullmatch(pattern, value) is not None)

    return fits


def whole(least=0, most=MOST_COUNT):
    """A whole number; `true` and `"0"` are none."""
    return lambda value: type(value) is int and least <= value <= most


def one_of(*values):
    """One of these, of the same type."""
    return lambda value: any(type(value) is type(known) and value == known for known in values)


def listed(form, most, least=0):
    """A list."""
    return lambda value: type(value) is list and least <= len(value) <= most and all(map(form, value))


def having(needed, others=None, open_=False):
    """An object with these members; those that are `needed` are there, and no others where it is not `open_`."""
    known = {**needed, **(others or {})}

    def fits(value):
        if type(value) is not dict or not needed.keys() <= value.keys():
            return False
        return all(known[name](value[name]) if name in known else open_ for name in value)

    return fits


def pair(value):
    """A value and how often it is there."""
    return type(value) is list and len(value) == 2 and scalar(value[0]) and whole()(value[1])


def scalar(value):
    """What can come up at a draw."""
    return type(value) in (str, int, bool)


def action(value):
    """An action; only an answer of chance has the number of a draw, and beside it no more than what came up."""
    if not having({"kind": text(), "actor": text(32, SEAT_ID)}, {"draw": whole()}, open_=True)(value):
        return False
    if value["actor"] != "chance":
        return "draw" not in value
    told = [what for name, what in value.items() if name not in ("kind", "actor", "draw")]
    return len(told) <= 1 and all(map(scalar, told))


NAME = r"[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*"
MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
anything, boolean, short = (lambda value: True), one_of(True, False), text(200)
an_object = having({}, open_=True)
SEAT_ID = r"[a-z][a-z0-9-]{0,31}"
HEAD = {"mode": one_of("seeded", "given"), "fair": boolean, "next_draw": whole()}
HEAD = {**HEAD, "key_id": short, "commitment": short, "client_seed": short}
REVEALED = having(
    {"game_id": short, "mode": HEAD["mode"]}, {**HEAD, "seed": text(256, r"([0-9a-f]{2}){1,128}")}
)
SEAT = having(
    {"id": text(32, f"(?!chance$){SEAT_ID}")}, {"name": text(200, NAME), "automated": boolean}, open_=True
)
SETUP = having(
    {"seats": listed(SEAT, 16, 1)},
    {
        "options": an_object,
        "chance": having({}, {"mode": HEAD["mode"], "seed": short, "client_seed": short}),
        "position": an_object,
        "house": an_object,
        "ruleset": text(),
        "hold": one_of("state", "token"),
    },
)
STATE = having({"game_id": short, "seats": listed(SEAT, 16), "chance": having({}, HEAD)}, open_=True)
ENTRY = having(
    {"version": whole(1), "kind": one_of("open", "act", "undo", "rewind", "seats")},
    {
        "by": having({}, {"seat": text(), "role": text()}),
        "to": whole(1),
        "actions": listed(action, MOST_PLIES),
        "changes": listed(an_object, MOST_CHANGES),
    },
)
ALL = having({"of": listed(pair, 1_000, 1)})
CHANGED = having({"like": whole(0, MOST_DRAWS), "but": listed(pair, 1_000)})
FORMS = {
    "schema": one_of(1),
    "game": text(),
    "ruleset": text(),
    "setup": SETUP,
    "state": STATE,
    "actions": listed(action, MOST_PLIES),
    "complete": one_of(True),
    "digest": short,
    "chance": REVEALED,
    "odds": listed(lambda entry: ALL(entry) or CHANGED(entry), MOST_DRAWS),
    "log": listed(ENTRY, MOST_PLIES),
}


def demand_form(record, odds):
    """The record has the form of one, as far as it is read here. Raises Unknown."""
    for name, value in record.items():
        if name not in FORMS or not FORMS[name](value):
            raise Unknown(f"this is no record: its {name} has another form")
    if any(name not in record for name in ("game", "ruleset", "actions")):
        raise Unknown("this is no record: it has a game, its ruleset and its actions")
    if ("setup" in record) == ("state" in record):
        raise Unknown("this is no record: it begins with either a setup or a state")
    seats = [seat["id"] for seat in record["setup" if "setup" in record else "state"]["seats"]]
    if len(set(seats)) < len(seats):
        raise Unknown("this is no record: somebody sits twice at its table")
    setup = record.get("setup", {})
    if setup.get("ruleset", record["ruleset"]) != record["ruleset"]:
        raise Unknown("this is no record: its set-up is one of other rules")
    wished = setup.get("chance", {})
    if wished.get("mode") == "given" and len(wished) > 1:
        raise Unknown("this is no record: where people draw there is no seed")
    if odds is not None and not FORMS["odds"](odds):
        raise Unknown("these are no odds by their form")


def beginning(record):
    """What is known of the chance of the game when it begins."""
    begun = record["state"]["chance"] if "state" in record else record["setup"].get("chance", {})
    defaults = {"mode": "seeded", "client_seed": "", "next_draw": 0}
    return {name: begun.get(name, default) for name, default in defaults.items()}


# -- the promise --------------------------------------------------------------------------------------------------


def kept_seed(chance, promise):
    """The seed, which must be the one that the commitment (and the promise of a session) promised."""
    seed = bytes.fromhex(chance["seed"])
    commitment = hashlib.sha256(seed).hexdigest()
    if commitment != chance["commitment"]:
        raise Differ("the seed is not the one of the commitment")
    if promise is not None and hashlib.sha256(commitment.encode()).hexdigest() != promise:
        raise Differ("the commitment is not the one that was promised")
    is_open = chance["key_id"] == "open"
    if is_open != (seed == open_seed(chance["game_id"])):
        raise Differ(
            "the seed is not that of this open game, or it is that of an open one and the game is not"
        )
    if "fair" in chance and chance["fair"] is not (not is_open):
        raise Differ("fair is what is drawn with a server key, and nothing else")
    return seed


def open_seed(game_id):
    """The seed of a game that is openly unfair, which everybody can work out."""
    return hashlib.sha256(b"arbitr open game\n" + game_id.encode()).digest()


def demand_same_start(record, chance, begun):
    """Set-up and state, where they speak of chance, speak of this one."""
    for name in ("mode", "client_seed"):
        if chance.get(name, begun[name]) != begun[name]:
            raise Differ(f"the {name} is not the one that the game began with")
    wished = record.get("setup", {}).get("chance", {})
    if "setup" in record and "key_id" in chance and ("seed" in wished) != (chance["key_id"] == "open"):
        raise Differ("the set-up is of a fair game and the seed of an open one, or the other way round")
    if "setup" in record and chance.get("fair", "seed" not in wished) != ("seed" not in wished):
        raise Differ("fair is what is drawn with a server key, and nothing else")
    if "seed" in wished and chance:
        demand_own_id(record, chance)
    if "state" in record and chance:
        state = record["state"]
        own_fair = state["chance"].get("fair", True)
        same = chance.get("fair", own_fair) == own_fair
        if state["chance"].get("commitment"):
            same = same and state["game_id"] == chance["game_id"]
            for name in ("key_id", "commitment"):
                own = state["chance"].get(name, "")
                same = same and chance.get(name, own) == own
        if not same:
            raise Differ("the game began with another promise")


def demand_own_id(record, chance):
    """The game id of an open game is that of its set-up, where the set-up alone says which that is."""
    setup, ruleset = record["setup"], f"{record['game']} {record['ruleset']}"
    if ruleset in OPTIONS and setup.get("position") is None and chance["game_id"] != open_id(ruleset, setup):
        raise Differ("the seed is that of another set-up")


def open_id(ruleset, setup):
    """The game id of a set-up with a `seed` (without a `position`)."""
    chance = setup["chance"]
    wish = {
        "seats": [wished_seat(seat) for seat in setup["seats"]],
        "options": {**OPTIONS[ruleset], **setup.get("options", {})},
        "mode": "seeded",
        "seed": chance["seed"],
        "client_seed": chance.get("client_seed", ""),
        "position": None,
    }
    if setup.get("house"):
        wish["house"] = setup["house"]
    text = json.dumps(
        settled({"ruleset": ruleset, "wish": wish}), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(b"arbitr set-up\n" + text.encode()).hexdigest()[:32]


def wished_seat(seat):
    """A seat of a set-up with all that it left out."""
    own = {
        name: seat.get(name, default) for name, default in (("id", ""), ("name", ""), ("automated", False))
    }
    return {**own, "choice": {name: value for name, value in seat.items() if name not in own}}


def settled(value):
    """The same JSON with `7.0` as `7`."""
    if isinstance(value, dict):
        return {name: settled(v) for name, v in value.items()}
    if isinstance(value, list):
        return [settled(v) for v in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


# -- the numbers --------------------------------------------------------------------------------------------------


def numbered(record, first):
    """What came up at each draw, those that were taken back too; numbers go up one by one."""
    actions = record["actions"]
    if "log" in record:
        actions = [action for entry in record["log"] for action in entry.get("actions", ())]
    answers = []
    for answer in actions:
        if answer["actor"] == "chance":
            if answer.get("draw") != first + len(answers):
                raise Differ(f"draw {answer.get('draw')} comes where {first + len(answers)} is due")
            answers.append(brought(answer))
    return answers


def brought(answer):
    """What came up: the one member that an answer of chance has beside kind, actor and draw."""
    values = [value for name, value in answer.items() if name not in ("kind", "actor", "draw")]
    return values[0] if values else UNSEEN


# -- the log ------------------------------------------------------------------------------------------------------

# By which roles (None: by a seat itself) a version of each kind is made, and each change of a seat.
MAKERS = {
    "open": ("host",),
    "act": (None, "automated", "host", "dealer"),
    "undo": (None,),
    "rewind": ("host",),
    "seats": (None, "host", "clock"),
    "seat-invited": ("host",),
    "seat-offered": (None,),
    "seat-claimed": (None,),
    "seat-renamed": (None, "host"),
    "seat-left": (None,),
    "seat-automated": ("host",),
    "seat-taken-back": (None, "host"),
    "timed-out": ("clock",),
}
BACK, PLAYS = ("undo", "rewind"), ("open", "act")


def demand_log(record):
    """The log is one that a session writes, as far as is seen without rules, and leads to the actions."""
    log = record["log"]
    if written(standing(log)) != written(record["actions"]):
        raise Differ("the log does not lead to the actions")
    if log[-1]["kind"] in BACK:
        raise Differ("the log ends with a way back, and there is none when the game is over")
    if "state" in record and log[0]["actions"]:
        raise Differ("the log of a game that begins with a state opens it as it stands")
    seats = record["setup" if "setup" in record else "state"]["seats"]
    ids = {seat["id"] for seat in seats}
    always = {seat["id"] for seat in seats if seat.get("automated", False)}
    held = {name: set() for name in ("automated", "left", "claimed", "invited")}
    held |= {"always": always, "then": None, "ended": False, "vacant": None, "taken": set(always)}
    held["names"] = {seat["id"]: seat.get("name", "") for seat in seats}
    if beginning(record)["mode"] == "given" and any("draw" in a for e in log for a in e.get("actions", ())):
        raise Differ("where people draw, answers of chance have no numbers")
    for entry in log:
        seat, role = by_whom(entry, ids, held)
        demand_acts(entry, seat, role, always)
        if not changed(entry, seat, role, ids, always, held):
            raise Differ(f"version {entry['version']} changes seats as they could not be changed")


def by_whom(entry, ids, held):
    """Who made a version of the log: a seat, or a role, or the prudent player (`automated`) for a seat."""
    by = entry.get("by", {})
    seat, role = by.get("seat"), by.get("role")
    may = role in MAKERS[entry["kind"]] and (seat in ids if role in (None, "automated") else seat is None)
    may = may and not (role == "automated" and seat not in held["automated"])
    may = may and not (held["ended"] and entry["kind"] != "seats")
    if role is None:
        claims = [change.get("kind") for change in entry.get("changes", ())] == ["seat-claimed"]
        may = may and ((entry["kind"] == "seats" and claims) or may_be_held(seat, held))
    if not may:
        raise Differ(f"version {entry['version']} was made by nobody who may")
    return seat, role


def may_be_held(seat, held):
    """Whether somebody may hold a seat. Who does something there before it is claimed has held it from the opening on;
    it was `vacant` where it is claimed without an invitation that the log tells of, and so were all."""
    if seat not in held["claimed"] | held["always"]:
        held["vacant"] = held["vacant"] or False
        return not held["vacant"] and seat not in held["left"]
    return seat not in held["left"]


def demand_acts(entry, seat, role, always):
    """In a version acts who made it, or he answers for chance; what follows is done by chance and automated seats."""
    actions = list(entry.get("actions", ()))
    if entry["kind"] == "act":
        first = actions.pop(0)
        given = first["actor"] == "chance" and "draw" not in first and role != "automated"
        if not given and first["actor"] != seat:
            raise Differ(f"in version {entry['version']} another acts than who made it")
    if not all("draw" in a if a["actor"] == "chance" else a["actor"] in always for a in actions):
        raise Differ(f"in version {entry['version']} several act")


def changed(entry, seat, role, ids, always, held):
    """Whether seats can change as this version says; who plays by himself and who has left is noted in `held`."""
    changes = entry.get("changes", [])
    if entry["kind"] != "seats":
        taken_back = role is None and seat in held["automated"]
        due = [{"kind": "seat-taken-back", "seat": seat}] if taken_back else []
        if changes != due or ("changes" in entry) != bool(due):
            return False
    elif not changes or (len(changes) > 1 and role != "clock"):
        return False
    if len({str(change.get("seat")) for change in changes}) < len(changes):
        return False
    ended = held["ended"]
    for change in changes:
        if not may_change(change, seat, role, ids, always, held):
            return False
        kind, whose = change["kind"], change["seat"]
        held["names"][whose] = change.get("name", held["names"][whose])
        if kind in ("seat-claimed", "seat-automated"):
            held["taken"].add(whose)
        if kind in ("seat-taken-back", "seat-claimed"):
            held["automated"].discard(whose)
        if kind == "seat-automated" or change.get("then") == "automate":
            held["automated"].add(whose)
        if kind in ("seat-invited", "seat-offered"):
            held["invited"].add(whose)
        if kind == "seat-claimed":
            held["left"].discard(whose)
            held["invited"].discard(whose)
            held["claimed"].add(whose)
        if kind == "seat-left":
            held["left"].add(whose)
        held["then"] = change.get("then", held["then"])
        ended = ended or change.get("then") == "end"
    held["ended"] = ended
    return True


def may_change(change, seat, role, ids, always, held):
    """Whether a seat can change so."""
    kind, whose = change.get("kind"), change.get("seat")
    if not (type(kind) is str and kind.startswith(("seat-", "timed-")) and role in MAKERS.get(kind, ())):
        return False
    told = change.keys() - {"kind", "seat"}
    due = {"seat-renamed": {"name"}, "timed-out": {"at", "then"}}.get(kind, set())
    if (told != due and not (kind == "seat-claimed" and told == {"name"})) or type(whose) is not str:
        return False
    if (
        whose not in ids
        or (role is None and whose != seat)
        or any(type(change[name]) is not str for name in told)
    ):
        return False
    if "name" in told and not text(200, NAME)(change["name"]):
        return False
    if kind == "seat-renamed":
        return change["name"] != held["names"][whose]
    if kind == "timed-out":
        return may_be_late(change, ids, held)
    if kind == "seat-automated":
        return not held["ended"] and whose not in held["automated"] | always
    if kind == "seat-claimed" and whose not in held["invited"]:
        if held["vacant"] is False or whose in held["claimed"] | always:
            return False
        held["vacant"] = True
    return kind != "seat-taken-back" or whose in held["automated"]


def may_be_late(change, ids, held):
    """Whether somebody's time can be up: the clock begins when all seats have been taken once, and who plays by himself
    has time. Who is asked takes the rules."""
    then = (held["then"],) if held["then"] else ("nothing", "automate", "end")
    if held["ended"] or change["then"] not in then or not moment(change["at"]):
        return False
    if not ids <= held["taken"]:
        if held["vacant"]:
            return False
        held["vacant"] = False
    return change["seat"] not in held["automated"]


def moment(at):
    """Whether a moment is told as sessions tell it."""
    try:
        return text(24, MOMENT)(at) and bool(datetime.datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ"))
    except ValueError:
        return False


def written(actions):
    """Actions as a text, in which `true` is not 1."""
    return [json.dumps(action, sort_keys=True) for action in actions]


def standing(log):
    """The actions that stand at the end of a log, from which nothing is ever deleted."""
    if [entry["version"] for entry in log] != list(range(1, len(log) + 1)):
        raise Differ("versions of the log are missing or stand twice")
    if not log or any((entry["kind"] == "open") != (entry["version"] == 1) for entry in log):
        raise Differ("the log does not begin with the opening")
    if any(("to" in entry) != (entry["kind"] in BACK) for entry in log):
        raise Differ("a version of the log goes back though it is none that does, or the other way round")
    if any(("actions" in entry) != (entry["kind"] in PLAYS) for entry in log):
        raise Differ(
            "a version of the log plays something though it is none that does, or the other way round"
        )
    if any(entry["kind"] == "act" and not entry["actions"] for entry in log):
        raise Differ("in a version of the log nothing is done")
    for entry in log[MOST_ELSE:]:
        named = {str(change.get("kind")) for change in entry.get("changes", ())}
        full = (
            entry["version"] > MOST_ACTED and entry.get("by", {}).get("role") != "clock"
        )  # which nobody puts off
        if full or entry["kind"] in BACK or not named.issubset(KEEPING):
            raise Differ(f"a log as long as that does not go on by a version like {entry['version']}")
    stands, at = [], len(log)
    if any(not entry["to"] < entry["version"] - 1 for entry in log if "to" in entry):
        raise Differ("a version of the log goes back to where the table stands, or to what is to come")
    while at > 1:
        entry = log[at - 1]
        if entry["kind"] == "act":
            stands.append(entry)
        at = entry["to"] if "to" in entry else at - 1
    return [action for entry in [log[0], *reversed(stands)] for action in entry["actions"]]


# -- the draws ----------------------------------------------------------------------------------------------------


def told_odds(entries):
    """What could come up at each draw, `{value: weight}`, from the entries of a record."""
    told, pairs = [], 0
    for entry in entries:
        pairs_ = entry["of"] if "of" in entry else entry["but"]
        odds = dict(map(tuple, pairs_))
        if len(odds) < len(pairs_):
            raise Differ("odds name a value twice")
        if "of" not in entry:
            if entry["like"] >= len(told):
                raise Differ("odds are like those of no draw before them")
            odds = {**told[entry["like"]], **odds}
        odds = {value: weight for value, weight in odds.items() if weight}
        pairs += len(odds)
        if not odds or len({type(value) for value in odds}) > 1:
            raise Unknown("this is no record: odds of nothing, or of what has no order")
        if pairs > MOST_PAIRS:
            raise Unknown("the odds are too many to be looked through")
        told.append(odds)
    return told


def drawn(seed, client_seed, number, odds):
    """What draw `number` brings: a number below the sum of the weights, counted off along the values in their order."""
    at = number_below(seed + client_seed.encode(), number, sum(odds.values()))
    for value in sorted(odds):
        at -= odds[value]
        if at < 0:
            return value
    raise Unknown("nothing could come up")


def number_below(key, number, total):
    """A number from 0 to total - 1, each as likely: what lies above the last whole multiple is drawn again."""
    limit = (1 << BITS) - (1 << BITS) % total
    attempt = 0
    while True:
        message = f"{number}:{attempt}".encode()
        digest = int.from_bytes(hmac.new(key, message, hashlib.sha256).digest(), "big")
        if digest < limit:
            return digest % total
        attempt += 1


if __name__ == "__main__":
    sys.exit(main())
