"""create_app(): the web service of one process."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from fastapi_offline import FastAPIOffline

from app import __version__
from app.application import Application
from app.web.api.boards import charts, comparison, integrity, leaderboard, segments
from app.web.api.competitions import (
    announcements,
    archives,
    competitions,
    launching,
    metrics,
    phases,
    rules,
    settings_files,
)
from app.web.api.installation import health, overview
from app.web.api.materials import data_files, ground_truth, item_files, raw_sessions
from app.web.api.people import accounts, links, page_sessions, signing_in
from app.web.api.people import administration as people_administration
from app.web.api.submissions import (
    acts,
    events,
    judging_acts,
    judging_pauses,
    receipts,
    rejudgings,
    submissions,
    uploads,
)
from app.web.api.teams import administration as teams_administration
from app.web.api.teams import merging, organizers, teams
from app.web.bodies.downloads import seats_for_downloads
from app.web.deps import knows_caller
from app.web.edge.compression import Compression
from app.web.edge.counting import Counting, Counts, Naming
from app.web.edge.inner_calls import InnerCalls
from app.web.edge.readiness import StoreWatch
from app.web.edge.security import EdgeMiddleware
from app.web.edge.tracing import Traced
from app.web.errors import install_error_handlers
from app.web.load.kept_answers import KeptAnswers
from app.web.load.samples import Samples
from app.web.pages import install_pages
from app.web.signing_in.credentials import Credentials

API_MODULES = (
    accounts,
    people_administration,
    archives,
    announcements,
    charts,
    comparison,
    settings_files,
    competitions,
    events,
    data_files,
    ground_truth,
    integrity,
    item_files,
    launching,
    leaderboard,
    links,
    merging,
    metrics,
    page_sessions,
    phases,
    raw_sessions,
    receipts,
    rejudgings,
    rules,
    segments,
    overview,
    signing_in,
    acts,
    judging_acts,
    judging_pauses,
    organizers,
    submissions,
    teams,
    teams_administration,
    uploads,
)


SILENT: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""The framework's own traces are off, whatever else of this process sets up a provider: they hold
addresses, which may be secrets. Ours are those of `app.telemetry`."""


def create_app(application: Application) -> FastAPI:
    """The FastAPI application over these collaborators; the caller closes them."""
    app: FastAPI = FastAPIOffline(
        title="Podium",
        version=__version__,
        summary="A self-hosted, Kaggle-style competition scorer for recommender systems",
        openapi_url="/openapi.json",
        # Redirects would name whatever host the client has sent.
        redirect_slashes=False,
        telemetry=SILENT,
    )
    app.state.application = application
    app.state.credentials = Credentials()
    app.state.knows_caller = knows_caller
    app.state.counts = Counts()
    app.state.downloads = seats_for_downloads(
        per_account=application.settings.downloads_per_account,
        per_address=application.settings.downloads_per_address,
        all_together=application.settings.downloads,
    )
    app.state.samples = Samples(application)
    app.state.store_watch = StoreWatch(application.storage)
    _add_middleware(app, application)
    install_error_handlers(app)
    _include_routes(app)
    return app


def _add_middleware(app: FastAPI, application: Application) -> None:
    """The innermost first."""
    app.add_middleware(InnerCalls)
    app.add_middleware(Naming)
    app.add_middleware(Compression)
    app.add_middleware(KeptAnswers, database=application.database)
    if application.telemetry.is_on:
        app.add_middleware(Traced, telemetry=application.telemetry)
    app.add_middleware(
        EdgeMiddleware,
        is_leaving=application.is_leaving,
        base_url=application.settings.base_url,
        trusted_proxies=application.settings.proxy_networks,
    )
    app.add_middleware(Counting, counts=app.state.counts)


def _include_routes(app: FastAPI) -> None:
    app.include_router(health.router)
    for module in API_MODULES:
        app.include_router(module.router, prefix="/api/v1")
    install_pages(app)
