"""An LSTMN for training, which computes the gradients of its recurrent weights once an update.

Autograd computes a product for every weight in every step. Here the inputs and gradients of all
steps are kept and multiplied together.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from heed.models.families.lstmn.config import LSTMNConfig
from heed.models.families.lstmn.network import LSTMN

Kept = list[tuple[Tensor, Tensor]]  # input and gradient of a step


class _Product(torch.autograd.Function):
    """x Wᵀ, which keeps what the gradient of W needs."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, weight: Tensor, kept: Kept) -> Tensor:
        kind = torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else given.dtype
        given, ctx.weight, ctx.kept, ctx.wanted = given.to(kind), weight.to(kind), kept, given.dtype
        ctx.save_for_backward(given)
        return given @ ctx.weight.T

    @staticmethod
    def backward(ctx: Any, d_product: Tensor) -> tuple[Tensor | None, ...]:
        (given,) = ctx.saved_tensors
        ctx.kept.append((given, d_product))
        return (d_product @ ctx.weight).to(ctx.wanted), None, None


class DeferredLinear(nn.Linear):
    """A linear layer without bias that is called many times an update."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs, bias=False)
        self._kept: Kept = []

    def forward(self, given: Tensor) -> Tensor:
        """Multiply with the weight; its gradient waits for `finish`."""
        if not torch.is_grad_enabled():
            return super().forward(given)
        product: Tensor = _Product.apply(given, self.weight.detach(), self._kept)  # type: ignore[no-untyped-call]
        return product

    def finish(self) -> None:
        """Set the gradient of the weight after the backward pass."""
        given, pushed = (torch.cat(kept) for kept in zip(*self._kept, strict=True))
        self.weight.grad = (pushed.T @ given).to(self.weight.dtype)
        self._kept.clear()


class DeferredLSTMN(LSTMN):
    """An LSTMN whose recurrent layers are `DeferredLinear`."""

    def __init__(self, config: LSTMNConfig) -> None:
        super().__init__(config)
        width, attention = config.width, config.attention_width
        self.state_gates = DeferredLinear(width, 4 * width)
        self.state_query = DeferredLinear(width, attention)
        self.key = DeferredLinear(width, attention)

    def finish(self) -> None:
        """Set the gradients of the recurrent weights after the backward pass."""
        for module in self.modules():
            if isinstance(module, DeferredLinear):
                module.finish()
