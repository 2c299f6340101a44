"""Standing aside: a request that waits lets the next one have its turn."""

from contextlib import AbstractContextManager, nullcontext

from flask import has_request_context, request


def aside() -> AbstractContextManager[None]:
    """Inside, the request does not count among those that the worker works on at once (`service.worker`)."""
    link = request.environ.get("gunicorn.socket") if has_request_context() else None
    stepping = getattr(link, "aside", None)
    found: AbstractContextManager[None] = nullcontext() if stepping is None else stepping()
    return found


def in_vain() -> bool:
    """Whether nobody need wait any more: the client has gone, or the worker is to end."""
    asked = getattr(request.environ.get("gunicorn.socket"), "in_vain", None)
    return bool(asked and asked())
