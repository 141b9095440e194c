"""A command's output where it goes nowhere: it is closed, a pipe whose reader has left, or a full
disk."""

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
    """Makes output go nowhere, and input end, where a shell has closed them (`>&-`); else the first
    files that a command opens would stand in their places."""
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
    """Writes out what was printed, and ends the process where that is impossible.

    A reader that has left, as `head` does, wants no more: exit code 0, or that of the error that
    ended the command. Without room on a disk the result is not whole: a sentence, and exit code 4.
    """
    try:
        try:
            yield
        except SystemExit as end:
            # Typer and Rich meet the closed pipe before us, and end with 1.
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
    """Lets everything that is still to be written to these, at the end of the process at the
    latest, go nowhere."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _code_of(error: BrokenPipeError) -> int:
    """The exit code of what had ended the command before its output was written out."""
    before = error.__context__
    if error.__suppress_context__ or not isinstance(before, SystemExit):
        return Exit.OK
    return before.code if isinstance(before.code, int) else Exit.OK
