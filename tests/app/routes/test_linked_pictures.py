"""Large traces of pictures, whose maps an answer leaves out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from heed.app.settings import Settings
from tests.app.routes.test_kept_traces import array
from tests.browser import canned_pictures as canned
from tests.conftest import Running, running
from tests.models.recording import small

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

SIDE, LAYERS, HEADS = 14, 4, 8
CELLS = SIDE * SIDE + 1
TARGET = " ".join((" ".join(small.SENTENCES).split() * 8)[:120])
PICTURE = canned.shaped(90, 60)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    base = tmp_path_factory.mktemp("models")
    tokenizer = small.words(ended=False)
    model = small.captioner(
        len(tokenizer), side=SIDE, layers=LAYERS, heads=HEADS, positions=TARGET.count(" ") + 2
    )
    small.saved(base / "photos", model, tokenizer, small.pixels(SIDE))
    sizes = {"num_hidden_layers": 4, "image_size": 8 * SIDE}
    small.saved(base / "classes", small.classifier(**sizes), small.pixels(SIDE))
    models = f"photos={base / 'photos'}:classes={base / 'classes'}"
    store = tmp_path_factory.mktemp("store")
    with running(Settings(hf_models=models, preload="none", store=store)) as server:
        yield server


def ask(served: Running, path: str = "caption", **fields: str) -> dict[str, Any]:
    data = {"model": "photos", "target": TARGET} if path == "caption" else {"model": "classes"}
    reply = served.client.post(
        f"/api/v1/{path}", data=data | fields, files={"image": ("mine.png", PICTURE)}
    )
    assert reply.status_code == 200, reply.text
    answer: dict[str, Any] = reply.json()
    return answer


@pytest.fixture(scope="module")
def whole(served: Running) -> dict[str, Any]:
    """The trace with all its maps."""
    return ask(served)


@pytest.fixture(scope="module")
def linked(served: Running) -> dict[str, Any]:
    """The same trace without them."""
    return ask(served, maps="linked", detail="full")


def test_a_large_caption_names_its_maps(whole: dict[str, Any], linked: dict[str, Any]) -> None:
    assert linked["maps"] == []
    assert "run" not in whole
    assert linked["picture"] == whole["picture"]
    assert [(each["kind"], each["layer"], each["head"]) for each in linked["linked"]] == [
        (each["kind"], each["layer"], each["head"]) for each in whole["maps"]
    ]


def test_a_map_over_a_picture_comes_in_16_bits(
    served: Running, whole: dict[str, Any], linked: dict[str, Any]
) -> None:
    place = next(i for i, each in enumerate(whole["maps"]) if each["key"] == "source")
    weights = array(served, linked["linked"][place]["address"])
    assert weights.dtype == np.float16
    np.testing.assert_allclose(weights, whole["maps"][place]["weights"], rtol=0, atol=5e-4)


def test_one_row_of_all_heads_comes_in_one_request(
    served: Running, whole: dict[str, Any], linked: dict[str, Any]
) -> None:
    found = array(served, f"{linked['run']}/rows/7?kind=cross")
    own = [each["weights"][7] for each in whole["maps"] if each["kind"] == "cross"]
    assert found.shape == (LAYERS * HEADS, CELLS)
    np.testing.assert_allclose(found, own, rtol=0, atol=5e-4)


@pytest.mark.parametrize("path", ["rows/9999", "rows/-1", "rows/0?pick=1", "rows/0?kind=drawn"])
def test_a_row_that_is_not_there_is_an_error(
    served: Running, linked: dict[str, Any], path: str
) -> None:
    reply = served.client.get(f"{linked['run']}/{path}")
    code = "invalid_choice" if "drawn" in path else "unknown_run"
    assert reply.json()["error"]["code"] == code


def test_the_answer_about_a_picture_is_found_again(served: Running, linked: dict[str, Any]) -> None:
    again = ask(served, maps="linked", detail="full")
    assert again["run"] == linked["run"]


def test_a_caller_who_wants_the_maps_gets_them(served: Running, linked: dict[str, Any]) -> None:
    assert len(ask(served, detail="full")["maps"]) == len(linked["linked"])


def test_a_stream_about_a_picture_has_no_step_with_the_maps(served: Running) -> None:
    data = {"model": "photos", "target": f"boat {TARGET[:-5]}", "maps": "linked"}
    files = {"image": ("mine.png", PICTURE)}
    headers = {"Accept": "text/event-stream"}
    with served.client.stream(
        "POST", "/api/v1/caption", data=data, files=files, headers=headers
    ) as reply:
        lines = [line for line in reply.iter_lines() if line]
    answer = json.loads(lines[-1].removeprefix("data: "))
    assert answer["maps"] == []
    assert array(served, answer["linked"][0]["address"]).shape[1] == CELLS


def test_the_rollout_up_to_a_layer_is_that_of_the_maps(served: Running) -> None:
    whole, found = ask(served, "see", detail="full"), ask(served, "see", maps="linked")
    expected = np.eye(CELLS)
    for layer in range(3):
        heads = [
            each["weights"]
            for each in whole["maps"]
            if each["kind"] == "encoder-self" and each["layer"] == layer
        ]
        expected = (np.mean(heads, axis=0) + np.eye(CELLS)) / 2 @ expected
    second = array(served, f"{found['run']}/rollout/2")
    np.testing.assert_allclose(second, expected, rtol=0, atol=5e-4)
    [shipped] = [each["weights"][0] for each in whole["maps"] if each["kind"] == "rollout"]
    last = array(served, f"{found['run']}/rollout/3?kind=encoder-self")
    assert last[0] == pytest.approx(np.array(shipped), abs=5e-4)


@pytest.mark.parametrize("path", ["rollout/4", "rollout/-1", "rollout/0?kind=cross"])
def test_a_rollout_that_is_not_there_is_an_error(served: Running, path: str) -> None:
    found = ask(served, "see", maps="linked")
    reply = served.client.get(f"{found['run']}/{path}")
    assert reply.json()["error"]["code"] == "unknown_run"


def test_one_head_of_a_classifier_has_its_vectors(served: Running) -> None:
    maps = ask(served, "see", layer="2", head="1")["maps"]
    found, rollout = maps if maps[0]["kind"] == "encoder-self" else maps[::-1]
    assert (found["layer"], found["head"], rollout["kind"]) == (2, 1, "rollout")
    assert len(found["queries"]) == len(found["values"]) == CELLS
    data = {"model": "classes", "layer": "2", "head": "9"}
    files = {"image": ("mine.png", PICTURE)}
    reply = served.client.post("/api/v1/see", data=data, files=files)
    assert reply.json()["error"]["code"] == "out_of_range"


def test_a_large_trace_of_patches_has_addresses_too(served: Running) -> None:
    found = ask(served, "see", maps="linked")
    assert found["maps"] == []
    last = found["linked"][-1]
    assert last["kind"] == "rollout"
    assert array(served, last["address"]).shape == (last["rows"], CELLS)
    assert array(served, f"{found['run']}/rows/0?kind=encoder-self").shape == (16, CELLS)


def test_the_run_without_edits_has_addresses_behind_those_of_the_run(served: Running) -> None:
    plain = ask(served, "see", model="vit", maps="linked")
    edits = json.dumps([{"op": "block", "layers": 1, "heads": 0, "queries": 0, "keys": 3}])
    found = ask(served, "see", model="vit", maps="linked", edits=edits)
    before = found["baseline"]
    assert before["maps"] == []
    kinds = [(each["kind"], each["layer"], each["head"]) for each in before["linked"]]
    assert kinds == [(each["kind"], each["layer"], each["head"]) for each in found["linked"]]
    own, other, unedited = (
        array(served, of["linked"][4]["address"]) for of in (found, before, plain)
    )
    assert (own[0, 3], own.shape) == (0, other.shape)
    np.testing.assert_array_equal(other, unedited)
    whole = served.client.get(found["run"]).json()
    assert len(whole["maps"]) == len(whole["baseline"]["maps"]) == len(kinds)
