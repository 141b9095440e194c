"""Passages through folders that are closed to other users, for a child that is another user: to its
own folder, which lies with the data, and to libraries below a home such as `/root`.

In a mount namespace of the child's own, an empty folder is mounted over each closed one. It can be
traversed, and contains nothing but what the child needs: no capability has to open the way, and the
rest of a closed folder does not exist there. Stdlib only.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

NEW_MOUNTS = 0x00020000
NO_SET_USER, NO_DEVICES, BIND, ALL_BELOW, PRIVATE = 2, 4, 1 << 12, 1 << 14, 1 << 18
DETACH = 2

FOR_OTHERS = stat.S_IROTH | stat.S_IXOTH

Passage = Sequence[str]
"""The closed folder, the path below it that must exist, and the path that must appear there."""


def passages_to(paths: Iterable[Path]) -> list[Passage]:
    """Returns the passages that another user needs to reach these paths; none for paths that it can
    reach anyway."""
    return [passage for path in paths if (passage := _passage_to(path)) is not None]


def closed_in(folders: Iterable[Path]) -> Path | None:
    """Returns a file or folder, among these folders and their direct contents, that others may not
    read, or None. No passage helps there: it leads only through closed folders, not into closed
    files."""
    for folder in folders:
        inside = folder.iterdir() if _mode(folder) & FOR_OTHERS == FOR_OTHERS else [folder]
        for path in inside:
            if path.name == "__pycache__":
                # If Python cannot read compiled files there, it compiles anew.
                continue
            needed = FOR_OTHERS if path.is_dir() else stat.S_IROTH
            if path.exists() and _mode(path) & needed != needed:
                return path
    return None


def open_passages(libc: ctypes.CDLL, passages: Iterable[Passage]) -> str:
    """Opens these passages for this process only. Returns an empty text, or the reason why that
    failed; then nothing has changed."""
    wanted: dict[str, list[Passage]] = {}
    for passage in passages:
        wanted.setdefault(passage[0], []).append(passage)
    if not wanted:
        return ""
    covered: list[str] = []
    try:
        _succeeded(libc.unshare(NEW_MOUNTS))
        _mount(libc, None, "/", None, ALL_BELOW | PRIVATE)
        for closed, ways in wanted.items():
            _let_through(libc, closed, ways, covered)
    except OSError as error:
        for closed in covered:
            libc.umount2(os.fsencode(closed), DETACH)
        return f"mounts of its own are refused: {error.strerror}"
    return ""


def _passage_to(path: Path) -> Passage | None:
    """Returns the passage for the first closed folder on the way, links included; None if there is
    none."""
    for place in (*reversed(path.parents), path):
        real = place.resolve()
        for folder in (*reversed(real.parents), *((real,) if place != path else ())):
            if not _mode(folder) & stat.S_IXOTH:
                found = real / path.relative_to(place)
                return str(folder), str(found), str(path.resolve())
    return None


def _mode(path: Path) -> int:
    return path.stat().st_mode


def _let_through(
    libc: ctypes.CDLL, closed: str, ways: Sequence[Passage], covered: list[str]
) -> None:
    # Descriptors that are open still reach files below the folder that is mounted over them.
    opened = {place: os.open(leads_to, os.O_PATH) for _, place, leads_to in ways}
    try:
        flags = NO_SET_USER | NO_DEVICES
        _mount(libc, "podium", closed, "tmpfs", flags, "mode=711,size=64k")
        covered.append(closed)
        before = os.umask(0o066)
        try:
            for place in sorted(opened):
                # It may exist already, inside of a place that was mounted before.
                if not os.path.lexists(place):
                    _make_place(place, is_folder=stat.S_ISDIR(os.fstat(opened[place]).st_mode))
                    _mount(libc, f"/proc/self/fd/{opened[place]}", place, None, BIND)
        finally:
            os.umask(before)
    finally:
        for descriptor in opened.values():
            os.close(descriptor)


def _make_place(place: str, *, is_folder: bool) -> None:
    folder = Path(place) if is_folder else Path(place).parent
    folder.mkdir(parents=True, exist_ok=True)
    if not is_folder:
        Path(place).touch()


def _mount(
    libc: ctypes.CDLL,
    source: str | None,
    place: str,
    kind: str | None,
    flags: int,
    options: str | None = None,
) -> None:
    texts = [None if each is None else os.fsencode(each) for each in (source, place, kind, options)]
    _succeeded(libc.mount(*texts[:3], ctypes.c_ulong(flags), texts[3]))


def _succeeded(failed: int) -> None:
    if failed:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
