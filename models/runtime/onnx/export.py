"""Export of PyTorch modules to the graphs that ONNX Runtime runs.

A graph holds no weights of its own. Each of its parameters points into the model's safetensors
file (name, offset and length) and is widened from 16 to 32 bits when the graph is loaded, so that
there is one set of weights for both runtimes. The names of inputs and outputs are stored in the
graphs (`GraphSignature`): running them needs neither PyTorch nor the modules.

The weights of each group of heads are an input, too, for rows that are edited. It is NaN where the
softmax of the scores is used.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import onnx
import torch
from onnx import ModelProto, NodeProto, TensorProto, helper
from torch import Tensor, nn

from heed.models import checkpoint
from heed.models.config import NetworkConfig, PictureConfig, read_step_network
from heed.models.errors import CheckpointError
from heed.models.networks.attention import StepEdit, softmax
from heed.models.networks.mobilenet import CELLS
from heed.models.registry import StepNetwork
from heed.models.runtime.onnx.graph_signature import (
    BORROWED,
    ENCODE,
    GIVEN,
    GUMBEL,
    IMAGE_ENCODER,
    LAYOUT,
    METADATA,
    NEXT,
    OWN,
    STEP,
    WRITTEN,
    GraphSignature,
)
from heed.models.runtime.onnx.states import STATES, States
from heed.models.runtime.onnx.supported import runs
from heed.models.runtime.torch import likely, ranked

OPSET = 18
ROWS, LONG, SIDE = 2, 5, 224  # of the examples that are traced
BEGUN = ("cell", "feed", "steps", GUMBEL)  # parts of a state that do not depend on the source
VARYING = {  # dimensions, by the beginning of a name; the first one is always the rows
    "source": {1: "tokens"},
    "pictures": {},
    "memory": {1: "tokens"},
    "read_": {2: "tokens", 3: "tokens"},
    "mask": {1: "tokens"},
    "question_mask": {1: "words"},
    "question_": {2: "words"},
    "keys": {2: "tokens"},
    "values": {2: "tokens"},
    "cross_": {2: "tokens"},
    OWN: {2: "tokens"},
    WRITTEN: {2: "written"},
    NEXT + WRITTEN: {2: "written_next"},
}


def export_model(folder: Path) -> list[Path]:
    """Write the graphs of the model in a folder, beside its weights; not of its image encoder."""
    config = read_step_network(checkpoint.read_config(folder)["network"])
    if not runs(config):
        kind = f"{config.family} with {config.mechanism} attention"
        raise CheckpointError(f"{folder}: {kind} cannot be exported: run it with PyTorch")
    network = checkpoint.load_network(folder)
    states = STATES[type(config)]
    read = Encode(network, states)
    with torch.inference_mode():
        examples = _examples(config)
        for place, group in enumerate(network.encode_groups):
            examples[f"{GIVEN}{place}"] = torch.full((ROWS, group.heads, LONG, LONG), math.nan)
        encoder_states, state = read.start(*examples.values())
        step = Step(network, states, state)
    _write(folder / ENCODE, read, examples, read.outputs(encoder_states, state), step.signature)
    _write(folder / STEP, step, step.examples, step.outputs, step.signature)
    return [folder / ENCODE, folder / STEP]


def export_image_encoder(folder: Path) -> list[Path]:
    """Write the graph of the image encoder in a folder, beside its weights."""
    eyes = checkpoint.load_image_encoder(folder).to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    pictures = torch.zeros(1, SIDE, SIDE, 3, dtype=torch.uint8)
    _write(folder / IMAGE_ENCODER, eyes, {"pictures": pictures}, ["cells"], None)
    return [folder / IMAGE_ENCODER]


class Encode(nn.Module):
    """`encode` and `start` of a network: arrays in, a list of arrays out."""

    def __init__(self, network: StepNetwork, states: States[Any]) -> None:
        super().__init__()
        self.network = network
        self.states = states

    def start(self, *inputs: Tensor) -> tuple[Any, Any]:
        """Compute the memory, and the state before the first step."""
        network = cast(Any, self.network)
        groups = len(network.encode_groups)
        if not groups:
            encoder_states = network.encode(*inputs)
        else:
            edit = StepEdit(_editor(inputs[len(inputs) - groups :]))
            encoder_states = network.encode(*inputs[: len(inputs) - groups], edit)
        return encoder_states, network.start(encoder_states)

    def outputs(self, encoder_states: Any, state: Any) -> list[str]:
        """Name the outputs of `forward`."""
        reads = range(len(encoder_states.attended))
        maps = [f"read_{place}_{what}" for place in reads for what in ("scores", "weights")]
        own = [f"{OWN}{place}_{what}" for place in reads for what in ("query", "key", "value")]
        return ["memory", *maps, *own, *self._parts(state)]

    def forward(self, *inputs: Tensor) -> list[Tensor]:
        """Compute the memory, the encoder's maps and vectors, and the state they determine."""
        encoder_states, state = self.start(*inputs)
        maps = [
            part
            for attended in encoder_states.attended
            for part in (attended.scores, attended.weights)
        ]
        own = [
            part
            for attended in encoder_states.attended
            for part in (attended.query, *attended.keys[:2])
        ]
        return [encoder_states.states, *maps, *own, *self._parts(state).values()]

    def _parts(self, state: Any) -> dict[str, Tensor]:
        """Return the parts that depend on the source: neither zeros nor noise."""
        parts = {**self.states.fixed(state), **self.states.moving(state)}
        return {
            name: part
            for name, part in parts.items()
            if name not in BEGUN and not name.startswith(WRITTEN)
        }


