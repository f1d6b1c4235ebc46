"""The lines of the log: every request has one, so that they must cost little."""

from __future__ import annotations

import logging

FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"
MILLISECONDS = len(",000")


class Lines(logging.Formatter):
    """Lines with the time before them, whose seconds are put into words once."""

    def __init__(self) -> None:
        super().__init__(FORMAT)
        self._second = -1
        self._told = ""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        """The time, in the form that is the usual one."""
        second = int(record.created)
        if second != self._second:
            self._told = super().formatTime(record, datefmt)[:-MILLISECONDS]
            self._second = second
        return f"{self._told},{int(record.msecs):03d}"


def configure_logging(level: str) -> None:
    """Let whatever is logged from this level on be written to standard error."""
    # Nobody is told which thread and process it was: they need not be looked up.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    logging.basicConfig(level=level, handlers=[handler])
