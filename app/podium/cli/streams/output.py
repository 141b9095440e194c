"""Handles output that cannot be written: it is closed, its pipe has no reader, or the disk is
full."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from podium.cli.outcome import Exit, complain

STDIN, STDOUT, STDERR = 0, 1, 2

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def open_what_is_closed() -> None:
    """Replaces standard streams that a shell has closed (`>&-`) by the null device; otherwise the
    first files that a command opens would take their place."""
    nothing = os.open(os.devnull, os.O_RDWR)
    while nothing <= STDERR:
        os.set_inheritable(nothing, True)
        nothing = os.open(os.devnull, os.O_RDWR)
    os.close(nothing)
    sys.stdin = sys.stdin or os.fdopen(STDIN)
    sys.stdout = sys.stdout or os.fdopen(STDOUT, "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(STDERR, "w", encoding="utf-8")


@contextmanager
def output_checked() -> Iterator[None]:
    """Flushes the output after the block, and ends the process if that is impossible.

    A reader that has closed the pipe, such as `head`, needs no more: exit code 0, or that of the
    error that ended the command. On a full disk the result is incomplete: a sentence, and exit code
    4.
    """
    try:
        try:
            yield
        except SystemExit as end:
            # Typer and Rich notice the closed pipe first, and exit with 1.
            if isinstance(end.__context__, BrokenPipeError):
                raise BrokenPipeError from None
            raise
        finally:
            sys.stdout.flush()
    except BrokenPipeError as error:
        _discard(STDOUT, STDERR)
        sys.exit(_code_of(error))
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        _discard(STDOUT)
        where = f"{error.filename}: " if error.filename else ""
        with suppress(OSError):
            complain(f"{where}{error.strerror}. What the command writes is not whole.")
        sys.exit(Exit.SERVER)


def _discard(*descriptors: int) -> None:
    """Redirects these descriptors to the null device, so that whatever is flushed at the end of the
    process is discarded."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _code_of(error: BrokenPipeError) -> int:
    """Returns the exit code of the error that had ended the command before its output was
    flushed."""
    before = error.__context__
    if error.__suppress_context__ or not isinstance(before, SystemExit):
        return Exit.OK
    return before.code if isinstance(before.code, int) else Exit.OK
