import re
import tomllib

import pytest

from tests.ops.conftest import ROOT

NAMES = ["build", "service", "run", "dev"]


def text(name):
    return (ROOT / "requirements" / f"{name}.txt").read_text()


def pinned(name):
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", text(name), re.M))


def named(requirements):
    return {re.match(r"[a-z0-9.-]+", requirement)[0] for requirement in requirements}


@pytest.mark.parametrize("name", NAMES)
def test_no_addresses(name):
    assert not re.search(r"https?:|://|--index|--find-links|\bfile:", text(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_package_is_exact_and_hashed(name):
    entries = re.split(r"^(?=[a-z])", re.sub(r"^#.*\n", "", text(name), flags=re.M), flags=re.M)[1:]
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9.-]+==\S+( ; [^\\]+)? \\\n    --hash=sha256:[0-9a-f]{64}", entry), entry


def test_all_locks_agree():
    everything = pinned("dev")
    for name in NAMES:
        assert pinned(name).items() <= everything.items(), name
    assert pinned("service").items() < pinned("run").items()


def test_what_is_declared_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    service = named(project["project"]["dependencies"])
    groups = project["dependency-groups"]
    assert service <= set(pinned("service"))
    extras = {extra: named(wanted) for extra, wanted in project["project"]["optional-dependencies"].items()}
    assert extras["embedded"] <= set(pinned("run"))
    assert extras["otel"] <= set(pinned("dev"))
    assert not extras["otel"] & set(pinned("run")), "who wishes for no traces installs nothing for them"
    assert named(groups["test"]) | named(groups["lint"]) | named(groups["build"]) <= set(pinned("dev"))
    assert not named(groups["test"] + groups["lint"] + groups["build"]) & set(pinned("service"))
