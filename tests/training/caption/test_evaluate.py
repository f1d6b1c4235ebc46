"""Measuring captioners: on packed photos, on others, and against an ImageNet network."""

import gzip
import json
import tarfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from heed.models.catalogue import Catalogue
from heed.models.generation.picture_pipeline import PicturePipeline
from heed.models.networks.image_encoder import Backbone
from heed.models.networks.mobilenet import CELLS, GRID
from tests.models.drawn import saved
from tests.models.tiny import write_tiny_captioners
from tests.training.caption.test_backbone import published
from training.caption.backbone import CLASSES, WEIGHTS, Classifier
from training.caption.class_activation import (
    KINDS,
    LABELS,
    MARKED,
    _strongest,
    classes,
    located_photos,
    marked,
)
from training.caption.drawn_scenes import draw_scenes
from training.caption.evaluate import MapMovement, accepted, entropy, evaluate_captioner
from training.caption.flickr8k import load_flickr8k, read_photo_set
from training.caption.localization import located_scenes
from training.common.errors import BackboneError, CorpusError
from training.common.metrics_table import meaning
from training.evaluate import main

LIMITS = {"characters": 200, "tokens": 200, "steps": 60}
SCENES = list(draw_scenes(10, seed=7, size=(96, 72)))
CAPTIONS = {f"{n}.jpg": [scene.caption, "A dog ( or two ) ."] for n, scene in enumerate(SCENES)}


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_captioners(tmp_path_factory.mktemp("weights"), limits=LIMITS)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Drawn photos, and an ImageNet network that has learned nothing."""
    data = tmp_path_factory.mktemp("data")
    everyday = {name: {"captions": each, "questions": []} for name, each in CAPTIONS.items()}
    for folder, annotations, content in (
        ("flickr8k", "dev.captions.json.gz", CAPTIONS),
        ("photos", "dev.json.gz", everyday),
    ):
        (data / folder).mkdir()
        with gzip.open(data / folder / annotations, "wt") as file:
            json.dump(content, file)
        _write_archive(data / folder / "dev.tar")
    (data / "backbone").mkdir()
    ends = [end for kinds in KINDS.values() for kind in kinds for end in kind.split(" … ")]
    labels = ["background", *dict.fromkeys(ends)]
    labels.insert(labels.index("Mexican hairless"), "beagle")
    text = "".join(f"{label}, and what else it is called\n" for label in labels)
    (data / "backbone" / LABELS).write_text(text)
    torch.manual_seed(2)
    backbone, classifier = Backbone(), Classifier(len(labels))
    network = published(backbone.state_dict())
    network[f"{CLASSES}.weight"] = classifier.logits.weight[:, :, None, None].detach().clone()
    network[f"{CLASSES}.bias"] = classifier.logits.bias.detach()
    save_file(network, data / "backbone" / WEIGHTS)
    return data


def _write_archive(path: Path) -> None:
    with tarfile.open(path, "w") as tar:
        for name, scene in zip(CAPTIONS, SCENES, strict=True):
            content = saved(scene.image, "JPEG")
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, BytesIO(content))


# --- figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["caption-soft", "caption-hard", "caption-heads"])
def test_every_figure_is_computed_and_has_a_meaning(
    weights: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setattr("training.caption.class_activation.SURE", 0.0)
    captioner = Catalogue(weights).load(model)
    assert isinstance(captioner, PicturePipeline)
    quality = evaluate_captioner(captioner, data, tmp_path, count=4, scenes=3)
    assert quality["photos"] == quality["everyday_photos"] == 4
    assert 0 <= quality["everyday_things_named"] <= 1
    assert {
        "bleu_4",
        "cider",
        "everyday_cider",
        "most_given_caption",
        "map_movement",
        "scenes_noun_inside",
    } <= set(quality)
    assert quality["photos_noun_chance"] == pytest.approx(MARKED, abs=0.005)
    assert ("drawn_moves" in quality) == (model == "caption-hard")
    assert ("scenes_layer1_head0" in quality) == (model == "caption-heads")
    for name, value in quality.items():
        assert np.isfinite(value)
        assert meaning(name) != name.replace("_", " ")


def test_the_command_measures_other_photos_beside_their_captions(
    weights: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = data / "flickr8k" / "dev.captions.json.gz"
    given = ["caption-soft", "--weights", str(weights), "--pictures", str(path), "--count", "3"]
    assert main(given) == 0
    output = capsys.readouterr().out
    assert "dev_bleu_4" in output
    assert "dev_map_entropy_bits" in output
    assert main([*given[:4], str(data / "none.json")]) == 2


def test_photos_are_found_as_files_and_in_archives(data: Path, tmp_path: Path) -> None:
    packed = read_photo_set(data / "flickr8k" / "dev.captions.json.gz")
    for name, scene in zip(CAPTIONS, SCENES, strict=True):
        (tmp_path / name).write_bytes(saved(scene.image, "JPEG"))
    (tmp_path / "mine.json").write_text(json.dumps(CAPTIONS))
    loose = read_photo_set(tmp_path / "mine.json")
    assert (loose.names, loose.captions) == (packed.names, packed.captions)
    np.testing.assert_array_equal(loose.pixels, packed.pixels)
    np.testing.assert_array_equal(
        loose.pixels, load_flickr8k(data, "dev", tmp_path / "runs").pixels
    )
    (tmp_path / "3.jpg").unlink()
    with pytest.raises(CorpusError, match=r"1 photos are missing, as 3\.jpg"):
        read_photo_set(tmp_path / "mine.json")


def test_captions_that_a_model_cannot_write_are_passed_over(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    root = write_tiny_captioners(tmp_path_factory.mktemp("short"))  # eight steps
    captioner = Catalogue(root).load("caption-soft")
    assert isinstance(captioner, PicturePipeline)
    assert list(accepted(captioner, located_scenes(2))) == []


def test_entropy_is_told_in_bits() -> None:
    assert entropy(np.full((3, 8), 1 / 8, np.float32)) == pytest.approx(3)
    assert entropy(np.eye(4, dtype=np.float32)) == pytest.approx(0)


def test_maps_that_are_the_same_for_every_photo_are_found_out(weights: Path) -> None:
    moving = MapMovement(moved=[0.5], bits=[1.0])
    moving.whole = [np.eye(2, dtype=np.float32)[0]] * 2
    assert moving.figures()["map_between_photos"] == 0
    moving.whole = list(np.eye(2, dtype=np.float32))
    assert moving.figures()["map_between_photos"] == 0.5


# --- class activation -------------------------------------------------------------------------


def test_a_row_of_labels_is_all_the_classes_between(data: Path) -> None:
    found = classes(data)
    assert len(found["dog"]) == 3
    assert len(found["couch"]) == 1
    assert set(found) == set(KINDS)


def test_a_label_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "backbone").mkdir()
    (tmp_path / "backbone" / LABELS).write_text("Chihuahua\nbeagle\n")
    with pytest.raises(BackboneError, match="Mexican hairless"):
        classes(tmp_path)


def test_the_fifth_of_the_cells_that_speaks_most_is_marked() -> None:
    activation = torch.zeros(7, 7)
    activation[0, :3] = 5
    cells = _strongest(activation).reshape(GRID, GRID)
    assert cells.sum() == round(MARKED * CELLS)
    assert cells[0, :6].all()
    assert cells[:2, :5].all()


def test_nouns_are_judged_only_where_the_network_is_sure(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photos = load_flickr8k(data, "dev", tmp_path)
    assert list(marked(photos, data)) == []
    monkeypatch.setattr("training.caption.class_activation.SURE", 0.0)
    assert {each.phrase.noun for each in marked(photos, data)} == {"ball", "dog", "car", "boat"}
    shown = list(located_photos(photos, data))
    assert all("(" not in each.caption for each in shown)
    words = {each.caption[spot.start : spot.end] for each in shown for spot in each.spots}
    assert {"dog", "ball"} < words
    for each in shown:
        for spot in each.spots:
            said = each.caption[spot.start : spot.end]
            assert (said in ("dog", "ball", "car", "boat")) == (spot.kind == "noun")
