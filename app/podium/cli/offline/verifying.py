"""`podium verify`: whether an installation has signed a receipt. Needs no server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from podium.cli.history.entries import sha256_of
from podium.cli.outcome import Exit, complain
from podium.cli.parameters.files import file_argument, file_option
from podium.cli.printing import AsJson, print_facts, print_json
from podium.errors import NotConfigured, Unavailable
from podium.submissions.rules import SIGNATURE, canonical, commitment_of, key_id_of, signed_part

SEVERAL = ".jsonl"
"""The extension of a file of receipts, one per line."""

SECONDS = 10.0
"""Seconds to wait for a key from an address."""


def verify(
    receipt: Annotated[Path, file_argument("The receipt, or an archive's receipts.")],
    file: Annotated[Path | None, file_option("The submitted file, to compare.")] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="The installation's keys: a file, or their address, …/api/v1/signing-key."
        ),
    ] = None,
    submission: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Whose receipt, in the receipts.jsonl of an archive."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a receipt: every byte of it, the key, the file, the commitment to the ground truth.

    In the receipts.jsonl of an archive all receipts are checked, or that of --submission. Without
    --key, only the receipt itself is known to be unchanged since it was signed. Exit code 3 if
    anything does not match the receipt.
    """
    trusted = None if key is None else _trusted(key)
    if receipt.suffix == SEVERAL and submission is None:
        _verify_all(receipt, file, trusted, as_json=as_json)
        return
    content = receipt.read_bytes() if submission is None else _chosen(receipt, submission)
    problems, document = checked(content, file, trusted)
    if as_json:
        print_json({"valid": not problems, "problems": problems, "receipt": document})
    elif not problems:
        print_facts(_facts(document, is_trusted=trusted is not None))
    _end(receipt, problems)


def _verify_all(
    receipt: Path, file: Path | None, trusted: set[str] | None, *, as_json: bool
) -> None:
    if file is not None:
        raise NotConfigured("With --file, name the receipt that is about it: --submission ID.")
    contents = receipt.read_bytes().splitlines()
    problems = [
        f"{document.get('submission', 'a line')}: {problem}"
        for found, document in (checked(content, None, trusted) for content in contents)
        for problem in found
    ]
    if as_json:
        print_json({"valid": not problems, "problems": problems, "receipts": len(contents)})
    elif not problems:
        key = "one of --key" if trusted is not None else "not compared: use --key"
        print_facts({"valid": "yes", "receipts": len(contents), "signed by": key})
    _end(receipt, problems)


def _end(receipt: Path, problems: list[str]) -> None:
    if problems:
        for problem in problems:
            complain(f"{receipt}: {problem}")
        raise typer.Exit(Exit.REJECTED)


def _chosen(receipt: Path, submission: str) -> bytes:
    """Returns the receipt of a submission from a file with one receipt per line."""
    named = f'"submission":{json.dumps(submission)}'.encode()
    found = [line for line in receipt.read_bytes().splitlines() if named in line]
    if not found:
        raise NotConfigured(f"{receipt} holds no receipt of the submission {submission}.")
    return found[0]


def checked(
    content: bytes, file: Path | None, trusted: set[str] | None
) -> tuple[list[str], dict[str, Any]]:
    """Returns the problems of a receipt, and its document; a changed receipt is not checked any
    further."""
    try:
        document = json.loads(content)
        is_canonical = canonical(document) == content.removesuffix(b"\n")
    except (ValueError, AttributeError, RecursionError):
        return ["This is not a receipt."], {}
    if not is_canonical or not _is_signed(document):
        return ["The signature does not fit: something was changed."], document
    problems = []
    if trusted is not None and document["public_key"] not in trusted:
        problems.append("It was signed by a key that is not one of the installation's.")
    if file is not None and sha256_of(file) != document.get("sha256"):
        problems.append(f"{file} is not the file that it is about.")
    if not _opens(document):
        problems.append("The ground truth is not the one that was committed to.")
    return problems, document


def _is_signed(document: dict[str, Any]) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        signature = bytes.fromhex(document[SIGNATURE])
        public = bytes.fromhex(document["public_key"])
        if signature.hex() != document[SIGNATURE] or public.hex() != document["public_key"]:
            return False
        Ed25519PublicKey.from_public_bytes(public).verify(signature, signed_part(document))
    except (InvalidSignature, KeyError, TypeError, ValueError):
        return False
    return bool(document.get("key_id") == key_id_of(public))


def _opens(document: dict[str, Any]) -> bool:
    """True if the salt, once published, opens the commitment."""
    final = document.get("final")
    if not final:
        return True
    opened = commitment_of(final["salt"], final["ground_truth_sha256"])
    return bool(opened == document["ground_truth"]["commitment"])


def _trusted(key: str) -> set[str]:
    content = _fetched(key) if key.startswith(("http://", "https://")) else _read(key)
    try:
        return {one["public_key"] for one in json.loads(content)["keys"]}
    except (ValueError, KeyError, TypeError):
        return {content.decode(errors="replace").strip()}


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise NotConfigured(f"{path}: {error.strerror}") from error


def _fetched(address: str) -> bytes:
    import httpx2

    remedy = "The keys of a server are at its address /api/v1/signing-key."
    try:
        answer = httpx2.get(address, timeout=SECONDS)
    except httpx2.HTTPError as error:
        raise Unavailable(f"{address} does not answer: {error}. {remedy}") from error
    if not answer.is_success:
        raise NotConfigured(f"There are no keys at {address} ({answer.status_code}). {remedy}")
    return answer.content


def _facts(document: dict[str, Any], *, is_trusted: bool) -> dict[str, Any]:
    signed_by = document["key_id"] + ("" if is_trusted else " (not compared: use --key)")
    names = ("submission", "sha256", "submitted_at", "status", "public_score")
    return {"valid": "yes", "signed by": signed_by, **{name: document[name] for name in names}}
