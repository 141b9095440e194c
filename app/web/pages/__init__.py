"""EDGE: what people see in a browser. Rendered on the server, usable without JavaScript, and no
request leaves the machine. Pages are clients of our own API, so they can do what it can."""

from fastapi import APIRouter, Depends, FastAPI

from podium.web.pages import organizer, server, static_files
from podium.web.pages.boards import charts, comparison, leaderboard, segments
from podium.web.pages.entrance import links, sign_in, sign_in_elsewhere
from podium.web.pages.frame.api_calls import ApiProblem
from podium.web.pages.frame.own_forms import refuse_foreign_forms
from podium.web.pages.frame.refusals import refused_page
from podium.web.pages.participant import (
    account,
    competitions,
    data_files,
    feed,
    submissions,
    submit,
    teams,
)

PAGES = (
    account,
    leaderboard,
    charts,
    comparison,
    competitions,
    data_files,
    feed,
    links,
    organizer,
    segments,
    server,
    sign_in,
    sign_in_elsewhere,
    static_files,
    submissions,
    submit,
    teams,
)


router = APIRouter(include_in_schema=False, dependencies=[Depends(refuse_foreign_forms)])
for page in PAGES:
    router.include_router(page.router)


def install_pages(app: FastAPI) -> None:
    """Registers all pages, and what becomes of a refusal that a page has nothing to say about."""
    app.include_router(router)
    app.add_exception_handler(ApiProblem, refused_page)


__all__ = ["install_pages"]
