"""An attention map in a terminal: a row per output token, a column per input token or word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.style import Style
from rich.text import Text

from heed.models.card import READ
from heed.models.trace import (
    AttentionMap,
    Floats,
    GlimpseAxis,
    GraphAxis,
    GridAxis,
    Output,
    SentenceAxis,
    TokenAxis,
    Trace,
    hop_names,
)

SHADES = " ·░▒▓█"  # of a terminal without colours
END_SIGN = "∎"
START_SIGN = "⊢"
SPACE_SIGN = "␣"
LONGEST_LABEL = 10
SMALLEST = 1e-9
DARK, BRIGHT = (24, 26, 46), (253, 231, 37)


@dataclass(frozen=True, slots=True)
class Heat:
    """Weights with a label for each row and column."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: Floats
    note: str = "rows: output, columns: input"

    @property
    def widths(self) -> list[int]:
        """The width of each column, which is that of its label."""
        return [cell_len(name) for name in self.columns]


def heat_of(trace: Trace, width: int) -> Heat | None:
    """Average the cross maps of a trace, by input tokens if that fits the width, else by words.

    A story has a row for each sentence, and a column for each hop; a graph has both for each node.
    Glimpses have rows of beliefs. A picture that patches attend to has its grid. A sentence that
    was read has a row for each word, and a column for each word before.
    """
    if isinstance(trace.output.target, GlimpseAxis):
        return _belief_heat(trace.output.target, trace.output)
    if isinstance(trace.source, GridAxis):
        return _grid_heat(trace.source, trace.output)
    if isinstance(trace.source, SentenceAxis):
        return _story_heat(trace.source, trace.output, width)
    if isinstance(trace.source, GraphAxis):
        return _graph_heat(trace.source, trace.output)
    source, target = trace.source, trace.output.tokens
    cross = [attention.weights for attention in trace.output.maps if attention.kind == "cross"]
    if trace.task == READ:
        return _reading_heat(target, trace.output)
    if not cross:
        return None
    weights = np.mean(cross, axis=0)
    rows = tuple(_label(token.text, special=token.special) for token in target.tokens)
    columns = tuple(_label(token.text, special=token.special) for token in source.tokens)
    heat = Heat(rows, columns, weights)
    if _label_width(heat) + sum(heat.widths) <= width:
        return heat
    merged = np.zeros((len(rows), len(source.words)), dtype=np.float32)
    for column, token in enumerate(source.tokens):
        merged[:, token.word] += weights[:, column]
    read = sorted({token.word for token in source.tokens})  # the others have no token
    words = (source.words[place] for place in read)
    names = tuple(_label(word.text, special=word.special) for word in words)
    return Heat(rows, names, merged[:, read])


def _grid_heat(source: GridAxis, output: Output) -> Heat | None:
    """Return the rollout of the class token on the patches of a picture, or its row in one head."""
    shown = _class_token_map(output)
    if shown is None:
        return None
    weights = shown.weights[0, len(source.marks) :].reshape(source.rows, source.columns)
    rows, columns = (
        tuple(f"{place + 1:2}" for place in range(count)) for count in (source.rows, source.columns)
    )
    what = "rollout" if shown.kind == "rollout" else f"layer {shown.layer}, head {shown.head}"
    return Heat(rows, columns, weights, f"{what} of the class token, patch by patch")


def _class_token_map(output: Output) -> AttentionMap | None:
    """Return the map whose first row is the class token: the one head that there is, or rollout."""
    heads = [attention for attention in output.maps if attention.kind == "encoder-self"]
    rollouts = [attention for attention in output.maps if attention.kind == "rollout"]
    return next(iter(heads if len(heads) == 1 else rollouts), None)


def _story_heat(source: SentenceAxis, output: Output, width: int) -> Heat:
    """Return the weights of each sentence, hop by hop."""
    hops = hop_names(len(output.target))
    room = max(width - 4 - sum(map(len, hops)) - len(hops), LONGEST_LABEL)
    names = (
        "(no sentence)" if sentence.special else printable_text(sentence.text)
        for sentence in source.sentences
    )
    rows = tuple(_shortened(name, room) for name in names)
    weights = output.maps[0].weights.T
    return Heat(rows, hops, weights, "rows: sentences, columns: hops")


