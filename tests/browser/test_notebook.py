"""The widget in JupyterLab: the views of the page, and the selection shared with Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.notebooks import PATIENCE, answers
from tests.conftest import wait_for
from tests.ports import free_port

SHOW = """import heed
widget = heed.trace("en-fr-transformer", "I do not know.").widget(height=600)
widget"""
SET = "widget.layer, widget.head, widget.row = 0, 3, 2"
SAY = """import ipywidgets
label = ipywidgets.Label("nothing")
say = lambda _: setattr(label, "value", f"selected {widget.layer} {widget.head} {widget.row}")
widget.observe(say, ["layer", "head", "row"])
label"""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook in a JupyterLab of its own."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    cells = [nbformat.v4.new_code_cell(text) for text in (SHOW, SET, SAY)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}),
        folder / "widget.ipynb",
    )
    port = free_port()
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    own = {f"JUPYTER_{name}": str(tmp_path / name.lower()) for name in names}
    environment = os.environ | own | {"PYTHONPATH": str(Path(__file__).parents[2])}
    options = [
        *("--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"),
        *("--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"),
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    ]
    command = [sys.executable, "-m", "jupyterlab", *options]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(lambda: answers(f"{address}/api"), seconds=60)
        yield f"{address}/lab/tree/widget.ipynb?reset"
    finally:
        server.terminate()
        server.wait()


def test_the_widget_shows_the_views_and_shares_the_selection(browser: Browser, lab: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(lab, timeout=PATIENCE)
    page.get_by_text("(ipykernel) | Idle").wait_for(timeout=PATIENCE)
    cells = page.locator(".jp-Notebook .jp-Cell")
    cells.first.locator(".jp-InputArea-prompt").click()
    page.keyboard.press("Shift+Enter")
    frame = page.frame_locator("iframe[title=Attention]")
    frame.locator("#stage[aria-busy=false]").wait_for(timeout=PATIENCE)
    expect(frame.locator("#read")).to_contain_text("I do not know.")
    page.keyboard.press("Shift+Enter")
    expect(frame.locator("#sentence")).to_contain_text("Step 3", timeout=PATIENCE)
    expect(frame.locator("#layer")).to_have_value("0")
    expect(frame.locator("#head")).to_have_value("3")
    cells.nth(2).locator(".jp-InputArea-prompt").click()
    page.keyboard.press("Shift+Enter")
    label = cells.nth(2).locator(".widget-label")
    expect(label).to_have_text("nothing", timeout=PATIENCE)
    frame.locator("#layer").select_option(label="2")
    expect(label).to_have_text("selected 1 3 2", timeout=PATIENCE)
    page.close()
    assert problems == []
