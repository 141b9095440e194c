"""Routes of receipts: one for each submission, the keys that sign them, and the commitments to
hidden ground truths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Depends, Response
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import MaybeActor, SignedIn, refuse_bad_token
from podium.competitions.schemas.acts import ActReason
from podium.core.access import Actor
from podium.core.database.engine import ReadSession, WriteSession
from podium.http import examples
from podium.http.deps import App
from podium.http.schemas import problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing, read_with, write_with
from podium.submissions.schemas import CommitmentOut, CommitmentsOut, SigningKeysOut
from podium.submissions.service import receipt_keys, receipts

router = strict_router(tag="receipts")

_RECEIPT = {
    "podium_receipt": 1,
    "submission": examples.SUBMISSION,
    "team": {"id": examples.TEAM, "name": "Team Ada"},
    "judging": examples.OTHER,
    "competition": {"id": examples.COMPETITION, "slug": "otto"},
    "status": "scored",
    "bytes": 821_000_000,
    "sha256": examples.FILE_HASH,
    "submitted_at": "2026-11-24T12:00:00Z",
    "judged_at": "2026-11-24T12:00:41Z",
    "public_score": "0.57123",
    "scorer_version": "2",
    "ground_truth": {"version": 1, "commitment": examples.TEXT_HASH},
    "published_ids_sha256": examples.CANONICAL_HASH,
    "key_id": "87414006df5594d1",
    "public_key": "4c6570bb869e99942d891c02d8a0da2de2e80b9fecc4f4078d25be853ff7096e",
    "signature": "c20a2fca29f93dd16805a25074b9d1fc15bfe897857f36db960e52a4dfa33d45"
    "fdb545ad89c572088bb00bf9bf8cd34f3ad31d17eda7ef47750601078fab0604",
}


@router.get(
    "/submissions/{submission_id}/receipt",
    operation_id="getReceipt",
    summary="The signed receipt of a submission",
    response_class=Response,
    responses={
        200: {
            "description": "Canonical JSON with `key_id`, `public_key` and `signature`.",
            "content": {
                "application/json": {
                    "schema": {"type": "object", "additionalProperties": True},
                    "example": _RECEIPT,
                }
            },
        }
    },
)
async def get_receipt(submission_id: str, actor: SignedIn, application: App) -> Response:
    """For its team and the organizers. `podium verify` checks it without a server; what was issued
    before a rejudging stays valid. From the reveal on it holds the integers of both scores, too."""
    document, content = await read_with(application, _signed, actor, submission_id)
    if content is None:
        # A caller who may not see the receipt makes no key either.
        content = await write_with(application, _signed_with_first_key, document)
    return Response(content, media_type="application/json")


@router.get(
    "/signing-key",
    operation_id="getSigningKeys",
    summary="The public keys that sign receipts",
    dependencies=[Depends(refuse_bad_token)],
)
async def get_signing_keys(application: App) -> SigningKeysOut:
    """Keep a copy: whoever has it needs nobody's word for a receipt."""
    found = await read_with(application, _present_keys)
    return await write_with(application, _first_key) if found is None else found


@router.post(
    "/admin/signing-key",
    operation_id="rotateSigningKey",
    summary="Sign with a new key from now on",
    responses=problems(403),
)
def post_signing_key(session: Writing, actor: SignedIn, reason: ActReason) -> SigningKeysOut:
    """For the administrator. The old private key is removed; its public key stays known."""
    receipt_keys.rotate(session, actor=actor, reason=reason)
    return _keys_out(session)


@router.get(
    "/competitions/{slug}/commitments",
    operation_id="getCommitments",
    summary="Commitments to the hidden ground truths",
)
def get_commitments(session: Reading, actor: MaybeActor, slug: str) -> CommitmentsOut:
    """Published at the launch, and when a rejudging brings another version into force."""
    competition, found = receipts.commitments(session, slug=slug, actor=actor)
    return CommitmentsOut(
        competition=competition.slug,
        commitments=[CommitmentOut.of(one) for one in found],
    )


def _signed(
    session: ReadSession, actor: Actor, submission_id: str
) -> tuple[Mapping[str, Any], bytes | None]:
    """The receipt, and its signed form where there is a key already."""
    document = receipts.receipt(session, submission_id=submission_id, actor=actor)
    has_key = receipt_keys.has_key(session)
    return document, receipt_keys.signed(session, document) if has_key else None


def _signed_with_first_key(session: WriteSession, document: Mapping[str, Any]) -> bytes:
    receipt_keys.ensure_key(session)
    return receipt_keys.signed(session, document)


def _present_keys(session: ReadSession) -> SigningKeysOut | None:
    return _keys_out(session) if receipt_keys.has_key(session) else None


def _first_key(session: WriteSession) -> SigningKeysOut:
    receipt_keys.ensure_key(session)
    return _keys_out(session)


def _keys_out(session: Session) -> SigningKeysOut:
    return SigningKeysOut.of_keys(receipt_keys.keys(session))
