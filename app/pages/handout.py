"""A lesson on paper: its words, a figure of each step, its questions, and then the answers."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
import orjson
from jinja2 import Environment, FileSystemLoader, Template
from markupsafe import Markup, escape

from heed.app.pages.lesson_run import StepRuns, runs_of, sample
from heed.app.pages.lessons import Lesson, Step
from heed.app.pages.table import MARKS, cross_weights, table_of
from heed.app.schemas import GridAxisOut, TokenAxisOut, TraceOut
from heed.models.catalogue import Catalogue
from heed.output.map_figure import table_svg
from heed.output.page.environment import TEMPLATES

CHECKED = "It depends on your run: press “Show the answer” on the page."
INPUTS = ("text", "story", "question")
PHOTO_WIDTH = 320
MOST_COLUMNS = 24
"""Of a figure that can be read on paper."""


class Sheet(NamedTuple):
    """A step on paper."""

    step: Step
    figures: tuple[Markup, ...]
    answer: str


def handout_of(
    lesson: Lesson, traces: Mapping[str, Mapping[str, object]], catalogue: Catalogue
) -> str:
    """Return a lesson as a page to print, from the traces of its runs."""
    sheets = [_sheet(step, traces, catalogue) for step in lesson.steps]
    return _template().render(lesson=lesson, sheets=sheets)


@cache
def _template() -> Template:
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
    return environment.get_template("handout.html")


def _sheet(step: Step, traces: Mapping[str, Mapping[str, object]], catalogue: Catalogue) -> Sheet:
    shown = next(runs_of(step, catalogue), None)
    if shown is None:
        return Sheet(step, (), _answer(step, None))
    read = [_read(traces[run.key]) for run in shown.runs]
    answer = _answer(step, read[0])
    if step.state.predict:  # a figure would show the answer
        return Sheet(step, (_input(shown),), answer)
    figures = (_input(shown), *(_figure(trace, shown) for trace in read))
    return Sheet(step, figures, answer)


def _input(shown: StepRuns) -> Markup:
    """Return what the model reads, if it is a text."""
    texts = [str(shown.address[name]) for name in INPUTS if name in shown.address]
    return Markup("").join(Markup("<p><b>Input</b> {}</p>").format(text) for text in texts)


def _read(trace: Mapping[str, object]) -> TraceOut:
    return TraceOut.model_validate_json(orjson.dumps(trace, option=orjson.OPT_SERIALIZE_NUMPY))


def _figure(trace: TraceOut, shown: StepRuns) -> Markup:
    """Draw a trace: its output, and its map where there is one."""
    if isinstance(trace.source, GridAxisOut) and "sample" in shown.address:
        return _photo(trace, str(shown.address["sample"]), int(shown.address.get("step", 2)) - 1)
    words = Markup("<p><b>{}</b> {}</p>").format(trace.model.id, trace.text)
    table = table_of(trace)
    if table is None or len(table.columns) > MOST_COLUMNS:
        return words
    if any(isinstance(cell, str) for _, cells in table.rows for cell in cells):
        return words
    weights = np.asarray([cells for _, cells in table.rows], dtype=np.float32)
    rows = [name for name, _ in table.rows]
    drawn = table_svg(trace.model.id, rows, table.columns, weights, list(MARKS.values()))
    return words + Markup(drawn)  # noqa: S704


def _photo(trace: TraceOut, name: str, step: int) -> Markup:
    """Draw the photo under the weights of one word."""
    weights, source = cross_weights(trace.maps), trace.source
    words = Markup("<p><b>{}</b> {}</p>").format(trace.model.id, trace.text)
    if weights is None or not isinstance(source, GridAxisOut) or trace.picture is None:
        return words
    height = PHOTO_WIDTH * trace.picture.height / trace.picture.width
    wide, high = PHOTO_WIDTH / source.columns, height / source.rows
    row = weights[min(max(step, 0), len(weights) - 1)][-source.rows * source.columns :]
    cells = "".join(
        f'<rect x="{place % source.columns * wide:.1f}" y="{place // source.columns * high:.1f}" '
        f'width="{wide:.1f}" height="{high:.1f}" fill="#fff" '
        f'fill-opacity="{0.75 * (1 - weight / row.max()):.2f}"/>'
        for place, weight in enumerate(row)
    )
    content = base64.b64encode(sample(name)).decode()
    target, word = trace.target, ""
    if isinstance(target, TokenAxisOut):
        word = target.tokens[min(step, len(target.tokens) - 1)].text.strip()
    about = escape(f"Bright where the model looked while it wrote “{word}”.")
    return words + Markup(  # noqa: S704
        f'<svg width="{PHOTO_WIDTH}" height="{height:.0f}" role="img"><title>{about}</title>'
        f'<image href="data:image/jpeg;base64,{content}" width="{PHOTO_WIDTH}" '
        f'height="{height:.0f}"/>{cells}</svg><p>{about}</p>'
    )


def _answer(step: Step, trace: TraceOut | None) -> str:
    """Return the answer of a step, or nothing."""
    state = step.state
    if state.do:
        return f"{state.do.suggestion} For example: {_listed(state.do.show)}"
    if state.check:
        return CHECKED
    if state.recall:
        return " ".join(f"{question.answer}. {question.why}" for question in state.recall)
    if state.predict and trace and state.predict.of != "cell":
        return _guessed(step, trace)
    return ""


def _listed(parameters: Mapping[str, object]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in parameters.items())


def _guessed(step: Step, trace: TraceOut) -> str:
    """Return what the learner guesses: the next token, or the strongest input word."""
    at = int(step.state.address.get("step", 1)) - 1
    predict, target, table = step.state.predict, trace.target, table_of(trace)
    if not isinstance(target, TokenAxisOut) or not 0 <= at < len(target.tokens) or not predict:
        return ""
    if predict.of == "next":
        return f"“{target.tokens[at].text}”."
    if table is None:
        return ""
    kept = sorted({token.word for token in target.tokens})
    cells = np.asarray(table.rows[kept.index(target.tokens[at].word)][1], dtype=np.float64)
    return f"“{table.columns[int(cells.argmax())]}”, with a weight of {cells.max():.2f}."
