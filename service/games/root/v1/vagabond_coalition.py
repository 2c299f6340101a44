"""Chapter 16, the coalition: a dominance card joins a Vagabond to who is behind (ROOT-VAG-60 to ROOT-VAG-63)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.table import Table
from service.games.root.v1.cards import hand_at, hand_pick
from service.games.root.v1.components import player, plays_by_itself
from service.games.root.v1.figures import PRINTED, figures
from service.games.root.v1.vagabond import HOSTILE, INDIFFERENT, relate, relation
from service.games.root.v1.vagabond_items import VAGABOND, is_vagabond, vagabond, vagabonds


def no_dominance(t: Table, seat: str) -> str | None:
    """A Vagabond cannot win as others do by dominance (ROOT-DOM-8)."""
    return "ROOT-DOM-8" if is_vagabond(t, seat) else None


def partners(t: Table, seat: str, other: str) -> bool:
    """Whether two players share a coalition, so that neither is an enemy (ROOT-GEN-12, ROOT-VAG-61)."""
    return any(
        is_vagabond(t, one) and vagabond(t, one).coalition == two
        for one, two in ((seat, other), (other, seat))
    )


def wins_with(t: Table, seat: str) -> list[str]:
    """The Vagabonds whose partner wins, and those whose partner they are (ROOT-VAG-61)."""
    found = [seat]
    for winner in found:
        found += [s for s in vagabonds(t) if vagabond(t, s).coalition == winner and s not in found]
    return found[1:]


def is_bound(t: Table, seat: str) -> bool:
    """Whether a player has activated a dominance card, or is in a coalition (ROOT-VAG-62)."""
    joined = any(vagabond(t, s).coalition == seat for s in vagabonds(t))
    return joined or player(t, seat).dominance is not None


def possible_partners(t: Table, seat: str) -> list[str]:
    """Among the others whom nothing keeps from it, those with the fewest points (ROOT-VAG-60, ROOT-VAG-62)."""
    scores = {s: p.score for s, p in t.board.seats.items() if s != seat and not is_bound(t, s)}
    least = min((n for n in scores.values() if n is not None), default=None)
    return [s for s, n in scores.items() if n is not None and n == least]


class FormCoalition(Action, kind="form-coalition"):
    """Activate a dominance card for a coalition with the other player who has the fewest points."""

    card = hand_pick("ROOT-VAG-60")
    player = Pick("ROOT-DEC-21", lambda t, actor: t.seats)

    @requires("ROOT-VAG-60", "card")
    def is_a_dominance_card(t: Table, act: Any) -> Any:
        """It is one."""
        return PRINTED.cards[act.card].kind == "dominance" or no(card=act.card)

    @requires("ROOT-VAG-64", about=("kind",))
    def there_are_such_cards(t: Table, act: Any) -> Any:
        """Nobody plays by himself: then no dominance card is in the game."""
        return not plays_by_itself(p.faction for p in t.board.seats.values())

    @requires("ROOT-VAG-60", about=("kind",))
    def are_enough(t: Table, act: Any) -> Any:
        """Four players at least."""
        least = figures(t).table["coalition-players"]
        return len(t.seats) >= least or no(players=len(t.seats), least=least)

    @requires("ROOT-DOM-4", about=("kind",))
    def has_none_yet(t: Table, act: Any) -> Any:
        """An activated card cannot be replaced."""
        held = player(t, act.actor).dominance
        return held is None or no(card=held)

    @requires("ROOT-DOM-1", "has_none_yet", about=("kind",))
    def has_the_points(t: Table, act: Any) -> Any:
        """Ten points at least."""
        score, least = player(t, act.actor).score or 0, figures(t).table["dominance-points"]
        return score >= least or no(score=score, least=least)

    @requires("ROOT-VAG-62", "player")
    def is_free(t: Table, act: Any) -> Any:
        """Another player without a dominance card, and in no coalition."""
        return not is_bound(t, act.player) or no(player=act.player)

    @requires("ROOT-VAG-60", "player", "is_free")
    def has_the_fewest(t: Table, act: Any) -> Any:
        """Nobody else has fewer points."""
        score = player(t, act.player).score
        return act.player in possible_partners(t, act.actor) or no(player=act.player, score=score)

    def resolve(self, t: Table) -> Control:
        """His marker goes to the partner's board; hatred ends (ROOT-VAG-63)."""
        seat = self.actor
        t.moved("ROOT-VAG-60", {self.card: 1}, hand_at(t, seat), ("seats", seat, "dominance"))
        t.set("ROOT-VAG-61", None, "seats", seat, "score")
        t.set("ROOT-VAG-61", self.player, "seats", seat, VAGABOND, "coalition")
        if relation(t, seat, self.player) == HOSTILE:
            relate(t, "ROOT-VAG-63", seat, str(player(t, self.player).faction), INDIFFERENT)
        return None
