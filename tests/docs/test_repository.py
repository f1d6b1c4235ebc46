"""The files beside the code: workflows, citation, templates, hooks and changelog."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from check_jsonschema import main as check
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION = PROJECT["version"]
FOLLOWED = {
    "github-workflows": sorted((GITHUB / "workflows").iterdir()),
    "github-issue-forms": sorted(
        set((GITHUB / "ISSUE_TEMPLATE").iterdir()) - {GITHUB / "ISSUE_TEMPLATE/config.yml"}
    ),
    "github-issue-config": [GITHUB / "ISSUE_TEMPLATE/config.yml"],
    "citation-file-format": [ROOT / "CITATION.cff"],
}
"""Files by the published schema that they follow."""
NUMBERED = {
    "packages/heed-attention-models/pyproject.toml": 'version = "{}"',
    "CITATION.cff": "version: {}",
    "deploy/compose.yaml": "    image: heed:{}",
    "deploy/kubernetes/deployment.yaml": "          image: heed:{}",
}
"""Lines with the version of `pyproject.toml`."""
WORKFLOWS = FOLLOWED["github-workflows"]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def follows(schema: str, *paths: Path) -> bool:
    given = ("--builtin-schema", f"vendor.{schema}", "--default-filetype", "yaml")
    return CliRunner().invoke(check, [*given, *map(str, paths)]).exit_code == 0


@pytest.mark.parametrize("schema", FOLLOWED)
def test_a_file_follows_its_published_schema(schema: str, tmp_path: Path) -> None:
    paths = FOLLOWED[schema]
    assert paths
    assert follows(schema, *paths)
    broken = tmp_path / "broken.yml"
    broken.write_text(paths[0].read_text("utf-8") + "\nno-such-key: {}\n", encoding="utf-8")
    assert not follows(schema, broken)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_little_and_pins_the_actions_of_others(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert "uses" in job or "timeout-minutes" in job
    for action in re.findall(r"uses: (\S+)", path.read_text("utf-8")):
        assert action.startswith("./") or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action), action


def test_the_targets_that_workflows_make_exist() -> None:
    made = {name for path in WORKFLOWS for name in re.findall(r"make ([\w-]+)", path.read_text())}
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"check", "docs", "dist", "audit"} <= made <= targets


def test_the_tests_run_on_every_python_that_is_supported() -> None:
    workflow = yaml.safe_load((GITHUB / "workflows/ci.yml").read_text("utf-8"))
    versions = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert PROJECT["requires-python"] == f">={versions[0]}"
    found = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert found == versions


@pytest.mark.parametrize("name", NUMBERED)
def test_every_file_names_the_version(name: str) -> None:
    assert NUMBERED[name].format(VERSION) in (ROOT / name).read_text("utf-8").splitlines()


def test_the_page_of_a_package_on_an_index_links_to_nothing_in_the_repository() -> None:
    pages = sorted((ROOT / "packages").glob("*/README.md"))
    assert len(pages) == 2
    for path in pages:
        targets = re.findall(r"\]\(([^)]+)\)", path.read_text("utf-8"))
        assert all(target.startswith("https://") for target in targets), path


def test_each_package_is_published_from_an_environment_of_its_own() -> None:
    """An index lets an environment of a workflow create one project."""
    release = yaml.safe_load((GITHUB / "workflows/release.yml").read_text("utf-8"))
    publish = release["jobs"]["publish"]
    packages = publish["strategy"]["matrix"]["package"]
    assert publish["environment"] == publish["steps"][0]["with"]["name"] == "${{ matrix.package }}"
    assert sorted(packages) == sorted(path.name for path in (ROOT / "packages").iterdir())
    ci = yaml.safe_load((GITHUB / "workflows/ci.yml").read_text("utf-8"))
    kept = {
        step["with"]["name"]: step["with"]["path"]
        for step in ci["jobs"]["packages"]["steps"]
        if "path" in step.get("with", {})
    }
    assert kept == {name: f"dist/{name.replace('-', '_')}-*" for name in packages}


def test_the_hooks_run_what_the_gate_runs() -> None:
    gate = (ROOT / "Makefile").read_text("utf-8").replace("$(BIN)", ".venv/bin")
    for repository in HOOKS:
        assert repository["repo"] == "local"
        for hook in repository["hooks"]:
            command = re.sub(r" --(fix|force-exclude|write)", "", hook["entry"])
            assert command in gate, hook["id"]


# --- the changelog ----------------------------------------------------------------------------


def test_the_changelog_has_the_version() -> None:
    assert re.search(rf"^## \[{re.escape(VERSION)}\] - ", CHANGELOG, re.MULTILINE)


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    first, *versions = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    assert first == "[Unreleased]"
    found = [re.fullmatch(r"\[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d)", each) for each in versions]
    dates = [match[1] for match in found if match]
    assert len(dates) == len(versions)
    assert all(later >= earlier for later, earlier in pairwise(dates))


def test_each_version_of_the_changelog_lists_changes_by_their_kind() -> None:
    for version in re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.+)$", version, re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds]
