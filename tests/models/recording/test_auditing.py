"""Models of transformers are audited as they are traced under edits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import heed
from heed.models.audit.audit import Audit, AuditRun
from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import LEAST_AT_ONCE, ForcedSteps
from heed.models.audit.order_search import OrdersRun
from heed.models.edits.operations import Block, Silence
from heed.models.errors import InputError, RecordingError
from heed.models.recording.audit_runtimes import ContinuingRuntime
from heed.models.recording.auditing import audited
from heed.models.recording.load import tracer_of
from tests.models.recording import small
from tests.models.recording.test_families import DECODERS, GROUPED
from tests.models.recording.test_families import model as family

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

CLOSE = 1e-5
TEXT, TARGET = "I do not know", "she lives ."


def audit_of(tracer: Any, given: Any, target: str, **choices: Any) -> Audit:
    """Audit the output that a model is forced to write."""
    pipeline, prepared = audited(tracer, given, target=target)
    run: Any = AuditRun(pipeline, prepared, AuditChoices(**{"seeds": 2, **choices}))  # type: ignore[arg-type]
    result: Audit = run.finished()
    return result


@pytest.mark.parametrize(("removal", "edit"), [("block", Block), ("silence", Silence)])
def test_the_effect_of_a_cell_is_that_of_a_run_under_the_edit(removal: str, edit: Any) -> None:
    tokenizer = small.words()
    tracer = tracer_of(small.spread(small.bart(len(tokenizer))), tokenizer)
    audit = audit_of(tracer, TEXT, TARGET, removal=removal)
    maps = [m.weights for m in audit.trace.output.maps if m.kind == "cross"]
    assert audit.attention == pytest.approx(np.mean(maps, axis=0), abs=CLOSE)
    for row in range(len(audit.costs)):
        for key in (0, 2):
            edits = [edit(queries=row, keys=key)]
            edited = tracer.trace(TEXT, target=TARGET, edits=edits)
            assert edited.baseline is not None
            change = edited.baseline.changes[row]
            assert audit.costs[row, key] == pytest.approx(change.before - change.after, abs=1e-4)
    assert audit.left_out is not None
    shorter = tracer.trace("I do know", target=TARGET)
    before = audit.trace.output.steps
    place = audit.left_out.words.index(2)
    for row, step in enumerate(shorter.output.steps):
        cost = before[row].log_probability - step.log_probability
        assert audit.left_out.cost[row, place] == pytest.approx(cost, abs=1e-4)


def test_the_cells_of_a_captioner_are_taken_one_by_one() -> None:
    tokenizer = small.words()
    tracer = tracer_of(small.captioner(len(tokenizer)), small.seeing(tokenizer))
    picture = Image.fromarray(np.arange(24 * 24 * 3, dtype=np.uint8).reshape(24, 24, 3))
    audit = audit_of(tracer, picture, "she lives")
    assert audit.costs.shape[1] == len(audit.trace.source)
    assert audit.left_out is not None
    cell = audit.left_out.words[4]
    edited = tracer.trace(picture, target="she lives", edits=[Block(keys=cell)])
    assert edited.baseline is not None
    for row, change in enumerate(edited.baseline.changes):
        assert audit.left_out.cost[row, 4] == pytest.approx(change.before - change.after, abs=1e-4)


def masked_log_probability(
    model: Any, ids: Sequence[int], token: int, blocked: Sequence[int] = ()
) -> float:
    """Return log p of the next token if the last one does not look at some keys, in any layer."""
    count = len(ids)
    mask = torch.full((count, count), torch.finfo(torch.float32).min).triu(1)
    mask[-1, list(blocked)] = torch.finfo(torch.float32).min
    model.set_attn_implementation("eager")
    with torch.no_grad():
        logits = model(torch.tensor([list(ids)]), attention_mask=mask[None, None]).logits
    return float(logits[0, -1].log_softmax(-1)[token])


def continuing() -> tuple[Any, Any]:
    """Return a tiny random model that continues a prompt, and its tokenizer."""
    tokenizer = small.words(ended=False)
    return small.gpt2(len(tokenizer)), tokenizer


def test_the_figures_of_a_model_that_continues_a_text_are_those_of_a_loop_over_masks() -> None:
    model, tokenizer = continuing()
    prompt, answer = (tokenizer(text)["input_ids"] for text in (TEXT, TARGET))
    audit = audit_of(tracer_of(model, tokenizer), TEXT, TARGET)
    assert audit.costs.shape == (len(answer), len(prompt) + len(answer))
    for row, token in enumerate(answer):
        ids = [*prompt, *answer[:row]]
        whole = masked_log_probability(model, ids, token)
        effects = [
            whole - masked_log_probability(model, ids, token, [key]) for key in range(len(ids))
        ]
        assert audit.costs[row, : len(ids)] == pytest.approx(effects, abs=CLOSE)
        assert np.isnan(audit.costs[row, len(ids) :]).all()  # not written yet
        strongest = np.argsort(-audit.attention[row, : len(ids)])[: audit.controls.keys]
        together = whole - masked_log_probability(model, ids, token, strongest.tolist())
        assert audit.controls.cost[row] == pytest.approx(together, abs=CLOSE)
        with torch.no_grad():
            maps = model(torch.tensor([ids]), output_attentions=True).attentions
        weights = torch.stack(maps)[:, 0, :, -1].mean(dim=(0, 1)).numpy()
        assert audit.attention[row, : len(ids)] == pytest.approx(weights, abs=CLOSE)
        assert audit.agreements.attention.taus[row] == pytest.approx(kendall(weights, effects))
        assert audit.left_out is not None
        for place, left_out in enumerate(audit.left_out.words):
            shorter = [id for at, id in enumerate(ids) if at != left_out]
            cost = whole - masked_log_probability(model, shorter, token)
            assert audit.left_out.cost[row, place] == pytest.approx(cost, abs=CLOSE)
    assert audit.left_out.words == (*range(len(prompt)),)  # not of what it wrote itself


def kendall(weights: Sequence[float], effects: Sequence[float]) -> float:
    """Return Kendall's τ of two rows without ties, pair by pair."""
    pairs = list(itertools.combinations(range(len(weights)), 2))
    alike = [(weights[a] - weights[b]) * (effects[a] - effects[b]) > 0 for a, b in pairs]
    return (2 * sum(alike) - len(pairs)) / len(pairs)


