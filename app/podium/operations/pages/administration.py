"""The administrator's pages: the state of the installation, its audit log, and the key that signs
receipts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import ClassVar

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from podium.accounts.pages.log import log_of
from podium.accounts.schemas import AuditOut
from podium.http.pages.acts import FormAction, carry_out, reason
from podium.http.pages.api_calls import ask, document_of
from podium.http.pages.fields import EMPTY, FormView
from podium.http.pages.layout import show
from podium.http.paging import Listed
from podium.operations.pages.sections import ServerPage, require_administrator
from podium.operations.schemas import ServerOut

router = APIRouter(include_in_schema=False)

ROTATE = FormAction("/admin/signing-key", "key-rotated", reason, is_dangerous=True)

ROTATE_WORD = "new key"
"""Typed to confirm the rotation of the key."""


class ReadyReading(BaseModel):
    """The reasons why uploads would be refused now."""

    reasons: list[str]


class SigningKeyReading(BaseModel):
    """A key that signs receipts, or did."""

    key_id: str
    public_key: str
    algorithm: str
    created_at: datetime
    retired_at: datetime | None


class SigningKeysReading(BaseModel):
    """All of them, the newest first."""

    current: str
    keys: list[SigningKeyReading]


@dataclass(frozen=True, kw_only=True)
class StatusPage(ServerPage):
    """The state of the installation; `reasons` are those for which uploads are refused."""

    template: ClassVar[str] = "operations/status.html"
    section: ClassVar[str] = "status"

    server: ServerOut
    reasons: list[str]
    keys: SigningKeysReading
    rotate_word: str = ROTATE_WORD


@dataclass(frozen=True, kw_only=True)
class ServerLogPage(ServerPage):
    """The audit log with its filters."""

    template: ClassVar[str] = "operations/log.html"
    section: ClassVar[str] = "log"

    listed: Listed[AuditOut]
    asked: dict[str, str]


@router.get("/server")
async def show_server(request: Request) -> Response:
    """Shows the queue, workers, database, disk, uploads under way, and keys."""
    return await _status(request)


@router.post("/server/signing-key")
async def post_signing_key(request: Request) -> Response:
    """Signs with a new key from now on."""
    return await carry_out(
        request, ROTATE, back="/server", again=partial(_status, request), confirm=ROTATE_WORD
    )


@router.get("/server/log")
async def show_log(request: Request) -> Response:
    """Shows the audit log of the installation, with filters."""
    await require_administrator(request)
    competition = request.query_params.get("competition", "").strip() or None
    listed, asked, form = await log_of(request, competition=competition)
    page = ServerLogPage(listed=listed, asked={**asked, "competition": competition or ""})
    return await show(request, page, form=form)


async def _status(request: Request, form: FormView = EMPTY) -> Response:
    await require_administrator(request)
    # Where uploads are refused, readiness has the reason, with a status other than 200.
    ready = await ask(request, "GET", "/readyz")
    page = StatusPage(
        server=await document_of(request, "/api/v1/admin/server", ServerOut),
        reasons=ReadyReading.model_validate_json(ready.body).reasons,
        keys=await document_of(request, "/api/v1/signing-key", SigningKeysReading),
    )
    return await show(request, page, form=form)
