"""Checks that there is an installation where one must be, and that this process may use the data
folder, before anything is written there."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.operator.private_files import kept_paths
from podium.core.database.schema import schema_at
from podium.core.sizes import size_of
from podium.errors import NotConfigured
from podium.operations.service.kept_files import look_for_files
from podium.storage import Area

if TYPE_CHECKING:
    from podium.application import Application
    from podium.operations.service.kept_files import KeptFiles
    from podium.settings import Settings


def require_database(settings: Settings) -> None:
    """Raises `NotConfigured` if SQLite's file is missing: opening it would create an empty one."""
    if missing := missing_database(settings):
        raise NotConfigured(missing)


def require_installation(settings: Settings) -> None:
    """Raises `NotConfigured` if there is no database, or no folder with its files."""
    if missing := missing_database(settings) or missing_folder(settings):
        raise NotConfigured(missing)


def missing_database(settings: Settings) -> str | None:
    """Returns a sentence with the path of SQLite's file if that is missing; None if it exists or is
    not needed."""
    file = settings.database_file
    if file is None or _exists(file):
        return None
    text = f"There is no database in {file.parent}: {file.name} is missing."
    return f"{text} {_elsewhere(settings, 'database_url' if settings.database_url else 'data_dir')}"


def missing_folder(settings: Settings) -> str | None:
    """Returns a sentence with the path of the folder of all files if that is missing; None if it
    exists or files are in a bucket."""
    folder = settings.data_dir.absolute()
    if settings.storage_url or _exists(folder):
        return None
    return f"There is no data folder {folder}. {_elsewhere(settings, 'data_dir')}"


def refuse_lost_database(application: Application) -> None:
    """Raises `NotConfigured` if the database is empty, but there is another one, or files: it would
    look like a new installation, which removes files that it does not know."""
    settings = application.settings
    if schema_at(settings.database).tables:
        return
    if complaint := about_other_database(settings):
        raise NotConfigured(complaint)
    if (place := _place_of_files(application)) is None:
        return
    file = settings.database_file
    state = f"no database {file}" if file else f"{settings.shown_database} is empty"
    variable = "PODIUM_STORAGE_URL" if "://" in place else "PODIUM_DATA_DIR"
    raise NotConfigured(
        f"There are files in {place}, and {state}. Bring their database back, or restore a backup"
        f" into another place; for a new installation name another place as {variable}."
    )


def about_other_database(settings: Settings) -> str | None:
    """Returns a sentence about an installation in the data folder, if the settings name another
    database, which is empty; else None."""
    if (other := other_database(settings)) is None:
        return None
    return (
        f"The database {settings.shown_database} is empty, and {other} holds an installation. To"
        " go on with that one, unset PODIUM_DATABASE_URL. To move it, `podium backup` it without"
        " PODIUM_DATABASE_URL, then `podium restore` the backup with it. For a new installation"
        " name another folder as PODIUM_DATA_DIR."
    )


def other_database(settings: Settings) -> Path | None:
    """Returns the database that would be used if the settings named none, if it exists and they
    name another one."""
    file = settings.model_copy(update={"database_url": ""}).database_file
    used = settings.database_file
    if file is None or not _exists(file) or not file.stat().st_size:
        return None
    return None if used is not None and used.resolve() == file.resolve() else file


def _place_of_files(application: Application) -> str | None:
    """Returns the folder or bucket in which some file is stored already; None if there is none."""
    settings = application.settings
    if not settings.storage_url:
        storage = settings.data_dir.absolute() / "storage"
        return str(storage) if any(path.is_file() for path in storage.rglob("*")) else None
    for area in Area:
        if next(iter(application.storage.stored(area, older_than_seconds=0)), None) is not None:
            return (area.is_secret and settings.secret_storage_url) or settings.storage_url
    return None


def require_files(application: Application) -> None:
    """Raises `NotConfigured` if none of the files that the database names exists: a disk that is
    not mounted, or the wrong bucket, must not be mistaken for an empty store."""
    kept = look_for_files(application.database, application.storage)
    if kept.are_all_lost:
        raise NotConfigured(lost_files(kept, application.settings))


def lost_files(kept: KeptFiles, settings: Settings) -> str:
    """Returns a sentence about files that the database names and the storage lacks."""
    if settings.storage_url:
        remedy = "See that PODIUM_STORAGE_URL names their bucket"
    else:
        remedy = f"See that the disk of {settings.data_dir.absolute() / 'storage'} is mounted"
    return (
        f"{len(kept.lost)} of {kept.looked_for} files that the database names are not in the"
        f" storage, such as {kept.lost[0]}. {remedy}, or restore a backup."
    )


def _elsewhere(settings: Settings, name: str) -> str:
    if name in settings.model_fields_set:
        found = f"Correct PODIUM_{name.upper()}"
    else:
        found = "Change to the installation's folder or set PODIUM_DATA_DIR, which is not set"
    return f"{found}. A new installation is made by `podium serve`."


