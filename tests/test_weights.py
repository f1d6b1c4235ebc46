"""The gate of weights: a change needs a version and a line in the changelog."""

from __future__ import annotations

import json
import runpy
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / ".ci" / "weights.py"))
problems: Callable[[Path], list[str]] = SCRIPT["problems"]
record: Callable[[Path], None] = SCRIPT["record"]
counted_since: Callable[[Path], str | None] = SCRIPT["counted_since"]
repetitions: Callable[[Path, str], list[str]] = SCRIPT["repetitions"]


def git(root: Path, *arguments: str) -> None:
    name = ("-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *name, *arguments], cwd=root, check=True, capture_output=True)


def write(root: Path, weights: bytes, version: int) -> None:
    folder = root / "models" / "weights" / "small"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(weights)
    (folder / "config.json").write_text(json.dumps({"version": version}), encoding="utf-8")


def log(root: Path, line: str) -> None:
    with (root / "CHANGELOG.md").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one model in its first version."""
    write(tmp_path, b"first", 1)
    log(tmp_path, "# Changelog")
    record(tmp_path)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "First")
    return tmp_path


def test_the_weights_that_ship_are_those_of_their_versions() -> None:
    assert problems(ROOT) == []


def test_weights_that_did_not_change_need_nothing(repository: Path) -> None:
    assert problems(repository) == []


def test_weights_that_changed_need_a_record(repository: Path) -> None:
    write(repository, b"second", 2)
    log(repository, "- `small`, version 2: trained longer.")
    [problem] = problems(repository)
    assert "the weights changed" in problem
    record(repository)
    assert problems(repository) == []


def test_weights_that_changed_need_a_raised_version(repository: Path) -> None:
    write(repository, b"second", 1)
    log(repository, "- `small`, version 2: trained longer.")
    record(repository)
    [problem] = problems(repository)
    assert "config.json says version 1, not 2" in problem


@pytest.mark.parametrize("line", ["- Faster.", "- `small`: faster.", "- `smaller`, version 2."])
def test_weights_that_changed_need_a_line_in_the_changelog(repository: Path, line: str) -> None:
    write(repository, b"second", 2)
    log(repository, line)
    record(repository)
    [problem] = problems(repository)
    assert "CHANGELOG.md" in problem


def test_a_version_is_not_raised_without_new_weights(repository: Path) -> None:
    write(repository, b"first", 2)
    record(repository)
    [problem] = problems(repository)
    assert "config.json says version 2, not 1" in problem


@pytest.mark.parametrize("committed", [False, True])
def test_a_version_that_was_committed_is_not_rewritten(repository: Path, committed: bool) -> None:
    write(repository, b"other", 1)
    (repository / SCRIPT["VERSIONS"]).unlink()
    record(repository)
    if committed:
        git(repository, "commit", "--quiet", "--all", "--message", "Second")
    [problem] = problems(repository)
    assert "rewrites a version" in problem


def test_a_model_that_is_gone_is_forgotten(repository: Path) -> None:
    (repository / "models/weights/small/model.safetensors").unlink()
    record(repository)
    assert problems(repository) == []
    assert json.loads((repository / SCRIPT["VERSIONS"]).read_text("utf-8")) == {}


def commit(root: Path, weights: bytes) -> None:
    write(root, weights, 1)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", weights.decode())


def number(root: Path, version: str) -> None:
    (root / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n', encoding="utf-8")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", version)


def test_the_last_version_is_a_tag_before_this_commit(repository: Path) -> None:
    git(repository, "tag", "v0.1.0")
    number(repository, "0.2.0")
    git(repository, "tag", "v0.2.0")
    assert counted_since(repository) == "v0.1.0"
    commit(repository, b"second")
    assert counted_since(repository) == "v0.2.0"


def test_without_a_tag_the_last_version_is_the_commit_that_raised_the_number(
    repository: Path,
) -> None:
    number(repository, "0.1.0")
    commit(repository, b"second")
    assert counted_since(repository) is None
    number(repository, "0.2.0")
    commit(repository, b"third")
    since = counted_since(repository)
    assert since
    assert repetitions(repository, since) == []


def test_before_the_second_version_weights_are_counted_from_the_rule_on(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    number(repository, "0.1.0")
    commit(repository, b"second")
    path, line = SCRIPT["RULE"]
    (repository / path).parent.mkdir()
    (repository / path).write_text(f"{line}()", encoding="utf-8")
    commit(repository, b"third")
    commit(repository, b"fourth")
    since = counted_since(repository)
    assert since
    assert repetitions(repository, since) == []
    shallow = tmp_path_factory.mktemp("shallow")
    git(shallow, "clone", "--quiet", "--depth", "2", repository.as_uri(), ".")
    commit(repository, b"fifth")
    assert len(repetitions(repository, since)) == 1
    commit(shallow, b"fifth")
    oldest = counted_since(shallow)
    assert oldest
    assert len(repetitions(shallow, oldest)) == 1


def test_weights_are_committed_once_a_version(repository: Path) -> None:
    git(repository, "tag", "v0.1.0")
    commit(repository, b"second")
    assert repetitions(repository, "v0.1.0") == []
    commit(repository, b"third")
    [problem] = repetitions(repository, "v0.1.0")
    assert problem.startswith("small: 2 weights were committed since v0.1.0.")


def test_weights_that_history_has_are_no_new_ones(repository: Path) -> None:
    git(repository, "tag", "v0.1.0")
    commit(repository, b"second")
    commit(repository, b"first")
    git(repository, "mv", "models/weights/small", "models/weights/moved")
    commit(repository, b"second")
    assert repetitions(repository, "v0.1.0") == []


def test_weights_of_a_branch_that_was_merged_count(repository: Path) -> None:
    git(repository, "tag", "v0.1.0")
    git(repository, "checkout", "--quiet", "-b", "other")
    commit(repository, b"second")
    commit(repository, b"third")
    git(repository, "checkout", "--quiet", "-")
    git(repository, "merge", "--quiet", "--no-ff", "--message", "Merge", "other")
    assert len(repetitions(repository, "v0.1.0")) == 1
