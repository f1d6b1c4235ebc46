"""The memory of requests that run: its estimate, and the budget that it is admitted against."""

from __future__ import annotations

import asyncio
import threading
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import orjson
import pytest

from heed.app.errors import FieldError, ServiceUnavailable
from heed.app.http import encoding
from heed.app.http.media_types import JSON, NPZ
from heed.app.http.request_body import PARSED, parsed_bytes
from heed.app.inference import work
from heed.app.inference.allocator import MemoryTrimmer
from heed.app.inference.batching import batches, item_of
from heed.app.inference.execution import renderer
from heed.app.inference.jobs import Job
from heed.app.inference.work import WorkBudget, work_bytes
from heed.app.schemas import Detail, TraceOut
from heed.app.traces.linked import KeptTrace
from heed.app.traces.trace_import import import_json, imported
from heed.models.catalogue import Catalogue
from heed.models.generation import pipeline
from heed.models.generation.protocol import AnyPipeline
from heed.models.generation.requests import PictureRequest, Request, StoryRequest, TapeRequest
from heed.models.generation.translator import TextRequest
from heed.models.pictures.decode import decode_picture
from heed.models.trace import SearchRequest
from tests.conftest import SECONDS, Running, wait_for
from tests.hostile import large_trace

MEBIBYTE = 1024 * 1024
SENTENCES = "I do not know where she lives, but the white house belongs to my old friend. " * 3
MODELS = ("en-fr-transformer", "en-fr-additive", "en-fr-none", "en-fr-dot", "dates-dot")
SEARCHES = (SearchRequest(), SearchRequest("beam", beam=10))
MARGIN = 6  # an estimate is at most so many times what was taken, beyond what any request takes
ANY = 8 * MEBIBYTE


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue()


