"""All runtimes give the same results: graphs and kernels against the PyTorch modules."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from heed.models.catalogue import Catalogue
from heed.models.checkpoint import WEIGHTS
from heed.models.config import NetworkConfig, TransformerConfig
from heed.models.errors import CheckpointError
from heed.models.generation.picture_pipeline import PictureRequest
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.translator import TextRequest
from heed.models.pictures.decode import decode_picture
from heed.models.runtime.onnx.graph_signature import ENCODE, IMAGE_ENCODER, OWN, STEP
from heed.models.trace import AttentionMap, SearchRequest, Trace
from tests.models.drawn import quarters, saved
from tests.models.tiny import NETWORK, borrow, write_tiny, write_tiny_captioners

CLOSE = 1e-5
SHIPPED = Catalogue()
GRAPHS, MODULES = Catalogue(runtime="onnx"), Catalogue(runtime="torch")
KERNELS = Catalogue(runtime="native")
PHOTOS = Path("static/samples")
WRITERS = [card for card in SHIPPED.cards.values() if card.exportable]
TEXTS = [card.id for card in WRITERS if not card.reads_pictures]
IMAGE_MODELS = [card.id for card in WRITERS if card.reads_pictures]
SEARCHES = [
    SearchRequest(),
    SearchRequest("beam", beam=3),
    SearchRequest("sample", seed=8, temperature=0.7),
]
FAMILIES: dict[str, NetworkConfig] = {
    "plain": NETWORK,
    "none": replace(NETWORK, mechanism="none", order="fixed"),
    "lstm": replace(NETWORK, cell="lstm", tied=True, encoder_layers=2, decoder_layers=2),
    "fed": replace(NETWORK, mechanism="multihead", heads=2, order="after", input_feeding=True),
    "hidden": replace(NETWORK, query_feeding=True, end_hidden=True),
    "scaled": replace(NETWORK, mechanism="scaled", order="after"),
    "layers": TransformerConfig(
        vocabulary=259, width=8, heads=2, feedforward=12, encoder_layers=2, decoder_layers=3
    ),
}


def near(ours: Any, theirs: Any, at_least: float = CLOSE, share: float = 0.0) -> bool:
    """Return whether arrays differ by no more than this; `pytest.approx` takes number by number."""
    return bool((np.abs(ours - theirs) <= np.maximum(at_least, share * np.abs(theirs))).all())


def close(ours: AttentionMap, theirs: AttentionMap) -> None:
    assert near(ours.weights, theirs.weights)
    finite = np.isfinite(theirs.scores)
    assert (np.isfinite(ours.scores) == finite).all()
    assert near(ours.scores[finite], theirs.scores[finite], 2e-3, 1e-3)
    assert (ours.vectors is None) == (theirs.vectors is None)
    if ours.vectors is None or theirs.vectors is None:
        return
    for name in ("queries", "keys", "values"):
        one, other = (getattr(vectors, name) for vectors in (ours.vectors, theirs.vectors))
        assert near(one, other), (ours.kind, name)


def same(ours: Trace, theirs: Trace) -> None:
    """Word for word, and number for number as far as 32 bits go."""
    assert ours.source == theirs.source
    assert [output.target for output in (ours.output, *ours.runners_up)] == [
        output.target for output in (theirs.output, *theirs.runners_up)
    ]
    for one, other in zip(ours.output.maps, theirs.output.maps, strict=True):
        close(one, other)
    for one_step, step in zip(ours.output.steps, theirs.output.steps, strict=True):
        assert one_step.log_probability == pytest.approx(step.log_probability, abs=1e-4)
        assert near(one_step.context, step.context, 1e-4)
        assert one_step.drawn == step.drawn or (one_step.drawn and step.drawn)
        assert [each.id for each in one_step.alternatives[:1]] == [
            each.id for each in step.alternatives[:1]
        ]


def compare(
    theirs: GenerationPipeline, requests: Sequence[Any], *others: GenerationPipeline
) -> None:
    """Together, and the first alone: what was traced with two must not have kept the two."""
    for batch in (requests, requests[:1]):
        expected = theirs.run(batch)
        for ours in others:
            for one, other in zip(ours.run(batch), expected, strict=True):
                same(one, other)


@pytest.mark.parametrize("model", TEXTS)
def test_a_shipped_text_model_gives_the_same_trace_in_every_runtime(model: str) -> None:
    theirs = MODULES.load(model)
    examples = theirs.card.examples
    requests = [TextRequest(text) for text in examples]
    requests += [
        TextRequest(text, search=search, vectors="all")
        for text, search in zip(examples, SEARCHES, strict=False)
    ]
    requests.append(
        TextRequest(
            examples[0], target=theirs.run([TextRequest(examples[1])])[0].output.target.text
        )
    )
    compare(theirs, requests, GRAPHS.load(model), KERNELS.load(model))


@pytest.mark.parametrize("zoo", [GRAPHS, KERNELS], ids=["graphs", "kernels"])
@pytest.mark.parametrize("model", IMAGE_MODELS)
def test_a_shipped_image_model_gives_the_same_trace_in_every_runtime(
    model: str, zoo: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = zoo.load(model), MODULES.load(model)
    # From the same features on: the image encoders are compared by themselves, below.
    monkeypatch.setattr(theirs.runtime, "features", ours.runtime.features)
    question = "What colour is it?" if ours.card.task == "ask" else None
    pictures = [decode_picture((PHOTOS / name).read_bytes()) for name in ("sheep.jpg", "car.jpg")]
    requests = [
        PictureRequest(picture, question, search=search, vectors="all")
        for picture, search in zip(pictures, SEARCHES, strict=False)
    ]
    compare(theirs, requests, ours)


def test_the_shipped_image_encoder_is_the_same_as_a_graph() -> None:
    ours, theirs = (zoo.load(IMAGE_MODELS[0]).runtime.features for zoo in (GRAPHS, MODULES))
    for name in ("sheep.jpg", "car.jpg"):
        pixels = decode_picture((PHOTOS / name).read_bytes()).pixels
        assert ours._encode(pixels) == pytest.approx(theirs._encode(pixels), abs=1e-3)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_of_text_models_can_be_exported(family: str, tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES[family])
    ours, theirs = exported(tmp_path, "model")
    requests = [
        TextRequest("m"),
        TextRequest("14 july 1789", vectors="all"),
        TextRequest("may the 3rd", search=SEARCHES[1], vectors="all"),
    ]
    compare(theirs, requests, ours)


def test_graphs_without_vectors_of_the_encoder_run_without_them(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES["layers"])
    exported(tmp_path, "model")
    path = tmp_path / "model" / ENCODE
    graph = onnx.load(path, load_external_data=False)
    kept = [each for each in graph.graph.output if not each.name.startswith(OWN)]
    del graph.graph.output[:]
    graph.graph.output.extend(kept)
    path.write_bytes(graph.SerializeToString())
    model = Catalogue(tmp_path, runtime="onnx").load("model")
    (trace,) = model.run([TextRequest("14 july 1789", vectors="all")])
    recorded = {each.kind: each.vectors is not None for each in trace.output.maps}
    assert recorded == {"cross": True, "decoder-self": True, "encoder-self": False}


@pytest.mark.parametrize("model", ["caption-soft", "caption-hard", "caption-heads", "ask"])
def test_every_family_of_picture_models_can_be_exported(model: str, tmp_path: Path) -> None:
    write_tiny_captioners(tmp_path)
    ours, theirs = exported(tmp_path, model)
    question = "what is it" if model == "ask" else None
    wide, tall = (decode_picture(saved(quarters(*size), "PNG")) for size in ((90, 30), (40, 80)))
    requests = [
        PictureRequest(wide, question, vectors="all"),
        PictureRequest(tall, question, search=SEARCHES[2]),
    ]
    compare(theirs, requests, ours)
    if model == "caption-hard":
        ours_map, theirs_map = (
            writer.run([PictureRequest(wide, draws=12)])[0].output.maps[-1]
            for writer in (ours, theirs)
        )
        assert ours_map.weights == pytest.approx(theirs_map.weights)


def exported(root: Path, model: str) -> tuple[GenerationPipeline, GenerationPipeline]:
    """A model as graphs and as modules, the graphs just written."""
    written = Catalogue(root).export(model)
    assert all(path.exists() for path in written)
    return Catalogue(root, runtime="onnx").load(model), Catalogue(root, runtime="torch").load(model)


def test_graphs_hold_no_weights_of_their_own() -> None:
    for card in SHIPPED.cards.values():
        if not card.exportable:
            continue
        folder = Path("models/weights") / card.id
        graphs = [folder / ENCODE, folder / STEP]
        assert sum(path.stat().st_size for path in graphs) < 0.25e6, card.id
    assert (Path("models/weights/image-encoder") / IMAGE_ENCODER).stat().st_size < 0.25e6


def test_a_model_without_graphs_runs_as_modules(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model")
    (trace,) = Catalogue(tmp_path).load("model").run([TextRequest("may")])
    assert trace.output.steps
    with pytest.raises(CheckpointError):
        Catalogue(tmp_path, runtime="onnx").load("model")


def test_graphs_receive_the_tensors_of_a_sibling(tmp_path: Path) -> None:
    write_tiny(tmp_path / "keeper")
    borrow(write_tiny(tmp_path / "borrower"), "keeper", "embedding.weight")
    zoo, plain = Catalogue(tmp_path), Catalogue(tmp_path, runtime="torch")
    card, keeper = zoo.cards["borrower"], zoo.cards["keeper"]
    size = (tmp_path / "borrower" / WEIGHTS).stat().st_size
    assert card.bytes == size + 2 * NETWORK.vocabulary * NETWORK.embedding
    assert keeper.bytes > size
    zoo.export("borrower")
    requests = [TextRequest("3 may 2001"), TextRequest("may")]
    made, wanted = (each.load("borrower").run(requests) for each in (zoo, plain))
    for one, other in zip(made, wanted, strict=True):
        assert one.output.target == other.output.target
        for mine, theirs in zip(one.output.maps, other.output.maps, strict=True):
            np.testing.assert_allclose(mine.weights, theirs.weights, atol=1e-5)
    write_tiny(tmp_path / "keeper", replace(NETWORK, embedding=7))
    assert Catalogue(tmp_path).cards["borrower"].weights != card.weights
    with pytest.raises(CheckpointError):
        Catalogue(tmp_path).load("borrower")


def test_a_broken_graph_is_an_error(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model")
    (tmp_path / "model" / STEP).write_bytes(b"no graph")
    with pytest.raises(CheckpointError, match=r"step\.onnx|encode\.onnx"):
        Catalogue(tmp_path, runtime="onnx").load("model")


def test_graphs_of_truncated_weights_are_an_error(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model")
    Catalogue(tmp_path).export("model")
    weights = tmp_path / "model" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-400])
    with pytest.raises(CheckpointError):
        Catalogue(tmp_path, runtime="onnx").load("model")


def test_graphs_of_other_weights_are_not_run(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model")
    Catalogue(tmp_path).export("model")
    write_tiny(tmp_path / "model", replace(NETWORK, attention_width=7))
    with pytest.raises(CheckpointError, match=r"written for other weights|cannot be read"):
        Catalogue(tmp_path, runtime="onnx").load("model")


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads, and forks")
def test_a_forked_process_runs_the_models_that_may_be_forked() -> None:
    code = (
        "import os\n"
        "from heed.models.generation.translator import TextRequest\n"
        "from heed.models.catalogue import Catalogue\n"
        "zoo = Catalogue()\n"
        "models = list(filter(zoo.may_be_forked, zoo.cards))\n"
        "[zoo.load(model) for model in models]\n"
        "print(models, len(os.listdir('/proc/self/task')), flush=True)\n"
        "if not os.fork():\n"
        "    (trace,) = zoo.load('dates-additive').run([TextRequest('3 may 2001')])\n"
        "    print(trace.output.text)\n"
        "else:\n"
        "    os.wait()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    models = [model for model in SHIPPED.cards if SHIPPED.may_be_forked(model)]
    assert {"dates-additive", "caption-soft", "memory"} <= set(models)
    assert ran.stdout.splitlines() == [f"{models} 1", "2001-05-03"]
    assert not any(zoo.may_be_forked("dates-additive") for zoo in (GRAPHS, MODULES))
    assert MODULES.may_be_forked("memory")
