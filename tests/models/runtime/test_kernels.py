"""The compiled kernels: every shape, on every level of this processor, and what is refused."""

from __future__ import annotations

import ctypes
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.checkpoint import WEIGHTS, tokenizer_of
from heed.models.config import (
    NetworkConfig,
    PictureConfig,
    TransformerConfig,
    VQAConfig,
)
from heed.models.cores import cores, spare_cores
from heed.models.errors import CheckpointError
from heed.models.generation.picture_pipeline import PicturePipeline, PictureRequest
from heed.models.generation.translator import TextRequest, Translator
from heed.models.networks.mobilenet import CELLS
from heed.models.pictures.decode import SIDE, Bytes, Picture
from heed.models.runtime import native
from heed.models.runtime import torch as modules
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.native import compiled, kernels
from heed.models.runtime.native.compiled import LEVELS, library
from heed.models.trace import AttentionMap, Floats, SearchRequest
from tests.models.conftest import HERE
from tests.models.runtime.test_runtimes import compare
from tests.models.tiny import ASKER, HEADS, NETWORK, SOFT, write_tiny

WIDE = replace(NETWORK, embedding=70, encoder_width=33, decoder_width=66, attention_width=17)
EVEN: dict[str, NetworkConfig] = {  # so that tiles are full
    "even": replace(
        NETWORK, embedding=64, encoder_width=32, decoder_width=64, attention_width=32, tied=True
    ),
    "even-transformer": TransformerConfig(
        vocabulary=259, width=64, heads=2, feedforward=96, encoder_layers=2, decoder_layers=2
    ),
}
FAMILIES: dict[str, NetworkConfig] = {
    **EVEN,
    "narrow": NETWORK,
    "wide": WIDE,
    "tied": replace(WIDE, tied=True, end_hidden=True, query_feeding=True),
    "none": replace(WIDE, mechanism="none", order="fixed"),
    "concat": replace(WIDE, mechanism="concat", order="after"),
    "general": replace(WIDE, mechanism="general", order="after"),
    "dot": replace(WIDE, mechanism="dot", order="after", input_feeding=True),
    "scaled": replace(WIDE, mechanism="scaled", order="after", end_hidden=True),
    "layers": replace(WIDE, encoder_layers=2, decoder_layers=3),
    "transformer": TransformerConfig(
        vocabulary=259, width=36, heads=3, feedforward=70, encoder_layers=2, decoder_layers=2
    ),
}
CAPTIONERS: dict[str, PictureConfig] = {
    "soft": replace(SOFT, embedding=70, cells=66, decoder_width=67, attention_width=17),
    "hard": replace(SOFT, mechanism="hard"),
    "heads": replace(HEADS, width=36, heads=3, feedforward=70),
    "questions": replace(ASKER, embedding=66, question_width=33, cells=70, fused=65),
}
SEARCHES = [
    SearchRequest(),
    SearchRequest("beam", beam=4),
    SearchRequest("sample", seed=3, temperature=1.5),
]
TEXTS = ["m", "14 july 1789", "may the 3rd, or the 4th?", "?!", "1", "xy", "the 5th of may"]


def test_the_kernels_are_compiled_where_there_is_a_compiler() -> None:
    assert HERE, "this kind of processor has no kernels"
    assert all(library(level).exists() for level in HERE), "is there a C compiler?"


def test_kernels_of_another_source_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "HERE", tmp_path)
    assert not compiled.only_outdated(), "none were compiled"
    (tmp_path / f"kernels-{HERE[0].name}-0123456789ab.so").touch()
    assert compiled.only_outdated()
    library(HERE[0]).touch()
    assert not compiled.only_outdated()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_gives_the_results_of_its_modules(
    family: str, level: str, tmp_path: Path
) -> None:
    write_tiny(tmp_path / "model", FAMILIES[family])
    ours, theirs = (Catalogue(tmp_path, runtime=name).load("model") for name in ("native", "torch"))
    requests = [
        TextRequest(text, search=search, vectors="all") for text in TEXTS for search in SEARCHES
    ]
    requests += [TextRequest(TEXTS[1], target="14 jul")]
    compare(theirs, requests, ours)


def write_captioner(root: Path, network: NetworkConfig) -> Path:
    """Write a model that reads pictures, with a placeholder for its image encoder."""
    (root / "image-encoder").mkdir()
    (root / "image-encoder" / WEIGHTS).write_bytes(b"noise")
    picture = {"code": "picture", "name": "Picture"}
    task = "ask" if isinstance(network, VQAConfig) else "caption"
    return write_tiny(root / "model", network, task=task, source=picture, examples=[])


