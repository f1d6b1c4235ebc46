"""The cost of recording: a forward pass with `heed.record` beside one of transformers' `eager`.

Run as `python -m benchmarks.recording`; needs the group `benchmark`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch
from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel

from heed.models.recording.record import recording

LENGTH, WARMUP, REPEATS = 256, 2, 15


def models() -> dict[str, torch.nn.Module]:
    """Return untrained models of an ordinary size."""
    torch.manual_seed(0)
    encoder = BertConfig(
        hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048
    )
    decoder = GPT2Config(n_embd=512, n_layer=6, n_head=8)
    return {
        "BERT, 6 × 512": BertModel._from_config(encoder, attn_implementation="eager"),
        "GPT-2, 6 × 512": GPT2LMHeadModel._from_config(decoder, attn_implementation="eager"),
    }


def seconds(run: Callable[[], object]) -> float:
    """Measure one call."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def main() -> None:
    """Print the median times of both, measured in turns, and their ratio."""
    torch.set_num_threads(1)
    ids = torch.randint(5, 1000, (1, LENGTH))
    for name, model in models().items():
        model.eval()

        def eager(model: torch.nn.Module = model) -> object:
            return model(ids, output_attentions=True)

        def recorded(model: torch.nn.Module = model) -> object:
            with recording(model):
                return model(ids)

        times: dict[str, list[float]] = {"eager": [], "recorded": []}
        with torch.no_grad():
            for turn in range(WARMUP + REPEATS):
                for label, run in (("eager", eager), ("recorded", recorded)):
                    found = seconds(run)
                    if turn >= WARMUP:
                        times[label].append(found)
        plain, own = (statistics.median(times[label]) for label in ("eager", "recorded"))
        print(
            f"{name}: eager {1e3 * plain:.1f} ms, recorded {1e3 * own:.1f} ms, {own / plain:.2f}×"
        )


if __name__ == "__main__":
    main()
