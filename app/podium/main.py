"""create_app(): the web service of one process."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Depends, FastAPI
from fastapi.telemetry import TelemetryConfig
from fastapi_offline import FastAPIOffline
from starlette.routing import BaseRoute

from podium import __version__
from podium.accounts.authentication.callers import has_actor
from podium.accounts.authentication.credentials import Credentials
from podium.accounts.authentication.sign_up import SignUpLimits
from podium.accounts.pages import router as accounts_pages
from podium.accounts.routes import router as accounts_routes
from podium.application import Application
from podium.archives.pages import router as archives_pages
from podium.archives.routes import router as archives_routes
from podium.boards.pages import router as boards_pages
from podium.boards.routes import router as boards_routes
from podium.competitions.pages import router as competitions_pages
from podium.competitions.routes import router as competitions_routes
from podium.custom_metrics.pages import router as custom_metrics_pages
from podium.custom_metrics.routes import router as custom_metrics_routes
from podium.http import openapi
from podium.http.caching import ResponseCache
from podium.http.errors import install_error_handlers
from podium.http.html import static_files
from podium.http.middleware.compression import Compression
from podium.http.middleware.counting import Counting, Naming, RequestCounts
from podium.http.middleware.inner_calls import InnerCalls
from podium.http.middleware.readiness import StoreWatch
from podium.http.middleware.security import Security
from podium.http.middleware.tracing import Traced
from podium.http.openapi import page as reference
from podium.http.openapi.introduction import INTRODUCTION, TAGS
from podium.http.pages.api_calls import ApiProblem
from podium.http.pages.own_origin import refuse_foreign_forms
from podium.http.pages.refusals import PageElsewhere, greet, lead_elsewhere, refused_page
from podium.http.routing import RouteFinder
from podium.http.schemas import OpenApi, problems
from podium.http.streaming.downloads import seats_for_downloads
from podium.integrity.pages import router as integrity_pages
from podium.integrity.routes import router as integrity_routes
from podium.judging.routes import router as judging_routes
from podium.materials.pages import router as materials_pages
from podium.materials.routes import router as materials_routes
from podium.operations.pages import router as operations_pages
from podium.operations.routes import health
from podium.operations.routes import router as operations_routes
from podium.rejudging.pages import router as rejudging_pages
from podium.rejudging.routes import router as rejudging_routes
from podium.submissions.pages import router as submissions_pages
from podium.submissions.routes import router as submissions_routes
from podium.submissions.routes.references import FinishedUpload, SubmittedUpload
from podium.teams.pages import router as teams_pages
from podium.teams.routes import router as teams_routes

API = (
    accounts_routes,
    operations_routes,
    competitions_routes,
    submissions_routes,
    custom_metrics_routes,
    materials_routes,
    boards_routes,
    teams_routes,
    archives_routes,
    judging_routes,
    rejudging_routes,
    integrity_routes,
)
"""The API of all subjects, in their order."""

PAGES = (
    accounts_pages,
    operations_pages,
    submissions_pages,
    custom_metrics_pages,
    materials_pages,
    boards_pages,
    teams_pages,
    archives_pages,
    rejudging_pages,
    integrity_pages,
    competitions_pages,
)
"""Pages are clients of our own API, so they can do what it can. Those of competitions come last:
one of their addresses would fit others' too."""

SILENT: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""The framework's own traces are off, whatever else of this process sets up a provider: they hold
addresses, which may be secrets. Ours are those of `podium.telemetry`."""


_descriptions: dict[str, OpenApi] = {}
"""Descriptions of the API that were asked for: they are the same for all collaborators, too."""


def create_app(application: Application) -> FastAPI:
    """The FastAPI application over these collaborators; the caller closes them."""
    contact = application.settings.contact_address
    app: FastAPI = FastAPIOffline(
        title="Podium",
        version=__version__,
        summary="A self-hosted, Kaggle-style competition scorer for recommender systems",
        description=INTRODUCTION,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        contact={"url": contact} if contact else None,
        openapi_tags=[{"name": name, "description": text} for name, text in TAGS],
        openapi_url="/openapi.json",
        docs_url=None,
        # Redirects would name whatever host the client has sent.
        redirect_slashes=False,
        telemetry=SILENT,
        routes=all_routes(),
    )
    app.state.application = application
    app.state.credentials = Credentials()
    app.state.sign_up_limits = SignUpLimits()
    app.state.knows_caller = has_actor
    app.state.counts = RequestCounts()
    app.state.downloads = seats_for_downloads(
        per_account=application.settings.downloads_per_account,
        per_address=application.settings.downloads_per_address,
        all_together=application.settings.downloads,
    )
    app.state.store_watch = StoreWatch(application.storage)
    _add_middleware(app, application)
    install_error_handlers(app, greet=greet)
    app.add_exception_handler(ApiProblem, refused_page)
    app.add_exception_handler(PageElsewhere, lead_elsewhere)
    openapi.improve(app, documents=(FinishedUpload, SubmittedUpload), known=_descriptions)
    return app


def _add_middleware(app: FastAPI, application: Application) -> None:
    """Adds the innermost first: the last one sees a request before all others."""
    app.add_middleware(InnerCalls)
    app.add_middleware(Naming)
    app.add_middleware(Compression)
    app.add_middleware(ResponseCache, database=application.database)
    if application.telemetry.is_on:
        app.add_middleware(Traced, telemetry=application.telemetry)
    app.add_middleware(
        Security,
        is_stopping=application.is_stopping,
        base_url=application.settings.base_url,
        trusted_proxies=application.settings.proxy_networks,
    )
    app.add_middleware(Counting, counts=app.state.counts)


@cache
def all_routes() -> list[BaseRoute]:
    """Every route, put together once: they are the same for all collaborators, and making them
    costs more than the rest of an application."""
    routes = APIRouter()
    routes.include_router(health.router)
    for each in API:
        routes.include_router(each, prefix="/api/v1", responses=problems(422, 503))
    pages = APIRouter(include_in_schema=False, dependencies=[Depends(refuse_foreign_forms)])
    for shown in (*PAGES, static_files.router, reference.router):
        pages.include_router(shown)
    routes.include_router(pages)
    return [RouteFinder(routes.routes), *routes.routes]
