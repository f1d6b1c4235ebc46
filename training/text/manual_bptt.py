"""Backpropagation through time, written out for recurrent networks.

`readouts` computes the same as `Seq2Seq.readouts` for networks whose loop is a GRU or a GRU that
attends before its update; other networks use their own. Autograd keeps hundreds of small nodes a
step and a product for every weight in each; here a step is a dozen operations, and what does not
depend on the previous step is computed for all steps at once, the gradients of weights included.
An update takes a third of the time. A test compares both.

Shapes: `T` steps, `G` parallel GRUs, `B` rows, `K` source tokens, `A` attention width,
`H` state, `M` memory, `N` heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.config import RecurrentConfig
from heed.models.networks.attention import Additive, Keys, masked, softmax
from heed.models.networks.encoders import Memory, RecurrentEncoder
from heed.models.networks.transformer import Transformer
from heed.models.registry import TextNetwork


def readouts(
    network: TextNetwork, source: Tensor, lengths: Tensor, fed: Tensor, repeats: int = 1
) -> Tensor:
    """Return the decoder's outputs before the projection onto the vocabulary: (B, T, D).

    Each source is encoded once for `each` consecutive rows of decoder inputs.
    """
    return readouts_and_weights(network, source, lengths, fed, repeats)[0]


def readouts_and_weights(
    network: TextNetwork, source: Tensor, lengths: Tensor, fed: Tensor, repeats: int = 1
) -> tuple[Tensor, Sequence[Tensor]]:
    """Return the readouts, and the cross-attention of each layer: (B, N, T, K).

    A network without a written-out loop gives readouts only.
    """
    rows = repeat_rows(source, repeats)
    if isinstance(network, Transformer):
        state = network.start(network.encode(source, lengths))
        states, crossed = network.attend(fed, state if repeats == 1 else state.select(rows))
        return states, [attended.weights for attended in crossed]
    if not is_supported(network.config):
        begun = network.start(network.encode(source, lengths))
        return network.teacher_force(fed, begun if repeats == 1 else begun.select(rows)), []
    decoder, order = network.decoder, network.config.order
    memory = encode(network.encoder, network.embedding(source), lengths)
    start = decoder.start(memory)
    if repeats > 1:
        start = start.select(rows)
    first, keys = start.hidden[:, 0], start.keys
    embedded = decoder.dropout(network.embedding(fed))
    cell = cast(nn.GRUCell, decoder.cells[0])
    width = embedded.shape[-1]
    own, given = cell.weight_ih[:, :width], cell.weight_ih[:, width:]
    gates = F.linear(embedded, own, cell.bias_ih)
    if order == "before":
        attention = cast(Additive, decoder.attention)
        hidden, context, attended = _attention_scan(
            gates, embedded, first, keys, attention, given, cell
        )
        weights = [attended[:, None]]
    else:
        if order == "fixed":
            gates = gates + F.linear(keys.values[:, 0], given)
        recurrent = cell.weight_hh[None], cell.bias_hh[None]
        states = _scan(gates.transpose(0, 1)[:, None], first[None], *recurrent)
        hidden = states[:, 0].transpose(0, 1)
        attended = decoder.attention(hidden, keys)
        context, weights = attended.context, [attended.weights] if decoder.attention.heads else []
    return decoder.dropout(decoder.readout(hidden, context, embedded)), weights


def repeat_rows(source: Tensor, repeats: int) -> Tensor:
    """Return the row indices of the sources (B, K), each repeated."""
    return torch.arange(len(source), device=source.device).repeat_interleave(repeats)


def is_supported(config: RecurrentConfig) -> bool:
    """Return whether this module supports such a network."""
    single = config.encoder_layers == config.decoder_layers == 1
    known = config.order != "before" or config.mechanism == "additive"
    return config.cell == "gru" and single and known and not config.input_feeding


def encode(encoder: RecurrentEncoder, embedded: Tensor, lengths: Tensor) -> Memory:
    """Run the encoder, both directions in parallel."""
    mask, mirrored = encoder.places(embedded.shape[1], lengths.to(embedded.device))
    embedded = encoder.dropout(embedded)
    readers = [
        dict(direction[0].named_parameters()) for direction in (encoder.forwards, encoder.backwards)
    ]
    gates = [
        F.linear(embedded, parameters["weight_ih_l0"], parameters["bias_ih_l0"])
        for parameters in readers
    ]
    gates[1] = encoder.reorder(gates[1], mirrored)
    weight = torch.stack([parameters["weight_hh_l0"] for parameters in readers])
    bias = torch.stack([parameters["bias_hh_l0"] for parameters in readers])
    first = embedded.new_zeros(2, len(embedded), weight.shape[-1])
    states = _scan(torch.stack(gates).permute(2, 0, 1, 3), first, weight, bias)
    ahead, back = states.permute(1, 2, 0, 3)
    states = torch.cat([ahead, encoder.reorder(back, mirrored)], dim=-1)
    return Memory(encoder.dropout(states), mask)


def _scan(gates: Tensor, first: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return the states (T, G, B, H) of G parallel GRUs.

    Takes the gates (T, G, B, 3H) as far as they come from the input, the state before the first
    step (G, B, H), and the recurrent weights (G, 3H, H) and (G, 3H).
    """
    states: Tensor = _Scan.apply(gates, first, weight, bias, _kind(gates))  # type: ignore[no-untyped-call]
    return states


