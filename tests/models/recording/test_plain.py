"""Recording modules of plain PyTorch: their maps are those that the module used."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.errors import RecordingError
from heed.models.recording.record import recording
from heed.models.recording.tape import hook_of
from heed.tracing import record

KEYS = ["the", "white", "house", "stood", "there"]


class Attention(nn.Module):
    """Attention written by hand around `scaled_dot_product_attention`."""

    def __init__(self, width: int = 8, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.projection = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, x: Tensor, *, causal: bool = False, mask: Tensor | None = None) -> Tensor:
        batch, length, width = x.shape
        parts = self.projection(x).chunk(3, dim=-1)
        query, key, value = (
            part.reshape(batch, length, self.heads, -1).transpose(1, 2) for part in parts
        )
        found = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal)
        return self.output(found.transpose(1, 2).reshape(batch, length, width))

    def weights(self, x: Tensor) -> Tensor:
        query, key, _ = self.projection(x).chunk(3, dim=-1)
        shape = (len(x), x.shape[1], self.heads, -1)
        query, key = (each.reshape(shape).transpose(1, 2) for each in (query, key))
        return (query @ key.transpose(2, 3) / math.sqrt(query.shape[-1])).softmax(-1)


@pytest.fixture
def x() -> Tensor:
    torch.manual_seed(0)
    return torch.randn(2, 5, 8)


def test_scaled_dot_product_attention_written_by_hand(x: Tensor) -> None:
    module = Attention().eval()
    with record(module) as tape:
        recorded = module(x)
    assert torch.equal(recorded, module(x))
    trace = tape.trace(keys=KEYS, row=1)
    assert [each.kind for each in trace.maps] == ["encoder-self"] * 2
    for each, expected in zip(trace.maps, module.weights(x)[1], strict=True):
        torch.testing.assert_close(torch.from_numpy(each.weights), expected)
    assert [token.text for token in trace.run.source.tokens] == KEYS


def test_causal_attention_is_that_of_a_decoder(x: Tensor) -> None:
    module = Attention()
    with record(module) as tape:
        module(x, causal=True)
    assert {each.kind for each in tape.trace().maps} == {"decoder-self"}


def test_names_leave_padding_out(x: Tensor) -> None:
    mask = torch.ones(2, 1, 1, 5, dtype=torch.bool)
    mask[1, ..., 3:] = False
    module = Attention()
    with record(module) as tape:
        module(x, mask=mask)
    trace = tape.trace(keys=KEYS[:3], row=1)
    assert {each.weights.shape for each in trace.maps} == {(3, 3)}


def test_padding_that_takes_weight_cannot_be_left_out(x: Tensor) -> None:
    module = Attention()
    with record(module) as tape:
        module(x)
    with pytest.raises(RecordingError, match="does not sum to 1"):
        tape.trace(keys=KEYS[:3])


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("batch_first", [True, False])
def test_multihead_attention(x: Tensor, need_weights: bool, batch_first: bool) -> None:
    module = nn.MultiheadAttention(8, 2, batch_first=batch_first).eval()
    given = x if batch_first else x.transpose(0, 1)
    with torch.no_grad():
        with record(module) as tape:
            recorded, _ = module(given, given, given, need_weights=need_weights)
        own, weights = module(given, given, given, average_attn_weights=False)
    torch.testing.assert_close(recorded, own)
    for each, expected in zip(tape.trace(row=1).maps, weights[1], strict=True):
        torch.testing.assert_close(torch.from_numpy(each.weights), expected)
        assert each.vectors is not None
        products = each.vectors.queries @ each.vectors.keys.T / 2
        torch.testing.assert_close(torch.from_numpy(products), torch.from_numpy(each.scores))


def test_a_transformer_of_pytorch_on_its_fast_path_too() -> None:
    torch.manual_seed(0)
    module = nn.Transformer(8, 2, 2, 2, 16, batch_first=True).eval()
    source, target = torch.randn(2, 5, 8), torch.randn(2, 3, 8)
    causal = module.generate_square_subsequent_mask(3)
    with torch.no_grad():  # PyTorch's encoder then leaves Python
        with record(module) as tape:
            recorded = module(source, target, tgt_mask=causal)
        torch.testing.assert_close(recorded, module(source, target, tgt_mask=causal))
    trace = tape.trace(queries=["a", "b", "c"], keys=KEYS)
    found = [(each.kind, each.layer, each.head) for each in trace.maps]
    kinds = ("cross", "decoder-self", "encoder-self")
    assert found == [(kind, layer, head) for kind in kinds for layer in (0, 1) for head in (0, 1)]
    assert trace.maps[0].weights.shape == (3, 5)
    assert trace.maps[4].weights[0].tolist() == [1, 0, 0]
    assert (trace.text, trace.run.source.text) == ("a b c", " ".join(KEYS))


def test_a_module_that_returns_its_weights_is_seen(x: Tensor) -> None:
    class Own(nn.Module):
        def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
            weights = (x @ x.transpose(1, 2)).softmax(-1)[:, None]
            return (weights @ x[:, None])[:, 0], weights

    module = nn.Sequential(nn.Identity(), Own())
    with record(module) as tape:
        _, weights = module(x)
    assert tape.paths == ["1"]
    (found,) = tape.trace(row=1).maps
    torch.testing.assert_close(torch.from_numpy(found.weights), weights[1, 0])
    torch.testing.assert_close(torch.from_numpy(found.scores), x[1] @ x[1].T)


# --- the hook between scores and weights --------------------------------------------------------


def first_key(path: str, scores: Tensor, weights: Tensor) -> Tensor:
    assert path == ""
    torch.testing.assert_close(scores.softmax(-1), weights)
    edited = torch.zeros_like(weights)
    edited[..., 0] = 1
    return edited


def test_edited_weights_change_the_result_and_leave_the_scores(x: Tensor) -> None:
    module = Attention().eval()
    with recording(module, hook_of(first_key)) as tape:
        edited = module(x)
    values = module.projection(x).chunk(3, dim=-1)[2]
    torch.testing.assert_close(edited, module.output(values[:, :1]).expand_as(edited))
    (call,) = tape.calls
    torch.testing.assert_close(call.scores.softmax(-1), module.weights(x))
    assert bool((call.weights[..., 0] == 1).all())


def test_edited_weights_change_multihead_attention(x: Tensor) -> None:
    module = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    with record(module, edit=first_key) as tape:
        edited, _ = module(x, x, x, need_weights=False)
    torch.testing.assert_close(edited, edited[:, :1].expand_as(edited))
    assert tape.trace().maps[0].weights[:, 0].tolist() == [1.0] * 5


# --- what surrounds a recording -----------------------------------------------------------------


def test_threads_record_their_own_calls() -> None:
    module = Attention().eval()
    inputs = [torch.full((1, length, 8), 0.1) for length in (3, 4, 5, 6)]
    ready = threading.Barrier(len(inputs))
    found: dict[int, set[int]] = {}

    def run(number: int) -> None:
        shapes = set()
        ready.wait()
        for _ in range(50):
            with recording(module) as tape:
                module(inputs[number])
            (call,) = tape.calls
            shapes.add(call.weights.shape[-1])
        found[number] = shapes

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(inputs))]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {0: {3}, 1: {4}, 2: {5}, 3: {6}}


def test_a_module_is_as_before_after_an_exception(x: Tensor) -> None:
    module = nn.Sequential(Attention(), nn.Linear(3, 3))  # its sizes do not fit

    with pytest.raises(RuntimeError), record(module):
        module(x)
    assert not any("forward" in each.__dict__ for each in module.modules())
    with record(module[0]) as tape:
        module[0](x)
    assert len(tape.tape.calls) == 1


def test_the_last_run_counts(x: Tensor) -> None:
    module = Attention()
    with record(module) as tape:
        module(x)
        module(x[:, :2])
    assert tape.trace().maps[0].weights.shape == (2, 2)


def test_gradients_flow_as_without_a_recording(x: Tensor) -> None:
    module = Attention()
    module(x).sum().backward()
    expected = module.projection.weight.grad
    module.zero_grad()
    with record(module):
        module(x).sum().backward()
    torch.testing.assert_close(module.projection.weight.grad, expected)


# --- errors that help ---------------------------------------------------------------------------


def test_a_module_without_attention_is_refused(x: Tensor) -> None:
    module = nn.Linear(8, 8)
    with record(module) as tape:
        module(x)
    with pytest.raises(RecordingError, match="No attention was seen while Linear ran"):
        tape.trace()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"keys": ["a"] * 6}, "6 names for 5 keys"),
        ({"row": 2}, "The batch has no row 2"),
    ],
)
def test_names_and_rows_that_do_not_fit_are_refused(
    x: Tensor, options: dict[str, Any], sentence: str
) -> None:
    module = Attention()
    with record(module) as tape:
        module(x)
    with pytest.raises(RecordingError, match=sentence):
        tape.trace(**options)


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(RecordingError, match="is no torch module"), record(len):  # type: ignore[arg-type]
        pass
