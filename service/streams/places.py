"""How many streams may be open: in all, for one session, and from one address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class TooManyStreams(Exception):
    """As many are open as may; `mine`: it is the address that has too many."""

    def __init__(self, mine: bool = False) -> None:
        super().__init__(mine)
        self.mine = mine


class Places:
    """Half of the places may be taken for one session, and half by one client, so that nobody takes all."""

    def __init__(self, most: int) -> None:
        self.most, self.share = most, (most + 1) // 2
        self.taken = 0
        self._held: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def place(self, session: str, client: str | None) -> Iterator[None]:
        """Inside, a place is taken; client None: nobody asks whose it is. Raises TooManyStreams."""
        mine = [("session", session)] + ([] if client is None else [("client", client)])
        if client is not None and self._held["client", client] >= self.share:
            raise TooManyStreams(mine=True)
        if self.taken >= self.most or self._held["session", session] >= self.share:
            raise TooManyStreams
        self.taken += 1
        self._held.update(mine)
        try:
            yield
        finally:
            self.taken -= 1
            self._held.subtract(mine)
            for name in mine:
                if not self._held[name]:
                    del self._held[name]
