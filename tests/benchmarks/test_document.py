"""The document that figures are written into."""

import pytest

from benchmarks.document import BEGIN, DOCUMENT, END, PLOT, filled

BLOCKS = "targets machine recurrent transformer load photos start encoding page".split()


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


def test_the_document_has_a_place_for_all_that_is_measured() -> None:
    filled(DOCUMENT.read_text("utf-8"), dict.fromkeys(BLOCKS, ""))
    assert f"images/{PLOT.name}" in DOCUMENT.read_text("utf-8")
