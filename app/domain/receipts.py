"""What a receipt is made of: its one canonical spelling, and the commitment to a ground truth.

Signatures are made over `canonical` of everything but the signature. The spelling is that of RFC
8785 for what receipts hold: no floats, ASCII names. A receipt in any other spelling is no receipt,
so that not one of its bytes can be changed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

SIGNATURE = "signature"

KEY_ID_CHARACTERS = 16


def canonical(document: Mapping[str, Any]) -> bytes:
    """The one spelling of a document. Raises `ValueError` for what has more than one: floats, and
    names that are not ASCII.

    >>> canonical({"b": [1, None], "a": "é"}).decode()
    '{"a":"é","b":[1,null]}'
    """
    _refuse_ambiguous(document)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def signed_part(document: Mapping[str, Any]) -> bytes:
    """What a receipt's signature is over."""
    return canonical({name: value for name, value in document.items() if name != SIGNATURE})


def key_id_of(public_key: bytes) -> str:
    """The short name of a public key: the beginning of its SHA-256."""
    return hashlib.sha256(public_key).hexdigest()[:KEY_ID_CHARACTERS]


def salt_of(secret: str, version: int) -> str:
    """The salt of a version's commitment (hex), from a competition's secret, which it keeps.
    Telling it after the reveal opens the commitment of this version alone."""
    message = f"podium commitment to ground truth {version}".encode()
    return hmac.new(bytes.fromhex(secret), message, hashlib.sha256).hexdigest()


def commitment_of(salt: str, truth_sha256: str) -> str:
    """What is published of a hidden ground truth: fixes it, and says nothing about it without the
    salt. The hash is that of the canonical ground truth."""
    return hmac.new(bytes.fromhex(salt), truth_sha256.encode(), hashlib.sha256).hexdigest()


def _refuse_ambiguous(value: object) -> None:
    if isinstance(value, float):
        raise ValueError("a receipt holds no floats: numbers with a point are text")
    if isinstance(value, Mapping):
        for name, member in value.items():
            if not isinstance(name, str) or not name.isascii():
                raise ValueError(f"the name {name!r} is not ASCII text")
            _refuse_ambiguous(member)
    elif isinstance(value, list | tuple):
        for member in value:
            _refuse_ambiguous(member)
