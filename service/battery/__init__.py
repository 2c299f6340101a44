"""The laws that a running service can be held to over HTTP alone: `arbitr battery --url …`."""
