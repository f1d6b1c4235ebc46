"""Models of Hugging Face that a server offers: translators, a captioner, and large ones."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import httpx
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from heed.app.commands.export import convert
from tests.browser import canned_pictures as canned
from tests.browser.downloads import saved
from tests.browser.forms import open_form
from tests.browser.server import serving
from tests.browser.steps import open_part
from tests.browser.test_access import faults
from tests.browser.test_saved import save
from tests.browser.visits import Visit

torch = pytest.importorskip("torch")
pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

from tests.models.recording import small  # noqa: E402 - it needs both

WORDS = " ".join(small.SENTENCES).split() * 10
SENTENCE = "The white house is old."
LINKS = "0-0 2-1 1-2 3-3 4-4"
LARGE = {"model": "large", "text": " ".join(WORDS[:255]), "target": " ".join(WORDS[:100])}
MIDDLE = {"model": "middle", "text": " ".join(WORDS[:90]), "target": " ".join(WORDS[:80])}
PHOTO = Path(__file__).parents[2] / "static/samples/car.jpg"
CAPTION = {"model": "album", "target": " ".join(WORDS[:60])}
SIDE = 14
MEGABYTES = 300
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def bart(folder: Path, layers: int, heads: int) -> Path:
    """Write an untrained BART that reads words."""
    tokenizer = small.words()
    sizes = {"encoder_layers": layers, "decoder_layers": layers, "d_model": 4 * heads}
    both = {"encoder_attention_heads": heads, "decoder_attention_heads": heads}
    model = small.bart(len(tokenizer), max_position_embeddings=512, **sizes, **both)
    return small.saved(folder, model, tokenizer)


def child_of(folder: Path, child: Path) -> Path:
    """Write a translator with other queries in one head: the first of the second layer."""
    from transformers import AutoModelForSeq2SeqLM

    shutil.copytree(folder, child)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder)
    torch.manual_seed(0)
    queries = model.get_decoder().layers[1].encoder_attn.q_proj.weight
    with torch.no_grad():
        own = queries[: len(queries) // model.config.decoder_attention_heads]
        own += 0.1 * torch.randn_like(own)
    model.save_pretrained(child)
    return child


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that offers them; it keeps the maps of one large trace."""
    base = tmp_path_factory.mktemp("models")
    convert(["en-fr-transformer"], "hf", str(base / "parent"))
    tokenizer = small.words(ended=False)
    folders = {
        "parent": base / "parent",
        "child": child_of(base / "parent", base / "child"),
        "photos": small.saved(
            base / "photos", small.captioner(len(tokenizer)), tokenizer, small.pixels()
        ),
        "album": small.saved(
            base / "album",
            small.captioner(len(tokenizer), side=SIDE, layers=6, heads=8, positions=128),
            tokenizer,
            small.pixels(SIDE),
        ),
        "classes": small.saved(
            base / "classes",
            small.classifier(num_hidden_layers=8, image_size=8 * SIDE),
            small.pixels(SIDE),
        ),
        "large": bart(base / "large", 12, 16),
        "middle": bart(base / "middle", 4, 8),
    }
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HEED_")}
    environment["HEED_HF_MODELS"] = ":".join(f"{name}={path}" for name, path in folders.items())
    environment["HEED_PRELOAD"] = "none"
    environment["HEED_DEADLINE_SECONDS"] = "600"
    environment["HEED_RUN_BYTES"] = "1"
    environment["HEED_STORE"] = str(tmp_path_factory.mktemp("store"))
    with serving(environment) as url:
        yield url


def run(address: str, body: dict[str, str]) -> None:
    """Let a model answer before the page asks, which then has no time to wait for."""
    url = f"{address}/api/v1/translate"
    httpx.post(url, json={**body, "maps": "linked"}, timeout=600).raise_for_status()


def describe(address: str, body: dict[str, str]) -> None:
    """Let a captioner answer before the page asks."""
    files = {"image": ("car.jpg", PHOTO.read_bytes())}
    data = {**body, "maps": "linked"}
    httpx.post(f"{address}/api/v1/caption", data=data, files=files, timeout=600).raise_for_status()


