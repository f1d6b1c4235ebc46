"""Traces that the server accepts: the same as the page."""

from __future__ import annotations

import io
import json
import math
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from heed.app.errors import HeedError
from heed.app.http.request_body import MAX_KEYS, MAX_PART_BYTES
from heed.app.schemas import MOST_MAPS, TraceOut
from heed.app.traces.trace_import import import_json, import_npz
from tests.browser.canned import trace
from tests.conftest import node

ROOT = Path(__file__).parents[3]
LIMIT = 1024 * 1024
PLAIN: dict[str, Any] = {
    "source": ["the", "cat"],
    "target": ["le", "chat"],
    "weights": [[0.9, 0.1], [0.2, 0.8]],
}
OURS = trace([["the"], ["c", "at"]], [["le"], ["chat"]], heads=2, self_attention=True)


def kept(value: Any) -> dict[str, Any]:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    made: dict[str, Any] = orjson.loads(import_json(content, LIMIT))
    return made


def refusal(value: Any) -> tuple[str, str | None, str]:
    with pytest.raises(HeedError) as error:
        kept(value)
    return error.value.code, error.value.field, error.value.message


def changed(value: dict[str, Any], path: str, to: Any) -> dict[str, Any]:
    """A copy with something else at a place: `maps.0.weights.1.0`."""
    copy = json.loads(json.dumps(value))
    at: Any = copy
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        at = at[step]
    at[last] = to
    return copy


# --- the page and the server ------------------------------------------------------------------

ACCEPTED: dict[str, Any] = {
    "plain": PLAIN,
    "heads": PLAIN | {"weights": [PLAIN["weights"]] * 3},
    "layers and heads": PLAIN | {"weights": [[PLAIN["weights"]] * 2] * 3},
    "whole numbers": PLAIN | {"weights": [[1, 0], [0, 1]]},
    "nearly one": PLAIN | {"weights": [[0.9, 0.109], [0.2, 0.791]]},
    "texts": {"source": " a\u3000b\tc ", "target": "x", "weights": [[0.5, 0.25, 0.25]]},
    "to itself": {"source": ["a", "b"], "kind": "encoder-self", "weights": [[1, 0], [0, 1]]},
    "sentencepiece": {
        "source": ["▁un", "like", "▁this", "</s>"],
        "target": ["x"],
        "weights": [[0.25] * 4],
    },
    "bert": {
        "source": ["[CLS]", "un", "##like", "##ly", "this", "[SEP]"],
        "target": ["Ġa", "b", "Ġc"],
        "weights": [[0, 0, 1, 0, 0, 0]] * 3,
    },
    "bpe": {
        "source": ["un@@", "like@@", "ly", "<unk>"],
        "target": ["@@", "a"],
        "weights": [[1, 0, 0, 0]] * 2,
    },
    "odd pieces": {
        "source": ["🎉", "", "▁", "##", "e\u0301", "<|x|>", "<|é|>"],
        "target": ["\u202eabc", "<b>"],
        "weights": [[0, 1, 0, 0, 0, 0, 0]] * 2,
    },
    "ours": OURS,
    "ours, with no more than is drawn": {
        name: OURS[name]
        for name in ("schema", "text", "model", "source", "target", "maps", "steps")
    },
}
REFUSED: dict[str, Any] = {
    "too few rows": PLAIN | {"weights": [[0.9, 0.1]]},
    "a short row": PLAIN | {"weights": [[0.9, 0.1], [1]]},
    "negative": PLAIN | {"weights": [[1.1, -0.1], [0.2, 0.8]]},
    "sum": PLAIN | {"weights": [[0.9, 0.1], [0.2, 0.7]]},
    "null": PLAIN | {"weights": [[0.9, 0.1], [0.2, None]]},
    "a text": PLAIN | {"weights": [["0.9", 0.1], [0.2, 0.8]]},
    "true": PLAIN | {"weights": [[True, 0], [0.2, 0.8]]},
    "second head": PLAIN | {"weights": [PLAIN["weights"], [[0, 0], [0, 1]]]},
    "a head that is none": PLAIN | {"weights": [[PLAIN["weights"], 5]]},
    "too deep": PLAIN | {"weights": [[[[[1]]]]]},
    "no lists": PLAIN | {"weights": 5},
    "no weights": {"source": ["a"], "target": ["b"]},
    "no pieces": PLAIN | {"source": []},
    "numbers for pieces": PLAIN | {"target": [1, 2]},
    "no target": {"source": ["a"], "weights": [[1]]},
    "another kind": PLAIN | {"kind": "cross-eyed"},
    "too long": {"source": ["x"] * 600, "target": ["y"], "weights": [[1 / 600] * 600]},
    "a list": [1],
    "nothing": None,
    "another schema": {"schema": "heed.trace/9"},
    "ours without source": changed(OURS, "source", None),
    "ours with a step too few": changed(OURS, "steps", OURS["steps"][:-1]),
    "ours with a map that is none": changed(OURS, "maps.0", {}),
    "ours with a row that is not whole": changed(OURS, "maps.1.weights.0.1", 0.5),
    "ours with a word that is not there": changed(OURS, "source.tokens.1.word", 9),
    "ours with a rare word out of range": changed(OURS, "source.rare_words", [0, 9]),
    "ours with a rare word of negative index": changed(OURS, "source.rare_words", [-1]),
    "ours with an unknown word out of range": changed(OURS, "target.unknown_words", [9]),
    "ours with a copied word out of range": changed(OURS, "target.copied_words", [9]),
    "ours with a rare word without index": changed(OURS, "source.rare_words", ["spinach"]),
}
NODE = """
import { imported } from %s;
let all = "";
for await (const piece of process.stdin) all += piece;
const results = [];
for (const text of JSON.parse(all)) {
  const made = imported(new TextEncoder().encode(text));
  results.push(await made.then((trace) => ({ trace }), ({ message }) => ({ message })));
}
console.log(JSON.stringify(results));
"""


