"""Sessions: the games that a client asks the service to keep, and the store that keeps them."""
