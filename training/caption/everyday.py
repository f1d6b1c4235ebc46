"""Everyday photos (kitchens, streets, animals, food, sport, rooms), with captions and questions.

DATA/photos/train.{0,1,2,3}.tar, dev.tar            JPEGs, the whole photo squashed to 224×224
DATA/photos/train.{0,1,2,3}.json.gz, dev.json.gz    file name → captions, and questions with
                                                    a short answer each, in lower case
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import NamedTuple

from training.caption.photos import Photos, Split, open_photos
from training.common.errors import CorpusError


class Annotation(NamedTuple):
    """All that is written about a photo."""

    captions: tuple[str, ...]
    questions: tuple[tuple[str, str], ...]  # each with its answer


def load_everyday(data: Path, split: Split, runs: Path) -> Photos:
    """Load the photos of a split, and unpack them below the runs the first time."""
    captions = {name: photo.captions for name, photo in read_everyday(data, split).items()}
    return open_photos(data / "photos", split, captions, runs / "everyday" / f"{split}.npy")


def read_everyday(data: Path, split: Split) -> dict[str, Annotation]:
    """Read what is written about each photo of a split, by file name."""
    folder = data / "photos"
    paths = sorted(folder.glob(f"{split}*.json.gz"))
    if not paths:
        raise CorpusError(f"{folder} has no {split}.json.gz")
    photos: dict[str, Annotation] = {}
    for path in paths:
        photos |= _read_annotations(path)
    return photos


def _read_annotations(path: Path) -> dict[str, Annotation]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            listed = json.load(file)
        return {
            str(name): Annotation(
                tuple(map(str, captions["captions"])),
                tuple((str(text), str(answer)) for text, answer in captions["questions"]),
            )
            for name, captions in listed.items()
        }
    except (OSError, EOFError, ValueError, AttributeError, TypeError, KeyError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error