@pytest.mark.parametrize(("_name", "built", "config", "more"), DECODERS)
def test_a_step_behind_kept_keys_is_that_of_a_whole_pass(
    _name: str, built: str, config: str, more: Any
) -> None:
    tokenizer = small.words(ended=False)
    sizes = {**GROUPED, "vocab_size": len(tokenizer)}
    tracer = tracer_of(small.spread(family(built, config, **sizes, **more)()), tokenizer)
    audit = audit_of(tracer, TEXT, TARGET, layer=1, head=2)
    read = len(tokenizer(TEXT)["input_ids"])
    for row, key in ((0, 1), (2, 3), (2, 5)):
        edits = [Block(layers=1, heads=2, queries=read - 1 + row, keys=key)]
        edited = tracer.trace(TEXT, target=TARGET, edits=edits)
        assert edited.baseline is not None
        change = edited.baseline.changes[row]
        assert audit.costs[row, key] == pytest.approx(change.before - change.after, abs=CLOSE)


def test_prompts_of_different_lengths_are_continued_together() -> None:
    model, tokenizer = continuing()
    runtime = ContinuingRuntime(tracer_of(model, tokenizer), tracer_of(model, tokenizer).sites("I"))
    prompts = [[5, 6, 7], [8], [9, 10, 11]]
    state = runtime.encode(prompts).state
    step, state = runtime.step(state, np.array([2, 1, 0]), np.zeros(3, np.int64))
    after, _ = runtime.step(state, np.array([1, 0]), np.array([12, 13]))
    for logits, ids in zip(
        [*step.logits, *after.logits], [*prompts[::-1], [8, 12], [9, 10, 11, 13]], strict=True
    ):
        with torch.no_grad():
            whole = model(torch.tensor([ids])).logits[0, -1]
        assert logits[: len(whole)] == pytest.approx(whole.numpy(), abs=CLOSE)
    assert np.isinf(after.attended[0].scores[0, 0]).tolist() == [False, False, True, True]


