"""The meaning of every error code, in words for people. Loaded only by those who show it."""

from __future__ import annotations

from collections.abc import Mapping

from podium.errors.codes import ErrorCode
from podium.errors.explanations import (
    accounts,
    competitions,
    metric_files,
    requests,
    submissions,
    teams,
)
from podium.errors.explanations.shape import Explanation

EXPLANATIONS: Mapping[ErrorCode, Explanation] = {
    **requests.EXPLANATIONS,
    **accounts.EXPLANATIONS,
    **teams.EXPLANATIONS,
    **competitions.EXPLANATIONS,
    **metric_files.EXPLANATIONS,
    **submissions.EXPLANATIONS,
}
