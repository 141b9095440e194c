"""Segments of a submission's score: for organizers at any time, for its team after the reveal."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from podium.boards.service.stored_hits import MOST_SECONDS, StoredHits, looked_at, stored_hits
from podium.core.access import Actor
from podium.core.configuration import settings_of
from podium.core.models import StoredItemFile, StoredSessionFile
from podium.errors import NotFound
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.materials.service.item_files import ITEMS_AREA
from podium.materials.service.session_files import SESSIONS_AREA, require_segments
from podium.sandbox.definitions.hits import TakeApart
from podium.submissions.service.submissions import UNKNOWN, find_submission


@dataclass(frozen=True, slots=True)
class ScoreToSegment:
    """A score to segment; `only_name` is the organizer's name of a single objective, which has no
    name in the competition's files."""

    stored: StoredHits
    sessions_sha256: str | None
    items_sha256: str | None
    only_name: str | None


def prepare(
    session: Session, *, actor: Actor, submission_id: str, as_organizer: bool
) -> tuple[str, ScoreToSegment]:
    """Finds the competition's id, and the score of the submission. Raises `NotFound`
    (`not-revealed` for a team before the reveal), and `WrongState`: `not-scored`, `not-segmented`
    where ratings are predicted."""
    found, is_organizer = find_submission(session, submission_id=submission_id, actor=actor)
    if as_organizer and not is_organizer:
        raise NotFound(UNKNOWN)
    competition = found.competition
    if not is_organizer and competition.revealed_at is None:
        raise NotFound("Scores are taken apart after the reveal.", code=ErrorCode.NOT_REVEALED)
    settings = settings_of(competition)
    require_segments(settings.task)
    sessions = session.get(StoredSessionFile, competition.id)
    items = session.get(StoredItemFile, competition.id)
    score = ScoreToSegment(
        stored=stored_hits(session, competition=competition, found=[found]),
        sessions_sha256=sessions.sha256 if sessions else None,
        items_sha256=items.sha256 if items and "users" in items.summary["tells"] else None,
        only_name=next(iter(settings.objectives)) if len(settings.objectives) == 1 else None,
    )
    return competition.id, score


def take_apart(score: ScoreToSegment, means: Means) -> dict[str, Any]:
    """Computes the segments in the sandbox, with `scoring.analysis.segments.segments`, objectives
    by the organizer's names. Raises `Unavailable`."""
    with ExitStack() as files:
        sessions, items = (
            files.enter_context(means.storage.local(area, sha256)) if sha256 else None
            for area, sha256 in (
                (SESSIONS_AREA, score.sessions_sha256),
                (ITEMS_AREA, score.items_sha256),
            )
        )
        segmented = looked_at(
            score.stored,
            lambda judged: TakeApart(
                judged=judged,
                sessions=sessions,
                items=items,
                items_sha256=score.items_sha256,
            ),
            means.within(MOST_SECONDS),
        )
    found = dict(segmented.segments)
    if score.only_name is not None:
        _name_objectives(found, score.only_name)
    return found


def _name_objectives(found: Mapping[str, Any], name: str) -> None:
    for segmentations in found["splits"].values():
        for groups in segmentations.values():
            for group in groups:
                group["objectives"] = {name: group["objectives"][""]}
    for differences in found["differences"].values():
        for kind, of_objectives in differences.items():
            differences[kind] = {name: of_objectives[""]} if of_objectives else {}
