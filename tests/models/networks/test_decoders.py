"""Recurrent encoder and decoder: both orders of attention and none, alone and in a batch."""

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from heed.models.config import NetworkConfig, RecurrentConfig, TransformerConfig
from heed.models.networks.attention import Attended
from heed.models.networks.decoders import RecurrentDecoder
from heed.models.networks.encoders import RecurrentEncoder
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.networks.transformer import Transformer, positions
from heed.models.registry import StepNetwork, build_network
from tests.models.tiny import NETWORK

BASE = replace(NETWORK, vocabulary=20)
SHAPES = {
    "before": BASE,
    "after": replace(BASE, mechanism="general", order="after"),
    "fixed": replace(BASE, mechanism="none", order="fixed"),
    "fed": replace(BASE, mechanism="dot", order="after", input_feeding=True),
    "query feeding": replace(BASE, query_feeding=True),
    "lstm": replace(BASE, cell="lstm"),
    "deep": replace(BASE, encoder_layers=2, decoder_layers=2, cell="lstm"),
    "heads": replace(BASE, mechanism="multihead", heads=2, order="after"),
    "tied": replace(BASE, tied=True),
    "end hidden": replace(BASE, end_hidden=True),
}
TRANSFORMER = TransformerConfig(
    vocabulary=20, width=8, heads=2, feedforward=16, encoder_layers=2, decoder_layers=3
)
NETWORKS: dict[str, NetworkConfig] = {**SHAPES, "transformer": TRANSFORMER}


def network(config: NetworkConfig) -> StepNetwork:
    torch.manual_seed(3)
    return build_network(config).eval().requires_grad_(requires_grad=False)


def padded(*rows: list[int]) -> tuple[Tensor, Tensor]:
    longest = max(map(len, rows))
    tokens = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    return tokens, torch.tensor([len(row) for row in rows])


def first_step(model: StepNetwork, source: Tensor, lengths: Tensor) -> list[Attended]:
    """What was looked at in the source while the first token was written."""
    state = model.start(model.encode(source, lengths))
    advanced, _ = model.advance(torch.ones(len(source), dtype=torch.long), state)  # type: ignore[arg-type]
    return [
        attended
        for group, attended in zip(model.step_groups, advanced.attended, strict=True)
        if group.kind == "cross"
    ]


SOURCES = [5, 6, 7, 2], [9, 2], [4, 4, 4, 8, 11, 3, 2]
TARGETS = [1, 5, 3], [1, 7, 9], [1, 2, 4]


@pytest.mark.parametrize("shape", NETWORKS)
def test_batched_and_padded_inputs_give_what_single_ones_give(shape: str) -> None:
    model = network(NETWORKS[shape])
    together = model(*padded(*SOURCES), torch.tensor(TARGETS))
    looked = first_step(model, *padded(*SOURCES))
    for place, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        alone = model(*padded(source), torch.tensor([target]))
        torch.testing.assert_close(together[place], alone[0])
        keys = len(source)
        for mine, ours in zip(first_step(model, *padded(source)), looked, strict=True):
            torch.testing.assert_close(ours.weights[place][..., :keys], mine.weights[0])
            assert (ours.weights[place][..., keys:] == 0).all()


@pytest.mark.parametrize("shape", NETWORKS)
def test_teacher_forcing_is_the_steps_one_by_one(shape: str) -> None:
    model = network(NETWORKS[shape])
    source, lengths = padded(*SOURCES)
    targets = torch.tensor(TARGETS)
    taught = model(source, lengths, targets)
    state = model.start(model.encode(source, lengths))
    for place, token in enumerate(targets.unbind(1)):
        advanced, state = model.advance(token, state)  # type: ignore[arg-type]
        torch.testing.assert_close(model.predict(advanced.readout), taught[:, place])


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_the_encoder_is_torchs_own_bidirectional_reader(cell: str) -> None:
    config = replace(BASE, cell=cell)  # type: ignore[arg-type]
    ours = RecurrentEncoder(config).eval()
    kind = nn.GRU if cell == "gru" else nn.LSTM
    theirs = kind(6, 4, bidirectional=True, batch_first=True)
    for name, value in ours.forwards[0].named_parameters():
        theirs.get_parameter(name).data.copy_(value)
    for name, value in ours.backwards[0].named_parameters():
        theirs.get_parameter(f"{name}_reverse").data.copy_(value)
    embedded = torch.randn(3, 7, 6)
    lengths = torch.tensor([7, 2, 5])
    memory = ours(embedded, lengths)
    packed = nn.utils.rnn.pack_padded_sequence(embedded, lengths, True, enforce_sorted=False)
    expected, _ = nn.utils.rnn.pad_packed_sequence(theirs(packed)[0], batch_first=True)
    torch.testing.assert_close(memory.states * memory.mask[..., None], expected)


