"""The networks that NumPy runs give the numbers of their PyTorch modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from heed.models import checkpoint
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.checkpoint import save_checkpoint
from heed.models.config import NetworkConfig
from heed.models.errors import CheckpointError
from heed.models.families import FAMILIES, network_of
from heed.models.families.glimpse.runtime import NumpyGlimpse
from heed.models.families.graph.runtime import NumpyGraph
from heed.models.families.lstmn.runtime import NumpyLSTMN
from heed.models.families.memory.result import StoryInput
from heed.models.families.memory.runtime import NumpyMemoryNetwork
from heed.models.families.vision_transformer.config import VisionConfig
from heed.models.families.vision_transformer.network import VisionTransformer
from heed.models.families.vision_transformer.runtime import NumpyVision
from heed.models.graphs.check import read_graph
from heed.models.graphs.graph import CLASSES
from heed.models.graphs.notation import parse_graph
from heed.models.rollout import rollout
from heed.models.runtime.numpy import load_runtime
from heed.models.runtime.numpy.operations import log_softmax, relu, softmax
from heed.models.runtime.vision import likeness
from heed.models.trace import Floats
from tests.models import tiny
from tests.models.runtime import modules


class OnNumpy(NamedTuple):
    """A family that NumPy runs, and its module."""

    config: NetworkConfig  # of the tiny model
    write: Callable[[Path], Path]
    runtime: Callable[..., Any]
    call: str  # of the runtime
    module: Callable[..., list[Any]]
    inputs: Callable[[Any], Sequence[Any]]
    close: float


def stories(_: NetworkConfig) -> list[StoryInput]:
    short = StoryInput(((2, 3, 4),), (5, 2))
    longer = StoryInput(((2, 3, 4), (4, 1, 5, 2), (3,)), (5, 2, 1, 6))
    return [short, longer, StoryInput(((2, 3), (4, 2)) * 3, (5,))]


def graphs(_: NetworkConfig) -> list[Any]:
    texts = tiny.CHAIN, "a: A\na - b, a - c, a - d\ne"
    return [read_graph(parse_graph(text), CLASSES, 20) for text in texts]


def drawings(config: Any) -> list[Floats]:
    rng = np.random.default_rng(8)
    return [rng.random((config.picture, config.picture), np.float32) ** it for it in (1, 4, 20)]


def pictures(_: NetworkConfig) -> list[Any]:
    noise = np.random.default_rng(7).integers(0, 256, (2, 224, 224, 3), dtype=np.uint8)
    return [noise[0], noise[1] // 4, np.full((224, 224, 3), 255, np.uint8)]


def sentences(_: NetworkConfig) -> list[tuple[int, ...]]:
    return [(2, 5, 6, 8, 5, 9, 10, 12, 5, 13, 4), (2,), (2, 1, 1, 1)]


ON_NUMPY = [
    OnNumpy(
        tiny.MEMORY,
        tiny.write_tiny_memory,
        NumpyMemoryNetwork,
        "answer",
        modules.answer,
        stories,
        1e-5,
    ),
    OnNumpy(
        tiny.GRAPH, tiny.write_tiny_graph, NumpyGraph, "classify", modules.classify, graphs, 1e-5
    ),
    OnNumpy(
        tiny.GLIMPSE, tiny.write_tiny_glimpse, NumpyGlimpse, "look", modules.look, drawings, 1e-5
    ),
    OnNumpy(tiny.LSTMN, tiny.write_tiny_reader, NumpyLSTMN, "read", modules.read, sentences, 1e-5),
    OnNumpy(tiny.VISION, tiny.write_tiny_vision, NumpyVision, "look", modules.see, pictures, 1e-4),
]


@pytest.fixture(params=ON_NUMPY, ids=lambda family: family.config.family)
def family(request: pytest.FixtureRequest) -> OnNumpy:
    found: OnNumpy = request.param
    return found


def run(family: OnNumpy, folder: Path) -> tuple[Callable[[Any], list[Any]], Sequence[Any]]:
    """Return the call of a runtime, and inputs for it."""
    runtime = load_runtime(folder, type(family.config), family.runtime)
    return getattr(runtime, family.call), family.inputs(runtime.config)


def arrays(computed: Any) -> dict[str, Floats]:
    """Return arrays by their names, also those of a named tuple inside another."""
    named: dict[str, Any] = computed._asdict()
    inside = [named.pop(name) for name in list(named) if isinstance(named[name], tuple)]
    for each in inside:
        named |= each._asdict()
    return named


def compare(family: OnNumpy, folder: Path) -> None:
    call, inputs = run(family, folder)
    theirs = family.module(modules.load(folder), inputs)
    for one, other in zip(call(inputs), theirs, strict=True):
        mine, its = arrays(one), arrays(other)
        assert list(mine) == list(its)
        for name, values in mine.items():
            assert values.dtype == np.float32, name
            # Relative to the size of a number, as scores are sums of many products.
            np.testing.assert_allclose(
                values, its[name], rtol=family.close, atol=family.close, err_msg=name
            )


def test_every_family_that_numpy_runs_is_compared() -> None:
    compared = {type(family.config) for family in ON_NUMPY}
    assert compared == {family.config for family in FAMILIES.values() if family.on_numpy}


def test_a_tiny_network_gives_the_numbers_of_its_module(family: OnNumpy, tmp_path: Path) -> None:
    compare(family, family.write(tmp_path / "model"))


def test_shipped_networks_give_the_numbers_of_their_module(family: OnNumpy) -> None:
    folders = [DEFAULT_DIRECTORY / model for model in Catalogue().cards]
    found = [folder for folder in folders if type(network_of(folder)) is type(family.config)]
    assert found
    for folder in found:
        compare(family, folder)


def test_an_input_gives_the_same_alone_and_in_company(family: OnNumpy, tmp_path: Path) -> None:
    call, inputs = run(family, family.write(tmp_path / "model"))
    for one, computed in zip(inputs, call(inputs), strict=True):
        together = arrays(computed)
        for name, values in arrays(call([one])[0]).items():
            assert np.array_equal(values, together[name]), name


def test_weights_of_another_shape_are_an_error(family: OnNumpy, tmp_path: Path) -> None:
    folder = family.write(tmp_path / "model")
    wider = replace(family.config, width=2 * family.config.width)  # type: ignore[attr-defined]
    tiny.change(folder, network=wider.to_dict())
    with pytest.raises(CheckpointError, match="cannot be read: it has no "):
        run(family, folder)


def test_another_family_is_an_error(family: OnNumpy, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="another family: recurrent"):
        run(family, tiny.write_tiny(tmp_path / "model"))


@pytest.mark.parametrize("runtime", ["native", "onnx", "torch"])
def test_numpy_runs_them_whatever_runtime_is_chosen(
    runtime: Any, family: OnNumpy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family.write(tmp_path / "model")
    monkeypatch.delattr(checkpoint, "load_network")  # those of PyTorch
    monkeypatch.delattr(checkpoint, "load_module")
    assert Catalogue(tmp_path, runtime=runtime).load("model")


def test_a_vision_transformer_of_one_layer_gives_the_numbers_of_its_module(tmp_path: Path) -> None:
    vision = next(each for each in ON_NUMPY if isinstance(each.config, VisionConfig))
    one = replace(tiny.VISION, layers=1, blocks=10)
    save_checkpoint(tmp_path, {}, one, dict(VisionTransformer(one).named_parameters()))
    compare(vision, tmp_path)


def test_operations_hold_at_the_ends_of_32_bits() -> None:
    far = np.array([[1e4, 0, -1e4], [-np.inf, 3, 3]], np.float32)
    np.testing.assert_allclose(softmax(far), [[1, 0, 0], [0, 0.5, 0.5]])
    np.testing.assert_allclose(log_softmax(far[:1]), [[0, -1e4, -2e4]])
    assert relu(far).min() == 0


def test_rollout_multiplies_the_layers() -> None:
    weights = np.random.default_rng(1).random((3, 2, 5, 5)).astype(np.float32)
    weights /= weights.sum(axis=-1, keepdims=True)
    whole = np.eye(5)
    for layer in weights:
        whole = (layer.mean(axis=0) + np.eye(5)) / 2 @ whole
    np.testing.assert_allclose(rollout(weights), whole[0], rtol=1e-5)


def test_likeness_is_the_cosine() -> None:
    found = likeness(np.array([[2, 0], [3, 3], [0, 0]], np.float32))
    root = np.sqrt(0.5)
    np.testing.assert_allclose(found, [[1, root, 0], [root, 1, 0], [0, 0, 0]], atol=1e-6)
