"""The trace: the complete, self-contained record of one run of one model.

Everything either produces a `Trace` or consumes one. The orientation is defined here, for the whole
code: in an attention map **rows are output tokens (queries), columns are input tokens (keys)**, and
each row sums to 1 (with a learned sink, to less: `AttentionMap.sinks`).

Shapes: `Q` queries, `K` keys, `D` width of a vector.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heed.models.edits.operations import Edit

TRACE_SCHEMA = "heed.trace/2"

Floats = NDArray[np.float32]
MapKind = Literal["cross", "encoder-self", "decoder-self", "drawn", "rollout"]
"""`drawn`, of hard attention: the share of many draws that fell on each cell. `rollout`, of layers
of self-attention: how much the output reads of each token through all of them. The scores of both
are the logarithms of the weights."""
Order = Literal["before", "after", "fixed"]
Merge = Literal["sum", "mean"]
Finish = Literal["end", "length", "forced"]
Vectors = Literal["cross", "all"]
"""The heads whose queries, keys and values a trace has: those of cross-attention, or those of
self-attention as well."""

ROW_TOLERANCE = 1e-3


class TraceError(ValueError):
    """A trace that contradicts itself, for instance an axis and a matrix of different length."""


class Word(NamedTuple):
    """A span of the user's text, in characters (Unicode code points)."""

    text: str
    start: int
    end: int
    special: bool = False


class Token(NamedTuple):
    """A token of the input or output: a part of a word, with its span in the text."""

    id: int
    text: str
    start: int
    end: int
    word: int
    special: bool = False


@dataclass(frozen=True, slots=True)
class TokenAxis:
    """The tokens along one side of a map, and the words they merge into.

    `merge` defines how the weights of a word's tokens become the weight of the word: those of an
    input word are summed (it receives the attention of all its tokens), those of an output word are
    averaged (so that a row still sums to 1).

    `rare_words` are the indices of words that are rare in the training texts; None if unknown.
    `unknown_words`, of an output, are the indices of words that are in no training text of its
    language and not in the input: the model made them up. `copied_words` are those that are in the
    input. None if that is unknown.

    `written` is the place of the first token that the model wrote, on an axis that holds both a
    prompt and its answer; None elsewhere. `frame_seconds` is set where the tokens are frames of a
    sound: the seconds of each of them, from the first on. `patches` are the tokens that a picture
    was read as, if there is one within the text.
    """

    text: str
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    merge: Merge
    rare_words: tuple[int, ...] | None = None
    unknown_words: tuple[int, ...] | None = None
    copied_words: tuple[int, ...] | None = None
    written: int | None = None
    frame_seconds: float | None = None
    patches: Patches | None = None

    def __post_init__(self) -> None:
        if self.patches is not None:
            first, grid = self.patches
            if not (first >= 0 and not grid.marks and first + len(grid) <= len(self.tokens)):
                raise TraceError("the patches of the picture are not tokens of the axis")
        if self.written is not None and not 0 <= self.written <= len(self.tokens):
            raise TraceError(f"the axis has no token {self.written} that the model wrote")
        for token in self.tokens:
            if not 0 <= token.word < len(self.words):
                raise TraceError(
                    f"token {token.text!r} names word {token.word}, which does not exist"
                )
            if not 0 <= token.start <= token.end <= len(self.text):
                raise TraceError(f"token {token.text!r} is outside the text")

    def __len__(self) -> int:
        return len(self.tokens)


def word_axis(
    text: str, words: Sequence[Word], ids: Sequence[int], merge: Merge, unknown: int
) -> TokenAxis:
    """Build an axis whose tokens are words; all words that are not known have the id `unknown`."""
    tokens = tuple(
        Token(id, word.text, word.start, word.end, place, word.special)
        for place, (id, word) in enumerate(zip(ids, words, strict=True))
    )
    rare = tuple(place for place, id in enumerate(ids) if id == unknown)
    return TokenAxis(text, tokens, tuple(words), merge, rare)


@dataclass(frozen=True, slots=True)
class GridAxis:
    """The cells of a picture, row by row, and the rectangle of the user's picture they cover.

    `marks` are the names of tokens before the cells that are no part of the picture, such as the
    class token of a vision transformer.
    """

    rows: int
    columns: int
    left: float
    top: float
    width: float
    height: float
    marks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.marks) + self.rows * self.columns


class Patches(NamedTuple):
    """The tokens of an axis that are the patches of a picture: so many from `first` on."""

    first: int
    grid: GridAxis


