"""Every mechanism against a reference, and what must hold for all of them."""

import math
import threading

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from heed.models.mechanisms import MECHANISMS
from heed.models.networks.attention import (
    Additive,
    Attention,
    Concat,
    Dot,
    FixedContext,
    General,
    MultiHead,
    Scaled,
    Widths,
    build_attention,
    ends,
    softmax,
)

WIDTH = 12
ATTENDING = [name for name in MECHANISMS if name != "none"]


def attention(mechanism: str, heads: int = 1) -> Attention:
    return build_attention(mechanism, Widths(WIDTH, WIDTH, 7, heads)).eval()


def some(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def full(batch: int, keys: int) -> Tensor:
    return torch.ones(batch, keys, dtype=torch.bool)


def scores_of(module: Attention, query: Tensor, memory: Tensor) -> Tensor:
    return module(query, module.prepare(memory, full(*memory.shape[:2]))).scores


# --- references: the formula of the paper, written out for one query and one key at a time -----


def additive_by_hand(module: Additive, q: Tensor, k: Tensor) -> Tensor:
    hidden = torch.tanh(module.query.weight @ q + module.key.weight @ k + module.key.bias)
    return module.energy.weight[0] @ hidden


def concat_by_hand(module: Concat, q: Tensor, k: Tensor) -> Tensor:
    return module.energy.weight[0] @ torch.tanh(module.both.weight @ torch.cat([q, k]))


def dot_by_hand(module: Dot, q: Tensor, k: Tensor) -> Tensor:
    return sum(a * b for a, b in zip(q, k, strict=True))


def general_by_hand(module: General, q: Tensor, k: Tensor) -> Tensor:
    return q @ (module.key.weight @ k)


def scaled_by_hand(module: Scaled, q: Tensor, k: Tensor) -> Tensor:
    return (q @ k) / math.sqrt(len(q))


@pytest.mark.parametrize(
    ("mechanism", "by_hand"),
    [
        ("additive", additive_by_hand),
        ("concat", concat_by_hand),
        ("dot", dot_by_hand),
        ("general", general_by_hand),
        ("scaled", scaled_by_hand),
    ],
)
def test_scores_are_those_of_the_formula(mechanism: str, by_hand) -> None:
    module = attention(mechanism)
    query, memory = some(2, 3, WIDTH), some(2, 5, WIDTH, seed=1)
    scores = scores_of(module, query, memory)
    assert scores.shape == (2, 1, 3, 5)
    for b in range(2):
        for q in range(3):
            for k in range(5):
                expected = by_hand(module, query[b, q], memory[b, k])
                torch.testing.assert_close(scores[b, 0, q, k], expected)


@pytest.mark.parametrize("mechanism", [name for name in ATTENDING if name != "multihead"])
def test_context_is_the_weighted_sum_written_out(mechanism: str) -> None:
    module = attention(mechanism)
    query, memory = some(1, 2, WIDTH), some(1, 4, WIDTH, seed=1)
    attended = module(query, module.prepare(memory, full(1, 4)))
    for q in range(2):
        e = attended.scores[0, 0, q].tolist()
        alpha = [math.exp(x - max(e)) / sum(math.exp(y - max(e)) for y in e) for x in e]
        expected = sum(a * memory[0, k] for k, a in enumerate(alpha))
        torch.testing.assert_close(attended.weights[0, 0, q], torch.tensor(alpha))
        torch.testing.assert_close(attended.context[0, q], expected)


@pytest.mark.parametrize("mechanism", ATTENDING)
def test_the_recorded_query_is_the_one_that_was_scored(mechanism: str) -> None:
    module = attention(mechanism, heads=2 if mechanism == "multihead" else 1)
    query, keys = some(2, 3, WIDTH), module.prepare(some(2, 5, WIDTH, seed=1), full(2, 5))
    attended = module(query, keys)
    torch.testing.assert_close(module.score(attended.query, keys.keys), attended.scores)
    newest = attended.newest()
    for whole, last in zip(attended[:4], newest[:4], strict=True):
        assert torch.equal(whole[..., -1, :], last)


def test_scaled_dot_is_torchs_own() -> None:
    query, memory = some(2, 3, WIDTH), some(2, 5, WIDTH, seed=1)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    module = attention("scaled")
    ours = module(query, module.prepare(memory, mask)).context
    theirs = nn.functional.scaled_dot_product_attention(
        query, memory, memory, attn_mask=mask[:, None, :]
    )
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("heads", [1, 3, 4])
def test_multihead_is_torchs_own(heads: int) -> None:
    ours = MultiHead(WIDTH, WIDTH, heads).eval()
    theirs = nn.MultiheadAttention(WIDTH, heads, batch_first=True).eval()
    with torch.no_grad():
        theirs.in_proj_weight.copy_(
            torch.cat([ours.query.weight, ours.key.weight, ours.value.weight])
        )
        theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
    query, memory = some(2, 3, WIDTH), some(2, 5, WIDTH, seed=1)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    attended = ours(query, ours.prepare(memory, mask))
    context, weights = theirs(
        query, memory, memory, key_padding_mask=~mask, average_attn_weights=False
    )
    torch.testing.assert_close(attended.context, context)
    torch.testing.assert_close(attended.weights, weights)


def test_a_causal_mask_hides_what_is_to_come() -> None:
    module = attention("multihead", heads=3)
    memory = some(2, 5, WIDTH)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    weights = module(memory, module.prepare(memory, full(2, 5)), causal).weights
    assert torch.equal(weights.triu(1), torch.zeros_like(weights))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 5))


# --- what holds for every mechanism -----------------------------------------------------------


