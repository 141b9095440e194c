"""A rejudging from its start to its end: new judgings beside the old, which are cancelled or (in
`application`) applied as a set. Nothing that others see changes before it is applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from sqlalchemy.orm import Session

from podium.competitions.rules import changed_between
from podium.competitions.service.custom_metric import require_custom_metric
from podium.core import audit, lookups
from podium.core.access import Actor, competition_for_organizer, organizes
from podium.core.competition_settings import ONLY_BY_REJUDGING, CompetitionSettings, with_changes
from podium.core.configuration import invalid_settings, require_metrics, settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import RejudgingState
from podium.core.models import Competition, Rejudging
from podium.errors import InvalidInput, NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.materials.rules.undefined import undefined_metrics
from podium.materials.service import item_files
from podium.rejudging.queries import rejudgings, results
from podium.scoring.forms import CANDIDATE_RANKS


def checked_changes(settings: CompetitionSettings, given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the settings that the given ones would change, as JSON values to store.

    The objectives stay the same, in their order; only weights and metrics change. Raises
    `InvalidInput` (`objectives-fixed`, `unknown-metric`, `invalid`).
    """
    if surplus := set(given) - ONLY_BY_REJUDGING:
        raise InvalidInput(f"A rejudging does not change {min(surplus)}.")
    after = _validated(settings, given)
    if CANDIDATE_RANKS.key in set(after.forms) - set(settings.forms):
        raise InvalidInput(
            "Ranks of candidates are in the order of a list of published ids, for which the launch"
            " looks: a rejudging does not add the form candidate-ranks."
        )
    if set(after.objectives) != set(settings.objectives):
        raise InvalidInput(
            "The objectives stay those of the launch; only their weights and metrics can change.",
            code=ErrorCode.OBJECTIVES_FIXED,
        )
    in_order = {name: after.objectives[name] for name in settings.objectives}
    after = after.model_copy(update={"objectives": in_order})
    require_metrics(after)
    changed = changed_between(settings, after).need_rejudging
    return after.model_dump(mode="json", include=set(changed))


def _validated(settings: CompetitionSettings, given: Mapping[str, Any]) -> CompetitionSettings:
    try:
        return with_changes(settings, given)
    except ValidationError as error:
        raise invalid_settings(error) from error


UNKNOWN = "There is no rejudging with this id, or you may not see it."


def start(
    session: WriteSession,
    *,
    actor: Actor,
    slug: str,
    reason: str,
    ground_truth_version: int | None = None,
    submission_ids: Sequence[str] | None = None,
    times: int = 1,
    settings: Mapping[str, Any] | None = None,
) -> Rejudging:
    """Begins to judge anew every accepted submission, or only those named; returns at once.

    A submission is accepted unless it was cancelled or is a bad file. A draft has none: there,
    applying a rejudging is how a later ground truth replaces the first. Raises `NotFound`,
    `WrongState` (`rejudging-unfinished` with its id) and `InvalidInput` (`unknown-ground-truth`,
    `not-rejudgeable`, `would-mix-versions`, `item-file-lacks`, `unknown-metric-version`,
    `metric-arguments` and those of the settings).
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    _refuse_second(session, competition)
    version = _version(session, competition, ground_truth_version)
    before = settings_of(competition)
    changes = checked_changes(before, settings or {})
    after = with_changes(before, changes)
    require_custom_metric(session, competition_id=competition.id, before=before, after=after)
    item_files.require_needs(session, competition.id, after)
    _refuse_undefined(session, competition, version, after)
    named = None if submission_ids is None else list(dict.fromkeys(submission_ids))
    if named is not None and _is_all(session, competition, named):
        named = None
    if named is not None and (version != competition.active_ground_truth or changes):
        raise _would_mix_versions()
    rejudging = Rejudging(
        competition_id=competition.id,
        ground_truth_version=version,
        reason=reason,
        state=RejudgingState.RUNNING,
        settings=changes or None,
        times=times,
        is_partial=named is not None,
        created_at=database_now(session),
        created_by=actor.user_id,
    )
    session.add(rejudging)
    session.flush()
    if named is not None:
        rejudgings.add_judgings(
            session, rejudging=rejudging, submission_ids=named, now=database_now(session)
        )
    _record(session, actor, rejudging, "start", ground_truth=version, settings=changes, times=times)
    return rejudging


def find(session: Session, *, actor: Actor, rejudging_id: str) -> tuple[Rejudging, Competition]:
    """Returns a rejudging and its competition, for organizers. Raises `NotFound` for everyone
    else."""
    found = rejudgings.find(session, rejudging_id=rejudging_id)
    if found is None or not organizes(session, found[1], actor):
        raise NotFound(UNKNOWN)
    return found


def list_rejudgings(
    session: Session, *, actor: Actor, slug: str, before_id: str | None, limit: int
) -> tuple[Competition, Sequence[Rejudging]]:
    """Returns a page of a competition's rejudgings, newest first, for its organizers."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    rows = rejudgings.page(session, competition_id=competition.id, before_id=before_id, limit=limit)
    return competition, rows


