"""No container engine is needed here: the files are parsed and held to what they promise."""

import ast
import json
import re
import shlex

import pytest
import yaml

from service import serve
from service.config import OFF, Settings, setting_table, unknown_settings
from service.http.logs import QUIET as QUIET_ROUTES
from service.http.problems import LARGEST_BATCH
from service.http.session_events import MOST_WAIT
from service.streams.stream import QUIET
from tests.ops.conftest import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
INSTRUCTIONS = {
    "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "RUN", "STOPSIGNAL",
    "USER", "VOLUME", "WORKDIR",
}  # fmt: skip
BUILD_TOOLS = r"\b(gcc|g\+\+|make|build-essential|setuptools|pip|uv|apt-get|apk)\b"


def stages(text):
    """Split a Dockerfile into stages, each a list of (instruction, arguments)."""
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.M)
    text = re.sub(r"\\\n", " ", text)
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        assert word in INSTRUCTIONS, line
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest.strip()))
    return found


@pytest.fixture
def build():
    return stages(DOCKERFILE)[0]


@pytest.fixture
def last():
    return stages(DOCKERFILE)[-1]


@pytest.fixture
def compose():
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


def only(stage, word):
    (found,) = [rest for instruction, rest in stage if instruction == word]
    return found


def environment(stage):
    return dict(pair.split("=", 1) for pair in shlex.split(only(stage, "ENV")))


def test_two_stages_on_the_same_slim_image(build, last):
    assert len(stages(DOCKERFILE)) == 2
    base = only(build, "FROM").split()[0]
    assert re.fullmatch(r"python:3\.\d+-slim", base)
    assert only(last, "FROM") == base, "a virtual environment needs the Python that made it"


def test_the_first_stage_runs_the_install_script_alone(build):
    assert [rest for word, rest in build if word == "RUN"] == ["scripts/install.sh /opt/arbitr"]


def test_what_is_copied_exists_or_is_built(build):
    for word, rest in build:
        if word == "COPY":
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), source


def test_the_script_gets_every_file_that_it_reads(build):
    copied = {source for word, rest in build if word == "COPY" for source in rest.split()[:-1]}
    script = (ROOT / "scripts/install.sh").read_text()
    parts = re.search(r"for part in (.*?);", script)[1].split()
    assert copied == {*parts, "requirements", "scripts"}


def test_what_is_copied_is_not_ignored(build):
    lines = (ROOT / ".dockerignore").read_text().split()
    copied = {source for word, rest in build if word == "COPY" for source in rest.split()[:-1]}
    assert {line[1:] for line in lines if line.startswith("!")} == copied


def test_the_last_stage_has_no_build_tools(last):
    for word, rest in last:
        assert not re.search(BUILD_TOOLS, rest), (word, rest)
    assert [rest for word, rest in last if word == "COPY"] == ["--from=build /opt/arbitr /opt/arbitr"]


def test_the_install_is_from_hashes_into_an_environment_without_pip():
    script = (ROOT / "scripts/install.sh").read_text()
    installs = re.findall(r"^pip .*install.*$", script, re.M)
    assert len(installs) == 3
    assert all("--require-hashes" in line or "--no-index" in line for line in installs)
    assert "venv --without-pip" in script


def test_it_runs_without_rights(last):
    user = only(last, "USER")
    (making,) = [rest for word, rest in last if word == "RUN" and "useradd" in rest]
    assert user in shlex.split(making)
    assert user not in ("root", "0")
    words = [word for word, _ in last]
    assert words.index("USER") < words.index("CMD")
    assert words.index("USER") > max(n for n, word in enumerate(words) if word in ("RUN", "COPY"))


def test_its_health_is_checked_without_further_tools(last):
    check = only(last, "HEALTHCHECK")
    python, flag, code = json.loads(check.partition("CMD")[2])
    assert (python, flag) == ("python", "-c")
    ast.parse(code)
    assert "/livez" in code


def test_it_starts_the_service_on_all_addresses_with_its_data_in_the_volume(last):
    assert json.loads(only(last, "CMD")) == ["arbitr", "serve"]
    env = environment(last)
    assert env["ARBITR_BIND"] == "0.0.0.0"
    assert env["ARBITR_DATA"] == only(last, "VOLUME")
    assert [env["PORT"], env["ARBITR_STREAM_PORT"]] == only(last, "EXPOSE").split()
    assert env["PATH"].startswith("/opt/arbitr/bin:")


def test_compose_puts_a_redis_with_a_log_beside_the_service(compose):
    redis = compose["services"]["redis"]
    command = redis["command"]
    assert command[command.index("--appendonly") + 1] == "yes"
    assert command[command.index("--appendfsync") + 1] == "${ARBITR_FSYNC:-everysec}"
    assert command[command.index("--stream-node-max-bytes") + 1] == "2048"
    assert redis["healthcheck"]["test"] == ["CMD", "redis-cli", "ping"]
    assert "ports" not in redis, "nobody but the service needs it"
    arbitr = compose["services"]["arbitr"]
    assert arbitr["environment"]["ARBITR_REDIS_URL"] == "redis://redis:6379/0"
    assert arbitr["depends_on"]["redis"]["condition"] == "service_healthy"
    assert "/livez" in arbitr["healthcheck"]["test"][-1]
    ast.parse(arbitr["healthcheck"]["test"][-1])


