"""Every text names the distributions of Heed: `heed` is a package of others on the public index."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME = "heed"  # so that this file has none of these texts
INDEX = re.compile(
    rf"(?:pip3?|uv|uv pip|pipx|poetry|uvx?)\s+(?:install|add|run)\s+(?:-U\s+|--upgrade\s+)?"
    rf"(?:\\?['\"])?{NAME}\b(?![.-])|\b{NAME}\[[a-z]"
)
OURS = re.compile(rf"\b{NAME}-attention[\w-]*(?:\[[^\]]*\])?")
DISTRIBUTIONS = {f"{NAME}-attention", f"{NAME}-attention-models"}
TEXTS = {".md", ".py", ".js", ".html", ".ipynb", ".yaml", ".toml", ".txt", ""}


def advice(text: str) -> list[str]:
    return [found.group() for found in INDEX.finditer(text)]


@pytest.mark.parametrize(
    "text", ["pip install heed", 'pip install "heed[hf]"', "Install heed[ray].", "uv add heed"]
)
def test_such_advice_is_found(text: str) -> None:
    assert advice(text)


@pytest.mark.parametrize(
    "text",
    ['pip install -e ".[hf]"', "heed models", "pip install heed.whl", f"pip install {NAME}-x"],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert not advice(text)


def texts() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every file but this one."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    own = Path(__file__).relative_to(ROOT)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in TEXTS and path.is_file() and Path(name) != own:
            yield name, path.read_bytes().decode("utf-8", "replace")


def test_no_file_advises_to_install_the_package_of_another() -> None:
    for name, text in texts():
        assert not advice(text), name


def test_every_file_names_distributions_and_extras_that_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for name, text in texts():
        for found in OURS.findall(text):
            distribution, _, chosen = found.rstrip("-]").partition("[")
            assert distribution in DISTRIBUTIONS, f"{name}: {found}"
            assert {*filter(None, chosen.split(","))} <= extras.keys(), f"{name}: {found}"
