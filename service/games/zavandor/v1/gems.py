"""Chapter 6, gems: buying, selling and moving (ZAV-GEM-1 to ZAV-GEM-9)."""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from service.engine.action import Action, derived, no, requires, waives
from service.engine.control import Control
from service.engine.domain import MANY, MOST, AtLeast, Open, Pick
from service.engine.rule import UNKNOWN_VALUE, Violation
from service.engine.table import Table
from service.games.zavandor.v1.components import gain_dust, player, possible
from service.games.zavandor.v1.energy import (
    OwnGems,
    Payment,
    gem_items,
    own_price,
    pay,
    sale_value,
    well_formed,
)
from service.games.zavandor.v1.figures import GEMS, PLACES, figures
from service.games.zavandor.v1.state import Player


def capacity(t: Table, p: Player) -> int:
    """How many gems may be active: 5, and what artifacts and Accumulation add (ZAV-GEM-3)."""
    places: int = t.once(_capacity, p)
    return places


def _capacity(t: Table, p: Player) -> int:
    f = figures(t)
    places: int = f.table["active-places"]
    if stage := p.tracks.get("accumulation", 0):
        places += f.tracks["accumulation"].places[stage - 1]
    for artifact, n in p.artifacts.items():
        places += f.artifacts[artifact].places * n
    return places


def active_gems(p: Player) -> int:
    """How many gems are active."""
    return sum(p.active.values())


def room(t: Table, seat: str) -> bool:
    """Whether an active place is free."""
    return active_gems(player(t, seat)) < capacity(t, player(t, seat))


def owned(p: Player, gem: str) -> int:
    """Gems of a kind, active and inactive."""
    return p.active.get(gem, 0) + p.inactive.get(gem, 0)


def fire_right(t: Table, p: Player) -> bool:
    """Fire stage 4 gives the right to buy rubies (ZAV-KNOW-FIRE-1)."""
    stage = p.tracks.get("fire", 0)
    return stage > 0 and figures(t).tracks["fire"].rubies[stage - 1]


def right_to(t: Table, p: Player, gem: str) -> bool:
    """The right to buy any number of a kind of gem, which is never lost again; the Druid's early ruby is not it."""
    f = figures(t)
    if keys := f.unlocks[gem]:
        return not p.artifacts.keys().isdisjoint(keys)
    return f.gems[gem].needs != "fire" or fire_right(t, p)


def early_right(t: Table, p: Player) -> bool:
    """The Druid's right to one ruby at Fire stage 3 (ZAV-KNOW-FIRE-3), whether used or not."""
    character = figures(t).characters[str(p.character)]
    return character.early_ruby_stage is not None and p.tracks.get("fire", 0) >= character.early_ruby_stage


def early_left(t: Table, p: Player) -> bool:
    """Whether a ruby may still be bought by that right."""
    return early_right(t, p) and p.early_rubies < figures(t).characters[str(p.character)].early_rubies


PLACE, GEM = ("place",), ("gem",)


def nothing_to_sell(t: Table, p: Player, bought: Sequence[tuple[str, str]], places: Sequence[int]) -> bool:
    """Whether it is plain that a payment need not sell any gem: there is room, supply and leave for all of them."""
    n, active, kinds = len(bought), 0, figures(t).gems
    for gem, place in bought:
        active += place == "active"
        most = kinds[gem].most_owned
        if t.board.supply.get(gem, 0) < n or (most is not None and owned(p, gem) + n > most):
            return False
    return not bought or active_gems(p) + active <= min(places)


def needed_sales(
    t: Table, seat: str, bought: Sequence[tuple[str, str]], places: Sequence[int], alone: bool = False
) -> Sequence[AtLeast]:
    """Which gems the payment itself must sell so that what it buys has its place, supply and limit (ZAV-PAY-10).

    `bought`: gem and place of each purchase in order; `places`: the active capacity at each of them. Where the set-up
    says that a sale in the payment frees nothing, such a purchase cannot be paid for at all. `alone`: a gem by itself,
    so that the refusal points at what asks for the sale, the place or the gem.
    """
    p, f = player(t, seat), figures(t)
    if nothing_to_sell(t, p, bought, places):
        return ()
    found: list[AtLeast] = []
    facts: dict[str, Any]
    lacking, active, room_then = 0, active_gems(p), capacity(t, p)
    for (_, place), room_now in zip(bought, places, strict=True):
        active += place == "active"
        if active - room_now > lacking:
            lacking, room_then = active - room_now, room_now
    if lacking > 0:
        facts = {"capacity": room_then, "active": active_gems(p)}
        found.append(
            AtLeast("ZAV-GEM-3", lacking, gem_items(GEMS, ("active",)), facts, PLACE if alone else ())
        )
    names = [gem for gem, _ in bought]
    for gem in names if len(names) == 1 else [g for g in GEMS if g in names]:
        wanted = names.count(gem)
        supply = t.board.supply.get(gem, 0)
        if wanted > supply:
            facts = {"gem": gem, "supply": supply}
            found.append(
                AtLeast("ZAV-COMP-3", wanted - supply, gem_items((gem,)), facts, GEM if alone else ())
            )
        most = f.gems[gem].most_owned
        if most is not None and owned(p, gem) + wanted > most:
            over, facts = owned(p, gem) + wanted - most, {"rubies": owned(p, gem), "gem": gem}
            found.append(AtLeast("ZAV-GEM-7", over, gem_items((gem,)), facts, GEM if alone else ()))
    if not found or t.options.get("gem_sold_in_payment_frees_its_place", True):
        return found
    return [replace(s, n=MOST) for s in found]


