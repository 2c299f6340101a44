"""Plays a whole game of Zavandor by the client that openapi-python-client makes (`arbitr_client`, on PYTHONPATH).

`python play.py http://127.0.0.1:8000` prints the outcome as JSON.
"""

import json
import random
import sys

from arbitr_client import Client
from arbitr_client.api.adjudications import adjudicate
from arbitr_client.api.games import get_game, get_rule
from arbitr_client.api.options import list_options
from arbitr_client.api.problems import find_problems
from arbitr_client.api.states import set_up
from arbitr_client.models import (
    Illegal,
    ProblemDetails,
    ZavandorAdjudication,
    ZavandorLegal,
    ZavandorOptionsQuery,
    ZavandorProblemsQuery,
    ZavandorSetup,
)

GAME = "zavandor"
SETUP = {
    "seats": [{"id": "ann", "name": "Ann"}, {"id": "bob", "name": "Bob"}, {"id": "cyd", "automated": True}],
    "chance": {"mode": "seeded", "seed": "python"},
}


def filled(option):
    """The action of an option: `open`, `others_refused_by`, `text` and `notes` dropped, the examples filled in."""
    action = {k: v for k, v in option.items() if k not in ("open", "others_refused_by", "text", "notes")}
    return action | {name: shown["example"] for name, shown in option.get("open", {}).items()}


def play(client, rng):
    """The last state and the outcome, with the number of plies and of texts on the way."""
    reached = set_up.sync(GAME, client=client, body=ZavandorSetup.from_dict(SETUP), accept_language="cs")
    plies = texts = 0
    while reached.outcome is None:
        query = ZavandorOptionsQuery(state=reached.state, seal=reached.seal)
        options = [o.to_dict() for o in list_options.sync(GAME, client=client, body=query).options]
        asked = {
            "state": reached.state.to_dict(),
            "seal": reached.seal,
            "action": filled(rng.choice(options)),
        }
        reached = adjudicate.sync(GAME, client=client, body=ZavandorAdjudication.from_dict(asked))
        assert isinstance(reached, ZavandorLegal), reached
        plies += 1
        texts += sum(bool(event.text) for event in reached.events)
    return reached, plies, texts


def main(base):
    client = Client(base_url=base)
    reached, plies, texts = play(client, random.Random(4711))
    late = {
        "state": reached.state.to_dict(),
        "seal": reached.seal,
        "action": {"kind": "end-turn", "actor": "ann"},
    }
    after = adjudicate.sync(GAME, client=client, body=ZavandorAdjudication.from_dict(late))
    assert isinstance(after, Illegal)
    spoiled = ZavandorProblemsQuery.from_dict({"state": {**reached.state.to_dict(), "turn": -1}})
    refused = find_problems.sync(GAME, client=client, body=spoiled)
    assert isinstance(refused, ProblemDetails)
    told = {
        "kinds": len(get_game.sync(GAME, client=client).actions),
        "plies": plies,
        "texts": texts,
        "outcome": reached.outcome.to_dict(),
        "rule": get_rule.sync(GAME, after.violations[0].rule, client=client).text,
        "refused": refused.errors[0].pointer,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
