"""Work that is under way at a certain moment, and not by luck: a worker that reads a named pipe in
the place of a stored file has its lease, and waits."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.builders.installations.program import Program, until


@contextmanager
def unreadable(paths: list[Path]) -> Iterator[None]:
    """Named pipes stand in the place of these files until the block ends."""
    aside = [path.with_name(f"{path.name}.aside") for path in paths]
    with ExitStack() as stack:
        for path, kept in zip(paths, aside, strict=True):
            path.rename(kept)
            stack.callback(kept.replace, path)
            os.mkfifo(path, 0o600)
            # With an end for writing, only reading waits: a worker may open files as it starts.
            stack.callback(os.close, os.open(path, os.O_RDWR))
        yield


def killed_while(
    program: Program, held: list[Path], condition: Callable[[], object], *, slots: int
) -> None:
    """Lets a worker begin with what needs these files, and kills it as soon as the condition
    holds."""
    with unreadable(held):
        program.work(slots=slots)
        until(condition)
        program.kill("worker")


@contextmanager
def spoiled(path: Path) -> Iterator[None]:
    """The stored file has other bytes until the block ends."""
    kept = path.with_name(f"{path.name}.aside")
    shutil.copy2(path, kept)
    path.write_bytes(b"spoiled")
    try:
        yield
    finally:
        kept.replace(path)
