"""The Scepter of Zavandor: one folder a ruleset version."""
