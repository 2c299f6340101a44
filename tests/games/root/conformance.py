"""What only Root knows and the battery asks: what should be exercised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from service.engine.setup import Setup
from service.games.root.v1.alliance import BASES
from service.games.root.v1.cult import GARDENS
from service.games.root.v1.figures import (
    CHARACTERS,
    CLEARING_SUITS,
    LEADERS,
    PRINTED,
    RELATIONSHIPS,
    SERVICES,
)
from service.games.root.v1.riverfolk_posts import POSTS
from tests.games.root.ally import ALLY, CATS, FOXES, woodland
from tests.games.root.lizards import LIZARDS, NEWT, RABBITS_LEAD, cult_table
from tests.games.root.river import FOX_POST, OTTER, OTTERS, OWLS, TOD, river
from tests.games.root.robot import FOX, W, orders
from tests.games.root.spying import spying, turn_of
from tests.games.root.table import CAT, OWL, fresh, game

DISCLOSES = {
    "ROOT-FX-11",  # Codebreakers show a hand
    "hand-shown",  # so does who owes Outrage and has no card that matches
    "ROOT-SPY-6",  # a spy that is discarded tells the suit of the order
}


def items(rules: Any) -> set[str]:
    """Every faction played, every leader in power, every way to end a game that random play comes to."""
    found = {f"faction {f}" for f in rules.choices["faction"]} | {f"leader {leader}" for leader in LEADERS}
    found |= {f"character {c}" for c in CHARACTERS} | {f"relationship {r}" for r in RELATIONSHIPS}
    found |= {f"quest {suit}" for suit in CLEARING_SUITS} | {"coalition"}
    found |= {f"{building} built" for building in (*BASES.values(), *GARDENS.values())} | {"hated outcast"}
    found |= {f"{post} placed" for post in POSTS.values()}
    found |= {f"{service} bought" for service in SERVICES}
    return found | {f"{n} seats" for n in range(rules.least_seats, rules.most_seats + 1)}


def seen(ply: Any) -> set[str]:
    """What the table shows after this ply."""
    state = ply.judgement.state or ply.state
    found = {f"{len(state.seats)} seats"}
    for player in state.table.seats.values():
        found |= {f"faction {player.faction}"} if player.faction else set()
        found |= {f"leader {player.eyrie.leader}"} if player.eyrie and player.eyrie.leader else set()
        found |= {"hated outcast"} if player.cult and player.cult.hated else set()
        found |= of_a_vagabond(player.vagabond) if player.vagabond else set()
    pieces = {piece for here in state.table.map.values() for piece in here}
    found |= {f"{post} placed" for post in POSTS.values() if post in pieces}
    found |= {f"{service} bought" for frame in state.stack for service in getattr(frame, "services", ())}
    return found | {f"{b} built" for b in (*BASES.values(), *GARDENS.values()) if b in pieces}


def of_a_vagabond(board: Any) -> set[str]:
    """What a Vagabond's board shows."""
    found = {f"character {board.character}"} | {f"relationship {r}" for r in board.relationships.values()}
    found |= {f"quest {PRINTED.quests[q].suit}" for q in board.quests}
    return found | ({"coalition"} if board.coalition else set())


def positions(rules: Any) -> Iterable[Any]:
    """What play hardly ever comes to: allies, a Vagrant's choice of losses, a Cobbler, a coalition, two Vagabonds."""
    from tests.games.root.rogue import CATS, FOX, OWLS, no_cards, rogue, up  # a table is set with these rules
    from tests.games.root.test_vagabond_pairs import ambitious

    allied = {"marquise": "allied"}
    there = {"1": {CATS: 4}, "5": {CATS: 2}}
    yield from (
        rogue(there, relationships=allied, items=up("boots", "boots"), hand=h).state for h in ([], ["anvil"])
    )
    fight = rogue({"1": {CATS: 4, OWLS: 3}}, relationships=allied, items=up("sword", "torch"))
    yield fight.play(FOX, "battle", defender="owl").state
    quarrel = rogue({"1": {CATS: 1, "sawmill": 1, "wood": 2, OWLS: 3}}, character="vagrant")
    yield no_cards(quarrel.play(FOX, "instigate", attacker="owl", defender="cat")).roll(2, 0).state
    yield rogue({"1": {CATS: 1}}, "evening", crafted=["cobbler"]).state
    yield ambitious().state
    yield fresh("marquise", "vagabond", "vagabond").state
    yield fresh("eyrie", "vagabond").state  # the Eyrie choose their corner
    yield rogue({"1": {CATS: 2}}, character="scoundrel", items=up("torch")).state
    guarded = rogue({"1": {CATS: 2, OWLS: 2}}, character="arbiter", turn=CAT, items=up("sword", "sword"))
    yield no_cards(guarded.play(CAT, "battle", clearing="1", defender="owl")).state
    yield from positions_of_the_alliance()
    yield from positions_of_the_cult()
    yield from positions_of_the_riverfolk()
    yield from positions_beside_the_machine()
    yield from positions_of_the_spies()
    yield from positions_of_joint_games()