def _graph_heat(source: GraphAxis, output: Output) -> Heat:
    """Return the weights between the nodes, a mean over the heads of all layers."""
    names = tuple(_label(node.text, special=False) for node in source.nodes)
    weights = np.mean([attention.weights for attention in output.maps], axis=0)
    return Heat(names, names, weights, "rows: nodes that attend, columns: nodes that are read")


def _reading_heat(target: TokenAxis, output: Output) -> Heat:
    """Return the weights of the words before each word, those of the start first."""
    rows = tuple(_label(token.text, special=token.special) for token in target.tokens)
    columns = (START_SIGN, *rows[:-1])
    return Heat(rows, columns, output.maps[0].weights, "rows: words, columns: the words before")


def _belief_heat(target: GlimpseAxis, output: Output) -> Heat:
    """Return the belief in each class, glimpse by glimpse."""
    beliefs = [
        {alternative.text: alternative.probability for alternative in step.alternatives}
        for step in output.steps
    ]
    classes = sorted(beliefs[0])
    weights = np.array([[belief[name] for name in classes] for belief in beliefs], np.float32)
    names = tuple(f" {name} " for name in classes)
    return Heat(target.names, names, weights, "rows: glimpses, columns: belief in each class")


def _shortened(text: str, room: int) -> str:
    flat = " ".join(text.split())
    return flat if cell_len(flat) <= room else set_cell_size(flat, room - 1) + "…"


def draw(heat: Heat, console: Console) -> None:
    """Print the map, in several bands if it is wider than the terminal."""
    label_width = _label_width(heat)
    top = max(float(heat.weights.max(initial=0.0)), SMALLEST)
    levels = heat.weights / top
    for columns in _bands(heat.widths, max(console.width - label_width, LONGEST_LABEL)):
        console.print()
        gap = 1 if any(heat.widths[column] > 1 for column in columns) else 0
        head = (" " * gap).join(heat.columns[column] for column in columns)
        console.print(Text(" " * label_width + head, style="dim"), soft_wrap=True)
        for name, row in zip(heat.rows, levels, strict=True):
            cells = [_cell(float(row[column]), heat.widths[column], console) for column in columns]
            line = Text(set_cell_size(name.rjust(label_width - 1), label_width))
            console.print(line.append_text(Text(" " * gap).join(cells)), soft_wrap=True)
    console.print()
    note = f"{heat.note}; the {_extreme(console)} cell is {top:.2f}"
    console.print(Text(note, style="dim"), soft_wrap=True)


def _extreme(console: Console) -> str:
    return "brightest" if _in_colour(console) else "darkest"


def _in_colour(console: Console) -> bool:
    return console.color_system is not None and not console.no_color


def _cell(level: float, width: int, console: Console) -> Text:
    if not _in_colour(console):
        shade = SHADES[min(int(level * len(SHADES)), len(SHADES) - 1)]
        return Text(shade * width)
    mixed = (round(low + (high - low) * level) for low, high in zip(DARK, BRIGHT, strict=True))
    return Text(" " * width, Style(bgcolor="rgb({},{},{})".format(*mixed)))


def printable_text(text: str) -> str:
    """Replace characters that control the terminal, such as escape codes."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in text)


def _label(text: str, *, special: bool) -> str:
    if special:
        return END_SIGN
    safe = printable_text("".join(SPACE_SIGN if sign.isspace() else sign for sign in text))
    if not cell_len(safe):  # an accent without its letter
        return "◌" + safe
    return safe if cell_len(safe) <= LONGEST_LABEL else set_cell_size(safe, LONGEST_LABEL - 1) + "…"


def _label_width(heat: Heat) -> int:
    return max((cell_len(name) for name in heat.rows), default=0) + 2


def _bands(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    band: list[int] = []
    used = 0
    for column, width in enumerate(widths):
        if band and used + width + 1 > room:
            yield band
            band, used = [], 0
        band.append(column)
        used += width + 1
    if band:
        yield band
