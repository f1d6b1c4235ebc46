"""A sound on the page of texts: chosen, transcribed over seconds, and looked at."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.downloads import saved
from tests.browser.server import serving
from tests.browser.test_access import faults
from tests.browser.visits import Visit
from tests.models.wav import tone

pytest.importorskip("torch")
pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

from tests.models.recording import small

IMPORTED_MS = 60_000
"""The first answer waits until the server has imported Transformers."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a model that hears and one that classifies."""
    base = tmp_path_factory.mktemp("models")
    words = small.words(ended=False)
    small.saved(base / "ear", small.whisper(len(words)), words, small.hearing())
    small.saved(base / "patches", small.classifier(), small.pixels())
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HEED_")}
    named = (f"{path.name}={path}" for path in base.iterdir())
    environment |= {"HEED_HF_MODELS": ":".join(named), "HEED_PRELOAD": "none"}
    environment["HEED_STORE"] = str(tmp_path_factory.mktemp("store"))
    with serving(environment) as url:
        yield url


def test_a_sound_is_chosen_and_looked_at(visit: Visit) -> None:
    page = visit.blank()
    page.goto("/?model=ear&show=call")
    expect(page.locator("#sound-error")).to_contain_text("Choose a sound")
    expect(page.locator("#text")).to_be_hidden()
    file = {"name": "tone.wav", "mimeType": "audio/wav", "buffer": tone(0.4, 44_100)}
    page.locator("#sound").set_input_files(file)
    ready = expect(page.locator("#stage"))
    ready.to_have_attribute("data-state", "ready", timeout=IMPORTED_MS)
    expect(page.locator("#sound-error")).to_be_hidden()
    expect(page.locator("#read")).to_contain_text("0.38–0.40 s")
    assert faults(page) == []
    assert "sound=@tone.wav" in page.locator("#curl").inner_text()
    page.get_by_role("radio", name="Step").check(force=True)
    expect(page.locator("#chain .part")).not_to_have_count(0)
    page.get_by_role("radio", name="Heads").check(force=True)
    expect(page.locator("#heads canvas")).to_have_count(8)
    name, _ = saved(page, "JSON")
    assert name.endswith(".json")
    broken = {"name": "broken.wav", "mimeType": "audio/wav", "buffer": b"no sound"}
    page.locator("#sound").set_input_files(broken)
    expect(page.locator("#sound-error")).to_contain_text("cannot read broken.wav")


def test_a_classifier_is_chosen_on_the_page_of_patches(visit: Visit) -> None:
    page = visit.blank()
    page.goto("/see?model=patches")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#model")).to_have_value("patches")
    assert page.locator("#class").inner_text() in small.LABELS.values()
    assert faults(page) == []
    page.get_by_role("radio", name="Heads").check(force=True)
    expect(page.locator("#heads .head-map")).to_have_count(8)
