"""Where products are computed in 16-bit floats."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import torch

CPU = torch.device("cpu")
INSTRUCTIONS = {"amx_bf16", "avx512_bf16"}  # by which a CPU multiplies bfloat16


def mixed_precision(device: torch.device) -> torch.autocast:
    """Products in 16-bit floats, where the processor has instructions for them."""
    return torch.autocast(device.type, torch.bfloat16, enabled=has_bfloat16(device))


@cache
def has_bfloat16(device: torch.device) -> bool:
    """Whether bfloat16 is fast there: on CUDA, and on a CPU that has it. Elsewhere it crawls."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    cpuinfo = Path("/proc/cpuinfo")
    return cpuinfo.exists() and not INSTRUCTIONS.isdisjoint(cpuinfo.read_text().split())
