"""A tiny Flickr8k and an untrained backbone, for trainings of image models."""

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
    """Train and dev with the same captions, of pictures that are drawn here."""
    (folder / "flickr8k").mkdir()
    (folder / "backbone").mkdir()
    for split in ("train", "dev"):
        with gzip.open(folder / "flickr8k" / f"{split}.captions.json.gz", "wt") as file:
            json.dump(captions, file)
        with tarfile.open(folder / "flickr8k" / f"{split}.0.tar", "w") as tar:
            for place, name in enumerate(captions):
                content = saved(quarters(224, 224).rotate(90 * place), "JPEG", quality=90)
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, BytesIO(content))
    torch.manual_seed(11)
    weights = published(Backbone().state_dict())
    half = {name: value.half().contiguous() for name, value in weights.items()}
    save_file(half, folder / "backbone" / WEIGHTS)
    return folder
