"""`heed.trace` and `heed.record`: one call for every model, and the trace that it returns."""

from __future__ import annotations

import base64
import doctest
import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from PIL import Image

import heed
import heed.models.heads
import heed.models.recording.search
import heed.models.recording.spans
import heed.traced
import heed.tracing
from heed.app.errors import FieldError
from heed.app.traces.trace_import.imported import import_json
from tests.app.pages.test_packing import packed_bytes
from tests.models.recording import small
from tests.models.wav import tone

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

SENTENCE = "I do not know where she lives ."
PHOTO = Path(__file__).parents[1] / "static/samples/photographer.jpg"


def unpacked(page: str, id: str = "contents") -> Any:
    """The trace of a page in one file, with places instead of arrays; `packed` has its modules."""
    found = re.search(rf'id="{id}" data-size="(\d+)">([^<]+)</script>', page)
    assert found is not None
    return json.loads(gzip.decompress(packed_bytes(found[2], int(found[1]))).partition(b"\n")[0])


def modules(page: str) -> set[str]:
    """The modules in a page in one file."""
    script = unpacked(page, "packed")["script"]
    return set(re.findall(r'^\$define\("([^"]+)"', script, re.MULTILINE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = small.words()
    path = tmp_path_factory.mktemp("models") / "boats"
    return small.saved(path, small.bart(len(tokenizer)), tokenizer)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> heed.Trace:
    """Return the trace of a sound."""
    tokenizer = small.words(ended=False)
    path = tmp_path_factory.mktemp("models") / "ear"
    small.saved(path, small.whisper(len(tokenizer)), tokenizer, small.hearing())
    return heed.trace(path, np.sin(np.arange(5_400, dtype=np.float32) / 9), max_tokens=4)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> heed.Trace:
    """Return the trace of a picture within a text."""
    tokenizer = small.words(ended=False)
    processor = small.seeing(tokenizer)
    image = tokenizer.convert_tokens_to_ids("<image>")
    path = tmp_path_factory.mktemp("models") / "eye"
    small.saved(path, small.llava(len(tokenizer), image), processor)
    photo = Image.linear_gradient("L").convert("RGB")
    return heed.trace(path, (photo, "The white <image> house"), max_tokens=4)


@pytest.fixture(scope="module")
def trace(folder: Path) -> heed.Trace:
    return heed.trace(folder, SENTENCE, max_tokens=5)


@pytest.mark.parametrize(
    "module",
    [heed.models.heads, heed.tracing, heed.models.recording.search, heed.models.recording.spans],
)
def test_the_examples_in_docstrings_hold(module: Any) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


def test_a_shipped_model_answers_to_the_same_call() -> None:
    found = heed.trace("dates-additive", "3 May 2026", search=heed.Beam(2))
    assert found.text == "2026-05-03"
    assert len(found.runners_up) == 1
    assert unpacked(found.to_html())["models"][0]["name"].startswith("Dates")


def test_a_shipped_captioner_takes_an_image_or_a_path() -> None:
    with Image.open(PHOTO) as image:
        one, size = heed.trace("caption-soft", image), image.size
    other = heed.trace("caption-soft", PHOTO)
    assert one.text
    assert one.run.picture is not None
    assert other.run.picture is not None
    assert (one.run.picture.width, one.run.picture.height) == size
    assert (other.run.picture.width, other.run.picture.height) == size


def test_a_folder_and_a_loaded_model_give_the_same_trace(folder: Path, trace: heed.Trace) -> None:
    from transformers import AutoTokenizer, BartForConditionalGeneration

    model = BartForConditionalGeneration.from_pretrained(folder)
    loaded = heed.trace(model, AutoTokenizer.from_pretrained(folder), SENTENCE, max_tokens=5)
    assert loaded.text == trace.text
    for one, other in zip(loaded.maps, trace.maps, strict=True):
        np.testing.assert_array_equal(one.weights, other.weights)


def test_a_trace_is_saved_by_the_ending_of_its_path(trace: heed.Trace, tmp_path: Path) -> None:
    read = json.loads(trace.save(tmp_path / "a.json").read_bytes())
    assert read["schema"] == "heed.trace/2"
    np.testing.assert_allclose(read["maps"][0]["weights"], trace.maps[0].weights, atol=1e-4)
    arrays = np.load(io.BytesIO(trace.save(tmp_path / "a.npz").read_bytes()), allow_pickle=False)
    assert any(
        arrays[name].shape[-2:] == trace.maps[0].weights.shape
        for name in arrays
        if arrays[name].ndim > 1
    )
    assert trace.to_npz() == (tmp_path / "a.npz").read_bytes()
    page = trace.save(tmp_path / "a.html").read_text("utf-8")
    assert page.startswith(("<!DOCTYPE html>", "<!doctype html>"))
    assert not re.search(r'(?:src|href)="https?:', page)


@pytest.mark.parametrize("name", ["heard", "seen"])
def test_sounds_and_pictures_within_texts_are_loaded_as_they_were_saved(
    name: str, request: pytest.FixtureRequest
) -> None:
    made: heed.Trace = request.getfixturevalue(name)
    content = made.to_json()
    assert json.loads(import_json(content, 10_000_000)) == json.loads(content)
    assert "js/core/text_picture_scene.js" in modules(made.to_html())


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda it: it["source"]["patches"].update(first=20), "source.patches"),
        (lambda it: it["source"]["patches"]["grid"].update(left=9_000), "source"),
        (lambda it: it["source"]["patches"]["grid"].update(marks=["x"]), "source.patches"),
        (lambda it: it.pop("picture"), "picture"),
        (lambda it: it["source"].pop("patches"), "picture"),
        (lambda it: it["target"].update(patches=it["source"]["patches"]), "target.patches"),
    ],
)
def test_patches_that_are_none_are_refused(
    seen: heed.Trace, change: Callable[[dict[str, Any]], object], field: str
) -> None:
    value = json.loads(seen.to_json())
    change(value)
    with pytest.raises(FieldError) as caught:
        import_json(json.dumps(value).encode(), 10_000_000)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("a.png", "press PNG"), ("a.gif", r"not as '\.gif'"), ("a", "saved as .json")],
)
def test_other_endings_are_refused(
    trace: heed.Trace, tmp_path: Path, name: str, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        trace.save(tmp_path / name)


def drawn(svg: str) -> tuple[list[str], int]:
    """Return the texts of a drawing and the number of its cells."""
    root = ElementTree.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    return [each.text or "" for each in root.iter(f"{name}text")], len(
        list(root.iter(f"{name}rect"))
    )


def test_a_map_is_saved_as_svg(trace: heed.Trace, tmp_path: Path) -> None:
    svg = trace.save(tmp_path / "a.svg").read_text("utf-8")
    words, cells = drawn(svg)
    assert words[0] == "boats · cross-attention, layer 2, head 1"
    assert words[1:10] == [*SENTENCE.split(), "⟨end⟩"]
    assert words[-1] == f"{trace.maps[4].weights.max():.2f}"
    assert cells > trace.maps[4].weights.size / 2
    assert trace.to_svg(4) == svg
    first = drawn(trace.to_svg(8))[0]
    assert first[0] == "boats · masked self-attention, layer 1, head 1"
    assert first[1] == "⟨start⟩"


def test_any_text_is_drawn_and_escaped() -> None:
    module = torch.nn.MultiheadAttention(4, 1, batch_first=True)
    names = ["<b>&", "\x00", "שלום", *(f"word{n}" for n in range(197))]
    x = torch.randn(1, 200, 4)
    with heed.record(module) as recording:
        module(x, x, x)
    svg = recording.trace(keys=names).to_svg()
    words, _ = drawn(svg)
    assert len(words) == 403  # each row and column, a title, and the ends of the colour bar
    assert {"<b>&", "�", "word196"} <= set(words)
    assert 'direction="rtl"' in svg
    assert "font-family" in svg
    assert not re.search(r"<(script|image|style)|@font-face|url\(", svg)


def photos(svg: str) -> tuple[list[str], list[str], list[Image.Image]]:
    """Return the texts of a drawing of photos, the names of the photos, and its images."""
    root = ElementTree.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    (stored,) = root.iter(f"{name}defs")
    used = {each.get("href", "")[1:] for each in root.iter(f"{name}use")}
    assert used == {stored[0].get("id")}
    links = [each.get("href", "") for each in root.iter(f"{name}image")]
    images = [
        Image.open(io.BytesIO(base64.b64decode(each.partition(";base64,")[2]))) for each in links
    ]
    texts = [each.text or "" for each in root.iter(f"{name}text")]
    names = [
        group[-1].text or "" for group in root.iter(f"{name}g") if group[0].tag == f"{name}use"
    ]
    return texts, names, images


def test_a_picture_with_its_caption_is_saved_as_png_and_svg(tmp_path: Path) -> None:
    found = heed.trace("caption-soft", PHOTO)
    with Image.open(found.save(tmp_path / "a.png")) as image:
        assert image.width > 480
    texts, names, images = photos(found.save(tmp_path / "a.svg").read_text("utf-8"))
    assert (texts[0], " ".join(names)) == ("caption-soft", found.text)
    photo, *heats = images
    assert (photo.format, max(photo.size)) == ("JPEG", 512)
    assert {(heat.format, heat.mode, heat.size) for heat in heats} == {("PNG", "RGBA", (84, 84))}
    _, names, (_, heat) = photos(found.to_svg(row=1))
    assert names == [found.text.split()[1]]
    cell = int(np.argmax(found.maps[0].weights[1]))
    y, x = np.unravel_index(np.argmax(np.asarray(heat)[..., 3]), heat.size)
    assert abs(x // 6 - cell % 14) <= 1
    assert abs(y // 6 - cell // 14) <= 1
    with pytest.raises(heed.RecordingError, match="There is no row 99"):
        found.to_svg(row=99)


def test_a_sound_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(tone(0.2, 8_000))
    tokenizer = small.words(ended=False)
    model = small.whisper(len(tokenizer))
    found = heed.trace(model, tokenizer, small.hearing(), tmp_path / "a.wav", max_tokens=3)
    assert (len(found.source), found.run.task) == (10, "transcribe")
    with pytest.raises(heed.RecordingError, match="cannot be read"):
        heed.trace(model, tokenizer, small.hearing(), str(tmp_path / "b.wav"))


def test_a_caption_ends_where_the_positions_of_its_model_do() -> None:
    tokenizer = small.words(ended=False)
    found = heed.trace(small.blip(len(tokenizer)), tokenizer, small.pixels(), PHOTO)
    assert len(found.target) <= 32
    assert {each.kind for each in found.maps} == {"cross", "decoder-self", "encoder-self"}


def test_patches_are_drawn_over_their_part_of_the_picture(trace: heed.Trace) -> None:
    found = heed.trace(small.classifier(), small.pixels(), PHOTO)
    texts, names, _ = photos(found.to_svg())
    assert texts[0].endswith("rollout of all layers")
    assert names == [found.text]
    texts, names, (_, heat) = photos(found.to_svg(2, row=4))
    assert texts[0].endswith("self-attention, layer 1, head 3")
    assert (names, heat.size) == (["patch 2.1"], (18, 18))
    assert photos(found.to_svg(2))[1] == ["[CLS]"]
    bare = heed.trace(small.captioner(40).encoder, small.pixels(), PHOTO)
    assert photos(bare.to_svg())[1] == ["[CLS]"]
    with pytest.raises(heed.RecordingError, match="over a picture"):
        trace.to_svg(row=0)


def test_the_page_of_a_classifier_is_that_of_patches(tmp_path: Path) -> None:
    found = heed.trace(small.classifier(), small.pixels(), PHOTO)
    assert found.text in small.LABELS.values()
    assert (found.run.task, found.maps[-1].kind) == ("see", "rollout")
    page = found.save(tmp_path / "a.html").read_text("utf-8")
    assert "js/pages/see/standalone_app.js" in modules(page)
    step = {name.rpartition("/")[2] for name in modules(page) if "/views/step/" in name}
    assert "patch_step.js" in step
    assert not step & {"token_step.js", "grid_step.js"}, "they are steps of other kinds of models"
    patches = len(found.source)
    assert unpacked(page)["trace"]["positions"]["#"][2:] == [patches, patches]
    bare = heed.trace(small.captioner(40).encoder, small.pixels(), PHOTO)
    with pytest.raises(heed.RecordingError, match="writes nothing"):
        bare.to_html()


def test_show_opens_the_page(trace: heed.Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    path = trace.show()
    assert opened == [path.as_uri()]
    assert path.stat().st_size > 100_000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("dates-additive",), "needs an input"),
        (("dates-additive", object(), "3 May"), "has its own tokenizer"),
        (("dates-additive", 3), "reads a text, not a int"),
    ],
)
def test_a_wrong_call_is_a_type_error(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        heed.trace(*arguments)


def test_the_public_names_exist() -> None:
    for name in heed.__all__:
        assert getattr(heed, name).__doc__
    assert set(heed.__all__) <= set(dir(heed))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = heed.nothing  # type: ignore[attr-defined]


def test_a_shipped_reader_takes_a_sentence_alone() -> None:
    found = heed.trace("read-lstmn", "The keys to the cabinet are")
    assert [each.weights.shape for each in found.maps] == [(7, 7)]
    assert "masked self-attention" in found.to_svg()
    assert "cabinet" in found.to_html()
    with pytest.raises(TypeError, match="writes nothing"):
        heed.trace("read-lstmn", "The keys", target="are")


def test_a_mistyped_model_of_heed_is_recognized() -> None:
    with pytest.raises(heed.RecordingError, match="Did you mean en-fr-additive"):
        heed.trace("en-fr-addtive", "I do not know.")


def test_a_trace_is_edited_again_and_keeps_its_baseline() -> None:
    plain = heed.trace("en-fr-transformer", "I do not know where she lives.")
    assert plain.baseline is None
    edited = plain.edited(heed.Block(words="not"))
    assert edited.baseline is not None
    assert edited.baseline.text == plain.text
    assert edited.text != plain.text
    twice = edited.edited(heed.Temperature(2.0), continue_from=1)
    assert [each.op for each in twice.run.request.edits] == ["block", "temperature"]
    both = heed.trace(
        "en-fr-transformer",
        "I do not know where she lives.",
        edits=[heed.Block(words="not"), heed.Temperature(2.0)],
        continue_from=1,
    )
    assert both.text == twice.text


def test_what_cannot_be_edited_says_so() -> None:
    read = heed.trace("read-lstmn", "The keys are here.", edits=[heed.Block(words="keys")])
    assert read.baseline is not None
    with pytest.raises(TypeError, match="writes nothing"):
        heed.trace("read-lstmn", "The keys are here.", continue_from=1)
    with pytest.raises(ValueError, match="no word"):
        heed.trace("dates-additive", "3 May 2026", edits=[heed.Block(words="June")])
