"""The network that grows in the page, against PyTorch, and its files in Python."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from heed.app.schemas import TraceOut
from heed.models.catalogue import Catalogue
from heed.models.config import RecurrentConfig
from heed.models.edits.operations import Block, Edit, Only, Uniform, fields_of
from heed.models.generation.translator import TextRequest
from heed.models.networks.seq2seq import Seq2Seq
from heed.output.serialize import trace_out
from tests.conftest import Running, node

SCRIPT = Path(__file__).parents[2] / "js/pages/grow/reference.js"
KINDS = [
    ("none", "fixed"),
    *((name, order) for name in ("additive", "dot", "scaled") for order in ("before", "after")),
]
SHAPE = {"vocabulary": 12, "embedding": 8, "width": 16, "attention": 12}
PAD, STEPS, RATE = 0, 10, 4e-3
CLOSE = 1e-4
MOST_BYTES = 40_000
ROUNDED = 2e-3
"""The difference that weights of 16 bits make."""
SETTINGS = {
    "mechanism": "additive",
    "order": "before",
    "width": 16,
    "rate": 0.006,
    "examples": 0,
    "longest": 5,
    "seed": 1,
    "rows": 16,
}


class Batch(NamedTuple):
    """Padded tokens (B, K) and (B, Q), and the lengths of the sources."""

    source: Tensor
    lengths: Tensor
    input: Tensor
    output: Tensor

    def by_step(self) -> dict[str, Any]:
        """Return it as the page has it: of each step the tokens of all rows."""
        sides = {name: getattr(self, name).T.flatten().tolist() for name in ("source", "input")}
        return sides | {
            "rows": len(self.source),
            "lengths": self.lengths.tolist(),
            "output": self.output.T.flatten().tolist(),
        }


def in_the_page(command: str, **given: Any) -> Any:
    """Return the result of the script."""
    text = json.dumps({"command": command, **given})
    done = subprocess.run(
        [node(), str(SCRIPT)], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def batch() -> Batch:
    """Make texts of several lengths, one of them without anything but its end."""
    random = torch.Generator().manual_seed(3)

    def padded(least: int, lengths: list[int]) -> Tensor:
        tokens = torch.randint(least, SHAPE["vocabulary"], (5, max(lengths)), generator=random)
        places = torch.arange(max(lengths))
        return tokens.where(places < torch.tensor(lengths)[:, None], PAD)

    read, written = [7, 3, 5, 1, 6], [6, 4, 2, 5, 1]
    return Batch(padded(3, read), torch.tensor(read), padded(3, written), padded(2, written))


def loss_of(network: Seq2Seq, given: Batch) -> Tensor:
    logits = network(given.source, given.lengths, given.input)
    return F.cross_entropy(logits.flatten(0, 1), given.output.flatten(), ignore_index=PAD)


@pytest.mark.parametrize("simd", [True, False], ids=["simd", "script"])
@pytest.mark.parametrize(("mechanism", "order"), KINDS)
def test_losses_gradients_and_ten_updates_are_those_of_pytorch(
    mechanism: str, order: Any, *, simd: bool
) -> None:
    torch.manual_seed(0)
    network = Seq2Seq(
        RecurrentConfig(
            vocabulary=SHAPE["vocabulary"],
            mechanism=mechanism,
            order=order,
            embedding=SHAPE["embedding"],
            encoder_width=SHAPE["width"] // 2,
            decoder_width=SHAPE["width"],
            attention_width=SHAPE["attention"],
        )
    )
    parameters = dict(network.named_parameters())
    shape = {**SHAPE, "mechanism": mechanism, "order": order}
    names = [tensor["name"] for tensor in in_the_page("tensors", shape=shape)]
    assert sorted(names) == sorted(parameters)

    def flat(tensors: dict[str, Tensor]) -> list[float]:
        values: list[float] = torch.cat([tensors[name].flatten() for name in names]).tolist()
        return values

    given = batch()
    found = in_the_page(
        "learn",
        shape=shape,
        batch=given.by_step(),
        values=flat({name: value.detach() for name, value in parameters.items()}),
        rate=RATE,
        steps=STEPS,
        simd=simd,
    )
    loss_of(network, given).backward()  # type: ignore[no-untyped-call]
    gradients = {name: value.grad for name, value in parameters.items() if value.grad is not None}
    np.testing.assert_allclose(found["gradients"], flat(gradients), atol=CLOSE / 10)
    adam = torch.optim.Adam(network.parameters(), lr=RATE)
    losses = []
    for _ in range(STEPS):
        adam.zero_grad()
        loss = loss_of(network, given)
        losses.append(loss.item())
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        adam.step()
    np.testing.assert_allclose(found["losses"], losses, atol=CLOSE)
    trained = flat({name: value.detach() for name, value in parameters.items()})
    np.testing.assert_allclose(found["values"], trained, atol=CLOSE)


def opened(found: dict[str, Any], folder: Path) -> Catalogue:
    """Unpack a grown model, and return it in a catalogue."""
    zipfile.ZipFile(io.BytesIO(base64.b64decode(found["zip"]))).extractall(folder)
    return Catalogue(folder, runtime="torch")


PAIRS = "\n".join(f"ж{at:03}é\t{at % 10}ж" for at in range(60))


EDITS: list[Edit] = [Block(keys=1), Only(keys=0, queries=2), Uniform(queries=3)]


@pytest.mark.parametrize(
    ("task", "kind", "pairs", "text", "edits"),
    [
        ("reverse", {}, "", "plate", []),
        ("reverse", {}, "", "plate", EDITS),
        ("dates", {"mechanism": "dot", "order": "after"}, "", "3 may 1979", EDITS),
        ("numbers", {"mechanism": "none"}, "", "forty two", []),
        ("own", {"mechanism": "scaled"}, PAIRS, "ж012é", []),
    ],
)
def test_a_grown_model_and_its_trace_open_in_python(
    tmp_path: Path, task: str, kind: dict[str, str], pairs: str, text: str, edits: list[Edit]
) -> None:
    settings = {**SETTINGS, **kind}
    given = {"task": task, "pairs": pairs, "settings": settings, "updates": 30, "text": text}
    found = in_the_page("grow", **given, edits=[fields_of(edit) for edit in edits])
    trace = TraceOut.model_validate(found["trace"])
    catalogue = opened(found, tmp_path)
    (name,) = catalogue.cards
    assert (f"{name}.zip", trace.model.id) == (found["name"], name)
    rows = min(len(trace.text), 10)  # the first of them: the page may have stopped before the end
    model = catalogue.load(name)
    request = TextRequest(text, target=trace.text[:rows], edits=tuple(edits))
    (forced,) = model.run([request])
    again = TraceOut.model_validate(trace_out(forced, "weights"))
    assert len(again.maps) == len(trace.maps)
    for theirs, ours in zip(again.maps, trace.maps, strict=True):
        np.testing.assert_allclose(theirs.weights[:rows], ours.weights[:rows], atol=ROUNDED)
    for step, own in zip(again.steps[:rows], trace.steps[:rows], strict=True):
        assert abs(step.probability - own.probability) < ROUNDED
    assert bool(trace.baseline) is bool(edits)
    if trace.baseline:
        (free,) = model.run([TextRequest(text, edits=tuple(edits))])
        ours_then, theirs_then = trace.baseline, trace_out(free, "weights")["baseline"]
        assert ours_then.text == theirs_then["text"]
        assert ours_then.parts_at == theirs_then.get("parts_at")
        for one, other in zip(ours_then.changes, theirs_then["changes"], strict=True):
            assert one.delta == pytest.approx(other["delta"], abs=ROUNDED * 5)
            assert one.divergence == pytest.approx(other["divergence"], abs=ROUNDED * 5)


def test_page_and_worker_are_at_most_forty_kilobytes(server: Running) -> None:
    text = server.client.get("/learn/grow").text
    scripts = re.findall(r'"(/static/\w+/bundles/[^"]+)"', text)
    assert len(scripts) == 2
    sent = {"Accept-Encoding": "gzip"}
    answers = [server.client.get(path, headers=sent) for path in scripts]
    assert sum(int(answer.headers["content-length"]) for answer in answers) <= MOST_BYTES


def test_the_page_is_served_and_names_its_worker(server: Running) -> None:
    answer = server.client.get("/learn/grow")
    assert answer.status_code == 200
    worker = answer.text.split('data-worker="')[1].split('"')[0]
    script = server.client.get(worker)
    assert script.headers["content-type"].startswith("text/javascript")
    # Without a policy of its own the worker may compile WebAssembly, which the page may not.
    assert "content-security-policy" not in script.headers
