"""The installation's key: made when it is first needed, replaced by the administrator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy.orm import Session

from podium.core import audit
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now, lock_name
from podium.core.models import SigningKey
from podium.errors import NotAllowed
from podium.submissions.queries import receipts
from podium.submissions.rules import SIGNATURE, canonical, key_id_of

ONE_KEY = "signing key"
"""The name under which those who make a key follow each other: one signs at a time."""


def ensure_key(session: WriteSession) -> SigningKey:
    """The key that signs; a new one where there is none."""
    if (key := receipts.current_key(session)) is not None:
        return key
    lock_name(session, ONE_KEY)
    return receipts.current_key(session) or _new_key(session)


def has_key(session: Session) -> bool:
    """True if there is a key that signs."""
    return receipts.current_key(session) is not None


def keys(session: Session) -> Sequence[SigningKey]:
    """All keys that ever signed, the newest first."""
    return receipts.keys(session)


def rotate(session: WriteSession, *, actor: Actor, reason: str = "") -> SigningKey:
    """Lets a new key sign from now on. The old private key is gone; what it has signed stays valid.

    Raises `NotAllowed` for everybody but the administrator.
    """
    if not actor.is_administrator:
        raise NotAllowed("Only the administrator changes the signing key.")
    lock_name(session, ONE_KEY)
    now = database_now(session)
    for key in receipts.keys(session):
        key.private_key = None
        key.retired_at = key.retired_at or now
    made = _new_key(session)
    audit.record(session, actor, "signing-key.rotate", object_id=made.id, reason=reason)
    return made


def signed(session: Session, document: Mapping[str, Any]) -> bytes:
    """The canonical text of a document with the key's name, the public key and its signature. There
    must be a key."""
    key = receipts.current_key(session)
    assert key is not None, "see ensure_key"
    assert key.private_key is not None, "only retired keys have lost it"
    whole = {**document, "key_id": key.id, "public_key": key.public_key}
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key.private_key))
    return canonical({**whole, SIGNATURE: private.sign(canonical(whole)).hex()})


def _new_key(session: WriteSession) -> SigningKey:
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    key = SigningKey(
        id=key_id_of(public),
        public_key=public.hex(),
        private_key=private.private_bytes_raw().hex(),
        created_at=database_now(session),
    )
    session.add(key)
    session.flush()
    return key
