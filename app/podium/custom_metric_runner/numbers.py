"""Converts the numbers that a metric returns to plain floats."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt


class NoNumber(Exception):
    """A metric has returned something other than the required number."""


def plain(value: Any, name: str) -> float:  # noqa: ANN401 - whatever a metric answers
    """Converts a finite real number to a float. Integers and NumPy's scalars are accepted; a
    boolean, an array, text or None are not. Raises `NoNumber`.

    >>> plain(np.float32(0.5), "score")
    0.5
    """
    number = _converted(value, name)
    if not math.isfinite(number):
        raise NoNumber(f"{name} is {number}, which is not a finite number")
    return number


def _converted(value: Any, name: str) -> float:  # noqa: ANN401 - whatever a metric answers
    """Reads the number that a value holds, bypassing methods that its own class defines."""
    kind = type(value)
    if issubclass(kind, float):
        return float.__pos__(value)
    if issubclass(kind, int) and not issubclass(kind, bool):
        try:
            return float(int.__pos__(value))
        except OverflowError:
            raise NoNumber(f"{name} is too large an integer") from None
    if issubclass(kind, np.generic | np.ndarray):
        held = np.asarray(value)
        if held.ndim == 0 and held.dtype.kind in "fiu":
            return float(held.astype(np.float64)[()])
        if held.ndim:
            raise NoNumber(f"{name} is an array of shape {held.shape}, not one number")
    raise NoNumber(f"{name} is {kind.__qualname__}, not a number")


def plain_rows(values: Any, rows: int) -> npt.NDArray[np.float64]:  # noqa: ANN401 - any sequence
    """Converts one finite number for each row to an array of float64. Raises `NoNumber`."""
    label = "per_row"
    found = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    if not isinstance(found, np.ndarray) or found.shape != (rows,):
        shape = getattr(found, "shape", type(found).__name__)
        raise NoNumber(f"{label} has the shape {shape}; one number for each of {rows} rows is due")
    if found.dtype.kind not in "fiub":
        raise NoNumber(f"{label} has values of the type {found.dtype}, not numbers")
    numbers = found.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise NoNumber(f"{label} has values that are not finite")
    return numbers
