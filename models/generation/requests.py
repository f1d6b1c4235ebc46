"""The requests that models are run with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from heed.models.edits.operations import Edit
from heed.models.errors import InputError
from heed.models.graphs.notation import NamedGraph
from heed.models.pictures.decode import Picture
from heed.models.sounds.read import Sound
from heed.models.trace import SearchRequest, Vectors


class HeadPlace(NamedTuple):
    """A layer and one of its heads, both counted from 0."""

    layer: int
    head: int

    def check(self, model: str, layers: int, heads: int) -> None:
        """Raise `InputError` if a model with so many layers and heads has no such head."""
        for name, place, count in zip(("layer", "head"), self, (layers, heads), strict=True):
            if place >= count:
                message = f"There is no {name} {place}: {model} has {count}, counted from 0."
                raise InputError("out_of_range", message, name)


@dataclass(frozen=True, slots=True)
class TextRequest:
    """A text to read; with a target, the output is forced to be that.

    With `continue_from`, the model writes on by itself from that step; the words before are those
    of the target, or of the run without edits.

    Unless `by_tiles`, kernels use no tiles (AMX), so that no bit of the answer depends on the
    requests that are run with it.
    """

    text: str
    target: str | None = None
    search: SearchRequest = field(default_factory=SearchRequest)
    vectors: Vectors = "cross"
    by_tiles: bool = True
    edits: tuple[Edit, ...] = ()
    continue_from: int | None = None


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A picture to read; a question to answer about it, or a target to force.

    `draws` is how often hard attention draws again for the caption that was written. `only` is the
    head whose map the trace of patches has, with its vectors; None for all maps without them.
    `by_tiles`, `edits` and `continue_from` are those of `TextRequest`. The digest of its file
    stands for the picture.
    """

    picture: Picture = field(compare=False)
    question: str | None = None
    target: str | None = None
    search: SearchRequest = field(default_factory=SearchRequest)
    draws: int = 0
    vectors: Vectors = "cross"
    only: HeadPlace | None = None
    by_tiles: bool = True
    digest: bytes = b""
    edits: tuple[Edit, ...] = ()
    continue_from: int | None = None


@dataclass(frozen=True, slots=True)
class StoryRequest:
    """A story to read, and a question to answer about it."""

    story: str
    question: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphRequest:
    """A graph whose nodes are to be classified, and its notation."""

    graph: NamedGraph
    text: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class GlimpseRequest:
    """A picture of a digit, to be read in glimpses. The digest of its file stands for it."""

    picture: Picture = field(compare=False)
    digest: bytes = b""


@dataclass(frozen=True, slots=True)
class TapeRequest:
    """A sentence to read word by word."""

    text: str
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class SoundRequest:
    """A sound to transcribe; a target to force. The digest of its file stands for it."""

    sound: Sound = field(compare=False)
    digest: bytes = b""
    target: str | None = None
    search: SearchRequest = field(default_factory=SearchRequest)
    vectors: Vectors = "cross"


Request = (
    TextRequest
    | PictureRequest
    | StoryRequest
    | GraphRequest
    | GlimpseRequest
    | TapeRequest
    | SoundRequest
)
