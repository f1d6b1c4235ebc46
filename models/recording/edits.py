"""Edits of the attention of a model of transformers, made while it writes and while it is recorded.

Where the rows of a map lie is known once the model has run: each call of attention is one group of
heads, by the path of its module and by how often that has run before.

Shapes: `B` rows of the batch, `H` heads, `Q` queries, `K` keys.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from torch import Tensor

from heed.models.edits.operations import Edit
from heed.models.errors import InputError, RecordingError
from heed.models.generation.edits import EditedModel, ResolvedEdits, resolve
from heed.models.networks.map_group import MapGroup
from heed.models.recording.maps import Axes, masked
from heed.models.recording.tape import Scored, Tape
from heed.models.runtime.edited import EditPlan, edited_weights
from heed.models.trace import Axis, Change, MapKind

MOST_CELLS: Final = 2**28
"""Weights that the edits of a request change together, counted again for each edit."""

Sites = Mapping[tuple[str, int], MapGroup]
"""The groups of heads of a model, each with the path of its module and the number of its run."""


def sites_of(
    tape: Tape, name: str, axes: Mapping[MapKind, Axes], alone: MapKind | None = None
) -> Sites:
    """Return the groups of heads that a run recorded; raises `InputError` if one is out of reach.

    `alone` is the kind of all maps, of a model that has maps of one kind alone.
    """
    sites: dict[tuple[str, int], MapGroup] = {}
    layers = tape.layers() if alone is None else {alone: tape.calls}
    groups = {
        id(call): MapGroup(kind, layer, call.weights.shape[1], *axes[kind])
        for kind, calls in layers.items()
        for layer, call in enumerate(calls)
        if kind in axes
    }
    runs: Counter[str] = Counter()
    for call in tape.calls:
        reason = ""
        if not call.within_reach:
            reason = "returns its weights when it has attended, too late for an edit"
        elif call.sinks is not None:
            reason = "gives a part of its weight to a learned sink"
        if reason:
            message = f"The attention of {name} cannot be edited: its module '{call.path}' {reason}"
            raise InputError("edits_not_supported", f"{message}.", "edits")
        if id(call) in groups:
            sites[call.path, runs[call.path]] = groups[id(call)]
        runs[call.path] += 1
    return sites


def resolved(
    edits: Sequence[Edit],
    name: str,
    sites: Sites,
    source: Axis,
    longest: int,
    *,
    continues: bool,
) -> ResolvedEdits | None:
    """Resolve edits of a model whose output has at most so many tokens, or raise `InputError`."""
    groups = tuple(dict.fromkeys(sites.values()))
    keys = max(len(source) + (longest if continues else 0), longest)
    model = EditedModel(
        name,
        groups,
        {"source": source},
        longest,
        most_rows=MOST_CELLS // keys,
        continues=continues,
    )
    return resolve(edits, model)


class Editor:
    """The hook that edits the calls of a model, whole or token by token."""

    def __init__(self, name: str, sites: Sites, plan: EditPlan) -> None:
        self._name, self._sites, self._plan = name, sites, plan
        self._position = 0  # of the first query of what is written

    def __call__(self, call: Scored) -> Tensor:
        """Return the edited weights of a call."""
        group = self._sites.get((call.path, call.run))
        if group is None:
            return call.weights
        if group.kind == "decoder-self":  # stands before the cross-attention of its layer
            self._position = call.position
        first = 0 if group.kind == "encoder-self" else self._position
        queries = range(first, first + call.weights.shape[2])
        if not self._plan.changes(group, queries):
            return call.weights
        scores = masked(_array(call.scores))
        weights = _array(call.weights)
        edited, unsilenced = edited_weights(
            scores, weights, group, [self._plan] * len(weights), first
        )
        if (np.isfinite(scores).any(axis=-1) & ~unsilenced.any(axis=-1)).any():
            message = f"The edits leave a row of {self._name} without a key that it can see"
            raise RecordingError(f"{message}: block fewer keys.")
        return torch.from_numpy(edited).to(call.weights)

    def add_sinks(self, tape: Tape) -> None:
        """Add the weight that silenced values lack to the calls of a tape."""
        runs: Counter[str] = Counter()
        for place, call in enumerate(tape.calls):
            group = self._sites.get((call.path, runs[call.path]))
            runs[call.path] += 1
            if group is None:
                continue
            silenced = [self._plan.silences(group, head) for head in range(group.heads)]
            if any(silenced):
                missing = (1 - call.weights.sum(-1)).clamp_min(0)  # (B, H, Q)
                missing *= torch.tensor(silenced, device=missing.device)[:, None]
                tape.calls[place] = replace(call, sinks=missing)


def _array(tensor: Tensor) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return tensor.detach().to("cpu", torch.float32).numpy()


def changes(ids: Sequence[int], before: Tensor | None, after: Tensor | None) -> tuple[Change, ...]:
    """Compare the distributions (Q, V) of a text that is forced without edits and with them."""
    if before is None or after is None or not ids:
        return ()
    old, new = (logits.double().log_softmax(-1) for logits in (before, after))
    chances = old.exp()
    apart = torch.where(chances > 0, chances * (old - new), 0.0).sum(-1).clamp_min(0)
    chosen = torch.tensor(ids, device=old.device)[:, None]
    was, now = (logs.gather(1, chosen)[:, 0].tolist() for logs in (old, new))
    return tuple(itertools.starmap(Change, zip(was, now, apart.tolist(), strict=True)))