def test_compose_keeps_data_and_comes_back(compose):
    for service in compose["services"].values():
        assert service["restart"] == "unless-stopped"
        assert service["healthcheck"]["interval"]
    for name in ("arbitr", "redis"):
        (volume,) = compose["services"][name]["volumes"]
        assert volume.split(":")[0] in compose["volumes"]


def test_compose_leaves_time_for_the_end(compose):
    """No longer drain than that is spoken of; what the store needs is not ours."""
    arbitr = compose["services"]["arbitr"]
    spoken = int(re.search(r"enough for one of (\d+)", (ROOT / "compose.yaml").read_text())[1])
    assert spoken + serve.STOP_WAIT < int(arbitr["stop_grace_period"].rstrip("s"))


def test_compose_sets_only_settings_that_exist(compose):
    env = compose["services"]["arbitr"]["environment"]
    filled = {name: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value) for name, value in env.items()}
    assert unknown_settings(filled) == []
    assert Settings.from_env(filled).redis_url
    assert Settings.from_env({**filled, "ARBITR_STREAM_PORT": "off"}).stream_port == OFF


def test_compose_passes_on_all_that_may_be_set(compose):
    """What the image sets, what the Redis has, and what the image has no packages for, is not for the service."""
    elsewhere = {"PORT", "ARBITR_BIND", "ARBITR_DATA", "ARBITR_FSYNC", "ARBITR_TRACES", "ARBITR_REDIS_URL"}
    names = {name for name, _, _ in setting_table()} - elsewhere
    env = compose["services"]["arbitr"]["environment"]
    assert {name for name, value in env.items() if value.startswith(f"${{{name}:-")} == names
    assert set(env) - names == {"ARBITR_REDIS_URL"}


def test_compose_publishes_to_this_machine_only(compose):
    assert published(compose, "arbitr") == ["127.0.0.1:8000:8000", "127.0.0.1:8001:8001"]
    assert published(compose, "proxy") == ["127.0.0.1:8080:8080"]
    assert "${ARBITR_STREAM_PORT" not in str(compose["services"]["arbitr"]["ports"]), "which may be off"


def published(compose, service):
    return [re.sub(r"\$\{\w+:-(.*?)\}", r"\1", port) for port in compose["services"][service]["ports"]]


# -- the proxy --------------------------------------------------------------------------------------------------------


def block(text, head):
    """What stands in the braces after this head."""
    begun = text.index("{", text.index(head)) + 1
    depth, at = 1, begun
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[begun : at - 1]


def directives(text):
    """Names and values of what stands in a block itself."""
    text = re.sub(r"#.*", "", text)
    while "{" in text:
        text = re.sub(r"[^;{}]*\{[^{}]*\}", "", text)
    return {line.split()[0]: " ".join(line.split()[1:]) for line in text.split(";") if line.strip()}


def test_the_proxy_has_both_under_one_address(compose):
    proxy = compose["services"]["proxy"]
    assert proxy["profiles"] == ["proxy"], "who wants none has none"
    (mounted,) = proxy["volumes"]
    source, target, mode = mounted.split(":")
    assert (target, mode) == ("/etc/nginx/conf.d/default.conf", "ro")
    config = (ROOT / source).read_text()
    server = block(config, "server {")
    assert directives(server)["listen"] == published(compose, "proxy")[0].rpartition(":")[2]
    stream, rest = block(server, "/stream$ {"), block(server, "location / {")
    inside = [port.rpartition(":")[2] for port in published(compose, "arbitr")]
    upstream = directives(block(config, "upstream streams {"))
    assert upstream["hash"] == "$uri consistent", "all readers of a session come to one process"
    assert directives(stream)["proxy_pass"] == "http://streams"
    led = [directives(rest)["proxy_pass"], f"http://{upstream['server']}"]
    assert led == [f"http://arbitr:{p}" for p in inside]
    pattern = re.search(r"location ~ (\S+) \{", server)[1]
    assert re.match(pattern, f"/v1/sessions/{'0' * 32}/stream")
    assert not re.match(pattern, f"/v1/sessions/{'0' * 32}/stream-tickets")
    assert not re.match(pattern, f"/v1/sessions/{'0' * 32}/events")


def test_the_proxy_neither_holds_streams_back_nor_cuts_them(compose):
    server = block((ROOT / "deploy/proxy/nginx.conf").read_text(), "server {")
    stream = directives(block(server, "/stream$ {"))
    assert stream["proxy_buffering"] == "off"
    assert int(stream["proxy_read_timeout"].removesuffix("s")) > 2 * QUIET
    assert int(directives(block(server, "location / {"))["proxy_read_timeout"].removesuffix("s")) > MOST_WAIT
    headers = re.findall(r"proxy_set_header (\S+) (\S+);", server)
    assert ("X-Forwarded-For", "$proxy_add_x_forwarded_for") in headers
    assert ("Host", "$http_host") in headers
    assert ("Connection", '""') in headers
    assert "proxy_set_header" not in block(server, "/stream$ {"), (
        "else it would have none of those of the server"
    )
    assert int(directives(server)["limit_conn"].split()[1]) * 2 <= Settings.from_env({}).streams
    for path in QUIET_ROUTES:
        assert "404" in block(server, f"= {path} {{"), "nothing for strangers"
    assert int(directives(server)["client_max_body_size"].removesuffix("m")) << 20 > LARGEST_BATCH
