"""Receipts: what an installation signs about a submission, and what it commits to in advance.

A receipt is made anew whenever it is asked for, always the same from the same verdict. After a
rejudging it says something else, and the old one stays a valid statement about its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.access import Actor, competition_for_reader
from podium.core.configuration import settings_of
from podium.core.judging_states import State
from podium.core.models import Competition, CompetitionSecret, PrivateScore, PublicScore
from podium.standings.service.digits import shown_score
from podium.submissions.queries import receipts, submissions
from podium.submissions.queries.submissions import Found, SubmissionFilter
from podium.submissions.rules import commitment_of, salt_of
from podium.submissions.service.submissions import find_submission
from podium.submissions.service.views import SubmissionView, present

AT_A_TIME = 500
"""Submissions whose receipts are made together."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """The commitment to one version of a ground truth; `salt` and `sha256` after the reveal."""

    version: int
    commitment: str
    salt: str | None
    sha256: str | None


def commitments(
    session: Session, *, slug: str, actor: Actor | None
) -> tuple[Competition, Sequence[Commitment]]:
    """The commitments of a competition since its launch, by version. Raises `NotFound`."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    if competition.launched_at is None:
        return competition, []
    used = receipts.used_versions(
        session, competition_id=competition.id, active=competition.active_ground_truth
    )
    return competition, [
        _commitment(session, competition, row.version or 0, row.sha256 or "") for row in used
    ]


def receipt(session: Session, *, submission_id: str, actor: Actor) -> Mapping[str, Any]:
    """The signed facts about a submission, for its team and the organizers, the same for both. From
    the reveal on it also holds what opens the commitment, and the integers of both scores.

    Raises `NotFound`.
    """
    found, _ = find_submission(session, submission_id=submission_id, actor=actor)
    (document,) = _documents(session, found.competition, [found])
    return document


def all_receipts(session: Session, *, competition: Competition) -> Iterator[Mapping[str, Any]]:
    """Those of all submissions of a competition, the newest first."""
    before: int | None = None
    while found := submissions.of_competition(
        session,
        competition_id=competition.id,
        wanted=SubmissionFilter(),
        before=before,
        limit=AT_A_TIME,
    ):
        yield from _documents(session, competition, found)
        before = found[-1].submission.sequence


def _documents(
    session: Session, competition: Competition, found: Sequence[Found]
) -> Iterator[Mapping[str, Any]]:
    ids = lookups.published_ids(session, competition_id=competition.id)
    committed: dict[int, Commitment] = {}
    for version in {one.judging.ground_truth_version for one in found}:
        truth = lookups.ground_truth(session, competition_id=competition.id, version=version)
        committed[version] = _commitment(session, competition, version, truth.sha256 or "")
    metrics = lookups.metric_hashes(session, competition_id=competition.id)
    hidden: Mapping[str, PrivateScore] = {}
    if competition.revealed_at is not None:
        judgings = [one.judging.id for one in found]
        hidden = submissions.private_scores_of(session, judging_ids=judgings)
    for view in present(session, found, is_organizer=False):
        judging = view.judging
        commitment = committed[judging.ground_truth_version]
        yield {
            "podium_receipt": 1,
            "competition": {"id": competition.id, "slug": competition.slug},
            **_facts(view),
            **_metric(view, metrics),
            "ground_truth": {"version": commitment.version, "commitment": commitment.commitment},
            "published_ids_sha256": ids.sha256,
            "final": _final(view.found, commitment, hidden.get(judging.id))
            if competition.revealed_at
            else None,
        }


def _facts(view: SubmissionView) -> dict[str, Any]:
    submission, judging = view.submission, view.judging
    return {
        "team": view.team.id,
        "submission": submission.id,
        "judging": judging.id,
        "sha256": submission.sha256,
        "bytes": submission.bytes,
        "submitted_at": _time(submission.submitted_at),
        "status": judging.state,
        "judged_at": _time(judging.judged_at),
        "scorer_version": judging.scorer_version,
        "public_score": _shown(view),
    }


def _metric(view: SubmissionView, hashes: Mapping[int, str]) -> dict[str, Any]:
    """The custom metric that judged it, and the processor and packages that this was on."""
    judging = view.judging
    if judging.metric_version is None:
        return {}
    return {
        "metric": {
            "version": judging.metric_version,
            "sha256": hashes.get(judging.metric_version),
            "processor": view.processor,
        }
    }


def _commitment(
    session: Session, competition: Competition, version: int, truth_sha256: str
) -> Commitment:
    secret = session.get_one(CompetitionSecret, competition.id)
    salt = salt_of(secret.split_key, version)
    is_open = competition.revealed_at is not None
    return Commitment(
        version=version,
        commitment=commitment_of(salt, truth_sha256),
        salt=salt if is_open else None,
        sha256=truth_sha256 if is_open else None,
    )


def _shown(view: SubmissionView) -> str | None:
    """The public score as its team sees it, with all its digits."""
    if view.public_score is None or view.found.public is None:
        return None
    return _digits(view.found.public.score, view.found)


def _final(found: Found, committed: Commitment, hidden: PrivateScore | None) -> dict[str, Any]:
    document: dict[str, Any] = {"salt": committed.salt, "ground_truth_sha256": committed.sha256}
    if found.judging.state != State.SCORED or found.public is None or hidden is None:
        return document
    return document | {
        "private_score": _digits(hidden.score, found),
        "splits": {"public": _integers(found.public), "private": _integers(hidden)},
    }


def _integers(half: PublicScore | PrivateScore) -> dict[str, Any]:
    return {"score": str(half.score), "objectives": half.objectives}


def _digits(score: Fraction, found: Found) -> str:
    return str(shown_score(score, settings_of(found.competition)))


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
