"""Pages of the documentation whose commands are run word for word against a running service."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from wsgiref.simple_server import make_server

from service.app import create_app
from tests.sessions.stores import imitation
from tests.test_readme import Quiet

DOCS = Path(__file__).parents[1] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@contextmanager
def served() -> Iterator[str]:
    """The address of a service with every game and a store in memory."""
    server = make_server("127.0.0.1", 0, create_app(store=imitation()), handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def says_what_it_says(text: str, folder: Path) -> None:
    """All commands of a page in one shell; what they print, and nothing else, stands on the page."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.S | re.M)
    script = "".join(block for language, block in blocks if language == "sh")
    python = f'python3() {{ {sys.executable} "$@"; }}\n'
    with served() as address:
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", python + script.replace("localhost:8000", address)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
    assert ran.stdout == "".join(block for language, block in blocks if not language)
    assert ran.stderr == ""