def imported_by_the_page(values: list[Any]) -> list[dict[str, Any]]:
    """Return the results of the JavaScript module of the page."""
    script = NODE % json.dumps((ROOT / "static/js/import/trace_file.js").as_uri())
    texts = json.dumps([json.dumps(value) for value in values])
    command = [node(), "--input-type=module", "-e", script]
    completed = subprocess.run(command, input=texts, capture_output=True, text=True, check=True)
    answer: list[dict[str, Any]] = json.loads(completed.stdout)
    return answer


def test_the_server_saves_the_trace_that_the_page_shows() -> None:
    for (name, value), result in zip(
        ACCEPTED.items(), imported_by_the_page(list(ACCEPTED.values())), strict=True
    ):
        mine, theirs = kept(value), result["trace"]
        drawn = {"source", "target", "text", "steps", "schema", "model"}
        assert {key: mine[key] for key in drawn} == {key: theirs[key] for key in drawn}, name
        for one, other in zip(mine["maps"], theirs["maps"], strict=True):
            assert one["weights"] == other["weights"], name
            same = ("kind", "layer", "head", "query", "key")
            assert [one[key] for key in same] == [other[key] for key in same], name
        if "schema" not in value:
            assert {**mine, "maps": 0} == {**theirs, "maps": 0}, name


def test_the_server_and_the_page_refuse_the_same_files_and_name_the_same_place() -> None:
    place = re.compile(
        r"(Layer \d+, head \d+: |Map \d+: )?Row \d+, column \d+|Row \d+ (?:sums|has)"
    )
    for (name, value), result in zip(
        REFUSED.items(), imported_by_the_page(list(REFUSED.values())), strict=True
    ):
        assert "message" in result, name
        _, _, message = refusal(value)
        named = place.search(result["message"])
        assert (named and named[0]) == (place.search(message) or [None])[0], name


