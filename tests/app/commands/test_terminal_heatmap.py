from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from heed.app.commands.terminal_heatmap import Heat, draw, heat_of, printable_text
from heed.models.catalogue import Catalogue
from heed.models.generation.translator import TextRequest
from heed.models.trace import Trace


@pytest.fixture(scope="module")
def date() -> Trace:
    translator = Catalogue().load("dates-additive")
    return translator.run([TextRequest("the 3rd of may 1979")])[0]


def drawn(heat: Heat, width: int = 80, color: str | None = None) -> list[str]:
    out = io.StringIO()
    draw(heat, Console(file=out, width=width, force_terminal=color is not None, color_system=color))
    return out.getvalue().splitlines()


def test_a_short_text_is_shown_by_tokens(date: Trace) -> None:
    heat = heat_of(date, 80)
    assert heat
    assert "".join(heat.columns) == "the␣3rd␣of␣may␣1979∎"
    assert "".join(heat.rows) == "1979-05-03∎"


def test_a_long_text_is_shown_by_words_whose_weights_are_sums(date: Trace) -> None:
    heat = heat_of(date, 20)
    assert heat
    assert heat.columns == ("the", "3rd", "of", "may", "1979", "∎")
    assert heat.weights.sum(axis=1) == pytest.approx(1, abs=1e-3)


def test_the_strongest_cell_is_the_darkest(date: Trace) -> None:
    heat = heat_of(date, 80)
    assert heat
    lines = drawn(heat)
    year = next(line for line in lines if line.startswith(" 7 "))
    assert year.index("█") == 3 + "the 3rd of may 1979".index("79")


def test_the_map_fits_the_width_of_the_terminal() -> None:
    columns = tuple(f"word{i}" for i in range(40))
    heat = Heat(("a", "b"), columns, np.full((2, 40), 1 / 40, dtype=np.float32))
    lines = drawn(heat, width=50)
    assert max(map(len, lines[:-1])) <= 50
    assert " ".join(line for line in lines if "word" in line).split() == list(columns)


def test_colours_are_used_only_if_the_terminal_has_them(date: Trace) -> None:
    heat = heat_of(date, 80)
    assert heat
    assert not any("\x1b" in line for line in drawn(heat))
    assert any("\x1b[48;2;" in line for line in drawn(heat, color="truecolor"))


def test_wide_and_zero_width_characters_keep_the_columns_aligned() -> None:
    text = ("日", "◌\u0301", "a")
    heat = Heat(("x",), text, np.eye(3, dtype=np.float32)[:1])
    assert drawn(heat)[2].endswith("██      ") or "██" in drawn(heat)[2]


def test_a_model_without_attention_has_no_map() -> None:
    trace = Catalogue().load("dates-none").run([TextRequest("3 may 1979")])[0]
    assert heat_of(trace, 80) is None


def test_escape_codes_do_not_reach_the_terminal() -> None:
    assert printable_text("a\x1b[31m\rb\x07") == "a�[31m�b�"
    assert printable_text("日 é\n") == "日 é\n"
