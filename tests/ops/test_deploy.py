"""The manifests, held to Kubernetes' schemas, to our settings and routes, and to each other; no cluster is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from service import __version__, serve
from service.app import create_app
from service.cli import build_parser
from service.config import SettingError, Settings, setting_table, unknown_settings
from service.http.operation import checks
from service.http.readiness import STORE, TIME
from service.streams.asked import PLAIN
from service.webhooks.addresses import NOT_PUBLIC_4, NOT_PUBLIC_6, PUBLIC_6
from tests.ops.conftest import ROOT
from tests.ops.test_docker import environment, stages

FOLDER = ROOT / "deploy/kubernetes"
KUBERNETES = ["1.34", "1.37"]  # the oldest that they are meant for, and the newest that there are schemas of
FILES = sorted(FOLDER.glob("*.yaml"))
KEY, STORE_URL = "5a" * 32, "rediss://arbitr:password@redis.example.org:6380/0"


def documents(path: Path) -> list[Any]:
    return list(yaml.safe_load_all(path.read_text()))


def every() -> list[Any]:
    """All objects that are applied or made by hand."""
    return [found for path in FILES if path.name != "kustomization.yaml" for found in documents(path)]


def of_kind(kind: str) -> list[Any]:
    return [found for found in every() if found["kind"] == kind]


def named(kind: str, name: str) -> Any:
    (found,) = [each for each in of_kind(kind) if each["metadata"]["name"] == name]
    return found


@pytest.fixture(params=["arbitr", "arbitr-streams"])
def deployment(request: pytest.FixtureRequest) -> Any:
    return named("Deployment", request.param)


def pod(deployment: Any) -> Any:
    return deployment["spec"]["template"]["spec"]


def container(deployment: Any) -> Any:
    (found,) = pod(deployment)["containers"]
    return found


def env(deployment: Any) -> dict[str, str]:
    """The environment of a container: what the image sets, ConfigMap and Secret (with real values), its own."""
    found = environment(stages((ROOT / "Dockerfile").read_text())[-1])
    for source in container(deployment)["envFrom"]:
        ((kind, ref),) = source.items()
        told = named({"configMapRef": "ConfigMap", "secretRef": "Secret"}[kind], ref["name"])
        found |= told.get("data") or told["stringData"]
    found |= {"ARBITR_KEYS": KEY, "ARBITR_REDIS_URL": STORE_URL}
    return found | {each["name"]: each["value"] for each in container(deployment)["env"]}


def settings(deployment: Any) -> Settings:
    return Settings.from_env(env(deployment))


# -- as Kubernetes has it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", KUBERNETES)
@pytest.mark.parametrize("path", [p for p in FILES if p.name != "kustomization.yaml"], ids=lambda p: p.name)
def test_every_object_is_one_of_kubernetes(path: Path, version: str) -> None:
    """Strictly: a field that there is not is a fault."""
    for found in documents(path):
        assert kubernetes_validate.validate(found, version, strict=True) == version


def test_the_check_is_strict() -> None:
    """It would tell a slip of the pen."""
    wrong = named("Deployment", "arbitr")
    wrong["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError, match="readinesProbe"):
        kubernetes_validate.validate(wrong, KUBERNETES[-1], strict=True)


def test_the_kustomization_names_every_file_but_the_example_of_a_secret() -> None:
    (found,) = documents(FOLDER / "kustomization.yaml")
    others = {path.name for path in FILES} - {"kustomization.yaml", "secret.example.yaml"}
    assert set(found["resources"]) == others
    assert found["namespace"] == documents(FOLDER / "namespace.yaml")[0]["metadata"]["name"]
    (image,) = found["images"]
    assert (image["name"], image["newTag"]) == ("arbitr", __version__)


def test_everything_lies_in_one_namespace_under_one_label() -> None:
    for found in every():
        about = found["metadata"]
        assert about.get("namespace") == (None if found["kind"] == "Namespace" else "arbitr")
        assert about["labels"]["app.kubernetes.io/part-of"] == "arbitr"
    names = [(found["kind"], found["metadata"]["name"]) for found in every()]
    assert len(set(names)) == len(names)


# -- to each other --------------------------------------------------------------------------------------------------


def test_selectors_and_labels_agree(deployment: Any) -> None:
    name, spec = deployment["metadata"]["name"], deployment["spec"]
    labels = spec["template"]["metadata"]["labels"]
    assert spec["selector"]["matchLabels"].items() <= labels.items()
    assert named("Service", name)["spec"]["selector"].items() <= labels.items()
    budget = named("PodDisruptionBudget", name)["spec"]["selector"]["matchLabels"]
    spread = [each["labelSelector"]["matchLabels"] for each in pod(deployment)["topologySpreadConstraints"]]
    assert all(each == spec["selector"]["matchLabels"] for each in (budget, *spread))
    (other,) = {each["metadata"]["name"] for each in of_kind("Deployment")} - {name}
    assert not named("Service", other)["spec"]["selector"].items() <= labels.items()


def test_the_number_of_pods_is_the_autoscaler_s(deployment: Any) -> None:
    name = deployment["metadata"]["name"]
    assert "replicas" not in deployment["spec"], "each apply would set it back"
    scaler = named("HorizontalPodAutoscaler", name)["spec"]
    assert scaler["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
    assert scaler["minReplicas"] > named("PodDisruptionBudget", name)["spec"]["maxUnavailable"]
    asked = container(deployment)["resources"]["requests"]
    assert {metric["resource"]["name"] for metric in scaler["metrics"]} <= set(asked)


HELD, READER = (
    (60.0, 110.0),
    48 / 1024,
)  # MiB of a stream pod without readers, and of a reader: docs/scaling.md
MESSAGE, TOLERANCE = 310e-6, 1.1  # CPU seconds of a message; what the autoscaler bears above its target


def mebibytes(quantity: str) -> float:
    assert quantity.endswith("Mi")
    return float(quantity[:-2])


def test_a_new_stream_pod_comes_before_those_that_there_are_are_full() -> None:
    streams = named("Deployment", "arbitr-streams")
    most = settings(streams).streams
    scaler = named("HorizontalPodAutoscaler", "arbitr-streams")["spec"]
    told = {m["resource"]["name"]: m["resource"]["target"]["averageValue"] for m in scaler["metrics"]}
    begins = [(mebibytes(told["memory"]) * TOLERANCE - held) / READER for held in HELD]
    nearly = float(
        re.findall(r"arbitr_streams_limit > (0\.\d)", (ROOT / "deploy/alerts.yaml").read_text())[0]
    )
    assert all(0.55 * most < readers < nearly * most for readers in begins), begins
    resources = container(streams)["resources"]
    full = HELD[1] + most * READER
    assert full <= mebibytes(resources["requests"]["memory"]) < mebibytes(resources["limits"]["memory"]) / 2
    assert mebibytes(told["memory"]) > 2 * HELD[1], "a pod without readers is no reason for another"
    cpu = float(told["cpu"].removesuffix("m")) / 1000
    assert cpu * TOLERANCE < 0.7, "of one thread"
    assert most / 10 * MESSAGE < cpu / 2, "so it is not CPU that tells when they are full"
    assert scaler["maxReplicas"] * most == 500_000, "what docs/scaling.md says"


def test_a_replacement_is_there_before_the_old_one_goes(deployment: Any) -> None:
    assert deployment["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}


def test_services_and_ingress_lead_to_ports_that_there_are(deployment: Any) -> None:
    (port,) = named("Service", deployment["metadata"]["name"])["spec"]["ports"]
    (listens,) = container(deployment)["ports"]
    assert port["targetPort"] == listens["name"]
    wanted = settings(deployment)
    serving = deployment["metadata"]["name"] == "arbitr"
    assert listens["containerPort"] == (wanted.port if serving else wanted.stream_port)


def paths() -> Iterator[tuple[str, str, str]]:
    """Path, how, and service of the Ingress."""
    for ingress in of_kind("Ingress"):
        (rule,) = ingress["spec"]["rules"]
        assert [rule["host"]] == ingress["spec"]["tls"][0]["hosts"]
        for each in rule["http"]["paths"]:
            backend = each["backend"]["service"]
            assert backend["port"]["name"] in [
                p["name"] for p in named("Service", backend["name"])["spec"]["ports"]
            ]
            yield each["path"], each["pathType"], backend["name"]


def test_both_ingresses_are_of_one_address() -> None:
    ours, streams = (named("Ingress", name)["spec"] for name in ("arbitr", "arbitr-streams"))
    for spec in (ours, streams):
        (rule,) = spec["rules"]
        del rule["http"]
    assert ours == streams


def test_readers_of_one_session_come_to_one_process_and_requests_go_anywhere() -> None:
    """`$uri` is the path alone: with the query readers with tickets would be spread."""
    by = "nginx.ingress.kubernetes.io/upstream-hash-by"
    assert named("Ingress", "arbitr-streams")["metadata"]["annotations"] == {by: "$uri"}
    assert by not in named("Ingress", "arbitr")["metadata"].get("annotations", {})
    found = {path for path, _, service in paths() if service == "arbitr-streams"}
    assert found == {
        each["path"] for each in named("Ingress", "arbitr-streams")["spec"]["rules"][0]["http"]["paths"]
    }


def test_the_ingress_reaches_every_public_route_and_no_other() -> None:
    served = [rule.rule for rule in create_app(Settings.from_env({"ARBITR_KEY": KEY})).url_map.iter_rules()]
    open_ = [(path, how) for path, how, service in paths() if service == "arbitr"]

    def reached(route: str) -> bool:
        return any(route == at or (how == "Prefix" and route.startswith(f"{at}/")) for at, how in open_)

    assert {route for route in served if not reached(route)} == {"/livez", "/readyz", "/metrics"}


def test_streams_are_where_sessions_say_they_are() -> None:
    ingress = named("Ingress", "arbitr-streams")
    (at,) = [path for path, _, service in paths() if service == "arbitr-streams"]
    told = f"https://{ingress['spec']['rules'][0]['host']}{at}"
    for deployment in of_kind("Deployment"):
        assert settings(deployment).stream_url == told


# -- to the service -------------------------------------------------------------------------------------------------


def test_settings_are_settings_and_say_what_they_should(deployment: Any) -> None:
    given = env(deployment)
    assert unknown_settings(given) == []
    known = {name for name, _, _ in setting_table()}
    own = {each["name"] for each in container(deployment)["env"]}
    assert own <= known
    found = settings(deployment)
    assert found.bind == "0.0.0.0"
    assert found.drain > 0
    assert found.redis_url.startswith("rediss://")
    assert found.streaming, "sessions name their streams"


def test_secrets_stand_in_the_secret_alone_and_the_example_is_none() -> None:
    (config,), (secret,) = of_kind("ConfigMap"), of_kind("Secret")
    assert {"ARBITR_KEYS", "ARBITR_REDIS_URL"} <= set(secret["stringData"])
    assert not set(config["data"]) & set(secret["stringData"])
    with pytest.raises(SettingError, match=r"ARBITR_REDIS_URL .*ARBITR_KEYS "):
        Settings.from_env(secret["stringData"])


def test_no_variable_comes_from_services(deployment: Any) -> None:
    """A Service called arbitr-stream would set ARBITR_STREAM_PORT to tcp://…, which no port is."""
    assert pod(deployment)["enableServiceLinks"] is False


