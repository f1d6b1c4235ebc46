"""A server that offers models of Hugging Face beside its own."""

from __future__ import annotations

import io
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from heed.app.cli import main
from heed.app.commands.export import convert
from heed.app.errors import StartError
from heed.app.inference import sounds
from heed.app.inference.catalogue import hf_folders, model_named, open_catalogue
from heed.app.pages.assets import STATIC
from heed.app.schemas import AuditOut
from heed.app.settings import Settings
from heed.models import catalogue as catalogue_module
from heed.models.audit.choices import AuditChoices
from heed.models.audit.slices import SlicedAudit
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.edits.operations import Block
from heed.models.generation.requests import TextRequest
from heed.models.hf_pipeline import HFPipeline
from heed.models.recording.processors import Prepared
from heed.models.recording.tracer import Tracer
from heed.models.sounds.read import Sound
from tests.conftest import SECONDS, Running, running, wait_for
from tests.models.recording import small
from tests.models.wav import tone

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

SENTENCE = "I do not know where she lives."


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("models")
    convert(["en-fr-transformer"], "hf", str(base / "pegasus"))
    tokenizer = small.words(ended=False)
    small.saved(base / "photos", small.captioner(len(tokenizer)), tokenizer, small.pixels())
    small.saved(base / "patches", small.classifier(), small.pixels())
    small.saved(base / "blip", small.blip(len(tokenizer)), tokenizer, small.pixels())
    small.saved(base / "ear", small.whisper(len(tokenizer)), tokenizer, small.hearing())
    small.saved(base / "gpt", small.gpt2(len(tokenizer)), tokenizer)
    ended = small.words()
    small.saved(base / "bert", small.bert(len(ended)), ended)
    return {f"my-{path.name}": path for path in sorted(base.iterdir(), key=lambda each: each.name)}


@pytest.fixture(scope="module")
def served(folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    named = ":".join(f"{name}={path}" for name, path in folders.items())
    settings = Settings(
        hf_models=named, preload="none", store=tmp_path_factory.mktemp("store"), runtime="torch"
    )
    with running(settings) as server:
        yield server


def test_they_stand_behind_the_models_of_heed(served: Running) -> None:
    models = {each["id"]: each for each in served.client.get("/api/v1/models").json()["models"]}
    names = ["bert", "blip", "ear", "gpt", "patches", "pegasus", "photos"]
    assert list(models)[-7:] == [f"my-{name}" for name in names]
    pegasus = models["my-pegasus"]
    assert (pegasus["source"]["name"], pegasus["target"]["name"]) == ("English", "French")
    assert SENTENCE in pegasus["examples"]
    assert (pegasus["heads"], pegasus["layers"]) == (4, 3)
    assert pegasus["parameters"] > 7_000_000
    for captioner in ("my-photos", "my-blip"):
        assert models[captioner]["task"] == "caption"
        assert (models[captioner]["heads"], models[captioner]["layers"]) == (4, 2)
    assert models["my-patches"]["task"] == "see"
    assert models["my-gpt"]["task"] == "continue"
    assert models["my-bert"]["task"] == "encode"
    for small_one in ("my-gpt", "my-bert"):
        assert (models[small_one]["heads"], models[small_one]["layers"]) == (4, 2)


def test_one_is_loaded_when_it_is_first_used_and_answers_as_the_original(served: Running) -> None:
    answers = {}
    for model in ("my-pegasus", "en-fr-transformer"):
        reply = served.client.post("/api/v1/translate", json={"text": SENTENCE, "model": model})
        assert reply.status_code == 200, reply.text
        answers[model] = reply.json()
    assert served.app.state.service.catalogue.loaded("my-pegasus")
    mine, own = answers.values()
    assert mine["text"] == own["text"]
    maps = {(each["kind"], each["layer"], each["head"]): each for each in own["maps"]}
    for each in mine["maps"]:
        for row, other in zip(
            each["weights"],
            maps[each["kind"], each["layer"], each["head"]]["weights"],
            strict=True,
        ):
            assert row == pytest.approx(other, abs=2e-4)
    assert mine["model"]["id"] == "my-pegasus"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"text": "  "}, "blank_text"),
        ({"text": "\ud800"}, "invalid_text"),
        ({"text": "boat " * 600}, "text_too_long"),
        ({"text": "boat", "target": "chat " * 200}, "target_too_long"),
    ],
)
def test_inputs_that_do_not_fit_get_the_errors_of_every_model(
    served: Running, body: dict[str, str], code: str
) -> None:
    reply = served.client.post(
        "/api/v1/translate",
        content=json.dumps({**body, "model": "my-pegasus"}),
        headers={"Content-Type": "application/json"},
    )
    assert (reply.status_code, reply.json()["error"]["code"]) == (422, code)


