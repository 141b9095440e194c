"""The custom metric in settings: the version that they name is stored, and the given arguments are
those of its function."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.metric_arguments import argument_problems
from podium.core.configuration import refusal_of, setting_problem
from podium.errors import ProblemEntry
from podium.errors.codes import CODES, ErrorCode

PLACE = "own_metric"


def require_custom_metric(
    session: Session,
    *,
    competition_id: str,
    before: CompetitionSettings,
    after: CompetitionSettings,
) -> None:
    """Raises `InvalidInput` (`unknown-metric-version`, `metric-arguments`) where a change of the
    custom metric does not fit the stored versions, with the place of each problem."""
    if after.own_metric == before.own_metric:
        return
    if problems := list(problems_of(session, competition_id=competition_id, settings=after)):
        raise refusal_of(CODES[problems[0]["code"]], problems)


def problems_of(
    session: Session, *, competition_id: str, settings: CompetitionSettings
) -> Iterator[ProblemEntry]:
    """Yields the problems of the custom metric of these settings; none where they have no such
    metric."""
    own = settings.own_metric
    if own is None:
        return
    row = lookups.metric_in_force(session, competition_id, settings)
    if row is None or row.checked is None:
        yield setting_problem(
            ErrorCode.UNKNOWN_METRIC_VERSION,
            f"{PLACE}.version",
            f"There is no stored custom metric of version {own.version}.",
            "Upload the file first; the page Metric lists all versions.",
        )
        return
    for name, words in argument_problems(own.arguments, row.checked["arguments"]):
        yield setting_problem(ErrorCode.METRIC_ARGUMENTS, f"{PLACE}.arguments.{name}", words)