class Step(nn.Module):
    """`advance` and `predict` of a network: arrays in, a list of arrays out."""

    def __init__(self, network: StepNetwork, states: States[Any], state: Any) -> None:
        super().__init__()
        self.network = network
        self.states = states
        self._fixed, self._moving = self.states.fixed(state), self.states.moving(state)
        advanced, _ = network.advance(torch.tensor([3] * ROWS), state)
        self.signature = GraphSignature(
            encode_groups=network.encode_groups,
            step_groups=network.step_groups,
            fixed=tuple(self._fixed),
            moving=tuple(self._moving),
            projected=tuple(
                keys and self._projected(keys.keys) for keys in network.projected(state)
            ),
            gated=advanced.gate is not None,
            drawn=advanced.drawn is not None,
        )
        given = {
            f"{GIVEN}{place}": torch.full(attended.weights.shape, math.nan)
            for place, attended in enumerate(advanced.attended)
        }
        if advanced.drawn is not None:
            given[f"{GIVEN}drawn_by"] = given[f"{GIVEN}0"].clone()
        if advanced.gate is not None:
            given[f"{GIVEN}gate"] = torch.full(advanced.gate.shape, math.nan)
        self._given = tuple(given)
        self.examples = {"token": torch.tensor([3] * ROWS), **self._fixed, **self._moving, **given}
        self.outputs = [*self.signature.step_outputs, *(NEXT + name for name in self._moving)]

    def _projected(self, keys: Tensor) -> tuple[str, str]:
        """Name the keys and values that a group projects."""
        (name,) = (name for name, part in self._fixed.items() if part is keys)
        return name, name.removesuffix("keys") + "values"

    def forward(self, token: Tensor, *parts: Tensor) -> list[Tensor]:
        """Compute the outputs of the step, and the moving parts of the next state."""
        named = dict(zip((*self._fixed, *self._moving, *self._given), parts, strict=True))
        fixed, moving = (
            {name: named[name] for name in names} for names in (self._fixed, self._moving)
        )
        network = cast(Any, self.network)
        weights = [named[f"{GIVEN}{place}"] for place in range(len(self.signature.step_groups))]
        edit = StepEdit(
            _editor([given.unsqueeze(2) for given in weights], named.get(f"{GIVEN}drawn_by")),
            named.get(f"{GIVEN}gate"),
        )
        advanced, state = network.advance(token, self.states.joined(fixed, moving), edit)
        logits = network.predict(advanced.readout)
        outputs = [logits, *ranked(logits), advanced.query, advanced.context, advanced.hidden]
        for attended in advanced.attended:
            outputs += [attended.scores, attended.weights, attended.query]
        if advanced.gate is not None:
            outputs.append(advanced.gate)
        if advanced.drawn is not None:
            attended = advanced.attended[0]
            drawn_by = attended.weights if attended.drawn_by is None else attended.drawn_by
            outputs += [advanced.drawn, likely(drawn_by, advanced.drawn)]
        return [*outputs, *self.states.moving(state).values()]


def _editor(
    given: Sequence[Tensor], drawn_by: Tensor | None = None
) -> Callable[[int, Tensor], tuple[Tensor, Tensor]]:
    """Return the editor of groups of heads whose weights are given, each (B, H, Q, K) or less.

    It takes the softmax of the scores where what is given is NaN.
    """

    def edit(place: int, scores: Tensor) -> tuple[Tensor, Tensor]:
        own = softmax(scores)
        weights = torch.where(given[place].isnan(), own, given[place])
        if drawn_by is None:
            return weights, weights
        drawing = drawn_by.unsqueeze(2)
        return weights, torch.where(drawing.isnan(), own, drawing)

    return edit


