"""Tracing a model of transformers in two passes.

The model writes as it likes, with any implementation of attention and any search. Then it reads
input and output once more, all at once, while the attention is recorded. Edits of the attention are
made in both passes, after a run without them.

Shapes: `Q` tokens of the output, `K` tokens of the input, `V` vocabulary, `D` width.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, overload

import numpy as np
import torch
from torch import Tensor, nn

from heed.models.card import SEE
from heed.models.edits.operations import Edit
from heed.models.errors import InputError, RecordingError
from heed.models.generation.edits import ResolvedEdits, first_difference
from heed.models.recording.edits import Editor, Sites, changes, resolved, sites_of
from heed.models.recording.maps import READING, WRITING, Axes, maps_of
from heed.models.recording.processors import InputProcessor, Prepared
from heed.models.recording.record import recording
from heed.models.recording.search import Search
from heed.models.recording.tape import Tape
from heed.models.runtime.vision import VisionResult, class_output, likeness
from heed.models.trace import (
    Alternative,
    Axis,
    AxisName,
    Baseline,
    Finish,
    Floats,
    GridAxis,
    MapKind,
    ModelStamp,
    Output,
    SearchRequest,
    Timing,
    TokenAxis,
    Trace,
    TraceError,
    TraceRequest,
    TraceStep,
    Vectors,
)

Family = Literal["encoder-decoder", "captioner", "decoder", "encoder"]
ALTERNATIVES = 5
MAX_TOKENS = 128
CLASSIFIER = "ForImageClassification"
"""The ending of the classes of models that classify pictures."""
PIXELS = ("pixel_values", "image_")
"""The beginnings of the names of inputs that belong to a picture."""
READ = {"pixel_values": "a picture", "input_features": "a sound", "input_values": "a sound"}
"""Names for the inputs of models that read no text."""
TASKS: Mapping[Family, str] = {
    "encoder-decoder": "translate",
    "captioner": "caption",
    "decoder": "continue",
    "encoder": "encode",
}


Resolves = Callable[[Sites], ResolvedEdits | None]
"""Resolves edits to the places of the maps; None if they change nothing."""


class Written(NamedTuple):
    """A hypothesis: its tokens, without the one that starts it."""

    ids: list[int]
    finish: Finish


class Writing(NamedTuple):
    """The output that is wanted, and the search for it."""

    target: str | None
    search: Search | None
    used: SearchRequest
    longest: int
    stopped: Callable[[], bool]
    given: Sequence[int] = ()  # the first tokens of the output, behind which it writes by itself


class Pass(NamedTuple):
    """The results of the forced pass of one hypothesis."""

    tape: Tape
    first: int  # the place of the token before the output
    logits: Tensor | None  # (Q, V), one row for each token of the output
    states: Floats | None  # (Q, D), from which they were computed
    memory: Floats | None  # (K, D)
    looked: VisionResult | None = None  # by a model that classifies a picture


class Recorded(NamedTuple):
    """The hypotheses that were written, and what was recorded of each."""

    hypotheses: Sequence[Written]
    passes: Sequence[Pass]
    read_seconds: float


class EditedRun(NamedTuple):
    """A run under edits, and the pass under them of what was written without them."""

    run: Recorded
    edits: ResolvedEdits
    forced: Pass


@dataclass(frozen=True)
class Tracer:
    """A model with what reads its inputs."""

    model: Any
    processor: InputProcessor
    stamp: ModelStamp

    @property
    def family(self) -> Family:
        """The way in which the model reads and writes."""
        model = self.model
        if not model.can_generate():
            return "encoder"
        if getattr(model.config, "is_encoder_decoder", False):
            return "encoder-decoder"
        return "captioner" if hasattr(model, "text_decoder") else "decoder"

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of a model that classifies pictures; none of other models."""
        if not type(self.model).__name__.endswith(CLASSIFIER):
            return ()
        names = self.model.config.id2label
        return tuple(str(names[place]) for place in range(len(names)))

    def trace(
        self,
        given: Any,
        *,
        target: str | None = None,
        search: Search | None = None,
        max_tokens: int = MAX_TOKENS,
        vectors: Vectors = "cross",
        stopped: Callable[[], bool] = lambda: False,
        edits: Sequence[Edit] | Resolves = (),
        continue_from: int | None = None,
    ) -> Trace:
        """Trace one input; with a target, the output is forced to be that.

        From step `continue_from` on the model writes by itself, behind the tokens of the target, or
        of the run without edits. Writing ends at the next token once `stopped` returns true.
        """
        with _memory_errors(self.stamp.id), evaluating(self.model), torch.no_grad():
            began = time.perf_counter()
            prepared = self.processor.prepare(given, self.model.config)
            self._check(prepared, target)
            prepared = prepared._replace(inputs=self._moved(prepared.inputs))
            writing = self._writing(prepared, target, search, max_tokens, stopped, continue_from)
            run = self._run(prepared, writing)
            edited = self._edited_run(prepared, writing, run, edits, continue_from)
            ended = time.perf_counter()
        used = writing.used
        shown = run if edited is None else edited.run
        source, outputs = self._outputs(prepared, shown, used, vectors)
        memory = shown.passes[0].memory
        try:
            return Trace(
                model=self.stamp,
                task=self._task(source, outputs[0]),
                request=TraceRequest(
                    prepared.text,
                    used,
                    target,
                    vectors=vectors,
                    edits=edited.edits.edits if edited else (),
                    continue_from=continue_from,
                ),
                source=source,
                output=outputs[0],
                runners_up=tuple(outputs[1:]),
                timing=Timing(1e3 * shown.read_seconds, 1e3 * (ended - began - shown.read_seconds)),
                memory=memory
                if isinstance(source, TokenAxis)
                and memory is not None
                and len(memory) == len(source)
                else None,
                picture=prepared.picture,
                positions=self._positions(source),
                baseline=edited and self._baseline(prepared, run, edited, used, vectors),
            )
        except TraceError as error:
            raise RecordingError(
                f"The attention of {self.stamp.id} does not fit: {error}."
            ) from None

    def _run(self, prepared: Prepared, writing: Writing, editor: Editor | None = None) -> Recorded:
        """Write, and read what was written once more."""
        hypotheses = self._written(prepared, writing, editor)
        began = time.perf_counter()
        passes = [self._forced(prepared, hypothesis.ids, editor) for hypothesis in hypotheses]
        return Recorded(hypotheses, passes, time.perf_counter() - began)

    # --- edits --------------------------------------------------------------------------------

    def sites(self, given: Any) -> Sites:
        """Run the model on an input for one token; return the places of its maps.

        Raises `InputError` if its attention cannot be edited.
        """
        self.check_writes()
        with evaluating(self.model), torch.no_grad():
            prepared = self.processor.prepare(given, self.model.config)
            prepared = prepared._replace(inputs=self._moved(prepared.inputs))
            return self._sites(self._forced(prepared, [self.start]).tape)

    def resolved(
        self, edits: Sequence[Edit], sites: Sites, source: Axis, longest: int
    ) -> ResolvedEdits | None:
        """Resolve edits of an input with this axis, and of so many tokens that may be written.

        Returns None if they change nothing; raises `InputError` for one that cannot be made.
        """
        return resolved(
            edits, self.stamp.id, sites, source, longest, continues=self.family == "decoder"
        )

    def check_writes(self) -> None:
        """Raise `InputError` for a model that only reads."""
        if self.family == "encoder":
            message = f"{self.stamp.id} writes nothing, so that no edit changes what it writes."
            raise InputError("edits_not_supported", message, "edits")

    def _sites(self, tape: Tape) -> Sites:
        axes, alone = self._axes
        return sites_of(tape, self.stamp.id, axes, alone)

    @property
    def _axes(self) -> tuple[Mapping[MapKind, Axes], MapKind | None]:
        """The axes of the maps by their kind, and the kind of all, if there is one alone."""
        if self.family in ("encoder-decoder", "captioner"):
            return WRITING, None
        # A prompt of one token would look as if it were read in both directions.
        return READING, "decoder-self" if self.family == "decoder" else None

    def _edited_run(
        self,
        prepared: Prepared,
        writing: Writing,
        before: Recorded,
        edits: Sequence[Edit] | Resolves,
        continue_from: int | None,
    ) -> EditedRun | None:
        """Write and read again under edits; None if they change nothing."""
        if not edits:
            return None
        self.check_writes()
        ids = before.hypotheses[0].ids
        sites = self._sites(before.passes[0].tape)
        if callable(edits):
            made = edits(sites)
        else:
            source = prepared.axis(_keys(before.passes[0].tape))
            made = self.resolved(edits, sites, source, max(writing.longest, len(ids)))
        if made is None:
            return None
        editor = Editor(self.stamp.id, sites, made.plan)
        if continue_from and writing.target is None:
            writing = writing._replace(given=ids[:continue_from])
        run = self._run(prepared, writing, editor)
        same = run.hypotheses[0].ids == ids
        forced = run.passes[0] if same else self._forced(prepared, ids, editor)
        return EditedRun(run, made, forced)

    def _baseline(
        self,
        prepared: Prepared,
        run: Recorded,
        edited: EditedRun,
        used: SearchRequest,
        vectors: Vectors,
    ) -> Baseline:
        """Make the run without edits, and what they changed."""
        source, outputs = self._outputs(prepared, run, used, vectors)
        ids, now = run.hypotheses[0].ids, edited.run.hypotheses[0].ids
        written = len(now) + (len(source) - len(ids) if self.family == "decoder" else 0)
        return Baseline(
            outputs[0],
            changes(ids, run.passes[0].logits, edited.forced.logits),
            None if ids == now else first_difference(ids, now),
            edited.edits.unused(written),
            source if self.family == "decoder" and isinstance(source, TokenAxis) else None,
        )

    def _task(self, source: Axis, output: Output) -> str:
        if self.classes:
            return SEE
        if isinstance(source, GridAxis) and output.text:
            return "caption"
        heard = isinstance(source, TokenAxis) and source.frame_seconds is not None
        return "transcribe" if heard and output.text else TASKS[self.family]

    def _positions(self, source: Axis) -> Floats | None:
        """Return the cosines of positional embeddings, of a classifier that has one for each token.

        Other models add none, or none of their own to each token.
        """
        embeddings = getattr(self.model.base_model, "embeddings", None)
        module = getattr(embeddings, "position_embeddings", None)
        if not self.classes or not isinstance(module, Tensor) or module.shape[-2] != len(source):
            return None
        return likeness(_array(module))

    def cells(self, prepared: Prepared) -> int:
        """Count the keys of a picture, with the marks before its patches."""
        if self.family == "encoder-decoder":
            reads = self.model.get_encoder()
        else:
            reads = getattr(self.model, "vision_model", self.model.base_model)
        with torch.no_grad():
            pixels = self._moved(prepared.inputs)["pixel_values"]
            embedded = reads.embeddings(pixels)
        states: Tensor = embedded if isinstance(embedded, Tensor) else embedded[0]
        return states.shape[1]

    def _check(self, prepared: Prepared, target: str | None) -> None:
        """Raise `RecordingError` for an input that the model cannot take."""
        if self.family != "encoder" and self.processor.tokenizer is None:
            message = f"{self.stamp.id} writes text, which needs its tokenizer"
            raise RecordingError(f"{message}: give it behind the model, or save it beside it.")
        if target is not None and self.family == "encoder":
            message = f"{self.stamp.id} writes nothing, so that no target can be forced"
            raise RecordingError(f"{message}: leave `target` out.")
        main = self.model.main_input_name
        if main in READ and main not in prepared.inputs:
            other = "a text" if prepared.text else "another input"
            message = f"{self.stamp.id} reads {READ[main]} and was given {other}"
            raise RecordingError(f"{message}: give {READ[main]}, or the path of its file.")
        if target is not None and not target.strip():
            raise RecordingError("The target is empty: give the output that the model is to write.")
        config = self.model.config.get_text_config()
        most = getattr(config, "max_position_embeddings", None)
        count = prepared.inputs["input_ids"].shape[1] if "input_ids" in prepared.inputs else 0
        if isinstance(most, int) and count > most:
            message = f"The text has {count} tokens; {self.stamp.id} takes at most {most}"
            raise RecordingError(f"{message}: shorten it.")
        room = self._room(prepared)
        if target is not None and room is not None:
            length = len(self.target_ids(target))
            if length > room:
                message = f"The target has {length} tokens; {self.stamp.id} has room for {room}"
                raise RecordingError(f"{message}: shorten it.")
        if room is not None and room < 1 and self.family != "encoder":
            message = f"The text has {count} tokens, and {self.stamp.id} takes at most {most}"
            raise RecordingError(f"{message}, its answer included: shorten it.")

    def _room(self, prepared: Prepared) -> int | None:
        """Return how many tokens the model can write; None if its positions have no end."""
        config = self.model.config.get_text_config(decoder=True)
        names = ("max_target_positions", "max_position_embeddings")
        most = next(
            (n for name in names if isinstance(n := getattr(config, name, None), int)), None
        )
        if most is None or self.family == "encoder":
            return None
        if self.family == "decoder" and "input_ids" in prepared.inputs:
            return most - int(prepared.inputs["input_ids"].shape[1])
        return most

    def _moved(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Move tensors to the device of the model, real numbers to its precision."""
        device, dtype = self.model.device, self.model.dtype
        return {
            name: value.to(device, dtype if value.is_floating_point() else value.dtype)
            for name, value in inputs.items()
            if isinstance(value, Tensor)
        }

    # --- the first pass: writing --------------------------------------------------------------

    def _writing(
        self,
        prepared: Prepared,
        target: str | None,
        search: Search | None,
        max_tokens: int,
        stopped: Callable[[], bool],
        continue_from: int | None,
    ) -> Writing:
        """Plan the output; the model may not know by itself where its positions end."""
        used, room = _search_of(self.model, search), self._room(prepared)
        longest = max_tokens if room is None else min(max_tokens, room)
        if target is None or continue_from is None:
            return Writing(target, search, used, longest, stopped)
        given = self.beginning(target, continue_from)
        return Writing(None, search, used, longest, stopped, given)

    def beginning(self, target: str, steps: int) -> list[int]:
        """Return the first tokens of a target, or raise `InputError` if it has no more of them."""
        ids = self.target_ids(target)
        if steps >= len(ids):
            message = f"The target has {len(ids)} tokens, no more than {steps}."
            raise InputError("out_of_range", message, "continue_from")
        return ids[:steps]

    def _written(
        self, prepared: Prepared, writing: Writing, editor: Editor | None
    ) -> list[Written]:
        """Return the hypotheses, the best first; one without tokens for a model that only reads."""
        if self.family == "encoder":
            return [Written([], "end")]
        if writing.target is not None:
            return [Written(self.target_ids(writing.target), "forced")]
        given = list(writing.given)
        if given and given[-1] in self._ends:  # nothing is left to write
            return [self._cut(given)]
        options = dict(writing.search.options) if writing.search else {}
        if writing.search is None and writing.used.kind == "beam":
            options["num_return_sequences"] = writing.used.beam
        options["stopping_criteria"] = [_Stop(writing.stopped)]
        if self._pad is not None:
            options["pad_token_id"] = self._pad
        inputs = self._begun(prepared.inputs, given)
        longest = max(writing.longest - len(given), 1)
        hooked = recording(self.model, editor) if editor else nullcontext()
        with _seeded(writing.used), hooked:
            if editor:
                options |= self._whole_cache()
            sequences = self._generate(inputs, max_new_tokens=longest, **options)
        skipped = 1 if self.family != "decoder" else prepared.inputs["input_ids"].shape[1]
        return [self._cut(row[skipped:]) for row in sequences.tolist()]

    def _begun(self, inputs: Mapping[str, Any], given: Sequence[int]) -> Mapping[str, Any]:
        """Return inputs of which the output has these tokens already."""
        if not given:
            return inputs
        device = self.model.device
        if self.family == "decoder":
            ids = inputs["input_ids"]
            more = torch.tensor([list(given)], dtype=ids.dtype, device=device)
            begun = {"input_ids": torch.cat([ids, more], dim=1)}
            if (mask := inputs.get("attention_mask")) is not None:
                ones = torch.ones_like(more, dtype=mask.dtype)
                begun["attention_mask"] = torch.cat([mask, ones], dim=1)
            return {**inputs, **begun}
        name = "input_ids" if self.family == "captioner" else "decoder_input_ids"
        return {**inputs, name: torch.tensor([[self.start, *given]], device=device)}

    def _whole_cache(self) -> dict[str, Any]:
        """Return an option of `generate`: a cache that forgets no token behind a window.

        The place of a query is the number of keys before it.
        """
        config = self.model.config.get_text_config(decoder=True)
        if self.family != "decoder" or not getattr(config, "sliding_window", None):
            return {}
        from transformers import DynamicCache

        return {"past_key_values": DynamicCache()}

    def _generate(self, inputs: Mapping[str, Any], **options: Any) -> Tensor:
        """Generate sequences, each with the token that starts it, or with its prompt."""
        if self.family == "captioner":
            options.pop("pad_token_id", None)
        if hasattr(self.model, "_postprocess_outputs") and "input_features" in inputs:
            # Whisper's own `generate` returns text without its marks; this call keeps them.
            from transformers import GenerationMixin

            generated = GenerationMixin.generate(self.model, **inputs, **options)
        else:
            generated = self.model.generate(**inputs, **options)
        sequences: Tensor = generated if isinstance(generated, Tensor) else generated.sequences
        return sequences

    def _cut(self, ids: list[int]) -> Written:
        """Cut a hypothesis behind its end mark, and its padding off."""
        for place, id in enumerate(ids):
            if id in self._ends:
                return Written(ids[: place + 1], "end")
        while ids and ids[-1] == self._pad:
            ids = ids[:-1]
        return Written(ids, "length")

    def target_ids(self, target: str) -> list[int]:
        """Return the tokens of a forced output, as the model would write them."""
        if self.family == "decoder":
            return self.processor.plain_ids(target)
        ids = self.processor.target_ids(target)
        tokenizer = self.processor.tokenizer
        starts = {self.start}
        if self.family == "captioner":
            starts |= {tokenizer.cls_token_id, tokenizer.bos_token_id}
        if ids and ids[0] in starts:
            ids = ids[1:]
        return ids if ids and ids[-1] in self._ends else [*ids, *sorted(self._ends)[:1]]

    @property
    def _ends(self) -> set[int]:
        """The tokens that end an output."""
        if self.family == "captioner":
            return {self.model.config.text_config.sep_token_id}
        end = self.model.generation_config.eos_token_id
        return set() if end is None else {end} if isinstance(end, int) else set(end)

    @property
    def _pad(self) -> int | None:
        """The token behind a hypothesis that has ended before others."""
        if self.family == "captioner":
            pad = self.model.config.text_config.pad_token_id
        else:
            pad = self.model.generation_config.pad_token_id
        return min(self._ends, default=None) if pad is None else pad

    @property
    def start(self) -> int:
        """The token before an output."""
        if self.family == "captioner":
            start = self.model.config.text_config.bos_token_id
        else:
            settings = self.model.generation_config
            start = settings.decoder_start_token_id
            start = settings.bos_token_id if start is None else start
        return 0 if start is None else int(start)

    # --- the second pass: recording -----------------------------------------------------------

    def _forced(self, prepared: Prepared, ids: Sequence[int], editor: Editor | None = None) -> Pass:
        """Read input and output at once, and record."""
        inputs = dict(prepared.inputs)
        family = self.family
        if family in ("encoder-decoder", "captioner"):
            name = "decoder_input_ids" if family == "encoder-decoder" else "input_ids"
            begins = [self.start, *ids[:-1]]
            inputs[name] = torch.tensor([begins], device=self.model.device)
        elif family == "decoder":
            prompt = inputs["input_ids"]
            answer = torch.tensor([list(ids)], dtype=prompt.dtype, device=prompt.device)
            seen = {name: inputs[name] for name in inputs if name.startswith(PIXELS)}
            inputs = {"input_ids": torch.cat([prompt, answer], dim=1), **seen}
        if family in ("encoder-decoder", "decoder"):
            inputs["use_cache"] = False
        with self._states() as states, recording(self.model, editor) as tape:
            outputs = self.model(**inputs, output_attentions=True, output_hidden_states=True)
        if family == "decoder" and prepared.picture is not None:
            # What reads the picture has axes of its own.
            tape.calls[:] = tape.layers().get("decoder-self", [])
        if not tape.calls:
            raise RecordingError(no_attention(self.model))
        if editor is not None:
            editor.add_sinks(tape)
        return self._pass(tape, outputs, states, prepared, len(ids))

    def _pass(
        self, tape: Tape, outputs: Any, states: list[Tensor], prepared: Prepared, count: int
    ) -> Pass:
        family = self.family
        if family == "encoder":
            looked = _looked(tape, outputs) if self.classes else None
            return Pass(tape, 0, None, None, _array(_first(outputs, "last_hidden_state")), looked)
        first = 0
        if family == "decoder":
            first = prepared.inputs["input_ids"].shape[1] - 1
        logits = outputs.logits[0, first : first + count].float()
        hidden = _array(states[-1])
        memory = _first(outputs, "encoder_last_hidden_state", "image_embeds")
        return Pass(
            tape,
            first,
            logits,
            None if hidden is None else hidden[first : first + count],
            _array(memory),
        )

    @contextmanager
    def _states(self) -> Iterator[list[Tensor]]:
        """Keep what enters the last projection, onto the vocabulary."""
        states: list[Tensor] = []
        owner = self.model.text_decoder if self.family == "captioner" else self.model
        head = owner.get_output_embeddings() if self.family != "encoder" else None
        if head is None:
            yield states
            return
        handle = head.register_forward_pre_hook(lambda _, args: states.append(args[0]))
        try:
            yield states
        finally:
            handle.remove()

    # --- the trace ----------------------------------------------------------------------------

    def _outputs(
        self,
        prepared: Prepared,
        run: Recorded,
        used: SearchRequest,
        vectors: Vectors,
    ) -> tuple[Axis, list[Output]]:
        """Make the axis of the input and an output for each hypothesis."""
        source = prepared.axis(_keys(run.passes[0].tape))
        outputs = []
        for written, forward in zip(run.hypotheses, run.passes, strict=True):
            axis, target = source, TokenAxis("", (), (), "mean")
            if self.family == "decoder" and isinstance(source, TokenAxis):
                axis, target = self.processor.continued_axis(source, written.ids)
            elif self.family != "encoder":
                target = self.processor.written_axis(written.ids)
            outputs.append((axis, self._output(axis, target, written, forward, used, vectors)))
        # The hypotheses of one axis differ in it: a trace has the axis of the best alone.
        if self.family == "decoder":
            outputs = outputs[:1]
        return outputs[0][0], [output for _, output in outputs]

    def _output(
        self,
        source: Axis,
        target: TokenAxis,
        written: Written,
        forward: Pass,
        used: SearchRequest,
        vectors: Vectors,
    ) -> Output:
        axes, alone = self._axes
        lengths: dict[AxisName, int] = {
            "source": len(source),
            "target": len(target),
            "decoder_input": len(target),
        }
        heard = isinstance(source, TokenAxis) and source.frame_seconds is not None
        maps = maps_of(forward.tape, axes, lengths, vectors=vectors, alone=alone, cut=heard)
        if forward.looked is not None:
            return class_output(forward.looked, self.classes, maps)
        steps = self._steps(written.ids, forward)
        total = float(sum(step.log_probability for step in steps))
        length = max(len(steps), 1) ** used.length_penalty
        return Output(target, tuple(maps), tuple(steps), total, total / length, written.finish)

    def _steps(self, ids: Sequence[int], forward: Pass) -> list[TraceStep]:
        """Make the numbers of each token."""
        if forward.logits is None or not ids:
            return []
        logs = forward.logits.log_softmax(-1)
        best = logs.topk(min(ALTERNATIVES, logs.shape[-1]))
        texts = iter(self.processor.texts_of(best.indices.flatten().tolist()))
        query, context = _attended(forward.tape, forward.first, len(ids))
        states = _array(forward.logits) if forward.states is None else forward.states
        return [
            TraceStep(
                float(logs[place, id]),
                tuple(
                    Alternative(other, next(texts), float(log.exp()))
                    for other, log in zip(
                        best.indices[place].tolist(), best.values[place], strict=True
                    )
                ),
                states[place] if query is None else query[place],
                states[place] if context is None else context[place],
                states[place],
            )
            for place, id in enumerate(ids)
        ]


class _Stop:
    """A criterion of transformers, called after each token: the rows (B,) that end there."""

    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped

    def __call__(self, ids: Tensor, scores: Any, **options: Any) -> Tensor:
        del scores, options
        return torch.full((len(ids),), self._stopped(), dtype=torch.bool, device=ids.device)


@contextmanager
def _memory_errors(name: str) -> Iterator[None]:
    """Raise `RecordingError` where memory ends, which PyTorch reports in several ways."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        ended = isinstance(error, MemoryError | torch.OutOfMemoryError)
        if not ended and "allocate memory" not in str(error):
            raise
        message = f"There is too little memory for {name} and this input"
        raise RecordingError(f"{message}: give fewer tokens, or choose a smaller model.") from error


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Put a model into evaluation mode, and every module of it back afterwards."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training


@contextmanager
def _seeded(search: SearchRequest) -> Iterator[None]:
    """Draw with the seed of a search; the generator of the process is as before afterwards."""
    if search.kind != "sample":
        yield
        return
    with torch.random.fork_rng():
        torch.manual_seed(search.seed)
        yield


def _search_of(model: Any, search: Search | None) -> SearchRequest:
    """Return the search, by default the one of the model's own settings."""
    if search is not None:
        return search.request
    if not model.can_generate():
        return SearchRequest()
    settings = model.generation_config
    if settings.do_sample:
        return SearchRequest("sample", temperature=float(settings.temperature or 1.0))
    width = settings.num_beams or 1
    penalty = float(settings.length_penalty if settings.length_penalty is not None else 1.0)
    return SearchRequest("beam", width, length_penalty=penalty) if width > 1 else SearchRequest()


def _keys(tape: Tape) -> int:
    """Return the number of tokens of the input: the keys of cross-attention, if there is any."""
    layers = tape.layers()
    calls = layers.get("cross") or layers.get("encoder-self") or tape.calls
    return calls[0].weights.shape[-1]


def _attended(tape: Tape, first: int, count: int) -> tuple[Floats | None, Floats | None]:
    """Return what entered and left the last layer of attention, (Q, D) each."""
    layers = tape.layers()
    call = (layers.get("cross") or tape.calls)[-1]
    values = (_array(call.entered), _array(call.left))
    query, context = (
        None if vectors is None else vectors[first : first + count] for vectors in values
    )
    return query, context


def _looked(tape: Tape, outputs: Any) -> VisionResult:
    """Return what a classifier computed: its attention, the first token, and its classes."""
    scores, weights = (
        np.stack([getattr(call, name)[0].float().cpu().numpy() for call in tape.calls])
        for name in ("scores", "weights")
    )
    before, after = (_array(hidden_state)[0] for hidden_state in outputs.hidden_states[-2:])
    context = _array(tape.calls[-1].left)
    return VisionResult(
        scores,
        weights,
        before,
        after if context is None else context[0],
        after,
        outputs.logits[0].float().log_softmax(-1).cpu().numpy(),
    )


def _first(outputs: Any, *names: str) -> Tensor | None:
    """Return the first of these fields that an output has."""
    for name in names:
        if isinstance(tensor := getattr(outputs, name, None), Tensor):
            return tensor
    return None


@overload
def _array(tensor: Tensor) -> Floats: ...
@overload
def _array(tensor: Tensor | None) -> Floats | None: ...
def _array(tensor: Tensor | None) -> Floats | None:
    """Return the first row of a batch as an array, or a matrix as it is."""
    if tensor is None:
        return None
    row = tensor[0] if tensor.dim() == 3 else tensor
    array: Floats = row.detach().to("cpu", torch.float32).numpy()
    return array


def no_attention(model: Any) -> str:
    """Explain that nothing was recorded."""
    name = type(model).__name__
    kind = getattr(getattr(model, "config", None), "model_type", "")
    if "mamba" in kind or "rwkv" in kind:
        return f"{name} has no attention, so that there is nothing to show: choose a Transformer."
    return (
        f"No attention was seen while {name} ran. Heed records models that use the attention "
        "interface of transformers, `scaled_dot_product_attention`, `nn.MultiheadAttention`, or "
        "modules that return their weights; load it with attn_implementation='eager'."
    )
