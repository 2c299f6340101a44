"""Webhooks: an address of the bearer's choice that is told when the game waits for him, and when it is over."""

from datetime import UTC, datetime
from typing import Any

from flask import Response, request

from schemas.webhook import NewWebhookSchema, WebhookRequestSchema, WebhookSchema
from service.config import OFF
from service.http import bearer, session_limits
from service.http.answers import answer
from service.http.api import Blueprint
from service.http.aside import aside
from service.http.body import read_body
from service.http.context import context, desk, loaded, targets
from service.http.limits import address_of
from service.http.problems import Problem
from service.http.queries import demand_query
from service.http.sessions import lasting
from service.sessions.visit import enter
from service.webhooks import hooks, registering, signing
from service.webhooks.hooks import Hook

READ = (400, 401, 403, 404, 406, 429, 503)
WRITE = (400, 401, 403, 404, 406, 408, 413, 415, 422, 429, 503)

blueprint = Blueprint(
    "webhooks", __name__, url_prefix="/v1/sessions", description="Who is told that the game waits for him."
)


@blueprint.route("/<session>/webhook", methods=["PUT"])
@blueprint.answers(
    NewWebhookSchema,
    status=201,
    errors=WRITE,
    secured=True,
    takes=WebhookRequestSchema,
    examples={"a player's address": {"url": "https://player.example.org/arbitr"}},
)
def set_webhook(session: str) -> Response:
    """Have the bearer told by a signed POST when the game waits for him (the host: for any seat), and when it is over.
    It takes the place of the one that he has. Its secret is told this once."""
    demand_query()
    token = bearer.token()
    session_limits.charge()
    visit = enter(desk(), session, token)
    visit.demand(*registering.WHO)
    url = loaded(WebhookRequestSchema, read_body())["url"]
    _demand_sender()
    session_limits.charge_webhook(session)
    with aside():
        targets().demand(url, f"session:{session}", *_asker())
    made = registering.register(visit, url, context().keys)
    return lasting(answer({**_shown(made.hook), "secret": signing.told(made.secret)}, 201), visit)


@blueprint.route("/<session>/webhook", methods=["GET"])
@blueprint.answers(WebhookSchema, errors=READ, secured=True)
def get_webhook(session: str) -> Response:
    """The bearer's webhook, and how its last message went."""
    demand_query()
    visit = enter(desk(), session, bearer.token(), state=False)
    return lasting(answer(_shown(registering.registered(visit))), visit)


@blueprint.route("/<session>/webhook", methods=["DELETE"])
@blueprint.answers(None, status=204, errors=READ, secured=True)
def remove_webhook(session: str) -> Response:
    """Take the bearer's webhook away, if he has one."""
    demand_query()
    registering.remove(enter(desk(), session, bearer.token(), state=False))
    return Response(status=204)


def _demand_sender() -> None:
    """Raises Problem where it is known that nobody sends: no process of streams, neither here nor elsewhere."""
    settings = context().settings
    if settings.stream_port == OFF and not settings.stream_url:
        raise Problem("no-webhooks")


def _asker() -> list[str]:
    """The address that asks, as far as that is limited."""
    return [f"address:{address_of(request.remote_addr or '')}"] if context().settings.rate else []


def _shown(hook: Hook) -> dict[str, Any]:
    """A webhook as its holder sees it, without its secret."""
    shown: dict[str, Any] = {
        "url": hook.url,
        "seat": hooks.seat_of(hook.bearer),
        "state": hook.state,
        "tries": hook.tries,
    }
    if hook.result:
        shown["last"] = {"result": hook.result, "at": _time(hook.at)}
    return {**shown, **({"next_at": _time(hook.next_at)} if hook.tries else {})}


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