def positions_of_joint_games() -> Iterator[Any]:
    """A game of a campaign, one alone, and the end of a won one, where cards are kept."""
    from tests.games.root.test_campaign import won
    from tests.games.root.together import begun

    settings = {"mode": "cooperative", "campaign": "on", "wins": 1}
    called = {"eyrie": "owl", "cult": "newt", "alliance": "elk"}
    yield begun(BOT, "eyrie", "cult", kept={"eyrie": ["armorers"]}, called=called, **settings).state
    yield begun(BOT, "alliance", called=called, mode="solo").state
    yield won(owl=["armorers", "cobbler"], elk=["sappers"], kept=["armorers"]).state


BOT = "mechanical-marquise"


def settled(setup: Setup) -> Setup:
    """Modes and campaigns for games with an opponent that acts by itself, whose keep alone has a corner."""
    playing = [seat.choice.get("faction") for seat in setup.seats]
    seats = []
    for seat, faction in zip(setup.seats, playing, strict=True):
        clash = faction == BOT and "marquise" in playing
        choice = {n: v for n, v in seat.choice.items() if n != "keep" or faction == BOT}
        seats.append(replace(seat, choice={} if clash else choice))
    humans = sum(seat.choice.get("faction") != BOT for seat in seats)
    options = dict(setup.options)
    joint = "solo" if humans == 1 else "cooperative"
    if options and (humans == len(seats) or humans > 4):
        options |= {"mode": "competitive", "campaign": "off"}
    elif options and options["mode"] != "competitive":
        options |= {"mode": joint}
    else:
        options |= {"campaign": "off"} if options else {}
    figures = {name: figure["value"] for name, figure in setup.house.get("table", {}).items()}
    start = options.get("wins", 0) * figures.get("points-per-win", 3)
    if options and (options["campaign"] == "off" or start >= figures.get("points-to-win", 30)):
        options |= {"wins": 0}
    return replace(setup, seats=seats, options=options)


UNREACHED = {
    **{
        f"frame {name}": "nobody decides anything in it"
        for name in ("mechanical-birdsong", "mechanical-evening", "order-row")
    },
    **{f"option wins={n}": "a campaign goes on with one win as with many" for n in range(2, 10)},
    "frame riverfolk-birdsong": "the Riverfolk decide nothing in their Birdsong",
    "frame organizing": "nothing that anybody decides follows the removal of the Alliance's own warrior",
}


def positions_beside_the_machine() -> Iterator[Any]:
    """Cards taken from it and given to it, what it sells, battles with it, services, and its orders with the others."""

    def beside(map: Any, *others: str, turn: str = OWL, at: str = "daylight", **held: Any) -> Any:
        factions = zip((CAT, OWL, TOD), (BOT, *others), strict=False)
        seats = {seat: {"faction": faction, **held.get(seat, {})} for seat, faction in factions}
        return game(seats, map, turn=turn, at=at)

    there, selling = {"1": {"keep": 1, W: 4}, "5": {W: 2}}, {"items": {"boots": 1, "sword": 1, "tea": 1}}
    thief = {"pawn": "1", "hand": ["anvil"], "relationships": {BOT: "friendly-2"}}
    g = beside(there, "vagabond", owl=thief, cat=selling)
    yield g.state
    yield g.fork().play(OWL, "steal", player=CAT).state
    yield g.play(OWL, "aid", player=CAT, card="anvil", item="boots").state
    ally = {"pawn": "1", "relationships": {BOT: "allied"}, "own": {"satchel-up": ["boots", "boots", "sword"]}}
    for hand in ([], ["anvil"], ["sappers"], ["cobbler"]):
        arbiter = {"pawn": "1", "character": "arbiter"}
        joined = beside(there, "vagabond", "vagabond", owl={**ally, "hand": hand}, tod=arbiter)
        yield joined.state if not hand else joined.play(OWL, "battle", defender=TOD).state
    cards = {"crafted": ["stand-and-deliver", "better-burrow-bank"], "supporters": ["anvil", "sappers"]}
    banking = beside({**there, "8": {"sympathy": 1, W: 3}}, "alliance", "riverfolk", at="turn", owl=cards)
    yield banking.state
    warring = {
        "crafted": ["codebreakers", "tax-collector", "command-warren", "brutal-tactics"],
        "hand": ["ambush-fox"],
    }
    yield (g := beside({**there, "3": {"roost": 1}, "5": {W: 2, OWLS: 3}}, "eyrie", owl=warring)).state
    yield g.play(OWL, "command-warren", clearing="5", defender=CAT).roll(2, 1).state
    zeal = {"outcast": "fox", "lost_souls": ["bake-sale"], "acolytes": 3, "hand": ["anvil"]}
    yield beside({"4": {"keep": 1, W: 2}, "5": {W: 2}}, "cult", at="turn", owl=zeal).state
    guarded = {OWL: {"crafted": ["armorers", "sappers"]}, TOD: {"pawn": "8", "character": "arbiter"}}
    its = {"turn": CAT, "at": "turn"}
    g = beside({**there, "3": {"roost": 1}, "8": {W: 3, OWLS: 3}}, "eyrie", "vagabond", **its, **guarded)
    yield g.state
    yield (g := orders(g, "anvil")).state
    yield g.play(OWL, "pass").roll(3, 1).state
    trading = {"funds": {OTTERS: 2, "eyrie-warrior": 3}, "hand": ["sappers"]}
    storming = beside({"8": {W: 3, FOX_POST: 1}, "3": {"roost": 1}}, "riverfolk", "eyrie", **its, owl=trading)
    yield orders(storming, "anvil").roll(0, 0).state


