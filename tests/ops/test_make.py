"""How `.venv` is made, shown on a copy with stand-ins for uv and Python."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.ops.conftest import ROOT, clean_env

# Makes an "environment" that is a link to the Python of the tests, and writes down what it was asked.
UV = f"""#!/bin/sh
echo "$*" >>"$UV_ASKED"
[ "$1" = venv ] || exit ${{UV_FAILS:-0}}
for last; do :; done
sleep 0.2; mkdir -p "$last/bin" && ln -s {sys.executable} "$last/bin/python"
"""


@pytest.fixture
def checkout(tmp_path):
    """A copy of what makes the environment, and a function that runs make there."""
    copy = tmp_path / "copy of it"
    for name in ("Makefile", "pyproject.toml", "scripts", "requirements", "service/__init__.py"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, copy / name)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "make", "cat", "cmp", "dirname", "rm", "mkdir", "ln", "awk", "sleep"):
        (tools / tool).symlink_to(shutil.which(tool))

    def make(*arguments, fresh=True, **env):
        asked = tmp_path / "asked"
        if fresh:
            asked.write_text("")
        done = subprocess.run(
            ["make", "--no-print-directory", *arguments],
            cwd=copy,
            env=clean_env(**{"PATH": tools, "UV_ASKED": asked, "PYTHON": sys.executable, **env}),
            capture_output=True,
            text=True,
            timeout=300,
        )
        done.asked = asked.read_text().splitlines()
        return done

    make.tools, make.copy = tools, copy
    return make


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def with_uv(checkout):
    script(checkout.tools / "uv", UV)
    return checkout


def test_uv_is_used_where_it_is_found(with_uv):
    done = with_uv("env-run")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.asked] == ["venv", "pip", "pip"]
    assert "--require-hashes -r requirements/build.txt -r requirements/run.txt" in done.asked[1]


def test_a_second_time_nothing_is_done(with_uv):
    with_uv("env-run")
    done = with_uv("env-run")
    assert (done.returncode, done.asked, done.stderr) == (0, [], "")


def test_the_environment_of_the_tests_also_runs_the_service(with_uv):
    with_uv("env-dev")
    assert with_uv("env-run").asked == []


def test_the_environment_of_the_service_is_not_enough_for_the_tests(with_uv):
    with_uv("env-run")
    assert "-r requirements/dev.txt" in with_uv("env-dev").asked[0]


def test_a_new_lock_is_installed(with_uv):
    with_uv("env-run")
    with (with_uv.copy / "requirements/run.txt").open("a") as lock:
        lock.write("# new\n")
    assert len(with_uv("env-run").asked) == 2


def test_an_install_that_failed_is_tried_again(with_uv):
    failed = with_uv("env-run", UV_FAILS=1)
    assert failed.returncode == 2
    assert "arbitr: requirements/run.txt could not be installed (see above)" in failed.stderr
    assert len(with_uv("env-run").asked) == 2


def test_an_environment_whose_python_went_away_is_made_anew(with_uv):
    with_uv("env-run")
    python = with_uv.copy / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/no/such/python")
    assert with_uv("env-run").asked[0].startswith("venv")


def test_a_moved_checkout_is_installed_again(with_uv):
    with_uv("env-run")
    moved = with_uv.copy.with_name("moved")
    with_uv.copy.rename(moved)
    with_uv.copy.mkdir()
    assert len(with_uv("-C", str(moved), "env-run").asked) == 2


def test_two_at_once_install_once(with_uv):
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: with_uv("env-run", fresh=False), range(4)))
    assert [each.returncode for each in done] == [0] * 4
    assert len(with_uv("env-run", fresh=False).asked) == 3


def test_python_without_venv_is_told(checkout):
    script(
        checkout.tools / "bare",
        f'#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\nexec {sys.executable} "$@"\n',
    )
    done = checkout("run", PYTHON="bare")
    assert done.returncode == 2
    said = done.stderr.splitlines()
    assert said[1].startswith("arbitr: ")
    assert "has no venv module (on Debian and Ubuntu: apt-get install python3-venv)" in said[1]
    assert not (checkout.copy / ".venv").exists()


@pytest.mark.parametrize("python", ["/bin/false", "/no/such/python", ""])
def test_no_python_is_told(checkout, python):
    done = checkout("run", PYTHON=python)
    assert done.returncode == 2
    assert done.stderr.startswith("arbitr: Python 3.11 or newer is needed and was not found")


def test_help_is_the_default_and_lists_every_target(checkout):
    done = checkout()
    assert done.returncode == 0
    for target in (
        "run",
        "test",
        "long",
        "lint",
        "fix",
        "openapi",
        "bench",
        "growth",
        "peers",
        "records",
        "lock",
        "clean",
    ):
        assert f"\n  make {target} " in "\n" + done.stdout


def test_ci_runs_the_tests():
    path = ROOT / ".ci/run"
    assert os.access(path, os.X_OK)
    text = path.read_text()
    assert "set -euo pipefail" in text
    assert text.rstrip().endswith("test")
