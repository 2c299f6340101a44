"""Dashboard, alerts and runbooks: they name what a running service has, and each other."""

from __future__ import annotations

import json
import random
import re
import urllib.request
from collections.abc import Iterator
from functools import cache
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from service.app import create_app
from service.config import Settings, setting_table
from service.http.logs import QUIET
from service.http.problems import table
from service.streams.asked import PLAIN, ROUTE
from tests.ops.conftest import ARBITR, ROOT, Running
from tests.ops.players import opened
from tests.patience import until

ALERTS = ROOT / "deploy/alerts.yaml"
DASHBOARD = ROOT / "deploy/grafana/arbitr.json"
RUNBOOKS = ROOT / "docs/runbooks"
OF_PROMETHEUS = {"up": {"job", "instance"}}  # what it makes itself for each target
ADDED = {"job", "instance"}  # labels that it adds to all
JOBS = ("arbitr", "arbitr-streams")
SETTINGS = {
    "ARBITR_RATE": 0,
    "ARBITR_LOG_LEVEL": "error",
    "ARBITR_STREAM_PORT": 0,
    "ARBITR_WORKERS": 1,
    "ARBITR_WEBHOOK_PRIVATE": 1,
}


# -- what is written --------------------------------------------------------------------------------------------------


def rules() -> list[Any]:
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    return list(group["rules"])


def dashboard() -> Any:
    return json.loads(DASHBOARD.read_text())


def panels() -> list[Any]:
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def expressions() -> Iterator[tuple[str, str]]:
    """Where each stands, and what it says; Grafana's own variables have values as it would give them."""
    for rule in rules():
        yield rule["alert"], rule["expr"]
    for panel in panels():
        for target in panel["targets"]:
            told = re.sub(r"\$__(rate_interval|range)", "5m", target["expr"])
            yield panel["title"], told.replace("$job", "arbitr.*")


EVERY = [pytest.param(told, id=f"{n} {where}") for n, (where, told) in enumerate(expressions())]


def parts(node: Any) -> Iterator[Any]:
    """A query and all that is in it."""
    yield node
    for name in ("lhs", "rhs", "expr", "vector_selector", "args"):
        inside = getattr(node, name, None)
        if inside is not None:
            for each in inside if isinstance(inside, list) else [inside]:
                yield from parts(each)


def selectors(told: str) -> list[Any]:
    return [part for part in parts(promql_parser.parse(told)) if type(part).__name__ == "VectorSelector"]


def grouped(told: str) -> set[str]:
    """The labels that are grouped by."""
    found = set()
    for part in parts(promql_parser.parse(told)):
        modifier = getattr(part, "modifier", None)
        if type(part).__name__ == "AggregateExpr" and modifier is not None:
            found |= set(modifier.labels)
    return found


# -- what there is ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def there(tmp_path_factory: Any) -> dict[str, set[str]]:
    """The metrics of a running service that has done everything once, each with its labels."""
    service = Running((*ARBITR, "serve"), tmp_path_factory.mktemp("watched"), **SETTINGS).wait_up()
    try:
        game = opened(service.port)
        game.step(random.Random(1))
        told = {"Authorization": game.token("ann")}
        hook = {"url": "http://127.0.0.1:9/nobody-listens"}
        assert game.player.once("PUT", f"{game.path}/webhook", hook, **told)[0] == 201
        assert game.player.once("GET", "/nowhere")[0] == 404
        game.player.ask("GET", "/readyz")

        def sent() -> bool:
            game.step(random.Random(2))
            return any(name == "arbitr_webhooks_total" for name, _ in samples(service.streams))

        assert until(sent)
        found: dict[str, set[str]] = {}
        for port in (service.port, service.streams):
            for name, labels in samples(port):
                found.setdefault(name, set()).update(labels)
        return found
    finally:
        service.end()