def advance(decoder: RecurrentDecoder) -> tuple[Tensor, Tensor, Tensor]:
    """Old state, query and new state of a first step."""
    encoder = RecurrentEncoder(decoder.config).eval()
    state = decoder.start(encoder(torch.randn(1, 5, 6), torch.tensor([5])))
    advanced, after = decoder.advance(torch.randn(1, 6), state)
    assert torch.equal(after.hidden[:, -1], advanced.hidden)
    return state.hidden[:, -1], advanced.query, advanced.hidden


def test_bahdanau_asks_with_the_old_state_and_luong_with_the_new_one() -> None:
    old, query, new = advance(RecurrentDecoder(SHAPES["before"]).eval())
    assert torch.equal(query, old)
    assert not torch.equal(query, new)
    old, query, new = advance(RecurrentDecoder(SHAPES["after"]).eval())
    assert torch.equal(query, new)
    assert not torch.equal(query, old)


def test_the_context_reaches_bahdanaus_update_and_not_luongs() -> None:
    for shape, reaches in (("before", True), ("after", False), ("fixed", True)):
        decoder = RecurrentDecoder(SHAPES[shape]).eval()
        memory = RecurrentEncoder(decoder.config).eval()(torch.randn(1, 5, 6), torch.tensor([5]))
        state = decoder.start(memory)
        other = state._replace(keys=state.keys._replace(values=state.keys.values + 1))
        embedded = torch.randn(1, 6)
        same = torch.equal(
            decoder.advance(embedded, state)[0].hidden, decoder.advance(embedded, other)[0].hidden
        )
        assert same != reaches


def test_input_feeding_hands_the_attentional_vector_to_the_next_step() -> None:
    decoder = RecurrentDecoder(SHAPES["fed"]).eval()
    memory = RecurrentEncoder(decoder.config).eval()(torch.randn(1, 5, 6), torch.tensor([5]))
    advanced, state = decoder.advance(torch.randn(1, 6), decoder.start(memory))
    assert torch.equal(state.feed, advanced.readout)
    starved = state._replace(feed=torch.zeros_like(state.feed))
    token = torch.randn(1, 6)
    fed, unfed = decoder.advance(token, state)[0], decoder.advance(token, starved)[0]
    assert not torch.equal(fed.hidden, unfed.hidden)


def test_query_feeding_lets_the_token_ask_beside_the_old_state() -> None:
    decoder = RecurrentDecoder(SHAPES["query feeding"]).eval()
    memory = RecurrentEncoder(decoder.config).eval()(torch.randn(1, 5, 6), torch.tensor([5]))
    state = decoder.start(memory)
    token = torch.randn(1, 6)
    advanced, _ = decoder.advance(token, state)
    assert torch.equal(advanced.query, torch.cat([state.hidden[:, -1], token], dim=1))
    other, _ = decoder.advance(-token, state)
    assert not torch.equal(other.attended[0].weights, advanced.attended[0].weights)


def test_rows_of_a_state_can_be_taken_in_any_order() -> None:
    model = Seq2Seq(SHAPES["deep"]).eval()
    state = model.start(model.encode(*padded(*SOURCES)))
    mixed = state.select(torch.tensor([2, 0, 2]))
    for old, new in ((0, 1), (2, 0), (2, 2)):
        assert torch.equal(state.hidden[old], mixed.hidden[new])
        assert torch.equal(state.keys.values[old], mixed.keys.values[new])


def test_tied_weights_are_one_tensor() -> None:
    model = Seq2Seq(SHAPES["tied"])
    assert model.decoder.output.weight is model.embedding.weight