def _examples(config: NetworkConfig) -> dict[str, Tensor]:
    """Make example inputs to trace with."""
    texts = {
        "source": torch.arange(ROWS * LONG).view(ROWS, LONG) + 3,
        "lengths": torch.tensor([LONG, LONG - 2]),
    }
    if not isinstance(config, PictureConfig):
        return texts
    cells = {"cells": torch.randn(ROWS, CELLS, config.cells)}
    return {**cells, **texts} if config.reads_question else cells


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a tensor in a safetensors file."""

    name: str
    shape: tuple[int, ...]
    offset: int
    length: int


def _write(
    path: Path,
    module: nn.Module,
    given: Mapping[str, Tensor],
    outputs: Sequence[str],
    signature: GraphSignature | None,
) -> None:
    """Trace a module into a graph whose parameters lie in the safetensors file beside it."""
    names = [*given, *outputs]
    written = io.BytesIO()
    with torch.inference_mode(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer warns of shapes that are constant on purpose
        torch.onnx.export(
            module.eval(),
            tuple(given.values()),
            cast(Any, written),  # typed as a path only
            input_names=list(given),
            output_names=list(outputs),
            dynamic_axes={name: _dynamic(name, given.get(name)) for name in names},
            opset_version=OPSET,
            do_constant_folding=False,  # so that parameters keep their names
            dynamo=False,  # its graphs are larger, and recurrent layers become loops
        )
    graph = onnx.load_from_string(written.getvalue())
    weights = path.parent / checkpoint.WEIGHTS
    _point(graph, module, weights, checkpoint.borrowed(path.parent) if signature else {})
    _, header = checkpoint.layout(weights)
    about = {LAYOUT: hashlib.sha256(header).hexdigest()}
    helper.set_model_props(
        graph, about if signature is None else {**about, METADATA: signature.text()}
    )
    graph.producer_name, graph.producer_version, graph.doc_string = "heed", "", ""
    for node in graph.graph.node:
        node.doc_string = ""
    path.write_bytes(graph.SerializeToString(deterministic=True))


def _dynamic(name: str, given: Tensor | None) -> Mapping[int, str]:
    """Name the dimensions of an input or output that vary."""
    if given is not None and name.startswith(GIVEN):  # or 1, to be spread over the whole
        return {side: f"{name}_{side}" for side in range(given.dim())}
    return {0: "rows", **_varying(name)}


def _varying(name: str) -> Mapping[int, str]:
    fitting = [start for start in VARYING if name.startswith(start)]
    return VARYING[max(fitting, key=len)] if fitting else {}


def _point(
    graph: ModelProto, module: nn.Module, weights: Path, lent: Mapping[str, checkpoint.Halves]
) -> None:
    """Let every parameter of a graph point into the file of weights, widened where it is used.

    Those that another model stores are inputs of the session.
    """
    places = _places(weights)
    named = _parameters(module)
    known = {*places, *lent}
    held = {value.data_ptr(): name for name, value in named.items() if name in known}
    kept: list[TensorProto] = []
    borrowed: dict[str, TensorProto] = {}
    casts = []
    own = dict(module.named_parameters())
    for tensor in graph.graph.initializer:
        value = own.get(tensor.name)
        if value is None:
            kept.append(tensor)  # a constant of the graph's own
            continue
        name = held[value.data_ptr()]
        half = BORROWED + name if name in lent else f"{tensor.name}.half"
        if name in lent:
            place = _Place(name, lent[name].shape, 0, lent[name].nbytes)
            borrowed[name] = _outside(half, place, weights.name)
        else:
            kept.append(_outside(half, places[name], weights.name))
        casts.append(_widened(half, tensor.name))
    del graph.graph.initializer[:]
    graph.graph.initializer.extend([*borrowed.values(), *kept])
    nodes = [*casts, *graph.graph.node]
    del graph.graph.node[:]
    graph.graph.node.extend(_gathered_first(nodes))


def _parameters(module: nn.Module) -> dict[str, Tensor]:
    """Return the parameters by the names they are saved under; a tied one has several."""
    inner = getattr(module, "network", module)
    return dict(inner.named_parameters(remove_duplicate=False))


def _places(weights: Path) -> dict[str, _Place]:
    """Read the place of each tensor in a safetensors file."""
    start, text = checkpoint.layout(weights)
    header = json.loads(text)
    header.pop("__metadata__", None)
    return {
        name: _Place(
            name,
            tuple(about["shape"]),
            start + about["data_offsets"][0],
            about["data_offsets"][1] - about["data_offsets"][0],
        )
        for name, about in header.items()
    }


def _outside(name: str, place: _Place, file: str) -> TensorProto:
    tensor = TensorProto(name=name, dims=place.shape, data_type=TensorProto.FLOAT16)
    tensor.data_location = TensorProto.EXTERNAL
    about = {"location": file, "offset": str(place.offset), "length": str(place.length)}
    for key, value in about.items():
        tensor.external_data.add(key=key, value=value)
    return tensor


def _widened(half: str, whole: str) -> NodeProto:
    return helper.make_node("Cast", [half], [whole], name=f"{whole}.widened", to=TensorProto.FLOAT)


def _gathered_first(nodes: Sequence[NodeProto]) -> list[NodeProto]:
    """Move casts behind lookups, so that only the rows in use of a table are widened."""
    widened = {node.output[0]: node.input[0] for node in nodes if node.name.endswith(".widened")}
    ready = []
    for node in nodes:
        half = widened.get(node.input[0]) if node.op_type == "Gather" else None
        if half is None:
            ready.append(node)
            continue
        rows = f"{node.output[0]}.half"
        ready.append(
            helper.make_node("Gather", [half, node.input[1]], [rows], name=node.name, axis=0)
        )
        ready.append(_widened(rows, node.output[0]))
    used = {name for node in ready for name in node.input}
    return [node for node in ready if node.op_type != "Cast" or used & set(node.output)]