@pytest.fixture
def measured() -> Iterator[Callable[[], int]]:
    """Return what tells the peak of the memory that Python and NumPy allocated."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def taken(
    model: AnyPipeline, request: Request, detail: Detail, media: str, peak: Callable[[], int]
) -> int:
    """Return the bytes that a request takes at most while it is run and rendered."""
    tracemalloc.clear_traces()
    tracemalloc.reset_peak()
    before = peak()
    (trace,) = model.run([request])
    renderer(detail, media)(trace)
    return peak() - before


PHOTO = decode_picture(Path("static/samples/sheep.jpg").read_bytes())
OTHERS: dict[str, Request] = {
    "caption-transformer": PictureRequest(PHOTO, search=SEARCHES[1], vectors="all"),
    "caption-hard": PictureRequest(PHOTO, draws=100),
    "vit": PictureRequest(PHOTO),
    "read-lstmn": TapeRequest("The keys to the cabinet are on the table."),
    "memory": StoryRequest("Mary went to the office.", "Where is Mary?"),
}


@pytest.mark.parametrize("model", OTHERS)
def test_the_estimate_of_other_models_is_enough(
    catalogue: Catalogue, measured: Callable[[], int], model: str
) -> None:
    loaded, request = catalogue.load(model), OTHERS[model]
    loaded.run([request])  # the image encoder has its own buffers, and keeps its features
    estimate = work_bytes(loaded.size(loaded.prepare(request)), "full")
    assert taken(loaded, request, "full", JSON, measured) <= estimate + ANY


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search.kind)
@pytest.mark.parametrize("model", MODELS)
def test_an_estimate_is_at_least_what_a_request_takes(
    catalogue: Catalogue, measured: Callable[[], int], model: str, search: SearchRequest
) -> None:
    loaded = catalogue.load(model)
    text = "the 3rd of may 1979" if model.startswith("dates") else SENTENCES
    every: tuple[tuple[Detail, str], ...] = (("weights", JSON), ("full", JSON), ("steps", NPZ))
    for detail, media in every:
        request = TextRequest(text, None, search, "all")
        estimate = work_bytes(loaded.size(loaded.prepare(request)), detail, media)
        found = taken(loaded, request, detail, media, measured)
        assert found <= estimate <= MARGIN * found + ANY, (detail, media)


def test_an_estimate_grows_with_everything_that_costs_memory(catalogue: Catalogue) -> None:
    model = catalogue.load("en-fr-transformer")

    def estimate(
        text: str = "a cat", beam: int = 1, detail: Detail = "steps", written: int | None = None
    ) -> int:
        search = SearchRequest("beam", beam=beam)
        prepared = model.prepare(TextRequest(text, None, search))
        return work_bytes(model.size(prepared, written), detail)

    usual = estimate()
    for more in (
        estimate(text="a cat sits on a mat"),
        estimate(beam=2),
        estimate(detail="full"),
        estimate(written=100),
    ):
        assert more > usual
    assert estimate(detail="weights") < usual


def test_a_forced_output_is_as_long_as_its_target(catalogue: Catalogue) -> None:
    model = catalogue.load("en-fr-transformer")
    prepared = model.prepare(TextRequest("a cat sits on a mat", "un chat"))
    assert model.size(prepared).written == model.size(prepared, 200).written < 10


def test_a_long_batch_is_run_in_pieces(catalogue: Catalogue) -> None:
    model = catalogue.load("en-fr-transformer")
    request = TextRequest("a cat sits on a mat")
    job = Job("any", [request] * 8, renderer("full"))
    items = [item_of(model, job, i, model.prepare(request)) for i in range(8)]
    assert len(list(batches(items, 8 * items[0].bytes))) == 1
    pieces = list(batches(items, 3 * items[0].bytes))
    assert [len(piece) for piece in pieces] == [3, 3, 2]
    assert [len(piece) for piece in batches(items, 0)] == [1] * 8


def test_a_budget_waits_until_bytes_are_released() -> None:
    budget = WorkBudget(10)
    assert budget.reserve(8)
    assert not budget.reserve(3)
    assert not budget.wait(3, lambda: False)
    waits = threading.Event()

    def go_on() -> bool:
        waits.set()
        return True

    def admit() -> None:
        budget.wait(3, go_on)

    thread = threading.Thread(target=admit)
    thread.start()
    assert waits.wait(20)
    budget.release(8)
    thread.join(20)
    assert budget.taken == 3


def test_whoever_waits_for_memory_is_served_in_order() -> None:
    budget = WorkBudget(10)
    assert budget.reserve(8)
    large, small = budget.line_up(6), budget.line_up(1)
    assert not large.take()
    assert not small.take()  # though it would fit
    budget.release(8)
    assert not small.take()
    assert large.take()
    assert small.take()
    assert budget.taken == 7


def test_whoever_leaves_the_line_holds_nobody_up() -> None:
    budget = WorkBudget(10)
    assert budget.reserve(8)
    with budget.line_up(6) as large:
        small = budget.line_up(1)
        assert not large.take()
    assert small.take()
    assert budget.taken == 9


def test_work_that_runs_comes_before_those_who_wait() -> None:
    budget = WorkBudget(10)
    assert budget.reserve(8)
    waiting = budget.line_up(6)
    assert budget.reserve(2)
    assert not waiting.take()


def test_nothing_that_waits_for_memory_to_parse_holds_a_thread() -> None:
    budget = WorkBudget(MEBIBYTE)

    async def wait() -> list[str]:
        assert budget.reserve(MEBIBYTE)
        parse = (budget.parse(MEBIBYTE, lambda: "parsed") for _ in range(40))
        waiting = [asyncio.create_task(each) for each in parse]
        assert await asyncio.to_thread(lambda: "free") == "free"
        budget.release(MEBIBYTE)
        return await asyncio.gather(*waiting)

    assert asyncio.run(wait()) == ["parsed"] * 40
    assert budget.taken == 0


def test_what_has_run_waits_for_memory_until_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "ADMISSION_SECONDS", 0.0)
    budget = WorkBudget(MEBIBYTE)

    async def wait() -> str:
        assert budget.reserve(MEBIBYTE)  # by a large trace
        ran = asyncio.create_task(budget.parse(MEBIBYTE, lambda: "written", SECONDS))
        await asyncio.sleep(0)
        with pytest.raises(ServiceUnavailable):
            await budget.parse(MEBIBYTE, lambda: "parsed")
        assert not ran.done()
        budget.release(MEBIBYTE)
        return await ran

    assert asyncio.run(wait()) == "written"


def test_memory_is_reserved_as_long_as_a_thread_takes_it() -> None:
    budget, ended = WorkBudget(MEBIBYTE), threading.Event()

    async def leave() -> None:
        parse = asyncio.create_task(budget.parse(MEBIBYTE, ended.wait))
        while not budget.taken:
            await asyncio.sleep(0)
        parse.cancel()
        await asyncio.sleep(0)
        assert budget.taken
        ended.set()
        with pytest.raises(asyncio.CancelledError):
            await parse

    asyncio.run(leave())
    assert budget.taken == 0


def test_parsing_that_finds_no_memory_in_time_is_refused() -> None:
    budget = WorkBudget(MEBIBYTE)
    assert budget.reserve(MEBIBYTE)
    with pytest.raises(ServiceUnavailable):
        asyncio.run(budget.parse(MEBIBYTE, lambda: "parsed", seconds=0))
    assert asyncio.run(budget.parse(1_000, lambda: "small")) == "small"


# --- over HTTP --------------------------------------------------------------------------------

LARGE = {
    "model": "en-fr-transformer",
    "detail": "full",
    "vectors": "all",
    "search": {"kind": "beam", "beam": 10},
}


def test_a_request_that_can_never_fit_is_refused_with_what_to_reduce(served: Callable) -> None:
    with served(work_bytes=8 * MEBIBYTE) as server:
        body = {"text": SENTENCES, **LARGE}
        answer = httpx.post(f"{server.url}/api/v1/translate", json=body, timeout=60)
        assert answer.status_code == 422
        error = answer.json()["error"]
        assert error["code"] == "answer_too_large"
        assert "search.beam" in error["message"]
        wait_for(lambda: taken_by(server) == 0)
        usual = httpx.post(f"{server.url}/api/v1/translate", json={"text": "A cat."}, timeout=60)
        assert usual.status_code == 200


def test_a_batch_has_errors_where_its_answers_are_too_large(served: Callable) -> None:
    with served(work_bytes=16 * MEBIBYTE) as server:
        texts = ["A cat sits on a mat, and a dog looks at it."] * 12
        body = {"texts": texts, "model": "en-fr-transformer", "detail": "full", "vectors": "all"}
        answer = httpx.post(f"{server.url}/api/v1/translate/batch", json=body, timeout=60)
        traces = answer.json()["traces"]
        whole = [each for each in traces if "error" not in each]
        codes = {each["error"]["code"] for each in traces if "error" in each}
        assert len(traces) == 12
        assert 0 < len(whole) < 12
        assert codes == {"answer_too_large"}
        assert len(answer.content) < 5 * MEBIBYTE
        wait_for(lambda: taken_by(server) == 0)


def taken_by(server: Running) -> int:
    taken: int = server.app.state.service.work.taken
    return taken


def test_an_output_that_becomes_too_long_is_given_up(
    served: Callable, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "expected_length", lambda _read, _longest: 1)
    model = catalogue.load("en-fr-transformer")
    search = SearchRequest("beam", beam=10)
    size = model.size(model.prepare(TextRequest(SENTENCES, None, search, "all")))
    with served(work_bytes=work_bytes(size, "full") + MEBIBYTE) as server:
        body = {"text": SENTENCES, **LARGE}
        answer = httpx.post(f"{server.url}/api/v1/translate", json=body, timeout=60)
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "answer_too_large"
        wait_for(lambda: taken_by(server) == 0)


def test_memory_is_returned_to_the_system_after_large_work(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    trimmed: list[str] = []
    monkeypatch.setattr(
        MemoryTrimmer,
        "trim",
        lambda _self, _running: trimmed.append(threading.current_thread().name),
    )
    with served() as server:
        url = f"{server.url}/api/v1/translate"
        httpx.post(url, json={"text": "A cat."}, timeout=60)
        assert "heed-inference" not in trimmed
        body = {"text": SENTENCES[:150], **LARGE, "detail": "steps", "vectors": "cross"}
        assert httpx.post(url, json=body, timeout=60).status_code == 200
        wait_for(lambda: "heed-inference" in trimmed)


def test_a_kept_trace_has_no_part_of_the_blocks_of_all_steps(catalogue: Catalogue) -> None:
    request = TextRequest("a cat sits on a mat", None, SearchRequest("beam", beam=3))
    (trace,) = catalogue.load("en-fr-transformer").run([request])
    assert trace.output.steps[0].query.base is not None
    kept = KeptTrace.of(trace, "full", "/runs/x")
    for output in (kept.trace.output, *kept.trace.runners_up):
        for step in output.steps:
            assert step.query.base is step.context.base is step.state.base is None
    maps = [each for number in range(1000) if (each := kept.map(number)) is not None]
    assert all(each.weights.base is None for each in maps)
    assert kept.bytes > sum(each.weights.nbytes for each in maps)


def test_json_reserves_what_its_parts_take() -> None:
    lists, numbers = b"[" + b"[]," * 100_000 + b"[]]", b"[" + b"0.123," * 50_000 + b"1]"
    for content, kind in ((lists, list), (numbers, float)):
        tracemalloc.start()
        try:
            parsed = orjson.loads(content)
            taken, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert isinstance(parsed[0], kind)
        assert taken < parsed_bytes(content)
    assert parsed_bytes(lists) > 2 * PARSED * len(lists)


class Parsed(list[int]):
    """Objects of a body, which can be referred to weakly."""


def test_an_error_keeps_nothing_of_what_was_parsed() -> None:
    seen: list[weakref.ref[Parsed]] = []

    def read() -> None:
        value = Parsed([1])
        seen.append(weakref.ref(value))
        try:
            value.remove(2)
        except ValueError:
            raise FieldError("wrong_type", "no object") from None

    with pytest.raises(FieldError) as error, WorkBudget(10**9).parsed(10**6):
        read()
    assert error.value.__traceback__ is not None
    assert seen[0]() is None


def test_large_traces_are_parsed_one_at_a_time_beside_small_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "ADMISSION_SECONDS", 0.0)
    budget = WorkBudget(64 * MEBIBYTE)
    with budget.parsed(80 * MEBIBYTE):
        assert budget.reserve(8 * MEBIBYTE)
        with pytest.raises(ServiceUnavailable), budget.parsed(80 * MEBIBYTE):
            pytest.fail("two large traces at once")
        with budget.parsed(1_000):
            pass
    assert budget.taken == 8 * MEBIBYTE


def test_a_reservation_ends_with_an_error_of_the_work() -> None:
    budget = WorkBudget(64 * MEBIBYTE)
    with pytest.raises(ZeroDivisionError), budget.admitted(MEBIBYTE):
        raise ZeroDivisionError
    assert not budget.taken


@pytest.mark.parametrize("side", [250, 500])
def test_the_objects_of_a_trace_take_no_more_than_is_reserved(
    monkeypatch: pytest.MonkeyPatch, side: int
) -> None:
    body, taken_bytes = large_trace(2, side), []

    def to_json(trace: TraceOut) -> bytes:
        taken_bytes.append(tracemalloc.get_traced_memory()[0])
        return encoding.to_json(trace)

    monkeypatch.setattr(imported, "to_json", to_json)
    tracemalloc.start()
    try:
        import_json(body, 8 * MEBIBYTE)
    finally:
        tracemalloc.stop()
    assert len(body) < taken_bytes[0] < PARSED * len(body)
