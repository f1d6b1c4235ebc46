"""The cost of recording: a forward pass with `heed.record` beside one of transformers' `eager`.

Untrained models of an ordinary size read random tokens on one thread. Both passes run in turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import torch

from benchmarks.figures import Options, Report, in_turns, most, paired, ratio, seconds
from heed.models.recording.record import recording

LENGTH, WARMUP, ROUNDS, QUICK_ROUNDS = 256, 2, 15, 3
MOST = 1.15
"""Bound of the time of a pass that is recorded, over that of `eager`."""
HEAD = ["model", "eager, ms", "recorded, ms", "over eager"]


def measure(options: Options) -> Report:
    """Measure each model in rounds."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        rounds = QUICK_ROUNDS if options.quick else ROUNDS
        return report({name: _measured(model, rounds) for name, model in _models()})
    finally:
        torch.set_num_threads(threads)


def _models() -> Iterator[tuple[str, torch.nn.Module]]:
    from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    encoder = BertConfig(
        hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048
    )
    yield "BERT, 6 × 512", BertModel._from_config(encoder, attn_implementation="eager")
    decoder = GPT2Config(n_embd=512, n_layer=6, n_head=8)
    yield "GPT-2, 6 × 512", GPT2LMHeadModel._from_config(decoder, attn_implementation="eager")


def _measured(model: torch.nn.Module, rounds: int) -> Mapping[str, Sequence[float]]:
    """Run both passes of a model in turns."""
    ids = torch.randint(5, 1000, (1, LENGTH))
    model.eval()

    def recorded() -> None:
        with recording(model):
            model(ids)

    with torch.no_grad():
        eager = partial(model, ids, output_attentions=True)
        ways = {"eager": partial(seconds, eager), "recorded": partial(seconds, recorded)}
        return in_turns(ways, rounds, WARMUP)


def report(measured: Mapping[str, Mapping[str, Sequence[float]]]) -> Report:
    """Report medians, and ratios within one round."""
    targets = [
        most(f"a recorded pass over eager, {name}", MOST, ratio(*pair.values()))
        for name, pair in measured.items()
    ]
    return Report({"recording": paired(HEAD, measured)}, targets)
