"""The examples of docs/your-own-model.md run, one after another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heed.app.commands.export import convert

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

GUIDE = (Path(__file__).parents[2] / "docs/your-own-model.md").read_text("utf-8")


def test_the_examples_of_the_guide_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (command,) = re.findall(r"heed export (\S+) --to hf (\S+)", GUIDE)
    convert([command[0]], "hf", str(tmp_path / command[1]))
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert len(blocks) == 10
    names: dict[str, object] = {}
    capsys.readouterr()
    for block in blocks:
        exec(compile(block, "your-own-model.md", "exec"), names)
        printed = capsys.readouterr().out
        expected = re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE)
        assert [line for line in expected if line not in printed.splitlines()] == []
    assert {path.name for path in tmp_path.iterdir()} >= {"trace.html", "trace.npz", "trace.json"}
