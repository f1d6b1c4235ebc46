"""One loop for greedy, beam, sampled and forced decoding, held against a brute-force search."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.models.edits.rows import RowEdit
from heed.models.generation.search import Decoding, Plan, Record, search
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import EditPlan, MapEdit, Plans
from heed.models.runtime.protocol import (
    NEVER_WRITTEN,
    Attended,
    Encoded,
    Ints,
    Ranking,
    Step,
)
from heed.models.text.tokenizer import END, PAD, START
from heed.models.trace import Floats, SearchRequest

LETTERS = [3, 4, 5]
VOCABULARY = 6


class Markov:
    """A runtime small enough to search by hand: the next token depends on the last one only.

    It attends to source token (step mod length), so that a map identifies its hypothesis.
    """

    encode_groups: tuple[MapGroup, ...] = ()
    step_groups = (MapGroup("cross", 0, 1, "target", "source"),)

    def __init__(self, logits: np.ndarray) -> None:
        self.logits = logits
        self.steps = 0
        self.rows: list[int] = []  # of each step

    def encode(self, sources: Sequence[Sequence[int]]) -> Encoded:
        lengths = np.array([len(source) for source in sources])
        memory = np.zeros((len(lengths), 1, 1), np.float32)
        return Encoded(np.stack([lengths, np.zeros_like(lengths)], axis=1), memory, (), (None,))

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, np.ndarray]:
        assert isinstance(state, np.ndarray)
        self.steps += 1
        self.rows.append(len(rows))
        state = state[rows] + [0, 1]
        weights = np.zeros((len(rows), 1, int(state[:, 0].max())), dtype=np.float32)
        for row, (length, count) in enumerate(state):
            weights[row, 0, (int(count) - 1 + int(tokens[row])) % int(length)] = 1
        ones = tokens[:, None].astype(np.float32)
        logits = self.logits[tokens].astype(np.float32)
        looked = (Attended(np.log(weights + 1e-9), weights),)
        return Step(logits, ranked(logits), looked, ones, ones, ones), state


def ranked(logits: np.ndarray) -> Ranking:
    """The ranking that a runtime returns with its logits."""
    table = log_probabilities(logits)
    order = np.argsort(-table[:, NEVER_WRITTEN:], axis=1, kind="stable") + NEVER_WRITTEN
    logs = np.take_along_axis(table, order, axis=1)
    first = order[:, 0]
    rows = np.arange(len(order))
    normalizer = logits[rows, first] - table[rows, first]
    return Ranking(order, logs.astype(np.float32), normalizer.astype(np.float32))


def some_logits(seed: int, end: float = 0.0) -> np.ndarray:
    logits = np.random.default_rng(seed).normal(size=(VOCABULARY, VOCABULARY)) * 2
    logits[:, END] += end
    return logits


def run(runtime: Markov, plans: list[Plan], lengths: list[int] | None = None) -> list[Decoding]:
    lengths = lengths or [4] * len(plans)
    encoded = runtime.encode([[3] * length for length in lengths])
    decodings: list[Decoding] = []
    keys = [{"source": length} for length in lengths]
    for decodings in search(runtime, encoded.state, plans, keys):  # type: ignore[arg-type]  # noqa: B007
        pass
    return decodings


def tokens(decoding: Decoding) -> list[int]:
    return [step.token for step in decoding.ranked()[0].path()]


def log_probabilities(logits: np.ndarray) -> np.ndarray:
    allowed = logits.astype(np.float32).astype(np.float64)
    allowed[:, [PAD, START]] = -np.inf
    return allowed - np.log(np.exp(allowed).sum(axis=1, keepdims=True))


def greedy(**changes: object) -> SearchRequest:
    return SearchRequest("greedy", **changes)  # type: ignore[arg-type]


@given(seed=st.integers(0, 500))
def test_greedy_takes_the_likeliest_each_time(seed: int) -> None:
    logits = some_logits(seed)
    table = log_probabilities(logits)
    expected, last = [], START
    while len(expected) < 7 and last != END:
        row = table[last].copy()
        if not expected:
            row[END] = -np.inf
        last = int(row.argmax())
        expected.append(last)
    (decoding,) = run(Markov(logits), [Plan(greedy(), 7)])
    assert tokens(decoding) == expected


@given(seed=st.integers(0, 500), penalty=st.sampled_from([0.0, 0.6, 1.0]))
@settings(max_examples=50)
def test_a_beam_as_wide_as_everything_finds_the_best_text(seed: int, penalty: float) -> None:
    table = log_probabilities(some_logits(seed))
    longest = 3
    texts = {}
    for length in range(1, longest + 1):
        for letters in itertools.product(LETTERS, repeat=length):
            path = [START, *letters, END][: longest + 1]
            total = sum(table[a, b] for a, b in itertools.pairwise(path))
            texts[tuple(path[1:])] = total / (len(path) - 1) ** penalty
    plan = Plan(SearchRequest("beam", beam=200, length_penalty=penalty), longest)
    (decoding,) = run(Markov(some_logits(seed)), [plan])
    best = decoding.ranked()[0]
    assert tuple(tokens(decoding)) == max(texts, key=lambda text: texts[text])
    assert best.score(penalty) == pytest.approx(max(texts.values()), abs=1e-5)
    scores = [hypothesis.score(penalty) for hypothesis in decoding.ranked()]
    assert scores == sorted(scores, reverse=True)


def test_a_beam_of_one_is_greedy() -> None:
    for seed in range(30):
        runtime = Markov(some_logits(seed))
        one, beam = run(runtime, [Plan(greedy(), 9), Plan(SearchRequest("beam", beam=1), 9)])
        assert tokens(one) == tokens(beam)


def test_a_beam_gives_as_many_different_texts_as_it_is_wide() -> None:
    (decoding,) = run(Markov(some_logits(3)), [Plan(SearchRequest("beam", beam=4), 8)])
    found = [tuple(step.token for step in h.path()) for h in decoding.ranked()]
    assert len(found) == len(set(found)) == 4


def weights_of(record: Record) -> Floats:
    """The row (K,) of the one map, without the padding."""
    weights: Floats = record.rows.step.attended[0].weights[record.row, 0, : record.keys[0]]
    return weights


def test_every_hypothesis_carries_its_own_attention() -> None:
    (decoding,) = run(Markov(some_logits(1)), [Plan(SearchRequest("beam", beam=5), 8)])
    for hypothesis in decoding.ranked():
        path = hypothesis.path()
        fed = [START, *(step.token for step in path)]
        for place, step in enumerate(path):
            assert step.record is not None
            looked_at = int(weights_of(step.record).argmax())
            assert looked_at == (place + fed[place]) % 4


def test_log_probabilities_add_up_along_the_path() -> None:
    table = log_probabilities(some_logits(2))
    for kind in ("greedy", "sample", "beam"):
        (decoding,) = run(Markov(some_logits(2)), [Plan(SearchRequest(kind, beam=3), 8)])  # type: ignore[arg-type]
        for hypothesis in decoding.ranked():
            path = [START, *(step.token for step in hypothesis.path())]
            expected = sum(table[a, b] for a, b in itertools.pairwise(path))
            assert hypothesis.log_probability == pytest.approx(expected, abs=1e-5)


def test_forced_decoding_gives_the_target_and_its_probability() -> None:
    target = (4, 3, 5, END)
    plan = Plan(greedy(), len(target), target)
    (decoding,) = run(Markov(some_logits(5)), [plan])
    table = log_probabilities(some_logits(5))
    path = decoding.ranked()[0].path()
    assert tuple(step.token for step in path) == target
    for before, step in zip([START, *target], path, strict=False):
        assert step.record is not None
        assert step.record.log_probability == pytest.approx(table[before, step.token], abs=1e-5)


def test_the_same_seed_draws_the_same_text_and_others_draw_others() -> None:
    def draw(seed: int) -> list[int]:
        plan = Plan(SearchRequest("sample", seed=seed), 12)
        return tokens(run(Markov(some_logits(7, end=-2)), [plan])[0])

    assert draw(1) == draw(1)
    assert len({tuple(draw(seed)) for seed in range(20)}) > 10


def test_samples_follow_the_models_own_distribution() -> None:
    table = np.exp(log_probabilities(some_logits(8)))[START]
    table[END] = 0
    table /= table.sum()
    plans = [Plan(SearchRequest("sample", seed=seed), 1) for seed in range(2000)]
    first = [tokens(decoding)[0] for decoding in run(Markov(some_logits(8)), plans)]
    for letter in LETTERS:
        assert first.count(letter) / 2000 == pytest.approx(table[letter], abs=0.05)


def test_a_cold_sample_is_greedy() -> None:
    cold = Plan(SearchRequest("sample", temperature=0.01, seed=3), 8)
    sample, best = run(Markov(some_logits(9)), [cold, Plan(greedy(), 8)])
    assert tokens(sample) == tokens(best)


def test_a_text_is_the_same_alone_and_in_a_batch() -> None:
    plans = [
        Plan(greedy(), 9),
        Plan(SearchRequest("beam", beam=3), 5),
        Plan(SearchRequest("sample", seed=4), 9),
        Plan(greedy(), 2, (3, END)),
    ]
    lengths = [2, 7, 4, 5]
    together = run(Markov(some_logits(11)), plans, lengths)
    for plan, length, decoding in zip(plans, lengths, together, strict=True):
        (alone,) = run(Markov(some_logits(11)), [plan], [length])
        assert [h.path()[-1].log_probability for h in alone.ranked()] == [
            h.path()[-1].log_probability for h in decoding.ranked()
        ]
        for ours, theirs in zip(alone.ranked()[0].path(), decoding.ranked()[0].path(), strict=True):
            assert ours.token == theirs.token
            assert ours.record is not None
            assert theirs.record is not None
            assert np.array_equal(weights_of(ours.record), weights_of(theirs.record))


def test_no_text_is_empty_unless_it_was_forced_to_be() -> None:
    logits = some_logits(0)
    logits[START, END] = 50
    plans = [
        Plan(greedy(), 5),
        Plan(SearchRequest("beam", beam=3), 5),
        Plan(SearchRequest("sample"), 5),
    ]
    for decoding in run(Markov(logits), plans):
        assert all(len(hypothesis.path()) > 1 for hypothesis in decoding.ranked()[:1])
    (forced,) = run(Markov(logits), [Plan(greedy(), 1, (END,))])
    assert tokens(forced) == [END]


def test_a_text_that_never_ends_is_cut_off() -> None:
    (decoding,) = run(Markov(some_logits(0, end=-99)), [Plan(greedy(), 6)])
    assert len(tokens(decoding)) == 6
    assert not decoding.ranked()[0].ended


def test_finished_texts_cost_no_more_steps() -> None:
    runtime = Markov(some_logits(0, end=-99))
    run(runtime, [Plan(greedy(), 3), Plan(greedy(), 6)])
    assert runtime.steps == 6


def test_alternatives_are_the_likeliest_with_true_probabilities() -> None:
    (decoding,) = run(Markov(some_logits(4)), [Plan(greedy(), 4)])
    table = np.exp(log_probabilities(some_logits(4)))
    record = decoding.ranked()[0].path()[0].record
    assert record is not None
    probabilities = [math.exp(value) for value in record.log_probabilities]
    assert sum(probabilities) == pytest.approx(1)
    for token, probability in zip(record.likeliest, probabilities, strict=True):
        assert probability == pytest.approx(table[START, token], abs=1e-6)
    assert probabilities == sorted(probabilities, reverse=True)
    assert math.isclose(probabilities[0], table[START].max(), abs_tol=1e-6)


def edits_of_step(step: int) -> EditPlan:
    """Edits of one step."""
    row = RowEdit("block", np.array([0], np.int32))
    only = frozenset([0])
    return EditPlan([MapEdit("cross", "source", only, only, frozenset([step]), row)])


class Edited(Markov):
    """The same, with another table in a step that is edited."""

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, np.ndarray]:
        step, after = super().step(state, rows, tokens)
        logits = step.logits.copy()
        for row, plan in enumerate(edits):
            if plan is not None:
                logits[row, 3:] = logits[row, :2:-1]
        return step._replace(logits=logits, ranking=ranked(logits)), after


def test_outputs_share_a_row_until_an_edit_or_a_word_parts_them() -> None:
    runtime, plan = Edited(some_logits(3, end=-99)), Plan(greedy(), 8, row=0)
    edited = replace(plan, edits=edits_of_step(3))
    before, free, forced = run(runtime, [plan, edited, replace(edited, follows=0)], [4, 4, 4])
    assert tokens(before)[:3] == tokens(free)[:3]
    assert tokens(before)[3] != tokens(free)[3]
    assert runtime.rows == [1, 1, 1, 2, *[3] * 4]
    (alone,) = run(Edited(some_logits(3, end=-99)), [edited])
    assert tokens(alone) == tokens(free)
    assert [change.divergence for change in forced.changes[:3]] == [0, 0, 0]
    assert forced.changes[3].divergence > 0


class TwoTables(Markov):
    """The same, but each row of the encoded batch has a table of its own."""

    def __init__(self, tables: Sequence[np.ndarray]) -> None:
        super().__init__(tables[0])
        self.tables = np.stack(tables)

    def encode(self, sources: Sequence[Sequence[int]]) -> Encoded:
        encoded = super().encode(sources)
        owners = np.arange(len(sources))[:, None]
        return encoded._replace(state=np.concatenate([encoded.state, owners], axis=1))  # type: ignore[list-item]

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, np.ndarray]:
        assert isinstance(state, np.ndarray)
        step, after = super().step(state[:, :2], rows, tokens)
        owners = state[rows][:, 2]
        logits = self.tables[owners, tokens].astype(np.float32)
        after = np.concatenate([after, owners[:, None]], axis=1)
        return step._replace(logits=logits, ranking=ranked(logits)), after


@pytest.mark.parametrize("search", [greedy(), SearchRequest("sample", seed=5)])
def test_an_output_that_follows_another_has_its_tokens_and_is_compared_with_it(
    search: SearchRequest,
) -> None:
    tables = [some_logits(seed) for seed in (3, 4)]
    leader, free, follower = run(
        TwoTables([*tables, tables[1]]),  # type: ignore[arg-type]
        [
            Plan(search, 9),
            Plan(search, 9, follows=0, free_from=2, row=1),
            Plan(search, 9, follows=0),
        ],
    )
    written = tokens(leader)
    assert tokens(follower) == written
    assert tokens(free)[:2] == written[:2]
    assert not free.changes
    logs = [log_probabilities(table.copy()) for table in tables]
    last = START
    for token, change in zip(written, follower.changes, strict=True):
        before, after = (np.delete(table[last], [PAD, START]) for table in logs)
        assert change.before == pytest.approx(logs[0][last, token], abs=1e-5)
        assert change.after == pytest.approx(logs[1][last, token], abs=1e-5)
        assert change.divergence == pytest.approx(np.exp(before) @ (before - after), abs=1e-5)
        last = token


def test_a_target_may_be_only_the_beginning_of_an_output() -> None:
    logits, target = some_logits(6), (LETTERS[2], LETTERS[0], END)
    for wanted in (greedy(), SearchRequest("beam", beam=3)):
        (decoding,) = run(Markov(logits), [Plan(wanted, 9, target, free_from=2)])
        assert tokens(decoding)[:2] == list(target[:2])
        assert len(tokens(decoding)) > 2
