"""The administrator's pages: how the installation is doing, who did what in it, competitions to
restore, and the key that signs receipts."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from podium.errors import NotAllowed, PodiumError
from podium.http.errors import status_of
from podium.http.pages.acts import FormAction, carry_out, reason
from podium.http.pages.api_calls import ask, document_of
from podium.http.pages.dashboard import address_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form, refused
from podium.http.pages.file_uploads import Target, hand_on
from podium.http.pages.layout import require_visitor, show
from podium.http.pages.lists import log_of
from podium.http.streaming.form_bodies import FormBody

router = APIRouter(include_in_schema=False)

ROTATE = FormAction("POST", "/admin/signing-key", "key-rotated", reason, is_dangerous=True)

ROTATE_WORD = "new key"
"""Typed to confirm a rotation."""

SECTIONS = (
    ("status", "/server", "Status"),
    ("accounts", "/organizers/accounts", "Accounts"),
    ("links", "/organizers/links", "Links"),
    ("log", "/server/log", "Audit log"),
    ("import", "/server/import", "Import"),
)

PEOPLE = (
    ("refuse", "Refuse the archive"),
    ("same", "They are the same people"),
    ("suffix", "Import them under other names"),
)


@router.get("/server")
async def show_server(request: Request) -> Response:
    """Queue, workers, database, disk, uploads under way, keys."""
    return await _status(request)


@router.post("/server/signing-key")
async def post_signing_key(request: Request) -> Response:
    """Signs with a new key from now on."""
    return await carry_out(
        request,
        ROTATE,
        form=await read_form(request),
        back="/server",
        again=partial(_status, request),
        confirm=ROTATE_WORD,
    )


@router.get("/server/log")
async def show_log(request: Request) -> Response:
    """Everything that anybody did, with filters."""
    await _require_administrator(request)
    competition = request.query_params.get("competition", "").strip() or None
    listed, asked, form = await log_of(request, competition=competition)
    return await _show(
        request,
        "log",
        form=form,
        listed=listed,
        asked={**asked, "competition": competition or ""},
    )


@router.get("/server/import")
async def show_import(request: Request) -> Response:
    """The form that restores a competition from a full archive."""
    return await _import(request)


@router.post("/server/import")
async def post_import(request: Request) -> Response:
    """Hands the archive on to the API."""
    await _require_administrator(request)

    def target(form: FormBody) -> Target:
        texts = {name: (form.text(name) or "").strip() or None for name in ("slug", "people")}
        return Target("POST", "/api/v1/admin/competitions/import", texts)

    try:
        answer = await hand_on(request, text_fields=("slug", "people"), target=target)
    except PodiumError as error:
        shown = FormView(SentForm({}), status=status_of(error), summary=error.detail)
        return await _import(request, shown)
    if answer.is_good:
        return after(address_of(answer.document["slug"]), "competition-imported")
    return await _import(request, refused(answer, SentForm({})))


async def _status(request: Request, form: FormView = EMPTY) -> Response:
    await _require_administrator(request)
    server = await document_of(request, "/api/v1/admin/server")
    ready = await ask(request, "GET", "/readyz")
    keys = await document_of(request, "/api/v1/signing-key")
    return await _show(
        request,
        "status",
        form=form,
        server=server,
        reasons=ready.document["reasons"],
        keys=keys,
        rotate_word=ROTATE_WORD,
    )


async def _import(request: Request, form: FormView = EMPTY) -> Response:
    await _require_administrator(request)
    return await _show(request, "import", form=form, people=PEOPLE)


async def _show(request: Request, section: str, *, form: FormView, **context: Any) -> Response:
    return await show(
        request,
        f"operations/{section}.html",
        form=form,
        section=section,
        sections=SECTIONS,
        **context,
    )


async def _require_administrator(request: Request) -> None:
    visitor = await require_visitor(request)
    if not visitor.is_administrator:
        raise NotAllowed("Only the administrator of this installation has this page.")
