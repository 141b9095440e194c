"""The module `kaggle_metric_utilities` of custom metrics: the names that metrics written for Kaggle
import, with the behavior that they rely on.

NumPy and pandas are imported when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from podium.custom_metric_runner.modules.podium_metric import ParticipantVisibleError


class HostVisibleError(Exception):
    """Says to the organizer alone what is wrong."""


def treat_as_participant_error(error_message: str, solution: Any) -> bool:  # noqa: ANN401 - a frame or an array
    """True if a message can tell nothing about the solution: that is numbers only, and the message
    has no digit in it, nor, where the solution has booleans, one of their names."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    dtypes = list(getattr(solution, "dtypes", [getattr(solution, "dtype", object)]))
    if not all(is_numeric_dtype(dtype) for dtype in dtypes):
        return False
    if any(character.isnumeric() for character in error_message):
        return False
    names_a_boolean = any(name in error_message.lower() for name in ("true", "false"))
    return not (names_a_boolean and any(is_bool_dtype(dtype) for dtype in dtypes))


def safe_call_score(
    metric_function: Callable[..., Any],
    solution: Any,  # noqa: ANN401 - a frame or an array
    submission: Any,  # noqa: ANN401 - a frame or an array
    **metric_func_kwargs: Any,
) -> Any:  # noqa: ANN401 - what the function answers
    """The answer of a function. An exception whose message can tell nothing about the solution is
    shown to the participant; any other is for the organizer."""
    try:
        return metric_function(solution, submission, **metric_func_kwargs)
    except Exception as error:
        message = str(error)
        name = type(error).__name__
        if name == HostVisibleError.__name__:
            raise HostVisibleError(message) from error
        is_visible = name == ParticipantVisibleError.__name__
        if is_visible or treat_as_participant_error(message, solution):
            raise ParticipantVisibleError(message) from error
        raise


def verify_valid_probabilities(df: Any, df_name: str) -> None:  # noqa: ANN401 - a frame
    """Raises `ParticipantVisibleError` unless each row of a frame, which has no column of ids, is a
    distribution: numbers from 0 to 1 that add up to 1."""
    import numpy as np
    from pandas.api.types import is_numeric_dtype

    if not is_numeric_dtype(df.values):
        raise ParticipantVisibleError(f"All target values in {df_name} must be numeric")
    if df.min().min() < 0:
        raise ParticipantVisibleError(f"All target values in {df_name} must be at least zero")
    if df.max().max() > 1:
        raise ParticipantVisibleError(f"All target values in {df_name} must be at most one")
    if not np.allclose(df.sum(axis=1), 1):
        raise ParticipantVisibleError(f"The target values of each row in {df_name} must add to one")


__all__ = [
    "HostVisibleError",
    "ParticipantVisibleError",
    "safe_call_score",
    "treat_as_participant_error",
    "verify_valid_probabilities",
]