@pytest.mark.parametrize(
    ("value", "code", "field", "words"),
    [
        (
            PLAIN | {"weights": [[1, 0], [1.5, -0.5]]},
            "invalid_trace",
            "weights[1][1]",
            "Row 2, column 2 is negative: -0.5.",
        ),
        (
            b'{"source":["a"],"target":["b"],"weights":[[1e999]]}',
            "invalid_trace",
            "weights[0][0]",
            "Row 1, column 1 is not a number.",
        ),
        (
            b'{"source":["a"],"target":["b"],"weights":[[' + b"9" * 400 + b"]]}",
            "invalid_trace",
            "weights[0][0]",
            "Row 1, column 1 is not a number.",
        ),
        (
            b'{"source":["a"],"target":["b"],"weights":[[1e308]]}',
            "invalid_trace",
            "weights[0]",
            "Row 1 sums to 1e+308, not to 1.",
        ),
        (b'{"source":["a"],"target":["b"],"weights":[[NaN]]}', "bad_json", None, "NaN"),
        (
            b'{"source":["\\ud800"],"target":["b"],"weights":[[1]]}',
            "invalid_text",
            None,
            "surrogate",
        ),
        (b"[" * 100_000, "bad_json", None, "nested too deeply"),
        (b'{"source":' + b"[" * 900 + b"]" * 900 + b"}", "bad_json", None, "nested too deeply"),
        (b"", "empty_body", None, "empty"),
        (PLAIN | {"kind": ["cross"]}, "invalid_choice", "kind", "not this"),
        (
            changed(OURS, "maps.1.weights.0.1", "x"),
            "wrong_type",
            "maps[1].weights[0][1]",
            "must be a number",
        ),
        (
            changed(OURS, "maps.1.weights.0.1", -1),
            "invalid_trace",
            "maps[1].weights[0][1]",
            "Map 2: Row 1, column 2 is negative",
        ),
        (changed(OURS, "score", "x"), "wrong_type", "score", "must be a number"),
        (changed(OURS, "text", "\ud800"), "invalid_text", None, "surrogate"),
        (
            changed(OURS, "source.tokens.0.id", 10**30),
            "out_of_range",
            "source.tokens[0].id",
            "",
        ),
        (
            changed(OURS, "source.tokens.0.end", 10**400),
            "out_of_range",
            "source.tokens[0].end",
            "at most",
        ),
        (
            changed(OURS, "source.tokens.0.heed", 1),
            "unknown_field",
            "source.tokens[0].heed",
            "Remove it",
        ),
        (changed(OURS, "maps.0.scores", [[1.0]]), "invalid_trace", "maps[0].scores", "3 rows of 4"),
        (changed(OURS, "maps.0.queries", [1]), "wrong_type", "maps[0].queries[0]", "an object"),
        (changed(OURS, "maps.0.sinks", ["a"]), "wrong_type", "maps[0].sinks[0]", "a number"),
        (
            changed(OURS, "source.rare_words", ["a"]),
            "wrong_type",
            "source.rare_words[0]",
            "an integ",
        ),
        (changed(OURS, "source.frame_seconds", "a"), "wrong_type", "source.frame_seconds", "a num"),
        (changed(OURS, "steps.0.gate", 1e300), "out_of_range", "steps[0].gate", "not 1e+300."),
        (changed(OURS, "text", "a" * 100_001), "invalid_trace", "text", "at most 100,000 charac"),
        (PLAIN | {"source": "a" * 100_001}, "invalid_trace", "source", "more than 100,000"),
        (PLAIN | {"source": ["a" * 4_097]}, "invalid_trace", "source", "more than 4,096"),
        (OURS | {"memory": []}, "invalid_trace", "memory", "0 vectors"),
        (changed(OURS, "maps.0.queries", []), "invalid_trace", "maps[0].queries", "0 queries"),
        (changed(OURS, "maps.0.keys", []), "invalid_trace", "maps[0].keys", "but the axis has 4"),
        (
            OURS | {"runners_up": [changed(OURS["runners_up"] or OURS, "maps", [])]},
            "unknown_field",
            None,
            "",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_error_names_its_field(value: Any, code: str, field: str | None, words: str) -> None:
    found, place, message = refusal(value)
    assert found == code
    assert words in message
    assert field is None or place == field


def test_numbers_that_json_lacks_are_refused() -> None:
    content = json.dumps(changed(OURS, "steps.0.state.norm", 1)).replace(
        '"norm": 1,', '"norm": 1e999,', 1
    )
    code, field, _ = refusal(content.encode())
    assert code == "out_of_range"
    assert field is not None
    assert field.startswith("steps[0].")


def test_runners_up_are_validated_too() -> None:
    other = {
        key: OURS[key]
        for key in ("text", "target", "maps", "steps", "log_probability", "score", "finish")
    }
    whole = OURS | {"runners_up": [other]}
    assert kept(whole)["runners_up"] == [other]
    code, field, _ = refusal(changed(whole, "runners_up.0.maps.0.weights.0.0", 5))
    assert (code, field) == ("invalid_trace", "runners_up[0].maps[0].weights[0]")


def test_the_parts_of_a_trace_are_bounded() -> None:
    heads = PLAIN | {"source": ["a"], "target": ["b"], "weights": [[[1]]] * (MOST_MAPS + 1)}
    assert refusal(heads)[0] == "invalid_trace"
    lists = (
        b'{"source": "a", "target": "b", "weights": [' + b"[]," * (MAX_PART_BYTES // 90) + b"[]]}"
    )
    assert "lists, objects" in refusal(lists)[2]
    assert refusal(OURS | {str(i): 1 for i in range(MAX_KEYS)})[0] == "unknown_field"
    with pytest.raises(HeedError) as error:
        import_json(json.dumps(OURS).encode(), 1024)
    assert error.value.code == "body_too_large"


def test_only_the_first_invalid_item_of_a_list_is_reported() -> None:
    bad = {**OURS, "steps": ["x"] * 1000, "maps": [0] * 1000}
    with pytest.raises(ValidationError) as error:
        TraceOut.model_validate(bad, strict=True)
    assert error.value.error_count() == 2


# --- random content ---------------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**30, -(10**400), 2**63, 0.5, 1, 0])
    | st.floats()
    | st.text(st.characters(), max_size=4)
)
JSONS = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["source", "weights", "schema", "text", "x"]), inner)
    ),
    max_leaves=12,
)
PATHS = [
    *("source", "target", "weights", "kind", "weights.0", "weights.0.1", "source.0"),
    *("maps", "maps.0.weights", "maps.0.weights.0.0", "maps.0.kind", "maps.0.scores.0.0", "steps"),
    *("source.tokens.0.word", "source.words", "target.text", "model", "model.order", "request"),
    *("request.search", "timing", "runners_up", "memory", "steps.0.state", "steps.0.alternatives"),
    *("text", "schema", "score", "steps.0.probability", "steps.0.query.summary.0"),
]


