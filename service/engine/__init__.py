"""The engine: rules as data, stated once. It imports nothing of ours and names no game."""
