"""Captions of the photos to learn from, written by this project: three more of each.

`captions/everyday.tsv`, `captions/flickr8k.tsv`: file name of a photo and caption, in lower case.
Each was written by looking at the photo and at the captions that come with it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from training.caption.photos import Photos

FOLDER = Path(__file__).parent / "captions"


def read_own_captions(name: str) -> dict[str, tuple[str, ...]]:
    """Read this project's captions of a set of photos, by file name."""
    own: defaultdict[str, list[str]] = defaultdict(list)
    for line in (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines():
        photo, caption = line.split("\t")
        own[photo].append(caption)
    return {photo: tuple(captions) for photo, captions in own.items()}


def with_own_captions(photos: Photos, name: str) -> Photos:
    """Return the photos of a set with this project's captions behind those that they have."""
    own = read_own_captions(name)
    captions = zip(photos.names, photos.captions, strict=True)
    return replace(
        photos, captions=tuple(own_texts + own.get(photo, ()) for photo, own_texts in captions)
    )
