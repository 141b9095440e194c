"""The files that a child leaves in its folder: its parent takes, counts and deletes them.

A compromised child may have left anything there: links to files of the service, pipes without a
writer, a tree too deep to walk. Nothing here follows a link or blocks.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from podium.sandbox import Answer, FailureReason, Result

MAX_ENTRIES = 10_000
"""Files and folders of a child; no task needs more than a few hundred."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
ONLY_LOOK = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class NotAFile(Exception):
    """A name that a parent opens belongs to something other than a regular file with a single
    link."""


def taken(scratch: Path, names: Iterable[str]) -> dict[str, Path]:
    """Returns the output files of these names, at most one folder deep; missing ones are left out.
    Raises `NotAFile`."""
    return {name: scratch / name for name in names if _is_own_file(scratch, name)}


def with_files(result: Result[Answer], names: Iterable[str], scratch: Path) -> Result[Answer]:
    """Returns the result with the output files of these names; a crash if one of the names belongs
    to something else, which none of our code leaves."""
    if result.answer is None:
        return result
    try:
        return replace(result, files=taken(scratch, names))
    except NotAFile as error:
        return Result(failure=FailureReason.CRASH, report=str(error))


def _is_own_file(scratch: Path, name: str) -> bool:
    folder, _, file = name.rpartition("/")
    try:
        inside = _opened(scratch, folder)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NotAFile(f"{folder} is not a folder: {error}") from error
    try:
        descriptor = os.open(file, FILE, dir_fd=inside)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise NotAFile(f"{name} cannot be opened as a file: {error}") from error
    finally:
        os.close(inside)
    try:
        found = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        raise NotAFile(f"{name} is not a regular file of its own.")
    return True


def _opened(scratch: Path, folder: str) -> int:
    whole = os.open(scratch, FOLDER)
    if not folder:
        return whole
    try:
        return os.open(folder, FOLDER, dir_fd=whole)
    finally:
        os.close(whole)


def bytes_in(scratch: Path) -> int | None:
    """Returns the bytes of disk that everything below the folder uses; None if there are too many
    entries, or too deep ones, to count."""
    total, entries = 0, 0
    waiting = [str(scratch)]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as found:
                for entry in found:
                    entries += 1
                    if entries > MAX_ENTRIES:
                        return None
                    with suppress(FileNotFoundError):
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except FileNotFoundError:
            # The child has just deleted it.
            continue
        except OSError:
            return None
    return total


@contextmanager
def scratch_folder(parent: Path | None) -> Iterator[Path]:
    """Creates an empty folder for a child and removes it after the block, whatever the child left
    in it; without a parent it is in the system's folder for temporary files."""
    folder = Path(tempfile.mkdtemp(dir=parent, prefix="podium-child-"))
    try:
        yield folder
    finally:
        remove(folder)


def remove(folder: Path) -> bool:
    """Removes a folder with everything in it, however deep and whatever its modes; returns whether
    it is gone. Never raises because of its contents."""
    with suppress(OSError):
        # The child may have changed the modes of its own folder as well.
        top = _accessible(str(folder), None)
        try:
            _empty(top)
        finally:
            os.close(top)
        folder.rmdir()
    return not folder.exists()


def _empty(top: int) -> None:
    """Empties a folder. Inner folders are moved to the top before they are emptied: so neither the
    depth of a tree nor the length of its paths matters, and two descriptors are enough."""
    number = 0
    while True:
        with os.scandir(top) as found:
            names = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
        if not names:
            return
        for name, is_folder in names:
            if not is_folder:
                os.unlink(name, dir_fd=top)
                continue
            inside = _accessible(name, top)
            try:
                number = _bring_up(inside, top, number)
            finally:
                os.close(inside)
            os.rmdir(name, dir_fd=top)


def _bring_up(inside: int, top: int, number: int) -> int:
    with os.scandir(inside) as found:
        names = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
    for name, is_folder in names:
        if not is_folder:
            os.unlink(name, dir_fd=inside)
            continue
        # Moving a folder changes its entry "..", for which the folder must be writable.
        os.close(_accessible(name, inside))
        while _is_there(f"up-{number}", top):
            number += 1
        os.rename(name, f"up-{number}", src_dir_fd=inside, dst_dir_fd=top)
        number += 1
    return number


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _accessible(name: str, inside: int | None) -> int:
    """Opens a folder after giving its owner all rights. Follows no link."""
    looked = os.open(name, ONLY_LOOK, dir_fd=inside)
    try:
        path = f"/proc/self/fd/{looked}"
        if stat.S_IMODE(os.fstat(looked).st_mode) & 0o700 != 0o700:
            Path(path).chmod(0o700)
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(looked)
