"""`heed.audit`: what a map of attention is worth on one example."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from heed.models.audit.audit import Audit as Figures
from heed.models.audit.audit import AuditRun
from heed.models.audit.choices import AuditChoices, Removal
from heed.models.audit.verdict import verdict
from heed.models.errors import RecordingError
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.requests import PictureRequest, TextRequest
from heed.models.pictures.decode import decode_picture, picture_bytes
from heed.models.recording.search import Search
from heed.models.trace import SearchRequest
from heed.output.audit import audit_out, write_audit_npz
from heed.tracing import shipped_models

__all__ = ["Audit", "audit"]


class Audit:
    """An audit of one output. `figures` are all numbers; costs are in natural logarithms."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures

    @property
    def verdict(self) -> tuple[str, ...]:
        """The figures in sentences."""
        return verdict(self.figures)

    def to_json(self) -> bytes:
        """Return the audit as JSON, as the API gives it."""
        from heed.output.encoding import encoded

        return encoded(audit_out(self.figures))

    def save(self, path: str | Path) -> Path:
        """Save the audit as `.json` or `.npz`, by the ending of the path."""
        path = Path(path)
        match path.suffix.lower():
            case ".json":
                path.write_bytes(self.to_json())
            case ".npz":
                path.write_bytes(write_audit_npz(self.figures))
            case other:
                raise ValueError(f"An audit is saved as .json or .npz, not as {other or 'that'!r}.")
        return path

    def __repr__(self) -> str:
        model, text = self.figures.trace.model.id, self.figures.trace.text
        return f"<heed.Audit of {model}: {json.dumps(text, ensure_ascii=False)}>"


def audit(
    model: str,
    given: Any,
    *,
    question: str | None = None,
    target: str | None = None,
    search: Search | None = None,
    removal: Removal = "block",
    layer: int | None = None,
    head: int | None = None,
    row: int | None = None,
    seeds: int = 20,
) -> Audit:
    """Audit the attention of a model of Heed, given by its id, on a text or a picture.

    Layers, heads and rows count from 0; by default all heads are audited together.

    >>> audit("dates-additive", "3 May 2026", seeds=2).verdict[0][:30]
    'Blocking the three strongest p'
    """
    catalogue = shipped_models()
    if model not in catalogue.cards:
        raise RecordingError(f"There is no model {model}. Only models of Heed can be audited yet.")
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
    run = AuditRun(
        pipeline, pipeline.prepare(request), AuditChoices(removal, layer, head, row, seeds)
    )
    for _ in run.steps():
        pass
    return Audit(run.audit)
