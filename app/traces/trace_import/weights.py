"""A matrix of attention from outside: every row as wide as the axis, and summing to 1."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

from heed.app.errors import FieldError

TOLERANCE = 0.01
LONG_SUM = 1e6
NUMBERS = {int, float}


def check_weights(weights: Any, rows: int, columns: int, field: str, where: str = "") -> None:
    """Raise the error that names the row and the column, unless all is well.

    `where` says which matrix it is, where there are several.
    """
    if not isinstance(weights, list):
        raise FieldError("wrong_type", f"{where}The weights are no list of rows.", field)
    if len(weights) != rows:
        message = f"{where}There are {len(weights)} rows of weights for {rows} pieces written."
        raise FieldError("invalid_trace", message, field)
    for i, row in enumerate(weights):
        place = f"{field}[{i}]"
        if not isinstance(row, list) or len(row) != columns:
            found = len(row) if isinstance(row, list) else "no"
            message = f"{where}Row {i + 1} has {found} weights for {columns} pieces read."
            raise FieldError("invalid_trace", message, place)
        if not _is_fine(row):
            _check_row(row, i, place, where)


def _is_fine(row: Sequence[Any]) -> bool:
    """Whether there is nothing to tell of the row. Most are fine, and this is the faster way."""
    if not {*map(type, row)} <= NUMBERS:
        return False
    within = min(row, default=0) >= 0 and max(row, default=0) <= 1 + TOLERANCE
    return within and abs(sum(row) - 1) <= TOLERANCE


def _check_row(row: Sequence[Any], i: int, place: str, where: str) -> None:
    for j, value in enumerate(row):
        cell, known = f"{where}Row {i + 1}, column {j + 1}", f"{place}[{j}]"
        if not _is_number(value):
            raise FieldError("invalid_trace", f"{cell} is not a number.", known)
        if value < 0:
            raise FieldError("invalid_trace", f"{cell} is negative: {float(value):g}.", known)
    total = sum(row)
    if abs(total - 1) > TOLERANCE:
        shown = f"{total:.3f}" if total < LONG_SUM else f"{total:g}"
        message = f"{where}Row {i + 1} sums to {shown}, not to 1."
        raise FieldError("invalid_trace", message, place)


def _is_number(value: Any) -> bool:
    """Whether it is a number that a float can hold. A bool is not one."""
    if type(value) is float:
        return math.isfinite(value)
    return type(value) is int and abs(value) <= sys.float_info.max
