"""The hub: follows the sessions that have streams, tells each version once for each audience, and hands it round."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import NamedTuple

from service.sessions import ledger
from service.sessions.store import StoreAway, StoreFull
from service.sessions.visit import (
    UnknownSession,
    Visit,
    bearer_of,
    known,
    renewed,
    standing,
    watching,
)
from service.streams import messages
from service.streams.follower import LOOK_EVERY
from service.streams.freeing import Leavings, trim
from service.streams.messages import Audience, Entries
from service.streams.office import Office
from service.streams.stream import Stream

PAGE = 64  # versions that are read and told in one go
PAUSE = 0.5  # seconds before a store that was away is asked again
TICK = 1.0  # seconds
LOG = logging.getLogger(__name__)
Told = dict[Audience, list[tuple[int, bytes]]]


class Missing(StoreAway):
    """The log lacks what the session should have: the store has lost it, or all of the session, just now."""


class News(NamedTuple):
    """What was found in the store: the session as it is, and the entries after the version that is known.

    `anew`: the version is lower than the one that is known, so what is known is worth nothing; or the log is lost.
    """

    visit: Visit
    entries: Entries
    anew: bool


@dataclass(eq=False)
class Channel:
    """A session that has streams. `version`: the last that was handed round; `standing`: see `bearer_of`."""

    session: str
    version: int
    standing: bytes
    visit: Visit  # without a state: for when the session ends
    streams: set[Stream] = field(default_factory=set)
    changed: bool = False
    looking: asyncio.Task[None] | None = None


class Hub:
    """All channels. What stands under "in threads" runs there, everything else in the loop."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.channels: dict[str, Channel] = {}
        self._closing = False
        self._leavings = Leavings()

    # -- coming and going -----------------------------------------------------------------------------------------

    def join(self, stream: Stream, visit: Visit) -> int:
        """Hand everything to this stream that comes after the version that is returned; `visit` is read just now."""
        channel = self.channels.get(visit.session)
        if channel is None:
            channel = Channel(visit.session, visit.version, standing(visit.stored), _empty(visit))
            self.channels[visit.session] = channel
            self._look(channel)  # what came between reading and now nobody has heard
        elif channel.standing != standing(visit.stored):
            channel.standing = b""  # one of the two is older: the next version tells whose the tokens are
        channel.streams.add(stream)
        if self._closing:
            stream.finish(messages.come_back())
        return channel.version

    def leave(self, stream: Stream, session: str) -> None:
        """Hand nothing to this stream any more."""
        stream.leave()
        self._leavings.left()
        channel = self.channels.get(session)
        if channel is not None:
            channel.streams.discard(stream)
            if not channel.streams:
                del self.channels[session]

    def close(self) -> None:
        """End all streams, as they stand: the process is to end, and the readers will come back."""
        self._closing = True
        for stream in self._every():
            stream.finish(messages.come_back())

    def _every(self) -> list[Stream]:
        return [stream for channel in self.channels.values() for stream in channel.streams]

    # -- what a stream begins with --------------------------------------------------------------------------------

    async def entered(self, stream: Stream, visit: Visit) -> Visit:
        """The session as it is when the stream has joined, so that nothing is missing. Raises UnknownSession."""
        if self.join(stream, visit) <= visit.version:
            return visit
        return await self.office.call(known, self.office.desk, visit.session, stream.told)

    async def beginning(self, stream: Stream, visit: Visit, after: int | None) -> AsyncIterator[bytes]:
        """What comes before all that is handed round: the table, or what happened after a version; nothing more of it
        where the stream has begun anew meanwhile. Raises Missing."""
        at = after if after is not None and after <= visit.version else None
        stream.cursor = at or 0
        while (at is None or at < visit.version) and not stream.over:
            for version, message in await self._page(visit, at, stream.audience, at == after):
                if stream.anew:
                    return
                at = stream.cursor = version
                yield message
        if visit.over and not stream.anew:
            stream.finish(messages.end(visit.version, messages.GAME_OVER))

    async def _page(
        self, visit: Visit, at: int | None, to: Audience, first: bool
    ) -> Sequence[tuple[int, bytes]]:
        """Messages about what came after a version, or the table. Raises Missing, but not at first: who comes
        back again and again to a log that is lost shall not come in vain."""
        try:
            return await self.office.call(_since, visit, at, to)
        except Missing:
            if not first:
                raise
            return await self.office.call(_since, visit, None, to)

    # -- duties ---------------------------------------------------------------------------------------------------

    async def follow(self, office: Office) -> None:
        """Look at every session with streams that has changed."""
        followed = office.follower.follow(
            lambda: list(self.channels), LOOK_EVERY, lambda change: change.session in self.channels
        )
        async for session, version in followed:
            channel = self.channels.get(session)
            if channel is not None and channel.version != version:
                self._look(channel)

    async def tick(self, office: Office) -> None:
        """See that streams are not silent, nor readers, and that those that have gone leave no memory behind; and that
        a session with streams lives on: it is in use."""
        while True:
            await asyncio.sleep(TICK)
            now, streams = monotonic(), self._every()
            for stream in streams:
                stream.tick(now)
            if self._leavings.cleared(len(streams), now):
                await office.call(trim)
            for channel in [c for c in self.channels.values() if c.visit.ages]:
                channel.visit = await office.call(_living_on, channel.visit)

    # -- a session that has changed -------------------------------------------------------------------------------

    def _look(self, channel: Channel) -> None:
        channel.changed = True
        if channel.looking is None:
            channel.looking = asyncio.create_task(self._looked(channel))

    async def _looked(self, channel: Channel) -> None:
        """Hand round what has come, until there is nothing new."""
        try:
            while channel.changed and channel.streams:
                channel.changed = False
                try:
                    await self._hand_round(channel)
                except (StoreAway, StoreFull):
                    channel.changed = True
                    await asyncio.sleep(PAUSE)
        except UnknownSession:
            self._end(channel, messages.end(channel.version, messages.SESSION_OVER))
        except Exception:
            LOG.exception("a fault of ours")
            self._end(channel, None)
        finally:
            channel.looking = None

    def _end(self, channel: Channel, message: bytes | None) -> None:
        for stream in channel.streams:
            stream.finish(message)

    async def _hand_round(self, channel: Channel) -> None:
        """Read what has come after the version that is known, and give each stream its share."""
        to = {stream.audience for stream in channel.streams}
        news, told = await self.office.call(_news, self.office, channel.session, channel.version, to)
        while missing := {stream.audience for stream in channel.streams} - told.keys():
            told |= await self.office.call(_tell, news, missing)
        stored, was = news.visit.stored, channel.standing
        channel.standing, channel.visit = standing(stored), _empty(news.visit)
        for stream in list(channel.streams):
            if channel.standing != was and bearer_of(stored, stream.told) != stream.bearer:
                stream.finish(messages.end(channel.version, messages.TOKEN_VOID))
                continue
            if news.anew and (stored.version < channel.version or stream.cursor < stored.version):
                stream.begin_anew()  # where the log alone is lost, who has come here since has the table already
            for version, message in told[stream.audience]:
                stream.push(version, message)
        channel.version = news.entries[-1][0] if news.entries else stored.version
        if channel.version < stored.version:
            channel.changed = True
        elif news.visit.over:
            self._end(channel, messages.end(channel.version, messages.GAME_OVER))


