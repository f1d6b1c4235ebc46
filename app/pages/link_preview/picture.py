"""The preview picture of a link: a trace as a PNG, drawn without a browser."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Final

from PIL import Image, ImageDraw

from heed.app.pages.link_preview.figures import LONGEST_NAME, draw_map, draw_photo, draw_vector
from heed.app.pages.link_preview.graph import draw_graph
from heed.app.pages.link_preview.typeface import (
    ACCENT,
    INK,
    PAPER,
    SOFT,
    drawable,
    font,
    paragraph,
)
from heed.app.pages.table import table_of
from heed.app.schemas import (
    ClassAxisOut,
    GlimpseAxisOut,
    GraphAxisOut,
    GridAxisOut,
    SentenceAxisOut,
    TokenAxisOut,
    TraceOut,
)
from heed.output.colours import SCALE

SIZE: Final = (1200, 630)
MARGIN = 64
LEFT = 500
"""Width of the text; the figure has the rest."""
LONG = 160
"""Characters of both texts, beyond which they are set smaller."""
LONGEST_SENTENCE = 330
"""Width of the name of a row that is a sentence."""
MARK = ((6, 2, 1), (2, 5, 2), (1, 3, 6))
"""The cells of the logo, as places on the colour scale."""
TAGLINE = "Attention, made visible: see which words a translator looks at for every word it writes."


def picture(
    trace: TraceOut | None, model_name: str = "", check: Callable[[], None] = lambda: None
) -> bytes:
    """Return the preview of a trace, or of the site, as a PNG.

    However large the trace is, few pieces of it are drawn. Before each part of the picture `check`
    is called, which raises an error if nobody waits for it any more.
    """
    image = Image.new("RGB", SIZE, PAPER)
    brush = ImageDraw.Draw(image)
    _brand(brush)
    if trace is None:
        paragraph(brush, TAGLINE, (MARGIN, 250), SIZE[0] - 2 * MARGIN, 52, INK, 3)
    else:
        _texts(brush, trace, model_name)
        check()
        room = (MARGIN + LEFT + 40, 130, SIZE[0] - MARGIN, SIZE[1] - MARGIN)
        glimpses = isinstance(trace.target, GlimpseAxisOut)
        if isinstance(trace.source, GridAxisOut) and trace.picture and not glimpses:
            draw_photo(image, trace, trace.source, trace.picture, room)
        elif isinstance(trace.source, GraphAxisOut) and isinstance(trace.target, ClassAxisOut):
            draw_graph(brush, trace.source, trace.target, room)
        elif table := table_of(trace):
            of_story = isinstance(trace.source, SentenceAxisOut)
            draw_map(image, table, room, LONGEST_SENTENCE if of_story else LONGEST_NAME)
        else:
            draw_vector(brush, trace, room)
    check()
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()


def _brand(brush: ImageDraw.ImageDraw) -> None:
    for y, row in enumerate(MARK):
        for x, shade in enumerate(row):
            corner = (MARGIN + 16 * x, 52 + 16 * y)
            box = (*corner, corner[0] + 13, corner[1] + 13)
            brush.rounded_rectangle(box, 3, fill=SCALE[shade])
    brush.text((MARGIN + 64, 76), "Heed", INK, font("Serif", 38), anchor="lm")


def _texts(brush: ImageDraw.ImageDraw, trace: TraceOut, model_name: str) -> None:
    texts = [trace.source.text] if isinstance(trace.source, TokenAxisOut | GraphAxisOut) else []
    if isinstance(trace.source, SentenceAxisOut) and trace.question:
        texts = [trace.question.text]  # the story is the figure
    texts += [trace.request.text] if not texts and trace.request.text else []
    size = 36 if sum(map(len, [*texts, trace.text])) <= LONG else 28
    lines = round(360 / (1.36 * size))
    y = 150
    for text in texts:
        y = paragraph(brush, text, (MARGIN, y), LEFT, size, INK, lines // 2) + 20
    paragraph(brush, trace.text or "(nothing)", (MARGIN, y), LEFT, size, ACCENT, (lines + 1) // 2)
    place = (MARGIN, SIZE[1] - MARGIN)
    brush.text(place, drawable(model_name), SOFT, font("Sans", 22), anchor="ls")
