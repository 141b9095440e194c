"""Files that a command downloads or writes: none replaces another one unless that is requested."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from filecmp import cmp
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode

Force = Annotated[bool, typer.Option("--force", help="Overwrite files that differ.")]
Out = Annotated[
    Path,
    typer.Option(
        "--out",
        "-o",
        dir_okay=False,
        help="The submission; its name's ending .gz, .zst or .parquet says how it is packed.",
    ),
]
Top = Annotated[int, typer.Option(min=1, max=1000, help="Maximum items per row.")]


@contextmanager
def fetched(to: Path, *, force: bool) -> Iterator[Path]:
    """Yields a path beside `to` for content that is unknown before it is written; at the end the
    file is renamed to `to`.

    Raises `InvalidInput` if another file has the name, unless `force` is given; one with the same
    bytes is fine.
    """
    if to.is_dir():
        raise InvalidInput(f"{to} is a folder.")
    if to.exists() and not to.is_file():
        raise InvalidInput(f"{to} is not a file. Name one to write to.")
    fresh = to.with_name(f".{to.name}.new")
    with failing_as(to):
        try:
            yield fresh
            _refuse_to_replace(to, fresh, force=force)
            fresh.replace(to)
        finally:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)


@contextmanager
def failing_as(to: Path) -> Iterator[None]:
    """Raises failures about a temporary file beside `to` as failures of `to`, which was
    requested."""
    try:
        yield
    except OSError as failure:
        named = failure.filename
        if failure.errno is None or named is None or Path(os.fsdecode(named)).parent != to.parent:
            raise
        raise OSError(failure.errno, failure.strerror, str(to)) from failure


@contextmanager
def fetched_into(folder: Path, *, force: bool) -> Iterator[Path]:
    """Yields a folder in `folder`, which is created, whose files are moved there likewise at the
    end."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".new-") as place:
        yield Path(place)
        found = sorted(path for path in Path(place).rglob("*") if path.is_file())
        targets = [folder / fresh.relative_to(place) for fresh in found]
        for target, fresh in zip(targets, found, strict=True):
            _refuse_to_replace(target, fresh, force=force)
        for target, fresh in zip(targets, found, strict=True):
            target.parent.mkdir(exist_ok=True)
            fresh.replace(target)


def _refuse_to_replace(to: Path, fresh: Path, *, force: bool) -> None:
    if to.exists() and not force and not cmp(fresh, to, shallow=False):
        raise differs(to)


def refuse_other(to: Path, *, size: int, sha256: str, force: bool) -> None:
    """Raises `InvalidInput` if a file other than this one has the name, before any byte is
    downloaded."""
    from podium.client.bodies import sha256_of

    if force or not to.exists():
        return
    if not to.is_file() or to.stat().st_size != size or sha256_of(to) != sha256:
        raise differs(to)


def differs(to: Path) -> InvalidInput:
    """Returns the refusal for a name that is taken."""
    return InvalidInput(
        f"{to} exists and has other content. Move it away, or overwrite it with --force.",
        code=ErrorCode.FILE_EXISTS,
    )
