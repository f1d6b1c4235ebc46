"""No text advises to install the package `heed` of the public index, which is another one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME = "heed"  # so that this file has none of these texts
INDEX = re.compile(
    rf"(?:pip3?|uv|uv pip|pipx|poetry|uvx?)\s+(?:install|add|run)\s+(?:-U\s+|--upgrade\s+)?"
    rf"(?:\\?['\"])?{NAME}\b(?!\.)|\b{NAME}\[[a-z]"
)
TEXTS = {".md", ".py", ".js", ".html", ".ipynb", ".yaml", ".toml", ".txt", ""}


def advice(text: str) -> list[str]:
    return [found.group() for found in INDEX.finditer(text)]


@pytest.mark.parametrize(
    "text", ["pip install heed", 'pip install "heed[hf]"', "Install heed[ray].", "uv add heed"]
)
def test_such_advice_is_found(text: str) -> None:
    assert advice(text)


@pytest.mark.parametrize("text", ['pip install -e ".[hf]"', "heed models", "pip install heed.whl"])
def test_other_texts_are_left_alone(text: str) -> None:
    assert not advice(text)


def test_no_file_advises_to_install_the_package_of_another() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    own = Path(__file__).relative_to(ROOT)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix not in TEXTS or not path.is_file() or Path(name) == own:
            continue
        found = advice(path.read_bytes().decode("utf-8", "replace"))
        assert not found, f"{name}: {found}"
