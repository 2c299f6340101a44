"""How gunicorn runs the service: `gunicorn -c python:service.gunicorn_conf`."""

import gc
import os
import shutil
from pathlib import Path
from typing import Any

from service.config import Settings
from service.counts import make_folder

_settings = Settings.from_env()

wsgi_app = "service.app:create_app()"
chdir = str(Path(__file__).parents[1])
bind = (
    f"[{_settings.bind}]:{_settings.port}" if ":" in _settings.bind else f"{_settings.bind}:{_settings.port}"
)
workers = _settings.workers
# So many are worked on at once (`service.worker`) and so many more wait without being in anybody's way.
threads = _settings.threads + _settings.waiting
worker_class = "service.worker.Worker"
# Without it nearly all keep-alive connections may land on one worker.
reuse_port = True
# One import for all workers; keys and connections are opened after the fork.
preload_app = True
timeout = 30
graceful_timeout = _settings.drain + 10
keepalive = 65  # seconds; longer than the proxies in front of us wait
control_socket_disable = True
# gunicorn's "info" is its own start and stop, which `arbitr serve` tells in a line.
loglevel = "warning" if _settings.log_level == "info" else _settings.log_level
# Heartbeats touch a file: keep it off the disk.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


# Where the workers count together what /metrics tells; in memory where possible, and empty at start.
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(make_folder(worker_tmp_dir))


def post_fork(server: Any, worker: Any) -> None:
    """Let this worker send its traces, if there are to be any."""
    if _settings.traces == "1":
        from service.http.tracing import start

        start()


def worker_exit(server: Any, worker: Any) -> None:
    """Let what it has not sent of its traces go out, if that is quickly done."""
    if _settings.traces == "1":
        from service.http.tracing import stop

        stop()


def child_exit(server: Any, worker: Any) -> None:
    """Let the counts of a worker that ended stay, and its gauges go."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    """Leave nothing behind."""
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)


def when_ready(server: Any) -> None:
    """Keep what was imported out of the collector, so that the workers go on sharing its memory.

    A judgement makes thousands of small things and no cycles to speak of: looking for them now and then is enough.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
