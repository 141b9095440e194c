"""Pages of the metrics: an index by family, and a page for each. Public, like the API's list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request, Response

from podium.competitions.schemas.metrics import MetricDefinitionOut
from podium.errors import NotFound
from podium.http.pages.api_calls import document_of
from podium.http.pages.layout import PageContext, show
from podium.http.paging import Listed
from podium.scoring.metrics import key_of

router = APIRouter(include_in_schema=False)

UNKNOWN = "There is no metric of this name. /help/metrics lists all."


@dataclass(frozen=True, kw_only=True)
class MetricIndexPage(PageContext):
    """All metrics, grouped by family."""

    template: ClassVar[str] = "competitions/metrics.html"

    families: Mapping[str, Sequence[MetricDefinitionOut]]


@dataclass(frozen=True, kw_only=True)
class MetricPage(PageContext):
    """A metric: formula, worked example, unusual cases; `known` are the names that have a page."""

    template: ClassVar[str] = "competitions/metric.html"

    metric: MetricDefinitionOut
    known: Sequence[str]


@router.get("/help/metrics")
async def show_index(request: Request) -> Response:
    """Lists all metrics with their formulas, by family."""
    families: dict[str, list[MetricDefinitionOut]] = {}
    for metric in await _metrics(request):
        families.setdefault(metric.about.family, []).append(metric)
    return await show(request, MetricIndexPage(families=families))


@router.get("/help/metrics/{name}")
async def show_metric(request: Request, name: str) -> Response:
    """Shows the page of a metric, by its name or by an id such as `ndcg@10`."""
    # Where kinds share a name, the first one has the page.
    metrics = {metric.name: metric for metric in reversed(await _metrics(request))}
    found = metrics.get(key_of(name))
    if found is None:
        raise NotFound(UNKNOWN)
    return await show(request, MetricPage(metric=found, known=list(metrics)))


async def _metrics(request: Request) -> list[MetricDefinitionOut]:
    listed = await document_of(request, "/api/v1/metrics", Listed[MetricDefinitionOut])
    return listed.items
