"""The store of the sessions: whether it can be reached."""

CONNECT_WAIT = 1.0  # seconds


def reachable(url: str) -> str | None:
    """None if the store answers, else why it does not."""
    if not url:
        return "no store is set (ARBITR_REDIS_URL)"
    import redis

    client = redis.Redis.from_url(url, socket_timeout=CONNECT_WAIT, socket_connect_timeout=CONNECT_WAIT)
    try:
        client.ping()
    except redis.RedisError as error:
        return type(error).__name__
    finally:
        client.close()
    return None
