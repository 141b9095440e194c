"""Forms of the custom metric page: a trial on the sample, and the choice of the version that
scores, with its arguments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.sections import DashboardLayout, address_of, dashboard_of
from podium.core.competition_settings import CompetitionSettings
from podium.custom_metric_runner.values import Argument, value_of
from podium.custom_metrics.pages.organizing import FILES, page
from podium.custom_metrics.schemas import CustomMetricOut, MetricArgumentOut, TrialOut
from podium.http.pages.acts import shown_refusal
from podium.http.pages.api_calls import Answer, ask, at, document_of
from podium.http.pages.fields import FormView, SentForm, after, read_form

router = APIRouter(include_in_schema=False)

ARGUMENT = "argument-"
"""The prefix of the names of fields for arguments."""


@router.post("/organize/{slug}/metric/{version}/trial")
async def post_trial(request: Request, slug: str, version: str) -> Response:
    """Runs a version on the sample submission, with the arguments of the form if it has any, and
    shows the outcome."""
    await dashboard_of(request, slug)
    form = await read_form(request)
    file = await document_of(request, at(FILES + "/{}", slug, version), CustomMetricOut)
    given = _arguments(form, file.arguments)
    has_arguments = any(name.startswith(ARGUMENT) for name in form.fields)
    answer = await ask(
        request,
        "POST",
        at(FILES + "/{}/trial", slug, version),
        params={"arguments": json.dumps(given) if has_arguments else None},
    )
    # Checkboxes of a form that was not sent show the saved values.
    name = "use" if "seconds" in form.fields else "trial"
    if answer.is_good:
        saved = FormView(form, name=name, is_kept=True)
        return await page(request, slug, form=saved, trial=answer.read(TrialOut), chosen=version)
    places = {f"arguments.{each.name}": ARGUMENT + each.name for each in file.arguments}
    shown = shown_refusal(answer, form, name=name, fields=places)
    return await page(request, slug, form=shown, chosen=version)


@router.post("/organize/{slug}/metric/use")
async def post_use(request: Request, slug: str) -> Response:
    """Makes a version with these arguments the one that scores: at once in a draft, by a rejudging
    after the launch."""
    layout = await dashboard_of(request, slug)
    form = await read_form(request)
    version = form.text("version").strip()
    found = await ask(request, "GET", at(FILES + "/{}", slug, version or "0"))
    arguments = found.read(CustomMetricOut).arguments if found.is_good else []
    own = _custom_metric(form, version, arguments)
    before = CompetitionSettings.model_validate(layout.competition.settings)
    answer, done = await _changed(request, layout, before, form, own)
    if answer.is_good:
        rejudging = answer.headers.get("location", "").rpartition("/")[2]
        end = f"/rejudgings/{rejudging}" if rejudging else "/metric"
        return after(address_of(slug, end), done)
    places = {f"own_metric.arguments.{each.name}": ARGUMENT + each.name for each in arguments}
    own_places = {f"own_metric.{name}": name for name in ("version", "seconds", "resamples")}
    shown = shown_refusal(
        answer,
        form,
        name="use",
        fields={**places, **own_places, **{f"settings.{k}": v for k, v in own_places.items()}},
    )
    return await page(request, slug, form=shown, chosen=version)


async def _changed(
    request: Request,
    layout: DashboardLayout,
    before: CompetitionSettings,
    form: SentForm,
    own: dict[str, Any],
) -> tuple[Answer, str]:
    """Returns the answer to the change, and the flash message that follows it."""
    slug, is_public = layout.slug, form.is_ticked("metric_source_is_public")
    saved = {} if before.own_metric is None else before.own_metric.model_dump(mode="json")
    changes: dict[str, Any] = {"metric_source_is_public": is_public}
    if layout.competition.phase == "draft":
        changes["own_metric"] = {**saved, **own}
    competition = at("/admin/competitions/{}", slug)
    answer = await ask(request, "PATCH", competition, json=changes)
    is_same = "own_metric" in changes or {**saved, **own} == saved
    if not answer.is_good or is_same:
        return answer, "settings-saved"
    body = {
        "reason": form.text("reason").strip(),
        "settings": {"own_metric": {**saved, **own}},
    }
    path = at("/admin/competitions/{}/rejudgings", slug)
    return await ask(request, "POST", path, json=body), "rejudging-begun"


def _custom_metric(
    form: SentForm, version: str, arguments: Sequence[MetricArgumentOut]
) -> dict[str, Any]:
    return {
        "version": _number(version),
        "arguments": _arguments(form, arguments),
        "seconds": _number(form.text("seconds")),
        "resamples": _number(form.text("resamples")),
        "is_reproducible": not form.is_ticked("is_not_reproducible"),
    }


def _arguments(form: SentForm, arguments: Sequence[MetricArgumentOut]) -> dict[str, Argument]:
    """Returns the values from the form; empty fields are left out, so that their defaults apply.
    The API refuses those that cannot be read, with a reason."""
    typed = {each.name: form.text(ARGUMENT + each.name).strip() for each in arguments}
    return {
        each.name: value_of(typed[each.name], each.type) for each in arguments if typed[each.name]
    }


def _number(text: str) -> int | str:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
