"""The defaults that the documents mention are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heed.app.settings import Settings

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
UNITS = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "kB": 1000, "MB": 10**6, "GB": 10**9}
NUMBER = r"(?P<number>\d[\d,.]*\d|\d)(?: (?P<unit>[KMG]iB|[kMG]B|s|seconds))?"
NAME = r"`HEED_(?P<name>[A-Z_]+)`"
BEFORE = re.compile(rf"{NUMBER}(?P<what>(?: [a-z]+){{0,5}}) \({NAME}\)")
AFTER = re.compile(rf"{NAME}(?: \({NUMBER}\)|, {NUMBER.replace('<', '<by_')} by default)")


def mentioned(text: str) -> list[tuple[str, float]]:
    """Return the settings that a text gives a value of, with that value."""
    found = []
    for match in [*BEFORE.finditer(text), *AFTER.finditer(text)]:
        groups = match.groupdict()
        name = groups["name"]
        number = groups["number"] or groups["by_number"]
        unit = groups["unit"] or groups.get("by_unit")
        found.append((name, float(number.replace(",", "")) * UNITS.get(unit or "", 1)))
    return found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("64 MiB for request bodies (`HEED_X`)", 64 * 1024**2),
        ("after 8 s (`HEED_X`)", 8),
        ("than `HEED_X` (2,000) connections", 2000),
        ("`HEED_X`, 30 seconds by default", 30),
    ],
)
def test_a_default_is_found_in_a_text(text: str, value: float) -> None:
    assert mentioned(text) == [("X", value)]


def test_the_defaults_in_the_documents_are_those_of_the_code() -> None:
    count = 0
    for path in DOCUMENTS:
        for name, value in mentioned(path.read_text("utf-8")):
            assert value == Settings.model_fields[name.lower()].default, (path.name, name)
            count += 1
    assert count >= 2
