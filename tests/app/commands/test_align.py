"""`heed align`: a table, a report, and an exit code for those who train translators."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heed.app.cli import main

PAIRS = (
    "the white house\tla maison blanche\t0-0 1-2 2-1\n"
    "I do not know .\tje ne sais pas .\t0-0 2-1 3-2 2-3 1?1 4-4\n"
)


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    """A file of two pairs."""
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS, "utf-8")
    return str(path)


def test_heads_are_ranked_and_tags_land(pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    tags = ["--tags", "The <b>white</b> house is old."]
    assert main(["align", "en-fr-transformer", pairs, *tags]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[1].split() == [
        *("layer", "head", "AER", "precision", "recall", "links", "drift")
    ]
    assert "La maison <b>blanche</b> est vieille." in printed


def test_the_report_has_an_exit_code(pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["align", "en-fr-additive", pairs, "--json", "--at-most"]
    assert main([*asked, "0.5"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["pairs"] == 2
    assert report["heads"][0]["error"] <= 0.5
    assert main([*asked, "0"]) == int(report["heads"][0]["error"] > 0)


@pytest.mark.parametrize(
    ("lines", "options", "said"),
    [
        ("a cat\n", [], "every line needs"),
        (PAIRS, ["--tags", "no tags"], "--tags needs"),
        (PAIRS.replace("0-0", "0+0"), [], "links are pairs"),
    ],
)
def test_what_cannot_be_aligned_is_refused(
    lines: str, options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(lines, "utf-8")
    assert main(["align", "en-fr-additive", str(path), *options]) == 2
    assert said in capsys.readouterr().err


def test_a_model_without_attention_aligns_nothing(
    pairs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["align", "en-fr-none", pairs]) == 2
    assert "no cross-attention" in capsys.readouterr().err
