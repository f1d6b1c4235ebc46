"""Four times as many requests as a model can answer."""

from __future__ import annotations

import asyncio

from tests.live import Live
from tests.scale import LONG, amount, report, resident
from tests.traffic import SENTENCE, flood, steady

SECONDS = amount(3.0, 60.0)
MAX_GROWTH_BYTES = amount(60_000_000, 20_000_000)


def test_overload_is_refused_quickly_and_throughput_is_kept(it: Live) -> None:
    host, port = it.host, it.port
    asyncio.run(steady(host, port, 8, 1.0, SENTENCE))
    peak = asyncio.run(steady(host, port, 8, amount(2.0, 15.0), SENTENCE))
    assert set(peak.statuses) == {200}
    asyncio.run(
        flood(host, port, 4 * peak.rate(), 1.0, SENTENCE)
    )  # allocate the memory of the connections
    before = resident(it.pid)
    flooded = asyncio.run(flood(host, port, 4 * peak.rate(), SECONDS, SENTENCE))
    more = resident(it.pid) - before
    after = asyncio.run(steady(host, port, 8, amount(0.5, 15.0), SENTENCE))
    assert set(after.statuses) == {200}, "the server has recovered"
    usual = (peak.rate() + after.rate()) / 2  # a shared machine gets slower and faster
    report(
        before=peak.rate(),
        after=after.rate(),
        answered=sum(flooded.statuses.values()) / flooded.took,
        useful=flooded.rate(),
        share=flooded.rate() / usual,
        answers=flooded.statuses,
        refusal_p50=flooded.at(0.5, 503),
        refusal_p99=flooded.at(0.99, 503),
        answer_p99=flooded.at(0.99),
        megabytes_more=more / 1e6,
    )
    assert not flooded.lost
    assert set(flooded.statuses) == {200, 503}
    if LONG:
        assert flooded.rate() > 0.8 * usual
        assert flooded.at(0.99, 503) < 0.05
    assert more < MAX_GROWTH_BYTES
