"""The maps of several heads hold every intermediate result of a head."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from heed.models.catalogue import Catalogue
from heed.models.checkpoint import load_network
from heed.models.generation.translator import TextRequest, Translator
from heed.models.networks.transformer import Transformer
from heed.models.trace import AttentionMap, HeadVectors, SearchRequest, Trace

HEADS = ["tiny-heads", "tiny-transformer"]


@pytest.fixture(scope="module", params=HEADS)
def translator(request: pytest.FixtureRequest, tiny_models: Path) -> Translator:
    return Catalogue(tiny_models).load(request.param)


def crossing(trace: Trace) -> list[tuple[AttentionMap, HeadVectors]]:
    maps = [each for each in trace.output.maps if each.kind == "cross"]
    return [(each, each.vectors) for each in maps if each.vectors]


def one(translator: Translator, text: str = "may 3") -> Trace:
    return translator.run([TextRequest(text)])[0]


def test_every_head_of_cross_attention_has_vectors(translator: Translator) -> None:
    trace = one(translator)
    card = translator.card
    assert len(crossing(trace)) == card.heads * card.layers
    for made in (each for each in trace.output.maps if each.kind != "cross"):
        assert made.vectors is None


@pytest.mark.parametrize("model", ["tiny", "tiny-none", "tiny-lstm"])
def test_one_head_with_nothing_projected_has_no_vectors_of_its_own(
    tiny_models: Path, model: str
) -> None:
    assert crossing(one(Catalogue(tiny_models).load(model))) == []


def test_a_score_is_query_times_key_over_the_root_of_the_width(translator: Translator) -> None:
    for made, vectors in crossing(one(translator)):
        width = vectors.queries.shape[1]
        for i, q in enumerate(vectors.queries):
            for j, k in enumerate(vectors.keys):
                dot = sum(float(a) * float(b) for a, b in zip(q, k, strict=True))
                assert made.scores[i, j] == pytest.approx(dot / math.sqrt(width), abs=1e-5)


def test_the_sums_of_all_heads_joined_and_projected_are_the_context(tiny_models: Path) -> None:
    network = load_network(tiny_models / "tiny-transformer")
    assert isinstance(network, Transformer)
    output = network.decoder[-1].cross.output
    trace = one(Catalogue(tiny_models).load("tiny-transformer"))
    last = [pair for pair in crossing(trace) if pair[0].layer == len(network.decoder) - 1]
    for i, step in enumerate(trace.output.steps):
        joined: list[float] = []
        for made, vectors in last:  # head by head, one beside the other
            total = np.zeros(vectors.values.shape[1])
            for j, value in enumerate(vectors.values):
                total += made.weights[i, j] * value
            joined += total.tolist()
        weight, bias = output.weight.detach().numpy(), output.bias.detach().numpy()
        by_hand = [sum(w * x for w, x in zip(row, joined, strict=True)) for row in weight] + bias
        np.testing.assert_allclose(step.context, by_hand, atol=1e-5)


def told_whole(model: Translator, text: str = "may 3") -> Trace:
    return model.run([TextRequest(text, vectors="all")])[0]


def sums(made: AttentionMap, vectors: HeadVectors) -> np.ndarray:
    """The output of a head, summed value by value."""
    total = np.zeros((len(made.weights), vectors.values.shape[1]))
    for i, row in enumerate(made.weights):
        for weight, value in zip(row, vectors.values, strict=True):
            total[i] += weight * value
    return total


def test_heads_of_self_attention_have_vectors_on_request(tiny_models: Path) -> None:
    trace = told_whole(Catalogue(tiny_models).load("tiny-transformer"))
    assert {each.kind for each in trace.output.maps} == {"cross", "encoder-self", "decoder-self"}
    assert trace.request.vectors == "all"
    for made in trace.output.maps:
        assert made.vectors is not None
        scores = made.vectors.queries @ made.vectors.keys.T / math.sqrt(4)
        looked = np.isfinite(made.scores)
        np.testing.assert_allclose(made.scores[looked], scores[looked], atol=1e-5)
        if made.kind == "decoder-self":
            assert (looked == np.tri(len(looked), dtype=bool)).all()


@torch.inference_mode()
def test_the_memory_follows_from_the_outputs_of_the_encoder_heads(tiny_models: Path) -> None:
    network = load_network(tiny_models / "tiny-transformer")
    assert isinstance(network, Transformer)
    trace = told_whole(Catalogue(tiny_models).load("tiny-transformer"))
    tokens = torch.tensor([[token.id for token in trace.source.tokens]])  # type: ignore[union-attr]
    states = network.eval().embed(tokens, 0)[0]
    for place, layer in enumerate(network.encoder):
        heads = [
            sums(each, each.vectors)
            for each in trace.output.maps
            if each.kind == "encoder-self" and each.layer == place and each.vectors
        ]
        joined = torch.tensor(np.concatenate(heads, axis=1), dtype=torch.float32)
        between = states + layer.attention.output(joined)
        states = between + layer.feedforward(layer.norms[1](between))
    np.testing.assert_allclose(network.norms[0](states), trace.memory, atol=1e-5)


def test_vectors_depend_on_the_request_not_on_the_batch(tiny_models: Path) -> None:
    model = Catalogue(tiny_models).load("tiny-transformer")
    whole, plain = model.run([TextRequest("may 3", vectors="all"), TextRequest("a longer text")])
    assert all(each.vectors for each in whole.output.maps)
    assert [each.kind for each in plain.output.maps if each.vectors] == ["cross"] * 4


def test_each_hypothesis_has_keys_of_what_it_has_written_itself(tiny_models: Path) -> None:
    model = Catalogue(tiny_models).load("tiny-transformer")
    (trace,) = model.run(
        [TextRequest("may 3", search=SearchRequest("beam", beam=3), vectors="all")]
    )
    for output in (trace.output, *trace.runners_up):
        own = [each for each in output.maps if each.kind == "decoder-self"]
        for made in own:
            assert made.vectors is not None
            assert len(made.vectors.keys) == len(output.target)
            scores = made.vectors.queries @ made.vectors.keys.T / math.sqrt(4)
            looked = np.isfinite(made.scores)
            np.testing.assert_allclose(made.scores[looked], scores[looked], atol=1e-5)


def test_in_company_the_vectors_are_those_of_a_text_alone(translator: Translator) -> None:
    texts = ["may 3", "a much longer line of text", "é"]
    for text, together in zip(
        texts, translator.run([TextRequest(text) for text in texts]), strict=True
    ):
        for (_, ours), (_, theirs) in zip(
            crossing(one(translator, text)), crossing(together), strict=True
        ):
            np.testing.assert_allclose(ours.queries, theirs.queries, atol=1e-5)
            np.testing.assert_allclose(ours.keys, theirs.keys, atol=1e-5)
            np.testing.assert_allclose(ours.values, theirs.values, atol=1e-5)


def test_each_hypothesis_has_its_own_queries_and_the_keys_of_all(translator: Translator) -> None:
    (trace,) = translator.run([TextRequest("may 3", search=SearchRequest("beam", beam=3))])
    for output in (trace.output, *trace.runners_up):
        for mine, ours in zip(output.maps, trace.output.maps, strict=True):
            if mine.vectors is None or ours.vectors is None:
                continue
            scores = mine.vectors.queries @ mine.vectors.keys.T
            width = mine.vectors.keys.shape[1]
            np.testing.assert_allclose(mine.scores, scores / math.sqrt(width), atol=1e-5)
            assert np.array_equal(mine.vectors.keys, ours.vectors.keys)


def test_no_attention_is_stored_on_the_network(tiny_models: Path) -> None:
    network = load_network(tiny_models / "tiny-transformer")
    before = {name: dict(vars(module)) for name, module in network.named_modules()}
    memory = network.encode(torch.tensor([[3, 4, 5]]), torch.tensor([3]))
    network.advance(torch.tensor([1]), network.start(memory))  # type: ignore[arg-type]
    assert {name: dict(vars(module)) for name, module in network.named_modules()} == before
