"""Models of one's own on the page: one axis, seconds of sound, a picture within a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

import heed
from heed.app.settings import Settings
from tests.browser.contexts import Contexts
from tests.browser.downloads import saved
from tests.browser.visits import Visit, visiting
from tests.conftest import Running, running
from tests.models.recording import small

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def traces() -> dict[str, heed.Trace]:
    """Return traces of a sound and of a picture within a text."""
    ear = small.words(ended=False)
    sound = np.sin(np.arange(3_200, dtype=np.float32) / 9)
    eye = small.words(ended=False)
    processor = small.seeing(eye)
    llava = small.llava(len(eye), eye.convert_tokens_to_ids("<image>"))
    photo = (Image.linear_gradient("L").convert("RGB"), "The white <image> house")
    return {
        "sound": heed.trace(
            small.whisper(len(ear)), ear, small.hearing(), sound, target="La maison blanche"
        ),
        "picture": heed.trace(llava, processor, photo, target="belongs to my old friend"),
    }


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with a model that continues a text, and one that reads it."""
    base: Path = tmp_path_factory.mktemp("models")
    tokenizer = small.words(ended=False)
    small.saved(base / "gpt", small.gpt2(len(tokenizer)), tokenizer)
    small.saved(base / "bert", small.bert(len(tokenizer)), tokenizer)
    settings = Settings.from_environment(
        hf_models=f"my-gpt={base / 'gpt'}:my-bert={base / 'bert'}",
        preload="none",
        default_model="my-gpt",
        store=base / "store",
    )
    with running(settings) as server:
        yield server


def choose(page: Page, content: bytes) -> None:
    file: FilePayload = {"name": "a.json", "mimeType": "application/json", "buffer": content}
    page.locator("#file").set_input_files(file)


def check_sound(page: Page) -> None:
    """Check the page of a sound: its columns are seconds."""
    expect(page.locator("#read-name")).to_have_text("Sound")
    expect(page.locator("#column-heads > *")).to_have_count(10)
    expect(page.locator("#column-heads > *").last).to_have_text("0.18–0.20 s")
    expect(page.locator("#sentence")).to_contain_text("the sound at 0.")


def check_picture(page: Page) -> None:
    """Check the page of a picture within a text: one column, and a view of its own."""
    heads = ["The", "white", "image", "house", "belongs", "to", "my", "old", "friend"]
    expect(page.locator("#column-heads > *")).to_have_text(heads)
    page.get_by_role("radio", name="Picture").check(force=True)
    expect(page.locator(".patches canvas")).to_be_visible()
    expect(page.locator(".patches figcaption")).to_contain_text("Of the attention at “The”")
    page.locator("#wrote [data-row]").last.click()
    expect(page.locator(".patches figcaption")).to_contain_text("Of the attention at “friend”")
    expect(page.locator("#sentence")).to_contain_text("in the answer (probability")
    assert page.locator(".patches canvas").evaluate(
        "it => it.getContext('2d').getImageData(0, 0, it.width, it.height).data.some(Boolean)"
    )


CHECKS = {"sound": check_sound, "picture": check_picture}


@pytest.mark.parametrize("name", CHECKS)
def test_a_saved_trace_opens_on_the_page(
    visit: Visit, traces: dict[str, heed.Trace], name: str
) -> None:
    page = visit("/?model=dates-additive&text=3%20May%201979&show=bring")
    choose(page, traces[name].to_json())
    CHECKS[name](page)


@pytest.mark.parametrize("name", CHECKS)
def test_a_saved_page_opens_from_the_disk(
    opened: Callable[[bytes], Page], traces: dict[str, heed.Trace], name: str
) -> None:
    CHECKS[name](opened(traces[name].to_html().encode()))


def test_the_picture_is_exported_as_svg(
    opened: Callable[[bytes], Page], traces: dict[str, heed.Trace]
) -> None:
    page = opened(traces["picture"].to_html().encode())
    page.get_by_role("radio", name="Picture").check(force=True)
    page.locator("#call > summary").click()
    content = saved(page, "SVG")[1].decode()
    assert "data:image/png" in content
    assert "is on the picture" in content


def test_a_decoder_continues_a_prompt(browser_visit: Visit) -> None:
    page = browser_visit.blank()
    page.goto("/?model=my-gpt&text=The+white+house")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#run")).to_have_text("Continue")
    expect(page.locator("#read-name")).to_have_text("Prompt and answer (key)")
    expect(page.locator("#sentence")).to_contain_text("Position 1 of")
    expect(page.locator("#sentence")).to_contain_text("in the prompt: “The”")
    assert page.locator("#wrote .answer").count() > 0
    expect(page.locator("#wrote [data-row]").first).not_to_have_class("answer")
    page.locator("#model").select_option("my-bert", force=True)
    expect(page.locator("#run")).to_have_text("Read")
    expect(page.locator("#read-name")).to_have_text("Input (key)")
    expect(page.locator("#column-heads > *")).to_have_text(["The", "white", "house"])


@pytest.fixture
def browser_visit(contexts: Contexts, served: Running) -> Iterator[Visit]:
    """Open a page of this server; at the end nothing may have gone wrong on it."""
    with visiting(contexts, served.url) as visit:
        yield visit
