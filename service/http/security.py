"""Security headers: answers are data, not pages; the documentation runs its own scripts and no others."""

import base64
import hashlib
import re

from flask import Request, Response

from service.http.answers import whole
from service.http.headers import add

DATA = "default-src 'none'; frame-ancestors 'none'"
PAGES = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ALWAYS = (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"))
SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def secure(response: Response, asked: Request) -> Response:
    """Tell browsers what an answer may do."""
    policy = _page_policy(response) if asked.path.startswith("/docs") else DATA
    add(response, *ALWAYS, ("Content-Security-Policy", policy))
    return response


def _page_policy(response: Response) -> str:
    """The scripts that stand in a page are named by their digests."""
    if response.mimetype != "text/html":
        return PAGES.format(scripts="")
    digests = [hashlib.sha256(text).digest() for text in SCRIPT.findall(whole(response))]
    return PAGES.format(scripts="".join(f" 'sha256-{base64.b64encode(d).decode()}'" for d in digests))
