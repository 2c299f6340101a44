"""Reasons why a player of Zavandor cannot hold what he holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.zavandor.v1.acquired_problems import acquired_problems
from service.games.zavandor.v1.components import DrawEnergy
from service.games.zavandor.v1.figures import TOKENS, Figures, figures
from service.games.zavandor.v1.gems import active_gems, capacity, early_right, owned
from service.games.zavandor.v1.hand_limit import NO_SUCH_DUST
from service.games.zavandor.v1.income import cards_due, flow_dust, opal_dust
from service.games.zavandor.v1.moment import Moment
from service.games.zavandor.v1.points_problems import points_problems
from service.games.zavandor.v1.state import Player, by_colour

HELD = (
    "energy", "concentrated", "dust", "active", "inactive", "waiting", "waiting_dust", "artifacts", "sentinels",
)  # fmt: skip


def character_problems(t: Table, m: Moment) -> Iterator[Problem]:
    """Each has one, all different (ZAV-COMP-1)."""
    dealt = [p.character for p in t.board.seats.values()]
    for seat, p in t.board.seats.items():
        at = f"/table/seats/{seat}/character"
        if p.character is None:
            if m.phase != "deal":
                yield Problem(at, say("every player has a character"), "ZAV-COMP-1")
        elif dealt.count(p.character) > 1:
            yield Problem(at, say("{character} is dealt twice", character=p.character), "ZAV-COMP-1")


def player_problems(t: Table, m: Moment, seat: str, p: Player) -> Iterator[Problem]:
    """Everything about one player but his character."""
    at = f"/table/seats/{seat}"
    if m.phase == "deal":
        yield from _differences(
            at, p, Player(character=p.character, tokens=list(figures(t).tokens)), "ZAV-SETUP-1"
        )
    if m.phase == "deal" or p.character is None:
        return
    if m.before_play or (m.just_scored and not m.scored(t)):
        yield from _beginning(t, m, seat, p)
    yield from _tokens(t, at, p)
    if p.early_rubies:
        yield from _early(t, at, p)
    yield from points_problems(t, m, at, p)
    if p.out:
        yield from _gone(at, p)
        return
    if p.dust in NO_SUCH_DUST or p.waiting_dust in NO_SUCH_DUST:
        yield from _dust(at, p)
    yield from _gems(t, at, p)
    yield from acquired_problems(t, m, seat, p)
    if p.waiting or p.waiting_dust:
        yield from _waiting(t, m, at, p)


# -- the beginning --------------------------------------------------------------------------------------


def starting(f: Figures, character: str) -> Player:
    """What a character begins with, its cards left out (ZAV-SETUP-2, -3, -5, -6)."""
    c = f.characters[character]
    return Player(
        character=c.id,
        dust=c.dust,
        active={g: n for g, n in f.table["start-gems"].items() if n},
        tracks={c.track: c.stage},
        tokens=list(f.tokens),
        vp=f.table["start-vp"],
    )


def _differences(
    at: str, p: Player, start: Player, rule: str, but: tuple[str, ...] = ()
) -> Iterator[Problem]:
    for field in Player.__struct_fields__:
        if field in but:
            continue
        given, wanted = getattr(p, field), getattr(start, field)
        if given != wanted and not (isinstance(given, list) and sorted(given) == sorted(wanted)):
            message = say("{field} is something else than what set-up and first income give", field=field)
            yield Problem(f"{at}/{field}", message, rule)


def _beginning(t: Table, m: Moment, seat: str, p: Player) -> Iterator[Problem]:
    """Nothing but the set-up has happened yet, and perhaps the first income (ZAV-INCOME-8)."""
    f, at = figures(t), f"/table/seats/{seat}"
    start, due = starting(f, str(p.character)), dict(f.characters[str(p.character)].cards)
    if m.phase == "income" and seat not in m.round.waiting:
        start.dust += opal_dust(t, start.active.get("opal", 0)) + flow_dust(t, start)
        for colour, n in cards_due(t, start).items():
            full, left = divmod(n, f.table["cards-per-concentrated"])
            start.concentrated |= {colour: full} if full else {}
            start.dust += f.table["dust-per-concentrated"] * full
            due[colour] = due.get(colour, 0) + left
    yield from _differences(at, p, start, "ZAV-SETUP-2", ("energy",))
    for frame in t.frames:
        if isinstance(frame, DrawEnergy) and frame.seat == seat:
            due[frame.colour] = due.get(frame.colour, 0) - frame.left
    if by_colour(p.energy) != {c: n for c, n in due.items() if n}:
        yield Problem(
            f"{at}/energy",
            say("cards that set-up and first income give: {due}", due=sum(due.values())),
            "ZAV-SETUP-4",
        )


# -- knowledge ------------------------------------------------------------------------------------------


def _tokens(t: Table, at: str, p: Player) -> Iterator[Problem]:
    """Five purchasable tokens: unbought, on the pentagon, or on a track besides the start track (ZAV-COMP-8)."""
    start = figures(t).characters[str(p.character)].track
    if start not in p.tracks:
        message = say("the marker on the start track {track} is missing", track=start)
        yield Problem(f"{at}/tracks", message, "ZAV-SETUP-3")
    total = len(p.tokens) + p.bought + len(p.tracks) - (start in p.tracks)
    if total != len(TOKENS):
        facts = {
            "total": total,
            "most": len(TOKENS),
            "tokens": len(p.tokens),
            "bought": p.bought,
            "tracks": len(p.tracks) - (start in p.tracks),
        }
        message = say(
            "{total} purchasable tokens in all ({tokens} unbought, {bought} on the pentagon, {tracks} on tracks); "
            "there are {most}",
            **facts,
        )
        yield Problem(at, message, "ZAV-COMP-8")


def _early(t: Table, at: str, p: Player) -> Iterator[Problem]:
    most = figures(t).characters[str(p.character)].early_rubies
    if p.early_rubies > most or not early_right(t, p):
        message = say("{n} rubies cannot have been bought before Fire stage 4", n=p.early_rubies)
        yield Problem(f"{at}/early_rubies", message, "ZAV-KNOW-FIRE-3")


# -- gems, cards, dust ----------------------------------------------------------------------------------


def _gone(at: str, p: Player) -> Iterator[Problem]:
    """Who is out of the game holds nothing (ZAV-CURSE-3)."""
    for field in HELD:
        if getattr(p, field):
            yield Problem(f"{at}/{field}", say("who is out of the game holds nothing"), "ZAV-CURSE-3")


def _dust(at: str, p: Player) -> Iterator[Problem]:
    for field in ("dust", "waiting_dust"):
        if getattr(p, field) in NO_SUCH_DUST:
            message = say("{dust} dust: the amounts 1 and 3 do not exist", dust=getattr(p, field))
            yield Problem(f"{at}/{field}", message, "ZAV-PAY-2")


def _gems(t: Table, at: str, p: Player) -> Iterator[Problem]:
    f = figures(t)
    active = active_gems(p)
    if active > f.table["active-places"] and active > (places := capacity(t, p)):
        message = say("{active} active gems on {places} places", active=active, places=places)
        yield Problem(f"{at}/active", message, "ZAV-GEM-3")
    for gem, most in f.most_gems:
        if (n := owned(p, gem)) > most:
            message = say("{n} of {gem}; at most {most}", n=n, gem=gem, most=most)
            yield Problem(at, message, "ZAV-GEM-7")
    for artifact, most in f.most_artifacts:
        if (n := p.artifacts.get(artifact, 0)) > most:
            message = say("{n} of {artifact}; at most {most}", n=n, artifact=artifact, most=most)
            yield Problem(f"{at}/artifacts/{artifact}", message, "ZAV-AUC-7")


def _waiting(t: Table, m: Moment, at: str, p: Player) -> Iterator[Problem]:
    """Under the position card lies what the Nine Sages gave in this round (ZAV-KNOW-SAGES-1, -4)."""
    f = figures(t)
    if m.before_turns or m.before_play:
        field = "waiting" if p.waiting else "waiting_dust"
        yield Problem(f"{at}/{field}", say("it went to its owner when the round began"), "ZAV-ORDER-1")
        return
    start = f.characters[str(p.character)]
    skipped = start.stage if start.track == "sages" else 0
    rewards = f.tracks["sages"].reward[skipped : p.tracks.get("sages", 0)]
    given: Mapping[str, int] = {r["colour"]: r["cards"] for r in rewards}
    for card, n in by_colour(p.waiting).items():
        if n > given.get(card, 0):
            facts = {"n": n, "colour": card, "most": given.get(card, 0)}
            message = say("{n} {colour} cards; the stages reached give {most}", **facts)
            yield Problem(f"{at}/waiting", message, "ZAV-KNOW-SAGES-1")
    dearest = {c: max(e.value for e in f.energy.values() if e.colour == c) for c in given}
    if p.waiting_dust > (most := sum(dearest[c] * n for c, n in given.items())):
        message = say("{dust} dust; the stages reached give at most {most}", dust=p.waiting_dust, most=most)
        yield Problem(f"{at}/waiting_dust", message, "ZAV-KNOW-SAGES-2")
