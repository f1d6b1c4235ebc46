"""Scripts and style sheets without comments."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from heed.app.pages.assets import STATIC
from heed.output.page.comments import style_without_comments, without_comments
from tests.conftest import node


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("/** Says. */\nconst a = /** @type {A} */ (b);\n", "const a = (b);\n"),
        ("  // why\n  const c = '/* d */ // e';\n", "const c = '/* d */ // e';\n"),
        ('const url = "https://a.b"; // c\n', 'const url = "https://a.b";\n'),
        ("return /[/]'\\/\"/.test(a) // c\n", "return /[/]'\\/\"/.test(a)\n"),
        ("const half = (a) / 2; // 'b\nc / d;\n", "const half = (a) / 2;\nc / d;\n"),
        ("a\n  /* b\n */ c", "a\nc"),
        ("`// ${a ? `/* ${{ b: '}' }.b /* c */}` : d} */\n  e` // f", None),
    ],
)
def test_comments_go_and_code_stays(source: str, sent: str | None) -> None:
    sent = sent or "`// ${a ? `/* ${{ b: '}' }.b }` : d} */\n  e` "
    assert without_comments(source).replace(" \n", "\n") == sent


def test_a_script_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="no end of what begins at 10"):
        without_comments("const a =`b")


def test_comments_of_a_style_sheet_go() -> None:
    sheet = '/* All. */\n.a::after {\n  content: "/* b */"; /* c */\n}\n\n.d {}\n'
    assert style_without_comments(sheet) == '.a::after {\ncontent: "/* b */"; \n}\n.d {}\n'


def test_every_module_is_sent_without_comments_and_can_be_read(tmp_path: Path) -> None:
    for path in (STATIC / "js").rglob("*.js"):
        text = without_comments(path.read_text("utf-8"))
        assert "/**" not in text, path
        copy = tmp_path / path.relative_to(STATIC)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
    run = """
      const { readdirSync, readFileSync } = require("fs"), { SourceTextModule } = require("vm");
      for (const name of readdirSync(".", { recursive: true }))
        if (name.endsWith(".js")) new SourceTextModule(readFileSync(name, "utf8"));
    """
    command = [node(), "--experimental-vm-modules", "--no-warnings", "--eval", run]
    subprocess.run(command, cwd=tmp_path, check=True)
