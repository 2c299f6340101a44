"""`python -m service.streams.run`: gunicorn with one worker that holds all streams, set by the environment."""

from __future__ import annotations

import gc
import os
import resource
from typing import Any

from gunicorn.app.base import BaseApplication

from service.config import Settings
from service.streams.app import Streams
from service.streams.worker import SPARE, Worker

FILES = 100  # descriptors beside those of connections


class Server(BaseApplication):
    """gunicorn, told what to do by our settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        super().__init__()

    def load_config(self) -> None:
        """See gunicorn."""
        host, port = self.settings.bind, self.settings.stream_port
        for name, value in {
            "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
            "worker_class": Worker,
            "workers": 1,
            "reuse_port": True,  # `arbitr serve` holds the port for us
            "preload_app": True,
            "keepalive": 0,  # a connection is one stream
            "graceful_timeout": self.settings.drain + 3,
            "asgi_lifespan": "on",
            "control_socket_disable": True,
            "loglevel": "warning" if self.settings.log_level == "info" else self.settings.log_level,
            "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,
            "when_ready": when_ready,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application."""
        return Streams(self.settings)


def when_ready(server: Any) -> None:
    """Keep what was imported out of the collector, which looks at what is old when streams have gone (`freeing`)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def allow_files(streams: int) -> None:
    """Let the process have as many connections as it may have streams, as far as the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = streams + SPARE + FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def main() -> None:
    """Run until it is told to stop."""
    settings = Settings.from_env()
    allow_files(settings.streams)
    Server(settings).run()


if __name__ == "__main__":
    main()
