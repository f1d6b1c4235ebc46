"""What is taken home: drawings for paper, moving pictures, the page itself as one file."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageSequence
from playwright.sync_api import Page, expect

import heed
from tests.browser.canned import trace
from tests.browser.downloads import saved
from tests.browser.visits import Visit

Answer = Callable[[Page, dict[str, Any]], None]
DATES = "/?model=dates-additive&text=3%20May%201979&show=call"
SVG = "{http://www.w3.org/2000/svg}"
NASTY = [["</script>"], ["<!--"], ['"quoted"'], ["שלום"], ["-->"], ["it's"], ["\u2028&amp;"]]
WORDS = [["the"], ["inter", "nation", "al"], ["organ", "isation"], ["of"], ["words"]]
READY = {
    "map": "#map[data-painted]",
    "ribbons": "#ribbons svg",
    "step": "#chain .part",
    "compare": "#difference canvas",
}


def size(svg: bytes) -> tuple[int, int]:
    """In pixels."""
    _, _, width, height = ElementTree.fromstring(svg).attrib["viewBox"].split()
    return int(width), int(height)


def words(svg: bytes) -> list[str]:
    """Every text of a drawing."""
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def shades(picture: Image.Image) -> set[tuple[int, ...]]:
    """Its colours."""
    found = picture.convert("RGB").getcolors(1 << 24)
    assert found is not None
    return {colour for _, colour in found if isinstance(colour, tuple)}


@pytest.mark.parametrize("view", READY)
def test_every_view_can_be_saved_as_a_drawing_and_as_a_picture(visit: Visit, view: str) -> None:
    page = visit(f"{DATES}&view={view}&with=dates-dot", color_scheme="dark")
    expect(page.locator(READY[view])).not_to_have_count(0)
    name, svg = saved(page, "SVG")
    assert name.endswith(".svg" if view == "map" else f".{view}.svg")
    all_words = words(svg)
    assert any("Dates" in text for text in all_words)
    for wanted in ("M", "9") if view in ("map", "ribbons") else ("3 May 1979",):
        assert wanted in all_words, (wanted, all_words)
    assert "http" not in svg.decode().replace("http://www.w3.org/2000/svg", "")
    _, png = saved(page, "PNG")
    file = Image.open(io.BytesIO(png))
    assert [round(dots) for dots in file.info["dpi"]] == [300, 300]
    picture = file.convert("RGB")
    width, height = size(svg)
    wanted = (width * 300 / 96, height * 300 / 96)
    assert all(abs(got - given) < 1 for got, given in zip(picture.size, wanted, strict=True))
    assert picture.getpixel((2, 2)) == (255, 255, 255)
    assert picture.getpixel((picture.width - 3, picture.height - 3)) == (255, 255, 255)
    assert len(shades(picture)) > 16


def test_a_picture_has_the_chosen_resolution_or_the_size_of_a_slide(visit: Visit) -> None:
    page = visit(DATES)
    expected = {"150": (None, 150), "slide": ((3840, 2160), 288)}
    for choice, (pixels, dpi) in expected.items():
        page.locator("#png-size").select_option(choice)
        picture = Image.open(io.BytesIO(saved(page, "PNG")[1]))
        assert [round(dots) for dots in picture.info["dpi"]] == [dpi, dpi]
        assert pixels in (None, picture.size)
        assert len(shades(picture.convert("RGB"))) > 16


def test_a_figure_is_as_it_was_chosen(visit: Visit) -> None:
    page = visit(DATES)
    choices = page.get_by_role("group", name="Figure")
    choices.get_by_label("header").uncheck()
    choices.get_by_label("Width").fill("85")
    choices.get_by_label("Colours").select_option("grey")
    _, svg = saved(page, "SVG")
    assert ElementTree.fromstring(svg).attrib["width"] == "85mm"
    assert not any("Dates" in text for text in words(svg))
    _, png = saved(page, "PNG")
    picture = Image.open(io.BytesIO(png))
    assert abs(picture.width / 300 * 25.4 - 85) < 0.5
    grey = [colour for colour in shades(picture) if max(colour) - min(colour) < 12]
    assert len(grey) > 20


def test_the_map_is_copied_for_papers_and_notes(visit: Visit) -> None:
    page = visit(DATES, permissions=["clipboard-read", "clipboard-write"])
    for name, opening in (("LaTeX", "% "), ("Markdown", "| characters | ")):
        page.get_by_role("button", name=f"Copy {name}").click()
        expect(page.locator("#share-said")).to_contain_text(f"{name}")
        assert page.evaluate("() => navigator.clipboard.readText()").startswith(opening)


def test_words_nobody_should_type_are_drawn_as_they_are(visit: Visit, answer: Answer) -> None:
    page = visit.blank()
    answer(page, trace([*NASTY, ["a\x00\x1b\ufffe"]], [["]]>"], ["<b>"]]))
    page.goto("/?units=words&show=call")
    for view in ("Map", "Ribbons", "Step"):
        page.get_by_role("radio", name=view, exact=True).check(force=True)
        _, svg = saved(page, "SVG")
        for wanted in ("</script>", "<!--", '"quoted"', "שלום"):
            assert wanted in words(svg), view


def test_all_heads_are_saved_together(visit: Visit, answer: Answer) -> None:
    page = visit.blank()
    answer(page, trace(WORDS, WORDS, layers=2, heads=4))
    page.goto("/?view=heads&units=words&show=call")
    _, svg = saved(page, "SVG")
    assert [text for text in words(svg) if text.startswith("Head")] == 2 * [
        f"Head {head}" for head in (1, 2, 3, 4)
    ]
    assert "organisation" in words(svg)


def test_a_model_without_attention_gives_its_one_vector(visit: Visit) -> None:
    page = visit("/?model=dates-none&show=call")
    _, svg = saved(page, "SVG")
    assert "never looks back" in " ".join(words(svg))
    _, gif = saved(page, "GIF")
    assert getattr(Image.open(io.BytesIO(gif)), "n_frames", 1) > 5


def test_a_very_long_map_is_one_picture_still(visit: Visit, answer: Answer) -> None:
    page = visit.blank()
    answer(page, trace(WORDS * 12, WORDS * 12))
    page.goto("/?units=words&show=call")
    _, svg = saved(page, "SVG")
    assert float(ElementTree.fromstring(svg).attrib["height"].removesuffix("mm")) <= 250
    _, png = saved(page, "PNG")
    picture = Image.open(io.BytesIO(png))
    assert picture.width * picture.height <= 16.1e6
    assert abs(picture.width / picture.height - size(svg)[0] / size(svg)[1]) < 0.01


def test_where_there_is_nothing_to_draw_it_is_said(visit: Visit, answer: Answer) -> None:
    page = visit.blank()
    answer(page, {**trace(WORDS, WORDS), "steps": []})
    page.goto("/?view=step&show=call")
    page.get_by_role("button", name="Save PNG").click()
    expect(page.locator("#share-said")).to_contain_text("weights only")


# --- moving pictures --------------------------------------------------------------------------


def test_a_film_of_the_map_grows_row_by_row(visit: Visit) -> None:
    page = visit(f"{DATES}&speed=2")
    rows = page.locator("#row-heads > *").count()
    width, height = size(saved(page, "SVG")[1])
    name, gif = saved(page, "GIF")
    assert name.endswith(".gif")
    film = Image.open(io.BytesIO(gif))
    assert film.info["loop"] == 0
    frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(film)]
    assert len(frames) == rows + 1
    assert film.size == (round(width * 1.5), round(height * 1.5))
    delays = [
        frame.info["duration"] for frame in ImageSequence.Iterator(Image.open(io.BytesIO(gif)))
    ]
    assert delays[:-1] == [450] * rows
    assert delays[-1] > 450

    def white(frame: Image.Image) -> int:
        return frame.tobytes().count(b"\xff\xff\xff")

    seen = [white(frame) for frame in frames[:-1]]
    assert seen[0] > seen[rows // 2] > seen[-1]
    accent = (14, 90, 118)
    assert all(accent in shades(frame) for frame in frames[:-1])
    assert frames[-1].getpixel((2, 2)) == (255, 255, 255)
    assert (10, 52, 80) in shades(frames[-1])  # the strongest weight, exactly


@pytest.mark.parametrize(("view", "count"), [("ribbons", 12), ("step", 6), ("compare", 12)])
def test_the_other_views_move_as_well(visit: Visit, view: str, count: int) -> None:
    page = visit(f"{DATES}&view={view}&with=dates-dot")
    expect(page.locator(READY[view])).not_to_have_count(0)
    _, gif = saved(page, "GIF")
    film = Image.open(io.BytesIO(gif))
    frames = [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(film)]
    assert len(frames) == count
    assert len(set(frames)) == count


def test_a_film_tells_how_far_it_is_and_can_be_stopped(visit: Visit, answer: Answer) -> None:
    page = visit.blank()
    answer(page, trace(WORDS * 12, WORDS * 12))
    page.goto("/?units=words&show=call")
    page.get_by_role("button", name="Save GIF").click()
    expect(page.get_by_role("progressbar", name="Frames drawn")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.film progress')?.value > 1")
    page.locator("#forth").click()  # the page answers meanwhile
    expect(page.locator("#place")).to_have_text("2 / 61")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#share-said")).to_have_text("Stopped; nothing was saved.")
    expect(page.locator(".film")).to_have_count(0)


# --- one file ---------------------------------------------------------------------------------


def test_the_page_as_one_file_plays_without_a_server(
    visit: Visit, opened: Callable[..., Page]
) -> None:
    page = visit(f"{DATES}&step=3&scale=row&log=true&speed=4", color_scheme="light")
    name, content = saved(page, "HTML")
    assert name.endswith(".html")
    assert len(content) < 1_000_000
    alone = opened(content, color_scheme="light")
    expect(alone.locator("#map")).to_have_attribute("data-painted", "1")
    for part in ("#read", "#wrote", "#sentence", "#place", "#row-heads", "#column-heads"):
        assert alone.locator(part).inner_text() == page.locator(part).inner_text()
    expect(alone.get_by_role("radio", name="each row")).to_be_checked()
    expect(alone.locator("#log")).to_be_checked()
    expect(alone.locator("#ask")).to_have_count(0)
    expect(alone.get_by_role("button", name="Copy link")).to_have_count(0)
    alone.locator("#forth").click()
    expect(alone.locator("#place")).to_have_text(re.compile("^4 /"))
    alone.locator("#play").click()
    expect(alone.locator("#place")).to_have_text(re.compile(r"^(\d+) / \1$"))
    alone.get_by_role("radio", name="Ribbons").check(force=True)
    expect(alone.locator("#ribbons .ribbon").first).to_be_visible()
    alone.get_by_role("radio", name="Step").check(force=True)
    expect(alone.locator("#chain .part")).to_have_count(6)
    expect(alone.get_by_role("radio", name="Compare")).to_have_count(0)
    alone.get_by_role("button", name="Dark colours").click()
    expect(alone.locator("body")).to_have_css("background-color", "rgb(19, 21, 23)")
    alone.get_by_text("Numbers of this step").click()
    expect(alone.locator("#numbers-body")).to_contain_text("Alternatives")
    _, png = saved(alone, "PNG")
    assert Image.open(io.BytesIO(png)).convert("RGB").getpixel((2, 2)) == (255, 255, 255)


def test_a_file_can_be_saved_again_without_a_server(
    visit: Visit, opened: Callable[..., Page]
) -> None:
    page = visit(f"{DATES}&step=3", color_scheme="light")
    content = saved(page, "HTML")[1]
    alone = opened(content, color_scheme="dark")
    alone.locator("#forth").click()
    again = saved(alone, "HTML")[1]
    assert packed_part(again) == packed_part(content)
    other = opened(again, color_scheme="light")
    expect(other.locator("#place")).to_have_text(re.compile("^4 /"))
    assert other.locator("html").get_attribute("data-theme") is None
    for part in ("#read", "#wrote", "#row-heads", "#column-heads"):
        assert other.locator(part).inner_text() == page.locator(part).inner_text()


def packed_part(file: bytes) -> bytes:
    """The modules, styles and body of a file, packed."""
    _, _, rest = file.partition(b'id="packed"')
    return rest.partition(b"</script>")[0]


BESIDE = 0.15
"""The place within a cell at which no number stands."""


def test_the_map_of_the_file_is_the_map_of_the_page(
    visit: Visit, opened: Callable[..., Page]
) -> None:
    page = visit(DATES, color_scheme="light")
    alone = opened(saved(page, "HTML")[1], color_scheme="light")
    expect(alone.locator("#map")).to_have_attribute("data-painted", "1")
    pictures = []
    for each in (page, alone):
        each.locator("#slider").press("End")
        shot = each.locator("#plot-frame").screenshot()
        pictures.append(Image.open(io.BytesIO(shot)).convert("RGB"))
    ours, theirs = pictures
    assert ours.width == theirs.width  # the rows use the room, of which the file has more
    columns, rows = (
        alone.locator("#column-heads > *").count(),
        alone.locator("#row-heads > *").count(),
    )
    for row in range(rows):
        for column in range(columns):
            one, other = (
                each.getpixel(
                    (
                        int((column + BESIDE) * each.width / columns),
                        int((row + BESIDE) * each.height / rows),
                    )
                )
                for each in pictures
            )
            assert isinstance(one, tuple)
            assert isinstance(other, tuple)
            assert max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 2, (row, column)
    alone.locator("#plot").hover(position={"x": 5, "y": 5})
    expect(alone.locator("#tooltip")).to_contain_text("α")
    third = 2.5 * theirs.height / rows
    alone.locator("#plot").click(position={"x": 5, "y": third})
    expect(alone.locator("#place")).to_have_text(re.compile("^3 /"))


@pytest.mark.parametrize("by", ["page", "python"])
def test_an_older_browser_says_that_it_cannot_show_the_file(
    visit: Visit, opened: Callable[..., Page], by: str
) -> None:
    if by == "page":
        content = saved(visit(DATES), "HTML")[1]
    else:
        content = heed.trace("dates-additive", "3 May 1979").to_html().encode()
    alone = opened(content)
    expect(alone.locator("#map")).to_have_attribute("data-painted", "1")
    alone.add_init_script("CSS.supports = () => false")
    alone.reload()
    expect(alone.locator("body")).to_have_text(re.compile("^This file needs a newer browser"))


def test_models_side_by_side_come_along(visit: Visit, opened: Callable[..., Page]) -> None:
    page = visit(f"{DATES}&view=compare&with=dates-dot")
    expect(page.locator("#difference canvas")).to_have_count(1)
    alone = opened(saved(page, "HTML")[1])
    expect(alone.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    expect(alone.locator("#difference canvas")).to_have_count(1)
    for part in ("#compare-texts", "#compare-cards"):
        assert alone.locator(part).inner_text() == page.locator(part).inner_text()
    expect(alone.locator("#compare-stages")).to_be_hidden()
    alone.get_by_role("radio", name="Map", exact=True).check(force=True)
    expect(alone.locator("#map")).to_have_attribute("data-painted", "1")


def test_no_text_breaks_out_of_the_file(
    visit: Visit, answer: Answer, opened: Callable[..., Page]
) -> None:
    made = trace([*NASTY, ["<img src=x onerror=alert(1)>"]], [["</body>"], ["עולם"], ["'\"`"]])
    made["source"]["tokens"][0]["text"] = "</script><script>alert(1)</script>"
    page = visit.blank()
    answer(page, made)
    page.goto("/?units=words&show=call")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    content = saved(page, "HTML")[1]
    alone = opened(content)
    dialogs: list[str] = []
    alone.on("dialog", lambda dialog: dialogs.append(dialog.message))
    expect(alone.locator("#row-heads > *")).to_have_text(["</body>", "עולם", "'\"`", "⟨end⟩"])
    assert alone.locator("#read").inner_text() == page.locator("#read").inner_text()
    alone.locator("#forth").click()
    expect(alone.locator("#sentence")).to_contain_text("עולם")
    alone.get_by_role("radio", name="Ribbons").check(force=True)
    expect(alone.locator("#ribbons")).to_contain_text("</script>")
    held = json.loads(alone.locator("#taken").evaluate("node => node.textContent"))
    assert held["trace"] == made
    assert dialogs == []


def test_attention_brought_along_goes_along(visit: Visit, opened: Callable[..., Page]) -> None:
    page = visit(f"{DATES}+bring")
    content = json.dumps({"source": ["a", "b"], "target": ["x"], "weights": [[0.25, 0.75]]})
    page.locator("#file").set_input_files(
        {"name": "mine.json", "mimeType": "application/json", "buffer": content.encode()}
    )
    expect(page.locator("#row-heads > *")).to_have_text(["x"])
    assert "x" in words(saved(page, "SVG")[1])
    alone = opened(saved(page, "HTML")[1])
    expect(alone.locator("#row-heads > *")).to_have_text(["x"])


def test_the_file_fits_a_phone(visit: Visit, opened: Callable[..., Page]) -> None:
    page = visit(DATES)
    alone = opened(saved(page, "HTML")[1], viewport={"width": 320, "height": 640})
    assert alone.evaluate("document.documentElement.scrollWidth") <= 320
