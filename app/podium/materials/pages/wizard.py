"""A new competition from its ground truth: the file first, then what was guessed from it, a title
and a metric; everything else has a default."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ValidationError

from podium.accounts.authentication.callers import MaybeActor
from podium.application import Application
from podium.competitions.pages import setting_fields
from podium.competitions.pages.creation import MadeCompetition, with_every_problem
from podium.competitions.pages.sections import address_of
from podium.competitions.pages.setting_groups import FIELDS, GROUPS, Field, SettingGroup
from podium.core.access import Actor
from podium.core.competition_settings import CompetitionSettings
from podium.errors import PodiumError
from podium.errors.codes import ErrorCode
from podium.http.errors import status_of
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import Json, ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form, refused
from podium.http.pages.file_uploads import Target, hand_on
from podium.http.pages.layout import PageContext, require_maker, show
from podium.http.paging import Listed
from podium.scoring.forms import plain_forms
from podium.scoring.inference.guessing import HEAD_BYTES, guess_of
from podium.scoring.kinds import DEFAULT, kind_named, kind_of
from podium.scoring.kinds.first_rows import Guess
from podium.scoring.metrics.pages import page_of
from podium.scoring.problems import Code as FileCode
from podium.submissions.schemas import UploadOut
from podium.submissions.service import composing

router = APIRouter(include_in_schema=False)

ASKED = ("title", "metric", "task")
"""Settings that have a place of their own; all others are folded."""

WHOLE = {"upload-complete": "?1", "transfer-encoding": "chunked"}


@dataclass(frozen=True, slots=True)
class MetricIdea:
    """A metric to choose, in one sentence; `k` is the usual length of a list."""

    id: str
    """The name, with an average that is not the usual one."""
    title: str
    words: str
    k: int | None

    @classmethod
    def of(cls, metric_id: str) -> Self:
        """The idea of the metric with this id; its page has the words."""
        name, _, average = metric_id.partition(":")
        key, _, k = name.partition("@")
        page = page_of(key)
        title = f"{page.short}{'@K' if k else ''}{f' ({average})' if average else ''}"
        id_ = f"{key}:{average}" if average else key
        return cls(id_, title, page.summary, int(k) if k else None)


OTHER_COLUMNS = (
    "The file has other columns than those under Advanced › Columns. Write its columns there, or"
    " choose another file."
)
"""The refusal of a file whose header does not fit the settings."""


TOO_MANY = FormView(
    status=429,
    summary="You have too many unfinished uploads. Continue with one of them below, or discard it.",
)
"""The refusal of one more file."""


UNTICKED = FormView(
    status=422,
    summary="The first row looks like data.",
    problems={"header": "Tick this if it is a header, or choose a file that has one."},
)
"""The refusal of a file whose first row may be the first answer."""


class StartedUpload(BaseModel):
    """An upload that was sent."""

    id: str


@dataclass(frozen=True, kw_only=True)
class WizardPage(PageContext):
    """The first step with the visitor's `unfinished` uploads, or, with an `upload`, the second one:
    what was guessed, and the settings with these `values` in `groups`. A `refused_upload` is of no
    use any more, and a script discards it."""

    template: ClassVar[str] = "materials/organizer/new.html"

    upload: str
    refused_upload: str
    unfinished: Sequence[UploadOut]
    guess: Guess | None
    ideas: Sequence[MetricIdea]
    metric: str
    k: int | None
    groups: Sequence[SettingGroup]
    fields: Mapping[str, Field]
    values: Mapping[str, object]


@router.get("/organizers/new")
async def show_wizard(
    request: Request, actor: MaybeActor, upload: str = "", full: str = "", task: str = ""
) -> Response:
    """The form for the file; once it was sent, what it seems to be, or a table with that `task`.
    With `full`, a script got the answer that there are too many uploads."""
    form = FormView(SentForm({"task": [task]})) if task else EMPTY
    return await _page(request, actor, upload, TOO_MANY if full else form)


@router.post("/organizers/new/discard/{upload_id}")
async def post_discard(request: Request, upload_id: str) -> Response:
    """Discards an upload, so that another file can be chosen."""
    await require_maker(request)
    answer = await ask(request, "DELETE", at("/uploads/{}", upload_id))
    if answer.status != 404:
        # One that has expired since is gone as well.
        answer.or_refuse()
    return after("/organizers/new", "upload-discarded")


@router.post("/organizers/new/upload")
async def post_file(request: Request, actor: MaybeActor) -> Response:
    """Takes the file of a browser without scripts."""
    await require_maker(request)
    target = Target("POST", "/api/v1/uploads", {}, WHOLE)
    try:
        answer = await hand_on(request, text_fields=(), target=lambda _: target)
    except PodiumError as error:
        shown = FormView(SentForm({}), status=status_of(error), summary=error.detail)
        return await _page(request, actor, "", shown)
    if answer.is_good:
        upload = answer.read(StartedUpload).id
        guess = await _guessed(request, actor, upload, SentForm({}))
        if guess is None or not guess.problem:
            return after("/organizers/new", "file-sent", upload=upload)
        await ask(request, "DELETE", at("/uploads/{}", upload))
        return await _page(request, actor, "", _useless(guess))
    if answer.problem.code == ErrorCode.TOO_MANY_UPLOADS:
        return await _page(request, actor, "", TOO_MANY)
    return await _page(request, actor, "", refused(answer, SentForm({})))


@router.post("/organizers/new")
async def post_wizard(request: Request, actor: MaybeActor) -> Response:
    """Makes the draft, and gives it the file as its ground truth."""
    await require_maker(request)
    form = await read_form(request)
    upload = form.text("upload")
    document = _document(form)
    guess = await _guessed(request, actor, upload, form)
    if guess is not None and guess.question and not form.is_ticked("header"):
        return await _refused(request, actor, replace(UNTICKED, typed=form), document)
    if past := setting_fields.refuse_past_end(form):
        return await _refused(request, actor, past, document)
    answer = await ask(request, "POST", "/api/v1/admin/competitions", json=document)
    if not answer.is_good:
        shown = shown_refusal(answer, form, fields=setting_fields.PLACES)
        return await _refused(request, actor, shown, document)
    slug = answer.read(MadeCompetition).slug
    kind = "raw-sessions" if form.text("shape") == "sessions" else "ground-truth"
    path = at(f"/admin/competitions/{{}}/{kind}", slug)
    given = await ask(request, "POST", path, json={"upload_id": upload})
    if given.is_good:
        return after(address_of(slug), "competition-made")
    # A draft would only hold the slug: the file is still there to try again.
    await ask(request, "DELETE", at("/admin/competitions/{}", slug))
    fields = _fields_of_columns(guess, form)
    shown = shown_refusal(given, form, fields=fields)
    if fields.keys() & {each.code for each in given.problem.errors}:
        shown = replace(shown, summary=OTHER_COLUMNS)
    return await _page(request, actor, upload, shown)


def _fields_of_columns(guess: Guess | None, form: SentForm) -> Mapping[str, str]:
    """The field that a refused header belongs to: the first one whose column the file lacks, of
    those that a table names. None in a file whose lines say themselves what is what."""
    if guess is None or guess.shape in ("labels", "sessions"):
        return {}
    names = [name for name in ("id_column", "labels_column", "item_column") if name in form.fields]
    lacking = [name for name in names if form.text(name).strip() not in guess.columns]
    return {FileCode.HEADER_MISMATCH: (lacking or names or ["id_column"])[0]}


async def _refused(
    request: Request, actor: Actor | None, form: FormView, document: Json
) -> Response:
    shown = await with_every_problem(request, form, document)
    if not document["slug"] and "title" in shown.problems:
        # The slug would have been made of the title.
        problems = {name: words for name, words in shown.problems.items() if name != "slug"}
        shown = replace(shown, problems=problems)
    return await _page(request, actor, form.typed.text("upload"), shown)


async def _page(
    request: Request, actor: Actor | None, upload: str, form: FormView = EMPTY
) -> Response:
    await require_maker(request)
    guess = await _guessed(request, actor, upload, form.typed)
    refused_upload = ""
    if guess is not None and guess.problem:
        refused_upload, upload, form = upload, "", _useless(guess)
    settings = _settings(guess)
    ideas = tuple(map(MetricIdea.of, kind_of(settings.task).usual_metrics))
    first = next((each for each in ideas if _is_like(each, settings)), ideas[0])
    values = setting_fields.shown_values(settings)
    page = WizardPage(
        upload=upload,
        refused_upload=refused_upload,
        unfinished=[] if upload else await _unfinished(request, besides=refused_upload),
        guess=guess,
        ideas=ideas,
        metric=first.id,
        k=first.k,
        groups=GROUPS_BESIDE,
        fields=FIELDS,
        values=values,
    )
    return await show(request, page, form=form)


async def _guessed(
    request: Request, actor: Actor | None, upload: str, form: SentForm
) -> Guess | None:
    if actor is None or not upload:
        return None
    application, wanted = request.app.state.application, form.text("task")
    return await run_in_threadpool(_guess, application, actor, upload, wanted)


def _useless(guess: Guess) -> FormView:
    return FormView(status=422, summary=guess.problem)


async def _unfinished(request: Request, *, besides: str) -> list[UploadOut]:
    listed = await document_of(request, "/api/v1/uploads", Listed[UploadOut])
    return [each for each in listed.items if each.offset and each.id != besides]


def _guess(application: Application, actor: Actor, upload: str, wanted: str) -> Guess:
    with application.database.read() as session:
        found = composing.beginning_of(session, upload_id=upload, actor=actor)
    head = b"".join(found.read(application.storage, HEAD_BYTES))
    return guess_of(head, is_cut=found.length > len(head), wanted=wanted)


def _settings(guess: Guess | None) -> CompetitionSettings:
    """The defaults with what was guessed; without it where the two do not fit together."""
    given = dict(guess.settings) if guess else {}
    kind = kind_named(str(given.get("task", "")))
    metric = str(given.pop("metric", "")) or kind.first_metric
    if (kind.has_lists and len(_objectives(given)) > 1) or (guess and guess.shape == "sessions"):
        metric = "recall_capped@20:micro"
    forms = plain_forms(given.get("query_ids"))
    if guess and guess.encoding:
        forms.append(guess.encoding)
    try:
        return CompetitionSettings.model_validate({"metric": metric, "forms": forms, **given})
    except ValidationError:
        return CompetitionSettings()


def _objectives(given: Mapping[str, object]) -> Mapping[str, object]:
    found = given.get("objectives", {})
    return found if isinstance(found, dict) else {}


def _is_like(idea: MetricIdea, settings: CompetitionSettings) -> bool:
    name, _, average = idea.id.partition(":")
    return (settings.metric.name, settings.metric.average) == (name, average or "macro")


def _document(form: SentForm) -> Json:
    title, task = form.text("title").strip(), form.text("task") or DEFAULT
    return {
        **setting_fields.document_of(form, GROUPS_BESIDE),
        "title": title,
        "slug": form.text("slug").strip() or slug_of(title),
        "task": task,
        "metric": metric_id(form.text("metric"), form.text("k"), task),
    }


def metric_id(idea: str, k: str, task: str) -> str:
    """The id of a metric from its name, perhaps with an average, and the typed K.

    >>> metric_id("recall_capped:micro", " 20 ", "ranking"), metric_id("rmse", "20", "rating")
    ('recall_capped@20:micro', 'rmse')
    >>> metric_id("mrr", "", "ranking"), metric_id("mrr", "", "rerank")
    ('mrr@', 'mrr')
    """
    name, _, average = idea.partition(":")
    kind = kind_named(task)
    if name in kind.usual_metrics or kind.has_table:
        return name
    return f"{name}@{k.strip()}" + (f":{average}" if average else "")


def slug_of(title: str) -> str:
    """A slug made of a title; empty where nothing of it can stand in one.

    >>> slug_of("Größter Wurf, 2026!"), slug_of("---")
    ('grosster-wurf-2026', '')
    """
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss").lower())
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode()).strip("-")[:64]


GROUPS_BESIDE = tuple(
    SettingGroup(
        group.title, group.about, tuple(each for each in group.fields if each.name not in ASKED)
    )
    for group in GROUPS
)
"""The settings without those that have a place of their own."""
