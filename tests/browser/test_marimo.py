"""The widget in marimo: the views of the page, and the selection shared with Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.notebooks import PATIENCE, answers
from tests.conftest import wait_for
from tests.ports import free_port

pytest.importorskip("marimo")

NOTEBOOK = """import marimo
app = marimo.App()

@app.cell
def _():
    import heed
    import marimo as mo
    widget = mo.ui.anywidget(heed.trace("dates-additive", "3 May 2026").widget(height=600))
    widget
    return mo, widget

@app.cell
def _(mo, widget):
    mo.md(f"selected {widget.value['row']}")

if __name__ == "__main__":
    app.run()
"""


@pytest.fixture
def marimo(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook that runs as an application of marimo."""
    notebook = tmp_path / "widget.py"
    notebook.write_text(NOTEBOOK, "utf-8")
    port = free_port()
    own = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "STATE", "CACHE")}
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    options = ["run", str(notebook), "--headless", "--no-token", f"--port={port}"]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "marimo", *options],
            env=os.environ | own | {"PYTHONPATH": path, "MARIMO_SKIP_UPDATE_CHECK": "1"},
            stdout=log,
            stderr=log,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(lambda: answers(f"{address}/health"), seconds=60)
        yield address
    finally:
        server.terminate()
        server.wait()


def test_the_widget_shows_the_views_and_shares_the_selection(browser: Browser, marimo: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(marimo, timeout=PATIENCE)
    frame = page.frame_locator("iframe[title=Attention]")
    frame.locator("#stage[aria-busy=false]").wait_for(timeout=PATIENCE)
    expect(frame.locator("#read")).to_contain_text("3 May 2026")
    frame.locator("#forth").click()
    expect(frame.locator("#sentence")).to_contain_text("Step 2", timeout=PATIENCE)
    expect(page.get_by_text("selected 1")).to_be_visible(timeout=PATIENCE)
    page.close()
    assert problems == []
