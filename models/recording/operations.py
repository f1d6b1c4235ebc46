"""Recording at the operations of PyTorch.

These are `scaled_dot_product_attention`, softmax, and the function of `nn.MultiheadAttention`.

A mode for torch functions sees every call of its thread in Python, and PyTorch takes none of its
fast paths, which would skip Python, while a mode is active.

Shapes: `B` rows, `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from heed.models.recording.tape import Call, Tape, heads_apart, is_distribution

Function = Callable[..., Any]
SOFTMAXES = (F.softmax, torch.softmax, Tensor.softmax)
PRODUCTS = (torch.ops.aten.bmm.default, torch.ops.aten.baddbmm.default)
_SIGNATURE = inspect.signature(F.multi_head_attention_forward)


class RecordingMode(TorchFunctionMode):
    """Records attention that reaches the functions of PyTorch."""

    def __init__(self, tape: Tape) -> None:
        super().__init__()
        self._tape = tape

    def __torch_function__(
        self,
        func: Function,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run a function, and record it if it is attention."""
        del types
        options = dict(kwargs or {})
        if func is F.scaled_dot_product_attention:
            return scaled_dot_product(self._tape, args, options)
        if func is F.multi_head_attention_forward:
            return multi_head(self._tape, args, options)
        result = func(*args, **options)
        if func in SOFTMAXES and isinstance(result, Tensor) and result.dim() >= 3:
            self._tape.softmaxes.append((args[0], result))
        return result


def scaled_dot_product(tape: Tape, args: tuple[Any, ...], options: dict[str, Any]) -> Tensor:
    """Run the function and record it; with edited weights, compute its result from them."""
    result = F.scaled_dot_product_attention(*args, **options)
    scores, weights, query, keys, values = _of_scaled_dot_product(*args, **options)
    edited = tape.edited(tape.path, scores, weights)
    heads = [heads_apart(value, len(value)) for value in (scores, edited, query, keys, values)]
    tape.add(Call(tape.path, *heads))
    return result if edited is weights else edited @ values


def _of_scaled_dot_product(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Compute scores and weights, and return them with the vectors of each head."""
    del dropout_p
    if enable_gqa:
        groups = query.shape[-3] // key.shape[-3]
        key, value = (vectors.repeat_interleave(groups, dim=-3) for vectors in (key, value))
    scores = query @ key.transpose(-2, -1)
    scores = scores * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    lowest = torch.finfo(scores.dtype).min
    if is_causal:
        allowed = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
        scores = scores.masked_fill(~allowed, lowest)
    if attn_mask is not None:
        masked = attn_mask.dtype == torch.bool
        scores = scores.masked_fill(~attn_mask, lowest) if masked else scores + attn_mask
    return scores, scores.softmax(dim=-1), query, key, value


def multi_head(tape: Tape, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Run `multi_head_attention_forward` and record it.

    Asked for weights, it multiplies matrices and calls softmax, which a mode below it can see. If
    the module did not ask for them, its own result is computed beside that.
    """
    bound = _SIGNATURE.bind(*args, **options)
    bound.apply_defaults()
    given = bound.arguments
    needs, averages = given["need_weights"], given["average_attn_weights"]
    asked = {**given, "need_weights": True, "average_attn_weights": False, "training": False}
    query: Tensor = given["query"]
    mode = _MultiHeadMode(tape, query.shape[1] if query.dim() == 3 else 1)
    with mode:
        output, weights = F.multi_head_attention_forward(**asked)
    mode.record()
    if tape.hook is None:
        return F.multi_head_attention_forward(**given)
    if not needs or weights is None:
        return output, None
    return output, weights.mean(dim=-3) if averages else weights


class _MultiHeadMode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees the operations of one call of `multi_head_attention_forward`: (B·H, Q, K)."""

    def __init__(self, tape: Tape, rows: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._tape, self._rows = tape, rows
        self._products: list[tuple[Any, ...]] = []
        self._softmax: tuple[Tensor, Tensor] | None = None

    def __torch_dispatch__(
        self,
        func: Function,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run an operation; note products and softmax."""
        del types
        result = func(*args, **(kwargs or {}))
        if func in PRODUCTS:
            self._products.append(args)
        elif func is torch.ops.aten._softmax.default:
            apart = [heads_apart(value, self._rows) for value in (args[0], result)]
            weights = self._tape.edited(self._tape.path, *apart)
            self._softmax = apart[0], weights
            return weights.reshape(result.shape)
        return result

    def record(self) -> None:
        """Add the call to the tape."""
        if self._softmax is None or len(self._products) < 2:
            return
        scaled, keys = self._products[0][-2:]  # q / √D and kᵀ; baddbmm has the mask before them
        values = self._products[-1][1]
        vectors = scaled * math.sqrt(scaled.shape[-1]), keys.transpose(1, 2), values
        self._tape.add(
            Call(
                self._tape.path,
                *self._softmax,
                *(heads_apart(vector, self._rows) for vector in vectors),
            )
        )


def record_outputs(tape: Tape, path: str, rows: int, output: object) -> None:
    """Record weights that a module returns, unless one of its parts is on the tape already.

    Their scores are those of the softmax that made them; where it was not seen, the logarithms of
    the weights.
    """
    if any(call.path == path or call.path.startswith(f"{path}.") for call in tape.calls):
        return
    parts = output if isinstance(output, tuple | list) else (output,)
    for part in parts:
        if is_distribution(part):
            scores = _scores_of(tape, part)
            scored = heads_apart(scores, rows).reshape(part.shape)
            tape.add(Call(path, scored, part, within_reach=False))
            return


def _scores_of(tape: Tape, weights: Tensor) -> Tensor:
    """Find the scores behind these weights: a reshaped tensor shares its memory."""
    for scores, result in reversed(tape.softmaxes):
        if result.data_ptr() == weights.data_ptr() and result.numel() == weights.numel():
            return scores
    return weights.clamp_min(torch.finfo(weights.dtype).tiny).log()
