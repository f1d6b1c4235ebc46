"""What is installed holds all that is served, and nothing of it comes from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.build import build_wheel

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue

ROOT = Path(__file__).parents[1]


def test_a_wheel_holds_all_that_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names = ZipFile(tmp_path / build_wheel(str(tmp_path))).namelist()
    for wanted in (
        "heed/py.typed",
        "heed/app/main.py",
        "heed/static/js/text_page/app.js",
        "heed/templates/index.html",
    ):
        assert wanted in names
    for model in Catalogue(DEFAULT_DIRECTORY).cards:
        assert f"heed/models/weights/{model}/model.safetensors" in names
    assert {name.partition("/")[0] for name in names} == {"heed", "heed-0.1.0.dist-info"}


def test_nothing_served_comes_from_another_host() -> None:
    for folder, pattern in (("templates", "*.html"), ("static", "*.css"), ("static", "*.js")):
        for path in (ROOT / folder).rglob(pattern):
            for attribute in re.findall(
                r"""(?:src|href|url|from|import)\W{1,2}https?://\S+""", path.read_text()
            ):
                pytest.fail(f"{path.name}: {attribute}")