def samples(port: int) -> list[tuple[str, set[str]]]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        text = answer.read().decode()
    families = text_string_to_metric_families(text)
    return [(sample.name, set(sample.labels)) for family in families for sample in family.samples]


@cache
def routes() -> frozenset[str]:
    app = create_app(Settings.from_env({"ARBITR_KEY": "5a" * 32}))
    return frozenset({rule.rule for rule in app.url_map.iter_rules()} | {ROUTE, *PLAIN, "none"})


@pytest.mark.parametrize("told", EVERY)
def test_every_metric_and_label_is_one_of_a_running_service(told: str, there: dict[str, set[str]]) -> None:
    known = there | OF_PROMETHEUS
    found = selectors(told)
    assert found
    for each in found:
        assert each.name in known, each.name
        named = {matcher.name for matcher in each.matchers.matchers}
        assert named <= known[each.name] | ADDED, (each.name, named)
    assert grouped(told) <= set().union(*(known[each.name] for each in found)) | ADDED


@pytest.mark.parametrize("told", EVERY)
def test_every_value_of_a_label_is_one_that_there_can_be(told: str) -> None:
    for each in selectors(told):
        for matcher in each.matchers.matchers:
            values = {
                "route": routes(),
                "reason": frozenset(table()),
                "job": frozenset(JOBS),
                "verdict": frozenset({"legal", "illegal"}),
                "status": frozenset({"200", "429", "500", "503"}),
                "result": frozenset({"2xx"}),
            }[matcher.name]
            exact = str(matcher.op) in ("MatchOp.Equal", "MatchOp.NotEqual")
            alternatives = [matcher.value] if exact else matcher.value.split("|")
            for value in alternatives:
                matching = value in values if exact else any(re.fullmatch(value, v) for v in values)
                assert matching, (matcher.name, value)


def test_the_first_refusal_is_an_increase(there: dict[str, set[str]]) -> None:
    """Prometheus sees none where a count begins with one: so all are counted from nothing on."""
    assert "reason" in there["arbitr_refusals_total"]
    create_app(Settings.from_env({"ARBITR_KEY": "5a" * 32}))
    for reason in table():
        assert REGISTRY.get_sample_value("arbitr_refusals_total", {"reason": reason}) is not None, reason


def test_a_job_without_any_target_is_down_too() -> None:
    """Where nothing is asked, nothing answers 0."""
    (down,) = [rule["expr"] for rule in rules() if rule["alert"] == "ArbitrDown"]
    called = [p for p in parts(promql_parser.parse(down)) if type(p).__name__ == "Call"]
    assert {p.func.name for p in called} == {"absent"}
    assert [m.value for p in called for s in selectors(str(p)) for m in s.matchers.matchers] == list(JOBS)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule["alert"])
def test_health_checks_make_no_share_of_requests_smaller(rule: Any) -> None:
    """Kubernetes and Prometheus ask all the time, also where nobody else does."""
    for part in parts(promql_parser.parse(rule["expr"])):
        if type(part).__name__ != "BinaryExpr" or str(part.op) != "/":
            continue
        for each in selectors(str(part.rhs)):
            told = [(m.name, str(m.op), m.value) for m in each.matchers.matchers if m.name == "route"]
            if each.name == "arbitr_requests_total" and told != [("route", "MatchOp.Equal", "/readyz")]:
                assert [(name, set(value.split("|"))) for name, _, value in told] == [("route", set(QUIET))]
                assert "Not" in told[0][1]


# -- over time ---------------------------------------------------------------------------------------------------------

SCRAPED = 15  # seconds between two looks of Prometheus, as deploy/kubernetes has it
ORDINARY = ("store-unavailable", "not-confirmed")  # refusals that a failover of some seconds brings
BEGUN = 150  # when it begins