class GemPurchase(Action):
    """What buying a gem asks for, alone or as part of a combined purchase (ZAV-GEM-1, -2)."""

    gem = Pick("ZAV-COMP-2", GEMS)
    place = Pick("ZAV-GEM-2", PLACES)

    @requires("ZAV-GEM-1", "gem")
    def may_buy_this_kind(t: Table, act: Any) -> Any:
        """Emeralds for owners of a Spellbook, diamonds for owners of an Elixir."""
        keys = figures(t).unlocks[act.gem]
        return not keys or right_to(t, player(t, act.actor), act.gem) or no(gem=act.gem, needs=keys[0])

    @requires("ZAV-ART-CRYSTAL-2", "gem")
    def no_crystal_gives_a_right(t: Table, act: Any) -> Any:
        """A Crystal of Protection gives no right to buy emeralds."""
        if act.gem != "emerald":
            return True
        held = player(t, act.actor).artifacts
        keys = figures(t).unlocks["emerald"]
        alone = "crystal-of-protection" in held and not any(k in held for k in keys)
        return not alone or no(gem=act.gem)

    @requires("ZAV-KNOW-FIRE-1", "gem")
    def fire_gives_rubies(t: Table, act: Any) -> Any:
        """Rubies from Fire stage 4."""
        if act.gem != "ruby":
            return True
        p = player(t, act.actor)
        return fire_right(t, p) or no(gem=act.gem, stage=p.tracks.get("fire", 0))

    @waives("fire_gives_rubies", "ZAV-KNOW-FIRE-3")
    def druids_early_ruby(t: Table, act: Any) -> bool:
        """The Druid may buy one ruby at stage 3."""
        return early_left(t, player(t, act.actor))

    @requires("ZAV-KNOW-FIRE-3", "gem")
    def one_early_ruby(t: Table, act: Any) -> Any:
        """Only one, once in the game."""
        if act.gem != "ruby":
            return True
        p = player(t, act.actor)
        used = not fire_right(t, p) and early_right(t, p) and not early_left(t, p)
        return not used or no(gem=act.gem)

    @requires("ZAV-ART-CHALICE-2", "gem")
    def no_chalice_gives_a_right(t: Table, act: Any) -> Any:
        """A Chalice of Fire gives no right to buy rubies."""
        if act.gem != "ruby":
            return True
        p = player(t, act.actor)
        alone = "chalice-of-fire" in p.artifacts and not fire_right(t, p) and not early_right(t, p)
        return not alone or no(gem=act.gem)

    @derived
    def price(t: Table, act: Any) -> int:
        """The buyer's own price (ZAV-GEM-1)."""
        return own_price(figures(t), player(t, act.actor), act.gem)

    def take_effect(self, t: Table, because: str = "ZAV-GEM-2") -> None:
        """The gem comes from the supply to its place; the Druid's early ruby is noted."""
        self.note_early_ruby(t)
        t.moved(because, {self.gem: 1}, ("supply",), ("seats", self.actor, self.place))

    def note_early_ruby(self, t: Table) -> None:
        """Count a ruby bought before Fire stage 4 (ZAV-KNOW-FIRE-3)."""
        p = player(t, self.actor)
        if self.gem == "ruby" and not fire_right(t, p):
            t.set("ZAV-KNOW-FIRE-3", p.early_rubies + 1, "seats", self.actor, "early_rubies")


SALE_RULES = ("ZAV-GEM-3", "ZAV-COMP-3", "ZAV-GEM-7")


