"""Pictures to caption, to ask about, or to look at."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from heed.app.errors import FieldError
from heed.app.schemas import AskIn, CaptionIn, GlimpseAxisOut, GridAxisOut, SeeIn, TraceOut
from heed.app.tasks.checks import check_text
from heed.app.tasks.edits import edits_of
from heed.app.tasks.task import (
    EDITS,
    PICTURE,
    PICTURE_FILE,
    QUESTION,
    TARGET,
    Command,
    GalleryCard,
    Operation,
    Page,
    Task,
)
from heed.app.tasks.translate import search_of, target_of
from heed.models.card import Card
from heed.models.generation.requests import HeadPlace, PictureRequest
from heed.models.mechanisms import HARD
from heed.models.pictures.decode import Picture

NO_PICTURE: Final = Picture(np.zeros((0, 0, 3), np.uint8), 0, 0, "PNG", b"")
"""Stands for a picture that is not decoded yet."""


def caption_request(request: CaptionIn, card: Card) -> PictureRequest:
    """Return the request for a model, or raise a `FieldError`."""
    target, search = target_of(request.target), search_of(request.search)
    if card.mechanism == HARD:  # its cells are drawn in every kind of search
        search = replace(search, seed=request.search.seed)
    elif request.draws:
        message = (
            f"`draws` works only with hard attention; the model '{card.id}' has none. Leave it out."
        )
        raise FieldError("draws_unsupported", message, "draws")
    return PictureRequest(
        NO_PICTURE,
        None,
        target,
        search,
        request.draws,
        request.vectors,
        edits=edits_of(request.edits),
        continue_from=request.continue_from,
    )


def ask_request(request: AskIn, card: Card) -> PictureRequest:
    """Return the request for a model, or raise a `FieldError`."""
    question = check_text(request.question, "question", "question")
    return replace(caption_request(request, card), question=question)


def see_request(request: SeeIn, _card: Card) -> PictureRequest:
    """Return the request for a model, or raise a `FieldError`."""
    if request.layer is None and request.head is not None:
        raise FieldError("missing_field", "The field 'layer' is missing: 'head' needs it.", "layer")
    only = None if request.layer is None else HeadPlace(request.layer, request.head or 0)
    return PictureRequest(NO_PICTURE, only=only, edits=edits_of(request.edits))


FILE_HELP: Final = "file of the picture; - reads standard input"
OVERLAY: Final = "write a figure of the attention for each word, such as a.png"


def _reads_picture(trace: TraceOut) -> bool:
    return isinstance(trace.source, GridAxisOut) and not isinstance(trace.target, GlimpseAxisOut)


def _of_patches(trace: TraceOut) -> bool:
    """Return true for the trace of a picture whose patches attend to each other alone."""
    kinds = {attention.kind for attention in trace.maps}
    return _reads_picture(trace) and "encoder-self" in kinds and "cross" not in kinds


PICTURE_PAGE: Final = Page(
    "picture",
    "js/views/photo/view.js",
    shows=lambda trace: _reads_picture(trace) and not _of_patches(trace),
)

CAPTION: Final = Task(
    id="caption",
    does="captions pictures",
    schema=CaptionIn,
    prepared=caption_request,
    operation=Operation(
        summary="Describe a picture",
        description="Run a captioning model on a picture and return its trace.\n\n"
        "With a `target` the model writes that instead (forced decoding), and the trace contains "
        "its\nattention for each word of it.",
        tag="pictures",
        codes=(*PICTURE, *TARGET, *EDITS),
    ),
    command=Command(
        help="caption a picture",
        description="Print a caption of a picture.",
        inputs={"picture": FILE_HELP},
        answer=None,
        overlay=OVERLAY,
    ),
    page=PICTURE_PAGE,
    engine="image",
    upload=PICTURE_FILE,
    input="a picture",
)
ASK: Final = Task(
    id="ask",
    does="answers questions about pictures",
    schema=AskIn,
    prepared=ask_request,
    operation=Operation(
        summary="Ask a question about a picture",
        description="Run a model on a picture and a question, and return its trace.\n\n"
        "One attention map is over the cells of the picture (`source`), one over the words of "
        "the\n`question`.",
        tag="pictures",
        codes=(*PICTURE, *TARGET, *QUESTION, *EDITS),
    ),
    command=Command(
        help="answer a question about a picture",
        description="Print the answer to a question about a picture.",
        inputs={"picture": FILE_HELP, "question": "the question"},
        answer=None,
        overlay=OVERLAY,
    ),
    page=PICTURE_PAGE,
    engine="image",
    upload=PICTURE_FILE,
    input="a picture and {characters} characters",
)
SEE: Final = Task(
    id="see",
    does="attends among the patches of a picture",
    schema=SeeIn,
    prepared=see_request,
    operation=Operation(
        summary="Look at a picture, patch by patch",
        description="Run a Vision Transformer on a picture and return its trace.\n\n"
        "The tokens of the `source` are the class token and the patches, row by row. There is a "
        "map of\nthem to themselves for each layer and head, and one of kind `rollout`: how much "
        "the class token\nreads of each patch through all layers. The output is the likeliest "
        "class. With `layer` and\n`head` the trace has their map alone, with its scores, queries, "
        "keys and values.",
        tag="pictures",
        codes=(*PICTURE, *EDITS),
    ),
    command=Command(
        help="attend among the patches of a picture",
        description="Print the likeliest class of a picture on the first line, and below it how "
        "much the class token reads of each patch: through all layers (rollout), or in one head.",
        inputs={"picture": FILE_HELP},
        answer="class",
        overlay="write the picture under these weights, such as a.png",
    ),
    page=Page(
        "see",
        "js/views/photo/patch_view.js",
        GalleryCard(
            "A Vision Transformer sees a photo",
            "A photo is cut into patches, and every patch attends to all others, layer by layer. A "
            "class token collects what tells the class.",
            "Dosovitskiy et al. 2021, An Image Is Worth 16×16 Words",
        ),
        shows=_of_patches,
    ),
    engine="image",
    upload=PICTURE_FILE,
    input="a picture",
)