def fires(rule: Any, lasted: int, shift: int) -> bool:
    """Whether a rule about an increase becomes an alarm when requests are refused for so many seconds."""
    (window,) = re.findall(r"\[(\d+)m\]", rule["expr"])
    reach, patience = int(window) * 60, int(rule["for"].rstrip("m")) * 60
    looks = [(at, min(max(at - BEGUN, 0), lasted)) for at in range(shift, 1200, SCRAPED)]
    since = None
    for now, _ in looks:
        seen = [refused for at, refused in looks if now - reach < at <= now]
        if seen[-1] <= seen[0]:
            since = None
        elif now - (since := now if since is None else since) >= patience:
            return True
    return False


FAILING = [rule for rule in rules() if any(f'"{reason}"' in rule["expr"] for reason in ORDINARY)]


@pytest.mark.parametrize("rule", FAILING, ids=lambda rule: rule["alert"])
def test_a_failover_wakes_nobody_and_an_outage_does(rule: Any) -> None:
    assert rule["labels"]["severity"] == "page"
    for shift in range(SCRAPED):
        assert not any(fires(rule, lasted, shift) for lasted in (1, 3, 10, 30))
        assert all(fires(rule, lasted, shift) for lasted in (200, 600))


def test_every_refusal_of_a_failover_has_its_alert() -> None:
    assert len(FAILING) == len(ORDINARY)


# -- to each other ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule["alert"])
def test_every_alert_says_what_to_do(rule: Any) -> None:
    assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["runbook_url"] == f"docs/runbooks/{rule['alert']}.md"
    named = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
    assert named <= grouped(rule["expr"]) | ADDED
    page = (ROOT / rule["annotations"]["runbook_url"]).read_text()
    assert page.startswith(f"# {rule['alert']}\n\n`{rule['labels']['severity']}`. ")
    shown = "\n".join(line.strip() for line in re.findall(r"^    (.*)$", page, re.M))
    assert shown == "\n".join(line.strip() for line in rule["expr"].strip().split("\n")), "as it is"
    assert page.index("\n## Look\n") < page.index("\n## Do\n")


def test_every_runbook_is_of_an_alert() -> None:
    names = [rule["alert"] for rule in rules()]
    assert sorted(path.name for path in RUNBOOKS.iterdir()) == sorted(f"{name}.md" for name in names)
    assert len(set(names)) == len(names)


def anchors(text: str) -> set[str]:
    """Where links into a page may lead."""
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", sorted(RUNBOOKS.glob("*.md")), ids=lambda path: path.stem)
def test_links_of_runbooks_lead_somewhere(path: Any) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", path.read_text()):
        name, _, anchor = target.partition("#")
        page = (path.parent / name).resolve()
        assert page.is_file(), target
        assert not anchor or anchor in anchors(page.read_text()), target


def test_settings_that_runbooks_name_are_settings() -> None:
    known = {name for name, _, _ in setting_table()}
    for path in RUNBOOKS.glob("*.md"):
        assert set(re.findall(r"\bARBITR_[A-Z_]+", path.read_text())) <= known, path.name


def test_the_dashboard_is_whole() -> None:
    found = dashboard()
    ids = [panel["id"] for panel in found["panels"]]
    assert len(set(ids)) == len(ids)
    variables = {variable["name"] for variable in found["templating"]["list"]}
    told = json.dumps(found)
    named = {n for n in re.findall(r"\$\{?(\w+)\}?", told) if not n.startswith("__")}
    assert named <= variables
    for panel in panels():
        assert panel["datasource"]["uid"] == "${datasource}", panel["title"]
        for target in panel["targets"]:
            shown = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            told = re.sub(r"\$__(rate_interval|range)", "5m", target["expr"]).replace("$job", "x")
            assert shown <= (grouped(told) or ADDED), panel["title"]
    places = [(p["gridPos"]["x"], p["gridPos"]["y"]) for p in found["panels"]]
    assert len(set(places)) == len(places)
    assert all(p["gridPos"]["x"] + p["gridPos"]["w"] <= 24 for p in found["panels"])
    assert {rule["alert"] for rule in rules()} >= set(re.findall(r"Runbook (\w+)", told))
