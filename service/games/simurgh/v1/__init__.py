"""Simurgh 1.0: its clauses, figures and words, and one module a chapter of the rulebook."""

from service.games.simurgh.v1.ruleset import RULES

__all__ = ["RULES"]