@dataclass(frozen=True, slots=True)
class SentenceAxis:
    """The sentences of a story, each read as a whole; a special one is not part of the text.

    `unknown_words` are the words that the model does not know and reads all alike.
    """

    text: str
    sentences: tuple[Word, ...]
    unknown_words: tuple[Word, ...] = ()

    def __post_init__(self) -> None:
        for span in (*self.sentences, *self.unknown_words):
            if not 0 <= span.start <= span.end <= len(self.text):
                raise TraceError(f"{span.text!r} is outside the story")

    def __len__(self) -> int:
        return len(self.sentences)


@dataclass(frozen=True, slots=True)
class HopAxis:
    """The hops after which a model answers: `text` is its answer after the last of them."""

    text: str
    hops: int

    def __len__(self) -> int:
        return self.hops

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the hops."""
        return hop_names(self.hops)


class Box(NamedTuple):
    """A square of the picture, in its pixels."""

    left: float
    top: float
    side: float


@dataclass(frozen=True, slots=True)
class GlimpseAxis:
    """The glimpses at a picture in their order: the squares that each saw, the finest first.

    `text` is the class that the model believes in after the last of them.
    """

    text: str
    glimpses: tuple[tuple[Box, ...], ...]

    def __post_init__(self) -> None:
        if any(not boxes or min(box.side for box in boxes) <= 0 for boxes in self.glimpses):
            raise TraceError("a glimpse sees no square")

    def __len__(self) -> int:
        return len(self.glimpses)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the glimpses."""
        return glimpse_names(len(self))


def hop_names(hops: int) -> tuple[str, ...]:
    """Return the names of so many hops, counted from 1."""
    return tuple(f"hop {hop + 1}" for hop in range(hops))


class Node(NamedTuple):
    """A node of a graph, at its place on a drawing, with the classes that are given for it.

    The places of all nodes lie between 0 and 1. A known class is certain; a hint may be wrong.
    """

    text: str
    x: float
    y: float
    known: int | None = None
    hint: int | None = None


@dataclass(frozen=True, slots=True)
class GraphAxis:
    """The nodes of a graph, the edges between them, and the names of the classes of nodes."""

    text: str  # the title, or the size
    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int], ...]
    classes: tuple[str, ...]

    def __post_init__(self) -> None:
        for edge in self.edges:
            if not all(0 <= end < len(self.nodes) for end in edge):
                raise TraceError(f"the edge {edge} joins a node that does not exist")
        for node in self.nodes:
            for given in (node.known, node.hint):
                if given is not None and not 0 <= given < len(self.classes):
                    raise TraceError(f"{node.text!r} has a class that does not exist")

    def __len__(self) -> int:
        return len(self.nodes)


@dataclass(frozen=True, slots=True)
class ClassAxis:
    """The nodes of a graph as a model classified them: `text` is how many it found of each."""

    text: str
    nodes: tuple[str, ...]
    classes: tuple[str, ...]  # of each node

    def __len__(self) -> int:
        return len(self.nodes)


def glimpse_names(glimpses: int) -> tuple[str, ...]:
    """Return the names of so many glimpses, counted from 1."""
    return tuple(f"glimpse {glimpse + 1}" for glimpse in range(glimpses))


Axis = TokenAxis | GridAxis | SentenceAxis | GraphAxis
TargetAxis = TokenAxis | HopAxis | ClassAxis | GlimpseAxis
AxisName = Literal["source", "target", "decoder_input", "question"]
"""`decoder_input` is the target shifted by one step: a start token, then every token except the
last. It is the key axis of a decoder's self-attention. `question` is the question about a picture
or a story, which is then the source."""


class HeadVectors(NamedTuple):
    """The queries, keys and values of a head, whose output is Σ α·v.

    The score is e = q·k / √D; that of a graph attention network is a·LeakyReLU(q + k), that of a
    memory tape v·tanh(q + k).
    """

    queries: Floats  # (Q, D)
    keys: Floats  # (K, D)
    values: Floats  # (K, D)


