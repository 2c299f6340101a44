"""The page for clients of Root, run word for word against a running service."""

import shutil
from pathlib import Path

import pytest

from tests.pages import page, says_what_it_says


@pytest.mark.rule("ROOT-GEN-13", "ROOT-BATTLE-10", "ROOT-MOVE-1")
def test_every_command_answers_what_the_page_says(tmp_path: Path) -> None:
    """Set-up, a march and a battle with real cards and dice."""
    assert shutil.which("curl"), "the page needs curl"
    says_what_it_says(page("root.md"), tmp_path)
