"""Webhooks: who must decide, and that a game is over, told by a signed request to an address of the player's choice."""