class BuyGem(GemPurchase, kind="buy-gem"):
    """Buy one gem from the supply and place it."""

    payment = Payment(lambda t, act: act.price, lambda t, act: act.sales, SALE_RULES).given("gem", "place")

    @derived
    def sales(t: Table, act: Any) -> Sequence[AtLeast]:
        """The gems that the payment must sell; what asks for it is the place or the gem."""
        places = capacity(t, player(t, act.actor))
        return needed_sales(t, act.actor, ((act.gem, act.place),), (places,), alone=True)

    def resolve(self, t: Table) -> Control:
        """Pay, then the purchase takes effect (ZAV-PAY-10)."""
        pay(t, self.actor, self.payment, self.price)
        self.take_effect(t)
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the price."""
        return {"price": self.price}


class Sale(Open):
    """One or more own gems, by place (ZAV-GEM-5)."""

    shape = OwnGems

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"of": own gems by place with what each yields, "least": 1}`."""
        p, f = player(t, act.actor), figures(t)
        worth = {
            place: {g: {"count": n, "value": sale_value(f, p, g)} for g, n in gems.items()}
            for place, gems in _places(p)
        }
        return {"of": worth, "least": 1}

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """Gems that the seller has."""
        if not well_formed({"gems": value}):
            return self.unknown(value)
        if not any(value.values()):
            return self.unknown(None)
        p = player(t, act.actor)
        return [
            Violation(
                UNKNOWN_VALUE,
                self.rule,
                (f"/{self.name}/{place}/{g}",),
                {"gem": g, "place": place, "owned": held.get(g, 0)},
            )
            for place, held in _places(p)
            for g, n in value.get(place, {}).items()
            if n > held.get(g, 0)
        ]

    def example(self, t: Table, act: Any) -> Any:
        """The gem that yields least, an inactive one if there is one."""
        p, f = player(t, act.actor), figures(t)
        for place, gems in reversed(_places(p)):
            if gems:
                return {place: {min(gems, key=lambda g: (sale_value(f, p, g), g)): 1}}
        return None

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A random gem or two."""
        held = [
            (place, g)
            for place, gems in _places(player(t, act.actor))
            for g, n in gems.items()
            for _ in range(n)
        ]
        if not held:
            return None
        value: dict[str, dict[str, int]] = {}
        for place, g in rng.sample(held, min(len(held), rng.choice((1, 1, 1, 2, 3)))):
            bag = value.setdefault(place, {})
            bag[g] = bag.get(g, 0) + 1
        return value

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every bag of own gems."""
        held = [(place, g, n) for place, gems in _places(player(t, act.actor)) for g, n in gems.items()]
        total = 1
        for _, _, n in held:
            total *= n + 1
        if total > MANY:
            return None
        return (_sale(held, counts) for counts in product(*(range(n + 1) for _, _, n in held)) if any(counts))


def _places(p: Player) -> list[tuple[str, dict[str, int]]]:
    return [("active", dict(sorted(p.active.items()))), ("inactive", dict(sorted(p.inactive.items())))]


def _sale(held: Sequence[tuple[str, str, int]], counts: Sequence[int]) -> dict[str, dict[str, int]]:
    value: dict[str, dict[str, int]] = {}
    for (place, g, _), n in zip(held, counts, strict=True):
        if n:
            value.setdefault(place, {})[g] = n
    return value


def own_turn(t: Table, act: Any) -> Any:
    """Only in one's own turn (ZAV-GEM-4, ZAV-GEM-6)."""
    return act.frame.seat == act.actor or no(active=act.frame.seat)


class SellGems(Action, kind="sell-gems"):
    """Return own gems to the supply for dust: half the current price each, the sum paid out once (ZAV-GEM-5)."""

    gems = Sale("ZAV-GEM-5")

    in_own_turn = requires("ZAV-GEM-6", about=("actor",))(own_turn)

    def resolve(self, t: Table) -> Control:
        """Gems to the supply, dust from the bank."""
        p, f = player(t, self.actor), figures(t)
        yields = sum(sale_value(f, p, g) * n for bag in self.gems.values() for g, n in bag.items())
        for place in PLACES:
            t.moved("ZAV-GEM-5", self.gems.get(place, {}), ("seats", self.actor, place), ("supply",))
        gain_dust(t, "ZAV-GEM-5", self.actor, possible(yields))
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the gems as one bag."""
        bag: dict[str, int] = {}
        for gems in self.gems.values():
            for g, n in gems.items():
                bag[g] = bag.get(g, 0) + n
        return {"gems": bag}


OTHER: Mapping[str, str] = {"active": "inactive", "inactive": "active"}


def owned_kinds(t: Table, act: Any) -> Container[str]:
    """The kinds of gems of which the actor has one somewhere."""
    p = player(t, act.actor)
    return {*p.active, *p.inactive}


class MoveGem(Action, kind="move-gem"):
    """Move an own gem between spiral and pentagon, free of charge (ZAV-GEM-4)."""

    gem = Pick("ZAV-COMP-2", GEMS)
    to = Pick("ZAV-GEM-4", PLACES)

    in_own_turn = requires("ZAV-GEM-4", about=("actor",))(own_turn)

    @requires("ZAV-GEM-4", "gem", "to", only={"gem": owned_kinds})
    def is_there(t: Table, act: Any) -> Any:
        """The gem lies in the other place."""
        return act.gem in getattr(player(t, act.actor), OTHER[act.to]) or no(gem=act.gem, place=OTHER[act.to])

    @requires("ZAV-GEM-3", "to")
    def has_room(t: Table, act: Any) -> Any:
        """A free active place."""
        p = player(t, act.actor)
        return (
            act.to == "inactive" or room(t, act.actor) or no(capacity=capacity(t, p), active=active_gems(p))
        )

    def resolve(self, t: Table) -> Control:
        """From one place to the other."""
        t.moved(
            "ZAV-GEM-4", {self.gem: 1}, ("seats", self.actor, OTHER[self.to]), ("seats", self.actor, self.to)
        )
        return None
