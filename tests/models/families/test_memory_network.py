"""A memory network scores, weighs and reads its sentences as the formulas say, hop after hop."""

from __future__ import annotations

import pytest
import torch

from heed.models.families.memory.config import MemoryNetworkConfig
from heed.models.families.memory.network import Hops, MemoryNetwork
from heed.models.families.memory.stories import NOTHING

CONFIG = MemoryNetworkConfig(vocabulary=20, width=8, hops=3, sentences=4, words=5, answers=6)
STORY = torch.tensor(
    [
        [[NOTHING, 0, 0, 0, 0], [4, 5, 6, 0, 0], [7, 5, 8, 9, 0], [4, 5, 8, 0, 0]],
        [[NOTHING, 0, 0, 0, 0], [7, 5, 6, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
    ]
)
SENTENCES = torch.tensor([[True, True, True, True], [True, True, False, False]])
QUESTION = torch.tensor([[10, 11, 4, 0, 0], [10, 11, 7, 0, 0]])


@pytest.fixture
def model() -> MemoryNetwork:
    torch.manual_seed(3)
    network = MemoryNetwork(CONFIG).eval().requires_grad_(requires_grad=False)
    for value in network.parameters():
        value.add_(0.3 * torch.randn(value.shape))
    return network


@pytest.fixture
def hops(model: MemoryNetwork) -> Hops:
    return model(STORY, SENTENCES, QUESTION)


def test_every_hop_gives_scores_vectors_and_an_answer(hops: Hops) -> None:
    shapes = {name: tuple(value.shape) for name, value in hops._asdict().items()}
    assert shapes == {
        "scores": (2, 3, 4),
        "weights": (2, 3, 4),
        "queries": (2, 3, 8),
        "keys": (2, 3, 4, 8),
        "values": (2, 3, 4, 8),
        "contexts": (2, 3, 8),
        "states": (2, 3, 8),
        "logits": (2, 3, 6),
    }


def test_the_score_is_the_product_of_query_and_key(hops: Hops) -> None:
    scores = torch.einsum("bhd,bhsd->bhs", hops.queries, hops.keys)
    real = SENTENCES[:, None].expand_as(scores)
    torch.testing.assert_close(hops.scores[real], scores[real])


def test_padding_has_no_score_and_no_weight(hops: Hops) -> None:
    padding = ~SENTENCES[:, None].expand_as(hops.scores)
    assert hops.scores[padding].isneginf().all()
    assert hops.weights[padding].eq(0).all()


def test_the_weights_are_the_softmax_of_the_scores(hops: Hops) -> None:
    torch.testing.assert_close(hops.weights.sum(dim=-1), torch.ones(2, 3))
    torch.testing.assert_close(hops.weights, hops.scores.softmax(dim=-1))


def test_the_context_is_the_weighted_sum_of_the_values(hops: Hops) -> None:
    contexts = torch.einsum("bhs,bhsd->bhd", hops.weights, hops.values)
    torch.testing.assert_close(hops.contexts, contexts)


def test_the_next_query_is_the_mapped_query_and_the_context_half_of_it_rectified(
    model: MemoryNetwork, hops: Hops
) -> None:
    mapped = torch.einsum("bhd,hed->bhe", hops.queries, model.transitions) + hops.contexts
    torch.testing.assert_close(hops.states[..., ::2], mapped[..., ::2])
    torch.testing.assert_close(hops.states[..., 1::2], mapped[..., 1::2].relu())
    assert (mapped[..., 1::2] < 0).any()
    torch.testing.assert_close(hops.queries[:, 1:], hops.states[:, :-1])


def test_the_values_of_a_hop_are_the_keys_of_the_next(hops: Hops) -> None:
    torch.testing.assert_close(hops.values[:, :-1], hops.keys[:, 1:])


def test_a_sentence_is_encoded_as_in_the_paper(model: MemoryNetwork) -> None:
    words = [7, 5, 8, 9]
    encoded = torch.zeros(8)
    for j, word in enumerate(words, start=1):
        for k in range(1, 9):
            factor = (1 - j / 4) - (k / 8) * (1 - 2 * j / 4)
            encoded[k - 1] += factor * model.sentence_embeddings[word, 0, k - 1]
    got = model.encode(torch.tensor([[*words, 0]]), model.sentence_embeddings)[0, 0]
    torch.testing.assert_close(got, encoded)


def test_sentences_are_counted_from_the_newest_back(model: MemoryNetwork) -> None:
    long = torch.ones(1, 7, dtype=torch.bool)
    assert model.ages(SENTENCES)[0].tolist() == [4, 2, 1, 0]
    assert model.ages(SENTENCES)[1, :2].tolist() == [4, 0]
    assert model.ages(long)[0].tolist() == [4, 3, 3, 3, 2, 1, 0]


def test_a_story_is_answered_the_same_alone_and_in_company(
    model: MemoryNetwork, hops: Hops
) -> None:
    alone = model(STORY[1:, :2], SENTENCES[1:, :2], QUESTION[1:])
    torch.testing.assert_close(alone.logits[0], hops.logits[1])
    torch.testing.assert_close(alone.scores[0], hops.scores[1, :, :2])


def test_the_order_of_words_and_of_sentences_matters(model: MemoryNetwork, hops: Hops) -> None:
    turned = model(STORY[:1].flip(2), SENTENCES[:1], QUESTION[:1])
    assert not torch.allclose(turned.logits[0], hops.logits[0])
    swapped = model(STORY[:1, [0, 2, 1, 3]], SENTENCES[:1], QUESTION[:1])
    assert not torch.allclose(swapped.logits[0], hops.logits[0])


def test_the_gradient_of_a_padded_story_is_finite() -> None:
    network = MemoryNetwork(CONFIG)
    network(STORY, SENTENCES, QUESTION).logits.sum().backward()
    for value in network.parameters():
        assert value.grad is not None
        assert value.grad.isfinite().all()
