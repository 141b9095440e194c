"""Comparisons of submissions for organizers: their conditions, and the computation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from podium.boards.service.stored_hits import MOST_SECONDS, StoredHits, looked_at, stored_hits
from podium.core.access import Actor, competition_for_organizer
from podium.errors import InvalidInput, NotFound
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.sandbox.definitions.hits import Compare
from podium.submissions.service.submissions import known_submission

MAX_COMPARED = 10
"""Submissions in one comparison; ten have 45 pairs."""


@dataclass(frozen=True, slots=True)
class ComparedSubmission:
    """A submission of a comparison, in the order of the request."""

    id: str
    team_id: str
    team_name: str


@dataclass(frozen=True, slots=True)
class PreparedComparison:
    """A comparison whose stored hits were found."""

    competition_id: str
    competition: str
    submissions: tuple[ComparedSubmission, ...]
    stored: StoredHits


def prepare(
    session: Session, *, actor: Actor, slug: str, submission_ids: Sequence[str]
) -> PreparedComparison:
    """Finds the submissions and their stored hits.

    Raises `NotFound` for submissions of other competitions, `InvalidInput` for one submission or
    too many, and what `stored_hits` raises.
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    if not 2 <= len(set(submission_ids)) == len(submission_ids) <= MAX_COMPARED:
        raise InvalidInput(
            f"Name 2 to {MAX_COMPARED} different submissions.", code=ErrorCode.INVALID
        )
    found = [known_submission(session, submission_id=one) for one in submission_ids]
    known = [each for each in found if each and each.competition.id == competition.id]
    if len(known) < len(found):
        raise NotFound("There is no such submission in this competition.")
    return PreparedComparison(
        competition_id=competition.id,
        competition=competition.slug,
        submissions=tuple(
            ComparedSubmission(each.submission.id, each.team.id, each.team.name) for each in known
        ),
        stored=stored_hits(session, competition=competition, found=known),
    )


def compare(stored: StoredHits, means: Means) -> dict[str, Any]:
    """Computes the comparison by split in the sandbox, with `scoring.analysis.comparison.compare`.
    Raises `Unavailable`."""
    compared = looked_at(stored, lambda judged: Compare(judged=judged), means.within(MOST_SECONDS))
    return dict(compared.splits)