@pytest.mark.parametrize("shape", NETWORKS)
def test_every_parameter_learns(shape: str) -> None:
    torch.manual_seed(3)
    model = build_network(NETWORKS[shape])
    model(*padded(*SOURCES), torch.tensor(TARGETS)).logsumexp(-1).sum().backward()
    idle = [name for name, value in model.named_parameters() if value.grad is None]
    assert idle == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mechanism": "none"}, "fixed"),
        ({"order": "fixed"}, "fixed"),
        ({"input_feeding": True}, "after the state update"),
        ({"query_feeding": True, "order": "after"}, "before the state update"),
        ({"widht": 3}, "unknown keys: widht"),
        ({"encoder_layers": 1_000_000}, "`encoder_layers` must be between 0 and 256"),
        ({"decoder_width": 10**9}, "`decoder_width` must be between"),
        ({"vocabulary": 10**12}, "`vocabulary` must be between"),
        ({"embedding": -1}, "`embedding` must be between"),
    ],
)
def test_a_contradictory_configuration_is_refused(changes: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RecurrentConfig.from_dict(BASE.to_dict() | changes)


def test_a_configuration_survives_its_dictionary() -> None:
    assert RecurrentConfig.from_dict(BASE.to_dict()) == BASE


# --- the Transformer --------------------------------------------------------------------------


def test_positions_are_the_papers_sines_and_cosines() -> None:
    table = positions(0, 30, 8)
    for place in (0, 1, 29):
        for i in range(4):
            angle = place / 10_000 ** (2 * i / 8)
            assert table[place, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-5)
            assert table[place, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-5)
    torch.testing.assert_close(positions(7, 5, 8), table[7:12])


def test_the_transformer_is_torchs_own() -> None:
    ours = Transformer(TRANSFORMER).eval()
    layers = {"dropout": 0.0, "batch_first": True, "norm_first": True}
    encoder = [nn.TransformerEncoderLayer(8, 2, 16, **layers).eval() for _ in range(2)]
    decoder = [nn.TransformerDecoderLayer(8, 2, 16, **layers).eval() for _ in range(3)]
    source, lengths = padded(*SOURCES)
    fed = torch.tensor(TARGETS)
    hidden = torch.arange(source.shape[1]) >= lengths[:, None]
    causal = torch.ones(3, 3, dtype=torch.bool).triu(1)
    with torch.no_grad():
        memory, states = ours.embed(source, 0), ours.embed(fed, 0)
        for layer, other in zip(ours.encoder, encoder, strict=True):
            copy_attention(layer.attention, other.self_attn)
            copy_rest(layer, other, [other.norm1, other.norm2])
            memory = other(memory, src_key_padding_mask=hidden)
        memory = ours.norms[0](memory)
        for layer, other in zip(ours.decoder, decoder, strict=True):
            copy_attention(layer.own, other.self_attn)
            copy_attention(layer.cross, other.multihead_attn)
            copy_rest(layer, other, [other.norm1, other.norm2, other.norm3])
            states = other(states, memory, tgt_mask=causal, memory_key_padding_mask=hidden)
        expected = ours.predict(ours.norms[1](states))
        torch.testing.assert_close(ours(source, lengths, fed), expected)


def copy_attention(ours: nn.Module, theirs: nn.MultiheadAttention) -> None:
    parts = [ours.query, ours.key, ours.value]
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def copy_rest(ours: nn.Module, theirs: nn.Module, norms: list[nn.LayerNorm]) -> None:
    theirs.linear1.load_state_dict(ours.feedforward[0].state_dict())
    theirs.linear2.load_state_dict(ours.feedforward[3].state_dict())
    for mine, other in zip(ours.norms, norms, strict=True):
        other.load_state_dict(mine.state_dict())


def test_every_layer_of_the_transformer_shows_its_attention() -> None:
    model = network(TRANSFORMER)
    memory = model.encode(*padded(*SOURCES))
    assert [a.weights.shape for a in memory.attended] == [(3, 2, 7, 7)] * 2
    advanced, state = model.advance(torch.tensor([1, 1, 1]), model.start(memory))  # type: ignore[arg-type]
    advanced, state = model.advance(torch.tensor([5, 7, 2]), state)  # type: ignore[arg-type]
    shapes = [tuple(a.weights.shape) for a in advanced.attended]
    assert shapes == [(3, 2, 7)] * 3 + [(3, 2, 2)] * 3
    for attended in advanced.attended:
        torch.testing.assert_close(attended.weights.sum(-1), torch.ones(3, 2))


def test_a_hidden_end_mark_is_never_looked_at() -> None:
    torch.manual_seed(1)
    config = replace(BASE, end_hidden=True)
    network = Seq2Seq(config).eval()
    source, lengths = (
        torch.tensor([[5, 6, 7, 2], [5, 2, 0, 0], [2, 0, 0, 0]]),
        torch.tensor([4, 2, 1]),
    )
    state = network.start(network.encode(source, lengths))
    advanced, _ = network.advance(torch.tensor([1, 1, 1]), state)
    (attended,) = advanced.attended
    looked = attended.weights[:, 0] > 0
    assert looked.tolist() == [
        [True, True, True, False],
        [True] + [False] * 3,
        [True] + [False] * 3,
    ]
    with pytest.raises(ValueError, match="no end mark to hide"):
        replace(config, mechanism="none", order="fixed")
