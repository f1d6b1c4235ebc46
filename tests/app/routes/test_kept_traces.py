"""The maps of a large trace, which an answer leaves out."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heed.app.inference import work
from heed.app.settings import Settings
from tests.conftest import Running, running
from tests.models.recording import small

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

WORDS = " ".join(small.SENTENCES).split()
LONG = " ".join((WORDS * 2)[:80])
LINKED = {"text": LONG, "model": "large", "maps": "linked"}
KINDS = ("cross", "encoder-self", "decoder-self")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = small.words()
    options = {"encoder_layers": 4, "decoder_layers": 4, "max_position_embeddings": 128}
    heads = {"d_model": 32, "encoder_attention_heads": 8, "decoder_attention_heads": 8}
    model = small.bart(len(tokenizer), **options, **heads)
    return small.saved(tmp_path_factory.mktemp("large"), model, tokenizer)


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    store = tmp_path_factory.mktemp("store")
    settings = Settings(hf_models=f"large={folder}", preload="none", store=store, runtime="torch")
    with running(settings) as server:
        yield server


@pytest.fixture(scope="module")
def whole(served: Running) -> dict[str, Any]:
    """The trace with all its maps."""
    return ask(served, {**LINKED, "maps": "inline"})


@pytest.fixture(scope="module")
def linked(served: Running) -> dict[str, Any]:
    """The same trace without them."""
    return ask(served, LINKED)


def ask(served: Running, body: dict[str, Any]) -> dict[str, Any]:
    reply = served.client.post("/api/v1/translate", json=body)
    assert reply.status_code == 200, reply.text
    answer: dict[str, Any] = reply.json()
    return answer


def array(served: Running, path: str) -> np.ndarray[Any, Any]:
    reply = served.client.get(path)
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"] == "application/x-npy"
    found: np.ndarray[Any, Any] = np.load(io.BytesIO(reply.content), allow_pickle=False)
    return found


def test_a_large_trace_names_its_maps_and_is_otherwise_the_same(
    whole: dict[str, Any], linked: dict[str, Any]
) -> None:
    assert linked["maps"] == []
    assert "run" not in whole
    assert len(json.dumps(linked)) < len(json.dumps(whole)) / 20
    places = ("kind", "layer", "head", "query", "key")
    for one, other in zip(linked["linked"], whole["maps"], strict=True):
        assert [one[name] for name in places] == [other[name] for name in places]
        assert (one["rows"], one["columns"]) == np.shape(other["weights"])
    varying = {"maps", "linked", "run", "timing"}
    assert {name: linked[name] for name in linked.keys() - varying} == {
        name: whole[name] for name in whole.keys() - varying
    }


def test_a_map_comes_in_16_bits(
    served: Running, whole: dict[str, Any], linked: dict[str, Any]
) -> None:
    for number in (0, 40, 80):
        weights = array(served, linked["linked"][number]["address"])
        assert weights.dtype == np.float16
        expected = np.array(whole["maps"][number]["weights"])
        np.testing.assert_allclose(weights, expected, rtol=0, atol=5e-4)


def test_a_map_as_json_has_scores_and_vectors(
    served: Running, whole: dict[str, Any], linked: dict[str, Any]
) -> None:
    address = linked["linked"][0]["address"]
    found = served.client.get(address, headers={"Accept": "application/json"}).json()
    expected = whole["maps"][0]
    assert found.keys() == expected.keys()
    assert found["keys"] == expected["keys"]
    np.testing.assert_allclose(found["scores"], expected["scores"], rtol=1e-3)


def test_a_map_as_json_waits_for_memory(
    served: Running, linked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "ADMISSION_SECONDS", 0.0)
    address, budget = linked["linked"][0]["address"], served.app.state.service.work
    assert budget.reserve(budget.max_bytes)
    try:
        refused = served.client.get(address, headers={"Accept": "application/json"})
    finally:
        budget.release(budget.max_bytes)
    assert refused.status_code == 503
    assert refused.headers["retry-after"]


def test_masked_scores_stay_null(served: Running, linked: dict[str, Any]) -> None:
    own = next(each for each in linked["linked"] if each["kind"] == "decoder-self")
    found = served.client.get(own["address"], headers={"Accept": "application/json"}).json()
    assert found["scores"][0][1:] == [None] * (own["columns"] - 1)


def test_a_client_keeps_a_map(served: Running, linked: dict[str, Any]) -> None:
    address = linked["linked"][3]["address"]
    first = served.client.get(address)
    assert "immutable" in first.headers["cache-control"]
    again = served.client.get(address, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("kind", KINDS)
def test_all_heads_come_reduced_in_one_request(
    served: Running, whole: dict[str, Any], linked: dict[str, Any], kind: str
) -> None:
    found = array(served, f"{linked['run']}/thumbnails?kind={kind}")
    own = [np.array(each["weights"]) for each in whole["maps"] if each["kind"] == kind]
    assert found.shape == (len(own), 32, 32)
    for reduced, full in zip(found, own, strict=True):
        starts = [np.arange(32) * size // 32 for size in full.shape]
        pooled = np.maximum.reduceat(np.maximum.reduceat(full, starts[0], 0), starts[1], 1)
        np.testing.assert_allclose(reduced, pooled, rtol=0, atol=5e-4)


def test_the_heads_are_measured_as_on_the_command_line(
    served: Running, whole: dict[str, Any], linked: dict[str, Any]
) -> None:
    reply = served.client.get(f"{linked['run']}/heads?links=0-0 1-1&beside={linked['run'][13:]}")
    heads = reply.json()["heads"]
    own = [each for each in whole["maps"] if each["kind"] == "cross"]
    assert [(each["layer"], each["head"]) for each in heads] == [
        (each["layer"], each["head"]) for each in own
    ]
    weights = np.array(own[5]["weights"])
    entropy = -(weights * np.log2(np.where(weights > 0, weights, 1))).sum(1).mean()
    assert heads[5]["entropy"] == pytest.approx(entropy, abs=5e-3)  # from 16 bits
    assert heads[5]["sink"] == pytest.approx(weights[:, -1].mean(), abs=1e-3)
    assert all(each["moved"] == 0 for each in heads)
    assert all(0 <= each["alignment"] <= 1 for each in heads)


def test_the_whole_trace_can_be_had_as_json_and_as_arrays(
    served: Running, whole: dict[str, Any], linked: dict[str, Any]
) -> None:
    found = served.client.get(linked["run"]).json()
    assert len(found["maps"]) == len(whole["maps"])
    assert "linked" not in found
    assert found["maps"][7]["weights"][3] == pytest.approx(whole["maps"][7]["weights"][3], abs=5e-4)
    reply = served.client.get(linked["run"], headers={"Accept": "application/x-npz"})
    with np.load(io.BytesIO(reply.content)) as archive:
        assert archive["weights"].shape[:2] == (4, 8)


def test_the_answer_is_cached_with_its_maps(served: Running, linked: dict[str, Any]) -> None:
    reply = served.client.post("/api/v1/translate", json=LINKED)
    assert reply.headers["x-cache"] == "hit"
    assert reply.json()["run"] == linked["run"]


def test_a_stream_has_no_step_with_the_maps(served: Running) -> None:
    body = {**LINKED, "text": f"{LONG} boat"}
    headers = {"Accept": "text/event-stream"}
    with served.client.stream("POST", "/api/v1/translate", json=body, headers=headers) as reply:
        lines = [line for line in reply.iter_lines() if line]
    answer = json.loads(lines[-1].removeprefix("data: "))
    assert answer["maps"] == []
    assert array(served, answer["linked"][0]["address"]).shape[1] == 82
    assert max(map(len, lines[:-1])) < len(lines[-1])


def test_a_short_text_comes_as_a_whole(served: Running) -> None:
    found = ask(served, {"text": "I do not know .", "target": "Je ne sais pas .", **OPTIONS})
    assert "linked" not in found
    assert len(found["maps"]) == 96


OPTIONS = {"model": "large", "maps": "linked"}


def test_runners_up_have_maps_of_their_own(served: Running) -> None:
    body = {**LINKED, "search": {"kind": "beam", "beam": 2}}
    found = ask(served, body)
    (other,) = found["runners_up"]
    assert other["maps"] == []
    assert found["linked"][-1]["address"].endswith("/maps/95")
    assert other["linked"][0]["address"].endswith("/maps/96")
    assert array(served, f"{found['run']}/thumbnails?kind=cross&pick=1").shape[0] == 32
    reply = served.client.get(f"{found['run']}/thumbnails?pick=2")
    assert reply.json()["error"]["code"] == "unknown_run"


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/runs/none/maps/0", 404, "unknown_run"),
        ("{run}/maps/96", 404, "unknown_run"),
        ("{run}/maps/-1", 404, "unknown_run"),
        ("{run}/thumbnails?kind=drawn", 422, "invalid_choice"),
        ("{run}/heads?links=0:0", 422, "invalid_links"),
        ("{run}/heads?links=0-999", 422, "invalid_links"),
        ("{run}/heads?beside=none", 404, "unknown_run"),
    ],
)
def test_what_is_not_there_is_an_error(
    served: Running, linked: dict[str, Any], path: str, status: int, code: str
) -> None:
    reply = served.client.get(path.format(run=linked["run"]))
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)


def test_a_trace_without_its_maps_is_not_saved(served: Running, linked: dict[str, Any]) -> None:
    reply = served.client.post("/api/v1/traces", json=linked)
    assert (reply.status_code, reply.json()["error"]["code"]) == (422, "invalid_trace")
    assert "inline" in reply.json()["error"]["message"]


def test_a_page_does_not_contain_it(served: Running, linked: dict[str, Any]) -> None:
    assert linked["run"] not in served.client.get("/", params={"text": LONG, "model": "large"}).text


def test_the_newest_is_kept_and_older_ones_are_dropped(folder: Path, tmp_path: Path) -> None:
    options = {"preload": "none", "store": tmp_path, "runtime": "torch", "run_bytes": 1}
    with running(Settings(hf_models=f"large={folder}", **options)) as server:
        first, second = (ask(server, {**LINKED, "text": f"{LONG} {word}"}) for word in ("a", "it"))
        assert array(server, second["linked"][0]["address"]).ndim == 2
        reply = server.client.get(first["linked"][0]["address"])
        assert reply.json()["error"]["code"] == "unknown_run"
        assert ask(server, {**LINKED, "text": f"{LONG} a"})["run"] != first["run"]


def test_without_memory_for_them_all_maps_are_sent(folder: Path, tmp_path: Path) -> None:
    options = {"preload": "none", "store": tmp_path, "runtime": "torch", "run_bytes": 0}
    with running(Settings(hf_models=f"large={folder}", **options)) as server:
        assert len(ask(server, LINKED)["maps"]) == 96
