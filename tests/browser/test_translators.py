"""The page with the translators: words by default, one sentence through all mechanisms."""

import re

import httpx
from playwright.sync_api import expect

from heed.models.catalogue import Catalogue
from tests.browser.forms import open_form
from tests.browser.visits import Visit

FRENCH = [id for id in Catalogue().cards if id.startswith("en-fr-")]


WROTE = """wanted => wanted.replace(/\\s/g, "") ===
    [...document.querySelectorAll("#wrote .piece")].map(piece => piece.textContent).join("")
    .replace(/\\s/g, "")"""


def test_the_first_model_of_the_catalogue_is_a_translator() -> None:
    card = next(iter(Catalogue().cards.values()))
    assert (card.id, card.task, card.granularity) == ("en-fr-additive", "translate", "subwords")


def test_words_are_shown_and_pieces_on_demand(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=The%20skateboarders%20are%20misbehaving.")
    expect(page.get_by_label("words", exact=True)).to_be_checked()
    words = page.locator("#column-heads > *").count()
    page.get_by_label("subwords", exact=True).check(force=True)
    expect(page.locator("#column-heads > *")).not_to_have_count(words)


def test_one_sentence_goes_through_every_mechanism(visit: Visit, address: str) -> None:
    page = visit("/")
    sentence = "My old friend bought a white house."
    page.locator("#text").fill(sentence)
    for model in FRENCH:
        open_form(page)
        page.locator("#model").select_option(model)
        expect(page.locator("#text")).to_have_value(sentence)
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        body = {"text": sentence, "model": model}
        wanted = httpx.post(f"{address}/api/v1/translate", json=body).json()["text"]
        page.wait_for_function(WROTE, arg=wanted)
        assert f"model={model}" in page.url


def test_guidance_is_switched_off_and_on(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=Good+morning.")
    open_form(page)
    guided = page.get_by_label("guided by an aligner")
    expect(guided).to_be_checked()
    guided.uncheck()
    expect(page).to_have_url(re.compile("model=en-fr-additive-free"))
    expect(page.locator("#model")).to_have_value("en-fr-additive-free")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#text")).to_have_value("Good morning.")
    expect(guided).not_to_be_checked()
    guided.check()
    expect(page.locator("#model")).to_have_value("en-fr-additive")
    page.locator("#model").select_option("en-fr-dot")
    expect(guided).to_be_hidden()


def test_a_line_of_sixty_tokens_fits_the_page(visit: Visit) -> None:
    text = "A man in a blue shirt is standing on a ladder cleaning a window. " * 4
    page = visit("/", viewport={"width": 390, "height": 844})
    open_form(page)
    page.locator("#model").select_option("en-fr-additive")
    page.locator("#text").fill(text.strip())
    page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text(text.strip())
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


def test_what_is_passed_over_or_hardly_known_is_said(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=I%20LOVE%20you%20😀")
    expect(page.locator("#unread")).to_have_text(re.compile(r"unknown to this model\): “😀”"))
    expect(page.locator("#read .passed")).to_have_text(" 😀")
    expect(page.locator("#column-heads > *")).to_have_text(["I", "LOVE", "you", "⟨end⟩"])
    page.locator("#text").fill("I love you")
    page.locator("#text").press("Enter")
    expect(page.locator("#unread")).to_be_hidden()
    page.locator("#text").fill("I love Zorblax")
    page.locator("#text").press("Enter")
    expect(page.locator("#unread")).to_have_text(re.compile("^Rare in training.*: “Zorblax”.$"))
    expect(page.locator("#read .rare")).to_have_text("Zorblax")
    page.locator("#text").fill("😀")
    page.locator("#text").press("Enter")
    expect(page.locator("#text-error")).to_contain_text("knows none of these characters")
