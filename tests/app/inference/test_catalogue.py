"""Models that are not installed, and those of packages, as the server sees them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from heed.app.commands.models import models
from heed.app.errors import FieldError, StartError
from heed.app.inference.catalogue import (
    Models,
    default_models,
    missing_out,
    open_catalogue,
    preloaded_models,
)
from heed.app.tasks.pictures import CAPTION
from heed.app.tasks.translate import TRANSLATE
from heed.models import catalogue as catalogue_module
from heed.models.card import Card, Language, Limits
from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.packages import Installed, PackagedModel

COMMAND = "Install it with: pip install heed-attention-models"
CARD = Card(
    id="shout",
    name="Shout",
    task="translate",
    source=Language("en", "English"),
    target=Language("en", "English"),
    mechanism="dot",
    package="theirs 1.0",
)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Heed's own models without those of the other distribution, but for their cards."""
    (tmp_path / "dates-dot").symlink_to(DEFAULT_DIRECTORY / "dates-dot")
    for name in ("en-fr-dot", "caption-hard"):
        (tmp_path / name).mkdir()
        shutil.copy(DEFAULT_DIRECTORY / name / "config.json", tmp_path / name)
    monkeypatch.setattr(catalogue_module, "DEFAULT_DIRECTORY", tmp_path)
    monkeypatch.setattr("heed.models.packages.installed", Installed)
    return tmp_path


def test_every_answer_on_a_missing_model_says_which_command_brings_it(own: Path) -> None:
    catalogue = open_catalogue(own)
    known = Models(catalogue, default_models(catalogue, None))
    with pytest.raises(FieldError, match=f"en-fr-dot is not installed. {COMMAND}"):
        known.known("en-fr-dot", TRANSLATE)
    with pytest.raises(FieldError, match=f"no model of the kind 'caption'. {COMMAND}"):
        known.known(None, CAPTION)
    with pytest.raises(StartError, match=COMMAND):
        default_models(catalogue, "en-fr-dot")
    with pytest.raises(StartError, match=COMMAND):
        preloaded_models(catalogue, "en-fr-dot", {})
    assert {each.id: each.install for each in missing_out(catalogue)} == {
        "caption-hard": COMMAND,
        "en-fr-dot": COMMAND,
    }


def test_the_command_lists_missing_models(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(own))
    monkeypatch.delenv("HEED_DEFAULT_MODEL", raising=False)
    assert models(as_json=False) == 0
    shown = capsys.readouterr().out
    assert shown.count("not installed") == 2
    assert COMMAND in shown


@pytest.mark.parametrize(
    "change",
    [
        {"heads": "two"},
        {"quality": {"bleu": object()}},
        {"limits": Limits("a", 1, 1)},  # type: ignore[arg-type]
        {"source": None},
    ],
)
def test_a_package_with_an_invalid_card_harms_no_other_model(
    own: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, object]
) -> None:
    model = PackagedModel(replace(CARD, **change), str)  # type: ignore[arg-type]
    good = PackagedModel(replace(CARD, id="good"), str)
    monkeypatch.setattr("heed.models.packages.installed", lambda: Installed((), (model, good)))
    catalogue = open_catalogue(own)
    assert [*catalogue.cards] == ["dates-dot", "good"]
    [problem] = catalogue.problems
    assert problem.startswith("theirs 1.0 brings a model shout that has no valid card: ")
