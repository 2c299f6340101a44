"""The HTTP layer: one concern a file; routes decode, call a use case, and encode."""
