"""`heed.audit`: what a map of attention is worth on one example."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from heed import __version__
from heed.models.audit.audit import Audit as Figures
from heed.models.audit.choices import AuditChoices, FigureName, Removal, Unit
from heed.models.audit.figure_verdicts import verdict_of
from heed.models.audit.figures import run_of
from heed.models.errors import RecordingError
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.requests import PictureRequest, TextRequest
from heed.models.pictures.decode import decode_picture, picture_bytes
from heed.models.recording.search import Search
from heed.models.trace import SearchRequest
from heed.output.audit_figures import figure_out, write_figure_npz
from heed.tracing import shipped_models, tracer_of_own

__all__ = ["Audit", "AuditFigure", "audit"]


class AuditFigure:
    """A figure about one output. `figures` are all numbers; costs are in natural logarithms."""

    def __init__(self, figures: Any) -> None:
        self.figures = figures

    @property
    def verdict(self) -> tuple[str, ...]:
        """The figures in sentences."""
        return verdict_of(self.figures)

    def to_json(self) -> bytes:
        """Return the figure as JSON, as the API gives it."""
        from heed.output.encoding import encoded

        return encoded(figure_out(self.figures, __version__))

    def save(self, path: str | Path) -> Path:
        """Save the figure as `.json` or `.npz`, by the ending of the path."""
        path = Path(path)
        match path.suffix.lower():
            case ".json":
                path.write_bytes(self.to_json())
            case ".npz":
                path.write_bytes(write_figure_npz(self.figures))
            case other:
                raise ValueError(f"An audit is saved as .json or .npz, not as {other or 'that'!r}.")
        return path

    def __repr__(self) -> str:
        model, text = self.figures.trace.model.id, self.figures.trace.text
        name = type(self).__name__
        return f"<heed.{name} of {model}: {json.dumps(text, ensure_ascii=False)}>"


class Audit(AuditFigure):
    """An audit of one output: the figures that are shown first, and others on demand."""

    def __init__(self, figures: Figures, again: Callable[[AuditChoices], Any]) -> None:
        super().__init__(figures)
        self._again = again

    def _asked(self, figure: FigureName, **choices: Any) -> AuditFigure:
        return AuditFigure(self._again(replace(self.figures.choices, figure=figure, **choices)))

    def contrast(self, row: int, other: str) -> AuditFigure:
        """Return why the word of a row was written and not another one, by cell."""
        return self._asked("contrast", row=row, other=other)

    def rewritten(self, unit: Unit = "edge") -> AuditFigure:
        """Return the outputs without each word: taken from every row, or out of the input."""
        return self._asked("rewritten", unit=unit)

    def orders(self, row: int) -> AuditFigure:
        """Return the bounds of the orders of a row, by beam search beyond 12 keys."""
        return self._asked("orders", row=row)

    def curves(self, row: int) -> AuditFigure:
        """Return deletion and insertion of the cells of a photo, for the word of a row."""
        return self._asked("curves", row=row)


def audit(
    model: Any,
    *inputs: Any,
    question: str | None = None,
    target: str | None = None,
    search: Search | None = None,
    removal: Removal = "block",
    layer: int | None = None,
    head: int | None = None,
    row: int | None = None,
    seeds: int = 20,
) -> Audit:
    """Audit the attention of a model on a text or a picture.

    Model and inputs are those of `heed.trace`: the id of a model of Heed, or a Hugging Face model
    that writes a text, such as a translator, a captioner or a GPT-2. Layers, heads and rows count
    from 0; by default all heads are audited together.

    >>> audit("dates-additive", "3 May 2026", seeds=2).verdict[0][:30]
    'Blocking the three strongest p'
    """
    if not inputs:
        raise TypeError("audit needs an input behind the model: a text or a picture")
    *processors, given = inputs
    catalogue = shipped_models()
    choices = AuditChoices(removal, layer, head, row, seeds)
    if not isinstance(model, str) or model not in catalogue.cards:
        if question is not None:
            raise RecordingError("Only models of Heed answer a question about a picture here.")
        from heed.models.recording.auditing import audited

        tracer = tracer_of_own(model, *processors)
        return _audit_of(*audited(tracer, given, target=target, search=search), choices)
    if processors:
        raise TypeError(f"{model} has its own tokenizer: give it the input alone")
    wanted = search.request if search else SearchRequest()
    request: TextRequest | PictureRequest
    if catalogue.cards[model].reads_pictures:
        picture = decode_picture(picture_bytes(given))
        request = PictureRequest(picture, question, target, wanted)
    else:
        request = TextRequest(given, target, wanted)
    pipeline = catalogue.load(model)
    if not isinstance(pipeline, GenerationPipeline):
        raise RecordingError(f"{model} does not write token by token, so it cannot be audited.")
    return _audit_of(pipeline, pipeline.prepare(request), choices)


def _audit_of(pipeline: Any, prepared: Any, choices: AuditChoices) -> Audit:
    """Run an audit that other figures can be asked of."""

    def again(choices: AuditChoices) -> Any:
        return run_of(pipeline, prepared, choices).finished()

    return Audit(again(choices), again)
