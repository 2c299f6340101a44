"""The duty of sending webhooks."""

from __future__ import annotations

from service.config import server_keys
from service.sessions.keys import Keyring
from service.streams import counts
from service.streams.office import Office
from service.webhooks.courier import Courier
from service.webhooks.rounds import Rounds
from service.webhooks.targets import Targets


async def send_webhooks(office: Office) -> None:
    """Tell whoever wants to know that the game waits for him. Several processes may: each message has one sender."""
    keys = Keyring(lambda: server_keys(office.settings))
    targets = Targets(office.settings.webhook_private == "1")
    follower = office.follower
    courier = Courier(Rounds(office.desk.store, keys), targets, _count)
    await courier.run(follower.follow(only=courier.interested), lambda: follower.listening)


def _count(result: str) -> None:
    counts.WEBHOOKS.labels(result).inc()
