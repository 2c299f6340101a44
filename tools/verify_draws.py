#!/usr/bin/env python3
"""Check the draws of a game's record, knowing nothing of the game: `python verify_draws.py RECORD.json`.

It needs Python 3.9 and nothing else. docs/verify.md says what is checked and why that is enough; what each draw could
bring (`odds`) it takes from the record, and a referee of the game says whether that is so.

Exit code 0: every draw is what the seed says; 1: one is not; 2: it cannot be said (no seed is revealed, people drew,
or the file is no record).
"""

import argparse
import hashlib
import hmac
import json
import sys

MATCH, DIFFER, UNKNOWN = 0, 1, 2
BITS = 256


class Differ(Exception):
    """The draws are not what they should be."""


class Unknown(Exception):
    """It cannot be said whether they are."""


def main(arguments=None):
    """Check one record and say in one line what came of it."""
    parser = argparse.ArgumentParser(description="Check the draws of a game's record.")
    parser.add_argument("record", help="a file with the record; - reads it from the standard input")
    parser.add_argument(
        "--odds", help="a file with `odds`, where the record has none: an answer of …/verifications"
    )
    parser.add_argument("--promise", help="the `promise` that was noted down when the game began")
    args = parser.parse_args(arguments)
    try:
        record = read(args.record)
        odds = read(args.odds)["odds"] if args.odds else record.get("odds")
        count = check(record, odds, args.promise)
    except Differ as differ:
        print(f"differ: {differ}")
        return DIFFER
    except Unknown as unknown:
        print(f"unknown: {unknown}")
        return UNKNOWN
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        print(f"unknown: this is no record ({type(fault).__name__}: {str(fault)[:200]})")
        return UNKNOWN
    print(f"match: {count} draws are what the seed says")
    return MATCH


def read(name):
    """The JSON object in a file; a record may lie in a member `record`."""
    if name == "-":
        found = json.load(sys.stdin)
    else:
        with open(name, encoding="utf-8") as file:
            found = json.load(file)
    return found.get("record", found)


def check(record, odds, promise=None):
    """How many draws of this record are what its seed says: all of them. Raises Differ, Unknown."""
    chance = record.get("chance") or {}
    if chance.get("mode") == "given":
        raise Unknown("people drew")
    if "seed" not in chance:
        raise Unknown("the record reveals no seed")
    seed = kept_seed(chance, promise)
    demand_same_start(record, chance)
    answers, first = numbered(record), first_draw(record)
    if not answers:
        return 0
    if odds is None:
        raise Unknown(
            "the record tells no odds; `arbitr record --of FILE` adds them, or ask …/verifications?odds=true"
        )
    told = told_odds(odds)
    if len(told) != len(answers):
        raise Differ(f"{len(answers)} draws, and odds for {len(told)}")
    for at, answer in enumerate(answers):
        due = drawn(seed, chance.get("client_seed", ""), first + at, told[at])
        if answer != due:
            raise Differ(f"draw {first + at} brought {answer}, and the seed says {due}")
    return len(answers)


# -- the promise --------------------------------------------------------------------------------------------------


def kept_seed(chance, promise):
    """The seed, which must be the one that the commitment (and the promise of a session) promised."""
    seed = bytes.fromhex(chance["seed"])
    commitment = hashlib.sha256(seed).hexdigest()
    if commitment != chance["commitment"]:
        raise Differ("the seed is not the one of the commitment")
    if promise is not None and hashlib.sha256(commitment.encode()).hexdigest() != promise:
        raise Differ("the commitment is not the one that was promised")
    if chance.get("key_id") == "open" and seed != open_seed(chance["game_id"]):
        raise Differ("the seed is not that of this open game")
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
    begun = record.get("state")
    if begun is not None:
        same = begun["game_id"] == chance["game_id"]
        for name in ("key_id", "commitment", "client_seed"):
            same = same and begun["chance"].get(name, "") == chance.get(name, "")
        if not same:
            raise Differ("the game began with another promise")


def first_draw(record):
    """The number of the first draw: 0, or where the state stands that the record begins with."""
    return record["state"]["chance"].get("next_draw", 0) if "state" in record else 0


# -- the numbers --------------------------------------------------------------------------------------------------


def numbered(record):
    """What came up at each draw, those that were taken back too; numbers go up one by one."""
    actions = record["actions"]
    if "log" in record:
        if standing(record["log"]) != actions:
            raise Differ("the log does not lead to the actions")
        actions = [action for entry in record["log"] for action in entry.get("actions", ())]
    answers = []
    for action in actions:
        if action["actor"] != "chance":
            continue
        if action.get("draw") != first_draw(record) + len(answers):
            raise Differ(f"draw {action.get('draw')} comes where {first_draw(record) + len(answers)} is due")
        ((_, value),) = ((name, v) for name, v in action.items() if name not in ("kind", "actor", "draw"))
        answers.append(value)
    return answers


def standing(log):
    """The actions that stand at the end of a log, from which nothing is ever deleted."""
    if [entry["version"] for entry in log] != list(range(1, len(log) + 1)):
        raise Differ("versions of the log are missing or stand twice")
    if not log or any((entry["kind"] == "open") != (entry["version"] == 1) for entry in log):
        raise Differ("the log does not begin with the opening")
    if any(("to" in entry) != (entry["kind"] in ("undo", "rewind")) for entry in log):
        raise Differ("a version of the log goes back though it is none that does, or the other way round")
    stands, at = [], len(log)
    while at > 1:
        entry = log[at - 1]
        if entry["kind"] == "act":
            stands.append(entry)
            at -= 1
        elif entry["kind"] == "seats":
            if entry.get("actions"):
                raise Differ(f"version {at} changes seats, and yet something is played")
            at -= 1
        else:
            if not 1 <= entry["to"] < at:
                raise Differ(f"version {at} goes back to version {entry['to']}")
            at = entry["to"]
    return [action for entry in [log[0], *reversed(stands)] for action in entry.get("actions", ())]


# -- the draws ----------------------------------------------------------------------------------------------------


def told_odds(entries):
    """What could come up at each draw, `{value: weight}`, from the entries of a record."""
    told = []
    for entry in entries:
        if "of" in entry:
            odds = dict(map(tuple, entry["of"]))
        else:
            if not 0 <= entry["like"] < len(told):
                raise Differ("odds are like those of no draw before them")
            odds = {**told[entry["like"]], **dict(map(tuple, entry["but"]))}
        told.append({value: weight for value, weight in odds.items() if weight})
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
