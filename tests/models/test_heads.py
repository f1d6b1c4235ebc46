"""Heads are ranked by what they do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heed.app.cli import main
from heed.models.heads import parse_links, rank_heads
from heed.models.recording.spans import named_axis
from heed.models.trace import (
    AttentionMap,
    ModelStamp,
    Output,
    Timing,
    Token,
    TokenAxis,
    Trace,
    TraceRequest,
    Word,
)

KNOWN = Path(__file__).with_name("heads.json")

PAIRS = (
    "I do not know where she lives.\tJe ne sais pas où elle vit.\t0-0 2-1 3-2 2-3 4-4 5-5 6-6\n"
    "The white house is old.\tLa maison blanche est vieille.\t0-0 2-1 1-2 3-3 4-4\n"
)


def trace_of(*weights: list[list[float]]) -> Trace:
    matrices = [np.array(each, np.float32) for each in weights]
    target = named_axis(list("abcd"[: len(matrices[0])]), "mean")
    maps = tuple(
        AttentionMap("cross", 0, head, "target", "source", each, np.zeros_like(each))
        for head, each in enumerate(matrices)
    )
    return Trace(
        ModelStamp("m", "", "multihead", "after"),
        "translate",
        TraceRequest(""),
        named_axis(list("uvwx"[: matrices[0].shape[1]])),
        Output(target, maps, (), 0.0, 0.0, "forced"),
        (),
        Timing(0.0, 0.0),
    )


EVEN = [[1 / 3] * 3] * 3
DIAGONAL = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
REVERSED = DIAGONAL[::-1]


def test_measures_of_known_heads() -> None:
    even, diagonal, reversed_ = sorted(
        rank_heads(trace_of(EVEN, DIAGONAL, REVERSED)), key=lambda head: head.head
    )
    assert even.entropy == pytest.approx(np.log2(3))
    assert diagonal.entropy == reversed_.entropy == 0
    assert (diagonal.diagonal, reversed_.diagonal) == (1, pytest.approx(1 / 3))
    assert even.diagonal == pytest.approx(7 / 9)
    assert even.alignment is None


def test_links_rank_the_head_that_follows_them_first() -> None:
    links = parse_links("2-0 1-1 0-2")
    found = rank_heads(trace_of(EVEN, DIAGONAL, REVERSED), [links])
    assert (found[0].head, found[0].alignment) == (2, 1.0)
    assert found[1].alignment == pytest.approx(1 / 3)


def test_the_heads_that_moved_most_come_first() -> None:
    found = rank_heads(
        [trace_of(EVEN, DIAGONAL, REVERSED)], others=[trace_of(EVEN, REVERSED, REVERSED)]
    )
    assert (found[0].head, found[0].moved) == (1, pytest.approx(2 / 3))
    assert [head.moved for head in found][1:] == [0, 0]


def test_links_are_read_once_for_all_heads() -> None:
    read: list[tuple[int, int]] = []

    class Counted(frozenset[tuple[int, int]]):
        def __iter__(self) -> Iterator[tuple[int, int]]:
            for pair in super().__iter__():
                read.append(pair)
                yield pair

    links = Counted(parse_links("2-0 1-1 0-2 0-0"))
    heads = rank_heads(trace_of(*[EVEN, DIAGONAL, REVERSED] * 8), [links])
    assert len(heads) == 24
    assert sorted(read) == sorted(links)


@pytest.mark.parametrize("links", ["0", "0-0,1-1", "a-b"])
def test_links_that_cannot_be_read_are_refused(links: str) -> None:
    with pytest.raises(ValueError, match="links are pairs"):
        parse_links(links)


def test_a_link_to_a_word_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="does not have: 9-0"):
        rank_heads(trace_of(EVEN), [parse_links("9-0")])


def test_the_guided_head_of_the_transformer_is_found_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS, "utf-8")
    assert main(["heads", "en-fr-transformer", str(path), "--kind", "cross", "--top", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["kind", "layer", "head", "alignment"]
    assert lines[1].split()[:3] == ["cross", "2", "2"]
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("content", "arguments", "sentence"),
    [
        ("", [], "has no sentences"),
        ("a\tb\t0-0\tc", [], "line 1: an input, an output and links"),
        ("a\tb\tlinks", [], "line 1: links are pairs"),
        ("a", ["--by", "moved"], "--by moved needs another model"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str,
    arguments: list[str],
    sentence: str,
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(content, "utf-8")
    assert main(["heads", "en-fr-transformer", str(path), *arguments]) == 2
    assert sentence in capsys.readouterr().err


def traces_of_file() -> tuple[Trace, Trace]:
    """The traces in the file of known figures, of two models."""
    given = json.loads(KNOWN.read_text("utf-8"))
    axes = {
        name: TokenAxis(
            given[name]["text"],
            tuple(Token(**token) for token in given[name]["tokens"]),
            tuple(Word(**word) for word in given[name]["words"]),
            given[name]["merge"],
        )
        for name in ("source", "target")
    }

    def made(name: str) -> Trace:
        maps = tuple(
            AttentionMap(
                **{**each, "weights": np.array(each["weights"], np.float32)},
                scores=np.zeros(np.shape(each["weights"]), np.float32),
            )
            for each in given[name]
        )
        output = Output(axes["target"], maps, (), 0.0, 0.0, "forced")
        return replace(trace_of(EVEN), source=axes["source"], output=output)

    return made("maps"), made("others")


def test_the_figures_are_those_that_the_page_computes() -> None:
    """`tests/js/core/head_measures.test.js` compares the page with the same file."""
    given = json.loads(KNOWN.read_text("utf-8"))
    own, other = traces_of_file()
    found = rank_heads(own, [parse_links(given["links"])], others=[other])
    figures = {f"{head.kind} {head.head}": head._asdict() for head in found}
    assert set(given["figures"]) == set(figures)
    for name, expected in given["figures"].items():
        for measure, value in expected.items():
            assert figures[name][measure] == pytest.approx(value, abs=1e-5), (name, measure)
        assert (figures[name]["alignment"] is None) == ("alignment" not in expected)
