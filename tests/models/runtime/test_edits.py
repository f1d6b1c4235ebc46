"""Runtimes edit rows as the interpreter does: kernels and modules, alone and in any batch."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.config import NetworkConfig, TransformerConfig
from heed.models.edits.operations import (
    Block,
    Edit,
    Gate,
    Only,
    Permute,
    Row,
    Scale,
    SetWeight,
    Silence,
    Temperature,
    Uniform,
)
from heed.models.edits.rows import RowEdit
from heed.models.errors import InputError
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.requests import PictureRequest, TextRequest
from heed.models.pictures.decode import decode_picture
from heed.models.runtime.choice import RuntimeName
from heed.models.runtime.native.edits import RowTable
from heed.models.runtime.native.kernels import address, available
from heed.models.runtime.onnx.export import export_image_encoder, export_model
from heed.models.runtime.onnx.graph_signature import GIVEN, METADATA, STEP, GraphSignature
from heed.models.trace import SearchRequest, Timing
from heed.output.encoding import encoded
from heed.output.serialize import trace_out
from tests.models.drawn import quarters, saved
from tests.models.tiny import NETWORK, write_tiny, write_tiny_captioners

VECTORS = Path(__file__).parents[1] / "edits" / "vectors.json"
CASES = json.loads(VECTORS.read_text())["rows"]
CLOSE = 1e-5
RUNTIMES: tuple[RuntimeName, ...] = ("native", "onnx", "torch")
TEXT = "14 july"
PICTURE = decode_picture(saved(quarters(), "PNG"))
FAMILIES: dict[str, NetworkConfig] = {
    "before": replace(NETWORK, query_feeding=True, end_hidden=True),
    "after": replace(NETWORK, mechanism="scaled", order="after", input_feeding=True),
    "layers": TransformerConfig(
        vocabulary=259, width=8, heads=2, feedforward=12, encoder_layers=2, decoder_layers=3
    ),
}
Alike = tuple[GenerationPipeline[Any], ...]


@pytest.fixture(scope="module", params=FAMILIES)
def alike(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Alike:
    """A network on the kernels, the same as graphs, and the same on PyTorch."""
    root = tmp_path_factory.mktemp("edited")
    write_tiny(root / "model", FAMILIES[request.param])
    export_model(root / "model")
    return tuple(Catalogue(root, runtime=name).load("model") for name in RUNTIMES)  # type: ignore[misc]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_kernels_have_the_vectors_that_all_runtimes_share(case: dict[str, Any]) -> None:
    # Masked keys lie behind the row of a kernel.
    order = sorted(range(len(case["scores"])), key=lambda key: case["scores"][key] is None)
    seen = [key for key in order if case["scores"][key] is not None]
    edits = [_moved(edit, order) for edit in case["edits"]]
    table = RowTable((1,))
    table.put((0,), edits)
    scores = np.array([case["scores"][key] for key in seen], np.float32)
    weights = np.empty(len(seen), np.float32)
    kernel = available()
    assert kernel is not None
    kernel.heed_edit_row(table.address, address(scores), address(weights), len(seen))
    if edits:  # else a kernel takes its usual softmax
        assert weights == pytest.approx([case["weights"][key] for key in seen], abs=1e-6)


def _moved(case: dict[str, Any], order: list[int]) -> RowEdit:
    keys = [order.index(key) for key in case.get("keys", ())]
    given = case.get("weights", ())
    weights = [given[key] for key in order] if given else []
    return RowEdit(case["op"], np.array(keys, np.int32), case.get("number", 0.0), np.array(weights))


@st.composite
def some_edits(draw: st.DrawFn, kinds: tuple[str, ...]) -> Edit:
    """An edit of any rows that leaves each of them a key."""
    places = st.one_of(st.none(), st.just(0), st.just((0,)), st.just("all"))
    kind: Any = draw(st.sampled_from(kinds))
    own = kind == "decoder-self"
    queries = draw(st.one_of(st.none(), st.integers(0, 6), st.just(range(1, 4))))
    scope: Any = {"kind": kind, "heads": draw(places), "layers": draw(places), "queries": queries}
    keys = st.integers(1, 5) if own else st.sampled_from([0, 1, (2, 3), range(1, 4)])
    some: Any = scope | {"keys": draw(keys)}
    weight = draw(st.floats(0.01, 0.99))
    makers = [
        lambda: Scale(draw(st.floats(0.05, 20)), **some),
        lambda: SetWeight(weight, **some),
        lambda: Temperature(draw(st.floats(0.2, 5)), **scope),
        lambda: Uniform(**scope),
        lambda: Permute(draw(st.integers(0, 2**32 - 1)), **scope),
        lambda: Silence(**some),
    ]
    if not own:
        makers += [
            lambda: Block(**some),
            lambda: Only(**some),
            lambda: Row(tuple(draw(st.lists(st.floats(0.1, 1), min_size=8, max_size=8))), **scope),
        ]
    return draw(st.sampled_from(makers))()  # type: ignore[no-any-return]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_kernels_graphs_and_modules_agree_under_any_edits(
    alike: Alike, data: st.DataObject
) -> None:
    kernels, graphs, modules = alike
    groups = (*kernels.runtime.step_groups, *kernels.runtime.encode_groups)
    kinds = tuple(sorted({group.kind for group in groups}))
    edits = tuple(data.draw(st.lists(some_edits(kinds), min_size=1, max_size=4)))
    target = "1789"  # forced, since untrained networks have ties
    request = TextRequest(TEXT, target, edits=edits)
    try:
        kernels.prepare(request)
    except InputError:  # two edits together may leave a row without a key
        return
    [theirs] = modules.run([request])
    for pipeline in (kernels, graphs):
        [ours] = pipeline.run([request])
        assert ours.request == theirs.request
        for one, other in zip(ours.output.maps, theirs.output.maps, strict=True):
            assert one.weights == pytest.approx(other.weights, abs=CLOSE)
            total = one.weights.sum(axis=-1) + (0 if one.sinks is None else one.sinks)
            assert total == pytest.approx(1, abs=CLOSE)
        assert (ours.baseline is None) == (theirs.baseline is None)
        if ours.baseline and theirs.baseline:
            for change, wanted in zip(ours.baseline.changes, theirs.baseline.changes, strict=True):
                assert change == pytest.approx(wanted, abs=1e-4)


@pytest.fixture(scope="module")
def seeing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Alike]:
    """Captioners on every runtime that has them, with the features of the kernels."""
    root = write_tiny_captioners(tmp_path_factory.mktemp("seeing"))
    export_image_encoder(root / "image-encoder")
    catalogues = [Catalogue(root, runtime=name) for name in RUNTIMES]
    models: dict[str, Any] = {}
    for name in ("caption-soft", "caption-hard", "caption-heads", "ask"):
        export_model(root / name)
        models[name] = tuple(catalogue.load(name) for catalogue in catalogues)
        for pipeline in models[name][1:]:
            pipeline.runtime.features = models[name][0].runtime.features
    return models


PICTURE_EDITS: list[tuple[Edit, ...]] = [
    (Block(box=(0, 0, 20, 40)), SetWeight(0.6, keys=range(100, 120), queries=1)),
    (Silence(keys="all", queries=range(1, 4)), Temperature(2)),
    (Permute(11), Only(keys=range(50, 90)), Silence(keys=range(60, 80))),
    (Row(tuple(range(196))), Scale(3, keys=(195, 7))),
]


@pytest.mark.parametrize("edits", PICTURE_EDITS, ids=lambda edits: edits[0].op)
@pytest.mark.parametrize("name", ["caption-soft", "caption-hard", "caption-heads", "ask"])
def test_captioners_agree_under_edits(
    seeing: dict[str, Alike], name: str, edits: tuple[Edit, ...]
) -> None:
    gate = (Gate(0.25, queries=2),) if name in ("caption-soft", "caption-hard") else ()
    question = "may?" if name == "ask" else None
    more = (Temperature(3, axis="question"), SetWeight(0.4, axis="question", keys=1))
    request = PictureRequest(
        PICTURE, question, target="may", edits=(*edits, *gate, *(more if question else ()))
    )
    *others, reference = seeing[name]
    [theirs] = reference.run([request])
    assert theirs.baseline
    for pipeline in others:
        [ours] = pipeline.run([request])
        for one, other in zip(ours.output.maps, theirs.output.maps, strict=True):
            assert one.weights == pytest.approx(other.weights, abs=CLOSE)
        for step, wanted in zip(ours.output.steps, theirs.output.steps, strict=True):
            assert step.log_probability == pytest.approx(wanted.log_probability, abs=1e-4)
            assert (step.drawn and step.drawn.cell) == (wanted.drawn and wanted.drawn.cell)
            if step.drawn and wanted.drawn:
                assert step.drawn.log_probability == pytest.approx(
                    wanted.drawn.log_probability, abs=1e-4
                )
        if gate:
            assert ours.output.steps[2].gate == theirs.output.steps[2].gate == 0.25
            assert ours.output.steps[1].gate != 0.25
        assert ours.baseline
        for change, expected in zip(ours.baseline.changes, theirs.baseline.changes, strict=True):
            assert change == pytest.approx(expected, abs=1e-4)


def test_what_hard_attention_draws_of_silenced_cells_counts_nothing(
    seeing: dict[str, Alike],
) -> None:
    request = PictureRequest(PICTURE, target="may", edits=(Silence(keys="all"),))
    for pipeline in seeing["caption-hard"]:
        [trace] = pipeline.run([request])
        for step in trace.output.steps:
            assert not step.context.any()
            assert step.drawn
            assert math.isfinite(step.drawn.log_probability)
        assert trace.output.maps[0].sinks == pytest.approx(1)


def test_both_maps_of_a_model_that_answers_questions_are_told_apart(
    seeing: dict[str, Alike],
) -> None:
    edits = (Only(axis="question", keys=1), Only(axis="source", keys=5, queries=0))
    request = PictureRequest(PICTURE, "may?", target="may", edits=edits)
    for pipeline in seeing["ask"]:
        [trace] = pipeline.run([request])
        of_cells, of_question = trace.output.maps
        assert (of_question.weights[:, 1] == 1).all()
        assert of_cells.weights[0, 5] == 1
        assert of_cells.weights[1, 5] < 1


EDITED = TextRequest(TEXT, edits=(SetWeight(0.7, keys=1), Block(keys=2, queries=range(1, 8))))


@pytest.mark.parametrize("runtime", [0, 1], ids=RUNTIMES[:2])
@pytest.mark.parametrize("search", [SearchRequest("beam", beam=3), SearchRequest("sample", seed=4)])
def test_edited_and_unedited_requests_of_a_batch_do_not_touch_each_other(
    alike: Alike, search: SearchRequest, runtime: int
) -> None:
    pipeline, close = alike[runtime], (0, 1e-6)[runtime]  # no bit of kernels depends on the batch
    plain = TextRequest("may the 3rd", by_tiles=False)
    requests = [plain, EDITED, replace(EDITED, search=search), replace(plain, search=search)]
    together = pipeline.run(requests)
    for request, trace in zip(requests, together, strict=True):
        [alone] = pipeline.run([request])
        assert alone.text == trace.text
        for one, other in zip(alone.output.maps, trace.output.maps, strict=True):
            assert one.weights == pytest.approx(other.weights, rel=0, abs=close)
        if alone.baseline and trace.baseline:
            for change, again in zip(alone.baseline.changes, trace.baseline.changes, strict=True):
                assert change == pytest.approx(again, rel=0, abs=10 * close)
            assert alone.baseline.output.text == trace.baseline.output.text


def test_a_drag_takes_the_steps_before_its_edit_once(
    alike: Alike, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels, calls = alike[0], Counter[str]()
    runtime, first = kernels.runtime, 3
    for name in ("encode", "step"):
        monkeypatch.setattr(runtime, name, counted(calls, name, getattr(runtime, name)))
    requests = [
        TextRequest(
            TEXT,
            edits=(SetWeight(weight, kind="cross", keys=1, queries=first),),
            continue_from=first,
            vectors=vectors,
        )
        for weight, vectors in ((0.2, "cross"), (0.9, "cross"), (0.9, "all"), (0.9, "cross"))
    ]
    traces, counts = [], []
    for request in requests:
        calls.clear()
        traces += kernels.run([request])
        counts.append(dict(calls))
    steps = counts[0]["step"]
    assert counts[1] == {"step": steps - first}
    assert counts[2:] == [{"encode": 1, "step": steps}] * 2
    for trace, request in zip(traces, requests, strict=True):
        kernels.kept.clear()
        [alone] = kernels.run([request])
        same, fresh = (
            trace_out(replace(each, timing=Timing(0, 0)), "full") for each in (trace, alone)
        )
        assert encoded(same) == encoded(fresh)


def test_one_text_of_all_models_is_kept(alike: Alike) -> None:
    request = TextRequest(TEXT, edits=(SetWeight(0.5, kind="cross", keys=1),))
    for pipeline in alike[:2]:
        pipeline.run([request])
    assert [len(pipeline.kept) for pipeline in alike[:2]] == [0, 1]


def counted(calls: Counter[str], name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """A function that also counts its calls."""

    def counting(*given: Any) -> Any:
        calls[name] += 1
        return call(*given)

    return counting


def test_edits_that_change_nothing_are_no_edits(alike: Alike) -> None:
    idle = (Scale(1, keys=0), Temperature(1), Block(keys=()), Uniform(queries=()))
    [plain], [same] = (alike[0].run([TextRequest(TEXT, edits=edits)]) for edits in ((), idle))
    assert same.request == plain.request
    assert same.baseline is None
    assert same.output.log_probability == plain.output.log_probability
    for one, other in zip(plain.output.maps, same.output.maps, strict=True):
        assert np.array_equal(one.weights, other.weights)


def test_scores_are_those_before_the_edits(alike: Alike) -> None:
    edits = (SetWeight(0.7, kind="cross", keys=1, queries=0),)
    [trace] = alike[0].run([TextRequest(TEXT, edits=edits)])
    assert trace.baseline is not None
    for attention, before in zip(trace.output.maps, trace.baseline.output.maps, strict=True):
        if (attention.kind, attention.layer) == ("cross", 0):
            assert attention.scores[0] == pytest.approx(before.scores[0], abs=1e-5)
            assert attention.weights[0, 1] == pytest.approx(0.7, abs=1e-6)
            assert not math.isclose(before.weights[0, 1], 0.7, abs_tol=1e-3)


def test_graphs_that_were_exported_before_take_no_edits(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", NETWORK)
    export_model(tmp_path / "model")
    path = tmp_path / "model" / STEP
    model = onnx.load(path, load_external_data=False)
    graph = model.graph
    nodes = [node for node in graph.node if node.op_type != "IsNaN" and "given_0" not in node.input]
    for node in nodes:
        if node.op_type == "Where" and "Softmax" in node.input[1]:
            node.CopyFrom(onnx.helper.make_node("Identity", node.input[1:2], node.output))
    del graph.node[:]
    graph.node.extend(nodes)
    inputs = [given for given in graph.input if given.name != "given_0"]
    del graph.input[:]
    graph.input.extend(inputs)
    path.write_bytes(model.SerializeToString())
    pipeline = Catalogue(tmp_path, runtime="onnx").load("model")
    assert pipeline.run([TextRequest(TEXT)])
    with pytest.raises(InputError, match="write it again with heed export") as caught:
        pipeline.prepare(EDITED)
    assert caught.value.code == "edits_not_supported"


@pytest.mark.parametrize(
    "path", sorted(DEFAULT_DIRECTORY.glob("*/step.onnx")), ids=lambda path: path.parent.name
)
def test_the_graphs_of_every_model_take_edits(path: Path) -> None:
    graph = onnx.load(path, load_external_data=False)
    text = {entry.key: entry.value for entry in graph.metadata_props}[METADATA]
    groups = GraphSignature.read(text).step_groups
    given = {entry.name for entry in graph.graph.input if entry.name.startswith(GIVEN)}
    assert given >= {f"{GIVEN}{place}" for place in range(len(groups))}
