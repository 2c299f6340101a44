"""What a call is asked about: a state that its poster sees whole, or a token of which he sees what his seat does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from service.engine.judge import Judgement
from service.engine.options import Tries
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, encode
from service.http import session_wire
from service.http.context import context
from service.http.locale import language
from service.http.wire import Json, Teller, decisions
from service.sessions import referee, seated, sitting
from service.sessions.referee import Questions
from service.sessions.replay import digest
from service.sessions.seated import Seated
from service.sessions.tokens import DEALER
from service.sessions.visit import NotYours
from service.sessions.wrapping import Origin

Asked = Mapping[str, Any]


class Plain:
    """A posted state, once it is known that it may be judged. Raises BrokenSeal, ForeignState, ImpossibleState."""

    def __init__(self, rules: Ruleset, asked: Asked) -> None:
        self.rules, self.parent = rules, asked.get("seal")
        self.questions = Questions(asked["canonical"])
        self.teller = Teller(rules, language(), asked["state"].seats)
        self.held = context()
        self.state = self.held.gate.admit(rules, asked["state"], asked["canonical"], self.parent)

    def adjudicated(self, actions: Sequence[Json], explain: bool) -> tuple[Judgement, Json]:
        """A judgement, and what is told of it."""
        found = referee.adjudicate(self.rules, self.state, actions, self.held.fairness, explain)
        return found, whole(self.teller, found, self.parent) if found.legal else {}

    def options(self, asked: Asked) -> Json:
        """Who must decide, and every legal option."""
        found, deciding = referee.options(
            self.rules, self.state, asked.get("actor"), asked.get("kinds"), asked.get("limit")
        )
        return listed(self.teller, found, decisions(deciding))

    def view(self, asked: Asked) -> Json:
        """What a seat may know."""
        seen, deciding = referee.view(self.rules, self.state, asked["seat"])
        return {"view": seen, "decisions": decisions(deciding)}


class Held:
    """A token and whoever has a key to it. Raises WrongKey, ForeignState."""

    def __init__(self, rules: Ruleset, asked: Asked) -> None:
        held, self.origin = context(), asked["origin"]
        held.gate.demand_issued(asked["state"])
        self.questions = Questions(f"{asked['token']} {asked['key']}".encode())
        self.at = seated.sit(held.keys, rules, self.origin, asked["state"], asked["key"])
        self.teller = session_wire.teller(self.at)

    def adjudicated(self, actions: Sequence[Json], explain: bool) -> tuple[Judgement, Json]:
        """A judgement, and what is told of it to the seat. Raises NotYours."""
        found = seated.adjudicate(self.at, actions, context().fairness, explain)
        return found, shown(self.teller, self.at, found, self.origin) if found.legal else {}

    def options(self, asked: Asked) -> Json:
        """Who must decide, and what the seat may do; answers of chance too, where they are its to give."""
        if asked.get("actor") is not None:
            sitting.demand_own(self.at, asked["actor"])
        tries = Tries()
        every = sitting.options(self.at, tries, asked.get("kinds"))
        if asked.get("actor") is not None:
            every = (o for o in every if o.act.actor == asked["actor"])
        return listed(self.teller, referee.listed(every, asked.get("limit"), tries), _deciding(self.at))

    def view(self, asked: Asked) -> Json:
        """What the seat may know, or a spectator; when the game is over, the seed of its draws too."""
        seat = asked.get("seat", self.at.bearer.seat)
        if seat not in (None, self.at.bearer.seat):
            raise NotYours(seat)
        chance = sitting.promised(self.at, context().fairness)
        return {"chance": chance, "view": referee.seen(self.at.state, seat), "decisions": _deciding(self.at)}


def posted(rules: Ruleset, asked: Asked) -> Plain | Held:
    """What the call is asked about."""
    return Held(rules, asked) if "origin" in asked else Plain(rules, asked)


# -- what is answered -------------------------------------------------------------------------------------------------


def whole(teller: Teller, judged: Judgement, parent: str | None = None) -> Json:
    """The new state under its seal, and all that happened; `parent`: the seal of the state before."""
    assert judged.state is not None
    canonical = encode(judged.state)
    seal = context().seals.seal(judged.state, canonical, parent)
    return {"state": msgspec.Raw(canonical), "seal": seal, **teller.happened(judged)}


def shown(teller: Teller, at: Seated, judged: Judgement, origin: Origin) -> Json:
    """The token of the new state, and what the bearer sees of it and saw happen.

    The digest of the end comes with the seed, which tells every hand: else the hands could be guessed until it fits.
    """
    assert judged.state is not None
    seat, after = at.bearer.seat, Seated(at.rules, judged.state, at.bearer)
    chance = sitting.promised(after, context().fairness)
    asked = any(d.actor == CHANCE for d in judged.decisions)
    return {
        "token": context().wrapping.wrap(origin, encode(judged.state)),
        "chance": chance,
        "view": referee.seen(judged.state, seat),
        "events": session_wire.told(teller, seat, judged.events),
        "played": [p.seen_by(seat) for p in judged.played],
        "decisions": _deciding(after) if asked else decisions(judged.decisions),
        "outcome": judged.outcome,
        **({"digest": digest(judged.state)} if "seed" in chance else {}),
    }


def _deciding(at: Seated) -> list[Json]:
    """Who must decide; no host sits at this table, so the dealer answers for what everybody sees."""
    found = session_wire.decisions(at)
    for decision in found:
        if "roles" in decision.get("answered_by", ()):
            decision["answered_by"] = {**decision["answered_by"], "roles": [DEALER]}
    return found


def listed(teller: Teller, found: referee.Listing, deciding: list[Json]) -> Json:
    """Options with their sentences."""
    told = [teller.option(o) for o in found.options]
    return {"decisions": deciding, "options": told, "complete": found.complete}
