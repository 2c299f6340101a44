"""Games played over HTTP, as a client without any knowledge of the rules plays them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.battery.wire import Client, Json
from service.config import UserError

SEATS = ("ann", "bob", "cyd", "dan", "eve", "fay", "gus", "hal")
CHANCE = "chance"
MOST_PLIES = 3_000
NOT_PARAMETERS = frozenset({"open", "others_refused_by", "text", "notes"})


@dataclass(frozen=True)
class Spot:
    """A state that was reached, what was listed there, what was played, and what came of it."""

    where: str
    state: Json
    listed: Sequence[Json]
    decisions: Sequence[Json]
    action: Json = None
    judgement: Json = None


@dataclass
class Played:
    """One game: its set-up, its spots in order, and its last answer; `stuck` says what stopped it before its end."""

    where: str
    seats: Sequence[str]
    setup: Json
    start: Json
    spots: list[Spot] = field(default_factory=list)
    last: Json = None
    outcome: Json = None
    ended: Json = None
    stuck: str | None = None


class Games:
    """One game of a service, by its addresses."""

    def __init__(self, client: Client, game: str) -> None:
        self.client, self.game, self.root = client, game, f"/v1/games/{game}"
        self.about = client.get(self.root).json or {}

    def call(self, name: str, value: Json, language: str = "en") -> Json:
        """The answer of a call that is to succeed; None where it does not."""
        answer = self.client.post(f"{self.root}/{name}", value, language)
        return answer.json if answer.status == 200 else None

    def refused(self, name: str, value: Json) -> str:
        """How a call answers that is to succeed and does not."""
        answer = self.client.post(f"{self.root}/{name}", value)
        return f"{name} answers {answer.status}: {answer.body[:300].decode(errors='replace')}"

    def play(self, number: int, seed: int) -> Played:
        """A game from its set-up: random seats, and beside them automated ones, so that it goes somewhere.

        Numbers go through the values of the set-up's options.
        """
        rng = random.Random(f"{seed} {number}")
        where = f"{self.game}, seed {seed}, game {number}"
        setup = self._setup(number, seed, rng)
        setup, begun = self._begun(setup)
        if begun is None:
            setup, begun = self._begun(_without_automated(setup))
        seats = [seat["id"] for seat in setup["seats"]]
        played = Played(where, seats, setup, begun)
        if begun is None:
            played.stuck = self.refused("states", setup)
            return played
        self._play_on(played, begun, rng)
        return played

    def _begun(self, setup: Json) -> tuple[Json, Json]:
        """A set-up and the game that it begins; an option that does not go with the rest is left at its default."""
        while True:
            answer = self.client.post(f"{self.root}/states", setup)
            if answer.status == 200:
                return setup, answer.json
            errors = answer.json.get("errors", ()) if isinstance(answer.json, dict) else ()
            refused = {str(error["pointer"]).rpartition("/")[2] for error in errors if "pointer" in error}
            kept = {name: value for name, value in setup["options"].items() if name not in refused}
            if kept == setup["options"]:
                return setup, None
            setup = {**setup, "options": kept}

    def _setup(self, number: int, seed: int, rng: random.Random) -> Json:
        counts = self.about.get("seats", {"least": 2, "most": 2})
        n = counts["least"] + number % (min(counts["most"], len(SEATS)) - counts["least"] + 1)
        random_seats = rng.randrange(n)
        seats = [{"id": s, "automated": i > random_seats} for i, s in enumerate(SEATS[:n])]
        options = {o["name"]: o["values"][number % len(o["values"])] for o in self.about.get("options", ())}
        chance = {"mode": "given"} if number % 2 else {"mode": "seeded", "seed": f"battery {seed} {number}"}
        return {"seats": seats, "chance": chance, "options": options}

    def _play_on(self, played: Played, begun: Json, rng: random.Random) -> None:
        state, outcome = begun["state"], begun["outcome"]
        for n in range(MOST_PLIES):
            if outcome is not None:
                break
            where = f"{played.where}, ply {n}"
            listed = self.call("options", {"state": state})
            if listed is None or not listed["options"]:
                played.stuck = (
                    self.refused("options", {"state": state}) if listed is None else "nothing is legal"
                )
                break
            action = chosen(listed["options"], rng)
            judgement = self.call("adjudications", {"state": state, "action": action})
            spot = Spot(where, state, listed["options"], listed["decisions"], action, judgement)
            played.spots.append(spot)
            if judgement is None or judgement["verdict"] != "legal":
                played.stuck = f"{action} was listed and is refused"
                break
            state, outcome = judgement["state"], judgement["outcome"]
            played.ended = judgement
        played.last, played.outcome = state, outcome


def _without_automated(setup: Json) -> Json:
    """The same set-up for a game that has no automated player."""
    return {**setup, "seats": [{"id": seat["id"]} for seat in setup["seats"]]}


def chosen(options: Sequence[Json], rng: random.Random) -> Json:
    """An action: a kind at random, then one of its options."""
    kind = rng.choice(sorted({option["kind"] for option in options}))
    return filled(rng.choice([option for option in options if option["kind"] == kind]))


def filled(option: Json) -> Json:
    """The action of an option: `open` dropped, its examples filled in."""
    opens = option.get("open", {})
    return {**closed(option), **{name: shown["example"] for name, shown in opens.items()}}


def closed(option: Json) -> Json:
    """Kind, actor and closed parameters of an option."""
    return {name: value for name, value in option.items() if name not in NOT_PARAMETERS}


def spots_of(games: Sequence[Played], n: int, rng: random.Random) -> list[Spot]:
    """`n` spots, each kind of action in its turn, so that the rare ones are among them."""
    piles: dict[str, list[Spot]] = {}
    for spot in (spot for game in games for spot in game.spots):
        piles.setdefault(spot.action["kind"], []).append(spot)
    for pile in piles.values():
        rng.shuffle(pile)
    return list(_in_turn(list(piles.values()), n))


def _in_turn(piles: Sequence[list[Spot]], n: int) -> Iterator[Spot]:
    while n and any(piles):
        for pile in piles:
            if pile and n:
                n -= 1
                yield pile.pop()


def games_of(client: Client, only: str | None) -> list[Games]:
    """The games of a service, or the one that is named. Raises UserError."""
    answer = client.get("/v1/games")
    known = answer.json
    if answer.status != 200 or not isinstance(known, Mapping) or "games" not in known:
        raise UserError(f"{client.url} is no Arbitr: /v1/games answers {answer.status}")
    names: list[Any] = [entry["game"] for entry in known["games"]]
    if only is not None and only not in names:
        raise UserError(f"{client.url} has no game {only}; there is: {', '.join(names)}")
    return [Games(client, name) for name in names if only in (None, name)]
