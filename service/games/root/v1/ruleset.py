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
    campaign,
    cards,
    components,
    crafting,
    cult,
    cult_birdsong,
    cult_daylight,
    cult_evening,
    cult_problems,
    cult_prudent,
    cult_setup,
    decree,
    draw_problems,
    effects,
    eyrie,
    eyrie_problems,
    hits,
    marquise,
    marquise_problems,
    marquise_turn,
    mechanical,
    mechanical_problems,
    mechanical_standing,
    mechanical_turn,
    mode_problems,
    modes,
    problems,
    prudent,
    removal,
    riverfolk,
    riverfolk_evening,
    riverfolk_mercenaries,
    riverfolk_posts,
    riverfolk_problems,
    riverfolk_prudent,
    riverfolk_services,
    riverfolk_turn,
    scenarios,
    setup,
    spies,
    spies_problems,
    spies_prudent,
    turmoil,
    turn,
    vagabond,
    vagabond_aid,
    vagabond_battle,
    vagabond_coalition,
    vagabond_cost_problems,
    vagabond_frame_problems,
    vagabond_items,
    vagabond_move,
    vagabond_problems,
    vagabond_prudent,
    vagabond_ruins,
    vagabond_setup,
    vagabond_turn,
    victory,
)
from service.games.root.v1.components import Plugs
from service.games.root.v1.figures import COMPONENTS, CORNERS, HERE, PRINTED, Figures, references
from service.games.root.v1.house import OVERRIDABLE, unsound
from service.games.root.v1.state import Board

CHAPTERS = (
    components, cards, removal, hits, battle, effects, victory, setup, turn, modes, campaign,
    marquise, marquise_turn, eyrie, turmoil, decree,
    alliance, alliance_reactions, alliance_turn, alliance_evening,
    cult, cult_setup, cult_birdsong, cult_daylight, cult_evening,
    vagabond, vagabond_setup, vagabond_battle, vagabond_aid, vagabond_ruins, vagabond_turn,
    riverfolk, riverfolk_posts, riverfolk_turn, riverfolk_evening,
    mechanical, mechanical_standing, mechanical_turn, spies,
    problems, mode_problems, marquise_problems, eyrie_problems, alliance_problems, cult_problems,
    mechanical_problems,
    vagabond_problems, vagabond_frame_problems, vagabond_cost_problems, riverfolk_problems, spies_problems, prudent,
)  # fmt: skip

MOST_SEATS = 6  # ROOT-SETUP-1

PLUGS = Plugs(
    factions=(
        marquise_turn.FACTION,
        decree.FACTION,
        alliance_evening.FACTION,
        cult_evening.FACTION,
        vagabond_turn.FACTION,
        riverfolk_evening.FACTION,
        mechanical_turn.FACTION,
    ),
    takes_hits=(hits.AssignHits,),
    after_move=(alliance_reactions.Outrage,),
    after_removal=(
        marquise.FieldHospitals,
        alliance_reactions.Outrage,
        alliance_reactions.BaseLoss,
        cult.Fear,
        riverfolk_posts.TradeDisruption,
        vagabond.Hostility,
    ),
    before_ambush=(vagabond_battle.Allies,),
    before_roll=(vagabond_battle.Protector,),
    birdsong_windows=riverfolk_services.WINDOWS,
    evening_windows=(vagabond_move.COBBLER,),
    totals=(vagabond.TOTALS,),
    in_turn=vagabond_items.IN_TURN,
    in_daylight=(spies.PlaySpy, spies.UseSpy),
    from_daylight=(spies.Spying,),
    dealt=(mechanical.OrderRow,),
    wishes=(mechanical.refused_keeps,),
    one_a_clearing={
        **eyrie.ONE_A_CLEARING,
        **alliance.ONE_A_CLEARING,
        **riverfolk_posts.ONE_A_CLEARING,
    },
)

