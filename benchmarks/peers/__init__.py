"""Judgements a second of Arbitr beside what else a user might pick (`make peers`); the method: docs/operations.md."""
