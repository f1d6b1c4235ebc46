"""The document that figures are written into."""

from pathlib import Path

import pytest

from benchmarks.document import BEGIN, DOCS, END, PERFORMANCE, PLOT, SCALING, filled

BLOCKS = {
    PERFORMANCE: "targets machine recurrent transformer load photos start encoding page files "
    "recording edits audits",
    SCALING: "machine floors loads cost memory service students",
    DOCS / "views.md": "faults",
    DOCS / "faithfulness.md": "faithfulness",
}


def test_a_block_takes_the_place_of_the_one_before() -> None:
    text = f"words\n{BEGIN.format(name='start')}\nold\n{END}\nmore words"
    once = filled(text, {"start": r"new \1"})
    assert once == f"words\n{BEGIN.format(name='start')}\nnew \\1\n{END}\nmore words"
    assert filled(once, {"start": r"new \1"}) == once


def test_only_its_own_block_is_filled() -> None:
    text = "".join(f"{BEGIN.format(name=name)}\n{END}\n" for name in ("one", "two"))
    assert filled(text, {"two": "2"}).splitlines() == [
        BEGIN.format(name="one"),
        END,
        BEGIN.format(name="two"),
        "2",
        END,
    ]


def test_a_block_without_a_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="no place for 'load'"):
        filled("words", {"load": "figures"})


@pytest.mark.parametrize(("document", "blocks"), BLOCKS.items(), ids=lambda it: Path(it).name)
def test_a_document_has_a_place_for_all_that_is_measured(document: Path, blocks: str) -> None:
    filled(document.read_text("utf-8"), dict.fromkeys(blocks.split(), ""))


def test_the_plot_is_shown() -> None:
    assert f"images/{PLOT.name}" in PERFORMANCE.read_text("utf-8")
