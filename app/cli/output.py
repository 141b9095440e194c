"""The encoding of a command's output, and its end where the output goes nowhere: a pipe whose
reader has left, or a full disk."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from podium.cli.outcome import Exit, complain

STDOUT, STDERR = 1, 2

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_utf8() -> None:
    """Makes files and pipes get UTF-8 where the system would have something else, as Windows has:
    its code pages lack characters of formulas and names. `PYTHONIOENCODING` is left to decide."""
    out = sys.stdout
    if not isinstance(out, io.TextIOWrapper) or out.isatty() or os.getenv("PYTHONIOENCODING"):
        return
    if out.encoding.lower() != "utf-8":
        out.reconfigure(encoding="utf-8")


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