def imported_or_refused(read: Callable[[bytes, int], bytes], content: bytes) -> bytes | None:
    try:
        return read(content, LIMIT)
    except HeedError as error:
        refused = error
    assert refused.status < 500
    assert refused.out()
    return None


@given(data=st.data())
@settings(max_examples=300)
def test_any_json_is_imported_or_refused(data: st.DataObject) -> None:
    value = data.draw(JSONS | st.sampled_from([PLAIN, OURS]))
    if value in (PLAIN, OURS):
        for _ in range(data.draw(st.integers(1, 2))):
            try:
                value = changed(value, data.draw(st.sampled_from(PATHS)), data.draw(JSONS))
            except (KeyError, TypeError, IndexError, ValueError):
                continue
    content = json.dumps(value).encode()  # with NaN and Infinity, which are not JSON
    made = imported_or_refused(import_json, content)
    if made is not None:
        assert import_json(made, LIMIT) == made, "an imported trace is imported unchanged"


@given(st.binary(max_size=200))
def test_random_bytes_are_refused_with_an_error(content: bytes) -> None:
    for read in (import_json, import_npz):
        assert imported_or_refused(read, content) is None


# --- .npz -------------------------------------------------------------------------------------


def npz(**arrays: Any) -> bytes:
    held = io.BytesIO()
    np.savez_compressed(held, **arrays)
    return held.getvalue()


