"""A trace in a notebook: the widget, and the page where there is no kernel."""

from __future__ import annotations

import gzip
import json
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heed
from heed.output.page import standalone

pytest.importorskip("anywidget", reason="the widget needs the extra notebook")
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
nbconvert = pytest.importorskip("nbconvert")

ROOT = Path(__file__).parents[1]
WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def trace() -> heed.Trace:
    return heed.trace("dates-additive", "3 May 2026")


def test_the_widget_has_the_trace_with_its_numbers_as_bytes(trace: heed.Trace) -> None:
    widget: Any = trace.widget(height=400)
    contents = json.loads(widget._contents)
    numbers = np.frombuffer(widget._numbers, "<f4")
    assert contents["models"][0]["id"] == "dates-additive"
    place = contents["trace"]["maps"][0]["weights"]["array"]
    size = int(np.prod(place["shape"]))
    weights = numbers[place["at"] : place["at"] + size].reshape(place["shape"])
    np.testing.assert_allclose(weights, trace.maps[0].weights, atol=1e-5)
    assert widget.height == 400
    assert standalone.CONTENTS.encode() in gzip.decompress(widget._page)


def test_a_viewer_without_a_kernel_gets_the_page_in_a_frame(trace: heed.Trace) -> None:
    bundle, _ = trace.widget(height=400)._repr_mimebundle_()
    assert WIDGET in bundle
    assert "height: 400px" in bundle["text/html"]
    frame = trace._repr_html_()
    _, _, rest = frame.partition('srcdoc="')
    assert trace.to_html() == unescape(rest.partition('"')[0])


def test_the_tutorial_runs_and_is_seen_without_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(ROOT / "docs/notebooks/tutorial.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # committed without
    nbclient.NotebookClient(notebook, timeout=300, store_widget_state=False).execute()
    outputs = [each.get("data", {}) for cell in notebook.cells for each in cell.get("outputs", ())]
    assert "je ne sais pas" in outputs[0]["text/plain"].lower()
    assert sum(WIDGET in data for data in outputs) == 2  # `widget` and `show()`
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    assert page.count("srcdoc=") == 2
