"""Attending to a session: what is due in it by itself is done by whoever comes by. There is no scheduler."""

from __future__ import annotations

from dataclasses import replace

from service.sessions import automata
from service.sessions.visit import Visit


def needed(visit: Visit) -> bool:
    """Whether anything can be due at this session by itself; asks neither the store nor the rules."""
    return bool(visit.about.automated())


def attend(visit: Visit) -> Visit:
    """Do what is due: automated seats act. The session as it is then.

    Raises UnknownSession, StaleVersion, OutOfTime, and what the store raises; what was done until then is done.
    """
    return automata.play_on(visit)


def afresh(visit: Visit) -> Visit:
    """The session as it is now, whatever has become of the token that somebody came by. Raises UnknownSession."""
    return replace(visit, key=None, held="").again()