def zipped(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.npy", content)
    return held.getvalue()


def header(shape: str, descr: str = "'<f4'") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def npz_refusal(body: bytes, limit: int = LIMIT) -> tuple[str, str]:
    with pytest.raises(HeedError) as error:
        import_npz(body, limit)
    return error.value.code, error.value.message


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "<f2", "<i8", "|u1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_npz_archive_is_imported(dtype: str, order: Any) -> None:
    weights = np.zeros((2, 3, 2, 4))
    weights[..., 1] = 1
    body = npz(
        weights=np.asarray(weights, dtype, order=order),
        source=np.array(["▁a", "b", "ç", "</s>"]),
        target=["x", "y"],
        kind="cross",
        more=np.arange(5),
    )
    made = orjson.loads(import_npz(body, LIMIT))
    assert [token["text"] for token in made["source"]["tokens"]] == ["a", "b", "ç", "</s>"]
    assert len(made["maps"]) == 6
    assert made["maps"][5]["weights"] == [[0, 1, 0, 0]] * 2


def test_an_npz_archive_is_validated_like_json() -> None:
    pieces = {"source": ["a", "b"], "target": ["x"]}
    for weights, words in (
        ([[0.5, math.nan]], "Row 1, column 2 is not a number."),
        ([[0.5, math.inf]], "Row 1, column 2 is not a number."),
        ([[0.5, 0.4]], "Row 1 sums to 0.900, not to 1."),
        ([[1.5, -0.5]], "Row 1, column 2 is negative: -0.5."),
    ):
        assert npz_refusal(npz(weights=weights, **pieces)) == ("invalid_trace", words)
    assert npz_refusal(npz(weights=[[1.0]]))[0] == "missing_field"


def test_pickled_objects_are_refused_unread(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return Path.write_text, (tmp_path / "harm", "done")

    body = npz(weights=np.array([[Evil()]], dtype=object), source=["a"], target=["b"])
    assert npz_refusal(body)[0] == "bad_npz"
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    "weights",
    [
        header("(1000000000, 1000000000)") + b"1234",
        header("(0, 1000000000000000000000000000000)"),
        header("(999999999, 0)"),
        header("(-1, 4)") + b"1234",
        header("(1,)", "'<U999999999'") + b"1234",
        header("(1,)", "[('a', '<f4')]") + b"1234",
        header("(1,)", "'V4'") + b"1234",
        header("(1,)", "'O'") + b"1234",
        header("('a',)") + b"1234",
        header("(" * 200 + ")" * 200) + b"1234",
        header("(2, 2)") + b"1234",
        header("(1,)", "'<U1'") + b"\xff\xff\xff\x7f",
        b"\x93NUMPY\x09\x00",
        b"\x93NUMPY\x01\x00\xff\xff{",
        b"no array",
        b"",
    ],
    ids=range(16),
)
def test_an_array_with_a_wrong_header_is_refused(weights: bytes) -> None:
    assert npz_refusal(zipped(weights=weights, source=b"", target=b""))[0] == "bad_npz"
    if weights.startswith(b"\x93NUMPY"):
        assert npz_refusal(zipped(source=weights))[0] == "bad_npz"


def test_a_decompression_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = zipped(source=b"\0" * 200_000_000)
    assert len(bomb) < LIMIT
    code, message = npz_refusal(bomb)
    assert code == "bad_npz"
    assert "larger than" in message
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as archive:
        for index in range(100):
            archive.writestr(f"{index}.npy", b"")
    assert "100 files" in npz_refusal(many.getvalue())[1]


def test_a_bomb_is_unpacked_only_to_its_declared_size() -> None:
    bomb = bytearray(zipped(source=b"\0" * 50_000_000))
    size = (50_000_000).to_bytes(4, "little")
    assert bomb.count(size) == 2
    small = bytes(bomb.replace(size, (1000).to_bytes(4, "little")))
    assert npz_refusal(small)[0] == "bad_npz"


WHOLE = npz(weights=PLAIN["weights"], source=PLAIN["source"], target=PLAIN["target"])


@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=6))
@settings(max_examples=300)
def test_a_damaged_archive_is_imported_or_refused(
    damage: list[tuple[int, int]],
) -> None:
    body = bytearray(WHOLE)
    for place, value in damage:
        body[place] = value
    imported_or_refused(import_npz, bytes(body))


def test_the_words_that_a_person_linked_are_kept_if_the_texts_have_them() -> None:
    assert kept({**OURS, "links": "0-0 1?1"})["links"] == "0-0 1?1"
    assert "links" not in kept(OURS)
    for wrong, said in (
        ("0+0", "links are pairs"),
        ("2-0", "no words 2-0"),
        ("0-0 " * 6_000, "at most"),
    ):
        code, field, message = refusal({**OURS, "links": wrong})
        assert field == "links", code
        assert said in message