def cancel(session: WriteSession, *, actor: Actor, rejudging_id: str, reason: str = "") -> None:
    """Cancels a rejudging; everything stays as it is. Raises `NotFound` and `WrongState`
    (`rejudging-applied`, `rejudging-cancelled`)."""
    find(session, actor=actor, rejudging_id=rejudging_id)
    rejudging = running(session, rejudging_id)
    now = database_now(session)
    results.end_rejudging(session, rejudging_id=rejudging.id, now=now)
    rejudging.state, rejudging.finished_at = RejudgingState.CANCELLED, now
    session.flush()
    _record(session, actor, rejudging, "cancel", because=reason)


def running(session: WriteSession, rejudging_id: str) -> Rejudging:
    """Locks and returns the rejudging. Raises `WrongState` (`rejudging-applied`,
    `rejudging-cancelled`) if it has ended."""
    rejudging = rejudgings.locked(session, rejudging_id=rejudging_id)
    if rejudging.state != RejudgingState.RUNNING:
        is_applied = rejudging.state == RejudgingState.APPLIED
        raise WrongState(
            f"This rejudging was {rejudging.state}.",
            code=ErrorCode.REJUDGING_APPLIED if is_applied else ErrorCode.REJUDGING_CANCELLED,
        )
    return rejudging


def _refuse_second(session: WriteSession, competition: Competition) -> None:
    unfinished = rejudgings.running_of(session, competition_id=competition.id)
    if unfinished is not None:
        raise WrongState(
            f"The rejudging {unfinished.id} is unfinished. Apply or cancel it first.",
            code=ErrorCode.REJUDGING_UNFINISHED,
            rejudging=unfinished.id,
        )


def _would_mix_versions() -> InvalidInput:
    return InvalidInput(
        "A board never mixes versions: with another ground truth or other settings all accepted"
        " submissions are judged anew. Leave submission_ids out.",
        code=ErrorCode.WOULD_MIX_VERSIONS,
    )


def _version(session: WriteSession, competition: Competition, asked: int | None) -> int:
    version = competition.active_ground_truth if asked is None else asked
    if version is None:
        raise InvalidInput(
            "This competition has no ground truth yet. Upload one first.",
            code=ErrorCode.UNKNOWN_GROUND_TRUTH,
        )
    if lookups.active_version(session, competition.id, version) is None:
        raise InvalidInput(
            f"This competition has no stored ground truth of version {version}.",
            code=ErrorCode.UNKNOWN_GROUND_TRUTH,
        )
    return version


def _refuse_undefined(
    session: WriteSession, competition: Competition, version: int, after: CompetitionSettings
) -> None:
    """Refuses metrics that are undefined on this ground truth."""
    row = lookups.active_version(session, competition.id, version)
    for objective, metric in undefined_metrics(after, (row and row.summary) or {}):
        raise InvalidInput(
            f"{metric} has no value for {objective}: on a split of version {version} of the ground"
            " truth, all pairs that it compares are alike."
        )


def _is_all(session: WriteSession, competition: Competition, named: Sequence[str]) -> bool:
    """True if `named` are all submissions that can be judged anew; refuses any that cannot."""
    known = rejudgings.those_to_judge(session, competition_id=competition.id, submission_ids=named)
    if unknown := [one for one in named if one not in known]:
        raise InvalidInput(
            f"{unknown[0]} is not an accepted submission of this competition.",
            code=ErrorCode.NOT_REJUDGEABLE,
        )
    return len(known) == rejudgings.how_many_to_judge(session, competition_id=competition.id)


def _record(
    session: WriteSession, actor: Actor, rejudging: Rejudging, act: str, **facts: Any
) -> None:
    audit.record(session, actor, f"rejudging.{act}", rejudging, reason=rejudging.reason, **facts)