# What is asked at each point, and who answers, in order. The first answer that is not None counts, except where a
# comment says that all do. Every function gets the table first.
HOOKS: dict[str, tuple[Callable[..., Any], ...]] = {
    # (seat) -> Faction
    "faction": tuple(f.of for f in PLUGS.factions),
    # the map: all of (seat, clearing) -> adjacent clearings; (seat, clearing) -> clause that forbids
    "more-paths": (riverfolk.by_river,),
    "may-not-place": (marquise.only_she_places_at_the_keep, vagabond.scorched),
    "may-not-enter": (vagabond.scorched,),
    # (seat) -> clause: why a player has no hand; why nobody decides for him
    "no-hand": (mechanical.no_hand,),
    "acts-by-itself": (mechanical.acts_by_itself,),
    # set-up: (seat) -> frame that deals him something else than a hand; (seat, place) -> whether he has something
    # there from his set-up
    "dealt": (mechanical.orders_dealt,),
    # (seat) -> n, of those who set up by one letter: 1 for who comes second
    "sets-up-later": (vagabond_setup.sets_up_later,),
    "has-at-setup": (mechanical.has_items_at_setup,),
    # set-up: all of () -> corners in which others have begun
    "corners-taken": (marquise.her_corner, eyrie.their_corner),
    # all of (seat, clearing) -> whether he has a piece there that is not on the map (a pawn)
    "presence": (vagabond.pawn_is_there,),
    # rule: all of (clearing, {seat: n}) -> {seat: n}; (clearing) -> seat; (clearing, seats that are tied) -> seat
    "counted-as": (riverfolk_mercenaries.counted_as_the_buyers,),
    "rules-by-right": (cult.pilgrims,),
    "wins-ties": (eyrie.lords_of_the_forest,),
    # cards: (seat) -> place of his hand; (card) -> place; (draw, card) -> place; (seat, card that is not in his hand)
    # -> clause that keeps it there; all of (seat, card, place of his board or none: the hand) once it is gone
    "hand-at": (riverfolk.open_hand,),
    "discard-to": (cult.lost_souls, cards.available, cards.discard_pile),
    "drawn-to": (alliance.drawn_as_supporter, cards.drawn_to_hand),
    "after-spending": (campaign.lost_when_discarded,),
    "not-of-hand": (alliance.good_for_suits_only, cult.no_more_of_the_hand),
    # (because, seat, from whom) -> frame that gives him a card in place of a random one of that hand; (because, card,
    # place, seat) -> clause by which a card that is given to him has gone elsewhere than to his hand
    "taken": (mechanical_standing.taken_from_the_deck,),
    "received": (mechanical_standing.discarded_for_a_point,),
    # movement: all of (seat, from, to) -> whether rule does not matter; all of (seat, from, to) -> frames; all of
    # (seat, clearing) -> whether somebody else's warriors there can have come with him
    "moves-freely": (vagabond.nimble, riverfolk.swims),
    "after-move": (alliance_reactions.outrage_at_entry,),
    "has-brought": (vagabond_move.comes_with_allies,),
    # removal: (removal, remover, piece) -> place; all of (removal, remover, n) -> (clause, points); (removal, piece)
    # -> faction that loses it; all of (removal) -> frames with a seat
    "removed-to": (removal.out_of_the_game, cult.revenge, removal.to_its_supply),
    "removal-points": (eyrie.despot, vagabond.infamy),
    "lost-by": (riverfolk_mercenaries.lost_by_the_buyer,),
    "after-removal": (
        marquise.field_hospitals,
        alliance_reactions.outrage_at_removal,
        alliance_reactions.base_lost,
        cult.fear_of_the_faithful,
        riverfolk_posts.trade_disruption,
        vagabond.hostility,
    ),
    # battle: all of (battle) -> frames; all of (seat, clearing) -> bool; all of (seat, clearing, against whom) ->
    # others' warriors that fight as his own; (battle) -> clause that forbids; (battle) -> clause; all of (battle) ->
    # frames
    "battle-begins": (vagabond_battle.allies,),
    "can-attack": (vagabond.pawn_is_there,),
    "lends-warriors": (riverfolk_mercenaries.fight_for_the_buyer,),
    "no-ambush": (mechanical.hates_surprises,),
    "unmoved-by-ambush": (battle_cards.scouting_party,),
    "before-roll": (vagabond_battle.protector,),
    # (battle) -> clause; (battle, seat) -> n; all of (battle, seat) -> n; (battle) -> bool; all of (battle, seat) ->
    # (clause, n)
    "higher-for-defender": (alliance.guerrilla_war,),
    "most-rolled-hits": (vagabond_battle.swords,),
    "more-rolled-hits": (vagabond_battle.swords_of_others,),
    "is-defenseless": (vagabond_battle.without_a_sword,),
    "extra-hits": (battle.defenseless, eyrie.commander),
    # (battle, seat, card) -> what it does
    "battle-card": (battle_cards.battle_card,),
    # hits: (battle, seat) -> pieces (or items); (battle, seat) -> what of them goes first; (hits, seat) -> bool;
    # (battle, seat) -> who picks for that side; (battle, seat, pieces) -> what of them leaves the map;
    # (battle, seat) -> who removes them; (battle, seat, n) -> how n hits are shared among warriors of several
    "takes-hits-on": (vagabond_battle.items_and_allies, hits.own_pieces),
    "goes-first": (vagabond_battle.in_any_order,),
    "chooses-hits": (),
    "picks-for": (vagabond_battle.instigator_picks,),
    "takes-damage": (vagabond_battle.take_damage,),
    "removes-for": (vagabond_battle.instigator_removes, hits.other_side),
    "shares-hits": (riverfolk_mercenaries.share_hits,),
    "after-battle": (vagabond_battle.betrayed,),
    # crafting: (seat, item) -> place; (seat, card) -> (clause, points)
    "item-to": (
        vagabond_items.item_to,
        crafting.crafted_items_box,
    ),
    "item-points": (eyrie.disdain_for_trade, crafting.printed_points),
    # all of (seat, other) -> whether they are partners; (seat) -> clause; all of (seat) -> seats that win with him
    "partners": (vagabond_coalition.partners,),
    "no-dominance": (vagabond_coalition.no_dominance,),
    "wins-with": (vagabond_coalition.wins_with,),
    # services: (seat) -> clauses of who has bought all he may; (seat) -> the items that he could exhaust to pay;
    # (clause, seat, item) -> whether he has exhausted it
    "no-more-services": (mechanical_standing.buys_nothing, riverfolk_services.bought_all),
    "items-to-exhaust": (vagabond_items.ready_items,),
    "exhausts": (vagabond_items.exhausts,),
    # all of (seat) once he has arranged his items
    "after-arranging": (vagabond_turn.count_again,),
    # (seat) -> how many items he has exhausted
    "exhausted": (vagabond_items.exhausted,),
    # the prudent player: (action) -> what it is worth; (action) -> the same with its open parameters chosen
    "worth": (
        alliance_prudent.worth,
        cult_prudent.worth,
        vagabond_prudent.worth,
        riverfolk_prudent.worth,
        spies_prudent.worth,
        prudent.worth,
    ),
    "filled-in": (
        alliance_prudent.filled_in,
        vagabond_prudent.filled_in,
        riverfolk_prudent.filled_in,
        prudent.in_full,
    ),
    # problems: all of () -> [places of draws]
    # all of (cause, draw) -> Due; all of (cause, random card) -> Due
    "draw-due": (
        draw_problems.draws_of_all,
        marquise_problems.draws_due,
        eyrie_problems.draws_due,
        alliance_problems.draws_due,
        cult_problems.draws_due,
        vagabond_frame_problems.draws_due,
        riverfolk_problems.draws_due,
        mechanical_standing.draws_due,
    ),
    "random-card-due": (draw_problems.random_cards_of_all, vagabond_frame_problems.random_cards_due),
    # (seat) -> whether its crafting pieces are those that it had when Daylight began
    "crafting-lasts": (
        marquise_problems.crafting_lasts,
        eyrie_problems.crafting_lasts,
        alliance_problems.crafting_lasts,
    ),
    "draw-places": (cards.into_hands, alliance.into_the_stack),
}

