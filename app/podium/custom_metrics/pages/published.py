"""The public page about the metric that an organizer has written."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.pages.layout import CompetitionPage, competition_layout
from podium.custom_metric_runner.values import text_of
from podium.custom_metrics.pages.texts import shown_text
from podium.custom_metrics.schemas import MetricInForceOut
from podium.http.pages.api_calls import ask, at, document_of
from podium.http.pages.layout import show

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class CustomMetricPage(CompetitionPage):
    """The metric that scores; `source` is its text, None if it is hidden or a package. `arguments`
    are the values of its arguments, and `options` those of the command that scores at home."""

    template: ClassVar[str] = "custom_metrics/metric.html"

    metric: MetricInForceOut
    source: str | None
    arguments: Mapping[str, str]
    options: str


@router.get("/competitions/{slug}/metric")
async def show_metric(request: Request, slug: str) -> Response:
    """Shows version, hash and packages, and the source if it is public."""
    layout = await competition_layout(request, slug, here="metric")
    metric = await document_of(request, at("/competitions/{}/metric-file", slug), MetricInForceOut)
    source = None
    if metric.source_is_public:
        path = at("/competitions/{}/metric-files/{}/source", slug, str(metric.version))
        source = shown_text(await ask(request, "GET", path))
    given = metric.arguments or {}
    named = [f"{name}={text_of(value)}" for name, value in given.items() if value is not None]
    shown = CustomMetricPage(
        layout=layout,
        metric=metric,
        source=source,
        arguments={name: text_of(value) for name, value in given.items()},
        options="".join(f" --metric-argument {shlex.quote(each)}" for each in named),
    )
    return await show(request, shown)
