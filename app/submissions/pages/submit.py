"""The page from which files are submitted. Its form works by itself; scripts check the file before
it is sent, send it in pieces and go on after a cut."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from podium.http.html.texts import duration_of
from podium.http.pages.api_calls import Answer, ask, at
from podium.http.pages.fields import EMPTY, FormView, SentForm, after
from podium.http.pages.layout import CompetitionFrame, competition_frame, require_visitor, show

LIMITS = {
    "daily_limit": "the daily limit",
    "total_limit": "the limit for the whole competition",
    "rejected_per_hour": "too many rejected files within an hour",
    "concurrent_uploads": "your team's uploads under way",
    "uploads_per_user": "your uploads under way",
    "accept_uploads": "the organizers, who take no files for the moment",
    "phase": "the competition's phase",
}
"""The limit that decides a team's allowance, in words."""

router = APIRouter(include_in_schema=False)


@router.get("/competitions/{slug}/submit")
async def show_submit(request: Request, slug: str) -> Response:
    """The page to submit: files left, the form, and the format of a file."""
    return await _page(request, slug)


@router.post("/competitions/{slug}/submit")
async def post_submit(request: Request, slug: str) -> Response:
    """Takes the form of a browser without scripts; the body goes to the API unread."""
    address = at("/competitions/{}/submissions", slug)
    answer = await ask(request, "POST", address, receive=request.receive)
    if answer.is_good:
        return after(f"/competitions/{slug}/submissions/{answer.document['id']}", "submitted")
    if answer.status == 401:
        return RedirectResponse("/sign-in", status_code=303)
    refusal = FormView(SentForm({}), status=answer.status, summary=answer.document["detail"])
    return await _page(request, slug, refusal)


@router.post("/competitions/{slug}/submit/discard/{upload_id}")
async def post_discard(request: Request, slug: str, upload_id: str) -> Response:
    """Gives an unfinished upload up."""
    answer = await ask(request, "DELETE", at("/uploads/{}", upload_id))
    answer.or_refuse()
    return after(f"/competitions/{slug}/submit", "upload-discarded")


async def _page(request: Request, slug: str, form: FormView = EMPTY) -> Response:
    await require_visitor(request)
    frame = await competition_frame(request, slug, here="submit")
    team = await ask(request, "GET", at("/competitions/{}/team", slug))
    unfinished: list[Any] = []
    if team.is_good:
        listed = await ask(request, "GET", "/api/v1/uploads")
        unfinished = [each for each in listed.or_refuse()["items"] if each["offset"]]
    return await show(
        request,
        "submissions/submit.html",
        form=form,
        frame=frame,
        team=team.document if team.is_good else None,
        why_not=_why_not(frame, team),
        limited_by=LIMITS.get(team.document.get("limited_by", ""), ""),
        unfinished=unfinished,
        facts=_facts(frame),
        origin=_origin(request),
        kept=duration_of(request.app.state.application.settings.upload_keep_seconds),
    )


def _why_not(frame: CompetitionFrame, team: Answer) -> tuple[str, str] | None:
    """Why nothing can be sent now, and what can be done; None where something can."""
    competition, phase = frame.competition, frame.competition["phase"]
    if phase in ("draft", "upcoming"):
        return "The competition has not begun.", "Files are taken from its start on."
    if phase in ("closed", "revealed") and not competition["late_submissions"]:
        return "The competition is closed.", "What you sent is on the page “My submissions”."
    if not team.is_good:
        return "You are in no team yet.", "Enter the competition with a team first."
    if team.document["disqualified"]:
        return "Your team is disqualified.", team.document["disqualified"]["reason"]
    if not competition["accept_uploads"]:
        return (
            "The organizers take no files for the moment.",
            "What was accepted stays. Look at the announcements.",
        )
    if team.document["submissions_left_today"] == 0:
        return "Nothing is left for now.", "More can be sent after the time that stands here."
    return None


def _facts(frame: CompetitionFrame) -> dict[str, Any]:
    """The facts about a file that `submit_check.js` needs, as attributes of the form."""
    competition = frame.competition
    columns = [competition["id_column"], competition["labels_column"]]
    if competition["task"] == "rating":
        columns.insert(1, competition["item_column"])
    names = list(competition["objectives"])
    return {
        "data-slug": frame.slug,
        "data-task": competition["task"],
        "data-columns": ",".join(columns),
        # Where there is one objective, ids do not name it.
        "data-objectives": ",".join(names) if len(names) > 1 else "",
        "data-query-ids": competition["query_ids"],
        "data-item-ids": competition["item_ids"],
        "data-rows": competition["counts"]["published_ids"],
        "data-missing": competition["missing_rows"],
        "data-max-bytes": competition["max_upload_bytes"],
        "data-max-expanded": competition["max_expanded_bytes"],
    }


def _origin(request: Request) -> str:
    base_url: str = request.app.state.application.settings.base_url
    return base_url or f"{request.url.scheme}://{request.headers.get('host', 'localhost')}"
