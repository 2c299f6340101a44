"""The games that Arbitr knows, a folder each."""
