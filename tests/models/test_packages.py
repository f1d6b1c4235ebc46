"""Models that other packages bring: found by their entry points, and harmless where broken."""

from __future__ import annotations

import json
import shutil
import sys
import threading
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from heed.auditing import audit
from heed.models import checkpoint
from heed.models.card import Card, Language
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.errors import CheckpointError, RecordingError, UnknownModelError
from heed.models.generation.translator import TextRequest
from heed.models.packages import GROUP, Bundle, Installed, PackagedModel, models_of, packaged_model
from heed.tracing import trace

MORE = "heed-attention-models"
CARD = Card(
    id="shout",
    name="Shout",
    task="translate",
    source=Language("en", "English"),
    target=Language("en", "English"),
    mechanism="dot",
)


def brought(*bundles: Bundle) -> Installed:
    return Installed(bundles=bundles)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Heed's own models: one as a whole, and the card of one that another distribution brings."""
    folder = tmp_path / "own"
    (folder / "en-fr-dot").mkdir(parents=True)
    shutil.copy(DEFAULT_DIRECTORY / "en-fr-dot" / "config.json", folder / "en-fr-dot")
    for name in ("en-fr-additive", "target-words"):
        (folder / name).symlink_to(DEFAULT_DIRECTORY / name)
    return folder


@pytest.fixture
def more(tmp_path: Path) -> Path:
    """The folder of the other distribution."""
    folder = tmp_path / "more"
    shutil.copytree(DEFAULT_DIRECTORY / "en-fr-dot", folder / "en-fr-dot")
    return folder


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], EntryPoint]:
    """Writes a module, and makes an entry point for what it calls `model`."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(name: str, code: str) -> EntryPoint:
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
        return EntryPoint(name, f"{name}:model", GROUP)

    return write


def test_a_model_of_another_distribution_is_known_and_says_which_command_brings_it(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = Catalogue(own)
    assert [*catalogue.cards] == ["en-fr-additive"]
    assert catalogue.missing["en-fr-dot"].name == "English → French, dot product (Luong)"
    hint = "en-fr-dot is not installed. Install it with: pip install heed-attention-models"
    with pytest.raises(UnknownModelError, match=hint):
        catalogue.load("en-fr-dot")
    for module in ("auditing", "tracing"):
        monkeypatch.setattr(f"heed.{module}.shipped_models", lambda: catalogue)
    with pytest.raises(RecordingError, match=hint):
        audit("en-fr-dot", "The house is white.")


def test_a_folder_may_be_called_like_a_model_that_is_not_installed(
    own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    catalogue = Catalogue(own)
    monkeypatch.setattr("heed.tracing.shipped_models", lambda: catalogue)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordingError, match="is not installed"):
        trace("en-fr-dot", "The house is white.")
    (tmp_path / "en-fr-dot").mkdir()
    with pytest.raises(RecordingError, match=r"^(?!.*is not installed)"):
        trace("en-fr-dot", "The house is white.")


def test_weights_that_are_lost_are_no_model_of_another_distribution(own: Path) -> None:
    (own / "lost").mkdir()
    shutil.copy(DEFAULT_DIRECTORY / "en-fr-additive" / "config.json", own / "lost")
    with pytest.raises(CheckpointError, match="not a whole checkpoint"):
        Catalogue(own)


def test_a_model_of_another_distribution_finds_what_it_borrows_by_its_digest(
    own: Path, more: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own / "en-fr-additive").rename(own / "renamed")
    monkeypatch.setattr(checkpoint, "model_folders", lambda: (own, more))
    catalogue = Catalogue(own, others=brought(Bundle(MORE, more)))
    assert (catalogue.problems, dict(catalogue.missing)) == ([], {})
    assert catalogue.folders == (own, more)  # also of records of their training
    card = catalogue.cards["en-fr-dot"]
    shipped = Catalogue(DEFAULT_DIRECTORY)
    assert card.rank == shipped.cards["en-fr-dot"].rank
    assert card.weights == shipped.cards["en-fr-dot"].weights
    request = TextRequest("The house is white.")
    (trace,), (same,) = (each.load("en-fr-dot").run([request]) for each in (catalogue, shipped))
    assert trace.output.target == same.output.target


def test_a_model_whose_relative_has_another_version_is_refused_with_advice(
    own: Path, more: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = json.loads((more / "en-fr-dot" / "config.json").read_text("utf-8"))
    config["relatives"]["en-fr-additive/tokenizer.json"] = "0" * 64
    (more / "en-fr-dot" / "config.json").write_text(json.dumps(config), "utf-8")
    monkeypatch.setattr(checkpoint, "model_folders", lambda: (own, more))
    catalogue = Catalogue(own, others=brought(Bundle(MORE, more)))
    with pytest.raises(CheckpointError, match="--upgrade heed-attention heed-attention-models"):
        catalogue.load("en-fr-dot")
    assert catalogue.load("en-fr-additive").card.id == "en-fr-additive"


def test_packages_cannot_replace_models_nor_take_their_names(own: Path, more: Path) -> None:
    shutil.copytree(DEFAULT_DIRECTORY / "en-fr-additive", more / "en-fr-additive")
    others = Installed((Bundle("theirs", more),), (packaged_model(CARD)(str),) * 2)
    catalogue = Catalogue(own, others=others)
    assert catalogue.cards["en-fr-additive"].package == ""
    assert "en-fr-dot" in catalogue.missing  # by their name, the models of MORE are MORE's alone
    assert [problem.partition(", which")[0] for problem in catalogue.problems] == [
        "theirs brings a model en-fr-dot",
        " brings a model shout",
    ]


def test_broken_models_of_a_package_are_reported_and_left_out(own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    for name, config in (("deep", "[" * 100_000), ("empty", "{}"), ("none", "")):
        (folder / name).mkdir(parents=True)
        (folder / name / "config.json").write_text(config, "utf-8")
    shutil.copytree(DEFAULT_DIRECTORY / "dates-dot", folder / "dates-dot")
    config = json.loads((folder / "dates-dot" / "config.json").read_text("utf-8"))
    for name, change in (
        ("odd-network", {"network": "dot"}),
        ("odd-id", {"id": ["x"]}),
        ("odd-path", {"id": "../x"}),
        ("no-weights", {"id": "no-weights", "package": "somebody"}),
    ):
        (folder / name).mkdir()
        if name != "no-weights":
            (folder / name / "model.safetensors").symlink_to(
                DEFAULT_DIRECTORY / "dates-dot" / "model.safetensors"
            )
        (folder / name / "config.json").write_text(json.dumps({**config, **change}), "utf-8")
    (tmp_path / "nothing").mkdir()
    bundles = Bundle("theirs", folder), Bundle("others", tmp_path / "nothing")
    catalogue = Catalogue(own, others=brought(*bundles))
    assert [*catalogue.cards] == ["en-fr-additive", "dates-dot"]
    assert catalogue.cards["dates-dot"].rank >= 1000  # behind every model of Heed
    assert len(catalogue.problems) == 8
    assert "others brings no models" in catalogue.problems[-1]


def test_packages_add_nothing_to_a_folder_of_ones_own(
    own: Path, more: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.models.packages.installed", lambda: brought(Bundle(MORE, more)))
    assert "en-fr-dot" not in Catalogue(own).cards


GOOD = """
from heed.models.packages import packaged_model
from tests.models.test_packages import CARD

