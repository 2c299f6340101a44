"""Arbitr: a referee for board games behind an HTTP API."""

__version__ = "0.1.0"
