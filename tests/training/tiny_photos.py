"""Tiny sets of photos and an untrained backbone, for trainings of image models."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path

import torch
from safetensors.torch import save_file

from heed.models.networks.image_encoder import Backbone
from tests.models.drawn import quarters, saved
from tests.training.caption.test_backbone import published
from training.caption.backbone import WEIGHTS


def write_photos(folder: Path, captions: Mapping[str, Sequence[str]]) -> Path:
    """Train and dev of both sets with the same captions, of pictures that are drawn here."""
    (folder / "backbone").mkdir()
    questions = [["what is it", "a flag"], ["is there a dog", "no"]]
    everyday = {
        name: {"captions": [each.lower() for each in texts[:2]], "questions": questions}
        for name, texts in captions.items()
    }
    for split in ("train", "dev"):
        _write_set(folder / "flickr8k", split, f"{split}.captions.json.gz", captions)
        annotations = f"{split}.0.json.gz" if split == "train" else "dev.json.gz"
        _write_set(folder / "photos", split, annotations, everyday)
    torch.manual_seed(11)
    weights = published(Backbone().state_dict())
    half = {name: value.half().contiguous() for name, value in weights.items()}
    save_file(half, folder / "backbone" / WEIGHTS)
    return folder


def _write_set(folder: Path, split: str, name: str, annotations: Mapping[str, object]) -> None:
    folder.mkdir(exist_ok=True)
    with gzip.open(folder / name, "wt") as file:
        json.dump(annotations, file)
    with tarfile.open(folder / f"{split}.0.tar", "w") as tar:
        for place, photo in enumerate(annotations):
            content = saved(quarters(224, 224).rotate(90 * place), "JPEG", quality=90)
            member = tarfile.TarInfo(photo)
            member.size = len(content)
            tar.addfile(member, BytesIO(content))