@packaged_model(CARD)
def model(card):
    raise OSError("no disk")
"""
BROKEN = {
    "raises": "1 / 0",
    "exits": "raise SystemExit(3)",
    "lacks": "other = 1",
    "is_no_model": "model = print",
    "has_an_odd_id": GOOD.replace("(CARD)", "(__import__('dataclasses').replace(CARD, id='../x'))"),
    "has_an_odd_rank": GOOD.replace(
        "(CARD)", "(__import__('dataclasses').replace(CARD, rank='first'))"
    ),
    "has_an_odd_mechanism": GOOD.replace(
        "(CARD)", "(__import__('dataclasses').replace(CARD, mechanism='magic'))"
    ),
}


def test_broken_entry_points_are_problems_and_the_others_are_found(
    entry: Callable[[str, str], EntryPoint],
) -> None:
    entries = [entry(name, code) for name, code in BROKEN.items()]
    entries += [entry("good", GOOD), EntryPoint("absent", "no_such_package", GROUP)]
    found = models_of([*entries, EntryPoint("folder", "email", GROUP)], patience=60)
    assert [model.card.id for model in found.models] == ["shout"]
    assert [bundle.folder.name for bundle in found.bundles] == ["email"]
    assert len(found.problems) == len(BROKEN) + 1
    for name, problem in zip([*BROKEN, "absent"], found.problems, strict=True):
        assert problem.startswith(f"The entry point {name} of ")


def test_a_package_that_never_answers_is_left_behind(
    entry: Callable[[str, str], EntryPoint],
) -> None:
    blocked = entry("blocked", "import tests.models.test_packages as t; t.RELEASED.wait()")
    found = models_of([blocked], patience=0)
    RELEASED.set()
    assert found.problems == ("The entry point blocked of blocked has not answered in time",)


RELEASED = threading.Event()


@pytest.mark.parametrize("made", [OSError("no disk"), "a text"])
def test_a_function_that_makes_no_pipeline_is_an_error_of_its_model_alone(
    own: Path, made: object
) -> None:
    def make(_: Card) -> object:
        if isinstance(made, Exception):
            raise made
        return made

    catalogue = Catalogue(own, others=Installed(models=(PackagedModel(CARD, make),)))
    assert not catalogue.may_be_forked("shout")
    with pytest.raises(CheckpointError, match=r"shout of .* (cannot be made|is no Pipeline)"):
        catalogue.load("shout")
    assert catalogue.load("en-fr-additive").card.id == "en-fr-additive"
