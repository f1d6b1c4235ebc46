"""This project's own captions: of each photo to learn from, and of no other."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.training.tiny_photos import write_photos
from training.caption import own_captions
from training.caption.own_captions import read_own_captions, with_own_captions
from training.caption.photo_sets import LOADERS, load_photos
from training.caption.photos import SPLITS, Photos
from training.caption.words import words

PHOTOS = {"everyday": 5445, "flickr8k": 6000}
CAPTIONS = {"a.jpg": ["a cat", "a gray cat"], "b.jpg": ["a bus", "a red bus"]}
MORE = ("a small gray cat is sleeping", "the cat lies on a chair", "a chair with a cat")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_captions, "FOLDER", tmp_path)
    lines = "".join(f"a.jpg\t{caption}\n" for caption in MORE) + "elsewhere.jpg\ta dog\n"
    for name in LOADERS:
        (tmp_path / f"{name}.tsv").write_text(lines)


@pytest.mark.usefixtures("own")
def test_they_stand_behind_the_captions_of_a_photo() -> None:
    pixels = np.zeros((2, 1, 1, 3), np.uint8)
    photos = Photos(pixels, ("a.jpg", "b.jpg"), (("a cat",), ("a bus",)))
    assert with_own_captions(photos, "everyday").captions == (("a cat", *MORE), ("a bus",))


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("name", LOADERS)
def test_photos_held_out_have_none(tmp_path: Path, name: str) -> None:
    data = write_photos(tmp_path, CAPTIONS)
    learned, held_out = (
        load_photos(name, data, split, tmp_path, own_captions=True) for split in SPLITS
    )
    assert learned.captions[0] == ("a cat", "a gray cat", *MORE)
    assert held_out.captions[0] == ("a cat", "a gray cat")
    assert load_photos(name, data, "train", tmp_path).captions == held_out.captions


@pytest.mark.parametrize("name", LOADERS)
def test_each_photo_has_three(name: str) -> None:
    written = read_own_captions(name)
    assert len(written) == PHOTOS[name]
    assert {len(set(each)) for each in written.values()} == {3}
    for caption in (caption for each in written.values() for caption in each):
        assert 4 <= len(words(caption)) <= 20, caption
        assert re.fullmatch(r"[a-z][a-z0-9,' -]*[a-z0-9]", caption), caption
