"""Photos and captions: read, packed, made a little different, put into batches."""

import gzip
import json
import tarfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from heed.models.pictures.decode import decode_picture
from heed.models.text.tokenizer import END, PAD, START, BytePieces
from tests.models.drawn import quarters, saved
from training.caption.augmentation import Augmentation, augmented
from training.caption.batches import caption_batches, caption_ids, collate_captions, pictures_at
from training.caption.flickr8k import load_flickr8k
from training.caption.photos import Photos
from training.common.errors import CorpusError

CAPTIONS = {
    "c.jpg": ["A red thing .", "Something blue ."],
    "a.jpg": ["A thing on the left .", "Four colours ."],
    "b.jpg": ["A thing .", "Another thing leaves brightly ."],
}
NONE = Augmentation(0, 0, 0, 0, 0)


def file_of(name: str) -> bytes:
    return saved(quarters(224, 224).rotate(90 * "abc".index(name[0])), "JPEG", quality=95)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "flickr8k"
    folder.mkdir(parents=True)
    with gzip.open(folder / "train.captions.json.gz", "wt") as file:
        json.dump(CAPTIONS, file)
    for number, names in enumerate((["a.jpg", "c.jpg"], ["b.jpg", "unsaid.jpg"])):
        with tarfile.open(folder / f"train.{number}.tar", "w") as tar:
            for name in names:
                content = file_of("a.jpg" if name == "unsaid.jpg" else name)
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, BytesIO(content))
    return tmp_path / "data"


@pytest.fixture
def photos(data: Path, tmp_path: Path) -> Photos:
    return load_flickr8k(data, "train", tmp_path / "runs")


# --- reading ----------------------------------------------------------------------------------


def test_every_photo_lies_at_the_place_of_its_name(photos: Photos) -> None:
    assert photos.names == ("a.jpg", "b.jpg", "c.jpg")
    assert len(photos) == 3
    for name, pixels, captions in zip(photos.names, photos.pixels, photos.captions, strict=True):
        assert np.array_equal(pixels, decode_picture(file_of(name)).pixels)
        assert list(captions) == CAPTIONS[name]


def test_photos_are_unpacked_once_and_mapped(photos: Photos, data: Path, tmp_path: Path) -> None:
    for archive in (data / "flickr8k").glob("*.tar"):
        archive.unlink()
    again = load_flickr8k(data, "train", tmp_path / "runs")
    assert isinstance(again.pixels, np.memmap)
    assert np.array_equal(again.pixels, photos.pixels)


def test_only_photos_that_nobody_calls_left_or_right_may_be_mirrored(photos: Photos) -> None:
    assert dict(zip(photos.names, photos.mirrorable, strict=True)) == {
        "a.jpg": False,
        "b.jpg": True,
        "c.jpg": True,
    }


def test_a_caption_without_its_photo_is_named_and_nothing_is_kept(
    data: Path, tmp_path: Path
) -> None:
    (data / "flickr8k" / "train.1.tar").unlink()
    with pytest.raises(CorpusError, match=r"b\.jpg"):
        load_flickr8k(data, "train", tmp_path / "runs")
    assert not list((tmp_path / "runs").rglob("*.*"))


def test_data_that_cannot_be_read_are_named(data: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"dev\.captions"):
        load_flickr8k(data, "dev", tmp_path / "runs")
    archive = data / "flickr8k" / "train.0.tar"
    archive.write_bytes(archive.read_bytes()[:900])
    with pytest.raises(CorpusError, match=r"train\.0\.tar"):
        load_flickr8k(data, "train", tmp_path / "runs")
    for each in (data / "flickr8k").glob("*.tar"):
        each.unlink()
    with pytest.raises(CorpusError, match=r"no train\.tar"):
        load_flickr8k(data, "train", tmp_path / "runs")


def test_other_photos_than_there_are_captions_for_are_refused(
    photos: Photos, data: Path, tmp_path: Path
) -> None:
    with gzip.open(data / "flickr8k" / "train.captions.json.gz", "wt") as file:
        json.dump({"a.jpg": ["One ."]}, file)
    with pytest.raises(CorpusError, match="remove it"):
        load_flickr8k(data, "train", tmp_path / "runs")


