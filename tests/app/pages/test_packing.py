"""Packed pages: a few characters for many numbers, and nothing lost."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from heed.output.page.packing import SYMBOLS, packed
from tests.conftest import node

UNPACK = Path(__file__).parents[3] / "static/js/shell/unpack.js"
NODE = """
const [held, script] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const made = [];
globalThis.CSS = { supports: () => true };
globalThis.document = {
  getElementById: (id) => ({ textContent: held[id][0], dataset: { size: held[id][1] } }),
  createElement: () => ({}),
  head: { append: (node) => node.type === "module" ? finished() : made.push(node) },
  body: { toggleAttribute() {} },
};
eval(script.replace("emptied(document.documentElement)", '""'));
function finished() { console.log(made.find(({ id }) => id === "taken").textContent); }
"""
SHELL = {"script": "", "styles": "", "body": ""}


def packed_bytes(text: str, size: int) -> bytes:
    """The bytes that a packed text holds."""
    places = [SYMBOLS.index(symbol) for symbol in text.encode("ascii")]
    bits = "".join(f"{high * 91 + low:013b}" for high, low in zip(*[iter(places)] * 2, strict=True))
    return bytes(int(bits[at : at + 8], 2) for at in range(0, 8 * size, 8))


def read(contents: object) -> Any:
    """The contents as the script of the page reads them."""
    held = {"packed": packed(SHELL), "contents": packed({"value": contents})}
    given = json.dumps([held, UNPACK.read_text("utf-8")])
    done = subprocess.run(
        [node(), "-e", NODE], input=given, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)["value"]


def as_json(contents: object) -> Any:
    return json.loads(orjson.dumps(contents, option=orjson.OPT_SERIALIZE_NUMPY))


@pytest.fixture(scope="module")
def generator() -> np.random.Generator:
    return np.random.default_rng(3)


def map_of(generator: np.random.Generator, rows: int, columns: int) -> dict[str, Any]:
    scores = np.round(generator.normal(0, 4, (rows, columns)), 4)
    scores[0, 1:] = -np.inf  # masked
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = np.round(shares / shares.sum(axis=1, keepdims=True), 5)
    return {"kind": "cross", "weights": weights, "scores": scores}


def test_what_the_page_reads_is_the_json_of_the_value(generator: np.random.Generator) -> None:
    edited = map_of(generator, 5, 7)
    edited["weights"] = np.round(generator.uniform(size=(5, 7)), 5)
    masked = map_of(generator, 4, 6)
    masked["scores"][2], masked["weights"][2] = -np.inf, 0
    vectors = [
        {"size": 64, "norm": 1.5 + at, "summary": np.round(generator.normal(size=16), 3)}
        for at in range(3)
    ]
    contents = {
        "trace": {"text": "αβ < & \" 'é", "maps": [map_of(generator, 9, 11), edited, masked]},
        "vectors": vectors,
        "mixed": [vectors[0], {"size": 3, "norm": 0.1, "summary": np.array([0.1])}],
        "single": generator.normal(size=20).astype(np.float32),
        "unrounded": generator.normal(size=20),
        "large": np.array([1e12] * 9),
        "negative": np.array([-0.5, -1.25, 0.0, 3.0, np.nan, np.inf, -7.0, 8.5]),
        "cube": np.round(generator.normal(size=(3, 4, 5)), 2),
        "counts": np.arange(12),
        "none": np.zeros((0, 4)),
        "empty": [],
    }
    assert read(contents) == as_json(contents)


def test_the_text_is_plain_and_shorter_than_base64(generator: np.random.Generator) -> None:
    text, size = packed(map_of(generator, 40, 40))
    assert set(text.encode()) <= set(SYMBOLS)
    assert not set(text) & set('<&" ')
    assert len(text) < 1.24 * size
    assert gzip.decompress(packed_bytes(text, size)).startswith(b"{")


def test_weights_that_follow_from_the_scores_cost_little(generator: np.random.Generator) -> None:
    whole = map_of(generator, 60, 60)
    _, both = packed(whole)
    _, scores = packed({"scores": whole["scores"]})
    assert both < 1.1 * scores
