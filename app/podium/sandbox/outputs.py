"""The files that a child leaves in its folder: taken, counted and removed by its parent.

A compromised child may have left anything there: links to files of the service, pipes without a
writer, a tree too deep to walk. Nothing here follows a link or waits.
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
"""Files and folders of a child; the most that any task needs is a few hundred."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
ONLY_LOOK = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class NotAFile(Exception):
    """Something else than a regular file of its own stands under a name that a parent opens."""


def taken(scratch: Path, names: Iterable[str]) -> dict[str, Path]:
    """The files that a child left under these names, one level of folders at most; those that it
    did not leave are left out. Raises `NotAFile`."""
    return {name: scratch / name for name in names if _is_own_file(scratch, name)}


def with_files(result: Result[Answer], names: Iterable[str], scratch: Path) -> Result[Answer]:
    """A result with the files that the child left under these names; a crash where something else
    stands under one of the names, which no code of ours leaves."""
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
        raise NotAFile(f"{folder} is no folder: {error}") from error
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
        raise NotAFile(f"{name} is no regular file of its own.")
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
    """Bytes of disk that everything below the folder uses; None where there is more, or deeper,
    than can be counted."""
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
            # The child has just removed it.
            continue
        except OSError:
            return None
    return total


@contextmanager
def scratch_folder(parent: Path | None) -> Iterator[Path]:
    """An empty folder for a child, removed after the block whatever the child left in it; without a
    parent it lies where the system keeps passing files."""
    folder = Path(tempfile.mkdtemp(dir=parent, prefix="podium-child-"))
    try:
        yield folder
    finally:
        remove(folder)


def remove(folder: Path) -> bool:
    """Removes a folder with everything in it, however deep and whatever its modes; answers whether
    it is gone. Never raises for what is in it."""
    with suppress(OSError):
        # Not the modes that the child gave: its own folder is the first to be made accessible.
        top = _accessible(str(folder), None)
        try:
            _empty(top)
        finally:
            os.close(top)
        folder.rmdir()
    return not folder.exists()


def _empty(top: int) -> None:
    """Folders are brought up to the top before they are emptied: so neither the depth of a tree nor
    the length of its paths matters, and two descriptors are enough."""
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
        # Moving a folder changes its entry "..", which needs the right to write to it.
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
    """A folder that is opened, with all rights for its owner. No link is followed."""
    looked = os.open(name, ONLY_LOOK, dir_fd=inside)
    try:
        path = f"/proc/self/fd/{looked}"
        if stat.S_IMODE(os.fstat(looked).st_mode) & 0o700 != 0o700:
            Path(path).chmod(0o700)
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(looked)
