"""Chapter 7, knowledge: tracks, tokens, the Nine Sages (ZAV-KNOW-1 to ZAV-KNOW-ACC-1)."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from service.engine.action import Action, derived, no, one_of, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.components import DrawEnergy, discard_energy, gain_dust, player, possible
from service.games.zavandor.v1.energy import Payment, pay
from service.games.zavandor.v1.figures import TOKENS, TOP, TRACKS, Figures, figures
from service.games.zavandor.v1.gems import early_right, right_to
from service.games.zavandor.v1.state import Amount, Colour, Player


def may_advance(p: Player, track: str) -> bool:
    """A marker below stage 4, or a bought token for a track without a marker (ZAV-KNOW-4, ZAV-KNOW-6, ZAV-KNOW-11)."""
    return p.tracks[track] < TOP if track in p.tracks else p.bought > 0


def move_marker(t: Table, seat: str, track: str, because: str) -> Frame | None:
    """The marker goes up one stage, or a bought token enters; answers the Nine Sages' reward, if there is one."""
    p = player(t, seat)
    stage = p.tracks.get(track, 0) + 1
    if stage == 1:
        t.set("ZAV-KNOW-4", p.bought - 1, "seats", seat, "bought")
    t.set(because, stage, "seats", seat, "tracks", track)
    if track != "sages":
        return None
    reward = figures(t).tracks["sages"].reward[stage - 1]
    colour = reward["colour"]
    return SagesReward(
        seat=seat, colour=colour, cards=reward["cards"], keep=has_means(t, player(t, seat), colour)
    )


def has_means(t: Table, p: Player, colour: str) -> bool:
    """Whether a player has a means of getting cards of this colour (ZAV-KNOW-SAGES-2)."""
    f = figures(t)
    gem = next(g for g in f.gems.values() if g.colour == colour)
    if right_to(t, p, gem.id) or any(f.artifacts[a].produces == colour for a in p.artifacts):
        return True
    return gem.needs == "fire" and early_right(t, p)


class SagesReward(Frame, kw_only=True):
    """Cards gained on the Nine Sages track; without means they are discarded for dust (ZAV-KNOW-SAGES-1, -2)."""

    seat: Public[SeatRef]
    colour: Public[Colour]
    cards: Public[Amount]
    keep: Public[bool]


def draw_reward(t: Table, f: SagesReward) -> Control:
    """Under the position card until the next round (ZAV-KNOW-SAGES-1, -4)."""
    return DrawEnergy(seat=f.seat, colour=f.colour, left=f.cards, place="waiting", because="ZAV-KNOW-SAGES-1")


def without_means(t: Table, f: SagesReward) -> Control:
    """The cards just drawn are discarded and replaced by dust of the same value (ZAV-KNOW-SAGES-2)."""
    if f.keep:
        return DONE
    energy = figures(t).energy
    drawn = {c: n for c, n in player(t, f.seat).waiting.items() if energy[c].colour == f.colour}
    discard_energy(t, "ZAV-KNOW-SAGES-2", f.seat, drawn, "waiting")
    worth = sum(energy[c].value * n for c, n in drawn.items())
    gain_dust(t, "ZAV-KNOW-SAGES-2", f.seat, possible(worth), "waiting_dust")
    return DONE


def token_price(f: Figures, token: int) -> int:
    """What is printed beside a token (ZAV-KNOW-3)."""
    return f.tokens[token].price


def stage_price(f: Figures, track: str, stage: int) -> int:
    """What a paid advancement to this stage costs (ZAV-KNOW-1)."""
    return f.tracks[track].costs[stage - 1]


class TokenPurchase(Action):
    """What buying a knowledge token asks for (ZAV-KNOW-3)."""

    token = Pick("ZAV-KNOW-3", TOKENS)

    @one_of("ZAV-KNOW-3", "token")
    def still_unbought(t: Table, act: Any) -> Container[int]:
        """The token lies on the buyer's board."""
        return player(t, act.actor).tokens

    @derived
    def price(t: Table, act: Any) -> int:
        """What is printed beside it."""
        return token_price(figures(t), act.token)

    def take_effect(self, t: Table) -> None:
        """To the pentagon, where it takes no gem place."""
        take_token(t, self.actor, self.token, "ZAV-KNOW-3")


def take_token(t: Table, seat: str, token: int, because: str) -> None:
    """An unbought token goes to the pentagon."""
    p = player(t, seat)
    t.set(because, [x for x in p.tokens if x != token], "seats", seat, "tokens")
    t.set(because, p.bought + 1, "seats", seat, "bought")


class Climb(Action):
    """What every advancement on a track asks for, paid or free (ZAV-KNOW-4, ZAV-KNOW-6)."""

    track = Pick("ZAV-KNOW-1", TRACKS)

    @requires("ZAV-KNOW-6", "track")
    def below_the_top(t: Table, act: Any) -> Any:
        """There is no stage above 4."""
        stage = player(t, act.actor).tracks.get(act.track, 0)
        return stage < TOP or no(track=act.track, stage=stage)

    @one_of("ZAV-KNOW-4", "track")
    def token_to_enter(t: Table, act: Any) -> Container[str]:
        """Entering a track needs an own token on the pentagon."""
        p = player(t, act.actor)
        return TRACKS if p.bought > 0 else p.tracks


class Advancement(Climb):
    """What a paid advancement asks for (ZAV-KNOW-2)."""

    @requires("ZAV-KNOW-2", about=("kind",))
    def once_a_round(t: Table, act: Any) -> Any:
        """At most one paid advancement per player and round."""
        return not act.frame.advanced

    @derived
    def stage(t: Table, act: Any) -> int:
        """The stage that is reached."""
        return player(t, act.actor).tracks.get(act.track, 0) + 1

    @derived
    def price(t: Table, act: Any) -> int:
        """The cost of the next stage (ZAV-KNOW-1)."""
        return stage_price(figures(t), act.track, act.stage)

    def take_effect(self, t: Table) -> Frame | None:
        """The advancement of the round is used; the marker goes up."""
        self.frame.advanced = True
        return move_marker(t, self.actor, self.track, "ZAV-KNOW-2")


class BuyToken(TokenPurchase, kind="buy-token"):
    """Buy a knowledge token."""

    payment = Payment(lambda t, act: act.price).given("token")

    def resolve(self, t: Table) -> Control:
        """Pay, then take it."""
        pay(t, self.actor, self.payment, self.price)
        self.take_effect(t)
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the price."""
        return {"price": self.price}


class Advance(Advancement, kind="advance"):
    """Pay for the next stage of one track."""

    payment = Payment(lambda t, act: act.price).given("track", "below_the_top")

    def resolve(self, t: Table) -> Control:
        """Pay, then the marker goes up and its effect applies (ZAV-KNOW-9)."""
        pay(t, self.actor, self.payment, self.price)
        return self.take_effect(t)

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: price and stage."""
        return {"price": self.price, "stage": self.stage}


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(SagesReward, draw_reward, without_means, may_call={"draw-reward": (DrawEnergy,)})
