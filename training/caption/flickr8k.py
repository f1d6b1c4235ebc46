"""Flickr8k: photos packed once into an array that can be mapped, and five captions for each.

    DATA/flickr8k/train.{0,1,2}.tar, dev.tar         JPEGs, the whole photo squashed to 224×224
    DATA/flickr8k/{train,dev}.captions.json.gz       file name → its captions

Photos and captions are for training only; neither leaves the data folder and the runs.

Shapes: `N` photos, `Y` rows, `X` columns.
"""

from __future__ import annotations

import gzip
import json
import re
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from heed.models.errors import PictureError
from heed.models.images.read import SIDE, Bytes, read_picture
from heed.models.text.tokenizer import BytePieces
from training.caption.words import tidy
from training.common.errors import CorpusError

Split = Literal["train", "dev"]

# Lower-case pieces of words. Measured on dev: 1.12 pieces a word, and nothing is unknown, so that
# any caption can be forced; the 2,537 words that stand five times in training would leave out
# 3.4 % of the words, and the output layer would be as large.
VOCABULARY = 3000

_SIDES = re.compile(r"\b(?:left|right)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Photos:
    """Photos of a split, in one array, and their captions."""

    pixels: Bytes  # (N, Y, X, 3), mapped from the disk
    names: tuple[str, ...]
    captions: tuple[tuple[str, ...], ...]  # of each photo, as they were written

    def __len__(self) -> int:
        return len(self.names)

    def first(self, count: int) -> Photos:
        """Return the first `count` photos."""
        return Photos(self.pixels[:count], self.names[:count], self.captions[:count])

    @property
    def mirrorable(self) -> tuple[bool, ...]:
        """For each photo, whether it may be mirrored: no caption says left or right."""
        return tuple(not any(map(_SIDES.search, each)) for each in self.captions)


def load_photos(data: Path, split: Split, runs: Path) -> Photos:
    """Load the photos of a split, and unpack them below the runs the first time."""
    captions = read_captions(data / "flickr8k" / f"{split}.captions.json.gz")
    names = tuple(sorted(captions))
    path = runs / "flickr8k" / f"{split}.npy"
    if not path.exists():
        pack(read_photos(data, split), names, path)
    pixels: Bytes = np.load(path, mmap_mode="r")
    if pixels.shape != (len(names), SIDE, SIDE, 3):
        raise CorpusError(f"{path} does not match the captions; remove it")
    return Photos(pixels, names, tuple(captions[name] for name in names))


def read_photo_set(path: Path) -> Photos:
    """Load the photos named in a file of captions, from files or .tar archives beside it."""
    captions = read_captions(path)
    names = tuple(sorted(captions))
    found = {name: _read(path.parent / name) for name in names if (path.parent / name).is_file()}
    if len(found) < len(names):
        found |= dict(read_archives(sorted(path.parent.glob("*.tar")), set(names) - set(found)))
    if missing := set(names) - set(found):
        raise CorpusError(f"beside {path} {len(missing)} photos are missing, as {min(missing)}")
    return Photos(
        np.stack([found[name] for name in names]), names, tuple(captions[name] for name in names)
    )


def _read(path: Path) -> Bytes:
    try:
        return read_picture(path.read_bytes()).pixels
    except (OSError, PictureError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error


def read_captions(path: Path) -> dict[str, tuple[str, ...]]:
    """Read the captions of each photo, by file name."""
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as file:
            found: dict[str, list[str]] = json.load(file)
        return {name: tuple(texts) for name, texts in found.items()}
    except (OSError, EOFError, ValueError, AttributeError, TypeError) as error:
        raise CorpusError(f"{path} cannot be read: {error}") from error


def read_photos(data: Path, split: Split) -> Iterator[tuple[str, Bytes]]:
    """Yield name and pixels of every photo in the archives of a split."""
    archives = sorted((data / "flickr8k").glob(f"{split}*.tar"))
    if not archives:
        raise CorpusError(f"{data / 'flickr8k'} has no {split}.tar")
    yield from read_archives(archives)


def read_archives(
    archives: Iterable[Path], wanted: set[str] | None = None
) -> Iterator[tuple[str, Bytes]]:
    """Yield name and pixels of every photo, or of the wanted ones, in these archives."""
    for archive in archives:
        try:
            with tarfile.open(archive) as tar:
                for member in tar:
                    name = Path(member.name).name
                    file = tar.extractfile(member)
                    if file is not None and (wanted is None or name in wanted):
                        yield name, read_picture(file.read()).pixels
        except (OSError, tarfile.TarError, PictureError) as error:
            raise CorpusError(f"{archive} cannot be read: {error}") from error


def pack(photos: Iterable[tuple[str, Bytes]], names: tuple[str, ...], path: Path) -> None:
    """Write the photos of these names as one array, in order; all of them or nothing."""
    places = {name: place for place, name in enumerate(names)}
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".part")
    shape = (len(names), SIDE, SIDE, 3)
    array = np.lib.format.open_memmap(fresh, "w+", np.uint8, shape)
    missing = set(names)
    for name, pixels in photos:
        if name in places:
            array[places[name]] = pixels
            missing.discard(name)
    if missing:
        fresh.unlink()
        raise CorpusError(
            f"{len(missing)} photos have captions and no file, {min(missing)} for one"
        )
    array.flush()
    fresh.replace(path)


def caption_pieces(photos: Photos, runs: Path, size: int = VOCABULARY) -> BytePieces:
    """Load the tokenizer of all captioners; it is trained once, on these captions."""
    path = runs / "tokenizers" / f"captions-{size}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        texts = (tidy(caption) for each in photos.captions for caption in each)
        BytePieces.train(texts, size, lowercase=True).save(path)
    return BytePieces.load(path)
