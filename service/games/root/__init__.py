"""Root: one folder a ruleset version."""