def test_edits_change_what_they_change_in_the_model_of_heed_itself(served: Running) -> None:
    edits = [
        {"op": "block", "words": "not"},
        {"op": "set", "kind": "decoder-self", "keys": 0, "weight": 0.5, "queries": 3},
        {"op": "temperature", "kind": "encoder-self", "temperature": 2, "layers": 1},
    ]
    mine, own = (
        served.client.post(
            "/api/v1/translate", json={"text": SENTENCE, "model": model, "edits": edits}
        ).json()
        for model in ("my-pegasus", "en-fr-transformer")
    )
    assert mine["text"] == own["text"] != mine["baseline"]["text"] == own["baseline"]["text"]
    assert mine["request"]["edits"] == own["request"]["edits"]
    assert mine["baseline"]["parts_at"] == own["baseline"]["parts_at"]
    for change, other in zip(mine["baseline"]["changes"], own["baseline"]["changes"], strict=True):
        assert change == pytest.approx(other, abs=1e-3)
    maps = {(each["kind"], each["layer"], each["head"]): each for each in own["maps"]}
    for each in mine["maps"]:
        theirs = maps[each["kind"], each["layer"], each["head"]]["weights"]
        for row, other in zip(each["weights"], theirs, strict=True):
            assert row == pytest.approx(other, abs=2e-4)


def test_a_model_writes_on_behind_the_beginning_of_a_target(served: Running) -> None:
    body = {"text": SENTENCE, "model": "my-pegasus", "target": "Je pense que", "continue_from": 2}
    answer = served.client.post("/api/v1/translate", json=body).json()
    assert answer["text"].startswith("Je pense ")
    assert answer["finish"] == "end"
    refused = served.client.post("/api/v1/translate", json={**body, "continue_from": 90})
    assert refused.json()["error"]["field"] == "continue_from"


@pytest.mark.parametrize(
    ("model", "edit", "code", "field"),
    [
        ("my-pegasus", {"op": "block", "keys": "all"}, "empty_row", "edits[0]"),
        ("my-pegasus", {"op": "uniform", "heads": 9}, "out_of_range", "edits[0].heads"),
        ("my-gpt", {"op": "block", "words": "cat"}, "unknown_word", "edits[0].words"),
        ("my-bert", {"op": "uniform"}, "edits_not_supported", "edits"),
    ],
)
def test_edits_that_cannot_be_made_are_refused_with_the_reason(
    served: Running, model: str, edit: dict[str, object], code: str, field: str
) -> None:
    body = {"text": SENTENCE, "model": model, "edits": [edit]}
    answer = served.client.post("/api/v1/translate", json=body)
    assert answer.status_code == 422
    assert (answer.json()["error"]["code"], answer.json()["error"]["field"]) == (code, field)


def test_a_text_of_a_batch_that_cannot_be_edited_has_an_error_of_its_own(served: Running) -> None:
    edits = [{"op": "block", "words": "not"}]
    body = {"texts": ["I do not know", "I know"], "model": "my-gpt", "edits": edits}
    answer = served.client.post("/api/v1/translate/batch", json=body)
    assert answer.status_code == 200, answer.text
    first, second = answer.json()["traces"]
    assert first["baseline"]
    error = second["error"]
    assert (error["code"], error["field"]) == ("unknown_word", "texts[1]")


