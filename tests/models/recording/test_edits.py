"""Models of transformers write under edits as they are read under them, token by token or whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor

from heed.models.edits.operations import (
    Block,
    Edit,
    Only,
    Permute,
    Row,
    Scale,
    SetWeight,
    Silence,
    Temperature,
    Uniform,
)
from heed.models.errors import InputError
from heed.models.recording.load import tracer_of
from heed.models.recording.search import Beam, Sample
from heed.models.recording.tracer import Tracer
from heed.models.trace import Trace
from tests.models.recording import small
from tests.models.recording.test_families import DECODERS, GROUPED, MARKS, PAIR, PAIRS, model

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

TEXT = "I do not know where she lives ."
CLOSE = 1e-5
KINDS = ("cross", "decoder-self", "encoder-self")


@dataclass(frozen=True)
class Watched(Tracer):
    """A tracer that keeps the logits that its model writes by."""

    logits: list[Tensor] = field(default_factory=list)

    def _generate(self, inputs: Mapping[str, Any], **options: Any) -> Tensor:
        written = self.model.generate(
            **inputs, **options, output_logits=True, return_dict_in_generate=True
        )
        self.logits[:] = [torch.cat(written.logits).float()]
        sequences: Tensor = written.sequences
        return sequences


def watched(built: Any, *processors: Any) -> Watched:
    tracer = tracer_of(small.spread(built), *processors)
    return Watched(tracer.model, tracer.processor, tracer.stamp)


def picture() -> Image.Image:
    return Image.fromarray(np.arange(24 * 24 * 3, dtype=np.uint8).reshape(24, 24, 3))


def reader(name: str) -> tuple[Watched, Any]:
    """Return a tracer of a family that writes, and an input."""
    tokenizer = small.words()
    count = {"vocab_size": len(tokenizer)}
    if name == "ViT-GPT2":
        return watched(small.captioner(len(tokenizer)), tokenizer, small.pixels()), picture()
    if name == "Llava":
        processor = small.seeing(small.words(ended=False))
        mark = processor.tokenizer.convert_tokens_to_ids("<image>")
        built = small.llava(len(processor.tokenizer), mark)
        return watched(built, processor), (picture(), "<image> I do not know")
    if name == "GPT-2":
        return watched(small.gpt2(len(tokenizer)), small.words(ended=False)), TEXT
    if name == "T5":
        sizes = {"d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 2, "num_heads": 4}
        built = model("T5ForConditionalGeneration", "T5Config", **MARKS | sizes | count)()
        built.generation_config.decoder_start_token_id = 0
        return watched(built, tokenizer), TEXT
    for pair, *parts in PAIRS:
        if pair == name:
            return watched(model(*parts, **PAIR | count)(), tokenizer), TEXT
    for decoder, built, config, more in DECODERS:
        if decoder == name:
            made = model(built, config, **GROUPED | count, **more)()
            return watched(made, small.words(ended=False)), TEXT
    raise ValueError(name)


FAMILIES = [
    *(name for name, *_ in PAIRS),
    *(name for name, *_ in DECODERS),
    *("T5", "GPT-2", "ViT-GPT2", "Llava"),
]


def some_edits(plain: Trace) -> tuple[Edit, ...]:
    """Return an edit of each kind of map, those of what is written at some steps."""
    kinds = {attention.kind for attention in plain.output.maps}
    first = len(plain.source) - len(plain.output.target) if kinds == {"decoder-self"} else 0
    own: Any = {"kind": "decoder-self"}
    edits: list[Edit] = [
        SetWeight(weight=0.6, keys=1, queries=range(first + 2, first + 6), heads=(0, 2), **own),
        Temperature(temperature=0.5, layers=1, **own),
        Silence(keys=0, heads=1, queries=first + 3, **own),
    ]
    if "cross" in kinds:
        edits += [
            Block(kind="cross", keys=(2, 3), queries=range(1, 5)),
            Permute(kind="cross", seed=4, layers=0),
            Scale(kind="cross", factor=6, keys=1, queries=2),
            Uniform(kind="encoder-self", layers=0, queries=(1, 2)),
            Only(kind="encoder-self", keys=range(1, 4), layers=1, heads=1),
        ]
    return tuple(edits)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_written_under_edits_is_what_is_read_under_them(name: str) -> None:
    tracer, given = reader(name)
    plain = tracer.trace(given, max_tokens=7)
    edits = some_edits(plain)
    trace = tracer.trace(given, max_tokens=7, edits=edits)
    (written,) = tracer.logits
    logs = written.log_softmax(-1)
    ids = [token.id for token in trace.output.target.tokens]
    chosen = [float(logs[step, id]) for step, id in enumerate(ids)]
    assert [step.log_probability for step in trace.output.steps] == pytest.approx(chosen, abs=CLOSE)
    best = [[each.id for each in step.alternatives] for step in trace.output.steps]
    assert best == logs.topk(5).indices[: len(ids)].tolist()
    assert trace.request.edits == edits
    assert trace.baseline
    assert trace.baseline.output.text == plain.output.text
    assert any(abs(change.after - change.before) > 1e-4 for change in trace.baseline.changes)
    assert all(change.divergence >= 0 for change in trace.baseline.changes)
    for one, other in zip(trace.baseline.output.maps, plain.output.maps, strict=True):
        assert np.array_equal(one.weights, other.weights)


@pytest.mark.parametrize("name", ["BART", "GPT-2", "ViT-GPT2"])
def test_no_edits_are_none_exactly(name: str) -> None:
    tracer, given = reader(name)
    idle = (Scale(factor=1, keys=0), Temperature(temperature=1), Block(keys=()))
    plain, empty, same = (
        tracer.trace(given, max_tokens=6, edits=edits) for edits in ((), [], idle)
    )
    for trace in (empty, same):
        assert trace.baseline is None
        assert trace.request == plain.request
        assert trace.output.log_probability == plain.output.log_probability
        for one, other in zip(trace.output.maps, plain.output.maps, strict=True):
            assert np.array_equal(one.weights, other.weights)


def test_rows_have_the_weights_that_they_are_given() -> None:
    tracer, given = reader("BART")
    row = (0.5, 0, 0, 0.5, 0, 0, 0, 0, 0)
    edits = (
        Row(kind="cross", weights=row, layers=1, heads=2, queries=3),
        SetWeight(kind="cross", weight=0.25, words=("not", "she"), layers=0, queries=1),
        Silence(kind="cross", keys="all", layers=0, heads=0),
        Uniform(kind="decoder-self", queries=60),
    )
    trace = tracer.trace(given, max_tokens=100, target="Je ne sais pas", edits=edits)
    cross = {(each.layer, each.head): each for each in trace.output.maps if each.kind == "cross"}
    assert cross[1, 2].weights[3] == pytest.approx(row, abs=1e-6)
    assert cross[0, 1].weights[1, [2, 5]].sum() == pytest.approx(0.25, abs=1e-6)
    assert not cross[0, 0].weights.any()
    assert cross[0, 0].sinks == pytest.approx(1)
    assert not np.any(cross[0, 1].sinks)
    assert cross[1, 2].sinks is None
    assert trace.baseline
    assert trace.baseline.unused == (3,)
    assert len(trace.baseline.changes) == len(trace.output.steps)


def test_a_decoder_counts_its_prompt_and_cannot_look_ahead() -> None:
    tracer, given = reader("GPT-2")
    plain = tracer.trace(given, max_tokens=5)
    asked = len(plain.source) - 5
    edits = (Row(weights=(1.0,) * (asked + 1), queries=asked), Block(words="not", queries="all"))
    trace = tracer.trace(given, max_tokens=5, edits=edits)
    weights = trace.output.maps[0].weights
    assert weights[asked, 2] == 0
    assert weights[asked, :2] == pytest.approx(1 / asked)
    assert not weights[3:, 2].any()
    assert trace.baseline
    assert trace.baseline.source == plain.source
    with pytest.raises(InputError, match="another count of keys"):
        tracer.trace(given, max_tokens=5, edits=[Row(weights=(1.0, 1.0))])
    with pytest.raises(InputError, match="without a key"):
        tracer.trace(given, max_tokens=5, edits=[Block(keys=0)])


@pytest.mark.parametrize("name", ["BART", "GPT-2", "ViT-GPT2"])
def test_a_model_writes_on_from_a_step(name: str) -> None:
    tracer, given = reader(name)
    plain = tracer.trace(given, max_tokens=7)
    ids = [token.id for token in plain.output.target.tokens]
    edits = some_edits(plain)
    trace = tracer.trace(given, max_tokens=7, edits=edits, continue_from=3)
    assert [token.id for token in trace.output.target.tokens][:3] == ids[:3]
    assert len(trace.output.target) == 7
    (written,) = tracer.logits
    logs = written.log_softmax(-1)[:, [token.id for token in trace.output.target.tokens[3:]]]
    numbers = [step.log_probability for step in trace.output.steps[3:]]
    assert numbers == pytest.approx(logs.diagonal().tolist(), abs=CLOSE)
    target = "La maison blanche"
    given_first = tracer.trace(given, max_tokens=7, target=target, continue_from=2)
    assert given_first.output.text.lstrip().startswith("La maison")
    assert given_first.output.finish != "forced"
    with pytest.raises(InputError, match="The target has"):
        tracer.trace(given, target=target, continue_from=9)


@pytest.mark.parametrize("search", [Beam(3), Sample(seed=3)])
def test_beams_and_samples_are_written_under_edits(search: Any) -> None:
    tracer, given = reader("BART")
    plain = tracer.trace(given, search=search, max_tokens=6)
    trace = tracer.trace(given, search=search, max_tokens=6, edits=some_edits(plain))
    assert len(trace.runners_up) == len(plain.runners_up)
    assert trace.baseline
    assert trace.baseline.output.text == plain.output.text
    assert trace.output.log_probability != plain.output.log_probability
    for output in (trace.output, *trace.runners_up):
        weights = output.maps[0].weights
        assert not weights[1:5, 2:4].any()


def test_a_sound_is_listened_to_under_edits() -> None:
    tokenizer = small.words()
    tracer = tracer_of(small.whisper(len(tokenizer)), small.hearing(), tokenizer)
    sound = np.sin(np.arange(16_000) / 20)
    frames = len(tracer.trace(sound, target="Je sais").source)
    row = Row(kind="cross", weights=(1.0,) * frames, layers=0)
    trace = tracer.trace(sound, max_tokens=4, edits=[row, Only(kind="cross", keys=2, layers=1)])
    assert trace.output.maps[0].weights == pytest.approx(1 / frames)
    assert (trace.output.maps[-1].layer, trace.output.maps[-1].kind) == (1, "encoder-self")
    last = next(each for each in trace.output.maps if (each.kind, each.layer) == ("cross", 1))
    assert (last.weights[:, 2] == 1).all()


def test_what_cannot_be_edited_says_why() -> None:
    tokenizer = small.words()
    blip = tracer_of(small.blip(len(tokenizer)), tokenizer, small.pixels())
    with pytest.raises(InputError, match="returns its weights when it has attended") as caught:
        blip.trace(picture(), max_tokens=3, edits=[Uniform(kind="cross")])
    assert caught.value.code == "edits_not_supported"
    with pytest.raises(InputError, match="writes nothing"):
        tracer_of(small.bert(len(tokenizer)), tokenizer).trace(TEXT, edits=[Uniform()])
    with pytest.raises(InputError, match="has no word 'dog'"):
        reader("BART")[0].trace(TEXT, max_tokens=3, edits=[Block(words="dog")])


def test_a_window_hides_keys_that_edits_would_leave_alone() -> None:
    """A row that cannot see any key that is left is refused when the model runs."""
    tracer, given = reader("Gemma2")
    from heed.models.errors import RecordingError

    with pytest.raises(RecordingError, match="without a key that it can see"):
        tracer.trace(given, max_tokens=3, edits=[Block(keys=range(4, 8), queries=7)])
