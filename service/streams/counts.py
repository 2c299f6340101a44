"""What the stream process counts, beside what it has in common with the main service."""

from __future__ import annotations

from prometheus_client import Counter, Gauge

OPEN = Gauge("arbitr_streams", "Streams that are open.")
LIMIT = Gauge("arbitr_streams_limit", "Streams that may be open at once.")
MESSAGES = Counter("arbitr_stream_messages", "Messages that were sent on streams.")
DROPPED = Counter("arbitr_streams_dropped", "Streams of readers who were too slow.")
WEBHOOKS = Counter("arbitr_webhooks", "Messages to webhooks, by what came of them.", ("result",))
