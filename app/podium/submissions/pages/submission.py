"""The page of one submission: how far it is, its score, or all that is wrong with it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from podium.competitions.pages.layout import CompetitionLayout, CompetitionPage, competition_layout
from podium.competitions.schemas.competitions import CompetitionOut
from podium.errors.codes import ErrorCode
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, after, read_form, refused
from podium.http.pages.layout import require_visitor, show
from podium.http.paging import Listed
from podium.scoring.analysis.list_words import item_words, length_words, list_warning
from podium.scoring.problems import Code as FileCode
from podium.submissions.pages.finals import PlaceOfTeam, finals_of, marks_of, place_of
from podium.submissions.pages.submissions import FINAL
from podium.submissions.schemas import SubmissionOut

READ_SHARE = 0.95
"""From this share of the rows on, what is left of a judging is the scoring."""

REFRESH_SECONDS = 5
"""Seconds after which the page of a submission without a verdict loads itself again where there are
no scripts."""

STEPS = ("Upload", "Queue", "Validate", "Score", "Done")

OF_THE_METRIC = frozenset({FileCode.METRIC_REFUSED, ErrorCode.METRIC_FAILED})
"""Ends of a judging by a custom metric, which has a good file before it."""

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class SubmissionPage(CompetitionPage):
    """One file with its steps, the place of its team, and how far it is from the best before."""

    template: ClassVar[str] = "submissions/submission.html"

    submission: SubmissionOut
    steps: list[tuple[str, str]]
    place: PlaceOfTeam | None
    gain: str | None
    is_live: bool
    is_own: bool
    may_choose: bool
    marks: list[str]
    list_words: ListWords | None
    objectives_follow: bool
    receipt_name: str
    verify_command: str
    refresh_seconds: int = REFRESH_SECONDS


@dataclass(frozen=True)
class ListWords:
    """Statistics of the lists of a file in words, and a warning about ids that no catalogue has."""

    lengths: str
    items: str
    warning: str | None


def words_of_lists(submission: SubmissionOut, whose: str) -> ListWords | None:
    """The words of the page of a submission about its lists, if it has any."""
    if submission.lists is None:
        return None
    lists = submission.lists.model_dump()
    return ListWords(length_words(lists), item_words(lists), list_warning(lists, whose))


@router.get("/competitions/{slug}/submissions/{submission_id}")
async def show_submission(request: Request, slug: str, submission_id: str) -> Response:
    """One file: how far it is, its score or all that is wrong with it."""
    return await _page(request, slug, submission_id)


@router.post("/competitions/{slug}/submissions/{submission_id}/cancel")
async def post_cancel(request: Request, slug: str, submission_id: str) -> Response:
    """Takes a file back that still waits."""
    answer = await ask(request, "POST", at("/submissions/{}/cancel", submission_id), json={})
    if answer.is_good:
        return after(f"/competitions/{slug}/submissions/{submission_id}", "submission-cancelled")
    shown = FormView(status=answer.status, summary=answer.problem.detail)
    return await _page(request, slug, submission_id, shown)


@router.post("/competitions/{slug}/submissions/{submission_id}/final")
async def post_final(request: Request, slug: str, submission_id: str) -> Response:
    """Chooses this file for the final ranking beside those that are chosen, or no longer."""
    form = await read_form(request)
    layout = await competition_layout(request, slug, here="submissions")
    finals = await finals_of(request, layout)
    chosen = [each for each in finals.submission_ids if each != submission_id]
    if form.is_ticked("choose"):
        chosen.append(submission_id)
    path = at("/competitions/{}/selection", slug)
    answer = await ask(request, "PUT", path, json={"submission_ids": chosen})
    if answer.is_good:
        return after(f"/competitions/{slug}/submissions/{submission_id}", "finals-chosen")
    return await _page(request, slug, submission_id, refused(answer, form))


async def _page(
    request: Request, slug: str, submission_id: str, form: FormView = EMPTY
) -> Response:
    await require_visitor(request)
    submission = await document_of(request, at("/submissions/{}", submission_id), SubmissionOut)
    if submission.competition != slug:
        address = f"/competitions/{submission.competition}/submissions/{submission.id}"
        return RedirectResponse(address, status_code=303)
    layout = await competition_layout(request, slug, here="submissions")
    is_own = layout.team is not None and layout.team.id == submission.team.id
    place = await _place(request, layout, submission)
    is_open = layout.competition.phase in ("open", "frozen")
    page = SubmissionPage(
        layout=layout,
        submission=submission,
        steps=steps_of(submission),
        place=place,
        gain=await _gain(request, layout.competition, submission) if is_own else None,
        is_live=submission.status not in FINAL,
        is_own=is_own,
        may_choose=is_own and is_open and can_be_final(submission),
        marks=await _marks(request, layout, submission, place) if is_own else [],
        list_words=words_of_lists(submission, "your" if is_own else "the"),
        objectives_follow=_objectives_follow(layout.competition, submission),
        receipt_name=receipt_name(submission),
        verify_command=verify_command(submission),
    )
    return await show(request, page, form=form)


def receipt_name(submission: SubmissionOut) -> str:
    """The file that a receipt is downloaded as."""
    return f"receipt-{submission.id}.json"


def verify_command(submission: SubmissionOut) -> str:
    """The command that verifies a receipt with the file that it is about. The name of that file is
    a participant's text, which a shell must not take apart."""
    return shlex.join(("podium", "verify", receipt_name(submission), "--file", submission.filename))


