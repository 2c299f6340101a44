"""Root 1.0: its clauses, figures and words, and one module a chapter of the Law of Root."""

from service.games.root.v1.ruleset import RULES

__all__ = ["RULES"]
