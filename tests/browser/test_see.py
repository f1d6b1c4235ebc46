"""The page of patches: a photo, its patches, and where they look."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.steps import open_part
from tests.browser.visits import Visit
from tests.models.drawn import quarters, saved
from tests.models.tiny import THINGS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(small_models: str) -> str:
    return small_models


@pytest.fixture
def page_of_patches(visit: Visit) -> Page:
    return visit("/see")


def test_it_opens_on_a_photo_under_the_class_tokens_rollout(page_of_patches: Page) -> None:
    page = page_of_patches
    expect(page.locator("#photo")).to_have_attribute("data-painted", "1")
    expect(page.locator("#sentence")).to_contain_text("Class token looks, through the layers,")
    expect(page.locator("#head")).to_have_value("rollout")
    expect(page.locator("#class")).to_have_text(re.compile("|".join(THINGS)))
    expect(page.locator("#classes li")).to_have_count(5)


def test_a_pressed_patch_shows_where_it_looks(page_of_patches: Page) -> None:
    page = page_of_patches
    photo = page.locator("#photo")
    frame = photo.bounding_box()
    assert frame is not None
    # The middle of the third row and the second column.
    place = {"x": frame["width"] * 1.5 / 14, "y": frame["height"] * 2.5 / 14}
    photo.click(position=place)  # type: ignore[arg-type]
    expect(page.locator("#sentence")).to_contain_text("Patch in row 3, column 2")
    expect(page.locator("#photo-marks .query")).to_have_count(2)
    expect(page).to_have_url(re.compile("step=31"))
    photo.click(position=place)  # type: ignore[arg-type]
    expect(page.locator("#sentence")).to_contain_text("Class token")


def test_the_keyboard_moves_over_the_patches(page_of_patches: Page) -> None:
    page = page_of_patches
    page.locator("#photo").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#sentence")).to_contain_text("Patch in row")
    for _ in range(14):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#sentence")).to_contain_text("Patch in row 1, column 1")
    page.keyboard.press("Escape")
    expect(page.locator("#sentence")).to_contain_text("Class token")
    expect(page.locator("#let-go")).to_be_hidden()


def test_layers_and_heads_are_chosen(page_of_patches: Page) -> None:
    page = page_of_patches
    page.locator("#head").select_option(index=1)
    expect(page.locator("#sentence")).to_contain_text("Class token attends")
    page.locator("#layer").select_option(index=0)
    expect(page.locator("#view-note")).to_contain_text("head 2 of layer 1")
    page.get_by_role("radio", name="Heads", exact=True).check(force=True)
    expect(page.locator(".head-map")).to_have_count(6)
    page.locator('.head-map[data-layer="2"][data-head="0"]').click()
    expect(page.locator("#view-note")).to_contain_text("head 1 of layer 3")


def test_positions_are_shown_as_a_picture(page_of_patches: Page) -> None:
    page = page_of_patches
    page.get_by_role("radio", name="Positions", exact=True).check(force=True)
    square = page.locator(".positions-all canvas")
    expect(square).to_be_visible()
    frame = square.bounding_box()
    assert frame is not None
    square.click(position={"x": frame["width"] - 3, "y": frame["height"] - 3})
    expect(page.locator(".positions-large .note")).to_contain_text("row 14, column 14")


def test_the_map_and_the_numbers_have_all_tokens(visit: Visit) -> None:
    page = visit("/see?view=map&show=table")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    expect(page.locator("#row-heads > *")).to_have_count(197)
    expect(page.locator("#table-body tbody tr")).to_have_count(197)
    page.locator("#slider").press("ArrowRight")
    now = page.locator("#table-body caption p")
    expect(now).to_have_text(
        re.compile("^Patch in row 1, column 1 looks, .* mostly to the upper left")
    )
    expect(page.locator("#table-body [aria-current] th")).to_have_text(
        re.compile("row 1, column 1")
    )
    order = page.locator("#table-body [aria-current] td").nth(1).inner_text()
    weights = [float(number) for number in re.findall(r"\((0\.\d{4})\)", order)]
    assert len(weights) == 3
    assert weights == sorted(weights, reverse=True)


def test_an_own_photo_is_seen_and_its_address_does_not_have_it(
    page_of_patches: Page, tmp_path: Path
) -> None:
    page = page_of_patches
    photo = tmp_path / "photo.png"
    photo.write_bytes(saved(quarters(300, 100), "PNG"))
    page.locator("#file").set_input_files(photo)
    expect(page).to_have_url(re.compile("sample=yours"))
    expect(page.locator('#gallery button[value="yours"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#photo")).to_have_attribute("style", re.compile("--aspect: 3"))


def test_a_photo_of_one_colour_is_seen_and_another_file_is_refused(
    page_of_patches: Page, tmp_path: Path
) -> None:
    page = page_of_patches
    grey = tmp_path / "grey.png"
    grey.write_bytes(saved(Image.new("RGB", (5, 5), "grey"), "PNG"))
    page.locator("#file").set_input_files(grey)
    expect(page.locator('#gallery button[value="yours"]')).to_be_visible()
    odd = tmp_path / "odd.txt"
    odd.write_text("no photo")
    page.locator("#file").set_input_files(odd)
    expect(page.locator("#image-error")).to_contain_text("none of the pictures")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#photo")).to_have_attribute("data-painted", "1")


def test_a_saved_trace_is_dropped(page_of_patches: Page, tmp_path: Path) -> None:
    page = page_of_patches
    page.locator("#call summary").click()
    with page.expect_download() as waiting:
        page.locator("#save-json").click()
    file = tmp_path / "trace.json"
    waiting.value.save_as(file)
    page.locator("#file").set_input_files(file)
    expect(page.locator("#form-error")).to_contain_text("This is the trace in trace.json")


def test_a_step_has_the_numbers_of_one_head(visit: Visit) -> None:
    page = visit("/see?view=step&layer=2&head=1")
    parts = page.locator("#view-step, #chain").locator(".part")
    expect(parts).to_have_count(5)
    query = open_part(page, "query")
    expect(query.locator(".strip")).to_be_visible()
    expect(query).to_contain_text("the query of head 1 of layer 2")
    page.locator("#head").select_option(index=1)
    expect(query).to_contain_text("the query of head 2 of layer 2")
    rows = open_part(page, "weights").locator("table.keys tbody tr")
    expect(rows).to_have_count(12)
    page.locator("#chain .grid-of").click()
    expect(page.locator("#sentence")).to_contain_text("Patch in row")
