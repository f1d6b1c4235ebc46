"""The lines of the log."""

from __future__ import annotations

import logging

import pytest

from heed.app.server.log_format import FORMAT, Lines


@pytest.mark.parametrize("moments", [[1.25, 1.5, 2.0, 2.999, 1.0], [0.0, 0.0005, 86_400.75]])
def test_they_are_as_logging_itself_would_write_them(moments: list[float]) -> None:
    mine, usual = Lines(), logging.Formatter(FORMAT)
    for moment in moments:
        record = logging.LogRecord("heed", logging.INFO, "", 0, "said %d", (7,), None)
        record.created, record.msecs = moment, moment % 1 * 1000
        assert mine.format(record) == usual.format(record)
        assert mine.format(record).endswith(" INFO heed said 7")
