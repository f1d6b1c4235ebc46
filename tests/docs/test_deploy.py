"""The files in `deploy/` are valid, and their settings exist."""

from __future__ import annotations

import json
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
    assert {"cpu", "memory"} == set(container["resources"]["limits"])
    known_settings([each["name"] for each in container["env"]])
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    stop = Settings.model_fields["stop_seconds"].default
    assert pod["terminationGracePeriodSeconds"] > pause + stop + 1


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
