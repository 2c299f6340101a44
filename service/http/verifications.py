"""Verifying: is a record of a whole game what the rules and the seed say?"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from schemas.record import VerifiedSchema
from service.engine.ruleset import Ruleset, SetupRefused
from service.http.api import BODY_ERRORS, Blueprint
from service.http.context import context
from service.http.locale import language
from service.http.problems import LARGEST_BATCH
from service.http.queries import flag
from service.http.states import wish
from service.http.wire import Teller
from service.sessions import odds, verifying
from service.sessions.fairness import Fairness
from service.sessions.referee import ImpossibleState
from service.sessions.verifying import Verified

blueprint = Blueprint("verifications", __name__, url_prefix="/v1/games", description="Judging whole games.")

Json = dict[str, Any]
SETUP = "/record/setup"  # where the set-up lies in a body


@blueprint.route("/<game>/verifications", methods=["POST"])
@blueprint.answers(VerifiedSchema, errors=BODY_ERRORS, query=("odds",))
@blueprint.takes("verification", most=LARGEST_BATCH)
def verify(rules: Ruleset, asked: dict[str, Any]) -> Json:
    """Judge a record again, from its first action to its last. The answer names the first bad one and the clauses that
    it breaks, or the outcome, the digest of the final state, and whether the draws are those of the revealed seed."""
    record, with_odds = asked["record"], flag("odds")
    with _pointing_into_the_body():
        found = verified(rules, record, context().fairness)
    return told(rules, found, language(), with_odds)


@contextmanager
def _pointing_into_the_body() -> Iterator[None]:
    """What is wrong with the set-up of a record is told where it lies in the body; of a state it is told as everywhere,
    with pointers into the state."""
    try:
        yield
    except SetupRefused as refused:
        raise SetupRefused(p.below(SETUP) for p in refused.problems) from None
    except ImpossibleState as found:
        raise ImpossibleState([p.moved("/position", f"{SETUP}/position") for p in found.problems]) from None


def verified(rules: Ruleset, record: Mapping[str, Any], fairness: Fairness) -> Verified:
    """What comes of judging a record that its schema has loaded. Raises SetupRefused, ImpossibleState."""
    setup = record.get("setup")
    return verifying.verified(rules, record, None if setup is None else wish(rules, setup), fairness)


def told(rules: Ruleset, found: Verified, spoken: str, with_odds: bool = False) -> Json:
    """A verification as JSON, with sentences in a language."""
    teller = Teller(rules, spoken, found.state.seats)
    answer: Json = {"verdict": "valid" if found.reason is None else "invalid", "ruleset": rules.name}
    if found.reason is not None:
        answer |= {"reason": found.reason, "message": said(found.reason, spoken, at=found.at)}
    if found.at is not None:
        answer |= {"at": found.at, "violations": [teller.violation(v) for v in found.violations]}
    answer |= {"outcome": found.outcome, "digest": found.digest, "draws": found.draws.verdict}
    draws = found.draws
    if draws.why is not None:
        where = {n: v for n, v in (("at", draws.at), ("pointer", draws.pointer)) if v is not None}
        answer["difference"] = {"why": draws.why, **where, "message": said(draws.fault or draws.why, spoken)}
    return answer | ({"odds": odds.listed(found.odds)} if with_odds else {})


def said(name: str, spoken: str, **facts: Any) -> str:
    """A sentence about a record."""
    return _words()[name][spoken].format(**facts)


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("verifications.toml").read_text(encoding="utf-8"))