class AttentionMap(NamedTuple):
    """The weights and scores of one head, checked against its two axes."""

    kind: MapKind
    layer: int
    head: int
    query: AxisName
    key: AxisName
    weights: Floats  # (Q, K)
    scores: Floats  # (Q, K), before the softmax; -inf where a key was masked
    vectors: HeadVectors | None = None  # where a head projects its inputs
    sinks: Floats | None = None  # (Q,), the weight of a row on a learned sink, or on padding
    states: Floats | None = None  # (Q, D), of the rows after the layer

    def check(self, lengths: Mapping[AxisName, int]) -> None:
        """Raise `TraceError` unless the matrix fits its axes."""
        if missing := {self.query, self.key} - set(lengths):
            raise TraceError(f"a {self.kind} map has the axes {missing}, which do not exist")
        wanted = (lengths[self.query], lengths[self.key])
        for name, matrix in (("weights", self.weights), ("scores", self.scores)):
            if matrix.shape != wanted:
                raise TraceError(f"{self.kind} {name} have shape {matrix.shape}, the axes {wanted}")
        if self.sinks is not None and self.sinks.shape != wanted[:1]:
            raise TraceError(f"a {self.kind} map has {len(self.sinks)} sinks for {wanted[0]} rows")
        if self.states is not None and len(self.states) != wanted[0]:
            raise TraceError(
                f"a {self.kind} map has {len(self.states)} states for {wanted[0]} rows"
            )
        if self.vectors:
            counts = tuple(map(len, (self.vectors.queries, self.vectors.keys, self.vectors.values)))
            if counts != (*wanted, wanted[1]):
                raise TraceError(
                    f"{self.kind} has {counts} queries, keys and values, the axes {wanted}"
                )


def check_rows(maps: Sequence[AttentionMap]) -> None:
    """Raise `TraceError` unless the rows of all these maps, with their sinks, sum to 1."""
    alike: dict[tuple[int, ...], list[AttentionMap]] = {}
    for attention in maps:
        alike.setdefault(attention.weights.shape, []).append(attention)
    for (rows, _), those in alike.items():
        sums = np.array([attention.weights for attention in those]).sum(axis=-1)
        for total, attention in zip(sums, those, strict=True):
            if attention.sinks is not None:
                total += attention.sinks
        off = abs(sums - 1.0)
        # Written as a negation so that NaN is refused, too.
        if rows and not off.max() <= ROW_TOLERANCE:
            first = next(
                attention
                for attention, far in zip(those, off, strict=True)
                if not far.max() <= ROW_TOLERANCE
            )
            raise TraceError(f"a row of the {first.kind} map does not sum to 1")


class Alternative(NamedTuple):
    """An alternative to the token of a step, with its probability."""

    id: int
    text: str
    probability: float


def likeliest(
    logs: Floats, text_of: Callable[[int], str], most: int | None = None
) -> tuple[Alternative, ...]:
    """Return the likeliest answers by their log probabilities, the best first."""
    order = np.argsort(-logs, kind="stable")[:most].tolist()
    return tuple(Alternative(id, text_of(id), math.exp(logs[id])) for id in order)


class Drawn(NamedTuple):
    """The one cell that hard attention used, sampled from the row of the map."""

    cell: int
    log_probability: float


class TraceStep(NamedTuple):
    """The numbers of one output token, which the target axis holds, or of one hop or glimpse.

    For a node of a graph, those that led to its class; the vectors are those of the last layer.

    After a hop or a glimpse, `log_probability` is that of the final answer, and the alternatives
    are the likeliest answers if the model stopped there.
    """

    log_probability: float
    alternatives: tuple[Alternative, ...]
    query: Floats  # (D,), s₍t-1₎ or sₜ, by the order of attention; u of a hop
    context: Floats  # (D,), Σ α·value; g of a glimpse
    state: Floats  # (D,), of the decoder, after this step
    gate: float | None = None  # β: the context enters as β·c (Xu et al. 2015, 4.2.1)
    drawn: Drawn | None = None
    keys: Floats | None = None  # (K, D), of a hop: e = query · key
    values: Floats | None = None  # (K, D), of a hop: the context is Σ α·value
    seen: Floats | None = None  # (scales, rows, columns), the patches of a glimpse, finest first
    cell: Floats | None = None  # (D,), c of the word that an LSTM with a memory tape read last
    cell_context: Floats | None = None  # (D,), Σ α·c over the tape; `context` is Σ α·h
    gates: Floats | None = None  # (3, D), i, f and o, by which that word was read


@dataclass(frozen=True, slots=True)
class Output:
    """One finished hypothesis: its tokens, their attention and the numbers of its steps.

    There are no steps if only attention was recorded.
    """

    target: TargetAxis
    maps: tuple[AttentionMap, ...]
    steps: tuple[TraceStep, ...]
    log_probability: float
    score: float  # length-normalised log-probability, by which beams are ranked
    finish: Finish

    @property
    def text(self) -> str:
        """The output text."""
        return self.target.text

    @property
    def tokens(self) -> TokenAxis:
        """The axis of the tokens written; `TraceError` of a model that writes none."""
        if not isinstance(self.target, TokenAxis):
            raise TraceError("this output has no tokens")
        return self.target


