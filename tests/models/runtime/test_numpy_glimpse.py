"""The glimpse network of NumPy gives the numbers of PyTorch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue, RuntimeName
from heed.models.errors import CheckpointError
from heed.models.generation.glimpse_reader import GlimpseReader
from heed.models.runtime.glimpse import GlimpsesRead
from heed.models.runtime.numpy.glimpse import NumpyGlimpse, load_runtime
from heed.models.runtime.torch_glimpse import TorchGlimpse
from heed.models.runtime.torch_glimpse import load_runtime as load_torch
from heed.models.trace import Floats
from tests.models.tiny import GLIMPSE, change, write_tiny, write_tiny_glimpse

CLOSE = 1e-5


def reader(folder: Path, runtime: RuntimeName = "auto") -> GlimpseReader:
    return cast(GlimpseReader, Catalogue(folder.parent, runtime=runtime).load(folder.name))


def drawings(side: int) -> list[Floats]:
    rng = np.random.default_rng(8)
    return [rng.random((side, side), np.float32) ** power for power in (1, 4, 20)]


def compare(folder: Path) -> None:
    ours, theirs = reader(folder)._runtime, reader(folder, "torch")._runtime
    assert isinstance(ours, NumpyGlimpse)
    assert isinstance(theirs, TorchGlimpse)
    given = drawings(ours.config.picture)
    for one, other in zip(ours.look(given), theirs.look(given), strict=True):
        for name, mine, its in zip(GlimpsesRead._fields, one, other, strict=True):
            assert mine.dtype == np.float32, name
            np.testing.assert_allclose(mine, its, rtol=CLOSE, atol=CLOSE, err_msg=name)


def test_the_shipped_glimpse_network_gives_the_numbers_of_pytorch() -> None:
    for card in Catalogue().cards.values():
        if card.task == "glimpse":
            compare(DEFAULT_DIRECTORY / card.id)


def test_a_tiny_glimpse_network_gives_the_numbers_of_pytorch(tmp_path: Path) -> None:
    compare(write_tiny_glimpse(tmp_path / "glimpse"))


def test_a_drawing_is_looked_at_the_same_alone_and_in_company(tmp_path: Path) -> None:
    runtime = load_runtime(write_tiny_glimpse(tmp_path / "glimpse"))
    given = drawings(GLIMPSE.picture)
    for drawing, read in zip(given, runtime.look(given), strict=True):
        for one, other in zip(runtime.look([drawing])[0], read, strict=True):
            assert np.array_equal(one, other)


def test_weights_of_another_shape_are_an_error(tmp_path: Path) -> None:
    folder = write_tiny_glimpse(tmp_path / "glimpse")
    change(folder, network=replace(GLIMPSE, width=7).to_dict())
    with pytest.raises(CheckpointError, match="it has no what_projection"):
        load_runtime(folder)


def test_another_network_is_an_error(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "model")
    for load in (load_runtime, load_torch):
        with pytest.raises(CheckpointError, match="does not hold a glimpse network"):
            load(folder)