def listening(page: Page) -> list[str]:
    """Return the list of requests for a large trace from now on, without its id."""
    paths: list[str] = []

    def heard(url: str) -> None:
        if found := re.search(r"/api/v1/runs/[^/]+/(.+)", url):
            paths.append(found[1])

    page.on("request", lambda request: heard(request.url))
    return paths


def opened_large(visit: Visit, address: str, **options: object) -> tuple[Page, list[str]]:
    run(address, LARGE)
    page = visit.blank(fresh=True)
    paths = listening(page)
    page.goto(f"/?{urlencode({**LARGE, **options})}")
    return page, paths


def test_of_a_large_trace_only_what_is_looked_at_is_fetched(visit: Visit, address: str) -> None:
    page, paths = opened_large(visit, address, map="encoder-self", layer=12, head=1)
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    expect(page.locator("#row-heads > *")).to_have_count(256)
    (first,) = paths
    assert first.startswith("maps/")
    page.locator("#head").select_option(label="5")
    expect(page.locator("#map")).to_have_attribute("data-painted", "2")
    page.locator("#head").select_option(label="1")
    expect(page.locator("#map")).to_have_attribute("data-painted", "3")
    assert len(paths) == 2
    page.get_by_role("radio", name="Heads").check(force=True)
    expect(page.locator("#heads canvas")).to_have_count(192)
    expect(page.locator("#heads .note").last).to_contain_text("bits")
    assert paths[2:] == [
        "thumbnails?kind=encoder-self&pick=0",
        "heads?kind=encoder-self&pick=0",
    ]
    devtools = page.context.new_cdp_session(page)
    devtools.send("HeapProfiler.collectGarbage")
    assert devtools.send("Runtime.getHeapUsage")["usedSize"] < MEGABYTES * 1e6


def test_a_head_of_a_large_trace_is_taken_apart(visit: Visit, address: str) -> None:
    page, paths = opened_large(visit, address, view="step")
    expect(page.locator("#chain .part")).not_to_have_count(0)
    expect(open_part(page, "query").locator(".strip")).to_have_count(1)
    assert len(paths) == 1


def test_a_large_trace_is_too_large_for_a_file_and_says_so(visit: Visit, address: str) -> None:
    page, _ = opened_large(visit, address, show="call")
    page.get_by_role("button", name="Save JSON").click()
    expect(page.locator("#share-said")).to_contain_text("million weights, too many for a file")
    page.get_by_role("button", name="Save and link").click()
    expect(page.locator("#keep-said")).to_contain_text("Save its NumPy arrays instead")


def test_files_of_a_trace_without_maps_have_all_of_them(
    visit: Visit, address: str, opened: Callable[[bytes], Page]
) -> None:
    run(address, MIDDLE)
    page = visit(f"/?{urlencode({**MIDDLE, 'show': 'call', 'view': 'heads'})}")
    expect(page.locator("#heads canvas")).to_have_count(32)
    _, content = saved(page, "JSON")
    maps = json.loads(content)["maps"]
    assert len(maps) == 96
    assert all(np.shape(each["weights"]) == np.shape(each["scores"]) for each in maps)
    _, content = saved(page, "NPZ")
    with np.load(io.BytesIO(content)) as archive:
        assert archive["weights"].shape == (4, 8, 81, 91)
    name, content = saved(page, "SVG")
    assert name.endswith(".heads.svg")
    assert content.count(b"Head 8") == 4
    page.get_by_role("button", name="Save and link").click()
    expect(page.locator("#keep-said")).to_contain_text("8388608")
    _, content = saved(page, "HTML")
    alone = opened(content)
    expect(alone.locator("#heads canvas")).to_have_count(32)
    alone.locator("[name=head-order]").select_option("diagonal")
    expect(alone.locator("#heads .head-name").first).to_contain_text("%")


