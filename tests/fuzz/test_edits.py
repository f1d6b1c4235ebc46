"""Random lists of edits: made, or refused with a documented code."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from heed.app.errors import all_codes
from tests.conftest import Running
from tests.scale import amount

URL = "/api/v1/translate"
OPERATIONS = (
    *("block", "only", "scale", "set", "silence"),
    *("temperature", "uniform", "permute", "row", "gate"),
)
INDEX = some.one_of(some.integers(0, 12), some.sampled_from([-1, 99, 10_000, 2**60]))
PLACES = some.one_of(
    INDEX,
    some.lists(INDEX, max_size=5),
    some.builds(lambda first, last: {"first": first, "last": last}, INDEX, INDEX),
    some.sampled_from(["all", "some", None, True, 1.5, {}, [[0]]]),
)
NUMBER = some.one_of(
    some.floats(0, 1),
    some.sampled_from([0, 1, -1, 1e-320, 1e30, 1e300, 5, "1", None, [], True]),
)
SCOPE = {
    "kind": some.sampled_from(["cross", "encoder-self", "decoder-self", "drawn", 3]),
    "axis": some.sampled_from(["source", "question", "target"]),
    "layers": PLACES,
    "heads": PLACES,
    "queries": PLACES,
}
OWN: dict[str, Any] = {
    "keys": PLACES,
    "words": some.sampled_from(["may", "MAY", "the", "\ud800", "", ["may", "3"], ["x"] * 200]),
    "box": some.lists(NUMBER, max_size=5),
    "factor": NUMBER,
    "weight": NUMBER,
    "temperature": NUMBER,
    "seed": some.one_of(INDEX, NUMBER),
    "weights": some.lists(NUMBER, max_size=14),
    "value": NUMBER,
}
NEEDED = {
    **dict.fromkeys(("block", "only", "silence"), ("keys",)),
    "scale": ("keys", "factor"),
    "set": ("keys", "weight"),
    "temperature": ("temperature",),
    "row": ("weights",),
    "gate": ("value",),
}
LIKELY = {"keys": some.integers(0, 10), "factor": some.floats(0, 9), "weight": some.floats(0, 1)}


@some.composite
def odd_edits(draw: some.DrawFn) -> dict[str, Any]:
    """An edit that is nearly right: with the fields that it needs, some others, and odd values."""
    op = draw(some.sampled_from(OPERATIONS))
    usual = draw(some.integers(0, 3)) > 0
    edit = {"op": op}
    for name in NEEDED.get(op, ()):
        edit[name] = draw(LIKELY.get(name, OWN[name]) if usual else OWN[name])
    for name in draw(some.lists(some.sampled_from(sorted(SCOPE)), max_size=2)):
        edit[name] = draw(SCOPE[name])
    if not usual:
        for name in draw(some.lists(some.sampled_from(sorted(OWN)), max_size=2)):
            edit[name] = draw(OWN[name])
    return edit


LISTS = some.one_of(
    some.lists(odd_edits(), max_size=6),
    some.builds(lambda edit, times: [edit] * times, odd_edits(), some.sampled_from([50, 200, 201])),
    some.sampled_from([None, {}, "block", [[]], [None], [{}]]),
)
SEARCHES = some.sampled_from(
    [{"kind": "greedy"}] * 3 + [{"kind": "beam", "beam": 2}, {"kind": "sample", "seed": 1}]
)


@settings(
    max_examples=amount(500, 2000),
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(
    edits=LISTS,
    search=SEARCHES,
    model=some.sampled_from(["dates-dot", "dates-additive", "dates-none", "en-fr-transformer"]),
    continue_from=some.sampled_from([None, None, 0, 3, 9_999]),
    target=some.sampled_from([None, None, "2026-05"]),
)
def test_odd_lists_of_edits_are_made_or_refused(
    server: Running, edits: Any, search: Any, model: str, continue_from: Any, target: Any
) -> None:
    body = {"text": "3 may", "model": model, "edits": edits, "search": search, "detail": "weights"}
    body |= {"continue_from": continue_from, "target": target}
    answer = server.client.post(URL, json=_without_surrogates(body))
    assert answer.status_code in (200, 422), answer.text
    if answer.status_code == 422:
        assert answer.json()["error"]["code"] in all_codes()
        return
    trace = answer.json()
    for attention in trace["maps"]:
        sinks = attention.get("sinks", [0] * len(attention["weights"]))
        for row, sink in zip(attention["weights"], sinks, strict=True):
            assert abs(sum(row) + sink - 1) < 2e-3
    if "baseline" in trace:
        changes = trace["baseline"]["changes"]
        assert len(changes) == len(trace["baseline"]["steps"])
        assert all(change["divergence"] >= 0 for change in changes)


def _without_surrogates(value: Any) -> Any:
    """Return JSON that can be encoded; lone surrogates are tried in other texts."""
    if isinstance(value, dict):
        return {name: _without_surrogates(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_surrogates(inner) for inner in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
