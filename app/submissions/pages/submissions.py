"""One's own submissions: the list with the choice of finals, and each by itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, after, read_form, refused
from podium.http.pages.layout import CompetitionFrame, competition_frame, require_visitor, show

ROWS_OF_A_PAGE = 50

FINAL = ("scored", "rejected", "failed", "cancelled")

READ_SHARE = 0.95
"""From this share of the rows on, what is left of a judging is the scoring."""

REFRESH_SECONDS = 5
"""Seconds after which the page of a submission without a verdict loads itself again where there are
no scripts."""

STEPS = ("Upload", "Queue", "Validate", "Score", "Done")

router = APIRouter(include_in_schema=False)


@router.get("/competitions/{slug}/submissions")
async def show_submissions(request: Request, slug: str, cursor: str | None = None) -> Response:
    """The team's files, newest first, and which of them count in the end."""
    return await _list_page(request, slug, cursor)


@router.post("/competitions/{slug}/submissions/finals")
async def post_finals(request: Request, slug: str) -> Response:
    """Chooses the finals: what is ticked on this page, and what was chosen on others."""
    form = await read_form(request)
    shown = set(form.texts("shown"))
    chosen = form.texts("final") + [each for each in form.texts("chosen") if each not in shown]
    address = at("/competitions/{}/selection", slug)
    answer = await ask(request, "PUT", address, json={"submission_ids": chosen})
    if answer.is_good:
        return after(f"/competitions/{slug}/submissions", "finals-chosen")
    return await _list_page(request, slug, form.text_or_none("cursor"), refused(answer, form))


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
    shown = FormView(status=answer.status, summary=answer.document["detail"])
    return await _page(request, slug, submission_id, shown)


async def _list_page(
    request: Request, slug: str, cursor: str | None, form: FormView = EMPTY
) -> Response:
    await require_visitor(request)
    frame = await competition_frame(request, slug, here="submissions")
    listed = await document_of(
        request, at("/competitions/{}/submissions", slug), limit=ROWS_OF_A_PAGE, cursor=cursor
    )
    competition = frame.competition
    return await show(
        request,
        "submissions/submissions.html",
        form=form,
        frame=frame,
        listed=listed,
        cursor=cursor,
        chosen=await _chosen(request, slug, listed["items"], cursor),
        may_choose=competition["phase"] in ("open", "frozen") and frame.team is not None,
        places=competition["final_selections"],
        is_live=any(each["status"] not in FINAL for each in listed["items"]),
        has_private=any(each["private_score"] is not None for each in listed["items"]),
    )


async def _chosen(request: Request, slug: str, shown: list[Any], cursor: str | None) -> list[str]:
    """Ids of all chosen submissions, those of other pages included."""
    if cursor is None and len(shown) < ROWS_OF_A_PAGE:
        return [each["id"] for each in shown if each["selected"]]
    everything = await document_of(request, at("/competitions/{}/submissions", slug), limit=1000)
    return [each["id"] for each in everything["items"] if each["selected"]]


async def _page(
    request: Request, slug: str, submission_id: str, form: FormView = EMPTY
) -> Response:
    await require_visitor(request)
    submission = await document_of(request, at("/submissions/{}", submission_id))
    if submission["competition"] != slug:
        address = f"/competitions/{submission['competition']}/submissions/{submission['id']}"
        return RedirectResponse(address, status_code=303)
    frame = await competition_frame(request, slug, here="submissions")
    is_live = submission["status"] not in FINAL
    return await show(
        request,
        "submissions/submission.html",
        form=form,
        frame=frame,
        submission=submission,
        steps=steps_of(submission),
        place=await _place(request, frame, submission),
        is_live=is_live,
        is_own=frame.team is not None and frame.team.id == submission["team"]["id"],
        refresh_seconds=REFRESH_SECONDS,
    )


async def _place(
    request: Request, frame: CompetitionFrame, submission: dict[str, Any]
) -> dict[str, Any] | None:
    """The team's row of the public board, with its change since this file was sent; None before
    there is one."""
    if submission["status"] != "scored":
        return None
    sent = datetime.fromisoformat(submission["submitted_at"])
    answer = await ask(
        request,
        "GET",
        at("/competitions/{}/leaderboard", frame.slug),
        params={
            "team": submission["team"]["id"],
            "since": (sent - timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        },
    )
    rows = answer.document.get("rows", []) if answer.is_good else []
    return rows[0] if rows else None


def steps_of(submission: dict[str, Any]) -> list[tuple[str, str]]:
    """Each step with `done`, `now`, `ahead` or, where it went wrong, `bad`."""
    status, progress = submission["status"], submission["progress"] or 0
    if status == "queued":
        at_step = 1
    elif status == "judging":
        at_step = 3 if progress >= READ_SHARE else 2
    else:
        at_step = {"rejected": 2, "cancelled": 1}.get(status, 4)
    kind = {"scored": "done", "queued": "now", "judging": "now"}.get(status, "bad")
    return [
        (words, "done" if step < at_step else kind if step == at_step else "ahead")
        for step, words in enumerate(STEPS)
    ]
