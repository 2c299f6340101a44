"""Root 1.0, put together from its chapters: who plugs in where stands here, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.engine.rule import load_rulebook
from service.engine.ruleset import Option, Ruleset
from service.engine.words import load_words
from service.games.root.v1 import (
    alliance,
    alliance_evening,
    alliance_problems,
    alliance_prudent,
    alliance_reactions,
    alliance_turn,
    battle,
    battle_cards,
    cards,
    components,
    crafting,
    decree,
    effects,
    eyrie,
    eyrie_problems,
    hits,
    marquise,
    marquise_problems,
    marquise_turn,
    problems,
    prudent,
    removal,
    setup,
    turmoil,
    turn,
    victory,
)
from service.games.root.v1.components import Plugs
from service.games.root.v1.figures import COMPONENTS, HERE, PRINTED
from service.games.root.v1.state import Board

CHAPTERS = (
    components, cards, removal, hits, battle, effects, victory, setup, turn,
    marquise, marquise_turn, eyrie, turmoil, decree,
    alliance, alliance_reactions, alliance_turn, alliance_evening,
    problems, marquise_problems, eyrie_problems, alliance_problems, prudent,
)  # fmt: skip

PLUGS = Plugs(
    factions=(marquise_turn.FACTION, decree.FACTION, alliance_evening.FACTION),
    takes_hits=(hits.AssignHits,),
    after_move=(alliance_reactions.Outrage,),
    after_removal=(marquise.FieldHospitals, alliance_reactions.Outrage, alliance_reactions.BaseLoss),
)

# What is asked at each point, and who answers, in order. The first answer that is not None counts, except where a
# comment says that all do. Every function gets the table first.
HOOKS: dict[str, tuple[Callable[..., Any], ...]] = {
    # (seat) -> Faction
    "faction": tuple(f.of for f in PLUGS.factions),
    # the map: all of (seat, clearing) -> adjacent clearings; (seat, clearing) -> clause that forbids
    "more-paths": (),
    "may-not-place": (marquise.only_she_places_at_the_keep,),
    "may-not-enter": (),
    # all of (seat, clearing) -> whether he has a piece there that is not on the map (a pawn)
    "presence": (),
    # rule: all of (clearing, {seat: n}) -> {seat: n}; (clearing) -> seat; (clearing, seats that are tied) -> seat
    "counted-as": (),
    "rules-by-right": (),
    "wins-ties": (eyrie.lords_of_the_forest,),
    # cards: (card) -> place; (draw, card) -> place; (seat, card that is not in his hand) -> clause that keeps it there
    "discard-to": (cards.available, cards.discard_pile),
    "drawn-to": (alliance.drawn_as_supporter, cards.drawn_to_hand),
    "not-of-hand": (alliance.good_for_suits_only,),
    # movement: all of (seat, from, to) -> whether rule does not matter; all of (seat, from, to) -> frames
    "moves-freely": (),
    "after-move": (alliance_reactions.outrage_at_entry,),
    # removal: (removal, remover, piece) -> place; all of (removal, remover, n) -> (clause, points); all of (removal)
    # -> frames with a seat
    "removed-to": (removal.out_of_the_game, removal.to_its_supply),
    "removal-points": (eyrie.despot,),
    "after-removal": (
        marquise.field_hospitals,
        alliance_reactions.outrage_at_removal,
        alliance_reactions.base_lost,
    ),
    # battle: all of (seat, clearing) -> bool; (battle) -> bool; (battle) -> clause; all of (battle) -> frames
    "can-attack": (),
    "may-ambush": (),
    "unmoved-by-ambush": (battle_cards.scouting_party,),
    "before-roll": (),
    # (battle) -> clause; (battle, seat) -> n; (battle) -> bool; all of (battle, seat) -> (clause, n)
    "higher-for-defender": (alliance.guerrilla_war,),
    "most-rolled-hits": (),
    "is-defenseless": (),
    "extra-hits": (battle.defenseless, eyrie.commander),
    # (battle, seat, card) -> what it does
    "battle-card": (battle_cards.battle_card,),
    # hits: (battle, seat) -> pieces; (hits, seat) -> bool; (battle, seat) -> who removes them
    "takes-hits-on": (hits.own_pieces,),
    "chooses-hits": (),
    "removes-for": (hits.other_side,),
    "after-battle": (),
    # crafting: (seat, item) -> place; (seat, card) -> (clause, points)
    "item-to": (crafting.crafted_items_box,),
    "item-points": (eyrie.disdain_for_trade, crafting.printed_points),
    # all of (seat, other) -> whether they are partners; (seat) -> clause; all of (seat) -> seats that win with him
    "partners": (),
    "no-dominance": (),
    # the prudent player: (action) -> what it is worth; (action) -> the same with its open parameters chosen
    "worth": (alliance_prudent.worth, prudent.worth),
    "filled-in": (alliance_prudent.filled_in, prudent.in_full),
    # problems: all of () -> [(clause, piece of which a clearing holds one at most)]; all of (seat) -> [places]
    "draw-places": (cards.into_hands, alliance.into_the_stack),
    "one-a-clearing": (eyrie.one_roost_a_clearing, alliance.one_sympathy_a_clearing),
    "wins-with": (),
}

RULES = Ruleset(
    "root",
    "1.0",
    board=Board,
    book=load_rulebook(HERE / "rulebook.toml"),
    words=load_words(HERE / "words.toml", COMPONENTS),
    components=COMPONENTS,
    seats=(2, sum(PRINTED.factions[f.id].copies for f in PLUGS.factions)),
    over="ROOT-WIN-1",
    ends={rule: rule for rule in ("ROOT-WIN-2", "ROOT-DOM-2", "ROOT-DOM-3")},
    options=(Option("seating", "random", ("random", "listed"), "ROOT-SETUP-2"),),
    choices={"faction": tuple(f.id for f in PLUGS.factions)},
)

for point, functions in HOOKS.items():
    RULES.hook(point, *functions)
for chapter in CHAPTERS:
    chapter.declare(RULES, PLUGS)
RULES.close(HERE, "ROOT")
