"""The pages for clients of Root, run word for word against a running service."""

import shutil
from pathlib import Path

import pytest

from tests.pages import page, says_what_it_says

rule = pytest.mark.rule


@pytest.fixture(autouse=True)
def curl() -> None:
    assert shutil.which("curl"), "the pages need curl"


@rule("ROOT-GEN-13", "ROOT-BATTLE-10", "ROOT-MOVE-1")
def test_every_command_answers_what_the_page_says(tmp_path: Path) -> None:
    """Set-up, a march and a battle with real cards and dice."""
    says_what_it_says(page("root.md"), tmp_path)


@rule("ROOT-SOLO-1", "ROOT-SPY-2", "ROOT-SPY-5", "ROOT-SPY-8", "ROOT-BOT-8", "ROOT-BOT-15", "ROOT-COOP-4")
def test_a_solo_game_goes_as_the_page_says(tmp_path: Path) -> None:
    """From set-up by a spy, what is refused, and a turn of the bot to the outcome."""
    says_what_it_says(page("solo.md"), tmp_path)
