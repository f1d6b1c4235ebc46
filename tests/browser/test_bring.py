"""Attention brought along from elsewhere: shown if it is whole, refused with a reason if not."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from tests.browser.visits import Visit

START = "/?model=dates-additive&text=3%20May%201979&show=call+bring"
WHOLE = {
    "source": ["▁the", "▁ca", "t", "</s>"],
    "target": ["le", "<b>chat</b>", "</s>"],
    "weights": [[0.9, 0.05, 0.05, 0], [0.1, 0.6, 0.3, 0], [0, 0, 0, 1]],
}


def choose(page: Page, name: str, content: bytes) -> None:
    file: FilePayload = {"name": name, "mimeType": "application/json", "buffer": content}
    page.locator("#file").set_input_files(file)


def test_a_plain_matrix_gets_every_view_that_it_allows(visit: Visit) -> None:
    page = visit(START)
    page.locator("#file").scroll_into_view_if_needed()
    choose(page, "mine.json", json.dumps(WHOLE).encode())
    expect(page.locator("#form-error")).to_be_in_viewport(ratio=1)
    expect(page.locator("#read .visually-hidden")).to_have_text("the cat")
    expect(page.locator("#row-heads > *")).to_have_text(["le", "<b>chat</b>", "⟨end⟩"])
    expect(page.locator("#sentence")).to_contain_text(
        "Step 1 of 3: “le”, attending mostly to “the”"
    )
    expect(page.locator("#form-error")).to_contain_text("mine.json")
    expect(page.locator("#copy-link")).to_be_hidden()
    page.get_by_role("radio", name="Ribbons").check(force=True)
    expect(page.locator("#ribbons .ribbon").first).to_be_visible()
    page.get_by_role("radio", name="Step").check(force=True)
    expect(page.locator("#chain")).to_contain_text("weights only")
    expect(page.locator("#view label", has_text="Compare")).to_be_hidden()
    expect(page.locator("#model-now")).to_have_text("Weights in mine.json")
    expect(page.locator("#text")).to_have_value("the cat")
    expect(page.locator("#hint")).to_have_text("")
    page.locator("#text").fill("3 May 1979")
    page.get_by_role("button", name="Translate").click()
    expect(page.locator("#model-now")).not_to_contain_text("mine.json")
    expect(page.locator("#read .visually-hidden")).to_have_text("3 May 1979")
    expect(page.locator("#form-error")).to_be_hidden()


def test_a_file_that_is_dropped_before_the_script_arrived_is_taken(visit: Visit) -> None:
    page, held = visit.blank(), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/bundles/text_page.js*", hold)
    with page.expect_request("**/bundles/text_page.js*"):
        page.goto(START, wait_until="commit")
    kept = page.locator("body").evaluate(
        """(body, content) => {
          const files = new DataTransfer();
          files.items.add(new File([content], "mine.json", { type: "application/json" }));
          const drop = { dataTransfer: files, bubbles: true, cancelable: true };
          const events = ["dragover", "drop"].map((type) => new DragEvent(type, drop));
          return events.map((event) => !body.dispatchEvent(event));
        }""",
        json.dumps(WHOLE),
    )
    assert kept == [True, True]
    held[0].continue_()
    expect(page.locator("#model-now")).to_have_text("Weights in mine.json")


def test_an_archive_of_numpy_is_taken_and_what_is_saved_is_one(visit: Visit) -> None:
    page = visit(START)
    held = io.BytesIO()
    weights = np.full((2, 3, 2, 4), 0.25)
    np.savez_compressed(held, weights=weights, source=np.array(list("abcd")), target=["x", "y"])
    choose(page, "mine.npz", held.getvalue())
    expect(page.locator("#head option")).to_have_count(5)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save NPZ").click()
    # Left open, the file would be closed by chance, and blamed on whichever test runs then.
    with np.load(waiting.value.path()) as saved:
        np.testing.assert_allclose(saved["weights"], weights)
        assert saved["source"].tolist() == ["▁a", "▁b", "▁c", "▁d"]


def test_an_array_of_numpy_and_a_table_are_taken(visit: Visit) -> None:
    page = visit(START)
    held = io.BytesIO()
    np.save(held, np.full((2, 3, 4), 0.25, dtype=np.float32))
    choose(page, "mine.npy", held.getvalue())
    expect(page.locator("#head option")).to_have_count(4)
    expect(page.locator("#row-heads > *")).to_have_text(["1", "2", "3"])
    choose(page, "mine.csv", b";die;Katze\nthe;0,9;0,1\ncat;0,2;0,8\n")
    expect(page.locator("#row-heads > *")).to_have_text(["the", "cat"])
    expect(page.locator("#column-heads > *")).to_have_text(["die", "Katze"])
    expect(page.locator("#model-now")).to_have_text("Weights in mine.csv")


def test_a_saved_trace_can_be_brought_along_again(visit: Visit) -> None:
    page = visit(START)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save JSON").click()
    content = waiting.value.path().read_bytes()
    page.locator("#text").fill("7 March 2024")
    page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text("7 March 2024")
    choose(page, "trace.json", content)
    expect(page.locator("#read .visually-hidden")).to_have_text("3 May 1979")
    expect(page.locator("#sentence")).to_contain_text("wrote")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n", "neither JSON, CSV, .npy nor .npz"),
        (b"PK\x03\x04 and no more", "no whole zip archive"),
        (json.dumps(WHOLE | {"weights": [[1, 0, 0, 0]]}).encode(), "1 rows of weights for 3"),
        (
            json.dumps(WHOLE | {"weights": [[0.5, 0.4, 0, 0]] * 3}).encode(),
            "Row 1 sums to 0.900, not to 1.",
        ),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_reason(
    visit: Visit, content: bytes, reason: str
) -> None:
    page = visit(START)
    choose(page, "bad.json", content)
    expect(page.locator("#bring-error")).to_contain_text(reason)
    expect(page.locator("#read .visually-hidden")).to_have_text("3 May 1979")
    choose(page, "good.json", json.dumps(WHOLE).encode())
    expect(page.locator("#bring-error")).to_be_hidden()
