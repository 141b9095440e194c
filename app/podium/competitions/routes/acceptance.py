"""Routes of a competition's rules: read, accept, and see who accepted."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from podium.accounts.authentication.callers import MaybeActor, SignedIn
from podium.competitions.schemas.texts import AcceptanceOut, RulesOut
from podium.competitions.service import acceptance
from podium.errors.codes import ErrorCode
from podium.http.paging import Listed, Paging
from podium.http.schemas import Input, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing

router = strict_router(tag="rules")


class Acceptance(Input):
    """An acceptance of the rules."""

    sha256: Annotated[str | None, Field(max_length=64)] = None
    """SHA-256 of the text that was read, in hex. Null: the text in force now."""


@router.get(
    "/competitions/{slug}/rules",
    operation_id="getRules",
    summary="The rules",
    responses=problems(ErrorCode.NO_RULES),
)
def get_rules(slug: str, actor: MaybeActor, session: Reading) -> RulesOut:
    """404 with the code `no-rules` where there are none: then nothing has to be accepted."""
    return RulesOut.of(acceptance.describe_rules(session, slug=slug, actor=actor))


@router.post(
    "/competitions/{slug}/rules/acceptance",
    operation_id="acceptRules",
    summary="Accept the rules",
    responses=problems(ErrorCode.NO_RULES, ErrorCode.RULES_CHANGED),
)
def post_acceptance(
    slug: str, actor: SignedIn, session: Writing, body: Acceptance | None = None
) -> RulesOut:
    """Needed before entering and submitting, and again once the text has changed."""
    view = acceptance.accept_rules(
        session, slug=slug, actor=actor, sha256=body.sha256 if body else None
    )
    return RulesOut.of(view)


@router.get(
    "/admin/competitions/{slug}/rules/acceptances",
    operation_id="listAcceptances",
    summary="Who accepted the rules",
)
def get_acceptances(
    slug: str, actor: SignedIn, session: Reading, page: Paging
) -> Listed[AcceptanceOut]:
    """Oldest first; earlier texts included."""
    after = page.after(datetime, str, str)
    rows = acceptance.list_acceptances(
        session,
        slug=slug,
        actor=actor,
        after=(after[0], after[1], after[2]) if after else None,
        limit=page.fetch,
    )
    return page.listed(
        rows,
        key=lambda row: (row[0].accepted_at, row[0].user_id, row[0].sha256),
        show=lambda row: AcceptanceOut.of(row[0], person=row[1]),
    )