def positions_of_the_riverfolk() -> Iterator[Any]:
    """A post is lost, and funds must go; services, for warriors and for items; mercenaries at war; prices; set-up."""
    stormed = river({"8": {CATS: 2, FOX_POST: 1}}, turn=CAT, funds={CATS: 2, OWLS: 3})
    yield stormed.fight(CAT, OTTER, "8", 1, 0).state
    trading = {"at": "turn", "hand": ["anvil", "ambush-rabbit"], "prices": (1, 1, 1)}
    here = {"5": {OTTERS: 2, CATS: 1, "rabbit-post": 1, OWLS: 3}}
    yield (g := river(here, turn=CAT, cat={"crafted": ["better-burrow-bank"]}, **trading)).state
    yield g.play(CAT, "hire-mercenaries").state
    yield river(here, turn=TOD, others={TOD: {"faction": "vagabond", "pawn": "5"}}, **trading).state
    war = river(here, turn=CAT, owl={"hand": ["ambush-bird"]}, **trading).play(CAT, "hire-mercenaries")
    war.play(CAT, "pass").play(CAT, "battle", clearing="5", defender=OWL)
    yield war.state
    yield war.play(OWL, "pass").roll(3, 2).state
    yield river({}, at="evening", hand=["anvil"]).state
    yield fresh("riverfolk", "marquise").state


def positions_of_the_spies() -> Iterator[Any]:
    """A spy looks, has looked, and another knows an order as well; two spies are left to be used or played."""
    g = spying(hand=["spy-bird"], spies=["spy-fox", "spy-mouse"], more={FOX: {"spies": ["spy-rabbit"]}})
    yield g.state
    yield g.play(OWL, "use-spy", spy="spy-fox", position=2).state
    yield g.play("chance", "look-at-order", card="bake-sale").state
    g.play(OWL, "swap", i=1, j=2)
    yield turn_of(g, FOX).play(FOX, "use-spy", spy="spy-rabbit", position=1).state
    yield turn_of(g, CAT, at="turn").state


def positions_of_the_alliance() -> Iterator[Any]:
    """A base is lost, and so many supporters are left that some must be discarded."""
    many = ["bake-sale", "root-tea-rabbit", "smugglers-trail", "investments", "sword-mouse", "root-tea-mouse"]
    lost = woodland({"8": {CATS: 3, FOXES: 1}}, turn=CAT, at="daylight", supporters=many, officers=3)
    yield lost.fight(CAT, ALLY, "8", 0, 0).state


def positions_of_the_cult() -> Iterator[Any]:
    """A base is sanctified and supporters have to go; a convert waits for hospitals; a Crusade may go on."""
    many = ["bake-sale", "root-tea-rabbit", "smugglers-trail", "investments", "sword-mouse", "root-tea-mouse"]
    ally = {ALLY: {"faction": "alliance", "supporters": many}}
    foxes = {"outcast": "rabbit", "lost_souls": ["anvil"], "acolytes": 3}
    lost = cult_table({"8": {FOXES: 1}}, **foxes, others=ally)
    yield lost.play(NEWT, "sanctify", clearing="8", building=FOXES).state
    there = {"5": {LIZARDS: 3, CATS: 2}, "1": {CATS: 1, "keep": 1}}
    conspiracies = {
        "convert": {"clearing": "5", "player": CAT},
        "crusade-move": {"from_": "5", "to": "1", "warriors": 1},
    }
    for kind, wire in conspiracies.items():
        g = cult_table(there, **RABBITS_LEAD, acolytes=2, cat={"hand": ["cobbler"]}, hand=["anvil"])
        yield g.play(NEWT, kind, **wire).state
