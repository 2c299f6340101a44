"""Requests that do not arrive in time."""

import errno


class TooSlow(TimeoutError):
    """The time in which a request must arrive, or an answer be taken, is over.

    To the server it is a client that has gone (ENOTCONN): the connection is closed without a word in the log.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(errno.ENOTCONN, "too slow")
        self.seconds = seconds
