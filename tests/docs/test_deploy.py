"""The files in `deploy/` are valid, and their settings exist."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from heed.app.settings import Settings

ROOT = Path(__file__).parents[2]
MANIFESTS = sorted((ROOT / "deploy/kubernetes").glob("*.yaml"))
KUBERNETES = "1.37"


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return content


def manifest(name: str) -> dict[str, Any]:
    return read(ROOT / f"deploy/kubernetes/{name}.yaml")


def known_settings(names: list[str]) -> None:
    for name in names:
        assert name.removeprefix("HEED_").lower() in Settings.model_fields, name


@pytest.mark.parametrize(
    "path", [path for path in MANIFESTS if path.stem != "kustomization"], ids=lambda path: path.stem
)
def test_a_manifest_follows_the_schema_of_kubernetes(path: Path) -> None:
    kubernetes_validate.validate(read(path), KUBERNETES, strict=True)


def test_an_unknown_field_is_found() -> None:
    service = manifest("service")
    service["spec"]["prots"] = []
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(service, KUBERNETES, strict=True)


def compose_schema() -> jsonschema.Draft202012Validator:
    folder = resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
    text = (folder / "compose-spec.json").read_text("utf-8")
    return jsonschema.Draft202012Validator(json.loads(text))


def test_the_composition_follows_the_schema_of_compose() -> None:
    compose_schema().validate(read(ROOT / "deploy/compose.yaml"))


def test_an_unknown_field_of_a_composition_is_found() -> None:
    composition = read(ROOT / "deploy/compose.yaml")
    composition["services"]["heed"]["read_onyl"] = True
    with pytest.raises(jsonschema.ValidationError, match="read_onyl"):
        compose_schema().validate(composition)


def test_the_customization_lists_every_manifest() -> None:
    listed = set(manifest("kustomization")["resources"])
    assert listed == {path.name for path in MANIFESTS} - {"kustomization.yaml"}


def test_manifests_select_the_pods_of_the_deployment() -> None:
    labels = manifest("deployment")["spec"]["template"]["metadata"]["labels"]
    assert manifest("deployment")["spec"]["selector"]["matchLabels"] == labels
    assert manifest("service")["spec"]["selector"] == labels
    assert manifest("disruption")["spec"]["selector"]["matchLabels"] == labels
    assert manifest("network")["spec"]["podSelector"]["matchLabels"] == labels


def test_the_pod_runs_without_privileges_and_has_probes_and_limits() -> None:
    pod = manifest("deployment")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert f"--uid {pod['securityContext']['runAsUser']} " in (ROOT / "Dockerfile").read_text()
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert set(container["resources"]["limits"]) == {"cpu", "memory"}
    assert container["resources"]["limits"]["memory"] == "640Mi"
    known_settings([each["name"] for each in container["env"] if each["name"] != "POD_IP"])
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    stop = Settings.model_fields["stop_seconds"].default
    assert pod["terminationGracePeriodSeconds"] > pause + stop + 1


def environments() -> dict[str, dict[str, str]]:
    (container,) = manifest("deployment")["spec"]["template"]["spec"]["containers"]
    (application,) = read(ROOT / "deploy/ray/serve.yaml")["applications"]
    return {
        "compose": services()["heed"]["environment"],
        "kubernetes": {each["name"]: each.get("value", "") for each in container["env"]},
        "ray": application["runtime_env"]["env_vars"],
    }


@pytest.mark.parametrize("place", ["compose", "kubernetes", "ray"])
def test_every_deployment_limits_hosts_and_rates(place: str) -> None:
    environment = environments()[place]
    assert environment["HEED_ALLOWED_HOSTS"].strip("*")
    assert "*" not in environment["HEED_ALLOWED_HOSTS"]
    assert float(environment["HEED_RATE_PER_MINUTE"]) > 0


def test_kubernetes_admits_the_address_that_prometheus_asks() -> None:
    (container,) = manifest("deployment")["spec"]["template"]["spec"]["containers"]
    names = [each["name"] for each in container["env"]]
    assert "$(POD_IP)" in environments()["kubernetes"]["HEED_ALLOWED_HOSTS"]
    assert names.index("POD_IP") < names.index("HEED_ALLOWED_HOSTS")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ray itself
def test_the_configuration_of_ray_is_valid() -> None:
    from ray.serve.schema import ServeDeploySchema

    given = ServeDeploySchema.model_validate(read(ROOT / "deploy/ray/serve.yaml"))
    (application,) = given.applications
    assert application.import_path == "heed.ray:app"
    known_settings(list(application.runtime_env["env_vars"]))


def test_the_settings_of_the_composition_exist() -> None:
    services = read(ROOT / "deploy/compose.yaml")["services"]
    known_settings(list(services["heed"]["environment"]))
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
    assert services["heed"]["deploy"]["replicas"] == 2


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = read(ROOT / "deploy/compose.yaml")["services"]
    return found


@pytest.mark.parametrize("name", ["caddy", "heed", "postgresql", "valkey"])
def test_a_service_of_the_composition_has_no_privileges(name: str) -> None:
    service = services()[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "caddy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]  # seccomp stays the default
    assert not service.get("privileged")
    user, group = map(int, service["user"].split(":"))
    assert user > 0
    assert group > 0


def test_every_service_of_the_composition_is_tested() -> None:
    assert set(services()) == {"caddy", "heed", "postgresql", "valkey"}


def test_every_service_of_the_composition_has_a_limit_of_memory() -> None:
    limits = {name: int(each["mem_limit"].removesuffix("m")) for name, each in services().items()}
    assert limits["heed"] == 640
    assert all(limit <= 640 for limit in limits.values())
    valkey = services()["valkey"]["command"]
    assert int(valkey[valkey.index("--maxmemory") + 1].removesuffix("mb")) < limits["valkey"]


def test_the_users_of_heed_are_that_of_the_image() -> None:
    assert services()["heed"]["user"] == "10001:10001"
    assert "--uid 10001 --user-group " in (ROOT / "Dockerfile").read_text()


def test_valkey_has_the_password_that_heed_sends() -> None:
    command = services()["valkey"]["command"]
    password = command[command.index("--requirepass") + 1]
    assert password.startswith("${VALKEY_PASSWORD:?")
    assert f"redis://:{password}@valkey:" in services()["heed"]["environment"]["HEED_SHARED"]


def test_only_the_proxy_can_be_reached_from_outside() -> None:
    assert [name for name, each in services().items() if "ports" in each] == ["caddy"]


def test_images_of_others_have_exact_versions() -> None:
    for name, service in services().items():
        if name != "heed":
            assert re.search(r":\d+\.\d+(\.\d+)?$", service["image"]), service["image"]


def test_the_command_that_pins_a_digest_names_the_base_image() -> None:
    (base,) = re.findall(r"^ARG PYTHON=(\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    text = (ROOT / "docs/operations.md").read_text()
    assert f"PYTHON={base}@$(docker buildx imagetools inspect {base} " in text
    assert "docker compose -f deploy/compose.yaml config --resolve-image-digests" in text


def test_the_files_of_the_composition_exist() -> None:
    configs = read(ROOT / "deploy/compose.yaml")["configs"]
    for config in configs.values():
        assert (ROOT / "deploy" / config["file"]).is_file()
    assert "respond @metrics 404" in (ROOT / "deploy/Caddyfile").read_text()