# What ends a game besides 30 points.
ENDS = (
    "ROOT-WIN-2", "ROOT-WIN-3", "ROOT-DOM-2", "ROOT-DOM-3", "ROOT-COOP-2", "ROOT-COOP-4", "ROOT-COOP-5",
)  # fmt: skip

RULES = Ruleset(
    "root",
    "1.0",
    board=Board,
    book=load_rulebook(HERE / "rulebook.toml"),
    words=load_words(HERE / "words.toml", {**COMPONENTS, "references": references()}),
    components=COMPONENTS,
    seats=(2, min(MOST_SEATS, sum(PRINTED.factions[f.id].copies for f in PLUGS.factions))),
    over="ROOT-WIN-1",
    figures=Figures,
    house=OVERRIDABLE,
    sound=unsound,
    ends={rule: rule for rule in ENDS},
    options=(Option("seating", "random", ("random", "listed"), "ROOT-SETUP-2"), *modes.OPTIONS),
    choices={"faction": tuple(f.id for f in PLUGS.factions), "keep": CORNERS},
    lists=modes.LISTS,
    scenarios=scenarios.load(),
)

for point, functions in HOOKS.items():
    RULES.hook(point, *functions)
for chapter in CHAPTERS:
    chapter.declare(RULES, PLUGS)
RULES.close(HERE, "ROOT")
