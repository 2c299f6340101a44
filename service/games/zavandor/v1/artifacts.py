"""Chapter 9, artifacts: what happens on acquiring one (ZAV-ART-SPELLBOOK-1 to ZAV-ART-TALISMAN-1)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Annotated, Any

from service.engine.action import Action, no, requires
from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import Control, calls
from service.engine.domain import Open, Pick
from service.engine.frames import Ask, Each, Frame
from service.engine.rule import BROKEN_RULE, Violation
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.components import in_order, player
from service.games.zavandor.v1.figures import GEMS, PLACES, TOKENS, TRACKS, figures
from service.games.zavandor.v1.gems import active_gems, capacity, room
from service.games.zavandor.v1.knowledge import SagesReward, may_advance, move_marker, take_token
from service.games.zavandor.v1.state import Gem


class FreeAdvance(Frame, kw_only=True):
    """Runestone, Mask of Charisma: one free advance, now or never."""

    seat: Public[SeatRef]
    card: Public[str]


class FreeSteps(Frame, kw_only=True):
    """Talisman: two free advances."""

    seat: Public[SeatRef]
    card: Public[str]


class FreeToken(Frame, kw_only=True):
    """Magic Mirror, Shadow Cloak: an unbought token for free."""

    seat: Public[SeatRef]
    card: Public[str]


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


FREE_ADVANCE = {
    "runestone": "ZAV-ART-RUNESTONE-1",
    "mask-of-charisma": "ZAV-ART-MASK-1",
    "talisman": "ZAV-ART-TALISMAN-1",
}
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


# -- free advances: Runestone, Mask of Charisma -------------------------------------------------------------------


def can_advance_freely(t: Table, f: FreeAdvance | FreeSteps) -> str | None:
    """The owner, if any of his markers or tokens can move."""
    return f.seat if any(may_advance(player(t, f.seat), track) for track in TRACKS) else None


class AdvanceFree(Action, kind="advance-free"):
    """Use the free advance on a track (ZAV-KNOW-10, -11)."""

    track = Pick("ZAV-KNOW-1", TRACKS)

    @requires("ZAV-KNOW-6", "track")
    def below_the_top(t: Table, act: Any) -> Any:
        """There is no stage above 4."""
        stage = player(t, act.actor).tracks.get(act.track, 0)
        return stage < 4 or no(track=act.track, stage=stage)

    @requires("ZAV-KNOW-4", "track")
    def token_to_enter(t: Table, act: Any) -> Any:
        """Entering a track needs a bought token."""
        p = player(t, act.actor)
        return act.track in p.tracks or p.bought > 0 or no(track=act.track)

    def resolve(self, t: Table) -> Control:
        """It costs nothing and is not the paid advancement."""
        return move_marker(t, self.actor, self.track, FREE_ADVANCE[self.frame.card])


class Decline(Action, kind="decline"):
    """Let it go: a free advance cannot be kept for later (ZAV-KNOW-10), nor a free token (ZAV-ART-MIRROR-1)."""

    def resolve(self, t: Table) -> Control:
        """Nothing happens."""
        card = self.frame.card
        advance = isinstance(self.frame, FreeAdvance)
        because = "ZAV-KNOW-10" if advance else mirror_rule(card, "ZAV-ART-MIRROR-1")
        t.tell("declined", because, {"seat": self.actor, "card": card})
        return None


# -- Talisman ---------------------------------------------------------------------------------------------------


class Steps(Open):
    """None, one or two tracks in order, the same one twice if wished (ZAV-ART-TALISMAN-1)."""

    shape = list[str]

    def _most(self, t: Table, act: Any) -> int:
        return figures(t).artifacts[act.frame.card].free_advances

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"of": tracks that can move, "least", "most", "ordered"}`."""
        movable = [track for track in TRACKS if may_advance(player(t, act.actor), track)]
        return {"of": movable, "least": 0, "most": self._most(t, act), "ordered": True}

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """At most two steps, each possible after the one before."""
        if not isinstance(value, list) or any(
            track not in TRACKS for track in value if isinstance(track, str)
        ):
            return self.unknown(value)
        if not all(isinstance(track, str) for track in value):
            return self.unknown(value)
        refused = []
        if len(value) > self._most(t, act):
            refused.append(Violation(BROKEN_RULE, self.rule, (f"/{self.name}",), {"steps": len(value)}))
        p = player(t, act.actor)
        stages, bought = dict(p.tracks), p.bought
        for i, track in enumerate(value):
            about = (f"/{self.name}/{i}",)
            if track not in stages and not bought:
                refused.append(Violation(BROKEN_RULE, "ZAV-KNOW-4", about, {"track": track}))
            elif stages.get(track, 0) >= 4:
                refused.append(Violation(BROKEN_RULE, "ZAV-KNOW-6", about, {"track": track, "stage": 4}))
            else:
                bought -= track not in stages
                stages[track] = stages.get(track, 0) + 1
        return refused

    def example(self, t: Table, act: Any) -> Any:
        """As many steps as can be made, on the first track that can move."""
        return next((list(v) for v in reversed(self._values(t, act)) if not self.check(t, act, list(v))), [])

    def _values(self, t: Table, act: Any) -> list[tuple[str, ...]]:
        return [v for k in range(self._most(t, act) + 1) for v in product(TRACKS, repeat=k)]

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A random legal choice."""
        return list(rng.choice([v for v in self._values(t, act) if not self.check(t, act, list(v))]))

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every list of up to two tracks."""
        return (list(v) for v in self._values(t, act))


