"""The LSTMN of NumPy gives the numbers of PyTorch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue, RuntimeName
from heed.models.errors import CheckpointError
from heed.models.generation.sentence_reader import SentenceReader
from heed.models.runtime.numpy.lstmn import NumpyLSTMN, load_runtime
from heed.models.runtime.reading import TapeRead
from heed.models.runtime.torch_lstmn import TorchLSTMN
from heed.models.runtime.torch_lstmn import load_runtime as load_torch
from tests.models.tiny import LSTMN, change, write_tiny, write_tiny_reader

CLOSE = 1e-5
SENTENCES = [(2, 5, 6, 8, 5, 9, 10, 12, 5, 13, 4), (2,), (2, 1, 1, 1)]


def reader(folder: Path, runtime: RuntimeName = "auto") -> SentenceReader:
    return cast(SentenceReader, Catalogue(folder.parent, runtime=runtime).load(folder.name))


def compare(folder: Path) -> None:
    ours, theirs = reader(folder)._runtime, reader(folder, "torch")._runtime
    assert isinstance(ours, NumpyLSTMN)
    assert isinstance(theirs, TorchLSTMN)
    for one, other in zip(ours.read(SENTENCES), theirs.read(SENTENCES), strict=True):
        for name, mine, its in zip(TapeRead._fields, one, other, strict=True):
            assert mine.dtype == np.float32, name
            np.testing.assert_allclose(mine, its, rtol=CLOSE, atol=CLOSE, err_msg=name)


def test_the_shipped_lstmn_gives_the_numbers_of_pytorch() -> None:
    for card in Catalogue().cards.values():
        if card.task == "read":
            compare(DEFAULT_DIRECTORY / card.id)


def test_a_tiny_lstmn_gives_the_numbers_of_pytorch(tmp_path: Path) -> None:
    compare(write_tiny_reader(tmp_path / "reader"))


def test_weights_of_another_shape_are_an_error(tmp_path: Path) -> None:
    folder = write_tiny_reader(tmp_path / "reader")
    change(folder, network=replace(LSTMN, width=7).to_dict())
    with pytest.raises(CheckpointError, match="it has no word_gates"):
        load_runtime(folder)


def test_another_network_is_an_error(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "model")
    for load in (load_runtime, load_torch):
        with pytest.raises(CheckpointError, match="does not hold an LSTMN"):
            load(folder)