def test_a_continued_prompt_is_edited_and_its_trace_can_be_saved(served: Running) -> None:
    body = {
        "text": "I do not know",
        "model": "my-gpt",
        "edits": [{"op": "block", "words": "not", "queries": {"first": 3, "last": 9}}],
    }
    answer = served.client.post("/api/v1/translate", json=body)
    assert answer.status_code == 200, answer.text
    trace = answer.json()
    for row in trace["maps"][0]["weights"][3:10]:
        assert row[2] == 0
    before = trace["baseline"]
    assert len(before["maps"][0]["weights"]) == len(before["source"]["tokens"])
    saved = served.client.post("/api/v1/traces", json=trace)
    assert saved.status_code == 201, saved.text


def test_an_audit_has_the_figures_of_the_model_of_heed_itself(served: Running) -> None:
    mine, own = (
        served.client.post(
            "/api/v1/translate/audit", json={"text": "She sings.", "model": model, "seeds": 2}
        ).json()
        for model in ("my-pegasus", "en-fr-transformer")
    )
    assert AuditOut.model_validate(mine)
    assert mine["trace"]["model"]["id"] == "my-pegasus"
    for name in ("costs", "attention", "given_back"):
        assert np.array(mine[name]) == pytest.approx(np.array(own[name]), abs=1e-3)
    assert mine["verdict"] == own["verdict"]


def test_a_continued_prompt_is_audited_and_streams_its_progress(served: Running) -> None:
    body = {"text": "I do not know", "model": "my-gpt", "target": "she lives", "seeds": 2}
    headers = {"Accept": "text/event-stream"}
    with served.client.stream("POST", "/api/v1/translate/audit", json=body, headers=headers) as got:
        lines = [line for line in got.iter_lines() if line.startswith(("event:", "data:"))]
    assert lines[-2] == "event: audit"
    audit = json.loads(lines[-1].removeprefix("data:"))
    assert AuditOut.model_validate(audit)
    assert np.shape(audit["costs"]) == (2, 6)
    assert [row.count(None) for row in audit["costs"]] == [2, 1]  # what is not written yet
    edit = {"op": "block", "queries": 4, "keys": 1}
    del body["seeds"]
    edited = served.client.post("/api/v1/translate", json={**body, "edits": [edit]}).json()
    assert audit["costs"][1][1] == pytest.approx(
        -edited["baseline"]["changes"][1]["delta"], abs=1e-4
    )


@pytest.mark.parametrize(
    ("model", "status", "said"),
    [("my-photos", 200, "cell"), ("my-blip", 422, "returns its weights when it has attended")],
)
def test_a_captioner_is_audited_by_its_patches_if_they_are_within_reach(
    served: Running, model: str, status: int, said: str
) -> None:
    file = io.BytesIO()
    Image.new("RGB", (90, 30), "orange").save(file, "PNG")
    answer = served.client.post(
        "/api/v1/caption/audit",
        files={"image": file.getvalue()},
        data={"model": model, "target": "two dogs", "seeds": "2"},
    )
    assert answer.status_code == status, answer.text
    assert said in answer.text


def test_figures_that_need_more_than_a_trace_are_those_of_heed(served: Running) -> None:
    body = {"text": SENTENCE, "model": "my-pegasus", "figure": "rewritten"}
    answer = served.client.post("/api/v1/translate/audit", json=body)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "figure")