def test_maps_that_are_gone_are_requested_again(visit: Visit, address: str) -> None:
    run(address, MIDDLE)
    page = visit(f"/?{urlencode(MIDDLE)}")
    run(address, {**MIDDLE, "text": f"{MIDDLE['text']} boat"})
    page.locator("#head").select_option(label="2")
    expect(page.locator("#form-error")).to_contain_text("no longer kept")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#map")).to_have_attribute("data-painted", "2")
    expect(page.locator("#head")).to_have_value("1")
    expect(page.locator("#form-error")).to_be_hidden()


def test_a_translator_is_used_like_those_that_ship(visit: Visit) -> None:
    page = visit("/?model=parent&show=call")
    open_form(page)
    page.locator("#text").fill(SENTENCE)
    page.locator("#text").press("Enter")
    expect(page.locator("#wrote")).to_contain_text("La maison blanche est vieille.")
    assert faults(page) == []
    page.get_by_role("radio", name="Step").check(force=True)
    expect(page.locator("#chain .part")).not_to_have_count(0)
    assert faults(page) == []
    page.get_by_role("radio", name="Heads").check(force=True)
    expect(page.locator("#heads canvas")).to_have_count(12)
    link = save(page)
    again = visit(link)
    expect(again.locator("#wrote")).to_contain_text("La maison blanche est vieille.")
    expect(again.locator("#heads canvas")).to_have_count(12)
    same = visit(page.url)
    expect(same.locator("#wrote")).to_contain_text("La maison blanche est vieille.")


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark"}])
def test_heads_are_ranked_by_links_that_are_made_on_the_page(
    visit: Visit, options: dict[str, object]
) -> None:
    page = visit(
        f"/?{urlencode({'model': 'parent', 'text': SENTENCE, 'view': 'heads'})}", **options
    )
    page.locator("[name=head-order]").select_option("alignment")
    expect(page.locator("#heads .head-name .note").first).to_have_text(" –")
    wrote = page.get_by_role("group", name="Output words")
    read = page.get_by_role("group", name="Input words")
    for pair in LINKS.split():
        one, other = map(int, pair.split("-"))
        wrote.get_by_role("button").nth(other).click()
        read.get_by_role("button").nth(one).click()
    expect(page.get_by_label("Links", exact=True)).to_have_value(LINKS)
    expect(page).to_have_url(re.compile("links=0-0"))
    names = page.locator("#heads .head-name")
    expect(names.first).to_contain_text("100")
    expect(names.last).not_to_contain_text("100")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    read.get_by_role("button", name="old.").click()
    expect(page.get_by_label("Links", exact=True)).to_have_value("0-0 2-1 1-2 3-3 4?4")
    read.get_by_role("button", name="old.").click()
    expect(page.get_by_label("Links", exact=True)).to_have_value("0-0 2-1 1-2 3-3")
    page.get_by_label("Links", exact=True).fill("0-9")
    page.get_by_label("Links", exact=True).press("Enter")
    expect(page.locator(".heads-order [role=status]")).to_contain_text("no words 0-9")


def test_heads_are_ranked_over_the_pairs_of_a_file(visit: Visit, address: str) -> None:
    page = visit(f"/?{urlencode({'model': 'parent', 'view': 'heads', 'order': 'alignment'})}")
    pairs = f"{SENTENCE}\tLa maison blanche est vieille.\t{LINKS}\n"
    pairs += "Two dogs run.\tDeux chiens courent.\t0-0 1-1 2-2\n"
    file = {"name": "pairs.tsv", "mimeType": "text/plain", "buffer": pairs.encode()}
    page.get_by_label("Linked pairs").set_input_files(file)
    expect(page.locator(".heads-order [role=status]")).to_contain_text("over 2 pairs")
    expect(page.locator("#heads .head-name").first).to_contain_text("100")
    wrong = {**file, "buffer": b"one\ttwo\n"}
    page.get_by_label("Linked pairs").set_input_files(wrong)
    expect(page.locator(".heads-order [role=status]")).to_contain_text("pairs.tsv should have")


def load_both(address: str) -> None:
    """Let the translator and its child be loaded before the page asks."""
    for model in ("parent", "child"):
        run(address, {"model": model, "text": SENTENCE})


