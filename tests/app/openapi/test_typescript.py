"""The page's types of the wire are those of the schemas."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel

from heed.app.openapi import typescript
from heed.app.schemas import ModelOut, TraceOut, TranslateIn


def interface(text: str, name: str) -> list[str]:
    """The fields of an interface and of those that it extends, without comments."""
    head = rf"^export interface {name}(?: extends ([\w, ]+))? {{"
    found = re.search(rf"{head}(.*?)}}$", text, re.MULTILINE | re.DOTALL)
    assert found, name
    bases = found[1].split(", ") if found[1] else []
    own = [line.strip() for line in found[2].splitlines() if line.strip().endswith(";")]
    return [*own, *(field for base in bases for field in interface(text, base))]


def fields(text: str, name: str) -> set[str]:
    return {line.partition(":")[0].rstrip("?") for line in interface(text, name)}


def test_the_file_of_the_page_is_up_to_date() -> None:
    assert typescript.TARGET.read_text(encoding="utf-8") == typescript.typescript(), "make types"


@pytest.mark.parametrize(
    ("name", "model"), [("Trace", TraceOut), ("Model", ModelOut), ("TranslateBody", TranslateIn)]
)
def test_an_interface_has_the_fields_of_its_schema(name: str, model: type[BaseModel]) -> None:
    wire = {field.alias or key for key, field in model.model_fields.items()}
    assert fields(typescript.typescript(), name) == wire


def test_inherited_fields_stand_once() -> None:
    text = typescript.typescript()
    assert "export interface TranslateBody extends EditedOptions {" in text
    assert "export interface LinkedOptions extends Options, LinkedRunOptions {}" in text
    assert text.count("  continue_from?: number | null;") == 1


def test_the_page_uses_every_type() -> None:
    scripts = typescript.TARGET.parents[1]
    text = "\n".join(
        file.read_text("utf-8") for end in ("*.js", "*.ts") for file in scripts.rglob(end)
    )
    names = re.findall(r"^export (?:interface|type) (\w+)", typescript.typescript(), re.MULTILINE)
    assert [name for name in names if len(re.findall(rf"\b{name}\b", text)) == 1] == []


def test_a_field_that_may_be_absent_is_optional_and_one_that_may_be_null_says_so() -> None:
    text = typescript.typescript()
    assert "scores?: (number | null)[][];" in interface(text, "AttentionMap")
    assert "target: string | null;" in interface(text, "TraceRequest")
    assert "finish: Finish;" in interface(text, "Output")


def test_a_new_field_of_a_schema_is_a_new_field_of_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Inner(BaseModel):
        """Said once."""

        kind: Literal["a", "b"]
        many: list[int | None]

    class WordOut(BaseModel):
        inner: Inner
        table: dict[str, float] = {}

    monkeypatch.setattr(typescript, "ROOTS", ((WordOut, "validation"),))
    text = typescript.typescript()
    assert interface(text, "Word") == ["inner: Inner;", "table?: Record<string, number>;"]
    assert interface(text, "Inner") == ['kind: "a" | "b";', "many: (number | null)[];"]
    assert "/** Said once. */\nexport interface Inner {" in text


def test_no_line_is_longer_than_prettier_leaves_it() -> None:
    assert max(map(len, typescript.typescript().splitlines())) <= typescript.COLUMNS


def test_a_schema_that_typescript_lacks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(BaseModel):
        pair: tuple[int, str]

    monkeypatch.setattr(typescript, "ROOTS", ((Odd, "validation"),))
    with pytest.raises(NotImplementedError, match="prefixItems"):
        typescript.typescript()


def test_check_fails_on_a_file_that_is_out_of_date(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    target = tmp_path / "core" / "wire.d.ts"
    monkeypatch.setattr(typescript, "TARGET", target)
    monkeypatch.setattr("sys.argv", ["typescript", "--check"])
    with pytest.raises(SystemExit, match="make types"):
        typescript.main()
    monkeypatch.setattr("sys.argv", ["typescript"])
    typescript.main()
    monkeypatch.setattr("sys.argv", ["typescript", "--check"])
    typescript.main()
    target.write_text(target.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="make types"):
        typescript.main()
