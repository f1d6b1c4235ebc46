"""Sets of photos: everyday photos with what is written about them, and the pieces of both sets."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from heed.models.pictures.decode import decode_picture
from tests.models.drawn import quarters, saved
from tests.training.tiny_photos import write_photos
from training.caption.everyday import Annotation, load_everyday, read_everyday
from training.caption.photo_sets import LOADERS, caption_pieces, load_photos
from training.common.errors import CorpusError

CAPTIONS = {"b.jpg": ["A red bus", "a bus on the left"], "a.jpg": ["A cat", "a gray cat"]}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_photos(tmp_path_factory.mktemp("sets"), CAPTIONS)


def test_everyday_photos_come_with_captions_and_questions(data: Path, tmp_path: Path) -> None:
    written = read_everyday(data, "train")
    questions = (("what is it", "a flag"), ("is there a dog", "no"))
    assert written["a.jpg"] == Annotation(("a cat", "a gray cat"), questions)
    photos = load_everyday(data, "train", tmp_path)
    assert photos.names == ("a.jpg", "b.jpg")
    assert photos.mirrorable == (True, False)
    first = decode_picture(saved(quarters(224, 224).rotate(90), "JPEG", quality=90))
    assert np.array_equal(photos.pixels[0], first.pixels)


def test_the_files_of_a_split_are_read_together(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for number, name in enumerate(CAPTIONS):
        annotations = {name: {"captions": CAPTIONS[name], "questions": []}}
        with gzip.open(folder / f"train.{number}.json.gz", "wt") as file:
            json.dump(annotations, file)
    assert set(read_everyday(tmp_path, "train")) == set(CAPTIONS)
    with pytest.raises(CorpusError, match=r"no dev\.json"):
        read_everyday(tmp_path, "dev")


@pytest.mark.parametrize("content", ["[]", '{"a.jpg": {"captions": ["x"]}}', "{"])
def test_annotations_that_cannot_be_read_are_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "photos").mkdir()
    with gzip.open(tmp_path / "photos" / "dev.json.gz", "wt") as file:
        file.write(content)
    with pytest.raises(CorpusError, match=r"dev\.json\.gz"):
        read_everyday(tmp_path, "dev")


def test_each_set_is_loaded_by_its_name(data: Path, tmp_path: Path) -> None:
    for name in LOADERS:
        assert len(load_photos(name, data, "dev", tmp_path)) == 2


def test_the_pieces_of_both_sets_are_learned_once(data: Path, tmp_path: Path) -> None:
    first = caption_pieces(data, tmp_path, 280)
    for archive in data.rglob("*.json.gz"):
        archive.rename(archive.with_suffix(".hidden"))
    again = caption_pieces(data, tmp_path, 280)
    assert len(first) == len(again) > 259
    assert again.written(first.ids("A Cat")).text == "a cat"
