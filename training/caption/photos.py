"""Photos for training: read from archives, packed once into an array that can be mapped.

Photos and captions are for training only; neither leaves the data folder and the runs.

Shapes: `N` photos, `Y` rows, `X` columns.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from heed.models.errors import PictureError
from heed.models.pictures.decode import SIDE, Bytes, decode_picture
from training.common.errors import CorpusError

Split = Literal["train", "dev"]
SPLITS: tuple[Split, ...] = ("train", "dev")

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
        return tuple(not any(map(_SIDES.search, texts)) for texts in self.captions)


def open_photos(
    folder: Path, split: Split, captions: Mapping[str, tuple[str, ...]], path: Path
) -> Photos:
    """Open the photos with captions of a folder's archives; pack them at `path` the first time."""
    names = tuple(sorted(captions))
    if not path.exists():
        pack(read_photos(folder, split), names, path)
    pixels: Bytes = np.load(path, mmap_mode="r")
    if pixels.shape != (len(names), SIDE, SIDE, 3):
        raise CorpusError(f"{path} does not match the captions; remove it")
    return Photos(pixels, names, tuple(captions[name] for name in names))


def read_photos(folder: Path, split: Split) -> Iterator[tuple[str, Bytes]]:
    """Yield name and pixels of every photo in the archives of a split."""
    archives = sorted(folder.glob(f"{split}*.tar"))
    if not archives:
        raise CorpusError(f"{folder} has no {split}.tar")
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
                        yield name, decode_picture(file.read()).pixels
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
