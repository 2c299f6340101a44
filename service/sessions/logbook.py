"""The log of a visited session, read as it is asked for: a page at a time, or all of it at once."""

from __future__ import annotations

from service.engine.budget import tick
from service.sessions import ledger
from service.sessions.ledger import PAGE, Entry
from service.sessions.visit import UnknownSession, Visit

PART = 1024  # entries that are read in one go; the store does nothing else meanwhile


class Logbook:
    """The entries of a session by version. Raises UnknownSession where the session has ended since it was read: what
    is not there then has been there before."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._kept: dict[int, bytes] = {}
        self._read: dict[int, Entry] = {}

    def __getitem__(self, version: int) -> Entry:
        """What was done at a version. A page begins with an entry that holds its state, so few are read."""
        if version not in self._read:
            tick()
            if version not in self._kept:
                self._take(version // PAGE * PAGE - 1, PAGE)
            if version not in self._kept:
                raise UnknownSession
            self._read[version] = ledger.decoded(self._kept[version])
        return self._read[version]

    def whole(self) -> Logbook:
        """The same, all of it read at once, in a few large parts."""
        read = 0
        while read < self._visit.version:
            tick()
            self._take(read, PART)
            if len(self._kept) <= read:
                raise UnknownSession
            read = max(self._kept)
        return self

    def after(self, version: int, most: int) -> list[tuple[int, Entry]]:
        """The entries after a version, so many at most; there is at least one."""
        found = self._visit.desk.store.log(self._visit.session, version, most)
        if not found:
            raise UnknownSession
        return [(at, ledger.decoded(kept)) for at, kept in found]

    def _take(self, after: int, most: int) -> None:
        store = self._visit.desk.store
        self._kept |= store.log(self._visit.session, max(after, 0), most)