def test_the_command_is_one(deployment: Any) -> None:
    command, *arguments = container(deployment)["args"]
    assert command == "arbitr"
    assert build_parser().parse_args(arguments).run.__name__ == f"run_{arguments[0]}"


def test_probes_ask_for_what_there_is(deployment: Any) -> None:
    app = create_app(Settings.from_env({"ARBITR_KEY": KEY}))
    main = {rule.rule for rule in app.url_map.iter_rules()}
    known = main if deployment["metadata"]["name"] == "arbitr" else set(PLAIN)
    found = container(deployment)
    (listens,) = found["ports"]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        path, _, query = found[probe]["httpGet"]["path"].partition("?")
        assert path == ("/readyz" if probe == "readinessProbe" else "/livez")
        assert path in known
        assert found[probe]["httpGet"]["port"] == listens["name"]
        if query:
            assert query == f"exclude={STORE},{TIME}", "all pods share them: nothing of them takes a pod out"
            assert {STORE, TIME} <= set(checks(app.extensions["arbitr"]))
            answer = app.test_client().get(f"{path}?{query}")
            assert answer.status_code == 200
            assert not {STORE, TIME} & set((answer.json or {})["checked"])


def test_there_is_time_for_the_end(deployment: Any) -> None:
    """First the endpoints are told, then it goes on, then what runs is finished; kubelet kills nobody before."""
    waits = container(deployment)["lifecycle"]["preStop"]["sleep"]["seconds"]
    needed = waits + settings(deployment).drain + serve.STOP_WAIT
    assert needed < pod(deployment)["terminationGracePeriodSeconds"]


