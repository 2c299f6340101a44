"""Chapter 9, artifacts: what happens on acquiring one (ZAV-ART-SPELLBOOK-1 to ZAV-ART-TALISMAN-1)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Annotated, Any

from service.engine.action import Action, no, one_of, requires
from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.frames import Ask, Each, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.components import in_order, player
from service.games.zavandor.v1.figures import GEMS, PLACES, TOKENS, figures
from service.games.zavandor.v1.free_advances import Decline, FreeAdvance, FreeSteps
from service.games.zavandor.v1.gems import active_gems, capacity, room
from service.games.zavandor.v1.knowledge import take_token
from service.games.zavandor.v1.state import Gem


class FreeToken(Frame, kw_only=True):
    """Magic Mirror, Shadow Cloak: an unbought token for free."""

    seat: Public[SeatRef]
    card: Public[str]

    def declined(self) -> str:
        """The clause by which it is let go."""
        return mirror_rule(self.card, "ZAV-ART-MIRROR-1")


class GemLosses(Frame, kw_only=True):
    """Magic Mirror, Shadow Cloak: those who have still to lose an active gem."""

    card: Public[str]
    victims: Annotated[Public[list[SeatRef]], Distinct("ZAV-ART-MIRROR-2")]


class GemLoss(Frame, kw_only=True):
    """One player chooses which kind of active gem he loses."""

    seat: Public[SeatRef]
    card: Public[str]


class FreeGem(Frame, kw_only=True):
    """Elixir: a diamond to be placed."""

    seat: Public[SeatRef]
    gem: Public[Gem]


SHADOW_CLOAK = "shadow-cloak"


def immediate_effects(t: Table, seat: str, card: str) -> Sequence[Frame]:
    """What a new artifact does at once, in the order of its text (ZAV-AUC-14)."""
    artifact = figures(t).artifacts[card]
    effects: list[Frame] = []
    if artifact.free_advances == 1:
        effects.append(FreeAdvance(seat=seat, card=card))
    if artifact.free_advances > 1:
        effects.append(FreeSteps(seat=seat, card=card))
    if artifact.free_token:
        effects.append(FreeToken(seat=seat, card=card))
    if artifact.others_lose_gem:
        effects.append(GemLosses(card=card, victims=victims(t, seat)))
    if artifact.free_gem is not None:
        effects.append(FreeGem(seat=seat, gem=artifact.free_gem))
    return effects


# -- Magic Mirror and Shadow Cloak ----------------------------------------------------------------------------------


def mirror_rule(card: str, clause: str) -> str:
    """The Cloak has the same effects by its own clause (ZAV-ART-CLOAK-1)."""
    return "ZAV-ART-CLOAK-1" if card == SHADOW_CLOAK else clause


class TakeToken(Action, kind="take-token"):
    """Put an unbought token on the pentagon for free (ZAV-ART-MIRROR-1)."""

    token = Pick("ZAV-KNOW-3", TOKENS)

    @one_of("ZAV-ART-MIRROR-1", "token")
    def still_unbought(t: Table, act: Any) -> Container[int]:
        """It lies on the owner's board."""
        return player(t, act.actor).tokens

    def resolve(self, t: Table) -> Control:
        """No price."""
        take_token(t, self.actor, self.token, mirror_rule(self.frame.card, "ZAV-ART-MIRROR-1"))
        return None


def victims(t: Table, owner: str) -> list[str]:
    """Every other player in position order after the owner, who comes last where the set-up includes him."""
    order = in_order(t)
    at = order.index(owner) + 1
    others = order[at:] + order[: at - 1]
    return [*others, owner] if t.options.get("mirror_cloak_hits_owner", False) else others


def lose_or_choose(t: Table, f: GemLosses, seat: str) -> Control:
    """One active gem is lost; with one kind only there is no choice, with none nothing is lost (ZAV-ART-MIRROR-4)."""
    kinds = sorted(player(t, seat).active)
    if len(kinds) > 1:
        return GemLoss(seat=seat, card=f.card)
    if kinds:
        t.moved(
            mirror_rule(f.card, "ZAV-ART-MIRROR-2"), {kinds[0]: 1}, ("seats", seat, "active"), ("supply",)
        )
    return None


class LoseGem(Action, kind="lose-gem"):
    """Choose the kind of active gem that goes back to the supply (ZAV-ART-MIRROR-2)."""

    gem = Pick("ZAV-COMP-2", GEMS)

    @one_of("ZAV-ART-MIRROR-2", "gem")
    def is_active(t: Table, act: Any) -> Container[str]:
        """An own active gem; inactive ones are safe and do not count."""
        return player(t, act.actor).active

    def resolve(self, t: Table) -> Control:
        """Without compensation."""
        because = mirror_rule(self.frame.card, "ZAV-ART-MIRROR-2")
        t.moved(because, {self.gem: 1}, ("seats", self.actor, "active"), ("supply",))
        return None


# -- Elixir -----------------------------------------------------------------------------------------------------


class PlaceGem(Action, kind="place-gem"):
    """Place the free diamond (ZAV-ART-ELIXIR-2)."""

    place = Pick("ZAV-GEM-2", PLACES)

    @requires("ZAV-ART-ELIXIR-2", "place")
    def has_room(t: Table, act: Any) -> Any:
        """Active only on a free place."""
        p = player(t, act.actor)
        return (
            act.place == "inactive"
            or room(t, act.actor)
            or no(capacity=capacity(t, p), active=active_gems(p))
        )

    def resolve(self, t: Table) -> Control:
        """From the supply, for free."""
        t.moved("ZAV-ART-ELIXIR-2", {self.frame.gem: 1}, ("supply",), ("seats", self.actor, self.place))
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the gem."""
        return {"gem": self.frame.gem}


GAINS = (FreeAdvance, FreeSteps, FreeToken, GemLosses, FreeGem)


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        FreeToken,
        Ask(
            "token",
            lambda t, f: f.seat if player(t, f.seat).tokens else None,
            takes=(TakeToken, Decline),
            rule="ZAV-AUC-14",
            because=lambda t, f: mirror_rule(f.card, "ZAV-ART-MIRROR-1"),
            skipped="ZAV-R-22",
        ),
    )
    rules.procedure(GemLosses, Each("victims", lose_or_choose), may_call={"lose-or-choose": (GemLoss,)})
    rules.procedure(
        GemLoss,
        Ask(
            "lose",
            lambda t, f: f.seat,
            takes=(LoseGem,),
            rule="ZAV-AUC-14",
            wrong="ZAV-ART-MIRROR-4",
            because=lambda t, f: mirror_rule(f.card, "ZAV-ART-MIRROR-2"),
        ),
    )
    rules.procedure(
        FreeGem,
        Ask(
            "place",
            lambda t, f: f.seat if t.board.supply.get(f.gem, 0) else None,
            takes=(PlaceGem,),
            rule="ZAV-AUC-14",
            because="ZAV-ART-ELIXIR-2",
            skipped="ZAV-ART-ELIXIR-2",
        ),
    )
