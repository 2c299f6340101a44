"""The page about sessions says what is so."""

from __future__ import annotations

import re
from pathlib import Path

from service.config import Settings
from service.http.sessions import READ, WRITE
from service.sessions.opening import TTL
from service.sessions.waiting import MOST_WAIT
from tests.pages import page, says_what_it_says

<<<<<<< HEAD
PAGE = page("sessions.md")


def test_the_session_says_what_the_page_says(tmp_path: Path) -> None:
    says_what_it_says(PAGE, tmp_path)
=======
PAGE = (Path(__file__).parents[1] / "docs" / "sessions.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.S | re.M)


@pytest.fixture
def port() -> Iterator[int]:
    server = make_server("127.0.0.1", 0, create_app(store=imitation()), handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_session_says_what_the_page_says(port: int, tmp_path: Path) -> None:
    script = "".join(block for language, block in BLOCKS if language == "sh")
    python = f'python3() {{ {sys.executable} "$@"; }}\n'
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", python + script.replace("localhost:8000", f"127.0.0.1:{port}")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stdout == "".join(block for language, block in BLOCKS if not language)
    assert ran.stderr == ""
>>>>>>> sess2


def test_its_numbers_are_ours() -> None:
    assert f"after {TTL // 86400} days" in PAGE
    assert f"`wait={MOST_WAIT}` (at most)" in PAGE
    assert f"({Settings.from_env({}).waiting}, where" in PAGE
    told = {int(status) for status in re.findall(r"\b([45]\d\d)\b", PAGE.partition("## When")[2])}
    assert told <= {*READ, *WRITE}
