"""The custom metric before a launch: the version that scores, and the inputs of its
runs."""

from __future__ import annotations

from sqlalchemy.orm import Session

from podium.competitions.service import custom_metric
from podium.core import lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import is_of_errors, is_scored_by_custom_metric
from podium.core.models import Competition
from podium.custom_metrics.service import runs
from podium.custom_metrics.service.probing import CustomProbes
from podium.errors import WrongState
from podium.materials.rules.checks import Check


def checks(
    session: Session,
    competition: Competition,
    settings: CompetitionSettings,
    code_refusal: str | None,
) -> list[Check]:
    """The line about the version that scores; none where a built-in metric does."""
    if not is_scored_by_custom_metric(settings):
        return []
    own, bad = settings.own_metric, ""
    if code_refusal is not None:
        bad = code_refusal
    elif own is None:
        bad = "No custom metric scores. Upload one under “Metric”, or name its version."
    else:
        found = custom_metric.problems_of(session, competition_id=competition.id, settings=settings)
        bad = " ".join(str(problem["detail"]) for problem in found)
    good = "" if own is None else f"Version {own.version} of the custom metric scores."
    return [Check("own-metric", good, bad, not bad)]


def probes(
    session: Session, competition: Competition, settings: CompetitionSettings
) -> CustomProbes | None:
    """The inputs of the runs before a launch; None where there are none to make."""
    own = settings.own_metric
    if own is None or not is_scored_by_custom_metric(settings):
        return None
    row = lookups.metric_in_force(session, competition.id, settings)
    if row is None:
        return None
    try:
        inputs = runs.inputs_of(
            session,
            competition=competition,
            settings=settings,
            row=row,
            arguments=own.arguments,
        )
    except WrongState:
        return None
    return CustomProbes(
        inputs, is_of_errors=is_of_errors(settings), is_reproducible=own.is_reproducible
    )
