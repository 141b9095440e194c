"""Writes datasets on this machine, and manages the secret key of their random draws."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from podium.cli.configuration import write_private
from podium.cli.outcome import complain
from podium.cli.parameters.files import file_option
from podium.cli.written import fetched_into
from podium.errors import NotConfigured
from podium.preparation.preparing import prepare
from podium.preparation.sessions import seeded_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from podium.preparation.options import CutOptions, Options

KEY_FILE = "cut.key"
"""The secret of the cuts, beside the files that depend on it, readable by its owner only."""

KEY_BYTES = 32

KeyFile = Annotated[Path | None, file_option("The secret of an earlier preparation.")]


def key_given(seed: int | None, file: Path | None) -> tuple[bytes, str] | None:
    """Returns the key that options name, and its origin for reports. Raises `NotConfigured`."""
    if seed is not None and file is not None:
        raise NotConfigured("Give either --seed or --key-file, not both.")
    if seed is not None:
        return seeded_key(seed), f"seed {seed}"
    return None if file is None else (read_key(file), "a secret key")


def _key_for(to: Path, given: tuple[bytes, str] | None) -> tuple[bytes, str, list[Path]]:
    """Returns the key of a preparation, its origin, and its file if that is in the folder, which is
    created."""
    to.mkdir(parents=True, exist_ok=True)
    if given is not None:
        return *given, []
    stored = to / KEY_FILE
    if stored.exists():
        complain(f"Cut by the key in {stored}, as before. Remove it for other cuts.")
        return read_key(stored), "a secret key", [stored]
    key = secrets.token_bytes(KEY_BYTES)
    write_private(stored, key.hex() + "\n")
    complain(f"{stored} is the key of the cuts: it tells what is hidden. Keep it secret.")
    return key, "a secret key", [stored]


def read_key(file: Path) -> bytes:
    """Reads the key in a file. Raises `NotConfigured`."""
    try:
        key = bytes.fromhex(file.read_text().strip())
    except (ValueError, UnicodeDecodeError):
        key = b""
    if len(key) < KEY_BYTES:
        raise NotConfigured(f"{file} holds no key: {2 * KEY_BYTES} hexadecimal digits.")
    return key


def made_here(
    files: Sequence[Path],
    to: Path,
    options: Options | CutOptions,
    key: tuple[bytes, str] | None,
    *,
    force: bool,
) -> tuple[dict[str, Any], list[str]]:
    """Writes a dataset, drawn by this key or that of the folder, with the files that participants
    must not see readable by their owner only; returns the report and the files."""
    secret, drawn_by, key_files = _key_for(to, key)
    with fetched_into(to, force=force) as fresh:
        prepared = prepare(files, fresh, options=options, key=secret, drawn_by=drawn_by)
        for path in prepared.secrets:
            path.chmod(0o600)
        written = [to / path.relative_to(fresh) for path in prepared.files]
    return prepared.report, [str(path) for path in (*written, *key_files)]
