"""`heed.trace` and `heed.record`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heed.models.card import READ, SEE, Card
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.errors import RecordingError
from heed.models.generation.requests import PictureRequest, TapeRequest, TextRequest
from heed.models.pictures.decode import decode_picture, picture_bytes
from heed.models.recording.search import Beam, Greedy, Sample, Search
from heed.models.trace import SearchRequest, Vectors
from heed.models.trace import Trace as Run
from heed.traced import Trace

if TYPE_CHECKING:
    from torch import nn

    from heed.models.edits.operations import Edit
    from heed.models.recording.tape import Edit as RecordingEdit
    from heed.models.recording.tape import Tape
    from heed.models.recording.tracer import Tracer

__all__ = ["Beam", "Greedy", "Recording", "Sample", "Search", "record", "trace"]

MAX_TOKENS = 128
ALIKE = 0.8
"""Names that are this similar to that of a model of Heed are taken for mistyped."""


def trace(
    model: Any,
    *inputs: Any,
    target: str | None = None,
    search: Search | None = None,
    max_tokens: int = MAX_TOKENS,
    vectors: Vectors = "cross",
    edits: Sequence[Edit] = (),
    continue_from: int | None = None,
) -> Trace:
    """Run a model on an input and record its attention.

    `model` is the id of a model of Heed, the folder of a Hugging Face model, its id on the hub
    (`owner/name`), or a model that you have loaded. The last input is a text, a picture (a PIL
    image, or the path of a file) or samples of audio; a loaded model has its tokenizer or processor
    before it.

    With `target` the output is forced to be that. `search` is `Greedy()`, `Beam(4)` or
    `Sample(seed=0)`, by default what the model's own settings say. `vectors="all"` keeps queries,
    keys and values of self-attention too.

    `edits`, such as `heed.Block(words="not", queries=4)`, change the attention of the model while
    it writes, and `baseline` of the trace is the run without them. From step `continue_from` on it
    writes by itself, after the tokens of the target or of that run.

    >>> found = trace("dates-additive", "3 May 2026")
    >>> found.text
    '2026-05-03'
    >>> found.maps[0].weights.shape
    (11, 11)
    """
    if not inputs:
        raise TypeError("trace needs an input behind the model: a text, a picture or audio")
    *processors, given = inputs
    if isinstance(model, str) and "/" not in model and model in shipped_models().cards:
        if processors:
            raise TypeError(f"{model} has its own tokenizer: give it the input alone")
        return _shipped(model, given, target, search, vectors, tuple(edits), continue_from)
    tracer = tracer_of_own(model, *processors)
    return _traced(
        partial(
            tracer.trace,
            given,
            target=target,
            search=search,
            max_tokens=max_tokens,
            vectors=vectors,
        ),
        tuple(edits),
        continue_from,
    )


def tracer_of_own(model: Any, *processors: Any) -> Tracer:
    """Return the tracer of a model of transformers: a folder, an id of the hub, or loaded."""
    from heed.models.recording.load import load_tracer, tracer_of

    if not isinstance(model, str | Path):
        return tracer_of(model, *processors)
    if not Path(model).exists():
        _check_name(str(model))
    if processors:
        raise TypeError("a model that is loaded here has its own tokenizer: give the input alone")
    return load_tracer(model)


def _check_name(name: str) -> None:
    """Raise `RecordingError` for a model of Heed that is not installed, or a mistyped name."""
    if hint := shipped_models().hint(name):
        raise RecordingError(hint)
    if close := get_close_matches(name, shipped_models().cards, 1, ALIKE):
        raise RecordingError(f"There is no model {name}. Did you mean {close[0]}?")


def _traced(run: Callable[..., Run], edits: tuple[Edit, ...], continue_from: int | None) -> Trace:
    """Trace a model of one's own, so that it can be run again under other edits."""
    traced = run(edits=edits, continue_from=continue_from)
    return Trace(traced, again=partial(_traced, run))


@cache
def shipped_models() -> Catalogue:
    """The models that ship with Heed."""
    return Catalogue(DEFAULT_DIRECTORY)


def _shipped(
    model: str,
    given: Any,
    target: str | None,
    search: Search | None,
    vectors: Vectors,
    edits: tuple[Edit, ...],
    continue_from: int | None,
) -> Trace:
    """Trace a model of Heed."""
    catalogue = shipped_models()
    card = catalogue.cards[model]
    wanted = search.request if search else SearchRequest()
    request: TextRequest | PictureRequest | TapeRequest
    if continue_from is not None and card.task in (READ, SEE):
        raise TypeError(f"{model} writes nothing: leave continue_from out")
    if card.task == READ and isinstance(given, str):
        if target is not None or search is not None:
            raise TypeError(f"{model} writes nothing: leave target and search out")
        request = TapeRequest(given, edits)
    elif card.reads_pictures:
        picture = decode_picture(picture_bytes(given))
        request = PictureRequest(
            picture,
            target=target,
            search=wanted,
            vectors=vectors,
            edits=edits,
            continue_from=continue_from,
        )
    elif isinstance(given, str):
        request = TextRequest(
            given, target, wanted, vectors, edits=edits, continue_from=continue_from
        )
    else:
        raise TypeError(f"{model} reads a text, not a {type(given).__name__}")
    [run] = catalogue.load(model).run([request])
    again = partial(_shipped, model, given, target, search, vectors)
    return Trace(run, partial(_described, card), again)


def _described(card: Card) -> dict[str, object]:
    """Describe a model of Heed, as the page describes models."""
    from heed.output.model import described

    return described(card)


class Recording:
    """The attention that a module computed while it was recorded."""

    def __init__(self, tape: Tape, name: str) -> None:
        self.tape = tape
        self._name = name

    @property
    def paths(self) -> list[str]:
        """The paths of the modules that attended, in order."""
        return [call.path for call in self.tape.calls]

    def trace(
        self,
        *,
        queries: Sequence[str] | None = None,
        keys: Sequence[str] | None = None,
        row: int = 0,
        vectors: Vectors = "all",
    ) -> Trace:
        """Return what was recorded of one row of the batch as a trace.

        `keys` names the tokens of the input, `queries` those of the output; without them they are
        numbered. Names leave padding behind them out. A module that attends to itself alone has one
        axis, of its keys.
        """
        from heed.models.recording.plain import plain_trace

        return Trace(plain_trace(self.tape, self._name, queries, keys, row, vectors))


@contextmanager
def record(module: nn.Module, *, edit: RecordingEdit | None = None) -> Iterator[Recording]:
    """Record the attention of any PyTorch module while it runs in the block.

    Seen are `scaled_dot_product_attention`, `nn.MultiheadAttention`, the attention interface of
    transformers, and modules that return their weights. `edit` is called with the path of a module,
    its scores and its weights, and returns the weights that it goes on with.

    >>> import torch
    >>> module = torch.nn.MultiheadAttention(8, 2)
    >>> x = torch.zeros(3, 1, 8)
    >>> with record(module) as recording:
    ...     _ = module(x, x, x)
    >>> recording.trace(keys=["a", "b", "c"]).maps[1].weights.shape
    (3, 3)
    """
    from torch import nn

    from heed.models.recording.record import recording
    from heed.models.recording.tape import hook_of

    if not isinstance(module, nn.Module):
        raise RecordingError(f"An object of type {type(module).__name__} is no torch module.")
    with recording(module, hook_of(edit)) as tape:
        yield Recording(tape, type(module).__name__)
