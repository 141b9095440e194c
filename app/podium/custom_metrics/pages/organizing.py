"""Pages on which organizers work on their metric: versions, an editor, and the upload of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from starlette.types import Message, Receive

from podium.competitions.pages.sections import (
    SectionPage,
    address_of,
    dashboard_of,
)
from podium.competitions.pages.setting_groups import Field
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.tables import CustomMetric
from podium.core.configuration import is_scored_by_custom_metric
from podium.custom_metric_runner.values import text_of
from podium.custom_metrics.pages.texts import (
    FIRST_SOURCE,
    CodeLine,
    lines_with_problems,
    shown_text,
)
from podium.custom_metrics.schemas import CustomMetricOut, CustomMetricsOut, TrialOut
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import Answer, ProblemPlace, ask, at, document_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form
from podium.http.pages.file_uploads import Target, hand_on
from podium.http.pages.layout import show
from podium.http.streaming.form_bodies import FormBody

router = APIRouter(include_in_schema=False)

FILES = "/admin/competitions/{}/metric-files"

LIMIT = 20

REFRESH_SECONDS = 3

RUN_FIELDS = (Field("seconds", CustomMetric), Field("resamples", CustomMetric))

SOURCE_FIELD = Field("metric_source_is_public")


@dataclass(frozen=True, kw_only=True)
class MetricSection(SectionPage):
    """Versions of the metric, with the editor; `wrong` are the lines of a source that was refused,
    `latest` is the newest stored version, and `chosen` the one whose arguments the form shows: the
    one that scores, unless another is named. The editor shows the `newest` upload, even a rejected
    one; while that is checked, the page refreshes."""

    template: ClassVar[str] = "custom_metrics/organizer/metric.html"
    section: ClassVar[str] = "metric"

    listed: CustomMetricsOut
    latest: CustomMetricOut | None
    chosen: CustomMetricOut | None
    settings: CompetitionSettings
    is_scored_by_custom: bool
    source: str
    wrong: Sequence[CodeLine]
    trial: TrialOut | None
    newest: CustomMetricOut | None
    refresh: int | None
    run_values: dict[str, object]
    argument_texts: Mapping[str, str]
    run_fields: Sequence[Field] = RUN_FIELDS
    source_field: Field = SOURCE_FIELD


@dataclass(frozen=True, kw_only=True)
class MetricVersionSection(SectionPage):
    """One version, its source, and its differences from an earlier one."""

    template: ClassVar[str] = "custom_metrics/organizer/version.html"
    section: ClassVar[str] = "metric"

    file: CustomMetricOut
    source: str | None
    wrong: Sequence[CodeLine]
    earlier: str | None
    difference: str


@router.get("/organize/{slug}/metric")
async def show_metric(
    request: Request, slug: str, cursor: str | None = None, use: str | None = None
) -> Response:
    """Shows the versions, newest first, and the editor with the newest one. With `use`, the form
    that chooses the scoring version shows this one."""
    return await page(request, slug, cursor=cursor, chosen=use)


@router.get("/organize/{slug}/metric/{version}")
async def show_version(
    request: Request, slug: str, version: str, earlier: str | None = None
) -> Response:
    """Shows one version; with `?earlier=`, also its differences from that one."""
    layout = await dashboard_of(request, slug)
    file = await document_of(request, at(FILES + "/{}", slug, version), CustomMetricOut)
    if earlier is None and file.version is not None and file.version > 1:
        earlier = str(file.version - 1)
    difference = ""
    if earlier is not None:
        answer = await ask(
            request, "GET", at(FILES + "/{}/diff", slug, version), params={"from": earlier}
        )
        answer.or_refuse()
        difference = answer.body.decode(errors="replace")
    source = await _source(request, slug, version)
    shown = MetricVersionSection(
        layout=layout,
        file=file,
        source=source,
        wrong=lines_with_problems(source or "", _problems_of(file)),
        earlier=earlier,
        difference=difference,
    )
    return await show(request, shown)


@router.post("/organize/{slug}/metric")
async def post_source(request: Request, slug: str) -> Response:
    """Uploads the source in the editor to be checked and stored as the next version."""
    await dashboard_of(request, slug)
    form = await read_form(request)
    content = form.text("source").encode()
    answer = await ask(
        request,
        "POST",
        at(FILES, slug),
        params={"filename": "metric.py", "note": form.text_or_none("note")},
        headers={
            "content-type": "application/octet-stream",
            "content-length": str(len(content)),
        },
        receive=_whole(content),
    )
    return await _ended(request, slug, answer, form)


@router.post("/organize/{slug}/metric/file")
async def post_file(request: Request, slug: str) -> Response:
    """Uploads a file, Python or a zip, likewise."""
    await dashboard_of(request, slug)

    def target(form: FormBody) -> Target:
        texts = {"filename": form.filename or None, "note": form.text("note") or None}
        return Target("POST", at(FILES, slug), texts)

    answer = await hand_on(request, text_fields=("note",), target=target)
    return await _ended(request, slug, answer, SentForm({}))


async def page(
    request: Request,
    slug: str,
    *,
    cursor: str | None = None,
    form: FormView = EMPTY,
    refused: Sequence[ProblemPlace] = (),
    trial: TrialOut | None = None,
    chosen: str | None = None,
) -> Response:
    """Shows the section, perhaps with a form and the `refused` places of its source, or with a
    trial."""
    layout = await dashboard_of(request, slug)
    listed = await document_of(
        request, at(FILES, slug), CustomMetricsOut, limit=LIMIT, cursor=cursor
    )
    latest = next((each for each in listed.items if each.version is not None), None)
    newest = None if cursor or not listed.items else listed.items[0]
    source = await _newest_source(request, slug, newest or latest)
    if newest is not None and form.name != "editor":
        refused = _problems_of(newest)
    settings = CompetitionSettings.model_validate(layout.competition.settings)
    own = settings.own_metric or CustomMetric(version=1)
    shown = MetricSection(
        layout=layout,
        listed=listed,
        latest=latest,
        chosen=await _chosen(request, slug, settings, chosen) or latest,
        settings=settings,
        is_scored_by_custom=is_scored_by_custom_metric(settings),
        source=source,
        wrong=lines_with_problems(str(form.value("source", source)), refused),
        trial=trial,
        newest=newest,
        refresh=REFRESH_SECONDS if newest and newest.status == "checking" else None,
        run_values=own.model_dump(),
        argument_texts={name: text_of(value) for name, value in own.arguments.items()},
    )
    return await show(request, shown, form=form)


def _problems_of(file: CustomMetricOut) -> list[ProblemPlace]:
    problems = [] if file.problem is None else file.problem["errors"]
    return [ProblemPlace.model_validate(each) for each in problems]


async def _ended(request: Request, slug: str, answer: Answer, form: SentForm) -> Response:
    if answer.is_good:
        done = "metric-checking" if answer.status == 202 else "metric-kept"
        return after(address_of(slug, "/metric"), done)
    shown = shown_refusal(answer, form, name="editor")
    return await page(request, slug, form=shown, refused=answer.problem.errors)


async def _chosen(
    request: Request, slug: str, settings: CompetitionSettings, named: str | None
) -> CustomMetricOut | None:
    """Returns the version of this number, or else the one that scores, if there is one."""
    used = None if settings.own_metric is None else str(settings.own_metric.version)
    for version in filter(None, (named, used)):
        answer = await ask(request, "GET", at(FILES + "/{}", slug, version))
        if answer.is_good and (found := answer.read(CustomMetricOut)).version is not None:
            return found
    return None


async def _newest_source(request: Request, slug: str, newest: CustomMetricOut | None) -> str:
    if newest is None:
        return FIRST_SOURCE
    return await _source(request, slug, str(newest.version or newest.id)) or ""


async def _source(request: Request, slug: str, version: str) -> str | None:
    path = at("/competitions/{}/metric-files/{}/source", slug, version)
    return shown_text(await ask(request, "GET", path))


def _whole(content: bytes) -> Receive:
    """Returns an ASGI `receive` for a body that is complete already."""

    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    return receive
