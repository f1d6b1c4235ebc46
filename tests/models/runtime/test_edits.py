"""Runtimes edit rows as the interpreter does: kernels and modules, alone and in any batch."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heed.models.catalogue import Catalogue
from heed.models.config import NetworkConfig, TransformerConfig
from heed.models.edits.operations import (
    Block,
    Edit,
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
from heed.models.generation.translator import TextRequest
from heed.models.runtime.native.edits import RowTable
from heed.models.runtime.native.kernels import address, available
from heed.models.trace import SearchRequest
from tests.models.tiny import NETWORK, write_tiny

VECTORS = Path(__file__).parents[1] / "edits" / "vectors.json"
CASES = json.loads(VECTORS.read_text())["rows"]
CLOSE = 1e-5
TEXT = "14 july"
FAMILIES: dict[str, NetworkConfig] = {
    "before": replace(NETWORK, query_feeding=True, end_hidden=True),
    "after": replace(NETWORK, mechanism="scaled", order="after", input_feeding=True),
    "layers": TransformerConfig(
        vocabulary=259, width=8, heads=2, feedforward=12, encoder_layers=2, decoder_layers=3
    ),
}
Pair = tuple[GenerationPipeline[Any], GenerationPipeline[Any]]


@pytest.fixture(scope="module", params=FAMILIES)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A network on the kernels, and the same on PyTorch."""
    root = tmp_path_factory.mktemp("edited")
    write_tiny(root / "model", FAMILIES[request.param])
    kernels, modules = (Catalogue(root, runtime=name) for name in ("native", "torch"))
    return kernels.load("model"), modules.load("model")  # type: ignore[return-value]


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
def test_kernels_and_modules_agree_under_any_edits(pair: Pair, data: st.DataObject) -> None:
    kernels, modules = pair
    groups = (*kernels.runtime.step_groups, *kernels.runtime.encode_groups)
    kinds = tuple(sorted({group.kind for group in groups}))
    edits = tuple(data.draw(st.lists(some_edits(kinds), min_size=1, max_size=4)))
    target = "1789"  # forced, since untrained networks have ties
    request = TextRequest(TEXT, target, edits=edits)
    try:
        kernels.prepare(request)
    except InputError:  # two edits together may leave a row without a key
        return
    [ours], [theirs] = kernels.run([request]), modules.run([request])
    assert ours.request == theirs.request
    for one, other in zip(ours.output.maps, theirs.output.maps, strict=True):
        assert one.weights == pytest.approx(other.weights, abs=CLOSE)
        total = one.weights.sum(axis=-1) + (0 if one.sinks is None else one.sinks)
        assert total == pytest.approx(1, abs=CLOSE)
    assert (ours.baseline is None) == (theirs.baseline is None)
    if ours.baseline and theirs.baseline:
        for change, wanted in zip(ours.baseline.changes, theirs.baseline.changes, strict=True):
            assert change == pytest.approx(wanted, abs=1e-4)


EDITED = TextRequest(TEXT, edits=(SetWeight(0.7, keys=1), Block(keys=2, queries=range(1, 8))))


@pytest.mark.parametrize("search", [SearchRequest("beam", beam=3), SearchRequest("sample", seed=4)])
def test_edited_and_unedited_requests_of_a_batch_do_not_touch_each_other(
    pair: Pair, search: SearchRequest
) -> None:
    pipeline = pair[0]
    plain = TextRequest("may the 3rd", by_tiles=False)
    requests = [plain, EDITED, replace(EDITED, search=search), replace(plain, search=search)]
    together = pipeline.run(requests)
    for request, trace in zip(requests, together, strict=True):
        [alone] = pipeline.run([request])
        assert alone.text == trace.text
        for one, other in zip(alone.output.maps, trace.output.maps, strict=True):
            assert np.array_equal(one.weights, other.weights)
        if alone.baseline and trace.baseline:
            assert alone.baseline.changes == trace.baseline.changes
            assert alone.baseline.output.text == trace.baseline.output.text


def test_edits_that_change_nothing_are_no_edits(pair: Pair) -> None:
    idle = (Scale(1, keys=0), Temperature(1), Block(keys=()), Uniform(queries=()))
    [plain], [same] = (pair[0].run([TextRequest(TEXT, edits=edits)]) for edits in ((), idle))
    assert same.request == plain.request
    assert same.baseline is None
    assert same.output.log_probability == plain.output.log_probability
    for one, other in zip(plain.output.maps, same.output.maps, strict=True):
        assert np.array_equal(one.weights, other.weights)


def test_scores_are_those_before_the_edits(pair: Pair) -> None:
    edits = (SetWeight(0.7, kind="cross", keys=1, queries=0),)
    [trace] = pair[0].run([TextRequest(TEXT, edits=edits)])
    assert trace.baseline is not None
    for attention, before in zip(trace.output.maps, trace.baseline.output.maps, strict=True):
        if (attention.kind, attention.layer) == ("cross", 0):
            assert attention.scores[0] == pytest.approx(before.scores[0], abs=1e-5)
            assert attention.weights[0, 1] == pytest.approx(0.7, abs=1e-6)
            assert not math.isclose(before.weights[0, 1], 0.7, abs_tol=1e-3)