def test_pods_have_no_rights(deployment: Any) -> None:
    spec, found = pod(deployment), container(deployment)
    user = re.search(r"--uid (\d+)", (ROOT / "Dockerfile").read_text())
    assert user
    assert spec["securityContext"]["runAsUser"] == int(user[1]), "the image's own"
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert spec["automountServiceAccountToken"] is False
    assert found["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    (mounted,) = found["volumeMounts"]
    assert mounted["mountPath"] == "/tmp", "where Python makes files"
    assert [volume["name"] for volume in spec["volumes"]] == [mounted["name"]]


def test_the_network_lets_out_what_is_needed_and_webhooks_to_the_public_alone() -> None:
    common, webhooks = (
        named("NetworkPolicy", "arbitr")["spec"],
        named("NetworkPolicy", "arbitr-webhooks")["spec"],
    )
    labels = named("Deployment", "arbitr-streams")["spec"]["template"]["metadata"]["labels"]
    assert webhooks["podSelector"]["matchLabels"].items() <= labels.items()
    other = named("Deployment", "arbitr")["spec"]["template"]["metadata"]["labels"]
    assert not webhooks["podSelector"]["matchLabels"].items() <= other.items()
    (rule,) = webhooks["egress"]
    assert rule["ports"] == [{"protocol": "TCP", "port": 443}]
    four, six = (each["ipBlock"] for each in rule["to"])
    assert (four["cidr"], set(four["except"])) == ("0.0.0.0/0", set(map(str, NOT_PUBLIC_4)))
    assert (six["cidr"], set(six["except"])) == (str(PUBLIC_6), set(map(str, NOT_PUBLIC_6)))
    for deployment in of_kind("Deployment"):
        found = deployment["spec"]["template"]["metadata"]["labels"]
        assert common["podSelector"]["matchLabels"].items() <= found.items()
    assert common["policyTypes"] == ["Ingress", "Egress"]
    out = [port for each in common["egress"] for port in each["ports"]]
    store = int(STORE_URL.partition("@")[2].partition(":")[2].partition("/")[0])
    assert any(port["port"] <= store <= port.get("endPort", port["port"]) for port in out)
    sentinels = 26379
    assert f"(port {sentinels})" in (ROOT / "docs/operations.md").read_text()
    assert {"protocol": "TCP", "port": sentinels} in out
    (store_ports,) = re.findall(r"ports:(.*)\n.*\n\s*port: 6379", (FOLDER / "network.yaml").read_text())
    assert "CHANGE" in store_ports, "a store may listen anywhere"
    assert {"protocol": "UDP", "port": 53} in out, "names"
    assert not any(port["port"] == 443 for port in out)


def test_the_monitor_finds_both_services() -> None:
    """It is no object of Kubernetes itself, so there is no schema to hold it to."""
    (monitor,) = documents(FOLDER / "optional/servicemonitor.yaml")
    spec = monitor["spec"]
    for service in of_kind("Service"):
        labels = service["metadata"]["labels"]
        assert spec["selector"]["matchLabels"].items() <= labels.items()
        assert labels[spec["jobLabel"]] == service["metadata"]["name"], "the job of alerts and dashboard"
        assert spec["endpoints"][0]["port"] in [port["name"] for port in service["spec"]["ports"]]
    assert spec["endpoints"][0]["path"] == "/metrics"
