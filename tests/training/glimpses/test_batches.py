"""Drawn digits, and pictures that are put together from them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from training.glimpses.batches import PART, PARTS, Batch, draw_batch
from training.glimpses.digits import LARGEST, SIDE, SMALLEST, Bank, draw_bank
from training.glimpses.quality import Looked, evaluate_glimpses, held_out

PICTURE = 60


@pytest.fixture(scope="module")
def bank() -> Bank:
    return draw_bank("tests", 200)


def drawn(bank: Bank, alone: float) -> Batch:
    return draw_batch(np.random.default_rng(1), bank, 100, PICTURE, alone)


def test_the_same_seed_draws_the_same_digits(bank: Bank) -> None:
    again, other = draw_bank("tests", 200), draw_bank("others", 200)
    assert np.array_equal(bank.pictures, again.pictures)
    assert not np.array_equal(bank.pictures, other.pictures)
    assert np.bincount(bank.labels).tolist() == [20] * 10


def test_digits_have_the_sizes_that_are_told(bank: Bank) -> None:
    for picture in bank.pictures:
        inked = picture > 100
        longer = max(np.ptp(np.flatnonzero(inked.any(axis=axis))) + 1 for axis in (0, 1))
        assert SMALLEST - 3 <= longer <= LARGEST + 3 <= SIDE


def test_a_digit_lies_whole_in_its_picture_and_in_its_box(bank: Bank) -> None:
    batch = drawn(bank, alone=1.0)
    assert batch.pictures.shape == (100, PICTURE, PICTURE)
    for picture, (left, top, right, bottom) in zip(batch.pictures, batch.boxes, strict=True):
        assert 0 <= left < right <= PICTURE
        assert 0 <= top < bottom <= PICTURE
        inside = picture[top:bottom, left:right]
        assert inside.sum() > 0.97 * picture.sum()  # but for the palest pixels of its edge


def test_clutter_adds_parts_of_digits(bank: Bank) -> None:
    alone, cluttered = drawn(bank, alone=1.0), drawn(bank, alone=0.0)
    assert torch.equal(alone.labels, cluttered.labels)
    more = cluttered.pictures - alone.pictures
    assert (more >= 0).all()
    assert 0 < (more > 0).sum(dim=(1, 2)).float().mean() < PARTS * PART**2
    mixed = drawn(bank, alone=0.5)
    clean = (mixed.pictures == alone.pictures).flatten(1).all(dim=1).float().mean()
    assert 0.3 < clean < 0.7


def test_pictures_are_measured_on_others_than_those_of_the_training() -> None:
    dev, test = (held_out(part, "alone", 50, PICTURE) for part in ("dev", "test"))
    assert not torch.equal(dev.pictures, test.pictures)
    assert torch.equal(held_out("test", "alone", 50, PICTURE).pictures, test.pictures)


def test_perfect_glimpses_have_perfect_figures(bank: Bank) -> None:
    batch = drawn(bank, alone=0.0)
    middles = (batch.boxes[:, :2] + batch.boxes[:, 2:]) / PICTURE - 1

    def perfect(pictures: torch.Tensor) -> Looked:
        assert torch.equal(pictures, batch.pictures)
        beliefs = torch.nn.functional.one_hot(batch.labels, 10)
        places = torch.stack([torch.zeros_like(middles), middles], dim=1)
        return Looked(torch.stack([beliefs.roll(1, dims=1), beliefs], dim=1), places)

    right, on_digit = evaluate_glimpses(perfect, batch)
    assert right == [0, 1]
    assert on_digit == 1
