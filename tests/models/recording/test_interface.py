"""The attention function that transformers calls: its hook, its threads, and its end."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
from torch import Tensor

from heed.models.recording.interface import _swapped
from heed.models.recording.maps import READING, maps_of
from heed.models.recording.record import recording
from heed.models.recording.tape import Tape, hook_of
from tests.models.recording import small

transformers = pytest.importorskip(
    "transformers", reason="models of Hugging Face need the extra hf"
)
IDS = torch.tensor([[5, 6, 7, 8, 9, 10], [11, 12, 13, 14, 0, 0]])


@pytest.fixture
def decoder() -> Any:
    return small.gpt2(40)


def test_edited_weights_change_the_model_and_leave_the_scores(decoder: Any) -> None:
    def last_key(path: str, scores: Tensor, weights: Tensor) -> Tensor:
        """Let every token of one layer attend to itself alone."""
        assert torch.equal(scores.softmax(-1), weights)
        return torch.eye(weights.shape[-1]).expand_as(weights) if ".1." in path else weights

    with torch.no_grad():
        plain = decoder(IDS).logits
        with recording(decoder, hook_of(last_key)) as tape:
            edited = decoder(IDS).logits
        with recording(decoder) as own:
            assert torch.equal(decoder(IDS, use_cache=False).logits, own_logits(decoder))
    assert not torch.allclose(plain, edited)
    changed, unchanged = tape.calls[1], own.calls[1]
    assert torch.equal(changed.scores, unchanged.scores)
    assert bool((changed.weights.diagonal(dim1=-2, dim2=-1) == 1).all())
    torch.testing.assert_close(edited, by_hand(decoder, tape))


def own_logits(decoder: Any) -> Tensor:
    with recording(decoder, lambda call: call.weights.clone()):
        return decoder(IDS, use_cache=False).logits


def by_hand(decoder: Any, tape: Tape) -> Tensor:
    """Compute the logits from the edited weights, layer by layer."""
    states = decoder.transformer.wte(IDS) + decoder.transformer.wpe(torch.arange(IDS.shape[1]))
    for block, call in zip(decoder.transformer.h, tape.calls, strict=True):
        assert call.values is not None
        seen = (call.weights @ call.values).transpose(1, 2).reshape(states.shape)
        states = states + block.attn.c_proj(seen)
        states = states + block.mlp(block.ln_2(states))
    return decoder.lm_head(decoder.transformer.ln_f(states))


def test_threads_record_their_own_calls_of_one_model(decoder: Any) -> None:
    ready = threading.Barrier(4)
    expected = {length: decoder(IDS[:1, :length]).logits for length in (2, 3, 4, 5)}
    failures: list[object] = []

    def run(length: int, records: bool) -> None:
        ready.wait()
        for _ in range(10):
            if records:
                with recording(decoder) as tape:
                    logits = decoder(IDS[:1, :length]).logits
                shapes = {call.weights.shape[-1] for call in tape.calls}
                if shapes != {length} or len(tape.calls) != 2:
                    failures.append(shapes)
            else:
                logits = decoder(IDS[:1, :length]).logits
            if not torch.allclose(logits, expected[length], atol=1e-5):
                failures.append(length)

    threads = [threading.Thread(target=run, args=(length, length != 5)) for length in (2, 3, 4, 5)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not failures
    assert not _swapped


def test_a_model_is_as_before_after_an_exception(decoder: Any) -> None:
    own = decoder.config._attn_implementation
    with pytest.raises(IndexError), recording(decoder):
        decoder(torch.tensor([[1000]]))
    assert decoder.config._attn_implementation == own == "sdpa"
    assert not _swapped
    assert not any("forward" in each.__dict__ for each in decoder.modules())


def test_padding_behind_a_row_is_left_out() -> None:
    model = small.bert(40)
    mask = (IDS != 0).long()
    with torch.no_grad(), recording(model) as tape:
        model(IDS, attention_mask=mask)
    padded = maps_of(tape, READING, {"source": 4}, row=1)
    with torch.no_grad(), recording(model) as tape:
        model(IDS[1:, :4])
    alone = maps_of(tape, READING, {"source": 4})
    for one, other in zip(padded, alone, strict=True):
        torch.testing.assert_close(torch.from_numpy(one.weights), torch.from_numpy(other.weights))


def test_learned_sinks_take_their_part_of_a_row() -> None:
    """GPT-OSS has a score for each head that no key has: rows sum to less than 1."""
    config = transformers.GptOssConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=4,
        intermediate_size=16,
        num_local_experts=2,
        num_experts_per_tok=1,
        pad_token_id=0,
    )
    model = small.spread(transformers.GptOssForCausalLM(config))
    with torch.no_grad(), recording(model) as tape:
        model(IDS[:1], use_cache=False)
    maps = maps_of(tape, READING, {"source": 6}, alone="decoder-self")
    for each in maps:
        assert each.sinks is not None
        sums = torch.from_numpy(each.weights.sum(-1))
        assert bool((sums < 0.999).any())
        torch.testing.assert_close(sums + torch.from_numpy(each.sinks), torch.ones(6))
