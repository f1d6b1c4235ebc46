"""Four times as many requests as a model can answer."""

from __future__ import annotations

import asyncio

from tests.live import Live
from tests.scale import LONG, amount, report, resident
from tests.traffic import SENTENCE, flood, steady, together

ROUNDS = amount(1, 6)
STEADY_SECONDS, FLOOD_SECONDS = amount(2.0, 5.0), amount(3.0, 10.0)
MAX_GROWTH_BYTES = amount(60_000_000, 20_000_000)


def test_overload_is_refused_quickly_and_throughput_is_kept(it: Live) -> None:
    host, port = it.host, it.port
    rate = asyncio.run(steady(host, port, 8, 1.0, SENTENCE)).rate()
    asyncio.run(flood(host, port, 4 * rate, 1.0, SENTENCE))  # allocates that of the connections
    before = resident(it.pid)
    usual, flooded = [], []
    for _ in range(ROUNDS):  # in turns, as a shared machine gets slower and faster
        usual.append(asyncio.run(steady(host, port, 8, STEADY_SECONDS, SENTENCE)))
        rate = 4 * usual[-1].rate()
        flooded.append(asyncio.run(flood(host, port, rate, FLOOD_SECONDS, SENTENCE)))
    more = resident(it.pid) - before
    after = asyncio.run(steady(host, port, 2, 0.5, SENTENCE))
    peak, kept = together(usual), together(flooded)
    report(
        peak=peak.rate(),
        answered=sum(kept.statuses.values()) / kept.took,
        useful=kept.rate(),
        share=kept.rate() / peak.rate(),
        shares=[
            round(each.rate() / one.rate(), 2) for each, one in zip(flooded, usual, strict=True)
        ],
        answers=kept.statuses,
        refusal_p50=kept.at(0.5, 503),
        refusal_p99=kept.at(0.99, 503),
        answer_p99=kept.at(0.99),
        megabytes_more=more / 1e6,
    )
    assert set(peak.statuses) == {200}
    assert not kept.lost
    assert set(kept.statuses) == {200, 503}
    if LONG:
        assert kept.rate() > 0.8 * peak.rate()
        assert kept.at(0.99, 503) < 0.05
    assert more < MAX_GROWTH_BYTES
    assert set(after.statuses) == {200}, "the server has recovered"