def test_the_heads_of_a_child_that_moved_most_come_first(visit: Visit, address: str) -> None:
    load_both(address)
    question = {"model": "parent", "text": SENTENCE, "view": "compare", "with": "child"}
    page = visit(f"/?{urlencode(question)}")
    moved = page.get_by_role("region", name="Heads that moved most")
    expect(moved.get_by_role("button").first).to_contain_text("Layer 2, head 1, cross-attention")
    assert faults(page) == []
    moved.get_by_role("button").first.click()
    expect(page).to_have_url(re.compile("map=cross&layer=2&head=1"))
    expect(moved.get_by_role("button").first).to_contain_text("Layer 2, head 1, cross-attention")


def test_the_heads_that_moved_most_are_measured_over_the_pairs_of_a_file(
    visit: Visit, address: str
) -> None:
    load_both(address)
    question = {"model": "parent", "text": SENTENCE, "view": "compare", "with": "child"}
    page = visit(f"/?{urlencode(question)}")
    moved = page.get_by_role("region", name="Heads that moved most")
    pairs = f"{SENTENCE}\tLa maison blanche est vieille.\t{LINKS}\n"
    pairs += "Two dogs run.\tDeux chiens courent.\t0-0 1-1 2-2\n"
    file = {"name": "pairs.tsv", "mimeType": "text/plain", "buffer": pairs.encode()}
    moved.get_by_label("Linked pairs").set_input_files(file)
    expect(moved.get_by_role("status")).to_have_text("Averages over 2 pairs.")
    first = moved.get_by_role("button").first
    expect(first).to_contain_text("Layer 2, head 1, cross-attention")
    said = first.inner_text()
    assert faults(page) == []
    first.click()
    expect(page).to_have_url(re.compile("map=cross&layer=2&head=1"))
    expect(moved.get_by_role("status")).to_have_text("Averages over 2 pairs.")
    expect(moved.get_by_role("button").first).to_have_text(said)
    wrong = {**file, "buffer": b"one\ttwo\n"}
    moved.get_by_label("Linked pairs").set_input_files(wrong)
    expect(moved.get_by_role("status")).to_contain_text("pairs.tsv should have")


def test_a_captioner_is_used_like_those_that_ship(visit: Visit, address: str) -> None:
    describe(address, {"model": "photos"})
    page = visit.blank()
    page.goto("/picture?model=photos")
    file = {"name": "mine.png", "mimeType": "image/png", "buffer": canned.shaped(90, 60)}
    page.locator("#file").set_input_files(file)
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#wrote .piece")).not_to_have_count(0)
    assert faults(page) == []
    page.get_by_role("radio", name="Heads").check(force=True)
    expect(page.locator("#heads .head-map")).to_have_count(8)


def opened_caption(visit: Visit, address: str, **options: str) -> tuple[Page, list[str]]:
    describe(address, CAPTION)
    page = visit.blank()
    paths = listening(page)
    page.goto(f"/picture?{urlencode({**CAPTION, 'sample': 'car', **options})}")
    return page, paths


def test_of_a_large_caption_only_what_is_looked_at_is_fetched(visit: Visit, address: str) -> None:
    page, paths = opened_caption(visit, address, show="call")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#wrote .piece")).to_have_count(60)
    assert len(paths) == 8  # the heads of the last layer, of which the mean is shown
    page.locator("#head").select_option(label="3")
    expect(page).to_have_url(re.compile("head=3"))
    assert len(paths) == 8
    page.locator("#layer").select_option(label="2")
    expect(page).to_have_url(re.compile("layer=2"))
    expect(page.locator("#bar-top")).not_to_have_text("0.000")
    assert len(paths) == 9
    page.get_by_role("radio", name="Heads").check(force=True)
    expect(page.locator("#heads .head-map")).to_have_count(48)
    expect(page.locator("#heads .note").last).to_contain_text("bits")
    (row,) = paths[9:]
    assert re.fullmatch(r"rows/\d+\?kind=cross&pick=0", row)
    page.locator("#wrote .piece").nth(40).click()
    expect(page).to_have_url(re.compile("step=41"))
    expect(page.locator("#heads .note").last).to_contain_text("bits")
    assert paths[-1] == "rows/40?kind=cross&pick=0"
    assert faults(page) == []
    for name, drawn in (
        ("Step", "#chain .part"),
        ("Network", "#view-network svg"),
        ("All words", "#sheet .sheet-panel"),
    ):
        page.get_by_role("radio", name=name).check(force=True)
        expect(page.locator(drawn)).not_to_have_count(0)


