"""Settings that a rejudging changes: which may, what they become, how they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from podium.competitions.rules import changed_between
from podium.core.competition_settings import ONLY_BY_REJUDGING, CompetitionSettings, with_changes
from podium.core.configuration import invalid_settings, task_of
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode


def checked_changes(settings: CompetitionSettings, given: Mapping[str, Any]) -> dict[str, Any]:
    """The members that differ from the settings once these are given, as JSON values to keep.

    The objectives stay the same ones, in their order; only weights and metrics change. Raises
    `InvalidInput` (`objectives-fixed`, `unknown-metric`, `invalid`).
    """
    if surplus := set(given) - ONLY_BY_REJUDGING:
        raise InvalidInput(f"A rejudging does not change {min(surplus)}.")
    after = _validated(settings, given)
    if set(after.objectives) != set(settings.objectives):
        raise InvalidInput(
            "The objectives stay those of the launch; only their weights and metrics can change.",
            code=ErrorCode.OBJECTIVES_FIXED,
        )
    in_order = {name: after.objectives[name] for name in settings.objectives}
    after = after.model_copy(update={"objectives": in_order})
    task_of(after)
    return after.model_dump(mode="json", include=set(changed_between(settings, after).names))


def _validated(settings: CompetitionSettings, given: Mapping[str, Any]) -> CompetitionSettings:
    try:
        return with_changes(settings, given)
    except ValidationError as error:
        raise invalid_settings(error) from error
