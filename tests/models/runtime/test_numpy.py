"""The networks that NumPy runs give the numbers of PyTorch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from heed.models.catalogue import Catalogue, RuntimeName
from heed.models.errors import CheckpointError
from heed.models.generation.requests import StoryRequest
from heed.models.generation.story_reader import StoryReader
from heed.models.runtime.memory import HopsRead
from heed.models.runtime.numpy.memory import NumpyMemory, load_runtime
from heed.models.runtime.numpy.operations import log_softmax, relu, softmax
from heed.models.runtime.torch_memory import TorchMemory
from tests.models.tiny import MEMORY, change, write_tiny, write_tiny_memory

CLOSE = 1e-5
LONG = "\n".join(f"Mary went to the {place}." for place in ("kitchen", "garden") * 3)
REQUESTS = [
    StoryRequest("Mary went to the kitchen.", "Where is Mary?"),
    StoryRequest("Tom took the ball. A zebra sat! Tom went to the park.", "Where is the ball?"),
    StoryRequest(LONG, "Mary?"),
]


def reader(folder: Path, runtime: RuntimeName = "auto") -> StoryReader:
    return cast(StoryReader, Catalogue(folder.parent, runtime=runtime).load(folder.name))


def hops(model: StoryReader, requests: list[StoryRequest]) -> list[HopsRead]:
    return model.answer([model.read(request) for request in requests])


def compare(folder: Path, requests: list[StoryRequest]) -> None:
    ours, theirs = reader(folder), reader(folder, "torch")
    assert isinstance(ours._runtime, NumpyMemory)
    assert isinstance(theirs._runtime, TorchMemory)
    for one, other in zip(hops(ours, requests), hops(theirs, requests), strict=True):
        for name, mine, its in zip(HopsRead._fields, one, other, strict=True):
            assert mine.dtype == np.float32, name
            # Relative to the size of a number, as scores are sums of many products.
            np.testing.assert_allclose(mine, its, rtol=CLOSE, atol=CLOSE, err_msg=name)


def test_a_shipped_memory_network_gives_the_numbers_of_pytorch() -> None:
    for card in Catalogue().cards.values():
        if card.task == "story":
            examples = [StoryRequest(*each.rsplit("\n", 1)) for each in card.examples]
            compare(Path("models/weights") / card.id, examples)


def test_a_tiny_memory_network_gives_the_numbers_of_pytorch(tmp_path: Path) -> None:
    compare(write_tiny_memory(tmp_path / "memory"), REQUESTS)


def test_a_story_is_read_the_same_alone_and_in_company(tmp_path: Path) -> None:
    model = reader(write_tiny_memory(tmp_path / "memory"))
    together = hops(model, REQUESTS)
    for request, read in zip(REQUESTS, together, strict=True):
        for one, other in zip(hops(model, [request])[0], read, strict=True):
            assert np.array_equal(one, other)


def test_weights_of_another_shape_are_an_error(tmp_path: Path) -> None:
    folder = write_tiny_memory(tmp_path / "memory")
    change(folder, network=replace(MEMORY, width=7).to_dict())
    with pytest.raises(CheckpointError, match="it has no question_embedding"):
        load_runtime(folder)


def test_another_network_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="does not hold a memory network"):
        load_runtime(write_tiny(tmp_path / "model"))


def test_operations_hold_at_the_ends_of_32_bits() -> None:
    far = np.array([[1e4, 0, -1e4], [-np.inf, 3, 3]], np.float32)
    np.testing.assert_allclose(softmax(far), [[1, 0, 0], [0, 0.5, 0.5]])
    np.testing.assert_allclose(log_softmax(far[:1]), [[0, -1e4, -2e4]])
    assert relu(far).min() == 0
