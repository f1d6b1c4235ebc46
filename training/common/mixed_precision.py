"""Mixed precision: matrix products in bfloat16 where the hardware is fast at it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import torch

CPU = torch.device("cpu")
INSTRUCTIONS = {"amx_bf16", "avx512_bf16"}  # by which a CPU multiplies bfloat16


def mixed_precision(device: torch.device) -> torch.autocast:
    """Return an autocast context to bfloat16, enabled where it is fast."""
    return torch.autocast(device.type, torch.bfloat16, enabled=has_bfloat16(device))


@cache
def has_bfloat16(device: torch.device) -> bool:
    """Return whether bfloat16 is fast: on CUDA, and on a CPU with instructions for it."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    cpuinfo = Path("/proc/cpuinfo")
    return cpuinfo.exists() and not INSTRUCTIONS.isdisjoint(cpuinfo.read_text().split())
