"""Pipes in place of files: `--settings <(…)`, `/dev/stdin`, a named pipe.

Commands read a file more than once, and look at its size and its beginning; a pipe can be read only
once. So its content is stored in a file while the command runs.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import IO, Any, get_args

DESCRIPTOR = re.compile(r"/dev/stdin|/(?:dev|proc/self)/fd/(\d+)")
"""A path that is a descriptor of this process."""

Given = Any
"""A value of any option or argument."""


def taking_pipes(command: Callable[..., None]) -> Callable[..., None]:
    """Returns the command with the pipes that it reads replaced by files."""

    @functools.wraps(command)
    def run(**given: Given) -> None:
        if not any(map(_is_pipe, given.values())):
            command(**given)
            return
        parameters = inspect.signature(command, eval_str=True).parameters
        with TemporaryDirectory(prefix="podium-pipe-", ignore_cleanup_errors=True) as folder:
            for name, value in given.items():
                if _is_pipe(value):
                    given[name] = _stored(
                        value, Path(folder), is_read=_is_read(parameters[name].annotation)
                    )
            command(**given)

    return run


def _is_pipe(value: Given) -> bool:
    if isinstance(value, list):
        return any(map(_is_pipe, value))
    if not isinstance(value, str | Path):
        return False
    try:
        mode = Path(value).stat().st_mode
    except (OSError, ValueError):
        # Most texts are not paths.
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _is_read(hint: object) -> bool:
    """True for a text that may name a file, and for a path that must exist: other paths are
    written, unless they are a descriptor, whose mode is known."""
    of, *about = get_args(hint) or (hint,)
    return str in (of, *get_args(of)) or any(getattr(each, "exists", False) for each in about)


def _stored(value: Given, folder: Path, *, is_read: bool) -> Given:
    if isinstance(value, list):
        return [_stored(each, folder, is_read=is_read) for each in value]
    source = _opened(Path(value), is_read=is_read) if _is_pipe(value) else None
    if source is None:
        return value
    stored = Path(mkdtemp(dir=folder)) / Path(value).name
    with source, stored.open("wb") as target:
        shutil.copyfileobj(source, target)
    return type(value)(str(stored))


def _opened(path: Path, *, is_read: bool) -> IO[bytes] | None:
    """Opens the pipe for reading; None if the command writes to it."""
    found = DESCRIPTOR.fullmatch(str(path))
    if found is None:
        return path.open("rb") if is_read else None
    from fcntl import F_GETFL, fcntl

    number = int(found[1] or 0)
    if fcntl(number, F_GETFL) & os.O_ACCMODE == os.O_WRONLY:
        return None
    return os.fdopen(os.dup(number), "rb")
