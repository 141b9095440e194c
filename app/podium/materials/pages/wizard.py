"""A new competition from its ground truth: the file first, then what was guessed from it, a title
and a metric; everything else has a default."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ValidationError

from podium.accounts.authentication.callers import MaybeActor
from podium.application import Application
from podium.competitions.pages import setting_fields
from podium.competitions.pages.creation import MadeCompetition, with_every_problem
from podium.competitions.pages.sections import address_of
from podium.competitions.pages.setting_groups import GROUPS, SettingGroup
from podium.core.access import Actor
from podium.core.competition_settings import CompetitionSettings
from podium.errors import NotFound, PodiumError
from podium.errors.codes import ErrorCode
from podium.http.errors import status_of
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import Json, ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form, refused
from podium.http.pages.file_uploads import Target, hand_on
from podium.http.pages.layout import NOT_YOURS, PageContext, require_visitor, show
from podium.http.paging import Listed
from podium.materials.rules.guessing import Guess, guess_of
from podium.scoring.problems import Code as FileCode
from podium.submissions.schemas import UploadOut
from podium.submissions.service import composing

router = APIRouter(include_in_schema=False)

HEAD_BYTES = 1 << 16
"""The beginning of a file that is looked at."""

GZIP = b"\x1f\x8b"

ASKED = ("title", "metric", "task")
"""Settings that have a place of their own; all others are folded."""

WHOLE = {"upload-complete": "?1", "transfer-encoding": "chunked"}


@dataclass(frozen=True, slots=True)
class MetricIdea:
    """A metric to choose, in one sentence; `k` is the usual length of a list."""

    id: str
    title: str
    words: str
    k: int | None = None


IDEAS: Mapping[str, Sequence[MetricIdea]] = {
    "ranking": (
        MetricIdea("recall", "Recall@K", "How many of the right items are among the first K.", 20),
        MetricIdea(
            "ndcg", "NDCG@K", "Right items count more, the higher they stand in the list.", 10
        ),
        MetricIdea(
            "map_capped", "MAP@K", "Precision at each right item, averaged; Kaggle's usual one.", 12
        ),
        MetricIdea("mrr", "MRR@K", "How high the first right item stands.", 10),
        MetricIdea("hit_rate", "Hit rate@K", "How often at least one right item is found.", 10),
        MetricIdea("precision", "Precision@K", "How many of the first K items are right.", 10),
        MetricIdea(
            "recall_capped:micro",
            "OTTO's recall@K",
            "Total hits divided by total possible hits.",
            20,
        ),
    ),
    "rating": (
        MetricIdea("rmse", "RMSE", "Root of the mean squared error; large errors weigh more."),
        MetricIdea("mae", "MAE", "Mean absolute error."),
    ),
    "scores": (
        MetricIdea("auc", "AUC", "How often what happened is scored above what did not."),
        MetricIdea("gauc", "Group AUC", "The same for each user alone, averaged over users."),
        MetricIdea("log_loss", "Log loss", "For probabilities: confident mistakes cost most."),
        MetricIdea("pr_auc", "PR-AUC", "Precision over recall; for what happens rarely."),
        MetricIdea("rce", "RCE", "How much better than always predicting the mean rate."),
    ),
    "rerank": (
        MetricIdea("ndcg", "NDCG@K", "Right candidates count more, the higher they stand.", 10),
        MetricIdea("mrr_all", "MRR of all", "1 / place, averaged over all right candidates."),
        MetricIdea("mrr", "MRR", "How high the first right candidate stands."),
        MetricIdea("gauc", "Group AUC", "How often a right candidate stands above a wrong one."),
        MetricIdea("hit_rate", "Hit rate@K", "How often a right one is among the first K.", 5),
    ),
    "table": (
        MetricIdea("rmse", "RMSE", "Root of the mean squared error; large errors weigh more."),
        MetricIdea("mae", "MAE", "Mean absolute error."),
        MetricIdea("auc", "AUC", "How often a row with 1 is scored above one with 0."),
        MetricIdea("log_loss", "Log loss", "For probabilities: confident mistakes cost most."),
        MetricIdea(
            "own", "Your own, higher is better", "A Python file that you write on the next pages."
        ),
        MetricIdea("own_error", "Your own, lower is better", "The same for an error."),
    ),
}
"""The metrics to choose from, by task; the settings take all others."""

FIRST_METRICS = {
    "ranking": "recall@20",
    "rating": "rmse",
    "scores": "auc",
    "rerank": "ndcg@10",
    "table": "rmse",
}
"""The metric of a competition whose file tells no other, by task."""


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
    values: Mapping[str, object]


@router.get("/organizers/new")
async def show_wizard(
    request: Request, actor: MaybeActor, upload: str = "", full: str = "", task: str = ""
) -> Response:
    """The form for the file; once it was sent, what it seems to be, or a table with that `task`.
    With `full`, a script was told that there are too many uploads."""
    form = FormView(SentForm({"task": [task]})) if task else EMPTY
    return await _page(request, actor, upload, TOO_MANY if full else form)


@router.post("/organizers/new/discard/{upload_id}")
async def post_discard(request: Request, upload_id: str) -> Response:
    """Discards an upload, so that another file can be chosen."""
    await _require_maker(request)
    answer = await ask(request, "DELETE", at("/uploads/{}", upload_id))
    if answer.status != 404:
        # One that has expired since is gone as well.
        answer.or_refuse()
    return after("/organizers/new", "upload-discarded")


@router.post("/organizers/new/upload")
async def post_file(request: Request, actor: MaybeActor) -> Response:
    """Takes the file of a browser without scripts."""
    await _require_maker(request)
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
    await _require_maker(request)
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
    await _require_maker(request)
    guess = await _guessed(request, actor, upload, form.typed)
    refused_upload = ""
    if guess is not None and guess.problem:
        refused_upload, upload, form = upload, "", _useless(guess)
    settings = _settings(guess)
    ideas = IDEAS[settings.task]
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
        values={**values, "visibility": "public"},
    )
    return await show(request, page, form=form)


async def _guessed(
    request: Request, actor: Actor | None, upload: str, form: SentForm
) -> Guess | None:
    if actor is None or not upload:
        return None
    as_table = form.text("task") == "table"
    return await run_in_threadpool(_guess, request.app.state.application, actor, upload, as_table)


def _useless(guess: Guess) -> FormView:
    return FormView(status=422, summary=guess.problem)


async def _unfinished(request: Request, *, besides: str) -> list[UploadOut]:
    listed = await document_of(request, "/api/v1/uploads", Listed[UploadOut])
    return [each for each in listed.items if each.offset and each.id != besides]


def _guess(application: Application, actor: Actor, upload: str, as_table: bool) -> Guess:
    with application.database.read() as session:
        found = composing.beginning_of(session, upload_id=upload, actor=actor)
    head = b"".join(found.read(application.storage, HEAD_BYTES))
    is_cut = found.length > len(head)
    if head.startswith(GZIP):
        unpacking = zlib.decompressobj(31)
        try:
            head, is_cut = unpacking.decompress(head, HEAD_BYTES), True
        except zlib.error:
            return Guess("unknown")
    return guess_of(head, is_cut=is_cut, as_table=as_table)


def _settings(guess: Guess | None) -> CompetitionSettings:
    """The defaults with what was guessed; without it where the two do not fit together."""
    given = dict(guess.settings) if guess else {}
    metric = str(given.pop("metric", "")) or FIRST_METRICS[str(given.get("task", "ranking"))]
    is_of_lists = given.get("task", "ranking") == "ranking"
    if (is_of_lists and len(_objectives(given)) > 1) or (guess and guess.shape == "sessions"):
        metric = "recall_capped@20:micro"
    try:
        return CompetitionSettings.model_validate({"metric": metric, **given})
    except ValidationError:
        return CompetitionSettings()


def _objectives(given: Mapping[str, object]) -> Mapping[str, object]:
    found = given.get("objectives", {})
    return found if isinstance(found, dict) else {}


def _is_like(idea: MetricIdea, settings: CompetitionSettings) -> bool:
    name, _, average = idea.id.partition(":")
    return (settings.metric.name, settings.metric.average) == (name, average or "macro")


def _document(form: SentForm) -> Json:
    title = form.text("title").strip()
    return {
        **setting_fields.document_of(form, GROUPS_BESIDE),
        "title": title,
        "slug": form.text("slug").strip() or slug_of(title),
        "task": form.text("task") or "ranking",
        "metric": metric_id(form.text("metric"), form.text("k"), form.text("task") or "ranking"),
    }


def metric_id(idea: str, k: str, task: str) -> str:
    """The id of a metric from its name, perhaps with an average, and the typed K.

    >>> metric_id("recall_capped:micro", " 20 ", "ranking"), metric_id("rmse", "20", "rating")
    ('recall_capped@20:micro', 'rmse')
    >>> metric_id("mrr", "", "ranking"), metric_id("mrr", "", "rerank")
    ('mrr@', 'mrr')
    """
    name, _, average = idea.partition(":")
    if task == "table" or name in {each.id for each in IDEAS.get(task, ()) if each.k is None}:
        return name
    return f"{name}@{k.strip()}" + (f":{average}" if average else "")


def slug_of(title: str) -> str:
    """A slug made of a title; empty where nothing of it can stand in one.

    >>> slug_of("Größter Wurf, 2026!"), slug_of("---")
    ('grosster-wurf-2026', '')
    """
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss").lower())
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode()).strip("-")[:64]


async def _require_maker(request: Request) -> None:
    visitor = await require_visitor(request)
    if not visitor.may_create_competitions:
        raise NotFound(NOT_YOURS)


GROUPS_BESIDE = tuple(
    SettingGroup(
        group.title, group.about, tuple(each for each in group.fields if each.name not in ASKED)
    )
    for group in GROUPS
)
"""The settings without those that have a place of their own."""
