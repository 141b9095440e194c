"""The secret key of a preparation, and what a preparation prints."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.legible import say
from podium.cli.outcome import complain
from podium.cli.printing import print_facts, print_json
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from collections.abc import Iterable

KEY_FILE = "cut.key"
"""The secret of the cuts, beside the files that were made with it, readable by its owner alone."""

KEY_BYTES = 32

KeyFile = Annotated[
    Path | None,
    typer.Option(exists=True, dir_okay=False, help="The secret of an earlier preparation."),
]


def key_for(to: Path, seed: int | None, file: Path | None) -> tuple[bytes, str, list[Path]]:
    """The key of a preparation, its origin for reports, and its file if that is in the folder,
    which is made. Raises `NotConfigured`."""
    from podium.preparation.sessions import seeded_key

    if seed is not None and file is not None:
        raise NotConfigured("Give either --seed or --key-file, not both.")
    given = None if file is None else read_key(file)
    to.mkdir(parents=True, exist_ok=True)
    if seed is not None:
        return seeded_key(seed), f"seed {seed}", []
    if given is not None:
        return given, "a secret key", []
    kept = to / KEY_FILE
    if kept.exists():
        complain(f"Cut by the key in {kept}, as before. Remove it for other cuts.")
        return read_key(kept), "a secret key", [kept]
    key = secrets.token_bytes(KEY_BYTES)
    descriptor = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as sink:
        sink.write(key.hex() + "\n")
    complain(f"{kept} is the key of the cuts: it tells what is hidden. Keep it secret.")
    return key, "a secret key", [kept]


def read_key(file: Path) -> bytes:
    """The key in a file. Raises `NotConfigured`."""
    try:
        key = bytes.fromhex(file.read_text().strip())
    except (ValueError, UnicodeDecodeError):
        key = b""
    if len(key) < KEY_BYTES:
        raise NotConfigured(f"{file} holds no key: {2 * KEY_BYTES} hexadecimal digits.")
    return key


def files_in(to: Path, written: Iterable[Path]) -> list[str]:
    """The files under their names in the folder that was asked for."""
    return [str(to / path.name) for path in written]


def show_made(facts: dict[str, Any], *, as_json: bool) -> None:
    """Prints the files and then the other facts."""
    if as_json:
        print_json(facts)
        return
    for path in facts.pop("files"):
        say(str(path))
    if facts:
        print_facts(facts)
