"""The cost of recording: a forward pass with `heed.record` beside one of transformers' `eager`.

Untrained models of an ordinary size read random tokens on one thread. Both passes run in turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch

from benchmarks.figures import Target, ratio, shown, table, times
from heed.models.recording.record import recording

LENGTH, WARMUP, ROUNDS, QUICK_ROUNDS = 256, 2, 15, 3
MOST = 1.15
"""Bound of the time of a pass that is recorded, over that of `eager`."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Seconds of the passes of a model, one for each round."""

    name: str
    eager: Sequence[float]
    recorded: Sequence[float]

    @property
    def over_eager(self) -> float:
        """Return the time of a recorded pass over that of `eager`, the median of the rounds."""
        return ratio(self.eager, self.recorded)


def measure(*, quick: bool) -> Iterator[Recorded]:
    """Measure each model in rounds."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for name, model in _models():
            yield _measured(name, model, QUICK_ROUNDS if quick else ROUNDS)
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


def _measured(name: str, model: torch.nn.Module, rounds: int) -> Recorded:
    """Run both passes of a model in turns."""
    ids = torch.randint(5, 1000, (1, LENGTH))
    model.eval()

    def recorded() -> None:
        with recording(model):
            model(ids)

    passes: tuple[Callable[[], object], ...] = (
        lambda: model(ids, output_attentions=True),
        recorded,
    )
    found: tuple[list[float], ...] = ([], [])
    with torch.no_grad():
        for turn in range(WARMUP + rounds):
            for run, own in zip(passes, found, strict=True):
                began = time.perf_counter()
                run()
                if turn >= WARMUP:
                    own.append(time.perf_counter() - began)
    return Recorded(name, *found)


def report(measured: Sequence[Recorded]) -> str:
    """Return the table: medians, and ratios within one round."""
    rows = [
        [
            each.name,
            *(
                shown(1e3 * sorted(own)[len(own) // 2], " ms")
                for own in (each.eager, each.recorded)
            ),
            times(each.over_eager),
        ]
        for each in measured
    ]
    return table(["model", "eager", "recorded", "over eager"], rows)


def of_recording(measured: Sequence[Recorded]) -> Iterator[Target]:
    """Yield the targets."""
    for each in measured:
        what = f"a recorded pass over eager, {each.name}"
        yield Target(what, MOST, each.over_eager, at_least=False)
