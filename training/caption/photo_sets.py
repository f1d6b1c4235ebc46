"""The sets of photos that image models learn from, and the pieces of what is said about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from heed.models.text.tokenizer import BytePieces
from training.caption.everyday import load_everyday, read_everyday
from training.caption.flickr8k import load_flickr8k, read_captions
from training.caption.own_captions import with_own_captions
from training.caption.photos import Photos, Split
from training.caption.words import tidy

LOADERS = {"flickr8k": load_flickr8k, "everyday": load_everyday}
FEWER_CAPTIONS = 2  # times that a text about an everyday photo counts: Flickr8k has five captions


def load_photos(
    name: str, data: Path, split: Split, runs: Path, *, own_captions: bool = False
) -> Photos:
    """Load the photos of a set, those to learn from with this project's captions if wanted."""
    photos = LOADERS[name](data, split, runs)
    return with_own_captions(photos, name) if own_captions and split == "train" else photos


def caption_pieces(data: Path, runs: Path, size: int) -> BytePieces:
    """Load the tokenizer of all image models, which is trained once on both sets.

    Lower-case pieces of words: nothing is unknown, so that any caption can be forced. With 3,600
    pieces, a word of a dev caption has 1.10 of them on Flickr8k and 1.06 on everyday photos.
    """
    path = runs / "tokenizers" / f"captions-{size}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        BytePieces.train(_texts(data), size, lowercase=True).save(path)
    return BytePieces.load(path)


def _texts(data: Path) -> Iterator[str]:
    for captions in read_captions(data / "flickr8k" / "train.captions.json.gz").values():
        yield from map(tidy, captions)
    for photo in read_everyday(data, "train").values():
        for _ in range(FEWER_CAPTIONS):
            yield from map(tidy, photo.captions)
        for question in photo.questions:
            yield from question
