"""The run of `arbitr battery`: a line for every law, then the breaches."""

from __future__ import annotations

from collections.abc import Iterator

from service.battery.games import games_of
from service.battery.laws import Report, hold, subject_of
from service.battery.wire import Client

SHOWN = 5  # breaches of one law that are told in full
SPOTS = 10  # a game


def battery(url: str, number: int, seed: int, only: str | None) -> Iterator[str]:
    """The lines to print; the last one begins with `broken` where a law is. Raises UserError."""
    client, broken = Client(url), 0
    for games in games_of(client, only):
        subject = subject_of(games, number, seed, SPOTS * number)
        plies = sum(len(game.spots) for game in subject.played)
        yield f"{games.game}: {number} games, {plies:,} plies, seed {seed}, {len(subject.spots)} states looked at"
        for report in hold(subject):
            yield f"  {report}"
            yield from _breaches(report)
            broken += bool(report.breaches)
    yield "  secrets           not over HTTP: `make test` holds every game to it"
    yield f"broken: {broken} laws" if broken else f"every law holds ({client.asked:,} requests)"


def _breaches(report: Report) -> Iterator[str]:
    for breach in report.breaches[:SHOWN]:
        yield f"    {breach[:600]}"
    if len(report.breaches) > SHOWN:
        yield f"    and {len(report.breaches) - SHOWN} more"