def test_a_folder_is_audited_on_the_command_line(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["audit", "I do not know", "--target", "she lives", "--seeds", "2", "--model"]
    assert main([*asked, str(folders["my-gpt"])]) == 0
    printed = capsys.readouterr().out
    assert "of the prompt" in " ".join(printed.split())
    assert main([*asked, str(folders["my-ear"])]) == 2
    assert "cannot be audited" in capsys.readouterr().err
    photo = str(STATIC / "samples" / "sheep.jpg")
    assert main(["audit", photo, "--question", "Why?", "--model", str(folders["my-blip"])]) == 2
    assert "answers no questions" in capsys.readouterr().err


def test_a_folder_does_not_hide_a_model_of_its_name(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en-fr-additive").symlink_to(folders["my-gpt"])
    monkeypatch.chdir(tmp_path)
    catalogue = open_catalogue(DEFAULT_DIRECTORY)
    assert model_named(catalogue, "en-fr-additive") == "en-fr-additive"
    assert model_named(catalogue, "./en-fr-additive") == f"hf-{folders['my-gpt'].name}"
    assert model_named(catalogue, "gone") == "gone"


def test_searches_and_targets_work(served: Running) -> None:
    body = {"text": SENTENCE, "model": "my-pegasus", "search": {"kind": "beam", "beam": 3}}
    beam = served.client.post("/api/v1/translate", json=body).json()
    assert len(beam["runners_up"]) == 2
    body = {"text": SENTENCE, "model": "my-pegasus", "target": "Deux chats dorment."}
    forced = served.client.post("/api/v1/translate", json=body).json()
    assert (forced["text"], forced["finish"]) == ("Deux chats dorment.", "forced")


def test_a_stream_ends_with_the_whole_trace(served: Running) -> None:
    body = {"text": SENTENCE, "model": "my-pegasus"}
    headers = {"Accept": "text/event-stream"}
    with served.client.stream("POST", "/api/v1/translate", json=body, headers=headers) as reply:
        events = [line for line in reply.iter_lines() if line.startswith("event:")]
    assert "error" not in " ".join(events)
    assert events


@pytest.mark.parametrize("model", ["my-photos", "my-blip"])
def test_a_captioner_answers_with_a_grid(served: Running, tmp_path: Path, model: str) -> None:
    Image.new("RGB", (900, 300), "orange").save(tmp_path / "orange.png")
    reply = served.client.post(
        "/api/v1/caption",
        files={"image": (tmp_path / "orange.png").read_bytes()},
        data={"model": model, "target": "two dogs"},
    )
    assert reply.status_code == 200, reply.text
    trace = reply.json()
    assert (trace["text"], trace["finish"]) == ("two dogs", "forced")
    assert [each["kind"] for each in trace["maps"][::8]] == [
        "cross",
        "decoder-self",
        "encoder-self",
    ]
    source = trace["source"]
    assert (source["rows"], source["columns"], source["marks"]) == (3, 3, ["[CLS]"])
    assert (source["width"], source["height"]) == (900, 300)


def test_a_classifier_shows_its_patches_as_those_that_ship(served: Running) -> None:
    file = io.BytesIO()
    Image.linear_gradient("L").resize((900, 300)).save(file, "PNG")
    reply = served.client.post(
        "/api/v1/see", files={"image": file.getvalue()}, data={"model": "my-patches"}
    )
    assert reply.status_code == 200, reply.text
    trace = reply.json()
    schema = served.client.get("/api/v1/schema/trace").json()
    Draft202012Validator(schema).validate(trace)
    assert (trace["task"], trace["model"]["id"]) == ("see", "my-patches")
    assert trace["text"] in small.LABELS.values()
    source = trace["source"]
    assert (source["rows"], source["columns"], source["marks"]) == (3, 3, ["[CLS]"])
    assert (source["width"], source["height"]) == (900, 300)
    assert [each["kind"] for each in trace["maps"]] == ["encoder-self"] * 8 + ["rollout"]
    assert len(trace["positions"]) == 10
    (step,) = trace["steps"]
    found = [each["text"] for each in step["alternatives"]]
    assert (found[0], set(found)) == (trace["text"], set(small.LABELS.values()))
    assert sum(each["probability"] for each in step["alternatives"]) == pytest.approx(1, abs=1e-4)
    saved = served.client.post("/api/v1/traces", json=trace)
    assert saved.status_code == 201, saved.text
    assert "see_page" in served.client.get(saved.json()["url"]).text


def heard(served: Running, file: bytes | None, **fields: object) -> httpx.Response:
    accept = str(fields.pop("accept", "application/json"))
    return served.client.post(
        "/api/v1/transcribe",
        files={"detail": (None, "steps")} if file is None else {"sound": file},
        data={"model": "my-ear", **fields},
        headers={"Accept": accept},
    )


def test_a_cached_transcription_needs_no_sound(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tone(0.3)
    first = heard(served, file, target="two dogs")
    monkeypatch.delattr(sounds, "read_sound")
    again = heard(served, file, target="two dogs")
    assert [first.headers["X-Cache"], again.headers["X-Cache"]] == ["miss", "hit"]
    assert again.content == first.content


def test_a_sound_is_transcribed_over_frames_in_seconds(served: Running) -> None:
    reply = heard(served, tone(0.4, 44_100, channels=2), target="two dogs")
    assert reply.status_code == 200, reply.text
    trace = reply.json()
    schema = served.client.get("/api/v1/schema/trace").json()
    Draft202012Validator(schema).validate(trace)
    assert (trace["task"], trace["text"], trace["finish"]) == ("transcribe", "two dogs", "forced")
    source = trace["source"]
    assert source["frame_seconds"] == pytest.approx(0.02)
    assert source["tokens"][-1]["text"] == "0.38–0.40 s"
    cross = trace["maps"][0]
    assert (cross["kind"], len(cross["weights"][0])) == ("cross", 20)
    assert sum(cross["weights"][0]) + cross["sinks"][0] == pytest.approx(1, abs=1e-3)
    again = heard(served, tone(0.4, 44_100, channels=2), target="two dogs")
    assert again.headers["X-Cache"] == "hit"
    saved = served.client.post("/api/v1/traces", json=trace)
    assert saved.status_code == 201, saved.text


def test_a_sound_is_answered_as_events_and_arrays(served: Running) -> None:
    stream = heard(served, tone(0.2), accept="text/event-stream").text
    assert [line for line in stream.splitlines() if line.startswith("event:")][-1] == "event: trace"
    archive = heard(served, tone(0.2), accept="application/x-npz").content
    with np.load(io.BytesIO(archive)) as arrays:
        assert arrays["weights"].shape[-1] == 10


@pytest.mark.parametrize(
    ("file", "fields", "status", "code"),
    [
        (None, {}, 422, "missing_field"),
        (b"", {}, 422, "empty_sound"),
        (b"OggS and so on", {}, 415, "unsupported_sound"),
        (tone(0.1)[:-9], {}, 422, "broken_sound"),
        (tone(1.2), {}, 422, "sound_too_long"),  # of one second
        (tone(31, 1_000), {}, 422, "sound_too_long"),
        (tone(0.1), {"model": "my-gpt"}, 422, "wrong_task"),
        (tone(0.1), {"target": " "}, 422, "blank_target"),
        (tone(0.1), {"target": "boat " * 40}, 422, "target_too_long"),
        (tone(0.1), {"draws": "3"}, 422, "unknown_field"),
    ],
)
def test_a_bad_sound_is_refused(
    served: Running, file: bytes | None, fields: dict[str, str], status: int, code: str
) -> None:
    reply = heard(served, file, **fields)
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)


def test_a_sound_that_is_too_long_is_not_resampled(
    served: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sound, "at", None)
    reply = heard(served, tone(1.2, 8_000))
    assert (reply.status_code, reply.json()["error"]["code"]) == (422, "sound_too_long")


def test_a_sound_file_has_a_limit_of_bytes(tmp_path: Path) -> None:
    settings = Settings(max_sound_bytes=4096, preload="none", store=tmp_path)
    with running(settings) as server:
        limits = server.client.get("/version").json()["limits"]
        assert limits["sound_bytes"] == 4096
        for size in (5_000, 200_000):
            reply = heard(server, bytes(size))
            assert (reply.status_code, reply.json()["error"]["code"]) == (
                413,
                "sound_file_too_large",
            )
        reply = heard(server, tone(0.1), model="vit")
        assert "/api/v1/see" in reply.json()["error"]["message"]


def test_a_sound_is_transcribed_on_the_command_line(
    folders: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("HEED_HF_MODELS", f"my-ear={folders['my-ear']}")
    (tmp_path / "a.wav").write_bytes(tone(0.2))
    assert main(["transcribe", str(tmp_path / "a.wav"), "--target", "two dogs", "--json"]) == 0
    trace = json.loads(capsys.readouterr().out)
    assert (trace["text"], len(trace["source"]["tokens"])) == ("two dogs", 10)
    assert main(["transcribe", str(tmp_path / "a.wav"), "--target", "two dogs"]) == 0
    assert capsys.readouterr().out.startswith("two dogs\n")
    (tmp_path / "a.wav").write_bytes(b"OggS")
    assert main(["transcribe", str(tmp_path / "a.wav")]) == 2
    assert "an Ogg file" in capsys.readouterr().err


def test_what_answers_questions_about_pictures_is_no_captioner(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    shutil.copytree(folders["my-blip"], tmp_path / "asked")
    config = json.loads((tmp_path / "asked/config.json").read_text("utf-8"))
    config["architectures"] = ["BlipForQuestionAnswering"]
    (tmp_path / "asked/config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(StartError, match="is a blip that neither"):
        open_catalogue(DEFAULT_DIRECTORY, "auto", {"asked": tmp_path / "asked"})


PROMPT = "The white house"


def asked(served: Running, **body: object) -> tuple[int, dict[str, Any]]:
    reply = served.client.post("/api/v1/translate", json=body)
    return reply.status_code, reply.json()


def test_a_decoder_continues_a_prompt_on_one_axis(served: Running) -> None:
    status, trace = asked(served, text=PROMPT, model="my-gpt")
    assert (status, trace["task"]) == (200, "continue")
    source = trace["source"]
    assert source["written"] == 3
    assert source["text"].startswith(PROMPT)
    assert len(source["tokens"]) == 3 + len(trace["target"]["tokens"])
    assert {(each["kind"], each["query"], each["key"]) for each in trace["maps"]} == {
        ("decoder-self", "source", "source")
    }
    weights = trace["maps"][0]["weights"]
    assert weights[0][1:] == [0.0] * (len(weights) - 1)  # nothing reads what comes later


def test_a_decoder_is_made_to_write_a_target(served: Running) -> None:
    _, trace = asked(served, text=PROMPT, target="belongs to my old friend", model="my-gpt")
    assert (trace["finish"], trace["text"].strip()) == ("forced", "belongs to my old friend")
    assert len(trace["steps"]) == 5


def test_an_encoder_reads_a_sentence(served: Running) -> None:
    status, trace = asked(served, text="I do not know where she lives .", model="my-bert")
    assert (status, trace["task"], trace["text"]) == (200, "encode", "")
    assert len(trace["source"]["tokens"]) == 9
    assert {each["kind"] for each in trace["maps"]} == {"encoder-self"}
    assert len(trace["maps"]) == 8


@pytest.mark.parametrize("model", ["my-gpt", "my-bert"])
def test_a_stream_of_one_axis_ends_with_the_whole_trace(served: Running, model: str) -> None:
    headers = {"Accept": "text/event-stream"}
    body = {"text": PROMPT, "model": model}
    with served.client.stream("POST", "/api/v1/translate", json=body, headers=headers) as reply:
        lines = [line for line in reply.iter_lines() if line]
    assert "event: trace" in lines
    assert "event: error" not in lines
    trace = json.loads(lines[lines.index("event: trace") + 1].removeprefix("data: "))
    assert all(each["query"] == "source" for each in trace["maps"])


def test_an_encoder_refuses_a_target(served: Running) -> None:
    status, body = asked(served, text=PROMPT, target="La maison", model="my-bert")
    assert (status, body["error"]["code"]) == (422, "target_unsupported")


def test_a_prompt_leaves_room_for_its_answer(served: Running) -> None:
    status, body = asked(served, text="boat " * 33, model="my-gpt")  # of 64 positions
    assert (status, body["error"]["code"]) == (422, "text_too_long")


@pytest.mark.parametrize("model", ["../pegasus", "/etc", "my-pegasus/", "pegasus", "a/b"])
def test_no_request_can_name_a_path(served: Running, folders: dict[str, Path], model: str) -> None:
    for name in (model, str(folders["my-pegasus"])):
        body = {"text": SENTENCE, "model": name}
        assert (
            served.client.post("/api/v1/translate", json=body).json()["error"]["code"]
            == "unknown_model"
        )


def test_a_request_that_is_left_out_ends_between_tokens(folders: dict[str, Path]) -> None:
    pipeline = Catalogue(DEFAULT_DIRECTORY, "torch", folders).load("my-pegasus")
    batch = pipeline.batch([pipeline.prepare(TextRequest(SENTENCE)) for _ in range(2)])
    batch.leave_out(0)
    for _ in batch.steps():
        pass
    assert not batch.ended(0)
    assert batch.ended(1)
    stopped = pipeline.batch([pipeline.prepare(TextRequest(SENTENCE))])
    assert isinstance(pipeline, HFPipeline)
    trace = pipeline.traced(pipeline.prepare(TextRequest(SENTENCE)), lambda: True)
    assert len(trace.output.target) == 1
    assert stopped.progress(0).output.text == ""


def test_an_audit_that_nobody_waits_for_stops_writing(folders: dict[str, Path]) -> None:
    pipeline = Catalogue(DEFAULT_DIRECTORY, "torch", folders).load("my-pegasus")
    sliced = SlicedAudit(AuditChoices())
    slices = sliced.through(pipeline)
    batch = slices.batch([slices.prepare(TextRequest(SENTENCE))])
    steps = batch.steps()
    next(steps)
    next(steps)  # it writes
    batch.leave_out(0)
    assert [*steps] == []
    assert (sliced.rows, sliced.done) == (0, False)
    names = [thread.name for thread in threading.enumerate()]
    assert not any(name.startswith("heed-transformers") for name in names)


def test_a_model_runs_for_edits_and_audits_only_when_there_is_memory_for_it(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[int] = []
    forced = Tracer._forced

    def noted(tracer: Tracer, prepared: Prepared, *given: Any) -> Any:
        ran.append(prepared.inputs["input_ids"].shape[1])
        return forced(tracer, prepared, *given)

    monkeypatch.setattr(Tracer, "_forced", noted)
    pipeline = Catalogue(DEFAULT_DIRECTORY, "torch", folders).load("my-pegasus")
    text = " ".join([SENTENCE] * 8)
    edited = pipeline.prepare(TextRequest(text, edits=(Block(keys=0),)))
    slices = SlicedAudit(AuditChoices()).through(pipeline)
    audited = slices.prepare(TextRequest(text))
    assert ran == []  # their memory is estimated from what was prepared
    sizes = [pipeline.size(prepared) for prepared in (edited, audited)]
    assert [size.hypotheses for size in sizes] == [3, 1]
    assert sizes[1].cells > 100_000
    batch = slices.batch([audited])
    steps = batch.steps()
    next(steps)
    next(steps)
    assert ran[0] < 10 < len(audited.opening.source)  # the places of its maps are those of any text
    batch.leave_out(0)
    assert [*steps] == []


def test_steps_may_be_collected_on_the_thread_that_runs_the_model(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = Catalogue(DEFAULT_DIRECTORY, "torch", folders).load("my-gpt")
    yielded, closed = threading.Event(), threading.Event()

    def closes(*_given: Any) -> None:
        assert yielded.wait(SECONDS)
        steps.close()
        closed.set()

    monkeypatch.setattr(HFPipeline, "traced", closes)
    steps: Any = pipeline.batch([pipeline.prepare(TextRequest("a red boat"))]).steps()
    next(steps)
    yielded.set()
    assert closed.wait(SECONDS)


def test_one_that_hangs_is_not_read_a_second_time(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.app.inference.engine.HANG_SECONDS", 0.25)
    ended, traced = threading.Event(), HFPipeline.traced

    def hangs(*given: Any) -> Any:
        assert ended.wait(SECONDS)
        return traced(*given)

    settings = Settings(hf_models=f"my-gpt={folders['my-gpt']}", preload="none", deadline_seconds=2)
    with running(settings) as server:
        server.app.state.service.catalogue.load("my-gpt")
        monkeypatch.setattr(HFPipeline, "traced", hangs)
        body = {"text": "a red boat", "model": "my-gpt"}
        assert server.client.post("/api/v1/translate", json=body).status_code == 504
        engine, catalogue = server.app.state.service.text_engine, server.app.state.service.catalogue
        hung = engine._worker
        wait_for(lambda: engine._worker is not hung)
        assert catalogue.loaded("my-gpt")
        ended.set()
        assert server.client.post("/api/v1/translate", json=body).status_code == 200


def test_the_first_loaded_is_forgotten_while_memory_is_short(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = Catalogue(DEFAULT_DIRECTORY, "torch", folders)
    catalogue.load("dates-additive")
    catalogue.load("my-pegasus")
    catalogue.load("my-photos")
    assert catalogue.loaded("my-pegasus")  # there is room for both
    catalogue.forget("my-photos")
    monkeypatch.setattr(catalogue_module, "free_ram", lambda: 1000.0)
    catalogue.load("my-photos")
    assert not catalogue.loaded("my-pegasus")
    assert catalogue.loaded("dates-additive")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("pegasus", "is not name=PATH"),
        ("../a=/tmp", "is not name=PATH"),
        ("a=/no/such/folder", "has no folder"),
        ("a=/tmp:a=/tmp", "two models named a"),
    ],
)
def test_a_wrong_setting_ends_the_start(setting: str, sentence: str) -> None:
    with pytest.raises(StartError, match=sentence):
        hf_folders(setting)


def test_a_folder_that_cannot_be_served_ends_the_start(tmp_path: Path) -> None:
    small.saved(tmp_path / "patches", small.captioner(40).encoder, small.pixels())
    with pytest.raises(StartError, match="neither translates, captions, continues nor reads"):
        open_catalogue(DEFAULT_DIRECTORY, "auto", hf_folders(f"patches={tmp_path / 'patches'}"))
    tokenizer = small.words()
    small.saved(tmp_path / "gpt", small.gpt2(len(tokenizer)), tokenizer)
    (tmp_path / "gpt/model.safetensors").rename(tmp_path / "gpt/pytorch_model.bin")
    with pytest.raises(StartError, match="may execute code"):
        open_catalogue(DEFAULT_DIRECTORY, "auto", hf_folders(f"gpt={tmp_path / 'gpt'}"))
    with pytest.raises(StartError, match="two models named dates-additive"):
        open_catalogue(DEFAULT_DIRECTORY, "auto", hf_folders(f"dates-additive={tmp_path / 'gpt'}"))


@pytest.mark.parametrize(
    ("name", "value"), [("n_layer", 1_000_000), ("n_embd", 10**7), ("n_head", 10**6)]
)
def test_a_network_that_its_weights_cannot_fill_ends_the_start(
    tmp_path: Path, name: str, value: int
) -> None:
    tokenizer = small.words()
    small.saved(tmp_path / "gpt", small.gpt2(len(tokenizer)), tokenizer)
    path = tmp_path / "gpt/config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    with pytest.raises(StartError, match=f"`{name}` is {value}, too large"):
        open_catalogue(DEFAULT_DIRECTORY, "auto", hf_folders(f"gpt={tmp_path / 'gpt'}"))
