"""Tracing models of transformers: two passes, axes, searches and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from heed.models.errors import RecordingError
from heed.models.recording.load import load_tracer, tracer_of
from heed.models.recording.search import Beam, Greedy, Sample
from heed.models.recording.tracer import Tracer
from heed.models.trace import GridAxis, TokenAxis, Trace
from tests.models.recording import small

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

SENTENCE = "I do not know where she lives ."


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return small.words()


@pytest.fixture(scope="module")
def bart(tokenizer: Any) -> Any:
    return small.bart(len(tokenizer))


@pytest.fixture(scope="module")
def tracer(bart: Any, tokenizer: Any) -> Tracer:
    return tracer_of(bart, tokenizer)


def eager(model: Any) -> None:
    for each in model.modules():
        if hasattr(getattr(each, "config", None), "_attn_implementation_internal"):
            each.config._attn_implementation_internal = "eager"


def test_a_trace_has_the_maps_of_both_sides_over_the_words_of_the_text(tracer: Tracer) -> None:
    trace = tracer.trace(SENTENCE, max_tokens=6)
    assert [token.text for token in trace.source.tokens] == [*SENTENCE.split(), "</s>"]
    assert [
        trace.source.text[t.start : t.end] for t in trace.source.tokens[:-1]
    ] == SENTENCE.split()
    assert trace.source.tokens[-1].special
    assert len(trace.output.target) == len(trace.output.steps) == 6
    kinds = [(each.kind, each.layer, each.head) for each in trace.output.maps]
    assert kinds == [
        (kind, layer, head)
        for kind in ("cross", "decoder-self", "encoder-self")
        for layer in range(2)
        for head in range(4)
    ]
    cross = trace.output.maps[0]
    assert cross.weights.shape == (6, 9)
    assert cross.vectors is not None
    products = cross.vectors.queries @ cross.vectors.keys.T / 2
    np.testing.assert_allclose(products, cross.scores, atol=1e-5)


@pytest.mark.parametrize("width", [3, 1])
def test_beams_have_the_attention_that_they_were_written_with(
    bart: Any, tokenizer: Any, tracer: Tracer, width: int
) -> None:
    trace = tracer.trace(SENTENCE, search=Beam(width), max_tokens=7)
    outputs = [trace.output, *trace.runners_up]
    assert len(outputs) == width
    eager(bart)
    encoded = tokenizer(SENTENCE, return_tensors="pt")
    with torch.no_grad():
        found = bart.generate(
            **encoded,
            num_beams=width,
            num_return_sequences=width,
            do_sample=False,
            max_new_tokens=7,
            output_attentions=True,
            output_scores=True,
            return_dict_in_generate=True,
        )
    for number, output in enumerate(outputs):
        ids = [token.id for token in output.target.tokens]
        assert found.sequences[number, 1 : len(ids) + 1].tolist() == ids
        for step in range(len(ids)):
            row = int(found.beam_indices[number, step]) if width > 1 else 0
            for layer in range(2):
                written = found.cross_attentions[step][layer][row, :, -1].numpy()
                forced = [
                    each.weights[step]
                    for each in output.maps
                    if each.kind == "cross" and each.layer == layer
                ]
                np.testing.assert_allclose(forced, written, atol=1e-5)
    if width > 1:
        assert outputs[0].score == pytest.approx(float(found.sequences_scores[0]), abs=1e-4)


def test_the_settings_of_a_model_choose_its_search(bart: Any, tracer: Tracer) -> None:
    bart.generation_config.num_beams = 2
    try:
        trace = tracer.trace(SENTENCE, max_tokens=4)
    finally:
        bart.generation_config.num_beams = 1
    assert (trace.request.search.kind, trace.request.search.beam) == ("beam", 2)
    assert len(trace.runners_up) == 1


def test_the_same_seed_samples_the_same_tokens(tracer: Tracer) -> None:
    before = torch.get_rng_state()
    texts = [tracer.trace(SENTENCE, search=Sample(seed), max_tokens=8).text for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    assert torch.equal(torch.get_rng_state(), before)


def test_a_forced_target_has_its_probabilities(bart: Any, tokenizer: Any, tracer: Tracer) -> None:
    target = "La maison blanche"
    trace = tracer.trace(SENTENCE, target=target)
    assert trace.text == target
    assert trace.output.finish == "forced"
    ids = [token.id for token in trace.output.target.tokens]
    assert ids == tokenizer(target)["input_ids"]
    with torch.no_grad():
        logits = bart(
            **tokenizer(SENTENCE, return_tensors="pt"),
            decoder_input_ids=torch.tensor([[2, *ids[:-1]]]),
        ).logits[0]
    expected = logits.log_softmax(-1)[range(len(ids)), ids]
    np.testing.assert_allclose(
        [step.log_probability for step in trace.output.steps], expected.numpy(), atol=1e-5
    )


def test_a_decoder_has_one_axis_with_its_prompt_and_its_answer() -> None:
    tokenizer = small.words(ended=False)
    trace = tracer_of(small.gpt2(len(tokenizer)), tokenizer).trace(
        "The white house", search=Greedy(), max_tokens=5
    )
    assert isinstance(trace.source, TokenAxis)
    assert trace.source.written == 3
    written = len(trace.output.target)
    assert len(trace.source) == 3 + written
    assert trace.source.text.startswith("The white house")
    assert {each.kind for each in trace.output.maps} == {"decoder-self"}
    assert trace.output.maps[0].weights.shape == (3 + written,) * 2


def test_an_encoder_has_no_output() -> None:
    tokenizer = small.words()
    trace = tracer_of(small.bert(len(tokenizer)), tokenizer).trace(SENTENCE)
    assert trace.text == ""
    assert len(trace.output.target) == 0
    assert {each.kind for each in trace.output.maps} == {"encoder-self"}
    assert trace.memory is not None
    assert trace.memory.shape == (9, 16)


def test_a_captioner_looks_at_patches_behind_a_class_token() -> None:
    tokenizer = small.words(ended=False)
    tracer = tracer_of(small.captioner(len(tokenizer)), tokenizer, small.pixels())
    trace = tracer.trace(Image.new("RGB", (60, 30), "orange"), max_tokens=4)
    assert trace.task == "caption"
    assert isinstance(trace.source, GridAxis)
    assert (trace.source.rows, trace.source.columns) == (3, 3)
    assert trace.source.marks == ("[CLS]",)
    assert (trace.source.width, trace.source.height) == (60.0, 30.0)
    assert trace.output.maps[0].weights.shape[1] == 10


@pytest.fixture(scope="module")
def heard() -> Trace:
    """Return the trace of a third of a second."""
    tokenizer = small.words(ended=False)
    tracer = tracer_of(small.whisper(len(tokenizer)), tokenizer, small.hearing())
    return tracer.trace(np.sin(np.arange(5_400, dtype=np.float32) / 9), max_tokens=5)


def test_the_axis_of_a_sound_is_in_seconds(heard: Trace) -> None:
    assert isinstance(heard.source, TokenAxis)
    assert heard.source.frame_seconds == pytest.approx(0.02)
    assert len(heard.source) == 17  # 0.3375 s; the model pads it to 50 frames
    assert heard.source.tokens[16].text == "0.32–0.34 s"
    assert heard.task == "transcribe"


def test_the_weight_on_the_padding_of_a_sound_is_that_of_a_sink(heard: Trace) -> None:
    for each in heard.output.maps:
        if each.key != "source":
            assert each.sinks is None
            continue
        assert each.weights.shape[1] == 17
        assert each.sinks is not None
        np.testing.assert_allclose(each.weights.sum(-1) + each.sinks, 1, atol=1e-5)
        assert each.sinks.max() > 0.1  # of 50 frames, 33 are padding
    assert {each.kind for each in heard.output.maps} == {"cross", "decoder-self", "encoder-self"}


@pytest.fixture(scope="module")
def seeing() -> tuple[Tracer, Any]:
    tokenizer = small.words(ended=False)
    processor = small.seeing(tokenizer)
    image = tokenizer.convert_tokens_to_ids("<image>")
    return tracer_of(small.llava(len(tokenizer), image), processor), processor


PROMPT = "The white <image> house"


def test_the_patches_of_a_picture_within_a_text_are_a_grid(seeing: tuple[Tracer, Any]) -> None:
    tracer, _ = seeing
    photo = Image.new("RGB", (60, 30), "orange")
    trace = tracer.trace((photo, PROMPT), max_tokens=4)
    source = trace.source
    assert isinstance(source, TokenAxis)
    assert source.patches is not None
    assert source.patches == (2, GridAxis(3, 3, 15.0, 0.0, 30.0, 30.0))  # the middle of the photo
    assert source.written == 12
    assert source.text.startswith("The white  house")
    words = [word.text for word in source.words]
    assert words[:4] == ["The", "white", "<image>", "house"]
    assert [token.word for token in source.tokens[:12]] == [0, 1, *[2] * 9, 3]
    assert source.tokens[2].text == "patch 1,1"
    assert source.tokens[10].text == "patch 3,3"
    assert trace.task == "continue"
    assert trace.picture is not None
    assert {(each.kind, each.weights.shape) for each in trace.output.maps} == {
        ("decoder-self", (len(source), len(source)))
    }


def test_a_trace_with_a_picture_has_the_attention_of_eager(seeing: tuple[Tracer, Any]) -> None:
    tracer, processor = seeing
    photo = Image.linear_gradient("L").convert("RGB")
    trace = tracer.trace((photo, PROMPT), max_tokens=4)
    tokens = torch.tensor([[token.id for token in trace.source.tokens]])  # type: ignore[union-attr]
    eager(tracer.model)
    encoded = processor(images=photo, text=PROMPT, return_tensors="pt")
    with torch.no_grad():
        found = tracer.model(
            input_ids=tokens, pixel_values=encoded["pixel_values"], output_attentions=True
        )
    for each in trace.output.maps:
        expected = found.attentions[each.layer][0, each.head].numpy()
        np.testing.assert_allclose(each.weights, expected, atol=1e-6)


def test_a_picture_within_a_text_needs_its_processor(tokenizer: Any) -> None:
    tracer = tracer_of(small.gpt2(len(tokenizer)), tokenizer)
    with pytest.raises(RecordingError, match="reads a picture and a text together"):
        tracer.trace((Image.new("RGB", (9, 9)), "The white house"))


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
def test_a_slow_tokenizer_has_its_places_from_its_pieces(tmp_path: Path) -> None:
    tracer = load_tracer(small.marian(tmp_path))
    assert not tracer.processor.tokenizer.is_fast
    text = "I do not know  where she lives."
    trace = tracer.trace(text, max_tokens=4)
    tokens = [token for token in trace.source.tokens if not token.special]
    assert len(tokens) > len(text.split())  # words are made of several pieces
    pieces = [text[token.start : token.end] for token in tokens]
    assert "".join(pieces) == text.replace(" ", "")
    assert trace.source.tokens[-1].text == "</s>"


def test_a_tracer_leaves_its_model_as_it_was(bart: Any, tracer: Tracer) -> None:
    bart.train()
    own = bart.config._attn_implementation
    dropout = [module.training for module in bart.modules()]
    tracer.trace(SENTENCE, max_tokens=3)
    assert [module.training for module in bart.modules()] == dropout
    assert bart.config._attn_implementation == own
    assert not any("forward" in module.__dict__ for module in bart.modules())
    bart.eval()


# --- errors that help ---------------------------------------------------------------------------


def test_a_model_without_attention_is_refused() -> None:
    from transformers import MambaConfig, MambaForCausalLM

    tokenizer = small.words(ended=False)
    config = MambaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, state_size=4, **small.IDS
    )
    with pytest.raises(RecordingError, match=r"no attention.*choose a Transformer"):
        tracer_of(MambaForCausalLM(config).eval(), tokenizer).trace("The white house", max_tokens=2)


def test_attention_that_no_hook_reaches_is_refused_with_advice(tokenizer: Any) -> None:
    from transformers.models.bert.modeling_bert import BertSelfAttention

    class Own(torch.nn.Module):
        def forward(self, states: torch.Tensor, *args: Any, **options: Any) -> Any:
            scores = torch.einsum("bqd,bkd->bqk", states, states).exp()
            return torch.einsum("bqk,bkd->bqd", scores / scores.sum(-1, True), states), None

    model = small.bert(len(tokenizer))
    for layer in model.encoder.layer:
        assert isinstance(layer.attention.self, BertSelfAttention)
        layer.attention.self = Own()
    with pytest.raises(RecordingError, match=r"No attention was seen.*attn_implementation='eager'"):
        tracer_of(model, tokenizer).trace(SENTENCE)


def test_a_missing_tokenizer_is_named(bart: Any) -> None:
    with pytest.raises(RecordingError, match="needs a tokenizer"):
        tracer_of(bart).trace(SENTENCE)


def test_a_text_that_is_too_long_is_refused_before_the_model_runs(tracer: Tracer) -> None:
    with pytest.raises(RecordingError, match=r"81 tokens; .* takes at most 64: shorten it"):
        tracer.trace("boat " * 80)


def test_a_target_that_is_too_long_is_refused_before_the_model_runs(tracer: Tracer) -> None:
    with pytest.raises(RecordingError, match=r"81 tokens; .* has room for 64: shorten it"):
        tracer.trace(SENTENCE, target="boat " * 80)


def test_an_output_ends_where_the_positions_of_its_model_do(bart: Any, tokenizer: Any) -> None:
    seq2seq = tracer_of(bart, tokenizer).trace(SENTENCE)
    assert len(seq2seq.output.target) <= 64
    words = small.words(ended=False)
    decoder = tracer_of(small.gpt2(len(words)), words)
    assert len(decoder.trace("I do").source) <= 64
    with pytest.raises(RecordingError, match=r"takes at most 64, its answer included: shorten it"):
        decoder.trace("boat " * 64)
    captioner = tracer_of(small.captioner(len(words)), words, small.pixels())
    assert len(captioner.trace(Image.new("RGB", (60, 30), "orange")).output.target) <= 64


def test_a_model_that_reads_pictures_reads_no_text() -> None:
    tokenizer = small.words(ended=False)
    captioner = tracer_of(small.captioner(len(tokenizer)), tokenizer, small.pixels())
    with pytest.raises(RecordingError, match=r"reads a picture and was given a text: give"):
        captioner.trace("I do not know .")


def test_several_texts_are_no_input(tracer: Tracer) -> None:
    with pytest.raises(RecordingError, match="An input of type list cannot be read"):
        tracer.trace([SENTENCE, SENTENCE])


@pytest.mark.parametrize(
    ("target", "sentence"), [("", "The target is empty"), ("   ", "The target is empty")]
)
def test_an_empty_target_is_refused(tracer: Tracer, target: str, sentence: str) -> None:
    with pytest.raises(RecordingError, match=sentence):
        tracer.trace(SENTENCE, target=target)


def test_too_little_memory_is_said_in_a_sentence(bart: Any, tracer: Tracer) -> None:
    def allocate(*_: object) -> None:
        torch.empty(1 << 50)

    handle = bart.model.decoder.register_forward_pre_hook(allocate)
    try:
        with pytest.raises(RecordingError, match=r"too little memory.*fewer tokens"):
            tracer.trace(SENTENCE, max_tokens=3)
    finally:
        handle.remove()


def test_another_object_is_no_model() -> None:
    with pytest.raises(RecordingError, match=r"with heed\.record"):
        tracer_of(torch.nn.Linear(2, 2))
