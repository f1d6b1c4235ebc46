"""The figures of an audit: against a loop in PyTorch, and of models whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from heed.models.audit.audit import Audit, AuditRun
from heed.models.audit.choices import AuditChoices, in_words
from heed.models.catalogue import Catalogue
from heed.models.config import NetworkConfig, TransformerConfig
from heed.models.errors import InputError
from heed.models.generation.requests import PictureRequest, TextRequest
from heed.models.networks.attention import StepEdit
from heed.models.networks.map_group import MapGroup
from heed.models.pictures.decode import decode_picture
from heed.models.runtime.edited import Plans, edited_weights
from heed.models.runtime.protocol import (
    DEFAULT_OPTIONS,
    Attended,
    Editing,
    Encoded,
    EncodeOptions,
    Ints,
    Ranking,
    Step,
)
from tests.models.drawn import quarters, saved
from tests.models.tiny import NETWORK, write_tiny, write_tiny_captioners

CLOSE = 1e-5
LAYERS = 3  # of the decoder
TEXT, TARGET = "14 july", "1789"
PICTURE = decode_picture(saved(quarters(), "PNG"))
FAMILIES: dict[str, NetworkConfig] = {
    "recurrent": replace(NETWORK, query_feeding=True, end_hidden=True),
    "transformer": TransformerConfig(
        vocabulary=259, width=8, heads=2, feedforward=12, encoder_layers=2, decoder_layers=3
    ),
}


def audited(pipeline: Any, request: Any, choices: AuditChoices | None = None) -> Audit:
    """Run an audit to its end."""
    prepared = pipeline.prepare(request)
    return AuditRun(pipeline, prepared, choices or AuditChoices(seeds=3)).finished()


class ByHand:
    """A network of PyTorch, forced from the first step on for every single number."""

    def __init__(self, network: Any, source: Sequence[int], target: Sequence[int]) -> None:
        self.network, self.source, self.target = network, source, target
        self.usual: dict[int, Tensor] = {}  # the weights of the last run without edits

    @torch.inference_mode()
    def distribution(self, row: int, weights: Any = None, source: Any = None) -> Tensor:
        """Return the log-probabilities at a row, where a function made its weights."""
        source = self.source if source is None else source
        states = self.network.encode(torch.tensor([source]), torch.tensor([len(source)]))
        state, last = self.network.start(states), 1

        def edit(place: int, scores: Tensor) -> tuple[Tensor, Tensor]:
            if self.network.step_groups[place].kind != "cross" or weights is None:
                self.usual[place] = scores.softmax(-1)
                return (self.usual[place],) * 2
            made = weights(scores, place)
            return made, made

        for at in range(row + 1):
            step = StepEdit(edit, None) if at == row else None
            output, state = self.network.advance(torch.tensor([last]), state, step)
            last = self.target[at]
        return self.network.predict(output.readout)[0, 2:].log_softmax(-1)  # type: ignore[no-any-return]

    def log_probability(self, row: int, weights: Any = None, source: Any = None) -> float:
        """Return the log-probability of the token of a row."""
        return float(self.distribution(row, weights, source)[self.target[row] - 2])

    def turn(self, row: int, weights: Any) -> float:
        """Return the cosine distance of the logits, less their mean, from those without an edit."""
        usual, edited = self.distribution(row), self.distribution(row, weights)
        return 1 - float(torch.cosine_similarity(usual - usual.mean(), edited - edited.mean(), 0))

    @torch.inference_mode()
    def weighted(self, key: int) -> float:
        """Return ‖Σ α W v‖ of the last row that was run without edits, the mean of the layers."""
        states = self.network.encode(
            torch.tensor([self.source]), torch.tensor([len(self.source)])
        ).states[0, key]
        layers = getattr(self.network, "layers", None)
        if layers is None:  # W is none, and v the state itself
            return float((self.usual[0][0, 0, 0, key] * states).norm())
        norms = []
        for layer, heads in enumerate(weights[0, :, 0] for weights in self.usual.values()):
            cross = layers[layer].cross
            value, added = cross.value(states), torch.zeros(cross.output.out_features)
            width = len(value) // cross.heads
            for head in range(cross.heads):
                part = slice(head * width, (head + 1) * width)
                added += heads[head, key] * (cross.output.weight[:, part] @ value[part])
            norms.append(float(added.norm()))
        return float(np.mean(norms))


def without(keys: Sequence[int]) -> Any:
    """Return what blocks keys."""

    def weights(scores: Tensor, _place: int) -> Tensor:
        scores = scores.clone()
        scores[..., list(keys)] = -torch.inf
        return scores.softmax(-1)

    return weights


def restored(key: int, usual: dict[int, Tensor]) -> Any:
    """Return what gives one key its usual weight, and the others equal ones."""

    def weights(scores: Tensor, place: int) -> Tensor:
        seen = scores > -torch.inf
        own = usual[place][..., key : key + 1]
        others = (1 - own) / (seen.sum(-1, keepdim=True) - 1)
        made = torch.where(seen, others, 0.0)
        made[..., key : key + 1] = own
        return made

    return weights


def uniform(scores: Tensor, _place: int) -> Tensor:
    """Return equal weights."""
    seen = (scores > -torch.inf).float()
    return seen / seen.sum(-1, keepdim=True)


def silenced(key: int) -> Any:
    """Return what silences a key."""

    def weights(scores: Tensor, _place: int) -> Tensor:
        made = scores.softmax(-1)
        made[..., key] = 0.0
        return made

    return weights


@pytest.mark.parametrize("runtime", ["native", "torch"])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_figure_is_that_of_a_loop_by_hand(family: str, runtime: str, tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES[family])
    audit = audited(Catalogue(tmp_path, runtime=runtime).load("model"), TextRequest(TEXT, TARGET))
    network = Catalogue(tmp_path, runtime="torch").load("model").runtime._network  # type: ignore[attr-defined]
    source = [token.id for token in audit.trace.source.tokens]  # type: ignore[union-attr]
    target = [token.id for token in audit.trace.output.tokens.tokens]
    hand = ByHand(network, source, target)
    seen = np.flatnonzero(np.isfinite(audit.costs[0])).tolist()
    assert len(seen) == len(source) - (family == "recurrent")  # its end mark is hidden
    for row in range(len(target)):
        whole = hand.log_probability(row)
        usual = dict(hand.usual)
        assert audit.log_probabilities[row] == pytest.approx(whole, abs=CLOSE)
        flat = hand.log_probability(row, uniform)
        assert audit.values.weighted is not None
        assert audit.values.zeroed is not None
        for key in seen:
            cost = whole - hand.log_probability(row, without([key]))
            assert audit.costs[row, key] == pytest.approx(cost, abs=CLOSE)
            hand.usual = {place: usual[place] for place in sorted(usual) if place < LAYERS}
            wanted = hand.weighted(key)
            assert audit.values.weighted[row, key] == pytest.approx(wanted, rel=1e-4, abs=CLOSE)
            turn = hand.turn(row, silenced(key))
            assert audit.values.zeroed[row, key] == pytest.approx(turn, abs=CLOSE)
            given = hand.log_probability(row, restored(key, usual)) - flat
            assert audit.given_back[row, key] == pytest.approx(given, abs=CLOSE)
        moved = (hand.distribution(row).exp() - hand.distribution(row, uniform).exp()).abs()
        assert audit.distances.uniform[row] == pytest.approx(float(moved.sum()) / 2, abs=CLOSE)
        ranked = sorted(seen, key=lambda key: -audit.attention[row, key])[:3]
        cost = whole - hand.log_probability(row, without(ranked))
        assert audit.controls.cost[row] == pytest.approx(cost, abs=CLOSE)
        assert audit.left_out is not None
        for place, word in enumerate(audit.left_out.words):
            left = [
                token.id
                for token in audit.trace.source.tokens  # type: ignore[union-attr]
                if token.word != word
            ]
            cost = whole - hand.log_probability(row, source=left)
            assert audit.left_out.cost[row, place] == pytest.approx(cost, abs=CLOSE)
    assert audit.orders is not None
    some = audit.orders.attention.taken[2]  # two keys taken
    first = sorted(seen, key=lambda key: -audit.attention[audit.orders.row, key])[:2]
    wanted = hand.log_probability(audit.orders.row, without(first))
    assert some == pytest.approx(wanted, abs=CLOSE)


def test_a_silenced_key_gives_its_weight_to_none(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES["recurrent"])
    pipeline = Catalogue(tmp_path, runtime="native").load("model")
    audit = audited(pipeline, TextRequest(TEXT, TARGET), AuditChoices("silence", seeds=2))
    network = Catalogue(tmp_path, runtime="torch").load("model").runtime._network  # type: ignore[attr-defined]
    source = [token.id for token in audit.trace.source.tokens]  # type: ignore[union-attr]
    target = [token.id for token in audit.trace.output.tokens.tokens]
    hand = ByHand(network, source, target)
    cost = hand.log_probability(2) - hand.log_probability(2, silenced(3))
    assert audit.costs[2, 3] == pytest.approx(cost, abs=CLOSE)


def test_a_head_alone_is_audited(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES["transformer"])
    pipeline = Catalogue(tmp_path, runtime="native").load("model")
    request = TextRequest(TEXT, TARGET)
    whole, one = (
        audited(pipeline, request, choices)
        for choices in (AuditChoices(seeds=2), AuditChoices(layer=1, head=1, seeds=2))
    )
    own = next(m for m in one.trace.output.maps if (m.kind, m.layer, m.head) == ("cross", 1, 1))
    assert one.attention == pytest.approx(own.weights, abs=1e-6)
    assert not np.allclose(one.costs, whole.costs)
    assert in_words(one.choices, 3, 2, forced=True).scope.startswith("The key is taken from head 2")
    with pytest.raises(InputError, match="There is no head 2"):
        audited(pipeline, request, AuditChoices(head=2))
    with pytest.raises(InputError, match="There is no row 9"):
        audited(pipeline, request, AuditChoices(row=9))


class Looking:
    """A model whose words depend on the weight of one key, or on nothing that it attends to."""

    encode_groups: tuple[MapGroup, ...] = ()
    step_groups = (MapGroup("cross", 0, 1, "target", "source"),)
    editing = Editing()

    def __init__(self, key: int | None, scores: Sequence[float]) -> None:
        self.key, self.scores = key, np.array(scores, np.float32)

    def encode(self, sources: Sequence[Any], _options: EncodeOptions = DEFAULT_OPTIONS) -> Encoded:
        """Keep the length of each text."""
        lengths = np.array([len(source) for source in sources])
        memory = np.zeros((len(sources), lengths.max(), 1), np.float32)
        return Encoded(lengths, memory, (), (None,))

    def step(
        self, state: object, rows: Ints, _tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, object]:
        """Make every token likelier with the weight of the key."""
        assert isinstance(state, np.ndarray)
        state = state[rows]
        scores = np.tile(self.scores[: state.max()], (len(rows), 1))[:, None]
        weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
        if edits:
            shaped = scores[:, :, None], weights[:, :, None]
            weights = edited_weights(*shaped, self.step_groups[0], edits)[0][:, :, 0]
        logits = np.zeros((len(rows), 259), np.float32)
        if self.key is not None:
            logits[:, 10:40] = 5 * weights[:, 0, self.key, None]
        normalizer = np.log(np.exp(logits[:, 2:]).sum(-1))
        ranking = Ranking(np.zeros((len(rows), 6), np.int64), logits[:, :6], normalizer)
        none = np.zeros((len(rows), 1), np.float32)
        return Step(logits, ranking, (Attended(scores, weights),), none, none, none), state


def looking(tmp_path: Path, key: int | None, scores: Sequence[float]) -> Audit:
    """Audit a text that such a model is forced to write."""
    write_tiny(tmp_path / "model", NETWORK)
    pipeline: Any = Catalogue(tmp_path, runtime="torch").load("model")
    pipeline.runtime = Looking(key, scores)
    return audited(pipeline, TextRequest(TEXT, TARGET), AuditChoices(seeds=5))


def test_the_figures_of_a_model_that_ignores_attention_are_null(tmp_path: Path) -> None:
    audit = looking(tmp_path, None, np.linspace(0, 3, 10).tolist())
    assert audit.costs == pytest.approx(0, abs=1e-6)
    assert audit.given_back == pytest.approx(0, abs=1e-6)
    assert audit.controls.cost == pytest.approx(0, abs=1e-6)
    assert audit.distances.uniform == pytest.approx(0, abs=1e-6)
    assert audit.distances.permuted == pytest.approx(0, abs=1e-6)
    assert audit.agreements.attention.tau is None
    assert audit.agreements.attention.first is None
    assert audit.orders is not None
    assert audit.orders.attention.comprehensiveness is None


def test_the_figures_of_a_model_that_depends_on_one_key_find_it(tmp_path: Path) -> None:
    audit = looking(tmp_path, 2, [0, 0, 1, 3, 0, 0, 0, 0, 0, 0])  # and looks at another more
    rows = audit.costs[:-1]  # the end mark is none of the tokens that depend on it
    assert rows.argmax(axis=1).tolist() == [2] * len(rows)
    assert (rows[:, 2] > 0.3).all()
    assert audit.agreements.attention.first == pytest.approx(1 / len(audit.costs))
    assert audit.orders is not None
    assert audit.orders.bounds.best[0] == 2
    assert audit.orders.effects.comprehensiveness == pytest.approx(1, abs=1e-6)
    attention = audit.orders.attention.comprehensiveness
    assert attention is not None
    assert attention < 0.95


@pytest.mark.parametrize("name", ["caption-soft", "caption-heads"])
def test_the_cells_of_a_picture_are_taken_one_by_one(name: str, tmp_path: Path) -> None:
    root = write_tiny_captioners(tmp_path)
    kernels, modules = (Catalogue(root, runtime=way).load(name) for way in ("native", "torch"))
    modules.runtime.features = kernels.runtime.features  # type: ignore[attr-defined]
    request = PictureRequest(PICTURE, target="may")
    ours, theirs = (audited(pipeline, request) for pipeline in (kernels, modules))
    assert ours.costs.shape == (4, 196)
    assert ours.costs == pytest.approx(theirs.costs, abs=1e-4)
    assert ours.left_out is not None
    assert theirs.left_out is not None
    assert ours.left_out.cost == pytest.approx(theirs.left_out.cost, abs=1e-4)
    assert ours.controls.keys == 20
    assert ours.orders is None  # too many keys for all of their sets


def test_what_has_no_attention_is_not_audited(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", replace(NETWORK, mechanism="none", order="fixed"))
    with pytest.raises(InputError, match="nothing to audit"):
        audited(Catalogue(tmp_path, runtime="torch").load("model"), TextRequest(TEXT, TARGET))


def test_the_price_is_known_before(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", NETWORK)
    pipeline: Any = Catalogue(tmp_path, runtime="native").load("model")
    request = TextRequest(TEXT, TARGET)
    run: Any = AuditRun(pipeline, pipeline.prepare(request), AuditChoices(seeds=3))
    assert audited(pipeline, request).rows <= run.total
