"""`heed audit` and `heed.audit`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import heed
from heed.app.cli import main
from heed.app.schemas import AuditOut
from heed.models.errors import RecordingError

ASKED = ["audit", "3 May 2026", "--model", "dates-additive", "--seeds", "2"]


def test_the_verdict_stands_above_a_table_of_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(ASKED) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("2026-05-03\n")
    assert "Blocking the three strongest pieces" in " ".join(printed.split())
    assert len([line for line in printed.splitlines() if line.lstrip()[:1].isdigit()]) >= 11


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--figure", "contrast", "--row", "3", "--other", "2025"], "than “2025”"),
        (["--figure", "rewritten"], "in every row changes the output"),
        (["--figure", "orders", "--row", "3"], "Comprehensiveness of the weights"),
    ],
)
def test_another_figure_is_printed(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASKED, *options]) == 0
    assert said in " ".join(capsys.readouterr().out.split())


def test_an_audit_is_printed_as_the_api_returns_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, "--json", "--removal", "silence", "--target", "2026-05-04"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert AuditOut.model_validate(figures)
    assert figures["choices"]["removal"] == "silence"
    assert figures["trace"]["text"] == "2026-05-04"


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--row", "99"], "no row 99"), (["--seeds", "0"], "--seeds"), (["--layer", "4"], "no layer")],
)
def test_what_cannot_be_audited_is_refused(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASKED, *options]) == 2
    assert said in capsys.readouterr().err


def test_the_library_audits_and_saves(tmp_path: Path) -> None:
    audit = heed.audit("dates-additive", "3 May 2026", seeds=2)
    assert len(audit.verdict) == 3
    assert AuditOut.model_validate(json.loads(audit.save(tmp_path / "a.json").read_bytes()))
    arrays = np.load(audit.save(tmp_path / "a.npz"))
    assert arrays["costs"] == pytest.approx(audit.figures.costs, nan_ok=True)
    assert audit.contrast(3, "2025").figures.word == "2026"
    assert len(audit.rewritten("word").figures.outputs) == 3
    assert audit.orders(3).figures.exact
    with pytest.raises(ValueError, match=r"\.json or \.npz"):
        audit.save(tmp_path / "a.txt")
    with pytest.raises(RecordingError, match="no model of Heed of that name"):
        heed.audit("none-such", "a")
    with pytest.raises(RecordingError, match="token by token"):
        heed.audit("read-lstmn", "a cat")
