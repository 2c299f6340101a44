"""Why a state cannot exist and why a game cannot be set up: reasons, each with its pointer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """A reason why a state cannot exist: where (JSON Pointer into the state), why, and the clause if there is one."""

    pointer: str
    message: str
    rule: str | None = None


class SetupRefused(Exception):
    """A set-up that the rules do not allow: every reason, with pointers into the set-up (there is at least one)."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(p.message for p in self.problems))
