"""Matrices of attention from outside: every row as wide as its axis, and summing to 1."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import TypeGuard

from heed.app.errors import FieldError
from heed.app.schemas import MOST_MAPS

TOLERANCE = 0.01
LONG_SUM = 1e6
NUMBERS = {int, float}


def check_map_count(maps: int, field: str) -> None:
    """Raise a `FieldError` if there are more maps than can be saved."""
    if maps > MOST_MAPS:
        message = f"There are {maps} maps; at most {MOST_MAPS} can be saved."
        raise FieldError("invalid_trace", message, field)


def check_weights(weights: object, rows: int, columns: int, field: str, where: str = "") -> None:
    """Raise a `FieldError` that names the row and the column, unless the matrix is valid.

    `where` names the matrix if there are several.
    """
    if not isinstance(weights, list):
        raise FieldError("wrong_type", f"{where}The weights must be a list of rows.", field)
    if len(weights) != rows:
        message = f"{where}There are {len(weights)} rows of weights for {rows} pieces of output."
        raise FieldError("invalid_trace", message, field)
    for i, row in enumerate(weights):
        place = f"{field}[{i}]"
        if not isinstance(row, list) or len(row) != columns:
            length = len(row) if isinstance(row, list) else "no"
            message = f"{where}Row {i + 1} has {length} weights for {columns} pieces of input."
            raise FieldError("invalid_trace", message, place)
        if not _is_valid(row):
            _check_row(row, i, place, where)


def _is_valid(row: Sequence[object]) -> bool:
    """Return whether the row has no error. Most have none, and this is the faster test."""
    if not _are_numbers(row):
        return False
    within = min(row, default=0) >= 0 and max(row, default=0) <= 1 + TOLERANCE
    return within and abs(sum(row) - 1) <= TOLERANCE


def _are_numbers(row: Sequence[object]) -> TypeGuard[Sequence[float]]:
    return {*map(type, row)} <= NUMBERS


def _check_row(row: Sequence[object], i: int, place: str, where: str) -> None:
    total = 0.0
    for j, value in enumerate(row):
        cell, field = f"{where}Row {i + 1}, column {j + 1}", f"{place}[{j}]"
        if not _is_number(value):
            raise FieldError("invalid_trace", f"{cell} is not a number.", field)
        if value < 0:
            raise FieldError("invalid_trace", f"{cell} is negative: {float(value):g}.", field)
        total += value
    if abs(total - 1) > TOLERANCE:
        shown = f"{total:.3f}" if total < LONG_SUM else f"{total:g}"
        message = f"{where}Row {i + 1} sums to {shown}, not to 1."
        raise FieldError("invalid_trace", message, place)


def _is_number(value: object) -> TypeGuard[float]:
    """Return whether it is a number that a float can hold. A bool is not."""
    if type(value) is float:
        return math.isfinite(value)
    return type(value) is int and abs(value) <= sys.float_info.max