def _empty(visit: Visit) -> Visit:
    return replace(visit, stored=replace(visit.stored, state=None))


# -- in threads -------------------------------------------------------------------------------------------------------


def _news(office: Office, session: str, after: int, to: Collection[Audience]) -> tuple[News, Told]:
    """What is new in a session, and the messages for each audience. Raises UnknownSession, RulesGone."""
    visit = watching(office.desk, session)
    try:
        news = News(visit, _entries(visit, after), visit.version < after)
    except Missing:
        news = News(watching(office.desk, session), (), True)
    return news, _tell(news, to)


def _entries(visit: Visit, after: int) -> Entries:
    """The entries after a version up to the visit's, a page of them. Raises Missing where they are gone."""
    if after >= visit.version:
        return ()
    found = visit.desk.store.log(visit.session, after, min(PAGE, visit.version - after))
    if not found:
        raise Missing
    return [(version, ledger.decoded(kept)) for version, kept in found]


def _tell(news: News, to: Collection[Audience]) -> Told:
    """The messages for each audience."""
    if news.anew:
        return {each: [(news.visit.version, messages.table(news.visit, each))] for each in to}
    return {each: messages.told(news.visit, news.entries, each) for each in to}


def _since(visit: Visit, after: int | None, to: Audience) -> Sequence[tuple[int, bytes]]:
    """Messages about what came after a version; None: the table. Raises Missing."""
    if after is None:
        return [(visit.version, messages.table(visit, to))]
    return messages.told(visit, _entries(visit, after), to)


def _living_on(visit: Visit) -> Visit:
    """The visit of a session whose end has been put off."""
    return replace(visit, stored=renewed(visit.desk, visit.session, visit.about.ttl, visit.stored))