def complaint_about_room(application: Application) -> str | None:
    """Returns a sentence that warns of less free space than the reserve; None if there is
    enough."""
    settings, free = application.settings, application.storage.free_bytes()
    if free is None or free >= settings.min_free_bytes:
        return None
    return (
        f"The disk of {settings.data_dir.absolute()} has {size_of(free)} free, less than"
        f" {size_of(settings.min_free_bytes)} (PODIUM_MIN_FREE_BYTES): uploads are refused. Free"
        " some space, or lower PODIUM_MIN_FREE_BYTES."
    )


def require_data_folder(settings: Settings) -> None:
    """Raises `NotConfigured` if the data folder, or something in it, is not ours to use."""
    if complaint := complaint_about(settings):
        raise NotConfigured(complaint)


def complaint_about(settings: Settings) -> str | None:
    """Returns the reasons why we cannot use the data folder, in sentences; None if there are
    none."""
    folder = settings.data_dir.absolute()
    if complaint := _complaint_about_parents(settings):
        return complaint
    there = _nearest(folder)
    kept = [path for path in kept_paths(settings) if path != folder]
    # A database may be elsewhere, and SQLite writes files beside it.
    for path in dict.fromkeys((there, *(one.parent for one in kept), *kept)):
        if _exists(path) and (complaint := _complaint(path, folder)):
            return complaint
    return None


def complaint_about_what_is_there(path: Path, settings: Settings) -> str | None:
    """Returns a sentence about a path in the data folder, or its nearest existing parent, that we
    may not use, such as one created by a command of root; None if there is none."""
    folder = settings.data_dir.absolute()
    there = _nearest(path.absolute())
    return _complaint(there, folder) if there.is_relative_to(folder) else None


def complaint_about_storage(settings: Settings) -> str | None:
    """Returns a sentence about the first folder of stored files that we may not use, such as one
    created by root; None if there is none."""
    folder = settings.data_dir.absolute()
    if settings.storage_url:
        return None
    for above, names, _ in os.walk(folder / "storage"):
        for name in names:
            path = Path(above, name)
            if _exists(path) and (complaint := _complaint(path, folder)):
                return complaint
    return None


def _complaint_about_parents(settings: Settings) -> str | None:
    """Returns a sentence about a missing folder above one that is to be created: a misspelled path,
    or one whose disk is not mounted, must not become a new installation."""
    folder, file = settings.data_dir.absolute(), settings.database_file
    named = {"PODIUM_DATA_DIR": folder}
    if settings.database_url and file is not None and folder not in file.parents:
        named["PODIUM_DATABASE_URL"] = file
    for variable, path in named.items():
        there = _nearest(path.parent)
        if there != path.parent and there.is_dir() and os.access(there, os.X_OK):
            return (
                f"There is no folder {path.parent}, and {variable} names {path}. Make the folder,"
                f" mount its disk, or correct {variable}."
            )
    return None


def _nearest(path: Path) -> Path:
    """Returns the path, or its nearest existing parent."""
    return next(one for one in (path, *path.parents) if _exists(one))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # It is in a folder that we may not enter.
        return False


def _complaint(path: Path, folder: Path) -> str | None:
    is_folder = path.is_dir()
    if path in (folder, *folder.parents) and not is_folder:
        return f"{path} is not a folder. Name another one as PODIUM_DATA_DIR."
    wanted = os.R_OK | os.W_OK | (os.X_OK if is_folder else 0)
    if path != folder and path in folder.parents:
        # Only a folder has to be created there.
        wanted = os.W_OK | os.X_OK
    if os.access(path, wanted, effective_ids=True):
        return None
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return (
            f"{path} lies on a file system that may only be read. Name a folder that may be"
            " written as PODIUM_DATA_DIR."
        )
    found = path.stat()
    return (
        f"{path} belongs to {_user(found.st_uid)} (mode {stat.S_IMODE(found.st_mode):04o}); we are"
        f" {_user(os.geteuid())} and may not use it. {_remedy(path, folder, found)}"
    )


def _remedy(path: Path, folder: Path, found: os.stat_result) -> str:
    if path in folder.parents:
        return f"Make {folder}, give it to us, or name another one as PODIUM_DATA_DIR."
    named = shlex.quote(str(path))
    if found.st_uid == os.geteuid():
        return f"Type: chmod u+rwX {named}"
    ours = f"{os.geteuid()}:{os.getegid()}"
    return f"Start as its owner, or as root type: chown -R {ours} {shlex.quote(str(folder))}"


def _user(number: int) -> str:
    import pwd

    try:
        return f"{pwd.getpwuid(number).pw_name} (user {number})"
    except KeyError:
        return f"user {number}"
