"""The preview of any trace is a picture, which takes a bounded number of steps to draw."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageDraw

from heed.app.errors import HeedError
from heed.app.inference.jobs import AbandonedError
from heed.app.pages.link_preview.graph import MOST_EDGES
from heed.app.pages.link_preview.picture import picture
from heed.app.pages.link_preview.thread import MAX_WAITING, Check, DrawingThread
from heed.app.pages.link_preview.typeface import drawable, fitting, font
from heed.app.pages.table import MOST_OF_NAME, table_of
from heed.app.schemas import TraceOut
from heed.app.traces.trace_import.validation import validated_trace
from heed.models.card import READ
from tests.browser.canned import trace
from tests.browser.canned_pictures import trace as picture_trace

PNG = b"\x89PNG"
HOSTILE = ["\u2028", "\u2029", "\x00", "\u202e", "\u2066", "\ufeff", "\n", "\u0301", "\U000e0041"]
label = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(HOSTILE)))


def drawn(made: dict[str, Any]) -> bytes:
    """The preview of a trace that can be saved."""
    return picture(validated_trace(made), "A model")


def stretched(made: dict[str, Any], **texts: str) -> TraceOut:
    """A trace whose axes have texts and words that are longer than any that can be saved."""
    shown = TraceOut.model_validate(made)
    for name, text in texts.items():
        axis: Any = getattr(shown, name)
        axis.text = text
        for word in axis.words:
            word.start, word.end = 0, len(text)
    return shown


# --- texts ------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.lists(label, min_size=1, max_size=5), st.lists(label, min_size=1, max_size=5))
def test_labels_of_any_characters_can_be_drawn(source: list[str], target: list[str]) -> None:
    made = trace([[each] for each in source], [[each] for each in target])
    assert drawn(made).startswith(PNG)


@given(st.text(st.characters(), max_size=40))
def test_what_is_drawn_has_no_control_characters(text: str) -> None:
    shown = drawable(text)
    assert shown.isprintable()
    font("Sans", 24).getmask(shown)


@pytest.mark.parametrize("character", HOSTILE)
def test_the_name_of_a_node_may_be_any_character(character: str) -> None:
    assert drawn(graph([character, character * 2])).startswith(PNG)


def test_the_rest_of_a_label_remains() -> None:
    assert drawable("a\x00b\u202ec\u2028d") == "a•bc d"


class Face:
    """A typeface whose characters are all 10 wide, and which counts how often it measures."""

    measured = 0

    def getlength(self, text: str) -> float:
        self.measured += 1
        return 10 * len(text)


@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 30_000])
def test_a_line_is_cut_where_it_fits_after_a_few_measurements(length: int) -> None:
    face: Any = Face()
    line = "a" * length
    cut = fitting(line, face, 100)
    assert cut == (line if length <= 10 else "a" * 9 + "…")
    assert face.measured <= 17


def test_a_face_without_room_for_anything_shows_an_ellipsis() -> None:
    face: Any = Face()
    assert fitting("abc", face, 5) == "…"


@pytest.mark.parametrize("word", ["a" * 2_000_000, "a " * 15_000, " " * 100_000, "\u0301" * 9_000])
def test_long_words_and_titles_are_drawn_from_their_beginning(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = 0
    text = ImageDraw.ImageDraw.text

    def watched(self: Any, place: Any, words: str, *rest: Any, **more: Any) -> None:
        nonlocal longest
        longest = max(longest, len(words))
        text(self, place, words, *rest, **more)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", watched)
    shown = stretched(trace([["a"], ["b"]], [["c"], ["d"]]), source=word, target=word)
    assert picture(shown).startswith(PNG)
    assert longest <= 1000


# --- figures ----------------------------------------------------------------------------------


def graph(names: list[str], edges: int = 0) -> dict[str, Any]:
    nodes = [{"text": name, "x": 0.5, "y": 0.5} for name in names]
    kinds = ["one", "two"]
    pairs = [[0, index % len(names)] for index in range(edges)]
    made = trace([["a"]], [["b"]])
    return made | {
        "maps": [],
        "steps": [],
        "source": {"kind": "graph", "text": "", "nodes": nodes, "edges": pairs, "classes": kinds},
        "target": {"kind": "classes", "text": "", "nodes": names, "classes": ["two"] * len(names)},
    }


def test_of_very_many_edges_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = 0
    line = ImageDraw.ImageDraw.line

    def counted(self: Any, *given: Any, **more: Any) -> None:
        nonlocal lines
        lines += 1
        line(self, *given, **more)

    monkeypatch.setattr(ImageDraw.ImageDraw, "line", counted)
    shown: Any = TraceOut.model_validate(graph(["a", "b"] * 256, edges=500))
    shown.source.edges *= 40
    shown.source.classes = [str(each) for each in range(20_000)] + shown.source.classes
    assert picture(shown).startswith(PNG)
    assert lines <= MOST_EDGES


def test_the_largest_map_is_drawn_without_a_call_for_each_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boxes = 0
    rectangle = ImageDraw.ImageDraw.rectangle

    def counted(self: Any, *given: Any, **more: Any) -> None:
        nonlocal boxes
        boxes += 1
        rectangle(self, *given, **more)

    monkeypatch.setattr(ImageDraw.ImageDraw, "rectangle", counted)
    assert drawn(trace([["word"]] * 511, [["Wort"]] * 511)).startswith(PNG)
    assert boxes < 100


def without(made: dict[str, Any], *names: str) -> dict[str, Any]:
    return made | {name: [] for name in names}


def words_of_tokens(made: dict[str, Any]) -> dict[str, Any]:
    """A trace of reading whose words are fewer than its tokens."""
    return made | {"task": READ, "maps": [made["maps"][0]]}


def of_the_input(made: dict[str, Any]) -> dict[str, Any]:
    """A trace whose cross-attention looks from the input to itself."""
    length = len(made["source"]["tokens"])
    rows = [[1 / length] * length] * length
    return made | {"maps": [made["maps"][0] | {"query": "source", "weights": rows, "scores": rows}]}


def empty(made: dict[str, Any]) -> dict[str, Any]:
    axis = made["target"] | {"tokens": [], "words": []}
    return without(made, "maps", "steps") | {"target": axis}


def no_output(made: dict[str, Any]) -> dict[str, Any]:
    one = made["maps"][0] | {"weights": [], "scores": []}
    return empty(made) | {"maps": [one]}


@pytest.mark.parametrize(
    "odd", [words_of_tokens, of_the_input, empty, no_output, lambda made: made]
)
def test_odd_traces_have_a_preview_and_a_table(odd: Callable[[Any], Any]) -> None:
    made = odd(trace([["a", "b"], ["c"]], [["d"], ["e", "f"]]))
    assert drawn(made).startswith(PNG)
    table_of(validated_trace(made))


def test_of_a_very_long_vector_the_beginning_is_drawn() -> None:
    shown: Any = TraceOut.model_validate(without(trace([["a"]], [["b"]]), "maps"))
    shown.steps[0].context.summary = [1.0, -1.0] * 50_000
    assert picture(shown).startswith(PNG)


def test_a_photo_without_numbers_of_its_steps_has_a_preview_and_a_table() -> None:
    made = without(picture_trace(), "steps")
    assert drawn(made).startswith(PNG)
    assert table_of(validated_trace(made))


def test_headings_that_name_the_same_long_text_stay_short() -> None:
    table = table_of(stretched(trace([["b"]] * 9, [["c"]]), source="a" * 20_000))
    assert table
    assert max(map(len, table.columns)) == MOST_OF_NAME


def test_very_many_classes_of_a_glimpse_are_a_table_of_a_few() -> None:
    made = picture_trace()
    one = [{"id": 0, "text": "0", "probability": 0.0}]
    glimpses = [[{"left": 0.0, "top": 0.0, "side": 8.0}]] * 3
    steps = [{"probability": 1.0, "surprise": 0.0, "alternatives": one}] * 3
    target = {"kind": "glimpses", "text": "7", "glimpses": glimpses}
    shown = validated_trace(made | {"maps": [], "steps": steps, "target": target})
    for step in shown.steps:
        again = step.alternatives[0].model_copy
        step.alternatives = [again(update={"text": str(i)}) for i in range(5_000)]
    table = table_of(shown)
    assert table
    assert len(table.columns) < 100


def test_a_check_is_made_before_each_part_of_a_picture() -> None:
    class EndedError(Exception):
        pass

    def counting(most: int) -> tuple[list[None], Check]:
        calls: list[None] = []

        def check() -> None:
            if len(calls) >= most:
                raise EndedError
            calls.append(None)

        return calls, check

    made = TraceOut.model_validate(trace([["a"]], [["b"]]))
    calls, check = counting(99)
    picture(made, "", check)
    assert len(calls) >= 2
    for most in range(len(calls)):
        with pytest.raises(EndedError):
            picture(made, "", counting(most)[1])


# --- the thread -------------------------------------------------------------------------------


class Held:
    """A drawing that goes on until it is told to end, or its check fails."""

    def __init__(self) -> None:
        self.began, self.ended, self.let = (threading.Event() for _ in range(3))

    def __call__(self, check: Check) -> bytes:
        self.began.set()
        try:
            while not self.let.wait(0.005):
                check()
            return PNG
        finally:
            self.ended.set()


class Client:
    """A client that may leave."""

    def __init__(self) -> None:
        self.leave: Callable[[], None] = lambda: None

    def __call__(self, callback: Callable[[], None]) -> Callable[[], object]:
        self.leave = callback
        return lambda: None


async def begun(thread: DrawingThread, held: Held, client: Client) -> asyncio.Task[bytes]:
    waiting = asyncio.create_task(thread.run(held, client))
    assert await asyncio.to_thread(held.began.wait, 60)
    return waiting


def test_a_drawing_ends_when_its_client_leaves_and_the_next_one_is_drawn() -> None:
    async def main() -> None:
        thread, held, client = DrawingThread("pictures", 1000), Held(), Client()
        waiting = await begun(thread, held, client)
        client.leave()
        with pytest.raises(AbandonedError):
            await waiting
        assert await thread.run(lambda _check: PNG, Client()) == PNG
        assert held.ended.is_set()
        thread.close()

    asyncio.run(main())


def test_a_drawing_that_waits_is_not_begun_after_its_client_has_left() -> None:
    async def main() -> None:
        thread, held, second, client = DrawingThread("pictures", 1000), Held(), Held(), Client()
        waiting = await begun(thread, held, Client())
        queued = asyncio.create_task(thread.run(second, client))
        await asyncio.sleep(0)
        client.leave()
        with pytest.raises(AbandonedError):
            await queued
        held.let.set()
        assert await waiting == PNG
        thread.close()
        assert not second.began.is_set()

    asyncio.run(main())


@pytest.mark.parametrize(("seconds", "waited"), [(0.05, 0), (1000, 1000)])
def test_a_drawing_ends_at_its_deadline(seconds: float, waited: float) -> None:
    async def main() -> None:
        thread, held = DrawingThread("pictures", seconds), Held()
        with pytest.raises(HeedError, match="longer") as error:
            await thread.run(held, Client(), time.monotonic() - waited)
        assert error.value.code == "deadline_exceeded"
        await asyncio.to_thread(thread.close)
        assert held.ended.is_set() or not held.began.is_set()

    asyncio.run(main())


def test_drawings_end_when_the_server_stops() -> None:
    async def main() -> None:
        thread, held, second = DrawingThread("pictures", 1000), Held(), Held()
        waiting = await begun(thread, held, Client())
        queued = asyncio.create_task(thread.run(second, Client()))
        await asyncio.sleep(0)
        thread.stop()
        for each in (waiting, queued, thread.run(Held(), Client())):
            with pytest.raises(HeedError) as error:
                await each
            assert error.value.code == "shutting_down"
        thread.close()
        assert not second.began.is_set()

    asyncio.run(main())


def test_few_drawings_wait_and_further_ones_are_refused() -> None:
    async def main() -> None:
        thread, held = DrawingThread("pictures", 1000), Held()
        waiting = [await begun(thread, held, Client())]
        others = [thread.run(lambda _check: PNG, Client()) for _ in range(MAX_WAITING - 1)]
        waiting += map(asyncio.create_task, others)
        await asyncio.sleep(0)
        with pytest.raises(HeedError) as error:
            await thread.run(lambda _check: PNG, Client())
        assert error.value.code == "overloaded"
        held.let.set()
        assert await asyncio.gather(*waiting) == [PNG] * MAX_WAITING
        assert await thread.run(lambda _check: PNG, Client()) == PNG
        thread.close()

    asyncio.run(main())


# --- over HTTP --------------------------------------------------------------------------------


def test_the_preview_of_a_saved_trace_with_hostile_labels_is_a_picture(
    client: httpx.Client,
) -> None:
    labels = [[each + "a" * 300] for each in HOSTILE]
    saved = client.post("/api/v1/traces", json=trace(labels, labels)).json()
    answer = client.get(f"{saved['url']}/preview.png")
    assert answer.status_code == 200
    assert answer.content.startswith(PNG)