def _attention_scan(
    gates: Tensor,
    embedded: Tensor,
    first: Tensor,
    keys: Keys,
    attention: Additive,
    given: Tensor,
    cell: nn.GRUCell,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return states (B, T, H), contexts (B, T, M) and weights (B, T, K) of a GRU with attention.

    The attention comes before the update. Takes the gates (B, T, 3H) as far as they come from the
    input tokens, their embeddings (B, T, D), the state before the first step (B, H), the keys, and
    the weights of the context (3H, M).
    """
    width = first.shape[-1]
    by_state, by_token = attention.query.weight[:, :width], attention.query.weight[:, width:]
    token_query = F.linear(embedded, by_token) if by_token.numel() else gates.new_zeros(())
    made = _AttentionScan.apply(  # type: ignore[no-untyped-call]
        gates.transpose(0, 1),
        token_query.expand(*gates.shape[:2], len(by_state)).transpose(0, 1),
        first,
        keys.keys[:, 0],
        keys.values[:, 0],
        keys.mask,
        by_state,
        attention.energy.weight,
        given,
        cell.weight_hh,
        cell.bias_hh,
        _kind(gates),
    )
    hidden, context, attended = (made_part.transpose(0, 1) for made_part in made)
    return hidden, context, attended


def _kind(values: Tensor) -> torch.dtype:
    """Return the type of matrix products."""
    device = values.device.type
    if torch.is_autocast_enabled(device):
        return torch.get_autocast_dtype(device)
    return values.dtype


def _wide(kind: torch.dtype) -> torch.dtype:
    """Return the type of everything else."""
    return torch.promote_types(kind, torch.float32)


tanh_gradient = torch.ops.aten.tanh_backward
sigmoid_gradient = torch.ops.aten.sigmoid_backward


def _update(given: Tensor, recurrent: Tensor, state: Tensor, new: Tensor) -> tuple[Tensor, Tensor]:
    """Write a GRU's new state; gives its gates r z (…, 2H) and its proposal n (…, H)."""
    width = state.shape[-1]
    both = (given[..., : 2 * width] + recurrent[..., : 2 * width]).sigmoid_()
    reset, keep = both.chunk(2, dim=-1)
    proposal = torch.addcmul(given[..., 2 * width :], reset, recurrent[..., 2 * width :]).tanh_()
    torch.lerp(proposal, state, keep, out=new)
    return both, proposal


def _update_gradient(
    d_state: Tensor,
    both: Tensor,
    proposal: Tensor,
    recurrent: Tensor,
    state: Tensor,
    d_given: Tensor,
    d_recurrent: Tensor,
) -> None:
    """Write the gradients of the gates (…, 3H), as far as given and as far as recurrent."""
    width = state.shape[-1]
    reset, keep = both.chunk(2, dim=-1)
    d_proposal = tanh_gradient(d_state - d_state * keep, proposal)
    d_reset = sigmoid_gradient(d_proposal * recurrent[..., 2 * width :], reset)
    d_keep = sigmoid_gradient(d_state * (state - proposal), keep)
    for gradient in (d_given, d_recurrent):
        gradient[..., :width] = d_reset
        gradient[..., width : 2 * width] = d_keep
    d_given[..., 2 * width :] = d_proposal
    d_recurrent[..., 2 * width :] = d_proposal * reset


class _Scan(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, gates: Tensor, first: Tensor, weight: Tensor, bias: Tensor, kind: torch.dtype
    ) -> Tensor:
        wide = _wide(kind)
        steps = len(gates)
        with torch.autocast(gates.device.type, enabled=False):
            turned = weight.to(kind).transpose(1, 2).contiguous()
            bias = bias.to(wide)[:, None]
            states = first.new_empty(steps + 1, *first.shape, dtype=wide)
            readers, rows, width = first.shape
            inputs = first.new_empty(readers, steps, rows, width, dtype=kind)
            states[0] = first
            kept = []
            for step in range(steps):
                inputs[:, step] = states[step]
                recurrent = torch.bmm(inputs[:, step], turned).to(wide).add_(bias)
                given = gates[step].to(wide)
                kept.append((*_update(given, recurrent, states[step], states[step + 1]), recurrent))
        ctx.kept, ctx.kind = kept, kind
        ctx.save_for_backward(weight, states, inputs)
        return states[1:]

    @staticmethod
    def backward(ctx: Any, d_states: Tensor) -> tuple[Tensor | None, ...]:
        weight, states, inputs = ctx.saved_tensors
        kind = ctx.kind
        weight = weight.to(kind)
        width = states.shape[-1]
        d_gates = inputs.new_empty(*states[1:].shape[:-1], 3 * width)
        d_recurrent = inputs.new_empty(*inputs.shape[:-1], 3 * width)
        d_state = torch.zeros_like(states[0])
        for step in reversed(range(len(d_gates))):
            both, proposal, recurrent = ctx.kept.pop()
            d_state += d_states[step]
            pushed = d_recurrent[:, step]
            _update_gradient(
                d_state, both, proposal, recurrent, states[step], d_gates[step], pushed
            )
            d_state *= both[..., width:]
            d_state += torch.bmm(pushed, weight)
        all_pushed, all_inputs = d_recurrent.flatten(1, 2), inputs.flatten(1, 2)  # (G, T·B, …)
        d_weight = torch.stack([p.T @ a for p, a in zip(all_pushed, all_inputs, strict=True)])
        d_bias = torch.stack([p.sum(dim=0, dtype=_wide(kind)) for p in all_pushed])
        return d_gates, d_state, d_weight, d_bias, None


class _AttentionScan(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        gates: Tensor,
        words: Tensor,
        first: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor,
        query: Tensor,
        energy: Tensor,
        given: Tensor,
        weight: Tensor,
        bias: Tensor,
        kind: torch.dtype,
    ) -> tuple[Tensor, Tensor, Tensor]:
        wide = _wide(kind)
        ctx.kind = kind
        steps, parts = len(gates), len(query)
        with torch.autocast(gates.device.type, enabled=False):
            keys, values, energy = keys.to(wide), values.to(kind), energy.to(wide)
            query_weight = torch.cat([query, weight]).to(kind)  # the state is the query of both
            from_context = given.to(kind)
            bias = bias.to(wide)
            states = first.new_empty(steps + 1, *first.shape, dtype=wide)
            inputs = first.new_empty(steps, *first.shape, dtype=kind)
            attended = first.new_empty(steps, *mask.shape, dtype=wide)
            contexts = first.new_empty(steps, len(first), values.shape[-1], dtype=kind)
            states[0] = first
            kept = []
            for step in range(steps):
                inputs[step] = states[step]
                product = F.linear(inputs[step], query_weight).to(wide)
                projected, recurrent = product[:, :parts], product[:, parts:] + bias
                projected = projected + words[step]
                energies = (keys + projected[:, None]).tanh_()
                weights = softmax(masked((energies @ energy.T)[..., 0], mask))
                attended[step] = weights
                contexts[step] = torch.bmm(weights.to(kind)[:, None], values)[:, 0]
                product = F.linear(contexts[step], from_context).to(wide).add_(gates[step])
                both, proposal = _update(product, recurrent, states[step], states[step + 1])
                kept.append((both, proposal, recurrent, energies))
        ctx.kept = kept
        ctx.save_for_backward(
            query, energy, given, weight, values, states, inputs, attended, contexts
        )
        return states[1:], contexts, attended

    @staticmethod
    def backward(
        ctx: Any, d_states: Tensor, d_contexts: Tensor, d_attended: Tensor
    ) -> tuple[Tensor | None, ...]:
        query, energy, given, weight, values, states, inputs, attended, contexts = ctx.saved_tensors
        kind, wide = ctx.kind, _wide(ctx.kind)
        query_weight, from_context = torch.cat([query, weight]).to(kind), given.to(kind)
        steps, width = len(inputs), states.shape[-1]
        d_gates = inputs.new_empty(steps, len(values), 3 * width)
        d_inputs = inputs.new_empty(steps, len(values), len(query_weight))
        d_read = torch.empty_like(contexts)
        d_state = torch.zeros_like(states[0])
        d_energy = torch.zeros_like(energy[0])
        d_keys: Tensor | None = None
        for step in reversed(range(steps)):
            both, proposal, recurrent, energies = ctx.kept.pop()
            d_state += d_states[step]
            _update_gradient(
                d_state,
                both,
                proposal,
                recurrent,
                states[step],
                d_gates[step],
                d_inputs[step, :, len(query) :],
            )
            torch.add(d_gates[step] @ from_context, d_contexts[step], out=d_read[step])
            d_scores = torch.bmm(values, d_read[step, :, :, None])[..., 0].to(wide)
            d_scores = d_scores.add_(d_attended[step]).mul_(attended[step])
            d_scores = d_scores.sub_(attended[step] * d_scores.sum(dim=1, keepdim=True))
            d_energy += d_scores.flatten() @ energies.flatten(0, 1)
            slope = tanh_gradient(d_scores[..., None] * energy[0], energies)
            d_inputs[step, :, : len(query)] = slope.sum(dim=1)
            d_keys = slope if d_keys is None else d_keys.add_(slope)
            d_state *= both[:, width:]
            d_state += d_inputs[step] @ query_weight
        pushed = d_inputs.flatten(0, 1)  # (T·B, A + 3H)
        d_query_weight = pushed.T @ inputs.flatten(0, 1)
        d_query, d_weight = d_query_weight[: len(query)], d_query_weight[len(query) :]
        d_bias = pushed[:, len(query) :].sum(dim=0, dtype=wide)
        d_given = d_gates.flatten(0, 1).T @ contexts.flatten(0, 1)
        d_values = torch.bmm(attended.to(kind).permute(1, 2, 0), d_read.transpose(0, 1))
        d_words = d_inputs[..., : len(query)]
        input_grads = (d_words, d_state, d_keys, d_values, None, d_query, d_energy[None])
        return d_gates, *input_grads, d_given, d_weight, d_bias, None
