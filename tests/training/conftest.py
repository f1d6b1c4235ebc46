"""Tiny data of every kind, and small sets for sorting and for the measurements at a save."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from heed.models.checkpoint import save_image_encoder
from heed.models.networks.image_encoder import ImageEncoder
from heed.models.networks.mobilenet import DEEP
from tests.training.tiny_photos import write_photos
from tests.training.tiny_sentences import write_pairs, write_sentences
from training.caption.backbone import CLASSES, WEIGHTS
from training.caption.class_activation import LABELS
from training.common import batches
from training.glimpses import task as glimpses
from training.graphs import task as graphs
from training.reading import task as reading
from training.stories import task as stories
from training.vision import teacher

COUNT = 9  # classes of the teacher
CAPTIONS = {
    "0.jpg": ["A black dog runs .", "A black dog is running on the grass .", "The dog runs ."],
    "1.jpg": ["Two men walk .", "Two men are walking in the snow .", "Men in the snow ."],
    "2.jpg": ["A boy in a red shirt jumps .", "A boy jumping .", "A boy in red ."],
    "3.jpg": ["The empty tracks .", "Nothing .", "It ."],
}


@pytest.fixture(autouse=True)
def _small_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, count in (
        (stories, "DEV_STORIES", 6),
        (graphs, "DEV_GRAPHS", 6),
        (glimpses, "DEV_PICTURES", 6),
        (reading, "DEV_TEMPLATES", 6),
        (teacher, "FITTED", 2),
        (batches, "POOL_PAIRS", 400),
    ):
        monkeypatch.setattr(module, name, count)


@pytest.fixture(scope="session")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Corpora with English sentences."""
    return write_sentences(tmp_path_factory.mktemp("sentences"))


@pytest.fixture(scope="session")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pictures in each set, and an untrained image encoder with classes."""
    folder = write_photos(tmp_path_factory.mktemp("photos"), CAPTIONS)
    torch.manual_seed(12)
    weights = load_file(folder / "backbone" / WEIGHTS)
    weights[f"{CLASSES}.weight"] = (torch.randn(COUNT, DEEP, 1, 1) * 0.1).half()
    weights[f"{CLASSES}.bias"] = torch.zeros(COUNT).half()
    save_file(weights, folder / "backbone" / WEIGHTS)
    names = "".join(f"thing {place}, its other name\n" for place in range(COUNT))
    (folder / "backbone" / LABELS).write_text(names)
    return folder


@pytest.fixture(scope="session")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs with an image encoder, and the features that it computed."""
    runs = tmp_path_factory.mktemp("runs")
    torch.manual_seed(7)
    save_image_encoder(runs / "settled", ImageEncoder(12))
    return runs


@pytest.fixture(scope="session")
def tiny_data(
    tmp_path_factory: pytest.TempPathFactory, photos: Path, sentences: Path
) -> Mapping[str, Path]:
    """The data of each kind, by its name."""
    pairs = write_pairs(tmp_path_factory.mktemp("pairs"))
    none = tmp_path_factory.mktemp("none")
    return {"none": none, "photos": photos, "sentences": sentences, "pairs": pairs}
