"""The site of the documentation: its live traces, and the check of what was built."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from docs.shots import SHOTS
from docs.site.check import problems
from docs.site.live import key_of
from tests.conftest import node

ROOT = Path(__file__).parents[2]
GOOD = '<a href="other.html#there">there</a><img src="data:,"><a href="https://example.org">far</a>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A built site of two pages."""
    (tmp_path / "index.html").write_text(GOOD, encoding="utf-8")
    (tmp_path / "other.html").write_text('<p id="there"><a href="index.html">', encoding="utf-8")
    return tmp_path


def test_a_site_of_its_own_files_is_fine(site: Path) -> None:
    (site / "style.css").write_text("a { background: url('data:,') }", encoding="utf-8")
    assert problems(site) == []


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<script src="https://cdn.example/a.js">', "from another host"),
        ('<link rel="stylesheet" href="//fonts.example/a.css">', "from another host"),
        ('<img src="gone.png">', "which is not there"),
        ('<a href="gone.html">', "which is not there"),
        ('<a href="other.html#gone">', "a place that is not there"),
    ],
)
def test_an_address_that_leads_nowhere_or_away_is_found(
    site: Path, html: str, problem: str
) -> None:
    (site / "index.html").write_text(html, encoding="utf-8")
    [found] = problems(site)
    assert problem in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.css", "@import 'https://fonts.example/a.css';"),
        ("a.css", "@font-face { src: url(https://fonts.example/a.woff2) }"),
        ("a.css", "a { background: url('gone.png') }"),
        ("a.js", "import('https://cdn.example/a.js')"),
        ("a.js", "fetch(`//example.org/a.json`)"),
    ],
)
def test_a_file_that_loads_from_elsewhere_is_found(site: Path, name: str, text: str) -> None:
    (site / name).write_text(text, encoding="utf-8")
    assert problems(site)


def test_every_picture_of_the_page_has_a_live_trace() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {name for page in pages for name in re.findall(r"images/(\w+)\.png", page.read_text())}
    assert shown == {shot.name for shot in SHOTS if not shot.dark}


def test_an_answer_has_the_key_that_the_page_looks_for() -> None:
    module = (ROOT / "static/js/core/token_request.js").as_uri()
    state = (ROOT / "static/js/core/state.js").as_uri()
    text, model = 'A "girl" plays, où?', "en-fr-general"
    code = (
        f"import {{ requestKey }} from {json.dumps(module)};"
        f"import {{ DEFAULTS }} from {json.dumps(state)};"
        f"const model = {{ id: {json.dumps(model)}, examples: [], limits: {{}} }};"
        f"console.log(requestKey({{ ...DEFAULTS, text: {json.dumps(text)} }}, model));"
    )
    command = (node(), "--input-type=module", "--eval", code)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == key_of(text, model) + "\n"


def test_the_film_is_small_and_moves() -> None:
    path = ROOT / "docs/images/film.webp"
    assert path.stat().st_size < 1.5e6
    with Image.open(path) as image:
        assert image.n_frames > 10
