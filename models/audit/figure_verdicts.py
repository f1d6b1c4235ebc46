"""The sentences of the figures on demand, made from their numbers and their baselines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heed.models.audit.audit import Audit
from heed.models.audit.contrast import Contrast
from heed.models.audit.curves import Curves
from heed.models.audit.order_search import SearchedOrders
from heed.models.audit.rewritten import Rewritten
from heed.models.audit.verdict import BIT, SMALL, bits, noun_of, taking, two, verdict
from heed.models.trace import GridAxis, TokenAxis

Figure = Audit | Contrast | Rewritten | SearchedOrders | Curves


def verdict_of(figure: Figure) -> tuple[str, ...]:
    """Return the sentences of any figure."""
    match figure:
        case Audit():
            return verdict(figure)
        case Contrast():
            return (_contrast(figure),)
        case Rewritten():
            return (_rewritten(figure),)
        case SearchedOrders():
            return tuple(_orders(figure))
        case Curves():
            return tuple(_curves(figure))


def _contrast(contrast: Contrast) -> str:
    own, other = contrast.log_probabilities
    total = contrast.total / BIT
    more = f"“{contrast.word}” is {bits(abs(own - other) / BIT)} bits"
    more += f" {'likelier' if own >= other else 'less likely'} than “{contrast.other}”"
    if not np.abs(total).max() >= SMALL:
        return f"{more}; no single {noun_of(contrast)} changes that by 0.1 bits."
    key = int(np.abs(total).argmax())
    name = key_name(contrast.trace.source, key)
    words = f"“{contrast.word}”", f"“{contrast.other}”"
    to = " to ".join(words if total[key] > 0 else words[::-1])
    return (
        f"{more}. {taking(contrast)} {name} moves {bits(abs(float(total[key])))} bits from {to}, "
        f"more than any other {noun_of(contrast)}; the mean of all is "
        f"{bits(float(np.abs(total).mean()))}."
    )


def _rewritten(rewritten: Rewritten) -> str:
    noun = "cell" if noun_of(rewritten) == "cell" else "word"
    count, kept = len(rewritten.outputs), rewritten.kept
    if not count:
        return f"There is no {noun} that can be taken."
    if rewritten.choices.unit == "word":
        does = f"Leaving one {noun} out of the input"
    else:
        does = f"{taking(rewritten)} one {noun} in every row"
    changed = float(np.mean([output.changed for output in rewritten.outputs]))
    return (
        f"{does} changes the output for {count - kept} of {count} {noun}s, by {changed:.1f} of "
        f"its {rewritten.words} words on average."
    )


def _orders(searched: SearchedOrders) -> Iterator[str]:
    orders = searched.orders
    attention, effects = orders.attention, orders.effects
    if attention.comprehensiveness is None or orders.random is None:
        yield "No order of the keys of this row costs more than another."
        return
    kind = "" if searched.exact else " (estimated by beam search)"
    for name, value, theirs, random in (
        (
            "Comprehensiveness",
            attention.comprehensiveness,
            effects.comprehensiveness,
            orders.random[0],
        ),
        ("Sufficiency", attention.sufficiency, effects.sufficiency, orders.random[1]),
    ):
        yield (
            f"{name} of the weights is {two(value or 0)} between the worst and the best "
            f"order{kind}; of the costs {two(theirs or 0)}, of random orders "
            f"{two(random.mean)} ({two(random.low)} to {two(random.high)})."
        )


def _curves(curves: Curves) -> Iterator[str]:
    ways = {"keys": "as keys", "blur": "by blur", "mean": "by mean colour"}
    for areas in curves.areas:
        for does, of, random, best in (
            ("Deleting", areas.deletion, areas.random_deletion, min),
            ("Inserting", areas.insertion, areas.random_insertion, max),
        ):
            means = {**of, "random": random.mean}
            winner = best(means, key=means.__getitem__)
            others = ", ".join(
                f"{name} {two(value)}" for name, value in of.items() if name != "attention"
            )
            yield (
                f"{does} cells {ways[areas.way]}: area {two(of['attention'])} in the order of the "
                f"attention; {others}, random {two(random.mean)} ({two(random.low)} to "
                f"{two(random.high)}). {'Least' if best is min else 'Most'}: {winner}."
            )


def key_name(source: object, key: int) -> str:
    """Return the name of a key in a sentence."""
    if isinstance(source, GridAxis):
        row, column = divmod(key - len(source.marks), source.columns)
        return f"the cell in row {row + 1}, column {column + 1}"
    if isinstance(source, TokenAxis) and not source.tokens[key].special:
        return f"“{source.tokens[key].text.strip()}”"
    return "the end mark"
