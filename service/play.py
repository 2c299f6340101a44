"""What the command line prints of the games: their clauses, and whole games that play themselves."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from typing import Any

from service.config import UserError
from service.engine.action import Action
from service.engine.domain import Open
from service.engine.judge import Judgement, judge
from service.engine.lookahead import can_finish
from service.engine.options import Option, options
from service.engine.registry import UnknownGame
from service.engine.rule import Rule
from service.engine.ruleset import Ruleset, SetupRefused, SetupSeat
from service.engine.setup import Setup, start
from service.engine.table import Table
from service.games import REGISTRY
from service.sessions.fairness import Fairness

NAMES = ("ann", "bob", "cleo", "dan", "eve", "finn")
WIDTH = 100


def ruleset(game: str) -> Ruleset:
    """The current ruleset of a game; UserError names those there are."""
    try:
        return REGISTRY.get(game)
    except UnknownGame:
        known = ", ".join(rules.game for rules in REGISTRY)
        raise UserError(f"no game is called {game}; there is: {known}") from None


def printed_rules(game: str, rule: str | None, language: str) -> Iterator[str]:
    """All clauses of a game by chapter, or one, with where they stand."""
    book = ruleset(game).book
    if rule is not None and rule not in book.rules:
        raise UserError(f"{game} has no clause {rule}; `arbitr rules {game}` lists them all")
    chapter = None
    for entry in [book[rule]] if rule else book.rules.values():
        if entry.chapter != chapter:
            chapter = entry.chapter
            yield f"\n{book.chapters[chapter][language]}\n"
        yield from _clause(game, entry, language)


def _clause(game: str, entry: Rule, language: str) -> Iterator[str]:
    document = ruleset(game).book.documents[entry.document][language]
    page = f", p. {entry.page}" if entry.page is not None else ""
    yield f"{entry.id}  ({document}{page})"
    yield textwrap.fill(entry.text[language], WIDTH, initial_indent="    ", subsequent_indent="    ")


# -- a game that plays itself -------------------------------------------------------------------------------------


def printed_game(game: str, seed: str, seats: int, players: str, language: str) -> Iterator[str]:
    """A whole game: what was decided, and under it what happened because of which clause."""
    rules = ruleset(game)
    fairness = Fairness(lambda: b"")
    setup_seats = [SetupSeat(NAMES[i] if i < len(NAMES) else f"seat-{i + 1}") for i in range(seats)]
    game_id, chance = fairness.open({"game": game, "seed": seed, "seats": seats, "players": players})
    draws = fairness.draws(game_id)
    try:
        last = start(rules, Setup(setup_seats, game_id, chance), draws)
    except SetupRefused as refused:
        raise UserError(f"--seats: {refused}") from None
    rng = random.Random(game_id)
    yield f"{rules.name}, seed {seed}: {', '.join(s.id for s in setup_seats)}\n"
    yield from _happened(rules, last, language)
    while last.outcome is None:
        assert last.state is not None
        table = Table(rules, last.state, draws)
        act = chosen(table, last.decisions[0].actor, players, rng)
        yield f"\n{act.actor}: {rules.words.option(act.to_wire(), act.facts(table), language)}"
        last = judge(rules, last.state, act.to_wire(), draws)
        yield from _happened(rules, last, language)
    yield ""
    yield from _result(rules, last, language)


def chosen(t: Table, actor: str, players: str, rng: random.Random) -> Action:
    """What a player who plays by himself does: a prudent one what he thinks best, a random one anything legal."""
    prudent = t.rules.prudent(t, actor) if players == "prudent" and t.rules.prudent else None
    return prudent or filled(t, rng.choice(list(options(t, actor))), rng)


def filled(t: Table, option: Option, rng: random.Random) -> Action:
    """The option's action with its open parameters sampled at random, each as far as the later ones allow it.

    Where what was sampled leads nowhere, it is the example.
    """
    act = option.act
    for name, domain in act.params.items():
        if isinstance(domain, Open):
            sampled = act.extended(name, domain.sample(t, act, rng))
            act = sampled if _later_ones_legal(t, sampled, name) else act
    if act is not option.act and act.must_finish is not None and not can_finish(t, act):
        return option.act
    return act


def _later_ones_legal(t: Table, act: Action, name: str) -> bool:
    later = list(act.params)[list(act.params).index(name) + 1 :]
    opens = [d for n in later if isinstance(d := act.params[n], Open)]
    return all(not d.check(t, act, getattr(act, d.name, None)) for d in opens)


def _happened(rules: Ruleset, judgement: Judgement, language: str) -> Iterator[str]:
    for event in judgement.events:
        wire = event.to_wire()
        text = rules.words.event(wire, language)
        if event.kind in ("round-begins", "turn-begins"):
            yield f"\n== {text}" if event.kind == "round-begins" else f"\n-- {text}"
        else:
            yield f"      {text}  [{event.because}]"


def _result(rules: Ruleset, last: Judgement, language: str) -> Iterator[str]:
    assert last.outcome is not None
    voice = rules.words.voice(language)
    for standing in sorted(last.outcome.standings, key=lambda s: -s.score):
        parts = ", ".join(f"{voice.score(name)} {n}" for name, n in standing.parts.items())
        won: Any = "  *" if standing.seat in last.outcome.winners else ""
        yield f"{standing.seat:>8} {standing.score:4}  ({parts}){won}"