class TakeSteps(Action, kind="take-steps"):
    """Use none, one or both advances of the Talisman."""

    tracks = Steps("ZAV-ART-TALISMAN-1", limit_rules=("ZAV-KNOW-4", "ZAV-KNOW-6"))

    def resolve(self, t: Table) -> Control:
        """One step after the other; the Nine Sages reward each stage (ZAV-KNOW-SAGES-5)."""
        rewards = [move_marker(t, self.actor, track, "ZAV-ART-TALISMAN-1") for track in self.tracks]
        return calls(*(r for r in rewards if r is not None))


# -- Magic Mirror and Shadow Cloak ----------------------------------------------------------------------------------


def mirror_rule(card: str, clause: str) -> str:
    """The Cloak has the same effects by its own clause (ZAV-ART-CLOAK-1)."""
    return "ZAV-ART-CLOAK-1" if card == SHADOW_CLOAK else clause


class TakeToken(Action, kind="take-token"):
    """Put an unbought token on the pentagon for free (ZAV-ART-MIRROR-1)."""

    token = Pick("ZAV-KNOW-3", TOKENS)

    @requires("ZAV-ART-MIRROR-1", "token")
    def still_unbought(t: Table, act: Any) -> Any:
        """It lies on the owner's board."""
        return act.token in player(t, act.actor).tokens or no(token=act.token)

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

    @requires("ZAV-ART-MIRROR-2", "gem")
    def is_active(t: Table, act: Any) -> Any:
        """An own active gem; inactive ones are safe and do not count."""
        return act.gem in player(t, act.actor).active or no(gem=act.gem)

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
        FreeAdvance,
        Ask(
            "advance",
            can_advance_freely,
            (AdvanceFree, Decline),
            rule="ZAV-KNOW-10",
            because=lambda t, f: FREE_ADVANCE[f.card],
            wrong="ZAV-AUC-14",
            skipped="ZAV-KNOW-10",
        ),
        may_call={"advance": (SagesReward,)},
    )
    rules.procedure(
        FreeSteps,
        Ask(
            "steps",
            can_advance_freely,
            (TakeSteps,),
            rule="ZAV-KNOW-10",
            because="ZAV-ART-TALISMAN-1",
            wrong="ZAV-AUC-14",
            skipped="ZAV-KNOW-10",
        ),
        may_call={"steps": (SagesReward,)},
    )
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
