"""A trace with what a person does with it: look at it, and save it.

What one form alone needs is imported when a trace is saved in it.
"""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from heed.models.card import SEE
from heed.models.errors import RecordingError
from heed.models.mechanisms import mechanism_named
from heed.models.trace import AttentionMap, Axis, Baseline, GridAxis, Output, TargetAxis
from heed.models.trace import Trace as Run
from heed.output.serialize import Detail, deferred_trace_out, trace_out

if TYPE_CHECKING:
    from heed.models.edits.operations import Edit
    from heed.notebook import TraceWidget

Again = Callable[[tuple["Edit", ...], "int | None"], "Trace"]
"""Runs a model once more, under edits, and from a step on."""
HEIGHT = 720
"""Of a trace in a notebook, in pixels."""
FORMATS = ".json, .npz, .html or .svg, and of a picture with its caption as .png"


class Trace:
    """One run of one model: its input, its output and its attention.

    `run` is the record itself, with every number; the other members are what is wanted most.
    """

    def __init__(
        self,
        run: Run,
        describe: Callable[[], Mapping[str, object]] | None = None,
        again: Again | None = None,
    ) -> None:
        self.run = run
        self._again = again
        self._describe = describe or partial(model_of, run)

    @property
    def text(self) -> str:
        """The text that the model wrote; empty for a model that only reads."""
        return self.run.output.text

    @property
    def maps(self) -> Sequence[AttentionMap]:
        """The attention maps: cross-attention, then the decoder's, then the encoder's.

        Those of a kind stand in the order of their layers, those of a layer in that of its heads.
        """
        return self.run.output.maps

    @property
    def source(self) -> Axis:
        """The axis of the input: tokens, or the patches of a picture."""
        return self.run.source

    @property
    def target(self) -> TargetAxis:
        """The axis of the output."""
        return self.run.output.target

    @property
    def runners_up(self) -> Sequence[Output]:
        """The other hypotheses of a beam search, the best first."""
        return self.run.runners_up

    @property
    def baseline(self) -> Baseline | None:
        """The run without the edits, and what they changed; None of a run without edits."""
        return self.run.baseline

    def edited(self, *edits: Edit, continue_from: int | None = None) -> Trace:
        """Run the model again, with these edits of its attention behind those it already had.

        From step `continue_from` on it writes by itself, after the tokens of the run without edits.

        >>> from heed import Block, trace
        >>> trace("en-fr-transformer", "I do not know.").edited(Block(words="not")).baseline.text
        'Je ne sais pas.'
        """
        if self._again is None:
            raise RecordingError(f"The attention of {self.run.model.id} cannot be edited yet.")
        return self._again((*self.run.request.edits, *edits), continue_from)

    def to_json(self, detail: Detail = "steps") -> bytes:
        """Return the trace as JSON, as the API gives it and the page reads it."""
        from heed.output.encoding import encoded

        return encoded(deferred_trace_out(self.run, detail))

    def to_npz(self, path: str | Path | None = None) -> bytes:
        """Return the trace as NumPy arrays, unrounded, and save it if there is a path."""
        from heed.output.npz import write_npz

        content = write_npz(self.run)
        if path is not None:
            Path(path).write_bytes(content)
        return content

    def to_html(self) -> str:
        """Return an interactive page in one file, which needs no server and makes no requests."""
        from heed.output.page.standalone import standalone_page

        title = f"{self.text or getattr(self.run.source, 'text', '')} · Heed"
        return standalone_page(self._page(), trace_out(self.run, "steps"), self._described(), title)

    def _described(self) -> Mapping[str, object]:
        """Return the model, as the page describes models."""
        return self._describe()

    def _page(self) -> str:
        """Return the name of the page that shows the trace."""
        if not isinstance(self.run.source, GridAxis):
            return "text"
        if self.run.task == SEE:
            return "see"
        if not len(self.run.output.target):
            message = "The page shows what a model looks at in a picture while it writes, and this"
            raise RecordingError(
                f"{message} model writes nothing: save the trace as .npz or .json."
            )
        return "picture"

    def to_svg(self, place: int | None = None, *, row: int | None = None) -> str:
        """Return one of the maps as SVG: `maps[place]`, by default the one the page opens with.

        That is the first head of the last layer, of cross-attention if there is any. Over a picture
        it is the mean of all heads: the photo for each word of the caption, or, with `row`, for one
        of them, counted from 0. The photo of a classifier has the rollout; in one of its other
        maps, `row` is the token that attends, by default the class token.
        """
        from heed.output.map_figure import map_svg

        if not self.maps:
            raise RecordingError("This trace has no attention, and nothing to draw.")
        chosen = self._first_map() if place is None else self.maps[place]
        if isinstance(self.source, GridAxis) and self.run.picture and chosen.key == "source":
            from heed.output.photo_figure import photo_svg

            whole = place is None and chosen.query == "target"
            return photo_svg(self.run, None if whole else chosen, row)
        if row is not None:
            raise RecordingError("`row` is for maps over a picture: leave it out.")
        return map_svg(self.run, chosen)

    def _first_map(self) -> AttentionMap:
        """Return the map that the page opens with."""
        kinds = {attention.kind for attention in self.maps}
        kind = next((shown for shown in ("cross", "rollout") if shown in kinds), self.maps[0].kind)
        last = max(attention.layer for attention in self.maps if attention.kind == kind)
        return next(
            attention
            for attention in self.maps
            if (attention.kind, attention.layer) == (kind, last)
        )

    def save(self, path: str | Path) -> Path:
        """Save the trace as `.json`, `.npz`, `.html`, `.svg` or `.png`, by the ending of the path.

        SVG has `to_svg()`: one map, or a picture for each word of its caption. PNG has such a
        picture, too.
        """
        path = Path(path)
        match path.suffix.lower():
            case ".json":
                path.write_bytes(self.to_json())
            case ".npz":
                self.to_npz(path)
            case ".html":
                path.write_text(self.to_html(), "utf-8")
            case ".svg":
                path.write_text(self.to_svg(), "utf-8")
            case ".png" if self.run.picture is not None and isinstance(self.source, GridAxis):
                from heed.output.word_figure import figure

                figure(self.run).save(path)
            case ".png":
                raise ValueError(
                    "A map of words is saved as .svg; for .png save the trace as .html, open it, "
                    "and press PNG under “Share and download”."
                )
            case other:
                raise ValueError(f"A trace is saved as {FORMATS}, not as {other or 'that'!r}.")
        return path

    def widget(self, *, height: int = HEIGHT) -> TraceWidget:
        """Return the trace as a widget of a notebook, `height` pixels high (the extra `notebook`).

        Its `row`, `kind`, `layer` and `head` follow what is selected, and select when they are set.
        """
        from heed.notebook import TraceWidget

        contents = {
            "query": "",
            "trace": trace_out(self.run, "steps"),
            "models": [self._described()],
            "answers": [],
        }
        return TraceWidget(self._page(), contents, height)

    def _repr_html_(self) -> str:
        """Return the page in a frame, for notebooks and for viewers without a kernel."""
        from heed.output.page.standalone import in_frame

        return in_frame(self.to_html(), HEIGHT)

    def show(self) -> Path | None:
        """Show the trace: in a notebook below the cell, otherwise as a page in the browser.

        Returns the path of the page in the browser.
        """
        if display := notebook_display():
            display(self.widget() if find_spec("anywidget") else self)
            return None
        folder = Path(tempfile.mkdtemp(prefix="heed-"))
        path = self.save(folder / "trace.html")
        webbrowser.open(path.as_uri())
        return path

    def __repr__(self) -> str:
        return f"<heed.Trace of {self.run.model.id}: {self.text!r}, {len(self.maps)} maps>"


