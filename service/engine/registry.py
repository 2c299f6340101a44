"""The registry: which rulesets this service judges. Games register themselves by one line elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.ruleset import Ruleset


class UnknownGame(KeyError):
    """No game, or no version of it, of this name."""


class Registry:
    """Rulesets by game and version; the last one added of a game is its current version."""

    def __init__(self) -> None:
        self._rulesets: dict[str, dict[str, Ruleset]] = {}

    def add(self, rules: Ruleset) -> None:
        """Register a ruleset."""
        self._rulesets.setdefault(rules.game, {})[rules.version] = rules

    def get(self, game: str, version: str | None = None) -> Ruleset:
        """The ruleset of this game (its current version if none is named); UnknownGame if there is none."""
        versions = self._rulesets.get(game)
        if versions is None or (version is not None and version not in versions):
            raise UnknownGame(f"{game} {version or ''}".strip())
        return versions[version] if version is not None else list(versions.values())[-1]

    def versions(self, game: str) -> list[str]:
        """All versions of a game, the oldest first."""
        return list(self._rulesets.get(game, {}))

    def __iter__(self) -> Iterator[Ruleset]:
        """The current ruleset of every game."""
        return (list(versions.values())[-1] for versions in self._rulesets.values())