def test_the_rows_of_a_large_caption_that_are_gone_are_reported(visit: Visit, address: str) -> None:
    page, _ = opened_caption(visit, address, view="heads")
    expect(page.locator("#heads .note").last).to_contain_text("bits")
    run(address, MIDDLE)
    page.locator("#wrote .piece").nth(50).click()
    expect(page.locator("#heads .error")).to_contain_text("no longer kept")


def test_a_layer_that_is_chosen_before_the_page_has_loaded_all_is_fetched_once(
    visit: Visit,
) -> None:
    page = visit.blank()
    paths, held = listening(page), []
    page.route("**/completion.js*", lambda route: held.append(route))
    with page.expect_request("**/completion.js*"):
        page.goto("/see?model=classes")
    expect(page.locator("#photo")).to_have_attribute("data-painted", "1")
    page.locator("#layer").select_option(index=2)
    (module,) = held
    module.continue_()
    expect(page.locator("#view-note")).to_contain_text("layers up to 3")
    assert paths == ["rollout/7?kind=encoder-self", "rollout/2?kind=encoder-self"]
    assert faults(page) == []


def test_of_a_large_trace_of_patches_only_what_is_looked_at_is_fetched(
    visit: Visit, address: str
) -> None:
    page = visit.blank()
    paths = listening(page)
    page.goto("/see?model=classes")
    expect(page.locator("#photo")).to_have_attribute("data-painted", "1")
    expect(page.locator("#sentence")).to_contain_text("Class token looks, through the layers,")
    assert paths == ["rollout/7?kind=encoder-self"]
    with page.expect_response("**/rollout/2?*"):
        page.locator("#layer").select_option(index=2)
    page.locator("#head").select_option(label="3")
    expect(page.locator("#view-note")).to_contain_text("head 3 of layer 3")
    expect(page.locator("#sentence")).to_contain_text("Class token attends")
    assert paths[1:] == ["rollout/2?kind=encoder-self", "maps/10"]
    page.get_by_role("radio", name="Heads", exact=True).check(force=True)
    expect(page.locator(".head-map .note").last).to_contain_text("bits")
    assert paths[3:] == ["rows/0?kind=encoder-self&pick=0"]
    page.get_by_role("radio", name="Map", exact=True).check(force=True)
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.locator("#head").select_option(label="mean of all")
    expect(page.locator("#map")).to_have_attribute("data-painted", "2")
    assert sorted(paths[4:]) == ["maps/11", "maps/8", "maps/9"]
    page.locator("#head").select_option(label="2")
    page.get_by_role("radio", name="Step", exact=True).check(force=True)
    expect(open_part(page, "query").locator(".strip")).to_have_count(1)
    assert faults(page) == []


def test_files_of_a_large_trace_of_patches_have_all_maps(
    visit: Visit, opened: Callable[[bytes], Page]
) -> None:
    page = visit("/see?model=classes&show=call")
    expect(page.locator("#photo")).to_have_attribute("data-painted", "1")
    _, content = saved(page, "JSON")
    assert len([each for each in json.loads(content)["maps"] if each["layer"] == 7]) == 4
    _, content = saved(page, "NPZ")
    with np.load(io.BytesIO(content)) as archive:
        assert archive["encoder_self_weights"].shape == (8, 4, 197, 197)
    _, content = saved(page, "HTML")
    alone = opened(content)
    expect(alone.locator("#sentence")).to_contain_text("Class token looks, through the layers,")