def test_long_prompts_are_taken_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    rows: list[int] = []

    class Counted(ContinuingRuntime):
        def encode(self, sources: Sequence[Any], *options: Any) -> Any:
            read.append(sum(map(len, sources)))
            return super().encode(sources, *options)

        def step(self, state: object, taken: Any, *given: Any) -> Any:
            rows.append(len(taken))
            return super().step(state, taken, *given)

    monkeypatch.setattr("heed.models.recording.auditing.ContinuingRuntime", Counted)
    for module in ("audit", "forced"):
        monkeypatch.setattr(f"heed.models.audit.{module}.TOKENS_AT_ONCE", 8)
    model, tokenizer = continuing()
    audit_of(tracer_of(model, tokenizer), TEXT, TARGET)
    assert max(read) <= 8
    assert max(rows) == LEAST_AT_ONCE


def test_the_logits_of_a_whole_pass_are_those_of_its_last_token() -> None:
    tokenizer = small.words()
    tracer = tracer_of(small.bart(len(tokenizer)), tokenizer)
    pipeline, prepared = audited(tracer, TEXT, target=TARGET)
    shapes: list[Any] = []
    head = tracer.model.get_output_embeddings()
    head.register_forward_hook(lambda _module, _given, logits: shapes.append(logits.shape[1]))
    for _ in ForcedSteps(pipeline.runtime, prepared.source, [5, 6, 7]):
        pass
    assert shapes == [1, 1, 1]


def test_a_search_for_orders_has_a_price_once_the_keys_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, tokenizer = continuing()
    pipeline, prepared = audited(tracer_of(model, tokenizer), TEXT, target=TARGET)
    run: Any = OrdersRun(pipeline, prepared, AuditChoices(row=2, figure="orders"))  # type: ignore[arg-type]
    monkeypatch.setattr("heed.models.audit.run.MOST_ROWS", 2**5)
    with pytest.raises(InputError, match="more than 32"):
        list(run.steps())


def test_a_model_that_ignores_its_attention_has_no_effects() -> None:
    model, tokenizer = continuing()
    for block in model.transformer.h:
        torch.nn.init.zeros_(block.attn.c_proj.weight)
    audit = heed.audit(model, tokenizer, TEXT, target=TARGET, seeds=2)
    assert np.nanmax(np.abs(audit.figures.costs)) == pytest.approx(0, abs=CLOSE)
    assert "less than 0.1 bits" in audit.verdict[0]


def test_what_attends_out_of_reach_is_refused() -> None:
    tokenizer = small.words()
    blip = tracer_of(small.blip(len(tokenizer)), small.seeing(tokenizer))
    with pytest.raises((RecordingError, InputError)):
        audited(blip, Image.new("RGB", (24, 24)))
    bert = tracer_of(small.bert(len(tokenizer)), tokenizer)
    with pytest.raises(InputError, match="writes nothing"):
        audited(bert, TEXT)


def test_the_library_audits_a_folder(tmp_path: Path) -> None:
    tokenizer = small.words()
    folder = small.saved(tmp_path / "own", small.spread(small.bart(len(tokenizer))), tokenizer)
    audit = heed.audit(folder, TEXT, target=TARGET, seeds=2)
    assert len(audit.verdict) == 3
    assert audit.save(tmp_path / "a.npz").exists()
    assert audit.orders(0).verdict
    with pytest.raises(InputError, match="models of Heed alone"):
        audit.rewritten()
