"""Notes on words of an input that are ignored or were rare in training."""

from __future__ import annotations

import json

import httpx
import pytest

from heed.app.schemas import TokenAxisOut, TraceOut
from heed.app.traces.input_note import (
    GUESSING,
    NO_SENTENCE,
    UNKNOWN,
    input_note,
    trace_note,
)
from tests.browser.canned_pictures import trace as picture_trace

RARE = "Rare in training, so the model may guess: "
GUESS = "The model is guessing"
IGNORED = "Ignored (unknown to this model): "


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("I love you.", ""),
        ("I love you 😀😀", f"{IGNORED}“😀”."),
        ("你 love 好 吗 😀", f"{IGNORED}“你”, “好”, “吗” and 1 more."),
        ("I love Zorblax.", f"{RARE}“Zorblax”."),
        ("I love Zorblax 😀.", f"{IGNORED}“😀”. {RARE}“Zorblax”."),
    ],
)
def test_ignored_and_rare_words_are_named(client: httpx.Client, text: str, note: str) -> None:
    body = {"model": "en-fr-additive", "text": text}
    source = client.post("/api/v1/translate", json=body).json()["source"]
    found = input_note(TokenAxisOut.model_validate_json(json.dumps(source)))
    assert found.endswith(note) if note else found == ""


def test_made_up_words_are_named(client: httpx.Client) -> None:
    body = {"model": "en-fr-additive", "text": "The professor deciphered the hieroglyphs."}
    trace = client.post("/api/v1/translate", json=body).json()
    places = range(len(trace["target"]["words"]))
    trace["target"]["unknown_words"] = [places[1]]
    name = trace["target"]["words"][1]["text"]
    found = trace_note(TraceOut.model_validate_json(json.dumps(trace)))
    assert found.endswith(f"Made up by the model (in no training text): “{name}”.")


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("12345 678", "numbers"),
        ("https://example.org/a?b=c", "addresses"),
        ("me@example.org", "addresses"),
        ("?!", "symbols"),
        ("It is 5 o'clock at www.example.org", ""),
    ],
)
def test_a_translation_of_a_text_without_a_word_is_called_a_guess(
    client: httpx.Client, text: str, alone: str
) -> None:
    body = {"model": "en-fr-additive", "text": text}
    trace = client.post("/api/v1/translate", json=body).raise_for_status()
    found = trace_note(TraceOut.model_validate_json(trace.content))
    assert found.startswith(NO_SENTENCE.format(alone)) if alone else GUESS not in found


def test_a_target_or_a_date_of_numbers_is_no_guess(client: httpx.Client) -> None:
    for body in (
        {"model": "dates-additive", "text": "3/5/1979"},
        {"model": "en-fr-additive", "text": "1979", "target": "mille"},
    ):
        trace = client.post("/api/v1/translate", json=body).raise_for_status()
        assert GUESS not in trace_note(TraceOut.model_validate_json(trace.content))


def test_right_to_left_words_are_isolated_within_their_quotation_marks() -> None:
    text = "(1) שלום"
    word = {"text": text, "start": 0, "end": len(text), "special": False}
    axis = {"text": text, "tokens": [], "words": [word], "merge": "sum"}
    assert input_note(TokenAxisOut.model_validate(axis)) == f"{IGNORED}“\u2068{text}\u2069”."


@pytest.mark.parametrize(
    ("path", "body", "note"),
    [
        (
            "story",
            {"story": "Mary took the zyzzyva.", "question": "Where is the qwertz?"},
            "“qwertz”",
        ),
        ("read", {"text": "The zyzzyva is here."}, "“zyzzyva”"),
        ("graph", {"graph": "Chain"}, ""),
    ],
)
def test_a_model_that_knows_few_words_names_the_others(
    client: httpx.Client, path: str, body: dict[str, str], note: str
) -> None:
    trace = client.post(f"/api/v1/{path}", json=body).raise_for_status()
    found = trace_note(TraceOut.model_validate_json(trace.content))
    assert found.startswith(UNKNOWN) is bool(note)
    assert note in found


@pytest.mark.parametrize(
    ("log_probability", "finish", "note"),
    [(-1.0, "end", ""), (-30.0, "end", GUESSING), (-30.0, "forced", "")],
)
def test_a_caption_of_improbable_words_is_called_a_guess(
    log_probability: float, finish: str, note: str
) -> None:
    caption = picture_trace() | {"log_probability": log_probability, "finish": finish}
    assert trace_note(TraceOut.model_validate_json(json.dumps(caption))) == note
