#!/usr/bin/env python3
"""Check the draws of a game's record, knowing nothing of the game: `python verify_draws.py RECORD.json`.

It needs Python 3.9 and nothing else. docs/verify.md says what is checked and why that is enough; what each draw could
bring (`odds`) it takes from the record, and a referee of the game says whether that is so.

Exit code 0: every draw is what the seed says; 1: one is not, or some are missing; 2: it cannot be said (no seed is
revealed, people drew, or the file is no record).
"""

import argparse
import hashlib
import hmac
import json
import sys

MATCH, DIFFER, UNKNOWN = 0, 1, 2
BITS = 256
MOST_WEIGHT = 1_000_000_000  # of one value
MOST_PAIRS = 1_000_000  # in all odds together; no game comes near
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
    """The JSON object in a file; a record may lie in a member `record`."""
    if name == "-":
        found = json.load(sys.stdin)
    else:
        with open(name, encoding="utf-8") as file:
            found = json.load(file)
    return found.get("record", found)


def check(record, odds, promise=None):
    """How many draws this record has, all of which are what its seed says, and of how many it does not tell what came
    up. Raises Differ, Unknown."""
    if record.get("schema", 1) != 1 or type(record.get("schema", 1)) is not int:
        raise Unknown("this is no record: its form is one that is not known here")
    if ("setup" in record) == ("state" in record):
        raise Unknown("this is no record: it begins with either a setup or a state")
    chance = record.get("chance") or {}
    if chance.get("mode") == "given":
        raise Unknown("people drew")
    if "seed" not in chance:
        raise Unknown("the record reveals no seed")
    for name in ("game_id", "key_id", "commitment", "next_draw"):
        if chance.get(name, "") == "":
            raise Unknown(f"the record does not tell the {name} of its chance")
    if chance.get("mode") != "seeded":
        raise Unknown("this is no record: its chance is neither seeded nor given")
    seed = kept_seed(chance, promise)
    demand_same_start(record, chance)
    answers, first = numbered(record), first_draw(record)
    due = first + len(answers)
    if whole(chance["next_draw"]) != due:
        raise Differ(f"{chance['next_draw']} numbers were drawn, and the record accounts for {due}")
    demand_brought(answers, first, odds, seed, chance.get("client_seed", ""))
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


def whole(number):
    """A whole number from 0 on; `0.0`, `true` and `"0"` are none. Raises Unknown."""
    if type(number) is not int or number < 0:
        raise Unknown(f"this is no record: {str(number)[:50]!r} stands where a whole number is due")
    return number


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


def demand_same_start(record, chance):
    """Set-up and state, where they speak of chance, speak of this one."""
    wished = record.get("setup", {}).get("chance", {})
    if "setup" in record and wished.get("client_seed", "") != chance.get("client_seed", ""):
        raise Differ("the client's seed is not that of the set-up")
    if "setup" in record and ("seed" in wished) != (chance.get("key_id") == "open"):
        raise Differ("the set-up is of a fair game and the seed of an open one, or the other way round")
    if "seed" in wished:
        demand_own_id(record, chance)
    begun = record.get("state")
    if begun is not None:
        same = begun["game_id"] == chance["game_id"]
        for name in ("key_id", "commitment", "client_seed"):
            same = same and begun["chance"].get(name, "") == chance.get(name, "")
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


def first_draw(record):
    """The number of the first draw: 0, or where the state stands that the record begins with."""
    return whole(record["state"]["chance"].get("next_draw", 0)) if "state" in record else 0


# -- the numbers --------------------------------------------------------------------------------------------------


def numbered(record):
    """What came up at each draw, those that were taken back too; numbers go up one by one."""
    actions = record["actions"]
    if "log" in record:
        if standing(record["log"]) != actions:
            raise Differ("the log does not lead to the actions")
        if record["log"][-1]["kind"] in ("undo", "rewind"):
            raise Differ("the log ends with a way back, and there is none when the game is over")
        actions = [action for entry in record["log"] for action in entry.get("actions", ())]
    answers, first = [], first_draw(record)
    for action in actions:
        if action["actor"] == "chance":
            if "draw" not in action or whole(action["draw"]) != first + len(answers):
                raise Differ(f"draw {action.get('draw')} comes where {first + len(answers)} is due")
            answers.append(brought(action))
    return answers


def brought(action):
    """What came up: the one member that an answer of chance has beside kind, actor and draw."""
    values = [value for name, value in action.items() if name not in ("kind", "actor", "draw")]
    if len(values) > 1:
        raise Unknown("this is no record: an answer of chance tells more than what came up")
    return values[0] if values else UNSEEN


def standing(log):
    """The actions that stand at the end of a log, from which nothing is ever deleted."""
    if [entry["version"] for entry in log] != list(range(1, len(log) + 1)):
        raise Differ("versions of the log are missing or stand twice")
    if not log or any((entry["kind"] == "open") != (entry["version"] == 1) for entry in log):
        raise Differ("the log does not begin with the opening")
    if any(("to" in entry) != (entry["kind"] in ("undo", "rewind")) for entry in log):
        raise Differ("a version of the log goes back though it is none that does, or the other way round")
    if any(entry["kind"] == "seats" and entry.get("actions") for entry in log):
        raise Differ("a version of the log changes seats, and yet something is played")
    stands, at = [], len(log)
    while at > 1:
        entry = log[at - 1]
        if entry["kind"] == "act":
            stands.append(entry)
            at -= 1
        elif entry["kind"] == "seats":
            at -= 1
        else:
            if not 1 <= entry["to"] < at:
                raise Differ(f"version {at} goes back to version {entry['to']}")
            at = entry["to"]
    return [action for entry in [log[0], *reversed(stands)] for action in entry.get("actions", ())]


# -- the draws ----------------------------------------------------------------------------------------------------


def told_odds(entries):
    """What could come up at each draw, `{value: weight}`, from the entries of a record."""
    told, pairs = [], 0
    for entry in entries:
        listed = entry["of"] if "of" in entry else entry["but"]
        odds = {value: weight_of(weight) for value, weight in listed}
        if len(odds) < len(listed):
            raise Differ("odds name a value twice")
        if "of" not in entry:
            if whole(entry["like"]) >= len(told):
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


def weight_of(weight):
    """How often a value is there."""
    if whole(weight) > MOST_WEIGHT:
        raise Unknown("this is no record: nothing is there so often")
    return weight


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
