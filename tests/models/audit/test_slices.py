"""An audit in slices: it gives way after each batch, and its figures stay the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heed.models.audit.choices import AuditChoices
from heed.models.audit.slices import SlicedAudit
from heed.models.catalogue import Catalogue
from heed.models.errors import InputError
from heed.models.generation.requests import TextRequest
from tests.models.tiny import NETWORK, write_tiny, write_tiny_reader

REQUEST = TextRequest("14 july", "1789")


def test_an_audit_gives_way_after_each_batch_while_others_wait(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", NETWORK)
    pipeline = Catalogue(tmp_path, runtime="native").load("model")
    hurried, patient = (
        SlicedAudit(AuditChoices(seeds=2), lambda waits=waits: waits) for waits in (False, True)
    )
    hurried.run(pipeline, REQUEST)
    assert patient.run(pipeline, REQUEST) > 20
    assert np.array_equal(hurried.result.costs, patient.result.costs, equal_nan=True)
    assert hurried.rows == patient.rows
    assert patient.total >= patient.rows


def test_only_the_steps_that_write_take_more_memory(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", NETWORK)
    pipeline = Catalogue(tmp_path, runtime="native").load("model")
    sliced = SlicedAudit(AuditChoices(seeds=2), lambda: True)
    slices = sliced.through(pipeline)
    prepared = slices.prepare(TextRequest("14 july"))
    usual = slices.size(prepared)
    assert slices.size(prepared, 500).cells > usual.cells
    slices.run([TextRequest("14 july")])
    assert not sliced.done
    assert slices.size(prepared, 500) == usual


def test_a_slice_that_nobody_waits_for_ends_what_it_has_begun(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", NETWORK)
    pipeline = Catalogue(tmp_path, runtime="native").load("model")
    sliced = SlicedAudit(AuditChoices(seeds=2))
    slices = sliced.through(pipeline)
    batch = slices.batch([slices.prepare(REQUEST)])
    steps = batch.steps()
    next(steps)
    batch.leave_out(0)
    assert [*steps] == []
    assert not sliced.done
    rows = sliced.rows
    assert [*sliced.go_on()] == [None]
    assert sliced.rows == rows


def test_a_model_that_does_not_write_is_not_audited(tmp_path: Path) -> None:
    write_tiny_reader(tmp_path / "reader")
    pipeline = Catalogue(tmp_path).load("reader")
    with pytest.raises(InputError, match="cannot be audited"):
        SlicedAudit(AuditChoices()).through(pipeline)
