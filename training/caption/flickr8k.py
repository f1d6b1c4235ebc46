"""Flickr8k: photos of people and dogs outdoors, five captions for each.

DATA/flickr8k/train.{0,1,2}.tar, dev.tar         JPEGs, the whole photo squashed to 224×224
DATA/flickr8k/{train,dev}.captions.json.gz       file name → its captions
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np

from heed.models.errors import PictureError
from heed.models.pictures.decode import Bytes, decode_picture
from training.caption.photos import Photos, Split, open_photos, read_archives
from training.common.errors import CorpusError


def load_flickr8k(data: Path, split: Split, runs: Path) -> Photos:
    """Load the photos of a split, and unpack them below the runs the first time."""
    folder = data / "flickr8k"
    captions = read_captions(folder / f"{split}.captions.json.gz")
    return open_photos(folder, split, captions, runs / "flickr8k" / f"{split}.npy")


def read_photo_set(path: Path) -> Photos:
    """Load the photos named in a file of captions, from files or .tar archives beside it."""
    captions = read_captions(path)
    names = tuple(sorted(captions))
    photos = {name: _read(path.parent / name) for name in names if (path.parent / name).is_file()}
    if len(photos) < len(names):
        photos |= dict(read_archives(sorted(path.parent.glob("*.tar")), set(names) - set(photos)))
    if missing := set(names) - set(photos):
        raise CorpusError(f"beside {path} {len(missing)} photos are missing, as {min(missing)}")
    return Photos(
        np.stack([photos[name] for name in names]), names, tuple(captions[name] for name in names)
    )


def _read(path: Path) -> Bytes:
    try:
        return decode_picture(path.read_bytes()).pixels
    except (OSError, PictureError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error


def read_captions(path: Path) -> dict[str, tuple[str, ...]]:
    """Read the captions of each photo, by file name."""
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as file:
            captions: dict[str, list[str]] = json.load(file)
        return {name: tuple(texts) for name, texts in captions.items()}
    except (OSError, EOFError, ValueError, AttributeError, TypeError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error
