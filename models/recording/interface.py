"""The attention function that Heed registers with transformers, and the models that use it.

It computes what transformers' own `eager` functions compute, in the same order of operations, so
that a model with it gives the same numbers to the last bit.

Shapes: `B` rows, `H` heads, `G` heads of keys and values, `Q` queries, `K` keys, `D` width.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.recording.tape import Call, current

NAME: Final = "heed"
"""Of the attention function, as `attn_implementation` of a model."""

_lock = threading.RLock()
_swapped: dict[int, tuple[Any, str | None, int]] = {}
"""By configuration: the configuration, its own implementation, and how many recordings swap it."""


def attend(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    softcap: float | None = None,
    position_bias: Tensor | None = None,
    s_aux: Tensor | None = None,
    **options: Any,
) -> tuple[Tensor, Tensor | None]:
    """Attend, and record scores, weights and vectors on the current tape.

    Without a tape (another thread runs the model meanwhile) it leaves the work to PyTorch.
    """
    tape = current.get()
    if tape is None and softcap is None and s_aux is None:
        return _unrecorded(
            module,
            query,
            key,
            value,
            attention_mask,
            scaling=scaling,
            dropout=dropout,
            position_bias=position_bias,
            **options,
        )
    groups = query.shape[1] // key.shape[1]
    keys, values = _repeated(key, groups), _repeated(value, groups)
    scores = torch.matmul(query, keys.transpose(2, 3))  # (B, H, Q, K)
    scores = scores * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    if softcap is not None:
        scores = torch.tanh(scores / softcap) * softcap
    if position_bias is not None:
        scores = scores + position_bias
    if attention_mask is not None:
        scores = scores + _additive(attention_mask, scores.dtype)
    weights, sinks = _normalized(scores, s_aux)
    weights = weights.to(query.dtype)
    if tape is not None:
        weights = tape.edited(tape.path, scores, weights)
        tape.add(Call(tape.path, scores, weights, query, keys, values, sinks))
    dropped = F.dropout(weights, p=dropout, training=module.training)
    return torch.matmul(dropped, values).transpose(1, 2).contiguous(), weights


def _repeated(vectors: Tensor, groups: int) -> Tensor:
    """Repeat keys or values (B, G, K, D) for the heads that share them: (B, H, K, D)."""
    return vectors if groups == 1 else vectors.repeat_interleave(groups, dim=1)


def _additive(mask: Tensor, dtype: torch.dtype) -> Tensor:
    """Return a mask that is added to scores."""
    if mask.dtype != torch.bool:
        return mask
    return torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, torch.finfo(dtype).min)


def _normalized(scores: Tensor, sink: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """Return the softmax; with a sink, a learned score (H,), also the weight that it takes."""
    if sink is None:
        return F.softmax(scores, dim=-1, dtype=torch.float32), None
    column = sink.reshape(1, -1, 1, 1).expand(scores.shape[0], -1, scores.shape[-2], -1)
    joined = torch.cat([scores, column.to(scores.dtype)], dim=-1)
    joined = joined - joined.max(dim=-1, keepdim=True).values
    weights = F.softmax(joined, dim=-1, dtype=joined.dtype)
    return weights[..., :-1], weights[..., -1]


def _unrecorded(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    **options: Any,
) -> tuple[Tensor, None]:
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    result: tuple[Tensor, None] = sdpa_attention_forward(
        module, query, key, value, attention_mask, **options
    )
    return result


@contextmanager
def recording_implementation(module: nn.Module) -> Iterator[bool]:
    """Let the transformers models in a module use `attend`; restores them afterwards.

    Yields true if there is a part that does not use it and computes its attention by itself.
    """
    from transformers import PreTrainedModel

    _register()
    models = [part for part in module.modules() if isinstance(part, PreTrainedModel)]
    able = [model for model in models if model._can_set_attn_implementation()]
    unable = [model for model in models if not model._can_set_attn_implementation()]
    configs = {id(config): config for config in _configs(able)}
    for odd in _configs(unable):
        configs.pop(id(odd), None)
    with _lock:
        for identity, config in configs.items():
            _, own, count = _swapped.get(
                identity, (config, config._attn_implementation_internal, 0)
            )
            _swapped[identity] = config, own, count + 1
            config._attn_implementation_internal = NAME
    try:
        yield bool(unable) or not able
    finally:
        with _lock:
            for identity in configs:
                config, own, count = _swapped.pop(identity)
                if count > 1:
                    _swapped[identity] = config, own, count - 1
                else:
                    config._attn_implementation_internal = own


def _configs(models: Iterable[nn.Module]) -> Iterator[Any]:
    """Yield the configurations that the modules of these models look at, copies among them."""
    for model in models:
        for module in model.modules():
            config = getattr(module, "config", None)
            if hasattr(config, "_attn_implementation_internal"):
                yield config


def _register() -> None:
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    AttentionInterface.register(NAME, attend)
    AttentionMaskInterface.register(NAME, eager_mask)