def captioner(folder: Path, runtime: Any, cells: int, threads: int = 1) -> PicturePipeline:
    """Load a model with an image encoder of noise: the same picture gives the same numbers."""

    def encode(pixels: Bytes) -> Floats:
        noise = np.random.default_rng(pixels.ravel()[:8].tolist()).normal(size=(CELLS, cells))
        return noise.astype(np.float32)

    card = Catalogue(folder.parent).cards[folder.name]
    loaded = runtime.load_picture_runtime(folder, FeatureCache(encode), threads)
    return PicturePipeline(card, loaded, tokenizer_of(folder))


def pictures(family: str = "") -> list[PictureRequest]:
    """More pictures than one thread processes; each pixel pattern twice, with different seeds."""
    requests = []
    for seed in range(9):
        question = f"{'is it ' * (seed // 3)}red?" if family == "questions" else None
        pixels = np.full((SIDE, SIDE, 3), seed // 2, np.uint8)
        search = SearchRequest("sample", seed=seed, temperature=1.5) if seed else SearchRequest()
        picture = Picture(pixels, 9, 9, "PNG", b"")
        requests.append(PictureRequest(picture, question, search=search))
    return requests


@pytest.mark.parametrize("family", CAPTIONERS)
def test_every_captioner_family_gives_the_results_of_its_modules(
    family: str, level: str, tmp_path: Path
) -> None:
    folder = write_captioner(tmp_path, CAPTIONERS[family])
    cells = CAPTIONERS[family].cells
    ours, theirs = (captioner(folder, each, cells) for each in (native, modules))
    requests = pictures(family)
    requests += [replace(each, target="m 14") for each in requests[:2]]
    requests += [replace(requests[0], search=SEARCHES[1], vectors="all")]
    compare(theirs, requests, ours)
    for one, other in zip(ours.run(requests), theirs.run(requests), strict=True):
        for step, same in zip(one.output.steps, other.output.steps, strict=True):
            assert step.gate == (None if same.gate is None else pytest.approx(same.gate, abs=1e-5))
            assert (step.drawn is None) == (family != "hard")
            assert step.drawn is None or step.drawn.cell == same.drawn.cell  # type: ignore[union-attr]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("family", CAPTIONERS)
def test_a_caption_is_bit_by_bit_the_same_in_any_batch(
    family: str, threads: int, tmp_path: Path
) -> None:
    folder = write_captioner(tmp_path, CAPTIONERS[family])
    model = captioner(folder, native, CAPTIONERS[family].cells, threads)
    requests = pictures(family)
    for request, trace in zip(requests, model.run(requests), strict=True):
        (alone,) = model.run([request])
        assert alone.text == trace.text
        for one, other in zip(alone.output.maps, trace.output.maps, strict=True):
            assert (one.weights == other.weights).all()
        for step, same in zip(alone.output.steps, trace.output.steps, strict=True):
            assert (step.state == same.state).all()
            assert (step.gate, step.drawn) == (same.gate, same.drawn)


def test_features_of_another_width_are_refused(tmp_path: Path) -> None:
    folder = write_captioner(tmp_path, SOFT)
    with pytest.raises(ValueError, match="this image encoder"):
        captioner(folder, native, SOFT.cells + 1).run(pictures()[:1])


def parts(made: AttentionMap) -> list[Floats]:
    """The vectors of a head, if present."""
    vectors = made.vectors
    return [] if vectors is None else [vectors.queries, vectors.keys, vectors.values]


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_result_is_the_same_in_any_batch(
    family: str, threads: int, level: str, tmp_path: Path
) -> None:
    """Bit by bit, but where tiles may be used and there are rows enough for them."""
    write_tiny(tmp_path / "model", FAMILIES[family])
    model = Catalogue(tmp_path, runtime="native").load("model", threads)
    requests = [
        TextRequest(text, vectors=vectors) for vectors in ("all", "cross", "all") for text in TEXTS
    ]
    same_in_any_batch(model, requests, 2e-6 if level == "amx" and family in EVEN else 0)
    same_in_any_batch(model, [replace(each, by_tiles=False) for each in requests], 0)


def same_in_any_batch(model: Translator, requests: list[TextRequest], off: float) -> None:
    for request, trace in zip(requests, model.run(requests), strict=True):
        (alone,) = model.run([request])
        assert alone.text == trace.text
        for one, other in zip(alone.output.maps, trace.output.maps, strict=True):
            assert np.allclose(one.weights, other.weights, rtol=0, atol=off)
            assert (one.vectors is None) == (other.vectors is None)
            for mine, theirs in zip(parts(one), parts(other), strict=True):
                assert np.allclose(mine, theirs, rtol=0, atol=off)
        for step, same in zip(alone.output.steps, trace.output.steps, strict=True):
            assert step.log_probability == pytest.approx(same.log_probability, rel=0, abs=off)
            assert np.allclose(step.state, same.state, rtol=0, atol=off)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("family", ["even", "even-transformer", "soft", "heads"])
def test_a_request_without_tiles_is_computed_without_tiles(
    family: str, shared: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every call of a kernel, also if the others of its batch may use tiles."""
    used: list[bool] = []
    monkeypatch.setattr(native, "available", lambda: Recorder(used))
    if family in CAPTIONERS:
        folder = write_captioner(tmp_path, CAPTIONERS[family])
        model: Any = captioner(folder, native, CAPTIONERS[family].cells)
        requests: list[Any] = pictures()[:2]
    else:
        write_tiny(tmp_path / "model", FAMILIES[family])
        model = Catalogue(tmp_path, runtime="native").load("model")
        requests = [TextRequest(text) for text in TEXTS]
    model.run(requests)
    assert used
    assert all(used)
    used.clear()
    model.run([replace(requests[0], by_tiles=False), *(requests if shared else [])])
    assert used
    assert not any(used)


class Recorder:
    """The kernels, which records whether each call may use tiles."""

    def __init__(self, used: list[bool]) -> None:
        self._used = used

    def __getattr__(self, name: str) -> Any:
        call = getattr(kernels.available(), name)

        def record(*arguments: Any) -> None:
            last = arguments[-1]
            self._used.append(bool(getattr(last, "by_tiles", last)))
            call(*arguments)

        return record


def test_tiles_change_the_last_bits(level: str) -> None:
    random = np.random.default_rng(0)
    kernel = kernels.available()
    assert kernel is not None
    held = kernels.KeepAlive()
    linear = held.linear(random.normal(size=(64, 640)).astype(np.float16))
    x = random.normal(size=(16, 640)).astype(np.float32)
    with_tiles, without = (
        kernels.mapped(kernel, linear, x, by_tiles=each) for each in (True, False)
    )
    assert (with_tiles == without).all() == (level != "amx")


@pytest.mark.parametrize("family", ["wide", "transformer"])
def test_concurrent_callers_get_the_results_of_single_callers(family: str, tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES[family])
    model = Catalogue(tmp_path, runtime="native").load("model", threads=3)
    requests = [TextRequest(text) for text in (*TEXTS, *TEXTS)]

    def numbers(_: int) -> list[bytes]:
        return [trace.output.maps[0].weights.tobytes() for trace in model.run(requests)]

    with ThreadPoolExecutor(4) as callers:
        results = list(callers.map(numbers, range(40)))
    alone = numbers(0)
    assert all(each == alone for each in results)


@pytest.mark.parametrize("rows", [1, 2, 5, 6, 7, 16, 33, 200])
@pytest.mark.parametrize(
    "shape", [(1, 1), (64, 64), (65, 3), (130, 257), (8, 1000), (1, 32), (200, 96), (129, 640)]
)
def test_a_linear_map_of_any_shape(rows: int, shape: tuple[int, int], level: str) -> None:
    random = np.random.default_rng(0)
    weight, bias = random.normal(size=shape), random.normal(size=shape[0])
    x = random.normal(size=(rows, shape[1])).astype(np.float32)
    halves = weight.astype(np.float16)
    kernel = kernels.available()
    assert kernel is not None
    held = kernels.KeepAlive()
    y = kernels.mapped(kernel, held.linear(halves, bias.astype(np.float16)), x)
    wanted = x.astype(np.float64) @ halves.astype(np.float64).T + bias.astype(np.float16)
    assert y == pytest.approx(wanted, abs=2e-6 * shape[1] ** 0.5 + 1e-6, rel=1e-5)


@pytest.mark.parametrize("shape", [(64, 32), (200, 96), (129, 640)])
def test_many_rows_are_bit_by_bit_the_same_in_any_batch(shape: tuple[int, int], level: str) -> None:
    random = np.random.default_rng(1)
    weight = random.normal(size=shape) * 10 ** random.uniform(-6, 2, shape)
    x = random.normal(size=(230, shape[1])).astype(np.float32)
    kernel = kernels.available()
    assert kernel is not None
    held = kernels.KeepAlive()
    linear = held.linear(weight.astype(np.float16))
    all_of_them = kernels.mapped(kernel, linear, x)
    for first, last in ((0, 16), (3, 19), (190, 230), (223, 230), (100, 117)):
        some = kernels.mapped(kernel, linear, x[first:last])
        assert (some == all_of_them[first:last]).all()


def test_two_steps_can_start_from_the_same_state(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES["transformer"])
    runtime = native.load_runtime(tmp_path / "model")
    start = runtime.encode([[5, 6, 7], [8, 9]]).state
    both = np.arange(2)
    _, after = runtime.step(start, both, np.array([3, 4]))  # type: ignore[arg-type]
    one, _ = runtime.step(after, both, np.array([5, 6]))  # type: ignore[arg-type]
    logits = one.logits.copy()
    other, _ = runtime.step(after, both, np.array([9, 9]))  # type: ignore[arg-type]
    assert (other.logits != logits).any()
    again, _ = runtime.step(after, both[::-1], np.array([5, 6])[::-1])  # type: ignore[arg-type]
    assert (again.logits == logits[::-1]).all()


def test_a_token_outside_the_vocabulary_is_refused(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model")
    runtime = native.load_runtime(tmp_path / "model")
    state = runtime.encode([[5]]).state
    for token in (-1, 259):
        with pytest.raises(IndexError):
            runtime.step(state, np.array([0]), np.array([token]))  # type: ignore[arg-type]


def test_tensors_of_another_shape_are_refused(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model")
    config = tmp_path / "model" / "config.json"
    config.write_text(config.read_text().replace('"attention_width": 5', '"attention_width": 6'))
    with pytest.raises(CheckpointError, match=r"key\.weight"):
        native.load_runtime(tmp_path / "model")


def test_truncated_weights_are_an_error(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model")
    weights = tmp_path / "model" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-400])
    with pytest.raises(CheckpointError, match=r"model\.safetensors cannot be read"):
        Catalogue(tmp_path).load("model")


def test_a_family_without_kernels_runs_on_another_runtime(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", replace(NETWORK, cell="lstm"))
    assert Catalogue(tmp_path).load("model").run([TextRequest("may")])
    with pytest.raises(CheckpointError, match="no kernels"):
        Catalogue(tmp_path, runtime="native").load("model")


def test_without_a_compiler_there_are_no_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert compiled.compile_all() == []


def test_tiles_are_not_used_unless_the_system_permits_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    levels = {level.name: level for level in LEVELS["x86_64"]}
    monkeypatch.setattr(compiled, "cpu_flags", lambda: levels["amx"].needs)
    for answer, given in ((0, True), (-1, False)):
        refusing = SimpleNamespace(syscall=lambda *_, answer=answer: answer)
        monkeypatch.setattr(compiled.ctypes, "CDLL", lambda _, refusing=refusing: refusing)
        compiled.may_use_tiles.cache_clear()
        assert levels["amx"].runs_here() is given
        assert levels["v4"].runs_here()
    monkeypatch.setattr(compiled.ctypes, "CDLL", lambda _: SimpleNamespace())
    compiled.may_use_tiles.cache_clear()
    assert not levels["amx"].runs_here()
    compiled.may_use_tiles.cache_clear()


def test_kernels_of_another_source_are_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_source", lambda: "another")
    kernels.available.cache_clear()
    assert kernels.available() is None
    kernels.available.cache_clear()


def test_the_message_of_a_failed_compiler_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho no such flag >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    monkeypatch.setattr(compiled, "HERE", tmp_path)
    assert os.access(broken, os.X_OK)
    assert compiled.compile_all() == []
    assert "no such flag" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("quota", "taken"),
    [
        ("100000 100000", 1),
        ("150000 100000", 1),
        ("50000 100000", 1),
        ("200000 100000", 2),
        ("6400000 100000", 4),
        ("max 100000", 4),
        ("noise", 4),
        (None, 4),
    ],
)
def test_a_container_has_as_many_cores_as_its_quota_is_worth(
    quota: str | None, taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if quota is not None:
        (tmp_path / "cpu.max").write_text(f"{quota}\n", "ascii")
    monkeypatch.setattr("heed.models.cores.QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert cores() == taken


@pytest.mark.parametrize(("there", "taken"), [(1, 1), (2, 2), (3, 2), (8, 7)])
def test_a_model_takes_all_cores_but_one_and_both_of_two(
    there: int, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.models.cores.cores", lambda: there)
    assert spare_cores() == taken


STRUCTURES = ctypes.Structure.__subclasses__()


@pytest.mark.parametrize(
    "structure",
    [each for each in STRUCTURES if each.__module__ == kernels.__name__],
    ids=lambda structure: structure.__name__,
)
def test_a_structure_refuses_a_field_that_it_does_not_have(
    structure: type[ctypes.Structure],
) -> None:
    with pytest.raises(AttributeError):
        structure(unheard=1)
    with pytest.raises(AttributeError):
        structure().unheard = 1
