"""Why a state cannot exist and why a game cannot be set up: reasons, each with its pointer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from service.engine.message import Message


@dataclass(frozen=True)
class Problem:
    """A reason why a state cannot exist: where (JSON Pointer into the state), why, and the clause if there is one."""

    pointer: str
    message: str
    rule: str | None = None

    def below(self, place: str) -> Problem:
        """The same of something that holds what it is about at `place` (a JSON Pointer)."""
        return Problem(place + self.pointer, self.message, self.rule)

    def moved(self, old: str, new: str) -> Problem:
        """The same, where what lies at one pointer here lies at another one; in the message, too."""

        def there(text: str) -> str:
            return re.sub(rf"(^|(?<= )){old}\b", new, text)

        message = self.message.about(there) if isinstance(self.message, Message) else self.message
        return Problem(there(self.pointer), message, self.rule)


class SetupRefused(Exception):
    """A set-up that the rules do not allow: every reason, with pointers into the set-up (there is at least one)."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(p.message for p in self.problems))
