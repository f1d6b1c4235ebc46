"""`heed align`: the word alignments of a translator's heads, against links that people made."""

from __future__ import annotations

import argparse
import json
import re

from rich.console import Console
from rich.table import Table

from heed.app.commands.errors import DONE, RefusedError
from heed.app.commands.heads import Pair, pairs_of, traces_of
from heed.app.commands.terminal_heatmap import printable_text
from heed.models.align import Alignment, Gold, alignments, landed

WORSE = 1
"""The exit code if the best head is worse than is asked for."""
TAG = re.compile(r"</?b>")
NAMES = {-1: "one row before its word", 1: "one row behind its word"}


def align(options: argparse.Namespace) -> int:
    """Print the heads by their alignment error rate; return the exit code."""
    pairs = pairs_of(options.pairs)
    if not all(pair.target and pair.links for pair in pairs):
        raise RefusedError(f"{options.pairs}: every line needs an input, an output and links.")
    golds = [Gold(pair.links or frozenset(), pair.possible) for pair in pairs]
    ranked = alignments(traces_of(options.model, pairs), golds)
    if not ranked:
        raise RefusedError(f"{options.model} has no cross-attention, so it aligns nothing.")
    best = ranked[0]
    tagged = _tagged(options.model, options.tags, best) if options.tags else None
    if options.json:
        report = {
            "model": options.model,
            "pairs": len(pairs),
            "heads": [alignment._asdict() for alignment in ranked],
            **({"tags": tagged} if tagged else {}),
        }
        print(json.dumps(report, ensure_ascii=False))
    else:
        _print(ranked, len(pairs), tagged)
    return WORSE if options.at_most is not None and best.error > options.at_most else DONE


def _tagged(model: str, text: str, alignment: Alignment) -> str:
    """Translate a text with `<b>` around words, and return the output with the tags there."""
    words: set[int] = set()
    plain: list[str] = []
    inside = False
    for part in re.findall(r"</?b>|[^\s<]+|<", text):
        if TAG.fullmatch(part):
            inside = part == "<b>"
        else:
            words |= {len(plain)} if inside else set()
            plain.append(part)
    if not words:
        raise RefusedError("--tags needs a text with <b> and </b> around a word.")
    (trace,) = traces_of(model, [Pair(" ".join(plain), None, None)])
    there = landed(trace, alignment, words)
    return " ".join(
        f"<b>{word}</b>" if place in there else word
        for place, word in enumerate(trace.text.split())
    )


def _print(ranked: list[Alignment], count: int, tagged: str | None) -> None:
    table = Table(box=None)
    for name in ("layer", "head", "AER", "precision", "recall", "links", "drift"):
        table.add_column(name, justify="left" if name == "drift" else "right")
    for alignment in ranked:
        table.add_row(
            str(alignment.layer + 1),
            "mean" if alignment.head is None else str(alignment.head + 1),
            f"{alignment.error:.3f}",
            f"{100 * alignment.precision:.1f} %",
            f"{100 * alignment.recall:.1f} %",
            str(alignment.links),
            NAMES.get(alignment.shift, ""),
        )
    console = Console(width=100, highlight=False)
    console.print(f"{count} pairs; AER: alignment error rate (Och and Ney 2003)", style="dim")
    console.print(table)
    if ranked[0].drifts:
        console.print(f"The best head drifts: it links {NAMES[ranked[0].shift]}.", style="bold")
    if tagged:
        console.print(f"Tags would land here: {printable_text(tagged)}", markup=False)
