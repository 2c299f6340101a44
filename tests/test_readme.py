"""The sessions of the README and of Root's page, run word for word against a running service."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from service.app import create_app

README = Path(__file__).parents[1] / "README.md"
ROOT = README.parent / "docs" / "root.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Quiet(WSGIRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    server = make_server("127.0.0.1", 0, create_app(), handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(("page", "before"), [(README, "bob\n"), (ROOT, "")], ids=["README", "root"])
def test_the_session_says_what_the_page_says(page: Path, before: str, port: int, tmp_path: Path) -> None:
    """Every command of the page in one shell; what it prints stands in the page."""
    assert shutil.which("curl"), "the sessions need curl"
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    script = "".join(block for language, block in blocks if language == "sh")
    python = f'python3() {{ {sys.executable} "$@"; }}\n'
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", python + script.replace("localhost:8000", f"127.0.0.1:{port}")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    printed = "".join(block for language, block in blocks if not language)
    assert ran.stdout == before + printed
    assert ran.stderr == ""


def test_the_readme_links_to_files_that_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert links
    for link in links:
        assert (README.parent / link).exists(), link