@settings(max_examples=40)
@given(
    mechanism=st.sampled_from(ATTENDING),
    batch=st.integers(1, 3),
    queries=st.integers(1, 3),
    lengths=st.lists(st.integers(1, 8), min_size=3, max_size=3),
    size=st.sampled_from([1e-3, 1.0, 1e3]),
    seed=st.integers(0, 2**20),
)
def test_rows_sum_to_one_and_masked_keys_get_nothing(
    mechanism: str, batch: int, queries: int, lengths: list[int], size: float, seed: int
) -> None:
    lengths = lengths[:batch]
    longest = max(lengths)
    mask = torch.arange(longest) < torch.tensor(lengths)[:, None]
    module = attention(mechanism)
    query = size * some(batch, queries, WIDTH, seed=seed)
    memory = size * some(batch, longest, WIDTH, seed=seed + 1)
    attended = module(query, module.prepare(memory, mask))
    hidden = ~mask[:, None, None, :].expand_as(attended.weights)
    torch.testing.assert_close(
        attended.weights.sum(-1), torch.ones(attended.weights.shape[:-1]), atol=1e-5, rtol=0
    )
    assert (attended.weights[hidden] == 0).all()
    assert (attended.scores[hidden] == -math.inf).all()
    assert attended.context.isfinite().all()


@settings(max_examples=25)
@given(mechanism=st.sampled_from(ATTENDING), order=st.permutations(range(6)))
def test_the_order_of_the_keys_does_not_matter(mechanism: str, order: list[int]) -> None:
    module = attention(mechanism)
    query, memory = some(1, 2, WIDTH), some(1, 6, WIDTH, seed=1)
    straight = module(query, module.prepare(memory, full(1, 6)))
    mixed = module(query, module.prepare(memory[:, order], full(1, 6)))
    torch.testing.assert_close(mixed.weights, straight.weights[..., order])
    torch.testing.assert_close(mixed.context, straight.context)


@pytest.mark.parametrize("mechanism", ATTENDING)
def test_padding_changes_nothing(mechanism: str) -> None:
    module = attention(mechanism)
    query, memory = some(1, 2, WIDTH), some(1, 4, WIDTH, seed=1)
    alone = module(query, module.prepare(memory, full(1, 4)))
    padded = torch.cat([memory, 100 * some(1, 3, WIDTH, seed=2)], dim=1)
    mask = torch.arange(7)[None] < 4
    attended = module(query, module.prepare(padded, mask))
    torch.testing.assert_close(attended.weights[..., :4], alone.weights)
    torch.testing.assert_close(attended.context, alone.context)


@pytest.mark.parametrize("mechanism", ATTENDING)
def test_a_row_of_masked_keys_gives_zeros_and_no_nan(mechanism: str) -> None:
    module = attention(mechanism)
    memory = some(1, 3, WIDTH, seed=1).requires_grad_()
    attended = module(some(1, 2, WIDTH), module.prepare(memory, torch.zeros(1, 3).bool()))
    assert (attended.weights == 0).all()
    attended.context.sum().backward()
    assert memory.grad is None or memory.grad.isfinite().all()


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_weights_are_those_before_dropout(mechanism: str) -> None:
    module = build_attention(mechanism, Widths(WIDTH, WIDTH, 7, dropout=0.9)).train()
    query, memory = some(2, 3, WIDTH), some(2, 5, WIDTH, seed=1)
    keys = module.prepare(memory, full(2, 5))
    trained = module(query, keys).weights
    assert torch.equal(trained, module.eval()(query, keys).weights)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_nothing_is_kept_on_the_module(mechanism: str) -> None:
    module = attention(mechanism)
    before = dict(vars(module))
    memory = some(2, 5, WIDTH)
    module(some(2, 3, WIDTH), module.prepare(memory, full(2, 5)))
    assert dict(vars(module)) == before


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_threads_do_not_disturb_each_other(mechanism: str) -> None:
    module = attention(mechanism)
    inputs = [(some(1, 4, WIDTH, seed=i), some(1, 9, WIDTH, seed=99 + i)) for i in range(8)]

    def run(query: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            attended = module(query, module.prepare(memory, full(1, 9)))
        return attended.weights, attended.context

    expected = [run(*each) for each in inputs]
    wrong: list[int] = []
    start = threading.Barrier(len(inputs))

    def repeat(place: int) -> None:
        start.wait()
        for _ in range(50):
            weights, context = run(*inputs[place])
            if not (
                torch.equal(weights, expected[place][0])
                and torch.equal(context, expected[place][1])
            ):
                wrong.append(place)

    threads = [threading.Thread(target=repeat, args=(i,)) for i in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# --- no attention, and the parts --------------------------------------------------------------


def test_no_attention_has_no_heads_and_one_context_for_every_step() -> None:
    module = attention("none")
    memory = some(2, 5, WIDTH)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    attended = module(some(2, 3, WIDTH), module.prepare(memory, mask))
    assert isinstance(module, FixedContext)
    assert attended.weights.shape == attended.scores.shape == (2, 0, 3, 5)
    assert torch.equal(attended.context, ends(memory, mask)[:, None].expand(-1, 3, -1))


def test_the_ends_are_the_last_word_of_each_direction() -> None:
    memory = some(2, 5, WIDTH)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    half = WIDTH // 2
    assert torch.equal(ends(memory, mask)[0], torch.cat([memory[0, 4, :half], memory[0, 0, half:]]))
    assert torch.equal(ends(memory, mask)[1], torch.cat([memory[1, 2, :half], memory[1, 0, half:]]))


def test_softmax_is_torchs_own_where_something_is_left() -> None:
    scores = some(4, 9) * 50
    torch.testing.assert_close(softmax(scores), scores.softmax(-1))


def test_widths_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="equal widths"):
        Dot(4, 6)
    with pytest.raises(ValueError, match="3 heads"):
        MultiHead(8, 8, 3)
