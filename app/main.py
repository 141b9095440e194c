"""create_app(): the web service of one process."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from fastapi_offline import FastAPIOffline

from podium import __version__
from podium.application import Application
from podium.web.api.boards import charts, comparison, integrity, leaderboard, segments
from podium.web.api.competitions import (
    announcements,
    archives,
    competitions,
    launching,
    metrics,
    phases,
    settings_files,
)
from podium.web.api.competitions import rules as competition_rules
from podium.web.api.installation import health, overview
from podium.web.api.materials import data_files, ground_truth, item_files, raw_sessions
from podium.web.api.people import accounts, links, page_sessions, signing_in
from podium.web.api.people import administration as people_administration
from podium.web.api.submissions import (
    acts,
    events,
    judging_acts,
    judging_pauses,
    receipts,
    rejudgings,
    submissions,
    uploads,
)
from podium.web.api.teams import administration as teams_administration
from podium.web.api.teams import merging, organizers, teams
from podium.web.bodies.downloads import seats_for_downloads
from podium.web.deps import knows_caller
from podium.web.edge.compression import Compression
from podium.web.edge.counting import Counting, Counts, Naming
from podium.web.edge.inner_calls import InnerCalls
from podium.web.edge.readiness import StoreWatch
from podium.web.edge.security import EdgeMiddleware
from podium.web.edge.tracing import Traced
from podium.web.errors import install_error_handlers
from podium.web.load.kept_answers import KeptAnswers
from podium.web.load.samples import Samples
from podium.web.pages import install_pages
from podium.web.signing_in.credentials import Credentials

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
    competition_rules,
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
addresses, which may be secrets. Ours are those of `podium.telemetry`."""


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