# --- batches ----------------------------------------------------------------------------------


def test_a_batch_has_every_caption_of_its_photos() -> None:
    captions = [[[5, END], [6, 7, 8, END]], [[9, END]], [[4, 4, END]]]
    batch = collate_captions([2, 0], captions)
    assert batch.places.tolist() == [2, 0]
    assert batch.photo.tolist() == [0, 1, 1]
    assert batch.target.tolist() == [[4, 4, END, PAD], [6, 7, 8, END], [5, END, PAD, PAD]]
    assert batch.fed.tolist() == [[START, 4, 4, PAD], [START, 6, 7, 8], [START, 5, PAD, PAD]]


def test_an_epoch_meets_every_photo_once_in_an_order_of_its_own() -> None:
    captions = [[[place, END]] for place in range(10)]
    epochs = [
        [place for batch in caption_batches(captions, 4, seed) for place in batch.places.tolist()]
        for seed in (1, 1, 2)
    ]
    assert epochs[0] == epochs[1] != epochs[2]
    assert sorted(epochs[0]) == sorted(epochs[2]) == list(range(10))


def test_photos_come_in_the_order_they_are_asked_for(photos: Photos) -> None:
    found = pictures_at(photos, torch.tensor([2, 0]))
    assert np.array_equal(found.numpy(), photos.pixels[[2, 0]])


def test_captions_are_tidied_before_they_are_learned(photos: Photos) -> None:
    tokenizer = BytePieces.characters(lowercase=True)
    ids = caption_ids(photos, tokenizer)
    assert tokenizer.written(ids[0][0]).text == "a thing on the left"


# --- augmentation -----------------------------------------------------------------------------


def pictures(count: int) -> Tensor:
    return torch.from_numpy(np.array(quarters(224, 224))).repeat(count, 1, 1, 1)


def drawn(count: int, amount: Augmentation, *, mirrorable: bool = True, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return augmented(pictures(count), torch.full((count,), mirrorable), amount, generator)


def test_nothing_at_all_is_changed_by_zeros() -> None:
    assert torch.equal(drawn(2, NONE), pictures(2))


def test_a_mirror_turns_what_may_be_mirrored_and_nothing_else() -> None:
    always = Augmentation(1, 0, 0, 0, 0)
    assert torch.equal(drawn(2, always), pictures(2).flip(2))
    assert torch.equal(drawn(2, always, mirrorable=False), pictures(2))


def test_half_are_mirrored() -> None:
    made = drawn(200, Augmentation(0.5, 0, 0, 0, 0))
    turned = (made == pictures(200).flip(2)).flatten(1).all(dim=1)
    assert 70 < int(turned.sum()) < 130


def test_a_cut_leaves_the_content_in_the_picture() -> None:
    """The cross of the four colours, in the middle, moves by no more than a cut allows."""
    made = drawn(50, Augmentation(0, 0.12, 0, 0, 0)).int()
    across = (made[:, 10, :, 0] > 115).sum(dim=1)  # red above on the left, green on the right
    assert int(across.min()) >= 112 - 16
    assert int(across.max()) <= 112 + 16
    assert len(across.unique()) > 5


def test_colours_stay_what_they_are_called() -> None:
    made = drawn(50, Augmentation(0, 0)).float()
    middles = [made[:, y, x] for y, x in ((56, 56), (56, 168), (168, 56))]
    for channel, middle in enumerate(middles):  # red, green, blue
        assert bool((middle.argmax(dim=1) == channel).all())
    assert len(made[:, 56, 56].unique(dim=0)) > 40


def test_the_same_seed_makes_the_same_pictures() -> None:
    some = Augmentation()
    assert torch.equal(drawn(3, some, seed=4), drawn(3, some, seed=4))
    assert not torch.equal(drawn(3, some, seed=4), drawn(3, some, seed=5))
