"""Models of transformers are audited as they are traced under edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import heed
from heed.models.audit.audit import Audit, AuditRun
from heed.models.audit.choices import AuditChoices
from heed.models.edits.operations import Block, Silence
from heed.models.errors import InputError, RecordingError
from heed.models.recording.auditing import audited
from heed.models.recording.load import tracer_of
from tests.models.recording import small

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

CLOSE = 1e-5
TEXT, TARGET = "I do not know", "she lives ."


def audit_of(tracer: Any, given: Any, target: str, **choices: Any) -> Audit:
    """Audit the output that a model is forced to write."""
    pipeline, prepared = audited(tracer, given, target=target)
    run: Any = AuditRun(pipeline, prepared, AuditChoices(**{"seeds": 2, **choices}))  # type: ignore[arg-type]
    for _ in run.steps():
        pass
    result: Audit = run.result
    return result


@pytest.mark.parametrize(("removal", "edit"), [("block", Block), ("silence", Silence)])
def test_the_effect_of_a_cell_is_that_of_a_run_under_the_edit(removal: str, edit: Any) -> None:
    tokenizer = small.words()
    tracer = tracer_of(small.spread(small.bart(len(tokenizer))), tokenizer)
    audit = audit_of(tracer, TEXT, TARGET, removal=removal)
    maps = [m.weights for m in audit.trace.output.maps if m.kind == "cross"]
    assert audit.attention == pytest.approx(np.mean(maps, axis=0), abs=CLOSE)
    for row in range(len(audit.costs)):
        for key in (0, 2):
            edits = [edit(queries=row, keys=key)]
            edited = tracer.trace(TEXT, target=TARGET, edits=edits)
            assert edited.baseline is not None
            change = edited.baseline.changes[row]
            assert audit.costs[row, key] == pytest.approx(change.before - change.after, abs=1e-4)
    assert audit.left_out is not None
    shorter = tracer.trace("I do know", target=TARGET)
    before = audit.trace.output.steps
    place = audit.left_out.words.index(2)
    for row, step in enumerate(shorter.output.steps):
        cost = before[row].log_probability - step.log_probability
        assert audit.left_out.cost[row, place] == pytest.approx(cost, abs=1e-4)


def test_the_cells_of_a_captioner_are_taken_one_by_one() -> None:
    tokenizer = small.words()
    tracer = tracer_of(small.captioner(len(tokenizer)), small.seeing(tokenizer))
    picture = Image.fromarray(np.arange(24 * 24 * 3, dtype=np.uint8).reshape(24, 24, 3))
    audit = audit_of(tracer, picture, "she lives")
    assert audit.costs.shape[1] == len(audit.trace.source)
    assert audit.left_out is not None
    cell = audit.left_out.words[4]
    edited = tracer.trace(picture, target="she lives", edits=[Block(keys=cell)])
    assert edited.baseline is not None
    for row, change in enumerate(edited.baseline.changes):
        assert audit.left_out.cost[row, 4] == pytest.approx(change.before - change.after, abs=1e-4)


def test_what_has_no_input_of_its_own_is_refused() -> None:
    tokenizer = small.words()
    tracer = tracer_of(small.spread(small.gpt2(len(tokenizer))), tokenizer)
    with pytest.raises(RecordingError, match="no attention from an output to an input"):
        audited(tracer, TEXT)
    blip = tracer_of(small.blip(len(tokenizer)), small.seeing(tokenizer))
    with pytest.raises((RecordingError, InputError)):
        audited(blip, Image.new("RGB", (24, 24)))


def test_the_library_audits_a_folder(tmp_path: Path) -> None:
    tokenizer = small.words()
    folder = small.saved(tmp_path / "own", small.spread(small.bart(len(tokenizer))), tokenizer)
    audit = heed.audit(folder, TEXT, target=TARGET, seeds=2)
    assert len(audit.verdict) == 3
    assert audit.save(tmp_path / "a.npz").exists()
    assert audit.orders(0).verdict
    with pytest.raises(RecordingError, match="models of Heed alone"):
        audit.rewritten()