@dataclass(frozen=True, slots=True)
class ModelStamp:
    """The model that made a trace, identified by the digest of all its weights."""

    id: str
    weights: str
    mechanism: str
    order: Order


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The search for the output; not used if a target is given.

    `seed` is also the seed of the cells that hard attention samples, in every kind of search.
    """

    kind: Literal["greedy", "beam", "sample"] = "greedy"
    beam: int = 1
    seed: int = 0
    temperature: float = 1.0
    length_penalty: float = 1.0


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """The request, sufficient to repeat the run. For a picture, `text` is the question about it.

    For a story, `text` is the story; the trace has the question. For a graph, it is its notation.
    """

    text: str
    search: SearchRequest = field(default_factory=SearchRequest)
    target: str | None = None
    draws: int = 0  # of hard attention, for the map of kind `drawn`
    vectors: Vectors = "cross"
    edits: tuple[Edit, ...] = ()  # those that change something
    continue_from: int | None = None  # the step from which the model writes on by itself


class Change(NamedTuple):
    """The effect of edits on one step, while the words of the run without them are forced.

    The log-probability of the word before and after, and the Kullback-Leibler divergence of the
    distribution over the whole vocabulary after the edits from that before them, in nats.
    """

    before: float
    after: float
    divergence: float


@dataclass(frozen=True, slots=True)
class Baseline:
    """The run without the edits, and what they changed.

    `parts_at` is the first step at which both texts differ; None if they are equal. `unused` are
    the edits of steps that the edited run did not reach. `source` is that of a model whose input
    and output stand on one axis; others have that of the trace.
    """

    output: Output
    changes: tuple[Change, ...]  # of each step of the output
    parts_at: int | None
    unused: tuple[int, ...] = ()
    source: TokenAxis | None = None

    @property
    def text(self) -> str:
        """The text of the run."""
        return self.output.text

    @property
    def maps(self) -> tuple[AttentionMap, ...]:
        """The maps of the run."""
        return self.output.maps


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds in the model, for the whole batch that this text was part of."""

    encode_ms: float
    decode_ms: float


@dataclass(frozen=True, slots=True)
class PictureInfo:
    """The user's picture, in the orientation in which it is displayed."""

    width: int  # in pixels, the unit of the grid axis
    height: int
    format: str
    preview: bytes  # a small JPEG without metadata, so that a trace can be displayed by itself


@dataclass(frozen=True, slots=True)
class TraceHeader:
    """The part of a trace that exists before the first step."""

    model: ModelStamp
    task: str
    request: TraceRequest
    source: Axis
    picture: PictureInfo | None = None
    question: TokenAxis | None = None

    @property
    def lengths(self) -> dict[AxisName, int]:
        """The lengths of the input axes."""
        lengths: dict[AxisName, int] = {"source": len(self.source)}
        if self.question is not None:
            lengths["question"] = len(self.question)
        return lengths


@dataclass(frozen=True, slots=True)
class Trace:
    """One run of one model: its input, its output and the attention of every step.

    A model that only reads has an empty output, whose maps are those of its self-attention.
    """

    model: ModelStamp
    task: str
    request: TraceRequest
    source: Axis
    output: Output
    runners_up: tuple[Output, ...]
    timing: Timing
    memory: Floats | None = None  # (K, D), a vector h for each input token
    picture: PictureInfo | None = None
    question: TokenAxis | None = None
    positions: Floats | None = None  # (K, K), the likeness of the positional embeddings
    baseline: Baseline | None = None  # of an edited run

    def __post_init__(self) -> None:
        if self.positions is not None and self.positions.shape != (len(self.source),) * 2:
            raise TraceError("the positions of a trace are those of its input tokens")
        if self.memory is not None and len(self.memory) != len(self.source):
            raise TraceError("a trace has one vector of memory per input token")
        runs = [(output, self.source) for output in (self.output, *self.runners_up)]
        if self.baseline is not None:
            runs.append((self.baseline.output, self.baseline.source or self.source))
        for output, source in runs:
            if output.steps and len(output.steps) != len(output.target):
                raise TraceError("a trace has one step per output token, or none at all")
            written = len(output.target)
            lengths: dict[AxisName, int] = {"source": len(source), "target": written}
            lengths["decoder_input"] = written
            if self.question is not None:
                lengths["question"] = len(self.question)
            for attention_map in output.maps:
                attention_map.check(lengths)
            check_rows(output.maps)
            for step in output.steps:
                if step.drawn and not 0 <= step.drawn.cell < len(self.source):
                    raise TraceError(f"cell {step.drawn.cell} was drawn, which does not exist")
                for vectors in (step.keys, step.values):
                    if vectors is not None and len(vectors) != len(self.source):
                        raise TraceError("a hop has one key and one value per sentence")

    @property
    def text(self) -> str:
        """The output text."""
        return self.output.text
