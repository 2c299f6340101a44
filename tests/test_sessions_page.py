"""The page about sessions says what is so."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

from service.config import Settings
from service.http.session_limits import WEBHOOK_RATE
from service.http.sessions import READ, WRITE
from service.sessions import tickets
from service.sessions.opening import TTL
from service.sessions.rates import WINDOW
from service.sessions.waiting import MOST_WAIT
from service.streams import stream
from service.webhooks import posting, retrying, rounds, shares, signing, targets
from service.webhooks.hooks import Message
from service.webhooks.telling import body
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


def test_what_the_page_says_of_webhooks_is_so() -> None:
    told = PAGE.partition("## Be told")[2].partition("## Take back")[0]
    assert f"within {posting.WAIT:.0f} seconds" in told
    first = retrying.FIRST_PAUSE // 1000
    assert f"after {first // 2} to {first} seconds" in told
    assert (shares.FOR_RECEIVER, shares.LONGEST_PAUSE) == (4, 300), "four at once, five minutes"
    assert (retrying.REFUSALS, retrying.LATER) == (3, (408, 425, 429)), "three answers that say no"
    assert (retrying.LONGEST_PAUSE, retrying.GIVE_UP) == (3600_000, 24 * 3600_000), "an hour, a day"
    session = "0123456789abcdef" * 2
    shown = body(session, "zavandor", Message("your-decision", 7, "seat:ann")).decode()
    start = shown.partition(', "links"' if ', "links"' in shown else ',"links"')[0]
    assert re.sub(r"[\s]", "", start) in re.sub(r"[\s]", "", told)


def test_the_example_on_the_page_tells_our_messages_from_others() -> None:
    (example,) = [
        block for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M) if "def ours" in block
    ]
    names: dict[str, Any] = {}
    exec(example, names)
    ours, secret, sent = names["ours"], b"\x07" * 32, b'{"type":"game-over"}'
    told = signing.told(secret)
    headers = signing.headers(secret, "msg_1", 1_900_000_000, sent)
    assert ours(told, headers, sent, 1_900_000_000)
    assert ours(told, headers, sent, 1_900_000_300)
    both = {
        **headers,
        "webhook-signature": f"v1,{base64.b64encode(bytes(32)).decode()} {headers['webhook-signature']}",
    }
    assert ours(told, both, sent, 1_900_000_000), "one of several is enough"
    assert not ours(told, headers, sent, 1_900_000_301)
    assert not ours(told, headers, sent, 1_899_999_699)
    assert not ours(told, headers, sent), "a copy of an old one"
    assert not ours(told, headers, sent + b" ", 1_900_000_000)
    assert not ours(signing.told(b"\x08" * 32), headers, sent, 1_900_000_000)
    for name, other in (
        ("webhook-id", "msg_2"),
        ("webhook-timestamp", "1900000001"),
        ("webhook-timestamp", "x"),
    ):
        assert not ours(told, {**headers, name: other}, sent, 1_900_000_000)
    assert not ours(told, {**headers, "webhook-signature": "v1,"}, sent, 1_900_000_000)


def test_what_the_operators_page_says_of_webhooks_is_so() -> None:
    told = re.sub(r"\s+", " ", page("operations.md").partition("## Webhooks")[2].partition("\n## ")[0])
    assert f"lent to who sends for {rounds.LEASE // 1000} seconds" in told
    assert (rounds.SOONEST_LOOK, rounds.LATEST_LOOK) == (60_000, 600_000), "a minute, ten minutes"
    assert f"{posting.MOST_READ >> 10} KB are read at most" in told
    mine, to_one = shares.FOR_SESSION, shares.FOR_RECEIVER
    places = f"{mine} of one session, {to_one} to one host, {to_one} to one address"
    assert f"{shares.AT_ONCE} messages on their way at once: {places}" in told
    assert (shares.FAILING, shares.FAILING_FOR_RECEIVER) == (shares.AT_ONCE // 2, shares.FOR_RECEIVER // 2), (
        "half"
    )
    assert (shares.FIRST_PAUSE, shares.LONGEST_PAUSE) == (1, 300), "a second, five minutes"
    assert f"The last {shares.KNOWN:,} hosts and URLs are remembered" in told
    assert retrying.REFUSALS == 3, "three answers that say no"
    assert (WEBHOOK_RATE, WINDOW) == (1, 10), "ten times at once and then once a second"
    assert f"looked up by {targets.LOOKUPS} threads" in told
    assert f"one session has {targets.SHARE}, one address that sets webhooks {targets.SHARE}" in told
    assert f"of one domain {targets.DOMAIN_SHARE}" in told
    assert f"within {targets.LOOKUP_WAIT:.0f} seconds" in told
    assert f"waits {posting.PATIENCE:.0f} seconds for one" in told
    assert f"gets {posting.WAIT:.0f} seconds in all" in told