def can_be_final(submission: SubmissionOut) -> bool:
    """True if a team may choose this file for the final ranking."""
    return submission.status == "scored" and not submission.late and not submission.disqualified


async def _marks(
    request: Request,
    layout: CompetitionLayout,
    submission: SubmissionOut,
    place: PlaceOfTeam | None,
) -> list[str]:
    finals = await finals_of(request, layout)
    return marks_of(submission, finals, place, is_revealed=layout.competition.phase == "revealed")


def _objectives_follow(competition: CompetitionOut, submission: SubmissionOut) -> bool:
    """True if the scores of several objectives are held back until the reveal."""
    return (
        submission.status == "scored"
        and submission.objectives is None
        and competition.objective_scores == "after_reveal"
        and competition.phase != "revealed"
        and len(competition.objectives) > 1
    )


async def _place(
    request: Request, layout: CompetitionLayout, submission: SubmissionOut
) -> PlaceOfTeam | None:
    """The team's row of the public board, with its change since this file was sent."""
    if submission.status != "scored":
        return None
    since = submission.submitted_at - timedelta(seconds=1)
    return await place_of(request, layout, submission.team.id, since)


async def _gain(
    request: Request, competition: CompetitionOut, submission: SubmissionOut
) -> str | None:
    """The distance of the score from the team's best before. On a ladder board differences are what
    it keeps back."""
    if submission.public_score is None or competition.board == "ladder":
        return None
    listed = await document_of(
        request,
        at("/competitions/{}/submissions", competition.slug),
        Listed[SubmissionOut],
        limit=1000,
    )
    # Newest first; times have whole seconds, and several files may share one.
    files = iter(listed.items)
    if all(each.id != submission.id for each in files):
        return None
    before = [each.public_score for each in files if each.public_score is not None]
    return gain_of(
        submission.public_score,
        before,
        decimals=competition.decimals,
        higher_is_better=not competition.is_of_errors,
    )


def gain_of(score: float, before: Sequence[float], *, decimals: int, higher_is_better: bool) -> str:
    """The difference of the shown values, in words.

    >>> gain_of(0.51, [0.5, 0.42], decimals=3, higher_is_better=True)
    '+0.010 over your best before'
    >>> gain_of(0.95, [0.9], decimals=2, higher_is_better=False)
    '0.05 behind your best before'
    """
    if not before:
        return "your first score"
    best = max(before) if higher_is_better else min(before)
    gain = Decimal(str(score)) - Decimal(str(best))
    if gain == 0:
        return "equal to your best before"
    if (gain > 0) == higher_is_better:
        return f"{gain:+.{decimals}f} over your best before"
    return f"{abs(gain):.{decimals}f} behind your best before"


def steps_of(submission: SubmissionOut) -> list[tuple[str, str]]:
    """Each step with `done`, `now`, `ahead` or, where it went wrong, `bad`."""
    status, progress = submission.status, submission.progress or 0
    if status == "queued":
        at_step = 1
    elif status == "judging":
        at_step = 3 if progress >= READ_SHARE else 2
    elif submission.problem is not None and submission.problem["code"] in OF_THE_METRIC:
        at_step = 3
    else:
        at_step = {"rejected": 2, "cancelled": 1}.get(status, 4)
    kind = {"scored": "done", "queued": "now", "judging": "now"}.get(status, "bad")
    return [
        (words, "done" if step < at_step else kind if step == at_step else "ahead")
        for step, words in enumerate(STEPS)
    ]
