"""The page about sessions says what is so."""

from __future__ import annotations

import re
from pathlib import Path

from service.config import Settings
from service.http.sessions import READ, WRITE
from service.sessions import tickets
from service.sessions.opening import TTL
from service.sessions.waiting import MOST_WAIT
from service.streams import stream
from tests.pages import page, says_what_it_says

PAGE = page("sessions.md")


def test_the_session_says_what_the_page_says(tmp_path: Path) -> None:
    says_what_it_says(PAGE, tmp_path)


def test_its_numbers_are_ours() -> None:
    assert f"after {TTL // 86400} days" in PAGE
    assert f"`wait={MOST_WAIT}` (at most)" in PAGE
    assert f"({Settings.from_env({}).waiting}, where" in PAGE
    assert f"({stream.QUEUE} messages may wait" in PAGE
    assert f"after {stream.QUIET:.0f} seconds of" in PAGE
    assert tickets.LIFE == 60, "a minute"
    told = {int(status) for status in re.findall(r"\b([45]\d\d)\b", PAGE.partition("## When")[2])}
    assert told <= {*READ, *WRITE}
