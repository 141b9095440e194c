"""All teams' submissions: found by state, team, time and words; acts on one or on many of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from podium.competitions.pages.sections import (
    SectionPage,
    address_of,
    compares_unasked,
    dashboard_of,
)
from podium.errors import NotFound
from podium.http.pages.acts import FormAction, act_named, carry_out, reason, shown_refusal, texts
from podium.http.pages.api_calls import ApiProblem, ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form, sent_time
from podium.http.pages.layout import show
from podium.http.pages.lists import listed_or_refused
from podium.http.paging import Listed
from podium.http.schemas import PersonOut
from podium.submissions.pages.submission import ListWords, words_of_lists
from podium.submissions.schemas import SubmissionOut

router = APIRouter(include_in_schema=False)

LIMIT = 50

STATES = ("queued", "judging", "scored", "rejected", "failed", "cancelled")

ACTS = {
    "cancel": FormAction("/admin/submissions/{}/cancel", "judging-cancelled"),
    "disqualify": FormAction(
        "/admin/submissions/{}/disqualify", "submission-disqualified", texts("reason")
    ),
    "return-slot": FormAction("/admin/submissions/{}/return-slot", "slot-returned", reason),
    "reinstate": FormAction("/admin/submissions/{}/reinstate", "submission-reinstated", reason),
}
"""Actions on one submission, and on each of many."""

REJUDGE = FormAction("/admin/competitions/{}/rejudgings", "rejudging-begun")

FILTERS = ("state", "team", "text", "since", "until")


class AlikeFile(BaseModel):
    """A file of a pair."""

    submission_id: str
    team: PersonOut
    submitted_at: datetime


class AlikePair(BaseModel):
    """Two files of different teams that are alike."""

    first: AlikeFile
    second: AlikeFile
    identical: bool
    equal_lists: float
    equal_heads: float


class BegunRejudging(BaseModel):
    """A rejudging that was begun."""

    id: str


@dataclass(frozen=True, kw_only=True)
class SubmissionsSection(SectionPage):
    """Submissions that pass the filters `asked`; those that are set are in `query` again."""

    template: ClassVar[str] = "submissions/organizer/submissions.html"
    section: ClassVar[str] = "submissions"

    listed: Listed[SubmissionOut]
    asked: Mapping[str, str]
    is_filtered: bool
    query: Mapping[str, str]
    states: tuple[str, ...] = STATES


@dataclass(frozen=True, kw_only=True)
class SubmissionSection(SectionPage):
    """One submission; `alike` is None where files were not compared."""

    template: ClassVar[str] = "submissions/organizer/submission.html"
    section: ClassVar[str] = "submissions"

    submission: SubmissionOut
    alike: list[AlikePair] | None
    list_words: ListWords | None


@router.get("/organize/{slug}/submissions")
async def show_submissions(request: Request, slug: str) -> Response:
    """Newest first; the filters stand in the address, so that a view can be kept and sent on."""
    return await page(request, slug)


@router.post("/organize/{slug}/submissions")
async def post_many(request: Request, slug: str) -> Response:
    """Does the same with each of the submissions that were ticked."""
    form = await read_form(request)
    ids, name = form.texts("id"), form.text("act")
    await dashboard_of(request, slug)
    if not ids:
        return await page(request, slug, _nothing_done(form, "Tick at least one submission."))
    if name == "rejudge":
        return await _rejudge(request, slug, form, ids)
    act = act_named(ACTS, name)
    if name == "disqualify" and not form.is_ticked("sure"):
        words = "Tick the box beside the reason: these files leave the boards at once."
        return await page(request, slug, _nothing_done(form, words))
    refusals = await _each(request, act, ids, form)
    if not refusals:
        return after(address_of(slug, "/submissions"), "submissions-changed")
    shown = FormView(
        form,
        status=refusals[0][0],
        summary=f"Done with {len(ids) - len(refusals)} of {len(ids)}; these were refused:",
        others=tuple(words for _, words in refusals),
    )
    return await page(request, slug, shown)


@router.get("/organize/{slug}/submissions/{submission_id}")
async def show_submission(request: Request, slug: str, submission_id: str) -> Response:
    """Everything that organizers may know about one."""
    return await _one(request, slug, submission_id)


@router.post("/organize/{slug}/submissions/{submission_id}/{name}")
async def post_one(request: Request, slug: str, submission_id: str, name: str) -> Response:
    """An act on one submission."""
    act, form = act_named(ACTS, name), await read_form(request)
    if name == "disqualify" and not form.is_ticked("sure"):
        untouched = _nothing_done(form, "Tick the box: it leaves the boards at once.")
        return await _one(request, slug, submission_id, untouched)
    return await carry_out(
        request,
        act,
        submission_id,
        form=form,
        back=address_of(slug, f"/submissions/{submission_id}"),
        again=partial(_one, request, slug, submission_id),
    )


async def _each(
    request: Request, act: FormAction, ids: list[str], form: SentForm
) -> list[tuple[int, str]]:
    """Status and words of each refusal."""
    refusals = []
    for submission_id in ids:
        answer = await ask(request, act.method, at(act.path, submission_id), json=act.body(form))
        if answer.status == 401:
            raise ApiProblem(answer)
        if not answer.is_good:
            refusals.append((answer.status, f"{submission_id}: {answer.problem.detail}"))
    return refusals


async def _rejudge(request: Request, slug: str, form: SentForm, ids: list[str]) -> Response:
    body = {"reason": form.text("reason").strip(), "submission_ids": ids}
    answer = await ask(request, REJUDGE.method, at(REJUDGE.path, slug), json=body)
    if not answer.is_good:
        return await page(request, slug, shown_refusal(answer, form))
    return after(address_of(slug, f"/rejudgings/{answer.read(BegunRejudging).id}"), REJUDGE.done)


async def page(request: Request, slug: str, form: FormView = EMPTY) -> Response:
    """The section, perhaps with a form that was refused."""
    layout = await dashboard_of(request, slug)
    asked = {name: request.query_params.get(name, "").strip() for name in FILTERS}
    params: dict[str, object] = {name: value or None for name, value in asked.items()}
    for name in ("since", "until"):
        params[name] = sent_time(asked[name])
    cursor = request.query_params.get("cursor")
    answer = await ask(
        request,
        "GET",
        at("/admin/competitions/{}/submissions", slug),
        params={**params, "limit": LIMIT, "cursor": cursor},
    )
    listed, wrong = listed_or_refused(answer, Listed[SubmissionOut])
    shown = SubmissionsSection(
        layout=layout,
        listed=listed,
        asked=asked,
        is_filtered=any(asked.values()),
        query={name: value for name, value in asked.items() if value},
    )
    return await show(request, shown, form=wrong if form is EMPTY else form)


async def _one(request: Request, slug: str, submission_id: str, form: FormView = EMPTY) -> Response:
    layout = await dashboard_of(request, slug)
    submission = await document_of(request, at("/submissions/{}", submission_id), SubmissionOut)
    if submission.competition != slug:
        raise NotFound("This competition has no such submission.")
    alike = None
    if compares_unasked(layout) or "alike" in request.query_params:
        alike = await _alike(request, slug, submission_id)
    words = words_of_lists(submission, "the")
    shown = SubmissionSection(layout=layout, submission=submission, alike=alike, list_words=words)
    return await show(request, shown, form=form)


def _nothing_done(form: SentForm, words: str) -> FormView:
    return FormView(form, status=422, summary=f"Nothing was done. {words}")


async def _alike(request: Request, slug: str, submission_id: str) -> list[AlikePair]:
    """The pairs that this submission is a part of."""
    pairs = await document_of(
        request,
        at("/admin/competitions/{}/similarity", slug),
        Listed[AlikePair],
        least=0.5,
        limit=1000,
    )
    return [
        pair
        for pair in pairs.items
        if submission_id in (pair.first.submission_id, pair.second.submission_id)
    ]
