"""Models of the hub, read from its cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.models.recording import small

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

CODE = """
import sys
from heed.app.errors import StartError
from heed.app.inference.catalogue import hf_folders
from heed.models.errors import CheckpointError
from heed.models.hf_card import read_hf_card
try:
    print(read_hf_card("mine", hf_folders(sys.argv[1])["mine"]).task)
except (StartError, CheckpointError) as error:
    print(error)
"""
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def cached(home: Path, name: str) -> Path:
    """Lay a repository out as the hub does; return the folder of its files."""
    repository = home / "hub" / f"models--{name.replace('/', '--')}"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs/main").write_text(COMMIT)
    files = repository / "snapshots" / COMMIT
    files.mkdir(parents=True)
    return files


def opened(home: Path, setting: str) -> str:
    environment = {**os.environ, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", CODE, setting]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_model_of_the_hub_is_read_from_its_cache(tmp_path: Path) -> None:
    tokenizer = small.words(ended=False)
    small.saved(cached(tmp_path, "someone/tiny"), small.gpt2(len(tokenizer)), tokenizer)
    assert opened(tmp_path, "mine=someone/tiny") == "continue"


def test_weights_as_pickles_are_not_read_from_the_hub_either(tmp_path: Path) -> None:
    tokenizer = small.words(ended=False)
    files = small.saved(cached(tmp_path, "someone/tiny"), small.gpt2(len(tokenizer)), tokenizer)
    (files / "model.safetensors").rename(files / "pytorch_model.bin")
    assert "may execute code" in opened(tmp_path, "mine=someone/tiny")


def test_a_model_that_needs_code_is_refused(tmp_path: Path) -> None:
    files = cached(tmp_path, "someone/own-code")
    (files / "config.json").write_text('{"auto_map": {"AutoModel": "modeling.Mine"}}')
    assert "which Heed never runs" in opened(tmp_path, "mine=someone/own-code")


def test_without_a_network_the_sentence_says_what_to_do(tmp_path: Path) -> None:
    said = opened(tmp_path, "mine=someone/unknown")
    assert said.startswith("The model someone/unknown cannot be fetched from the hub")
    assert "give the path of a folder" in said
