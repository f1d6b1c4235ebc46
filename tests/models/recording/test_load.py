"""Folders that are loaded, and those that are refused with advice."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
import torch

from heed.models.errors import CheckpointError, RecordingError
from heed.models.hf_card import read_hf_card
from heed.models.recording.load import load_tracer
from tests.models.recording import small

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tokenizer = small.words()
    return small.saved(tmp_path / "boats", small.bart(len(tokenizer)), tokenizer)


def test_a_folder_is_loaded_without_a_network(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    tracer = load_tracer(folder)
    assert tracer.stamp.id == "boats"
    assert len(tracer.stamp.weights) == 64
    assert tracer.trace("two dogs", max_tokens=2).model == tracer.stamp


def test_a_pickle_is_refused(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(RecordingError, match=r"pytorch_model\.bin.*execute code.*safetensors"):
        load_tracer(folder)


def test_code_of_a_repository_never_runs(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoModel": "modeling_own.Own"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "modeling_own.py").write_text("raise SystemExit")
    with pytest.raises(RecordingError, match=r"Python code.*never runs.*trace that"):
        load_tracer(folder)


def test_a_missing_tokenizer_is_named(folder: Path) -> None:
    for path in folder.glob("tokenizer*"):
        path.unlink()
    with pytest.raises(RecordingError, match=r"has no tokenizer: save it there"):
        load_tracer(folder)


def test_a_missing_image_processor_is_named(tmp_path: Path) -> None:
    tokenizer = small.words()
    small.saved(tmp_path, small.captioner(len(tokenizer)), tokenizer)
    with pytest.raises(RecordingError, match="has no processor of its inputs"):
        load_tracer(tmp_path)


def test_a_folder_without_weights_is_refused(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(RecordingError, match="has no weights"):
        load_tracer(folder)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"has no config\.json: save the model"):
        load_tracer(tmp_path)


@pytest.mark.parametrize("content", ["[]", "{", '{"a":' + "[" * 100 + "]" * 100 + "}", "[" * 10**6])
def test_a_broken_configuration_is_refused(folder: Path, content: str) -> None:
    (folder / "config.json").write_text(content)
    with pytest.raises(RecordingError, match=r"config\.json"):
        load_tracer(folder)


@pytest.mark.parametrize("name", ["tokenizer_config.json", "tokenizer.json", "heed.json"])
def test_another_file_that_is_nested_too_deeply_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_text('{"a":' * 10**5)
    with pytest.raises((RecordingError, CheckpointError), match=r"tokenizer|nested"):
        read_hf_card("mine", folder) if name == "heed.json" else load_tracer(folder)


def test_damaged_weights_are_refused(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(RecordingError, match="cannot be loaded"):
        load_tracer(folder)


@pytest.mark.parametrize("name", ["no-such-model", "../elsewhere", "a/b/c", "C:\\models", "."])
def test_a_name_that_is_neither_folder_nor_id_is_refused(name: str) -> None:
    with pytest.raises(RecordingError, match=r"There is no folder|has no config"):
        load_tracer(name)
