"""Messages of the engine itself, and of games about states: English templates with facts, in every language."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

FALLBACK = "en"
CHANCE = "chance"  # as in a state


class Message(str):
    """An English message (as a string) that keeps its template and facts, so that it can be told in other languages."""

    template: str
    facts: Mapping[str, Any]

    def about(self, change: Callable[[str], str]) -> Message:
        """The same message with every text among its facts changed."""
        return Message(
            self.template, **{k: change(v) if isinstance(v, str) else v for k, v in self.facts.items()}
        )

    def __new__(cls, template: str, /, **facts: Any) -> Self:
        """The template with its facts filled in."""
        made = super().__new__(cls, template.format(**facts) if facts else template)
        made.template, made.facts = template, facts
        return made


def say(template: str, /, **facts: Any) -> Message:
    """`Problem("/game", say("this is {game}, not {given}", game=…, given=…))`.

    The template is the key under which its translations stand: the engine's in `messages.toml`, a game's in the
    `[problems]` of its `words.toml`.
    """
    return Message(template, **facts)


@cache
def catalogue() -> Mapping[str, Any]:
    """The engine's own texts: `[problems]` by their English templates, `[refusals]` by their reasons."""
    return tomllib.loads((Path(__file__).parent / "messages.toml").read_text(encoding="utf-8"))