def notebook_display() -> Callable[[object], object] | None:
    """Return what displays an object in the notebook that this code runs in, None elsewhere."""
    marimo = sys.modules.get("marimo")
    if marimo is not None and marimo.running_in_notebook():
        return lambda shown: marimo.output.append(shown)
    ipython = sys.modules.get("IPython")
    if ipython is None or not hasattr(ipython.get_ipython(), "kernel"):
        return None
    display: Callable[[object], object] = import_module("IPython.display").display
    return display


def model_of(run: Run) -> dict[str, object]:
    """Describe a model without a card, as the page describes models."""
    mechanism = mechanism_named(run.model.mechanism)
    return {
        "id": run.model.id,
        "name": run.model.id,
        "task": run.task,
        "source": {"code": "und", "name": "input"},
        "target": {"code": "und", "name": "output"},
        "family": "transformer",
        "mechanism": run.model.mechanism,
        "formula": mechanism.formula,
        "paper": mechanism.paper,
        "order": run.model.order,
        "input_feeding": False,
        "heads": 1 + max((attention.head for attention in run.output.maps), default=0),
        "layers": 1 + max((attention.layer for attention in run.output.maps), default=0),
        "parameters": 0,
        "bytes": 0,
        "weights": run.model.weights,
        "granularity": "subwords",
        "quality": {},
        "limits": {},
        "examples": [],
        "hints": {},
        "guided": "",
        "learned_from": "",
        "default": False,
        "loaded": True,
        "summary": "",
    }
